"""Section 2.4: the life of an electronic bet, from the finger to the steady lamp, and every way it must not go."""

from drivers.conformance import play
from drivers.conformance.clause import SEATED, clause
from drivers.conformance.steps import Need, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import lamp_words
from drivers.line.numbers import newer
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, RingEntry
from drivers.session import MILLISECOND


def events_of(subject: Subject, kind: at.EventType, after: int) -> Walk[list[RingEntry]]:
    """Of this type, since `after`, oldest first."""
    ring = yield from subject.ring()
    return [one for one in ring.entries if one.kind == kind and newer(one.seq, after)]


@clause("2.4-press-and-ack", "A press is PENDING and blinks fast; only the ack makes it CONFIRMED and steady.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def press_and_ack(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    button = play.good_button(subject)
    credit = subject.live.buttons[button - 1]
    yield from play.funded(subject, seat, credit)
    presses = (yield from subject.detail(seat)).presses
    before = yield from subject.poll()
    subject.ack = before.seq
    pending = yield from play.press(subject, seat, button, lambda seen: seen.bet is not at.Bet.NONE, "a bet PENDING")
    was, seen = before.seats[seat - 1], pending.seats[seat - 1]
    expect(seen.bet is at.Bet.PENDING, "the bet PENDING before any ack", seen.bet.name)
    expect(seen.lamp is at.LampDrive.PENDING, "a lamp that blinks fast before any ack", lamp_words(seen))
    expect(seen.bet_credits == credit, f"a bet of {credit}", seen.bet_credits)
    expect((seen.bets - was.bets) % 2**32 == credit, f"bets total {was.bets + credit}", seen.bets)
    made = yield from events_of(subject, at.EventType.PRESS_ACCEPTED, before.seq)
    expect([(one.seat, one.credits) for one in made] == [(seat, credit)], f"one event 1 with {credit}", made)
    detail = yield from subject.detail(seat)
    expect(detail.bet_seq == made[0].seq, f"bet_seq {made[0].seq}, of the event", detail.bet_seq)
    expect(detail.round_id == subject.round_id, f"round {subject.round_id} in S", detail.round_id)
    expect(detail.presses == (presses + 1) % 2**32, f"presses {presses + 1} in S", detail.presses)
    after = yield from play.acknowledged(subject, seat)
    done = after.seats[seat - 1]
    steady = done.lamp is at.LampDrive.STEADY and bool(done.flags & at.SeatFlag.LAMP_STEADY)
    expect(steady, "a steady lamp", lamp_words(done))
    expect(done.bets == seen.bets, f"bets total still {seen.bets}", done.bets)
    booked = [
        (one.seat, one.credits) for one in (yield from events_of(subject, at.EventType.BET_CONFIRMED, before.seq))
    ]
    expect(booked == [(seat, credit)], f"one event 10 with {credit}", booked)
    yield from _agrees(subject, seat)


def _agrees(subject: Subject, seat: int) -> Walk[None]:
    """The feedback, measured after settle, proves the lamp (1.8)."""

    def agrees(poll: FastPoll) -> bool:
        seen = poll.seats[seat - 1]
        return bool(seen.flags & at.SeatFlag.FEEDBACK_AGREES) and bool(seen.feedback & at.Feedback.MEASURED)

    settled = subject.live.settle * MILLISECOND + play.SOON
    yield from play.until(subject, agrees, f"b11: feedback of seat {seat} that agrees with a steady lamp", settled)


@clause("2.4-ack-is-ours", "An ack with a stale token or beat, or newer than the unit's own events, confirms nothing.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def ack_is_ours(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    poll = yield from play.bet(subject, seat)
    for what, wanted in (
        ("a stale token", subject.desired(token=subject.token ^ 1, ack=poll.seq)),
        ("an old heartbeat", subject.desired(heartbeat=(subject.beat - 9) & 0xFFFF, ack=poll.seq)),
        ("the future", subject.desired(ack=(poll.seq + 1000) % 2**32)),
    ):
        yield from subject.say(wanted)
        seen = (yield from subject.poll()).seats[seat - 1]
        expect(seen.bet in {at.Bet.PENDING, at.Bet.VOIDED}, f"the bet not confirmed by an ack of {what}", seen.bet.name)


@clause("2.4-confirm-timeout", "Without an ack the unit voids and gives the credits back; a late ack is void.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def confirm_timeout(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    poll = yield from play.bet(subject, seat)
    seen, held = poll.seats[seat - 1], subject.ack
    within = subject.live.confirm_timeout * MILLISECOND + play.SOON
    after = yield from play.until(
        subject, lambda poll: poll.seats[seat - 1].bet is not at.Bet.PENDING, "the bet VOIDED by itself", within
    )
    done = after.seats[seat - 1]
    expect(done.bet is at.Bet.VOIDED, "the bet VOIDED", done.bet.name)
    expect((done.voided - seen.voided) % 2**32 == seen.bet_credits, f"voided {seen.bet_credits} more", done.voided)
    expect(done.lamp is at.LampDrive.OFF, "a dark lamp", lamp_words(done))
    events = yield from events_of(subject, at.EventType.BET_VOIDED, held)
    told, cause = [(one.argument, one.credits) for one in events if one.seat == seat], at.VoidCause.CONFIRM_TIMEOUT
    expect(told[-1:] == [(cause, seen.bet_credits)], f"an event 11 with cause {cause} and {seen.bet_credits}", told)
    subject.ack = after.seq
    yield from subject.tell()
    late = (yield from subject.poll()).seats[seat - 1]
    same = (late.bet, late.bets, late.voided) == (done.bet, done.bets, done.voided)
    expect(same, "nothing changed by an ack that comes later", late)


@clause("2.4-second-press", "One bet per seat and round: a second press is refused and counted.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def second_press(subject: Subject) -> Walk[None]:
    seat = yield from play.pressed_bet(subject)
    button = play.good_button(subject)
    yield from play.funded(subject, seat, subject.live.buttons[button - 1])
    yield from _refused(subject, seat, button, at.PressRefusal.SECOND_BET)


def _refused(subject: Subject, seat: int, button: int, reason: at.PressRefusal) -> Walk[None]:
    held = (yield from subject.poll()).seq
    yield from play.press_refused(subject, seat, button)
    events = yield from events_of(subject, at.EventType.PRESS_REFUSED, held)
    reasons = [one.argument & 0xFF for one in events if one.seat == seat]
    expect(reasons == [reason], f"an event 2 with reason {reason} ({reason.name})", reasons)


@clause("2.4-limits", "A press above the limits, of a button that is off, or without credit is refused.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def limits(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    live = subject.live
    wanted = "outside the limits"
    outside = play.button_of(subject, lambda credit: credit > live.most or 0 < credit < live.least, wanted)
    yield from play.funded(subject, seat, live.buttons[outside - 1])
    yield from _refused(subject, seat, outside, at.PressRefusal.OUTSIDE_LIMITS)
    off = play.button_of(subject, lambda credit: not credit, "off")
    yield from _refused(subject, seat, off, at.PressRefusal.BUTTON_OFF)
    detail = yield from subject.detail(seat)
    cashed = (detail.cashed + detail.balance) % 2**32
    yield from subject.done(at.Opcode.CASHED_TO, seat, detail.cashed, cashed)
    yield from _refused(subject, seat, play.good_button(subject), at.PressRefusal.NO_CREDIT)


@clause("2.4-press-when-disabled", "A disabled seat refuses presses.", Need.HANDS, classes=SEATED)
def press_when_disabled(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    button = play.good_button(subject)
    yield from play.funded(subject, seat, subject.live.buttons[button - 1])
    yield from subject.done(at.Opcode.SEAT_ENABLE, seat, target=0)
    yield from _refused(subject, seat, button, at.PressRefusal.DISABLED)


@clause("2.4-press-after-void", "A voided bet leaves the seat free for another in the same round.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def press_after_void(subject: Subject) -> Walk[None]:
    seat = yield from play.pressed_bet(subject)
    detail = yield from subject.detail(seat)
    yield from subject.done(at.Opcode.VOID_BET, seat, detail.bet_seq, 1)
    yield from play.bet(subject, seat)
    yield from play.acknowledged(subject, seat)


@clause(
    "2.4-every-seat", "Each seat of the unit counts its own bet and no other.", Need.SEVERAL, Need.HANDS, classes=SEATED
)
def every_seat(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    modes = [seat.mode for seat in (yield from subject.poll()).seats]
    seats = [seat for seat in subject.seats if modes[seat - 1] is at.SeatMode.BUTTONS]
    for seat in seats:
        before = yield from subject.poll()
        yield from play.bet(subject, seat)
        after = yield from play.acknowledged(subject, seat)
        for other in set(subject.seats) - {seat}:
            was, seen = before.seats[other - 1], after.seats[other - 1]
            same = (was.bet, was.bets, was.loaded, was.lamp) == (seen.bet, seen.bets, seen.loaded, seen.lamp)
            expect(same, f"seat {other} untouched by a bet of seat {seat}", seen)


@clause("2.4-new-round", "A sealed round never opens again; a new one clears bet and lamp.", Need.HANDS, classes=SEATED)
def new_round(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    poll = yield from play.locked(subject)
    seen = poll.seats[seat - 1]
    expect(seen.bet is at.Bet.SEALED, "the bet SEALED in LOCKED", seen.bet.name)
    expect(seen.lamp is at.LampDrive.STEADY, "a steady lamp", lamp_words(seen))
    subject.lock = at.UNLOCK
    yield from subject.tell()
    yield from play.stays(subject, play.is_not_open, "still locked after UNLOCK with a sealed round")
    poll = yield from play.unlocked(subject)
    seen = poll.seats[seat - 1]
    expect(seen.bet is at.Bet.NONE and seen.lamp is at.LampDrive.OFF, "no bet and a dark lamp in a new round",
           f"{seen.bet.name}, {lamp_words(seen)}")  # fmt: skip


@clause("2.4-same-round", "A round in which nothing was bet may be opened again.")
def same_round(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.locked(subject)
    subject.lock = at.UNLOCK
    yield from play.until(subject, play.is_open, f"OPEN again in the unsealed round {subject.round_id}")
    yield from play.keep(subject, 50 * MILLISECOND)
    yield from play.stays(subject, play.is_open, "OPEN")


@clause("2.4-unlock-token", "UNLOCK with another session's token is not executed.")
def unlock_token(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    yield from _unlock_refused(subject, "another token", token=subject.token ^ 1)
    yield from _unlock_refused(subject, "token 0", token=at.NO_TOKEN)
    yield from _unlock_refused(subject, "the last session's token", token=(subject.token - 1) & 0xFFFF)


@clause("2.4-unlock-heartbeat", "UNLOCK with a heartbeat that is not newer is not executed.")
def unlock_heartbeat(subject: Subject) -> Walk[None]:
    yield from play.fresh(subject)
    yield from play.keep(subject, 50 * MILLISECOND)
    last = subject.beat
    yield from _unlock_refused(subject, "the same heartbeat", heartbeat=last)
    yield from _unlock_refused(subject, "an older heartbeat", heartbeat=(last - 1) & 0xFFFF)
    yield from _unlock_refused(subject, "a heartbeat half a turn older", heartbeat=(last - 0x7FFF) & 0xFFFF)


def _unlock_refused(subject: Subject, what: str, **instead: int) -> Walk[None]:
    kept = subject.beat
    wanted = subject.desired(lock=at.UNLOCK, round_id=subject.round_id % 0xFFFF + 1, **instead)
    subject.beat = kept
    yield from subject.say(wanted)
    yield from play.stays(subject, play.is_not_open, f"still locked after UNLOCK with {what}")


@clause("2.4-unlock-pending", "While a bet is PENDING no UNLOCK is executed.", Need.HANDS, classes=SEATED)
def unlock_pending(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from play.bet(subject, seat)
    subject.lock = at.LOCK
    yield from subject.tell()
    subject.lock = at.UNLOCK
    subject.round_id = subject.round_id % 0xFFFF + 1
    yield from subject.tell()
    poll = yield from subject.poll()
    locking = poll.lock is at.LockState.LOCKING and poll.seats[seat - 1].bet is at.Bet.PENDING
    expect(locking, "LOCKING with the bet PENDING", f"{poll.lock.name}, {poll.seats}")


@clause("2.4-force-off", "The lamp command 02 darkens a lit lamp, 00 gives it back.", Need.HANDS, classes=SEATED)
def force_off(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    subject.lamp = at.LampCommand.FORCE_OFF << 8 | seat
    yield from play.until(subject, play.lamp_is(seat, at.LampDrive.OFF), "a dark lamp after 02")
    subject.lamp = 0
    yield from play.until(subject, play.lamp_is(seat, at.LampDrive.STEADY), "a steady lamp after 00")


@clause("2.4-lamp-test", "The lamp command 01 shows a test while locked, 00 ends it.", classes=SEATED)
def lamp_test(subject: Subject) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.fresh(subject)
    for seat in subject.seats:
        subject.lamp = at.LampCommand.TEST << 8 | seat
        yield from play.until(subject, play.lamp_is(seat, at.LampDrive.TEST), f"seat {seat} in a lamp test after 01")
    for command, lamp, what in (
        (at.LampCommand.TEST << 8, at.LampDrive.TEST, "every seat in a lamp test after 0100"),
        (0, at.LampDrive.OFF, "every lamp dark after 00"),
    ):
        subject.lamp = command
        yield from play.until(subject, play.every_lamp_is(lamp), what)


UNLOCKING = (same_round, unlock_token, unlock_heartbeat, lamp_test)
BETS = (
    press_and_ack, ack_is_ours, confirm_timeout, second_press, limits, press_when_disabled, press_after_void,
    every_seat, new_round, unlock_pending, force_off,
)  # fmt: skip
