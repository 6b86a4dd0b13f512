"""What one browser has not taken yet: of each scope one message, or that it must have the whole; and the last beat.

Theory. Who reads slowly must cost nobody else anything, and no memory that grows. So nothing is queued: a second
message of a scope that was not taken makes a whole of both, which is written when it is taken, as things are then. Of
the beats of each box the last one is kept.
"""

from collections.abc import Callable, Iterable

from controller.web.live.changes import StreamEvent


class NewestSlot:
    """`wake`: called when there is something to take; it returns at once."""

    def __init__(self, scopes: Iterable[str], wake: Callable[[], None]) -> None:
        self.scopes = tuple(dict.fromkeys(scopes))
        self._wake = wake
        self._waiting: dict[str, StreamEvent | None] = {}
        self._beats: dict[str, StreamEvent] = {}

    def put(self, scope: str, message: StreamEvent) -> None:
        assert scope in self.scopes, "it looks at that"
        self._waiting[scope] = None if scope in self._waiting else message
        self._wake()

    def must_have_all(self, scope: str) -> None:
        assert scope in self.scopes, "it looks at that"
        self._waiting[scope] = None
        self._wake()

    def beat(self, message: StreamEvent, box: str = "") -> None:
        self._beats[box] = message
        self._wake()

    def take(self, whole: Callable[[str], StreamEvent]) -> list[StreamEvent]:
        """What it is to be told now, in order. `whole`: of a scope, as it is."""
        waiting, self._waiting = self._waiting, {}
        told = [message or whole(scope) for scope, message in waiting.items()]
        beats, self._beats = self._beats, {}
        return [*told, *beats.values()]
