"""R-32, R-34: claims that cannot be, each refused by its own name and place, in the order of the reasons."""

import random
from itertools import permutations

import pytest

from controller.rules.cards import CARDS, CATEGORIES, DECK, Category, classify
from controller.rules.claims import Judgement, Pass, UnpaidSeat, judge
from controller.rules.eligibility import SeatRecord, WhyUnpaid
from controller.rules.money import Money
from controller.rules.pairs import pair_chances
from controller.rules.possible import can_be_dealt
from controller.rules.refusal import Reason
from controller.rules.ruleset import Forfeit
from controller.rules.settlement import Win
from support.core import model

ESCALERA_COLOR = Category.ESCALERA_COLOR


def cards(text):
    return tuple(CARDS[name] for name in text.split())


def seat(number, hand=None, claimed="", bet=1000, lamp=True, acts=()):
    return SeatRecord(
        number, Money(bet), lamp, frozenset(Forfeit(act) for act in acts),
        None if hand is None else cards(hand), CATEGORIES.get(claimed, Category.NOTHING),
    )  # fmt: skip


@pytest.fixture
def judged(scj):
    def judge_pass(*seats, modality="caribbean", community="", unit=1, locked=True, law=scj, shown_from=ESCALERA_COLOR):
        """R-36: what can be dealt is asked of hands up to Poker here, as if a word were enough for them."""
        return judge(law, Pass(law.modalities[modality], Money(unit), cards(community), seats, locked, shown_from))

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
            UnpaidSeat(1, WhyUnpaid.FOLDED), UnpaidSeat(3, WhyUnpaid.NO_PRIZE), UnpaidSeat(4, WhyUnpaid.NO_CLAIM),
            UnpaidSeat(5, WhyUnpaid.NO_BET), UnpaidSeat(6, WhyUnpaid.LAMP),
        ),
    )  # fmt: skip


ROYAL = "As Ks Qs Js Ts"


@pytest.mark.parametrize(
    ("modality", "act", "known"),
    [
        ("caribbean", "exchanged", "no ir"), ("caribbean", "bought", "no ir"), ("texas_plus", "exchanged", "no ir"),
        ("go", "bought", "no ir"), ("draw", "bought", "no ir, cambiar cartas"),
    ],
)  # fmt: skip
def test_r8_an_act_that_the_game_does_not_have_is_refused_not_ignored(judged, modality, act, known):
    refusal = judged(seat(2), seat(4, acts=[act]), modality=modality)

    assert (refusal.reason, refusal.reason.rule, refusal.where) == (Reason.ACT_NOT_IN_GAME, "R-8", f"seats[1].{act}")
    assert refusal.message.startswith(f"Posición 4: en {modality} no existe «") and refusal.message.endswith(
        f"{known}."
    )
    assert judged(seat(4, bet=0, acts=[act]), modality=modality).reason is Reason.ACT_NOT_IN_GAME, "also without a bet"


@pytest.mark.parametrize(("law", "modality"), [("scj-2023", "caribbean_plus"), ("arica-2017", "arica_plus")])
@pytest.mark.parametrize("act", ["exchanged", "bought", "folded"])
def test_r8_exchanging_forfeits_in_a_plus_game_as_buying_does(judged, rulesets, law, modality, act):
    """Audit, F4: fifty million were paid to a hand that had exchanged."""
    answer = judged(seat(1, ROYAL, acts=[act]), modality=modality, law=rulesets[law])
    assert answer == Judgement((), (UnpaidSeat(1, WhyUnpaid(act)),))


def test_r8_declining_in_go_is_taken_and_forfeits_nothing_and_a_folded_draw_hand_of_arica_is_paid(judged, arica):
    assert len(judged(seat(3, "As Ks Qs", acts=["folded"]), modality="go", community="Js Ts").wins) == 1
    assert len(judged(seat(3, ROYAL, acts=["folded"]), modality="draw", law=arica).wins) == 1
    assert judged(seat(3, ROYAL, acts=["folded"]), modality="draw").not_paid == (UnpaidSeat(3, WhyUnpaid.FOLDED),)


def test_r8_a_ruleset_of_before_takes_every_act_and_a_game_without_any_takes_none(judged, scj):
    from dataclasses import replace

    def law_with(acts):
        game = replace(scj.modalities["go"], acts=frozenset(acts))
        return replace(scj, modalities={**scj.modalities, "go": game})

    assert (
        len(
            judged(
                seat(3, "As Ks Qs", acts=list(Forfeit)), modality="go", community="Js Ts", law=law_with(Forfeit)
            ).wins
        )
        == 1
    )
    refusal = judged(seat(3, acts=["folded"]), modality="go", law=law_with([]))
    assert refusal.message.endswith("lo que un jugador puede hacer es: nada.")


