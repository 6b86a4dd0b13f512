"""Hooks of schemathesis: each request that it invents is said as a page of ours says it, signed by an enrolled terminal.

It runs in the environment of that program, with nothing of ours: the signature is made here by another hand. What it is
told comes by the environment: POZO_ORIGIN, POZO_COOKIE, and POZO_KEY, a number.
"""

import base64
import os
from typing import Any

import schemathesis
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

KEY = ec.derive_private_key(int(os.environ["POZO_KEY"]), ec.SECP256R1())
ORIGIN = os.environ["POZO_ORIGIN"]


class Signs:
    """Called by `requests` with what it is about to send."""

    def __call__(self, asked: Any) -> Any:
        body = asked.body or b""
        body = body.encode() if isinstance(body, str) else body
        path = asked.path_url.partition("?")[0]
        said = f"pozo act 1\n{ORIGIN}\n{path}\n".encode() + body
        r, s = utils.decode_dss_signature(KEY.sign(said, ec.ECDSA(SHA256())))
        mark = base64.urlsafe_b64encode(r.to_bytes(32, "big") + s.to_bytes(32, "big")).rstrip(b"=").decode()
        asked.headers["Pozo-Signature"] = mark
        asked.headers["Cookie"] = os.environ["POZO_COOKIE"]
        if asked.method == "POST":
            asked.headers["Origin"] = ORIGIN
            asked.headers["Sec-Fetch-Site"] = "same-origin"
            asked.headers.setdefault("Content-Type", "application/json")
        return asked


schemathesis.auth.set_from_requests(Signs())
