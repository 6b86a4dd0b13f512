"""A browser as the web process sees it, for tests: it has a key that it signs with, and says the headers that one says.

It answers nothing by itself and hides nothing: each header can be another one, so a test can be the page of another
site, a thief of a cookie, or a program that is no browser at all.
"""

import base64
import json
import secrets
from collections.abc import Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, derive_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from controller.web.door.door import WebRequest
from controller.web.door.signature import said_act, said_hello

ORIGIN = "https://mesa-1.casino.example:8443"
HOST = "mesa-1.casino.example:8443"


class BrowserKey:
    """Its private half never leaves a real browser; here it is made of a number, so that a test can be repeated."""

    def __init__(self, number: int) -> None:
        self._private = derive_private_key(number, SECP256R1())
        public = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = public.hex()

    def signs(self, said: bytes) -> str:
        r, s = decode_dss_signature(self._private.sign(said, ECDSA(SHA256())))
        return base64.urlsafe_b64encode(r.to_bytes(32) + s.to_bytes(32)).rstrip(b"=").decode()

    def hello(self, challenge: str, origin: str = ORIGIN) -> str:
        return self.signs(said_hello(origin, challenge))


def new_id() -> str:
    return secrets.token_hex(16)


def posted(
    path: str, body: Any, key: BrowserKey | None = None, cookie: str = "", headers: Mapping[str, str | None] = {}
) -> WebRequest:
    """A POST of a page of ours; `headers` in the place of its own; None leaves one out."""
    octets = body if isinstance(body, bytes) else json.dumps(body).encode()
    told: dict[str, str | None] = {
        "host": HOST, "origin": ORIGIN, "sec-fetch-site": "same-origin", "content-type": "application/json",
    }  # fmt: skip
    if cookie:
        told["cookie"] = cookie
    if key is not None:
        told["pozo-signature"] = key.signs(said_act(ORIGIN, path, octets))
    told |= headers
    return WebRequest("POST", path, {name: value for name, value in told.items() if value is not None}, octets)


def looked(path: str, cookie: str = "", headers: Mapping[str, str] = {}) -> WebRequest:
    return WebRequest("GET", path, {"host": HOST, **({"cookie": cookie} if cookie else {}), **headers})
