"""All the lines of a node: one loop that moves their bytes, usually in a thread of its own.

What a session tells, and what becomes of its port, goes to `on_event(line, event)`, in the loop's thread; it must not
wait. A thread that wants something of a session uses `call`. A broken assertion in any line ends the rack,
loudly: its thread dies of it, `failure` holds it, the ports are closed, and `alive` says no (4.5: for the watchdog).
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

from drivers.port import Port
from drivers.pump import PortClosed, PortNotOpened, PortOpened, Pump, PumpCounters, RackLine
from drivers.punctual import micros, precise_loop
from drivers.session import MILLISECOND, SECOND, Micros

__all__ = ["PortClosed", "PortNotOpened", "PortOpened", "Rack", "RackLine"]

BEAT: Micros = 250 * MILLISECOND
PATIENCE: Micros = 2 * SECOND


class Rack:
    def __init__(self, lines: Sequence[RackLine], on_event: Callable[[str, object], None]) -> None:
        assert len({line.name for line in lines}) == len(lines), "two lines have one name"
        self.failure: BaseException | None = None
        self._lines = list(lines)
        self._on_event = on_event
        self._pumps: dict[str, Pump] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Future[None] | None = None
        self._turned: Micros = 0
        self._thread: threading.Thread | None = None
        self._running = threading.Event()

    async def run(self) -> None:
        """Until `stop`. The loop is the rack's while it runs: an exception in any callback ends it and is raised."""
        loop = asyncio.get_running_loop()
        self._loop, self._end = loop, loop.create_future()
        before = loop.get_exception_handler()
        loop.set_exception_handler(self._broke)
        self._pumps = {line.name: Pump(line, self._on_event, loop) for line in self._lines}
        try:
            self._beat()
            for pump in self._pumps.values():
                pump.start()
            self._running.set()
            await self._end
        finally:
            with contextlib.ExitStack() as whatever_breaks:
                whatever_breaks.callback(self._running.set)
                for pump in self._pumps.values():
                    whatever_breaks.callback(pump.stop)
                self._loop = None
                loop.set_exception_handler(before)

    def start(self) -> None:
        """In a thread of its own; returns when the loop turns."""
        assert self._thread is None, "it was started"
        self._thread = threading.Thread(target=self._run_alone, name="rack", daemon=True)
        self._thread.start()
        self._running.wait()

    def stop(self) -> None:
        """From any thread. With a thread of its own it waits for its end, however it ended."""
        self._soon(self._finish)
        if self._thread is not None:
            self._thread.join()

    def call(self, line: str, function: Callable[[Micros], None]) -> None:
        """`function(now)` is run in the loop's thread beside the session of that line, as soon as possible."""
        assert self._running.is_set(), "it does not run yet: speak to the session itself"
        self._soon(self._pumps[line].call, function)

    def alive(self, patience: Micros = PATIENCE) -> bool:
        """Has the loop turned lately?"""
        return self._loop is not None and micros() - self._turned < patience

    def port(self, line: str) -> Port | None:
        return self._pumps[line].port

    def counters(self, line: str) -> PumpCounters:
        return self._pumps[line].counters

    def _soon(self, function: Callable[..., None], *arguments: object) -> None:
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # it closed while we looked: nothing is moved any more
                loop.call_soon_threadsafe(function, *arguments)

    def _finish(self) -> None:
        if self._end is not None and not self._end.done():
            self._end.set_result(None)

    def _beat(self) -> None:
        if self._end is not None and not self._end.done():
            self._turned = micros()
            asyncio.get_running_loop().call_later(BEAT / SECOND, self._beat)

    def _broke(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        broken = context.get("exception")
        if broken is None:
            loop.default_exception_handler(context)
        elif self._end is not None and not self._end.done():
            self.failure = broken
            self._end.set_exception(broken)

    def _run_alone(self) -> None:
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            runner.run(self.run())
