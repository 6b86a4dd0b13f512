"""The lines of a node, as [[line]] says them: a name, a port that keeps its name, and how bytes travel.

Theory. Each kind of line has the format its devices are sold with as default, so a technician writes only a name, a
kind and a port. A port is named by what is plugged in, not by the order in which the machine found it: `/dev/ttyUSB0`
may be another adapter tomorrow (devices.md 4.3). What hangs on a line is not known here.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, cast
from urllib.parse import urlsplit

from controller.core.people import NAME
from controller.node.settings.sheet import HERE, Sheet
from controller.node.vocabulary.places import LineKind, LinePlace
from drivers.port import PortSettings
from drivers.session import MILLISECOND

NAME_WANTED = "letras sin acento, cifras, punto, guion y guion bajo, empezando por letra o cifra, a lo más 64"

_UNSTABLE = re.compile(r"/dev/tty(USB|ACM)\d+")


class PortParity(StrEnum):
    NONE = "N"
    EVEN = "E"
    ODD = "O"


@dataclass(frozen=True, slots=True)
class LineForm:
    sheet: Sheet
    place: LinePlace


_FORMATS: dict[LineKind, PortSettings] = {
    LineKind.RTU: PortSettings(),
    LineKind.TCP: PortSettings(),
    LineKind.CCTALK: PortSettings(baud=9600, parity="N"),
    LineKind.ALPHA: PortSettings(baud=9600, bits=7),
    LineKind.TEXT: PortSettings(baud=9600, parity="N"),
}
_TIMES: dict[LineKind, tuple[int, int]] = {  # ms: a device may think, an adapter keeps bytes
    LineKind.RTU: (20, 16),
    LineKind.TCP: (20, 30),
    LineKind.CCTALK: (50, 16),
}


def read_line(sheet: Sheet) -> LineForm:
    name = name_in(sheet, "name")
    kind = sheet.choice("kind", HERE, LineKind)
    url = _url(sheet, kind)
    answer, latency = _TIMES.get(kind, (20, 16))
    port = _FORMATS[kind]
    if kind is not LineKind.TCP:
        port = _port(sheet, kind, port)
    if kind in _TIMES:
        answer = sheet.whole_or("answer_ms", answer, 1, 1000)
        latency = sheet.whole_or("latency_ms", latency, 0, 500)
    sheet.close()
    answer, latency = answer * MILLISECOND, latency * MILLISECOND
    return LineForm(sheet, LinePlace(name=name, kind=kind, url=url, port=port, answer=answer, latency=latency))


def name_in(sheet: Sheet, key: str) -> str:
    """A name that files, messages and people can carry."""
    name = sheet.text(key, HERE)
    if not NAME.fullmatch(name):
        sheet.refuse(key, HERE, f"{name} no sirve de nombre: {NAME_WANTED}")
    return name


def _port(sheet: Sheet, kind: LineKind, usual: PortSettings) -> PortSettings:
    baud = sheet.whole_or("baud", usual.baud, 1200, 921_600)
    if baud % 100:
        sheet.refuse("baud", HERE, f"debe ser un múltiplo de 100, no {baud}; lo usual aquí es {usual.baud}")
    if kind is LineKind.CCTALK:
        return PortSettings(baud=baud, bits=8, parity="N", stop=1)
    parity = sheet.choice_or("parity", PortParity, PortParity(usual.parity)).value
    stop = sheet.one_of("stop", (1, 2), usual.stop)
    bits = sheet.one_of("bits", (7, 8), usual.bits) if kind is not LineKind.RTU else usual.bits
    rs485 = kind is LineKind.RTU and sheet.flag_or("rs485", default=False)
    return PortSettings(
        baud=baud,
        bits=cast("Literal[7, 8]", bits),
        parity=cast("Literal['N', 'E', 'O']", parity),
        stop=cast("Literal[1, 2]", stop),
        rs485=rs485,
    )


def _url(sheet: Sheet, kind: LineKind) -> str:
    url = sheet.text("url", HERE)
    unstable = sheet.flag_or("unstable_name", default=False)
    if url.startswith("socket://"):
        if not _is_address(url):
            sheet.refuse("url", HERE, f"{url} no es una dirección; debe ser socket://equipo:puerto")
        return url
    if kind is LineKind.TCP:
        sheet.refuse("url", HERE, f"una línea tcp se abre con socket://equipo:puerto, no con {url}")
    if not url.startswith("/"):
        sheet.refuse("url", HERE, f"debe ser una ruta desde la raíz (/dev/serial/by-id/...) o socket://..., no {url}")
    if _UNSTABLE.fullmatch(url) and not unstable:
        sheet.refuse(
            "url", HERE,
            f"{url} puede ser mañana otro adaptador; use el nombre fijo que muestra `ls -l /dev/serial/by-id`,"
            " o /dev/serial/by-path; si de verdad no hay otro, unstable_name = true",
        )  # fmt: skip
    return url


def _is_address(url: str) -> bool:
    try:
        address = urlsplit(url)
        named = bool(address.hostname and address.port)
    except ValueError:
        return False
    return named and not (address.path or address.query or address.fragment or address.username)
