"""What the store promises, on SQLite and on a real PostgreSQL alike."""

import tracemalloc
from pathlib import Path

import pysqlite3
import pytest
import sqlalchemy as sa

from controller.core.ledger import POT_FALLS_BY
from controller.node.book.chain import GENESIS
from controller.node.store import reads
from controller.node.store.failure import Fenced, StoreError, StoreFailed, StoreRefused
from controller.node.store.rows import MOST_AMOUNT, MOST_BODY_BYTES, Batch, Head, OutcomeKey
from controller.node.store.store import Reader, Store
from controller.record.record import (
    BalanceRow,
    CheckpointRow,
    FactRow,
    OutcomeRow,
    PersonRow,
    PositionRow,
    PostingRow,
    SnapshotRow,
)
from support.store import postgres
from support.store.store_cases import CASH, DIALECTS, POT, bets, everything, faults, new_place

Place = str | Path


@pytest.fixture(params=DIALECTS)
def place(request, tmp_path) -> Place:
    return new_place(request.param, tmp_path, request.config)


@pytest.fixture
def store(place):
    with Store.create(place, "mesa4") as made:
        yield made


@pytest.fixture
def tamper(place, request):
    """Says SQL to the database as a stranger with the power to."""

    def say(statement: str) -> None:
        if isinstance(place, Path):
            connection = pysqlite3.connect(str(place), isolation_level=None)
        else:
            connection = postgres.server(request.config).connect(place)
        try:
            connection.execute(statement)
        finally:
            connection.close()

    return say


def fact(seq: int, **changes) -> FactRow:
    return FactRow(seq, 5, "bet", b"{}", bytes(32))._replace(**changes)


def test_a_new_store_is_empty(store):
    assert everything(store) == {
        "head": None, "epoch": 1, "facts": [], "postings": [], "balances": {}, "outcomes": [], "positions": [],
        "people": [], "snapshot": None, "checkpoints": [],
    }  # fmt: skip
    assert store.node == "mesa4"


def test_what_was_committed_is_there_after_opening_again_and_for_a_reader(place):
    with Store.create(place, "mesa4", epoch=3) as store:
        batch = bets(store, 3)._replace(
            people=[PersonRow("p1", "Ana Núñez", "$argon2id$...")],
            heard=[PositionRow("hub", "in", 1, 7, b"h" * 32)],
            checkpoints=[CheckpointRow(3, b"{}", b"s" * 64)],
            snapshots=[SnapshotRow(3, b"state")],
        )
        store.commit(batch)
        written = everything(store)
        with Reader.open(place) as reader:
            assert everything(reader) == written

    assert written["facts"] == batch.facts
    assert written["postings"] == batch.postings
    assert written["balances"] == {CASH: -300, POT: 300}
    assert written["head"] == Head(3, batch.facts[-1].hash)
    assert written["people"] == batch.people
    assert written["positions"] == batch.heard
    assert written["checkpoints"] == batch.checkpoints
    assert [written["snapshot"]] == batch.snapshots
    with Store.open(place, epoch=3) as again:
        assert everything(again) == written
        assert again.node == "mesa4"


def test_an_empty_batch_changes_nothing(store):
    before = everything(store)
    store.commit(Batch())

    assert everything(store) == before


def test_facts_and_postings_from_one_place_to_another_over_many_pages(store):
    store.commit(bets(store, 1203))
    numbers = [row.seq for row in store.facts()]

    assert numbers == list(range(1, 1204))
    assert [row.seq for row in store.facts(500, 502)] == [500, 501, 502]
    assert [row.seq for row in store.facts(1200, 10**15)] == [1200, 1201, 1202, 1203]
    assert [row.seq for row in store.facts(-5, 1)] == [1]
    assert list(store.facts(1204)) == list(store.facts(7, 6)) == []
    assert [(row.fact, row.line) for row in store.postings(500, 501)] == [(500, 0), (500, 1), (501, 0), (501, 1)]
    assert sum(1 for _ in store.postings()) == 2406


