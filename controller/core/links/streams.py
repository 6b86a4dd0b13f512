"""Letters in their streams: how ours get their numbers, and what may follow from a neighbour's (R-28).

Theory. A stream is numbered from 1 without gaps, and each letter names the hash of the one before it. So a mark (epoch,
number, hash) says all that was told up to there, word for word, and one mark can be compared with another. What a
neighbour tells follows its mark here: the next number, on the same hash, in the same epoch or a later one. A letter
that was heard already is nothing new. Everything else was made by a mistake, by an old backup or by somebody in its
name: then nothing more is heard from that neighbour, on any stream, and the fact of it says where it wants to go on.

Two persons who have looked accept exactly that mark. Under a mark that is not past the old one the epoch must be newer,
else letters that were heard once could be heard again. Marks are kept by name: they outlive a key.

A neighbour that is stopped, revoked or unknown is refused, and its refusals would stand on record as often as it asks;
so whoever asks looks first (`is_heard_from`, `is_next`).
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.core.facts import (
    Fact,
    LetterAcknowledged,
    LetterHeard,
    LetterTold,
    MemberReturned,
    NeighbourAccepted,
    NeighbourStopped,
    NothingNew,
)
from controller.core.inputs import AcceptNeighbour, HearAcknowledged, HearLetter, StopNeighbour
from controller.core.links.disputes import is_nameable, not_believed
from controller.core.links.ended import ended_as_told
from controller.core.links.hearing import PutRight, followed
from controller.core.links.hearing import hear as heard_from
from controller.core.links.known import MIRROR, Neighbour, Stopped
from controller.core.links.letters import DAYS_OF_BOXES, READ, DayOver, Letter, hash_of, version_of
from controller.core.links.neighbours import START, owes_word, place, refuse_stranger, refuse_unheard, with_neighbour
from controller.core.links.restored.asking import has_said
from controller.core.links.restored.bound import bind, dispute_told, nobody_waits_for
from controller.core.people import NAME
from controller.core.state import State
from controller.core.values import Broken, Mark, Side
from controller.rules.refusal import Reason, Refusal, refuse

_UP, _LOG = "to:", "pot:"
_HASH = re.compile(r"[0-9a-f]{64}")
_MOST_NUMBER, _MOST_EPOCH = 2**63 - 1, 2**31 - 1


# What we tell


def told(state: State, stream: str, letter: Letter) -> LetterTold:
    """The next letter of a stream of ours; of several in one answer each is asked for after the one before."""
    last = state.told.get(stream, START)
    assert last.epoch <= state.epoch, "R-27: epochs only grow"
    return LetterTold(stream, state.epoch, last.number + 1, last.hash, version_of(letter), letter)


def letter_told(state: State, fact: LetterTold) -> State:
    last, mark = state.told.get(fact.stream, START), Mark(fact.epoch, fact.number, "")
    assert (fact.number, fact.previous) == (last.number + 1, last.hash), "letters follow each other without a gap"
    mark = replace(mark, hash=hash_of(state.node, fact.stream, fact.version, mark, fact.previous, fact.letter))
    state = replace(state, told={**state.told, fact.stream: mark})
    if isinstance(fact.letter, DayOver):
        state = _day_over(state, fact.stream.removeprefix(_UP), fact.letter)
    return bind(state, fact) if fact.epoch < state.epoch else state


# What we hear


def hear(state: State, asked: HearLetter, put_right: PutRight) -> tuple[Any, ...] | Refusal:
    """R-28: what follows from a letter, and last that it was heard; or why nothing does."""
    refusal = refuse_unheard(state, asked.neighbour) or _refuse_place(state, asked)
    if refusal is not None:
        return refusal
    heard = state.heard.get(place(asked.neighbour, asked.stream), START)
    own_hash = hash_of(asked.neighbour, asked.stream, asked.version, asked.mark, asked.previous, asked.letter)
    mark = replace(asked.mark, hash=own_hash)
    if _was_heard(heard, mark):
        return (NothingNew("una carta ya oída"),)
    why = _broken(heard, mark, asked)
    if why is not None:
        before = Mark(mark.epoch, mark.number - 1, asked.previous if _HASH.fullmatch(asked.previous) else "")
        return (NeighbourStopped(asked.neighbour, asked.stream, why, before),)
    told_over = dispute_told(state, asked.neighbour, mark.number)
    if told_over is not None:
        follows: tuple[Fact, ...] = ended_as_told(state, asked.neighbour, mark.number, asked.letter, told_over)
    elif is_nameable(asked.letter):
        follows = heard_from(state, asked.neighbour, mark.number, asked.letter, put_right)
    else:
        nonsense = "nombra lo que no puede haber"
        follows = (not_believed(state, asked.neighbour, mark.number, asked.letter, nonsense),)
    is_kept = asked.stream.startswith(_LOG) or (isinstance(asked.letter, DayOver) and not follows)
    kept = asked.letter if is_kept else None
    return (*follows, LetterHeard(asked.neighbour, asked.stream, mark, kept, asked.version))


def _refuse_place(state: State, asked: HearLetter) -> Refusal | None:
    """A node speaks for itself only: of its own tables upwards, of its own pots downwards."""
    if not _is_theirs(state, state.neighbours[asked.neighbour], asked.stream):
        return refuse(Reason.STREAM_NOT_ITS, "stream", stream=asked.stream, neighbour=asked.neighbour)
    if not (1 <= asked.mark.number <= _MOST_NUMBER and 1 <= asked.mark.epoch <= _MOST_EPOCH):
        return refuse(Reason.AMOUNT_WRONG, "mark", amount=asked.mark.number, most=_MOST_NUMBER)
    return None


def _is_theirs(state: State, known: Neighbour, stream: str) -> bool:
    """Whether this neighbour writes it for us."""
    assert state.node != known.name, "nobody is his own neighbour"
    if known.side is Side.BELOW:
        return stream == f"{_UP}{state.node}"
    pot = stream.removeprefix(_LOG)
    owner = state.pots[pot].above or state.pots[pot].left if pot in state.pots else known.name
    return stream.startswith(_LOG) and NAME.fullmatch(pot) is not None and owner == known.name


def _is_ours(state: State, known: Neighbour, stream: str) -> bool:
    """Whether we write it for this neighbour."""
    assert state.node != known.name, "nobody is his own neighbour"
    if known.side is Side.ABOVE:
        return stream == f"{_UP}{known.name}"
    # The first plan of a pot is offered before there is the pot.
    return stream.startswith(_LOG) and (stream.removeprefix(_LOG) in state.pots or stream in state.told)


def _is_written_here(known: Neighbour, stream: str) -> bool:
    """Of the two, by the way it goes."""
    assert stream.startswith((_UP, _LOG, MIRROR)), "a stream goes up or down"
    return stream != MIRROR and stream.startswith(_UP) is (known.side is Side.ABOVE)


def _was_heard(heard: Mark, mark: Mark) -> bool:
    """What is behind the mark can only be compared there, so who sends what is no repeat says it with his own mark."""
    assert mark.number > 0, "numbered from 1"
    return mark == heard or (mark.number < heard.number and mark.epoch <= heard.epoch)


def _broken(heard: Mark, mark: Mark, asked: HearLetter) -> Broken | None:
    """Why a letter does not follow, if it does not."""
    assert not _was_heard(heard, mark), "a repeat breaks nothing"
    of_another_pot = asked.stream.startswith(_LOG) and asked.stream != f"{_LOG}{asked.letter.pot}"
    if of_another_pot or asked.version not in READ:
        return Broken.UNKNOWN_LETTER
    if mark.epoch < heard.epoch:
        return Broken.FOREIGN_EPOCH
    if mark.number > heard.number + 1:
        return Broken.GAP
    if mark.number <= heard.number or asked.previous != heard.hash:
        return Broken.FOREIGN_EPOCH if mark.epoch > heard.epoch > 0 else Broken.FORK
    return Broken.FORK if asked.mark.hash != mark.hash else None


def letter_heard(state: State, fact: LetterHeard) -> State:
    name = place(fact.neighbour, fact.stream)
    assert fact.mark.number == state.heard.get(name, START).number + 1, "letters follow each other without a gap"
    state = replace(state, heard={**state.heard, name: fact.mark})
    if isinstance(fact.letter, DayOver) and fact.stream.startswith(_UP):
        return _day_over(state, fact.neighbour, fact.letter)
    return state if fact.letter is None else followed(state, fact.letter)


def _day_over(state: State, neighbour: str, letter: DayOver) -> State:
    """R-27: of a neighbour below, or told to the one above."""
    if state.tells < DAYS_OF_BOXES:
        return state
    known = state.neighbours[neighbour]
    assert letter.pot, "a day of a pot"
    return with_neighbour(state, known.ended(letter.pot, letter.day, letter.was))


# What they have of ours


def acknowledge(
    state: State, asked: HearAcknowledged
) -> tuple[LetterAcknowledged | MemberReturned | NeighbourStopped | NothingNew, ...] | Refusal:
    """Up to here it is in the neighbour's record: never less than before, never what we did not tell."""
    refusal = refuse_unheard(state, asked.neighbour)
    if refusal is not None:
        return refusal
    if not _is_ours(state, state.neighbours[asked.neighbour], asked.stream):
        return refuse(Reason.STREAM_NOT_ITS, "stream", stream=asked.stream, neighbour=asked.neighbour)
    if not _is_mark(asked.mark):
        return refuse(Reason.AMOUNT_WRONG, "mark", amount=asked.mark.number, most=_MOST_NUMBER)
    ours = state.told.get(asked.stream, START)
    before = state.acknowledged.get(place(asked.neighbour, asked.stream), START)
    # after a restore it is said once more, so that nobody has heard what is not here.
    is_back = owes_word(state, asked.neighbour, asked.stream)
    back = (MemberReturned(asked.neighbour, asked.stream, asked.mark),) if is_back else ()
    if asked.mark == before or asked.mark.number == before.number == 0:
        return back or (NothingNew("un acuse igual"),)
    why = _mistaken(ours, before, asked.mark)
    assert ours.number >= 0, "numbered from 1"
    if why is not None:
        return (NeighbourStopped(asked.neighbour, asked.stream, why, asked.mark),)
    return (LetterAcknowledged(asked.neighbour, asked.stream, asked.mark), *back)


