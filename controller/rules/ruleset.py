"""A ruleset: what one law says, as data with the clause beside each value.

Theory. No rule of this program knows a country. A law is a paytable, the modalities it allows with their
seats, cards and forfeits, and the readings it was approved with (R-33); the code knows only how such data is
applied. A ruleset that contradicts itself is refused when it is read, before any bet.

Every table of values has a `clause` key, and it is required, so that an auditor never has to ask where a
number comes from. This file must not know pots, plans or passes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from controller.rules.cards import CATEGORIES, LABELS, Category
from controller.rules.document import Section, parse
from controller.rules.money import PPM, Money, Ppm
from controller.rules.prizes import Complementary, Payment, read_complementary, read_payment
from controller.rules.readings import Readings, read_readings

MOST_SEATS = 8
"""R-7: no modality has more than 7. Up to 8, five-card hands of any one category can be dealt to every seat at
once, which the worst case of a pass relies on (liability.py)."""

DRAW = "draw"
"""R-33: the game whose folded hands `draw_fold_forfeits` is about."""

_DEALS = ((5, 0), (3, 2), (2, 3))
_MOST_TIMES, _MOST_PER_UNIT = 1_000_000, 100_000_000
_NAME = re.compile(r"[a-z0-9_]{1,40}")


@dataclass(frozen=True, slots=True)
class Times:
    """R-11: a multiple of the winner's own bet."""

    times: int
    clause: str


@dataclass(frozen=True, slots=True)
class PerUnit:
    """R-11: a fixed amount for each bet unit ("por seguro apostado")."""

    amount: Money
    clause: str


@dataclass(frozen=True, slots=True)
class Share:
    """R-11: a percentage of the main pot, with or without a cap in multiples of the bet."""

    ppm: Ppm
    cap_times: int | None
    clause: str


Prize = Times | PerUnit | Share


class Forfeit(StrEnum):
    """R-8: what a player may do with his hand; each game says which of it there is, and which of it forfeits."""

    FOLDED = "folded"
    EXCHANGED = "exchanged"
    BOUGHT = "bought"


ACT_NAMES = {Forfeit.FOLDED: "no ir", Forfeit.EXCHANGED: "cambiar cartas", Forfeit.BOUGHT: "comprar una carta"}
"""As a croupier calls what a player does."""


@dataclass(frozen=True, slots=True)
class Modality:
    """R-7, R-8: a game with its seats, the cards that count, what forfeits, and what a player can do at all.

    A ruleset of before the second reading says nothing of `acts`: there every act was taken.
    """

    name: str
    seats: int
    own_cards: int
    community_cards: int
    forfeits: frozenset[Forfeit]
    clause: str
    acts: frozenset[Forfeit] = frozenset(Forfeit)

    def __post_init__(self) -> None:
        assert self.forfeits <= self.acts, "R-8: what forfeits is something that the game has"
        assert (self.own_cards, self.community_cards) in _DEALS, "R-8: five cards count"
        assert 1 <= self.seats <= MOST_SEATS, "R-7: a game has seats, and no more than the worst case counts with"


