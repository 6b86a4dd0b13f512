"""What the codes of an acceptor mean to a table, as far as somebody there must act on them.

Only three things matter: a chip that was refused though the slot should be open tells that the inhibits are not what
we set; a blocked path is a jam; a chip that goes backwards or hangs on a string is for the camera. Every other code
is a chip that went back to its owner.
"""

_INHIBITED, _INHIBITED_FIRST, _INHIBITED_LAST = 2, 128, 159
_JAM = {6, 7, 14, 15, 26, 29, 30}  # sensors that stay covered, gates that do not close or open
_TAMPER = {16, 17, 18, 20, 23}  # backwards, too fast, in the wrong order, on a string, too early at the sensor


def says_inhibited(code: int) -> bool:
    return code == _INHIBITED or _INHIBITED_FIRST <= code <= _INHIBITED_LAST


def says_jam(code: int) -> bool:
    return code in _JAM


def says_tamper(code: int) -> bool:
    return code in _TAMPER
