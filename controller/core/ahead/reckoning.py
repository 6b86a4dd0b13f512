"""How the amounts of a claim came about, step by step, for whoever must see them before he confirms (R-11 to R-17).

Theory. `settle` says how much; a person who compares it with the paytable wants to see of what, shared by how many and
cut at which cap. Nothing is decided here: the awards are given, and what was taken from the main pot for each stands in
them; a screen multiplies and divides nothing.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from msgspec.structs import replace

from controller.core.project import prize_text
from controller.core.values import RegisteredAward
from controller.core.view import Reckoning
from controller.rules.cards import CATEGORIES
from controller.rules.money import PPM, Money, portion
from controller.rules.readings import Cap, RealAfterCap
from controller.rules.ruleset import Prize, Ruleset, Share


def reckoned(
    ruleset: Ruleset, main: int, awards: Sequence[RegisteredAward], bets: Mapping[int, int]
) -> dict[int, Reckoning]:
    """By the numbers of the awards, which are in paying order; `main` is what the main pot held before the first."""
    made: dict[int, Reckoning] = {}
    uncut: int | None = None
    for name, group in groupby(awards, key=attrgetter("prize")):
        prize, winners = ruleset.paytable[CATEGORIES[name]], list(group)
        plain = {one.number: Reckoning(_pays(ruleset, prize), bets[one.seat], main) for one in winners}
        if isinstance(prize, Share):
            uncut = main if uncut is None else uncut
            plain = _shared(ruleset, prize, uncut, winners, plain)
            uncut -= portion(Money(uncut), prize.ppm)
        made |= plain
        main -= sum(one.parts.get("main", 0) for one in winners)
    assert main >= 0, "R-18: no pot is ever negative"
    return made


def _pays(ruleset: Ruleset, prize: Prize) -> str:
    return prize_text(prize, ruleset.readings.per_unit)


def _shared(
    ruleset: Ruleset, prize: Share, uncut: int, winners: Sequence[RegisteredAward], plain: Mapping[int, Reckoning]
) -> dict[int, Reckoning]:
    """R-15 to R-17, R-33: a percentage with its winners; each his own cap, or all the smallest."""
    readings, least = ruleset.readings, min(one.bet for one in plain.values())
    made: dict[int, Reckoning] = {}
    for one in winners:
        bare = plain[one.number]
        of = uncut if prize.ppm == PPM and readings.real_after_cap is RealAfterCap.UNCUT else bare.left
        capped = least if readings.cap is Cap.CATEGORY else bare.bet
        cap = prize.cap_times * capped if prize.cap_times is not None and "R-17" in one.rules else 0
        total = portion(Money(of), prize.ppm)
        made[one.number] = replace(bare, of=of, total=total, among=len(winners), cap=cap)
    assert len(made) == len(winners), "R-16: each winner of the category"
    return made
