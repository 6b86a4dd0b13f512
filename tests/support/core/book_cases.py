"""A small casino in a real book, for the tests of the book: two tables, one pot, no chance in it.

`Client` numbers what it asks as a machine does; `one_pass` is a whole pass with one bet of 1,000, in the groups in
which a floor would ask for it.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pysqlite3  # type: ignore[import-untyped]
import pytest

from controller.core import inputs as ask
from controller.core.values import Device, Lamp, Role, Signature
from controller.node.book.book import Answer, Asked, Book
from controller.node.book.chain import Key
from controller.node.store.rows import OutcomeKey
from controller.rules.complementary import commitment
from support.nonces import nonce_of
from support.places import CONFIG
from support.store import postgres

START = 1_793_491_200_000
SEED = bytes(32)
ADMINISTRATORS = ("ana", "luis")
ANA, LUIS, CARLA, JEFE, JEFA = (Signature(name) for name in ("ana", "luis", "carla", "jefe", "jefa"))
VERIFIER = "$argon2id$of nobody"
SECRET = hashlib.sha256(VERIFIER.encode()).hexdigest()

RULESET = (CONFIG / "rulesets/scj-2023.toml").read_text()
_POT = """
name = "chico"
title = "Pozo Chico"
ruleset = "scj-2023"
resolution = "Res. 1"
commission_ppm = 187500
[allocation]
main_ppm = 870001
[[allocation.reserves]]
name = "reserva"
ppm = 129999
[pot]
base = 5000000
[bets]
credit_value = 500
min_bet = 1000
max_bet = 5000
[awards]
two_persons_above = 10000000
"""


def plan(tables: Iterable[tuple[str, str]]) -> str:
    """The plan of one pot with these tables, each with its modality."""
    return _POT + "".join(
        f'[[tables]]\nname = "{name}"\ncasino = "central"\nmodality = "{game}"\nmin_bet = 1000\nmax_bet = 5000\n'
        for name, game in tables
    )


PLAN = plan([("M1", "draw"), ("M2", "caribbean")])


class Client:
    """Asks a book under its own numbers, going on where its source stopped."""

    def __init__(self, book: Book, source: str = "caja", epoch: int = 1) -> None:
        self.book, self.source, self.epoch = book, source, epoch
        self.number = book.store.last_of(source, epoch)
        self.now = max(START, book.state.clock)

    def asked(self, asked: ask.Input, verifier: str = "") -> Asked:
        self.number += 1
        self.now += 50
        return Asked(OutcomeKey(self.source, self.epoch, self.number), self.now, asked, verifier)

    def say(self, *inputs: ask.Input) -> list[Answer]:
        return self.book.take([self.asked(one) for one in inputs])

    def play(self, passes: int = 1, table: str = "M1") -> None:
        for _ in range(passes):
            for group in one_pass(self.book, table):
                self.say(*group)


def founded(place: Path | str, key: Key) -> Book:
    """A node with its people, its plan in force and its day open."""
    book = Book.create(place, key, "nodo1", ADMINISTRATORS, START)
    client = Client(book)
    for name, role in (("carla", Role.CROUPIER), ("jefe", Role.CHIEF), ("jefa", Role.CHIEF)):
        book.take([client.asked(ask.EnrolPerson(name, name.title(), (role,), SECRET, ANA, LUIS, known=True), VERIFIER)])
    client.say(
        ask.StagePlan(PLAN, RULESET, ANA, LUIS),
        ask.OpenDay("2026-11-01", commitment(SEED), JEFE, nonce_of("2026-11-01")),
    )
    return book


def one_pass(book: Book, table: str = "M1", seat: int = 1, credits_: int = 2) -> Iterator[list[ask.Input]]:
    """The groups of a pass, each made from the state that the one before left."""
    if book.state.tables[table].seat(seat).device is None:
        yield [ask.SeatReport(table, seat, Device(77, 1, 1))]
    device = book.state.tables[table].seat(seat).device
    assert device is not None, "its first report was taken"
    bet = Device(device.serial, 1, device.seq + 1, device.bets + credits_, device.voided, device.chips, device.late)
    yield [
        ask.OpenPass(table, CARLA),
        ask.BuyCredits(table, seat, credits_, CARLA),
        ask.SeatReport(table, seat, bet, bet_seq=bet.seq),
        ask.LampSeen(table, seat, Lamp.LIT),
    ]
    yield [ask.Lock(table), ask.SeatReport(table, seat, bet, locked=True, cut=bet.seq, bet_seq=bet.seq)]
    yield [ask.ClosePass(table, CARLA)]


def everything_of(book: Book) -> dict[str, object]:
    """What a book knows, to be compared."""
    return {
        "state": book.state,
        "seq": book.seq,
        "hash": book.hash,
        "balances": book.balances,
        "people": book.store.people(),
    }


def restarted(book: Book, place: Path | str, key: Key) -> Book:
    book.close()
    return Book.open(place, key)


def tampering(place: Path | str, config: pytest.Config) -> Callable[..., None]:
    """Says SQL to the database as a stranger with the power to; what guards the rows is laid aside, and put back."""

    def say(statement: str, *values: object) -> None:
        if isinstance(place, Path):
            connection = pysqlite3.connect(str(place), isolation_level=None)
            guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for name, _ in guards:
                connection.execute(f"DROP TRIGGER {name}")
        else:
            connection, guards = postgres.server(config).connect(place), []
            connection.execute("SET session_replication_role = replica")
            statement = statement.replace("?", "%s")
        try:
            connection.execute(statement, values)
            for _, sql in guards:
                connection.execute(sql)
        finally:
            connection.close()

    return say
