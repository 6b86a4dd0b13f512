"""Whether a request comes from a page of ours: its `Host`, `Origin`, `Sec-Fetch-Site`, `Content-Type`.

Theory. A browser says truly where a page came from that asks, whoever wrote the page. So a form or a script of another
site is known by what the browser says of it, before a cookie or a signature is looked at. A name that was turned to
this machine by somebody's name server is not one of ours, and gets nothing (`Host`). What changes something is JSON
from our own page and nothing else, because a form of another site can send anything but that. A header that counts
stands once. Pure.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from controller.web.door.turned_back import TurnedBack, not_from_here, not_understood

_COUNT = frozenset(
    {b"host", b"origin", b"sec-fetch-site", b"content-type", b"content-length", b"cookie", b"pozo-signature"}
)
_LOOKS = frozenset({"GET", "HEAD"})
_JSON = "application/json"


class Ours(NamedTuple):
    """What our pages are called: `https://mesa-1.casino:8443`, and the same without the scheme."""

    origins: frozenset[str]
    hosts: frozenset[str]

    @property
    def sealed(self) -> bool:
        """Whether they come over TLS: all of them, or on this machine's own addresses none."""
        return all(name.startswith("https://") for name in self.origins)


def ours(origins: Iterable[str]) -> Ours:
    names = frozenset(origins)
    assert all(urlsplit(name).geturl() == f"{urlsplit(name).scheme}://{urlsplit(name).netloc}" for name in names)
    return Ours(names, frozenset(urlsplit(name).netloc for name in names))


def headers_of(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Those that count, by their lower-case names."""
    found: dict[str, str] = {}
    for name, value in raw:
        if name.lower() in _COUNT:
            if name.lower().decode() in found:
                raise not_understood(name.decode(), "Un encabezado vino dos veces.")
            found[name.lower().decode()] = value.decode("latin-1")
    return found


def refuse_foreign(method: str, headers: Mapping[str, str], here: Ours) -> None:
    """Whatever a page of ours would not have asked."""
    if headers.get("host", "").lower() not in here.hosts:
        raise not_from_here("Host")
    if method in _LOOKS:
        return
    if headers.get("origin") not in here.origins or headers["origin"].partition("://")[2] != headers["host"].lower():
        raise not_from_here("Origin")
    if headers.get("sec-fetch-site") != "same-origin":
        raise not_from_here("Sec-Fetch-Site")
    if headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        raise TurnedBack(415, "not_json", "Content-Type", f"Aquí solo se lee {_JSON}.")


def refuse_foreign_look(headers: Mapping[str, str]) -> None:
    """What the API tells is for our pages, and for who writes its address; a page of another site loads nothing."""
    if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
        raise not_from_here("Sec-Fetch-Site")
