"""The driver of one ccTalk acceptor: a chip slot of the model, which takes turns on its bus (devices.md 1.2).

Its life: identified; armed, that is locked and read back, its counter heard twice and compared with what the books
know; running. Four rules. Anything strange (a counter at 0, a gap, slots that do not fit) is first asked again from
the identity on, and believed only when it is still so: then begins a new epoch, nothing is credited, the slot stays
shut until a person has counted (`clear_faults`). The lock is the master inhibit as read back, and one more reading of
the events after the flight of a chip: all up to there counts, all later is late. Lost questions change nothing. A
device that fell (line, silence, reset, another box) is locked until its owner unlocks it anew.
"""

from collections import deque
from enum import Enum, auto

from drivers.cctalk.controls import FLASH, OFF, ON, Inhibits, SeatLamp
from drivers.cctalk.counting import MOST_SERIALS, Counting
from drivers.cctalk.events import READING_SIZE, HeardTwice, Reading
from drivers.cctalk.frames import Checksum, Header
from drivers.cctalk.identify import Identification, Makings, Silences
from drivers.cctalk.pace import Precedence
from drivers.cctalk.settings import DEVICE_WATCHDOG, AcceptorSettings
from drivers.cctalk.slot import ChipBase, SlotPhase
from drivers.cctalk.turn import LineAsk
from drivers.line.failures import Failure
from drivers.line.news import News
from drivers.model import DeviceEvent, DeviceKey, Down
from drivers.session import SECOND, Micros

_AT_ONCE: Micros = 0
SURELY_SHUT: Micros = 2 * SECOND  # after the lock was read back and the flight of a chip is over
MOST_EVENTS = 256  # an owner that does not listen loses the oldest; totals are in the newest
_FEW = 4  # tries of a question that not every device answers
_CREDIT = LineAsk(Header.READ_CREDIT, sizes=range(READING_SIZE, READING_SIZE + 1))
_SELF_CHECK = LineAsk(Header.SELF_CHECK, sizes=range(1, 3))
_ACCEPTED = LineAsk(Header.ACCEPTED_TOTAL, sizes=range(3, 4))
_CORE = {Header.READ_CREDIT, Header.SET_MASTER, Header.READ_MASTER, Header.SET_INHIBITS, Header.READ_INHIBITS}


class _Life(Enum):
    LINE_DOWN = auto()
    IDENTIFYING = auto()
    REFUSED = auto()
    ARMING = auto()
    RUNNING = auto()


