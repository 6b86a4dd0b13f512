"""Complementary prizes as a law allows them and a plan gives them, and what is paid in chips (R-29).

Theory. A law says whether there may be random awards at all, what they are paid in, and which ones it names itself. A
plan gives them within that: amount, chance, payer. Two things stand apart. A contest of cards has to do with the game,
so only a law whose authority named it may have one; and what a plan must say since the second reading is asked where a
plan is staged or checked, for the documents of older records lack it and must be read for ever.

This file must not know what was drawn, or for whom (complementary.py).
"""

from dataclasses import dataclass
from enum import StrEnum

from controller.rules.document import DocumentError, Section
from controller.rules.money import MOST_BET, Money


class PaidIn(StrEnum):
    """R-29: what a complementary prize is paid in."""

    CASH = "cash"
    CHIPS = "chips"
    PROMOTIONAL_CREDITS = "promotional_credits"


class DrawnBy(StrEnum):
    """R-29: what is drawn for a complementary prize."""

    SEAT = "seat"
    CARD = "card"


class Tender(StrEnum):
    """R-29: what money is where a law says it: what prizes of the pot are paid in, and what credits are bought with."""

    CASH = "cash"
    CHIPS = "chips"


@dataclass(frozen=True, slots=True)
class Payment:
    """R-29: AJ knows chips alone. A law that says nothing of it has no such section."""

    awards_in: Tender
    credits_for: Tender
    clause: str


