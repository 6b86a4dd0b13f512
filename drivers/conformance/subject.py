"""The unit under examination: how it is read and written, and what the examiner knows of it so far.

Every read is examined as a driver would (tag, unit, seat, check word) and a block that is not what it should be ends
the clause. Every poll is also held against the one before it: totals and `event_seq` may only grow, and together
(2.1.1). What the examiner wants of the unit stands here once and is repeated with every heartbeat, like a real host.
"""

from dataclasses import dataclass, field

from drivers.conformance.instants import Instant
from drivers.conformance.steps import Exchange, Need, StepResult, T, Unmet, Walk
from drivers.conformance.wire import Wire
from drivers.line.numbers import newer
from drivers.modbus.pdu import HOLDING, Denied, ReadWords, Request, Words, WriteWords, Written
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Flaw, Identity, Ring, SeatDetail, WordList
from drivers.native.contract import Opcode, Result, SeatMode
from drivers.native.writes import Command, Config, Desired
from drivers.session import MILLISECOND, Micros

_NEVER = Instant(0, 0)
_HUNGRY = 400 * MILLISECOND


def said(heard: StepResult) -> str:
    """What came, in a technician's words."""
    match heard.answer:
        case Denied(code):
            return f"exception {code:02X}"
        case Words(words):
            return f"{len(words)} words"
        case Written():
            return "the write accepted"
        case _:
            return f"no answer, but {len(heard.raw)} bytes" if heard.raw else "silence"


def expect(holds: bool, expected: str, came: object) -> None:
    if not holds:
        raise Unmet(expected, str(came))


