"""Whether a PIN is right, without anybody else waiting for it.

Theory. A verifier is slow to try on purpose; so PINs are tried in a thread of their own, one after the other, and a
right one is remembered for as long as its verifier stays as it is: under a keyed hash whose key dies with the process,
so nothing here can be read back. A wrong one is tried anew each time; counting it is the core's affair. Of one person
one PIN is tried at a time, so a person who guesses holds up only himself, and the second signature is not tried where
the first proved nothing: the core counts one wrong PIN, so one is all that may be learnt.
"""

import hashlib
import hmac
import queue
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from controller.node.book import pins
from controller.node.control.door import UnderstoodRequest
from controller.node.vocabulary.protocol import Deed, Pin, is_pin

MOST_REMEMBERED = 1_000
MOST_WAITING = 32
MOST_OF_CLIENT = 4


class Tried(NamedTuple):
    """An order with what its PINs proved to be, and the verifier of a new one."""

    order: UnderstoodRequest
    by: bool
    second: bool
    verifier: str


class _Trial(NamedTuple):
    """What waits to be tried: whose it is, and which PINs of whom, under their marks."""

    ticket: int
    client: bytes
    order: UnderstoodRequest
    marks: dict[str, bytes]


class PinDesk:
    """Used by one thread, but for the trying; `done` is called in that other thread."""

    def __init__(self, done: Callable[[int, Tried], None]) -> None:
        self._done = done
        self._key = secrets.token_bytes(32)
        self._verifiers: dict[str, str] = {}
        self._right: set[bytes] = set()
        self._tried: dict[str, list[bytes]] = {}
        self._of_client: Counter[bytes] = Counter()
        self._lock = threading.Lock()  # over these four
        self._waiting: queue.Queue[_Trial | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._work, name="pins", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Finish the PIN that is being tried; its outcome is dropped."""
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                break
        self._waiting.put(None)
        self._thread.join()

    def alive(self) -> bool:
        return self._thread.is_alive()

    def people(self, verifiers: Mapping[str, str]) -> None:
        """From any thread; of those only whose signature would be taken. What was right under another verifier has
        another mark, so it is right no more."""
        with self._lock:
            self._verifiers = dict(verifiers)

    def at_once(self, order: UnderstoodRequest) -> Tried | None:
        """The answer, if nothing slow is needed for it."""
        request = order.request
        by = self._known(request.by)
        if by is None:
            return None
        second = self._known(request.second) if by else False
        if second is None or (by and second and request.do is Deed.ENROL):
            return None
        return Tried(order, by, second, "")

    def try_later(self, ticket: int, client: bytes, order: UnderstoodRequest) -> bool:
        """`False`: too many wait already, of this client, or with other PINs of the same persons."""
        with self._lock:
            marks = self._marks(order)
            others = (self._tried.get(person, [mark])[0] != mark for person, mark in marks.items())
            if self._of_client[client] >= MOST_OF_CLIENT or any(others):
                return False
            try:
                self._waiting.put_nowait(_Trial(ticket, client, order, marks))
            except queue.Full:
                return False
            self._of_client[client] += 1
            for person, mark in marks.items():
                self._tried.setdefault(person, []).append(mark)
        return True

    def _marks(self, order: UnderstoodRequest) -> dict[str, bytes]:
        given = [pin for pin in (order.request.by, order.request.second) if pin is not None]
        known = {pin.person: (self._verifiers.get(pin.person), pin) for pin in given}
        return {person: self._mark(verifier, pin) for person, (verifier, pin) in known.items() if verifier}

    def _known(self, pin: Pin | None) -> bool | None:
        """What is known of it without trying."""
        if pin is None:
            return False
        with self._lock:
            verifier = self._verifiers.get(pin.person)
            if verifier is None or not is_pin(pin.pin):
                return False
            return True if self._mark(verifier, pin) in self._right else None

    def _mark(self, verifier: str, pin: Pin) -> bytes:
        parts = (pin.person.encode(), verifier.encode(), pin.pin.encode())
        return hmac.digest(self._key, b"".join(hashlib.sha256(part).digest() for part in parts), "sha256")

    def _work(self) -> None:
        while (trial := self._waiting.get()) is not None:
            request = trial.order.request
            by = self._is_right(request.by)
            second = by and self._is_right(request.second)
            enrols = by and second and request.do is Deed.ENROL
            verifier = pins.verifier_of(request.new_pin) if enrols else ""
            self._no_more(trial)
            self._done(trial.ticket, Tried(trial.order, by, second, verifier))

    def _no_more(self, trial: _Trial) -> None:
        with self._lock:
            self._of_client -= Counter({trial.client: 1})
            for person, mark in trial.marks.items():
                self._tried[person].remove(mark)
                if not self._tried[person]:
                    del self._tried[person]

    def _is_right(self, pin: Pin | None) -> bool:
        known = self._known(pin)
        if known is not None or pin is None:
            return bool(known)
        with self._lock:
            verifier = self._verifiers.get(pin.person, "")
        right = pins.is_right(verifier, pin.pin)
        if right:
            with self._lock:
                if len(self._right) >= MOST_REMEMBERED:
                    self._right.clear()
                self._right.add(self._mark(verifier, pin))  # of this verifier: changed meanwhile, it proves nothing
        return right
