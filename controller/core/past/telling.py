"""A pot told again from an earlier instant, with what is known now to have been true (R-34, R-35).

Theory. A pot is what its facts made of it, one after the other: bets poured in, bets taken back, winners paid, prizes
drawn, money moved, plans changed. `Telling` goes through the same facts and settles each pass at its own place with the
winners that were true, so it ends with the pot as it would stand had all been right at once, and with what each winner
would have been owed. Two tellings, one with what was known before a correction and one with it, differ by exactly what
the correction moves.

A fact of the first reading that undid something (ClaimRejected) counts as it was recorded: it was right by the rules of
its day. This file decides nothing and knows no state.
"""

from collections.abc import Mapping
from typing import NamedTuple

from controller.core import facts as said
from controller.core.facts import Fact
from controller.core.past.claims import Pass
from controller.core.past.hands import Played, judge_hands
from controller.core.state import levels_of, plan_of
from controller.core.values import Documents, Hand, Levels, SealedBet, Unpaid
from controller.rules.accrual import Contribution
from controller.rules.cards import CATEGORIES
from controller.rules.claims import Judgement
from controller.rules.money import NOTHING, Money
from controller.rules.plan import Plan
from controller.rules.pot import Pot, Reserve, Sources, pour
from controller.rules.readings import VoidUndoes
from controller.rules.refusal import Refusal
from controller.rules.reversal import take_back
from controller.rules.settlement import Award, Win, settle

NOWHERE = Sources(NOTHING, (), NOTHING)
"""From where an award is paid that is not settled here."""


class Truth(NamedTuple):
    """R-34: what is known of a pass: its claim, all its hands, and who of them came too late for the pot (R-33)."""

    claim: str
    table: str
    number: int
    hands: tuple[Hand, ...]
    community: tuple[str, ...]
    late: frozenset[int] = frozenset()


def truth_of(fact: said.ClaimCorrected) -> Truth:
    return Truth(fact.claim, fact.table, fact.number, fact.hands, fact.community, frozenset(fact.late))


class Known(NamedTuple):
    """What is known of a pot's past: at its place (the number of a fact) what each corrected pass truly was; the prizes
    that were not won; and of the passes that were claimed the valid bets, and the seats whose lamp cost them theirs.
    `member`: this node, where it is practised on a copy of a neighbour's pot."""

    truths: dict[int, Truth]
    no_prizes: frozenset[str]
    bets: Mapping[Pass, tuple[SealedBet, ...]]
    dark: Mapping[Pass, tuple[int, ...]]
    member: str = ""


class Owed(NamedTuple):
    """R-34: what one claim's winners are owed in a telling, by seat, why the others are not, and the pot as the claim
    found it; or why its hands cannot be."""

    before: Levels
    awards: dict[int, Award]
    unpaid: tuple[Unpaid, ...] = ()
    refusal: Refusal | None = None


def pot_of(levels: Levels) -> Pot:
    assert levels.main >= 0, "R-18: no pot is ever negative"
    reserves = tuple(Reserve(name, Money(amount)) for name, amount in levels.reserves.items())
    return Pot(Money(levels.main), Money(levels.base), reserves)


