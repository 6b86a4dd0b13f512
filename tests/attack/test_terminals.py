"""The dishonest colleague at one console of a house, and the program that invents consoles: nobody else waits for them."""

import os
import pwd
import re

import pytest

from controller.core import inputs as ask
from controller.core.values import TerminalUse
from controller.node.control.client import Client, asking
from controller.node.vocabulary.protocol import Pin, Ticket
from support.attack.child import STRANGER
from support.attack.ground import begins, ground, of_another_user
from support.core.points import point_of
from support.node.node_process import ANA, CARLA, JEFE

pytestmark = pytest.mark.process

TABLE = "DP-01"


@of_another_user
def test_three_wrong_pins_stop_one_terminal_and_invented_ones_are_none(template):
    """The settings name this very user as who speaks for terminals, as they will name the web process's."""
    believed = f'[terminals]\nuser = "{pwd.getpwuid(os.geteuid()).pw_name}"\n'
    with ground(template, more=believed) as place, Client(place.control) as client:
        for number in (1, 2):
            let_in = ask.EnrolTerminal(f"consola-{number}", TerminalUse.TABLE, TABLE, point_of(number), None, None)
            assert client.ask(asking(let_in, JEFE, ANA)).ok
        said = [client.sign_in(Pin("carla", "000000"), "consola-1", TABLE) for _ in range(3)]
        assert [one.trouble.reason for one in said] == ["pin_wrong"] * 3
        thief = place.child("support.attack.guessers:at_invented_terminals", 5, "jefe", user=STRANGER)
        begins(thief)
        told = thief.communicate(timeout=60)[0]

        assert (found := re.search(r"pin_wrong=(\d+)", told)) and 3 <= int(found[1]) <= 9, told
        assert isinstance(client.sign_in(CARLA, "consola-2", TABLE), Ticket)
        assert isinstance(client.sign_in(JEFE, "consola-1", TABLE), Ticket)
