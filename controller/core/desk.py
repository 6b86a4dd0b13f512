"""The desk: the gaming day, money moved by two persons, training, restore (R-26, R-27, R-30).

Theory. A day is opened with the hash of a secret and closed with the secret itself, on empty tables. Money enters a pot
from the house, or moves between its parts, only with a resolution and two persons; nothing else can. Training
happens on a copy: another table and another pot, whose names begin with `~`, so that no live account can be reached;
when it ends, all its accounts go back to nothing.
"""

import re

from msgspec.structs import replace

from controller.core import lives
from controller.core.claims import levels_of
from controller.core.facts import (
    DayClosed,
    DayOpened,
    MoneyMoved,
    NodeFounded,
    NodeRestored,
    TrainingEnded,
    TrainingStarted,
)
from controller.core.inputs import (
    CloseDay,
    EndTraining,
    FoundNode,
    MoveMoney,
    OpenDay,
    RestoreNode,
    StartTraining,
)
from controller.core.lives import PASS
from controller.core.passes import moved
from controller.core.people import NAME
from controller.core.plans import has_money
from controller.core.state import Day, State, Table, money_of, plan_of, with_pot
from controller.core.values import TRAINING, Meters, Phase
from controller.rules.approval import refuse_without_two
from controller.rules.complementary import SEED_BYTES, commitment
from controller.rules.money import MOST_BET
from controller.rules.refusal import Reason, Refusal, refuse

MOST_EPOCH = 2**31 - 1
_DIGEST = re.compile(r"[0-9a-f]{64}")


def found(state: State, asked: FoundNode) -> tuple[NodeFounded] | Refusal:
    """The first fact of a record."""
    if state.node:
        return refuse(Reason.ALREADY_FOUNDED, "node")
    for name in (asked.node, *asked.administrators):
        if not NAME.fullmatch(name):
            return refuse(Reason.NAME_WRONG, "node", name=name)
    assert not state.people, "nobody is enrolled before the node is founded"
    return refuse_without_two(asked.administrators, "administrators") or (
        NodeFounded(asked.node, asked.key, asked.administrators),
    )


def restore(state: State, asked: RestoreNode) -> tuple[NodeRestored] | Refusal:
    """A new epoch: what was promised under the old one since the backup is not denied, but asked for again."""
    if asked.epoch <= state.epoch:
        return refuse(Reason.EPOCH_NOT_NEWER, "epoch", epoch=asked.epoch, current=state.epoch)
    if asked.epoch > MOST_EPOCH:
        return refuse(Reason.AMOUNT_WRONG, "epoch", amount=asked.epoch, most=MOST_EPOCH)
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (NodeRestored(asked.epoch, asked.reason, asked.by.person, asked.second.person),)


def open_day(state: State, asked: OpenDay) -> tuple[DayOpened] | Refusal:
    """R-30: committed before the day's first pass."""
    if state.day is not None:
        return refuse(Reason.DAY_OPEN, "day", day=state.day.name)
    if not NAME.fullmatch(asked.day):
        return refuse(Reason.NAME_WRONG, "day", name=asked.day)
    if asked.day <= state.last_day:
        return refuse(Reason.DAY_OUT_OF_ORDER, "day", day=asked.day, last=state.last_day)
    if not _DIGEST.fullmatch(asked.commitment):
        return refuse(Reason.COMMITMENT_WRONG, "commitment")
    assert all(table.phase is Phase.BETWEEN or table.training for table in state.tables.values()), (
        "no pass without a day"
    )
    return (DayOpened(asked.day, asked.commitment, asked.by.person),)


def close_day(state: State, asked: CloseDay) -> tuple[DayClosed] | Refusal:
    """On empty tables; awards that are still held go on into the next day."""
    if state.day is None:
        return refuse(Reason.DAY_NOT_OPEN, "day")
    for table in state.tables.values():
        refusal = _refuse_unfinished(table)
        if refusal is not None:
            return refusal
    seed = bytes.fromhex(asked.seed) if _DIGEST.fullmatch(asked.seed) else b""
    if len(seed) != SEED_BYTES or commitment(seed) != state.day.commitment:
        return refuse(Reason.SEED_WRONG, "seed")
    assert not any(name.startswith(TRAINING) for name in state.pots), "training ended with its tables"
    meters = {name: pot.meters for name, pot in state.pots.items()}
    return (DayClosed(state.day.name, asked.seed, asked.by.person, meters),)


def _refuse_unfinished(table: Table) -> Refusal | None:
    if table.training:
        return refuse(Reason.TRAINING_ON, "table", table=table.name.removeprefix(TRAINING))
    reason = lives.refused(PASS, table.phase, CloseDay)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    amount = sum(seat.credits + seat.promo + seat.owed for seat in table.seats) + abs(table.suspense)
    assert all(seat.bet == 0 for seat in table.seats), "R-5: no bet lies between passes"
    return refuse(Reason.MONEY_ON_TABLE, "table", table=table.name, amount=amount) if amount else None