class Telling:
    """One telling of a pot's past. Who came too late for the pot is not settled with it (R-33)."""

    def __init__(self, documents: Documents | None, money: Pot | None, known: Known) -> None:
        assert (documents is None) is (money is None), "R-26: a pot has its plan from its first fact on"
        self._documents, self._money, self.known = documents, money, known
        self.owed: dict[str, Owed] = {}
        self.overflows: dict[Pass, dict[int, Money]] = {}

    @property
    def money(self) -> Pot:
        assert self._money is not None, "R-24: a pot begins with its first plan"
        return self._money

    @property
    def plan(self) -> Plan:
        assert self._documents is not None, "R-24: a pot begins with its first plan"
        return plan_of(self._documents)

    def take(self, seq: int, fact: Fact) -> None:
        """The next fact of the record that concerns this pot."""
        truth = self.known.truths.get(seq)
        if truth is not None:
            self._settle_truth(truth)
        elif isinstance(fact, said.ClaimRegistered):
            if fact.log or fact.taken:
                self._told(fact)
            else:
                self._settle(fact.claim, self._wins_registered(fact))
        else:
            self._take(fact)

    def _take(self, fact: Fact) -> None:
        match fact:
            case said.PassSealed():
                self._poured(fact)
            case said.PassClosed():
                self.overflows.pop((fact.table, fact.number), None)
            case said.HandsVoided(sealed=True):
                self._taken_back(fact)
            case said.PrizeGranted():
                self._granted(fact)
            case said.MoneyMoved():
                self._moved(fact)
            case said.ClaimRejected() if fact.claim in self.owed:  # of the first reading: undone as it was recorded
                self._move(fact.flow.parts)
            case said.DisputeEnded(accepted=True, claim=""):
                self._move({"main": fact.amount})
            case said.PlanTookEffect():
                self._founded(fact)

    def wins(self, truth: Truth) -> tuple[Win, ...]:
        """Who wins, by the documents that hold at this place; nobody where the hands cannot be."""
        judged = self._judged(truth)
        return () if isinstance(judged, Refusal) else judged.wins

    def _judged(self, truth: Truth) -> Judgement | Refusal:
        assert self._documents is not None, "R-26: a pass has its documents"
        of = (truth.table, truth.number)
        dark, member = self.known.dark.get(of, ()), self.known.member
        played = Played(truth.table, self._documents, self.known.bets[of], dark, member)
        return judge_hands(played, truth.hands, truth.community)

    def _settle_truth(self, truth: Truth) -> None:
        judged = self._judged(truth)
        if isinstance(judged, Refusal):  # only of what is asked: what stands on record was judged
            self.owed[truth.claim] = Owed(levels_of(self.money), {}, refusal=judged)
            return
        # who came too late changes who pays, never an amount: the pot is moved without him.
        everybody = settle(self.plan.ruleset, self.money, judged.wins, self.plan.unit).awards
        self._settle(truth.claim, tuple(win for win in judged.wins if win.seat not in truth.late))
        unpaid = tuple(Unpaid(one.seat, one.reason.value) for one in judged.not_paid)
        awards = {award.seat: award for award in everybody}
        self.owed[truth.claim] = self.owed[truth.claim]._replace(awards=awards, unpaid=unpaid)

    def _wins_registered(self, fact: said.ClaimRegistered) -> tuple[Win, ...]:
        amounts = {bet.seat: bet.amount for bet in self.known.bets[fact.table, fact.number]} if fact.awards else {}
        return tuple(Win(CATEGORIES[one.prize], one.seat, Money(amounts[one.seat])) for one in fact.awards)

    def _settle(self, claim: str, wins: tuple[Win, ...]) -> None:
        """R-20: on the pot as it stands at this place."""
        settled = settle(self.plan.ruleset, self.money, wins, self.plan.unit)
        self.owed[claim] = Owed(levels_of(self.money), {award.seat: award for award in settled.awards})
        self._money = settled.pot

    def _told(self, fact: said.ClaimRegistered) -> None:
        """R-28: decided before a restore, or taken by two persons: its amounts are what was told, whatever is in the
        pot."""
        awards = {
            one.seat: Award(one.seat, CATEGORIES[one.prize], Money(one.amount), NOWHERE, one.rules)
            for one in fact.awards
        }
        self.owed[fact.claim] = Owed(levels_of(self.money), awards)
        was, now = fact.before, fact.after
        self._move({name: now.reserves[name] - amount for name, amount in was.reserves.items()})
        self._move({"main": now.main - was.main})

    def _founded(self, fact: said.PlanTookEffect) -> None:
        """R-24, R-26: a new pot begins with its base; an old one goes on under the new plan."""
        self._documents = Documents(fact.plan, fact.ruleset)
        names = self.plan.reserve_names
        if self._money is None:
            self._money = Pot(Money(fact.base_put_in), self.plan.base, tuple(Reserve(name, NOTHING) for name in names))
            return
        there = {reserve.name: reserve.amount for reserve in self._money.reserves}
        # A plan may drop a reserve only when it is empty; where this telling knows money in it, the main pot keeps it.
        left = sum(amount for name, amount in there.items() if name not in names)
        reserves = tuple(Reserve(name, there.get(name, NOTHING)) for name in names)
        self._money = Pot(Money(self._money.main + left), self.plan.base, reserves)

    def _poured(self, fact: said.PassSealed) -> None:
        """R-22, R-24: what each bet gave, with the ceiling as it meets this pot."""
        over: dict[int, Money] = {}
        for bet in fact.bets:
            reserves = tuple(map(Money, bet.reserves))
            self._money, over[bet.seat] = pour(self.money, Money(bet.main), reserves, self.plan.ceiling)
        self.overflows[fact.table, fact.number] = over

    def _taken_back(self, fact: said.HandsVoided) -> None:
        """R-25: the contributions of void bets."""
        if self.plan.ruleset.readings.void_undoes is VoidUndoes.NOTHING:
            return
        if not fact.undone:  # of the first reading: it counts as recorded
            self._move(fact.flow.parts)
            return
        over = self.overflows.get((fact.table, fact.number), {})
        for bet in reversed(fact.undone):
            back = Contribution(Money(bet.commission), tuple(map(Money, bet.reserves)), Money(bet.main))
            overflow = over.pop(bet.seat, Money(bet.overflow))
            self._money, _ = take_back(self.plan.ruleset.readings.shortfall_from, self.money, back, overflow)

    def _granted(self, fact: said.PrizeGranted) -> None:
        """R-18, R-29: from its part of the pot as far as that goes."""
        self.owed[fact.claim] = Owed(levels_of(self.money), {})
        if fact.claim in self.known.no_prizes:
            return
        for prize in self.plan.prizes:
            if prize.name == fact.prize and not fact.promo:
                self._move({prize.source: -fact.amount})

    def _moved(self, fact: said.MoneyMoved) -> None:
        """R-26: two persons moved it, whatever the part held in this telling; the house adds what it lacks."""
        self._move({fact.source: -fact.amount})
        self._move({fact.target: fact.amount})

    def _move(self, parts: Mapping[str, int]) -> None:
        """R-18: no part falls below nothing; the house gives the rest."""
        money = self.money
        main = max(money.main + parts.get("main", 0), 0)
        reserves = tuple(
            Reserve(one.name, Money(max(one.amount + parts.get(one.name, 0), 0))) for one in money.reserves
        )
        self._money = Pot(Money(main), money.base, reserves)
