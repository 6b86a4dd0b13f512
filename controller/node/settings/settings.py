"""The settings file of a node, read and checked whole: what a technician wrote, or what is wrong with it and where.

Theory. Reading has three steps. The form: every key, its type and range; the first mistake ends it. Then what only
shows when places are compared, with the plans the file names: all of it is reported. Then drivers' settings are made of
what is right, and the drivers say whether a line keeps pace and a sign is wide enough. `read_node` raises the first of
all that; `problems` tells them all (`pozo node --check`). No device is touched and nothing is written.

docs/operators/settings.md explains every key.
"""

import os
import pwd
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from controller.documents import read_text
from controller.node.settings.checks import (
    TableForm,
    line_troubles,
    plan_troubles,
    pot_of,
    sign_place_troubles,
    table_troubles,
)
from controller.node.settings.lines import LineForm, name_in, read_line
from controller.node.settings.make import bet_troubles, units_of
from controller.node.settings.neighbours import (
    LinkForm,
    NeighbourForm,
    link_troubles,
    read_link,
    read_neighbour,
    read_webs,
    shared_troubles,
    web_troubles,
)
from controller.node.settings.pace import pace_troubles, paced
from controller.node.settings.plans import PlanForm, PlanRead, read_plan_form, read_plans
from controller.node.settings.sheet import HERE, Sheet, sheet_of
from controller.node.settings.signs import SignForm, read_sign, sign_of, sign_troubles
from controller.node.settings.units import NativeForm, read_unit
from controller.node.vocabulary.disk import open_to_others
from controller.node.vocabulary.places import Node, SignPlace, TablePlace, UnitKey, UnitPlace
from controller.node.vocabulary.protocol import too_long
from controller.rules.document import DocumentError
from drivers.session import MILLISECOND

_NEVER_A_DISK = ("proc", "sys", "dev")
_NOT_A_DISK = (*_NEVER_A_DISK, "run")
_LEAST_PORT, _MOST_PORT = 1024, 65_535


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """What the file says, each entry checked by itself."""

    sheet: Sheet
    name: str
    file: Path
    folder: Path
    control: Path
    rulesets: Path | None
    metrics: int | None
    seeds: Sheet | None
    seeds_copy: Path | None
    heads: Sheet | None
    head_places: tuple[Path, ...]
    terminals: Sheet | None
    terminals_user: str
    free_mb: int
    silent_ms: int
    lamp_ms: int
    lines: list[LineForm]
    tables: list[TableForm]
    signs: list[SignForm]
    plans: list[PlanForm]
    link: LinkForm
    webs: LinkForm
    neighbours: list[NeighbourForm]


@dataclass(slots=True)
class SettingsDraft:
    """What could be made of it, and every mistake that shows when places are compared."""

    form: SettingsForm
    plans: list[PlanRead]
    units: list[UnitPlace]
    said: dict[UnitKey, NativeForm]  # of the native ones: what the file says
    signs: list[SignPlace]
    troubles: list[DocumentError]


def read_node(path: Path, rulesets: Path | None = None) -> Node:
    """Everything, or a DocumentError with the first mistake. `rulesets`: one more folder where the file names none."""
    made = _make(read_form(path, rulesets))
    if made.troubles:
        raise made.troubles[0]
    form, plans = made.form, made.plans
    linked = {name: (read, table) for read in plans for name, table in read.tables.items()}
    return Node(
        name=form.name,
        file=form.file,
        folder=form.folder,
        control=form.control,
        lines=tuple(line.place for line in form.lines),
        tables=tuple(
            TablePlace(name=table.name, pot=read.plan.name, seats=table.modality.seats)
            for read, table in (linked[one.name] for one in form.tables)
        ),
        units=tuple(made.units),
        signs=tuple(made.signs),
        plans=tuple(read.file for read in plans),
        metrics=form.metrics,
        seeds_copy=form.seeds_copy,
        head_places=form.head_places,
        relay=_number_of(form.terminals_user) if form.terminals is not None else None,
        least_free=form.free_mb * 1_000_000,
        silent_after=form.silent_ms * MILLISECOND,
        lamp_after=form.lamp_ms * MILLISECOND,
        listen=form.link.listen,
        webs=form.webs.listen,
        neighbours=tuple(neighbour.place for neighbour in form.neighbours),
    )