def _mistaken(ours: Mark, before: Mark, mark: Mark) -> Broken | None:
    """Why a neighbour cannot have a stream of ours up to there."""
    assert mark != before, "an acknowledgement that is new"
    if mark.number > ours.number:
        return Broken.AHEAD
    if mark.number < before.number:
        return Broken.ROLLED_BACK
    same_number = mark.number == before.number
    return Broken.FORK if same_number or (mark.number == ours.number and mark != ours) else None


def acknowledged(state: State, fact: LetterAcknowledged) -> State:
    name = place(fact.neighbour, fact.stream)
    assert fact.mark.number <= state.told[fact.stream].number, "what we told"
    return replace(state, acknowledged={**state.acknowledged, name: fact.mark})


# What does not follow, and how two persons let it go on


def stop(state: State, asked: StopNeighbour) -> tuple[NeighbourStopped | NothingNew] | Refusal:
    """The marks of both sides, compared when they met, cannot both be."""
    refusal = refuse_stranger(state, asked.neighbour)
    if refusal is not None:
        return refusal
    known = state.neighbours[asked.neighbour]
    has_it = _is_theirs(state, known, asked.stream) or _is_ours(state, known, asked.stream)
    if not has_it and not (asked.stream == MIRROR and known.inside and known.side is Side.BELOW):
        return refuse(Reason.STREAM_NOT_ITS, "stream", stream=asked.stream, neighbour=known.name)
    if not _is_mark(asked.said):
        return refuse(Reason.AMOUNT_WRONG, "said", amount=asked.said.number, most=_MOST_NUMBER)
    assert known.name == asked.neighbour, "kept under its name"
    if known.stopped.get(asked.stream) == Stopped(asked.why, asked.said):
        return (NothingNew("un vecino ya detenido"),)
    return (NeighbourStopped(known.name, asked.stream, asked.why, asked.said),)


