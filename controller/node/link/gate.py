"""Who comes in from the network, and whom we dial: all connections of the link, with libzmq behind them.

Theory. Strangers have few places and little time, each address a share of them, and who has been let in loses nothing
by them: a newcomer takes the place of the stranger who waited longest, of his own address where that has its share.
libzmq never accepts: it would abort the process where descriptors are spent (docs/decisions.md, D-159). For each
connection whose first words are a node's it is told to connect to a socket in a folder of our own, under a name that we
give; so every message says by which connection it came, and one connection can be ended. Where the machine has no
descriptor left, a stranger goes and nobody is let in for a moment. Knows no key and no message.
"""

import errno
import os
import select
import socket
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from controller.node.link.handshake import COMPLETE, is_wrong
from controller.node.link.pipe import Ended, Pipe, PipePhase
from controller.node.vocabulary.buckets import Buckets, Rate
from drivers.session import MILLISECOND, Micros

MOST_STRANGERS, MOST_OF_ADDRESS = 64, 16
MOST_PIPES = 512  # with those who were let in
OF_ADDRESS, OF_ALL = Rate(10, 40), Rate(50, 200)
"""Handshakes that libzmq is asked for: each costs it a few tenths of a millisecond."""

_BACKLOG = 256
_AT_ONCE = 64
_LOOK_EVERY: Micros = 100 * MILLISECOND
_NO_PLACE: Micros = 200 * MILLISECOND
_BROKEN = select.EPOLLHUP | select.EPOLLERR
_MOST_ADDRESSES = 1_000  # that are counted by themselves
_OTHERS = "otras"
_MAPPED = b"\0" * 10 + b"\xff\xff"


class ConnectionOver(NamedTuple):
    """A connection that ended, of whoever was known to be at it."""

    number: int
    name: str
    dialled: bool


