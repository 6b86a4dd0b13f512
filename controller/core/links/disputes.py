"""What a neighbour told and cannot be: it stands apart until two persons decide (R-28).

Theory. Nobody refuses what a neighbour told: it stands in that node's record, and its money in that node's book. What
the plan of the pot does not allow is acknowledged like everything else, and its money goes into an account of its own
(`dispute:POT:NEIGHBOUR`), neither in the pot nor forgotten; the rest of the stream goes on. So the clearing of both
sides is equal at every mark. How it ends, ended.py says.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import fields, replace

from controller.core.facts import (
    DisputeEnded,
    DisputeHeard,
    LetterDisputed,
)
from controller.core.links.known import Dispute
from controller.core.links.letters import (
    DOUBTS,
    AwardGiven,
    BetsSealed,
    BetsVoided,
    ClaimMade,
    ClaimPutRight,
    CorrectionWanted,
    DisputeOver,
    Letter,
    OwnerLeft,
    PrizeDrawn,
)
from controller.core.links.names import AT, here
from controller.core.people import NAME
from controller.core.state import State, moved, with_pot
from controller.core.values import SealedBet, Side
from controller.rules.money import MOST_MONEY

_NUMBER = re.compile(r"p?[0-9]{1,19}")
_MOST_WHY = 500
_MOST_STEPS = 4
_MOST_WHOLE = 2**53


class _Fields(NamedTuple):
    """Of a kind of letter: which fields name a table, which of them must, and which are whole numbers."""

    names: tuple[str, ...]
    must: tuple[str, ...]
    wholes: tuple[str, ...]


@cache
def _fields_of(kind: type[Letter]) -> _Fields:
    """What is corrected may have no claim yet; and where it is of somebody else, it has no name here. The end of a
    dispute names a table only where houses could be taken for each other."""
    types = {field.name: field.type for field in fields(kind)}
    assert types["pot"] is str, "a letter is about a pot"
    names = tuple(name for name in ("table", "claim", "award") if name in types)
    may_lack = kind in {CorrectionWanted, ClaimPutRight, DisputeOver}
    wholes = tuple(name for name, type_ in types.items() if type_ in {int, int | None})
    return _Fields(names, tuple(name for name in names if name == "award" or not may_lack), wholes)


def is_nameable(letter: Letter) -> bool:
    """Whether what a letter is about can be called by a name here, and its numbers stand in any record: whoever hears
    it need not ask again."""
    known = _fields_of(type(letter))
    said = [getattr(letter, field) for field in known.names]
    tables = {name.partition("/")[0] for name in said if name}
    wholes = [abs(getattr(letter, field) or 0) for field in known.wholes]
    assert len(said) >= len(known.must), "what must be named may be"
    is_named = all(getattr(letter, field) for field in known.must)
    return is_named and all(map(is_table, tables)) and max(wholes, default=0) <= _MOST_WHOLE


def not_believed(state: State, neighbour: str, number: int, letter: Letter, why: str) -> LetterDisputed:
    """R-28: a letter with what it would have brought, as far as it names a pot and a table that can be."""
    is_owner = state.neighbours[neighbour].side is Side.ABOVE
    pot = letter.pot if letter.pot in state.pots or is_owner else ""
    table = getattr(letter, "table", "") or getattr(letter, "award", "").partition("/")[0]
    table = here(table, neighbour) if is_table(table) else ""
    about = _about(letter, neighbour) if table else ""
    amount = amount_of(letter)
    if is_owner or not pot or not -MOST_MONEY <= amount <= MOST_MONEY:
        amount = 0
    assert number > 0, "letters are numbered from 1"
    printable = "".join(one if one.isprintable() else "?" for one in why[:_MOST_WHY])
    return LetterDisputed(neighbour, number, pot, table, about, amount, printable, letter)


def amount_of(letter: Letter) -> int:
    """By how much the clearing of who told it rose: what it owes the pot for this, or is owed below zero."""
    assert letter.pot is not None, "a letter is about a pot"
    match letter:
        case BetsSealed():
            return sum(bet.amount - bet.commission for bet in letter.bets)
        case BetsVoided(kept=False):
            return sum(bet.amount - bet.commission for bet in letter.undone)
        case ClaimMade():
            return -sum(award.amount for award in letter.awards)
        case PrizeDrawn(promo=False):
            return -letter.amount
        case OwnerLeft():
            return -letter.amount
        case _:
            return 0


def is_table(name: str) -> bool:
    """Whether a table can have this name at its neighbour."""
    steps = name.split(AT)
    assert steps, "a name has a beginning"
    return len(steps) <= _MOST_STEPS and all(map(NAME.fullmatch, steps))


def _about(letter: Letter, neighbour: str) -> str:
    """Which pass, claim or award, as it is called here."""
    name = getattr(letter, "award", "") or getattr(letter, "claim", "")
    if not name:
        number = getattr(letter, "pass_number", 0) or getattr(letter, "number", 0)
        name = f"{getattr(letter, 'table', '')}/{number}"
    table, *numbers = name.split("/")
    assert neighbour, "a neighbour has a name"
    return here(name, neighbour) if is_table(table) and all(map(_NUMBER.fullmatch, numbers)) else ""


def place_of(state: State, neighbour: str, pot: str, number: int) -> str:
    """Who is above has a log for each pot, each with numbers of its own."""
    assert number == int(number), "a whole number"
    known = state.neighbours.get(neighbour)
    is_owner = known is not None and known.side is Side.ABOVE
    return f"{neighbour}/{pot}/{number}" if is_owner else f"{neighbour}/{number}"


def _kept_of(state: State, fact: LetterDisputed) -> tuple[ClaimMade | AwardGiven | None, tuple[SealedBet, ...]]:
    """What is kept of a letter that was not believed: of bets and of winners, that it may still be done. By an earlier
    list nothing was, and nobody was told."""
    below = state.neighbours[fact.neighbour].side is Side.BELOW
    if state.tells < DOUBTS or not (below and fact.pot and fact.about):
        return None, ()
    match fact.letter:
        case BetsSealed():
            return None, fact.letter.bets
        case ClaimMade():
            return fact.letter, _bets_of(state, fact.table, fact.letter.number)
        case AwardGiven():
            return fact.letter, ()
    assert fact.about, "R-28: it has a name here"
    return None, ()


def _bets_of(state: State, table: str, number: int) -> tuple[SealedBet, ...]:
    """R-22: of the pass in progress there, or as they were told and not believed either."""
    known = state.away.get(table)
    if known is not None and known.number == number:
        return known.bets
    of = f"{table}/{number}"
    assert table, "a table has a name"
    return next((one.bets for one in state.disputes.values() if one.about == of and one.letter is None), ())


def disputed(state: State, fact: LetterDisputed) -> State:
    name = place_of(state, fact.neighbour, fact.pot, fact.number)
    assert name not in state.disputes, "a letter is heard once"
    kept = _kept_of(state, fact)
    dispute = Dispute(fact.neighbour, fact.number, fact.pot, fact.table, fact.about, fact.amount, fact.why, *kept)
    return replace(state, disputes={**state.disputes, name: dispute})


def ended(state: State, fact: DisputeEnded) -> State:
    name = place_of(state, fact.neighbour, fact.pot, fact.number)
    assert state.disputes[name].amount == fact.amount, "R-28: exactly what stood apart"
    state = replace(state, disputes={key: one for key, one in state.disputes.items() if key != name})
    if not fact.accepted or fact.claim:
        return state
    return with_pot(state, moved(state.pots[fact.pot], {"main": fact.amount}))


def dispute_heard(state: State, fact: DisputeHeard) -> State:
    """The money of it is not in a pot here: what was left with the casino, its house bears (ledger)."""
    assert fact.above in state.neighbours, "R-28: said by the owner of the pot"
    return state


APPLY: dict[type, Callable[[State, Any], State]] = {
    LetterDisputed: disputed,
    DisputeEnded: ended,
    DisputeHeard: dispute_heard,
}
