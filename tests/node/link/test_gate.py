"""The gate of the links (R-28): whose first words are a node's, and what a connection may hold; sockets are real, libzmq is played."""

import socket
from contextlib import suppress
from pathlib import Path

import pytest

from controller.node.link.gate import MOST_OF_ADDRESS, MOST_STRANGERS, Gate, _house_of, _of_the_greediest
from controller.node.link.handshake import COMPLETE, GREETING, LET_IN, WELCOME, is_wrong
from controller.node.link.messages import MOST_OCTETS
from controller.node.link.pipe import FIRST_WORDS, HANDSHAKE, MOST_OF_STRANGER, MOST_UNHEARD
from drivers.session import SECOND

DIALS = GREETING[:32] + b"\0" * 32 + b"\x04\xc8\x05HELLO" + b"\1" * 194
NOW = 10 * SECOND


def test_the_first_words_of_a_node_are_right_however_they_are_cut():
    assert len(DIALS) == COMPLETE
    assert not any(is_wrong(DIALS[:cut]) for cut in range(COMPLETE + 1))


@pytest.mark.parametrize(
    "words",
    [
        b"GET / HTTP/1.1",
        b"\xff" + b"\0" * 8 + b"\x7e",
        DIALS[:10] + b"\x01",  # ZMTP 1
        DIALS[:12] + b"NULL" + b"\0" * 16,
        DIALS[:12] + b"PLAIN",
        DIALS[:32] + b"\x01",  # it says that it is a server
        DIALS[:64] + b"\x00\xc8",
        DIALS[:64] + b"\x04\xff",
        DIALS[:66] + b"\x05READY",
    ],
)
def test_whoever_says_anything_else_is_no_node(words):
    assert is_wrong(words)


@pytest.mark.parametrize(
    ("address", "house"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("::ffff:10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
    ],
)
def test_a_house_is_one_address_whatever_it_calls_itself(address, house):
    assert _house_of(address) == house


class Place:
    """A gate, and a libzmq that connects when it is told to."""

    def __init__(self, folder):
        self.now = NOW
        self.inner, self.detached = {}, []
        self.gate = Gate(
            folder, ("127.0.0.1", 0), self.attach, lambda number, _: self.detached.append(number), self.now
        )
        self.guests = []

    def attach(self, number, _name, place):
        made = self.inner[number] = socket.socket(socket.AF_UNIX)
        made.connect(place.removeprefix("ipc://"))
        made.settimeout(1)

    def comes(self, words=b""):
        made = socket.create_connection(self.gate.entrance.getsockname())
        made.settimeout(1)
        self.guests.append(made)
        made.sendall(words)
        self.turns()
        return made

    def turns(self, times=6, seconds=0):
        for _ in range(times):
            self.now += seconds * SECOND // times
            self.gate.turn(self.now)

    @property
    def pipes(self):
        return list(self.gate._pipes.values())

    def close(self):
        for made in (*self.guests, *self.inner.values()):
            made.close()
        self.gate.close()


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path / "link")
    yield made
    made.close()


def gone(made):
    try:
        while made.recv(65_536):
            pass
    except ConnectionResetError:
        pass
    except TimeoutError:
        return False
    return True


def let_in(place):
    """Someone whose key libzmq took; what it says goes through."""
    guest = place.comes(DIALS)
    place.turns()
    number = max(place.inner)
    inner = place.inner[number]
    inner.sendall(GREETING + b"\0" * LET_IN)
    place.turns()
    return guest, inner, number


@pytest.mark.process
def test_libzmq_hears_of_nobody_before_his_first_words_are_complete(place):
    guest = place.comes(DIALS[:-1])
    assert not place.inner
    assert guest.recv(100) == GREETING
    guest.sendall(DIALS[-1:])
    place.turns()
    (inner,) = place.inner.values()
    assert inner.recv(1_000) == DIALS
    inner.sendall(GREETING + b"welcome")
    place.turns()
    assert guest.recv(100) == b"welcome", "the greeting was said already"


@pytest.mark.process
def test_wrong_words_and_slow_ones_end_and_are_counted_by_their_address(place):
    assert gone(place.comes(b"GET / HTTP/1.1\r\n")), "at once"
    guest = place.comes(b"\xff\0")
    place.turns(seconds=FIRST_WORDS / SECOND + 1)
    assert gone(guest)
    guest = place.comes(DIALS)
    place.turns(seconds=HANDSHAKE / SECOND + 1)

    assert gone(guest)
    assert place.gate.refused == {"127.0.0.1": 3}
    assert place.detached == [3]
    assert not place.pipes


