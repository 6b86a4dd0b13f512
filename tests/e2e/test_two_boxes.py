"""The walk of docs/operators/links.md, "Two boxes, two casinos", followed command by command on two real nodes.

The commands, the plan and the settings are the page's own words; only the places are this test's: a folder instead of
/etc and /run, a start of the process instead of systemctl, and what persons would type.
"""

import os
import re
import shlex
import subprocess
import time
from contextlib import ExitStack

import pytest

from controller.node.book.founding import Administrator, Member, found
from controller.node.settings.settings import read_node
from controller.play.cable import free_port
from support.node.node_process import ANA, LUIS, POZO, running, today
from support.places import CONFIG, ROOT

pytestmark = pytest.mark.process

WHOLE_PAGE = (ROOT / "docs/operators/links.md").read_text()


def blocks_of(section):
    page = WHOLE_PAGE.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```([^\n]*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def commands_of(section):
    return [line for kind, text in blocks_of(section) if not kind for line in text.splitlines()]


BLOCKS = blocks_of("Two boxes, two casinos")
COMMANDS = commands_of("Two boxes, two casinos")
MONTH = commands_of("The month between two casinos")
TOML = {kind.removeprefix("toml "): text for kind, text in BLOCKS if kind}
AS_INSTALLED = 'name = "{name}"\nfolder = "folder"\ncontrol = "control"\n[[plan]]\nfile = "own.toml"\nsignless = true\n'
SIGN = {"POZO_POR": ANA.person, "POZO_SEGUNDO": LUIS.person, "POZO_PIN": ANA.pin, "POZO_PIN2": LUIS.pin}


class Boxes:
    """Both of them: `norte` and `valle`, each in its folder."""

    def __init__(self, place, closing):
        self.place, self._closing, self.port = place, closing, free_port()
        self.nodes, self.said = {}, []
        for name in ("norte", "valle"):
            box = place / name
            box.mkdir()
            (box / "own.toml").write_text(own_plan(name))
            (box / f"{name}.toml").write_text(AS_INSTALLED.format(name=name))
            people = Administrator("ana", "Ana", ANA.pin), Administrator("luis", "Luis", LUIS.pin)
            node = read_node(box / f"{name}.toml")
            found(node, people, list[Member](), time.time_ns() // 1_000_000)
            (box / "node.toml").symlink_to(f"{name}.toml")  # where `running` looks
            self.start(name)

    def start(self, name):
        if name in self.nodes:
            assert self.nodes[name].end()[0] == 0
        self.nodes[name] = self._closing.enter_context(running(self.place / name))
        self.nodes[name].ready()

    def box_of(self, command):
        return next(name for name in ("norte", "valle") if re.search(rf"[/@]{name}\b", command))

    def run(self, command, *more):
        """As it stands on the page, at its box; what it said."""
        name = self.box_of(command) if not command.startswith("pozo plan") else "norte"
        here = (
            command.replace("/etc/pozo/", f"{self.place / name}/")
            .replace(f"/run/pozo/{name}", f"{self.place / name}/control")
            .replace(f"/var/lib/pozo/{name}", f"{self.place / name}/folder")
            .replace("2026-11", today()[:7])
        )
        program, _, rest = here.partition(" ")
        rest, _, into = rest.partition(" > ")
        if program == "systemctl":
            self.start(name)
            return ""
        assert program == "pozo", command
        done = subprocess.run(
            [POZO, *shlex.split(rest), *more], capture_output=True, text=True, timeout=60, check=False,
            cwd=self.place / name, env={**os.environ, **SIGN},
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        if into:
            (self.place / name / into).write_text(done.stdout)
        self.said.append(done.stdout)
        return done.stdout

    def until(self, command, words):
        """Asked again until it says so: the page says within seconds."""
        end = time.monotonic() + 20
        while words not in (said := self.run(command)):
            assert time.monotonic() < end, said
            time.sleep(0.2)
        return said


def own_plan(name):
    return (
        (CONFIG / "demo/two/plans/pozo-valle.toml")
        .read_text()
        .replace("pozo-valle", f"pozo-{name}")
        .replace('casino = "valle"', f'casino = "{name}"')
    )


def test_two_installed_boxes_share_a_pot_by_following_the_page(tmp_path_factory):
    place = tmp_path_factory.mktemp("boxes")
    steps = iter(COMMANDS)
    with ExitStack() as closing:
        boxes = Boxes(place, closing)
        for _ in ("norte", "valle"):
            boxes.run(next(steps))  # 1: the keys
        prints = {name: (place / name / f"{name}.pub").read_text() for name in ("norte", "valle")}
        heard = {name: re.search(r"huella (\S+)", text)[1] for name, text in prints.items()}
        (place / "norte/valle.pub").write_text(prints["valle"])
        (place / "valle/norte.pub").write_text(prints["norte"])

        for name in ("norte", "valle"):  # 2: the plan
            (place / name / "pozo-comun.toml").write_text(common_plan())
        boxes.run(next(steps))

        for name in ("norte", "valle"):  # 3: the settings
            settings = place / name / f"{name}.toml"
            more = TOML[name].replace("HUELLA DE VALLE", heard["valle"]).replace("HUELLA DE NORTE", heard["norte"])
            more = re.sub(r"tcp://[\d.]+:7071", f"tcp://127.0.0.1:{boxes.port}", more)
            settings.write_text(settings.read_text() + more)
        for _ in range(4):
            boxes.run(next(steps))
        assert boxes.run("pozo ctl --node /run/pozo/norte vecinos") == ""

        for other in ("valle", "norte"):  # 4: the keys are pinned
            boxes.run(next(steps), "--heard", heard[other], "--heard", heard[other])
        boxes.until(next(steps), "vecino valle (alimenta pozos de aquí): en línea desde")
        boxes.until(next(steps), "vecino norte (dueño): en línea desde")

        boxes.run(next(steps))  # 5: the plan takes effect
        said = boxes.until(next(steps), "pozo pozo-comun, de norte: al día")
        assert next(steps, None) is None, "every command of the page was followed"
        assert "mesa VA-01" in said and "mesa NT-01" not in said
        assert "mesa NT-01" in boxes.run("pozo ctl --node /run/pozo/norte estado")
        the_month_is_the_same_at_both(boxes)


def the_month_is_the_same_at_both(boxes):
    """The page's section of that name; before it a day, as the chief closes it."""
    ctl = "pozo ctl --node /run/pozo/valle"
    boxes.run(f"{ctl} dia abrir {today()}")
    boxes.run(f"{ctl} dia cerrar")
    end = time.monotonic() + 20
    while "su acuse" in (said := boxes.run(f"{ctl} vecinos")):
        assert time.monotonic() < end, said
        time.sleep(0.2)
    at_valle, at_norte, both = MONTH
    boxes.run(at_valle)
    boxes.run(at_norte)
    for name in ("valle.csv", "norte.txt"):
        box = name.partition(".")[0]
        (boxes.place / "norte" / name).write_bytes((boxes.place / box / name).read_bytes())
    said = boxes.run(both.replace("valle.csv", "../valle/valle.csv").replace("norte.txt", "../norte/norte.txt"))
    assert said.count("FIRMADA: ") == 2 and said.count("IGUAL: ") == 1


def common_plan():
    """The page's own lines in the place of those of a plan that is whole."""
    whole = (CONFIG / "demo/two/plans/pozo-norte.toml").read_text().replace("pozo-norte", "pozo-comun")
    top, _, tables = TOML["plan"].partition("\n\n")
    whole = re.sub(r"^registration = .*$", top, whole, flags=re.MULTILINE)
    return whole.partition("[links]")[0] + tables
