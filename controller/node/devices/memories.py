"""What units without a memory of their own need to go on from after a restart: one file for each unit.

Theory. A ccTalk acceptor and an I/O module do not count for us; their drivers do, from a base (`resume`). Three rules.
A base is on the disk before the report it belongs to is committed: ahead of the books it loses nothing, and what it
knows more is reported then. A base that is behind the books, or gone, or contradicts them, is never gone on from: the
unit begins another epoch, so its seats close and are counted by hand, and no chip is ever booked twice or passed over
in silence. Boxes that were at this place before keep their bases, for when they come back. `resume` is called at a
start, before any line is up, for every box that was ever at a place.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote
from zlib import crc32

import msgspec

from controller.core.state import State, in_play
from controller.core.values import Device
from controller.node.devices.hardware import Hardware
from controller.node.vocabulary.disk import keep, private_folder
from controller.node.vocabulary.places import Node, UnitKey, UnitPlace
from drivers.cctalk.settings import AcceptorSettings
from drivers.cctalk.slot import ChipBase
from drivers.io_module.bets import Base
from drivers.io_module.map import IoMap
from drivers.line.numbers import newer
from drivers.model import DeviceKey, Totals

AnyBase = ChipBase | Base

MOST_BOXES = 16


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    line: str
    number: int
    chips: tuple[ChipBase, ...] = ()  # the newest last
    modules: tuple[Base, ...] = ()


class _Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is cut short, or edited, is none."""

    check: int
    body: msgspec.Raw


_read = msgspec.json.Decoder(_Sealed)
_read_body = msgspec.json.Decoder(_File)


class Memories:
    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)
        self._known: dict[UnitKey, tuple[AnyBase, ...]] = {}

    def path(self, unit: UnitKey) -> Path:
        return self._folder / f"{quote(unit.line, safe='')}-{unit.number}.json"

    def save(self, unit: UnitKey, base: object) -> None:
        """When this returns it is on the disk."""
        assert isinstance(base, ChipBase | Base), "what a driver calls its base"
        known = self._of(unit)
        if known and known[-1] == base:
            return
        others = [one for one in known if one.device.serial != base.device.serial]
        bases = (*others, base)[-MOST_BOXES:]
        body = msgspec.json.encode(
            _File(
                unit.line,
                unit.number,
                tuple(one for one in bases if isinstance(one, ChipBase)),
                tuple(one for one in bases if isinstance(one, Base)),
            )
        )
        keep(self.path(unit), msgspec.json.encode(_Sealed(crc32(body), msgspec.Raw(body))))
        self._known[unit] = bases

    def load(self, unit: UnitKey) -> tuple[AnyBase, ...]:
        """Of every box that was ever there, the newest last; nothing where the file is gone or is not ours."""
        try:
            sealed = _read.decode(self.path(unit).read_bytes())
            found = _read_body.decode(sealed.body)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return ()
        if crc32(bytes(sealed.body)) != sealed.check or (found.line, found.number) != unit:
            return ()
        return (*found.chips, *found.modules)

    def _of(self, unit: UnitKey) -> tuple[AnyBase, ...]:
        if unit not in self._known:
            self._known[unit] = self.load(unit)
        return self._known[unit]


def resume(node: Node, hardware: Hardware, memories: Memories, state: State) -> None:
    for unit in node.units:
        for base in _bases(unit, memories.load(unit.key), state):
            hardware.resume(unit.key, base)


def _bases(unit: UnitPlace, known: tuple[AnyBase, ...], state: State) -> Iterator[AnyBase]:
    devices = {seat: _device(state, unit.table, seat) for seat in unit.seats}
    match unit.made:
        case AcceptorSettings():
            (device,) = devices.values()
            yield from chip_bases(known, device)
        case IoMap(serial=serial):
            base = module_base(known, serial, devices)
            if base is not None:
                yield base


def _device(state: State, name: str, seat: int) -> Device | None:
    table = state.tables.get(in_play(state, name))
    return table.seat(seat).device if table is not None and seat <= len(table.seats) else None


def chip_bases(known: tuple[AnyBase, ...], device: Device | None) -> tuple[ChipBase, ...]:
    """What an acceptor is to resume with: every box that was there, the one of the books put right."""
    bases = {base.device.serial: base for base in known if isinstance(base, ChipBase)}
    if device is not None:
        base = bases.get(device.serial)
        if base is None:
            begun = DeviceKey(device.serial, device.epoch + 1)
            bases[device.serial] = ChipBase(begun, device.seq, Totals())
        else:
            bases[device.serial] = _chip_base(base, device)
    return tuple(bases.values())


def _chip_base(base: ChipBase, device: Device) -> ChipBase:
    if base.device.epoch > device.epoch:
        return replace(base, booked=base.nothing_booked)  # it began anew, and its report never came
    moved = (base.totals.chips, base.totals.late) != (device.chips, device.late)
    same = base.device.epoch == device.epoch
    if not same or newer(device.seq, base.seq) or (moved and base.seq == device.seq):
        return ChipBase(DeviceKey(device.serial, device.epoch + 1), base.seq, Totals())
    # Ahead of the books: what they lack is pending there, without a lamp, until it is booked like any other.
    return replace(base, booked=device.seq)


def module_base(known: tuple[AnyBase, ...], serial: int, devices: Mapping[int, Device | None]) -> Base | None:
    """What a module is to resume with, by the devices of its seats in the books; `None`: it was never known."""
    base = next((one for one in reversed(known) if isinstance(one, Base) and one.device.serial == serial), None)
    booked = {seat: device for seat, device in devices.items() if device is not None and device.serial == serial}
    if not booked:
        return base
    newest = max(device.epoch for device in booked.values())
    if base is not None and base.device.epoch > newest:
        return base
    if base is not None and base.device.epoch == newest:
        same = [(seat, device) for seat, device in booked.items() if device.epoch == newest]
        if all(_has_all(base, seat, device) for seat, device in same):
            return base
    presses = (base.lock_presses, base.unlock_presses) if base is not None else (0, 0)
    seq = max((device.seq for device in booked.values()), default=0)
    return Base(
        device=DeviceKey(serial, newest + 1),
        seq=seq,
        cut=seq,
        lock_presses=presses[0],
        unlock_presses=presses[1],
    )  # fmt: skip


def _has_all(base: Base, seat: int, device: Device) -> bool:
    """Nothing in the books that the base does not know, and equal numbers with equal totals (devices.md 2.1.1)."""
    if newer(device.seq, base.seq):
        return False
    known = base.seats.get(seat)
    totals = known.totals if known is not None else Totals()
    moved = (totals.bets, totals.voided) != (device.bets, device.voided)
    return not (moved and base.seq == device.seq)
