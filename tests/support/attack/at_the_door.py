"""What a member of the node's group tries at its door, without any PIN."""

import json
import os
import secrets
import socket
import time
from contextlib import suppress
from pathlib import Path

import zmq

MOST, MOST_OPEN = 2**18, 6_000
GREETING = b"\xff" + bytes(7) + b"\1\x7f\3\1NULL".ljust(56, b"\0")


def rests(_control: Path, until: float) -> None:
    """Nothing."""
    time.sleep(until - time.monotonic())
    print(os.getuid())


def deep(control: Path, until: float) -> None:
    """256 KiB, 900 deep: a reader that walks down to each leaf anew takes 5.7 s."""
    nested = b"[" * 900 + b"0" + b",0" * 130_000 + b"]" * 900
    _one_after_the_other(control, until, _asked(nested))


def flat(control: Path, until: float) -> None:
    """Eighty of 256 KiB, all leaves, at once."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as made:
        made.setsockopt(zmq.LINGER, 0)
        made.connect(f"ipc://{control}/commands")
        while time.monotonic() < until:
            for _ in range(80):
                with suppress(zmq.Again):
                    made.send(_asked(b"[0" + b",0" * 130_000 + b"]"), zmq.NOBLOCK)
            while made.poll(200):
                made.recv_multipart()


def _asked(deep: bytes) -> bytes:
    """An order nobody signed, 262,144 octets long."""
    body = b'{"v":2,"id":"%b","by":{"person":"nadie"},"ask":{"ask":"lock","table":"M1","x":%b}}' % (
        secrets.token_hex(16).encode(), deep,
    )  # fmt: skip
    return body + b" " * (MOST - len(body))


def _one_after_the_other(control: Path, until: float, body: bytes) -> None:
    with zmq.Context() as context:
        while time.monotonic() < until:
            with context.socket(zmq.DEALER) as made:
                made.setsockopt(zmq.LINGER, 500)
                made.connect(f"ipc://{control}/commands")
                made.send(body)
                made.poll(100)


def idle(control: Path, until: float) -> None:
    """As many connections as a process may open, that say nothing or only greet."""
    kept: list[socket.socket] = []
    opened = 0
    while time.monotonic() < until:
        try:
            kept.append(_connected(control, ("commands", "state")[opened % 2]))
            opened += 1
            if opened % 3 == 0:
                kept[-1].send(GREETING)
        except OSError:
            time.sleep(0.01)
        if len(kept) > MOST_OPEN:
            kept.pop(0).close()
            time.sleep(0.001)
    print("opened", opened)


def slow_handshakes(control: Path, until: float) -> None:
    """Greetings octet by octet, on a hundred connections at once."""
    made: list[tuple[socket.socket, int]] = []
    while time.monotonic() < until:
        while len(made) < 100:
            made.append((_connected(control, "commands"), 0))
        still = []
        for one, said in made:
            with suppress(OSError):
                one.send(GREETING[said % 60 : said % 60 + 1])
                still.append((one, said + 1))
        made = still
        time.sleep(0.05)


def endless(control: Path, until: float) -> None:
    """One message without end, of many parts; and one that says it is of 2^62 octets."""
    sent = 0
    while time.monotonic() < until:
        for frames in (b"\1\0" * 4_096, b"\1\xff" + b"x" * 255, b"\3" + (2**18).to_bytes(8, "big") + b"x" * 2**18,
                       b"\2" + (2**62).to_bytes(8, "big") + b"x" * 65_536):  # fmt: skip
            with suppress(OSError), _shaken(control, "commands", b"DEALER") as made:
                a_while = min(until, time.monotonic() + 0.5)
                while time.monotonic() < a_while:
                    sent += made.send(frames)
    print("sent", sent)


def half_long(control: Path, until: float) -> None:
    """Long messages whose last octets never come, on two hundred connections."""
    made: list[socket.socket] = []
    while time.monotonic() < until:
        with suppress(OSError):
            made.append(_shaken(control, "commands", b"DEALER"))
            made[-1].send(b"\2" + (2**18).to_bytes(8, "big") + b"x" * (2**18 - 1))
        if len(made) > 200:
            made.pop(0).close()


def deaf(control: Path, until: float) -> None:
    """Two hundred listeners that never read, and two hundred who ask for the state and never read it."""
    made = []
    for _ in range(200):
        with suppress(OSError):
            made.append(_shaken(control, "state", b"SUB"))
            made[-1].send(b"\0\1\1")
            made.append(_shaken(control, "commands", b"DEALER"))
    while time.monotonic() < until:
        for one in made:
            with suppress(OSError):
                body = b'{"v":2,"id":"%b","do":"state"}' % secrets.token_hex(16).encode()
                one.send(bytes((0, len(body))) + body)
        time.sleep(0.02)


def changes_its_mind(control: Path, until: float) -> None:
    """Subscribes, and does no more, as fast as it can; and pings."""
    said = 0
    while time.monotonic() < until:
        with suppress(OSError), _shaken(control, "state", b"SUB") as made:
            while time.monotonic() < until:
                said += made.send((b"\0\1\1" + b"\0\1\0" + b"\4\7\4PING\0\0") * 500)


def comes_and_goes(control: Path, until: float) -> None:
    """Connects and is gone, as fast as it can."""
    times = 0
    while time.monotonic() < until:
        with suppress(OSError):
            _connected(control, "commands").close()
            times += 1
    print("came", times)


def floods(control: Path, until: float) -> None:
    """Asks for the state as fast as it can."""
    body = b'{"v":2,"id":"%b","do":"state"}' % secrets.token_hex(16).encode()
    asked = 0
    while time.monotonic() < until:
        with suppress(OSError), _shaken(control, "commands", b"DEALER") as made:
            while time.monotonic() < until:
                made.send((bytes((0, len(body))) + body) * 20)
                with suppress(BlockingIOError):
                    asked += len(made.recv(2**20, socket.MSG_DONTWAIT))
    print("octets of answers", asked)


def nobodys_names(control: Path, until: float, length: str) -> None:
    """Orders of persons who are not there, a new one each, as fast as it can."""
    asked = 0
    while time.monotonic() < until:
        with suppress(OSError), _shaken(control, "commands", b"DEALER") as made:
            made.setblocking(True)
            while time.monotonic() < until:
                name = secrets.token_hex(int(length) // 2)
                body = json.dumps({
                    "v": 2, "id": secrets.token_hex(16), "by": {"person": f"n{name}", "proof": "0" * 64},
                    "ask": {"ask": "lock", "table": f"M{name}"},
                }).encode()  # fmt: skip
                made.send(b"\2" + len(body).to_bytes(8, "big") + body)
                asked += 1
                with suppress(BlockingIOError):
                    made.recv(2**16, socket.MSG_DONTWAIT)
    print("asked", asked)


def takes_the_name(control: Path, _until: float) -> None:
    """Puts a socket of its own where the node's was."""
    try:
        (control / "commands").rename(control / ".c")
        socket.socket(socket.AF_UNIX).bind(str(control / "commands"))
        print("took the name")
    except OSError as no:
        print(type(no).__name__)


def answers(control: Path, until: float) -> None:
    """Listens under the names of a node, and tells what it heard."""
    heard = b""
    with socket.socket(socket.AF_UNIX) as commands, socket.socket(socket.AF_UNIX) as state:
        for one, name in ((commands, "commands"), (state, "state")):
            one.bind(str(control / name))
            one.listen()
            one.settimeout(0.05)
        print("listens", flush=True)
        while time.monotonic() < until:
            for one in (commands, state):
                with suppress(TimeoutError):
                    came, _ = one.accept()
                    came.settimeout(0.1)
                    with came, suppress(TimeoutError):
                        heard += came.recv(65_536)
    print("heard", heard, flush=True)


def _connected(control: Path, name: str) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(1.0)
    try:
        made.connect(str(control / name))
    except OSError:
        made.close()
        raise
    return made


def _shaken(control: Path, name: str, kind: bytes) -> socket.socket:
    made = _connected(control, name)
    ready = b"\5READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    made.send(GREETING + bytes((4, len(ready))) + ready)
    return made
