"""What root types in a node's folder belongs to the node's user, or the service could not open it at its next start."""

import os
import pwd
import tempfile
from pathlib import Path

import pytest

from controller.node.service import owner
from controller.node.service.owner import leave_to_owner, work_as_owner

pytestmark = [pytest.mark.process, pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")]
NOBODY = pwd.getpwnam("nobody")


@pytest.fixture
def place():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def in_another_process(work):
    """It becomes somebody else for good."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:  # noqa: BLE001  told by the exit code
            os._exit(1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_work_in_somebodys_folder_is_done_as_he(place):
    os.chown(place, NOBODY.pw_uid, NOBODY.pw_gid)

    def work():
        work_as_owner(place)
        (place / "node.db").write_text("his")
        assert not Path("/etc/shadow").exists() or not os.access("/etc/shadow", os.R_OK)

    in_another_process(work)
    made = (place / "node.db").stat()
    assert (made.st_uid, made.st_gid, made.st_mode & 0o777) == (NOBODY.pw_uid, NOBODY.pw_gid, 0o600)


def test_roots_own_folder_stays_roots(place):
    def work():
        work_as_owner(place, "central")
        (place / "node.db").write_text("root's")

    in_another_process(work)
    assert (place / "node.db").stat().st_uid == 0


def test_the_folder_of_an_installed_node_is_made_for_its_user(place, monkeypatch):
    monkeypatch.setattr(owner, "_STATE", place)
    monkeypatch.setattr(owner.pwd, "getpwnam", {"pozo-central": NOBODY}.__getitem__)

    in_another_process(lambda: work_as_owner(place / "central", "central"))
    in_another_process(lambda: work_as_owner(place / "other", "other"))

    made = (place / "central").stat()
    assert (made.st_uid, made.st_mode & 0o777) == (NOBODY.pw_uid, 0o700)
    assert not (place / "other").exists(), "no such node was installed"


def test_what_was_copied_there_is_left_to_him(place):
    (place / "seeds").mkdir()
    (place / "seeds/2026-11-20.1.seed").write_text("from a stick")
    os.chown(place, NOBODY.pw_uid, NOBODY.pw_gid)

    leave_to_owner(place)

    assert {path.stat().st_uid for path in place.rglob("*")} == {NOBODY.pw_uid}
