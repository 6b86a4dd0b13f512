"""The state of a node: what the facts so far add up to, and nothing else.

Theory. Frozen values in frozen values: an event makes a new state and leaves the old one as it was. Nothing here
grows with the history of the node but the last 25 hits, the claims of the day, and one line for each person; so a
snapshot is small and a pass costs the same in the tenth year as on the first day. What a plan says is read from the
documents that are part of the state (R-26), so a record needs no file beside it.
"""

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from controller.core.links.known import AwayTable, Dispute, Neighbour, Proposed, ShareKept
from controller.core.links.letters import Recall, TakingBack
from controller.core.values import (
    TRAINING,
    AwardPhase,
    Bounds,
    Box,
    ClaimPhase,
    Counted,
    Day,
    Device,
    Documents,
    Hand,
    HeadLeft,
    Lamp,
    Levels,
    Mark,
    Meters,
    Phase,
    Refund,
    RegisteredAward,
    Role,
    SealedBet,
    Terminal,
)
from controller.rules.money import Money
from controller.rules.plan import Plan, load_plan
from controller.rules.pot import Pot, Reserve
from controller.rules.prizes import PaidIn
from controller.rules.ruleset import load_ruleset

SECOND_READING, THIRD_READING = 2, 3
"""Readings of the rules (rules.md, its head): a fact is judged by the one that stands when it is made."""


class Seat(Struct, frozen=True, omit_defaults=True):
    """A seat: the money on it, its bet of this pass, its lamp, its unit, why it is closed, if it is. `unsigned`: how
    much of it voids after the lock gave back that no chief has signed (R-36). `bounds`: what its unit can have counted;
    `counted`: the events of the unit that its last move took; `doubted`: it said what cannot be, and nobody counted
    the seat since (R-37). `over`: what of `owed` a slot took beyond the bet; `over_paid`: of such, handed back on this
    day (R-4). `lamp_by`: who saw its lamp lit last (R-6)."""

    number: int
    credits: int = 0
    promo: int = 0
    bet: int = 0
    bet_promo: int = 0
    slot: int = 0
    owed: int = 0
    lamp: Lamp = Lamp.DARK
    proven: bool = False
    closed: str = ""
    closing: str = ""
    device: Device | None = None
    giving_back: int = 0
    unsigned: int = 0
    voided_by: tuple[str, ...] = ()
    bounds: Bounds | None = None
    counted: Counted | None = None
    doubted: bool = False
    over: int = 0
    over_paid: int = 0
    lamp_by: str = ""

    @property
    def out_of_play(self) -> bool:
        assert not (self.closed and self.closing), "R-6: closed, or about to be"
        return bool(self.closed or self.closing)


class Table(Struct, frozen=True, omit_defaults=True):
    """A table and its pass. `bets` are the valid ones, once they are sealed; `dark` the seats whose bet went
    back because its lamp was not lit (R-6). R-29, R-32: by their prizes, `cards` were drawn and wait for who has them,
    a seat won with those `shown`; `hands` and `community` were entered last. `skipped`: of the day, at the seal."""

    name: str
    casino: str
    pot: str
    modality: str
    seats: tuple[Seat, ...]
    number: int = 0
    phase: Phase = Phase.BETWEEN
    bets: tuple[SealedBet, ...] = ()
    sealed_at: int = 0
    closed_hash: str = ""
    draws: tuple[str, ...] = ()
    cards: dict[str, str] = {}
    shown: dict[str, tuple[str, int]] = {}
    hands: tuple[Hand, ...] = ()
    community: tuple[str, ...] = ()
    attempts: int = 0
    left: int = 0
    suspense: int = 0
    training: bool = False
    last_sealed: int = 0
    dark: tuple[int, ...] = ()
    skipped: int = 0

    def seat(self, number: int) -> Seat:
        assert 1 <= number <= len(self.seats), "R-7: a seat of this table"
        return self.seats[number - 1]


