"""What devices are told: acknowledgements, credits, bets that are none (devices.md 2.1, 2.4; R-2, R-4, R-6, R-25)."""

import msgspec

from controller.core import inputs as ask
from controller.node.floor.floor import Floor
from controller.node.vocabulary.commands import (
    Acknowledge,
    BeginLampTest,
    CashCredits,
    ClearSeatFaults,
    DisableSeat,
    EnableSeat,
    EndLampTest,
    HandOver,
    LoadCredits,
    Relight,
    ShowCount,
    UnlockUnit,
    VoidBet,
)
from controller.node.vocabulary.protocol import Deed, Request
from drivers.model import (
    BetSeen,
    DeviceKey,
    Down,
    Settled,
    Totals,
    UnitDown,
)
from drivers.model import LampProof as Light
from drivers.session import SECOND
from support.floor.floor import CARLA, JEFA, LUIS, TABLE, TITO, plan
from support.floor.floor import Floor as Ledger
from support.floor.floor_desk import KEY, Desk, electronic, key_of, slot
from support.floor.floor_tables import CONSOLE, COUNTER, ELECTRONIC, SLOT, WHOLE, module, native


def test_r6_an_image_is_acknowledged_only_when_all_of_it_is_in_the_books():
    desk = electronic().opened().press(2)
    wishes = [wish for wish in desk.floor.wishes(desk.core.state, desk.now) if type(wish.command) is Acknowledge]
    assert wishes == [], "nobody booked it yet"

    assert Acknowledge(KEY, 13) in desk.wishes()


def test_r6_a_bet_that_the_core_refused_is_given_back_and_not_acknowledged():
    desk = electronic().opened().press(10)
    wishes = desk.wishes()
    assert desk.seat().giving_back == 10
    assert VoidBet(1, 13, 1) in wishes and Acknowledge not in [type(command) for command in wishes]

    desk.void()
    assert Acknowledge(KEY, 14) in desk.wishes()
    assert (desk.seat().giving_back, desk.seat().credits) == (0, 20_000)


def test_r37_a_seat_that_is_not_believed_holds_up_no_other_seat_of_its_unit():
    desk = Desk(native(1, CONSOLE, 1), native(2, WHOLE, 1, 2)).say(seat=1).say(seat=2).opened()
    desk.say(seat=2, totals=Totals(chips=1_000_000), last=False).press(2, seat=1)
    wishes = desk.wishes()

    assert desk.seat(2).doubted and desk.seat(2).owed == 0 and desk.seat(1).bet == 2_000
    assert Acknowledge(KEY, 13) in wishes and DisableSeat(2) in wishes


def test_r37_a_unit_that_bet_more_than_it_had_keeps_its_seat_closed_until_it_has_another_memory():
    """Its balance was a million below nothing, and every press was refused without a word."""
    desk = electronic().opened(5)
    desk.say(totals=Totals(loaded=5, bets=1_000_000), seq=40)
    desk.settle()
    desk.core.ask(ask.CountSeat(TABLE, 1, 5_000, JEFA, LUIS))
    desk.settle()
    assert LoadCredits not in [type(command) for command in desk.wishes()], "a person opens it first"

    desk.core.ask(ask.OpenSeat(TABLE, 1, TITO))
    desk.settle()
    assert "no cuadran" in desk.seat().closed

    desk.say(device=DeviceKey(77, 2), totals=Totals(), seq=3)
    desk.settle()
    desk.core.ask(ask.OpenSeat(TABLE, 1, TITO))
    assert LoadCredits(1, 0, 5) in desk.wishes()


def test_r37_a_total_paid_out_that_jumped_closes_the_seat():
    desk = electronic().opened(5)
    desk.say(totals=Totals(loaded=5, cashed=1_000), seq=40)
    desk.settle()

    assert "créditos que nadie ordenó" in desk.seat().closed and desk.asks() == []


