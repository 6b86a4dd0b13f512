"""What wakes a thread that waits for many things at once: any other thread may ring, and nobody waits for it.

Theory. A descriptor of the kernel's, so that it can be waited for beside sockets. Ringing twice is ringing once; after
its end it is silent, and no descriptor that came after it is ever touched.
"""

import os
import threading
from contextlib import suppress


class Bell:
    """Wakes the one thread that waits; any thread may ring."""

    def __init__(self) -> None:
        self._fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._lock = threading.Lock()
        self._gone = False

    def ring(self) -> None:
        with self._lock, suppress(BlockingIOError):  # it rings already
            if not self._gone:
                os.eventfd_write(self._fd, 1)

    def silence(self) -> None:
        with suppress(BlockingIOError):
            os.eventfd_read(self._fd)

    def fileno(self) -> int:
        return self._fd

    def close(self) -> None:
        with self._lock:
            self._gone = True
            os.close(self._fd)
