"""A terminal without a browser: the same API with a key of its own, for what is asked at once by fifty, wrongly, or without end.

What a page of ours would send is sent (`origin`, `sec-fetch-site`, JSON); a test of the door changes it. Nothing is retried.
"""

import base64
import http.client
import json
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from controller.node.vocabulary.protocol import Pin

API = "/api/v1/"
PATIENCE = 10
COOKIE = "__Host-pozo"


def new_id() -> str:
    return secrets.token_hex(16)


class Answer(NamedTuple):
    status: int
    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def reason(self) -> str:
        """Of a no."""
        return str(self.body.get("trouble", {}).get("reason", ""))


class Visitor:
    """`name`: what the terminal is called; `address`: of this machine, from which it comes; `accepts`: how a stream may be
    squeezed, as a browser says it; nothing: plain."""

    def __init__(self, origin: str, name: str, address: str = "127.0.0.1", accepts: str = "") -> None:
        self.origin, self.name, self._from, self.accepts = origin, name, (address, 0), accepts
        self.host = origin.partition("://")[2]
        self.cookie = ""
        self._key = generate_private_key(SECP256R1())

    @property
    def public(self) -> str:
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint).hex()

    def enrols(self, use: str, place: str, by: Pin, second: Pin) -> Answer:
        people = {"by": _signer(by), "second": _signer(second)}
        return self.post(
            "enrol", {"id": new_id(), "terminal": self.name, "use": use, "place": place, "key": self.public, **people}
        )

    def says_hello(self) -> Answer:
        challenge = str(self.get("challenge").body["challenge"])
        signature = self.signs(f"pozo hello 1\n{self.origin}\n{challenge}")
        answer = self.post("hello", {"terminal": self.name, "challenge": challenge, "signature": signature})
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer

    def acts(self, asked: dict[str, Any], by: Pin | None, second: Pin | None = None, **more: Any) -> Answer:
        """`asked`: an input, or what is told with a deed."""
        told = asked if "do" in asked else {"ask": asked}
        signers = {who: _signer(pin) for who, pin in (("by", by), ("second", second)) if pin is not None}
        return self.post("acts", {"id": new_id(), **told, **signers, **more})

    def get(self, path: str) -> Answer:
        return self.sends("GET", API + path, b"", self.headers())

    def post(self, path: str, body: Mapping[str, Any]) -> Answer:
        said = json.dumps(body).encode()
        return self.sends("POST", API + path, said, self.headers() | self.sealed(API + path, said))

    def headers(self) -> dict[str, str]:
        told = {"origin": self.origin, "sec-fetch-site": "same-origin", "content-type": "application/json"}
        return told | ({"cookie": self.cookie} if self.cookie else {})

    def sealed(self, path: str, body: bytes) -> dict[str, str]:
        return {"pozo-signature": self.signs(f"pozo act 1\n{self.origin}\n{path}\n{body.decode()}")}

    def signs(self, said: str) -> str:
        r, s = decode_dss_signature(self._key.sign(said.encode(), ECDSA(SHA256())))
        return base64.urlsafe_b64encode(r.to_bytes(32) + s.to_bytes(32)).decode().rstrip("=")

    def sends(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE, source_address=self._from)
        try:
            connection.request(method, path, body or None, dict(headers))
            answer = connection.getresponse()
            text = answer.read()
            found = {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()
        is_json = found.get("content-type", "").startswith("application/json")
        return Answer(answer.status, json.loads(text) if is_json else {"text": text.decode("utf-8", "replace")}, found)

    @contextmanager
    def listens(self, *scopes: str) -> Iterator["Listening"]:
        """To the stream, on a socket of its own."""
        host, _, port = self.host.rpartition(":")
        with socket.create_connection((host, int(port)), PATIENCE, source_address=self._from) as line:
            query = "&".join(f"scope={scope}" for scope in scopes)
            lines = [
                f"GET {API}stream?{query} HTTP/1.1",
                f"Host: {self.host}",
                f"Cookie: {self.cookie}",
                "Sec-Fetch-Site: same-origin",
                f"Accept-Encoding: {self.accepts}",
            ]
            line.sendall("\r\n".join([*lines, "", ""]).encode())
            yield Listening(line)


class Event(NamedTuple):
    kind: str  # whole, change, beat
    data: dict[str, Any]


class Listening:
    """`octets`: all that came, heads and chunks included, as it counts on the wire."""

    def __init__(self, line: socket.socket) -> None:
        self.line, self.octets, self._left = line, 0, b""

    def take(self, patience: float) -> int:
        """Whatever comes next; 0: the other side has closed it."""
        self.line.settimeout(patience)
        came = self.line.recv(65_536)
        self.octets += len(came)
        self._left += came
        return len(came)

    def events(self, patience: float = PATIENCE) -> Iterator[Event]:
        """One after the other, until it is closed or nothing came for so long."""
        while True:
            block, found, rest = self._left.partition(b"\n\n")
            if not found:
                if not self.take(patience):
                    return
                continue
            self._left = rest
            told = dict(
                line.split(": ", 1) for line in block.decode().splitlines() if line.startswith(("event: ", "data: "))
            )
            if "event" in told:
                yield Event(told["event"], json.loads(told["data"]))


def _signer(pin: Pin) -> dict[str, str]:
    return {"person": pin.person, "pin": pin.pin}
