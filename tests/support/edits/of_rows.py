"""Rows beside the facts: postings, balances, answers, people, neighbours, signatures, snapshots, what the store says of
itself. The facts stay as they are."""

# ruff: noqa: S608  every statement is made of words of this page
import random
from collections.abc import Callable

from support.edits.forger import Forger, one_of
from support.record.verify_tamper import flipped, misspelt, somewhere

Edit = Callable[[Forger, random.Random], None]


def posting_and_counterpart(forger: Forger, chance: random.Random) -> None:
    """Two lines of a fact, the sum as before, and the balances that follow."""
    fact = one_of(chance, forger("SELECT fact FROM posting GROUP BY fact HAVING count(*) > 1"))[0]
    lines = [line for (line,) in forger("SELECT line FROM posting WHERE fact = ? ORDER BY line", fact)]
    by = chance.choice((1, 500, 1_000))
    for line, change in ((lines[0], by), (lines[1], -by)):
        forger("UPDATE posting SET amount = amount + ? WHERE (fact, line) = (?, ?)", change, fact, line)
    forger("DELETE FROM posting WHERE amount = 0")
    forger.balance()


def posting_split(forger: Forger, chance: random.Random) -> None:
    """One line becomes two of the same sum."""
    fact, line, account, amount, cause = one_of(chance, forger("SELECT * FROM posting WHERE abs(amount) > 1"))
    forger("UPDATE posting SET amount = ? WHERE (fact, line) = (?, ?)", amount - amount // 2, fact, line)
    last = forger.value("SELECT max(line) FROM posting WHERE fact = ?", fact)
    forger("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", fact, last + 1, account, amount // 2, cause)


def postings_renumbered(forger: Forger, chance: random.Random) -> None:
    fact = one_of(chance, forger("SELECT fact FROM posting GROUP BY fact HAVING count(*) > 1"))[0]
    for line, to in ((1, 99), (2, 1), (99, 2)):
        forger("UPDATE posting SET line = ? WHERE (fact, line) = (?, ?)", to, fact, line)


def account_with_nul(forger: Forger, chance: random.Random) -> None:
    fact, line = somewhere(forger, chance, "posting", "fact, line")
    forger("UPDATE posting SET account = account || char(0) || 'x' WHERE (fact, line) = (?, ?)", fact, line)


def _as_real(table: str, column: str, key: str) -> Edit:
    """A whole number becomes the same number as a fraction: the table is made to take it, then said to be strict again."""

    def edit(forger: Forger, chance: random.Random) -> None:
        row = somewhere(forger, chance, table, key)
        marks = ", ".join("?" * len(row))
        with forger.words(table, f"{column} INTEGER", f"{column} ANY"):
            forger(f"UPDATE {table} SET {column} = CAST({column} AS REAL) WHERE ({key}) = ({marks})", *row)

    return edit


def _as_other(table: str, column: str, was: str, value: str) -> Edit:
    def edit(forger: Forger, chance: random.Random) -> None:
        (rowid,) = somewhere(forger, chance, table, "rowid")
        with forger.words(table, f"{column} {was}", f"{column} ANY"):
            forger(f"UPDATE {table} SET {column} = {value} WHERE rowid = ?", rowid)

    return edit


def balance_shifted(forger: Forger, chance: random.Random) -> None:
    """From one account to another, all together as before."""
    rows = forger("SELECT account FROM balance ORDER BY account")
    (one,), (other,) = chance.sample(rows, 2)
    forger("UPDATE balance SET amount = amount + 500 WHERE account = ?", one)
    forger("UPDATE balance SET amount = amount - 500 WHERE account = ?", other)


def balance_of_nothing(forger: Forger, chance: random.Random) -> None:
    forger("INSERT INTO balance VALUES (?, 0, 1)", f"credits:GO-01:{chance.randrange(20, 60)}")


def balance_by_another_fact(forger: Forger, chance: random.Random) -> None:
    (account,) = somewhere(forger, chance, "balance", "account")
    forger("UPDATE balance SET fact = fact - 1 WHERE account = ?", account)


def balance_gone(forger: Forger, chance: random.Random) -> None:
    (account,) = somewhere(forger, chance, "balance", "account")
    forger("DELETE FROM balance WHERE account = ?", account)


def answers_swapped(forger: Forger, chance: random.Random) -> None:
    rows = forger("SELECT source, epoch, number, digest FROM outcome")
    one, other = chance.sample(rows, 2)
    for row, digest in ((one, other[3]), (other, one[3])):
        forger("UPDATE outcome SET digest = ? WHERE (source, epoch, number) = (?, ?, ?)", digest, *row[:3])


def answer_doubled(forger: Forger, chance: random.Random) -> None:
    """The same facts answered another id too: who asks again under it is told that it was done."""
    row = one_of(chance, forger("SELECT * FROM outcome"))
    forger("INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?)", *row[:2], 900_000, *row[3:])


def answer_gone(forger: Forger, chance: random.Random) -> None:
    """Who asks again under this id is served twice."""
    key = somewhere(forger, chance, "outcome", "source, epoch, number")
    forger("DELETE FROM outcome WHERE (source, epoch, number) = (?, ?, ?)", *key)


def answer_stretched(forger: Forger, chance: random.Random) -> None:
    key = somewhere(forger, chance, "outcome", "source, epoch, number")
    forger("UPDATE outcome SET last = last + 1 WHERE (source, epoch, number) = (?, ?, ?)", *key)


def row_twice(forger: Forger, _chance: random.Random) -> None:
    """Two rows of one key, in a table that cannot have them."""
    key = "PRIMARY KEY (source, epoch, number"
    with forger.words("outcome", f"{key})", f"{key}, digest)"):
        row = one_of(_chance, forger("SELECT * FROM outcome"))
        forger("INSERT INTO outcome VALUES (?, ?, ?, ?, ?, ?)", *row[:3], bytes(16), *row[4:])


def verifier_replaced(forger: Forger, chance: random.Random) -> None:
    (id_,) = somewhere(forger, chance, "person", "id")
    forger("UPDATE person SET verifier = '$argon2id$of-me' WHERE id = ?", id_)


def verifiers_swapped(forger: Forger, chance: random.Random) -> None:
    one, other = chance.sample(forger("SELECT id, verifier FROM person"), 2)
    forger("UPDATE person SET verifier = ? WHERE id = ?", one[1], other[0])
    forger("UPDATE person SET verifier = ? WHERE id = ?", other[1], one[0])


def name_changed(forger: Forger, chance: random.Random) -> None:
    (id_,) = somewhere(forger, chance, "person", "id")
    name = forger.value("SELECT name FROM person WHERE id = ?", id_)
    forger("UPDATE person SET name = ? WHERE id = ?", misspelt(name, chance), id_)


def stranger_enrolled(forger: Forger, chance: random.Random) -> None:
    forger("INSERT INTO person VALUES (?, 'Mal', '$argon2id$of-me')", f"mal{chance.randrange(99)}")


def person_gone(forger: Forger, chance: random.Random) -> None:
    (id_,) = somewhere(forger, chance, "person", "id")
    forger("DELETE FROM person WHERE id = ?", id_)


def snapshot_edited(forger: Forger, chance: random.Random) -> None:
    """A node that starts from it would have another pot."""
    (seq,) = somewhere(forger, chance, "snapshot", "seq")
    body = forger.value("SELECT body FROM snapshot WHERE seq = ?", seq)
    digits = [at for at, byte in enumerate(body) if 0x31 <= byte <= 0x38]
    at = one_of(chance, digits)
    forger("UPDATE snapshot SET body = ? WHERE seq = ?", body[:at] + bytes([body[at] + 1]) + body[at + 1 :], seq)


def snapshot_of_before(forger: Forger, chance: random.Random) -> None:
    """An earlier state under a later number."""
    one, other = sorted(chance.sample(forger("SELECT seq FROM snapshot"), 2))
    forger("UPDATE snapshot SET body = (SELECT body FROM snapshot WHERE seq = ?) WHERE seq = ?", *one, *other)


def newest_snapshot_gone(forger: Forger, _chance: random.Random) -> None:
    forger("DELETE FROM snapshot WHERE seq = (SELECT max(seq) FROM snapshot)")


def signature_flipped(forger: Forger, chance: random.Random) -> None:
    (seq,) = somewhere(forger, chance, "checkpoint", "seq")
    was = forger.value("SELECT signature FROM checkpoint WHERE seq = ?", seq)
    forger("UPDATE checkpoint SET signature = ? WHERE seq = ?", flipped(was, chance), seq)


def seal_spaced(forger: Forger, chance: random.Random) -> None:
    (seq,) = somewhere(forger, chance, "checkpoint", "seq")
    forger("UPDATE checkpoint SET body = CAST(body || ' ' AS BLOB) WHERE seq = ?", seq)


def seal_moved(forger: Forger, chance: random.Random) -> None:
    (seq,) = somewhere(forger, chance, "checkpoint", "seq")
    taken = {one for (one,) in forger("SELECT seq FROM checkpoint")}
    to = one_of(chance, [one for one in range(1, forger.last() + 1) if one not in taken])
    forger("UPDATE checkpoint SET seq = ? WHERE seq = ?", to, seq)


def seals_exchanged(forger: Forger, chance: random.Random) -> None:
    one, other = chance.sample(forger("SELECT seq, body, signature FROM checkpoint"), 2)
    for row, (_, body, signature) in ((one, other), (other, one)):
        forger("UPDATE checkpoint SET body = ?, signature = ? WHERE seq = ?", body, signature, row[0])


def acknowledged_later(forger: Forger, chance: random.Random) -> None:
    forger("UPDATE position SET seq = seq + ? WHERE direction = 'out'", chance.randrange(1, 300))


def acknowledgment_of_the_future(forger: Forger, chance: random.Random) -> None:
    seq = forger.last() + chance.randrange(1, 10**6)
    forger("INSERT INTO position VALUES ('mal', 'out', 1, ?, ?)", seq, chance.randbytes(32))


def neighbour_invented(forger: Forger, chance: random.Random) -> None:
    forger("INSERT INTO position VALUES (?, 'in', 1, ?, ?)", f"n{chance.random()}", chance.randrange(99), bytes(32))


def neighbour_gone(forger: Forger, chance: random.Random) -> None:
    peer = one_of(chance, forger("SELECT peer FROM position"))[0]
    forger("DELETE FROM position WHERE peer = ?", peer)


def neighbour_heard_more(forger: Forger, chance: random.Random) -> None:
    forger("UPDATE position SET seq = ? WHERE direction = 'in'", chance.randrange(10, 10**6))


def _meta(key: str, *values: str) -> Edit:
    def edit(forger: Forger, chance: random.Random) -> None:
        forger("UPDATE meta SET value = ? WHERE key = ?", chance.choice(values), key)

    return edit


def meta_row_more(forger: Forger, chance: random.Random) -> None:
    forger("INSERT INTO meta VALUES (?, ?)", f"k{chance.randrange(10**6)}", chance.randbytes(8).hex())


def tables_of_before(forger: Forger, chance: random.Random) -> None:
    """The store says that it is of an earlier version, and holds what that one held."""
    version = chance.choice((1, 2, 3))
    if version < 3:
        forger("DROP INDEX fact_of_pots")
    if version < 2:
        forger("DROP TABLE position")
    forger("UPDATE meta SET value = ? WHERE key = 'version'", str(version))


def column_of_a_fact(forger: Forger, chance: random.Random) -> None:
    """What an index and a question go by; the body as it was."""
    (seq,) = somewhere(forger, chance, "fact", "seq")
    column, value = chance.choice((("at", "at + 1"), ("kind", "'refused '"), ("kind", "upper(kind)")))
    forger(f"UPDATE fact SET {column} = {value} WHERE seq = ?", seq)


FOUND: dict[str, Edit] = {
    "posting_and_counterpart": posting_and_counterpart,
    "posting_split": posting_split,
    "postings_renumbered": postings_renumbered,
    "account_with_nul": account_with_nul,
    "posting_as_a_fraction": _as_real("posting", "amount", "fact, line"),
    "balance_as_a_fraction": _as_real("balance", "amount", "account"),
    "answer_as_a_fraction": _as_real("outcome", "last", "source, epoch, number"),
    "instant_as_a_fraction": _as_real("fact", "at", "seq"),
    "body_as_text": _as_other("fact", "body", "BLOB", "CAST(body AS TEXT)"),
    "hash_as_text": _as_other("fact", "hash", "BLOB", "CAST(hash AS TEXT)"),
    "kind_as_bytes": _as_other("fact", "kind", "TEXT", "CAST(kind AS BLOB)"),
    "signature_of_no_length": _as_other("checkpoint", "signature", "BLOB", "X''"),
    "balance_shifted": balance_shifted,
    "balance_of_nothing": balance_of_nothing,
    "balance_by_another_fact": balance_by_another_fact,
    "balance_gone": balance_gone,
    "answers_swapped": answers_swapped,
    "answer_doubled": answer_doubled,
    "answer_gone": answer_gone,
    "answer_stretched": answer_stretched,
    "row_twice": row_twice,
    "verifier_replaced": verifier_replaced,
    "verifiers_swapped": verifiers_swapped,
    "name_changed": name_changed,
    "stranger_enrolled": stranger_enrolled,
    "person_gone": person_gone,
    "snapshot_edited": snapshot_edited,
    "snapshot_of_before": snapshot_of_before,
    "newest_snapshot_gone": newest_snapshot_gone,
    "signature_flipped": signature_flipped,
    "seal_spaced": seal_spaced,
    "seal_moved": seal_moved,
    "seals_exchanged": seals_exchanged,
    "acknowledged_later": acknowledged_later,
    "acknowledgment_of_the_future": acknowledgment_of_the_future,
    "node_renamed": _meta("node", "otro", "central-1 ", "CENTRAL-1", ""),
    "epoch_moved": _meta("epoch", "1", "3", "9"),
    "epoch_that_is_no_number": _meta("epoch", "2.0", "٢", "+2", "two", "0x2", ""),
    "version_unknown": _meta("version", "0", "9", "04", "x"),
    "meta_row_more": meta_row_more,
    "tables_of_before": tables_of_before,
    "column_of_a_fact": column_of_a_fact,
}
LIMITS: dict[str, Edit] = {
    "neighbour_invented": neighbour_invented,
    "neighbour_gone": neighbour_gone,
    "neighbour_heard_more": neighbour_heard_more,
}
