"""What a node has done since it started, as plain numbers: written by the engine's thread, read by any other."""

from dataclasses import dataclass, field
from itertools import accumulate

from drivers.session import MILLISECOND, Micros

BOUNDS: tuple[Micros, ...] = tuple(
    bound * MILLISECOND // 10 for bound in (2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000)
)


@dataclass(slots=True)
class Durations:
    """How long something took: how often up to each bound, and beyond them all; and together."""

    often: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total: Micros = 0

    def took(self, time: Micros) -> None:
        place = next((place for place, bound in enumerate(BOUNDS) if time <= bound), len(BOUNDS))
        self.often[place] += 1
        self.total += time

    @property
    def sums(self) -> list[int]:
        """How often up to each bound, the last one without end."""
        return list(accumulate(self.often))


@dataclass(slots=True)
class Counts:
    facts: int = 0
    commits: int = 0
    refused: int = 0
    heard: int = 0
    asked: int = 0
    wishes: int = 0
    views: int = 0
    turns: int = 0
    links: dict[str, int] = field(default_factory=dict)
    """What the links have said for the journal, how often: strangers refused among it."""
    commit_times: Durations = field(default_factory=Durations)
    answer_times: Durations = field(default_factory=Durations)
    """From an event's arrival until what follows from it was handed to its line, where something was committed."""
