"""The live console without its threads, for its tests: what is typed, what is answered, what is seen."""

from typing import Any

from controller.node.control.client import Client, ToSign
from controller.node.control.live import Answered
from controller.node.vocabulary.protocol import NodeView, Reply
from support.node.ctl_engine import Node

F2, F3, F4, F5, F6, F7 = b"\x1bOQ", b"\x1bOR", b"\x1bOS", b"\x1b[15~", b"\x1b[17~", b"\x1b[18~"


class Straight:
    """The console's node without its threads: an answer is there when it was asked, and told when the test says so."""

    def __init__(self, node: Node, client: Client) -> None:
        self._node, self._client = node, client
        self.silent = False
        self.asked: list[ToSign] = []
        self.waiting: list[tuple[Answered, Reply | str]] = []

    @property
    def view(self) -> NodeView:
        return self._node.view()

    def ask(self, request: ToSign, heard: Answered) -> None:
        self.asked.append(request)
        self.waiting.append((heard, self._client.ask(request)))

    def answered(self) -> None:
        """The answers that are there; one that was asked meanwhile comes next time."""
        waiting, self.waiting = self.waiting, []
        for heard, said in waiting:
            heard(said)


def typed(desk: Any, *lines: str | bytes) -> None:
    """Each line once the one before was answered, with all that it asked."""
    for line in lines:
        desk.press(line if isinstance(line, bytes) else line.encode() + b"\r")
        while desk.node.waiting:
            desk.node.answered()


def seen(desk: Any, width: int = 80, height: int = 24) -> str:
    rows = desk.rows(width, height)
    assert len(rows) == height
    lines = ["".join(cell.text for cell in row) for row in rows]
    assert max(map(len, lines)) <= width
    return "\n".join(lines)
