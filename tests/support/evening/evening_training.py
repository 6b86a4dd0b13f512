"""Training on the real units, with nobody's money: at DP-01 before the day, and at CP-01 while DP-01 is in play."""

from msgspec.structs import replace

from controller.core.values import Hand
from controller.core.view import SignView
from controller.node.vocabulary.protocol import Deed, NodeView
from support.evening.evening_draw import awards
from support.evening.evening_house import ANA, BY, CARLA, JEFE, House, ask, pot_of, table_of, until

FULL = ("Tc", "Td", "Th", "4s", "4c")


def copy_of(view: NodeView) -> SignView:
    """The pot of the training, which has the name of its table."""
    return next(sign for sign in view.pots if sign.training)


def a_table_trains(house: House) -> None:
    """Everything as in play, by the same hands on the same buttons; the pot is the table's own copy."""
    desk, before = house["DP-01"], house.balances()
    shown = house.pot("estelar")
    assert house.refuses(ask.StartTraining("DP-01", BY, BY), JEFE, CARLA) == "role_missing"
    told = house.told("entrenamiento", "DP-01", "empezar", by=CARLA, second=JEFE)
    assert told == ["Mesa DP-01: entrenamiento; nada de esto es dinero."]
    house.ask(ask.BuyCredits("DP-01", 2, 8, BY), CARLA)
    until(lambda: desk.seat(2).shows, "8")
    desk.do("console unlock")
    house.open("DP-01")
    desk.bet({2: 3})
    desk.do("console lock")
    house.phase("DP-01", "sealed")
    (claim,) = house.ask(ask.RegisterClaim("DP-01", (Hand(2, cards=FULL),), BY), CARLA)
    assert awards(claim) == [(2, "full", 500_000)]
    assert any("ENTRENAMIENTO" in line for line in house.told("estado", "DP-01"))

    view = house.until(lambda view: copy_of(view).awards)
    assert (copy_of(view).pot, copy_of(view).main) == ("DP-01", 5_003_600 - 500_000)
    estelar = pot_of(view, "estelar")
    assert estelar.trains == ("DP-01",)
    assert replace(estelar, trains=()) == shown, "no pot, no meter, no award"
    house.sign_shows("$5.000.000")
    assert not [text for text in house.shown if "VERIFICACION" in text or "+$" in text]
    live = {account: amount for account, amount in house.balances().items() if "~" not in account}
    assert live == before


def training_leaves_nothing_behind(house: House) -> None:
    """What stood on the units goes; the passes of the record are those of play."""
    desk = house["DP-01"]
    house.ask(ask.ClosePass("DP-01", BY), CARLA)
    assert desk.seat(2).shows == "3"
    house.ask(ask.EndTraining("DP-01", BY), JEFE)
    until(lambda: desk.seat(2).shows, "0")
    view = house.until(lambda view: not any(sign.training for sign in view.pots))
    table = table_of(view, "DP-01")
    assert (table.training, table.number, pot_of(view, "estelar").main) == (False, 0, 5_000_000)
    assert not [account for account in house.balances() if "~" in account]


def another_table_trains_while_players_wait(house: House) -> None:
    """Not on a player's credits; those of another table stay as they are. Chips of training are in the book of none."""
    slots, desk, before = house["CP-01"], house["DP-01"], house.balances()
    assert house.refuses(ask.StartTraining("DP-01", BY, BY), JEFE, ANA) == "money_on_table"
    house.up("CP-01")
    house.ask(ask.StartTraining("CP-01", BY, BY), JEFE, ANA)
    house.do(Deed.UNLOCK, CARLA, table="CP-01")
    until(lambda: slots.seat(7).gate, "open")
    slots.drop(7, 2)
    until(lambda: slots.lit, {7})
    house.ask(ask.Lock("CP-01", BY), CARLA)
    house.phase("CP-01", "sealed")
    sealed = house.facts("pass_sealed")[-1]
    assert (sealed["table"], [bet["amount"] for bet in sealed["bets"]]) == ("~CP-01", [2_000])
    house.ask(ask.ClosePass("CP-01", BY), CARLA)
    house.ask(ask.EndTraining("CP-01", BY), JEFE)
    assert house.balances() == before
    assert [desk.seat(number).shows for number in (1, 2, 3, 4)] == ["10", "5", "3", "5"]
