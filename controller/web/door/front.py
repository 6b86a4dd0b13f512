"""The first of the web process that sees a request, and the last that sees its answer.

Theory. Before any other part reads a letter of it: the path is a plain one, the host is ours, what changes something
comes from our own page, and its body is short and here in time, however it is sent. After all others: the answer has
the headers of headers.py, also an error, also one of a part that forgot them. Who sends without end is cut off at the
bound, not at the end. It speaks ASGI, so that it does not depend on what stands behind it.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from controller.web.door.door import WebRequest
from controller.web.door.headers import Guard, is_api
from controller.web.door.origin import Ours, headers_of, refuse_foreign, refuse_foreign_look
from controller.web.door.turned_back import (
    TurnedBack,
    headers_of_no,
    not_there,
    not_this_way,
    not_understood,
    too_large,
    too_slow,
)

MOST_BODY = 16_384
BODY_WITHIN = 5.0
"""Seconds from a request's head to the end of its body."""
_METHODS = ("GET", "HEAD", "POST")
_PLAIN = re.compile(rb"(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?")
_MOST_PATH, _MOST_QUERY = 256, 1_024

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
_ASKED = "pozo.request"


class Front:
    """Wraps the whole application."""

    def __init__(self, app: App, here: Ours) -> None:
        self._app, self._here = app, here
        self._guard = Guard(sealed=here.sealed)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, self._guarding(scope["path"], send))
        else:  # a WebSocket, which nothing here speaks
            await send({"type": "websocket.close", "code": 1008})

    def _guarding(self, path: str, send: Send) -> Send:
        async def guarded_send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": self._guard.headers(path, message.get("headers", ()))}
            await send(message)

        return guarded_send

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            scope[_ASKED] = await self._looked_at(scope, receive)
        except TurnedBack as no:
            await answer_no(no, send)
            return
        await self._app(scope, receive, send)

    async def _looked_at(self, scope: Scope, receive: Receive) -> WebRequest:
        method, raw_path = scope["method"], scope.get("raw_path") or scope["path"].encode()
        if method not in _METHODS:
            raise not_this_way(_METHODS)
        if len(raw_path) > _MOST_PATH or not _PLAIN.fullmatch(raw_path) or b".." in raw_path:
            raise not_there()
        headers = headers_of(scope["headers"])
        refuse_foreign(method, headers, self._here)
        if is_api(scope["path"]):
            refuse_foreign_look(headers)
        query = scope["query_string"]
        if len(query) > _MOST_QUERY:
            raise not_understood("", "Esta dirección es demasiado larga.")
        body = await _body(headers, receive) if method == "POST" else b""
        return WebRequest(method, scope["path"], headers, body, query)


def request_in(scope: Scope) -> WebRequest:
    """What the front found, for the part that answers."""
    found: WebRequest = scope[_ASKED]
    return found


async def answer_no(no: TurnedBack, send: Send) -> None:
    """And the connection is over: what else comes on it is nobody's to read, as the rest of a body without end."""
    await answer_json(
        no.status, msgspec.json.encode({"trouble": no.trouble}), send, (*headers_of_no(no), (b"connection", b"close"))
    )


async def answer_json(status: int, body: bytes, send: Send, more: tuple[tuple[bytes, bytes], ...] = ()) -> None:
    length = str(len(body)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _body(headers: dict[str, str], receive: Receive) -> bytes:
    said = headers.get("content-length", "")
    if said.isdecimal() and int(said[:20]) > MOST_BODY:
        raise too_large(MOST_BODY)
    try:
        async with asyncio.timeout(BODY_WITHIN):
            return await _whole(receive)
    except TimeoutError:
        raise too_slow() from None


async def _whole(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        part = await receive()
        if part["type"] == "http.disconnect":
            raise too_slow()
        body += part.get("body", b"")
        if len(body) > MOST_BODY:
            raise too_large(MOST_BODY)
        if not part.get("more_body", False):
            return bytes(body)
