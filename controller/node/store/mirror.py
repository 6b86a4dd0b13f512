"""The file of a mirror: a neighbour's whole chain as it came, beside this node's record and never in it.

Theory. One SQLite file for each neighbour, written only at its end: what was once kept is never changed or struck out,
and the database itself holds to that. Facts follow one another without a gap within a **branch**. A chain that a
restore led back and that went on elsewhere, or that two persons accepted although it differs, is a new branch: what the
old one had from there on stays as evidence. The chain as it stands is the newest branch, and before its first fact the
one before it. What the neighbour sealed for its own rebirth (book/escrow.py) is the only thing that is replaced: the
newest few stay. What facts mean, and whether their hashes are right, is not known here.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Self

from controller.node.store.backup import give_name, make_private
from controller.node.store.failure import StoreRefused, database_errors, sentence_of
from controller.node.store.rows import MOST_BODY_BYTES
from controller.node.store.schema import BEGIN
from controller.node.store.session import DatabaseSession
from controller.node.store.sqlite import open_new, open_reader, open_writer
from controller.record.record import FIRST_SEQ, CheckpointRow, FactRow

KEPT_ESCROWS = 12
MOST_ESCROW_BYTES = 2**18
MOST_SNAPSHOT_BYTES = 480 * 1024
_VERSION = "mirror 1"
_PAGE = 500
_MOST_LOG_PAGES = 1_000
_KEPT = ("branch", "fact", "checkpoint", "snapshot", "head")
_TABLES = (
    """CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE branch (
  number INTEGER NOT NULL PRIMARY KEY CONSTRAINT "rama desde 1" CHECK (number >= 1),
  first INTEGER NOT NULL CONSTRAINT "rama desde un hecho" CHECK (first >= 1),
  why TEXT NOT NULL
) STRICT""",
    f"""CREATE TABLE fact (
  branch INTEGER NOT NULL REFERENCES branch (number),
  seq INTEGER NOT NULL CONSTRAINT "numero de hecho desde 1" CHECK (seq >= 1),
  epoch INTEGER NOT NULL CONSTRAINT "epoca desde 1" CHECK (epoch >= 1),
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CONSTRAINT "hecho con clase" CHECK (kind <> ''),
  body BLOB NOT NULL CONSTRAINT "hecho de tamano posible" CHECK (length(body) BETWEEN 1 AND {MOST_BODY_BYTES}),
  hash BLOB NOT NULL CONSTRAINT "huella de 32 bytes" CHECK (length(hash) = 32),
  PRIMARY KEY (branch, seq)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE checkpoint (
  branch INTEGER NOT NULL REFERENCES branch (number),
  seq INTEGER NOT NULL,
  body BLOB NOT NULL,
  signature BLOB NOT NULL CONSTRAINT "firma de 64 bytes" CHECK (length(signature) = 64),
  PRIMARY KEY (branch, seq)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE snapshot (
  state TEXT NOT NULL PRIMARY KEY CONSTRAINT "huella del estado" CHECK (length(state) = 64),
  body BLOB NOT NULL
) STRICT""",
    """CREATE TABLE head (
  number INTEGER NOT NULL PRIMARY KEY,
  body BLOB NOT NULL,
  signature BLOB NOT NULL CONSTRAINT "refrendo de 64 bytes" CHECK (length(signature) = 64)
) STRICT""",
    f"""CREATE TABLE escrow (
  number INTEGER NOT NULL PRIMARY KEY,
  sealed BLOB NOT NULL CONSTRAINT "deposito posible" CHECK (length(sealed) BETWEEN 1 AND {MOST_ESCROW_BYTES})
) STRICT""",
    """CREATE TRIGGER branch_follows BEFORE INSERT ON branch
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM branch) BEGIN
  SELECT RAISE(ABORT, 'las ramas se siguen sin saltos');
END""",
    """CREATE TRIGGER fact_follows BEFORE INSERT ON fact
WHEN NEW.branch <> (SELECT max(number) FROM branch) OR NEW.seq <> coalesce(
  (SELECT max(seq) + 1 FROM fact WHERE branch = NEW.branch), (SELECT first FROM branch WHERE number = NEW.branch)) BEGIN
  SELECT RAISE(ABORT, 'los hechos se siguen sin saltos');
END""",
    *(
        f"""CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} BEGIN
  SELECT RAISE(ABORT, 'lo escrito en {table} no se cambia ni se borra');