def _is_mark(mark: Mark) -> bool:
    """One that a stream can have."""
    assert isinstance(mark, Mark), "a mark"
    in_bounds = 0 <= mark.number <= _MOST_NUMBER and 0 <= mark.epoch <= _MOST_EPOCH
    return in_bounds and (not mark.hash or _HASH.fullmatch(mark.hash) is not None)


def accept(state: State, asked: AcceptNeighbour) -> tuple[NeighbourAccepted] | Refusal:
    """R-28: by two who have looked, exactly where it says that it stands; or where its stream stood here, if it was not
    itself who spoke."""
    refusal = refuse_stranger(state, asked.neighbour)
    if refusal is not None:
        return refusal
    known, stream = state.neighbours[asked.neighbour], asked.stream
    stopped = known.stopped.get(stream)
    if stopped is None:
        return refuse(Reason.NEIGHBOUR_NOT_STOPPED, "stream", neighbour=known.name, stream=stream)
    heard = state.heard.get(place(known.name, stream), START)
    here = stopped.said if _is_written_here(known, stream) or stream == MIRROR else heard
    if asked.mark not in {stopped.said, here}:
        said, wrong = (f"{mark.epoch}/{mark.number}/{mark.hash[:16]}" for mark in (stopped.said, asked.mark))
        return refuse(Reason.NEIGHBOUR_SAYS_OTHER, "mark", neighbour=known.name, stream=stream, said=said, asked=wrong)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return _refuse_again(state, known, stream, asked.mark) or (
        NeighbourAccepted(known.name, stream, asked.mark, asked.reason, asked.by.person, asked.second.person),
    )


