"""The places of work of a demo casino in a browser, and what each is called: a name of this machine for each of them.

A browser keeps one session for each name it knows a server by, so a person who wants to be player, croupier and chief
in three windows at once needs three names. `tx-01.localhost` and the like are this machine in every browser. Pure.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from controller.core.values import TerminalUse

HOME = "localhost"


class WorkPlace(NamedTuple):
    use: TerminalUse
    place: str

    @property
    def host(self) -> str:
        if self.use is TerminalUse.CHIEF:
            return f"jefe.{HOME}"
        return f"{'letrero-' if self.use is TerminalUse.SIGN else ''}{self.place.lower()}.{HOME}"


def work_places(tables: Iterable[str], signs: Iterable[str]) -> Iterator[WorkPlace]:
    yield from (WorkPlace(TerminalUse.TABLE, table) for table in tables)
    yield WorkPlace(TerminalUse.CHIEF, "")
    yield from (WorkPlace(TerminalUse.SIGN, sign) for sign in signs)
