"""One stream between two neighbours: as it is told to its reader, and as it is heard from its writer.

Theory. Of a stream one batch is on its way at a time, from the place that the reader says it has. What is told is taken
back by nothing: whatever was not acknowledged is sent again from the reader's place, after each reconnect and after a
long silence. What is heard goes on to the engine once, in order, each letter with the hash of the one before; it is
acknowledged when the engine's record has all of it. Where a letter does not follow, everything before it is delivered
and nothing after it. `stopped`: two persons are to look first. Pure.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec.structs import replace

from controller.core.inputs import HearLetter
from controller.core.links.letters import READ, hash_of_written, read
from controller.core.values import Broken, Mark
from controller.node.link.judgement import START, LinkMarks, has_lost, is_restored, of_ours, of_theirs
from controller.node.link.messages import MOST_LETTERS, LetterBatch, Sent, fits
from drivers.session import SECOND, Micros

SAY_AGAIN: Micros = 10 * SECOND
"""A batch that nobody acknowledged for so long goes once more: its reader takes what it has not."""


class ToldLetter(NamedTuple):
    """A letter of ours as it is in the record. `hash`: with which the next one goes on; `seq`: the fact by which it
    stands there, with all that was committed with it."""

    sent: Sent
    previous: str
    hash: str
    seq: int = 0

    @property
    def mark(self) -> Mark:
        return Mark(self.sent.epoch, self.sent.number, self.hash)


class NotFollowing(NamedTuple):
    """Why a stream stops, and the place after which its writer, or reader, wants to go on."""

    why: Broken
    said: Mark


class StreamTold:
    """A stream of ours, to one reader. `said`: how far the reader has it, while there is a conversation."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.told = self.acknowledged = START
        self.stopped = False
        self.said: Mark | None = None
        self._proven = False  # that what it has is ours, word for word
        self._reported = 0  # the number up to which that was said to the engine
        self._sent: list[Mark] = []
        self._again_at: Micros | None = None
        self._asked = False
        self.quiet = False
        """Its reader is asked how far it has it, and told nothing of it."""
        self.missing = False
        """After our restore nobody knows yet how far its reader has it."""
        self.relayed = False
        """A log of a pot that a neighbour above owns: what we told of it he decided, and we take back none of it."""
        self.goes_back = False
        """Its reader was restored, and has less of it than it had: to be proven by the letter that follows."""

    def stands(self, marks: LinkMarks) -> None:
        """What the record says of it."""
        self.told, self.acknowledged = marks.stands(self.name), marks.acknowledged.get(self.name, START)
        self.quiet, self.missing = self.name not in marks.told, self.name in marks.missing
        self.relayed = self.name in marks.relayed

    def silent(self) -> None:
        """The conversation is over: the next one begins with what the reader says then."""
        self.said, self._sent, self._asked, self._again_at, self._reported = None, [], False, None, 0
        self.goes_back = False

    def hears(self, said: Mark, *, restored: bool = False) -> NotFollowing | None:
        """The reader says how far it has the stream. `restored`: it lives in a new epoch, and may have less."""
        why = of_ours(self.told, self.acknowledged, said)
        goes_back = restored and why is Broken.ROLLED_BACK
        if why is not None and not goes_back:
            return NotFollowing(why, said)
        self.silent()
        self.said, self.goes_back = said, goes_back
        self._proven = said in {START, self.told, self.acknowledged}
        return None

    def has_lost(self, said: Mark, epoch: int) -> bool:
        """Whether it is a log of ours that went on before our restore, up to where its reader has it."""
        return has_lost(self.told, said, epoch) and not self.relayed

    def wanted(self) -> Mark | None:
        """The place after which letters are wanted from the record, said once."""
        is_done = self.quiet or self.said is None or self.said.number >= self.told.number
        if self._asked or self._sent or self.stopped or self.said is None or is_done:
            return None
        self._asked = True
        return self.said

    def batch(
        self, after: Mark, letters: Sequence[ToldLetter], now: Micros, reads: Sequence[int] = READ
    ) -> LetterBatch | NotFollowing | None:
        """What was wanted is here: so much of it as goes at once, up to the first letter of a version that its reader's
        program does not read: that one waits until it is a newer program."""
        if after != self.said or self._sent or self.stopped:
            return None
        self._asked = False
        letters = list(takewhile(lambda letter: letter.sent.version in reads, letters))
        if not letters:
            self._asked, self._again_at = True, now + SAY_AGAIN
            return None
        # What was lost with an older record, and counted past by two persons here, is a gap: its reader says so.
        follows = letters[0].sent.number == after.number + 1
        if follows and letters[0].previous != after.hash and after != self.acknowledged:
            return NotFollowing(Broken.FORK, after)
        self._proven, self._again_at = follows, now + SAY_AGAIN
        some = as_much_as_goes(letters)
        self._sent = [letter.mark for letter in some]
        return LetterBatch(self.name, some[0].previous, tuple(letter.sent for letter in some))

    def acked(self, mark: Mark) -> NotFollowing | None:
        """The reader has it in its record up to here. What is older than it said before is late, and nothing."""
        if self.said is None or mark.number <= self.said.number:
            return None
        if mark not in self._sent:
            return self.hears(mark)
        self.said, self._proven = mark, True
        self._sent = [one for one in self._sent if one.number > mark.number]
        return None

    def news(self) -> Mark | None:
        """What the record should know the reader to have, if it is more than it knows; said once."""
        if self.said is None or not self._proven or self.stopped:
            return None
        if self.goes_back:
            return None
        if self.said.number <= max(self.acknowledged.number, self._reported) and not self.missing:
            return None
        self._reported, self.missing = self.said.number, False
        return self.said

    def not_held(self) -> None:
        """What could not leave is wanted once more."""
        if not self._sent:
            self._asked, self._again_at = False, None

    def went_back(self) -> Mark | None:
        """Where its reader, restored, has it: proven, and said once."""
        if self.said is None or not self._proven or self.stopped or not self.goes_back:
            return None
        self.goes_back = False
        return self.said

    def unheard(self) -> None:
        """While two persons were to look nobody listened to what its reader has; that is news again."""
        self._reported = 0

    def deadline(self) -> Micros | None:
        return self._again_at if self._sent or self._asked else None

    def tick(self, now: Micros) -> None:
        if (due := self.deadline()) is not None and now >= due:
            self._sent, self._asked, self._again_at = [], False, None


