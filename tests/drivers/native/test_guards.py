"""What the driver of a native unit withholds until it is safe: numbers without their totals, unlocks, lamp tests, orders."""

import random
from dataclasses import replace

import pytest

from drivers.model import BetSeen, DeviceKey, Down, SeatSeen, Settled, UnitDown, UnitUp
from drivers.native.asks import About
from drivers.native.contract import Bet, Capability, LampDrive, LockState, ResetCause, SeatMode, UnitClass
from drivers.native.desired import Desires
from drivers.session import MILLISECOND, SECOND
from firmware_sim.native.make import USUAL
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.drivers.native_line import line_of, table
from support.drivers.native_pair import Pair


def numbers_with_two_totals(pair):
    """Equal numbers mean equal totals: which were told with others."""
    told = {}
    for seen in pair.all(SeatSeen):
        told.setdefault((seen.device, seen.seq, seen.seat), set()).add(seen.totals)
    return [number for number, totals in told.items() if len(totals) > 1]


# One image, one telling.


@pytest.mark.parametrize("seats", [1, 3])
def test_a_payment_is_told_with_its_number_and_not_before_its_total(seats):
    pair = Pair(UnitClass.TABLE, seats, books={}).opened()
    pair.unit.lock()
    pair.unit.cash(seats, 0, 20)
    pair.run(2 * SECOND)

    assert pair.last(seat=seats).totals.cashed == 20
    assert numbers_with_two_totals(pair) == []


@pytest.mark.parametrize("seats", [1, 4])
def test_a_late_chip_is_told_with_its_number_and_not_before_its_total(seats):
    pair = Pair(UnitClass.TABLE, seats, modes=(SeatMode.CHIPS,) * seats, books={}).up()
    for seat in (1, seats, 1):
        pair.firmware.force_chip(seat, pair.now)
        pair.run(700 * MILLISECOND)

    assert sum(pair.last(seat=seat).totals.late for seat in {1, seats}) == 3
    assert numbers_with_two_totals(pair) == []


def test_a_press_that_comes_during_a_payment_is_told_too():
    pair = Pair(UnitClass.TABLE, 2, books={}).opened()
    pair.unit.cash(2, 0, 20)
    pair.firmware.press(1, 1, pair.now)
    pair.run(SECOND)

    assert pair.last(seat=1).bet is BetSeen.CONFIRMED
    assert pair.last(seat=2).totals.cashed == 20
    assert numbers_with_two_totals(pair) == []


def test_many_payments_do_not_hold_back_a_press():
    pair = Pair(UnitClass.TABLE, 9, books={}).opened()
    for seat in range(1, 9):
        pair.unit.cash(seat, 0, 20)
    pair.run(30 * MILLISECOND)
    pair.firmware.press(9, 1, pair.now)
    pair.run_until(lambda: pair.state(9) != Bet.NONE)
    pressed = pair.now
    pair.run_until(lambda: pair.state(9) == Bet.CONFIRMED)

    assert pair.now - pressed <= 120 * MILLISECOND
    pair.run(SECOND)
    assert [seat.memory.cashed for seat in pair.firmware.seats] == [20] * 8 + [0]
    assert numbers_with_two_totals(pair) == []


def test_only_the_last_seat_of_an_image_says_so_and_nothing_comes_between():
    pair = Pair(UnitClass.TABLE, 3, books={}).opened().forget()
    for seat in (1, 2, 3):
        pair.firmware.press(seat, 1, pair.now)
    pair.run(2 * SECOND)
    pair.unit.lock()
    pair.run(SECOND)

    group = []
    for event in pair.events:
        if not isinstance(event, SeatSeen):
            assert not group, "something came between the seats of one image"
            continue
        assert all(event.seq == other.seq for other in group)
        group = [] if event.last else [*group, event]
    assert not group
    assert any(not seen.last for seen in pair.all(SeatSeen))


# Whose memory it is.


@pytest.mark.parametrize("unit_class", [UnitClass.ELECTRONIC, UnitClass.CHIP_SLOT])
def test_a_unit_that_forgets_without_power_is_refused(unit_class):
    pair = Pair(unit_class, capabilities=USUAL[unit_class] & ~Capability.NVM)
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.NO_MEMORY]
    assert {ask.mark for ask in pair.asked} == {About.IDENTITY}


