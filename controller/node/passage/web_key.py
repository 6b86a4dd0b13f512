"""The key by which nodes of other boxes know a web process, kept in the web's own folder.

Theory. A pair of CURVE like that of a node's links (book/link_key.py), in a file that its owner alone may read;
anything else is refused, because who has it is that web. It is made once and never written over: a lost one is
withdrawn at each box, and a new one enrolled by two.
"""

import os
from pathlib import Path

from controller.node.book.chain import KeyRefused
from controller.node.book.link_key import LinkKey, make
from controller.node.link.sockets import OwnKey

_WHAT = "la llave de esta web"


class NoWebKey(Exception):  # noqa: N818  says what happened
    """It cannot be used: a sentence for the person who starts the web."""


def web_key(folder: Path) -> OwnKey:
    """Of the web whose folder this is; where there is none yet, a new one."""
    path = folder / "boxes.key"
    try:
        if not os.path.lexists(path):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            make(path, _WHAT)
        found = LinkKey.load(path, _WHAT)
    except KeyRefused as refused:
        raise NoWebKey(str(refused)) from None
    except OSError as error:
        raise NoWebKey(f"{folder}: {error.strerror}") from None
    return OwnKey(found.public, found.secret)
