"""The live console: one table on the whole terminal, a prompt below it, the node behind it.

Theory. Two threads talk with the node, one looks and one asks, so the screen lives while a PIN is tried; everything
else happens in one loop that waits for a key or for them. What is said between person and node is ctl/dialog.py,
what is seen ctl/picture.py. The console can die at any moment: the node does not notice.
"""

import os
import queue
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from textwrap import wrap

from rich.console import Console
from rich.live import Live

from controller.ctl.dialog import Dialog, Question, Quit, Talk, Told, told
from controller.ctl.keys import Typing, keys_in
from controller.ctl.picture import keys_row, picture, waiting
from controller.node.control.client import Client, NodeSilent, NotOurs
from controller.node.vocabulary.protocol import NodeView, Reply, Request
from controller.terminal.cells import Cell, Row, cut
from controller.terminal.screen import drawn, key_by_key

_LOOK, _SILENCE = 0.1, 3.0
_IDLE = 600.0  # seconds without a key, after which nobody's PIN is remembered
_MOST_TOLD, _LEAST_SAID, _MOST_READ = 200, 3, 4_096
_BULLET = "•"
_FELT = "on #0f4223"
_STYLES = {
    "title": "bold #f2d27a on #2b2b2b", "tab": "#9a9a9a on #1c1c1c", "tab.on": "bold #1a1a1a on #f2d27a",
    "open": "#06260f on #5fd38a", "open.large": "bold #06260f on #5fd38a",
    "locking": "#2a2000 on #ffcc33", "locking.large": "bold #2a2000 on #ffcc33",
    "sealed": "#ffffff on #b3261e", "sealed.large": "bold #ffffff on #b3261e",
    "between": "#e8e8e8 on #44546a", "between.large": "bold #ffffff on #44546a",
    "silent": "#ffffff on #7a1f7a", "silent.large": "bold #ffffff on #7a1f7a",
    "head": "bold #f2d27a", "pot": "bold #ff8a3d", "dim": "#8a8a8a", "text": "#d8d8d8", "amount": "bold #ffffff",
    "good": "#5fd38a", "warn": "bold #1a1a1a on #ffcc33", "bad": "bold #ff6b5e", "trouble": "bold #ffffff on #8f2d22",
    "state.good": "bold #06260f on #5fd38a", "state.warn": "bold #2a2000 on #ffcc33",
    "state.bad": "bold #ffffff on #b3261e", "key": "bold #7fb4d8",
    "seat": f"bold #d8e6d8 {_FELT}", "seat.text": f"#b9cdb9 {_FELT}", "seat.bet": f"bold #ffffff {_FELT}",
    "seat.dim": f"#4f6d55 {_FELT}", "lamp.lit": f"bold #ffcc33 {_FELT}", "lamp.waits": f"#8d7a2c {_FELT}",
    "lamp.dark": f"#2c4a33 {_FELT}", "lamp.fault": f"bold #ff6b5e {_FELT}",
    "key.name": "bold #ffffff on #44546a", "key.does": "#c9c9c9 on #1c1c1c",
    "prompt": "bold #f2d27a", "typed": "bold", "cursor": "reverse", "said": "#c9c9c9", "done": "#5fd38a",
    "refused": "#ff8a7a",
}  # fmt: skip


class Node:
    """The node as two threads see it: the newest view, and answers one after the other."""

    def __init__(self, folder: Path) -> None:
        self.view: NodeView | None = None
        self.silent = True
        self.replies: queue.SimpleQueue[Reply | str] = queue.SimpleQueue()
        self.bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._folder = folder
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._look, self._ask)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._ending.set()
        self._requests.put(None)
        self._threads[0].join()

    def ask(self, request: Request) -> None:
        self._requests.put(request)

    def _look(self) -> None:
        with Client(self._folder) as client:
            heard = time.monotonic()
            for view in client.views(_LOOK):
                if self._ending.is_set():
                    return
                if view is not None:
                    self.view, heard = view, time.monotonic()
                self.silent = time.monotonic() - heard > _SILENCE or self.view is None
                os.eventfd_write(self.bell, 1)

    def _ask(self) -> None:
        with Client(self._folder) as client:
            while (request := self._requests.get()) is not None:
                try:
                    self.replies.put(client.ask(request))
                except (NodeSilent, NotOurs) as no:
                    self.replies.put(str(no))
                os.eventfd_write(self.bell, 1)


