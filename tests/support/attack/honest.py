"""Honest people at a node, in a process of their own (child.py). For each number of seconds read from its input they ask ten
times a second, and one line says how long each waited.

Every fifth is a newcomer with a connection of his own, every tenth a croupier who sells a credit with her PIN.
"""

import json
import sys
import time
from pathlib import Path

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, NodeSilent, NotOurs, asking
from controller.node.vocabulary.protocol import Reply
from support.node.node_process import CARLA

EVERY = 0.1
PATIENCE = 5.0
SOLD = ask.BuyCredits("DP-01", 1, 1, Signature(""))


class Honest:
    def __init__(self, control: Path) -> None:
        self._control, self._number = control, 0
        self._lasting = Client(control)
        self.waits: list[float] = []
        self.unanswered: list[str] = []

    def ask(self) -> None:
        self._number += 1
        started = time.monotonic()
        try:
            if self._number % 10 == 0:
                _done(self._lasting.ask(asking(SOLD, CARLA), PATIENCE))
            elif self._number % 5 == 0:
                with Client(self._control) as newcomer:
                    newcomer.state(PATIENCE)
            else:
                self._lasting.state(PATIENCE)
        except (NodeSilent, NotOurs, AssertionError) as none:
            self.unanswered.append(f"{self._number}: {none}")
        self.waits.append((time.monotonic() - started) * 1000)

    def go_on(self, seconds: float) -> str:
        self.waits, self.unanswered = [], []
        due = time.monotonic()
        until = due + seconds
        while due < until:
            time.sleep(max(0.0, due - time.monotonic()))
            self.ask()
            due += EVERY
        return json.dumps({"waits": self.waits, "unanswered": self.unanswered})


def _done(reply: Reply) -> None:
    assert reply.ok, reply.trouble


def live(control: Path, _until: float) -> None:
    people = Honest(control)
    for _ in range(10):
        people.ask()  # the first PIN of a person takes its time
    for line in sys.stdin:
        print(people.go_on(float(line)), flush=True)
