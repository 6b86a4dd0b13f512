"""R-6: who saw each lamp stands on record; where a croupier sees, his lock attests it, and until then his word is enough."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import LampChanged, LampsTested, Locked, PassSealed, SeatClosed
from controller.core.values import Lamp, Refund
from support.floor.floor import CARLA, INES, TABLE, TITO, Floor, kinds, opened

CROUPIER, SENSOR = "croupier", "sensor"


def seen(floor: Floor, seat: int, by: str, lamp: Lamp = Lamp.LIT):
    return floor.ask(ask.LampSeen(TABLE, seat, lamp, seen_by=by))


def bets(*seats: int) -> Floor:
    floor = opened()
    for seat in seats:
        floor.bet(seat, 2, lit=False)
    return floor


@pytest.mark.parametrize(("said", "written"), [(CROUPIER, CROUPIER), (SENSOR, SENSOR), ("", ""), ("nadie", "")])
def test_r6_who_saw_a_lamp_stands_on_record(said, written):
    floor = bets(1)
    (lit,) = seen(floor, 1, said)
    (dark,) = seen(floor, 1, said, Lamp.FAULT)

    assert (lit.seen_by, dark.seen_by) == (written, written)


def test_r6_the_lock_attests_the_lamps_that_rest_on_the_croupiers_eyes():
    floor = bets(1, 2, 3)
    seen(floor, 1, CROUPIER)
    seen(floor, 2, SENSOR)
    locked = floor.ask(ask.Lock(TABLE, CARLA))[0]

    assert locked == Locked(TABLE, floor.table().number, "carla", (1,)), "and nobody saw the third lit"


def test_r6_until_the_lock_a_croupiers_word_gives_the_bet_back_and_closes_the_seat():
    floor = bets(1)
    seen(floor, 1, CROUPIER)
    (dark,) = floor.ask(ask.LampDark(TABLE, 1, CARLA))

    assert (dark.refund, dark.seen_by, dark.by, dark.locked) == (Refund(1, cash=2_000), CROUPIER, "carla", False)
    assert (floor.seat(1).bet, floor.seat(1).closed, floor.seat(1).giving_back) == (0, "luz", 2)
    assert floor.reason(ask.LampDark(TABLE, 1, CARLA)) == "seat_is_closed"


def test_r6_also_where_a_sensor_says_that_it_is_lit_and_where_nobody_said_anything_yet():
    floor = bets(1, 2)
    seen(floor, 1, SENSOR)

    assert [kinds(floor.ask(ask.LampDark(TABLE, seat, CARLA))) for seat in (1, 2)] == [[LampChanged]] * 2


def test_r6_chips_whose_lamp_is_dark_are_owed_back_and_were_within_the_limits():
    floor = opened()
    floor.report(2, chips=3)
    floor.ask(ask.LampDark(TABLE, 2, CARLA))

    assert (floor.seat(2).owed, floor.seat(2).over) == (3_000, 0)


def test_r6_without_a_bet_there_is_no_lamp_to_speak_of():
    floor = Floor()
    assert floor.reason(ask.LampDark(TABLE, 1, CARLA)) == "no_bet"
    floor.open_pass()
    assert floor.reason(ask.LampDark(TABLE, 1, CARLA)) == "no_bet"


def test_r6_after_the_lock_only_a_void_gives_it_back():
    floor = bets(1, 2)
    seen(floor, 1, CROUPIER)
    floor.ask(ask.Lock(TABLE))
    assert floor.reason(ask.LampDark(TABLE, 1, CARLA)) == "lamp_after_lock"
    seen(floor, 2, CROUPIER)
    assert kinds(floor.prove())[-1] is PassSealed
    assert floor.reason(ask.LampDark(TABLE, 2, CARLA)) == "lamp_after_lock"

    (void,) = floor.ask(ask.VoidHand(TABLE, 2, "luz apagada", CARLA))
    assert void.refunds == (Refund(2, cash=2_000),)


# The daily test


def test_r6_the_result_of_a_lamp_test_stands_on_record_and_dark_seats_close():
    floor = Floor()
    facts = floor.ask(ask.TellLamps(TABLE, (4, 2, 4), CARLA))

    assert kinds(facts) == [SeatClosed, SeatClosed, LampsTested]
    assert (facts[-1].dark, facts[0].by) == ((2, 4), "carla")
    assert [seat.number for seat in floor.table().seats if seat.closed == "luz"] == [2, 4]
    assert floor.ask(ask.TellLamps(TABLE, (2,), TITO)) == (LampsTested(TABLE, (2,), "tito"),), "closed already"
    assert floor.ask(ask.TellLamps(TABLE, (), CARLA)) == (LampsTested(TABLE, (), "carla"),), "all were lit"


def test_r6_what_no_lamp_test_can_say():
    floor = Floor()
    for seat in (0, 7, -1):
        assert floor.reason(ask.TellLamps(TABLE, (1, seat), CARLA)) == "seat_not_there"
    assert floor.reason(ask.TellLamps(TABLE, (), INES)) == "role_missing"
    floor.open_pass()
    assert floor.reason(ask.TellLamps(TABLE, (), CARLA)) == "pass_in_progress"
