"""Each connection of a browser passes here before the HTTP server has it: counted, with TLS made in time, and timed.

Theory. An HTTP server that waits for a head, or for TLS, waits as long as somebody likes to keep it waiting. So this
stands before it: it takes the connection from the system, lets the crowd (crowd.py) decide who stays, makes TLS
with a bound, hands the rest to the server's own protocol, and ends what is overdue each second. It knows nothing of
HTTP; the front of the application says when a request began and ended, by the address and port of who asks.
"""

import asyncio
import itertools
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from controller.web.door.crowd import Crowd
from controller.web.door.front import App, Receive, Scope, Send
from drivers.session import Micros

_TLS_WITHIN, _GOODBYE_WITHIN = 5.0, 2.0
_LOOKS_EVERY = 1.0
STREAM = "/api/v1/stream"

Caller = tuple[str, int]


class Doorways:
    """All connections of one server. `tls`: none where another program before this one has made it."""

    def __init__(self, crowd: Crowd, tls: ssl.SSLContext | None, clock: Callable[[], Micros]) -> None:
        self._crowd, self.tls, self.clock = crowd, tls, clock
        self._numbers = itertools.count()
        self._open: dict[int, asyncio.Transport] = {}
        self._of: dict[Caller, int] = {}

    def came(self, caller: Caller, transport: asyncio.Transport) -> int:
        number = next(self._numbers)
        goes = self._crowd.came(number, caller[0], self.clock())
        self._open[number], self._of[caller] = transport, number
        if goes is not None:
            self._end(goes)
        return number

    def gone(self, number: int, caller: Caller) -> None:
        self._crowd.gone(number)
        self._open.pop(number, None)
        if self._of.get(caller) == number:
            del self._of[caller]

    async def watch(self) -> None:
        """Ends who is overdue; runs beside the server as long as it does."""
        while True:
            await asyncio.sleep(_LOOKS_EVERY)
            for number in self._crowd.overdue(self.clock()):
                self._end(number)

    def counting(self, app: App) -> App:
        """The application, with its requests counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            caller = scope.get("client") if scope["type"] == "http" else None
            number = self._of.get(tuple(caller)) if caller else None
            if number is None:
                await app(scope, receive, send)
                return
            begins = self._crowd.streams if scope["path"] == STREAM else self._crowd.asked
            begins(number, self.clock())
            try:
                await app(scope, receive, send)
            finally:
                self._crowd.answered(number, self.clock())

        return counted

    def _end(self, number: int) -> None:
        transport = self._open.pop(number, None)
        if transport is not None:
            transport.abort()


class Doorway(asyncio.Protocol):
    """One connection: plain until TLS is made, then the server's own protocol has it."""

    def __init__(self, doorways: Doorways, inner: asyncio.Protocol) -> None:
        self._doorways, self._inner = doorways, inner
        self._number: int | None = None
        self._caller: Caller = ("", 0)
        self._making: asyncio.Task[None] | None = None
        self._is_inside = False
        self._early = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        plain = cast(asyncio.Transport, transport)
        self._caller = tuple((transport.get_extra_info("peername") or ("", 0))[:2])
        self._number = self._doorways.came(self._caller, plain)
        if self._doorways.tls is None:
            self._is_inside = True
            self._inner.connection_made(transport)
        else:
            plain.pause_reading()
            self._making = asyncio.get_running_loop().create_task(self._with_tls(plain, self._doorways.tls))

    async def _with_tls(self, plain: asyncio.Transport, tls: ssl.SSLContext) -> None:
        try:
            made = await asyncio.get_running_loop().start_tls(
                plain, self, tls, server_side=True,
                ssl_handshake_timeout=_TLS_WITHIN, ssl_shutdown_timeout=_GOODBYE_WITHIN,
            )  # fmt: skip
        except (OSError, ssl.SSLError):
            plain.abort()
            self._leave()
            return
        if made is None:
            self._leave()
            return
        self._is_inside = True
        self._inner.connection_made(made)
        if self._early:  # nothing at all would be the end to HTTP's reader
            self._inner.data_received(bytes(self._early))
            self._early.clear()

    def data_received(self, data: bytes) -> None:
        if self._is_inside:
            self._inner.data_received(data)
        else:  # with the end of the handshake, before we were told of it
            self._early += data

    def eof_received(self) -> Any:
        return self._inner.eof_received() if self._is_inside else None

    def pause_writing(self) -> None:
        if self._is_inside:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._is_inside:
            self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        if self._is_inside:
            self._is_inside = False
            self._inner.connection_lost(exc)

    def _leave(self) -> None:
        if self._number is not None:
            with suppress(KeyError):
                self._doorways.gone(self._number, self._caller)
            self._number = None
