"""Sections 2.4 and 2.5 for a chip slot: every chip counts once, none is given back by the unit, none counts late."""

from drivers.conformance import play
from drivers.conformance.clause import SEATED, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.loss import silence
from drivers.conformance.clauses.reboot import reboot
from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import lamp_words
from drivers.native.blocks import FastPoll
from drivers.native.contract import Bet, Capability, EventType, LampDrive, Opcode, SeatFault, SeatFlag, SeatMode
from drivers.session import MILLISECOND

_SLOT = Capability.CHIP_SLOT


@clause("2.4-chip-and-ack", "A chip is PENDING until acked and never voided by the unit; a later one is told by b13.",
        Need.HANDS, classes=SEATED, capability=_SLOT)  # fmt: skip
def chip_and_ack(subject: Subject) -> Walk[None]:
    seat = yield from play.seat_with(subject, SeatMode.CHIPS)
    before = yield from play.opened(subject)
    was, worth = before.seats[seat - 1], subject.live.chip_credits
    seen = (yield from play.chip(subject, seat)).seats[seat - 1]
    expect(seen.bet is Bet.PENDING, "the bet PENDING", seen.bet.name)
    expect(seen.lamp is LampDrive.PENDING, "a lamp that blinks fast", lamp_words(seen))
    moved = ((seen.chips - was.chips) % 2**32, seen.bet_credits, (seen.bets - was.bets) % 2**32)
    expect(moved == (worth, worth, 0), f"chips and bet higher by {worth}, bets total as it was", moved)
    events = yield from events_of(subject, EventType.CHIP, before.seq)
    expect([one.seat for one in events] == [seat], "one event 3", events)
    yield from play.keep(subject, subject.live.confirm_timeout * MILLISECOND + play.SOON)
    seen = (yield from subject.poll()).seats[seat - 1]
    expect(seen.bet is Bet.PENDING, "PENDING still after the confirm timeout: the chip is in the box", seen.bet.name)
    seen = (yield from play.acknowledged(subject, seat)).seats[seat - 1]
    expect(seen.lamp is LampDrive.STEADY, "a steady lamp after the ack", lamp_words(seen))
    seen = (yield from play.chip(subject, seat)).seats[seat - 1]
    part = bool(seen.flags & SeatFlag.PART_UNACKED)
    expect(part and seen.bet_credits == 2 * worth, f"b13 and a bet of {2 * worth}", f"b13 {part}, {seen.bet_credits}")
    expect(seen.lamp is LampDrive.STEADY, "a steady lamp: a part is acked", lamp_words(seen))
    subject.ack = (yield from subject.poll()).seq
    yield from play.until(
        subject, lambda poll: not poll.seats[seat - 1].flags & SeatFlag.PART_UNACKED, "b13 clear after the ack"
    )


@clause("2.4-chip-limit", "Above the maximum the gate is shut: what would exceed it is not counted as a bet.",
        Need.HANDS, classes=SEATED, capability=_SLOT)  # fmt: skip
def chip_limit(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject, SeatMode.CHIPS)
    live = subject.live
    for _ in range(live.most // live.chip_credits):
        yield from play.chip(subject, seat)
        yield from play.acknowledged(subject, seat)
    yield from _not_counted(subject, seat, "above the maximum")


@clause("2.5-chip-when-locked", "A chip at a locked seat is kept out or counted as late; it lights no lamp.",
        Need.HANDS, classes=SEATED, capability=_SLOT)  # fmt: skip
def chip_when_locked(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject, SeatMode.CHIPS)
    yield from play.locked(subject)
    yield from _not_counted(subject, seat, "while locked")


def _not_counted(subject: Subject, seat: int, when: str) -> Walk[None]:
    before = (yield from subject.poll()).seats[seat - 1]
    late = (yield from subject.detail(seat)).late
    place = subject.name_of(seat)
    poll = yield from play.attempt(
        subject, f"seat {place} chip", f"Try to put one chip into seat {place} ({when}); press Enter when done."
    )
    after = poll.seats[seat - 1]
    same = (before.chips, before.bet, before.bet_credits, before.lamp) == (
        after.chips, after.bet, after.bet_credits, after.lamp,
    )  # fmt: skip
    expect(same, f"chips, bet and lamp as before a chip {when}", after)
    more = ((yield from subject.detail(seat)).late - late) % 2**32
    expect(more in {0, 1}, "at most one late chip", more)


@clause("2.4-chip-jam", "A chip that sticks is told live and latched, with an event 5.",
        Need.HANDS, classes=SEATED, capability=_SLOT)  # fmt: skip
def chip_jam(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject, SeatMode.CHIPS)
    yield from play.whole_again(_jammed(subject, seat), f"seat {subject.name_of(seat)} unjam", "Free the path.")


def _jammed(subject: Subject, seat: int) -> Walk[None]:
    before = yield from subject.poll()
    place = subject.name_of(seat)
    detail = yield from play.by_hand_in_detail(
        subject, seat, f"seat {place} jam", f"Hold a chip in the path of seat {place}.",
        lambda detail: bool(detail.faults & SeatFault.CHIP_JAM), "CHIP_JAM live in S",
    )  # fmt: skip
    expect(bool(detail.latched & SeatFault.CHIP_JAM), "CHIP_JAM latched too", f"latched {detail.latched:04X}")
    events = yield from events_of(subject, EventType.JAM, before.seq)
    expect(any(one.seat == seat for one in events), "an event 5", events)
    yield from play.by_hand_in_detail(
        subject, seat, f"seat {place} unjam", f"Free the path of seat {place}.",
        lambda detail: not detail.faults & SeatFault.CHIP_JAM, "CHIP_JAM not live any more",
    )  # fmt: skip


@clause("2.6-chip-kept", "A chip that is PENDING is not voided when the host is lost, nor by a reboot.",
        Need.HANDS, classes=SEATED, capability=_SLOT)  # fmt: skip
def chip_kept(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject, SeatMode.CHIPS)
    was = (yield from play.chip(subject, seat)).seats[seat - 1]
    for what, happens in (("the loss of the host", silence), ("a reboot", _reboot_in_session)):
        yield from happens(subject)
        seen = (yield from subject.poll()).seats[seat - 1]
        kept = seen.bet is Bet.PENDING and (seen.chips, seen.voided) == (was.chips, was.voided)
        expect(kept, f"the chip PENDING after {what}, nothing voided", f"{seen.bet.name}, voided {seen.voided}")


def _reboot_in_session(subject: Subject) -> Walk[FastPoll]:
    """A new session in which nothing is booked: the host acknowledges nothing (2.4)."""
    yield from subject.done(Opcode.OPEN_SESSION, target=subject.nonce)
    subject.token = (yield from subject.poll()).token
    yield from reboot(subject)
    return (yield from subject.poll())


CHIPS = (chip_and_ack, chip_limit, chip_when_locked, chip_jam, chip_kept)
