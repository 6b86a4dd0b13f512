"""pozo on a Debian machine: which files a service needs, put in place and taken away again (`pozo install`).

Theory. The files stand in `systemd/`, as they are; only the path of the program is written into them. Installing
twice is installing once: a file that is as it should be is left alone, one that differs is reported and replaced, the
settings of a node are never touched once they are there. Uninstalling takes away what was put there and nothing else:
record, seeds, settings and the user stay, because they belong to the casino. The browser of a machine is bound by
policies where a sign hangs at it, and only there.

Everything goes below `root`, so that a test, or a builder of images, installs into a folder; only on the machine
itself (`root` is /) are Debian's own tools called.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from controller.node.service.kiosk import KioskRefused, policies, read_kiosk
from controller.node.service.trust import changeable_by_others

_SOURCE_TREE = Path(__file__).resolve().parents[3]
_PROGRAM = "/opt/pozo/bin/pozo"  # as the unit files write it
_HOMES = ("home", "root", "tmp", "run")  # a hardened service sees nothing of them
_EXAMPLE = "central.toml"
_SIGNS = "letreros.toml"
_KIOSK = "sala.env"
_KIOSKS, _POLICIES = "etc/pozo/kiosk", "etc/chromium/policies/managed/pozo-kiosk.json"
_UNITS, _SYSUSERS, _TMPFILES = "etc/systemd/system", "usr/lib/sysusers.d", "usr/lib/tmpfiles.d"
_NODE = "NODE"  # as the files of one node write its name
_NODE_NAME = re.compile(r"[a-z][a-z0-9-]{0,25}")
_RUNNING = ("kiosk@*.service", "web@*.socket", "web@*.service", "node@*.service")
_SHOWN = 3


class InstallRefused(Exception):  # noqa: N818  says what happened
    """One Spanish sentence: why not, and what would be right."""


class InstalledFile(NamedTuple):
    """A file of the installation: where it comes from, where it goes, and of which node it is, where it is of one."""

    source: Path
    target: Path
    executable_inside: bool = False
    node: str = ""


class Done(NamedTuple):
    """What became of one file or step: `written`, `replaced`, `kept`, `removed`, `called`."""

    what: str
    place: str


def install(root: Path, program: Path) -> Iterator[Done]:
    """Tells each step as it is done; may be repeated."""
    _refuse_hidden(program)
    _refuse_anybodys(program)
    _refuse_nameless(root)
    files = list(_files(root))
    of_signs = _policies(root)
    for placed in files:
        _refuse_foreign(placed.target)
    for placed in files:
        text = placed.source.read_text()
        text = text.replace(_NODE, placed.node) if placed.node else text
        yield _written(placed.target, text.replace(_PROGRAM, str(program)) if placed.executable_inside else text)
    example = (_shared("nodes", "config") / _EXAMPLE).read_text()
    yield _settled(root / "etc/pozo" / _EXAMPLE, example.replace('"../plans/', '"plans/'))
    of_web = _shared("web", "config")
    yield _settled(root / "etc/pozo/web" / _EXAMPLE, (of_web / "ejemplo.toml").read_text())
    yield _settled(root / "etc/pozo/web" / _SIGNS, (of_web / _SIGNS).read_text())
    # Not as a sign: each one there binds the browser of this machine.
    yield _settled(root / _KIOSKS / f"{_KIOSK}.ejemplo", (of_web / _KIOSK).read_text())
    if of_signs:
        yield _written(root / _POLICIES, of_signs)
    elif (root / _POLICIES).exists():
        (root / _POLICIES).unlink()
        yield Done("removed", str(root / _POLICIES))
    plans = root / "etc/pozo/plans"
    for plan in sorted(_shared("plans", "config").glob("*.toml")):
        if not (plans / plan.name).exists():
            yield _written(plans / plan.name, plan.read_text())
    if root == Path("/"):
        yield from _called(
            ("systemd-sysusers", *_named(files, _SYSUSERS)),
            ("systemd-tmpfiles", "--create", *_named(files, _TMPFILES)),
            ("chgrp", "-R", "pozo", "/etc/pozo"),
            ("udevadm", "control", "--reload"),
            ("udevadm", "trigger", "--subsystem-match=tty"),
            ("systemctl", "daemon-reload"),
        )


def uninstall(root: Path) -> Iterator[Done]:
    """Takes the service away. Record, seeds, settings and user stay."""
    if root == Path("/"):
        stop, disable = (
            ("systemctl", "stop", "pozo.target", *(f"pozo-{unit}" for unit in _RUNNING)),
            ("systemctl", "disable", "pozo.target"),
        )
        yield from _called(stop, disable)
    for target in (*(placed.target for placed in _files(root)), root / _POLICIES):
        if target.exists():
            target.unlink()
            yield Done("removed", str(target))
    wanted = root / _UNITS / "pozo.target.wants"  # what was enabled: links to what is gone
    if wanted.is_dir():
        shutil.rmtree(wanted)
        yield Done("removed", str(wanted))
    if root == Path("/"):
        yield from _called(("systemctl", "daemon-reload"), ("udevadm", "control", "--reload"))
    for kept in ("var/lib/pozo", "var/lib/pozo-web", "var/lib/pozo-kiosk", "etc/pozo"):
        if (root / kept).exists():
            yield Done("kept", str(root / kept))


def program_of_this_python() -> Path:
    """The command `pozo` beside the interpreter that runs this."""
    return Path(sys.executable).parent / "pozo"


def _files(root: Path) -> Iterator[InstalledFile]:
    folder = _shared("systemd")
    for name in ("pozo-node@.service", "pozo-web@.service", "pozo-web@.socket", "pozo-kiosk@.service", "pozo.target"):
        yield InstalledFile(folder / name, root / _UNITS / name, name.endswith(".service"))
    yield InstalledFile(folder / "pozo.sysusers", root / _SYSUSERS / "pozo.conf")
    yield InstalledFile(folder / "pozo-web.sysusers", root / _SYSUSERS / "pozo-web.conf")
    yield InstalledFile(folder / "pozo-kiosk.sysusers", root / _SYSUSERS / "pozo-kiosk.conf")
    yield InstalledFile(folder / "pozo.tmpfiles", root / _TMPFILES / "pozo.conf")
    for node in _nodes(root):  # after those: its groups are made first, its folder lies in theirs
        yield InstalledFile(folder / "pozo-node.sysusers", root / _SYSUSERS / f"pozo-node-{node}.conf", node=node)
        yield InstalledFile(folder / "pozo-node.tmpfiles", root / _TMPFILES / f"pozo-node-{node}.conf", node=node)
    yield InstalledFile(folder / "60-pozo-serial.rules", root / "etc/udev/rules.d/60-pozo-serial.rules")


def _policies(root: Path) -> str:
    """Of the signs that hang at this machine; empty where none does."""
    told = sorted((root / _KIOSKS).glob("*.env"))
    try:
        kiosks = [read_kiosk(one, root) for one in told]
        return policies((_shared("systemd") / "pozo-kiosk-policies.json").read_text(), kiosks) if kiosks else ""
    except KioskRefused as refused:
        raise InstallRefused(str(refused)) from None


def _named(files: Sequence[InstalledFile], folder: str) -> Iterator[str]:
    return (placed.target.name for placed in files if placed.target.parent.as_posix().endswith(folder))


def _nodes(root: Path) -> list[str]:
    """Whose settings are there, and the example's: each has a user of its own."""
    return sorted({Path(_EXAMPLE).stem, *(one.stem for one in (root / "etc/pozo").glob("*.toml"))})


