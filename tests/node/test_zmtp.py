"""The words of ZMTP on one connection: read octet by octet, bounded before they come, and spoken by a foreign hand too."""

import socket
from contextlib import suppress

import pytest
import zmq
from hypothesis import given
from hypothesis import strategies as st

from controller.node.control.zmtp import (
    Courtesy,
    Message,
    MessageLimits,
    NotSpoken,
    Subscription,
    Talk,
    frame,
    framed,
    opening,
    subscribed,
)

LIMITS = MessageLimits(1_000, 4)
HELLO = opening(b"DEALER")
COMMAND = 4


def talk():
    return Talk(frozenset({b"DEALER"}), LIMITS)


def heard(octets, one=None):
    one = one or talk()
    one.hear(octets)
    events = []
    while (event := one.read()) is not None:
        events.append(event)
    return events


def test_a_greeting_is_64_octets_and_ready_names_the_kind():
    """By hand, from https://rfc.zeromq.org/spec/37."""
    assert HELLO[:64] == b"\xff" + bytes(7) + b"\1\x7f" + b"\3\1" + b"NULL" + bytes(16) + bytes(32)
    assert HELLO[64:] == b"\4\x1c" + b"\5READY" + b"\x0bSocket-Type" + b"\0\0\0\6DEALER"


@given(st.lists(st.lists(st.binary(max_size=300), min_size=1, max_size=4), max_size=4), st.integers(1, 70))
def test_messages_come_whole_however_the_octets_come(messages, size):
    octets = HELLO + b"".join(framed(parts) for parts in messages if sum(map(len, parts)) <= LIMITS.octets)
    one, events = talk(), []
    for at in range(0, len(octets), size):
        events += heard(octets[at : at + size], one)

    assert one.ready and one.waiting == 0
    assert events[0] == Courtesy()
    assert events[1:] == [Message(tuple(parts)) for parts in messages if sum(map(len, parts)) <= LIMITS.octets]


def test_a_subscription_is_a_message_or_a_command():
    said = subscribed(b"state") + frame(b"\x09SUBSCRIBEfact", COMMAND) + frame(b"\x06CANCELfact", COMMAND)

    assert heard(HELLO + said)[1:] == [
        Message((b"\1state",)), Subscription(b"fact", wanted=True), Subscription(b"fact", wanted=False)
    ]  # fmt: skip


def test_who_pings_hears_his_own_words_again():
    one = talk()

    assert heard(HELLO + frame(b"\x04PING\0\x0aabc", COMMAND), one)[1:] == [Courtesy()]
    assert one.to_say == frame(b"\x04PONGabc", COMMAND)


@pytest.mark.parametrize(
    "octets",
    [
        b"GET / HTTP/1.1\r\n",
        b"\xff" + bytes(63),
        HELLO[:10] + b"\1" + HELLO[11:],
        HELLO[:12] + b"CURVE".ljust(20, b"\0") + HELLO[32:],
        opening(b"SUB"),
        HELLO[:64] + frame(b"\5READY\x0bSocket-Type\0\0\1\0DEALER", COMMAND),
        HELLO[:64] + frame(b"hello"),
        HELLO[:64] + frame(b"\5ERROR\3bad", COMMAND),
        HELLO + b"\2" + (1_001).to_bytes(8, "big"),
        HELLO + b"\2" + b"\xff" * 8,
        HELLO + frame(b"x" * 600, 1) + b"\2" + (401).to_bytes(8, "big"),
        HELLO + frame(b"", 1) * 4 + b"\1\0",
        HELLO + frame(b"x" * 2_000, COMMAND),
        HELLO + frame(b"x", 1) + frame(b"\4PING\0\0", COMMAND),
    ],
)
def test_what_is_not_of_the_language_or_too_much_ends_it_at_its_first_octets(octets):
    with pytest.raises(NotSpoken):
        heard(octets)


@given(st.binary(max_size=200), st.booleans())
def test_no_octets_break_it(octets, shaken):
    with_hello = HELLO + octets if shaken else octets
    with suppress(NotSpoken):
        heard(with_hello)


def test_what_waits_is_known_and_whether_it_is_long():
    one = talk()
    heard(HELLO + b"\2" + (900).to_bytes(8, "big") + b"x" * 100, one)

    assert one.waiting == 109
    assert one.large(800) and not one.large(900)


@pytest.mark.process
@pytest.mark.parametrize(("kind", "named"), [(zmq.DEALER, b"DEALER"), (zmq.REQ, b"REQ"), (zmq.SUB, b"SUB")])
def test_what_libzmq_says_first_is_understood(tmp_path, kind, named):

    with socket.socket(socket.AF_UNIX) as listening, zmq.Context() as context, context.socket(kind) as made:
        listening.bind(str(tmp_path / "s"))
        listening.listen()
        made.setsockopt(zmq.LINGER, 0)
        made.connect(f"ipc://{tmp_path / 's'}")
        accepted, _ = listening.accept()
        with accepted:
            accepted.settimeout(10)
            accepted.sendall(opening(b"XPUB" if kind == zmq.SUB else b"ROUTER"))
            one = Talk(frozenset({named}), LIMITS)
            while not one.ready:
                heard(accepted.recv(64), one)
