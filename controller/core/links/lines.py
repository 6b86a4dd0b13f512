"""What stands between two nodes beside bets and awards, in the ledger: disputes, and the share of who left (R-28).

Theory. It moves the clearing with the other node, and an account of its own until two persons have decided about it.
"""

from collections.abc import Iterable

from controller.core import facts as said
from controller.core.accounts import clearing, dispute, of_casino, pot, share

Lines = Iterable[tuple[str, int]]


def disputed(fact: said.LetterDisputed) -> Lines:
    """R-28: the neighbour's book has it already, so ours has it too, apart."""
    assert fact.pot or not fact.amount, "R-28: money of a pot"
    if fact.amount:
        yield clearing(fact.pot, fact.neighbour), -fact.amount
        yield dispute(fact.pot, fact.neighbour), fact.amount


def dispute_ended(fact: said.DisputeEnded) -> Lines:
    assert fact.pot or not fact.amount, "R-28: money of a pot"
    if fact.amount:
        yield dispute(fact.pot, fact.neighbour), -fact.amount
        is_main = fact.accepted and not fact.claim  # winners are decided behind it, as any others
        yield pot(fact.pot, "main") if is_main else clearing(fact.pot, fact.neighbour), fact.amount


def dispute_heard(fact: said.DisputeHeard) -> Lines:
    """R-28: what the owner did not take stays with the house of the casino that told it."""
    assert fact.above, "R-28: said by the owner of the pot"
    if not fact.accepted:
        yield clearing(fact.pot, fact.above), -fact.amount
        yield of_casino("house", fact.pot, fact.casino), fact.amount


def share_heard(fact: said.ShareHeard) -> Lines:
    """R-28: the owner of the pot owes it to the players here."""
    assert fact.amount > 0, "R-28: a share is something"
    yield clearing(fact.pot, fact.above), -fact.amount
    yield share(fact.pot, fact.above), fact.amount


def pot_left(fact: said.PotLeft) -> Lines:
    """R-28: what was owed to the owner of the pot is the pot; what he owed is lost by the house."""
    into = {"main": fact.after.main, **fact.after.reserves}
    assert sum(into.values()) == max(fact.amount, 0), "R-28: all of it, and nothing else"
    yield clearing(fact.pot, fact.above), -fact.amount
    for part, amount in into.items():
        yield pot(fact.pot, part), amount
    if fact.amount < 0:
        yield of_casino("house", fact.pot, fact.casino), fact.amount
