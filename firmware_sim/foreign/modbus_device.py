"""What simulated devices of other makers have in common under a Modbus slave: messages in and out, and a plug.

A slave (slave.py) hands over messages without their frame. These devices take part in no broadcast, and know none of
the native contract: what they were never told is denied as a function, an address or a value.
"""

from drivers.modbus.pdu import Answer, Denied, Request, decode_request, encode_answer, encode_denial
from drivers.session import Micros


class ModbusDevice:
    def __init__(self) -> None:
        self.powered = True
        self.starts = 1

    def serve(self, request: Request, now: Micros) -> Answer:
        raise AssertionError(f"each kind of device answers {request} at {now} for itself")

    def lose_memory(self) -> None:
        raise AssertionError("each kind of device says this for itself")

    def hear(self, message: bytes, now: Micros) -> bytes:
        request = decode_request(message)
        if isinstance(request, Denied):
            return encode_denial(message[0], request.code)
        return encode_answer(request, self.serve(request, now))

    def hear_broadcast(self, message: bytes, now: Micros) -> bytes:
        del message, now
        return b""

    def power_off(self, now: Micros) -> None:
        del now
        self.powered = False
        self.lose_memory()

    def power_on(self, now: Micros) -> None:
        del now
        self.powered = True
        self.starts += 1

    def deadline(self) -> Micros | None:
        return None

    def tick(self, now: Micros) -> None:
        """What waits for nothing has nothing to do."""
