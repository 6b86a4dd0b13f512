"""Streams of the real process over real sockets: who reads, who does not, who comes again, and what it costs."""

import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.web.live.stream import MOST_OF_SESSION, STUCK
from support.web.shown_node import shown_node
from support.web.web_process import OPEN, web_process

pytestmark = pytest.mark.process

SIGNS = '[[sign]]\nname = "sala"\npots = ["estelar"]\n'
MORE = 'signs = "letreros.toml"\n[notices]\nresponsible_play = "Juegue poco."\nage = "18"\nresolution = "Res. 1"\n'
COMMAND = (sys.executable, "-c", OPEN)


@pytest.fixture
def place():
    made = Path(tempfile.mkdtemp(prefix="pzw"))
    (made / "letreros.toml").write_text(SIGNS)
    yield made
    shutil.rmtree(made)


@pytest.fixture
def web(place):
    with web_process(place, place / "control", MORE, command=COMMAND) as served:
        yield served


@pytest.fixture
def node(place):
    with shown_node(place / "control") as shown:
        yield shown


def seen_by(stream):
    return next(iter(stream.browser.known.values()), {})


def days(known):
    return known["node"]["day"] if "node" in known else None


def test_one_press_is_one_change_of_a_seat_and_of_its_pot(node, web):
    with web.stream("table:TX-01") as stream:
        stream.until(lambda browser: browser.known)
        assert {"node", "table/TX-01", "seat/TX-01/3", "pot/estelar"} <= seen_by(stream).keys()
        node.pressed(0, 3, 1_000)
        stream.until(lambda _: seen_by(stream)["seat/TX-01/3"]["bet"] == 1_000)

        assert seen_by(stream)["pot/estelar"]["main"] == node.view.pots[0].main
        assert (seen_by(stream)["seat/TX-01/3"]["lamp"], stream.browser.wholes) == ("dark", 1)


@pytest.mark.parametrize("squeezed", [True, False])
def test_several_scopes_in_one_stream_squeezed_or_not(node, web, squeezed):
    with web.stream("table:TX-01", "sign:sala", "floor", squeezed=squeezed) as stream:
        stream.until(lambda browser: len(browser.known) == 3)
        node.show(day="otro")
        known = stream.until(lambda browser: {days(one) for one in browser.known.values()} == {"otro"}).known
        assert known["sign:sala"]["layout/sala"]["responsible_play"] == "Juegue poco."
        assert stream.answer.getheader("content-type", "").startswith("text/event-stream")
        assert stream.answer.getheader("content-encoding") == ("gzip" if squeezed else None)


def test_the_whole_is_what_a_stream_has(node, web):
    assert web.get("/api/v1/whole?scope=floor").status in {200, 503}
    with web.stream("floor") as stream:
        stream.until(lambda browser: browser.known)
        whole = web.get("/api/v1/whole?scope=floor")

    assert (whole.status, whole.json["set"]) == (200, stream.browser.known["floor"])


@pytest.mark.parametrize(("query", "status"), [
    ("", 400), ("?scope=sign:otro", 404), ("?scope=table:TX-99", 404),
    ("?scope=", 404), ("?scope=house", 404), ("?scope=sign:", 404), ("?scope=floor:x", 404),
])  # fmt: skip
def test_what_is_no_scope_is_refused(node, web, query, status):
    with web.stream("floor") as stream:
        stream.until(lambda browser: browser.known)  # from then on it is known which tables there are
    for path in ("whole", "stream"):
        answer = web.get(f"/api/v1/{path}{query}")
        assert (answer.status, set(answer.json)) == (status, {"trouble"})


def test_nobody_looks_without_being_admitted(node, place):
    with web_process(place, place / "control", MORE) as closed:
        for path in ("stream", "whole"):
            answer = closed.get(f"/api/v1/{path}?scope=floor")
            assert (answer.status, answer.json["trouble"]["reason"]) == (401, "no_session")


def test_a_node_that_is_silent_is_said_within_three_seconds_and_is_there_again_at_once(place, web):
    with shown_node(place / "control"), web.stream("table:TX-01") as stream:
        stream.until(lambda browser: browser.known and browser.beats[-1]["node"])
        browser = stream.browser
    with web.stream("table:TX-01") as stream:
        gone = time.monotonic()
        stream.until(lambda browser: browser.beats and not browser.beats[-1]["node"])
        assert 1.5 < time.monotonic() - gone < 4.5
        assert stream.browser.known == browser.known, "what was known last is still there to be shown"
        with shown_node(place / "control") as node:
            node.show(day="otro")
            back = time.monotonic()
            stream.until(lambda browser: browser.beats[-1]["node"] and seen_by(stream)["node"]["day"] == "otro")
            assert time.monotonic() - back < 3


def test_before_any_node_was_there_only_hearts_beat(web):
    with web.stream("table:TX-01") as stream:
        stream.until(lambda browser: len(browser.beats) >= 2)
        assert stream.browser.known == {} and stream.browser.beats[-1] == {"at": 0, "node": False}
    assert web.get("/api/v1/whole?scope=table:TX-01").status == 503


