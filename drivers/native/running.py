"""The turns of a unit whose session is ours: what to ask next, and what an answer means.

In the order of urgency: the desired state when it changed or a heartbeat is due, a command, an image, a detail, the
ring. Between two questions that are not images there is always an image, because only an image tells of a press; so
nothing delays one by more than a turn. Whatever cannot be explained by our own doing ends the session: it is opened
anew, and the seats stay locked until their owner says otherwise.
"""

from drivers.line.news import News
from drivers.modbus.pdu import Answer, Denied, Words
from drivers.model import Down
from drivers.native.asks import About, AnswerStep, Asks, Fall, Taken, UnitQuestion
from drivers.native.blocks import FastPoll, Flaw, Ring, SeatDetail, WordList
from drivers.native.commands import OrderEnd, Orders
from drivers.native.console_counter import ConsoleReports, CounterReports
from drivers.native.contract import Capability, LockState, Opcode, UnitClass, UnitFault, UnitFlag
from drivers.native.desired import Desires, Seating, in_hand, standing
from drivers.native.explained import Explainer
from drivers.native.freshness import HEARTBEAT_AGE, Freshness, executed_since
from drivers.native.opening import Configuring, SessionOpening
from drivers.native.reports import SeatReports
from drivers.native.settings import UnitSettings
from drivers.session import Micros

_LOST = {LockState.HOST_LOST, LockState.OUT_OF_SERVICE}


