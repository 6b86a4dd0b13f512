"""The API of the web process in OpenAPI 3.1, made of the very structs that are read and written there.

Theory. What a browser may ask of the node, and what the node answers, is the description of the control socket
(control/description.py) with PINs in the place of proofs; so nothing of it is written twice, and it cannot say
something else than the node reads. What is written by hand here is which address takes which body, and which numbers
it may answer with. It is `/api/v1/openapi.json`, and it has the digest of the socket's description in its version.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from controller.node.control.description import description
from controller.node.control.door import INPUTS, PREVIEWED
from controller.web.acts.api import OF_A_BOX, ChallengeTold, SignedInTold, SignedOutTold
from controller.web.acts.asked import ActAsked, EnrolAsked, HelloAsked, LookAsked, SignInAsked, SignOutAsked
from controller.web.acts.house import HouseTold, ThisTerminal
from controller.web.live.notes import NoteAsked, NoteTold
from controller.web.live.shown import ShownAsked, SignShown

Schema = dict[str, Any]

API = 1
_REF = "#/components/schemas/"
_JSON = "application/json"
_OURS = (
    ActAsked, LookAsked, SignInAsked, SignOutAsked, HelloAsked, EnrolAsked, ShownAsked, NoteAsked,
    ChallengeTold, SignedInTold, SignedOutTold, HouseTold, ThisTerminal, SignShown, NoteTold,
)  # fmt: skip
_NOT_FOR_BROWSERS = frozenset(
    {"state", "entries", "description", "node", "epoch", "salts", "ticket", "idle", "people", "terminals"}
)
"""Of a reply: what answers other deeds than those that a browser asks."""
_NO = {
    400: "Not understood.",
    401: "No session: say hello.",
    403: "Not for this terminal, not from a page of ours, or not signed.",
    404: "Nothing is there.",
    405: "Not asked this way.",
    408: "It did not arrive in time.",
    409: "A rule's no; with `preview` where the amounts changed.",
    413: "More than 16 KiB.",
    415: "Not JSON.",
    429: "Wait: too many wrong PINs, or too many refusals.",
    503: "The node is busy, starting, stopping or silent: ask the same again.",
}
_ASKED = (400, 401, 403, 408, 413, 415, 503)
_ACTED = (*_ASKED, 409, 429)


@cache
def openapi() -> Schema:
    told = description()
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "pozo web",
            "version": f"{API}.{told['v']}.{told['digest']}",
            "description": "What the faces of a node are told and may ask. Every POST is signed by its terminal.",
        },
        "paths": {f"/api/v1/{path}": ways for path, ways in [*_paths().items(), *_paths_of_a_box()]},
        "components": {"schemas": _schemas(told), "securitySchemes": _security()},
    }


@cache
def openapi_body() -> bytes:
    return msgspec.json.encode(openapi())


def _paths() -> Schema:
    act = {202: ("Not yet: the record is read for it. Ask the same again.", "Answer"), 200: ("Done.", "Answer")}
    return {
        "openapi.json": {"get": _way("This document.", {200: ("The document.", None)}, ())},
        "challenge": {
            "get": _way("A number to sign, good once, for a minute.", {200: ("It.", "ChallengeTold")}, (403,))
        },
        "hello": {
            "post": _way(
                "A terminal proves its key, and gets a cookie.",
                {200: ("It is in.", "ThisTerminal")},
                _ASKED,
                "HelloAsked",
            )
        },
        "enrol": {"post": _signed("Two persons let a browser in.", act, _ACTED, "EnrolAsked", by_cookie=False)},
        "house": {"get": _with_cookie(_way("Who may sign, and who has.", {200: ("It.", "HouseTold")}, (401, 403)))},
        "acts": {"post": _signed("An act, by the PINs or the ticket of who asks.", act, _ACTED, "ActAsked")},
        "preview": {"post": _signed("What an act would do; it does nothing.", act, _ACTED, "LookAsked")},
        "sign-in": {
            "post": _signed(
                "One PIN for what every pass needs.",
                {200: ("Signed in.", "SignedInTold"), 202: act[202]},
                _ACTED,
                "SignInAsked",
            )
        },
        "sign-out": {"post": _signed("It is over.", {200: ("It is.", "SignedOutTold")}, _ASKED, "SignOutAsked")},
        "note": {
            "post": _signed(
                "Which pass a console enters, for the others of its table.",
                {200: ("Heard.", "NoteTold")},
                _ASKED,
                "NoteAsked",
            )
        },
        "shown": {"post": _signed("What a sign shows now.", {200: ("Heard.", "SignShown")}, _ASKED, "ShownAsked")},
        "whole": {"get": _looks("Everything of a scope.", _JSON)},
        "stream": {"get": _looks("A scope, and what changes in it, as Server-Sent Events.", "text/event-stream")},
    }


def _paths_of_a_box() -> Iterator[tuple[str, Schema]]:
    """The same, asked of the node of another box; only a chief's terminal may."""
    box = {"name": "box", "in": "path", "required": True, "schema": {"type": "string"}}
    nowhere = {"404": _answer(_NO[404], "No")}
    for path, ways in _paths().items():
        if path in OF_A_BOX:
            yield (
                f"box/{{box}}/{path}",
                {
                    way: {**said, "parameters": [box], "responses": said["responses"] | nowhere}
                    for way, said in ways.items()
                },
            )


