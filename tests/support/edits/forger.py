"""Who has the file and not the key: he reads every table, knows how hashes, postings and balances are made, and makes them.

What he cannot make is a signature of the node; where he writes facts anew, the checkpoints that signed the old ones, and
the snapshots that they vouch for, are in his way, so he takes them out. He drops what guards the tables and puts it back in
its words.
"""

# ruff: noqa: S608  every statement is made of words of this page
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from controller.verify.books import lines_of
from controller.verify.chain import BEGINNING, next_hash
from controller.verify.facts import read_entry
from support.record.verify_tamper import Edited

Body = dict[str, Any]
_One = TypeVar("_One")


class Forger(Edited):
    """A copy of a record, open for one edit by hand."""

    def bodies(self) -> list[Body]:
        return [msgspec.json.decode(body) for (body,) in self("SELECT body FROM fact ORDER BY seq")]

    def last(self) -> int:
        return int(self.value("SELECT max(seq) FROM fact"))

    def last_signed(self) -> int:
        return int(self.value("SELECT max(seq) FROM checkpoint"))

    def last_asked(self) -> int:
        """The last fact whose signature must be there; a later one was made unasked."""
        kinds = "'day_opened', 'day_closed', 'node_restored', 'node_stopped', 'award_paid'"
        return int(self.value(f"SELECT max(seq) FROM fact JOIN checkpoint USING (seq) WHERE kind IN ({kinds})"))

    def ends(self) -> list[int]:
        """The facts after which a record may end: nothing of an answer is missing."""
        return [last for (last,) in self("SELECT last FROM outcome ORDER BY last")]

    def write_anew(self, bodies: list[Body], first: int, write: Callable[[Body], bytes] = msgspec.json.encode) -> None:
        """From a fact on, everything as these say it: facts with their hashes, postings, answers, balances; the seals
        from there on are gone, since he cannot make them. `write`: how he writes a body."""
        node = str(bodies[0]["fact"]["node"]).encode()
        for table, column in (("fact", "seq"), ("posting", "fact"), ("checkpoint", "seq"), ("snapshot", "seq")):
            self(f"DELETE FROM {table} WHERE {column} >= ?", first)
        self("DELETE FROM outcome WHERE last >= ?", first)
        rows = self("SELECT hash FROM fact WHERE seq = ?", first - 1)
        hash_, epoch = (rows[0][0] if rows else BEGINNING), 1
        for seq, body in enumerate(bodies, 1):
            fact = body["fact"]
            body["seq"] = seq
            if fact["kind"] == "node_restored":
                epoch = fact["epoch"]
            if seq < first:
                continue
            text = write(body)
            hash_ = next_hash(hash_, node, epoch, seq, text)
            self("INSERT INTO fact VALUES (?, ?, ?, ?, ?)", seq, body["at"], fact["kind"], text, hash_)
            self._post(seq, text)
        self._answer(bodies, first)
        self.balance()
        self("DELETE FROM position WHERE direction = 'out' AND seq > ?", len(bodies))
        hash_of_it = "(SELECT hash FROM fact WHERE seq = position.seq)"
        self(f"UPDATE position SET hash = {hash_of_it} WHERE direction = 'out' AND seq >= ?", first)

    def _post(self, seq: int, text: bytes) -> None:
        try:
            entry = read_entry(text)
            lines = lines_of(entry.fact) if entry else []
        except (KeyError, ValueError, AssertionError):
            lines = []
        for number, (account, amount, cause) in enumerate(lines, 1):
            self("INSERT INTO posting VALUES (?, ?, ?, ?, ?)", seq, number, account, amount, cause)

    def _answer(self, bodies: list[Body], first: int) -> None:
        """The answers of which a fact is new; one that begins before keeps its beginning."""
        groups: list[list[Any]] = []
        for body in bodies:
            key = (*body["id"], body["ask"])
            if body["fact"]["kind"] == "id_reused":
                continue
            if groups and groups[-1][0] == key and groups[-1][2] == body["seq"] - 1:
                groups[-1][2] = body["seq"]
            else:
                groups.append([key, body["seq"], body["seq"]])
        for (source, epoch, number, ask), begins, ends in groups:
            if ends >= first:
                self(
                    "INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?)",
                    source, epoch, number, bytes.fromhex(ask), begins, ends,
                )  # fmt: skip

    def balance(self) -> None:
        """Every balance as the postings say."""
        self("DELETE FROM balance")
        self("INSERT INTO balance SELECT account, sum(amount), max(fact) FROM posting GROUP BY account")

    @contextmanager
    def words(self, name: str, old: str, new: str) -> Iterator[None]:
        """While other words stand for a table or an index; then its own again. The database believes both."""
        sql = self.value("SELECT sql FROM sqlite_schema WHERE name = ?", name)
        assert old in sql, f"{old} in {sql}"
        self.say_of(name, sql.replace(old, new))
        yield
        self.say_of(name, sql)

    def say_of(self, name: str, sql: str) -> None:
        self("PRAGMA writable_schema = ON")
        self("UPDATE sqlite_schema SET sql = ? WHERE name = ?", sql, name)
        self("PRAGMA writable_schema = RESET")
        self(f"PRAGMA schema_version = {self.value('PRAGMA schema_version') + 1}")


def one_of(chance: random.Random, many: list[_One]) -> _One:
    assert many, "a record with such a thing in it"
    return chance.choice(many)


def of_kind(bodies: list[Body], *kinds: str) -> list[Body]:
    return [body for body in bodies if body["fact"]["kind"] in kinds]
