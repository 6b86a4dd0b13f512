"""tshark, which was never told about us, reads the line: every unicast frame is Modbus with a good checksum.

A whole session is played by the real driver and the real firmware in virtual time, with every message there is; what
tshark says of each frame is compared with what the program meant.
"""

import random
from collections import deque

import pytest

from drivers.modbus import pdu
from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.rtu import RtuFraming
from drivers.model import SeatSeen, UnitUp
from drivers.native import contract
from drivers.native.contract import UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.session import SECOND
from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from firmware_sim.line.slave import RtuSlave, TcpSlave
from support.drivers.captures import RTU as AS_RTU
from support.drivers.captures import dissected, fields_of, write_pcap
from support.drivers.peers import CONFIG, NET, RTU, UNIT, a_unit, program
from support.sim.world import World

pytestmark = pytest.mark.process

READS = {contract.IDENTITY, contract.FAST_POLL, contract.DETAIL, contract.RING, contract.CONFIG}


@pytest.fixture(autouse=True)
def _tshark():
    program("tshark")


def session(framing, timing, slave, line):
    """A round with a bet, loading and a lamp; then both kinds of lock. Messages as (time, from the host?, bytes)."""
    firmware = a_unit()
    unit = NativeUnit(UnitSettings(UNIT, UnitClass.ELECTRONIC, 1, 1, CONFIG), nonce=3, first_command=100)
    bus = Bus([unit], timing, framing)
    wire = Line(line, random.Random(1))
    wire.attach(slave(firmware), "device")
    wire.capture = deque(maxlen=100_000)
    told = []

    def book(event, now):
        del now
        told.append(event)
        if isinstance(event, SeatSeen):
            unit.acknowledge(event.device, event.seq)

    world = World(bus, wire, book)

    def until(condition):
        assert world.run_while(lambda: not condition(), world.now + 10 * SECOND)

    until(lambda: any(isinstance(event, UnitUp) for event in told))
    world.act(lambda _: unit.load(1, 0, 50))
    world.act(lambda _: unit.unlock(1))
    until(lambda: firmware._state == contract.LockState.OPEN and firmware.shows(1) == 50)
    world.act(lambda now: firmware.press(1, 2, now))
    until(lambda: firmware.light(1, world.now) == contract.LampDrive.STEADY)
    world.act(lambda _: bus.lock_all())
    world.act(lambda _: unit.lock())
    until(lambda: firmware._state == contract.LockState.LOCKED)
    world.run_for(2 * SECOND)
    return [(heard.start, heard.source == "host", heard.data) for heard in wire.capture]


def numbers(fields, name):
    return [int(value, 0) for value in fields.get(name, [])]


def test_every_unicast_rtu_frame_is_modbus_with_a_good_checksum(tmp_path):
    messages = session(RtuFraming(), RTU, lambda unit: RtuSlave(unit, RTU), LineSettings(baud=RTU.baud))
    write_pcap(tmp_path / "rtu.pcap", messages)
    packets = dissected(tmp_path / "rtu.pcap", AS_RTU)
    functions, asked_at, broadcasts, request = set(), set(), 0, None

    assert len(packets) == len(messages) > 100
    for (_, from_host, data), packet in zip(messages, packets, strict=True):
        if data[0] == 0:
            broadcasts += 1  # tshark does not look into frames for unit 0
            continue
        frame, message = fields_of(packet["mbrtu"]), fields_of(packet["modbus"])
        assert numbers(frame, "mbrtu.unit_id") == [UNIT]
        assert numbers(frame, "mbrtu.crc16") == [int.from_bytes(data[-2:], "big")]
        assert numbers(frame, "mbrtu.crc16.status") == [1], "1 is good"
        assert numbers(message, "modbus.func_code") == [data[1] & 0x7F]
        assert "_ws.expert" not in packet["mbrtu"]
        functions.add(data[1])
        if from_host:
            request = pdu.decode_request(data[1:-2])
            asked_at.add(request.address)
            if not isinstance(request, pdu.WriteReadWords):  # of FC23 tshark knows the name only
                assert numbers(message, "modbus.reference_num") == [request.address]
        elif isinstance(request, pdu.ReadWords):
            assert numbers(message, "modbus.regval_uint16") == list(pdu.decode_answer(request, data[1:-2]).words)
    assert broadcasts == 1
    assert functions == {pdu.HOLDING, pdu.WRITE_WORDS, pdu.WRITE_READ}
    assert asked_at >= READS | {contract.COMMAND}


def test_a_struck_frame_is_seen_by_tshark_too(tmp_path):
    """Or the test above could not fail."""
    good = bytes.fromhex("0b032000001c4f69")
    write_pcap(tmp_path / "bad.pcap", [(0, True, good), (10, True, bytes((*good[:-1], good[-1] ^ 1)))])
    marks = [
        numbers(fields_of(packet["mbrtu"]), "mbrtu.crc16.status") for packet in dissected(tmp_path / "bad.pcap", AS_RTU)
    ]

    assert marks == [[1], [0]]


def test_every_tcp_message_is_modbus_with_our_transaction_and_unit(tmp_path):
    messages = session(MbapFraming(), NET, TcpSlave, LineSettings(baud=0))
    write_pcap(tmp_path / "tcp.pcap", messages)
    packets = dissected(tmp_path / "tcp.pcap")
    answered = {}

    assert len(packets) == len(messages) > 100
    for (_, from_host, data), packet in zip(messages, packets, strict=True):
        frame, message = fields_of(packet["mbtcp"]), fields_of(packet.get("modbus", {}))
        number = int.from_bytes(data[:2], "big")
        assert numbers(frame, "mbtcp.trans_id") == [number]
        assert numbers(frame, "mbtcp.prot_id") == [0]
        assert numbers(frame, "mbtcp.len") == [len(data) - 6]
        assert numbers(frame, "mbtcp.unit_id") == [data[6]]
        assert numbers(message, "modbus.func_code") == [data[7] & 0x7F]
        if not from_host:
            answered[number] = int(message["modbus.request_frame"][0])
    assert all(messages[frame - 1][2][:2] == number.to_bytes(2, "big") for number, frame in answered.items())
    assert len(answered) > 50
