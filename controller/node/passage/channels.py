"""The connections that one CURVE connection carries: octets of sockets of this process become words, and words octets.

Theory. Of each channel and each way so many octets are on their way that were not taken, and no more are read before
some were: so who does not read at the far end fills his own buffers and nobody else's, and what is held here is bounded
whatever comes. While the connection below takes nothing, nothing more is read either. Who sends more than he may, opens
a channel twice, or too many, is of no use: the connection ends. Nothing here waits.
"""

import select
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from controller.node.passage.words import CHUNK, Closed, Octets, OpenChannel, StillHere, Taken, Word

WINDOW = 262_144
"""Octets of one channel and one way that are on their way."""
MOST_CHANNELS = 32
_TOLD_EACH = 65_536
"""Octets that were taken, until it is said."""
_BROKEN = select.EPOLLHUP | select.EPOLLERR

Opens = Callable[[str], socket.socket | None]
"""Our end of a new connection to the socket of that name; None: there is none."""


class Dishonest(Exception):  # noqa: N818  says what happened
    """The far end does what no program of ours does."""


class _Channel:
    def __init__(self, number: int, made: socket.socket) -> None:
        made.setblocking(False)
        self.number, self.made = number, made
        self.inwards = bytearray()  # that came and was not written to the socket
        self.untold = 0  # octets that were written to it, and that the far end does not know of
        self.on_their_way = 0  # octets that we sent and that were not taken
        self.mask = 0
        self.ends = False  # the far end closed it: what came before is still written


class Channels:
    """`opens`: what stands behind a channel that the far end wants. `says` is what is to be sent, in order."""

    def __init__(self, epoll: select.epoll, opens: Opens) -> None:
        self._epoll, self._opens = epoll, opens
        self._by_number: dict[int, _Channel] = {}
        self._by_fd: dict[int, _Channel] = {}
        self._newest = 0
        self._stands_still = False
        self.says: deque[Word] = deque()

    def close(self) -> None:
        for one in list(self._by_number.values()):
            self._drop(one)

    def open(self, name: str, made: socket.socket) -> None:
        """Ours: what is written to the other end of `made` goes to the socket of this name at the far end."""
        if len(self._by_number) >= MOST_CHANNELS:
            made.close()
            return
        self._newest += 1
        self.says.append(OpenChannel(self._newest, name))
        self._add(_Channel(self._newest, made))

    def hear(self, word: Word | None) -> None:
        """What the far end said; what is no word makes it of no use."""
        match word:
            case None:
                raise Dishonest
            case StillHere():
                return
            case OpenChannel(number, name):
                self._open_for_them(number, name)
            case Octets(number, octets):
                self._take(number, octets)
            case Taken(number, count):
                self._were_taken(number, count)
            case Closed(number):
                if (one := self._by_number.get(number)) is not None:
                    one.ends = True
                    self._settle(one)

    def has(self, fd: int) -> bool:
        return fd in self._by_fd

    def move(self, fd: int, happened: int) -> None:
        """What can be moved at this socket."""
        one = self._by_fd[fd]
        if happened & select.EPOLLOUT:
            self._write(one)
        if self._may_read(one):
            self._read(one)
        elif happened & _BROKEN:  # what it said last has no room: it is lost, as with any connection
            self._is_over(one)
        self._settle(one)

    def stand_still(self, *, still: bool) -> None:
        """Whether the connection below takes nothing now."""
        if still is not self._stands_still:
            self._stands_still = still
            for one in list(self._by_number.values()):
                self._settle(one)

    # What the far end does.

    def _open_for_them(self, number: int, name: str) -> None:
        if number <= self._newest or len(self._by_number) >= MOST_CHANNELS:
            raise Dishonest
        self._newest = number
        made = self._opens(name)
        if made is None:
            self.says.append(Closed(number))
        else:
            self._add(_Channel(number, made))

    def _take(self, number: int, octets: bytes) -> None:
        one = self._by_number.get(number)
        if one is None:  # it was closed here, and they did not know yet
            return
        if len(one.inwards) + one.untold + len(octets) > WINDOW:
            raise Dishonest
        one.inwards += octets
        self._write(one)
        self._settle(one)

    def _were_taken(self, number: int, count: int) -> None:
        one = self._by_number.get(number)
        if one is None:
            return
        if count > one.on_their_way:
            raise Dishonest
        one.on_their_way -= count
        self._settle(one)

    # What happens at our sockets.

    def _read(self, one: _Channel) -> None:
        try:
            octets = one.made.recv(min(CHUNK, WINDOW - one.on_their_way))
        except BlockingIOError:
            return
        except OSError:
            octets = b""
        if octets:
            one.on_their_way += len(octets)
            self.says.append(Octets(one.number, octets))
        else:
            self._is_over(one)

    def _may_read(self, one: _Channel) -> bool:
        return one.on_their_way < WINDOW and not self._stands_still

    def _is_over(self, one: _Channel) -> None:
        if not one.ends:
            self.says.append(Closed(one.number))
        self._drop(one)

    def _write(self, one: _Channel) -> None:
        while one.inwards:
            try:
                gone = one.made.send(one.inwards, socket.MSG_NOSIGNAL)
            except BlockingIOError:
                break
            except OSError:  # nobody reads there any more; reading says that it is over
                one.inwards.clear()
                return
            del one.inwards[:gone]
            one.untold += gone
        if one.untold >= _TOLD_EACH:
            self.says.append(Taken(one.number, one.untold))
            one.untold = 0

    # The channels themselves.

    def _add(self, one: _Channel) -> None:
        self._by_number[one.number] = self._by_fd[one.made.fileno()] = one
        self._epoll.register(one.made, 0)
        self._settle(one)

    def _settle(self, one: _Channel) -> None:
        if one.number not in self._by_number:
            return
        if one.ends and not one.inwards:
            self._drop(one)
            return
        mask = (select.EPOLLIN if self._may_read(one) else 0) | (select.EPOLLOUT if one.inwards else 0)
        if mask != one.mask:
            self._epoll.modify(one.made, mask)
            one.mask = mask

    def _drop(self, one: _Channel) -> None:
        del self._by_number[one.number], self._by_fd[one.made.fileno()]
        with suppress(OSError):
            self._epoll.unregister(one.made)
        one.made.close()
