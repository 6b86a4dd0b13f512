"""Section 2.3 K: compare and set. A command is done once, whoever repeats it, and only on the state it names."""

from collections.abc import Callable
from dataclasses import replace

from drivers.conformance.clause import SEATED, clause
from drivers.conformance.play import confirmed_bet, fresh, funded, opened, seat_with, until
from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject, expect, result_is, said
from drivers.modbus.pdu import Written
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.native.contract import Bet, EventType, LampDrive, LockState, Opcode, Result, SeatFlag, SeatMode, UnitFlag
from drivers.native.writes import Command


def _loaded(subject: Subject, seat: int) -> Walk[int]:
    return (yield from subject.poll()).seats[seat - 1].loaded


@clause("2.3-K-session", "OPEN_SESSION locks, gives a new token that is not 0, and owns the session.")
def session(subject: Subject) -> Walk[None]:
    before = yield from opened(subject)
    yield from subject.done(Opcode.OPEN_SESSION, target=subject.nonce)
    after = yield from subject.poll()
    expect(after.token not in {at.NO_TOKEN, before.token}, f"a token that is neither 0 nor {before.token:04X}",
           f"{after.token:04X}")  # fmt: skip
    expect(after.lock is not LockState.OPEN, "locked by OPEN_SESSION", after.lock.name)
    expect(bool(after.flags & UnitFlag.SESSION_OWNED), "b4 of the state: session owned", f"{after.flags:04X}")
    subject.token, subject.lock = after.token, at.LOCK


