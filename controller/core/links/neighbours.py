"""Neighbours: whose key two persons pinned, and whether the link to it stands (R-28).

Theory. Nobody is a neighbour before two persons have compared the fingerprint of its key, nor any longer once two have
said so. A neighbour founded anew has another key, so it is a stranger until it is pinned; a key that is pinned under a
name that is known goes on where the streams of that name stand. A name is written in every claim of its tables, so it
never reads like another one's, and what it is to us (above, below, of our casino) stays, once money went by it.

A pot of a neighbour above is played without a word from it for as long as its plan says (`max_offline`). That time runs
from the last word in the record: a start counts from the last fact before it, so nobody renews it by a reboot, and a
step of the clock neither lengthens nor shortens it. A box hears the owner through its casino's node; where that link
stands and the owner is silent behind it, that is on record too, and counts alike.
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.core.facts import (
    ClockStepped,
    LinkSeen,
    NeighbourPinned,
    NeighbourRevoked,
    NodeStarted,
    NothingNew,
    OwnerSeen,
)
from controller.core.inputs import HearLetter, PinNeighbour, RevokeNeighbour, SeeLink, SeeOwner
from controller.core.links.known import MIRROR, Neighbour
from controller.core.links.letters import TELLS
from controller.core.links.restored.asking import UP, is_asked, refuse_unsaid
from controller.core.links.restored.bound import is_missing, nobody_waits_for
from controller.core.people import NAME
from controller.core.state import PotNow, State, plan_of, with_pot
from controller.core.values import Mark
from controller.rules.approval import as_read
from controller.rules.refusal import Reason, Refusal, refuse

_KEY = re.compile(r"[0-9a-f]{64}")
_MINUTE = 60_000
START = Mark(0, 0, "")
"""Where a stream stands before its first letter."""


def pin(state: State, asked: PinNeighbour) -> tuple[NeighbourPinned | NothingNew] | Refusal:
    """R-28: a new neighbour, or another key of one that is known."""
    refusal = _refuse_name(state, asked.neighbour) or _refuse_key(state, asked.neighbour, asked.key)
    if refusal is not None:
        return refusal
    known = state.neighbours.get(asked.neighbour)
    if known is not None:
        stays = (known.side, known.inside) == (asked.side, asked.inside)
        if not stays and _has_shared(state, known):
            return refuse(Reason.NEIGHBOUR_STAYS, "side", neighbour=known.name)
        if stays and known.key == asked.key and not known.revoked:
            return (NothingNew("la llave de un vecino"),)
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (
        NeighbourPinned(
            asked.neighbour, asked.side, asked.key, asked.by.person, asked.second.person, asked.inside, TELLS
        ),
    )  # fmt: skip


def _refuse_name(state: State, name: str) -> Refusal | None:
    """R-28, R-36: a node has one name, also to who reads it in a hurry."""
    assert state.node, "founded"
    if not NAME.fullmatch(name):
        return refuse(Reason.NAME_WRONG, "neighbour", name=name)
    for other in (state.node, *(known for known in state.neighbours if known != name)):
        if as_read(name) == as_read(other):
            return refuse(Reason.NEIGHBOUR_READ_ALIKE, "neighbour", neighbour=name, other=other)
    return None


def _refuse_key(state: State, name: str, key: str) -> Refusal | None:
    """R-28: each node has a key of its own; one that was revoked under another name is still that one's."""
    assert name, "a neighbour has a name"
    if not _KEY.fullmatch(key):
        return refuse(Reason.LINK_KEY_WRONG, "key")
    for other in state.neighbours.values():
        if other.key == key and other.name != name:
            return refuse(Reason.LINK_KEY_TAKEN, "key", other=other.name)
    return None


def _has_shared(state: State, known: Neighbour) -> bool:
    """Whether anything was told or heard, or a pot of it is played here."""
    marks = (*state.heard, *state.acknowledged)
    assert all("/" in place for place in marks), "marks are kept by neighbour and stream"
    return (
        any(place.startswith(f"{known.name}/") for place in marks)
        or f"to:{known.name}" in state.told
        or any(pot.above == known.name for pot in state.pots.values())
    )


def revoke(state: State, asked: RevokeNeighbour) -> tuple[NeighbourRevoked] | Refusal:
    """R-28: at once, whatever is under way; what it told before stands."""
    refusal = refuse_stranger(state, asked.neighbour)
    if refusal is not None:
        return refusal
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (NeighbourRevoked(asked.neighbour, asked.reason, asked.by.person, asked.second.person),)


