"""How reports write instants, fact numbers, accounts and prizes, for a Spanish reader."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo

from controller.rules.cards import CATEGORIES, HAND_NAMES
from controller.rules.eligibility import WhyUnpaid
from controller.spanish.numbers import whole

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = 253_402_000_000_000  # some days before the end of the year 9999, so that every zone has it

PART_OF_MAIN = "main"
_MOST_WORDS = 300

_ACCOUNTS = {
    "cash": "Caja",
    "practice": "Práctica, sin dinero",
    "credits": "Créditos en posiciones",
    "promo": "Créditos promocionales",
    "bets": "Apuestas del pase abierto",
    "owed": "Por devolver al jugador",
    "left": "Apartado",
    "suspense": "En suspenso",
    "commission": "Comisión",
    "pot": "Pozo",
    "held": "Premios retenidos",
    "paid": "Premios pagados",
    "house": "La casa",
    "promo_issued": "Promocionales emitidos",
    "clearing": "En cuenta con un nodo vecino",
    "dispute": "En disputa con un nodo vecino",
    "share": "Parte de un pozo que se dejó",
}
ACCOUNT_ORDER = {kind: at for at, kind in enumerate(_ACCOUNTS)}
_BY_SEAT = ("credits", "promo", "owed")

UNPAID_WORDS = {
    WhyUnpaid.NO_BET: "no tenía apuesta válida en el pase (R-1)",
    WhyUnpaid.LAMP: "su lámpara no estaba encendida (R-6)",
    WhyUnpaid.FOLDED: "no fue: pierde el pozo, no los complementarios (R-8)",
    WhyUnpaid.EXCHANGED: "cambió cartas: pierde el pozo, no los complementarios (R-8)",
    WhyUnpaid.BOUGHT: "compró una carta: pierde el pozo, no los complementarios (R-8)",
    WhyUnpaid.NO_CLAIM: "no se declaró una jugada (R-32)",
    WhyUnpaid.NO_PRIZE: "su mano no tiene premio (R-10, R-11)",
}
ACT_WORDS = {"folded": "no fue", "exchanged": "cambió cartas", "bought": "compró una carta"}


def when(at: int, zone: tzinfo = UTC) -> str:
    """Milliseconds since 1970 UTC as a date and a time, in the zone that is asked for."""
    if not 0 <= at <= _LATEST:
        return f"instante {at}"
    moment = (_BEGINNING + timedelta(milliseconds=at)).astimezone(zone)
    name = "UTC" if zone is UTC else moment.tzname() or ""
    return f"{moment:%d-%m-%Y %H:%M:%S} {name}".rstrip()


def harmless(line: str) -> str:
    """A line for a terminal or a page: what a record says can never move a cursor or change a colour."""
    return "".join(letter if letter.isprintable() else "·" for letter in line)


def clipped(text: str) -> str:
    """Words that people wrote into the record, as far as a page has room for them, on one line."""
    line = harmless(" ".join(text.split()))
    return line if len(line) <= _MOST_WORDS else line[: _MOST_WORDS - 1] + "…"


def ranges(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Rising fact numbers as ranges: 4, 5, 6, 9 is 4 to 6 and 9 to 9."""
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = last = number
        elif number == last + 1:
            last = number
        else:
            yield first, last
            first = last = number
    if first is not None and last is not None:
        yield first, last


def listed(numbers: Iterable[tuple[int, int]]) -> str:
    """Ranges as a person reads them: 4-6, 9."""
    return ", ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in numbers)


def trace(first: int, last: int, facts: int) -> str:
    """The facts a figure rests on, in one cell."""
    if not facts:
        return "-"
    if facts == 1:
        return f"hecho {first}"
    return f"{first} a {last} ({whole(facts)})"


def part_name(part: str) -> str:
    """R-24: a part of a pot."""
    return "principal" if part == PART_OF_MAIN else part


def prize_name(prize: str) -> str:
    """A category by the name that players use; a complementary prize has its own."""
    return HAND_NAMES[CATEGORIES[prize]] if prize in CATEGORIES else prize


def account_name(account: str) -> str:
    """An account of the ledger in words; the seats of a table are one."""
    kind, _, rest = account.partition(":")
    words = rest.split(":")
    if kind in _BY_SEAT:
        words = words[:1]
    if kind == "pot":
        words = [words[0], part_name(words[-1])]
    return f"{_ACCOUNTS.get(kind, kind)} {', '.join(words)}"


def people(*persons: str) -> str:
    """Who did it; a button has no name."""
    named = [person for person in persons if person]
    return " y ".join(named) if named else "un botón de la mesa"
