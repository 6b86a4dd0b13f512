"""Between the engine's thread and that of the lines: wishes go there, events come back.

Theory. The dispatcher makes one call for each line, waits for nothing and hears no answer: what a device made of a wish
comes back as an event, like everything else it says. To lock is always allowed, in any state of the program, and says
nothing about the record. So "no más apuestas" need not wait for a disk (R-5): the listener, in the lines' own thread,
locks a table's units at a new press of its console's lock button, before the engine hears of it; the record follows.
What a unit would be resumed from is read there too, beside the session that owns it, and travels with the event.
"""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event

from controller.node.devices.hardware import Hardware
from controller.node.vocabulary.commands import Wish
from controller.node.vocabulary.inbox import FromLine, Inbox
from controller.node.vocabulary.places import Node, UnitKey
from drivers.model import ConsoleSeen, DeviceKey, SeatSeen
from drivers.pump import PumpCounters
from drivers.rack import Rack
from drivers.session import Micros


class Dispatcher:
    def __init__(self, rack: Rack, hardware: Hardware, node: Node, impossible: Callable[[str], None]) -> None:
        self._rack, self._hardware, self._impossible = rack, hardware, impossible
        self._lines = tuple(line.name for line in node.lines)
        self._lines_of: dict[str, set[str]] = {}
        for unit in node.units:
            self._lines_of.setdefault(unit.table, set()).add(unit.key.line)

    def give(self, wishes: Sequence[Wish]) -> None:
        of_line: dict[str, list[Wish]] = {}
        for wish in wishes:
            of_line.setdefault(wish.unit.line, []).append(wish)
        for line, its in of_line.items():
            self._rack.call(line, partial(self._hardware.obey_all, its, self._impossible))

    def lock_table(self, table: str) -> None:
        """From any thread, that of the lines too."""
        for line in sorted(self._lines_of[table]):
            self._rack.call(line, partial(self._lock_table, line, table))

    def lock_everything(self) -> None:
        for line in self._lines:
            self._rack.call(line, partial(self._lock, line))

    def wait_until_taken(self, seconds: float) -> None:
        """Until every line's thread has heard all of the above; for whoever is about to close them."""
        for line in self._lines:
            heard = Event()
            self._rack.call(line, lambda _, heard=heard: heard.set())  # type: ignore[misc]
            heard.wait(seconds)

    def counters(self) -> dict[str, PumpCounters]:
        return {line: self._rack.counters(line) for line in self._lines}

    # In the thread of the lines.

    def _lock(self, line: str, _now: Micros) -> None:
        self._hardware.lock_all(line)

    def _lock_table(self, line: str, table: str, _now: Micros) -> None:
        self._hardware.lock_table(line, table)


class Listener:
    """`listener(line, event)`, in the rack's thread."""

    def __init__(
        self,
        node: Node,
        inbox: Inbox,
        hardware: Hardware,
        now: Callable[[], Micros],
        lock_table: Callable[[str], None],
    ) -> None:
        self._inbox, self._hardware, self._now, self._lock_table = inbox, hardware, now, lock_table
        self._table_of = {unit.key: unit.table for unit in node.units}
        self._presses: dict[UnitKey, tuple[DeviceKey, int]] = {}

    def __call__(self, line: str, event: object) -> None:
        base = None
        if isinstance(event, SeatSeen) and event.last:
            base = self._hardware.base_of(UnitKey(line, event.unit))
        elif isinstance(event, ConsoleSeen):
            self._console(UnitKey(line, event.unit), event)
        self._inbox.put(FromLine(line, event, self._now(), base))

    def _console(self, key: UnitKey, seen: ConsoleSeen) -> None:
        """The first sight of a box is where its presses are counted from."""
        before, self._presses[key] = self._presses.get(key), (seen.device, seen.lock_presses)
        if before is not None and before[0] == seen.device and before[1] != seen.lock_presses:
            self._lock_table(self._table_of[key])
