"""Whether a PIN is right, without anybody else waiting for it.

Theory. A verifier is slow to try on purpose; so PINs are tried in a thread of their own, one after the other, and a
right one is remembered for as long as the verifiers stay as they are: under a keyed hash whose key dies with the
process, so nothing here can be read back. A wrong one is tried anew each time; counting it is the core's affair.
"""

import hashlib
import hmac
import queue
import secrets
import threading
from collections.abc import Callable, Mapping
from typing import NamedTuple

from controller.node import pins
from controller.node.control_door import Order
from controller.node.protocol import Deed, Pin

MOST_REMEMBERED = 1_000
MOST_WAITING = 32


class Tried(NamedTuple):
    """An order with what its PINs proved to be, and the verifier of a new one."""

    order: Order
    by: bool
    second: bool
    verifier: str


class PinDesk:
    """Used by one thread, but for the trying; `done` is called in that other thread."""

    def __init__(self, done: Callable[[object, Tried], None]) -> None:
        self._done = done
        self._key = secrets.token_bytes(32)
        self._verifiers: dict[str, str] = {}
        self._right: set[bytes] = set()
        self._lock = threading.Lock()  # over these two
        self._waiting: queue.Queue[tuple[object, Order] | None] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._work, name="pins", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """What is being tried is finished; nobody hears of it."""
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
        """From any thread. What was right under other verifiers is right no more."""
        with self._lock:
            if dict(verifiers) != self._verifiers:
                self._verifiers = dict(verifiers)
                self._right.clear()

    def at_once(self, order: Order) -> Tried | None:
        """The answer, if nothing slow is needed for it."""
        request = order.request
        if request.do is Deed.ENROL:
            return None
        by, second = self._known(request.by), self._known(request.second)
        return None if by is None or second is None else Tried(order, by, second, "")

    def try_later(self, ticket: object, order: Order) -> bool:
        """`False`: too many wait already."""
        try:
            self._waiting.put_nowait((ticket, order))
        except queue.Full:
            return False
        return True

    def _known(self, pin: Pin | None) -> bool | None:
        """What is known of it without trying."""
        if pin is None:
            return False
        with self._lock:
            verifier = self._verifiers.get(pin.person)
            if verifier is None or not pins.is_pin(pin.pin):
                return False
            return True if self._mark(verifier, pin) in self._right else None

    def _mark(self, verifier: str, pin: Pin) -> bytes:
        parts = (pin.person.encode(), verifier.encode(), pin.pin.encode())
        return hmac.digest(self._key, b"".join(hashlib.sha256(part).digest() for part in parts), "sha256")

    def _work(self) -> None:
        while (waiting := self._waiting.get()) is not None:
            ticket, order = waiting
            request = order.request
            verifier = pins.verifier_of(request.new_pin) if request.do is Deed.ENROL else ""
            self._done(ticket, Tried(order, self._is_right(request.by), self._is_right(request.second), verifier))

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
