"""Each node in a network namespace of its own, each link a pair of veth ends between two: a real wire that can be pulled.

What the kernel has decides what can go wrong there. `cut`: the end above goes down. `flap`: down and up again, some times
a second. `deaf up`, `deaf down`: one end is told a wrong hardware address of the other, so what it sends is nobody's
and nothing comes back of that way, and no error is said. `slow`: a token bucket lets 8 kbit a second through (tbf); a
kernel without netem has neither delay nor loss nor doubling of its own, and those stay with the relay.
"""

import contextlib
import itertools
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping

PORT = 7071
ON_A_WIRE = ("cut", "flap", "deaf up", "deaf down", "slow")
_NOBODY = "02:00:00:00:00:01"
_number = itertools.count(1)


def _ip(*words: str) -> str:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def why_not() -> str:
    """Empty: namespaces can be had here."""
    if os.geteuid() != 0:
        return "network namespaces need root here"
    name = f"pz{os.getpid()}try"
    try:
        _ip("netns", "add", name)
        try:
            _ip("link", "add", f"pzt{os.getpid() % 100000}", "type", "veth", "peer", "name", "v0", "netns", name)
        finally:
            _ip("netns", "del", name)
    except (OSError, AssertionError) as no:
        return f"no network namespaces here: {no}"
    return ""


class Wires:
    mode = "each node in a network namespace of its own"
    troubles = ON_A_WIRE

    def __init__(self, nodes: tuple[str, ...], links: Mapping[str, tuple[str, str]]) -> None:
        """`links`: by name, the node below and the one above."""
        mark = f"pz{os.getpid()}x{next(_number)}"
        self._space = {node: f"{mark}{node}" for node in nodes}
        self._links = {name: (number, *ends) for number, (name, ends) in enumerate(links.items(), 1)}
        self._had: dict[str, str] = {}
        self._still: dict[str, threading.Event] = {}

    def command(self, node: str) -> list[str]:
        """Before the words of a program that runs at this node."""
        return ["ip", "netns", "exec", self._space[node]]

    def address(self, link: str) -> str:
        """Of the end above."""
        return f"10.77.{self._links[link][0]}.1"

    @contextlib.contextmanager
    def laid(self) -> Iterator["Wires"]:
        with contextlib.ExitStack() as ending:
            for space in self._space.values():
                _ip("netns", "add", space)
                ending.callback(_ip, "netns", "del", space)
                _ip("-n", space, "link", "set", "lo", "up")
            for link in self._links:
                self._lay(link)
            yield self
            for link in self._links:
                self.has(link, "")

    def _lay(self, link: str) -> None:
        number, below, above = self._links[link]
        down, up = self._space[below], self._space[above]
        _ip("-n", up, "link", "add", f"w{number}", "type", "veth", "peer", "name", f"w{number}", "netns", down)
        for space, last in ((up, 1), (down, 2)):
            _ip("-n", space, "addr", "add", f"10.77.{number}.{last}/30", "dev", f"w{number}")
            _ip("-n", space, "link", "set", f"w{number}", "up")

    def has(self, link: str, trouble: str) -> None:
        self._mend(link)
        self._had[link] = trouble
        number, below, above = self._links[link]
        end, down, up = f"w{number}", self._space[below], self._space[above]
        match trouble:
            case "cut":
                _ip("-n", up, "link", "set", end, "down")
            case "flap":
                self._still[link] = still = threading.Event()
                threading.Thread(target=_flaps, args=(up, end, still), daemon=True).start()
            case "deaf up":
                _ip(
                    "-n",
                    down,
                    "neigh",
                    "replace",
                    f"10.77.{number}.1",
                    "lladdr",
                    _NOBODY,
                    "nud",
                    "permanent",
                    "dev",
                    end,
                )
            case "deaf down":
                _ip(
                    "-n", up, "neigh", "replace", f"10.77.{number}.2", "lladdr", _NOBODY, "nud", "permanent", "dev", end
                )
            case "slow":
                for space in (up, down):
                    _tc(
                        space,
                        "qdisc",
                        "replace",
                        "dev",
                        end,
                        "root",
                        "tbf",
                        "rate",
                        "8kbit",
                        "burst",
                        "1600",
                        "limit",
                        "30000",
                    )

    def _mend(self, link: str) -> None:
        number, below, above = self._links[link]
        end, down, up = f"w{number}", self._space[below], self._space[above]
        match self._had.pop(link, ""):
            case "cut":
                _ip("-n", up, "link", "set", end, "up")
            case "flap":
                still = self._still.pop(link)
                still.set()
                _ip("-n", up, "link", "set", end, "up")
            case "deaf up":
                _ip("-n", down, "neigh", "del", f"10.77.{number}.1", "dev", end)
            case "deaf down":
                _ip("-n", up, "neigh", "del", f"10.77.{number}.2", "dev", end)
            case "slow":
                for space in (up, down):
                    _tc(space, "qdisc", "del", "dev", end, "root")


def _tc(space: str, *words: str) -> None:
    done = subprocess.run(
        ["ip", "netns", "exec", space, "tc", *words], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, (words, done.stderr)


def _flaps(space: str, end: str, still: threading.Event) -> None:
    while not still.wait(0.3):
        _ip("-n", space, "link", "set", end, "down")
        ended = still.wait(0.2)
        _ip("-n", space, "link", "set", end, "up")
        if ended:
            return