def test_r25_what_a_unit_has_given_back_already_is_forgotten_by_itself():
    """A record of an earlier program waits for credits that its unit does not hold."""
    desk = electronic().opened().press(2)
    desk.settle()
    desk.core.ask(ask.VoidHand(TABLE, 1, "x", CARLA))
    desk.settle()
    assert desk.seat().giving_back == 2, "the unit still shows it"

    desk.say(bet=BetSeen.NONE, bet_credits=0, lamp=Light.DARK)
    desk.settle()
    assert (desk.seat().giving_back, desk.seat().closed) == (0, "")


def test_r6_one_refused_bet_holds_up_the_acknowledgement_of_the_whole_unit():
    desk = Desk(native(1, CONSOLE, 1), native(2, WHOLE, 1, 2)).say(seat=1).say(seat=2).opened()
    desk.press(10, seat=2).press(2, seat=1)

    assert Acknowledge not in [type(command) for command in desk.wishes()]


def test_r6_what_no_lamp_waits_for_is_acknowledged_when_the_pass_is_sealed():
    desk = electronic().opened().press(2)
    assert Acknowledge(KEY, 13) in desk.wishes()
    desk.say(seq=14, bet=BetSeen.CONFIRMED, lamp=Light.LIT)
    assert Acknowledge not in [type(command) for command in desk.wishes()], "the line is for presses"
    desk.core.ask(ask.Lock(TABLE))
    assert Acknowledge not in [type(command) for command in desk.wishes()], "and for proofs"

    desk.say(seq=16, locked=True, cut=14, bet=BetSeen.SEALED)
    assert Acknowledge(KEY, 16) in desk.wishes()


def test_the_ring_of_a_unit_does_not_overflow_for_want_of_an_acknowledgement():
    desk = electronic().opened().press(2)
    desk.wishes()
    desk.say(seq=18, bet=BetSeen.CONFIRMED, lamp=Light.LIT)
    assert Acknowledge not in [type(command) for command in desk.wishes()]

    assert Acknowledge(KEY, 19) in desk.say(seq=19).wishes()


def test_r6_a_unit_that_came_back_in_the_middle_of_a_pass_is_acknowledged_at_once():
    desk = electronic().opened()
    desk.down(2)
    desk.up(2)

    assert Acknowledge(KEY, 12) in desk.wishes()


def test_r6_a_module_whose_seats_are_told_one_by_one_is_acknowledged_only_as_of_one_number():
    desk = Desk(module(20, (1, 2), console=True)).say(20, 1).say(20, 2)
    desk.settle()
    desk.wishes()
    desk.say(20, 1, seq=12)
    assert Acknowledge not in [type(command) for command in desk.wishes()]
    desk.say(20, 2, seq=12)

    assert Acknowledge(key_of(20), 12) in desk.wishes()


def test_r6_a_new_process_tells_what_the_books_know_unless_something_waits_to_be_given_back():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.floor = Floor(desk.node)
    assert Acknowledge(KEY, 13) in desk.wishes()

    desk.core.ask(ask.VoidHand(TABLE, 1, "x", CARLA))
    desk.floor = Floor(desk.node)
    assert Acknowledge not in [type(command) for command in desk.wishes()]


def test_r2_bought_credits_are_loaded_once_and_only_after_the_books_and_the_unit_agree():
    desk = electronic()
    desk.wishes()
    desk.core.buy(1, 7)
    assert LoadCredits(1, 0, 7) in desk.wishes()
    desk.core.buy(1, 5)
    assert desk.wishes() == [], "an order is under way"
    desk.say(totals=Totals(loaded=7), seq=11)
    assert LoadCredits not in [type(command) for command in desk.wishes()]
    desk.hear(Settled(unit=2, seat=1, command="load", done=True, result="done"))
    assert LoadCredits(1, 7, 12) in desk.wishes()


