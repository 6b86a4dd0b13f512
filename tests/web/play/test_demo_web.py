"""The web of the demonstration: where it is found, what may be asked of it, and that it dies and ends as it should."""

import json
import os
import signal

import pytest

from controller.node.control.client import Client, doing
from controller.node.vocabulary.protocol import Deed
from controller.play.felt.routes import BELOW
from controller.play.felt.web import PAGES
from support.browser.casino import ANA, CARLA, JULIA
from support.browser.visitor import Visitor, new_id
from support.web.demo import alive, demo
from support.web.web_process import web_process

pytestmark = pytest.mark.process
TABLE = "TX-01"
PATHS = ("house", "casino", f"table?table={TABLE}")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    with demo(tmp_path_factory.mktemp("demo")) as made:
        yield made


def pid_of(played, what):
    return int((played.folder / f"{what}.pid").read_text())


def test_the_address_is_the_first_thing_that_it_says_after_that_it_prepares(played):
    lines = played.lines()

    assert lines[1] == f"Véalo y juegue en el navegador: {played.origin}"
    assert played.get("/").headers["location"] == BELOW
    page = played.get(BELOW)
    assert page.status == 200 and "trusted-types" in page.headers["content-security-policy"]


def test_the_house_is_told_with_its_people_and_a_name_for_each_place_of_work(played):
    told = played.get("/play/house").json

    assert {one["person"]: one["pin"] for one in told["people"]}["carla"] == "300300"
    assert told["enrol"] == ["ana", "julia"]
    places = {(one["use"], one["place"]): one["origin"] for one in told["places"]}
    assert places["table", TABLE] == f"http://tx-01.localhost:{played.port}"
    assert len(set(places.values())) == len(places) == 6
    for origin in places.values():
        host = origin.partition("//")[2]
        assert played.get("/croupier/", host=host).status == 200, "each of them is one of ours"


def test_a_finger_at_a_seat_lights_the_real_lamp(played):
    assert played.post("/play/sit", {"table": TABLE, "seat": 3, "stays": True}).json == {"ok": True}

    def lit():
        played.post("/play/sit", {"table": TABLE, "seat": 3, "stays": True})
        table = played.table(TABLE)
        seat = table["seats"][2]
        if table["phase"] == "open" and seat.get("credits") and not seat.get("bet"):
            played.post("/play/touch", {"table": TABLE, "does": "seat 3 press 2"})
        return seat.get("bet") == 2000 and seat["lamp"] == "lit" and seat

    seat = played.until(lit)
    assert seat["guest"]
    dealt = played.until(
        lambda: (table := played.table(TABLE))["phase"] == "sealed" and table.get("community") and table
    )
    assert len(dealt["seats"][2]["cards"]) == 2 and len(dealt["community"]) == 3
    played.post("/play/sit", {"table": TABLE, "seat": 3, "stays": False})
    played.until(lambda: not played.table(TABLE)["seats"][2].get("guest"))


def test_a_lamp_burns_out_and_is_changed_and_an_adapter_comes_out_and_goes_in(played):
    def does(words):
        assert played.post("/play/touch", {"table": "DP-01", "does": words}).status == 200
        table = played.table("DP-01")
        return table["seats"][1], {one["name"]: one["plugged"] for one in table["lines"]}

    assert does("seat 2 lamp open")[0]["broken"] and "broken" not in does("seat 2 lamp ok")[0]
    assert does("unit mesa/2 unplug")[0]["trouble"] == "loose" and "trouble" not in does("unit mesa/2 plug")[0]
    assert (
        does("line letrero unplug")[1] == {"mesa": True, "letrero": False} and does("line letrero plug")[1]["letrero"]
    )


@pytest.mark.parametrize(
    ("path", "body", "status", "reason"),
    [
        ("touch", {"table": TABLE, "does": "quit"}, 400, "malformed"),
        ("touch", {"table": TABLE, "does": "seat 3 miscount chips 9"}, 400, "malformed"),
        ("touch", {"table": TABLE, "does": "console unlock"}, 400, "malformed"),
        ("touch", {"table": TABLE, "does": "seat 3 press 2\nsalir"}, 400, "malformed"),
        ("touch", {"table": "TX-01\nsalir", "does": "seat 3 press 2"}, 404, "not_there"),
        ("touch", {"table": "salir", "does": "seat 3 press 2"}, 404, "not_there"),
        ("hand", {"table": "ritmo", "seat": 3, "hand": "full"}, 404, "not_there"),
        ("touch", {"table": TABLE, "does": "seat 9 press 2"}, 409, "not_done"),
        ("touch", {"table": TABLE}, 400, "malformed"),
        ("sit", {"table": TABLE, "seat": "3", "stays": True}, 400, "malformed"),
        ("sit", {"table": TABLE, "seat": 3, "stays": True, "more": 1}, 400, "malformed"),
        ("sit", {"table": TABLE, "seat": 88, "stays": True}, 409, "not_done"),
        ("hand", {"table": TABLE, "seat": 3, "hand": "salir"}, 400, "malformed"),
    ],
)  # fmt: skip
def test_nothing_else_can_be_said_to_a_table(played, path, body, status, reason):
    answer = played.post(f"/play/{path}", body)

    assert (answer.status, answer.reason) == (status, reason)
    assert played.get("/play/casino").json["heard"], "it plays on"


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"origin": "http://elsewhere.example"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"host": "elsewhere.example"}, 403),
    ],
)
def test_another_sites_page_does_nothing_at_a_table(played, changed, status):
    assert played.post("/play/touch", {"table": TABLE, "does": "seat 3 press 2"}, **changed).status == status


