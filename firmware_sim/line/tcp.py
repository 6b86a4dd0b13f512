"""A real TCP listener with a talker behind every connection: units that speak Modbus/TCP, and serial servers.

The factory makes one talker for each connection, and one more without a connection: a unit goes on without its hosts,
so that one ticks what lives behind the talkers while no connection is open.
"""

import asyncio
from collections.abc import Callable

from drivers.session import Micros, Talker
from firmware_sim.line.clock import Ticker

MOST_CONNECTIONS = 16
MOST_UNREAD = 65_536  # bytes said that the client does not take; then it is dropped


class _Connection(asyncio.Protocol):
    def __init__(self, end: "TcpEnd") -> None:
        self._end = end
        self._transport: asyncio.Transport | None = None
        self.ticker: Ticker | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._end.connections.append(self)
        if len(self._end.connections) <= MOST_CONNECTIONS:
            self.ticker = Ticker(self._end.factory(), self._say)
        else:
            transport.abort()

    def data_received(self, data: bytes) -> None:
        if self.ticker is not None:
            self.ticker.heard(data)
            self._end.somebody_spoke()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if self.ticker is not None:
            self.ticker.stop()
            self.ticker = None
        self._end.connections.remove(self)

    def drop(self) -> None:
        assert self._transport is not None, "a connection that is listed was made"
        self._transport.abort()

    def _say(self, data: bytes) -> None:
        assert self._transport is not None, "nobody speaks before the connection is made"
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > MOST_UNREAD:
            self._transport.abort()


class TcpEnd:
    """`await open()` inside the loop; port 0 takes a free one, and keeps it when it is opened again."""

    def __init__(self, factory: Callable[[], Talker], host: str = "127.0.0.1", port: int = 0) -> None:
        self.factory = factory
        self.host = host
        self.port = port
        self._server: asyncio.Server | None = None
        self.connections: list[_Connection] = []
        self._resident: Ticker | None = None

    async def open(self) -> None:
        assert self._server is None, "it is open"
        loop = asyncio.get_running_loop()
        if self._resident is None:
            self._resident = Ticker(self.factory(), lambda _: None)
        self._server = await loop.create_server(lambda: _Connection(self), self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return f"socket://{self.host}:{self.port}"

    def drop(self) -> None:
        """Every connection breaks; the listener stays."""
        for connection in list(self.connections):
            connection.drop()

    async def unplug(self) -> None:
        """Stop answering at this address. The device behind it lives on."""
        assert self._server is not None, "it is not open"
        self._server.close()
        self.drop()
        await self._server.wait_closed()
        self._server = None

    async def close(self) -> None:
        if self._server is not None:
            await self.unplug()
        if self._resident is not None:
            self._resident.stop()
            self._resident = None

    def act(self, action: Callable[[Micros], None]) -> None:
        assert self._resident is not None, "it was never opened"
        self._resident.act(action)
        self._everybodys_turn()

    def somebody_spoke(self) -> None:
        """Turn all: what one host did may have changed what the others wait for."""
        if self._resident is not None:
            self._resident.turn()
        self._everybodys_turn()

    def _everybodys_turn(self) -> None:
        for connection in self.connections:
            if connection.ticker is not None:
                connection.ticker.turn()
