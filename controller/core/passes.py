"""The pass of a table: opened, locked, sealed, closed, or void (R-5, R-6, R-22, R-25).

Theory. "No más apuestas" is an instant, and proving it takes a moment: after the lock each seat must read back locked,
and each bet must have had its lamp seen lit. Only then is the pass sealed: its valid bets enter commission and pots, in
seat order, and what was never lit goes back. Until then bets lie in the table's own account, so a bet of a pass locked
after a prize builds on the pot that the prize left (R-19), and undoing an unsealed bet touches no pot.
"""

import hashlib
from collections.abc import Iterable

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import DeviceTended, HandsVoided, Locked, PassClosed, PassOpened, PassSealed
from controller.core.inputs import ClosePass, Lock, OpenPass, UnlockTable, VoidHand, VoidPass
from controller.core.links.bets import far_contributions, far_voided, passed_away, sealed_away, voided_away
from controller.core.links.names import is_away
from controller.core.links.neighbours import refuse_cut_off
from controller.core.links.proposals import refuse_closed
from controller.core.links.restored.asking import is_asked
from controller.core.lives import PASS
from controller.core.purse import given_back, refund_of, still_unsigned, voided_late
from controller.core.state import (
    SECOND_READING,
    PotNow,
    Seat,
    State,
    Table,
    levels_of,
    money_of,
    moved,
    parts_between,
    plan_at,
    plan_hash,
    plan_of,
    went_dark,
    with_pot,
    with_table,
)
from controller.core.values import Flow, Lamp, Phase, Refund, SealedBet, Tending
from controller.rules.accrual import Carries, Contribution, contribute
from controller.rules.money import PPM, Money
from controller.rules.plan import LampsSeen
from controller.rules.pot import pour_all
from controller.rules.refusal import Reason, Refusal, refuse
from controller.rules.reversal import BookedBet, void_bets


def open_pass(state: State, table: Table, asked: OpenPass) -> tuple[PassOpened] | Refusal:
    """R-5: the unlock button, on a gaming day; training needs none."""
    if state.day is None and not table.training:
        return refuse(Reason.DAY_NOT_OPEN, "table")
    reason = lives.refused(PASS, table.phase, OpenPass)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    if not table.training:
        refusal = refuse_closed(state, table) or refuse_cut_off(state, state.pots[table.pot])
        if refusal is not None:
            return refusal
    assert not table.bets, "R-5: a pass starts without bets"
    return (PassOpened(table.name, table.number + 1, asked.by.person if asked.by else ""),)


def unlock_table(state: State, table: Table, asked: UnlockTable) -> tuple[PassOpened | DeviceTended] | Refusal:
    """R-5: the next pass; in an open one, the seats that came back and wait for somebody to open them."""
    assert asked.by.person, "R-27: somebody did it"
    if table.phase is Phase.OPEN:
        return (DeviceTended(Tending.REOPEN, asked.by.person, table.name),)
    return open_pass(state, table, OpenPass(asked.table, asked.by))


def lock(state: State, table: Table, asked: Lock) -> tuple[Locked | PassSealed, ...] | Refusal:
    """R-5: "no más apuestas"; sealed at once where nothing is left to prove. R-6: it attests what the croupier saw."""
    reason = lives.refused(PASS, table.phase, Lock)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    lit = [seat for seat in table.seats if seat.bet and seat.lamp is Lamp.LIT]
    eyes = tuple(seat.number for seat in lit if seat.lamp_by == LampsSeen.CROUPIER)
    fact = Locked(table.name, table.number, asked.by.person if asked.by else "", eyes)
    behind = locked(state, fact)
    assert behind.tables[table.name].phase is Phase.LOCKING, "R-5: first locked, then sealed"
    return (fact, *seal(behind, table.name))


def seal(state: State, name: str) -> tuple[PassSealed, ...]:
    """R-5, R-6, R-22: the pass as it counts, once every seat is proven and every lamp has said what it is."""
    table = state.tables[name]
    if table.phase is not Phase.LOCKING or not all(_is_proven(seat) for seat in table.seats):
        return ()
    plan, pot = plan_at(state, table), state.pots[table.pot]
    if pot.above and is_asked(state, pot.above):
        return ()
    valid = [seat for seat in table.seats if seat.bet and seat.lamp is Lamp.LIT]
    if pot.above:
        bets, carries, flow = far_contributions(state, pot, table.casino, valid)
    else:
        bets, carries, flow = _contributions(pot, table, valid)
    # A training table draws nothing: the day's seed is for prizes that are paid. A pass without a valid bet draws
    # nothing either, because nobody takes part; nor does a day whose seed is lost.
    has_seed = state.day is not None and not state.day.lost
    due = [
        prize.name
        for prize in plan.prizes
        if has_seed and valid and not table.training and not (prize.within_minutes and prize.name in pot.moments_given)
    ]
    whole = sum(flow.parts.values()) + flow.commission
    assert pot.above or sum(bet.amount for bet in bets) == whole, "R-22: nothing is lost"
    return (
        PassSealed(
            table.name,
            table.number,
            table.pot,
            table.casino,
            bets,
            flow,
            carries.commission,
            carries.reserves,
            closed_hash(state, table, bets),
            tuple(due),
            tuple(refund_of(seat) for seat in table.seats if seat.bet and seat.lamp is not Lamp.LIT),
            table.dark,
            pot.above,
            plan_hash(pot.documents) if pot.above else "",
        ),
    )


