"""Money that two persons move: from the house into a pot, or between the parts of one (R-24, R-26).

Theory. It takes a resolution and two different persons, and nothing else can raise a pot beside its bets and its base.
There is no way to set a pot to a value, and none between two pots. Nobody takes money out of a pot, but for the share
of a casino that left it (R-28, links/shares.py); there it is the players' too, and goes into a pot of that casino.
"""

from controller.core.accounts import SHARE
from controller.core.facts import MoneyMoved
from controller.core.inputs import MoveMoney
from controller.core.links import shares
from controller.core.links.placed import is_named
from controller.core.state import PotNow, State, moved, plan_of, with_pot
from controller.core.values import TRAINING
from controller.rules.money import MOST_BET
from controller.rules.refusal import Reason, Refusal, refuse


def move(state: State, asked: MoveMoney) -> tuple[MoneyMoved] | Refusal:
    """R-26: from the house into a part of a pot, or between two parts of it; R-28: a share of it, or into it."""
    pot = state.pots.get(asked.pot)
    if pot is None or asked.pot.startswith(TRAINING):
        return refuse(Reason.POT_UNKNOWN, "pot", pot=asked.pot)
    if pot.above:
        return refuse(Reason.POT_ELSEWHERE, "pot", pot=asked.pot, node=pot.above)
    if pot.left and is_named(plan_of(pot.documents), state.node):
        return refuse(Reason.POT_LEFT, "pot", pot=asked.pot)
    refusal = _refuse_parts(state, pot, asked) or _refuse_amount(state, pot, asked)
    if refusal is not None:
        return refusal
    if not asked.resolution.strip():
        return refuse(Reason.RESOLUTION_MISSING, "resolution")
    plan = plan_of(pot.documents)
    if asked.target == "main" and plan.ceiling is not None and pot.main + asked.amount > plan.ceiling:
        return refuse(Reason.OVER_CEILING, "amount", pot=asked.pot, ceiling=plan.ceiling, amount=asked.amount)
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (
        MoneyMoved(
            asked.pot, plan.casinos[0], shares.account_of(state, asked.source), asked.target, asked.amount,
            asked.resolution, asked.by.person, asked.second.person,
            asked.booked if asked.target.startswith(SHARE) else 0,
        ),
    )  # fmt: skip


def _refuse_parts(state: State, pot: PotNow, asked: MoveMoney) -> Refusal | None:
    """R-24: from somewhere to somewhere else, by names that are there."""
    parts = ["main", *pot.reserves]
    gives = asked.target.startswith(SHARE)
    sources = parts if gives else ["house", *parts, *(SHARE + name for name in state.shares)]
    targets = [asked.target] if gives else parts
    for where, part, known in (("source", asked.source, sources), ("target", asked.target, targets)):
        if part not in known:
            return refuse(Reason.PART_UNKNOWN, where, pot=asked.pot, part=part, parts=", ".join(known))
    if asked.source == asked.target:
        part = f"distinta de {asked.source}"
        return refuse(Reason.PART_UNKNOWN, "target", pot=asked.pot, part=part, parts=", ".join(parts))
    assert "house" not in parts, "R-24: each part of a pot has a name of its own"
    return shares.refuse(state, pot.name, asked.target.removeprefix(SHARE)) if gives else None


def _refuse_amount(state: State, pot: PotNow, asked: MoveMoney) -> Refusal | None:
    """R-18: what is there; the house alone may owe."""
    if not 1 <= asked.amount <= MOST_BET:
        return refuse(Reason.AMOUNT_WRONG, "amount", amount=asked.amount, most=MOST_BET)
    there = {"main": pot.main, **pot.reserves, **{SHARE + name: one.amount for name, one in state.shares.items()}}
    held = there.get(asked.source, asked.amount)
    assert held >= 0, "R-18: nothing is negative"
    if asked.amount > held:
        return refuse(Reason.NOT_ENOUGH, "amount", part=asked.source, held=held, amount=asked.amount)
    return None


def money_moved(state: State, fact: MoneyMoved) -> State:
    pot = state.pots[fact.pot]
    assert fact.source != fact.target, "from one to another"
    parts = {fact.target: fact.amount, fact.source: -fact.amount}
    here = {part: amount for part, amount in parts.items() if part in {"main", *pot.reserves}}
    return shares.taken(with_pot(state, moved(pot, here)), fact)
