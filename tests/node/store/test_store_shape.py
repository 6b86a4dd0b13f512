"""A database that is not the one that was made is not written to: the sentence names what is other (security.md, 13)."""

from contextlib import closing
from pathlib import Path

import pysqlite3
import pytest

from controller.core.accounts import MAY_BE_BELOW_ZERO
from controller.node.store.failure import StoreRefused
from controller.node.store.schema import NEWEST, steps
from controller.node.store.store import Reader, Store
from controller.node.store.versions import create, migrate, open_for_writing
from controller.verify.schema import prove_schema
from controller.verify.wrong import FoundWrong
from support.store import postgres
from support.store.store_cases import DIALECTS, bets, new_place


def rewritten(name: str, old: str, new: str) -> tuple[str, str]:
    """What a hand does that writes the words of an object without making it anew."""
    return (
        "PRAGMA writable_schema = ON",
        f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{name}'",  # noqa: S608
    )


SQLITE = {
    "table fact": rewritten("fact", "CHECK (length(hash) = 32)", "CHECK (1)"),
    "table snapshot": rewritten("snapshot", "STRICT", ""),
    "table posting": rewritten("posting", "REFERENCES fact (seq) DEFERRABLE INITIALLY DEFERRED", ""),
    "table checkpoint": ("ALTER TABLE checkpoint ADD COLUMN note TEXT",),
    "table person": ("ALTER TABLE person ADD COLUMN big TEXT AS (upper(name))",),
    "table mine": ("CREATE TABLE mine (a)",),
    "table position": ("DROP TABLE position",),
    "index mine": ("CREATE INDEX mine ON fact (at)",),
    "index fact_of_pots": ("DROP INDEX fact_of_pots", "CREATE INDEX fact_of_pots ON fact (kind, seq) WHERE kind = 'x'"),
    "trigger fact_no_update": ("DROP TRIGGER fact_no_update",),
    "trigger outcome_once": (
        "DROP TRIGGER outcome_once",
        "CREATE TRIGGER outcome_once BEFORE INSERT ON outcome BEGIN SELECT RAISE(IGNORE); END",
    ),
    "view mine": ("CREATE VIEW mine AS SELECT 1",),
    "meta mine": ("INSERT INTO meta VALUES ('mine', '1')",),
    "setting user_version": ("PRAGMA user_version = 7",),
    "setting application_id": ("PRAGMA application_id = 7",),
}
POSTGRES = {
    "constraint huella de 32 bytes": ('ALTER TABLE fact DROP CONSTRAINT "huella de 32 bytes"',),
    "constraint asiento de un hecho": ('ALTER TABLE posting DROP CONSTRAINT "asiento de un hecho"',),
    "constraint linea desde 0": (
        'ALTER TABLE posting DROP CONSTRAINT "linea desde 0"',
        'ALTER TABLE posting ADD CONSTRAINT "linea desde 0" CHECK (line >= -9)',
    ),
    "table snapshot": ("ALTER TABLE snapshot SET UNLOGGED",),
    "table person": ("ALTER TABLE person ADD COLUMN note TEXT",),
    "table outcome": ('ALTER TABLE outcome ALTER COLUMN source TYPE TEXT COLLATE "C.utf8"',),
    "table balance": ("ALTER TABLE balance ENABLE ROW LEVEL SECURITY",),
    "table mine": ("CREATE TABLE mine (a INT)",),
    "index mine": ("CREATE INDEX mine ON fact (at)",),
    "index fact_of_pots": ("DROP INDEX fact_of_pots",),
    "trigger fact_no_delete": ("ALTER TABLE fact DISABLE TRIGGER fact_no_delete",),
    "trigger mine": (
        "CREATE TRIGGER mine BEFORE INSERT ON fact FOR EACH STATEMENT EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    ),
    "function kept": (
        "CREATE OR REPLACE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
    ),
    "function mine": ("CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",),
    "rule mine": ("CREATE RULE mine AS ON DELETE TO person DO INSTEAD NOTHING",),
    "view mine": ("CREATE VIEW mine AS SELECT 1 AS a",),
    "policy mine": ("CREATE POLICY mine ON person",),
    "meta mine": ("INSERT INTO meta VALUES ('mine', '1')",),
}


def changed_by_hand(place: str | Path, statements: tuple[str, ...], config: pytest.Config) -> None:
    if isinstance(place, Path):
        connection = pysqlite3.connect(str(place), isolation_level=None)
    else:
        connection = postgres.server(config).connect(place)
    with closing(connection) as raw:
        for statement in statements:
            raw.execute(statement)


def is_refused_by_both(place: str | Path, what: str) -> None:
    """The node does not open it; the auditor, with his own words, names the same object."""
    name = what.split(" ", 1)[1]
    with pytest.raises(StoreRefused, match=f"'{name}' .*; alguien cambió la base por fuera"):
        Store.open(place)
    with Reader.open(place) as reader, pytest.raises(FoundWrong) as found:
        prove_schema(reader.schema())
    assert found.value.place == what and found.value.rule == "R-27"


@pytest.mark.parametrize("what", SQLITE)
def test_a_sqlite_file_that_was_changed_is_not_opened(what, tmp_path, request):
    place = tmp_path / "pozo.db"
    with Store.create(place, "mesa4") as store:
        store.commit(bets(store, 2))
    changed_by_hand(place, SQLITE[what], request.config)

    is_refused_by_both(place, what)


@pytest.mark.process
@pytest.mark.parametrize("what", POSTGRES)
def test_a_postgresql_database_that_was_changed_is_not_opened(what, request):
    place = postgres.server(request.config).new_database()
    with Store.create(place, "mesa4") as store:
        store.commit(bets(store, 2))
    changed_by_hand(place, POSTGRES[what], request.config)

    is_refused_by_both(place, what)


def test_an_object_that_stands_there_twice_is_named(tmp_path, request):
    """SQLite itself does not mind a second table of one name, where it is made "if not exists"."""
    place = tmp_path / "pozo.db"
    Store.create(place, "mesa4").close()
    words = "replace(sql, 'CREATE TABLE', 'CREATE TABLE IF NOT EXISTS')"
    again = f"SELECT type, name, tbl_name, rootpage, {words} FROM sqlite_schema WHERE name = 'meta'"  # noqa: S608
    double = ("PRAGMA writable_schema = ON", f"INSERT INTO sqlite_schema {again}")
    changed_by_hand(place, double, request.config)

    is_refused_by_both(place, "table meta")


@pytest.fixture(params=DIALECTS)
def place(request, tmp_path) -> str | Path:
    return new_place(request.param, tmp_path, request.config)


@pytest.mark.parametrize("version", range(1, NEWEST))
def test_an_older_store_is_what_its_version_says_or_is_not_led_forward(place, version, request):
    create(place, "mesa4", version=version)
    with Reader.open(place) as reader:
        assert prove_schema(reader.schema()) == version
    changed_by_hand(place, ("CREATE INDEX mine ON fact (at)",), request.config)
    with pytest.raises(StoreRefused, match="el índice 'mine' sobra"):
        migrate(place)
    changed_by_hand(place, ("DROP INDEX mine",), request.config)
    migrate(place)

    with Store.open(place), Reader.open(place) as reader:
        assert prove_schema(reader.schema()) == NEWEST


@pytest.mark.parametrize("version", ["x", "0", "03", " 3", "٣", "-1", "99999999999999999999"])
def test_a_version_that_is_no_number_is_said(place, version, request):
    create(place, "mesa4")
    changed_by_hand(place, (f"UPDATE meta SET value = '{version}' WHERE key = 'version'",), request.config)  # noqa: S608
    for asked in (Store.open, Reader.open, migrate):
        with pytest.raises(StoreRefused, match="que no es un número"):
            asked(place)


def test_a_store_of_today_lets_owe_whom_the_ledger_lets(place):
    """A prefix that joins the ledger's list is a step of the schema, never an edit of a step that was shipped."""
    create(place, "mesa4")
    with closing(open_for_writing(place)) as session, session.at_risk():
        for prefix in MAY_BE_BELOW_ZERO:
            session.raw.execute(f"INSERT INTO balance VALUES ('{prefix}x', -5, 1)")  # noqa: S608
    made = "".join(
        statement for step in steps("sqlite") for statement in step.statements if "TABLE balance" in statement
    )
    assert all(f"'{prefix}'" in made for prefix in MAY_BE_BELOW_ZERO)
