"""libzmq behind the gate: one ROUTER for all who dial us, one DEALER for each connection that we dial, and ZAP.

Theory. Every message is given out with the name of who said it and the connection it came by; the name is the one that
ZAP gave to the key of that connection, and for whom we dialled the one whose key libzmq compared. Keys may change at
any time: they are asked at each handshake, and a connection under a key that is pinned no more is dropped at once.
Nothing here ever waits but `wait`. What a message means is not known here.
"""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from enum import Enum, auto
from pathlib import Path
from typing import NamedTuple

import zmq

from controller.core.values import Side
from controller.node.link.gate import ConnectionOver, Gate
from controller.node.link.messages import MOST_OCTETS
from drivers.session import MILLISECOND, Micros

Address = tuple[int, tuple[str, int]]
"""A family of addresses, and one of it with its port."""

_ZAP, _DOMAIN, _CURVE = "inproc://zeromq.zap.01", "pozo", b"CURVE"
_TAKEN, _REFUSED = (b"200", b"OK"), (b"400", b"unknown key")
_WATER = 100  # messages
_HANDSHAKE = 5_000  # ms
_MOST_SOCKETS = 128
_AT_ONCE = 100  # messages of one socket before anything else has its turn
_ROOM = 64  # octets of a message that CURVE adds
_NAME = 7  # octets of a connection's number


class Pinned(NamedTuple):
    """A neighbour whose key two persons compared; `key`: its 32 octets."""

    side: Side
    key: bytes


class OwnKey(NamedTuple):
    public: bytes
    secret: bytes


class Came(NamedTuple):
    """A whole message, and whose it is."""

    name: str
    number: int
    octets: bytes


class Left(Enum):
    """What became of a message to a neighbour."""

    SENT = auto()
    FULL = auto()  # it reads more slowly than we speak
    GONE = auto()


