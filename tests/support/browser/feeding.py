"""A page before which a state is put that no node of a test comes to by itself: what its node said last, with something changed.

The stream of this one browser is answered here: the whole, a beat, and its end, after which the page asks again. All else it asks is
the real web's. `true_again` lets the real stream through.
"""

import json
from collections.abc import Callable
from typing import Any

from support.browser.screen import Screen

Entities = dict[str, dict[str, Any]]
_STREAM = "**/api/v1/stream*"
_WHOLE = "(scope) => fetch(`/api/v1/whole?scope=${scope}`).then((answer) => answer.json())"


class Fed:
    def __init__(self, screen: Screen, scope: str) -> None:
        self.page, self._scope, self._times = screen.page, scope, 0
        self._shown: Entities = {}
        self._at = 0

    def shows(self, change: Callable[[Entities], Any]) -> None:
        """What is so now, after this was done to it; the page comes again and finds it so."""
        self.true_again()
        told = self.page.evaluate(_WHOLE, self._scope)
        self._shown, self._at = told["set"], told["at"]
        change(self._shown)
        self.page.route(_STREAM, self._answer)
        self.page.reload()

    def true_again(self) -> None:
        self.page.unroute(_STREAM)

    def _answer(self, asked: Any) -> None:
        self._times += 1
        at = self._at + self._times * 500
        whole = {"scope": self._scope, "epoch": "fed", "n": self._times, "at": at, "set": self._shown}
        body = "".join(
            f"event: {event}\ndata: {json.dumps(data)}\n\n"
            for event, data in (("whole", whole), ("beat", {"at": at, "node": True}))
        )
        asked.fulfill(body=body, content_type="text/event-stream")
