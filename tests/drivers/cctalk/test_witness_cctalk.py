"""@serialport/parser-cctalk cuts our ccTalk line into the frames we meant: echo, question, answer."""

from itertools import pairwise

import pytest

from drivers.cctalk.frames import HOST, Checksum, Frame, Header, decode, encode
from support.drivers.cctalk_line import floor
from support.drivers.peers import node, run

pytestmark = pytest.mark.process

VECTORS = ("020001fe ff", "01000200fd", "020001e518", "010b0200060604001400170604 0d029e", "0202 01e7ffff16")


def parsed(stream_pieces):
    text = "".join(piece.hex() + "\n" for piece in stream_pieces)
    done = run(*node("cctalk_parser.js", "@serialport/parser-cctalk"), input=text)
    assert done.returncode == 0, done.stderr
    return [bytes.fromhex(line) for line in done.stdout.split()]


def session():
    """What the host's end of the line hears, as it came: its own echo and the answers, with coins falling."""
    desk = floor()
    heard, receive = [], desk.bus.receive

    def listening(data, now):
        heard.append(data)
        receive(data, now)

    desk.bus.receive = listening
    desk.until_up()
    desk.open()
    for channel in (1, 2, 1):
        desk.insert(channel)
        desk.run(700)
    desk.book()
    desk.close()
    return heard


def test_the_parser_finds_every_frame_of_a_session_and_nothing_else():
    heard = session()
    frames = parsed(heard)
    read = [decode(frame, Checksum.SUM) for frame in frames]

    assert b"".join(frames) == b"".join(heard)
    assert len(frames) > 50
    assert None not in read, "the parser does not look at checksums; these are all good"
    assert {frame.header for frame in read} >= {Header.ANSWER, Header.READ_CREDIT, Header.SET_INHIBITS}
    answers = [(before, frame) for before, frame in pairwise(read) if frame.destination == HOST]
    assert len(answers) > 25
    assert all(answer.source == question.destination for question, answer in answers)


def test_the_parser_agrees_with_the_published_frames_however_they_are_cut():
    whole = [bytes.fromhex(vector) for vector in VECTORS]
    stream = b"".join(whole)

    assert parsed([stream]) == whole
    assert parsed([stream[at : at + 3] for at in range(0, len(stream), 3)]) == whole


def test_a_frame_with_the_other_checksum_is_cut_alike():
    frame = encode(Frame(40, None, Header.ANSWER, b"\1\2\3"), Checksum.CRC)

    assert parsed([frame]) == [frame]
