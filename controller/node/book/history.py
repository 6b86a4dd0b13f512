"""What a request needs of the record, read for the core: its searches made, and whatever came since (R-34, R-35).

Theory. The state is small because it forgets what is settled; a correction needs what its pot has seen since a pass of
last year. The core says what it wants to know next and is told fact by fact; here the record is read for it, by who
has a store: the engine's reader beside the play, or the book itself where the answer cannot wait. Nothing is judged.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from controller.core.facts import Entry
from controller.core.past.inquiry import Inquiry
from controller.core.past.search import Search
from controller.node.store.reads import Reads
from controller.record.record import FactRow

_read_entry = msgspec.json.Decoder(Entry)

Look = Callable[[Search, FactRow], None]
"""Hears each fact that is read, and for which search: who shows how far it is, or ends it by an exception."""


class Behind:
    """The record as it will be: what is committed, and behind it what this commit has so far."""

    def __init__(self, reads: Reads, pending: Sequence[FactRow]) -> None:
        self._reads, self._pending = reads, pending

    def facts(self, first: int) -> Iterator[FactRow]:
        yield from self._reads.facts(first)
        yield from (row for row in self._pending if row.seq >= first)

    def facts_since(self, first: int, kinds: Collection[str]) -> Iterator[FactRow]:
        yield from self._reads.facts_since(first, kinds)
        yield from (row for row in self._pending if row.seq >= first and row.kind in kinds)

    def facts_back(self, last: int, kinds: Collection[str]) -> Iterator[FactRow]:
        yield from (row for row in reversed(self._pending) if row.seq <= last and row.kind in kinds)
        yield from self._reads.facts_back(last, kinds)


def _nobody(_search: Search, _row: FactRow) -> None:
    pass


def inquire(inquiry: Inquiry, reads: Reads | Behind, look: Look = _nobody) -> None:
    """Everything that it wants to know, as the record has it now."""
    while (search := inquiry.query()) is not None:
        _answer(inquiry, search, reads, look)
    catch_up(inquiry, reads)


def _answer(inquiry: Inquiry, search: Search, reads: Reads | Behind, look: Look) -> None:
    read = reads.facts_since if search.forwards else reads.facts_back
    for row in read(search.start, search.kinds):
        look(search, row)
        if inquiry.take(_read_entry.decode(row.body)):
            return
    inquiry.done()


def catch_up(inquiry: Inquiry, reads: Reads | Behind) -> None:
    """What was committed since it read last."""
    for row in reads.facts(inquiry.seq + 1):
        tell(inquiry, row)


def tell(inquiry: Inquiry, row: FactRow) -> None:
    """One fact more, committed or about to be."""
    inquiry.follow(_read_entry.decode(row.body))
