"""R-34, R-35 at the live console: it offers what was forgotten, says which pass it is, and what a rejection costs."""

import json

import pytest
from msgspec.structs import replace

from controller.ctl.console import TableConsole
from controller.ctl.picture import picture
from controller.ctl.words import state_lines
from controller.node.control.client import Client
from controller.node.vocabulary.protocol import InquiryNow
from support.node import ctl_engine
from support.node.straight import F2, F3, F4, Straight, seen, typed

pytestmark = pytest.mark.process


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def desk(node):
    with Client(node.control_folder) as client:
        yield TableConsole(Straight(node, client), "M1", lambda: None)


@pytest.fixture
def ended(desk, node):
    """A pass that was ended by F2 before anybody entered its hands."""
    typed(desk, F2, "carla", "333333", "cr 1 10", "cr 3 10")
    node.during(lambda: node.press("M1", 1, 4))
    node.during(lambda: node.press("M1", 3, 4))
    typed(desk, F3)
    node.during(lambda: node.prove("M1"))
    typed(desk, F2)
    return desk


def test_a_pass_without_winners_is_asked_nothing_and_says_that_all_was_reviewed(ended):
    assert "pase 1 terminado por carla; todas las manos revisadas" in seen(ended)
    assert ended.question is None


def test_after_f2_the_console_offers_the_winner_and_says_of_which_pass(ended, node):
    assert "F4 ganadora del pase 1" in seen(ended)

    ended.press(F4)
    typed(ended, "3 full")

    assert "Pase 1, recién terminado." in seen(ended) and "3: Full" in seen(ended)
    assert ended.question.text.startswith("¿Es esto?")
    typed(ended, "")
    assert "posición 3: Full, se le deben $ 200.000" in seen(ended)
    assert node.book.state.claims["M1/1/1"].by == "carla"


def test_a_correction_asks_what_was_wrong_and_is_not_asked_for_without_a_reason(ended):
    typed(ended, "corregir 1 1 color; 3 full", "", "")
    assert "Falta el motivo; no se pidió nada." in seen(ended)

    typed(ended, "corregir 1 1 color; 3 full", "", "nadie las anotó")
    assert "queda como fue (nadie las anotó)" in seen(ended)


def test_one_of_an_older_pass_asks_for_the_recording_and_for_two(ended, node):
    for seat in (1, 3):
        node.during(lambda seat=seat: node.press("M1", seat, 2))
    typed(ended, F3)
    node.during(lambda: node.prove("M1"))

    typed(ended, "usuario jefe", "corregir M1/1/1 3 8c 8d 8t 9c 9d", "", "nadie la anotó")
    assert ended.question.text.startswith("Número de la grabación")
    typed(ended, "C7-11", "444444", "jefa", "555555")

    assert "posición 3: Full, se le deben $ 200.000" in seen(ended) and "se puede pagar" in seen(ended)
    [corrected] = [fact for fact in facts(node) if fact["kind"] == "claim_corrected"]
    assert (corrected["recording"], corrected.get("resolution", ""), corrected["second"]) == ("C7-11", "", "jefa")


def test_without_a_recording_the_resolution_is_asked(ended, node):
    node.during(lambda: node.press("M1", 1, 2))
    typed(ended, F3)
    node.during(lambda: node.prove("M1"))

    typed(ended, "usuario jefe", "corregir 1 3 8c 8d 8t 9c 9d", "", "nadie la anotó", "")
    assert ended.question.text.startswith("Resolución de la autoridad")
    typed(ended, "Res. 12", "444444", "jefa", "555555")

    assert [fact["resolution"] for fact in facts(node) if fact["kind"] == "claim_corrected"] == ["Res. 12"]


def test_a_rejection_says_what_the_house_loses_and_enter_is_no(ended, node):
    typed(ended, F4 + b"1 color; 3 full\r", "", "k 1/1", "jefe", "444444", "p 1/1")
    before = node.book.seq

    typed(ended, "x 1/2 las dos eran de otro pase")
    assert "ya se pagaron $ 100.000; los pierde la casa." in seen(ended)
    typed(ended, "")
    assert "No se rechazó nada." in seen(ended) and node.book.seq == before

    typed(ended, "x 1/2 las dos eran de otro pase", "s", "jefe", "444444", "jefa", "555555")
    assert "$ 100.000 los pierde la casa" in seen(ended)


def test_a_long_reading_is_seen_while_the_table_plays_on(node):
    view = replace(node.view(), inquiries=(InquiryNow("ab" * 16, "M1", 43),))

    rows = picture(view, "M1", "jefe", 80, 24, silent=False)
    assert any("Revisando el registro: 43 %" in cell.text for row in rows for cell in row)
    assert "mesa M1: Revisando el registro: 43 %" in list(state_lines(view))


def facts(node):
    return [json.loads(row.body)["fact"] for row in node.book.store.facts(1)]


def test_a_pass_that_was_void_before_its_lock_does_not_hide_the_one_before(ended, node):
    """Nothing was sealed since: the winner of pass 1 is still entered alone."""
    typed(ended, "ap barajado mal")
    assert "E N T R E" in seen(ended)

    typed(ended, "m 3 full", "")
    assert "Pase 1, recién terminado." in seen(ended)
    assert "posición 3: Full, se le deben $ 200.000" in seen(ended)
