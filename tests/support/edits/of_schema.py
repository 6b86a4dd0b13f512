"""What guards the rows: triggers, CHECKs, types, keys, indexes; and what stands where nothing was.

The words of an object are changed as text, as a hand does that needs no new table, or the object is made anew. What an index
holds can be made to differ from what its words say: it is filled while other words stand.
"""

# ruff: noqa: S608  every statement is made of words of this page
import random
from collections.abc import Callable

from support.edits.forger import Forger, one_of

Edit = Callable[[Forger, random.Random], None]
_TABLES = ("fact", "posting", "balance", "outcome", "person", "snapshot", "checkpoint", "meta", "position")


def _say(*statements: str) -> Edit:
    def edit(forger: Forger, chance: random.Random) -> None:
        for statement in statements:
            forger(statement.format(table=chance.choice(_TABLES), name=f"x{chance.randrange(10**6)}"))

    return edit


def _words(*changes: tuple[str, str, str]) -> Edit:
    """Other words for good."""

    def edit(forger: Forger, chance: random.Random) -> None:
        name, old, new = chance.choice(changes)
        sql = forger.value("SELECT sql FROM sqlite_schema WHERE name = ?", name)
        assert old in sql, f"{old} in {sql}"
        forger.say_of(name, sql.replace(old, new, 1))

    return edit


def trigger_gone(forger: Forger, chance: random.Random) -> None:
    del forger.triggers[chance.randrange(len(forger.triggers))]


def _trigger(change: Callable[[str], str]) -> Edit:
    def edit(forger: Forger, chance: random.Random) -> None:
        at = chance.choice([at for at, (_, sql) in enumerate(forger.triggers) if change(sql) != sql])
        name, sql = forger.triggers[at]
        forger.triggers[at] = (name, change(sql))

    return edit


def rebuilt(forger: Forger, chance: random.Random) -> None:
    """A table with the same rows, and without what it must refuse."""
    table = one_of(chance, ["fact", "posting", "balance", "outcome", "person", "checkpoint"])
    forger("PRAGMA foreign_keys = OFF")
    forger(f"CREATE TABLE kept AS SELECT * FROM {table}")
    forger(f"DROP TABLE {table}")
    forger(f"ALTER TABLE kept RENAME TO {table}")


def _filled_with(predicate: str) -> Edit:
    """The index holds other rows than its words say; what it lacks or has too much is another in each place."""

    def edit(forger: Forger, chance: random.Random) -> None:
        sql = forger.value("SELECT sql FROM sqlite_schema WHERE name = 'fact_of_pots'")
        forger("DROP INDEX fact_of_pots")
        where = predicate.format(seq=chance.randrange(20, 400))
        forger(f"CREATE INDEX fact_of_pots ON fact (kind, seq) WHERE {where}")
        forger.say_of("fact_of_pots", sql)

    return edit


def column_at_random(forger: Forger, chance: random.Random) -> None:
    forger(f"ALTER TABLE {chance.choice(_TABLES)} ADD COLUMN x{chance.randrange(99)} TEXT")


def generated_column(forger: Forger, chance: random.Random) -> None:
    forger(f"ALTER TABLE {chance.choice(_TABLES)} ADD COLUMN x{chance.randrange(99)} INTEGER AS (1) VIRTUAL")


def table_twice(forger: Forger, chance: random.Random) -> None:
    table = chance.choice(_TABLES)
    words = "replace(sql, 'CREATE TABLE', 'CREATE TABLE IF NOT EXISTS')"
    forger("PRAGMA writable_schema = ON")
    again = f"SELECT type, name, tbl_name, rootpage, {words} FROM sqlite_schema WHERE name = '{table}'"
    forger(f"INSERT INTO sqlite_schema {again}")


def pages_exchanged(forger: Forger, chance: random.Random) -> None:
    """Two tables of one form in each other's place."""
    one, other = chance.choice((("fact", "checkpoint"), ("person", "meta"), ("snapshot", "checkpoint")))
    forger("PRAGMA writable_schema = ON")
    pages = [forger.value("SELECT rootpage FROM sqlite_schema WHERE name = ?", name) for name in (one, other)]
    for name, page in zip((one, other), reversed(pages), strict=True):
        forger("UPDATE sqlite_schema SET rootpage = ? WHERE type = 'table' AND name = ?", page, name)


