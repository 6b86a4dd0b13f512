"""A plan of a pot that nodes share: proposed, everybody ready, in force at once for all (R-26, R-28).

Theory. The owner of a pot has a plan that two persons approved, and may put it in force only while nobody plays on the
pot and nothing of it is pending, at its own tables and at those of all neighbours below. So it offers the plan in the
log of the pot. Whoever has tables of the pot looks after everything that happens whether they are at rest; once they
are, it says *ready*, and from then on opens no pass there until the log says that the plan is in force or taken back. A
node in the middle offers it on in its own log of the pot, and is ready when those below it are too. Nothing here waits
for a clock: who cannot be reached holds the plan up, until two persons take it back or revoke his key.

What cannot be read is not believed, and stands in dispute: its tables are never ready for it.
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from controller.core.facts import Fact, PlanDropped, PlanProposed, PlanReady, PlanStaged, PlanTookEffect, PlanWithdrawn
from controller.core.links.bets import Unbelieved
from controller.core.links.known import Proposed
from controller.core.links.letters import Letter, PlanInForce, PlanOffered, PlanTakenBack, Ready
from controller.core.links.placed import is_named, linked, seen_tables
from controller.core.links.restored.asking import is_asked
from controller.core.plans import approvable, changes_to, members, nothing_in_the_way
from controller.core.state import State, Table, has_money, levels_of, money_of, owns, plan_hash, plan_of
from controller.core.values import Documents, Levels, Side
from controller.rules.approval import refuse_without_two
from controller.rules.money import MOST_MONEY
from controller.rules.plan import LinkedTable, Plan
from controller.rules.refusal import Reason, Refusal, refuse

# What the owner of a pot says of its plan, and what those below say to it


def hear_offered(state: State, neighbour: str, letter: PlanOffered) -> tuple[PlanProposed, ...]:
    """R-26: a plan that waits for us too. What two persons could not have approved here is not believed."""
    plan = _believed(state, neighbour, letter)
    if not _concerns(state, plan):
        return ()
    assert plan.name == letter.pot, "R-26: looked at before"
    return (
        PlanProposed(letter.pot, letter.plan, letter.ruleset, letter.resolution, neighbour, letter.by, letter.second),
    )


def hear_in_force(state: State, neighbour: str, letter: PlanInForce) -> tuple[PlanTookEffect, ...]:
    """R-24, R-26: it holds for all from here on; whoever has the plan's first table bears the base of a new pot."""
    plan = _believed(state, neighbour, letter)
    if not _concerns(state, plan):
        return ()
    documents = Documents(letter.plan, letter.ruleset)
    _refuse_levels(plan, letter)
    _refuse_unready(state, plan, neighbour, letter)
    first = next((name for name, one in _seen(state, plan).items() if one == plan.tables[0]), "")
    mine = linked(plan, state.node, owns_it=False)
    return (
        PlanTookEffect(
            letter.pot,
            letter.plan,
            letter.ruleset,
            letter.resolution,
            letter.by,
            letter.second,
            letter.casino,
            changes_to(state.pots.get(letter.pot), documents),
            letter.base_put_in if first else 0,
            neighbour,
            first if letter.base_put_in and first not in mine else "",
            letter.after,
        ),
    )


def hear_taken_back(state: State, neighbour: str, letter: PlanTakenBack) -> tuple[PlanDropped, ...]:
    """R-26: what was offered does not come; if it was never believed here, nothing changes."""
    proposed = state.proposed.get(letter.pot)
    if proposed is None or (proposed.above, plan_hash(proposed.documents)) != (neighbour, letter.plan):
        return ()
    assert not owns(state, letter.pot), "R-28: of a pot that a neighbour owns"
    return (PlanDropped(letter.pot, letter.plan, neighbour, letter.by),)


def hear_ready(state: State, neighbour: str, letter: Ready) -> tuple[PlanReady, ...]:
    """R-26: its tables stay closed for this plan; a word for one that does not wait any more changes nothing."""
    staged, proposed = state.staged.get(letter.pot), state.proposed.get(letter.pot)
    waiting = staged or proposed
    if waiting is None or plan_hash(waiting.documents) != letter.plan:
        return ()
    said = staged.ready if staged is not None else proposed.below if proposed is not None else ()
    if neighbour in said or neighbour not in members(state, plan_of(waiting.documents)):
        return ()
    assert neighbour, "somebody said it"
    return (PlanReady(letter.pot, letter.plan, neighbour),)


