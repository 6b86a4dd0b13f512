"""`pozo web` as a process of its own, on a port of this machine, and what a browser would ask of it."""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self
from urllib.parse import quote

from support.web.looking import GrowingText, LookingBrowser

PATIENCE = 30
COMMAND = (Path(sys.executable).with_name("pozo"), "web")
OPEN = """
import sys
from pathlib import Path
from controller.web.live.stream import MayLook
from controller.web.server import run
sys.exit(run(Path(sys.argv[1]), admits=lambda request, scopes: MayLook(request.headers.get("visitor", ""), lambda: True)))
"""
"""The same process with a door that lets in everybody, each in the session that he calls himself."""


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class WebProcess(NamedTuple):
    port: int
    process: "subprocess.Popen[bytes]"
    journal: Path
    scheme: str = "http"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def certificate(self) -> Path:
        """Of the authority of its own: what a browser is given to believe."""
        return self.journal.parent / "web/authority.pem"

    def trusting(self) -> ssl.SSLContext:
        """As a browser in which this certificate was installed."""
        return ssl.create_default_context(cafile=str(self.certificate))

    def connected(self) -> socket.socket:
        """To say whatever a test likes, over TLS where the process speaks it."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        return self.trusting().wrap_socket(plain, server_hostname="127.0.0.1") if self.scheme == "https" else plain

    def answer_to(self, octets: bytes) -> bytes:
        """What comes back until the other end has nothing more to say; it may have closed before it heard all."""
        with self.connected() as way:
            with suppress(OSError):
                way.sendall(octets)
            return heard(way)

    def get(self, path: str, headers: Mapping[str, str] = {}, method: str = "GET") -> Answer:
        return self.ask(method, path, b"", headers)

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        with closing(self._way()) as way:
            way.request(method, path, body or None, dict(headers))
            answer = way.getresponse()
            told = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, told, answer.read())

    def _way(self) -> http.client.HTTPConnection:
        if self.scheme == "https":
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=self.trusting())
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def events(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.journal.read_text().splitlines()]

    def said(self) -> list[str]:
        return [one["event"] for one in self.events()]

    def stream(self, *scopes: str, visitor: str = "one", squeezed: bool = True) -> "StreamEnd":
        return StreamEnd(self.port, scopes, visitor, squeezed=squeezed)

    def resident(self) -> int:
        """Octets of memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


class StreamEnd:
    """A browser's end of one stream. It counts what came over the wire, and reads when it is told to."""

    def __init__(self, port: int, scopes: Sequence[str], visitor: str, *, squeezed: bool) -> None:
        self._way = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"visitor": visitor} | ({"Accept-Encoding": "gzip, deflate, br"} if squeezed else {})
        self._way.request("GET", "/api/v1/stream?" + "&".join(f"scope={quote(one)}" for one in scopes), headers=headers)
        self.answer = self._way.getresponse()
        self.octets = 0
        self._text = GrowingText(squeezed=self.answer.getheader("content-encoding") == "gzip")
        self.browser = LookingBrowser(self._never)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._way.close()

    def read(self) -> bool:
        """What came; waits for it. False: it is over."""
        try:
            came = self.answer.read1(65_536)
        except (OSError, http.client.IncompleteRead):
            return False
        self.octets += len(came)
        self.browser.hear(self._text.add(came))
        return bool(came)

    def until(self, condition: Callable[[LookingBrowser], object]) -> LookingBrowser:
        end = time.monotonic() + PATIENCE
        while not condition(self.browser):
            assert time.monotonic() < end, "it never came true"
            assert self.read(), "the stream is over"
        return self.browser

    def _never(self, scope: str) -> None:
        raise AssertionError(f"a gap in {scope}")


def heard(way: socket.socket) -> bytes:
    """Until it is closed, or reset."""
    octets = b""
    with suppress(ConnectionError, ssl.SSLError):
        while came := way.recv(65_536):
            octets += came
    return octets


def free_port() -> int:
    """One that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number: int = probe.getsockname()[1]
        return number


def settings_text(port: int, control: Path, folder: Path, more: str = "", scheme: str = "http") -> str:
    return (
        f'control = "{control}"\nlisten = "127.0.0.1:{port}"\norigins = ["{scheme}://127.0.0.1:{port}"]\n'
        f'folder = "{folder}"\n{more}'
    )


@contextmanager
def web_process(
    place: Path,
    control: Path,
    more: str = "",
    port: int = 0,
    command: Sequence[str | Path] = COMMAND,
    scheme: str = "http",
) -> Iterator[WebProcess]:
    """Started and ready, on its own port unless one is given; killed when it was not ended."""
    port = port or free_port()
    place.mkdir(parents=True, exist_ok=True)
    config, journal = place / "web.toml", place / "web.journal"
    config.write_text(settings_text(port, control, place / "web", more, scheme))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd, journal.open("wb") as told:
        name = f"\0pozo-web-{os.getpid()}-{port}"
        systemd.bind(name)
        systemd.settimeout(PATIENCE)
        environment = os.environ | {"NOTIFY_SOCKET": "@" + name[1:]}
        process = subprocess.Popen([*command, config], stderr=told, env=environment)
        try:
            said = systemd.recv(4096)
            assert b"READY=1" in said, said
            yield WebProcess(port, process, journal, scheme)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()
