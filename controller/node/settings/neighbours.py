"""The nodes with which this one shares a pot, as [link] and [[neighbour]] name them (R-28).

Theory. Here stands where they are and what two persons are to hear when they pin a key (`pozo peer add`); whose key is
taken stands in the record. Who is above is dialled, so it has an address; who is below comes in, so this node listens.
An address to listen at is one of this machine, in digits: a name would be looked up, and may be another's tomorrow.
"""

import ipaddress
import re
from collections.abc import Iterator
from dataclasses import dataclass

from controller.core.links.names import is_away, neighbour_of
from controller.core.links.placed import nodes_above
from controller.core.values import Side
from controller.node.settings.lines import name_in
from controller.node.settings.plans import PlanRead
from controller.node.settings.sheet import HERE, Sheet
from controller.node.vocabulary.fingerprint import as_fingerprint
from controller.node.vocabulary.places import NeighbourPlace
from controller.rules.approval import as_read
from controller.rules.document import DocumentError

_TCP = "tcp://"
_LEAST_PORT, _MOST_PORT = 1024, 65_535
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*")
_MOST_HOST = 253


@dataclass(frozen=True, slots=True)
class LinkForm:
    """`sheet` of [link], or of [webs], where there is one."""

    sheet: Sheet | None
    listen: str


@dataclass(frozen=True, slots=True)
class NeighbourForm:
    sheet: Sheet
    place: NeighbourPlace


def read_link(sheet: Sheet | None) -> LinkForm:
    if sheet is None:
        return LinkForm(None, "")
    return _read_listen(sheet, 7071)


def read_webs(sheet: Sheet | None) -> LinkForm:
    """Where the web processes of other boxes come in."""
    return LinkForm(None, "") if sheet is None else _read_listen(sheet, 7072)


def _read_listen(sheet: Sheet, usual: int) -> LinkForm:
    listen = sheet.text("listen", HERE)
    host, port = endpoint(listen)
    if not port or not _is_ip(host):
        what = f"{listen!r} no es una dirección de esta máquina y un puerto, como {_TCP}0.0.0.0:{usual}"
        sheet.refuse("listen", HERE, what)
    sheet.close()
    return LinkForm(sheet, listen)


def read_neighbour(sheet: Sheet) -> NeighbourForm:
    name, side = name_in(sheet, "name"), sheet.choice("side", "R-28", Side)
    inside = sheet.flag_or("inside", default=False)
    address = sheet.text_or("address", "")
    if side is Side.BELOW and address:
        sheet.refuse("address", HERE, f"{name} está abajo: llega a este nodo, y aquí no se dice dónde está")
    host, port = endpoint(address)
    if side is Side.ABOVE and not (port and (_is_ip(host) or _is_host(host))):
        sheet.refuse("address", HERE, f"de {name}, que está arriba, falta dónde escucha, como {_TCP}10.0.0.2:7071")
    typed = sheet.text("fingerprint", "R-28")
    fingerprint = as_fingerprint(typed)
    if fingerprint is None:
        sheet.refuse("fingerprint", "R-28", f"{typed!r} no es una huella: ocho grupos de cuatro cifras (pozo key show)")
    sheet.close()
    return NeighbourForm(
        sheet, NeighbourPlace(name=name, side=side, inside=inside, address=address, fingerprint=fingerprint)
    )


def endpoint(text: str) -> tuple[str, int]:
    """Host and port of `tcp://HOST:PORT`; port 0 where it is none."""
    host, _, port = text.removeprefix(_TCP).rpartition(":")
    host = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    is_port = text.startswith(_TCP) and port.isascii() and port.isdecimal() and len(port) <= 5
    return host, int(port) if is_port and _LEAST_PORT <= int(port) <= _MOST_PORT else 0


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_host(host: str) -> bool:
    return len(host) <= _MOST_HOST and _HOST.fullmatch(host) is not None


def link_troubles(
    node: str, link: LinkForm, forms: list[NeighbourForm], metrics: int | None
) -> Iterator[DocumentError]:
    """What only shows when they are compared."""
    below = [form for form in forms if form.place.side is Side.BELOW]
    if below and link.sheet is None:
        what = f"{below[0].place.name} llega a este nodo: falta [link] con listen, como {_TCP}0.0.0.0:7071"
        yield below[0].sheet.wrong("side", HERE, what)
    if link.sheet is not None:
        if not below:
            yield link.sheet.wrong("listen", HERE, "ningún [[neighbour]] está abajo: nadie tiene por qué llegar aquí")
        if endpoint(link.listen)[1] == metrics:
            yield link.sheet.wrong("listen", HERE, f"el puerto {metrics} ya es el de metrics")
    yield from _twice(node, forms)


def web_troubles(webs: LinkForm, link: LinkForm, metrics: int | None) -> Iterator[DocumentError]:
    """A port is one's own."""
    if webs.sheet is None:
        return
    port = endpoint(webs.listen)[1]
    if link.listen and endpoint(link.listen)[1] == port:
        yield webs.sheet.wrong("listen", HERE, f"el puerto {port} ya es el de link")
    if port == metrics:
        yield webs.sheet.wrong("listen", HERE, f"el puerto {port} ya es el de metrics")


def shared_troubles(node: str, forms: list[NeighbourForm], plans: list[PlanRead]) -> Iterator[DocumentError]:
    """R-28: with whom a plan shares its pot, on which side; who is missing would be missed at the first plan."""
    below, above = ({one.place.name for one in forms if one.place.side is side} for side in (Side.BELOW, Side.ABOVE))
    for read in plans:
        sheet, pot = read.form.sheet, read.plan.name
        for other in dict.fromkeys(neighbour_of(table) for table in read.tables if is_away(table)):
            if other not in below:
                what = f'el plan de {pot} pone mesas en el nodo {other}: falta su [[neighbour]] con side = "below"'
                yield sheet.wrong("file", "R-28", what)
        for other in sorted(nodes_above(read.plan, node)):
            if other not in above if other else not above:
                who = f"por el nodo {other}" if other else "a su nodo dueño"
                what = f'el pozo {pot} es de otro nodo, y se llega {who}: falta su [[neighbour]] con side = "above"'
                yield sheet.wrong("file", "R-28", what)


def _twice(node: str, forms: list[NeighbourForm]) -> Iterator[DocumentError]:
    """R-28: a node has one name, one key, one address."""
    first: dict[tuple[str, str], str] = {("name", as_read(node)): node}
    for form in forms:
        one = form.place
        said = {"name": as_read(one.name), "fingerprint": one.fingerprint, "address": one.address}
        for key, value in said.items():
            if value and (key, value) in first:
                other = first[key, value]
                what = f"se lee como {other}, que es otro nodo" if key == "name" else f"es también de {other}"
                yield form.sheet.wrong(key, "R-28", what)
            first.setdefault((key, value), one.name)
