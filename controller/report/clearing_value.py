"""A month between two nodes as values: what both ends say alike, and what one of them knows beside it (R-28).

Theory. A **statement** is of one link and one pot, between two places in both streams of letters. Its body is the same
bytes at both ends, so one hash says whether they agree. What only one end knows (its ledger, what was acknowledged,
what it does not believe) stands beside the body and is in no hash.
"""

import hashlib
from typing import NamedTuple

import msgspec

from controller.core.values import Mark, Side
from controller.record.reading import Witness
from controller.rules.ruleset import Currency

FORMAT = "pozo clearing 1"


class StatementLine(msgspec.Struct, frozen=True):
    """One line of a body: its sum, and in how many letters of which numbers it stands."""

    amount: int
    letters: int
    first: int
    last: int


class Body(msgspec.Struct, frozen=True):
    """R-28: what both ends say alike. Marks are (epoch, number, hash), `up` of the member's letters, `log` of the
    pot's. `opening` and `closing`: what the member owes the one above, or is owed, below nothing; `advanced`: what of
    advances no payment gave back."""

    format: str
    pot: str
    above: str
    below: str
    month: str
    days: tuple[str, ...]
    from_up: Mark
    from_log: Mark
    until_up: Mark
    until_log: Mark
    opening: int
    lines: dict[str, StatementLine]
    closing: int
    advanced: int
    waiting: tuple[str, ...]

    def canonical(self) -> bytes:
        """JSON with sorted keys, no space, UTF-8."""
        return msgspec.json.encode(self, order="sorted")

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.canonical()).hexdigest()


class Beside(NamedTuple):
    """What this end alone knows. `over`: no further day of the month can close; `unknown`: letters of the month that
    the other end has not acknowledged yet; `later`: by how many letters behind the month how much moved; `disputed`:
    how many letters are still not believed here, and their money; `book`, `told`: what stands between both at the end
    of this record, by its ledger and by all letters; `book_then`: by the ledger where the month ended, where this end
    is the member."""

    side: Side
    over: bool
    unknown: int
    later: int
    later_amount: int
    disputed: int
    disputed_amount: int
    book: int
    told: int
    book_then: int | None

    def holds(self, closing: int) -> bool:
        """Whether the ledger has what the letters say."""
        return self.book == self.told and self.book_then in (None, closing)


class Statement(NamedTuple):
    """One link and one pot for a month."""

    body: Body
    beside: Beside
    currency: Currency

    @property
    def holds(self) -> bool:
        return self.beside.holds(self.body.closing)


class Clearing(NamedTuple):
    """All that one record says of a month: of which node, up to which fact, and the signature that covers it."""

    node: str
    epoch: int
    key: str
    month: str
    last: int
    at: int
    witness: Witness
    statements: tuple[Statement, ...]

    @property
    def holds(self) -> bool:
        return all(one.holds for one in self.statements)