def test_reading_everything_needs_the_memory_of_a_page(store):
    for _ in range(8):
        batch = bets(store, 500)
        store.commit(batch._replace(facts=[row._replace(body=b"x" * 2000) for row in batch.facts]))
    tracemalloc.start()
    try:
        assert sum(len(row.body) for row in store.facts()) == 8_000_000
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert most < 4_500_000  # one page in the driver's hands and one in ours; everything would be more than 8 MB


def test_a_commit_may_come_between_two_pages(store):
    store.commit(bets(store, 600))
    reading = store.facts()
    first = next(reading)
    store.commit(bets(store, 1))

    assert [first.seq, *(row.seq for row in reading)] == list(range(1, 601))


def test_outcomes_are_found_by_their_id(store):
    batch = bets(store, 450)
    store.commit(batch)
    refused = OutcomeRow("caja", 2, 9, b"r" * 16, 451, 451)
    store.commit(Batch(facts=[fact(451)], outcomes=[refused]))

    assert store.outcomes([OutcomeKey("caja", 2, 9), OutcomeKey("caja", 2, 10)]) == {OutcomeKey("caja", 2, 9): refused}
    asked = [OutcomeKey("mesa4", 1, number) for number in range(1, 500)] + [OutcomeKey("caja", 2, 9)]
    found = store.outcomes(iter(asked))
    assert found[OutcomeKey("caja", 2, 9)] == refused
    assert found[OutcomeKey("mesa4", 1, 450)] == batch.outcomes[-1]
    assert len(found) == 451
    assert store.outcomes([]) == {}


def test_the_last_number_is_the_highest_of_its_source_and_epoch(store):
    store.commit(bets(store, 2))
    for at, (source, epoch, number) in enumerate((("a", 1, 5), ("a", 1, 6), ("a", 2, 1), ("Ñ", 9, 3), ("b", -1, 0)), 3):
        store.commit(Batch(facts=[fact(at)], outcomes=[OutcomeRow(source, epoch, number, b"d" * 16, at, at)]))

    last = {("mesa4", 1): 2, ("a", 1): 6, ("a", 2): 1, ("Ñ", 9): 3, ("b", -1): 0}
    assert {one: store.last_of(*one) for one in last} == last
    assert store.last_of("a", 3) == store.last_of("nobody", 1) == 0


@pytest.mark.parametrize("direction", ["in", "out"])
def test_a_position_moves_forward_only(store, direction):
    for epoch, seq in ((1, 5), (1, 7), (1, 6)):
        store.commit(Batch(heard=[PositionRow("mesa2", direction, epoch, seq, bytes([seq]) * 32)]))

    assert store.positions() == [PositionRow("mesa2", direction, 1, 7, b"\7" * 32)]
    store.commit(Batch(heard=[PositionRow("mesa2", direction, 2, 2, b"\2" * 32)]))
    newer = [PositionRow("mesa2", direction, 2, 2, b"\2" * 32)]
    assert store.positions() == newer, "a newer incarnation counts from where it says"


def test_a_person_may_change_name_and_pin(store):
    store.commit(Batch(people=[PersonRow("p1", "Ana", "one"), PersonRow("p2", "Bea", "two")]))
    store.commit(Batch(people=[PersonRow("p1", "Ana María", "three")]))

    assert store.people() == [PersonRow("p1", "Ana María", "three"), PersonRow("p2", "Bea", "two")]


def test_words_and_octets_come_back_as_they_were_written(store):
    words = ['a"b', "a\\b", "\\", '","', "{a,b}", "NULL", "", " ", "ñ\n\t'€\U0001f600", "\\x00", "%s"]
    people = [PersonRow(f"p{number:02}", word, word[::-1]) for number, word in enumerate(words)]
    snapshots = [SnapshotRow(0, b""), SnapshotRow(1, bytes(range(256))), SnapshotRow(2, b'{"\\x00"}')]
    store.commit(Batch(people=people, snapshots=snapshots))

    assert store.people() == people
    assert list(store.snapshots()) == snapshots


