"""A report as one value: everything it says, before anything decides how it looks.

Theory. Text, CSV, JSON and PDF read this value and compute nothing. Every figure and every account names the facts it
rests on; the accounts say what they stood at, what moved them and what they stand at; a proof compares two amounts
that were added up in different ways.
"""

from dataclasses import dataclass

from controller.record.reading import Witness
from controller.report.figures import Figure
from controller.report.scope import Scope
from controller.report.unusual import Unusual
from controller.rules.ruleset import Currency

FORMAT = 1


@dataclass(frozen=True, slots=True)
class PotAbout:
    """A pot of the report, under the plan that was in force at its end; its two documents by the SHA-256 that stood on
    the approval sheet, and what the law is to the program: `shipped`, `earlier`, `own` of the house, or `borrowed`."""

    name: str
    title: str
    resolution: str
    ruleset: str
    casinos: tuple[str, ...]
    plan_print: str
    law_print: str
    law_is: str


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


@dataclass(frozen=True, slots=True)
class Equation:
    """Two amounts that must be the same, because money is always somewhere."""

    name: str
    label: str
    left: int
    right: int
    holds: bool


@dataclass(frozen=True, slots=True)
class Debt:
    """R-34: what one seat is owed by a correction, or what of an award falls away, or was paid without being owed."""

    award: str
    prize: str
    amount: int
    why: str


@dataclass(frozen=True, slots=True)
class Correction:
    """R-34, R-35: one pass put right: what was wrong, by whom, on what proof, who is owed what since, what was
    cancelled, what the house lost, and what each part of the pot and the house gained (+) or gave (-)."""

    fact: int
    at: int
    claim: str
    reason: str
    by: str
    second: str
    proof: str
    debts: tuple[Debt, ...]
    moved: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a report says. `first` to `last` is its span, `facts` how many of them concern it."""

    format: int
    asked: Scope
    node: str
    pots: tuple[PotAbout, ...]
    currency: Currency
    witness: Witness
    first: int
    last: int
    facts: int
    since: int
    until: int
    days: tuple[str, ...]
    still_open: bool
    about: tuple[tuple[str, str], ...]
    figures: tuple[Figure, ...]
    accounts: tuple[Account, ...]
    proofs: tuple[Equation, ...]
    corrections: tuple[Correction, ...] = ()
    unusual: Unusual | None = None

    @property
    def is_signed(self) -> bool:
        """Whether a signature of the node covers everything that this report counted."""
        return bool(self.witness.digits) and self.witness.seq >= self.last

    @property
    def holds(self) -> bool:
        return all(proof.holds for proof in self.proofs)
