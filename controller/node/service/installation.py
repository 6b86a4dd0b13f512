"""What one installation of a node keeps beside its record: that it is alone, its nonce, how its last starts ended.

Theory. A folder belongs to one running node: the system's lock on it ends with the process, however it ends. The nonce
tells devices that the same host is back (devices.md 2.6). Starts that died of a broken assertion are counted until one
of them has played for a while; after the third in a row the node goes out of service until a technician says otherwise,
because a machine that only restarts is of no help.
"""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.node.vocabulary.disk import keep
from drivers.session import SECOND, Micros

MOST_CRASHES = 3
WELL_AFTER: Micros = 300 * SECOND
"""A start that has lasted so long was a good one."""

_NONCE_BYTES = 4
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class FolderRefused(Exception):  # noqa: N818  says what happened
    """The node's folder cannot be used; `again`: perhaps later."""

    def __init__(self, folder: Path, sentence: str, *, again: bool = False) -> None:
        super().__init__(f"{folder}: {sentence}")
        self.again = again


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """This process is the only node of that folder while the context lasts."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise FolderRefused(folder, f"la carpeta del nodo no se puede abrir: {error.strerror}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sentence = "otro nodo ya trabaja con este registro; sólo puede haber uno"
            raise FolderRefused(folder, sentence, again=True) from None
        yield
    finally:
        os.close(handle)


def nonce_of(folder: Path) -> int:
    """The number by which devices know this installation; made once."""
    place = folder / "nonce"
    try:
        kept = place.read_bytes() if place.exists() else b""
        if len(kept) != _NONCE_BYTES:
            kept = secrets.token_bytes(_NONCE_BYTES)
            keep(place, kept)
    except OSError as error:
        raise FolderRefused(folder, f"no se puede leer o escribir aquí: {error.strerror}") from None
    return int.from_bytes(kept, "big")


def boot_of_the_machine() -> str:
    """Which start of the machine this is: two starts of a node under one are two starts of the program alone."""
    return _BOOT.read_text(encoding="ascii").strip()


class Crashes:
    """How many starts in a row died of a broken assertion, and of which."""

    def __init__(self, folder: Path) -> None:
        self._place = folder / "deaths"  # the name of the file since the first version

    @property
    def reasons(self) -> list[str]:
        return self._place.read_text(encoding="utf-8").splitlines() if self._place.exists() else []

    @property
    def out_of_service(self) -> bool:
        return len(self.reasons) >= MOST_CRASHES

    def count(self, why: str) -> None:
        line = " ".join(why.split())[:500]
        keep(self._place, "".join(f"{reason}\n" for reason in [*self.reasons, line]).encode())

    def forget(self) -> None:
        """It has played well, or a technician has looked."""
        self._place.unlink(missing_ok=True)
