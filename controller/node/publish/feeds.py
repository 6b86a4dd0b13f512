"""Which pot each table feeds, what is dealt there and what a credit is worth: for screens that show one table.

Theory. Read from the state and its approved documents (R-9, R-26), in training from the table's own copy. Pure.
"""

from controller.core.state import State, in_play, plan_at
from controller.core.values import TRAINING
from controller.node.vocabulary.protocol import Feed


def feeds(state: State) -> tuple[Feed, ...]:
    names = (name for name in state.tables if not name.startswith(TRAINING))
    tables = [state.tables[in_play(state, name)] for name in names]
    return tuple(
        Feed(
            table.name.removeprefix(TRAINING), table.pot, table.modality, plan_at(state, table).limits.credit_value
        )
        for table in tables
    )  # fmt: skip
