"""Sections 1.8 and 2.4: a lamp that fails is told live and latched; a hand is not tested; closing is the host's."""

from drivers.conformance import play
from drivers.conformance.clause import SEATED, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import lamp_words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll

LAMP_FAULTS = at.SeatFault.LAMP_OPEN | at.SeatFault.LAMP_SHORT | at.SeatFault.LAMP_LIT_WHILE_OFF
_SENSE = at.Capability.CURRENT_SENSE


def _broken(
    subject: Subject, seat: int, word: str, sentence: str, fault: at.SeatFault, proof: at.Feedback
) -> Walk[None]:
    """Told live and latched, proven by the feedback; the live bit goes with the fault, the latched one when cleared."""
    place = subject.name_of(seat)
    held = (yield from subject.poll()).seq
    bet = (yield from subject.poll()).seats[seat - 1].bet
    detail = yield from play.by_hand_in_detail(
        subject, seat, f"seat {place} lamp {word}", sentence.format(place),
        lambda detail: bool(detail.faults & fault), f"{fault.name} live in S",
    )  # fmt: skip
    expect(bool(detail.latched & fault), f"{fault.name} latched too", f"latched {detail.latched:04X}")
    poll = yield from play.until(
        subject, lambda poll: bool(poll.seats[seat - 1].feedback & proof), f"feedback {proof.name} of seat {seat}"
    )
    seen = poll.seats[seat - 1]
    expect(bool(seen.flags & at.SeatFlag.FAULT), f"b15 of seat {seat}: fault", lamp_words(seen))
    expect(bool(seen.feedback & at.Feedback.LATCHED), f"feedback LATCHED of seat {seat}", lamp_words(seen))
    expect(not seen.flags & at.SeatFlag.FEEDBACK_AGREES, "feedback that does not agree", lamp_words(seen))
    expect(seen.bet is bet, f"the bet {bet.name} still: the host voids, not the unit", seen.bet.name)
    events = yield from events_of(subject, at.EventType.LAMP_FAULT, held)
    expect(any(one.seat == seat for one in events), "an event 8", events)
    yield from subject.order(at.Opcode.CLEAR_FAULTS, seat, detail.latched, fault)
    still = (yield from subject.detail(seat)).latched
    expect(bool(still & fault), f"{fault.name} latched still: CLEAR_FAULTS leaves what is so", f"latched {still:04X}")
    detail = yield from play.by_hand_in_detail(
        subject, seat, _mend(subject, seat), f"Repair the lamp of seat {place}.",
        lambda detail: not detail.faults & fault, f"{fault.name} not live any more",
    )  # fmt: skip
    expect(bool(detail.latched & fault), f"{fault.name} still latched", f"latched {detail.latched:04X}")
    yield from subject.done(at.Opcode.CLEAR_FAULTS, seat, detail.latched, fault)
    after = yield from subject.detail(seat)
    wanted = detail.latched & ~fault
    expect(after.latched == wanted, f"latched {wanted:04X} after CLEAR_FAULTS", f"{after.latched:04X}")
    left = (yield from subject.poll()).seats[seat - 1]
    out = not left.feedback & at.Feedback.LATCHED or bool(wanted & LAMP_FAULTS)
    expect(out, f"feedback LATCHED of seat {seat} clear after CLEAR_FAULTS", lamp_words(left))


def _mend(subject: Subject, seat: int) -> str:
    return f"seat {subject.name_of(seat)} lamp ok"


def _broken_while_lit(
    subject: Subject, word: str, sentence: str, fault: at.SeatFault, proof: at.Feedback
) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    yield from play.until(
        subject, lambda poll: bool(poll.seats[seat - 1].flags & at.SeatFlag.FEEDBACK_AGREES), "feedback that agrees"
    )
    broken = _broken(subject, seat, word, sentence, fault, proof)
    yield from play.whole_again(broken, _mend(subject, seat), "Repair the lamp.")


@clause("2.4-lamp-open", "A lit lamp that breaks is told as open, live and latched until cleared.",
        Need.HANDS, classes=SEATED, capability=_SENSE)  # fmt: skip
def lamp_open(subject: Subject) -> Walk[None]:
    yield from _broken_while_lit(
        subject, "open", "Disconnect the lamp of seat {}.", at.SeatFault.LAMP_OPEN, at.Feedback.OPEN
    )


