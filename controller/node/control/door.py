"""What comes over the control socket, read strictly: an order that the engine may see, or why it is none.

Theory. Bytes of a stranger become one typed value or one named trouble; nothing of them is guessed, dropped or passed
on unread, so a word that is misspelt is refused instead of ignored. What a device or the node itself says is never
taken from a person, and every request but a look at the state is signed. Pure; whether a PIN is right comes from
outside, and whether an order makes sense is decided by the core.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.core.inputs import (
    ClearFaults,
    ClosePass,
    EnrolPerson,
    Input,
    Lock,
    LoseSeed,
    OpenDay,
    OpenPass,
    RestoreNode,
    SignIn,
    TryLamps,
    TrySign,
    UnlockTable,
)
from controller.core.inputs import CloseDay as CloseDayInput
from controller.core.people import MAY, NAME, SOMEBODY
from controller.core.values import TRAINING, Role, Signature
from controller.node.control.bounds import SHORT, WITH_DOCUMENTS, too_long, trouble_with
from controller.node.vocabulary.proof import covered
from controller.node.vocabulary.protocol import (
    PIN_NEEDED,
    VERSION,
    WHOEVER_LOOKS,
    Deed,
    Reply,
    Request,
    Trouble,
    is_pin,
)
from controller.rules.refusal import Reason

WITH_WHAT_THE_NODE_HAS = {
    OpenDay, CloseDayInput, LoseSeed, EnrolPerson, RestoreNode, UnlockTable, ClearFaults, TryLamps, TrySign, SignIn,
}  # fmt: skip
"""Of a person, but asked as a deed, or while the node stands still."""

INPUTS: dict[str, Any] = {
    str(kind.__struct_config__.tag): kind for kind in cast(dict[Any, Any], MAY) if kind not in WITH_WHAT_THE_NODE_HAS
}
"""What a client may ask by its tag."""

PREVIEWED = frozenset(
    kind for kind in INPUTS.values() if {"table", "claim", "award"} & {*kind.__struct_fields__}
)  # fmt: skip
"""What a person may look at before: whatever concerns a table, a claim or an award. The rest is about documents, people
and neighbours, and no amount is shown for it."""

DEEDS: dict[Deed, tuple[str, ...]] = {
    Deed.STATE: (),
    Deed.DESCRIBE: (),
    Deed.FACTS: ("since",),
    Deed.SALTS: ("people",),
    Deed.PEOPLE: (),
    Deed.PREVIEW: ("ask",),
    Deed.OPEN_DAY: ("day", "nonce"),
    Deed.CLOSE_DAY: (),
    Deed.LOSE_SEED: ("reason",),
    Deed.ENROL: ("person", "name", "roles", "known", "new_salt", "new_key"),
    Deed.SIGN_IN: ("table", "terminal"),
    Deed.SIGN_OUT: ("table", "terminal"),
    Deed.UNLOCK: ("table",),
    Deed.LAMP_TEST: ("table",),
    Deed.SIGN_TEST: ("sign",),
    Deed.CLEAR_FAULTS: ("table", "seat"),
}
"""The fields that each deed needs, all of them; no `roles` retire a person, and `since` 0 is before the first fact.
Whoever signs anything may also say his `terminal`."""

BY_TICKET: frozenset[Deed | type[Input]] = frozenset(
    {OpenPass, Lock, ClosePass, Deed.UNLOCK, Deed.SIGN_OUT, Deed.PREVIEW}
)
"""What may be signed with a ticket: it moves no money by itself, and is needed in every pass; or it only looks."""

_MAY_BE_EMPTY = {"roles", "known", "since", "seat"}
_DEED_FIELDS = (
    "table", "seat", "sign", "day", "person", "name", "roles", "known", "new_salt", "new_key", "since", "reason",
    "people", "nonce",
)  # fmt: skip
BY_TWO = {Deed.ENROL, Deed.LOSE_SEED}
_SIGNATURES = ("by", "second")
_ID = re.compile(r"[0-9a-f]{32}")
_NEW_KEY = re.compile(r"[0-9a-f]{64}")
_SAW = re.compile(r"[0-9a-f]{32}")
_MOST_PEOPLE = 4
_MOST = 2**53  # what every program reads as it was written
_BETWEEN_LINES = str.maketrans("", "", "\n\r\t")
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, OverflowError, RecursionError)


class _Versioned(Struct):
    """All that is read of a message before it is known to be of ours: one of version 1 may hold a PIN."""

    v: int


_read_version = msgspec.json.Decoder(_Versioned)
_read_request = msgspec.json.Decoder(Request)
_read_any = msgspec.json.Decoder()


class UnderstoodRequest(NamedTuple):
    """A request that was understood; `input` carries its signatures as if every proof were right, and `covered` is
    what the proofs are about."""

    request: Request
    input: Input | None
    covered: bytes

    @property
    def table(self) -> str:
        """Whose affair it is; nothing, where it concerns no table. Claims and awards are named after theirs."""
        asked: Any = self.input
        named = (getattr(asked, name, "") for name in ("table", "claim", "award"))
        return self.request.table or next(filter(None, named), "").partition("/")[0].removeprefix(TRAINING)

    def signed(self, *, by: bool, second: bool) -> tuple[Input | None, tuple[Signature, ...]]:
        """With what the PINs proved to be: the input, or for a deed the signatures."""
        request, asked = self.request, self.input
        one = Signature(request.by.person, by) if request.by else None
        other = Signature(request.second.person, second) if request.second else None
        if asked is None:
            return None, tuple(filter(None, (one, other)))
        return replace(asked, **{name: made for name, made in (("by", one), ("second", other)) if made}), ()


class NotUnderstood(Exception):  # noqa: N818  says what happened
    def __init__(self, reason: str, where: str, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.trouble = Trouble(reason, rule, where, message)


def answer(id_: str, trouble: Trouble) -> Reply:
    """A no of the door itself: nothing of it is on record."""
    return Reply(v=VERSION, id=id_, ok=False, trouble=trouble)


def read(body: bytes) -> UnderstoodRequest | Reply:
    """An order, or the answer to what is none."""
    id_ = ""
    try:
        request = _request(body)
        id_ = request.id
        if request.do is not None and request.do is not Deed.PREVIEW:
            _refuse_what_should_be_short(body, request.do)
            _refuse_wrong_deed(request, request.do)
            _refuse_wrong_ticket(request, request.do)
            return UnderstoodRequest(request, None, covered(_read_any.decode(body)))
        asked = _input(request)
        _refuse_what_should_be_short(body, str(asked.__struct_config__.tag))
        _refuse_wrong_ticket(request, request.do or type(asked))
        return UnderstoodRequest(request, asked, covered(_read_any.decode(body)))
    except NotUnderstood as no:
        return answer(id_, no.trouble)


def _request(body: bytes) -> Request:
    too_much = trouble_with(body)
    if too_much is not None:
        raise _not_understood(too_much)
    try:
        _refuse_another_version(_read_version.decode(body).v)
        request = _read_request.decode(body)
    except _UNREADABLE as unreadable:
        raise NotUnderstood("malformed", "", f"El mensaje no es de este protocolo: {unreadable}") from None
    if not _ID.fullmatch(request.id):
        raise NotUnderstood("id_wrong", "id", "Un pedido lleva un número de 32 cifras hexadecimales, en minúscula.")
    if bool(request.do and request.do is not Deed.PREVIEW) == bool(bytes(request.ask)):
        raise NotUnderstood("nothing_asked", "ask", "Un pedido dice exactamente una de dos: `ask` o `do`.")
    if request.do not in WHOEVER_LOOKS and request.by is None:
        raise NotUnderstood("signature_missing", "by", "Falta quién lo pide, con su PIN.", "R-27")
    given = [request.saw, *(getattr(request, name) for name in _DEED_FIELDS)]
    signers = [one.person for one in (request.by, request.second) if one]
    _refuse_what_no_record_holds([*given, *signers])
    _refuse_a_pin_for_a_name([*signers, request.person, request.name, request.terminal, *request.people])
    _refuse_a_pin_for_a_reason(request.reason, "reason")
    _refuse_what_is_no_terminal(request)
    _refuse_what_names_nobody([*signers, *request.people, *filter(None, [request.person])])
    return request


def _refuse_what_should_be_short(body: bytes, asked: str) -> None:
    if len(body) > SHORT and asked not in WITH_DOCUMENTS:
        raise _not_understood(too_long(SHORT))


def _not_understood(trouble: Trouble) -> NotUnderstood:
    return NotUnderstood(trouble.reason, trouble.where, trouble.message)


def _refuse_another_version(spoken: int) -> None:
    if spoken != VERSION:
        sentence = f"Este nodo habla la versión {VERSION} del protocolo, no la {spoken}: actualice este programa."
        raise NotUnderstood("version", "v", sentence)


def _refuse_wrong_deed(request: Request, deed: Deed) -> None:
    """A deed has what it needs, and nothing else."""
    wanted = DEEDS[deed]
    if "table" in wanted and request.table:
        _refuse_what_names_no_table(request.table)
    if len(request.people) > _MOST_PEOPLE:
        raise NotUnderstood("number_wrong", "people", f"De una vez se preguntan a lo más {_MOST_PEOPLE} personas.")
    if request.since < 0:
        raise NotUnderstood("number_wrong", "since", "Los hechos se numeran desde el 1.")
    for name in (*_DEED_FIELDS, "saw"):
        given = bool(getattr(request, name))
        if given and name not in wanted:
            raise NotUnderstood("field_unknown", name, f"`{deed}` no lleva `{name}`.")
        if not given and name in wanted and name not in _MAY_BE_EMPTY:
            raise NotUnderstood("field_missing", name, f"A `{deed}` le falta `{name}`.")
    if deed not in BY_TWO:
        if request.second is not None:
            raise NotUnderstood("field_unknown", "second", f"`{deed}` lo firma una sola persona.")
        return
    _need_two(request)
    if deed is Deed.ENROL:
        _refuse_wrong_enrolment(request)


def _refuse_wrong_ticket(request: Request, asked: Deed | type[Input]) -> None:
    """A ticket signs few things, at the terminal that it says; and a PIN ends none."""
    for where, proof in (("by", request.by), ("second", request.second)):
        if proof is not None and proof.ticket and (where == "second" or asked not in BY_TICKET):
            raise NotUnderstood(PIN_NEEDED, where, "Esto se firma con el PIN.", "R-27")
    by_ticket = request.by is not None and bool(request.by.ticket)
    if asked is Deed.SIGN_OUT and not by_ticket:
        raise NotUnderstood("field_missing", "by.ticket", f"A `{asked}` le falta `by.ticket`.")
    if (by_ticket or asked is Deed.SIGN_IN) and not request.terminal:
        raise NotUnderstood("field_missing", "terminal", "Falta `terminal`: dónde se firma.")


def _refuse_what_is_no_terminal(request: Request) -> None:
    """Only who signs stands at one."""
    if request.terminal and request.by is None:
        raise NotUnderstood("field_unknown", "terminal", "Lo que nadie firma no lleva `terminal`.")
    if request.terminal and not NAME.fullmatch(request.terminal):
        raise NotUnderstood("name_wrong", "terminal", "Ninguna terminal puede llamarse así.", "R-27")


def _refuse_wrong_enrolment(request: Request) -> None:
    if not (_ID.fullmatch(request.new_salt) and _NEW_KEY.fullmatch(request.new_key)):
        sentence = "`new_salt` son 32 cifras hexadecimales, y `new_key` 64: así se inscribe un PIN."
        raise NotUnderstood("key_form", "new_key", sentence)
    unknown = [role for role in request.roles if role not in {*Role}]
    if unknown:
        raise NotUnderstood("role_unknown", "roles", f"No hay un papel {unknown[0]!r}; son: {', '.join(Role)}.")


def _refuse_a_pin_for_a_name(names: Iterable[object]) -> None:
    """Typed in the wrong place; what is refused here stands nowhere, and the sentence does not repeat it."""
    if any(isinstance(name, str) and is_pin(name) for name in names):
        sentence = "Donde va el nombre vino algo como un PIN; no se registró."
        raise NotUnderstood("person_is_a_pin", "by", sentence, "R-27")


def _refuse_a_pin_for_a_reason(said: object, where: str) -> None:
    """The record keeps its words for ever, and everybody reads them."""
    if isinstance(said, str) and is_pin(said.strip()):
        sentence = "Donde va el motivo vino algo como un PIN; no se registró."
        raise NotUnderstood("reason_is_a_pin", where, sentence, "R-27")


def _refuse_what_names_nobody(names: Iterable[object]) -> None:
    if not all(isinstance(name, str) and NAME.fullmatch(name) for name in names):
        raise NotUnderstood("name_wrong", "by", "Ninguna persona puede llamarse así.", "R-27")


def _refuse_what_names_no_table(table: object) -> None:
    if isinstance(table, str) and not NAME.fullmatch(table):
        raise NotUnderstood("name_wrong", "table", "Ninguna mesa puede llamarse así.", "R-9")


def _need_two(request: Request) -> None:
    if request.second is None:
        reason = Reason.TWO_PERSONS_NEEDED
        raise NotUnderstood(reason.code, "second", reason.sentence, reason.rule)


def _input(request: Request) -> Input:
    for name in _DEED_FIELDS:
        if getattr(request, name):
            raise NotUnderstood("field_unknown", name, f"Con `ask`, `{name}` va dentro de `ask`.")
    given = _asked_fields(request)
    kind = INPUTS.get(str(given.get("ask")))
    if kind is None:
        raise NotUnderstood("not_a_persons", "ask.ask", "Esto no lo pide una persona, o se pide de otra manera.")
    _refuse_wrong_look(request, kind, given["ask"])
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    for name in given:
        if name != "ask" and (name not in fields or name in _SIGNATURES):
            raise NotUnderstood("field_unknown", f"ask.{name}"[:80], f"`{given['ask']}` no lleva eso.")
    if request.second is not None and "second" not in fields:
        raise NotUnderstood("field_unknown", "second", f"`{given['ask']}` lo firma una sola persona.")
    somebody = request.do is Deed.PREVIEW and "second" in fields and fields["second"].required
    if "second" in fields and fields["second"].required and not somebody:
        _need_two(request)
    _refuse_fields_nobody_reads(given, kind, f"`{given['ask']}`")
    given |= {name: {"person": one.person} for name in _SIGNATURES if (one := getattr(request, name))}
    given |= {"second": {"person": SOMEBODY.person}} if somebody else {}
    try:
        made: Input = msgspec.convert(given, kind)
    except _UNREADABLE as wrong:
        raise NotUnderstood("malformed", "ask", f"`{given['ask']}` no se entiende: {wrong}") from None
    return made


def _refuse_wrong_look(request: Request, kind: Any, asked: object) -> None:
    """One person looks at what has amounts, and confirms what he saw of them."""
    looks = request.do is Deed.PREVIEW
    if (looks or request.saw) and kind not in PREVIEWED:
        raise NotUnderstood("not_previewed", "ask.ask", f"De `{asked}` no se muestra antes lo que haría.")
    if looks and request.second is not None:
        raise NotUnderstood("field_unknown", "second", "Lo que haría un pedido lo mira una sola persona.")
    if looks and request.saw:
        raise NotUnderstood("field_unknown", "saw", "`saw` lo lleva el pedido que se confirma.")
    if request.saw and not _SAW.fullmatch(request.saw):
        raise NotUnderstood("malformed", "saw", "`saw` son las 32 cifras hexadecimales que trajo lo que se mostró.")


def _refuse_fields_nobody_reads(given: Mapping[str, Any], kind: Any, what: str) -> None:
    """Deep inside too: a hand whose category is misspelt must not become one that claims nothing."""
    for field in msgspec.structs.fields(kind):
        inside = (part for part in (field.type, *get_args(field.type)) if isinstance(part, type))
        inner = next((part for part in inside if issubclass(part, Struct)), None)
        value = given.get(field.name) if inner is not None else None
        parts = {f"[{at}]": part for at, part in enumerate(value)} if isinstance(value, list) else {"": value}
        for at, part in parts.items():
            unknown = set(part) - set(inner.__struct_fields__) if inner and isinstance(part, dict) else ()
            if unknown:
                where = f"ask.{field.name}{at}.{min(unknown)}"[:80]
                raise NotUnderstood("field_unknown", where, f"{what} no lleva eso.")


def _asked_fields(request: Request) -> dict[str, Any]:
    try:
        given = _read_any.decode(request.ask)
        _refuse_what_no_record_holds(given)
    except _UNREADABLE as unreadable:
        raise NotUnderstood("malformed", "ask", f"`ask` no se entiende: {unreadable}") from None
    if not isinstance(given, dict):
        raise NotUnderstood("malformed", "ask", "`ask` es un objeto.")
    person, table = given.get("person"), given.get("table")
    _refuse_a_pin_for_a_name([person, given.get("terminal")])
    _refuse_a_pin_for_a_reason(given.get("reason"), "ask.reason")
    if isinstance(person, str):
        _refuse_what_names_nobody([person])
    _refuse_what_names_no_table(table)
    return given


def _refuse_what_no_record_holds(given: object) -> None:
    """Refuse numbers that programs read differently, and invisible letters."""
    rest: list[object] = [given]
    while rest:
        leaf = rest.pop()
        if isinstance(leaf, Mapping):
            rest += [*leaf, *leaf.values()]
        elif isinstance(leaf, list | tuple):
            rest += leaf
        elif isinstance(leaf, int) and abs(leaf) > _MOST:
            raise NotUnderstood("number_wrong", "ask", "Ningún número pasa de 2^53.")
        elif isinstance(leaf, str) and not leaf.translate(_BETWEEN_LINES).isprintable():
            raise NotUnderstood("text_wrong", "ask", "Un texto lleva solo letras que se ven.")
