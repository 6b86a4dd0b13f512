"""A log of ours that our record lost with a restore, as one neighbour hands it back.

Theory. Who has heard a log of ours farther than our record goes is asked for what follows, one batch at a time: the
next when the record has taken this one. What comes must follow, letter on letter, the hash of what we have, and end
where the neighbour said that it stands; everything else was not told by us. Pure.
"""

from collections.abc import Container, Sequence

from msgspec.structs import replace

from controller.core.inputs import TakeBack
from controller.core.links.letters import hash_of, read
from controller.core.values import Broken, Mark
from controller.node.link.messages import GiveBack, GivenBack, Sent, place_of
from controller.node.link.streams import SAY_AGAIN, NotFollowing, ToldLetter, as_much_as_goes
from drivers.session import Micros


class GoingBack:
    """With one neighbour: what it hands back of our logs after our restore, and we of its logs after its own."""

    def __init__(self, me: str, neighbour: str) -> None:
        self._me, self._neighbour = me, neighbour
        self._lost: dict[str, _LostLog] = {}
        self._giving: dict[str, Mark] = {}  # of its logs, the place behind which it asked

    def forget(self) -> None:
        """The conversation is over."""
        self._lost.clear()
        self._giving.clear()

    def asks(self, log: str, told: Mark, said: Mark) -> list[GiveBack]:
        """It has heard this log of ours up to there, and our record goes less far: the next of it, if that was not
        asked already."""
        lost = self._lost.setdefault(log, _LostLog(self._me, self._neighbour, log))
        return [GiveBack(log, place_of(told))] if lost.asks(told, said) else []

    def takes(self, said: GivenBack) -> tuple[TakeBack, ...] | NotFollowing:
        lost = self._lost.get(said.stream)
        return () if lost is None else lost.takes(said)

    def is_whole(self, log: str) -> None:
        """Nothing of it is missing here."""
        self._lost.pop(log, None)

    def asked(self, said: GiveBack, heard: Container[str]) -> None:
        """It asks for what we have of a log of its own."""
        if said.stream in heard:
            self._giving[said.stream] = said.place.mark()

    def wanted(self) -> list[tuple[str, Mark]]:
        asked, self._giving = self._giving, {}
        return list(asked.items())

    def tick(self, now: Micros) -> list[GiveBack]:
        due = ((log, lost.tick(now)) for log, lost in self._lost.items())
        return [GiveBack(log, place_of(place)) for log, place in due if place is not None]


def handed_back(log: str, after: Mark, letters: Sequence[ToldLetter]) -> tuple[GivenBack, ...] | NotFollowing:
    """What was heard of a neighbour's log behind the place where it stands, if that is on the same chain."""
    if not letters:
        return ()
    if letters[0].previous != after.hash:
        return NotFollowing(Broken.FORK, after)
    some = as_much_as_goes(letters)
    return (GivenBack(log, some[0].previous, tuple(one.sent for one in some)),)


class _LostLog:
    def __init__(self, me: str, neighbour: str, name: str) -> None:
        self._me, self._neighbour, self._name = me, neighbour, name
        self._asked: Mark | None = None
        self._until: Mark | None = None  # so far the neighbour has it
        self._again_at: Micros | None = None

    def asks(self, told: Mark, said: Mark) -> bool:
        """Whether it is to be asked what follows there; said once."""
        was, self._asked, self._until = self._asked, told, said
        if was != told:
            self._again_at = None
        return was != told

    def tick(self, now: Micros) -> Mark | None:
        """What was asked long ago is asked again."""
        if self._again_at is None:
            self._again_at = now + SAY_AGAIN
        elif now >= self._again_at:
            self._again_at = now + SAY_AGAIN
            return self._asked
        return None

    def takes(self, said: GivenBack) -> tuple[TakeBack, ...] | NotFollowing:
        """The letters as the core is asked to take them; nothing, where they are not those that were asked for last."""
        place, until = self._asked, self._until
        if place is None or until is None or said.letters[0].number != place.number + 1:
            return ()
        if said.previous != place.hash:
            return NotFollowing(Broken.FORK, until)
        made: list[TakeBack] = []
        for sent in said.letters:
            found = self._next(sent, place)
            if found is None or found.mark.number > until.number:
                return NotFollowing(Broken.UNKNOWN_LETTER, until)
            place = found.mark
            made.append(found)
        if place.number == until.number and place != until:
            return NotFollowing(Broken.FORK, until)
        return tuple(made)

    def _next(self, sent: Sent, place: Mark) -> TakeBack | None:
        letter = read(sent.body)
        if letter is None or sent.number != place.number + 1 or sent.epoch < place.epoch:
            return None
        own = Mark(sent.epoch, sent.number, "")
        own = replace(own, hash=hash_of(self._me, self._name, sent.version, own, place.hash, letter))
        return TakeBack(self._neighbour, self._name, own, place.hash, sent.version, letter)
