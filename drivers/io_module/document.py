"""Reading a document of tables and whole numbers, strictly: each fault is noted with its place and the reading goes on.

A key that is not asked for is a fault too, so a misspelt one does not become a default.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

Choice = TypeVar("Choice", int, str)


class DocumentReader:
    def __init__(self) -> None:
        self.problems: list[str] = []

    def spot(self, table: object, place: str) -> "Spot":
        if not isinstance(table, Mapping):
            self.problems.append(f"{place}: a table belongs here")
            return Spot(self, {}, place, given=False)
        return Spot(self, table, place, given=True)


class Spot:
    """One table of the document and where it stands. What is missing or wrong reads as something harmless."""

    def __init__(self, reader: DocumentReader, table: Mapping[str, Any], place: str, *, given: bool) -> None:
        self.given = given
        self._reader = reader
        self._table = table
        self._place = place
        self._asked: set[str] = set()

    def wrong(self, sentence: str) -> None:
        self._reader.problems.append(f"{self._place}: {sentence}")

    def has(self, key: str) -> bool:
        """Also: a key that is spoken of, so it is not unknown."""
        self._asked.add(key)
        return key in self._table

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        if not self.has(key):
            if default is None and self.given:
                self.wrong(f"{key} is missing")
            return least if default is None else default
        value = self._table[key]
        if type(value) is not int or not least <= value <= most:
            self.wrong(f"{key} is {value!r}; a whole number from {least} to {most} belongs here")
            return least
        return value

    def maybe(self, key: str, least: int, most: int) -> int | None:
        return self.whole(key, least, most) if self.has(key) else None

    def text(self, key: str, default: str) -> str:
        value = self._table.get(key, default) if self.has(key) else default
        if not isinstance(value, str) or not value.isprintable() or len(value) > 32:
            self.wrong(f"{key} is no text of at most 32 letters")
            return default
        return value

    def one_of(self, key: str, choices: tuple[Choice, ...], default: Choice) -> Choice:
        value = self._table[key] if self.has(key) else default
        for choice in choices:
            if type(value) is type(choice) and value == choice:
                return choice
        self.wrong(f"{key} is {value!r}; it may be {' or '.join(map(str, choices))}")
        return default

    def table(self, key: str) -> "Spot":
        place = f"{self._place}.{key}"
        if not self.has(key):
            return Spot(self._reader, {}, place, given=False)
        return self._reader.spot(self._table[key], place)

    def tables(self, key: str) -> "list[Spot]":
        rows = self._table[key] if self.has(key) else []
        if not isinstance(rows, list | tuple):
            self.wrong(f"{key}: a list of tables belongs here")
            return []
        return [self._reader.spot(row, f"{self._place}.{key}[{number}]") for number, row in enumerate(rows, 1)]

    def nothing_else(self) -> None:
        for key in self._table:
            if key not in self._asked:
                self.wrong(f"{key!r} is a key nobody knows")
