"""The node followed: its newest view, cut for whoever looks, told to each of them.

Theory. A thread waits for views, because the node's client waits and a loop must not; it leaves the newest one in one
place, and the loop takes it from there. So each view is decoded once, a loop that is late sees fewer of them, and a
node that hangs holds up nobody. A scope has a picture as long as somebody looks at it. Each life of a picture has an
epoch of its own; where the node was away, is another one, or went back behind what it had said, all begin anew. Each
second everybody is told whether the node is heard. Who looks is given messages and never waited for (slot.py).
"""

import asyncio
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from controller.node.control.client import Client, FarNode, NotOurs
from controller.node.vocabulary.protocol import NodeView
from controller.web.live.changes import StreamEvent, beat
from controller.web.live.entities import Entities, LayoutEntity
from controller.web.live.notes import Notes
from controller.web.live.picture import Picture
from controller.web.live.scopes import TABLE, Cutter, box_of, kind_of
from controller.web.live.shown import ShownSigns
from controller.web.live.slot import NewestSlot
from drivers.punctual import micros
from drivers.session import SECOND, Micros

SILENT: Micros = 3 * SECOND
BEAT = 1.0
_LOOK = 0.25  # seconds that the thread waits for a view, and at most until it sees that all is over
_STRANGE = 1.0  # seconds until a node that speaks otherwise is heard again


