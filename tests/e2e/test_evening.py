"""One evening of a casino from its opening checks to the closed day, through a real node and simulated desks.

Every figure is worked out by hand, from rules.md; lamps, displays, slots and the sign are what people at the desks see.
"""

import pytest

from controller.node.vocabulary.protocol import Deed
from support.evening.evening_draw import (
    a_hand_is_void,
    a_late_winner_is_paid_as_in_time,
    a_plan_that_empties_its_pot_is_not_staged,
    a_silent_seat_is_closed_and_its_bet_given_back,
    a_unit_without_memory_is_counted,
    a_wrong_claim_is_rejected,
    awards_are_confirmed_and_paid,
    bets_by_press,
    closed_seats_open_again,
    day_and_credits,
    no_more_bets,
    opening_checks,
    the_pass_is_void,
    the_table_plays_on,
)
from support.evening.evening_house import (
    ANA,
    BY,
    CARLA,
    JEFE,
    ask,
    opened,
    opened_with_a_table_in_c,
    pot_of,
    until,
)
from support.evening.evening_slots import (
    chips_become_bets,
    only_bets_are_sealed,
    what_fell_beyond_the_maximum_is_handed_back,
    who_exchanged_a_card_is_not_paid,
)
from support.evening.evening_texas import (
    both_are_shown_and_held_until_the_pass_is_closed,
    one_bet_at_texas,
    promotional_credits_are_for_bets_alone,
    promotional_credits_lapse,
    the_cards_can_be_drawn_again,
    the_next_pass_builds_on_the_base,
    the_only_one_who_bet_gets_the_complementary_prize,
    the_whole_pot_is_won,
    who_was_dealt_the_card_shows_it,
)
from support.evening.evening_training import (
    a_table_trains,
    another_table_trains_while_players_wait,
    training_leaves_nothing_behind,
)

pytestmark = pytest.mark.process

FULL = "DP-01/1/2/2"


def what_waits_too_long_is_overdue(house):
    """R-21: the node is stopped with a Full unpaid and started 31 minutes later; a clock decides nothing."""
    code, journal = house.end()
    assert code == 0
    assert journal[-1]["event"] == "stopped"
    assert {desk.console for desk in (house["DP-01"], house["TX-01"])} == {"closed"}

    house.start(later_minutes=31)
    view = house.until(lambda view: any(alarm.rule == "R-21" for alarm in view.alarms))
    (held,) = pot_of(view, "estelar").awards
    assert (held.award, held.amount, held.overdue, held.confirmed) == (FULL, 500_000, True, False)
    assert [fact["award"] for fact in house.facts("award_overdue")] == [FULL]
    house.sign_shows("FULL $500.000 EN VERIFICACION")
    house.ask(ask.ConfirmAward(FULL, BY, BY), JEFE, ANA)
    house.sign_shows("FULL $500.000")
    house.ask(ask.PayAward(FULL, BY), CARLA)
    house.sign_shows("$3.018.824")  # the late Escalera de Color came out of the pot, as in time


def the_last_pass(house):
    """Nobody bets; nothing is won; a new pass clears the lamps of the old one, and the seats are as they were."""
    house.up("CP-01")
    house.do(Deed.UNLOCK, CARLA, table="CP-01")
    until(lambda: house["CP-01"].lit, set())
    house.ask(ask.Lock("CP-01", BY), CARLA)
    house.phase("CP-01", "sealed")
    house.ask(ask.ClosePass("CP-01", BY), CARLA)
    desk = house["DP-01"]
    house.up("DP-01")
    desk.do("console unlock")
    house.open("DP-01")
    desk.do("console lock")
    house.phase("DP-01", "sealed")
    house.ask(ask.ClosePass("DP-01", BY), CARLA)
    assert [desk.seat(number).shows for number in range(1, 7)] == ["5", "0", "1", "5", "1", "0"]