def test_a_new_epoch_is_kept_and_is_newer(store, place):
    store.commit(Batch(epoch=4))
    store.commit(bets(store))
    with pytest.raises(AssertionError):
        store.commit(Batch(epoch=4))
    store.close()

    with Store.open(place) as again:
        assert again.epoch == 4


def test_a_writer_whose_epoch_was_taken_over_is_fenced(store, tamper, place):
    store.commit(bets(store))
    written = everything(store)
    tamper("UPDATE meta SET value = '2' WHERE key = 'epoch'")
    with pytest.raises(Fenced, match="aquí corre la época 1, en el registro va la 2"):
        store.commit(bets(store))
    with pytest.raises(StoreFailed, match="está cerrado"):
        store.commit(Batch())

    with pytest.raises(Fenced, match="época 1"):
        Store.open(place, epoch=1)
    with Store.open(place, epoch=2) as again:
        assert everything(again) == {**written, "epoch": 2}


def test_a_position_from_a_fenced_writer_is_refused(store, tamper):
    store.commit(bets(store))
    hash_ = store.head().hash
    tamper("UPDATE meta SET value = '2' WHERE key = 'epoch'")
    with pytest.raises(Fenced):
        store.commit(Batch(heard=[PositionRow("hub", "out", 1, 1, hash_)]))


def test_a_second_writer_is_told(store, place):
    with pytest.raises(StoreRefused, match="otro programa ya tiene abierto este registro"):
        Store.open(place)
    store.commit(bets(store))


def test_a_store_is_never_made_over_another(store, place):
    store.close()
    with pytest.raises(StoreRefused, match="aquí ya hay un registro"):
        Store.create(place, "mesa5")
    with Store.open(place) as again:
        assert again.node == "mesa4"


IMPOSSIBLE = {
    "a fact that leaves a gap": (Batch(facts=[fact(3)]), "sin saltos"),
    "a fact that is there already": (Batch(facts=[fact(1)]), "sin saltos|fact_pkey"),
    "facts with a gap between them": (Batch(facts=[fact(2), fact(4)]), "sin saltos"),
    "a fact from nothing": (Batch(facts=[fact(0)]), "desde 1|sin saltos"),
    "postings that do not sum to zero": (
        Batch(facts=[fact(2)], postings=[PostingRow(2, 0, CASH, -100, "bet"), PostingRow(2, 1, POT, 99, "bet")]), "suman cero",
    ),
    "sums that only balance over two facts": (
        Batch(facts=[fact(2), fact(3)], postings=[PostingRow(2, 0, CASH, -100, "bet"), PostingRow(3, 0, POT, 100, "bet")]), "suman cero",
    ),
    "postings for a fact that is there already": (
        Batch(postings=[PostingRow(1, 7, CASH, -1, "bet"), PostingRow(1, 8, POT, 1, "bet")]), "no recibe asientos",
    ),
    "postings without their fact": (Batch(postings=[PostingRow(2, 0, CASH, -1, "bet")]), "FOREIGN KEY|asiento de un hecho"),
    "a posting of nothing": (Batch(facts=[fact(2)], postings=[PostingRow(2, 0, CASH, 0, "bet")]), "distinto de cero"),
    "a posting beyond all bounds": (
        Batch(facts=[fact(2)], postings=[PostingRow(2, 0, CASH, MOST_AMOUNT + 1, "x"), PostingRow(2, 1, "house:a", -MOST_AMOUNT - 1, "x")]),
        "asiento posible",
    ),
    "a line twice": (
        Batch(facts=[fact(2)], postings=[PostingRow(2, 0, CASH, -1, "bet"), PostingRow(2, 0, POT, 1, "bet")]), "posting|asiento unico",
    ),
    "a pot that goes down for no listed cause": (
        Batch(facts=[fact(2)], postings=[PostingRow(2, 0, POT, -1, "set_pot"), PostingRow(2, 1, CASH, 1, "set_pot")]), "causa de la lista",
    ),
    "a training pot that goes down for no listed cause": (
        Batch(facts=[fact(2)], postings=[PostingRow(2, 0, "pot:~x:main", -1, "set"), PostingRow(2, 1, CASH, 1, "set")]), "causa de la lista",
    ),
    "a pot below zero": (Batch(balances=[BalanceRow(POT, -1, 1)]), "solo la casa puede quedar debiendo"),
    "a name that only looks like the house's": (Batch(balances=[BalanceRow("promo:issued:x", -1, 1)]), "solo la casa"),
    "a balance beyond all bounds": (Batch(balances=[BalanceRow(CASH, -MOST_AMOUNT - 1, 1)]), "saldo posible"),
    "an id answered twice": (
        Batch(facts=[fact(2)], outcomes=[OutcomeRow("mesa4", 1, 1, b"x" * 16, 2, 2)]), "outcome|respuesta unica",
    ),
    "an answer of no facts": (Batch(outcomes=[OutcomeRow("m", 1, 1, b"x" * 16, 2, 1)]), "respuesta con hechos"),
    "a short digest": (Batch(outcomes=[OutcomeRow("m", 1, 1, b"x", 1, 1)]), "resumen de 16"),
    "a short hash": (Batch(facts=[fact(2, hash=b"x")]), "huella de 32"),
    "a fact without a kind": (Batch(facts=[fact(2, kind="")]), "hecho con clase"),
    "a fact without a body": (Batch(facts=[fact(2, body=b"")]), "tamano posible"),
    "a fact too large": (Batch(facts=[fact(2, body=b"x" * (MOST_BODY_BYTES + 1))]), "tamano posible"),
    "a checkpoint twice": (Batch(checkpoints=[CheckpointRow(1, b"{}", b"s" * 64)]), "checkpoint"),
    "a short signature": (Batch(checkpoints=[CheckpointRow(2, b"{}", b"s")]), "firma de 64"),
    "a position in no direction": (Batch(heard=[PositionRow("hub", "up", 1, 1, b"h" * 32)]), "sentido conocido"),
    "a person without a key": (Batch(people=[PersonRow("", "Ana", "x")]), "persona con clave"),
}  # fmt: skip