class PotNow(Struct, frozen=True, omit_defaults=True):
    """A pot with its plan, its money, the fractions it and its casinos are owed (R-23), and what it has seen. `above`:
    the neighbour that owns it; then its money is what the owner said last, none of it in this ledger; `silent`: since
    when he is not heard though that link stands. `left`: who owned it till he was left; it `began` here with that."""

    name: str
    documents: Documents
    main: int
    reserves: dict[str, int]
    reserve_carries: tuple[int, ...]
    commission_carries: dict[str, int] = {}
    moments_given: tuple[str, ...] = ()
    meters: Meters = Meters()
    above: str = ""
    silent: int = 0
    left: str = ""
    began: Levels | None = None


class Staged(Struct, frozen=True, omit_defaults=True):
    """R-26: an approved plan that waits. `ready`: the neighbours below whose tables wait for it."""

    documents: Documents
    resolution: str
    by: str
    second: str
    ready: tuple[str, ...] = ()


class AwardNow(Struct, frozen=True, omit_defaults=True):
    """An award of a claim, and how far it is: held, confirmed by whom, set aside, paid, or cancelled as false. `since`:
    when its thirty minutes began (R-21); `entered`: who entered it (R-36). `waits`: for the owner of its pot to say its
    amount (R-20); `bet`: of the seat, where he is asked; `advanced`: of what its winner has, not yet given back."""

    granted: RegisteredAward
    confirmed: str = ""
    paid: bool = False
    overdue: bool = False
    second: str = ""
    since: int = 0
    entered: tuple[str, ...] = ()
    aside: bool = False
    cancelled: bool = False
    waits: bool = False
    bet: int = 0
    advanced: int = 0

    @property
    def phase(self) -> AwardPhase:
        assert not (self.paid and self.cancelled), "R-34: what was paid is not cancelled: it is lost"
        if self.cancelled:
            return AwardPhase.REJECTED
        if self.paid:
            return AwardPhase.PAID
        if self.aside:
            return AwardPhase.ASIDE
        return AwardPhase.CONFIRMED if self.confirmed else AwardPhase.HELD

    @property
    def pending(self) -> bool:
        """R-26, R-35: somebody must still decide; a debt without term waits for nobody."""
        assert self.granted.amount >= 0, "R-18: no award is negative"
        return self.phase in {AwardPhase.HELD, AwardPhase.CONFIRMED}

    @property
    def owed(self) -> bool:
        """R-20: its money is held."""
        assert not (self.aside and not self.granted.number), "R-13: what is owed has its number"
        return self.pending or self.phase is AwardPhase.ASIDE


class Claim(Struct, frozen=True, omit_defaults=True):
    """What a pass won, or a correction found owed of an older one, kept until the day closes and nothing of it is owed.
    `frozen`: until the pot's owner answers (R-34); `doubted`: why he does not believe it; `left`: by whom (R-28)."""

    id: str
    table: str
    casino: str
    pot: str
    number: int
    at: int
    hands: tuple[Hand, ...]
    awards: dict[str, AwardNow]
    rejected: bool = False
    prize: bool = False
    by: str = ""
    paid_in: str = ""
    frozen: bool = False
    community: tuple[str, ...] = ()
    doubted: str = ""
    left: str = ""

    @property
    def promo(self) -> bool:
        """R-29: credits of the house, which are nobody's money until they are on the seat."""
        assert self.prize or not self.paid_in, "R-29: only a complementary prize says it here"
        return self.paid_in == PaidIn.PROMOTIONAL_CREDITS

    @property
    def phase(self) -> ClaimPhase:
        assert "/" in self.id, "a claim is named after its pass"
        any_paid = any(held.paid for held in self.awards.values())
        return ClaimPhase.REJECTED if self.rejected else ClaimPhase.PAID if any_paid else ClaimPhase.HELD

    @property
    def seats(self) -> frozenset[int]:
        """Whose awards stand."""
        assert all(one.granted.seat > 0 for one in self.awards.values()), "R-7: seats are numbered from 1"
        return frozenset(one.granted.seat for one in self.awards.values() if not one.cancelled)

    @property
    def pending(self) -> bool:
        return any(held.pending for held in self.awards.values())

    @property
    def owed(self) -> bool:
        return any(held.owed for held in self.awards.values())


