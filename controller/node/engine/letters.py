"""What neighbours said, on its way to the core: stream by stream, in order, and never in the way of a player (R-28).

Theory. A neighbour that was away for a week has thousands of letters to tell, and a player who presses must not wait
for them. So they stand here, after what devices and persons said, and a turn takes so many of them at most, of every
stream alike. Only the letter that follows what was heard is asked; one that was heard already, or that comes before its
time, falls away, for its writer sends whatever nobody acknowledged again. A letter that needs the record of years holds
up its own stream while that is read beside the engine, and no other. Nothing is decided here.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

from controller.core.inputs import HearAcknowledged, HearLetter, HearWentBack, Input, SeeLink, StopNeighbour, TakeBack
from controller.core.links.known import Stopped
from controller.core.links.neighbours import START, is_heard_from, owes_word, place
from controller.core.links.restored.taken import DECIDED_ON, waits
from controller.core.past.inquiry import Inquiry, inquiry_for
from controller.core.state import State
from controller.core.values import Mark
from controller.node.book.book import Book
from controller.node.engine.inquiries import Inquiries, InquiryEnded
from controller.node.store.failure import StoreError
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.inbox import (
    FromNeighbour,
    GivenBackToUs,
    InquiryRead,
    LinkBroken,
    LinkChanged,
    NeighbourAcknowledged,
    NeighbourBehind,
    OfNeighbour,
)

MOST_BESIDE_TABLES, MOST_ALONE = 25, 200
"""Letters of one commit: where a player may be waiting for his lamp, and where there is none."""


class LetterAsked(NamedTuple):
    """What a neighbour said, as an input of the core. Without an id it gets the number of what the node itself says."""

    input: Input
    id: OutcomeKey | None = None
    history: Inquiry | None = None


class _Stream:
    def __init__(self) -> None:
        self.letters: deque[HearLetter] = deque()
        self.reading = ""  # the id under which the record is read for its first letter
        self.history: Inquiry | None = None  # what was read for its first letter
        self.held = False  # its first letter waits for what a restored owner takes back

    def may_be_asked(self) -> bool:
        return bool(self.letters) and not self.reading and not self.held


def most_of(state: State) -> int:
    assert MOST_BESIDE_TABLES < MOST_ALONE, "a player does not wait for them"
    return MOST_BESIDE_TABLES if state.tables else MOST_ALONE


class Letters:
    """`most`: of one commit."""

    def __init__(self, book: Book, inquiries: Inquiries, most: Callable[[State], int] = most_of) -> None:
        self._book, self._inquiries, self._most = book, inquiries, most
        self._streams: dict[tuple[str, str], _Stream] = {}
        self._acknowledged: dict[tuple[str, str], NeighbourAcknowledged] = {}
        self._up: dict[str, LinkChanged] = {}
        self._broken: dict[tuple[str, str], LinkBroken] = {}
        self._given_back: deque[TakeBack] = deque()
        self._deciding = False  # a letter of this turn may move what others wait for
        self._behind: dict[tuple[str, str], NeighbourBehind] = {}
        self.waiting = False
        """Whether there is more that could be asked at once."""

    # What comes in.

    def heard(self, item: OfNeighbour) -> None:
        """Of links and acknowledgements the newest counts."""
        self.waiting = True
        match item:
            case FromNeighbour(neighbour, stream, letters):
                self._streams.setdefault((neighbour, stream), _Stream()).letters += letters
            case NeighbourAcknowledged():
                self._acknowledged[item.neighbour, item.stream] = item
            case LinkChanged():
                self._up[item.neighbour] = item
            case GivenBackToUs(_, _, letters):
                self._given_back += letters
            case NeighbourBehind():
                self._behind[item.neighbour, item.stream] = item
            case LinkBroken():
                self._broken[item.neighbour, item.stream] = item

    def read(self, item: InquiryRead) -> bool:
        """The record was read for a letter, if this is about one. Where it failed it is read again."""
        stream = next((one for one in self._streams.values() if one.reading == item.id), None)
        if stream is None:
            return False
        self._inquiries.over(item.id)
        stream.reading, self.waiting = "", True
        try:
            stream.history = item.read.result()
        except (StoreError, InquiryEnded):
            stream.history = None
        return True

    # What is asked.

    def asks(self, state: State) -> list[LetterAsked]:
        """What of it may be asked now, the letters last."""
        said = [*self._of_links(state), *self._of_restored(state), *self._acknowledgements(state)]
        asked = [*self._letters(state)]
        could_stop = self._broken.keys() - self._streams.keys()
        held = bool(said) and any(stream.held for stream in self._streams.values())
        self.waiting = held or bool(could_stop) or any(map(_Stream.may_be_asked, self._streams.values()))
        return [*said, *asked]

    def _of_links(self, state: State) -> Iterator[LetterAsked]:
        """At changes only; what was broken stands until two persons have looked. The letters that came before the break
        are heard before it: who accepted it where its neighbour says that he stands would else pass over them."""
        known, later = state.neighbours, dict[tuple[str, str], LinkBroken]()
        for key, broken in self._broken.items():
            one = known.get(broken.neighbour)
            if key in self._streams and is_heard_from(state, broken.neighbour):
                later[key] = broken
                continue
            news = Stopped(broken.why, broken.said)
            if one is not None and not one.revoked and one.stopped.get(broken.stream) != news:
                yield LetterAsked(StopNeighbour(*broken))
        for link in self._up.values():
            other = known.get(link.neighbour)
            if other is not None and not other.revoked and other.up != link.up:
                yield LetterAsked(SeeLink(*link))
        self._broken, self._up = later, {}

    def _of_restored(self, state: State) -> Iterator[LetterAsked]:
        """Of a log of ours what a restore lost, and where a neighbour stands that was restored itself."""
        for behind in self._behind.values():
            yield LetterAsked(HearWentBack(*behind))
        for letter in self._given_back:
            last = state.told.get(letter.stream, START)
            if is_heard_from(state, letter.neighbour) and letter.mark.number > last.number:
                id_ = self._id(f"{letter.neighbour}/back:{letter.stream}", letter.mark.epoch, letter.mark.number)
                yield LetterAsked(letter, id_)
        self._behind = {}
        self._given_back.clear()

    def _acknowledgements(self, state: State) -> Iterator[LetterAsked]:
        for (neighbour, stream), said in self._acknowledged.items():
            news = state.acknowledged.get(place(neighbour, stream)) != said.mark
            if (news or owes_word(state, neighbour, stream)) and is_heard_from(state, neighbour):
                id_ = self._id(f"{neighbour}/ack:{stream}", said.mark.epoch, said.mark.number)
                yield LetterAsked(HearAcknowledged(*said), id_)
        self._acknowledged = {}

    def _letters(self, state: State) -> Iterator[LetterAsked]:
        """Of every stream alike, each from where it was heard."""
        busy = [key for key, stream in self._streams.items() if stream.letters and not stream.reading]
        most = self._most(state)
        each = max(1, most // len(busy)) if busy else 0
        self._deciding = False
        for key in busy[:most]:
            stream = self._streams.pop(key)
            yield from self._of_stream(state, key, stream, each)
            if stream.letters or stream.reading:
                self._streams[key] = stream  # behind the others, where there are more than have room

    def _of_stream(self, state: State, key: tuple[str, str], stream: _Stream, most: int) -> Iterator[LetterAsked]:
        name, taken = place(*key), 0
        last, stream.held = state.heard.get(name, START), False
        while stream.letters and taken < most:
            letter = stream.letters[0]
            if not is_heard_from(state, key[0]) or not _follows(last, letter.mark):
                stream.letters.popleft()
                continue
            if (state.taking_back or state.recalls) and self._stays(state, stream, first=taken == 0):
                return
            history, stream.history = stream.history, None
            if history is None and self._is_read_for(state, name, stream, first=taken == 0):
                return
            stream.letters.popleft()
            taken, last = taken + 1, letter.mark
            yield LetterAsked(letter, self._id(name, letter.mark.epoch, letter.mark.number), history)

    def _stays(self, state: State, stream: _Stream, *, first: bool) -> bool:
        """R-28: whether the next letter waits for what a restored owner takes back. One that may is asked on the state
        of its turn, and of one stream in a turn."""
        letter = stream.letters[0]
        if not isinstance(letter.letter, DECIDED_ON) and not state.recalls:
            return False
        stream.held = waits(state, letter)
        stays = stream.held or not first or self._deciding
        self._deciding |= not stays
        return stays

    def _is_read_for(self, state: State, name: str, stream: _Stream, *, first: bool) -> bool:
        """Whether the next letter needs the record. What goes before it is committed first."""
        letter = stream.letters[0]
        inquiry = inquiry_for(state, letter)
        if inquiry is None:
            return False
        id_ = f"{name}/{letter.mark.epoch}/{letter.mark.number}"
        if first and self._inquiries.begin(id_, getattr(letter.letter, "table", ""), inquiry):
            stream.reading = id_
        return True

    def _id(self, source: str, epoch: int, number: int) -> OutcomeKey:
        """The letter's own place. Where the record has another answer under it, which did not take it (the neighbour
        was stopped meanwhile), it is asked anew."""
        id_ = OutcomeKey(source, epoch, number)
        if self._book.is_surely_new(id_):
            return id_
        return OutcomeKey(f"{source}/{self._book.seq + 1}", epoch, number)

    def dismiss(self) -> None:
        """At the end: nothing of it was acknowledged, so it comes again."""
        for stream in self._streams.values():
            if stream.reading:
                self._inquiries.over(stream.reading)
        self._streams, self._acknowledged, self._up, self._broken = {}, {}, {}, {}
        self._behind = {}
        self._given_back.clear()
        self.waiting = False


def _follows(last: Mark, mark: Mark) -> bool:
    """Nothing that was heard, nothing that comes before its time. What contradicts what was heard is for the core."""
    was_heard = mark == last or (mark.number < last.number and mark.epoch <= last.epoch)
    return not was_heard and mark.number <= last.number + 1
