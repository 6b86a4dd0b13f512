"""docs/map.md names real functions: the guided tour must not lead into a wall."""

import importlib
import re

import pytest

from support.places import ROOT

NAMES = re.findall(r"`(\w+)\.(\w+)`", (ROOT / "docs/map.md").read_text())


CLASSES = {
    "Book": "controller.node.book.book",
    "Store": "controller.node.store.store",
    "Inbox": "controller.node.vocabulary.inbox",
    "Floor": "controller.node.floor.floor",
    "Engine": "controller.node.engine.engine",
    "Hardware": "controller.node.devices.hardware",
    "Signboard": "controller.node.signs.signboard",
    "Control": "controller.node.control.control",
    "Memories": "controller.node.devices.memories",
    "Reception": "controller.node.engine.reception",
    "Talker": "drivers.session",
    "Firmware": "firmware_sim.native.unit",
    "Bus": "drivers.modbus.bus",
    "RtuFraming": "drivers.modbus.rtu",
    "NativeUnit": "drivers.native.unit",
    "Freshness": "drivers.native.freshness",
    "Desires": "drivers.native.desired",
    "Pump": "drivers.pump",
    "Acceptor": "drivers.cctalk.acceptor",
    "IoModule": "drivers.io_module.unit",
    "AlphaSign": "drivers.signs.alpha_sign",
}


@pytest.mark.parametrize(("module", "name"), NAMES, ids=".".join)
def test_every_function_of_the_tour_exists(module, name):
    if name in {"md", "py"}:
        pytest.fail("name the function, not the file")
    if module in CLASSES:
        assert callable(getattr(getattr(importlib.import_module(CLASSES[module]), module), name))
        return
    paths = [path.relative_to(ROOT).with_suffix("") for path in (ROOT / "controller").rglob(f"{module}.py")]
    modules = [importlib.import_module(".".join(path.parts)) for path in paths]

    assert any(callable(getattr(one, name, None)) for one in modules)


@pytest.mark.parametrize(
    "path", re.findall(r"`((?:controller|config|tests|docs|audit|core)/[\w./-]*)`", (ROOT / "docs/map.md").read_text())
)
def test_every_file_of_the_tour_exists(path):
    assert (ROOT / path).exists() or (ROOT / "controller" / path).exists()
