"""Whether the database is still the one that was made: its tables refuse what they were made to refuse, and no object
stands in it that nobody made.

Theory. The tables refuse changes by triggers and impossible rows by CHECKs. An editor of a store must take them away
first. This file proves that all of them were put back in their words, all others that the rows are still the right
ones. The words are this page's own, for every version of the tables that was ever in use; white space aside, an object
that says anything else is another object. SQLite makes its tables from the words it keeps; PostgreSQL's are the
server's words about what it has. What stands in an index is not said by its words: see `damage` of a record.
"""

# ruff: noqa: S608  these are the words that objects must have, not statements
from collections import Counter
from collections.abc import Iterable

from controller.record.record import SchemaObject
from controller.verify.wrong import must, shown, wrong

_Key = tuple[str, str, str]
_NEWEST = 5
_OF_READING = {1: 1, 2: 3, 3: 4}
"""The oldest tables that a program of each reading of the rules wrote to."""

_KEPT = ("fact", "posting", "outcome", "checkpoint")
_CAUSES = ("award", "base", "rejection", "void", "move", "prize", "training")
_OWES = ("cash:", "house:", "promo_issued:", "suspense:")
_OWES_SINCE = {
    4: ("cash:", "practice:", "house:", "promo_issued:", "suspense:"),
    5: ("cash:", "practice:", "house:", "promo_issued:", "suspense:", "clearing:", "dispute:"),
}
_MOST = 4_000_000_000_000_000
_INDEXED = (
    "reading_adopted", "plan_took_effect", "day_opened", "day_closed", "money_moved", "pass_sealed", "hands_voided",
    "pass_closed", "drawn", "prize_granted", "claim_registered", "claim_rejected", "claim_corrected", "late_registered",
    "award_confirmed", "award_paid", "award_overdue", "award_set_aside", "training_started", "training_ended",
)  # fmt: skip
_LINKED = (
    "letter_told", "letter_heard", "letter_disputed", "dispute_ended", "claim_asked", "claim_decided",
    "correction_asked", "correction_refused", "house_charged", "plan_proposed", "plan_ready", "plan_dropped",
)  # fmt: skip
_GAP, _SUM = "los hechos se siguen sin saltos", "los asientos de un hecho suman cero"
_LATE = "un hecho ya escrito no recibe asientos"


def _quoted(words: Iterable[str], ending: str = "") -> str:
    return ", ".join(f"'{word}'{ending}" for word in words)


