"""The signs of the pots, as [[sign]] says them, and whether each can show what its pot may come to (R-31).

Theory. A sign that is too narrow is found here and not in the night when the pot outgrows it. The greatest amount is
the pot's ceiling, or what the file says, or ten thousand million; it must fit in its plainest form, digits with the
currency's decimals, because the signboard falls back to that one. The drivers judge; what they say is said here in
the language of the settings.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from controller.node.settings.plans import PlanRead
from controller.node.settings.sheet import HERE, Sheet
from controller.node.vocabulary.places import SignPlace, UnitKey
from controller.rules.document import DocumentError
from controller.rules.money import MOST_MONEY
from drivers.signs.alpha_layout import AlphaSettings, alpha_problem
from drivers.signs.amount import AmountForm
from drivers.signs.letters import Unwritable, parts
from drivers.signs.panel import PanelSettings, digit_panel, panel_problem, text_panel
from drivers.signs.text_sign import TextSignSettings, text_sign_problem

GREATEST = 10**10
_WIDEST = 46  # letters of a text panel's row; a wider one would reach the register of the broadcast lock


class SignKind(StrEnum):
    ALPHA = "alpha"
    DIGITS = "digits"
    TEXT_PANEL = "text_panel"
    TEXT = "text"


class Encoding(StrEnum):
    ASCII = "ascii"
    LATIN = "latin-1"
    DOS = "cp437"
    DOS_LATIN = "cp850"
    WINDOWS = "cp1252"


@dataclass(frozen=True, slots=True)
class SignForm:
    sheet: Sheet
    kind: SignKind
    line: str
    number: int
    pot: str  # empty: the only one
    table: str
    greatest: int | None
    made: AlphaSettings | PanelSettings | TextSignSettings


def read_sign(sheet: Sheet) -> SignForm:
    kind = sheet.choice("kind", HERE, SignKind)
    line = sheet.text("line", HERE)
    alone = kind in {SignKind.ALPHA, SignKind.TEXT}
    number = sheet.whole_or("number", 1, 1, 247) if alone else sheet.whole("number", HERE, 1, 247)
    pot, table = sheet.text_or("pot", "", "R-31"), sheet.text_or("table", "", "R-31")
    greatest = sheet.maybe_whole("greatest", 1, MOST_MONEY, "R-31")
    made = _READERS[kind](sheet, number)
    sheet.close()
    return SignForm(sheet, kind, line, number, pot, table, greatest, made)


def _alpha(sheet: Sheet, number: int) -> AlphaSettings:
    address = sheet.text_or("address", "00")
    if len(address) != 2 or not set(address) <= set("0123456789ABCDEF"):
        sheet.refuse("address", HERE, f"debe ser dos cifras hexadecimales, 00 a FF, no {address}")
    letter = sheet.text_or("type", "Z")
    if len(letter) != 1 or not letter.isascii():
        sheet.refuse("type", HERE, f"debe ser una letra (Z: cualquier letrero, ^: BetaBrite), no {letter}")
    return AlphaSettings(
        number=number,
        address=address,
        kind=letter,
        layout=_layout(sheet, "layout", "{amount}", ("amount", "increment"), "amount"),
        width=sheet.whole_or("width", 0, 0, 120),
        string_size=sheet.whole_or("string_size", 32, 8, 125),
        reads=sheet.flag_or("reads", default=False),
        acknowledges=sheet.flag_or("acknowledges", default=False),
    )


def _digits(sheet: Sheet, number: int) -> PanelSettings:
    return digit_panel(number, sheet.whole_or("width", 6, 1, 20))


def _text_panel(sheet: Sheet, number: int) -> PanelSettings:
    return text_panel(number, sheet.whole_or("width", 16, 1, _WIDEST), reads=sheet.flag_or("reads", default=False))


def _text(sheet: Sheet, number: int) -> TextSignSettings:
    return TextSignSettings(
        number=number,
        format=_layout(sheet, "format", "{amount}\r", ("amount", "increment"), "amount"),
        prize_format=_layout(sheet, "prize_format", "{prize}\r", ("prize",), "prize"),
        encoding=sheet.choice_or("encoding", Encoding, Encoding.ASCII).value,
        width=sheet.whole_or("width", 16, 1, 120),
    )


def _layout(sheet: Sheet, key: str, usual: str, known: tuple[str, ...], needed: str) -> str:
    layout = sheet.letters_or(key, usual)
    if isinstance(parts(layout, known, needed), Unwritable):
        gaps = ", ".join(f"{{{gap}}}" for gap in known)
        sheet.refuse(key, "R-31", f"debe tener {{{needed}}} y ninguna otra llave que {gaps}; no {layout!r}")
    return layout


_READERS: dict[SignKind, Callable[[Sheet, int], AlphaSettings | PanelSettings | TextSignSettings]] = {
    SignKind.ALPHA: _alpha,
    SignKind.DIGITS: _digits,
    SignKind.TEXT_PANEL: _text_panel,
    SignKind.TEXT: _text,
}


def sign_of(form: SignForm, pot: str) -> SignPlace:
    return SignPlace(key=UnitKey(form.line, form.number), pot=pot, made=form.made, table=form.table)


def sign_troubles(form: SignForm, read: PlanRead) -> Iterator[DocumentError]:
    """R-31: an amount is shown whole or not at all."""
    plan = read.plan
    decimals = plan.ruleset.currency.decimals
    most = form.greatest or plan.ceiling or GREATEST
    plainest = AmountForm(before="", thousands="", decimals=decimals)
    text = plainest.text(most)
    match form.made:
        case PanelSettings(digits_only=True):
            most = most // 10**decimals
            text, problem = str(most), panel_problem(form.made, most)
        case PanelSettings():
            problem = panel_problem(replace(form.made, form=plainest), most)
        case AlphaSettings():
            problem = alpha_problem(form.made, text, "")
        case _:
            problem = text_sign_problem(form.made, text, "")
    if problem is not None:
        key = "string_size" if isinstance(form.made, AlphaSettings) and len(text) > form.made.string_size else "width"
        what = (
            f"el pozo {plan.name} puede llegar a {text}, de {len(text)} letras, y este letrero no lo puede mostrar"
            " entero: hace falta uno más ancho, menos texto fijo, o `greatest` si el letrero se cambia antes"
            f" ({problem})"
        )
        yield form.sheet.wrong(key, "R-31", what)