def late(state: State) -> tuple[PassSealed, ...]:
    """R-28: a pass that was locked while nothing could be told to the owner of its pot, as soon as that can be."""
    sealed_ = (seal(state, name) for name, one in state.tables.items() if state.pots[one.pot].above)
    return next(filter(None, sealed_), ())


def _is_proven(seat: Seat) -> bool:
    """R-5, R-6: read back locked, or out of play; and nothing to wait for on its lamp."""
    assert seat.bet >= 0, "R-18: no bet is negative"
    return seat.out_of_play or seat.device is None or (seat.proven and not (seat.bet and seat.lamp is Lamp.DARK))


def _contributions(pot: PotNow, table: Table, seats: Iterable[Seat]) -> tuple[tuple[SealedBet, ...], Carries, Flow]:
    """R-22, R-23, R-24: each valid bet in seat order."""
    plan = plan_of(pot.documents)
    carries = Carries(pot.commission_carries.get(table.casino, 0), pot.reserve_carries)
    before, given = money_of(pot), list[tuple[Seat, Contribution]]()
    for seat in seats:
        contribution, carries = contribute(plan.shares, carries, Money(seat.bet))
        given.append((seat, contribution))
    money, overflows = pour_all(before, [(one.main, one.reserves) for _, one in given], plan.ceiling)
    bets = tuple(
        SealedBet(
            seat.number, seat.bet, one.commission, one.main, one.reserves, overflow, seat.bet_promo,
            seat.bet if seat.slot else 0,
        )
        for (seat, one), overflow in zip(given, overflows, strict=True)
    )  # fmt: skip
    assert len(bets) <= len(table.seats), "R-7: one bet a seat"
    assert all(0 <= carry < PPM for carry in (carries.commission, *carries.reserves)), "R-23: proper fractions"
    return bets, carries, Flow(parts_between(before, money), 0, sum([bet.commission for bet in bets]))


def closed_hash(state: State, table: Table, bets: Iterable[SealedBet]) -> str:
    """R-30: what a draw of this pass depends on, known to nobody before it is sealed."""
    text = f"{state.node}/{table.name}/{table.number}/{state.clock}\n"
    text += "".join(f"{bet.seat} {bet.amount} {bet.promo} {bet.chips}\n" for bet in bets)
    assert table.number > 0, "R-5: of a pass"
    return hashlib.sha256(text.encode()).hexdigest()


def close_pass(state: State, table: Table, asked: ClosePass) -> tuple[PassClosed] | Refusal:
    """The cards are in; awards may still be held, the table plays on (R-21)."""
    reason = lives.refused(PASS, table.phase, ClosePass)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    if table.draws:
        return refuse(Reason.DRAW_DUE, "table", prize=table.draws[0])
    pot = state.pots[table.pot]
    assert table.last_sealed in {0, table.number}, "R-35: the pass that was sealed last"
    reviewed = plan_of(pot.documents).ruleset.reviews_every_hand
    by = asked.by.person if asked.by else ""
    levels = None if pot.above else levels_of(money_of(pot))
    return (PassClosed(table.name, table.number, by, pot.name, levels, reviewed, pot.above),)


def void(state: State, table: Table, asked: VoidHand | VoidPass) -> tuple[HandsVoided | PassSealed, ...] | Refusal:
    """R-25: the bets alone; what was won is another matter (past/voids.py)."""
    return void_hand(state, table, asked) if isinstance(asked, VoidHand) else void_pass(state, table, asked)


def void_hand(state: State, table: Table, asked: VoidHand) -> tuple[HandsVoided | PassSealed, ...] | Refusal:
    """R-25: one seat's bet goes back; perhaps it was the last one whose lamp was waited for."""
    if not 1 <= asked.seat <= len(table.seats):
        return refuse(Reason.SEAT_NOT_THERE, "seat", table=table.name, seats=len(table.seats), seat=asked.seat)
    reason = lives.refused(PASS, table.phase, VoidHand)
    if reason is not None:
        return refuse(reason, "seat", seat=asked.seat)
    decided = _void(state, table, [asked.seat], asked)
    if isinstance(decided, Refusal) or table.phase is not Phase.LOCKING:
        return decided
    assert len(decided) == 1, "R-25: one fact undoes it"
    return (*decided, *seal(voided(state, decided[0]), table.name))


