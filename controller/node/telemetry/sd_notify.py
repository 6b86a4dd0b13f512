"""What a service says to systemd: ready, alive, stopping, and one line of status.

Theory. The protocol of sd_notify(3): a datagram of `NAME=value` lines to the socket that the environment names. Without
such a socket nothing is said, and nothing else changes. A word that does not get through is lost: systemd asks again.
"""

import contextlib
import os
import socket
from collections.abc import Mapping

from drivers.session import Micros


class Systemd:
    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        place = environment.get("NOTIFY_SOCKET", "")
        self._place = "\0" + place[1:] if place.startswith("@") else place
        ours = environment.get("WATCHDOG_PID", "") in {"", str(os.getpid())}
        limit = environment.get("WATCHDOG_USEC", "")
        self.ping_every: Micros | None = int(limit) // 2 if ours and limit.isdecimal() and int(limit) > 1 else None

    def say(self, **words: str) -> None:
        """`say(READY="1", STATUS="...")`."""
        if not self._place:
            return
        lines = "\n".join(f"{name}={value}" for name, value in words.items())
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as way,
        ):
            way.setblocking(False)
            way.sendto(lines.encode(), self._place)
