"""What a screen is shown of neighbours and of pots that nodes share: who is there, what waits, what may be paid (R-28).

Theory. Made from the committed state, but for two things that only time tells: when the oldest letter that a neighbour
has not acknowledged was written, and how old the amount of a far pot is (far_pots.py). Multiples and fixed amounts of a
far pot are certain and can be paid whatever the link does; percentages wait for its owner, and who reads is told so.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

from controller.core.facts import Fact, LetterAcknowledged, LetterTold
from controller.core.links.known import Dispute
from controller.core.links.letters import ClaimMade
from controller.core.links.names import neighbour_of
from controller.core.links.neighbours import last_word, max_silence
from controller.core.links.placed import is_named
from controller.core.state import PotNow, State, plan_of
from controller.core.values import Mark, Side
from controller.core.view import Alarm, alarm
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.protocol import WHY_STOPPED, DisputeNow, FarPotNow, NeighbourNow, StoppedNow
from drivers.session import MILLISECOND, Micros

_MAY_BE_PAID = " De sus pozos se pagan múltiplos y montos fijos; los porcentajes esperan."
_UNHEARD = f"Más allá de {{neighbour}} no se oye al dueño del pozo {{pot}}.{_MAY_BE_PAID}"
_STOPPED = "No se escucha más a {neighbour} ({stream}: {why}): lo revisan dos personas."
_DISPUTED_CLAIM = (
    "Los premios {about} esperan: aquí no se creyeron ({why}). Dos personas: disputa tomar {neighbour}/{number}, o"
    " dejar."
)
_DISPUTED = "Lo que dijo {neighbour} de {about} no puede ser: lo deciden dos personas."
_MOST_WAITING = 20_000
"""Letters of one stream whose instants are kept; of a longer tail the oldest is the oldest kept."""


class Unacknowledged:
    """When the letters that wait were written, by stream; the letters themselves are in the record."""

    def __init__(self) -> None:
        self._written: dict[str, deque[tuple[int, Millis]]] = {}

    def follow(self, facts: Iterable[Fact], state: State, at: Millis) -> None:
        for fact in facts:
            if isinstance(fact, LetterTold):
                self._written.setdefault(fact.stream, deque(maxlen=_MOST_WAITING)).append((fact.number, at))
            elif isinstance(fact, LetterAcknowledged):
                self._forget(fact.stream, state)

    def _forget(self, stream: str, state: State) -> None:
        """What every neighbour has."""
        have = [last.number for name, last in state.acknowledged.items() if name.partition("/")[2] == stream]
        written = self._written.get(stream, deque())
        while written and have and written[0][0] <= min(have):
            written.popleft()

    def oldest(self, stream: str, after: int) -> Millis:
        """When the first letter after this one was written; 0: before this life."""
        written = self._written.get(stream, ())
        first = next(((number, at) for number, at in written if number > after), (0, 0))
        return first[1] if first[0] == after + 1 else 0


def neighbours_now(state: State, written: Unacknowledged) -> tuple[NeighbourNow, ...]:
    streams = _streams_of(state)
    return tuple(_neighbour(state, name, streams[name], written) for name in state.neighbours)


def _neighbour(state: State, name: str, streams: Iterable[str], written: Unacknowledged) -> NeighbourNow:
    """`streams`: of ours, that it reads."""
    one = state.neighbours[name]
    told = [(stream, state.told[stream]) for stream in sorted(streams) if stream in state.told]
    waits = [(stream, mark, _number(state.acknowledged.get(f"{name}/{stream}"))) for stream, mark in told]
    behind = [(stream, number) for stream, mark, number in waits if mark.number > number]
    oldest = [written.oldest(stream, number) or one.since for stream, number in behind]
    return NeighbourNow(
        name,
        one.side,
        one.up,
        one.since,
        sum(mark.number - number for _, mark, number in waits),
        min(oldest, default=0),
        sum(number for _, _, number in waits),
        one.inside,
        one.revoked,
        tuple(
            StoppedNow(stream, stopped.why, stopped.said, state.heard.get(f"{name}/{stream}"))
            for stream, stopped in one.stopped.items()
        ),
        one.key,
    )


def _streams_of(state: State) -> Mapping[str, set[str]]:
    """Of each neighbour the streams of ours that it reads. Every table is looked at once, however many neighbours."""
    found: dict[str, set[str]] = {
        name: {f"to:{name}"} if one.side is Side.ABOVE else set() for name, one in state.neighbours.items()
    }
    for table in state.away.values():
        if (name := neighbour_of(table.name)) in found:
            found[name].add(f"pot:{table.pot}")
    return found


def _number(mark: Mark | None) -> int:
    return mark.number if mark is not None else 0


def far_pots_now(state: State, since: Mapping[str, Micros], now: Micros) -> tuple[FarPotNow, ...]:
    return tuple(
        _far_pot(state, pot, since.get(pot.name), now)
        for pot in state.pots.values()
        if pot.above
    )  # fmt: skip


def _far_pot(state: State, pot: PotNow, since: Micros | None, now: Micros) -> FarPotNow:
    claims = [claim for claim in state.claims.values() if claim.pot == pot.name]
    return FarPotNow(
        pot.name,
        pot.above,
        is_up(state, pot),
        max(0, now - since) // MILLISECOND if since is not None else -1,
        _closes(state, pot),
        tuple(name for claim in claims for name, award in claim.awards.items() if award.waits and award.pending),
        tuple(claim.id for claim in claims if claim.frozen),
        pot.name in state.proposed,
        pot.silent,
    )


def is_up(state: State, pot: PotNow) -> bool:
    owner = state.neighbours.get(pot.above)
    hears = owner is not None and owner.up and not owner.revoked and f"pot:{pot.name}" not in owner.stopped
    return hears and not pot.silent


def _closes(state: State, pot: PotNow) -> Millis:
    """From when on no pass opens, unless the owner is heard again; 0: he is."""
    owner = state.neighbours.get(pot.above)
    last = last_word(owner, pot) if owner is not None else None
    return last + max_silence(pot) if last is not None else 0


def disputes_now(state: State) -> tuple[DisputeNow, ...]:
    return tuple(
        DisputeNow(one.neighbour, one.number, one.pot, one.table, one.about, one.amount, one.why)
        for one in state.disputes.values()
    )


def link_alarms(state: State) -> Iterator[Alarm]:
    """R-28: what somebody must look at, until it is over."""
    for one in state.neighbours.values():
        if one.revoked:
            continue
        pots = [pot.name for pot in state.pots.values() if pot.above == one.name]
        if not one.up:
            yield _without_owner(one.name) if pots else _without_link(one.name)
        for name in pots:
            if one.up and state.pots[name].silent:
                yield alarm("owner_unheard", name, "R-28", _UNHEARD, neighbour=one.name, pot=name)
        for stream, stopped in one.stopped.items():
            why = WHY_STOPPED[stopped.why]
            yield alarm("neighbour_stopped", one.name, "R-28", _STOPPED, neighbour=one.name, stream=stream, why=why)
    yield from _of_leaving(state)
    yield from map(_of_dispute, state.disputes.values())


def _without_owner(name: str) -> Alarm:
    """Of a pot that tables here feed."""
    return alarm("no_link_to_owner", name, "R-28", f"Sin enlace con {{neighbour}}.{_MAY_BE_PAID}", neighbour=name)


def _without_link(name: str) -> Alarm:
    return alarm("no_link", name, "R-28", "Sin enlace con {neighbour}.", neighbour=name)


def _of_dispute(dispute: Dispute) -> Alarm:
    table, neighbour, about = dispute.table, dispute.neighbour, dispute.about
    if isinstance(dispute.letter, ClaimMade):
        why, number = dispute.why, dispute.number
        return alarm(
            "claim_disputed", table, "R-21", _DISPUTED_CLAIM, neighbour=neighbour, about=about, why=why, number=number
        )
    return alarm("word_disputed", table, "R-28", _DISPUTED, neighbour=neighbour, about=about)


def _of_leaving(state: State) -> Iterator[Alarm]:
    """R-28: what two persons must still do where somebody left a pot."""
    for of in state.pots.values():
        if of.left and is_named(plan_of(of.documents), state.node):
            alone = "El pozo {pot} se dejó a {left} y es de este nodo: no se juega sin un plan propio."
            yield alarm("pot_was_left", of.name, "R-28", alone, pot=of.name, left=of.left)
    for pot, share in state.shares.items():
        here = "De la parte del pozo {pot} quedan {amount}: dos personas los ponen en un pozo de aquí."
        yield alarm("share_left", pot, "R-28", here, pot=pot, amount=share.amount)
