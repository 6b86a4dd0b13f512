"""What an order is made of: its name and words, and what comes of them before anybody has signed.

Theory. An order knows its words and makes of them an intent: an input of the core or a deed of the node, without
signatures. A word that cannot be understood is one sentence to the person who gave it. Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.people import MAY, SECOND
from controller.core.values import Role, Signature
from controller.ctl.hands import Misread
from controller.node.control.client import ToSign, asking, doing
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, Reply
from controller.rules.document import DocumentError
from controller.rules.refusal import Reason

NOBODY = Signature("")  # the node puts in the person whose PIN it has proved


YES = {"s", "si", "sí"}
_OF_A_CROUPIER = {Deed.UNLOCK, Deed.LAMP_TEST, Deed.SIGN_TEST}
MAY_BE_ALONE = {ask.ConfirmAward, ask.PayOwed}
"""The node says where two persons are needed, by the amount (R-21, R-37)."""


class Detail(NamedTuple):
    """What an order asks for beside its words: the field of the input, the question, the option of a script."""

    field: str
    question: str
    option: str
    needed: bool = False


class Intent(NamedTuple):
    """What to ask: an input, or a deed with its fields; `two`: a second person must sign. A person who registers hands
    is shown first what was understood, and `told` what he should know before he signs; `asks`: what he must say yes to.
    `more`: inputs of the same kind, which the same persons sign with it, one after the other."""

    input: Any = None
    more: tuple[Any, ...] = ()
    asks: str = ""
    do: Deed | None = None
    fields: Mapping[str, Any] = {}
    two: bool = False
    new_pin: bool = False
    told: str = ""
    details: tuple[Detail, ...] = ()

    def detailed(self, answers: Mapping[str, str]) -> "Intent":
        """With what was answered to its questions; what a deed asks is whether something is so."""
        if self.do is not None:
            stated = {field: answer.lower() in YES for field, answer in answers.items()}
            return self._replace(fields={**self.fields, **stated}, details=())
        return self._replace(input=replace(self.input, **answers), details=()) if answers else self

    def request(self, by: Pin, second: Pin | None, new_pin: str, id_: str = "") -> ToSign:
        """The same, signed; an id that is given is one that was asked before."""
        if self.do is None:
            return asking(self.input, by, second, id_)
        return doing(self.do, by, second, id_, new_pin if self.new_pin else "", **self.fields)

    @property
    def each(self) -> "tuple[Intent, ...]":
        """One for each request that the node is sent."""
        return tuple(self._replace(input=one, more=()) for one in (self.input, *self.more))

    @property
    def is_a_croupiers(self) -> bool:
        """A croupier may ask it: who sits at the console signs it, and goes on sitting there (R-26)."""
        if self.do is not None:
            return self.do in _OF_A_CROUPIER
        return Role.CROUPIER in MAY[type(self.input)]


def needs_second(reply: Reply) -> bool:
    """R-21, R-36: the node saw by the amount, or by who registered the award, that a second person must sign."""
    return reply.trouble is not None and reply.trouble.reason in _SECOND_HELPS


_SECOND_HELPS = {Reason.TWO_PERSONS_NEEDED.code, Reason.CONFIRMS_OWN.code}


class OrderPlace(NamedTuple):
    """Where an order is given: a table, or none, and what is known of the node."""

    table: str
    view: NodeView


Make = Callable[[OrderPlace, Sequence[str]], Intent]


class CtlOrder(NamedTuple):
    name: str
    short: str
    words: tuple[str, ...]  # its arguments; one that ends in "..." is the rest of the line; one in [] may be absent
    help: str
    make: Make
    at_table: bool = True
    details: tuple[Detail, ...] = ()


class Misspoken(Exception):  # noqa: N818  says what happened
    """An order that cannot be understood, and why, in a sentence for the person who gave it."""


def make(order: CtlOrder, place: OrderPlace, words: Sequence[str]) -> Intent:
    """Make of these words what they ask."""
    needed = [word for word in order.words if not word.startswith("[")]
    takes_rest = bool(order.words) and "..." in order.words[-1]
    if len(words) < len(needed) or (len(words) > len(order.words) and not takes_rest):
        raise Misspoken(f"Se escribe: {order.name} {' '.join(order.words)}".rstrip())
    if takes_rest and len(words) >= len(order.words):
        last = len(order.words) - 1
        words = [*words[:last], " ".join(words[last:])]
    try:
        return order.make(place, words)
    except (Misread, DocumentError) as wrong:
        raise Misspoken(str(wrong)) from None


def number(word: str, what: str) -> int:
    digits = word.replace(".", "")
    if not digits.isdecimal() or len(digits) > 15:
        raise Misspoken(f"«{word}»: {what} es un número")
    return int(digits)


def asked(made: Any) -> Intent:
    """An input of the core, signed by as many as it needs."""
    kind = type(made)
    return Intent(made, two=kind in SECOND and kind not in MAY_BE_ALONE)
