"""An owner of a pot who never came back: what waited was decided here, what was owed to him is the pot (R-20, R-28).

Theory. Nobody's letter stands behind these decisions, so the fact that the pot was left stands behind them as a letter
would, and proves that they are whole: every claim that waited, in the order in which it was asked, each on what the one
before it left, the first on the pot as its owner said it last. What stood with him in this program's own books is then
the amount, the pot holds it as the law pours it, and nothing stands with him any more.
"""

from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.awards import levels_of, prove_levels
from controller.verify.books import lines_of
from controller.verify.links.bets import hash_of_plan
from controller.verify.money import Purse, fill
from controller.verify.past import Mark
from controller.verify.world import BETWEEN, TRAINING, Played, Pot, World
from controller.verify.wrong import must, must_be, shown, there


def left(world: World, fact: kinds.PotLeft) -> None:
    """R-28: by two with a resolution, of an owner of another house whose key was revoked, between passes."""
    pot = world.pot(fact.pot)
    must_be(fact.above, pot.above, "R-28", "quién tenía el pozo")
    owner = there(world.links.neighbours.get(fact.above), "R-28", f"nadie fijó la llave de {shown(fact.above)}")
    must(owner.revoked and not owner.inside, "R-28", f"{shown(owner.name)} no está revocado, o es de esta casa")
    must(bool(fact.resolution.strip()), "R-26", "falta la resolución")
    here = [one for one in world.tables.values() if one.pot == pot.name]
    for table in here:
        rests = table.phase == BETWEEN and TRAINING + table.name not in world.tables
        must(rests, "R-26", f"la mesa {table.name} tenía un pase en curso o entrenaba")
    must(pot.name not in world.links.emptying, "R-7", "quedaba una mesa por vaciar")
    casinos = [one.casino for one in here]
    casinos += [one.casino for one in world.links.away.values() if one.pot == pot.name]
    must_be(fact.casino, [*casinos, next(iter(pot.law.tables.values()))[0]][0], "R-28", "el casino")
    between = f"clearing:{pot.name}:{fact.above}"
    moved = sum(line[1] for one in world.links.followed for line in lines_of(one) if line[0] == between)
    _prove_whole(world, pot, fact)
    left_over = world.books.at(between)
    must_be((fact.stood, fact.amount), (left_over - moved, left_over), "R-28", "lo que había con su dueño")
    purse = Purse(0, dict.fromkeys(pot.law.reserves, 0))
    fill(purse, max(fact.amount, 0), pot.law.ceiling)
    prove_levels(fact.after, levels_of(purse, pot.law.base), "el pozo desde aquí")
    proposed = world.links.proposed.pop(pot.name, None)
    must_be(fact.plan, hash_of_plan(*proposed.documents) if proposed else "", "R-26", "el plan que no viene")
    pot.above, pot.left, pot.began = "", fact.above, fact.after
    pot.reserve_carries = dict.fromkeys(pot.reserve_carries, 0)
    for away in world.links.away.values():
        if away.pot == pot.name and not away.closed:
            of = Played(away.name, away.casino, pot.name, pot.law, away.game, away.bets, frozenset(away.dark))
            pot.under_way[away.name, away.number] = of
    pot.marks = [Mark(world.seq, purse.copy(), pot.law)]


def _prove_whole(world: World, pot: Pot, fact: kinds.PotLeft) -> None:
    """R-20: everything that waited, and nothing else."""
    links = world.links
    must(links.said_by in ("", fact.above), "R-28", f"lo anterior lo dijo {shown(links.said_by)}")
    stood = levels_of(world.purse(pot), pot.law.base)
    for one in links.followed:
        of_it = isinstance(one, kinds.ClaimDecided | kinds.CorrectionRefused) and one.pot == pot.name
        must(of_it, "R-28", "al dejar un pozo solo se decide lo que esperaba")
        if isinstance(one, kinds.ClaimDecided):
            prove_levels(one.before, stood, "el pozo antes")
            stood = one.after
    must(not links.skipped, "R-20", "no se decidió en el orden en que se preguntó")
    waits = [name for name in world.undecided if name in world.claims and world.claims[name].pot == pot.name]
    must(not waits, "R-20", f"esperaban todavía: {', '.join(waits)}")
    asked = [table for table, _ in links.awaited.values() if _feeds(world, table) == pot.name]
    must(not asked, "R-34", f"se esperaba una corrección: {', '.join(asked)}")
    for name in [one for one in world.undecided if _feeds(world, one.partition("/")[0]) == pot.name]:
        del world.undecided[name]
    links.said_by = ""
    links.followed.clear()


def _feeds(world: World, table: str) -> str:
    known = world.tables.get(table) or world.links.away.get(table)
    return known.pot if known is not None else ""


CHECKS: dict[type, Callable[..., None]] = {kinds.PotLeft: left}