@pytest.mark.parametrize(("batch", "words"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_the_database_itself_refuses_what_can_never_be(store, place, batch, words):
    store.commit(bets(store)._replace(checkpoints=[CheckpointRow(1, b"{}", b"s" * 64)]))
    written = everything(store)
    with pytest.raises(StoreFailed, match=f"rechazó lo que el programa pidió .*({words})") as caught:
        store.commit(batch)

    assert caught.value.sentence.endswith("llame al técnico.")
    assert "\n" not in caught.value.sentence
    for call in (store.head, store.balances, lambda: store.commit(Batch()), store.people):
        with pytest.raises(StoreFailed, match="está cerrado"):
            call()
    store.close()
    with Store.open(place) as again:
        assert everything(again) == written
        again.commit(bets(again))


@pytest.mark.parametrize("cause", POT_FALLS_BY)
def test_a_pot_goes_down_for_the_listed_causes(store, cause):
    store.commit(bets(store))
    store.commit(
        Batch(
            facts=[fact(2)],
            postings=[PostingRow(2, 0, POT, -40, cause), PostingRow(2, 1, "held:estelar", 40, cause)],
            balances=[BalanceRow(POT, 60, 2), BalanceRow("held:estelar", 40, 2)],
        )
    )

    assert store.balances() == {CASH: -100, POT: 60, "held:estelar": 40}


@pytest.mark.parametrize("account", ["cash:m", "house:p:arica", "promo_issued:p:arica", "suspense:m"])
def test_the_house_may_owe_up_to_the_bound(store, account):
    store.commit(Batch(balances=[BalanceRow(account, -MOST_AMOUNT, 1)]))
    store.commit(Batch(balances=[BalanceRow(account, MOST_AMOUNT, 1)]))

    assert store.balances() == {account: MOST_AMOUNT}


@pytest.mark.parametrize("table", ["fact", "posting", "outcome", "checkpoint"])
@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM {}",
        "UPDATE {} SET {}",
        "REPLACE",
    ],
)
def test_what_is_written_is_never_changed_nor_struck_out(store, tamper, table, statement, place):
    store.commit(bets(store)._replace(checkpoints=[CheckpointRow(1, b"{}", b"s" * 64)]))
    written = everything(store)
    column = {"fact": "at = 1", "posting": "cause = 'x'", "outcome": "last = 9", "checkpoint": "body = body"}[table]
    if statement == "REPLACE":
        again = "INSERT OR REPLACE INTO {0} SELECT * FROM {0}" if isinstance(place, Path) else "TRUNCATE {} CASCADE"
        statement = again.format(table)
    with pytest.raises(
        (pysqlite3.Error, postgres.psycopg.Error), match=r"no se cambia ni se borra|sin saltos|no recibe"
    ):
        tamper(statement.format(table, column))

    assert everything(store) == written