@dataclass(frozen=True, slots=True)
class NamedPrize:
    """R-29: a complementary prize that the law itself names."""

    name: str
    amount: Money
    drawn: DrawnBy
    clause: str
    paid_in: PaidIn | None = None
    excludes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Complementary:
    """R-29: whether random awards are allowed, what they are paid in, and those the law names."""

    allowed: bool
    paid_in: tuple[PaidIn, ...]
    named: tuple[NamedPrize, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class PlannedPrize:
    """R-29: a complementary prize of this pot: at a chance of one in so many passes, or once a day at a random moment
    within so many minutes of the day's opening; from a part of the pot, or as promotional credits of the house, with
    the number of their authorisation. In a pass where it falls, none that it excludes falls, nor one that excludes it.
    """

    name: str
    amount: Money
    drawn: DrawnBy
    paid_in: PaidIn
    source: str
    one_in: int | None
    within_minutes: int | None
    authorisation: str = ""
    excludes: tuple[str, ...] = ()

    @property
    def is_promotional(self) -> bool:
        assert self.amount > 0, "R-29: a prize is something"
        return self.paid_in is PaidIn.PROMOTIONAL_CREDITS


def exclude_each_other(one: PlannedPrize, other: PlannedPrize) -> bool:
    """R-29: whichever of the two says so."""
    assert one.name != other.name, "R-29: a prize does not exclude itself"
    return other.name in one.excludes or one.name in other.excludes


def read_payment(root: Section) -> Payment | None:
    if not root.has("payment"):
        return None
    section = root.section("payment", "R-29")
    payment = Payment(
        awards_in=section.choice("awards_in", "R-29", Tender),
        credits_for=section.choice("credits_for", "R-29", Tender),
        clause=section.text("clause", "R-29"),
    )
    section.close()
    assert payment.clause, "every value has its clause"
    return payment


def read_complementary(section: Section) -> Complementary:
    complementary = Complementary(
        allowed=section.flag("allowed", "R-29"),
        paid_in=tuple(section.choices("paid_in", "R-29", PaidIn)),
        named=tuple(_named(row) for row in section.rows("prizes", "R-29")),
        clause=section.text("clause", "R-29"),
    )
    if complementary.allowed != bool(complementary.paid_in):
        section.refuse("paid_in", "R-29", "dice con qué se pagan los premios complementarios permitidos, y solo esos")
    if complementary.named and not complementary.allowed:
        section.refuse("prizes", "R-29", "nombra premios, pero allowed = false")
    section.close()
    assert len(set(complementary.paid_in)) == len(complementary.paid_in), "R-29: each once"
    return complementary


def _named(row: Section) -> NamedPrize:
    prize = NamedPrize(
        name=row.text("name", "R-29"),
        amount=row.money("amount", "R-29", 1),
        drawn=row.choice("drawn", "R-29", DrawnBy),
        clause=row.text("clause", "R-29"),
        paid_in=row.choice("paid_in", "R-29", PaidIn) if row.has("paid_in") else None,
        excludes=row.texts("excludes", "R-29") if row.has("excludes") else (),
    )
    row.close()
    assert prize.amount > 0, "R-29: a prize is something"
    return prize


def read_planned(
    root: Section, law: str, allowed: Complementary, reserves: tuple[str, ...]
) -> tuple[PlannedPrize, ...]:
    """R-29: the complementary prizes of a plan, within what the law allows; one the law names is as the law says."""
    prizes: list[PlannedPrize] = []
    rows = root.rows("complementary", "R-29")
    for row in rows:
        if not allowed.allowed:
            root.refuse("complementary", "R-29", f"el reglamento {law} no permite premios complementarios")
        prize = _planned(row, reserves)
        if any(prize.name == other.name for other in prizes):
            row.refuse("name", "R-29", f"el premio {prize.name} está dos veces")
        if prize.paid_in not in allowed.paid_in:
            row.refuse("paid_in", "R-29", f"el reglamento {law} solo permite " + ", ".join(allowed.paid_in))
        for named in allowed.named:
            if named.name == prize.name and (named.amount, named.drawn) != (prize.amount, prize.drawn):
                row.refuse("amount", "R-29", f"el reglamento fija {named.name} en {named.amount}, por {named.drawn}")
        prizes.append(prize)
    names = {prize.name for prize in prizes}
    for row, prize in zip(rows, prizes, strict=True):
        if not set(prize.excludes) <= names - {prize.name}:
            row.refuse("excludes", "R-29", "nombra otros premios de este plan, y ninguno más")
    assert len(names) == len(prizes), "R-29: each prize once"
    return tuple(prizes)


def _planned(row: Section, reserves: tuple[str, ...]) -> PlannedPrize:
    prize = PlannedPrize(
        name=row.text("name", "R-29"),
        amount=Money(row.whole("amount", "R-29", 1, MOST_BET)),
        drawn=row.choice("drawn", "R-29", DrawnBy),
        paid_in=row.choice("paid_in", "R-29", PaidIn),
        source=row.text("from", "R-29"),
        one_in=row.whole("one_in", "R-29", 1, 2**32) if row.has("one_in") else None,
        within_minutes=row.whole("within_minutes", "R-29", 1, 24 * 60) if row.has("within_minutes") else None,
        authorisation=row.text("authorisation", "R-29") if row.has("authorisation") else "",
        excludes=row.texts("excludes", "R-29") if row.has("excludes") else (),
    )
    if (prize.one_in is None) == (prize.within_minutes is None):
        row.refuse("one_in", "R-29", "cada premio tiene exactamente uno de one_in, within_minutes")
    sources = ("house",) if prize.is_promotional else ("main", *reserves)
    if prize.source not in sources:
        row.refuse("from", "R-29", f"un premio en {prize.paid_in} sale de uno de " + ", ".join(sources))
    row.close()
    assert prize.source != "house" or prize.is_promotional, "R-29: the house gives credits only"
    return prize


def refuse_by_today(
    prizes: tuple[PlannedPrize, ...], file: str, law: str, allowed: Complementary, credit: Money
) -> None:
    """R-29: what a plan says since the second reading; those of older records are read without it."""
    named = {prize.name: prize for prize in allowed.named}
    assert credit > 0, "R-1: a credit is worth something"
    for at, prize in enumerate(prizes):
        by_law = named.get(prize.name)
        wrong = _wrong_today(prize, by_law, credit)
        others = by_law.excludes if by_law is not None else ()
        for other in prizes[:at] + prizes[at + 1 :]:
            if other.name in others and not exclude_each_other(prize, other):
                wrong = wrong or ("excludes", f"el reglamento {law} da {prize.name} o {other.name}, no los dos")
        if wrong is not None:
            raise DocumentError(file, f"complementary[{at}].{wrong[0]}", "R-29", wrong[1])


def _wrong_today(prize: PlannedPrize, by_law: NamedPrize | None, credit: Money) -> tuple[str, str] | None:
    """The key, and what would be right."""
    assert by_law is None or by_law.name == prize.name, "R-29: as the law names it"
    if prize.drawn is DrawnBy.CARD and by_law is None:
        return "drawn", "un premio por carta tiene que ver con el juego: solo donde el reglamento lo nombra"
    if by_law is not None and by_law.paid_in not in {None, prize.paid_in}:
        return "paid_in", f"el reglamento da {prize.name} en {by_law.paid_in}"
    if prize.is_promotional and not prize.authorisation:
        return "authorisation", "falta el número de la autorización de los créditos promocionales"
    if prize.is_promotional and prize.amount % credit:
        return "amount", f"{prize.amount} no es un número entero de créditos de {credit}"
    return None
