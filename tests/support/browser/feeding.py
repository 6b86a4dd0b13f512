"""A page before which a state is put that no node of a test comes to by itself: what its node said last, with something changed.

The stream of this one browser is answered here: the whole, a beat, and its end, after which the page asks again. So are the floors of
other boxes, where a chief's page is given some. All else it asks is the real web's. `true_again` lets the real stream through.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from support.browser.screen import Screen

Entities = dict[str, dict[str, Any]]
_STREAM = "**/api/v1/stream*"
_HOUSE = re.compile(r"/api/v1/(box/[^/]+/)?house$")
_ASK = "(path) => fetch(`/api/v1/${path}`).then((answer) => answer.json())"


class Box(NamedTuple):
    """Another box: its floor, where it was ever told, and whether its node is heard."""

    floor: Entities | None
    is_heard: bool


class Fed:
    def __init__(self, screen: Screen, scope: str) -> None:
        self.page, self._scope, self._times = screen.page, scope, 0
        self._shown: Entities = {}
        self._boxes: Mapping[str, Box] = {}
        self._at = 0

    def shows(self, change: Callable[[Entities], Any], boxes: Mapping[str, Box] = {}) -> None:
        """What is so now, after this was done to it; the page comes again and finds it so."""
        self.true_again()
        told = self.page.evaluate(_ASK, f"whole?scope={self._scope}")
        self._shown, self._at, self._boxes = told["set"], told["at"], boxes
        change(self._shown)
        self.page.route(_STREAM, self._answer)
        if boxes:
            house = self.page.evaluate(_ASK, "house") | {"boxes": list(boxes)}
            self.page.route(_HOUSE, lambda asked: asked.fulfill(json=house))
        self.page.reload()

    def then(self, change: Callable[[Entities], Any]) -> None:
        """A moment later, before the page that has been there all the time."""
        change(self._shown)

    def true_again(self) -> None:
        self.page.unroute(_STREAM)
        self.page.unroute(_HOUSE)

    def _answer(self, asked: Any) -> None:
        self._times += 1
        told = [*self._floor(self._scope, self._shown), ("beat", self._beat(is_heard=True))]
        for name, box in self._boxes.items():
            told += self._floor(f"floor:{name}", box.floor) if box.floor is not None else []
            told.append(("beat", self._beat(is_heard=box.is_heard) | {"box": name}))
        body = "".join(f"event: {event}\ndata: {json.dumps(data)}\n\n" for event, data in told)
        asked.fulfill(body=body, content_type="text/event-stream")

    @property
    def _now(self) -> int:
        return self._at + self._times * 500

    def _floor(self, scope: str, shown: Entities) -> list[tuple[str, dict[str, Any]]]:
        return [("whole", {"scope": scope, "epoch": "fed", "n": self._times, "at": self._now, "set": shown})]

    def _beat(self, *, is_heard: bool) -> dict[str, Any]:
        return {"at": self._now, "node": is_heard}