@dataclass(slots=True)
class Subject:
    unit: int
    wire: Wire
    can: frozenset[Need]
    nonce: int  # this examiner's, as a host's (2.3 K)
    number: int  # the last command id used
    round_id: int
    identity: Identity | None = None
    config: Config | None = None
    token: int = at.NO_TOKEN
    beat: int = 0
    lock: int = at.LOCK
    ack: int = 0
    lamp: int = 0
    now: Micros = 0  # of the last answer
    done_at: Instant = _NEVER  # when the unit did what it was asked last
    told_at: Micros = 0  # of the last heartbeat
    last: FastPoll | None = None
    details: dict[int, tuple[int | None, SeatDetail]] = field(default_factory=dict)
    contradictions: list[str] = field(default_factory=list)

    @property
    def who(self) -> Identity:
        assert self.identity is not None, "a unit is identified before anything is asked of it"
        return self.identity

    @property
    def seats(self) -> range:
        return range(1, self.who.seats + 1)

    @property
    def live(self) -> Config:
        """Without one no clause that opens the unit begins."""
        if self.config is None:
            raise Unmet("a unit with a valid configuration", "none, and none could be committed")
        return self.config

    def name_of(self, seat: int) -> int:
        """The table's number of the unit's seat, as the hands know it."""
        return self.who.first_seat + seat - 1

    def ask(self, request: Request, again: bool = False) -> Walk[StepResult]:
        heard = yield Exchange(self.unit, request, again)
        self.now, self.done_at = heard.now, Instant(heard.asked, heard.answered)
        return heard

    def refuse(self, request: Request, *codes: int) -> Walk[None]:
        """A question that must be answered with an exception."""
        denied((yield from self.ask(request)), *codes)

    # Reading

    def words(self, address: int, count: int, function: int = HOLDING) -> Walk[WordList]:
        heard = yield from self.ask(ReadWords(address, count, function), again=True)
        if not isinstance(heard.answer, Words):
            raise Unmet(f"an answer to a read of {count} words at {address:04X}", said(heard))
        return heard.answer.words

    def identify(self) -> Walk[Identity]:
        image = yield from self.words(at.IDENTITY, at.BLOCK_WORDS)
        self.identity = _sound(Identity.decode(image, self.unit), "identity (I)")
        return self.identity

    def poll(self) -> Walk[FastPoll]:
        image = yield from self.words(at.FAST_POLL, at.fast_poll_words(self.who.seats))
        poll = _sound(FastPoll.decode(image, self.unit, self.who.seats), "fast poll (A)")
        self._compare(poll)
        return poll

    def detail(self, seat: int) -> Walk[SeatDetail]:
        image = yield from self.words(at.detail_address(seat), at.BLOCK_WORDS)
        detail = _sound(SeatDetail.decode(image, self.unit, seat), f"detail of seat {seat} (S)")
        self._compare_detail(detail)
        return detail

    def ring(self) -> Walk[Ring]:
        image = yield from self.words(at.RING, at.RING_WORDS)
        return _sound(Ring.decode(image, self.unit), "event ring (E)")

    def read_config(self) -> Walk[Config]:
        image = yield from self.words(at.CONFIG, at.BLOCK_WORDS)
        return _sound(Config.decode(image), "configuration (C)")

    def _compare(self, poll: FastPoll) -> None:
        """(2.1.1) Within one boot; what a reboot must keep is a clause of its own."""
        before, self.last = self.last, poll
        if before is None or before.boot_id != poll.boot_id:
            return
        old, new = _totals(before), _totals(poll)
        if newer(before.seq, poll.seq):
            self.contradictions.append(f"event_seq {before.seq}, then {poll.seq}")
        elif before.seq == poll.seq and old != new:
            self.contradictions.append(f"totals {old}, then {new}, both at event_seq {poll.seq}")
        elif any(newer(was, now) for was, now in zip(old, new, strict=True)):
            self.contradictions.append(f"totals {old} at {before.seq}, then {new} at {poll.seq}")

    def _compare_detail(self, detail: SeatDetail) -> None:
        """The totals of S too only grow within one boot."""
        before, boot = self.details.get(detail.seat), self.last.boot_id if self.last else None
        self.details[detail.seat] = (boot, detail)
        if before is None or before[0] != boot:
            return
        old, new = detail_totals(before[1]), detail_totals(detail)
        if any(newer(was, now) for was, now in zip(old, new, strict=True)):
            self.contradictions.append(f"cashed, late, presses, refused of seat {detail.seat} {old}, then {new}")

    # Writing

    def write(self, address: int, words: WordList) -> Walk[StepResult]:
        return self.ask(WriteWords(address, words), again=True)

    def desired(self, **instead: int) -> Desired:
        """What is wanted now, with the next heartbeat."""
        self.beat = (self.beat + 1) & 0xFFFF
        wanted = {
            "token": self.token, "heartbeat": self.beat, "lock": self.lock,
            "round_id": self.round_id, "ack": self.ack, "lamp": self.lamp,
        }  # fmt: skip
        return Desired(**wanted | instead)

    def say(self, wanted: Desired) -> Walk[None]:
        heard = yield from self.write(at.DESIRED, wanted.encode())
        expect(isinstance(heard.answer, Written), "an ordinary answer to a good write of D", said(heard))
        self.told_at = self.now

    def tell(self) -> Walk[None]:
        """One ordinary heartbeat."""
        return self.say(self.desired())

    def feed(self) -> Walk[None]:
        """A heartbeat if one is needed soon: among many reads."""
        if self.now - self.told_at > _HUNGRY:
            yield from self.tell()

    def next_command(self, opcode: int, seat: int = 0, expected: int = 0, target: int = 0) -> Command:
        self.number = self.number % 0xFFFF + 1
        return Command(
            command_id=self.number, opcode=opcode, seat=seat, expected=expected, target=target, token=self.token
        )

    def command(self, command: Command) -> Walk[int]:
        """The unit's result of it, read back."""
        heard = yield from self.write(at.COMMAND, command.encode())
        expect(isinstance(heard.answer, Written), "an ordinary answer to a good write of K", said(heard))
        poll = yield from self.poll()
        wanted = f"id {command.command_id:04X} of the last command in A"
        expect(poll.command_id == command.command_id, wanted, f"{poll.command_id:04X}")
        return poll.result

    def order(self, opcode: int, seat: int = 0, expected: int = 0, target: int = 0) -> Walk[int]:
        return self.command(self.next_command(opcode, seat, expected, target))

    def done(self, opcode: Opcode, seat: int = 0, expected: int = 0, target: int = 0) -> Walk[None]:
        """An order that must succeed."""
        result = yield from self.order(opcode, seat, expected, target)
        result_is(result, Result.DONE, opcode.name)


def result_is(result: int, wanted: Result, what: str) -> None:
    named = Result(result).name if result in set(Result) else str(result)
    expect(result == wanted, f"result {wanted.name} for {what}", named)


def denied(heard: StepResult, *codes: int) -> None:
    named = " or ".join(f"exception {code:02X}" for code in codes)
    expect(isinstance(heard.answer, Denied) and heard.answer.code in codes, named, said(heard))


def detail_totals(detail: SeatDetail) -> tuple[int, int, int, int]:
    return detail.cashed, detail.late, detail.presses, detail.refused


def _totals(poll: FastPoll) -> tuple[int, ...]:
    """What a counter shows is no total."""
    seats = [seat for seat in poll.seats if seat.mode is not SeatMode.COUNTER]
    return tuple(total for seat in seats for total in (seat.loaded, seat.bets, seat.voided, seat.chips))


def _sound(image: T | Flaw, what: str) -> T:
    if isinstance(image, Flaw):
        raise Unmet(f"a sound block {what}", f"wrong {image.value}")
    return image
