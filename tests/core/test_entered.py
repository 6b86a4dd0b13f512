"""R-32: hands are entered for seats that bet; who lost his bet to his lamp is told apart from who made none (R-6)."""

import pytest
from msgspec.structs import replace

from controller.core import facts as said
from controller.core import inputs as ask
from controller.core.values import Hand, Lamp
from support.floor.floor import CARLA, JEFA, ROYAL, TABLE, TITO, Floor


def refused(floor, *hands, number=0):
    """The refusal of an entry, of which nothing is on record but itself."""
    before = floor.balances.copy(), floor.state.claims, floor.table()
    (fact,) = floor.ask(ask.RegisterClaim(TABLE, hands, CARLA, (), number))
    assert isinstance(fact, said.Refused), fact
    assert (floor.balances, floor.state.claims, floor.table()) == before
    return fact


def reasons(fact):
    return {one.seat: one.reason for one in fact.unpaid}


def listed(*seats):
    return tuple(Hand(seat, ("folded",)) for seat in seats)


@pytest.fixture
def floor():
    """Seats 1 and 3 have a valid bet, seat 5 lost his while betting was open, seat 6 at the seal; 2 and 4 made none."""
    floor = Floor()
    floor.open_pass()
    for seat in (1, 3, 5):
        floor.bet(seat)
    floor.lamp(5, Lamp.FAULT)
    floor.bet(6, lit=False)
    floor.lock()
    floor.lamp(6, Lamp.FAULT)
    assert floor.table().phase == "sealed"
    return floor


@pytest.mark.parametrize("hand", [Hand(2, claimed="full"), Hand(2, cards=ROYAL), Hand(2, ("folded",), ROYAL)])
def test_r32_a_hand_for_a_seat_without_a_bet_refuses_the_whole_entry_and_names_who_has_one(floor, hand):
    fact = refused(floor, Hand(1, claimed="full"), hand)

    assert (fact.reason, fact.rule, fact.where) == ("seat_did_not_bet", "R-32", "hands[1]")
    assert fact.message == (
        "La posición 2 no apostó en este pase: no se anotó nada. Apuesta válida tienen: 1, 3. Revise la posición."
    )
    assert floor.claim((1, "full"))[0].awards, "the right entry is taken"


@pytest.mark.parametrize("seat", [5, 6])
def test_r6_r32_a_hand_for_a_seat_whose_lamp_was_not_lit_says_that(floor, seat):
    assert "apostó, pero su luz no valió (R-6)" in refused(floor, Hand(seat, claimed="color")).message


def test_r32_where_nobody_bet_the_refusal_says_that_too():
    floor = Floor()
    floor.open_pass()
    floor.lock()

    assert "tienen: ninguna." in refused(floor, Hand(1, claimed="color")).message


def test_r6_r32_seats_that_are_merely_listed_are_unpaid_for_what_they_lack(floor):
    (fact,) = floor.ask(ask.RegisterClaim(TABLE, (Hand(1, claimed="full"), *listed(2, 3, 5, 6)), CARLA))

    assert reasons(fact) == {2: "no_bet", 3: "folded", 5: "lamp", 6: "lamp"}
    assert [award.seat for award in fact.awards] == [1]


def test_r8_r32_a_forfeited_seat_is_unpaid_and_not_refused_whatever_was_entered(floor):
    (fact,) = floor.ask(ask.RegisterClaim(TABLE, (Hand(1, ("folded",), claimed="full"),), CARLA))

    assert reasons(fact) == {1: "folded", 3: "no_claim"}


def test_r7_r32_a_seat_that_does_not_exist_is_said_to_be_none(floor):
    assert refused(floor, Hand(9, claimed="full")).reason == "seat_unknown"


def test_r6_the_seal_says_whose_bet_had_gone_back_for_his_lamp(floor):
    (seal,) = floor.heard(said.PassSealed)

    assert (seal.dark, [one.seat for one in seal.returned]) == ((5,), [6])
    assert floor.table().dark == (5, 6)
    floor.close_pass()
    assert floor.table().dark == ()
    floor.open_pass()
    floor.bet(1)
    assert floor.lock()[-1].dark == ()


def closed_in_the_open(why):
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2)
    floor.ask(ask.CloseSeat(TABLE, 2, why, CARLA))
    floor.lock()
    return floor


def test_r6_r32_a_seat_that_was_closed_for_its_lamp_lost_its_bet_to_it():
    assert closed_in_the_open("luz").table().dark == (2,)


def test_r32_a_seat_that_was_closed_for_anything_else_has_no_bet():
    floor = closed_in_the_open("el aceptor no responde")

    assert floor.table().dark == ()
    assert reasons(floor.ask(ask.RegisterClaim(TABLE, listed(2), CARLA))[0]) == {1: "no_claim", 2: "no_bet"}


def test_r6_a_seat_without_a_bet_whose_lamp_fails_lost_none():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.lamp(2, Lamp.FAULT)
    floor.lock()

    assert floor.seat(2).closed and floor.table().dark == ()


def test_r6_r32_who_bets_again_when_his_lamp_was_mended_wins_like_anybody():
    floor = Floor()
    floor.open_pass()
    floor.bet(2)
    floor.lamp(2, Lamp.FAULT)
    floor.ask(ask.OpenSeat(TABLE, 2, TITO))
    floor.report(2, voided=2)
    floor.report(2, bets=2)
    floor.lamp(2)
    floor.lock()

    assert [award.seat for award in floor.claim((2, "full"))[0].awards] == [2]


def test_r32_r35_hands_of_a_pass_that_was_closed_are_for_seats_that_bet_in_it(floor):
    floor.close_pass()
    fact = refused(floor, Hand(5, claimed="full"), number=1)
    assert (fact.reason, "apostó, pero su luz" in fact.message) == ("seat_did_not_bet", True)
    (fact,) = floor.ask(ask.CorrectClaim(TABLE, 1, (Hand(2, claimed="full"),), "cámara", CARLA, JEFA, recording="G-1"))
    assert (fact.reason, "tienen: 1, 3." in fact.message) == ("seat_did_not_bet", True)

    (fact,) = floor.ask(ask.RegisterClaim(TABLE, (Hand(1, claimed="full"), *listed(2, 5, 6)), CARLA, (), 1))

    assert isinstance(fact, said.ClaimCorrected)
    assert reasons(fact) == {2: "no_bet", 3: "no_claim", 5: "lamp", 6: "lamp"}


def test_r6_what_the_first_reading_did_not_ask_is_not_remembered_of_its_passes():
    """So that a state that was read from a snapshot of its day is the same as one that was played."""
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2)
    floor.state = replace(floor.state, reading=1)
    floor.lamp(2, Lamp.FAULT)
    floor.state = replace(floor.state, reading=2)

    assert floor.lock()[-1].dark == ()
    assert reasons(floor.ask(ask.RegisterClaim(TABLE, listed(2), CARLA))[0]) == {1: "no_claim", 2: "no_bet"}
