"""The ground that attacks are tried on: a real node, honest people who ask ten times a second, and a stranger of the group.

The node is started as it is installed (support/node/node_process.py), with a group of its own and systemd's limit of open
files. Where the tests are root's, honest people and attackers are processes of other users in that group, as `pozo ctl`
and the web process are; elsewhere they are other processes of this user, and `of_another_user` skips what needs more.

    with ground(template) as place:
        seen = place.under("support.attack.at_the_door:deep", 5)
        seen.holds()

An attack is a function `(control: Path, until: float, *words: str) -> None` of an importable module, named
`module:function`; it runs in a child of its own (child.py) until the monotonic clock says `until`, or is ended soon after.
What it prints stands in `told`. Attacks stand in modules of support/attack/, which import little.
"""

import json
import os
import resource
import signal
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import CAMPAIGN

from controller.node.vocabulary.protocol import Deed
from support.attack.child import HONEST, MEMBERS, STRANGER
from support.node.node_process import JEFE, Casino, Running, casino, today
from support.places import ROOT

OPEN_FILES = 4_096  # LimitNOFILE of systemd/pozo-node@.service
SECONDS = 60.0 if CAMPAIGN else 3.0
"""How long an attack lasts, in full and in short."""
P99 = 100.0  # milliseconds that honest people wait, at most, in ninety-nine of a hundred cases
_CALM = 1.0
of_another_user = pytest.mark.skipif(os.geteuid() != 0, reason="only root starts processes of other users")


class Waits(NamedTuple):
    """What honest people waited, in milliseconds, and what they were never answered."""

    waits: tuple[float, ...]
    unanswered: tuple[str, ...]

    def at(self, percent: int) -> float:
        return statistics.quantiles(self.waits, n=100, method="inclusive")[percent - 1]


class Size(NamedTuple):
    """What a node has of its machine: octets of memory, of its record, of its journal; descriptors; facts."""

    memory: int
    record: int
    journal: int
    descriptors: int
    facts: int


class Seen(NamedTuple):
    calm: Waits
    attacked: Waits
    before: Size
    after: Size
    peak: int  # octets of memory, the most there ever were
    alive: bool
    told: str  # by the attacker

    def holds(self, *, memory: int = 32_000_000, record: int = 2_000_000, facts: int = 100) -> None:
        """The node lives, honest people were all answered and soon, and what grew stayed small. `facts` beyond those of
        the honest."""
        assert self.alive, self.summary
        assert self.attacked.unanswered == ()
        if CAMPAIGN:
            assert self.attacked.at(99) <= P99, self.summary
        else:  # other tests run beside the short form, on machines of any speed: half of the waits are enough to see it
            assert self.attacked.at(50) <= P99 + self.calm.at(99), self.summary
        assert self.peak - self.before.memory <= memory, self.summary
        assert self.after.record - self.before.record <= record, self.summary
        assert self.after.journal - self.before.journal <= record, self.summary
        assert self.after.facts - self.before.facts <= facts + len(self.attacked.waits), self.summary

    @property
    def summary(self) -> str:
        grown = Size(*(after - before for before, after in zip(self.before, self.after, strict=True)))
        waits = {name: [round(one.at(p), 1) for p in (50, 99)] for name, one in self._waits()}
        most = round(max(self.attacked.waits, default=0.0), 1)
        return f"p50 and p99 {waits}, at most {most} ms, grown {grown}, peak {self.peak}, attacker: {self.told}"

    def _waits(self) -> Iterator[tuple[str, Waits]]:
        yield "calm", self.calm
        yield "attacked", self.attacked


