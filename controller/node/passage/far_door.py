"""The far door: where web processes of other boxes come to this node, over CURVE, by keys that two persons enrolled.

Theory. Off unless the settings name an address. Who comes with a key that stands on record as a web's has what a
process of this machine has at the control socket, and nothing else; everybody else is refused by libzmq before a word
of his is read, and summed up for the journal once a minute, because strangers must not fill it. A key that is withdrawn
is out at that instant. The door is a convenience: if its thread dies tables play on, and an alarm says so.
"""

import socket
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from controller.core.values import Side
from controller.node.link.sockets import OwnKey, Pinned
from controller.node.passage.channels import Opens
from controller.node.passage.hub import Hub
from controller.node.vocabulary.protocol import COMMANDS, STATE
from drivers.session import SECOND, Micros

Say = Callable[[str, Mapping[str, object]], object]
"""Takes a line for the journal: its event and fields."""
Brings = Callable[[socket.socket, str, str], object]
"""Takes one end of a connection, the name of the control socket that it is for, and the key that proved it."""

_SUMMED_UP: Micros = 60 * SECOND
_MOST_NAMED = 5
_ENDS_WITHIN = 5.0  # seconds
_KEPT = 65_536
"""Octets that the system holds of a connection, each way."""


class FarDoor:
    """`webs` may be called from any thread, and before the door is open."""

    def __init__(self, brings: Brings, say: Say, clock: Callable[[], Micros]) -> None:
        self._brings, self._say, self._clock = brings, say, clock
        self._keys: Mapping[str, str] = {}
        self._changed = True
        self._ending = False
        self._summed_up_at = clock()
        self._hub: Hub | None = None
        self._thread = threading.Thread(target=self._run, name="far-door", daemon=True)

    def start(self, folder: Path, listen: tuple[str, int], own: OwnKey) -> None:
        """OSError: that cannot be listened to."""
        self._hub = Hub(folder, listen, own, self._opens, self._clock)
        self._thread.start()

    @property
    def place(self) -> tuple[str, int] | None:
        return self._hub.place if self._hub is not None else None

    def alive(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._ending = True
        self._ring()
        if self._hub is not None:
            self._thread.join(_ENDS_WITHIN)

    def webs(self, keys: Mapping[str, str]) -> None:
        """By name the keys, in hexadecimal, of all webs that are enrolled now."""
        self._keys, self._changed = dict(keys), True
        self._ring()

    def _ring(self) -> None:
        if self._hub is not None:
            self._hub.bell.ring()

    def _run(self) -> None:
        hub = self._hub
        assert hub is not None, "started"
        try:
            while not self._ending:
                self._pin(hub)
                for web in hub.turn():
                    self._say("web_came", {"web": web})
                for web in hub.gone():
                    self._say("web_went", {"web": web})
                if self._clock() - self._summed_up_at >= _SUMMED_UP:
                    self._sum_up(hub)
        finally:
            hub.close()

    def _pin(self, hub: Hub) -> None:
        if self._changed:
            self._changed = False
            hub.pin({web: Pinned(Side.BELOW, bytes.fromhex(key)) for web, key in self._keys.items()})

    def _opens(self, web: str) -> Opens:
        return partial(self._opened, web)

    def _opened(self, web: str, name: str) -> socket.socket | None:
        """A connection of this web to the control socket, as if it had come in there."""
        key = self._keys.get(web)
        if key is None or name not in {COMMANDS, STATE}:
            return None
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KEPT)
        self._brings(theirs, name, key)
        return ours

    def _sum_up(self, hub: Hub) -> None:
        self._summed_up_at = self._clock()
        refused, unknown = hub.strangers()
        if refused or unknown:
            most = dict([*refused.items()][:_MOST_NAMED])
            self._say("web_strangers", {"refused": sum(refused.values()), "unknown_keys": unknown, "addresses": most})
