"""A table of the settings file, read strictly, with a default for what need not be said.

Theory. `rules/document.py` reads what an authority approved: there every key must stand. Here most keys may be missing,
so a `Sheet` also knows each key that was only looked for; a key nobody looked for is a mistyped one, and is refused
with the one that was probably meant. The first mistake of form ends the reading; a mistake that only shows when two
places are compared is a value (`wrong`), so that many are reported at once. This file must not know what keys mean.
"""

import difflib
import tomllib
from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from controller.rules.document import DocumentError, Section, parse

Choice = TypeVar("Choice", bound=StrEnum)

HERE = "docs/operators/settings.md"
"""What no law says and an installation must still have right."""

_MOST_LETTERS = 120


class Sheet(Section):
    def __init__(
        self, file: str, path: str, values: dict[str, Any], asked: set[str] | None = None, page: str = HERE
    ) -> None:
        super().__init__(file, path, values)
        self.page = page  # which explains these keys
        self.asked: set[str] = set() if asked is None else asked  # by any table of the file, without places in lists
        self._plain = "".join(part for at, part in enumerate(_split(path)) if at % 2 == 0)
        self._known: set[str] = set()

    def wrong(self, key: str, rule: str, what: str) -> DocumentError:
        """A mistake that is reported together with others."""
        return DocumentError(self.file, self.name_of(key), rule, what)

    def has(self, key: str) -> bool:
        self._known.add(key)
        self.asked.add(f"{self._plain}.{key}" if self._plain else key)
        return super().has(key)

    def _take(self, key: str, rule: str, wanted: str, fits: Callable[[Any], bool]) -> Any:
        self.has(key)
        return super()._take(key, rule, wanted, fits)

    def whole_or(self, key: str, default: int, least: int, most: int, rule: str = HERE) -> int:
        return self.whole(key, rule, least, most) if self.has(key) else default

    def maybe_whole(self, key: str, least: int, most: int, rule: str = HERE) -> int | None:
        return self.whole(key, rule, least, most) if self.has(key) else None

    def text_or(self, key: str, default: str, rule: str = HERE) -> str:
        return self.text(key, rule) if self.has(key) else default

    def flag_or(self, key: str, default: bool) -> bool:
        return self.flag(key, self.page) if self.has(key) else default

    def choice_or(self, key: str, choices: type[Choice], default: Choice, rule: str = HERE) -> Choice:
        return self.choice(key, rule, choices) if self.has(key) else default

    def letters_or(self, key: str, default: str) -> str:
        """A text that may begin and end with anything, also with control characters."""
        fits = lambda value: isinstance(value, str) and 0 < len(value) <= _MOST_LETTERS
        wanted = f"un texto de 1 a {_MOST_LETTERS} letras"
        return str(self._take(key, self.page, wanted, fits)) if self.has(key) else default

    def one_of(self, key: str, choices: tuple[int, ...], default: int) -> int:
        fits = lambda value: type(value) is int and value in choices
        wanted = "uno de " + ", ".join(map(str, choices))
        return int(self._take(key, self.page, wanted, fits)) if self.has(key) else default

    def wholes(self, key: str, rule: str, least: int, most: int, at_most: int) -> tuple[int, ...]:
        """A list of different whole numbers."""
        fits = lambda value: (
            isinstance(value, list)
            and 0 < len(value) <= at_most
            and all(type(one) is int and least <= one <= most for one in value)
            and len(set(value)) == len(value)
        )
        wanted = f"una lista de 1 a {at_most} números enteros distintos, de {least} a {most}"
        return tuple(self._take(key, rule, wanted, fits))

    def section(self, key: str, rule: str) -> "Sheet":
        return self._sheet(super().section(key, rule))

    def maybe_section(self, key: str) -> "Sheet | None":
        return self.section(key, self.page) if self.has(key) else None

    def sheets(self, key: str, rule: str = HERE) -> list["Sheet"]:
        return [self._sheet(row) for row in self.rows(key, rule)]

    def _sheet(self, section: Section) -> "Sheet":
        return Sheet(section.file, section.path, dict(section._values), self.asked, self.page)  # noqa: SLF001  its own kind

    def close(self) -> None:
        for key in self.names():
            if key not in self._known:
                near = difflib.get_close_matches(key, self._known, 1)
                meant = f", ¿será {near[0]}?" if near else ""
                known = ", ".join(sorted(self._known))
                self.refuse(key, self.page, f"clave desconocida{meant}; aquí se conocen: {known}")


def sheet_of(text: str, file: str, page: str = HERE) -> Sheet:
    """The settings as their root."""
    parse(text, file)
    return Sheet(file, "", tomllib.loads(text), page=page)


def _split(path: str) -> list[str]:
    """Names and places of a path by turns: `table[0].unit[1]` is table, 0, .unit, 1."""
    return path.replace("]", "[").split("[")
