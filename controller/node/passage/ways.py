"""Ways from a web process to the nodes of other boxes: one CURVE connection with each, made again whenever it is lost.

Theory. Whoever asks for a connection gets one end of it at once, or hears that nobody is there; he never waits for the
network. The node's key is compared by libzmq and stands in the settings, so a machine that took the address is told
nothing. A box that does not answer is dialled twice a second, and costs the others nothing. One thread owns all of it.
"""

import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple

from controller.core.values import Side
from controller.node.control.client import FarNode
from controller.node.link.sockets import Address, OwnKey, Pinned
from controller.node.passage.hub import Hub
from drivers.punctual import micros
from drivers.session import MILLISECOND, SECOND, Micros

DIALS: Micros = 500 * MILLISECOND
ANSWERS_WITHIN: Micros = 2 * SECOND
_ENDS_WITHIN = 1.0  # seconds


class FarBox(NamedTuple):
    """`place`: where its node's far door is, an address in digits and a port; `key`: of the node, in hexadecimal."""

    name: str
    place: tuple[str, int]
    key: str


class Ways:
    """`says`: told the name of a box, and whether it is reached now; called in the thread."""

    def __init__(
        self,
        boxes: Mapping[str, FarBox],
        folder: Path,
        own: OwnKey,
        says: Callable[[str, bool], object],
        clock: Callable[[], Micros] = micros,
    ) -> None:
        self._boxes, self._says, self._clock = boxes, says, clock
        self._reached: set[str] = set()
        self._dialled: set[str] = set()  # with whom there is a connection, or may be one soon
        self._due = dict.fromkeys(boxes, clock())
        self._wanted: SimpleQueue[tuple[str, str, socket.socket]] = SimpleQueue()
        self._ending = False
        self._hub = Hub(folder, None, own, lambda _: lambda _: None, clock, ANSWERS_WITHIN)
        self._hub.pin({name: Pinned(Side.ABOVE, bytes.fromhex(box.key)) for name, box in boxes.items()})
        self._thread = threading.Thread(target=self._run, name="ways", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ending = True
        self._hub.bell.ring()
        self._thread.join(_ENDS_WITHIN)

    def opened(self, box: str, name: str) -> socket.socket:
        """A connection to the control socket of this name of the box's node; from any thread. ConnectionRefusedError:
        nobody is there now."""
        if box not in self._reached:
            raise ConnectionRefusedError
        ours, theirs = socket.socketpair()
        self._wanted.put((box, name, theirs))
        self._hub.bell.ring()
        return ours

    def nodes(self) -> dict[str, FarNode]:
        """Each box's node, for clients."""
        return {name: FarNode(name, partial(self.opened, name)) for name in self._boxes}

    def _run(self) -> None:
        try:
            while not self._ending:
                self._dial()
                for box in self._hub.turn(min((self._due[name] for name in self._waiting()), default=None)):
                    self._reached.add(box)
                    self._says(box, True)
                self._lose()
                self._open()
        finally:
            self._reached.clear()
            self._open()
            self._hub.close()

    def _dial(self) -> None:
        now = self._clock()
        for name in self._waiting():
            if self._due[name] <= now:
                self._due[name] = now + DIALS
                if self._hub.dial(name, _address(self._boxes[name].place)):
                    self._dialled.add(name)

    def _waiting(self) -> list[str]:
        """Who is to be dialled when it is time."""
        return [name for name in self._boxes if name not in self._dialled]

    def _lose(self) -> None:
        for box in self._hub.gone():
            self._dialled.discard(box)
            if box in self._reached:
                self._reached.discard(box)
                self._says(box, False)

    def _open(self) -> None:
        with suppress(Empty):
            while True:
                box, name, made = self._wanted.get_nowait()
                passage = self._hub.passage(box) if box in self._reached else None
                if passage is None:
                    made.close()
                else:
                    passage.channels.open(name, made)


def _address(place: tuple[str, int]) -> Address:
    return (socket.AF_INET6 if ":" in place[0] else socket.AF_INET), place
