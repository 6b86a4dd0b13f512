"""Where browsers come in: a socket of our own, or the one that systemd has made for us (sd_listen_fds(3)).

Theory. A service that is given its socket needs no network of its own, so whoever takes it over reaches nobody; and
while it starts again the system lets browsers wait. What is given must be what the settings say: two places that tell
an address apart would be looked for a whole night.
"""

import os
import socket
from collections.abc import MutableMapping
from contextlib import ExitStack

from controller.rules.document import DocumentError
from controller.web.connection import keep_little
from controller.web.settings import HERE, WebSettings

_FIRST = 3
"""The descriptor of the first socket that is given."""


def listening_at(settings: WebSettings, environment: MutableMapping[str, str] = os.environ) -> socket.socket:
    """`OSError` where it cannot be, `DocumentError` where something else was given."""
    ours = environment.get("LISTEN_PID", "") == str(os.getpid())
    made = _given(settings) if ours and environment.get("LISTEN_FDS", "") == "1" else _own(settings)
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        environment.pop(name, None)
    return made


def _given(settings: WebSettings) -> socket.socket:
    given = socket.socket(fileno=_FIRST)
    address, port = given.getsockname()[:2]
    if (address, port) != (settings.address, settings.port):
        what = f"systemd atiende en {address}:{port}; corrija uno de los dos (systemctl edit, ListenStream)"
        raise DocumentError(str(settings.file), "listen", HERE, what)
    keep_little(given)
    return given


def _own(settings: WebSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    with ExitStack() as undo:
        made = undo.enter_context(socket.socket(family, socket.SOCK_STREAM))
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        keep_little(made)
        made.bind((settings.address, settings.port))
        undo.pop_all()
    return made
