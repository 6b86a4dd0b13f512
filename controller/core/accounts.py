"""The accounts of the ledger, by name, and what each may hold.

Theory. Money is somewhere, always: what comes in from the world makes an account of the world lower (`cash`,
`house`, `promo_issued`), so all balances of a node add up to nothing. Every name holds the name of a table or of a
pot, and a training table or pot has a name of its own, so no training money can ever reach a live account.

    cash:TABLE            what players handed in (below zero) and were handed back
    credits:TABLE:SEAT    credits of a seat                         promo:TABLE:SEAT   promotional credits of a seat
    bets:TABLE            bets of the open pass, until it is sealed  owed:TABLE:SEAT    R-4: owed back at once
    left:TABLE            credits whose player is gone               suspense:TABLE     must be nothing
    commission:POT:CASINO what the house took                        pot:POT:PART       main and reserves
    held:POT              awards registered and not yet paid         paid:POT:CASINO    awards paid out
    house:POT:CASINO      what the house put in: bases, shortfalls   promo_issued:POT:CASINO
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from controller.rules.money import Money

MAY_BE_BELOW_ZERO = ("cash:", "house:", "promo_issued:", "suspense:")


class Posting(NamedTuple):
    """One line of a fact's entry: an account, what it moves by, and the cause."""

    account: str
    amount: Money
    cause: str


POT_FALLS_BY = ("award", "base", "rejection", "void", "move", "prize", "training")
"""The closed list: nothing else can make a pot lower."""


def cash(table: str) -> str:
    assert table, "a table has a name"
    return f"cash:{table}"


def credits_(table: str, seat: int) -> str:
    assert seat > 0, "R-7: seats are numbered from 1"
    return f"credits:{table}:{seat}"


def promo(table: str, seat: int) -> str:
    assert seat > 0, "R-7: seats are numbered from 1"
    return f"promo:{table}:{seat}"


def owed(table: str, seat: int) -> str:
    assert seat > 0, "R-7: seats are numbered from 1"
    return f"owed:{table}:{seat}"


def bets(table: str) -> str:
    assert table, "a table has a name"
    return f"bets:{table}"


def left(table: str) -> str:
    assert table, "a table has a name"
    return f"left:{table}"


def suspense(table: str) -> str:
    assert table, "a table has a name"
    return f"suspense:{table}"


def pot(name: str, part: str) -> str:
    assert name and part, "R-24: a pot has parts"
    return f"pot:{name}:{part}"


def held(name: str) -> str:
    assert name, "a pot has a name"
    return f"held:{name}"


def of_casino(kind: str, name: str, casino: str) -> str:
    """commission, paid, house and promo_issued are each casino's own (R-28)."""
    assert name and casino, "R-28: of a pot, in a casino"
    return f"{kind}:{name}:{casino}"


def never_negative(account: str) -> bool:
    assert ":" in account, "an account says what it is"
    return not account.startswith(MAY_BE_BELOW_ZERO)


def refuse_bounds(balances: Mapping[str, int], lines: Iterable[Posting]) -> None:
    """Halts where an account would leave its bounds: the rules made something that cannot be."""
    for line in lines:
        assert balances.get(line.account, 0) >= 0 or not never_negative(line.account), f"{line.account} below zero"
