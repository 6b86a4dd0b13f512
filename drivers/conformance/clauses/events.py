"""Section 2.3 E: what an event says besides its type: when, in which boot, and what it concerns."""

from dataclasses import replace

from drivers.conformance import play
from drivers.conformance.clause import SEATED, clause
from drivers.conformance.clauses.bets import events_of
from drivers.conformance.clauses.config import cleared, install
from drivers.conformance.steps import Walk
from drivers.conformance.subject import Subject, expect
from drivers.native import contract as at

_LOADED, _CASHED = 3, 2


@clause("2.3-E-time", "An event says when it was and in which boot: uptime and boot counter.")
def event_time(subject: Subject) -> Walk[None]:
    who = yield from subject.identify()
    yield from play.opened(subject)
    before = yield from subject.poll()
    after = yield from play.locked(subject)
    locks = yield from events_of(subject, at.EventType.LOCK, before.seq)
    expect(len(locks) == 1, "one event 6", locks)
    said, boots = locks[0], who.boots & 0xFFFF
    expect(before.uptime <= said.uptime <= after.uptime, f"an uptime of {before.uptime} to {after.uptime}", said.uptime)
    expect(said.boots == boots, f"boot counter {boots}", said.boots)


@clause("2.3-E-unlock", "The event of an unlock says its round, the event of a configuration its generation.")
def event_arguments(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    held = (yield from subject.poll()).seq
    yield from play.unlocked(subject)
    rounds = [one.argument for one in (yield from events_of(subject, at.EventType.UNLOCK, held))]
    expect(rounds == [subject.round_id], f"one event 7 with round {subject.round_id}", rounds)
    yield from play.fresh(subject)
    new = replace(subject.live, generation=subject.live.generation % 0xFFFF + 1)
    held = (yield from subject.poll()).seq
    yield from install(subject, new)
    staged = [one.argument for one in (yield from events_of(subject, at.EventType.CONFIG, held))]
    expect(staged == [new.generation], f"one event 17 with generation {new.generation}", staged)


@clause("2.3-E-credits", "Events of loaded and cashed credits say the seat and how many.", classes=SEATED)
def event_credits(subject: Subject) -> Walk[None]:
    seat = yield from play.seat_with(subject, at.SeatMode.BUTTONS)
    yield from play.fresh(subject)
    before = yield from subject.poll()
    loaded, cashed = before.seats[seat - 1].loaded, (yield from subject.detail(seat)).cashed
    for opcode, total, credit, kind in (
        (at.Opcode.LOADED_TO, loaded, _LOADED, at.EventType.CREDITS_LOADED),
        (at.Opcode.CASHED_TO, cashed, _CASHED, at.EventType.CASHED),
    ):
        yield from subject.feed()
        yield from subject.done(opcode, seat, total, (total + credit) % 2**32)
        told = [(one.seat, one.credits) for one in (yield from events_of(subject, kind, before.seq))]
        expect(told == [(seat, credit)], f"one event {kind} of seat {seat} with {credit}", told)


EVENTS = (event_time, event_arguments, event_credits)
