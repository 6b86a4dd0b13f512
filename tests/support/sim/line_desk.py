"""A real-time corner for tests: simulated ends in a loop of their own thread, and waiting for a condition."""

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any, Self

from drivers.punctual import precise_loop
from firmware_sim.line.pty import PtyEnd


class Desk:
    """`with Desk() as desk: end = desk.do(lambda: PtyEnd(...))`; everything done happens in its loop."""

    def __init__(self, spin: int = 0) -> None:
        self._loop = precise_loop(spin)
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    def do(self, act: Callable[[], Any]) -> Any:
        async def in_the_loop() -> Any:
            done = act()
            return await done if asyncio.iscoroutine(done) else done

        return asyncio.run_coroutine_threadsafe(in_the_loop(), self._loop).result(10)


def wait_for(condition: Callable[[], object], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.002)


def deafen(end: PtyEnd, *, deaf: bool) -> None:
    """A port that does not take bytes any more (devices.md 4.5), and one that does again."""
    assert end._master is not None, "it is not plugged"
    if deaf:
        end._loop.remove_reader(end._master)
    else:
        end._loop.add_reader(end._master, end._read)
