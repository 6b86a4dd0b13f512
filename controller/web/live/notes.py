"""Who enters the hands of which pass just now: a word between the consoles of one table.

Theory. Two consoles may enter the winners of the same pass. The first claim counts and the second is refused; its
croupier should know before he has typed. So a console says every few seconds which pass it enters, and who says nothing
for ten is not entering any more. Nothing of it reaches the node, and nothing is decided by it. Pure: the time comes
from outside.
"""

from typing import Annotated

from msgspec import Meta, Struct

from drivers.session import SECOND, Micros

LASTS: Micros = 10 * SECOND
MOST_AT_A_TABLE = 8


class NoteAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """This console enters the hands of this pass of its table; 0: of none."""

    table: Annotated[str, Meta(max_length=64)]
    number: Annotated[int, Meta(ge=0, le=2**53)]


class NoteTold(Struct, frozen=True):
    """Heard; the others see it with the node's next view."""

    number: int


class Entering(Struct, frozen=True):
    terminal: str
    number: int


class NoteEntity(Struct, frozen=True):
    """The consoles of a table that enter hands now, each with its pass; in the order of their names."""

    table: str
    entering: tuple[Entering, ...]


class Notes:
    def __init__(self) -> None:
        self._said: dict[str, dict[str, tuple[int, Micros]]] = {}

    def say(self, table: str, terminal: str, number: int, now: Micros) -> None:
        """This console enters that pass; 0: none. Where too many say so, the one that said it first is forgotten."""
        assert number >= 0, "R-5: passes are numbered from 1"
        said = self._said.setdefault(table, {})
        said.pop(terminal, None)
        if number:
            said[terminal] = (number, now)
        while len(said) > MOST_AT_A_TABLE:
            del said[next(iter(said))]

    def of(self, table: str, now: Micros) -> NoteEntity | None:
        """Of a table at which somebody enters hands."""
        said = self._said.get(table, {})
        for terminal, (_, at) in list(said.items()):
            if now - at >= LASTS:
                del said[terminal]
        found = tuple(Entering(terminal, number) for terminal, (number, _) in sorted(said.items()))
        return NoteEntity(table, found) if found else None
