"""The keyboard of the console: what a terminal sends becomes typed lines and the names of keys.

Theory. A line is typed as everywhere (controller/terminal/typing_line.py), with the letters of Spanish beside; keys
that stand for a whole order are told by name, at once. A secret has a line of its own, so it never comes back with
the arrow keys. Pure.
"""

import codecs
import re
from collections.abc import Iterator

from controller.terminal.typing_line import MOST_LETTERS, TypingLine

_KEYS = {
    b"\x1bOP": "F1", b"\x1bOQ": "F2", b"\x1bOR": "F3", b"\x1bOS": "F4",
    b"\x1b[11~": "F1", b"\x1b[12~": "F2", b"\x1b[13~": "F3", b"\x1b[14~": "F4",
    b"\x1b[[A": "F1", b"\x1b[[B": "F2", b"\x1b[[C": "F3", b"\x1b[[D": "F4", b"\x1b[[E": "F5",
    b"\x1b[15~": "F5", b"\x1b[17~": "F6", b"\x1b[18~": "F7", b"\x1b[19~": "F8",
    b"\t": "Tab",
}  # fmt: skip
_SPLIT = re.compile(b"(" + b"|".join(map(re.escape, _KEYS)) + b")")
_NOT_ASCII = re.compile(rb"([\x80-\xff]+)")


class Typing(TypingLine):
    """A line with the letters of Spanish."""

    def __init__(self) -> None:
        super().__init__()
        self._decode = codecs.getincrementaldecoder("utf-8")("ignore").decode

    def feed(self, data: bytes) -> list[str]:
        lines: list[str] = []
        for part in filter(None, _NOT_ASCII.split(data)):
            if part[0] < 0x80:
                lines += super().feed(part)
            else:
                self.insert("".join(letter for letter in self._decode(part) if letter.isprintable()))
        return lines

    def insert(self, letters: str) -> None:
        letters = letters[: MOST_LETTERS - len(self.text)]
        self.text = self.text[: self.cursor] + letters + self.text[self.cursor :]
        self.cursor += len(letters)

    def begin(self, text: str) -> None:
        """As if it had been typed."""
        self.text, self.cursor = text, len(text)


def keys_in(data: bytes) -> Iterator[str | bytes]:
    """Names of keys, and what is to be typed between them, as it came."""
    for part in filter(None, _SPLIT.split(data)):
        yield _KEYS.get(part, part)
