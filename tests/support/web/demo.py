"""The demonstration as somebody starts it, with its web: the real `pozo demo`, ended when a test ends, and what a browser asks of it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

POZO = Path(sys.executable).with_name("pozo")
PATIENCE = 90


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        return str(self.json["trouble"]["reason"])


class Demo(NamedTuple):
    folder: Path
    process: "subprocess.Popen[bytes]"
    printed: Path

    @property
    def port(self) -> int:
        return int((self.folder / "web.port").read_text())

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.port}"

    def lines(self) -> list[str]:
        return self.printed.read_text().splitlines()

    def say(self, words: str) -> str:
        """Typed into it."""
        command: list[str | Path] = [POZO, "demo", "--folder", self.folder, "--say", words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.stdout.strip()

    def table(self, name: str) -> Any:
        return self.get(f"/play/table?table={name}").json

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, b"", headers)

    def post(self, path: str, body: Mapping[str, Any], **headers: str) -> Answer:
        """As a page of ours does it, but for what a test says otherwise (`sec_fetch_site`)."""
        told = {"content-type": "application/json", "origin": self.origin, "sec-fetch-site": "same-origin"}
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask("POST", path, json.dumps(body).encode(), told | changed)

    def ask(self, method: str, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        told = {"host": f"localhost:{self.port}", **headers}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as way:
            way.request(method, path, body or None, told)
            answer = way.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, answer.read(), found)

    def until(self, condition: Any, *, what: str = "it never came true") -> Any:
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError, http.client.HTTPException, ValueError, KeyError):  # it is not there yet
                if found := condition():
                    return found
            assert self.process.poll() is None, self.printed.read_text()
            assert time.monotonic() < end, what
            time.sleep(0.05)


@contextmanager
def demo(place: Path, *more: str) -> Iterator[Demo]:
    """Its tables are listed and its node is heard; ended as Ctrl-C does it."""
    place.mkdir(parents=True, exist_ok=True)
    with (place / "printed").open("wb") as printed:
        command: list[str | Path] = [POZO, "demo", "--no-view", "--folder", place / "d", "--seed", "1", *more]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed)
    made = Demo(place / "d", process, place / "printed")
    try:
        made.until(lambda: made.get("/play/casino").json["heard"], what="the demo does not stand")
        yield made
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
