"""What binds the owner of a pot after a restore: what it had decided, and who may still hold some of that (R-18, R-28).

Theory. A decision that a member heard stands in its record, and may have been paid; the owner's own record lost it with
the restore. So nothing is decided anew before every member has said what it heard. What came back is booked when its
cause is heard again, exactly as it was told, in whatever order that is: amounts do not follow from the pot any more,
only whether it has enough. Where it has not, the letter waits, for what other members tell again may be missing; what
the pot lacks in the end two of the owner's people put in from its house (R-26).

This file knows what binds; how it comes back, taken.py says.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from controller.core.facts import LetterTold
from controller.core.links.letters import (
    Bound,
    ClaimNotBelieved,
    ClaimPutRight,
    ClaimSettled,
    DisputeOver,
    HouseBears,
    Letter,
    TakingBack,
)
from controller.core.links.names import is_away, neighbour_of
from controller.core.state import PotNow, State
from controller.core.values import Flow
from controller.rules.refusal import Reason, Refusal, refuse

LOG = "pot:"


def shared_pots(state: State) -> tuple[str, ...]:
    """The pots of ours that neighbours feed, or were told of."""
    assert state.node, "founded"
    fed = {table.pot for table in state.away.values()}
    own = (pot for pot in state.pots.values() if not pot.above)
    return tuple(pot.name for pot in own if pot.name in fed or f"{LOG}{pot.name}" in state.told)


def of_whom(letter: Letter) -> str:
    """The member whose table a decision is about; nobody, where it is about this node or about all."""
    table: str = getattr(letter, "table", "")
    assert letter.pot, "a letter is about a pot"
    return neighbour_of(table) if table and is_away(table) else ""


def awaited_of(state: State, pot: str) -> tuple[str, ...]:
    """R-28: for whom the decisions of a pot wait: who may still hold some, and whose are not booked. An empty name is
    this node's own."""
    taking = state.taking_back.get(pot, TakingBack())
    names = (*taking.missing, *(of_whom(one.letter) for one in taking.bound))
    assert not {*taking.missing} & {*taking.without}, "nobody waits for them any more"
    return tuple(dict.fromkeys(name for name in names if name not in taking.without))


def missing_names(state: State, pot: str) -> str:
    """The same, as it is said."""
    assert pot, "a pot has a name"
    return ", ".join(name or state.node for name in awaited_of(state, pot))


def refuse_deciding(state: State, pot: str, where: str) -> Refusal | None:
    """R-28: nothing new, before all that was decided is here."""
    missing = missing_names(state, pot)
    assert where, "a refusal names the place"
    return refuse(Reason.DECISIONS_COME_BACK, where, pot=pot, missing=missing) if missing else None


def claim_told(state: State, pot: str, claim: str) -> Bound | None:
    """R-20: what was decided of a claim, if it was."""
    taking = state.taking_back.get(pot, TakingBack())
    assert claim, "a claim has a name"
    told = (one for one in taking.bound if isinstance(one.letter, ClaimSettled) and one.letter.claim == claim)
    return next(told, None)


def charge_told(state: State, pot: str, cause: str) -> Bound | None:
    """R-18: what a house was told to bear of a void, or of a prize."""
    taking = state.taking_back.get(pot, TakingBack())
    assert cause, "a pass, or a claim"
    told = (one for one in taking.bound if isinstance(one.letter, HouseBears) and one.letter.cause == cause)
    return next(told, None)


def charged_as_told(state: State, pot: str, cause: str, flow: Flow) -> tuple[Flow, int]:
    """R-18, R-28: the house bears what it was told to bear, and the pot the rest; with the number of the letter."""
    told = charge_told(state, pot, cause)
    if told is None:
        return flow, 0
    assert isinstance(told.letter, HouseBears), "R-18: what was charged"
    main = flow.parts.get("main", 0) + told.letter.amount + flow.house
    parts = {name: amount for name, amount in {**flow.parts, "main": main}.items() if amount}
    return Flow(parts, -told.letter.amount, flow.commission), told.number


def dispute_told(state: State, neighbour: str, number: int) -> Bound | None:
    """R-28: how a dispute about this letter of a neighbour was ended."""
    assert number > 0, "letters are numbered from 1"
    if not state.taking_back:
        return None
    taking = (one for taking in state.taking_back.values() for one in taking.bound)
    found = (one for one in taking if isinstance(one.letter, DisputeOver))
    return next((one for one in found if _is_about(one.letter, neighbour, number)), None)


