"""How fast an evening is played, and what that costs: processor time by whom it was spent, from /proc.

Fifty times as fast as people is fifty times as many passes. A real table plays one in 40 to 60 s; here a pass counts for
the least of it. Devices, their lines and the units' own watchdogs have real time only, so what a hurried crowd saves is
the time of fingers and cards, never a check.
"""

import time
from typing import NamedTuple

from support.casinos.places import Casinos, processor_of

UNHURRIED = 40.0  # seconds of a pass


class Effort(NamedTuple):
    at: float
    passes: int
    spent: dict[str, float]

    @classmethod
    def until_now(cls, casinos: Casinos) -> "Effort":
        """Nodes by their place in the house, the crowd with its devices, and this program with its relays."""
        floor, spent = casinos.floor, dict.fromkeys(("boxes", "casinos", "owner", "crowd", "test"), 0.0)
        for place in casinos:
            who = "boxes" if place.name in floor.boxes else "casinos" if place.name in floor.casinos else "owner"
            spent[who] += place.spent
        spent["crowd"], spent["test"] = processor_of(casinos.crowd.pid), time.process_time()
        return cls(time.monotonic(), casinos.passes, spent)

    def since(self, before: "Effort", tables: int) -> str:
        took, passes = self.at - before.at, self.passes - before.passes
        each = {who: 1000 * (spent - before.spent[who]) / max(passes, 1) for who, spent in self.spent.items()}
        return (
            f"{passes} passes in {took:.0f} s at {tables} tables, {UNHURRIED * passes / tables / took:.0f} times as fast"
            f" as people; processor for one pass: " + ", ".join(f"{who} {spent:.0f} ms" for who, spent in each.items())
        )
