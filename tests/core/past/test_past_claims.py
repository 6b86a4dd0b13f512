"""R-29, R-34: the claims of a pot's past: what their names say, and what the record knows of them."""

import pytest

from controller.core import inputs as ask
from controller.core.past.claims import Granted, PastClaim, pass_of, prize_of
from controller.core.values import RegisteredAward
from support.floor.floor import JEFA, JEFE, TABLE, Floor, plan, prize
from support.floor.told import told

PRIZE = "DP-01/1/p1"


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("DP-01/1/1", (TABLE, 1)),
        ("DP-01/12/p1-2", (TABLE, 12)),
        ("DP-01/1/1/1", (TABLE, 1)),
        (f"DP-01/{'9' * 15}/1", (TABLE, 999_999_999_999_999)),
        (f"DP-01/{'9' * 16}/1", None),
        ("DP-01", None),
        ("DP-01/1", None),
        ("DP-01//1", None),
        ("/1/1", None),
        ("DP-01/uno/1", None),
        ("DP-01/²/1", None),
        ("DP-01/٣/1", None),
    ],
    ids=["a claim", "a prize", "an award", "a long number", "too long a number", "a table", "a pass", "no number",
         "no table", "a word", "an exponent", "other digits"],
)  # fmt: skip
def test_r34_a_claim_is_named_after_its_pass(name, of):
    assert pass_of(name) == of


@pytest.mark.parametrize("name", ["DP-01/1/p1", "DP-01/1/p1-2", "p1"])
def test_r29_a_prize_that_is_granted_again_is_the_same_prize_of_the_plan(name):
    assert prize_of(name) == "p1"


def test_r29_the_record_knows_whose_a_prize_was_and_since_when():
    floor = Floor(plan(prizes=[prize("Jugador")]))
    floor.sealed({1: 2, 2: 2})
    floor.draw("Jugador", seat=2)
    inquiry = told(floor.state, ask.RejectClaim(PRIZE, "x", JEFA, JEFE), floor.record)

    award = RegisteredAward(1, 2, "Jugador", 15_000)
    assert inquiry.claims == {PRIZE: PastClaim(TABLE, 1, "central", floor.now, {f"{PRIZE}/1": Granted(award)})}
