"""Everybody who came in by the node's two sockets: let in, counted, heard, answered, shown out.

Theory. One thread looks at what the system says of all connections, a bounded number at a time, and never waits for
one. Who may stay is decided in peers.py, what one connection holds in connection.py; here both meet the system. What
came is given out one event at a time, to those first whose process said least lately, and each costs its process and
its user a token; who has none left is heard later, and what he says meanwhile stays with him. Knows no order and no
view.
"""

import select
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import NamedTuple, Self

from controller.node.control.connection import Connection, Gone
from controller.node.control.impostor import peer_of
from controller.node.control.peers import CONNECTIONS, OF_PROCESS, OF_USER, Guests, Peer
from controller.node.control.zmtp import Event, MessageLimits, Talk
from controller.node.vocabulary.buckets import Buckets
from drivers.session import MILLISECOND, SECOND, Micros

HANDSHAKE: Micros = 2 * SECOND
MOST_LARGE, MOST_LARGE_OF_PROCESS = 32, 2
MOST_OWED_TO_ALL = 2**24  # octets
_AT_ONCE = 64  # connections that are looked at before anything else has its turn
_LAST_WORDS: Micros = 250 * MILLISECOND
_LOOK_EVERY: Micros = 100 * MILLISECOND
_NO_PLACE: Micros = 100 * MILLISECOND  # the machine has no descriptor: nobody is let in for so long
_TOKENS = 0.01  # seconds until somebody who said too much may say more
_BROKEN = select.EPOLLHUP | select.EPOLLERR


class Entrance(NamedTuple):
    """A listening socket, what kind it says it is, who may come in by it, and how much each may say at once."""

    made: socket.socket
    kind: bytes
    partners: frozenset[bytes]
    limits: MessageLimits


