"""A browser's connection as uvicorn has it, and as a stream needs it.

Theory. What stands in the way of a browser that does not read is little: the system keeps a small part of what is
written to it, the server another, and who acknowledges nothing for ten seconds is gone for both. So what it is told is
never old, and what it costs is bounded. A stream that is stuck must end its connection at once, so each request knows
its own (`state`).
"""

import asyncio
import socket

from uvicorn.protocols.http.h11_impl import H11Protocol

_KEPT_BY_THE_SYSTEM, _KEPT_HERE = 32_768, 32_768
_GONE_AFTER = 10_000  # milliseconds


class BrowserConnection(H11Protocol):
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        transport.set_write_buffer_limits(_KEPT_HERE)
        self.app_state = {**self.app_state, "connection": transport}
        super().connection_made(transport)


def keep_little(listening: socket.socket) -> None:
    """Of every connection that will be made to it."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KEPT_BY_THE_SYSTEM)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GONE_AFTER)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
