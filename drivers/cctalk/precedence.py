"""Who goes first at one device when its events are due and a wish waits as well: neither waits for more than one turn.

A wish that had to stand back at the last turn goes first at this one; otherwise the events do. So while polls are
always due, as on a wire with many devices, wishes still get every second turn. The lock goes before the events as long
as it takes to look, to write and to read back twice; after that it is one that is not obeyed, and waits like others.
"""

_LOCKING = 4  # turns


class Precedence:
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
