"""One neighbour's side of the link protocol: what to say to it, and what follows from what it says.

Theory. Two nodes that share pots greet each other with where every stream stands on either side, find out from that
whether both can be right (judgement.py), and then tell: one batch of a stream at a time, acknowledged when the record
has it. Whoever is below dials; it says Hello first and is answered with Hello. Any word is a sign of life; who has
nothing to say says so each second, and three seconds of silence end the conversation. Who dials tries again within
seconds (redial.py). Meters go out as they are now, newest only, when there is room (meters.py). To the node that keeps
its mirror a box tells what the mirror has (held.py).

It has the verbs of drivers/session.py, but for whole messages: `line_up`, `receive`, `tick`, `to_send`, `deadline`,
`next_event`, `line_down`. What happened are the items of the inbox, and the two wishes `Dial` and `HangUp`. What the
record says comes by `knows`; the letters that are `wanted` from it, by `give`. Knows no socket, no clock, no key.
"""

from collections import deque
from collections.abc import Iterable, Sequence

from controller.core.links.letters import READ
from controller.core.values import Mark, Side
from controller.node.link.given_back import GoingBack, handed_back
from controller.node.link.greeting import Offence, batch_trouble, burned_trouble, hello_trouble
from controller.node.link.happened import Dial, HangUp, Happened, TurnedDown
from controller.node.link.held import HeldLetters
from controller.node.link.judgement import START, LinkMarks
from controller.node.link.messages import (
    PROTOCOLS,
    Ack,
    Beat,
    Burned,
    GiveBack,
    GivenBack,
    Hello,
    LetterBatch,
    MirrorWord,
    PotMeter,
    PotPrizes,
    Said,
    TurnedAway,
    mark_in,
    packed,
    place_of,
    unpacked,
)
from controller.node.link.meters import MetersToTell, heard
from controller.node.link.mirror_words import MirrorSaid, MirrorWanted
from controller.node.link.redial import Redial
from controller.node.link.streams import NotFollowing, StreamHeard, StreamTold, ToldLetter
from controller.node.vocabulary.inbox import (
    FromNeighbour,
    GivenBackToUs,
    LinkBroken,
    LinkChanged,
    NeighbourAcknowledged,
    NeighbourBehind,
)
from drivers.session import SECOND, Micros

BEAT: Micros = SECOND
SILENCE: Micros = 3 * SECOND
GREETING: Micros = 5 * SECOND
MOST_STRANGE = 8
"""Streams nobody here ever knew of which one life of ours makes a fact: a liar has no end of names."""


