"""The double entry of each fact, derived a second time, and the books that its lines add up to.

Theory. Money is somewhere, always: what a fact says decides which accounts it moves, in which order and for which
cause, and the lines add up to nothing (R-27). The books are kept line by line from the first fact, so they know at
every fact what each account stands at, without asking the store's own balances, which are proven at the end.

Of a table of a neighbour this node has no money: what such a fact moves above lies, below, between us and him (R-28).
"""

from collections.abc import Callable, Iterable
from typing import Any

from controller.verify import facts as kinds
from controller.verify.facts import MOST, Fact, Flow, Granted, Refund
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.wrong import FoundWrong, shown

Line = tuple[str, int, str]

SHARE = "share:"
MAY_OWE = ("cash:", "practice:", "house:", "promo_issued:", "suspense:", "clearing:", "dispute:")
POT_FALLS_BY = ("award", "base", "rejection", "void", "move", "prize", "training")


def _flow(pot: str, casino: str, flow: Flow, cause: str) -> list[Line]:
    lines = [(f"pot:{pot}:{part}", amount, cause) for part, amount in flow.parts.items()]
    house = (f"house:{pot}:{casino}", flow.house, cause)
    return [*lines, house, (f"commission:{pot}:{casino}", flow.commission, cause)]


def _ours(table: str, flow: Flow) -> Flow:
    """R-18, R-28: what the house of a neighbour's casino bears stands in its own record."""
    return Flow(flow.parts, 0, flow.commission) if is_away(table) else flow


def _between(pot: str, neighbour: str, amount: int, cause: str) -> Line:
    return f"clearing:{pot}:{neighbour}", amount, cause


def _balancing(table: str, pot: str, lines: list[Line], cause: str) -> Line:
    """R-28: with the neighbour whose table it is, what these lines leave over."""
    return _between(pot, neighbour_of(table), -sum(line[1] for line in lines), cause)


def _back(table: str, refunds: Iterable[Refund], cause: str) -> list[Line]:
    lines: list[Line] = []
    for refund in refunds:
        lines.append((f"credits:{table}:{refund.seat}", refund.cash, cause))
        lines.append((f"promo:{table}:{refund.seat}", refund.promo, cause))
        lines.append((f"owed:{table}:{refund.seat}", refund.chips, cause))
    return lines


def _awards(table: str, pot: str, casino: str, awards: Iterable[Granted]) -> list[Line]:
    """R-20: held here, or by the neighbour at whose table it was won."""
    lines: list[Line] = []
    for award in awards:
        parts = [(f"pot:{pot}:{part}", -amount, "award") for part, amount in award.parts.items()]
        if is_away(table):
            lines += [_balancing(table, pot, parts, "award"), *parts]
        else:
            house = (f"house:{pot}:{casino}", -award.house, "award")
            lines += [(f"held:{pot}", award.amount, "award"), *parts, house]
    return lines


def _two(first: str, second: str, amount: int, cause: str) -> list[Line]:
    """Out of the first into the second."""
    return [(first, -amount, cause), (second, amount, cause)]


def _till(fact: kinds.CreditsBought | kinds.CreditsCashed | kinds.LeftPaid) -> str:
    """R-36: cash, or what stands for it where a table trains."""
    return f"{'practice' if fact.practice else 'cash'}:{fact.table}"


def _left(fact: kinds.CreditsLeft) -> list[Line]:
    seat = f"{fact.table}:{fact.seat}"
    lines = _two(f"credits:{seat}", f"left:{fact.table}", fact.amount, "credits")
    if not fact.lapsed:
        return lines
    return lines + _two(f"promo:{seat}", f"promo_issued:{fact.pot}:{fact.casino}", fact.lapsed, "credits")


def _in_force(fact: kinds.PlanTookEffect) -> list[Line]:
    """R-24, R-28: from the house of the first table's casino, which may be a neighbour's; into the pot, or towards
    it."""
    house = f"house:{fact.pot}:{fact.casino}"
    if fact.base_table:
        house = f"clearing:{fact.pot}:{neighbour_of(fact.base_table)}"
    pot = f"clearing:{fact.pot}:{fact.above}" if fact.above else f"pot:{fact.pot}:main"
    return _two(house, pot, fact.base_put_in, "base")


def _bet(fact: kinds.BetMade) -> list[Line]:
    return [
        (f"credits:{fact.table}:{fact.seat}", fact.promo - fact.amount, "bet"),
        (f"promo:{fact.table}:{fact.seat}", -fact.promo, "bet"),
        (f"bets:{fact.table}", fact.amount, "bet"),
    ]


