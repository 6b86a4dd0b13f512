"""A cable between a web and a far door with somebody at it, who writes down what the web says."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Tap:
    """`said`: every octet that came from the web's side, of all connections in their order; `again`: from then on it is said
    twice; `swallows`: nothing arrives at either side, and no connection ends."""

    def __init__(self, place: tuple[str, int]) -> None:
        self._place = place
        self._made = socket.create_server(("127.0.0.1", 0))
        self.place: tuple[str, int] = self._made.getsockname()
        self.said: list[bytes] = []
        self.again = self.swallows = False
        self._open: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                web, _ = self._made.accept()
                node = socket.create_connection(self._place)
                self._open += [web, node]
                threading.Thread(target=self._carry, args=(web, node, True), daemon=True).start()
                threading.Thread(target=self._carry, args=(node, web, False), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket, is_web: bool) -> None:
        with suppress(OSError):
            while came := source.recv(65_536):
                if is_web:
                    self.said.append(came)
                if not self.swallows:
                    sink.sendall(came + came if is_web and self.again else came)
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._made.shutdown(socket.SHUT_RDWR)
        for one in (self._made, *self._open):
            one.close()


@contextmanager
def tapped(place: tuple[str, int]) -> Iterator[Tap]:
    made = Tap(place)
    try:
        yield made
    finally:
        made.close()
