"""Random awards that nobody could have predicted and anyone can re-compute (R-29, R-30).

Theory. Before the day's first pass the house commits to a secret seed by publishing its SHA-256, and who opens the day
adds a number by chance, the nonce, which nobody knew who could have chosen the seed; the two together are the day's
secret. Every draw of the day is a keyed hash, under it, of its `label`: the table, the pass, the prize, and the hash of
the pass as it was closed, with every bet. So players cannot know a draw, because they lack the seed; and the seed alone
tells nobody a draw before "no más apuestas", because the bets are not made yet. (Whoever held the seed and made the
last bet could still choose between draws; that is why nobody at a table may hold it.) When the day closes the seed is
revealed: the commitment and all its draws can be re-computed by anyone with this page. Numbers are taken from the hash
by rejection, so every outcome is equally likely.

Complementary prizes do not depend on the hand; who takes part is `eligibility.complementary_seats`.
This file must not know where seeds come from or when they are revealed.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from controller.rules.cards import DECK, Card

SEED_BYTES = 32
_HASH_BYTES = 32
_WORD_BYTES = 16


def commitment(seed: bytes) -> str:
    """R-30: what is on record before the first draw."""
    assert len(seed) == SEED_BYTES, "R-30: a seed is 256 bits"
    return hashlib.sha256(seed).hexdigest()


def secret_of(seed: bytes, nonce: str) -> bytes:
    """R-30: what the draws of a day hang on: the seed, which nobody at a table knows, and the number that was brought
    by who opened the day. Before the third reading: the seed alone."""
    assert len(seed) == SEED_BYTES, "R-30: a seed is 256 bits"
    return hashlib.sha256(seed + bytes.fromhex(nonce)).digest() if nonce else seed


def label_of(table: str, pass_number: int, prize: str, closed: bytes) -> str:
    """R-30: what a draw is for; `closed` is the hash of the pass as it stood when it was closed."""
    assert table and prize, "R-30: a label names what is drawn"
    assert len(closed) == _HASH_BYTES, "R-30: a draw waits for the closed pass"
    return f"{table}/{pass_number}/{prize}/{closed.hex()}"


def number_below(seed: bytes, label: str, outcomes: int) -> int:
    """R-30: one of so many equally likely outcomes, from 0; the same for the same seed and label."""
    assert len(seed) == SEED_BYTES and 0 < outcomes <= 2**64, "R-30: a whole seed, and something to choose from"
    limit = 256**_WORD_BYTES // outcomes * outcomes
    assert limit % outcomes == 0 and limit * 2 > 256**_WORD_BYTES, "R-30: equally likely, and mostly at the first try"
    for attempt in range(1_000):
        block = hmac.new(seed, f"{label}/{attempt}".encode(), hashlib.sha256).digest()
        number = int.from_bytes(block[:_WORD_BYTES])
        if number < limit:
            return number % outcomes
    raise AssertionError("R-30: a thousand rejections in a row are rarer than 2**-64000")


def is_hit(seed: bytes, label: str, one_in: int) -> bool:
    """R-29: whether this pass brings a complementary prize, at a chance of one in so many."""
    assert one_in >= 1, "R-29: a chance of one in so many"
    return number_below(seed, f"{label}/chance", one_in) == 0


def lucky_seat(seed: bytes, label: str, seats: Sequence[int]) -> int | None:
    """R-29, Jugador Afortunado: one of the seats with a valid bet; none if there is none."""
    ordered = sorted(seats)
    assert len(set(ordered)) == len(ordered), "R-29: every seat has the same chance"
    return ordered[number_below(seed, f"{label}/seat", len(ordered))] if ordered else None


def magic_card(seed: bytes, label: str) -> Card:
    """R-29, Carta Mágica: one of the 52 cards."""
    assert len(set(DECK)) == 52, "R-29: every card has the same chance"
    return DECK[number_below(seed, f"{label}/card", len(DECK))]


def is_elsewhere(card: str, seat: int, dealt: Mapping[int, Sequence[str]], shared: Sequence[str]) -> bool:
    """R-29, R-32: whether what is known of a pass denies that this seat was dealt the card: it lies on the table or in
    another hand, or the seat's own cards are known and it is not among them."""
    assert all(dealt.values()), "R-32: a hand that was not entered is not known"
    others = (cards for other, cards in dealt.items() if other != seat)
    return card in shared or any(card in cards for cards in others) or card not in dealt.get(seat, (card,))