_SQLITE_TABLES = {
    "fact": """seq INTEGER NOT NULL PRIMARY KEY CONSTRAINT "numero de hecho desde 1" CHECK (seq >= 1),
        at INTEGER NOT NULL,
        kind TEXT NOT NULL CONSTRAINT "hecho con clase" CHECK (kind <> ''),
        body BLOB NOT NULL CONSTRAINT "hecho de tamano posible" CHECK (length(body) BETWEEN 1 AND 1048576),
        hash BLOB NOT NULL CONSTRAINT "huella de 32 bytes" CHECK (length(hash) = 32)""",
    "posting": f"""fact INTEGER NOT NULL
            CONSTRAINT "asiento de un hecho" REFERENCES fact (seq) DEFERRABLE INITIALLY DEFERRED,
        line INTEGER NOT NULL CONSTRAINT "linea desde 0" CHECK (line >= 0),
        account TEXT NOT NULL CONSTRAINT "asiento con cuenta" CHECK (account <> ''),
        amount INTEGER NOT NULL CONSTRAINT "asiento posible y distinto de cero"
            CHECK (amount <> 0 AND amount BETWEEN -{_MOST} AND {_MOST}),
        cause TEXT NOT NULL CONSTRAINT "asiento con causa" CHECK (cause <> ''),
        CONSTRAINT "asiento unico" PRIMARY KEY (fact, line),
        CONSTRAINT "un pozo solo baja por una causa de la lista"
            CHECK (amount > 0 OR substr(account, 1, 4) <> 'pot:' OR cause IN ({_quoted(_CAUSES)}))""",
    "outcome": """source TEXT NOT NULL CONSTRAINT "origen con nombre" CHECK (source <> ''),
        epoch INTEGER NOT NULL,
        number INTEGER NOT NULL,
        digest BLOB NOT NULL CONSTRAINT "resumen de 16 bytes" CHECK (length(digest) = 16),
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        CONSTRAINT "respuesta unica" PRIMARY KEY (source, epoch, number),
        CONSTRAINT "respuesta con hechos" CHECK (first >= 1 AND last >= first)""",
    "person": """id TEXT NOT NULL PRIMARY KEY CONSTRAINT "persona con clave" CHECK (id <> ''),
        name TEXT NOT NULL,
        verifier TEXT NOT NULL""",
    "snapshot": "seq INTEGER NOT NULL PRIMARY KEY, body BLOB NOT NULL",
    "checkpoint": """seq INTEGER NOT NULL PRIMARY KEY,
        body BLOB NOT NULL CONSTRAINT "sello con texto" CHECK (length(body) > 0),
        signature BLOB NOT NULL CONSTRAINT "firma de 64 bytes" CHECK (length(signature) = 64)""",
    "meta": "key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL",
    "position": """peer TEXT NOT NULL CONSTRAINT "vecino con nombre" CHECK (peer <> ''),
        direction TEXT NOT NULL CONSTRAINT "sentido conocido" CHECK (direction IN ('in', 'out')),
        epoch INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL CONSTRAINT "huella de posicion de 32 bytes" CHECK (length(hash) = 32),
        CONSTRAINT "posicion unica" PRIMARY KEY (peer, direction)""",
}
_WITH_ROWID = ("fact", "snapshot", "checkpoint")
_SQLITE_TRIGGERS = {
    ("fact", "fact_follows"): f"""BEFORE INSERT ON fact BEGIN SELECT CASE
        WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM fact) THEN RAISE(ABORT, '{_GAP}')
        WHEN (SELECT sum(amount) FROM posting WHERE fact = NEW.seq) <> 0 THEN RAISE(ABORT, '{_SUM}') END; END""",
    ("posting", "posting_before_fact"): f"""BEFORE INSERT ON posting
        WHEN EXISTS (SELECT 1 FROM fact WHERE seq = NEW.fact) BEGIN SELECT RAISE(ABORT, '{_LATE}'); END""",
    ("outcome", "outcome_once"): """BEFORE INSERT ON outcome WHEN EXISTS (SELECT 1 FROM outcome
        WHERE source = NEW.source AND epoch = NEW.epoch AND number = NEW.number)
        BEGIN SELECT RAISE(ABORT, 'lo escrito en outcome no se cambia ni se borra'); END""",
    ("checkpoint", "checkpoint_once"): """BEFORE INSERT ON checkpoint
        WHEN EXISTS (SELECT 1 FROM checkpoint WHERE seq = NEW.seq)
        BEGIN SELECT RAISE(ABORT, 'lo escrito en checkpoint no se cambia ni se borra'); END""",
    **{
        (table, f"{table}_no_{act.lower()}"): f"""BEFORE {act} ON {table}
        BEGIN SELECT RAISE(ABORT, 'lo escrito en {table} no se cambia ni se borra'); END"""
        for table in _KEPT
        for act in ("UPDATE", "DELETE")
    },
}
_SQLITE_SETTINGS = {"encoding": "UTF-8", "application_id": "0", "user_version": "0", "auto_vacuum": "0"}

