"""Training: a copy of a table and of its pot, in money of another book (R-27, R-36).

Theory. The copies have names that begin with `~`, so no posting of theirs can reach a live account, and what is asked
for the table concerns its copy as long as there is one. It begins on an empty table; when it ends, all its accounts go
back to nothing and the live table stands as it stood.
"""

from msgspec.structs import replace

from controller.core import lives
from controller.core.facts import TrainingEnded, TrainingStarted
from controller.core.inputs import EndTraining, StartTraining
from controller.core.links.proposals import refuse_closed
from controller.core.lives import PASS
from controller.core.state import State, Table, has_money, levels_of, money_of
from controller.core.values import TRAINING, Meters
from controller.rules.refusal import Reason, Refusal, refuse


def start_training(state: State, table: Table, asked: StartTraining) -> tuple[TrainingStarted] | Refusal:
    if table.training:
        return refuse(Reason.TRAINING_ON, "table", table=table.name.removeprefix(TRAINING))
    reason = lives.refused(PASS, table.phase, StartTraining)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    if has_money(table):
        amount = sum(seat.credits + seat.promo + seat.owed for seat in table.seats) + table.left + abs(table.suspense)
        return refuse(Reason.MONEY_ON_TABLE, "table", table=table.name, amount=amount)
    refusal = refuse_closed(state, table)
    if refusal is not None:
        return refusal
    name = TRAINING + table.name
    assert name not in state.tables, "one training a table"
    levels = levels_of(money_of(state.pots[table.pot]))
    return (TrainingStarted(name, name, table.casino, asked.by.person, levels, asked.second.person),)


def end_training(state: State, table: Table, asked: EndTraining) -> tuple[TrainingEnded] | Refusal:
    """Whatever was won or left there: all of it goes back to nothing."""
    if not table.training:
        return refuse(Reason.TRAINING_OFF, "table", table=table.name)
    reason = lives.refused(PASS, table.phase, EndTraining)
    if reason is not None:
        return refuse(reason, "table", table=table.name.removeprefix(TRAINING))
    closing = {account: amount for account, amount in state.training[table.name].items() if amount}
    assert sum(closing.values()) == 0, "double entry: also in training"
    return (TrainingEnded(table.name, asked.by.person, closing),)


def training_started(state: State, fact: TrainingStarted) -> State:
    live = state.tables[fact.table.removeprefix(TRAINING)]
    pot = state.pots[live.pot]
    assert fact.table.startswith(TRAINING) and fact.pot.startswith(TRAINING), "another book"
    # The copy has no units yet: each is adopted with its first report, so that nothing counted before is booked here.
    seats = tuple(
        replace(seat, closed="", device=None, giving_back=0, counted=None, doubted=False, over_paid=0)
        for seat in live.seats
    )
    table = replace(live, name=fact.table, pot=fact.pot, training=True, seats=seats)
    money = {"main": fact.levels.main, "reserves": dict(fact.levels.reserves)}
    copy = replace(pot, name=fact.pot, **money, moments_given=(), meters=Meters(), above="")
    return replace(
        state,
        tables={**state.tables, fact.table: table},
        pots={**state.pots, fact.pot: copy},
        training={**state.training, fact.table: {}},
    )


def training_ended(state: State, fact: TrainingEnded) -> State:
    """The units have counted on meanwhile: the live seats look at them anew."""
    assert fact.table.startswith(TRAINING), "only training ends like this"
    live = state.tables[fact.table.removeprefix(TRAINING)]
    seats = tuple(replace(seat, device=None, giving_back=0, counted=None) for seat in live.seats)
    tables = {name: table for name, table in state.tables.items() if name != fact.table}
    return replace(
        state,
        tables={**tables, live.name: replace(live, seats=seats)},
        pots={name: pot for name, pot in state.pots.items() if name != fact.table},
        claims={name: claim for name, claim in state.claims.items() if claim.table != fact.table},
        training={name: book for name, book in state.training.items() if name != fact.table},
    )
