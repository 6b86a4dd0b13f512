"""Sections 2.3 D and 2.6: whose frames count, what a session begins with, and what D and the heartbeat's age show."""

from drivers.conformance import play
from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.clauses.loss import STRANGER, silence
from drivers.conformance.instants import longest, shortest
from drivers.conformance.steps import Wait, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import lamp_words
from drivers.native import contract as at
from drivers.session import MILLISECOND, Micros

_BOOKED_NOTHING = 2**30
_TICK, _SWING = 10, 50  # ms: of the age, and what an honest clock may be off
_LOOKS: tuple[Micros, ...] = (200 * MILLISECOND, 500 * MILLISECOND)
_OLD: Micros = 2_700 * MILLISECOND  # more than a byte of 10 ms can say


@clause("2.3-D-older-ack", "An older acknowledgement never replaces a newer one.", since=SINCE_1_1)
def older_ack(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    subject.ack = newest = (yield from subject.poll()).seq
    yield from subject.tell()
    for older in (_BOOKED_NOTHING, at.RING_DEPTH + 1):
        subject.ack = (newest - older) % 2**32
        yield from subject.tell()
        poll = yield from subject.poll()
        lost = bool(poll.flags & at.UnitFlag.RING_OVERFLOW)
        expect(not lost, f"b8 clear after the ack {newest} and then {subject.ack}", "b8 set")


@clause("2.3-D-read", "D reads as the last one executed, and a stale one is not shown.")
def desired_read(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    wanted = subject.desired()
    yield from subject.say(wanted)
    shown = yield from subject.words(at.DESIRED, at.WRITE_WORDS)
    expect(shown == wanted.encode(), f"D as it was written: {wanted.encode()}", shown)
    yield from subject.say(subject.desired(token=subject.token ^ 1))
    shown = yield from subject.words(at.DESIRED, at.WRITE_WORDS)
    expect(shown == wanted.encode(), f"D still as it was executed: {wanted.encode()}", shown)


@clause("2.3-A-heartbeat-age", "The heartbeat's age is the time since the last executed D, FF from 2550 ms on.")
def heartbeat_age(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    yield from subject.tell()
    fed = subject.done_at
    for pause in _LOOKS:
        yield Wait(pause)
        shown = (yield from subject.poll()).heartbeat_age * _TICK
        least, most = shortest(fed, subject.done_at) // MILLISECOND, longest(fed, subject.done_at) // MILLISECOND
        good = least - _TICK - _SWING <= shown <= most + _TICK + _SWING or most >= 0xFF * _TICK
        expect(good, f"an age of {least} to {most} ms", f"{shown} ms")
    yield Wait(_OLD)
    age = (yield from subject.poll()).heartbeat_age
    expect(age == 0xFF, "an age of FF", f"{age:02X}")


@clause("2.3-K-next-token", "Each OPEN_SESSION gives the next token, past 0.")
def next_token(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    before = (yield from subject.poll()).token
    for _ in range(2):
        yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce)
        wanted, subject.token = before % 0xFFFF + 1, (yield from subject.poll()).token
        expect(subject.token == wanted, f"token {wanted:04X} after {before:04X}", f"{subject.token:04X}")
        before = wanted


@clause("2.3-K-session-lamp", "A new session begins with the lamp command 0000.", classes=SEATED)
def session_lamp(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.fresh(subject)
    subject.lamp = at.LampCommand.TEST << 8
    yield from play.until(subject, play.every_lamp_is(at.LampDrive.TEST), "every seat in a lamp test after 0100")
    yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce)
    poll = yield from subject.poll()
    subject.lamp, subject.token = 0, poll.token
    dark = all(seat.lamp is at.LampDrive.OFF for seat in poll.seats)
    expect(dark, "every lamp dark in the new session", [lamp_words(seat) for seat in poll.seats])


@clause("2.6-same-host", "OPEN_SESSION of the same host number is no second host.")
def same_host(subject: Subject) -> Walk[None]:
    before = yield from play.opened(subject)
    if before.flags & at.UnitFlag.SECOND_HOST:  # of a clause before
        yield from subject.done(at.Opcode.CLEAR_FAULTS, 0, before.faults, 0)
    yield from subject.tell()
    yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce)
    poll = yield from subject.poll()
    subject.token, subject.lock = poll.token, at.LOCK
    expect(not poll.flags & at.UnitFlag.SECOND_HOST, "b10 clear: a host that restarts", f"state {poll.flags:04X}")


@clause("2.6-second-host-alone", "SECOND_HOST goes out with an OPEN_SESSION that finds no live session.",
        rests_on="2.6-second-host")  # fmt: skip
def second_host_alone(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from subject.tell()
    yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce ^ STRANGER)
    poll = yield from subject.poll()
    expect(bool(poll.flags & at.UnitFlag.SECOND_HOST), "b10: second host seen", f"state {poll.flags:04X}")
    yield from silence(subject)
    yield Wait(play.SOON)
    yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce)
    poll = yield from subject.poll()
    subject.token, subject.lock = poll.token, at.LOCK
    expect(not poll.flags & at.UnitFlag.SECOND_HOST, "b10 clear: nobody else lives", f"state {poll.flags:04X}")


SESSIONS = (older_ack, desired_read, heartbeat_age, next_token, session_lamp)
HOSTS = (same_host, second_host_alone)
