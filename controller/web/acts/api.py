"""The part of the API that a browser asks something of: each address with its handler.

Theory. A handler reads the body, lets the door say who asks, turns it into a request of the control socket, and
gives back what the node said; nothing is decided here. What is answered without the node is small and made at once. The
same request twice on the way is one (joined.py). Addresses that do not exist, and ways of asking that an address has
not, are answered like every other no.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from msgspec import Struct

from controller.core.values import TerminalUse
from controller.node.control.client import NodeSilent, NotOurs, ToSign, doing
from controller.node.vocabulary.house import TerminalNow
from controller.node.vocabulary.protocol import TICKET_OVER, Deed, Reply, Ticket
from controller.web.acts import asked as body
from controller.web.acts.answers import (
    WebAnswer,
    answer_of,
    no_answer,
    nobody_answers,
    still_reading,
    told,
)
from controller.web.acts.asked_node import AskedNode
from controller.web.acts.askers import Askers, StillReading
from controller.web.acts.house import HouseTold, this_terminal
from controller.web.acts.joined import Joined
from controller.web.acts.signed_in import IDLE_SECONDS
from controller.web.door.door import Admitted, Door, WebRequest, refuse_unsigned
from controller.web.door.front import Receive, Scope, Send, answer_json, request_in
from controller.web.door.terminals import refuse_asking, refuse_other_boxes, refuse_reporting
from controller.web.door.turned_back import TurnedBack, not_there, not_this_way, not_understood
from controller.web.live.notes import NoteAsked, Notes, NoteTold
from controller.web.live.shown import ShownAsked, ShownSigns
from drivers.session import Micros

BELOW = "/api/v1/"
_BOX = "box/"
OF_A_BOX = frozenset({"acts", "preview", "sign-in", "sign-out", "house"})
"""What may be asked of another box's node: `/api/v1/box/NAME/acts`, as of the own one."""
_LOOKED_AT = frozenset({"stream", "whole"})
"""What another part answers, where it is looked at."""
_OF_THE_HOUSE = (b'{"kind":"terminal_', b'{"kind":"person_')
Handler = Callable[[WebRequest], Awaitable[WebAnswer]]


class ChallengeTold(Struct, frozen=True):
    challenge: str


class SignedInTold(Struct, frozen=True):
    """`idle`: seconds without a touch until the PIN is asked again."""

    person: str
    idle: int


class SignedOutTold(Struct, frozen=True):
    id: str
    ok: bool = True


