"""The record for whoever looks: facts after a number, page by page.

Theory. A follower of the feed that missed some, or comes late, reads on from the last number that he has. What is read
was committed and never changes, so it is read beside the node, in a thread and over a connection of its own that can
only read: neither the engine nor another client waits for it. A page is bounded in facts and in octets, and holds one
fact at least, so whoever asks again from its last number always comes to the end.
"""

import queue
import re
import threading
from collections.abc import Callable, Iterable, Iterator

from msgspec import Raw

from controller.node.control.door import answer
from controller.node.store.failure import StoreError
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import BUSY, MOST_BYTES, VERSION, Reply, Request, Trouble
from controller.record.record import FactRow

MOST_FACTS = 200
MOST_WAITING = 32

_ENROLLED = "person_enrolled"
_SECRET = re.compile(rb'"secret":"[0-9a-f]{64}"')

NO_RECORD = Trouble("not_now", "", "since", "Este nodo no puede leer ahora su registro.")


class FactShelf:
    """`read` may be called by one thread; `done` is called in that of the shelf. `opened`: a reader of the record."""

    def __init__(self, opened: Callable[[], Reader], done: Callable[[int, Reply], None]) -> None:
        self._opened, self._done = opened, done
        self._waiting: queue.Queue[tuple[int, Request] | None] = queue.Queue(MOST_WAITING)
        self._reader: Reader | None = None
        self._thread = threading.Thread(target=self._work, name="shelf", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """What was not answered yet is not answered any more."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put(None)
        self._thread.join()

    def read(self, number: int, request: Request) -> None:
        try:
            self._waiting.put_nowait((number, request))
        except queue.Full:
            self._done(number, answer(request.id, BUSY))

    def _work(self) -> None:
        while (asked := self._waiting.get()) is not None:
            number, request = asked
            try:
                reply = self._page(request)
            except StoreError:  # the next one tries anew: perhaps the database is back
                self._close()
                reply = answer(request.id, NO_RECORD)
            self._done(number, reply)
        self._close()

    def _page(self, request: Request) -> Reply:
        if self._reader is None:
            self._reader = self._opened()
        first = request.since + 1
        rows = self._reader.facts(first, first + MOST_FACTS - 1)
        entries = tuple(map(Raw, _bounded(map(_told, rows))))
        head = self._reader.head()
        return Reply(v=VERSION, id=request.id, ok=True, seq=head.seq if head else 0, entries=entries)

    def _close(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None


def _told(row: FactRow) -> bytes:
    """As it stands in the chain; but of who is enrolled without the fingerprint of his verifier. In a record that began
    before version 2 of this protocol it is a hash of salt and PIN, and the salt is told to whoever asks."""
    return _SECRET.sub(b'"secret":""', row.body) if row.kind == _ENROLLED else row.body


def _bounded(bodies: Iterable[bytes]) -> Iterator[bytes]:
    """As many as a message may hold, and never none of them."""
    left = MOST_BYTES
    for body in bodies:
        if len(body) > left and left < MOST_BYTES:
            return
        left -= len(body)
        yield body
