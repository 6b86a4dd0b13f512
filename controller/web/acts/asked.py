"""What a browser may send, read strictly, as a request of the control socket that its persons have still to sign.

Theory. The bodies are the socket's own request with PINs in the place of proofs, and are read by the node's own reader
(control/door.py) before anything is asked for: so what the node would not understand never costs it a word, and
nobody has to say the rules of reading twice. Who may ask it from which terminal is decided by whose affair it is, as
that reader says. A PIN is in `pin` and `new_pin` and nowhere else, and leaves this process as a proof. Pure.
"""

import hashlib
from collections.abc import Callable
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from controller.core.values import TerminalUse
from controller.node.control.client import ToSign
from controller.node.control.door import UnderstoodRequest, read
from controller.node.vocabulary.house import TerminalNow
from controller.node.vocabulary.protocol import (
    TICKET_OVER,
    VERSION,
    WHOEVER_LOOKS,
    Deed,
    Pin,
    Proof,
    Request,
    Ticket,
    Trouble,
    is_pin,
)
from controller.web.door.terminals import refuse_asking
from controller.web.door.turned_back import TurnedBack, not_understood

NEW_TERMINAL = "terminal-nueva"
"""What all browsers are called that are still to be enrolled: wrong PINs that are typed there count together."""
_NOT_ACTS = WHOEVER_LOOKS | {Deed.PREVIEW, Deed.SIGN_IN, Deed.SIGN_OUT}
_NO_SALT, _NO_KEY = "0" * 32, "0" * 64
_encode = msgspec.json.Encoder().encode
_Body = TypeVar("_Body")
_OPENS_NOTHING = Trouble(TICKET_OVER, "R-27", "by", "Se terminó el tiempo sin PIN: firme otra vez con el suyo.")

TicketFor = Callable[[str, str], Ticket | None]
"""Of this person at this table, in the session that asks."""


class Signer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who signs, by a PIN typed now; without one, by the ticket of this session."""

    person: str
    pin: str = ""


class ActAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`Request` of the control socket, with PINs in the place of proofs: exactly one of `ask` and `do`."""

    id: str
    ask: Raw = Raw(b"")
    do: Deed | None = None
    by: Signer | None = None
    second: Signer | None = None
    saw: str = ""
    new_pin: str = ""
    table: str = ""
    seat: int = 0
    sign: str = ""
    day: str = ""
    person: str = ""
    name: str = ""
    roles: tuple[str, ...] = ()
    known: bool = False
    reason: str = ""
    nonce: str = ""


class LookAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an input would do."""

    id: str
    ask: Raw
    by: Signer


class SignInAsked(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    person: str
    pin: str
    table: str


class SignOutAsked(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`person` and `table`: of one ticket; without them all of this session are over."""

    id: str
    person: str = ""
    table: str = ""


class HelloAsked(Struct, frozen=True, forbid_unknown_fields=True):
    terminal: str
    challenge: str
    signature: str


class EnrolAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser with a key of its own, and the two persons who let it in."""

    id: str
    terminal: str
    use: TerminalUse
    key: str
    by: Signer
    second: Signer
    place: str = ""


def body_of(body: bytes, kind: type[_Body]) -> _Body:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
        raise not_understood("", f"El pedido no se entiende: {wrong}") from None


def act(asked: ActAsked, terminal: TerminalNow, ticket_for: TicketFor) -> ToSign:
    if asked.do in _NOT_ACTS:
        raise not_understood("do", f"`{asked.do}` no se pide así.")
    nonce = _nonce_of(asked.id) if asked.do is Deed.OPEN_DAY and not asked.nonce else asked.nonce
    wanted = Request(
        VERSION, asked.id, do=asked.do, terminal=terminal.terminal, saw=asked.saw, table=asked.table, seat=asked.seat,
        sign=asked.sign, day=asked.day, person=asked.person, name=asked.name, roles=asked.roles, known=asked.known,
        reason=asked.reason, nonce=nonce,
    )  # fmt: skip
    if bytes(asked.ask):
        wanted = replace(wanted, ask=asked.ask)
    return _signed_by(wanted, terminal, (asked.by, asked.second), ticket_for, asked.new_pin)


def look(asked: LookAsked, terminal: TerminalNow, ticket_for: TicketFor) -> ToSign:
    wanted = Request(VERSION, asked.id, asked.ask, Deed.PREVIEW, terminal=terminal.terminal)
    return _signed_by(wanted, terminal, (asked.by, None), ticket_for)


def enrolment(asked: EnrolAsked) -> ToSign:
    """The only act of a browser that is no terminal yet."""
    fields = {"terminal": asked.terminal, "use": asked.use, "place": asked.place, "key": asked.key}
    by, second = _typed(asked.by, "by"), _typed(asked.second, "second")
    wanted = Request(
        VERSION,
        asked.id,
        Raw(_encode({"ask": "enrol_terminal", **fields})),
        by=Proof(by.person),
        second=Proof(second.person),
        terminal=NEW_TERMINAL,
    )
    _understood(wanted)
    return ToSign(wanted, by, second)


def sign_in(asked: SignInAsked, terminal: TerminalNow) -> Pin:
    pin = _typed(Signer(asked.person, asked.pin), "pin")
    said = Request(
        VERSION, asked.id, do=Deed.SIGN_IN, by=Proof(pin.person), table=asked.table, terminal=terminal.terminal
    )
    _understood(said)
    refuse_asking(terminal, asked.table, "table")
    return pin


def _signed_by(
    wanted: Request,
    terminal: TerminalNow,
    signers: tuple[Signer | None, Signer | None],
    ticket_for: TicketFor,
    new_pin: str = "",
) -> ToSign:
    """With who signs it; whose affair it is comes first, so that no ticket and no PIN is looked at for another's."""
    by, second = (Proof(one.person) if one is not None else None for one in signers)
    enrols = wanted.do is Deed.ENROL
    said = replace(wanted, by=by, second=second)
    understood = _understood(replace(said, new_salt=_NO_SALT, new_key=_NO_KEY) if enrols else said)
    refuse_asking(terminal, understood.table, "ask" if understood.input is not None else "do")
    one, other = signers
    assert one is not None, "the reader of the control socket has seen that somebody signs"
    if bool(new_pin) is not enrols or (new_pin and not is_pin(new_pin)):
        raise not_understood("new_pin", "`new_pin` es el PIN de quien se inscribe: de 6 a 12 cifras.")
    signing = _typed(one, "by") if one.pin else _ticket(one.person, understood, ticket_for)
    if isinstance(signing, Ticket):
        said = replace(said, by=Proof(one.person, ticket=signing.number))
        _understood(said)
    return ToSign(said, signing, _typed(other, "second") if other else None, new_pin)


def _understood(wanted: Request) -> UnderstoodRequest:
    """As the node will, before it is asked."""
    found = read(_encode(wanted))
    if isinstance(found, UnderstoodRequest):
        return found
    assert found.trouble is not None, "why it is none"
    raise TurnedBack(_status(found.trouble), *_parts(found.trouble))


def _status(trouble: Trouble) -> int:
    """Of what the reader says: a rule's no, or words that are none."""
    if trouble.reason == "too_long":
        return 413
    return 409 if trouble.rule else 400


def _parts(trouble: Trouble) -> tuple[str, str, str, str]:
    return trouble.reason, trouble.where, trouble.message, trouble.rule


def _ticket(person: str, understood: UnderstoodRequest, ticket_for: TicketFor) -> Ticket:
    ticket = ticket_for(person, understood.table)
    if ticket is None:
        raise TurnedBack(409, *_parts(_OPENS_NOTHING))
    return ticket


def _typed(signer: Signer, where: str) -> Pin:
    if not is_pin(signer.pin):
        raise TurnedBack(400, "pin_form", where, "Un PIN son de 6 a 12 cifras.", "R-27")
    return Pin(signer.person, signer.pin)


def _nonce_of(id_: str) -> str:
    """R-30: by chance, on the side of the person: made of the request's number, which her browser made by chance, so
    that the same request asked again is the same."""
    return hashlib.sha256(b"pozo nonce\n" + id_.encode()).hexdigest()
