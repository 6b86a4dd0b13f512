"""Plans: staged by two persons, in force only between passes with nothing pending (R-3, R-9, R-24, R-26).

Theory. A plan that was approved waits until none of its tables, old or new, has a pass in progress and none of its
pot's awards is pending; then it takes effect by itself, as a fact that holds both documents and every value that
changed. A new pot starts from its base, put in by the house. What a plan no longer names must be empty. Where tables of
neighbours feed the pot, it waits for their word too; how that is asked and given, links/proposals.py says.
"""

import hashlib
import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.core.facts import PlanStaged, PlanTookEffect, PlanWithdrawn
from controller.core.inputs import StagePlan, WithdrawPlan
from controller.core.links.known import AwayTable, Proposed
from controller.core.links.names import is_away, neighbour_of, table_at
from controller.core.links.placed import away_of, linked, seen_tables
from controller.core.links.restored.bound import awaited_of
from controller.core.people import NAME
from controller.core.state import (
    PotNow,
    Seat,
    Staged,
    State,
    Table,
    has_money,
    levels_of,
    money_of,
    owns,
    plan_hash,
    plan_of,
)
from controller.core.values import TRAINING, Change, Documents, Meters, Phase, Side
from controller.rules.approval import refuse_borrowed_name
from controller.rules.document import DocumentError
from controller.rules.plan import LinkedTable, Plan, refuse_change, refuse_outdated
from controller.rules.refusal import Reason, Refusal, refuse

MOST_TEXT = 2**16
"""Of a document: no file of one is longer (controller/documents.py), and reading a longer one would hold up play."""


def stage(state: State, asked: StagePlan) -> tuple[PlanWithdrawn | PlanStaged, ...] | Refusal:
    """R-26: read, checked against what is there, and kept waiting; one that neighbours were offered is taken back."""
    plan = approvable(Documents(asked.plan, asked.ruleset))
    if isinstance(plan, Refusal):
        return plan
    refusal = (
        _refuse_owner(state, plan)
        or _refuse_nodes(state, plan)
        or _refuse_tables(state, plan)
        or _refuse_reserves(state, plan)
    )
    if refusal is not None:
        return refusal
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    by, second = asked.by.person, asked.second.person
    made = PlanStaged(plan.name, asked.plan, asked.ruleset, plan.resolution, by, second)
    offered = _offered(state, plan.name)
    return (PlanWithdrawn(plan.name, by, offered), made) if offered else (made,)


def approvable(documents: Documents) -> Plan | Refusal:
    """R-26: what two persons here, or the owner of a pot, may wish to be the plan."""
    if max(len(documents.plan), len(documents.ruleset)) > MOST_TEXT:
        return refuse(Reason.PLAN_WRONG, "plan", why=f"Un documento pasa de {MOST_TEXT} caracteres.")
    try:
        plan = plan_of(documents)
        refuse_outdated(plan, "plan")
    except DocumentError as error:
        return refuse(Reason.PLAN_WRONG, "plan", why=str(error))
    names = (plan.name, *plan.reserve_names, *(part for table in plan.tables for part in (table.name, table.casino)))
    for name in names:
        if not NAME.fullmatch(name):
            return refuse(Reason.NAME_WRONG, "plan", name=name)
    if len(seen_tables(plan, "", owns_it=True)) < len(plan.tables):
        return refuse(Reason.PLAN_WRONG, "plan", why="Dos mesas de un nodo no pueden llamarse igual.")
    assert documents.ruleset, "R-26: it was read"
    return refuse_borrowed_name(plan.ruleset.name, content_of(documents.ruleset)) or plan


def content_of(ruleset: str) -> str:
    """R-26: the SHA-256 of what a ruleset says, the same however it is laid out: its values, the keys in order."""
    values = msgspec.json.encode(tomllib.loads(ruleset), order="sorted")
    assert values.startswith(b"{"), "a document is a table of values"
    return hashlib.sha256(values).hexdigest()


def _refuse_owner(state: State, plan: Plan) -> Refusal | None:
    """R-28: a pot has one owner, and only there two persons stage its plan."""
    if owns(state, plan.name):
        return None
    proposed, pot = state.proposed.get(plan.name), state.pots.get(plan.name)
    above = proposed.above if proposed is not None else pot.above if pot is not None else ""
    assert above, "R-28: somebody owns it"
    return refuse(Reason.POT_OF_ANOTHER, "plan", pot=plan.name, above=above)


def _refuse_nodes(state: State, plan: Plan) -> Refusal | None:
    """R-28: a table is here, or at a node whose key two persons pinned below this one."""
    for node in dict.fromkeys(map(neighbour_of, away_of(plan, state.node, owns_it=True))):
        known = state.neighbours.get(node)
        if known is None or known.revoked or known.side is not Side.BELOW:
            return refuse(Reason.NODE_NOT_BELOW, "plan", node=node)
    assert plan.tables, "R-9: a plan has tables"
    return None