class Running:
    def __init__(
        self, settings: UnitSettings, asks: Asks, opening: SessionOpening, images: Freshness, orders: Orders,
        desires: Desires, explainer: Explainer, configuring: Configuring, seating: Seating, news: News,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._asks = asks
        self._opening = opening
        self._images = images
        self._orders = orders
        self._desires = desires
        self._explainer = explainer
        self._configuring = configuring
        self._seating = seating
        self._news = news
        self._device = opening.device
        self._token = opening.token
        self._in_one = bool(opening.identity.capabilities & Capability.WRITE_READ)
        self._reports = SeatReports(settings, self._device, opening.identity.capabilities)
        self._console = ConsoleReports(settings, self._device) if settings.unit_class == UnitClass.CONSOLE else None
        self._counter = CounterReports(settings) if settings.unit_class == UnitClass.COUNTER else None
        self._poll = opening.opened_by
        self._faults = 0
        self._owes_image = False  # the last question was no image
        self._closely = True  # the next image is read though it be the same
        self._beat_was_last = False
        self._spent = False  # the turn went to something that no press shows in
        self._image_at: Micros = 0
        self._beat_at: Micros = 0
        self._fed_at: Micros = 0
        self._fed_before: Micros = 0  # by the heartbeat before that
        self._overheard_at: Micros = 0  # when it was asked whether it heard a broadcast
        self._old_details = 0  # in a row
        self._unreadable: dict[int, int] = {}  # seats: details in a row that could not be read
        self._said_up = False

    def begin(self, now: Micros) -> Taken:
        """The image that proved the session is the first to be believed."""
        self._desires.begin(self._token, self._device, self._poll.seq)
        self._explainer.begin(self._device, self._poll.seq, self._desires.booked(self._device), now)
        self._fed_before = self._fed_at = self._beat_at = self._image_at = now
        if self._opening.goes_on:
            self._fed_before = self._fed_at = now - (self._poll.heartbeat_age + 1) * HEARTBEAT_AGE
        foreign = self._foreign_session(self._poll)
        return foreign if foreign is not None else self._believe(self._poll, now)

    # What to ask.

    def due(self) -> Micros | None:
        """`None`: at once."""
        at_once = (
            self._settings.poll == 0
            or self._owes_image
            or self._desires.undelivered
            or self._orders.next is not None
            or self._reports.reading
        )
        return None if at_once else min(self._image_at + self._settings.poll, self._beat_at)

    def urgent(self) -> bool:
        return self._desires.undelivered

    def unfinished(self) -> bool:
        """A turn without an image would make a press wait twice as long: the image belongs to it. And a unit that is
        seen open after a broadcast lock is written to at once, not after all the others."""
        return (self._spent and self._owes_image) or self._desires.missed

    def next_question(self, value: int | None, now: Micros) -> UnitQuestion | Fall:
        """`value` is what a counter shall show. A turn that comes early is used: a broadcast lock is to be proven."""
        if self._desires.wants_open and now - self._fed_at > self._settings.host_timeout:
            return Fall(Down.SILENT, "it was not fed in time and locked itself")
        blind, limit = now - self._image_at, self._settings.host_timeout
        if blind > (limit if self._said_up else 2 * limit):  # before it is up, a slow line goes to its books
            return Fall(Down.SILENT, "no image of it could be believed")
        changed = self._desires.undelivered
        question = self._next_question(value, now)
        self._spent = question.about not in {About.IMAGE, About.DESIRED_IMAGE} and (not changed or self._is_blind(now))
        return question

    def _next_question(self, value: int | None, now: Micros) -> UnitQuestion:
        if self._desires.overheard:
            self._closely, self._overheard_at = True, now  # that it shows nothing new is an answer, too
            return self._asks.image
        if self._desires.undelivered or (now >= self._beat_at and not self._beat_may_wait(now)):
            self._beat_was_last = True
            words = self._desires.to_write()
            return self._asks.desired_and_image(words) if self._in_one else self._asks.write(About.DESIRED, words)
        if self._owes_image and (self._orders.looking or not self._reports.starting or self._is_blind(now)):
            return self._asks.image
        self._beat_was_last = False
        return self._to_write(value, now) or self._to_read(now)

    def _is_blind(self, now: Micros) -> bool:
        return now - self._image_at > self._settings.host_timeout // 3

    def _beat_may_wait(self, now: Micros) -> bool:
        """On a line whose round is longer than a beat every turn would be a heartbeat, and no order were ever sent."""
        fed = now - self._fed_at < self._settings.host_timeout // 2
        return self._beat_was_last and fed and (self._has_order() or self._reports.reading)

    def _to_write(self, value: int | None, now: Micros) -> UnitQuestion | None:
        if self._orders.next is None and self._configuring.wanted(self._poll, now):
            return self._asks.write(About.CONFIGURE, self._configuring.to_stage())
        if self._has_order():
            return self._asks.write(About.COMMAND, self._orders.to_write(self._token, self._poll.command_id).encode())
        if self._counter is not None and value is not None and self._counter.wanted(value, now):
            self._counter.writing(value)
            return self._asks.write(About.DISPLAY, self._desires.to_show(value))
        return None

    def _has_order(self) -> bool:
        """An order to clear faults names what is latched, so that is read first (2.3 K)."""
        order = self._orders.next
        if order is None or self._orders.looking:
            return False
        if order.name and self._reports.holding and not self._orders.flying:
            return False  # one after the other, or the seats would be reported only when all orders are done
        if order.opcode is not Opcode.CLEAR_FAULTS or self._orders.flying:
            return True
        if order.seat and self._reports.wants(order.seat):
            return False
        latched = self._reports.latched(order.seat) if order.seat else self._poll.faults & ~UnitFault.CONFIG_INVALID
        self._orders.fill(latched, latched)
        return True

    def _to_read(self, now: Micros) -> UnitQuestion:
        if self._console is not None and self._console.wanted(now):
            return self._asks.detail(1)
        doubtful = self._reports.next_proof()
        if doubtful is not None:
            return self._asks.proof(doubtful)
        seat = self._reports.next_detail(now)
        if seat is not None:
            return self._asks.detail(seat)
        if self._explainer.wanted(now):
            return self._asks.ring
        return self._asks.image

    # What an answer means.

    def taken(self, question: UnitQuestion, answer: Answer, now: Micros) -> Taken:
        if question.about in {About.IMAGE, About.DESIRED_IMAGE}:
            if not isinstance(answer, Words):
                self._in_one = self._in_one and question.about is About.IMAGE  # it says it can, and cannot
                return AnswerStep.POOR
            return self._image(answer.words, now, fed=question.about is About.DESIRED_IMAGE)
        self._owe_image()
        match question.about:
            case About.DESIRED:
                if isinstance(answer, Denied):
                    return AnswerStep.POOR
                self._fed(now)
            case About.COMMAND:
                self._command_written(answer)
            case About.DETAIL:
                return self._detail(question.seat, answer, now)
            case About.PROOF:
                return self._proof(question.seat, answer)
            case About.RING:
                return self._ring(answer)
            case About.CONFIGURE:
                self._staged(answer, now)
            case _:
                self._display_written(now)
        return AnswerStep.GOOD

    def failed(self, question: UnitQuestion) -> Fall | None:
        self._desires.unproven()
        if question.about not in {About.IMAGE, About.DESIRED_IMAGE}:
            self._owe_image()
        if question.about is About.COMMAND:
            self._orders.written()
        return self._unread(question.seat) if question.about in {About.DETAIL, About.PROOF} else None

    def _unread(self, seat: int) -> Fall | None:
        """What a seat paid out, and what came late, is nowhere else: a unit that does not show it cannot be up."""
        self._unreadable[seat] = self._unreadable.get(seat, 0) + 1
        if self._unreadable[seat] < self._settings.patience:
            return None
        return Fall(Down.SILENT, f"the detail of its seat {seat} cannot be read", later=True)

    def _owe_image(self) -> None:
        """What was asked may show in the next image, or be proven by its showing nothing new."""
        self._owes_image = self._closely = True

    def _fed(self, now: Micros) -> None:
        self._desires.delivered()
        self._fed_before, self._fed_at, self._beat_at = self._fed_at, now, now + self._settings.beat

    def _command_written(self, answer: Answer) -> None:
        if isinstance(answer, Denied):
            self._ended(self._orders.denied(answer.code))
        else:
            self._orders.written()

    def _staged(self, answer: Answer, now: Micros) -> None:
        if isinstance(answer, Denied):
            self._configuring.refuse(f"exception {answer.code} to the values", now)
        else:
            self._orders.put_first(self._configuring.to_commit())

    def _display_written(self, now: Micros) -> None:
        assert self._counter is not None, "only a counter has a display"
        self._counter.written(now)

    def _detail(self, seat: int, answer: Answer, now: Micros) -> Taken:
        if not isinstance(answer, Words):
            return self._unread(seat) or AnswerStep.GOOD
        detail = SeatDetail.decode(answer.words, self._settings.number, seat)
        if isinstance(detail, Flaw):
            return AnswerStep.FOREIGN
        self._unreadable.pop(seat, None)
        if self._console is not None:
            self._console.detail(detail, now)
            return AnswerStep.GOOD
        if self._reports.detail(seat, detail, now):
            self._old_details = 0
            return AnswerStep.GOOD
        self._old_details += 1
        if self._old_details < self._settings.patience:
            return AnswerStep.FOREIGN
        return self._opening.forgot(f"cashed or late totals of seat {self._settings.at_table(seat)} went back")

    def _proof(self, seat: int, answer: Answer) -> Taken:
        if not isinstance(answer, Words):
            return self._unread(seat) or AnswerStep.GOOD
        if self._reports.proof(seat, answer.words):
            return AnswerStep.GOOD
        return Fall(Down.SILENT, f"the detail of its seat {seat} is never twice the same", later=True)

    def _ring(self, answer: Answer) -> Taken:
        if not isinstance(answer, Words):
            self._news.say(self._explainer.unreadable())
            return AnswerStep.GOOD
        ring = Ring.decode(answer.words, self._settings.number)
        explanation = None if isinstance(ring, Flaw) else self._explainer.taken(ring)
        if explanation is None:
            return AnswerStep.FOREIGN
        if self._settings.seats > 1:  # a single seat was read when the number moved
            self._reports.want(explanation.touched)
        self._news.say(explanation.event)
        return AnswerStep.GOOD

    # Images.

    def _image(self, words: WordList, now: Micros, *, fed: bool) -> Taken:
        if not (self._closely or fed) and self._images.unchanged(words):
            self._owes_image, self._image_at = False, now
            return AnswerStep.GOOD
        poll = self._opening.believed(words)
        if not isinstance(poll, FastPoll):
            return poll
        trouble = self._foreign_session(poll) or self._lost_host(poll)
        if trouble is not None:
            return trouble
        if self._desires.overheard and not executed_since(poll, self._overheard_at, self._fed_before):
            self._desires.unproven()
            self._owe_image()
            return AnswerStep.GOOD
        if fed:
            self._fed(now)
        return self._believe(poll, now)

    def _foreign_session(self, poll: FastPoll) -> Fall | None:
        """2.6: both stop and alarm."""
        if poll.token != self._token and self._opening.is_own(poll):
            return Fall(Down.SILENT, "a copy of our own opening came late")
        if poll.token != self._token:
            return Fall(Down.SECOND_HOST, f"token {poll.token:04X}, ours is {self._token:04X}")
        return Fall(Down.SECOND_HOST, "it saw another host") if poll.flags & UnitFlag.SECOND_HOST else None

    def _lost_host(self, poll: FastPoll) -> Fall | None:
        """It locked itself; that may be over again before an image shows more than the latched fault."""
        became_lost = poll.lock in _LOST and self._poll.lock not in _LOST
        if became_lost or poll.faults & ~self._poll.faults & UnitFault.HOST_LOST:
            return Fall(Down.SILENT, "it lost its host and locked itself")
        return None

    def _believe(self, poll: FastPoll, now: Micros) -> Taken:
        self._poll = poll
        self._owes_image, self._image_at = False, now
        seats = self._reports.image(poll, self._orders.cashing, now)
        self._tell_up()
        for seen in seats:
            self._news.say(seen)
        if self._reports.went_back:
            return self._opening.forgot(f"totals of event {poll.seq} are older than those before it")
        self._tell_beside(poll)
        step = self._settle(poll, now)
        self._tell_ends()
        self._desires.compare(poll, self._reports.pending())
        refused = self._desires.refused(poll, now)
        if refused is not None:
            self._news.settled(0, "unlock", done=False, result=refused)
        for seat, done, result in self._desires.relit(poll):
            self._news.settled(self._settings.at_table(seat), "relight", done=done, result=result)
        self._seating.correct(poll, self._orders, now)
        self._tell_faults(poll)
        self._explainer.moved(poll.seq, now)
        self._closely = (
            self._reports.unsettled or self._orders.looking or self._desires.opening or self._seating.differs(poll)
        )
        return step

    def _tell_up(self) -> None:
        """Not before the books of every seat were read: nothing may be unlocked that could not be counted."""
        opening = self._opening
        if self._said_up or not opening.configured or not self._reports.complete or self._reports.went_back:
            return
        self._said_up = True
        who, is_other, goes_on = opening.identity, opening.changed, opening.goes_on
        self._news.up(self._device, who.product, who.firmware, who.firmware_crc, rebooted=is_other, goes_on=goes_on)
        opening.changed = False

    @property
    def last(self) -> FastPoll:
        return self._poll

    @property
    def has_bets(self) -> bool:
        return standing(self._poll)

    @property
    def in_hand(self) -> bool:
        return in_hand(self._poll)

    def _tell_beside(self, poll: FastPoll) -> None:
        for teller in (self._console, self._counter):
            seen = teller.image(poll) if teller is not None else None
            if seen is not None:
                self._news.say(seen)

    def _settle(self, poll: FastPoll, now: Micros) -> Taken:
        end = self._orders.seen(poll)
        if end is None or end.order.name or end.order.opcode is not Opcode.CONFIG_COMMIT:
            self._ended(end)
            return AnswerStep.GOOD
        if not end.done:
            self._configuring.refuse(f"the commit was {end.result}", now)
            return AnswerStep.GOOD
        self._configuring.committed()
        return AnswerStep.AGAIN

    def _ended(self, end: OrderEnd | None) -> None:
        if end is not None and end.order.name:
            self._orders.hold(end)
            self.want_detail(end.order.seat)
            self._closely = True

    def _tell_ends(self) -> None:
        """After the seats: an owner that hears that a command is done has heard what it did."""
        for end in self._orders.release(self._reports.wants):
            seat = self._settings.at_table(end.order.seat)
            self._news.settled(seat, end.order.name, done=end.done, result=end.result)

    def _tell_faults(self, poll: FastPoll) -> None:
        """Not of one that does not come up: each try would say the same."""
        if not self._said_up and self._opening.configured:
            return
        fresh, self._faults = poll.faults & ~self._faults, poll.faults
        self._news.faults(tuple(fault.name.lower() for fault in UnitFault if poll.faults & fault))
        for fault in UnitFault:
            if fresh & fault:
                self._news.alarm(0, "unit", fault.name.lower())
        for alarm in self._reports.alarms():
            self._news.say(alarm)

    def want_detail(self, seat: int) -> None:
        self._reports.want(frozenset({seat}))
