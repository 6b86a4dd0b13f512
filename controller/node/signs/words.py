"""What signs say to the public, in Spanish: each text in several lengths, the best first (R-3, R-21, R-31).

Theory. Pure text of what the core projects. Capitals, because half of all signs have nothing else. Every amount is
written in a form of the pot's currency; a word may be shortened or left out, an amount never is.
"""

import re
from collections.abc import Iterator, Sequence

from controller.core.links.names import plain
from controller.core.values import Phase
from controller.core.view import AwardView, SeatView, SignView, TableView
from controller.rules.cards import CATEGORIES, HAND_NAMES, Category
from drivers.session import SECOND, Micros
from drivers.signs.amount import AmountForm

OUT_OF_SERVICE = ("FUERA DE SERVICIO", "FUERA SERV.", "FUERA")
TEST = ("PRUEBA DE LETRERO ÁÉÍÓÚÑ $0123456789", "PRUEBA $0123456789", "PRUEBA 0123456789", "PRUEBA", "0123456789", "8")
NO_AMOUNT = ("-", "")  # in the place of an amount that is not known, or that has no room
# What pays what, as controller/core/project.py says it.
_AMOUNT_PER = re.compile(r"(\d+) por (unidad|apuesta)")
_CAPPED = re.compile(r"(.+ %), máx\. ([\d.]+) veces")
_MINUTE: Micros = 60 * SECOND
_HOUR, _DAY = 60, 1_440  # in minutes
_MOST_DAYS = 999  # beyond that nobody knows since when


def hand_name(prize: str) -> str:
    """A hand as players call it; a complementary prize as the plan names it."""
    return HAND_NAMES[CATEGORIES.get(prize, Category.NOTHING)] if prize in CATEGORIES else prize


def amounts(forms: Sequence[AmountForm], amount: int) -> list[str]:
    assert amount >= 0, "R-18: no pot is ever negative"
    return [form.text(amount) for form in forms]


def increments(forms: Sequence[AmountForm], increment: int) -> list[str]:
    return [f"+{text}" for text in amounts(forms, increment)]


def prizes(award: AwardView, forms: Sequence[AmountForm]) -> Iterator[str]:
    """R-20, R-21, R-29, R-31: a won prize; one that is still verified is called so, and one in credits too. The owner
    of a far pot has not said yet what a percentage of it is. Of a table of another node its casino is named (R-28)."""
    form = " EN CRÉDITOS" * award.promo
    hand, pending = hand_name(award.prize).upper(), not award.confirmed
    whole, shorter, short, least = _places(award)
    if award.waits:
        yield from (f"{place} {hand} EN DECISIÓN" for place in (whole, shorter, short, least))
        yield from (f"{hand} EN DECISIÓN", hand, "PREMIO")
        return
    for money in amounts(forms[:1], award.amount):
        yield f"{whole} {hand} {money}{form}" + " EN VERIFICACIÓN" * pending
        yield f"{shorter} {hand} {money}{form}" + " VERIF." * pending
        yield f"{short} {hand} {money}{form}" + " VERIF." * pending
        yield f"{least} {hand} {money}" + "?" * pending
    for money in amounts(forms, award.amount):
        yield f"{hand} {money}" + "?" * pending
    for money in amounts(forms, award.amount):
        yield f"PREMIO {money}" + "?" * pending


def _places(award: AwardView) -> tuple[str, str, str, str]:
    """Where it was won; a seat of another casino's table is never said without that casino."""
    table, seat, casino = plain(award.table).upper(), award.seat, award.casino.upper()
    if not casino:
        return f"MESA {table} POSICIÓN {seat}", f"MESA {table} POS {seat}", f"{table} POS {seat}", f"{table}/{seat}"
    named = f"MESA {table} DE {casino}"
    return f"{named} POSICIÓN {seat}", f"{named} POS {seat}", f"{casino} {table} POS {seat}", casino


def limits(sign: SignView, forms: Sequence[AmountForm]) -> list[str]:
    """R-3: what each bet may be."""
    texts: list[str] = []
    for form in forms:
        least, most = form.text(sign.least), form.text(sign.most)
        bet = least if least == most else f"{least} A {most}"
        texts += (f"APUESTA {bet}", f"AP. {bet}")
    return texts