def _is_about(letter: Letter, neighbour: str, number: int) -> bool:
    assert isinstance(letter, DisputeOver), "R-28: of a dispute"
    return (letter.neighbour, letter.number) == (neighbour, number)


def answer_told(state: State, pot: str, table: str, wanted: int) -> Bound | None:
    """R-34: what was answered to a correction that the node of this table asked for."""
    taking = state.taking_back.get(pot, TakingBack())
    assert wanted > 0, "corrections are numbered from 1"
    for one in taking.bound:
        letter = one.letter
        if isinstance(letter, ClaimPutRight) and (letter.table, letter.wanted) == (table, wanted):
            return one
    return None


def owed_by_answers(state: State, pot: str) -> set[str]:
    """R-34: the awards of corrections that were answered and are not booked again."""
    letters = (one.letter for one in state.taking_back.get(pot, TakingBack()).bound)
    answers = [letter for letter in letters if isinstance(letter, ClaimPutRight)]
    own = {f"{letter.claim}/{award.number}" for letter in answers for award in letter.awards}
    assert "" not in own, "an award has a name"
    later = [one for letter in answers for one in letter.resettled]
    return own | {f"{one.claim}/{award.number}" for one in later for award in one.awards}


def given_by(letter: ClaimSettled) -> Mapping[str, int]:
    """R-18: what each part of the pot gave to the winners."""
    given: dict[str, int] = {}
    for award in letter.awards:
        for part, amount in award.parts.items():
            given[part] = given.get(part, 0) + amount
    assert all(amount >= 0 for amount in given.values()), "R-18: what is given is not negative"
    return given


def lacking(pot: PotNow, letter: ClaimSettled) -> dict[str, int]:
    """R-18: what the parts of the pot do not hold of what they gave."""
    there, taken = {"main": pot.main, **pot.reserves}, {**given_by(letter)}
    assert pot.name == letter.pot, "of this pot"
    for part, amount in letter.base_back.parts.items() if letter.base_back is not None else ():
        if amount < 0:  # a reserve that gave to the base
            taken[part] = taken.get(part, 0) - amount
    needed = {part: amount - there.get(part, 0) for part, amount in taken.items()}
    return {part: amount for part, amount in needed.items() if amount > 0}


def is_missing(state: State, neighbour: str, stream: str) -> bool:
    """Whether a neighbour has not said yet what it heard of a log of ours."""
    taking = state.taking_back.get(stream.removeprefix(LOG))
    assert neighbour, "somebody"
    return stream.startswith(LOG) and taking is not None and neighbour in taking.missing


def with_taking(state: State, pot: str, taking: TakingBack) -> State:
    """It is over when nobody is missing and all is booked."""
    others = {name: one for name, one in state.taking_back.items() if name != pot}
    assert pot in state.pots or taking.bound, "of a pot of ours"
    left = {pot: taking} if taking.missing or taking.bound else {}
    return replace(state, taking_back={**others, **left})


def bind(state: State, fact: LetterTold) -> State:
    """R-28: a letter of an earlier epoch was told before the restore; what it decided is to be booked again."""
    pot = fact.stream.removeprefix(LOG)
    taking = state.taking_back.get(pot, TakingBack())
    assert fact.epoch < state.epoch and fact.stream.startswith(LOG), "R-28: of a log, before the restore"
    if isinstance(fact.letter, ClaimNotBelieved):  # that decided nothing
        return state
    return with_taking(state, pot, replace(taking, bound=(*taking.bound, Bound(fact.number, fact.letter))))


def booked(state: State, pot: str, number: int) -> State:
    """A decision stands in the record again."""
    taking = state.taking_back[pot]
    left = tuple(one for one in taking.bound if one.number != number)
    assert len(left) == len(taking.bound) - 1, "R-28: once"
    return with_taking(state, pot, replace(taking, bound=left))


def nobody_waits_for(state: State, neighbour: str, pots: tuple[str, ...]) -> State:
    """R-28: two persons have named it: revoked, or accepted as it stands."""
    for pot in pots:
        taking = state.taking_back[pot]
        missing = tuple(name for name in taking.missing if name != neighbour)
        without = tuple(dict.fromkeys((*taking.without, neighbour)))
        state = with_taking(state, pot, replace(taking, missing=missing, without=without))
    assert neighbour, "somebody"
    return state
