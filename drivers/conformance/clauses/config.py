"""Section 2.3 C: a configuration is staged whole, refused when no unit may run on it, and live only by commit."""

from dataclasses import replace

from drivers.conformance.clause import SEATED, clause
from drivers.conformance.play import confirmed_bet, fresh, is_open, locked, opened, stays, unlocked
from drivers.conformance.steps import Need, NotNow, Unmet, Walk
from drivers.conformance.subject import Subject, expect, result_is, said
from drivers.modbus.pdu import Denial, WriteWords, Written
from drivers.native import contract as at
from drivers.native.contract import EventType, Opcode, Result, UnitFault, UnitFlag
from drivers.native.writes import Config
from drivers.session import MILLISECOND

_CONFIRM, _TIMEOUT, _HOLD = 1000, 1000, 2  # ms, ms, s: what the examination runs on
_LONGEST_TIMEOUT = 5000
_BEATS = 5  # turns within a host timeout; on a slow line it must be longer
_BUTTONS = (1, 2, 9, 0)  # good, good, above the limits, off
_MOST = 5


def examined(subject: Subject, live: Config | None) -> Config:
    """A configuration on which every clause can be seen; what belongs to the place and the lamps stays as it was."""
    who = subject.who
    timing, fast_poll = subject.wire.timing, 5 + 2 * at.fast_poll_words(who.seats)
    turn = (timing.wire(8 + fast_poll + 25 + 8) + 2 * (timing.silence + timing.latency)) // MILLISECOND
    timeout = min(max(_TIMEOUT, _BEATS * turn), _LONGEST_TIMEOUT)
    start = live or Config(credit_value=1000, least=1, most=1, buttons=(0, 0, 0, 0))
    return replace(
        start, least=1, most=_MOST, buttons=_BUTTONS, chip_credits=2,
        confirm_timeout=max(_CONFIRM, timeout), host_timeout=timeout,
        hold=_HOLD, unit=who.unit, first_seat=who.first_seat, enabled=(1 << who.seats) - 1,
        generation=start.generation % 0xFFFF + 1,
    )  # fmt: skip


def stage(subject: Subject, config: Config) -> Walk[None]:
    heard = yield from subject.write(at.CONFIG, config.encode())
    expect(isinstance(heard.answer, Written), f"configuration {config.generation} taken", said(heard))


def commit(subject: Subject, config: Config) -> Walk[int]:
    return subject.order(Opcode.CONFIG_COMMIT, 0, config.generation, config.check)


def install(subject: Subject, config: Config) -> Walk[None]:
    """Live from now on; the unit is locked and no bet of it waits or counts."""
    yield from stage(subject, config)
    result_is((yield from commit(subject, config)), Result.DONE, "CONFIG_COMMIT")
    subject.config = config


def on_another(subject: Subject, walk: Walk[None], **values: int) -> Walk[None]:
    """A walk on another configuration, and the usual one again, also when the walk ends badly."""
    yield from cleared(subject)
    usual = subject.live
    yield from install(subject, replace(usual, generation=usual.generation % 0xFFFF + 1, **values))  # type: ignore[arg-type]
    try:
        yield from walk
    except (Unmet, NotNow):
        yield from _usual_again(subject, usual)
        raise
    yield from _usual_again(subject, usual)


def _usual_again(subject: Subject, usual: Config) -> Walk[None]:
    yield from cleared(subject)
    yield from install(subject, replace(usual, generation=subject.live.generation % 0xFFFF + 1))


def cleared(subject: Subject) -> Walk[None]:
    """Locked with no bet at all: a new round was opened and closed."""
    if subject.config is not None:
        yield from opened(subject)
    yield from fresh(subject)


@clause("2.3-C-values-refused", "Values no unit may run on are refused with 03 and stage nothing.")
def values_refused(subject: Subject) -> Walk[None]:
    yield from fresh(subject)
    live = subject.live
    for what, bad in (
        ("a host timeout of 0", replace(live, host_timeout=0)),
        ("a host timeout of 299 ms", replace(live, host_timeout=299)),
        ("a host timeout of 5001 ms", replace(live, host_timeout=5001)),
        ("a minimum above the maximum", replace(live, least=live.most + 1)),
        ("a credit worth nothing", replace(live, credit_value=0)),
        ("a chip worth nothing", replace(live, chip_credits=0)),
        ("no confirm timeout", replace(live, confirm_timeout=0)),
    ):
        heard = yield from subject.ask(WriteWords(at.CONFIG, bad.encode()))
        refused = not isinstance(heard.answer, Written)
        expect(refused, f"exception 03 for {what}", said(heard))
        poll = yield from subject.poll()
        expect(not poll.flags & UnitFlag.CONFIG_STAGED, f"nothing staged by {what}", "b7 of the state set")
        yield from subject.tell()
    foreign = list(live.encode())
    foreign[0] ^= 1
    yield from subject.refuse(WriteWords(at.CONFIG, tuple(foreign)), Denial.VALUE)