END"""
        for table in _KEPT
        for act in ("UPDATE", "DELETE")
    ),
    """CREATE TRIGGER checkpoint_once BEFORE INSERT ON checkpoint
WHEN EXISTS (SELECT 1 FROM checkpoint WHERE branch = NEW.branch AND seq = NEW.seq) BEGIN
  SELECT RAISE(ABORT, 'lo escrito en checkpoint no se cambia ni se borra');
END""",
)
_FACTS = "SELECT seq, at, kind, body, hash FROM fact WHERE branch = ? AND seq BETWEEN ? AND ? ORDER BY seq"
_CHECKPOINTS = "SELECT seq, body, signature FROM checkpoint WHERE branch = ? AND seq BETWEEN ? AND ? ORDER BY seq"
_SNAPSHOT = "INSERT INTO snapshot VALUES (?, ?) ON CONFLICT DO NOTHING"
_THIN = "DELETE FROM escrow WHERE number <= (SELECT max(number) FROM escrow) - ?"


class ChainPlace(NamedTuple):
    """Of a chain, after a fact."""

    epoch: int
    seq: int
    hash: bytes


class MirroredFact(NamedTuple):
    """A fact, and the epoch of its node then."""

    epoch: int
    row: FactRow


class Branch(NamedTuple):
    """From its first fact on this is the chain; before it, the branches before."""

    first: int
    why: str


class _Stretch(NamedTuple):
    branch: int
    first: int
    last: int


class MirrorFile:
    """One neighbour's mirror; one thread uses it. Of a file that was opened to be read nothing is written."""

    def __init__(self, session: DatabaseSession) -> None:
        self._session = session
        self.place = session.place
        try:
            with session.at_risk():
                about = dict(session.raw.execute("SELECT key, value FROM meta").fetchall())
        except database_errors() as error:
            raise StoreRefused(self.place, sentence_of(error)) from error
        if about.get("version") != _VERSION:
            session.close()
            raise StoreRefused(self.place, "no es el espejo de un vecino, o es de otra versión del programa")
        self.node = about["node"]
        self._chain = self._stretches()

    @classmethod
    def create(cls, path: Path, node: str) -> None:
        """An empty mirror of a node."""
        aside = path.with_name(path.name + ".new")
        try:
            make_private(aside)
            with closing(open_new(aside)) as session, session.at_risk():
                session.raw.execute(BEGIN["sqlite"])
                for statement in _TABLES:
                    session.raw.execute(statement)
                session.raw.execute("INSERT INTO meta VALUES ('version', ?), ('node', ?)", (_VERSION, node))
                session.raw.execute("INSERT INTO branch VALUES (1, 1, 'su primer hecho')")
                session.raw.execute("COMMIT")
            give_name(aside, path)
        except database_errors() as error:
            raise StoreRefused(str(path), f"el espejo no se creó. {sentence_of(error)}") from error

    @classmethod
    def open(cls, path: Path) -> Self:
        """To go on with it."""
        return cls(_is_one(open_writer(path)))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Beside whoever writes it, or a copy."""
        return cls(_is_one(open_reader(path)))

    def _stretches(self) -> list[_Stretch]:
        """The chain as it stands, the newest stretch first."""
        chain: list[_Stretch] = []
        rows = self._ask(
            "SELECT number, first, (SELECT coalesce(max(seq), first - 1) FROM fact WHERE branch = number) FROM branch"
            " ORDER BY number DESC"
        )
        for number, first, last in rows:
            end = min(last, chain[-1].first - 1) if chain else last
            if end >= first or not chain:
                chain.append(_Stretch(number, first, end))
        return chain

    def end(self) -> ChainPlace | None:
        """The last fact of the chain as it stands."""
        return self.at(max(stretch.last for stretch in self._chain))

    def at(self, seq: int) -> ChainPlace | None:
        """What the chain as it stands has there."""
        for branch, first, last in self._chain:
            if first <= seq <= last:
                (row,) = self._ask("SELECT epoch, seq, hash FROM fact WHERE branch = ? AND seq = ?", branch, seq)
                return ChainPlace(*row)
        return None

    def facts(self, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[FactRow]:
        """Of the chain as it stands, in their order."""
        for branch, begins, ends in reversed(self._chain):
            low, high = max(first, begins), ends if last is None else min(last, ends)
            for start in range(low, high + 1, _PAGE):
                yield from map(FactRow._make, self._ask(_FACTS, branch, start, min(start + _PAGE - 1, high)))

    def checkpoints(self, after: int = 0, last: int | None = None) -> Iterator[CheckpointRow]:
        """Of the chain as it stands, in their order."""
        for branch, begins, ends in reversed(self._chain):
            high = ends if last is None else min(last, ends)
            yield from map(CheckpointRow._make, self._ask(_CHECKPOINTS, branch, max(begins, after + 1), high))

    def last_signed(self) -> int:
        """The last fact that a checkpoint here covers."""
        for branch, _, last in self._chain:
            ((seq,),) = self._ask("SELECT max(seq) FROM checkpoint WHERE branch = ? AND seq <= ?", branch, last)
            if seq is not None:
                return int(seq)
        return 0

    def heads(self) -> list[tuple[bytes, bytes]]:
        """What this node countersigned, with its signature, the oldest first."""
        return self._ask("SELECT body, signature FROM head ORDER BY number")

    def snapshot(self, state: str) -> bytes | None:
        """The state that has this SHA-256, in hex."""
        return next((body for (body,) in self._ask("SELECT body FROM snapshot WHERE state = ?", state)), None)

    def escrows(self) -> list[bytes]:
        """What the neighbour sealed, the newest first."""
        return [sealed for (sealed,) in self._ask("SELECT sealed FROM escrow ORDER BY number DESC")]

    def branches(self) -> list[Branch]:
        return [Branch(*row) for row in self._ask("SELECT first, why FROM branch ORDER BY number")]

    def keep(
        self,
        facts: Sequence[MirroredFact],
        checkpoints: Sequence[CheckpointRow],
        branch: Branch | None,
        snapshot: bytes = b"",
    ) -> None:
        """On the disk when it returns, all of it or nothing; `branch`: what comes begins one."""
        with self._session.at_risk():
            run = self._session.raw.execute
            run(BEGIN["sqlite"])
            if branch is not None:
                run("INSERT INTO branch SELECT max(number) + 1, ?, ? FROM branch", branch)
            ((number,),) = run("SELECT max(number) FROM branch").fetchall()
            self._session.raw.executemany(
                "INSERT INTO fact VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(number, row.seq, epoch, row.at, row.kind, row.body, row.hash) for epoch, row in facts],
            )
            self._chain = self._stretches()
            for row in checkpoints:
                run("INSERT INTO checkpoint VALUES (?, ?, ?, ?)", (self._branch_of(row.seq), *row))
            if snapshot:
                run(_SNAPSHOT, (hashlib.sha256(snapshot).hexdigest(), snapshot))
            run("COMMIT")
            self._fold_long_log()

    def keep_head(self, body: bytes, signature: bytes) -> None:
        with self._session.at_risk():
            self._session.raw.execute("INSERT INTO head (body, signature) VALUES (?, ?)", (body, signature))

    def keep_escrow(self, sealed: bytes) -> None:
        """The newest, and a few before it."""
        with self._session.at_risk():
            run = self._session.raw.execute
            run(BEGIN["sqlite"])
            run("INSERT INTO escrow (sealed) VALUES (?)", (sealed,))
            run(_THIN, (KEPT_ESCROWS,))
            run("COMMIT")

    def close(self) -> None:
        self._session.close()

    def _branch_of(self, seq: int) -> int:
        return next(stretch.branch for stretch in self._chain if stretch.first <= seq <= stretch.last)

    def _fold_long_log(self) -> None:
        _, pages, _ = self._session.raw.execute("PRAGMA wal_checkpoint(NOOP)").fetchone()
        if pages > _MOST_LOG_PAGES:
            self._session.raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    def _ask(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._session.at_risk():
            found: list[tuple[Any, ...]] = self._session.raw.execute(question, values).fetchall()
        return found


def _is_one(session: DatabaseSession) -> DatabaseSession:
    if not session.has_table("branch"):
        session.close()
        raise StoreRefused(session.place, "no es el espejo de un vecino")
    return session
