"""Section 2.3 C: times as exact as promised. Each lies between two polls, and is judged by its kinder end."""

from collections.abc import Callable

from drivers.conformance import play
from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.clauses.config import on_another
from drivers.conformance.clauses.loss import LOST, WATCHDOG
from drivers.conformance.instants import Instant, longest, surely_early, surely_late, time_words, tolerance
from drivers.conformance.steps import NotNow, Unmet, Wait, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import lamp_words, poll_words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.session import MILLISECOND, SECOND, Micros

_EARLIER = SECOND  # before it is due it is looked for without a pause
_REST = 3 * MILLISECOND  # between two looks, so that no network is flooded
_SETTLE = 50  # ms: the longest of 1.8, to be seen on as slow a line as can be


def change(
    subject: Subject, good: Callable[[FastPoll], bool], expected: str, within: Micros, beats: bool = False
) -> Walk[Instant]:
    """When it became so: after the last look that did not show it, before the first that did."""
    seen = yield from subject.poll()
    begun = subject.now
    last = subject.done_at.after
    while not good(seen):
        if subject.now - begun > within:
            raise Unmet(f"{expected} within {within // MILLISECOND} ms", poll_words(seen))
        last = subject.done_at.after
        yield Wait(_REST)
        if beats:
            yield from subject.feed()
        seen = yield from subject.poll()
    return Instant(last, subject.done_at.before)


def kept(start: Instant, end: Instant, promised: Micros, what: str) -> None:
    allowed = tolerance(promised)
    exact = not surely_early(start, end, promised, allowed) and not surely_late(start, end, promised, allowed)
    wanted = f"{what} of {promised // MILLISECOND} ms, kept to {allowed // MILLISECOND} ms"
    expect(exact, wanted, time_words(start, end))


def is_lost(poll: FastPoll) -> bool:
    return poll.lock in LOST


def _is_out(poll: FastPoll) -> bool:
    return poll.lock is at.LockState.OUT_OF_SERVICE


@clause("2.6-watchdog-time", "T1 is kept to 50 ms or half a percent, early or late, from the D that fed it.",
        rests_on=WATCHDOG, since=SINCE_1_1)  # fmt: skip
def watchdog_time(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from subject.tell()
    fed, timeout = subject.done_at, subject.live.host_timeout * MILLISECOND
    lost = yield from change(subject, is_lost, "HOST_LOST", timeout + 2 * SECOND)
    kept(fed, lost, timeout, "a host timeout")


@clause("2.6-hold-time", "The hold is kept to 50 ms or half a percent, early or late, from HOST_LOST on.",
        rests_on=WATCHDOG, since=SINCE_1_1)  # fmt: skip
def hold_time(subject: Subject) -> Walk[None]:
    hold = subject.live.hold * SECOND
    if not hold:
        raise NotNow("the hold is 0: out of service at once")
    yield from play.opened(subject)
    yield from subject.tell()
    lost = yield from change(subject, is_lost, "HOST_LOST", subject.live.host_timeout * MILLISECOND + 2 * SECOND)
    yield Wait(max(hold - _EARLIER, 1))
    out = yield from change(subject, _is_out, "OUT_OF_SERVICE", _EARLIER + 2 * SECOND)
    kept(lost, out, hold, "a hold")


@clause("2.6-session-feeds-nothing", "OPEN_SESSION neither feeds the watchdog nor stops it.",
        rests_on=WATCHDOG, since=SINCE_1_1)  # fmt: skip
def session_feeds_nothing(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from subject.tell()
    fed, timeout = subject.done_at, subject.live.host_timeout * MILLISECOND
    yield Wait(timeout // 3)
    yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce)
    lost = yield from change(subject, is_lost, "HOST_LOST although a session was opened", timeout + 2 * SECOND)
    moved = surely_early(fed, lost, timeout, timeout // 4) or surely_late(fed, lost, timeout, timeout // 4)
    wanted = f"HOST_LOST some {timeout // MILLISECOND} ms after the last D, whoever opened a session since"
    expect(not moved, wanted, time_words(fed, lost))


@clause("2.3-C-settle", "MEASURED is never shown before the settling time is over.",
        classes=SEATED, capability=at.Capability.CURRENT_SENSE)  # fmt: skip
def settle(subject: Subject) -> Walk[None]:
    yield from on_another(subject, _settles(subject), settle=_SETTLE)


def _settles(subject: Subject) -> Walk[None]:
    looks = 0
    for command, lamp in ((at.LampCommand.TEST << 8, at.LampDrive.TEST), (0, at.LampDrive.OFF)):
        subject.lamp = command
        yield from subject.tell()
        driven = subject.done_at
        while True:
            seen = (yield from subject.poll()).seats[0]
            if longest(driven, subject.done_at) >= _SETTLE * MILLISECOND:
                break
            looks += 1
            early = seen.lamp is lamp and bool(seen.feedback & at.Feedback.MEASURED)
            expect(not early, f"nothing measured within {_SETTLE} ms of a change of the lamp", lamp_words(seen))
        yield from play.until(subject, _is_measured, "MEASURED once the settling time is over")
    if not looks:
        raise NotNow(f"on this line nobody can look within {_SETTLE} ms")


def _is_measured(poll: FastPoll) -> bool:
    return bool(poll.seats[0].feedback & at.Feedback.MEASURED)


TIMES = (watchdog_time, hold_time, session_feeds_nothing, settle)
