"""How a person proves a PIN without saying it: the arithmetic of both ends of the control socket.

Theory. As in SCRAM (RFC 5802), with argon2id for the slow step. From the PIN and a salt comes a key; from that the key
that signs, and from that, one way only, the key that the node stores: with it a proof can be checked, and none made. A
proof covers the node, its epoch and the whole request but the proofs in it, so it is worth nothing for another request
or at another node; and the same request again has no second effect, because of its id. What is done about a proof that
is wrong is not known here. docs/operators/control.md says the same in bytes, for other programs.

Who signs in proves his PIN once, and from then on both ends know a second such key, made of the one that signs and of
the ticket's number: it never travels either, and proves in the same way.
"""

import hashlib
import hmac
import re
import secrets
from typing import Any, NamedTuple

import msgspec
from argon2.low_level import Type, hash_secret_raw

SALT_BYTES, KEY_BYTES = 16, 32
_SIGNS = b"pozo sign"
_PURPOSE = b"pozo proof 2"
_TICKET = b"pozo ticket "
_PROOF = re.compile(r"[0-9a-f]{64}")


class Cost(NamedTuple):
    """What one try of a PIN costs: argon2's time, memory in KiB, and lanes."""

    time: int
    memory: int
    lanes: int


COST = Cost(2, 19_456, 1)
"""OWASP's figures. A salt carries its own, so a PIN that was enrolled under others is still proven."""


class Salted(NamedTuple):
    """What the slow step is done with; it is told to whoever asks."""

    salt: bytes
    cost: Cost


class StoredKey(NamedTuple):
    """What a node keeps of a PIN: enough to check a proof, not to make one."""

    salted: Salted
    key: bytes


def new_salt() -> Salted:
    return Salted(secrets.token_bytes(SALT_BYTES), COST)


def slow_key(pin: str, salted: Salted) -> bytes:
    """K: what takes a moment to compute, on purpose."""
    time, memory, lanes = salted.cost
    return hash_secret_raw(pin.encode(), salted.salt, time, memory, lanes, KEY_BYTES, Type.ID)


def signing_key(slow: bytes) -> bytes:
    """What makes proofs; it never leaves the client."""
    return hmac.digest(slow, _SIGNS, "sha256")


def stored_key(signing: bytes) -> bytes:
    return hashlib.sha256(signing).digest()


def stored_of(pin: str, salted: Salted) -> StoredKey:
    """What is kept of a PIN."""
    return StoredKey(salted, stored_key(signing_key(slow_key(pin, salted))))


def covered(message: dict[str, Any]) -> bytes:
    """The request as it is proven: JSON with sorted names and no space, and its proofs left out."""
    bare = {
        name: {inner: told for inner, told in value.items() if inner != "proof"}
        if name in {"by", "second"} and isinstance(value, dict)
        else value
        for name, value in message.items()
    }
    return msgspec.json.encode(bare, order="sorted")


def said_to(node: str, epoch: int, covered_: bytes) -> bytes:
    """What a proof is about: these four, a line feed behind each of the first three."""
    return b"\n".join((_PURPOSE, node.encode(), str(epoch).encode(), covered_))


def proof_of(signing: bytes, said: bytes) -> str:
    """64 hexadecimal digits."""
    return _mixed(signing, stored_key(signing), said).hex()


def proves(stored: bytes, proof: str, said: bytes) -> bool:
    """Whether whoever made it has the key that signs."""
    return proven_key(stored, proof, said) is not None


def proven_key(stored: bytes, proof: str, said: bytes) -> bytes | None:
    """The key that signs, if whoever made the proof has it."""
    if not _PROOF.fullmatch(proof):
        return None
    signing = _mixed(bytes.fromhex(proof), stored, said)
    return signing if hmac.compare_digest(stored_key(signing), stored) else None


def ticket_key(signing: bytes, number: str) -> bytes:
    """What makes the proofs of a ticket; it says nothing of the key that it is made of."""
    return hmac.digest(signing, _TICKET + number.encode(), "sha256")


def _mixed(key: bytes, stored: bytes, said: bytes) -> bytes:
    """`key` hidden under what only the two ends can compute; done twice it is the key again."""
    mask = hmac.digest(stored, said, "sha256")
    return bytes(one ^ other for one, other in zip(key, mask, strict=True))
