"""Sealed bets of a pot that nodes share: what a table sends, and what becomes of it above (R-22, R-23, R-25, R-28).

Theory. A table counts its bets as always; of a pot that a neighbour owns it does not know the parts. The commission is
taken once in each casino, by its node: at the seal where that is this one, or when a box of the casino tells what it
sealed; so there is one carry for all tables of the casino. What is left goes up, and the owner of the pot allots it in
the order in which it hears. What cannot be by the plan is not believed (`Unbelieved`), and nothing of it is booked.
"""

import re
from collections.abc import Container, Iterable, Sequence

from msgspec.structs import replace

from controller.core.facts import HandsVoided, PassClosed, PassSealed
from controller.core.inputs import VoidHand, VoidPass
from controller.core.links.known import AwayTable
from controller.core.links.letters import DAYS_OF_BOXES, BetsSealed, BetsVoided, PassOver
from controller.core.links.names import here, neighbour_of
from controller.core.links.restored.bound import charged_as_told
from controller.core.state import (
    PotNow,
    Seat,
    State,
    Table,
    levels_of,
    money_of,
    parts_between,
    plan_hash,
    plan_of,
)
from controller.core.values import Flow, Refund, SealedBet
from controller.rules.accrual import Carries, allot
from controller.rules.money import Money, share
from controller.rules.pot import pour_all
from controller.rules.readings import VoidUndoes
from controller.rules.reversal import BookedBet, void_bets

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Unbelieved(Exception):  # noqa: N818  says what it is
    """Why what a neighbour told cannot be, by the plan of its pot."""


def collects(state: State, pot: PotNow) -> bool:
    """R-23: whether the commission of what a followed pot's tables wager is taken here."""
    assert pot.above in state.neighbours, "R-28: a pot's owner is a neighbour"
    return not state.neighbours[pot.above].inside


def far_contributions(
    state: State, pot: PotNow, casino: str, seats: Iterable[Seat]
) -> tuple[tuple[SealedBet, ...], Carries, Flow]:
    """R-22, R-23: what each valid bet gives to the house, where it collects; the rest is the owner's to allot."""
    plan, carry = plan_of(pot.documents), pot.commission_carries.get(casino, 0)
    bets: list[SealedBet] = []
    for seat in seats:
        commission = Money(0)
        if collects(state, pot):
            commission, carry = share(Money(seat.bet), plan.shares.commission, carry)
        chips = seat.bet if seat.slot else 0
        bets.append(SealedBet(seat.number, seat.bet, commission, 0, promo=seat.bet_promo, chips=chips))
    assert pot.above, "R-28: of a pot that a neighbour owns"
    return tuple(bets), Carries(carry, pot.reserve_carries), Flow({}, 0, sum(bet.commission for bet in bets))


def far_voided(state: State, table: Table, numbers: Container[int], asked: VoidHand | VoidPass) -> HandsVoided:
    """R-25, R-28: the player has it back at once; the owner of the pot undoes it when he hears of it."""
    pot, bets = state.pots[table.pot], [bet for bet in table.bets if bet.seat in numbers]
    refunds = tuple(Refund(bet.seat, bet.amount - bet.promo - bet.chips, bet.promo, bet.chips) for bet in bets)
    plan, carry = plan_of(pot.documents), pot.commission_carries.get(table.casino, 0)
    undone: list[SealedBet] = []
    keeps = plan.ruleset.readings.void_undoes is VoidUndoes.NOTHING
    for bet in () if keeps else reversed(bets):
        commission = Money(0)
        if collects(state, pot):
            commission, carry = share(Money(-bet.amount), plan.shares.commission, carry)
        undone.append(SealedBet(bet.seat, -bet.amount, commission, 0))
    given = -sum(refund.total for refund in refunds) if keeps else 0
    flow = Flow({}, given, sum(bet.commission for bet in undone))
    assert pot.above, "R-28: of a pot that a neighbour owns"
    return HandsVoided(
        table.name, table.number, table.pot, table.casino, isinstance(asked, VoidPass), refunds, asked.reason,
        asked.by.person, True, flow, carry, pot.reserve_carries, tuple(reversed(undone)), pot.above,
    )  # fmt: skip


def hear_bets(state: State, neighbour: str, letter: BetsSealed) -> tuple[PassSealed]:
    """R-22, R-23: a pass of a neighbour's table, taken as the plan allots it; or not believed."""
    table, pot = away_table(state, neighbour, letter.pot, letter.table, letter.casino)
    _refuse_bets(pot, table, letter)
    inside = state.neighbours[neighbour].inside
    bets, carry, flow = _with_commission(pot, table.casino, letter.bets, inside)
    reserve_carries = pot.reserve_carries
    if not pot.above:
        bets, parts, reserve_carries = _allotted(pot, bets)
        flow = Flow(parts, 0, flow.commission)
    net = sum([bet.amount - bet.commission for bet in bets])
    assert net == sum(flow.parts.values()) or pot.above, "R-22: exactly"
    return (
        PassSealed(
            table.name, letter.number, pot.name, table.casino, bets, flow, carry, reserve_carries, letter.closed,
            dark=letter.dark, above=pot.above, plan=letter.plan,
        ),
    )  # fmt: skip


