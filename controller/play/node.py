"""The demo's node and the faces in front of it: their settings files, and each as a process of its own.

Theory. Nothing of them runs in here: `pozo node FOLDER/node.toml` does, and what it says goes to FOLDER/node.log; the
web process beside it likewise (faces.py). Settings are templates of config/demo with the demo's own ports in them. What
dies is started again, as systemd would; what cannot start is hopeless, and its last words are there to be shown.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from controller.documents import shelf

NODE_COMMAND = (str(Path(sys.executable).with_name("pozo")), "node")
MOST_DEATHS = 5  # without ever having been seen ready in between
RESTART_AFTER = 1.0
STOP_TIME = 15.0
_GLANCE = 0.05
_LAST_WORDS = 12
_MOST_LOG = 2**22


def write_settings(folder: Path, template: str, values: Mapping[str, str], name: str = "node.toml") -> Path:
    """`values`: what a host opens, by `TABLE_line`, and whatever else the template leaves open."""
    place = shelf() / template
    filled_in = {name.replace("-", "_"): value for name, value in values.items()}
    filled = Template(place.read_text(encoding="utf-8")).substitute(filled_in, plans=(place.parent / "plans").resolve())
    file = folder / name
    file.write_text(filled, encoding="utf-8")
    return file


def end_leftover(file: Path) -> None:
    """What runs with these settings since its demo was killed; another one takes its place. Nothing else is touched."""
    pid = _kept(file.with_suffix(".pid"))
    if not _runs_with(pid, file):
        return
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + STOP_TIME
    while _runs_with(pid, file) and time.monotonic() < until:
        time.sleep(_GLANCE)


def _kept(place: Path) -> int:
    try:
        return int(place.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def _runs_with(pid: int, file: Path) -> bool:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return str(file).encode() in command


class DemoProcess:
    """A daemon: started, started again, ended politely. `called`: what it is, at the beginning of a sentence."""

    def __init__(self, file: Path, log: Path, command: Sequence[str] = NODE_COMMAND, called: str = "El nodo") -> None:
        self._file, self._log = file, log
        self._command, self._called = command, called
        self._process: subprocess.Popen[bytes] | None = None
        self._deaths = 0
        self._again_at = 0.0

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        if self._log.exists() and self._log.stat().st_size > _MOST_LOG:
            self._log.replace(self._log.with_suffix(".old"))
        with self._log.open("ab") as log:
            command = [*self._command, str(self._file)]
            self._process = subprocess.Popen(  # noqa: S603  our own command
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self._file.with_suffix(".pid").write_text(f"{self._process.pid}\n", encoding="ascii")

    def was_ready(self) -> None:
        self._deaths = 0

    def look(self, now: float) -> str:
        """`now` in seconds. What is to be said of it: nothing while it runs."""
        if self.runs:
            return ""
        assert self._process is not None, "it was started"
        if not self._again_at:
            self._deaths += 1
            self._again_at = now + RESTART_AFTER
            return f"{self._called} terminó (código {self._process.returncode}); arranca de nuevo, como con systemd."
        if now >= self._again_at:
            self._again_at = 0.0
            self.start()
        return ""

    @property
    def hopeless(self) -> bool:
        return self._deaths >= MOST_DEATHS

    def last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-_LAST_WORDS:])

    def stop(self) -> int:
        """Its exit code; a node has locked its tables and committed everything."""
        if self._process is None:
            return 0
        if self.runs:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_TIME)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
