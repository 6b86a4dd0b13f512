"""Lives of a node without its process: its record is opened as the daemon opens it, with its heads, and goes on for a while."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from structlog.testing import CapturingLogger

from controller.core.inputs import OpenPass
from controller.core.view import Alarm
from controller.node.book.book import Asked, Book, open_book
from controller.node.service.head_places import LATE_AFTER, HeadPlaces
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.clock import Clock, of_this_machine
from controller.node.vocabulary.places import Node


def node_of(folder: Path, places: Sequence[Path] = ()) -> Node:
    return Node(
        name="central", file=folder / "node.toml", folder=folder, control=folder / "control",
        lines=(), tables=(), units=(), signs=(), plans=(), head_places=tuple(places),
    )  # fmt: skip


class Life:
    """One of them: `alarms` is what it would show `later` than now, in microseconds."""

    def __init__(self, book: Book, heads: HeadPlaces, clock: Clock, journal: CapturingLogger) -> None:
        self._source = secrets.token_hex(8)  # another life says other things
        self.book, self.heads, self._clock, self._journal = book, heads, clock, journal

    def plays(self, facts: int = 5) -> None:
        """So many facts, whatever they say: here nobody opened a day."""
        first = self.book.seq + 1
        for number in range(first, first + facts):
            source = OutcomeKey(self._source, self.book.state.epoch, number)
            self.book.take([Asked(source, self.book.state.clock, OpenPass("DP-01", None))])
        self.book.checkpoint()

    def alarms(self, later: int = 0) -> list[str]:
        own = self.heads._places[0]
        while own.waits_since is not None:  # the disk of the record is well; only what other places do is seen later
            own.join(0.01)
        raised: dict[str, Alarm | None] = {}
        self.heads.look(self._clock.now() + later, raised.__setitem__)
        return [alarm.sentence for alarm in raised.values() if alarm is not None]

    @property
    def journal(self) -> list[str]:
        return [str(call.args[0]) for call in self._journal.calls]


TOO_LATE = LATE_AFTER


@contextmanager
def life(folder: Path, places: Sequence[Path] = ()) -> Iterator[Life]:
    """Refused, or to its end in order: every place has had a moment to take the last head."""
    clock, journal = of_this_machine(), CapturingLogger()
    heads = HeadPlaces(node_of(folder, places), clock, journal)
    try:
        book = open_book(node_of(folder, places), heads.prove)
        book.sealed = heads.keep
        try:
            heads.keep_newest(book)
            yield Life(book, heads, clock, journal)
            book.checkpoint()
        finally:
            book.close()
    finally:
        heads.stop()
