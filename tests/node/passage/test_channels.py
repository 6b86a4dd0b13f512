"""Channels: every octet once and in order, whoever reads slowly; and nobody has more of our memory than his window."""

import random
import select
import socket

import pytest

from controller.node.passage.channels import MOST_CHANNELS, WINDOW, Channels, Dishonest
from controller.node.passage.words import CHUNK, Closed, Octets, OpenChannel, Taken


class Ends:
    """Two ends with a wire between them that carries words, one by one as a test wants."""

    def __init__(self):
        self.polls = select.epoll(), select.epoll()
        self.served = []
        self.web = Channels(self.polls[0], lambda _: None)
        self.node = Channels(self.polls[1], self._opens)

    def _opens(self, _name):
        ours, theirs = socket.socketpair()
        theirs.setblocking(False)
        self.served.append(theirs)
        return ours

    def connection(self):
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self.web.open("commands", theirs)
        return ours

    def turn(self):
        """Whether anything moved."""
        moved = False
        for channels, poll, other in ((self.web, self.polls[0], self.node), (self.node, self.polls[1], self.web)):
            for fd, happened in poll.poll(0):
                channels.move(fd, happened)
            while channels.says:
                other.hear(channels.says.popleft())
                moved = True
        return moved

    def settle(self):
        while self.turn():
            pass

    def held(self):
        return sum(len(one.inwards) for end in (self.web, self.node) for one in end._by_number.values())

    def close(self):
        for end in (self.web, self.node):
            end.close()
        for one in (*self.polls, *self.served):
            one.close()


@pytest.fixture
def ends():
    made = Ends()
    yield made
    made.close()


def sent(made, octets):
    try:
        return made.send(octets)
    except BlockingIOError:
        return 0


def came(made):
    try:
        return made.recv(65_536)
    except BlockingIOError:
        return None


@pytest.mark.parametrize("seed", range(5))
def test_every_octet_arrives_once_and_in_order_both_ways(ends, seed):
    chance = random.Random(seed)
    with ends.connection() as here:
        ends.settle()
        (there,) = ends.served
        texts = {here: chance.randbytes(2_000_000), there: chance.randbytes(700_000)}
        heard, gone = {here: b"", there: b""}, {here: 0, there: 0}
        other = {here: there, there: here}
        while any(len(heard[one]) < len(texts[other[one]]) for one in heard):
            one = chance.choice((here, there))
            gone[one] += sent(one, texts[one][gone[one] : gone[one] + chance.randint(1, 100_000)])
            if chance.random() < 0.6:
                heard[one] += came(one) or b""
            ends.turn()
            assert ends.held() <= 2 * WINDOW
        assert (heard[here], heard[there]) == (texts[there], texts[here])


def test_who_does_not_read_fills_his_own_window_and_no_more(ends):
    with ends.connection() as here:
        ends.settle()
        for _ in range(3_000):
            sent(here, b"x" * 10_000)
            ends.turn()
        assert ends.held() <= WINDOW


def test_an_end_that_closes_closes_the_other_when_all_was_read(ends):
    here = ends.connection()
    ends.settle()
    (there,) = ends.served
    here.sendall(b"the last words")
    here.close()
    ends.settle()
    assert (came(there), came(there)) == (b"the last words", b"")
    assert not ends.web._by_number
    assert not ends.node._by_number


def test_while_the_connection_takes_nothing_nothing_is_read(ends):
    with ends.connection() as here:
        ends.settle()
        ends.web.stand_still(still=True)
        here.sendall(b"later")
        assert not ends.turn()
        ends.web.stand_still(still=False)
        ends.settle()
        assert came(ends.served[0]) == b"later"


def test_whoever_goes_while_nothing_is_taken_does_not_keep_us_awake(ends):
    here = ends.connection()
    ends.settle()
    ends.web.stand_still(still=True)
    here.close()
    ends.turn()
    assert not ends.web._by_number
    assert not ends.polls[0].poll(0)


def said(channels, words):
    for word in words:
        channels.hear(word)


@pytest.mark.parametrize(
    "words",
    [
        [OpenChannel(1, "commands"), *[Octets(1, b"x" * CHUNK)] * (4 * WINDOW // CHUNK)],
        [OpenChannel(1, "commands"), OpenChannel(1, "commands")],
        [OpenChannel(2, "commands"), OpenChannel(1, "commands")],
        [OpenChannel(1, "commands"), Taken(1, 1)],
        [OpenChannel(number, "commands") for number in range(1, MOST_CHANNELS + 2)],
    ],
    ids=["more than he may", "twice", "an old number", "what was not sent", "too many"],
)
def test_who_does_what_no_program_of_ours_does_is_of_no_use(ends, words):
    with pytest.raises(Dishonest):
        said(ends.node, words)
    assert ends.held() <= WINDOW


def test_words_of_a_channel_that_is_over_are_nothing(ends):
    for word in (Octets(9, b"x"), Taken(9, 3), Closed(9)):
        ends.node.hear(word)
    assert not ends.node.says