def _way(means: str, yes: Mapping[int, tuple[str, str | None]], no: tuple[int, ...], body: str | None = None) -> Schema:
    answers = {str(code): _answer(words, kind) for code, (words, kind) in sorted(yes.items())}
    answers |= {str(code): _answer(_NO[code], "No" if code not in yes else "Answer") for code in sorted({*no, 405})}
    taken = {"requestBody": {"required": True, "content": {_JSON: {"schema": {"$ref": _REF + body}}}}} if body else {}
    return {"description": means, **taken, "responses": answers}


def _signed(
    means: str,
    yes: Mapping[int, tuple[str, str | None]],
    no: tuple[int, ...],
    body: str,
    *,
    by_cookie: bool = True,
) -> Schema:
    needs: Schema = {"signature": []}
    return {**_way(means, yes, no, body), "security": [{**needs, "cookie": []} if by_cookie else needs]}


def _with_cookie(way: Schema) -> Schema:
    return {**way, "security": [{"cookie": []}]}


def _looks(means: str, kind: str) -> Schema:
    scope = {
        "name": "scope", "in": "query", "required": True, "schema": {"type": "array", "items": {"type": "string"}},
    }  # fmt: skip
    way = _way(means, {}, (400, 401, 403, 404, 503))
    return _with_cookie(
        {
            **way,
            "parameters": [scope],
            "responses": {"200": {"description": "It.", "content": {kind: {"schema": {}}}}, **way["responses"]},
        }
    )


def _answer(words: str, kind: str | None) -> Schema:
    schema: Schema = {"$ref": _REF + kind} if kind else {"type": "object"}
    return {"description": words, "content": {_JSON: {"schema": schema}}}


def _security() -> Schema:
    return {
        "cookie": {"type": "apiKey", "in": "cookie", "name": "__Host-pozo"},
        "signature": {
            "type": "apiKey",
            "in": "header",
            "name": "Pozo-Signature",
            "description": "base64url of r||s, ECDSA P-256 with SHA-256 over `pozo act 1`, the origin, the path and "
            "the body, a line feed behind each of the first three.",
        },
    }


def _schemas(told: Schema) -> Schema:
    """What the socket's description calls sent and told, and ours beside it."""
    asks = {f"ask.{tag}": _moved(one["schema"]) for tag, one in told["asks"].items()}
    sent = {f"sent.{name}": _moved(schema) for name, schema in told["sent"].items()}
    types = {f"told.{name}": _moved(schema) for name, schema in told["types"].items()}
    _, ours = msgspec.json.schema_components([_readable(kind) for kind in _OURS], ref_template=_REF + "{name}")
    for name, tags in (("ActAsked", INPUTS), ("LookAsked", _previewed())):
        ours[name]["properties"]["ask"] = {"oneOf": [{"$ref": f"{_REF}ask.{tag}"} for tag in sorted(tags)]}
    reply = types["told.Reply"]
    fields = {name: field for name, field in reply["properties"].items() if name not in _NOT_FOR_BROWSERS}
    trouble = {"trouble": {"$ref": f"{_REF}told.Trouble"}}
    no = {"type": "object", "properties": trouble, "required": ["trouble"]}
    whole = {**ours, "Answer": {**reply, "properties": fields}, "No": no, **asks, **sent, **types}
    return {name: whole[name] for name in sorted(_reached(whole))}


def _previewed() -> dict[str, Any]:
    return {tag: kind for tag, kind in INPUTS.items() if kind in PREVIEWED}


def _readable(kind: Any) -> Any:
    """The same type; what is read later, a schema can only call anything."""
    fields = msgspec.structs.fields(kind)
    if not any(one.type is msgspec.Raw for one in fields):
        return kind
    assert kind.__struct_config__.forbid_unknown_fields, "a browser sends it"
    made, words = [_field(one) for one in fields], {"__doc__": kind.__doc__}
    return msgspec.defstruct(kind.__name__, made, namespace=words, forbid_unknown_fields=True)


def _field(one: Any) -> Any:
    if one.type is msgspec.Raw:
        return (one.name, Any) if one.required else (one.name, Any, None)
    return (one.name, one.type) if one.required else (one.name, one.type, one.default)


def _moved(schema: Any) -> Any:
    """With its references where they stand here."""
    if isinstance(schema, list):
        return [_moved(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {name: _where(value) if name == "$ref" else _moved(value) for name, value in schema.items()}


def _where(reference: str) -> str:
    _, kind, name, *_ = reference.split("/")
    return _REF + {"sent": "sent.", "types": "told.", "asks": "ask."}[kind] + name


def _reached(schemas: Schema) -> set[str]:
    """What the addresses lead to."""
    reached: set[str] = set()
    waiting = [name for name in schemas if "." not in name]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [one.removeprefix(_REF) for one in _references(schemas[name])]
    return reached


def _references(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [one for part in schema for one in _references(part)]
    if not isinstance(schema, dict):
        return []
    found = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
    return [*found, *(one for value in schema.values() for one in _references(value))]