def test_killed_and_back_on_its_port_it_has_everything_at_once(place, node):
    with web_process(place, place / "control", MORE, command=COMMAND) as first, first.stream("floor") as stream:
        stream.until(lambda browser: browser.known)
        first.process.kill()
        while stream.read():
            pass
    with web_process(place, place / "control", MORE, first.port, COMMAND) as again:
        back = time.monotonic()
        with again.stream("floor") as stream:
            stream.until(lambda browser: browser.known)
        assert time.monotonic() - back < 2


def test_with_open_streams_it_ends_within_two_seconds(node, web):
    with ExitStack() as open_ones:
        streams = [open_ones.enter_context(web.stream("floor", visitor=f"{n}")) for n in range(20)]
        dumb = open_ones.enter_context(socket.create_connection(("127.0.0.1", web.port)))
        dumb.sendall(b"GET /api/v1/stream?scope=floor HTTP/1.1\r\nHost: x\r\n\r\n")
        for stream in streams:
            stream.until(lambda browser: browser.known)
        began = time.monotonic()
        web.process.send_signal(signal.SIGTERM)

        assert web.process.wait(10) == 0
        assert time.monotonic() - began < 2
        assert "defect" not in web.said()


def test_of_one_session_the_newest_streams_win(node, web):
    with ExitStack() as open_ones:
        streams = [open_ones.enter_context(web.stream("floor", visitor="same")) for _ in range(MOST_OF_SESSION + 1)]
        other = open_ones.enter_context(web.stream("floor", visitor="other"))
        while streams[0].read():
            pass
        node.show(day="otro")
        for stream in (*streams[1:], other):
            stream.until(lambda browser: days(browser.known.get("floor", {})) == "otro")


def test_who_never_reads_costs_nobody_anything_and_is_closed(place):
    """Twenty that never read, two hundred and fifty that do, at sixty-four tables."""
    with (
        shown_node(place / "control", 64) as node,
        web_process(place, place / "control", MORE, command=COMMAND) as web,
        ExitStack() as open_ones,
    ):
        dumb = [open_ones.enter_context(never_reads(web.port)) for _ in range(20)]
        readers = [
            open_ones.enter_context(web.stream(f"table:TX-{n % 64 + 1:02}", "sign:sala", visitor=f"{n}"))
            for n in range(250)
        ]
        for reader in readers:
            reader.until(lambda browser: len(browser.known) == 2)
        before, until, slowest, n = web.resident(), time.monotonic() + STUCK + 15, 0.0, 0
        while time.monotonic() < until:
            n += 1
            told = time.monotonic()
            node.show(day=f"{n}" + "x" * 20_000)  # of which each stream has its part
            last = readers[n % 250]
            last.until(lambda browser, day=node.view.day: browser.known["sign:sala"]["node"]["day"] == day)
            slowest = max(slowest, time.monotonic() - told)
        for reader in readers:
            reader.until(lambda browser: browser.known["sign:sala"]["node"]["day"] == node.view.day)

        assert slowest < 2
        assert web.resident() - before < 50_000_000, f"{web.resident() - before} octets more"
        assert all(was_closed(one) for one in dumb)
        assert "defect" not in web.said()


def never_reads(port):
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", port))
    made.sendall(b"GET /api/v1/stream?scope=floor HTTP/1.1\r\nHost: x\r\nVisitor: %d\r\n\r\n" % made.getsockname()[1])
    return made


def was_closed(one):
    """Whether the other end let go of it: what the system had taken for it is read to the end."""
    one.settimeout(5)
    try:
        while one.recv(65_536):
            pass
    except TimeoutError:
        return False
    except OSError:
        return True
    return True


def test_bytes_a_minute_stay_within_what_a_slow_radio_carries(place):
    """A busy night at sixty-four tables, in a tenth of its time: a press every 0.04 s is as fast as a node shows."""
    with (
        shown_node(place / "control", 64) as node,
        web_process(place, place / "control", MORE, command=COMMAND) as web,
        web.stream("table:TX-01", visitor="a") as croupier,
        web.stream("sign:sala", visitor="b") as sign,
        web.stream("floor", visitor="c") as chief,
    ):
        for stream in (croupier, sign, chief):
            stream.until(lambda browser: browser.known)
        began = [stream.octets for stream in (croupier, sign, chief)]
        start = time.monotonic()
        for n in range(500):
            node.pressed(n % 64, n // 64 % 7 + 1, 1_000 + n)
            time.sleep(0.04)
        node.show(day="otro")
        seconds = time.monotonic() - start
        for stream in (croupier, sign, chief):
            stream.until(lambda browser: next(iter(browser.known.values()))["node"]["day"] == "otro")
        a_minute = [
            (stream.octets - before) * 60 / seconds
            for stream, before in zip((croupier, sign, chief), began, strict=True)
        ]

    assert a_minute[0] <= 40_000 and a_minute[1] <= 40_000, a_minute
    assert a_minute[2] <= 400_000, a_minute


def test_a_view_of_another_language_is_said_and_what_comes_after_is_shown(node, web):
    """Tables that are gone from a view are gone from what is looked at."""
    with web.stream("floor") as stream:
        stream.until(lambda browser: browser.known)
        node.show(tables=node.view.tables[:1], feeds=(), seats=())
        stream.until(lambda _: "table/TX-02" not in seen_by(stream))
        assert not [key for key in seen_by(stream) if "TX-02" in key]
        node.show(tables=(replace(node.view.tables[0], training=True),))
        stream.until(lambda _: seen_by(stream)["table/TX-01"]["training"])
