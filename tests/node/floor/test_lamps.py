"""A lamp that was mended comes back: real drivers and devices, the core, and a technician between two passes (R-6, 1.8)."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import LampChanged, SeatClosed
from controller.core.values import Phase
from controller.node.floor import memory as floor_memory
from controller.node.vocabulary.commands import BeginLampTest, ClearSeatFaults, EndLampTest, UnlockUnit
from controller.node.vocabulary.protocol import Deed, Request
from drivers.model import BetSeen, DeviceKey, Down, Settled
from drivers.model import LampProof as Light
from drivers.native.contract import Bet, LampDrive
from drivers.session import SECOND
from firmware_sim.native.lamp import LampCondition
from support.floor.floor import JEFA, TABLE, TITO
from support.floor.floor_desk import electronic, locking
from support.floor.floor_evening import Evening, Life

SINGLE, WHOLE, MODULE, ACCEPTORS = "single seats", "one unit of nine for six", "a module", "acceptors"
KEY = DeviceKey(77, 1)


class Floor:
    """An evening without chance."""

    def __init__(self, shape=SINGLE):
        self.evening = Evening(0, shape)
        self.stage, self.core = self.evening.stage, self.evening.core
        self.stage.is_wired = False
        self.life = Life(self.evening)
        self.run(8)
        for _, seat in self.stage.seats():
            self.core.buy(seat, 20)
        self.run(2)

    def run(self, seconds):
        self.life.run_for(int(seconds * SECOND))
        assert not self.evening.broken
        return self

    def sim(self, seat):
        """The unit, and its own number of the seat."""
        place, sim = self.stage.unit_at(TABLE, seat)
        return sim, sim.seats[seat - place.made.first_seat]

    def lamp(self, seat, condition):
        sim, own = self.sim(seat)
        self.life.world.act(lambda now: sim.lamp(own.number, condition, now))
        return self.run(1)

    def press(self, seat):
        sim, own = self.sim(seat)
        self.life.world.act(lambda now: sim.press(own.number, 2, now))
        return self.run(3)

    def unlock(self):
        _, console = self.stage.console_of(TABLE)
        self.life.act(console.unlock_key)
        return self.run(3)

    def lock(self):
        _, console = self.stage.console_of(TABLE)
        self.life.act(console.lock_key)
        return self.run(4)

    def deed(self, deed, seat=0):
        request = Request(v=1, id="0" * 32, do=deed, table=TABLE, seat=seat)
        refusals = []
        self.life.act(lambda now: refusals.append(self.life.floor.deed(deed, request, self.core.state, now)))
        return refusals[0]

    def open_seat(self, seat):
        self.life.act(lambda now: self.evening.ask(ask.OpenSeat(TABLE, seat, TITO)))
        return self.run(3)

    def close_pass(self):
        self.life.act(lambda now: self.evening.ask(ask.ClosePass(TABLE, JEFA)))
        return self.run(2)

    def lights(self, seat):
        return self.sim(seat)[1].lamp.drive

    def closed_by_its_lamp(self, seat=1):
        """In a pass in which seat 2 has a bet that stays on its unit."""
        self.unlock().press(2).lamp(seat, LampCondition.OPEN).press(seat)
        assert self.core.seat(seat).closed
        self.lock()
        assert self.core.table().phase is Phase.SEALED
        self.close_pass()
        assert self.sim(2)[1].memory.bet == Bet.SEALED
        return self


def technician_clears(floor, seat):
    assert floor.deed(Deed.CLEAR_FAULTS, seat) is None


def technician_tests(floor, seat):
    assert floor.deed(Deed.LAMP_TEST) is None


@pytest.mark.parametrize("shape", [SINGLE, WHOLE])
@pytest.mark.parametrize("work", [technician_clears, technician_tests])
def test_r6_a_mended_lamp_is_measured_between_passes_and_its_seat_plays_again(shape, work):
    floor = Floor(shape).closed_by_its_lamp().lamp(1, LampCondition.OK)

    work(floor, 1)
    floor.run(1)
    assert floor.lights(1) == LampDrive.TEST
    assert not floor.sim(1)[1].memory.enabled, "closed is closed, also in a lamp test"
    floor.run(12)
    assert floor.lights(1) == LampDrive.OFF
    floor.open_seat(1)
    assert not floor.core.seat(1).closed
    floor.unlock().press(1)

    assert floor.core.seat(1).bet
    assert floor.lights(1) == LampDrive.STEADY
    assert floor.core.seat(1).lamp == "lit"


@pytest.mark.parametrize("work", [technician_clears, technician_tests])
def test_r6_a_lamp_that_is_still_broken_closes_its_seat_again(work):
    floor = Floor().closed_by_its_lamp()
    work(floor, 1)
    floor.run(12).open_seat(1)

    assert floor.core.seat(1).closed
    floor.unlock().press(1)
    assert not floor.core.seat(1).bet


def test_r6_lamps_are_tested_between_passes_although_the_bets_of_the_last_one_stand_on_the_units():
    floor = Floor(WHOLE).closed_by_its_lamp()
    assert floor.deed(Deed.LAMP_TEST) is None
    floor.run(1)
    assert {floor.lights(seat) for seat in range(1, 7)} == {LampDrive.TEST}
    floor.run(11)

    assert floor.sim(2)[1].memory.bet == Bet.SEALED, "a test changes no bet"
    floor.unlock()
    assert floor.sim(2)[1].memory.bet == Bet.NONE


def test_r6_a_test_in_the_middle_of_a_hand_is_refused_and_none_is_seen():
    floor = Floor().unlock().press(2)
    for step in (floor.run, floor.lock):
        step(*([1] if step == floor.run else []))
        assert "entre pases" in floor.deed(Deed.LAMP_TEST)
        floor.run(1)
        assert floor.lights(2) == LampDrive.STEADY


def test_r6_a_lamp_test_that_finds_a_broken_lamp_closes_its_seat():
    floor = Floor().lamp(3, LampCondition.OPEN)
    assert not floor.core.seat(3).closed, "a dark lamp tells nothing"
    floor.deed(Deed.LAMP_TEST)
    floor.run(2)

    assert floor.core.seat(3).closed


def test_a_pass_that_opens_in_the_middle_of_a_test_ends_it_and_everybody_plays():
    floor = Floor().closed_by_its_lamp().lamp(1, LampCondition.OK)
    floor.deed(Deed.LAMP_TEST)
    floor.run(1).unlock().press(3)

    assert floor.lights(3) == LampDrive.STEADY
    assert floor.lights(1) == LampDrive.OFF
    assert floor.core.seat(1).closed


def test_a_seat_that_is_opened_while_its_lamp_is_being_measured_stays_open_and_plays():
    floor = Floor().closed_by_its_lamp().lamp(1, LampCondition.OK)
    floor.deed(Deed.CLEAR_FAULTS, 1)
    floor.run(1).open_seat(1).unlock().press(1)

    assert not floor.core.seat(1).closed
    assert floor.lights(1) == LampDrive.STEADY


def test_in_a_pass_the_technician_is_told_to_come_back_when_it_is_over():
    floor = Floor().unlock().lamp(1, LampCondition.OPEN).press(1)
    assert floor.core.seat(1).closed

    assert "entre pases" in floor.deed(Deed.CLEAR_FAULTS, 1)


# Rules, one by one.


def closed_by_fault(**seen):
    desk = electronic()
    desk.wishes()
    desk.say(lamp=Light.FAULT, faults=("lamp_open",), seq=20) if not seen else desk.say(seq=20, **seen)
    assert SeatClosed in [type(fact) for fact in desk.settle()]
    desk.wishes()
    return desk


def of_the_seat(desk):
    return [type(wish.command) for wish in desk.raw() if wish.unit.number == 2]


def asked(desk, deed, seat=1):
    request = Request(v=1, id="0" * 32, do=deed, table=TABLE, seat=seat)
    return desk.floor.deed(deed, request, desk.core.state, desk.now)


def test_r6_a_fault_is_cleared_after_the_test_and_not_before():
    desk = closed_by_fault()
    assert asked(desk, Deed.CLEAR_FAULTS) is None

    assert desk.wishes() == [BeginLampTest()]
    assert desk.wishes() == []
    assert desk.after(3).wishes() == [EndLampTest()]
    assert desk.after(1).wishes() == [ClearSeatFaults(1)]
    assert desk.wishes() == []


def test_r6_the_old_fault_closes_nothing_while_it_is_being_cleared_and_a_new_one_does():
    desk = closed_by_fault()
    asked(desk, Deed.CLEAR_FAULTS)
    desk.core.ask(ask.OpenSeat(TABLE, 1, TITO))
    assert desk.asks() == []
    for seconds in (1, 3, 1):
        desk.after(seconds).wishes()
    desk.hear(Settled(unit=2, seat=1, command="clear_faults", done=True, result="done"))

    assert isinstance(desk.asks()[0], ask.LampSeen)
    desk.say(lamp=Light.DARK, faults=(), seq=21)
    assert desk.asks() == []


def test_r6_a_clearing_of_which_nothing_is_heard_is_no_excuse_for_long():
    desk = closed_by_fault()
    asked(desk, Deed.CLEAR_FAULTS)
    desk.core.ask(ask.OpenSeat(TABLE, 1, TITO))
    for seconds in (3, 1):
        desk.after(seconds).raw()
    assert desk.asks() == []
    desk.now = desk.floor.deadline()

    assert isinstance(desk.asks()[0], ask.LampSeen)


def test_r6_a_unit_that_is_being_mended_stays_locked_until_it_is_settled():
    desk = closed_by_fault()
    asked(desk, Deed.CLEAR_FAULTS)
    desk.core.open_pass()
    assert of_the_seat(desk) == [EndLampTest, ClearSeatFaults]
    desk.hear(Settled(unit=2, seat=1, command="clear_faults", done=True, result="done"))

    assert of_the_seat(desk) == [UnlockUnit]


def test_r6_a_lamp_that_fails_with_a_bet_on_it_is_never_excused():
    desk = locking()
    desk.floor._tables[TABLE].lamps.mend(desk.node.units[1].key, 1, desk.now)
    desk.press(2, locked=True, cut=30)
    desk.settle()
    desk.say(bet=BetSeen.SEALED, lamp=Light.FAULT)

    assert LampChanged in [type(fact) for fact in desk.settle()]


def test_a_unit_that_falls_forgets_its_test():
    desk = closed_by_fault()
    asked(desk, Deed.CLEAR_FAULTS)
    desk.wishes()
    desk.down(2, Down.SILENT)
    desk.up(2)

    verbs = [type(command) for command in desk.after(5).wishes()]
    assert ClearSeatFaults not in verbs and EndLampTest not in verbs


def test_a_lamp_test_clears_nothing_that_it_did_not_look_at():
    desk = closed_by_fault(lamp=Light.FAULT, faults=("lamp_open", "tamper"))
    asked(desk, Deed.LAMP_TEST)
    desk.wishes()
    seconds = floor_memory.LOOKED_AT // SECOND + 1

    assert ClearSeatFaults not in [type(command) for command in desk.after(seconds).wishes() + desk.after(1).wishes()]


def test_what_is_no_fault_of_a_lamp_is_cleared_at_once():
    desk = electronic()
    desk.wishes()
    desk.say(faults=("tamper",), seq=20)
    assert asked(desk, Deed.CLEAR_FAULTS) is None
    assert ClearSeatFaults(1) in desk.wishes()


def test_who_does_not_answer_is_not_asked():
    desk = electronic()
    desk.down(2)
    assert "no responde" in asked(desk, Deed.CLEAR_FAULTS)
