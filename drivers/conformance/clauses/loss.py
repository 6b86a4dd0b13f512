"""Section 2.6: a host that is silent, a host that comes back, two hosts."""

from dataclasses import replace

from drivers.conformance import play
from drivers.conformance.clause import SEATED, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.config import cleared, install
from drivers.conformance.steps import Need, NotNow, Unmet, Wait, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import lamp_words, poll_words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND

WATCHDOG = "2.6-watchdog"
STRANGER = 0x00C0FFEE  # turns our nonce into another host's
_SLOW = 3  # times the host timeout: so that the watchdog is first
LOST = {at.LockState.HOST_LOST, at.LockState.OUT_OF_SERVICE}


def silence(subject: Subject) -> Walk[FastPoll]:
    """The host says nothing, and only reads, until the unit has noticed."""
    within = subject.live.host_timeout * MILLISECOND + play.SOON
    return play.until(subject, lambda poll: poll.lock in LOST, "HOST_LOST", within, beats=False)


@clause("2.6-watchdog", "A host that only reads is lost after the host timeout, not before: locked and latched.")
def watchdog(subject: Subject) -> Walk[None]:
    before = yield from play.opened(subject)
    yield from subject.tell()
    yield Wait(subject.live.host_timeout * MILLISECOND * 8 // 10)
    yield from play.stays(subject, play.is_open, f"OPEN until {subject.live.host_timeout} ms without a heartbeat")
    poll = yield from silence(subject)
    expect(bool(poll.faults & at.UnitFault.HOST_LOST), "fault 4: host lost, latched", f"faults {poll.faults:04X}")
    events = yield from events_of(subject, at.EventType.HOST_LOST, before.seq)
    expect(len(events) == 1, "one event 15", events)
    locks = yield from events_of(subject, at.EventType.LOCK, before.seq)
    causes = [one.argument for one in locks]
    expect(causes == [at.LockCause.WATCHDOG], f"one event 6 with cause {at.LockCause.WATCHDOG}", causes)


@clause("2.6-heartbeat-order", "Only a newer heartbeat with the current token feeds the watchdog.", rests_on=WATCHDOG)
def heartbeat_order(subject: Subject) -> Walk[None]:
    for what, stale in (("the same heartbeat", {"heartbeat"}), ("a newer one with a stale token", {"token"})):
        before = yield from play.opened(subject)
        yield from subject.tell()
        kept = {"heartbeat": subject.beat, "token": subject.token ^ 1}
        instead = {name: kept[name] for name in stale}
        begun = yield from play.now(0)
        timeout = subject.live.host_timeout * MILLISECOND
        while (yield from play.now(timeout // 8)) - begun < timeout + play.SOON:
            yield from subject.say(subject.desired(**instead))
        events = yield from events_of(subject, at.EventType.HOST_LOST, before.seq)
        expect(len(events) == 1, f"one event 15 although {what} goes on", poll_words((yield from subject.poll())))


@clause("2.6-host-back", "After HOST_LOST a newer heartbeat and UNLOCK open again, with an event 16.",
        rests_on=WATCHDOG)  # fmt: skip
def host_back(subject: Subject) -> Walk[None]:
    if not subject.live.hold:
        raise NotNow("the hold is 0: out of service at once")
    yield from play.opened(subject)
    lost = yield from silence(subject)
    yield from play.until(subject, play.is_open, "OPEN again in the same round")
    events = yield from events_of(subject, at.EventType.HOST_BACK, lost.seq)
    expect(len(events) == 1, "one event 16", events)


@clause("2.6-out-of-service", "After the hold the unit is out of service; only a new session brings it back.",
        rests_on=WATCHDOG)  # fmt: skip
def out_of_service(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from silence(subject)
    poll = yield from _held_out(subject)
    dark = all(seat.lamp is at.LampDrive.OFF for seat in poll.seats)
    expect(dark, "every lamp dark", poll_words(poll))
    yield from subject.tell()
    yield from play.stays(subject, _is_out, "OUT_OF_SERVICE still, whatever D says without a new session")
    poll = yield from play.fresh(subject)
    expect(poll.lock is at.LockState.LOCKED, "LOCKED by a new session and D", poll_words(poll))


def _is_out(poll: FastPoll) -> bool:
    return poll.lock is at.LockState.OUT_OF_SERVICE


def _held_out(subject: Subject) -> Walk[FastPoll]:
    within = subject.live.hold * SECOND + play.SOON
    return play.until(subject, _is_out, "OUT_OF_SERVICE", within, beats=False)


@clause("2.6-lamps-held", "When the host is lost a confirmed bet stays lit for the hold, then waits dark for 03ss.",
        Need.HANDS, classes=SEATED, rests_on=WATCHDOG)  # fmt: skip
def lamps_held(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    yield from silence(subject)
    if subject.live.hold:
        yield Wait(subject.live.hold * SECOND // 2)
        seen = (yield from subject.poll()).seats[seat - 1]
        held = seen.lamp is at.LampDrive.STEADY and seen.bet in {at.Bet.CONFIRMED, at.Bet.SEALED}
        expect(held, "a confirmed bet with a steady lamp during the hold", f"{seen.bet.name}, {lamp_words(seen)}")
    seen = (yield from _held_out(subject)).seats[seat - 1]
    expect(seen.lamp is at.LampDrive.OFF, "a dark lamp after the hold", lamp_words(seen))
    expect(seen.bet is at.Bet.RESTORED_DARK, "the bet kept, RESTORED_DARK", seen.bet.name)
    seen = (yield from play.fresh(subject)).seats[seat - 1]
    dark = seen.bet is at.Bet.RESTORED_DARK and seen.lamp is at.LampDrive.OFF
    expect(dark, "RESTORED_DARK and dark still in a new session", f"{seen.bet.name}, {lamp_words(seen)}")
    yield from play.relit(subject, seat)


@clause("2.6-pending-voided", "When the host is lost what is PENDING is voided at once.",
        Need.HANDS, classes=SEATED, rests_on=WATCHDOG)  # fmt: skip
def pending_voided(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from play.fresh(subject)
    usual = subject.live
    slow = replace(usual, confirm_timeout=_SLOW * usual.host_timeout, generation=usual.generation % 0xFFFF + 1)
    yield from install(subject, slow)
    try:
        yield from _pending_lost(subject, seat)
    except Unmet:
        yield from _installed_again(subject, usual)
        raise
    yield from _installed_again(subject, usual)


def _pending_lost(subject: Subject, seat: int) -> Walk[None]:
    yield from play.opened(subject)
    poll = yield from play.bet(subject, seat)
    seen = (yield from silence(subject)).seats[seat - 1]
    void = seen.bet is at.Bet.VOIDED and seen.lamp is at.LampDrive.OFF
    expect(void, "VOIDED and dark", f"{seen.bet.name}, {lamp_words(seen)}")
    events = yield from events_of(subject, at.EventType.BET_VOIDED, poll.seq)
    causes = [one.argument for one in events]
    expect(causes == [at.VoidCause.HOST_LOST], f"one event 11 with cause {at.VoidCause.HOST_LOST}", causes)


def _installed_again(subject: Subject, usual: Config) -> Walk[None]:
    yield from cleared(subject)
    yield from install(subject, replace(usual, generation=subject.live.generation % 0xFFFF + 1))


@clause("2.6-second-host", "A second host's OPEN_SESSION changes the token, locks and sets b10; the first is refused.")
def second_host(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from subject.tell()
    yield from subject.done(at.Opcode.OPEN_SESSION, target=subject.nonce ^ STRANGER)
    poll = yield from subject.poll()
    expect(poll.token != subject.token, "another token", f"{poll.token:04X}")
    expect(not play.is_open(poll), "locked", poll.lock.name)
    expect(bool(poll.flags & at.UnitFlag.SECOND_HOST), "b10: second host seen", f"state {poll.flags:04X}")
    subject.lock, subject.round_id = at.UNLOCK, subject.round_id % 0xFFFF + 1
    yield from subject.tell()
    yield from play.stays(subject, play.is_not_open, "locked still after the first host's UNLOCK")
    subject.token, subject.lock = poll.token, at.LOCK
    yield from subject.tell()
    yield from subject.done(at.Opcode.CLEAR_FAULTS, 0, poll.faults, 0)
    poll = yield from subject.poll()
    forgotten = not poll.flags & at.UnitFlag.SECOND_HOST
    expect(forgotten, "b10 cleared by CLEAR_FAULTS of the unit", f"state {poll.flags:04X}")


LOSS = (watchdog, heartbeat_order, host_back, out_of_service, lamps_held, pending_voided, second_host)
