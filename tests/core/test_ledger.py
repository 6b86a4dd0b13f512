"""State and ledger, each made of the facts by its own functions: when one of them is wrong it shows (design.md, Money)."""

import pytest
from msgspec.structs import replace

from controller.core import accounts
from controller.core import inputs as ask
from controller.core.accounts import Posting, refuse_bounds
from controller.core.facts import CreditsBought, NothingNew
from controller.core.invariants import balances_of, difference
from controller.core.ledger import postings
from controller.core.state import State, with_pot, with_seat
from support.floor.floor import CARLA, JEFA, LUIS, TABLE, Floor, plan


def floor_with_everything():
    floor = Floor(plan(alone=10**9))
    floor.hear_promo(2, 3_000)
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, "full"))
    floor.report(3, chips=2)
    floor.open_pass("GO-01")
    floor.bet(1, 2, "GO-01")
    floor.buy(4, 3)
    floor.ask(ask.CountSeat(TABLE, 4, 2_500, JEFA, LUIS))
    floor.ask(ask.LeaveCredits(TABLE, 2, JEFA, LUIS))
    return floor


def test_r27_what_the_state_implies_is_what_the_ledger_says():
    floor = floor_with_everything()
    implied = balances_of(floor.state)

    assert {name: amount for name, amount in implied.items() if amount} == {
        "pot:pozo:main": 5_002_880 - 200_000,
        "pot:pozo:reserva": 320,
        "held:pozo": 200_000,
        "bets:GO-01": 2_000,
        "owed:DP-01:3": 2_000,
        "credits:DP-01:4": 2_500,
        "suspense:DP-01": 500,
        "left:DP-01": 2_000,
    }
    assert all(floor.at(name) == amount for name, amount in implied.items())


def test_r27_one_unit_too_much_anywhere_is_found():
    floor = floor_with_everything()
    for account in balances_of(floor.state):
        wrong = {**floor.balances, account: floor.at(account) + 1}
        assert difference(floor.state, wrong).startswith(f"{account}: ")
    assert difference(floor.state, {**floor.balances, "cash:DP-01": 7}).startswith("las cuentas suman")
    assert difference(State(), {}) == ""


def test_r27_a_state_that_moved_without_its_lines_is_found():
    floor = floor_with_everything()
    table = floor.table()
    richer = with_seat(floor.state, table, replace(table.seat(6), credits=1_000))

    assert difference(richer, floor.balances) == "credits:DP-01:6: 0 en el libro, 1000 en el estado"


def test_r18_an_account_that_leaves_its_bounds_halts():
    floor = Floor()
    line = Posting("pot:pozo:main", -1, "award")
    refuse_bounds({"pot:pozo:main": 0}, [line])
    refuse_bounds(
        {"house:pozo:central": -5, "suspense:X": -1, "cash:X": -9}, [Posting("house:pozo:central", -5, "base")]
    )

    with pytest.raises(AssertionError, match="pot:pozo:main below zero"):
        refuse_bounds({"pot:pozo:main": -1}, [line])
    with pytest.raises(AssertionError, match="R-18"):
        with_pot(floor.state, replace(floor.pot(), main=-1))


def test_r27_facts_without_money_have_no_lines_and_lines_of_nothing_are_left_out():
    assert postings(NothingNew("x")) == ()
    floor = Floor()
    (void,) = floor.ask(ask.BuyCredits(TABLE, 1, 1, CARLA))
    assert [line.amount for line in postings(void)] == [-1_000, 1_000]

    with pytest.raises(AssertionError, match="R-1"):
        postings(CreditsBought(TABLE, 1, 0, "carla"))


def test_every_account_says_what_it_is_and_whose():
    assert [accounts.cash("T"), accounts.bets("T"), accounts.left("T"), accounts.suspense("T")] == [
        "cash:T",
        "bets:T",
        "left:T",
        "suspense:T",
    ]
    assert accounts.of_casino("paid", "p", "c") == "paid:p:c"
