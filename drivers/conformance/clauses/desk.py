"""Section 2.3 for what stands on the croupier's side: the console's presses as totals, the counter's display."""

from collections.abc import Callable

from drivers.conformance import play
from drivers.conformance.clause import SINCE_1_1, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.times import change, kept
from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject, expect, said
from drivers.modbus.pdu import Denial, WriteWords, Written
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, SeatPoll
from drivers.native.contract import Capability, EventType, UnitClass, UnitFlag
from drivers.native.writes import Display
from drivers.session import SECOND

_CONSOLE, _COUNTER = frozenset({UnitClass.CONSOLE}), frozenset({UnitClass.COUNTER})
_SHOWN = 123_456
_BLANK = 5 * SECOND


def _counted(
    subject: Subject, command: str, sentence: str, total: Callable[[SeatPoll], int], what: str
) -> Walk[FastPoll]:
    """One more of exactly this total, and of no other."""
    before = (yield from subject.poll()).seats[0]
    was = _presses(before)
    poll = yield from play.by_hand(subject, command, sentence, lambda poll: _presses(poll.seats[0]) != was, what)
    seen = _presses(poll.seats[0])
    moved = sum((new - old) % 2**32 for old, new in zip(was, seen, strict=True))
    expect(moved == 1 and total(poll.seats[0]) != total(before), f"{what} and no other", f"{was}, then {seen}")
    return poll


def _lock_pressed(subject: Subject) -> Walk[FastPoll]:
    return _counted(subject, "console lock", "Press the lock button.", lambda seat: seat.loaded, "one lock press more")


def _presses(seat: SeatPoll) -> tuple[int, int, int]:
    return seat.loaded, seat.bets, seat.voided


@clause("2.3-console-lock", "A press of the lock button counts, locks, and pulls the hardware line where there is one.",
        Need.HANDS, classes=_CONSOLE)  # fmt: skip
def console_lock(subject: Subject) -> Walk[None]:
    before = yield from play.opened(subject)
    poll = yield from _lock_pressed(subject)
    yield from play.stays(subject, play.is_not_open, "locked by the lock button")
    events = yield from events_of(subject, EventType.CROUPIER_LOCK, before.seq)
    expect(len(events) == 1, "one event 18", events)
    if subject.who.capabilities & Capability.LOCK_LINE:
        expect(bool(poll.flags & UnitFlag.LOCK_LINE), "b5: the hardware line pulled", f"state {poll.flags:04X}")
        poll = yield from play.key_up(subject)
        subject.ack = poll.seq
        poll = yield from play.until(subject, play.is_open, "OPEN after an UNLOCK")
        expect(not poll.flags & UnitFlag.LOCK_LINE, "b5 clear: the line freed by an UNLOCK", f"state {poll.flags:04X}")


@clause("2.4-unlock-unseen-key", "After its lock button a console opens only for an ack not older than the press.",
        Need.HANDS, classes=_CONSOLE)  # fmt: skip
def unlock_unseen_key(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from _lock_pressed(subject)
    yield from play.opens_when_seen(subject)


@clause("2.3-console-unlock", "A press of the unlock button counts and opens nothing: that is the host's.",
        Need.HANDS, classes=_CONSOLE)  # fmt: skip
def console_unlock(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    before = yield from play.locked(subject)
    yield from _counted(
        subject, "console unlock", "Press the unlock button.", lambda seat: seat.bets, "one unlock press more"
    )
    yield from play.stays(subject, play.is_not_open, "still locked after the unlock button")
    events = yield from events_of(subject, EventType.CROUPIER_UNLOCK, before.seq)
    expect(len(events) == 1, "one event 19", events)


@clause("2.3-console-key", "Every turn of the key switch counts.", Need.HANDS, classes=_CONSOLE)
def console_key(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    for side in ("on", "off"):
        yield from _counted(
            subject, f"console key {side}", f"Turn the key switch {side}.", lambda seat: seat.voided, "one change more"
        )


@clause("2.3-V-shown", "V is shown with a good token and heartbeat only; a wrong check word is refused.",
        classes=_COUNTER)  # fmt: skip
def display_shown(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    yield from _show(subject, _SHOWN)
    yield from play.until(subject, _shows(_SHOWN), f"{_SHOWN} shown")
    for what, stale in (
        ("a stale token", Display(token=subject.token ^ 1, heartbeat=subject.beat + 1, value=7)),
        ("an old heartbeat", Display(token=subject.token, heartbeat=(subject.beat - 100) & 0xFFFF, value=7)),
    ):
        yield from subject.write(at.DISPLAY, stale.encode())
        poll = yield from subject.poll()
        expect(poll.seats[0].loaded == _SHOWN, f"{_SHOWN} still, after a write with {what}", poll.seats[0].loaded)
    words = Display(token=subject.token, heartbeat=subject.beat + 2, value=7).encode()
    yield from subject.refuse(WriteWords(at.DISPLAY, (*words[:-1], words[-1] ^ 1)), Denial.VALUE)
    yield from subject.refuse(WriteWords(at.DISPLAY, words[:-1]), Denial.VALUE)
    yield from _show(subject, 0)
    yield from play.until(subject, _shows(0), "0 shown")


def _show(subject: Subject, value: int) -> Walk[None]:
    subject.beat = (subject.beat + 1) & 0xFFFF
    display = Display(token=subject.token, heartbeat=subject.beat, value=value)
    heard = yield from subject.write(at.DISPLAY, display.encode())
    expect(isinstance(heard.answer, Written), "V taken", said(heard))


def _shows(value: int) -> Callable[[FastPoll], bool]:
    return lambda poll: poll.seats[0].loaded == value


@clause("2.3-V-blank", "Five seconds after the last good V nothing is shown, and not before.", classes=_COUNTER)
def display_blank(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    yield from _show(subject, _SHOWN)
    yield from play.until(subject, _shows(_SHOWN), f"{_SHOWN} shown")
    yield from play.keep(subject, _BLANK * 8 // 10)
    yield from play.stays(subject, _shows(_SHOWN), f"{_SHOWN} still shown before five seconds are over")
    rest = _BLANK * 3 // 10 + play.SOON
    yield from play.until(subject, lambda poll: poll.seats[0].loaded != _SHOWN, "dashes instead of the value", rest)


@clause(
    "2.3-V-blank-time", "The five seconds of V are kept to 50 ms, early or late.", classes=_COUNTER, since=SINCE_1_1,
        rests_on="2.3-V-blank")  # fmt: skip
def display_blank_time(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    yield from _show(subject, _SHOWN)
    shown = subject.done_at
    blank = yield from change(
        subject, lambda poll: poll.seats[0].loaded != _SHOWN, "dashes instead of the value", _BLANK + SECOND, beats=True
    )
    kept(shown, blank, _BLANK, "a display")


DESK = (
    console_lock,
    unlock_unseen_key,
    console_unlock,
    console_key,
    display_shown,
    display_blank,
    display_blank_time,
)
