"""Lines on their way to standard error: a thread that writes one never waits for its reader.

Theory. A pipe that nobody empties stops the thread that writes to it, and a reader that is gone is an error; neither
may stop a table. So a thread of its own writes, lines wait in a bounded place, and what finds none is dropped and
counted; the count is said as soon as something gets through again. At the end there is a moment for the last words.
"""

import os
import queue
import threading

MOST_WAITING = 2_000
LAST_WORDS = 1.0
_SAY_LOST = '{"event": "journal_lines_lost", "level": "warning", "lines": %d}\n'


class JournalLines:
    """A stream as far as loggers need one; `write` takes whole lines, from any thread."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._waiting: queue.Queue[str | None] = queue.Queue(MOST_WAITING)
        self._lost = 0
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    @property
    def lost(self) -> int:
        """Lines that found no place, or no reader."""
        return self._lost

    def isatty(self) -> bool:
        return os.isatty(self._fd)

    def write(self, line: str, /) -> None:
        try:
            self._waiting.put_nowait(line)
        except queue.Full:
            self._lost += 1  # two threads may count one: it says that, not how many exactly

    def flush(self) -> None:
        """Loggers call it; nothing has to wait here."""

    def close(self, seconds: float = LAST_WORDS) -> None:
        """What waits has so long to get out."""
        try:
            self._waiting.put(None, timeout=seconds)
        except queue.Full:
            return
        self._thread.join(seconds)

    def _work(self) -> None:
        said = 0
        while (line := self._waiting.get()) is not None:
            if self._lost > said and self._wrote(_SAY_LOST % (self._lost - said)):
                said = self._lost
            if not self._wrote(line):
                self._lost += 1

    def _wrote(self, line: str) -> bool:
        left = line.encode("utf-8", "backslashreplace")
        try:
            while left:
                left = left[os.write(self._fd, left) :]
        except OSError:
            return False
        return True
