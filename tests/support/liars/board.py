"""A board that lies: it does what a good one does, and says something else."""

from typing import Any, NamedTuple

from drivers.modbus import pdu
from drivers.native import contract as at
from firmware_sim.native.unit import Firmware
from support.liars.lies import CONFIG, DETAIL, IDENTITY, IMAGE, RING, Lie

_BLOCKS = {at.IDENTITY: IDENTITY, at.RING: RING, at.CONFIG: CONFIG, at.FAST_POLL: IMAGE}


class Truth(NamedTuple):
    """The totals of a seat as they once were."""

    bets: int
    voided: int
    chips: int
    late: int


class Liar(Firmware):
    def __init__(self, *args: Any) -> None:
        self.lie: Lie | None = None
        self.told = 0  # answers with a lie in them
        self.truth: dict[int, set[Truth]] = {}  # of each seat, all that its totals ever were
        super().__init__(*args)
        self._note()

    def _commit(self) -> None:
        super()._commit()
        self._note()

    def _note(self) -> None:
        for number, seat in enumerate(self.memory.seats, 1):
            self.truth.setdefault(number, set()).add(Truth(seat.bets, seat.voided, seat.chips, seat.late))

    def _read(self, address: int, count: int) -> pdu.Answer:
        answer = super()._read(address, count)
        if self.lie is None or not isinstance(answer, pdu.Words):
            return answer
        seat, rest = divmod(address - at.detail_address(1), at.DETAIL_STEP)
        block = _BLOCKS.get(address) or (DETAIL if rest == 0 and 0 <= seat < len(self.seats) else "")
        said = self.lie.told(block, seat + 1, answer.words) if block else answer.words
        if said != answer.words:
            self.told += 1
            if self.lie.only_next and self.told >= self.lie.only_next:
                self.lie = None
        return pdu.Words(said)

    def begin(self, lie: Lie) -> None:
        self.lie, self.told = lie, 0

    # A memory that goes back, as a technician's copy of it would.

    def saved(self) -> Any:
        return list(self.nvm._banks), self.nvm.epoch

    def restore(self, saved: Any) -> None:
        self.nvm._banks, self.nvm.epoch = list(saved[0]), saved[1]
