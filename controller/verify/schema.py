"""Whether the database still refuses what it was made to refuse.

Theory. The tables refuse changes by triggers. An editor of a store must drop one first. This file proves that
it was put back in its words, all others that the rows are still the right ones. The words are this page's own:
white space aside, a trigger that says anything else is another trigger.
"""

# ruff: noqa: S608  these are the words a trigger must have, not statements
import re
from collections.abc import Iterable

from controller.record.record import SchemaObject
from controller.verify.wrong import must

_TABLES = ("balance", "checkpoint", "fact", "meta", "outcome", "person", "posting", "snapshot")
_KEPT = ("fact", "posting", "outcome", "checkpoint")
_REFUSAL = r"SELECT RAISE\(ABORT, '[^']+'\); END"

_SQLITE = {
    "fact_follows": (
        r"CREATE TRIGGER fact_follows BEFORE INSERT ON fact BEGIN SELECT CASE"
        r" WHEN NEW\.seq <> \(SELECT coalesce\(max\(seq\), 0\) \+ 1 FROM fact\) THEN RAISE\(ABORT, '[^']+'\)"
        r" WHEN \(SELECT sum\(amount\) FROM posting WHERE fact = NEW\.seq\) <> 0 THEN RAISE\(ABORT, '[^']+'\) END; END"
    ),
    "posting_before_fact": (
        r"CREATE TRIGGER posting_before_fact BEFORE INSERT ON posting"
        rf" WHEN EXISTS \(SELECT 1 FROM fact WHERE seq = NEW\.fact\) BEGIN {_REFUSAL}"
    ),
    "outcome_once": (
        r"CREATE TRIGGER outcome_once BEFORE INSERT ON outcome WHEN EXISTS \(SELECT 1 FROM outcome"
        r" WHERE source = NEW\.source AND epoch = NEW\.epoch AND number = NEW\.number\)"
        rf" BEGIN {_REFUSAL}"
    ),
    "checkpoint_once": (
        r"CREATE TRIGGER checkpoint_once BEFORE INSERT ON checkpoint"
        rf" WHEN EXISTS \(SELECT 1 FROM checkpoint WHERE seq = NEW\.seq\) BEGIN {_REFUSAL}"
    ),
    **{
        f"{table}_no_{act.lower()}": (
            rf"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} BEGIN {_REFUSAL}"
        )
        for table in _KEPT
        for act in ("UPDATE", "DELETE")
    },
}
_POSTGRES = {
    "fact_follows": r"CREATE TRIGGER fact_follows AFTER INSERT ON \S*\bfact .* EXECUTE FUNCTION fact_follows\(\)",
    "posting_before_fact": (
        r"CREATE TRIGGER posting_before_fact AFTER INSERT ON \S*\bposting .* EXECUTE FUNCTION posting_before_fact\(\)"
    ),
    **{
        f"{table}_no_{act.lower()}": (
            rf"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON \S*\b{table}"
            r" FOR EACH STATEMENT EXECUTE FUNCTION kept\(\)"
        )
        for table in _KEPT
        for act in ("UPDATE", "DELETE", "TRUNCATE")
    },
}
_FUNCTIONS = ("fact_follows", "posting_before_fact", "kept")


def prove_schema(objects: Iterable[SchemaObject]) -> None:
    """R-27: every table is there, every trigger is there in its words, and no unknown trigger beside them."""
    there: dict[tuple[str, str], str] = {(one.kind, one.name): " ".join(one.sql.split()) for one in objects}
    for name in _TABLES:
        must(("table", name) in there, "R-27", "falta esta tabla", f"table {name}")
    is_sqlite = not any(kind == "function" for kind, _ in there)
    triggers = _SQLITE if is_sqlite else _POSTGRES
    for name, words in triggers.items():
        sql = there.get(("trigger", name))
        must(sql is not None, "R-27", "falta este disparador", f"trigger {name}")
        must(re.fullmatch(words, sql or "") is not None, "R-27", "este disparador dice otra cosa", f"trigger {name}")
    for kind, name in there:
        must(kind != "trigger" or name in triggers, "R-27", "un disparador que nadie conoce", f"trigger {name}")
        must(kind not in ("view", "rule"), "R-27", "un objeto que nadie conoce", f"{kind} {name}")
    for name in () if is_sqlite else _FUNCTIONS:
        sql = there.get(("function", name), "")
        must("RAISE EXCEPTION" in sql, "R-27", "esta función falta o ya no rechaza", f"function {name}")