class Gate:
    """`attach` tells libzmq to connect to an inner socket for the connection of that number, with the name of whom it
    is dialled to; `detach`, not to be connected any more."""

    def __init__(
        self,
        folder: Path,
        listen: tuple[str, int] | None,
        attach: Callable[[int, str, str], object],
        detach: Callable[[int, str], object],
        now: Micros,
    ) -> None:
        self._attach, self._detach = attach, detach
        self._pipes: dict[int, Pipe] = {}
        self._waiting: dict[int, socket.socket] = {}  # inner sockets to which libzmq has not connected
        self._by_fd: dict[int, tuple[Pipe, str]] = {}
        self._masks: dict[int, int] = {}
        self._number = 0
        self._gone: list[ConnectionOver] = []
        self._of_address, self._of_all = Buckets(OF_ADDRESS), Buckets(OF_ALL)
        self._looked_at = self._closed_until = now
        self.refused: Counter[str] = Counter()
        """By address: who came in and was no neighbour, since somebody last looked."""
        self.entrance: socket.socket | None = None
        with ExitStack() as undo:
            self._folder = _emptied(folder)
            self._handle = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            undo.callback(os.close, self._handle)
            self._epoll = undo.enter_context(select.epoll())
            if listen is not None:
                self.entrance = undo.enter_context(_listening(listen))
                self._epoll.register(self.entrance, select.EPOLLIN)
            self._closing = undo.pop_all()

    def fileno(self) -> int:
        return self._epoll.fileno()

    def close(self) -> None:
        for pipe in list(self._pipes.values()):
            self.drop(pipe.number)
        self._closing.close()

    # What the shell asks.

    def turn(self, now: Micros) -> None:
        """Moves what can be moved, without waiting."""
        for fd, happened in self._epoll.poll(0, _AT_ONCE):
            if self.entrance is not None and fd == self.entrance.fileno():
                self._let_in(self.entrance, now)
            elif fd in self._by_fd:
                self._move(*self._by_fd[fd], happened, now)
        if now - self._looked_at >= _LOOK_EVERY:
            self._looked_at = now
            self._look(now)

    def deadline(self) -> Micros | None:
        """When somebody must be shown out, or may come in again."""
        return self._looked_at + _LOOK_EVERY if self._pipes or self._closed_until > self._looked_at else None

    def gone(self) -> list[ConnectionOver]:
        gone, self._gone = self._gone, []
        return gone

    def heard(self, number: int, octets: int, name: str, now: Micros) -> bool:
        """A message came out of libzmq; whether its connection still stands. One neighbour has one: its newest."""
        pipe = self._pipes.get(number)
        if pipe is None:
            return False
        if pipe.phase is not PipePhase.KNOWN:
            for other in self._of(name):
                if other is not pipe:
                    self.drop(other.number)
        pipe.heard(octets, name)
        self._settle(pipe, now)
        return True

    def drop_name(self, name: str) -> None:
        """Its key is not taken any more; nor is whoever has just been let in and did not say who he is."""
        unnamed = (one for one in self._pipes.values() if one.phase is PipePhase.LET_IN and not one.dialled)
        for pipe in [*self._of(name), *unnamed]:
            self.drop(pipe.number)

    def _of(self, name: str) -> list[Pipe]:
        return [pipe for pipe in self._pipes.values() if pipe.name == name]

    def dial(self, name: str, address: tuple[int, tuple[str, int]], now: Micros) -> int | None:
        """A connection to a neighbour above; libzmq is told to attach. None: the machine has no place for it."""
        family, place = address
        try:
            outer = socket.socket(family, socket.SOCK_STREAM)
        except OSError:
            return None
        outer.setblocking(False)
        if outer.connect_ex(place) not in {0, errno.EINPROGRESS}:
            outer.close()
            return None
        pipe = self._welcome(outer, place[0], now, dialled=True)
        pipe.name = name
        return pipe.number if self._ask_libzmq(pipe) else None

    # Who comes.

    def _let_in(self, entrance: socket.socket, now: Micros) -> None:
        for _ in range(_AT_ONCE):
            try:
                outer, place = entrance.accept()
            except BlockingIOError:
                return
            except OSError:  # no descriptor, or no memory
                self._make_place(self._strangers())
                self._closed_until = now + _NO_PLACE
                self._watch_entrance(open_=False)
                return
            address = _house_of(str(place[0]))
            strangers = list(self._strangers())
            own = [one for one in strangers if one.address == address]
            if len(own) >= MOST_OF_ADDRESS or (len(self._pipes) >= MOST_PIPES and own):
                self._make_place(own)
            elif len(strangers) >= MOST_STRANGERS or len(self._pipes) >= MOST_PIPES:
                self._make_place(_of_the_greediest(strangers))
            if len(self._pipes) >= MOST_PIPES:
                outer.close()
                continue
            self._welcome(outer, address, now, dialled=False)

    def _strangers(self) -> Iterable[Pipe]:
        """In the order in which they came."""
        return (
            one
            for one in self._pipes.values()
            if not one.dialled and one.phase in {PipePhase.GREETED, PipePhase.JOINED}
        )

    def _make_place(self, strangers: Iterable[Pipe]) -> None:
        first = next(iter(strangers), None)
        if first is not None:
            self._refuse(first)

    def _welcome(self, outer: socket.socket, address: str, now: Micros, *, dialled: bool) -> Pipe:
        self._number += 1
        pipe = Pipe(self._number, outer, address, now, dialled=dialled)
        self._pipes[pipe.number] = pipe
        self._by_fd[outer.fileno()] = pipe, "outer"
        self._settle(pipe, now)
        return pipe

    def _ask_libzmq(self, pipe: Pipe) -> bool:
        """It connects when it likes; then the socket that it came to is no more."""
        name = str(pipe.number)
        place = f"/proc/self/fd/{self._handle}/{name}"
        try:
            waiting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        except OSError:
            self.drop(pipe.number)
            return False
        self._waiting[pipe.number] = waiting
        try:
            waiting.bind(place)
            waiting.listen(1)
            waiting.setblocking(False)
            self._epoll.register(waiting, select.EPOLLIN)
        except OSError:
            self.drop(pipe.number)
            return False
        self._by_fd[waiting.fileno()] = pipe, "waiting"
        self._attach(pipe.number, pipe.name, f"ipc://{place}")
        return True

    def _ask_for(self, stranger: Pipe, now: Micros) -> None:
        if not self._of_address.take(stranger.address, now) or not self._of_all.take("", now):
            raise Ended
        self._ask_libzmq(stranger)

    # What moves.

    def _move(self, pipe: Pipe, end: str, happened: int, now: Micros) -> None:
        try:
            if end == "waiting":
                self._join(pipe, now)
            elif end == "outer":
                self._move_outer(pipe, happened)
            else:
                self._move_inner(pipe, happened, now)
            self._settle(pipe, now)
        except Ended:
            with suppress(Ended):
                pipe.to_outer()
            self._refuse(pipe)

    def _move_outer(self, pipe: Pipe, happened: int) -> None:
        if happened & _BROKEN:
            raise Ended
        if happened & select.EPOLLOUT:
            pipe.to_outer()
        if happened & select.EPOLLIN and pipe.reads_outer:
            pipe.from_outer()
            if pipe.inner is not None:
                pipe.to_inner()

    def _move_inner(self, pipe: Pipe, happened: int, now: Micros) -> None:
        """What libzmq said before it went is still told: to a stranger, that he is refused."""
        if happened & select.EPOLLOUT:
            pipe.to_inner()
        if happened & select.EPOLLIN and pipe.reads_inner:
            pipe.from_inner(now)
            pipe.to_outer()
        elif happened & _BROKEN:
            raise Ended

    def _join(self, pipe: Pipe, now: Micros) -> None:
        waiting = self._waiting[pipe.number]
        try:
            inner, _ = waiting.accept()
        except BlockingIOError:
            return
        except OSError:
            raise Ended from None
        self._unwait(pipe.number)
        pipe.join(inner, now)
        self._by_fd[inner.fileno()] = pipe, "inner"

    def _unwait(self, number: int) -> None:
        waiting = self._waiting.pop(number, None)
        if waiting is not None:
            self._unwatch(waiting)
            waiting.close()
            with suppress(OSError):
                (self._folder / str(number)).unlink()

    def _settle(self, pipe: Pipe, now: Micros) -> None:
        """Whether it goes on, and what is to be watched of it."""
        if pipe.phase is PipePhase.GREETED and pipe.inner is None and pipe.number not in self._waiting:
            words = pipe.first_words
            if is_wrong(words):
                raise Ended
            if len(words) >= COMPLETE:
                self._ask_for(pipe, now)
        if pipe.number not in self._pipes:
            return
        self._watch(pipe.outer, pipe.reads_outer, pipe.writes_outer)
        if pipe.inner is not None:
            self._watch(pipe.inner, pipe.reads_inner, pipe.writes_inner)

    def _watch(self, made: socket.socket, reads: bool, writes: bool) -> None:
        mask, fd = (select.EPOLLIN if reads else 0) | (select.EPOLLOUT if writes else 0), made.fileno()
        if fd not in self._masks:
            self._epoll.register(fd, mask)
        elif self._masks[fd] != mask:
            self._epoll.modify(fd, mask)
        self._masks[fd] = mask

    def _unwatch(self, made: socket.socket) -> None:
        with suppress(OSError, ValueError):
            self._epoll.unregister(made)
        self._masks.pop(made.fileno(), None)
        self._by_fd.pop(made.fileno(), None)

    # Who goes.

    def _look(self, now: Micros) -> None:
        for pipe in list(self._pipes.values()):
            if pipe.overdue(now):
                self._refuse(pipe)
        if now >= self._closed_until:
            self._watch_entrance(open_=True)

    def _refuse(self, pipe: Pipe) -> None:
        """It ends; whoever never was let in is counted by his address."""
        if not pipe.dialled and pipe.phase in {PipePhase.GREETED, PipePhase.JOINED} and pipe.number in self._pipes:
            known = pipe.address in self.refused or len(self.refused) < _MOST_ADDRESSES
            self.refused[pipe.address if known else _OTHERS] += 1
        self.drop(pipe.number)

    def _watch_entrance(self, *, open_: bool) -> None:
        if self.entrance is None:
            return
        with suppress(FileExistsError, FileNotFoundError):
            if open_:
                self._epoll.register(self.entrance, select.EPOLLIN)
            else:
                self._epoll.unregister(self.entrance)

    def drop(self, number: int) -> None:
        pipe = self._pipes.pop(number, None)
        if pipe is None:
            return
        asked = number in self._waiting or pipe.inner is not None
        self._unwait(number)
        for made in (pipe.outer, pipe.inner):
            if made is not None:
                self._unwatch(made)
        pipe.close()
        if asked:
            self._detach(number, f"ipc:///proc/self/fd/{self._handle}/{number}")
        self._gone.append(ConnectionOver(number, pipe.name, pipe.dialled))


def _house_of(address: str) -> str:
    """An address of the old kind, or the half of a new one that a house is given: of the rest it has without end."""
    if ":" not in address:
        return address
    packed = socket.inet_pton(socket.AF_INET6, address.partition("%")[0])
    if packed.startswith(_MAPPED):
        return socket.inet_ntop(socket.AF_INET, packed[len(_MAPPED) :])
    return socket.inet_ntop(socket.AF_INET6, packed[:8] + b"\0" * 8)


def _of_the_greediest(strangers: list[Pipe]) -> Iterable[Pipe]:
    """Of the address that has most, in the order in which they came."""
    many = Counter(one.address for one in strangers)
    most = max(many.values(), default=0)
    return (one for one in strangers if many[one.address] == most)


def _emptied(folder: Path) -> Path:
    """What a dead node left there goes first: the folder is ours alone."""
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    for left in folder.iterdir():
        left.unlink()
    return folder


def _listening(place: tuple[str, int]) -> socket.socket:
    host, port = place
    made = socket.create_server(
        (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=_BACKLOG
    )
    made.setblocking(False)
    return made