_TEXT, _WHOLE, _BYTES = "text COLLATE C NOT NULL", "bigint NOT NULL", "bytea NOT NULL"
_POSTGRES_TABLES = {
    "fact": {"seq": _WHOLE, "at": _WHOLE, "kind": _TEXT, "body": _BYTES, "hash": _BYTES},
    "posting": {"fact": _WHOLE, "line": _WHOLE, "account": _TEXT, "amount": _WHOLE, "cause": _TEXT},
    "balance": {"account": _TEXT, "amount": _WHOLE, "fact": _WHOLE},
    "outcome": {
        "source": _TEXT, "epoch": _WHOLE, "number": _WHOLE, "digest": _BYTES, "first": _WHOLE, "last": _WHOLE,
    },
    "person": {"id": _TEXT, "name": _TEXT, "verifier": _TEXT},
    "snapshot": {"seq": _WHOLE, "body": _BYTES},
    "checkpoint": {"seq": _WHOLE, "body": _BYTES, "signature": _BYTES},
    "meta": {"key": _TEXT, "value": _TEXT},
    "position": {"peer": _TEXT, "direction": _TEXT, "epoch": _WHOLE, "seq": _WHOLE, "hash": _BYTES},
}  # fmt: skip
_POSTGRES_KEYS = {
    "fact": ("fact_pkey", "seq"),
    "posting": ("asiento unico", "fact, line"),
    "balance": ("balance_pkey", "account"),
    "outcome": ("respuesta unica", "source, epoch, number"),
    "person": ("person_pkey", "id"),
    "snapshot": ("snapshot_pkey", "seq"),
    "checkpoint": ("checkpoint_pkey", "seq"),
    "meta": ("meta_pkey", "key"),
    "position": ("posicion unica", "peer, direction"),
}
_BETWEEN = f"amount >= '-{_MOST}'::bigint AND amount <= '{_MOST}'::bigint"
_POSTGRES_CHECKS = {
    ("fact", "numero de hecho desde 1"): "seq >= 1",
    ("fact", "hecho con clase"): "kind <> ''::text",
    ("fact", "hecho de tamano posible"): "length(body) >= 1 AND length(body) <= 1048576",
    ("fact", "huella de 32 bytes"): "length(hash) = 32",
    ("posting", "linea desde 0"): "line >= 0",
    ("posting", "asiento con cuenta"): "account <> ''::text",
    ("posting", "asiento posible y distinto de cero"): f"amount <> 0 AND {_BETWEEN}",
    ("posting", "asiento con causa"): "cause <> ''::text",
    ("posting", "un pozo solo baja por una causa de la lista"): (
        f"amount > 0 OR substr(account, 1, 4) <> 'pot:'::text OR (cause = ANY (ARRAY[{_quoted(_CAUSES, '::text')}]))"
    ),
    ("balance", "saldo posible"): _BETWEEN,
    ("outcome", "origen con nombre"): "source <> ''::text",
    ("outcome", "resumen de 16 bytes"): "length(digest) = 16",
    ("outcome", "respuesta con hechos"): "first >= 1 AND last >= first",
    ("person", "persona con clave"): "id <> ''::text",
    ("checkpoint", "sello con texto"): "length(body) > 0",
    ("checkpoint", "firma de 64 bytes"): "length(signature) = 64",
    ("position", "vecino con nombre"): "peer <> ''::text",
    ("position", "sentido conocido"): "direction = ANY (ARRAY['in'::text, 'out'::text])",
    ("position", "huella de posicion de 32 bytes"): "length(hash) = 32",
}
_POSTGRES_TRIGGERS = {
    ("fact", "fact_follows"): """AFTER INSERT ON fact REFERENCING NEW TABLE AS arrived
        FOR EACH STATEMENT EXECUTE FUNCTION fact_follows()""",
    ("posting", "posting_before_fact"): """AFTER INSERT ON posting REFERENCING NEW TABLE AS arrived
        FOR EACH STATEMENT EXECUTE FUNCTION posting_before_fact()""",
    **{
        (table, f"{table}_no_{act.lower()}"): f"BEFORE {act} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION kept()"
        for table in _KEPT
        for act in ("UPDATE", "DELETE", "TRUNCATE")
    },
}
_POSTGRES_FUNCTIONS = {
    "fact_follows": f"""fact_follows() returns trigger language plpgsql AS $$
        DECLARE lowest BIGINT; highest BIGINT; many BIGINT; before BIGINT;
        BEGIN
          SELECT min(seq), max(seq), count(*) INTO lowest, highest, many FROM arrived;
          IF many = 0 THEN RETURN NULL; END IF;
          SELECT coalesce(max(seq), 0) INTO before FROM fact WHERE seq < lowest;
          IF lowest <> before + 1 OR highest - lowest + 1 <> many
            OR EXISTS (SELECT 1 FROM fact WHERE seq > highest) THEN RAISE EXCEPTION '{_GAP}'; END IF;
          IF EXISTS (SELECT 1 FROM posting WHERE fact BETWEEN lowest AND highest GROUP BY fact HAVING sum(amount) <> 0)
            THEN RAISE EXCEPTION '{_SUM}'; END IF;
          RETURN NULL;
        END $$""",
    "posting_before_fact": f"""posting_before_fact() returns trigger language plpgsql AS $$
        BEGIN
          IF (SELECT min(fact) FROM arrived) <= (SELECT max(seq) FROM fact) THEN RAISE EXCEPTION '{_LATE}'; END IF;
          RETURN NULL;
        END $$""",
    "hold_epoch": """hold_epoch(mine bigint) returns void language plpgsql AS $$
        DECLARE theirs TEXT;
        BEGIN
          SELECT value INTO STRICT theirs FROM meta WHERE key = 'epoch' FOR SHARE;
          IF theirs <> mine::text THEN
            RAISE EXCEPTION USING ERRCODE = 'PZ001', MESSAGE = mine::text || ' ' || theirs;
          END IF;
        END $$""",
    "kept": """kept() returns trigger language plpgsql AS $$
        BEGIN RAISE EXCEPTION 'lo escrito en % no se cambia ni se borra', TG_TABLE_NAME; END $$""",
}


