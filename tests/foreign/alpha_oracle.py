"""Frames of a sign as alphasignpy makes them, for comparison with ours; runs in its own environment, .venv/alphasign.

One JSON object a line in, one frame in hex a line out. `make` names the command, `nest` may hold more of them for the
same transmission; the other keys are the library's own arguments. The FF bytes, by which it marks a pause that is
never sent, are taken out.
"""

import json
import sys

from alphasign import Packet, ReadSpecialFunction, ReadString, ReadText, WriteSpecialFunction, WriteString, WriteText
from alphasign.protocol import DELAY, DisplayMode, DisplayPosition, FileProtection, FileType, SpecialFunction


def text(words, label, mode="b", position=" "):
    return WriteText(words, label, DisplayPosition(position.encode()), DisplayMode(mode.encode()))


def memory(files):
    return WriteSpecialFunction.configure_memory(
        [
            {
                "label": label,
                "type": FileType(kind.encode()),
                "size": size,
                "protection": FileProtection.LOCKED,
                "start_time": 0xFF,
                "stop_time": 0x00,
            }
            for label, kind, size in files
        ]
    )


def special(function):
    return ReadSpecialFunction(SpecialFunction(function.encode()))


MAKE = {
    "text": text,
    "string": WriteString,
    "memory": memory,
    "sequence": WriteSpecialFunction.set_run_sequence,
    "reset": WriteSpecialFunction.soft_reset,
    "acks": WriteSpecialFunction.enable_ack_nak,
    "read_text": ReadText,
    "read_string": ReadString,
    "read_special": special,
}


def frame(kind, address, checksum, commands):
    packet = Packet(kind.encode(), address)
    for command in commands:
        packet.add(MAKE[command.pop("make")](**command), checksum=checksum)
    return packet.to_bytes().replace(DELAY, b"")


for line in sys.stdin:
    print(frame(**json.loads(line)).hex(), flush=True)
