"""Who may sign and which terminals there are, as the node says: asked every few seconds, and when something changed.

Theory. The record is the only place where a terminal is enrolled or withdrawn. What lies here is its newest answer, and
while the node does not answer the last one stays: a console goes on to say what it shows, and nothing is done anyway.
"""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress

from msgspec import Struct

from controller.node.control.client import NodeSilent, NotOurs, doing
from controller.node.vocabulary.house import PersonNow, TerminalNow
from controller.node.vocabulary.protocol import Deed
from controller.web.acts.askers import Askers
from controller.web.acts.signed_in import SignedInNow
from controller.web.door.turned_back import TurnedBack

ASKED_EVERY = 5.0
_ASKED_AGAIN = 0.5


class ThisTerminal(Struct, frozen=True):
    """What a browser is told of itself."""

    terminal: str
    use: str
    place: str


class HouseTold(Struct, frozen=True):
    """To a terminal: who may sign, who has signed in at it, and which one it is; to a chief's, which other boxes there
    are."""

    people: tuple[PersonNow, ...]
    signed_in: tuple[SignedInNow, ...]
    terminal: ThisTerminal
    boxes: tuple[str, ...] = ()


def this_terminal(terminal: TerminalNow) -> ThisTerminal:
    return ThisTerminal(terminal.terminal, terminal.use, terminal.place)


class HouseWatch:
    """`told`: hears of the terminals that the node let in."""

    def __init__(self, askers: Askers, told: Callable[[Iterable[TerminalNow]], object]) -> None:
        self._askers, self._told = askers, told
        self.people: tuple[PersonNow, ...] = ()

    async def watch(self) -> None:
        """Runs beside the server as long as it does."""
        while True:  # noqa: ASYNC110  nobody says when another terminal asked at the node
            await asyncio.sleep(ASKED_EVERY if await self.ask() else _ASKED_AGAIN)

    async def ask(self) -> bool:
        """Whether the node said it."""
        with suppress(NodeSilent, NotOurs, TurnedBack):
            reply = await self._askers.ask(doing(Deed.PEOPLE))
            if reply.ok:
                self.people = reply.people
                self._told(reply.terminals)
                return True
        return False
