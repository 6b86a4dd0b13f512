"""The tables, what they refuse by themselves, and the steps from one version to the next, on both databases.

Theory. What must hold is written into the database, where no slip of the program gets past it: facts follow one
another without a gap, the postings of a fact sum to zero, nothing written is changed or struck out, a pot goes down
only for the listed causes, and no account but the house's own goes below zero. Postings are written before their
fact, so the fact's own arrival proves them; nothing can be added to a fact that is already there.

What the core asks for in a record of years, to put a pass right, are the few kinds of facts that concern
pots and what they owe; an index of these alone, by kind, finds them without reading every press in between.

The steps are our own and literal. Nine tables whose rows are never rewritten need only steps forward, each in one
transaction and proven by the same sums and the same last fact before and after; alembic would bring templates,
branches and downgrades, none of which a ledger may have. A step once shipped is never edited: the next one follows.
"""

# ruff: noqa: S608  every statement is made of constants of this program; values go as parameters
from typing import NamedTuple

import sqlalchemy as sa

from controller.core.ledger import POT_FALLS_BY
from controller.node.store.failure import FENCED_STATE
from controller.node.store.rows import MOST_AMOUNT, MOST_BODY_BYTES, POT_PREFIX

# Once version 1 stands in a casino, a change of these lists is a step of its own: CREATE lines are never edited.
_FIRST_MAY_OWE = ("cash:", "house:", "promo_issued:", "suspense:")
_MAY_OWE = ("cash:", "practice:", "house:", "promo_issued:", "suspense:")  # since step 4
_MAY_OWE_A_NEIGHBOUR = (*_MAY_OWE, "clearing:", "dispute:")  # since step 5
_BOUND = f"BETWEEN -{MOST_AMOUNT} AND {MOST_AMOUNT}"
_CAUSES = ", ".join(f"'{cause}'" for cause in POT_FALLS_BY)
_OWNER = 'CONSTRAINT "asiento de un hecho" REFERENCES fact (seq) DEFERRABLE INITIALLY DEFERRED'
_NO_POT = f"substr(account, 1, {len(POT_PREFIX)}) <> '{POT_PREFIX}'"


def _balance(may_owe: tuple[str, ...]) -> str:
    owes = " OR ".join(f"substr(account, 1, {len(prefix)}) = '{prefix}'" for prefix in may_owe)
    return f"""CREATE TABLE balance (
  account <text> NOT NULL PRIMARY KEY,
  amount <integer> NOT NULL CONSTRAINT "saldo posible" CHECK (amount {_BOUND}),
  fact <integer> NOT NULL,
  CONSTRAINT "solo la casa puede quedar debiendo" CHECK (amount >= 0 OR {owes})
)<keyed>"""


