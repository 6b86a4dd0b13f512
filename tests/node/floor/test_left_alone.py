"""A node that stood still for some time (SIGSTOP, a laptop's lid, a disk): nobody was late in it, and no wish to open stays."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Lamp, Phase
from controller.node.floor.floor import STOOD_STILL
from controller.node.floor.table import HEARD_AGAIN
from controller.node.floor.words import UNPROVEN
from drivers.model import BetSeen, Down
from drivers.model import LampProof as Light
from drivers.session import SECOND
from support.floor.floor import TABLE
from support.floor.floor_desk import electronic, locking

HOUR = 3_600.0


def attended(desk, seconds):
    """The engine turns twice a second."""
    for _ in range(int(2 * seconds)):
        desk.after(0.5).floor.attend(desk.now)
    return desk


def stood_still(desk, seconds):
    desk.floor.attend(desk.now)
    desk.after(seconds).floor.attend(desk.now)
    return desk


def _unlit_at_the_lock():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.core.ask(ask.Lock(TABLE))
    desk.say(locked=True, bet=BetSeen.SEALED, lamp=Light.UNKNOWN, seq=20, cut=18)
    desk.settle()
    return desk


@pytest.mark.parametrize("seconds", [1.0, 3.5, HOUR])
def test_r6_a_lamp_that_was_lit_while_the_node_stood_still_is_still_read(seconds):
    desk = stood_still(_unlit_at_the_lock(), seconds)
    assert desk.asks() == [], "what its unit says waits to be read"
    assert desk.floor.deadline() == desk.now + 3 * SECOND
    desk.say(lamp=Light.LIT)
    desk.settle()

    assert desk.seat().lamp is Lamp.LIT and desk.core.table().phase is Phase.SEALED
    assert [bet.amount for bet in desk.core.table().bets] == [2_000]


def test_r6_who_is_not_seen_lit_while_the_node_looks_has_failed():
    """Whatever it stood still in between."""
    desk = attended(stood_still(attended(stood_still(_unlit_at_the_lock(), 60), 1.5), 60), 1)
    assert desk.asks() == []

    assert attended(desk, 0.5).asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT, seen_by="sensor")]


def _locks():
    desk = locking()
    assert desk.asks() == []
    return desk


def test_r5_a_seat_has_its_whole_time_to_be_proven_locked():
    desk = _locks()
    stood_still(attended(desk, 4), HOUR)
    assert attended(desk, 3.5).asks() == []
    assert attended(desk, 1).asks() == [ask.CloseSeat(TABLE, 1, UNPROVEN)]


def test_r6_a_unit_is_silent_for_as_long_as_somebody_listened():
    desk = electronic().opened()
    desk.down(2, Down.SILENT)
    desk = stood_still(attended(desk, 2), HOUR)
    assert desk.asks() == []
    desk.up(2)
    assert desk.settle() == [] and not desk.seat().closed
    desk.down(2, Down.SILENT)

    assert type(attended(desk, 5).asks()[0]) is ask.CloseSeat


def test_a_slow_turn_is_no_standing_still():
    desk = attended(_locks(), 4)
    for _ in range(5):
        desk.after(STOOD_STILL / SECOND - 0.1).floor.attend(desk.now)

    assert desk.asks() == [ask.CloseSeat(TABLE, 1, UNPROVEN)]


def test_r5_who_wanted_the_table_open_while_nobody_listened_presses_again():
    desk = electronic().console()
    desk.settle()
    stood_still(desk, 6).console(unlocks=1)
    assert desk.asks() == []
    attended(desk, HEARD_AGAIN / SECOND)

    assert desk.console(unlocks=2).asks() == [ask.OpenPass(TABLE)]


def test_r5_a_press_that_was_heard_and_not_yet_obeyed_is_old_too():
    desk = electronic().console()
    desk.settle()
    desk.console(unlocks=1)
    stood_still(desk, 6)

    assert desk.asks() == []


def test_r5_a_lock_that_was_pressed_while_the_node_stood_still_locks():
    desk = stood_still(electronic().opened().console(), 6).console(locks=1)

    assert desk.asks() == [ask.Lock(TABLE)]
