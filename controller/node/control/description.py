"""What the control socket takes and says, made from the very types that are read and written there.

Theory. One document of JSON schemas: a request with its deeds and inputs, who may sign them, the answer, the view,
every fact, every refusal. Nothing of it is written by hand but the words; so it cannot say something else than the door
reads (door.py) and the record holds. It has the version of the protocol, and a digest by which a client sees that it
has changed since. What a client sends is closed: a field that is not named there is refused. What it is told may gain
fields.
"""

import hashlib
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import Raw

from controller.core import inputs as ask
from controller.core.facts import Entry, Fact
from controller.core.people import MAY, SECOND
from controller.node.control.door import BY_TICKET, BY_TWO, DEEDS, INPUTS, PREVIEWED
from controller.node.control.field_words import meaning
from controller.node.vocabulary.protocol import VERSION, WHOEVER_LOOKS, Deed, NodeView, Reply, Request
from controller.rules.refusal import Reason

Schema = dict[str, Any]

_MEANS = {
    Deed.STATE: "The newest view, in `state`.",
    Deed.DESCRIBE: "This document, in `description`.",
    Deed.FACTS: "A page of the record, in `entries`: the facts after `since`, in their order, as the feed sends them.",
    Deed.SALTS: "What a client needs to prove the PINs of `people`: each one's salt, and whom the proof is for.",
    Deed.PEOPLE: "Who may sign, in `people`, and which browsers were let in, in `terminals`.",
    Deed.PREVIEW: "Says what an input would do, and does nothing of it; in `preview`, and in `would` the facts.",
    Deed.OPEN_DAY: "Opens the gaming day; the node makes its secret seed, who asks brings the nonce (R-30).",
    Deed.CLOSE_DAY: "Closes the gaming day; the node reveals its seed (R-30).",
    Deed.LOSE_SEED: "Says that the seed of the open day is nowhere; refused while the node still has it (R-30).",
    Deed.ENROL: "Enrols a person with roles and a new PIN, or changes the roles; no roles retires the person.",
    Deed.SIGN_IN: "Gives a ticket: it signs `open_pass`, `lock`, `close_pass`, `unlock`, `preview` for ten minutes.",
    Deed.SIGN_OUT: "Ends the ticket that signs it.",
    Deed.UNLOCK: "Opens the pass of a table, or the units that came back; a sealed pass ends first.",
    Deed.LAMP_TEST: "Lights every lamp of a table for a moment, between passes.",
    Deed.SIGN_TEST: "Shows a sign's pattern for a moment.",
    Deed.CLEAR_FAULTS: "Lets the unit of a seat forget its faults, after somebody looked.",
}
_BECOMES = {
    Deed.OPEN_DAY: ask.OpenDay,
    Deed.CLOSE_DAY: ask.CloseDay,
    Deed.LOSE_SEED: ask.LoseSeed,
    Deed.ENROL: ask.EnrolPerson,
    Deed.SIGN_IN: ask.SignIn,
    Deed.SIGN_OUT: ask.SignIn,  # by whoever could
    Deed.UNLOCK: ask.UnlockTable,
    Deed.LAMP_TEST: ask.TryLamps,
    Deed.SIGN_TEST: ask.TrySign,
    Deed.CLEAR_FAULTS: ask.ClearFaults,
}
"""Whose signature a deed needs: that of the input it becomes."""
TOLD = {"reply": "Reply", "view": "NodeView", "entry": "Entry"}
_SIGNED = ("by", "second")


@cache
def description() -> Schema:
    """The whole document."""
    sent = _sent()
    received = _received()
    whole = {"v": VERSION, **sent, **received, "reasons": _reasons()}
    return {"digest": hashlib.sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()[:16], **whole}


@cache
def description_body() -> bytes:
    """The same in JSON."""
    return msgspec.json.encode(description())


def _sent() -> Schema:
    """What a client may say."""
    _, types = msgspec.json.schema_components([_readable(Request), *INPUTS.values()], ref_template="#/sent/{name}")
    asks = {tag: _ask(tag, kind, types.pop(kind.__name__)) for tag, kind in sorted(INPUTS.items())}
    request = _closed(_with_words("Request", types.pop("Request")))
    words = request["properties"]["ask"]["description"]
    request["properties"]["ask"] = {"oneOf": [{"$ref": f"#/asks/{tag}/schema"} for tag in asks], "description": words}
    del types["Signature"]  # the node puts it in, when it has looked at the proof
    closed = {name: _closed(_with_words(name, schema)) for name, schema in sorted(types.items())}
    return {"request": request, "asks": asks, "deeds": {str(do): _deed(do) for do in Deed}, "sent": closed}


