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

from controller.record.fold import Where
from controller.spanish.names import ranges

Unit = Literal["money", "count"]
Level = Literal["total", "pot", "casino", "table"]
LEVELS: tuple[Level, ...] = ("total", "pot", "casino", "table")


class FigureKind(NamedTuple):
    """A figure by its stable name: what it counts, in Spanish. `each`: it has a row for each of its details only.
    `of_links`: there is none of it where no pot is shared."""

    label: str
    unit: Unit = "money"
    each: bool = False
    of_links: bool = False


SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "cash": "Caja de las mesas (R-1, R-2, R-4)",
        "play": "Juego (R-5, R-6, R-25)",
        "split": "Reparto de lo apostado (R-22, R-23, R-24)",
        "awards": "Premios (R-11 a R-21, R-29, R-34)",
        "house": "Bases, anticipos y traspasos (R-18, R-19, R-34)",
        "links": "Entre nodos que comparten pozos (R-28)",
        "award": "El premio (R-12, R-18, R-21)",
        "incidents": "Incidencias (R-6, R-21, R-25, R-27)",
        "changes": "Cambios (R-26, R-27)",
    }
)

CATALOGUE: Mapping[str, FigureKind] = MappingProxyType(
    {
        "cash.bought": FigureKind("Créditos vendidos"),
        "cash.bought_chips": FigureKind("de ello, con fichas (R-29)"),
        "cash.chips": FigureKind("Fichas caídas en ranuras"),
        "cash.in": FigureKind("Entró a caja"),
        "cash.cashed": FigureKind("Créditos pagados a jugadores"),
        "cash.left_paid": FigureKind("Apartado que se pagó"),
        "cash.owed_paid": FigureKind("Devuelto de fichas y apuestas (R-4)"),
        "cash.out": FigureKind("Salió de caja"),
        "cash.net": FigureKind("Neto de caja"),
        "cash.left": FigureKind("Apartado de jugadores ausentes"),
        "cash.lapsed": FigureKind("Promocionales caducados"),
        "cash.promo": FigureKind("Promocionales otorgados (R-29)"),
        "play.opened": FigureKind("Pases abiertos", "count"),
        "play.sealed": FigureKind("Pases cerrados a apuestas", "count"),
        "play.bets": FigureKind("Apuestas válidas", "count"),
        "play.wagered": FigureKind("Apostado"),
        "play.promo": FigureKind("de ello, con promocionales"),
        "play.chips": FigureKind("de ello, con fichas"),
        "play.returned_bets": FigureKind("Apuestas sin lámpara, devueltas (R-6)", "count"),
        "play.returned": FigureKind("Devuelto por falta de lámpara"),
        "play.undone_bets": FigureKind("Apuestas anuladas tras el cierre (R-25)", "count"),
        "play.undone": FigureKind("Devuelto por anulaciones tras el cierre"),
        "play.voided_bets": FigureKind("Apuestas anuladas antes del cierre", "count"),
        "play.voided": FigureKind("Devuelto por anulaciones antes del cierre"),
        "play.net": FigureKind("Apostado neto de anulaciones"),
        "split.commission": FigureKind("Comisión"),
        "split.pots": FigureKind("A los pozos"),
        "split.part": FigureKind("A los pozos", each=True),
        "split.overflow": FigureKind("de ello, sobre el tope (a la primera reserva)"),
        "split.commission_away": FigureKind("Comisión de la casa de otro nodo (R-23)", of_links=True),
        "split.above": FigureKind("Al dueño de un pozo de otro nodo (R-28)", of_links=True),
        "split.commission_undone": FigureKind("Comisión deshecha por anulaciones"),
        "split.pots_undone": FigureKind("Deshecho en los pozos"),
        "split.part_undone": FigureKind("Deshecho en los pozos", each=True),
        "split.commission_away_undone": FigureKind("Comisión de otro nodo, deshecha (R-25)", of_links=True),
        "split.above_undone": FigureKind("Deshecho con el dueño del pozo (R-25)", of_links=True),
        "awards.before_count": FigureKind("Pendientes al empezar", "count"),
        "awards.before": FigureKind("Pendiente al empezar"),
        "awards.registered_count": FigureKind("Premios registrados", "count"),
        "awards.registered": FigureKind("Registrado"),
        "awards.late_count": FigureKind("de ellos, tardíos (R-34)", "count"),
        "awards.late": FigureKind("de ello, tardío (R-34)"),
        "awards.corrected_count": FigureKind("de ellos, debidos por correcciones (R-34)", "count"),
        "awards.corrected": FigureKind("de ello, debido por correcciones (R-34)"),
        "awards.paid_count": FigureKind("Premios pagados", "count"),
        "awards.paid": FigureKind("Pagado"),
        "awards.paid_chips": FigureKind("de ello, en fichas (R-29)"),
        "awards.paid_away": FigureKind("de ello, en mesas de otros nodos (R-28)", of_links=True),
        "awards.rejected_count": FigureKind("Premios rechazados", "count"),
        "awards.rejected": FigureKind("Rechazado"),
        "awards.pending_count": FigureKind("Pendientes al terminar", "count"),
        "awards.pending": FigureKind("Pendiente al terminar"),
        "awards.pending_away": FigureKind("de ello, retenido en otros nodos (R-28)", of_links=True),
        "awards.aside_count": FigureKind("Premios apartados sin plazo (R-35)", "count"),
        "awards.aside": FigureKind("Apartado sin plazo (R-35)"),
        "awards.promo_count": FigureKind("Premios promocionales sorteados (R-29)", "count"),
        "awards.promo": FigureKind("Promocional sorteado (R-29)"),
        "awards.asked_count": FigureKind("Preguntados al dueño del pozo, sin monto aún (R-20)", "count", of_links=True),
        "awards.draws": FigureKind("Sorteos (R-30)", "count"),
        "awards.draws_hit": FigureKind("Sorteos con premio", "count"),
        "house.base": FigureKind("Bases de pozos nuevos, de la casa (R-24)"),
        "house.base_back": FigureKind("Bases repuestas por la casa (R-19)"),
        "house.shortfall": FigureKind("Anticipos por pozo insuficiente (R-18)"),
        "house.late": FigureKind("Premios tardíos, de la casa (R-34)"),
        "house.prize": FigureKind("Premios complementarios, de la casa (R-29)"),
        "house.void": FigureKind("Anulaciones, de la casa (R-25)"),
        "house.rejected": FigureKind("Por rechazos (negativo: vuelve a la casa; R-21)"),
        "house.corrected": FigureKind("Por correcciones (negativo: vuelve a la casa; R-34)"),
        "house.lost": FigureKind("de ello, pagado sin deberse: pérdida de la casa (R-34)"),
        "house.moved": FigureKind("Traspasos de la casa a pozos (R-26)"),
        "house.suspense": FigureKind("Suspensos que asumió la casa"),
        "house.charged": FigureKind("Lo que faltó a un pozo de otro nodo (R-18, R-25)", of_links=True),
        "house.advanced": FigureKind("Adelantos de premios que esperan al dueño del pozo (R-20)", of_links=True),
        "house.advanced_back": FigureKind("Adelantos descontados al pagar (negativo: vuelve a la casa)", of_links=True),
        "house.dispute": FigureKind("Disputas que el dueño no tomó (negativo: queda en la casa)", of_links=True),
        "house.left": FigureKind("Lo que debía el dueño de un pozo que se dejó (R-28)", of_links=True),
        "house.total": FigureKind("Puesto por la casa, neto"),
        "house.away": FigureKind("Puesto por la casa de otros nodos, neto (R-18, R-28)", of_links=True),
        "house.away_base": FigureKind("de ello, bases (R-19, R-24)", of_links=True),
        "house.away_void": FigureKind("de ello, anulaciones (R-25)", of_links=True),
        "house.base_reserves": FigureKind("Bases repuestas por las reservas (R-19)"),
        "house.part_corrected": FigureKind("A los pozos por correcciones (R-34)", each=True),
        "house.parts_moved": FigureKind("Traspasos entre partes de un pozo (R-26)"),
        "links.bets_below": FigureKind(
            "Apuestas de mesas de otros nodos, sin la comisión de ellos (R-22)", of_links=True
        ),
        "links.awards_below": FigureKind("Premios en mesas de otros nodos (R-20)", of_links=True),
        "links.awards_above": FigureKind("Premios de aquí, a cargo del dueño del pozo (R-20)", of_links=True),
        "links.house_above": FigureKind("De la casa, al dueño del pozo (R-18, R-19, R-25)", of_links=True),
        "links.advanced": FigureKind("Adelantado en casinos vecinos, de sus casas (R-20)", of_links=True),
        "links.disputed": FigureKind("No creído, apartado en disputa", of_links=True),
        "links.dispute_taken": FigureKind("Disputas que el pozo tomó", of_links=True),
        "links.dispute_left": FigureKind("Disputas que quedaron con quien lo dijo", of_links=True),
        "links.left": FigureKind("Debido al dueño de un pozo que se dejó (negativo: él debía; R-28)", of_links=True),
        "links.share_given": FigureKind("Parte dada a un casino que dejó el pozo (R-28)", of_links=True),
        "links.share_heard": FigureKind("Parte de un pozo de otro nodo, recibida (R-28)", of_links=True),
        "links.share_placed": FigureKind("de ello, puesto en un pozo de aquí (R-28)", of_links=True),
        "award.amount": FigureKind("Monto"),
        "award.bet": FigureKind("Apuesta válida"),
        "award.parts": FigureKind("De los pozos"),
        "award.part": FigureKind("De los pozos", each=True),
        "award.house": FigureKind("De la casa, anticipado"),
        "award.above": FigureKind("Del pozo de otro nodo, que no ha dicho de qué parte (R-28)", of_links=True),
        "award.corrected": FigureKind("Debido por una corrección (R-34)"),
        "award.lost": FigureKind("Pagado sin deberse: pérdida de la casa (R-34)"),
        "award.paid": FigureKind("Pagado"),
        "award.advanced": FigureKind("de ello, adelantado por la casa (R-20)", of_links=True),
        "award.rejected": FigureKind("Rechazado"),
        "award.pending": FigureKind("Retenido"),
        "incidents.seat_closed": FigureKind("Posiciones cerradas (R-6)", "count"),
        "incidents.lamp_fault": FigureKind("Fallas de lámpara (R-6)", "count"),
        "incidents.bet_refused": FigureKind("Apuestas que la mesa no aceptó", "count"),
        "incidents.device_adopted": FigureKind("Unidades nuevas o cambiadas", "count"),
        "incidents.firmware_changed": FigureKind("Aparatos o programas cambiados, por lugar (R-27)", "count"),
        "incidents.device_disbelieved": FigureKind("Unidades a las que no se les creyó (R-37)", "count"),
        "incidents.unproven": FigureKind("Sumas de pedidos que nadie probó (R-27)", "count"),
        "incidents.lamps_tested": FigureKind("Pruebas de luces, por mesa (R-6)", "count"),
        "incidents.lamps_untested": FigureKind(
            "Mesas sin prueba de luces en el día, que mira el crupier (R-6)", "count"
        ),
        "incidents.owed_told": FigureKind("Devoluciones sobre el máximo, por el jefe avisado (R-4)", "count"),
        "incidents.voided_hands": FigureKind("Manos anuladas (R-25)", "count"),
        "incidents.voided_passes": FigureKind("Pases anulados (R-25)", "count"),
        "incidents.voids_signed": FigureKind("Anulaciones tras el cierre, firmadas por un jefe (R-36)", "count"),
        "incidents.corrected": FigureKind("Pases corregidos (R-34, R-35)", "count"),
        "incidents.overdue": FigureKind("Premios vencidos (R-21)", "count"),
        "incidents.refused": FigureKind("Pedidos rechazados", "count"),
        "incidents.id_reused": FigureKind("Identificadores reutilizados", "count"),
        "incidents.clock_back": FigureKind("Saltos atrás del reloj", "count"),
        "incidents.clock_steps": FigureKind("Cambios del reloj sobre la marcha", "count"),
        "incidents.suspense_counts": FigureKind("Recuentos con diferencia", "count"),
        "incidents.suspense": FigureKind("Diferencia de recuentos (negativo: falta)"),
        "incidents.suspense_cleared": FigureKind("Suspensos aclarados por dos personas", "count"),
        "incidents.disputed": FigureKind("Avisos de otros nodos que no se creyeron (R-28)", "count", of_links=True),
        "incidents.stopped": FigureKind("Nodos que se contradijeron y no se oyen (R-28)", "count", of_links=True),
        "changes.plan": FigureKind("Planes que entraron en vigor (R-26)", "count"),
        "changes.staged": FigureKind("Planes presentados", "count"),
        "changes.withdrawn": FigureKind("Planes retirados", "count"),
        "changes.moved": FigureKind("Traspasos de dinero", "count"),
        "changes.people": FigureKind("Personas inscritas o cambiadas", "count"),
        "changes.unlocked": FigureKind("Personas desbloqueadas", "count"),
        "changes.terminals": FigureKind("Terminales inscritas o retiradas (R-36)", "count"),
        "changes.restored": FigureKind("Restauraciones", "count"),
        "changes.neighbours": FigureKind("Nodos vecinos fijados, quitados o aceptados (R-28)", "count", of_links=True),
        "changes.between": FigureKind("Hechos entre jornadas, contados aquí", "count"),
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
            if not (kind.each or kind.of_links):
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
