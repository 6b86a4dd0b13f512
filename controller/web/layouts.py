"""The signs in a browser, by name: which pots each shows, and how (R-31).

Theory. A layout is what a technician decides about one screen; what it shows of a pot comes from the node. The name is
what a sign's terminal is enrolled for. A theme is one CSS file of pages/sign, named here without its ending. Hours are
of the screen's own clock, from one time of day to another, and may pass midnight.
"""

import re
from pathlib import Path
from typing import NamedTuple

from controller.documents import read_text
from controller.node.settings.sheet import Sheet, sheet_of
from controller.rules.document import DocumentError
from controller.web.language import Language

MOST_SIGNS, MOST_POTS = 256, 4
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,31}")
_THEME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_HOURS = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]")


class SignLayout(NamedTuple):
    """`language`: of its fixed words; titles of pots and the casino's notices stay as they were written. `reserve`:
    whether the reserve is shown to the public; `quiet`, `dim`: hours without a sound, and with little light, as
    23:00-08:00; "" is never."""

    name: str
    pots: tuple[str, ...]
    theme: str
    sound: bool
    reserve: bool
    quiet: str
    dim: str
    language: Language


def read_layouts(file: Path, page: str) -> tuple[SignLayout, ...]:
    """Those of one file. `page`: which explains its keys."""
    sheet = sheet_of(read_text(file).text, str(file), page)
    rows = sheet.sheets("sign", page)
    sheet.close()
    if not 0 < len(rows) <= MOST_SIGNS:
        sheet.refuse("sign", page, f"debe haber de 1 a {MOST_SIGNS} [[sign]]")
    layouts = tuple(_layout(row, page) for row in rows)
    for row, layout in zip(rows, layouts, strict=True):
        if [one.name for one in layouts].count(layout.name) > 1:
            raise DocumentError(str(file), row.name_of("name"), page, f"el letrero {layout.name} está dos veces")
    return layouts


def _layout(row: Sheet, page: str) -> SignLayout:
    pots = row.texts("pots", page)
    if not 0 < len(pots) <= MOST_POTS:
        row.refuse("pots", page, f"un letrero muestra de 1 a {MOST_POTS} pozos")
    made = SignLayout(
        name=_fitting(row, "name", _NAME, "", "letras sin acento, cifras, puntos y guiones, hasta 32", page),
        pots=pots,
        theme=_fitting(row, "theme", _THEME, "sala", "el nombre de un tema, en minúsculas, como sala", page),
        sound=row.flag_or("sound", False),
        reserve=row.flag_or("reserve", False),
        quiet=_fitting(row, "quiet", _HOURS, "-", "horas como 23:00-08:00", page).strip("-"),
        dim=_fitting(row, "dim", _HOURS, "-", "horas como 03:00-09:00", page).strip("-"),
        language=row.choice_or("language", Language, Language.SPANISH, page),
    )
    row.close()
    return made


def _fitting(row: Sheet, key: str, form: re.Pattern[str], default: str, wanted: str, page: str) -> str:
    if default and not row.has(key):
        return default
    said = row.text(key, page)
    if not form.fullmatch(said):
        row.refuse(key, page, f"debe ser {wanted}, no {said}")
    return said
