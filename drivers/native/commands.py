"""Commands to one unit: one in flight, compare and set, never repeated before it was looked at (2.1.4, 2.3 K).

An order is what the owner wants; a command is one try at it, with its own id. A lost reply says nothing: the next image
shows the id the unit executed last, so the same id is sent again only if it is not there. After a reboot or a new
session the order gets a new id: what it expects makes that safe. An order belongs to one memory (serial and epoch) and
ends with it. The owner hears of the end only after the totals it moved were reported; if the session ends before, the
order is given again, and the unit says that it is done already.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

from drivers.model import DeviceKey
from drivers.native.blocks import FastPoll
from drivers.native.contract import Opcode, Result
from drivers.native.writes import Command

MOST_WAITING = 64
MOST_TRIES = 8  # of one id that the unit answers for and never shows


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitOrder:
    name: str  # in `Settled`; "" is our own business and is not reported
    opcode: Opcode
    seat: int = 0  # the unit's own number; 0 = the unit
    expected: int = 0
    target: int = 0


@dataclass(frozen=True, slots=True)
class OrderEnd:
    """An order came to its end."""

    order: UnitOrder
    done: bool
    result: str


class _State(Enum):
    WRITE = auto()
    LOOK = auto()


class Orders:
    def __init__(self, first_command: int) -> None:
        assert 0 < first_command <= 0xFFFF, "no command has id 0"
        self._next_id = first_command
        self._waiting: deque[UnitOrder] = deque()
        self._ended: list[OrderEnd] = []  # the totals they moved are still to be read
        self._flying: Command | None = None  # a try at the first of the waiting
        self._state = _State.WRITE
        self._tries = 0
        self.device: DeviceKey | None = None

    def add(self, order: UnitOrder) -> OrderEnd | None:
        """The same order twice is one order."""
        if order in self._waiting or any(end.order == order for end in self._ended):
            return None
        if len(self._waiting) >= MOST_WAITING:
            return OrderEnd(order, done=False, result="too_many")
        self._waiting.append(order)
        return None

    def put_first(self, order: UnitOrder) -> None:
        """Our own orders go before the owner's; what was in flight is tried anew."""
        self.restart()
        self._waiting = deque(
            [order, *(other for other in self._waiting if other.opcode != order.opcode or other.name)]
        )

    def restart(self) -> None:
        """A new session, a new boot: the next try has a new id."""
        self._flying, self._tries = None, 0

    def end_session(self) -> None:
        """Our own orders end with it; the owner's are given again in the next."""
        self.restart()
        again = [end.order for end in self._ended]
        self._ended.clear()
        self._waiting = deque(order for order in [*again, *self._waiting] if order.name)

    def bind(self, device: DeviceKey) -> list[OrderEnd]:
        """Orders for another memory are not given to this one."""
        ended = self.drop() if self.device not in {None, device} else []
        self.device = device
        self.restart()
        return ended

    def drop(self) -> list[OrderEnd]:
        """They were made of totals that nobody has any more."""
        ended = [OrderEnd(order, done=False, result="replaced") for order in self._waiting if order.name]
        self._waiting.clear()
        self.restart()
        return ended

    @property
    def cashing(self) -> int:
        """The seat that a payment under way may reach at any moment; 0: none."""
        flying = self._flying
        return flying.seat if flying is not None and flying.opcode == Opcode.CASHED_TO else 0

    def hold(self, end: OrderEnd) -> None:
        self._ended.append(end)

    def release(self, still_read: Callable[[int], bool]) -> list[OrderEnd]:
        """The ends that may be reported."""
        ready = [end for end in self._ended if not still_read(end.order.seat)]
        if ready:
            self._ended = [end for end in self._ended if still_read(end.order.seat)]
        return ready

    def waits(self, opcode: Opcode, seat: int) -> bool:
        return any(order.opcode == opcode and order.seat == seat for order in self._waiting)

    @property
    def next(self) -> UnitOrder | None:
        return self._waiting[0] if self._waiting else None

    @property
    def flying(self) -> bool:
        return self._flying is not None

    @property
    def looking(self) -> bool:
        return self._flying is not None and self._state is _State.LOOK

    def to_write(self, token: int, shown_id: int) -> Command:
        """The command to write now: a new try, or the same id again after a look did not find it."""
        assert self._waiting and not self.looking, "nothing waits, or its result does"
        if self._flying is None:
            order = self._waiting[0]
            self._flying = Command(
                command_id=self._new_id(shown_id),
                opcode=order.opcode,
                seat=order.seat,
                expected=order.expected,
                target=order.target,
                token=token,
            )
            self._state = _State.WRITE
        return self._flying

    def written(self) -> None:
        """Answered or lost, it may have been executed: look."""
        self._state = _State.LOOK
        self._tries += 1

    def denied(self, code: int) -> OrderEnd | None:
        """An exception: not executed."""
        self._state = _State.WRITE
        self._tries += 1
        return self.finish(done=False, result=f"denied_{code}") if self._tries >= MOST_TRIES else None

    def seen(self, poll: FastPoll) -> OrderEnd | None:
        """An image that was asked for after the command was."""
        if self._flying is None or self._state is not _State.LOOK:
            return None
        if poll.command_id != self._flying.command_id or poll.result == Result.NONE:
            self._state = _State.WRITE
            return self.finish(done=False, result="ignored") if self._tries >= MOST_TRIES else None
        if poll.result == Result.STALE_TOKEN and self._flying.opcode != Opcode.OPEN_SESSION:
            self._flying = None
            return self.finish(done=False, result="stale_token") if self._tries >= MOST_TRIES else None
        return self.finish(done=poll.result in {Result.DONE, Result.ALREADY}, result=_name(poll.result))

    def fill(self, expected: int, target: int) -> None:
        """The first order's values are known only now."""
        self._waiting[0] = replace(self._waiting[0], expected=expected, target=target)

    def finish(self, *, done: bool, result: str) -> OrderEnd:
        """The first order ends."""
        self.restart()
        return OrderEnd(self._waiting.popleft(), done, result)

    def _new_id(self, shown_id: int) -> int:
        while self._next_id in {0, shown_id}:
            self._next_id = (self._next_id + 1) % 2**16
        mine, self._next_id = self._next_id, (self._next_id + 1) % 2**16
        return mine


def _name(result: int) -> str:
    return Result(result).name.lower() if result in set(Result) else f"result_{result}"


def open_session(nonce: int) -> UnitOrder:
    return UnitOrder(name="", opcode=Opcode.OPEN_SESSION, target=nonce)


def commit(generation: int, check: int) -> UnitOrder:
    return UnitOrder(name="", opcode=Opcode.CONFIG_COMMIT, expected=generation, target=check)


def enabling(seat: int, *, on: bool, name: str = "") -> UnitOrder:
    return UnitOrder(name=name, opcode=Opcode.SEAT_ENABLE, seat=seat, target=int(on))
