"""What a box and its casino's node say to each other about the mirror, as msgpack: arrays that say first what they are.

Theory. What comes is believed in its form only after it was checked whole, and nothing is longer than it may be; what
it means is not known here (mirroring.py).
"""

import hashlib
from collections.abc import Iterable
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from controller.node.store.mirror import MOST_ESCROW_BYTES, MOST_SNAPSHOT_BYTES
from controller.node.store.rows import MOST_BODY_BYTES
from controller.record.record import FactRow

MOST_FACTS = 200
MOST_BYTES = 2**18
MOST_PROVEN = 20_000
"""Facts that are looked at again at a time: a tenth of a second of the box's, every twenty seconds."""
_MOST = 2**63 - 1

Number = Annotated[int, Meta(ge=0, le=_MOST)]
Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
Digest = Annotated[bytes, Meta(max_length=32)]
Signed = Annotated[bytes, Meta(min_length=64, max_length=64)]
Body = Annotated[bytes, Meta(min_length=1, max_length=MOST_BODY_BYTES)]


class MirrorMark(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="mark"):
    """From the casino's node: where its copy stands, up to where it is signed, and what it has of the escrow."""

    epoch: Number
    seq: Number
    hash: Hash
    signed: Number = 0
    escrow: Digest = b""


class MirrorRows(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="rows"):
    """From the box: facts from `first` on, as they stand in its record, and the checkpoints of them and before."""

    first: Annotated[int, Meta(ge=1, le=_MOST)]
    bodies: Annotated[tuple[Body, ...], Meta(max_length=MOST_FACTS)]
    checkpoints: Annotated[tuple[tuple[Number, Body, Signed], ...], Meta(max_length=MOST_FACTS)] = ()


class MirrorStands(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="stands"):
    """From the box: what the mirror has is not in its record; here its record ends, and so it begins."""

    epoch: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    seq: Number
    hash: Hash
    founded: Hash


class MirrorSnapshot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="snapshot"):
    """From the box: the state that one of the next checkpoints vouches for. Its facts say it too, but only to the
    program that wrote it down."""

    body: Annotated[bytes, Meta(min_length=1, max_length=MOST_SNAPSHOT_BYTES)]


class MirrorAsks(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="asks"):
    """From the casino's node: what do these facts look like in your record now?"""

    first: Number
    last: Number


class MirrorProof(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="proof"):
    """From the box: the SHA-256 of these facts' bodies and hashes as they stand there now."""

    first: Number
    last: Number
    digest: Hash


class MirrorEscrow(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="escrow"):
    """From the box: what it needs to be made anew, sealed (book/escrow.py)."""

    sealed: Annotated[bytes, Meta(min_length=1, max_length=MOST_ESCROW_BYTES)]


class MirrorHead(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag="head"):
    """From the casino's node: that it had the box's chain up to here, signed with its key."""

    body: Annotated[bytes, Meta(max_length=1_000)]
    signature: Signed
    key: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", max_length=64)]


MirrorMessage = (
    MirrorMark | MirrorRows | MirrorStands | MirrorSnapshot | MirrorAsks | MirrorProof | MirrorEscrow | MirrorHead
)


class MirrorSaid(NamedTuple):
    """What came from a neighbour, as it came."""

    neighbour: str
    octets: bytes


class MirrorWanted(NamedTuple):
    """A box that burned asks for its mirror behind this place, as it came."""

    neighbour: str
    octets: bytes


def digest_of(rows: Iterable[FactRow]) -> bytes:
    """Of facts as they stand: number, hash and body of each. Whoever edits a record can also put what is no octets."""
    hashed = hashlib.sha256()
    for row in rows:
        there: tuple[object, object] = row.hash, row.body
        hash_, body = (part if isinstance(part, bytes) else repr(part).encode() for part in there)
        hashed.update(b"%d %d " % (row.seq, len(body)) + hash_ + body)
    return hashed.digest()


def digest_of_sealed(sealed: bytes) -> bytes:
    """By which both sides name what a box sealed."""
    return hashlib.sha256(sealed).digest()


_pack = msgspec.msgpack.Encoder().encode
_unpack: msgspec.msgpack.Decoder[MirrorMessage] = msgspec.msgpack.Decoder(MirrorMessage)


def mirror_packed(message: MirrorMessage) -> bytes:
    return _pack(message)


def mirror_unpacked(octets: bytes) -> MirrorMessage | None:
    """What was said, if it is said as it must be."""
    try:
        return _unpack.decode(octets)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
