"""Every order that a person can give to a seat out of play leads out or says what to do, and the page says so (R-6)."""

import pytest

from support.floor.closed_seats import CAUSES, HEAD, ORDERS, leads_out, rows, section
from support.places import ROOT

PAGE = ROOT / "docs/operators/closed-seats.md"
TAKES_LEAVE = "abrir-posicion"  # the order that promises most


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.name)
def test_each_cell_of_the_page_is_what_happens(cause):
    """Made anew with: PYTHONPATH=tests python -m support.floor.closed_seats > docs/operators/closed-seats.md"""
    told = list(rows(cause))
    assert section(cause, told) in PAGE.read_text()
    assert [order for order, _ in told] == list(ORDERS)
    for order, said in told:
        assert said.startswith(("no: ", "hecho; ")) and len(said) > len("hecho; "), order
    opened = dict(told)[TAKES_LEAVE]
    assert "cerrada" not in opened or opened.startswith("no: ") or "Antes dijo" in opened


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.name)
def test_the_way_out_that_the_page_names_leads_to_a_bet_whose_lamp_is_lit(cause):
    assert leads_out(cause)


def test_the_page_has_these_causes_and_no_others():
    text = PAGE.read_text()

    assert text.startswith(HEAD) and text.count("\n## ") == len(CAUSES)
    assert "(closed-seats.md)" in (ROOT / "docs/operators/operations.md").read_text()
