"""The keyboard: standard input as bytes, and the names of the keys among them.

Theory. Standard input may be a terminal, a pipe or nothing. A command that takes the terminal over is handed every
key at once, and gives the terminal back as it was. A line is typed as everywhere (typing_line.py), here with the
letters of Spanish beside. Keys that stand for a whole order come by name.
"""

import asyncio
import codecs
import os
import re
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from controller.terminal.typing_line import MOST_LETTERS, TypingLine

_NO_KEY = b"\0"
_MOST_READ = 4_096
_KEYS = {
    b"\x1bOP": "F1", b"\x1bOQ": "F2", b"\x1bOR": "F3", b"\x1bOS": "F4",
    b"\x1b[11~": "F1", b"\x1b[12~": "F2", b"\x1b[13~": "F3", b"\x1b[14~": "F4",
    b"\x1b[[A": "F1", b"\x1b[[B": "F2", b"\x1b[[C": "F3", b"\x1b[[D": "F4", b"\x1b[[E": "F5",
    b"\x1b[15~": "F5", b"\x1b[17~": "F6", b"\x1b[18~": "F7", b"\x1b[19~": "F8",
    b"\t": "Tab",
}  # fmt: skip
_SPLIT = re.compile(b"(" + b"|".join(map(re.escape, _KEYS)) + b")")
_NOT_ASCII = re.compile(rb"([\x80-\xff]+)")


@contextmanager
def keyboard(heard: Callable[[bytes], None], *, whole: bool) -> Iterator[None]:
    """Standard input goes to `heard` as it comes, its end as no bytes, once; `whole`: the screen is taken over."""
    place, loop = sys.stdin.fileno(), asyncio.get_running_loop()

    def read() -> None:
        data = os.read(place, _MOST_READ)
        if not data:
            loop.remove_reader(place)
        heard(data)

    loop.add_reader(place, read)
    try:
        with _key_by_key(place) if whole and os.isatty(place) else nullcontext():
            yield
    finally:
        loop.remove_reader(place)


@contextmanager
def typed_lines(
    typing: TypingLine, typed: Callable[[str], None], stop: Callable[[], None], *, whole: bool
) -> Iterator[None]:
    """Each line that is typed goes to `typed`. The end of a terminal ends the command, the end of a file does not."""

    def heard(data: bytes) -> None:
        for line in typing.feed(data):
            typed(line)
        if typing.ended or (not data and sys.stdin.isatty()):
            stop()

    with keyboard(heard, whole=whole):
        yield


@contextmanager
def _key_by_key(terminal: int) -> Iterator[None]:
    """The terminal hands over each key and shows none; Ctrl-C stays a signal, Ctrl-Z and Ctrl-S are no keys of ours."""
    before, now = termios.tcgetattr(terminal), termios.tcgetattr(terminal)
    now[0] &= ~(termios.IXON | termios.ICRNL)
    now[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
    now[6][termios.VSUSP] = _NO_KEY
    termios.tcsetattr(terminal, termios.TCSADRAIN, now)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSAFLUSH, before)


def keys_in(data: bytes) -> Iterator[str | bytes]:
    """Names of keys, and what is to be typed between them, as it came."""
    for part in filter(None, _SPLIT.split(data)):
        yield _KEYS.get(part, part)


class SpanishLine(TypingLine):
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
        """Begin the line with this text, as if it had been typed."""
        self.text, self.cursor = text, len(text)
