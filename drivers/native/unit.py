"""The driver of one native unit at one address (devices.md 2.1-2.6): what its owner wants of it, and what it tells.

Two lives follow each other: opening (who are you, what do you run on, is anybody else your host) and running (a session
that is ours). Several failures in a row, a reboot, a foreign token or anything else that our own doing does not explain
end the second and begin the first. Down means: locked until the owner unlocks anew, whatever was wanted before. But
where only the line failed, and the unit shows in time that nothing else did, the session goes on as it was, and the
owner hears so when it is up (`UnitUp.goes_on`).

It asks and examines; when it may speak, how long an answer may take and what stands around it on the line is the
business of the bus master (modbus/turn.py).
"""

from collections.abc import Iterable

from drivers.line.failures import Failure
from drivers.line.news import News
from drivers.modbus.pdu import Answer, WriteWords
from drivers.modbus.turn import Ask
from drivers.model import DeviceEvent, DeviceKey, Down
from drivers.native.asks import About, AnswerStep, Asks, Fall, Taken, UnitQuestion
from drivers.native.commands import OrderEnd, Orders, UnitOrder
from drivers.native.contract import DESIRED, LampCommand, Opcode, UnitClass
from drivers.native.desired import Desires, Seating
from drivers.native.explained import Explainer
from drivers.native.freshness import Freshness
from drivers.native.opening import Configuring, SessionOpening
from drivers.native.running import Running
from drivers.native.settings import UnitSettings
from drivers.native.writes import BROADCAST_LOCK
from drivers.session import Micros

_ASKED_AGAIN_LATER = {
    Down.NOT_NATIVE, Down.WRONG_VERSION, Down.WRONG_CLASS, Down.WRONG_SEATS, Down.NO_MEMORY, Down.FORGOT,
}  # fmt: skip
_BROKEN_OFF = {Down.SILENT, Down.SLOW, Down.LINE_DOWN}  # of the unit this says nothing
_IMAGES = {About.IMAGE, About.DESIRED_IMAGE}


