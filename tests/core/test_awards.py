"""R-21: held, confirmed, paid, each once and by whom it takes; overdue said once, decided by no clock."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import AwardConfirmed, AwardOverdue, AwardPaid, NothingNew, Refused
from controller.core.project import project
from support.floor.floor import (
    ANA,
    CARLA,
    DIEGO,
    JEFA,
    JEFE,
    LUIS,
    POKER,
    TABLE,
    TITO,
    Floor,
    hands_of,
    kinds,
    plan,
    prize,
)

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
    assert floor.reason(ask.ConfirmAward(ONE, JEFA, TITO)) == "role_missing"


# who confirms


def test_r36_a_casino_with_one_chief_plays_on_the_croupier_registers_and_the_chief_confirms():
    floor = held(alone=100_000)
    assert floor.held(ONE).entered == ("carla",)
    assert floor.ask(ask.ConfirmAward(ONE, JEFA)) == (AwardConfirmed(ONE, "jefa"),)
    assert floor.reason(ask.ConfirmAward(TWO, JEFA)) == "two_persons_needed"

    assert floor.ask(ask.ConfirmAward(TWO, JEFA, CARLA)) == (AwardConfirmed(TWO, "jefa", "carla"),)
    assert (floor.held(TWO).confirmed, floor.held(TWO).second) == ("jefa", "carla")


def test_r36_a_chief_who_registered_does_not_confirm_alone():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2})
    floor.ask(ask.RegisterClaim(TABLE, hands_of([(1, "full")]), JEFA))
    assert floor.reason(ask.ConfirmAward(ONE, JEFA)) == "confirms_own"
    assert (floor.heard(Refused)[-1].where, floor.heard(Refused)[-1].rule) == ("by", "R-36")
    assert "jefa" in floor.heard(Refused)[-1].message
    assert floor.reason(ask.ConfirmAward(ONE, JEFA, JEFA)) == "two_persons_needed"

    assert floor.ask(ask.ConfirmAward(ONE, JEFA, DIEGO)) == (AwardConfirmed(ONE, "jefa", "diego"),)


@pytest.mark.parametrize(
    ("above", "by", "second", "reason", "where"),
    [
        (99_999, JEFA, CARLA, "confirms_own", "second"),
        (99_999, JEFA, JEFE, None, ""),
        (99_999, JEFA, DIEGO, None, ""),
        (99_999, JEFA, None, None, ""),
        (100_000, JEFA, CARLA, None, ""),
    ],
)
def test_r36_a_plan_may_ask_from_an_amount_up_that_none_of_them_registered_it(above, by, second, reason, where):
    floor = held(alone=10**9, none_registered=above)
    asked = ask.ConfirmAward(ONE, by, second)

    if reason is None:
        assert kinds(floor.ask(asked)) == [AwardConfirmed]
    else:
        assert (floor.reason(asked), floor.heard(Refused)[-1].where) == (reason, where)


def test_r36_above_that_amount_a_chief_who_registered_confirms_with_nobody():
    floor = Floor(plan(alone=10**9, none_registered=0))
    floor.sealed({1: 2})
    floor.ask(ask.RegisterClaim(TABLE, hands_of([(1, "full")]), JEFA))

    for second in (None, JEFE, CARLA):
        assert floor.reason(ask.ConfirmAward(ONE, JEFA, second)) == "confirms_own"
    assert kinds(floor.ask(ask.ConfirmAward(ONE, JEFE))) == [AwardConfirmed]


def test_r29_r36_what_the_seed_drew_nobody_registered():
    floor = Floor(plan(alone=10**9, none_registered=0, prizes=[prize("Jugador")]))
    floor.sealed({4: 2})
    floor.draw("Jugador", seat=4)
    floor.close_pass()

    assert floor.held("DP-01/1/p1/1").entered == ()
    assert kinds(floor.ask(ask.ConfirmAward("DP-01/1/p1/1", JEFA))) == [AwardConfirmed]


def test_r36_what_was_entered_without_cards_says_so():
    floor = Floor()
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, "color"), (2, POKER))
    (sign,) = project(floor.state).signs

    assert [(award.seat, award.no_cards) for award in sign.awards] == [(1, True), (2, False)]


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


def test_r21_past_thirty_minutes_an_award_is_overdue_confirmed_or_not_and_that_is_said_once():
    floor = held()
    floor.ask(ask.ConfirmAward(ONE, JEFA, JEFE))
    since = floor.now - 1_000
    assert kinds(floor.ask(ask.LookAtClock(), after=30 * MINUTE - 1_000)) == [NothingNew]

    assert floor.ask(ask.LookAtClock(), after=1_000) == (AwardOverdue(ONE, since), AwardOverdue(TWO, since))
    assert (floor.held(ONE).overdue, floor.held(TWO).overdue) == (True, True), "a confirmation does not end the time"
    alarms = {one.where: one.sentence for one in project(floor.state).alarms if one.rule == "R-21"}
    assert "espera su pago" in alarms[ONE] and "espera verificación" in alarms[TWO]
    assert kinds(floor.ask(ask.LookAtClock(), after=30 * MINUTE)) == [NothingNew]
    assert floor.at("held:pozo") == 300_000, "no clock decides"
    floor.ask(ask.PayAward(ONE, CARLA))
    floor.pay(TWO)
    assert not [one for one in project(floor.state).alarms if one.rule == "R-21"]


def test_r21_rejecting_and_registering_anew_in_the_pass_does_not_restart_the_time():
    """Audit, F6: nothing was overdue at 58 minutes."""
    floor = held()
    since = floor.now
    floor.now += 28 * MINUTE
    floor.reject("DP-01/1/1")
    floor.claim((1, "color"))
    (name,) = [name for name, one in floor.state.claims["DP-01/1/2"].awards.items() if one.pending]

    assert floor.ask(ask.LookAtClock(), after=3 * MINUTE) == (AwardOverdue(name, since),)


def test_r21_r35_the_time_of_a_late_winner_runs_from_his_own_registration():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, "color"))
    first = floor.now
    floor.close_pass()
    floor.now += 20 * MINUTE
    (late,) = floor.ask(ask.CorrectClaim(TABLE, 1, hands_of([(1, "color"), (2, POKER)]), "no se vio", CARLA))
    assert (late.since, floor.held(TWO).since) == (floor.now, floor.now)
    registered = floor.now

    assert floor.ask(ask.LookAtClock(), after=11 * MINUTE) == (AwardOverdue(ONE, first),)
    assert floor.ask(ask.LookAtClock(), after=20 * MINUTE) == (AwardOverdue(TWO, registered),)


def test_r21_r35_what_was_set_aside_is_never_overdue():
    floor = held()
    floor.ask(ask.SetAside(ONE, "no se encontró", JEFA, ANA))

    assert [fact.award for fact in floor.ask(ask.LookAtClock(), after=31 * MINUTE)] == [TWO]


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
    floor.close_pass()
    floor.ask(ask.PayAward("DP-01/1/p1/1", CARLA))

    assert floor.at("paid:pozo:central") == 15_000
    (rejected,) = floor.ask(ask.RejectClaim("DP-01/1/p1", "x", JEFA, JEFE))
    assert [(one.award, one.amount) for one in rejected.lost] == [("DP-01/1/p1/1", 15_000)], "R-34: the house's loss"


def test_r36_what_two_put_right_after_the_day_s_close_a_third_confirms():
    floor = Floor(plan(alone=10**9))
    floor.sealed({1: 2})
    floor.close_pass()
    floor.close_day()
    floor.open_day("2026-11-19", b"t" * 32)
    floor.sealed({3: 1})
    floor.close_pass()
    hands = hands_of([(1, POKER)])
    (late,) = floor.ask(ask.CorrectClaim(TABLE, 1, hands, "no se vio", JEFA, LUIS, (), "CAM-4"))
    award = f"{late.claim}/{late.awards[0].number}"
    assert (late.confirmed, floor.held(award).entered) == (False, ("jefa", "luis"))

    assert floor.reason(ask.ConfirmAward(award, JEFA)) == "confirms_own"
    assert floor.reason(ask.ConfirmAward(award, JEFA, LUIS)) == "confirms_own"
    assert kinds(floor.ask(ask.ConfirmAward(award, JEFE))) == [AwardConfirmed]
