"""A cable between two nodes that remembers all octets and can be cut."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Proxy:
    """`upwards`: of each connection, what whoever dialled said."""

    def __init__(self, to: tuple[str, int] | None) -> None:
        assert to is not None
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.upwards: list[bytearray] = []
        self._ends: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _end(self._listening)
        self._threads[0].join()
        self._listening.close()
        self.cut()
        for thread in self._threads[1:]:
            thread.join()

    def cut(self) -> None:
        ends, self._ends = self._ends, []
        for one in ends:
            _end(one)

    def _accept(self) -> None:
        while True:
            try:
                below, _ = self._listening.accept()
            except OSError:
                return
            self._ends.append(below)
            self._threads.append(threading.Thread(target=self._carry, args=(below,)))
            self._threads[-1].start()

    def _carry(self, below: socket.socket) -> None:
        said = bytearray()
        self.upwards.append(said)
        with below, suppress(OSError), socket.create_connection(self._to) as above:
            self._ends.append(above)
            down = threading.Thread(target=_carry, args=(above, below, bytearray()))
            down.start()
            _carry(below, above, said)
            down.join()


def _carry(one: socket.socket, other: socket.socket, said: bytearray) -> None:
    with suppress(OSError):
        while came := one.recv(65_536):
            said += came
            other.sendall(came)
    _end(one)
    _end(other)


def _end(made: socket.socket) -> None:
    with suppress(OSError):
        made.shutdown(socket.SHUT_RDWR)