def index_of_another_table(forger: Forger, _chance: random.Random) -> None:
    forger("PRAGMA writable_schema = ON")
    forger("UPDATE sqlite_schema SET tbl_name = 'meta' WHERE name = 'fact_of_pots'")


FOUND: dict[str, Edit] = {
    "trigger_gone": trigger_gone,
    "trigger_that_never_fires": _trigger(
        lambda sql: sql.replace(" BEGIN", " WHEN 0 BEGIN", 1) if "WHEN" not in sql else sql
    ),
    "trigger_that_ignores": _trigger(lambda sql: sql.replace("RAISE(ABORT, ", "RAISE(FAIL, ")),
    "trigger_of_a_column": _trigger(lambda sql: sql.replace("BEFORE UPDATE ON fact", "BEFORE UPDATE OF hash ON fact")),
    "trigger_more": _say("CREATE TRIGGER {name} AFTER INSERT ON fact BEGIN SELECT 1; END"),
    "check_weakened": _words(
        ("fact", "length(hash) = 32", "length(hash) > 0"),
        ("fact", "seq >= 1", "seq >= -9"),
        ("posting", "amount > 0 OR", "1 OR"),
        ("posting", "'void'", "'void', 'x'"),
        ("balance", "amount >= 0 OR", "1 OR"),
        ("outcome", "last >= first", "1"),
        ("checkpoint", "length(signature) = 64", "1"),
        ("position", "direction IN ('in', 'out')", "1"),
    ),
    "check_gone_with_its_table": rebuilt,
    "not_null_gone": _words(
        ("fact", "at INTEGER NOT NULL", "at INTEGER"), ("person", "name TEXT NOT NULL", "name TEXT")
    ),
    "strict_gone": _words(*((table, ") STRICT", ")") for table in ("fact", "snapshot", "checkpoint"))),
    "type_changed": _words(("fact", "kind TEXT", "kind ANY"), ("posting", "amount INTEGER", "amount ANY")),
    "foreign_key_gone": _words(
        ("posting", ' CONSTRAINT "asiento de un hecho" REFERENCES fact (seq) DEFERRABLE INITIALLY DEFERRED', "")
    ),
    "collation_changed": _words(
        ("outcome", "source TEXT", "source TEXT COLLATE NOCASE"),
        ("balance", "account TEXT", "account TEXT COLLATE RTRIM"),
    ),
    "default_added": _words(("meta", "value TEXT NOT NULL", "value TEXT NOT NULL DEFAULT ''")),
    "conflict_replaces": _words(
        ("fact", "PRIMARY KEY", "PRIMARY KEY ON CONFLICT REPLACE"),
        ("meta", "PRIMARY KEY", "PRIMARY KEY ON CONFLICT IGNORE"),
    ),
    "column_more": column_at_random,
    "column_generated": generated_column,
    "table_more": _say("CREATE TABLE {name} (a, b)"),
    "table_twice": table_twice,
    "table_gone": _say("DROP TABLE position"),
    "pages_exchanged": pages_exchanged,
    "index_more": _say("CREATE INDEX {name} ON posting (account)"),
    "index_unique": _say("CREATE UNIQUE INDEX {name} ON fact (hash)"),
    "index_gone": _say("DROP INDEX fact_of_pots"),
    "index_of_other_words": _words(
        ("fact_of_pots", "'pass_sealed', ", ""), ("fact_of_pots", "(kind, seq)", "(kind, at)")
    ),
    "index_that_hides_facts": _filled_with("kind IN ('day_opened', 'pass_sealed') AND seq > {seq}"),
    "index_that_is_empty": _filled_with("kind = 'nothing'"),
    "index_with_facts_more": _filled_with("seq > {seq}"),
    "index_under_another_table": index_of_another_table,
    "view_more": _say("CREATE VIEW {name} AS SELECT * FROM {table}"),
    "statistics": _say("ANALYZE {table}", "ANALYZE fact"),
    "number_of_the_application": _say("PRAGMA application_id = 77"),
    "number_of_the_user": _say("PRAGMA user_version = 3"),
    "pages_moved_by_themselves": _say("PRAGMA auto_vacuum = FULL", "VACUUM"),
}
