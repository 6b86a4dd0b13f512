"""An evening of three linked nodes that are killed at seeded moments, under load and under the eyes of a witness.

`norte` owns the pot, `puerto` is another casino, `valle` is a box of `norte`, which mirrors it. Most kills come while the
links stand and somebody is about to be answered, so that a letter or its acknowledgement is on its way.
"""

import random
import shutil
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from controller.node.link.mirrors import mirror_of
from support.links.ear import EAR, PROGRAM
from support.links.load import Casino, Owner, Work
from support.links.witness import Followed, Witness
from support.node.linked_casinos import OWNER, POT, Linked, LinkedNode
from support.node.node_process import POZO
from support.places import ROOT

BOX = "valle"
PATIENT = 90.0  # seconds until a node is ready on a machine that does much else
CALM = 60.0  # seconds in which everything comes to rest, once nobody is killed any more


def overheard(ending: ExitStack, place: Path) -> dict[str, Any]:
    """How the node of this place is started."""
    journal = ending.enter_context((place / "journal").open("ab"))
    return {"more": {EAR: str(place / "ear")}, "program": PROGRAM, "stdout": journal, "stderr": journal}


class Evening:
    def __init__(self, three: Linked, seed: int, tell: Callable[[str], object] = lambda _: None) -> None:
        self.three, self.chance, self.tell = three, random.Random(seed), tell
        self.work: dict[str, Work] = {casino.name: Casino(casino, seed) for casino in three.casinos}
        self.work[OWNER] = Owner(three.norte, seed)
        self.witness = Witness([
            Followed(node.name, node.place / "folder", node.place / "ear") for node in three.nodes.values()
        ])  # fmt: skip
        self.kills, self.stood = 0, 0
        self.ready: list[float] = []

    @property
    def broken(self) -> list[str]:
        return self.witness.broken + [what for work in self.work.values() for what in work.broken]

    def play(self, kills: int) -> None:
        for work in self.work.values():
            work.start()
        while self.kills < kills and not self.broken:
            self.one_kill()
            if self.kills % 10 == 0:
                self.tell(f"{self.kills} of {kills} kills: {self.figures()}")

    def one_kill(self) -> None:
        """At most points while the links stand, so that a letter or its acknowledgement is on its way."""
        if self.chance.random() < 0.8:
            self.stood += self.links_stand(8.0)
        if self.broken:
            return
        self.live_for(self.chance.uniform(0, 1.0))
        ends = self.chance.choice(
            ((OWNER,), (OWNER,), ("puerto",), (BOX,), (OWNER, self.chance.choice(("puerto", BOX))))
        )
        asked = self.work[self.chance.choice(list(self.work))].asked
        asked.clear()
        asked.wait(1.0)
        time.sleep(self.chance.choice((0.0, self.chance.uniform(0, 0.03), self.chance.uniform(0, 0.15))))
        for name in ends:
            self.three.nodes[name].kill()
            self.kills += 1
        self.witness.look()
        time.sleep(self.chance.choice((0.0, 0.0, 0.3, 1.5)))
        for name in self.chance.sample(ends, len(ends)):
            while self.chance.random() < 0.1:  # and while it starts
                self.three.nodes[name].begin()
                time.sleep(self.chance.uniform(0, 0.8))
                self.three.nodes[name].kill()
                self.kills += 1
            began = time.monotonic()
            self.three.nodes[name].start(PATIENT)
            self.ready.append(time.monotonic() - began)

    def live_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.witness.look()
            time.sleep(min(0.1, max(0, end - time.monotonic())))

    def somebody_ended(self) -> bool:
        """By itself, which no node does."""
        for node in self.three.nodes.values():
            if (code := node.node.process.poll()) is not None:
                journal = (node.place / "journal").read_text(errors="replace")
                self.witness.nodes[node.name].wrong(f"it ended by itself with {code}: {journal[-3000:]}")
        return bool(self.broken)

    def links_stand(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.witness.look()
            if self.somebody_ended():
                return False
            if all(one.up for one in self.three.norte.until(bool).neighbours):
                return True
            time.sleep(0.05)
        return False

    # ------------------------------------------------------------------------------------------------ the end

    def end(self) -> None:
        """Everybody was answered, no letter waits, and both sides of each link are equal; the nodes end in order."""
        self.everybody_plays()
        for work in self.work.values():
            work.stop()
        self.comes_to_rest()
        left = {node.name: node.balances() for node in self.three.nodes.values()}
        for node in self.three.nodes.values():
            node.end()
        for _ in range(2):
            self.witness.look()
        for name, work in self.work.items():
            self.witness.nodes[name].answered(work.told, work.again)
        for casino in self.three.casinos:
            here, there = left[casino.name][f"clearing:{POT}:{OWNER}"], left[OWNER][f"clearing:{POT}:{casino.name}"]
            assert here == -there and here, (casino.name, here, there)

    def everybody_plays(self) -> None:
        """A short evening on a busy machine may be over before each casino has bet in a pass and finished one."""
        end = time.monotonic() + PATIENT
        while any(self._has_not_played(one) for one in self.three.casinos) and not self.somebody_ended():
            if time.monotonic() > end:
                views = [(self.work[one.name].seen, one.node.until(bool)) for one in self.three.casinos]
                raise AssertionError(f"a casino does not play: {views}")
            self.live_for(0.1)

    def _has_not_played(self, casino: LinkedNode) -> bool:
        return self.work[casino.name].passes < 2 or not casino.balances().get(f"clearing:{POT}:{OWNER}")

    def verified(self) -> None:
        """R-27: by an auditor, each record, all three beside one another, and the box's beside its mirror."""
        mirror = mirror_of(self.three.norte.place / "folder", BOX)
        for words in (
            [node.record for node in self.three.nodes.values()],
            [self.three.valle.record, "--mirror", mirror],
        ):
            done = subprocess.run(
                [POZO, "verify", *words], capture_output=True, text=True, timeout=300, check=False
            )  # fmt: skip
            if done.returncode or "MAL" in done.stdout:
                self.keep()
            assert done.returncode == 0 and "MAL" not in done.stdout, done.stdout + done.stderr

    def keep(self) -> None:
        """What an auditor found wrong, for whoever looks into it: var/killed, a record of each node."""
        kept = ROOT / "var/killed"
        kept.mkdir(parents=True, exist_ok=True)
        for node in self.three.nodes.values():
            shutil.copy(node.record, kept / f"{node.name}.db")

    def comes_to_rest(self) -> None:
        end = time.monotonic() + CALM
        waits: Sequence[object] = ["at first"]
        while waits and time.monotonic() < end and not self.broken:
            self.witness.look()
            views = [node.node.until(bool) for node in self.three.nodes.values()]
            waits = [
                *(one for view in views for one in view.neighbours if one.waits or not one.up),
                *(pot for view in views for pot in view.far_pots if pot.percentages or pot.corrections),
            ]
            time.sleep(0.1)
        assert not waits, waits

    def figures(self) -> str:
        told = sum(len(work.told) for work in self.work.values())
        passes = sum(self.work[casino.name].passes for casino in self.three.casinos)
        letters = {name: sum(one.told.values()) for name, one in self.witness.nodes.items()}
        facts = sum(one.rows for one in self.witness.nodes.values())
        words = sum((one.words for one in self.witness.nodes.values()), start=Counter[str]())
        return (
            f"{self.kills} kills, {self.stood} while all links stood, {passes} passes, {told} answers, {facts} facts, letters {letters}, "
            f"{dict(words)}; ready p50 {statistics.median(self.ready or [0]):.2f} s"
        )
