"""What a screen says of devices that are not to be trusted, and of ports: Spanish, and what helps."""

import pytest

from controller.node.devices.ports import Ports
from controller.node.floor.words import what_to_do, why_down
from drivers.model import Down
from drivers.port import PortRefusal
from drivers.pump import PortClosed, PortNotOpened, PortOpened

CODES = {one.value for one in Down} | {one.value for one in PortRefusal}


class Show:
    def __init__(self):
        self.said = {}

    def raise_alarm(self, key, alarm):
        self.said[key] = alarm


@pytest.mark.parametrize("reason", Down)
def test_a_device_that_is_down_has_a_name_a_cause_and_something_to_do(reason):
    for kind, name in (("console", "la consola "), ("io", "el módulo "), ("electronic", "el aceptor ")):
        cause, to_do = what_to_do(kind, reason).split(": ")
        assert cause.startswith(name) and to_do
        assert not {*what_to_do(kind, reason).split()} & CODES
    assert why_down(reason) and why_down(None)


@pytest.mark.parametrize("reason", PortRefusal)
def test_a_port_that_does_not_open_says_why_and_what_to_do_in_spanish(reason):
    show = Show()
    ports = Ports(show.raise_alarm)
    ports.heard("norte", PortNotOpened("/dev/rs485", reason, "[Errno 2] No such file"))
    sentence = show.said["port norte"].sentence

    assert sentence.startswith("La línea norte no se puede abrir (/dev/rs485): ")
    assert ";" in sentence and sentence.endswith(".")
    assert reason.value not in sentence and "Errno" not in sentence
    ports.heard("norte", PortOpened("/dev/rs485", ()))
    assert show.said["port norte"] is None


def test_a_port_that_is_lost_says_what_to_look_at():
    show = Show()
    Ports(show.raise_alarm).heard("norte", PortClosed("/dev/rs485", "hung up"))

    assert "revise el cable" in show.said["port norte"].sentence
