"""A view as it is published: of what is the same as in the view before nothing is encoded again.

Theory. A view is long, and of one press hardly anything in it is new. Values are frozen, so what has the identity
that it had is what it was.
"""

from typing import NamedTuple

import msgspec

from controller.node.vocabulary.protocol import NodeView

_encode = msgspec.json.Encoder().encode


class _Field(NamedTuple):
    """A field of a view in JSON; of a list also each part, by identity: what is kept here keeps its identity."""

    value: object
    body: bytes
    parts: dict[int, tuple[object, bytes]]


class ViewWriter:
    """A view in JSON, byte for byte as the encoder writes it whole. What is the same value as in the view before is not
    encoded again: that is most of it, however many tables there are."""

    def __init__(self) -> None:
        self._fields: dict[str, _Field] = {}

    def write(self, view: NodeView) -> bytes:
        for name in view.__struct_fields__:
            value, before = getattr(view, name), self._fields.get(name)
            if before is None or before.value is not value:
                self._fields[name] = _field(value, before.parts if before is not None else {})
        return b"{%b}" % b",".join(b'"%b":%b' % (name.encode(), one.body) for name, one in self._fields.items())


def _field(value: object, known: dict[int, tuple[object, bytes]]) -> _Field:
    if not isinstance(value, tuple):
        return _Field(value, _encode(value), {})
    parts = {id(one): known.get(id(one)) or (one, _encode(one)) for one in value}
    return _Field(value, b"[%b]" % b",".join([parts[id(one)][1] for one in value]), parts)
