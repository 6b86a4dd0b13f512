"""The Debian package of this tree, built once for all tests that look into it."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from support.places import ROOT


class Entry(NamedTuple):
    """A line of `dpkg-deb --contents`."""

    mode: str
    owner: str


class Package(NamedTuple):
    """The file, and what is in it, laid out in a folder."""

    file: Path
    tree: Path
    control: Path

    @property
    def bin(self) -> Path:
        return self.tree / "opt/pozo/bin"

    @property
    def pozo(self) -> Sequence[str]:
        """Run where it lies, which is not where it belongs."""
        return str(self.bin / "python3"), "-I", str(self.bin / "pozo")


def builder() -> bool:
    return shutil.which("dpkg-deb") is not None and Path("/usr/bin/python3.11").exists()


def built(tree: Path, to: Path) -> Path:
    command = [sys.executable, str(tree / "config/release/deb.py"), str(to)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.partition(": ")[0])


def laid_out(place: Path) -> Package:
    package = Package(built(ROOT, place / "deb"), place / "tree", place / "control")
    subprocess.run(["dpkg-deb", "--extract", package.file, package.tree], check=True)
    subprocess.run(["dpkg-deb", "--control", package.file, package.control], check=True)
    (package.bin / "pozo").write_text(
        (package.bin / "pozo").read_text().replace("#!/opt/pozo/bin/python3", f"#!{package.bin / 'python3'}")
    )
    return package


def contents(file: Path) -> list[Entry]:
    listed = subprocess.run(["dpkg-deb", "--contents", file], capture_output=True, text=True, check=True).stdout
    return [Entry(*line.split()[:2]) for line in listed.splitlines()]
