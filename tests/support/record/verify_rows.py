"""A record held in lists, that a test may change and then make whole again, as its owner could: every hash, posting,
outcome and balance computed anew from the changed facts."""

import hashlib
from collections.abc import Collection, Iterator
from typing import Any, Self

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.node.book import seal
from controller.node.book.chain import Key
from controller.record.record import (
    BalanceRow,
    CheckpointRow,
    FactRow,
    Fingerprint,
    OutcomeRow,
    PersonRow,
    PositionRow,
    PostingRow,
    Record,
    SchemaObject,
    SnapshotRow,
)
from controller.verify.books import lines_of
from controller.verify.chain import BEGINNING, hash_of_balances, next_hash
from controller.verify.facts import read_entry

OWN = Key(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"central-1").digest()))
"""The key of the evenings of tests, the same every time."""
SIGNED_AT = frozenset(str(kind.__struct_config__.tag) for kind in seal.SIGNED_AT)


def _lie_otherwise(fact: dict[str, Any], secrets: dict[Any, tuple[Any, Any]]) -> dict[Any, tuple[Any, Any]]:
    """Of whom a fact says that his PIN lies otherwise now; who founded a node has his id for a name."""
    new = fact.get("secrets") if fact["kind"] in {"verifiers_sealed", "pins_replaced"} else None
    return {one: (secrets.get(one, (one, ""))[0], secret) for one, secret in new.items()} if type(new) is dict else {}


def _waited(since: Any, at: Any) -> bool:
    return type(since) is int and type(at) is int and at - since >= seal.SIGNED_WITHIN


def _ends(body: dict[str, Any], following: dict[str, Any]) -> bool:
    """Whether the next fact answers another input."""
    same = (body["id"], body["ask"]) == (following["id"], following["ask"])
    return not same or body["fact"]["kind"] == "id_reused"


class Rows:
    """Every row of a record."""

    place = "listas"

    def __init__(self, record: Record) -> None:
        self.node, self.epoch = record.node, record.epoch
        self.all_facts = list(record.facts())
        self.all_postings = list(record.posting_rows())
        self.all_outcomes = list(record.outcome_rows())
        self.all_balances = list(record.balance_rows())
        self.all_checkpoints = list(record.checkpoints())
        self.all_snapshots = list(record.snapshots())
        self.all_people = list(record.people())
        self.all_positions = list(record.positions())
        self.objects: list[SchemaObject] | None = None

    def facts(self, first: int = 1, last: int | None = None) -> Iterator[FactRow]:
        return (one for one in self.all_facts if one.seq >= first and (last is None or one.seq <= last))

    def facts_since(self, first: int, kinds: Collection[str]) -> Iterator[FactRow]:
        return (one for one in self.facts(first) if one.kind in kinds)

    def postings(self, first: int = 1, last: int | None = None) -> Iterator[PostingRow]:
        return (one for one in self.all_postings if one.fact >= first and (last is None or one.fact <= last))

    def posting_rows(self) -> list[PostingRow]:
        return self.all_postings

    def balance_rows(self) -> list[BalanceRow]:
        return self.all_balances

    def outcome_rows(self) -> list[OutcomeRow]:
        return sorted(self.all_outcomes, key=lambda one: one.first)

    def checkpoints(self) -> list[CheckpointRow]:
        return self.all_checkpoints

    def snapshots(self) -> list[SnapshotRow]:
        return self.all_snapshots

    def people(self) -> list[PersonRow]:
        return self.all_people

    def positions(self) -> list[PositionRow]:
        return self.all_positions

    def schema(self) -> list[SchemaObject] | None:
        return self.objects

    def damage(self) -> list[str]:
        return []

    def bodies(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(one.body) for one in self.all_facts]

    def make_whole(self, bodies: list[dict[str, Any]], key: Key = OWN) -> Self:
        """What the owner of the machine and of a key can do: a record of these facts in which everything agrees, signed
        where it must be and at its end."""
        self.all_facts, self.all_postings, self.all_positions = [], [], []
        self.all_outcomes, self.all_snapshots, self.all_checkpoints = [], [], []
        node, epoch, hash_ = str(bodies[0]["fact"].get("node", "")).encode(), 1, BEGINNING
        secrets: dict[Any, tuple[Any, Any]] = {}
        stands: dict[str, int] = {}
        moved: dict[str, int] = {}
        now_at: dict[Any, int] = {}
        since, program, is_due = None, "0" * 64, False
        for seq, body in enumerate(bodies, 1):
            now_at.setdefault(body["seq"], seq)
        for seq, body in enumerate(bodies, 1):
            fact = body["fact"]
            body["seq"] = seq
            if fact["kind"] == "claim_corrected" and type(fact.get("place")) is int:
                fact["place"] = now_at.get(fact["place"], fact["place"])  # it names another fact by its number
            if fact["kind"] == "node_restored" and type(fact.get("epoch")) is int and 0 <= fact["epoch"] < 2**63:
                epoch = fact["epoch"]
            if fact["kind"] == "person_enrolled":
                secrets[fact.get("person")] = (fact.get("name"), fact.get("secret"))
            secrets |= _lie_otherwise(fact, secrets)
            text = msgspec.json.encode(body)
            hash_ = next_hash(hash_, node, epoch, seq, text)
            self.all_facts.append(FactRow(seq, body["at"], fact["kind"], text, hash_))
            self._answer(seq, body)
            entry = read_entry(text)
            for line, (account, amount, cause) in enumerate(lines_of(entry.fact) if entry else (), 1):
                self.all_postings.append(PostingRow(seq, line, account, amount, cause))
                stands[account] = stands.get(account, 0) + amount
                moved[account] = seq
            if fact["kind"] == "node_started" and type(fact.get("program")) is str:
                program = fact["program"]
            since = body["at"] if since is None else since
            is_due = is_due or fact["kind"] in SIGNED_AT or _waited(since, body["at"])
            if seq == len(bodies) or (is_due and _ends(body, bodies[seq])):
                self._sign(key, node.decode(), epoch, seq, hash_, stands, body["at"], program)
                since, is_due = None, False
        self.node, self.epoch = node.decode(), epoch
        self.all_balances = [BalanceRow(account, amount, moved[account]) for account, amount in stands.items()]
        self.all_people = [PersonRow(id_, name, Fingerprint(secret)) for id_, (name, secret) in secrets.items()]
        return self

    def _sign(
        self,
        key: Key,
        node: str,
        epoch: int,
        seq: int,
        hash_: bytes,
        stands: dict[str, int],
        at: int,
        program: str,
    ) -> None:
        body = msgspec.json.encode(
            {
                "at": at,
                "balances": hash_of_balances(stands),
                "epoch": epoch,
                "hash": hash_.hex(),
                "node": node,
                "seq": seq,
                "software": f"pozo 9.9.9 sha256:{program}",
                "state": "",
            }
        )
        self.all_checkpoints.append(CheckpointRow(seq, body, key.sign(body)))

    def _answer(self, seq: int, body: dict[str, Any]) -> None:
        source, epoch, number = body["id"]
        last = self.all_outcomes[-1] if self.all_outcomes else None
        if body["fact"]["kind"] == "id_reused":
            return
        digest = bytes.fromhex(body["ask"])
        if last is not None and (*last[:3], last.digest, last.last) == (source, epoch, number, digest, seq - 1):
            self.all_outcomes[-1] = last._replace(last=seq)
        else:
            self.all_outcomes.append(OutcomeRow(source, epoch, number, digest, seq, seq))
