"""Sections 2.2 and 2.3 K: what a unit must not do, however well a frame is made. It is asked, then looked at."""

from dataclasses import replace

from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.clauses.config import cleared, install
from drivers.conformance.play import fresh, funded, is_not_open, is_open, opened, seat_with, stays
from drivers.conformance.steps import Raw, Walk
from drivers.conformance.subject import Subject, expect, result_is
from drivers.modbus.pdu import Denial, ReadWords, Request, WriteReadWords, WriteWords
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.native.contract import Capability, Opcode, Result, SeatFlag, SeatMode, UnitFlag
from drivers.session import MILLISECOND

_TURNAROUND = 100 * MILLISECOND
_NOWHERE = 0x5000
_HALF = 2**31
_NO_SEAT_ENABLE = (2, 0xFFFF, 0x0001_0000, 0x0001_0001)


def _to_all(subject: Subject, request: Request) -> Walk[None]:
    """Whether anybody answers is another clause's."""
    yield Raw(subject.wire.question(0, request), _TURNAROUND)


def _same(before: FastPoll, after: FastPoll) -> bool:
    enabled = [poll.seats[0].flags & SeatFlag.ENABLED for poll in (before, after)]
    return before.command_id == after.command_id and enabled[0] == enabled[1]


@clause("2.2-unit-0-locks-only", "To unit 0 nothing is done but the lock of D: no K, no C, no unlock.",
        rests_on="2.2-broadcast")  # fmt: skip
