"""Every figure of a plan as one value: what the sheet prints, the JSON holds and the picture draws.

Theory. Exact figures are fractions and stay fractions; simulated ones say their seed and size beside them.
The three ways of showing a forecast only read it, so they cannot disagree.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from controller.approval.solvency import Course, Solvency, simulate
from controller.rules.cards import LABELS, Category
from controller.rules.liability import WorstPass, worst_pass
from controller.rules.money import Money
from controller.rules.odds import (
    HANDS,
    HITS,
    any_prize,
    chance,
    expected_return,
    fixed_return,
    owed_for,
    pot_returning,
    variance,
    without_caps,
)
from controller.rules.pairs import Pair, expected_pairs
from controller.rules.plan import Plan
from controller.rules.prize_cost import cost_of_day, cost_of_pass
from controller.rules.ruleset import Modality, Ruleset

HOUSE = "house"
"""R-29: who gives promotional credits."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the linked tables play, and how many hours a gaming day has."""

    passes_per_hour: int
    seats: int
    hours: int = 12

    def bets_per_hour(self, tables: int) -> int:
        return self.passes_per_hour * self.seats * tables


@dataclass(frozen=True, slots=True)
class Turning:
    """The pots at which something changes sign, with the law's caps and without (None: no pot does)."""

    capped: Fraction | None
    uncapped: Fraction | None


@dataclass(frozen=True, slots=True)
class Point:
    """The return of a bet at one pot."""

    pot: Money
    capped: Fraction
    uncapped: Fraction
    variance: Fraction
    """Of the hands, with the law's caps, in squares of the bet."""


