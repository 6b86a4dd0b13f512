"""PINs at rest: what is kept of them is sealed under the pepper, a secret that lies outside the record.

Theory. A PIN has few digits, so whoever holds what a node keeps of it can try them all, however slow each try is. So
nothing of it stands in the record but under the pepper: a file beside the node's key that no backup and no export
holds. What is sealed is the salt too: an older record's facts hold a hash of salt and PIN together. The row of a person
is bound to his name, and the fact that enrols him holds the SHA-256 of it, so that a swapped verifier shows.
"""

import base64
import binascii
import hashlib
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Self

from controller.core.facts import Fact, PersonEnrolled, PinsReplaced, VerifiersSealed
from controller.core.state import Person
from controller.node.book.chain import KeyRefused, read_private, written_once
from controller.node.vocabulary.proof import KEY_BYTES, Cost, Salted, StoredKey, new_salt, stored_key, stored_of
from controller.node.vocabulary.proof import signing_key as signing_key_of
from controller.node.vocabulary.protocol import is_pin
from controller.record.record import PersonRow

_BYTES = 32
_NONCE_BYTES = 16
_PAD_BYTES = 64
_COST = r"\$m=([0-9]+),t=([0-9]+),p=([0-9]+)\$"
_SEALED = re.compile(r"\$pozo2\$([0-9a-f]{8})" + _COST + r"([0-9a-f]{32})\$((?:[0-9a-f]{2}){40,64})")
_OF_BEFORE = re.compile(r"\$argon2id\$v=19" + _COST + r"([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)")
_FILE = re.compile(rb"[0-9a-f]{64}\n")


class Pepper:
    """The secret under which verifiers lie; `name` tells one from another, and nothing of it."""

    def __init__(self, secret: bytes) -> None:
        assert len(secret) == _BYTES, "a whole secret"
        self._secret = secret
        self.name = self._derived(b"name", 4).hex()
        self.inventing = self._derived(b"salts of nobody", _BYTES)

    @classmethod
    def fresh(cls) -> Self:
        return cls(secrets.token_bytes(_BYTES))

    @classmethod
    def load_or_make(cls, path: Path) -> Self:
        """The one of that file; where there is no file yet, a new one."""
        what = "el secreto de los PIN"
        try:
            if not os.path.lexists(path):
                written_once(path, secrets.token_bytes(_BYTES).hex().encode() + b"\n")
            text = read_private(path, what)
        except OSError as error:
            raise KeyRefused(str(path), f"{what} no se puede leer ni crear: {error.strerror}") from None
        if not _FILE.fullmatch(text):
            raise KeyRefused(str(path), f"{what} está dañado: no son 64 cifras hexadecimales y un fin de línea")
        return cls(bytes.fromhex(text.decode()))

    def seal(self, person: str, stored: StoredKey) -> str:
        """What a store keeps of this person."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        time, memory, lanes = stored.salted.cost
        hidden = self._hidden(person, nonce, stored.salted.salt + stored.key)
        return f"$pozo2${self.name}$m={memory},t={time},p={lanes}${nonce.hex()}${hidden.hex()}"

    def open(self, person: str, verifier: str) -> StoredKey | None:
        """What was sealed for this person under this pepper; or as it was kept before there was one."""
        found = _SEALED.fullmatch(verifier)
        if found is None:
            return stored_before(verifier)
        if found[1] != self.name:
            return None
        memory, time, lanes = map(int, found.group(2, 3, 4))
        plain = self._hidden(person, bytes.fromhex(found[5]), bytes.fromhex(found[6]))
        return StoredKey(Salted(plain[:-KEY_BYTES], Cost(time, memory, lanes)), plain[-KEY_BYTES:])

    def _hidden(self, person: str, nonce: bytes, text: bytes) -> bytes:
        """`text` under a pad that is used once: done twice it is the text again."""
        assert len(text) <= _PAD_BYTES, "the pad covers it"
        pad = hashlib.blake2b(nonce + person.encode(), key=self._secret, digest_size=_PAD_BYTES).digest()
        return bytes(one ^ other for one, other in zip(text, pad, strict=False))

    def _derived(self, what: bytes, size: int) -> bytes:
        return hashlib.blake2b(what, key=self._secret, digest_size=size, person=b"pozo derived").digest()


def stored_before(verifier: str) -> StoredKey | None:
    """From the text of argon2 that stood in the store before there was a pepper: it holds K itself."""
    found = _OF_BEFORE.fullmatch(verifier)
    if found is None:
        return None
    memory, time, lanes = map(int, found.group(1, 2, 3))
    try:
        salt, slow = (base64.b64decode(part + "=" * (-len(part) % 4)) for part in found.group(4, 5))
    except binascii.Error:
        return None
    if len(slow) != KEY_BYTES:
        return None
    return StoredKey(Salted(salt, Cost(time, memory, lanes)), stored_key(signing_key_of(slow)))


def pepper_for(path: Path, verifiers: Iterable[str]) -> Pepper:
    """The pepper that a record's verifiers need. One that is lost, or another one, is never made good in silence: no
    PIN would be right any more, and nobody would know why. Where two made new PINs under another one, the others are
    still sealed under the one that was lost, until they are enrolled anew."""
    sealed = [found[1] for found in map(_SEALED.fullmatch, verifiers) if found]
    way_out = "dos personas con la llave hacen PIN nuevos: pozo new-pins"
    if sealed and not path.exists():
        raise KeyRefused(str(path), f"falta el secreto de los PIN de este registro; tráigalo, o {way_out}")
    pepper = Pepper.load_or_make(path)
    if sealed and pepper.name not in sealed:
        raise KeyRefused(str(path), f"no es el secreto de los PIN de este registro; traiga el que era, o {way_out}")
    return pepper


def verifier_of(pin: str, person: str, pepper: Pepper) -> str:
    """What is kept of a PIN."""
    assert is_pin(pin), "a PIN is six to twelve digits"
    return pepper.seal(person, stored_of(pin, new_salt()))


def kept_of(
    fact: Fact, verifier: str, verifiers: Mapping[str, str], people: Mapping[str, Person]
) -> Iterator[PersonRow]:
    """The rows that a fact brings, with what was made for it outside of any fact."""
    if isinstance(fact, PersonEnrolled):
        assert secret_of(verifier) == fact.secret, "the verifier of this PIN"
        yield PersonRow(fact.person, fact.name, verifier)
    elif isinstance(fact, VerifiersSealed | PinsReplaced):
        for person, secret in fact.secrets.items():
            assert secret_of(verifiers[person]) == secret, "the verifier of this PIN"
            yield PersonRow(person, people[person].name, verifiers[person])


def secret_of(verifier: str) -> str:
    """What the record says of it."""
    return hashlib.sha256(verifier.encode()).hexdigest()


def is_right(verifier: str, person: str, pin: str, pepper: Pepper) -> bool:
    """Whether this PIN made the verifier; for a program that stands where the PIN is typed, and asks no node."""
    stored = pepper.open(person, verifier)
    return stored is not None and stored_of(pin, stored.salted).key == stored.key