def _readable(kind: type[msgspec.Struct]) -> type:
    """The same type; what is read later, a schema can only call anything."""
    fields: list[Any] = [
        (one.name, Any, None) if one.default == Raw(b"") else
        (one.name, one.type) if one.required else (one.name, one.type, one.default)
        for one in msgspec.structs.fields(kind)
    ]  # fmt: skip
    return msgspec.defstruct(kind.__name__, fields, namespace={"__doc__": kind.__doc__})


def _ask(tag: str, kind: type, schema: Schema) -> Schema:
    second = schema["properties"].get("second")
    must = "second" in schema["required"]
    for name in _SIGNED:
        schema["properties"].pop(name, None)
    schema["required"] = [name for name in schema["required"] if name not in _SIGNED]
    assert schema["properties"]["ask"]["enum"] == [tag], "an input is known by its tag"
    return {
        "means": _line(schema.pop("description", "")),
        **_signers(kind, "must" if must else "may" if second else "none"),
        "ticket": kind in BY_TICKET,
        "schema": _closed(_with_words(kind.__name__, schema)),
    }


def _signers(kind: type, second: str) -> Schema:
    """R-26, R-36: which roles may sign it, and whether a second person must."""
    by, other = sorted(map(str, MAY[kind])), sorted(map(str, SECOND.get(kind, ())))
    return {"by": by, "second": second, "second_by": other if second != "none" else []}


def _deed(do: Deed) -> Schema:
    behind = _BECOMES.get(do)
    roles = {role for kind in PREVIEWED for role in MAY[kind]} if do is Deed.PREVIEW else set()
    unsigned: Schema = {"by": sorted(map(str, roles)), "second": "none", "second_by": []}
    assert (behind is None) is (do in WHOEVER_LOOKS or do is Deed.PREVIEW), "who only looks does not sign"
    who = unsigned if behind is None else _signers(behind, "must" if do in BY_TWO else "none")
    return {"means": _MEANS[do], **who, "ticket": do in BY_TICKET, "fields": list(DEEDS[do])}


def _received() -> Schema:
    """What a client is told."""
    kinds = get_args(Fact)
    _, types = msgspec.json.schema_components(
        [_readable(Reply), NodeView, Entry, *kinds], ref_template="#/types/{name}"
    )
    types = {name: _with_words(name, schema) for name, schema in sorted(types.items())}
    facts = {str(kind.__struct_config__.tag): {"$ref": f"#/types/{kind.__name__}"} for kind in kinds}
    answer = types["Reply"]["properties"]
    answer["facts"]["items"] = {"anyOf": list(facts.values())}
    answer["would"]["items"] = answer["facts"]["items"]
    answer["entries"]["items"] = {"$ref": "#/types/Entry"}
    answer["description"] = {"type": "object", "description": answer["description"]["description"]}
    named = {name: {"$ref": f"#/types/{kind}"} for name, kind in TOLD.items()}
    return {**named, "facts": facts, "types": types}


def _with_words(kind: str, schema: Schema) -> Schema:
    """A type with its sentence in one line, and each of its fields with its own."""
    named = {name: _field(kind, name, field) for name, field in schema.get("properties", {}).items()}
    words = {"description": _line(schema["description"])} if "description" in schema else {}
    return {**schema, **words, **({"properties": named} if named else {})}


def _field(kind: str, name: str, schema: Schema) -> Schema:
    words = meaning(kind, name)
    return {**schema, "description": words} if words else schema


def _closed(schema: Schema) -> Schema:
    return {**schema, "additionalProperties": False} if schema.get("type") == "object" else schema


def _line(docstring: str) -> str:
    return " ".join(docstring.split())


def _reasons() -> Schema:
    """Every "no" of the rules and the core."""
    return {reason.code: {"rule": reason.rule, "sentence": reason.sentence} for reason in Reason}
