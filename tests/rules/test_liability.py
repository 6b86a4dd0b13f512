"""Part 6.6: the worst that a pass can cost, dealt card by card, and nothing worse found (R-11, R-18)."""

import random
from dataclasses import replace
from itertools import combinations, permutations

import pytest

from controller.rules.cards import CARDS, DECK, WINNING, Category, classify
from controller.rules.liability import worst_pass
from controller.rules.money import Money
from controller.rules.pairs import _communities
from controller.rules.possible import LAYOUTS
from controller.rules.readings import PerUnitOwed, Readings
from controller.rules.ruleset import Share, Times

E, C, F, P = Category.ESCALERA, Category.COLOR, Category.FULL, Category.POKER


@pytest.mark.parametrize(
    ("modality", "times"), [("caribbean", 3_500), ("draw", 3_000), ("go", 1_150), ("texas_plus", 1_000)]
)
def test_6_6_the_worst_pass_in_bets(scj, modality, times):
    assert worst_pass(scj, scj.modalities[modality], Money(1000), Money(1)).amount == times * 1000


def test_6_6_by_construction(scj, arica):
    assert worst_pass(scj, scj.modalities["texas_plus"], Money(1), Money(1)).hands == ((P, 1), (F, 5))
    assert worst_pass(scj, scj.modalities["go"], Money(1), Money(1)).hands == ((P, 2), (C, 3))
    assert worst_pass(arica, arica.modalities["arica_plus"], Money(3000), Money(1000)).amount == 7 * 3 * 100_000


def test_r11_r33_where_an_amount_is_owed_once_the_dearest_pass_costs_it_once_a_seat(arica):
    once = replace(arica, readings=Readings(per_unit=PerUnitOwed.BET))
    assert worst_pass(once, once.modalities["arica_plus"], Money(3000), Money(1000)).amount == 7 * 100_000


def test_r18_a_law_without_fixed_prizes_owes_nothing_fixed(scj):
    shares = {category: prize for category, prize in scj.paytable.items() if isinstance(prize, Share)}
    worst = worst_pass(replace(scj, paytable=shares), scj.modalities["go"], Money(1), Money(1))

    assert worst == ((), 0)


def test_the_dearest_layout_depends_on_what_is_dear(scj):
    straights = replace(scj, paytable={E: Times(900, ""), C: Times(1, ""), F: Times(1, ""), P: Times(1000, "")})

    assert worst_pass(straights, scj.modalities["go"], Money(1), Money(1)).hands == ((P, 2), (E, 5))
    assert worst_pass(straights, scj.modalities["texas_plus"], Money(1), Money(1)).hands == ((E, 6),)
    assert worst_pass(straights, scj.modalities["draw"], Money(1), Money(1)).hands == ((P, 6),)


# Every layout dealt: (own cards, which layout): the community, a hand for each seat, and what they make.
DEALT = {
    (2, 0): ("2s 2h 2d", "2c 3c|3s 3h|4s 4h|5s 5h|6s 6h|7s 7h", [P, F, F, F, F, F]),
    (2, 1): ("2s 7s Qs", "3s 4s|5s 6s|8s 9s|Ts Js|Ks As", [C, C, C, C, C]),
    (3, 0): ("2s 2h", "2d 2c Ac|3s 3h 3d|4s 4h 4d|5s 5h 5d|6s 6h 6d|7s 7h 7d|8s 8h 8d", [P, F, F, F, F, F, F]),
    (3, 1): ("9s Ts", "9h 9d 9c|Th Td Tc|2s 3s 4s|5s 6s As|7s Js Ks|Jh Qh Kh|Jd Qd Kd", [P, P, C, C, C, E, E]),
    (3, 2): ("9s Ts", "9h 9d Th|9c Td Tc|2s 3s 4s|5s 6s As|7s Js Ks|Jh Qh Kh|Jd Qd Kd", [F, F, C, C, C, E, E]),
}


@pytest.mark.parametrize(("own", "at"), DEALT)
def test_every_layout_can_be_dealt(own, at):
    community, hands, made = DEALT[own, at]
    shared = [CARDS[name] for name in community.split()]
    dealt = [[CARDS[name] for name in hand.split()] for hand in hands.split("|")]
    every = [*shared, *(card for hand in dealt for card in hand)]

    assert len(set(every)) == len(every)
    assert [classify([*shared, *hand]) for hand in dealt] == made
    for category in set(made):
        assert made.count(category) <= LAYOUTS[own][at][category]
    for category in (P, C):
        assert made.count(category) == LAYOUTS[own][at].get(category, 0)


def makers_of(community, own):
    """For each fixed category, the own hands that make it over this community."""
    makers = {category: [] for category in (E, C, F, P)}
    for hand in combinations([card for card in DECK if card not in community], own):
        category = WINNING.get(sum(community) + sum(hand))
        if category in makers:
            makers[category].append(frozenset(hand))
    return makers


def packed(makers, order, seats, chance):
    """How many seats of each category a random packing reaches, the first ones before the others."""
    used, counts = set(), dict.fromkeys(order, 0)
    for category in order:
        for hand in chance.sample(makers[category], len(makers[category])):
            if sum(counts.values()) < seats and not used & hand:
                used |= hand
                counts[category] += 1
    return counts


@pytest.mark.parametrize(("own", "seats"), [(2, 6), (3, 7)])
def test_no_community_packs_more_than_some_layout(own, seats):
    """Goal: nothing dearer than LAYOUTS. Method: pack hands at random over the communities there are, each
    category first in turn, and demand that one layout covers what was reached."""
    chance = random.Random(66)
    for community, _ in _communities(5 - own):
        makers = makers_of(community, own)
        for order in permutations((E, C, F, P)):
            counts = packed(makers, order, seats, chance)
            covered = [all(counts[c] <= layout.get(c, 0) for c in counts) for layout in LAYOUTS[own]]
            assert any(covered), (community, counts)
