"""The demo's floor chief and technician: the gaming day is opened and closed, and what was repaired is opened again.

Theory. Like the croupiers: what is next follows from what the node shows. A day ends after so many passes, on empty
tables, and the next begins at once; while a person has taken over a table, no day ends. A day's name is a date within a
day of the clock (R-27), so what follows today is called tomorrow, and tomorrow does not end before it has come.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from enum import Enum, auto

from controller.core import inputs as ask
from controller.core.values import Phase, Signature
from controller.core.view import SeatView
from controller.node.vocabulary.protocol import Deed, Health, NodeView, Reply, SeatNow
from controller.play.croupier import Croupier, Errand
from controller.play.staff import ANA, JULIA, MARIO, TITO
from controller.rules.refusal import Reason
from drivers.session import SECOND, Micros

_ROUND: Micros = 12 * SECOND  # between two looks of the technician at one seat
_MOST_WAIT: Micros = 300 * SECOND
_AGAIN: Micros = 3 * SECOND
_TESTED: Micros = 10 * SECOND  # a pass ends, and the lamps were lit
_OF_A_CLOSED_SEAT = {"disabled"}


class _Step(Enum):
    """The technician's next step at a closed seat."""

    LOOK = auto()
    CLEAR = auto()
    OPEN = auto()


class Chief:
    def __init__(self, croupiers: Sequence[Croupier], passes_a_day: int) -> None:
        self._croupiers, self._passes_a_day = croupiers, passes_a_day
        self._day_from = 0  # passes there were when the day began
        self._asked = False
        self._after = 0
        self._not_before: Micros = 0
        self._last = ""  # the day that was opened last: the record wants each later than the one before
        self._suspense: list[str] = []
        self._signs = MARIO.person
        self._rounds: dict[tuple[str, int], tuple[Micros, _Step]] = {}
        self._waits: dict[tuple[str, int], Micros] = {}  # before he looks again at what was not well

    @property
    def passes(self) -> int:
        return sum(croupier.passes for croupier in self._croupiers)

    def answered(self, wanted: Errand, reply: Reply) -> None:
        self._asked, self._after = False, reply.seq
        reason = reply.trouble.reason if reply.trouble else ""
        if wanted.do is Deed.OPEN_DAY:
            self._last = wanted.day
            self._day_from = self.passes
        if wanted.do is Deed.CLOSE_DAY and reason == Reason.MONEY_ON_TABLE.code:
            self._suspense = [croupier.table for croupier in self._croupiers]
        if reason == Reason.OWN_ENTRY.code:
            self._signs = JULIA.person if wanted.by == MARIO.person else MARIO.person

    def turn(self, view: NodeView, now: Micros, today: str) -> Errand | None:
        """`today`: the date on the wall."""
        if self._asked or view.seq < self._after:
            return None
        wanted = self._next(view, now, today)
        self._asked = wanted is not None
        return wanted

    def _next(self, view: NodeView, now: Micros, today: str) -> Errand | None:
        if not view.day:
            if now < self._not_before:
                return None
            self._not_before = now + SECOND // 2
            for croupier in self._croupiers:
                croupier.closing = False
            name = today if today > self._last else _day_after(today)
            return Errand(do=Deed.OPEN_DAY, by=JULIA.person, day=name)
        return self._signed(view) or self._repaired(view, now) or self._day_closed(view, now, today)

    def _day_closed(self, view: NodeView, now: Micros, today: str) -> Errand | None:
        busy = any(croupier.away or croupier.leaving or croupier.guests for croupier in self._croupiers)
        over = self.passes - self._day_from >= self._passes_a_day and not busy and view.day <= today
        for croupier in self._croupiers:
            croupier.closing = over
        if not over or now < self._not_before:
            return None
        if self._suspense:
            cleared = ask.ClearSuspense(self._suspense.pop(), "cierre del día", _SOMEBODY, _SOMEBODY)
            return Errand(cleared, by=MARIO.person, second=ANA.person)
        empty = all(
            table.phase is Phase.BETWEEN and not any(seat.credits or seat.promo or seat.owed for seat in table.seats)
            for table in view.tables
        )
        if not empty:
            return None
        self._not_before = now + _AGAIN
        return Errand(do=Deed.CLOSE_DAY, by=JULIA.person)

    def _signed(self, view: NodeView) -> Errand | None:
        """R-36: what somebody voided after the lock; whoever entered it lets the other chief sign."""
        for table in view.tables:
            for seat in table.seats:
                if seat.unsigned:
                    return Errand(ask.SignVoid(table.table, seat.seat, _SOMEBODY), by=self._signs)
        return None

    def _repaired(self, view: NodeView, now: Micros) -> Errand | None:
        """R-6: the technician looks again and again; a fault that is gone is cleared, then the seat plays."""
        there = {(seat.table, seat.seat): seat for seat in view.seats}
        for croupier in self._croupiers:
            if croupier.away:
                continue
            table = next((one for one in view.tables if one.table == croupier.table), None)
            for seat in table.seats if table else ():
                now_seen = there.get((croupier.table, seat.seat))
                if seat.closed and now_seen is not None and now_seen.health is Health.UP:
                    wanted = self._looked_at(croupier, seat, now_seen, now)
                    if wanted is not None:
                        return wanted
        return None

    def _looked_at(self, croupier: Croupier, seat: SeatView, seen: SeatNow, now: Micros) -> Errand | None:
        """A lamp says only when it is driven that it is well again, so it is tested first; then what was latched is
        cleared; and when no fault came back, the seat plays."""
        place = croupier.table, seat.seat
        due, step = self._rounds.get(place, (now + _ROUND, _Step.LOOK))
        self._rounds[place] = due, step
        if now < due:
            return None
        faults = set(seen.faults) - _OF_A_CLOSED_SEAT
        lamp = seen.lamp == "fault" or any(fault.startswith("lamp") for fault in faults)
        if step is _Step.LOOK and lamp:
            croupier.lamps_to_test = True
            self._rounds[place] = now + _TESTED, _Step.CLEAR
        elif step in {_Step.LOOK, _Step.CLEAR}:
            self._rounds[place] = now + _AGAIN, _Step.OPEN
            return Errand(do=Deed.CLEAR_FAULTS, by=TITO.person, table=croupier.table, seat=seat.seat)
        elif faults or lamp:
            self._waits[place] = min(2 * self._waits.get(place, _ROUND), _MOST_WAIT)
            self._rounds[place] = now + self._waits[place], _Step.LOOK
        else:
            del self._rounds[place]
            self._waits.pop(place, None)
            return Errand(ask.OpenSeat(croupier.table, seat.seat, _SOMEBODY), by=TITO.person)
        return None


def _day_after(date_: str) -> str:
    return (date.fromisoformat(date_) + timedelta(1)).isoformat()


_SOMEBODY = Signature("")
