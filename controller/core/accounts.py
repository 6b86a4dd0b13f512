"""The accounts of a ledger: their names, what each may hold, and a line that moves one.

Theory. Money is somewhere, always: what comes in from the world makes an account of the world lower (`cash`, `house`,
`promo_issued`), so all balances of a node add up to nothing. Every name holds the name of a table or of a pot, and a
training table or pot has a name of its own, so no training money can ever reach a live account.

    practice:TABLE        what cash is where a table trains: nobody pays and nobody is paid (R-36)
    cash:TABLE            what players handed in (below zero) and were handed back
    credits:TABLE:SEAT    credits of a seat                         promo:TABLE:SEAT   promotional credits of a seat
    bets:TABLE            bets of the open pass, until it is sealed  owed:TABLE:SEAT    R-4: owed back at once
    left:TABLE            credits whose player is gone               suspense:TABLE     must be nothing
    commission:POT:CASINO what the house took                        pot:POT:PART       main and reserves
    held:POT              awards registered and not yet paid         paid:POT:CASINO    awards paid out
    house:POT:CASINO      what the house put in: bases, shortfalls   promo_issued:POT:CASINO
    clearing:POT:NODE     what a neighbour owes us of a shared pot, below zero, or we owe it; at equal marks the same on
                          both sides with opposite sign (R-28)
    dispute:POT:NODE      what a neighbour told and was not believed, until two persons decide
    share:POT:NODE        what its owner NODE gave us of a pot that our tables left, until it is in a pot here (R-28)
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from controller.rules.money import Money

MAY_BE_BELOW_ZERO = ("cash:", "practice:", "house:", "promo_issued:", "suspense:", "clearing:", "dispute:")

SHARE = "share:"


class Posting(NamedTuple):
    """One line of a fact's entry: an account, what it moves by, and the cause."""

    account: str
    amount: Money
    cause: str


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


def clearing(name: str, neighbour: str) -> str:
    assert name and neighbour, "R-28: of a pot, with a neighbour"
    return f"clearing:{name}:{neighbour}"


def dispute(name: str, neighbour: str) -> str:
    assert name and neighbour, "R-28: of a pot, with a neighbour"
    return f"dispute:{name}:{neighbour}"


def share(name: str, neighbour: str) -> str:
    assert name and neighbour, "R-28: of a pot, from its owner"
    return f"{SHARE}{name}:{neighbour}"


def never_negative(account: str) -> bool:
    assert ":" in account, "an account says what it is"
    return not account.startswith(MAY_BE_BELOW_ZERO)


def refuse_bounds(balances: Mapping[str, int], lines: Iterable[Posting]) -> None:
    """Halts where an account would leave its bounds: the rules made something that cannot be."""
    for line in lines:
        assert balances.get(line.account, 0) >= 0 or not never_negative(line.account), f"{line.account} below zero"
