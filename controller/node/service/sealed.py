"""What this node seals for whoever makes it anew, and what its mirrors need besides (book/escrow.py, link/mirrors.py).

Theory. Read from the disk each time it is asked for, in the mirrors' own thread: what is sealed is what a restore would
miss now, and where that is the same as before, so is the sealed text. Where no codes were made nothing is sealed, and
the mirrors say so as an alarm.
"""

from collections.abc import Callable
from contextlib import closing

from controller.node.book.book import key_of, pepper_of
from controller.node.book.chain import Key
from controller.node.book.escrow import Escrow, gather, read_public, seal
from controller.node.link.links import Mirrored
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.places import Node


def mirrored(node: Node, clock: Clock, read: Callable[[], Reader]) -> Mirrored:
    """Of the node that runs."""
    return Mirrored(Key.load_or_make(key_of(node.folder)), clock, Sealer(node, read))


class Sealer:
    """OSError or KeyRefused where a secret cannot be read."""

    def __init__(self, node: Node, read: Callable[[], Reader]) -> None:
        self._node, self._read = node, read
        self._last: tuple[bytes, Escrow, bytes] | None = None

    def __call__(self) -> bytes | None:
        node = self._node
        public = read_public(node.folder)
        if public is None:
            return None
        with closing(self._read()) as record:
            verifiers = {row.id: row.verifier for row in record.people()}
        secrets = gather(node.name, key_of(node.folder), pepper_of(node.folder), verifiers, node.folder / "seeds")
        if self._last is None or self._last[:2] != (public, secrets):
            self._last = public, secrets, seal(public, secrets)
        return self._last[2]
