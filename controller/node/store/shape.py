"""What a database holds besides rows, and whether it is what a store of its version holds: no less, no more, no other.

Theory. The tables refuse by themselves what must never be; who owns the file can take that from them without touching
a row. So before a store is written to, everything that it holds is compared with what the steps make, word by word:
tables with their columns and CHECKs, indexes, triggers, functions, the rows of `meta`, what else stands there. SQLite
makes its tables from the words it keeps, so there the words are the thing, white space aside. PostgreSQL has words of
its own: the same steps make the tables once more, as temporary ones that are rolled back, and the server says both.
"""

import re
from collections.abc import Iterable, Iterator

from controller.node.store.failure import StoreRefused
from controller.node.store.schema import steps
from controller.node.store.session import DatabaseSession
from controller.record.record import SchemaObject

_SQLITE = "SELECT type, name, coalesce(sql, ''), tbl_name FROM sqlite_schema ORDER BY type, name"
_SETTINGS = {"encoding": "UTF-8", "application_id": "0", "user_version": "0", "auto_vacuum": "0"}
_MADE = re.compile(r"CREATE (TABLE|INDEX|TRIGGER) (\w+)(?:.*? ON (\w+))?", re.DOTALL)
_META = ("epoch", "node", "version")
_KINDS = {
    "table": "la tabla", "index": "el índice", "trigger": "el disparador", "function": "la función", "view": "la vista",
    "constraint": "la condición", "meta": "la línea de meta", "setting": "el ajuste",
}  # fmt: skip

# Everything of one PostgreSQL schema, each in the server's words; what switches a thing off stands behind it.
_POSTGRES = """
SELECT CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' ELSE 'relation' END, c.relname::text,
    CASE WHEN c.relpersistence = 'u' THEN 'UNLOGGED ' ELSE '' END
    || CASE WHEN c.relrowsecurity OR c.relforcerowsecurity THEN 'ROW SECURITY ' ELSE '' END
    || CASE WHEN EXISTS (SELECT FROM pg_inherits WHERE c.oid IN (inhrelid, inhparent)) THEN 'INHERITED ' ELSE '' END
    || coalesce((SELECT string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attcollation <> 0 THEN ' COLLATE ' || (SELECT collname FROM pg_collation o
            WHERE o.oid = a.attcollation) ELSE '' END
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        || CASE WHEN a.attgenerated <> '' THEN ' GENERATED' ELSE '' END
        || CASE WHEN a.attidentity <> '' THEN ' IDENTITY' ELSE '' END
        || coalesce(' DEFAULT ' || (SELECT pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d
            WHERE d.adrelid = c.oid AND d.adnum = a.attnum), ''), ', ' ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped), ''), c.relname::text
  FROM pg_class c WHERE c.relnamespace = {ns} AND c.relkind NOT IN ('i', 'I')
UNION ALL SELECT 'constraint', conname::text, pg_get_constraintdef(o.oid, true), c.relname::text
  FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE o.connamespace = {ns} AND o.contype <> 'n'
UNION ALL SELECT 'index', c.relname::text, pg_get_indexdef(c.oid, 0, true)
    || CASE WHEN i.indisvalid AND i.indisready AND i.indislive THEN '' ELSE ' INVALID' END, t.relname::text
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  WHERE c.relnamespace = {ns}
UNION ALL SELECT 'trigger', g.tgname::text, pg_get_triggerdef(g.oid, true)
    || CASE WHEN g.tgenabled = 'O' THEN '' ELSE ' DISABLED' END, c.relname::text
  FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
  WHERE c.relnamespace = {ns} AND (NOT g.tgisinternal OR g.tgenabled <> 'O')
UNION ALL SELECT CASE WHEN p.prokind = 'f' THEN 'function' ELSE 'routine' END, p.proname::text,
    lower('CREATE FUNCTION ' || p.proname || '(' || pg_get_function_arguments(p.oid) || ') RETURNS '
    || pg_get_function_result(p.oid) || ' LANGUAGE ' || (SELECT lanname FROM pg_language l WHERE l.oid = p.prolang))
    || CASE WHEN p.prosecdef THEN ' SECURITY DEFINER' ELSE '' END || coalesce(' SET ' || p.proconfig::text, '')
    || ' AS $$' || p.prosrc || '$$', ''
  FROM pg_proc p WHERE p.pronamespace = {ns}
UNION ALL SELECT 'rule', r.rulename::text, pg_get_ruledef(r.oid, true), c.relname::text
  FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE c.relnamespace = {ns} AND r.rulename <> '_RETURN'
UNION ALL SELECT 'policy', p.polname::text, '', c.relname::text
  FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE c.relnamespace = {ns}
UNION ALL SELECT 'event trigger', evtname::text, '', '' FROM pg_event_trigger
ORDER BY 1, 2, 4"""
_HERE, _ASIDE = "current_schema()::regnamespace", "pg_my_temp_schema()"