def _refuse_tables(state: State, plan: Plan) -> Refusal | None:
    """R-9: a table feeds one pot, and one that waits for its pot's new plan goes to no other."""
    names = seen_tables(plan, state.node, owns(state, plan.name))
    awaited = {table: pot for pot, table in _promised(state) if pot != plan.name}
    assert plan.name, "a pot has a name"
    for name in names:
        table = state.tables.get(name) or state.away.get(name)
        if table is not None and table.pot != plan.name:
            return refuse(Reason.TABLE_TAKEN, "plan", table=name, pot=table.pot)
        if name in awaited:
            return refuse(Reason.TABLE_TAKEN, "plan", table=name, pot=awaited[name])
    return None


def _promised(state: State) -> Iterator[tuple[str, str]]:
    """The tables that are ready for a plan of another owner, with its pot: it was told so."""
    for pot, proposed in state.proposed.items():
        assert proposed.above, "R-28: of a pot that a neighbour owns"
        if proposed.ready:
            yield from ((pot, name) for name in seen_tables(plan_of(proposed.documents), state.node, owns_it=False))


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
    return (PlanWithdrawn(asked.pot, asked.by.person, _offered(state, asked.pot)),)


def _offered(state: State, pot: str) -> str:
    """R-26: the hash of the plan that waits, where neighbours below were offered it."""
    staged = state.staged.get(pot)
    if staged is None:
        return ""
    assert owns(state, pot), "R-28: two persons stage the plan of a pot of their own"
    return plan_hash(staged.documents) if members(state, plan_of(staged.documents)) else ""


def effects(state: State) -> tuple[PlanTookEffect, ...]:
    """R-26: the staged plans whose time has come. A table may be wanted by two; then the first takes it."""
    for name, staged in state.staged.items():
        plan = plan_of(staged.documents)
        assert plan.name == name, "R-26: staged under its pot"
        if not awaited_of(state, name) and _may_take_effect(state, plan, staged):
            return (_effect(state, plan, staged),)
    return ()


def _may_take_effect(state: State, plan: Plan, staged: Staged) -> bool:
    """R-26, R-28: here nothing is in the way, and all whose tables it concerns have said that so it is there."""
    assert staged.by != staged.second, "R-26: two different persons"
    return (
        members(state, plan) <= {*staged.ready}
        and nothing_in_the_way(state, plan, staged)
        and _refuse_reserves(state, plan) is None
    )


def members(state: State, plan: Plan) -> set[str]:
    """R-28: the neighbours below whose tables feed the pot, or are to feed it."""
    new = away_of(plan, state.node, owns(state, plan.name))
    there = {name for name, table in state.away.items() if table.pot == plan.name}
    assert all(map(is_away, there)), "tables of neighbours"
    return {neighbour_of(name) for name in (*there, *new) if not _is_silent(state, name)}


def _is_silent(state: State, table: str) -> bool:
    """R-28: nobody waits for a neighbour whose key two persons revoked: nothing is heard from its tables any more, so
    they stay closed."""
    assert table, "a table has a name"
    neighbour = state.neighbours.get(neighbour_of(table)) if is_away(table) else None
    return neighbour is not None and neighbour.revoked


def nothing_in_the_way(state: State, plan: Plan, waiting: Staged | Proposed) -> bool:
    """R-26: no pass is in progress and nothing pending at any table that it concerns, and what changes is empty."""
    new = linked(plan, state.node, owns(state, plan.name))
    tables = [table for table in state.tables.values() if table.pot == plan.name or table.name in new]
    away = [one for one in state.away.values() if one.pot == plan.name and not _is_silent(state, one.name)]
    # A table in training is busy: its copy was made under the documents of today.
    busy = any(table.phase is not Phase.BETWEEN or TRAINING + table.name in state.tables for table in tables)
    busy |= not all(table.closed for table in away)
    claims = [one for one in state.claims.values() if one.pot == plan.name and not _is_silent(state, one.table)]
    names = {*(table.name for table in tables), *(table.name for table in away)}
    pending = sum(claim.pending for claim in claims) + sum(table in names for table, _ in state.awaited.values())
    assert plan.name, "a pot has a name"
    return (
        refuse_change(busy, pending, waiting.resolution, [waiting.by, waiting.second]) is None
        and _refuse_tables(state, plan) is None
        and not any(has_money(table) for table in tables if _is_changed(state, plan, table))
    )


def _is_changed(state: State, plan: Plan, table: Table) -> bool:
    """R-1, R-7: a table that leaves, or whose game or credit is another one, must be empty."""
    new = linked(plan, state.node, owns(state, plan.name)).get(table.name)
    if new is None or (new.casino, new.modality.name) != (table.casino, table.modality):
        return True
    assert table.pot in state.pots, "R-9: a table feeds a pot"
    old = plan_of(state.pots[table.pot].documents)
    return old.limits.credit_value != plan.limits.credit_value


