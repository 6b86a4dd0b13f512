"""The power goes at linked nodes, at each at an instant of its own: which disks may be left, all seen together.

Each node's folder was recorded by itself, and beside every call stands what it said to its neighbours and heard from
them (support/links/ear.py). Two instants can go together if nobody had heard what was not said yet; where a drawn pair
cannot, the sender's instant is moved to right behind the word, which is where most is at stake.
"""

import random
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from controller.node.store.store import Reader
from support.links.ear import LETTERS, MIRROR, PROGRAM, Word
from support.store.power_record import mark, recorded, said_in, steps_of
from support.store.power_replay import FATES, Disk, content_of, lay_out

START = "introduced"
_RECORDER = ("LD_PRELOAD", "POWERLOSS_FOLDER", "POWERLOSS_LOG")
_SOCKETS = "link"
"""A folder of sockets, which no power cut leaves anything of."""


def recording(ending: ExitStack, copy: Any, place: Path, program: str = PROGRAM) -> dict[str, Any]:
    """How the node of this place is started, whose folder is copied as it is now."""
    copy(place / "folder", place / "base")
    journal = ending.enter_context((place / "journal").open("ab"))
    more = recorded(place / "folder", place / "steps")
    return {"more": {name: more[name] for name in _RECORDER}, "program": program, "stdout": journal, "stderr": journal}


def begins(place: Path) -> None:
    """What is cut comes after this."""
    mark(place / "steps", **{START: True})


class RecordedNode:
    """What a node did to its folder, said and heard; `hashes`: of its facts, as they were in the end."""

    def __init__(self, name: str, place: Path) -> None:
        self.name, self._folder, self._base = name, place / "folder", place / "base"
        sockets = f"{self._folder.resolve()}/{_SOCKETS}/"
        self.steps = [step for step in steps_of(place / "steps") if not step.path.startswith(sockets)]
        disk = self.disk()
        for step in self.steps:
            disk.follow(step)
        written, there = disk.all_that_was_written(), content_of(self._folder)
        # Whoever read the record afterwards has left an empty log.
        differ = [path for path in written.keys() | there.keys() if written.get(path, b"") != there.get(path, b"")]
        assert not differ, f"the record has every write, and no other: {differ}"
        with Reader.open(self._folder / "node.db") as reader:
            rows = list(reader.facts())
        self.hashes = [row.hash for row in rows]
        letters = ((row.seq, msgspec.json.decode(row.body)["fact"]) for row in rows if row.kind == "letter_told")
        self._told = {(fact["stream"], fact["number"]): seq for seq, fact in letters}
        told = [(place_, said_in(step)) for place_, step in enumerate(self.steps, 1) if step.kind == "A"]
        self.first = next(place_ for place_, said in told if START in said)
        self.words = [(place_, Word(**said)) for place_, said in told if "what" in said]  # type: ignore[arg-type]
        self.answered = [(place_, int(str(said["seq"]))) for place_, said in told if "seq" in said]

    def disk(self) -> Disk:
        return Disk(self._folder, self._base)

    def said_before(self, place: int) -> list[Word]:
        """The last of each kind to each neighbour: what went before it, it vouches for."""
        last = {(word.neighbour, word.what, word.stream): word for at, word in self.words if at <= place and word.said}
        return list(last.values())

    def answered_before(self, place: int) -> int:
        return max((seq for at, seq in self.answered if at <= place), default=0)

    def told(self, stream: str) -> list[int]:
        """The letters of a stream in its record."""
        return [number for of, number in self._told if of == stream]

    def told_past_its_mirror(self, stream: str) -> set[int]:
        """Letters that left before the mirror had said that it has them: so it was in trouble."""
        found, has, last = set[int](), 0, 0
        for _, word in self.words:
            if word.what == MIRROR and not word.said:
                has = word.number
            elif word.what == LETTERS and word.said and word.stream == stream:
                if self._told[stream, word.number] > has:
                    found |= {*range(last + 1, word.number + 1)}
                last = max(last, word.number)
        return found

    def places(self, many: int, chance: random.Random) -> list[int]:
        """So many, in order: many right behind a word, some at what happens to names, the others anywhere."""
        span = range(self.first, len(self.steps) + 1)
        names = [place for place, step in enumerate(self.steps, 1) if step.kind in "NRUM" and place in span]
        kinds: list[Sequence[int]] = [[at for at, word in self.words if word.said and at in span], names or span, span]
        return sorted(chance.choice(chance.choices(kinds, (4, 1, 5))[0]) for _ in range(many))


class _Needs:
    """How far a speaker must have come for a listener to be where it is."""

    def __init__(self, listener: RecordedNode, speaker: RecordedNode) -> None:
        self._at: list[int] = []
        self._most: list[int] = []
        said: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for at, word in speaker.words:
            if word.said and word.neighbour == listener.name:
                said.setdefault((word.what, word.stream), []).append((word.number, at))
        most = 0
        for at, word in listener.words:
            if not word.said and word.neighbour == speaker.name:
                most = max(most, min(then for number, then in said[word.what, word.stream] if number >= word.number))
                self._at.append(at)
                self._most.append(most)

    def of(self, place: int) -> int:
        before = bisect_left(self._at, place + 1)
        return self._most[before - 1] if before else 0


class Left(NamedTuple):
    """What a power cut left of one node."""

    node: RecordedNode
    place: int
    fate: str
    folder: Path


def cut_together(nodes: Sequence[RecordedNode], into: Path, seed: int, many: int) -> Iterator[list[Left]]:
    """So many states, each with a disk of every node below `into`."""
    chance = random.Random(seed)
    drawn = [node.places(many, chance) for node in nodes]
    needs = {(a.name, b.name): _Needs(a, b) for a in nodes for b in nodes if a is not b}
    disks, done = [node.disk() for node in nodes], [0] * len(nodes)
    for number in range(many):
        places = _together(nodes, [one[number] for one in drawn], needs)
        left = []
        for which, (node, place) in enumerate(zip(nodes, places, strict=True)):
            for step in node.steps[done[which] : place]:
                disks[which].follow(step)
            done[which] = place
            fate, folder = chance.choice(FATES), into / str(number) / node.name
            lay_out(disks[which].after_a_cut(fate, chance), folder)
            left.append(Left(node, place, fate, folder))
        yield left


def _together(nodes: Sequence[RecordedNode], places: list[int], needs: dict[tuple[str, str], _Needs]) -> list[int]:
    """The first instants from these on that can go together."""
    while True:
        before = list(places)
        for heard, listener in enumerate(nodes):
            for said, speaker in enumerate(nodes):
                if listener is not speaker:
                    places[said] = max(places[said], needs[listener.name, speaker.name].of(places[heard]))
        if places == before:
            return places
