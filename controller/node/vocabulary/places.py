"""What stands where: the lines, devices, signs and plans of one node, as its settings file names them.

Theory. Only types: `settings` reads and checks the file that fills them, `hardware` makes ports and drivers of
them, `floor` asks them whose seat is whose. A device is known by the line it hangs on and its number there; seats have
the numbers of their table, counted from the croupier's right hand (R-7).
"""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from controller.core.values import Documents, Side
from controller.rules.bets import Limits
from drivers.cctalk import turn as cctalk_turn
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.native.settings import UnitSettings
from drivers.port import PortSettings
from drivers.session import MILLISECOND, SECOND, Micros
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.panel import PanelSettings
from drivers.signs.text_sign import TextSignSettings


class UnitKey(NamedTuple):
    """A device, by the name of its line and its number there."""

    line: str
    number: int


class LineKind(StrEnum):
    RTU = "rtu"
    TCP = "tcp"
    CCTALK = "cctalk"
    ALPHA = "alpha"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlace:
    name: str
    kind: LineKind
    url: str
    port: PortSettings = field(default_factory=PortSettings)
    answer: Micros = 20 * MILLISECOND  # the longest a unit may think
    latency: Micros = 16 * MILLISECOND  # of the adapter


def timing_of(line: LinePlace) -> LineTiming:
    """How long things take on a Modbus line."""
    if line.kind is LineKind.TCP:
        return LineTiming(baud=NETWORK, answer=line.answer, latency=line.latency)
    return LineTiming(baud=line.port.baud, bits=bits_of(line), answer=line.answer, latency=line.latency)


def cctalk_timing_of(line: LinePlace) -> cctalk_turn.WireTiming:
    return cctalk_turn.WireTiming(baud=line.port.baud, bits=bits_of(line), answer=line.answer, latency=line.latency)


def bits_of(line: LinePlace) -> int:
    """Of one byte on the wire: start, data, parity, stop."""
    return 1 + line.port.bits + (line.port.parity != "N") + line.port.stop


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPlace:
    """A device of one table. `seats` is empty for a console and for a counter."""

    key: UnitKey
    table: str
    seats: tuple[int, ...]
    made: UnitSettings | AcceptorSettings | IoMap
    chip_worth: int = 1  # credits of one chip: what a native slot counts late, it counts in pieces
    lamps_seen_by_croupier: bool = False  # this device cannot say whether its lamp is lit
    limits: (
        Limits | None
    )  # what its credits and bets were worth in the plan it was made with; `None` without seats


@dataclass(frozen=True, slots=True, kw_only=True)
class SignPlace:
    """A sign of one pot; with `table`, it also says what that table's croupier must know."""

    key: UnitKey
    pot: str
    made: AlphaSettings | PanelSettings | TextSignSettings
    table: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlace:
    name: str
    pot: str
    seats: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFile:
    """R-26: an approved plan with its ruleset, as the settings name them."""

    path: Path
    pot: str
    documents: Documents


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourPlace:
    """R-28: another node that shares a pot with this one; `address` of one above, `tcp://HOST:PORT`. Whose key is taken
    stands in the record alone: two persons pin it, and `fingerprint` is what they were to hear."""

    name: str
    side: Side
    inside: bool
    address: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Everything a settings file says."""

    name: str
    file: Path
    folder: Path  # of the record, its key, the seeds, the memories
    control: Path  # folder of the control sockets
    lines: tuple[LinePlace, ...]
    tables: tuple[TablePlace, ...]
    units: tuple[UnitPlace, ...]
    signs: tuple[SignPlace, ...]
    plans: tuple[PlanFile, ...]
    metrics: int | None = None  # port on the loopback address
    head_places: tuple[Path, ...] = ()  # folders outside of `folder` that keep the record's heads
    relay: int | None = None  # the user of this machine who is believed which terminal he speaks for
    least_free: int = 2_000_000_000  # octets on the record's disk; below them it is said
    seeds_copy: Path | None = None  # a second place for the day's seed
    silent_after: Micros = 5 * SECOND  # a seat whose unit is away for so long is closed
    lamp_after: Micros = 3 * SECOND  # a lamp that says nothing for so long after the lock has failed
    listen: str = ""  # where neighbours below come in, tcp://ADDRESS:PORT
    neighbours: tuple[NeighbourPlace, ...] = ()
    webs: str = ""  # where web processes of other boxes come in, tcp://ADDRESS:PORT; nothing: nowhere