def test_a_defect_of_the_program_closes_the_store_too(store, place):
    store.commit(bets(store))
    written = everything(store)
    with pytest.raises((OverflowError, StoreFailed)):
        store.commit(Batch(facts=[fact(2), fact(2**70)]))
    with pytest.raises(StoreFailed, match="está cerrado"):
        store.head()
    with Store.open(place) as again:
        assert everything(again) == written


def test_a_reader_refuses_to_write(store, place):
    store.commit(bets(store))
    with (
        Reader.open(place) as reader,
        pytest.raises((pysqlite3.Error, postgres.psycopg.Error), match=r"(?i)read.?only"),
    ):
        reader._session.raw.execute("UPDATE meta SET value = '9'")

    with Reader.open(place) as reader:
        assert reader.epoch == 1


def test_a_moment_is_one_state_of_the_store(store, place):
    store.commit(bets(store))
    with Reader.open(place) as reader:
        with reader.moment():
            before = everything(reader)
            store.commit(bets(store))
            assert everything(reader) == before
        assert reader.head().seq == 2


def test_a_reader_that_met_an_error_is_closed(store, place):
    with Reader.open(place) as reader:
        with pytest.raises(KeyError), reader.moment():
            raise KeyError
        with pytest.raises(StoreFailed, match="está cerrado"):
            reader.head()
    store.commit(bets(store))


def test_the_auditor_sees_every_rule_the_database_holds(place):
    Store.create(place, "mesa4").close()
    with Reader.open(place) as reader:
        schema = reader.schema()
        assert faults(reader) == []

    names = {one.name for one in schema if one.kind == "table"}
    assert names == {"fact", "posting", "balance", "outcome", "person", "snapshot", "checkpoint", "meta", "position"}
    triggers = {one.name for one in schema if one.kind == "trigger"}
    assert {"fact_follows", "posting_before_fact", "fact_no_update", "checkpoint_no_delete"} <= triggers
    assert "set_pot" not in str(schema) and all(cause in str(schema) for cause in POT_FALLS_BY)


def test_a_place_that_is_none():
    with pytest.raises(StoreRefused, match="debe comenzar con") as caught:
        Store.open("postgresql://ana:clave@hub/pozo")
    assert "clave" not in str(caught.value)
    for made in (Store, Reader):
        with pytest.raises(StoreError, match="no existe este registro"):
            made.open("/nowhere/pozo.db")
        with pytest.raises(StoreRefused, match=r"Se perdió la base de datos|No se puede abrir"):
            made.open("postgresql+psycopg://ana:clave@/pozo?host=/nowhere")


def test_a_database_that_is_no_store_of_ours(place, tamper):
    if isinstance(place, Path):
        pysqlite3.connect(str(place)).close()
        place.touch()
    for made in (Store, Reader):
        with pytest.raises(StoreRefused, match="no es un registro de pozo"):
            made.open(place)
    tamper("CREATE TABLE meta (key TEXT, value TEXT)")
    with pytest.raises(StoreRefused, match="no es un registro de pozo"):
        Store.open(place)


