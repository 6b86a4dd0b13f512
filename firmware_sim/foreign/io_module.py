"""A simulated off-the-shelf Modbus module: counters, inputs and outputs, and the buttons and lamps wired to them.

Its counters live in memory without a battery: power off is nothing, all zero. It switches its outputs as the host says
and decides nothing. If it has a watchdog, its outputs fall when the heartbeat register does not change in time. A short
push on a button is counted by hardware, whoever polls however slowly; the level of the input is gone by then.
"""

from dataclasses import dataclass

from drivers.io_module.map import IoMap
from drivers.modbus import pdu
from drivers.session import MILLISECOND, Micros
from firmware_sim.foreign.modbus_device import ModbusDevice
from firmware_sim.native.lamp import LampCondition

_CLEAN = 8  # places more than the map needs


@dataclass(frozen=True, slots=True, kw_only=True)
class IoMake:
    map: IoMap
    high_first: bool = True
    watchdog: Micros = 0  # 0: none
    answer: Micros = 5 * MILLISECOND

    @property
    def unit(self) -> int:
        return self.map.unit


class IoFirmware(ModbusDevice):
    def __init__(self, make: IoMake) -> None:
        super().__init__()
        self.make = make
        self.unit = make.unit
        self._counters = dict.fromkeys(make.map.counters, 0)
        self._coils = [False] * (max(make.map.coils, default=0) + _CLEAN)
        self._wires = {seat.seat: LampCondition.OK for seat in make.map.seats}
        self._held = False
        self._beat = 0
        self._fed_at: Micros | None = None

    # The table.

    def press(self, seat: int, button: int, now: Micros) -> None:
        place = next(one for one in self.make.map.seats if one.seat == seat)
        self._count(place.buttons[button - 1].counter, now)

    def press_lock(self, now: Micros) -> None:
        assert self.make.map.lock_counter is not None, "no such button is wired"
        self._count(self.make.map.lock_counter, now)

    def press_unlock(self, now: Micros) -> None:
        assert self.make.map.unlock_counter is not None, "no such button is wired"
        self._count(self.make.map.unlock_counter, now)

    def hold_lock(self, now: Micros) -> None:
        del now
        self._held = True

    def release_lock(self, now: Micros) -> None:
        del now
        self._held = False

    def lamp(self, seat: int, condition: LampCondition, now: Micros) -> None:
        del now
        self._wires[seat] = condition

    def light(self, seat: int, now: Micros) -> bool:
        """What a person sees."""
        self._watch(now)
        wire = self._wires[seat]
        place = next(one for one in self.make.map.seats if one.seat == seat)
        driven = self.powered and self._coils[place.lamp]
        return wire is LampCondition.LIT_WHILE_OFF or (driven and wire in {LampCondition.OK, LampCondition.WEAK})

    def set_counters(self, value: int) -> None:
        """As if so much had been pressed before."""
        self._counters = dict.fromkeys(self._counters, value)

    def lose_memory(self) -> None:
        self.set_counters(0)
        self._coils = [False] * len(self._coils)
        self._fed_at = None

    def _count(self, address: int, now: Micros) -> None:
        del now
        if self.powered:
            self._counters[address] = (self._counters[address] + 1) % (1 << self.make.map.bits)

    # The line.

    def serve(self, request: pdu.Request, now: Micros) -> pdu.Answer:
        self._watch(now)
        match request:
            case pdu.ReadWords(address, count, function) if function == self.make.map.function:
                return self._words(address, count)
            case pdu.ReadBits(address, count, function):
                bits = self._coils if function == pdu.COILS else self._inputs(now)
                if address + count > len(bits):
                    return pdu.Denied(pdu.Denial.ADDRESS)
                return pdu.Bits(tuple(bits[address : address + count]))
            case pdu.WriteBits(address, bits):
                if address + len(bits) > len(self._coils):
                    return pdu.Denied(pdu.Denial.ADDRESS)
                self._coils[address : address + len(bits)] = bits
                return pdu.Written()
            case pdu.WriteWords(address, (beat,)) if address == self.make.map.heartbeat:
                if beat != self._beat:
                    self._beat, self._fed_at = beat, now
                return pdu.Written()
            case _:
                return pdu.Denied(pdu.Denial.FUNCTION)

    def _words(self, address: int, count: int) -> pdu.Answer:
        memory = {}
        for place, value in self._counters.items():
            memory.update(self._as_words(place, value, self.make.map.width))
        if self.make.map.probe is not None:
            memory.update(self._as_words(self.make.map.probe.address, self.make.map.probe.value, 2))
        if not any(place in memory for place in range(address, address + count)):
            return pdu.Denied(pdu.Denial.ADDRESS)
        return pdu.Words(tuple(memory.get(place, 0) for place in range(address, address + count)))

    def _as_words(self, address: int, value: int, width: int) -> dict[int, int]:
        words = [(value >> 16 * place) & 0xFFFF for place in range(width)]
        return dict(enumerate(reversed(words) if self.make.high_first else words, address))

    def _inputs(self, now: Micros) -> list[bool]:
        inputs = [False] * (max(self.make.map.inputs, default=0) + _CLEAN)
        for seat in self.make.map.seats:
            inputs[seat.feedback] = self.light(seat.seat, now)
        if self.make.map.lock_input is not None:
            inputs[self.make.map.lock_input] = self._held
        return inputs

    def _watch(self, now: Micros) -> None:
        """Armed by the first heartbeat, as such modules are."""
        if self.make.watchdog and self._fed_at is not None and now - self._fed_at > self.make.watchdog:
            self._coils = [False] * len(self._coils)
