"""A simulated unit on a bench in virtual time, an examiner before it, and a robot whose hands obey every prompt."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Self

from drivers.conformance.clause import Clause
from drivers.conformance.examination import CATALOGUE, examine
from drivers.conformance.in_use import InUse
from drivers.conformance.steps import Begun, ClauseOutcome, ClauseVerdict, Need, Prompt, Walk
from drivers.conformance.subject import Subject
from drivers.conformance.walker import Walker
from drivers.conformance.wire import Wire
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.native.contract import UnitClass
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND, Micros, Talker
from firmware_sim.desk.commands import read_command
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.native.lamp import LampCondition
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.sim.busy import BusyHost, with_own_clock
from support.sim.stream import Stream
from support.sim.world import World

HANDS = frozenset({Need.HANDS, Need.POWER})
BAUD = 115200
UNIT = 11
LIVE = Config(credit_value=1000, least=2, most=20, buttons=(2, 5, 10, 20), unit=UNIT)
_LAMPS = {
    "ok": LampCondition.OK,
    "open": LampCondition.OPEN,
    "short": LampCondition.SHORT,
    "lit": LampCondition.LIT_WHILE_OFF,
}
PATIENCE = 100 * MILLISECOND
_REACTION = 50 * MILLISECOND
_LONGEST = 3600 * SECOND


def make(
    unit_class: UnitClass = UnitClass.ELECTRONIC, seats: int = 1, config: Config | None = LIVE, **more: Any
) -> Make:
    return Make(UNIT, unit_class, seats=seats, first_seat=3, serial=0x1234, config=config, **more)


def firmware_of(a_make: Make, kind: type[Firmware] = Firmware, seed: int = 1) -> Firmware:
    return kind(a_make, Nvm(), random.Random(seed))


def obey(firmware: Firmware, command: str, now: Micros) -> None:
    """What the words of a prompt do to a simulated unit."""
    act = read_command(command)
    assert act is not None, "an empty command"
    seat = act.number - firmware.make.first_seat + 1
    match act.who, act.what, act.words:
        case "seat", ("press" | "hold" | "release"), (button,):
            getattr(firmware, act.what)(seat, int(button), now)
        case "seat", ("chip" | "jam" | "unjam"), ():
            getattr(firmware, act.what)(seat, now)
        case "seat", "lamp", (condition,):
            firmware.lamp(seat, _LAMPS[condition], now)
        case "console", ("lock" | "unlock"), ():
            getattr(firmware, f"{act.what}_key")(now)
        case "console", "key", (side,):
            firmware.key_switch(side == "on", now)
        case "console", "line", (side,):
            firmware.lock_line(side == "pull", now)
        case "unit", ("off" | "on"), ():
            getattr(firmware, f"power_{act.what}")(now)
        case _:
            raise AssertionError(command)


class Bench:
    """One unit, one examination of it; `verdicts` when `run` returns."""

    def __init__(
        self, firmware: Firmware, *, tcp: bool=False, can: frozenset[Need]=HANDS, clauses: Sequence[Clause]=CATALOGUE, slave: Callable[..., Talker] | None=None, line: LineSettings | None=None, timing: LineTiming | None=None, baud: int=BAUD, seed: int=2,
        refuse: str="", deaf: Sequence[str]=(), idle: Sequence[str]=(), neighbours: Sequence[Firmware]=(), reaction: Micros=_REACTION,
        walk: Callable[[Subject, Sequence[Clause]], Walk[None]]=examine, busy: random.Random | None=None, millionths: int=0,
    ) -> None:  # fmt: skip
        """`refuse`: the hands say so; `deaf`: they say nothing to these words; `idle`: they say yes and do nothing.

        `busy`: how late the host's computer is; `millionths`: how wrong the unit's clock goes.
        """
        own = partial(with_own_clock, millionths=millionths)
        self._rate = 1_000_000 + millionths
        self.firmware = firmware
        self.verdicts: list[ClauseVerdict] = []
        self.prompts: list[str] = []
        self.begun: list[Begun] = []
        self.refused: list[str] = []
        self._reaction = reaction
        self._refuse, self._deaf, self._idle = refuse, deaf, idle
        if tcp:
            wire = Wire(MbapFraming(), LineTiming(baud=NETWORK, answer=PATIENCE, latency=0))
            end: Talker = Stream(lambda: own(slave or TcpSlave)(firmware))
        else:
            wire = Wire(RtuFraming(), timing or LineTiming(baud=baud, answer=PATIENCE, latency=0))
            end = shared = Line(line or LineSettings(baud=baud), random.Random(seed))
            shared.attach(own(slave or RtuSlave)(firmware, LineTiming(baud=baud)))
            for neighbour in neighbours:
                shared.attach(RtuSlave(neighbour, LineTiming(baud=baud)))
        self.subject = Subject(firmware.make.unit, wire, can, nonce=77, number=0x100, round_id=500)
        self.engine = Walker(wire, walk(self.subject, clauses))
        host = BusyHost(self.engine, busy) if busy else self.engine
        self.world = World(host, end, self._on_event)

    def run(self) -> Self:
        over = self.world.run_while(lambda: not self.engine.over, self.world.now + _LONGEST)
        assert over, "the examination does not end"
        return self

    def _on_event(self, event: object, now: Micros) -> None:
        match event:
            case ClauseVerdict():
                self.verdicts.append(event)
            case InUse(why):
                self.refused.append(why)
            case Begun():
                self.begun.append(event)
            case Prompt(command=command):
                self.prompts.append(command)
                self.world.at(now + self._reaction, lambda later: self._do(command, later))

    def _do(self, command: str, now: Micros) -> None:
        word = command.split()[2 if command.startswith(("seat", "unit")) else 1]
        if self._refuse:
            self.engine.hands_refused(self._refuse)
        elif word not in self._deaf:
            if word not in self._idle:
                obey(self.firmware, command, self.theirs(now))
            self.engine.hands_done()

    def theirs(self, now: Micros) -> Micros:
        """The unit's own time."""
        return now * self._rate // 1_000_000

    def of(self, outcome: ClauseOutcome) -> list[str]:
        return [verdict.name for verdict in self.verdicts if verdict.outcome is outcome]

    @property
    def failed(self) -> list[str]:
        return self.of(ClauseOutcome.FAIL)

    def told(self) -> str:
        return "\n".join(
            f"{one.outcome} {one.name}: expected {one.expected}; came {one.came} {one.why} "
            + " | ".join(map(str, one.frames))
            for one in self.verdicts
            if one.outcome is not ClauseOutcome.PASS
        )
