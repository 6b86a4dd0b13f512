"""A node that comes back from a backup: under a new epoch, by two persons (design.md, People).

Theory. A backup is a record that stopped earlier. Since then the node may have made promises that it now does not know;
so it never goes on under its old epoch, and two different persons sign for it with their PINs. The restored store is
made beside, complete, and only then has its name: a restore that is refused leaves nothing behind.
"""

import secrets
from contextlib import ExitStack, closing
from pathlib import Path

from controller.core.facts import Refused
from controller.core.inputs import RestoreNode
from controller.core.values import Signature
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.pins import is_right, pepper_for
from controller.node.store.backup import back_up, remove
from controller.node.store.failure import StoreRefused
from controller.node.store.rows import OutcomeKey
from controller.node.store.versions import migrate_copy
from controller.node.vocabulary.protocol import Pin

_STEPS = 2**22
"""An epoch is up to so many above the newest one that is known: the same backup restored on two machines in one second
is two epochs; and a node can be restored a thousand times before its epochs are used up."""


def restore(backup: Path, to: Path, key: Key, pepper: Path, signers: tuple[Pin, Pin], reason: str, at: int) -> int:
    """The epoch of the restored node; or StoreRefused with the reason, and no store at `to`."""
    if to.exists():
        raise StoreRefused(str(to), "ya existe; una restauración nunca escribe sobre otro registro")
    with ExitStack() as undo:
        undo.callback(remove, to)
        back_up(backup, to)
        migrate_copy(to)  # a backup of years ago is of an earlier version; it stays as it is
        epoch = _come_back(to, key, pepper, signers, reason, at)
        undo.pop_all()
    return epoch


def _new_epoch(newest: int) -> int:
    return newest + 1 + secrets.randbelow(_STEPS)


def _come_back(to: Path, key: Key, pepper_file: Path, signers: tuple[Pin, Pin], reason: str, at: int) -> int:
    with closing(Book.open(to, key)) as book:
        verifiers = {person.id: person.verifier for person in book.store.people()}
        pepper = pepper_for(pepper_file, verifiers.values())
        by, second = (Signature(one.person, is_right(verifiers.get(one.person, ""), *one, pepper)) for one in signers)
        epoch = _new_epoch(book.state.epoch)
        asked = RestoreNode(epoch, reason, by, second)
        fact = book.take([Asked(OutcomeKey(f"{book.state.node}/restore", epoch, at), at, asked)])[0].facts[-1]
        if isinstance(fact, Refused):
            raise StoreRefused(str(to), fact.message)
        assert book.state.epoch == epoch, "a new epoch"
        book.checkpoint()
        return epoch
