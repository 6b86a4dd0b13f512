"""What the browser of a sign that hangs may do: the policies of its machine, made of the addresses of its signs.

Theory. Debian's chromium obeys every file of its folder of managed policies, whoever starts it. What no sign may do is
in `systemd/pozo-kiosk-policies.json`; here come the pages that these signs show, which are the only ones that open, and
the authority behind their certificates. Two folders of an address are a sign's: its own and that of the enrolment. A
machine without a sign gets no policies: its browser is somebody else's.

What is told in `/etc/pozo/kiosk/NAME.env` is read as systemd reads it: NAME=VALUE, one a line, quoted or not.
"""

import base64
import ipaddress
import json
import re
import ssl
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

_TOLD = re.compile(r"""\s*(\w+)\s*=\s*(["']?)(.*?)\2\s*""")
_SHOWN = ("/sign/", "/ground/")


class KioskRefused(Exception):  # noqa: N818  says what happened
    """One Spanish sentence: what is wrong with it, and what would be right."""


class Kiosk(NamedTuple):
    """What one sign shows, and the authority of its address, if the browser does not know it."""

    address: SplitResult
    authority: Path | None


def read_kiosk(path: Path, root: Path = Path("/")) -> Kiosk:
    """Paths in it are the machine's, which lies below `root`."""
    told = dict(_told(path))
    address = urlsplit(told.get("URL", ""))
    if not (_is_sealed(address) and address.hostname and address.path.startswith(_SHOWN[0])):
        raise KioskRefused(
            f"{path}: URL debe ser la página de un letrero, como https://mesa-1.casino:8443/sign/?place=sala"
        )
    authority = told.get("CA")
    return Kiosk(address, root / authority.lstrip("/") if authority else None)


def policies(always: str, kiosks: list[Kiosk]) -> str:
    """The file of policies: what holds always, with the pages of these signs and their authorities."""
    made = json.loads(always)
    made["URLAllowlist"] = sorted({f"{_pattern(kiosk.address)}{page}" for kiosk in kiosks for page in _SHOWN})
    made["AutoplayAllowlist"] = sorted({_pattern(kiosk.address) for kiosk in kiosks})
    made["CACertificates"] = sorted(
        {one for kiosk in kiosks if kiosk.authority for one in _authorities(kiosk.authority)}
    )
    return json.dumps(made, indent=2) + "\n"


def _told(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [_TOLD.fullmatch(line) for line in lines if not line.lstrip().startswith(("#", ";"))]
    return [(one[1], one[3]) for one in found if one]


def _is_sealed(address: SplitResult) -> bool:
    """Plain only where it never leaves the machine, as `pozo web` has it."""
    return address.scheme == "https" or (address.scheme == "http" and address.hostname in ("127.0.0.1", "localhost"))


def _pattern(address: SplitResult) -> str:
    """As policies write an address: the point before a name leaves out those below it."""
    assert address.hostname, "read_kiosk refused it"
    port = f":{address.port}" if address.port else ""
    return f"{address.scheme}://{_host(address.hostname)}{port}"


def _host(name: str) -> str:
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        return f".{name}"
    return f"[{found}]" if found.version == 6 else name


def _authorities(path: Path) -> list[str]:
    try:
        held = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        held.load_verify_locations(cadata=path.read_text(encoding="ascii"))
    except (OSError, ValueError) as error:  # an SSLError is an OSError
        raise KioskRefused(f"{path}: no se puede leer como certificado PEM: {error}") from None
    found = held.get_ca_certs(binary_form=True)
    if not found:
        raise KioskRefused(f"{path}: no es el certificado de una autoridad; el de un servidor no sirve aquí")
    return [base64.b64encode(one).decode() for one in found]
