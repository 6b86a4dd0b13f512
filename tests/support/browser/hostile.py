"""Who comes to a web process and means it no good, in a process of their own, so that they cost the watcher nothing.

`python -m support.browser.hostile`: one line of JSON on stdin (`Target`), then a line to end; it prints how often each did what it
does. Each kind comes from an address of its own and no faster than `_PAUSE`: this machine carries both sides, and what they cost
here would be another machine's.
"""

import json
import os
import socket
import subprocess
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle

import msgspec

from support.browser.visitor import API, Visitor

_PAUSE, _KEPT = 0.05, 100
_SIP, _SLOW = 8, 0.2
"""Octets that a slow reader takes, and seconds between two of his sips."""
_ANOTHER = 2.0
"""Seconds between two of those who never read."""
OF_A_SESSION = 4
"""Streams that the web process lets one session have."""
_PATIENCE = 5.0
_LINE_ENDS, _LISTENS_IN = b"\r\n", 1_024


class Target(msgspec.Struct):
    """`cookies`: of enrolled terminals that may look at `scope`; the last one's reads slowly, the others' never."""

    host: str
    scope: str
    cookies: list[str]


class Hostile:
    """`did`: how often each kind did what it does."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._ending = threading.Event()
        self.did: Counter[str] = Counter()

    def until_told(self) -> None:
        kinds: list[Callable[[str], None]] = [self.garbage, self.half, self.oversize, self.churn, self.deaf, self.slow]
        threads = [
            threading.Thread(target=self._again, args=(kind, f"127.0.9.{number}"), daemon=True)
            for number, kind in enumerate(kinds, 1)
        ]
        for one in threads:
            one.start()
        sys.stdin.readline()
        self._ending.set()
        for one in threads:
            one.join(_PATIENCE)

    def _again(self, kind: Callable[[str], None], address: str) -> None:
        while not self._ending.wait(_PAUSE):
            with suppress(OSError):
                kind(address)

    # What they do, once or until the end.

    def garbage(self, address: str) -> None:
        with self._line(address) as line:
            line.sendall(os.urandom(32_768))
            self.did["garbage"] += 1
            line.recv(4_096)

    def half(self, address: str) -> None:
        """Half a head, on so many connections at once; who was ended comes again."""
        kept: list[socket.socket] = []
        with ExitStack() as ending:
            while not self._ending.wait(_PAUSE):
                kept.append(ending.enter_context(self._line(address)))
                kept[-1].sendall(b"GET / HTTP/1.1\r\nHost: ")
                self.did["half"] += 1
                if len(kept) > _KEPT:
                    kept.pop(0).close()

    def oversize(self, address: str) -> None:
        """A body without end, and a head without end."""
        heads = (
            f"POST {API}acts HTTP/1.1\r\nHost: {self._target.host}\r\nTransfer-Encoding: chunked\r\n\r\n".encode(),
            f"GET / HTTP/1.1\r\nHost: {self._target.host}\r\n".encode(),
        )
        pieces = (b"4000\r\n" + b"x" * 0x4000 + _LINE_ENDS, b"X: " + b"x" * 4_096 + _LINE_ENDS)
        for head, piece in zip(heads, pieces, strict=True):
            with suppress(OSError), self._line(address) as line:
                line.sendall(head)
                for _ in range(64):
                    line.sendall(piece)
            self.did["oversize"] += 1

    def churn(self, address: str) -> None:
        """Who may look, begins to and is gone."""
        with self._stream(address, self._target.cookies[-1]) as line:
            line.recv(1)
            self.did["churn"] += 1

    def deaf(self, address: str) -> None:
        """Never read. The web lets go of them without a word that they could hear, so each is another one after a while."""
        kept: deque[socket.socket] = deque()
        for cookie in cycle(self._target.cookies[:-1]):
            kept.append(self._stream(address, cookie))
            self.did["deaf"] += 1
            if len(kept) > OF_A_SESSION * (len(self._target.cookies) - 1):
                kept.popleft().close()
                if self._ending.wait(_ANOTHER):
                    return

    def slow(self, address: str) -> None:
        """Some octets at a time."""
        with self._stream(address, self._target.cookies[-1]) as line:
            while not self._ending.wait(_SLOW) and line.recv(_SIP):
                self.did["slow"] += 1

    def _line(self, address: str) -> socket.socket:
        host, _, port = self._target.host.rpartition(":")
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _LISTENS_IN)
        line.settimeout(_PATIENCE)
        line.bind((address, 0))
        line.connect((host, int(port)))
        return line

    def _stream(self, address: str, cookie: str) -> socket.socket:
        line = self._line(address)
        asks = f"GET {API}stream?scope={self._target.scope} HTTP/1.1\r\nHost: {self._target.host}\r\n"
        line.sendall(f"{asks}Cookie: {cookie}\r\nSec-Fetch-Site: same-origin\r\n\r\n".encode())
        return line


@contextmanager
def hostile(visitors: Sequence[Visitor], scope: str) -> Iterator[dict[str, int]]:
    """As long as the block; afterwards it says what each of them did. `visitors` have said hello."""
    target = Target(visitors[0].host, scope, [one.cookie for one in visitors])
    did: dict[str, int] = {}
    command = [sys.executable, "-m", "support.browser.hostile"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(msgspec.json.encode(target).decode() + "\n")
        process.stdin.flush()
        try:
            yield did
        finally:
            process.stdin.close()
            did |= json.loads(process.stdout.read())


if __name__ == "__main__":
    asked = Hostile(msgspec.json.decode(sys.stdin.readline(), type=Target))
    asked.until_told()
    print(json.dumps(asked.did))
