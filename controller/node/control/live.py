"""A node beside an event loop: its newest view, and answers as they come.

Theory. The client of the node waits and a loop must not, so two threads wait instead of it: one looks, one asks, one
request after the other. Of views only the newest matters. The threads end with their program: a node that is hung
does not hold up the program.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from controller.node.control.client import Client, NodeSilent, NotOurs, ToSign
from controller.node.vocabulary.protocol import NodeView, Reply

Answered = Callable[[Reply | str], None]
"""Called in the loop with the node's reply, or with a sentence that says why there is none."""

_LOOK, _GOODBYE = 0.1, 0.5  # seconds


class LiveNode:
    """Made inside the loop. `silence`: after so many seconds without a view the node is silent."""

    def __init__(self, folder: Path, silence: float, patience: float) -> None:
        self.view: NodeView | None = None
        self.silent = True
        self._folder, self._silence, self._patience = folder, silence, patience
        self._loop = asyncio.get_running_loop()
        self._asked: SimpleQueue[tuple[ToSign, Answered] | None] = SimpleQueue()
        self._ending = threading.Event()
        self._looking = threading.Thread(target=self._look, name="look", daemon=True)
        self._asking = threading.Thread(target=self._ask, name="ask", daemon=True)

    def start(self) -> None:
        self._looking.start()
        self._asking.start()

    def stop(self) -> None:
        """What was not answered yet is not answered any more."""
        self._ending.set()
        self._asked.put(None)
        self._looking.join()
        self._asking.join(_GOODBYE)  # idle, it ends at once; in the middle of a question, with the program

    def ask(self, request: ToSign, answered: Answered) -> None:
        self._asked.put((request, answered))

    def _look(self) -> None:
        with Client(self._folder) as client:
            heard = time.monotonic()
            for view in client.views(_LOOK):
                if self._ending.is_set():
                    return
                if view is not None:
                    self.view, heard = view, time.monotonic()
                self.silent = self.view is None or time.monotonic() - heard > self._silence

    def _ask(self) -> None:
        with Client(self._folder) as client:
            while (asked := self._asked.get()) is not None:
                said: Reply | str
                try:
                    said = client.ask(asked[0], self._patience)
                except (NodeSilent, NotOurs) as no:
                    said = str(no)
                if not self._ending.is_set():
                    self._loop.call_soon_threadsafe(asked[1], said)
