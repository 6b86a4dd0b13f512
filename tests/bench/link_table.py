"""What a player and a croupier feel of the links: nothing. Press to steady lamp and lock to proven, in one run.

Three houses with one table each stand side by side, each a daemon of its own: two whose pot is their own and that know no
neighbour, and a casino that feeds the pot of an owner. They play in turns, a few presses and locks each, and the casino's link
stands, flaps (cut for most of a second, every three seconds), or leads to an owner that is stopped in the middle of everything.
What the two lone houses differ by is what such a run cannot tell apart.
"""

import os
import signal
import statistics
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from bench.house import NAMES, Node, folder, founded, millis, names_of, quantiles, row
from bench.link_ground import OWNER, Casino, link_key, owner_founded, owner_running, shared_plan
from controller.play.cable import free_port
from drivers.session import Micros
from support.node.linked_casinos import Cables
from support.node.node_process import Running

CASINO = "puerto"
SHAPE = "table"
ROUNDS, PRESSES, LOCKS = 4, 30, 6
CUT_FOR, STANDS_FOR = 0.7, 2.3  # seconds
SETTLES = 4.0  # seconds until a link stands again, or is known to be down
NO_LINKS, CONTROL, UP = "no links", "no links, another house", "links up"
FLAPPING, STOPPED = "links flapping", "owner stopped"


class Felt(NamedTuple):
    """Of one state: each time from press to steady lamp, and from lock button to all proven, on the disk."""

    steady: list[Micros]
    sealed: list[Micros]


class Houses:
    def __init__(self, ending: ExitStack) -> None:
        top, port = ending.enter_context(folder()), free_port()
        self.cables = ending.enter_context(Cables(port))
        plan = shared_plan({CASINO: names_of([SHAPE])})
        owner_founded(top / OWNER, port, plan, {CASINO: link_key(top / CASINO)})
        self._ending, self._place = ending, top / OWNER
        self._start_owner()
        self.lone, self.other = (self._alone(top / name) for name in ("sola", "otra"))
        casino = Casino(CASINO, self.cables.of[CASINO].near, plan, link_key(top / OWNER))
        self.linked = Node(top / CASINO, [SHAPE], ending, pencil=True, found=casino)
        for house in (self.lone, self.other, self.linked):
            house.open_day()

    def _start_owner(self) -> None:
        self.owner: Running = self._ending.enter_context(owner_running(self._place))

    def _alone(self, place: Path) -> Node:
        place.mkdir()
        return Node(place, [SHAPE], self._ending, pencil=True, found=founded)

    @contextmanager
    def stands(self) -> Iterator[Node]:
        self.linked.daemon.until(lambda view: view.neighbours[0].up)
        yield self.linked

    @contextmanager
    def flaps(self) -> Iterator[Node]:
        ending = threading.Event()

        def flap() -> None:
            while not ending.is_set():
                self.cables.cut(CASINO)
                ending.wait(CUT_FOR)
                self.cables.join(CASINO)
                ending.wait(STANDS_FOR)

        flapping = threading.Thread(target=flap)
        flapping.start()
        try:
            yield self.linked
        finally:
            ending.set()
            flapping.join()

    @contextmanager
    def stopped(self) -> Iterator[Node]:
        self.owner.process.send_signal(signal.SIGSTOP)
        try:
            time.sleep(SETTLES)
            yield self.linked
        finally:
            self.owner.process.send_signal(signal.SIGCONT)
            self.owner.process.send_signal(signal.SIGKILL)  # it would end by itself, and be started again
            self.owner.process.wait()
            self._start_owner()


def bench_table(short: bool) -> None:
    rounds = 1 if short else ROUNDS
    felt: defaultdict[str, Felt] = defaultdict(lambda: Felt([], []))
    with ExitStack() as ending:
        houses = Houses(ending)
        states: dict[str, Callable[[], AbstractContextManager[Node]]] = {
            NO_LINKS: lambda: nullcontext(houses.lone), CONTROL: lambda: nullcontext(houses.other),
            UP: houses.stands, FLAPPING: houses.flaps, STOPPED: houses.stopped,
        }  # fmt: skip
        for number in range(rounds):
            for name, state in states.items():
                with state() as house:
                    _play(house, felt[name])
                said = " / ".join(f"{statistics.median(times) / 1000:.1f}" for times in felt[name])
                print(
                    f"round {number + 1}, {name}: {said} ms, load {os.getloadavg()[0]:.1f}", file=sys.stderr, flush=True
                )
        waits = houses.linked.daemon.until(lambda view: not view.neighbours[0].waits and view.neighbours[0].up)
        assert not waits.disputes, "what was played while cut off was heard in the end"
    lone = [statistics.median(times) for times in felt[NO_LINKS]]
    for name, (steady, sealed) in felt.items():
        times = [statistics.median(of) / by for of, by in zip((steady, sealed), lone, strict=True)]
        row(
            f"{NAMES[SHAPE]}, {name}",
            millis(quantiles(steady)),
            millis(quantiles(sealed)),
            f"{times[0]:.2f} and {times[1]:.2f} times no links, of {len(steady)} presses and {len(sealed)} locks",
        )


def _play(house: Node, felt: Felt) -> None:
    felt.steady.extend(house.play(f"press {PRESSES}"))
    pressed, _ = house.play(f"lock {LOCKS}")
    time.sleep(0.5)
    felt.sealed.extend(next(at for at in house.sealed["M01"] if at > press) - press for press in pressed)
