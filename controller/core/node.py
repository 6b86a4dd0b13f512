"""The node itself: founded once by two administrators, restored under a new epoch (R-26, R-27).

Theory. A record begins with its node and the two people who may enrol all others. A backup is older than what the node
promised since; so after a restore it counts under a new epoch, and no promise of the old one is taken for a new one.

Facts carry the time of the wall clock, which people read and anybody may set who rules the box. The shell compares it
with a clock that nobody sets, and says by how much it stepped. A step moves no order and no money; the moment of a
prize does not count it, and it stands as an alarm until the clock agrees again or a person takes note. Of a stop
nobody knows how long it was: none of it counts for a moment, and only what no stop can explain is an alarm.
"""

import re

from msgspec.structs import replace

from controller.core.facts import (
    ClockNoted,
    ClockStepped,
    NodeFounded,
    NodeRestored,
    NodeStarted,
    NodeStopped,
    NothingNew,
    ReadingAdopted,
)
from controller.core.inputs import AdoptReading, FoundNode, NoteClock, RestoreNode, StartNode, StepClock, StopNode
from controller.core.links.letters import TELLS, TakingBack
from controller.core.links.neighbours import clock_moved
from controller.core.links.restored.bound import shared_pots, with_taking
from controller.core.people import NAME, with_nobody_wrong
from controller.core.state import SECOND_READING, THIRD_READING, Person, State
from controller.core.values import HeadLeft, Role, Side
from controller.rules.approval import refuse_without_two
from controller.rules.refusal import Reason, Refusal, refuse

_HASH = re.compile(r"[0-9a-f]{64}")
MOST_SEQ = 2**63 - 1
MOST_EPOCH = 2**31 - 1
_PROGRAM = re.compile(r"[0-9a-f]{64}")
_BOOT = re.compile(r"[0-9a-f-]{1,64}")
AGREES = 3_000
"""Milliseconds: so far apart two clocks agree."""
_DAY = 86_400_000
_LONGEST_STOP = 31 * _DAY
READING = THIRD_READING
"""The reading of the rules that this program decides by (rules.md, its head)."""
SIGNING = 2
"""The list by which this program's book signs facts at once (book/seal.py, docs/record.md)."""


def found(state: State, asked: FoundNode) -> tuple[NodeFounded] | Refusal:
    """The first fact of a record."""
    if state.node:
        return refuse(Reason.ALREADY_FOUNDED, "node")
    for name in (asked.node, *asked.administrators):
        if not NAME.fullmatch(name):
            return refuse(Reason.NAME_WRONG, "node", name=name)
    assert not state.people, "nobody is enrolled before the node is founded"
    return refuse_without_two(asked.administrators, "administrators") or (
        NodeFounded(asked.node, asked.key, asked.administrators, READING),
    )


def adopt(state: State, asked: AdoptReading) -> tuple[ReadingAdopted | NothingNew]:
    """What follows is decided by this reading; what stands on record was right by its own."""
    assert state.reading <= READING, "a record is never opened by an older program than wrote it"
    # A program has one reading, and adopts no other, whoever asks for one.
    if state.reading < READING == asked.reading:
        return (ReadingAdopted(READING),)
    return (NothingNew("la lectura de las reglas"),)


def start(state: State, asked: StartNode) -> tuple[NodeStarted] | Refusal:
    """R-27: what runs from here on; the book signs it."""
    if not _PROGRAM.fullmatch(asked.program):
        return refuse(Reason.NAME_WRONG, "program", name=asked.program)
    if not _BOOT.fullmatch(asked.boot):
        return refuse(Reason.NAME_WRONG, "boot", name=asked.boot)
    return (NodeStarted(asked.program, asked.boot, SIGNING, TELLS if state.neighbours else 1),)


def stop(_state: State, _asked: StopNode) -> tuple[NodeStopped]:
    """R-27: an end in order."""
    return (NodeStopped(),)