_TABLES = (
    f"""CREATE TABLE fact (
  seq <integer> NOT NULL PRIMARY KEY CONSTRAINT "numero de hecho desde 1" CHECK (seq >= 1),
  at <integer> NOT NULL,
  kind <text> NOT NULL CONSTRAINT "hecho con clase" CHECK (kind <> ''),
  body <bytes> NOT NULL CONSTRAINT "hecho de tamano posible" CHECK (length(body) BETWEEN 1 AND {MOST_BODY_BYTES}),
  hash <bytes> NOT NULL CONSTRAINT "huella de 32 bytes" CHECK (length(hash) = 32)
)<rowid>""",
    f"""CREATE TABLE posting (
  fact <integer> NOT NULL {_OWNER},
  line <integer> NOT NULL CONSTRAINT "linea desde 0" CHECK (line >= 0),
  account <text> NOT NULL CONSTRAINT "asiento con cuenta" CHECK (account <> ''),
  amount <integer> NOT NULL
    CONSTRAINT "asiento posible y distinto de cero" CHECK (amount <> 0 AND amount {_BOUND}),
  cause <text> NOT NULL CONSTRAINT "asiento con causa" CHECK (cause <> ''),
  CONSTRAINT "asiento unico" PRIMARY KEY (fact, line),
  CONSTRAINT "un pozo solo baja por una causa de la lista" CHECK (amount > 0 OR {_NO_POT} OR cause IN ({_CAUSES}))
)<keyed>""",
    _balance(_FIRST_MAY_OWE),
    """CREATE TABLE outcome (
  source <text> NOT NULL CONSTRAINT "origen con nombre" CHECK (source <> ''),
  epoch <integer> NOT NULL,
  number <integer> NOT NULL,
  digest <bytes> NOT NULL CONSTRAINT "resumen de 16 bytes" CHECK (length(digest) = 16),
  first <integer> NOT NULL,
  last <integer> NOT NULL,
  CONSTRAINT "respuesta unica" PRIMARY KEY (source, epoch, number),
  CONSTRAINT "respuesta con hechos" CHECK (first >= 1 AND last >= first)
)<keyed>""",
    """CREATE TABLE person (
  id <text> NOT NULL PRIMARY KEY CONSTRAINT "persona con clave" CHECK (id <> ''),
  name <text> NOT NULL,
  verifier <text> NOT NULL
)<keyed>""",
    """CREATE TABLE snapshot (
  seq <integer> NOT NULL PRIMARY KEY,
  body <bytes> NOT NULL
)<rowid>""",
    """CREATE TABLE checkpoint (
  seq <integer> NOT NULL PRIMARY KEY,
  body <bytes> NOT NULL CONSTRAINT "sello con texto" CHECK (length(body) > 0),
  signature <bytes> NOT NULL CONSTRAINT "firma de 64 bytes" CHECK (length(signature) = 64)
)<rowid>""",
    """CREATE TABLE meta (
  key <text> NOT NULL PRIMARY KEY,
  value <text> NOT NULL
)<keyed>""",
)

_POSITION = """CREATE TABLE position (
  peer <text> NOT NULL CONSTRAINT "vecino con nombre" CHECK (peer <> ''),
  direction <text> NOT NULL CONSTRAINT "sentido conocido" CHECK (direction IN ('in', 'out')),
  epoch <integer> NOT NULL,
  seq <integer> NOT NULL,
  hash <bytes> NOT NULL CONSTRAINT "huella de posicion de 32 bytes" CHECK (length(hash) = 32),
  CONSTRAINT "posicion unica" PRIMARY KEY (peer, direction)
)<keyed>"""

KINDS_OF_POTS = (
    "reading_adopted", "plan_took_effect", "day_opened", "day_closed", "money_moved",
    "pass_sealed", "hands_voided", "pass_closed", "drawn", "prize_granted",
    "claim_registered", "claim_rejected", "claim_corrected", "late_registered",
    "award_confirmed", "award_paid", "award_overdue", "award_set_aside", "training_started", "training_ended",
)  # fmt: skip
"""The kinds that step 3 lists. Shipped with it and never edited: another kind is another index."""

IS_OF_POTS = f"kind IN ({', '.join(map(repr, KINDS_OF_POTS))})"
"""In the words of the index: a question that says the same is answered from it."""

KINDS_OF_LINKS = (
    "letter_told", "letter_heard", "letter_disputed", "dispute_ended", "claim_asked", "claim_decided",
    "correction_asked", "correction_refused", "house_charged", "plan_proposed", "plan_ready", "plan_dropped",
)  # fmt: skip
"""The kinds that step 5 lists. Shipped with it and never edited."""

IS_OF_LINKS = f"kind IN ({', '.join(map(repr, KINDS_OF_LINKS))})"


def _rebuilt(may_owe: tuple[str, ...]) -> tuple[str, ...]:
    return (
        "CREATE TEMPORARY TABLE stood AS SELECT account, amount, fact FROM balance",
        "DROP TABLE balance",
        _balance(may_owe),
        "INSERT INTO balance (account, amount, fact) SELECT account, amount, fact FROM stood",
        "DROP TABLE stood",
    )


