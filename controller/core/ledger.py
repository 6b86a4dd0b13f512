"""The ledger: what a fact moves between accounts, from the fact alone.

Theory. The lines of every fact add up to nothing. The cause stands in every line, because a pot may fall for a closed
list of causes only. The same functions serve the live node, replay, and whoever doubts a balance.

A fact of a shared pot moves money between a side below, the table's own accounts or the clearing with the neighbour
whose table it is, and a side above, the pot's own or the clearing with the neighbour who owns it (R-28).
"""

from collections.abc import Callable, Iterable, Iterator

from controller.core import facts as said
from controller.core.accounts import (
    SHARE,
    Posting,
    bets,
    cash,
    clearing,
    credits_,
    held,
    left,
    of_casino,
    owed,
    pot,
    promo,
    suspense,
)
from controller.core.links import lines
from controller.core.links.names import is_away, neighbour_of
from controller.core.past.lines import lines_of_corrected
from controller.core.values import TRAINING, Flow, Levels, Refund, RegisteredAward
from controller.rules.money import Money

POT_FALLS_BY = ("award", "base", "rejection", "void", "move", "prize", "training")
"""The closed list: nothing else can make a pot lower."""


def _till(fact: said.CreditsBought | said.CreditsCashed | said.LeftPaid) -> str:
    """R-36: a table that trains sells nothing for cash."""
    assert fact.table.startswith(TRAINING) or not fact.practice, "what is practised is no money"
    return f"practice:{fact.table}" if fact.practice else cash(fact.table)


Lines = Iterable[tuple[str, int]]


def _plan_took_effect(fact: said.PlanTookEffect) -> Lines:
    """R-24, R-28: by the house of the first table's casino, which may be a neighbour's; into the pot, or towards it."""
    assert fact.base_put_in >= 0, "R-24: a base is put in"
    house = of_casino("house", fact.pot, fact.casino)
    yield clearing(fact.pot, neighbour_of(fact.base_table)) if fact.base_table else house, -fact.base_put_in
    yield clearing(fact.pot, fact.above) if fact.above else pot(fact.pot, "main"), fact.base_put_in


def _bought(fact: said.CreditsBought) -> Lines:
    assert fact.amount > 0, "R-1: at least one credit"
    yield _till(fact), -fact.amount
    yield credits_(fact.table, fact.seat), fact.amount


def _cashed(fact: said.CreditsCashed) -> Lines:
    assert fact.amount > 0, "R-2: what is there"
    yield credits_(fact.table, fact.seat), -fact.amount
    yield _till(fact), fact.amount


def _left(fact: said.CreditsLeft) -> Lines:
    assert fact.amount >= 0 and fact.lapsed >= 0, "R-18: nothing is negative"
    yield credits_(fact.table, fact.seat), -fact.amount
    yield left(fact.table), fact.amount
    if fact.lapsed:
        yield promo(fact.table, fact.seat), -fact.lapsed
        yield of_casino("promo_issued", fact.pot, fact.casino), fact.lapsed


def _left_paid(fact: said.LeftPaid) -> Lines:
    assert fact.amount > 0, "something is handed back"
    yield left(fact.table), -fact.amount
    yield _till(fact), fact.amount


def _owed_paid(fact: said.OwedPaid) -> Lines:
    assert fact.amount > 0, "R-4: something is handed back"
    yield owed(fact.table, fact.seat), -fact.amount
    yield cash(fact.table), fact.amount


def _bet(fact: said.BetMade) -> Lines:
    assert 0 <= fact.promo <= fact.amount, "R-29: part of the bet"
    yield credits_(fact.table, fact.seat), fact.promo - fact.amount
    if fact.promo:
        yield promo(fact.table, fact.seat), -fact.promo
    yield bets(fact.table), fact.amount


def _chips(fact: said.ChipsFell) -> Lines:
    assert fact.bet + fact.owed == fact.amount, "R-4: no chip is lost"
    yield cash(fact.table), -fact.amount
    yield bets(fact.table), fact.bet
    yield owed(fact.table, fact.seat), fact.owed


def _to_seats(table: str, refunds: Iterable[Refund]) -> Lines:
    """R-25: back to the seat in the form in which it was bet."""
    for refund in refunds:
        assert refund.total > 0, "R-25: a bet is given back"
        yield credits_(table, refund.seat), refund.cash
        yield promo(table, refund.seat), refund.promo
        yield owed(table, refund.seat), refund.chips


