"""A simulated unit on a real pty and a real TCP port, and a control socket whose hands press its buttons."""

import asyncio
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from drivers.modbus.pdu import WriteWords
from drivers.modbus.timing import LineTiming
from drivers.punctual import precise_loop
from drivers.session import Micros, Talker
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.pty import PtyEnd
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.line.tcp import TcpEnd
from firmware_sim.native.unit import Firmware
from support.sim.conformance_bench import BAUD, obey


class Desk:
    """Everything lives in the loop of one thread; `port`, `url` and `hands` are where others find it."""

    def __init__(self, folder: Path, units: Sequence[Firmware], talkers: Sequence[Talker] = ()) -> None:
        self.units = units
        self.talkers = talkers
        self.port = str(folder / "tty")
        self.hands = str(folder / "hands")
        self.url = ""
        self.orders: list[str] = []
        self.refuses = ""  # orders with this word; "hang up" or "say nothing": to whoever orders
        self._writers: tuple[asyncio.StreamWriter, ...] = ()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(10), "the desk does not come up"

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        line = Line(LineSettings(baud=BAUD), random.Random(1))
        for unit in self.units:
            line.attach(RtuSlave(unit, LineTiming(baud=BAUD)))
        for talker in self.talkers:
            line.attach(talker)
        pty = PtyEnd(line, Path(self.port))
        tcp = TcpEnd(lambda: TcpSlave(self.units[0]))
        await tcp.open()
        self.url = tcp.url
        self._pty, self._tcp = pty, tcp
        server = await asyncio.start_unix_server(self._serve, self.hands)
        self._ready.set()
        await self._end.wait()
        server.close()
        for writer in self._writers:
            writer.close()
        await tcp.close()
        pty.close()

    def do(self, order: str) -> None:
        """From any thread: whoever is at the desk does it now."""
        self._loop.call_soon_threadsafe(self._obey, order)

    def write(self, request: WriteWords) -> None:
        """From any thread: another host, without a line of its own, writes this now."""
        self._loop.call_soon_threadsafe(lambda: self._tcp.act(lambda now: self._serve_another(request, now)))

    def _serve_another(self, request: WriteWords, now: Micros) -> None:
        self.units[0].serve(request, now)

    def later(self, seconds: float, what: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(self._loop.call_later, seconds, what)

    def unplug(self) -> None:
        self._pty.unplug()

    def _obey(self, order: str) -> None:
        self._pty.act(lambda now: obey(self.units[0], order, now))
        self._tcp.act(lambda now: None)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers = (*self._writers, writer)
        with suppress(ConnectionError):
            while line := await reader.readline():
                order = line.decode().strip()
                self.orders.append(order)
                if self.refuses == "hang up":
                    break
                if self.refuses == "say nothing":
                    continue
                if self.refuses and self.refuses in order:
                    writer.write(f"no puedo: {order}\n".encode())
                else:
                    self._obey(order)
                    writer.write(b"ok\n")
                await writer.drain()
        writer.close()


@contextmanager
def desk_of(folder: Path, *units: Firmware, talkers: Sequence[Talker] = ()) -> Iterator[Desk]:
    desk = Desk(folder, units, talkers)
    desk.start()
    try:
        yield desk
    finally:
        desk.stop()
