"""A box of a casino burns while it plays, and is made anew over the link as its page says: real nodes, real sockets (R-27).

What is on the page "A box burned" (docs/operators/operations.md) is typed here, command by command; only places, names and
what persons would type are this test's. The time is from the burned disk to the table that plays again.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from controller.core.values import Hand
from controller.node.link.mirrors import mirror_of
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from support.node.linked_casinos import Linked, linked
from support.node.node_process import ANA, LUIS, POZO
from support.places import ROOT

pytestmark = pytest.mark.process

BOX, CASINO = "valle", "norte"
FIVE_MINUTES = 300.0
SIGN = {"POZO_POR": ANA.person, "POZO_SEGUNDO": LUIS.person, "POZO_PIN": ANA.pin, "POZO_PIN2": LUIS.pin}
PAGE = (ROOT / "docs/operators/operations.md").read_text().partition("### A box burned")[2].partition("\n### ")[0]
COMMANDS = [
    line.strip()
    for block in re.findall(r"^ *```\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.strip().splitlines()
]


def facts_of(record):
    with Reader.open(record) as reader:
        return list(reader.facts())


def mirror_at(three: Linked) -> Path:
    return mirror_of(three.norte.place / "folder", BOX)


def is_mirrored(three):
    with closing(MirrorFile.read(mirror_at(three))) as file:
        end = file.end()
    return end is not None and end.seq == len(facts_of(three.valle.record))


class Technician:
    """He follows the page; `typed`: what the two type when they are asked."""

    def __init__(self, three: Linked) -> None:
        self.three, self.typed = three, ""

    def here(self, command):
        """The page's names are caja1 and central, tito and ana."""
        box, casino = self.three.valle.place, self.three.norte.place
        for page, place in (
            ("/etc/pozo/caja1.toml", box / "node.toml"), ("/etc/pozo/central.toml", casino / "node.toml"),
            ("/var/lib/pozo/caja1", box / "folder"), ("/var/lib/pozo/central", casino / "folder"),
            ("/media/stick/caja1.db", box / "stick.db"), ("mirrors/caja1.db", f"mirrors/{BOX}.db"),
        ):  # fmt: skip
            command = command.replace(page, str(place))
        for page, name in ((" caja1 ", f" {BOX} "), ("--from central", f"--from {CASINO}")):
            command = command.replace(page, name)
        return command.replace("--by tito --second ana", f"--by {ANA.person} --second {LUIS.person}")

    def run(self, command, *more):
        program, _, rest = self.here(command).partition(" ")
        assert program == "pozo", command
        rest, _, into = rest.partition(" > ")
        done = subprocess.run(
            [POZO, *shlex.split(rest), *more], input=self.typed, capture_output=True, text=True, timeout=200, check=False,
            cwd=self.three.valle.place, env={**os.environ, **SIGN},
        )  # fmt: skip
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        if into:
            (self.three.valle.place / into).write_text(done.stdout)
        return done.stdout + done.stderr


def an_evening_at_the_box(three):
    three.valle.bet(1, 5)
    three.puerto.bet(2, 2)
    full = three.valle.claims(Hand(1, claimed="full"))
    three.valle.pays(full)
    three.rest()


def test_r27_a_box_that_burned_plays_again_within_five_minutes_by_its_page(capsys):
    with linked(BOX) as three:
        technician, steps = Technician(three), iter(COMMANDS)
        codes = re.findall(r"Código de \w+: (\S+)", technician.run(next(steps)))
        three.valle.kill()
        three.valle.start()  # it seals for these codes from its next start on
        three.introduced()
        an_evening_at_the_box(three)
        three.norte.until(lambda _: is_mirrored(three))
        main, before = three.norte.pot.main, facts_of(three.valle.record)

        three.valle.kill()
        shutil.rmtree(three.valle.place / "folder")
        (three.valle.place / "folder").mkdir(mode=0o700)  # as `pozo install` leaves it on the new machine
        began = time.monotonic()
        settings = three.norte.place / "node.toml"
        old = re.search(rf'name = "{BOX}".*?fingerprint = "(\S+)"', settings.read_text(), re.DOTALL)[1]
        said = technician.run(next(steps))  # its new key
        (three.valle.place / "caja1.pub").write_text(said)
        heard = re.search(r"huella (\S+)", said)[1]
        settings.write_text(settings.read_text().replace(old, heard))
        technician.run(next(steps), "--heard", heard, "--heard", heard)  # two persons at the casino
        technician.run(next(steps))  # the casino's key
        technician.typed = "\n".join((*codes, ANA.pin, LUIS.pin, ""))
        said = technician.run(next(steps))
        assert f"hasta el hecho {len(before)}, " in said, said
        restored = time.monotonic() - began
        three.valle.start()
        three.valle.node.up()  # every unit was read anew
        three.rest()
        three.valle.bet(3, 1)
        open_again = time.monotonic() - began

        after = facts_of(three.valle.record)
        assert after[: len(before)] == before and after[len(before)].kind == "node_restored"
        three.rest()
        assert three.norte.pot.main > main
        three.norte.until(lambda view: not any("se entrega a la llave" in one.sentence for one in view.alarms))
        three.norte.until(lambda _: is_mirrored(three))
        records = [node.end() for node in three.nodes.values()]
        shutil.copy(mirror_at(three), three.valle.place / "stick.db")
        assert "ESPEJO BIEN" in technician.run(next(steps))
        assert next(steps, None) is None, "every command of the page was followed"
        said = subprocess.run([POZO, "verify", *records], capture_output=True, text=True, check=False).stdout
        assert "MAL" not in said and said.count("BIEN: ") >= 3, said
        with capsys.disabled():
            print(f"\nburned to restored {restored:.1f} s, to the table that plays {open_again:.1f} s", file=sys.stderr)
        assert open_again < FIVE_MINUTES / 2
