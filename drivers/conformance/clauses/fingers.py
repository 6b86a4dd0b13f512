"""Sections 2.4 and 2.5: fingers and their times. A person holds a button; how long everything takes is measured."""

from collections.abc import Callable

from drivers.conformance import play
from drivers.conformance.clause import SEATED, SINCE_1_1, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.config import on_another
from drivers.conformance.clauses.times import change, kept
from drivers.conformance.instants import Instant, longest, shortest, surely_early, surely_late, time_words
from drivers.conformance.steps import Need, NotNow, Unmet, Wait, Walk
from drivers.conformance.subject import Subject, expect, result_is
from drivers.conformance.words import poll_words, seat_words
from drivers.line.numbers import newer
from drivers.native import contract as at
from drivers.native.blocks import FastPoll
from drivers.session import MILLISECOND, SECOND, Micros

_LONG = 1000  # ms of debounce: longer than a lock needs on the slowest line
_DEBOUNCE_KEPT: Micros = 10 * MILLISECOND
_BOUNCE: Micros = 20 * MILLISECOND  # of a real finger: from its first edge to its last
_STUCK: Micros = 10 * SECOND
_WATCHED: Micros = 2 * SECOND  # of a blink
_LEAST_HERTZ, _MOST_HERTZ, _EDGES = 4, 8, 2
_ENOUGH = 5000  # ms of confirm timeout, to watch a blink


def _moment(
    subject: Subject, command: str, sentence: str, good: Callable[[FastPoll], bool], expected: str
) -> Walk[tuple[FastPoll, Instant]]:
    """Somebody does it; between which instants."""
    last = subject.now

    def look() -> Walk[FastPoll]:
        nonlocal last
        yield from subject.feed()
        poll = yield from subject.poll()
        last = last if good(poll) else subject.done_at.after
        return poll

    poll = yield from play.deed(command, sentence, look, good, expected, poll_words)
    return poll, Instant(last, subject.done_at.before)


def _is_down(seat: int) -> Callable[[FastPoll], bool]:
    return lambda poll: bool(poll.seats[seat - 1].flags & at.SeatFlag.BUTTON_DOWN)


def _bet_is(seat: int, bet: at.Bet) -> Callable[[FastPoll], bool]:
    return lambda poll: poll.seats[seat - 1].bet is bet


def _held(subject: Subject, seat: int, button: int) -> Walk[tuple[FastPoll, Instant]]:
    place = subject.name_of(seat)
    sentence = f"Hold button {button} of seat {place} down until you are told to let go."
    return _moment(subject, f"seat {place} hold {button}", sentence, _is_down(seat), f"b8 of seat {seat}")


def _release(subject: Subject, seat: int, button: int) -> tuple[str, str]:
    place = subject.name_of(seat)
    return f"seat {place} release {button}", f"Let go of button {button} of seat {place}."


def _let_go(subject: Subject, seat: int, button: int) -> Walk[FastPoll]:
    command, sentence = _release(subject, seat, button)
    up = _is_down(seat)
    return play.by_hand(subject, command, sentence, lambda poll: not up(poll), f"b8 of seat {seat} clear")


def _while_held(subject: Subject, seat: int, button: int, walk: Walk[None]) -> Walk[None]:
    yield from play.whole_again(walk, *_release(subject, seat, button))
    yield from _let_go(subject, seat, button)


@clause("2.4-debounce", "A press counts when its debounce time is over, kept to 10 ms, from b8 on.",
        Need.HANDS, classes=SEATED, since=SINCE_1_1)  # fmt: skip
def debounce(subject: Subject) -> Walk[None]:
    seat = yield from play.seat_with(subject, at.SeatMode.BUTTONS)
    yield from on_another(subject, _debounced(subject, seat), debounce=_LONG)


def _debounced(subject: Subject, seat: int) -> Walk[None]:
    button = play.good_button(subject)
    yield from play.opened(subject)
    yield from play.funded(subject, seat, subject.live.buttons[button - 1])
    yield from _while_held(subject, seat, button, _counted_in_time(subject, seat, button))


def _counted_in_time(subject: Subject, seat: int, button: int) -> Walk[None]:
    promised = _LONG * MILLISECOND
    poll, edge = yield from _held(subject, seat, button)
    expect(poll.seats[seat - 1].bet is at.Bet.NONE, f"no bet before {_LONG} ms of debounce", poll_words(poll))
    made = yield from change(subject, _bet_is(seat, at.Bet.PENDING), "PENDING", promised + SECOND, beats=True)
    early = surely_early(edge, made, promised, _DEBOUNCE_KEPT)
    late = surely_late(edge, made, promised, _DEBOUNCE_KEPT + _BOUNCE)
    expect(not early and not late, f"PENDING after {_LONG} ms of debounce, kept to 10 ms", time_words(edge, made))


@clause("2.5-press-in-flight", "A finger that was down before the lock and counts after it is refused, told with 0100.",
        Need.HANDS, classes=SEATED,
        rests_on="2.5-press-when-locked")  # fmt: skip
def press_in_flight(subject: Subject) -> Walk[None]:
    seat = yield from play.seat_with(subject, at.SeatMode.BUTTONS)
    yield from on_another(subject, _in_flight(subject, seat), debounce=_LONG)


def _in_flight(subject: Subject, seat: int) -> Walk[None]:
    button = play.good_button(subject)
    yield from play.opened(subject)
    yield from play.funded(subject, seat, subject.live.buttons[button - 1])
    yield from _while_held(subject, seat, button, _refused_later(subject, seat, button))