class Person(Struct, frozen=True, omit_defaults=True):
    """`held`: roles that he had on the open gaming day before the last change (R-36)."""

    name: str
    roles: tuple[Role, ...]
    failures: int = 0
    held: tuple[Role, ...] = ()


class State(Struct, frozen=True):
    """Everything a node knows. `numbers` are the last passes of tables that no plan names any more: no name comes
    twice. `day_before` was closed before `last_day`: a new name keeps the order. `left`: how far the record went before
    each restore. `nonces`: of the last days (R-30). `clock_off`: by how much the clock may be off, least and most.
    `told`: where our streams of letters stand; `heard` and `acknowledged`: a neighbour's here, and ours there, by
    `NEIGHBOUR/STREAM`. `away`: tables of neighbours. `proposed`: plans of others. `disputes`: by `NEIGHBOUR/NUMBER`.
    `wanted`: corrections asked; `awaited`: the passes of those without an answer. `emptying`: by pot, own tables to be
    emptied (R-7). `undecided`: claims without their owner's answer (R-20). `shares`: by pot, what its owner gave us as
    we left; `taking_back`: own pots whose decisions come back, `recalls`: who above is asked for ours (R-28).
    `terminals`: by name, the browsers that were let in (R-36); `boxes`: by place, what answered there last (R-27)."""

    node: str = ""
    epoch: int = 0
    clock: int = 0
    people: dict[str, Person] = {}
    pots: dict[str, PotNow] = {}
    tables: dict[str, Table] = {}
    staged: dict[str, Staged] = {}
    claims: dict[str, Claim] = {}
    day: Day | None = None
    last_day: str = ""
    training: dict[str, dict[str, int]] = {}
    numbers: dict[str, int] = {}
    reading: int = 1
    day_before: str = ""
    left: tuple[HeadLeft, ...] = ()
    nonces: tuple[str, ...] = ()
    clock_off: tuple[int, int] = (0, 0)
    neighbours: dict[str, Neighbour] = {}
    told: dict[str, Mark] = {}
    heard: dict[str, Mark] = {}
    acknowledged: dict[str, Mark] = {}
    away: dict[str, AwayTable] = {}
    proposed: dict[str, Proposed] = {}
    disputes: dict[str, Dispute] = {}
    wanted: int = 0
    awaited: dict[str, tuple[str, int]] = {}
    emptying: dict[str, tuple[str, ...]] = {}
    undecided: tuple[str, ...] = ()
    tells: int = 1
    shares: dict[str, ShareKept] = {}
    taking_back: dict[str, TakingBack] = {}
    recalls: dict[str, Recall] = {}
    terminals: dict[str, Terminal] = {}
    boxes: dict[str, Box] = {}


# Every press asks for its plan, and reading takes far longer than deciding. Equal documents are the same plan.
@lru_cache(maxsize=256)
def _read(documents: Documents) -> Plan:
    ruleset = load_ruleset(documents.ruleset, "ruleset")
    plan = load_plan(documents.plan, "plan", {ruleset.name: ruleset})
    assert plan.ruleset is ruleset, "R-26: the two documents belong together"
    return plan


def plan_of(documents: Documents) -> Plan:
    """R-26: what the documents say. They were read before they came on record, so they can be read again."""
    return _read(documents)


# Every seal names it.
@lru_cache(maxsize=256)
def plan_hash(documents: Documents) -> str:
    """R-26: what two nodes compare to know that they play under the same documents."""
    assert documents.plan and documents.ruleset, "both documents are what was approved"
    return hashlib.sha256(f"{documents.plan}\n{documents.ruleset}".encode()).hexdigest()


