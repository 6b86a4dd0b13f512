"""The addresses of a demonstration: what its start page shows, and what a player at the felt sees and does.

Theory. As strict as everything else of the web process: they stand behind the same front (one of our own pages asks,
in JSON, and briefly), a body is read whole or refused, and of what can be said to a table only what a player's or a
careless hand could do is passed on. Nobody signs anything here: what needs a signature goes through the real API to
the real node.
"""

import re
from collections.abc import Awaitable, Callable
from typing import NoReturn

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from controller.play.felt.line import DemoAway, DemoLine
from controller.play.felt.places import HOME, work_places
from controller.play.staff import ANA, EVERYBODY, JULIA, TITLES
from controller.rules.cards import CATEGORIES
from controller.web.acts.answers import no_answer
from controller.web.acts.asked import body_of
from controller.web.door.front import request_in
from controller.web.door.origin import refuse_foreign_look
from controller.web.door.turned_back import TurnedBack, not_there, not_understood
from controller.web.settings import WebSettings

BELOW = "/play/"
_MAY_BE_DONE = re.compile(
    r"seat [1-9] (press [1-4]|chip|lamp (ok|open)|jam|unjam)"
    r"|unit ([a-z0-9_-]{1,24}/)?[1-9][0-9]{0,2} (unplug|plug|off|on)|line [a-z0-9_-]{1,24} (unplug|plug)"
)
_NO_STORE = {"cache-control": "no-store"}


class SitAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """`stays`: somebody is at the seat; false: he got up."""

    table: str
    seat: int
    stays: bool


class TouchAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What a hand does at a table, in the words of the desk: `seat 3 press 2`."""

    table: str
    does: str


class HandAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """What the seat is dealt in the next pass in which it bets."""

    table: str
    seat: int
    hand: str


class Colleague(Struct, frozen=True):
    person: str
    name: str
    title: str
    pin: str


class WorkPlaceTold(Struct, frozen=True):
    use: str
    place: str
    origin: str


class DemoTold(Struct, frozen=True):
    """Of this demonstration; no real casino has these people or PINs. `enrol`: the two who let a browser in."""

    home: str
    people: tuple[Colleague, ...]
    enrol: tuple[str, str]
    places: tuple[WorkPlaceTold, ...]


class FeltRoutes:
    def __init__(self, settings: WebSettings, line: DemoLine) -> None:
        self._settings, self._line = settings, line
        self._tables: tuple[str, ...] = ()

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/", lambda _: RedirectResponse(BELOW, 307), methods=["GET"]),
            Route(f"{BELOW}house", _answering(self._house), methods=["GET"]),
            Route(f"{BELOW}casino", _answering(self._casino), methods=["GET"]),
            Route(f"{BELOW}table", _answering(self._table), methods=["GET"]),
            Route(f"{BELOW}sit", _answering(self._sit), methods=["POST"]),
            Route(f"{BELOW}touch", _answering(self._touch), methods=["POST"]),
            Route(f"{BELOW}hand", _answering(self._hand), methods=["POST"]),
        ]

    async def _house(self, _: Request) -> str:
        port = self._settings.port
        places = work_places(await self._known(), [sign.name for sign in self._settings.signs])
        told = DemoTold(
            home=f"http://{HOME}:{port}",
            people=tuple(Colleague(one.person, one.name, TITLES[one.role], one.pin) for one in EVERYBODY),
            enrol=(ANA.person, JULIA.person),
            places=tuple(WorkPlaceTold(one.use, one.place, f"http://{one.host}:{port}") for one in places),
        )
        return msgspec.json.encode(told).decode()

    async def _casino(self, _: Request) -> str:
        return await self._line.ask("mira")

    async def _table(self, request: Request) -> str:
        return await self._said(f"mira {await self._table_named(request.query_params.get('table', ''))}")

    async def _sit(self, request: Request) -> str:
        asked = body_of(request_in(request.scope).body, SitAsked)
        return await self._done(
            f"{'sienta' if asked.stays else 'levanta'} {await self._table_named(asked.table)} {asked.seat:d}"
        )

    async def _touch(self, request: Request) -> str:
        asked = body_of(request_in(request.scope).body, TouchAsked)
        if not _MAY_BE_DONE.fullmatch(asked.does):
            raise not_understood("does", "Eso no lo hace la mano de un jugador.")
        return await self._done(f"{await self._table_named(asked.table)} {asked.does}")

    async def _hand(self, request: Request) -> str:
        asked = body_of(request_in(request.scope).body, HandAsked)
        if asked.hand not in CATEGORIES:
            raise not_understood("hand", f"Hay: {', '.join(CATEGORIES)}.")
        return await self._done(f"gana {await self._table_named(asked.table)} {asked.hand} {asked.seat:d}")

    async def _known(self) -> tuple[str, ...]:
        """The tables of this casino, which are the same all evening."""
        if not self._tables:
            self._tables = tuple(one["table"] for one in msgspec.json.decode(await self._line.ask("mira"))["tables"])
        return self._tables

    async def _table_named(self, name: str) -> str:
        """A line begins with it, and what begins otherwise is no table's affair."""
        if name not in await self._known():
            raise not_there()
        return name

    async def _done(self, words: str) -> str:
        await self._said(words)
        return '{"ok":true}'

    async def _said(self, words: str) -> str:
        answer = await self._line.ask(words)
        if answer.startswith("no: "):
            _refused(answer.removeprefix("no: "))
        return answer


def _refused(sentence: str) -> NoReturn:
    raise TurnedBack(409, "not_done", "", sentence)


def _answering(handler: Callable[[Request], Awaitable[str]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            refuse_foreign_look(request_in(request.scope).headers)
            return Response(await handler(request), 200, _NO_STORE, "application/json")
        except DemoAway:
            no = TurnedBack(503, "demo_away", "", "La demostración no responde; repita en un momento.")
        except TurnedBack as turned:
            no = turned
        made = no_answer(no)
        return Response(made.body, made.status, _NO_STORE, "application/json")

    return answer
