"""What is on the disk when the call returns, whatever power cut comes next.

Theory. The system keeps a file's content and its name apart, and syncs neither by itself: a content is synced before it
gets its name, a name by syncing the folder that it stands in. A reader of a file that is kept so finds the old content
or the new one, never half of it. This file does not know what the contents mean.
"""

import os
import stat
import tempfile
from pathlib import Path


def sync(path: Path) -> None:
    """A file's content, or a folder's names, on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def written_aside(path: Path, content: bytes) -> Path:
    """The content on the disk beside `path`, where only its owner reads it. The caller names it or removes it."""
    handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # O_EXCL, mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        Path(aside).unlink(missing_ok=True)
        raise
    return Path(aside)


def keep(path: Path, content: bytes) -> None:
    """`content` under that name, in the place of whatever was there."""
    aside = written_aside(path, content)
    try:
        aside.replace(path)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    sync(path.parent)


def private_folder(path: Path) -> Path:
    """A folder of our own, made if it is not there, and its name on the disk: what lies in it is lost with it."""
    new = [one for one in path.parents if not one.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for one in (path, *new):
        sync(one.parent)
    return path


def open_to_others(folder: Path) -> str:
    """Why somebody else could put a file into this folder, or another folder in its place; "" where nobody can. A
    folder like /tmp, in which everybody moves only what is his own, is no danger to what stands in it."""
    for one in (folder, *folder.parents):
        found = one.stat()
        theirs = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if theirs and (one == folder or not found.st_mode & stat.S_ISVTX):
            return f"otros usuarios pueden escribir en {one}"
        if one == folder and found.st_uid not in {0, os.geteuid()}:
            return f"{one} es de otro usuario"
    return ""
