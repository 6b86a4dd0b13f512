"""The independent ledger (support/core/ledger_model.py) beside a store, fact by fact."""

from collections import Counter
from collections.abc import Mapping

from controller.node.store.reads import Reads
from support.core.ledger_model import Ledger


def first_difference(store: Reads) -> tuple[Ledger, str | None]:
    """Folds a whole store, fact by fact: the ledger, and the first fact whose postings are not what it says, if any."""
    ledger, lines = Ledger(), store.postings()
    line = next(lines, None)
    for fact in store.facts():
        sums: Counter[str] = Counter()
        while line is not None and line.fact == fact.seq:
            sums[line.account] += line.amount
            line = next(lines, None)
        expected = ledger.take(fact.body)
        booked = {account: amount for account, amount in sums.items() if amount}
        if booked != expected:
            return ledger, f"fact {fact.seq} {fact.body.decode()[:300]}: booked {booked}, the model says {expected}"
    return ledger, None


def standing(balances: Mapping[str, int]) -> dict[str, int]:
    """The accounts that hold something."""
    return {account: amount for account, amount in balances.items() if amount}
