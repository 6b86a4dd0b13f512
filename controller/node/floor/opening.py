"""Which units of a table may be open in this pass (devices.md 2.5, 2.6).

Theory. A pass that opens opens every unit that is up. From then on a unit only leaves: one that falls, that locks by
itself or that refuses to open stays locked, because nobody knows what was dealt meanwhile, until a person presses
unlock again. A pass that was open before anybody looked (the node was restarted) has no open unit at all.

A pass is one word on the wire, its round, never 0; a unit refuses the one that it has just sealed. Live passes have the
odd ones, by their number, so that one goes on after a restart. Training has the even ones: its numbers begin again with
each training, so its rounds are counted here, from an instant of the record on.
"""

from controller.core.state import Table
from controller.core.values import Phase
from controller.node.vocabulary.places import UnitKey
from drivers.session import Micros

ROUNDS = 0x7FFF


class Opening:
    def __init__(self) -> None:
        self.since: Micros = 0  # the table is in this phase
        self._here: tuple[str, int, Phase] | None = None
        self._granted: set[UnitKey] = set()
        self._opened: set[UnitKey] = set()  # read back open in this pass
        self.round = 0
        self._trained: int | None = None  # rounds of training, so far

    def look(self, table: Table, up: set[UnitKey], now: Micros, clock: int) -> None:
        """`clock`: of the record."""
        here, before = (table.name, table.number, table.phase), self._here
        if here == before:
            return
        self._here, self.since = here, now
        if table.phase is not Phase.OPEN:
            self._granted.clear()
        elif before is not None:
            self._granted = set(up)
        if before is None or before[:2] != here[:2]:
            self._opened.clear()
            self.round = self._next_training(clock) if table.training else table.number % ROUNDS * 2 + 1

    def _next_training(self, clock: int) -> int:
        self._trained = clock if self._trained is None else self._trained + 1
        return self._trained % ROUNDS * 2 + 2

    @property
    def is_open(self) -> bool:
        return self._here is not None and self._here[2] is Phase.OPEN

    def reopen(self, up: set[UnitKey]) -> set[UnitKey]:
        """A person wants the pass open: whoever waited."""
        waited = up - self._granted
        self._granted |= waited
        self._opened -= waited
        return waited

    def may(self, unit: UnitKey) -> bool:
        return unit in self._granted

    def was_open(self, unit: UnitKey) -> bool:
        return unit in self._opened

    def read_back(self, unit: UnitKey, *, locked: bool) -> bool:
        """What a unit shows; whether it has locked by itself."""
        if unit not in self._granted:
            return False
        if not locked:
            self._opened.add(unit)
        elif unit in self._opened:
            self._granted.discard(unit)
            return True
        return False

    def leaves(self, unit: UnitKey) -> bool:
        """It fell, or it will not open. Whether it was to be open."""
        left = unit in self._granted
        self._granted.discard(unit)
        return left