def as_much_as_goes(letters: Sequence[ToldLetter]) -> Sequence[ToldLetter]:
    """Up to where numbers were left out: a restored node goes on after the last that its reader had heard, and has not
    what it told before. A reader who asks for those sees the gap."""
    first = letters[0].sent.number
    follow = (place for place, one in enumerate(letters) if one.sent.number != first + place)
    most = min(next(follow, len(letters)), MOST_LETTERS)
    while not fits([letter.sent for letter in letters[:most]]):
        most = most // 2
    return letters[:most]


class StreamHeard:
    """A stream of `writer`, that we read. `delivered`: what the engine was given, of which `heard` is in its record."""

    def __init__(self, writer: str, name: str, versions: Sequence[int]) -> None:
        self._writer, self.name, self._versions = writer, name, versions
        self.heard = self.delivered = START
        self.written = START  # so far at least, by what its writer says in this conversation
        self.stopped = False
        self.epoch = 0  # in which its writer lives, as it says

    def knows(self, heard: Mark, *, stopped: bool) -> bool:
        """Where the record stands now; whether its writer can be told so."""
        moved = heard != self.heard
        if stopped or self.stopped or heard.number >= self.delivered.number:
            self.delivered = heard
        self.heard, self.stopped = heard, stopped
        return moved and heard == self.delivered

    def greeted(self, told: Mark, *, may_ask_back: bool = False) -> NotFollowing | None:
        """Its writer says how far it goes; two persons can accept that in the epoch in which it lives now. One that was
        put back may ask for what we have, and go on from there."""
        self.written = told
        if may_ask_back and self.heard == self.delivered and is_restored(self.heard, told, self.epoch):
            return None
        why = of_theirs(self.delivered, told, self.epoch)
        return NotFollowing(why, replace(told, epoch=self.epoch)) if why else None

    def take(self, batch: LetterBatch) -> tuple[tuple[HearLetter, ...], NotFollowing | None]:
        """The letters that are new, and why no more of them."""
        news: list[HearLetter] = []
        place = Mark(batch.letters[0].epoch, batch.letters[0].number - 1, batch.previous)
        self._is_written_to(place)
        if self.stopped or (self.delivered != self.heard and batch.letters[-1].number > self.delivered.number):
            return (), None  # a second one before the first is in the record: it comes again
        if wrong := self._where_it_begins(place):
            return (), wrong
        if place.number == self.delivered.number:
            place = self.delivered
        for sent in batch.letters:
            found = self._next(sent, place)
            if isinstance(found, NotFollowing):
                self._delivers(news)
                return tuple(news), found
            place = found.mark
            if sent.number > self.delivered.number:
                news.append(found)
            elif sent.number == self.delivered.number and place != self.delivered:
                return (), NotFollowing(Broken.FORK, place)
        self._delivers(news)
        return tuple(news), None

    def _delivers(self, news: Sequence[HearLetter]) -> None:
        if news:
            self.delivered = news[-1].mark
            self._is_written_to(self.delivered)

    def _is_written_to(self, mark: Mark) -> None:
        self.written = max(self.written, mark, key=lambda one: one.number)

    def _where_it_begins(self, place: Mark) -> NotFollowing | None:
        if place.number > self.delivered.number:
            return NotFollowing(Broken.GAP, place)
        if place.number == self.delivered.number and place.hash != self.delivered.hash:
            return NotFollowing(Broken.FORK, place)
        return None

    def _next(self, sent: Sent, place: Mark) -> HearLetter | NotFollowing:
        """The letter after `place`, if it is that."""
        if sent.number != place.number + 1:
            return NotFollowing(Broken.GAP, place)
        if not place.epoch <= sent.epoch <= self.epoch:
            return NotFollowing(Broken.FOREIGN_EPOCH, place)
        letter = read(sent.body) if sent.version in self._versions else None
        if letter is None:
            return NotFollowing(Broken.UNKNOWN_LETTER, place)
        own = Mark(sent.epoch, sent.number, "")
        hash_ = hash_of_written(self._writer, self.name, sent.version, own, place.hash, sent.body)
        return HearLetter(self._writer, self.name, replace(own, hash=hash_), place.hash, sent.version, letter)
