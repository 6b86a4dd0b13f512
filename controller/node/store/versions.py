"""How a store comes to be, and how an older one becomes one of today.

Theory. A store is made whole or not at all: in a file without a name, or in one transaction. An older one is copied
first, then led forward in one transaction that is proven before it is committed: the same last fact, the same
balances, the same sums of postings. There is no way back but the copy.
"""

# ruff: noqa: S608  every statement is made of constants of this program; values go as parameters
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from controller.node.store import postgres as store_postgres
from controller.node.store import sqlite as store_sqlite
from controller.node.store.backup import back_up, give_name, make_private
from controller.node.store.failure import StoreRefused, database_errors, sentence_of
from controller.node.store.rows import FIRST_EPOCH
from controller.node.store.schema import BEGIN, NEWEST, steps
from controller.node.store.session import DatabaseSession
from controller.node.store.shape import refuse_other_shape

Place = str | Path


class LedgerProof(NamedTuple):
    """What no migration may change: the last fact, how many there are, the balances, the sums of their postings."""

    head: tuple[int, bytes] | None
    facts: int
    balances: dict[str, int]
    sums: dict[str, int]


def file_of(place: Place) -> Path | None:
    """The file a place means; nothing when it is the address of a PostgreSQL database."""
    if isinstance(place, Path):
        return place
    if place.startswith(store_postgres.URL_START):
        return None
    if "://" in place:
        raise StoreRefused(place.split("://")[0], f"la dirección debe comenzar con {store_postgres.URL_START}")
    return Path(place)


def open_for_writing(place: Place) -> DatabaseSession:
    path = file_of(place)
    return store_postgres.open_writer(str(place)) if path is None else store_sqlite.open_writer(path)


def open_for_reading(place: Place) -> DatabaseSession:
    path = file_of(place)
    return store_postgres.open_reader(str(place)) if path is None else store_sqlite.open_reader(path)


def create(place: Place, node: str, epoch: int = FIRST_EPOCH, version: int = NEWEST) -> None:
    """A new, empty store of a node."""
    assert node and epoch >= FIRST_EPOCH
    path = file_of(place)
    if path is not None:
        _create_file(path, node, epoch, version)
        return
    with closing(store_postgres.open_writer(str(place))) as session, session.at_risk():
        if session.has_table("meta"):
            raise StoreRefused(session.place, "aquí ya hay un registro; no se reemplaza")
        _build(session, node, epoch, version)


def _create_file(path: Path, node: str, epoch: int, version: int) -> None:
    if path.exists():
        raise StoreRefused(str(path), "aquí ya hay un registro; no se reemplaza")
    aside = path.with_name(path.name + ".new")
    try:
        make_private(aside)
        with closing(store_sqlite.open_new(aside)) as session:
            _build(session, node, epoch, version)
        give_name(aside, path)
    except database_errors() as error:
        raise StoreRefused(str(path), f"el registro no se creó. {sentence_of(error)}") from error


def _build(session: DatabaseSession, node: str, epoch: int, version: int) -> None:
    mark = "?" if session.dialect == "sqlite" else "%s"
    with session.at_risk():
        session.raw.execute(BEGIN[session.dialect])
        _step(session, 0, version)
        for key, value in (("version", version), ("node", node), ("epoch", epoch)):
            session.raw.execute(f"INSERT INTO meta (key, value) VALUES ({mark}, {mark})", (key, str(value)))
        session.raw.execute("COMMIT")


def _step(session: DatabaseSession, since: int, to: int) -> None:
    for step in steps(session.dialect):
        if since < step.to <= to:
            for statement in step.statements:
                session.raw.execute(statement)


class Migration(NamedTuple):
    """What was done to an older store: from which version, what was proven before and after, and the copy of before."""

    since: int
    proof: LedgerProof
    copy: Path | None


def migrate(place: Place) -> Migration | None:
    """Leads an older store to today's version, after a copy was made of it; nothing where it is one of today.

    A PostgreSQL database is copied by its own tools (pg_basebackup) before this is called.
    """
    with closing(open_for_writing(place)) as session:
        since = int(session.about()["version"])
        if since == NEWEST:
            return None
        refuse_other_shape(session, since)
        path, before = file_of(place), proof_of(session)
        copy = None if path is None else _copy_of(path, since, before)
        _lead(session, since, before)
        return Migration(since, before, copy)


def migrate_copy(place: Path) -> None:
    """The same for what is itself the copy of a store that stands elsewhere."""
    with closing(open_for_writing(place)) as session:
        since = int(session.about()["version"])
        if since < NEWEST:
            refuse_other_shape(session, since)
            _lead(session, since, proof_of(session))


def _lead(session: DatabaseSession, since: int, before: LedgerProof) -> None:
    """In one transaction, proven before it is committed, and once more as it then stands."""
    with session.at_risk():
        session.raw.execute(BEGIN[session.dialect])
        _step(session, since, NEWEST)
        session.raw.execute(f"UPDATE meta SET value = '{NEWEST}' WHERE key = 'version'")
        if proof_of(session) != before:
            raise StoreRefused(session.place, f"la migración cambiaría las sumas; queda la versión {since}")
        session.raw.execute("COMMIT")
        assert proof_of(session) == before, "what was committed is what was proven"


def _copy_of(path: Path, version: int, proof: LedgerProof) -> Path:
    """The copy before a migration; one that an interrupted try left behind serves if it is the same."""
    copy = path.with_name(f"{path.name}.v{version}-{proof.head[0] if proof.head else 0}")
    if not copy.exists():
        back_up(path, copy)
    with closing(open_for_reading(copy)) as session:
        if int(session.about()["version"]) != version or proof_of(session) != proof:
            raise StoreRefused(str(copy), "la copia que hay de antes de migrar es de otro registro: retírela")
    return copy


def proof_of(session: DatabaseSession) -> LedgerProof:
    """The last fact, how many there are, the balances, and the sums of the postings they came from."""
    with session.at_risk():
        ask = session.raw.execute
        head = ask("SELECT seq, hash FROM fact ORDER BY seq DESC LIMIT 1").fetchone()
        return LedgerProof(
            head,
            ask("SELECT count(*) FROM fact").fetchone()[0],
            dict(ask("SELECT account, amount FROM balance").fetchall()),
            dict(ask("SELECT account, CAST(sum(amount) AS BIGINT) FROM posting GROUP BY account").fetchall()),
        )
