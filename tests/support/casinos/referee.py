"""What is held against the records at the end: every letter once, both sides of every clearing, every bet in its pot.

By its own hand: it reads the rows as JSON and adds up; of the program it uses only the reader of rows. What the auditor
of the program says (`pozo verify`) is asked besides, of each record, of all of them at once, and of boxes and mirrors.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controller.node.store.store import Reader
from support.casinos.floor import BOXES, COMMON, Link
from support.casinos.places import Casinos
from support.node.node_process import POZO
from support.pozo import pozo

Mark = tuple[int, int, str]


@dataclass
class Account:
    """One record, read through."""

    node: str
    told: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    heard: dict[str, list[Mark]] = field(default_factory=dict)
    acknowledged: dict[str, Mark] = field(default_factory=dict)
    sealed: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    voided: Counter[tuple[str, int]] = field(default_factory=Counter)
    paid: dict[str, int] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    balances: dict[str, int] = field(default_factory=dict)
    doubled: list[str] = field(default_factory=list)
    disputed: set[str] = field(default_factory=set)

    def take(self, kind: str, fact: dict[str, Any]) -> None:
        self.kinds[kind] += 1
        match kind:
            case "letter_told":
                self.told.setdefault(fact["stream"], []).append((fact["epoch"], fact["number"]))
            case "letter_heard":
                place = f"{fact['neighbour']}/{fact['stream']}"
                self.heard.setdefault(place, []).append(_mark(fact["mark"]))
            case "letter_acknowledged":
                self.acknowledged[f"{fact['neighbour']}/{fact['stream']}"] = _mark(fact["mark"])
            case "pass_sealed":
                self._once((fact["table"], fact["number"]), self.sealed)
                self.sealed[fact["table"], fact["number"]] = fact["pot"], sum(bet["amount"] for bet in fact["bets"])
            case "letter_disputed":
                self.disputed.add(fact["about"])
            case "award_paid":
                self._once(fact["award"], self.paid)
                self.paid[fact["award"]] = fact["amount"]

    def _once(self, key: Any, known: Any) -> None:
        if key in known:
            self.doubled.append(f"{self.node}: {key} is on record twice")


def _mark(mark: dict[str, Any]) -> Mark:
    return mark["epoch"], mark["number"], mark["hash"]


def account_of(node: str, record: Path) -> Account:
    account = Account(node)
    with Reader.open(record) as reader:
        for row in reader.facts():
            account.take(row.kind, json.loads(row.body)["fact"])
        account.balances = {name: amount for name, amount in reader.balances().items() if amount}
    return account


def wrong_in(casinos: Casinos, lagged: set[str]) -> tuple[list[str], dict[str, Account]]:
    """Each in a sentence. Of who was made anew the others have heard nothing that he lost; but of one who had said that
    his mirror lags (`lagged`) they may."""
    accounts = {place.name: account_of(place.name, place.record) for place in casinos}
    wrong = [*_turned_down(casinos), *(twice for account in accounts.values() for twice in account.doubled)]
    for link in casinos.floor.links:
        wrong += _letters(accounts, link, lagged)
        wrong += _clearings(casinos, accounts, link)
    for pot, owner in casinos.floor.pots.items():
        wrong += _bets(casinos, accounts, pot, owner, lagged)
    return wrong, accounts


def _turned_down(casinos: Casinos) -> Iterator[str]:
    """All of them are honest, and speak the same protocol."""
    for place in casinos:
        for told in place.journal():
            if told.get("event") == "link_turned_down" and told["by_us"]:
                yield f"{place.name} did not speak with {told['neighbour']}: {told['code']}"


def _letters(accounts: dict[str, Account], link: Link, lagged: set[str]) -> Iterator[str]:
    """What one told the other heard: each once, in order, to the last; and the writer knows it."""
    ways = [(link.below, link.above, f"to:{link.above}")]
    logs = {place.partition("/")[2] for place in accounts[link.below].heard if place.startswith(f"{link.above}/pot:")}
    ways += [(link.above, link.below, log) for log in sorted(logs)]
    for writer, reader, stream in ways:
        told = accounts[writer].told.get(stream, [])
        heard = accounts[reader].heard.get(f"{writer}/{stream}", [])
        known = accounts[writer].acknowledged.get(f"{reader}/{stream}")
        where = f"{stream} from {writer} to {reader}"
        numbers = Counter((epoch, number) for epoch, number, _ in heard)
        yield from (f"{where}: letter {one} was heard {times} times" for one, times in numbers.items() if times > 1)
        missing = [one for one in told if one not in numbers]
        if missing and reader not in lagged:
            yield f"{where}: {len(missing)} letters were told and not heard, the first {missing[0]}"
        strange = [one for one in numbers if one not in set(told)]
        if strange and writer not in lagged:
            yield f"{where}: {strange[0]} was heard and never told"
        if told and (not heard or heard[-1][:2] != told[-1]):
            yield f"{where}: it ends at {told[-1]}, and was heard to {heard[-1][:2] if heard else 'nothing'}"
        if told and known is not None and known[:2] != told[-1]:
            yield f"{where}: it ends at {told[-1]}, and its writer knows it acknowledged to {known[:2]}"


def _clearings(casinos: Casinos, accounts: dict[str, Account], link: Link) -> Iterator[str]:
    for pot in casinos.floor.pots:
        here = accounts[link.below].balances.get(f"clearing:{pot}:{link.above}", 0)
        there = accounts[link.above].balances.get(f"clearing:{pot}:{link.below}", 0)
        if here != -there:
            yield f"clearing of {pot} between {link.below} and {link.above}: {here} here, {there} there"
    for node in (link.below, link.above):
        for account, amount in accounts[node].balances.items():
            if account.startswith("dispute:"):
                yield f"{node}: {amount} in {account}"


def _bets(casinos: Casinos, accounts: dict[str, Account], pot: str, owner: str, lagged: set[str]) -> Iterator[str]:
    """Every pass that a table sealed stands at the owner of its pot, with the same bets; and none besides. Of a box whose
    mirror lagged (`lagged`) passes of its lost life stand there, and passes that it played anew under their numbers were
    disputed."""
    expected: dict[tuple[str, int], tuple[str, int]] = {}
    lost = set[str]()
    disputed = set[str]().union(*(account.disputed for account in accounts.values()))
    for node, table in casinos.floor.fed_by(pot):
        way = casinos.floor.way(node, owner)
        name = f"{table}@{way}" if way else table
        lost |= {name} if node in lagged else set()
        for (where, number), what in accounts[node].sealed.items():
            is_anew = node in lagged and f"{table}@{node}/{number}" in disputed
            if where == table and what[0] == pot and not is_anew:
                expected[name, number] = what
    there = {place: what for place, what in accounts[owner].sealed.items() if what[0] == pot}
    for place, what in expected.items():
        if there.get(place) != what:
            yield f"{pot}: pass {place} was sealed with {what[1]}; its owner {owner} has {there.get(place)}"
    for place, what in there.items():
        if place not in expected and place[0] not in lost:
            yield f"{pot}: its owner {owner} has pass {place} with {what[1]}, which no table sealed"


def audited(casinos: Casinos) -> list[str]:
    """What the program's own auditor finds: of each record and across them, of each box and its mirror."""
    records = {place.name: place.record for place in casinos}
    asked: list[list[str | Path]] = [[*records.values()]]
    asked += [
        [records[box], "--mirror", casinos[BOXES[box]].folder / "mirrors" / f"{box}.db"] for box in casinos.floor.boxes
    ]
    wrong = []
    for words in asked:
        done = subprocess.run(
            [POZO, "verify", *map(str, words)], capture_output=True, text=True, timeout=300, check=False
        )
        if done.returncode or "MAL" in done.stdout:
            wrong.append(f"pozo verify {' '.join(map(str, words))}:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
    return wrong


def cleared(casinos: Casinos, month: str) -> list[str]:
    """R-28: both ends of each link say of the month who owes whom, each from its own record, and `--check` agrees."""
    wrong = []
    for link in casinos.floor.links:
        pages = []
        for node, other in ((link.below, link.above), (link.above, link.below)):
            code, said, complaint = pozo("clearing", month, casinos[node].folder, "--with", other, "--csv")
            page = casinos.top / f"{node}-{other}.csv"
            page.write_text(said)
            pages.append(page)
            wrong += [f"pozo clearing at {node} with {other}: {said[-500:]}{complaint}"] if code else []
        code, said, complaint = pozo("clearing", "--check", *pages)
        wrong += (
            [f"pozo clearing --check {link.name}: {said[-1500:]}{complaint}"] if code or "IGUAL" not in said else []
        )
    return wrong


def levels_differ(views: dict[str, Any]) -> list[str]:
    """R-9: a shared pot is shown with the same amount everywhere."""
    shown = {name: {pot.pot: pot.main for pot in view.pots}.get(COMMON) for name, view in views.items()}
    found = {amount for amount in shown.values() if amount is not None}
    return [] if len(found) <= 1 else [f"the pot {COMMON} is shown as {shown}"]
