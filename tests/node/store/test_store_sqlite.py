"""What only a file can do: be locked, be copied, be full, be damaged, be on a disk that fails."""

import resource
import shutil
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pysqlite3
import pytest

from controller.node.store import sqlite as store_sqlite
from controller.node.store.failure import StoreFailed, StoreRefused
from controller.node.store.rows import Batch
from controller.node.store.session import DatabaseSession
from controller.node.store.store import Reader, Store
from controller.record.record import OutcomeRow
from support.drivers import peers
from support.places import TESTS
from support.store.store_cases import bets, everything, faults

MIB = 2**20


@pytest.fixture
def place(tmp_path) -> Path:
    return tmp_path / "pozo.db"


@pytest.fixture
def store(place):
    with Store.create(place, "mesa4") as made:
        yield made


def setting(session: DatabaseSession, name: str) -> object:
    return session.raw.execute(f"PRAGMA {name}").fetchone()[0]


def log_of(place: Path) -> Path:
    return place.with_name(place.name + "-wal")


def test_every_connection_has_the_settings_that_keep_money(store, place):
    common = {
        "wal_autocheckpoint": 0, "mmap_size": 0, "foreign_keys": 1, "recursive_triggers": 1, "trusted_schema": 0,
        "cell_size_check": 1, "journal_mode": "wal", "cache_size": -2000,
    }  # fmt: skip
    with Reader.open(place) as reader:
        for session, more in ((store._session, {"synchronous": 2}), (reader._session, {"query_only": 1})):
            for name, value in (common | more).items():
                assert setting(session, name) == value, name


def test_nobody_else_may_read_the_files(store, place):
    store.commit(bets(store))
    store.backup(place.with_name("copy.db"))
    for file in place.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_a_closed_store_is_one_file(store, place):
    store.commit(bets(store))
    store.close()

    assert {file.name for file in place.parent.iterdir()} == {"pozo.db", "pozo.db.lock"}


@pytest.mark.parametrize("version", [(3, 40, 1), (3, 51, 2), (3, 52, 0)])
def test_a_sqlite_that_can_damage_the_file_is_refused(store, place, monkeypatch, version):
    store.close()
    monkeypatch.setattr(pysqlite3, "sqlite_version_info", version)
    for asked in (Store.open, Reader.open):
        with pytest.raises(StoreRefused, match=r"puede dañar el registro: se necesita 3.51.3 o más nueva"):
            asked(place)
    monkeypatch.setattr(pysqlite3, "sqlite_version_info", (3, 51, 3))
    Store.open(place).close()


@pytest.mark.process
def test_a_writer_in_another_process_is_told_and_a_dead_one_is_not_in_the_way(store, place):
    words = f"from controller.node.store.store import Store; Store.open({str(place)!r})"
    told = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False)
    assert "otro programa ya tiene abierto este registro para escribir" in told.stderr
    store.close()
    subprocess.run([sys.executable, "-c", f"import os; {words}; os._exit(0)"], check=True)
    Store.open(place).close()


def test_a_refused_opening_leaves_the_lock_free(place):
    Store.create(place, "mesa4").close()
    whole = place.read_bytes()
    place.write_bytes(b"this is no database at all, but long enough to look like one" * 20)
    with pytest.raises(StoreRefused, match="El registro está dañado"):
        Store.open(place)
    place.write_bytes(whole)
    Store.open(place).close()


def test_a_store_cannot_be_made_or_locked_where_nothing_can_be(tmp_path):
    with pytest.raises(StoreRefused, match=r"el registro no se creó. El disco falló"):
        Store.create(tmp_path / "no" / "pozo.db", "mesa4")
    place = tmp_path / "pozo.db"
    Store.create(place, "mesa4").close()
    lock = tmp_path / "pozo.db.lock"
    lock.unlink()
    lock.mkdir()
    with pytest.raises(StoreRefused, match="El disco falló"):
        Store.open(place)


def test_the_log_is_folded_back_past_its_bound_and_used_again(store, place):
    body = b"x" * 100_000
    for _ in range(300):
        batch = bets(store, 2)
        store.commit(batch._replace(facts=[row._replace(body=body) for row in batch.facts]))

    assert place.stat().st_size > 40 * MIB, "most of 60 MB of facts went into the file"
    assert log_of(place).stat().st_size < 18 * MIB


def test_the_log_stays_near_its_bound_for_small_commits(store, place):
    for _ in range(900):
        store.commit(bets(store, 3))

    assert 16 * MIB < log_of(place).stat().st_size < 17 * MIB