def test_r2_a_load_that_a_dead_process_ordered_is_not_ordered_again():
    desk = electronic()
    desk.wishes()
    desk.core.buy(1, 7)
    desk.wishes()
    desk.floor = Floor(desk.node)
    desk.up(2)
    desk.say(totals=Totals(loaded=7), seq=11)

    assert LoadCredits not in [type(command) for command in desk.wishes()]


def test_r2_a_cash_out_waits_for_a_press_in_flight_and_then_takes_all():
    desk = electronic().opened().press(2)
    desk.core.ask(ask.CashOut(TABLE, 1, CARLA))
    wishes = desk.wishes()
    assert VoidBet(1, 13, 1) in wishes and CashCredits not in [type(command) for command in wishes]
    desk.void()

    assert CashCredits(1, 0, 20) in desk.wishes()


def test_an_order_that_was_refused_is_given_again_after_a_pause():
    desk = electronic()
    desk.wishes()
    desk.core.buy(1, 7)
    desk.wishes()
    desk.hear(Settled(unit=2, seat=1, command="load", done=False, result="mismatch"))
    assert desk.wishes() == []
    assert desk.floor.deadline() == 2 * SECOND

    assert LoadCredits(1, 0, 7) in desk.after(2).wishes()


def test_r2_a_slot_and_a_module_have_no_credits_to_load():
    for desk in (slot(), Desk(module(20, (1,), console=True)).say(20, 1)):
        desk.wishes()
        desk.core.buy(1, 5)
        assert LoadCredits not in [type(command) for command in desk.wishes()]


def test_a_closed_seat_keeps_what_is_on_it_until_it_is_opened_or_paid_out():
    desk = electronic().opened()
    desk.core.ask(ask.CloseSeat(TABLE, 1, "limpieza", CARLA))
    desk.say(seq=20)
    assert {type(command) for command in desk.wishes()} == {DisableSeat, Acknowledge}
    desk.core.ask(ask.CashOut(TABLE, 1, CARLA))
    assert CashCredits(1, 0, 20) in desk.wishes()


def test_no_credits_move_by_a_reading_that_the_books_do_not_have():
    desk = electronic().opened().press(2)
    desk.core.ask(ask.Lock(TABLE))
    desk.core.buy(1, 5)

    assert LoadCredits not in [type(command) for command in desk.wishes()], "the bet is not booked before it is proven"


def test_r4_chips_that_count_are_not_voided_and_those_that_do_not_are():
    desk = slot().opened().chip(2)
    assert VoidBet not in [type(command) for command in desk.wishes()]
    desk.lit()
    desk.settle()
    desk.core.ask(ask.VoidHand(TABLE, 1, "x", CARLA))
    assert VoidBet(1, 13, 1) in desk.wishes(), "its lamp goes out; the chips are handed back"
    desk.void()
    desk.settle()

    assert (desk.seat().closed, desk.seat().owed, desk.seat().device.voided) == ("", 2_000, 0)


def test_r3_too_few_chips_for_a_bet_wait_while_it_is_open_unlit_and_are_given_back_after():
    desk = Desk(native(1, CONSOLE, 1), native(2, SLOT, 1), ledger=Ledger(plan(least=4_000))).say().opened().chip(2)
    verbs = [type(command) for command in desk.wishes()]
    assert VoidBet not in verbs and Acknowledge not in verbs
    desk.core.ask(ask.Lock(TABLE))
    desk.say(cut=13, seq=14)

    assert VoidBet(1, 13, 1) in desk.wishes()


def test_a_bet_that_stood_when_the_power_went_is_relit_if_the_books_have_it_and_voided_if_not():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.lit()
    desk.settle()
    desk.say(bet=BetSeen.RESTORED, lamp=Light.DARK, locked=True, seq=20, cut=13)
    assert Relight(1) in desk.wishes()
    desk.core.ask(ask.VoidHand(TABLE, 1, "x", CARLA))
    wishes = desk.wishes()

    assert VoidBet(1, 13, 1) in wishes and Relight(1) not in wishes


