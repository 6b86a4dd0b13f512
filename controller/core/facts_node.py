"""Facts of the node itself: its people, its plans, its day, money moved by two persons, training, refusals.

Theory: see facts.
"""

from controller.core.values import Change, FactRoot, Levels, Meters, Role


class NodeFounded(FactRoot, frozen=True, tag="node_founded"):
    node: str
    key: str
    administrators: tuple[str, str]


class NodeRestored(FactRoot, frozen=True, tag="node_restored"):
    epoch: int
    reason: str
    by: str
    second: str


class PersonEnrolled(FactRoot, frozen=True, tag="person_enrolled"):
    """`secret` is the SHA-256 of the PIN's verifier, so that a swapped verifier shows."""

    person: str
    name: str
    roles: tuple[Role, ...]
    secret: str
    by: str
    second: str


class PersonUnlocked(FactRoot, frozen=True, tag="person_unlocked"):
    person: str
    by: str


class PlanStaged(FactRoot, frozen=True, tag="plan_staged"):
    pot: str
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str


class PlanWithdrawn(FactRoot, frozen=True, tag="plan_withdrawn"):
    pot: str
    by: str


class PlanTookEffect(FactRoot, frozen=True, tag="plan_took_effect"):
    """R-26: with its documents, and every value that changed. A new pot starts from its base, put in by the house."""

    pot: str
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str
    casino: str
    changes: tuple[Change, ...] = ()
    base_put_in: int = 0


class DayOpened(FactRoot, frozen=True, tag="day_opened"):
    day: str
    commitment: str
    by: str


class DayClosed(FactRoot, frozen=True, tag="day_closed"):
    """R-30: the seed; and the meters of every live pot, as they stood."""

    day: str
    seed: str
    by: str
    meters: dict[str, Meters] = {}


class SuspenseCleared(FactRoot, frozen=True, tag="suspense_cleared"):
    table: str
    amount: int
    pot: str
    casino: str
    reason: str
    by: str
    second: str


class MoneyMoved(FactRoot, frozen=True, tag="money_moved"):
    pot: str
    casino: str
    source: str
    target: str
    amount: int
    resolution: str
    by: str
    second: str


class TrainingStarted(FactRoot, frozen=True, tag="training_started"):
    """A copy of the pot for one table, in training money."""

    table: str
    pot: str
    casino: str
    by: str
    levels: Levels


class TrainingEnded(FactRoot, frozen=True, tag="training_ended"):
    """Every training account of the table and its pot goes back to nothing: `closing` are their last balances."""

    table: str
    by: str
    closing: dict[str, int] = {}


class ClockWentBack(FactRoot, frozen=True, tag="clock_went_back"):
    """Order comes from the sequence; the jump is on record."""

    was: int
    now: int


class NothingNew(FactRoot, frozen=True, tag="nothing_new"):
    """An input that changed nothing: a stale report, a lamp seen as it was."""

    what: str


class Refused(FactRoot, frozen=True, tag="refused"):
    """A refusal, remembered with its id for ever."""

    ask: str
    reason: str
    rule: str
    where: str
    message: str
    by: str = ""


class IdReused(FactRoot, frozen=True, tag="id_reused"):
    """The same id came with other content: refused, and an alarm."""

    source: str
    epoch: int
    number: int