def void_pass(state: State, table: Table, asked: VoidPass) -> tuple[HandsVoided] | Refusal:
    """R-25: every bet goes back, and the pass is over."""
    reason = lives.refused(PASS, table.phase, VoidPass)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    assert table.number > 0, "R-5: a pass in progress has a number"
    return _void(state, table, [seat.number for seat in table.seats], asked)


def _void(state: State, table: Table, numbers: list[int], asked: VoidHand | VoidPass) -> tuple[HandsVoided] | Refusal:
    if not asked.reason.strip():
        return refuse(Reason.NOTHING_THERE, "reason", what="motivo para anular")
    whole = isinstance(asked, VoidPass)
    if table.phase is Phase.SEALED:
        bets = [bet for bet in table.bets if bet.seat in numbers]
        if not bets and not whole:
            return refuse(Reason.NO_BET, "seat", seat=numbers[0])
        return _refuse_paid(state, table, numbers) or (_undone(state, table, numbers, asked),)
    refunds = tuple(refund_of(seat) for seat in table.seats if seat.number in numbers and seat.bet)
    if not refunds and not whole:
        return refuse(Reason.NO_BET, "seat", seat=numbers[0])
    assert table.phase is not Phase.BETWEEN, "R-5: no bet lies between passes"
    casino, person = table.casino, asked.by.person
    return (HandsVoided(table.name, table.number, table.pot, casino, whole, refunds, asked.reason, person),)


def _refuse_paid(state: State, table: Table, numbers: list[int]) -> Refusal | None:
    """R-25: until an award for this hand is paid, the pass until any is."""
    of_pass = [one for one in state.claims.values() if (one.table, one.number) == (table.name, table.number)]
    assert table.phase is Phase.SEALED, "R-5: nobody wins before the seal"
    paid = {award.granted.seat for claim in of_pass for award in claim.awards.values() if award.paid}
    return refuse(Reason.VOID_AFTER_PAYMENT, "table") if paid & set(numbers) else None


def _undone(state: State, table: Table, numbers: list[int], asked: VoidHand | VoidPass) -> HandsVoided:
    """R-25: the contributions are undone, and what a pot no longer has comes from who stands behind it."""
    pot, plan = state.pots[table.pot], plan_at(state, table)
    if pot.above:
        return far_voided(state, table, numbers, asked)
    carries = Carries(pot.commission_carries.get(table.casino, 0), pot.reserve_carries)
    before, bets = money_of(pot), [bet for bet in table.bets if bet.seat in numbers]
    booked = [BookedBet(bet.seat, Money(bet.amount), Money(bet.overflow)) for bet in bets]
    voided = void_bets(plan.ruleset.readings, plan.shares, carries, before, booked)
    undone = tuple(
        SealedBet(bet.seat, -bet.amount, back.commission, back.main, back.reserves, bet.overflow)
        for bet, back in zip(bets, voided.undone, strict=bool(voided.undone))
    )
    commission = sum(back.commission for back in voided.undone)
    refunds = tuple(Refund(bet.seat, bet.amount - bet.promo - bet.chips, bet.promo, bet.chips) for bet in bets)
    flow = Flow(parts_between(before, voided.pot), -voided.house, commission)
    assert sum(flow.parts.values()) + flow.house + commission == -sum(back.total for back in refunds), "R-25: exactly"
    return HandsVoided(
        table.name, table.number, table.pot, table.casino, isinstance(asked, VoidPass), refunds, asked.reason,
        asked.by.person, True, flow, voided.carries.commission, voided.carries.reserves, undone,
    )  # fmt: skip


def opened(state: State, fact: PassOpened) -> State:
    """R-5: a new pass; nothing of the last one is left on the seats but their money."""
    table = state.tables[fact.table]
    assert fact.number == table.number + 1, "R-5: one pass after the other"
    return with_table(state, replace(table, number=fact.number, phase=lives.after(PASS, table.phase, OpenPass)))


def locked(state: State, fact: Locked) -> State:
    table = state.tables[fact.table]
    assert table.number == fact.number, "R-5: the pass that is open"
    return with_table(state, replace(table, phase=lives.after(PASS, table.phase, Lock)))


