"""The power goes at some step of a record (support/store/power_record.py): what a disk may hold then, by seeded choice.

Theory. A file's bytes and its name are two things, and each is on the disk only once it was synced: the bytes by a sync of
the file, the name by a sync of its folder. What was not synced is there, not there, there in part (sectors of 512
bytes), or there without what was written before it. A rename is whole or absent. Nothing else is promised to a
program, and no more is granted here: a file that was synced is lost with its name, if its folder was not.

A map of SQLite's index (-shm) is not recorded; after a cut it is absent, empty or noise. A disk that lies about a sync is
`Disk(..., deaf_to=...)`: it takes no notice of syncs of those paths.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from support.store.power_record import Step, said_in

SECTOR = 512
INDEX = "-shm"
FATES = ("lost", "kept", "in order", "scattered", "shuffled")
"""What becomes of what was not synced: none of it, all of it, all up to a torn write, or each write by itself."""

Chance = random.Random


class Change(NamedTuple):
    """Bytes at a place, or, without bytes, a size."""

    order: int
    at: int
    data: bytes | None


@dataclass(eq=False)
class File:
    """What is surely on the disk, and what may be."""

    sure: bytearray = field(default_factory=bytearray)
    unsure: list[Change] = field(default_factory=list)

    def synced(self, until: int) -> None:
        while self.unsure and self.unsure[0].order < until:
            _apply(self.sure, self.unsure.pop(0))

    def after_a_cut(self, fate: str, chance: Chance) -> bytes:
        if not self.unsure or fate == "lost":
            return bytes(self.sure)
        left = bytearray(self.sure)
        for change in _surviving(self.unsure, fate, chance):
            _apply(left, change)
        return bytes(left)


@dataclass(eq=False)
class Folder:
    """A name without bytes."""


@dataclass
class Naming:
    """One step on names, whole or absent: what each path means then, and the folders it still waits for."""

    order: int
    names: dict[str, File | Folder | None]
    waits: set[str]


class Cut(NamedTuple):
    """What a power cut left in a folder, and what had been acknowledged when it came."""

    order: int
    fate: str
    folder: Path
    told: list[dict[str, object]]


class Disk:
    """A disk that follows a record, and can be asked at any step what a power cut would leave."""

    def __init__(self, folder: Path, base: Path | None, deaf_to: Callable[[str], bool] = lambda _: False) -> None:
        self._root = str(folder.resolve())
        self._deaf = deaf_to
        self._now: dict[str, File | Folder] = {self._root: Folder()}
        for path in sorted(base.rglob("*")) if base else ():
            assert base is not None, "it was looked through"
            whole = f"{self._root}/{path.relative_to(base)}"
            self._now[whole] = Folder() if path.is_dir() else File(bytearray(path.read_bytes()))
        self._sure: dict[str, tuple[int, File | Folder | None]] = {name: (0, one) for name, one in self._now.items()}
        self._unsure: list[Naming] = []
        self._inodes: dict[int, File] = {}

    def follow(self, step: Step) -> None:
        match step.kind:
            case "N":
                self._inodes[step.inode] = file = File()
                self._name(step.order, {step.path: file})
            case "O" if step.other:  # a second name for a file
                self._name(step.order, {step.path: self._inodes[step.inode]})
            case "O":
                found = self._now[step.path]
                if isinstance(found, File):
                    self._inodes[step.inode] = found
            case "W":
                self._inodes[step.inode].unsure.append(Change(step.order, step.number, step.data))
            case "T":
                self._inodes[step.inode].unsure.append(Change(step.order, step.number, None))
            case "R":
                self._name(step.order, {step.path: None, step.other: self._now[step.path]})
            case "U":
                self._name(step.order, {step.path: None})
            case "M":
                self._name(step.order, {step.path: Folder()})
            case "S":
                self._synced(step)

    def _name(self, order: int, names: dict[str, File | Folder | None]) -> None:
        for path, one in names.items():
            if one is None:
                del self._now[path]
            else:
                self._now[path] = one
        self._unsure.append(Naming(order, names, {_parent(path) for path in names}))

    def _synced(self, step: Step) -> None:
        if self._deaf(step.path):
            return
        if not isinstance(self._now.get(step.path), Folder):
            self._inodes[step.inode].synced(step.number)
            return
        for naming in self._unsure:
            if naming.order < step.number:
                naming.waits.discard(step.path)
                if not naming.waits:
                    _rename(self._sure, naming)
        self._unsure = [naming for naming in self._unsure if naming.waits]

    def after_a_cut(self, fate: str, chance: Chance) -> dict[str, bytes | None]:
        """Every path below the folder, with its bytes, or None for a folder."""
        names = dict(self._sure)
        for naming in _surviving_names(self._unsure, fate, chance):
            _rename(names, naming)
        left: dict[str, bytes | None] = {}
        there = {self._root}
        for path, (_, one) in sorted(names.items()):
            if one is None or _parent(path) not in there:
                continue
            short = path[len(self._root) + 1 :]
            if isinstance(one, Folder):
                there.add(path)
                left[short] = None
            elif not path.endswith(INDEX):
                left[short] = one.after_a_cut(fate, chance)
            elif (noise := chance.randrange(3)) > 0:
                left[short] = chance.randbytes(2**15) if noise == 1 else b""
        return left

    def all_that_was_written(self) -> dict[str, bytes | None]:
        """The folder as the program saw it: if this is not what really is there, the record has a hole."""
        prefix = len(self._root) + 1
        return {
            path[prefix:]: one.after_a_cut("kept", random.Random(0)) if isinstance(one, File) else None
            for path, one in self._now.items()
            if path != self._root and not path.endswith(INDEX)
        }


def cuts(
    steps: Sequence[Step], disk: Disk, into: Path, seed: int, many: int, told: Sequence[dict[str, object]] = ()
) -> Iterator[Cut]:
    """So many power cuts along a record, each in a folder of its own below `into`. A third comes right after an
    acknowledgement, where most is at stake, some at what happens to names, the others anywhere.
    """
    chance = random.Random(seed)
    marks = [place for place, step in enumerate(steps, 1) if step.kind == "A"]
    names = [place + late for place, step in enumerate(steps) if step.kind in "NRUM" or step.other for late in (0, 1)]
    kinds = [marks or range(1), names or range(1), range(len(steps) + 1)]
    # One cut at a place is one state of many: the same place may come again with another fate.
    where = sorted(chance.choice(chance.choices(kinds, (3, 1, 5))[0]) for _ in range(many))
    heard, done = list(told), 0
    for number, place in enumerate(where):
        for step in steps[done:place]:
            if step.kind == "A":
                heard.append(said_in(step))
            disk.follow(step)
        done = place
        fate = chance.choice(FATES)
        folder = into / str(number)
        lay_out(disk.after_a_cut(fate, chance), folder)
        yield Cut(steps[place - 1].order if place else 0, fate, folder, list(heard))


def lay_out(files: dict[str, bytes | None], folder: Path) -> None:
    folder.mkdir(parents=True)
    for path, data in files.items():
        if data is None:
            (folder / path).mkdir()
        else:
            (folder / path).write_bytes(data)
            (folder / path).chmod(0o600)


def content_of(folder: Path) -> dict[str, bytes | None]:
    """A real folder, to be compared with a replayed one."""
    return {
        str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes()
        for path in folder.rglob("*")
        if not path.name.endswith(INDEX)
    }


def old_or_new(found: bytes | None, contents: Sequence[bytes | None], acknowledged: int) -> int:
    """Of a file that is replaced as a whole: it holds the last acknowledged content, or one that was given later; and
    which. `contents` are all there ever were, in their order, None where there was no file yet.
    """
    later = [number for number in range(acknowledged, len(contents)) if contents[number] == found]
    assert later, f"neither content {acknowledged} nor a later one: {found!r:.200}"
    return later[0]


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _apply(content: bytearray, change: Change) -> None:
    if change.data is None:
        size = change.at
        del content[size:]
        content.extend(bytes(size - len(content)))
        return
    if len(content) < change.at:
        content.extend(bytes(change.at - len(content)))
    content[change.at : change.at + len(change.data)] = change.data


def _rename(names: dict[str, tuple[int, File | Folder | None]], naming: Naming) -> None:
    """A later step on the same name may already be there."""
    for path, one in naming.names.items():
        if names.get(path, (-1, None))[0] < naming.order:
            names[path] = (naming.order, one)


def _surviving(unsure: Sequence[Change], fate: str, chance: Chance) -> list[Change]:
    """Which writes of a file reached the disk, in the order in which they did."""
    if fate == "kept":
        return list(unsure)
    if fate == "in order":
        until = chance.randrange(len(unsure) + 1)
        return [*unsure[:until], *(_torn(one, chance) for one in unsure[until : until + 1])]
    left = []
    for change in unsure:
        drawn = chance.random()
        if drawn >= 0.4:
            left.append(change if drawn >= 0.7 else _torn(change, chance))
    if fate == "shuffled":
        chance.shuffle(left)
    return left


def _torn(change: Change, chance: Chance) -> Change:
    """Some sectors of a write: its first ones, or its last ones behind zeros or what was there before."""
    if change.data is None:
        return change
    first = -(-change.at // SECTOR) * SECTOR
    edges = [0, *range(first - change.at or SECTOR, len(change.data), SECTOR), len(change.data)]
    edge = chance.choice(edges)
    if chance.random() < 0.6:
        return change._replace(data=change.data[:edge])
    return change._replace(at=change.at + edge, data=change.data[edge:])


def _surviving_names(unsure: Sequence[Naming], fate: str, chance: Chance) -> Sequence[Naming]:
    """Half the time as a journal keeps them, up to some step; half the time each by itself."""
    if fate == "lost":
        return ()
    if fate == "kept":
        return unsure
    if fate == "in order" or chance.random() < 0.5:
        return unsure[: chance.randrange(len(unsure) + 1)]
    return [naming for naming in unsure if chance.random() < 0.5]
