"""The first words of a connection from the network, understood without libzmq.

Theory. ZMTP 3 opens with a greeting of 64 octets from each side, and CURVE with one HELLO of fixed length from whoever
dials (https://rfc.zeromq.org/spec/23 and /26). Both can be judged octet by octet: whoever says anything else is no
node, and libzmq never hears of him. What follows is its business: it alone knows keys. Pure.
"""

_SIGNATURE = 10
_LENGTH = 64
_MAJOR, _MECHANISM, _AS_SERVER = 10, slice(12, 32), 32
_CURVE = b"CURVE".ljust(20, b"\0")
_HELLO = b"\x04\xc8\x05HELLO"

GREETING = b"\xff" + b"\0" * 7 + b"\x01\x7f" + b"\x03\x01" + _CURVE + b"\x01" + b"\0" * 31
"""What the side that is dialled says; libzmq behind the gate says the same."""

COMPLETE = _LENGTH + 202
"""Octets of the greeting and HELLO of whoever dials."""

WELCOME = 170
"""Octets of the answer to HELLO. Whoever gets much more than that was let in; a refusal is shorter."""

LET_IN = WELCOME + 32


def is_wrong(came: bytes) -> bool:
    """Whether the first words, as far as they came, are not those of a node that dials."""
    if came[:1] != b"\xff"[: len(came)] or (len(came) >= _SIGNATURE and came[_SIGNATURE - 1] != 0x7F):
        return True
    if len(came) > _MAJOR and came[_MAJOR] < 3:
        return True
    mechanism = came[_MECHANISM]
    if mechanism != _CURVE[: len(mechanism)]:
        return True
    if len(came) > _AS_SERVER and came[_AS_SERVER]:
        return True
    hello = came[_LENGTH : _LENGTH + len(_HELLO)]
    return hello != _HELLO[: len(hello)]


assert len(GREETING) == _LENGTH, "as the specification has it"
