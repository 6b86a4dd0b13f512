"""Where the letters to tell come from: the newest were just committed, older ones are read from the record.

Theory. A letter stands in the record as `letter_told` and is sent from there for ever. The newest of each stream are
kept beside it, so that a neighbour who keeps up costs no reading. One who was away for a week is served from the
record: the place of his first letter is looked for between places that are known, halving what is left, and what was
found once is remembered. The record is read in a thread of its own; nothing here is waited for.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import msgspec
from msgspec import Struct

from controller.core.facts import LetterHeard, LetterTold
from controller.core.links.letters import hash_of, written
from controller.core.values import Mark
from controller.node.link.messages import MOST_BATCH, MOST_LETTERS, Sent
from controller.node.link.streams import ToldLetter
from controller.node.store.store import Reader
from controller.record.record import FIRST_SEQ

KIND, HEARD = "letter_told", "letter_heard"
MOST_KEPT = 2 * MOST_LETTERS
MOST_KEPT_OCTETS = 2 * MOST_BATCH
_NEAR = 2_000  # facts that are simply read through
_MOST_PLACES = 64  # remembered of each stream


class _Entry(Struct, frozen=True):
    """Of what stands in the record, the fact."""

    fact: LetterTold


class _HeardEntry(Struct, frozen=True):
    fact: LetterHeard


_decode = msgspec.json.Decoder(_Entry).decode
_decode_heard = msgspec.json.Decoder(_HeardEntry).decode


def told_letter(node: str, fact: LetterTold, seq: int) -> ToldLetter:
    """As it travels, with the hash that the next one goes on from, and the fact by which it was committed."""
    own = Mark(fact.epoch, fact.number, "")
    hash_ = hash_of(node, fact.stream, fact.version, own, fact.previous, fact.letter)
    return ToldLetter(Sent(fact.epoch, fact.number, fact.version, written(fact.letter)), fact.previous, hash_, seq)


class NewestLetters:
    """The newest letters of one stream."""

    def __init__(self) -> None:
        self._letters: deque[ToldLetter] = deque()
        self._octets = 0

    def add(self, letter: ToldLetter) -> None:
        if self._letters and letter.sent.number != self._letters[-1].sent.number + 1:
            self._letters.clear()
            self._octets = 0
        self._letters.append(letter)
        self._octets += len(letter.sent.body)
        while len(self._letters) > MOST_KEPT or (self._octets > MOST_KEPT_OCTETS and len(self._letters) > 1):
            self._octets -= len(self._letters.popleft().sent.body)

    def after(self, mark: Mark) -> Sequence[ToldLetter] | None:
        """None: what follows there is older than what is kept."""
        if not self._letters or not self._letters[0].sent.number <= mark.number + 1 <= self._letters[-1].sent.number:
            return None
        first = mark.number + 1 - self._letters[0].sent.number
        return list(islice(self._letters, first, first + MOST_LETTERS))


class _Found(NamedTuple):
    number: int
    seq: int


class Archive:
    """The letters of this node in its record. Of one thread."""

    def __init__(self, node: str, reader: Callable[[], Reader]) -> None:
        self._node, self._reader = node, reader
        self._places: dict[str, list[_Found]] = {}  # of each stream, in order

    def after(self, stream: str, mark: Mark) -> Sequence[ToldLetter]:
        """The letters that follow there, at most a batch of them."""
        with self._reader() as reader:
            start = self._start(reader, stream, mark.number + 1)
            found: list[ToldLetter] = []
            octets, last = 0, None
            for seq, fact in _letters(reader, stream, start):
                if fact.number > mark.number:
                    found.append(told_letter(self._node, fact, seq))
                    octets, last = octets + len(found[-1].sent.body), _Found(fact.number, seq)
                    if len(found) == MOST_LETTERS or octets >= MOST_BATCH:
                        break
        if last is not None:
            self._remember(stream, last)
        return found

    def heard_after(self, writer: str, stream: str, mark: Mark) -> Sequence[ToldLetter]:
        """What this record has heard of a neighbour's log behind that place, at most a batch of it: found from the end,
        because its writer lost little of it."""
        found: deque[tuple[LetterHeard, str]] = deque(maxlen=MOST_LETTERS)
        with self._reader() as reader:
            head = reader.head()
            later: LetterHeard | None = None
            for row in reader.facts_back(0 if head is None else head.seq, (HEARD,)):
                fact = _decode_heard(row.body).fact
                if (fact.neighbour, fact.stream) != (writer, stream):
                    continue
                if later is not None:
                    found.appendleft((later, fact.mark.hash))
                later = fact
                if fact.mark.number <= mark.number:
                    break
            else:
                if later is not None:
                    found.appendleft((later, ""))
        return [_as_told(fact, previous) for fact, previous in found if fact.mark.number > mark.number]

    def _start(self, reader: Reader, stream: str, number: int) -> int:
        """A fact from which on this letter is met soon."""
        known = self._places.get(stream, [])
        low = max((place for place in known if place.number <= number), default=_Found(0, FIRST_SEQ))
        head = reader.head()
        beyond = [place.seq for place in known if place.number > number]
        high = min(beyond, default=FIRST_SEQ if head is None else head.seq)
        if low.number == number - 1 and low.number:
            return low.seq
        while high - low.seq > _NEAR:
            middle = (low.seq + high) // 2
            met = next(((seq, fact.number) for seq, fact in _letters(reader, stream, middle, high)), None)
            if met is None or met[1] > number:
                high = middle
            else:
                low = _Found(met[1], met[0])
                self._remember(stream, low)
        return low.seq

    def _remember(self, stream: str, place: _Found) -> None:
        known = self._places.setdefault(stream, [])
        if place not in known:
            known.append(place)
            known.sort()
        if len(known) > _MOST_PLACES:
            del known[1::2]


def _letters(reader: Reader, stream: str, first: int, last: int | None = None) -> Iterator[tuple[int, LetterTold]]:
    for row in reader.facts_since(first, (KIND,)):
        if last is not None and row.seq > last:
            return
        fact = _decode(row.body).fact
        if fact.stream == stream:
            yield row.seq, fact


def _as_told(fact: LetterHeard, previous: str) -> ToldLetter:
    """As its writer told it."""
    assert fact.letter is not None, "of a log the letter itself is kept"
    sent = Sent(fact.mark.epoch, fact.mark.number, fact.version, written(fact.letter))
    return ToldLetter(sent, previous, fact.mark.hash)
