"""From an address on a line to a session that is ours: who is it, how is it configured, is anybody else its host.

Nothing is trusted and nothing is written before the unit has said who it is. A session that somebody feeds is left
alone: a host that died is soon seen as silent, and one that lives must not be robbed in mid-hand (2.6).

A session that broke off goes on where the unit shows that nothing happened to it: the same boot, our token, fed within
its time, not locked by itself. OPEN_SESSION would lock it and seal its round, and with one bet in it all its other
seats would be out until the next pass.

A unit whose configuration is another one than the installation's is brought to it: staged, committed, read back (2.3
C). It takes one only while it is locked and no bet waits or counts in it. Until it has the right one it is not up, and
nothing opens it; but it is still read and acknowledged, so that the bets in its way can be booked, voided and cleared.
Sealed bets stay until the next unlock, which a unit that is not up never gets: they are no hindrance once the owner has
said that their hand is over, so an upgrade between two passes needs no care for them.
"""

from collections import deque
from enum import Enum, auto

from drivers.line.news import News
from drivers.modbus.pdu import Answer, Denied, Words
from drivers.model import DeviceKey, Down
from drivers.native import contract as at
from drivers.native.asks import About, AnswerStep, Asks, Fall, Taken, UnitQuestion
from drivers.native.blocks import FastPoll, Flaw, Identity, WordList
from drivers.native.commands import Orders, UnitOrder, commit, open_session
from drivers.native.contract import Bet, Capability, LockState, MemoryHealth, UnitFault, UnitFlag
from drivers.native.desired import Desires
from drivers.native.freshness import HEARTBEAT_AGE, OLDEST_HEARTBEAT, Freshness, ImageVerdict
from drivers.native.settings import UnitSettings
from drivers.native.writes import Config
from drivers.session import MILLISECOND, Micros

_LOOK_AGAIN: Micros = 100 * MILLISECOND


_MOVING = {LockState.OPEN, LockState.LOCKING}
_GONE = {Bet.NONE, Bet.VOIDED}
_PLAYED = _GONE | {Bet.SEALED, Bet.RESTORED_DARK}
_LOST = {LockState.HOST_LOST, LockState.OUT_OF_SERVICE}
_OPENINGS_REMEMBERED = 8


class Configuring:
    def __init__(self, settings: UnitSettings, news: News) -> None:
        self._settings = settings
        self._news = news
        self._right = False
        self._committed = False
        self._hand_over = False
        self._at: Micros | None = None

    def hand_over(self) -> None:
        """Nothing is opened before the configuration is right, so no other hand can follow meanwhile."""
        self._hand_over, self._at = True, None

    def begin(self, now: Micros, *, right: bool) -> None:
        """A session begins; what the unit runs on was just read."""
        self._right, self._hand_over = right, self._hand_over and not right
        if self._committed and not right:
            self.refuse("it runs on something else than it was given", now)
        self._committed = False

    def wanted(self, poll: FastPoll, now: Micros) -> bool:
        if self._right or (self._at is not None and now < self._at):
            return False
        no_hindrance = _PLAYED if self._hand_over else _GONE
        if poll.lock in _MOVING or any(seat.bet not in no_hindrance for seat in poll.seats):
            self.refuse("bets stand in it", now)
            return False
        return True

    def to_stage(self) -> WordList:
        return self._settings.config.encode()

    def to_commit(self) -> UnitOrder:
        return commit(self._settings.config.generation, self._settings.config.check)

    def committed(self) -> None:
        self._committed, self._at = True, None

    def refuse(self, why: str, now: Micros) -> None:
        self._at = now + self._settings.retry
        self._news.down(Down.CONFIG_REFUSED, why)


class _Stage(Enum):
    IDENTIFY = auto()
    CONFIG = auto()
    WATCH = auto()
    OPEN = auto()


