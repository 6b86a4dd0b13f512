"""A pot over many bets, many times: how high it stands, and whether it covers what it must pay.

Theory. Only passes with a winner need to be played; between them the pot grows by a sum that the exact
accrual gives in one step (R-23). So a path of 400,000 bets is some 1,500 deals, and each of them goes through
the real rules: real cards, `contribute`, `pour`, `settle`.

Passes with a winner are drawn without bias like this. In each pass, with chance seats x p, where p is the
chance that one hand wins, pick a seat, give it one of the winning hands, deal the others from the rest of the
deck, count the winners W, and keep the pass with chance 1/W. A deal with W winners is proposed W times as
often as it should be, and kept once in W. So hands that share community cards win together exactly as often
as they do at the table.

Complementary prizes of the pot fall in between (R-29): one at a chance after so many passes as chance says, one of once
a day at a moment of each day; what its part of the pot no longer holds the house gives.

Every path begins where a paid Escalera Real leaves the pot: at the base, the reserves empty. The caller
gives the source of chance, so a seed repeats a run.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from random import Random

from controller.rules.accrual import contribute, no_carries
from controller.rules.cards import CATEGORIES, DECK, Card, Category, classify, hands_of
from controller.rules.money import NOTHING, Money
from controller.rules.plan import Plan
from controller.rules.pot import Pot, Reserve, pour
from controller.rules.prize_cost import chance_in_pass
from controller.rules.prizes import PlannedPrize
from controller.rules.ruleset import Modality, Share
from controller.rules.settlement import Win, settle

MARKS = 120
"""At how many moments of a path the pot is written down."""


@dataclass(frozen=True, slots=True)
class Course:
    """What is played: so many bets of one size, so many seats betting in each pass, so many times."""

    bet: Money
    seats: int
    bets: int
    paths: int
    passes_an_hour: int = 140
    """At all tables together."""
    hours: int = 12
    """Of a gaming day."""

    @property
    def passes(self) -> int:
        return self.bets // self.seats

    @property
    def played(self) -> int:
        """The bets of whole passes."""
        return self.passes * self.seats

    @property
    def passes_a_day(self) -> int:
        return self.passes_an_hour * self.hours


@dataclass(frozen=True, slots=True)
class PathEnd:
    """One path: the main pot at each mark, and what it could not cover."""

    levels: tuple[int, ...]
    beyond_main: bool
    house_advance: int
    base_from_house: int
    awards: tuple[int, ...]
    """How many of each category were paid, by its number."""
    complementary: int = 0
    """What complementary prizes of the pot paid."""


@dataclass(frozen=True, slots=True)
class Solvency:
    """All paths together."""

    course: Course
    seed: int
    marks: tuple[int, ...]
    """After how many bets each level was written down."""
    ends: tuple[PathEnd, ...]

    @property
    def uncovered_by_main(self) -> int:
        """Paths in which some fixed or complementary prize was more than the main pot held."""
        return sum(end.beyond_main for end in self.ends)

    @property
    def uncovered_by_reserves(self) -> int:
        """Paths in which the house had to advance some of a prize (R-18)."""
        return sum(end.house_advance > 0 for end in self.ends)

    @property
    def base_from_house(self) -> int:
        """What the house put into bases, over all paths (R-19)."""
        return sum(end.base_from_house for end in self.ends)

    @property
    def complementary(self) -> int:
        """What complementary prizes of the pot paid, over all paths (R-29)."""
        return sum(end.complementary for end in self.ends)

    def level(self, mark: int, per_hundred: int) -> int:
        """The level that so many of a hundred paths stay under or at, at one mark."""
        levels = sorted(end.levels[mark] for end in self.ends)
        return levels[(len(levels) - 1) * per_hundred // 100]


class Dealer:
    """Deals passes that have a winner, without bias (see the theory above)."""

    def __init__(self, plan: Plan, seats: int, chance: Random) -> None:
        self._paid = frozenset(plan.ruleset.paytable)
        self._hands = [hand for category in plan.ruleset.paytable for hand in hands_of(category)]
        self._games = [table.modality for table in plan.tables]
        self._seats = seats
        self._chance = chance
        per_pass = seats * len(self._hands) / math.comb(52, 5)
        assert per_pass < 1
        self._log_quiet = math.log1p(-per_pass)

    def passes_to_next(self) -> int:
        """How many passes until the next one with a proposed deal, that one included."""
        return int(math.log(1.0 - self._chance.random()) / self._log_quiet) + 1

    def deal(self) -> list[tuple[int, Category]]:
        """The winning seats of a proposed pass, or none if it is not kept."""
        chance, seats = self._chance, self._seats
        game = self._games[int(chance.random() * len(self._games))]
        hand = self._hands[int(chance.random() * len(self._hands))]
        winners = self._winners(game, hand)
        if len(winners) > 1 and chance.random() * len(winners) >= 1.0:
            return []
        first = int(chance.random() * seats)
        return [((first + at) % seats + 1, category) for at, category in winners]

    def _winners(self, game: Modality, hand: tuple[Card, ...]) -> list[tuple[int, Category]]:
        """Seat 0 holds the hand; the others get random cards of the rest."""
        shared: tuple[Card, ...] = ()
        if game.community_cards:
            shared = tuple(self._chance.sample(hand, game.community_cards))
        held = set(hand)
        rest = [card for card in DECK if card not in held]
        own = game.own_cards
        cards = self._chance.sample(rest, own * (self._seats - 1))
        winners = [(0, classify(hand))]
        for at in range(self._seats - 1):
            category = classify((*shared, *cards[at * own : (at + 1) * own]))
            if category in self._paid:
                winners.append((at + 1, category))
        return winners


class Gifts:
    """When the complementary prizes of a pot fall, pass by pass; those of the house touch no pot."""

    def __init__(self, plan: Plan, course: Course, chance: Random) -> None:
        self._course, self._chance = course, chance
        self._prizes = [prize for prize in plan.prizes if not prize.is_promotional]
        games = [table.modality for table in plan.tables]
        self._falls = [
            float(sum(chance_in_pass(prize, game, course.seats) for game in games) / len(games))
            for prize in self._prizes
        ]
        self._due = [(self._next(which, 0), which) for which in range(len(self._prizes))]
        heapify(self._due)

    @property
    def next_at(self) -> float:
        """The number of the next pass in which one falls."""
        return self._due[0][0] if self._due else math.inf

    def fall(self) -> PlannedPrize:
        """The prize that is due first."""
        at, which = self._due[0]
        heapreplace(self._due, (self._next(which, at), which))
        return self._prizes[which]

    def _next(self, which: int, after: int) -> int:
        within = self._prizes[which].within_minutes
        if within is None:
            return after + _waits(self._falls[which], self._chance)
        a_day = self._course.passes_a_day
        days = (after + a_day - 1) // a_day  # those that have had theirs
        passes = max(min(self._course.passes_an_hour * within // 60, a_day), 1)
        return days * a_day + 1 + int(self._chance.random() * passes)


def _waits(chance: float, of: Random) -> int:
    """How many passes until something falls that falls so often."""
    return 1 if chance >= 1.0 else int(math.log(1.0 - of.random()) / math.log1p(-chance)) + 1


def most_seats(plan: Plan) -> int:
    """How many seats can bet in each pass at every linked table (R-7)."""
    return min(table.modality.seats for table in plan.tables)


def simulate(plan: Plan, course: Course, seed: int, after_each: Callable[[], object]) -> Solvency:
    """Play the course; `after_each` is called after every path."""
    assert 1 <= course.seats <= most_seats(plan) and course.passes >= MARKS
    chance = Random(seed)  # noqa: S311  (a repeatable run, not a draw that pays)
    dealer = Dealer(plan, course.seats, chance)
    passes_at = [course.passes * (mark + 1) // MARKS for mark in range(MARKS)]
    ends: list[PathEnd] = []
    for _ in range(course.paths):
        ends.append(_Path(plan, course).play(dealer, Gifts(plan, course, chance), passes_at))
        after_each()
    return Solvency(course, seed, tuple(passes * course.seats for passes in passes_at), tuple(ends))


class _Path:
    """One life of the pot."""

    def __init__(self, plan: Plan, course: Course) -> None:
        self._plan, self._course = plan, course
        self._pot = Pot(plan.base, plan.base, tuple(Reserve(name, NOTHING) for name in plan.reserve_names))
        self._carries = no_carries(plan.shares)
        self._beyond_main = False
        self._house = self._base_from_house = 0
        self._awards = [0] * (len(CATEGORIES) + 1)
        self._given = 0

    def play(self, dealer: Dealer, gifts: Gifts, passes_at: Sequence[int]) -> PathEnd:
        levels: list[int] = []
        played, winner = 0, dealer.passes_to_next()
        while len(levels) < len(passes_at):
            upcoming = int(min(winner, gifts.next_at))
            while len(levels) < len(passes_at) and passes_at[len(levels)] < upcoming:
                played = self._grow(played, passes_at[len(levels)])
                levels.append(self._pot.main)
            if len(levels) < len(passes_at):
                played = self._grow(played, upcoming)
                while gifts.next_at == upcoming:  # drawn when the pass is sealed, before its hands are known
                    self._give(gifts.fall())
                if winner == upcoming:
                    self._pay(dealer.deal())
                    winner = upcoming + dealer.passes_to_next()
        awards = tuple(self._awards)
        return PathEnd(tuple(levels), self._beyond_main, self._house, self._base_from_house, awards, self._given)

    def _grow(self, played: int, until: int) -> int:
        """The bets of these passes enter the pot, the last pass with them: its own bets are in before it is settled."""
        amount = Money((until - played) * self._course.seats * self._course.bet)
        given, self._carries = contribute(self._plan.shares, self._carries, amount)
        self._pot, _ = pour(self._pot, given.main, given.reserves, self._plan.ceiling)
        return until

    def _give(self, prize: PlannedPrize) -> None:
        """R-18, R-29: in full, from its part of the pot and then the house."""
        pot, owed, left = self._pot, prize.amount, 0
        if prize.source == "main":
            left = max(owed - pot.main, 0)
            self._pot = pot._replace(main=Money(pot.main - owed + left))
            self._beyond_main |= left > 0
        else:
            at = self._plan.reserve_names.index(prize.source)
            reserve = pot.reserves[at]
            left = max(owed - reserve.amount, 0)
            rest = reserve._replace(amount=Money(reserve.amount - owed + left))
            self._pot = pot._replace(reserves=(*pot.reserves[:at], rest, *pot.reserves[at + 1 :]))
        self._house += left
        self._given += owed

    def _pay(self, winners: list[tuple[int, Category]]) -> None:
        if not winners:
            return
        wins = [Win(category, seat, self._course.bet) for seat, category in winners]
        settled = settle(self._plan.ruleset, self._pot, wins, self._plan.unit)
        self._pot = settled.pot
        self._house += settled.house_advance
        for award in settled.awards:
            self._awards[award.category] += 1
            fixed = not isinstance(self._plan.ruleset.paytable[award.category], Share)
            self._beyond_main |= fixed and award.sources.main < award.amount
        if settled.reset is not None:
            self._base_from_house += settled.reset.house