def _believed(state: State, neighbour: str, letter: PlanOffered | PlanInForce) -> Plan:
    """The plan of a letter, or why it is not believed. That a pot in force is that neighbour's was looked at before."""
    proposed = state.proposed.get(letter.pot)
    if letter.pot in state.staged:
        raise Unbelieved(f"el pozo {letter.pot} es de este nodo")
    if proposed is not None and proposed.above != neighbour:
        raise Unbelieved(f"el pozo {letter.pot} es de {proposed.above}")
    plan = approvable(Documents(letter.plan, letter.ruleset))
    if isinstance(plan, Refusal):
        raise Unbelieved(plan.message)
    if plan.name != letter.pot:
        raise Unbelieved(f"es el plan del pozo {plan.name}")
    refusal = refuse_without_two([letter.by, letter.second], "plan")
    if refusal is not None or not letter.resolution.strip():
        raise Unbelieved("no lo aprobaron dos personas con una resolución")
    return plan


def _seen(state: State, plan: Plan) -> Mapping[str, LinkedTable]:
    assert plan.tables, "R-9: a plan has tables"
    return seen_tables(plan, state.node, owns_it=False)


def _concerns(state: State, plan: Plan) -> bool:
    """R-9: a table of ours, or one below, feeds the pot or is to feed it."""
    fed = {*(table.pot for table in state.tables.values()), *(table.pot for table in state.away.values())}
    assert plan.name, "a pot has a name"
    return bool(_seen(state, plan)) or plan.name in fed


def _refuse_levels(plan: Plan, letter: PlanInForce) -> None:
    """R-18, R-24: the parts of the plan, none below nothing or past counting; a base that is put in is the plan's."""
    after = letter.after
    amounts_fit = all(0 <= amount <= MOST_MONEY for amount in (after.main, *after.reserves.values()))
    parts_fit = after.reserves.keys() == {*plan.reserve_names} and amounts_fit
    base_fits = letter.base_put_in in {0, plan.base} and letter.casino == plan.casinos[0]
    assert plan.casinos, "R-9: a plan has tables"
    if not parts_fit or not base_fits:
        raise Unbelieved(f"lo que dice que hay en el pozo {letter.pot} no es de este plan")


def _refuse_unready(state: State, plan: Plan, neighbour: str, letter: PlanInForce) -> None:
    """R-26: only between passes. Who was not waited for comes to it at rest, when the owner proposes it again."""
    proposed = state.proposed.get(letter.pot)
    documents = Documents(letter.plan, letter.ruleset)
    if proposed is not None and proposed.ready and proposed.documents == documents:
        return
    waiting = Proposed(documents, letter.resolution, neighbour, by=letter.by, second=letter.second)
    asked = state if proposed is not None else replace(state, proposed={**state.proposed, letter.pot: waiting})
    assert not owns(asked, letter.pot), "R-28: of a pot that a neighbour owns"
    if not nothing_in_the_way(asked, plan, waiting):
        raise Unbelieved(f"el plan del pozo {letter.pot} rige sin este nodo, que tiene un pase o un premio en curso")


# What we say ourselves, and when


def effects(state: State) -> tuple[PlanReady | PlanTookEffect, ...]:
    """R-26: after every input, whether the tables of a pot that a neighbour owns have come to rest."""
    for name, proposed in state.proposed.items():
        plan = plan_of(proposed.documents)
        assert plan.name == name, "R-26: proposed under its pot"
        asked = not proposed.ready and not state.neighbours[proposed.above].revoked
        asked = asked and not is_asked(state, proposed.above)
        rest = members(state, plan) <= {*proposed.below}
        if asked and rest and nothing_in_the_way(state, plan, proposed):
            return (PlanReady(name, plan_hash(proposed.documents)),)
    for name, tables in state.emptying.items():
        if not any(has_money(state.tables[table]) for table in tables):
            return (_at_last(state, name),)
    return ()


def _at_last(state: State, name: str) -> PlanTookEffect:
    """R-7: the plan in force, where tables had to be emptied first."""
    pot = state.pots[name]
    plan = plan_of(pot.documents)
    assert pot.above, "R-28: of a pot that a neighbour owns"
    return PlanTookEffect(
        name,
        pot.documents.plan,
        pot.documents.ruleset,
        plan.resolution,
        "",
        "",
        plan.casinos[0],
        above=pot.above,
        after=levels_of(money_of(pot)),
    )


