"""At a start: units that do not remember by themselves go on from what was kept for them and from what the books say.

Theory. Before any line is up, and for every box that was ever at a place. Which of the two is right, and when a unit
must begin anew, is decided in `memories`; here is only who is asked about whom.
"""

from collections.abc import Iterator

from controller.core.state import State, in_play
from controller.core.values import Device
from controller.node.devices.hardware import Hardware
from controller.node.devices.memories import AnyBase, Memories, chip_bases, module_base
from controller.node.vocabulary.places import Node, UnitPlace
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap


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
