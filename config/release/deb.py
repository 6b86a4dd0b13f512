"""`make deb`: a Debian package with everything inside, for a box that never sees the internet.

Theory. What runs at a casino is the hashed lock and nothing else: wheels whose hashes stand in config/lock/runtime.txt,
our own wheel, and Debian's Python, laid out as the virtual environment /opt/pozo. Two builds of one commit are one
file: every time is the commit's, every owner root, every order sorted, and compiled files carry their source's hash and
not its date. The package only brings files; what a machine needs beside them `pozo install` puts in place, as it does
for every other way of installing.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from manual import manual

from controller.about import VERSION

_HERE = Path(__file__).resolve().parent
_TREE = _HERE.parents[1]
_LOCK = _TREE / "config/lock/runtime.txt"
_PYTHON = "3.11"  # Debian 12's; compiled wheels are made for one
_HOME = Path("opt/pozo")
_SITE = _HOME / f"lib/python{_PYTHON}/site-packages"
_LIBC = "2.34"  # what the newest wheel of the lock is built against
_SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
_DATA = {"purelib": _SITE, "platlib": _SITE, "data": _HOME}
_STARTS = f"""\
#!/{_HOME}/bin/python3 -I
import sys

from controller.cli.main import main

sys.exit(main())
"""
_CONTROL = """\
Package: pozo
Version: {version}
Architecture: {debian}
Maintainer: pozo
Section: misc
Priority: optional
Depends: python{python}, libc6 (>= {libc}), systemd | systemd-standalone-sysusers
Recommends: systemd, udev, sudo
Installed-Size: {size}
Description: progressive-jackpot controller for physical card tables
 It talks to the bet acceptors, lamps and signs of linked tables, feeds their pots
 and pays them as the law says. Everything that it needs beside Debian's Python is
 inside. Installing it starts nothing.
