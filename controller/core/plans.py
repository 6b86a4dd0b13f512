"""Plans: staged by two persons, in force only between passes with nothing pending (R-3, R-9, R-24, R-26).

Theory. A plan that was approved waits until none of its tables, old or new, has a pass in progress and none of its
pot's awards is pending; then it takes effect by itself, as a fact that holds both documents and every value that
changed. A new pot starts from its base, put in by the house. What a plan no longer names must be empty.
"""

import hashlib
import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.core.facts import PlanStaged, PlanTookEffect, PlanWithdrawn
from controller.core.inputs import StagePlan, WithdrawPlan
from controller.core.people import NAME
from controller.core.state import PotNow, Seat, Staged, State, Table, has_money, linked, plan_of
from controller.core.values import TRAINING, Change, Documents, Meters, Phase
from controller.rules.approval import refuse_borrowed_name
from controller.rules.document import DocumentError
from controller.rules.plan import LinkedTable, Plan, refuse_change, refuse_outdated
from controller.rules.refusal import Reason, Refusal, refuse


def stage(state: State, asked: StagePlan) -> tuple[PlanStaged] | Refusal:
    """R-26: read, checked against what is there, and kept waiting."""
    documents = Documents(asked.plan, asked.ruleset)
    try:
        plan = plan_of(documents)
        refuse_outdated(plan, "plan")
    except DocumentError as error:
        return refuse(Reason.PLAN_WRONG, "plan", why=str(error))
    names = (plan.name, *plan.reserve_names, *(part for table in plan.tables for part in (table.name, table.casino)))
    for name in names:
        if not NAME.fullmatch(name):
            return refuse(Reason.NAME_WRONG, "plan", name=name)
    if len(linked(plan)) < len(plan.tables):
        return refuse(Reason.PLAN_WRONG, "plan", why="Dos mesas de un nodo no pueden llamarse igual.")
    refusal = (
        refuse_borrowed_name(plan.ruleset.name, content_of(asked.ruleset))
        or _refuse_tables(state, plan)
        or _refuse_reserves(state, plan)
    )
    if refusal is not None:
        return refusal
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (PlanStaged(plan.name, asked.plan, asked.ruleset, plan.resolution, asked.by.person, asked.second.person),)


def content_of(ruleset: str) -> str:
    """R-26: the SHA-256 of what a ruleset says, the same however it is laid out: its values, the keys in order."""
    values = msgspec.json.encode(tomllib.loads(ruleset), order="sorted")
    assert values.startswith(b"{"), "a document is a table of values"
    return hashlib.sha256(values).hexdigest()


def _refuse_tables(state: State, plan: Plan) -> Refusal | None:
    """R-9: a table feeds one pot."""
    assert plan.name, "a pot has a name"
    for name in linked(plan):
        table = state.tables.get(name)
        if table is not None and table.pot != plan.name:
            return refuse(Reason.TABLE_TAKEN, "plan", table=name, pot=table.pot)
    return None


def _refuse_reserves(state: State, plan: Plan) -> Refusal | None:
    """R-24: no reserve disappears with money in it."""
    pot = state.pots.get(plan.name)
    assert pot is None or pot.name == plan.name, "a pot is kept under its name"
    for reserve, amount in (pot.reserves if pot else {}).items():
        if amount and reserve not in plan.reserve_names:
            return refuse(Reason.RESERVE_NOT_EMPTY, "plan", reserve=reserve, amount=amount)
    return None


def withdraw(state: State, asked: WithdrawPlan) -> tuple[PlanWithdrawn] | Refusal:
    if asked.pot not in state.staged:
        return refuse(Reason.PLAN_NOT_STAGED, "pot", pot=asked.pot)
    assert asked.pot == plan_of(state.staged[asked.pot].documents).name, "R-26: staged under its pot"
    return (PlanWithdrawn(asked.pot, asked.by.person),)


def effects(state: State) -> tuple[PlanTookEffect, ...]:
    """R-26: the staged plans whose time has come. A table may be wanted by two; then the first takes it."""
    for name, staged in state.staged.items():
        plan = plan_of(staged.documents)
        assert plan.name == name, "R-26: staged under its pot"
        if _may_take_effect(state, plan, staged):
            return (_effect(state, plan, staged),)
    return ()


def _may_take_effect(state: State, plan: Plan, staged: Staged) -> bool:
    assert staged.by != staged.second, "R-26: two different persons"
    tables = [table for table in state.tables.values() if table.pot == plan.name or table.name in linked(plan)]
    # A table in training is busy: its copy was made under the documents of today.
    busy = any(table.phase is not Phase.BETWEEN or TRAINING + table.name in state.tables for table in tables)
    pending = sum(claim.pending for claim in state.claims.values() if claim.pot == plan.name)
    approvers = [staged.by, staged.second]
    return (
        refuse_change(busy, pending, staged.resolution, approvers) is None
        and _refuse_tables(state, plan) is None
        and _refuse_reserves(state, plan) is None
        and not any(has_money(table) for table in tables if _is_changed(state, plan, table))
    )


