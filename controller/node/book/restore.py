"""A node that comes back from a backup: under a new epoch, by two persons (design.md, People).

Theory. A backup is a record that stopped earlier. Since then the node may have made promises that it now does not
know; so it never goes on under its old epoch, and two different persons sign for it with their PINs. What heads
outside of it know more (heads.py) stands in the fact that they sign: how far the record is known to have gone. The
restored store is made beside, complete, and only then has its name: a restore that is refused, or cut short by
whatever, leaves no record. So wrong PINs are counted beside the key (tries.py). Where PINs or pepper are lost, the same
two make new ones first (new_pins.py).
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from controller.core.facts import Entry, NodeRestored, Refused
from controller.core.inputs import RestoreNode
from controller.core.values import HeadLeft, Signature
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.heads import add_newest, end_of, own_place, place_in, read_heads, what_is_left
from controller.node.book.new_pins import NewPins, replace_pins, seal_verifiers
from controller.node.book.pins import Pepper, pepper_for
from controller.node.book.tries import tried, tries_of
from controller.node.store.backup import back_up, give_name, refuse_taken, remove
from controller.node.store.failure import StoreRefused
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.store.versions import migrate_copy
from controller.node.vocabulary.protocol import Pin

_read_entry = msgspec.json.Decoder(Entry)
_BESIDE = ".restoring"
_STEPS = 2**22
"""An epoch is up to so many above the newest one that is known: the same backup restored on two machines in one second
is two epochs; and a node can be restored a thousand times before its epochs are used up."""


class KnownOutside(NamedTuple):
    """What places outside of a backup know of its node: the newest epoch, and what the backup does not have."""

    epoch: int
    left: HeadLeft | None


def known_of(backup: Path, to: Path, key: Key, places: Sequence[Path] = ()) -> KnownOutside:
    """By the heads beside the record that is to be, and in these folders; OSError where one of them cannot be read."""
    with Reader.open(backup) as reader:
        files = [own_place(to), *(place_in(folder, reader.node) for folder in places)]
        heads = [head for file in files for head in read_heads(file, reader.node, key.public).heads]
        end = end_of(reader, tuple(_left_before(reader)))
        return KnownOutside(max([end.epoch, *(head.checkpoint.epoch for head in heads)]), what_is_left(end, heads))


def _left_before(reader: Reader) -> Iterator[HeadLeft]:
    """What earlier restores said; every fact is looked at, as the restore itself does."""
    for row in reader.facts():
        if row.kind == "node_restored":
            fact = _read_entry.decode(row.body).fact
            if isinstance(fact, NodeRestored) and fact.left is not None:
                yield fact.left


class Restoring(NamedTuple):
    """From where, to where, with which secrets, by whom and when; `new_pins`: what the two type are their PINs from now
    on, because they cannot prove the ones they had."""

    backup: Path
    to: Path
    key: Key
    pepper: Path
    signers: tuple[Pin, Pin]
    reason: str
    at: int
    places: Sequence[Path] = ()
    new_pins: bool = False


def restore(how: Restoring) -> int:
    """The epoch of the restored node; or StoreRefused with the reason, and no store at `to`."""
    if how.to.exists():
        raise StoreRefused(str(how.to), "ya existe; una restauración nunca escribe sobre otro registro")
    known = known_of(how.backup, how.to, how.key, how.places)

    def copy(beside: Path) -> None:
        back_up(how.backup, beside)
        migrate_copy(beside)  # a backup of years ago is of an earlier version; it stays as it is

    return _beside(how, copy, lambda _: known)


def restore_remade(how: Restoring, remake: Callable[[Path], None]) -> int:
    """The same where the record is made anew out of something else than a copy."""
    return _beside(how, remake, lambda made: known_of(made, how.to, how.key, how.places))


def _beside(how: Restoring, make: Callable[[Path], None], known: Callable[[Path], KnownOutside]) -> int:
    """Whatever interrupts it, only a record that two persons signed for ever has the name that a node opens."""
    refuse_taken(how.to)
    beside = how.to.with_name(how.to.name + _BESIDE)
    remove(beside)  # of one that was interrupted
    with ExitStack() as undo:
        undo.callback(remove, beside)
        make(beside)
        with closing(Book.open(beside, how.key)) as book:
            _come_back(how, book, known(beside))
        give_name(beside, how.to)
    with Reader.open(how.to) as record:
        add_newest(record, own_place(how.to), how.key.public)
        return record.epoch


def _new_epoch(newest: int) -> int:
    return newest + 1 + secrets.randbelow(_STEPS)


def _come_back(how: Restoring, book: Book, known: KnownOutside) -> None:
    right = _with_new_pins(how, book) if how.new_pins else _proven(how, book)
    by, second = (Signature(one.person, proven) for one, proven in zip(how.signers, right, strict=True))
    epoch = _new_epoch(known.epoch)
    asked = RestoreNode(epoch, how.reason, by, second, known.left)
    source = OutcomeKey(f"{book.state.node}/restore", epoch, how.at)
    fact = book.take([Asked(source, how.at, asked)])[0].facts[-1]
    if isinstance(fact, Refused):
        raise StoreRefused(str(how.to), fact.message)
    assert book.state.epoch == epoch, "a new epoch"
    book.checkpoint()


def _proven(how: Restoring, book: Book) -> tuple[bool, bool]:
    verifiers = {person.id: person.verifier for person in book.store.people()}
    pepper = pepper_for(how.pepper, verifiers.values())
    seal_verifiers(book, pepper)
    return tried(tries_of(how.pepper), how.signers, verifiers, pepper, how.at)


def _with_new_pins(how: Restoring, book: Book) -> tuple[bool, bool]:
    pepper = Pepper.load_or_make(how.pepper)
    seal_verifiers(book, pepper)
    replace_pins(book, how.key, pepper, NewPins(how.signers, how.reason, how.at))
    return True, True
