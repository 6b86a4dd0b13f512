"""A seat: what its unit reports, what its lamp shows, and the credits on it (R-1 to R-6).

Theory. A unit counts for ever and never forgets: only the difference between two of its totals is a bet, a chip or a
credit given back, so a report that is lost, late or doubled changes nothing (devices.md 2.1). Totals of another unit,
or of one that lost its memory, are never subtracted: the seat closes and is counted by hand. A lamp must have been
seen lit (R-6): one that fails while betting is open gives the bet back, one that fails after the lock leaves it valid
and closes the seat after the pass. While a table is locking, a bet counts if the unit proves that it came before the
lock.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from controller.core import facts as said
from controller.core.inputs import CloseSeat, LampSeen, OpenSeat, SeatReport
from controller.core.passes import given_back, refund_of, seal
from controller.core.state import Seat, State, Table, plan_at, with_seat
from controller.core.values import Device, Lamp, Phase, Refund
from controller.rules.bets import BettingSeat, lamp_failed, press, slot
from controller.rules.money import MOST_BET, NOTHING, Money
from controller.rules.plan import Plan
from controller.rules.refusal import Reason, Refusal, refuse

WORD = 2**32
_REPLACED, _ACCOUNTING, _LAMP = "unidad cambiada", "contabilidad del aceptor", "luz"


def newer(new: int, old: int) -> bool:
    """Serial-number arithmetic: whether an event number comes after another one, mod 2^32."""
    assert 0 <= new < WORD and 0 <= old < WORD, "devices.md 2.1: 32 bits"
    return 0 < (new - old) % WORD < WORD // 2


def report(state: State, table: Table, seat: Seat, asked: SeatReport) -> tuple[said.Fact, ...] | Refusal:
    """What the totals of a unit say since they were last looked at."""
    new, old = asked.device, seat.device
    values = (new.serial, new.epoch, new.seq, new.bets, new.voided, new.chips, new.late, asked.cut, asked.bet_seq)
    wrong = [value for value in values if not 0 <= value < WORD] + [new.worth] * (not 1 <= new.worth < WORD)
    if wrong:
        return refuse(Reason.AMOUNT_WRONG, "device", amount=wrong[0], most=WORD - 1)
    if old is None:
        return (said.DeviceAdopted(table.name, seat.number, new),)
    if (new.serial, new.epoch) != (old.serial, old.epoch):
        return _another_unit(state, table, seat, new)
    if new != old and not newer(new.seq, old.seq):
        return (said.NothingNew("un informe anterior"),)
    facts: tuple[said.Fact, ...] = ()
    if new != old:
        in_time = asked.locked and not newer(asked.bet_seq, asked.cut)
        undecided = (new.bets, new.chips) != (old.bets, old.chips)
        # A bet between the lock and its proof may have come before or after it. It is booked as neither: the unit
        # reports the same totals again with the event number of its lock, and then it is known.
        if table.phase is Phase.LOCKING and undecided and not asked.locked:
            return (said.NothingNew("una apuesta cuyo momento falta probar"),)
        accepting = table.phase is Phase.OPEN or (table.phase is Phase.LOCKING and in_time and not seat.proven)
        facts = _differences(state, table, seat, new, accepting)
    if table.phase is Phase.LOCKING and asked.locked and not seat.proven:
        facts = (*facts, said.SeatProven(table.name, table.number, seat.number, asked.cut))
    assert len(facts) <= 5, "one report says at most this much"
    return _and_seal(state, table, facts) if facts else (said.NothingNew("un informe igual"),)


def _another_unit(state: State, table: Table, seat: Seat, new: Device) -> tuple[said.Fact, ...]:
    """devices.md 2.6: never subtract across serials or epochs: the seat closes until it is counted and opened."""
    fact = said.DeviceAdopted(table.name, seat.number, new)
    if seat.out_of_play:
        return (fact,)
    assert seat.device is not None, "another unit than before"
    return _and_seal(state, table, (_closing(table, seat, _REPLACED), fact))


def _differences(state: State, table: Table, seat: Seat, new: Device, accepting: bool) -> tuple[said.Fact, ...]:
    """devices.md 2.1: bookings are differences of totals, and each is made in full or refused in full, on what the one
    before it left: first what was given back, then what was bet, then the chips."""
    plan, old = plan_at(state, table), seat.device
    assert old is not None, "a difference needs two totals"
    bet, voided = (new.bets - old.bets) % WORD, (new.voided - old.voided) % WORD
    chips, late = (new.chips - old.chips) % WORD, (new.late - old.late) % WORD * new.worth
    passed = _passed(plan, table, seat, bet, voided)
    bet, voided = bet - passed, voided - passed
    # A unit that gives a bet back and takes another one between two reports did it in this order: it has one at a time.
    facts = _given_back(plan, table, seat, voided, new) if voided else []
    seat = _seat_after(state, table, seat, facts)
    if bet:
        facts.append(_press(plan, table, seat, bet, new, accepting))
        seat = _seat_after(state, table, seat, facts[-1:])
    if chips or late:
        facts += _chips(plan, table, seat, chips, late, new, accepting)
    return tuple(facts) or (said.DeviceSeen(table.name, seat.number, new),)


def _passed(plan: Plan, table: Table, seat: Seat, bet: int, voided: int) -> int:
    """devices.md 2.3: a unit has one bet at a time, so it gives back first what it is known to have. Of whatever else
    it gave back the press is in this difference too: nobody had confirmed it, and nothing is booked."""
    assert 0 <= bet < WORD and 0 <= voided < WORD, "devices.md 2.1: differences of totals, mod 2^32"
    beyond = voided - seat.giving_back - _unconfirmed(plan, table, seat)
    return beyond if 0 < beyond <= bet else 0


def _unconfirmed(plan: Plan, table: Table, seat: Seat) -> int:
    """The credits of a booked bet that its unit may still give back by itself."""
    assert seat.bet % plan.limits.credit_value == 0, "R-1: a bet is whole credits"
    may = table.phase in {Phase.OPEN, Phase.LOCKING} and not seat.slot
    return seat.bet // plan.limits.credit_value if may else 0


def _seat_after(state: State, table: Table, seat: Seat, facts: Iterable[said.Fact]) -> Seat:
    state = with_seat(state, table, seat)
    for fact in facts:
        state = APPLY[type(fact)](state, fact)
    after = state.tables[table.name].seat(seat.number)
    assert after.number == seat.number, "R-7: the same seat"
    return after


def _press(plan: Plan, table: Table, seat: Seat, asked: int, new: Device, accepting: bool) -> said.Fact:
    """R-1, R-2, R-5: one press is one bet; what is refused the unit gives back."""
    limits = plan.limits
    held = seat.credits // limits.credit_value + seat.promo // limits.credit_value
    now = BettingSeat(seat.number, held, Money(seat.bet), seat.out_of_play)
    after = press(limits, not accepting, now, asked)
    if isinstance(after, Refusal):
        return said.BetRefused(table.name, table.number, seat.number, asked, after.reason.code, new)
    # Promotional credits go first: they can only be bet, the others are the player's money.
    promo = min(after.bet, seat.promo - seat.promo % limits.credit_value)
    assert after.bet - promo <= seat.credits, "R-2: nobody bets more than he has"
    return said.BetMade(table.name, table.number, seat.number, after.bet, new, promo)


def _given_back(plan: Plan, table: Table, seat: Seat, asked: int, new: Device) -> list[said.Fact]:
    """A unit gave credits back: as told, or the whole unconfirmed bet; anything else closes the seat."""
    if asked <= seat.giving_back:
        return [said.DeviceVoided(table.name, table.number, seat.number, asked, new)]
    if asked - seat.giving_back == _unconfirmed(plan, table, seat):
        return [said.DeviceVoided(table.name, table.number, seat.number, asked, new, refund_of(seat))]
    assert asked > 0, "a difference"
    return _unexplained(table, seat, new)


def _unexplained(table: Table, seat: Seat, new: Device) -> list[said.Fact]:
    """devices.md 2.3: totals that cannot be: nothing is booked, and the seat closes until it is counted."""
    seen: list[said.Fact] = [] if seat.device == new else [said.DeviceSeen(table.name, seat.number, new)]
    assert seen or seat.device, "a unit reported"
    return seen if seat.out_of_play else [*seen, _closing(table, seat, _ACCOUNTING)]


def _chips(
    plan: Plan, table: Table, seat: Seat, chips: int, late: int, new: Device, accepting: bool
) -> list[said.Fact]:
    """R-4: whole credits up to the max are the bet; the rest is owed back at once. No slot holds more than MOST_BET."""
    value = plan.limits.credit_value
    amount = Money((chips + late) * value)
    if amount > MOST_BET:
        return _unexplained(table, seat, new)
    # A seat has one bet in a pass. One that was pressed takes no chips beside it: they are owed back.
    electronic = seat.bet and not seat.slot
    playing = accepting and not seat.out_of_play and not electronic
    counted = chips * value if playing else 0
    grown = slot(plan.limits, Money(seat.slot + counted), NOTHING).bet - seat.bet if playing else 0
    assert 0 <= grown <= amount + seat.slot, "R-4: chips only add to a bet"
    return [said.ChipsFell(table.name, table.number, seat.number, amount, grown, amount - grown, new, counted)]


def _closing(table: Table, seat: Seat, reason: str, by: str = "") -> said.SeatClosed:
    """R-6: at once while betting is open, with the bet given back; else after the pass, the bet as it is."""
    assert not seat.out_of_play, "an open seat is closed"
    if table.phase is Phase.OPEN or not seat.bet:
        refund = refund_of(seat) if seat.bet else None
        return said.SeatClosed(table.name, seat.number, reason, refund=refund, by=by)
    return said.SeatClosed(table.name, seat.number, reason, after_pass=True, by=by)


def _and_seal(state: State, table: Table, facts: tuple[said.Fact, ...]) -> tuple[said.Fact, ...]:
    """R-5: perhaps this was the last thing that had to be proven."""
    assert facts, "something happened"
    if table.phase is not Phase.LOCKING:
        return facts
    for fact in facts:
        state = APPLY[type(fact)](state, fact)
    return (*facts, *seal(state, table.name))


def lamp(state: State, table: Table, seat: Seat, asked: LampSeen) -> tuple[said.Fact, ...] | Refusal:
    """R-6: what was seen of a lamp."""
    if not seat.bet or seat.out_of_play:
        if asked.lamp is Lamp.FAULT and not seat.out_of_play:
            return _and_seal(state, table, (_closing(table, seat, _LAMP),))
        return (said.NothingNew("una luz sin apuesta"),)
    if asked.lamp is seat.lamp:
        return (said.NothingNew("una luz igual"),)
    is_locked = table.phase is not Phase.OPEN
    if asked.lamp is Lamp.LIT:
        return _and_seal(state, table, (said.LampChanged(table.name, table.number, seat.number, Lamp.LIT, is_locked),))
    if asked.before_lock and table.phase is Phase.LOCKING and seat.lamp is Lamp.LIT:
        return _and_seal(state, table, (_went_dark_before(table, seat),))
    failure = lamp_failed(is_locked)
    assert failure.seat_closes_now is not failure.bet_stands, "R-6: one or the other"
    refund = None if failure.bet_stands else refund_of(seat)
    changed = said.LampChanged(table.name, table.number, seat.number, Lamp.FAULT, is_locked, refund)
    return _and_seal(state, table, (changed,))


def _went_dark_before(table: Table, seat: Seat) -> said.LampChanged:
    """R-6: the seal gives the bet back, as it does with every bet whose lamp is not lit."""
    assert not lamp_failed(locked=False).bet_stands, "R-6: it failed while betting was open"
    return said.LampChanged(table.name, table.number, seat.number, Lamp.FAULT, locked=True, before_lock=True)


def close_seat(state: State, table: Table, seat: Seat, asked: CloseSeat) -> tuple[said.Fact, ...] | Refusal:
    if seat.out_of_play:
        return refuse(Reason.SEAT_IS_CLOSED, "seat", seat=seat.number)
    if not asked.reason.strip():
        return refuse(Reason.NOTHING_THERE, "reason", what="motivo para cerrar la posición")
    assert table.name in state.tables, "a table of this node"
    by = asked.by.person if asked.by else ""
    return _and_seal(state, table, (_closing(table, seat, asked.reason, by),))


def open_seat(state: State, table: Table, seat: Seat, asked: OpenSeat) -> tuple[said.SeatOpened] | Refusal:
    """R-6: between passes or before a bet; a seat that closes after the pass closes first."""
    if not seat.closed:
        return refuse(Reason.SEAT_IS_OPEN, "seat", seat=seat.number)
    assert table.name in state.tables, "a table of this node"
    return (said.SeatOpened(table.name, seat.number, asked.by.person),)


Seated = (
    said.BetMade
    | said.BetRefused
    | said.ChipsFell
    | said.DeviceAdopted
    | said.DeviceSeen
    | said.DeviceVoided
    | said.SeatProven
    | said.SeatOpened
)


def _at(state: State, fact: Seated | said.LampChanged | said.SeatClosed) -> tuple[Table, Seat]:
    table = state.tables[fact.table]
    seat = table.seat(fact.seat)
    assert seat.number == fact.seat, "R-7: seats are numbered from 1"
    return table, seat


def adopted(state: State, fact: said.DeviceAdopted) -> State:
    """devices.md 2.6: what the unit before it had still to give back, this one does not have."""
    table, seat = _at(state, fact)
    assert seat.device is None or seat.device != fact.device, "another unit"
    return with_seat(state, table, replace(seat, device=fact.device, giving_back=0))


def seen(state: State, fact: said.DeviceSeen) -> State:
    table, seat = _at(state, fact)
    assert seat.device != fact.device, "newer totals"
    return with_seat(state, table, replace(seat, device=fact.device))


def made(state: State, fact: said.BetMade) -> State:
    """R-1, R-7: one bet a seat and pass."""
    table, seat = _at(state, fact)
    assert seat.bet == 0 and seat.credits >= fact.amount - fact.promo, "R-2, R-7: one bet, of credits that are there"
    after = replace(
        seat,
        credits=seat.credits - fact.amount + fact.promo,
        promo=seat.promo - fact.promo,
        bet=fact.amount,
        bet_promo=fact.promo,
        slot=0,
        lamp=Lamp.DARK,
        device=fact.device,
    )
    return with_seat(state, table, after)


def not_made(state: State, fact: said.BetRefused) -> State:
    """R-5: the credits stay; the unit has still to give them back."""
    table, seat = _at(state, fact)
    assert fact.credits > 0, "a refused bet was a bet"
    return with_seat(state, table, replace(seat, device=fact.device, giving_back=seat.giving_back + fact.credits))


def fell(state: State, fact: said.ChipsFell) -> State:
    """R-4: bet and owed together are what fell."""
    table, seat = _at(state, fact)
    assert fact.bet + fact.owed == fact.amount, "R-4: no chip is lost"
    after = replace(
        seat,
        slot=seat.slot + fact.counted,
        bet=seat.bet + fact.bet,
        owed=seat.owed + fact.owed,
        device=fact.device,
    )
    return with_seat(state, table, after)


def gave_back(state: State, fact: said.DeviceVoided) -> State:
    table, seat = _at(state, fact)
    told = min(fact.credits, seat.giving_back)
    assert fact.refund is not None or told == fact.credits, "given back as told, or the whole bet"
    seat = replace(seat, device=fact.device, giving_back=seat.giving_back - told)
    return _refunded(with_seat(state, table, seat), fact.table, fact.refund, told_already=True)


def _refunded(state: State, name: str, refund: Refund | None, *, told_already: bool) -> State:
    """R-25: a bet back on its seat; a unit that gave it back by itself is not told again."""
    if refund is None:
        return state
    table = state.tables[name]
    credit = plan_at(state, table).limits.credit_value
    seat = given_back(table.seats, [refund], credit)[refund.seat - 1]
    assert seat.bet == 0, "R-25: the whole bet"
    before = table.seat(refund.seat).giving_back
    return with_seat(state, table, replace(seat, giving_back=before) if told_already else seat)


def proven(state: State, fact: said.SeatProven) -> State:
    table, seat = _at(state, fact)
    assert table.phase is Phase.LOCKING, "R-5: proven while it locks"
    return with_seat(state, table, replace(seat, proven=True))


def shone(state: State, fact: said.LampChanged) -> State:
    """R-6: lit is valid; a failure closes now or after the pass. One after the lock does not undo that it was lit."""
    table, seat = _at(state, fact)
    if fact.lamp is Lamp.LIT:
        return with_seat(state, table, replace(seat, lamp=Lamp.LIT))
    was_lit = seat.lamp is Lamp.LIT
    assert fact.locked is (fact.refund is None), "R-6: given back while open, standing after the lock"
    if fact.locked:
        stands = was_lit and not fact.before_lock
        return with_seat(state, table, replace(seat, lamp=Lamp.LIT if stands else Lamp.FAULT, closing=_LAMP))
    state = _refunded(state, fact.table, fact.refund, told_already=False)
    table, seat = _at(state, fact)
    return with_seat(state, table, replace(seat, closed=_LAMP))


def shut(state: State, fact: said.SeatClosed) -> State:
    state = _refunded(state, fact.table, fact.refund, told_already=False)
    table, seat = _at(state, fact)
    assert not seat.out_of_play, "an open seat is closed"
    after = replace(seat, closing=fact.reason) if fact.after_pass else replace(seat, closed=fact.reason)
    return with_seat(state, table, after)


def unshut(state: State, fact: said.SeatOpened) -> State:
    table, seat = _at(state, fact)
    assert seat.closed, "a closed seat is opened"
    return with_seat(state, table, replace(seat, closed="", lamp=Lamp.DARK))


APPLY: dict[Any, Callable[[State, Any], State]] = {
    said.DeviceAdopted: adopted,
    said.DeviceSeen: seen,
    said.BetMade: made,
    said.BetRefused: not_made,
    said.ChipsFell: fell,
    said.DeviceVoided: gave_back,
    said.SeatProven: proven,
    said.LampChanged: shone,
    said.SeatClosed: shut,
    said.SeatOpened: unshut,
}
