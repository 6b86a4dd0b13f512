"""What follows from a letter: facts, always; what cannot be is in dispute, and stops nobody (R-28).

Theory. From below only what happened at the neighbour's own tables is heard, from above only the log of a pot that the
neighbour owns; everything else, and whatever the plan does not allow, is acknowledged all the same, or one letter would
hold up all that follow it. Its money stands apart as disputed until two persons decide.
"""

from collections.abc import Callable

from msgspec.structs import replace

from controller.core.facts import Fact
from controller.core.links import days, disputes, ended, leaving, shares
from controller.core.links import letters as told
from controller.core.links.advances import hear_advance
from controller.core.links.bets import Unbelieved, hear_bets, hear_over, hear_void
from controller.core.links.claims import hear_claim, hear_given, hear_settled
from controller.core.links.letters import Letter
from controller.core.links.names import there
from controller.core.links.prizes import hear_charge, hear_prize
from controller.core.links.proposals import hear_in_force, hear_offered, hear_ready, hear_taken_back
from controller.core.links.put_right import hear_put_right
from controller.core.state import State, with_pot
from controller.core.values import Levels, Side
from controller.rules.money import MOST_MONEY

_UP = (
    told.BetsSealed, told.PassOver, told.ClaimMade, told.BetsVoided, told.AwardGiven, told.PrizeDrawn,
    told.CorrectionWanted, told.Ready, told.DayOver, told.AdvanceGiven, told.OwnerLeft,
)  # fmt: skip
PutRight = Callable[[State, str, told.CorrectionWanted], tuple[Fact, ...]]
"""R-34: what follows where a pass is wanted put right, with the record behind it (wanted.py)."""
_OF_A_PLAN = (told.PlanOffered, told.PlanInForce, told.PlanTakenBack)


def hear(state: State, neighbour: str, number: int, letter: Letter, put_right: PutRight) -> tuple[Fact, ...]:
    """R-28: what it makes true here; nothing, where it concerns others only."""
    try:
        _refuse_way(state, neighbour, letter)
        if isinstance(letter, told.CorrectionWanted):
            return put_right(state, neighbour, letter)
        part = _from_below if isinstance(letter, _UP) else _from_above
        return part(state, neighbour, letter)
    except Unbelieved as why:
        if leaving.is_said(state, neighbour, letter.pot):
            return ()
        return (disputes.not_believed(state, neighbour, number, letter, str(why)),)


def _refuse_way(state: State, neighbour: str, letter: Letter) -> None:
    """R-28: a node speaks for its own tables, and an owner for its own pot."""
    pot = state.pots.get(letter.pot)
    assert neighbour in state.neighbours, "R-28: a neighbour whose key was pinned"
    if isinstance(letter, _UP):
        if state.neighbours[neighbour].side is not Side.BELOW:
            raise Unbelieved(f"{neighbour} no alimenta pozos de este nodo")
        if pot is None and not isinstance(letter, told.Ready):  # for the first plan of a pot there is none yet
            raise Unbelieved(f"aquí no hay un pozo {letter.pot}")
        if isinstance(letter, told.OwnerLeft):
            raise Unbelieved(f"{neighbour} dejó el pozo {letter.pot} ({letter.resolution}) y se quedó con su dinero")
    elif state.neighbours[neighbour].side is not Side.ABOVE or (pot is not None and pot.above != neighbour):
        raise Unbelieved(f"el pozo {letter.pot} no es de {neighbour}")
    elif pot is None and not isinstance(letter, _OF_A_PLAN):  # with its first plan a pot begins
        raise Unbelieved(f"aquí no hay un pozo {letter.pot}")


def _from_below(state: State, neighbour: str, letter: Letter) -> tuple[Fact, ...]:
    assert state.neighbours[neighbour].side is Side.BELOW, "R-28: of a table that feeds a pot here"
    match letter:
        case told.BetsSealed():
            return hear_bets(state, neighbour, letter)
        case told.PassOver():
            return hear_over(state, neighbour, letter)
        case told.ClaimMade():
            return hear_claim(state, neighbour, letter)
        case told.BetsVoided():
            return hear_void(state, neighbour, letter)
        case told.AwardGiven():
            return hear_given(state, neighbour, letter)
        case told.AdvanceGiven():
            return hear_advance(state, neighbour, letter)
        case told.PrizeDrawn():
            return hear_prize(state, neighbour, letter)
        case told.Ready():
            return hear_ready(state, neighbour, letter)
        case told.DayOver():
            return days.hear_over(state, letter)
    raise AssertionError("R-28: every letter has its part")


def _from_above(state: State, neighbour: str, letter: Letter) -> tuple[Fact, ...]:
    """What concerns a table here, or one of a neighbour below; the rest only moves the pot that is shown."""
    assert state.neighbours[neighbour].side is Side.ABOVE, "R-28: of a pot that it owns"
    match letter:
        case told.ClaimSettled():
            table, claim = there(letter.table, state.node), there(letter.claim, state.node)
            return hear_settled(state, neighbour, table, claim, letter) if table and claim else ()
        case told.ClaimPutRight():
            return hear_put_right(state, neighbour, letter)
        case told.HouseBears():
            table = there(letter.table, state.node)
            return hear_charge(state, neighbour, table, letter) if table else ()
        case told.ClaimNotBelieved():
            return ended.hear_doubt(state, neighbour, letter)
        case told.DisputeOver():
            return ended.hear_over(state, neighbour, letter)
        case told.PlanOffered():
            return hear_offered(state, neighbour, letter)
        case told.PlanInForce():
            return hear_in_force(state, neighbour, letter)
        case told.PlanTakenBack():
            return hear_taken_back(state, neighbour, letter)
        case told.PotMoved():
            return shares.hear(state, neighbour, letter)
    raise AssertionError("R-28: every letter has its part")


def followed(state: State, letter: Letter) -> State:
    """R-20: the pot as its owner left it, by his log."""
    after: Levels | None = getattr(letter, "after", None)
    pot = state.pots.get(letter.pot)
    if after is None or pot is None or not pot.above or after.reserves.keys() != pot.reserves.keys():
        return state
    if not all(0 <= part <= MOST_MONEY for part in (after.main, *after.reserves.values())):
        return state
    assert pot.name == letter.pot, "a pot is kept under its name"
    return with_pot(state, replace(pot, main=after.main, reserves=dict(after.reserves)))