def problems(path: Path, rulesets: Path | None = None) -> list[str]:
    """Each mistake as a sentence with file and key; none: the node may run with it."""
    try:
        form = read_form(path, rulesets)
    except DocumentError as error:
        return [str(error)]
    return list(dict.fromkeys(map(str, _make(form).troubles)))


def read_form(path: Path, rulesets: Path | None = None) -> SettingsForm:
    """The first step alone."""
    sheet = sheet_of(read_text(path).text, str(path))
    beside = path.absolute().parent
    name = name_in(sheet, "name")
    folder, control = _folder(sheet, "folder", beside), _folder(sheet, "control", beside)
    if sheet.has("rulesets"):
        rulesets = beside / sheet.text("rulesets", "R-26")
    port, copy = None, None
    if metrics := sheet.maybe_section("metrics"):
        port = metrics.whole("port", HERE, _LEAST_PORT, _MOST_PORT)
        metrics.close()
    if seeds := sheet.maybe_section("seeds"):
        copy = _folder(seeds, "copy", beside)
        seeds.close()
    places: tuple[Path, ...] = ()
    if heads := sheet.maybe_section("heads"):
        places = tuple(Path(os.path.normpath(beside / place)) for place in heads.texts("places", HERE))
        heads.close()
    user = ""
    if terminals := sheet.maybe_section("terminals"):
        user = terminals.text("user", HERE)
        terminals.close()
    free = 2_000
    if disk := sheet.maybe_section("disk"):
        free = disk.whole("free_mb", HERE, 100, 10_000_000)
        disk.close()
    silent, lamp = _patience(sheet.maybe_section("patience"))
    form = SettingsForm(
        sheet, name, path, folder, control, rulesets, port, seeds, copy, heads, places, terminals, user,
        free, silent, lamp,
        lines=[read_line(row) for row in sheet.sheets("line")],
        tables=[_table(row) for row in sheet.sheets("table", "R-9")],
        signs=[read_sign(row) for row in sheet.sheets("sign", "R-31")],
        plans=[read_plan_form(row, beside) for row in sheet.sheets("plan", "R-26")],
        link=read_link(sheet.maybe_section("link")),
        webs=read_webs(sheet.maybe_section("webs")),
        neighbours=[read_neighbour(row) for row in sheet.sheets("neighbour", "R-28")],
    )  # fmt: skip
    sheet.close()
    if not form.plans:
        sheet.refuse("plan", "R-26", "falta al menos un [[plan]] con el file de un plan aprobado")
    return form


def _folder(sheet: Sheet, key: str, beside: Path) -> Path:
    return Path(os.path.normpath(beside / sheet.text(key, HERE)))


def _patience(sheet: Sheet | None) -> tuple[int, int]:
    if sheet is None:
        return 5000, 3000
    found = sheet.whole_or("silent_ms", 5000, 1000, 60_000, "R-6"), sheet.whole_or("lamp_ms", 3000, 500, 30_000, "R-6")
    sheet.close()
    return found


def _table(sheet: Sheet) -> TableForm:
    name = name_in(sheet, "name")
    without = sheet.has("console")
    if without and sheet.text("console", "R-5") != "none":
        sheet.refuse("console", "R-5", 'solo puede ser "none"; una consola es un [[table.unit]] con kind = "console"')
    units = tuple(read_unit(row, name) for row in sheet.sheets("unit"))
    sheet.close()
    return TableForm(sheet, name, without, units)


def _make(form: SettingsForm) -> SettingsDraft:
    plans, unread = read_plans(form.plans, form.sheet, form.name, form.rulesets)
    units = [unit for table in form.tables for unit in table.units]
    troubles = [
        *_folder_troubles(form),
        *_head_troubles(form),
        *_terminal_troubles(form),
        *link_troubles(form.name, form.link, form.neighbours, form.metrics),
        *web_troubles(form.webs, form.link, form.metrics),
        *line_troubles(form.lines, units, form.signs),
        *unread,
        *plan_troubles(plans),
        *shared_troubles(form.name, form.neighbours, plans),
    ]
    made = SettingsDraft(form, plans, [], {}, [], troubles)
    if not unread:  # what a missing plan would have said is no mistake of the tables
        troubles += table_troubles(form.tables, plans)
        troubles += sign_place_troubles(form.signs, plans, form.tables)
        _make_units(made)
        _make_signs(made)
        _keep_pace(made)
    return made