def _refuse_nameless(root: Path) -> None:
    for name in _nodes(root):
        if not _NODE_NAME.fullmatch(name):
            raise InstallRefused(
                f"{root / 'etc/pozo' / name}.toml: cada nodo tiene su usuario, pozo-NOMBRE; el nombre del archivo lleva"
                " de una a 26 letras minúsculas, cifras o guiones, y empieza con una letra"
            )


def _shared(name: str, within: str = "") -> Path:
    """A folder of the source tree, or of the installation."""
    folder = _SOURCE_TREE / within / name
    return folder if folder.is_dir() else Path(sys.prefix) / "share" / "pozo" / name


def _refuse_hidden(program: Path) -> None:
    if not (program.is_file() and os.access(program, os.X_OK)):
        raise InstallRefused(f"{program}: no hay ahí un programa pozo que se pueda ejecutar")
    if program.is_absolute() and program.parts[1] in _HOMES:
        raise InstallRefused(
            f"{program}: un servicio no ve /{program.parts[1]}; instale el programa en /opt/pozo"
            " (python3 -m venv /opt/pozo && /opt/pozo/bin/pip install .) y llame a /opt/pozo/bin/pozo install"
        )


def _refuse_anybodys(program: Path) -> None:
    """Who can write the program can be anybody in every node."""
    wrong = list(islice(changeable_by_others(program), _SHOWN + 1))
    if wrong:
        more = " (y más)" if len(wrong) > _SHOWN else ""
        raise InstallRefused(
            f"{program}: otros podrían cambiar lo que el servicio ejecuta: {'; '.join(wrong[:_SHOWN])}{more}."
            " Lo correcto: chown -R root:root, chmod -R go-w"
        )


def _refuse_foreign(target: Path) -> None:
    """A folder or a link that somebody else put there is not overwritten."""
    if target.is_symlink() or (target.exists() and not target.is_file()):
        raise InstallRefused(f"{target}: hay ahí algo que no es un archivo de pozo; quítelo o muévalo")


def _settled(target: Path, example: str) -> Done:
    """Settings are the casino's: an example where there are none, and never touched again."""
    return Done("kept", str(target)) if target.exists() else _written(target, example, mode=0o640)


def _written(target: Path, text: str, mode: int = 0o644) -> Done:
    """Whole or not at all: a power cut leaves the old file."""
    before = target.read_text() if target.exists() else None
    if before == text:
        return Done("kept", str(target))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f".{target.name}.new")
        beside.write_text(text)
        beside.chmod(mode)
        beside.replace(target)
    except OSError as error:
        raise InstallRefused(f"{target}: no se puede escribir: {error.strerror}; ¿falta sudo?") from None
    return Done("written" if before is None else "replaced", str(target))


def _called(*commands: Sequence[str]) -> Iterator[Done]:
    """Debian's own tools; one that is absent (a container) or fails is reported."""
    for command in commands:
        if shutil.which(command[0]) is None:
            yield Done("absent", command[0])
            continue
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  constants of ours
        said = done.stderr.strip().splitlines()
        place = " ".join(command) + (f": {said[-1]}" if said else "")
        yield Done("called" if done.returncode == 0 else "failed", place)
