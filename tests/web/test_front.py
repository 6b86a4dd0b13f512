"""The web process as somebody on the network meets it: too much, without end, too slow, from another page, without TLS."""

import contextlib
import json
import socket
import threading
import time

import pytest

from controller.web.door.crowd import MOST_OF_ADDRESS
from controller.web.door.front import MOST_BODY
from support.web.web_process import heard, web_process

pytestmark = pytest.mark.process

ACTS = "/api/v1/acts"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    place = tmp_path_factory.mktemp("web")
    with web_process(place, place / "control", scheme="https") as web:
        yield web


def page(served, **more):
    told = {"Origin": served.origin, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
    return told | {name.replace("_", "-"): value for name, value in more.items()}


def head(served, *more, method="POST", path=ACTS):
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{served.port}"]
    lines += [f"{name}: {value}" for name, value in page(served).items()]
    return "\r\n".join([*lines, *more, "", ""]).encode()


def status_of(octets):
    return int(octets.split(b" ", 2)[1]) if octets.startswith(b"HTTP/1.1 ") else None


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/nada"), ("GET", "/api/v1/challenge"), ("GET", "/api/v1/nada"), ("POST", ACTS), ("PUT", "/"), ("GET", "/api/v1/house")],
)  # fmt: skip
def test_every_answer_says_that_nobody_frames_it_guesses_it_or_keeps_it(served, method, path):
    answer = served.ask(method, path, b"{}" if method == "POST" else b"", page(served) if method == "POST" else {})

    told = answer.headers
    policy = dict(one.partition(" ")[::2] for one in told["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'" == policy["style-src"]
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'" and "unsafe" not in told["content-security-policy"]
    assert (told["x-frame-options"], told["x-content-type-options"]) == ("DENY", "nosniff")
    assert told["referrer-policy"] == "no-referrer"
    assert told["cross-origin-opener-policy"] == told["cross-origin-resource-policy"] == "same-origin"
    assert told["cross-origin-embedder-policy"] == "require-corp"
    assert "camera=()" in told["permissions-policy"] and told["strict-transport-security"] == "max-age=31536000"
    assert told["cache-control"] == ("no-store" if path.startswith("/api/") else "no-cache")
    assert "server" not in told and "access-control-allow-origin" not in told


def test_without_tls_a_browser_is_not_told_that_there_is_some(tmp_path):
    with web_process(tmp_path, tmp_path / "control") as plain:
        assert "strict-transport-security" not in plain.get("/").headers


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"Origin": "https://casino.mal.example"}, 403),
        ({"Origin": "null", "Content-Type": "application/x-www-form-urlencoded"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Host": "casino.mal.example"}, 403),
        ({}, 401),
    ],
)
def test_a_form_and_a_script_of_another_site_are_refused_and_ours_without_a_session_too(served, more, status):
    answer = served.ask("POST", ACTS, b'{"id":"0"}', page(served) | more)

    assert answer.status == status and set(answer.json) == {"trouble"}


def test_no_other_site_is_told_that_it_may_ask(served):
    asks = {"Origin": "https://mal.example", "Access-Control-Request-Method": "POST"}
    answer = served.ask("OPTIONS", ACTS, b"", asks)

    assert answer.status == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_api_of_a_page_of_another_site_says_nothing(served):
    assert served.get("/api/v1/challenge", {"Sec-Fetch-Site": "cross-site"}).status == 403
    assert served.get("/api/v1/challenge", {"Host": "mal.example"}).status == 403
    assert served.get("/api/v1/challenge", {"Sec-Fetch-Site": "same-origin"}).status == 200


def test_a_text_of_a_stranger_comes_back_as_a_text(served):
    """XSS: what is refused is told in JSON that no browser takes for a page."""
    challenge = served.get("/api/v1/challenge").json["challenge"]
    name = "<img src=x onerror=alert(1)>"
    body = json.dumps({"terminal": name, "challenge": challenge, "signature": name, name: 1}).encode()
    answer = served.ask("POST", "/api/v1/hello", body, page(served))

    assert answer.status == 400
    assert (answer.headers["content-type"], answer.headers["x-content-type-options"]) == ("application/json", "nosniff")


