"""A busy table for a whole day, in virtual time: real drivers, real simulated units, a line with a little noise.

Nothing may grow, and at the end every credit is where the books say: 24 hours under `make campaign`, minutes otherwise.
"""

import gc
import os
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from conftest import CAMPAIGN

from drivers.native.contract import Bet, LockState, SeatMode, UnitClass
from drivers.session import MILLISECOND, SECOND
from firmware_sim.line.line import LineSettings
from support.core.happenings import touch
from support.drivers.schedules import BAUD, Life, Table, begin, compare_books

HOURS, PASS = (24.0, 90 * SECOND) if CAMPAIGN else (0.15, 60 * SECOND)
MOST_GROWTH = 2 * 2**20


def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def play_a_pass(table, life, number, happened):
    """Open, bets, a change of mind, lock, hands; players buy and cash while the table is closed."""
    chance, world, host = table.chance, life.world, life.host
    start = world.now
    world.act(lambda now: host.open(number % 65_535 + 1))
    world.run_for(2 * SECOND)
    happened["passes"] += all(unit._state == LockState.OPEN for unit in table.units)
    for unit, k in table.seats:
        if chance.random() < 0.7:
            world.act(lambda now, unit=unit, k=k: touch(unit, k, chance, now))
            world.run_for(chance.randint(10, 900) * MILLISECOND)
    if chance.random() < 0.05:
        seen = host.latest[chance.choice(list(host.latest))]
        world.act(lambda now: host.units[seen.seat].void(seen.seat, seen.bet_seq, 1))
    world.run_for(3 * SECOND)
    happened["bets"] += sum(unit.seats[k - 1].memory.bet == Bet.CONFIRMED for unit, k in table.seats)
    world.act(lambda now: host.lock())
    world.run_for(2 * SECOND)
    for unit, k in table.seats:
        if unit.seats[k - 1].mode == SeatMode.BUTTONS and unit.seats[k - 1].balance < 20:
            host.sell(table.seat_of(unit, k), 50)
            happened["sales"] += 1
        elif unit.seats[k - 1].mode == SeatMode.BUTTONS and chance.random() < 0.2:
            host.cash(table.seat_of(unit, k), chance.randint(1, unit.seats[k - 1].balance))
            happened["cash-outs"] += 1
    life.run_for(max(SECOND, start + PASS - world.now))


@pytest.mark.campaign
def test_a_busy_day_grows_nothing_and_loses_nothing():
    table = Table(Random(24), shape=[(UnitClass.TABLE, 7), (UnitClass.CHIP_SLOT, 1)])
    life = Life(table)
    life.run_for(5 * SECOND)
    begin(table)
    table.line.settings = LineSettings(baud=BAUD, loss=0.001, noise=0.001)
    happened, end, number = Counter(), int(HOURS * 3600 * SECOND), 0
    first = None
    while life.world.now < end:
        number += 1
        play_a_pass(table, life, number, happened)
        forget_what_only_tests_keep(life.host)
        assert not table.broken, table.broken
        if first is None and life.world.now > end // 12:
            first = resident()
        if CAMPAIGN and number % 40 == 0:
            print(
                f"{life.world.now / 3600 / SECOND:5.1f} h  {dict(happened)}  {resident() / 2**20:.1f} MB",
                file=sys.stderr,
            )
    grown = resident() - first
    table.line.settings = LineSettings(baud=BAUD)
    life.run_for(20 * SECOND)

    assert grown < MOST_GROWTH, f"{grown} bytes more than after the first hours"
    assert happened["passes"] > 0.9 * number
    assert happened["bets"]
    assert happened["cash-outs"]
    compare_books(table)
    assert not table.broken + table.books.contradictions
    assert all(table.seen[kind] for kind in ("loaded", "cashed", "bets", "chips"))
    print(f"{number} passes: {dict(happened)}; grown by {grown} bytes")


def forget_what_only_tests_keep(host):
    host.alarms.clear()
    host.settled.clear()
    host.downs.clear()