def prove_schema(objects: Iterable[SchemaObject]) -> int:
    """R-27: what the database holds is what a record of its version holds, each in its words. Returns the version."""
    there = list(objects)
    version = _version({one.name: one.sql for one in there if one.kind == "meta"})
    many = Counter((one.kind, one.of, one.name) for one in there)
    is_sqlite = any(one.kind == "setting" for one in there)
    right = _sqlite(version, _OWES) if is_sqlite else _postgres(version, _OWES)
    also = _sqlite(version, _OWES_SINCE[4]) if is_sqlite else _postgres(version, _OWES_SINCE[4])
    for kind, of, name in right:
        must((kind, of, name) in many, "R-27", "falta: la base no lo tiene", f"{kind} {name}")
    for one in there:
        place, key = f"{one.kind} {shown(one.name)}", (one.kind, one.of, one.name)
        must(many[key] == 1, "R-27", "está dos veces", place)
        if one.kind == "meta":
            continue
        must(key in right, "R-27", "un objeto que nadie conoce", place)
        if _words(one.sql) not in (right[key], also[key]):
            wrong("R-27", f"dice otra cosa que la que se hizo: {shown(_words(one.sql))}", place)
    return version


def prove_version(version: int, reading: int) -> None:
    """R-27: a program that knew this reading of the rules wrote to no older tables."""
    least = max(least for since, least in _OF_READING.items() if since <= reading)
    why = f"tablas de la versión {version} con hechos de la lectura {reading}, que se escriben en la {least}"
    must(version >= least, "R-27", why, "meta version")


def _version(meta: dict[str, str]) -> int:
    """The rows of `meta` are three; node and epoch are compared with the facts at the end."""
    for name in meta:
        must(name in ("version", "node", "epoch"), "R-27", "un objeto que nadie conoce", f"meta {shown(name)}")
    for name in ("version", "node", "epoch"):
        must(name in meta, "R-27", "falta: la base no lo tiene", f"meta {name}")
    known = {str(version): version for version in range(1, _NEWEST + 1)}
    must(meta["version"] in known, "R-27", "una versión de las tablas que no se conoce", "meta version")
    return known[meta["version"]]


def _words(sql: str) -> str:
    return " ".join(str(sql).split())


