"""Our own bytes on the way back: many adapters repeat them, and a ccTalk line is one wire (devices.md 1.2, 4.6).

A question that comes back in front of its answer is taken away. While it is not known whether this line echoes, other
bytes in that place are let through untouched. Once an echo is known, they mean that another master talked over ours.
What proves an echo differs between the protocols, so the master of a line says it (`present`); a port that is opened
anew is learned anew.
"""


class Echo:
    def __init__(self) -> None:
        self.present: bool | None = None  # `None`: not learned yet
        self.listening = False  # more of our own bytes may come
        self._sent = b""
        self._back = 0  # of `_sent`, how much came back so far

    @property
    def halfway(self) -> bool:
        """Some of our bytes came back and not all of them."""
        return 0 < self._back < len(self._sent)

    @property
    def whole(self) -> bool:
        return 0 < self._back == len(self._sent)

    def sent(self, frame: bytes) -> None:
        self._sent, self._back = frame, 0
        self.listening = self.present is not False

    def strip(self, data: bytes) -> bytes | None:
        """These bytes without our own; `None`: our own came back changed. Only while `listening`."""
        expected = self._sent[self._back : self._back + len(data)]
        if data.startswith(expected):
            self._back += len(expected)
            self.listening = self._back < len(self._sent)
            return data[len(expected) :]
        self.listening = False
        held, self._back = self._sent[: self._back], 0
        return None if self.present else held + data
