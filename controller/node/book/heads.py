"""Heads: where a record once stood, signed by its node and kept outside of it.

Theory. A record that lost its last hour is as whole as any other: nothing in it says what is missing, so an old copy
played on without a word. A head is a signed checkpoint in a file beside the record, and in every place that the
settings name. A record that has less than a head of its own epoch, something else at its number, or an epoch before
it, is not the one that this node wrote. Only what this node signed counts: a forged head is worth nothing, and an old
one, put there again, is behind every later record. So who can write a place can keep no node from starting, and only
hide what that place knew.

After a restore (core/node.py) heads of an earlier epoch may know more than the record; two persons said up to which.

A file is read with suspicion, like a letter: it may be anything. Nothing here knows threads, settings or alarms.
"""

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from controller.core.values import HeadLeft
from controller.node.book.chain import Checkpoint, is_signed, read_checkpoint
from controller.node.store.reads import Reads
from controller.node.vocabulary.disk import keep

KEPT = 12
"""The newest is what counts; a few before it, in case its line is spoiled."""
MOST_BYTES = 2**16
_NO_FILE = b"?"
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class SignedHead(NamedTuple):
    """A checkpoint with its signature."""

    checkpoint: Checkpoint
    body: bytes
    signature: bytes

    @property
    def order(self) -> tuple[int, int]:
        return self.checkpoint.epoch, self.checkpoint.seq


class FoundHeads(NamedTuple):
    """What a place held: heads of this node, the oldest first, and how many lines were something else."""

    heads: tuple[SignedHead, ...] = ()
    strange: int = 0


class RecordEnd(NamedTuple):
    """Of a record, what heads are held against. `hash_at`: of a fact, in hex, or nothing; `left`: by restores."""

    epoch: int
    seq: int
    hash_at: Callable[[int], str]
    left: tuple[HeadLeft, ...]

    def has(self, head: SignedHead) -> bool:
        at = head.checkpoint
        return at.seq <= self.seq and self.hash_at(at.seq) == at.hash


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """As `pozo verify --witness` takes it."""

    checkpoint: msgspec.Raw
    signature: str
    key: str


_read_line = msgspec.json.Decoder(_Line)


def own_place(record: Path) -> Path:
    """Beside the record, as its key is."""
    return record.with_suffix(".heads")


def place_in(folder: Path, node: str) -> Path:
    """In a place of the settings, which nodes may share."""
    return folder / f"{node}.heads"


def head_of(body: bytes, signature: bytes) -> SignedHead:
    checkpoint = read_checkpoint(body)
    assert checkpoint is not None, "a checkpoint of ours"
    return SignedHead(checkpoint, body, signature)


def end_of(record: Reads, left: tuple[HeadLeft, ...]) -> RecordEnd:
    """As it stands now."""
    head = record.head()

    def hash_at(seq: int) -> str:
        return next((fact.hash.hex() for fact in record.facts(seq, seq)), "")

    return RecordEnd(record.epoch, head.seq if head else 0, hash_at, left)


def contradiction(end: RecordEnd, head: SignedHead) -> str:
    """Why a record that ends so is not the one that this head was signed for; empty when it may be."""
    at = head.checkpoint
    if at.epoch < end.epoch or (at.epoch == end.epoch and end.has(head)):
        return ""
    if at.epoch > end.epoch:
        return f"es de la época {end.epoch} y el testigo es de la {at.epoch} (hecho {at.seq}): es de antes de restaurar"
    if at.seq > end.seq:
        return f"termina en el hecho {end.seq} y el testigo es del {at.seq}: es una copia vieja, o perdió lo último"
    return f"tiene otro hecho {at.seq} que el del testigo: es de otra copia de este nodo, o se escribió de nuevo"


def is_unsaid(end: RecordEnd, head: SignedHead) -> bool:
    """Of an earlier epoch, not in the record, and more than two persons knew when they restored it."""
    if head.checkpoint.epoch >= end.epoch or end.has(head):
        return False
    return all(head.order > (left.epoch, left.seq) for left in end.left)


def what_is_left(end: RecordEnd, heads: Iterable[SignedHead]) -> HeadLeft | None:
    """The newest of these heads that the record does not have: what a restore of it leaves behind."""
    ahead = [head for head in heads if contradiction(end, head) or is_unsaid(end, head)]
    newest = max(ahead, key=lambda head: head.order, default=None)
    return HeadLeft(*newest.order, newest.checkpoint.hash) if newest is not None else None


def read_heads(place: Path, node: str, key: str) -> FoundHeads:
    """What that file holds; OSError where the place cannot be read at all."""
    return heads_in(text_of(place), node, key)


def heads_in(text: bytes, node: str, key: str) -> FoundHeads:
    """Of this node and signed with this key."""
    heads, strange = [], 0
    for line in text.splitlines():
        head = _head_in(line)
        if head is not None and head.checkpoint.node == node and is_signed(head.body, head.signature, key):
            heads.append(head)
        else:
            strange += 1
    return FoundHeads(tuple(sorted(heads, key=lambda head: head.order)), strange)


def write_heads(place: Path, heads: Iterable[SignedHead], key: str) -> None:
    """The newest of them, whole or not at all, on the disk when it returns; the folder must be there, because on a disk
    that is not mounted one of ours would only pretend."""
    newest = sorted({head.body: head for head in heads}.values(), key=lambda head: head.order)[-KEPT:]
    lines = (
        msgspec.json.encode(_Line(msgspec.Raw(head.body), head.signature.hex(), key)) + b"\n" for head in newest
    )  # fmt: skip
    keep(place, b"".join(lines))


def add_newest(record: Reads, place: Path, key: str) -> None:
    """The record's newest checkpoint, beside what the place held before."""
    row = record.newest_checkpoint()
    assert row is not None, "what is founded or restored is signed"
    write_heads(place, (*read_heads(place, record.node, key).heads, head_of(row.body, row.signature)), key)


def text_of(place: Path) -> bytes:
    """No link is followed, no pipe waited for, and nothing endless read; what is no file is one strange line."""
    try:
        handle = os.open(place, _READ)
    except FileNotFoundError:
        if place.parent.is_dir():
            return b""
        raise
    except OSError:
        if place.is_symlink():
            return _NO_FILE
        raise
    with os.fdopen(handle, "rb") as file:
        text = file.read(MOST_BYTES + 1) if stat.S_ISREG(os.fstat(handle).st_mode) else _NO_FILE
    return text if len(text) <= MOST_BYTES else _NO_FILE


def _head_in(line: bytes) -> SignedHead | None:
    try:
        found = _read_line.decode(line)
        body, signature = bytes(found.checkpoint), bytes.fromhex(found.signature)
        checkpoint = read_checkpoint(body)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError):
        return None
    return SignedHead(checkpoint, body, signature) if checkpoint is not None else None
