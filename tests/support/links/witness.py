"""Who looks at linked nodes from outside while they are killed: at their records, their mirrors, and what passed on their links.

It remembers what it saw, so whatever is there once must be there for ever; and it reads in an order, so that what one
node knows of another must already stand there. An acknowledgement that left, a letter that left, a mirror's mark that
left: each says that something is in the record, and from then on it is.
"""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from controller.node.link.mirrors import mirror_of
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Reply
from support.links.ear import ACK, LETTERS, MIRROR, TOLD, Word, words_in
from support.links.load import Told

Stream = tuple[str, str]
"""Of a neighbour, by name, a stream that is heard from it or was acknowledged by it."""


class Followed:
    """The record of one node, and what its ear noted."""

    def __init__(self, name: str, folder: Path, ear: Path | None = None) -> None:
        self.name, self.folder, self._ear = name, folder, ear
        self.broken: list[str] = []
        self.kinds: Counter[str] = Counter()
        self.rows, self.hash, self._heard_of_ear = 0, b"", 0
        self.told: dict[str, int] = {}
        self._before: dict[tuple[str, int], str] = {}  # by stream and number: the hash of the letter before it
        self.heard: dict[Stream, dict[int, str]] = {}
        self.acknowledged: dict[Stream, int] = {}
        self.facts_of: dict[tuple[Any, ...], list[Any]] = {}
        self._last: tuple[Any, ...] = ()
        self.words: Counter[str] = Counter()
        self._same: dict[Stream, int] = {}  # up to here a letter that was heard is the one that was told
        self._mirror: dict[str, int] = {}

    def wrong(self, what: str) -> None:
        if (said := f"{self.name}: {what}") not in self.broken:
            self.broken.append(said)

    def look(self) -> None:
        """First what left, then the record: it has to be there already."""
        words = self._words()
        self._read()
        for word in words:
            self.words[f"{'said' if word.said else 'heard'} {word.what}"] += 1
            if word.said:
                self.holds(word)

    def _words(self) -> list[Word]:
        if self._ear is None or not self._ear.exists():
            return []
        with self._ear.open("rb") as file:
            file.seek(self._heard_of_ear)
            lines = file.read()
        whole = lines[: lines.rfind(b"\n") + 1]
        self._heard_of_ear += len(whole)
        return list(words_in(whole))

    def holds(self, word: Word) -> None:
        """What left is in the record."""
        of_them = self.heard.get((word.neighbour, word.stream), {})
        if word.what == ACK and of_them.get(word.number) != word.hash:
            self.wrong(f"it acknowledged to {word.neighbour} what is not in its record: {word}")
        elif word.what in {LETTERS, TOLD} and self.told.get(word.stream, 0) < word.number:
            self.wrong(f"it told {word.neighbour} what is not in its record: {word}")
        elif word.what in {LETTERS, TOLD} and self._before.get((word.stream, word.number + 1), word.hash) != word.hash:
            self.wrong(f"it told {word.neighbour} another letter than is in its record: {word}")
        elif word.what == MIRROR and word.number:
            self._is_mirrored(word)

    def _is_mirrored(self, word: Word) -> None:
        file = MirrorFile.read(mirror_of(self.folder, word.neighbour))
        try:
            place, end = file.at(word.number), file.end()
            if place is None or place.hash.hex() != word.hash:
                self.wrong(f"its mirror of {word.neighbour} has not what it said: {word}")
            if end is not None:
                self._mirror[word.neighbour] = end.seq
        finally:
            file.close()

    def _read(self) -> None:
        """What is new in the record; what was there before is there now."""
        with Reader.open(self.folder / "node.db") as reader:
            fresh = list(reader.facts(max(self.rows, 1)))
        if self.rows:
            last, fresh = fresh[:1], fresh[1:]
            if not last or last[0].hash != self.hash:
                self.wrong(f"fact {self.rows} was there, and is gone or another")
        for row in fresh:
            if row.seq != self.rows + 1:
                self.wrong(f"fact {row.seq} follows fact {self.rows}")
            self.rows, self.hash = row.seq, row.hash
            self._note(msgspec.json.decode(row.body))

    def _note(self, entry: dict[str, Any]) -> None:
        fact, id_ = entry["fact"], tuple(entry["id"])
        self.kinds[fact["kind"]] += 1
        if id_ != self._last and id_ in self.facts_of:
            self.wrong(f"the facts of {id_} stand apart")
        self._last = id_
        self.facts_of.setdefault(id_, []).append(fact)
        match fact["kind"]:
            case "letter_told":
                self._note_told(fact)
            case "letter_heard":
                self._note_heard(fact)
            case "letter_acknowledged":
                before = self.acknowledged.get((fact["neighbour"], fact["stream"]), 0)
                if fact["mark"]["number"] < before:
                    self.wrong(f"an acknowledgement went back: {fact}")
                self.acknowledged[fact["neighbour"], fact["stream"]] = fact["mark"]["number"]
            case "neighbour_stopped" | "letter_disputed" | "id_reused":
                self.wrong(f"between honest nodes: {fact}")

    def _note_told(self, fact: dict[str, Any]) -> None:
        stream, number = fact["stream"], fact["number"]
        if number != self.told.get(stream, 0) + 1:
            self.wrong(f"letter {number} of {stream} follows {self.told.get(stream, 0)}")
        self.told[stream] = number
        self._before[stream, number] = fact["previous"]

    def _note_heard(self, fact: dict[str, Any]) -> None:
        heard = self.heard.setdefault((fact["neighbour"], fact["stream"]), {})
        number = fact["mark"]["number"]
        if number != len(heard) + 1:
            self.wrong(f"letter {number} of {fact['stream']} was heard after {len(heard)}")
        heard[number] = fact["mark"]["hash"]

    # ------------------------------------------------------------------------------------------------ beside another

    def knows_less_than(self, later: "Followed") -> None:
        """What this record says of another one that was read after it: there it stands already."""
        for (name, stream), number in self.acknowledged.items():
            if name == later.name and len(later.heard.get((self.name, stream), {})) < number:
                self.wrong(f"{name} acknowledged letter {number} of {stream}, and its record has it not")
        for (name, stream), heard in self.heard.items():
            if name != later.name or not heard:
                continue
            if later.told.get(stream, 0) < len(heard):
                self.wrong(f"letter {len(heard)} of {stream} was heard, and {name} never told it")
            same = self._same.get((name, stream), 0)
            while (hash_ := later._before.get((stream, same + 2))) is not None and same + 1 in heard:
                same += 1
                if heard[same] != hash_:
                    self.wrong(f"letter {same} of {stream} is another one at {name}")
            self._same[name, stream] = same
        if self._mirror.get(later.name, 0) > later.rows:
            self.wrong(f"its mirror has {self._mirror[later.name]} facts of {later.name}, which has {later.rows}")

    def answered(self, told: Sequence[Told], again: Sequence[tuple[Told, Reply]]) -> None:
        """What people heard stands in the record, once, as they heard it; and nobody else asked anything."""
        asked = {one.request.id for one in told}
        for one in told:
            heard = [json.loads(bytes(raw)) for raw in one.reply.facts]
            source = f"ctl:{one.request.id}"
            found = self.facts_of.get((source, 0, 0), [])
            if heard and heard not in (found, self.facts_of.get((f"{source}:close", 0, 0), []) + found):
                self.wrong(f"{one.request}: answered {heard}, the record has {found}")
        for old, reply in again:
            if old.reply.facts and (old.reply.ok, old.reply.facts[-1:]) != (reply.ok, reply.facts[-1:]):
                self.wrong(f"answered {old.reply}, and when it was asked again {reply}")
        if len(asked) != len(told):
            self.wrong("an id was made twice")


class Witness:
    def __init__(self, nodes: Sequence[Followed]) -> None:
        self.nodes = {one.name: one for one in nodes}
        self._turn = list(nodes)

    @property
    def broken(self) -> list[str]:
        return [what for one in self.nodes.values() for what in one.broken]

    def look(self) -> None:
        """One after the other, and the next time the other way round: what is known of whom is asked both ways."""
        for one in self._turn:
            one.look()
        for place, earlier in enumerate(self._turn):
            for later in self._turn[place + 1 :]:
                earlier.knows_less_than(later)
        self._turn.reverse()
