"""Lamps on outputs, proven by inputs: what is driven is what was read back, what is lit is what the input says (R-6).

An output is written as desired state with all its neighbours (FC0F) and read back; nothing is toggled, and no answer
to a write proves anything (devices.md 1.6, 4.6). The input of a lamp is believed when it was asked for after the lamp
had settled, and a fault when it was seen twice.
"""

from dataclasses import dataclass

from drivers.io_module.map import IoMap, SeatMap
from drivers.modbus.pdu import DISCRETE, ReadBits, WriteBits
from drivers.model import LampProof
from drivers.session import SECOND, Micros

FAULT_AFTER = 2  # sightings running
PATIENT_TRIES = 3  # then an output that does not follow is written once a second
RETRY: Micros = SECOND
LOOK: Micros = SECOND  # outputs are read back although nothing changed


@dataclass(slots=True)
class _Lamp:
    place: SeatMap
    wanted: bool = False
    driven: bool | None = None  # read back
    changed_at: Micros = 0
    seen: LampProof = LampProof.UNKNOWN
    lit: bool = False
    odd: int = 0


class Lamps:
    def __init__(self, io_map: IoMap) -> None:
        self._settle = io_map.settle
        self._lamps = {seat.seat: _Lamp(seat) for seat in io_map.seats}
        self._runs = _runs(io_map.coils)
        self._inputs = io_map.inputs
        self._lock_input = io_map.lock_input
        self.forget()

    def forget(self) -> None:
        """Nothing is known of the module any more."""
        for lamp in self._lamps.values():
            lamp.driven, lamp.seen, lamp.odd = None, LampProof.UNKNOWN, 0
        self.held: bool | None = None  # the lock key; `None`: not read yet
        self._unread: list[tuple[int, ...]] = list(self._runs)  # to be read back
        self._look_at: Micros | None = None
        self._tries = 0
        self._write_at: Micros | None = None

    def want(self, seat: int, *, on: bool) -> None:
        self._lamps[seat].wanted = on

    # Outputs.

    @property
    def known(self) -> bool:
        """Every output was read back, and every input read."""
        return all(lamp.driven is not None for lamp in self._lamps.values()) and (
            not self._inputs or self.held is not None
        )

    @property
    def follows(self) -> bool:
        return all(lamp.driven == lamp.wanted for lamp in self._lamps.values())

    def stubborn(self) -> bool:
        return self._tries > PATIENT_TRIES

    def due(self) -> Micros | None:
        """When there is something to write or to read back; `None`: at once."""
        if self._unread:
            return None
        return self._look_at if self.follows else self._write_at

    def question(self, now: Micros) -> WriteBits | ReadBits | None:
        """A run that is to be read back, else one that does not show what is wanted."""
        if self._look_at is not None and now >= self._look_at:
            self._unread, self._look_at = list(self._runs), None
        if self._unread:
            run = self._unread[0]
            return ReadBits(run[0], len(run))
        if self._write_at is not None and now < self._write_at:
            return None
        by_coil = {lamp.place.lamp: lamp for lamp in self._lamps.values()}
        for run in self._runs:
            lamps = [by_coil[coil] for coil in run]
            if any(lamp.driven != lamp.wanted for lamp in lamps):
                return WriteBits(run[0], tuple(lamp.wanted for lamp in lamps))
        return None

    def written(self, write: WriteBits, now: Micros) -> None:
        """Whatever became of it: read it back."""
        self._unread.append(tuple(range(write.address, write.address + len(write.bits))))
        self._tries += 1
        self._write_at = now + RETRY if self._tries >= PATIENT_TRIES else None

    def read_back(self, read: ReadBits, bits: tuple[bool, ...], now: Micros) -> None:
        run = tuple(range(read.address, read.address + read.count))
        self._unread.remove(run)
        shown = dict(zip(run, bits, strict=True))
        for lamp in self._lamps.values():
            driven = shown.get(lamp.place.lamp, lamp.driven)
            if driven != lamp.driven:
                lamp.driven, lamp.changed_at = driven, now
                lamp.seen, lamp.odd = LampProof.UNKNOWN, 0
        if not self._unread:
            self._look_at = now + LOOK
            if self.follows:
                self._tries, self._write_at = 0, None

    # Inputs.

    def inputs_question(self) -> ReadBits:
        return ReadBits(self._inputs[0], self._inputs[-1] + 1 - self._inputs[0], DISCRETE)

    def inputs_read(self, read: ReadBits, bits: tuple[bool, ...], asked: Micros) -> None:
        self.held = self._lock_input is not None and bits[self._lock_input - read.address]
        for lamp in self._lamps.values():
            self._look(lamp, asked, lit=bits[lamp.place.feedback - read.address])

    def _look(self, lamp: _Lamp, asked: Micros, *, lit: bool) -> None:
        lamp.lit = lit
        if lamp.driven is None or asked - lamp.changed_at < self._settle:
            return
        if lit == lamp.driven:
            lamp.odd = 0
            lamp.seen = LampProof.LIT if lit else LampProof.DARK
            return
        lamp.odd = min(lamp.odd + 1, FAULT_AFTER)
        if lamp.odd >= FAULT_AFTER:
            lamp.seen = LampProof.FAULT

    def seen(self, seat: int) -> LampProof:
        """An output that does not follow is a fault of the lamp too; one that has not followed yet is not known."""
        lamp = self._lamps[seat]
        if lamp.driven == lamp.wanted:
            return lamp.seen
        return LampProof.FAULT if self.stubborn() else LampProof.UNKNOWN

    def faults(self, seat: int) -> tuple[str, ...]:
        lamp = self._lamps[seat]
        if self.seen(seat) is not LampProof.FAULT:
            return ()
        if lamp.driven != lamp.wanted:
            return ("output_stuck",)
        return ("lamp_lit_while_off",) if lamp.lit else ("lamp_open",)


def _runs(coils: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Neighbours together; what lies between two of ours is not ours to write."""
    runs: list[tuple[int, ...]] = []
    for coil in coils:
        if runs and coil == runs[-1][-1] + 1:
            runs[-1] = (*runs[-1], coil)
        else:
            runs.append((coil,))
    return runs