def the_day_is_closed(house):
    """Not before the tables are empty; what is left behind is the casino's debt until he comes back."""
    assert house.refuses(Deed.CLOSE_DAY, JEFE) == "money_on_table"
    for number, amount in ((1, 5_000), (4, 5_000), (5, 1_000)):
        (cashed,) = house.ask(ask.CashOut("DP-01", number, BY), CARLA)
        assert cashed["amount"] == amount
    assert house.refuses(ask.LeaveCredits("DP-01", 3, BY, BY), CARLA, JEFE) == "void_unsigned"
    signed = house.told("firmar", "DP-01", "3", by=JEFE)
    assert signed == ["Mesa DP-01, posición 3: anulación firmada; $ 1.000 se pueden pagar."]
    house.ask(ask.LeaveCredits("DP-01", 3, BY, BY), CARLA, JEFE)
    assert house.balances()["left:DP-01"] == 1_000
    house.ask(ask.PayLeft("DP-01", 1_000, BY, BY), JEFE, ANA)
    until(lambda: {seat.shows for seat in house["DP-01"].seats().values()}, {"0"})
    (closed,) = house.do(Deed.CLOSE_DAY, JEFE)
    assert len(bytes.fromhex(closed["seed"])) == 32, "R-30: revealed"
    assert house.refuses(Deed.UNLOCK, CARLA, table="DP-01") == "day_not_open"


def everything_agrees(house):
    house.sign_says("APUESTA $1.000 A $5.000")
    assert any(text.endswith(("50x", "100x", "500x", " 10%", " 100%")) for text in house.shown), "R-31: what is paid"
    code, _ = house.end()
    assert code == 0
    assert house.verify().startswith("BIEN")
    assert house.balances() == {
        "cash:DP-01": -9_000,  # 25,000 in, 16,000 out
        "cash:CP-01": -12_000,  # 15 chips in, 3 out
        "cash:TX-01": -3_000,  # 6,000 in, 3,000 out
        "promo_issued:austral:central": -3_000,  # two bonuses of 3,000; one was bet, the other lapsed
        "commission:estelar:central": 4_000,  # of 20,000
        "commission:austral:central": 1_080,  # of 6,000
        "pot:estelar:main": 3_018_824,  # 5,000,000 + 14,400 - 50,000 - 445,576 - 500,000 - 1,000,000
        "pot:estelar:reserva": 1_600,
        "pot:austral:main": 3_003_772,
        "paid:estelar:central": 1_995_576,  # 50,000 + 445,576 + 1,000,000 + 500,000
        "paid:austral:central": 3_055_755,  # 2 x 20,000 + 15,000 + 3,000,755
        "house:estelar:central": -4_999_000,  # base 5,000,000, less the 1,000 of the count
        "house:austral:central": -6_054_607,  # base twice, 19,935 + 19,672 + 15,000 of the prizes
    }


EVENING = (
    opening_checks,
    a_plan_that_empties_its_pot_is_not_staged,
    a_table_trains,
    training_leaves_nothing_behind,
    day_and_credits,
    another_table_trains_while_players_wait,
    bets_by_press,
    a_hand_is_void,
    no_more_bets,
    a_wrong_claim_is_rejected,
    awards_are_confirmed_and_paid,
    a_late_winner_is_paid_as_in_time,
    the_table_plays_on,
    chips_become_bets,
    what_fell_beyond_the_maximum_is_handed_back,
    only_bets_are_sealed,
    who_exchanged_a_card_is_not_paid,
    a_silent_seat_is_closed_and_its_bet_given_back,
    the_pass_is_void,
    closed_seats_open_again,
    a_unit_without_memory_is_counted,
    one_bet_at_texas,
    the_only_one_who_bet_gets_the_complementary_prize,
    both_are_shown_and_held_until_the_pass_is_closed,
    the_whole_pot_is_won,
    promotional_credits_are_for_bets_alone,
    the_next_pass_builds_on_the_base,
    who_was_dealt_the_card_shows_it,
    what_waits_too_long_is_overdue,
    the_last_pass,
    promotional_credits_lapse,
    the_day_is_closed,
    the_cards_can_be_drawn_again,
    everything_agrees,
)


@pytest.fixture(params=[opened, opened_with_a_table_in_c], ids=["firmware_sim", "reference"])
def house(request):
    """Once with simulated units alone, once with the reference firmware in C at the table of Texas."""
    with request.param() as made:
        yield made


def test_an_evening(house):
    house.start()
    for step in EVENING:
        try:
            step(house)
        except Exception as failure:
            failure.add_note(f"in the step: {step.__name__}")
            failure.add_note("the node's last words:\n" + "".join(house.last_words()))
            raise
