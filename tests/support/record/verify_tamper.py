"""Somebody who owns the machine and edits the store's file: one byte, one value, one row at a time.

He drops the triggers, edits, and puts them back in their words; so the edit itself must be found. Each edit says which
places may be named for it; a place is right when it is the row that was touched, or the next one that no longer fits.
"""

# ruff: noqa: S608  every statement is made of words of this page
import random
import shutil
from pathlib import Path
from typing import Any, Self

import pysqlite3  # type: ignore[import-untyped]

TRIGGERS = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"


class Edited:
    """A copy of a store, open for one edit."""

    def __init__(self, pristine: Path, to: Path, *, put_back: bool = True) -> None:
        for ending in ("-wal", "-shm"):
            to.with_name(to.name + ending).unlink(missing_ok=True)
        shutil.copyfile(pristine, to)
        self.raw = pysqlite3.connect(to, isolation_level=None)
        self.raw.execute("PRAGMA ignore_check_constraints = ON")
        self._put_back = put_back

    def __enter__(self) -> Self:
        self.triggers = self.raw.execute(TRIGGERS).fetchall()
        for name, _ in self.triggers:
            self.raw.execute(f"DROP TRIGGER {name}")
        return self

    def __exit__(self, *_: object) -> None:
        for _, sql in self.triggers if self._put_back else ():
            self.raw.execute(sql)
        self.raw.close()

    def __call__(self, sql: str, *values: object) -> list[Any]:
        rows: list[Any] = self.raw.execute(sql, values).fetchall()
        return rows

    def value(self, sql: str, *values: object) -> Any:
        return self(sql, *values)[0][0]


def flipped(data: bytes, chance: random.Random) -> bytes:
    """The same bytes but one."""
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]


def misspelt(text: str, chance: random.Random) -> str:
    """The same text but one letter more, less, or another."""
    at = chance.randrange(len(text))
    return chance.choice((text[:at] + "x" + text[at + 1 :], text + "1", text[:at] + text[at + 1 :])) or "x"


def other(number: int, chance: random.Random) -> int:
    return number + chance.choice((-1000, -1, 1, 7, 1000, number or 2))


def somewhere(edit: Edited, chance: random.Random, table: str, key: str = "rowid") -> tuple[Any, ...]:
    """A row of a table, as its key."""
    keys = edit(f"SELECT {key} FROM {table} ORDER BY {key}")
    return chance.choice(keys)


def fact_body(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "fact", "seq")
    body = edit.value("SELECT body FROM fact WHERE seq = ?", seq)
    edit("UPDATE fact SET body = ? WHERE seq = ?", flipped(body, chance), seq)
    return {f"fact {seq}"}


def fact_body_space(edit: Edited, chance: random.Random) -> set[str]:
    """A blank that changes nothing of what the fact says."""
    (seq,) = somewhere(edit, chance, "fact", "seq")
    body = edit.value("SELECT body FROM fact WHERE seq = ?", seq)
    at = chance.choice([at for at, byte in enumerate(body) if byte == ord(",")])
    edit("UPDATE fact SET body = ? WHERE seq = ?", body[: at + 1] + b" " + body[at + 1 :], seq)
    return {f"fact {seq}"}


def fact_hash(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "fact", "seq")
    hash_ = edit.value("SELECT hash FROM fact WHERE seq = ?", seq)
    edit("UPDATE fact SET hash = ? WHERE seq = ?", flipped(hash_, chance), seq)
    return {f"fact {seq}"}


def fact_column(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "fact", "seq")
    at, kind = edit("SELECT at, kind FROM fact WHERE seq = ?", seq)[0]
    if chance.random() < 0.5:
        edit("UPDATE fact SET at = ? WHERE seq = ?", other(at, chance), seq)
    else:
        edit("UPDATE fact SET kind = ? WHERE seq = ?", misspelt(kind, chance), seq)
    return {f"fact {seq}"}


def fact_number(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "fact", "seq")
    last = edit.value("SELECT max(seq) FROM fact")
    edit("UPDATE fact SET seq = ? WHERE seq = ?", chance.choice((0, -seq, last + 1, last + 1000)), seq)
    return {f"fact {seq}"} if seq != last else {f"fact {seq}", *left_behind(edit, seq)}


def left_behind(edit: Edited, seq: int) -> set[str]:
    """When the last fact is gone: what still speaks of it."""
    rows = edit("SELECT source, epoch, number FROM outcome WHERE last >= ?", seq)
    lines = edit("SELECT line FROM posting WHERE fact = ?", seq)
    return {f"outcome {s}/{e}/{n}" for s, e, n in rows} | {f"posting {seq}/{line}" for (line,) in lines}


