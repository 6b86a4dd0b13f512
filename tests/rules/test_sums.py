"""The sums that the rules assert do bite: a peso that a broken part makes or loses halts at the function that owns the sum."""

import pytest
from rules.test_settlement import RULESETS, UNIT, pot_of, wins_of

from controller.rules import accrual, pot, reversal, settlement
from controller.rules.accrual import Shares, contribute, no_carries
from controller.rules.approval import refuse_without_two
from controller.rules.money import Money, Ppm
from controller.rules.readings import Readings
from controller.rules.reversal import BookedBet, void_bets
from controller.rules.settlement import settle

LAW = RULESETS["scj-2023"]
POT = pot_of(10_000_000, reserva=500_000)
SPLIT = Shares(Ppm(200_000), (Ppm(100_000),))
LOST = -1


def drawing(peso):
    """A `draw` whose pot has a peso more or less than what was drawn leaves in it."""

    def draw(from_, amount, backing):
        sources, after = pot.draw(from_, amount, backing)
        return sources, after._replace(main=Money(after.main + peso))

    return draw


@pytest.mark.parametrize("peso", [LOST, 1])
@pytest.mark.parametrize("winners", ["3 C", "1 C, 2 F, 5 P", "2 EC", "1 C, 2 EC"])
def test_r15_r18_a_settlement_that_makes_or_loses_a_peso_halts(monkeypatch, peso, winners):
    monkeypatch.setattr(settlement, "draw", drawing(peso))

    with pytest.raises(AssertionError, match="R-18"):
        settle(LAW, POT, wins_of(winners), UNIT)


def test_r7_r13_two_hands_of_one_seat_and_winners_out_of_order_halt(monkeypatch):
    with pytest.raises(AssertionError, match="R-7"):
        settle(LAW, POT, wins_of("2 C, 2 F"), UNIT)
    monkeypatch.setattr(settlement, "shared_prize", lambda *given: [])
    with pytest.raises(AssertionError, match="R-13"):
        settle(LAW, POT, wins_of("2 EC"), UNIT)


def test_r22_a_bet_of_which_a_peso_is_missing_halts(monkeypatch):
    kept = accrual.allot

    def allot(reserves, carries, net):
        given, main, left = kept(reserves, carries, net)
        return given, Money(main + LOST), left

    monkeypatch.setattr(accrual, "allot", allot)
    with pytest.raises(AssertionError, match="R-22"):
        contribute(SPLIT, no_carries(SPLIT), Money(1_000))


def test_r25_a_void_that_loses_a_peso_halts(monkeypatch):
    monkeypatch.setattr(reversal, "draw", drawing(LOST))

    with pytest.raises(AssertionError, match="R-25"):
        void_bets(Readings(), SPLIT, no_carries(SPLIT), POT, [BookedBet(1, Money(1_000))])


def test_r26_the_letters_of_one_name_are_not_two_persons():
    with pytest.raises(AssertionError, match="R-26"):
        refuse_without_two("ana", "second")
