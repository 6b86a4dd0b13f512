"""What a neighbour told and cannot be: it stands apart until two persons decide (R-28).

Theory. Nobody refuses what a neighbour told: it stands in that node's record, and its money in that node's book. What
the plan of the pot does not allow is acknowledged like everything else, and its money goes into an account of its own
(`dispute:POT:NEIGHBOUR`), neither in the pot nor forgotten; the rest of the stream goes on. So the clearing of both
sides is equal at every mark. Two persons then take it after all, into the main pot, or leave it with the casino that
told it, whose house bears it. Only the owner of a pot takes anything into it.
"""

import re
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from controller.core.facts import DisputeEnded, DisputeHeard, LetterDisputed
from controller.core.inputs import EndDispute
from controller.core.links.known import Dispute
from controller.core.links.letters import (
    BetsSealed,
    BetsVoided,
    Bound,
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
from controller.core.state import State, moved, plan_of, with_pot
from controller.core.values import Side
from controller.rules.money import MOST_MONEY
from controller.rules.refusal import Reason, Refusal, refuse

_NUMBER = re.compile(r"p?[0-9]{1,19}")
_MOST_WHY = 500
_MOST_STEPS = 4
_MOST_WHOLE = 2**53


def is_nameable(letter: Letter) -> bool:
    """Whether what a letter is about can be called by a name here, and its numbers stand in any record: whoever hears
    it need not ask again."""
    said = {field: getattr(letter, field) for field in letter.__struct_fields__}
    wholes = [value for value in said.values() if isinstance(value, int)]
    tables = [str(said[field]).partition("/")[0] for field in ("table", "claim", "award") if said.get(field)]
    assert said["pot"] == letter.pot, "a letter is about a pot"
    named = all(said.get(field, "-") for field in ("award", *(("table", "claim") if _has_claim(letter) else ())))
    return named and all(map(is_table, tables)) and all(abs(whole) <= _MOST_WHOLE for whole in wholes)


def _has_claim(letter: Letter) -> bool:
    """What is corrected may have none yet; and where it is of somebody else, it has no name here."""
    assert isinstance(letter, Letter), "a letter"
    return not isinstance(letter, CorrectionWanted | ClaimPutRight)


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


def ended_as_told(
    state: State, neighbour: str, number: int, letter: Letter, told: Bound
) -> tuple[LetterDisputed, DisputeEnded]:
    """R-28: what was not believed before a restore is not believed now, and ends as it ended."""
    over = told.letter
    assert isinstance(over, DisputeOver), "R-28: how it ended"
    disputed_ = not_believed(state, neighbour, number, letter, "se disputó antes de restaurar")
    by, second = (person.removeprefix(f"{state.node}/") for person in (over.by, over.second))
    return disputed_, DisputeEnded(
        neighbour, number, disputed_.pot, disputed_.amount, over.accepted, over.reason, by, second, told.number
    )


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
    return len(steps) <= _MOST_STEPS and all(NAME.fullmatch(step) for step in steps)


def _about(letter: Letter, neighbour: str) -> str:
    """Which pass, claim or award, as it is called here."""
    name = getattr(letter, "award", "") or getattr(letter, "claim", "")
    if not name:
        number = getattr(letter, "pass_number", 0) or getattr(letter, "number", 0)
        name = f"{getattr(letter, 'table', '')}/{number}"
    table, *numbers = name.split("/")
    assert neighbour, "a neighbour has a name"
    return here(name, neighbour) if is_table(table) and all(map(_NUMBER.fullmatch, numbers)) else ""


def end(state: State, asked: EndDispute) -> tuple[DisputeEnded] | Refusal:
    """R-28: taken into the main pot, as far as that can be, or left with who told it."""
    dispute = state.disputes.get(_place(state, asked.neighbour, asked.pot, asked.number))
    if dispute is None:
        return refuse(Reason.DISPUTE_UNKNOWN, "number", number=asked.number, neighbour=asked.neighbour)
    if not asked.reason.strip():
        return refuse(Reason.REASON_MISSING, "reason")
    refusal = _refuse_taken(state, dispute) if asked.accepted else None
    if refusal is not None:
        return refusal
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (
        DisputeEnded(
            dispute.neighbour, dispute.number, dispute.pot, dispute.amount, asked.accepted, asked.reason,
            asked.by.person, asked.second.person,
        ),
    )  # fmt: skip


def _refuse_taken(state: State, dispute: Dispute) -> Refusal | None:
    """R-18, R-24, R-28: into a pot of ours, under its ceiling; out of it, what it has."""
    pot, amount = state.pots.get(dispute.pot), dispute.amount
    if pot is None or pot.above:
        words = {"pot": dispute.pot, "number": dispute.number, "neighbour": dispute.neighbour}
        return refuse(Reason.DISPUTE_NOT_OURS, "accepted", **words)
    if pot.main + amount < 0:
        return refuse(Reason.NOT_ENOUGH, "accepted", part="main", held=pot.main, amount=-amount)
    ceiling = plan_of(pot.documents).ceiling
    if amount > 0 and ceiling is not None and pot.main + amount > ceiling:
        return refuse(Reason.OVER_CEILING, "accepted", pot=pot.name, ceiling=ceiling, amount=amount)
    assert pot.main >= 0, "R-18: no pot is ever negative"
    return None


def _place(state: State, neighbour: str, pot: str, number: int) -> str:
    """Who is above has a log for each pot, each with numbers of its own."""
    assert number == int(number), "a whole number"
    known = state.neighbours.get(neighbour)
    is_owner = known is not None and known.side is Side.ABOVE
    return f"{neighbour}/{pot}/{number}" if is_owner else f"{neighbour}/{number}"


def disputed(state: State, fact: LetterDisputed) -> State:
    name = _place(state, fact.neighbour, fact.pot, fact.number)
    assert name not in state.disputes, "a letter is heard once"
    dispute = Dispute(fact.neighbour, fact.number, fact.pot, fact.table, fact.about, fact.amount, fact.why)
    return replace(state, disputes={**state.disputes, name: dispute})


def ended(state: State, fact: DisputeEnded) -> State:
    name = _place(state, fact.neighbour, fact.pot, fact.number)
    assert state.disputes[name].amount == fact.amount, "R-28: exactly what stood apart"
    state = replace(state, disputes={key: one for key, one in state.disputes.items() if key != name})
    if not fact.accepted:
        return state
    return with_pot(state, moved(state.pots[fact.pot], {"main": fact.amount}))


def dispute_heard(state: State, fact: DisputeHeard) -> State:
    """The money of it is not in a pot here: what was left with the casino, its house bears (ledger)."""
    assert fact.above in state.neighbours, "R-28: said by the owner of the pot"
    return state


DECIDE: dict[type, Callable[..., Any]] = {EndDispute: end}
APPLY: dict[type, Callable[[State, Any], State]] = {
    LetterDisputed: disputed,
    DisputeEnded: ended,
    DisputeHeard: dispute_heard,
}
