"""The cables between nodes: on the loopback a relay that does what bad lines do, in namespaces a pair of veth ends.

A trouble has a name and lasts until it is mended. What each does to the relay:

`cut`: nobody comes in, who is there is let go. `hang`: half open; who is there stays and hears nothing, who comes in is
taken and hears nothing. `deaf up`, `deaf down`: one way; that direction stands still, the other flows. `slow`: each part
waits. `thin`: 2,000 octets a second. `drops`: parts are swallowed. `twice`: parts come twice. `double`: each who comes in
is let in at the far end two times. `again`: what an earlier connection said is played again to the far end, beside.
CURVE takes a swallowed and a doubled part for a broken session, so both must be lived through, and neither believed.
"""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from random import Random

from controller.play.cable import LOOPBACK, free_port

ON_A_RELAY = ("cut", "hang", "deaf up", "deaf down", "slow", "thin", "drops", "twice", "double", "again")
_MOST, _THIN = 65_536, 2_000
_KEPT = 200_000  # octets of a connection that are kept, to be played again
_GLANCE = 0.02


class Relay:
    """From the port `near` to the port `far`; lives in the loop of `Cables`."""

    def __init__(self, far: int, chance: Random) -> None:
        self.near, self._far, self._chance = free_port(), far, chance
        self.trouble = ""
        self.connections = 0
        self._ends: set[asyncio.StreamWriter] = set()
        self._said = b""  # by an earlier connection, upwards
        self._flowing = {"up": asyncio.Event(), "down": asyncio.Event()}
        self.has("")

    async def laid(self) -> asyncio.Server:
        return await asyncio.start_server(self._taken, LOOPBACK, self.near)

    def has(self, trouble: str) -> None:
        self.trouble = trouble
        for way, flowing in self._flowing.items():
            if trouble in {"hang", f"deaf {way}"}:
                flowing.clear()
            else:
                flowing.set()
        if trouble in {"cut", "double"}:
            self.lets_go()
        if trouble == "again" and self._said:
            task = asyncio.ensure_future(self._played_again(self._said))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    def lets_go(self) -> None:
        for end in tuple(self._ends):
            end.transport.abort()

    async def _taken(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        mine = {writer}
        self._ends.add(writer)
        try:
            if self.trouble == "cut":
                return
            there, back = await asyncio.open_connection(LOOPBACK, self._far)
            mine.add(back)
            self._ends.add(back)
            doubles = [back]
            if self.trouble == "double":
                deaf, double = await asyncio.open_connection(LOOPBACK, self._far)
                mine.add(double)
                self._ends.add(double)
                doubles.append(double)
                del deaf
            await asyncio.gather(self._flows("up", reader, doubles), self._flows("down", there, [writer]))
        except OSError:
            return
        finally:
            self._ends -= mine
            for end in mine:
                end.transport.abort()

    async def _flows(self, way: str, reader: asyncio.StreamReader, to: list[asyncio.StreamWriter]) -> None:
        kept = b""
        with contextlib.suppress(OSError):
            while part := await reader.read(_THIN if self.trouble == "thin" else _MOST):
                await self._flowing[way].wait()
                if way == "up" and len(kept) < _KEPT:
                    kept += part
                for writer in to:
                    for one in await self._as_the_line_is(part):
                        writer.write(one)
                        await writer.drain()
        if kept:
            self._said = kept
        for writer in to:
            writer.transport.abort()

    async def _as_the_line_is(self, part: bytes) -> list[bytes]:
        match self.trouble:
            case "slow":
                await asyncio.sleep(self._chance.uniform(0.05, 0.4))
            case "thin":
                await asyncio.sleep(len(part) / _THIN)
            case "drops" if self._chance.random() < 0.2:
                return []
            case "twice" if self._chance.random() < 0.2:
                return [part, part]
        return [part]

    async def _played_again(self, said: bytes) -> None:
        """By a stranger who listened; whatever he hears, he goes when it is over."""
        reader, writer = await asyncio.open_connection(LOOPBACK, self._far)
        with contextlib.suppress(OSError, TimeoutError):
            writer.write(said)
            await asyncio.wait_for(reader.read(_MOST), 2)
        writer.transport.abort()


class Cables:
    """All relays, in a thread of their own; by the name of their link."""

    mode = "on the loopback"
    troubles = ON_A_RELAY

    def __init__(self, far: dict[str, int], seed: int) -> None:
        self.relays = {name: Relay(port, Random(f"{seed} {name}")) for name, port in far.items()}
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._lie = threading.Event()

    @contextlib.contextmanager
    def laid(self) -> Iterator["Cables"]:
        thread = threading.Thread(target=self._loop.run_until_complete, args=(self._live(),), daemon=True)
        thread.start()
        assert self._lie.wait(20), "laid"
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._over.set)
            thread.join(20)
            self._loop.close()

    async def _live(self) -> None:
        servers = [await relay.laid() for relay in self.relays.values()]
        self._lie.set()
        await self._over.wait()
        for server in servers:
            server.close()
        for relay in self.relays.values():
            relay.lets_go()
        await asyncio.sleep(_GLANCE)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def has(self, link: str, trouble: str) -> None:
        """An empty one mends it."""
        self._loop.call_soon_threadsafe(self.relays[link].has, trouble)
