"""Hands as a croupier writes them: what is understood, and what nobody guesses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.values import Hand
from controller.ctl.hands import Misread, hands_text, read_hands, refuse_acts
from controller.rules.cards import CARDS, printed

UNDERSTOOD = [
    ("2 full", (Hand(2, claimed="full"),)),
    ("2: full", (Hand(2, claimed="full"),)),
    ("2:Póker", (Hand(2, claimed="poker"),)),
    ("1 escalera de color; 3 escalera real", (Hand(1, claimed="escalera_color"), Hand(3, claimed="escalera_real"))),
    ("5 Tp Jp Qp Kp Ap", (Hand(5, cards=("Ts", "Js", "Qs", "Ks", "As")),)),
    ("5 10♥ 9h 8c 7corazones 6-corazones".replace("9h 8c", "9♥ 8c"), (Hand(5, cards=("Th", "9h", "8h", "7h", "6h")),)),
    ("10 10t 2t 3t 4t 5t", (Hand(10, cards=("Tc", "2c", "3c", "4c", "5c")),)),
    ("3 retirado", (Hand(3, acts=("folded",)),)),
    ("3 se retiró; 4 cambió, color", (Hand(3, acts=("folded",)), Hand(4, acts=("exchanged",), claimed="color"))),
    ("4 compró full", (Hand(4, acts=("bought",), claimed="full"),)),
]


@pytest.mark.parametrize(("text", "hands"), UNDERSTOOD)
def test_hands_are_read_as_they_are_said(text, hands):
    assert read_hands(text).hands == hands


def test_cards_on_the_table_stand_apart():
    assert read_hands("mesa: 10p Jp; 2 Qp Kp Ap") == read_hands("2 Qp Kp Ap; comunes 10p Jp")
    assert read_hands("mesa: 10p Jp; 2 Qp Kp Ap").community == ("Ts", "Js")


@pytest.mark.parametrize(
    "text",
    ["", "full", "2", "2 fuul", "2 full color", "mesa 2p 3p", "mesa 2p; mesa 3p; 2 full", "2 11p", "2 Ax", "0x2 full"],
)
def test_what_is_no_hand_is_refused_in_words(text):
    with pytest.raises(Misread):
        read_hands(text)


def test_r8_only_what_the_games_of_the_table_have_can_be_said_of_a_player():
    read = read_hands("2 full; 3 cambió; 4 no va")
    assert [hand.acts for hand in read.hands] == [(), ("exchanged",), ("folded",)]
    assert refuse_acts(read, ("exchanged", "folded")) == read
    with pytest.raises(Misread, match="posición 3: en esta mesa no existe «cambió»; se puede anotar: retirado"):
        refuse_acts(read, ("folded",))


def test_a_heart_is_never_taken_for_a_club():
    assert read_hands("2 Ac").hands[0].cards == ("Ah",)
    assert read_hands("2 At").hands[0].cards == ("Ac",)
    with pytest.raises(Misread, match="corazones"):
        read_hands("2 Ac Kh Qs Jd 10d")


@given(st.lists(st.sampled_from(sorted(CARDS)), min_size=1, max_size=7), st.integers(1, 7))
def test_what_is_shown_for_confirmation_reads_back_as_the_same_hand(cards, seat):
    text = f"{seat} {' '.join(map(printed, cards))}"

    assert read_hands(text).hands == (Hand(seat, cards=tuple(cards)),)


@given(st.text(max_size=60))
def test_nothing_that_is_typed_breaks_it(text):
    try:
        read_hands(text)
    except Misread:
        return


def test_what_was_understood_is_told_with_symbols():
    assert hands_text(read_hands("mesa: 10p Jp; 2 Qp Kp Ap; 3 retirado; 4 ec")) == (
        "mesa: 10♠ J♠ · 2: Q♠ K♠ A♠ · 3: retirado · 4: Escalera de Color"
    )
