"""A unit test stays inside its process: it starts no other one, opens no port, and waits for no clock.

Whatever does not is marked `process`, and `make unit` leaves it out. This guard keeps the mark honest: while a test without it
runs, each of the doors below is shut. It ends the test by `pytest.fail`, which no `except Exception` of the program takes away.
"""

import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
import zmq

DOORS: tuple[tuple[Any, str, str], ...] = (
    (subprocess.Popen, "__init__", "starts a process"),
    (os, "fork", "starts a process"),
    (os, "openpty", "opens a pty"),
    (socket.socket, "bind", "opens a socket"),
    (socket.socket, "connect", "opens a socket"),
    (zmq.Socket, "bind", "opens a socket"),
    (zmq.Socket, "connect", "opens a socket"),
    (psycopg.Connection, "connect", "asks a database server"),
    (time, "sleep", "sleeps"),
)


def _shut(does: str) -> Callable[..., None]:
    def refuse(*_: object, **__: object) -> None:
        pytest.fail(f"this test {does}: give it a clock or a double, or mark it `process`")

    return refuse


@contextmanager
def inside() -> Iterator[None]:
    """The doors are shut."""
    with pytest.MonkeyPatch.context() as shut:
        for owner, name, does in DOORS:
            shut.setattr(owner, name, _shut(does))
        yield
