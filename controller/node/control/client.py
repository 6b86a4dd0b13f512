"""The client's side of the control socket: ask and hear, or look.

Theory. A request keeps its id until it is answered and is sent again while no answer comes, which is harmless: the same
id has one effect and one answer, also when the node was killed and started in between. A view is whole, so only the
newest is worth looking at. While the node reads its record for a request (R-35) it says how far it is, and the client
waits on. One thread uses one `Client`.

A PIN stays here. The node is asked for the salts before each request that is signed, because a person may be enrolled
anew while a console stays open, and a proof under the old salt would count as wrong. The key that signs is kept as long
as the client lives: to compute it takes a moment, and who can read it here can read the PIN as it is typed. A program
that signs people in keeps neither, only their tickets (`sign_in`).
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from controller.node.control.impostor import NotProven
from controller.node.control.visitor import NOBODY_THERE, Opens, VisitorEnd, local, somebody_listens
from controller.node.vocabulary.house import House
from controller.node.vocabulary.proof import (
    Cost,
    Salted,
    covered,
    new_salt,
    proof_of,
    said_to,
    signing_key,
    slow_key,
    stored_of,
    ticket_key,
)
from controller.node.vocabulary.protocol import (
    BUSY,
    READING,
    STATE_TOPIC,
    VERSION,
    Deed,
    NodeView,
    Pin,
    Proof,
    Reply,
    Request,
    Salt,
    Ticket,
    too_long,
)

_AGAIN_AFTER = 2.0
_HOW_FAR_AFTER = 0.5
NONCE_BYTES = 32
_encode = msgspec.json.Encoder().encode
_read_reply = msgspec.json.Decoder(Reply)
_read_view = msgspec.json.Decoder(NodeView)


class _Numbered(msgspec.Struct):
    """All that is read of a fact here."""

    seq: int


_read_number = msgspec.json.Decoder(_Numbered)


class NodeSilent(Exception):  # noqa: N818  says what happened
    """No node answers: a sentence for the person who asked."""


class NotOurs(Exception):  # noqa: N818  says what happened
    """Something answers, in another language than ours."""


def new_id() -> str:
    return secrets.token_hex(16)


def new_nonce() -> str:
    """By chance, on the side of the person (R-30)."""
    return secrets.token_hex(NONCE_BYTES)


class ToSign(NamedTuple):
    """A request that its persons have still to sign: their PINs, and that of who is enrolled, go no further."""

    request: Request
    by: Pin | Ticket | None = None
    second: Pin | None = None
    new_pin: str = ""

    @property
    def id(self) -> str:
        return self.request.id


def asking(
    asked: object, by: Pin | Ticket | None = None, second: Pin | None = None, id_: str = "", saw: str = ""
) -> ToSign:
    """A request for an input of the core (controller/core/inputs.py), or for a dict in its JSON form. `saw`: of the
    preview that is confirmed."""
    fields: Any = msgspec.to_builtins(asked)
    fields = {name: value for name, value in fields.items() if name not in {"by", "second"}}
    request = Request(
        v=VERSION, id=id_ or new_id(), ask=msgspec.Raw(_encode(fields)), by=_of(by), second=_of(second),
        terminal=_terminal(by), saw=saw,
    )  # fmt: skip
    return ToSign(request, by, second)


def doing(
    deed: Deed,
    by: Pin | Ticket | None = None,
    second: Pin | None = None,
    id_: str = "",
    new_pin: str = "",
    **fields: Any,
) -> ToSign:
    """A request for what only the node can do. Who opens a day brings a number by chance along (R-30): it is made here,
    on the side of the person, so that nobody can have chosen the day's seed to fit it."""
    if deed is Deed.OPEN_DAY:
        fields = {"nonce": new_nonce(), **fields}
    fields = {"terminal": _terminal(by), **fields}
    request = Request(v=VERSION, id=id_ or new_id(), do=deed, by=_of(by), second=_of(second), **fields)
    return ToSign(request, by, second, new_pin)


def previewing(asked: object, by: Pin | Ticket) -> ToSign:
    """A request for what an input would do; one person looks."""
    wanted = asking(asked, by)
    return wanted._replace(request=replace(wanted.request, do=Deed.PREVIEW))


def _of(signer: Pin | Ticket | None) -> Proof | None:
    """Who signs; what proves it is made last."""
    if isinstance(signer, Ticket):
        return Proof(signer.person, ticket=signer.number)
    return Proof(signer.person) if signer is not None else None


def _terminal(signer: Pin | Ticket | None) -> str:
    return signer.terminal if isinstance(signer, Ticket) else ""