def pays(hand: str, prize: str, forms: Sequence[AmountForm]) -> list[list[str]]:
    """R-11, R-31: what one hand pays, in one turn: `COLOR 50x`, `ESCALERA DE COLOR 10%, MÁX. 5.000 VECES`; or, where a
    sign has no room for a percentage with its cap, in two, for one without the other would say something else."""
    name = hand_name(hand).upper()
    if amount := _AMOUNT_PER.fullmatch(prize):
        each = amount[2].upper()
        money = amounts(forms, int(amount[1]))
        short = "C/U" if each == "UNIDAD" else each
        return [[*(f"{name} {text} POR {each}" for text in money), *(f"{name} {text} {short}" for text in money)]]
    short = "".join(word[0] for word in name.split() if word != "DE") if " " in name else name
    if capped := _CAPPED.fullmatch(prize):
        return _pays_capped(name, short, capped[1].replace(" %", "%"), capped[2])
    paid = prize.replace(" x", "x").replace(" %", "%")
    return [[f"{name} {paid}", f"{short} {paid}"]]


def _pays_capped(name: str, short: str, percent: str, times: str) -> list[list[str]]:
    plain = times.replace(".", "")
    whole = [f"{one} {percent}, MÁX. {times} VECES" for one in (name, short)]
    whole += [f"{short} {percent} MÁX. {times}x", f"{short} {percent} MÁX {plain}x"]
    of_pot = [f"{name} {percent}", f"{short} {percent}"]
    at_most = [f"{name} MÁX. {times} VECES", f"{short} MÁX. {times}x", f"{short} MÁX {plain}x", f"MÁX {plain}x"]
    return [whole, of_pot, at_most]


def training(tables: Sequence[str]) -> list[str]:
    """R-36: what is played at these tables is no money."""
    assert tables, "somebody trains"
    listed = ", ".join(tables).upper()
    named = f"MESA {listed}" if len(tables) == 1 else f"MESAS {listed}"
    return [
        f"ENTRENAMIENTO SIN DINERO {named}",
        f"ENTRENAMIENTO {named}",
        f"ENTRENA {listed}",
        "ENTRENAMIENTO",
        "ENTRENA",
    ]


def stale(age: Micros) -> list[str]:
    """Shown when the owner of the pot is far and silent: how old the amount is."""
    minutes = age // _MINUTE
    if minutes > _MOST_DAYS * _DAY:
        return ["SIN ENLACE"]
    since = f"{minutes} MIN" if minutes else f"{age // SECOND} S"
    if minutes >= 2 * _HOUR:
        since = f"{minutes // _DAY} DÍAS" if minutes >= 2 * _DAY else f"{minutes // _HOUR} H"
    return [f"SIN ENLACE, DATO DE HACE {since}", f"SIN ENLACE HACE {since}", f"HACE {since}", "SIN ENLACE"]


def table_texts(table: TableView, forms: Sequence[AmountForm]) -> Iterator[list[str]]:
    """What a table's croupier must know: whether bets are taken, which seats are closed, what is to be handed back."""
    match table.phase:
        case Phase.OPEN:
            yield ["HAGAN SUS APUESTAS", "APUESTAS", "ABIERTA"]
        case Phase.LOCKING:
            yield ["CERRANDO APUESTAS", "CERRANDO"]
        case Phase.SEALED:
            yield ["NO MÁS APUESTAS", "NO VA MÁS"]
        case Phase.BETWEEN:
            yield ["MESA CERRADA", "CERRADA"]
    closed = [seat.seat for seat in table.seats if seat.closed]
    if closed:
        listed = ", ".join(map(str, closed))
        yield [
            f"POSICIÓN {listed} CERRADA" if len(closed) == 1 else f"POSICIONES {listed} CERRADAS",
            f"CERRADA {listed}",
        ]
    yield from (_owed(seat, forms) for seat in table.seats if seat.owed)


def _owed(seat: SeatView, forms: Sequence[AmountForm]) -> list[str]:
    """R-4."""
    money = amounts(forms, seat.owed)
    return [f"DEVOLVER {money[0]} POSICIÓN {seat.seat}", *(f"DEV. {text} POS {seat.seat}" for text in money)]
