"""Complementary prizes: drawn by a seed that nobody knew, granted to a seat that bet (R-29, R-30).

Theory. When a pass is sealed, each prize of the plan that may fall waits for what the seed says, in the plan's order;
the first to fall ends the waiting of those that it excludes. The seed is not here: whoever holds it computes
`what_the_seed_says` from a `Wanted`, and only its answer comes in. What took part stands in the fact, so that all can
be computed again once the seed is revealed. A prize is owed in full and held from the draw on: from its part of the pot
as far as that goes, the rest from the house. It is paid once the pass is closed, for until then a void puts it back;
promotional credits are the house's, and on the seat when they are paid.
"""

from typing import NamedTuple

from msgspec.structs import replace

from controller.core.claims import born, hit
from controller.core.facts import Drawn, PrizeGranted
from controller.core.inputs import Draw, ShowCard
from controller.core.links.names import is_away
from controller.core.links.restored.asking import is_asked
from controller.core.past.hands import cards_of
from controller.core.purse import with_promo
from controller.core.state import (
    PotNow,
    State,
    Table,
    levels_of,
    money_of,
    moved,
    plan_at,
    with_claim,
    with_pot,
    with_table,
)
from controller.core.values import Flow, Phase, RegisteredAward
from controller.rules.cards import CARDS, NAMES
from controller.rules.complementary import (
    is_elsewhere,
    is_hit,
    label_of,
    lucky_seat,
    magic_card,
    number_below,
    secret_of,
)
from controller.rules.prizes import DrawnBy, PlannedPrize, exclude_each_other
from controller.rules.refusal import Reason, Refusal, refuse

_MINUTE = 60_000


class Wanted(NamedTuple):
    """R-30: a draw that a sealed pass waits for, and all that it depends on beside the seed."""

    table: str
    number: int
    prize: PlannedPrize
    label: str
    seats: tuple[int, ...]
    moment: str
    since_opening: int
    nonce: str


def wanted(state: State, table: Table) -> tuple[Wanted, ...]:
    """R-30: the draws that this pass waits for; one that another may exclude waits until that is drawn (R-29). None of
    a pot whose owner is asked what he heard before a restore (R-28)."""
    if not table.draws or (state.recalls and is_asked(state, state.pots[table.pot].above)):
        return ()
    assert table.phase is Phase.SEALED and table.bets, "R-30: no draw before the bets are made"
    day = state.day
    assert day is not None, "R-30: a prize is drawn on a gaming day"
    seats = tuple(bet.seat for bet in table.bets)
    closed = bytes.fromhex(table.closed_hash)
    return tuple(
        Wanted(
            table.name,
            table.number,
            prize,
            label_of(table.name, table.number, prize.name, closed),
            seats,
            f"{day.first_name}/{table.pot}/{prize.name}/moment",
            table.sealed_at - table.skipped - day.opened,
            day.nonce,
        )
        for prize in _next(plan_at(state, table).prizes, table.draws)
    )


def _next(prizes: tuple[PlannedPrize, ...], waiting: tuple[str, ...]) -> tuple[PlannedPrize, ...]:
    """R-29: of those that wait, in the plan's order, all that none before them may exclude."""
    due = [prize for prize in prizes if prize.name in waiting]
    assert len(due) == len(waiting), "R-26: a plan changes only between passes"
    free = (not any(exclude_each_other(prize, earlier) for earlier in due[:at]) for at, prize in enumerate(due))
    return tuple(prize for prize, is_free in zip(due, free, strict=True) if is_free)


def what_the_seed_says(seed: bytes, asked: Wanted) -> Draw:
    """R-30: for the holder of the seed, and for whoever checks him afterwards."""
    prize, secret = asked.prize, secret_of(seed, asked.nonce)
    if prize.one_in is not None:
        fell = is_hit(secret, asked.label, prize.one_in)
    else:
        assert prize.within_minutes is not None, "R-29: a chance or a moment"
        fell = asked.since_opening >= number_below(secret, asked.moment, prize.within_minutes * _MINUTE)
    if not fell:
        return Draw(asked.table, prize.name, hit=False)
    if prize.drawn is DrawnBy.CARD:
        return Draw(asked.table, prize.name, hit=True, card=NAMES[magic_card(secret, asked.label)])
    return Draw(asked.table, prize.name, hit=True, seat=lucky_seat(secret, asked.label, asked.seats) or 0)


def draw(state: State, table: Table, asked: Draw) -> tuple[Drawn | PrizeGranted, ...] | Refusal:
    """R-29, R-30: what the seed said, for a prize this pass waits for."""
    due = {prize.name: prize for prize in _next(plan_at(state, table).prizes, table.draws)}
    if asked.prize not in due:
        return refuse(Reason.DRAW_NOT_DUE, "prize", prize=asked.prize)
    prize = due[asked.prize]
    seats = tuple(bet.seat for bet in table.bets)
    by_seat, by_card = prize.drawn is DrawnBy.SEAT, prize.drawn is DrawnBy.CARD
    seat_fits = asked.seat in seats if asked.hit and by_seat else asked.seat == 0
    card_fits = asked.card in CARDS if asked.hit and by_card else not asked.card
    if not (seat_fits and card_fits):
        return refuse(Reason.DRAW_IMPOSSIBLE, "seat" if by_seat else "card", prize=asked.prize)
    made = Drawn(table.name, table.number, prize.name, table.closed_hash, seats, asked.hit, asked.seat, asked.card)
    assert seats, "R-29: somebody takes part"
    return (made, _granting(state, table, prize, asked.seat)) if asked.seat else (made,)


