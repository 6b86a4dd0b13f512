"""What this node seals for whoever makes it anew, and what its mirrors need besides (book/escrow.py, link/mirrors.py).

Theory. Read from the disk each time it is asked for, in the mirrors' own thread: what is sealed is what a restore would
miss now. Where no codes were made nothing is sealed, and the mirrors say so as an alarm.
"""

from collections.abc import Callable
from contextlib import closing

from controller.node.book.book import key_of, pepper_of
from controller.node.book.chain import Key
from controller.node.book.escrow import gather, read_public, seal
from controller.node.link.links import Mirrored
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.places import Node


def mirrored(node: Node, clock: Clock, read: Callable[[], Reader]) -> Mirrored:
    """Of the node that runs."""
    return Mirrored(Key.load_or_make(key_of(node.folder)), clock, lambda: sealed(node, read))


def sealed(node: Node, read: Callable[[], Reader]) -> bytes | None:
    """OSError or KeyRefused where a secret cannot be read."""
    public = read_public(node.folder)
    if public is None:
        return None
    with closing(read()) as record:
        verifiers = {row.id: row.verifier for row in record.people()}
    secrets = gather(node.name, key_of(node.folder), pepper_of(node.folder), verifiers, node.folder / "seeds")
    return seal(public, secrets)
