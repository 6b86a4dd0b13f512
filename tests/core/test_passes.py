"""The life of a pass: opened, bet, locked, proven, sealed, closed; and what is void before it is sealed."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import (
    BetMade,
    BetRefused,
    HandsVoided,
    Locked,
    NothingNew,
    PassClosed,
    PassOpened,
    PassSealed,
    SeatClosed,
    SeatProven,
)
from controller.core.values import Lamp, Levels, Phase, Refund
from support.floor.floor import ANA, CARLA, JEFA, POT, TABLE, Floor, kinds, plan


def test_r1_r5_r22_a_whole_pass_of_electronic_seats():
    floor = Floor()

    assert floor.open_pass() == (PassOpened(TABLE, 1, "carla"),)
    floor.buy(1, 10)
    assert (floor.at("cash:DP-01"), floor.at("credits:DP-01:1")) == (-10_000, 10_000)
    (made,) = floor.report(1, bets=2)
    assert (made.amount, made.promo) == (2_000, 0)
    assert (floor.at("credits:DP-01:1"), floor.at("bets:DP-01")) == (8_000, 2_000)
    floor.lamp(1)
    floor.bet(3, 5)
    assert kinds(floor.ask(ask.Lock(TABLE))) == [Locked]
    assert floor.table().phase is Phase.LOCKING
    assert kinds(floor.report(1, locked=True)) == [SeatProven]
    proven, sealed = floor.report(3, locked=True)

    assert isinstance(proven, SeatProven) and isinstance(sealed, PassSealed)
    assert [(bet.seat, bet.amount, bet.commission, bet.main, bet.reserves) for bet in sealed.bets] == [
        (1, 2_000, 400, 1_440, (160,)),
        (3, 5_000, 1_000, 3_600, (400,)),
    ]
    assert (floor.at("bets:DP-01"), floor.at("commission:pozo:central")) == (0, 1_400)
    assert (floor.pot().main, floor.pot().reserves) == (5_005_040, {"reserva": 560})
    levels = Levels(5_005_040, 5_000_000, {"reserva": 560})
    assert floor.close_pass() == (PassClosed(TABLE, 1, "carla", POT, levels, reviewed=True),)
    table = floor.table()
    assert (table.phase, table.bets, [seat.bet for seat in table.seats]) == (Phase.BETWEEN, (), [0] * 6)
    assert floor.open_pass()[0].number == 2


def test_r22_the_meters_of_a_pot_are_what_its_passes_gave():
    floor = Floor()
    floor.sealed({1: 2, 3: 5})
    meters = floor.pot().meters

    assert (meters.wagered, meters.commission, meters.into_main, meters.into_reserves) == (7_000, 1_400, 5_040, 560)
    assert (meters.base_put_in, meters.undone, meters.overflow) == (5_000_000, 0, 0)
    floor.close_pass()
    floor.sealed({2: 1})
    assert (floor.pot().meters.wagered, floor.pot().meters.into_main) == (8_000, 5_760)


def test_r23_fractions_are_kept_by_casino_and_pot_from_pass_to_pass():
    floor = Floor(plan(commission=333_333, main=666_667, reserves={"reserva": 333_333}, credit=100, least=100))
    for _ in range(3):
        sealed = floor.sealed({1: 1})
        floor.close_pass()

    # 300 wagered at 33.3333 %: 99.9999 for the house, of which 99 are whole; the reserve has a third of each net.
    assert floor.at("commission:pozo:central") == 99
    assert floor.pot().commission_carries == {"central": sealed.commission_carry} == {"central": 999_900}
    assert floor.pot().reserve_carries == sealed.reserve_carries
    given = (300 - 99) * 333_333 - floor.pot().reserves["reserva"] * 1_000_000
    assert floor.pot().reserve_carries == (given,)


def test_r24_what_would_pass_the_ceiling_goes_to_the_first_reserve_and_is_counted():
    floor = Floor(plan(ceiling=5_001_000))
    sealed = floor.sealed({1: 2, 2: 2})

    assert [bet.overflow for bet in sealed.bets] == [440, 1_440]
    assert (floor.pot().main, floor.pot().reserves) == (5_001_000, {"reserva": 320 + 1_880})
    meters = floor.pot().meters
    assert (meters.overflow, meters.into_main, meters.into_reserves) == (1_880, 1_000, 2_200)


def test_r28_tables_of_two_casinos_feed_one_pot_and_each_keeps_its_commission():
    floor = Floor(plan(tables={"A": ("draw", "central"), "B": ("caribbean", "bahia")}))
    floor.sealed({1: 2}, "A")
    floor.sealed({7: 5}, "B")

    assert (floor.at("commission:pozo:central"), floor.at("commission:pozo:bahia")) == (400, 1_000)
    assert set(floor.pot().commission_carries) == {"central", "bahia"}


def test_r5_a_pass_without_bets_or_units_is_sealed_by_the_lock_itself():
    floor = Floor()
    floor.ask(ask.OpenPass(TABLE))
    locked, sealed = floor.ask(ask.Lock(TABLE))

    assert (locked, sealed.bets, sealed.flow.parts) == (Locked(TABLE, 1), (), {})
    (closed,) = floor.ask(ask.ClosePass(TABLE))
    assert (closed.number, closed.by, closed.pot, closed.levels.main) == (1, "", POT, 5_000_000)


def test_r5_the_pass_waits_for_every_seat_that_plays_and_for_no_other():
    floor = Floor()
    floor.report(2)
    floor.report(4)
    floor.open_pass()
    floor.ask(ask.CloseSeat(TABLE, 4, "silla rota", CARLA))
    floor.ask(ask.Lock(TABLE))
    assert floor.table().phase is Phase.LOCKING

    assert kinds(floor.report(2, locked=True)) == [SeatProven, PassSealed]


def test_r5_closing_a_silent_seat_lets_the_pass_be_sealed():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.report(2)
    floor.ask(ask.Lock(TABLE))
    floor.report(1, locked=True)

    assert kinds(floor.ask(ask.CloseSeat(TABLE, 2, "sin respuesta"))) == [SeatClosed, PassSealed]


def test_r5_a_proof_is_said_once():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2)
    floor.ask(ask.Lock(TABLE))

    assert kinds(floor.report(1, locked=True)) == [SeatProven]
    assert kinds(floor.report(1, locked=True)) == [NothingNew]


def test_r5_a_press_after_the_lock_is_refused_and_the_credits_stay():
    floor = Floor()
    floor.sealed({1: 2})
    floor.buy(2, 5)
    (refused,) = floor.report(2, bets=3)

    assert (refused.reason, refused.credits, refused.number) == ("table_locked", 3, 1)
    assert (floor.seat(2).credits, floor.seat(2).giving_back, floor.seat(2).bet) == (5_000, 3, 0)


def test_r5_a_press_between_passes_is_refused():
    floor = Floor()
    floor.buy(2, 5)

    assert kinds(floor.report(2, bets=1)) == [BetRefused]


def test_r5_a_seat_that_was_proven_locked_takes_no_bet_any_more():
    floor = Floor()
    floor.open_pass()
    floor.buy(1, 5)
    for seat in (1, 2):
        floor.report(seat)
    floor.ask(ask.Lock(TABLE))
    assert kinds(floor.report(1, locked=True)) == [SeatProven]

    assert kinds(floor.report(1, bets=2, locked=True)) == [BetRefused]
    assert floor.state.tables[TABLE].seat(1).bet == 0


@pytest.mark.parametrize(
    ("cut", "kind"), [(0, BetMade), (-3, BetMade), (1, BetRefused), (2**31 - 1, BetRefused)], ids=str
)
def test_r5_while_locking_a_bet_counts_if_the_unit_proves_that_it_came_before_the_lock(cut, kind):
    floor = Floor()
    floor.open_pass()
    floor.buy(1, 5)
    floor.report(1)
    floor.ask(ask.Lock(TABLE))
    first, *rest = floor.report(1, bets=2, locked=True, cut=cut)

    assert isinstance(first, kind)
    assert kinds(rest) == ([SeatProven] if kind is BetMade else [SeatProven, PassSealed])


def test_r5_r6_a_bet_proven_while_locking_still_waits_for_its_lamp():
    floor = Floor()
    floor.open_pass()
    floor.buy(1, 5)
    floor.report(1)
    floor.ask(ask.Lock(TABLE))
    floor.report(1, bets=2, locked=True)
    (lit, sealed) = floor.lamp(1)

    assert (lit.locked, [bet.seat for bet in sealed.bets]) == (True, [1])


def test_r5_while_locking_a_bet_of_a_unit_that_is_not_locked_yet_is_left_for_the_next_report():
    floor = Floor()
    floor.open_pass()
    floor.buy(1, 5)
    floor.report(1)
    floor.ask(ask.Lock(TABLE))
    before = floor.seat(1).device

    assert kinds(floor.report(1, bets=2)) == [NothingNew]
    assert floor.seat(1).device == before
    assert kinds(floor.report(1, locked=True)) == [BetMade, SeatProven]


def test_r6_a_bet_whose_lamp_never_lit_goes_back_when_the_pass_is_sealed():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2, 3, lit=False)
    floor.lock()
    fault, sealed = floor.lamp(2, Lamp.FAULT)

    assert (fault.locked, fault.refund) == (True, None)
    assert ([bet.seat for bet in sealed.bets], sealed.returned) == ([1], (Refund(2, cash=3_000),))
    assert (floor.seat(2).credits, floor.seat(2).giving_back, floor.seat(2).bet) == (3_000, 3, 0)
    floor.close_pass()
    assert (floor.seat(2).closed, floor.seat(2).closing) == ("luz", "")


def test_r25_a_void_hand_while_open_returns_the_bet_and_the_seat_may_bet_again():
    floor = Floor()
    floor.open_pass()
    floor.bet(1, 2)
    (void,) = floor.ask(ask.VoidHand(TABLE, 1, "carta vista", CARLA))

    assert (void.whole_pass, void.sealed, void.refunds, void.flow.parts) == (False, False, (Refund(1, cash=2_000),), {})
    assert (floor.seat(1).credits, floor.seat(1).giving_back, floor.pot().meters.undone) == (2_000, 2, 0)
    floor.report(1, voided=2)
    assert floor.seat(1).giving_back == 0
    assert kinds(floor.report(1, bets=1)) == [BetMade]


def test_r25_a_void_hand_while_locking_may_be_the_last_thing_the_seal_waits_for():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2, lit=False)
    floor.lock()
    assert floor.table().phase is Phase.LOCKING

    void, sealed = floor.ask(ask.VoidHand(TABLE, 2, "sin luz", CARLA))
    assert (kinds([void, sealed]), [bet.seat for bet in sealed.bets]) == ([HandsVoided, PassSealed], [1])


def test_r25_a_void_hand_while_locking_waits_for_the_others():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2)
    floor.ask(ask.Lock(TABLE))

    assert kinds(floor.ask(ask.VoidHand(TABLE, 2, "error", CARLA))) == [HandsVoided]
    assert floor.reason(ask.VoidHand(TABLE, 2, "otra vez", CARLA)) == "no_bet"
    assert kinds(floor.prove()) == [SeatProven, SeatProven, PassSealed]


@pytest.mark.parametrize("locked", [False, True])
def test_r25_a_void_pass_before_the_seal_returns_every_bet_and_is_over(locked):
    floor = Floor()
    floor.open_pass()
    floor.bet(1, 2)
    floor.bet(5, 4)
    if locked:
        floor.ask(ask.Lock(TABLE))
    (void,) = floor.ask(ask.VoidPass(TABLE, "baraja", JEFA))

    assert void.refunds == (Refund(1, cash=2_000), Refund(5, cash=4_000))
    assert (floor.at("bets:DP-01"), floor.at("credits:DP-01:5"), floor.table().phase) == (0, 4_000, Phase.BETWEEN)
    assert floor.pot().main == 5_000_000
    assert floor.reason(ask.VoidPass(TABLE, "otra vez", JEFA)) == "pass_not_open"


def test_r36_a_croupier_voids_a_hand_and_a_pass_with_a_reason():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)

    for asked in (ask.VoidPass, lambda table, *rest: ask.VoidHand(table, 1, *rest)):
        assert floor.reason(asked(TABLE, "x", ANA)) == "role_missing"
        assert floor.reason(asked(TABLE, " ", CARLA)) == "nothing_there"
    assert floor.ask(ask.VoidPass(TABLE, "x", CARLA))[0].whole_pass


def test_r30_the_hash_of_a_sealed_pass_says_node_table_pass_instant_and_every_bet():
    one, other, again = Floor(), Floor(), Floor()
    hashes = [floor.sealed(bets).closed for floor, bets in ((one, {1: 2}), (other, {1: 3}), (again, {1: 2}))]

    assert hashes[0] == hashes[2] != hashes[1]
    assert len(bytes.fromhex(hashes[0])) == 32
    one.close_pass()
    assert one.table().closed_hash == "" and one.sealed({1: 2}).closed != hashes[0]


def test_r9_tables_of_different_modalities_play_side_by_side_into_one_pot():
    floor = Floor()
    floor.open_pass()
    floor.open_pass("GO-01")
    floor.bet(1, 2)
    floor.bet(7, 3, "GO-01")
    floor.lock("GO-01")
    assert (floor.table().phase, floor.table("GO-01").phase) == (Phase.OPEN, Phase.SEALED)
    floor.lock()

    assert floor.pot(POT).meters.wagered == 5_000
