"""Sections 2.3 K and 2.4: what may be done to a bet that stands, by its state, and what it leaves to be read."""

from drivers.conformance import play
from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.reboot import reboot
from drivers.conformance.steps import Need, NotNow, Walk
from drivers.conformance.subject import Subject, expect, result_is
from drivers.conformance.words import lamp_words, seat_words
from drivers.native import contract as at

_PAIR = 2


def _voided(subject: Subject, seat: int, was: at.Bet) -> Walk[None]:
    """The croupier gives it back: VOIDED, dark, in credits, and explained."""
    before = yield from subject.poll()
    seen, detail = before.seats[seat - 1], (yield from subject.detail(seat))
    expect(seen.bet is was, f"the bet {was.name}", seat_words(seen))
    yield from subject.done(at.Opcode.VOID_BET, seat, detail.bet_seq, 1)
    done = (yield from subject.poll()).seats[seat - 1]
    void = done.bet is at.Bet.VOIDED and done.lamp is at.LampDrive.OFF
    expect(void, f"a {was.name} bet VOIDED and dark", seat_words(done))
    expect((done.voided - seen.voided) % 2**32 == seen.bet_credits, f"voided {seen.bet_credits} more", done.voided)
    left = yield from subject.detail(seat)
    given = seen.bet_credits if seen.mode is at.SeatMode.BUTTONS else 0
    expect(left.balance == (detail.balance + given) % 2**32, f"{given} more on the balance", left.balance)
    told = [
        (one.seat, one.argument, one.credits)
        for one in (yield from events_of(subject, at.EventType.BET_VOIDED, before.seq))
    ]
    wanted = (seat, at.VoidCause.CROUPIER, seen.bet_credits)
    expect(told == [wanted], f"one event 11 of seat {seat} with cause 1 and {seen.bet_credits}", told)


