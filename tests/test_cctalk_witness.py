"""@serialport/parser-cctalk on our stream: what it takes for packets is what we said, echo and answers alike."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from cctalk_line import CctalkMake, Checksum, floor, settings

from drivers.cctalk.frames import HOST, decode
from firmware_sim.mishap import LineSettings

HERE = Path(__file__).parent
PACKAGE = "@serialport/parser-cctalk"


def modules():
    """Where npm put the peers; a peer that is not there is skipped by name."""
    place = Path(os.environ.get("POZO_NPM", HERE.parent / "var" / "npm" / "node_modules"))
    if shutil.which("node") is None:
        pytest.skip("no peer: node")
    if not (place / PACKAGE).is_dir():
        pytest.skip(f"no peer: {PACKAGE} (npm)")
    return place


def their_packets(chunks):
    environment = os.environ | {"NODE_PATH": str(modules())}
    done = subprocess.run(
        ["node", HERE / "foreign" / "cctalk_parser.js"],
        input="\n".join(chunk.hex() for chunk in chunks), env=environment, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return [bytes.fromhex(line) for line in done.stdout.split()]


@pytest.mark.parametrize("checksum", Checksum)
def test_the_parser_of_others_finds_our_packets_and_no_other(checksum):
    modules()
    desk = floor(
        [CctalkMake(checksum=checksum)], [settings(checksum=checksum, lamp=1)], line=LineSettings(baud=9600, bits=10)
    )
    desk.line.capture_last(10_000)
    desk.until_up()
    desk.open()
    for channel in (1, 2, 0):
        desk.insert(channel)
        desk.run(700)
    desk.close()
    said = [heard.data for heard in desk.line.capture]
    cut = [byte for data in said for byte in (data[:3], data[3:])]

    assert their_packets(said) == said == their_packets(cut)
    packets = [decode(packet, checksum) for packet in their_packets(said)]
    assert None not in packets and len(packets) > 100
    assert {packet.destination for packet in packets} == {HOST, 2}


def test_what_the_host_hears_with_its_echo_is_packets_too():
    modules()
    desk = floor()
    heard = []
    receive = desk.bus.receive
    desk.bus.receive = lambda data, now: (heard.append(data), receive(data, now))
    desk.run(3000)
    packets = their_packets(heard)

    assert b"".join(packets) == b"".join(heard) and len(packets) > 50
    assert sum(packet[0] == 2 for packet in packets) >= sum(packet[0] == HOST for packet in packets), (
        "each question first"
    )
