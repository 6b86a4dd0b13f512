"""Every figure of a plan as one value: what the sheet prints, the JSON holds and the picture draws.

Theory. Exact figures are fractions and stay fractions; simulated ones say their seed and size beside them.
The three ways of showing a forecast only read it, so they cannot disagree.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from controller.rules.ruleset import Modality, Ruleset


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the linked tables play."""

    passes_per_hour: int
    seats: int

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
    """With the law's caps, in squares of the bet."""


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
        """What the main pot grows per unit wagered in bets of this size."""
        return self.plan.main_share - self.fixed_return

    def hours_between(self, category: Category) -> Fraction:
        """How long from one such prize to the next at the given pace."""
        return 1 / (chance(category) * self.pace.bets_per_hour(len(self.plan.tables)))


def forecast(plan: Plan, course: Course, pace: Pace, seed: int, after_each: Callable[[], object]) -> Forecast:
    """Compute every figure; `after_each` is called after every simulated path."""
    bet = course.bet
    worst = tuple(
        (modality, worst_pass(plan.ruleset, modality, plan.limits.most, plan.unit)) for modality in plan.modalities
    )
    break_even = _turning(plan, bet, Fraction(1))
    return Forecast(
        plan=plan,
        bet=bet,
        pace=pace,
        break_even=break_even,
        zero_drift=_turning(plan, bet, plan.main_share),
        returns=tuple(_point(plan, bet, pot) for pot in _pots(plan, bet, break_even)),
        worst=worst,
        pairs={modality.name: _pairs(plan.ruleset, modality) for modality in plan.modalities},
        solvency=simulate(plan, course, seed, after_each),
    )


def _turning(plan: Plan, bet: Money, wanted: Fraction) -> Turning:
    """The pot at which a bet returns as much as wanted."""
    pots = [pot_returning(ruleset, plan.unit, bet, wanted) for ruleset in (plan.ruleset, without_caps(plan.ruleset))]
    return Turning(*pots)


def _point(plan: Plan, bet: Money, pot: Money) -> Point:
    at = Fraction(pot)
    return Point(
        pot,
        expected_return(plan.ruleset, plan.unit, bet, at),
        expected_return(without_caps(plan.ruleset), plan.unit, bet, at),
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
        },
        "solvency": _solvency_json(solvency),
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
