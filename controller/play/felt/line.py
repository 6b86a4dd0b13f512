"""The demo's door as the web process has it: one line asked, one line heard, one after the other.

Theory. The socket is the one that `pozo demo --say` speaks to. A demo that is away is away for the page too; the next
question tries again. Nothing is waited for longer than a person waits.
"""

import asyncio
from pathlib import Path

from firmware_sim.desk.control import MOST_LINE

PATIENCE = 3.0
_MOST_HEARD = 2**18


class DemoAway(Exception):  # noqa: N818  says what happened
    """Nobody answers there."""


class DemoLine:
    def __init__(self, place: Path) -> None:
        self._place = place
        self._turn = asyncio.Lock()
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, words: str) -> str:
        """What the demo answers; a refusal begins with `no: `."""
        assert "\n" not in words and len(words) < MOST_LINE, "one short line"
        async with self._turn:
            try:
                async with asyncio.timeout(PATIENCE):
                    return await self._asked(words)
            except (OSError, TimeoutError, ValueError) as error:
                self.hang_up()
                raise DemoAway(str(error)) from None

    async def _asked(self, words: str) -> str:
        if self._ends is None:
            self._ends = await asyncio.open_unix_connection(self._place, limit=_MOST_HEARD)
        reader, writer = self._ends
        writer.write(f"{words}\n".encode())
        await writer.drain()
        heard = await reader.readline()
        if not heard.endswith(b"\n"):
            raise ConnectionResetError
        return heard.decode().rstrip("\n")

    def hang_up(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None
