"""The process as it is: its pages, its answers to what is not there, its end."""

import signal
import socket
import subprocess
import time

import pytest

from controller.web.static import PAGES
from support.web.web_process import COMMAND, PATIENCE, free_port, settings_text, web_process

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    place = tmp_path_factory.mktemp("web")
    with web_process(place, place / "control") as web:
        yield web


def test_the_first_page_is_there_without_any_node(served):
    answer = served.get("/")

    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.body == (PAGES / "index.html").read_bytes()
    assert "server" not in answer.headers


def test_what_a_browser_has_already_is_not_sent_again(served):
    first = served.get("/index.html")

    again = served.get("/index.html", {"If-None-Match": f'"other", {first.headers["etag"]}'})
    assert (again.status, again.body) == (304, b"")
    assert served.get("/index.html", {"If-None-Match": '"other"'}).status == 200


def test_of_head_only_the_headers_are_sent(served):
    answer = served.get("/", method="HEAD")

    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["content-length"] == str(len((PAGES / "index.html").read_bytes()))


@pytest.mark.parametrize("path", [
    "/../secret", "/%2e%2e/secret", "/..%2fsecret", "//etc/passwd", "/%2fetc/passwd",
    "/..%5csecret", "/index.html%00.js", "/index.html/", "/./index.html", "/ground/../index.html", "/pages",
])  # fmt: skip
def test_no_address_leads_out_of_the_pages(served, path):
    answer = served.get(path)

    assert answer.status == 404
    assert answer.json == {
        "trouble": {"reason": "not_there", "rule": "", "where": "", "message": "Aquí no hay nada con ese nombre."}
    }


def test_a_page_takes_nothing(served):
    ours = {"Origin": served.origin, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
    answer = served.get("/", ours, method="POST")

    assert (answer.status, answer.json["trouble"]["reason"]) == (405, "not_this_way")


def test_it_ends_at_once_and_says_so(tmp_path):
    with web_process(tmp_path, tmp_path / "control") as web:
        web.process.send_signal(signal.SIGTERM)
        began = time.monotonic()

        assert web.process.wait(PATIENCE) == 0
        assert time.monotonic() - began < 2
        assert web.said() == ["starting", "ready", "stopping", "stopped"]


def test_a_port_that_is_taken_and_settings_that_are_wrong_are_one_event(tmp_path):
    port = free_port()
    (tmp_path / "right.toml").write_text(settings_text(port, tmp_path / "control", tmp_path / "web"))
    (tmp_path / "wrong.toml").write_text("")
    with socket.create_server(("127.0.0.1", port)):
        taken = subprocess.run([*COMMAND, tmp_path / "right.toml"], capture_output=True, check=False)
    wrong = subprocess.run([*COMMAND, tmp_path / "wrong.toml"], capture_output=True, check=False)

    assert (taken.returncode, wrong.returncode) == (1, 78)
    for done in (taken, wrong):
        [line] = done.stderr.decode().splitlines()
        assert '"not_started"' in line
