"""Threads that ask the node: each with a client of its own, few, and with few who wait for them.

Theory. To prove a PIN takes a moment of computing on purpose, and an answer its time; the streams of all screens run
meanwhile in another thread, and feel nothing of it. What a ticket signs needs no such moment and never stands in line
behind what does. Who comes when the line is full is told so at once. A client forgets what it made of a PIN as soon as
the answer is here. While the node reads its record for a request nobody waits: the browser is told how far it is.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import NoReturn, TypeVar

from controller.node.control.client import Client, FarNode, NodeSilent, NotOurs, ToSign
from controller.node.vocabulary.protocol import BUSY, Pin, Reply, Ticket
from controller.web.door.turned_back import TurnedBack

PIN_THREADS, TICKET_THREADS, FAR_THREADS = 3, 3, 2
MOST_WAITING = 48
PATIENCE = 8.0
"""Seconds that the node may take."""
_GOODBYE = 0.1
"""Seconds that each thread has to let its client go."""
_Told = TypeVar("_Told")


class StillReading(Exception):  # noqa: N818  says what happens
    """The node reads its record for this request; how far it is."""


class _Line:
    """Some threads, and who waits for one of them. They end with the program, whatever they wait for."""

    def __init__(self, node: Path | FarNode, threads: int, name: str) -> None:
        self._node = node
        self._work: queue.SimpleQueue[Callable[[Client], None] | None] = queue.SimpleQueue()
        self._waiting = 0
        self._name = name
        self._threads: list[threading.Thread] = []
        for _ in range(threads):
            self._begin()

    def _begin(self) -> None:
        thread = threading.Thread(target=self._ask, name=self._name, daemon=True)
        self._threads.append(thread)
        thread.start()

    async def run(self, work: Callable[[Client], _Told]) -> _Told:
        if self._waiting >= MOST_WAITING:
            raise TurnedBack(503, BUSY.reason, "", BUSY.message)
        told: Future[_Told] = Future()
        self._work.put(lambda client: _does(work, client, told))
        self._waiting += 1
        try:
            return await asyncio.wrap_future(told)
        finally:
            self._waiting -= 1

    def _ask(self) -> None:
        is_over = False
        try:
            with Client(self._node) as client:
                while (work := self._work.get()) is not None:
                    work(client)
                    work = None  # it has the PIN, and the next one may come in an hour
                    client.forget()
            is_over = True
        finally:
            if not is_over:  # a defect that one request found costs that one alone
                self._begin()

    def stop(self) -> None:
        for _ in self._threads:
            self._work.put(None)
        for one in self._threads:
            one.join(_GOODBYE)


def _does(work: Callable[[Client], _Told], client: Client, told: "Future[_Told]") -> None:
    if not told.set_running_or_notify_cancel():
        return
    try:
        told.set_result(work(client))
    except (NodeSilent, NotOurs, StillReading) as no:
        told.set_exception(no)
    finally:
        if not told.done():
            told.set_exception(TurnedBack(503, "defect", "", "No se sabe si se hizo; repita este mismo pedido."))


class Askers:
    """Raises what a client raises, StillReading, and TurnedBack where too many wait. At another box only chiefs ask."""

    def __init__(self, node: Path | FarNode) -> None:
        is_far = isinstance(node, FarNode)
        self._with_pin = _Line(node, FAR_THREADS if is_far else PIN_THREADS, "pin")
        self._without = _Line(node, FAR_THREADS if is_far else TICKET_THREADS, "ticket")

    async def ask(self, wanted: ToSign) -> Reply:
        line = self._with_pin if isinstance(wanted.by, Pin) else self._without
        return await line.run(lambda client: client.ask(wanted, PATIENCE, _how_far))

    async def sign_in(self, id_: str, pin: Pin, terminal: str, table: str) -> Ticket | Reply:
        return await self._with_pin.run(lambda client: client.sign_in(pin, terminal, table, PATIENCE, id_))

    def stop(self) -> None:
        self._with_pin.stop()
        self._without.stop()


def _how_far(sentence: str) -> NoReturn:
    raise StillReading(sentence)
