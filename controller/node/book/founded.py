"""Whose mirror a file is: the key that its first fact names, and nothing else of any fact (R-27)."""

import msgspec

from controller.node.store.mirror import MirrorFile


class _Founded(msgspec.Struct, frozen=True):
    key: str


class _First(msgspec.Struct, frozen=True):
    fact: _Founded


def founded_key(mirror: MirrorFile) -> str:
    """The node's key, as its first fact names it; nothing of an empty mirror."""
    first = next(mirror.facts(1, 1), None)
    return msgspec.json.decode(first.body, type=_First).fact.key if first is not None else ""
