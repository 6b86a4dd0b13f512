"""PINs: only a verifier is kept, and only whether a PIN was right ever reaches the core.

Theory. A PIN has few digits, so its verifier is slow to try (argon2id); it lies in the store beside the person, and the
fact that enrols him holds the SHA-256 of it, so that a swapped verifier shows. A PIN cannot be read back.
"""

import hashlib

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from controller.node.vocabulary.protocol import is_pin

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""OWASP's figures for a node of 120 MB. A verifier carries its own, so one that was made with others still verifies."""


def verifier_of(pin: str) -> str:
    """What is kept of a PIN."""
    assert is_pin(pin), "a PIN is six to twelve digits"
    return _hasher.hash(pin)


def secret_of(verifier: str) -> str:
    """What the record says of it."""
    return hashlib.sha256(verifier.encode()).hexdigest()


def is_right(verifier: str, pin: str) -> bool:
    """Whether this PIN made the verifier."""
    try:
        return _hasher.verify(verifier, pin)
    except (VerificationError, InvalidHashError):
        return False
