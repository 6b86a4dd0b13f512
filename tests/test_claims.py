"""R-32, R-34: claims that cannot be, each refused by its own name and place, in the order of the reasons."""

import random

import model
import pytest

from controller.rules.cards import CARDS, CATEGORIES, Category
from controller.rules.claims import IMPOSSIBLE_TOGETHER, Judgement, NotPaid, Pass, judge, refuse_new_claim
from controller.rules.eligibility import SeatRecord, Unpaid
from controller.rules.money import Money
from controller.rules.pairs import pair_chances
from controller.rules.refusal import Reason
from controller.rules.ruleset import Forfeit
from controller.rules.settlement import Win


def cards(text):
    return tuple(CARDS[name] for name in text.split())


def seat(number, hand=None, claimed="", bet=1000, lamp=True, acts=()):
    return SeatRecord(
        number, Money(bet), lamp, frozenset(Forfeit(act) for act in acts),
        None if hand is None else cards(hand), CATEGORIES.get(claimed, Category.NOTHING),
    )  # fmt: skip


@pytest.fixture
def judged(scj):
    def judge_pass(*seats, modality="caribbean", community="", unit=1, locked=True, law=scj):
        return judge(law, Pass(law.modalities[modality], Money(unit), cards(community), seats, locked))

    return judge_pass


def test_the_cards_decide_and_every_seat_is_accounted_for(judged):
    answer = judged(
        seat(7, "As Ks Qs Js Ts"),
        seat(1, "2h 3h 4h 5h 7h", acts=["folded"]),
        seat(2, "2c 2d 2s 5c 5d"),
        seat(3, "Jc 4d 6s 8c Jh"),
        seat(4),
        seat(5, "3c 3d 3s 9c 9d", bet=0),
        seat(6, lamp=False),
    )

    assert answer == Judgement(
        wins=(Win(Category.ESCALERA_REAL, 7, Money(1000)), Win(Category.FULL, 2, Money(1000))),
        not_paid=(
            NotPaid(1, Unpaid.FOLDED), NotPaid(3, Unpaid.NO_PRIZE), NotPaid(4, Unpaid.NO_CLAIM),
            NotPaid(5, Unpaid.NO_BET), NotPaid(6, Unpaid.LAMP),
        ),
    )  # fmt: skip


def test_r10_a_straight_wins_only_where_the_law_pays_it(judged, arica):
    assert judged(seat(1, "5d 6c 7d 8d 9d")).not_paid == (NotPaid(1, Unpaid.NO_PRIZE),)
    assert judged(seat(1, "5d 6c 7d 8d 9d"), modality="draw", law=arica).wins == (
        Win(Category.ESCALERA, 1, Money(1000)),
    )


def test_fixed_prizes_may_be_claimed_by_category_alone(judged):
    answer = judged(seat(2, claimed="poker"), seat(3, "2c 3c 4c 5c 7c", claimed="color"))

    assert answer.wins == (Win(Category.POKER, 2, Money(1000)), Win(Category.COLOR, 3, Money(1000)))


