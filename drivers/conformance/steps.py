"""The words an examination is written in: what may be done to a unit, what comes back, and how a clause ends.

A clause is a generator: it yields steps and receives what came of each, so it reads like the procedure a person
would follow at a bench, and knows no port, no clock and no framing. It ends well by ending; it ends badly by raising
`Unmet`, which says what the contract promises and what came instead. Nothing here decides anything.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from drivers.modbus.pdu import Answer, Request
from drivers.session import MILLISECOND, Micros


@dataclass(frozen=True, slots=True)
class Exchange:
    """Ask and wait for the answer. `again`: a lost one may be asked again, because asking twice changes nothing."""

    unit: int
    request: Request
    again: bool = False


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes as they stand, and whatever comes within `listen`."""

    data: bytes
    listen: Micros = 60 * MILLISECOND


@dataclass(frozen=True, slots=True)
class Halves:
    """A frame with a gap in the middle, and whatever comes within `listen`."""

    first: bytes
    gap: Micros
    rest: bytes
    listen: Micros = 60 * MILLISECOND


@dataclass(frozen=True, slots=True)
class Wait:
    """The line left alone; what comes unasked is heard too."""

    time: Micros


@dataclass(frozen=True, slots=True)
class HandsWanted:
    """Something a person must do at the unit: the words of a simulated desk, and a sentence for a technician."""

    command: str
    sentence: str


@dataclass(frozen=True, slots=True)
class HandsFree:
    """What was asked of the person has been seen, or is no longer waited for."""

    seen: bool = True


@dataclass(frozen=True, slots=True)
class Tell:
    """Something for the person who runs the examination."""

    event: object


Step = Exchange | Raw | Halves | Wait | HandsWanted | HandsFree | Tell


class HandsState(StrEnum):
    NONE = "none"  # nothing was asked
    ASKED = "asked"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class StepResult:
    """What came of a step. `answer` is a good answer to the question, `raw` everything that was on the line."""

    now: Micros
    answer: Answer | None = None
    raw: bytes = b""
    pause: Micros | None = None  # from the end of the question to the first byte
    hands: HandsState = HandsState.NONE
    refusal: str = ""  # why the hands would not
    asked: Micros = 0  # when the unit had the question at the earliest, by whichever try
    answered: Micros = 0  # when it had done it at the latest
    gap: Micros = 0  # of a frame in halves: as long as it really was, by our clock


T = TypeVar("T")
Walk = Generator[Step, StepResult, T]


class Unmet(Exception):  # noqa: N818  says what happened
    """The contract promises `expected`; the unit did `came`."""

    def __init__(self, expected: str, came: str) -> None:
        super().__init__(f"expected {expected}; came {came}")
        self.expected, self.came = expected, came


class NotNow(Exception):  # noqa: N818  says what happened
    """The clause cannot be examined here, and why."""


class Need(StrEnum):
    """What a clause needs besides the unit itself."""

    HANDS = "hands at the unit (--hands, or a technician)"
    POWER = "permission to cut the power (--power-cycle)"
    RTU = "a serial line"
    TIME = "a serial line on which bytes take their time: on a pty they do not"
    TCP = "Modbus/TCP"
    SEVERAL = "a unit of several seats"


class ClauseOutcome(StrEnum):
    PASS = "PASS"  # noqa: S105  a verdict
    FAIL = "FAIL"
    SKIPPED = "SKIPPED"


@dataclass(frozen=True, slots=True)
class TrailFrame:
    """One message as it was on the line."""

    sent: bool
    data: bytes

    def __str__(self) -> str:
        return f"{'>' if self.sent else '<'} {self.data.hex(' ') or 'silence'}"


@dataclass(frozen=True, slots=True)
class ClauseVerdict:
    name: str
    sentence: str
    outcome: ClauseOutcome
    expected: str = ""
    came: str = ""
    why: str = ""  # of a skipped one
    frames: tuple[TrailFrame, ...] = field(default=())  # the last of the line before a failure


@dataclass(frozen=True, slots=True)
class Prompt:
    """An event: somebody is asked to do this now."""

    command: str
    sentence: str


@dataclass(frozen=True, slots=True)
class PromptOver:
    """An event: it was seen, or is no longer waited for."""

    seen: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """An event: clause `place` of `of` is being examined."""

    name: str
    place: int
    of: int


@dataclass(frozen=True, slots=True)
class Over:
    """An event: the walk is at its end."""