class Acceptor:
    """A `LineDevice`. The owner's words have no time: they say what is wanted from now on."""

    def __init__(self, settings: AcceptorSettings) -> None:
        self.settings = settings
        self._life = _Life.LINE_DOWN
        self._news = News(settings.unit, (settings.seat,), most=MOST_EVENTS)
        self._patience = Silences(settings.patience)
        self._inhibits = Inhibits()
        self._lamp = SeatLamp(settings.lamp)
        self._counting = Counting(settings, self._news)
        self._slot = self._counting.slot
        self._driven: Makings | None = None
        self._who = Identification(settings, self._counting.knows, self._driven)
        self._heard = HeardTwice()
        self._precedence = Precedence()
        self._chores: deque[LineAsk] = deque()
        self._round: int | None = None  # that should be open
        self._check_code = 0
        self._testing = False
        self._retry_at = self._poll_at = self._asked_at = self._look_at = self._audit_at = _AT_ONCE
        self._closes_at: Micros | None = None  # from then on a reading has all that fell in before the lock
        self._shut_since: Micros | None = None  # closed, and read back so ever since

    @property
    def address(self) -> int:
        return self.settings.address

    @property
    def checksum(self) -> Checksum:
        return self.settings.checksum

    # what the owner wants

    def resume(self, base: ChipBase) -> None:
        """What the books know of a device; of every one that was ever at this seat, before it is met."""
        self._counting.resume(base)

    @property
    def base(self) -> ChipBase:
        """What the books would need to go on from here."""
        return self._counting.base

    def lock(self) -> None:
        self._round = None
        self._slot.lock()
        self._steer()

    def unlock(self, round_id: int) -> None:
        """Not now means never: it does not open by itself when it comes back."""
        assert 0 < round_id < 1 << 16, "a round has a number"
        if not self._news.is_up:
            self._settled("unlock", "down")
            return
        if self._slot.phase is SlotPhase.OPEN and round_id != self._slot.round_id:
            self._slot.lock()
        self._round = round_id
        self._steer()

    def acknowledge(self, device: DeviceKey, seq: int) -> None:
        self._slot.acknowledge(device, seq)
        self._steer()

    def enable(self, seat: int) -> None:
        self._own(seat)
        self._counting.enabled = True
        self._steer()

    def disable(self, seat: int) -> None:
        self._own(seat)
        self._counting.enabled = False
        self._steer()

    def void(self, seat: int, bet_seq: int, reason: int) -> None:  # noqa: ARG002  (it is the ledger's)
        self._own(seat)
        self._settled("void", self._slot.void(bet_seq))
        self._steer()

    def relight(self, seat: int) -> None:
        self._own(seat)
        self._settled("relight", self._slot.relight())
        self._steer()

    def take_anew(self) -> None:
        """R-37: two persons have counted what was not believed."""
        self._counting.disbelieved = False
        self._steer()

    def clear_faults(self, seat: int) -> None:
        """A person has counted the box and the books say what was found."""
        self._own(seat)
        self._counting.uncounted = self._counting.jammed = False
        self._lamp.forget()
        self._settled("clear_faults", "done")
        self._steer()

    def test_lamps(self) -> None:
        self._testing = True
        self._steer()

    def end_lamp_test(self) -> None:
        self._testing = False
        self._steer()

    def _own(self, seat: int) -> None:
        assert seat == self.settings.seat, "not the seat of this unit"

    # turns

    def line_up(self, now: Micros) -> None:  # noqa: ARG002
        self._begin()

    def line_down(self, now: Micros) -> None:  # noqa: ARG002
        self._life = _Life.LINE_DOWN
        self._fall()
        self._news.down(Down.LINE_DOWN)

    def next_event(self) -> DeviceEvent | None:
        return self._news.next()

    def due(self) -> Micros | None:
        if self._life is _Life.LINE_DOWN:
            return None
        if self._life is _Life.REFUSED:
            return self._retry_at
        if self._life is not _Life.RUNNING or self._has_wishes():
            return _AT_ONCE
        times = [self._poll_at, self._look_at, self._audit_at]
        return min(times if self._closes_at is None else [*times, self._closes_at])

    def poll_by(self) -> Micros | None:
        """One that is shut may stop taking chips: so a wire that is being locked has all its turns for that."""
        needs = self._slot.phase is SlotPhase.OPEN and not self._inhibits.still_shut and not self._patience.probing
        return self._asked_at + DEVICE_WATCHDOG if self._life is _Life.RUNNING and needs else None

    def poll(self, now: Micros) -> LineAsk:
        assert self._life is _Life.RUNNING, "else it would not need it"
        self._precedence.stands_back(wish=self._wish() is not None)
        return self._credit(now)

    def urgent(self) -> bool:
        return self._life is _Life.RUNNING and (self._inhibits.urgent or self._heard.doubting)

    def next_ask(self, now: Micros) -> LineAsk:
        if self._life is _Life.REFUSED:
            self._begin()
        if self._patience.probing:
            return LineAsk(Header.SIMPLE_POLL)
        if self._life is _Life.IDENTIFYING:
            assert self._who.step is not None, "else it would be identified"
            return self._who.step.ask
        if self._life is _Life.ARMING:
            ask = self._inhibits.ask() or (self._chores[0] if self._chores else None)
        else:
            ask = self._running_ask(now)
        return ask or self._credit(now)

    def taken(self, ask: LineAsk, data: bytes, now: Micros) -> None:
        self._patience.answered(ask)
        if self._life is _Life.IDENTIFYING:
            self._identify(ask, data, now)
        elif ask.header is Header.READ_CREDIT:
            reading = self._heard.believe(Reading.decode(data))
            if reading is not None and self._life is _Life.ARMING:
                self._arm(reading, now)
            elif reading is not None:
                self._run(reading, now)
        elif ask.header is not Header.SIMPLE_POLL:
            self._note(ask, data)
        self._watch_the_lock(now)
        self._steer()

    def failed(self, ask: LineAsk, failure: Failure, now: Micros) -> None:
        self._patience.failed(ask)
        missed = self._patience.missed(ask.header)
        if self._patience.at_end:
            self._fall()
            self._news.down(Down.SILENT)
            self._begin()
        elif self._life is _Life.IDENTIFYING:
            self._go_without(ask, failure, now)
        elif ask.header in _CORE:
            if ask.header is Header.READ_CREDIT:
                self._poll_at = now
            if missed >= self.settings.secrecy:
                self._refuse(Down.DEMANDS_SECRETS, f"header {ask.header} stays silent, others are answered", now)
        elif missed >= _FEW:
            self._do_without(ask)
        self._steer()

    # what to ask

    def _has_wishes(self) -> bool:
        return bool(
            self._heard.doubting
            or self._patience.probing
            or not self._inhibits.settled
            or self._lamp.ask() is not None
            or self._chores
        )

    def _running_ask(self, now: Micros) -> LineAsk | None:
        """`None`: the events."""
        if now >= self._audit_at:
            self._audit_at = now + self.settings.audit
            self._chores.extend((_SELF_CHECK, _ACCEPTED))
            self._lamp.forget()
        if now >= self._look_at:
            self._look_at = now + self.settings.reapply
            self._inhibits.doubt()
        closes = self._closes_at is not None and now >= self._closes_at
        wish, poll = self._wish(), self._heard.doubting or now >= self._poll_at or closes
        goes = self._precedence.wish_goes(wish=wish is not None, urgent=self._inhibits.urgent, poll=poll)
        return wish if goes else None

    def _wish(self) -> LineAsk | None:
        """The lock, the lamp, to open, and last of all whether everything is still as we left it."""
        lock = self._inhibits.ask() if self._inhibits.urgent else None
        return lock or self._lamp.ask() or self._inhibits.ask() or (self._chores[0] if self._chores else None)

    def _credit(self, now: Micros) -> LineAsk:
        self._asked_at = now
        self._poll_at = now + self.settings.poll
        return _CREDIT

    # identified, armed, running

    def _begin(self) -> None:
        """From the start; what was counted stays counted."""
        self._life = _Life.IDENTIFYING
        self._who = Identification(self.settings, self._counting.knows, self._driven)
        self._patience.start_anew()
        self._heard.start_anew()
        self._inhibits.begin()
        self._lamp.forget()
        self._closes_at = None
        self._chores.clear()
        if self.settings.accepted_total_persistent:
            self._chores.append(_ACCEPTED)

    def _fall(self) -> None:
        """What its owner wanted open is not wanted any more; said before it is reported down."""
        self._round = None
        self._slot.fall()

    def _identify(self, ask: LineAsk, data: bytes, now: Micros) -> None:
        step = self._who.step
        if step is not None and step.ask == ask:
            self._who.taken(ask, data)
        self._identified(now)

    def _identified(self, now: Micros) -> None:
        if self._who.step is not None:
            return
        refusal = self._who.refusal()
        if refusal is not None:
            self._refuse(refusal.reason, refusal.detail, now)
        else:
            self._life = _Life.ARMING

    def _go_without(self, ask: LineAsk, failure: Failure, now: Micros) -> None:
        step = self._who.step
        if step is None or step.ask != ask:
            return
        refused = self._who.gives_up(failure, self._patience.missed(ask.header))
        if refused is not None:
            self._refuse(refused, f"header {ask.header} stays silent, others are answered", now)
        elif self._who.step is not step:
            self._patience.forgive(ask.header)
            self._identified(now)

    def _do_without(self, ask: LineAsk) -> None:
        self._patience.forgive(ask.header)
        if ask.header is Header.TEST_LAMPS:
            self._lamp.fault = True
        else:
            self._chores.remove(ask)

    def _refuse(self, reason: Down, detail: str, now: Micros) -> None:
        self._fall()
        self._news.down(reason, detail)
        self._life = _Life.REFUSED
        self._retry_at = now + self.settings.retry

    def _arm(self, reading: Reading, now: Micros) -> None:
        serial = self._who.serial
        if not self._counting.can_meet(serial):
            self._refuse(Down.REPLACED, f"more than {MOST_SERIALS} serial numbers at this address", now)
            return
        rebooted = self._counting.meet(serial, reading, now, blank=self._inhibits.found_blank)
        if not self._news.is_up:
            self._fall()  # another box, or one that was reset; who only looked strange goes on as it was
        self._life, self._driven = _Life.RUNNING, self._who.makings
        self._look_at, self._audit_at = now + self.settings.reapply, now + self.settings.audit
        self._news.up(self._slot.device, self._who.product, self._who.firmware, rebooted=rebooted)

    def _run(self, reading: Reading, now: Micros) -> None:
        shut_for = self._asked_at - self._shut_since if self._shut_since is not None else 0
        if not self._counting.follow(reading, now, is_shut=shut_for >= SURELY_SHUT):
            self._begin()
        elif self._closes_at is not None and self._asked_at >= self._closes_at:
            self._slot.closed()
            self._show()  # before another round may open it

    def _note(self, ask: LineAsk, data: bytes) -> None:
        """An answer to anything but the events."""
        if ask in self._chores:
            self._chores.remove(ask)
        if ask.header is Header.ACCEPTED_TOTAL:
            self._counting.audit.read(data)
        elif ask.header is Header.SELF_CHECK:
            if data[0] not in {0, self._check_code}:
                self._news.alarm(self.settings.seat, "self_check", f"code {data[0]}")
            self._check_code = data[0]
        elif ask.header is Header.TEST_LAMPS:
            self._lamp.taken(ask)
        elif self._inhibits.taken(ask, data):
            self._counting.reset_seen = True
            if self._life is _Life.RUNNING:
                self._begin()

    # what follows from it

    def _watch_the_lock(self, now: Micros) -> None:
        running, phase = self._life is _Life.RUNNING, self._slot.phase
        locking = running and phase is SlotPhase.LOCKING and self._inhibits.shut
        self._closes_at = (self._closes_at or now + self.settings.gate) if locking else None
        is_shut = running and phase is SlotPhase.LOCKED and self._inhibits.still_shut
        self._shut_since = (self._shut_since or now) if is_shut else None

    def _steer(self) -> None:
        """Wishes follow from what is wanted and what is known, after anything that changed either."""
        slot, running, usable = self._slot, self._life is _Life.RUNNING, self._counting.usable
        if running and usable and self._round is not None and slot.may_open(self._round):
            slot.open(self._round)
        mask = self.settings.mask(slot.room if slot.phase is SlotPhase.OPEN else self.settings.most)
        takes = running and usable and slot.phase is SlotPhase.OPEN and any(mask)
        self._inhibits.want(shut=not takes, mask=mask if any(mask) else self.settings.mask(self.settings.most))
        if self._counting.look_again:
            self._counting.look_again = False
            self._inhibits.doubt()
        shine = self._testing or slot.lit
        self._lamp.want(ON if shine else FLASH if slot.pending else OFF)
        if running:
            self._show()

    def _show(self) -> None:
        """Only while it is up: of a device that is down nothing is known."""
        if self._news.is_up:
            seen = self._counting.seen(self._lamp, shut=self._inhibits.shut, check_code=self._check_code)
            if self._news.is_new(seen):
                self._news.say(seen)

    def _settled(self, command: str, result: str) -> None:
        self._news.settled(self.settings.seat, command, done=result in {"done", "already"}, result=result)
