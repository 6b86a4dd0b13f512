"""The questions to a unit, each with what it is about, so that an answer can be examined for just that.

An answer on a serial line carries no question number, and a detail S no counter. A second look at a detail is therefore
a part read, and its length is its number: an answer of any other length is not taken for it, so neither a late detail
nor one of the last looks can stand for the present one (2.2, 4.1).
"""

from dataclasses import dataclass
from enum import Enum, auto

from drivers.modbus.pdu import ReadWords, Request, WriteReadWords, WriteWords
from drivers.modbus.turn import Ask
from drivers.model import Down
from drivers.native import contract as at
from drivers.native.blocks import WordList

_LENGTHS = at.BLOCK_WORDS - at.DETAIL_BOOKS_WORDS  # none is that of the whole detail


class About(Enum):
    IDENTITY = auto()
    CONFIG = auto()
    IMAGE = auto()  # A
    DETAIL = auto()  # S(n)
    PROOF = auto()  # the beginning of S(n) again
    RING = auto()  # E
    DESIRED = auto()  # D
    DESIRED_IMAGE = auto()  # D and A in one exchange (FC23)
    COMMAND = auto()  # K
    DISPLAY = auto()  # V
    CONFIGURE = auto()  # C, written


_WRITTEN = {
    About.CONFIGURE: at.CONFIG,
    About.DESIRED: at.DESIRED,
    About.COMMAND: at.COMMAND,
    About.DISPLAY: at.DISPLAY,
}


@dataclass(frozen=True, slots=True)
class UnitQuestion:
    ask: Ask
    about: About
    seat: int = 0


class AnswerStep(Enum):
    """What an answer did."""

    GOOD = auto()
    FOREIGN = auto()  # not about this: late, replayed, of another block
    POOR = auto()  # an answer, but no use: an exception
    OPENED = auto()  # the session is ours
    AGAIN = auto()  # what we know of the unit may have changed by our own doing: ask who it is


@dataclass(frozen=True, slots=True)
class Fall:
    """The unit cannot be trusted any more."""

    reason: Down
    detail: str = ""
    later: bool = False  # asked again only after a while: it would come up and fall again at once


Taken = AnswerStep | Fall


class Asks:
    """All questions to one unit. Those that never change are made once."""

    def __init__(self, unit: int, seats: int, first_look: int = 0) -> None:
        """`first_look`: different in each life of a host, because the line outlives it."""
        self._unit = unit
        self._looks = first_look
        self._words = at.fast_poll_words(seats)
        self.identity = self._question(About.IDENTITY, ReadWords(at.IDENTITY, at.BLOCK_WORDS))
        self.config = self._question(About.CONFIG, ReadWords(at.CONFIG, at.BLOCK_WORDS))
        self.image = self._question(About.IMAGE, ReadWords(at.FAST_POLL, self._words))
        self.ring = self._question(About.RING, ReadWords(at.RING, at.RING_WORDS))
        self._details = [
            self._question(About.DETAIL, ReadWords(at.detail_address(seat), at.BLOCK_WORDS), seat)
            for seat in range(1, seats + 1)
        ]

    def detail(self, seat: int) -> UnitQuestion:
        return self._details[seat - 1]

    def proof(self, seat: int) -> UnitQuestion:
        self._looks = (self._looks + 1) % _LENGTHS
        count = at.DETAIL_BOOKS_WORDS + self._looks
        return self._question(About.PROOF, ReadWords(at.detail_address(seat), count), seat)

    def write(self, about: About, words: WordList) -> UnitQuestion:
        return self._question(about, WriteWords(_WRITTEN[about], words))

    def desired_and_image(self, words: WordList) -> UnitQuestion:
        request = WriteReadWords(at.DESIRED, words, at.FAST_POLL, self._words)
        return self._question(About.DESIRED_IMAGE, request)

    def _question(self, about: About, request: Request, seat: int = 0) -> UnitQuestion:
        return UnitQuestion(Ask(self._unit, request, about), about, seat)
