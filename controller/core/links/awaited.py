"""Corrections that were asked of the owner of a pot, until his answer is in the record (R-28, R-34).

Theory. Whoever has the table asks, under a number of his own; the owner of the pot answers under it. Between the two
nothing of the pass is confirmed, paid or set aside, because nobody here knows yet what of it is true; and nothing else
is asked about it. A node in the middle keeps the same for the tables of its neighbours.
"""

from msgspec.structs import replace

from controller.core.facts import CorrectionAsked, CorrectionRefused
from controller.core.links.names import AT, is_away
from controller.core.state import State
from controller.rules.refusal import Reason, Refusal, refuse


def name_of(table: str, wanted: int) -> str:
    """Under which an answer is awaited: the number, and behind it whose it is."""
    assert wanted > 0, "corrections are numbered from 1"
    _, at, node = table.partition(AT)
    return f"{wanted}{at}{node}"


def refuse_awaited(state: State, table: str, number: int) -> Refusal | None:
    """R-34: a pass is asked about once at a time."""
    if (table, number) not in state.awaited.values():
        return None
    assert table, "a table has a name"
    return refuse(Reason.CORRECTION_AWAITED, "table", table=table, number=number)


def asked(state: State, fact: CorrectionAsked) -> State:
    """R-34: from here on it waits for the owner of the pot."""
    wanted = state.wanted if is_away(fact.table) else fact.wanted
    name, of = name_of(fact.table, fact.wanted), (fact.table, fact.number)
    assert name not in state.awaited and of not in state.awaited.values(), "R-34: asked once"
    return _frozen(replace(state, wanted=wanted, awaited={**state.awaited, name: of}), of, frozen=True)


def answered(state: State, table: str, wanted: int) -> State:
    """R-34: the pass goes on, whatever the answer was. What was asked of us was never awaited here."""
    name = name_of(table, wanted)
    of = state.awaited.get(name)
    if of is None:
        return state
    assert of[0] == table, "R-28: an answer about the table that asked"
    left = {key: one for key, one in state.awaited.items() if key != name}
    return _frozen(replace(state, awaited=left), of, frozen=False)


def refused(state: State, fact: CorrectionRefused) -> State:
    """R-34: it stays as it was."""
    assert fact.code, "a refusal has a name"
    return answered(state, fact.table, fact.wanted)


def _frozen(state: State, of: tuple[str, int], *, frozen: bool) -> State:
    assert of[1] > 0, "R-5: passes are numbered from 1"
    claims = {
        name: replace(claim, frozen=frozen) if (claim.table, claim.number) == of else claim
        for name, claim in state.claims.items()
    }
    return replace(state, claims=claims)