def test_the_last_numbers_of_many_outcomes_are_found_by_steps(store):
    store.commit(bets(store))
    for start in range(0, 200_000, 50_000):
        store.commit(
            Batch(outcomes=[OutcomeRow("caja", 1 + n % 3, n, b"d" * 16, 1, 1) for n in range(start, start + 50_000)])
        )
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    store._session.raw.set_progress_handler(count, 100)
    last = [store.last_of("mesa4", 1), *(store.last_of("caja", epoch) for epoch in (1, 2, 3))]
    store._session.raw.set_progress_handler(None, 0)

    assert last == [1, 199_998, 199_999, 199_997]
    assert steps < 10, "fewer than 1,000 steps of SQLite's machine for two hundred thousand rows"


def test_a_backup_is_whole_while_the_store_is_written(store, place):
    store.commit(bets(store, 2000))
    copies = [place.with_name(f"copy{n}.db") for n in range(5)]
    copying = threading.Thread(target=lambda: [store.backup(copy) for copy in copies])
    copying.start()
    written = 0
    while copying.is_alive():
        store.commit(bets(store))
        written += 1
    copying.join()

    assert written > 5
    seen = []
    for copy in copies:
        with Reader.open(copy) as reader:
            head = reader.head().seq
            assert faults(reader) == []
            assert reader.balances()["pot:estelar:main"] == 100 * head == 100 * len(list(reader.facts()))
            seen.append(head)
    assert seen == sorted(seen) and seen[0] >= 2000 and seen[-1] > seen[0]


def test_a_backup_is_a_store(store, place):
    store.commit(bets(store, 3))
    copy = place.with_name("copy.db")
    store.backup(copy)
    written = everything(store)
    assert not copy.with_name("copy.db.part").exists()

    with Store.open(copy) as restored:
        assert everything(restored) == written
        restored.commit(bets(restored)._replace(epoch=2))


def test_a_backup_replaces_nothing(store, place):
    copy = place.with_name("copy.db")
    copy.write_text("mine")
    with pytest.raises(StoreRefused, match="no se reemplaza"):
        store.backup(copy)
    assert copy.read_text() == "mine"
    store.commit(bets(store))


def test_a_backup_that_fails_leaves_nothing_and_harms_nothing(store, place):
    store.commit(bets(store, 50))
    with pytest.raises(StoreRefused, match="la copia no se hizo"):
        store.backup(place.with_name("no") / "copy.db")
    with files_no_larger_than(8192), pytest.raises(StoreRefused, match=r"la copia no se hizo. El disco"):
        store.backup(place.with_name("copy.db"))
    assert {file.name for file in place.parent.iterdir()} == {"pozo.db", "pozo.db-wal", "pozo.db-shm", "pozo.db.lock"}
    store.commit(bets(store))


def test_a_damaged_store_is_not_copied(place):
    with Store.create(place, "mesa4") as store:
        store.commit(bets(store, 3000))
    damage(place)
    with Store.open(place) as store, pytest.raises(StoreRefused, match=r"la copia no salió igual|dañado"):
        store.backup(place.with_name("copy.db"))
    assert not place.with_name("copy.db").exists()
    with Reader.open(place) as reader:
        assert faults(reader)


def test_a_damaged_store_says_what_to_do(place):
    with Store.create(place, "mesa4") as store:
        store.commit(bets(store, 3000))
    damage(place)
    with pytest.raises(StoreFailed, match=r"está dañado .*restaure el último respaldo"), Store.open(place) as store:
        assert not (list(store.facts()), list(store.postings()))


