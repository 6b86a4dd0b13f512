"""Strangers and thieves at the gate of the links: each is a program of its own.

    python -m support.attack.at_the_link NAME PORT FROM SECONDS SERVERKEY [OWNPUBLIC OWNSECRET]

`FROM`: their own address. Keys in hex. What it prints is how much it got done. A thief has the key of a real neighbour.
"""

import os
import random
import resource
import select
import socket
import sys
import time
from contextlib import suppress

import zmq

GREETING = b"\xff" + b"\0" * 7 + b"\x01\x7f\x03\x01" + b"CURVE".ljust(20, b"\0") + b"\0" * 32
HELLO = b"\x04\xc8\x05HELLO\x01\x00" + b"\0" * 72
MOST = 10_000


def _came(port: int) -> socket.socket | None:
    made = socket.socket()
    made.setblocking(False)
    try:
        made.bind((sys.argv[3], 0))
        made.connect(("127.0.0.1", port))
    except BlockingIOError:
        return made
    except OSError:
        made.close()
        return None
    return made


def _many(port: int, until: float, words: bytes) -> int:
    """Holds as many connections as it can get, and comes again for each that is ended; says this on each."""
    poll, count, chance = select.epoll(), 0, random.Random(1)
    held: dict[int, socket.socket] = {}
    while time.monotonic() < until:
        for _ in range(200):
            if len(held) < MOST and (made := _came(port)) is not None:
                held[made.fileno()] = made
                poll.register(made, select.EPOLLOUT | select.EPOLLIN)
                count += 1
        for fd, event in poll.poll(0.001, 1_000):
            made = held[fd]
            gone = event & (select.EPOLLHUP | select.EPOLLERR)
            with suppress(OSError):
                if event & select.EPOLLOUT and not gone:
                    if words:
                        made.send(words + (chance.randbytes(120) if len(words) > 70 else b""))
                    poll.modify(fd, select.EPOLLIN)
                if event & select.EPOLLIN and not made.recv(4_096):
                    gone = True
            if gone:
                poll.unregister(fd)
                held.pop(fd).close()
    return count


def connections(port: int, until: float, *_: bytes) -> int:
    return _many(port, until, b"")


def greetings(port: int, until: float, *_: bytes) -> int:
    return _many(port, until, GREETING)


def half_greetings(port: int, until: float, *_: bytes) -> int:
    return _many(port, until, GREETING[:20])


def false_hellos(port: int, until: float, *_: bytes) -> int:
    """As long as a real one, sealed with nothing."""
    return _many(port, until, GREETING + HELLO)


def garbage(port: int, until: float, *_: bytes) -> int:
    """Octets without end, some after words that are right."""
    chance, count = random.Random(2), 0
    openings = (
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        GREETING,
        GREETING + HELLO + b"\0" * 120,
        b"\x16\x03\x01\x02\x00\x01\x00",
    )
    blob = chance.randbytes(1 << 20)
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1, (sys.argv[3], 0)) as made:
            made.settimeout(1)
            count += made.send(chance.choice(openings))
            while time.monotonic() < until:
                count += made.send(blob)
    return count


def wrong_keys(port: int, until: float, server: bytes, *_: bytes) -> int:
    """Real handshakes, of people whom nobody pinned."""
    context, made, count = zmq.Context(), [], 0
    while time.monotonic() < until:
        public, secret = zmq.curve_keypair()
        one = _dealer(context, port, server, public, secret)
        with suppress(zmq.ZMQError):
            one.send(b"hola", zmq.NOBLOCK)
        made.append(one)
        count += 1
        if len(made) >= 200:
            made.pop(0).close(0)
        time.sleep(0.002)
    context.destroy(0)
    return count


def _dealer(
    context: "zmq.Context[zmq.Socket[bytes]]", port: int, server: bytes, public: bytes, secret: bytes
) -> "zmq.Socket[bytes]":
    one = context.socket(zmq.DEALER)
    one.curve_serverkey, one.curve_publickey, one.curve_secretkey = server, public, secret
    one.linger = 0
    one.set(zmq.RECONNECT_IVL, 50)
    one.connect(f"tcp://{sys.argv[3]}:0;127.0.0.1:{port}")
    return one


def endless_message(port: int, until: float, server: bytes, public: bytes, secret: bytes) -> int:
    """A thief: one message of parts without end."""
    context, count = zmq.Context(), 0
    one = _dealer(context, port, server, public, secret)
    one.set(zmq.SNDHWM, 0)
    part = b"x" * 500_000
    while time.monotonic() < until:
        one.send(part, zmq.SNDMORE)
        count += len(part)
        if count % 20_000_000 == 0:
            time.sleep(0.02)
    context.destroy(0)
    return count


def junk_messages(port: int, until: float, server: bytes, public: bytes, secret: bytes) -> int:
    """A thief: messages that say nothing, short and long, as fast as they go."""
    context, count, chance = zmq.Context(), 0, random.Random(3)
    one = _dealer(context, port, server, public, secret)
    while time.monotonic() < until:
        body = chance.choice((b"", b"\x91\xa4beat", chance.randbytes(300), b"\x94\xa5batch" + bytes(400_000)))
        with suppress(zmq.ZMQError):
            one.send(body, zmq.NOBLOCK)
            count += len(body)
    context.destroy(0)
    return count


def main() -> None:
    name, port, _, seconds, *keys = sys.argv[1:]
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with suppress(OSError):
        os.nice(5)
    print(globals()[name](int(port), time.monotonic() + float(seconds), *map(bytes.fromhex, keys)))


if __name__ == "__main__":
    main()
