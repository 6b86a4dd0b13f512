"""The thief with the disk and the member with the share: old copies of a record, and what was kept outside of it.

An old copy plays on; a backup is used as the record; heads are deleted, forged, replayed; two restores fall into one second.
"""

import shutil
import time

import pytest

from controller.node.book.chain import Key
from controller.node.book.restore import restore
from controller.node.store.backup import back_up
from support.node.node_process import ANA, LUIS, founded

NOW = time.time_ns() // 1_000_000


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    place = tmp_path_factory.mktemp("founded")
    founded(place)
    return place


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template / "folder", tmp_path / "folder")


def test_two_restores_of_one_backup_in_one_second_are_two_epochs(folder, tmp_path):
    """Two machines that know nothing of each other: what one promised is never taken for the other's."""
    back_up(folder / "node.db", tmp_path / "copy.db")
    key = Key.load_or_make(folder / "node.key")

    two = (folder / "pepper", (ANA, LUIS), "robo", NOW)
    epochs = {restore(tmp_path / "copy.db", tmp_path / f"{n}.db", key, *two) for n in range(3)}

    assert len(epochs) == 3
