"""What nearly every clause begins with or waits for: a locked unit of ours, an open round, credits, a bet, a person.

Everything here goes through the contract itself; what it cannot bring about ends the clause with what came instead.
While a person is asked for something the heartbeat goes on and the unit itself is watched: the deed counts when the
unit shows it, so nobody has to be quick at two places.
"""

from collections.abc import Callable

from drivers.conformance.steps import HandsFree, HandsState, HandsWanted, NotNow, T, Unmet, Wait, Walk
from drivers.conformance.subject import Subject, expect
from drivers.conformance.words import poll_words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, SeatDetail, SeatPoll
from drivers.native.contract import Bet, LampCommand, LampDrive, LockState, Opcode, SeatFlag, SeatMode, UnitFlag
from drivers.session import MILLISECOND, SECOND, Micros

BEAT = 20 * MILLISECOND
SOON = 300 * MILLISECOND  # for what a unit does at once
_GRACE = 2 * SECOND  # from «I did it» to seeing it
_FINGER = 15 * SECOND  # stays no longer on a button
_PATIENCE = 180 * SECOND  # with a person who says nothing
_LOCKED = {LockState.LOCKED, LockState.BOOT_LOCKED}


def now(rest: Micros = BEAT) -> Walk[Micros]:
    heard = yield Wait(rest)
    return heard.now


def keep(subject: Subject, time: Micros) -> Walk[None]:
    """Time passes, the heartbeat goes on."""
    begun = yield from now(0)
    while (yield from now()) - begun < time:
        yield from subject.tell()


def until(
    subject: Subject, good: Callable[[FastPoll], bool], expected: str, within: Micros = SOON, beats: bool = True
) -> Walk[FastPoll]:
    """Polls until it is so, with or without heartbeats."""
    begun = yield from now(0)
    while True:
        if beats:
            yield from subject.tell()
        poll = yield from subject.poll()
        if good(poll):
            return poll
        if (yield from now()) - begun > within:
            raise Unmet(f"{expected} within {within // MILLISECOND} ms", poll_words(poll))


# A person


def by_hand(
    subject: Subject, command: str, sentence: str, good: Callable[[FastPoll], bool], expected: str
) -> Walk[FastPoll]:
    """Somebody does it, and A shows it."""

    def look() -> Walk[FastPoll]:
        yield from subject.tell()
        return (yield from subject.poll())

    return deed(command, sentence, look, good, expected, poll_words)


def by_hand_in_detail(
    subject: Subject, seat: int, command: str, sentence: str, good: Callable[[SeatDetail], bool], expected: str
) -> Walk[SeatDetail]:
    """Somebody does it, and S shows it."""

    def look() -> Walk[SeatDetail]:
        yield from subject.tell()
        yield from subject.poll()
        return (yield from subject.detail(seat))

    return deed(command, sentence, look, good, expected, str)


def deed(
    command: str,
    sentence: str,
    look: Callable[[], Walk[T]],
    good: Callable[[T], bool],
    expected: str,
    words_of: Callable[[T], str],
    later: Micros = 0,
) -> Walk[T]:
    """`later`: how long after the deed it may be seen."""
    heard = yield HandsWanted(command, sentence)
    begun, done = heard.now, None
    while True:
        seen = yield from look()
        if good(seen):
            yield HandsFree()
            return seen
        heard = yield Wait(BEAT)
        if heard.hands is HandsState.REFUSED:
            raise NotNow(f"«{command}»: {heard.refusal}")
        if heard.hands is HandsState.DONE:
            done = heard.now if done is None else done
            if heard.now - done > _GRACE + later:
                raise Unmet(f"{expected} after «{command}»", words_of(seen))
        if heard.now - begun > _PATIENCE:
            raise NotNow(f"«{command}»: nobody did it")


def whole_again(walk: Walk[None], command: str, sentence: str) -> Walk[None]:
    """What a clause asked somebody to break is mended also when the clause ends badly, for the sake of the next."""
    try:
        yield from walk
    except (Unmet, NotNow):
        heard = yield HandsWanted(command, sentence)
        begun = heard.now
        while heard.hands is HandsState.ASKED and heard.now - begun < _PATIENCE:
            heard = yield Wait(BEAT)
        yield HandsFree()
        raise


def attempt(subject: Subject, command: str, sentence: str) -> Walk[FastPoll]:
    """Somebody tries something that should have no effect: only he knows when he has tried."""
    heard = yield HandsWanted(command, sentence)
    begun, done = heard.now, None
    while done is None or heard.now - done < SOON:
        yield from subject.tell()
        heard = yield Wait(BEAT)
        if heard.hands is HandsState.REFUSED:
            raise NotNow(f"«{command}»: {heard.refusal}")
        if heard.hands is HandsState.DONE and done is None:
            done = heard.now
        if heard.now - begun > _PATIENCE:
            raise NotNow(f"«{command}»: nobody said that it was tried")
    yield HandsFree()
    return (yield from subject.poll())