class Sockets:
    """`listen`: where neighbours below dial. OSError: that cannot be listened to, or the folder is not ours."""

    def __init__(self, folder: Path, listen: tuple[str, int] | None, own: OwnKey, woken: int, now: Micros) -> None:
        self._own = own
        self._pinned: Mapping[str, Pinned] = {}
        self._by_key: dict[bytes, str] = {}
        self._dealers: dict[int, tuple[str, zmq.Socket[bytes]]] = {}
        self.unknown_keys = 0
        with ExitStack() as undo:
            self.gate = Gate(folder, listen, self._attach, self._detach, now)
            undo.callback(self.gate.close)
            self._context = zmq.Context()
            self._context.set(zmq.MAX_SOCKETS, _MOST_SOCKETS)
            undo.callback(self._context.destroy, 0)
            try:
                self._open()
            except zmq.ZMQError as error:  # the machine has no descriptor
                raise OSError(error.errno, str(error)) from None
            self._poller = zmq.Poller()
            for one in (woken, self.gate.fileno(), self._zap, self._router):
                self._poller.register(one, zmq.POLLIN)
            self._closing = undo.pop_all()

    def _open(self) -> None:
        self._zap = self._context.socket(zmq.REP)
        self._zap.bind(_ZAP)
        self._router = self._made(zmq.ROUTER)
        self._router.curve_server = True
        self._router.curve_secretkey = self._own.secret
        self._router.zap_domain = _DOMAIN.encode()
        self._router.router_mandatory = True

    def _made(self, kind: int) -> "zmq.Socket[bytes]":
        made = self._context.socket(kind)
        made.set(zmq.LINGER, 0)
        made.set(zmq.SNDHWM, _WATER)
        made.set(zmq.RCVHWM, _WATER)
        made.set(zmq.MAXMSGSIZE, MOST_OCTETS + _ROOM)
        made.set(zmq.HANDSHAKE_IVL, _HANDSHAKE)
        made.set(zmq.RECONNECT_IVL, -1)  # who dials again, and when, is decided above
        return made

    def close(self) -> None:
        """The context last: it waits until libzmq has let go of everything."""
        for number in list(self._dealers):
            self.drop(number)
        self._closing.close()

    # Keys.

    def pin(self, pinned: Mapping[str, Pinned]) -> None:
        """Whose keys are taken from now on. Whoever came in with another one is out."""
        for name, before in self._pinned.items():
            if pinned.get(name) != before:
                self.gate.drop_name(name)
        self._pinned = dict(pinned)
        self._by_key = {one.key: name for name, one in pinned.items() if one.side is Side.BELOW}

    def _judge(self) -> None:
        """ZAP (https://rfc.zeromq.org/spec/27): the key decides, and nothing else that is said."""
        while self._zap.poll(0):
            version, request, _domain, _address, _identity, mechanism, *keys = self._zap.recv_multipart()
            name = self._by_key.get(keys[0]) if mechanism == _CURVE and keys else None
            self.unknown_keys += name is None
            code, text = _REFUSED if name is None else _TAKEN
            self._zap.send_multipart([version, request, code, text, (name or "").encode(), b""])

    # Connections.

    def dial(self, name: str, address: Address, now: Micros) -> int | None:
        """A connection to a neighbour above, by its number. None: nobody is there, or the machine has no place."""
        if name not in self._pinned:
            return None
        try:
            return self.gate.dial(name, address, now)
        except zmq.ZMQError:  # of libzmq's own sockets there are no more
            return None

    def _attach(self, number: int, name: str, place: str) -> None:
        """libzmq connects to the gate, and calls that connection by our number."""
        if not name:
            self._router.set(zmq.CONNECT_ROUTING_ID, _routing(number))
            self._router.connect(place)
            return
        dealer = self._made(zmq.DEALER)
        dealer.set(zmq.IMMEDIATE, 1)
        dealer.curve_serverkey = self._pinned[name].key
        dealer.curve_publickey, dealer.curve_secretkey = self._own
        dealer.connect(place)
        self._poller.register(dealer, zmq.POLLIN)
        self._dealers[number] = name, dealer

    def _detach(self, number: int, place: str) -> None:
        if number in self._dealers:
            _, dealer = self._dealers.pop(number)
            self._poller.unregister(dealer)
            dealer.close(0)
        else:
            with suppress(zmq.ZMQError):  # libzmq knew it already
                self._router.disconnect(place)

    def drop(self, number: int) -> None:
        self.gate.drop(number)

    def gone(self) -> list[ConnectionOver]:
        """The connections that ended since this was asked last."""
        return self.gate.gone()

    # Messages.

    def wait(self, until: Micros | None, now: Micros) -> None:
        """Until something came, somebody rang, or that instant."""
        times = [time for time in (until, self.gate.deadline()) if time is not None]
        patience = max(0, min(times) - now) if times else None
        self._poller.poll(None if patience is None else -(-patience // MILLISECOND))
        # What libzmq does by itself between two looks is seen at the next one.

    def turn(self, now: Micros) -> Iterator[Came]:
        """Moves octets, answers who asks for a key, and gives out what came."""
        self.gate.turn(now)
        self._judge()
        yield from self._of_router(now)
        for number, (name, dealer) in list(self._dealers.items()):
            yield from self._of_dealer(number, name, dealer, now)

    def _of_router(self, now: Micros) -> Iterator[Came]:
        for _ in range(_AT_ONCE):
            try:
                routing, *parts = self._router.recv_multipart(zmq.NOBLOCK, copy=False)
            except zmq.Again:
                return
            number = _number(routing.bytes)
            name = str(parts[0].get("User-Id")) if parts else ""
            yield from self._one(number, name, [part.bytes for part in parts], now)

    def _of_dealer(self, number: int, name: str, dealer: "zmq.Socket[bytes]", now: Micros) -> Iterator[Came]:
        for _ in range(_AT_ONCE):
            try:
                parts = dealer.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            yield from self._one(number, name, parts, now)
            if number not in self._dealers:
                return

    def _one(self, number: int, name: str, parts: list[bytes], now: Micros) -> Iterator[Came]:
        """Of a connection that stands, under a key that is still pinned, in one part."""
        if name not in self._pinned or len(parts) != 1:
            self.drop(number)
        elif self.gate.heard(number, len(parts[0]), name, now):
            yield Came(name, number, parts[0])

    def send(self, number: int, octets: bytes) -> Left:
        """To whoever is at that connection."""
        try:
            if number in self._dealers:
                self._dealers[number][1].send(octets, zmq.NOBLOCK)
            else:
                self._router.send_multipart([_routing(number), octets], zmq.NOBLOCK)
        except zmq.Again:
            return Left.FULL
        except zmq.ZMQError:
            return Left.GONE
        return Left.SENT


def _routing(number: int) -> bytes:
    return b"n" + number.to_bytes(_NAME, "big")


def _number(routing: bytes) -> int:
    """Of a connection of ours; libzmq gives no other names, because nobody connects to it."""
    return int.from_bytes(routing[1:], "big")