def away_table(state: State, neighbour: str, pot: str, table: str, casino: str) -> tuple[AwayTable, PotNow]:
    """R-9, R-28: a node speaks for its own tables only, and only of the pot that they feed."""
    name = here(table, neighbour)
    known = state.away.get(name)
    if known is None or known.pot != pot:
        raise Unbelieved(f"el plan no enlaza la mesa {name} al pozo {pot}")
    if known.casino != casino:
        raise Unbelieved(f"la mesa {name} es de {known.casino}, no de {casino}")
    assert pot in state.pots, "R-9: a table feeds a pot"
    return known, state.pots[pot]


def _refuse_bets(pot: PotNow, table: AwayTable, letter: BetsSealed) -> None:
    plan = plan_of(pot.documents)
    if letter.number <= table.number:
        raise Unbelieved(f"el pase {letter.number} de {table.name} no es posterior al {table.number}")
    if letter.plan != plan_hash(pot.documents):
        raise Unbelieved(f"el pase {letter.number} de {table.name} no se jugó con el plan vigente")
    seats = [bet.seat for bet in letter.bets]
    most = plan.ruleset.modalities[table.modality].seats
    if seats != sorted(set(seats)) or not all(1 <= seat <= most for seat in (*seats, *letter.dark)):
        raise Unbelieved(f"las posiciones {seats} de {table.name} no son de una mesa de {most}")
    credit, least, highest = plan.limits.credit_value, plan.limits.least, plan.limits.most
    for bet in letter.bets:
        fits = least <= bet.amount <= highest and bet.amount % credit == 0
        if not fits or bet.promo < 0 or bet.chips < 0 or bet.promo + bet.chips > bet.amount:
            raise Unbelieved(f"una apuesta de {bet.amount} en {table.name}/{bet.seat}: el plan no la permite")
        if bet.main or any(bet.reserves) or bet.overflow:
            raise Unbelieved(f"la apuesta de {table.name}/{bet.seat} viene repartida: eso hace el dueño del pozo")
    if not _DIGEST.fullmatch(letter.closed):
        raise Unbelieved(f"el pase {letter.number} de {table.name} no dice su huella")
    assert letter.table, "a table has a name"


def _with_commission(
    pot: PotNow, casino: str, bets: Iterable[SealedBet], inside: bool
) -> tuple[tuple[SealedBet, ...], int, Flow]:
    """R-23: taken here of what a box of this casino tells; or what the casino's node took, if that is exactly it."""
    plan, carry = plan_of(pot.documents), pot.commission_carries.get(casino, 0)
    taken: list[SealedBet] = []
    for bet in bets:
        commission, carry = share(Money(bet.amount), plan.shares.commission, carry)
        if bet.commission != (0 if inside else commission):
            raise Unbelieved(f"la comisión de {casino} sería {commission}, y dice {bet.commission}")
        taken.append(replace(bet, commission=commission) if inside else bet)
    assert carry >= 0, "R-23: a carry is a proper fraction"
    return tuple(taken), carry, Flow({}, 0, sum(bet.commission for bet in taken) if inside else 0)


def _allotted(pot: PotNow, bets: Sequence[SealedBet]) -> tuple[tuple[SealedBet, ...], dict[str, int], tuple[int, ...]]:
    """R-23, R-24: what is left of each bet, to the parts of the pot, in the order in which it is heard."""
    plan, before, carries = plan_of(pot.documents), money_of(pot), pot.reserve_carries
    given: list[tuple[Money, tuple[Money, ...]]] = []
    for bet in bets:
        reserves, main, carries = allot(plan.shares.reserves, carries, Money(bet.amount - bet.commission))
        given.append((main, reserves))
    money, overflows = pour_all(before, given, plan.ceiling)
    parted = [
        replace(bet, main=main, reserves=reserves, overflow=overflow)
        for bet, (main, reserves), overflow in zip(bets, given, overflows, strict=True)
    ]
    assert len(carries) == len(pot.reserves), "R-23: a carry for each reserve"
    return tuple(parted), parts_between(before, money), carries


def hear_over(state: State, neighbour: str, letter: PassOver) -> tuple[PassClosed]:
    """R-35: with the levels that the pot has now; a winner found later is settled on them."""
    table = state.away.get(here(letter.table, neighbour))
    if table is None or table.pot != letter.pot or (table.number, table.closed) != (letter.number, False):
        raise Unbelieved(f"el pase {letter.number} de {letter.table} no está por terminar")
    pot = state.pots[letter.pot]
    levels = None if pot.above else levels_of(money_of(pot))
    assert table.pot == pot.name, "R-9: a table feeds a pot"
    return (
        PassClosed(
            table.name, letter.number, f"{neighbour}/{letter.by}" if letter.by else "", pot.name, levels,
            letter.reviewed, pot.above,
        ),
    )  # fmt: skip


