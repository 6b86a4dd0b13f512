"""The API of the web process before a real node (support/node/ctl_engine.py), without a server between: for tests."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from controller.node.control.client import Client, asking
from controller.node.vocabulary.protocol import Reply
from controller.web.acts.answers import WebAnswer
from controller.web.acts.api import Api
from controller.web.acts.askers import Askers
from controller.web.door.door import Door, WebRequest
from controller.web.door.origin import ours
from controller.web.live.notes import Notes
from controller.web.live.shown import ShownSigns
from controller.web.openapi import openapi_body
from support.node.ctl_engine import Node, running, signs
from support.web.browser_double import ORIGIN, BrowserKey, looked, new_id, posted

KEYS = {"consola-1": BrowserKey(1), "consola-2": BrowserKey(2), "tableta": BrowserKey(3), "cartel": BrowserKey(4)}
USES = {
    "consola-1": ("table", "M1"),
    "consola-2": ("table", "M2"),
    "tableta": ("chief", ""),
    "cartel": ("sign", "sala"),
}


class Told(NamedTuple):
    status: int
    json: Any
    answer: WebAnswer

    @property
    def reason(self) -> str:
        trouble: dict[str, str] = self.json.get("trouble") or {}
        return trouble.get("reason", "")


class Web:
    """`now` is its clock. `terminal` is enrolled at the node; each has said hello when it first asks."""

    def __init__(self, node: Node) -> None:
        self.node, self.now = node, 1_000_000_000
        self.door = Door(ours([ORIGIN]), lambda: self.now)
        self.shown = ShownSigns()
        self.askers = Askers(node.control_folder)
        self.notes = Notes()
        self.api = Api(self.door, self.askers, self.shown, self.notes, lambda: self.now, openapi_body())
        self.cookies: dict[str, str] = {}
        self._loop = asyncio.new_event_loop()

    def stop(self) -> None:
        self.askers.stop()
        self._loop.close()

    def run(self, *requests: WebRequest) -> list[Told]:
        """All at once."""
        return [_told(one) for one in self._loop.run_until_complete(self._all(requests))]

    async def _all(self, requests: tuple[WebRequest, ...]) -> list[WebAnswer]:
        return await asyncio.gather(*map(self.api.answer, requests))

    def ask(self, request: WebRequest) -> Told:
        (told,) = self.run(request)
        return told

    def hears_the_house(self) -> None:
        assert self._loop.run_until_complete(self.api.own.house.ask())

    def post(self, terminal: str, path: str, body: Any, headers: Mapping[str, str | None] = {}) -> Told:
        """Of an enrolled terminal that has said hello."""
        return self.ask(self.request(terminal, path, body, headers))

    def request(self, terminal: str, path: str, body: Any, headers: Mapping[str, str | None] = {}) -> WebRequest:
        if terminal not in self.cookies:
            assert self.hello(terminal).status == 200
        return posted(f"/api/v1/{path}", body, KEYS[terminal], self.cookies[terminal], headers)

    def get(self, terminal: str, path: str) -> Told:
        return self.ask(looked(f"/api/v1/{path}", self.cookies.get(terminal, "")))

    def hello(self, terminal: str, headers: Mapping[str, str | None] = {}) -> Told:
        challenge = self.ask(looked("/api/v1/challenge")).json["challenge"]
        body = {"terminal": terminal, "challenge": challenge, "signature": KEYS[terminal].hello(challenge)}
        told = self.ask(posted("/api/v1/hello", body, cookie=self.cookies.get(terminal, ""), headers=headers))
        for name, value in told.answer.headers:
            if name == b"set-cookie":
                self.cookies[terminal] = value.decode().partition(";")[0]
        return told

    def sign_in(self, terminal: str, person: str, table: str) -> Told:
        pin = signs(person).pin
        return self.post(terminal, "sign-in", {"id": new_id(), "person": person, "pin": pin, "table": table})

    def act(self, terminal: str, by: str, ask: dict[str, Any], **more: Any) -> Told:
        """With the PIN of who asks."""
        return self.post(terminal, "acts", acted(by, ask, **more))


def acted(by: str, ask: dict[str, Any], **more: Any) -> dict[str, Any]:
    second = more.pop("second", None)
    signed = {"by": {"person": by, "pin": signs(by).pin}}
    if second is not None:
        signed["second"] = {"person": second, "pin": signs(second).pin}
    return {"id": new_id(), "ask": ask, **signed, **more}


def enrolled(node: Node, terminal: str) -> Reply:
    """By two, at the node itself."""
    use, place = USES[terminal]
    said = {
        "ask": "enrol_terminal", "terminal": terminal, "use": use, "place": place, "key": KEYS[terminal].public,
    }  # fmt: skip
    with Client(node.control_folder) as client:
        return client.ask(asking(said, signs("jefe"), signs("ana")))


@contextmanager
def web(folder: Path, terminals: tuple[str, ...] = tuple(KEYS)) -> Iterator[Web]:
    with running(folder) as node:
        for terminal in terminals:
            reply = enrolled(node, terminal)
            assert reply.ok, reply.trouble
        made = Web(node)
        try:
            made.hears_the_house()
            yield made
        finally:
            made.stop()


def _told(answer: WebAnswer) -> Told:
    return Told(answer.status, json.loads(answer.body), answer)
