"""The casino's faces in a browser, as a process of their own beside the node: its settings, its port, where it is
found.

Theory. It is `pozo web` with what only a demonstration has (felt/web.py), and as far from the tables as in a real
casino: it may die and nobody who plays notices. Its port is kept from evening to evening, so an address that somebody
noted still leads here.
"""

import asyncio
import os
import pwd
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom

from controller.play.cable import LOOPBACK
from controller.play.felt.places import HOME, work_places
from controller.play.node import DemoProcess, end_leftover, write_settings

SIGNS = ("sala", "contraste")
COMMAND = (sys.executable, "-m", "controller.play.felt.web")
_PORTS = range(8_400, 9_000)
_MOST_GLANCES, _GLANCE = 100, 0.05  # seconds
_WELL_AFTER = 10.0  # seconds; what dies sooner did not start


class WebFaces:
    """`pots`: what the signs of this casino show. `address`: where a person finds it."""

    def __init__(self, folder: Path, tables: Sequence[str], pots: Sequence[str]) -> None:
        end_leftover(folder / "web.toml")
        self._port = port = _port(folder / "web.port")
        self.address = f"http://{HOME}:{port}"
        hosts = [HOME, LOOPBACK, *(one.host for one in work_places(tables, SIGNS))]
        origins = ", ".join(f'"http://{host}:{port}"' for host in hosts)
        write_settings(folder, "demo/letreros.toml", {"pots": ", ".join(f'"{pot}"' for pot in pots)}, "letreros.toml")
        file = write_settings(folder, "demo/web.toml", {"port": str(port), "origins": origins}, "web.toml")
        self._process = DemoProcess(file, folder / "web.log", COMMAND, "La web")
        self._is_given_up = False
        self._ran_since: float | None = None

    def start(self) -> None:
        self._process.start()

    async def answers(self) -> None:
        """Whoever reads the address may go there at once; a machine that is very slow is not waited for."""
        for _ in range(_MOST_GLANCES):
            if not self._process.runs or not _is_free(self._port):
                return
            await asyncio.sleep(_GLANCE)

    def look(self, now: float) -> str:
        """What is to be said of it: nothing while it runs, and nothing more when it was given up. `now` in seconds."""
        if self._is_given_up:
            return ""
        self._ran_since = (self._ran_since or now) if self._process.runs else None
        if self._ran_since is not None and now - self._ran_since > _WELL_AFTER:
            self._process.was_ready()
        said = self._process.look(now)
        if not self._process.hopeless:
            return said
        self._is_given_up = True
        return f"La web no arranca, y se sigue sin ella; esto dijo: {self._process.last_words()}"

    def stop(self) -> None:
        self._process.stop()


def believed_about_terminals() -> str:
    """For the node's settings: as which user of this machine the web process runs. One without a name is not told."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return ""
    return f'[terminals]\nuser = "{user}"'


def _port(kept: Path) -> int:
    """Last evening's, unless somebody else has it now."""
    try:
        before = int(kept.read_text(encoding="ascii"))
    except (OSError, ValueError):
        before = 0
    port = before if before in _PORTS and _is_free(before) else _another()
    kept.write_text(f"{port}\n", encoding="ascii")
    return port


def _another() -> int:
    return next(port for port in SystemRandom().sample(_PORTS, len(_PORTS)) if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
        return True
