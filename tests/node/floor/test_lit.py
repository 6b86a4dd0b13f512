"""A lamp that was seen lit is watched while betting is open: without it there is no bet (R-6, devices.md 2.6)."""

from dataclasses import replace

from controller.core import inputs as ask
from controller.core.facts import PassSealed
from controller.core.values import Lamp
from controller.node.vocabulary.commands import Acknowledge, DisableSeat, EnableSeat, Relight, VoidBet
from drivers.model import BetSeen, Down, Settled, Totals
from drivers.model import LampProof as Light
from drivers.session import SECOND
from support.floor.floor import ANA, JEFA, TABLE
from support.floor.floor_desk import electronic, notes, slot


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
    assert desk.after(1).asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT, seen_by="sensor")]
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
    assert Relight(1) in desk.wishes()
    return desk


def test_r6_a_restored_bet_that_will_not_be_lit_goes_back():
    desk = _restored()
    desk.hear(Settled(unit=2, seat=1, command="relight", done=False, result="restored_dark"))
    assert desk.asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT, seen_by="sensor")]
    desk.settle()
    desk.core.ask(ask.Lock(TABLE))

    assert not desk.core.table().bets


def test_r6_a_restored_bet_of_which_nothing_more_is_heard_goes_back():
    desk = _restored()
    assert desk.after(7).asks() == []
    assert desk.after(1).asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT, seen_by="sensor")]


def test_r6_a_seat_closed_for_its_lamp_is_not_enabled_by_training():
    desk = electronic()
    desk.raw()
    desk.core.lamp(1, Lamp.FAULT)
    assert DisableSeat(1) in desk.wishes()
    desk.say(enabled=False, seq=11).wishes()
    desk.core.ask(ask.StartTraining(TABLE, JEFA, ANA))
    assert desk.seat().closed == "", "the training copy"

    assert EnableSeat not in [type(command) for command in desk.wishes()]


def test_r4_chips_of_before_the_first_sight_are_not_booked_and_not_lit_and_somebody_hears_of_them():
    desk = slot()
    desk.chip(2)
    wishes = desk.wishes()
    assert VoidBet(1, 11, 1) in wishes and Acknowledge not in [type(command) for command in wishes]
    assert notes(desk).count("chips_not_booked") == 1

    assert (desk.seat().bet, desk.seat().owed) == (0, 0)


def _dark_at_the_lock():
    """A lit bet whose lamp goes dark one second before the table is locked."""
    desk = _lit_bet().say(lamp=Light.DARK, seq=15)
    assert desk.after(1).asks() == []
    desk.core.ask(ask.Lock(TABLE))
    desk.wishes()
    return desk.say(locked=True, cut=15, seq=16, bet=BetSeen.SEALED)


def test_r6_a_lamp_that_was_dark_at_the_lock_and_stays_dark_gives_its_bet_back():
    desk = _dark_at_the_lock()
    assert desk.asks() == [] and desk.floor.deadline() == 3 * SECOND, (
        "it has the time that it has while betting is open"
    )
    assert desk.after(2).asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT, before_lock=True, seen_by="sensor")]
    facts = desk.settle()

    (sealed,) = (fact for fact in facts if isinstance(fact, PassSealed))
    assert sealed.bets == () and [(back.seat, back.total) for back in sealed.returned] == [(1, 2_000)]
    assert desk.seat().closed == "" and desk.seat().closing == "luz"


def test_r6_a_lamp_that_was_dark_at_the_lock_and_is_seen_broken_is_not_waited_for():
    desk = _dark_at_the_lock().say(lamp=Light.FAULT)

    assert desk.asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT, before_lock=True, seen_by="sensor")]


def test_r6_a_lamp_that_was_dark_at_the_lock_and_comes_back_in_time_keeps_its_bet():
    desk = _dark_at_the_lock().after(1).say(lamp=Light.LIT)

    (sealed,) = (fact for fact in desk.settle() if isinstance(fact, PassSealed))
    assert [(bet.seat, bet.amount) for bet in sealed.bets] == [(1, 2_000)]


def test_r6_a_lamp_that_was_dark_at_the_lock_and_falls_silent_gives_its_bet_back():
    desk = _dark_at_the_lock()
    desk.down(2)
    facts = desk.after(10).settle()

    (sealed,) = (fact for fact in facts if isinstance(fact, PassSealed))
    assert sealed.bets == () and [back.seat for back in sealed.returned] == [1]


def test_r6_a_unit_that_was_dark_at_the_lock_and_comes_up_anew_still_dark_gives_its_bet_back():
    desk = _dark_at_the_lock()
    desk.down(2, Down.REBOOTED)
    assert desk.after(0.3).asks() == []
    desk.seen[2, 1] = replace(desk.seen[2, 1], bet=BetSeen.RESTORED, seq=18)
    desk.up(2, rebooted=True)
    assert desk.settle() == [] and Relight(1) in desk.wishes()
    desk.hear(Settled(unit=2, seat=1, command="relight", done=False, result="restored_dark"))

    (sealed,) = (fact for fact in desk.settle() if isinstance(fact, PassSealed))
    assert sealed.bets == () and [back.seat for back in sealed.returned] == [1]


def test_r6_a_chip_that_falls_late_does_not_prove_a_seat_that_was_dark_at_the_lock():
    desk = slot().opened(0).chip(2)
    desk.raw()
    desk.say(bet=BetSeen.CONFIRMED, lamp=Light.LIT, locked=False).raw()
    desk.say(bet=BetSeen.RESTORED, lamp=Light.DARK, locked=True, cut=13, seq=15).after(1).raw()
    desk.core.ask(ask.Lock(TABLE))
    desk.raw()
    desk.say(totals=Totals(chips=2, late=1), seq=16)
    assert not any(isinstance(fact, PassSealed) for fact in desk.settle()) and desk.seat().owed

    (sealed,) = (fact for fact in desk.after(8).settle() if isinstance(fact, PassSealed))
    assert sealed.bets == () and [back.seat for back in sealed.returned] == [1]


def test_r6_a_lamp_that_goes_out_after_the_lock_does_not_hold_the_pass_and_its_bet_stands():
    desk = _lit_bet()
    desk.core.ask(ask.Lock(TABLE))
    desk.wishes()
    desk.after(0.1).say(locked=True, cut=15, seq=16, bet=BetSeen.SEALED, lamp=Light.DARK)

    (sealed,) = (fact for fact in desk.settle() if isinstance(fact, PassSealed))
    assert [bet.seat for bet in sealed.bets] == [1]
