"""One end's sockets: every connection with its channels, what moves between them, who is gone.

Theory. libzmq stands behind the gate of the links (link/gate.py), so strangers have few places and little time here
too, and a key decides who comes in. A connection is believed as long as something is heard of it: each end says every
second that it is there, and who was not heard for three is gone, whatever the network still promises. One thread owns
it.
"""

import select
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from controller.node.link.sockets import Address, Came, Left, OwnKey, Pinned, Sockets
from controller.node.passage.channels import Channels, Dishonest, Opens
from controller.node.passage.words import StillHere, packed, unpacked
from controller.node.vocabulary.bell import Bell
from drivers.session import MILLISECOND, SECOND, Micros

SILENT: Micros = 3 * SECOND
"""Who was not heard for so long is gone."""
BEATS: Micros = SECOND
_CONGESTED: Micros = 20 * MILLISECOND
_AT_ONCE = 64


class Passage:
    """One connection: whose it is, and its channels. `was_heard`: whether anything ever came."""

    def __init__(self, name: str, channels: Channels, now: Micros, *, was_heard: bool) -> None:
        self.name, self.channels, self.heard_at, self.was_heard = name, channels, now, was_heard
        self.beat_at = now - BEATS
        self.unsent: bytes | None = None


class Hub:
    """`opens`: what stands behind a channel that somebody of this name wants; `patience`: until who was dialled must be
    heard. OSError: `listen` is taken, or not ours."""

    def __init__(
        self,
        folder: Path,
        listen: tuple[str, int] | None,
        own: OwnKey,
        opens: Callable[[str], Opens],
        clock: Callable[[], Micros],
        patience: Micros = SILENT,
    ) -> None:
        self._opens, self._clock, self._patience = opens, clock, patience
        self._passages: dict[int, Passage] = {}
        self._gone: list[str] = []
        with ExitStack() as undo:
            self.bell = Bell()
            undo.callback(self.bell.close)
            self._epoll = undo.enter_context(select.epoll())
            self._epoll.register(self.bell, select.EPOLLIN)
            self._sockets = Sockets(folder, listen, own, self._epoll.fileno(), clock())
            undo.callback(self._sockets.close)
            undo.callback(self._close_channels)
            self._closing = undo.pop_all()

    def close(self) -> None:
        self._closing.close()

    @property
    def place(self) -> tuple[str, int] | None:
        """Where it listens."""
        entrance = self._sockets.gate.entrance
        return None if entrance is None else entrance.getsockname()[:2]

    def strangers(self) -> tuple[Mapping[str, int], int]:
        """By address who came in and was nobody of ours, and how many keys nobody knew, since this was asked last."""
        gate = self._sockets.gate
        found = dict(gate.refused.most_common()), self._sockets.unknown_keys
        gate.refused.clear()
        self._sockets.unknown_keys = 0
        return found

    def pin(self, pinned: Mapping[str, Pinned]) -> None:
        """Whose keys are taken from now on; whoever came in with another one is out."""
        self._sockets.pin(pinned)
        self._lose()

    def dial(self, name: str, address: Address) -> bool:
        """Whether somebody may answer."""
        now = self._clock()
        number = self._sockets.dial(name, address, now)
        if number is not None:
            self._passages[number] = self._made(name, now, was_heard=False)
        return number is not None

    def passage(self, name: str) -> Passage | None:
        """The connection with who is called so, from the first word on that was heard of him."""
        return next((one for one in self._passages.values() if one.name == name and one.was_heard), None)

    def gone(self) -> list[str]:
        """Whose connections ended since this was asked last."""
        gone, self._gone = self._gone, []
        return gone

    def turn(self, until: Micros | None = None) -> Iterator[str]:
        """Waits until something comes, somebody rings, or something is due, and moves all that can be moved. Gives out
        who is heard for the first time."""
        now = self._clock()
        self._sockets.wait(min(self._due(now), self._due(now) if until is None else until), now)
        self.bell.silence()
        now = self._clock()
        for came in self._sockets.turn(now):
            if self._hear(came, now):
                yield came.name
        for fd, happened in self._epoll.poll(0, _AT_ONCE):
            for one in self._passages.values():
                if one.channels.has(fd):
                    one.channels.move(fd, happened)
                    break
        self._lose()
        for number, one in list(self._passages.items()):
            self._beat(number, one, now)
            self._send(number, one)
        self._lose()

    def _made(self, name: str, now: Micros, *, was_heard: bool) -> Passage:
        return Passage(name, Channels(self._epoll, self._opens(name)), now, was_heard=was_heard)

    def _hear(self, came: Came, now: Micros) -> bool:
        """Whether it is the first word of this connection."""
        one = self._passages.get(came.number)
        if one is None:
            one = self._passages[came.number] = self._made(came.name, now, was_heard=False)
        is_first, one.was_heard, one.heard_at = not one.was_heard, True, now
        try:
            one.channels.hear(unpacked(came.octets))
        except Dishonest:
            self._sockets.drop(came.number)
            return False
        return is_first

    def _beat(self, number: int, one: Passage, now: Micros) -> None:
        """It is told that we are there, and let go where it is not."""
        if now - one.heard_at >= (SILENT if one.was_heard else self._patience):
            self._sockets.drop(number)
        elif now - one.beat_at >= BEATS and not one.channels.says:
            one.beat_at = now
            one.channels.says.append(StillHere())

    def _send(self, number: int, one: Passage) -> None:
        while number in self._passages and (one.unsent is not None or one.channels.says):
            octets = one.unsent if one.unsent is not None else packed(one.channels.says.popleft())
            left = self._sockets.send(number, octets)
            one.unsent = octets if left is Left.FULL else None
            if left is Left.GONE:
                self._sockets.drop(number)
            if left is not Left.SENT:
                break
        one.channels.stand_still(still=one.unsent is not None)

    def _due(self, now: Micros) -> Micros:
        """When it is looked at what did not leave, or who is silent."""
        if any(one.unsent is not None for one in self._passages.values()):
            return now + _CONGESTED
        ends = (one.heard_at + (SILENT if one.was_heard else self._patience) for one in self._passages.values())
        return min([now + BEATS, *(one.beat_at + BEATS for one in self._passages.values()), *ends])

    def _lose(self) -> None:
        """The channels of connections that ended end with them."""
        for over in self._sockets.gone():
            one = self._passages.pop(over.number, None)
            if one is not None:
                one.channels.close()
                self._gone.append(one.name)

    def _close_channels(self) -> None:
        for one in self._passages.values():
            one.channels.close()
