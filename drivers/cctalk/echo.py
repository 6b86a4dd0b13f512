"""Our own bytes on the way back: a ccTalk line is one wire, so the host hears itself first (devices.md 1.2, 4.6).

The echo is the rule here; only some adapters hide it. A whole question that comes back in front is our own and is
taken away, and from then on any other bytes in its place mean that somebody talked over us. Until then everything is
let through: no question is addressed to the host, so none is ever taken for an answer. An echo that is missed twice
running is learned anew: perhaps a device out of its mind had repeated us, perhaps the adapter was changed.
"""

_DOUBTED = 2


class Echo:
    def __init__(self) -> None:
        self.known = False
        self._sent = b""
        self._back = 0  # of `_sent`, how much came back
        self._collisions = 0

    def sent(self, frame: bytes) -> None:
        self._sent, self._back = frame, 0

    def strip(self, data: bytes) -> bytes | None:
        """These bytes without our own; `None`: our own came back changed."""
        expected = self._sent[self._back : self._back + len(data)]
        if not data.startswith(expected):
            return self._otherwise(data)
        self._back += len(expected)
        if expected and self._back == len(self._sent):
            self.known, self._collisions = True, 0
        return data[len(expected) :]

    def _otherwise(self, data: bytes) -> bytes | None:
        if self.known:
            self._collisions += 1
            self.known = self._collisions < _DOUBTED
            return None
        held, self._sent, self._back = self._sent[: self._back], b"", 0
        return held + data
