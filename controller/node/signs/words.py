"""What signs say to the public, in Spanish: each text in several lengths, the best first (R-3, R-21, R-31).

Theory. Pure text of what the core projects. Capitals, because half of all signs have nothing else. Every amount is
written in a form of the pot's currency; a word may be shortened or left out, an amount never is.
"""

from collections.abc import Iterator, Sequence

from controller.core.values import Phase
from controller.core.view import AwardView, SeatView, SignView, TableView
from controller.rules.cards import CATEGORIES, HAND_NAMES, Category
from drivers.session import SECOND, Micros
from drivers.signs.amount import AmountForm

OUT_OF_SERVICE = ("FUERA DE SERVICIO", "FUERA SERV.", "FUERA")
TEST = ("PRUEBA DE LETRERO ÁÉÍÓÚÑ $0123456789", "PRUEBA $0123456789", "PRUEBA 0123456789", "PRUEBA", "0123456789", "8")
NO_AMOUNT = ("-", "")  # in the place of an amount that is not known, or that has no room
_PER_UNIT = " por unidad"  # controller/core/project.py
_MINUTE: Micros = 60 * SECOND


def hand_name(prize: str) -> str:
    """A hand as players call it; a complementary prize as the plan names it."""
    return HAND_NAMES[CATEGORIES.get(prize, Category.NOTHING)] if prize in CATEGORIES else prize


def amounts(forms: Sequence[AmountForm], amount: int) -> list[str]:
    assert amount >= 0, "R-18: no pot is ever negative"
    return [form.text(amount) for form in forms]


def increments(forms: Sequence[AmountForm], increment: int) -> list[str]:
    return [f"+{text}" for text in amounts(forms, increment)]


def prizes(award: AwardView, forms: Sequence[AmountForm]) -> Iterator[str]:
    """R-20, R-21, R-29, R-31: a won prize; one that is still verified is called so, and one in credits too."""
    form = " EN CRÉDITOS" * award.promo
    hand, pending = hand_name(award.prize).upper(), not award.confirmed
    table = award.table.upper()
    for money in amounts(forms[:1], award.amount):
        yield f"MESA {table} POSICIÓN {award.seat} {hand} {money}{form}" + " EN VERIFICACIÓN" * pending
        yield f"MESA {table} POS {award.seat} {hand} {money}{form}" + " VERIF." * pending
        yield f"{table} POS {award.seat} {hand} {money}{form}" + " VERIF." * pending
        yield f"{table}/{award.seat} {hand} {money}" + "?" * pending
    for money in amounts(forms, award.amount):
        yield f"{hand} {money}" + "?" * pending
    for money in amounts(forms, award.amount):
        yield f"PREMIO {money}" + "?" * pending


def limits(sign: SignView, forms: Sequence[AmountForm]) -> list[str]:
    """R-3: what each bet may be."""
    texts: list[str] = []
    for form in forms:
        least, most = form.text(sign.least), form.text(sign.most)
        bet = least if least == most else f"{least} A {most}"
        texts += (f"APUESTA {bet}", f"AP. {bet}")
    return texts


def pays(hand: str, prize: str, forms: Sequence[AmountForm]) -> list[str]:
    """R-11: what one hand pays: `COLOR 50x`, `ESCALERA REAL 100%`, `FULL $40.000 POR UNIDAD`."""
    name = hand_name(hand).upper()
    per_unit = prize.removesuffix(_PER_UNIT)
    if per_unit != prize and per_unit.isdecimal():
        money = amounts(forms, int(per_unit))
        return [*(f"{name} {text} POR UNIDAD" for text in money), *(f"{name} {text} C/U" for text in money)]
    paid = prize.replace(" x", "x").replace(" %", "%")
    short = "".join(word[0] for word in name.split() if word != "DE") if " " in name else name
    return [f"{name} {paid}", f"{short} {paid}"]


def stale(age: Micros) -> list[str]:
    """Shown when the owner of the pot is far and silent: how old the amount is."""
    minutes = age // _MINUTE
    since = f"{minutes} MIN" if minutes else f"{age // SECOND} S"
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
