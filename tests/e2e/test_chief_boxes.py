"""Two boxes and one chief's tablet: real nodes, a real `pozo web` that reaches the other box over CURVE, and a real browser."""

import json
import re
import signal
import subprocess
import time

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.play.cable import free_port
from support.browser.boxes import faults_of_targets
from support.browser.casino import ANA, CARLA, JULIA, LUIS, MARIO, casino
from support.browser.chief import Chief
from support.browser.enrolling import enrolled
from support.browser.screen import TEN_INCH, chromium, screen
from support.browser.visitor import Visitor
from support.node.node_process import POZO

pytestmark = pytest.mark.process
BY = Signature("")
PATIENCE = 60_000
"""Milliseconds."""
OLD = '.box[data-box="norte"][data-old]'
TRUE = '.box[data-box="norte"]:not([data-old])'
GREY_WITHIN, BACK_WITHIN = 3.0, 3.0
BUSY = 8.0
"""Seconds more on a machine where other tests run; the figures are printed."""


def said(*words):
    return subprocess.run([POZO, *map(str, words)], capture_output=True, text=True, check=True).stdout


def key_in(text):
    return re.findall(r"\b[0-9a-f]{64}\b", text)[0], re.findall(r"huella (\S+)", text)[0]


def asked(far, *words):
    pins = far.place / "pins"
    pins.touch(0o600)
    pins.write_text("".join(f"{one.person} {one.pin}\n" for one in (JULIA, ANA)))
    more = ["--by", JULIA.person, "--second", ANA.person, "--pin-file", pins]
    command = [POZO, "peer", "web", far.place / "node.toml", *words, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def far():
    port = free_port()
    with casino(name="norte", more=f'[webs]\nlisten = "tcp://127.0.0.1:{port}"\n') as opened:
        key, _ = key_in(said("key", "show", opened.place / "node.toml"))
        opened.as_box = f'[[box]]\nname = "norte"\naddress = "tcp://127.0.0.1:{port}"\nkey = "{key}"\n'
        yield opened


@pytest.fixture(scope="module")
def near(far):
    with casino(boxes=far.as_box) as opened:
        yield opened


@pytest.fixture(scope="module")
def chief(near, far):
    with chromium() as browser, screen(browser, near.origin, TEN_INCH) as shown:
        enrolled(shown, "chief")
        shown.until_words("norte", "sin conexión con esta caja", "dp-01")
        let_in(near, far)
        shown.page.locator(TRUE).wait_for(timeout=PATIENCE)
        yield Chief(shown)


def let_in(near, far):
    key, print_ = key_in(said("web", near.place / "web.toml", "--key"))
    wrong = asked(
        far, "web-central", key, "--heard", print_, "--heard", print_[:-1] + ("0" if print_[-1] != "0" else "1")
    )
    assert wrong.returncode
    assert "oyó la persona 2" in wrong.stderr
    done = asked(far, "web-central", key, "--heard", print_, "--heard", print_)
    assert done.returncode == 0, done.stderr


def cards(chief, box):
    return chief.page.locator(f'.box[data-box="{box}"] .table-card .name').all_inner_texts()


def seconds_until(chief, selector):
    at = time.monotonic()
    chief.page.locator(selector).wait_for(timeout=PATIENCE)
    return time.monotonic() - at


def test_both_boxes_stand_on_one_floor_and_an_award_of_the_far_one_is_confirmed_there(near, far, chief):
    assert cards(chief, "central") == cards(chief, "norte") == ["CP-01", "DP-01", "TX-01"]
    far.sealed("DP-01", s3=2)
    far.ask(ask.RegisterClaim("DP-01", (Hand(3, claimed="full"),), BY), CARLA)
    [award] = far.awards("DP-01")
    chief.screen.until_words("norte · dp-01 · posición 3 · full")
    chief.screen.picture("chief-boxes")
    assert not chief.screen.seen().overflows
    assert faults_of_targets(chief.screen.seen().targets, chief.screen.glass.millimetre) == []
    chief.award("norte", "DP-01")
    chief.signs(MARIO)
    far.until(lambda view: any(one.award == award and one.confirmed for pot in view.pots for one in pot.awards))
    assert far.facts("award_confirmed")[-1]["by"] == "mario"
    assert near.facts("award_confirmed") == []
    far.between("DP-01")


def test_a_preview_a_rejection_and_a_day_are_the_far_boxes_own(near, far, chief):
    far.sealed("DP-01", s4=1)
    far.ask(ask.RegisterClaim("DP-01", (Hand(4, claimed="color"),), BY), CARLA)
    chief.screen.until_words("norte · dp-01 · posición 4 · color")
    chief.award("norte", "DP-01")
    chief.does("Rechazar")
    chief.looks_at_the_table()
    chief.page.get_by_role("button", name="Jugada equivocada").tap()
    chief.screen.until_words("se anula")
    chief.signs(JULIA, LUIS)
    far.until(lambda view: not any(pot.awards for pot in view.pots))
    assert (far.facts("claim_corrected")[-1]["by"], near.facts("claim_corrected")) == ("julia", [])


def test_a_table_of_the_far_box_is_opened_by_its_own_name(near, far, chief):
    far.sealed("TX-01", s1=1)
    chief.page.locator('.box[data-box="norte"] .table-card[data-phase=sealed]', has_text="TX-01").wait_for(
        timeout=PATIENCE
    )
    assert chief.page.locator('.box[data-box="central"] .table-card[data-phase=between]', has_text="TX-01").count() == 1
    far.between("TX-01")


def test_only_a_chiefs_terminal_looks_at_other_boxes_and_asks_there(near, far, chief):
    table = Visitor(near.origin, "consola-x")
    assert table.enrols("table", "DP-01", ANA, JULIA).status == 200
    assert table.says_hello().status == 200
    assert table.get("whole?scope=floor:norte").status == 403
    assert table.get("box/norte/house").status == 403
    assert table.get("box/sur/house").status == 404
    assert not table.get("house").body.get("boxes")


def test_a_box_that_stands_still_is_grey_alone_and_true_again_when_it_goes_on(near, far, chief):
    far.node.process.send_signal(signal.SIGSTOP)
    grey = seconds_until(chief, OLD)
    chief.screen.until_words("sin conexión", "norte · sin conexión con esta caja")
    assert chief.page.locator('.box[data-box="central"][data-old]').count() == 0
    chief.screen.picture("chief-boxes-cut")
    near.buy("DP-01", s1=1)
    far.node.process.send_signal(signal.SIGCONT)
    back = seconds_until(chief, TRUE)
    print(f"stopped: grey after {grey:.2f} s, back after {back:.2f} s")
    assert grey < GREY_WITHIN + BUSY
    assert back < BACK_WITHIN + BUSY


def test_a_far_node_that_is_killed_is_grey_and_its_true_picture_comes_back_with_it(near, far, chief):
    far.sealed("DP-01", s2=1)
    far.ask(ask.RegisterClaim("DP-01", (Hand(2, claimed="full"),), BY), CARLA)
    chief.screen.until_words("norte · dp-01 · posición 2 · full")
    at = time.monotonic()
    far.kill_node()
    grey = seconds_until(chief, OLD)
    print(f"killed: grey after {time.monotonic() - at:.2f} s")
    assert grey < GREY_WITHIN + BUSY
    far.start_node()
    back = seconds_until(chief, TRUE)
    print(f"started: back {back:.2f} s after its units are met")
    assert back < BACK_WITHIN + BUSY
    chief.screen.until_words("norte · dp-01 · posición 2 · full")
    far.between("DP-01")


def test_the_own_node_that_is_killed_leaves_the_far_box_to_be_worked_at(near, far, chief):
    near.kill_node()
    chief.page.locator('.box[data-box="central"][data-old]').wait_for(timeout=PATIENCE)
    far.sealed("DP-01", s5=1)
    far.ask(ask.RegisterClaim("DP-01", (Hand(5, claimed="full"),), BY), CARLA)
    chief.screen.until_words("norte · dp-01 · posición 5 · full")
    chief.award("norte", "posición 5")
    chief.signs(MARIO)
    far.until(lambda view: all(one.confirmed for pot in view.pots for one in pot.awards))
    near.start_node()
    chief.page.locator('.box[data-box="central"]:not([data-old])').wait_for(timeout=PATIENCE)
    far.between("DP-01")


def test_r36_a_web_that_one_sends_away_sees_nothing_more_of_that_box(near, far, chief):
    far.ask(ask.WithdrawTerminal("web-central", "se cambia", BY), JULIA)
    chief.page.locator(OLD).wait_for(timeout=PATIENCE)
    answers = {one["event"] for one in map(json.loads, (far.place / "node.log").read_text().splitlines())}
    assert {"web_came", "web_went"} <= answers
    let_in(near, far)
    chief.page.locator(TRUE).wait_for(timeout=PATIENCE)