"""


class Architecture(NamedTuple):
    debian: str
    wheels: str
    """As the platform tags of wheels name it."""


ARCHITECTURES = {one.debian: one for one in (Architecture("amd64", "x86_64"), Architecture("arm64", "aarch64"))}


class DebRefused(Exception):  # noqa: N818  says what happened
    """Why there is no package, in one sentence."""


def build(architecture: Architecture, to: Path) -> Path:
    """The package, in the folder `to`. Nothing is shared with another build that may run."""
    epoch = _run("git", "-C", str(_TREE), "log", "-1", "--format=%ct").strip()
    os.environ["SOURCE_DATE_EPOCH"] = epoch
    with tempfile.TemporaryDirectory(prefix="deb") as folder:
        wheels, own, stage = (Path(folder) / name for name in ("wheels", "own", "stage"))
        _say("fetching what the lock names")
        _fetch(architecture, wheels)
        _say("building our own wheel")
        _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(own), cwd=_TREE)
        _say("laying it out")
        for wheel in sorted([*wheels.glob("*.whl"), *own.glob("*.whl")], key=lambda one: one.name):
            _unpack(wheel, stage)
        _lay_out(stage)
        _say("compiling")
        _compile(stage)
        _document(stage)
        _describe(stage, architecture)
        _settle(stage, int(epoch))
        to.mkdir(parents=True, exist_ok=True)
        package = to / f"pozo_{VERSION}_{architecture.debian}.deb"
        _say("packing")
        packed = ("--root-owner-group", "--threads-max=1", "-Zxz", "-z6", "--build", str(stage), str(package))
        _run("dpkg-deb", *packed)
    return package


def _fetch(architecture: Architecture, wheels: Path) -> None:
    """Each file by its hash."""
    platforms = [f"manylinux_2_{minor}_{architecture.wheels}" for minor in (34, 28, 26, 17)]
    platforms.append(f"manylinux2014_{architecture.wheels}")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download", "--no-deps"]
    command += ["--require-hashes", "--only-binary", ":all:", "--implementation", "cp", "--python-version", _PYTHON]
    command += [word for platform in platforms for word in ("--platform", platform)]
    done = subprocess.run([*command, "-d", str(wheels), "-r", str(_LOCK)], capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
        raise DebRefused(f"no package for {architecture.debian}: {said[0] if said else done.stderr}")


def _unpack(wheel: Path, stage: Path) -> None:
    """A wheel as pip would put it there, without the commands that other packages bring."""
    with ZipFile(wheel) as archive:
        for name in archive.namelist():
            target = _place(name)
            if target is not None and not name.endswith("/"):
                path = stage / target
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))


def _place(name: str) -> Path | None:
    """Where a file of a wheel belongs; `None`: nowhere."""
    top, _, rest = name.partition("/")
    if not top.endswith(".data"):
        return _SITE / name
    kind, _, inside = rest.partition("/")
    return _DATA[kind] / inside if kind in _DATA else None


def _lay_out(stage: Path) -> None:
    """What makes it a virtual environment, and `pozo` on the PATH."""
    home = stage / _HOME
    (home / "bin").mkdir()
    (home / "bin/python3").symlink_to(f"/usr/bin/python{_PYTHON}")
    (home / "pyvenv.cfg").write_text(f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {_PYTHON}\n")
    (home / "bin/pozo").write_text(_STARTS)
    (stage / "usr/bin").mkdir(parents=True)
    (stage / "usr/bin/pozo").symlink_to(f"/{_HOME}/bin/pozo")
    assert _started_as() == "controller.cli.main:main", "the command is what pyproject.toml says it is"


def _started_as() -> str:
    settings = tomllib.loads((_TREE / "pyproject.toml").read_text())
    return str(settings["project"]["scripts"]["pozo"])


def _compile(stage: Path) -> None:
    """Nobody who runs it may write there, so it is compiled here. A source that was changed is not run from what was
    compiled before: its hash is compared each time."""
    interpreter = shutil.which(f"python{_PYTHON}") or sys.executable
    environment = {"PATH": os.environ["PATH"], "PYTHONHASHSEED": "0"}
    command = [interpreter, "-I", "-m", "compileall", "-q", "-j", "1", "--invalidation-mode", "checked-hash"]
    _run(*command, "-s", str(stage), "-p", "/", str(stage / _SITE), env=environment)


def _document(stage: Path) -> None:
    """The manual page, completions, the licence and the changes."""
    documents = stage / "usr/share/doc/pozo"
    documents.mkdir(parents=True)
    shutil.copy(_TREE / "LICENSE", documents / "copyright")
    shutil.copy(_TREE / "CHANGELOG.md", documents / "CHANGELOG.md")
    shutil.copytree(_TREE / "docs/operators", documents / "operators")
    page = stage / "usr/share/man/man1/pozo.1"
    page.parent.mkdir(parents=True)
    page.write_text(manual(), encoding="utf-8")
    for shell, place in (("bash", "bash-completion/completions/pozo"), ("zsh", "zsh/vendor-completions/_pozo")):
        completion = stage / "usr/share" / place
        completion.parent.mkdir(parents=True)
        environment = {**os.environ, "_POZO_COMPLETE": f"{shell}_source"}
        completion.write_text(_run(str(Path(sys.executable).parent / "pozo"), env=environment), encoding="utf-8")


def _describe(stage: Path, architecture: Architecture) -> None:
    control = stage / "DEBIAN"
    control.mkdir()
    files = list(_files(stage))
    size = sum(path.stat().st_size for path in files) // 1024
    text = _CONTROL.format(version=VERSION, debian=architecture.debian, python=_PYTHON, libc=_LIBC, size=size)
    (control / "control").write_text(text)
    sums = (f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(stage)}\n" for path in files)  # noqa: S324  dpkg's own kind
    (control / "md5sums").write_text("".join(sums))
    for script in _SCRIPTS:
        shutil.copy(_HERE / script, control / script)


def _files(stage: Path) -> Iterator[Path]:
    """In an order that no disk decides."""
    inside = (path for path in stage.rglob("*") if path.is_file() and not path.is_symlink())
    return iter(sorted(path for path in inside if stage / "DEBIAN" not in path.parents))


def _settle(stage: Path, epoch: int) -> None:
    """One time and one mode for everything: who builds it leaves no trace."""
    runs = {stage / _HOME / "bin/pozo", *(stage / "DEBIAN" / script for script in _SCRIPTS)}
    for path in (stage, *stage.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path in runs else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    if done.returncode:
        raise DebRefused(f"{' '.join(command[:4])}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def _say(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="deb.py", description="Build the Debian package of this commit.")
    parser.add_argument("to", type=Path, help="the folder in which it shall stand")
    parser.add_argument("--arch", choices=sorted(ARCHITECTURES), default="amd64")
    asked = parser.parse_args(words)
    architecture = ARCHITECTURES[asked.arch]
    try:
        package = build(architecture, asked.to)
    except DebRefused as refused:
        sys.exit(f"deb: {refused}")
    print(
        f"{package}: {package.stat().st_size / 1e6:.1f} MB, sha256 {hashlib.sha256(package.read_bytes()).hexdigest()}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
