"""What must always hold between the state and the ledger (design.md Money).

Theory. The state knows what is on every seat, in every pot and in every claim; the ledger knows what stands in every
account. Both follow from the same facts by different functions, so that one of them being wrong shows at once. This is
asked at every start, after every campaign, and by whoever wants to know.
"""

from collections.abc import Iterator, Mapping

from controller.core import accounts as at
from controller.core.links.names import is_away
from controller.core.state import State, Table
from controller.core.values import Phase


def balances_of(state: State) -> dict[str, int]:
    """Every account whose balance the state implies. The world's own (cash, house, paid, commission) are not among
    them: only the record knows those."""
    implied = {account: amount for table in state.tables.values() for account, amount in _of_table(table)}
    for pot in state.pots.values():
        if not pot.above:  # else its money is in its owner's book
            implied[at.pot(pot.name, "main")] = pot.main
            implied |= {at.pot(pot.name, part): amount for part, amount in pot.reserves.items()}
        implied[at.held(pot.name)] = 0
    for dispute in state.disputes.values():
        if dispute.amount:
            account = at.dispute(dispute.pot, dispute.neighbour)
            implied[account] = implied.get(account, 0) + dispute.amount
    for pot_left, share in state.shares.items():
        implied[at.share(pot_left, share.above)] = share.amount
    for claim in state.claims.values():
        if not claim.promo and not is_away(claim.table):
            implied[at.held(claim.pot)] += sum(one.granted.amount for one in claim.awards.values() if one.owed)
    assert min((amount for account, amount in implied.items() if at.never_negative(account)), default=0) >= 0
    return implied


def _of_table(table: Table) -> Iterator[tuple[str, int]]:
    assert table.phase is not Phase.BETWEEN or not any(seat.bet for seat in table.seats), "R-5: no bet between passes"
    unsealed = table.phase in {Phase.OPEN, Phase.LOCKING}
    yield at.bets(table.name), sum(seat.bet for seat in table.seats) if unsealed else 0
    yield at.left(table.name), table.left
    yield at.suspense(table.name), table.suspense
    for seat in table.seats:
        yield at.credits_(table.name, seat.number), seat.credits
        yield at.promo(table.name, seat.number), seat.promo
        yield at.owed(table.name, seat.number), seat.owed


def difference(state: State, balances: Mapping[str, int]) -> str:
    """The first account where state and ledger do not agree, or nothing."""
    for account, amount in balances_of(state).items():
        booked = balances.get(account, 0)
        if booked != amount:
            return f"{account}: {booked} en el libro, {amount} en el estado"
    total = sum(balances.values())
    assert all(isinstance(amount, int) for amount in balances.values()), "whole numbers"
    return f"las cuentas suman {total}, no 0" if total else ""