class NativeUnit:
    broadcast_lock = WriteWords(DESIRED, BROADCAST_LOCK)

    def __init__(self, settings: UnitSettings, nonce: int, first_command: int) -> None:
        assert 0 <= nonce < 2**32, "a nonce is two words"
        self.number = settings.number
        self._settings = settings
        self._asks = Asks(settings.number, settings.seats, first_command)
        self._news = News(settings.number, settings.table_seats)
        self._images = Freshness(settings.patience)
        self._orders = Orders(first_command)
        self._desires = Desires()
        self._explainer = Explainer(settings)
        self._configuring = Configuring(settings, self._news)
        self._seating = Seating(settings)
        self._opening = SessionOpening(
            settings, nonce, self._asks, self._images, self._orders, self._desires, self._news
        )  # fmt: skip
        self._running: Running | None = None
        self._question: UnitQuestion | None = None  # that waits for its answer
        self._failures = 0
        self._has_line = False
        self._now: Micros = 0
        self._value: int | None = None

    # What its owner wants. Seats have the table's numbers.

    def lock(self) -> None:
        self._desires.lock()

    def lock_was_broadcast(self) -> None:
        self._desires.lock_was_broadcast()

    def unlock(self, round_id: int) -> None:
        """Only a unit that is up can be unlocked: none opens by itself when it comes back. One that took the place of
        another memory waits until its owner has reconciled the books (2.6)."""
        if not self._news.is_up:
            self._news.settled(0, "unlock", done=False, result="down")
        elif self._desires.in_doubt:
            self._news.settled(0, "unlock", done=False, result="reconcile")
        else:
            self._desires.unlock(round_id)

    def reconciled(self, device: DeviceKey) -> None:
        """The books have been settled for another box, or for one that lost its memory."""
        self._desires.reconciled(device)

    def take_anew(self) -> None:
        """R-37: a memory that went back is held until persons have counted every seat of it. What it says from now on
        is where counting starts, and what was wanted of it before is not."""
        device = self._opening.taken_anew()
        if device is None:
            return
        self._desires.forget(device)
        self._images.forget()
        self._explainer.forget()
        self._news.begin_anew()
        self._tell_ends(self._orders.drop())

    def acknowledge(self, device: DeviceKey, seq: int) -> None:
        """Everything up to `seq` of this memory is durably booked. Also said at start, for what the books know.

        An image of several seats is reported as several events: only with the one that is its `last` is its seq known
        whole, so only then may it be acknowledged, after the one transaction that books all of them. What a console
        reported is acknowledged too: after its lock button it opens only for a host that heard of that (2.4)."""
        self._desires.acknowledge(device, seq)

    def load(self, seat: int, expected: int, target: int) -> None:
        self._order("load", Opcode.LOADED_TO, seat, expected, target)

    def cash(self, seat: int, expected: int, target: int) -> None:
        self._order("cash", Opcode.CASHED_TO, seat, expected, target)

    def void(self, seat: int, bet_seq: int, reason: int) -> None:
        self._order("void", Opcode.VOID_BET, seat, bet_seq, reason)

    def enable(self, seat: int) -> None:
        self._add(self._seating.want(self._settings.of_unit(seat), on=True))

    def disable(self, seat: int) -> None:
        self._add(self._seating.want(self._settings.of_unit(seat), on=False))

    def relight(self, seat: int) -> None:
        """The bet of a unit that rebooted in mid-hand was found in the ledger: it counts, and shows it again (2.6)."""
        self._desires.relight(self._settings.of_unit(seat))

    def hand_over(self) -> None:
        """What stands sealed in it hinders no configuration. Said between passes, while it refuses one."""
        self._configuring.hand_over()

    def test_lamps(self) -> None:
        """Its owner says it between passes only, when bets that stand sealed are of a hand that is over: inside one the
        lamp is the evidence of the bet (R-6). The next unlock ends it."""
        running = self._running
        if running is not None and running.in_hand:
            self._news.settled(0, "test_lamps", done=False, result="bets_stand")
        else:
            after_hand = running is not None and running.has_bets
            self._desires.test_lamps(LampCommand.TEST_BETWEEN if after_hand else LampCommand.TEST)

    def end_lamp_test(self) -> None:
        self._desires.test_lamps(LampCommand.AUTO)

    def clear_faults(self, seat: int) -> None:
        """What is latched; of the unit itself with seat 0."""
        own = self._settings.of_unit(seat) if seat else 0
        if own and self._running is not None:
            self._running.want_detail(own)
        self._add(UnitOrder(name="clear_faults", opcode=Opcode.CLEAR_FAULTS, seat=own))

    def show(self, value: int) -> None:
        assert self._settings.unit_class == UnitClass.COUNTER, "only a counter shows a value"
        assert 0 <= value < 2**32, "a value is two words"
        self._value = value

    def _order(self, name: str, opcode: Opcode, seat: int, expected: int, target: int) -> None:
        assert 0 <= expected < 2**32 and 0 <= target < 2**32, "totals are two words"
        own = self._settings.of_unit(seat)
        if self._news.heard not in {None, self._orders.device}:  # made of another memory's totals
            self._news.settled(seat, name, done=False, result="replaced")
            return
        self._add(UnitOrder(name=name, opcode=opcode, seat=own, expected=expected, target=target))

    def _add(self, order: UnitOrder) -> None:
        end = self._orders.add(order)
        if end is not None:
            self._tell_ends([end])

    def _tell_ends(self, ends: Iterable[OrderEnd]) -> None:
        for end in ends:
            seat = self._settings.at_table(end.order.seat)
            self._news.settled(seat, end.order.name, done=end.done, result=end.result)

    # Its turns on the bus.

    def due(self) -> Micros | None:
        if not self._has_line:
            return None
        due = self._running.due() if self._running is not None else self._opening.due()
        return self._now if due is None else due

    def urgent(self) -> bool:
        return self._running is not None and self._running.urgent()

    def unfinished(self) -> bool:
        return self._running is not None and self._running.unfinished()

    def next_ask(self, now: Micros) -> Ask | None:
        self._now = now
        if self._question is not None:  # its answer was not believed, and no other came
            self._count_failure(Failure.FOREIGN.value, now)
        self._question = self._next_question(now) if self._has_line else None
        return self._question.ask if self._question is not None else None

    def _next_question(self, now: Micros) -> UnitQuestion | None:
        if self._running is not None:
            question = self._running.next_question(self._value, now)
            if not isinstance(question, Fall):
                return question
            self._fall(question, now)
        return self._opening.next_question(now)

    def taken(self, ask: Ask, answer: Answer, now: Micros) -> bool:
        self._now = now
        question = self._question
        if question is None or ask is not question.ask:
            return False
        part = self._running if self._running is not None else self._opening
        step = part.taken(question, answer, now)
        if step is AnswerStep.FOREIGN:
            return False
        self._question = None
        if step is AnswerStep.POOR:
            if self._count_failure(f"answered {answer}", now):
                self._opening.restart(now + self._settings.retry)  # it is there; it would fall at once again
        else:
            if self._running is None or question.about in _IMAGES:  # a heartbeat that is answered proves no image
                self._failures = 0
            self._follow(step, now)
        return True

    def failed(self, ask: Ask, failure: Failure, now: Micros) -> None:
        self._now = now
        if self._question is not None and ask is self._question.ask:
            if failure is Failure.LINE_DOWN:
                self._question = None
            else:
                self._count_failure(failure.value, now)

    def next_event(self) -> DeviceEvent | None:
        return self._news.next()

    def line_up(self, now: Micros) -> None:
        if self._has_line:
            self.line_down(now)
        self._has_line, self._now = True, now
        self._forget_session(now)

    def line_down(self, now: Micros) -> None:
        self._has_line = False
        self._fall(Fall(Down.LINE_DOWN), now)

    # From one life to the other.

    def _follow(self, step: Taken, now: Micros) -> None:
        match step:
            case Fall():
                self._fall(step, now)
            case AnswerStep.OPENED:
                self._begin(now)
            case AnswerStep.AGAIN:
                self._forget_session(now)
            case _:
                pass

    def _begin(self, now: Micros) -> None:
        opening = self._opening
        if not opening.goes_on:
            self._desires.fell()
        self._configuring.begin(now, right=opening.configured)
        self._running = Running(
            self._settings, self._asks, opening, self._images, self._orders, self._desires, self._explainer,
            self._configuring, self._seating, self._news,
        )  # fmt: skip
        self._follow(self._running.begin(now), now)

    def _count_failure(self, detail: str, now: Micros) -> bool:
        """The question got nothing that can be used. Whether that was once too often."""
        question, self._question = self._question, None
        if question is not None:
            part = self._running if self._running is not None else self._opening
            fall = part.failed(question)
            if fall is not None:
                self._fall(fall, now)
                return False
        self._failures += 1
        if self._failures < self._settings.patience:
            return False
        self._fall(Fall(Down.SLOW if detail == Failure.LATE else Down.SILENT, detail), now)
        return True

    def _fall(self, fall: Fall, now: Micros) -> None:
        if fall.reason in _BROKEN_OFF and (self._running is None or not self._desires.opening):
            self._break_off()
        else:
            self._opening.let_go()
            self._desires.fell()
        self._news.down(fall.reason, fall.detail)
        self._forget_session(now)
        if fall.reason is Down.SECOND_HOST:
            self._opening.restart(now, open_after=now + self._settings.hold_off)
        elif fall.later or fall.reason in _ASKED_AGAIN_LATER:
            self._opening.restart(now + self._settings.retry)

    def _break_off(self) -> None:
        """What was under way to open is nobody's wish any more when it comes back; what was open, or locked, is."""
        if self._running is not None:
            self._opening.keep(self._running.last)
            self._desires.broke_off()

    def _forget_session(self, now: Micros) -> None:
        self._running, self._question, self._failures = None, None, 0
        self._opening.restart(now)