def unit_0_locks_only(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    order = subject.next_command(Opcode.CLEAR_FAULTS)
    if subject.who.unit_class in SEATED:
        order = subject.next_command(Opcode.SEAT_ENABLE, 1, target=0)
    yield from _to_all(subject, WriteWords(at.COMMAND, order.encode()))
    yield from subject.tell()
    after = yield from subject.poll()
    expect(_same(before, after), "a command to unit 0 not done", f"id {after.command_id:04X} of the last command")
    live = subject.live
    staged = replace(live, generation=live.generation % 0xFFFF + 1)
    yield from _to_all(subject, WriteWords(at.CONFIG, staged.encode()))
    yield from subject.tell()
    after = yield from subject.poll()
    expect(not after.flags & UnitFlag.CONFIG_STAGED, "a configuration to unit 0 not staged", f"{after.flags:04X}")
    unlock = subject.desired(lock=at.UNLOCK, round_id=subject.round_id % 0xFFFF + 1)
    yield from _to_all(subject, WriteWords(at.DESIRED, unlock.encode()))
    yield from stays(subject, is_not_open, "still locked after an UNLOCK to unit 0")


@clause("2.2-unit-0-FC23", "To unit 0 the lock is done for function 10 only.", since=SINCE_1_1)
def unit_0_write_read(subject: Subject) -> Walk[None]:
    yield from opened(subject)
    lock = subject.desired(lock=at.LOCK).encode()
    yield from _to_all(subject, WriteReadWords(at.DESIRED, lock, at.IDENTITY, 1))
    yield from stays(subject, is_open, "OPEN still after FC23 to unit 0")


@clause(
    "2.2-FC23-refused-read", "When the read of FC23 is refused, nothing is written.", capability=Capability.WRITE_READ
)
def refused_read(subject: Subject) -> Walk[None]:
    yield from opened(subject)
    lock = subject.desired(lock=at.LOCK).encode()
    for address, count in ((_NOWHERE, 1), (at.FAST_POLL, at.fast_poll_words(subject.who.seats) + 1)):
        yield from subject.refuse(WriteReadWords(at.DESIRED, lock, address, count), Denial.ADDRESS)
        yield from stays(subject, is_open, f"OPEN still after FC23 with a read of {count} words at {address:04X}")


@clause("2.2-FC23-writes-D-only", "FC23 writes D and nothing else.", capability=Capability.WRITE_READ)
def writes_desired_only(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    order = subject.next_command(Opcode.CLEAR_FAULTS).encode()
    words = at.fast_poll_words(subject.who.seats)
    yield from subject.refuse(WriteReadWords(at.COMMAND, order, at.FAST_POLL, words), Denial.ADDRESS, Denial.VALUE)
    after = yield from subject.poll()
    done = f"id {after.command_id:04X} of the last command"
    expect(after.command_id == before.command_id, "a command by FC23 not done", done)


@clause("2.3-K-not-read", "K is written only: a read of it lies in no block.", since=SINCE_1_1)
def command_not_read(subject: Subject) -> Walk[None]:
    yield from subject.refuse(ReadWords(at.COMMAND, at.WRITE_WORDS), Denial.ADDRESS)


@clause("2.3-K-id-0", "A command with the id 0 is refused with 03 and not done.")
def id_0(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    order = subject.next_command(Opcode.CLEAR_FAULTS)
    if subject.who.unit_class in SEATED:
        order = subject.next_command(Opcode.SEAT_ENABLE, 1, target=0)
    yield from subject.refuse(WriteWords(at.COMMAND, replace(order, command_id=0).encode()), Denial.VALUE)
    after = yield from subject.poll()
    expect(
        _same(before, after), "nothing done", f"id {after.command_id:04X}, flags of seat 1 {after.seats[0].flags:04X}"
    )


@clause("2.3-K-backwards", "LOADED_TO and CASHED_TO that go back are refused.", classes=SEATED)
def backwards(subject: Subject) -> Walk[None]:
    seat = yield from seat_with(subject, SeatMode.BUTTONS)
    yield from fresh(subject)
    yield from funded(subject, seat, 2)
    before = yield from subject.detail(seat)
    loaded = (yield from subject.poll()).seats[seat - 1].loaded
    for opcode, total in ((Opcode.LOADED_TO, loaded), (Opcode.CASHED_TO, before.cashed)):
        for back in (1, _HALF):
            result = yield from subject.order(opcode, seat, total, (total - back) % 2**32)
            result_is(result, Result.REFUSED, f"{opcode.name} that goes back by {back}")
            yield from subject.feed()
    after = yield from subject.detail(seat)
    seen = (yield from subject.poll()).seats[seat - 1].loaded
    same = (loaded, before.cashed, before.balance) == (seen, after.cashed, after.balance)
    expect(same, f"loaded {loaded}, cashed {before.cashed}", f"loaded {seen}, cashed {after.cashed}")


@clause("2.3-K-loaded-limit", "No balance reaches 2^31: such a LOADED_TO is refused.", classes=SEATED)
def loaded_limit(subject: Subject) -> Walk[None]:
    seat = yield from seat_with(subject, SeatMode.BUTTONS)
    yield from fresh(subject)
    yield from funded(subject, seat, 2)
    balance = (yield from subject.detail(seat)).balance
    loaded = (yield from subject.poll()).seats[seat - 1].loaded
    much = (loaded + _HALF - balance) % 2**32
    result_is((yield from subject.order(Opcode.LOADED_TO, seat, loaded, much)), Result.REFUSED, "a balance of 2^31")
    seen = (yield from subject.poll()).seats[seat - 1].loaded
    expect(seen == loaded, f"loaded total {loaded}", seen)


@clause("2.3-K-no-counter", "LOADED_TO and CASHED_TO are refused where there is no credit counter.",
        classes=SEATED, capability=Capability.CHIP_SLOT)  # fmt: skip
def no_counter(subject: Subject) -> Walk[None]:
    seat = yield from seat_with(subject, SeatMode.CHIPS)
    yield from fresh(subject)
    loaded = (yield from subject.poll()).seats[seat - 1].loaded
    cashed = (yield from subject.detail(seat)).cashed
    for opcode, total in ((Opcode.LOADED_TO, loaded), (Opcode.CASHED_TO, cashed)):
        result = yield from subject.order(opcode, seat, total, (total + 1) % 2**32)
        result_is(result, Result.REFUSED, f"{opcode.name} at a chip slot")
        yield from subject.feed()


def _enabled(subject: Subject, seat: int) -> Walk[bool]:
    return bool((yield from subject.poll()).seats[seat - 1].flags & SeatFlag.ENABLED)


@clause("2.3-K-seat-enable-values", "SEAT_ENABLE of anything but 1 and 0 is refused.", classes=SEATED)
def seat_enable_values(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    for wanted in (False, True):
        yield from subject.order(Opcode.SEAT_ENABLE, 1, target=int(wanted))
        for target in _NO_SEAT_ENABLE:
            yield from subject.feed()
            result = yield from subject.order(Opcode.SEAT_ENABLE, 1, target=target)
            result_is(result, Result.REFUSED, f"SEAT_ENABLE of {target}")
        seen = yield from _enabled(subject, 1)
        expect(seen is wanted, f"the seat {'enabled' if wanted else 'disabled'} still", seen)


@clause("2.3-K-seat-left-out", "A seat that the configuration leaves out cannot be enabled.", classes=SEATED)
def seat_left_out(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    usual, last = subject.live, subject.who.seats
    rest = usual.enabled & ~(1 << (last - 1))
    yield from install(subject, replace(usual, enabled=rest, generation=usual.generation % 0xFFFF + 1))
    result = yield from subject.order(Opcode.SEAT_ENABLE, last, target=1)
    seen = yield from _enabled(subject, last)
    yield from subject.tell()
    yield from install(subject, replace(usual, generation=subject.live.generation % 0xFFFF + 1))
    result_is(result, Result.REFUSED, f"SEAT_ENABLE of seat {last}, which C leaves out")
    expect(not seen, f"seat {last} disabled", "enabled")


@clause("2.3-K-refusal-counts", "A command that got STALE_TOKEN or UNKNOWN is executed: its id again does nothing.",
        rests_on="2.3-K-same-id", since=SINCE_1_1)  # fmt: skip
def refusal_counts(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    good = subject.next_command(Opcode.CLEAR_FAULTS)
    stale = replace(good, token=subject.token ^ 1)
    result_is((yield from subject.command(stale)), Result.STALE_TOKEN, "a stale token")
    result_is((yield from subject.command(good)), Result.STALE_TOKEN, "the same id with the right token")
    good = subject.next_command(Opcode.CLEAR_FAULTS)
    result_is((yield from subject.command(replace(good, opcode=0xFF))), Result.UNKNOWN, "opcode FF")
    result_is((yield from subject.command(good)), Result.UNKNOWN, "the same id with an opcode that is known")


@clause("2.3-K-clear-already", "CLEAR_FAULTS of what is not latched is ALREADY, whatever is expected.", since=SINCE_1_1)
def clear_already(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    latched = (yield from subject.detail(1)).latched
    clear = ~latched & 0xFFFF
    result = yield from subject.order(Opcode.CLEAR_FAULTS, 1, latched ^ 0x8000, clear)
    result_is(result, Result.ALREADY, f"CLEAR_FAULTS of {clear:04X}, where {latched:04X} is latched")


REFUSED = (
    unit_0_locks_only, unit_0_write_read, refused_read, writes_desired_only, command_not_read, id_0, backwards,
    loaded_limit, no_counter, seat_enable_values, seat_left_out, refusal_counts, clear_already,
)  # fmt: skip
