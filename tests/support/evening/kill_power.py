"""A busy evening of the whole node, recorded at its system calls, and what the power may leave of it at any instant.

The node is killed once in the middle, so that the record has two starts. What was answered is marked after the client
heard it. A disk that a cut leaves must open; have everything that was answered, up to the end of some answer; have the
seed of its day; and have, of the devices without a memory, a base that its books can go on from, or no chip and no
press is safe (devices.md 2.6).
"""

import shutil
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from controller.core.state import State
from controller.node.book.book import Book
from controller.node.book.chain import Key
from controller.node.book.seeds import Seeds
from controller.node.devices.memories import Memories, chip_bases, module_base
from controller.node.store.store import Reader
from controller.node.vocabulary.places import UnitKey
from controller.record.record import FactRow
from support.evening.kill_place import ACCEPTOR, MODULE, SETTINGS, TABLE, Home, Life
from support.node.node_process import one_table_plan
from support.store.power_record import Step, mark, recorded, steps_of
from support.store.power_replay import Cut, Disk, content_of


class Recorded(NamedTuple):
    """What the node did to its folder, from `base` on, and the facts it ended with."""

    folder: Path
    base: Path
    steps: list[Step]
    facts: list[FactRow]
    nonce: bytes

    def disk(self) -> Disk:
        return Disk(self.folder, self.base)


def record_from_now_on(evening: Any, record: Path) -> Path:
    """Every later life of its node, and what anybody is answered."""
    folder = evening.place.folder / "folder"
    base = record.with_name("base")
    shutil.copytree(folder, base)
    evening.place.environment = recorded(folder, record)
    evening.crowd.heard = lambda reply: mark(record, seq=reply.seq)
    return base


def what_was_recorded(evening: Any, record: Path, base: Path) -> Recorded:
    folder = evening.place.folder / "folder"
    steps = list(steps_of(record))
    disk = Disk(folder, base)
    for step in steps:
        disk.follow(step)
    assert disk.all_that_was_written() == content_of(folder), "the record has every write, and no other"
    with Reader.open(folder / "node.db") as reader:
        facts = list(reader.facts())
    return Recorded(folder, base, steps, facts, (folder / "nonce").read_bytes())


def prove(cut: Cut, whole: Recorded, seen: Counter[str]) -> int:
    """What a power cut left is a node that goes on."""
    acknowledged = max((int(str(said["seq"])) for said in cut.told), default=0)
    with closing(Book.open(cut.folder / "node.db", Key.load_or_make(cut.folder / "node.key"))) as book:
        facts, state = list(book.store.facts()), book.state
        assert len(facts) >= acknowledged, f"answered {acknowledged}, there are {len(facts)}"
        assert facts == whole.facts[: len(facts)], "another record"
        assert max(row.last for row in book.store.outcome_rows()) == len(facts), "half an answer"
    if state.day is not None:
        seed = Seeds(cut.folder / "seeds").of(state.day.name, state.day.commitment)
        assert seed is not None, "the day is open, and its seed is lost"
        seen["days"] += 1
    if cut.told:
        assert (cut.folder / "nonce").read_bytes() == whole.nonce, "devices would take it for another installation"
    _prove_memories(cut, state, seen)
    return len(facts)


def _prove_memories(cut: Cut, state: State, seen: Counter[str]) -> None:
    """The base is ahead of the books or with them: resuming begins no other epoch."""
    memories, table = Memories(cut.folder / "memories"), state.tables.get(TABLE)
    if table is None:
        return
    device = table.seat(ACCEPTOR).device
    if device is not None:
        known = memories.load(UnitKey("ranuras", 11))
        (base,) = chip_bases(known, device)
        assert base.device.epoch == device.epoch, f"the acceptor begins anew: {known}, {device}"
        assert (base.totals.chips - device.chips) % 2**32 < 2**31, "behind the books"
        seen["chips ahead"] += base.totals.chips != device.chips
    device = table.seat(MODULE).device
    if device is not None:
        known = memories.load(UnitKey("modulo", 5))
        module = module_base(known, 77, {MODULE: device})
        assert module is not None and module.device.epoch == device.epoch, f"it begins anew: {known}, {device}"
        seen["presses ahead"] += module.seats[MODULE].totals.bets != device.bets


def starts(cut: Cut, folder: Path) -> tuple[float, int]:
    """A node on that disk; its devices are away. How long it took, and how it ended."""
    shutil.copytree(cut.folder, folder / "folder")
    (folder / "plan.toml").write_text(one_table_plan())
    (folder / "node.toml").write_text(SETTINGS.format(ports=folder / "ports"))
    life = Life(Home(folder))
    ready = life.ready()
    assert ready is not None, (folder / "journal").read_text()[-2000:]
    return ready, life.stop()