def _chips(fact: kinds.ChipsFell) -> list[Line]:
    return [
        (f"cash:{fact.table}", -fact.amount, "bet"),
        (f"bets:{fact.table}", fact.bet, "bet"),
        (f"owed:{fact.table}:{fact.seat}", fact.owed, "bet"),
    ]


def _one_back(fact: kinds.LampChanged | kinds.SeatClosed | kinds.DeviceVoided) -> list[Line]:
    if fact.refund is None:
        return []
    return [(f"bets:{fact.table}", -fact.refund.total, "void"), *_back(fact.table, [fact.refund], "void")]


def _sealed(fact: kinds.PassSealed) -> list[Line]:
    """R-22, R-28: the commission is taken where it is taken; what is left of the bets goes up."""
    wagered = sum(bet.amount for bet in fact.bets)
    above = _flow(fact.pot, fact.casino, fact.flow, "contribution")
    if fact.above:
        net = wagered - sum(bet.commission for bet in fact.bets)
        above = [_between(fact.pot, fact.above, net, "contribution"), *above]
    if is_away(fact.table):
        return [_balancing(fact.table, fact.pot, above, "contribution"), *above]
    gone = wagered + sum(refund.total for refund in fact.returned)
    lines = [(f"bets:{fact.table}", -gone, "contribution"), *_back(fact.table, fact.returned, "contribution")]
    return lines + above


def _voided(fact: kinds.HandsVoided) -> list[Line]:
    above = _flow(fact.pot, fact.casino, _ours(fact.table, fact.flow), "void")
    if fact.above:
        net = sum(bet.amount - bet.commission for bet in fact.undone)
        above = [_between(fact.pot, fact.above, net, "void"), *above]
    if is_away(fact.table):
        return [_balancing(fact.table, fact.pot, above, "void"), *above]
    total = 0 if fact.sealed else sum(refund.total for refund in fact.refunds)
    return [(f"bets:{fact.table}", -total, "void"), *_back(fact.table, fact.refunds, "void"), *above]


def _claim(fact: kinds.ClaimRegistered) -> list[Line]:
    lines = _awards(fact.table, fact.pot, fact.casino, fact.awards)
    if fact.base_back is None:
        return lines
    base = _flow(fact.pot, fact.casino, _ours(fact.table, fact.base_back), "base")
    return [*lines, *base, *([_balancing(fact.table, fact.pot, base, "base")] if is_away(fact.table) else [])]


def _below(fact: kinds.ClaimAsked | kinds.ClaimDecided, amount: int) -> Line:
    """R-20: held here; or by the neighbour at whose table it was won."""
    if is_away(fact.table):
        return _between(fact.pot, neighbour_of(fact.table), amount, "award")
    return f"held:{fact.pot}", amount, "award"


def _asked(fact: kinds.ClaimAsked) -> list[Line]:
    certain = sum(award.amount for award in fact.awards)
    return [_below(fact, certain), _between(fact.pot, fact.above, -certain, "award")]


def _decided(fact: kinds.ClaimDecided) -> list[Line]:
    """R-18, R-19, R-20: what waited is owed now; this casino's house gives what the pot lacked and the base, unless
    its tables are a neighbour's."""
    waited = sum(award.amount for award in fact.awards if award.number in fact.waited)
    house = sum(award.house for award in fact.awards) - (fact.base_back.house if fact.base_back else 0)
    above = _between(fact.pot, fact.above, house - waited, "award")
    if is_away(fact.table):
        return [above, _below(fact, waited - house)]
    return [above, _below(fact, waited), (f"house:{fact.pot}:{fact.casino}", -house, "award")]


def _charged(fact: kinds.HouseCharged) -> list[Line]:
    lines = [_between(fact.pot, fact.above, fact.amount, "house")]
    if is_away(fact.table):
        return [*lines, _balancing(fact.table, fact.pot, lines, "house")]
    return [*lines, (f"house:{fact.pot}:{fact.casino}", -fact.amount, "house")]


def _rejected(fact: kinds.ClaimRejected) -> list[Line]:
    return [(f"held:{fact.pot}", -fact.held, "rejection"), *_flow(fact.pot, fact.casino, fact.flow, "rejection")]


def held_for_pass(fact: kinds.ClaimCorrected) -> int:
    """R-34: by how much what is held for the pass changes: by what pot and house give, less what others are owed."""
    if fact.above:
        return fact.held
    others = sum(award.amount for one in fact.resettled for award in one.awards)
    return -sum(fact.flow.parts.values()) - fact.flow.house - others


