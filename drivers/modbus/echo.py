"""Does this adapter repeat our own bytes to us? Learned from the first question that is answered, then kept (4.6).

Three rules. No answer begins with its whole question: an answer to FC03 has an odd length and its question an even
one, and a write's answer is shorter than the write; so a question that comes back first is taken away, and when a
good answer follows, this line echoes. A good answer with nothing in front: it does not. Once an echo is known, other
bytes in its place mean that somebody else talked. A unit out of its mind that answers with its question teaches
nothing. Adapters do not change while a port is open; a new port is learned anew.
"""

from enum import Enum, auto


class Collision(Enum):
    """Our own bytes did not come back as they went."""

    COLLISION = auto()


class Echo:
    def __init__(self) -> None:
        self.present: bool | None = None  # `None`: not learned yet
        self._sent = b""
        self._heard = 0  # of `_sent`, how much came back so far
        self.listening = False

    @property
    def begun(self) -> bool:
        """Some of the echo came and not all of it."""
        return self.listening and self._heard > 0

    def sent(self, frame: bytes) -> None:
        self._sent = frame
        self._heard = 0
        self.listening = self.present is not False

    def strip(self, data: bytes) -> bytes | Collision:
        """What is left of these bytes when our own are taken away. Only while `listening`."""
        expected = self._sent[self._heard : self._heard + len(data)]
        if not data.startswith(expected):
            return self._otherwise(data)
        self._heard += len(expected)
        self.listening = self._heard < len(self._sent)
        return data[len(expected) :]

    def _otherwise(self, data: bytes) -> bytes | Collision:
        self.listening = False
        held, self._heard = self._sent[: self._heard], 0
        return Collision.COLLISION if self.present else held + data

    def answered(self, *, cleanly: bool) -> None:
        """A good answer came; `cleanly`: nothing but our echo, if that, came in front of it."""
        if self.present is None and cleanly:
            self.present = self._heard > 0
