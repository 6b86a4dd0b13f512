"""Strangers and thieves at the gate of the links (R-28): refused, bounded, and the honest neighbour does not feel it.

The node above is a process with the open files of systemd's unit; the honest box stands in the test, tells fifty letters a
second and takes twenty meters a second. Attackers are processes (support/attack/at_the_link.py).
"""

import json
import os
import statistics
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from conftest import CAMPAIGN

from controller.core.values import Side
from controller.node.vocabulary.inbox import LinkChanged
from support.attack.ground import OPEN_FILES
from support.link.node import MeterHeard, SmallNode, new_key
from support.places import PATH

pytestmark = pytest.mark.process

SECONDS = 60.0 if CAMPAIGN else 3.0
MOST_MEMORY = 40_000_000  # octets more than before
MOST_DESCRIPTORS = 400
HALF, HUNDREDTH = 0.1, 0.5  # seconds that half, and all but the hundredth, of what is honest may take
UP = "to:central"
HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"

STRANGERS = ["connections", "half_greetings", "greetings", "false_hellos", "garbage", "wrong_keys"]
THIEVES = ["endless_message", "junk_messages"]


class Waits(NamedTuple):
    """Seconds from the telling of a letter to its acknowledgement, and ages of meters when they came."""

    letters: list[float]
    meters: list[float]
    drops: list[LinkChanged]


class Above:
    def __init__(self, process):
        self._process = process
        said = json.loads(process.stdout.readline())
        self.address, self.key = said["address"], said["key"]

    @property
    def port(self):
        return self.address.rpartition(":")[2]

    def stands(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


def started(module, *words, **how):
    return subprocess.Popen(
        [sys.executable, "-m", module, *words], stdout=subprocess.PIPE, text=True, env=os.environ | PATH, **how
    )


@pytest.fixture
def thief():
    return new_key()


@pytest.fixture
def box(tmp_path):
    return SmallNode("caja", tmp_path / "caja")


@contextmanager
def above(tmp_path, box, thief, files=OPEN_FILES):
    """It must live to its end, whatever was done to it."""
    keys = [f"caja={box.key.public.hex()}", f"robada={thief.public.hex()}"]
    with started("support.link.served", str(tmp_path / "central"), str(files), *keys, stdin=subprocess.PIPE) as process:
        made = Above(process)
        box.pin("central", Side.ABOVE, bytes.fromhex(made.key))
        with box.start(central=made.address):
            yield made
        process.stdin.close()
        assert process.wait(10) == 0


def lives(box, seconds):
    """Fifty letters a second, each waited for."""
    letters, meters, drops, until = [], [], [], time.monotonic() + seconds
    while time.monotonic() < until:
        before, seen = time.monotonic(), len(box.items)
        box.tell(UP, "M1")
        while box.state.acknowledged.get(f"central/{UP}") != box.state.told[UP]:
            assert time.monotonic() < before + 15, "the honest one is not heard"
            box.turn()
            time.sleep(0.0005)
        letters.append(time.monotonic() - before)
        now = time.monotonic()
        meters += [now - item.at / 1e6 for item in box.items[seen:] if isinstance(item, MeterHeard)]
        drops += box.of(LinkChanged)
        box.items.clear()
        time.sleep(max(0.0, 0.02 - letters[-1]))
    return Waits(letters, meters, [one for one in drops if not one.up])


def at(waits, percent):
    return statistics.quantiles(waits, n=100, method="inclusive")[percent - 1]


def attacked(node, box, name, *keys):
    """What the honest one waited meanwhile, how the node stood at the end of it, and how much was tried."""
    with attacker(node, name, HERE, *keys) as running:
        lives(box, 0.5)
        waits = lives(box, SECONDS)
        stands = node.stands()
        return waits, stands, int(running.communicate(timeout=60)[0])


def attacker(node, name, address, *keys):
    return started("support.attack.at_the_link", name, node.port, address, str(SECONDS + 1), node.key, *keys)


@pytest.mark.campaign
@pytest.mark.parametrize("name", STRANGERS + THIEVES)
def test_the_honest_neighbour_does_not_feel_them(tmp_path, box, thief, name):
    keys = (thief.public.hex(), thief.secret.hex()) if name in THIEVES else ()
    with above(tmp_path, box, thief) as node:
        calm, before = lives(box, 1), node.stands()
        waits, after, done = attacked(node, box, name, *keys)
        lives(box, 0.3)
    print(
        f"{name}: {done} done; letters {told(calm.letters)} {told(waits.letters)}; meters {told(calm.meters)} {told(waits.meters)};"
        f" memory {before['memory']} -> {after['peak']}; descriptors {after['descriptors']}"
    )

    assert done > 100
    assert after["alive"]
    assert after["peak"] - before["memory"] < MOST_MEMORY
    assert after["descriptors"] < MOST_DESCRIPTORS
    assert not waits.drops
    for row in (waits.letters, waits.meters):
        assert at(row, 50) < HALF
        assert at(row, 99) < HUNDREDTH or not CAMPAIGN


def told(waits):
    return f"{1_000 * at(waits, 50):.1f}/{1_000 * at(waits, 99):.1f} ms"


@pytest.mark.parametrize("files", [40, 48, 64])
def test_without_descriptors_nobody_new_comes_in_and_the_process_lives(tmp_path, box, thief, files):
    """libzmq aborts where it cannot accept: here it never does."""
    with above(tmp_path, box, thief, files) as node:
        lives(box, 0.3)
        for name in ("connections", "false_hellos", "wrong_keys"):
            _, stands, _ = attacked(node, box, name)
            assert stands["alive"]
        lives(box, 0.3)


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["connections", "false_hellos", "wrong_keys"])
def test_an_honest_neighbour_comes_back_while_they_stand_at_the_gate(tmp_path, box, thief, name):
    """They come from another address; what is theirs is bounded by that."""
    with above(tmp_path, box, thief) as node, attacker(node, name, ELSEWHERE) as running:
        lives(box, 1)
        took = []
        for _ in range(3):
            box.links.stop()
            began = time.monotonic()
            box.start(central=node.address)
            lives(box, 0.1)
            took.append(time.monotonic() - began)
        assert statistics.median(took) < 2, took
        running.kill()