def test_r10_a_straight_wins_only_where_the_law_pays_it(judged, arica):
    assert judged(seat(1, "5d 6c 7d 8d 9d")).not_paid == (UnpaidSeat(1, WhyUnpaid.NO_PRIZE),)
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
    ("no flop", {"seats": [seat(1, "As Ks")], "modality": "texas_plus"}, Reason.COMMUNITY_COUNT, "community"),
    ("short flop", {"seats": [seat(1)], "modality": "texas_plus", "community": "Qs Js"}, Reason.COMMUNITY_COUNT, "community"),
    ("turn too", {"seats": [seat(1)], "modality": "texas_plus", "community": "Qs Js Ts 2d"}, Reason.COMMUNITY_COUNT, "community"),
    ("shared card in Caribbean", {"seats": [seat(1)], "community": "Qs"}, Reason.COMMUNITY_COUNT, "community"),
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
     Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats"),
    ("three pokers in Go", {"seats": [seat(at, claimed="poker") for at in (1, 4, 6)], "modality": "go"}, Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats"),
    ("a poker, a full and a colour in Go", {"seats": [seat(1, claimed="poker"), seat(2, claimed="full"), seat(3, claimed="color")],
                                            "modality": "go"}, Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats"),
    ("six colours in Texas", {"seats": [seat(at, claimed="color") for at in range(1, 7)], "modality": "texas_plus"},
     Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats"),
    ("a colour beside a full in Texas", {"seats": [seat(1, claimed="full"), seat(4, claimed="color")], "modality": "texas_plus"},
     Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats"),
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
    assert reason(*everything, unit=1) is Reason.COMMUNITY_COUNT
    assert reason(*everything, unit=1, community="2c 3c 4c") is Reason.HAND_INCOMPLETE
    everything[0] = everything[0]._replace(cards=cards("As As"))
    assert reason(*everything, unit=1, community="2c 3c 4c") is Reason.CARD_TWICE
    everything[0] = everything[0]._replace(cards=cards("As Ks"))
    assert reason(*everything, unit=1, community="2c 3c 4c") is Reason.NOT_LOCKED
    assert reason(*everything, unit=1, community="2c 3c 4c", locked=True) is Reason.HAND_IS_NOT_THAT


def test_r32_the_same_mistakes_get_the_same_words_in_any_order_of_the_seats(judged):
    """Each record has one mistake less than the one before; the first reason in the list is always the answer."""
    mistakes = [
        (Reason.HAND_IS_NOT_THAT, seat(2, "3c 4d", "full")),
        (Reason.NOT_IN_PAYTABLE, seat(3, claimed="escalera")),
        (Reason.CARDS_REQUIRED, seat(4, claimed="escalera_real")),
        (Reason.HAND_IMPOSSIBLE, seat(1, claimed="color")),
    ]
    for at, (reason, _) in enumerate(mistakes):
        for records in permutations([record for _, record in mistakes[at:]]):
            assert judged(*records, modality="texas_plus", community="As Kd 2c").reason is reason


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


def claimed(*hands, first=1):
    return [seat(at, claimed=hand) for at, hand in enumerate(hands, first)]


@pytest.mark.parametrize(
    ("modality", "community", "possible", "impossible"),
    [
        # Two cards of the rank are left: one Poker. Trips of another rank are still a Full each.
        ("go", "2c 2d", ["poker", "full", "full"], ["poker", "poker"]),
        # A Poker takes three of one rank, and a Full needs both ranks.
        ("go", "2c 3d", ["poker", "poker"], ["poker", "full"]),
        ("go", "2c 3d", ["full", "full"], ["full"] * 3),
        ("go", "2c 7c", ["color"] * 3 + ["poker"], ["color"] * 4),
        ("texas_plus", "2c 2d 3d", ["poker", "full"], ["poker", "full", "full"]),
        ("texas_plus", "2c 2d 2h", ["poker"] + ["full"] * 5, ["poker", "poker"]),
        ("texas_plus", "2c 7c 9c", ["color"] * 5, ["color"] * 6),
    ],
)
def test_r32_with_the_community_known_hands_are_possible_only_together_with_each_other(
    judged, modality, community, possible, impossible
):
    assert len(judged(*claimed(*possible), modality=modality, community=community).wins) == len(possible)
    refusal = judged(*claimed(*impossible), modality=modality, community=community)
    assert (refusal.reason, refusal.where) == (Reason.HANDS_IMPOSSIBLE_TOGETHER, "seats")


def test_r32_hands_that_are_shown_take_their_cards_from_the_others(judged):
    """One card of every rank is on the table, so nobody else has four of any."""
    shown = [
        seat(1, "2c 3c 4c 5c 7d", bet=0), seat(2, "6c 7c 8c 9c Td", acts=["folded"]), seat(3, "Tc Jc Qc Kc Ad", lamp=False),
    ]  # fmt: skip
    assert judged(*shown, seat(4, claimed="poker"), modality="draw").reason is Reason.HAND_IMPOSSIBLE
    assert len(judged(*shown[:2], seat(4, claimed="poker"), modality="draw").wins) == 1
    assert len(judged(*shown, seat(4, claimed="full"), seat(5, claimed="color"), modality="draw").wins) == 2


def test_r8_r32_a_claim_for_a_seat_that_does_not_take_part_is_not_examined_and_takes_nobodys_prize(judged):
    for lost in ({"acts": ["folded"]}, {"bet": 0}, {"lamp": False}):
        for hand in ("escalera_real", "escalera_color", "escalera", "poker"):
            answer = judged(seat(1, claimed="poker"), seat(2, claimed=hand, **lost), modality="texas_plus")
            assert [win.seat for win in answer.wins] == [1]
            assert [unpaid.seat for unpaid in answer.not_paid] == [2]


@pytest.mark.parametrize("own", [5, 3, 2])
def test_r32_layouts_allow_exactly_the_pairs_that_some_deal_brings(own):
    possible = set(pair_chances(own))
    fixed = [Category.ESCALERA, Category.COLOR, Category.FULL, Category.POKER]

    for at, one in enumerate(fixed):
        for other in fixed[at:]:
            assert can_be_dealt(own, [], [], [one, other]) == ((one, other) in possible)


def test_r32_the_search_agrees_with_dealing_by_hand_on_random_tables():
    """Whatever was dealt is possible; whatever the search refuses was never dealt."""
    chance = random.Random(320)
    for _ in range(400):
        own = chance.choice([2, 3, 5])
        dealt = chance.sample(DECK, 5 - own + 6 * own)
        community, hands = dealt[: 5 - own], [dealt[5 - own + at * own :][:own] for at in range(6)]
        made = [classify([*community, *hand]) for hand in hands]
        unseen = [category for category in made if category]
        shown = [card for hand, category in zip(hands, made, strict=True) if not category for card in hand]

        assert can_be_dealt(own, community, shown, unseen)


@pytest.mark.parametrize(
    ("shown", "hands"),
    [
        # Every Escalera holds a five or a ten. No ten and two fives are left; then no ten and one five.
        ("Tc Td Th Ts 5c 5d Jc Jd Qc Kd", ["escalera"] * 3),
        ("Tc Td Th Ts 5c 5d 5h Jd Qc Kd", ["escalera"] * 2),
        # A claim more must not make the same two possible.
        ("Tc Td Th Ts 5c 5d 5h Jd Qc Kd", ["escalera", "escalera", "full", "color"]),
    ],
)
def test_r32_cards_that_every_hand_needs_bound_how_many_hands_there_are(judged, arica, shown, hands):
    known = shown.split()
    seats = [seat(at + 1, " ".join(known[at * 5 :][:5]), bet=0) for at in range(2)]
    case = {"modality": "arica_plus", "law": arica}

    assert judged(*seats, *claimed(*hands, first=3), **case).reason is Reason.HANDS_IMPOSSIBLE_TOGETHER
    assert len(judged(*seats, *claimed(*hands[:1], first=3), **case).wins) == 1


def test_r32_a_tangle_that_cannot_be_settled_in_time_counts_as_possible(monkeypatch):
    """A Poker and a Full over 2-3 of Go: each is possible, and only the search shows that both are not."""
    tangle = (3, cards("2c 3d"), [], [Category.POKER, Category.FULL])
    assert not can_be_dealt(*tangle)
    monkeypatch.setattr("controller.rules.possible._BUDGET", 0)

    assert can_be_dealt(*tangle)


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


def test_r32_every_reason_has_a_rule_a_code_and_a_sentence():
    for reason in Reason:
        assert reason.rule.startswith("R-")
        assert reason.code == reason.name.lower()
        assert reason.sentence.endswith(".")


# from Poker up with cards, or from where the plan says


@pytest.mark.parametrize(
    ("shown_from", "claimed", "refused"),
    [
        (Category.POKER, "poker", True), (Category.POKER, "full", False), (Category.POKER, "color", False),
        (Category.FULL, "full", True), (Category.FULL, "color", False), (Category.COLOR, "color", True),
        (Category.ESCALERA_REAL, "poker", False), (Category.ESCALERA_REAL, "escalera_color", True),
    ],
)  # fmt: skip
def test_r32_r36_from_poker_up_or_from_where_the_plan_says_a_word_is_not_enough(judged, shown_from, claimed, refused):
    answer = judged(seat(3, claimed="color"), seat(4, claimed=claimed), shown_from=shown_from)

    if refused:
        assert (answer.reason, answer.reason.rule) == (Reason.CARDS_REQUIRED, "R-32")
        assert answer.where in {"seats[0].category", "seats[1].category"} and "cartas" in answer.message
    else:
        assert len(answer.wins) == 2


def test_r32_r36_a_poker_with_its_cards_is_paid_and_what_takes_no_part_needs_none(judged):
    shown = judged(seat(4, "2c 2d 2h 2s 3d", claimed="poker"), shown_from=Category.POKER)
    assert [win.seat for win in shown.wins] == [4]
    for lost in ({"bet": 0}, {"acts": ["folded"]}):
        answer = judged(seat(4, claimed="poker", **lost), shown_from=Category.POKER)
        assert not answer.wins and len(answer.not_paid) == 1


def test_r36_the_default_is_poker(scj):
    assert Pass(scj.modalities["draw"], Money(1), (), ()).cards_from is Category.POKER