def _refuse_again(state: State, known: Neighbour, stream: str, mark: Mark) -> Refusal | None:
    """R-28: nothing that was heard once may be heard again, nor be in dispute twice."""
    heard = state.heard.get(place(known.name, stream), START)
    if _is_written_here(known, stream) or stream == MIRROR or mark == heard:
        return None
    behind = mark.number <= heard.number
    if mark.epoch < heard.epoch or (behind and mark.epoch == heard.epoch):
        return refuse(Reason.NEIGHBOUR_SAME_EPOCH, "mark", neighbour=known.name)
    assert behind or mark.epoch >= heard.epoch, "R-27: epochs only grow"
    for dispute in state.disputes.values():
        of_this = known.side is Side.BELOW or stream == f"{_LOG}{dispute.pot}"
        if of_this and dispute.neighbour == known.name and dispute.number > mark.number:
            return refuse(Reason.DISPUTE_OPEN, "mark", number=dispute.number, neighbour=known.name)
    return None


def stopped(state: State, fact: NeighbourStopped) -> State:
    known = state.neighbours[fact.neighbour]
    assert not known.revoked, "who is revoked is not heard"
    why = Stopped(fact.why, fact.said)
    return with_neighbour(state, replace(known, stopped={**known.stopped, fact.stream: why}))


def accepted(state: State, fact: NeighbourAccepted) -> State:
    """A stream of theirs is heard on from there; of ours it has so much, and where it has more than this record knows,
    our next letter has the number after its last."""
    known, name = state.neighbours[fact.neighbour], place(fact.neighbour, fact.stream)
    left = {stream: why for stream, why in known.stopped.items() if stream != fact.stream}
    assert len(left) == len(known.stopped) - 1, "what was stopped is accepted"
    ours = _is_written_here(known, fact.stream)
    state = with_neighbour(state, replace(known, stopped=left))
    if ours and owes_word(state, fact.neighbour, fact.stream):
        is_log = fact.stream.startswith(_LOG)
        pot = (fact.stream.removeprefix(_LOG),)
        state = nobody_waits_for(state, fact.neighbour, pot) if is_log else has_said(state, fact.neighbour)
    if fact.stream == MIRROR:  # how far it goes is known where it is kept
        return state
    if not ours:
        return replace(state, heard={**state.heard, name: fact.mark})
    state = replace(state, acknowledged={**state.acknowledged, name: fact.mark})
    if fact.mark.number <= state.told.get(fact.stream, START).number:
        return state
    return replace(state, told={**state.told, fact.stream: replace(fact.mark, epoch=state.epoch)})


DECIDE: dict[type, Callable[..., Any]] = {
    HearAcknowledged: acknowledge,
    StopNeighbour: stop,
    AcceptNeighbour: accept,
}
APPLY: dict[type, Callable[[State, Any], State]] = {
    LetterTold: letter_told,
    LetterHeard: letter_heard,
    LetterAcknowledged: acknowledged,
    NeighbourStopped: stopped,
    NeighbourAccepted: accepted,
}
