"""The lamp of a seat, whether the seat plays, and what persons do to devices beside the play (R-6, R-27).

Theory. A bet whose lamp was never seen lit is not valid. A lamp that fails while betting is open gives the bet back and
closes its seat; one that fails after the lock leaves the bet valid and closes the seat after the pass. A closed seat
takes no bet until a person opens it.

That play goes on after a device came back, that lamps and signs are tried and faults cleared moves no money, and what a
device makes of it is no business of the core; but who did it, and where, stands on record under the id of the request,
so that the same request never does it twice. Whether a device is there to do it is known outside.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from msgspec.structs import replace

from controller.core import facts as said
from controller.core import lives
from controller.core.facts import DeviceTended
from controller.core.inputs import (
    ClearFaults,
    CloseSeat,
    LampDark,
    LampSeen,
    OpenSeat,
    TellLamps,
    TryLamps,
    TrySign,
)
from controller.core.lives import PASS
from controller.core.purse import given_back, refund_of
from controller.core.state import Seat, State, Table, plan_at, went_dark, with_seat
from controller.core.values import Lamp, Phase, Refund, Tending
from controller.rules.bets import lamp_failed
from controller.rules.plan import LampsSeen
from controller.rules.refusal import Reason, Refusal, refuse

Effects = Mapping[Any, Callable[[State, Any], State]]
_LAMP = "luz"


def closing(table: Table, seat: Seat, reason: str, by: str = "") -> said.SeatClosed:
    """R-6: at once while betting is open, with the bet given back; else after the pass, the bet as it is."""
    assert not seat.out_of_play, "an open seat is closed"
    if table.phase is Phase.OPEN or not seat.bet:
        refund = refund_of(seat) if seat.bet else None
        return said.SeatClosed(table.name, seat.number, reason, refund=refund, by=by)
    return said.SeatClosed(table.name, seat.number, reason, after_pass=True, by=by)


def lamp(_state: State, table: Table, seat: Seat, asked: LampSeen) -> tuple[said.Fact, ...] | Refusal:
    """R-6: what was seen of a lamp."""
    if not seat.bet or seat.out_of_play:
        if asked.lamp is Lamp.FAULT and not seat.out_of_play:
            return (closing(table, seat, _LAMP),)
        return (said.NothingNew("una luz sin apuesta"),)
    if asked.lamp is seat.lamp:
        return (said.NothingNew("una luz igual"),)
    is_locked = table.phase is not Phase.OPEN
    if asked.lamp is Lamp.LIT:
        return (said.LampChanged(table.name, table.number, seat.number, Lamp.LIT, is_locked, seen_by=_seen_by(asked)),)
    if asked.before_lock and table.phase is Phase.LOCKING and seat.lamp is Lamp.LIT:
        return (_went_dark_before(table, seat, _seen_by(asked)),)
    failure = lamp_failed(is_locked)
    assert failure.seat_closes_now is not failure.bet_stands, "R-6: one or the other"
    refund = None if failure.bet_stands else refund_of(seat)
    seen_by = _seen_by(asked)
    return (said.LampChanged(table.name, table.number, seat.number, Lamp.FAULT, is_locked, refund, seen_by=seen_by),)


def _seen_by(asked: LampSeen) -> str:
    """R-6: a sensor or a croupier; whatever else was said is nobody."""
    assert len(LampsSeen) == 2, "R-6: who can see a lamp"
    return asked.seen_by if asked.seen_by in tuple(LampsSeen) else ""


def lamp_dark(_state: State, table: Table, seat: Seat, asked: LampDark) -> tuple[said.LampChanged] | Refusal:
    """R-6: until the lock a croupier's word that a lamp is dark gives the bet back, also where a sensor says otherwise;
    his lock attests those that he saw lit, and from then on only a void gives back."""
    reason = lives.refused(PASS, table.phase, LampDark)
    if reason is None and seat.out_of_play:
        reason = Reason.SEAT_IS_CLOSED
    if reason is None and not seat.bet:
        reason = Reason.NO_BET
    if reason is not None:
        return refuse(reason, "seat", seat=seat.number)
    assert not lamp_failed(locked=False).bet_stands, "R-6: it failed while betting was open"
    refund, croupier = refund_of(seat), LampsSeen.CROUPIER.value
    where = (table.name, table.number, seat.number)
    return (said.LampChanged(*where, Lamp.FAULT, refund=refund, seen_by=croupier, by=asked.by.person),)


def tell_lamps(
    _state: State, table: Table, asked: TellLamps
) -> tuple[said.SeatClosed | said.LampsTested, ...] | Refusal:
    """R-6: a seat whose lamp is broken is closed."""
    reason = lives.refused(PASS, table.phase, TellLamps)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    for number in asked.dark:
        if not 1 <= number <= len(table.seats):
            return refuse(Reason.SEAT_NOT_THERE, "dark", table=table.name, seats=len(table.seats), seat=number)
    dark, by = tuple(sorted(set(asked.dark))), asked.by.person
    closed = tuple(
        closing(table, table.seat(number), _LAMP, by) for number in dark if not table.seat(number).out_of_play
    )
    assert not any(fact.refund for fact in closed), "R-5: no bet lies between passes"
    return (*closed, said.LampsTested(table.name, dark, by))


def _went_dark_before(table: Table, seat: Seat, seen_by: str) -> said.LampChanged:
    """R-6: the seal gives the bet back, as it does with every bet whose lamp is not lit."""
    assert not lamp_failed(locked=False).bet_stands, "R-6: it failed while betting was open"
    where = (table.name, table.number, seat.number)
    return said.LampChanged(*where, Lamp.FAULT, locked=True, before_lock=True, seen_by=seen_by)


def close_seat(state: State, table: Table, seat: Seat, asked: CloseSeat) -> tuple[said.Fact, ...] | Refusal:
    if seat.out_of_play:
        return refuse(Reason.SEAT_IS_CLOSED, "seat", seat=seat.number)
    if not asked.reason.strip():
        return refuse(Reason.NOTHING_THERE, "reason", what="motivo para cerrar la posición")
    assert table.name in state.tables, "a table of this node"
    by = asked.by.person if asked.by else ""
    return (closing(table, seat, asked.reason, by),)


def open_seat(state: State, table: Table, seat: Seat, asked: OpenSeat) -> tuple[said.SeatOpened] | Refusal:
    """R-6: between passes or before a bet; a seat that closes after the pass closes first."""
    if seat.closing:
        return refuse(Reason.SEAT_CLOSES_LATER, "seat", seat=seat.number)
    if not seat.closed:
        return refuse(Reason.SEAT_IS_OPEN, "seat", seat=seat.number)
    if seat.doubted:
        return refuse(Reason.SEAT_UNCOUNTED, "seat", seat=seat.number)
    assert table.name in state.tables, "a table of this node"
    return (said.SeatOpened(table.name, seat.number, asked.by.person),)


def try_lamps(_state: State, table: Table, asked: TryLamps) -> tuple[DeviceTended] | Refusal:
    """R-6: never while a lamp says something about a bet."""
    reason = lives.refused(PASS, table.phase, TryLamps)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    assert not any(seat.bet for seat in table.seats), "R-6: no lamp means anything"
    return (DeviceTended(Tending.LAMPS, asked.by.person, table.name),)


def clear_faults(_state: State, table: Table, asked: ClearFaults) -> tuple[DeviceTended] | Refusal:
    """Of the device of a seat, or with seat 0 of the table's devices themselves."""
    if not 0 <= asked.seat <= len(table.seats):
        return refuse(Reason.SEAT_NOT_THERE, "seat", table=asked.table, seats=len(table.seats), seat=asked.seat)
    assert asked.by.person, "R-27: somebody did it"
    return (DeviceTended(Tending.FAULTS, asked.by.person, table.name, asked.seat),)