def refuse_stranger(state: State, name: str) -> Refusal | None:
    """R-28: nobody whose key is not pinned now."""
    known = state.neighbours.get(name)
    if known is None:
        return refuse(Reason.NEIGHBOUR_UNKNOWN, "neighbour", neighbour=name)
    assert known.name == name, "a neighbour is kept under its name"
    return refuse(Reason.NEIGHBOUR_REVOKED, "neighbour", neighbour=name) if known.revoked else None


def see(state: State, asked: SeeLink) -> tuple[LinkSeen | NothingNew] | Refusal:
    """At changes only."""
    refusal = refuse_stranger(state, asked.neighbour)
    if refusal is not None:
        return refusal
    known = state.neighbours[asked.neighbour]
    if known.up == asked.up:
        return (NothingNew("un enlace igual"),)
    assert state.clock >= 0, "an instant"
    return (LinkSeen(known.name, asked.up, state.clock),)


def see_owner(state: State, asked: SeeOwner) -> tuple[OwnerSeen | NothingNew] | Refusal:
    """R-28: of a pot of a neighbour above, at changes only."""
    pot = state.pots.get(asked.pot)
    if pot is None or not pot.above:
        return (NothingNew("un pozo que no es de un vecino"),)
    refusal = refuse_stranger(state, pot.above)
    if refusal is not None:
        return refusal
    if (not pot.silent) is asked.up:
        return (NothingNew("un dueño que se oye igual"),)
    assert state.clock >= 0, "an instant"
    return (OwnerSeen(pot.name, pot.above, asked.up, state.clock),)


def refuse_cut_off(state: State, pot: PotNow) -> Refusal | None:
    """R-28: whether no pass opens for this pot, because nobody hears its owner. Claims and payments go on."""
    if not pot.above:
        return None
    owner = state.neighbours.get(pot.above)
    if owner is None or owner.revoked:
        return refuse(Reason.OWNER_REVOKED, "table", above=pot.above)
    if owner.stopped:
        return refuse(Reason.OWNER_STOPPED, "table", above=pot.above)
    if is_asked(state, pot.above):
        return refuse_unsaid(state, pot.above, "table")
    last = last_word(owner, pot)
    if last is None or (silent := max(0, state.clock - last)) < max_silence(pot):
        return None
    assert silent >= 0, "R-28: a time"
    since = f"hace {silent // _MINUTE} min" if last else "el principio"
    reason = Reason.OWNER_SILENT_BEHIND if owner.up else Reason.OWNER_SILENT
    return refuse(reason, "table", above=pot.above, since=since)


def last_word(owner: Neighbour, pot: PotNow) -> int | None:
    """R-28: since when the owner of a pot is not heard, by the link or behind it; None: he is."""
    silences = [pot.silent] * bool(pot.silent) + [owner.since] * (not owner.up)
    assert pot.above == owner.name, "R-28: heard through this neighbour"
    return min(silences, default=None)


def max_silence(pot: PotNow) -> int:
    """R-28: for how long the pot is played without a word from its owner."""
    most = plan_of(pot.documents).max_offline * _MINUTE
    assert most >= 0, "R-28: a time"
    return most


def pinned(state: State, fact: NeighbourPinned) -> State:
    """Under a known name its streams go on: they are kept by name. A stop stays until two persons accept (streams),
    unless it is another kind of neighbour now, which has none of those streams."""
    known = state.neighbours.get(fact.neighbour) or Neighbour(fact.neighbour, fact.side, fact.key)
    assert fact.by != fact.second, "R-26: two different persons"
    stopped = known.stopped if known.side is fact.side else {}
    fresh = replace(known, side=fact.side, key=fact.key, inside=fact.inside, revoked=False, stopped=stopped)
    return with_neighbour(replace(state, tells=fact.tells), fresh)


def revoked(state: State, fact: NeighbourRevoked) -> State:
    """R-26: nobody is bound by what he promised to a key that is revoked: a plan that it proposed may never come."""
    known = state.neighbours[fact.neighbour]
    assert not known.revoked, "revoked once"
    free = {pot: replace(one, ready=False) if one.above == known.name else one for pot, one in state.proposed.items()}
    state = nobody_waits_for(replace(state, proposed=free), known.name, (*state.taking_back,))
    return with_neighbour(state, replace(_cut(known, state.clock), revoked=True))


