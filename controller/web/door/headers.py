"""What each answer tells a browser about itself: what it may load, who may show it, what it may keep.

Theory. A page of ours loads its own files and nothing else, runs no text as a program, stands in nobody's frame, and
tells no other site where it was. So a name or a text with a script in it stays a text, also where a page of ours forgot
itself. Nothing of the API is kept by a browser; pages are asked for again and answered by "unchanged". Pure.
"""

from collections.abc import Iterable

_POLICY = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "media-src 'self'; manifest-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_UNUSED = (
    "accelerometer", "bluetooth", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb", "web-share",
    "xr-spatial-tracking",
)  # fmt: skip
_OF_ALL = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(f"{name}=()" for name in _UNUSED),
}
_WITH_TLS = {"strict-transport-security": "max-age=31536000"}
_API = "/api/"


def is_api(path: str) -> bool:
    return path.startswith(_API)


class Guard:
    """`sealed`: whether the pages come over TLS, so that a browser must never ask for them without."""

    def __init__(self, *, sealed: bool) -> None:
        told = {**_OF_ALL, **(_WITH_TLS if sealed else {})}
        self._told = [(name.encode(), value.encode()) for name, value in told.items()]
        self._ours = frozenset(name for name, _ in self._told)

    def headers(self, path: str, given: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        """Those of an answer, and ours; ours win, but for how long a page that says so itself is kept."""
        rest = [(name, value) for name, value in given if name.lower() not in self._ours]
        kept = [name for name, _ in rest if name.lower() == b"cache-control"]
        if is_api(path):
            rest = [(name, value) for name, value in rest if name.lower() != b"cache-control"]
            rest.append((b"cache-control", b"no-store"))
        elif not kept:
            rest.append((b"cache-control", b"no-cache"))
        return [*rest, *self._told]
