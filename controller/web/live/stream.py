"""`GET stream` and `GET whole`: what browsers are told, as Server-Sent Events or once (docs/web.md, "The stream").

Theory. Each stream is a task that takes from its slot and writes, so a browser that does not read holds up its own
task and nothing else; stuck for ten seconds it is ended, without a word that it would not read either. So many streams
has a session and so many have all; the newest wins, because a page that was loaded anew is the one somebody looks at.
Who may look is the door's affair: it is asked before a stream begins, and again with each beat. Browsers that take it
squeezed have it so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from controller.node.vocabulary.protocol import Trouble
from controller.web.live.changes import SQUEEZED_BEGINS, StreamEvent, squeezed
from controller.web.live.feed import LiveFeed
from controller.web.live.scopes import box_of
from controller.web.live.slot import NewestSlot

STREAM, WHOLE = "/api/v1/stream", "/api/v1/whole"
MOST_SCOPES = 16
MOST_OF_SESSION, MOST_OF_ALL = 4, 1_024
STUCK = 10.0
"""Seconds that a write may take."""
_BEGINS = b"retry: 500\n\n"
"""Milliseconds until a browser that lost us comes again."""

AsgiScope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class MayLook(NamedTuple):
    """Who may look: the session he looks from, and whether he still may."""

    session: str
    still: Callable[[], bool]


Admits = Callable[[Request, tuple[str, ...]], MayLook]
"""Lets in who asks to look at these scopes, or raises the no that he is answered."""


class Streams:
    """`boxes`: the nodes of other boxes, by name."""

    def __init__(self, feed: LiveFeed, admits: Admits, boxes: Mapping[str, LiveFeed] = {}) -> None:
        self._feeds, self._admits = {"": feed, **boxes}, admits
        self._open: dict[str, list[_Stream]] = {}
        self._in_order: dict[_Stream, None] = {}
        self._is_over = False

    def routes(self) -> list[BaseRoute]:
        return [Route(STREAM, self.stream, methods=["GET"]), Route(WHOLE, self.whole, methods=["GET"])]

    def feed_of(self, scope: str) -> LiveFeed | None:
        """Whose scope it is; None: there is no such one."""
        feed = self._feeds.get(box_of(scope))
        return feed if feed is not None and feed.may_be_looked_at(scope) else None

    def __len__(self) -> int:
        return len(self._in_order)

    async def whole(self, request: Request) -> Response:
        scopes = _scopes(request)
        if len(scopes) != 1:
            return _no(400, "malformed", "scope", "Se pide un solo ámbito.")
        feed = self.feed_of(scopes[0])
        if feed is None:
            return _not_there()
        self._admits(request, scopes)
        message = feed.whole(scopes[0])
        if message is None:
            return _no(503, "silent", "", "El nodo todavía no respondió; repita en un momento.")
        return Response(message.json, media_type="application/json")

    async def stream(self, request: Request) -> Response:
        scopes = _scopes(request)
        if not 0 < len(scopes) <= MOST_SCOPES:
            return _no(400, "malformed", "scope", f"Se piden de 1 a {MOST_SCOPES} ámbitos.")
        feeds = {scope: feed for scope in scopes if (feed := self.feed_of(scope)) is not None}
        if len(feeds) < len(scopes):
            return _not_there()
        admitted = self._admits(request, scopes)
        return _Stream(self, feeds, admitted, squeeze="gzip" in request.headers.get("accept-encoding", ""))

    def end(self) -> None:
        """All of them, and whoever comes from now on."""
        self._is_over = True
        for one in self._in_order:
            one.end()

    def began(self, stream: "_Stream") -> None:
        """The one that was opened first gives way."""
        self._in_order[stream] = None
        of_session = self._open.setdefault(stream.admitted.session, [])
        of_session.append(stream)
        if len(of_session) > MOST_OF_SESSION:
            self._let_go(of_session[0])
        if len(self._in_order) > MOST_OF_ALL:
            self._let_go(next(iter(self._in_order)))
        if self._is_over:
            stream.end()

    def _let_go(self, stream: "_Stream") -> None:
        self.ended(stream)
        stream.end()

    def ended(self, stream: "_Stream") -> None:
        """Also one that was let go before."""
        self._in_order.pop(stream, None)
        of_session = self._open.get(stream.admitted.session, [])
        if stream in of_session:
            of_session.remove(stream)
        if not of_session:
            self._open.pop(stream.admitted.session, None)


class _Stream(Response):
    """One browser that looks, from its first message to its end."""

    def __init__(self, streams: Streams, feeds: Mapping[str, LiveFeed], admitted: MayLook, *, squeeze: bool) -> None:
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]
        if squeeze:
            self.headers["content-encoding"] = "gzip"
        self.headers["vary"] = "accept-encoding"
        self.admitted = admitted
        self._streams, self._feeds, self._squeeze = streams, feeds, squeeze
        self._wake = asyncio.Event()
        self._slot = NewestSlot(feeds, self._wake.set)
        self._is_over = False

    def end(self) -> None:
        self._is_over = True
        self._wake.set()

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:  # noqa: ARG002  it is not read
        connection: asyncio.Transport = scope["state"]["connection"]
        self._streams.began(self)
        for feed in self._nodes():
            feed.join(self._slot)
        try:
            async with asyncio.timeout(None) as patience:
                await self._write(connection, patience, send)
        except TimeoutError:
            connection.abort()
        finally:
            for feed in self._nodes():
                feed.leave(self._slot)
            self._streams.ended(self)

    def _nodes(self) -> dict[LiveFeed, None]:
        """Each once."""
        return dict.fromkeys(self._feeds.values())

    async def _write(self, connection: asyncio.Transport, patience: asyncio.Timeout, send: Send) -> None:
        async def put(message: MutableMapping[str, Any]) -> None:
            patience.reschedule(asyncio.get_running_loop().time() + STUCK)
            await send(message)
            patience.reschedule(None)

        await put({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        await put(_part(SQUEEZED_BEGINS + squeezed(_BEGINS) if self._squeeze else _BEGINS))
        while not self._is_over and not connection.is_closing() and self.admitted.still():
            await self._wake.wait()
            self._wake.clear()
            told = self._slot.take(self._whole)
            if told and not connection.is_closing():
                await put(_part(b"".join(one.squeezed if self._squeeze else one.plain for one in told)))
        await put({**_part(b""), "more_body": False})

    def _whole(self, scope: str) -> StreamEvent:
        message = self._feeds[scope].whole(scope)
        assert message is not None, "only what there is, is to be had"
        return message


def _part(octets: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": octets, "more_body": True}


def _scopes(request: Request) -> tuple[str, ...]:
    return tuple(dict.fromkeys(request.query_params.getlist("scope")))


def _not_there() -> Response:
    return _no(404, "not_there", "scope", "No hay ninguna mesa ni letrero con ese nombre.")


def _no(status: int, reason: str, where: str, sentence: str) -> Response:
    body = msgspec.json.encode({"trouble": Trouble(reason, "", where, sentence)})
    return Response(body, status, media_type="application/json")
