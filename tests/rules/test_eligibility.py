"""R-6, R-8, R-9, R-29: who takes part, modality by modality."""

import pytest

from controller.rules.eligibility import RULES_OF, SeatRecord, WhyUnpaid, complementary_seats, has_valid_bet, ineligible
from controller.rules.money import Money
from controller.rules.ruleset import Forfeit

# R-8, the table of rules.md: what loses the progressive bet.
TABLE = {
    ("scj-2023", "draw"): {"exchanged", "folded"},
    ("scj-2023", "caribbean"): {"folded"},
    ("scj-2023", "caribbean_plus"): {"bought", "exchanged", "folded"},
    ("scj-2023", "go"): set(),
    ("scj-2023", "texas_plus"): {"folded"},
    ("aj-bolivia", "draw"): {"exchanged", "folded"},
    ("aj-bolivia", "caribbean"): {"folded"},
    ("aj-bolivia", "go"): set(),
    ("arica-2017", "draw"): {"exchanged"},
    ("arica-2017", "arica_plus"): {"bought", "exchanged", "folded"},
}

# what a player of each game can do at all; only Go's "no ir" forfeits nothing.
ACTS = {
    "draw": {"exchanged", "folded"}, "caribbean": {"folded"}, "caribbean_plus": {"bought", "exchanged", "folded"},
    "go": {"folded"}, "texas_plus": {"folded"}, "arica_plus": {"bought", "exchanged", "folded"},
}  # fmt: skip

SEATS = {"draw": 6, "caribbean": 7, "caribbean_plus": 7, "go": 7, "texas_plus": 6, "arica_plus": 7}
CARDS = {"go": (3, 2), "texas_plus": (2, 3)}


def record(bet=1000, lamp=True, acts=()):
    return SeatRecord(1, Money(bet), lamp, frozenset(Forfeit(act) for act in acts))


def test_r8_r9_every_law_has_exactly_the_modalities_of_the_table(rulesets):
    assert {(name, modality) for name, ruleset in rulesets.items() for modality in ruleset.modalities} == set(TABLE)


@pytest.mark.parametrize(("law", "modality"), TABLE, ids="/".join)
def test_r7_r8_seats_cards_and_forfeits_of_each_modality(rulesets, law, modality):
    game = rulesets[law].modalities[modality]

    assert game.seats == SEATS[modality]
    assert (game.own_cards, game.community_cards) == CARDS.get(modality, (5, 0))
    assert game.acts == ACTS[modality]
    for act in Forfeit:
        reason = ineligible(game, record(acts=[act]))
        assert (reason is not None) == (act.value in TABLE[law, modality])
        assert reason in (None, WhyUnpaid(act.value))


def test_r6_an_unlit_lamp_makes_the_bet_invalid_whatever_else_happened(scj):
    game = scj.modalities["draw"]

    assert ineligible(game, record(lamp=False)) is WhyUnpaid.LAMP
    assert ineligible(game, record(lamp=False, acts=["folded"])) is WhyUnpaid.LAMP
    assert ineligible(game, record(bet=0, lamp=False)) is WhyUnpaid.NO_BET
    assert ineligible(game, record(bet=0)) is WhyUnpaid.NO_BET
    assert ineligible(game, record(bet=1)) is None


def test_r8_of_several_acts_the_first_that_forfeits_is_named(scj):
    assert ineligible(scj.modalities["draw"], record(acts=["exchanged", "folded"])) is WhyUnpaid.FOLDED
    assert ineligible(scj.modalities["draw"], record(acts=["exchanged", "bought"])) is WhyUnpaid.EXCHANGED
    assert ineligible(scj.modalities["caribbean_plus"], record(acts=["exchanged", "bought"])) is WhyUnpaid.EXCHANGED


def test_r29_complementary_prizes_are_for_every_valid_bet_also_a_forfeited_one():
    records = [
        SeatRecord(5, Money(1000), acts=frozenset(Forfeit)),
        SeatRecord(2, Money(1)),
        SeatRecord(3, Money(0)),
        SeatRecord(4, Money(1000), lamp=False),
    ]

    assert complementary_seats(records) == [2, 5]
    assert [has_valid_bet(record) for record in records] == [True, True, False, False]


def test_every_reason_has_its_rules():
    assert set(RULES_OF) == set(WhyUnpaid)