def objects_of(session: DatabaseSession) -> list[SchemaObject]:
    """Everything a database holds but its facts: for the opener here, and for the auditor's own comparison."""
    with session.at_risk():
        rows = session.raw.execute(_SQLITE if session.dialect == "sqlite" else _POSTGRES.format(ns=_HERE)).fetchall()
        meta = session.raw.execute("SELECT key, value FROM meta ORDER BY key").fetchall()
        found = [SchemaObject(*row) for row in rows] + [SchemaObject("meta", key, value) for key, value in meta]
        if session.dialect == "sqlite":
            for name in _SETTINGS:
                (value,) = session.raw.execute(f"PRAGMA {name}").fetchone()
                found.append(SchemaObject("setting", name, str(value)))
    return found


def refuse_other_shape(session: DatabaseSession, version: int) -> None:
    """A store that holds anything else than its version does is not written to: one sentence, which names the first."""
    with session.at_risk():
        right = _right(session, version)
        also = _right(session, _BALANCE_IS_ONE) if version < _BALANCE_IS_ONE else right
    left = dict(right)
    for one in objects_of(session):
        key = (one.kind, one.of, one.name)
        if left.pop(key, None) is None:
            raise _refused(session, one, "sobra: un registro de pozo no lo tiene")
        may_be = {right[key], also[key] if one.of == "balance" else right[key]}
        if one.kind != "meta" and _words(one.sql) not in may_be:
            raise _refused(session, one, "no es como lo hizo pozo")
    for kind, of, name in left:
        raise _refused(session, SchemaObject(kind, name, "", of), "falta")


_BALANCE_IS_ONE = 4
"""In stores of the versions before this one `balance` stands in one of two forms (schema.py)."""


def _right(session: DatabaseSession, version: int) -> dict[tuple[str, str, str], str]:
    """What must be there, by kind, table and name."""
    there = _of_sqlite(version) if session.dialect == "sqlite" else _of_postgres(session, version)
    meta = (SchemaObject("meta", key, "") for key in _META)
    return {(one.kind, one.of, one.name): _words(one.sql) for one in (*there, *meta)}


def _refused(session: DatabaseSession, one: SchemaObject, why: str) -> StoreRefused:
    what = f"{_KINDS.get(one.kind, one.kind)} {one.name!r}"
    sentence = f"{what} {why}; alguien cambió la base por fuera. No se usa: guárdela aparte y restaure un respaldo"
    return StoreRefused(session.place, sentence)


def _words(sql: str) -> str:
    return " ".join(sql.split())


def _of_sqlite(version: int) -> Iterator[SchemaObject]:
    made = {}
    for statement in _statements("sqlite", version):
        words = _MADE.match(statement)
        if words is not None:
            kind, name, of = words.groups()
            made[kind, name] = SchemaObject(kind.lower(), name, statement, name if kind == "TABLE" else of)
    yield from made.values()
    for name, value in _SETTINGS.items():
        yield SchemaObject("setting", name, value)


def _statements(dialect: str, version: int) -> Iterable[str]:
    return (statement for step in steps(dialect) if step.to <= version for statement in step.statements)


def _of_postgres(session: DatabaseSession, version: int) -> Iterator[SchemaObject]:
    """Functions are compared by their words first: the triggers of the tables beside cannot be made without them."""
    execute = session.raw.execute
    execute("BEGIN")
    for statement in _statements("postgresql", version):
        if statement.startswith("CREATE FUNCTION"):
            head, body = statement.split(" AS $$", 1)
            name = head.split("(")[0].removeprefix("CREATE FUNCTION ")
            yield SchemaObject("function", name, f"{head.lower()} AS $${body}")
        else:
            execute(statement.replace("CREATE TABLE", "CREATE TEMPORARY TABLE", 1))
    rows = execute(_POSTGRES.format(ns=_ASIDE)).fetchall()
    execute("ROLLBACK")
    yield from (SchemaObject(*row) for row in rows if row[0] != "event trigger")
