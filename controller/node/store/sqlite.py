"""The store in one SQLite file: how it is opened, how a batch is written, how its log is folded back.

Theory. One connection writes and folds the write-ahead log back; a lock beside the file keeps any second writer out.
SQLite below 3.51.3 can damage a file in this mode and is refused. Every commit is synced before it returns. The log
is folded back by this connection alone, when it has grown past 16 MiB and at the end, so that one commit costs one
sync. The statements are the driver's own, constant text with tuples: SQLAlchemy opens, asks and closes.
"""

# ruff: noqa: S608  every statement is made of constants of this program; values go as parameters
import fcntl
import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pysqlite3  # type: ignore[import-untyped]
import sqlalchemy as sa

from controller.node.store.failure import StoreRefused, database_errors, sentence_of, taken_over
from controller.node.store.rows import Batch
from controller.node.store.schema import BEGIN, ON_CONFLICT, WRITTEN
from controller.node.store.session import DatabaseSession
from controller.node.vocabulary.disk import sync

_OLDEST_SOUND = (3, 51, 3)
_WITHDRAWN = (3, 52, 0)
_PAGE_BYTES = 4096  # 1 KiB to 8 KiB cost the same within 10 %; see docs/benchmarks.md
_MOST_LOG_PAGES = 16 * 2**20 // _PAGE_BYTES
_WAIT_FOR_OTHERS_S = 5.0
_CACHE_KIB = 2_000  # of pages, of each connection; it fills in the first hours of play and stays full

_OF_EVERY_CONNECTION = (
    "PRAGMA wal_autocheckpoint = 0",
    "PRAGMA mmap_size = 0",
    f"PRAGMA cache_size = -{_CACHE_KIB}",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)
_OF_THE_WRITER = (
    *_OF_EVERY_CONNECTION,
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA secure_delete = FAST",  # a verifier that was replaced is not left in its page
)
_OF_A_READER = (*_OF_EVERY_CONNECTION, "PRAGMA query_only = ON")

_EPOCH = "SELECT value FROM meta WHERE key = 'epoch'"
_THIN = "DELETE FROM snapshot WHERE seq = ?"
_NEW_EPOCH = "UPDATE meta SET value = ? WHERE key = 'epoch'"
_INSERTS = tuple(
    f"INSERT INTO {table.name} ({', '.join(table.c.keys())})"
    f" VALUES ({', '.join('?' * len(table.c))}) {ON_CONFLICT.get(table.name, '')}"
    for table in WRITTEN
)


def refuse_unsound_version(place: str) -> None:
    version = pysqlite3.sqlite_version_info
    if version < _OLDEST_SOUND or version == _WITHDRAWN:
        found = ".".join(map(str, version))
        raise StoreRefused(place, f"SQLite {found} puede dañar el registro: se necesita 3.51.3 o más nueva, no 3.52.0")


def connect(path: Path, mode: str, pragmas: Sequence[str]) -> sa.Connection:
    """A connection in autocommit, outside any pool; one thread may use it at a time."""
    refuse_unsound_version(str(path))

    def of_driver() -> Any:
        raw = pysqlite3.connect(
            f"file:{quote(str(path))}?{mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=_WAIT_FOR_OTHERS_S,
        )
        try:
            for pragma in pragmas:
                raw.execute(pragma).fetchall()
        except pysqlite3.Error:
            raw.close()
            raise
        return raw

    engine = sa.create_engine(
        "sqlite://", module=pysqlite3, creator=of_driver, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT"
    )
    try:
        return engine.connect()
    except database_errors() as error:
        raise StoreRefused(str(path), sentence_of(error)) from error


def open_writer(path: Path) -> DatabaseSession:
    """The one connection that writes to an existing file."""
    if not path.is_file():
        raise StoreRefused(str(path), "no existe este registro")
    lock = take_lock(path)
    with ExitStack() as unless_open:
        unless_open.callback(os.close, lock)
        connection = connect(path, "mode=rw", _OF_THE_WRITER)
        unless_open.callback(connection.close)
        _sync_what_is_there(path)
        unless_open.pop_all()
    return DatabaseSession(str(path), connection, release=lambda: os.close(lock))


def _sync_what_is_there(path: Path) -> None:
    """What a writer is handed is on the disk, also where the one before was killed between a commit and its sync.

    SQLite hands such a commit out as done, and what somebody then heard of it would go with the next power cut. The
    folder with it: SQLite syncs that too when its log is new, and does not mind when it fails (seen with strace).
    """
    try:
        for one in (path.with_name(path.name + "-wal"), path.parent):
            if one.exists():
                sync(one)
    except OSError as error:
        raise StoreRefused(str(path), sentence_of(error)) from error


def open_new(path: Path) -> DatabaseSession:
    """A connection to a file that is still being made, and has no name yet that anyone would open."""
    return DatabaseSession(str(path), connect(path, "mode=rw", _OF_EVERY_CONNECTION))


def open_reader(path: Path) -> DatabaseSession:
    """A connection that never writes: beside a writer, or on a copy, even where nothing may be written."""
    if not path.is_file():
        raise StoreRefused(str(path), "no existe este registro")
    return DatabaseSession(str(path), connect(path, "mode=ro" + _immutable(path), _OF_A_READER))


def _immutable(path: Path) -> str:
    """A finished copy in a folder closed to writing: no other program writes there either, so SQLite needs no log."""
    has_log = path.with_name(path.name + "-wal").exists()
    return "" if has_log or os.access(path.parent, os.W_OK) else "&immutable=1"


def take_lock(path: Path) -> int:
    """The lock beside the file; its holder is the writer. The system lets it go when its process ends."""
    beside = path.with_name(path.name + ".lock")
    try:
        lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StoreRefused(str(path), sentence_of(error)) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise StoreRefused(str(path), "otro programa ya tiene abierto este registro para escribir") from None
    return lock


class SqliteWriter:
    """Writes batches, each in one transaction that is on the disk when it returns."""

    def __init__(self, session: DatabaseSession) -> None:
        self.session = session
        self._cursor = session.raw.cursor()

    def write(self, batch: Batch, epoch: int) -> None:
        self._begin(epoch)
        for statement, rows in zip(_INSERTS, batch.rows, strict=True):
            if rows:
                self._cursor.executemany(statement, rows)
        if batch.thinned:
            self._cursor.executemany(_THIN, [(seq,) for seq in batch.thinned])
        if batch.epoch is not None:
            self._cursor.execute(_NEW_EPOCH, (str(batch.epoch),))
        self._cursor.execute("COMMIT")
        self._fold_long_log()

    def _begin(self, epoch: int) -> None:
        self._cursor.execute(BEGIN["sqlite"])
        there = self._cursor.execute(_EPOCH).fetchone()[0]
        if there != str(epoch):
            raise taken_over(self.session.place, epoch, there)

    def _fold_long_log(self) -> None:
        _, pages, _ = self._cursor.execute("PRAGMA wal_checkpoint(NOOP)").fetchone()
        if pages > _MOST_LOG_PAGES:
            self._cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def finish(self) -> None:
        """Folds the log back, so that the file alone is the store; a reader who is still there keeps a part of it."""
        self._cursor.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
