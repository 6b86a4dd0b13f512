"""A lamp that was seen lit is watched while betting is open: without it there is no bet (R-6, devices.md 2.6)."""

from floor import JEFA, TABLE
from floor_desk import electronic, notes, slot

from controller.core import inputs as ask
from controller.core.words import Lamp
from controller.node.wishes import Verb
from drivers.model import BetSeen, Down, Settled
from drivers.model import LampSeen as Light
from drivers.session import SECOND


def _lit_bet():
    desk = electronic().opened().press(2)
    desk.raw()
    desk.lit().raw()
    assert desk.seat().lamp is Lamp.LIT
    return desk


def test_r6_a_lamp_that_goes_out_while_betting_is_open_gives_its_bet_back():
    desk = _lit_bet().say(lamp=Light.DARK, seq=15)
    assert desk.asks() == [] and desk.floor.deadline() == 3 * SECOND
    assert desk.after(2).asks() == []
    assert desk.after(1).asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT)]
    desk.settle()

    assert desk.seat().bet == 0 and desk.seat().closed == "luz"


def test_r6_a_lamp_that_comes_back_in_time_keeps_its_bet():
    desk = _lit_bet().say(lamp=Light.DARK, seq=15)
    desk.after(2).say(lamp=Light.LIT)
    assert desk.after(2).asks() == []
    desk.say(lamp=Light.DARK)

    assert desk.after(2).asks() == [] and desk.seat().bet == 2_000


def _restored():
    desk = _lit_bet()
    desk.down(2, Down.REBOOTED)
    desk.raw()
    desk.up(2, rebooted=True)
    desk.say(bet=BetSeen.RESTORED, lamp=Light.DARK, locked=True, cut=14, seq=15)
    assert (Verb.RELIGHT, 1) in desk.wishes()
    return desk


def test_r6_a_restored_bet_that_will_not_be_lit_goes_back():
    desk = _restored()
    desk.hear(Settled(unit=2, seat=1, command="relight", done=False, result="restored_dark"))
    assert desk.asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT)]
    desk.settle()
    desk.core.ask(ask.Lock(TABLE))

    assert not desk.core.table().bets


def test_r6_a_restored_bet_of_which_nothing_more_is_heard_goes_back():
    desk = _restored()
    assert desk.after(7).asks() == []
    assert desk.after(1).asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT)]


def test_r6_a_seat_closed_for_its_lamp_is_not_enabled_by_training():
    desk = electronic()
    desk.raw()
    desk.core.lamp(1, Lamp.FAULT)
    assert (Verb.DISABLE, 1) in desk.wishes()
    desk.say(enabled=False, seq=11).wishes()
    desk.core.ask(ask.StartTraining(TABLE, JEFA))
    assert desk.seat().closed == "", "the training copy"

    assert Verb.ENABLE not in [verb for verb, *_ in desk.wishes()]


def test_r4_chips_of_before_the_first_sight_are_not_booked_and_not_lit_and_somebody_hears_of_them():
    desk = slot()
    desk.chip(2)
    wishes = desk.wishes()
    assert (Verb.VOID, 1, 11, 1) in wishes and Verb.ACKNOWLEDGE not in [verb for verb, *_ in wishes]
    assert notes(desk).count("chips_not_booked") == 1

    assert (desk.seat().bet, desk.seat().owed) == (0, 0)
