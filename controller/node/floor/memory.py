"""Three memories of one table: what was pressed, which of its units may be open, and whose lamps are tested.

Buttons (R-5). Presses are totals (devices.md 2.3): the first sight of a console is the baseline; a lock press counts
however long it took to be heard; an unlock press counts only while somebody listens, because an old wish to open is no
wish any more. A press becomes a goal, and the goal is over when the table stands where it was to stand; so asking
twice, or dying between, opens one pass and not two. Where both buttons were pressed at once the lock is believed.

Open units (devices.md 2.5, 2.6). A pass that opens opens every unit that is up. From then on a unit only leaves: one
that falls, that locks by itself or that refuses to open stays locked, because nobody knows what was dealt meanwhile,
until a person presses unlock again. But one whose line alone failed, and whose session goes on before it locked itself,
is as open as it was. And one that locked with a bet of this pass opens in the next: until then no button promises it
(2.4). A pass that was open before the node started has no open unit at all. A pass is one
word on the wire, its round, never 0; a unit refuses the one that it has just sealed. Live passes have the odd ones, by
their number, so that one goes on after a restart. Training has the even ones: its numbers begin again with each
training, so its rounds are counted here, from an instant of the record on.

Lamp test, between passes (R-6, 1.8). A lamp is believed to be mended when it was lit and measured, so its fault is
cleared after a test and never before it; a seat that is closed has no other light. What its unit still shows of the old
fault meanwhile is no news: it closes no seat again that a person has just opened, as long as the unit stands locked and
the seat has no bet. And the unit stays locked until the clearing came to its end.
"""

from collections.abc import Iterator
from typing import NamedTuple

from controller.core.inputs import ClosePass, Input, Lock, OpenPass
from controller.core.state import State, Table
from controller.core.values import TRAINING, Phase
from controller.node.floor.words import DRAWS_DUE, LOCKING, NO_DAY, NO_TABLE
from controller.node.vocabulary.commands import BeginLampTest, ClearSeatFaults, EndLampTest, Wish
from controller.node.vocabulary.places import UnitKey
from drivers.model import ConsoleSeen, Settled
from drivers.session import MILLISECOND, SECOND, Micros

_DRAWS_WITHIN: Micros = 5 * SECOND
_Pass = tuple[str, int]
LOOKED_AT: Micros = 10 * SECOND  # by a person
MEASURED: Micros = 3 * SECOND  # by the unit, also on a slow line
DARK_AGAIN: Micros = 500 * MILLISECOND  # then its current while off is measured, too
CLEARS_WITHIN: Micros = 5 * SECOND
_Seat = tuple[UnitKey, int]
ROUNDS = 0x7FFF


class Presses(NamedTuple):
    lock: bool
    unlock: bool


def presses(before: ConsoleSeen | None, seen: ConsoleSeen) -> Presses:
    """What was pressed between two sights of one memory."""
    if before is None or before.device != seen.device:
        return Presses(lock=False, unlock=False)
    return Presses(seen.lock_presses != before.lock_presses, seen.unlock_presses != before.unlock_presses)


class Buttons:
    """Of one table; a console, a screen and a script press the same ones."""

    def __init__(self) -> None:
        self.reopen = False  # the pass is open and stays so: units that wait are opened again
        self.refused = ""
        self.until: Micros | None = None
        self._lock = self._unlock = False
        self._to_lock: _Pass | None = None
        self._to_open: _Pass | None = None

    def press(self, what: Presses) -> None:
        self._lock |= what.lock
        self._unlock |= what.unlock and not what.lock

    def forget_unlock(self) -> None:
        self._unlock, self._to_open, self.until = False, None, None

    def ask(self, table: Table | None, state: State, now: Micros) -> Input | None:
        """The next step towards what was pressed."""
        if table is None:
            self._lock = self._unlock = False
            return None
        self._look(table, state, now)
        name, here = table.name.removeprefix(TRAINING), (table.name, table.number)
        if self._to_lock is not None:
            if self._to_lock == here and table.phase is Phase.OPEN:
                return Lock(name)
            self._to_lock = None
        return self._towards_open(table, state, now) if self._to_open is not None else None

    def refusal(self, table: Table | None, state: State) -> str:
        """Why unlocking would come to nothing here; empty when it would not."""
        if table is None:
            return NO_TABLE
        if table.phase is Phase.LOCKING:
            return LOCKING
        opens = table.phase is not Phase.OPEN
        return NO_DAY if opens and state.day is None and not table.training else ""

    def _look(self, table: Table, state: State, now: Micros) -> None:
        """New presses, by the phase that they find."""
        lock, unlock = self._lock, self._unlock
        self._lock = self._unlock = False
        if lock:
            self._to_lock, self._to_open, self.until = (table.name, table.number), None, None
            return
        if not unlock:
            return
        self.refused = self.refusal(table, state)
        if self.refused:
            return
        if table.phase is Phase.OPEN:
            self.reopen = True
        else:
            self._to_open, self.until = (table.name, table.number + 1), now + _DRAWS_WITHIN

    def _towards_open(self, table: Table, state: State, now: Micros) -> Input | None:
        assert self._to_open is not None and self.until is not None, "an unlock was pressed"
        name, number = self._to_open
        on_the_way = table.name == name and table.number == number - 1
        if not on_the_way or table.phase not in {Phase.BETWEEN, Phase.SEALED}:
            self._to_open = self.until = None
            return None
        asked = table.name.removeprefix(TRAINING)
        if table.phase is Phase.SEALED and table.draws:
            if now >= self.until:
                self._to_open, self.until, self.refused = None, None, DRAWS_DUE
            return None
        if table.phase is Phase.SEALED:
            return ClosePass(asked)
        self.refused = self.refusal(table, state)
        if self.refused:
            self._to_open = self.until = None
            return None
        return OpenPass(asked)


