"""The croupier's two buttons of one table: what a press means, by the phase it finds (R-5).

Theory. Presses are totals (devices.md 2.3): the first sight of a console is the baseline, a lock press counts however
long it took to be heard, an unlock press counts only while somebody listens, because an old wish to open is no wish any
more. A press becomes a goal, and the goal is over when the table stands where it was to stand; so asking twice, or
dying between, opens one pass and not two. Where both buttons were pressed at once the lock is believed.
"""

from typing import NamedTuple

from controller.core.inputs import ClosePass, Input, Lock, OpenPass
from controller.core.state import State, Table
from controller.core.values import TRAINING, Phase
from controller.node.floor.words import DRAWS_DUE, LOCKING, NO_DAY, NO_TABLE
from drivers.model import ConsoleSeen
from drivers.session import SECOND, Micros

_DRAWS_WITHIN: Micros = 5 * SECOND
_Pass = tuple[str, int]


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
        assert self._to_open is not None and self.until is not None, "somebody wants it open"
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