def swapped(pair, serial=78):
    pair.firmware = Firmware(replace(pair.make, serial=serial), Nvm(), random.Random(serial), pair.now)
    return pair


def forgetful(pair):
    pair.firmware.lose_memory()
    pair.firmware.reboot(ResetCause.POWER_ON, pair.now)
    return pair


@pytest.mark.parametrize(("happens", "key"), [(swapped, DeviceKey(78, 0)), (forgetful, DeviceKey(77, 1))])
def test_another_memory_is_not_unlocked_before_it_is_reconciled(happens, key):
    pair = happens(Pair(books={}).opened().forget())
    pair.run_until(lambda: bool(pair.all(UnitUp))).run(SECOND)
    pair.unit.unlock(9)
    pair.run(SECOND)
    assert pair.results()[-1] == ("unlock", 0, False, "reconcile")
    pair.unit.reconciled(DeviceKey(77, 0))
    pair.unit.unlock(9)
    pair.run(SECOND)
    assert pair.firmware._state != LockState.OPEN, "another memory was reconciled, not this one"

    pair.unit.reconciled(key)
    pair.unit.unlock(9)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN


def test_a_box_whose_books_the_owner_told_of_before_needs_no_reconciling():
    pair = Pair(books={DeviceKey(77, 0): 0, DeviceKey(78, 0): 0}).opened()
    swapped(pair.forget()).run_until(lambda: bool(pair.all(UnitUp)))
    pair.unit.unlock(9)
    pair.run(SECOND)

    assert pair.firmware._state == LockState.OPEN


def test_a_box_that_the_owner_of_other_books_never_told_of_waits_to_be_reconciled():
    pair = Pair(books={DeviceKey(5, 0): 10}).up()
    pair.unit.unlock(9)
    pair.run(SECOND)

    assert pair.results() == [("unlock", 0, False, "reconcile")]


def test_an_order_made_of_another_boxs_totals_never_reaches_the_new_one():
    pair = Pair(books={}).opened().forget()
    collect, pair.collect = pair.collect, lambda: None  # the owner hears nothing meanwhile
    swapped(pair).firmware.seats[0].memory.loaded = 50
    pair.run(5 * SECOND)
    pair.unit.load(1, 50, 60)
    pair.unit.cash(1, 0, 50)
    pair.collect = collect
    pair.run(SECOND)

    assert pair.results() == [("load", 1, False, "replaced"), ("cash", 1, False, "replaced")]
    assert (pair.firmware.seats[0].memory.loaded, pair.firmware.seats[0].memory.cashed) == (50, 0)
    pair.unit.load(1, 50, 60)
    pair.run(SECOND)
    assert pair.firmware.seats[0].memory.loaded == 60


# Unlocks that are not executed.


def unlocking(pair, round_id=9):
    pair.unit.unlock(round_id)
    pair.run(3 * SECOND)
    assert pair.firmware._state != LockState.OPEN
    return [(event.command, event.done, event.result) for event in pair.all(Settled) if event.command == "unlock"]


def test_an_unlock_against_the_lock_line_ends_and_does_not_open_minutes_later():
    pair = Pair(books={}).up()
    pair.firmware.lock_line(pulled=True, now=pair.now)
    assert unlocking(pair) == [("unlock", False, "lock_line")]

    pair.firmware.lock_line(pulled=False, now=pair.now)
    pair.run(3 * SECOND)
    assert pair.firmware._state == LockState.LOCKED

    pair.firmware.lock_line(pulled=True, now=pair.now)
    pair.unit.unlock(9)
    pair.run(500 * MILLISECOND)
    assert len(pair.results()) == 1, "the second has a time of its own"
    pair.firmware.lock_line(pulled=False, now=pair.now)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN


def test_an_unlock_of_a_sealed_round_ends():
    pair = Pair(books={}).opened(7)
    pair.firmware.press(1, 1, pair.now)
    pair.run(SECOND)
    pair.unit.lock()
    pair.run(SECOND)

    assert unlocking(pair, 7) == [("unlock", False, "sealed_round")]


