"""A seat: what its unit reports, and the credits on it (R-1 to R-5, R-37).

Theory. A unit counts for ever and never forgets: only the difference between two of its totals is a bet, a chip or a
credit given back, so a report that is lost or doubled changes nothing (devices.md 2.1). Totals of another unit, or of
one that lost its memory, are never subtracted: the seat closes and is counted by hand. What this unit cannot have
counted since its last image on record (rules/belief.py) is booked nowhere: the seat closes, and two persons count it.
While a table is locking, a bet counts if the unit proves that it came before the lock.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from controller.core import facts as said
from controller.core.inputs import SeatReport
from controller.core.lamps import APPLY as LAMPS
from controller.core.lamps import Effects, at_seat, closing, refunded
from controller.core.purse import refund_of
from controller.core.state import SECOND_READING, Seat, State, Table, plan_at, with_seat
from controller.core.values import KNOWS_MORE, Bounds, Counted, Device, Lamp, Phase
from controller.rules.belief import (
    BETWEEN_IMAGES,
    WORD,
    Disbelief,
    Span,
    are_too_many,
    disbelief,
    newer,
    span_of,
    stands_beyond,
)
from controller.rules.bets import BettingSeat, press, slot
from controller.rules.money import MOST_BET, NOTHING, Money
from controller.rules.plan import Plan
from controller.rules.refusal import Reason, Refusal, refuse

_REPLACED, _ACCOUNTING = "unidad cambiada", "contabilidad del aceptor"
_IMPOSSIBLE = {
    Disbelief.SAME_EVENT: "el aceptor contó sin que pasara nada: cuente dos personas",
    Disbelief.WENT_BACK: "el aceptor cuenta hacia atrás: cuente dos personas",
    Disbelief.NO_BUTTONS: "apuestas en un aceptor sin botones: cuente dos personas",
    Disbelief.NO_SLOT: "fichas en un aceptor sin ranura: cuente dos personas",
    Disbelief.KNOWS_MORE: KNOWS_MORE,
    Disbelief.FORGOT: "el aceptor perdió lo que sabía: cuente dos personas",
    Disbelief.UNORDERED: "el aceptor movió créditos que nadie ordenó: cuente dos personas",
    Disbelief.IMAGES: "el aceptor dijo más de lo que pasó: cuente dos personas",
    Disbelief.TOO_MUCH: "el aceptor contó más de lo que puede: cuente dos personas",
}


def report(state: State, table: Table, seat: Seat, asked: SeatReport) -> tuple[said.Fact, ...] | Refusal:
    """What the totals of a unit say since they were last looked at."""
    new, old = asked.device, seat.device
    values = (new.serial, new.epoch, new.seq, new.bets, new.voided, new.chips, new.late, asked.cut, asked.bet_seq)
    wrong = [value for value in values if not 0 <= value < WORD] + [new.worth] * (not 1 <= new.worth < WORD)
    bounds = (asked.bounds.press, asked.bounds.chip) if asked.bounds is not None else ()
    wrong += [value for value in bounds if not 0 <= value < WORD]
    if wrong:
        return refuse(Reason.AMOUNT_WRONG, "device", amount=wrong[0], most=WORD - 1)
    if old is None:
        return (said.DeviceAdopted(table.name, seat.number, new, asked.bounds),)
    if (new.serial, new.epoch) != (old.serial, old.epoch):
        return _another_unit(table, seat, asked)
    if seat.doubted:
        return (said.NothingNew("un aceptor al que no se le cree"),)
    if asked.forgot and new == old:
        return _disbelieved(table, seat, new, Disbelief.FORGOT)
    may = seat.bounds if asked.bounds is None else asked.bounds.wider(seat.bounds)
    known = (said.DeviceSeen(table.name, seat.number, old, may),) if may != seat.bounds else ()
    why = _why_not(table, seat, asked, may)
    if why is not None:
        return (*known, *_disbelieved(table, seat, new, why))
    moved = _moved(state, table, seat, asked)
    if new == old and asked.holds is not None and 0 <= asked.holds < seat.giving_back:
        known = (*known, said.DeviceSeen(table.name, seat.number, old, holds=asked.holds))
    return known if known and isinstance(moved[0], said.NothingNew) else (*known, *moved)


def _why_not(table: Table, seat: Seat, asked: SeatReport, may: Bounds | None) -> Disbelief | None:
    """R-37: what the record shows first, then what only the node saw."""
    new, old = asked.device, seat.device
    assert old is not None, "a difference needs two totals"
    why = disbelief(old.image, new.image, may.most if may is not None else None)
    if why is None and are_too_many(_spans(table, seat, new, may)):
        return Disbelief.TOO_MUCH
    if why is None and asked.knows_more and stands_beyond(old.image, new.image):
        return Disbelief.KNOWS_MORE
    return why or (asked.impossible if asked.impossible in BETWEEN_IMAGES else None)


def _spans(table: Table, seat: Seat, new: Device, may: Bounds | None) -> list[Span]:
    """R-37: what this seat counted, and then what the others of its unit counted last: they share its events."""
    assert seat.device is not None, "a difference needs two totals"
    spans = [span_of(seat.device.image, new.image, may.most if may is not None else None)]
    for other in table.seats:
        known = other.device
        is_of_the_unit = known is not None and (known.serial, known.epoch) == (new.serial, new.epoch)
        if other.number != seat.number and known is not None and is_of_the_unit and other.counted is not None:
            spans.append(Span(other.counted.since, known.seq, other.counted.events))
    return spans


def _moved(state: State, table: Table, seat: Seat, asked: SeatReport) -> tuple[said.Fact, ...]:
    """What follows from totals that are believed."""
    new, old = asked.device, seat.device
    assert old is not None, "a difference needs two totals"
    facts: tuple[said.Fact, ...] = ()
    if new != old and not newer(new.seq, old.seq):
        return (said.NothingNew("un informe anterior"),)
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
    return facts or (said.NothingNew("un informe igual"),)


def _disbelieved(table: Table, seat: Seat, new: Device, why: Disbelief) -> tuple[said.Fact, ...]:
    """R-37: booked nowhere; the seat closes with the reason, and stays closed until two persons have counted it."""
    fact = said.DeviceDisbelieved(table.name, seat.number, new, why)
    assert seat.device != new or why in {Disbelief.FORGOT, *BETWEEN_IMAGES}, "what is on record is believed"
    if seat.out_of_play:
        return (fact,)
    return (closing(table, seat, _IMPOSSIBLE[why]), fact)


def _another_unit(table: Table, seat: Seat, asked: SeatReport) -> tuple[said.Fact, ...]:
    """devices.md 2.6: never subtract across serials or epochs: the seat closes until it is counted and opened."""
    fact = said.DeviceAdopted(table.name, seat.number, asked.device, asked.bounds)
    if seat.out_of_play:
        return (fact,)
    assert seat.device is not None, "another unit than before"
    return (closing(table, seat, _REPLACED), fact)


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
    return seen if seat.out_of_play else [*seen, closing(table, seat, _ACCOUNTING)]


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


def _counted(seat: Seat, new: Device) -> Seat:
    """With the unit as it stands now, and what that took. A report is several facts; the first one moves it."""
    if seat.device is None or seat.device == new:
        return replace(seat, device=new)
    assert 0 <= new.seq < WORD, "devices.md 2.1: 32 bits"
    span = span_of(seat.device.image, new.image, seat.bounds.most if seat.bounds is not None else None)
    return replace(seat, device=new, counted=Counted(span.since, span.events))


def adopted(state: State, fact: said.DeviceAdopted) -> State:
    """devices.md 2.6: what the unit before it had still to give back, this one does not have."""
    table, seat = at_seat(state, fact)
    assert seat.device is None or seat.device != fact.device, "another unit"
    return with_seat(state, table, replace(seat, device=fact.device, giving_back=0, bounds=fact.bounds, counted=None))


def seen(state: State, fact: said.DeviceSeen) -> State:
    table, seat = at_seat(state, fact)
    is_more = fact.bounds is not None or fact.holds is not None
    assert is_more is (seat.device == fact.device), "newer totals, or more about the same"
    back = seat.giving_back if fact.holds is None else fact.holds
    after = replace(seat, bounds=fact.bounds or seat.bounds, giving_back=back)
    return with_seat(state, table, _counted(after, fact.device))


def disbelieved(state: State, fact: said.DeviceDisbelieved) -> State:
    """R-37: the image that was believed last stays the one that counts."""
    table, seat = at_seat(state, fact)
    assert seat.out_of_play, "R-37: it is closed"
    return with_seat(state, table, replace(seat, doubted=True))


def made(state: State, fact: said.BetMade) -> State:
    """R-1, R-7: one bet a seat and pass."""
    table, seat = at_seat(state, fact)
    assert seat.bet == 0 and seat.credits >= fact.amount - fact.promo, "R-2, R-7: one bet, of credits that are there"
    after = replace(
        seat,
        credits=seat.credits - fact.amount + fact.promo,
        promo=seat.promo - fact.promo,
        bet=fact.amount,
        bet_promo=fact.promo,
        slot=0,
        lamp=Lamp.DARK,
    )
    return with_seat(state, table, _counted(after, fact.device))


def not_made(state: State, fact: said.BetRefused) -> State:
    """R-5: the credits stay; the unit has still to give them back."""
    table, seat = at_seat(state, fact)
    assert fact.credits > 0, "a refused bet was a bet"
    after = replace(seat, giving_back=seat.giving_back + fact.credits)
    return with_seat(state, table, _counted(after, fact.device))


def fell(state: State, fact: said.ChipsFell) -> State:
    """R-4: bet and owed together are what fell."""
    table, seat = at_seat(state, fact)
    assert fact.bet + fact.owed == fact.amount, "R-4: no chip is lost"
    after = replace(
        seat,
        slot=seat.slot + fact.counted,
        bet=seat.bet + fact.bet,
        owed=seat.owed + fact.owed,
        over=max(0, seat.over + fact.owed) if state.reading >= SECOND_READING else seat.over,  # a chief is told
    )
    return with_seat(state, table, _counted(after, fact.device))


def gave_back(state: State, fact: said.DeviceVoided) -> State:
    table, seat = at_seat(state, fact)
    told = min(fact.credits, seat.giving_back)
    assert fact.refund is not None or told == fact.credits, "given back as told, or the whole bet"
    seat = _counted(replace(seat, giving_back=seat.giving_back - told), fact.device)
    return refunded(with_seat(state, table, seat), fact.table, fact.refund, told_already=True)


def proven(state: State, fact: said.SeatProven) -> State:
    table, seat = at_seat(state, fact)
    assert table.phase is Phase.LOCKING, "R-5: proven while it locks"
    return with_seat(state, table, replace(seat, proven=True))


APPLY: Effects = {
    **LAMPS,
    said.DeviceAdopted: adopted,
    said.DeviceDisbelieved: disbelieved,
    said.DeviceSeen: seen,
    said.BetMade: made,
    said.BetRefused: not_made,
    said.ChipsFell: fell,
    said.DeviceVoided: gave_back,
    said.SeatProven: proven,
}
