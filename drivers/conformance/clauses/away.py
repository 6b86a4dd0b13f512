"""Section 2.6: a host that goes away from a unit that is locked already, and what the watchdog leaves to be read."""

from drivers.conformance import play
from drivers.conformance.clause import clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.loss import WATCHDOG, silence
from drivers.conformance.steps import NotNow, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import poll_words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.session import SECOND


@clause("2.6-watchdog-cut", "The watchdog's lock too has its cut: event_seq before the lock event.", rests_on=WATCHDOG)
def watchdog_cut(subject: Subject) -> Walk[None]:
    before = yield from play.opened(subject)
    lost = yield from silence(subject)
    locks = yield from events_of(subject, at.EventType.LOCK, before.seq)
    expect(len(locks) == 1, "one event 6", locks)
    cut = (locks[0].seq - 1) % 2**32
    expect(lost.cut == cut, f"lock_cut_seq {cut}, just before the lock event", lost.cut)


@clause("2.6-locked-host-lost", "A locked unit is HOST_LOST after T1 like an open one, without a cut or a lock event.",
        rests_on=WATCHDOG)  # fmt: skip
def locked_host_lost(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    before = yield from play.locked(subject)
    lost = yield from silence(subject)
    told = yield from events_of(subject, at.EventType.HOST_LOST, before.seq)
    expect(len(told) == 1, "one event 15", told)
    locks = yield from events_of(subject, at.EventType.LOCK, before.seq)
    expect(not locks and lost.cut == before.cut, f"the cut {before.cut} still, and no event 6", f"{lost.cut}, {locks}")


@clause("2.6-locked-while-away", "Locked while the host is away, it is out of service after T1 + hold all the same.",
        rests_on=WATCHDOG)  # fmt: skip
def locked_while_away(subject: Subject) -> Walk[None]:
    if not subject.live.hold:
        raise NotNow("the hold is 0: out of service at once")
    yield from play.opened(subject)
    yield from silence(subject)
    yield from subject.say(subject.desired(lock=at.LOCK, token=subject.token ^ 1))
    poll = yield from subject.poll()
    expect(poll.lock is at.LockState.LOCKED, "LOCKED by a stranger's lock", poll_words(poll))
    within = subject.live.hold * SECOND + play.SOON
    yield from play.until(subject, _is_out, "OUT_OF_SERVICE", within, beats=False)


def _is_out(poll: FastPoll) -> bool:
    return poll.lock is at.LockState.OUT_OF_SERVICE


@clause("2.6-out-before-open", "Out of service it opens with a later D than the one that brings it back.",
        rests_on=WATCHDOG)  # fmt: skip
def out_before_open(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from silence(subject)
    yield from play.until(subject, _is_out, "OUT_OF_SERVICE", subject.live.hold * SECOND + play.SOON, beats=False)
    yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce)
    assert subject.last is not None, "the result was read"
    subject.token, subject.ack = subject.last.token, subject.last.seq
    subject.lock, subject.round_id = at.UNLOCK, subject.round_id % 0xFFFF + 1
    yield from subject.tell()
    poll = yield from subject.poll()
    expect(play.is_not_open(poll), "locked after the first D of the new session", poll_words(poll))
    yield from play.until(subject, play.is_open, "OPEN after a later D")


AWAY = (watchdog_cut, locked_host_lost, locked_while_away, out_before_open)
