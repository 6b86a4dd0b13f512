"""Whether one wire can keep what its acceptors need, and how much room it leaves for anything but their events.

An acceptor that is not asked for its events for a second stops taking chips. Two rules keep that from happening while
wishes (lamps, inhibits, checks) are served all the same. A device serves wishes and due polls in turn (`Precedence`),
and the master gives a poll its turn out of order when its second is nearly over (`is_pressing`, bus.py), but never
more than `most_pressed` times running; so neither can starve the other. Both hold on a wire where one second has room
for a poll of every device and for `SPARE` turns more: that is what `most_devices` asks of it, with the longest answers
that its devices may give. Turns that fail are not in the account: who is silent is asked every two seconds.
"""

from collections.abc import Sequence
from dataclasses import replace

from drivers.cctalk.events import READING_SIZE
from drivers.cctalk.frames import Header
from drivers.cctalk.settings import DEVICE_WATCHDOG
from drivers.cctalk.turn import LineAsk, WireTiming
from drivers.session import Micros

SPARE = 2  # turns of each second that are not polls
_FASTER = (19_200, 38_400, 57_600, 115_200)
_POLL = LineAsk(Header.READ_CREDIT, sizes=range(READING_SIZE, READING_SIZE + 1))


def longest_poll(timing: WireTiming) -> Micros:
    """No turn of a device that runs and answers is longer."""
    return timing.wait(_POLL) + timing.pause


def most_devices(timing: WireTiming) -> int:
    return max(0, DEVICE_WATCHDOG // longest_poll(timing) - SPARE)


def enough_baud(devices: int, timing: WireTiming) -> int | None:
    """`None`: the bytes are not what takes the time."""
    enough = (baud for baud in _FASTER if devices <= most_devices(replace(timing, baud=baud)))
    return next((baud for baud in enough if baud > timing.baud), None)


def most_pressed(devices: int) -> int:
    """Polls out of order between two turns in order: with them `devices` polls and `SPARE` others fill a second."""
    return -(-devices // SPARE)


def is_pressing(ends: Sequence[Micros], now: Micros, longest: Micros) -> bool:
    """Whether these polls, soonest first, could come too late if one more turn of another kind were given before."""
    return any(now + (place + 2) * longest > end for place, end in enumerate(ends))


_LOCKING = 4  # turns


class Precedence:
    """What goes first at one device when its events are due and a wish waits as well.

    A wish that had to stand back at the last turn goes first at this one; otherwise the events do. So while polls are
    always due, as on a wire with many devices, wishes still get every second turn. The lock goes before the events as
    long as it takes to look, to write and to read back twice; after that it is not obeyed, and waits like others.
    """

    def __init__(self) -> None:
        self._stood_back = False
        self._urgent = 0  # turns running

    def wish_goes(self, *, wish: bool, urgent: bool, poll: bool) -> bool:
        """Asked once for each turn in order."""
        self._urgent = self._urgent + 1 if urgent else 0
        goes = wish and (not poll or self._stood_back or 0 < self._urgent <= _LOCKING)
        self._stood_back = wish and not goes
        return goes

    def stands_back(self, *, wish: bool) -> None:
        """The master asked for the events out of order."""
        self._stood_back = self._stood_back or wish
