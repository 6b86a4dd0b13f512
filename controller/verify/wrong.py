"""What a verification finds: one thing that is wrong, where, by which rule, and why.

Theory. A verification stops at the first wrong thing, because what follows from a wrong fact is wrong too. Deep
inside, a check knows the rule and the reason; the walk over the record knows the place and adds it.
"""

from typing import NamedTuple, NoReturn, TypeVar

_Thing = TypeVar("_Thing")


class Wrong(NamedTuple):
    """The verdict's bad news, for an auditor."""

    place: str
    rule: str
    why: str

    def __str__(self) -> str:
        return f"{self.place}: {self.why} ({self.rule})"


class FoundWrong(Exception):  # noqa: N818  says what happened
    """Ends a verification. Without a place, it is the fact that is being looked at."""

    def __init__(self, rule: str, why: str, place: str = "") -> None:
        super().__init__(why)
        self.rule, self.why, self.place = rule, why, place


def wrong(rule: str, why: str, place: str = "") -> NoReturn:
    raise FoundWrong(rule, why, place)


def must(holds: bool, rule: str, why: str, place: str = "") -> None:
    """What the rule asks for, or the end."""
    if not holds:
        raise FoundWrong(rule, why, place)


def there(found: _Thing | None, rule: str, why: str, place: str = "") -> _Thing:
    """What must be there, or the end."""
    if found is None:
        raise FoundWrong(rule, why, place)
    return found


def must_be(found: object, right: object, rule: str, what: str, place: str = "") -> None:
    """Says what stands there and what should."""
    if found != right:
        raise FoundWrong(rule, f"{what}: dice {shown(found)}, debe ser {shown(right)}", place)


def shown(value: object) -> str:
    """A value of the record on one short, printable line."""
    text = str(value) if isinstance(value, str | int) else repr(value)
    text = text if text.isprintable() else text.encode("unicode_escape").decode()
    return text if len(text) <= 120 else text[:120] + "..."