# A table that trains owes what it practises with. Step 1 was edited once to say so, against the rule above: balances of
# before and of after stand under the versions 1 to 3, and this step makes them one. The table is small.
_TRAINING_MAY_OWE = _rebuilt(_MAY_OWE)
# What stands between two nodes that share a pot may be owed by either; and letters are found without reading the rest.
_LINKS = (
    *_rebuilt(_MAY_OWE_A_NEIGHBOUR),
    f"CREATE INDEX fact_of_links ON fact (kind, seq) WHERE {IS_OF_LINKS}",
)

_OF_POTS = f"kind IN ({', '.join(map(repr, KINDS_OF_POTS))})"
"""In the words of the index: a question that says the same is answered from it."""

_TRAINING_MAY_OWE = (
    "CREATE TEMPORARY TABLE stood AS SELECT account, amount, fact FROM balance",
    "DROP TABLE balance",
    _balance(_MAY_OWE),
    "INSERT INTO balance (account, amount, fact) SELECT account, amount, fact FROM stood",
    "DROP TABLE stood",
)

_OF_POTS = f"CREATE INDEX fact_of_pots ON fact (kind, seq) WHERE {IS_OF_POTS}"

_GAP = "los hechos se siguen sin saltos"
_SUM = "los asientos de un hecho suman cero"
_LATE = "un hecho ya escrito no recibe asientos"
_KEPT = ("fact", "posting", "outcome", "checkpoint")


def _kept(table: str) -> str:
    return f"lo escrito en {table} no se cambia ni se borra"


# SQLite. BEFORE, so that an INSERT OR REPLACE is refused too, before it could strike out the old row.
_SQLITE_TRIGGERS = (
    f"""CREATE TRIGGER fact_follows BEFORE INSERT ON fact BEGIN
  SELECT CASE
    WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM fact) THEN RAISE(ABORT, '{_GAP}')
    WHEN (SELECT sum(amount) FROM posting WHERE fact = NEW.seq) <> 0 THEN RAISE(ABORT, '{_SUM}')
  END;
END""",
    f"""CREATE TRIGGER posting_before_fact BEFORE INSERT ON posting
WHEN EXISTS (SELECT 1 FROM fact WHERE seq = NEW.fact) BEGIN
  SELECT RAISE(ABORT, '{_LATE}');
END""",
    f"""CREATE TRIGGER outcome_once BEFORE INSERT ON outcome
WHEN EXISTS (SELECT 1 FROM outcome WHERE source = NEW.source AND epoch = NEW.epoch AND number = NEW.number) BEGIN
  SELECT RAISE(ABORT, '{_kept("outcome")}');
END""",
    f"""CREATE TRIGGER checkpoint_once BEFORE INSERT ON checkpoint
WHEN EXISTS (SELECT 1 FROM checkpoint WHERE seq = NEW.seq) BEGIN
  SELECT RAISE(ABORT, '{_kept("checkpoint")}');
END""",
    *(
        f"""CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} BEGIN
  SELECT RAISE(ABORT, '{_kept(table)}');
END"""
        for table in _KEPT
        for act in ("UPDATE", "DELETE")
    ),
)

# PostgreSQL. The epoch is held until the end of the transaction that asked for it: who raises it waits for us, and
# whoever comes after finds it raised. The rest is proven once a statement, over the rows it brought:
# a group of facts costs two questions.
_POSTGRES_TRIGGERS = (
    f"""CREATE FUNCTION fact_follows() RETURNS trigger LANGUAGE plpgsql AS $$
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
    """CREATE TRIGGER fact_follows AFTER INSERT ON fact REFERENCING NEW TABLE AS arrived
FOR EACH STATEMENT EXECUTE FUNCTION fact_follows()""",
    f"""CREATE FUNCTION posting_before_fact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT min(fact) FROM arrived) <= (SELECT max(seq) FROM fact) THEN RAISE EXCEPTION '{_LATE}'; END IF;
  RETURN NULL;
END $$""",
    """CREATE TRIGGER posting_before_fact AFTER INSERT ON posting REFERENCING NEW TABLE AS arrived
FOR EACH STATEMENT EXECUTE FUNCTION posting_before_fact()""",
    f"""CREATE FUNCTION hold_epoch(mine BIGINT) RETURNS void LANGUAGE plpgsql AS $$
