"""Whose folder a command works in: a technician types it as root, and what it writes must be the node's.

Theory. The folder of an installed node belongs to its user, pozo-NAME, and a file of root's in it stops the node at
its next start. So a command that writes there becomes that user first, for good, with his groups. Where the folder is
root's or the command is not root's, nothing changes. A folder that is not there yet is made where systemd would make
it.
"""

import os
import pwd
from pathlib import Path

_STATE = Path("/var/lib/pozo")


def work_as_owner(folder: Path, node: str = "") -> None:
    """`node`: whose user makes the folder his, where it is that of an installed node and is not there yet."""
    if os.geteuid() != 0:
        return
    if node and folder == _STATE / node and not folder.exists():
        _make(folder, f"pozo-{node}")
    if not folder.exists() or folder.stat().st_uid == 0:
        return
    owner = pwd.getpwuid(folder.stat().st_uid)
    os.initgroups(owner.pw_name, owner.pw_gid)
    os.setgid(owner.pw_gid)
    os.setuid(owner.pw_uid)
    os.umask(0o077)


def leave_to_owner(folder: Path) -> None:
    """What root wrote there beside him, from copies that he cannot read, is his."""
    owner = folder.stat()
    if os.geteuid() == 0 and owner.st_uid != 0:
        for path in (path for path in folder.rglob("*") if path.lstat().st_uid == 0):
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _make(folder: Path, user: str) -> None:
    try:
        owner = pwd.getpwnam(user)
    except KeyError:
        return  # not an installed one: whoever founds it is its owner
    folder.mkdir(mode=0o700)
    os.chown(folder, owner.pw_uid, owner.pw_gid)
