"""A node with its far door, without devices, and a web of another box that comes there; both in this process."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.core import inputs as ask
from controller.core.values import Signature, TerminalUse
from controller.node.book.link_key import LinkKey
from controller.node.control.client import Client
from controller.node.link.sockets import OwnKey
from controller.node.passage.far_door import FarDoor
from controller.node.passage.ways import FarBox, Ways
from controller.node.publish.house import house_of
from controller.node.vocabulary.protocol import STATE_TOPIC
from drivers.punctual import micros
from support.node import ctl_engine

BOX = "nodo1"


def key_of(number: int) -> OwnKey:
    made = LinkKey(number.to_bytes(32))
    return OwnKey(made.public, made.secret)


NODE_KEY, WEB_KEY, STRANGERS_KEY = map(key_of, (7, 8, 9))


class FarStand:
    """`node` as in ctl_engine; `said`: what its door said for the journal."""

    def __init__(self, folder: Path, node: ctl_engine.Node) -> None:
        self.node, self.said = node, list[tuple[str, Mapping[str, Any]]]()
        self._folder = folder / "webs"
        self.open(("127.0.0.1", 0))

    def open(self, place: tuple[str, int]) -> None:
        self.door = FarDoor(self.node.control.bring, lambda event, fields: self.said.append((event, fields)), micros)
        self.node.control._webs = self.door.webs
        self.node.control.people(self.node.book.verifiers(), house_of(self.node.book.state))
        self.door.start(self._folder, place, NODE_KEY)
        found = self.door.place
        assert found is not None, "it listens"
        self.place = found

    def enrol(self, key: OwnKey = WEB_KEY, web: str = "web-sur") -> None:
        by, second = Signature("jefe"), Signature("ana")
        self._say(ask.EnrolTerminal(web, TerminalUse.WEB, "", key.public.hex(), by, second))

    def withdraw(self, web: str = "web-sur") -> None:
        self._say(ask.WithdrawTerminal(web, "se fue", Signature("jefe")))

    def _say(self, one: ask.Input) -> None:
        def saying() -> None:
            self.node.say(one)
            self.node.control.people(self.node.book.verifiers(), house_of(self.node.book.state))

        self.node.during(saying)


@contextmanager
def far_node(folder: Path) -> Iterator[FarStand]:
    with ctl_engine.running(folder) as node:
        made = FarStand(folder, node)
        try:
            yield made
        finally:
            made.door.stop()


@contextmanager
def ways(
    folder: Path, place: tuple[str, int], own: OwnKey = WEB_KEY, node_key: OwnKey = NODE_KEY, box: str = BOX
) -> Iterator["Walked"]:
    made = Walked(folder, place, own, node_key, box)
    made.ways.start()
    try:
        yield made
    finally:
        made.ways.stop()


class Walked:
    """`said`: when the box was reached, and when it was lost."""

    def __init__(self, folder: Path, place: tuple[str, int], own: OwnKey, node_key: OwnKey, box: str) -> None:
        self.said: list[bool] = []
        self._box = box
        folder.mkdir(exist_ok=True)
        boxes = {box: FarBox(box, place, node_key.public.hex())}
        self.ways = Ways(boxes, folder / "ways", own, lambda _, reached: self.said.append(reached))

    def client(self, topic: bytes = STATE_TOPIC) -> Client:
        return Client(self.ways.nodes()[self._box], topic)
