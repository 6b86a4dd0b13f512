"""R-10: every hand there is, hand for hand as foreign evaluators see it."""

import random
from collections import Counter
from itertools import combinations

import pytest

from controller.rules.cards import CARDS, CATEGORIES, DECK, LABELS, NAMES, Category, classify, hands_of, printed
from controller.rules.odds import HITS
from support.core import model
from support.drivers import peers

NAMES_IN_ORDER = list(CARDS)


def made(text):
    return LABELS[classify(CARDS[card] for card in text.split())]


@pytest.fixture(scope="module")
def all_categories():
    """The category of every five-card hand, in the order of `combinations`."""
    return [classify(hand) for hand in combinations(DECK, 5)]


def test_r10_all_2598960_hands_fall_as_every_text_book_says(all_categories):
    counts = Counter(all_categories)

    assert len(all_categories) == 2_598_960
    assert [counts[category] for category in sorted(Category, reverse=True)] == [
        4, 36, 624, 3_744, 5_108, 10_200, 2_598_960 - 19_716,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("As Ks Qs Js Ts", "escalera_real"),
        ("9h Th Jh Qh Kh", "escalera_color"),  # the highest
        ("Ad 2d 3d 4d 5d", "escalera_color"),  # the lowest
        ("Kd Ad 2d 3d 4d", "color"),  # a sequence does not go around the corner
        ("4s 4h 4d 4c As", "poker"),
        ("4s 4h 4d Ac As", "full"),
        ("2c 5c 7c Jc Kc", "color"),
        ("As Kd Qs Js Ts", "escalera"),
        ("Ac 2d 3d 4d 5d", "escalera"),
        ("Qc Kd Ad 2d 3d", "nothing"),
        ("4s 4h 4d Kc As", "nothing"),
        ("4s 4h Kd Kc As", "nothing"),
        ("2s 4h 6d 8c Ts", "nothing"),
    ],
)
def test_r10_a_hand_is_its_highest_category_only(cards, category):
    assert made(cards) == category


def test_r10_order_and_names_of_the_suits_change_nothing():
    chance = random.Random(10)
    for _ in range(5_000):
        hand = chance.sample(NAMES_IN_ORDER, 5)
        renamed = dict(zip("cdhs", chance.sample("cdhs", 4), strict=True))
        other = [card[0] + renamed[card[1]] for card in chance.sample(hand, 5)]

        assert made(" ".join(hand)) == made(" ".join(other))


def test_r10_the_model_agrees_on_random_hands():
    chance = random.Random(11)
    for _ in range(20_000):
        hand = chance.sample(NAMES_IN_ORDER, 5)

        assert made(" ".join(hand)) == (model.hand_of(hand) or "nothing")


def test_r10_the_hands_of_a_category_are_those_of_the_whole_deck():
    for category in set(Category) - {Category.NOTHING}:
        hands = hands_of(category)
        assert len({frozenset(hand) for hand in hands}) == len(hands)
        assert all(classify(hand) is category for hand in hands)
        assert len(hands) == HITS[category]


def test_names_and_cards_are_one_to_one():
    assert len(CARDS) == len(NAMES) == len(set(DECK)) == 52
    assert all(CARDS[NAMES[card]] == card for card in DECK)
    assert set(CATEGORIES.values()) == set(Category) - {Category.NOTHING}


# Foreign witnesses: what each calls a hand, as our category. None knows a name for the royal flush.


def _by_treys():
    treys = peers.library("treys")
    evaluator = treys.Evaluator()
    cards = [treys.Card.new(name) for name in NAMES_IN_ORDER]
    classes = {1: Category.ESCALERA_COLOR, 2: Category.POKER, 3: Category.FULL, 4: Category.COLOR, 5: Category.ESCALERA}

    def category(hand):
        rank = evaluator.evaluate([], list(hand))
        if rank == 1:
            return Category.ESCALERA_REAL
        return classes.get(evaluator.get_rank_class(rank), Category.NOTHING)

    return cards, category


def _by_phevaluator():
    phevaluator = peers.library("phevaluator")
    cards = [phevaluator.Card.to_id(name) for name in NAMES_IN_ORDER]
    last_of = [(1, 6), (10, 5), (166, 4), (322, 3), (1599, 2), (1609, 1), (7462, 0)]
    table = [None] + [Category(next(c for last, c in last_of if rank <= last)) for rank in range(1, 7463)]
    return cards, lambda hand: table[phevaluator.evaluate_cards(*hand)]


def _by_eval7():
    eval7 = peers.library("eval7")
    cards = [eval7.Card(name) for name in NAMES_IN_ORDER]
    names = {
        "Straight Flush": Category.ESCALERA_COLOR, "Quads": Category.POKER, "Full House": Category.FULL,
        "Flush": Category.COLOR, "Straight": Category.ESCALERA,
    }  # fmt: skip
    royal = eval7.evaluate([eval7.Card(name) for name in ["As", "Ks", "Qs", "Js", "Ts"]])

    def category(hand):
        value = eval7.evaluate(hand)
        return Category.ESCALERA_REAL if value == royal else names.get(eval7.handtype(value), Category.NOTHING)

    return cards, category


@pytest.mark.parametrize(
    ("card", "told"), [("As", "A♠"), ("Th", "10♥"), ("2d", "2♦"), ("Jc", "J♣"), ("Xx", "Xx"), ("", "")]
)
def test_a_card_is_printed_as_it_looks_and_what_is_none_as_it_is(card, told):
    assert printed(card) == told


@pytest.mark.long
@pytest.mark.parametrize("witness", [_by_treys, _by_phevaluator, _by_eval7], ids=["treys", "phevaluator", "eval7"])
def test_r10_hand_for_hand_as_a_foreign_evaluator_says(witness, all_categories):
    cards, category = witness()
    theirs = (category(hand) for hand in combinations(cards, 5))

    differing = [at for at, (ours, other) in enumerate(zip(all_categories, theirs, strict=True)) if ours != other]

    assert differing == []