@clause("2.4-lamp-short", "A lit lamp that is shorted is told as short, live and latched until cleared.",
        Need.HANDS, classes=SEATED, capability=_SENSE)  # fmt: skip
def lamp_short(subject: Subject) -> Walk[None]:
    yield from _broken_while_lit(
        subject, "short", "Short the lamp of seat {}.", at.SeatFault.LAMP_SHORT, at.Feedback.SHORT
    )


@clause("2.4-lamp-lit-while-off", "Current in a lamp that is off is told: a lamp stuck on is a false bet.",
        Need.HANDS, classes=SEATED, capability=_SENSE)  # fmt: skip
def lamp_lit_while_off(subject: Subject) -> Walk[None]:
    seat = yield from play.betting_seat(subject)
    yield from play.opened(subject)
    yield from play.fresh(subject)
    broken = _broken(
        subject, seat, "lit", "Feed the lamp of seat {} from outside.", at.SeatFault.LAMP_LIT_WHILE_OFF,
        at.Feedback.CURRENT_WHILE_OFF,
    )  # fmt: skip
    yield from play.whole_again(broken, _mend(subject, seat), "Repair the lamp.")


@clause("2.4-lamp-test-in-hand", "While a bet stands in any seat, the lamp command 01 moves no lamp of the unit.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def lamp_test_in_hand(subject: Subject) -> Walk[None]:
    betted = yield from play.confirmed_bet(subject)
    yield from play.locked(subject)
    for seat in (0, *subject.seats):
        subject.lamp = at.LampCommand.TEST << 8 | seat
        yield from subject.tell()
        poll = yield from play.stays(subject, _is_untested, f"no lamp test after {subject.lamp:04X} while a bet stands")
        seen = poll.seats[betted - 1]
        expect(seen.lamp is at.LampDrive.STEADY, "the steady lamp of the bet", lamp_words(seen))
    subject.lamp = 0
    yield from subject.tell()


@clause("2.4-lamp-test-between", "The lamp command 04 tests also where bets are sealed, 00 gives their light back.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def lamp_test_between(subject: Subject) -> Walk[None]:
    betted = yield from play.confirmed_bet(subject)
    subject.lamp = at.LampCommand.TEST_BETWEEN << 8
    yield from subject.tell()
    yield from play.stays(subject, _is_untested, "no lamp test after 04 while a bet is confirmed")
    subject.lamp = 0
    yield from play.locked(subject)
    subject.lamp = at.LampCommand.TEST_BETWEEN << 8
    yield from play.until(subject, play.lamp_is(betted, at.LampDrive.TEST), "a sealed bet's lamp in a test after 04")
    subject.lamp = 0
    poll = yield from play.until(subject, play.lamp_is(betted, at.LampDrive.STEADY), "a steady lamp after 00")
    seen = poll.seats[betted - 1]
    expect(seen.bet is at.Bet.SEALED, "the bet SEALED still: a test changes none", seen.bet.name)


@clause("2.4-lamp-test-disabled", "A disabled seat shows a lamp test, and nothing else.", classes=SEATED)
def lamp_test_disabled(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.fresh(subject)
    seat = subject.seats[0]
    yield from subject.done(at.Opcode.SEAT_ENABLE, seat, target=0)
    subject.lamp = at.LampCommand.TEST << 8
    tested = f"disabled seat {seat} in a lamp test after 01"
    seen = (yield from play.until(subject, play.lamp_is(seat, at.LampDrive.TEST), tested)).seats[seat - 1]
    expect(not seen.flags & at.SeatFlag.ENABLED, "a seat that is still disabled", lamp_words(seen))
    subject.lamp = 0
    yield from play.until(subject, play.lamp_is(seat, at.LampDrive.OFF), "a dark lamp after 00")
    yield from subject.done(at.Opcode.SEAT_ENABLE, seat, target=1)


def _is_untested(poll: FastPoll) -> bool:
    return all(seat.lamp is not at.LampDrive.TEST for seat in poll.seats)


LAMPS = (lamp_open, lamp_short, lamp_lit_while_off, lamp_test_in_hand, lamp_test_between, lamp_test_disabled)
