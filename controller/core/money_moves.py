"""Money that two persons move: from the house into a pot, or between the parts of one (R-24, R-26).

Theory. It takes a resolution and two different persons, and nothing else can raise a pot beside its bets and its base.
There is no way to set a pot to a value, none to take money out of it, and none between two pots.
"""

from controller.core.facts import MoneyMoved
from controller.core.inputs import MoveMoney
from controller.core.state import State, moved, plan_of, with_pot
from controller.core.values import TRAINING
from controller.rules.money import MOST_BET
from controller.rules.refusal import Reason, Refusal, refuse


def move(state: State, asked: MoveMoney) -> tuple[MoneyMoved] | Refusal:
    """R-26: from the house into a part of a pot, or between two parts of it."""
    pot = state.pots.get(asked.pot)
    if pot is None or asked.pot.startswith(TRAINING):
        return refuse(Reason.POT_UNKNOWN, "pot", pot=asked.pot)
    if pot.above:
        return refuse(Reason.POT_ELSEWHERE, "pot", pot=asked.pot, node=pot.above)
    there = {"main": pot.main, **pot.reserves}
    for where, part, known in (("source", asked.source, ["house", *there]), ("target", asked.target, list(there))):
        if part not in known:
            return refuse(Reason.PART_UNKNOWN, where, pot=asked.pot, part=part, parts=", ".join(known))
    if asked.source == asked.target:
        parts = ", ".join(there)
        return refuse(Reason.PART_UNKNOWN, "target", pot=asked.pot, part=f"distinta de {asked.source}", parts=parts)
    if not 1 <= asked.amount <= MOST_BET:
        return refuse(Reason.AMOUNT_WRONG, "amount", amount=asked.amount, most=MOST_BET)
    if asked.source != "house" and asked.amount > there[asked.source]:
        held = there[asked.source]
        return refuse(Reason.NOT_ENOUGH, "amount", part=asked.source, held=held, amount=asked.amount)
    if not asked.resolution.strip():
        return refuse(Reason.RESOLUTION_MISSING, "resolution")
    plan = plan_of(pot.documents)
    if asked.target == "main" and plan.ceiling is not None and pot.main + asked.amount > plan.ceiling:
        return refuse(Reason.OVER_CEILING, "amount", pot=asked.pot, ceiling=plan.ceiling, amount=asked.amount)
    casino = plan.casinos[0]
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (
        MoneyMoved(
            asked.pot,
            casino,
            asked.source,
            asked.target,
            asked.amount,
            asked.resolution,
            asked.by.person,
            asked.second.person,
        ),
    )


def money_moved(state: State, fact: MoneyMoved) -> State:
    pot = state.pots[fact.pot]
    assert fact.source != fact.target, "from one to another"
    parts = {fact.target: fact.amount}
    if fact.source != "house":
        parts[fact.source] = -fact.amount
    return with_pot(state, moved(pot, parts))
