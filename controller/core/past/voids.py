"""A void of what had won: first it is put right, then its bets go back (R-25, R-34).

Theory. A misdeal annuls a hand or the whole pass whatever it won, until it is paid. What the void hands had won, by
their cards or by a draw, is cancelled as if it had never been registered; only then are their contributions undone,
from the pot as it stands after that.
"""

from controller.core import passes
from controller.core.facts import ClaimCorrected, HandsVoided, PassSealed
from controller.core.inputs import VoidHand, VoidPass
from controller.core.links.awaited import refuse_awaited
from controller.core.past.corrected import corrected
from controller.core.past.correction import void_won
from controller.core.past.inquiry import Inquiry
from controller.core.state import State, Table
from controller.rules.refusal import Refusal

Voided = tuple[ClaimCorrected | HandsVoided | PassSealed, ...]


def void(state: State, table: Table, asked: VoidHand | VoidPass, history: Inquiry | None) -> Voided | Refusal:
    """R-25: what phase, bets and payments refuse is refused first; then what was won is put right."""
    decided = refuse_awaited(state, table.name, table.number) or passes.void(state, table, asked)
    if isinstance(decided, Refusal) or history is None:
        return decided
    won = void_won(state, asked, history)
    if isinstance(won, Refusal):
        return won
    assert won[0].void, "R-25: put right because it is void"
    after = corrected(state, won[0])
    undone = passes.void(after, after.tables[table.name], asked)
    assert not isinstance(undone, Refusal), "R-25: nothing that a correction does stands in the way of a void"
    return (*won, *undone)
