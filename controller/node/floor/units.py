"""What the devices of the floor last said of themselves and were last sent, one `Unit` for each place of the settings.

Theory. Only readings, no decisions: a unit is up or down and since when, and its seats are those of the newest image
that was reported whole, because only such an image may be booked and acknowledged (devices.md 2.1.2). What a unit said
in an earlier life of its session is forgotten when it comes up: it reports all again. Nothing here knows the core.

And what each was last sent and what became of it (its outbox), so that it is sent news only. Commands are desired
state, so to repeat one is never wrong, only noise; and a command that may be under way is not sent in another form,
because two targets made of one reading would contradict each other (devices.md 2.1.4). A command that was refused is
tried again after a pause, one of which nothing is heard after a longer one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property

from controller.core.values import Bounds, Box
from controller.node.floor.images import Images
from controller.node.floor.words import what_to_do
from controller.node.vocabulary import commands as to
from controller.node.vocabulary.places import UnitKey, UnitPlace
from controller.node.vocabulary.protocol import Health, SeatNow, UnitNow, Waits
from controller.rules.bets import Limits
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap
from drivers.model import BetSeen, ConsoleSeen, DeviceKey, Down, LampProof, SeatSeen, Settled, Totals, UnitDown, UnitUp
from drivers.native.contract import SeatFault, UnitClass
from drivers.native.settings import UnitSettings
from drivers.session import SECOND, Micros

WORD = 2**32
LAMP_FAULTS = frozenset(
    fault.name.lower() for fault in (SeatFault.LAMP_OPEN, SeatFault.LAMP_SHORT, SeatFault.LAMP_LIT_WHILE_OFF)
)  # as SeatSeen names them
DISABLED = SeatFault.DISABLED.name.lower()
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


def _matter_of(command: to.SettledCommand) -> _Matter:
    match command:
        case to.LoadCredits() | to.CashCredits():
            return _Matter.CREDITS
        case to.VoidBet():
            return _Matter.BET
        case to.Relight():
            return _Matter.LAMP
        case to.EnableSeat() | to.DisableSeat():
            return _Matter.SEATING


@dataclass(slots=True)
class _Sent:
    command: to.SettledCommand
    again_at: Micros
    under_way: bool = True


@dataclass(slots=True)
class Outbox:
    """Of one device."""

    unit: UnitKey
    images: Images
    round: int | None = None  # it was sent to be open in; `None`: it was locked, as every driver begins
    opened_in: int | None = None  # the last round that it was sent, also when it was locked since
    shut_from: Micros = 0  # what it reads before then may be older than the lock
    acked: tuple[DeviceKey, int] | None = None
    reconciled: DeviceKey | None = None
    shown: int | None = None
    hand_over: bool = False  # of what stands sealed in a unit that is not up
    taken_anew: bool = False  # it went back, its seats were counted, and it was told
    enabled: dict[int, bool] = field(default_factory=dict)
    _sent: dict[tuple[int, _Matter], _Sent] = field(default_factory=dict)
    _was_open: bool = False  # read back so, since it was unlocked

    def starts_anew(self, *, goes_on: bool) -> None:
        """What was sent before may be lost. A driver opens no new session but locked."""
        self.round = self.round if goes_on else None
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

    def send(self, command: to.SettledCommand, now: Micros) -> tuple[to.Wish, ...]:
        """The command as a wish; none, if it may not be sent now."""
        matter = _matter_of(command)
        before = self._sent.get((command.seat, matter))
        if before is not None and now < before.again_at:
            credits_move = before.under_way and matter is _Matter.CREDITS
            if credits_move or before.command == command:
                return ()
        self._sent[command.seat, matter] = _Sent(command, now + LOST_AFTER)
        self.images.order(command)
        return (to.Wish(self.unit, command),)

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


@dataclass
class Unit:
    place: UnitPlace
    up: bool = False
    reason: Down | None = None  # why it is down; `None` while nothing was heard of it
    detail: str = ""
    twin: "Unit | None" = None  # whose serial and epoch it says, while that is why it is down
    down_since: Micros | None = None
    device: DeviceKey | None = None
    product: str = ""
    firmware: int = 0
    firmware_check: int = 0
    seats: dict[int, SeatSeen] = field(default_factory=dict)  # of the newest whole image
    console: ConsoleSeen | None = None
    is_listened_to: bool = False  # its console, without a gap since it came up
    seq: int = 0  # of the newest whole image
    faults: tuple[str, ...] = ()  # its own, none of a seat
    images: Images = field(default_factory=Images)
    unlit: dict[int, Micros] = field(default_factory=dict)  # lamps that are not lit, since when
    nobodys: set[int] = field(default_factory=set)  # seats that showed a bet which nobody made
    agreed: set[int] = field(default_factory=set)  # seats whose totals the books had in full, since this process began
    not_relit: set[int] = field(default_factory=set)  # lamps of restored bets that the unit refused to relight
    _half: list[SeatSeen] = field(default_factory=list)
    outbox: Outbox = field(init=False)

    def __post_init__(self) -> None:
        self.outbox = Outbox(self.place.key, self.images)

    @property
    def key(self) -> UnitKey:
        return self.place.key

    @property
    def name(self) -> str:
        """As alarms and the list of devices call it."""
        return f"{self.key.line}/{self.key.number}"

    @property
    def box(self) -> Box | None:
        """R-27: what answers here, once it is up."""
        if not self.up or self.device is None:
            return None
        return Box(self.device.serial, self.firmware, self.firmware_check)

    @cached_property
    def kind(self) -> str:
        """For a screen."""
        match self.place.made:
            case UnitSettings(unit_class=unit_class):
                return unit_class.name.lower()
            case AcceptorSettings():
                return "cctalk"
            case _:
                return "io"

    def _is_of(self, *classes: UnitClass) -> bool:
        made = self.place.made
        return isinstance(made, UnitSettings) and made.unit_class in classes

    @cached_property
    def is_native(self) -> bool:
        return isinstance(self.place.made, UnitSettings)

    @cached_property
    def is_slot(self) -> bool:
        """R-2: manual; its chips are in the box, so what it gives back is given back by the croupier."""
        return isinstance(self.place.made, AcceptorSettings) or self._is_of(UnitClass.CHIP_SLOT)

    @cached_property
    def keeps_credits(self) -> bool:
        """R-2: electronic, with a credit counter of its own. A module has buttons and no counter."""
        return self._is_of(UnitClass.ELECTRONIC, UnitClass.TABLE)

    @cached_property
    def is_counter(self) -> bool:
        return self._is_of(UnitClass.COUNTER)

    @cached_property
    def is_console(self) -> bool:
        made = self.place.made
        return self._is_of(UnitClass.CONSOLE) or (isinstance(made, IoMap) and made.has_console)

    @cached_property
    def late_worth(self) -> int:
        """Credits of one late step: a native slot counts pieces, the others count credits."""
        return self.place.chip_worth if self._is_of(UnitClass.CHIP_SLOT) else 1

    def bounds_at(self, seat: int) -> Bounds:
        """R-37: the most credits that one press and one chip of this seat can be worth, as the settings have it."""
        match self.place.made:
            case UnitSettings(config=config):
                return Bounds(chip=config.chip_credits) if self.is_slot else Bounds(press=max(config.buttons))
            case AcceptorSettings(channels=channels):
                return Bounds(chip=max(channel.credits for channel in channels))
            case IoMap(seats=seats):
                buttons = [button.credits for one in seats if one.seat == seat for button in one.buttons]
                return Bounds(press=max(buttons, default=0))

    def is_made_for(self, limits: Limits) -> bool:
        """R-26: its credits are those of the plan in force."""
        return self.place.limits is None or self.place.limits == limits

    def late_worth_at(self, value: int) -> int | None:
        """Credits of the plan in force for one late step that this unit counted in its own; `None` if they are no whole
        number."""
        own = self.place.limits.credit_value if self.place.limits is not None else value
        worth, rest = divmod(self.late_worth * own, value)
        return worth if worth and not rest else None

    @property
    def may_go_on(self) -> bool:
        """It is down by what its line alone may have done; within its host timeout its session may go on (2.6)."""
        return self.is_native and not self.up and self.reason in {Down.SILENT, Down.SLOW, Down.LINE_DOWN}

    @property
    def is_whole(self) -> bool:
        """Every seat is known, and as of one number: a module tells each of its seats by itself."""
        if not all(number in self.seats for number in self.place.seats):
            return False
        return self.is_native or len({seen.seq for seen in self.seats.values()}) <= 1

    def has_lamp_fault(self, number: int) -> bool:
        """As of the newest image, live or latched."""
        seen = self.seats.get(number)
        return seen is not None and (seen.lamp is LampProof.FAULT or any(one in LAMP_FAULTS for one in seen.faults))

    def has_other_faults(self, number: int) -> bool:
        seen = self.seats.get(number)
        return seen is not None and any(one not in LAMP_FAULTS and one != DISABLED for one in seen.faults)

    def comes_up(self, event: UnitUp) -> None:
        self.up, self.reason, self.detail, self.down_since = True, None, "", None
        self.device, self.product, self.firmware = event.device, event.product, event.firmware
        self.firmware_check = event.firmware_check
        self.seats, self._half, self.is_listened_to, self.faults = {}, [], False, ()
        self.not_relit = set()  # a lamp that was dark before stays so until it is seen lit

    def goes_down(self, event: UnitDown, now: Micros) -> bool:
        """Whether that is news."""
        is_news = self.up or event.reason is not self.reason
        self.twin = self.twin if event.reason is Down.TWIN else None
        if event.reason is Down.FORGOT:
            self.images.forget()
        if self.up or self.down_since is None:
            self.down_since = now
        self.up, self.reason, self.detail, self._half = False, event.reason, event.detail, []
        return is_news

    def looks_at_lamp(self, seen: SeatSeen, now: Micros) -> None:
        if seen.lamp is LampProof.LIT:
            self.unlit.pop(seen.seat, None)
        else:
            self.unlit.setdefault(seen.seat, now)
        if seen.bet is not BetSeen.RESTORED:
            self.not_relit.discard(seen.seat)

    def record(self, event: SeatSeen) -> tuple[SeatSeen, ...]:
        """The seats of an image, once it is whole."""
        if not self.up:
            return ()
        self._half.append(event)
        if not event.last:
            return ()
        image, self._half = tuple(self._half), []
        if self.is_native:
            self.images.look(image, lambda seat: self.bounds_at(seat).most, self.late_worth)
        for seen in image:
            self.seats[seen.seat] = seen
        self.seq = event.seq
        return image


# As a screen shows them, beside what the record wants of them.


def unit_now(unit: Unit, locked_for: str) -> UnitNow:
    """`locked_for`: why one that is up stays locked, if it does."""
    health = _health(unit)
    down = what_to_do(unit.kind, unit.reason) if unit.reason is not None and not unit.up else ""
    return UnitNow(
        unit.key.line,
        unit.key.number,
        unit.place.table,
        unit.kind,
        unit.place.seats,
        health,
        locked_for or down,
        unit.product,
        unit.device.serial if unit.device is not None else 0,
        unit.firmware,
        unit.faults if unit.up else (),
    )


def _health(unit: Unit) -> Health:
    if unit.up:
        return Health.UP
    return Health.STARTING if unit.reason is None else Health.DOWN


def seats_now(unit: Unit, waits: Waits) -> Iterator[SeatNow]:
    """Of one that is not up nothing is known."""
    health = _health(unit)
    for number in unit.place.seats:
        seen = unit.seats.get(number) if unit.up else None
        if seen is None:
            yield SeatNow(
                unit.place.table, number, health, False, LampProof.UNKNOWN.value, BetSeen.NONE.value, 0
            )  # fmt: skip
            continue
        on_unit = _balance(seen.totals) if unit.keeps_credits else 0
        yield SeatNow(
            unit.place.table, number, health, seen.locked, seen.lamp.value, seen.bet.value, on_unit, seen.faults, waits
        )  # fmt: skip


def _balance(totals: Totals) -> int:
    """A seat whose totals do not add up shows nothing rather than thousands of millions."""
    balance = (totals.loaded - totals.cashed - totals.bets + totals.voided) % WORD
    return balance if balance < WORD // 2 else 0
