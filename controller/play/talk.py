"""The demo's end of the control socket: two threads, one that asks and one that looks, beside the loop of the devices.

Theory. The client of the node waits; the loop that plays the devices must not. A request is asked with the same id
until it is answered, also over a restart of the node, so nothing is done twice. Of views only the newest matters.
"""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from controller.node.control.client import Client, NodeSilent
from controller.node.vocabulary.protocol import NodeView, Reply, Request

Heard = Callable[[Reply], None]

_PATIENCE = 3.0
_LOOK = 0.3
_PAUSE = 0.2


class Talk:
    def __init__(self, control: Path) -> None:
        self.view: NodeView | None = None
        self.silent = True  # nothing was shown lately
        self._control = control
        self._loop = asyncio.get_running_loop()
        self._asked: SimpleQueue[tuple[Request, Heard] | None] = SimpleQueue()
        self._over = threading.Event()
        self._threads = [threading.Thread(target=one, name=f"demo-{one.__name__}") for one in (self._ask, self._look)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """What was not answered yet is not asked again."""
        self._over.set()
        self._asked.put(None)
        for thread in self._threads:
            thread.join()

    def ask(self, request: Request, heard: Heard) -> None:
        """`heard` is called in the loop."""
        self._asked.put((request, heard))

    def _ask(self) -> None:
        with Client(self._control) as client:
            while (asked := self._asked.get()) is not None:
                reply = self._answer(client, asked[0])
                if reply is None:
                    return
                self._loop.call_soon_threadsafe(asked[1], reply)

    def _answer(self, client: Client, request: Request) -> Reply | None:
        while not self._over.is_set():
            try:
                return client.ask(request, _PATIENCE)
            except NodeSilent:
                self._over.wait(_PAUSE)
        return None

    def _look(self) -> None:
        with Client(self._control) as client:
            for view in client.views(_LOOK):
                if self._over.is_set():
                    return
                self.silent = view is None
                self.view = view or self.view
