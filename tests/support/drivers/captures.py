"""What went over a line, written as the file that wireshark reads, and what tshark makes of it.

Each message is a segment of one TCP conversation between host and device, since that is what tshark's Modbus
dissectors look at; RTU frames are put there as they are and declared to be what they are.
"""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from drivers.session import Micros
from support.drivers.peers import program, run

HOST, DEVICE = bytes((10, 0, 0, 1)), bytes((10, 0, 0, 2))
HOST_PORT, MODBUS_PORT = 40_000, 502
RAW_IP = 101  # libpcap's number for packets that begin with the IP header
PUSH_ACK = 0x18


def _sum16(data: bytes) -> int:
    total: int = sum(struct.unpack(f">{(len(data) + 1) // 2}H", data + bytes(len(data) & 1)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def _segment(source: bytes, target: bytes, ports: tuple[int, int], sent: int, heard: int, payload: bytes) -> bytes:
    head = struct.pack(">HHIIBBHHH", *ports, sent, heard, 5 << 4, PUSH_ACK, 0xFFFF, 0, 0)
    pseudo = source + target + struct.pack(">BBH", 0, 6, len(head) + len(payload))
    checked = _sum16(pseudo + head + payload)
    tcp = head[:16] + struct.pack(">H", checked) + head[18:] + payload
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 0, 0x4000, 64, 6, 0) + source + target
    return ip[:10] + struct.pack(">H", _sum16(ip)) + ip[12:] + tcp


def write_pcap(path: Path, messages: Iterable[tuple[Micros, bool, bytes]]) -> None:
    """`messages`: (microseconds, from the host?, bytes), in their order."""
    host_sent = device_sent = 1
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0xFFFF, RAW_IP))
        for time, from_host, payload in messages:
            if from_host:
                packet = _segment(HOST, DEVICE, (HOST_PORT, MODBUS_PORT), host_sent, device_sent, payload)
                host_sent += len(payload)
            else:
                packet = _segment(DEVICE, HOST, (MODBUS_PORT, HOST_PORT), device_sent, host_sent, payload)
                device_sent += len(payload)
            file.write(struct.pack("<IIII", time // 1_000_000, time % 1_000_000, len(packet), len(packet)))
            file.write(packet)


RTU = ["-d", f"tcp.port=={MODBUS_PORT},mbrtu", "-o", "mbrtu.crc_verification:TRUE"]


def dissected(path: Path, options: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Each packet as tshark understands it: {layer: {field: value or [values]}}."""
    done = run(program("tshark"), "-r", path, *options, "-T", "json", "--no-duplicate-keys")
    assert done.returncode == 0, done.stderr
    return [packet["_source"]["layers"] for packet in json.loads(done.stdout)]


def fields_of(layer: Mapping[str, Any]) -> dict[str, list[Any]]:
    """All fields of a layer, however deep, each with all its values."""
    found: dict[str, list[Any]] = {}

    def look(part: Mapping[str, Any]) -> None:
        for name, value in part.items():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    look(one)
                else:
                    found.setdefault(name, []).append(one)

    look(layer)
    return found
