"""A node that was put back asks whoever is above how far it was heard, before it writes a letter there (R-27, R-28).

Theory. What this node told before the restore stands with its reader, under its number. Another letter under that
number would be a second truth, and nobody could say later which of the two is true. So nothing that tells the owner of
a pot anything is done before he has said where our stream stands with him: no pass opens, what is under way waits, and
a letter from below stays with its writer. He says it by himself, as soon as the link stands.

Where he cannot be reached two persons go on without him. Then the numbers go on far behind all that can have been
told: he will see that some are missing, and two of his people look. No number is told twice all the same.
"""

import hashlib

from msgspec.structs import replace

from controller.core.facts import WentOnWithout
from controller.core.inputs import GoOnWithout, HearLetter, Input
from controller.core.links.letters import Recall
from controller.core.state import State
from controller.core.values import Mark, Side
from controller.rules.refusal import Reason, Refusal, refuse

UP = "to:"
LEAP = 1_000_000
"""So many letters no node tells between two backups."""


def asks_above(state: State) -> tuple[str, ...]:
    """Who may have heard more than this record holds."""
    assert state.node, "founded"
    return tuple(sorted(one.name for one in state.neighbours.values() if one.side is Side.ABOVE))


def asked_from(state: State, above: tuple[str, ...]) -> State:
    """After a restore; whoever had not answered since an earlier one is asked anew."""
    assert len({*above}) == len(above), "each once"
    return replace(state, recalls={**state.recalls, **{name: Recall(missing=True) for name in above}})


def is_asked(state: State, above: str) -> bool:
    """Whether this neighbour has not said yet how far it heard us."""
    recall = state.recalls.get(above)
    assert recall is None or recall.missing, "it is over when it is said"
    return recall is not None


def has_said(state: State, above: str) -> State:
    """It is known where our stream stands there."""
    assert is_asked(state, above), "it was asked"
    return replace(state, recalls={name: one for name, one in state.recalls.items() if name != above})


def refuse_unsaid(state: State, above: str, where: str) -> Refusal | None:
    """R-28: nothing that would be told there."""
    assert where, "a refusal names the place"
    return refuse(Reason.LETTERS_COME_BACK, where, above=above) if is_asked(state, above) else None


def refuse_told(state: State, asked: Input, stream: str) -> Refusal | None:
    """R-28: the same, of an answer that would be told in this stream."""
    if not stream.startswith(UP):
        return None
    where = next((name for name in ("table", "award", "claim", "pot") if hasattr(asked, name)), "number")
    assert stream != UP, "a stream has a reader"
    return refuse_unsaid(state, stream.removeprefix(UP), where)


def stays(state: State, asked: HearLetter) -> bool:
    """R-28: whether a letter from below would be told on above, and so waits."""
    pot, known = state.pots.get(asked.letter.pot), state.neighbours.get(asked.neighbour)
    if pot is None or known is None or known.side is not Side.BELOW:
        return False
    assert pot.above != known.name, "nobody is above and below"
    return is_asked(state, pot.above)


def go_on(state: State, asked: GoOnWithout, above: str) -> tuple[WentOnWithout] | Refusal:
    """R-28: two persons go on without the word of the owner of a pot."""
    if not is_asked(state, above):
        return refuse(Reason.NOTHING_COMES_BACK, "pot", pot=asked.pot)
    if asked.neighbours != (above,):
        names = ", ".join(asked.neighbours) or state.node
        return refuse(Reason.NOT_WHO_IS_MISSING, "neighbours", pot=asked.pot, missing=above, asked=names)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (WentOnWithout(asked.pot, asked.neighbours, asked.reason, asked.by.person, asked.second.person),)


def went_on(state: State, above: str) -> State:
    """R-28: our next letter has a number that cannot have been told."""
    stream = f"{UP}{above}"
    last = state.told.get(stream, Mark(0, 0, ""))
    assert last.epoch < state.epoch, "R-28: nothing was told since the restore"
    leapt = Mark(state.epoch, last.number + LEAP, _hash_of_leap(state, stream, last))
    return has_said(replace(state, told={**state.told, stream: leapt}), above)


def _hash_of_leap(state: State, stream: str, last: Mark) -> str:
    """Of a place where no letter stands, and no other node's."""
    words = f"{state.node}\n{stream}\n{state.epoch}\n{last.number}\n{last.hash}\nsin quien falta"
    assert state.node, "founded"
    return hashlib.sha256(words.encode()).hexdigest()