@clause("2.3-K-void-pending", "VOID_BET gives back a bet that is PENDING.", Need.HANDS, classes=SEATED)
def void_pending(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from play.bet(subject, seat)
    yield from _voided(subject, seat, at.Bet.PENDING)


@clause("2.3-K-void-sealed", "VOID_BET gives back a bet that is SEALED.", Need.HANDS, classes=SEATED)
def void_sealed(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    yield from play.locked(subject)
    yield from _voided(subject, seat, at.Bet.SEALED)


@clause("2.3-K-void-dark", "VOID_BET gives back a bet that is RESTORED_DARK.", Need.HANDS, classes=SEATED,
        rests_on="2.6-reboot-with-bet")  # fmt: skip
def void_dark(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    yield from reboot(subject)
    yield from play.fresh(subject)
    yield from _voided(subject, seat, at.Bet.RESTORED_DARK)


@clause("2.3-K-cashed-pending", "CASHED_TO is refused while a bet is PENDING.", Need.HANDS, classes=SEATED,
        rests_on="2.3-K-cashed-to")  # fmt: skip
def cashed_pending(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from play.funded(subject, seat, subject.live.buttons[play.good_button(subject) - 1] + 1)
    cashed = (yield from subject.detail(seat)).cashed
    yield from play.bet(subject, seat)
    result = yield from subject.order(at.Opcode.CASHED_TO, seat, cashed, (cashed + 1) % 2**32)
    result_is(result, at.Result.REFUSED, "CASHED_TO while PENDING")
    left = (yield from subject.detail(seat)).cashed
    expect(left == cashed, f"cashed total {cashed}", left)


@clause("2.3-K-retry-pending", "A CASHED_TO that was done is ALREADY also while a bet is PENDING.",
        Need.HANDS, classes=SEATED, since=SINCE_1_1)  # fmt: skip
def retry_pending(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    yield from play.bet(subject, seat)
    cashed = (yield from subject.detail(seat)).cashed
    result = yield from subject.order(at.Opcode.CASHED_TO, seat, (cashed - 1) % 2**32, cashed)
    result_is(result, at.Result.ALREADY, "a CASHED_TO that is done, while PENDING")


@clause("2.4-voided-is-read", "A VOIDED bet keeps credits and cause where they are read; NONE has none.",
        Need.HANDS, classes=SEATED, since=SINCE_1_1)  # fmt: skip
def voided_is_read(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    credit = (yield from subject.poll()).seats[seat - 1].bet_credits
    was = yield from subject.detail(seat)
    yield from subject.done(at.Opcode.VOID_BET, seat, was.bet_seq, 1)
    shown, detail = (yield from subject.poll()).seats[seat - 1], (yield from subject.detail(seat))
    kept = (shown.bet_credits, detail.round_id, detail.bet_seq, detail.cause)
    wanted = (credit, was.round_id, was.bet_seq, at.VoidCause.CROUPIER)
    expect(kept == wanted, f"credits, round, bet_seq and cause {wanted} of a VOIDED bet", kept)
    yield from play.opened(subject)
    shown, detail = (yield from subject.poll()).seats[seat - 1], (yield from subject.detail(seat))
    left = (shown.bet_credits, detail.round_id, detail.bet_seq, detail.cause)
    wanted = (0, was.round_id, was.bet_seq, at.VoidCause.NONE)
    expect(left == wanted, f"credits, round, bet_seq and cause {wanted} of NONE", left)


@clause("2.4-disabled-dark", "A disabled seat is dark, its bet stands, and enabled it shows its light again.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def disabled_dark(subject: Subject) -> Walk[None]:
    seat = yield from play.confirmed_bet(subject)
    yield from subject.done(at.Opcode.SEAT_ENABLE, seat, target=0)
    poll = yield from play.until(subject, play.lamp_is(seat, at.LampDrive.OFF), "the lamp of a disabled seat dark")
    seen = poll.seats[seat - 1]
    expect(seen.bet is at.Bet.CONFIRMED, "the bet CONFIRMED still", seat_words(seen))
    yield from subject.done(at.Opcode.SEAT_ENABLE, seat, target=1)
    yield from play.until(subject, play.lamp_is(seat, at.LampDrive.STEADY), "a steady lamp once it is enabled")


def _two_bets(subject: Subject) -> Walk[tuple[int, int]]:
    poll = yield from subject.poll()
    seats = [seat for seat in subject.seats if poll.seats[seat - 1].mode is at.SeatMode.BUTTONS]
    if len(seats) < _PAIR:
        raise NotNow("no two seats with buttons")
    yield from play.opened(subject)
    for seat in seats[:_PAIR]:
        yield from play.bet(subject, seat)
        yield from play.acknowledged(subject, seat)
    return seats[0], seats[1]


@clause("2.4-force-off-one", "The lamp command 02 for one seat leaves the light of the others.",
        Need.HANDS, Need.SEVERAL, classes=SEATED,
        rests_on="2.4-every-seat")  # fmt: skip
def force_off_one(subject: Subject) -> Walk[None]:
    one, other = yield from _two_bets(subject)
    subject.lamp = at.LampCommand.FORCE_OFF << 8 | one
    poll = yield from play.until(subject, play.lamp_is(one, at.LampDrive.OFF), f"seat {one} dark after 02")
    seen = poll.seats[other - 1]
    expect(seen.lamp is at.LampDrive.STEADY, f"seat {other} steady still", lamp_words(seen))


@clause("2.6-relight-one", "RELIGHT of one seat leaves the others dark.",
        Need.HANDS, Need.SEVERAL, classes=SEATED, rests_on="2.4-every-seat")  # fmt: skip
def relight_one(subject: Subject) -> Walk[None]:
    one, other = yield from _two_bets(subject)
    yield from reboot(subject)
    yield from play.fresh(subject)
    yield from play.relit(subject, one)
    seen = (yield from subject.poll()).seats[other - 1]
    dark = seen.bet is at.Bet.RESTORED_DARK and seen.lamp is at.LampDrive.OFF
    expect(dark, f"seat {other} RESTORED_DARK and dark still", seat_words(seen))


STANDING = (void_pending, void_sealed, cashed_pending, retry_pending, voided_is_read, disabled_dark, force_off_one)
STANDING_OVER_A_BOOT = (void_dark, relight_one)
