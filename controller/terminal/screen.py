"""The whole terminal, as the commands that take it over share it: key by key, and rows with a style for each cell.

Theory. What a picture shows is worked out elsewhere, as rows of cells whose styles are names; each command says what
colour its own names have.
"""

import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich.text import Text

from controller.terminal.cells import Row

_NO_KEY = b"\0"


@contextmanager
def key_by_key(terminal: int) -> Iterator[None]:
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


def drawn(rows: Sequence[Row], styles: Mapping[str, str]) -> Text:
    text = Text(no_wrap=True, overflow="crop", end="")
    for place, row in enumerate(rows):
        text.append("\n" * bool(place))
        for cell in row:
            text.append(cell.text, styles.get(cell.style, ""))
    return text
