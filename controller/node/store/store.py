"""The store: facts, postings, balances and outcomes, on the disk when `commit` returns.

Theory. A node has one store and one writer of it. A batch is one transaction: everything of it is there after any
power cut, or nothing. After the first error the store is closed for good (StoreFailed) and the node starts anew.
Readers see what was committed and nothing else, in their own process, and can do no harm. What the rows mean is not
known here: the engine makes them, the database refuses what can never be.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from controller.node.store.backup import back_up
from controller.node.store.failure import StoreRefused, taken_over
from controller.node.store.postgres import PostgresWriter
from controller.node.store.reads import Reads
from controller.node.store.rows import FIRST_EPOCH, Batch
from controller.node.store.schema import NEWEST
from controller.node.store.session import DatabaseSession
from controller.node.store.shape import objects_of, refuse_other_shape
from controller.node.store.sqlite import SqliteWriter
from controller.node.store.versions import Place, create, file_of, open_for_reading, open_for_writing
from controller.record.record import SchemaObject

_MOMENT = {"sqlite": "BEGIN", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


class Store(Reads):
    """The one writer of a store."""

    def __init__(self, session: DatabaseSession) -> None:
        with session.at_risk():
            super().__init__(session)
            if self.version < NEWEST:
                raise StoreRefused(
                    self.place,
                    f"el registro es de la versión {self.version}: hay que migrarlo a la {NEWEST}, con: pozo migrate",
                )
            self._writer = SqliteWriter(session) if session.dialect == "sqlite" else PostgresWriter(session)

    @classmethod
    def create(cls, place: Place, node: str, epoch: int = FIRST_EPOCH) -> Self:
        """A new, empty store: a path means a SQLite file, `postgresql+psycopg://...` an empty database."""
        create(place, node, epoch)
        return cls.open(place)

    @classmethod
    def open(cls, place: Place, epoch: int | None = None) -> Self:
        """The store of that place; with `epoch`, only if it still is the incarnation the caller believes in."""
        session = open_for_writing(place)
        with session.at_risk():
            store = cls(session)
            refuse_other_shape(session, store.version)
            if epoch is not None and epoch != store.epoch:
                raise taken_over(store.place, epoch, store.epoch)
        return store

    def commit(self, batch: Batch) -> None:
        """Writes the batch in one transaction; when this returns, it is on the disk."""
        assert batch.epoch is None or batch.epoch > self.epoch, "an incarnation is newer than the one before"
        with self._session.at_risk():
            self._writer.write(batch, self.epoch)
        if batch.epoch is not None:
            self.epoch = batch.epoch

    def backup(self, to: Path) -> None:
        """A proven copy beside the running writer; a PostgreSQL database is copied by its own tools."""
        path = file_of(self._session.place)
        if path is None:
            raise StoreRefused(self.place, "una base PostgreSQL se copia con pg_basebackup")
        back_up(path, to)

    def close(self) -> None:
        """Leaves one file with everything in it, unless the store has failed before."""
        if self._session.is_open:
            with self._session.at_risk():
                self._writer.finish()
        super().close()


class Reader(Reads):
    """A view that never writes: beside a running writer, or of a copy, even in a folder closed to writing."""

    @classmethod
    def open(cls, place: Place) -> Self:
        return cls(open_for_reading(place))

    @contextmanager
    def moment(self) -> Iterator[None]:
        """Everything asked inside is answered from one state of the store. Keep it short: a writer's log waits. What
        the asker does with the answers is no trouble of this store: each question is at risk by itself."""
        with self._session.at_risk():
            self._session.raw.execute(_MOMENT[self._session.dialect])
        with ExitStack() as unless_well:
            unless_well.callback(self.close)
            yield
            unless_well.pop_all()
        with self._session.at_risk():
            self._session.raw.execute("COMMIT")

    def schema(self) -> list[SchemaObject]:
        """Everything the database holds, with the SQL that made it: triggers and constraints too, for the auditor."""
        return objects_of(self._session)

    def damage(self) -> list[str]:
        """The first thing that SQLite finds wrong: pages, rows that an index has not, values of another type than their
        column's. PostgreSQL has no such question."""
        if self._session.dialect != "sqlite":
            return []
        with self._session.at_risk():
            found = [str(row[0]) for row in self._session.raw.execute("PRAGMA integrity_check(1)").fetchall()]
            owners = self._session.raw.execute("PRAGMA foreign_key_check").fetchall()
        return [*(one for one in found if one != "ok"), *(f"{of}: sin su fila de {to}" for of, _, to, _ in owners[:1])]
