"""Plans of a pot that nodes share: offered, everybody ready, in force for all at once (R-26, R-28).

Theory. A plan names each table's node as the owner of the pot sees it, and each node reads it from where it stands: its
own tables, those of neighbours below, and those that lie elsewhere. While a plan waits, who has said that he is ready
opens no pass of the pot; it takes effect when all are, and of a pot of another as its owner says, with its levels.
"""

from collections.abc import Callable, Iterator
from typing import Any

from controller.verify import facts as kinds
from controller.verify.facts import Levels
from controller.verify.law import Game, Law, read_law
from controller.verify.links import letters
from controller.verify.links.bets import hash_of_plan
from controller.verify.links.letters import Letter
from controller.verify.links.names import is_away, neighbour_of, seen_from
from controller.verify.links.neighbours import known
from controller.verify.links.state import AwayTable, Due, Proposed
from controller.verify.world import BETWEEN, TRAINING, Table, World
from controller.verify.wrong import must, must_be, shown, there, wrong

Tables = dict[str, tuple[str, Game]]


def owns(world: World, pot: str) -> bool:
    """R-28: a pot is this node's unless somebody else proposed it or has it."""
    return pot not in world.links.proposed and not (pot in world.pots and world.pots[pot].above)


def seen(world: World, law: Law, *, mine: bool) -> Tables:
    """The tables of a plan that are this node's or lie below it, by what they are called here. `mine`: whether the pot
    is."""
    found: Tables = {}
    for name, what in law.tables.items():
        table, _, node = name.partition("@")
        way = seen_from(node, world.node, mine)
        if way is not None:
            found[f"{table}@{way}" if way else table] = what
    return found


def own(world: World, law: Law, *, mine: bool) -> Tables:
    return {name: what for name, what in seen(world, law, mine=mine).items() if not is_away(name)}


def members(world: World, law: Law) -> set[str]:
    """R-28: the neighbours below whose tables feed the pot or are to feed it, and whose key stands."""
    new = seen(world, law, mine=owns(world, law.pot))
    names = [*(one.name for one in world.links.away.values() if one.pot == law.pot), *filter(is_away, new)]
    return {neighbour_of(name) for name in names if not is_silent(world, name)}


def is_silent(world: World, table: str) -> bool:
    """R-26: of a neighbour whose key was revoked: nobody waits for him."""
    one = world.links.neighbours.get(neighbour_of(table)) if is_away(table) else None
    return one is not None and one.revoked


def prove_may_be_staged(world: World, law: Law) -> None:
    """R-28: by the owner of the pot alone, with tables of pinned neighbours below."""
    must(owns(world, law.pot), "R-28", f"el pozo {shown(law.pot)} es de otro nodo")
    for name in filter(is_away, seen(world, law, mine=True)):
        one = known(world, neighbour_of(name))
        must(one.side == "below", "R-28", f"{shown(one.name)} no está debajo de este nodo")
    staged = world.staged.get(law.pot)
    taken_back = staged is None or not members(world, staged.law)
    must(taken_back, "R-26", "el plan que se había ofrecido a los vecinos no se retiró antes")


def prove_withdrawn(world: World, law: Law, documents: tuple[str, str], fact: kinds.PlanWithdrawn) -> None:
    right = hash_of_plan(*documents) if members(world, law) else ""
    must_be(fact.plan, right, "R-26", "el plan que se les había ofrecido a los vecinos")


def prove_at_rest(world: World, law: Law, *, mine: bool) -> list[Table]:
    """R-26: no pass in progress and nothing pending, here and below; the tables here that it concerns."""
    new = own(world, law, mine=mine)
    tables = [one for one in world.tables.values() if one.pot == law.pot or one.name in new]
    for table in tables:
        busy = table.phase != BETWEEN or TRAINING + table.name in world.tables
        must(not busy, "R-26", f"la mesa {table.name} tenía un pase en curso o entrenaba")
    for away in world.links.away.values():
        rests = away.pot != law.pot or away.closed or is_silent(world, away.name)
        must(rests, "R-26", f"la mesa {away.name} tenía un pase en curso")
    claims = [one for one in world.claims.items() if one[1].pot == law.pot and not is_silent(world, one[1].table)]
    pending = [name for name, claim in claims if claim.pending]
    must(not pending, "R-26", f"había premios pendientes: {', '.join(pending)}")
    waits = [table for table, _ in world.links.awaited.values() if world.feeds(table)[0] == law.pot]
    must(not waits, "R-34", f"se esperaba una corrección: {', '.join(waits)}")
    return tables


def proposed(world: World, fact: kinds.PlanProposed) -> None:
    """R-26: by the owner of the pot; in place of the one that waited, which was taken back."""
    world.links.heard_of(fact.above, fact)
    law = read_law(fact.plan, fact.ruleset, world.published)
    must_be((fact.pot, fact.resolution), (law.pot, law.resolution), "R-26", "el pozo y la resolución")
    pot = world.pots.get(fact.pot)
    is_its = pot is None or pot.above == fact.above
    must(is_its and fact.pot not in world.staged, "R-28", f"el pozo {shown(fact.pot)} no es de {shown(fact.above)}")
    must(bool(fact.by and fact.second) and fact.by != fact.second, "R-26", "no lo aprobaron dos personas")
    documents = (fact.plan, fact.ruleset)
    signed = (fact.by, fact.second)
    world.links.proposed[fact.pot] = Proposed(law, documents, fact.resolution, fact.above, signed)