def _one_bet_back(fact: said.LampChanged | said.SeatClosed | said.DeviceVoided) -> Lines:
    """R-6: out of the bets of the open pass."""
    assert fact.refund is None or fact.refund.seat == fact.seat, "R-25: to the seat that bet"
    if fact.refund is not None:
        yield bets(fact.table), -fact.refund.total
        yield from _to_seats(fact.table, [fact.refund])


def _counted(fact: said.SeatCounted) -> Lines:
    assert fact.found >= 0 and fact.booked >= 0, "R-18: nothing is negative"
    yield credits_(fact.table, fact.seat), fact.found - fact.booked
    yield suspense(fact.table), fact.booked - fact.found


def _cleared(fact: said.SuspenseCleared) -> Lines:
    assert fact.amount, "a difference"
    yield suspense(fact.table), fact.amount
    yield of_casino("house", fact.pot, fact.casino), -fact.amount


def _flow(name: str, casino: str, flow: Flow) -> Lines:
    assert 0 not in flow.parts.values(), "a part that does not move is left out"
    for part, amount in flow.parts.items():
        yield pot(name, part), amount
    if flow.house:
        yield of_casino("house", name, casino), flow.house
    if flow.commission:
        yield of_casino("commission", name, casino), flow.commission


def _sealed(fact: said.PassSealed) -> Lines:
    """R-22, R-28: what was wagered is commission, of this house or of the neighbour's, and what the pots receive."""
    assert all(bet.amount > 0 for bet in fact.bets), "R-1: a bet is something"
    wagered, returned = sum([bet.amount for bet in fact.bets]), sum([refund.total for refund in fact.returned])
    net = wagered - sum([bet.commission for bet in fact.bets])
    if is_away(fact.table):
        yield clearing(fact.pot, neighbour_of(fact.table)), -(net + fact.flow.commission)
    else:
        yield bets(fact.table), -(wagered + returned)
        yield from _to_seats(fact.table, fact.returned)
    if fact.above:
        yield clearing(fact.pot, fact.above), net
    yield from _flow(fact.pot, fact.casino, fact.flow)


def _voided(fact: said.HandsVoided) -> Lines:
    """R-25: before the seal the bets are still the table's own; after it the pot and the house give them back."""
    assert fact.sealed or not fact.flow.parts, "R-25: an unsealed bet is in no pot"
    given = sum(fact.flow.parts.values()) + fact.flow.commission
    if is_away(fact.table):
        net = -sum(bet.amount - bet.commission for bet in fact.undone) - fact.flow.commission
        yield clearing(fact.pot, neighbour_of(fact.table)), net if fact.above else -given
    else:
        if not fact.sealed:
            yield bets(fact.table), -sum(refund.total for refund in fact.refunds)
        yield from _to_seats(fact.table, fact.refunds)
    if fact.above:
        yield clearing(fact.pot, fact.above), sum(bet.amount - bet.commission for bet in fact.undone)
    yield from _flow(fact.pot, fact.casino, _of_this_book(fact.table, fact.flow))


def _of_this_book(table: str, flow: Flow) -> Flow:
    """R-28: what the house of a neighbour's casino bears stands in its book, and in the clearing with it."""
    assert flow.house <= 0 or not is_away(table), "R-18: the house puts in"
    return Flow(flow.parts, 0, flow.commission) if is_away(table) else flow


def _awards(table: str, name: str, casino: str, awards: Iterable[RegisteredAward]) -> Lines:
    """R-20: out of the pot at the instant it is registered, and held; or on its way to the neighbour who holds it."""
    for award in awards:
        assert sum(award.parts.values()) + award.house == award.amount, "R-18: owed in full"
        given = {part: -amount for part, amount in award.parts.items()}
        if is_away(table):
            yield clearing(name, neighbour_of(table)), award.amount - award.house
            yield from _flow(name, casino, Flow(given))
        else:
            yield held(name), award.amount
            yield from _flow(name, casino, Flow(given, -award.house))


def _total(levels: Levels) -> int:
    assert levels.main >= 0, "R-18: no pot is ever negative"
    return levels.main + sum(levels.reserves.values())


def _moved_by(fact: said.ClaimRegistered) -> int:
    """R-18, R-19: what the parts of the pot gave to the winners, and the base they were given back."""
    given = sum(sum(award.parts.values()) for award in fact.awards)
    assert given >= 0, "R-18: no award is negative"
    return (sum(fact.base_back.parts.values()) if fact.base_back else 0) - given


