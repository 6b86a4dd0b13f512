"""Whether the process behind a socket of the control folder is the node: looked at before anything is said to it.

Theory. The kernel keeps with every connection which user's process listens at the other end. That must be the owner of
the folder, or root; and nobody else may be able to put another folder, or another socket, in its place: neither the
folder nor one above it can be written by others. A member of the node's group who listens under the socket's name is
another user, and is told nothing. A user that this process cannot name (another user namespace) proves nothing.
"""

import grp
import os
import pwd
import socket
import stat
import struct
from contextlib import suppress
from pathlib import Path

_CREDENTIALS = struct.Struct("3i")
_ROOT = 0
_NOBODY = 65_534  # who has no name in this user namespace
_OTHERS_WRITE = 0o022


class NotProven(Exception):  # noqa: N818  says what happened
    """Whoever answers there need not be the node: a sentence for the person who asked."""


def refuse_an_impostor(made: socket.socket, folder: Path) -> None:
    why = _doubt(made, folder)
    if why:
        raise NotProven(f"{folder}: no consta que aquí atienda el nodo ({why}); no se le envió nada. Avise al técnico.")


def peer_of(made: socket.socket) -> tuple[int, int]:
    """User and process at the other end of a local connection."""
    pid, uid, _ = _CREDENTIALS.unpack(made.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size))
    return uid, pid


def _doubt(made: socket.socket, folder: Path) -> str:
    owner, (uid, _) = folder.stat().st_uid, peer_of(made)
    if uid not in {owner, _ROOT} or uid == _NOBODY:
        return f"responde un programa de {_name(uid)}, y la carpeta es de {_name(owner)}"
    trusted = {_ROOT, owner, os.geteuid()}
    for place in (folder, *folder.absolute().parents, *folder.resolve().parents):
        found = place.stat()
        if found.st_uid not in trusted:
            return f"{place} es de {_name(found.st_uid)}"
        if found.st_mode & _OTHERS_WRITE and not _kept_apart(place, folder, found):
            return f"otros pueden escribir en {place}"
    return ""


def _kept_apart(place: Path, folder: Path, found: os.stat_result) -> bool:
    """In a sticky folder, as /tmp is, everybody moves only what is his; and many users have a group of their own."""
    if place != folder and found.st_mode & stat.S_ISVTX:
        return True
    if place == folder or found.st_mode & stat.S_IWOTH:
        return False
    with suppress(KeyError):
        group, person = grp.getgrgid(found.st_gid), pwd.getpwuid(found.st_uid)
        return group.gr_name == person.pw_name and {*group.gr_mem} <= {person.pw_name}
    return False


def _name(uid: int) -> str:
    with suppress(KeyError):
        return pwd.getpwuid(uid).pw_name
    return f"otro usuario ({uid})"