def damage(place: Path) -> None:
    """Wipes pages in the middle of the file, so that its trees no longer hold."""
    with place.open("r+b") as file:
        pages = place.stat().st_size // 4096
        for page in range(pages // 4, pages // 2):
            file.seek(page * 4096)
            file.write(b"\xff" * 4096)


@contextmanager
def closed_to_writing(folder: Path):
    """A folder nobody may write to, for root too: `os.access` says so, and SQLite would find out."""
    folder.chmod(0o555)
    try:
        yield
    finally:
        folder.chmod(0o755)


def test_a_copy_in_a_folder_closed_to_writing_is_read(store, place, tmp_path, monkeypatch):
    store.commit(bets(store, 3))
    written = everything(store)
    store.close()
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    shutil.copy(place, shelf / "pozo.db")  # still in WAL mode: SQLite wants to make a log beside it
    (shelf / "pozo.db").chmod(0o444)
    monkeypatch.setattr(store_sqlite.os, "access", lambda path, _: path != shelf)
    with closed_to_writing(shelf), Reader.open(shelf / "pozo.db") as reader:
        assert everything(reader) == written
        assert [file.name for file in shelf.iterdir()] == ["pozo.db"]


def test_a_copy_of_everything_that_lies_beside_a_running_store_is_read(store, place, tmp_path):
    store.commit(bets(store, 3))
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    for name in ("pozo.db", "pozo.db-wal"):
        shutil.copy(place.with_name(name), shelf)
    with Reader.open(shelf / "pozo.db") as reader:
        assert everything(reader) == everything(store)


@contextmanager
def files_no_larger_than(size: int):
    """Python ignores SIGXFSZ, so a write beyond the limit fails with EFBIG: an I/O error to SQLite."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def commit_until_it_fails(store: Store) -> tuple[StoreFailed, dict[str, object]]:
    """The failure, and what had been acknowledged before it."""
    for _ in range(2000):
        acknowledged = everything(store)
        batch = bets(store, 20)
        try:
            store.commit(batch)
        except StoreFailed as failed:
            return failed, acknowledged
    raise AssertionError("the disk never failed")


def assert_closed_and_nothing_lost(store: Store, place: Path, acknowledged: dict[str, object]) -> None:
    for call in (store.head, lambda: store.commit(Batch()), lambda: next(store.facts())):
        with pytest.raises(StoreFailed, match="está cerrado"):
            call()
    store.close()
    with Store.open(place) as again:
        assert everything(again) == acknowledged
        again.commit(bets(again))


def test_a_write_that_fails_ends_the_store(store, place):
    store.commit(bets(store))
    with files_no_larger_than(log_of(place).stat().st_size + 200_000):
        failed, acknowledged = commit_until_it_fails(store)

    assert "El disco falló al leer o escribir" in failed.sentence
    assert failed.sentence.endswith("al arrancar se comprueba todo.")
    assert acknowledged["head"].seq > 20
    assert_closed_and_nothing_lost(store, place, acknowledged)


def test_a_full_disk_ends_the_store(store, place):
    store.commit(bets(store))
    pages = setting(store._session, "page_count")
    store._session.raw.execute(f"PRAGMA max_page_count = {pages + 8}").fetchone()
    failed, acknowledged = commit_until_it_fails(store)

    assert "El disco está lleno" in failed.sentence
    assert acknowledged["head"].seq > 20
    assert_closed_and_nothing_lost(store, place, acknowledged)


INJECTED = [
    ("fsync:error=EIO:when={}", "El disco falló"),
    ("pwrite64:error=EIO:when={}", "El disco falló"),
    ("pwrite64:error=ENOSPC:when={}+", "El disco"),
]


@pytest.mark.process
@pytest.mark.parametrize("when", [1, 2, 7, 40])
@pytest.mark.parametrize(("fault", "words"), INJECTED)
def test_the_system_itself_fails_a_write_or_a_sync(place, fault, words, when):
    """strace makes one call of the running writer fail; what it had acknowledged is there afterwards."""
    strace = peers.program("strace")
    with Store.create(place, "mesa4") as store:
        store.commit(bets(store, 3))
    program = TESTS / "support/store/store_writer.py"
    call = fault.split(":")[0]
    done = subprocess.run(
        [strace, "-qq", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={fault.format(when)}",
         sys.executable, str(program), str(place)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    if "PTRACE" in done.stderr or "ptrace" in done.stderr:
        peers.absent("strace (it may not trace here)")
    lines = done.stdout.splitlines()
    acknowledged = [int(line) for line in lines if line.isdecimal()]

    assert words in lines[-2], done.stdout + done.stderr
    assert "está cerrado" in lines[-1]
    with Store.open(place) as again:
        last = again.head().seq
        assert last in {(acknowledged or [3])[-1], (acknowledged or [3])[-1] + 1}
        assert again.balances()["pot:estelar:main"] == 100 * last
        assert [row.seq for row in again.facts()] == list(range(1, last + 1))
        again.commit(bets(again))
    with Reader.open(place) as reader:
        assert faults(reader) == []


def test_a_store_taken_by_a_stranger_says_so(store, place, monkeypatch):
    monkeypatch.setattr(store_sqlite, "_WAIT_FOR_OTHERS_S", 0.1)
    store.close()
    stranger = pysqlite3.connect(str(place), isolation_level=None)
    stranger.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(StoreFailed, match="Otro programa tiene tomado el registro"), Store.open(place) as again:
            again.commit(bets(again))
    finally:
        stranger.close()


def test_the_descriptor_of_the_lock_is_given_back(place):
    Store.create(place, "mesa4").close()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        Store.open(place).close()
        with pytest.raises(StoreRefused):
            Store.create(place, "mesa4")

    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_reading_a_backup_leaves_nothing_beside_it(store, tmp_path):
    store.commit(bets(store, 3))
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    store.backup(shelf / "pozo.db")
    before = (shelf / "pozo.db").read_bytes()
    with Reader.open(shelf / "pozo.db") as reader:
        assert reader.head().seq == 3

    assert (shelf / "pozo.db").read_bytes() == before
    assert [file.name for file in shelf.iterdir()] == ["pozo.db"]