@pytest.mark.process
def test_one_address_has_a_share_and_the_first_of_it_gives_way(place):
    guests = [place.comes() for _ in range(MOST_OF_ADDRESS + 3)]

    assert len(place.pipes) == MOST_OF_ADDRESS < MOST_STRANGERS
    assert [gone(guest) for guest in guests[:4]] == [True, True, True, False]


def test_of_many_addresses_the_greediest_gives_way():
    class One:
        def __init__(self, address):
            self.address = address

    rows = [One("a"), One("b"), One("b"), One("c")]
    assert next(iter(_of_the_greediest(rows))) is rows[1]


@pytest.mark.process
def test_strangers_never_take_the_place_of_who_was_let_in(place):
    guest, inner, number = let_in(place)
    assert place.gate.heard(number, 10, "caja", place.now)
    for _ in range(MOST_STRANGERS + 10):
        place.comes()

    guest.sendall(b"still here")
    place.turns()
    assert inner.recv(1_000).endswith(b"still here")


@pytest.mark.process
def test_a_stranger_brings_little_to_libzmq(place):
    guest = place.comes(DIALS)
    place.turns()
    (inner,) = place.inner.values()
    guest.setblocking(False)
    try:
        for _ in range(100):
            guest.send(b"x" * 65_536)
            place.turns()
    except BlockingIOError:
        pass
    came = 0
    inner.setblocking(False)
    try:
        while True:
            came += len(inner.recv(1 << 20))
            place.turns()
    except BlockingIOError:
        pass

    assert came <= MOST_OF_STRANGER + 65_536
    place.turns(seconds=HANDSHAKE / SECOND + 1)
    assert not place.pipes


@pytest.mark.process
def test_a_message_without_end_is_not_read_on_and_ends_its_connection(place):
    guest, inner, number = let_in(place)
    place.gate.heard(number, 10, "ladron", place.now)
    guest.setblocking(False)
    inner.setblocking(False)
    came = 0
    for _ in range(400):
        with suppress(BlockingIOError):
            guest.send(b"x" * 65_536)
        place.turns(2)
        with suppress(BlockingIOError):
            came += len(inner.recv(1 << 20))

    assert MOST_OCTETS < came <= MOST_UNHEARD + 2 * 65_536
    place.turns(seconds=3)
    assert place.gate.gone()[-1].name == "ladron"


@pytest.mark.process
def test_whole_messages_go_on_for_ever(place):
    guest, inner, number = let_in(place)
    for _ in range(200):
        guest.sendall(b"x" * 65_536)
        place.turns(4)
        read = 0
        while read < 65_536:
            read += len(inner.recv(1 << 20))
            place.turns(2)
        place.gate.heard(number, 65_536 - 42, "caja", place.now)

    assert [pipe.name for pipe in place.pipes] == ["caja"]


@pytest.mark.process
def test_a_neighbour_has_one_connection_its_newest_and_who_lost_his_key_has_none(place):
    first, _, one = let_in(place)
    place.gate.heard(one, 10, "caja", place.now)
    _, _, two = let_in(place)
    place.gate.heard(two, 10, "caja", place.now)
    assert gone(first)
    assert not place.gate.heard(one, 10, "caja", place.now), "what it still said is nothing"
    unnamed, _, _ = let_in(place)
    place.gate.drop_name("caja")

    assert gone(unnamed), "nobody knows yet who that is"
    assert not place.pipes
    assert [(row.number, row.name) for row in place.gate.gone()] == [(1, "caja"), (2, "caja"), (3, "")]


@pytest.mark.process
def test_a_closed_gate_leaves_no_descriptor_and_no_file(tmp_path):
    before = len([*Path("/proc/self/fd").iterdir()])
    made = Place(tmp_path / "link")
    for _ in range(3):
        let_in(made)
        made.comes(DIALS[:70])
    made.close()

    assert len([*Path("/proc/self/fd").iterdir()]) == before
    assert not [*(tmp_path / "link").iterdir()]
    assert (tmp_path / "link").stat().st_mode & 0o777 == 0o700


def test_the_welcome_is_shorter_than_what_lets_in():
    assert WELCOME + len(b"\x04\x0a\x05ERROR\x03400") < LET_IN
