"""The accounts of a report: what they stood at, what moved them, what they stand at.

Theory. Balances are added up from what the facts themselves say they move (`core.postings`), from the first fact on;
nothing is taken from a balance that was kept. The opening is a copy made when the span begins, the closing is what the
same additions have come to, and the movements are added up apart from both.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.core.accounts import Posting
from controller.core.facts import Entry
from controller.core.postings import postings
from controller.record.reading import ReportRefused
from controller.report.figures import Sum


@dataclass(frozen=True, slots=True)
class Account:
    """One account over the span, with the facts that moved it."""

    account: str
    opening: int
    rises: int
    falls: int
    closing: int
    first: int
    last: int
    facts: int
    numbers: tuple[tuple[int, int], ...] = ()


class Book:
    """Adds up accounts; `keep` where all fact numbers are wanted."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self._opening: dict[str, int] = {}
        self._now: dict[str, int] = {}
        self._moves: dict[str, Sum] = {}
        self._rises: dict[str, int] = {}

    def before(self, entry: Entry) -> None:
        """A fact before the span."""
        for line in lines_of(entry):
            self._now[line.account] = self._now.get(line.account, 0) + line.amount

    def begin(self) -> None:
        """The span begins here."""
        self._opening = dict(self._now)

    def during(self, entry: Entry) -> None:
        """A fact of the span."""
        for line in lines_of(entry):
            self._now[line.account] = self._now.get(line.account, 0) + line.amount
            moved = self._moves.get(line.account)
            if moved is None:
                moved = self._moves[line.account] = Sum()
            moved.add(entry.seq, line.amount, self._keep)
            if line.amount > 0:
                self._rises[line.account] = self._rises.get(line.account, 0) + line.amount

    def balance(self, account: str) -> int:
        """What an account stands at."""
        return self._now.get(account, 0)

    def accounts(self) -> tuple[Account, ...]:
        """Every account that held something or was moved, by name."""
        return tuple(self._accounts())

    def _accounts(self) -> Iterator[Account]:
        for name in sorted(self._now):
            moved = self._moves.get(name)
            opening, closing = self._opening.get(name, 0), self._now[name]
            if moved is None and not opening:
                continue
            moved = moved or Sum()
            rises = self._rises.get(name, 0)
            falls = rises - moved.amount
            yield Account(name, opening, rises, falls, closing, moved.first, moved.last, moved.facts, moved.ranges)


def lines_of(entry: Entry) -> tuple[Posting, ...]:
    """What a fact moves, line by line."""
    try:
        return postings(entry.fact)
    except AssertionError as error:
        raise ReportRefused(f"El hecho {entry.seq} no cuadra ({error}); `pozo verify` dice qué le pasa.") from None
