"""An owner that was put back takes its own decisions back from its members (R-20, R-27, R-28).

Theory. A restore begins a new epoch, and until every neighbour below has said how far it has heard the logs here, no
letter of them is written: else one number would be told twice. Who has heard more hands the letters back; they are
taken in their order, each on the hash of the one before, so what stands here afterwards is what was told, word for
word. Two who hand back different letters have not both heard them from here: the later one is stopped, and two
persons look. Then the members tell again what happened at their tables, and what was decided of it is booked as it was.

What waits for that is not refused: its letter stays with its writer. People are refused, by name.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.core.facts import (
    ClaimRegistered,
    DecisionTaken,
    Fact,
    HandsVoided,
    LetterTold,
    MemberReturned,
    MoneyMoved,
    NeighbourStopped,
    NeighbourWentBack,
    NothingNew,
    PrizeGranted,
    WentOnWithout,
)
from controller.core.inputs import GoOnWithout, HearLetter, HearWentBack, Input, TakeBack
from controller.core.links import letters as told
from controller.core.links.bets import Unbelieved, hear_void
from controller.core.links.claims import settled_as_told
from controller.core.links.disputes import is_nameable
from controller.core.links.letters import Bound, hash_of
from controller.core.links.names import here, is_away
from controller.core.links.neighbours import (
    START,
    epoch_of,
    is_next,
    place,
    refuse_stranger,
    refuse_unheard,
    with_neighbour,
)
from controller.core.links.prizes import hear_prize
from controller.core.links.restored import asking
from controller.core.links.restored.bound import (
    LOG,
    answer_told,
    awaited_of,
    booked,
    claim_told,
    dispute_told,
    lacking,
    missing_names,
    owed_by_answers,
    refuse_deciding,
    with_taking,
)
from controller.core.state import State
from controller.core.values import Broken, Mark, Side
from controller.rules.refusal import Reason, Refusal, refuse

_DOWN = (
    told.PlanOffered, told.PlanInForce, told.PlanTakenBack, told.ClaimSettled, told.ClaimPutRight, told.HouseBears,
    told.PotMoved, told.DisputeOver, told.ClaimNotBelieved,
)  # fmt: skip
_BY_PEOPLE = (told.PlanOffered, told.PlanInForce, told.PlanTakenBack, told.ClaimPutRight, told.PotMoved)
"""What is not booked by itself: two persons look at the log, and decide it again or leave it."""


DECIDED_ON = (told.ClaimMade, told.CorrectionWanted, told.BetsVoided, told.PrizeDrawn, told.AwardGiven)
"""What may wait."""

# What members hand back


def take_back(
    state: State, asked: TakeBack
) -> tuple[DecisionTaken, LetterTold] | tuple[NeighbourStopped | NothingNew] | Refusal:
    """R-28: the next letter of a log of ours that is not here, on the hash of the last one that is."""
    refusal = refuse_unheard(state, asked.neighbour)
    if refusal is not None:
        return refusal
    pot = state.pots.get(asked.stream.removeprefix(LOG))
    is_log = asked.stream.startswith(LOG) and pot is not None and not pot.above
    if not is_log or state.neighbours[asked.neighbour].side is not Side.BELOW:
        return refuse(Reason.STREAM_NOT_ITS, "stream", stream=asked.stream, neighbour=asked.neighbour)
    last = state.told.get(asked.stream, START)
    if asked.mark.number <= last.number:
        return (NothingNew("una decisión ya recuperada"),)
    if not _continues(state, asked, last):
        return (NeighbourStopped(asked.neighbour, asked.stream, Broken.FORK, asked.mark),)
    mark = asked.mark
    return (
        DecisionTaken(asked.neighbour, asked.stream, mark),
        LetterTold(asked.stream, mark.epoch, mark.number, asked.previous, asked.version, asked.letter),
    )


def _continues(state: State, asked: TakeBack, last: Mark) -> bool:
    """Whether we can have told it: before the restore, behind the last letter that we know, of this pot."""
    of_pot = isinstance(asked.letter, _DOWN) and asked.stream == f"{LOG}{asked.letter.pot}"
    lost = last.epoch <= asked.mark.epoch < state.epoch and last.epoch < state.epoch
    follows = asked.mark.number == last.number + 1 and asked.previous == last.hash
    assert asked.mark.number > last.number, "looked at before"
    return (
        of_pot
        and lost
        and follows
        and asked.version in told.READ
        and is_nameable(asked.letter)
        and asked.mark.hash
        == hash_of(state.node, asked.stream, asked.version, asked.mark, asked.previous, asked.letter)
    )


def taken(state: State, fact: DecisionTaken) -> State:
    """The letter itself is the next fact (streams.letter_told)."""
    assert fact.mark.number == state.told.get(fact.stream, START).number + 1, "letters follow each other without a gap"
    return state


def returned(state: State, fact: MemberReturned) -> State:
    if fact.stream.startswith(asking.UP):
        return asking.has_said(state, fact.neighbour)
    pot = fact.stream.removeprefix(LOG)
    taking = state.taking_back[pot]
    left = tuple(name for name in taking.missing if name != fact.neighbour)
    assert len(left) == len(taking.missing) - 1, "somebody who was missing"
    return with_taking(state, pot, replace(taking, missing=left))


def booked_again(state: State, fact: Fact) -> State:
    """R-28: after a fact that says which letter told it before the restore: it is here again."""
    log, pot = getattr(fact, "log", 0), getattr(fact, "pot", "")
    assert log > 0, "letters are numbered from 1"
    return booked(state, pot, log)


# What waits for it


def waits(state: State, asked: HearLetter) -> bool:
    """R-28: whether a letter from below stays with its writer for now: it asks for a decision, and what was decided is
    not all here; or it was decided, and the pot does not have again what it gave."""
    if asking.stays(state, asked) and is_next(state, asked):
        return True
    letter, taking = asked.letter, state.taking_back.get(asked.letter.pot)
    known = state.neighbours.get(asked.neighbour)
    if taking is None or known is None or known.side is not Side.BELOW or not is_next(state, asked):
        return False
    assert letter.pot in state.pots, "R-28: of a pot of ours"
    over = dispute_told(state, asked.neighbour, asked.mark.number)
    if over is not None:
        return _lacks_taken(state, over)
    match letter:
        case told.ClaimMade():
            bound = claim_told(state, letter.pot, here(letter.claim, asked.neighbour))
            if bound is not None and isinstance(bound.letter, told.ClaimSettled):
                return bool(lacking(state.pots[letter.pot], bound.letter))
        case told.CorrectionWanted():
            answer = answer_told(state, letter.pot, here(letter.table, asked.neighbour), letter.number)
            if answer is not None:  # its figures follow from all that was decided before it
                return any(one.number < answer.number for one in taking.bound)
        case told.AwardGiven():
            return here(letter.award, asked.neighbour) in owed_by_answers(state, letter.pot)
        case _:
            return _charges_anew(state, asked)
    return bool(awaited_of(state, letter.pot))


def _lacks_taken(state: State, over: Bound) -> bool:
    """R-20, R-28: whether winners whom two persons took can not be booked yet: the pot has not again what it gave them;
    or nobody heard what they got, and other decisions come first."""
    letter = over.letter
    assert isinstance(letter, told.DisputeOver), "R-28: how a dispute ended"
    if not letter.claim or not letter.accepted:
        return False
    bound = claim_told(state, letter.pot, letter.claim)
    if bound is not None and isinstance(bound.letter, told.ClaimSettled):
        return bool(lacking(state.pots[letter.pot], bound.letter))
    taking = state.taking_back[letter.pot]
    return bool(taking.missing) or taking.bound != (over,)


def _charges_anew(state: State, asked: HearLetter) -> bool:
    """R-18, R-25: whether the pot lacks now what it gives back, or a prize takes: then a house would be told to bear
    it; or what the house was told leaves more to the pot than it has again."""
    moved = _moved_by(state, asked)
    if moved is None:
        return False
    assert moved.pot == asked.letter.pot, "R-28: of this pot"
    if moved.log:
        return state.pots[moved.pot].main + moved.flow.parts.get("main", 0) < 0
    return moved.flow.house < 0 and bool(awaited_of(state, moved.pot))


def _moved_by(state: State, asked: HearLetter) -> HandsVoided | PrizeGranted | None:
    """R-18, R-25: what a void or a prize takes out of the pot now, and whether its house would be told to bear some."""
    letter, neighbour = asked.letter, asked.neighbour
    try:
        match letter:
            case told.BetsVoided():
                return hear_void(state, neighbour, letter)[0]
            case told.PrizeDrawn():
                return hear_prize(state, neighbour, letter)[0]
    except Unbelieved:
        pass
    assert letter.pot in state.pots, "R-28: of a pot of ours"
    return None


def refuse_waiting(state: State, asked: HearLetter) -> Refusal:
    """R-18, R-28: to whoever asks without having looked."""
    letter = asked.letter
    assert waits(state, asked), "it waits"
    claim = getattr(letter, "claim", "") or getattr(letter, "award", "") or getattr(letter, "table", "")
    return (
        asking.refuse_unsaid(state, state.pots[letter.pot].above, "letter")
        or refuse_deciding(state, letter.pot, "letter")
        or refuse(Reason.POT_LACKS, "letter", pot=letter.pot, claim=claim)
    )


def refuse_telling(state: State, asked: Input, fact: Fact, stream: str, pot: str) -> Refusal | None:
    """R-28: after a restore no decision of a pot is told before all that were told are here. What the pot lacks for
    them two persons put in, once nobody is missing. Upwards nothing, before it is known what was heard there."""
    if refusal := asking.refuse_told(state, asked, stream):
        return refusal
    taking = state.taking_back.get(pot)
    is_put_in = isinstance(fact, MoneyMoved) and fact.source == "house"
    if taking is None or (is_put_in and not taking.missing):
        return None
    assert pot in state.pots, "R-28: a pot of ours"
    where = next((name for name in ("table", "claim", "pot", "plan") if hasattr(asked, name)), "number")
    return refuse_deciding(state, pot, where)


def effects(state: State) -> tuple[ClaimRegistered, ...]:
    """R-20: what was decided of a table of this node is booked as soon as the pot has it. Nobody tells it again."""
    for pot, taking in state.taking_back.items():
        for one in taking.bound:
            letter = one.letter
            if not isinstance(letter, told.ClaimSettled) or is_away(letter.table) or letter.table not in state.tables:
                continue
            if not lacking(state.pots[pot], letter):
                return (settled_as_told(state.pots[pot], one.number, letter),)
    return ()


# Two persons name who is missing


def go_on(state: State, asked: GoOnWithout) -> tuple[WentOnWithout] | Refusal:
    """R-28: by name: whoever they do not know of has not been looked for."""
    pot = state.pots.get(asked.pot)
    if pot is not None and pot.above:
        return asking.go_on(state, asked, pot.above)
    if asked.pot not in state.taking_back or not awaited_of(state, asked.pot):
        return refuse(Reason.NOTHING_COMES_BACK, "pot", pot=asked.pot)
    if {*asked.neighbours} != {name for name in awaited_of(state, asked.pot) if name}:
        asked_for = ", ".join(asked.neighbours) or state.node
        missing = missing_names(state, asked.pot)
        return refuse(Reason.NOT_WHO_IS_MISSING, "neighbours", pot=asked.pot, missing=missing, asked=asked_for)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (WentOnWithout(asked.pot, asked.neighbours, asked.reason, asked.by.person, asked.second.person),)


def went_on(state: State, fact: WentOnWithout) -> State:
    """R-28: what was decided of claims binds still, whenever they are told again."""
    if state.pots[fact.pot].above:
        return asking.went_on(state, state.pots[fact.pot].above)
    taking = state.taking_back[fact.pot]
    without = tuple(dict.fromkeys((*taking.without, *fact.neighbours, "")))
    bound = tuple(one for one in taking.bound if not isinstance(one.letter, _BY_PEOPLE))
    assert fact.by != fact.second, "R-26: two different persons"
    return with_taking(state, fact.pot, replace(taking, missing=(), without=without, bound=bound))


# A neighbour above that was restored


def hear_went_back(state: State, asked: HearWentBack) -> tuple[NeighbourWentBack | NothingNew] | Refusal:
    """R-27, R-28: once in each of its epochs: in one and the same nobody goes back."""
    refusal = refuse_stranger(state, asked.neighbour)
    if refusal is not None:
        return refusal
    known = state.neighbours[asked.neighbour]
    if known.side is not Side.ABOVE or asked.stream != f"to:{known.name}":
        return refuse(Reason.STREAM_NOT_ITS, "stream", stream=asked.stream, neighbour=known.name)
    before = state.acknowledged.get(place(known.name, asked.stream), START)
    if asked.epoch <= epoch_of(state, known) or not 0 <= asked.mark.number < before.number:
        return (NothingNew("un vecino que no volvió atrás"),)
    assert before.number > 0, "it had something of ours"
    return (NeighbourWentBack(known.name, asked.stream, asked.epoch, asked.mark),)


def went_back(state: State, fact: NeighbourWentBack) -> State:
    known, name = state.neighbours[fact.neighbour], place(fact.neighbour, fact.stream)
    assert fact.mark.number < state.acknowledged[name].number, "it has less than it had"
    state = replace(state, acknowledged={**state.acknowledged, name: fact.mark})
    return with_neighbour(state, replace(known, went_back={**known.went_back, fact.stream: fact.epoch}))


DECIDE: dict[type, Callable[..., Any]] = {
    TakeBack: take_back,
    GoOnWithout: go_on,
    HearWentBack: hear_went_back,
}
APPLY: dict[type, Callable[[State, Any], State]] = {
    DecisionTaken: taken,
    MemberReturned: returned,
    WentOnWithout: went_on,
    NeighbourWentBack: went_back,
}