def sealed(state: State, fact: PassSealed) -> State:
    """R-22: the pot has its money, the seats what was never valid."""
    state = sealed_away(state, fact) if is_away(fact.table) else _sealed_here(state, fact)
    pot = state.pots[fact.pot]
    seen = pot.meters
    # What passed the ceiling was allotted to the main pot and went to the first reserve: the meters count it
    # where it is.
    overflow = sum([bet.overflow for bet in fact.bets])
    meters = replace(
        seen,
        wagered=seen.wagered + sum([bet.amount for bet in fact.bets]),
        commission=seen.commission + _commission(fact, fact.bets),
        into_main=seen.into_main + sum([bet.main for bet in fact.bets]) - overflow,
        into_reserves=seen.into_reserves + sum([sum(bet.reserves) for bet in fact.bets]) + overflow,
        overflow=seen.overflow + overflow,
    )
    assert fact.commission_carry >= 0, "R-23: a carry is a proper fraction"
    carried = {**pot.commission_carries, fact.casino: fact.commission_carry}
    pot = replace(pot, commission_carries=carried, reserve_carries=fact.reserve_carries, meters=meters)
    return with_pot(state, moved(pot, fact.flow.parts))


def _commission(fact: PassSealed | HandsVoided, bets: Iterable[SealedBet]) -> int:
    """R-22: what a house took of it, this one or a neighbour's."""
    if not is_away(fact.table):
        return fact.flow.commission
    taken = sum([bet.commission for bet in bets])
    assert fact.flow.commission in {0, taken}, "R-23: taken here, or there"
    return taken


def _sealed_here(state: State, fact: PassSealed) -> State:
    table, pot = state.tables[fact.table], state.pots[fact.pot]
    assert table.number == fact.number, "R-5: the pass that was locked"
    # A plan never changes while a pass is in progress, so this credit is the one that was bet.
    seats = given_back(table.seats, fact.returned, plan_of(pot.documents).limits.credit_value)
    return with_table(
        state,
        replace(
            table,
            phase=lives.after(PASS, table.phase, PassSealed),
            seats=tuple(still_unsigned(seat) for seat in seats),  # what was bet again is gone now
            bets=fact.bets,
            last_sealed=fact.number,
            sealed_at=state.clock,
            skipped=state.day.skipped if state.day else 0,
            closed_hash=fact.closed,
            draws=fact.draws,
            dark=went_dark(state, table, fact.returned),
        ),
    )


def voided(state: State, fact: HandsVoided) -> State:
    """R-25: back on the seats; and out of the pot, where they had been sealed."""
    assert fact.refunds or fact.whole_pass, "R-25: somebody has it back"
    state = voided_away(state, fact) if is_away(fact.table) else _voided_here(state, fact)
    if not fact.sealed:
        return state
    pot = state.pots[fact.pot]
    seen = pot.meters
    meters = replace(
        seen,
        undone=seen.undone + sum(refund.total for refund in fact.refunds),
        commission=seen.commission + _commission(fact, fact.undone),
    )
    assert fact.commission_carry >= 0, "R-23: a carry is a proper fraction"
    carried = {**pot.commission_carries, fact.casino: fact.commission_carry}
    pot = replace(pot, commission_carries=carried, reserve_carries=fact.reserve_carries, meters=meters)
    return with_pot(state, moved(pot, fact.flow.parts))


def _voided_here(state: State, fact: HandsVoided) -> State:
    table, pot = state.tables[fact.table], state.pots[fact.pot]
    credit = plan_of(pot.documents).limits.credit_value
    seats = given_back(table.seats, fact.refunds, credit)
    if state.reading >= SECOND_READING and table.phase is not Phase.OPEN:
        seats = voided_late(seats, fact.refunds, fact.by)
    gone = {refund.seat for refund in fact.refunds}
    bets = tuple(bet for bet in table.bets if bet.seat not in gone)
    table = replace(table, seats=seats, bets=bets, draws=table.draws if bets else ())
    table = over(table, VoidPass) if fact.whole_pass else table
    return with_table(state, table)


def passed(state: State, fact: PassClosed) -> State:
    if is_away(fact.table):
        return passed_away(state, fact)
    table = state.tables[fact.table]
    assert table.number == fact.number, "R-5: the pass that was sealed"
    return with_table(state, over(table, ClosePass))


def over(table: Table, act: type[ClosePass | VoidPass]) -> Table:
    """After a pass: bets and lamps are gone, seats that were to close are closed (R-6)."""
    phase = lives.after(PASS, table.phase, act)
    assert phase is Phase.BETWEEN, "R-5: a pass that ends is followed by none"
    seats = tuple(
        replace(
            seat,
            bet=0,
            bet_promo=0,
            slot=0,
            lamp=Lamp.DARK,
            proven=False,
            closed=seat.closed or seat.closing,
            closing="",
        )
        for seat in table.seats
    )
    return replace(
        table,
        phase=phase,
        seats=seats,
        bets=(),
        closed_hash="",
        draws=(),
        cards={},
        shown={},
        hands=(),
        community=(),
        attempts=0,
        sealed_at=0,
        dark=(),
        skipped=0,
    )