def ready(world: World, fact: kinds.PlanReady) -> None:
    """R-26: for the plan that waits, once; ours when those below have said it and nothing is in the way."""
    staged, waiting = world.staged.get(fact.pot), world.links.proposed.get(fact.pot)
    if fact.neighbour:
        world.links.heard_of(fact.neighbour, fact)
        plan = staged or waiting
        if plan is None:
            wrong("R-26", f"no había un plan en espera para {shown(fact.pot)}")
        must(fact.neighbour not in plan.ready_below, "R-26", f"{shown(fact.neighbour)} ya lo había dicho")
        must(fact.neighbour in members(world, plan.law), "R-26", f"nadie espera a {shown(fact.neighbour)}")
        must_be(fact.plan, hash_of_plan(*plan.documents), "R-26", "el plan que espera")
        plan.ready_below.append(fact.neighbour)
        return
    offered = there(waiting, "R-26", f"nadie ofreció un plan para {shown(fact.pot)}")
    must_be(fact.plan, hash_of_plan(*offered.documents), "R-26", "el plan que espera")
    must(not offered.ready, "R-26", "ya se había dicho")
    known(world, offered.above)
    left = members(world, offered.law) - set(offered.ready_below)
    must(not left, "R-26", f"faltaba que lo dijeran {', '.join(sorted(left))}")
    prove_at_rest(world, offered.law, mine=False)
    offered.ready = True


def dropped(world: World, fact: kinds.PlanDropped) -> None:
    world.links.heard_of(fact.above, fact)
    was = there(world.links.proposed.pop(fact.pot, None), "R-26", f"nadie ofreció un plan para {shown(fact.pot)}")
    must_be((fact.plan, fact.above), (hash_of_plan(*was.documents), was.above), "R-26", "el plan que no viene")


def prove_open_to_passes(world: World, table: Table) -> None:
    """R-26: not where the owner was told that nothing is in progress; nor on a table that must be emptied."""
    for pot, one in world.links.proposed.items():
        waits = one.ready and (table.pot == pot or table.name in seen(world, one.law, mine=False))
        must(not waits, "R-26", f"la mesa {table.name} esperaba el plan nuevo de {pot}")
    of = world.pots[table.pot]
    named = any(world.node in name.split("@")[1:] for name in of.law.tables)
    must(not (of.left and named), "R-28", f"el pozo {of.name} se dejó, y no había un plan propio")
    must(table.name not in world.links.emptying.get(table.pot, ()), "R-26", f"la mesa {table.name} se tenía que vaciar")


def put_away(world: World, fact: kinds.PlanTookEffect, law: Law) -> None:
    """R-9, R-28: the tables of neighbours that feed the pot from here on, each as it was heard last."""
    away = world.links.away
    for name in [one.name for one in away.values() if one.pot == law.pot]:
        world.numbers[name] = away[name].number
    old = {name: one for name, one in away.items() if one.pot == law.pot}
    world.links.away = {name: one for name, one in away.items() if name not in old}
    for name, (casino, game) in seen(world, law, mine=not fact.above).items():
        if not is_away(name):
            continue
        number, was = world.numbers.pop(name, 0), old.get(name)
        if was is not None and (was.casino, was.game.name) == (casino, game.name):
            was.game = game
        else:
            was = AwayTable(name, casino, law.pot, game)
            was.number = number
        world.links.away[name] = was


def of_plans(world: World, fact: Any) -> Iterator[Due]:
    """R-26: what is told of plans, below in the log of the pot, above to its owner."""
    if isinstance(fact, kinds.PlanReady):
        if not fact.neighbour:
            yield Due(f"to:{_owner_of(world, fact.pot)}", letters.Ready(fact.pot, fact.plan))
        return
    letter = _told_below(world, fact)
    if letter is not None:
        yield Due(f"pot:{fact.pot}", letter)


def _owner_of(world: World, pot: str) -> str:
    return world.links.proposed[pot].above if pot in world.links.proposed else world.pots[pot].above


def _told_below(world: World, fact: Any) -> Letter | None:
    me, has_below = world.node, any(one.side == "below" for one in world.links.neighbours.values())
    if isinstance(fact, kinds.PlanStaged):
        law = read_law(fact.plan, fact.ruleset, world.published)
        by = (f"{me}/{fact.by}", f"{me}/{fact.second}")
        offer = letters.PlanOffered(fact.pot, fact.plan, fact.ruleset, fact.resolution, *by)
        return offer if members(world, law) else None
    if isinstance(fact, kinds.PlanWithdrawn):
        return letters.PlanTakenBack(fact.pot, fact.plan, f"{me}/{fact.by}") if fact.plan else None
    if isinstance(fact, kinds.PlanTookEffect):
        return _in_force(fact, me, has_below)
    if isinstance(fact, kinds.PlanProposed):
        by = (fact.by, fact.second)
        return letters.PlanOffered(fact.pot, fact.plan, fact.ruleset, fact.resolution, *by) if has_below else None
    if isinstance(fact, kinds.PlanDropped) and has_below:
        return letters.PlanTakenBack(fact.pot, fact.plan, fact.by)
    return None


def _in_force(fact: kinds.PlanTookEffect, me: str, has_below: bool) -> Letter | None:
    by = (fact.by, fact.second) if fact.above else (f"{me}/{fact.by}", f"{me}/{fact.second}")
    is_told = fact.after is not None and (not fact.above or (bool(fact.by) and has_below))
    if not is_told or fact.after is None:
        return None
    of = (fact.pot, fact.plan, fact.ruleset, fact.resolution)
    return letters.PlanInForce(*of, *by, fact.casino, fact.after, fact.base_put_in)


def levels_under(law: Law, main: int, reserves: dict[str, int]) -> Levels:
    """R-24: the parts of a pot under a plan."""
    return Levels(main, law.base, {name: reserves.get(name, 0) for name in law.reserves})


CHECKS: dict[type, Callable[..., None]] = {
    kinds.PlanProposed: proposed,
    kinds.PlanReady: ready,
    kinds.PlanDropped: dropped,
}
