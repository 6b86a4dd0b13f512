"""The figures a report can have, in their order, and how they are added up.

Theory. A figure is a sum over facts, and it never loses them: it says the first and the last fact it sums and how many
they are, and where it was asked, all of them. Every item is added at four levels at once (everything, its pot, its
casino, its table), so that no total is computed from printed rows. This file must not know what facts mean.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from controller.record.atlas import Where
from controller.spanish.names import ranges

Unit = Literal["money", "count"]
Level = Literal["total", "pot", "casino", "table"]
LEVELS: tuple[Level, ...] = ("total", "pot", "casino", "table")


class Kind(NamedTuple):
    """A figure by its stable name: what it counts, in Spanish. `each`: it has a row for each of its details only."""

    label: str
    unit: Unit = "money"
    each: bool = False


SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "cash": "Caja de las mesas (R-1, R-2, R-4)",
        "play": "Juego (R-5, R-6, R-25)",
        "split": "Reparto de lo apostado (R-22, R-23, R-24)",
        "awards": "Premios (R-11 a R-21, R-29, R-34)",
        "house": "Bases, anticipos y traspasos (R-18, R-19, R-34)",
        "award": "El premio (R-12, R-18, R-21)",
        "incidents": "Incidencias (R-6, R-21, R-25, R-27)",
        "changes": "Cambios (R-26, R-27)",
    }
)

CATALOGUE: Mapping[str, Kind] = MappingProxyType(
    {
        "cash.bought": Kind("Créditos vendidos"),
        "cash.chips": Kind("Fichas caídas en ranuras"),
        "cash.in": Kind("Entró a caja"),
        "cash.cashed": Kind("Créditos pagados a jugadores"),
        "cash.left_paid": Kind("Apartado que se pagó"),
        "cash.owed_paid": Kind("Devuelto de fichas y apuestas (R-4)"),
        "cash.out": Kind("Salió de caja"),
        "cash.net": Kind("Neto de caja"),
        "cash.left": Kind("Apartado de jugadores ausentes"),
        "cash.lapsed": Kind("Promocionales caducados"),
        "cash.promo": Kind("Promocionales otorgados (R-29)"),
        "play.opened": Kind("Pases abiertos", "count"),
        "play.sealed": Kind("Pases cerrados a apuestas", "count"),
        "play.bets": Kind("Apuestas válidas", "count"),
        "play.wagered": Kind("Apostado"),
        "play.promo": Kind("de ello, con promocionales"),
        "play.chips": Kind("de ello, con fichas"),
        "play.returned_bets": Kind("Apuestas sin lámpara, devueltas (R-6)", "count"),
        "play.returned": Kind("Devuelto por falta de lámpara"),
        "play.undone_bets": Kind("Apuestas anuladas tras el cierre (R-25)", "count"),
        "play.undone": Kind("Devuelto por anulaciones tras el cierre"),
        "play.voided_bets": Kind("Apuestas anuladas antes del cierre", "count"),
        "play.voided": Kind("Devuelto por anulaciones antes del cierre"),
        "play.net": Kind("Apostado neto de anulaciones"),
        "split.commission": Kind("Comisión"),
        "split.pots": Kind("A los pozos"),
        "split.part": Kind("A los pozos", each=True),
        "split.overflow": Kind("de ello, sobre el tope (a la primera reserva)"),
        "split.commission_undone": Kind("Comisión deshecha por anulaciones"),
        "split.pots_undone": Kind("Deshecho en los pozos"),
        "split.part_undone": Kind("Deshecho en los pozos", each=True),
        "awards.before_count": Kind("Pendientes al empezar", "count"),
        "awards.before": Kind("Pendiente al empezar"),
        "awards.registered_count": Kind("Premios registrados", "count"),
        "awards.registered": Kind("Registrado"),
        "awards.late_count": Kind("de ellos, tardíos (R-34)", "count"),
        "awards.late": Kind("de ello, tardío (R-34)"),
        "awards.paid_count": Kind("Premios pagados", "count"),
        "awards.paid": Kind("Pagado"),
        "awards.rejected_count": Kind("Premios rechazados", "count"),
        "awards.rejected": Kind("Rechazado"),
        "awards.pending_count": Kind("Pendientes al terminar", "count"),
        "awards.pending": Kind("Pendiente al terminar"),
        "awards.draws": Kind("Sorteos (R-30)", "count"),
        "awards.draws_hit": Kind("Sorteos con premio", "count"),
        "house.base": Kind("Bases de pozos nuevos, de la casa (R-24)"),
        "house.base_back": Kind("Bases repuestas por la casa (R-19)"),
        "house.shortfall": Kind("Anticipos por pozo insuficiente (R-18)"),
        "house.late": Kind("Premios tardíos, de la casa (R-34)"),
        "house.prize": Kind("Premios complementarios, de la casa (R-29)"),
        "house.void": Kind("Anulaciones, de la casa (R-25)"),
        "house.rejected": Kind("Por rechazos (negativo: vuelve a la casa; R-21)"),
        "house.moved": Kind("Traspasos de la casa a pozos (R-26)"),
        "house.suspense": Kind("Suspensos que asumió la casa"),
        "house.total": Kind("Puesto por la casa, neto"),
        "house.base_reserves": Kind("Bases repuestas por las reservas (R-19)"),
        "house.parts_moved": Kind("Traspasos entre partes de un pozo (R-26)"),
        "award.amount": Kind("Monto"),
        "award.bet": Kind("Apuesta válida"),
        "award.parts": Kind("De los pozos"),
        "award.part": Kind("De los pozos", each=True),
        "award.house": Kind("De la casa, anticipado"),
        "award.paid": Kind("Pagado"),
        "award.rejected": Kind("Rechazado"),
        "award.pending": Kind("Retenido"),
        "incidents.seat_closed": Kind("Posiciones cerradas (R-6)", "count"),
        "incidents.lamp_fault": Kind("Fallas de lámpara (R-6)", "count"),
        "incidents.bet_refused": Kind("Apuestas que la mesa no aceptó", "count"),
        "incidents.device_adopted": Kind("Unidades nuevas o cambiadas", "count"),
        "incidents.voided_hands": Kind("Manos anuladas (R-25)", "count"),
        "incidents.voided_passes": Kind("Pases anulados (R-25)", "count"),
        "incidents.overdue": Kind("Premios vencidos (R-21)", "count"),
        "incidents.refused": Kind("Pedidos rechazados", "count"),
        "incidents.id_reused": Kind("Identificadores reutilizados", "count"),
        "incidents.clock_back": Kind("Saltos atrás del reloj", "count"),
        "incidents.suspense_counts": Kind("Recuentos con diferencia", "count"),
        "incidents.suspense": Kind("Diferencia de recuentos (negativo: falta)"),
        "incidents.suspense_cleared": Kind("Suspensos aclarados por dos personas", "count"),
        "changes.plan": Kind("Planes que entraron en vigor (R-26)", "count"),
        "changes.staged": Kind("Planes presentados", "count"),
        "changes.withdrawn": Kind("Planes retirados", "count"),
        "changes.moved": Kind("Traspasos de dinero", "count"),
        "changes.people": Kind("Personas inscritas o cambiadas", "count"),
        "changes.unlocked": Kind("Personas desbloqueadas", "count"),
        "changes.restored": Kind("Restauraciones", "count"),
        "changes.between": Kind("Hechos entre jornadas, contados aquí", "count"),
    }
)


class Item(NamedTuple):
    """What one fact adds to one figure; `detail` says of what: a part, a category, a reason."""

    key: str
    amount: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """One sum, with the facts it rests on; `numbers` are all of them, as ranges, where they were asked for."""

    section: str
    name: str
    detail: str
    unit: Unit
    level: Level
    pot: str
    table: str
    casino: str
    amount: int
    first: int
    last: int
    facts: int
    numbers: tuple[tuple[int, int], ...] = ()

    @property
    def key(self) -> str:
        return f"{self.section}.{self.name}"


class Sum:
    """An amount that grows, and remembers the facts it came from."""

    __slots__ = ("amount", "facts", "first", "last", "numbers")

    def __init__(self) -> None:
        self.amount = self.facts = self.first = self.last = 0
        self.numbers: array[int] | None = None

    def add(self, seq: int, amount: int, keep: bool) -> None:
        self.amount += amount
        if seq == self.last:
            return
        self.first = self.first or seq
        self.last = seq
        self.facts += 1
        if keep:
            self.numbers = self.numbers or array("q")
            self.numbers.append(seq)

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        return tuple(ranges(self.numbers or ()))


class _Place(NamedTuple):
    level: Level
    pot: str
    table: str
    casino: str


_EVERYWHERE = _Place("total", "", "", "")


def _places(where: Where) -> Iterator[_Place]:
    yield _EVERYWHERE
    if where.pot:
        yield _Place("pot", where.pot, "", "")
    if where.casino:
        yield _Place("casino", "", "", where.casino)
    if where.table:
        yield _Place("table", where.pot, where.table, where.casino)


class Tally:
    """Adds items up, at every level; `keep` where all fact numbers are wanted."""

    def __init__(self, keep: bool) -> None:
        self.keep = keep
        self._sums: dict[tuple[str, str, _Place], Sum] = {}
        for key, kind in CATALOGUE.items():
            if not kind.each:
                self._sums[key, "", _EVERYWHERE] = Sum()

    def add(self, seq: int, where: Where, items: Iterable[Item]) -> None:
        """Facts come in their order; what has a detail counts towards the figure without one too."""
        for item in items:
            details = ("", item.detail) if item.detail and not CATALOGUE[item.key].each else (item.detail,)
            for place in _places(where):
                for detail in details:
                    key = (item.key, detail, place)
                    found = self._sums.get(key)
                    if found is None:
                        found = self._sums[key] = Sum()
                    found.add(seq, item.amount, self.keep)

    def figures(self) -> tuple[Figure, ...]:
        """In the order of the catalogue, then of the level, then by name."""
        order = {key: at for at, key in enumerate(CATALOGUE)}

        def place_in_order(row: tuple[str, str, _Place]) -> tuple[object, ...]:
            key, detail, place = row
            return (LEVELS.index(place.level), place[1:], order[key], detail)

        return tuple(self._figure(row) for row in sorted(self._sums, key=place_in_order))

    def _figure(self, row: tuple[str, str, _Place]) -> Figure:
        key, detail, place = row
        section, _, name = key.partition(".")
        added = self._sums[row]
        unit = CATALOGUE[key].unit
        return Figure(
            section, name, detail, unit, *place, added.amount, added.first, added.last, added.facts, added.ranges
        )
