"""Whoever takes the socket's name is told nothing (security.md 3): the folder cannot be written, and the client looks who answers.

On dc78732 a member renamed `commands`, bound his own, relayed, and read the PIN of a chief.
"""

import os
import socket
import stat
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from controller.core import inputs as ask
from controller.node.control.client import Client, NotOurs, asking
from controller.node.control.control import Control
from controller.node.control.impostor import NotProven, refuse_an_impostor
from controller.node.vocabulary.protocol import Pin
from support.attack.child import STRANGER
from support.attack.ground import begins, child_of, ground, of_another_user
from support.node.node_process import founded

pytestmark = pytest.mark.process

LOCK = asking(ask.Lock("M1", None), Pin("julia", "400400"))


@pytest.fixture
def open_place():
    """Where other users may pass."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o711)
        yield Path(place)


@of_another_user
def test_a_member_cannot_take_the_sockets_name(tmp_path):
    founded(tmp_path)
    with ground(tmp_path) as place:
        seen = place.under("support.attack.at_the_door:takes_the_name", 1.0)

    assert "PermissionError" in seen.told and "took" not in seen.told
    seen.holds()


@of_another_user
def test_who_answers_as_another_user_hears_nothing(open_place):
    folder = open_place / "ctl"
    folder.mkdir()
    os.chown(folder, STRANGER, -1)
    with child_of(STRANGER, "support.attack.at_the_door:answers", folder, 1.5) as impostor:
        begins(impostor)
        assert impostor.stdout.readline() == "listens\n"
        os.chown(folder, 0, -1)
        folder.chmod(0o750)
        for told in (LOCK, asking(ask.Lock("M1", None))):
            with Client(folder) as client, pytest.raises(NotOurs, match="no consta que aquí atienda el nodo"):
                client.ask(told, 1.0)
        with Client(folder) as client:
            assert next(client.views(0.2)) is None

        assert impostor.stdout.readline() == "heard b''\n"


@pytest.fixture
def served(tmp_path):
    """A folder in which this user listens, and a connection to it."""
    folder = tmp_path / "above" / "ctl"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o755)
    folder.chmod(0o750)
    with socket.socket(socket.AF_UNIX) as listening, socket.socket(socket.AF_UNIX) as made:
        listening.bind(str(folder / "commands"))
        listening.listen()
        made.connect(str(folder / "commands"))
        yield made, folder


def test_the_owner_of_the_folder_is_believed(served):
    refuse_an_impostor(*served)


@pytest.mark.parametrize(("what", "mode"), [(".", 0o770), (".", 0o1777), ("..", 0o777), ("..", 0o775), ("..", 0o757)])
def test_where_others_can_write_nobody_is_believed(served, what, mode):
    made, folder = served
    (folder / what).chmod(mode)
    if mode == 0o775:
        os.chown(folder.parent, -1, 1) if os.geteuid() == 0 else pytest.skip("only root gives a folder to a group")

    with pytest.raises(NotProven, match="otros pueden escribir"):
        refuse_an_impostor(made, folder)


def test_in_a_sticky_folder_everybody_moves_only_what_is_his(served):
    made, folder = served
    folder.parent.chmod(0o1777)

    refuse_an_impostor(made, folder)


@of_another_user
def test_a_folder_above_of_somebody_else_is_no_ground(served):
    made, folder = served
    os.chown(folder.parent, STRANGER, -1)

    with pytest.raises(NotProven, match="es de otro usuario"):
        refuse_an_impostor(made, folder)


def test_a_folder_that_an_earlier_version_let_the_group_write_is_narrowed(tmp_path):
    (tmp_path / "ctl").mkdir()
    (tmp_path / "ctl").chmod(0o770)
    control = Control(tmp_path / "ctl", lambda _: True)
    control.start()
    control.stop()

    assert stat.S_IMODE((tmp_path / "ctl").stat().st_mode) == 0o750
