"""The node's end of the control folder: what passes a bound costs the one who passed it, and the foreign hand of libzmq is heard."""

import os
import resource
import socket
import time

import pytest
import zmq

from controller.node.control import hall
from controller.node.control.connection import DEAF_AFTER, MOST_OWED
from controller.node.control.link import NodeEnd
from controller.node.control.peers import MOST_OF_PROCESS, Peer
from controller.node.control.zmtp import frame, framed, opening, subscribed
from drivers.punctual import micros

pytestmark = pytest.mark.process

STATE, FACT = b"state", b"fact"


class End:
    """A node's end, driven by hand under a clock that can be put forward."""

    def __init__(self, folder):
        self.later = 0
        self.folder = folder
        self.link = NodeEnd(folder, 1_000, (STATE, FACT), lambda: micros() + self.later)

    def turn(self, seconds=0.05):
        until = time.monotonic() + seconds
        letters = []
        while time.monotonic() < until:
            self.link.wait(0.005)
            letters += self.link.letters(64)
        return letters

    def comes(self, name="commands", kind=b"DEALER"):
        made = socket.socket(socket.AF_UNIX)
        made.settimeout(5)
        made.connect(str(self.folder / name))
        made.send(opening(kind))
        return made


@pytest.fixture
def end(tmp_path):
    made = End(tmp_path)
    yield made
    made.link.close()


def gone(made):
    """Whether the node closed it."""
    made.settimeout(2)
    try:
        while made.recv(65_536):
            pass
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False
    return True


def test_a_letter_says_who_wrote_it_and_its_answer_finds_back(end):
    with end.comes() as made:
        made.send(framed([b"", b"hello"]))
        (letter,) = end.turn()

        assert (letter.envelope[1:], letter.body) == ((b"",), b"hello")
        assert letter.peer == Peer(os.getuid(), os.getpid())
        end.link.answer(letter.envelope, b"good day")
        assert made.recv(65_536).endswith(framed([b"", b"good day"]))


@pytest.mark.parametrize("kind", [zmq.REQ, zmq.DEALER])
def test_libzmq_asks_and_is_answered_and_its_heart_beats(end, kind):
    with zmq.Context() as context, context.socket(kind) as made:
        made.setsockopt(zmq.LINGER, 0)
        made.setsockopt(zmq.HEARTBEAT_IVL, 20)
        made.setsockopt(zmq.HEARTBEAT_TIMEOUT, 100)
        made.connect(f"ipc://{end.folder}/commands")
        for number in (b"1", b"2"):
            made.send(number)
            (letter,) = end.turn(0.3)
            end.link.answer(letter.envelope, letter.body)
            assert made.poll(2_000) and made.recv() == number


def test_a_message_of_more_parts_than_a_request_has_is_nothing_and_its_writer_stays(end):
    with end.comes() as made:
        made.send(framed([b"a", b"b", b"c"]) + framed([b"d"]))

        assert [letter.body for letter in end.turn()] == [b"d"]


@pytest.mark.parametrize("octets", [b"\1\0" * 9, b"\2" + (1_001).to_bytes(8, "big")])
def test_who_says_too_much_is_shown_out_and_nobody_else(end, octets):
    with end.comes() as loud, end.comes() as other:
        loud.send(octets)
        other.send(framed([b"x"]))

        assert [letter.body for letter in end.turn()] == [b"x"]
        assert gone(loud)


def test_who_never_shakes_hands_is_shown_out(end):
    with socket.socket(socket.AF_UNIX) as made, end.comes() as other:
        made.connect(str(end.folder / "commands"))
        end.turn()
        end.later += hall.HANDSHAKE
        end.turn(0.2)

        assert gone(made)
        other.send(framed([b"x"]))
        assert len(end.turn()) == 1


def test_a_newcomer_always_gets_in_and_the_longest_idle_of_the_greedy_goes(end):
    many = []
    for number in range(MOST_OF_PROCESS):
        many.append(end.comes())
        if number % 100 == 0:
            end.turn(0.02)
    end.turn(0.3)
    many[0].send(framed([b"still here"]))
    end.turn()
    with end.comes() as newcomer:
        newcomer.send(framed([b"x"]))

        assert [letter.body for letter in end.turn()] == [b"x"]
        assert gone(many[1])
        many[0].send(framed([b"still here"]))
        assert len(end.turn()) == 1
    for one in many:
        one.close()


def test_where_the_machine_has_no_descriptor_left_somebody_goes_and_the_node_lives(end):
    with end.comes() as idle:
        end.turn()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        waiting = socket.socket(socket.AF_UNIX)
        waiting.connect(str(end.folder / "commands"))
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            end.turn()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        end.later += 200_000
        end.turn(0.2)

        assert gone(idle)
        waiting.send(opening(b"DEALER") + framed([b"x"]))
        assert [letter.body for letter in end.turn()] == [b"x"]
        waiting.close()


def test_who_reads_no_answer_is_shown_out_by_octets_or_by_time(end):
    with end.comes() as much, end.comes() as long:
        for made in (much, long):
            made.send(framed([b"x"]))
        first, second = end.turn()
        for _ in range(MOST_OWED // 100_000 + 3):
            end.link.answer(first.envelope, b"y" * 100_000)
        end.link.answer(second.envelope, b"y" * 1_000_000)
        end.turn()
        assert gone(much)
        end.later += DEAF_AFTER + 1_000_000
        end.turn(0.3)

        assert gone(long)


def test_of_views_only_the_newest_waits_and_of_facts_the_newest(end):
    with end.comes("state", b"SUB") as made:
        made.send(subscribed(STATE) + subscribed(FACT))
        end.turn()
        assert end.link.newcomers() and not end.link.newcomers()
        assert end.link.heard(STATE) and not end.link.heard(b"other")
        for number in range(200):
            end.link.show(STATE, b"%d" % number * 5_000)
        end.link.publish(FACT, b"fact 1")
        end.turn()
        told = made.recv(2**20)

        assert told.endswith(framed([FACT, b"fact 1"]) + framed([STATE, b"199" * 5_000])), (
            "what happened, then what it is like"
        )
        assert b"198198" not in told
        made.send(b"\0\6\0state")
        end.turn()
        assert not end.link.heard(STATE) and end.link.heard(FACT)


def test_a_stranger_at_the_state_socket_subscribes_to_only_so_much(end):
    with end.comes("state", b"XSUB") as made:
        made.send(framed([b"what is this"]) + b"".join(frame(b"\x09SUBSCRIBE%d" % number, 4) for number in range(17)))
        end.turn()

        assert gone(made)


def test_what_was_said_before_one_left_is_still_heard(end):
    with end.comes() as made:
        made.send(framed([b"1"]) + framed([b"2"]) + framed([b"3"]))
    heard = end.turn()

    assert [letter.body for letter in heard] == [b"1", b"2", b"3"]
    end.link.answer(heard[0].envelope, b"too late")


def test_who_leaves_much_behind_does_not_speak_on_for_long(end):
    with end.comes() as made:
        made.send(framed([b"x"]) * 500)
    heard = end.turn(0.3)

    assert 60 <= len(heard) <= 66
