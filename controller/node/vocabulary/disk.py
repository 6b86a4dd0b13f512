"""What is on the disk when the call returns, whatever power cut comes next.

Theory. The system keeps a file's content and its name apart, and syncs neither by itself: a content is synced before it
gets its name, a name by syncing the folder that it stands in. What is kept, and for whom, is not known here.
"""

import os
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
    """The content on the disk beside `path`, where only its owner reads it. Whoever asked names it or removes it."""
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
