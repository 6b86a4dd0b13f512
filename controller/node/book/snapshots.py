"""Snapshots: what a start begins from, and which of them are kept.

Theory. A start reads the newest snapshot, which a signed checkpoint vouches for; without it every fact would be read.
One of an earlier reading of the rules is passed over, because its state knows less than this program needs: that start
reads every fact, once. Older ones are thinned: the newest few stay, and of those before them fewer with age, one in so
many facts as the largest power of two within an eighth of the age. Such a width only grows and its multiples stay where
they are, so what may go once may go for ever, and ten years keep a hundred. Checkpoints are never removed.
"""

import hashlib
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from controller.core.node import READING
from controller.core.state import State
from controller.node.book.chain import GENESIS, BookDamaged, Key, is_signed, read_checkpoint
from controller.node.store.store import Store

KEPT_NEWEST = 4
MOST_AT_ONCE = 100
"""With one commit: a record of years that was never thinned is thinned little by little."""
_OF_AGE = 8


class Snapshot(msgspec.Struct, frozen=True):
    """What a start begins from: the state, and every balance of the ledger."""

    state: State
    balances: dict[str, int]


class _StateRead(msgspec.Struct, frozen=True):
    reading: int = 1


class _SnapshotRead(msgspec.Struct, frozen=True):
    """What is read first of a snapshot: by which reading of the rules its state was made."""

    state: _StateRead


_read_snapshot = msgspec.json.Decoder(Snapshot)
_read_reading = msgspec.json.Decoder(_SnapshotRead)


def newest_snapshot(store: Store, key: Key) -> tuple[int, bytes, Snapshot]:
    """What to start from. A snapshot that no checkpoint of ours vouches for is a damage, not a detour."""
    nothing = 0, GENESIS, Snapshot(State(), {})
    row = store.newest_snapshot()
    if row is None:
        return nothing
    place = f"instantánea {row.seq}"
    signed = store.checkpoint_at(row.seq)
    if signed is None or not is_signed(signed.body, signed.signature, key.public):
        raise BookDamaged(place, "ningún testigo firmado por este nodo responde por ella")
    checkpoint = read_checkpoint(signed.body)
    if checkpoint is None or checkpoint.seq != row.seq or checkpoint.state != hashlib.sha256(row.body).hexdigest():
        raise BookDamaged(place, "no es la que se firmó")
    if [fact.hash.hex() for fact in store.facts(row.seq, row.seq)] != [checkpoint.hash]:
        raise BookDamaged(place, "el hecho de su número no es el que se firmó")
    if _read_reading.decode(row.body).state.reading < READING:
        return nothing
    return row.seq, bytes.fromhex(checkpoint.hash), _read_snapshot.decode(row.body)


def newest_seal(store: Store, key: Key) -> int:
    """The last fact that a signature covers. One that is not ours, or not of this chain, is a damage; so is a record of
    this reading that has none, because its first fact was signed with it."""
    row = store.newest_checkpoint()
    if row is None:
        return 0
    place, checkpoint = f"testigo {row.seq}", read_checkpoint(row.body)
    if checkpoint is None or not is_signed(row.body, row.signature, key.public):
        raise BookDamaged(place, "no lo firmó este nodo")
    found = [(fact.seq, fact.hash.hex()) for fact in store.facts(row.seq, row.seq)]
    if found != [(checkpoint.seq, checkpoint.hash)]:
        raise BookDamaged(place, "el hecho de su número no es el que se firmó")
    return row.seq


def may_go(kept: Sequence[int]) -> list[int]:
    """Which of these snapshots, by the numbers of their facts, may be removed now: the oldest first."""
    assert list(kept) == sorted(set(kept)), "in the order of their facts"
    older = kept[:-KEPT_NEWEST]
    going = [seq for before, seq in pairwise(older) if _is_one_too_many(before, seq, kept[-1])]
    return going[:MOST_AT_ONCE]


def _is_one_too_many(before: int, seq: int, newest: int) -> bool:
    """Whether the snapshot before it stands for the same stretch of facts already."""
    eighth = (newest - seq) // _OF_AGE
    width = 1 << max(0, eighth.bit_length() - 1)
    return before // width == seq // width
