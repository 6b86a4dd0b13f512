"""The share of a casino that left a pot: given by its owner, kept apart by the casino, moved into a pot of it (R-28).

Theory. What a share may be nobody can compute, so the resolution and two persons stand for it. But who is given one has
heard the log of the pot and feeds it no more, nothing with it was open, and the fact says what stood with it before. At
the casino it lies in an account of its own, which only a move into a pot there makes smaller.
"""

from collections.abc import Callable

from controller.verify import facts as kinds
from controller.verify.books import SHARE
from controller.verify.facts import Fact
from controller.verify.links import letters
from controller.verify.links.names import is_away, neighbour_of
from controller.verify.links.neighbours import known
from controller.verify.links.plans import members
from controller.verify.world import World
from controller.verify.wrong import must, must_be, shown


def share_of(fact: kinds.MoneyMoved) -> tuple[str, int]:
    """To whom, and how much, as the log of the pot says it."""
    if not fact.target.startswith(SHARE):
        return "", 0
    return fact.target.removeprefix(SHARE), fact.amount


def shares_of(world: World) -> list[str]:
    """The accounts from which a share can be moved."""
    return [account for account, amount in world.books.stands.items() if account.startswith(SHARE) and amount]


def shares_kept(world: World) -> dict[str, dict[str, object]]:
    """By pot: who gave it, and what is left of it."""
    kept: dict[str, dict[str, object]] = {}
    for account in shares_of(world):
        _, pot, above = account.split(":")
        kept[pot] = {"above": above, "amount": world.books.at(account)}
    return kept


def prove_share(world: World, fact: kinds.MoneyMoved) -> None:
    """R-28: to a neighbour below that fed the pot, feeds it no more, and with whom nothing of it is open."""
    name, _ = share_of(fact)
    stood = world.books.at(f"clearing:{fact.pot}:{name}") if name else 0
    must_be(fact.stood, stood, "R-28", "lo que había con ese casino")
    if not fact.target.startswith(SHARE):
        return
    heard = f"{name}/pot:{fact.pot}" in world.links.acknowledged
    one = world.links.neighbours.get(name)
    must(heard and one is not None and one.side == "below", "R-28", f"{shown(name)} no alimentó nunca el pozo")
    feeds = any(away.pot == fact.pot and neighbour_of(away.name) == name for away in world.links.away.values())
    staged = world.staged.get(fact.pot)
    feeds |= staged is not None and name in members(world, staged.law)
    must(not feeds, "R-28", f"{shown(name)} alimentaba el pozo, o lo iba a alimentar")
    for claim, won in world.claims.items():
        of_it = won.pot == fact.pot and is_away(won.table) and neighbour_of(won.table) == name
        must(not (of_it and won.pending), "R-28", f"los premios {claim} estaban pendientes")
    open_ = [one for one in world.links.disputes.values() if (one.neighbour, one.pot) == (name, fact.pot)]
    must(not open_, "R-28", f"había una disputa con {shown(name)}")


def share_in(world: World, writer: str, letter: letters.PotMoved) -> list[Fact]:
    """R-28: what follows of a move in a pot that another node owns: nothing, but for whose share it is."""
    if letter.neighbour != world.node:
        return []
    by, second = f"{writer}/{letter.by}", f"{writer}/{letter.second}"
    return [kinds.ShareHeard(letter.pot, writer, letter.amount, letter.reason, by, second)]


def heard(world: World, fact: kinds.ShareHeard) -> None:
    """R-28: of a pot that no table here feeds."""
    known(world, fact.above)
    must_be(fact.above, world.pot(fact.pot).above, "R-28", "quién tiene el pozo")
    must(fact.amount > 0 and bool(fact.resolution.strip()), "R-28", "una parte sin cantidad o sin resolución")
    feeds = [one for one in world.tables.values() if one.pot == fact.pot]
    away = [one for one in world.links.away.values() if one.pot == fact.pot]
    must(not feeds and not away, "R-28", f"había mesas de aquí que alimentaban {shown(fact.pot)}")
    world.links.heard_of(fact.above, fact)


CHECKS: dict[type, Callable[..., None]] = {kinds.ShareHeard: heard}
