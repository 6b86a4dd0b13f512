"""What a terminal says of seats whose unit came back in an open pass (devices.md 2.4, 2.6)."""

import pytest
from msgspec.structs import replace

from controller.core.values import Phase
from controller.ctl.intent import OrderPlace, make
from controller.ctl.orders import BY_NAME
from controller.ctl.picture import picture
from controller.ctl.words import state_lines
from controller.node.vocabulary.protocol import Health, UnitNow, Waits
from support.node.demo_views import now_at, seat, view

WHY = "se bloqueó con una apuesta en pie: esa vale, y no toma otra hasta el próximo pase"


def shown(waits, bet=0):
    now = replace(now_at(3, locked=True), waits=waits)
    unit = UnitNow("dp", 1, "DP-01", "table", (3, 4), Health.UP, WHY if waits else "")
    return view(Phase.OPEN, seats=[seat(3, bet=bet)], now=[now], units=[unit])


@pytest.mark.parametrize("words", [("abrir-posicion", "3"), ("creditos", "3", "5")])
@pytest.mark.parametrize(
    ("waits", "told"), [(Waits.NEXT, "hasta el próximo pase"), (Waits.BUTTON, "«abrir»"), (Waits.NOTHING, "")]
)
def test_who_opens_a_seat_or_sells_to_it_hears_what_it_waits_for(words, waits, told):
    wanted = make(BY_NAME[words[0]], OrderPlace("DP-01", shown(waits)), words[1:])

    assert told in wanted.told and bool(told) is bool(wanted.told)


def test_the_state_of_a_node_says_what_a_device_that_answers_waits_for():
    told = "\n".join(state_lines(shown(Waits.NEXT), "DP-01"))

    assert f"aparato dp/1 (mesa DP-01, posición 3, 4): {WHY}" in told
    assert "aparato" not in "\n".join(state_lines(shown(Waits.NOTHING), "DP-01"))


@pytest.mark.parametrize(
    ("waits", "bet", "word"),
    [(Waits.NEXT, 0, "próx. pase"), (Waits.NEXT, 1_000, "bloqueada"), (Waits.BUTTON, 0, "bloqueada")],
)
def test_a_seat_of_the_picture_says_that_it_waits_for_the_next_pass(waits, bet, word):
    rows = picture(shown(waits, bet), "DP-01", "carla", 100, 40, silent=False)

    assert word in "\n".join("".join(cell.text for cell in row) for row in rows)
