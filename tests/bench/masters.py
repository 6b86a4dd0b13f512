"""The devices' part of `make bench` beside other masters: what an exchange costs them, and what it costs us.

On the paced line both read the same blocks of the same units and examine nothing, so that what is compared is port,
pump and bus against transport, framer and client. pymodbus has its asyncio client there, one wake-up an exchange; it
keeps no silence between frames, ours keeps each and so wakes twice. On the unpaced pty the unit is Debian's libmodbus,
and ours is the whole driver with every image examined.
"""

import asyncio
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.line import BAUD, TIMING, config_of, real_table
from drivers.line.failures import Failure
from drivers.modbus.bus import Bus
from drivers.modbus.pdu import Answer, ReadWords, Words
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.modbus.turn import Ask
from drivers.native.contract import FAST_POLL, UnitClass, fast_poll_words
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.port import PortSettings
from drivers.rack import Rack, RackLine
from drivers.session import MILLISECOND, Micros
from support.places import ROOT

READS = 20_000
Figures = tuple[float, float]
"""Exchanges a second, and the seconds of processor that each took."""


class Poller:
    """A unit's driver that only reads the fast block, as pymodbus' client does: what is left is port, pump and bus."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._ask = Ask(number, ReadWords(FAST_POLL, fast_poll_words(1)))

    broadcast_lock = None

    def lock(self) -> None:
        """It opens nothing."""

    def lock_was_broadcast(self) -> None:
        """It heard none."""

    def due(self) -> Micros:
        return 0

    def urgent(self) -> bool:
        return False

    def unfinished(self) -> bool:
        return False

    def next_ask(self, _now: Micros) -> Ask:
        return self._ask

    def taken(self, _ask: Ask, answer: Answer, _now: Micros) -> bool:
        return isinstance(answer, Words)

    def failed(self, ask: Ask, failure: Failure, now: Micros) -> None:
        pass

    def next_event(self) -> None:
        return None

    def line_up(self, now: Micros) -> None:
        pass

    def line_down(self, now: Micros) -> None:
        pass


def ours_on_the_line() -> Figures:
    """The same paced line, the same polls as pymodbus' client: (exchanges a second, CPU of each)."""
    bus = Bus([Poller(unit) for unit in range(1, 8)], TIMING, RtuFraming())

    def answered() -> int:
        return sum(bus.counters(unit).answered for unit in range(1, 8))

    with real_table("singles") as (_, link):
        rack = Rack(
            [RackLine(name="table", url=link, session=bus, port=PortSettings(baud=BAUD, parity="N"))], lambda *_: None
        )
        rack.start()
        time.sleep(1)
        asked, cpu, start = answered(), _cpu(), time.monotonic()
        time.sleep(10)
        done, spent, took = answered() - asked, _cpu() - cpu, time.monotonic() - start
        rack.stop()
    return done / took, spent / done


def pymodbus_on_the_line() -> Figures:
    """Its units read in turn by pymodbus' own client: (exchanges a second, CPU of each)."""
    from pymodbus import FramerType
    from pymodbus.client import AsyncModbusSerialClient

    async def run(link: str) -> Figures:
        client = AsyncModbusSerialClient(link, framer=FramerType.RTU, baudrate=BAUD, parity="N", timeout=1, retries=0)
        await client.connect()
        done, cpu, start = 0, _cpu(), time.monotonic()
        while time.monotonic() < start + 10:
            for unit in range(1, 8):
                answer = await client.read_holding_registers(FAST_POLL, count=fast_poll_words(1), device_id=unit)
                done += not answer.isError()
        result = done / (time.monotonic() - start), (_cpu() - cpu) / done
        client.close()
        return result

    with real_table("singles") as (_, link):
        return asyncio.run(run(link))


def bench_polls_on_the_line() -> None:
    """In turns, since what else the machine does tells on both."""
    ours, theirs = zip(*[(ours_on_the_line(), pymodbus_on_the_line()) for _ in range(3)], strict=True)
    for name, note, runs in (
        ("pozo: port, pump and bus", "every silence kept", ours),
        ("pymodbus' own async client", "no silences kept", theirs),
    ):
        rate, cpu = (statistics.median(figures) for figures in zip(*runs, strict=True))
        print(
            f"| 7 single units, fast polls only, nothing examined: {name} | {rate:.1f} | {note} "
            f"| {cpu * 1e6:.0f} us CPU an exchange; median of 3 |",
            flush=True,
        )


