"""A cable between two nodes of the demo, which a person can cut and join again: a relay of bytes on the loopback.

Theory. One node connects to this end, the bytes come out at the other. Cut, it takes nobody in and lets go of whoever
was there, as a switch does that lost its power; what was on its way is lost, and that is what the nodes must bear. It
knows nothing of what it carries.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

_MOST = 65_536
LOOPBACK = "127.0.0.1"


def free_port() -> int:
    """One that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


class Cable:
    """`async with cable.laid()`: from `near` to `far`, both ports of the loopback address."""

    def __init__(self, near: int, far: int) -> None:
        self.near, self._far = near, far
        self.cut = False
        self._ends: set[asyncio.StreamWriter] = set()

    @contextlib.asynccontextmanager
    async def laid(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self._carry, LOOPBACK, self.near)
        try:
            yield
        finally:
            server.close()
            self._let_go()

    def cuts(self) -> None:
        self.cut = True
        self._let_go()

    def joins(self) -> None:
        self.cut = False

    def _let_go(self) -> None:
        for end in self._ends:
            end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.cut:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection(LOOPBACK, self._far)
        except OSError:
            writer.transport.abort()
            return
        mine = {writer, back}
        self._ends |= mine
        try:
            await asyncio.gather(_relay(reader, back), _relay(there, writer))
        finally:
            self._ends -= mine
            for end in mine:
                end.transport.abort()


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until one end lets go; then neither carries anything more."""
    with contextlib.suppress(OSError):
        while part := await reader.read(_MOST):
            writer.write(part)
            await writer.drain()
    writer.transport.abort()