def _refused_later(subject: Subject, seat: int, button: int) -> Walk[None]:
    before, _ = yield from _held(subject, seat, button)
    subject.lock = at.LOCK
    yield from subject.tell()
    poll = yield from subject.poll()
    yield from play.keep(subject, _LONG * MILLISECOND + play.SOON)
    detail = yield from subject.detail(seat)
    if detail.bet != at.Bet.NONE and not newer(detail.bet_seq, poll.cut):
        raise NotNow("on this line the lock comes later than the press")
    seen = (yield from subject.poll()).seats[seat - 1]
    expect(seen.bet is at.Bet.NONE, "no bet of a press that counts after the lock", seat_words(seen))
    told = [one.argument for one in (yield from events_of(subject, at.EventType.PRESS_REFUSED, before.seq))]
    wanted = at.PressRefusal.LOCKED | at.EDGE_BEFORE_LOCK
    expect(told == [wanted], f"one event 2 with {wanted:04X}", [f"{one:04X}" for one in told])


@clause("2.4-button-stuck", "A button that is down for 10 s is BUTTON_STUCK, live and latched, until it is up.",
        Need.HANDS, classes=SEATED)  # fmt: skip
def button_stuck(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    button = play.button_of(subject, lambda credit: not credit, "off")
    walk = _stuck_in_time(subject, seat, button)
    yield from play.whole_again(walk, *_release(subject, seat, button))
    fault = at.SeatFault.BUTTON_STUCK
    command, sentence = _release(subject, seat, button)
    detail = yield from play.by_hand_in_detail(
        subject, seat, command, sentence, lambda detail: not detail.faults & fault, f"{fault.name} not live any more"
    )
    expect(bool(detail.latched & fault), f"{fault.name} latched still", f"latched {detail.latched:04X}")
    result = yield from subject.order(at.Opcode.CLEAR_FAULTS, seat, detail.latched, fault)
    result_is(result, at.Result.DONE, "CLEAR_FAULTS")


def _stuck_in_time(subject: Subject, seat: int, button: int) -> Walk[None]:
    fault = at.SeatFault.BUTTON_STUCK
    _, edge = yield from _held(subject, seat, button)
    last, begun = edge.after, subject.now
    while True:
        yield from subject.feed()
        detail = yield from subject.detail(seat)
        if detail.faults & fault:
            break
        last = subject.done_at.after
        if subject.now - begun > _STUCK + SECOND:
            raise Unmet(f"{fault.name} live after {_STUCK // SECOND} s", f"faults {detail.faults:04X}")
        yield Wait(play.BEAT)
    stuck = Instant(last, subject.done_at.before)
    expect(bool(detail.latched & fault), f"{fault.name} latched too", f"latched {detail.latched:04X}")
    flags = (yield from subject.poll()).seats[seat - 1].flags
    expect(bool(flags & at.SeatFlag.FAULT), f"b15 of seat {seat}: fault", f"{flags:04X}")
    if subject.who.version >= SINCE_1_1:
        kept(edge, stuck, _STUCK, f"{fault.name} after")


@clause("2.4-confirm-time", "The confirm timeout is kept to 50 ms or half a percent, early or late.",
        Need.HANDS, classes=SEATED, since=SINCE_1_1,
        rests_on="2.4-confirm-timeout")  # fmt: skip
def confirm_time(subject: Subject) -> Walk[None]:
    seat = yield from play.open_seat(subject)
    button, place = play.good_button(subject), subject.name_of(seat)
    yield from play.funded(subject, seat, subject.live.buttons[button - 1])
    command, sentence = f"seat {place} press {button}", f"Press button {button} of seat {place}."
    _, made = yield from _moment(subject, command, sentence, _bet_is(seat, at.Bet.PENDING), "a bet PENDING")
    timeout = subject.live.confirm_timeout * MILLISECOND
    void = yield from change(subject, _bet_is(seat, at.Bet.VOIDED), "VOIDED", timeout + SECOND, beats=True)
    kept(made, void, timeout, "a confirm timeout")


@clause("2.4-blink", "A PENDING lamp blinks 4 to 8 times a second: S counts both edges.",
        Need.HANDS, classes=SEATED, since=SINCE_1_1,
        rests_on="2.4-press-and-ack")  # fmt: skip
def blink(subject: Subject) -> Walk[None]:
    seat = yield from play.seat_with(subject, at.SeatMode.BUTTONS)
    yield from on_another(subject, _blinks(subject, seat), confirm_timeout=_ENOUGH)


def _blinks(subject: Subject, seat: int) -> Walk[None]:
    yield from play.opened(subject)
    yield from play.bet(subject, seat)
    first = (yield from subject.detail(seat)).switches
    began = subject.done_at
    yield from play.keep(subject, _WATCHED)
    last = yield from subject.detail(seat)
    ended = subject.done_at
    expect(last.bet == at.Bet.PENDING, "a bet that is PENDING still", last.bet)
    edges = (last.switches - first) % 2**16
    least = _EDGES * _LEAST_HERTZ * shortest(began, ended) // SECOND - _EDGES
    most = _EDGES * _MOST_HERTZ * longest(began, ended) // SECOND + _EDGES
    expect(least <= edges <= most, f"{least} to {most} edges in {time_words(began, ended)}", edges)


FINGERS = (debounce, press_in_flight, button_stuck, confirm_time, blink)