DECLARE theirs TEXT;
BEGIN
  SELECT value INTO STRICT theirs FROM meta WHERE key = 'epoch' FOR SHARE;
  IF theirs <> mine::text THEN
    RAISE EXCEPTION USING ERRCODE = '{FENCED_STATE}', MESSAGE = mine::text || ' ' || theirs;
  END IF;
END $$""",
    """CREATE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'lo escrito en % no se cambia ni se borra', TG_TABLE_NAME; END $$""",
    *(
        f"""CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table}
FOR EACH STATEMENT EXECUTE FUNCTION kept()"""
        for table in _KEPT
        for act in ("UPDATE", "DELETE", "TRUNCATE")
    ),
)

_WORDS = {
    "sqlite": {
        "<integer>": "INTEGER",
        "<text>": "TEXT",
        "<bytes>": "BLOB",
        "<rowid>": " STRICT",
        "<keyed>": " STRICT, WITHOUT ROWID",
    },
    "postgresql": {
        "<integer>": "BIGINT",
        "<text>": 'TEXT COLLATE "C"',  # the same order of accounts and sources as SQLite's
        "<bytes>": "BYTEA",
        "<rowid>": "",
        "<keyed>": "",
    },
}
_TRIGGERS = {"sqlite": _SQLITE_TRIGGERS, "postgresql": _POSTGRES_TRIGGERS}


class SchemaStep(NamedTuple):
    """What leads to a version from the one before."""

    to: int
    statements: tuple[str, ...]


def _in_words_of(dialect: str, statement: str) -> str:
    for word, meaning in _WORDS[dialect].items():
        statement = statement.replace(word, meaning)
    return statement


def steps(dialect: str) -> tuple[SchemaStep, ...]:
    """All steps there are, from nothing, in the words of one database."""
    ledger = (*(_in_words_of(dialect, table) for table in _TABLES), *_TRIGGERS[dialect])
    return (
        SchemaStep(1, ledger),
        SchemaStep(2, (_in_words_of(dialect, _POSITION),)),
        SchemaStep(3, (_OF_POTS,)),
        SchemaStep(4, tuple(_in_words_of(dialect, statement) for statement in _TRAINING_MAY_OWE)),
        SchemaStep(5, tuple(_in_words_of(dialect, statement) for statement in _LINKS)),
    )


NEWEST = 5
BEGIN = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "BEGIN"}

FACT = sa.table("fact", *map(sa.column, ("seq", "at", "kind", "body", "hash")))
POSTING = sa.table("posting", *map(sa.column, ("fact", "line", "account", "amount", "cause")))
BALANCE = sa.table("balance", *map(sa.column, ("account", "amount", "fact")))
OUTCOME = sa.table("outcome", *map(sa.column, ("source", "epoch", "number", "digest", "first", "last")))
PERSON = sa.table("person", *map(sa.column, ("id", "name", "verifier")))
POSITION = sa.table("position", *map(sa.column, ("peer", "direction", "epoch", "seq", "hash")))
SNAPSHOT = sa.table("snapshot", *map(sa.column, ("seq", "body")))
CHECKPOINT = sa.table("checkpoint", *map(sa.column, ("seq", "body", "signature")))
META = sa.table("meta", *map(sa.column, ("key", "value")))

WRITTEN = (POSTING, FACT, BALANCE, OUTCOME, PERSON, POSITION, CHECKPOINT, SNAPSHOT)
"""What a batch writes, in this order: postings before their fact, which proves them."""

ON_CONFLICT = {
    "balance": "ON CONFLICT (account) DO UPDATE SET amount = excluded.amount, fact = excluded.fact",
    "person": "ON CONFLICT (id) DO UPDATE SET name = excluded.name, verifier = excluded.verifier",
    "position": """ON CONFLICT (peer, direction)
DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq, hash = excluded.hash
WHERE (excluded.epoch, excluded.seq) > (position.epoch, position.seq)""",
}
"""Rows that a newer one replaces."""