def _corrected(fact: kinds.ClaimCorrected) -> list[Line]:
    """R-34: what is held rises by all that is newly owed and falls by all that is cancelled, each where its table is;
    the house of the pass makes the sum, so its share goes the way of that pass."""
    held = [(one.table, sum(award.amount for award in one.awards)) for one in fact.resettled]
    away = is_away(fact.table)
    if fact.table:
        held.insert(0, (fact.table, held_for_pass(fact)))
    below: dict[str, int] = {}
    for at, (table, amount) in enumerate(held):
        account = f"clearing:{fact.pot}:{neighbour_of(table)}" if is_away(table) else f"held:{fact.pot}"
        house = fact.flow.house if at == 0 and away else 0
        below[account] = below.get(account, 0) + amount + house
    lines = [(account, amount, "rejection") for account, amount in below.items()]
    house_here = 0 if away else fact.flow.house
    if fact.above:
        lines.append(_between(fact.pot, fact.above, -sum(below.values()) - house_here, "rejection"))
    return lines + _flow(fact.pot, fact.casino, Flow(fact.flow.parts, house_here), "rejection")


def _disputed(fact: kinds.LetterDisputed) -> list[Line]:
    """R-28: the neighbour has booked it already; here it stands apart."""
    with_ = f"{fact.pot}:{fact.neighbour}"
    return _two(f"clearing:{with_}", f"dispute:{with_}", fact.amount, "dispute")


def _dispute_ended(fact: kinds.DisputeEnded) -> list[Line]:
    with_ = f"{fact.pot}:{fact.neighbour}"
    target = f"pot:{fact.pot}:main" if fact.accepted and not fact.claim else f"clearing:{with_}"
    return _two(f"dispute:{with_}", target, fact.amount, "move")


def _dispute_heard(fact: kinds.DisputeHeard) -> list[Line]:
    """R-28: what was not taken stays with the house that had sent it."""
    if fact.accepted:
        return []
    house = f"house:{fact.pot}:{fact.casino}"
    return _two(f"clearing:{fact.pot}:{fact.above}", house, fact.amount, "dispute")


def _pot_left(fact: kinds.PotLeft) -> list[Line]:
    """R-28: what was owed to its owner is the pot; what he owed, the house has lost."""
    parts = {"main": fact.after.main, **fact.after.reserves}
    lines = [(f"pot:{fact.pot}:{part}", amount, "move") for part, amount in parts.items()]
    lost = (f"house:{fact.pot}:{fact.casino}", min(fact.amount, 0), "move")
    return [_between(fact.pot, fact.above, -fact.amount, "move"), *lines, lost]


def _paid(fact: kinds.AwardPaid) -> list[Line]:
    if is_away(fact.award.partition("/")[0]):
        return []
    if fact.promo:
        return _credited(fact, "paid")
    handed = _two(f"held:{fact.pot}", f"paid:{fact.pot}:{fact.casino}", fact.amount, "paid")
    if not fact.advanced:
        return handed
    paid, house = handed[1], f"house:{fact.pot}:{fact.casino}"
    return [handed[0], (paid[0], paid[1] - fact.advanced, "paid"), (house, fact.advanced, "paid")]


def _credited(fact: kinds.AwardPaid | kinds.PrizeGranted, cause: str) -> list[Line]:
    """R-29: promotional credits on a seat."""
    issued = f"promo_issued:{fact.pot}:{fact.casino}"
    return [(f"promo:{fact.table}:{fact.seat}", fact.amount, cause), (issued, -fact.amount, cause)]


def _prize(fact: kinds.PrizeGranted) -> list[Line]:
    """R-29: held; promotional credits move nothing before they are paid, in the first reading at once."""
    if fact.promo:
        return [] if fact.held else _credited(fact, "prize")
    above = _flow(fact.pot, fact.casino, _ours(fact.table, fact.flow), "prize")
    if fact.above:
        above = [_between(fact.pot, fact.above, -fact.amount, "prize"), *above]
    if is_away(fact.table):
        return [_balancing(fact.table, fact.pot, above, "prize"), *above]
    return [(f"held:{fact.pot}", fact.amount, "prize"), *above]


def _moved(fact: kinds.MoneyMoved) -> list[Line]:
    """R-26; R-28: a share goes to its casino by the clearing, and there it comes from an account of its own."""
    source = f"house:{fact.pot}:{fact.casino}" if fact.source == "house" else f"pot:{fact.pot}:{fact.source}"
    if fact.source.startswith(SHARE):
        source = fact.source
    target = f"pot:{fact.pot}:{fact.target}"
    if fact.target.startswith(SHARE):
        target = f"clearing:{fact.pot}:{fact.target.removeprefix(SHARE)}"
    return _two(source, target, fact.amount, "move")


