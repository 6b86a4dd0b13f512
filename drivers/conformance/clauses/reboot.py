"""Section 2.6: a unit that reboots, by command or because its power went. Money survives; sessions and lamps do not."""

from dataclasses import dataclass

from drivers.conformance import play
from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.config import cleared
from drivers.conformance.steps import Need, Unmet, Walk
from drivers.conformance.subject import Subject, detail_totals, expect, result_is, said
from drivers.conformance.words import lamp_words
from drivers.line.numbers import newer
from drivers.modbus.pdu import Denied, ReadWords, Words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Identity, SeatDetail
from drivers.session import MILLISECOND, SECOND

REBOOT = "2.6-reboot"
BOOT = 5 * SECOND  # a unit answers no later (2.6)
_COMES_BACK = 30 * SECOND  # this long it is waited for, to say how late it was
_PAUSE = 100 * MILLISECOND
_ASKED = 8  # bytes of a read


@dataclass(frozen=True, slots=True)
class _Kept:
    """What must be the same after a reboot."""

    identity: Identity
    poll: FastPoll
    details: tuple[SeatDetail, ...]


def _remember(subject: Subject) -> Walk[_Kept]:
    details: tuple[SeatDetail, ...] = ()
    yield from play.fingers_up(subject)
    for seat in subject.seats:
        details += ((yield from subject.detail(seat)),)
    return _Kept((yield from subject.identify()), (yield from subject.poll()), details)


def _somebody(subject: Subject) -> Walk[Identity | None]:
    """Who answers, if anybody does; a unit that comes up may say nothing, or nonsense, for a while."""
    heard = yield from subject.ask(ReadWords(at.IDENTITY, at.BLOCK_WORDS))
    if not isinstance(heard.answer, Words):
        return None
    who = Identity.decode(heard.answer.words, subject.unit)
    return who if isinstance(who, Identity) else None


def reboot(subject: Subject) -> Walk[Identity]:
    """By command, until the unit is back as another boot. It may be gone before its result can be read."""
    before = (yield from subject.identify()).boot_id
    order = subject.next_command(at.Opcode.REBOOT, expected=before)
    heard = yield from subject.write(at.COMMAND, order.encode())
    expect(not isinstance(heard.answer, Denied), "REBOOT taken", said(heard))
    begun = yield from play.now(0)
    while True:
        who = yield from _somebody(subject)
        if who is not None and who.boot_id != before:
            subject.identity = who
            return who
        if (yield from play.now(_PAUSE)) - begun > _COMES_BACK:
            raise Unmet(f"the unit back with a new boot_id within {_COMES_BACK // SECOND} s of REBOOT", str(who))


