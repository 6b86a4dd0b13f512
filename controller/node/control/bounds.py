"""How large a message may be, found out before anything walks it.

Theory. What a person asks is short: a claim of ten hands with their cards stays below one kibibyte. Only documents are
long, a plan and its ruleset (`stage_plan`), and they travel as texts. So a message without its texts is bounded, and
with them too where it is none that carries documents; a bounded message can be walked by anybody. Nothing here is
recursive, and each octet is looked at a fixed number of times. Pure.
"""

import re

from controller.node.vocabulary.protocol import MOST_BYTES, Trouble

SHORT = 4_096
DEEPEST = 32
WITH_DOCUMENTS = frozenset({"stage_plan"})
"""The inputs whose fields are documents."""

_TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NO_BRACKETS = bytes(octet for octet in range(256) if octet not in b"[]{}")
_OPENS = b"[{"

TOO_DEEP = Trouble("too_deep", "", "", f"El mensaje pasa de {DEEPEST} niveles.")


def too_long(most: int) -> Trouble:
    return Trouble("too_long", "", "", f"El mensaje pasa de {most} bytes.")


def trouble_with(body: bytes) -> Trouble | None:
    """Why nobody should walk this, if nobody should."""
    if len(body) > MOST_BYTES:
        return too_long(MOST_BYTES)
    if len(body) > SHORT and not any(b'"%b"' % name.encode() in body for name in WITH_DOCUMENTS):
        return too_long(SHORT)
    without_texts = _TEXTS.sub(b"", body)
    if len(without_texts) > SHORT:
        return too_long(SHORT)
    depth = 0
    for bracket in without_texts.translate(None, _NO_BRACKETS):
        depth += 1 if bracket in _OPENS else -1
        if depth > DEEPEST:
            return TOO_DEEP
    return None
