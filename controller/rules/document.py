"""A configuration document, read strictly: one error that names the file, the key and the rule.

Theory. A TOML text becomes a tree of `Section`s. Whoever reads a section asks for each key by name, type and
rule; `close` then refuses every key nobody asked for, because a key nobody reads is a mistyped one. The
first thing wrong ends the reading. This file must not know what a ruleset or a plan is, nor where the text
came from: the name of the file is only said again.
"""

import tomllib
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from controller.rules.money import MOST_MONEY, PPM, Money, Ppm

Choice = TypeVar("Choice", bound=StrEnum)

_MOST_SHOWN = 60
_MOST_LINE = 1_000
_MEASURE = "R-26"
"""What stands in a document is what the authority approved; a key it does not know was never approved."""


class DocumentError(Exception):
    """One thing that is wrong with a document: where, by which rule, and what would be right."""

    def __init__(self, file: str, key: str, rule: str, what: str) -> None:
        assert rule, "every refusal rests on a rule, or on the page of what is set here"
        key = printable(key)
        super().__init__(f"{file}: {key}: {what} ({rule})")
        self.file, self.key, self.rule, self.what = file, key, rule, what


def printable(text: str) -> str:
    """A text of a stranger on one short line."""
    text = text if text.isprintable() else text.encode("unicode_escape").decode()
    assert "\n" not in text, "one line"
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "una tabla" if isinstance(value, dict) else "una lista"
    if isinstance(value, int) and value.bit_length() > 64:
        return "un número enorme"
    return printable(str(value).lower() if isinstance(value, bool) else str(value)) or "un texto vacío"


class Section:
    """One table of a document, and which of its keys have been read."""

    def __init__(self, file: str, path: str, values: dict[str, Any]) -> None:
        self.file, self.path = file, path
        self._values = values
        self._read: set[str] = set()

    def name_of(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def refuse(self, key: str, rule: str, what: str) -> NoReturn:
        raise DocumentError(self.file, self.name_of(key), rule, what)

    def names(self) -> Iterator[str]:
        return iter(self._values)

    def has(self, key: str) -> bool:
        return key in self._values

    def _take(self, key: str, rule: str, wanted: str, fits: Callable[[Any], bool]) -> Any:
        assert key and rule, "a reader says what it reads, and by which rule"
        self._read.add(key)
        if key not in self._values:
            self.refuse(key, rule, f"falta; debe ser {wanted}")
        value = self._values[key]
        if not fits(value):
            self.refuse(key, rule, f"debe ser {wanted}, no {_shown(value)}")
        return value

    def text(self, key: str, rule: str) -> str:
        fits = lambda value: isinstance(value, str) and value.strip() == value != "" and value.isprintable()
        return str(self._take(key, rule, "un texto de una línea, no vacío", fits))

    def texts(self, key: str, rule: str) -> tuple[str, ...]:
        """A list of texts, none twice."""
        assert rule, "a reader says by which rule"
        fits = lambda value: (
            isinstance(value, list)
            and all(isinstance(one, str) and one.strip() == one != "" and one.isprintable() for one in value)
            and len(set(value)) == len(value)
        )
        return tuple(self._take(key, rule, "una lista de textos, sin repetir", fits))

    def flag(self, key: str, rule: str) -> bool:
        return bool(self._take(key, rule, "true o false", lambda value: isinstance(value, bool)))

    def whole(self, key: str, rule: str, least: int = 0, most: int = MOST_MONEY) -> int:
        assert least <= most, "some number fits"
        # A bool is an int to Python; to an auditor `bet = true` is a mistake.
        fits = lambda value: type(value) is int and least <= value <= most
        return int(self._take(key, rule, f"un número entero de {least} a {most}", fits))

    def money(self, key: str, rule: str, least: int = 0) -> Money:
        return Money(self.whole(key, rule, least))

    def ppm(self, key: str, rule: str) -> Ppm:
        fits = lambda value: type(value) is int and 0 <= value <= PPM
        wanted = f"un porcentaje en millonésimas enteras, de 0 a {PPM} (125000 es 12,5 %)"
        return Ppm(self._take(key, rule, wanted, fits))

    def choice(self, key: str, rule: str, choices: type[Choice]) -> Choice:
        names = [choice.value for choice in choices]
        assert names, "something to choose from"
        return choices(self._take(key, rule, "uno de " + ", ".join(names), lambda value: value in names))

    def choices(self, key: str, rule: str, choices: type[Choice]) -> list[Choice]:
        names = [choice.value for choice in choices]
        fits = lambda value: (
            isinstance(value, list) and all(name in names for name in value) and len(set(value)) == len(value)
        )
        return [choices(name) for name in self._take(key, rule, "una lista, sin repetir, de " + ", ".join(names), fits)]

    def section(self, key: str, rule: str) -> "Section":
        values = self._take(key, rule, "una tabla", lambda value: isinstance(value, dict))
        return Section(self.file, self.name_of(key), values)

    def sections(self, key: str, rule: str) -> Iterator[tuple[str, "Section"]]:
        """The named tables below a key, in the order of the document."""
        named = self.section(key, rule)
        for name in named.names():
            yield name, named.section(name, rule)

    def rows(self, key: str, rule: str) -> list["Section"]:
        """The unnamed tables of a list, [[key]]; none is an empty list."""
        if not self.has(key):
            return []
        fits = lambda value: isinstance(value, list) and all(isinstance(row, dict) for row in value)
        rows = self._take(key, rule, f"una lista de tablas [[{key}]]", fits)
        return [Section(self.file, f"{self.name_of(key)}[{at}]", row) for at, row in enumerate(rows)]

    def close(self) -> None:
        """Refuse what nobody read."""
        for key in self._values:
            if key not in self._read:
                known = ", ".join(sorted(self._read))
                self.refuse(key, _MEASURE, f"clave desconocida; aquí se conocen: {known}")
        assert self._read >= set(self._values), "R-26: all that was approved was read"


def parse(text: str, file: str) -> Section:
    """The document as its root section."""
    # A line without end is no line of a person, and can keep a TOML reader busy for hours.
    if max(map(len, text.splitlines()), default=0) > _MOST_LINE:
        raise DocumentError(file, "TOML", _MEASURE, f"una línea pasa de {_MOST_LINE} caracteres")
    try:
        return Section(file, "", tomllib.loads(text))
    except (ValueError, RecursionError) as error:
        raise DocumentError(file, "TOML", _MEASURE, f"no se puede leer: {printable(str(error))}") from None