@dataclass(frozen=True, slots=True)
class PrizeCost:
    """R-29: what the complementary prizes cost at a pace, by who pays them."""

    by_source: Mapping[str, Fraction]
    """In a pass, on average over the tables."""
    wagered: Money
    """In a pass."""

    def of(self, source: str) -> Fraction:
        """In parts of what is wagered."""
        return self.by_source.get(source, Fraction(0)) / self.wagered

    @property
    def in_money(self) -> Fraction:
        """What a bet returns on average of itself through them, in cash or chips; promotional credits are no money."""
        return sum((self.of(source) for source in self.by_source if source != HOUSE), Fraction(0))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What can be known of a plan before its first bet."""

    plan: Plan
    bet: Money
    pace: Pace
    break_even: Turning
    zero_drift: Turning
    returns: tuple[Point, ...]
    worst: tuple[tuple[Modality, WorstPass], ...]
    pairs: Mapping[str, Mapping[Pair, Fraction]]
    solvency: Solvency
    prizes: PrizeCost
    prizes_alone: PrizeCost
    """Where in every pass one seat bets the least."""

    @property
    def worst_at_once(self) -> Money:
        """The dearest pass at every linked table, all locked at the same time, all at the maximum bet."""
        cost = {modality.name: worst.amount for modality, worst in self.worst}
        return Money(sum(cost[table.modality.name] for table in self.plan.tables))

    @property
    def fixed_return(self) -> Fraction:
        """R-11: what the fixed prizes return of a bet of this size."""
        return fixed_return(self.plan.ruleset, owed_for(self.plan.ruleset, self.plan.unit, self.bet))

    @property
    def growth(self) -> Fraction:
        """What the main pot grows per unit wagered at this pace in bets of this size, its complementary prizes paid."""
        return self.plan.main_share - self.fixed_return - self.prizes.of("main")

    @property
    def growth_alone(self) -> Fraction:
        """The same where in every pass one seat bets the least: complementary prizes cost most then."""
        return self.plan.growth - self.prizes_alone.of("main")

    @property
    def least_wagered(self) -> Fraction:
        """How much a pass must bring for the main pot to grow at all, in bets of this size."""
        by_hands = self.plan.main_share - self.fixed_return
        return self.prizes.by_source.get("main", Fraction(0)) / by_hands

    def reserve_growth(self, name: str) -> Fraction:
        """What a reserve grows per unit wagered at this pace, its complementary prizes paid."""
        return self.plan.reserve_shares[name] - self.prizes.of(name)

    def hours_between(self, category: Category) -> Fraction:
        """How long from one such prize to the next at the given pace."""
        return 1 / (chance(category) * self.pace.bets_per_hour(len(self.plan.tables)))


def forecast(plan: Plan, course: Course, pace: Pace, seed: int, after_each: Callable[[], object]) -> Forecast:
    """Compute every figure; `after_each` is called after every simulated path."""
    bet = course.bet
    worst = tuple(
        (modality, worst_pass(plan.ruleset, modality, plan.limits.most, plan.unit)) for modality in plan.modalities
    )
    prizes = _prize_cost(plan, pace, bet)
    break_even = _turning(plan, bet, 1 - prizes.in_money)
    return Forecast(
        plan=plan,
        bet=bet,
        pace=pace,
        break_even=break_even,
        zero_drift=_turning(plan, bet, plan.main_share - prizes.of("main")),
        returns=tuple(_point(plan, bet, pot, prizes.in_money) for pot in _pots(plan, bet, break_even)),
        worst=worst,
        pairs={modality.name: _pairs(plan.ruleset, modality) for modality in plan.modalities},
        solvency=simulate(plan, course, seed, after_each),
        prizes=prizes,
        prizes_alone=_prize_cost(plan, replace(pace, seats=1), plan.limits.least),
    )


def _prize_cost(plan: Plan, pace: Pace, bet: Money) -> PrizeCost:
    games = [table.modality for table in plan.tables]
    passes_a_day = pace.passes_per_hour * pace.hours * len(games)
    cost: dict[str, Fraction] = {}
    for source in dict.fromkeys(prize.source for prize in plan.prizes):
        paid = [prize for prize in plan.prizes if prize.source == source]
        in_passes = sum((cost_of_pass(paid, game, pace.seats) for game in games), Fraction(0)) / len(games)
        cost[source] = in_passes + Fraction(cost_of_day(paid), passes_a_day)
    return PrizeCost(cost, Money(pace.seats * bet))


def _turning(plan: Plan, bet: Money, wanted: Fraction) -> Turning:
    """The pot at which a bet returns as much as wanted."""
    pots = [pot_returning(ruleset, plan.unit, bet, wanted) for ruleset in (plan.ruleset, without_caps(plan.ruleset))]
    return Turning(*pots)


def _point(plan: Plan, bet: Money, pot: Money, by_prizes: Fraction) -> Point:
    """The hands at this pot, and what complementary prizes return beside them."""
    at = Fraction(pot)
    return Point(
        pot,
        expected_return(plan.ruleset, plan.unit, bet, at) + by_prizes,
        expected_return(without_caps(plan.ruleset), plan.unit, bet, at) + by_prizes,
        variance(plan.ruleset, plan.unit, bet, at),
    )


_STEPS = 12


def _pots(plan: Plan, bet: Money, break_even: Turning) -> list[Money]:
    """Pots from nothing to a little past the break-even, in steps a person would choose."""
    far = max(break_even.capped or 0, break_even.uncapped or 0, plan.base, 100 * bet)
    raw = int(far * 5 / 4) // _STEPS + 1
    size = 10 ** (len(str(raw)) - 1)
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= raw)
    return [Money(step * at) for at in range(_STEPS + 1)]


def _pairs(ruleset: Ruleset, modality: Modality) -> Mapping[Pair, Fraction]:
    """The expected pairs of winners of the categories this law pays, impossible ones too."""
    expected = expected_pairs(modality.own_cards, modality.seats)
    paid = list(ruleset.paytable)
    both = [(one, other) for at, one in enumerate(paid) for other in paid[at:]]
    return {pair: expected.get(pair, Fraction(0)) for pair in both}


def as_json(figures: Forecast) -> dict[str, object]:
    """The forecast for programs; every exact figure as a fraction and as a decimal beside it."""
    plan, solvency = figures.plan, figures.solvency
    return {
        "plan": plan.name,
        "ruleset": plan.ruleset.name,
        "bet": figures.bet,
        "hands": HANDS,
        "odds": {
            LABELS[category]: {
                "hits": HITS[category],
                "chance": _exact(chance(category)),
                "hours_between": _exact(figures.hours_between(category)),
            }
            for category in plan.ruleset.paytable
        },
        "any_prize": _exact(any_prize(plan.ruleset)),
        "modalities": {
            modality.name: {
                "seats": modality.seats,
                "worst_pass": {
                    "amount": worst.amount,
                    "hands": {LABELS[category]: count for category, count in worst.hands},
                },
                "expected_pairs": {
                    f"{LABELS[one]}+{LABELS[other]}": _exact(expected)
                    for (one, other), expected in figures.pairs[modality.name].items()
                },
            }
            for modality, worst in figures.worst
        },
        "worst_at_once": figures.worst_at_once,
        "fixed_return": _exact(figures.fixed_return),
        "main_share": _exact(plan.main_share),
        "growth": _exact(figures.growth),
        "complementary": _prizes_json(figures),
        "break_even_pot": _turning_json(figures.break_even),
        "zero_drift_pot": _turning_json(figures.zero_drift),
        "returns": [
            {
                "pot": point.pot,
                "capped": _exact(point.capped),
                "uncapped": _exact(point.uncapped),
                "variance": _exact(point.variance),
            }
            for point in figures.returns
        ],
        "pace": {
            "passes_per_hour": figures.pace.passes_per_hour,
            "seats": figures.pace.seats,
            "tables": len(plan.tables),
            "hours": figures.pace.hours,
        },
        "solvency": _solvency_json(solvency),
    }


def _prizes_json(figures: Forecast) -> dict[str, object]:
    """R-29: what the plan draws, and what it costs whom in parts of what is wagered."""
    return {
        "prizes": [
            {"name": prize.name, "amount": prize.amount, "from": prize.source, "paid_in": prize.paid_in.value}
            for prize in figures.plan.prizes
        ],
        "cost": {source: _exact(figures.prizes.of(source)) for source in figures.prizes.by_source},
        "return": _exact(figures.prizes.in_money),
    }


def _solvency_json(solvency: Solvency) -> dict[str, object]:
    course = solvency.course
    return {
        "seed": solvency.seed,
        "bet": course.bet,
        "seats": course.seats,
        "bets": course.played,
        "paths": course.paths,
        "paths_uncovered_by_main": solvency.uncovered_by_main,
        "paths_with_house_advance": solvency.uncovered_by_reserves,
        "complementary_mean": solvency.complementary // course.paths,
        "base_from_house_mean": solvency.base_from_house // course.paths,
        "pot_after": [
            {
                "bets": bets,
                **{f"p{per_hundred}": solvency.level(mark, per_hundred) for per_hundred in (5, 25, 50, 75, 95)},
            }
            for mark, bets in enumerate(solvency.marks)
        ],
    }


def _exact(figure: Fraction) -> dict[str, object]:
    return {"exact": f"{figure.numerator}/{figure.denominator}", "value": figure.numerator / figure.denominator}


def _turning_json(turning: Turning) -> dict[str, object]:
    return {
        name: None if pot is None else _exact(pot)
        for name, pot in (("capped", turning.capped), ("uncapped", turning.uncapped))
    }
