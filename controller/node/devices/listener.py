"""What happens in the lines' own thread when a device speaks: the event goes to the engine, and a press locks at once.

Theory. "No más apuestas" must not wait for a disk (R-5): a new press of a console's lock button locks the units of its
table here, before the engine hears of it; the record follows. Locking is always permitted, so this decides nothing.
What a unit would have to be resumed from is read here too, beside the session that owns it, and travels with the event.
"""

from collections.abc import Callable

from controller.node.devices.hardware import Hardware
from controller.node.vocabulary.inbox import FromLine, Inbox
from controller.node.vocabulary.places import Node, UnitKey
from drivers.model import ConsoleSeen, DeviceKey, SeatSeen
from drivers.session import Micros


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