def try_sign(_state: State, asked: TrySign) -> tuple[DeviceTended]:
    assert asked.by.person, "R-27: somebody did it"
    return (DeviceTended(Tending.SIGN, asked.by.person, sign=asked.sign, unseen=asked.unseen),)


class OfSeat(Protocol):
    @property
    def table(self) -> str: ...
    @property
    def seat(self) -> int: ...


def at_seat(state: State, fact: OfSeat) -> tuple[Table, Seat]:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert seat.number == fact.seat, "R-7: seats are numbered from 1"
    return table, seat


def refunded(state: State, name: str, refund: Refund | None, *, told_already: bool) -> State:
    """R-25: a bet back on its seat; a unit that gave it back by itself is not told again."""
    if refund is None:
        return state
    table = state.tables[name]
    credit = plan_at(state, table).limits.credit_value
    seat = given_back(table.seats, [refund], credit)[refund.seat - 1]
    assert seat.bet == 0, "R-25: the whole bet"
    before = table.seat(refund.seat).giving_back
    return with_seat(state, table, replace(seat, giving_back=before) if told_already else seat)


def shone(state: State, fact: said.LampChanged) -> State:
    """R-6: lit is valid; a failure closes now or after the pass. One after the lock does not undo that it was lit."""
    table, seat = at_seat(state, fact)
    if fact.lamp is Lamp.LIT:
        return with_seat(state, table, replace(seat, lamp=Lamp.LIT, lamp_by=fact.seen_by))
    was_lit = seat.lamp is Lamp.LIT
    assert fact.locked is (fact.refund is None), "R-6: given back while open, standing after the lock"
    if fact.locked:
        stands = was_lit and not fact.before_lock
        return with_seat(state, table, replace(seat, lamp=Lamp.LIT if stands else Lamp.FAULT, closing=_LAMP))
    state = refunded(state, fact.table, fact.refund, told_already=False)
    table, seat = at_seat(state, fact)
    return with_seat(state, _darker(state, table, fact.refund), replace(seat, closed=_LAMP))


def shut(state: State, fact: said.SeatClosed) -> State:
    state = refunded(state, fact.table, fact.refund, told_already=False)
    table, seat = at_seat(state, fact)
    assert not seat.out_of_play, "an open seat is closed"
    table = _darker(state, table, fact.refund if fact.reason == _LAMP else None)
    after = replace(seat, closing=fact.reason) if fact.after_pass else replace(seat, closed=fact.reason)
    return with_seat(state, table, after)


def _darker(state: State, table: Table, refund: Refund | None) -> Table:
    """R-6, R-32: a bet that went back for its lamp is remembered: its seat has no bet, and that is why."""
    assert refund is None or not table.seat(refund.seat).bet, "R-25: the whole bet went back"
    return replace(table, dark=went_dark(state, table, [refund] if refund else []))


def unshut(state: State, fact: said.SeatOpened) -> State:
    table, seat = at_seat(state, fact)
    assert seat.closed, "a closed seat is opened"
    return with_seat(state, table, replace(seat, closed="", lamp=Lamp.DARK))


APPLY: Effects = {
    said.LampChanged: shone,
    said.SeatClosed: shut,
    said.SeatOpened: unshut,
}
