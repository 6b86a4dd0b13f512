"""Section 2.5: locking at one instant, from any frame, and what becomes of a press that was on its way."""

from drivers.conformance import play
from drivers.conformance.clause import SEATED, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import lamp_words, poll_words
from drivers.line.numbers import newer
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.session import MILLISECOND

_NEARLY = 0x554F  # one bit beside UNLOCK


def _is_locked(poll: FastPoll) -> bool:
    return poll.lock is at.LockState.LOCKED


@clause("2.5-lock-any-frame", "LOCK is executed from any good frame: stale token, stale heartbeat, unknown lock word.")
def lock_any_frame(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    for what, instead in (
        ("an ordinary LOCK", {"lock": at.LOCK}),
        ("LOCK with a stale token", {"lock": at.LOCK, "token": subject.token ^ 1}),
        ("LOCK with token 0", {"lock": at.LOCK, "token": at.NO_TOKEN}),
        ("LOCK with an old heartbeat", {"lock": at.LOCK, "heartbeat": (subject.beat - 5) & 0xFFFF}),
        ("a lock word of 0", {"lock": 0}),
        ("a lock word of FFFF", {"lock": 0xFFFF}),
        (f"a lock word of {_NEARLY:04X}", {"lock": _NEARLY}),
    ):
        subject.lock = at.UNLOCK
        yield from play.until(subject, play.is_open, f"OPEN before {what}")
        yield from subject.say(subject.desired(**instead))
        yield from play.stays(subject, play.is_not_open, f"locked by {what}")


@clause("2.5-lock-cut", "lock_cut_seq is event_seq before the lock event; the event says the cause.")
def lock_cut(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    seq, cause = (yield from subject.poll()).seq, at.LockCause.HOST
    subject.lock = at.LOCK
    poll = yield from play.until(subject, _is_locked, "LOCKED")
    expect(poll.cut == seq, f"lock_cut_seq {seq}", poll.cut)
    events = yield from events_of(subject, at.EventType.LOCK, seq)
    seen = [(one.seq, one.argument) for one in events]
    expect(seen == [((seq + 1) % 2**32, cause)], f"one event 6 with number {seq + 1} and cause {cause}", seen)


@clause("2.5-lock-again", "A lock of a locked unit changes nothing: no new cut, no event.")
def lock_again(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.locked(subject)
    before = yield from subject.poll()
    for _ in range(3):
        yield from subject.tell()
    after = yield from subject.poll()
    same = (before.cut, before.seq, before.lock) == (after.cut, after.seq, after.lock)
    expect(same, f"cut {before.cut} and event_seq {before.seq}", f"{after.cut} and {after.seq}, {after.lock.name}")


@clause("2.5-lock-in-flight", "A bet made before the lock stands: up to the cut, LOCKING until acked, SEALED.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def lock_in_flight(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from play.bet(subject, seat)
    subject.lock = at.LOCK
    yield from subject.tell()
    poll = yield from subject.poll()
    locking = poll.lock is at.LockState.LOCKING and poll.seats[seat - 1].bet is at.Bet.PENDING
    expect(locking, "LOCKING with the bet PENDING", poll_words(poll))
    made = (yield from subject.detail(seat)).bet_seq
    expect(not newer(made, poll.cut), f"the bet's number {made} up to the cut", f"cut {poll.cut}")
    yield from play.acknowledged(subject, seat)
    poll = yield from play.until(subject, _is_locked, "LOCKED once everything is acked")
    seen = poll.seats[seat - 1]
    expect(seen.bet is at.Bet.SEALED and seen.lamp is at.LampDrive.STEADY, "SEALED and steady",
           f"{seen.bet.name}, {lamp_words(seen)}")  # fmt: skip


@clause("2.5-locking-ends", "LOCKING ends by itself: what nobody acks is voided.", Need.HANDS, classes=SEATED)
def locking_ends(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from play.bet(subject, seat)
    subject.lock = at.LOCK
    within = subject.live.confirm_timeout * MILLISECOND + play.SOON
    poll = yield from play.until(subject, _is_locked, "LOCKED by itself", within)
    expect(poll.seats[seat - 1].bet is at.Bet.VOIDED, "the bet VOIDED", poll.seats[seat - 1].bet.name)


@clause("2.5-press-when-locked", "A press at a locked seat is refused, counted and explained; no credit moves.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def press_when_locked(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    button = play.good_button(subject)
    yield from play.funded(subject, seat, subject.live.buttons[button - 1])
    yield from play.locked(subject)
    held = (yield from subject.poll()).seq
    yield from play.press_refused(subject, seat, button)
    events = yield from events_of(subject, at.EventType.PRESS_REFUSED, held)
    reasons = [one.argument for one in events if one.seat == seat]
    expect(reasons == [at.PressRefusal.LOCKED], "an event 2 with reason 1 (locked), no edge before the lock", reasons)


@clause("2.5-lock-line", "The hardware line locks, b5 says so, and no UNLOCK is executed while it is pulled.",
        Need.HANDS, classes=SEATED, capability=at.Capability.LOCK_LINE)  # fmt: skip
def lock_line(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.whole_again(_line_pulled(subject), "console line free", "Free the hardware lock line.")


@clause("2.4-unlock-unseen-line", "After a lock by the line a unit opens only for an ack that is not older than it.",
        Need.HANDS, classes=SEATED, capability=at.Capability.LOCK_LINE)  # fmt: skip
def unlock_unseen_line(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.whole_again(_line_pulled_and_freed(subject), "console line free", "Free the hardware lock line.")
    yield from play.opens_when_seen(subject)


def _line_pulled_and_freed(subject: Subject) -> Walk[None]:
    for command, sentence, pulled in (
        ("console line pull", "Pull (break) the hardware lock line.", True),
        ("console line free", "Free the hardware lock line.", False),
    ):
        yield from play.by_hand(
            subject, command, sentence,
            lambda poll, pulled=pulled: bool(poll.flags & at.UnitFlag.LOCK_LINE) is pulled,  # type: ignore[misc]
            f"b5 {'set' if pulled else 'clear'}",
        )  # fmt: skip


def _line_pulled(subject: Subject) -> Walk[None]:
    before = yield from subject.poll()
    poll = yield from play.by_hand(
        subject, "console line pull", "Pull (break) the hardware lock line.",
        lambda poll: bool(poll.flags & at.UnitFlag.LOCK_LINE), "b5: hardware lock line",
    )  # fmt: skip
    expect(poll.lock is at.LockState.LOCKED, "LOCKED by the line", poll.lock.name)
    events = yield from events_of(subject, at.EventType.LOCK, before.seq)
    causes = [one.argument for one in events]
    expect(causes == [at.LockCause.LINE], f"one event 6 with cause {at.LockCause.LINE}", causes)
    subject.round_id, subject.ack = subject.round_id % 0xFFFF + 1, poll.seq
    yield from subject.tell()
    yield from play.stays(subject, play.is_not_open, "still locked after UNLOCK with the line pulled")
    subject.lock = at.LOCK
    yield from play.by_hand(
        subject, "console line free", "Free the hardware lock line.",
        lambda poll: not poll.flags & at.UnitFlag.LOCK_LINE, "b5 clear",
    )  # fmt: skip
    yield from play.stays(subject, play.is_not_open, "still locked once the line is free")
    yield from play.fresh(subject)


LOCKS = (
    lock_any_frame, lock_cut, lock_again, lock_in_flight, locking_ends, press_when_locked, lock_line,
    unlock_unseen_line,
)  # fmt: skip
