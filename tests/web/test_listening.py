"""Where browsers come in: a socket of its own, or the one that systemd gives it, and never another than the settings say."""

import os
import socket
import subprocess
import sys
import time

import pytest

from controller.web.connection import keep_little
from support.web.web_process import COMMAND, free_port, settings_text

pytestmark = pytest.mark.process

GIVES = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.argv[2], sys.argv[2:])
"""


def given(listening, config):
    command = [sys.executable, "-c", GIVES, str(listening.fileno()), *COMMAND, str(config)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, pass_fds=[listening.fileno()], text=True)


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def config(tmp_path):
    def write(port):
        (tmp_path / "web.toml").write_text(settings_text(port, tmp_path / "control", tmp_path / "web"))
        return tmp_path / "web.toml"

    return write


def test_who_comes_before_it_has_started_waits_and_is_answered(config):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as early, given(listening, config(port)) as process:
            early.sendall(b"GET /index.html HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port)
            early.settimeout(30)
            assert early.recv(4096).startswith(b"HTTP/1.1 200")
            process.terminate()
            assert process.wait(10) == 0


def test_another_address_than_the_settings_say_is_refused(config):
    with socket.create_server(("127.0.0.1", 0)) as listening, given(listening, config(free_port())) as process:
        _, said = process.communicate(timeout=30)

    assert process.returncode == 78
    assert "listen: systemd atiende en 127.0.0.1:" in said


def test_what_was_meant_for_another_process_is_not_taken(config):
    port = free_port()
    environment = os.environ | {"LISTEN_PID": "1", "LISTEN_FDS": "1"}
    with subprocess.Popen([*COMMAND, config(port)], stderr=subprocess.PIPE, env=environment) as process:
        end = time.monotonic() + 30
        while not answers(port):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.05)
        process.terminate()
        assert process.wait(10) == 0


def test_of_every_connection_the_system_keeps_little_and_ends_who_acknowledges_nothing():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        keep_little(listening)
        with socket.create_connection(listening.getsockname()) as one, listening.accept()[0] as made:
            assert made.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * 32_768
            assert made.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
            assert one.fileno() != made.fileno()
