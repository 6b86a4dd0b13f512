"""Whether a host lives on a unit: whoever examines it would take its session, its round and its lamps away.

Only reading. A unit whose last heartbeat is fresh may have been left a moment ago, by an examination for instance; so
it is looked at until its host has fed it once more, or would have lost it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drivers.conformance.clause import Clause
from drivers.conformance.examination import examine
from drivers.conformance.steps import Tell, Unmet, Wait, Walk
from drivers.conformance.subject import Subject
from drivers.native.contract import MOST_SEATS, UnitFlag
from drivers.session import MILLISECOND, Micros

_NEVER = 0xFF  # of a heartbeat's age
_LOOK = 50 * MILLISECOND
_LONGEST_TIMEOUT = 5_000  # ms, of any configuration (2.3 C)


@dataclass(frozen=True, slots=True)
class InUse:
    """An event: nothing was examined, and why."""

    why: str


def examine_if_free(subject: Subject, clauses: Sequence[Clause]) -> Walk[None]:
    if (yield from _is_fed(subject)):
        why = f"unit {subject.unit} is in use: a host feeds it. Stop that host, or say --force and its round is lost"
        yield Tell(InUse(why))
        return
    yield from examine(subject, clauses)


def _is_fed(subject: Subject) -> Walk[bool]:
    """What goes wrong here is a clause's to tell."""
    try:
        who = yield from subject.identify()
        return (yield from _is_fed_again(subject)) if 1 <= who.seats <= MOST_SEATS else False
    except Unmet:
        return False


def _is_fed_again(subject: Subject) -> Walk[bool]:
    """Somebody's heartbeat came while we looked."""
    timeout = yield from _host_timeout(subject)
    begun: Micros | None = None
    while True:
        poll = yield from subject.poll()
        begun = subject.now if begun is None else begun
        age = poll.heartbeat_age
        if not poll.flags & UnitFlag.SESSION_OWNED or age == _NEVER or age * 10 > timeout:
            return False
        if subject.now - begun > age * 10 * MILLISECOND + _LOOK:
            return True
        yield Wait(_LOOK)


def _host_timeout(subject: Subject) -> Walk[int]:
    try:
        live = yield from subject.read_config()
    except Unmet:
        return _LONGEST_TIMEOUT
    return live.host_timeout
