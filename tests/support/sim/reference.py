"""The reference firmware in C (firmware_sim/reference): as a program on real lines, and in a time that the test gives."""

import ctypes
import os
import select
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from drivers.modbus.timing import LineTiming
from drivers.session import Micros
from support.drivers.peers import built
from support.sim.conformance_bench import BAUD, Bench, make
from support.sim.desk_talk import answers

_PATIENCE = 20  # seconds, for a program of two milliseconds on a busy machine
_MOST_SAID = 2001
_MOST_SENT = 4096
NUMBER, FIRST_SEAT, SERIAL = 11, 3, 0x1234


def table(seats: int, number: int = NUMBER, first: int = FIRST_SEAT, serial: int = SERIAL) -> str:
    return f"table:{number}:{seats}:{first}:{serial}"


def console(number: int = NUMBER, serial: int = SERIAL) -> str:
    return f"console:{number}:{serial}"


# ---------------------------------------------------------------------------------------------- in virtual time


class VirtualUnit:
    """A talker, and hands at it. One of them is one process's memory: it forgets with the test."""

    def __init__(self, words: str, *, tcp: bool = False, baud: int = BAUD, seed: int = 1) -> None:
        self.make = make()
        library: Any = ctypes.CDLL(built("virtual-unit.so"))
        self._c = library
        library.bench_new.restype = ctypes.c_void_p
        library.bench_send.restype = ctypes.c_size_t
        library.bench_silence.restype = ctypes.c_uint32
        self._bench = ctypes.c_void_p(library.bench_new(words.encode(), tcp, baud, seed))
        self._heard_at: Micros = 0

    def receive(self, data: bytes, now: Micros) -> None:
        self._heard_at = now
        self._c.bench_receive(self._bench, data, ctypes.c_size_t(len(data)), ctypes.c_uint64(now))

    def to_send(self, now: Micros) -> bytes:
        self.tick(now)
        out = ctypes.create_string_buffer(_MOST_SENT)
        count = int(self._c.bench_send(self._bench, out))
        return out.raw[:count]

    def deadline(self) -> Micros | None:
        silence = int(self._c.bench_silence(self._bench))
        return self._heard_at + silence if silence else None

    def tick(self, now: Micros) -> None:
        self._c.bench_tick(self._bench, ctypes.c_uint64(now))

    def obey(self, words: str, now: Micros) -> str:
        said = ctypes.create_string_buffer(_MOST_SAID)
        self._c.bench_obey(self._bench, words.encode(), said, ctypes.c_uint64(now))
        return said.value.decode()

    def __del__(self) -> None:
        self._c.bench_free(self._bench)


class ReferenceBench(Bench):
    """The examination of conformance_bench, before a unit in C."""

    def __init__(self, unit: VirtualUnit, *, tcp: bool = False, **more: Any) -> None:
        def at_the_end_of_it(_: object, timing: LineTiming | None = None) -> VirtualUnit:
            del timing
            return unit

        super().__init__(unit, tcp=tcp, slave=at_the_end_of_it, **more)  # type: ignore[arg-type]
        self._unit = unit

    def _do(self, command: str, now: Micros) -> None:
        assert self._unit.obey(command, self.theirs(now)) == "ok", command
        self.engine.hands_done()


# ---------------------------------------------------------------------------------------------- as a program


class Standing:
    """The units of one line. Killing the program is cutting the power of all of them; their memory is in `folder`."""

    def __init__(self, folder: Path, *units: str, program: str = "unit", tcp: int = 0) -> None:
        self.folder, self.hands, self.port, self.url = folder, folder / "hands", str(folder / "tty"), ""
        self._units, self._program, self._tcp = units, program, tcp
        self._process: subprocess.Popen[str]
        folder.mkdir(exist_ok=True)

    def start(self) -> None:
        """At the same place on the network as before."""
        self._process = subprocess.Popen(
            [built(self._program), "--baud", str(BAUD), "--memory", self.folder, "--control", self.hands,
             "--pty", self.port, "--tcp", str(self._tcp), *self._units],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ,
        )  # fmt: skip
        assert self._process.stdout is not None, "it is a pipe"
        while (line := self._process.stdout.readline().strip()) != "ready":
            assert line, self.end()
            if line.startswith("tcp "):
                self.url = line.removeprefix("tcp ")
                self._tcp = int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate(timeout=_PATIENCE)

    def end(self) -> str:
        """What it complained of: a sanitizer, for example."""
        self._process.terminate()
        return self._process.communicate(timeout=_PATIENCE)[1]

    def do(self, *orders: str) -> list[str]:
        said = answers(self.hands, orders)
        assert not [answer for answer in said if answer.startswith("no: ")], said
        return said

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def complaint(self) -> str:
        """What is on its standard error, without waiting for its end."""
        assert self._process.stderr is not None, "it is a pipe"
        ready, _, _ = select.select([self._process.stderr], [], [], 0)
        return self._process.stderr.readline() if ready else ""


@contextmanager
def standing(folder: Path, *units: str, program: str = "unit", tcp: int = 0) -> Iterator[Standing]:
    made = Standing(folder, *units, program=program, tcp=tcp)
    made.start()
    try:
        yield made
    finally:
        if made.lives:
            made.end()