def _share(fact: kinds.ShareHeard) -> list[Line]:
    between = f"{fact.pot}:{fact.above}"
    return _two(f"clearing:{between}", f"{SHARE}{between}", fact.amount, "move")


def _training(fact: kinds.TrainingStarted) -> list[Line]:
    levels = {"main": fact.levels.main, **fact.levels.reserves}
    house = (f"house:{fact.pot}:{fact.casino}", -sum(levels.values()), "training")
    return [house, *((f"pot:{fact.pot}:{part}", amount, "training") for part, amount in levels.items())]


_LINES: dict[type, Callable[[Any], list[Line]]] = {
    kinds.PlanTookEffect: _in_force,
    kinds.CreditsBought: lambda f: _two(_till(f), f"credits:{f.table}:{f.seat}", f.amount, "credits"),
    kinds.CreditsCashed: lambda f: _two(f"credits:{f.table}:{f.seat}", _till(f), f.amount, "credits"),
    kinds.CreditsLeft: _left,
    kinds.LeftPaid: lambda f: _two(f"left:{f.table}", _till(f), f.amount, "credits"),
    kinds.OwedPaid: lambda f: _two(f"owed:{f.table}:{f.seat}", f"cash:{f.table}", f.amount, "owed"),
    kinds.BetMade: _bet,
    kinds.ChipsFell: _chips,
    kinds.LampChanged: _one_back,
    kinds.SeatClosed: _one_back,
    kinds.DeviceVoided: _one_back,
    kinds.SeatCounted: lambda f: _two(
        f"credits:{f.table}:{f.seat}", f"suspense:{f.table}", f.booked - f.found, "count"
    ),
    kinds.SuspenseCleared: lambda f: _two(f"house:{f.pot}:{f.casino}", f"suspense:{f.table}", f.amount, "count")[::-1],
    kinds.PassSealed: _sealed,
    kinds.HandsVoided: _voided,
    kinds.ClaimRegistered: _claim,
    kinds.ClaimAsked: _asked,
    kinds.ClaimDecided: _decided,
    kinds.HouseCharged: _charged,
    kinds.LetterDisputed: _disputed,
    kinds.DisputeEnded: _dispute_ended,
    kinds.DisputeHeard: _dispute_heard,
    kinds.ClaimRejected: _rejected,
    kinds.ClaimCorrected: _corrected,
    kinds.AwardPaid: _paid,
    kinds.AwardAdvanced: lambda f: _two(f"house:{f.pot}:{f.casino}", f"paid:{f.pot}:{f.casino}", f.amount, "advance"),
    kinds.LateRegistered: lambda f: _awards(f.claim.partition("/")[0], f.pot, f.casino, f.awards),
    kinds.PrizeGranted: _prize,
    kinds.MoneyMoved: _moved,
    kinds.ShareHeard: _share,
    kinds.PotLeft: _pot_left,
    kinds.TrainingStarted: _training,
    kinds.TrainingEnded: lambda f: [(account, -amount, "training") for account, amount in f.closing.items()],
}


def lines_of(fact: Fact) -> list[Line]:
    """What a fact moves: account, amount, cause, in their order; lines of nothing are not written."""
    derive = _LINES.get(type(fact))
    return [] if derive is None else [line for line in derive(fact) if line[1]]


class Books:
    """What every account stands at after the facts so far, and which fact moved it last."""

    def __init__(self) -> None:
        self.stands: dict[str, int] = {}
        self.moved_by: dict[str, int] = {}

    def at(self, account: str) -> int:
        return self.stands.get(account, 0)

    def enter(self, seq: int, lines: list[Line]) -> None:
        """R-18, R-27: lines add up to nothing, no account passes its bounds, a pot falls for a listed cause."""
        if sum(line[1] for line in lines):
            raise FoundWrong("R-27", "sus asientos no suman cero")
        for account, amount, cause in lines:
            if amount < 0 and cause not in POT_FALLS_BY and account.startswith("pot:"):
                raise FoundWrong("R-18", f"{shown(account)} baja por {cause}, que no está en la lista de causas")
            self.stands[account] = self.stands.get(account, 0) + amount
            self.moved_by[account] = seq
        for account, _, _ in lines:
            amount = self.stands[account]
            if not -MOST <= amount <= MOST or (amount < 0 and not account.startswith(MAY_OWE)):
                raise FoundWrong("R-18", f"{shown(account)} queda en {amount}")
