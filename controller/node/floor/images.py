"""What one whole image of a native unit says, judged by the one before it (R-37).

Theory. The record knows a seat as it was when something of it was booked; in between are images that moved no money.
They are judged here, in the process that saw them: the moves of all seats of the unit take no more events than there
were from one image to the next, and what was loaded or paid out is what was ordered. What cannot be is told to the core
with its reason, once, and stays here until the seat was counted. The first image of a process has none before it; the
core judges it by the record. A memory that went back, or another one, is compared with nothing.
"""

from collections import deque
from collections.abc import Callable, Sequence

from controller.node.vocabulary import commands as to
from controller.rules.belief import WORD, Disbelief, Image, MostAtOnce, disbelief, span_of
from drivers.model import DeviceKey, SeatSeen

MOST_ORDERS = 16
"""Of each seat that are remembered; one waits for the other, so all but the newest have come to their end."""


class Images:
    """Of one unit."""

    def __init__(self) -> None:
        self.impossible: dict[int, Disbelief] = {}
        self._device: DeviceKey | None = None
        self._seq = 0
        self._seats: dict[int, SeatSeen] = {}
        self._ordered: dict[int, deque[tuple[str, int]]] = {}

    def forget(self) -> None:
        """What is said next begins anew."""
        self._device, self._seats = None, {}

    def counted(self, seat: int) -> None:
        """By two persons, or it was never known."""
        self.impossible.pop(seat, None)

    def order(self, command: to.SettledCommand) -> None:
        """A unit moves credits when it is told to, and to the target that it is told."""
        match command:
            case to.LoadCredits(seat=seat, target=target):
                self._of(seat).append(("loaded", target))
            case to.CashCredits(seat=seat, target=target):
                self._of(seat).append(("cashed", target))
            case _:
                pass

    def _of(self, seat: int) -> deque[tuple[str, int]]:
        return self._ordered.setdefault(seat, deque(maxlen=MOST_ORDERS))

    def look(self, image: Sequence[SeatSeen], most: Callable[[int], MostAtOnce], late_worth: int) -> None:
        """A new whole image; seats of which nothing moved are not in it."""
        newest = image[-1]
        if newest.device != self._device:
            self._device, self._seats = newest.device, {}
        else:
            self._judge(image, (newest.seq - self._seq) % WORD, most, late_worth)
        self._seq = newest.seq
        self._seats.update((seen.seat, seen) for seen in image)

    def _judge(
        self, image: Sequence[SeatSeen], events: int, most: Callable[[int], MostAtOnce], late_worth: int
    ) -> None:
        """A seat that lies by itself takes no event from the others: what they say may be true."""
        took: dict[int, int] = {}
        for seen in image:
            before = self._seats.get(seen.seat)
            if before is None:
                continue
            bounds = most(seen.seat)
            old, new = (_image(one, bounds, late_worth) for one in (before, seen))
            if self._is_unordered(before, seen):
                self.impossible[seen.seat] = Disbelief.UNORDERED
            elif disbelief(old._replace(seq=self._seq), new, bounds) is not None:
                self.impossible[seen.seat] = Disbelief.IMAGES
            else:
                took[seen.seat] = span_of(old, new, bounds).events
        if sum(took.values()) > events:
            self.impossible.update((seat, Disbelief.IMAGES) for seat, many in took.items() if many)

    def _is_unordered(self, before: SeatSeen, seen: SeatSeen) -> bool:
        ordered = self._of(seen.seat)
        return any(
            getattr(seen.totals, name) != getattr(before.totals, name)
            and (name, getattr(seen.totals, name)) not in ordered
            for name in ("loaded", "cashed")
        )


def _image(seen: SeatSeen, bounds: MostAtOnce, late_worth: int) -> Image:
    """What a slot gives back the croupier hands out: it is one event, however much it was."""
    totals = seen.totals
    voided = totals.voided if bounds.press else 0
    return Image(seen.seq, totals.bets, voided, totals.chips, totals.late, late_worth)
