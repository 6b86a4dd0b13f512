"""The store in a PostgreSQL database: how it is opened, how a batch is written, who may still write.

Theory. An advisory lock tells a second writer so, and is no fence: it outlives its holder for as long as the network
takes to notice. The fence is the epoch, read and held inside every transaction that writes. A batch goes out in one
flight, the fence first and the COMMIT last, so it costs one round trip, and whatever is refused on the way takes all
of it back. A COMMIT that returns with a warning may exist on this machine alone: it counts as unknown.
"""

# ruff: noqa: S608  every statement is made of constants of this program; values go as parameters
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from controller.node.store.failure import StoreRefused, database_errors, sentence_of, warned
from controller.node.store.rows import Batch
from controller.node.store.schema import BEGIN, ON_CONFLICT, WRITTEN
from controller.node.store.session import DatabaseSession

if TYPE_CHECKING:
    import psycopg

URL_START = "postgresql+psycopg://"

_LOCK = 0x706F7A6F  # "pozo"
_CONNECT_TIMEOUT_S = 10
# The server lets go of a writer whose cable was pulled after 10 + 3 * 5 seconds instead of two hours. Every question
# is by key: a plan made while the tables were empty, and kept, would read them whole for ever (five times slower).
_SETTINGS = (
    "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    " -c lock_timeout=5s -c enable_seqscan=off"
)
_READ_ONLY = " -c default_transaction_read_only=on"
_MUST_BE = {
    "fsync": ("on",),
    "full_page_writes": ("on",),
    "synchronous_commit": ("on", "remote_write", "remote_apply"),
    "server_encoding": ("UTF8",),
}

_HOLD_EPOCH = "SELECT hold_epoch(%s)"
_THIN = "DELETE FROM snapshot WHERE seq = ANY(%s::bigint[])"
_NEW_EPOCH = "UPDATE meta SET value = %s WHERE key = 'epoch'"
_TYPES = {
    **dict.fromkeys(("kind", "account", "cause", "source", "id", "name", "verifier", "peer", "direction"), "text"),
    **dict.fromkeys(("body", "hash", "digest", "signature"), "bytea"),
}


def _numbers(column: Iterable[int]) -> str:
    return "{" + str([*column])[1:-1] + "}"


def _texts(column: Iterable[str]) -> str:
    escaped = [text.replace("\\", r"\\").replace('"', r"\"") for text in column]
    return '{"' + '","'.join(escaped) + '"}'


def _octets(column: Iterable[bytes]) -> str:
    return "{" + ",".join([rf'"\\x{octets.hex()}"' for octets in column]) + "}"


_AS_ARRAY: dict[str, Callable[..., str]] = {"bigint": _numbers, "text": _texts, "bytea": _octets}
"""How a column is written down. The driver would look at each value by itself: a third of what a batch costs us."""


class _Insert(NamedTuple):
    """One statement for any number of rows: a column comes as an array."""

    statement: str
    written: tuple[Callable[..., str], ...]

    @classmethod
    def into(cls, table: sa.TableClause) -> "_Insert":
        columns = table.c.keys()
        types = [_TYPES.get(column, "bigint") for column in columns]
        arrays = ", ".join(f"%s::{type_}[]" for type_ in types)
        rows = f"SELECT * FROM unnest({arrays}) {ON_CONFLICT.get(table.name, '')}"
        statement = f"INSERT INTO {table.name} ({', '.join(columns)}) {rows}"
        return cls(statement, tuple(_AS_ARRAY[type_] for type_ in types))

    def arrays(self, rows: Sequence[tuple[Any, ...]]) -> list[str]:
        columns = zip(*rows, strict=True)
        return [written(column) for written, column in zip(self.written, columns, strict=True)]


_INSERTS = tuple(map(_Insert.into, WRITTEN))
_PATIENCE = "2s"


def _connect(url: str, options: str) -> tuple[str, sa.Connection]:
    place = sa.make_url(url).render_as_string(hide_password=True)
    engine = sa.create_engine(
        url,
        poolclass=sa.NullPool,
        isolation_level="AUTOCOMMIT",
        connect_args={"options": options, "connect_timeout": _CONNECT_TIMEOUT_S, "prepare_threshold": 0},
    )
    try:
        return place, engine.connect()
    except database_errors() as error:
        raise StoreRefused(place, sentence_of(error)) from error


def open_writer(url: str) -> DatabaseSession:
    """The connection that writes, on a server that keeps what it confirms."""
    place, connection = _connect(url, _SETTINGS)
    session = DatabaseSession(place, connection)
    with session.at_risk():
        for name, sound in _MUST_BE.items():
            found = session.raw.execute(f"SHOW {name}").fetchone()[0]
            if found not in sound:
                raise StoreRefused(place, f"la base de datos tiene {name} = {found}: debe ser {' o '.join(sound)}")
        _take_lock(session)
    return session


def _take_lock(session: DatabaseSession) -> None:
    """One writer. A server lets go of a lock a moment after its connection is gone, so that is waited for."""
    import psycopg  # noqa: PLC0415  loaded with the first connection to a server, and never for a file

    session.raw.execute(f"SET lock_timeout = '{_PATIENCE}'")
    try:
        session.raw.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
    except psycopg.errors.LockNotAvailable:
        raise StoreRefused(session.place, "otro programa ya tiene abierto este registro para escribir") from None
    session.raw.execute("SET lock_timeout = 0")


def open_reader(url: str) -> DatabaseSession:
    """A connection to which the server refuses every change."""
    return DatabaseSession(*_connect(url, _SETTINGS + _READ_ONLY))


class PostgresWriter:
    """Writes batches, each in one transaction that is on the server's disk when it returns."""

    def __init__(self, session: DatabaseSession) -> None:
        self.session = session
        self._warnings: list[str] = []
        session.raw.add_notice_handler(self._hear)

    def _hear(self, notice: "psycopg.errors.Diagnostic") -> None:
        if notice.severity_nonlocalized == "WARNING":
            self._warnings.append(notice.message_primary or "")

    def write(self, batch: Batch, epoch: int) -> None:
        execute = self.session.raw.execute
        with self.session.raw.pipeline():
            execute(BEGIN["postgresql"])
            execute(_HOLD_EPOCH, (epoch,))
            for insert, rows in zip(_INSERTS, batch.rows, strict=True):
                if rows:
                    execute(insert.statement, insert.arrays(rows))
            if batch.thinned:
                execute(_THIN, (list(batch.thinned),))
            if batch.epoch is not None:
                execute(_NEW_EPOCH, (str(batch.epoch),))
            execute("COMMIT")
        if self._warnings:
            raise warned(self.session.place, "; ".join(self._warnings))

    def finish(self) -> None:
        """Nothing is left to do: the server keeps its own log."""