def owns(state: State, pot: str) -> bool:
    """R-28: whether a pot is this node's own, or will be with its first plan."""
    known = state.pots.get(pot)
    assert pot not in state.staged or pot not in state.proposed, "R-28: a pot has one owner"
    return pot not in state.proposed and (known is None or not known.above)


def plan_at(state: State, table: Table) -> Plan:
    assert table.pot in state.pots, "R-9: a table feeds a pot"
    return plan_of(state.pots[table.pot].documents)


def money_of(pot: PotNow) -> Pot:
    """The pot as the rules know it."""
    assert len(pot.reserves) == len(pot.reserve_carries), "R-23: a carry for each reserve"
    reserves = tuple([Reserve(name, Money(amount)) for name, amount in pot.reserves.items()])
    return Pot(Money(pot.main), plan_of(pot.documents).base, reserves)


def levels_of(pot: Pot) -> Levels:
    assert pot.main >= 0, "R-18: no pot is ever negative"
    return Levels(pot.main, pot.base, {reserve.name: reserve.amount for reserve in pot.reserves})


def moved(pot: PotNow, parts: dict[str, int]) -> PotNow:
    assert set(parts) <= {"main", *pot.reserves}, "R-24: parts of this pot"
    reserves = {name: amount + parts.get(name, 0) for name, amount in pot.reserves.items()}
    return replace(pot, main=pot.main + parts.get("main", 0), reserves=reserves)


def parts_between(before: Pot, after: Pot) -> dict[str, int]:
    """What each part of a pot gained or lost; a part that did not move is left out."""
    assert [one.name for one in before.reserves] == [one.name for one in after.reserves], "R-24: the same pot"
    parts = {"main": after.main - before.main}
    for old, new in zip(before.reserves, after.reserves, strict=True):
        parts[new.name] = new.amount - old.amount
    return {name: amount for name, amount in parts.items() if amount}


def claims_of(state: State, table: str, number: int) -> list[Claim]:
    """The claims of the hands of one pass that the state knows."""
    assert table, "a table has a name"
    return [one for one in state.claims.values() if not one.prize and (one.table, one.number) == (table, number)]


def has_money(table: Table) -> bool:
    """Whether anything on a table is a player's, or unexplained."""
    assert table.seats, "R-7: a table has seats"
    on_seats = any(seat.credits or seat.promo or seat.owed or seat.bet for seat in table.seats)
    return on_seats or bool(table.left or table.suspense)


def in_play(state: State, name: str) -> str:
    """The table that inputs for this name concern: its training copy, while there is one."""
    assert not name.startswith(TRAINING), "nobody says the name of a training table"
    return TRAINING + name if TRAINING + name in state.tables else name


def with_table(state: State, table: Table) -> State:
    assert table.name in state.tables, "a table is linked by a plan"
    return replace(state, tables={**state.tables, table.name: table})


def with_seat(state: State, table: Table, seat: Seat) -> State:
    assert table.seats[seat.number - 1].number == seat.number, "R-7: seats are numbered from 1"
    return with_table(state, replace(table, seats=(*table.seats[: seat.number - 1], seat, *table.seats[seat.number :])))


def went_dark(state: State, table: Table, refunds: Iterable[Refund]) -> tuple[int, ...]:
    """R-6: those whose bet of this pass went back because of its lamp. The first reading did not ask, so a snapshot of
    its day does not know; what it went through itself is not counted either."""
    if state.reading < SECOND_READING:
        return ()
    assert all(1 <= number <= len(table.seats) for number in table.dark), "R-7: seats of this table"
    return tuple(sorted({*table.dark, *(refund.seat for refund in refunds)}))


def with_pot(state: State, pot: PotNow) -> State:
    assert pot.main >= 0 and min(pot.reserves.values(), default=0) >= 0, "R-18: no pot is ever negative"
    return replace(state, pots={**state.pots, pot.name: pot})


def with_claim(state: State, claim: Claim) -> State:
    assert claim.pot in state.pots, "R-20: a claim is on a pot"
    return replace(state, claims={**state.claims, claim.id: claim})
