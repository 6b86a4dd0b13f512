"""What surrounds the engine, as far as the engine knows it: the verbs of its neighbours, nothing of what they are.

Theory. The engine is tried with given clocks and without threads or ports, so it knows its neighbours by these verbs
alone. The floor and the signboard are pure and live in the engine's thread; the hands, the control and the memories
are doors to other threads or to the disk.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from controller.core.inputs import Input
from controller.core.project import Alarm, View
from controller.core.state import State
from controller.node.vocabulary.places import UnitKey
from controller.node.vocabulary.protocol import Deed, NodeView, Request, SeatNow, SignNow, UnitNow
from controller.node.vocabulary.wishes import Wish
from drivers.session import Micros


class NoteLike(Protocol):
    """A line for the journal: its fixed name and its fields."""

    @property
    def event(self) -> str: ...
    @property
    def fields(self) -> Mapping[str, object]: ...


class NoteTeller(Protocol):
    def next_note(self) -> NoteLike | None: ...


class Floor(NoteTeller, Protocol):
    """What devices last said, what the core should hear of it, what they should be told (floor.py)."""

    def heard(self, line: str, event: object, now: Micros) -> None: ...
    def asks(self, state: State, now: Micros) -> Sequence[Input]: ...
    def wishes(self, state: State, now: Micros) -> Sequence[Wish]: ...
    def deed(self, deed: Deed, request: Request, state: State, now: Micros) -> str | None: ...
    def deadline(self) -> Micros | None: ...
    def units(self) -> tuple[UnitNow, ...]: ...
    def seats(self) -> tuple[SeatNow, ...]: ...


class Signs(NoteTeller, Protocol):
    """signboard.py"""

    def heard(self, line: str, event: object, now: Micros) -> None: ...
    def wishes(self, view: View | None, now: Micros) -> Sequence[Wish]: ...
    def deadline(self) -> Micros | None: ...
    def signs(self) -> tuple[SignNow, ...]: ...
    def alarms(self) -> tuple[Alarm, ...]: ...
    def test(self, sign: str, now: Micros) -> str | None: ...


class Giving(Protocol):
    def give(self, wishes: Sequence[Wish]) -> None: ...


class Hands(Giving, Protocol):
    """hands.py"""

    def lock_everything(self) -> None: ...


class Control(Protocol):
    """control.py"""

    def people(self, verifiers: Mapping[str, str]) -> None: ...
    def show(self, view: NodeView) -> None: ...
    def tell(self, entries: Sequence[bytes]) -> None: ...


class Memories(Protocol):
    """memories.py: when `save` returns, it is on the disk."""

    def save(self, unit: UnitKey, base: object) -> None: ...


class Surroundings(NamedTuple):
    floor: Floor
    signs: Signs
    hands: Hands
    control: Control
    memories: Memories