class SessionOpening:
    def __init__(
        self, settings: UnitSettings, nonce: int, asks: Asks, images: Freshness, orders: Orders, desires: Desires,
        news: News,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._nonce = nonce
        self._asks = asks
        self._images = images
        self._orders = orders
        self._desires = desires
        self._news = news
        self._stage = _Stage.IDENTIFY
        self._not_before: Micros | None = None
        self._open_after: Micros | None = None  # a second host was seen
        self._strange = 0  # answers in a row that are no identity
        self._forgetful: DeviceKey | None = None  # it was behind once; that its numbers grow again proves nothing
        self._watched_from: Micros = 0
        self._old_from: Micros | None = None  # since when its heartbeat is older than it can say
        self._shown_id = 0
        self.token = at.NO_TOKEN
        self._live: Config | None = None
        self._identity: Identity | None = None
        self._proof: FastPoll | None = None
        self._kept: FastPoll | None = None  # what a session that broke off showed last: it may go on
        self._opened_as: deque[int] = deque(maxlen=_OPENINGS_REMEMBERED)  # ids under which sessions were asked for
        self.goes_on = False  # the session is the one that broke off
        self.changed = False  # other than when it was last up

    # What came out of it.

    @property
    def identity(self) -> Identity:
        assert self._identity is not None, "it said who it is"
        return self._identity

    @property
    def device(self) -> DeviceKey:
        return DeviceKey(self.identity.serial, self.identity.totals_epoch)

    @property
    def configured(self) -> bool:
        return self._live == self._settings.config

    @property
    def opened_by(self) -> FastPoll:
        """The image that proved it."""
        assert self._proof is not None, "it was opened"
        return self._proof

    # Its turns.

    def restart(self, not_before: Micros | None, open_after: Micros | None = None) -> None:
        """From the beginning; what the unit was before is remembered, to be compared."""
        watching = open_after is not None
        self._stage = _Stage.WATCH if watching else _Stage.IDENTIFY
        self._not_before, self._open_after = not_before, open_after
        self._strange = 0
        self._old_from = None
        self.goes_on = False
        self._orders.end_session()

    def keep(self, last: FastPoll) -> None:
        """The session broke off, for all we know by the line's fault alone."""
        self._kept = last

    def let_go(self) -> None:
        """Whatever stands there now, it is not the session that was ours."""
        self._kept = None

    def due(self) -> Micros | None:
        return self._not_before

    def next_question(self, now: Micros) -> UnitQuestion | None:
        if self._not_before is not None and now < self._not_before:
            return None
        match self._stage:
            case _Stage.IDENTIFY:
                return self._asks.identity
            case _Stage.CONFIG:
                return self._asks.config
            case _Stage.OPEN if not self._orders.looking:
                command = self._orders.to_write(at.NO_TOKEN, self._shown_id)
                if command.command_id not in self._opened_as:
                    self._opened_as.append(command.command_id)
                return self._asks.write(About.COMMAND, command.encode())
            case _:
                return self._asks.image

    def taken(self, question: UnitQuestion, answer: Answer, now: Micros) -> Taken:
        match question.about:
            case About.IDENTITY:
                return self._identified(answer, now)
            case About.CONFIG:
                return self._config_read(answer, now)
            case About.COMMAND:
                return self._asked_to_open(answer, now)
            case _:
                return self._image(answer, now)

    def failed(self, question: UnitQuestion) -> Fall | None:
        if question.about is About.COMMAND:
            self._orders.written()
        return None

    def _identified(self, answer: Answer, now: Micros) -> Taken:
        identity = Identity.decode(answer.words, self._settings.number) if isinstance(answer, Words) else answer
        if not isinstance(identity, Identity):
            self._strange += 1
            if self._strange >= self._settings.patience:
                return Fall(Down.NOT_NATIVE, f"no identity: {identity}")
            return AnswerStep.FOREIGN if isinstance(identity, Flaw) else AnswerStep.GOOD
        self._strange = 0
        refused = self._refusal(identity)
        if refused is not None:
            return refused
        self._compare(identity)
        self._identity = identity
        if self.device == self._forgetful:
            return Fall(Down.FORGOT, "it counts on, but it once knew less than was seen or booked")
        self._images.identified(self.device, identity.boot_id)
        for end in self._orders.bind(self.device):
            seat = self._settings.at_table(end.order.seat)
            self._news.settled(seat, end.order.name, done=end.done, result=end.result)
        self._stage, self._not_before = _Stage.CONFIG, None
        self._watched_from = now
        return AnswerStep.GOOD

    def _refusal(self, identity: Identity) -> Fall | None:
        if identity.version >> 8 != at.VERSION >> 8:
            return Fall(Down.WRONG_VERSION, f"contract {identity.version:04X}, not {at.VERSION:04X}")
        if identity.unit_class != self._settings.unit_class:
            return Fall(Down.WRONG_CLASS, f"class {identity.unit_class}, not {int(self._settings.unit_class)}")
        if identity.seats != self._settings.seats:
            return Fall(Down.WRONG_SEATS, f"{identity.seats} seats, not {self._settings.seats}")
        if self._settings.has_seats and not identity.capabilities & Capability.NVM:
            return Fall(Down.NO_MEMORY, "its totals do not survive a power cut")
        needed = self._settings.needed
        if identity.capabilities & needed != needed:
            return Fall(Down.WRONG_CLASS, f"capabilities {identity.capabilities:04X}, not all of {needed:04X}")
        return None

    def _compare(self, identity: Identity) -> None:
        """With what it was: another box, a box that forgot, or the same after a reboot."""
        before = self._identity
        if before is None:
            self._desires.first_seen(DeviceKey(identity.serial, identity.totals_epoch))
            return
        if identity.serial != before.serial:
            self._became(Down.REPLACED, f"serial {identity.serial}, was {before.serial}")
            self._desires.doubt(DeviceKey(identity.serial, identity.totals_epoch))
        elif identity.totals_epoch != before.totals_epoch:
            memory = "lost" if identity.memory == MemoryHealth.LOST else "new"
            detail = f"memory {memory}, epoch {identity.totals_epoch}, was {before.totals_epoch}"
            self._became(Down.MEMORY_LOST, detail)
            self._desires.doubt(DeviceKey(identity.serial, identity.totals_epoch))
        elif identity.boot_id != before.boot_id:
            self._became(Down.REBOOTED, f"boot {identity.boots}, reset cause {identity.reset_cause}")
        else:
            return
        self.token = at.NO_TOKEN

    def _became(self, reason: Down, detail: str) -> None:
        self.changed = True
        self._news.down(reason, detail)

    def _config_read(self, answer: Answer, now: Micros) -> Taken:
        if not isinstance(answer, Words):
            return AnswerStep.POOR
        live = Config.decode(answer.words)
        if isinstance(live, Config):
            self._live = live
        elif any(answer.words):
            return AnswerStep.FOREIGN
        else:
            self._live = None  # a unit that was never configured
        self._stage, self._watched_from = _Stage.WATCH, now
        return AnswerStep.GOOD

    def _image(self, answer: Answer, now: Micros) -> Taken:
        if not isinstance(answer, Words):
            return AnswerStep.POOR
        poll = self.believed(answer.words)
        if not isinstance(poll, FastPoll):
            return poll
        refused = self._refused_seat(poll)
        if refused is not None:
            return refused
        return self._opened(poll, now) if self._stage is _Stage.OPEN else self._watch(poll, now)

    def _refused_seat(self, poll: FastPoll) -> Fall | None:
        """Its class leaves open what takes the bets of a seat; that shows in its images."""
        wanted = self._settings.mode
        for number, seat in enumerate(poll.seats, 1):
            if wanted is not None and seat.mode != wanted:
                what = f"seat {self._settings.at_table(number)} is of {seat.mode.name}, not of {wanted.name}"
                return Fall(Down.WRONG_CLASS, what)
        return None

    def believed(self, words: WordList) -> FastPoll | Taken:
        """The image in these words, or what it means that it is not to be believed."""
        poll = FastPoll.decode(words, self._settings.number, self._settings.seats)
        if isinstance(poll, Flaw):
            return AnswerStep.FOREIGN
        match self._images.judge(words, poll, self._desires.booked(self.device)):
            case ImageVerdict.FRESH:
                return poll
            case ImageVerdict.REBOOTED:
                return Fall(Down.REBOOTED, f"boot id {poll.boot_id:04X}")
            case ImageVerdict.BEHIND if self._images.forgot:
                return self.forgot(f"event {poll.seq} is older than what was seen or booked")
            case _:
                return AnswerStep.FOREIGN

    def forgot(self, detail: str) -> Fall:
        """The totals of this memory may not be compared with what they were. A new epoch mends that, or persons who
        counted what it forgot."""
        self._forgetful = self.device
        return Fall(Down.FORGOT, detail)

    def taken_anew(self) -> DeviceKey | None:
        """The memory that was held back and is not any more."""
        device, self._forgetful = self._forgetful, None
        return device

    def _watch(self, poll: FastPoll, now: Micros) -> Taken:
        if self._is_still_ours(poll):
            self._proof, self._kept, self.goes_on, self._not_before = poll, None, True, None
            return AnswerStep.OPENED
        fed = self._is_fed(poll)
        if fed and now - self._watched_from > self._timeout() + _LOOK_AGAIN:
            self._news.down(Down.SECOND_HOST, f"token {poll.token:04X} is fed by another host")
        waits = self._open_after is not None and now < self._open_after
        if fed or waits or self._may_be_fed(poll, now):
            self._not_before = now + _LOOK_AGAIN
            return AnswerStep.GOOD
        if self._open_after is not None:  # the other host may have changed anything
            self.restart(now)
            return AnswerStep.GOOD
        self._kept, self._shown_id = None, poll.command_id
        self._orders.put_first(open_session(self._nonce))
        self._stage, self._not_before = _Stage.OPEN, None
        return AnswerStep.GOOD

    def _is_still_ours(self, poll: FastPoll) -> bool:
        kept = self._kept
        if kept is None or self._open_after is not None or not self.configured or poll.token != self.token:
            return False
        is_owned = poll.flags & UnitFlag.SESSION_OWNED and not poll.flags & UnitFlag.SECOND_HOST
        was_lost = poll.lock in _LOST or poll.faults & ~kept.faults & UnitFault.HOST_LOST
        return bool(is_owned and not was_lost and self.token != at.NO_TOKEN and self._is_young(poll))

    def is_own(self, poll: FastPoll) -> bool:
        """A token that we do not know came of an opening of ours: its answer was lost, or a copy of it came late.
        Another host that opens while we feed leaves SECOND_HOST."""
        return poll.command_id in self._opened_as and not poll.flags & UnitFlag.SECOND_HOST

    def _is_fed(self, poll: FastPoll) -> bool:
        return self._is_anothers(poll) and self._is_young(poll)

    def _is_anothers(self, poll: FastPoll) -> bool:
        return bool(poll.flags & UnitFlag.SESSION_OWNED) and poll.token != self.token and not self.is_own(poll)

    def _may_be_fed(self, poll: FastPoll, now: Micros) -> bool:
        """A unit says the age of a heartbeat up to 2550 ms. Where T1 is longer, a host that died may count as alive for
        the rest of it, and who opens then is a second one."""
        if not self._is_anothers(poll) or poll.heartbeat_age < OLDEST_HEARTBEAT:
            self._old_from = None
            return False
        if self._old_from is None:
            self._old_from = now
        return now - self._old_from < self._timeout() - OLDEST_HEARTBEAT * HEARTBEAT_AGE

    def _is_young(self, poll: FastPoll) -> bool:
        return poll.heartbeat_age < OLDEST_HEARTBEAT and poll.heartbeat_age * HEARTBEAT_AGE < self._timeout()

    def _timeout(self) -> Micros:
        config = self._live or self._settings.config
        return config.host_timeout * MILLISECOND

    def _asked_to_open(self, answer: Answer, now: Micros) -> Taken:
        if not isinstance(answer, Denied):
            self._orders.written()
            return AnswerStep.GOOD
        if self._orders.denied(answer.code) is not None:
            self._watch_anew("it denies every session", now)
        return AnswerStep.POOR

    def _opened(self, poll: FastPoll, now: Micros) -> Taken:
        end = self._orders.seen(poll)
        if end is None:
            return AnswerStep.GOOD
        if not (end.done and poll.flags & UnitFlag.SESSION_OWNED and poll.token != at.NO_TOKEN):
            self._watch_anew(f"no session: {end.result}", now)
            return AnswerStep.GOOD
        self.token, self._proof = poll.token, poll
        return AnswerStep.OPENED

    def _watch_anew(self, why: str, now: Micros) -> None:
        self._news.down(Down.SILENT, why)
        self._stage, self._not_before = _Stage.WATCH, now + self._settings.retry