def hear_void(state: State, neighbour: str, letter: BetsVoided) -> tuple[HandsVoided]:
    """R-25: the contributions are undone; what the pot no longer has the house of that casino bears."""
    table, pot = away_table(state, neighbour, letter.pot, letter.table, letter.casino)
    known = {bet.seat: bet for bet in table.bets}
    if table.closed or table.number != letter.number:
        raise Unbelieved(f"el pase {letter.number} de {table.name} no está en curso")
    if letter.kept and plan_of(pot.documents).ruleset.readings.void_undoes is not VoidUndoes.NOTHING:
        raise Unbelieved(f"lo anulado en el pase {letter.number} de {table.name} no sigue la lectura del plan (R-33)")
    if any(bet.seat not in known or bet.amount != -known[bet.seat].amount for bet in letter.undone):
        raise Unbelieved(f"en el pase {letter.number} de {table.name} se anulan apuestas que no se contaron")
    bets = [known[bet.seat] for bet in letter.undone]
    undone, carries, flow = _undone(pot, table.casino, bets, letter, state.neighbours[neighbour].inside)
    refunds = tuple(Refund(bet.seat, bet.amount - bet.promo - bet.chips, bet.promo, bet.chips) for bet in bets)
    assert len(refunds) == len(letter.undone), "R-25: each bet once"
    flow, log = charged_as_told(state, pot.name, f"{table.name}/{letter.number}", flow)
    return (
        HandsVoided(
            table.name, letter.number, pot.name, table.casino, letter.whole_pass, refunds, letter.reason,
            f"{neighbour}/{letter.by}", True, flow, carries.commission, carries.reserves, undone, pot.above, log,
        ),
    )  # fmt: skip


def _undone(
    pot: PotNow, casino: str, bets: Sequence[SealedBet], letter: BetsVoided, inside: bool
) -> tuple[tuple[SealedBet, ...], Carries, Flow]:
    """R-25: what each bet had given, taken back from who has it; nothing, where the pots keep it (R-33)."""
    plan = plan_of(pot.documents)
    carries = Carries(pot.commission_carries.get(casino, 0), pot.reserve_carries)
    if plan.ruleset.readings.void_undoes is VoidUndoes.NOTHING:
        return (), carries, Flow()
    carry, undone = carries.commission, list[SealedBet]()
    for bet in reversed(letter.undone):
        commission, carry = share(Money(bet.amount), plan.shares.commission, carry)
        if bet.commission != (0 if inside else commission):
            raise Unbelieved(f"la comisión devuelta por {casino} sería {commission}, y dice {bet.commission}")
        undone.append(SealedBet(bet.seat, bet.amount, commission, 0))
    undone.reverse()
    taken = sum(bet.commission for bet in undone) if inside else 0
    if pot.above:
        return tuple(undone), carries._replace(commission=carry), Flow({}, 0, taken)
    booked = [BookedBet(bet.seat, Money(bet.amount), Money(bet.overflow)) for bet in bets]
    before = money_of(pot)
    voided = void_bets(plan.ruleset.readings, plan.shares, carries, before, booked)
    parted = [
        SealedBet(bet.seat, -bet.amount, back.commission, back.main, back.reserves, bet.overflow)
        for bet, back in zip(bets, voided.undone, strict=True)
    ]
    assert [one.commission for one in parted] == [one.commission for one in undone], "R-23: the same carry"
    return tuple(parted), voided.carries, Flow(parts_between(before, voided.pot), -voided.house, taken)


def sealed_away(state: State, fact: PassSealed) -> State:
    """R-22: the pot has its money; the table's valid bets are known until its pass is closed."""
    table = state.away[fact.table]
    assert fact.number > table.number, "R-5: one pass after the other"
    table = replace(table, number=fact.number, bets=fact.bets, dark=fact.dark, closed=False)
    state = replace(state, away={**state.away, table.name: table})
    if state.tells < DAYS_OF_BOXES:
        return state
    before = state.neighbours[neighbour_of(table.name)]
    known = before.plays(fact.pot)
    return state if known is before else replace(state, neighbours={**state.neighbours, known.name: known})


def voided_away(state: State, fact: HandsVoided) -> State:
    table = state.away[fact.table]
    gone = {refund.seat for refund in fact.refunds}
    assert table.number == fact.number, "R-25: of the pass in progress"
    bets = tuple(bet for bet in table.bets if bet.seat not in gone)
    table = replace(table, bets=bets, closed=fact.whole_pass)
    return replace(state, away={**state.away, table.name: table})


def passed_away(state: State, fact: PassClosed) -> State:
    table = state.away[fact.table]
    assert table.number == fact.number, "R-5: the pass that was sealed"
    return replace(state, away={**state.away, table.name: replace(table, bets=(), dark=(), closed=True)})
