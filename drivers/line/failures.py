"""How a question on a line fails, and what became of all the questions to one unit."""

from dataclasses import dataclass, field
from enum import StrEnum


class Failure(StrEnum):
    """Why a question got no answer that can be used."""

    SILENT = "silent"  # nothing came in time
    LATE = "late"  # nothing came in time, and what was asked before was answered after its time
    GARBLED = "garbled"  # bytes came, no good frame among them
    FOREIGN = "foreign"  # a good frame that is not about this: late, of another unit, of another block
    COLLISION = "collision"  # our own bytes came back changed: another master talked (4.6)
    LINE_DOWN = "line_down"


@dataclass(slots=True)
class Counters:
    """Every question asked is answered, failed or under way."""

    asked: int = 0
    answered: int = 0
    failed: dict[Failure, int] = field(default_factory=lambda: dict.fromkeys(Failure, 0))
