"""The control socket's description put to use: a value that fits a schema, values that do not, and whether one fits.

Only what the description uses of JSON Schema is known here; an unknown word is an error, never ignored.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

_WORDS = {
    "$ref", "title", "description", "default", "enum", "type", "properties", "required", "additionalProperties",
    "items", "prefixItems", "minItems", "maxItems", "anyOf", "oneOf", "discriminator",
}  # fmt: skip
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str, "integer": int, "boolean": bool, "array": list, "object": dict, "null": type(None),
}  # fmt: skip
_SAMPLES: dict[str, Any] = {"string": "x", "integer": 1, "boolean": True, "null": None}
_OTHERS: tuple[Any, ...] = (None, True, 7, 2**60, "x", "x\0", [], {}, [7], {"x": 1})


class Schemas:
    """`whole`: the description."""

    def __init__(self, whole: dict[str, Any]) -> None:
        self._whole = whole

    def of(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema itself, where it only names one."""
        assert set(schema) <= _WORDS, set(schema) - _WORDS
        while "$ref" in schema:
            found: Any = self._whole
            for word in schema["$ref"].removeprefix("#/").split("/"):
                found = found[word]
            schema = found
        return schema

    def fits(self, value: Any, schema: dict[str, Any]) -> bool:
        schema = self.of(schema)
        choice = schema.get("anyOf") or schema.get("oneOf")
        if choice:
            return any(self.fits(value, one) for one in choice)
        if "enum" in schema:
            return value in schema["enum"] and not isinstance(value, bool)
        kind = schema.get("type")
        if kind is not None and (not isinstance(value, _TYPES[kind]) or (kind == "integer" and value is True)):
            return False
        if kind == "array":
            return self._all_fit(value, schema)
        return kind != "object" or self._object_fits(value, schema)

    def _all_fit(self, value: list[Any], schema: dict[str, Any]) -> bool:
        first = schema.get("prefixItems", [])
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return False
        rest = schema.get("items") or {}
        return all(self.fits(one, first[at] if at < len(first) else rest) for at, one in enumerate(value))

    def _object_fits(self, value: dict[str, Any], schema: dict[str, Any]) -> bool:
        named, other = schema.get("properties", {}), schema.get("additionalProperties", True)
        if not set(schema.get("required", ())) <= set(value):
            return False
        for name, one in value.items():
            if name in named:
                if not self.fits(one, named[name]):
                    return False
            elif other is False or (isinstance(other, dict) and not self.fits(one, other)):
                return False
        return True

    def sample(self, schema: dict[str, Any], *, full: bool) -> Any:
        """A value that fits; with `full` every field is there, else only those that must be."""
        schema = self.of(schema)
        choice = schema.get("anyOf") or schema.get("oneOf")
        if choice:
            return self.sample(choice[0], full=full)
        if "enum" in schema:
            return schema["enum"][0]
        kind = schema["type"]
        if kind == "array":
            return [self.sample(schema["items"], full=full)]
        if kind != "object":
            return _SAMPLES[kind]
        named = schema.get("properties", {})
        wanted = named if full else schema.get("required", ())
        return {name: self.sample(named[name], full=full) for name in wanted}

    def mistakes(self, schema: dict[str, Any]) -> Iterator[Any]:
        """Values that do not fit, each wrong in one place."""
        good = self.sample(schema, full=True)
        for path in list(_places(good)):
            for wrong in (*_changed(good, path), *_less(good, path), *_more(good, path)):
                if not self.fits(wrong, schema):
                    yield wrong


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield from _places(one, (*at, name))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


def _changed(good: Any, path: tuple[Any, ...]) -> Iterator[Any]:
    for other in _OTHERS:
        if not path:
            yield other
            continue
        wrong = deepcopy(good)
        _at(wrong, path[:-1])[path[-1]] = other
        yield wrong


def _less(good: Any, path: tuple[Any, ...]) -> Iterator[Any]:
    if path and isinstance(path[-1], str):
        wrong = deepcopy(good)
        del _at(wrong, path[:-1])[path[-1]]
        yield wrong


def _more(good: Any, path: tuple[Any, ...]) -> Iterator[Any]:
    if isinstance(_at(good, path), dict):
        wrong = deepcopy(good)
        _at(wrong, path)["nobody_reads_this"] = 1
        yield wrong
