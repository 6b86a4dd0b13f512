"""The lines of a desk: what a host opens, and the devices that hang on it.

A serial line is a `Line` with everybody on it; a network is an address with all its units behind it, a talker for each
connection. Both tell the desk whenever something may have happened on them, because a key on one line locks units on
another. An unplugged line lives on; the host and it do not hear each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from drivers.modbus.timing import LineTiming
from drivers.session import MILLISECOND, Micros, Talker
from firmware_sim.desk.commands import CommandRefused, share
from firmware_sim.desk.devices import AcceptorDevice, AnyDevice, TalkingSign
from firmware_sim.desk.file import RtuLine, TcpLine, Wire
from firmware_sim.line.babbler import Babbler
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import Answering, RtuSlave, TcpSlave

BABBLE: Micros = 50 * MILLISECOND  # between two outbursts of a broken unit
_PLAIN_BITS = 10  # of one character without parity, or with seven bits: ccTalk and signs

Felt = Callable[[Micros], None]


class SerialLine:
    """A `Talker`, seen from the host's end."""

    def __init__(self, plan: Wire, devices: Sequence[AnyDevice], chance: Random, felt: Felt) -> None:
        self.name, self.kind = plan.name, str(plan.__struct_config__.tag)
        self.plan = plan
        self.devices = devices
        self.plugged = True
        self.babbler: Babbler | None = None
        settings = LineSettings(
            baud=plan.baud, echo=plan.echo, loss=share(plan.loss), noise=share(plan.noise),
            duplication=share(plan.duplication), delay=share(plan.delay),
        )  # fmt: skip
        self.wire = Line(settings if isinstance(plan, RtuLine) else replace(settings, bits=_PLAIN_BITS), chance)
        self._ends = {device.place: _serial_end(device, LineTiming(baud=plan.baud)) for device in devices}
        for place, end in self._ends.items():
            self.wire.attach(end, place)
        self._chance = chance
        self._felt = felt

    # the five verbs

    def receive(self, data: bytes, now: Micros) -> None:
        if self.plugged:
            self.wire.receive(data, now)
        self._felt(now)

    def to_send(self, now: Micros) -> bytes:
        said = self.wire.to_send(now)
        return said if self.plugged else b""

    def deadline(self) -> Micros | None:
        return self.wire.deadline()

    def tick(self, now: Micros) -> None:
        self.wire.tick(now)
        self._felt(now)

    def touched(self, now: Micros) -> None:
        self.wire.touched(now)

    # what people do to it

    def plug(self, device: AnyDevice, plugged: bool) -> None:
        device.plugged = plugged
        (self.wire.plug if plugged else self.wire.unplug)(self._ends[device.place])

    def suffer(self, what: str, words: Sequence[str], now: Micros) -> None:
        match what:
            case "babble" if self.babbler is None:
                self.babbler = Babbler(self._chance, BABBLE, now=now)
                self.wire.attach(self.babbler, "babbler")
            case "hush" if self.babbler is not None:
                self.wire.detach(self.babbler)
                self.babbler = None
            case "babble" | "hush":
                pass  # it does so already
            case _:
                self.wire.settings = _changed(self.wire.settings, what, words)

    @property
    def troubles(self) -> tuple[str, ...]:
        """The faults that a technician measures on the line, in the words of the commands."""
        settings = self.wire.settings
        chances = {
            "loss": settings.loss, "noise": settings.noise,
            "duplication": settings.duplication, "delay": settings.delay,
        }  # fmt: skip
        told = [f"{name} {100 * chance:g}%" for name, chance in chances.items() if chance]
        return (*told, *(["echo"] if settings.echo else []), *(["babbling"] if self.babbler else []))


class NetLine:
    """An address of a network. `connection` makes what a host talks to when it connects."""

    kind = "tcp"
    troubles: tuple[str, ...] = ()

    def __init__(self, plan: TcpLine, devices: Sequence[AnyDevice], felt: Felt) -> None:
        self.name = plan.name
        self.plan = plan
        self.devices = devices
        self.plugged = True
        self.felt = felt

    def connection(self) -> Talker:
        return _Connection(self)

    def touched(self, now: Micros) -> None:
        """The listener that made a connection asks it again."""

    def plug(self, device: AnyDevice, plugged: bool) -> None:
        device.plugged = plugged

    def suffer(self, what: str, words: Sequence[str], now: Micros) -> None:
        del words, now
        raise CommandRefused(f"line {what}: {self.name} is a network, it can only be unplugged")


class _Connection:
    """Every unit hears everything and answers what is its own."""

    def __init__(self, net: NetLine) -> None:
        self._net = net
        self._ends = [(device, TcpSlave(_answering(device))) for device in net.devices]

    def receive(self, data: bytes, now: Micros) -> None:
        for device, end in self._ends:
            if device.plugged and self._net.plugged:
                end.receive(data, now)
        self._net.felt(now)

    def to_send(self, now: Micros) -> bytes:
        said = [(device.plugged and self._net.plugged, end.to_send(now)) for device, end in self._ends]
        return b"".join(data for heard, data in said if heard)

    def deadline(self) -> Micros | None:
        times = [end.deadline() for _, end in self._ends]
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: Micros) -> None:
        for _, end in self._ends:
            end.tick(now)
        self._net.felt(now)


AnyLine = SerialLine | NetLine


def _changed(settings: LineSettings, what: str, words: Sequence[str]) -> LineSettings:
    match what, words:
        case "clean", ():
            return replace(settings, loss=0.0, noise=0.0, duplication=0.0, delay=0.0)
        case "echo", (state,):
            return replace(settings, echo=state == "on")
        case "delay", (chance, longest):
            longest_time = int(longest.removesuffix("ms")) * MILLISECOND
            return replace(settings, delay=share(chance), delay_time=longest_time)
        case "loss", (chance,):
            return replace(settings, loss=share(chance))
        case "noise", (chance,):
            return replace(settings, noise=share(chance))
        case "duplication", (chance,):
            return replace(settings, duplication=share(chance))
        case _:
            return replace(settings, delay=share(words[0]))


def _answering(device: AnyDevice) -> Answering:
    """The file puts every other kind on a line of its own."""
    assert not isinstance(device, AcceptorDevice | TalkingSign), f"{device.place} speaks no Modbus"
    return device.firmware


def _serial_end(device: AnyDevice, timing: LineTiming) -> Talker:
    """Modbus needs a slave before it; the others speak for themselves."""
    if isinstance(device, AcceptorDevice | TalkingSign):
        return device.firmware
    return RtuSlave(device.firmware, timing)