def refuse_closed(state: State, table: Table) -> Refusal | None:
    """R-26: no pass opens, and no training begins, where the owner of the pot was told *ready*; nor where he was left,
    before a plan of this house holds."""
    of = state.pots[table.pot]
    if of.left and is_named(plan_of(of.documents), state.node):
        return refuse(Reason.POT_LEFT, "table", pot=of.name)
    for pot, proposed in state.proposed.items():
        if proposed.ready and (table.pot == pot or table.name in _seen(state, plan_of(proposed.documents))):
            return refuse(Reason.PLAN_COMES, "table", table=table.name, pot=pot, above=proposed.above)
    if table.name in state.emptying.get(table.pot, ()):
        seats = sum(seat.credits + seat.promo + seat.owed for seat in table.seats)
        amount = seats + table.left + abs(table.suspense)
        return refuse(Reason.TABLE_TO_EMPTY, "table", table=table.name, amount=amount)
    assert table.name, "a table has a name"
    return None


# Letters


def told_above(fact: Fact) -> Iterator[Letter]:
    """To the owner of a pot."""
    if isinstance(fact, PlanReady) and not fact.neighbour:
        assert fact.plan, "R-26: for one plan, word for word"
        yield Ready(fact.pot, fact.plan)


def told_below(state: State, fact: Fact) -> Iterator[Letter]:
    """In the log of a pot: what two persons decided here of its plan, where neighbours have tables of the pot; and, by
    whoever has neighbours below, what the owner told him. `state`: behind the answer in which the fact stands."""
    assert state.node, "who tells has a name"
    match fact:
        case PlanStaged() if members(state, plan_of(Documents(fact.plan, fact.ruleset))):
            by, second = f"{state.node}/{fact.by}", f"{state.node}/{fact.second}"
            yield PlanOffered(fact.pot, fact.plan, fact.ruleset, fact.resolution, by, second)
        case PlanWithdrawn() if fact.plan:
            yield PlanTakenBack(fact.pot, fact.plan, f"{state.node}/{fact.by}")
        case PlanTookEffect(after=Levels() as after) if not fact.above:
            by, second = f"{state.node}/{fact.by}", f"{state.node}/{fact.second}"
            yield _in_force(fact, after, by, second)
        case PlanTookEffect(after=Levels() as after) if fact.by and _has_below(state):
            yield _in_force(fact, after, fact.by, fact.second)
        case PlanProposed() if _has_below(state):
            yield PlanOffered(fact.pot, fact.plan, fact.ruleset, fact.resolution, fact.by, fact.second)
        case PlanDropped() if _has_below(state):
            yield PlanTakenBack(fact.pot, fact.plan, fact.by)


def _has_below(state: State) -> bool:
    return any(one.side is Side.BELOW for one in state.neighbours.values())


def _in_force(fact: PlanTookEffect, after: Levels, by: str, second: str) -> PlanInForce:
    assert fact.casino, "R-28: of a casino, whose house put the base in"
    return PlanInForce(
        fact.pot, fact.plan, fact.ruleset, fact.resolution, by, second, fact.casino, after, fact.base_put_in
    )


# What becomes of the state


def proposed(state: State, fact: PlanProposed) -> State:
    assert owns(state, fact.pot) is (fact.pot not in state.pots and fact.pot not in state.proposed), "R-28: not ours"
    waiting = Proposed(Documents(fact.plan, fact.ruleset), fact.resolution, fact.above, by=fact.by, second=fact.second)
    return replace(state, proposed={**state.proposed, fact.pot: waiting})


def ready(state: State, fact: PlanReady) -> State:
    """R-26: ours, or a neighbour's word for its own tables."""
    staged = state.staged.get(fact.pot)
    if staged is not None:
        assert fact.neighbour, "R-26: the owner of a pot tells nobody that it is ready"
        staged = replace(staged, ready=(*staged.ready, fact.neighbour))
        return replace(state, staged={**state.staged, fact.pot: staged})
    waiting = state.proposed[fact.pot]
    if fact.neighbour:
        waiting = replace(waiting, below=(*waiting.below, fact.neighbour))
    else:
        waiting = replace(waiting, ready=True)
    assert plan_hash(waiting.documents) == fact.plan, "R-26: for the plan that waits"
    return replace(state, proposed={**state.proposed, fact.pot: waiting})


def dropped(state: State, fact: PlanDropped) -> State:
    assert fact.pot in state.proposed, "only what waits is dropped"
    return replace(state, proposed={pot: one for pot, one in state.proposed.items() if pot != fact.pot})