def by_ticket(wanted: ToSign, ticket: Ticket) -> bytes:
    """The message, with a proof of the ticket for this request; nothing has to be asked for."""
    message: dict[str, Any] = msgspec.json.decode(_encode(wanted.request))
    message["by"]["proof"] = proof_of(ticket.key, said_to(ticket.node, ticket.epoch, covered(message)))
    return _encode(message)


def signed(wanted: ToSign, salts: Reply, key_of: Callable[[Pin, Salted], bytes]) -> bytes:
    """The message, with a proof of each PIN for this request at this node (docs/operators/control.md)."""
    request = wanted.request
    if wanted.new_pin:
        new = stored_of(wanted.new_pin, new_salt())
        request = replace(request, new_salt=new.salted.salt.hex(), new_key=new.key.hex())
    message: dict[str, Any] = msgspec.json.decode(_encode(request))
    said = said_to(salts.node, salts.epoch, covered(message))
    salted = {one.person: _salted(one) for one in salts.salts}
    for name, pin in (("by", wanted.by), ("second", wanted.second)):
        if isinstance(pin, Pin):
            message[name] = {"person": pin.person, "proof": proof_of(key_of(pin, salted[pin.person]), said)}
    return _encode(message)


def _nobody_hears(_sentence: str) -> None:
    """Of what the node says while it takes longer."""


def _salted(told: Salt) -> Salted:
    return Salted(bytes.fromhex(told.salt), Cost(told.time, told.memory, told.lanes))


class FarNode(NamedTuple):
    """A node of another box: its name, and what connects to it."""

    name: str
    opens: Opens


