"""Seeded schedules of a link that loses, doubles and delays, of both ends that die, and of a record that is put back.

Whatever happens, what the mirror has is a beginning of what the box had or a branch that two persons know of; and in the calm
afterwards both are the same.
"""

import random

import pytest
from conftest import CAMPAIGN

from controller.core.values import Broken
from controller.node.book.chain import Key
from controller.node.link.mirror_feed import follows
from controller.node.store.store import Reader
from support.edits.mirrored import Box, Casino

SCHEDULES = 400 if CAMPAIGN else 12
STEPS = 60


class Schedule:
    """One evening of a bad link."""

    def __init__(self, folder, seed):
        self.chance = random.Random(seed)
        self.folder = folder
        self.key, self.casino_key = Key.load_or_make(folder / "node.key"), Key.load_or_make(folder / "casino.key")
        self.box = Box(folder / "box.db", self.key)
        self.to_casino, self.to_box = [], []
        self.casino = None
        self.old = None
        self.begin()

    def begin(self):
        """The casino's node starts; whatever was on the wire is gone."""
        stopped = self.casino is not None and self.casino.mirroring.is_stopped
        now = 0 if self.casino is None else self.casino.now
        if self.casino is not None:
            self.casino.close()
        self.casino = Casino(self.folder / "mirror.db", "caja1", self.casino_key, is_stopped=stopped)
        self.casino.now = now
        self.link()

    def link(self):
        self.to_casino, self.to_box = [], []
        self.casino.mirroring.down()
        self.casino.up()

    def step(self):
        self.casino.now += self.chance.randrange(30_000_000)
        act = self.chance.choice(("play", "tick", "box", "box", "casino", "casino", "again", "link", "back"))
        match act:
            case "play":
                self.box.play(self.chance.randrange(60))
                self.to_box += self.chance.sample(self.to_box, min(1, len(self.to_box)))
            case "tick":
                self.casino.mirroring.tick(self.casino.now, 1)
                self.casino.settle()
            case "box":
                self.answer()
            case "casino":
                self.hear()
            case "again" if self.chance.random() < 0.2:
                self.begin()
            case "link" if self.chance.random() < 0.3:
                self.link()
            case "back" if self.chance.random() < 0.15:
                self.put_back()
        self.to_box += self.casino.marks()

    def put_back(self):
        if self.old is None or self.chance.random() < 0.5:
            self.old = self.box.copy(f"old-{self.casino.now}.db")
        else:
            self.box.put_back(self.old)
            self.box.number += 1_000
            self.link()

    def answer(self):
        if not self.to_box or self.chance.random() < 0.2:
            return
        mark = self.chance.choice(self.to_box)
        with Reader.open(self.box.path) as reader:
            self.to_casino += follows(reader, mark).messages

    def hear(self):
        if not self.to_casino or self.chance.random() < 0.2:
            return
        self.casino.hear(self.to_casino.pop(self.chance.randrange(len(self.to_casino))))

    def calm(self):
        """Two persons look at what was named, and nothing is lost any more."""
        for _ in range(4):
            self.link()
            self.box.told_to(self.casino)
            if self.casino.mirroring.is_stopped:
                self.casino.mirroring.accept(self.casino.now)
                self.box.told_to(self.casino)

    def close(self):
        self.box.close()
        self.casino.close()


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(SCHEDULES))
def test_after_any_schedule_the_calm_makes_both_the_same_and_nothing_kept_is_lost(seed, tmp_path):
    schedule = Schedule(tmp_path, seed)
    ever = set()
    for _ in range(STEPS):
        schedule.step()
        kept = set(schedule.casino.file._ask("SELECT branch, seq, hash FROM fact"))
        assert ever <= kept, "what was once kept is kept"
        ever = kept
    schedule.calm()

    with Reader.open(schedule.box.path) as reader:
        assert list(reader.facts()) == list(schedule.casino.file.facts())
        assert list(reader.checkpoints()) == list(schedule.casino.file.checkpoints())
    assert set(schedule.casino.why) <= {Broken.ROLLED_BACK, Broken.FORK}
    assert ever <= set(schedule.casino.file._ask("SELECT branch, seq, hash FROM fact"))
    schedule.close()


def test_a_link_that_only_loses_names_nobody(tmp_path):
    """Without a record that is put back no schedule may name the box."""
    for seed in range(20):
        folder = tmp_path / str(seed)
        folder.mkdir()
        schedule = Schedule(folder, seed)
        schedule.put_back = lambda: None
        for _ in range(STEPS):
            schedule.step()
        assert schedule.casino.differs == []
        schedule.close()
