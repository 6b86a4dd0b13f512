"""What any page could do at best, beside which ours stand: a plain server of one thread, a page of one line, the same browser.

`told`: what the server says in an event stream until the frame with it; `tapped`: a tap, a fetch of one word, the frame with
that; `frames`: from one frame to the next. All in milliseconds.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import Any

from bench.web.watch import FRAME_WITH_IT, wall
from controller.play.cable import LOOPBACK
from support.browser.screen import Screen

_PAGE = b"""<!doctype html><button style="width:9em;height:9em">-</button><p class="amount">0</p><script>
const word = document.querySelector(".amount");
new EventSource("/stream").onmessage = ({ data }) => { word.textContent = data; };
document.querySelector("button").onclick = async () => { word.textContent = await (await fetch("/word")).text(); };
</script>"""
_PAUSE = 0.4
_FRAMES = """(many) => new Promise((resolve) => {
  const took = []; let last = performance.now();
  const frame = () => { const now = performance.now(); took.push(now - last); last = now; took.length < many ? requestAnimationFrame(frame) : resolve(took); };
  requestAnimationFrame(frame);
})"""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        self.words: list[str] = []
        self.more = threading.Condition()
        super().__init__((LOOPBACK, 0), _Answers)

    def tell(self, word: str) -> None:
        with self.more:
            self.words.append(word)
            self.more.notify_all()

    def word(self, number: int) -> str:
        """When it was told."""
        with self.more:
            self.more.wait_for(lambda: len(self.words) > number)
            return self.words[number]


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        if self.path == "/stream":
            self._stream()
        else:
            self._says(str(time.monotonic_ns()).encode() if self.path == "/word" else _PAGE)

    def log_message(self, *_: Any) -> None:
        pass

    def _says(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for number in count(len(self.server.words)):
            self.wfile.write(b"data: %b\n\n" % self.server.word(number).encode())


class Bare:
    def __init__(self, server: _Server, screen: Screen) -> None:
        self._server, self._page = server, screen.page
        self._page.goto(screen.origin + "/")
        self._page.evaluate(FRAME_WITH_IT, ".amount")
        self._page.wait_for_timeout(1_000 * _PAUSE)

    def frames(self, many: int = 240) -> list[float]:
        took: list[float] = self._page.evaluate(_FRAMES, many)
        return took[1:]

    def told(self, many: int) -> list[float]:
        said = []
        for number in range(1, many + 1):
            said.append(wall())
            self._server.tell(str(number))
            self._page.wait_for_timeout(1_000 * _PAUSE)
        drawn = [at for at, _ in self._page.evaluate("drawn")]
        assert len(drawn) == many, "each was drawn"
        return [after - before for before, after in zip(said, drawn, strict=True)]

    def tapped(self, many: int) -> list[float]:
        self._page.evaluate("void (drawn.length = touched.length = 0)")
        for _ in range(many):
            self._page.locator("button").tap()
            self._page.wait_for_timeout(1_000 * _PAUSE)
        touched, drawn = self._page.evaluate("[touched, drawn.map(([at]) => at)]")
        assert len(drawn) == len(touched) == many, "each was drawn"
        return [after - before for before, after in zip(touched, drawn, strict=True)]


@contextmanager
def bare(browser: Any) -> Iterator[Bare]:
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    screen = Screen(browser, f"http://{LOOPBACK}:{server.server_port}")
    try:
        yield Bare(server, screen)
    finally:
        screen.close()
        server.shutdown()
        thread.join()