class OpenUnits:
    def __init__(self) -> None:
        self.since: Micros = 0  # the table is in this phase
        self._here: tuple[str, int, Phase] | None = None
        self._granted: set[UnitKey] = set()
        self._opened: set[UnitKey] = set()  # read back open in this pass
        self._sealed: set[UnitKey] = set()  # locked with a bet of this pass: they open in the next
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
            self._sealed.clear()
            self.round = self._next_training(clock) if table.training else table.number % ROUNDS * 2 + 1

    def _next_training(self, clock: int) -> int:
        self._trained = clock if self._trained is None else self._trained + 1
        return self._trained % ROUNDS * 2 + 2

    @property
    def is_open(self) -> bool:
        return self._here is not None and self._here[2] is Phase.OPEN

    def reopen(self, up: set[UnitKey]) -> set[UnitKey]:
        """A person wants the pass open: the units that waited open, but those that the next pass opens."""
        waited = up - self._granted - self._sealed
        self._granted |= waited
        self._opened -= waited
        return waited

    def seals(self, unit: UnitKey) -> None:
        """devices.md 2.4: a round in which a unit was locked with a bet is not opened again, whatever becomes of it."""
        if self.is_open and unit not in self._granted:
            self._sealed.add(unit)

    def is_sealed(self, unit: UnitKey) -> bool:
        return self.is_open and unit in self._sealed

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


class LampTest:
    """Of one table."""

    def __init__(self) -> None:
        self._lit: dict[UnitKey, Micros] = {}  # units under test, until then
        self._begun: list[UnitKey] = []
        self._to_clear: dict[_Seat, Micros] = {}  # once its test is over; at the latest then
        self._clearing: dict[_Seat, Micros] = {}  # the command was sent; the fault is no news until then

    def begin(self, unit: UnitKey, until: Micros) -> None:
        self._lit[unit] = max(until, self._lit.get(unit, until))
        self._begun.append(unit)

    def mend(self, unit: UnitKey, seat: int, now: Micros) -> None:
        """Light it, measure it, and clear the fault that is no more."""
        self.begin(unit, now + MEASURED)
        self.clear_after(unit, seat)

    def clear_after(self, unit: UnitKey, seat: int) -> None:
        self._to_clear[unit, seat] = self._lit[unit] + DARK_AGAIN

    def is_mending(self, unit: UnitKey, seat: int, now: Micros) -> bool:
        return (unit, seat) in self._to_clear or now < self._clearing.get((unit, seat), now)

    def settled(self, unit: UnitKey, event: Settled) -> None:
        if event.command == "clear_faults":
            self._clearing.pop((unit, event.seat), None)

    def forget(self, unit: UnitKey) -> None:
        """It fell, and its test with it."""
        self._lit.pop(unit, None)
        for waiting in (self._to_clear, self._clearing):
            for key in [key for key in waiting if key[0] == unit]:
                del waiting[key]

    def wishes(self, *, between: bool, now: Micros) -> Iterator[Wish]:
        """Not `between` passes any more: everything ends at once."""
        begun, self._begun = self._begun, []
        if between:
            yield from (Wish(unit, BeginLampTest()) for unit in dict.fromkeys(begun) if unit in self._lit)
        for unit in sorted(unit for unit, until in self._lit.items() if now >= until or not between):
            del self._lit[unit]
            yield Wish(unit, EndLampTest())
        for key in sorted(key for key, due in self._to_clear.items() if now >= due or not between):
            del self._to_clear[key]
            self._clearing[key] = now + CLEARS_WITHIN
            yield Wish(key[0], ClearSeatFaults(key[1]))
        self._clearing = {key: until for key, until in self._clearing.items() if now < until}

    def deadlines(self) -> Iterator[Micros]:
        yield from self._lit.values()
        yield from self._to_clear.values()
        yield from self._clearing.values()
