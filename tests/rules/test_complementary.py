"""R-29, R-30: draws that anyone can re-compute, that nobody could foresee, and that favour nobody."""

import hashlib
import hmac
from collections import Counter

import pytest

from controller.rules.cards import DECK
from controller.rules.complementary import (
    commitment,
    is_elsewhere,
    is_hit,
    label_of,
    lucky_seat,
    magic_card,
    number_below,
    secret_of,
)

SEED = bytes(range(32))


def test_r30_a_draw_is_re_computed_with_nothing_but_a_hash():
    """The recipe of the docstring, written a second time."""
    block = hmac.new(SEED, b"mesa 3/pase 17/card/0", hashlib.sha256).digest()
    number = int.from_bytes(block[:16], "big")

    assert number_below(SEED, "mesa 3/pase 17/card", 52) == number % 52
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert magic_card(SEED, "mesa 3/pase 17") == DECK[number % 52]


def test_r30_the_days_secret_is_made_of_the_seed_and_of_the_opener_s_number():
    nonce = bytes(range(100, 132))

    assert secret_of(SEED, nonce.hex()) == hashlib.sha256(SEED + nonce).digest()
    assert secret_of(SEED, "") == SEED, "a day that was opened before the third reading"


def test_r30_a_number_that_would_favour_the_first_outcomes_is_rejected_and_drawn_again(monkeypatch):
    """With one byte instead of sixteen, 250 to 255 would make the first six of fifty more likely."""
    monkeypatch.setattr("controller.rules.complementary._WORD_BYTES", 1)
    seen_rejection = False
    for at in range(400):
        blocks = [hmac.new(SEED, f"p{at}/{attempt}".encode(), hashlib.sha256).digest()[0] for attempt in range(9)]
        first_fair = next(block for block in blocks if block < 250)
        seen_rejection |= blocks[0] >= 250

        assert number_below(SEED, f"p{at}", 50) == first_fair % 50
    assert seen_rejection


def test_r30_every_outcome_is_equally_likely():
    draws = 26_000
    counts = Counter(number_below(SEED, f"pase {at}", 52) for at in range(draws))

    expected = draws / 52
    chi_square = sum((counts[at] - expected) ** 2 / expected for at in range(52))
    assert set(counts) == set(range(52))
    assert 25 < chi_square < 87  # 51 degrees of freedom: a fair source is outside once in five hundred seeds


def test_r30_another_seed_or_another_pass_draws_something_else():
    other = SEED[::-1]

    assert commitment(other) != commitment(SEED)
    assert [number_below(SEED, f"p{at}", 10**9) for at in range(5)] != [
        number_below(other, f"p{at}", 10**9) for at in range(5)
    ]


def test_r29_the_lucky_seat_is_one_with_a_valid_bet_in_any_order_of_asking():
    seats = {lucky_seat(SEED, f"p{at}", [5, 2, 7]) for at in range(60)}

    assert seats == {2, 5, 7}
    assert all(lucky_seat(SEED, f"p{at}", [7, 5, 2]) == lucky_seat(SEED, f"p{at}", [2, 5, 7]) for at in range(20))
    assert lucky_seat(SEED, "p", []) is None
    assert lucky_seat(SEED, "p", [4]) == 4


def test_r29_the_magic_card_is_one_of_all():
    assert {magic_card(SEED, f"p{at}") for at in range(600)} == set(DECK)


@pytest.mark.parametrize(
    ("seat", "dealt", "shared", "elsewhere"),
    [
        (1, {}, (), False),  # nothing is known
        (1, {1: ("2c", "As")}, ("Kd",), False),
        (1, {2: ("3c",)}, (), False),
        (1, {1: ("3c",)}, (), True),  # its own cards are known, and it is not among them
        (1, {2: ("2c",)}, (), True),  # another seat has it
        (1, {1: ("2c",), 2: ("2c",)}, (), True),
        (1, {}, ("Kd", "2c"), True),  # it lies on the table
        (1, {1: ("2c",)}, ("2c",), True),
    ],
)
def test_r29_r32_a_card_that_is_known_to_lie_elsewhere_is_not_the_seat_s(seat, dealt, shared, elsewhere):
    assert is_elsewhere("2c", seat, dealt, shared) is elsewhere


def test_r29_a_chance_of_one_in_n_hits_about_once_in_n():
    hits = sum(is_hit(SEED, f"p{at}", 20) for at in range(4_000))

    assert 140 < hits < 260
    assert all(is_hit(SEED, f"p{at}", 1) for at in range(5))


def test_r30_a_draw_waits_for_the_closed_pass_and_depends_on_every_bet_of_it():
    one, other = (hashlib.sha256(bets).digest() for bets in (b"seat 1: 1000", b"seat 1: 2000"))

    assert label_of("TX-01", 17, "Carta Mágica", one) == f"TX-01/17/Carta Mágica/{one.hex()}"
    assert len({label_of("TX-01", at, "a", closed) for at in (17, 18) for closed in (one, other)}) == 4
    with pytest.raises(AssertionError, match="R-30"):
        label_of("TX-01", 17, "a", b"")


def test_r29_two_prizes_of_one_pass_are_drawn_apart():
    closed = hashlib.sha256(b"bets").digest()
    hits = Counter(
        (is_hit(SEED, label_of("T", at, "one", closed), 20), is_hit(SEED, label_of("T", at, "two", closed), 20)) for at in range(8_000)
    )  # fmt: skip

    assert 5 <= hits[True, True] <= 45
    assert hits[True, False] > 250


def test_r30_a_short_seed_is_a_broken_invariant():
    with pytest.raises(AssertionError, match="R-30"):
        commitment(b"short")
    with pytest.raises(AssertionError):
        number_below(b"short", "p", 5)
    with pytest.raises(AssertionError):
        number_below(SEED, "p", 0)
