"""Many who look at once, on plain sockets in one thread: consoles and signs, each with what it took and when.

So bytes a minute can be counted, and how long ago each last heard a beat. Those who mean no good are in hostile.py.
"""

import selectors
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from support.browser.amounts import Piece
from support.browser.visitor import Listening, Visitor

_LOOK = 0.2


@dataclass(slots=True)
class Reader:
    """One stream that is read as it comes."""

    name: str
    line: socket.socket
    pieces: list[Piece] = field(default_factory=list)
    is_over: bool = False


class Crowd:
    def __init__(self) -> None:
        self.readers: list[Reader] = []
        self._selector = selectors.DefaultSelector()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._read, name="crowd", daemon=True)

    @property
    def lost(self) -> list[str]:
        """Whose stream has ended."""
        return [one.name for one in self.readers if one.is_over]

    def unheard(self, since: float) -> list[str]:
        """Who heard nothing for so many milliseconds."""
        now = _now()
        return [one.name for one in self.readers if not one.pieces or now - one.pieces[-1].at > since]

    def reads(self, name: str, stream: Listening) -> None:
        stream.line.setblocking(False)
        reader = Reader(name, stream.line)
        self.readers.append(reader)
        self._selector.register(stream.line, selectors.EVENT_READ, reader)

    @contextmanager
    def there(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._ending.set()
            self._thread.join(5)
            self._selector.close()

    def _read(self) -> None:
        while not self._ending.is_set():
            for key, _ in self._selector.select(_LOOK):
                self._take(key.data)

    def _take(self, reader: Reader) -> None:
        try:
            came = len(reader.line.recv(65_536))
        except BlockingIOError:
            return
        except OSError:
            came = 0
        if came:
            reader.pieces.append(Piece(_now(), came))
        else:
            reader.is_over = True
            self._selector.unregister(reader.line)


@contextmanager
def crowd(looks: Sequence[tuple[Visitor, str, int]]) -> Iterator[Crowd]:
    """Of each visitor so many streams of a scope."""
    made = Crowd()
    with ExitStack() as ending, made.there():
        for visitor, scope, count in looks:
            for number in range(count):
                made.reads(f"{visitor.name} {number}", ending.enter_context(visitor.listens(scope)))
        yield made


def _now() -> float:
    return time.monotonic() * 1_000