def test_closing_twice_is_closing(store):
    store.close()
    store.close()
    with pytest.raises(StoreFailed, match="está cerrado"):
        store.head()


def test_the_chain_of_the_cases_is_a_chain(store):
    store.commit(bets(store, 2))
    one, two = store.facts()

    assert one.hash != two.hash != GENESIS


def test_long_questions_come_in_their_order_and_may_be_left_in_the_middle(store, place):
    for _ in range(3):
        store.commit(bets(store, 5))
    store.commit(bets(store)._replace(snapshots=[SnapshotRow(16, b"{}")]))

    with Reader.open(place) as reader:
        assert next(reader.outcome_rows()).first == 1
        beside = zip(reader.outcome_rows(), reader.posting_rows(), strict=False)
        assert [outcome.first for outcome, _ in beside] == list(range(1, 17))
        assert {row.account: row.amount for row in reader.balance_rows()} == store.balances()
        assert list(reader.posting_rows()) == list(store.postings())
        assert [row.seq for row in reader.snapshots()] == [16]
    with pytest.raises(StoreFailed):
        list(reader.outcome_rows())


# Facts of a few kinds, in a record where they are rare


RARE = ("pass_sealed", "claim_registered", "claim_corrected")


def rarely(store: Store, count: int) -> list[FactRow]:
    """Facts, of which every seventh is of a rare kind, and every fortieth of another one."""
    head = store.head()
    first = 1 if head is None else head.seq + 1
    kinds = {0: "pass_sealed", 3: "claim_registered"}
    facts = [fact(seq, kind=kinds.get(seq % 40, "bet") if seq % 7 else RARE[0]) for seq in range(first, first + count)]
    store.commit(Batch(facts=facts))
    return [one for one in facts if one.kind in RARE]


@pytest.mark.parametrize("start", [1, 7, 8, 1500, 2999, 3000, 3001])
def test_facts_of_kinds_come_in_order_from_both_sides(store, start):
    rare = rarely(store, 3000)

    assert list(store.facts_since(start, RARE)) == [one for one in rare if one.seq >= start]
    assert list(store.facts_back(start, RARE)) == [one for one in reversed(rare) if one.seq <= start]
    assert list(store.facts_since(start, RARE[2:])) == list(store.facts_back(start, ())) == []


def test_who_reads_facts_of_kinds_sees_all_of_them_as_they_were_when_he_began(place):
    """Each kind is read in pages of its own. One that came to its end early would miss what is committed then, and show
    what was committed behind it: whoever remembers how far he read would never hear of it (R-34)."""
    with Store.create(place, "mesa4") as store, Reader.open(place) as reader:
        before = rarely(store, 700)
        forwards, back = reader.facts_since(1, RARE), reader.facts_back(2**63 - 1, RARE)
        first = next(forwards)
        store.commit(Batch(facts=[fact(store.head().seq + 1, kind="claim_corrected")]))
        after = rarely(store, 700)

        assert after and [first, *forwards] == before == [*back][::-1]


def test_facts_of_kinds_are_found_through_their_index(store):
    rarely(store, 50)
    plans = {
        "sqlite": "EXPLAIN QUERY PLAN ",
        "postgresql": "EXPLAIN ",
    }
    of = (("fact_of_pots", RARE[0]), ("fact_of_links", "letter_told"))
    for questions in (reads._FORWARDS, reads._BACKWARDS):
        for (index, kind), question in zip(of, questions, strict=True):
            explained = sa.text(plans[store._session.dialect] + question.text)
            rows = store._session.rows(explained, {"kind": kind, "start": 5, "size": 4})
            said = " ".join(str(row) for row in rows)
            assert index in said and "SCAN" not in said.replace("Index Scan", "") and "Sort" not in said


def test_a_kind_that_no_index_lists_is_not_asked_for(store):
    with pytest.raises(AssertionError, match="an index lists"):
        list(store.facts_since(1, ["bet"]))