@dataclass(frozen=True, slots=True)
class Currency:
    """R-1: the smallest unit of this currency is what a `Money` counts."""

    code: str
    symbol: str
    decimals: int
    clause: str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One law, ready to be applied."""

    name: str
    title: str
    source: str
    currency: Currency
    verification_minutes: int
    verification_clause: str
    inter_casino: bool
    inter_casino_clause: str
    paytable: Mapping[Category, Prize]
    modalities: Mapping[str, Modality]
    readings: Readings
    complementary: Complementary
    payment: Payment | None = None
    reviews_every_hand: bool = True
    """R-35: closing a pass says that each hand which was not forfeited was looked at."""

    def __post_init__(self) -> None:
        order = sorted(self.paytable)
        shares = [isinstance(self.paytable[category], Share) for category in order]
        assert shares == sorted(shares), "R-13, R-15: every percentage outranks every fixed prize"
        assert self.paytable and self.modalities, "R-7, R-11: a law has games, and pays something"
        assert self.complementary.allowed or not self.complementary.named, "R-29: what is named is allowed"
        draw = self.modalities.get(DRAW)
        folding_counts = draw is None or Forfeit.FOLDED in draw.forfeits
        assert folding_counts or not self.readings.draw_fold_forfeits, "R-33: the reading stands in the game's own list"

    @property
    def pays_per_unit(self) -> bool:
        """R-11: some amount is owed "por seguro apostado", so a pass must say what one unit is."""
        return any(isinstance(prize, PerUnit) for prize in self.paytable.values())


def load_ruleset(text: str, file: str) -> Ruleset:
    """Read a ruleset from its TOML text, or raise a DocumentError that names file, key and rule."""
    root = parse(text, file)
    inter_casino = root.section("inter_casino", "R-28")
    verification = root.section("verification", "R-21")
    readings = read_readings(root.section("readings", "R-33"))
    ruleset = Ruleset(
        name=root.text("name", "R-26"),
        title=root.text("title", "R-26"),
        source=root.text("source", "R-26"),
        currency=_currency(root.section("currency", "R-1")),
        verification_minutes=verification.whole("minutes", "R-21", 0, 24 * 60),
        verification_clause=verification.text("clause", "R-21"),
        inter_casino=inter_casino.flag("allowed", "R-28"),
        inter_casino_clause=inter_casino.text("clause", "R-28"),
        paytable=_paytable(root),
        modalities=_modalities(root, readings),
        readings=readings,
        complementary=read_complementary(root.section("complementary", "R-29")),
        payment=read_payment(root),
        reviews_every_hand=_reviews_every_hand(root),
    )
    for section in (verification, inter_casino, root):
        section.close()
    assert list(ruleset.paytable) == sorted(ruleset.paytable), "R-13: low category first"
    return ruleset


def _reviews_every_hand(root: Section) -> bool:
    """R-35: every law asks for it but AJ; rulesets of the first reading do not say."""
    if not root.has("review"):
        return True
    section = root.section("review", "R-35")
    asked, clause = section.flag("every_hand", "R-35"), section.text("clause", "R-35")
    section.close()
    assert clause, "every value has its clause"
    return asked


def _currency(section: Section) -> Currency:
    currency = Currency(
        code=section.text("code", "R-1"),
        symbol=section.text("symbol", "R-1"),
        decimals=section.whole("decimals", "R-1", 0, 4),
        clause=section.text("clause", "R-1"),
    )
    section.close()
    return currency


def _paytable(root: Section) -> Mapping[Category, Prize]:
    paytable: dict[Category, Prize] = {}
    for name, section in root.sections("paytable", "R-11"):
        if name not in CATEGORIES:
            root.refuse(f"paytable.{name}", "R-10", "no es una jugada; son " + ", ".join(CATEGORIES))
        paytable[CATEGORIES[name]] = _prize(section)
        section.close()
    if not paytable:
        root.refuse("paytable", "R-11", "falta al menos un premio")
    _refuse_fixed_above_percentage(root, paytable)
    assert Category.NOTHING not in paytable, "R-10: nothing is paid for nothing"
    return MappingProxyType(dict(sorted(paytable.items())))


def _prize(section: Section) -> Prize:
    kinds = [kind for kind in ("times", "per_unit", "percent_ppm") if section.has(kind)]
    if len(kinds) != 1:
        section.refuse("times", "R-11", "cada premio es exactamente uno de times, per_unit, percent_ppm")
    clause = section.text("clause", "R-11")
    if kinds == ["times"]:
        return Times(section.whole("times", "R-11", 1, _MOST_TIMES), clause)
    if kinds == ["per_unit"]:
        return PerUnit(Money(section.whole("per_unit", "R-11", 1, _MOST_PER_UNIT)), clause)
    cap = section.whole("cap_times", "R-17", 1, _MOST_TIMES) if section.has("cap_times") else None
    assert kinds == ["percent_ppm"], "R-11: exactly one kind of prize"
    return Share(section.ppm("percent_ppm", "R-11"), cap, clause)


def _refuse_fixed_above_percentage(root: Section, paytable: Mapping[Category, Prize]) -> None:
    """R-13 pays low to high and R-15 pays percentages last; both hold only if percentages are highest."""
    assert paytable, "R-11: a law pays something"
    for category in (Category.ESCALERA_COLOR, Category.ESCALERA_REAL):
        if not isinstance(paytable.get(category), Share | None):
            root.refuse(f"paytable.{LABELS[category]}", "R-11", "se paga como porcentaje del pozo, no como monto fijo")
    highest_fixed = max((c for c, prize in paytable.items() if not isinstance(prize, Share)), default=0)
    for category, prize in paytable.items():
        if isinstance(prize, Share):
            name = f"paytable.{LABELS[category]}"
            if category < highest_fixed:
                root.refuse(name, "R-15", "un porcentaje no puede estar debajo de un premio fijo")
            if prize.ppm == PPM and category != max(paytable):
                root.refuse(name, "R-15", "tras pagar el 100 % no queda pozo para una jugada mayor")
            if prize.ppm == PPM and prize.cap_times is not None:
                root.refuse(
                    f"{name}.cap_times", "R-19", "un 100 % con tope no vacía el pozo y nunca volvería a la base"
                )


def _modalities(root: Section, readings: Readings) -> Mapping[str, Modality]:
    modalities: dict[str, Modality] = {}
    for name, section in root.sections("modalities", "R-7"):
        if not _NAME.fullmatch(name):
            root.refuse(f"modalities.{name}", "R-7", "un nombre se escribe con a-z, 0-9 y _")
        own = section.whole("own_cards", "R-8", 1, 5)
        shared = section.whole("community_cards", "R-8", 0, 4)
        if (own, shared) not in _DEALS:
            section.refuse("own_cards", "R-8", f"se reparten 5 propias, 3 y 2 comunes, o 2 y 3; no {own} y {shared}")
        acts, forfeits = _acts(section, name == DRAW and readings.draw_fold_forfeits)
        modalities[name] = Modality(
            name=name,
            seats=section.whole("seats", "R-7", 1, MOST_SEATS),
            own_cards=own,
            community_cards=shared,
            forfeits=forfeits,
            clause=section.text("clause", "R-7"),
            acts=acts,
        )
        section.close()
    if not modalities:
        root.refuse("modalities", "R-7", "falta al menos una modalidad")
    assert all(name == modality.name for name, modality in modalities.items()), "R-7: a game is kept under its name"
    return MappingProxyType(modalities)


def _acts(section: Section, folding_forfeits: bool) -> tuple[frozenset[Forfeit], frozenset[Forfeit]]:
    """R-8, R-33: what a player of this game can do, and which of it loses the progressive bet."""
    forfeits = set(section.choices("forfeits", "R-8", Forfeit)) | ({Forfeit.FOLDED} if folding_forfeits else set())
    acts = set(section.choices("acts", "R-8", Forfeit)) if section.has("acts") else set(Forfeit)
    if not forfeits <= acts:
        lost = ", ".join(sorted(forfeits - acts))
        section.refuse("acts", "R-8", f"falta {lost}: pierde la apuesta, y el juego no lo tiene")
    assert acts or not forfeits, "R-8: what forfeits is an act of the game"
    return frozenset(acts), frozenset(forfeits)
