"""A small file that only its owner reads, and that is there, whole, whatever power cut comes.

Theory. Written aside, synced, given its name, and the name synced too. Whoever reads it finds the old content or the
new one, never half of it. What stands in it is not known here.
"""

from pathlib import Path

from controller.node.vocabulary.disk import sync, written_aside


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