def _prize(state: State, table: Table, name: str) -> PlannedPrize:
    prizes = {prize.name: prize for prize in plan_at(state, table).prizes}
    assert name in prizes, "R-26: a plan changes only between passes"
    return prizes[name]


def show_card(state: State, table: Table, asked: ShowCard) -> tuple[PrizeGranted] | Refusal:
    """R-29, Carta Mágica: a valid seat that was dealt the card. Cards that were entered must agree."""
    card = table.cards.get(asked.prize)
    if card is None:
        return refuse(Reason.CARD_NOT_DRAWN, "prize", prize=asked.prize)
    if asked.seat not in {bet.seat for bet in table.bets}:
        return refuse(Reason.NO_BET, "seat", seat=asked.seat)
    others = {seat for shown, seat in table.shown.values() if shown == card}
    if is_elsewhere(card, asked.seat, cards_of(table.hands), table.community) or others - {asked.seat}:
        return refuse(Reason.CARD_NOT_HELD, "seat", seat=asked.seat, card=card)
    assert table.phase is Phase.SEALED, "R-29: cards are dealt after the lock"
    granting = _granting(state, table, _prize(state, table, asked.prize), asked.seat)
    return (replace(granting, by=asked.by.person, card=card),)


def _granting(state: State, table: Table, prize: PlannedPrize, seat: int) -> PrizeGranted:
    """R-18, R-29: in full, from its part and then the house; promotional credits from nobody's money yet."""
    names = [one.name for one in plan_at(state, table).prizes]
    name = f"{table.name}/{table.number}/p{names.index(prize.name) + 1}"
    # a card that was shown by the wrong seat, and rejected, is shown again: a claim of its own.
    again = sum(claim == name or claim.startswith(f"{name}-") for claim in state.claims)
    pot = state.pots[table.pot]
    return PrizeGranted(
        f"{name}-{again + 1}" if again else name,
        table.name,
        table.number,
        table.pot,
        table.casino,
        prize.name,
        seat,
        prize.amount,
        taken_from(pot, prize),
        prize.is_promotional,
        held=True,
        paid_in=prize.paid_in.value,
        before=None if pot.above else levels_of(money_of(pot)),
        above=pot.above,
    )


def taken_from(pot: PotNow, prize: PlannedPrize) -> Flow:
    """R-18, R-29: from its part as far as that goes, the rest from the house; of a neighbour's pot its owner says."""
    if prize.is_promotional or pot.above:
        return Flow()
    there = pot.main if prize.source == "main" else pot.reserves[prize.source]
    part = min(there, prize.amount)
    assert part >= 0, "R-18: no pot is ever negative"
    return Flow({prize.source: -part} if part else {}, part - prize.amount)


def drawn(state: State, fact: Drawn) -> State:
    """R-29, R-30: this pass waits no longer for it, nor, where it fell, for those that it excludes; a prize of the day
    has fallen for the day, also if its pass is void afterwards."""
    table = state.tables[fact.table]
    assert fact.prize in table.draws and fact.closed == table.closed_hash, "R-30: a draw of this pass"
    prize = _prize(state, table, fact.prize)
    cards = {**table.cards, fact.prize: fact.card} if fact.card else table.cards
    others = [_prize(state, table, name) for name in table.draws if name != fact.prize]
    draws = tuple(one.name for one in others if not (fact.hit and exclude_each_other(prize, one)))
    state = with_table(state, replace(table, draws=draws, cards=cards))
    if not fact.hit or prize.within_minutes is None:
        return state
    for other in state.tables.values():  # whoever waits for it too waits in vain: it falls once a day
        if other.pot == table.pot and fact.prize in other.draws:
            left = tuple(name for name in other.draws if name != fact.prize)
            state = with_table(state, replace(other, draws=left))
    pot = state.pots[table.pot]
    return with_pot(state, replace(pot, moments_given=(*pot.moments_given, fact.prize)))


def granted(state: State, fact: PrizeGranted) -> State:
    """R-29: held like any award, and its card is known to be this seat's."""
    table = state.tables.get(fact.table)
    if table is not None:
        cards = {prize: card for prize, card in table.cards.items() if prize != fact.prize}
        shown = {**table.shown, fact.prize: (fact.card, fact.seat)} if fact.card else table.shown
        table = replace(table, cards=cards, shown=shown)
        state = with_table(state, table)
    assert fact.amount > 0 and (table is not None or is_away(fact.table)), "R-29: a prize is something, at a table"
    before: PotNow = state.pots[fact.pot]
    parts = {name: -amount for name, amount in fact.flow.parts.items()}
    one = RegisteredAward(1, fact.seat, fact.prize, fact.amount, parts, -fact.flow.house, ("R-29",))
    # The meters of a pot are of its own money: promotional credits are not.
    pot = before if fact.promo else hit(moved(before, fact.flow.parts), fact.claim, [one], state.clock)
    claim = replace(born(fact, [one], state.clock), prize=True, paid_in=fact.paid_in)
    if (
        table is not None and fact.promo and not fact.held
    ):  # of the first reading: on the seat at once, and so it had paid
        state = with_promo(state, table, fact.seat, fact.amount)
        claim = replace(claim, awards={name: replace(award, paid=True) for name, award in claim.awards.items()})
    return with_claim(with_pot(state, pot), claim)