def test_an_unlock_over_a_chip_that_nobody_books_ends():
    pair = Pair(UnitClass.CHIP_SLOT).up()
    pair.unit.unlock(5)
    pair.run(SECOND)
    pair.firmware.chip(1, pair.now)
    pair.run(SECOND)
    pair.unit.lock()
    pair.run(SECOND)
    assert pair.state() == Bet.PENDING

    assert unlocking(pair) == [("unlock", False, "pending")]


@pytest.mark.parametrize("happens", ["key_down", "config_staged", "refused"])
def test_an_unlock_is_refused_in_the_units_own_words(happens, monkeypatch):
    pair = Pair(books={}).up()
    monkeypatch.setattr(pair.firmware, "_unlock", lambda *_: None)
    if happens == "key_down":
        monkeypatch.setattr(pair.firmware, "_flags", lambda: 1 << 4 | 1 << 6)
    if happens == "config_staged":
        monkeypatch.setattr(pair.firmware, "_flags", lambda: 1 << 4 | 1 << 7)

    assert unlocking(pair) == [("unlock", False, happens)]


def test_an_unlock_said_again_and_again_still_ends():
    pair = Pair(books={}).up()
    pair.firmware.lock_line(pulled=True, now=pair.now)
    for _ in range(12):
        pair.unit.unlock(3)
        pair.run(100 * MILLISECOND)

    assert pair.results()[:1] == [("unlock", 0, False, "lock_line")]


# Lamps.


def test_lamps_are_not_tested_while_a_bet_stands_and_an_unlock_ends_a_test():
    pair = Pair(books={}).opened()
    pair.firmware.press(1, 1, pair.now)
    pair.run(SECOND)
    pair.unit.test_lamps()
    pair.run(SECOND)
    assert pair.results()[-1] == ("test_lamps", 0, False, "bets_stand")
    assert pair.firmware.light(1, pair.now) == LampDrive.STEADY
    pair.unit.lock()
    pair.run(SECOND)
    pair.unit.void(1, pair.last().bet_seq, 1)
    pair.run(SECOND)

    pair.unit.test_lamps()
    pair.run(SECOND)
    assert pair.firmware.light(1, pair.now) == LampDrive.TEST
    pair.unit.unlock(9)
    pair.run(SECOND)
    pair.unit.lock()
    pair.run(SECOND)
    assert pair.firmware.light(1, pair.now) == LampDrive.OFF


def test_a_bet_ends_a_lamp_test_that_was_wanted_before_it():
    pair = Pair(books={}).opened()
    pair.unit.test_lamps()
    pair.run(300 * MILLISECOND)
    pair.firmware.press(1, 1, pair.now)
    pair.run(SECOND)

    assert pair.state() == Bet.CONFIRMED
    assert pair.unit._desires._wanted[3] == 0


def test_what_is_reconciled_for_nobody_changes_nothing():
    desires = Desires()
    desires.reconciled(DeviceKey(1, 1))
    desires.doubt(DeviceKey(2, 0))
    desires.reconciled(DeviceKey(1, 1))
    assert desires.in_doubt


def test_on_a_line_whose_round_is_longer_than_a_beat_orders_still_come_through():
    """Nine single units at 38400 baud: drivers/native/pace.py refuses it; a line built so all the same must not lose orders."""
    units, timing = table(9, 38_400, think=5, adapter=1)
    settled, downs = [], []

    def hear(event, now):
        if isinstance(event, SeatSeen):
            drivers[event.unit - 1].acknowledge(event.device, event.seq)
        settled.extend([event] if isinstance(event, Settled) else [])
        downs.extend([event] if isinstance(event, UnitDown) else [])

    world, drivers, _, _ = line_of(units, timing, hear)
    world.run_for(10 * SECOND)
    for driver in drivers:
        world.act(lambda now, driver=driver: (driver.unlock(1), driver.load(driver.number, 0, 20)))
    world.run_for(10 * SECOND)

    assert {(event.unit, event.command, event.done) for event in settled} == {(n, "load", True) for n in range(1, 10)}
    assert not downs
