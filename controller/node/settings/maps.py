"""The map of an off-the-shelf Modbus module, as [table.unit.map] says it: which register is whose button.

Theory. `drivers/io_module/map.py` is the authority on such a map and says its refusals in English; here the same keys
are read with the words of the other settings, so that a technician meets one language. What is left to refuse when the
form is right are clashes of registers; those are reported in the driver's words, with the key of the map.
"""

from typing import Any

from controller.node.settings.sheet import HERE, Sheet
from controller.rules.document import DocumentError
from drivers.io_module.map import MOST_BUTTONS, IoMap, IoMapRefused, read_io_map

_REGISTERS = 0xFFFF
_NEED_NOT_BE_SAID = {
    "heartbeat": (0, _REGISTERS), "beat_ms": (10, 60_000), "poll_ms": (5, 1_000), "settle_ms": (0, 1_000),
    "confirm_ms": (100, 10_000), "per_second": (1, 1_000),
}  # fmt: skip
_COUNTER_WANTED = "un botón necesita un contador: una entrada pierde las pulsaciones más cortas que una lectura"


def read_map(sheet: Sheet, unit: int) -> IoMap | DocumentError:
    """The map, or the clash in it; a mistake of form is raised."""
    document = _document(sheet)
    try:
        return read_io_map({**document, "unit": unit}, sheet.path)
    except IoMapRefused as refused:
        clashes = "; ".join(problem.removeprefix(sheet.path).lstrip(":. ") for problem in refused.problems)
        return DocumentError(sheet.file, sheet.path, HERE, f"el mapa se contradice: {clashes}")


def _document(sheet: Sheet) -> dict[str, Any]:
    document: dict[str, Any] = {"serial": sheet.whole("serial", HERE, 1, 2**32 - 1)}
    if sheet.has("product"):
        document["product"] = sheet.text("product", HERE)
    document["function"] = sheet.one_of("function", (3, 4), 4)
    document["bits"] = sheet.one_of("bits", (16, 32), 32)
    if sheet.has("words"):
        document["words"] = sheet.text("words", HERE)
        if document["words"] not in {"high_first", "low_first"}:
            sheet.refuse("words", HERE, f"debe ser high_first o low_first, no {document['words']}")
    for key, (least, most) in _NEED_NOT_BE_SAID.items():
        if sheet.has(key):
            document[key] = sheet.whole(key, HERE, least, most)
    probe = sheet.maybe_section("probe")
    if probe is not None:
        document["probe"] = {
            "address": probe.whole("address", HERE, 0, _REGISTERS - 1),
            "value": probe.whole("value", HERE, 1, 2**32 - 1),
        }
        probe.close()
    document["seat"] = [_seat(seat) for seat in sheet.sheets("seat")]
    console = sheet.maybe_section("console")
    if console is not None:
        document["console"] = _console(console)
    sheet.close()
    return document


def _seat(sheet: Sheet) -> dict[str, Any]:
    read: dict[str, Any] = {
        "seat": sheet.whole("seat", "R-7", 1, 99), "lamp": sheet.whole("lamp", "R-6", 0, _REGISTERS)
    }  # fmt: skip
    if not sheet.has("feedback"):
        sheet.refuse("feedback", "R-6", "falta la entrada que prueba la lámpara: sin ella no se sabe si está encendida")
    buttons = sheet.sheets("button", "R-2")
    if not 0 < len(buttons) <= MOST_BUTTONS:
        sheet.refuse("button", "R-2", f"un puesto tiene de 1 a {MOST_BUTTONS} botones, no {len(buttons)}")
    read["feedback"] = sheet.whole("feedback", "R-6", 0, _REGISTERS)
    read["button"] = [_button(button) for button in buttons]
    sheet.close()
    return read


def _button(sheet: Sheet) -> dict[str, int]:
    if sheet.has("input"):
        sheet.refuse("input", "R-2", _COUNTER_WANTED)
    read = {
        "counter": sheet.whole("counter", "R-2", 0, _REGISTERS), "credits": sheet.whole("credits", "R-2", 1, _REGISTERS)
    }  # fmt: skip
    sheet.close()
    return read


def _console(sheet: Sheet) -> dict[str, Any]:
    read: dict[str, Any] = {}
    lock = sheet.maybe_section("lock")
    if lock is not None:
        if lock.has("counter") == lock.has("input"):
            lock.refuse("counter", "R-5", "el botón de bloqueo tiene un contador o una entrada, y solo uno de los dos")
        key = "counter" if lock.has("counter") else "input"
        read["lock"] = {key: lock.whole(key, "R-5", 0, _REGISTERS)}
        lock.close()
    unlock = sheet.maybe_section("unlock")
    if unlock is not None:
        if unlock.has("input"):
            unlock.refuse("input", "R-5", _COUNTER_WANTED)
        read["unlock"] = {"counter": unlock.whole("counter", "R-5", 0, _REGISTERS)}
        unlock.close()
    sheet.close()
    return read
