"""The independent ledger (support/core/ledger_model.py) beside a store, fact by fact."""

from collections import Counter

from support.core.ledger_model import Ledger


def first_difference(store):
    """Folds a whole store, fact by fact: the ledger, and the first fact whose postings are not what it says, if any."""
    ledger, lines = Ledger(), store.postings()
    line = next(lines, None)
    for fact in store.facts():
        booked = Counter()
        while line is not None and line.fact == fact.seq:
            booked[line.account] += line.amount
            line = next(lines, None)
        expected = ledger.take(fact.body)
        booked = {account: amount for account, amount in booked.items() if amount}
        if booked != expected:
            return ledger, f"fact {fact.seq} {fact.body.decode()[:300]}: booked {booked}, the model says {expected}"
    return ledger, None


def standing(balances):
    """The accounts that hold something."""
    return {account: amount for account, amount in balances.items() if amount}
