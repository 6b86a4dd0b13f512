"""How a croupier writes hands: seat, and what its player has or did, in the words of the table.

Theory. `2 full; 5 Ap Kp Qp Jp 10p; 3 retirado; mesa 7c 8c`. A card is its index and the first letter of its suit in
Spanish: p picas, c corazones, d diamantes, t tréboles. The symbols are understood too, and h and s of English cards.
But `c` is a heart here and a club there: where English letters stand beside it the line is refused, not guessed.
Whoever enters hands is shown them with symbols before they are registered. Pure.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from controller.core.values import Hand
from controller.rules.cards import HAND_NAMES, LABELS, RANKS, printed

_SUITS = {
    "p": "s", "pica": "s", "picas": "s", "♠": "s", "s": "s",
    "c": "h", "corazon": "h", "corazones": "h", "♥": "h", "h": "h",
    "d": "d", "diamante": "d", "diamantes": "d", "♦": "d",
    "t": "c", "trebol": "c", "treboles": "c", "♣": "c",
}  # fmt: skip
_ENGLISH = {"h", "s"}
_CARD = re.compile(r"(10|[2-9TJQKA])-?(?:de)?([A-Z♠♥♦♣]+)", re.IGNORECASE)
_ACTS = {
    "retirado": "folded", "retirada": "folded", "retiro": "folded", "se retiro": "folded",
    "no va": "folded", "no fue": "folded", "no ir": "folded",
    "cambio": "exchanged", "cambiada": "exchanged",
    "compro": "bought", "comprada": "bought",
}  # fmt: skip
_CATEGORIES = {
    "escalera": "escalera", "color": "color", "full": "full", "poker": "poker",
    "escalera color": "escalera_color", "escalera de color": "escalera_color", "ec": "escalera_color",
    "escalera real": "escalera_real", "real": "escalera_real", "er": "escalera_real",
}  # fmt: skip
_SHARED = {"mesa", "comunes"}
_PART = re.compile(r"(\d{1,2}|mesa|comunes)\s*[:=]?\s+(\S.*)|(\d{1,2}|mesa|comunes)\s*[:=]\s*(\S.*)", re.IGNORECASE)
_NAME_OF_ACT = {"folded": "retirado", "exchanged": "cambió", "bought": "compró"}
_NAME_OF_CATEGORY = {LABELS[category]: name for category, name in HAND_NAMES.items()}
PRIZES = {
    "escalera": "Escalera", "color": "Color", "full": "Full", "poker": "Póker",
    "escalera_color": "Escalera de Color", "escalera_real": "Escalera Real",
}  # fmt: skip


class Misread(Exception):  # noqa: N818  says what happened
    """The text is no hand; why, in a sentence for the person who wrote it."""


class WinningHands(NamedTuple):
    """R-34: all winners of a pass, and the cards on the table where the game has them."""

    hands: tuple[Hand, ...]
    community: tuple[str, ...]


def read_hands(text: str) -> WinningHands:
    """Everything that was written, or what of it cannot be read."""
    hands: list[Hand] = []
    community: tuple[str, ...] | None = None
    suits: set[str] = set()
    for part in filter(None, (one.strip() for one in text.split(";"))):
        found = _PART.fullmatch(part)
        if found is None:
            raise Misread(f"«{part}»: primero la posición, después lo que tiene; por ejemplo «2 full»")
        who, what = (found[1] or found[3]).lower(), found[2] or found[4]
        if who in _SHARED:
            if community is not None:
                raise Misread("las cartas comunes están dos veces")
            community = tuple(_card(word, suits) for word in _words(what))
        else:
            hands.append(_hand(int(who), what, suits))
    if not hands:
        raise Misread("falta al menos una mano; por ejemplo «2 full; 5 Ap Kp Qp Jp 10p»")
    if "c" in suits and suits & _ENGLISH:
        raise Misread("«c» aquí es corazones; escriba p, c, d, t (picas, corazones, diamantes, tréboles), sin h ni s")
    return WinningHands(tuple(hands), community or ())


def acts_text(acts: Iterable[str]) -> str:
    """R-8: what players of a game can do, as a croupier writes it."""
    return ", ".join(name for act, name in _NAME_OF_ACT.items() if act in acts)


def refuse_acts(hands: WinningHands, acts: Iterable[str]) -> WinningHands:
    """R-8: the hands, if everything that was said of their players is something that their game has."""
    known = set(acts)
    for hand in hands.hands:
        for act in hand.acts:
            if act not in known:
                there = f"en esta mesa no existe «{_NAME_OF_ACT[act]}»; se puede anotar: {acts_text(known)}"
                raise Misread(f"posición {hand.seat}: {there}")
    return hands


def _hand(seat: int, what: str, suits: set[str]) -> Hand:
    """A category, five cards, what the player did: in any order, with commas or without."""
    acts: list[str] = []
    claimed = ""
    cards: list[str] = []
    for piece in _pieces(what):
        if piece in _ACTS:
            acts.append(_ACTS[piece])
        elif piece in _CATEGORIES:
            if claimed:
                raise Misread(f"la posición {seat} tiene dos jugadas; diga una")
            claimed = _CATEGORIES[piece]
        else:
            cards.append(_card(piece, suits))
    return Hand(seat, tuple(acts), tuple(cards), claimed)


def _pieces(what: str) -> Iterable[str]:
    """Words, with those that belong together kept together."""
    words = [_plain(word) for word in _words(what)]
    known = {*_CATEGORIES, *_ACTS}
    while words:
        size = next((size for size in (3, 2) if " ".join(words[:size]) in known and len(words) >= size), 1)
        yield " ".join(words[:size])
        words = words[size:]


def _words(what: str) -> list[str]:
    return what.replace(",", " ").split()


def _plain(word: str) -> str:
    """Small, without accents."""
    letters = unicodedata.normalize("NFD", word.lower())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _card(word: str, suits: set[str]) -> str:
    found = _CARD.fullmatch(_plain(word))
    suit = _SUITS.get(found[2].lower()) if found else None
    if found is None or suit is None:
        raise Misread(f"«{word}» no es una carta ni una jugada; una carta es como Ap, 10c, 7d o Kt")
    suits.add(found[2].lower())
    rank = "T" if found[1] == "10" else found[1].upper()
    assert rank in RANKS, "the pattern has the ranks"
    return rank + suit


def hands_text(hands: WinningHands) -> str:
    """The hands as this program understood them, for the person who confirms them."""
    parts = [f"mesa: {' '.join(map(printed, hands.community))}"] if hands.community else []
    for hand in hands.hands:
        words = [_NAME_OF_CATEGORY[hand.claimed]] if hand.claimed else []
        words += [" ".join(map(printed, hand.cards))] if hand.cards else []
        words += [_NAME_OF_ACT[act] for act in hand.acts]
        parts.append(f"{hand.seat}: {', '.join(words)}")
    return " · ".join(parts)
