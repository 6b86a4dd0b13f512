"""Units: totals that wrap, repeat, go back or belong to another unit; presses; credits given back (R-1 to R-5)."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    BetMade,
    BetRefused,
    DeviceAdopted,
    DeviceSeen,
    DeviceVoided,
    FirmwareSeen,
    NothingNew,
    PassSealed,
    SeatClosed,
)
from controller.core.values import Box, Device, Refund
from support.floor.floor import CARLA, TABLE, TITO, Floor, kinds, opened, plan

LAST = 2**32 - 1


def say(floor, device, seat=1, **also):
    return floor.ask(ask.SeatReport(TABLE, seat, device, **also))


# Totals


def test_r2_the_first_report_of_a_unit_is_where_counting_starts():
    floor = Floor()
    (adopted,) = say(floor, Device(7, 3, 900, bets=50, voided=4, chips=30, late=1))

    assert isinstance(adopted, DeviceAdopted)
    assert (floor.seat(1).device, floor.seat(1).bet, floor.seat(1).owed) == (adopted.device, 0, 0)


def test_r2_totals_and_event_numbers_wrap_at_32_bits():
    floor = opened()
    floor.units[TABLE, 1] = Device(9, 1, LAST, bets=LAST, voided=LAST, chips=LAST, late=LAST)
    say(floor, floor.units[TABLE, 1])
    floor.ask(ask.OpenSeat(TABLE, 1, TITO))
    (made,) = floor.report(1, bets=3)

    assert (made.amount, made.device.seq, made.device.bets) == (3_000, 0, 2)
    (back,) = floor.report(1, voided=3)
    assert (back.credits, back.device.voided) == (3, 2)
    (fell,) = floor.report(1, chips=2, late=4)
    assert (fell.amount, fell.counted, fell.device.chips, fell.device.late) == (6_000, 2_000, 1, 3)


def test_r2_a_report_that_comes_twice_changes_nothing():
    floor = opened()
    floor.report(1, bets=2)
    new = floor.seat(1).device

    assert kinds(say(floor, new)) == [NothingNew]
    assert kinds(say(floor, replace(new, worth=2))) == [NothingNew]
    assert (floor.seat(1).bet, floor.seat(1).device) == (2_000, new)


def test_r2_totals_that_only_count_events_move_no_money():
    floor = opened()

    assert kinds(floor.report(1, bets=0)) == [DeviceSeen]
    assert floor.seat(1).device == floor.units[TABLE, 1]


@pytest.mark.parametrize("other", [{"serial": 77}, {"epoch": 2}], ids=["replaced", "lost its memory"])
@pytest.mark.parametrize("bet", [0, 2])
def test_r2_totals_of_another_unit_are_never_subtracted_and_the_seat_closes(other, bet):
    floor = opened()
    if bet:
        floor.report(1, bets=bet)
    facts = say(floor, replace(floor.seat(1).device, bets=5, **other))

    closed, adopted = facts
    assert kinds(facts) == [SeatClosed, DeviceAdopted]
    assert closed.refund == (Refund(1, cash=2_000) if bet else None)
    assert (floor.seat(1).closed, floor.seat(1).bet, floor.seat(1).credits) == ("unidad cambiada", 0, 20_000)
    assert (floor.seat(1).device, floor.seat(1).giving_back) == (adopted.device, 0), "the new unit took nothing"
    assert kinds(say(floor, Device(88, 1, 1))) == [DeviceAdopted], "closed already"


def test_r6_another_unit_after_the_lock_leaves_the_bet_valid():
    floor = opened()
    floor.report(1, bets=2)
    floor.lamp(1)
    floor.report(2)
    floor.ask(ask.Lock(TABLE))
    (closed, _) = say(floor, Device(99, 1, 1))
    assert (closed.after_pass, closed.refund) == (True, None)

    *_, sealed = floor.report(2, locked=True)
    assert [bet.seat for bet in sealed.bets] == [1]
    floor.close_pass()
    assert floor.seat(1).closed == "unidad cambiada"


def test_r6_another_unit_may_be_the_last_thing_the_seal_waits_for():
    floor = opened()
    floor.ask(ask.Lock(TABLE))

    assert kinds(say(floor, Device(99, 1, 1))) == [SeatClosed, DeviceAdopted, PassSealed]


def test_r4_late_chips_are_counted_in_pieces_and_owed_at_what_one_was_worth_then():
    floor = opened()
    (five,) = floor.report(2, late=3, worth=4)  # a piece is worth five credits now
    (two,) = floor.report(2, late=2, worth=-3)

    assert (five.amount, five.owed, two.amount, two.owed) == (15_000, 15_000, 4_000, 4_000)
    assert (floor.seat(2).owed, floor.seat(2).bet, floor.seat(2).device.worth) == (19_000, 0, 2)


def test_r4_what_a_late_piece_is_worth_says_nothing_of_chips_that_count():
    floor = opened()
    (fell,) = floor.report(2, chips=2, late=1, worth=4)

    assert (fell.amount, fell.bet, fell.owed) == (7_000, 2_000, 5_000)


@pytest.mark.parametrize("worth", [0, -1, 2**32])
def test_r4_a_late_piece_that_is_worth_nothing_is_refused(worth):
    floor = opened()

    assert floor.reason(ask.SeatReport(TABLE, 1, replace(floor.seat(1).device, worth=worth))) == "amount_wrong"


def test_what_the_record_says_of_a_unit_without_that_word_is_read_as_one_credit_a_piece():
    written = b'{"serial":7,"epoch":3,"seq":900,"bets":50,"voided":4,"chips":30,"late":1}'

    assert msgspec.json.decode(written, type=Device) == Device(7, 3, 900, 50, 4, 30, 1, worth=1)


# Presses


def test_r7_one_bet_a_seat_and_pass():
    floor = opened()
    floor.report(1, bets=2)
    (refused,) = floor.report(1, bets=3)

    assert (refused.reason, floor.seat(1).bet, floor.seat(1).giving_back) == ("bet_made", 2_000, 3)


@pytest.mark.parametrize(
    ("pressed", "reason"), [(6, "above_limit"), (1, "below_limit"), (21, "not_enough_credits")], ids=str
)
def test_r3_r4_what_the_limits_or_the_credits_do_not_allow_is_refused_and_given_back(pressed, reason):
    floor = opened(document=plan(least=2_000))
    (refused,) = floor.report(1, bets=pressed)
    assert (refused.reason, refused.credits, floor.seat(1).credits) == (reason, pressed, 20_000)

    (back,) = floor.report(1, voided=pressed)
    assert (back, floor.seat(1).giving_back) == (DeviceVoided(TABLE, 1, 1, pressed, floor.seat(1).device), 0)


def test_r6_a_press_at_a_closed_seat_is_refused():
    floor = opened()
    floor.ask(ask.CloseSeat(TABLE, 1, "limpieza", CARLA))

    assert floor.report(1, bets=2)[0].reason == "seat_closed"


def test_r29_promotional_credits_are_bet_first_and_go_back_as_they_came():
    floor = opened()
    floor.hear_promo(1, 3_000)
    (made,) = floor.report(1, bets=5)
    assert (made.amount, made.promo) == (5_000, 3_000)
    assert (floor.seat(1).credits, floor.seat(1).promo, floor.seat(1).bet_promo) == (18_000, 0, 3_000)

    (void,) = floor.ask(ask.VoidHand(TABLE, 1, "x", CARLA))
    assert void.refunds == (Refund(1, cash=2_000, promo=3_000),)
    assert (floor.seat(1).credits, floor.seat(1).promo, floor.seat(1).giving_back) == (20_000, 3_000, 5)


def test_r2_r29_nobody_bets_more_than_credits_and_promotional_credits_together():
    floor = Floor()
    floor.open_pass()
    floor.buy(1, 1)
    floor.hear_promo(1, 2_000)
    assert floor.report(1, bets=4)[0].reason == "not_enough_credits"

    assert floor.report(1, bets=3, voided=4)[1].amount == 3_000


def test_r29_a_fraction_of_a_credit_is_not_bet():
    floor = opened()
    floor.hear_promo(1, 1_500)

    assert floor.report(1, bets=2)[0].promo == 1_000
    assert (floor.seat(1).credits, floor.seat(1).promo) == (19_000, 500)


# Credits a unit gives back


def test_r5_a_bet_nobody_confirmed_in_time_is_given_back_by_the_unit_itself():
    floor = opened()
    floor.report(1, bets=2)
    (back,) = floor.report(1, voided=2)

    assert (back.credits, back.refund) == (2, Refund(1, cash=2_000))
    assert (floor.seat(1).bet, floor.seat(1).credits, floor.seat(1).giving_back) == (0, 20_000, 0)


def test_r5_a_bet_made_and_given_back_between_two_reports_was_none():
    floor = opened()

    assert kinds(floor.report(1, bets=2, voided=2)) == [DeviceSeen]
    assert (floor.seat(1).bet, floor.seat(1).credits) == (0, 20_000)


def test_r5_what_a_unit_was_told_to_give_back_is_told_apart_from_a_bet_it_gave_back_by_itself():
    floor = opened()
    floor.report(1, bets=9)  # refused: nine to give back
    assert kinds(floor.report(1, bets=2, voided=9)) == [DeviceVoided, BetMade]
    (back,) = floor.report(1, voided=2)

    assert (back.refund, floor.seat(1).giving_back, floor.seat(1).credits) == (Refund(1, cash=2_000), 0, 20_000)


def test_r5_told_and_own_give_backs_come_in_one_report():
    floor = opened()
    floor.report(1, bets=2)
    floor.report(1, bets=3)
    (back,) = floor.report(1, voided=5)

    assert (back.credits, back.refund, floor.seat(1).giving_back) == (5, Refund(1, cash=2_000), 0)


def test_r5_told_give_backs_and_a_bet_that_came_and_went_between_two_reports():
    floor = opened()
    floor.report(1, bets=9)
    (back,) = floor.report(1, bets=2, voided=11)

    assert (back.credits, back.refund, floor.seat(1).giving_back, floor.seat(1).bet) == (9, None, 0, 0)


def test_r5_a_bet_given_back_and_another_one_made_between_two_reports():
    floor = opened()
    floor.report(1, bets=3)
    facts = floor.report(1, voided=3, bets=2)

    assert kinds(facts) == [DeviceVoided, BetMade]
    assert (floor.seat(1).bet, floor.seat(1).credits, floor.seat(1).giving_back) == (2_000, 18_000, 0)


def test_r2_credits_given_back_that_nobody_can_explain_close_the_seat():
    floor = opened()
    floor.report(1, bets=3)
    facts = floor.report(1, voided=1)

    assert kinds(facts) == [DeviceSeen, SeatClosed]
    assert (floor.seat(1).closed, floor.seat(1).bet, facts[1].refund) == (
        "contabilidad del aceptor",
        0,
        Refund(1, cash=3_000),
    )
    assert kinds(floor.report(1, voided=7)) == [DeviceSeen], "closed already"


def test_r2_a_bet_in_the_same_report_as_unexplained_credits_is_refused():
    floor = opened()

    assert kinds(floor.report(1, bets=2, voided=3)) == [DeviceSeen, SeatClosed, BetRefused]
    assert (floor.seat(1).bet, floor.seat(1).giving_back, floor.seat(1).credits) == (0, 2, 20_000)


def test_r5_after_the_seal_a_unit_gives_nothing_back_by_itself():
    floor = Floor()
    floor.sealed({1: 2})
    facts = floor.report(1, voided=2)

    assert (kinds(facts), facts[1].after_pass) == ([DeviceSeen, SeatClosed], True)
    assert floor.seat(1).bet == 2_000


def test_r5_while_locking_a_bet_given_back_lets_the_pass_be_sealed():
    floor = opened()
    floor.report(1, bets=2)
    floor.ask(ask.Lock(TABLE))
    floor.report(1, locked=True)
    facts = floor.report(1, voided=2, locked=True)

    assert (kinds(facts), facts[1].bets) == ([DeviceVoided, PassSealed], ())


# What answers where


def test_r27_a_box_is_written_when_it_is_first_seen_and_when_it_or_its_program_is_another():
    floor = Floor()
    first, program, other = Box(7, 1, 0x5A3C), Box(7, 2, 0x11), Box(8, 2, 0x11)

    assert floor.ask(ask.SeeFirmware(TABLE, "dp/1", first)) == (FirmwareSeen(TABLE, "dp/1", first),)
    assert floor.ask(ask.SeeFirmware(TABLE, "dp/1", program)) == (FirmwareSeen(TABLE, "dp/1", program, first),)
    assert floor.ask(ask.SeeFirmware(TABLE, "dp/1", other)) == (FirmwareSeen(TABLE, "dp/1", other, program),)
    assert floor.ask(ask.SeeFirmware(TABLE, "dp/2", first)) == (FirmwareSeen(TABLE, "dp/2", first),)
    assert isinstance(floor.ask(ask.SeeFirmware(TABLE, "dp/1", other))[0], NothingNew)


def test_r27_a_device_of_no_table_and_one_that_stands_nowhere_are_refused():
    floor = Floor()

    assert floor.reason(ask.SeeFirmware("XX-01", "dp/1", Box(7, 1, 0))) == "table_unknown"
    assert floor.reason(ask.SeeFirmware(TABLE, " ", Box(7, 1, 0))) == "name_wrong"