@clause("2.3-C-commit", "A staged configuration is live from CONFIG_COMMIT with its generation and check on.")
def committed(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    old = subject.live
    new = replace(old, generation=old.generation % 0xFFFF + 1, debounce=old.debounce + 1)
    yield from stage(subject, new)
    poll = yield from subject.poll()
    expect(bool(poll.flags & UnitFlag.CONFIG_STAGED), "b7 of the state set by a staged configuration", "not set")
    still = yield from subject.read_config()
    expect(still == old, f"the live configuration {old.generation} in C", still)
    other = yield from subject.order(Opcode.CONFIG_COMMIT, 0, new.generation ^ 1, new.check)
    expect(other not in {Result.DONE, Result.ALREADY}, "a commit of another generation not done", "done")
    other = yield from subject.order(Opcode.CONFIG_COMMIT, 0, new.generation, new.check ^ 1)
    expect(other not in {Result.DONE, Result.ALREADY}, "a commit of another check word not done", "done")
    yield from install(subject, new)
    who = yield from subject.identify()
    expect((who.config_generation, who.config_check) == (new.generation, new.check), "the new configuration in I", who)
    read = yield from subject.read_config()
    expect(read == new, f"the new configuration in C: {new}", read)
    poll = yield from subject.poll()
    expect(not poll.flags & UnitFlag.CONFIG_STAGED, "nothing staged any more", "b7 of the state set")
    expect(not poll.faults & UnitFault.CONFIG_INVALID, "no fault of the configuration", f"faults {poll.faults:04X}")
    events = yield from subject.ring()
    expect(any(one.kind == EventType.CONFIG for one in events.entries), "an event 17", events.entries)
    result_is((yield from commit(subject, new)), Result.ALREADY, "a second CONFIG_COMMIT")


@clause("2.3-C-refused-open", "While OPEN no configuration becomes live.")
def refused_open(subject: Subject) -> Walk[None]:
    yield from opened(subject)
    yield from _cannot_commit(subject)


@clause("2.3-C-after-hand", "A sealed bet hinders no configuration and outlives it.", Need.HANDS, classes=SEATED)
def after_a_hand(subject: Subject) -> Walk[None]:
    yield from confirmed_bet(subject)
    yield from locked(subject)
    before = (yield from subject.poll()).seats
    old = subject.live
    yield from install(subject, replace(old, generation=old.generation % 0xFFFF + 1, hold=old.hold ^ 1))
    after = (yield from subject.poll()).seats
    states = [[(seat.bet, seat.bet_credits, seat.bets, seat.voided) for seat in seats] for seats in (before, after)]
    expect(states[0] == states[1], "the same bets and totals", f"{states[1]}, before {states[0]}")


def _cannot_commit(subject: Subject) -> Walk[None]:
    old = subject.live
    new = replace(old, generation=old.generation % 0xFFFF + 1, most=old.most + 1)
    yield from subject.write(at.CONFIG, new.encode())  # it may be taken, or refused at once
    result = yield from commit(subject, new)
    live = yield from subject.read_config()
    yield from subject.tell()
    staged = (yield from subject.poll()).flags & UnitFlag.CONFIG_STAGED
    if live != old:
        subject.config = live
    if staged:
        yield from _unstage(subject)
    expect(live == old, f"the live configuration {old.generation}, unchanged", live)
    expect(result not in {Result.DONE, Result.ALREADY}, "CONFIG_COMMIT refused", Result(result).name)


def _unstage(subject: Subject) -> Walk[None]:
    """Staging what is live and committing it leaves nothing staged."""
    yield from fresh(subject)
    yield from stage(subject, subject.live)
    yield from commit(subject, subject.live)


@clause("2.4-unlock-not-staged", "While a configuration is staged no UNLOCK is executed.")
def unlock_not_staged(subject: Subject) -> Walk[None]:
    yield from cleared(subject)
    old = subject.live
    yield from stage(subject, replace(old, generation=old.generation % 0xFFFF + 1))
    subject.round_id, subject.lock = subject.round_id % 0xFFFF + 1, at.UNLOCK
    yield from subject.tell()
    poll = yield from subject.poll()
    yield from _unstage(subject)
    if is_open(poll):
        raise Unmet("still locked after UNLOCK with a staged configuration", "OPEN")
    yield from unlocked(subject)
    yield from stays(subject, is_open, "OPEN once nothing is staged")


CONFIGURATION = (values_refused, committed, refused_open, after_a_hand, unlock_not_staged)
