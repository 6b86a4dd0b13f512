"""One commit before it is made: its rows, and the state and chain as they will be then.

Theory. Facts are written one after another, each into the chain, the ledger and the state that the next one finds.
Where an answer ends that must be signed, the chain is signed there and then (seal.py); nothing of it is true before the
commit.
"""

import hashlib
from collections.abc import Mapping

import msgspec

from controller.about import software
from controller.core.accounts import refuse_bounds
from controller.core.facts import Entry, Fact, NodeRestored
from controller.core.ledger import postings
from controller.core.state import State
from controller.node.book.chain import Checkpoint, Key, balances_hash, link
from controller.node.book.seal import Unsigned
from controller.node.book.snapshots import Snapshot
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.clock import Millis
from controller.record.record import CheckpointRow, FactRow, OutcomeRow, PersonRow, PostingRow, SnapshotRow

_encode = msgspec.json.Encoder().encode


class PendingCommit:
    """What one commit is going to write, and the state and chain as they will be then."""

    def __init__(
        self, state: State, seq: int, hash_: bytes, balances: Mapping[str, int], unsigned_since: Millis | None
    ) -> None:
        self.state, self.seq, self.hash = state, seq, hash_
        self.facts: list[FactRow] = []
        self.postings: list[PostingRow] = []
        self.changed: dict[str, tuple[int, int]] = {}
        self.outcomes: dict[OutcomeKey, OutcomeRow] = {}
        self.people: list[PersonRow] = []
        self.checkpoints: list[CheckpointRow] = []
        self.snapshots: list[SnapshotRow] = []
        self.epoch: int | None = None
        self.unsigned = Unsigned(unsigned_since)
        self._balances = balances

    def write(self, id_: OutcomeKey, at: Millis, digest: bytes, fact: Fact, after: State) -> None:
        """One fact, and the state after it: into the chain and into the ledger."""
        self.state = after
        self.seq += 1
        entry = Entry(self.seq, at, (id_.source, id_.epoch, id_.number), digest.hex(), fact)
        body = _encode(entry)
        self.hash = link(self.hash, self.state.node, self.state.epoch, self.seq, body)
        kind = str(type(fact).__struct_config__.tag)
        self.facts.append(FactRow(self.seq, at, kind, body, self.hash))
        lines = postings(fact)
        for number, line in enumerate(lines, 1):
            self.postings.append(PostingRow(self.seq, number, line.account, line.amount, line.cause))
            was, _ = self.changed.get(line.account) or (self._balances.get(line.account, 0), 0)
            self.changed[line.account] = (was + line.amount, self.seq)
        if lines:
            refuse_bounds({line.account: self.changed[line.account][0] for line in lines}, lines)
        if isinstance(fact, NodeRestored):
            self.epoch = fact.epoch
        self.unsigned.add(at, fact)

    @property
    def balances(self) -> dict[str, int]:
        """What every account will stand at."""
        return {**self._balances, **{account: amount for account, (amount, _) in self.changed.items()}}

    def sign(self, key: Key) -> None:
        """The chain as it stands here."""
        self._sign(key, self.balances, "")

    def keep_snapshot(self, key: Key) -> None:
        """The state of here, and the signature that vouches for it too."""
        balances = self.balances
        body = _encode(Snapshot(self.state, balances))
        if self.checkpoints and self.checkpoints[-1].seq == self.seq:
            self.checkpoints.pop()  # the same place is signed once
        self._sign(key, balances, hashlib.sha256(body).hexdigest())
        self.snapshots.append(SnapshotRow(self.seq, body))

    def _sign(self, key: Key, balances: Mapping[str, int], state: str) -> None:
        checkpoint = Checkpoint(
            node=self.state.node,
            epoch=self.state.epoch,
            seq=self.seq,
            hash=self.hash.hex(),
            balances=balances_hash(balances),
            state=state,
            software=software(),
            at=self.state.clock,
        )
        body = checkpoint.canonical()
        self.checkpoints.append(CheckpointRow(self.seq, body, key.sign(body)))
        self.unsigned.signed()
