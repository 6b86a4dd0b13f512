"""The node itself: founded once by two administrators, restored under a new epoch, with its clock and its terminals
(R-26, R-27, R-36).

Theory. A record begins with its node and the two people who may enrol all others. A backup is older than what the node
promised since; so after a restore it counts under a new epoch, and no promise of the old one is taken for a new one.

Facts carry the time of the wall clock, which people read and anybody may set who rules the box. The shell compares it
with a clock that nobody sets, and says by how much it stepped. A step moves no order and no money; the moment of a
prize does not count it, and it stands as an alarm until the clock agrees again or a person takes note. Of a stop
nobody knows how long it was: none of it counts for a moment, and only what no stop can explain is an alarm.

A terminal is a browser that two persons let in, because whoever types a PIN there trusts what stands behind the glass.
Its key says which browser it is and never who stands before it: everything is still signed by persons. One person takes
it away, at once: a tablet that was left in a taxi waits for no second, and all that is lost is that two enrol it again.
A web process of another box is let in and sent away in the same way: its CURVE key opens the node's far door.

What runs in a device counts money too. So which box answers where, and with which program, is on record whenever it is
another than before; that a technician changed it at night is no fault, and that nobody could say when would be one.
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.core.facts import (
    ClockNoted,
    ClockStepped,
    Fact,
    FirmwareSeen,
    NodeFounded,
    NodeRestored,
    NodeStarted,
    NodeStopped,
    NothingNew,
    ReadingAdopted,
    TerminalEnrolled,
    TerminalWithdrawn,
)
from controller.core.inputs import (
    AdoptReading,
    EnrolTerminal,
    FoundNode,
    NoteClock,
    RestoreNode,
    SeeFirmware,
    StartNode,
    StepClock,
    StopNode,
    WithdrawTerminal,
)
from controller.core.links.letters import TELLS, TakingBack
from controller.core.links.neighbours import clock_moved
from controller.core.links.restored.asking import asked_from, asks_above
from controller.core.links.restored.bound import shared_pots, with_taking
from controller.core.people import NAME, with_nobody_wrong
from controller.core.state import SECOND_READING, THIRD_READING, Person, State, Table
from controller.core.values import MOST_TERMINALS, TRAINING, HeadLeft, Role, Side, Terminal, TerminalUse
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
_POINT = re.compile(r"04([0-9a-f]{64})([0-9a-f]{64})")
_PRIME = 2**256 - 2**224 + 2**192 + 2**96 - 1
_ORDINATE = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
"""P-256: the points of y² = x³ - 3x + this, modulo the prime above."""
_OCTETS = re.compile(r"[0-9a-f]{64}")
_FIELD = 2**255 - 19
_NOBODYS = {
    0,
    1,
    _FIELD - 1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
}
"""Curve25519: with these keys everybody shares the same secret, so who holds one proves nothing."""


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
    by, second = asked.by.person, asked.second.person
    return (NodeRestored(asked.epoch, asked.reason, by, second, asked.left, asks, asks_above(state)),)


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
    state = asked_from(replace(state, epoch=fact.epoch, left=left), fact.asks_above)
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


def enrol_terminal(state: State, asked: EnrolTerminal) -> tuple[TerminalEnrolled | NothingNew] | Refusal:
    """R-36: a browser that is new here, or that has another key, use or place from now on."""
    if not NAME.fullmatch(asked.terminal):
        return refuse(Reason.NAME_WRONG, "terminal", name=asked.terminal)
    refusal = _refuse_place(state, asked.use, asked.place) or _refuse_key(state, asked)
    if refusal is not None:
        return refusal
    known = state.terminals.get(asked.terminal)
    if known == Terminal(asked.use, asked.place, asked.key):
        return (NothingNew("una terminal"),)
    if known is None and len(state.terminals) >= MOST_TERMINALS:
        return refuse(Reason.TERMINALS_FULL, "terminal", most=MOST_TERMINALS)
    by, second, had = asked.by.person, asked.second.person, known.key if known is not None else ""
    assert by != second, "R-26: two different persons"
    return (TerminalEnrolled(asked.terminal, asked.use, asked.place, asked.key, by, second, had),)


def _refuse_place(state: State, use: TerminalUse, place: str) -> Refusal | None:
    """R-36: for one use: a table that is here, a layout by its name, and of a chief or a web none."""
    assert state.node, "founded"
    if use in {TerminalUse.CHIEF, TerminalUse.WEB}:
        return refuse(Reason.TERMINAL_NO_PLACE, "place") if place else None
    if use is TerminalUse.SIGN:
        return None if NAME.fullmatch(place) else refuse(Reason.NAME_WRONG, "place", name=place)
    here = place in state.tables and not place.startswith(TRAINING)
    return None if here else refuse(Reason.TABLE_UNKNOWN, "place", table=place)


def _refuse_key(state: State, asked: EnrolTerminal) -> Refusal | None:
    """R-36: one that could check something, and tells this browser, or web, from every other."""
    assert asked.terminal, "a terminal has a name"
    if asked.use is TerminalUse.WEB and not _is_curve_key(asked.key):
        return refuse(Reason.WEB_KEY_WRONG, "key")
    if asked.use is not TerminalUse.WEB and not _is_point(asked.key):
        return refuse(Reason.TERMINAL_KEY_WRONG, "key")
    for other, one in state.terminals.items():
        if one.key == asked.key and other != asked.terminal:
            return refuse(Reason.TERMINAL_KEY_TAKEN, "key", other=other)
    return None


def _is_point(key: str) -> bool:
    """R-36: of P-256; a key beside the curve would be taken here, and by nobody who has to check with it."""
    found = _POINT.fullmatch(key)
    if found is None:
        return False
    x, y = (int(half, 16) for half in found.groups())
    assert x >= 0 and y >= 0, "whole numbers"
    return max(x, y) < _PRIME and (y * y - (x * x * x - 3 * x + _ORDINATE)) % _PRIME == 0


def _is_curve_key(key: str) -> bool:
    """R-36: of Curve25519, written in its one way, and such that only who made it can prove it."""
    if not _OCTETS.fullmatch(key):
        return False
    number = int.from_bytes(bytes.fromhex(key), "little")
    assert number >= 0, "a whole number"
    return number < _FIELD and number not in _NOBODYS


def withdraw_terminal(state: State, asked: WithdrawTerminal) -> tuple[TerminalWithdrawn] | Refusal:
    """R-36: by one person, whatever is under way; a key that was lost may come back only by two."""
    if asked.terminal not in state.terminals:
        return refuse(Reason.TERMINAL_UNKNOWN, "terminal", terminal=asked.terminal)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    assert asked.by.verified, "signatures are looked at first"
    return (TerminalWithdrawn(asked.terminal, asked.reason, asked.by.person),)


def terminal_enrolled(state: State, fact: TerminalEnrolled) -> State:
    assert fact.by != fact.second, "R-26: two different persons"
    fresh = {fact.terminal: Terminal(fact.use, fact.place, fact.key)}
    assert len({**state.terminals, **fresh}) <= MOST_TERMINALS, "bounded, as all of the state"
    return replace(state, terminals={**state.terminals, **fresh})


def terminal_withdrawn(state: State, fact: TerminalWithdrawn) -> State:
    assert fact.terminal in state.terminals, "withdrawn once"
    left = {name: one for name, one in state.terminals.items() if name != fact.terminal}
    return replace(state, terminals=left)


def see_firmware(state: State, table: Table, asked: SeeFirmware) -> tuple[FirmwareSeen | NothingNew] | Refusal:
    """R-27: a device came up; what it is was written when it was first seen."""
    assert state.node, "founded"
    if not asked.unit.strip():
        return refuse(Reason.NAME_WRONG, "unit", name=asked.unit)
    was = state.boxes.get(asked.unit)
    if was == asked.box:
        return (NothingNew("el programa de un aparato"),)
    return (FirmwareSeen(table.name.removeprefix(TRAINING), asked.unit, asked.box, was),)


def firmware_seen(state: State, fact: FirmwareSeen) -> State:
    assert state.boxes.get(fact.unit) == fact.was != fact.box, "another than before"
    return replace(state, boxes={**state.boxes, fact.unit: fact.box})


DECIDE: dict[type, Callable[..., tuple[Fact, ...] | Refusal]] = {
    AdoptReading: adopt,
    StartNode: start,
    StopNode: stop,
    RestoreNode: restore,
    StepClock: step_clock,
    NoteClock: note_clock,
    EnrolTerminal: enrol_terminal,
    WithdrawTerminal: withdraw_terminal,
}
APPLY: dict[type, Callable[[State, Any], State]] = {
    NodeFounded: founded,
    ReadingAdopted: adopted,
    NodeRestored: restored,
    TerminalEnrolled: terminal_enrolled,
    TerminalWithdrawn: terminal_withdrawn,
    FirmwareSeen: firmware_seen,
    ClockStepped: clock_stepped,
    ClockNoted: clock_noted,
}
