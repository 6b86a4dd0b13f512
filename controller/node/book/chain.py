"""The chain of facts, the node's key, and the signed checkpoint: what makes a record evidence.

Theory. Each fact's hash covers the fact before it, so nothing in the middle can be exchanged without exchanging all
that follows. The owner of the machine could still write the whole chain anew; therefore the node signs, now and
then, what its chain stands at, a neighbour keeps that, and paper carries its digits. Everything here is defined in
bytes, so that a verifier written in another language, from these sentences alone, comes to the same result.
This file knows no database; the store knows no cryptography.
"""

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.core.values import Mark
from controller.node.vocabulary.disk import sync, written_aside

GENESIS = bytes(32)

_HASH_BYTES = 32
_LINK = b"\x01"
# Signed together with the text, so that a signature of this key under anything else is never one of a checkpoint.
_PURPOSE = b"pozo checkpoint 1\n"
_FOR_PINS = b"pozo pins 1\n"
_RELEASE = b"pozo release 1\n"
_MIRROR = b"pozo mirror 1\n"
_CLEARING = b"pozo clearing 1\n"
_DIGITS = 16


class BookDamaged(Exception):  # noqa: N818  says what happened
    """The record contradicts itself: `place` and a sentence. The node does not start."""

    def __init__(self, place: str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")
        self.place, self.sentence = place, sentence


class KeyRefused(Exception):  # noqa: N818  says what happened, like the refusals of the rules
    """The node's key cannot be used: the file, and one Spanish sentence."""

    def __init__(self, place: str, sentence: str) -> None:
        super().__init__(f"{place}: {sentence}")
        self.place = place
        self.sentence = sentence


def link(previous: bytes, node: str, epoch: int, seq: int, body: bytes) -> bytes:
    """The hash of a fact: SHA-256 over the byte 0x01, the 32 bytes of the previous hash, the node's name in UTF-8
    behind its length in 8 bytes, the epoch and the seq in 8 bytes each, the body behind its length in 8 bytes.
    Numbers are big-endian and unsigned. The first fact follows GENESIS.
    """
    assert len(previous) == _HASH_BYTES
    name = node.encode()
    numbers = epoch.to_bytes(8, "big") + seq.to_bytes(8, "big") + len(body).to_bytes(8, "big")
    return hashlib.sha256(_LINK + previous + len(name).to_bytes(8, "big") + name + numbers + body).digest()


def balances_hash(balances: Mapping[str, int]) -> str:
    """The SHA-256, in hex, of the UTF-8 text with one line "account amount" for each account.

    A space stands between the two, a line feed ends each line, the last too; the amount is decimal, with a leading
    "-" where it is negative; the lines stand in the order of the accounts' UTF-8 bytes. An account that stands at
    zero has its line as well.
    """
    hashed = hashlib.sha256()
    for account in sorted(balances, key=str.encode):
        assert "\n" not in account, "an account's name is one line"
        hashed.update(f"{account} {balances[account]}\n".encode())
    return hashed.hexdigest()


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a node's chain stands at: after fact `seq` its `hash`, and the hash of its balances.

    `state` is the SHA-256 of the snapshot taken at the same fact, or empty; `software` names the program that wrote
    it; `at` is in milliseconds since 1970 UTC. All hashes in hex.
    """

    node: str
    epoch: int
    seq: int
    hash: str
    balances: str
    state: str
    software: str
    at: int

    def canonical(self) -> bytes:
        """The bytes that are signed and kept: JSON with sorted keys, no space, UTF-8."""
        return msgspec.json.encode(self, order="sorted")

    @property
    def digits(self) -> str:
        """What a report prints, for a person to compare: the seq and the first digits of the hash."""
        return f"{self.seq}-{self.hash[:_DIGITS]}"


def read_checkpoint(body: bytes) -> Checkpoint | None:
    """A checkpoint from its canonical bytes; nothing when they are any others."""
    try:
        checkpoint = msgspec.json.decode(body, type=Checkpoint)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return checkpoint if checkpoint.canonical() == body else None


def is_signed(body: bytes, signature: bytes, public: str) -> bool:
    """Whether the holder of the public key (64 hex digits) signed these bytes as a checkpoint."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, _PURPOSE + body)
    except (InvalidSignature, ValueError):
        return False
    return True


class Countersigned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That a neighbour had a node's chain up to here: `by` is who signs, `at` when, in milliseconds since 1970 UTC."""

    at: int
    by: str
    epoch: int
    hash: str
    node: str
    seq: int


def countersigned(node: str, mark: Mark, by: str, at: int) -> bytes:
    """What is signed: JSON with sorted keys, no space, UTF-8."""
    return msgspec.json.encode(Countersigned(at, by, mark.epoch, mark.hash, node, mark.number), order="sorted")


def read_countersigned(body: bytes, signature: bytes, public: str) -> Countersigned | None:
    """What the holder of this public key had of a node's chain; nothing where it did not sign these bytes."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(signature, _MIRROR + body)
        said = msgspec.json.decode(body, type=Countersigned)
    except (InvalidSignature, ValueError, RecursionError):
        return None
    return said if msgspec.json.encode(said, order="sorted") == body else None


class Key:
    """The node's Ed25519 key, from a file that only its owner may read."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw().hex()

    @classmethod
    def load_or_make(cls, path: Path) -> Self:
        """The key of that file; where there is no file yet, a new one."""
        try:
            if not os.path.lexists(path):
                _write_new_key(path)
            return cls(_private_key(path, read_private(path, "la llave de este nodo")))
        except OSError as error:
            raise KeyRefused(str(path), f"la llave de este nodo no se puede leer ni crear: {error.strerror}") from None

    def sign(self, body: bytes) -> bytes:
        """64 bytes that only this node can make; the same for the same body."""
        return self._private.sign(_PURPOSE + body)

    def sign_release(self, text: bytes) -> str:
        """A vendor's word that this text names the files of a release of his (docs/record.md, The program)."""
        assert text.startswith(_RELEASE), "a text that says what it is, and that is no checkpoint"
        return self._private.sign(text).hex()

    def vouch_for_pins(self, text: bytes) -> str:
        """That whoever makes new PINs holds this key."""
        return self._private.sign(_FOR_PINS + text).hex()

    def sign_clearing(self, page: bytes) -> str:
        """That this node's record gives this page of a month with its neighbours (docs/record.md, Clearing)."""
        return self._private.sign(_CLEARING + page).hex()

    def countersign(self, body: bytes) -> bytes:
        """That this node had a neighbour's chain up to a place (`countersigned`)."""
        return self._private.sign(_MIRROR + body)


def public_of(text: bytes) -> str:
    """The public key, in hex, to the private one in these bytes of its file; KeyRefused where there is none."""
    return _private_key(Path("node.key"), text).public_key().public_bytes_raw().hex()


def _write_new_key(path: Path) -> None:
    text = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    written_once(path, text)


def written_once(path: Path, text: bytes) -> None:
    """Whole or not at all, and never over another: written aside, synced, then linked to its name."""
    aside = written_aside(path, text)
    try:
        os.link(aside, path)
    except FileExistsError:
        return  # another start of the same node was quicker: what it wrote counts
    finally:
        aside.unlink()
    sync(path.parent)


def read_private(path: Path, what: str) -> bytes:
    """A secret of this node, if nobody else can read it."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise KeyRefused(str(path), f"{what} no es un archivo")
        if stat.S_IMODE(about.st_mode) & 0o077:
            raise KeyRefused(
                str(path),
                f"otros pueden leer {what}; délo por conocido: retire el archivo y deje que se haga uno nuevo,"
                " o, si nadie más usó esta máquina, ciérrelo con: chmod 600",
            )
        return file.read()


def _private_key(path: Path, text: bytes) -> Ed25519PrivateKey:
    try:
        private = serialization.load_pem_private_key(text, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise KeyRefused(str(path), "el archivo de la llave está dañado o no es una llave") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise KeyRefused(str(path), "la llave de este nodo no es Ed25519")
    return private
