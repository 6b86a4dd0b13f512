"""The key of a node's links: who it is to its neighbours, apart from the key that signs its record (R-28).

Theory. A pair of CURVE, as libzmq takes it: its public half is pinned by the neighbours, its secret half never leaves
the folder, where only the node's user reads it. It is made when the node is founded, or when it is first needed, so a
restored node has a new one: whoever stole the old disk is nobody's neighbour. To change it a second one is made beside
it (`link.key.next`), the neighbours pin that, and then it takes the place of the first; letters wait meanwhile.
"""

import os
import re
from pathlib import Path
from typing import Self

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.node.book.chain import KeyRefused, read_private, written_once
from controller.node.vocabulary.disk import sync

WHAT = "la llave de enlace de este nodo"
_TEXT = re.compile(rb"pozo link key 1\n([0-9a-f]{64})\n")


def link_key_of(folder: Path) -> Path:
    return folder / "link.key"


def next_link_key_of(folder: Path) -> Path:
    return folder / "link.key.next"


class LinkKey:
    """`public` and `secret`: 32 octets each."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.public = X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()

    @classmethod
    def load(cls, path: Path, what: str = WHAT) -> Self:
        """What lies there, or KeyRefused. `what`: it is, in Spanish."""
        try:
            found = _TEXT.fullmatch(read_private(path, what))
        except OSError as error:
            raise KeyRefused(str(path), f"{what} no se puede leer: {error.strerror}") from None
        if found is None:
            raise KeyRefused(str(path), f"el archivo de {what} está dañado; hágala de nuevo, y que la fijen otra vez")
        return cls(bytes.fromhex(found[1].decode()))

    @classmethod
    def load_or_make(cls, folder: Path) -> Self:
        """The key of this node; where there is none yet, a new one."""
        path = link_key_of(folder)
        if not os.path.lexists(path):
            make(path)
        return cls.load(path)


def make(path: Path, what: str = WHAT) -> None:
    """A new pair, whole or not at all, and never over another."""
    secret = X25519PrivateKey.generate().private_bytes_raw()
    try:
        written_once(path, b"pozo link key 1\n%b\n" % secret.hex().encode())
    except OSError as error:
        raise KeyRefused(str(path), f"{what} no se puede crear: {error.strerror}") from None


def rotate(folder: Path) -> LinkKey:
    """The second key in the place of the first, of which nothing is left."""
    path, next_path = link_key_of(folder), next_link_key_of(folder)
    if not os.path.lexists(next_path):
        raise KeyRefused(str(next_path), "no hay una llave nueva que espere; se hace con: pozo key new")
    key = LinkKey.load(next_path)
    next_path.replace(path)
    sync(folder)
    return key
