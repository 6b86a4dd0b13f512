"""What only a server can do: go away, confirm half-heartedly, be set up carelessly, serve two masters."""

import threading
import time

import psycopg
import pytest
import sqlalchemy

from controller.node.store.failure import Fenced, StoreFailed, StoreRefused
from controller.node.store.rows import Batch
from controller.node.store.store import Reader, Store
from controller.record.record import FactRow, PersonRow
from support.store import postgres
from support.store.store_cases import bets, everything

pytestmark = pytest.mark.process


@pytest.fixture
def server(request):
    return postgres.server(request.config)


@pytest.fixture
def place(server) -> str:
    return server.new_database()


@pytest.fixture
def store(place):
    with Store.create(place, "hub") as made:
        yield made


@pytest.fixture
def stranger(server, place):
    with server.connect(place) as connection:
        yield connection


def eventually(holds) -> None:
    for _ in range(500):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to be")


def backend_of(store: Store) -> int:
    return store._session.raw.info.backend_pid


def test_a_lost_connection_ends_the_store(store, stranger, place):
    store.commit(bets(store))
    written = everything(store)
    stranger.execute("SELECT pg_terminate_backend(%s)", (backend_of(store),))
    batch = Batch(people=[PersonRow("p1", "Ana", "x")])
    with pytest.raises(StoreFailed, match=r"Se perdió la base de datos .* al arrancar se comprueba todo"):
        store.commit(batch)
    with pytest.raises(StoreFailed, match="está cerrado"):
        store.commit(batch)

    with Store.open(place) as again:
        assert everything(again) == written


def test_a_commit_confirmed_with_a_warning_counts_as_unknown(store, stranger):
    """A synchronous standby that is not there, and someone who cancels the wait for it: PostgreSQL says COMMIT."""
    stranger.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    stranger.execute("SELECT pg_reload_conf()")
    try:
        failures: list[StoreFailed] = []

        def commit() -> None:
            try:
                store.commit(Batch(people=[PersonRow("p1", "Ana", "x")]))
            except StoreFailed as failed:
                failures.append(failed)

        eventually(lambda: stranger.execute("SHOW synchronous_standby_names").fetchone() == ("nobody",))
        pid = backend_of(store)
        committing = threading.Thread(target=commit)
        committing.start()
        waiting = "SELECT wait_event FROM pg_stat_activity WHERE pid = %s"
        eventually(lambda: stranger.execute(waiting, (pid,)).fetchone() == ("SyncRep",))
        stranger.execute("SELECT pg_cancel_backend(%s)", (pid,))
        committing.join()
    finally:
        stranger.execute("ALTER SYSTEM RESET synchronous_standby_names")
        stranger.execute("SELECT pg_reload_conf()")

    assert "confirmó con una advertencia (canceling wait for synchronous replication" in failures[0].sentence
    with pytest.raises(StoreFailed, match="está cerrado"):
        store.people()


@pytest.mark.parametrize("careless", ["synchronous_commit = off", "synchronous_commit = local"])
def test_a_server_that_confirms_what_it_does_not_keep_is_refused(store, stranger, place, careless):
    store.close()
    name = sqlalchemy.make_url(place).database
    stranger.execute(f"ALTER DATABASE {name} SET {careless}")
    with pytest.raises(StoreRefused, match=f"{careless}: debe ser on o remote_write o remote_apply"):
        Store.open(place)


def test_who_raises_the_epoch_waits_for_the_commit_under_way_and_fences_the_next(store, stranger, place):
    """The writer holds the epoch inside its transaction, so a commit is either before the new master or not at all."""
    store.commit(bets(store))
    execute = store._session.raw.execute
    execute("BEGIN")
    execute("SELECT hold_epoch(1)")
    stranger.execute("SET lock_timeout = '200ms'")
    with pytest.raises(psycopg.errors.LockNotAvailable):
        stranger.execute("UPDATE meta SET value = '2' WHERE key = 'epoch'")
    execute("ROLLBACK")
    stranger.execute("UPDATE meta SET value = '2' WHERE key = 'epoch'")
    with pytest.raises(Fenced):
        store.commit(Batch(people=[PersonRow("p1", "Ana", "x")]))
    with Reader.open(place) as reader:
        assert reader.people() == []


def test_two_masters_of_one_epoch_cannot_both_go_on(store, stranger):
    """Should the lock ever fail, the next fact exists once: the second of two equal seqs is refused."""
    store.commit(bets(store))
    batch = bets(store)
    other = batch.facts[0]
    stranger.execute("INSERT INTO fact VALUES (%s, %s, %s, %s, %s)", other)
    with pytest.raises(StoreFailed, match="rechazó"):
        store.commit(batch)


def test_a_lock_held_by_a_stranger_is_not_waited_for_without_end(store, stranger):
    store._session.raw.execute("SET lock_timeout = '100ms'")
    stranger.execute("BEGIN")
    stranger.execute("LOCK TABLE fact IN ACCESS EXCLUSIVE MODE")
    with pytest.raises(StoreFailed, match="Otro programa tiene tomado el registro"):
        store.commit(Batch(facts=[FactRow(1, 1, "x", b"x", b"h" * 32)]))


def test_a_database_is_copied_by_its_own_tools(store, tmp_path):
    with pytest.raises(StoreRefused, match="pg_basebackup"):
        store.backup(tmp_path / "copy.db")
    store.commit(bets(store))


def test_what_a_stranger_says_is_not_a_warning_to_us(store, stranger):
    stranger.execute("DO $$ BEGIN RAISE WARNING 'mine'; END $$")
    store._session.raw.execute("DO $$ BEGIN RAISE NOTICE 'only a notice'; END $$")
    store.commit(bets(store))
