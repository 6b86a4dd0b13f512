"""PINs that lie otherwise from now on: those of an earlier program under the pepper; and new ones, where PINs are lost.

Theory. A verifier of an earlier program is sealed as it is, at the first start; nobody has to type anything. Where the
pepper or the PINs of those who could enrol are lost, no signature proves anybody; then two persons, one of them an
administrator and both such as may enrol others, make new PINs for themselves beside the node that stands still. What
vouches for them is the node's key, whose file only the node's user can read: it signs for these PINs, at this node, in
this epoch, at this instant. That stands on record; everybody else they enrol anew, as always.
"""

from collections.abc import Mapping
from typing import NamedTuple

from controller.core.facts import Refused
from controller.core.inputs import ReplacePins, SealVerifiers
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.pins import Pepper, secret_of, stored_before, verifier_of
from controller.node.store.failure import StoreRefused
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.protocol import Pin


class NewPins(NamedTuple):
    """Of whom, why, and when."""

    pins: tuple[Pin, Pin]
    reason: str
    at: Millis


def seal_verifiers(book: Book, pepper: Pepper) -> bool:
    """Whether there were any of an earlier program."""
    verifiers = {
        row.id: pepper.seal(row.id, stored)
        for row in book.store.people()
        if row.id in book.state.people and (stored := stored_before(row.verifier)) is not None
    }
    if not verifiers:
        return False
    source = OutcomeKey(f"{book.state.node}/pepper", book.state.epoch, 1)
    book.take([Asked(source, book.state.clock, SealVerifiers(_secrets(verifiers)), verifiers=verifiers)])
    book.checkpoint()
    return True


def replace_pins(book: Book, key: Key, pepper: Pepper, new: NewPins) -> None:
    """Or StoreRefused, in the core's own words."""
    verifiers = {person: verifier_of(pin, person, pepper) for person, pin in new.pins}
    secrets = _secrets(verifiers)
    asked = ReplacePins(secrets, new.reason, key.vouch_for_pins(_text(book, secrets, new)))
    source = OutcomeKey(f"{book.state.node}/pins", book.state.epoch, new.at)
    fact = book.take([Asked(source, new.at, asked, verifiers=verifiers)])[0].facts[-1]
    if isinstance(fact, Refused):
        raise StoreRefused("PIN nuevos", fact.message)
    book.checkpoint()


def _text(book: Book, secrets: Mapping[str, str], new: NewPins) -> bytes:
    """What the key signs: node, epoch, instant, a line for each person, the reason (docs/record.md)."""
    lines = "".join(f"{person} {secret}\n" for person, secret in secrets.items())
    return f"{book.state.node}\n{book.state.epoch}\n{new.at}\n{lines}{new.reason}".encode()


def _secrets(verifiers: Mapping[str, str]) -> dict[str, str]:
    return {person: secret_of(verifier) for person, verifier in verifiers.items()}