def _finger_up(subject: Subject, seat: int) -> Walk[FastPoll]:
    """A finger that is still down makes no edge, however eager its owner is."""

    def up(poll: FastPoll) -> bool:
        return not poll.seats[seat - 1].flags & SeatFlag.BUTTON_DOWN

    return until(subject, up, f"b8 of seat {seat} clear", _FINGER)


def fingers_up(subject: Subject) -> Walk[FastPoll]:
    """A finger of the last clause may still be counted, or refused, when it has gone."""

    def up(poll: FastPoll) -> bool:
        return not any(seat.flags & SeatFlag.BUTTON_DOWN for seat in poll.seats)

    return until(subject, up, "b8 of every seat clear", _FINGER, beats=False)


def press(subject: Subject, seat: int, button: int, good: Callable[[SeatPoll], bool], expected: str) -> Walk[FastPoll]:
    yield from _finger_up(subject, seat)
    place = subject.name_of(seat)
    command, sentence = f"seat {place} press {button}", f"Press button {button} of seat {place}."
    return (yield from by_hand(subject, command, sentence, lambda poll: good(poll.seats[seat - 1]), expected))


def press_refused(subject: Subject, seat: int, button: int) -> Walk[tuple[SeatPoll, SeatDetail]]:
    """A press that must be counted as refused and change nothing else; what was before it, and what it left in S."""
    before = (yield from _finger_up(subject, seat)).seats[seat - 1]
    refused = (yield from subject.detail(seat)).refused
    place = subject.name_of(seat)
    after = yield from by_hand_in_detail(
        subject, seat, f"seat {place} press {button}", f"Press button {button} of seat {place} (it must be refused).",
        lambda detail: detail.refused != refused or detail.bet != before.bet,
        "presses_refused one higher",
    )  # fmt: skip
    seen = (yield from subject.poll()).seats[seat - 1]
    same = (seen.bet, seen.bet_credits, seen.bets) == (before.bet, before.bet_credits, before.bets)
    if not same or after.refused != (refused + 1) % 2**32:
        raise Unmet(
            f"the press refused and counted: {before.bet.name}, bets total {before.bets}, refused {refused + 1}",
            f"{seen.bet.name}, bets total {seen.bets}, refused {after.refused}",
        )
    return before, after


# A unit


def fresh(subject: Subject) -> Walk[FastPoll]:
    """Our session, locked, nothing pending, nothing staged, every seat enabled."""
    yield from _session(subject)
    if (yield from subject.poll()).lock is LockState.OUT_OF_SERVICE:  # its hold ended between session and heartbeat
        yield from _session(subject)
    poll = yield from locked(subject)
    for seat in subject.seats:
        if not poll.seats[seat - 1].flags & SeatFlag.ENABLED:
            yield from subject.done(Opcode.SEAT_ENABLE, seat, target=1)
    if poll.flags & UnitFlag.CONFIG_STAGED and subject.config is not None:
        yield from subject.write(at.CONFIG, subject.config.encode())
        yield from subject.order(Opcode.CONFIG_COMMIT, 0, subject.config.generation, subject.config.check)
    return (yield from subject.poll())


def _session(subject: Subject) -> Walk[None]:
    yield from subject.done(Opcode.OPEN_SESSION, target=subject.nonce)
    assert subject.last is not None, "the result was read"
    subject.token, subject.lock, subject.lamp, subject.ack = subject.last.token, at.LOCK, 0, subject.last.seq
    yield from subject.tell()


def locked(subject: Subject) -> Walk[FastPoll]:
    """Locked by us; whatever was bet is taken as booked."""
    subject.lock = at.LOCK
    wait = 6 * SECOND if subject.config is None else subject.config.confirm_timeout * MILLISECOND + SECOND
    begun = yield from now(0)
    while True:
        subject.ack = (yield from subject.poll()).seq
        yield from subject.tell()
        poll = yield from subject.poll()
        if poll.lock in _LOCKED and all(seat.bet is not Bet.PENDING for seat in poll.seats):
            subject.ack = poll.seq
            return poll
        if (yield from now()) - begun > wait:
            raise Unmet("the unit LOCKED and nothing PENDING after a lock and an ack of everything", poll_words(poll))


def opened(subject: Subject) -> Walk[FastPoll]:
    """Open in a new round: no bet, every lamp dark."""
    yield from fresh(subject)
    return (yield from unlocked(subject))


def unlocked(subject: Subject) -> Walk[FastPoll]:
    assert subject.live.flaw() is None, "what was committed is valid"
    subject.round_id = subject.round_id % 0xFFFF + 1
    subject.lock = at.UNLOCK
    return (yield from until(subject, is_open, f"OPEN after UNLOCK with the new round {subject.round_id}"))


def key_up(subject: Subject) -> Walk[FastPoll]:
    return until(
        subject, lambda poll: not poll.flags & UnitFlag.LOCK_KEY_DOWN, "b6 clear: the lock button is up", _FINGER
    )


def opens_when_seen(subject: Subject) -> Walk[None]:
    """Somebody at the table locked it, and our ack is older: neither the old round nor a new one opens it (2.4)."""
    subject.lock = at.UNLOCK
    poll = yield from key_up(subject)
    for _ in range(2):
        yield from subject.tell()
        yield from stays(subject, is_not_open, "still locked after an UNLOCK whose ack is older than the lock")
        subject.round_id = subject.round_id % 0xFFFF + 1
    subject.ack = poll.seq
    yield from until(subject, is_open, "OPEN once the ack is not older than the lock")


