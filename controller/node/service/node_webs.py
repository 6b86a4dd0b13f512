"""The far door in a life of the node: open once the control socket answers, closed before it.

Theory. A node whose settings name no address has none, and no thread for it. Where the address is taken, or the door's
thread ended by a defect, the tables play on and an alarm says so: a chief at another box sees less, and nobody at a
table anything.
"""

from collections.abc import Callable, Mapping

from controller.core.view import Alarm, alarm
from controller.node.book.link_key import LinkKey
from controller.node.control.control import Control
from controller.node.link.shell import place_in
from controller.node.link.sockets import OwnKey
from controller.node.passage.far_door import FarDoor
from controller.node.telemetry.journal import Journal, Says
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.places import Node
from drivers.session import Micros

DEFECT = "un defecto del programa"
_FOLDER = "webs"
_SHUT = "Las webs de otras cajas no llegan a este nodo ({why}); se juega y se paga igual. Avise al técnico."


class NodeWebs:
    """KeyRefused: the key by which the node is known cannot be used."""

    def __init__(self, node: Node, journal: Journal, clock: Clock) -> None:
        self._node, self._journal, self._clock = node, journal, clock
        self._key = LinkKey.load_or_make(node.folder) if node.webs else None
        self._door: FarDoor | None = None
        self._keys: Mapping[str, str] = {}
        self._trouble = ""

    def enrolled(self, keys: Mapping[str, str]) -> None:
        """From the engine's thread: the key of each web that two persons let in, by its name."""
        self._keys = keys
        if self._door is not None:
            self._door.webs(keys)

    def start(self, control: Control) -> Callable[[], None]:
        """How it is ended."""
        if self._key is None:
            return self.stop
        door = FarDoor(control.bring, self._say, self._clock.now)
        door.webs(self._keys)
        try:
            own = OwnKey(self._key.public, self._key.secret)
            door.start(self._node.folder / _FOLDER, place_in(self._node.webs), own)
        except OSError as error:
            self._trouble = error.strerror or str(error)
            self._journal.error(Says.WEBS_REFUSED, listen=self._node.webs, message=self._trouble)
        else:
            self._door = door
        return self.stop

    def look(self, _now: Micros, raise_alarm: Callable[[str, Alarm | None], None]) -> None:
        if self._door is not None and not self._door.alive() and not self._trouble:
            self._trouble = DEFECT
            self._journal.error(Says.WEBS_REFUSED, listen=self._node.webs, message=self._trouble)
        shut = alarm("webs_shut", "webs", "R-36", _SHUT, why=self._trouble)
        raise_alarm("webs", shut if self._trouble else None)

    def stop(self) -> None:
        if self._door is not None:
            door, self._door = self._door, None
            door.stop()

    def _say(self, event: str, fields: Mapping[str, object]) -> None:
        """From the door's thread."""
        self._journal.warning(event, **fields)