@pytest.mark.parametrize("length", [MOST_BODY + 1, 10**9, 10**30])
def test_a_body_that_says_it_is_too_long_is_refused_before_it_comes(served, length):
    answer = served.answer_to(head(served, f"Content-Length: {length}"))

    assert status_of(answer) in {400, 413}, answer[:200]


def test_a_body_without_end_is_cut_at_its_bound(served):
    part = b"1000\r\n" + b"x" * 0x1000 + b"\r\n"
    with served.connected() as way:
        way.sendall(head(served, "Transfer-Encoding: chunked"))
        sent = 0
        with contextlib.suppress(OSError):
            while sent < 50_000_000:
                way.sendall(part)
                sent += len(part)
        answer = heard(way)

    assert sent < 5_000_000, "it was closed long before"
    assert not answer or status_of(answer) == 413


def test_just_what_fits_is_read(served):
    assert served.ask("POST", ACTS, b"x" * MOST_BODY, page(served)).status == 401
    assert served.ask("POST", ACTS, b"x" * (MOST_BODY + 1), page(served)).status == 413


@pytest.mark.parametrize(
    "octets",
    [
        b"GET / HTTP/1.1\r\nX: " + b"x" * 40_000 + b"\r\n\r\n",
        b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(20_000)) + b"\r\n",
        b"\x00\x01\x02\x03\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ids=["header", "path", "headers", "noise", "two hosts", "two lengths", "smuggled"],
)
def test_what_is_too_long_or_ambiguous_before_a_body_is_closed(served, octets):
    assert status_of(served.answer_to(octets)) in {400, 403, 404, 431, None}
    assert served.get("/").status == 200


def test_a_websocket_is_none(served):
    more = (
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: YWJjZGVmZ2hpamtsbW5vcA==",
    )
    with served.connected() as way:
        way.sendall(head(served, *more, method="GET", path="/api/v1/stream"))
        assert status_of(way.recv(4096)) != 101


def test_who_is_slow_is_closed_in_time_and_nobody_waits_for_him(served):
    """No TLS, no head, a head octet by octet, a body that stops: all at once, and each has its bound."""
    took = {}

    def slow(name, first, octet):
        began = time.monotonic()
        way = socket.create_connection(("127.0.0.1", served.port), 40) if first is None else served.connected()
        with way:
            way.sendall(first or b"")
            way.settimeout(0.5)
            with contextlib.suppress(OSError):
                while time.monotonic() - began < 40:
                    with contextlib.suppress(TimeoutError):
                        if not way.recv(4096):
                            break
                    way.sendall(octet)
        took[name] = time.monotonic() - began

    cases = {
        "no tls": (None, b""),
        "no head": (b"", b""),
        "a slow head": (b"GET / HTTP/1.1\r\n", b"X"),
        "a slow body": (head(served, "Content-Length: 1000"), b"x"),
    }
    threads = [threading.Thread(target=slow, args=(name, *case)) for name, case in cases.items()]
    for one in threads:
        one.start()
    waits = []
    while any(one.is_alive() for one in threads):
        began = time.monotonic()
        assert served.get("/").status == 200
        waits.append(time.monotonic() - began)
        time.sleep(0.2)
    for one in threads:
        one.join()

    assert max(took.values()) < 20, took
    assert sorted(waits)[len(waits) // 2] < 1, waits


def test_who_takes_many_connections_pays_with_his_own(tmp_path):
    """The share of an address: its longest idle go, and a newcomer is let in."""
    with web_process(tmp_path, tmp_path / "control") as plain, contextlib.ExitStack() as ending:
        taken = [ending.enter_context(plain.connected()) for _ in range(MOST_OF_ADDRESS + 20)]
        assert plain.get("/").status == 200
        for one in taken[:20]:
            assert heard(one) == b""
        taken[-1].settimeout(0.2)
        with pytest.raises(TimeoutError):
            taken[-1].recv(1)
