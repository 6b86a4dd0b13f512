"""@serialport/parser-cctalk on the bare wire, with both checksums: every packet it finds is one that somebody said.

What the host hears with its echo, and the published frames: drivers/cctalk/test_witness_cctalk.py.
"""

from collections import deque

import pytest

from drivers.cctalk.frames import HOST, decode
from firmware_sim.line.mishap import LineSettings
from support.drivers.cctalk_line import CctalkMake, Checksum, floor, settings
from support.drivers.peers import node, run

pytestmark = pytest.mark.process


def their_packets(chunks):
    done = run(*node("cctalk_parser.js", "@serialport/parser-cctalk"), input="\n".join(chunk.hex() for chunk in chunks))
    assert done.returncode == 0, done.stderr
    return [bytes.fromhex(line) for line in done.stdout.split()]


@pytest.mark.parametrize("checksum", Checksum)
def test_the_parser_of_others_finds_our_packets_and_no_other(checksum):
    wire = LineSettings(baud=9600, bits=10)
    desk = floor([CctalkMake(checksum=checksum)], [settings(checksum=checksum, lamp=1)], line=wire)
    desk.line.capture = deque(maxlen=10_000)
    desk.until_up()
    desk.open()
    for channel in (1, 2, 0):
        desk.insert(channel)
        desk.run(700)
    desk.close()
    said = [heard.data for heard in desk.line.capture]
    cut = [piece for data in said for piece in (data[:3], data[3:])]

    assert their_packets(said) == said == their_packets(cut)
    packets = [decode(packet, checksum) for packet in said]
    assert None not in packets and len(packets) > 80
    assert {packet.destination for packet in packets} == {HOST, 2}
