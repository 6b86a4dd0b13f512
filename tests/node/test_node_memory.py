"""What a node holds does not grow with what it has done (issue 5): hour after hour the same, whatever is played.

Counted, not weighed: the places of everything that can be reached from the engine, its book, its screens and its lines.
What may fill is bounded elsewhere: the pages of the store, the questions of the lines, the claims of one day.
"""

import gc
import io
import types
from collections import deque

import pytest
import structlog

from bench.house import KEEP, SEATS, founded
from bench.node_virtual import VirtualNode
from controller.core.inputs import BuyCredits
from controller.core.values import Signature
from controller.node.telemetry.journal import set_up
from drivers.session import MILLISECOND
from support.node.node_process import START
from support.sim.world import World

TABLE = "M01"
_NOT_OF_THE_NODE = (World, VirtualNode, type, types.ModuleType)
_PLACES = (dict, list, set, frozenset, tuple, deque)


@pytest.fixture
def played(tmp_path):
    """A table of seven single units, open, its players with money."""
    set_up(io.StringIO(), under_systemd=False)
    made = VirtualNode(founded(tmp_path, ["singles"]), "singles", START)
    made.open_day(TABLE, SEATS, KEEP)
    made.open()
    yield made
    made.book.close()
    structlog.reset_defaults()


def play(made, passes):
    """Every seat bets; the croupier sells credits, locks, and opens again."""
    for _ in range(passes):
        made.asks(BuyCredits(TABLE, 1, 10, Signature("carla")))
        for unit, seat in made.table.seats:
            made.world.act(lambda now, unit=unit, seat=seat: unit.press(seat.number, 1, now))
        made.world.run_for(1500 * MILLISECOND)
        made.turn()
    for log in (made.table.steady, made.table.locked, made.table.lock_presses, made.sealed, made._replies):
        assert log, "they play"
        log.clear()


def places(*roots):
    """How many things are held by whatever can be reached from here: one more for each bet, or number, that is kept."""
    seen, waiting, count = {}, list(roots), 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, _NOT_OF_THE_NODE):
            continue
        seen[id(one)] = one
        count += len(one) if isinstance(one, _PLACES) else 0
        waiting += _held_by(one)
    return count


def _held_by(one):
    if isinstance(one, types.FunctionType):  # its module is not its own
        return [cell.cell_contents for cell in one.__closure__ or ()]
    if isinstance(one, types.MethodType):
        return [one.__self__]
    return gc.get_referents(one)


@pytest.mark.long
def test_a_node_holds_no_more_after_sixty_passes_than_after_twenty(played):
    counts = []
    for _ in range(3):
        play(played, 20)
        counts.append(places(played.engine, played.book, played.listener))

    assert played.book.seq > 60 * 3 * SEATS, "bets, lamps and seals of all of them are on record"
    assert counts[0] > 1_000, "the node is looked at"
    assert max(counts) - min(counts) < 20, f"less than one thing a pass: {counts}"
