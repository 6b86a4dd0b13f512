"""The terminals that two persons enrolled, and what a browser of each use may look at and ask (R-36).

Theory. Who is enrolled stands on the node's record; here lies only what it told last. A terminal of a table looks at
its table and asks what concerns that table, its claims and awards; who signs it, and whether he may, is the node's
affair. So a chief signs at a table's console what concerns it, and no page of a table reaches the house, another
table, or the people, whoever's PIN is typed there. A chief's terminal asks whatever the node allows. A sign asks
nothing, and tells what it shows. Pure.
"""

from collections.abc import Iterable

from controller.core.values import TerminalUse
from controller.node.vocabulary.house import TerminalNow
from controller.web.door.turned_back import not_for_this_terminal

_FLOOR = "floor"


class Terminals:
    """As the node told them last; before it told any, nobody is enrolled."""

    def __init__(self) -> None:
        self._by_name: dict[str, TerminalNow] = {}
        self.were_told = False

    def told(self, all_of_them: Iterable[TerminalNow]) -> None:
        self.were_told = True
        self._by_name = {one.terminal: one for one in all_of_them if one.use is not TerminalUse.WEB}

    def named(self, name: str) -> TerminalNow | None:
        return self._by_name.get(name)


def may_look(terminal: TerminalNow, scope: str) -> bool:
    """Whether this scope (docs/web.md) is one of its own."""
    kind, _, name = scope.partition(":")
    if terminal.use is TerminalUse.CHIEF:
        return scope == _FLOOR or (kind in {TerminalUse.TABLE, TerminalUse.SIGN, _FLOOR} and bool(name))
    return bool(name) and kind == terminal.use and name == terminal.place


def refuse_asking(terminal: TerminalNow, table: str, where: str) -> None:
    """`table`: whose affair it is; nothing, where it is the house's."""
    if terminal.use is TerminalUse.SIGN:
        raise not_for_this_terminal(where, "Desde un letrero no se pide nada.")
    if terminal.use is TerminalUse.TABLE and table != terminal.place:
        other = f"de la mesa {table}" if table else "de toda la casa"
        raise not_for_this_terminal(where, f"Esta terminal es de la mesa {terminal.place}; esto es {other}.")


def refuse_other_boxes(terminal: TerminalNow) -> None:
    """Of other boxes a chief asks, and nobody else here."""
    if terminal.use is not TerminalUse.CHIEF:
        raise not_for_this_terminal("", "Otras cajas se ven solo desde la terminal de un jefe.")


def refuse_reporting(terminal: TerminalNow) -> None:
    if terminal.use is not TerminalUse.SIGN:
        raise not_for_this_terminal("", "Lo que muestra un letrero lo dice el letrero.")
