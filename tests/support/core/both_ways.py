"""The same evening twice: on one node that owns the pot with all its tables, and on an owner with two casinos and a box.

What is done is written once (`Deed`), by table. `both` does it on both sides and carries all letters, so both must say
the same, refuse for the same reason, and stand the same at the end: pot, awards, houses, commissions, seats.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from controller.core import inputs as ask
from controller.core.facts import CorrectionRefused, Fact, LetterTold, Refused
from controller.core.inputs import Input
from controller.core.state import AwardNow, Claim
from support.core.linked_floors import Linked, LinkedFloor, heard, shared
from support.floor.floor import ANA, CARLA, LUIS, POT, RULESETS, Floor, plan
from support.laws import as_own

TABLES = {"N1": "norte", "S1": "sur", "B1": "norte", "H1": "casa"}
"""Each table with the casino whose it is."""
NODE = {"N1": "norte", "S1": "sur", "B1": "caja", "H1": "hub"}
_PLACE = {"N1": "norte", "S1": "sur", "B1": "caja@norte", "H1": ""}
LARGE = 10**12

Deed = Callable[[Floor], Iterable[Fact]]


# What is done at a table


def sealed(table: str, bets: dict[int, int], *draws: tuple[str, int]) -> Deed:
    """A sealed pass with its bets; prizes of the plan fell on these seats, every other draw hit nothing."""
    fell = dict(draws)

    def deed(floor: Floor) -> list[Fact]:
        floor.open_pass(table)
        for seat, credits_ in bets.items():
            floor.bet(seat, credits_, table)
        facts = floor.lock(table)
        for prize in floor.table(table).draws:
            facts += floor.draw(prize, hit=prize in fell, seat=fell.get(prize, 0), table=table)
        return facts

    return deed


def claimed(table: str, *hands: Sequence[Any], number: int = 0) -> Deed:
    return lambda floor: floor.claim(*hands, table=table, number=number)


def paid(award: str) -> Deed:
    return lambda floor: floor.pay(award)


def closed(table: str) -> Deed:
    return lambda floor: floor.close_pass(table)


def asked(asked: Input) -> Deed:
    return lambda floor: floor.ask(asked)


def rejected(claim: str) -> Deed:
    return lambda floor: floor.reject(claim)


def corrected(table: str, number: int, *hands: Sequence[Any]) -> Deed:
    return lambda floor: floor.correct(number, *hands, table=table)


def void(table: str, seat: int = 0) -> Deed:
    """A hand, or the whole pass."""
    return asked(ask.VoidHand(table, seat, "carta vista", CARLA) if seat else ask.VoidPass(table, "mazo", CARLA))


def _how(more: dict[str, Any]) -> dict[str, Any]:
    return {"base": 1_000_000, "alone": LARGE, **more}


def here(name: str, table: str) -> str:
    """A claim or award of a table as the owner of the pot calls it."""
    node = _PLACE[table]
    return name.replace(table, f"{table}@{node}", 1) if node else name


class BothWays:
    """`one`: the node that has everything; `net`: the four that share the pot."""

    def __init__(self, ruleset: str = "", main: int = 10_000_000, tables: Iterable[str] = TABLES, **more: Any) -> None:
        used = [*tables]
        how = {**_how(more), "name": POT}
        law = ruleset or RULESETS["scj-2023"]
        local = plan(**how, tables={name: ("draw", TABLES[name]) for name in used})
        far = shared(*((name, "draw", TABLES[name], _PLACE[name]) for name in used), **how)
        document, own = as_own(local, law)
        self.one = Floor(document, own)
        above = {"hub": "", "norte": "hub", "sur": "hub", "caja": "norte"}
        self.net = Linked(above, inside=["caja"])
        self.net["hub"].offer(as_own(far, law)[0], own)
        self.net.calm()
        for floor in self.net.at.values():
            floor.open_day()
        house = ask.MoveMoney(POT, "house", "main", main - self.one.pot().main, "Res. 2", ANA, LUIS)
        self.one.ask(house)
        self.hub.ask(house)
        self.net.calm()

    @property
    def hub(self) -> LinkedFloor:
        return self.net["hub"]

    def at(self, table: str) -> LinkedFloor:
        """The node that has the table."""
        return self.net[NODE[table]]

    def both(self, table: str, deed: Deed) -> str:
        """Done on both sides; what refused it on both, or nothing."""
        once = refused(deed(self.one))
        there = self.at(table)
        before = len(there.heard(CorrectionRefused))
        twice = refused(deed(there))
        self.net.calm()
        answers = there.heard(CorrectionRefused)[before:]
        twice = twice or next((answer.code for answer in answers), "")
        assert once == twice, f"{once or 'done'} on one node, {twice or 'done'} on several"
        self.same()
        return once

    def apart(self, table: str, deed: Deed) -> None:
        """On both sides, where the people of one casino confirm nothing for another one (R-36), and one node does not
        know whose people they are."""
        deed(self.one)
        deed(self.at(table))
        self.net.calm()
        self.same()

    def everywhere(self, deed: Deed) -> None:
        """At every node."""
        for floor in (self.one, *self.net.at.values()):
            assert not refused(deed(floor))
        self.net.calm()
        self.same()

    def owner(self, deed: Deed) -> None:
        """What only the owner of the pot does, with the pot."""
        assert refused(deed(self.one)) == refused(deed(self.hub)) == ""
        self.net.calm()
        self.same()

    def same(self) -> None:
        """Everything stands as on one node."""
        self.net.even()
        one, hub = self.one, self.hub
        assert (hub.pot().main, hub.pot().reserves) == (one.pot().main, one.pot().reserves)
        for floor in self.net.at.values():
            assert not floor.state.awaited and not floor.state.disputes
        for kind in ("house", "commission", "paid", "promo_issued"):
            for casino in {*TABLES.values()}:
                account = f"{kind}:{POT}:{casino}"
                assert one.at(account) == sum(floor.at(account) for floor in self.net.at.values()), account
        assert one.at(f"held:{POT}") == sum(floor.at(f"held:{POT}") for floor in self.net.at.values())
        assert one.pot().reserve_carries == hub.pot().reserve_carries
        for table in one.state.tables.values():
            self._same_table(table.name)
        meters, theirs = one.pot().meters, hub.pot().meters
        assert (meters.wins, meters.rejected, meters.paid) == (theirs.wins, theirs.rejected, theirs.paid)

    def _same_table(self, name: str) -> None:
        one, floor = self.one.state, self.at(name).state
        assert owed_of(one.claims.values(), name) == owed_of(floor.claims.values(), name)
        away = here(name, name)
        assert owed_of(one.claims.values(), name) == {
            award.replace(away, name, 1): rest for award, rest in owed_of(self.hub.state.claims.values(), away).items()
        }
        seats = [(seat.credits, seat.promo, seat.owed, seat.bet, seat.unsigned) for seat in one.tables[name].seats]
        assert seats == [
            (seat.credits, seat.promo, seat.owed, seat.bet, seat.unsigned) for seat in floor.tables[name].seats
        ]
        table, other = one.tables[name], floor.tables[name]
        assert (table.hands, table.shown, table.cards) == (other.hands, other.shown, other.cards)
        if away != name:
            known = self.hub.state.away[away]
            assert {bet.seat: bet.overflow for bet in table.bets} == {bet.seat: bet.overflow for bet in known.bets}


def owed_of(claims: Iterable[Claim], table: str) -> dict[str, tuple[Any, ...]]:
    """Every award of a table: how much, and what became of it."""
    return {name: _left(one) for claim in claims if claim.table == table for name, one in claim.awards.items()}


def _left(one: AwardNow) -> tuple[Any, ...]:
    assert not one.waits, "R-20: decided"
    granted = one.granted
    return granted.seat, granted.prize, granted.amount, one.paid, one.cancelled, one.aside


def refused(facts: Iterable[Fact]) -> str:
    return next((fact.reason for fact in facts if isinstance(fact, Refused)), "")


class Delayed(BothWays):
    """Letters wait until somebody carries them. The one node does everything at the end, in the order in which the
    owner of the pot heard it: so whatever was asked when, both end the same (R-20)."""

    def __init__(self, **how: Any) -> None:
        super().__init__(tables=("N1", "S1", "H1"), **how)
        self._up: dict[str, deque[tuple[Deed, list[LetterTold]]]] = {"norte": deque(), "sur": deque()}
        self._down = {name: len(self._log()) for name in self._up}
        self._heard: list[Deed] = []

    def _log(self) -> list[LetterTold]:
        return self.hub.told(f"pot:{POT}")

    def do(self, table: str, deed: Deed) -> None:
        """At its node; the owner hears of it some time."""
        floor = self.at(table)
        if floor is self.hub:
            before = len(floor.record)
            deed(floor)
            if len(floor.record) > before:
                self._heard.append(deed)
            return
        before = len(floor.told("to:hub"))
        deed(floor)
        fresh = floor.told("to:hub")[before:]
        if fresh:
            self._up[floor.node].append((deed, fresh))

    def carry_up(self, node: str) -> bool:
        """What follows from one deed arrives together: between two letters of it others may be heard, and then the
        order is no order of deeds."""
        if not self._up[node]:
            return False
        deed, letters = self._up[node].popleft()
        for told in letters:
            self.hub.ask(heard(node, told))
        self._heard.append(deed)
        return True

    def carry_down(self, node: str) -> bool:
        """One letter of the pot's log."""
        done, log = self._down[node], self._log()
        if done == len(log):
            return False
        self.net[node].ask(heard("hub", log[done]))
        self._down[node] += 1
        return True

    def rest(self) -> None:
        """Everything arrives; the one node does it all; and nothing is different."""
        while sum(carry(node) for node in self._up for carry in (self.carry_up, self.carry_down)):
            pass
        for deed in self._heard:
            deed(self.one)
        self.same()