@contextmanager
def foreign_slave(unit: int = 11) -> Iterator[tuple[str, int]]:
    """Debian's libmodbus as the unit, behind socat: the same for every master."""
    with tempfile.TemporaryDirectory() as folder:
        ends = [f"{folder}/a", f"{folder}/b"]
        wires = subprocess.Popen(["socat", *[f"pty,raw,echo=0,link={end}" for end in ends]])
        while not all(Path(end).exists() for end in ends):
            time.sleep(0.01)
        command = [str(ROOT / "var/foreign/slave"), "rtu", ends[0], str(BAUD), str(unit)]
        slave = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)  # it ends with its input
        time.sleep(0.3)
        try:
            yield ends[1], unit
        finally:
            for process in (slave, wires):
                process.terminate()
                process.wait()


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def ours_polls(port: str, unit: int) -> Figures:
    """The whole way: port, pump, bus, driver with every image examined; the line has no pace, so no silences either."""
    settings = UnitSettings(unit, UnitClass.ELECTRONIC, 1, 1, config_of(unit, 1))
    driver = NativeUnit(settings, nonce=7, first_command=99)
    bus = Bus([driver], LineTiming(baud=NETWORK, answer=200 * MILLISECOND), RtuFraming())
    rack = Rack(
        [RackLine(name="peer", url=port, session=bus, port=PortSettings(baud=BAUD, parity="N"))], lambda *_: None
    )
    rack.start()
    time.sleep(1)
    asked, cpu, start = bus.counters(unit).answered, _cpu(), time.monotonic()
    time.sleep(5)
    done, spent, took = bus.counters(unit).answered - asked, _cpu() - cpu, time.monotonic() - start
    rack.stop()
    return done / took, spent / done


def pymodbus_polls(port: str, unit: int) -> Figures:
    from pymodbus import FramerType
    from pymodbus.client import AsyncModbusSerialClient

    async def run() -> Figures:
        client = AsyncModbusSerialClient(port, framer=FramerType.RTU, baudrate=BAUD, parity="N", timeout=1, retries=0)
        await client.connect()
        for _ in range(200):
            await client.read_holding_registers(FAST_POLL, count=fast_poll_words(1), device_id=unit)
        cpu, start = _cpu(), time.monotonic()
        for _ in range(READS):
            answer = await client.read_holding_registers(FAST_POLL, count=fast_poll_words(1), device_id=unit)
            assert not answer.isError()
        result = READS / (time.monotonic() - start), (_cpu() - cpu) / READS
        client.close()
        return result

    return asyncio.run(run())


def libmodbus_polls(port: str, unit: int) -> Figures:
    words = [
        str(ROOT / "var/foreign/bench_master"),
        port,
        str(BAUD),
        str(unit),
        str(FAST_POLL),
        str(fast_poll_words(1)),
        str(READS),
    ]
    took, cpu = map(float, subprocess.run(words, check=True, capture_output=True, text=True).stdout.split())
    return READS / took, cpu / READS


def bench_peers() -> None:
    if not (ROOT / "var/foreign/slave").exists() or not (ROOT / "var/foreign/bench_master").exists():
        print("| polls beside the peers | skipped: libmodbus' slave or master could not be built | | |")
        return
    for name, polls in (
        ("pozo: bus and driver", ours_polls),
        ("pymodbus' own async client", pymodbus_polls),
        ("libmodbus, in C", libmodbus_polls),
    ):
        runs = []
        for _ in range(3):
            with foreign_slave() as (port, unit):
                runs.append(polls(port, unit))
        rate, cpu = (statistics.median(figures) for figures in zip(*runs, strict=True))
        print(
            f"| fast polls of a libmodbus unit, unpaced pty: {name} | {rate:,.0f} a second | {cpu * 1e6:.0f} us CPU each | median of 3 |",
            flush=True,
        )