def is_open(poll: FastPoll) -> bool:
    return poll.lock is LockState.OPEN


def is_not_open(poll: FastPoll) -> bool:
    return poll.lock is not LockState.OPEN


def stays(subject: Subject, good: Callable[[FastPoll], bool], expected: str) -> Walk[FastPoll]:
    """It is so, and after a while it is still so."""
    yield from now()
    poll = yield from subject.poll()
    if not good(poll):
        raise Unmet(expected, poll_words(poll))
    return poll


# A seat


def seat_with(subject: Subject, mode: SeatMode) -> Walk[int]:
    poll = yield from subject.poll()
    for seat in subject.seats:
        if poll.seats[seat - 1].mode is mode:
            return seat
    raise NotNow(f"no seat that takes {mode.name.lower()}")


def open_seat(subject: Subject, mode: SeatMode = SeatMode.BUTTONS) -> Walk[int]:
    """The first seat of this mode, in a new round."""
    seat = yield from seat_with(subject, mode)
    yield from opened(subject)
    return seat


def lamp_is(seat: int, lamp: LampDrive) -> Callable[[FastPoll], bool]:
    return lambda poll: poll.seats[seat - 1].lamp is lamp


def every_lamp_is(lamp: LampDrive) -> Callable[[FastPoll], bool]:
    return lambda poll: all(seat.lamp is lamp for seat in poll.seats)


def button_of(subject: Subject, wanted: Callable[[int], bool], what: str) -> int:
    """The first button whose credits are so in the live configuration."""
    for button, credit in enumerate(subject.live.buttons, 1):
        if wanted(credit):
            return button
    raise NotNow(f"no button {what} in the live configuration")


def good_button(subject: Subject) -> int:
    live = subject.live
    return button_of(subject, lambda credit: live.least <= credit <= live.most, "within the limits")


def funded(subject: Subject, seat: int, credit: int) -> Walk[None]:
    """At least so many credits on the seat."""
    short = credit - (yield from subject.detail(seat)).balance
    if short > 0:
        loaded = (yield from subject.poll()).seats[seat - 1].loaded
        yield from subject.done(Opcode.LOADED_TO, seat, loaded, (loaded + short) % 2**32)


def bet(subject: Subject, seat: int) -> Walk[FastPoll]:
    """A person presses a good button of an open seat: PENDING."""
    button = good_button(subject)
    yield from funded(subject, seat, subject.live.buttons[button - 1])
    return (yield from press(subject, seat, button, lambda seen: seen.bet is Bet.PENDING, "a bet PENDING"))


def acknowledged(subject: Subject, seat: int) -> Walk[FastPoll]:
    """Everything is booked: the bet is CONFIRMED."""
    subject.ack = (yield from subject.poll()).seq
    good, booked = {Bet.CONFIRMED, Bet.SEALED}, f"the bet of seat {seat} CONFIRMED"
    return (yield from until(subject, lambda poll: poll.seats[seat - 1].bet in good, booked))


def chip(subject: Subject, seat: int) -> Walk[FastPoll]:
    """A person puts a chip in and it is counted."""
    before = (yield from subject.poll()).seats[seat - 1].chips
    place = subject.name_of(seat)
    command, sentence = f"seat {place} chip", f"Put one chip into the slot of seat {place}."
    return (
        yield from by_hand(
            subject, command, sentence, lambda poll: poll.seats[seat - 1].chips != before, "a chip counted"
        )
    )


def betting_seat(subject: Subject) -> Walk[int]:
    """The first that takes bets of either kind."""
    poll = yield from subject.poll()
    modes = [seat.mode for seat in poll.seats]
    wanted = SeatMode.BUTTONS if SeatMode.BUTTONS in modes else SeatMode.CHIPS
    return (yield from seat_with(subject, wanted))


def confirmed_bet(subject: Subject) -> Walk[int]:
    """An open round with one confirmed bet, pressed or put in; its seat."""
    seat = yield from betting_seat(subject)
    poll = yield from opened(subject)
    yield from bet(subject, seat) if poll.seats[seat - 1].mode is SeatMode.BUTTONS else chip(subject, seat)
    yield from acknowledged(subject, seat)
    return seat


def pressed_bet(subject: Subject) -> Walk[int]:
    """The same at a seat with buttons."""
    yield from seat_with(subject, SeatMode.BUTTONS)
    return (yield from confirmed_bet(subject))


def relit(subject: Subject, seat: int) -> Walk[None]:
    """A bet that waits dark is lit again by 03ss and stands."""
    subject.lamp = LampCommand.RELIGHT << 8 | seat
    poll = yield from until(subject, lamp_is(seat, LampDrive.STEADY), "a steady lamp after RELIGHT")
    expect(poll.seats[seat - 1].bet is Bet.SEALED, "the bet SEALED", poll.seats[seat - 1].bet.name)
