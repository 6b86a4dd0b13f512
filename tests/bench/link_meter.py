"""From the lock at a table to the meter at another casino's table: two casinos and the owner, real daemons, real links.

A pass counts from the instant in which the last unit's lock was known and its bets are sealed, until the other casino's node
gives its signs and screens an amount with them in it: a commit at the casino, a letter, a commit at the owner, a word about
the pot, what is shown. Beside it, in the same run: ZeroMQ's own round trip with the same sockets and CURVE between two
processes, and those two commits alone.
"""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import zmq

from bench.house import Node, folder, millis, names_of, quantiles, row
from bench.link_ground import OWNER, Casino, link_key, owner_founded, owner_running, shared_plan
from controller.play.cable import LOOPBACK, free_port
from drivers.punctual import micros
from drivers.session import Micros
from support.places import PATH, TESTS

CASINOS = ("puerto", "valle")
TABLES, SECONDS, PASS = 3, 120, 3.0
ROUND_TRIPS, OCTETS = 1_000, 700  # of a letter with seven bets
MOST_MS = 100


class Sealed(NamedTuple):
    """A commit with a pass: `before` and `after` it, and the pot then."""

    before: Micros
    after: Micros
    main: int


class Heard:
    """What the pencil of one daemon said."""

    def __init__(self) -> None:
        self.sealed: dict[tuple[str, int], Sealed] = {}
        self.meters: list[tuple[int, Micros]] = []

    def __call__(self, line: str) -> None:
        match line.split():
            case ["sealed", table, number, after, before, main]:
                self.sealed[table, int(number)] = Sealed(int(before), int(after), int(main))
            case ["meter", main, at]:
                self.meters.append((int(main), int(at)))

    def shows(self, main: int) -> Micros | None:
        """When it first showed so much."""
        return next((at for shown, at in self.meters if shown >= main), None)


class Way(NamedTuple):
    """One pass: from its lock to the other's meter, and of that the two commits and what was between."""

    whole: Micros
    sealing: Micros
    letter: Micros
    applying: Micros
    meter: Micros


def ways(owner: Heard, casinos: Mapping[str, Heard]) -> Iterator[Way]:
    """Every pass that brought the pot something and was seen at the other casino."""
    for name, heard in casinos.items():
        (other,) = (one for of, one in casinos.items() if of != name)
        for (table, number), sealed in heard.sealed.items():
            applied = owner.sealed.get((f"{table}@{name}", number))
            shown = other.shows(applied.main) if applied is not None else None
            if applied is not None and shown is not None and shown > applied.after:
                yield Way(
                    shown - sealed.before,
                    sealed.after - sealed.before,
                    applied.before - sealed.after,
                    applied.after - applied.before,
                    shown - applied.after,
                )


@contextmanager
def three() -> Iterator[tuple[Heard, dict[str, Heard], list[Node]]]:
    """The owner, and two casinos with their tables."""
    with ExitStack() as ending:
        top, port = ending.enter_context(folder()), free_port()
        keys = {name: link_key(top / name) for name in CASINOS}
        shapes = ["table"] * TABLES
        plan = shared_plan({name: names_of(shapes) for name in CASINOS})
        own = link_key(top / OWNER)
        owner_founded(top / OWNER, port, plan, keys)
        owner = Heard()
        ending.enter_context(owner_running(top / OWNER, pencil=True, hear=owner))
        casinos = {name: Heard() for name in CASINOS}
        nodes = [
            Node(top / name, shapes, ending, pencil=True, found=Casino(name, port, plan, own), hear=heard)
            for name, heard in casinos.items()
        ]
        for node in nodes:
            node.open_day()
        yield owner, casinos, nodes


def bench_meter(short: bool) -> None:
    seconds = SECONDS // 6 if short else SECONDS
    with three() as (owner, casinos, nodes):
        lengths = (PASS, PASS * 1.07)  # or both would lock in step
        plays = [(node.play, f"play {seconds} {length}") for node, length in zip(nodes, lengths, strict=True)]
        players = [threading.Thread(target=play, args=(words,)) for play, words in plays]
        for player in players:
            player.start()
        for player in players:
            player.join()
        time.sleep(1)
        found = list(ways(owner, casinos))
    trips = round_trips()
    whole = quantiles(way.whole for way in found)
    commits = quantiles(way.sealing + way.applying for way in found)
    row(
        "lock at a table to the meter at another casino's, p50 / p99",
        millis(whole),
        f"of {len(found)} passes; the longest {max(way.whole for way in found) / 1000:.1f} ms",
        f"goal p99 under {MOST_MS} ms",
    )
    parts = (("until the owner has the letter", "letter"), ("from the owner's disk to the meter", "meter"))
    for what, part in parts:
        row(f"of it, {what}, p50 / p99", millis(quantiles(getattr(way, part) for way in found)), "", "")
    row("of it, the two commits, p50 / p99", millis(commits, 2), "at the casino and at the owner", "")
    limit = quantiles(trips)
    row(
        "ZeroMQ's round trip, CURVE, and two commits, p50 / p99",
        millis((limit[0] + commits[0], limit[1] + commits[1]), 2),
        f"the round trip alone {millis(limit, 2)}, {ROUND_TRIPS} of {OCTETS} octets",
        f"{whole[0] / (limit[0] + commits[0]):.1f} and {whole[1] / (limit[1] + commits[1]):.1f} times",
    )


# ------------------------------------------------------------------------------------------------- ZeroMQ alone


def round_trips() -> list[Micros]:
    """Of a DEALER to a ROUTER in another process and back, with CURVE over loopback."""
    public, secret = zmq.curve_keypair()
    port = free_port()
    command = [sys.executable, "-m", "bench.link_meter", str(port), secret.decode(), public.decode()]
    environment = os.environ | PATH
    with (
        subprocess.Popen(command, env=environment, cwd=TESTS) as echo,
        zmq.Context() as context,
        context.socket(zmq.DEALER) as dealer,
    ):
        dealer.curve_serverkey = public
        dealer.curve_publickey, dealer.curve_secretkey = zmq.curve_keypair()
        dealer.connect(f"tcp://{LOOPBACK}:{port}")
        took, octets = [], os.urandom(OCTETS)
        for _ in range(ROUND_TRIPS):
            start = micros()
            dealer.send(octets)
            dealer.recv()
            took.append(micros() - start)
        dealer.send(b"")
        echo.wait(10)
    return took[ROUND_TRIPS // 10 :]


def echo(port: str, secret: str, public: str) -> None:
    """Whatever comes goes back, until it is nothing."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        router.curve_server = True
        router.curve_publickey, router.curve_secretkey = public.encode(), secret.encode()
        router.bind(f"tcp://{LOOPBACK}:{port}")
        while (parts := router.recv_multipart())[-1]:
            router.send_multipart(parts)


if __name__ == "__main__":
    echo(*sys.argv[1:])
