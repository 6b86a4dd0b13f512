"""What one device was last sent and what became of it, so that it is sent news only.

Theory. Commands are desired state, so to repeat one is never wrong, only noise; and a command that may be under way is
not sent in another form, because two targets made of one reading would contradict each other (devices.md 2.1.4). A
command that was refused is tried again after a pause, one of which nothing is heard after a longer one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from controller.node.vocabulary.commands import (
    CashCredits,
    DisableSeat,
    EnableSeat,
    LoadCredits,
    Relight,
    SettledCommand,
    VoidBet,
    Wish,
)
from controller.node.vocabulary.places import UnitKey
from drivers.model import DeviceKey, Settled
from drivers.session import SECOND, Micros

PAUSE: Micros = 2 * SECOND
LOST_AFTER: Micros = 10 * SECOND
LOCKS_WITHIN: Micros = 2 * SECOND  # a unit that was sent an unlock, and a lock before it was read back open


class _Matter(Enum):
    """Of each, a seat has one command under way."""

    CREDITS = auto()
    BET = auto()
    LAMP = auto()
    SEATING = auto()


_SETTLED = {
    "load": _Matter.CREDITS, "cash": _Matter.CREDITS, "void": _Matter.BET, "relight": _Matter.LAMP,
    "enable": _Matter.SEATING, "disable": _Matter.SEATING,
}  # fmt: skip
"""As drivers say what came to its end."""


def _matter_of(command: SettledCommand) -> _Matter:
    match command:
        case LoadCredits() | CashCredits():
            return _Matter.CREDITS
        case VoidBet():
            return _Matter.BET
        case Relight():
            return _Matter.LAMP
        case EnableSeat() | DisableSeat():
            return _Matter.SEATING


@dataclass(slots=True)
class _Sent:
    command: SettledCommand
    again_at: Micros
    under_way: bool = True


@dataclass(slots=True)
class Outbox:
    """Of one device."""

    unit: UnitKey
    round: int | None = None  # it was sent to be open in; `None`: it was locked, as every driver begins
    opened_in: int | None = None  # the last round that it was sent, also when it was locked since
    shut_from: Micros = 0  # what it reads before then may be older than the lock
    acked: tuple[DeviceKey, int] | None = None
    reconciled: DeviceKey | None = None
    shown: int | None = None
    hand_over: bool = False  # of what stands sealed in a unit that is not up
    enabled: dict[int, bool] = field(default_factory=dict)
    _sent: dict[tuple[int, _Matter], _Sent] = field(default_factory=dict)
    _was_open: bool = False  # read back so, since it was unlocked

    def starts_anew(self) -> None:
        """A new session. Locks are not forgotten: a driver is locked for what changed here, not for what it did."""
        self.acked = self.reconciled = self.shown = None
        self.shut_from, self.hand_over = 0, False
        self.enabled.clear()
        self._sent.clear()

    def opens(self, round_id: int) -> None:
        self.round = self.opened_in = round_id
        self._was_open = False

    def locks(self, now: Micros) -> None:
        self.round, self.shut_from = None, now if self._was_open else now + LOCKS_WITHIN

    def reads_open(self) -> None:
        self._was_open |= self.round is not None

    def send(self, command: SettledCommand, now: Micros) -> tuple[Wish, ...]:
        """The command as a wish; none, if it may not be sent now."""
        matter = _matter_of(command)
        before = self._sent.get((command.seat, matter))
        if before is not None and now < before.again_at:
            credits_move = before.under_way and matter is _Matter.CREDITS
            if credits_move or before.command == command:
                return ()
        self._sent[command.seat, matter] = _Sent(command, now + LOST_AFTER)
        return (Wish(self.unit, command),)

    def settled(self, event: Settled, now: Micros) -> None:
        matter = _SETTLED.get(event.command)
        sent = self._sent.get((event.seat, matter)) if matter is not None else None
        if matter is None or sent is None:
            return
        if event.done:
            del self._sent[event.seat, matter]
        else:
            sent.under_way, sent.again_at = False, now + PAUSE

    def pauses(self) -> Iterator[Micros]:
        """When something may be sent again."""
        return (sent.again_at for sent in self._sent.values())
