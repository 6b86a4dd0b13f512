"""A line that somebody types into a terminal which does nothing by itself: keys, cursor, what was typed before.

Bytes in, whole lines out. Pure, so that the same keys can be tried without a terminal; and the same bytes from a pipe
are simply lines. What is no key of ours is dropped, a line has a longest length, and history is bounded.
"""

from collections.abc import Callable

MOST_LETTERS = 200
MOST_REMEMBERED = 50
_ESCAPE = 0x1B
_INTRODUCERS, _DIGITS = b"[O", b"0123456789;"
_LONGEST_SEQUENCE = 8


class TypingLine:
    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self.ended = False  # Ctrl-D on an empty line
        self._sequence = b""  # an escape that has begun
        self._after_return = False
        self._past: list[str] = []
        self._shown = 0  # how far back in the past
        self._keys: dict[int, Callable[[], None]] = {
            0x01: self._home, 0x05: self._end, 0x02: self._left, 0x06: self._right, 0x08: self._rub, 0x7F: self._rub,
            0x0B: self._cut_rest, 0x15: self._cut_before, 0x17: self._cut_word, 0x10: self._older, 0x0E: self._newer,
            0x04: self._delete_or_end,
        }  # fmt: skip
        self._sequences: dict[bytes, Callable[[], None]] = {
            b"A": self._older, b"B": self._newer, b"C": self._right, b"D": self._left,
            b"H": self._home, b"F": self._end, b"3~": self._delete, b"1~": self._home, b"4~": self._end,
        }  # fmt: skip

    def feed(self, data: bytes) -> list[str]:
        """The lines that are finished by these bytes."""
        lines = []
        for byte in data:
            if self._sequence:
                self._continue(byte)
            elif byte in b"\r\n":
                if not (byte == 0x0A and self._after_return):
                    lines.append(self._finish())
            elif byte == _ESCAPE:
                self._sequence = b"\x1b"
            elif byte in self._keys:
                self._keys[byte]()
            elif 0x20 <= byte < 0x7F and len(self.text) < MOST_LETTERS:
                self.text = self.text[: self.cursor] + chr(byte) + self.text[self.cursor :]
                self.cursor += 1
            self._after_return = byte == 0x0D
        return lines

    def _continue(self, byte: int) -> None:
        """ESC, an introducer, digits, and a last letter; anything else ends it."""
        begun = self._sequence + bytes([byte])
        introduced = len(begun) == 2 and byte in _INTRODUCERS
        counting = len(begun) > 2 and byte in _DIGITS and len(begun) < _LONGEST_SEQUENCE
        if introduced or counting:
            self._sequence = begun
        else:
            self._sequence = b""
            self._sequences.get(begun[2:], lambda: None)()

    def _finish(self) -> str:
        line = self.text
        if line.strip() and [line] != self._past[-1:]:
            self._past = [*self._past, line][-MOST_REMEMBERED:]
        self._shown = 0
        self._put("")
        return line

    def _put(self, text: str) -> None:
        self.text, self.cursor = text, len(text)

    def _older(self) -> None:
        if self._shown < len(self._past):
            self._shown += 1
            self._put(self._past[-self._shown])

    def _newer(self) -> None:
        if self._shown:
            self._shown -= 1
            self._put(self._past[-self._shown] if self._shown else "")

    def _home(self) -> None:
        self.cursor = 0

    def _end(self) -> None:
        self.cursor = len(self.text)

    def _left(self) -> None:
        self.cursor = max(0, self.cursor - 1)

    def _right(self) -> None:
        self.cursor = min(len(self.text), self.cursor + 1)

    def _rub(self) -> None:
        if self.cursor:
            self._left()
            self._delete()

    def _delete(self) -> None:
        self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]

    def _delete_or_end(self) -> None:
        if self.text:
            self._delete()
        else:
            self.ended = True

    def _cut_rest(self) -> None:
        self.text = self.text[: self.cursor]

    def _cut_before(self) -> None:
        self.text, self.cursor = self.text[self.cursor :], 0

    def _cut_word(self) -> None:
        before = self.text[: self.cursor].rstrip()
        kept = before[: before.rfind(" ") + 1]
        self.text, self.cursor = kept + self.text[self.cursor :], len(kept)
