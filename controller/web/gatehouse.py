"""Who is let in and what is asked, put together for one process: door, front, doorways, askers, API.

Theory. Each part is made once and knows only what stands below it; here they meet. What runs beside the server (who is
enrolled, who stands too long, which sign is silent) is one coroutine, and ends with it. Nothing is decided here.
"""

import asyncio
import ssl
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from controller.node.control.client import FarNode
from controller.web.acts.api import Api
from controller.web.acts.askers import Askers
from controller.web.door.crowd import Crowd
from controller.web.door.door import Door
from controller.web.door.doorway import Doorways
from controller.web.door.front import App, Front, request_in
from controller.web.door.origin import ours
from controller.web.door.terminals import may_look
from controller.web.door.tls import sealed_with, sealed_with_our_own
from controller.web.door.turned_back import TurnedBack, not_for_this_terminal
from controller.web.live.notes import Notes
from controller.web.live.shown import ShownSigns, ShownWrong
from controller.web.live.stream import MayLook
from controller.web.openapi import openapi_body
from controller.web.settings import WebSettings
from drivers.punctual import micros

_LOOKS_EVERY = 1.0


class Gatehouse:
    """`says`: what is wrong with a sign, or no more, for the journal; `boxes`: the nodes of other boxes, by name."""

    def __init__(
        self,
        settings: WebSettings,
        shown: ShownSigns,
        notes: Notes,
        says: Callable[[ShownWrong], None],
        boxes: Mapping[str, FarNode],
    ) -> None:
        self._shown, self._says = shown, says
        self.door = Door(ours(settings.origins), micros)
        own, others = Askers(settings.control), {name: Askers(node) for name, node in boxes.items()}
        self._askers = (own, *others.values())
        self.api = Api(self.door, own, shown, notes, micros, openapi_body(), others)
        self.doorways = Doorways(Crowd(), _tls_of(settings), micros)

    def admits(self, request: Request, scopes: tuple[str, ...]) -> MayLook:
        """Who looks at these scopes; a stream asks with each beat whether he still may."""
        try:
            admitted = self.door.looks(request_in(request.scope))
            for scope in scopes:
                if not may_look(admitted.terminal, scope):
                    raise not_for_this_terminal("scope", "Esta terminal no es de ahí.")
        except TurnedBack as no:
            raise HTTPException(no.status) from None
        return MayLook(admitted.session.name, lambda: self.door.still(admitted))

    def before(self, app: App) -> App:
        """The application, as it is let out."""
        return self.doorways.counting(Front(app, self.door.here))

    async def watch(self) -> None:
        """Runs beside the server as long as it does."""
        await asyncio.gather(self.doorways.watch(), self.api.watch(), self._watch_signs())

    def stop(self) -> None:
        for one in self._askers:
            one.stop()

    async def _watch_signs(self) -> None:
        while True:
            await asyncio.sleep(_LOOKS_EVERY)
            self._shown.late(micros())
            for one in self._shown.news():
                self._says(one)


def _tls_of(settings: WebSettings) -> ssl.SSLContext | None:
    if settings.plain:
        return None
    if settings.certificate is not None:
        return sealed_with(settings.certificate.chain, settings.certificate.key)
    names = frozenset(urlsplit(origin).hostname or "" for origin in settings.origins)
    return sealed_with_our_own(settings.folder, names)