def _is_changed(state: State, plan: Plan, table: Table) -> bool:
    """R-1, R-7: a table that leaves, or whose game or credit is another one, must be empty."""
    new = linked(plan).get(table.name)
    if new is None or (new.casino, new.modality.name) != (table.casino, table.modality):
        return True
    assert table.pot in state.pots, "R-9: a table feeds a pot"
    old = plan_of(state.pots[table.pot].documents)
    return old.limits.credit_value != plan.limits.credit_value


def _effect(state: State, plan: Plan, staged: Staged) -> PlanTookEffect:
    pot = state.pots.get(plan.name)
    old = pot.documents if pot else Documents("", "")
    changes = (*_changes(old.plan, staged.documents.plan), *_changes(old.ruleset, staged.documents.ruleset))
    assert plan.casinos, "R-9: a plan has tables"
    return PlanTookEffect(
        plan.name,
        staged.documents.plan,
        staged.documents.ruleset,
        staged.resolution,
        staged.by,
        staged.second,
        plan.casinos[0],
        changes if pot else (),
        0 if pot else plan.base,
    )


def _changes(old: str, new: str) -> Iterator[Change]:
    """R-26: every value that is another one, in the order of its name."""
    assert new, "R-26: an approved document"
    before, after = dict(_values("", tomllib.loads(old))), dict(_values("", tomllib.loads(new)))
    for key in sorted(before | after):
        if before.get(key) != after.get(key):
            yield Change(key, before.get(key, ""), after.get(key, ""))


def _values(path: str, value: Any) -> Iterator[tuple[str, str]]:
    assert path or isinstance(value, dict), "a document is a table of values"
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _values(f"{path}.{key}" if path else key, inner)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _values(f"{path}[{at}]", inner)
    else:
        yield path, str(value)


def staged(state: State, fact: PlanStaged) -> State:
    assert fact.by != fact.second, "R-26: two different persons"
    waiting = Staged(Documents(fact.plan, fact.ruleset), fact.resolution, fact.by, fact.second)
    return replace(state, staged={**state.staged, fact.pot: waiting})


def withdrawn(state: State, fact: PlanWithdrawn) -> State:
    assert fact.pot in state.staged, "only what waits is withdrawn"
    return replace(state, staged={pot: one for pot, one in state.staged.items() if pot != fact.pot})


def took_effect(state: State, fact: PlanTookEffect) -> State:
    """R-26: from here on this is the plan; seats that are still there keep what is on them."""
    documents = Documents(fact.plan, fact.ruleset)
    plan = plan_of(documents)
    pot = _pot_under(state.pots.get(plan.name), documents, plan, fact.base_put_in)
    tables = {name: table for name, table in state.tables.items() if table.pot != plan.name}
    # A table that leaves keeps its last pass number here: should it come back, no pass has the name of an older one.
    numbers = {**state.numbers, **{name: table.number for name, table in state.tables.items() if name not in tables}}
    for name, new in linked(plan).items():
        tables[name] = _table_under(state.tables.get(name), new, plan.name, numbers.pop(name, 0))
    waiting = {name: one for name, one in state.staged.items() if name != plan.name}
    assert len(waiting) < len(state.staged), "R-26: it waited until now"
    return replace(state, pots={**state.pots, plan.name: pot}, tables=tables, staged=waiting, numbers=numbers)


def _pot_under(old: PotNow | None, documents: Documents, plan: Plan, base_put_in: int) -> PotNow:
    if old is None:
        nothing = dict.fromkeys(plan.reserve_names, 0)
        carries = (0,) * len(plan.reserve_names)
        return PotNow(plan.name, documents, base_put_in, nothing, carries, meters=Meters(base_put_in=base_put_in))
    assert base_put_in == 0, "R-24: only a new pot is given its base"
    carry_of = dict(zip(old.reserves, old.reserve_carries, strict=True))
    return replace(
        old,
        documents=documents,
        reserves={name: old.reserves.get(name, 0) for name in plan.reserve_names},
        reserve_carries=tuple(carry_of.get(name, 0) for name in plan.reserve_names),
    )


def _table_under(old: Table | None, new: LinkedTable, pot: str, number: int) -> Table:
    if old is not None and (old.casino, old.modality) == (new.casino, new.modality.name):
        return old
    seats = tuple(Seat(seat) for seat in range(1, new.modality.seats + 1))
    assert old is None or not has_money(old), "R-7: a game changes on an empty table"
    assert old is None or old.number == number, "R-5: passes are counted on"
    return Table(new.name, new.casino, pot, new.modality.name, seats, number)
