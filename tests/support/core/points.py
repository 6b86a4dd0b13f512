"""Public keys of terminals: points of P-256, and those of webs, each made of a number and always the same."""

from functools import cache

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


@cache
def point_of(number: int) -> str:
    """That many times the curve's base point, uncompressed, in hexadecimal."""
    public = derive_private_key(number, SECP256R1()).public_key()
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()


@cache
def web_key_of(number: int) -> str:
    """Of Curve25519, in hexadecimal."""
    return X25519PrivateKey.from_private_bytes(number.to_bytes(32)).public_key().public_bytes_raw().hex()