def _claim(fact: said.ClaimRegistered) -> Lines:
    assert _total(fact.after) == _total(fact.before) + _moved_by(fact), "R-15: what was won left the pot"
    yield from _awards(fact.table, fact.pot, fact.casino, fact.awards)


def _base(fact: said.ClaimRegistered) -> Lines:
    """R-19: the reserves and the house put the base back."""
    assert fact.base_back is None or fact.base_back.house <= 0, "R-19: the house puts in, or nothing"
    if fact.base_back is not None:
        yield from _flow(fact.pot, fact.casino, _of_this_book(fact.table, fact.base_back))
        if is_away(fact.table):
            yield clearing(fact.pot, neighbour_of(fact.table)), fact.base_back.house


def _rejected(fact: said.ClaimRejected) -> Lines:
    assert fact.held == sum(fact.flow.parts.values()) + fact.flow.house, "R-21: exactly what was held"
    yield held(fact.pot), -fact.held
    yield from _flow(fact.pot, fact.casino, fact.flow)


def _paid(fact: said.AwardPaid) -> Lines:
    """R-29: promotional credits are the house's; until they are on the seat nobody has anything of them. What a
    neighbour paid was held there."""
    assert fact.amount >= 0, "R-18: no award is negative"
    if is_away(fact.award.partition("/")[0]):
        return
    if fact.promo:
        yield from _given(fact.table, fact.seat, fact.amount, of_casino("promo_issued", fact.pot, fact.casino))
    else:
        yield held(fact.pot), -fact.amount
        yield of_casino("paid", fact.pot, fact.casino), fact.amount - fact.advanced
        yield of_casino("house", fact.pot, fact.casino), fact.advanced


def _advanced(fact: said.AwardAdvanced) -> Lines:
    """R-18, R-20: the player has it, and the house of his casino put it in until the award is decided."""
    yield of_casino("house", fact.pot, fact.casino), -fact.amount
    yield of_casino("paid", fact.pot, fact.casino), fact.amount


def _given(table: str, seat: int, amount: int, issued: str) -> Lines:
    assert amount > 0, "R-29: a prize is something"
    yield promo(table, seat), amount
    yield issued, -amount


def _late(fact: said.LateRegistered) -> Lines:
    assert all(award.house == award.amount for award in fact.awards), "R-34: from the house"
    yield from _awards(fact.claim.partition("/")[0], fact.pot, fact.casino, fact.awards)


def _prize(fact: said.PrizeGranted) -> Lines:
    """R-29: held like an award; promotional credits move nothing yet, or in the first reading were given at once."""
    assert fact.amount > 0, "R-29: a prize is something"
    if fact.promo:
        if not fact.held:
            yield from _given(fact.table, fact.seat, fact.amount, of_casino("promo_issued", fact.pot, fact.casino))
        return
    if is_away(fact.table):
        yield (
            clearing(fact.pot, neighbour_of(fact.table)),
            fact.amount if fact.above else -sum(fact.flow.parts.values()),
        )
    else:
        yield held(fact.pot), fact.amount
    if fact.above:
        yield clearing(fact.pot, fact.above), -fact.amount
    yield from _flow(fact.pot, fact.casino, _of_this_book(fact.table, fact.flow))


def _asked(fact: said.ClaimAsked) -> Lines:
    """R-20: what is certain is held at once, whatever the owner of the pot finds."""
    certain = sum(award.amount for award in fact.awards)
    assert certain >= 0, "R-18: no award is negative"
    yield held(fact.pot) if not is_away(fact.table) else clearing(fact.pot, neighbour_of(fact.table)), certain
    yield clearing(fact.pot, fact.above), -certain


def _decided(fact: said.ClaimDecided) -> Lines:
    """R-18, R-20: what waited is held now; what the pot could not give, and the base, this casino's house bears."""
    waited = sum(award.amount for award in fact.awards if award.number in fact.waited)
    house = sum(award.house for award in fact.awards)
    base = -fact.base_back.house if fact.base_back is not None else 0
    assert min(waited, house, base) >= 0, "R-18: nothing is negative"
    yield clearing(fact.pot, fact.above), house + base - waited
    if is_away(fact.table):
        yield clearing(fact.pot, neighbour_of(fact.table)), waited - house - base
    else:
        yield held(fact.pot), waited
        yield of_casino("house", fact.pot, fact.casino), -(house + base)