def _sqlite(version: int, owes: tuple[str, ...]) -> dict[_Key, str]:
    """What a SQLite store of a version holds, by kind, table and name."""
    owes = _OWES_SINCE.get(version, owes)
    may_owe = " OR ".join(f"substr(account, 1, {len(one)}) = '{one}'" for one in owes)
    balance = f"""account TEXT NOT NULL PRIMARY KEY,
        amount INTEGER NOT NULL CONSTRAINT "saldo posible" CHECK (amount BETWEEN -{_MOST} AND {_MOST}),
        fact INTEGER NOT NULL,
        CONSTRAINT "solo la casa puede quedar debiendo" CHECK (amount >= 0 OR {may_owe})"""
    right: dict[_Key, str] = {}
    for name, columns in {**_SQLITE_TABLES, "balance": balance}.items():
        kind = "STRICT" if name in _WITH_ROWID else "STRICT, WITHOUT ROWID"
        right["table", name, name] = _words(f"CREATE TABLE {name} ( {columns} ) {kind}")
    for (table, name), words in _SQLITE_TRIGGERS.items():
        right["trigger", table, name] = _words(f"CREATE TRIGGER {name} {words}")
    for name, value in _SQLITE_SETTINGS.items():
        right["setting", "", name] = value
    index = f"CREATE INDEX fact_of_pots ON fact (kind, seq) WHERE kind IN ({_quoted(_INDEXED)})"
    right["index", "fact", "fact_of_pots"] = index
    links = f"CREATE INDEX fact_of_links ON fact (kind, seq) WHERE kind IN ({_quoted(_LINKED)})"
    right["index", "fact", "fact_of_links"] = links
    return _as_of(version, right)


def _postgres(version: int, owes: tuple[str, ...]) -> dict[_Key, str]:
    """The same of PostgreSQL, in the server's words."""
    owes = _OWES_SINCE.get(version, owes)
    right: dict[_Key, str] = {}
    for name, columns in _POSTGRES_TABLES.items():
        right["table", name, name] = ", ".join(f"{column} {type_}" for column, type_ in columns.items())
        key, of = _POSTGRES_KEYS[name]
        right["constraint", name, key] = f"PRIMARY KEY ({of})"
        shown_key, on = (f'"{key}"' if " " in key else key), ('"position"' if name == "position" else name)
        right["index", name, key] = f"CREATE UNIQUE INDEX {shown_key} ON {on} USING btree ({of})"
    for (table, name), check in _POSTGRES_CHECKS.items():
        right["constraint", table, name] = f"CHECK ({check})"
    may_owe = " OR ".join(f"substr(account, 1, {len(one)}) = '{one}'::text" for one in owes)
    right["constraint", "balance", "solo la casa puede quedar debiendo"] = f"CHECK (amount >= 0 OR {may_owe})"
    owner = "FOREIGN KEY (fact) REFERENCES fact(seq) DEFERRABLE INITIALLY DEFERRED"
    right["constraint", "posting", "asiento de un hecho"] = owner
    for (table, name), words in _POSTGRES_TRIGGERS.items():
        right["trigger", table, name] = _words(f"CREATE TRIGGER {name} {words}")
    for name, words in _POSTGRES_FUNCTIONS.items():
        right["function", "", name] = _words(f"create function {words}")
    kinds = _quoted(_INDEXED, "::text")
    index = f"CREATE INDEX fact_of_pots ON fact USING btree (kind, seq) WHERE kind = ANY (ARRAY[{kinds}])"
    right["index", "fact", "fact_of_pots"] = index
    kinds = _quoted(_LINKED, "::text")
    links = f"CREATE INDEX fact_of_links ON fact USING btree (kind, seq) WHERE kind = ANY (ARRAY[{kinds}])"
    right["index", "fact", "fact_of_links"] = links
    return _as_of(version, right)


_SINCE = {"position": 2, "fact_of_pots": 3, "fact_of_links": 5}


def _as_of(version: int, right: dict[_Key, str]) -> dict[_Key, str]:
    """Version 2 brought the neighbours' positions, version 3 an index, version 4 what a table that trains owes,
    version 5 what stands between neighbours and the index of links."""
    return {key: words for key, words in right.items() if version >= max(_SINCE.get(key[1], 1), _SINCE.get(key[2], 1))}
