"""A unit that answers, and too late: what it says is overheard, so that it is called slow and not silent (4.1).

Theory. A late answer is nobody's any more: none of it is believed, and only that it came is remembered. It is looked
for while a unit of the line owes one. What comes while that unit is asked itself may be the answer to that; where
frames have numbers it is not, for then it would be taken. A question that brings nothing is late where the one before
it was answered after its time.
"""

from collections.abc import Callable, Iterable

from drivers.modbus.turn import BROADCAST

_KEPT = 512  # of the newest bytes since the last question


class Late:
    """`speakers`: units of which a whole frame is among some bytes; `numbered`: frames say what they answer."""

    def __init__(self, speakers: Callable[[bytes, Iterable[int]], set[int]], *, numbered: bool) -> None:
        self._speakers, self._numbered = speakers, numbered
        self._owing: set[int] = set()
        self._came: set[int] = set()  # those whose last question was answered after its time
        self._asked = BROADCAST  # nobody
        self._heard = b""

    def asked(self, unit: int) -> None:
        self._asked, self._heard = unit, b""

    def answered(self, unit: int) -> None:
        self._asked = BROADCAST
        self._owing.discard(unit)
        self._came.discard(unit)

    def unanswered(self, unit: int) -> bool:
        """Whether it is late, for all that was heard until now."""
        was_late = unit in self._came
        self._asked = BROADCAST
        self._came.discard(unit)
        self._owing.add(unit)
        return was_late

    def overhears(self, data: bytes) -> None:
        if not self._owing:
            return
        owing = self._owing if self._numbered else self._owing - {self._asked}
        if owing:
            self._heard = (self._heard + data)[-_KEPT:]
            self._came |= self._speakers(self._heard, owing)