def restore(state: State, asked: RestoreNode) -> tuple[NodeRestored] | Refusal:
    """A new epoch: what was promised under the old one since the backup is not denied, but asked for again."""
    if asked.epoch <= state.epoch:
        return refuse(Reason.EPOCH_NOT_NEWER, "epoch", epoch=asked.epoch, current=state.epoch)
    if asked.epoch > MOST_EPOCH:
        return refuse(Reason.AMOUNT_WRONG, "epoch", amount=asked.epoch, most=MOST_EPOCH)
    if asked.left is not None and not _may_be_left(asked.left, asked.epoch):
        return refuse(Reason.LEFT_WRONG, "left")
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    below = [one.name for one in state.neighbours.values() if one.side is Side.BELOW and not one.revoked]
    asks = tuple(sorted(below)) if shared_pots(state) else ()
    return (NodeRestored(asked.epoch, asked.reason, asked.by.person, asked.second.person, asked.left, asks),)


def _may_be_left(left: HeadLeft, epoch: int) -> bool:
    """What was left behind was of an earlier epoch."""
    assert epoch > 0, "a new epoch"
    return 0 < left.epoch < epoch and 0 < left.seq <= MOST_SEQ and bool(_HASH.fullmatch(left.hash))


def founded(state: State, fact: NodeFounded) -> State:
    """The first two administrators; their PINs come with their enrolment."""
    assert not state.node, "a node is founded once"
    people = {person: Person(person, (Role.ADMINISTRATOR,)) for person in fact.administrators}
    assert len(people) == 2, "R-26: two different persons"
    return replace(state, node=fact.node, epoch=1, people=people, reading=fact.reading)


def adopted(state: State, fact: ReadingAdopted) -> State:
    assert fact.reading > state.reading, "a later reading"
    known = state.reading >= SECOND_READING  # a snapshot of the first reading did not know the day before
    adopted_ = replace(state, reading=fact.reading, day_before=state.day_before if known else "")
    return with_nobody_wrong(adopted_) if fact.reading >= THIRD_READING else adopted_  # nobody is locked now


def restored(state: State, fact: NodeRestored) -> State:
    assert fact.epoch > state.epoch, "a new epoch"
    left = state.left if fact.left is None else (*state.left, fact.left)
    assert all(one.epoch < fact.epoch for one in left), "what was left behind was of earlier epochs"
    state = replace(state, epoch=fact.epoch, left=left)
    for pot in shared_pots(state) if fact.asks else ():
        bound = state.taking_back.get(pot, TakingBack()).bound
        state = with_taking(state, pot, TakingBack(fact.asks, bound))
    return state


def step_clock(_state: State, asked: StepClock) -> tuple[ClockStepped | NothingNew]:
    """R-27: said by the shell, before anything that is dated by the new time."""
    assert isinstance(asked.ms, int), "whole milliseconds"
    if asked.stop or abs(asked.ms) > AGREES:
        return (ClockStepped(asked.ms, asked.stop),)
    return (NothingNew("el reloj"),)


def note_clock(state: State, asked: NoteClock) -> tuple[ClockNoted | NothingNew]:
    """R-27: by a chief or a technician."""
    assert asked.by.verified, "R-27: who takes note has signed"
    return (NothingNew("el reloj") if state.clock_off == (0, 0) else ClockNoted(asked.by.person),)


def clock_stepped(state: State, fact: ClockStepped) -> State:
    """R-28, R-29: the time of the open day goes on from where it was, and how long links have been down."""
    least, most = (off + fact.ms for off in state.clock_off)
    if fact.stop:
        longest = _LONGEST_STOP if state.day is None else _DAY
        explained = -AGREES <= fact.ms <= longest
        least, most = state.clock_off if explained else (least - longest, most)
    assert least <= most, "the least and the most"
    agrees = least <= AGREES and most >= -AGREES
    assert not agrees or least - AGREES <= most, "R-27: somewhere between them the clocks agree"
    day = replace(state.day, skipped=state.day.skipped + fact.ms) if state.day is not None else None
    state = clock_moved(state, fact) if state.neighbours else state
    return replace(state, clock_off=(0, 0) if agrees else (least, most), day=day)


def clock_noted(state: State, _fact: ClockNoted) -> State:
    assert state.clock_off != (0, 0), "something to take note of"
    return replace(state, clock_off=(0, 0))
