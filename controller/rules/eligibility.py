"""Who takes part: a valid bet is one whose lamp was lit, and some acts lose it (R-6, R-8).

Theory. Two questions that must not be mixed. *Was there a bet in this pass?* decides over everything the
seat may win, the complementary prizes too (R-29). *Did the player forfeit?* decides over the pot alone, and
which acts forfeit is the modality's own list: an act that is not on it loses nothing (declining a base bet
in Go is not folding). An act that the game does not have at all never comes here: the claim is refused
(claims.py). The croupier's hand is not even an argument. Tables of other modalities share the pot under their own lists
(R-9). This file must not know cards or money moves.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from controller.rules.cards import Card, Category
from controller.rules.money import Money
from controller.rules.ruleset import Forfeit, Modality


class SeatRecord(NamedTuple):
    """What the record of a pass says of one seat when the table is closed and the cards are known."""

    seat: int
    bet: Money
    lamp: bool = True
    acts: frozenset[Forfeit] = frozenset()
    cards: tuple[Card, ...] | None = None
    claimed: Category = Category.NOTHING


class WhyUnpaid(StrEnum):
    """Why a seat of the pass is paid nothing, in the order in which it is asked."""

    NO_BET = "no_bet"
    LAMP = "lamp"
    FOLDED = "folded"
    EXCHANGED = "exchanged"
    BOUGHT = "bought"
    NO_CLAIM = "no_claim"
    NO_PRIZE = "no_prize"


RULES_OF: dict[WhyUnpaid, tuple[str, ...]] = {
    WhyUnpaid.NO_BET: ("R-1", "R-32"),
    WhyUnpaid.LAMP: ("R-6",),
    WhyUnpaid.FOLDED: ("R-8",),
    WhyUnpaid.EXCHANGED: ("R-8",),
    WhyUnpaid.BOUGHT: ("R-8",),
    WhyUnpaid.NO_CLAIM: ("R-32",),
    WhyUnpaid.NO_PRIZE: ("R-10", "R-11"),
}
assert set(RULES_OF) == set(WhyUnpaid), "every reason rests on a rule"

_ORDER = tuple((act, WhyUnpaid(act.value)) for act in Forfeit)


def has_valid_bet(record: SeatRecord) -> bool:
    """R-6: a bet whose lamp is not lit is not valid."""
    assert record.bet >= 0, "R-1: no bet is negative"
    return record.bet > 0 and record.lamp


def ineligible(modality: Modality, record: SeatRecord) -> WhyUnpaid | None:
    """R-6, R-8: why this seat cannot win the pot, or None if it can."""
    if record.bet == 0:
        return WhyUnpaid.NO_BET
    if not record.lamp:
        return WhyUnpaid.LAMP
    if record.acts:
        for act, unpaid in _ORDER:
            if act in record.acts and act in modality.forfeits:
                return unpaid
    return None


def complementary_seats(records: Iterable[SeatRecord]) -> list[int]:
    """R-29: every seat with a valid bet, also one that folded, exchanged or bought; in seat order."""
    seats = sorted(record.seat for record in records if has_valid_bet(record))
    assert len(set(seats)) == len(seats), "R-7: one bet for each seat"
    return seats