@pytest.mark.parametrize("path", PATHS)
def test_another_sites_page_reads_nothing(played, path):
    assert played.get(f"/play/{path}", **{"sec-fetch-site": "cross-site"}).status == 403
    assert played.get(f"/play/{path}").headers["cache-control"] == "no-store"


def test_a_body_without_end_and_a_way_that_is_none_are_refused(played):
    assert played.post("/play/touch", {"table": TABLE, "does": "x" * 20_000}).status == 413
    assert played.post("/play/table", {}).status == 405
    assert played.get("/play/sit").status in {404, 405}


def test_a_wish_is_dealt_to_who_made_it_and_everybody_sees_the_same(played):
    def won():
        played.post("/play/sit", {"table": "DP-01", "seat": 4, "stays": True})
        table = played.table("DP-01")
        seat = table["seats"][3]
        if table["phase"] == "open" and seat.get("credits") and not seat.get("bet"):
            played.post("/play/hand", {"table": "DP-01", "seat": 4, "hand": "poker"})
            played.post("/play/touch", {"table": "DP-01", "does": "seat 4 press 1"})
        return table["phase"] == "sealed" and seat.get("hand") == "poker" and table

    table = played.until(won)
    prizes = played.until(lambda: played.table("DP-01")["prizes"])
    every = [card for seat in table["seats"] for card in seat.get("cards", [])]
    assert len(set(every)) == len(every)
    assert {(one["seat"], one["prize"]) for one in prizes} >= {(4, "poker")}
    played.post("/play/sit", {"table": "DP-01", "seat": 4, "stays": False})


def test_a_web_that_dies_is_started_again_at_the_same_address_and_the_tables_play_on(played):
    before, port = pid_of(played, "web"), played.port
    os.kill(before, signal.SIGKILL)

    played.until(lambda: pid_of(played, "web") != before and played.get("/play/casino").json["heard"])
    assert played.port == port and "La web terminó" in played.printed.read_text()


def test_r27_wrong_pins_in_a_browser_keep_nobody_of_the_demo_waiting(played):
    visitor = Visitor(f"http://127.0.0.1:{played.port}", "demo-guesser")
    assert visitor.enrols("table", TABLE, ANA, JULIA).status == 200 and visitor.says_hello().status == 200
    guess = {"person": "carla", "pin": "999999", "table": TABLE}

    wrong = [visitor.post("sign-in", {"id": new_id(), **guess}) for _ in range(5)]
    with Client(played.folder / "control") as client:
        at_the_table = client.ask(doing(Deed.CLEAR_FAULTS, CARLA, table=TABLE, seat=1), 30)

    assert wrong[-1].status == 429, "the browser waits"
    assert at_the_table.trouble is not None and at_the_table.trouble.reason == "role_missing", "and she does not"


def test_it_ends_with_the_demo_and_stands_at_the_same_address_the_next_evening(tmp_path):
    with demo(tmp_path) as first:
        port, web, node = first.port, pid_of(first, "web"), pid_of(first, "node")
    assert first.process.returncode == 0, first.printed.read_text()
    assert not alive(web) and not alive(node)
    with demo(tmp_path) as second:
        assert second.port == port


def test_r36_an_installed_node_has_nothing_of_it(played, tmp_path):
    """The same node, the command that is installed: none of the demonstration's addresses is one of its."""
    pages = [f"{BELOW}{path.relative_to(PAGES).as_posix()}" for path in PAGES.rglob("*") if path.is_file()]
    paths = ["/play", BELOW, *(f"{BELOW}{one}" for one in PATHS), *pages]
    assert len(pages) > 8 and all(played.get(path).status in {200, 308} for path in paths)

    with web_process(tmp_path, played.folder / "control") as installed:
        assert {path: installed.get(path).status for path in paths} == dict.fromkeys(paths, 404)
        said = {"origin": installed.origin, "sec-fetch-site": "same-origin", "content-type": "application/json"}
        for path in ("sit", "touch", "hand"):
            assert installed.ask("POST", f"{BELOW}{path}", json.dumps({"table": TABLE}).encode(), said).status in {
                404,
                405,
            }
        assert b"location" not in installed.get("/").headers and installed.get("/").status == 200
