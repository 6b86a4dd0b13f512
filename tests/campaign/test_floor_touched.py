"""A look goes to what was touched, and finds what a look at everything finds; what was touched unnoticed heals."""

import pytest
from conftest import CAMPAIGN

from controller.core.inputs import SeatReport
from controller.node.engine.engine import LONGEST_WAIT
from controller.node.floor.floor import Floor
from controller.node.floor.units import seats_now, unit_now
from drivers.model import SeatSeen
from drivers.session import SECOND
from support.floor import floor_evening
from support.floor.floor_desk import electronic, of

SEEDS = range(40 if CAMPAIGN else 3)
SHAPES = ("two tables on one line", "console on another line", "a module for seats", "acceptors")


class Everything(Floor):
    """Looks at every table, whatever happened."""

    def _see(self, state, now):
        super()._see(state, now)
        for name in self._tables:
            self._touch(name)


class Twins:
    """Two floors that hear and see the same; they must want the same, in the same order, at the same instants."""

    looks = 0

    def __init__(self, node):
        self.floor, self.everything = Floor(node), Everything(node)
        self._units, self._tables = self.floor._units, self.floor._tables

    def _both(self, act):
        found, all_found = act(self.floor), act(self.everything)
        assert found == all_found
        Twins.looks += 1
        return found

    def heard(self, line, event, now):
        return self._both(lambda floor: floor.heard(line, event, now))

    def asks(self, state, now):
        return self._both(lambda floor: floor.asks(state, now))

    def wishes(self, state, now):
        wishes = self._both(lambda floor: floor.wishes(state, now))
        shown = [(unit_now(unit, self._tables[unit.place.table].locked_for(unit))) for unit in self._units.values()]
        assert self.floor.units() == self.everything.units() == tuple(shown)
        seats = tuple(
            seat
            for unit in self._units.values()
            for seat in seats_now(unit, self._tables[unit.place.table].waits(unit))
        )
        assert self.floor.seats() == self.everything.seats() == seats
        return wishes

    def deed(self, deed, request, state, now):
        return self._both(lambda floor: floor.deed(deed, request, state, now))

    def deadline(self):
        return self._both(Floor.deadline)

    def units(self):
        return self._both(Floor.units)

    def seats(self):
        return self._both(Floor.seats)

    def next_note(self):
        return self._both(Floor.next_note)


@pytest.mark.campaign
@pytest.mark.parametrize("shape", SHAPES)
def test_a_floor_that_looks_at_what_was_touched_wants_what_one_that_looks_at_everything_wants(shape, monkeypatch):
    monkeypatch.setattr(floor_evening, "Floor", Twins)
    before = Twins.looks
    for seed in SEEDS:
        assert not floor_evening.play(seed, 4 * SECOND, shape).broken
    assert Twins.looks - before > 300, "an evening on which nothing happens"


def test_an_event_that_touched_too_little_is_made_good_within_a_second(monkeypatch):
    """The planted bug: what a seat says touches no table."""
    desk = electronic().opened()
    desk.wishes()
    heard, touch = Floor.heard, Floor._touch

    def deaf(floor, line, event, now):
        touched = (lambda *_: None) if isinstance(event, SeatSeen) else touch
        monkeypatch.setattr(Floor, "_touch", touched)
        heard(floor, line, event, now)
        monkeypatch.setattr(Floor, "_touch", touch)

    monkeypatch.setattr(Floor, "heard", deaf)
    desk.press(2)
    assert not desk.asks(), "nobody noticed"

    turns = [of(desk.after(LONGEST_WAIT / SECOND).asks(), SeatReport) for _ in range(SECOND // LONGEST_WAIT)]
    assert any(turns), "the engine turns at least so often, and no second passes"


def test_a_quiet_table_is_not_looked_at_for_another_ones_events(monkeypatch):
    floors = []
    monkeypatch.setattr(floor_evening, "Floor", lambda node: floors.append(Floor(node)) or floors[-1])
    floor_evening.play(0, 2 * SECOND, "two tables on one line")
    floor = floors[-1]
    one, other = floor._tables.values()
    state, now = floor._state, floor._now
    while floor.asks(state, now) or floor.wishes(state, now):
        pass
    looked = []
    monkeypatch.setattr(type(one), "asks", lambda table, *_: looked.append(table.name) or [])
    touched = next(iter(one.units.values())).key

    floor._touch(floor._units[touched].place.table)
    floor.asks(state, now)

    assert looked == [one.name] and other.name not in looked