class Ground:
    def __init__(self, node: Running, journal: Path, ending: ExitStack) -> None:
        self.node, self.journal, self._ending = node, journal, ending
        self.control = node.place / "control"
        self.record = node.place / "folder/node.db"

    @property
    def pid(self) -> int:
        return self.node.process.pid

    def alive(self) -> bool:
        return self.node.process.poll() is None

    def size(self) -> Size:
        record = sum(one.stat().st_size for one in self.record.parent.glob("node.db*"))
        descriptors = len(list(Path(f"/proc/{self.pid}/fd").iterdir()))
        return Size(self._memory("VmRSS"), record, self.journal.stat().st_size, descriptors, self.node.seq())

    def _memory(self, which: str) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(which))

    def child(self, what: str, seconds: float, *words: object, user: int = STRANGER) -> "subprocess.Popen[str]":
        """A function of a module, `module:function`, as another user of the group; ready to begin (`begins`)."""
        return self._ending.enter_context(child_of(user, what, self.control, seconds, *words))

    def under(
        self, attack: str, seconds: float = SECONDS, *words: object, user: int = STRANGER, times: int = 1
    ) -> Seen:
        """What honest people see before and during this attack, by so many processes at once."""
        honest = self.child("support.attack.honest:live", 0, user=HONEST)
        attackers = [self.child(attack, seconds, *words, user=user) for _ in range(times)]
        begins(honest)
        calm = _waits(honest, _CALM)
        before = self.size()
        for one in attackers:
            begins(one)
        try:
            attacked = _waits(honest, seconds)
        finally:
            told = [_over(one) for one in attackers]
        _over(honest)
        alive = self.alive()
        after = self.size() if alive else before
        return Seen(calm, attacked, before, after, self._memory("VmHWM") if alive else 0, alive, " ".join(told)[-500:])


def begins(child: "subprocess.Popen[str]", word: object = "") -> None:
    assert child.stdin is not None, "a pipe"
    child.stdin.write(f"{word}\n")
    child.stdin.flush()


@contextmanager
def ground(template: Path, *, day: bool = True, more: str = "", **options: Any) -> Iterator[Ground]:
    """A casino whose record was founded at `template` (support/node/node_process.py:founded), its day open; `more`: of
    its settings."""
    with casino(template, more=more) as place, ExitStack() as ending:
        place.place.chmod(0o711)
        journal = place.place / "journal"
        group = {"group": MEMBERS} if os.geteuid() == 0 else {}
        node = _node(place, journal, {**group, **options})
        node.ready()
        node.up()
        if day:
            assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
        yield Ground(node, journal, ending)


def _node(place: Casino, journal: Path, options: Mapping[str, Any]) -> Running:
    with journal.open("wb") as said:  # a pipe that nobody empties would hold up a node that has much to say
        return place.start(stderr=said, preexec_fn=_as_systemd_limits, **options)


def _as_systemd_limits() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))


@contextmanager
def child_of(user: int, what: str, control: Path, seconds: float, *words: object) -> Iterator["subprocess.Popen[str]"]:
    """Ready to begin (`begins`)."""
    command = [sys.executable, "-m", "support.attack.child", *map(str, (user, what, control, seconds, *words))]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PYTHONDONTWRITEBYTECODE": "1"}
    pipe, out = subprocess.PIPE, subprocess.STDOUT
    with subprocess.Popen(
        command, text=True, env=environment, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=out
    ) as process:
        try:
            assert process.stdout is not None, "a pipe"
            said = process.stdout.readline()
            assert said == "ready\n", said + process.stdout.read()
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)


def _waits(honest: "subprocess.Popen[str]", seconds: float) -> Waits:
    begins(honest, seconds)
    assert honest.stdout is not None, "a pipe"
    line = honest.stdout.readline()
    assert line.startswith("{"), line + honest.stdout.read()
    said = json.loads(line)
    return Waits(tuple(said["waits"]), tuple(said["unanswered"]))


def _over(child: "subprocess.Popen[str]") -> str:
    """What it said, once its time is up; who goes on is ended."""
    with suppress(subprocess.TimeoutExpired):
        return child.communicate(timeout=5)[0]
    child.kill()
    return child.communicate()[0] + "(killed)"
