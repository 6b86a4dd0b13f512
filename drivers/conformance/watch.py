"""A technician looks at one unit: what A and S say, again and again, in words. Nothing is ever written to it."""

from dataclasses import dataclass, replace

from drivers.conformance.steps import Tell, Unmet, Wait, Walk
from drivers.conformance.subject import Subject
from drivers.conformance.words import head_words, identity_words, named, seat_words
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Identity, SeatDetail
from drivers.native.contract import SeatFault, SeatMode
from drivers.session import Micros

_BETTING = {SeatMode.BUTTONS, SeatMode.CHIPS}


@dataclass(frozen=True, slots=True)
class UnitLook:
    """An event: the unit as it is now."""

    identity: Identity
    poll: FastPoll
    details: tuple[SeatDetail, ...]


@dataclass(frozen=True, slots=True)
class Unseen:
    """An event: the unit did not say how it is, and why."""

    why: str


def watch(subject: Subject, every: Micros) -> Walk[None]:
    """Until nobody looks any more."""
    while True:
        try:
            who = yield from subject.identify()
            while True:
                poll = yield from subject.poll()
                if poll.boot_id != who.boot_id:
                    break
                details: tuple[SeatDetail, ...] = ()
                for seat in subject.seats:
                    details += ((yield from subject.detail(seat)),)
                yield Tell(UnitLook(who, poll, details))
                yield Wait(every)
        except Unmet as error:
            yield Tell(Unseen(f"{error.came} instead of {error.expected}"))
            yield Wait(every)


def lines_of(seen: UnitLook) -> list[str]:
    """The unit in one line, the session in one, each seat in one."""
    poll = seen.poll
    beat = "no heartbeat" if poll.heartbeat_age == 0xFF else f"heartbeat {poll.heartbeat_age * 10} ms ago"
    lines = [identity_words(seen.identity), f"{head_words(poll)}, {beat}, up {poll.uptime // 1000} s"]
    first = seen.identity.first_seat
    for place, (seat, detail) in enumerate(zip(poll.seats, seen.details, strict=True)):
        words = [seat_words(seat)]
        if seat.mode in _BETTING:
            words.append(f"balance {detail.balance}, refused {detail.refused}, late {detail.late}")
        words += [f"fault: {word}" for word in named(detail.faults, SeatFault)]
        words += [f"latched: {word}" for word in named(detail.latched & ~detail.faults, SeatFault)]
        lines.append(f"seat {first + place}: {', '.join(words)}")
    return lines


def changes(before: UnitLook | None, after: UnitLook) -> list[str]:
    """The lines that say something new; time and milliamperes go on by themselves."""
    new = lines_of(_at_rest(after))
    old = lines_of(_at_rest(before)) if before else []
    return [line for place, line in enumerate(new) if place >= len(old) or old[place] != line]


def _at_rest(seen: UnitLook) -> UnitLook:
    seats = tuple(replace(seat, milliamps=at.NO_CURRENT) for seat in seen.poll.seats)
    alive = 0xFF if seen.poll.heartbeat_age == 0xFF else 0
    return replace(seen, poll=replace(seen.poll, uptime=0, heartbeat_age=alive, seats=seats))