def _effect(state: State, plan: Plan, staged: Staged) -> PlanTookEffect:
    """R-24: the house of the first table's casino puts in the base of a new pot."""
    pot, first = state.pots.get(plan.name), plan.tables[0]
    base = 0 if pot is not None else plan.base
    assert first.casino == plan.casinos[0], "R-9: a plan has tables"
    made = PlanTookEffect(
        plan.name,
        staged.documents.plan,
        staged.documents.ruleset,
        staged.resolution,
        staged.by,
        staged.second,
        first.casino,
        changes_to(pot, staged.documents),
        base,
        base_table=table_at(first.name, first.node) if base and first.node else "",
    )
    if not members(state, plan):
        return made
    return replace(made, after=levels_of(money_of(_pot_under(pot, staged.documents, plan, made))))


def changes_to(pot: PotNow | None, documents: Documents) -> tuple[Change, ...]:
    """R-26: what is another value than it was; of a new pot nothing is."""
    return () if pot is None else changes_between(pot.documents, documents)


def changes_between(old: Documents, new: Documents) -> tuple[Change, ...]:
    """R-26: key by key, of the plan and of its law."""
    assert old.plan, "R-26: an approved document"
    return (*_changes(old.plan, new.plan), *_changes(old.ruleset, new.ruleset))


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
    """R-26: from here on this is the plan; seats that are still there keep what is on them. Where the owner of the pot
    is another node, it holds there already: a table with a player's money on it changes here when that is gone."""
    documents = Documents(fact.plan, fact.ruleset)
    plan, mine = plan_of(documents), not fact.above
    old, waiting = state.pots.get(plan.name), {name: one for name, one in state.staged.items() if name != plan.name}
    assert not mine or len(waiting) < len(state.staged), "R-26: it waited until now"
    there = [table for table in state.tables.values() if table.pot == plan.name]
    emptying = () if mine else tuple(one.name for one in there if has_money(one) and _is_changed(state, plan, one))
    tables = {name: one for name, one in state.tables.items() if one.pot != plan.name or name in emptying}
    away = {name: one for name, one in state.away.items() if one.pot != plan.name}
    # A table that leaves keeps its last pass number here: should it come back, no pass has the name of an older one.
    numbers = {**state.numbers, **{one.name: one.number for one in there if one.name not in emptying}}
    numbers |= {name: one.number for name, one in state.away.items() if name not in away}
    for name, new in linked(plan, state.node, mine).items():
        if name not in emptying:
            tables[name] = _table_under(state.tables.get(name), new, plan.name, numbers.pop(name, 0))
    for name, new in away_of(plan, state.node, mine).items():
        away[name] = _away_under(state.away.get(name), name, new, plan.name, numbers.pop(name, 0))
    left = {pot: names for pot, names in state.emptying.items() if pot != plan.name}
    return replace(
        state,
        pots={**state.pots, plan.name: _pot_under(old, documents, plan, fact)},
        tables=tables,
        away=away,
        staged=waiting,
        # What ends an older plan here (proposals.py) is nobody's word on the one that waits.
        proposed={name: one for name, one in state.proposed.items() if name != plan.name or not fact.by},
        numbers=numbers,
        emptying={**left, plan.name: emptying} if emptying else left,
    )


def _pot_under(old: PotNow | None, documents: Documents, plan: Plan, fact: PlanTookEffect) -> PotNow:
    levels, carries = fact.after, (0,) * len(plan.reserve_names)
    if fact.above:  # followed: it is what its owner says
        assert levels is not None and levels.reserves.keys() == {*plan.reserve_names}, "R-24: all its parts"
        followed = old or PotNow(plan.name, documents, 0, {}, ())
        seen = followed.meters
        return replace(
            followed,
            meters=replace(seen, base_put_in=seen.base_put_in + fact.base_put_in),
            documents=documents,
            main=levels.main,
            reserves={name: levels.reserves[name] for name in plan.reserve_names},
            reserve_carries=carries,
            above=fact.above,
        )
    base = fact.base_put_in
    if old is None:
        nothing = dict.fromkeys(plan.reserve_names, 0)
        return PotNow(plan.name, documents, base, nothing, carries, meters=Meters(base_put_in=base))
    assert base == 0, "R-24: only a new pot is given its base"
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


def _away_under(old: AwayTable | None, name: str, new: LinkedTable, pot: str, number: int) -> AwayTable:
    """R-28: a neighbour's table, as it was heard last."""
    assert is_away(name), "of a neighbour below"
    if old is not None and (old.casino, old.modality) == (new.casino, new.modality.name):
        return old
    return AwayTable(name, new.casino, pot, new.modality.name, number)
