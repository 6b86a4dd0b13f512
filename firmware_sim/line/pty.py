"""A real pty with a talker behind it: what the project's own driver, or anybody's, opens as a serial port.

The master is ours (devices.md 4.4): closing it is pulling the adapter, a new pty under the same stable name is putting
it back. Bytes for which the other side has no room are lost, as on a wire; nothing here ever waits for a client.
"""

import asyncio
import contextlib
import os
import tty
from collections.abc import Callable
from pathlib import Path

from drivers.session import Micros, Talker
from firmware_sim.line.clock import Ticker

MOST_READ = 4_096


class PtyEnd:
    """Made inside a running loop. `link` is the name that stays, as `/dev/serial/by-id/...` does."""

    def __init__(self, talker: Talker, link: Path) -> None:
        self.link = link
        self.lost = 0  # bytes the client had no room for
        self._loop = asyncio.get_running_loop()
        self._master: int | None = None
        self._slave = -1
        self._ticker = Ticker(talker, self._say)
        self.plug()

    @property
    def device(self) -> str:
        """The name that changes: of the pty itself."""
        assert self._master is not None, "it is not plugged"
        return os.ttyname(self._slave)

    @property
    def plugged(self) -> bool:
        return self._master is not None

    def plug(self) -> None:
        assert self._master is None, "it is plugged"
        self._master, self._slave = os.openpty()  # the slave stays open: a client that closes it is no end of the pty
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._loop.add_reader(self._master, self._read)
        beside = self.link.with_name(f"{self.link.name}.new")
        beside.unlink(missing_ok=True)
        beside.symlink_to(os.ttyname(self._slave))
        beside.replace(self.link)

    def unplug(self) -> None:
        """A client that has it open holds a dead descriptor. The talker lives on."""
        assert self._master is not None, "it is not plugged"
        self._loop.remove_reader(self._master)
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = None

    def act(self, action: Callable[[Micros], None]) -> None:
        self._ticker.act(action)

    def close(self) -> None:
        self._ticker.stop()
        if self._master is not None:
            self.unplug()

    def _read(self) -> None:
        assert self._master is not None, "nobody reads what is not plugged"
        with contextlib.suppress(BlockingIOError):
            self._ticker.heard(os.read(self._master, MOST_READ))

    def _say(self, data: bytes) -> None:
        if self._master is None:
            return
        written = 0
        with contextlib.suppress(BlockingIOError):
            written = os.write(self._master, data)
        self.lost += len(data) - written
