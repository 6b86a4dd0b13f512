"""Previews that wait for the engine: what an act would do, told without doing it (R-20).

Theory. A preview is nobody's turn: it goes behind all that devices and persons have said and all that was committed of
it, one at a time, and after each the engine rests from previews four times as long as it took. So however many are
asked, a press waits for one at most, and previews have a fifth of the engine. Few may wait, and fewer of one person:
the others are told to ask again, which costs nothing and keeps no act out.
"""

from collections import deque
from collections.abc import Iterable

from controller.core.ahead.foresight import foresee
from controller.core.past.inquiry import inquiry_for
from controller.core.people import with_somebody
from controller.core.state import State
from controller.node.book.book import Book
from controller.node.book.history import catch_up
from controller.node.engine.reception import PendingRequest, plain_reply, preview_reply
from controller.node.vocabulary.clock import Clock, Millis
from controller.node.vocabulary.inbox import FromPerson
from controller.node.vocabulary.protocol import BUSY, Trouble
from drivers.session import Micros

MOST_WAITING = 32
MOST_OF_ONE = 4
MOST_READ_FOR = 2
"""Of those that need the record at the same time: what is to be done is read for too, by the same thread."""

_RESTS = 4


class Previews:
    """The engine's thread alone."""

    def __init__(self, book: Book, clock: Clock) -> None:
        self._book, self._clock = book, clock
        self._waiting: deque[PendingRequest] = deque()
        self._rests_until: Micros = 0

    def take_out(self, cases: Iterable[PendingRequest]) -> list[PendingRequest]:
        """Keeps those that only look; what is to be done, or answered at once, is given back."""
        rest: list[PendingRequest] = []
        for case in cases:
            if not case.looks:
                rest.append(case)
            elif self._is_full(_person(case)):
                case.person.answer(plain_reply(case.person.request, self._book.seq, BUSY))
            else:
                self._waiting.append(case)
        return rest

    def _is_full(self, person: str) -> bool:
        of_one = sum(_person(one) == person for one in self._waiting)
        return len(self._waiting) >= MOST_WAITING or of_one >= MOST_OF_ONE

    def deadline(self) -> Micros | None:
        return self._rests_until if self._waiting else None

    def turn(self, wall: Millis) -> None:
        """The one that waits longest, if it is time."""
        started = self._clock.now()
        if not self._waiting or started < self._rests_until:
            return
        self._answer(self._waiting.popleft(), wall)
        ended = self._clock.now()
        self._rests_until = ended + _RESTS * (ended - started)

    def _answer(self, case: PendingRequest, wall: Millis) -> None:
        (asked,) = case.asks
        request, seq = case.person.request, self._book.seq
        state, history = as_asked(case, self._book.state), asked.history
        if history is None and inquiry_for(state, asked.input) is not None:
            case.person.answer(plain_reply(request, seq, BUSY))  # the need arose since it was asked: the next time
            return
        if history is not None:
            catch_up(history, self._book.store)
        case.person.answer(preview_reply(request, foresee(state, asked.input, wall, history), seq))

    def dismiss(self, why: Trouble) -> None:
        """At the end: nobody looks any more."""
        while self._waiting:
            person: FromPerson = self._waiting.popleft().person
            person.answer(plain_reply(person.request, self._book.seq, why))


def as_asked(case: PendingRequest, state: State) -> State:
    """The state that a request is asked of: who only looks is one, also where two must sign."""
    return with_somebody(state, case.asks[0].input) if case.looks else state


def _person(case: PendingRequest) -> str:
    by = getattr(case.asks[0].input, "by", None)
    assert by is not None, "who looks has signed"
    return str(by.person)