class LiveFeed:
    """`strange`: told in a sentence when the node speaks another language; called in the thread. `box`: its name, where
    the node is another box's."""

    def __init__(
        self,
        node: Path | FarNode,
        layouts: Mapping[str, LayoutEntity],
        strange: Callable[[str], None],
        clock: Callable[[], Micros] = micros,
        box: str = "",
    ) -> None:
        self._node, self._strange, self._clock, self._box = node, strange, clock, box
        self.shown = ShownSigns()
        self._cutter = Cutter(layouts, self.shown, box)
        self.notes = Notes()
        self._pictures: dict[str, Picture] = {}
        self._slots: dict[str, dict[NewestSlot, None]] = {}
        self._view: NodeView | None = None
        self._heard_at: Micros = -SILENT
        self._newest: NodeView | None = None
        self._guard = threading.Lock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._look, name="look", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beating: asyncio.Task[None] | None = None
        self._later: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """In the loop in which everything else of it is called."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        self._beating = self._loop.create_task(self._beats())

    def stop(self) -> None:
        """Tells nobody anything more; the thread ends with its wait, or with the program."""
        self._ending.set()
        for task in (self._beating, self._later):
            if task is not None:
                task.cancel()

    def is_heard(self) -> bool:
        return self._clock() - self._heard_at < SILENT

    def lost(self) -> None:
        """From any thread: the way to the node is gone, and nobody waits until it is silent."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the process ends
                self._loop.call_soon_threadsafe(self._is_lost)

    def _is_lost(self) -> None:
        self._heard_at = self._clock() - SILENT
        self._to_all(self._beat())

    def looked_at(self) -> tuple[str, ...]:
        """The scopes that somebody looks at now."""
        return tuple(self._slots)

    def may_be_looked_at(self, scope: str) -> bool:
        """Whether there is such a scope; before the node was heard, whether there may be."""
        may_be = kind_of(scope) != "" and box_of(scope) == self._box
        return may_be and (self._view is None or self._cutter.knows(scope))

    def join(self, slot: NewestSlot) -> None:
        """It is told everything, and what is new from then on."""
        for scope in self._mine(slot):
            self._slots.setdefault(scope, {})[slot] = None
            if self._view is not None:
                if scope not in self._pictures:
                    self._pictures[scope] = self._new_picture(scope, self._view)
                slot.must_have_all(scope)
        slot.beat(self._beat(), self._box)

    def leave(self, slot: NewestSlot) -> None:
        for scope in self._mine(slot):
            lookers = self._slots.get(scope, {})
            lookers.pop(slot, None)
            if not lookers:
                self._slots.pop(scope, None)
                self._pictures.pop(scope, None)

    def _mine(self, slot: NewestSlot) -> list[str]:
        """Of what it looks at, the scopes of this node."""
        return [scope for scope in slot.scopes if box_of(scope) == self._box]

    def whole(self, scope: str) -> StreamEvent | None:
        """All of a scope, as those have it who look at it; None before the node was heard."""
        if self._view is None:
            return None
        return (self._pictures.get(scope) or self._new_picture(scope, self._view)).whole()

    def _cut(self, scope: str) -> Entities:
        """What the view holds for it, and what the consoles of its table say to each other."""
        kind, _, name = scope.partition(":")
        note = self.notes.of(name, self._clock()) if kind == TABLE else None
        found = self._cutter.cut(scope)
        return found if note is None else {**found, f"note/{name}": note}

    def _new_picture(self, scope: str, view: NodeView) -> Picture:
        picture = Picture(scope, _new_epoch())
        picture.begin(picture.epoch, self._cut(scope), view.at)
        return picture

    def _look(self) -> None:
        while not self._ending.is_set():
            try:
                with Client(self._node) as client:
                    self._follow(client)
            except NotOurs as said:
                self._strange(str(said))
                self._ending.wait(_STRANGE)

    def _follow(self, client: Client) -> None:
        assert self._loop is not None, "started"
        for view in client.views(_LOOK):
            if self._ending.is_set():
                return
            if view is None:
                continue
            with self._guard:
                is_waited_for, self._newest = self._newest is not None, view
            if not is_waited_for:
                self._loop.call_soon_threadsafe(self._take)

    def _take(self) -> None:
        with self._guard:
            view, self._newest = self._newest, None
        assert view is not None, "one call for each that was left"
        self.heard(view)

    def heard(self, view: NodeView) -> None:
        """The newest view: everybody is told what is new in what he looks at."""
        before, was_heard, now = self._view, self.is_heard(), self._clock()
        self._view, self._heard_at = view, now
        self._cutter.look(view)
        self.shown.sees(view, now)
        goes_on = before is not None and was_heard and before.node == view.node and before.seq <= view.seq
        for scope, slots in self._slots.items():
            picture = self._pictures.get(scope)
            if picture is None or not goes_on:
                self._pictures[scope] = self._new_picture(scope, view)
                for slot in slots:
                    slot.must_have_all(scope)
            else:
                self._tell(scope, picture.show(self._cut(scope), view.at, now))
        if not was_heard:
            self._to_all(self._beat())
        self._wait_for_the_next(now)

    def _tell(self, scope: str, message: StreamEvent | None) -> None:
        if message is not None:
            for slot in self._slots.get(scope, ()):
                slot.put(scope, message)

    def _wait_for_the_next(self, now: Micros) -> None:
        """Of what is held back for a while."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        due = [wait for one in self._pictures.values() if (wait := one.due(now)) is not None]
        if due and self._loop is not None:
            self._later = self._loop.call_later(min(due) / SECOND, self.tell_what_is_due)

    def tell_what_is_due(self) -> None:
        """What was held back, and may be told now."""
        now = self._clock()
        for scope, picture in self._pictures.items():
            self._tell(scope, picture.tell(now))
        self._wait_for_the_next(now)

    async def _beats(self) -> None:
        while True:
            await asyncio.sleep(min(BEAT, self._silent_in() or BEAT))
            self._to_all(self._beat())

    def _silent_in(self) -> float:
        """Seconds until a node that says nothing more is silent; 0: it is."""
        return max(0, self._heard_at + SILENT - self._clock()) / SECOND

    def _to_all(self, message: StreamEvent) -> None:
        for slot in {slot: None for slots in self._slots.values() for slot in slots}:
            slot.beat(message, self._box)

    def _beat(self) -> StreamEvent:
        return beat(self._view.at if self._view is not None else 0, node=self.is_heard(), box=self._box)


def _new_epoch() -> str:
    return secrets.token_hex(4)
