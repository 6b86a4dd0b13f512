"""A small file that only its owner reads, and that is there, whole, whatever power cut comes.

Theory. Written aside, synced, given its name, and the name synced too. Whoever reads it finds the old content or the
new one, never half of it. What stands in it is not known here.
"""

import os
import tempfile
from pathlib import Path


def keep(path: Path, content: bytes) -> None:
    """`content` under that name, in the place of whatever was there."""
    handle, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # O_EXCL, mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)  # noqa: PTH105  a string stands for a name that is gone afterwards
    except OSError:
        Path(aside).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def private_folder(path: Path) -> Path:
    """A folder of our own, made if it is not there, and its name on the disk: what lies in it is lost with it."""
    new = [one for one in path.parents if not one.exists()]
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for one in (path, *new):
        sync_folder(one.parent)
    return path


def sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
