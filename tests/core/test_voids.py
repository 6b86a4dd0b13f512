"""R-25 after the seal: bets back on their seats in the form in which they were made, contributions undone, by whom."""

from controller.core import inputs as ask
from controller.core.facts import HandsVoided
from controller.core.values import Phase, Refund
from support.floor.floor import CARLA, JEFA, TABLE, Floor, hands_of, kinds, plan, prize, with_reading


def void_pass(floor, table=TABLE):
    return floor.ask(ask.VoidPass(table, "naipe marcado", JEFA))[0]


def void_hand(floor, seat, table=TABLE):
    return floor.ask(ask.VoidHand(table, seat, "carta quemada", CARLA))[0]


def test_r25_a_void_pass_undoes_what_it_gave_to_the_last_unit():
    floor = Floor()
    floor.sealed({1: 2, 3: 5})
    void = void_pass(floor)

    assert (void.sealed, void.whole_pass, void.flow.commission, void.flow.house) == (True, True, -1_400, 0)
    assert void.flow.parts == {"main": -5_040, "reserva": -560}
    assert void.refunds == (Refund(1, cash=2_000), Refund(3, cash=5_000))
    assert (floor.pot().main, floor.pot().reserves, floor.at("commission:pozo:central")) == (
        5_000_000,
        {"reserva": 0},
        0,
    )
    assert (floor.seat(1).credits, floor.seat(3).credits, floor.seat(3).giving_back) == (2_000, 5_000, 5)
    assert (floor.pot().meters.undone, floor.pot().meters.commission) == (7_000, 0)
    assert (floor.table().phase, floor.table().bets) == (Phase.BETWEEN, ())


def test_r25_a_void_hand_undoes_one_seat_and_the_others_play_on():
    floor = Floor()
    floor.sealed({1: 2, 3: 5})
    void = void_hand(floor, 3)

    assert (void.whole_pass, void.refunds, void.flow.parts) == (
        False,
        (Refund(3, cash=5_000),),
        {"main": -3_600, "reserva": -400},
    )
    assert ([bet.seat for bet in floor.table().bets], floor.table().phase) == ([1], Phase.SEALED)
    assert floor.reason(ask.VoidHand(TABLE, 3, "otra vez", CARLA)) == "no_bet"
    assert floor.claim((1, "color"), (3, "", "folded"))[0].unpaid[0].reason == "no_bet"


def test_r25_a_void_pass_in_which_nobody_bet_moves_nothing():
    floor = Floor()
    floor.open_pass()
    floor.lock()

    assert (void_pass(floor).refunds, floor.table().phase) == ((), Phase.BETWEEN)


def test_r23_r25_fractions_are_restored_too():
    floor = Floor(plan(commission=333_333, main=666_667, reserves={"reserva": 333_333}, credit=100, least=100))
    floor.sealed({1: 1})
    floor.close_pass()
    before = (floor.pot().commission_carries, floor.pot().reserve_carries, floor.pot().main)
    floor.sealed({1: 1, 2: 3})
    void_pass(floor)

    assert (floor.pot().commission_carries, floor.pot().reserve_carries, floor.pot().main) == before


def test_r25_r29_promotional_credits_and_chips_go_back_as_they_were_bet():
    floor = Floor()
    floor.hear_promo(1, 3_000)
    floor.open_pass()
    floor.buy(1, 2)
    floor.report(1, bets=5)
    floor.report(2, chips=4)
    floor.lamp(1)
    floor.lamp(2)
    sealed = floor.lock()[-1]
    assert [(bet.promo, bet.chips) for bet in sealed.bets] == [(3_000, 0), (0, 4_000)]

    assert void_pass(floor).refunds == (Refund(1, cash=2_000, promo=3_000), Refund(2, chips=4_000))
    one, two = floor.seat(1), floor.seat(2)
    assert (one.credits, one.promo, one.giving_back) == (2_000, 3_000, 5)
    assert (two.owed, two.credits, two.giving_back) == (4_000, 0, 0)


def test_r24_r25_what_had_passed_the_ceiling_comes_out_of_the_reserve():
    floor = Floor(plan(ceiling=5_001_000))
    floor.sealed({1: 2, 2: 2})

    assert void_pass(floor).flow.parts == {"main": -1_000, "reserva": -2_200}


def test_r18_r25_what_the_pot_no_longer_has_comes_from_who_stands_behind_it():
    floor = Floor(plan(base=0))
    floor.sealed({1: 5, 2: 5})
    floor.sealed({1: 1}, "GO-01")
    floor.claim((1, ("Qh", "Kh", "Ah")), table="GO-01", community=("Th", "Jh"))
    assert floor.pot().main == 0
    void = void_pass(floor)

    # 7,200 of the main pot are gone; the reserve gives what it still has, the house the rest.
    assert void.flow.parts == {"reserva": -880}
    assert (void.flow.commission, void.flow.house) == (-2_000, -7_120)
    assert floor.at("house:pozo:central") == -7_120


def test_r25_r33_where_a_void_pass_undoes_nothing_the_house_refunds_the_players():
    floor = Floor(ruleset=with_reading(void_undoes="nothing"))
    floor.sealed({1: 2})
    carries = floor.pot().commission_carries
    void = void_pass(floor)

    assert (void.flow.parts, void.flow.house, void.flow.commission) == ({}, -2_000, 0)
    assert (floor.pot().main, floor.seat(1).credits, floor.pot().commission_carries) == (5_001_440, 2_000, carries)


def test_r25_claims_of_other_passes_and_tables_do_not_hinder_a_void():
    floor = Floor()
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    floor.close_pass()
    floor.sealed({1: 2})

    assert kinds([void_pass(floor)]) == [HandsVoided]


def test_r25_r34_a_void_hand_wins_nothing_when_a_rejected_claim_is_registered_anew():
    floor = Floor()
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, "full"), (2, "color"))
    floor.reject("DP-01/1/1")
    void_hand(floor, 2)
    floor.close_pass()
    assert floor.reason(ask.RegisterClaim(TABLE, hands_of([(2, "color")]), CARLA, (), 1)) == "seat_did_not_bet"
    (again,) = floor.claim((1, "full"), (2, "", "folded"), number=1)

    assert [award.seat for award in again.awards] == [1]


def test_r25_r29_when_the_last_hand_is_void_nobody_waits_for_a_draw_any_more():
    floor = Floor(plan(prizes=[prize("Jugador")]))
    floor.sealed({1: 2, 2: 2})
    void_hand(floor, 1)
    assert floor.table().draws == ("Jugador",)
    void_hand(floor, 2)

    assert floor.table().draws == ()
    assert floor.reason(ask.Draw(TABLE, "Jugador", hit=False)) == "draw_not_due"
    floor.close_pass()


def test_r25_between_passes_there_is_no_hand_to_void():
    assert Floor().reason(ask.VoidHand(TABLE, 1, "expuesta", CARLA)) == "no_bet"
