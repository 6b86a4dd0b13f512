"""The share of a casino that leaves a pot for good: given by the owner, kept for players by the casino (R-28).

Theory. A plan without its tables ends what it feeds; what it has fed before stands in the pot. How much of it is the
casino's, the authority says, not a formula of ours: two of the owner's people enter the amount with the resolution, and
see what stood with the casino till then. It is given when no table of it feeds the pot any more and nothing with it is
open, so nobody settles a sum that moves. It goes by the clearing, as every peso between two nodes, and the log of the
pot says it. The casino keeps it by itself, as players' money: two persons there move it into a pot of theirs.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from controller.core.accounts import SHARE, clearing, share
from controller.core.facts import MoneyMoved, ShareHeard
from controller.core.inputs import LeavePot, MoveMoney
from controller.core.links.bets import Unbelieved
from controller.core.links.known import ShareKept
from controller.core.links.letters import PotMoved
from controller.core.links.names import is_away, neighbour_of
from controller.core.plans import members
from controller.core.state import State, plan_of
from controller.core.values import Side
from controller.rules import refusal
from controller.rules.money import MOST_MONEY
from controller.rules.refusal import Reason, Refusal


def refuse(state: State, pot: str, name: str) -> Refusal | None:
    """R-28: to a neighbour that fed this pot and feeds it no more, when nothing of it is open."""
    known = state.neighbours.get(name)
    if known is None or known.side is not Side.BELOW or f"{name}/pot:{pot}" not in state.acknowledged:
        return refusal.refuse(Reason.NEVER_FED, "target", neighbour=name, pot=pot)
    waiting = state.staged.get(pot)
    comes = waiting is not None and name in members(state, plan_of(waiting.documents))
    if comes or any(one.pot == pot and _is_its(one.name, name) for one in state.away.values()):
        return refusal.refuse(Reason.STILL_FEEDS, "target", neighbour=name, pot=pot)
    opened = next(_open_with(state, pot, name), "")
    assert pot in state.pots, "R-24: a pot that is here"
    return refusal.refuse(Reason.SHARE_OPEN, "target", neighbour=name, pot=pot, what=opened) if opened else None


def _is_its(table: str, neighbour: str) -> bool:
    assert neighbour, "a neighbour has a name"
    return is_away(table) and neighbour_of(table) == neighbour


def _open_with(state: State, pot: str, name: str) -> Iterator[str]:
    """What of the pot could still move what stands with this neighbour."""
    assert name in state.neighbours, "R-28: a neighbour"
    yield from (one.id for one in state.claims.values() if one.pot == pot and one.pending and _is_its(one.table, name))
    for one in state.disputes.values():
        if (one.neighbour, one.pot) == (name, pot):
            yield f"la disputa {name}/{one.number}"


def hear(state: State, above: str, letter: PotMoved) -> tuple[ShareHeard, ...]:
    """R-28: so much of the pot is this casino's. What is moved in the pot itself only changes how it is shown."""
    if letter.neighbour != state.node:
        return ()
    if not 0 < letter.amount <= MOST_MONEY or not (letter.by and letter.second and letter.reason.strip()):
        raise Unbelieved(f"la parte del pozo {letter.pot} no puede ser de {letter.amount}")
    fed = {*(one.pot for one in state.tables.values()), *(one.pot for one in state.away.values())}
    if letter.pot in fed:
        raise Unbelieved(f"hay mesas de aquí que alimentan el pozo {letter.pot}")
    assert state.pots[letter.pot].above == above, "R-28: its owner decides"
    by, second = (f"{above}/{person}" for person in (letter.by, letter.second))
    return (ShareHeard(letter.pot, above, letter.amount, letter.reason, by, second),)


def heard(state: State, fact: ShareHeard) -> State:
    """R-28: it lies by itself until two persons move it into a pot of this node."""
    known = state.shares.get(fact.pot)
    assert known is None or known.above == fact.above, "R-28: a pot has one owner"
    amount = fact.amount + (known.amount if known is not None else 0)
    return replace(state, shares={**state.shares, fact.pot: ShareKept(fact.above, amount)})


OF_BOOKS = (MoveMoney, LeavePot)
"""What is asked with a balance that nobody says but the books."""


def booked_in(state: State, asked: MoveMoney | LeavePot) -> str:
    """The account of that balance; nothing, where none is wanted."""
    if isinstance(asked, LeavePot):
        pot = state.pots.get(asked.pot)
        return clearing(pot.name, pot.above) if pot is not None and pot.above else ""
    if not asked.target.startswith(SHARE):
        return ""
    neighbour = asked.target.removeprefix(SHARE)
    return clearing(asked.pot, neighbour) if asked.pot and neighbour else ""


def account_of(state: State, source: str) -> str:
    """A part of a pot by its name; a share by its account, which says who gave it."""
    name = source.removeprefix(SHARE)
    if name == source:
        return source
    assert name in state.shares, "R-28: looked at before"
    return share(name, state.shares[name].above)


def taken(state: State, fact: MoneyMoved) -> State:
    """R-28: what was moved into a pot here is no share any more."""
    if not fact.source.startswith(SHARE):
        return state
    name = fact.source.removeprefix(SHARE).partition(":")[0]
    left = replace(state.shares[name], amount=state.shares[name].amount - fact.amount)
    assert left.amount >= 0, "R-18: nothing is negative"
    others = {pot: one for pot, one in state.shares.items() if pot != name}
    return replace(state, shares={**others, name: left} if left.amount else others)