class Hall:
    """`woken`: what else wakes the wait, and is silenced then. `clock`: of what goes by, never set."""

    def __init__(self, entrances: tuple[Entrance, ...], woken: int, clock: Callable[[], Micros]) -> None:
        self._clock = clock
        self._guests = Guests()
        self._processes, self._users, self._newcomers = Buckets(OF_PROCESS), Buckets(OF_USER), Buckets(CONNECTIONS)
        self._by_number: dict[int, Connection] = {}
        self._by_fd: dict[int, Connection] = {}
        self._strangers: dict[int, Connection] = {}  # who has not said READY, in their order
        self._large: dict[int, Connection] = {}  # whose message is long and not all here, in their order
        self._waiting: dict[int, Connection] = {}  # whose event nobody took yet
        self._unsaid: dict[int, Connection] = {}  # to whom nobody tried to say yet what he is to be told
        self._number = 0
        self._looked_at = self._closed_until = clock()
        self._entrances: Mapping[int, Entrance] = {one.made.fileno(): one for one in entrances}
        with ExitStack() as undo:
            self._epoll = undo.enter_context(select.epoll())
            self._epoll.register(woken, select.EPOLLIN)
            self._watch_entrances(open_=True)
            self._closing = undo.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """The last words have a moment to leave."""
        until = self._clock() + _LAST_WORDS
        while any(one.has_more_to_say for one in self._by_number.values()) and self._clock() < until:
            for one in list(self._by_number.values()):
                self._say(one)
            self._epoll.poll(_TOKENS)
        for one in list(self._by_number.values()):
            self.drop(one)
        self._closing.close()

    def everybody(self) -> list[Connection]:
        return list(self._by_number.values())

    def at(self, number: int) -> Connection | None:
        return self._by_number.get(number)

    def wait(self, seconds: float) -> None:
        """Until something came, or what else wakes us."""
        for one in list(self._unsaid.values())[:_AT_ONCE]:
            self._say(one)
        if self._unsaid:
            seconds = 0
        elif self._waiting:
            seconds = min(seconds, _TOKENS)
        for fd, happened in self._epoll.poll(max(0.0, seconds), _AT_ONCE):
            if fd in self._entrances:
                self._let_in(self._entrances[fd])
            elif fd in self._by_fd:
                self._move(self._by_fd[fd], happened)
        now = self._clock()
        if now - self._looked_at >= _LOOK_EVERY:
            self._looked_at = now
            self._show_out(now)

    def events(self, most: int) -> Iterator[tuple[Connection, Event]]:
        """What was said, at most so much, of everybody one after the other."""
        while most > 0 and (turn := self._who_may_speak()):
            for one in turn[:most]:
                if one.event is None or one.number not in self._by_number:
                    continue
                now = self._clock()
                if not self._users.take(one.peer.uid, now) or not self._processes.take(one.peer, now):
                    continue
                event = self._taken_of(one, now)
                most -= 1
                yield one, event

    def _who_may_speak(self) -> list[Connection]:
        """Whose process said least lately goes first."""
        now = self._clock()
        users = {uid: self._users.left(uid, now) for uid in {one.peer.uid for one in self._waiting.values()}}
        left = {peer: self._processes.left(peer, now) for peer in {one.peer for one in self._waiting.values()}}
        may = [one for one in self._waiting.values() if users[one.peer.uid] >= 1 and left[one.peer] >= 1]
        return sorted(may, key=lambda one: -left[one.peer])

    def _taken_of(self, one: Connection, now: Micros) -> Event:
        event, one.event = one.event, None
        assert event is not None, "it waited"
        del self._waiting[one.number]
        try:
            one.next(now)
            self._settle(one)
        except Gone:
            self.drop(one)
        return event

    # ------------------------------------------------------------------------------------------------- what leaves

    def answer(self, one: Connection, octets: bytes) -> None:
        try:
            one.answer(octets, self._clock())
        except Gone:
            self.drop(one)
        else:
            self._say(one)

    def soon(self, one: Connection) -> None:
        """There is something to say to him; many are told at once, and requests go between them."""
        self._unsaid[one.number] = one

    def _say(self, one: Connection) -> None:
        now = self._clock()
        self._unsaid.pop(one.number, None)
        try:
            if one.say(now):
                self._guests.moved(one.number, now)
            self._settle(one)
        except Gone:
            self.drop(one)

    # -------------------------------------------------------------------------------------------- who comes and goes

    def _let_in(self, entrance: Entrance) -> None:
        now = self._clock()
        for _ in range(_AT_ONCE):
            try:
                made, _ = entrance.made.accept()
            except BlockingIOError:
                return
            except OSError:  # no descriptor, or no memory: somebody goes, and the others wait in the system
                self._drop_number(self._guests.anybody())
                self._closed_until = now + _NO_PLACE
                self._watch_entrances(open_=False)
                return
            self._receive(made, entrance, Peer(*peer_of(made)), now)

    def bring(self, made: socket.socket, kind: bytes, peer: Peer) -> None:
        """One end of a connection that came in elsewhere, proved; it counts as one that came in here."""
        entrance = next(one for one in self._entrances.values() if one.kind == kind)
        self._receive(made, entrance, peer, self._clock())

    def _receive(self, made: socket.socket, entrance: Entrance, peer: Peer, now: Micros) -> None:
        if not self._newcomers.take(peer, now):
            made.close()
            return
        self._drop_number(self._guests.who_goes(peer))
        self._welcome(made, entrance, peer, now)

    def _welcome(self, made: socket.socket, entrance: Entrance, peer: Peer, now: Micros) -> None:
        self._number += 1
        talk = Talk(entrance.partners, entrance.limits)
        one = Connection(made, self._number, peer, entrance.kind, talk, now)
        self._by_number[one.number] = self._by_fd[one.fileno()] = self._strangers[one.number] = one
        self._guests.came(one.number, peer, now)
        one.mask = select.EPOLLIN
        self._epoll.register(one, one.mask)
        self._say(one)

    def _move(self, one: Connection, happened: int) -> None:
        """Something can be read, or written, or the other side is closed."""
        now = self._clock()
        try:
            if happened & _BROKEN:
                self._epoll.unregister(one)
                one.hung, one.mask = True, 0
            if happened & select.EPOLLOUT and one.say(now):
                self._guests.moved(one.number, now)
            if one.event is None and happened & (select.EPOLLIN | _BROKEN):
                one.hear(now)
                self._guests.moved(one.number, now)
            self._settle(one)
        except Gone:
            self.drop(one)

    def _settle(self, one: Connection) -> None:
        """Where it stands now, and what is to be watched of it."""
        if one.ready:
            self._strangers.pop(one.number, None)
        if one.event is not None:
            self._waiting[one.number] = one
        if not one.large:
            self._large.pop(one.number, None)
        elif one.number not in self._large:
            self._large[one.number] = one
            self._drop_number(self._gives_way(one))
        mask = (select.EPOLLIN if one.may_be_read else 0) | (select.EPOLLOUT if one.has_more_to_say else 0)
        if mask != one.mask and not one.hung and one.number in self._by_number:
            self._epoll.modify(one, mask)
            one.mask = mask

    def _gives_way(self, newest: Connection) -> int | None:
        """Whose long message ends for this one's, if one must: the first of its process, or of all."""
        own = [number for number, one in self._large.items() if one.peer == newest.peer]
        if len(own) > MOST_LARGE_OF_PROCESS:
            return own[0]
        return next(iter(self._large)) if len(self._large) > MOST_LARGE else None

    def _show_out(self, now: Micros) -> None:
        """Who never shook hands, who never reads, who is owed most where all are owed too much; and let in again."""
        for one in list(self._strangers.values()):
            if now - one.since < HANDSHAKE:
                break
            self.drop(one)
        owed = sorted((one for one in self._by_number.values() if one.owed), key=lambda one: one.owed)
        total = sum(one.owed for one in owed)
        for one in reversed(owed):
            if one.deaf(now) or total > MOST_OWED_TO_ALL:
                total -= one.owed
                self.drop(one)
        if now >= self._closed_until:
            self._watch_entrances(open_=True)

    def _watch_entrances(self, *, open_: bool) -> None:
        for fd in self._entrances:
            with suppress(FileExistsError, FileNotFoundError):
                if open_:
                    self._epoll.register(fd, select.EPOLLIN)
                else:
                    self._epoll.unregister(fd)

    def _drop_number(self, number: int | None) -> None:
        if number is not None:
            self.drop(self._by_number[number])

    def drop(self, one: Connection) -> None:
        if self._by_number.pop(one.number, None) is None:
            return
        del self._by_fd[one.fileno()]
        for rows in (self._strangers, self._large, self._waiting, self._unsaid):
            rows.pop(one.number, None)
        self._guests.gone(one.number, one.peer)
        one.close()