class NeighbourTalk:
    """With `neighbour`, which is on that side of `me`. `protocols`, `letters`: the versions that are understood."""

    def __init__(
        self,
        me: str,
        neighbour: str,
        side: Side,
        now: Micros,
        protocols: Sequence[int] = PROTOCOLS,
        letters: Sequence[int] = READ,
    ) -> None:
        self.neighbour, self.side = neighbour, side
        self._me, self._protocols, self._letters = me, tuple(protocols), tuple(letters)
        self._epoch = self._its_epoch = self._strange = 0
        self._back = GoingBack(me, neighbour)
        self._telling: dict[str, StreamTold] = {}
        self._hearing: dict[str, StreamHeard] = {}
        self._stopped: frozenset[str] = frozenset()
        self._broken: set[str] = set()  # said to the engine in this conversation
        self._hello: Hello | None = None  # the neighbour's, while there is a conversation
        self._line = self.up = self._may_ask_back = self._is_burned = False
        self.version = 0  # of the protocol
        self._events: deque[Happened] = deque()
        self._out: deque[Said] = deque()
        self._mirror: deque[MirrorWord] = deque(maxlen=16)
        self._meters, self.held = MetersToTell(neighbour, now), HeldLetters()
        self._heard_at = self._said_at = now
        self._redial = Redial(me, neighbour)
        self._dial_at: Micros | None = now if side is Side.ABOVE else None

    # The line.

    def line_up(self, now: Micros) -> None:
        """A new connection, and nothing was said on it. Whoever is below says Hello first."""
        self._forget()
        self._line, self._dial_at, self._heard_at = True, None, now
        if self.side is Side.ABOVE:
            self._greet()

    def line_down(self, now: Micros) -> None:
        """The connection is gone, whoever ended it."""
        self._forget()
        self._stands(up=False)
        if self.side is Side.ABOVE and (self._line or self._dial_at is None):
            self._dial_at = now + self._redial.wait()
        self._line = False

    def _stands(self, *, up: bool) -> None:
        if self.up != up:
            self.up = up
            self._events.append(LinkChanged(self.neighbour, up=up))

    def _forget(self) -> None:
        self._hello, self._is_burned = None, False
        self._meters.all_again()
        self.held.silent()
        self._broken.clear()
        self._out.clear()
        self._mirror.clear()
        self._back.forget()
        for stream in self._telling.values():
            stream.silent()

    # What the record says.

    def knows(self, marks: LinkMarks) -> None:
        """Where everything stands after a commit, or at first. What was heard is acknowledged now."""
        let_go = self._telling.values() if self._stopped and not marks.stopped else ()
        self._epoch, self._stopped, self._its_epoch = marks.epoch, marks.stopped, marks.its_epoch
        self.held.knows(marks.written, is_kept=marks.mirrors_us)
        for name in dict.fromkeys((*self._telling, *marks.streams(), *filter(self._is_ours, marks.acknowledged))):
            self._tell(name, marks)
        for name in dict.fromkeys((*self._hearing, *filter(self._is_theirs, marks.heard))):
            self._listen(name, marks)
        for stream in let_go:
            stream.unheard()
            self._news(stream)

    def _tell(self, name: str, marks: LinkMarks) -> None:
        stream = self._telling.setdefault(name, StreamTold(name))
        stream.stands(marks)
        was, stream.stopped = stream.stopped, name in marks.stopped or name in self._broken
        if name in marks.stopped:
            self._broken.discard(name)
        if not stream.stopped and self._hello is not None and (was or stream.said is None):
            self._judge_ours(stream, stream.said or mark_in(self._hello.streams, name))
        elif stream.missing and self.up:
            self._news(stream)

    def _listen(self, name: str, marks: LinkMarks) -> None:
        stream = self._hears(name)
        was, stopped = stream.stopped, bool(marks.stopped) or name in self._broken
        if stream.knows(marks.heard.get(name, START), stopped=stopped) and self.up:
            self._out.append(Ack(name, place_of(stream.heard)))
        if name in marks.stopped:
            self._broken.discard(name)
        if was and not stopped and self._hello is not None and stream.greeted(stream.written) is not None:
            self._events.append(HangUp())  # what it said is old: persons decided since, maybe at its end too

    def _hears(self, name: str) -> StreamHeard:
        stream = self._hearing.setdefault(name, StreamHeard(self.neighbour, name, self._letters))
        stream.epoch = 0 if self._hello is None else self._hello.epoch
        return stream

    def _is_ours(self, name: str) -> bool:
        """A stream that we may tell this neighbour."""
        return name == f"to:{self.neighbour}" if self.side is Side.ABOVE else name.startswith("pot:")

    def _is_theirs(self, name: str) -> bool:
        """A stream that this neighbour may tell us."""
        return name.startswith("pot:") if self.side is Side.ABOVE else name == f"to:{self._me}"

    # Letters from the record.

    def wanted(self) -> list[tuple[str, Mark]]:
        """The streams of which letters are wanted, and the places after which; each is said once."""
        if not self.up:
            return []
        found = ((name, stream.wanted()) for name, stream in self._telling.items() if name not in self._broken)
        return [(name, after) for name, after in found if after is not None]

    def give(self, stream: str, after: Mark, letters: Sequence[ToldLetter], now: Micros) -> None:
        """What was wanted; nothing, where it could not be read: it will be wanted again."""
        told = self._telling[stream]
        some = self.held.leaving(letters) if self.up else ()
        match told.batch(after, some, now, self._hello.letter_versions if self._hello else ()):
            case LetterBatch() as batch:
                self._out.append(batch)
                self._news(told)
            case NotFollowing() as wrong:
                self._breaks(stream, wrong)

    def meters(self, meters: Iterable[PotMeter | PotPrizes], hearers: int = 1) -> bool:
        """What is in our pots now, one of so many hears it. Whether there is now something to say, and nothing was."""
        return self._meters.moved((one for one in meters if f"pot:{one.pot}" in self._telling), hearers)

    def mirror(self, word: MirrorWord) -> None:
        """When no letter waits. What is too much is let go: a mirror says again where it stands, a burned box asks."""
        self._mirror.append(word)

    # What comes.

    def receive(self, octets: bytes, now: Micros) -> None:
        if not self._line:
            return
        self._heard_at = now
        said = unpacked(octets)
        if said is None:
            self._turn_down(Offence.NOT_UNDERSTOOD)
        elif isinstance(said, Hello):
            if self._hello is None and not self._is_burned:  # a second one could only be late
                self._greeted(said)
        elif isinstance(said, Burned):
            self._give_mirror(said)
        elif isinstance(said, TurnedAway):
            self._redial.told_no()
            self._events += (TurnedDown(self.neighbour, said.code, by_us=False), HangUp())
        elif self.up and self._hello is not None:
            self._hear(said)

    def _give_mirror(self, said: Burned) -> None:
        """R-27: to a box that has nothing but its key. It says nothing of any stream, so nothing of it is judged."""
        wrong = burned_trouble(said, self.neighbour, self.side, has_greeted=self._hello is not None)
        self._stands(up=False)  # what spoke by that key until now does no more
        if wrong is not None:
            self._turn_down(wrong)
        else:
            self._is_burned = True
            self._events.append(MirrorWanted(self.neighbour, said.octets))

    def _greeted(self, hello: Hello) -> None:
        wrong = hello_trouble(hello, self.neighbour, self._protocols, self._is_theirs, self._is_ours, self._hearing)
        if wrong is not None:
            self._turn_down(wrong)
        else:
            self._begin(hello, max({*hello.protocol_versions} & {*self._protocols}))

    def _begin(self, hello: Hello, version: int) -> None:
        if self.side is Side.BELOW:
            self._greet()
        self._hello, self.version, self._may_ask_back = hello, version, version > 1 and self.side is Side.ABOVE
        self._redial.greeted()
        self._stands(up=True)
        for name in (*hello.told, *self._hearing):
            self._judge_theirs(self._hears(name), mark_in(hello.told, name))
        for name in dict.fromkeys((*hello.streams, *self._telling)):
            self._judge_ours(self._telling.get(name) or StreamTold(name), mark_in(hello.streams, name))

    def _judge_theirs(self, stream: StreamHeard, told: Mark) -> None:
        wrong = stream.greeted(told, may_ask_back=self._may_ask_back)
        if wrong is not None and not stream.stopped:
            self._breaks(stream.name, wrong)

    def _judge_ours(self, stream: StreamTold, said: Mark) -> None:
        is_newer = self._hello is not None and self._hello.epoch > self._its_epoch > 0
        wrong = stream.hears(said, restored=is_newer and self._may_ask_back)
        if wrong is None:
            self._back.is_whole(stream.name)
            self._news(stream)
        elif self.version > 1 and self.side is Side.BELOW and stream.has_lost(said, self._epoch):
            self._out += self._back.asks(stream.name, stream.told, said)
        elif not stream.stopped:
            self._breaks(stream.name, wrong)

    def _of_restored(self, said: GiveBack | GivenBack) -> None:
        """R-28: whoever is above asks for its log after its restore; or whoever is below gives ours back after ours."""
        if isinstance(said, GiveBack):
            self._back.asked(said, self._hearing if self._may_ask_back else ())
        elif isinstance(found := self._back.takes(said), NotFollowing):
            self._breaks(said.stream, found)
        elif found:
            self._events.append(GivenBackToUs(self.neighbour, said.stream, found))

    def wanted_back(self) -> list[tuple[str, Mark]]:
        """Logs of this neighbour of which it asked for what we have behind a place; said once."""
        return self._back.wanted() if self.up else []

    def give_back(self, stream: str, after: Mark, letters: Sequence[ToldLetter]) -> None:
        """What was wanted back; nothing, where it could not be read: it will be asked again."""
        if isinstance(some := handed_back(stream, after, letters), NotFollowing):
            self._breaks(stream, some)
        elif self.up:
            self._out += some

    def _hear(self, said: Said) -> None:
        match said:
            case LetterBatch():
                self._take(said)
            case Ack(name, place) if (told := self._telling.get(name)) is not None and not told.stopped:
                if wrong := told.acked(place.mark()):
                    self._breaks(name, wrong)
                else:
                    self._news(told)
            case PotMeter() | PotPrizes() if self.side is Side.ABOVE:
                self._events.append(heard(said, self.neighbour))
            case GiveBack() | GivenBack():
                self._of_restored(said)
            case MirrorWord(octets):
                self._events.append(MirrorSaid(self.neighbour, octets))

    def _take(self, batch: LetterBatch) -> None:
        if (offence := batch_trouble(batch, self._is_theirs, self._hearing)) is not None:
            self._turn_down(offence)
            return
        if any(told.goes_back for told in self._telling.values()):
            return  # where it stands is known first; this comes again
        stream = self._hears(batch.stream)
        letters, wrong = stream.take(batch)
        if letters:
            self._events.append(FromNeighbour(self.neighbour, batch.stream, letters))
        if wrong is not None:
            self._breaks(batch.stream, wrong)
        elif not letters and stream.delivered == stream.heard and not stream.stopped:
            self._out.append(Ack(batch.stream, place_of(stream.heard)))

    def _news(self, stream: StreamTold) -> None:
        if (place := stream.went_back()) is not None and self._hello is not None:
            self._events.append(NeighbourBehind(self.neighbour, stream.name, self._hello.epoch, place))
        if (mark := stream.news()) is not None and stream.name not in self._broken:
            self._events.append(NeighbourAcknowledged(self.neighbour, stream.name, mark))

    def _breaks(self, name: str, wrong: NotFollowing) -> None:
        """Of this stream no more, and of this neighbour's others all goes on."""
        if name in self._broken or name in self._stopped:
            return
        self._broken.add(name)
        if (stream := self._telling.get(name) or self._hearing.get(name)) is not None:
            stream.stopped = True
        else:
            self._strange += 1
            if self._strange > MOST_STRANGE:
                return
        self._events.append(LinkBroken(self.neighbour, name, wrong.why, wrong.said))

    def _turn_down(self, offence: Offence) -> None:
        self._redial.told_no()
        self._out.append(TurnedAway(offence))
        self._events += (TurnedDown(self.neighbour, offence, by_us=True), HangUp())

    # What leaves.

    def _greet(self) -> None:
        told = {name: place_of(stream.told) for name, stream in self._telling.items() if stream.told.number}
        heard = {name: place_of(stream.heard) for name, stream in self._hearing.items() if stream.heard.number}
        self._out.append(Hello(self._protocols, self._me, self._epoch, self._letters, heard, told))

    def to_send(self, now: Micros) -> bytes | None:
        """The next message, if there is one and somebody to hear it. Ask when it can leave: meters are of then."""
        if not self._line:
            return None
        if not self._out and (self.up or self._is_burned):
            self._say_something(now)
        if not self._out:
            return None
        self._said_at = now
        return packed(self._out.popleft())

    def _say_something(self, now: Micros) -> None:
        if self.up and (meters := self._meters.due(now, self.version)):
            self._out += meters
        elif self._mirror:
            self._out.append(self._mirror.popleft())
        elif self.up and now - self._said_at >= BEAT:
            self._out.append(Beat())

    def next_event(self) -> Happened | None:
        return self._events.popleft() if self._events else None

    # Time.

    def deadline(self) -> Micros | None:
        times = [self._dial_at] if self._dial_at is not None else []
        if self._line:
            times.append(self._heard_at + (SILENCE if self.up else GREETING))
        if self.up:
            times.append(self._said_at + BEAT)
            dues = (self._meters.deadline(), self.held.deadline(), *(one.deadline() for one in self._telling.values()))
            times += (due for due in dues if due is not None)
        return min(times, default=None)

    def tick(self, now: Micros) -> None:
        if self._dial_at is not None and now >= self._dial_at:
            self._dial_at = None
            self._events.append(Dial())
        if self._line and now - self._heard_at >= (SILENCE if self.up else GREETING):
            self._events.append(HangUp())
            self.line_down(now)
        lets_go = self.up and self.held.tick(now)
        for stream in self._telling.values():
            stream.tick(now)
            if lets_go:
                stream.not_held()
        self._out += self._back.tick(now)
