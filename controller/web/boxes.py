"""The other boxes whose tables a chief sees here: where each is, and by which key its node is known.

Theory. The name is the node's own, which it must say of itself; the key is what `pozo key show` says there, and whose
fingerprint is read aloud. An address is in digits: a name would be looked up, and may be another's tomorrow.
"""

import ipaddress

from controller.core.people import NAME
from controller.node.passage.ways import FarBox
from controller.node.settings.neighbours import endpoint
from controller.node.settings.sheet import Sheet
from controller.node.vocabulary.fingerprint import is_link_key

MOST_BOXES = 15


def read_boxes(sheet: Sheet, page: str) -> tuple[FarBox, ...]:
    """Every [[box]]. `page`: which explains its keys."""
    rows = sheet.sheets("box", page) if sheet.has("box") else []
    if len(rows) > MOST_BOXES:
        sheet.refuse("box", page, f"son a lo más {MOST_BOXES} [[box]]")
    boxes = tuple(_box(row, page) for row in rows)
    for row, box in zip(rows, boxes, strict=True):
        for key in ("name", "place", "key"):
            if [getattr(one, key) for one in boxes].count(getattr(box, key)) > 1:
                where = "address" if key == "place" else key
                raise row.wrong(where, page, f"es de dos [[box]]; {box.name} es una de ellas")
    return boxes


def _box(row: Sheet, page: str) -> FarBox:
    name, address, key = row.text("name", page), row.text("address", page), row.text("key", page)
    if not NAME.fullmatch(name):
        row.refuse("name", page, f"{name} no puede ser el nombre de un nodo")
    host, port = endpoint(address)
    if not port or not _is_in_digits(host):
        row.refuse("address", page, f"debe ser la de su [webs], en cifras, como tcp://10.0.0.12:7072, no {address}")
    if not is_link_key(key):
        row.refuse("key", page, "son las 64 cifras que allá dice pozo key show, en minúscula")
    row.close()
    return FarBox(name, (host, port), key)


def _is_in_digits(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