def fact_swap(edit: Edited, chance: random.Random) -> set[str]:
    """Two bodies, or two whole rows, in each other's place."""
    one, two = sorted(chance.sample([seq for (seq,) in edit("SELECT seq FROM fact")], 2))
    columns = chance.choice((("body",), ("at", "kind", "body", "hash"), ("hash",)))
    row = {seq: edit(f"SELECT {', '.join(columns)} FROM fact WHERE seq = ?", seq)[0] for seq in (one, two)}
    changes = ", ".join(f"{column} = ?" for column in columns)
    edit(f"UPDATE fact SET {changes} WHERE seq = ?", *row[two], one)
    edit(f"UPDATE fact SET {changes} WHERE seq = ?", *row[one], two)
    return {f"fact {one}"}


def fact_gone(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "fact", "seq")
    edit("DELETE FROM fact WHERE seq = ?", seq)
    last = edit.value("SELECT max(seq) FROM fact")
    return {f"fact {seq}"} if seq <= last else left_behind(edit, seq)


def fact_more(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "fact", "seq")
    last = edit.value("SELECT max(seq) FROM fact")
    edit("INSERT INTO fact SELECT ?, at, kind, body, hash FROM fact WHERE seq = ?", last + 1, seq)
    return {f"fact {last + 1}"}


def posting_value(edit: Edited, chance: random.Random) -> set[str]:
    fact, line = somewhere(edit, chance, "posting", "fact, line")
    account, amount, cause = edit("SELECT account, amount, cause FROM posting WHERE (fact, line) = (?, ?)", fact, line)[
        0
    ]
    column, value = chance.choice(
        (
            ("account", misspelt(account, chance)),
            ("amount", other(amount, chance)),
            ("amount", -amount),
            ("cause", misspelt(cause, chance)),
        )
    )
    edit(f"UPDATE posting SET {column} = ? WHERE (fact, line) = (?, ?)", value, fact, line)
    return {f"posting {fact}/{line}"}


def posting_place(edit: Edited, chance: random.Random) -> set[str]:
    fact, line = somewhere(edit, chance, "posting", "fact, line")
    to_fact, to_line = chance.choice(((fact, line + 90), (0, line), (fact, 0), (10**6, line), (fact + 1, line + 90)))
    edit("UPDATE posting SET fact = ?, line = ? WHERE (fact, line) = (?, ?)", to_fact, to_line, fact, line)
    return {f"posting {fact}/{line}", f"posting {to_fact}/{to_line}"}


def posting_gone(edit: Edited, chance: random.Random) -> set[str]:
    fact, line = somewhere(edit, chance, "posting", "fact, line")
    edit("DELETE FROM posting WHERE (fact, line) = (?, ?)", fact, line)
    return {f"posting {fact}/{line}"}


def posting_more(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "fact", "seq")
    fact, line = chance.choice((seq, seq, 0, 10**6)), chance.choice((0, 50))
    edit("INSERT INTO posting VALUES (?, ?, 'house:pozo-estelar:central', -500, 'award')", fact, line)
    return {f"posting {fact}/{line}"}


def balance_value(edit: Edited, chance: random.Random) -> set[str]:
    (account,) = somewhere(edit, chance, "balance", "account")
    amount, fact = edit("SELECT amount, fact FROM balance WHERE account = ?", account)[0]
    column = chance.choice(("amount", "account", "fact"))
    value = misspelt(account, chance) if column == "account" else other(amount if column == "amount" else fact, chance)
    edit(f"UPDATE balance SET {column} = ? WHERE account = ?", value, account)
    return {f"balance {account}", f"balance {value}"}


def balance_row(edit: Edited, chance: random.Random) -> set[str]:
    (account,) = somewhere(edit, chance, "balance", "account")
    if chance.random() < 0.5:
        edit("DELETE FROM balance WHERE account = ?", account)
        return {f"balance {account}"}
    edit("INSERT INTO balance VALUES ('pot:otro:main', 0, 1)")
    return {"balance pot:otro:main"}


def outcome_value(edit: Edited, chance: random.Random) -> set[str]:
    key = somewhere(edit, chance, "outcome", "source, epoch, number")
    digest, first, last = edit(
        "SELECT digest, first, last FROM outcome WHERE (source, epoch, number) = (?, ?, ?)", *key
    )[0]
    column, value = chance.choice(
        (
            ("source", misspelt(key[0], chance)),
            ("epoch", key[1] + 5),
            ("number", key[2] + 10**9),
            ("digest", flipped(digest, chance)),
            ("first", other(first, chance)),
            ("last", other(last, chance)),
        )
    )
    edit(f"UPDATE outcome SET {column} = ? WHERE (source, epoch, number) = (?, ?, ?)", value, *key)
    named = zip(("source", "epoch", "number"), key, strict=True)
    now: tuple[Any, ...] = tuple(value if column == name else was for name, was in named)
    return {f"outcome {s}/{e}/{n}" for s, e, n in (key, now)}


