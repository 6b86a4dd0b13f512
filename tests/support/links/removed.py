"""What the schedules must catch: nodes that share pots with one guard taken away, in the protocol, the engine's letters or the core.

Each is something that somebody could think superfluous, because another part seems to see to it. Where the same rule stands
in two places, both are taken away.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from controller.core import awards, passes, plans
from controller.core import node as core_node
from controller.core.claims import granted_of
from controller.core.inputs import VoidHand, VoidPass
from controller.core.links import (
    awaited,
    bets,
    claims,
    corrections,
    disputes,
    ended,
    neighbours,
    proposals,
    streams,
    wanted,
)
from controller.core.state import PotNow, money_of, plan_of
from controller.node.book.book import Book
from controller.node.engine import letters as engine_letters
from controller.node.engine.letters import Letters
from controller.node.link import conversation
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.held import HeldLetters
from controller.node.link.messages import Ack, LetterBatch, place_of
from controller.node.link.redial import Redial
from controller.node.link.streams import StreamHeard, StreamTold
from controller.node.store.rows import OutcomeKey
from controller.rules.money import Money, Ppm, share
from controller.rules.refusal import Refusal
from controller.rules.settlement import settle
from drivers.session import SECOND

NEVER = 10**9 * SECOND
Change = tuple[Any, Any, object]


def nothing(*_: Any, **__: Any) -> None:
    """Nothing stands in the way."""


# The protocol

_take = NeighbourTalk._take


def _acknowledges_what_it_was_given(talk: NeighbourTalk, batch: LetterBatch) -> None:
    _take(talk, batch)
    stream = talk._hearing.get(batch.stream)
    if stream is not None and stream.delivered.number:
        talk._out.append(Ack(batch.stream, place_of(stream.delivered)))


def _forgets_where_it_stood(stream: StreamHeard, heard: Any, *, stopped: bool) -> bool:
    """It goes on from the record only when the record says more than it was given in this life."""
    moved: bool = heard != stream.heard
    stream.heard, stream.stopped = heard, stopped
    return moved and heard == stream.delivered


def _never_in_trouble(held: HeldLetters, _now: int) -> bool:
    waits, held._waits = held._waits, 0
    return 0 < waits <= held._may


# The engine's letters


def _under_its_own_number(_letters: Letters, source: str, epoch: int, number: int) -> OutcomeKey:
    return OutcomeKey(source, epoch, number)


# The core

_void = corrections.void


def _decides_percentages_itself(pot: PotNow, wins: Any) -> Any:
    plan = plan_of(pot.documents)
    paid = granted_of(settle(plan.ruleset, money_of(pot), wins, plan.unit).awards, pot.reserves)
    return tuple(replace(one, parts={}, house=0) for one in paid), ()


def _gives_back_before_it_asks(state: Any, table: Any, asked: Any, history: Any) -> Any:
    undone: Any = _void(state, table, asked, history)
    return undone if isinstance(undone, Refusal) else (*undone[1:], undone[0])


def _without_a_carry(amount: Money, ppm: Ppm, _carry: int) -> Any:
    return share(amount, ppm, 0)[0], 0


def _decidable(claim: Any, asked: Any) -> Any:
    """A percentage that waits is paid as it stands, and so is what is being corrected."""
    return claim.awards[asked.award].granted


@dataclass
class Removal:
    """`known`: a seed that missed it once: tried first, because some do not."""

    name: str
    known: int
    changes: tuple[Change, ...]

    @contextmanager
    def patched(self) -> Iterator[None]:
        with ExitStack() as stack:
            for where, name, instead in self.changes:
                in_its_place = (
                    patch.dict(where, {name: instead})
                    if isinstance(where, dict)
                    else patch.object(where, name, instead)
                )
                stack.enter_context(in_its_place)
            yield


def _of(name: str, known: int, *changes: Change) -> Removal:
    return Removal(name, known, changes)


def _same(state: Any, *_: Any, **__: Any) -> Any:
    return state


REMOVED = [
    # the protocol
    _of("acknowledged before the commit", 1, (NeighbourTalk, "_take", _acknowledges_what_it_was_given)),
    _of("a new life does not know where it stood", 3, (StreamHeard, "knows", _forgets_where_it_stood)),
    _of("a lost batch is not sent again", 9, (StreamTold, "tick", nothing)),
    _of("a greeting that was lost is waited for", 1, (conversation, "GREETING", NEVER)),
    _of("nobody dials again", 0, (Redial, "wait", lambda _redial: NEVER)),
    _of("who was stopped is heard on", 10, (neighbours, "is_heard_from", lambda *_: True), (engine_letters, "is_heard_from", lambda *_: True)),
    # a box and its mirror
    _of("letters overtake the mirror", 0, (HeldLetters, "leaving", lambda _held, letters: letters)),
    _of("a mirror in trouble is waited for", 3, (HeldLetters, "tick", _never_in_trouble)),
    _of("a mirror in trouble is said to nobody", 3, (HeldLetters, "lacks_what_was_told", False)),
    # the engine's letters
    _of("a refused letter keeps its number", 10, (Letters, "_id", _under_its_own_number)),
    _of("a letter is heard without the record", 0, (Book, "_of_letter", nothing)),
    _of("who asks again is a new one", 3, (Book, "_answered_before", lambda *_: {}), (Book, "is_surely_new", lambda *_: True)),
    _of("acknowledgements are not kept", 0, (Letters, "_acknowledgements", lambda *_: iter(()))),
    # the core: streams
    _of("a repeated letter is no repeat", 3, (streams, "_was_heard", lambda *_: False), (engine_letters, "_follows", lambda *_: True),
        (StreamHeard, "knows", _forgets_where_it_stood)),
    _of("an old epoch may be accepted again", 34, (streams, "_refuse_again", nothing)),
    _of("who was put back asks nobody how far it was heard", 380, (core_node, "asks_above", lambda _state: ())),
    # the core: money
    _of("percentages are decided at the table", 0, (claims, "_without_percentages", _decides_percentages_itself)),
    _of("percentages are paid before they are decided", 0, (awards, "_decidable", _decidable)),
    _of("the commission is taken at the box too", 0, (bets, "collects", lambda *_: True)),
    _of("the commission carry is forgotten", 0, (bets, "share", _without_a_carry)),
    _of("the pot's levels are not followed", 0, (streams, "followed", _same)),
    _of("disputed money stands nowhere", 322, (disputes, "amount_of", lambda _letter: 0)),
    _of("what is left with a casino costs it nothing", 26, (ended, "hear_over", lambda *_: ())),
    _of("a pass is believed whatever its plan", 26, (bets, "_refuse_bets", nothing)),
    # the core: corrections
    _of("a pass may be asked about twice", 12, (corrections, "refuse_awaited", nothing), (wanted, "refuse_awaited", nothing)),
    _of("what is being corrected is paid", 0, (awaited, "_frozen", lambda state, *_, **__: state)),
    _of("a void gives back before it asks", 0, (corrections.ASK, VoidHand, _gives_back_before_it_asks),
        (corrections.ASK, VoidPass, _gives_back_before_it_asks)),
    # the core: plans and silence
    _of("tables that are ready open", 2, (passes, "refuse_closed", nothing)),
    _of("the owner waits for nobody", 0, (plans, "members", lambda *_: set())),
    _of("the middle waits for nobody", 0, (proposals, "members", lambda *_: set())),
    _of("ready in the middle of a pass", 1, (proposals, "nothing_in_the_way", lambda *_: True)),
    _of("silence has no end", 1, (passes, "refuse_cut_off", nothing)),
    _of("a reboot renews the silence", 3, (neighbours, "_cut", _same)),
]  # fmt: skip