def _charged(fact: said.HouseCharged) -> Lines:
    """R-18, R-25: the house of the casino where it happened; on the way to it, the clearing with the next node."""
    assert fact.amount > 0, "R-18: the house bears something"
    yield clearing(fact.pot, fact.above), fact.amount
    if is_away(fact.table):
        yield clearing(fact.pot, neighbour_of(fact.table)), -fact.amount
    else:
        yield of_casino("house", fact.pot, fact.casino), -fact.amount


def _moved(fact: said.MoneyMoved) -> Lines:
    """From the house into a pot, or between the parts of a pot; R-28: to a casino that left, or from such a share."""
    assert fact.amount > 0 and fact.source != fact.target, "R-26: from one to another"
    source = fact.source if fact.source.startswith(SHARE) else pot(fact.pot, fact.source)
    if fact.source == "house":
        source = of_casino("house", fact.pot, fact.casino)
    yield source, -fact.amount
    if fact.target.startswith(SHARE):
        yield clearing(fact.pot, fact.target.removeprefix(SHARE)), fact.amount
    else:
        yield pot(fact.pot, fact.target), fact.amount


def _training_started(fact: said.TrainingStarted) -> Lines:
    assert fact.pot == fact.table, "training is a book of its own"
    put_in = fact.levels.main + sum(fact.levels.reserves.values())
    yield of_casino("house", fact.pot, fact.casino), -put_in
    yield pot(fact.pot, "main"), fact.levels.main
    for name, amount in fact.levels.reserves.items():
        yield pot(fact.pot, name), amount


def _training_ended(fact: said.TrainingEnded) -> Lines:
    assert sum(fact.closing.values()) == 0, "double entry: also in training"
    for account, balance in fact.closing.items():
        yield account, -balance


_ENTRIES: dict[type, tuple[tuple[str, Callable[..., Lines]], ...]] = {
    said.PlanTookEffect: (("base", _plan_took_effect),),
    said.CreditsBought: (("credits", _bought),),
    said.CreditsCashed: (("credits", _cashed),),
    said.CreditsLeft: (("credits", _left),),
    said.LeftPaid: (("credits", _left_paid),),
    said.OwedPaid: (("owed", _owed_paid),),
    said.BetMade: (("bet", _bet),),
    said.ChipsFell: (("bet", _chips),),
    said.LampChanged: (("void", _one_bet_back),),
    said.SeatClosed: (("void", _one_bet_back),),
    said.DeviceVoided: (("void", _one_bet_back),),
    said.SeatCounted: (("count", _counted),),
    said.SuspenseCleared: (("count", _cleared),),
    said.PassSealed: (("contribution", _sealed),),
    said.HandsVoided: (("void", _voided),),
    said.ClaimRegistered: (("award", _claim), ("base", _base)),
    said.ClaimAsked: (("award", _asked),),
    said.ClaimDecided: (("award", _decided),),
    said.HouseCharged: (("house", _charged),),
    said.ClaimRejected: (("rejection", _rejected),),
    said.ClaimCorrected: (("rejection", lines_of_corrected),),
    said.AwardPaid: (("paid", _paid),),
    said.AwardAdvanced: (("advance", _advanced),),
    said.LateRegistered: (("award", _late),),
    said.PrizeGranted: (("prize", _prize),),
    said.MoneyMoved: (("move", _moved),),
    said.TrainingStarted: (("training", _training_started),),
    said.TrainingEnded: (("training", _training_ended),),
    said.LetterDisputed: (("dispute", lines.disputed),),
    said.DisputeEnded: (("move", lines.dispute_ended),),
    said.DisputeHeard: (("dispute", lines.dispute_heard),),
    said.ShareHeard: (("move", lines.share_heard),),
    said.PotLeft: (("move", lines.pot_left),),
}


def postings(fact: said.Fact) -> tuple[Posting, ...]:
    """The lines of a fact's entry, those of nothing left out; they add up to nothing."""
    lines = tuple(_lines(fact))
    assert sum([line.amount for line in lines]) == 0, "double entry: the lines of a fact add up to nothing"
    return lines


def _lines(fact: said.Fact) -> Iterator[Posting]:
    for cause, entry in _ENTRIES.get(type(fact), ()):
        for account, amount in entry(fact):
            assert amount >= 0 or cause in POT_FALLS_BY or not account.startswith("pot:"), "a closed list of causes"
            if amount:
                yield Posting(account, Money(amount), cause)
