"""What a terminal signs with its own key, and whether it did: ECDSA over P-256, as a browser makes it (WebCrypto).

Theory. The key was made in the browser and cannot leave it, so a signature says that this very browser asks, also to
somebody who has its cookie. It covers what is asked, of whom, and at which address, each text with its purpose before
it; so what was signed for one is worth nothing for another. That one signed request is not done twice is the
affair of its `id` and of the node. A key is the uncompressed point in hexadecimal digits, a signature r and s in 64
octets, base64url without padding. Pure.
"""

import base64
import binascii
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

_KEY = re.compile(r"04[0-9a-f]{128}")
_HALF = 32
_SIGNATURE_LETTERS = 86


def said_hello(origin: str, challenge: str) -> bytes:
    """What a terminal signs to be let in."""
    return f"pozo hello 1\n{origin}\n{challenge}".encode()


def said_act(origin: str, path: str, body: bytes) -> bytes:
    """What a terminal signs of everything that it asks."""
    return f"pozo act 1\n{origin}\n{path}\n".encode() + body


def is_key(key: str) -> bool:
    """Whether it is a point of the curve, written in the one way."""
    return _point(key) is not None


def signed_by(key: str, signature: str, said: bytes) -> bool:
    """Whether the owner of this key signed it."""
    point, pair = _point(key), _pair(signature)
    if point is None or pair is None:
        return False
    try:
        point.verify(pair, said, ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return True


def _point(key: str) -> EllipticCurvePublicKey | None:
    if not _KEY.fullmatch(key):
        return None
    try:
        return EllipticCurvePublicKey.from_encoded_point(SECP256R1(), bytes.fromhex(key))
    except ValueError:
        return None


def _pair(signature: str) -> bytes | None:
    """r and s as the library takes them."""
    if len(signature) != _SIGNATURE_LETTERS:
        return None
    try:
        octets = base64.b64decode(signature + "==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    r, s = int.from_bytes(octets[:_HALF]), int.from_bytes(octets[_HALF:])
    return encode_dss_signature(r, s)
