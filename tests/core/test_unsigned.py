"""R-36: what a void after the lock gives back can be bet at once, and is cashed once a chief signed who did not enter it."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import CreditsCashed, HandsVoided, OwedPaid, PassSealed, VoidSigned
from controller.core.node import READING
from controller.core.project import project
from controller.core.values import Lamp
from support.floor.floor import ANA, CARLA, DIEGO, JEFA, JEFE, LUIS, TABLE, TITO, Floor, kinds, plan, prize, replayed


def void(floor, seat=1, by=CARLA):
    return floor.ask(ask.VoidHand(TABLE, seat, "carta a la vista", by))


def voided(credits_=2, **bets):
    """Seat 1 bet in a sealed pass, and the croupier voided its hand."""
    floor = Floor(**bets)
    floor.sealed({1: credits_, 2: 1})
    void(floor)
    return floor


def test_r36_a_void_before_the_lock_needs_nobody_else():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    void(floor)

    assert floor.seat(1).unsigned == 0
    assert kinds(floor.ask(ask.CashOut(TABLE, 1, CARLA))) == [CreditsCashed]


@pytest.mark.parametrize("asked", [ask.CashOut(TABLE, 1, CARLA), ask.LeaveCredits(TABLE, 1, DIEGO, JEFE)])
def test_r36_what_a_void_after_the_seal_gave_back_is_not_cashed_before_a_chief_signed(asked):
    floor = voided()
    floor.buy(1, 3)
    assert (floor.seat(1).credits, floor.seat(1).unsigned, floor.seat(1).voided_by) == (5_000, 2_000, ("carla",))
    assert floor.reason(asked) == "void_unsigned"
    assert "2000" in floor.record[-1][1].message and "posición 1" in floor.record[-1][1].message

    assert floor.ask(ask.SignVoid(TABLE, 1, JEFE)) == (VoidSigned(TABLE, 1, 2_000, "jefe"),)
    assert (floor.seat(1).unsigned, floor.seat(1).voided_by) == (0, ())
    assert floor.ask(asked)[0].amount == 5_000


def test_r36_a_void_while_the_table_locks_is_after_the_lock_too():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2, lit=False)
    floor.lock()
    voided_, sealed = void(floor, 2)

    assert (type(voided_), type(sealed)) == (HandsVoided, PassSealed)
    assert (floor.seat(2).unsigned, floor.seat(1).unsigned) == (2_000, 0)
    assert floor.reason(ask.CashOut(TABLE, 2, CARLA)) == "void_unsigned"


def test_r36_a_void_pass_is_entered_by_the_croupier_and_waits_at_every_seat():
    floor = Floor()
    floor.sealed({1: 2, 2: 3})
    floor.ask(ask.VoidPass(TABLE, "baraja marcada", CARLA))

    assert [floor.seat(seat).unsigned for seat in (1, 2, 3)] == [2_000, 3_000, 0]
    floor.ask(ask.SignVoid(TABLE, 1, JEFA))
    floor.ask(ask.CashOut(TABLE, 1, CARLA))
    assert floor.reason(ask.CashOut(TABLE, 2, CARLA)) == "void_unsigned"


def test_r36_whoever_entered_a_void_does_not_sign_it():
    floor = voided()
    floor.close_pass()
    floor.sealed({1: 1, 2: 1})
    void(floor, by=JEFA)

    assert floor.seat(1).voided_by == ("carla", "jefa")
    assert floor.reason(ask.SignVoid(TABLE, 1, JEFA)) == "own_entry"
    for nobody in (CARLA, DIEGO, ANA, TITO):
        assert floor.reason(ask.SignVoid(TABLE, 1, nobody)) == "role_missing"
    assert floor.reason(ask.SignVoid(TABLE, 2, JEFE)) == "nothing_there"
    floor.ask(ask.SignVoid(TABLE, 1, JEFE))
    assert floor.reason(ask.SignVoid(TABLE, 1, JEFE)) == "nothing_there"


def test_r36_it_can_be_bet_and_once_that_pass_is_sealed_nothing_is_left_to_sign():
    floor = voided()
    floor.close_pass()
    floor.open_pass()
    floor.report(1, voided=2)
    floor.report(1, bets=2)
    assert (floor.seat(1).bet, floor.seat(1).credits, floor.seat(1).unsigned) == (2_000, 0, 2_000)
    floor.lamp(1)
    floor.lock()

    assert (floor.seat(1).unsigned, floor.seat(1).voided_by) == (0, ())


def test_r36_a_bet_that_comes_back_before_the_lock_washes_nothing():
    """Else: void after the seal, bet, void before the lock, cash."""
    floor = voided()
    floor.close_pass()
    floor.open_pass()
    floor.report(1, voided=2)
    floor.report(1, bets=2)
    void(floor)

    assert floor.reason(ask.CashOut(TABLE, 1, CARLA)) == "void_unsigned"


def test_r36_a_bet_that_was_never_lit_comes_back_and_waits_still():
    floor = voided()
    floor.close_pass()
    floor.open_pass()
    floor.report(1, voided=2)
    floor.report(1, bets=2)
    floor.bet(2, 1)
    floor.lock()
    floor.lamp(1, Lamp.FAULT)

    assert (floor.seat(1).credits, floor.seat(1).unsigned) == (2_000, 2_000)


def test_r36_chips_of_a_void_are_handed_back_once_a_chief_signed():
    floor = Floor()
    floor.open_pass()
    floor.report(3, chips=2)
    floor.lamp(3)
    floor.lock()
    void(floor, 3)

    assert (floor.seat(3).owed, floor.seat(3).unsigned) == (2_000, 2_000)
    assert floor.reason(ask.PayOwed(TABLE, 3, CARLA, "jefa")) == "void_unsigned"
    floor.ask(ask.SignVoid(TABLE, 3, JEFE))
    assert kinds(floor.ask(ask.PayOwed(TABLE, 3, CARLA, "jefa"))) == [OwedPaid]


def test_r4_r36_what_a_slot_took_too_much_goes_back_while_the_credits_that_wait_stay():
    floor = voided()
    floor.report(1, chips=1)

    assert kinds(floor.ask(ask.PayOwed(TABLE, 1, CARLA, "jefa"))) == [OwedPaid]
    assert floor.reason(ask.CashOut(TABLE, 1, CARLA)) == "void_unsigned"


def test_r36_promotional_credits_are_never_cash_and_wait_for_nobody():
    floor = Floor()
    floor.hear_promo(1, 2_000)
    floor.open_pass()
    floor.report(1)
    floor.report(1, bets=2)
    floor.lamp(1)
    floor.lock()
    void(floor)

    assert (floor.seat(1).promo, floor.seat(1).unsigned, floor.seat(1).voided_by) == (2_000, 0, ())


@pytest.mark.parametrize(("found", "unsigned"), [(0, 0), (1_000, 1_000), (2_500, 2_000)])
def test_r36_what_two_count_less_is_not_there_to_be_cashed(found, unsigned):
    floor = voided()
    floor.ask(ask.CountSeat(TABLE, 1, found, JEFA, LUIS))

    assert floor.seat(1).unsigned == unsigned
    assert bool(floor.seat(1).voided_by) == bool(unsigned)


def test_r36_the_day_does_not_close_over_it_and_the_screen_says_so():
    floor = voided()
    floor.close_pass()
    (alarm,) = [one for one in project(floor.state).alarms if one.rule == "R-36"]

    assert alarm.where == "DP-01/1" and "firmar" in alarm.sentence and "2000" in alarm.sentence
    assert project(floor.state).tables[0].seats[0].unsigned == 2_000
    assert floor.reason(ask.CloseDay("", JEFA)) == "money_on_table"


def test_r36_a_record_of_the_first_reading_knew_no_signature():
    floor = Floor()
    floor.sealed({1: 2})
    before = floor.state
    void(floor)
    old = [fact for fact in floor.record if not hasattr(fact[1], "reading")]
    founded = floor.record[0][1]
    old.insert(0, (floor.record[0][0], type(founded)(founded.node, founded.key, founded.administrators)))

    assert before.reading == READING
    assert replayed(old).tables[TABLE].seat(1).unsigned == 0
    assert replayed(floor.record).tables[TABLE].seat(1).unsigned == 2_000


def test_r29_r36_a_plan_with_prizes_draws_no_more_for_a_void_pass():
    floor = Floor(plan(prizes=[prize("Jugador")]))
    floor.sealed({1: 2})
    floor.ask(ask.VoidPass(TABLE, "mal repartido", CARLA))

    assert floor.table().draws == () and floor.seat(1).unsigned == 2_000


def test_r36_what_lies_in_the_bet_of_an_open_pass_is_still_there_when_credits_are_counted():
    floor = voided()
    floor.close_pass()
    floor.open_pass()
    floor.report(1, voided=2)
    floor.report(1, bets=2)
    floor.ask(ask.CountSeat(TABLE, 1, 1_000, JEFA, LUIS))

    assert (floor.seat(1).credits, floor.seat(1).bet, floor.seat(1).unsigned) == (1_000, 2_000, 2_000)