def _folder_troubles(form: SettingsForm) -> Iterator[DocumentError]:
    sheet = form.sheet
    if form.folder.parts[1:2] and form.folder.parts[1] in _NOT_A_DISK:
        what = f"{form.folder} se pierde al apagar; el registro va en un disco, como /var/lib/pozo/{form.name}"
        yield sheet.wrong("folder", "R-27", what)
    if form.folder.exists() and not form.folder.is_dir():
        yield sheet.wrong("folder", "R-27", f"{form.folder} es un archivo; el registro va en una carpeta")
    if form.folder == form.control:
        yield sheet.wrong("control", HERE, f"es la misma carpeta que folder; use otra, como /run/pozo/{form.name}")
    if too_long(form.control):
        what = f"{form.control} es un nombre demasiado largo para un socket; use uno corto, como /run/pozo/{form.name}"
        yield sheet.wrong("control", HERE, what)
    if form.seeds is not None and form.seeds_copy is not None and form.seeds_copy.is_relative_to(form.folder):
        what = f"{form.seeds_copy} está en folder: se perdería con ella; la copia va en otro disco"
        yield form.seeds.wrong("copy", "R-30", what)
    elif form.seeds is not None and form.seeds_copy is not None:
        what = _why_no_copy(form.seeds_copy, form.control)
        if what:
            yield form.seeds.wrong("copy", "R-30", what)


def _why_no_copy(copy: Path, control: Path) -> str:
    """R-30: who can write where the copy of a seed lies could choose seeds, or take them away."""
    if copy.is_relative_to(control):
        return f"{copy} está en control, donde escriben otros; la copia va en un disco"
    real = copy.resolve()
    if real.parts[1:2] and real.parts[1] in _NEVER_A_DISK:
        return f"{copy} no es un disco; la copia va en otro disco"
    there = next((one for one in (real, *real.parents) if one.is_dir()), None)
    return f"{why}; nadie más escribe donde va la copia" if there and (why := open_to_others(there)) else ""


def _head_troubles(form: SettingsForm) -> Iterator[DocumentError]:
    """R-27: outside of the folder, so that nobody who takes the one has the other; a stick need not be there now."""
    if form.heads is None:
        return
    for place in form.head_places:
        if place.is_relative_to(form.folder):
            yield form.heads.wrong("places", "R-27", f"{place} está en folder: va en otro disco o en otra máquina")
        elif place.exists() and not place.is_dir():
            yield form.heads.wrong("places", "R-27", f"{place} es un archivo; va una carpeta")
    if len({*form.head_places}) < len(form.head_places):
        yield form.heads.wrong("places", "R-27", "nombra dos veces la misma carpeta")


def _terminal_troubles(form: SettingsForm) -> Iterator[DocumentError]:
    """R-27: whoever is believed about terminals is a user of this machine, whom the kernel knows."""
    if form.terminals is not None and _number_of(form.terminals_user) is None:
        yield form.terminals.wrong("user", "R-27", f"esta máquina no tiene un usuario {form.terminals_user}")


def _number_of(user: str) -> int | None:
    try:
        return pwd.getpwnam(user).pw_uid
    except (KeyError, ValueError):
        return None


def _make_units(made: SettingsDraft) -> None:
    """Of every unit that has a line and a plan and no mistake of its own."""
    lines = {line.place.name: line.place for line in made.form.lines}
    for table in made.form.tables:
        read = next((one for one in made.plans if one.linked(table.name)), None)
        if read is None:
            continue
        for unit in table.units:
            wrong = list(bet_troubles(unit, read))
            made.troubles += wrong
            if not wrong and unit.line in lines:
                made.units += units_of(unit, read, lines[unit.line])
                if isinstance(unit.made, NativeForm):
                    made.said |= {UnitKey(unit.line, number): unit.made for number in unit.numbers}


def _make_signs(made: SettingsDraft) -> None:
    for sign in made.form.signs:
        read = pot_of(sign, made.plans)
        if read is not None:
            made.troubles += sign_troubles(sign, read)
            made.signs.append(sign_of(sign, read.plan.name))


def _keep_pace(made: SettingsDraft) -> None:
    for line in made.form.lines:
        name = line.place.name
        signs = [sign for sign in made.signs if sign.key.line == name]
        units = paced(line.place, [unit for unit in made.units if unit.key.line == name], signs, made.said)
        made.units = [*(unit for unit in made.units if unit.key.line != name), *units]
        made.troubles += pace_troubles(line.place, line.sheet, units, signs)
