"""Public keys of terminals: points of P-256, each made of a number and always the same."""

from functools import cache

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


@cache
def point_of(number: int) -> str:
    """That many times the curve's base point, uncompressed, in hexadecimal."""
    public = derive_private_key(number, SECP256R1()).public_key()
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()