def move(state: State, asked: MoveMoney) -> tuple[MoneyMoved] | Refusal:
    """R-26: from the house into a part of a pot, or between two parts of it."""
    pot = state.pots.get(asked.pot)
    if pot is None or asked.pot.startswith(TRAINING):
        return refuse(Reason.POT_UNKNOWN, "pot", pot=asked.pot)
    there = {"main": pot.main, **pot.reserves}
    for where, part, known in (("source", asked.source, ["house", *there]), ("target", asked.target, list(there))):
        if part not in known:
            return refuse(Reason.PART_UNKNOWN, where, pot=asked.pot, part=part, parts=", ".join(known))
    if asked.source == asked.target:
        parts = ", ".join(there)
        return refuse(Reason.PART_UNKNOWN, "target", pot=asked.pot, part=f"distinta de {asked.source}", parts=parts)
    if not 1 <= asked.amount <= MOST_BET:
        return refuse(Reason.AMOUNT_WRONG, "amount", amount=asked.amount, most=MOST_BET)
    if asked.source != "house" and asked.amount > there[asked.source]:
        held = there[asked.source]
        return refuse(Reason.NOT_ENOUGH, "amount", part=asked.source, held=held, amount=asked.amount)
    if not asked.resolution.strip():
        return refuse(Reason.RESOLUTION_MISSING, "resolution")
    plan = plan_of(pot.documents)
    if asked.target == "main" and plan.ceiling is not None and pot.main + asked.amount > plan.ceiling:
        return refuse(Reason.OVER_CEILING, "amount", pot=asked.pot, ceiling=plan.ceiling, amount=asked.amount)
    casino = plan.casinos[0]
    assert asked.by.person != asked.second.person, "R-26: two different persons"
    return (
        MoneyMoved(
            asked.pot,
            casino,
            asked.source,
            asked.target,
            asked.amount,
            asked.resolution,
            asked.by.person,
            asked.second.person,
        ),
    )


def start_training(state: State, table: Table, asked: StartTraining) -> tuple[TrainingStarted] | Refusal:
    if table.training:
        return refuse(Reason.TRAINING_ON, "table", table=table.name.removeprefix(TRAINING))
    reason = lives.refused(PASS, table.phase, StartTraining)
    if reason is not None:
        return refuse(reason, "table", table=table.name)
    if has_money(table):
        amount = sum(seat.credits + seat.promo + seat.owed for seat in table.seats) + table.left + abs(table.suspense)
        return refuse(Reason.MONEY_ON_TABLE, "table", table=table.name, amount=amount)
    name = TRAINING + table.name
    assert name not in state.tables, "one training a table"
    levels = levels_of(money_of(state.pots[table.pot]))
    return (TrainingStarted(name, name, table.casino, asked.by.person, levels),)


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


def restored(state: State, fact: NodeRestored) -> State:
    assert fact.epoch > state.epoch, "a new epoch"
    return replace(state, epoch=fact.epoch)


def day_opened(state: State, fact: DayOpened) -> State:
    assert state.day is None, "one day after the other"
    return replace(state, day=Day(fact.day, fact.commitment, state.clock))


def day_closed(state: State, fact: DayClosed) -> State:
    """What is settled leaves the state; it stays in the record."""
    assert state.day is not None and state.day.name == fact.day, "the open day is closed"
    claims = {name: claim for name, claim in state.claims.items() if claim.pending}
    pots = {name: replace(pot, moments_given=()) for name, pot in state.pots.items()}
    return replace(state, day=None, last_day=fact.day, claims=claims, pots=pots)


def money_moved(state: State, fact: MoneyMoved) -> State:
    pot = state.pots[fact.pot]
    assert fact.source != fact.target, "from one to another"
    parts = {fact.target: fact.amount}
    if fact.source != "house":
        parts[fact.source] = -fact.amount
    return with_pot(state, moved(pot, parts))


def training_started(state: State, fact: TrainingStarted) -> State:
    live = state.tables[fact.table.removeprefix(TRAINING)]
    pot = state.pots[live.pot]
    assert fact.table.startswith(TRAINING) and fact.pot.startswith(TRAINING), "another book"
    seats = tuple(replace(seat, closed="", device=None, giving_back=0) for seat in live.seats)
    table = replace(live, name=fact.table, pot=fact.pot, training=True, seats=seats)
    money = {"main": fact.levels.main, "reserves": dict(fact.levels.reserves)}
    copy = replace(pot, name=fact.pot, **money, moments_given=(), meters=Meters())
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
    seats = tuple(replace(seat, device=None, giving_back=0) for seat in live.seats)
    tables = {name: table for name, table in state.tables.items() if name != fact.table}
    return replace(
        state,
        tables={**tables, live.name: replace(live, seats=seats)},
        pots={name: pot for name, pot in state.pots.items() if name != fact.table},
        claims={name: claim for name, claim in state.claims.items() if claim.table != fact.table},
        training={name: book for name, book in state.training.items() if name != fact.table},
    )
