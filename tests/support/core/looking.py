"""Looking before acting: what an act would do, asked of a floor as the shell of a node asks its core (R-20)."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from controller.core.ahead.foresight import foresee
from controller.core.ahead.preview import Foreseen, preview_of
from controller.core.facts import Fact, Refused
from controller.core.inputs import Input
from controller.core.machine import apply
from controller.core.people import SOMEBODY, with_somebody
from controller.core.state import State
from controller.core.view import Preview
from support.floor.floor import Floor
from support.floor.told import told


def looked(floor: Floor, asked: Input, *, after: int = 1_000) -> Foreseen:
    """By the one who signs it first; nothing of it is kept."""
    state = with_somebody(floor.state, asked)
    return foresee(state, asked, floor.now + after, told(state, asked, floor.record))


def preview_at(state: State, at: int, facts: Sequence[Fact]) -> Preview:
    """Of what was answered."""
    after = state
    for fact in facts:
        after = apply(after, at, fact)
    return preview_of(state, after, facts)


def seen(floor: Floor, asked: Input) -> Preview:
    """What would be done."""
    facts, preview = looked(floor, asked)
    assert not isinstance(facts[-1], Refused), facts[-1]
    return preview


def alone(asked: Any) -> Any:
    """As one person asks to look: whoever is needed beside him is not there yet."""
    if getattr(asked, "second", None) is None:
        return asked
    is_needed = asked.__struct_fields__.index("second") < len(asked.__struct_fields__) - len(asked.__struct_defaults__)
    return replace(asked, second=SOMEBODY if is_needed else None)


def unnamed(facts: tuple[Fact, ...]) -> list[Any]:
    """The same without who signed second, and what follows from who that is (R-36)."""
    left_out: dict[str, Any] = {"second": "", "confirmed": False}
    return [
        replace(fact, **{name: left_out[name] for name in left_out.keys() & {*fact.__struct_fields__}})
        for fact in facts
    ]
