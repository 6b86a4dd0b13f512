"""The control socket's door: one command a line in, one line out, for every connection.

Bounded: so many connections, so many bytes without an end of line, so much said that the client does not take. What a
command does and says is the caller's.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

MOST_CONNECTIONS = 16
MOST_UNREAD = 65_536
MOST_LINE = 1_024


@contextlib.asynccontextmanager
async def commanded_at(place: Path, obey: Callable[[str], str]) -> AsyncIterator[None]:
    """Commands are taken at this socket, whose file is the caller's. `OSError`: it cannot stand there."""
    present: list[_Controller] = []
    server = await asyncio.get_running_loop().create_unix_server(lambda: _Controller(obey, present), place)
    try:
        yield
    finally:
        server.close()
        for controller in present:
            controller.close()
        await server.wait_closed()


class _Controller(asyncio.Protocol):
    def __init__(self, obey: Callable[[str], str], present: "list[_Controller]") -> None:
        self._obey, self._present = obey, present
        self._begun = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._present.append(self)
        if len(self._present) > MOST_CONNECTIONS:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._present.remove(self)

    def close(self) -> None:
        """Hang up; the client still hears what was said."""
        assert self._transport is not None, "whoever is listed is connected"
        self._transport.close()

    def data_received(self, data: bytes) -> None:
        assert self._transport is not None, "nobody speaks before he is connected"
        *lines, self._begun = (self._begun + data).split(b"\n")
        for line in lines:
            answer = self._obey(line[: MOST_LINE + 1].decode("utf-8", "replace"))
            self._transport.write((in_one_line(answer) + "\n").encode())
        if len(self._begun) > MOST_LINE or self._transport.get_write_buffer_size() > MOST_UNREAD:
            self._transport.abort()


def in_one_line(answer: str) -> str:
    """An empty line was a command that does nothing, and was obeyed."""
    return "; ".join(" ".join(part.split()) for part in answer.splitlines()) or "ok"
