"""The settings file of `pozo web`: strict as a node's, every mistake with its file, its key and what would be right.

Theory. The first mistake of form ends the reading; what only shows when keys are compared is told all together
(`problems`, for `pozo web --check`). Without TLS a browser would send PINs for everybody to read, so plain HTTP is for
the machine's own addresses alone. What says which node, which addresses and which signs stands here; no rule, no
amount and no person does. config/web/ejemplo.toml explains every key.
"""

import ipaddress
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from controller.documents import read_text
from controller.node.passage.ways import FarBox
from controller.node.settings.sheet import Sheet, sheet_of
from controller.node.vocabulary.protocol import too_long
from controller.rules.document import DocumentError
from controller.web.boxes import read_boxes
from controller.web.language import Language
from controller.web.layouts import SignLayout, read_layouts

HERE = "docs/operators/web.md"
_LISTEN = re.compile(r"(\[[0-9a-f:.]+\]|[0-9.]+):([0-9]{1,5})")
_LEAST_PORT, _MOST_PORT = 1024, 65_535
_MOST_ORIGINS = 16


class Notices(NamedTuple):
    """What the casino must say to players on every sign, word by word."""

    responsible_play: str
    age: str
    resolution: str


class Certificate(NamedTuple):
    """The casino's own, as PEM files."""

    chain: Path
    key: Path


class WebSettings(NamedTuple):
    """`certificate`: None where one is made at the first start; `plain`: no TLS at all, on this machine alone."""

    file: Path
    control: Path
    address: str
    port: int
    origins: tuple[str, ...]
    plain: bool
    certificate: Certificate | None
    folder: Path
    language: Language
    signs: tuple[SignLayout, ...]
    notices: Notices | None
    boxes: tuple[FarBox, ...] = ()


def read_settings(path: Path) -> WebSettings:
    """Everything, or a DocumentError with the first mistake."""
    settings, sheet = _read(path)
    for trouble in _troubles(settings, sheet):
        raise trouble
    return settings


def problems(path: Path) -> list[str]:
    """Each mistake as a sentence with file and key; none: `pozo web` may run with it."""
    try:
        settings, sheet = _read(path)
    except DocumentError as error:
        return [str(error)]
    return [str(trouble) for trouble in _troubles(settings, sheet)]


def _read(path: Path) -> tuple[WebSettings, Sheet]:
    sheet = sheet_of(read_text(path).text, str(path), HERE)
    beside = path.absolute().parent
    address, port = _listen(sheet)
    origins = _origins(sheet)
    signs = read_layouts(_place(sheet, "signs", beside), HERE) if sheet.has("signs") else ()
    settings = WebSettings(
        file=path,
        control=_place(sheet, "control", beside),
        address=address,
        port=port,
        origins=origins,
        plain=all(origin.startswith("http://") for origin in origins),
        certificate=_certificate(sheet.maybe_section("tls"), beside),
        folder=_place(sheet, "folder", beside),
        language=sheet.choice_or("language", Language, Language.SPANISH, HERE),
        signs=signs,
        notices=_notices(sheet.maybe_section("notices")),
        boxes=read_boxes(sheet, HERE),
    )
    sheet.close()
    return settings, sheet


def _place(sheet: Sheet, key: str, beside: Path) -> Path:
    return Path(os.path.normpath(beside / sheet.text(key, HERE)))


def _listen(sheet: Sheet) -> tuple[str, int]:
    said = sheet.text("listen", HERE)
    found = _LISTEN.fullmatch(said)
    wanted = f"debe ser DIRECCIÓN:PUERTO, como 0.0.0.0:8443 o [::1]:8443, con un puerto de {_LEAST_PORT} a {_MOST_PORT}"
    if found is None or not _LEAST_PORT <= int(found[2]) <= _MOST_PORT:
        sheet.refuse("listen", HERE, f"{wanted}, no {said}")
    address = found[1].strip("[]")
    try:
        ipaddress.ip_address(address)
    except ValueError:
        sheet.refuse("listen", HERE, f"{wanted}, no {said}")
    return address, int(found[2])


def _origins(sheet: Sheet) -> tuple[str, ...]:
    origins = sheet.texts("origins", HERE)
    if not 0 < len(origins) <= _MOST_ORIGINS:
        sheet.refuse("origins", HERE, f"deben ser de 1 a {_MOST_ORIGINS} direcciones, como https://mesa-1.casino:8443")
    for origin in origins:
        if not _is_origin(origin):
            what = f"{origin} debe ser lo que el navegador muestra hasta el puerto, como https://mesa-1.casino:8443"
            sheet.refuse("origins", HERE, what)
    return origins


def _is_origin(text: str) -> bool:
    """As a browser writes it: scheme, name in small letters, port unless it is the scheme's own; nothing else."""
    try:
        parts = urlsplit(text)
        own = {"http": 80, "https": 443}.get(parts.scheme)
        return (
            own is not None
            and parts.port != own
            and f"{parts.scheme}://{_named(text)}" == text
            and parts.hostname == _bare(text)
        )
    except ValueError:
        return False


def _named(text: str) -> str:
    return urlsplit(text).netloc.rpartition("@")[2]


def _bare(text: str) -> str:
    """The name without its port, as it was written."""
    name = _named(text)
    return name[1:].partition("]")[0] if name.startswith("[") else name.partition(":")[0]


def _certificate(sheet: Sheet | None, beside: Path) -> Certificate | None:
    if sheet is None:
        return None
    found = Certificate(_place(sheet, "certificate", beside), _place(sheet, "key", beside))
    sheet.close()
    return found


def _notices(sheet: Sheet | None) -> Notices | None:
    if sheet is None:
        return None
    found = Notices(sheet.text("responsible_play", HERE), sheet.text("age", HERE), sheet.text("resolution", HERE))
    sheet.close()
    return found


def _troubles(settings: WebSettings, sheet: Sheet) -> Iterator[DocumentError]:
    if not settings.plain and any(origin.startswith("http://") for origin in settings.origins):
        yield sheet.wrong("origins", HERE, "o todas con https, o todas con http en esta misma máquina")
    if settings.plain and not ipaddress.ip_address(settings.address).is_loopback:
        what = f"sin https los PIN irían a la vista por la red; {settings.address} solo con https, o 127.0.0.1"
        yield sheet.wrong("listen", HERE, what)
    if settings.plain and settings.certificate is not None:
        yield sheet.wrong("tls", HERE, "hay un certificado y ninguna dirección con https en origins; sobra uno")
    if too_long(settings.control):
        yield sheet.wrong("control", HERE, f"{settings.control} es un nombre demasiado largo para un socket")
    if settings.folder == settings.control:
        yield sheet.wrong("folder", HERE, "es la misma carpeta que control; use otra")
    if settings.signs and settings.notices is None:
        what = "falta [notices]: lo que la casa debe decir en cada letrero (juego responsable, edad, resolución)"
        yield sheet.wrong("notices", "R-31", what)
    for file in settings.certificate or ():
        if not file.is_file():
            yield sheet.wrong("tls", HERE, f"no existe el archivo {file}")
