"""One owner with ten and with a hundred casinos: processor, memory, age of the meters, and what a contribution costs it.

The owner is the installed daemon; the casinos are simulated in one other process, which speaks the real link protocol
(light_casinos.py). Each casino has five tables and plays as much as in the other row, so that a hundred bring ten times the
passes. CPU is what the kernel charged the owner's threads; what a pass costs is all of it, beats and meters included.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import zmq
from zmq.utils import z85

from bench.house import cpu_of, folder, memory_of, names_of, row, spoken
from bench.light_casinos import SEATS, OneCasino, Told
from bench.link_ground import OWNER, POT, link_key, owner_founded, owner_running, shared_plan
from controller.play.cable import free_port
from drivers.punctual import micros
from drivers.session import SECOND
from support.node.node_process import Running
from support.places import TESTS

HOUSES = (10, 100)
TABLES = 5  # of a casino: of more than some six hundred no plan can be approved (64 KiB)
RATE = TABLES / 30  # passes a second of a casino: one in half a minute at each table, twice as fast as people play
SECONDS, QUIET = 60, 15
MOST_TIMES = 1.1
COMMISSION = 200_000

Play = Callable[[str], Any]


@contextmanager
def owner_of(casinos: int, record: str = "") -> Iterator[tuple[Running, Play]]:
    """The owner's daemon, with so many casinos linked to it; what they play is told in a word. `record`: of a database,
    if its record is there."""
    with ExitStack() as ending:
        top, port = ending.enter_context(folder()), free_port()
        made = [_casino(number) for number in range(1, casinos + 1)]
        plan = shared_plan({one.name: one.tables for one in made})
        owner_founded(top / OWNER, port, plan, {one.name: one.public for one in made}, record)
        told = Told(OWNER, link_key(top / OWNER), port, POT, COMMISSION, made)
        (top / "casinos.json").write_bytes(msgspec.json.encode(told))
        running = ending.enter_context(owner_running(top / OWNER, record=record))
        yield running, ending.enter_context(playing(top / "casinos.json"))


def _casino(number: int) -> OneCasino:
    public, secret = zmq.curve_keypair()
    return OneCasino(f"casino{number:03}", z85.decode(public).hex(), z85.decode(secret).hex(), names_of([""] * TABLES))


@contextmanager
def playing(place: Path) -> Iterator[Play]:
    """The casinos' process, once their pot is in force."""
    with spoken([sys.executable, str(TESTS / "bench/light_casinos.py"), str(place)]) as (words, said):
        assert said.readline() == "ready\n", "linked, and the plan in force"

        def play(asked: str) -> Any:
            words.write(asked + "\n")
            words.flush()
            answered = said.readline()
            assert answered, "the casinos' process ended"
            return json.loads(answered)

        yield play


def bench_casinos(short: bool) -> None:
    seconds = SECONDS // 3 if short else SECONDS
    costs: list[float] = []
    above_idle: list[float] = []
    for many in HOUSES:
        with owner_of(many) as (owner, play):
            pid = owner.process.pid
            idle, _ = _share(pid, play, f"quiet {QUIET}")
            before = cpu_of(pid)
            busy, live = _share(pid, play, f"live {seconds} {many * RATE}")
            costs.append(1000 * (cpu_of(pid) - before) / live["passes"])
            above_idle.append(costs[-1] * (busy - idle) / busy)
            disputes = owner.until(lambda view: view.pots).disputes
            assert not disputes, disputes[:5]
            row(
                f"{many} casinos of {TABLES} tables",
                f"{busy:.1f} %; {idle:.1f} % when nobody plays",
                f"{memory_of(pid):.0f}",
                " / ".join(str(time) for time in live["ways"][:2]) + " ms",
                " / ".join(str(time) for time in live["shown"][:2]) + " ms",
                f"{costs[-1]:.2f} ms, of {live['passes']} passes; {above_idle[-1]:.2f} ms above quiet",
            )
    times = f"{costs[1] / costs[0]:.2f} times as much, above quiet {above_idle[1] / above_idle[0]:.2f}"
    print(f"\nA pass of {SEATS} bets costs the owner of a hundred {times}; goal {MOST_TIMES}.", flush=True)


def _share(pid: int, play: Play, words: str) -> tuple[float, Any]:
    """Of one core, in per cent, while this is played; and what was answered."""
    start, before = micros(), cpu_of(pid)
    answered = play(words)
    return 100 * (cpu_of(pid) - before) * SECOND / (micros() - start), answered