@clause("2.6-boot-time", "After REBOOT the unit answers within 5 s.", rests_on=REBOOT, since=SINCE_1_1)
def boot_time(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    begun = yield from play.now(0)
    yield from reboot(subject)
    took = subject.now - begun
    own = _PAUSE + subject.wire.timing.wait(_ASKED, subject.wire.framing.answer_bytes)
    expect(took <= BOOT + own, f"an answer within {BOOT // SECOND} s", f"after {took // MILLISECOND} ms")


@clause("2.6-reboot", "After REBOOT the unit is BOOT_LOCKED and dark, with a new boot_id and no session.")
def reboots(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    before = yield from subject.identify()
    token = subject.token
    other = yield from subject.order(at.Opcode.REBOOT, expected=before.boot_id ^ 1)
    result_is(other, at.Result.MISMATCH, "another boot_id")
    held = (yield from subject.poll()).seq
    who = yield from reboot(subject)
    expect(who.boots == (before.boots + 1) % 2**32, f"boot counter {before.boots + 1}", who.boots)
    expect(who.reset_cause == at.ResetCause.COMMAND, f"reset cause {at.ResetCause.COMMAND}", who.reset_cause)
    poll = yield from subject.poll()
    expect(poll.boot_id == who.boot_id, "the boot_id of I in A", f"{poll.boot_id:04X}")
    expect(poll.lock is at.LockState.BOOT_LOCKED, "BOOT_LOCKED", poll.lock.name)
    expect(not poll.flags & at.UnitFlag.SESSION_OWNED, "no session (b4 clear)", f"state {poll.flags:04X}")
    dark = all(seat.lamp in {at.LampDrive.OFF, at.LampDrive.TEST} for seat in poll.seats)
    expect(dark, "every lamp dark, or in its test", poll.seats)
    events = yield from events_of(subject, at.EventType.BOOT, held)
    expect([one.argument for one in events] == [at.ResetCause.COMMAND], "one event 14", events)
    subject.token, subject.lock, subject.round_id = token, at.UNLOCK, subject.round_id % 0xFFFF + 1
    yield from subject.tell()
    yield from play.stays(subject, play.is_not_open, "still locked after UNLOCK with the token of before the reboot")


@clause("2.6-totals-survive", "Totals, event_seq, configuration and epoch survive a reboot.", rests_on=REBOOT)
def totals_survive(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    yield from _something_to_lose(subject)
    kept = yield from _remember(subject)
    yield from reboot(subject)
    yield from _same_after(subject, kept)


def _something_to_lose(subject: Subject) -> Walk[None]:
    """A total that is not 0, wherever one can be made without hands."""
    poll = yield from subject.poll()
    for seat, seen in enumerate(poll.seats, 1):
        if seen.mode is at.SeatMode.BUTTONS and not seen.loaded:
            yield from play.funded(subject, seat, 1)


def _same_after(subject: Subject, kept: _Kept) -> Walk[None]:
    after = yield from _remember(subject)
    for what, was, seen in (
        ("serial", kept.identity.serial, after.identity.serial),
        ("epoch", kept.identity.totals_epoch, after.identity.totals_epoch),
        ("configuration", kept.identity.config_check, after.identity.config_check),
    ):
        expect(was == seen, f"{what} {was} as before the reboot", seen)
    expect(not newer(kept.poll.seq, after.poll.seq), f"event_seq {kept.poll.seq} or later", after.poll.seq)
    for place, (before, later) in enumerate(zip(kept.poll.seats, after.poll.seats, strict=True), 1):
        old, new = (before.loaded, before.bets, before.chips), (later.loaded, later.bets, later.chips)
        if before.mode is not at.SeatMode.COUNTER:
            expect(old == new, f"loaded, bets and chips totals {old} of seat {place}", new)
    for detail, left_detail in zip(kept.details, after.details, strict=True):
        counted, left = detail_totals(detail), detail_totals(left_detail)
        expect(counted == left, f"cashed, late, presses, refused {counted} of seat {detail.seat}", left)


@clause("2.6-reboot-with-bet", "A confirmed bet comes back RESTORED_DARK, its round stays locked, 03ss relights it.",
        Need.HANDS, rests_on=REBOOT, classes=SEATED)  # fmt: skip
def reboot_with_bet(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    held = yield from subject.detail(seat)
    yield from reboot(subject)
    seen = (yield from subject.poll()).seats[seat - 1]
    dark = seen.bet is at.Bet.RESTORED_DARK and seen.lamp in {at.LampDrive.OFF, at.LampDrive.TEST}
    expect(dark, "RESTORED_DARK and dark", f"{seen.bet.name}, {lamp_words(seen)}")
    detail = yield from subject.detail(seat)
    same = (detail.bet_seq, detail.round_id) == (held.bet_seq, held.round_id)
    expect(same, f"bet_seq {held.bet_seq} and round {held.round_id}", f"{detail.bet_seq} and {detail.round_id}")
    yield from play.fresh(subject)
    subject.lock = at.UNLOCK
    yield from subject.tell()
    yield from play.stays(subject, play.is_not_open, "still locked after UNLOCK with the round of a restored bet")
    subject.lock = at.LOCK
    yield from play.relit(subject, seat)


@clause("2.6-reboot-with-pending", "A bet that was PENDING at a reboot is voided; its credits are back.",
        Need.HANDS, rests_on=REBOOT, classes=SEATED)  # fmt: skip
def reboot_with_pending(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from subject.identify()
    poll = yield from play.bet(subject, seat)
    was = poll.seats[seat - 1]
    yield from reboot(subject)
    seen = (yield from subject.poll()).seats[seat - 1]
    back = seen.bet is at.Bet.VOIDED and (seen.voided - was.voided) % 2**32 == was.bet_credits
    expect(back, f"VOIDED, {was.bet_credits} more voided", f"{seen.bet.name}, voided {was.voided}, then {seen.voided}")
    events = yield from events_of(subject, at.EventType.BET_VOIDED, poll.seq)
    causes = [one.argument for one in events]
    expect(causes == [at.VoidCause.BOOT], f"one event 11 with cause {at.VoidCause.BOOT}", causes)


@clause("2.6-power-cycle", "Without power there is silence; with it the unit is back, locked, and nothing is lost.",
        Need.HANDS, Need.POWER)  # fmt: skip
def power_cycle(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    kept = yield from _remember(subject)
    unit = subject.unit
    yield from play.whole_again(_dark_and_back(subject), f"unit {unit} on", f"Give unit {unit} its power again.")
    who = subject.who
    expect(who.boot_id != kept.identity.boot_id, "a new boot_id", f"{who.boot_id:04X}")
    powered = {at.ResetCause.POWER_ON, at.ResetCause.BROWN_OUT}
    expect(who.reset_cause in powered, "reset cause 1 or 2", who.reset_cause)
    poll = yield from subject.poll()
    expect(poll.lock is at.LockState.BOOT_LOCKED, "BOOT_LOCKED", poll.lock.name)
    yield from _same_after(subject, kept)


def _dark_and_back(subject: Subject) -> Walk[None]:
    unit = subject.unit
    yield from play.deed(
        f"unit {unit} off", f"Cut the power of unit {unit}.", lambda: _somebody(subject), lambda who: who is None,
        "silence", said_of,
    )  # fmt: skip
    yield from play.deed(
        f"unit {unit} on", f"Give unit {unit} its power again.", lambda: _somebody(subject),
        lambda who: who is not None, "an answer", said_of, BOOT,
    )  # fmt: skip
    yield from subject.identify()


def said_of(who: Identity | None) -> str:
    return "silence" if who is None else who.product


REBOOTS = (reboots, boot_time, totals_survive, reboot_with_bet, reboot_with_pending, power_cycle)
