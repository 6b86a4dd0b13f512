"""The whole examination: every clause in its order, a verdict for each, and a unit that is left locked.

A clause that fails says what was promised and what came, and the next one begins anew from a locked unit. One that
cannot be examined here is named as skipped, never passed. When a unit stops answering at all, the rest is skipped for
that reason. The unit is examined on a configuration of the examination's own and gets its own back at the end.
"""

from collections.abc import Sequence

from drivers.conformance.clause import SEATED, Clause
from drivers.conformance.clauses.away import AWAY
from drivers.conformance.clauses.bets import BETS, UNLOCKING
from drivers.conformance.clauses.blocks import AT_THE_END, BLOCKS
from drivers.conformance.clauses.boots import BOOTS
from drivers.conformance.clauses.chips import CHIPS
from drivers.conformance.clauses.commands import COMMANDS
from drivers.conformance.clauses.config import CONFIGURATION, cleared, commit, examined, install, stage
from drivers.conformance.clauses.desk import DESK
from drivers.conformance.clauses.events import EVENTS
from drivers.conformance.clauses.fingers import FINGERS
from drivers.conformance.clauses.frames import FRAMES
from drivers.conformance.clauses.lamps import LAMPS
from drivers.conformance.clauses.line import LINE
from drivers.conformance.clauses.locks import LOCKS
from drivers.conformance.clauses.loss import LOSS
from drivers.conformance.clauses.reboot import REBOOTS
from drivers.conformance.clauses.refused import REFUSED
from drivers.conformance.clauses.sessions import HOSTS, SESSIONS
from drivers.conformance.clauses.standing import STANDING, STANDING_OVER_A_BOOT
from drivers.conformance.clauses.times import TIMES
from drivers.conformance.play import fresh, funded, now
from drivers.conformance.steps import Begun, ClauseOutcome, ClauseVerdict, HandsFree, Need, NotNow, Tell, Unmet, Walk
from drivers.conformance.subject import Subject
from drivers.native.contract import MOST_SEATS, Opcode
from drivers.native.writes import Config
from drivers.session import SECOND

CATALOGUE: tuple[Clause, ...] = (
    *BLOCKS, *FRAMES, *LINE, *COMMANDS, *REFUSED, *SESSIONS, *CONFIGURATION, *EVENTS, *UNLOCKING, *BETS, *STANDING,
    *CHIPS, *LAMPS, *LOCKS, *FINGERS, *LOSS, *HOSTS, *AWAY, *TIMES, *REBOOTS, *BOOTS, *STANDING_OVER_A_BOOT, *DESK,
    *AT_THE_END,
)  # fmt: skip
_TRIES = 4
_ALIVE = SECOND // 2


def examine(subject: Subject, clauses: Sequence[Clause] = CATALOGUE) -> Walk[None]:
    silent = not (yield from _identified(subject))
    stuck = "the unit does not answer as a native unit" if silent else ""
    own: Config | None = None
    start: dict[int, int] = {}
    failed: set[str] = set()
    if not silent:
        own = yield from _own_config(subject)
        yield from _tried(_remember_balances(subject, start))
        yield from _tried(_prepare(subject, own))
    for place, clause in enumerate(clauses, 1):
        yield Tell(Begun(clause.name, place, len(clauses)))
        because = stuck if clause.name != BLOCKS[0].name else ""
        if clause.rests_on in failed:
            because = because or f"it rests on {clause.rests_on}, which did not pass"
            failed.add(clause.name)  # what rests on this one rests on that too
        verdict = _skipped(clause, because) if because else (yield from _judge(clause, subject))
        yield Tell(verdict)
        if verdict.outcome is ClauseOutcome.FAIL:
            failed.add(clause.name)
            if not stuck and not (yield from _identified(subject)):
                stuck = f"the unit does not answer any more since {clause.name}"
    if not stuck:
        yield from _tried(_leave(subject, own, start))


def _judge(clause: Clause, subject: Subject) -> Walk[ClauseVerdict]:
    why = _why_not(clause, subject)
    if why:
        return _skipped(clause, why)
    subject.wire.trail.clear()
    try:
        yield from clause.walk(subject)
    except NotNow as error:
        yield HandsFree(seen=False)
        return _skipped(clause, str(error))
    except Unmet as error:
        frames = tuple(subject.wire.trail)
        yield HandsFree(seen=False)
        return ClauseVerdict(
            clause.name, clause.sentence, ClauseOutcome.FAIL, error.expected, error.came, frames=frames
        )
    return ClauseVerdict(clause.name, clause.sentence, ClauseOutcome.PASS)


def _skipped(clause: Clause, why: str) -> ClauseVerdict:
    return ClauseVerdict(clause.name, clause.sentence, ClauseOutcome.SKIPPED, why=why)


def _why_not(clause: Clause, subject: Subject) -> str:
    """Empty: it can be examined here."""
    if subject.identity is None:
        return ""
    who = subject.identity
    if who.unit_class not in clause.classes:
        return f"not of class {who.unit_class}"
    if clause.capability is not None and not who.capabilities & clause.capability:
        return f"the unit has no {clause.capability.name.lower().replace('_', ' ')}"
    if who.version < clause.since:
        return f"since {clause.since:04X}: the unit's contract, {who.version:04X}, left it open"
    can = subject.can | ({Need.RTU} if subject.wire.serial else {Need.TCP})
    can |= {Need.TIME} if subject.wire.serial and subject.wire.takes_time else set()
    can |= {Need.SEVERAL} if who.seats > 1 else set()
    return next((f"needs {need}" for need in Need if need in clause.needs - can), "")


def _tried(walk: Walk[None]) -> Walk[None]:
    """What goes wrong here is a clause's to tell."""
    try:
        yield from walk
    except Unmet:
        return


def _identified(subject: Subject) -> Walk[bool]:
    for _ in range(_TRIES):
        try:
            who = yield from subject.identify()
        except Unmet:
            yield from now(_ALIVE)
        else:
            return 1 <= who.seats <= MOST_SEATS
    return False


def _own_config(subject: Subject) -> Walk[Config | None]:
    try:
        live = yield from subject.read_config()
    except Unmet:
        return None
    subject.config = live if live.flaw() is None else None
    return subject.config


def _remember_balances(subject: Subject, start: dict[int, int]) -> Walk[None]:
    for seat in subject.seats:
        start[seat] = (yield from subject.detail(seat)).balance


def _prepare(subject: Subject, own: Config | None) -> Walk[None]:
    yield from cleared(subject)
    yield from install(subject, examined(subject, own))


def _leave(subject: Subject, own: Config | None, start: dict[int, int]) -> Walk[None]:
    """Locked; the balances and the configuration that it came with."""
    yield from cleared(subject)
    if subject.who.unit_class in SEATED:
        for seat, balance in start.items():
            yield from _settled(subject, seat, balance)
    if own is not None and own != subject.config:
        yield from stage(subject, own)
        yield from commit(subject, own)
        subject.config = yield from subject.read_config()
    yield from fresh(subject)
    yield from subject.identify()


def _settled(subject: Subject, seat: int, balance: int) -> Walk[None]:
    yield from subject.feed()
    yield from funded(subject, seat, balance)
    detail = yield from subject.detail(seat)
    if balance < detail.balance:
        cashed = (detail.cashed + detail.balance - balance) % 2**32
        yield from subject.order(Opcode.CASHED_TO, seat, detail.cashed, cashed)