def seen(state: State, fact: LinkSeen) -> State:
    known = state.neighbours[fact.neighbour]
    assert known.up != fact.up, "at changes only"
    return with_neighbour(state, replace(known, up=fact.up, since=fact.since))


def owner_seen(state: State, fact: OwnerSeen) -> State:
    pot = state.pots[fact.pot]
    assert bool(pot.silent) is fact.up, "at changes only"
    return with_pot(state, replace(pot, silent=0 if fact.up else fact.since))


def with_neighbour(state: State, known: Neighbour) -> State:
    assert NAME.fullmatch(known.name), "a neighbour has a name"
    return replace(state, neighbours={**state.neighbours, known.name: known})


def _cut(known: Neighbour, since: int) -> Neighbour:
    """Without its link; one that had none keeps since when."""
    assert not (known.up and known.revoked), "who is revoked has no link"
    return replace(known, up=False, since=since) if known.up else known


def started(state: State, fact: NodeStarted) -> State:
    """R-28: seen at the instant of the last fact before it: since then no link stands."""
    assert state.neighbours, "somebody is linked"
    cut = {name: _cut(known, state.clock) for name, known in state.neighbours.items()}
    return replace(state, neighbours=cut, tells=fact.tells)


def clock_moved(state: State, fact: ClockStepped) -> State:
    """R-28: what was silent for so long is, after a step, silent for as long. Over a stop the clock is what is known of
    its length: its time is silence too, and one that went back makes none shorter."""
    state = _silences_moved(state, min(0, fact.ms) if fact.stop else fact.ms)
    if not fact.stop:
        moved = {name: replace(known, since=known.since + fact.ms) for name, known in state.neighbours.items()}
        return replace(state, neighbours=moved)
    back = min(0, fact.ms)
    assert back <= 0, "forward is silence"
    still = {
        name: replace(known, since=known.since + back) if not known.up else _cut(known, state.clock - abs(fact.ms))
        for name, known in state.neighbours.items()
    }
    return replace(state, neighbours=still)


def _silences_moved(state: State, ms: int) -> State:
    silent = {name: replace(pot, silent=pot.silent + ms) for name, pot in state.pots.items() if pot.silent}
    assert not silent or state.neighbours, "R-28: behind somebody"
    return replace(state, pots={**state.pots, **silent}) if silent else state


def place(neighbour: str, stream: str) -> str:
    """Under which a mark of a neighbour is kept."""
    assert neighbour and stream, "of somebody, of something"
    return f"{neighbour}/{stream}"


def is_heard_from(state: State, neighbour: str) -> bool:
    """Whether anything that it tells would be taken."""
    assert neighbour, "a neighbour has a name"
    known = state.neighbours.get(neighbour)
    return known is not None and not known.revoked and known.stopped.keys() <= {MIRROR}


def owes_word(state: State, neighbour: str, stream: str) -> bool:
    """R-28: whether it is to say, after a restore of this node, how far it has heard a stream of ours."""
    assert neighbour, "somebody"
    return is_missing(state, neighbour, stream) or (stream == f"{UP}{neighbour}" and is_asked(state, neighbour))


def is_next(state: State, asked: HearLetter) -> bool:
    """Whether a letter is past what was heard. One that is not may be a repeat; where a neighbour's own mark is behind
    ours or beside it, that is no repeat, and StopNeighbour says so."""
    mark = state.heard.get(place(asked.neighbour, asked.stream), START)
    assert mark.number >= 0, "numbered from 1"
    return asked.mark.number > mark.number


def epoch_of(state: State, known: Neighbour) -> int:
    """The newest in which a neighbour is known to have lived."""
    heard = (mark.epoch for name, mark in state.heard.items() if name.startswith(f"{known.name}/"))
    assert known.name, "a neighbour has a name"
    return max([*heard, *known.went_back.values()], default=0)


def refuse_unheard(state: State, neighbour: str) -> Refusal | None:
    refusal = refuse_stranger(state, neighbour)
    if refusal is not None or is_heard_from(state, neighbour):
        return refusal
    return refuse(Reason.NEIGHBOUR_STOPPED, "neighbour", neighbour=neighbour)


DECIDE: dict[type, Callable[..., Any]] = {
    PinNeighbour: pin,
    RevokeNeighbour: revoke,
    SeeLink: see,
    SeeOwner: see_owner,
}
APPLY: dict[type, Callable[[State, Any], State]] = {
    NeighbourPinned: pinned,
    NeighbourRevoked: revoked,
    LinkSeen: seen,
    OwnerSeen: owner_seen,
}
