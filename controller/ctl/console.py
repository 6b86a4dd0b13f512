"""The live console: one table on the whole terminal, a prompt below it, the node behind it.

Theory. One loop waits for a key, for an answer of the node and for the next look at it; two threads talk with the
node (LiveNode), so the screen lives while a PIN is tried. What is said between person and node is ctl/dialog.py, what
is seen ctl/picture.py. The console can die at any moment: the node does not notice.
"""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console as Terminal

from controller.ctl.dialog import Dialog, Query, Quit, Sentences, Talk, said
from controller.ctl.picture import keys_row, picture, waiting
from controller.node.control.client import Client, NodeSilent
from controller.node.control.live import LiveNode
from controller.node.vocabulary.protocol import Reply, is_pin
from controller.terminal.cells import Cell, Row, cut
from controller.terminal.keys import SpanishLine, keyboard, keys_in
from controller.terminal.screen import PROMPT, Conversation, Screen, prompt, signals

_LOOK, _SILENCE, _PATIENCE = 0.1, 3.0, 10.0  # seconds: between looks, without a view, for an answer
_IDLE = 600.0  # seconds without a key, after which the console forgets every PIN
_LEAST_SAID = 3
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
    "refused": "#ff8a7a",
}  # fmt: skip


class TableConsole:
    """Person, keyboard, screen: what was typed goes into the dialog, what it says onto the screen."""

    def __init__(self, node: LiveNode, table: str, changed: Callable[[], None]) -> None:
        self.node, self.dialog = node, Dialog(table)
        self.typing, self.secret = SpanishLine(), SpanishLine()
        self.question: Query | None = None
        self.busy = False
        self.ended = False
        self._changed = changed
        self._said = Conversation()
        self._talk: Talk | None = None
        self._next = ""  # what was typed to its end while the node still answered

    @property
    def line(self) -> SpanishLine:
        """The line that the person types: an answer has a line of its own."""
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
        self._changed()

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
            self.question, self.secret = None, SpanishLine()
            self._go_on(text)
        elif is_pin(text.strip()):
            self.typing = SpanishLine()  # nor does an arrow key bring it back
            self._tell(said("Eso parece un PIN, y no se muestra. La consola lo pide cuando hace falta.", good=False))
        elif self.busy and not self._next:
            self._next = text  # a croupier is faster than the node; nothing that was typed is lost
        elif self.busy:
            self.typing.begin(text)
        elif text.strip():
            self._said.typed(text)
            self._talk = self.dialog.line(text, None if self.node.silent else self.node.view)
            self._go_on(None)

    def _give_up(self) -> None:
        """Esc: the question is not answered, and nothing is asked."""
        if self.question is not None:
            self.question, self.secret, self._talk = None, SpanishLine(), None
            self._tell(said("Dejado; no se pidió nada."))
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
            if isinstance(step, Sentences):
                self._tell(step)
            elif isinstance(step, Query):
                self.question = step
                return
            else:
                self.busy = True
                self.node.ask(step, self.heard)
                return

    def heard(self, answer: Reply | str) -> None:
        """The node's answer, or why there is none."""
        self.busy = False
        if isinstance(answer, str):
            self._talk, self._next = None, ""
            self._tell(said(answer, good=False))
        else:
            self._go_on(answer)
        if self._talk is None and self._next:
            text, self._next = self._next, ""
            self._typed(text)
        self._changed()

    def _tell(self, what: Sentences) -> None:
        self._said.add(*((Cell(line, "said" if what.good else "refused"),) for line in what.lines))

    def _prompt(self) -> Row:
        """Where an order is typed, or the answer to a question."""
        waits = f"… después: {self._next} · " if self._next else "… "
        before = self.question.text if self.question else waits if self.busy else f"{self.dialog.table} {PROMPT}"
        return prompt(before, self.line, secret=bool(self.question and self.question.secret))

    def rows(self, width: int, height: int) -> list[Row]:
        """The whole screen: the table, what was said, the prompt, the keys."""
        view = self.node.view
        below = min(max(_LEAST_SAID, self._said.wanted(width)), height - 2)
        room = height - 2 - below
        if view is None:
            above = waiting(width, "se busca el nodo; la consola lo encuentra sola")
        else:
            above = picture(view, self.dialog.table, self.dialog.person, width, room, silent=self.node.silent)
        above = [cut(row, width) for row in above[:room]]
        said = self._said.shown(width, height - 2 - len(above))
        return [*above, *said, cut(self._prompt(), width), cut(keys_row(width), width)]


def console(folder: Path, table: str) -> int:
    """Show the console until the person ends it."""
    with Client(folder) as first:
        names = [one.table for one in first.state().tables]
    if table and table not in names:
        raise NodeSilent(f"este nodo no tiene una mesa {table}; tiene: {', '.join(names)}")
    asyncio.run(_live(folder, table or (names[0] if names else "")))
    return 0


async def _live(folder: Path, table: str) -> None:
    loop = asyncio.get_running_loop()
    over: asyncio.Future[None] = loop.create_future()
    loop.set_exception_handler(lambda _, broken: over.set_exception(broken["exception"]))

    def end() -> None:
        if not over.done():
            over.set_result(None)

    def changed() -> None:
        screen.draw()
        if desk.ended:
            end()

    desk = TableConsole(LiveNode(folder, _SILENCE, _PATIENCE), table, changed)
    screen = Screen(Terminal(), _STYLES, desk.rows)
    idle = loop.call_later(_IDLE, desk.dialog.forget)

    def pressed(data: bytes) -> None:
        nonlocal idle
        idle.cancel()
        idle = loop.call_later(_IDLE, desk.dialog.forget)
        desk.press(data)

    desk.node.start()
    with ExitStack() as closing:
        closing.callback(desk.node.stop)
        closing.enter_context(signals(end))
        closing.enter_context(screen)
        closing.enter_context(keyboard(pressed, whole=True))
        screen.follow(_LOOK)
        await over
