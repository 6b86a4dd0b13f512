"""What one device was told and what became of it, so that it is told news only.

Theory. Wishes are desired state, so telling one again is never wrong, only noise; and an order that may be under way is
not told in another form, because two targets made of one reading would contradict each other (devices.md 2.1.4). An
order that was refused is tried again after a pause, one of which nothing is heard after a longer one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from controller.node.vocabulary.places import UnitKey
from controller.node.vocabulary.wishes import Verb, Wish
from drivers.model import DeviceKey, Settled
from drivers.session import SECOND, Micros

PAUSE: Micros = 2 * SECOND
LOST_AFTER: Micros = 10 * SECOND
LOCKS_WITHIN: Micros = 2 * SECOND  # a unit that was told to open, and to lock before it was read back open

CREDITS, VOID, RELIGHT, SEATING = "credits", "void", "relight", "seating"
_KIND = {
    "load": CREDITS, "cash": CREDITS, "void": VOID, "relight": RELIGHT, "enable": SEATING, "disable": SEATING,
}  # fmt: skip


@dataclass(slots=True)
class _Order:
    wish: Wish
    again_at: Micros
    under_way: bool = True


@dataclass(slots=True)
class Told:
    """Of one device."""

    unit: UnitKey
    round: int | None = None  # it was told to open; `None`: to lock, as every driver begins
    opened_in: int | None = None  # the last round that it was told, also when it was told to lock since
    shut_from: Micros = 0  # what it reads before then may be older than the lock
    acked: tuple[DeviceKey, int] | None = None
    reconciled: DeviceKey | None = None
    shown: int | None = None
    hand_over: bool = False  # of what stands sealed in a unit that is not up
    enabled: dict[int, bool] = field(default_factory=dict)
    _orders: dict[tuple[int, str], _Order] = field(default_factory=dict)
    _was_open: bool = False  # read back so, since it was told

    def starts_anew(self) -> None:
        """A new session. Locks are not forgotten: a driver is told to lock by what changed here, not by what it did."""
        self.acked = self.reconciled = self.shown = None
        self.shut_from, self.hand_over = 0, False
        self.enabled.clear()
        self._orders.clear()

    def opens(self, round_id: int) -> None:
        self.round = self.opened_in = round_id
        self._was_open = False

    def locks(self, now: Micros) -> None:
        self.round, self.shut_from = None, now if self._was_open else now + LOCKS_WITHIN

    def reads_open(self) -> None:
        self._was_open |= self.round is not None

    def order(self, seat: int, verb: Verb, *arguments: int, now: Micros) -> Wish | None:
        """The order, if it may be given now."""
        kind, wish = _KIND[verb.value], Wish(self.unit, verb, (seat, *arguments))
        before = self._orders.get((seat, kind))
        if before is not None and now < before.again_at and (before.under_way and kind == CREDITS):
            return None
        if before is not None and now < before.again_at and before.wish == wish:
            return None
        self._orders[seat, kind] = _Order(wish, now + LOST_AFTER)
        return wish

    def settled(self, event: Settled, now: Micros) -> None:
        kind = _KIND.get(event.command)
        order = self._orders.get((event.seat, kind)) if kind is not None else None
        if kind is None or order is None:
            return
        if event.done:
            del self._orders[event.seat, kind]
        else:
            order.under_way, order.again_at = False, now + PAUSE

    def pauses(self) -> Iterator[Micros]:
        """When something may be told again."""
        return (order.again_at for order in self._orders.values())