@clause("2.3-K-same-id", "The same command again does nothing, its result stays; so a late copy of OPEN_SESSION.")
def same_id(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    order = subject.next_command(Opcode.OPEN_SESSION, target=subject.nonce)
    result_is((yield from subject.command(order)), Result.DONE, "OPEN_SESSION")
    once = yield from subject.poll()
    subject.token = once.token
    result_is((yield from subject.command(order)), Result.DONE, "the same OPEN_SESSION again")
    twice = yield from subject.poll()
    subject.token = twice.token
    same = (once.token, once.seq) == (twice.token, twice.seq)
    expect(same, f"token {once.token:04X} and event_seq {once.seq}", f"{twice.token:04X} and {twice.seq}")
    yield from subject.tell()
    yield from subject.tell()
    later = yield from subject.poll()
    kept = (later.command_id, later.result) == (order.command_id, Result.DONE)
    expect(kept, "id and result still in A", later.result)
    if subject.who.unit_class in SEATED:
        yield from _done_once(subject)
    yield from _late_opening(subject, order)


def _done_once(subject: Subject) -> Walk[None]:
    """Executed again, it would find that it is so ALREADY."""
    off = subject.next_command(Opcode.SEAT_ENABLE, 1, target=0)
    result_is((yield from subject.command(off)), Result.DONE, "SEAT_ENABLE 0")
    again = yield from subject.command(off)
    yield from subject.done(Opcode.SEAT_ENABLE, 1, target=1)
    result_is(again, Result.DONE, "the same SEAT_ENABLE again")


def _late_opening(subject: Subject, opening: Command) -> Walk[None]:
    """A copy that comes after other commands must not end the session that it began."""
    yield from subject.tell()
    yield from subject.order(Opcode.CLEAR_FAULTS)
    before = yield from subject.poll()
    heard = yield from subject.write(at.COMMAND, opening.encode())
    expect(isinstance(heard.answer, Written), "an ordinary answer to a late OPEN_SESSION", said(heard))
    after = yield from subject.poll()
    subject.token = after.token
    expect(after.token == before.token, f"token {before.token:04X} after a late copy", f"{after.token:04X}")
    kept, shown = (before.command_id, before.result), (after.command_id, after.result)
    expect(kept == shown, f"id and result {kept} still", shown)


@clause("2.3-K-stale-token", "A command with another session's token gets result 6 and does nothing.")
def stale_token(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    loaded = before.seats[0].loaded
    order = subject.next_command(Opcode.CLEAR_FAULTS, 0, before.faults, before.faults)
    if subject.who.unit_class in SEATED:
        order = subject.next_command(Opcode.LOADED_TO, 1, loaded, (loaded + 1) % 2**32)
    for token in (subject.token ^ 1, at.NO_TOKEN, (subject.token - 1) & 0xFFFF):
        subject.number = subject.number % 0xFFFF + 1
        stale = replace(order, token=token, command_id=subject.number)
        result_is((yield from subject.command(stale)), Result.STALE_TOKEN, f"a command with token {token:04X}")
        after = yield from subject.poll()
        same = (before.seats[0].loaded, before.faults) == (after.seats[0].loaded, after.faults)
        expect(same, f"loaded total {loaded} and faults {before.faults:04X}", after)


@clause("2.3-K-unknown", "An unknown opcode gets result 7; a seat the unit does not have is not done.")
def unknown(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    before = yield from subject.poll()
    for opcode in (0, 9, 0xFF):
        yield from subject.feed()
        result_is((yield from subject.order(opcode)), Result.UNKNOWN, f"opcode {opcode:02X}")
    nobody = subject.who.seats + 1
    for seat in (0, nobody, 0xFF):
        yield from subject.feed()
        result = yield from subject.order(Opcode.LOADED_TO, seat, 0, 1)
        expect(result not in {Result.DONE, Result.ALREADY}, f"LOADED_TO of seat {seat} not done", Result(result).name)
    after = yield from subject.poll()
    expect(after.seq == before.seq, f"no event after {before.seq}", after.seq)


@clause("2.3-K-loaded-to", "LOADED_TO compares and sets: done once, already, or mismatch; never added.", classes=SEATED)
def loaded_to(subject: Subject) -> Walk[None]:
    seat = yield from seat_with(subject, SeatMode.BUTTONS)
    yield from fresh(subject)
    was = (yield from subject.detail(seat)).balance
    start = yield from _loaded(subject, seat)
    goal = (start + 3) % 2**32
    result_is((yield from subject.order(Opcode.LOADED_TO, seat, start, goal)), Result.DONE, "LOADED_TO")
    yield from _holds(subject, seat, goal, was + 3)
    result_is((yield from subject.order(Opcode.LOADED_TO, seat, start, goal)), Result.ALREADY, "the same, new id")
    yield from _holds(subject, seat, goal, was + 3)
    other = (goal + 5) % 2**32
    result_is((yield from subject.order(Opcode.LOADED_TO, seat, start, other)), Result.MISMATCH, "another expectation")
    yield from _holds(subject, seat, goal, was + 3)
    events = yield from subject.ring()
    credited = [one.credits for one in events.entries if one.kind == EventType.CREDITS_LOADED and one.seat == seat]
    expect(credited[-1:] == [3], "an event 12 with 3 credits", credited)


def _holds(subject: Subject, seat: int, loaded: int, balance: int) -> Walk[None]:
    total = yield from _loaded(subject, seat)
    expect(total == loaded, f"loaded total {loaded}", total)
    detail = yield from subject.detail(seat)
    expect(detail.balance == balance % 2**32, f"balance {balance}", detail.balance)


@clause("2.3-K-cashed-to", "CASHED_TO is compare and set, and no balance goes below zero.", classes=SEATED)
def cashed_to(subject: Subject) -> Walk[None]:
    seat = yield from seat_with(subject, SeatMode.BUTTONS)
    yield from fresh(subject)
    yield from funded(subject, seat, 2)
    before = yield from subject.detail(seat)
    start, goal = before.cashed, (before.cashed + 1) % 2**32
    result_is((yield from subject.order(Opcode.CASHED_TO, seat, start, goal)), Result.DONE, "CASHED_TO")
    result_is((yield from subject.order(Opcode.CASHED_TO, seat, start, goal)), Result.ALREADY, "the same, new id")
    after = yield from subject.detail(seat)
    became, wanted = (after.cashed, after.balance), (goal, before.balance - 1)
    expect(became == wanted, f"cashed and balance {wanted}", became)
    wrong = yield from subject.order(Opcode.CASHED_TO, seat, (goal + 1) % 2**32, (goal + 2) % 2**32)
    result_is(wrong, Result.MISMATCH, "another expectation")
    much = yield from subject.order(Opcode.CASHED_TO, seat, goal, (goal + after.balance + 1) % 2**32)
    result_is(much, Result.REFUSED, "more than the balance")
    last = yield from subject.detail(seat)
    expect((last.cashed, last.balance) == wanted, f"cashed and balance {wanted}", (last.cashed, last.balance))


@clause("2.3-K-seat-enable", "SEAT_ENABLE 0 clears b12 and the lamp; 1 gives the seat back.", classes=SEATED)
def seat_enable(subject: Subject) -> Walk[None]:
    yield from opened(subject)
    for seat in subject.seats:
        yield from subject.done(Opcode.SEAT_ENABLE, seat, target=0)
        poll = yield from until(subject, _is_enabled(seat, wanted=False), f"b12 of seat {seat} clear")
        expect(poll.seats[seat - 1].lamp is LampDrive.OFF, f"lamp of seat {seat} dark", poll.seats[seat - 1].lamp.name)
        yield from subject.done(Opcode.SEAT_ENABLE, seat, target=1)
        yield from until(subject, _is_enabled(seat, wanted=True), f"b12 of seat {seat} set")


def _is_enabled(seat: int, *, wanted: bool) -> Callable[[FastPoll], bool]:
    return lambda poll: bool(poll.seats[seat - 1].flags & SeatFlag.ENABLED) is wanted


@clause("2.3-K-clear-faults", "CLEAR_FAULTS compares with the latched faults of S before it clears.")
def clear_faults(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    latched = (yield from subject.detail(1)).latched
    other = latched ^ 0x8000
    result = yield from subject.order(Opcode.CLEAR_FAULTS, 1, other, other)
    expect(result != Result.DONE, "CLEAR_FAULTS with other faults not done", "done")
    again = (yield from subject.detail(1)).latched
    expect(again == latched, f"latched {latched:04X}", f"{again:04X}")


@clause("2.3-K-void-bet", "VOID_BET names its bet; the credits come back and the lamp goes dark.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def void_bet(subject: Subject) -> Walk[None]:
    seat = yield from confirmed_bet(subject)
    detail = yield from subject.detail(seat)
    before = (yield from subject.poll()).seats[seat - 1]
    wrong = yield from subject.order(Opcode.VOID_BET, seat, (detail.bet_seq - 1) % 2**32, 1)
    result_is(wrong, Result.MISMATCH, "VOID_BET of another bet")
    kept = (yield from subject.poll()).seats[seat - 1]
    expect(kept.bet is Bet.CONFIRMED, "the bet CONFIRMED as before", kept.bet.name)
    yield from subject.done(Opcode.VOID_BET, seat, detail.bet_seq, 1)
    after = (yield from subject.poll()).seats[seat - 1]
    expect(after.bet is Bet.VOIDED, "the bet VOIDED", after.bet.name)
    expect((after.voided - before.voided) % 2**32 == before.bet_credits, "voided total higher by the bet", after.voided)
    expect(after.lamp is LampDrive.OFF, "the lamp dark", after.lamp.name)
    back = (yield from subject.detail(seat)).balance
    given = before.bet_credits if before.mode is SeatMode.BUTTONS else 0
    expect(back == (detail.balance + given) % 2**32, "the credits back on the balance", back)
    result_is((yield from subject.order(Opcode.VOID_BET, seat, detail.bet_seq, 1)), Result.ALREADY, "the same again")


COMMANDS = (session, same_id, stale_token, unknown, loaded_to, cashed_to, seat_enable, clear_faults, void_bet)