def test_r2_a_lamp_of_a_pass_that_is_over_does_not_shine_into_the_next():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.lit()
    desk.settle()
    desk.core.ask(ask.Lock(TABLE))
    desk.say(locked=True, bet=BetSeen.SEALED, cut=18, seq=19)
    desk.settle()
    desk.down(2)
    desk.core.close_pass()
    desk.core.open_pass()
    desk.wishes()
    desk.up(2)
    assert DisableSeat(1) in desk.wishes()
    desk.say(enabled=False)
    desk.console().console(unlocks=1)
    wishes = desk.wishes()

    assert UnlockUnit(5) in wishes and EnableSeat(1) in wishes


def test_r6_the_lamp_of_a_valid_bet_at_a_seat_that_closes_after_the_pass_is_left_alone():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.lit()
    desk.settle()
    desk.core.ask(ask.Lock(TABLE))
    desk.say(locked=True, bet=BetSeen.SEALED, cut=18, seq=19)
    desk.settle()
    desk.core.ask(ask.CloseSeat(TABLE, 1, "x", TITO))
    assert desk.seat().closing

    assert DisableSeat not in [type(command) for command in desk.wishes()]


def test_a_table_counter_shows_what_is_bet():

    desk = Desk(native(1, CONSOLE, 1), native(2, ELECTRONIC, 1), native(3, COUNTER, 1)).say()
    assert ShowCount(0) in desk.wishes()
    desk.opened().press(2)

    assert ShowCount(2) in desk.wishes()
    assert ShowCount not in [type(command) for command in desk.wishes()]


def test_lamps_are_tested_between_passes_for_a_while():
    desk = electronic()
    desk.settle()
    request = Request(v=1, id="0" * 32, do=Deed.LAMP_TEST, table=TABLE)
    assert desk.floor.deed(Deed.LAMP_TEST, request, desk.core.state, desk.now) is None
    assert BeginLampTest() in desk.wishes()
    assert EndLampTest() in desk.after(10).wishes()

    desk.core.open_pass()
    assert "entre pases" in desk.floor.deed(Deed.LAMP_TEST, request, desk.core.state, desk.now)


def test_faults_are_cleared_where_somebody_keeps_them():
    desk = electronic()
    request = Request(v=1, id="0" * 32, do=Deed.CLEAR_FAULTS, table=TABLE, seat=1)
    assert desk.floor.deed(Deed.CLEAR_FAULTS, request, desk.core.state, 0) is None
    assert ClearSeatFaults(1) in desk.wishes()
    assert desk.floor.deed(Deed.CLEAR_FAULTS, msgspec.structs.replace(request, seat=5), desk.core.state, 0)


def test_wishes_are_news():
    desk = electronic().opened().press(2)
    desk.wishes()
    assert desk.raw() == []


def test_what_is_shown_of_units_and_seats():
    desk = electronic(heard=False)
    assert [unit.health for unit in desk.floor.units()] == ["starting", "starting"]
    desk.up(1)
    desk.up(2)
    desk.opened().press(2)
    (seat,) = desk.floor.seats()
    assert (seat.bet, seat.lamp, seat.credits, seat.locked) == ("pending", "blinking", 18, False)
    desk.down(2)
    assert desk.floor.units()[1].why == "el aceptor no responde: revise su alimentación y su cable"


def test_a_press_of_a_sign_or_an_unknown_device_is_nobodys():
    desk = electronic()
    desk.hear(UnitDown(unit=99, seats=(), reason=Down.SILENT))
    assert desk.floor._tables[TABLE]._extra == []


def test_r26_a_unit_that_refuses_its_configuration_is_told_once_when_the_hand_is_over():
    told = HandOver()
    desk = electronic().opened()
    desk.core.ask(ask.Lock(TABLE))
    desk.down(2, Down.CONFIG_REFUSED)
    assert told not in desk.wishes(), "in mid-hand"
    desk.after(20).settle()
    desk.core.close_pass()

    assert told in desk.wishes()
    assert told not in desk.wishes()
