"""Whether a program is nobody's to change but root's and its owner's: what a service runs, it believes (R-36).

Theory. Who can write a program, the folder it lies in, one that this lies in, a link on the way, its interpreter or a
library behind it, is whoever he likes in every node that runs it. So every step of the way there is looked at, from the
root of the file system on, and every file of what Python loads. A folder with the sticky bit may be everybody's, where
what lies in it is not: nobody else can put something else there. An access list shows in the group's bits.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

_INTERPRETER = re.compile(rb"""#!\s*(\S+)(?:[^\n]*\n'''exec' "?([^\s"]+))?""")
_MOST_LINKS = 40


def changeable_by_others(program: Path) -> Iterator[str]:
    """The places that somebody else could write, each in a Spanish half-sentence; root and the program's owner may."""
    allowed = {0, program.stat().st_uid}
    looked: set[Path] = set()
    for way in (program, *_behind(program)):
        for step in _steps(way):
            if step not in looked:
                looked.add(step)
                yield from _said(step, allowed)
    for library in _libraries(program):
        for folder, folders, files in os.walk(library):
            for name in (*folders, *files):
                yield from _said(Path(folder, name), allowed)


def _said(step: Path, allowed: set[int]) -> Iterator[str]:
    try:
        seen = step.lstat()
    except OSError:
        return  # what is not there is said by who runs it
    if seen.st_uid not in allowed:
        yield f"{step}: es del usuario {seen.st_uid}"
    elif stat.S_ISLNK(seen.st_mode) or (stat.S_ISDIR(seen.st_mode) and seen.st_mode & stat.S_ISVTX):
        return
    elif seen.st_mode & stat.S_IWOTH:
        yield f"{step}: cualquiera puede escribir ahí"
    elif seen.st_mode & stat.S_IWGRP and seen.st_gid:
        yield f"{step}: el grupo {seen.st_gid} puede escribir ahí"


def _steps(way: Path) -> Iterator[Path]:
    """Every folder and link from the root of the file system to where the way ends."""
    path, links = Path.cwd() / way, 0
    while links <= _MOST_LINKS:
        for step in (*reversed(path.parents), path):
            yield step
            if step.is_symlink():
                links += 1
                path = Path(os.path.normpath(step.parent / step.readlink() / path.relative_to(step)))
                break
        else:
            return


def _behind(program: Path) -> Iterator[Path]:
    """The interpreter that its first line names; where that line would be too long, the one that a shell is told."""
    with program.open("rb") as file:
        named = _INTERPRETER.match(file.read(1024))
    if named is not None:
        yield Path(os.fsdecode(named[2] or named[1]))


def _libraries(program: Path) -> Iterator[Path]:
    """What Python loads: of the environment of that interpreter, of the Python below it, and where these point to."""
    for interpreter in _behind(program):
        if not interpreter.name.startswith("python"):
            continue
        for python in {interpreter, interpreter.resolve()}:
            for library in sorted(python.parent.parent.glob("lib/python3*")):
                yield library
                for listed in library.glob("site-packages/*.pth"):
                    lines = listed.read_text(errors="replace").splitlines()
                    yield from (Path(line) for line in lines if line.startswith("/") and Path(line).is_dir())
