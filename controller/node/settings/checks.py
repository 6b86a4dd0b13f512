"""Mistakes that only show when two places of a settings file are compared: all of them are reported at once.

Theory. Each check is a generator over what was read; none stops another, so a technician corrects a file once and not
ten times. A check says nothing about what an earlier one had to refuse already (a table of a plan that cannot be read
is in no plan). Nothing is made here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.core.links.names import is_away
from controller.node.settings.lines import LineForm
from controller.node.settings.plans import PlanRead
from controller.node.settings.sheet import HERE, Sheet
from controller.node.settings.signs import SignForm, SignKind
from controller.node.settings.units import SeenBy, UnitForm, UnitKind
from controller.node.vocabulary.places import LineKind
from controller.rules.document import DocumentError
from controller.rules.plan import LampsSeen, LinkedTable, Plan
from controller.rules.prizes import PaidIn

_MODBUS = frozenset({LineKind.RTU, LineKind.TCP})
_UNIT_LINES = {kind: frozenset({LineKind.CCTALK}) if kind is UnitKind.CCTALK else _MODBUS for kind in UnitKind}
_SIGN_LINES = {
    SignKind.ALPHA: frozenset({LineKind.ALPHA}),
    SignKind.TEXT: frozenset({LineKind.TEXT}),
    SignKind.DIGITS: _MODBUS,
    SignKind.TEXT_PANEL: _MODBUS,
}
_SLOTS = frozenset({UnitKind.CHIP_SLOT, UnitKind.CCTALK})
_ALONE = frozenset({LineKind.ALPHA, LineKind.TEXT})


@dataclass(frozen=True, slots=True)
class TableForm:
    sheet: Sheet
    name: str
    without_console: bool
    units: tuple[UnitForm, ...]


def line_troubles(
    lines: list[LineForm], units: Iterable[UnitForm], signs: Iterable[SignForm]
) -> Iterator[DocumentError]:
    yield from _twice([(form.sheet, "name", form.place.name) for form in lines], "otra línea ya se llama {}")
    ports = [(form.sheet, "url", _port(form.place.url)) for form in lines]
    yield from _twice(ports, "otra línea ya usa {}; un puerto tiene un solo dueño")
    hanging = [(unit.sheet, unit.line, _UNIT_LINES[unit.kind], unit.kind.value, list(unit.numbers)) for unit in units]
    hanging += [(sign.sheet, sign.line, _SIGN_LINES[sign.kind], sign.kind.value, [sign.number]) for sign in signs]
    kinds = {form.place.name: form.place.kind for form in lines}
    taken: set[tuple[str, int]] = set()
    for sheet, line, fitting, kind, numbers in hanging:
        if line not in kinds:
            known = ", ".join(sorted(kinds)) or "ninguna"
            yield sheet.wrong("line", HERE, f"no existe la línea {line}; hay {known}")
            continue
        if kinds[line] not in fitting:
            right = " o ".join(sorted(fitting))
            yield sheet.wrong("line", HERE, f"un aparato {kind} va en una línea {right}, y {line} es {kinds[line]}")
        elif kinds[line] in _ALONE and any(other == line for other, _ in taken):
            yield sheet.wrong("line", HERE, f"un letrero {kind} va solo en su línea, y {line} ya tiene uno")
        again = [number for number in numbers if (line, number) in taken]
        if again and kinds[line] not in _ALONE:
            yield sheet.wrong("number", HERE, f"el número {again[0]} ya está tomado en la línea {line}")
        taken |= {(line, number) for number in numbers}
    for form in lines:
        if not any(line == form.place.name for line, _ in taken):
            yield form.sheet.wrong(
                "name", HERE, f"nada cuelga de la línea {form.place.name}; sobra, o falta un aparato"
            )


def _port(url: str) -> str:
    return url if "://" in url else str(Path(url).resolve())


def _twice(named: list[tuple[Sheet, str, str]], sentence: str) -> Iterator[DocumentError]:
    seen: set[str] = set()
    for sheet, key, value in named:
        if value in seen:
            yield sheet.wrong(key, HERE, sentence.format(value))
        seen.add(value)


def plan_troubles(plans: list[PlanRead]) -> Iterator[DocumentError]:
    """R-9, R-26: one plan for a pot, one pot for a table."""
    pots = Counter(read.plan.name for read in plans)
    for pot, times in pots.items():
        if times > 1:
            last = [read for read in plans if read.plan.name == pot][-1]
            yield last.form.sheet.wrong("file", "R-26", f"el pozo {pot} ya tiene otro plan; debe quedar uno solo")
    owner: dict[str, str] = {}
    for read in plans:
        for table in read.tables:
            before = owner.setdefault(table, read.plan.name)
            if before != read.plan.name:
                what = f"la mesa {table} ya alimenta el pozo {before}; una mesa alimenta uno solo"
                yield read.form.sheet.wrong("file", "R-9", what)


def table_troubles(tables: list[TableForm], plans: list[PlanRead]) -> Iterator[DocumentError]:
    yield from _twice([(table.sheet, "name", table.name) for table in tables], "la mesa {} está dos veces")
    for table in tables:
        yield from _console_troubles(table)
        found = next(((one.plan, linked) for one in plans if (linked := one.linked(table.name))), None)
        if found is None:
            yield table.sheet.wrong("name", "R-9", _not_here(table.name, plans))
            continue
        plan, linked = found
        yield from _seat_troubles(table, linked.modality.name, linked.modality.seats)
        yield from _prize_troubles(table, plan)
        yield from _lamp_troubles(table, plan, linked)


def _not_here(table: str, plans: list[PlanRead]) -> str:
    """R-9, R-28: which tables there are instead; one of another node has no devices here."""
    for read in plans:
        for one in read.plan.tables:
            if one.name == table:
                where = f"en el nodo {one.node}" if one.node else "en el nodo dueño del pozo"
                return f"el plan de {read.plan.name} pone la mesa {table} {where}: su [[table]] va allá"
    known = ", ".join(name for one in plans for name in one.tables if not is_away(name)) or "ninguna de este nodo"
    return f"ningún plan nombra la mesa {table}; los planes nombran {known}"


def _lamp_troubles(table: TableForm, plan: Plan, linked: LinkedTable) -> Iterator[DocumentError]:
    """R-6, R-26: who sees the lamps is what the authority approved; a plan of before says nothing of it."""
    with_seats = [unit for unit in table.units if unit.all_seats]
    by_eye = next((unit for unit in with_seats if unit.seen_by is SeenBy.CROUPIER), None)
    if linked.lamps is LampsSeen.SENSOR and by_eye is not None:
        what = (
            f"el plan de {plan.name} dice que las luces de la mesa {table.name} las ve un sensor;"
            " aquí hay un aparato que no puede, o el plan debe decir croupier"
        )
        yield by_eye.sheet.wrong("lamps_seen_by", "R-6", what)
    if linked.lamps is LampsSeen.CROUPIER and with_seats and by_eye is None:
        what = (
            f"el plan de {plan.name} dice que las luces de la mesa {table.name} las ve el crupier;"
            " todos sus aparatos las miden, y el plan debe decir sensor"
        )
        yield table.sheet.wrong("name", "R-6", what)


def _console_troubles(table: TableForm) -> Iterator[DocumentError]:
    """R-5: the croupier closes the pass with a button."""
    consoles = [unit for unit in table.units if unit.is_console]
    if not consoles and not table.without_console:
        what = (
            f'la mesa {table.name} no tiene botones de crupier: falta un [[table.unit]] con kind = "console", o'
            ' console = "none" si solo se bloquea desde pozo ctl'
        )
        yield table.sheet.wrong("unit", "R-5", what)
    if consoles and table.without_console:
        yield table.sheet.wrong(
            "console", "R-5", f'dice "none", pero la mesa {table.name} tiene una consola; sobra uno'
        )
    if len(consoles) > 1:
        what = f"la mesa {table.name} ya tiene una consola; a una mesa la bloquea un solo crupier"
        yield consoles[1].sheet.wrong("kind", "R-5", what)


def _seat_troubles(table: TableForm, modality: str, seats: int) -> Iterator[DocumentError]:
    """R-7: every seat of the game once, and none besides."""
    if any(isinstance(unit.made, DocumentError) for unit in table.units):
        return
    taken: set[int] = set()
    for unit in table.units:
        for seat in unit.all_seats:
            key = "map" if unit.kind is UnitKind.IO else "seat"
            if seat in taken:
                yield unit.sheet.wrong(key, "R-7", f"el puesto {seat} de la mesa {table.name} ya tiene otro aparato")
            elif seat > seats:
                what = f"la mesa {table.name} juega {modality}, que tiene {seats} puestos; no hay un puesto {seat}"
                yield unit.sheet.wrong(key, "R-7", what)
            taken.add(seat)
    missing = [str(seat) for seat in range(1, seats + 1) if seat not in taken]
    if missing:
        what = f"la mesa {table.name} juega {modality}, de {seats} puestos; falta aparato en: {', '.join(missing)}"
        yield table.sheet.wrong("unit", "R-7", what)


def _prize_troubles(table: TableForm, plan: Plan) -> Iterator[DocumentError]:
    """R-29: promotional credits can only be bet on the progressive, and a slot takes chips."""
    prize = next((one for one in plan.prizes if one.paid_in is PaidIn.PROMOTIONAL_CREDITS), None)
    slot = next((unit for unit in table.units if unit.kind in _SLOTS), None)
    if prize is None or slot is None:
        return
    what = (
        f"el pozo {plan.name} paga {prize.name} en créditos promocionales, que en una ranura nadie puede apostar;"
        " ese premio va en efectivo, o la mesa con puestos electrónicos"
    )
    yield slot.sheet.wrong("kind", "R-29", what)


def pot_of(form: SignForm, plans: list[PlanRead]) -> PlanRead | None:
    if not form.pot:
        return plans[0] if len(plans) == 1 else None
    return next((read for read in plans if read.plan.name == form.pot), None)


def sign_place_troubles(
    signs: list[SignForm], plans: list[PlanRead], tables: list[TableForm]
) -> Iterator[DocumentError]:
    """R-31: every pot is shown, every sign shows one that exists."""
    names = {table.name for table in tables}
    known = ", ".join(read.plan.name for read in plans)
    shown = set()
    for sign in signs:
        read = pot_of(sign, plans)
        if read is None:
            what = f"no existe el pozo {sign.pot}; hay {known}" if sign.pot else f"falta; debe ser uno de {known}"
            yield sign.sheet.wrong("pot", "R-31", what)
            continue
        shown.add(read.plan.name)
        if sign.table and sign.table not in names:
            there = ", ".join(sorted(names)) or "ninguna"
            yield sign.sheet.wrong("table", "R-31", f"no existe aquí la mesa {sign.table}; hay {there}")
        elif sign.table and not read.linked(sign.table):
            what = f"la mesa {sign.table} no alimenta el pozo {read.plan.name} que este letrero muestra"
            yield sign.sheet.wrong("table", "R-31", what)
    for read in plans:
        pot = read.plan.name
        if pot not in shown and not read.form.signless:
            what = f"el pozo {pot} no tiene letrero: falta un [[sign]] suyo, o signless = true si cuelga de otro nodo"
            yield read.form.sheet.wrong("signless", "R-31", what)
        if pot in shown and read.form.signless:
            yield read.form.sheet.wrong("signless", "R-31", f"dice true, pero el pozo {pot} tiene letrero; sobra uno")
