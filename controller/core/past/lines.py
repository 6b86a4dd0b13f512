"""What a correction moves in the ledger (R-34).

Theory. What the winners of a table are owed is held where the table is: here, or at the neighbour's, and then it is on
its way through the clearing. The house of the casino where the error was makes the sum, so its share goes the same way
as what is held for the corrected pass. Above stand the parts of the pot or, where a neighbour owns it, the clearing
with him. Both ends of a link count the same awards and the same house, so both have the same sum with opposite sign:

    the pot's owner   pot:POT:PART  +parts    clearing:POT:BELOW  +held of its tables, +house
    in the middle     clearing:POT:BELOW  +held of its tables, +house    clearing:POT:ABOVE  -(the same)
    the table's node  held:POT  +held of its tables    house:POT:CASINO  +house    clearing:POT:ABOVE  -(the same)

`house` is what the house gets back; what it puts in is below nothing.
"""

from collections.abc import Iterator

from controller.core.accounts import clearing, held, of_casino, pot
from controller.core.facts import ClaimCorrected
from controller.core.links.names import is_away, neighbour_of


def held_for_pass(fact: ClaimCorrected) -> int:
    """By how much what is held for the winners of the corrected pass changed: what is held for nobody else."""
    if fact.above:
        return fact.held
    assert not fact.held, "R-34: where the pot is, it follows from what moved"
    return -(sum(fact.flow.parts.values()) + fact.flow.house + sum(amount for _, amount in _resettled(fact)))


def _resettled(fact: ClaimCorrected) -> Iterator[tuple[str, int]]:
    for one in fact.resettled:
        yield one.table, sum(award.amount for award in one.awards)


def lines_of_corrected(fact: ClaimCorrected) -> Iterator[tuple[str, int]]:
    """R-34: what is held now, and from whom."""
    assert fact.flow.commission == 0, "R-22: what was wagered stays what it was"
    own, house = held_for_pass(fact), fact.flow.house
    below: dict[str, int] = {}
    for table, amount in [*([(fact.table, own)] if fact.table else []), *_resettled(fact)]:
        account = clearing(fact.pot, neighbour_of(table)) if is_away(table) else held(fact.pot)
        below[account] = below.get(account, 0) + amount
    away = bool(fact.table) and is_away(fact.table)
    if away:
        below[clearing(fact.pot, neighbour_of(fact.table))] += house
    yield from below.items()
    if fact.above:
        yield clearing(fact.pot, fact.above), -(sum(below.values()) + (0 if away else house))
    for part, amount in fact.flow.parts.items():
        yield pot(fact.pot, part), amount
    if house and not away:
        yield of_casino("house", fact.pot, fact.casino), house
