"""What an id was answered before, as the record has it (design.md, Money: the outcome is kept with the id for ever)."""

import msgspec

from controller.core.facts import Entry, Fact
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Store

_read_entry = msgspec.json.Decoder(Entry)


def earlier_facts(store: Store, key: OutcomeKey) -> tuple[Fact, ...]:
    """Nothing, when it was never asked."""
    outcome = store.outcomes([key]).get(key)
    if outcome is None:
        return ()
    return tuple(_read_entry.decode(row.body).fact for row in store.facts(outcome.first, outcome.last))
