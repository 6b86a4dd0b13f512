"""Beside the real node: a press of a finger is seen by a browser, a node that was killed is seen as it is, and the web is nobody's loss."""

import signal
import sys
import time

import pytest

from controller.core import inputs as ask
from controller.node.vocabulary.protocol import Deed
from support.node.node_process import CARLA, JEFE, casino, founded, today
from support.web.web_process import OPEN, web_process

pytestmark = pytest.mark.process

TABLE = "table:DP-01"
COMMAND = (sys.executable, "-c", OPEN)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    made = tmp_path_factory.mktemp("template")
    founded(made)
    return made


@pytest.fixture
def floor(template):
    with casino(template) as place:
        yield place


@pytest.fixture
def web(floor):
    with web_process(floor.place / "w", floor.place / "control", command=COMMAND) as served:
        yield served


def opened(node):
    node.ready()
    node.up()
    assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
    assert all(node.ask(ask.BuyCredits("DP-01", seat, 9, None), CARLA).ok for seat in (3, 4))
    assert node.do(Deed.UNLOCK, CARLA, table="DP-01").ok
    node.until(
        lambda view: (
            view.tables[0].phase == "open"
            and not any(seat.locked for seat in view.seats)
            and [view.seats[at].credits for at in (2, 3)] == [9, 9]
        )
    )


def test_a_finger_at_a_seat_is_seen_by_a_browser_and_a_node_that_was_killed_is_seen_as_it_is(floor, web):
    node = floor.start()
    opened(node)
    with web.stream(TABLE) as stream:
        stream.until(lambda browser: browser.known)
        floor.desk("seat 3 press 2")
        seat = lambda: stream.browser.known[TABLE]["seat/DP-01/3"]
        stream.until(lambda _: seat()["bet"] == 2_000)
        assert stream.browser.known[TABLE]["pot/pozo-estelar"]["main"] >= 5_000_000

        node.end(signal.SIGKILL)
        stream.until(lambda browser: not browser.beats[-1]["node"])
        assert seat()["bet"] == 2_000, "it shows what it knew"
        wholes = stream.browser.wholes
        again = floor.start()
        again.ready()
        began = time.monotonic()
        stream.until(lambda browser: browser.beats[-1]["node"] and browser.wholes > wholes)
        assert time.monotonic() - began < 3
        again.up()
        stream.until(lambda _: seat().get("health") == "up")
        now = again.do(Deed.STATE).state  # of a bet the unit decides: locked alone for three seconds, it gave it back
        stream.until(lambda _: seat()["bet"] == now.tables[0].seats[2].bet and seat()["unit_bet"] == now.seats[2].bet)
        assert "defect" not in web.said()


def test_no_table_notices_that_the_web_hangs_or_dies(floor, web):
    node = floor.start()
    opened(node)
    with web.stream(TABLE) as stream:
        stream.until(lambda browser: browser.known)
        web.process.send_signal(signal.SIGSTOP)
        floor.desk("seat 3 press 1")
        node.until(lambda view: view.tables[0].seats[2].bet == 1_000)
        web.process.send_signal(signal.SIGCONT)
        stream.until(lambda browser: browser.known[TABLE]["seat/DP-01/3"]["bet"] == 1_000)
    web.process.kill()
    floor.desk("seat 4 press 1")
    node.until(lambda view: view.tables[0].seats[3].bet == 1_000)
    assert node.ask(ask.Lock("DP-01", None), CARLA).ok
