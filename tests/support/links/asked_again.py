"""The record that a book makes of what a floor of the core was asked: so that the second hand can verify it.

The floor itself keeps facts and no rows. A book that is asked the same at the same instants answers the same, and writes
the record.
"""

from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.state import State
from controller.node.book.book import Asked, Book
from controller.node.book.chain import GENESIS
from controller.node.store.rows import OutcomeKey
from support.core.linked_floors import LinkedFloor
from support.links.kept import Kept, as_store
from support.record.verify_history import key_of

_VERIFIER = "un verificador"  # of every person of a floor


def record_of(floor: LinkedFloor) -> Kept:
    kept, key = Kept(floor.node), key_of(floor.node)
    book = Book(as_store(kept), key, State(), 0, GENESIS, {})
    for number, (now, asked) in enumerate(floor.asked, 1):
        if isinstance(asked, ask.FoundNode):
            asked = replace(asked, key=key.public)  # noqa: PLW2901  the book's own
        verifier = _VERIFIER if isinstance(asked, ask.EnrolPerson) else ""
        book.take([Asked(OutcomeKey(floor.node, 0, number), now, asked, verifier)])
    assert book.state == floor.state, "the book answers as the core does"
    return kept
