"""What may happen at a table between two looks (support/drivers/schedules.py): players, croupiers, technicians, power, and hosts that die.

Each happening is one function of the table, the present life of the host, and a seat chosen by lot; one that cannot
happen there does not. `seen` counts those that did.
"""

from functools import partial
from random import Random
from typing import TYPE_CHECKING

from drivers.native.contract import ResetCause, SeatMode
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.lamp import LampCondition
from firmware_sim.native.unit import Firmware
from support.drivers.bookkeeper import CrashError

if TYPE_CHECKING:
    from support.drivers.schedules import Life, Table
from typing import Never


def happen(table: "Table", life: "Life") -> None:
    chosen = table.chance.choices(list(HAPPENINGS), list(HAPPENINGS.values()))[0]
    chosen(table, life, *table.chance.choice(table.seats))


def play_seats(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    seats = [table.chance.choice(table.seats) for _ in range(table.chance.randint(1, 3))]

    def everybody(now: Micros) -> None:
        for seat in seats:
            touch(*seat, table.chance, now)

    life.world.act(everybody)


def touch(unit: Firmware, k: int, chance: Random, now: Micros) -> None:
    if unit.seats[k - 1].mode == SeatMode.CHIPS:
        unit.chip(k, now)
    else:
        unit.press(k, chance.randint(1, 4), now)


# ------------------------------------------------------------------------------------------------ the croupier


def open_a_round(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    table.round += 1
    life.world.act(lambda now: life.host.open(table.round))


def lock(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    life.world.act(lambda now: life.host.lock())


def lock_by_broadcast(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    table.seen["locks by broadcast"] += 1
    life.world.act(lambda now: life.host.lock_by(life.bus))


def sell(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    if unit.seats[k - 1].mode == SeatMode.BUTTONS:
        life.world.act(lambda now: life.host.sell(table.seat_of(unit, k), table.chance.randint(1, 30)))


def cash_out(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    """What the books say the player has; the unit knows better when he is just betting it."""
    seen = life.host.latest.get(table.seat_of(unit, k))
    if seen is None or unit.seats[k - 1].mode != SeatMode.BUTTONS:
        return
    most = table.books.balance_of(seen) - life.host.unpaid(seen.seat)
    if 0 < most < 2**31:
        table.seen["cash-outs"] += 1
        life.world.act(lambda now: life.host.cash(seen.seat, table.chance.randint(1, most)))


def void(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    seen = life.host.latest.get(table.seat_of(unit, k))
    if seen is not None and seen.unit in life.host.up:
        life.world.act(lambda now: life.host.units[seen.seat].void(seen.seat, seen.bet_seq, 1))


def press_the_lock_key(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    """It counts when the unit has power and the key is not down already; and then the debounce must pass."""
    console = table.console
    if console is None or not console.powered or console.seats[0].contacts.down:
        return
    table.presses += 1
    table.seen["console presses"] += 1
    life.world.act(console.lock_key)


# ------------------------------------------------------------------------------------------------ things that break


def _slots(table: "Table") -> list[tuple[Firmware, int]]:
    return [(unit, k) for unit, k in table.seats if unit.seats[k - 1].mode == SeatMode.CHIPS]


def force_a_chip(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    for slot, place in _slots(table):
        life.world.act(partial(_force, slot, place))


def _force(slot: Firmware, k: int, now: Micros) -> None:
    slot.force_chip(k, now)


def jam(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    for slot, place in _slots(table):
        table.seen["jams"] += not slot.seats[place - 1].path.stuck
        free = slot.unjam if slot.seats[place - 1].path.stuck else slot.jam
        life.world.act(partial(free, place))


def break_a_lamp(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    is_good = unit.seats[k - 1].lamp.condition == LampCondition.OK
    table.seen["lamp faults"] += is_good
    life.world.act(lambda now: unit.lamp(k, LampCondition.OPEN if is_good else LampCondition.OK, now))


def pull_the_cable(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    table.seen["cables pulled"] += 1
    time = table.chance.choice([20, 400, 3000]) * MILLISECOND
    life.world.act(lambda now: life.pull_the_cable(time))


def reboot(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    life.world.act(lambda now: _reboot(table, life, unit, now))


def _reboot(table: "Table", life: "Life", unit: Firmware, now: Micros) -> None:
    table.seen["reboots"] += 1
    if not unit.powered:
        unit.power_on(now)
    elif table.chance.random() < 0.5:
        unit.reboot(table.chance.choice([ResetCause.WATCHDOG, ResetCause.BROWN_OUT]), now)
    else:
        unit.power_off(now)
        back = table.chance.choice([5, 400, 3000]) * MILLISECOND
        life.world.after(back, partial(_power_on, unit))


def _power_on(unit: Firmware, now: Micros) -> None:
    if not unit.powered:
        unit.power_on(now)


def reboot_the_console(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    if table.console is not None:
        reboot(table, life, table.console, 1)


def lose_the_memory(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    if not unit.powered:
        return
    table.seen["memory losses"] += 1
    for seat in unit.seats:
        counted = {kind: getattr(seat.memory, kind) for kind in ("loaded", "cashed", "bets", "voided", "chips", "late")}
        table.lost[table.key_of(unit), table.seat_of(unit, seat.number)] = counted
    unit.lose_memory()
    life.world.act(lambda now: unit.reboot(ResetCause.WATCHDOG, now))


# ------------------------------------------------------------------------------------------------ the host


def die_soon(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    life.host.crash_after = (table.chance.choice(["before", "after", "between"]), table.chance.randint(0, 3))


def die(table: "Table", life: "Life", unit: Firmware, k: int) -> Never:
    raise CrashError  # at any other moment


def leave_a_word_on_the_line(table: "Table", life: "Life", unit: Firmware, k: int) -> None:
    """It is still on its way when its speaker is gone, or wants the contrary, or when its hearer is another."""
    chance = table.chance
    open_a_round(table, life, unit, k)
    life.run_for(chance.randint(1, 40) * MILLISECOND)
    if chance.random() < 0.5:
        raise CrashError
    chance.choice([lock, lock_by_broadcast])(table, life, unit, k)
    if chance.random() < 0.5:
        reboot(table, life, unit, k)


HAPPENINGS = {
    play_seats: 38, open_a_round: 12, lock: 6, lock_by_broadcast: 5, sell: 7, cash_out: 7, void: 5, press_the_lock_key: 4,
    force_a_chip: 4, jam: 2, break_a_lamp: 3, pull_the_cable: 1.5, reboot: 9, reboot_the_console: 1, lose_the_memory: 0.7,
    die_soon: 6, die: 2, leave_a_word_on_the_line: 10,
}  # fmt: skip