class Desk:
    """Person, keyboard, screen: what was typed goes into the dialog, what it says onto the screen."""

    def __init__(self, node: Node, table: str) -> None:
        self.node, self.dialog = node, Dialog(table)
        self.typing, self.secret = Typing(), Typing()
        self.said: deque[Row] = deque(maxlen=_MOST_TOLD)
        self.last = 0  # rows of what was said last
        self._talk: Talk | None = None
        self.question: Question | None = None
        self.busy = False
        self.ended = False
        self._next = ""  # what was typed to its end while the node still answered

    @property
    def line(self) -> Typing:
        """What is being typed: an answer has a line of its own."""
        return self.secret if self.question else self.typing

    def press(self, data: bytes) -> None:
        if not data:
            self.ended = True
        for key in keys_in(data):
            if isinstance(key, str):
                self._key(key)
            elif key == b"\x1b":
                self._give_up()
            else:
                for line in self.line.feed(key):
                    self._typed(line)
        self.ended = self.ended or self.typing.ended

    def _key(self, key: str) -> None:
        if self.busy or self.question:
            return
        whole = {"F1": "ayuda", "F2": "abrir", "F3": "cerrar"}
        begun = {"F4": "manos ", "F5": "creditos ", "F6": "confirmar ", "F7": "pagar "}
        if key in whole:
            self._typed(whole[key])
        elif key in begun:
            self.typing.begin(begun[key])
        elif key == "Tab" and self.node.view and self.node.view.tables:
            names = [table.table for table in self.node.view.tables]
            at = names.index(self.dialog.table) if self.dialog.table in names else -1
            self.dialog.table = names[(at + 1) % len(names)]

    def _typed(self, text: str) -> None:
        if self.question is not None:
            self.question, self.secret = None, Typing()
            self._go_on(text)
        elif self.busy and not self._next:
            self._next = text  # a croupier is faster than the node; nothing that was typed is lost
        elif self.busy:
            self.typing.begin(text)
        elif text.strip():
            self._begin([(Cell("» ", "prompt"), Cell(text, "typed"))])
            self._talk = self.dialog.line(text, None if self.node.silent else self.node.view)
            self._go_on(None)

    def _give_up(self) -> None:
        """Esc: the question is not answered, and nothing is asked."""
        if self.question is not None:
            self.question, self.secret, self._talk = None, Typing(), None
            self._tell(told("Dejado; no se pidió nada."))
        else:
            self._next = ""
            self.typing.begin("")

    def _go_on(self, answer: str | Reply | None) -> None:
        """The dialog, until it waits for somebody."""
        while self._talk is not None:
            try:
                step = self._talk.send(answer)
            except StopIteration:
                self._talk = None
                return
            except Quit:
                self.ended, self._talk = True, None
                return
            answer = None
            if isinstance(step, Told):
                self._tell(step)
            elif isinstance(step, Question):
                self.question = step
                return
            else:
                self.busy = True
                self.node.ask(step)
                return

    def answered(self) -> None:
        """What the node said meanwhile."""
        while not self.node.replies.empty():
            reply = self.node.replies.get()
            self.busy = False
            if isinstance(reply, str):
                self._talk, self._next = None, ""
                self._tell(told(reply, good=False))
            else:
                self._go_on(reply)
            if self._talk is None and self._next:
                text, self._next = self._next, ""
                self._typed(text)

    def _begin(self, rows: list[Row]) -> None:
        self.said += rows
        self.last = len(rows)

    def _tell(self, what: Told) -> None:
        style = "said" if what.good else "refused"
        rows: list[Row] = [(Cell(line, style),) for line in what.lines]
        self.said += rows
        self.last += len(rows)

    def prompt(self) -> Row:
        """Where it is typed; a secret shows only how long it is."""
        line = self.line
        text, at = line.text, line.cursor
        if self.question and self.question.secret:
            text = _BULLET * len(text)
        waits = f"… después: {self._next} · " if self._next else "… "
        before = self.question.text if self.question else waits if self.busy else f"{self.dialog.table} » "
        return (
            Cell(before, "prompt"),
            Cell(text[:at], "typed"),
            Cell(text[at : at + 1] or " ", "cursor"),
            Cell(text[at + 1 :], "typed"),
        )

    def rows(self, width: int, height: int) -> list[Row]:
        """The whole screen: the table, what was said, the prompt, the keys."""
        view = self.node.view
        said = [part for row in self.said for part in _wrapped(row, width)]
        wanted = sum(len(_wrapped(row, width)) for row in list(self.said)[-self.last :]) if self.last else 0
        below = min(max(_LEAST_SAID, wanted), height - 2)
        room = height - 2 - below
        if view is None:
            above = waiting(width, "se busca el nodo; la consola lo encuentra sola")
        else:
            above = picture(view, self.dialog.table, self.dialog.person, width, room, silent=self.node.silent)
        above = [cut(row, width) for row in above[:room]]
        kept = said[-(height - 2 - len(above)) :] if said else []
        filler: list[Row] = [()] * (height - 2 - len(above) - len(kept))
        return [*above, *filler, *kept, cut(self.prompt(), width), cut(keys_row(width), width)]


def console(folder: Path, table: str) -> int:
    """Until the person ends it."""
    node = Node(folder)
    with ExitStack() as closing, Client(folder) as first:
        names = [one.table for one in first.state().tables]
        if table and table not in names:
            raise NodeSilent(f"este nodo no tiene una mesa {table}; tiene: {', '.join(names)}")
        desk = Desk(node, table or (names[0] if names else ""))
        node.start()
        closing.callback(node.stop)
        closing.enter_context(_signals(desk))
        screen = Console()
        live = Live(console=screen, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False)
        closing.enter_context(live)
        closing.enter_context(key_by_key(sys.stdin.fileno()))
        _run(desk, screen, live)
    return 0


def _run(desk: Desk, screen: Console, live: Live) -> None:
    keyboard, shown, touched = sys.stdin.fileno(), None, time.monotonic()
    while not desk.ended:
        size = screen.size
        rows = desk.rows(size.width, size.height)
        if (rows, size) != shown:
            shown = rows, size
            live.update(drawn(rows, _STYLES), refresh=True)
        ready, _, _ = select.select([keyboard, desk.node.bell], [], [], _LOOK)
        if desk.node.bell in ready:
            os.eventfd_read(desk.node.bell)
        if keyboard in ready:
            touched = time.monotonic()
            desk.press(os.read(keyboard, _MOST_READ))
        desk.answered()
        if time.monotonic() - touched > _IDLE:
            desk.dialog.forget()


@contextmanager
def _signals(desk: Desk) -> Iterator[None]:
    def end(_number: int, _frame: object) -> None:
        desk.ended = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wrapped(row: Row, width: int) -> list[Row]:
    """A sentence over as many rows as it needs."""
    if sum(len(cell.text) for cell in row) <= width or len(row) != 1:
        return [cut(row, width)]
    return [(Cell(part, row[0].style),) for part in wrap(row[0].text, width, subsequent_indent="  ")]