def outcome_row(edit: Edited, chance: random.Random) -> set[str]:
    key = somewhere(edit, chance, "outcome", "source, epoch, number")
    if chance.random() < 0.5:
        edit("DELETE FROM outcome WHERE (source, epoch, number) = (?, ?, ?)", *key)
        return {"outcome {}/{}/{}".format(*key)}
    source, first = chance.choice(("a", "zz")), chance.choice((0, 1, 50, 10**6))
    edit("INSERT INTO outcome VALUES (?, 1, 9, ?, ?, ?)", source, bytes(16), first, first)
    return {f"outcome {source}/1/9"}


def checkpoint_value(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "checkpoint", "seq")
    column = chance.choice(("body", "signature"))
    was = edit.value(f"SELECT {column} FROM checkpoint WHERE seq = ?", seq)
    edit(f"UPDATE checkpoint SET {column} = ? WHERE seq = ?", flipped(was, chance), seq)
    return {f"checkpoint {seq}"}


def checkpoint_row(edit: Edited, chance: random.Random) -> set[str]:
    """Moved, struck out, or doubled at another fact."""
    (seq,) = somewhere(edit, chance, "checkpoint", "seq")
    free = {seq - 3, seq + 2, 10**6} - {one for (one,) in edit("SELECT seq FROM checkpoint")}
    to = chance.choice(sorted(free))
    act = chance.randrange(3)
    if act == 0:
        edit("DELETE FROM checkpoint WHERE seq = ?", seq)
        return {f"fact {seq}", f"snapshot {seq}"}
    if act == 1:
        edit("UPDATE checkpoint SET seq = ? WHERE seq = ?", to, seq)
        return {f"fact {seq}", f"checkpoint {to}", f"snapshot {seq}"}
    edit("INSERT INTO checkpoint SELECT ?, body, signature FROM checkpoint WHERE seq = ?", to, seq)
    return {f"checkpoint {to}"}


def snapshot_value(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "snapshot", "seq")
    body = edit.value("SELECT body FROM snapshot WHERE seq = ?", seq)
    edit("UPDATE snapshot SET body = ? WHERE seq = ?", flipped(body, chance), seq)
    return {f"snapshot {seq}"}


def snapshot_row(edit: Edited, chance: random.Random) -> set[str]:
    (seq,) = somewhere(edit, chance, "snapshot", "seq")
    to = chance.choice((0, seq - 1, seq + 1, 10**6))
    act = chance.randrange(3)
    if act == 0:
        edit("DELETE FROM snapshot WHERE seq = ?", seq)
        return {f"snapshot {seq}"}
    if act == 1:
        edit("UPDATE snapshot SET seq = ? WHERE seq = ?", to, seq)
        return {f"snapshot {seq}", f"snapshot {to}"}
    edit("INSERT INTO snapshot SELECT ?, body FROM snapshot WHERE seq = ?", to, seq)
    return {f"snapshot {to}"}


def person_value(edit: Edited, chance: random.Random) -> set[str]:
    (id_,) = somewhere(edit, chance, "person", "id")
    column = chance.choice(("id", "name", "verifier"))
    was = edit.value(f"SELECT {column} FROM person WHERE id = ?", id_)
    value = misspelt(was, chance)
    edit(f"UPDATE person SET {column} = ? WHERE id = ?", value, id_)
    return {f"person {id_}", f"person {value}"}


def person_row(edit: Edited, chance: random.Random) -> set[str]:
    (id_,) = somewhere(edit, chance, "person", "id")
    if chance.random() < 0.5:
        edit("DELETE FROM person WHERE id = ?", id_)
        return {f"person {id_}"}
    edit("INSERT INTO person VALUES ('mal', 'Mal', 'x')")
    return {"person mal"}


def position_value(edit: Edited, chance: random.Random) -> set[str]:
    """What a neighbour acknowledged. (What was heard from one is proven by the neighbour's own record.)"""
    seq, hash_ = edit("SELECT seq, hash FROM position WHERE direction = 'out'")[0]
    change = chance.choice(
        (("seq", other(seq, chance)), ("hash", flipped(hash_, chance)), ("epoch", 7), ("direction", "up"))
    )
    edit(f"UPDATE position SET {change[0]} = ? WHERE direction = 'out'", change[1])
    return {"position vecino/out", "position vecino/up"}


def meta_value(edit: Edited, chance: random.Random) -> set[str]:
    key, value = chance.choice((("node", "otro"), ("epoch", "9")))
    edit("UPDATE meta SET value = ? WHERE key = ?", value, key)
    return {"registro"}


EDITS = (
    fact_body, fact_body, fact_body, fact_body_space, fact_hash, fact_column, fact_number, fact_swap, fact_gone,
    fact_more, posting_value, posting_value, posting_place, posting_gone, posting_more, balance_value, balance_row,
    outcome_value, outcome_value, outcome_row, checkpoint_value, checkpoint_row, snapshot_value, snapshot_row,
    person_value, person_row, position_value, meta_value,
)  # fmt: skip
