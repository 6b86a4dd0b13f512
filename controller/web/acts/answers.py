"""The node's answer as HTTP's: a number for programs, and the very reply as JSON.

Theory. What the node refused by a rule is 409, whatever the rule; a page reads the reason, not the number. What says
"not yet" is 202, "wait" 429, "nobody can answer now" 503: of these nothing was done, or it is not known, and the same
request may be asked again. What the node says goes through as it stands; only what no browser needs is left out: of who
is enrolled, the fingerprint of his verifier. Pure.
"""

import re
from typing import NamedTuple

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from controller.node.vocabulary.protocol import (
    BUSY,
    READING,
    TOO_MANY_REFUSED,
    VERSION,
    WAIT,
    Reply,
    Trouble,
    reading,
)
from controller.web.door.turned_back import TurnedBack, headers_of_no

_NUMBERS = {READING: 202, WAIT: 429, TOO_MANY_REFUSED: 429, BUSY.reason: 503, "starting": 503, "stopping": 503}
_SECRETS = re.compile(rb'"secret":"[0-9a-f]{64}"')
_encode = msgspec.json.Encoder().encode


class WebAnswer(NamedTuple):
    status: int
    body: bytes
    headers: tuple[tuple[bytes, bytes], ...] = ()


def told(value: object) -> WebAnswer:
    """Done, with this."""
    return WebAnswer(200, _encode(value))


def answer_of(reply: Reply) -> WebAnswer:
    trouble = reply.trouble
    status = 200 if trouble is None else _NUMBERS.get(trouble.reason, 409)
    facts = tuple(Raw(_SECRETS.sub(b'"secret":""', bytes(fact))) for fact in reply.facts)
    return WebAnswer(status, _encode(replace(reply, facts=facts)))


def still_reading(id_: str, sentence: str) -> WebAnswer:
    """No answer yet: the same request is asked again, until there is one."""
    trouble = replace(reading(0), message=sentence)
    return WebAnswer(202, _encode(Reply(VERSION, id_, ok=False, trouble=trouble)))


def nobody_answers(id_: str, reason: str, sentence: str) -> WebAnswer:
    """Whether it was done is not known."""
    return WebAnswer(503, _encode(Reply(VERSION, id_, ok=False, trouble=Trouble(reason, "", "node", sentence))))


def no_answer(no: TurnedBack) -> WebAnswer:
    return WebAnswer(no.status, _encode({"trouble": no.trouble}), headers_of_no(no))
