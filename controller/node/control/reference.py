"""The control socket's description as a page for people: docs/operators/control-reference.md.

Theory. Nothing stands here but headings and tables; what is in them comes from description.py. A test holds the page
against it, so who adds a field makes the page anew: `pozo describe --page`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from controller.node.control.description import TOLD, Schema, description

_A_FACT = 9  # so many alternatives are all kinds of facts


def page() -> str:
    """The same for people: docs/operators/control-reference.md."""
    whole = description()
    return "\n".join([*_opening(whole), *_asks_page(whole), *_deeds_page(whole), *_types_page(whole), ""])


def _opening(whole: Schema) -> Iterable[str]:
    yield "# What the control socket takes and says"
    yield ""
    yield f"Version {whole['v']}."
    yield ""
    yield "`pozo describe --page` makes this page from the types that a node reads and writes; how to use them is in"
    yield "[control.md](control.md). `pozo describe` prints the same as JSON schemas, and a running node answers"
    yield "`describe` with it. Money is whole smallest units, an instant is milliseconds since 1970 UTC. A field that"
    yield "is not needed has a default and may be left out, also by the node."


def _asks_page(whole: Schema) -> Iterable[str]:
    yield from ("", "## `ask`: inputs", "")
    for tag, asked in whole["asks"].items():
        yield f"### `{tag}`"
        yield ""
        yield f"{asked['means']} {_who(asked)}"
        yield from _fields(asked["schema"], without=("ask",))
    for name, schema in whole["sent"].items():
        if name != "Pin":
            yield from _type(name, schema)


def _who(asked: Mapping[str, Any]) -> str:
    if not asked["by"]:
        return "Nobody signs."
    second = {"none": "", "may": ", and where a plan asks for two", "must": ", and a second person"}[asked["second"]]
    other = f" ({', '.join(asked['second_by'])})" if asked["second_by"] else ""
    ticket = "; a ticket will do" if asked["ticket"] else ""
    return f"Signed by {' or '.join(asked['by'])}{second}{other}{ticket}."


def _deeds_page(whole: Schema) -> Iterable[str]:
    yield from ("", "## `do`: deeds", "", "| deed | fields | what it does |", "|---|---|---|")
    for name, deed in whole["deeds"].items():
        fields = ", ".join(f"`{field}`" for field in deed["fields"])
        yield f"| `{name}` | {fields} | {deed['means']} {_who(deed)} |"


def _types_page(whole: Schema) -> Iterable[str]:
    types = dict(whole["types"])
    yield from ("", "## What is answered and shown", "")
    for kind in TOLD.values():
        yield from _type(kind, types.pop(kind), without=("description",))
    yield from ("", "## Facts", "")
    for tag, at in whole["facts"].items():
        kind = at["$ref"].rpartition("/")[2]
        yield from _type(tag, types.pop(kind), without=("kind",))
    yield from ("", "## Types", "")
    for name, schema in types.items():
        yield from _type(name, schema)


def _type(name: str, schema: Schema, without: tuple[str, ...] = ()) -> Iterable[str]:
    yield f"### `{name}`"
    yield ""
    words = schema.get("description", "")
    if "enum" in schema:
        words = f"{words} One of {', '.join(f'`{one}`' for one in schema['enum'])}.".strip()
    yield words
    yield from _fields(schema, without)


def _fields(schema: Schema, without: tuple[str, ...]) -> Iterable[str]:
    named = {name: field for name, field in schema.get("properties", {}).items() if name not in without}
    yield ""
    if not named:
        return
    yield from ("| field | type | needed | what it means |", "|---|---|---|---|")
    for name, field in named.items():
        needed = "yes" if name in schema.get("required", ()) else ""
        yield f"| `{name}` | {_kind(field)} | {needed} | {field.get('description', '')} |"
    yield ""


def _kind(field: Schema) -> str:
    """A type as a reader says it."""
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    many = field.get("anyOf") or field.get("oneOf")
    if many:
        kinds = [_kind(one) for one in many if one.get("type") != "null"]
        return "a fact" if len(kinds) > _A_FACT else " or ".join(kinds)
    if field.get("type") == "array":
        return f"list of {_kind(field.get('items') or field['prefixItems'][0])}" if "items" in field else "list"
    if field.get("type") == "object":
        inner = field.get("additionalProperties")
        return f"by name: {_kind(inner)}" if isinstance(inner, dict) else "object"
    return {"integer": "number", "string": "text", "boolean": "true or false"}.get(field.get("type", ""), "any")
