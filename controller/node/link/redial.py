"""When a neighbour above is dialled again: soon, at a moment of one's own, and seldom where it would not speak (R-28).

Theory. A cable that was mended must be of use within seconds, however long it was cut, so whoever cannot be reached is
dialled after one second, two, and then every four: that costs a few packets. Who was told no (another protocol, another
name) waits longer, for only a person can mend that, and each no is a line in two journals. A hundred casinos lose their
owner in the same instant; did they knock again together, they would crowd each other out like strangers (gate.py). So
each waits somewhat less or more than that, by its name and by how often it tried. Pure: no clock, and no chance.
"""

from zlib import crc32

from drivers.session import SECOND, Micros

FIRST_WAIT, LAST_WAIT = SECOND, 4 * SECOND
LONGEST_WAIT: Micros = LAST_WAIT + LAST_WAIT // 4
"""The longest of all waits for whoever cannot be reached."""
AFTER_A_NO: Micros = 32 * SECOND


class Redial:
    def __init__(self, me: str, neighbour: str) -> None:
        self._who = f"{me} {neighbour}"
        self._tries = 0
        self._in_vain = 0  # of them, since it spoke
        self._was_told_no = False

    def greeted(self) -> None:
        """It spoke with us: the next time it is looked for soon."""
        self._in_vain, self._was_told_no = 0, False

    def told_no(self) -> None:
        """One of both would not speak with the other."""
        self._was_told_no = True

    def wait(self) -> Micros:
        """Until the next try: half of the time at least, and a quarter more at most."""
        usual = AFTER_A_NO if self._was_told_no else min(FIRST_WAIT << min(self._in_vain, 8), LAST_WAIT)
        self._tries, self._in_vain = self._tries + 1, self._in_vain + 1
        return usual // 2 + (usual * 3 // 4 * crc32(f"{self._who} {self._tries}".encode()) >> 32)