class Client:
    """`node`: the control folder of a node of this machine, or a node of another box."""

    def __init__(self, node: Path | FarNode, topic: bytes = STATE_TOPIC) -> None:
        if isinstance(node, FarNode):
            self.place, self._name, opens = node.name, node.name, node.opens
        else:
            _refuse_what_is_no_folder(node)
            self.place, self._name, opens = str(node), "", local(node)
        self._end = VisitorEnd(opens, topic)
        self._keys: dict[tuple[Pin, Salted], bytes] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end.__exit__()

    def ask(self, wanted: ToSign, timeout: float = 10.0, told: Callable[[str], None] = _nobody_hears) -> Reply:
        """The node's answer to this request. Without one it may have been done or not: ask it again, the same. `told`
        hears how far the node is with what takes it longer; as long as it says so, no time runs out."""
        self._arrive()
        try:
            return self._signed_and_asked(wanted, timeout, told)
        except NotProven as no:
            raise NotOurs(str(no)) from None

    def _signed_and_asked(self, wanted: ToSign, timeout: float, told: Callable[[str], None]) -> Reply:
        if isinstance(wanted.by, Ticket):
            return self._exchanged(wanted.id, by_ticket(wanted, wanted.by), timeout, told)
        people = tuple({pin.person: None for pin in (wanted.by, wanted.second) if pin is not None})
        if not people:
            return self._exchanged(wanted.id, _encode(wanted.request), timeout, told)
        salts = self._salts(people, timeout, told)
        if salts.trouble is not None:
            return replace(salts, id=wanted.id)
        return self._exchanged(wanted.id, signed(wanted, salts, self._key_of), timeout, told)

    def _salts(self, people: tuple[str, ...], timeout: float, told: Callable[[str], None]) -> Reply:
        look = doing(Deed.SALTS, people=people)
        salts = self._exchanged(look.id, _encode(look.request), timeout, told)
        self._refuse_another_node(salts.node)
        return salts

    def _refuse_another_node(self, said: str) -> None:
        """A proof is good at the node that it names: a box must not get one that is good at another."""
        if self._name and said and said != self._name:
            raise NotOurs(f"{self.place}: ahí responde el nodo {said}; no se le firma nada. Avise al técnico.")

    def forget(self) -> None:
        """What was kept of PINs is gone; a program that many people type into keeps nothing of them."""
        self._keys.clear()

    def sign_in(self, pin: Pin, terminal: str, table: str, timeout: float = 10.0, id_: str = "") -> Ticket | Reply:
        """A ticket in place of this PIN, or the answer that says why not. Nothing of the PIN is kept."""
        self._arrive()
        wanted = doing(Deed.SIGN_IN, pin, id_=id_, table=table, terminal=terminal)
        try:
            salts = self._salts((pin.person,), timeout, _nobody_hears)
            if salts.trouble is not None:
                return salts
            signing = signing_key(slow_key(pin.pin, _salted(salts.salts[0])))
            message = signed(wanted, salts, lambda _pin, _salt: signing)
            reply = self._exchanged(wanted.id, message, timeout, _nobody_hears)
        except NotProven as no:
            raise NotOurs(str(no)) from None
        if not reply.ticket:
            return reply
        key = ticket_key(signing, reply.ticket)
        return Ticket(pin.person, terminal, table, reply.ticket, key, salts.node, salts.epoch)

    def _key_of(self, pin: Pin, salted: Salted) -> bytes:
        if (pin, salted) not in self._keys:
            self._keys[pin, salted] = signing_key(slow_key(pin.pin, salted))
        return self._keys[pin, salted]

    def _exchanged(self, id_: str, body: bytes, timeout: float, told: Callable[[str], None]) -> Reply:
        until = time.monotonic() + timeout
        said_at, again = 0.0, _AGAIN_AFTER
        while (now := time.monotonic()) < until:
            if not said_at or now - said_at >= again:
                self._end.send(body)
                said_at = now
            answer = self._end.receive(min(until, said_at + again) - now)
            reply = _reply(answer) if answer is not None else None
            if reply is None or reply.id not in {id_, ""}:
                continue
            if reply.trouble is not None and reply.trouble.reason == READING:
                told(reply.trouble.message)
                until, again = time.monotonic() + timeout, _HOW_FAR_AFTER
                continue
            if reply.trouble is None or reply.trouble.reason != BUSY.reason:  # a busy node did nothing yet: ask again
                return reply
        raise NodeSilent(
            f"{self.place}: el nodo no responde desde hace {timeout:.0f} s; no se sabe si lo hizo. "
            f"Repetir el mismo pedido ({id_}) no lo hace dos veces."
        )

    def state(self, timeout: float = 10.0) -> NodeView:
        """What the node is like now."""
        reply = self.ask(doing(Deed.STATE), timeout)
        if reply.state is None:
            raise NodeSilent(reply.trouble.message if reply.trouble else "El nodo no dijo su estado.")
        return reply.state

    def house(self, timeout: float = 10.0) -> House:
        """Who may sign there, and which terminals were let in."""
        reply = self.ask(doing(Deed.PEOPLE), timeout)
        if reply.trouble is not None:
            raise NodeSilent(reply.trouble.message)
        return House(reply.people, reply.terminals)

    def views(self, silence: float = 3.0) -> Iterator[NodeView | None]:
        """The newest view each time there is one; `None` when none came for so long. Never ends by itself."""
        while True:
            news = self._end.news(silence)
            view = _view(news[-1]) if news else None
            if view is not None:
                self._refuse_another_node(view.node)
            yield view

    def facts(self, silence: float = 3.0) -> Iterator[bytes]:
        """Facts as they are published, for a client of their topic; a gap in their numbers is read from the record."""
        while True:
            yield from self._end.news(silence)

    def since(self, number: int, timeout: float = 10.0) -> Iterator[bytes]:
        """The facts after this number, page by page, to the last one that there is now."""
        while True:
            reply = self.ask(doing(Deed.FACTS, since=number), timeout)
            if reply.trouble is not None:
                raise NodeSilent(reply.trouble.message)
            if not reply.entries:
                return
            yield from map(bytes, reply.entries)
            number = _read_number.decode(reply.entries[-1]).seq

    def _arrive(self) -> None:
        try:
            self._end.arrive()
        except NOBODY_THERE:
            nobody = "no se llega al nodo de esta caja" if self._name else "aquí no hay ningún nodo en marcha"
            raise NodeSilent(f"{self.place}: {nobody}") from None
        except PermissionError:
            raise NodeSilent(f"{self.place}: este usuario no tiene permiso para hablar con el nodo") from None
        except NotProven as no:
            raise NotOurs(str(no)) from None
        except OSError:  # it has no time for us now: it is asked again while the answer is waited for
            return


def is_there(folder: Path) -> bool:
    """Whether a node stands behind this folder; one that does not let us in is one."""
    try:
        return not too_long(folder) and somebody_listens(folder)
    except PermissionError:
        return True


def _refuse_what_is_no_folder(folder: Path) -> None:
    """The settings of a node are UTF-8, and so is the name of its control folder."""
    try:
        str(folder).encode()
    except UnicodeEncodeError:
        what = "el nombre de esta carpeta no es UTF-8; ningún nodo está ahí"
        raise NodeSilent(f"{os.fsencode(folder)!r}: {what}") from None
    if too_long(folder):
        raise NodeSilent(f"{folder}: el nombre de esta carpeta es demasiado largo para un socket")


def _reply(body: bytes) -> Reply:
    try:
        return _read_reply.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as strange:
        raise NotOurs(f"El nodo responde de otra manera que este programa: {strange}") from None


def _view(body: bytes) -> NodeView:
    try:
        return _read_view.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as strange:
        raise NotOurs(f"El nodo se muestra de otra manera que este programa: {strange}") from None
