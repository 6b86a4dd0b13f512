"""R-21: held, confirmed, paid, each once and by whom it takes; overdue said once, decided by no clock."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import AwardConfirmed, AwardOverdue, AwardPaid, NothingNew, Refused
from support.floor.floor import ANA, CARLA, DIEGO, JEFA, JEFE, TABLE, Floor, kinds, plan, prize

ONE, TWO = "DP-01/1/1/1", "DP-01/1/1/2"
MINUTE = 60_000


def held(**how):
    """A color of 100,000 and a full of 200,000, both held."""
    floor = Floor(plan(**how))
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, "color"), (2, "full"))
    return floor


def test_r21_an_award_is_confirmed_then_paid_once():
    floor = held()
    assert floor.reason(ask.PayAward(ONE, CARLA)) == "not_confirmed"
    assert floor.ask(ask.ConfirmAward(ONE, JEFA, ANA)) == (AwardConfirmed(ONE, "jefa", "ana"),)
    assert floor.reason(ask.ConfirmAward(ONE, JEFE, JEFA)) == "award_confirmed"
    assert floor.ask(ask.PayAward(ONE, DIEGO)) == (AwardPaid(ONE, "pozo", "central", 1, 100_000, "diego"),)

    assert (floor.at("held:pozo"), floor.at("paid:pozo:central")) == (200_000, 100_000)
    assert (floor.held(ONE).confirmed, floor.held(ONE).paid, floor.held(TWO).paid) == ("jefa", True, False)
    assert (floor.pot().meters.paid_hits, floor.pot().meters.paid) == (1, 100_000)
    assert floor.reason(ask.PayAward(ONE, CARLA)) == "award_paid"
    assert floor.reason(ask.ConfirmAward(ONE, JEFA, JEFE)) == "award_paid"


def test_r21_above_the_threshold_of_the_plan_two_persons_confirm():
    floor = held(alone=100_000)

    assert floor.ask(ask.ConfirmAward(ONE, JEFA)) == (AwardConfirmed(ONE, "jefa"),)
    assert floor.reason(ask.ConfirmAward(TWO, JEFA)) == "two_persons_needed"
    assert floor.heard(Refused)[-1].by == "jefa"
    assert floor.ask(ask.ConfirmAward(TWO, JEFA, JEFE)) == (AwardConfirmed(TWO, "jefa", "jefe"),)


def test_r21_without_a_threshold_every_award_takes_two_different_persons():
    floor = held()

    assert floor.reason(ask.ConfirmAward(ONE, JEFA)) == "two_persons_needed"
    assert floor.reason(ask.ConfirmAward(ONE, JEFA, JEFA)) == "two_persons_needed"
    assert floor.reason(ask.ConfirmAward(ONE, CARLA, JEFA)) == "role_missing"
    assert floor.reason(ask.ConfirmAward(ONE, JEFA, CARLA)) == "role_missing"


def test_r21_an_award_of_a_rejected_claim_is_decided_no_more():
    floor = held()
    floor.reject("DP-01/1/1")

    assert floor.reason(ask.ConfirmAward(ONE, JEFA, JEFE)) == "claim_rejected"
    assert floor.reason(ask.PayAward(ONE, CARLA)) == "claim_rejected"
    assert floor.reason(ask.RejectClaim("DP-01/1/1", "x", JEFA, JEFE)) == "claim_rejected"
    assert floor.reason(ask.SetAside(ONE, "no aparece", CARLA, JEFA)) == "claim_rejected"


@pytest.mark.parametrize("name", ["", "/", "DP-01/1/1", "DP-01/1/1/3", "DP-01/1/1/", "DP-01/2/1/1", "x/" * 50])
def test_r21_an_award_that_is_not_there_is_named(name):
    floor = held()

    assert floor.reason(ask.PayAward(name, CARLA)) == "award_unknown"


def test_r21_past_thirty_minutes_an_award_is_overdue_and_that_is_said_once():
    floor = held()
    floor.ask(ask.ConfirmAward(ONE, JEFA, JEFE))
    since = floor.now - 1_000
    assert kinds(floor.ask(ask.LookAtClock(), after=30 * MINUTE - 1_000)) == [NothingNew]

    assert floor.ask(ask.LookAtClock(), after=1_000) == (AwardOverdue(TWO, since),)
    assert (floor.held(TWO).overdue, floor.held(ONE).overdue) == (True, False), "what is confirmed is decided"
    assert kinds(floor.ask(ask.LookAtClock(), after=30 * MINUTE)) == [NothingNew]
    assert floor.at("held:pozo") == 300_000, "no clock decides"
    floor.pay(TWO)


def test_r21_what_was_paid_or_rejected_is_never_overdue():
    floor = held()
    floor.reject("DP-01/1/1")

    assert kinds(floor.ask(ask.LookAtClock(), after=31 * MINUTE)) == [NothingNew]


def test_r21_the_last_25_hits_are_kept():
    floor = Floor(plan(alone=10**9))
    for _ in range(27):
        floor.sealed({1: 2})
        floor.claim((1, "color"))
        floor.close_pass()
    last = floor.pot().meters.last

    assert (len(last), last[0].award, last[-1].award) == (25, "DP-01/3/1/1", "DP-01/27/1/1")
    assert (floor.pot().meters.hits, floor.pot().meters.wins) == (27, 2_700_000)


def test_r21_awards_still_held_go_on_into_the_next_day_and_settled_claims_leave():
    floor = held()
    floor.close_pass()
    floor.sealed({1: 2})
    floor.claim((1, "color"))
    floor.close_pass()
    floor.pay("DP-01/2/1/1")
    for seat in (1, 2):
        if floor.seat(seat).credits:
            floor.ask(ask.CashOut(TABLE, seat, CARLA))
    floor.close_day()

    assert set(floor.state.claims) == {"DP-01/1/1"}
    floor.open_day("2026-11-19", b"t" * 32)
    floor.pay(ONE)
    floor.pay(TWO)
    assert floor.at("held:pozo") == 0


def test_r21_r29_a_complementary_prize_is_confirmed_and_paid_like_any_award():
    floor = Floor(plan(alone=20_000, prizes=[prize("Jugador")]))
    floor.sealed({4: 2})
    floor.draw("Jugador", seat=4)
    floor.ask(ask.ConfirmAward("DP-01/1/p1/1", JEFA))
    floor.ask(ask.PayAward("DP-01/1/p1/1", CARLA))

    assert floor.at("paid:pozo:central") == 15_000
    (rejected,) = floor.ask(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE))
    assert [(one.award, one.amount) for one in rejected.lost] == [("DP-01/1/p1/1", 15_000)], "R-34: the house's loss"