class Api:
    """An ASGI application behind the front. `description`: of all of it, in OpenAPI; `boxes`: who asks the nodes of
    other boxes, by name."""

    def __init__(
        self,
        door: Door,
        askers: Askers,
        shown: ShownSigns,
        notes: Notes,
        clock: Callable[[], Micros],
        description: bytes,
        boxes: Mapping[str, Askers] = {},
    ) -> None:
        self.door, self.shown, self._clock = door, shown, clock
        self.own = AskedNode(askers, door.terminals.told)
        self._boxes = {name: AskedNode(one) for name, one in boxes.items()}
        self._desks = (self.own, *self._boxes.values())
        self._notes = notes
        self._description = description
        self._joined = Joined()
        self.handlers: dict[str, dict[str, Handler]] = {
            "challenge": {"GET": self._challenge},
            "hello": {"POST": self._hello},
            "enrol": {"POST": self._enrol},
            "house": {"GET": self._house},
            "acts": {"POST": self._act},
            "preview": {"POST": self._look},
            "sign-in": {"POST": self._sign_in},
            "sign-out": {"POST": self._sign_out},
            "note": {"POST": self._note},
            "shown": {"POST": self._shown},
            "openapi.json": {"GET": self._openapi},
        }

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        answer = await self.answer(request_in(scope))
        await answer_json(answer.status, answer.body, send, answer.headers)

    async def answer(self, request: WebRequest) -> WebAnswer:
        try:
            return await self._handler(request)(request)
        except TurnedBack as no:
            return no_answer(no)

    async def watch(self) -> None:
        """Who may sign at each node; runs beside the server as long as it does."""
        await asyncio.gather(*(desk.house.watch() for desk in self._desks))

    def _desk(self, request: WebRequest, terminal: TerminalNow) -> AskedNode:
        """Of the node that is asked: at another box only by a chief."""
        box, _ = _addressed(request.path)
        if not box:
            return self.own
        refuse_other_boxes(terminal)
        return self._boxes[box]

    def _handler(self, request: WebRequest) -> Handler:
        box, name = _addressed(request.path)
        if box and (box not in self._boxes or name not in OF_A_BOX):
            raise not_there()
        ways = self.handlers.get(name)
        if name in _LOOKED_AT:
            raise not_this_way(("GET", "HEAD"))
        if ways is None:
            raise not_there()
        handler = ways.get("GET" if request.method == "HEAD" else request.method)
        if handler is None:
            raise not_this_way((*ways, "HEAD") if "GET" in ways else (*ways,))
        if request.query:  # no signature covers it
            raise not_understood("", "Esta dirección no lleva eso.")
        return handler

    async def _openapi(self, _request: WebRequest) -> WebAnswer:
        return WebAnswer(200, self._description)

    async def _challenge(self, _request: WebRequest) -> WebAnswer:
        return told(ChallengeTold(self.door.challenge()))

    async def _hello(self, request: WebRequest) -> WebAnswer:
        said = body.body_of(request.body, body.HelloAsked)
        welcome = self.door.hello(request, said.terminal, said.challenge, said.signature)
        if welcome.before is not None:
            for desk in self._desks:
                desk.signed_in.moves(welcome.before.name, welcome.admitted.session.name)
        cookie = (b"set-cookie", welcome.cookie.encode())
        return WebAnswer(200, told(this_terminal(welcome.admitted.terminal)).body, (cookie,))

    async def _enrol(self, request: WebRequest) -> WebAnswer:
        said = body.body_of(request.body, body.EnrolAsked)
        refuse_unsigned(request, said.key)
        return await self._asked(self.own, "", request, body.enrolment(said))

    async def _house(self, request: WebRequest) -> WebAnswer:
        admitted = self.door.looks(request)
        desk = self._desk(request, admitted.terminal)
        signed_in = desk.signed_in.who(admitted.session.name, self._clock())
        boxes = (*self._boxes,) if desk is self.own and admitted.terminal.use is TerminalUse.CHIEF else ()
        people = () if admitted.terminal.use is TerminalUse.SIGN else desk.house.people  # nobody signs at a sign
        return told(HouseTold(people, tuple(signed_in), this_terminal(admitted.terminal), boxes))

    async def _act(self, request: WebRequest) -> WebAnswer:
        admitted = self.door.asks(request)
        said = body.body_of(request.body, body.ActAsked)
        desk = self._desk(request, admitted.terminal)
        wanted = body.act(said, admitted.terminal, self._tickets_of(desk, admitted))
        return await self._asked(desk, admitted.session.name, request, wanted)

    async def _look(self, request: WebRequest) -> WebAnswer:
        admitted = self.door.asks(request)
        said = body.body_of(request.body, body.LookAsked)
        desk = self._desk(request, admitted.terminal)
        wanted = body.look(said, admitted.terminal, self._tickets_of(desk, admitted))
        return await self._asked(desk, admitted.session.name, request, wanted)

    async def _sign_in(self, request: WebRequest) -> WebAnswer:
        admitted = self.door.asks(request)
        said = body.body_of(request.body, body.SignInAsked)
        desk = self._desk(request, admitted.terminal)
        pin = body.sign_in(said, admitted.terminal)

        async def signing_in() -> WebAnswer:
            found = await desk.askers.sign_in(said.id, pin, admitted.terminal.terminal, said.table)
            if not isinstance(found, Ticket):
                return answer_of(found)
            desk.signed_in.keep(admitted.session.name, found, self._clock())
            return told(SignedInTold(said.person, IDLE_SECONDS))

        return await self._joined_with(admitted.session.name, request, said.id, signing_in)

    async def _sign_out(self, request: WebRequest) -> WebAnswer:
        """Here it is over whatever the node says; it is told too, so that the ticket is worth nothing there."""
        admitted = self.door.asks(request)
        said = body.body_of(request.body, body.SignOutAsked)
        desk = self._desk(request, admitted.terminal)
        for ticket in desk.signed_in.end(admitted.session.name, said.person, said.table):
            with suppress(NodeSilent, NotOurs, TurnedBack):
                await desk.askers.ask(doing(Deed.SIGN_OUT, ticket, table=ticket.table))
        return told(SignedOutTold(said.id))

    async def _shown(self, request: WebRequest) -> WebAnswer:
        admitted = self.door.asks(request)
        refuse_reporting(admitted.terminal)
        said = body.body_of(request.body, ShownAsked)
        return told(self.shown.told(admitted.terminal.place, said, self._clock()))

    async def _note(self, request: WebRequest) -> WebAnswer:
        admitted = self.door.asks(request)
        said = body.body_of(request.body, NoteAsked)
        refuse_asking(admitted.terminal, said.table, "table")
        self._notes.say(said.table, admitted.terminal.terminal, said.number, self._clock())
        return told(NoteTold(said.number))

    async def _asked(self, desk: AskedNode, session: str, request: WebRequest, wanted: ToSign) -> WebAnswer:
        async def asking() -> WebAnswer:
            reply = await desk.askers.ask(wanted)
            await _heed(desk, wanted, reply)
            return answer_of(reply)

        return await self._joined_with(session, request, wanted.id, asking)

    async def _joined_with(
        self, session: str, request: WebRequest, id_: str, work: Callable[[], Awaitable[WebAnswer]]
    ) -> WebAnswer:
        async def answered() -> WebAnswer:
            try:
                return await work()
            except StillReading as so_far:
                return still_reading(id_, str(so_far))
            except NodeSilent as silent:
                return nobody_answers(id_, "node_silent", str(silent))
            except NotOurs as strange:
                return nobody_answers(id_, "node_strange", str(strange))
            except TurnedBack as no:
                return no_answer(no)

        return await self._joined.answered((session, request.path, request.body), answered)

    def _tickets_of(self, desk: AskedNode, admitted: Admitted) -> body.TicketFor:
        return lambda person, table: desk.signed_in.of(admitted.session.name, person, table, self._clock())


def _addressed(path: str) -> tuple[str, str]:
    """Whose node, nothing for the web's own, and what is asked of it."""
    name = path.removeprefix(BELOW) if path.startswith(BELOW) else ""
    if not name.startswith(_BOX):
        return "", name
    box, _, asked = name.removeprefix(_BOX).partition("/")
    return box, asked


async def _heed(desk: AskedNode, wanted: ToSign, reply: Reply) -> None:
    """What an answer means for this process itself: a ticket that is over, another house."""
    if any(bytes(fact).startswith(_OF_THE_HOUSE) for fact in reply.facts):
        await desk.house.ask()
    if isinstance(wanted.by, Ticket) and reply.trouble is not None and reply.trouble.reason == TICKET_OVER:
        desk.signed_in.is_over(wanted.by.number)
