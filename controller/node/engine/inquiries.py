"""Inquiries: what a request needs of a record of years is read beside the engine, in a thread of its own (R-34, R-35).

Theory. Play never waits for a correction. The thread has a reader of its own, reads one inquiry after the other, rests
as long as it worked, and says how far it is; a finished one comes back as an item of the inbox, and the engine asks the
core then, with whatever was committed since. The short ones, of the pass just played, are a few facts and feel like
nothing. A reader that fails costs its requests their answer and nobody else anything; a defect is the engine's to
raise, so that it is counted and ends the process like any other.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from controller.core.past.inquiry import Inquiry
from controller.core.past.search import Search
from controller.node.book.history import inquire
from controller.node.store.store import Reader
from controller.node.vocabulary.inbox import InquiryRead
from controller.node.vocabulary.protocol import InquiryNow
from controller.record.record import FactRow
from drivers.punctual import micros
from drivers.session import MILLISECOND, SECOND, Micros

MOST_WAITING = 8
"""Corrections are rare and made by people; who asks for more at once asks again."""

_WHOLE = 100
_WORKS: Micros = 2 * MILLISECOND
"""So long it reads at a stretch, and rests as long: the engine shares the interpreter with it."""


class InquiryEnded(Exception):  # noqa: N818  says what happened
    """The node stops: nobody waits for this any more."""


@dataclass
class _Reading:
    id: str
    table: str
    inquiry: Inquiry
    percent: int = 0


class Inquiries:
    """`begin` and `now` are the engine's; `put` brings what was read back to it."""

    def __init__(self, reader: Callable[[], Reader], put: Callable[[InquiryRead], object]) -> None:
        self._reader, self._put = reader, put
        self._thread = ThreadPoolExecutor(1, "inquiries")
        self._under_way: dict[str, _Reading] = {}
        self._ending = threading.Event()
        self._rest_at: Micros = 0

    def begin(self, id_: str, table: str, inquiry: Inquiry) -> bool:
        """`False`: too many wait already."""
        if len(self._under_way) >= MOST_WAITING:
            return False
        assert id_ not in self._under_way, "a request is read for once"
        self._under_way[id_] = one = _Reading(id_, table, inquiry)
        self._thread.submit(self._read, one).add_done_callback(lambda read: self._put(InquiryRead(id_, read)))
        return True

    def over(self, id_: str) -> None:
        """The engine has it again."""
        del self._under_way[id_]

    def now(self) -> tuple[InquiryNow, ...]:
        """How far each is, for screens."""
        return tuple(InquiryNow(one.id, one.table, one.percent) for one in self._under_way.values())

    def stop(self) -> None:
        self._ending.set()
        self._thread.shutdown(cancel_futures=True)

    def _read(self, one: _Reading) -> Inquiry:
        with self._reader() as reader:
            head = reader.head()
            assert head is not None, "a record begins with its founding"
            self._rest_at = micros() + _WORKS
            inquire(one.inquiry, reader, lambda search, row: self._look(one, head.seq, search, row))
        return one.inquiry

    def _look(self, one: _Reading, last: int, search: Search, row: FactRow) -> None:
        """After each fact: how far it is, whether it is still wanted, whether the engine has had its share."""
        if search.forwards:
            one.percent = max(
                one.percent, min(_WHOLE - 1, _WHOLE * (row.seq - search.start) // max(1, last - search.start))
            )
        now = micros()
        if now >= self._rest_at:
            if self._ending.wait(_WORKS / SECOND):
                raise InquiryEnded("El nodo se detiene.")
            self._rest_at = micros() + _WORKS