REFUSED = [
    # what, the pass, the reason, the place
    ("seat 0", {"seats": [seat(0)]}, Reason.SEAT_UNKNOWN, "seats[0].seat"),
    ("seat 8 of 7", {"seats": [seat(1), seat(8)]}, Reason.SEAT_UNKNOWN, "seats[1].seat"),
    ("seat 7 of 6", {"seats": [seat(7)], "modality": "draw"}, Reason.SEAT_UNKNOWN, "seats[0].seat"),
    ("second claim", {"seats": [seat(3), seat(3)]}, Reason.SEAT_TWICE, "seats[1].seat"),
    ("half a unit", {"seats": [seat(1), seat(2, bet=1500)], "unit": 1000}, Reason.BET_NOT_WHOLE_UNITS, "seats[1].bet"),
    ("no flop", {"seats": [seat(1, "As Ks")], "modality": "texas_plus"}, Reason.COMMUNITY_MISSING, "community"),
    ("short flop", {"seats": [seat(1)], "modality": "texas_plus", "community": "Qs Js"}, Reason.COMMUNITY_MISSING, "community"),
    ("turn too", {"seats": [seat(1)], "modality": "texas_plus", "community": "Qs Js Ts 2d"}, Reason.COMMUNITY_MISSING, "community"),
    ("shared card in Caribbean", {"seats": [seat(1)], "community": "Qs"}, Reason.COMMUNITY_MISSING, "community"),
    ("four cards", {"seats": [seat(1, "As Ks Qs Js")]}, Reason.HAND_INCOMPLETE, "seats[0].cards"),
    ("no cards in the list", {"seats": [seat(1, "")]}, Reason.HAND_INCOMPLETE, "seats[0].cards"),
    ("three own in Texas", {"seats": [seat(1, "As Ks 2d")], "modality": "texas_plus", "community": "Qs Js Ts"},
     Reason.HAND_INCOMPLETE, "seats[0].cards"),
    ("card twice in a hand", {"seats": [seat(1, "As As Qs Js Ts")]}, Reason.CARD_TWICE, "seats[0].cards[1]"),
    ("card twice in a pass", {"seats": [seat(1, "As Ks Qs Js Ts"), seat(2, "2c 3c 4c 5c Ts", acts=["folded"])]},
     Reason.CARD_TWICE, "seats[1].cards[4]"),
    ("community card in a hand", {"seats": [seat(1, "As Qs")], "modality": "texas_plus", "community": "Qs Js Ts"},
     Reason.CARD_TWICE, "seats[0].cards[1]"),
    ("community card twice", {"seats": [seat(1)], "modality": "go", "community": "Qs Qs"}, Reason.CARD_TWICE, "community[1]"),
    ("before the lock", {"seats": [seat(1, "As Ks Qs Js Ts")], "locked": False}, Reason.NOT_LOCKED, "locked"),
    ("not that hand", {"seats": [seat(1, "As Ks Qs Js 9s", "escalera_real")]}, Reason.HAND_IS_NOT_THAT, "seats[0].category"),
    ("a higher hand than claimed", {"seats": [seat(1, "4c 4d 4h 4s 2c", "full")]}, Reason.HAND_IS_NOT_THAT, "seats[0].category"),
    ("nothing at all", {"seats": [seat(1, "2c 4d 6h 8s Tc", "color")]}, Reason.HAND_IS_NOT_THAT, "seats[0].category"),
    ("a wrong claim of a folded seat", {"seats": [seat(1, "2c 4d 6h 8s Tc", "color", acts=["folded"])]},
     Reason.HAND_IS_NOT_THAT, "seats[0].category"),
    ("not in this law", {"seats": [seat(1, claimed="escalera")]}, Reason.NOT_IN_PAYTABLE, "seats[0].category"),
    ("a percentage without cards", {"seats": [seat(1), seat(2, claimed="escalera_color")]}, Reason.CARDS_REQUIRED, "seats[1].category"),
    ("100 % without cards", {"seats": [seat(2, claimed="escalera_real")]}, Reason.CARDS_REQUIRED, "seats[0].category"),
    ("no colour over this flop", {"seats": [seat(1, claimed="color")], "modality": "texas_plus", "community": "As Kd 2c"},
     Reason.HAND_IMPOSSIBLE, "seats[0].category"),
    ("its cards are in another hand", {"seats": [seat(1, claimed="poker"), seat(2, "2h 3c")], "modality": "texas_plus",
                                       "community": "2s 2d 3d"}, Reason.HAND_IMPOSSIBLE, "seats[0].category"),
    ("two pokers in Texas", {"seats": [seat(1, claimed="poker"), seat(4, claimed="poker")], "modality": "texas_plus"},
     Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats[1].category"),
    ("three pokers in Go", {"seats": [seat(at, claimed="poker") for at in (1, 4, 6)], "modality": "go"}, Reason.HANDS_TOO_MANY, "seats"),
    ("a poker, a full and a colour in Go", {"seats": [seat(1, claimed="poker"), seat(2, claimed="full"), seat(3, claimed="color")],
                                            "modality": "go"}, Reason.HANDS_TOO_MANY, "seats"),
    ("six colours in Texas", {"seats": [seat(at, claimed="color") for at in range(1, 7)], "modality": "texas_plus"},
     Reason.HANDS_TOO_MANY, "seats"),
    ("a colour beside a full in Texas", {"seats": [seat(1, claimed="full"), seat(4, claimed="color")], "modality": "texas_plus"},
     Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats[1].category"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "reason", "where"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_r32_claims_that_cannot_be(judged, case, reason, where):
    case = dict(case)
    refusal = judged(*case.pop("seats"), **case)

    assert (refusal.reason, refusal.where) == (reason, where)
    assert refusal.message
    assert "{" not in refusal.message


def test_r32_the_first_reason_in_the_list_is_the_answer(judged):
    everything = [seat(9, "As As Ks", "escalera", bet=7), seat(9, claimed="color")]

    def reason(*seats, **case):
        return judged(*seats, **{"unit": 2, "locked": False, "modality": "texas_plus", **case}).reason

    assert reason(*everything) is Reason.SEAT_UNKNOWN
    everything = [record._replace(seat=1) for record in everything]
    assert reason(*everything) is Reason.SEAT_TWICE
    everything[1] = everything[1]._replace(seat=2)
    assert reason(*everything) is Reason.BET_NOT_WHOLE_UNITS
    assert reason(*everything, unit=1) is Reason.COMMUNITY_MISSING
    assert reason(*everything, unit=1, community="2c 3c 4c") is Reason.HAND_INCOMPLETE
    everything[0] = everything[0]._replace(cards=cards("As As"))
    assert reason(*everything, unit=1, community="2c 3c 4c") is Reason.CARD_TWICE
    everything[0] = everything[0]._replace(cards=cards("As Ks"))
    assert reason(*everything, unit=1, community="2c 3c 4c") is Reason.NOT_LOCKED
    assert reason(*everything, unit=1, community="2c 3c 4c", locked=True) is Reason.HAND_IS_NOT_THAT


def test_r32_a_possible_claim_by_category_over_known_cards_stands(judged):
    answer = judged(
        seat(1, claimed="color"), seat(2, "Ad Kd"), modality="texas_plus", community="2c 7c 9c",
    )  # fmt: skip

    assert answer.wins == (Win(Category.COLOR, 1, Money(1000)),)


def test_r32_two_that_can_stand_together_are_not_refused(judged):
    assert len(judged(seat(1, claimed="poker"), seat(4, claimed="full"), modality="texas_plus").wins) == 2
    assert len(judged(seat(1, claimed="poker"), seat(4, claimed="poker"), modality="go").wins) == 2
    assert len(judged(*(seat(at, claimed="poker") for at in range(1, 8))).wins) == 7
    assert len(judged(*(seat(at, claimed="color") for at in range(1, 6)), modality="texas_plus").wins) == 5
    assert (
        len(
            judged(
                seat(1, claimed="poker"), *(seat(at, claimed="full") for at in range(2, 7)), modality="texas_plus"
            ).wins
        )
        == 6
    )


@pytest.mark.parametrize("own", [5, 3, 2])
def test_r32_what_is_called_impossible_together_is_exactly_what_no_deal_brings(own):
    possible = set(pair_chances(own))
    every = {(one, other) for one in Category for other in Category if 0 < one <= other}

    assert IMPOSSIBLE_TOGETHER[own, 5 - own] == every - possible


def test_r32_there_are_never_more_winners_than_valid_bets(judged):
    chance = random.Random(32)
    for _ in range(300):
        deck = chance.sample(model.DECK, 35)
        seats = [
            seat(at + 1, " ".join(deck[at * 5 : at * 5 + 5]), lamp=chance.random() < 0.5, bet=chance.choice([0, 5]))
            for at in range(7)
        ]
        answer = judged(*seats)
        valid = {record.seat for record in seats if record.bet and record.lamp}
        assert {win.seat for win in answer.wins} <= valid
        assert len(answer.wins) + len(answer.not_paid) == 7


def test_r34_a_claim_can_be_registered_anew_until_one_of_its_awards_is_paid():
    assert refuse_new_claim([]) is None
    assert refuse_new_claim([False, False]) is None
    assert refuse_new_claim([False, True]).reason is Reason.ALREADY_PAID


def test_r32_every_reason_has_a_rule_a_code_and_a_sentence():
    for reason in Reason:
        assert reason.rule.startswith("R-")
        assert reason.code == reason.name.lower()
        assert reason.sentence.endswith(".")
