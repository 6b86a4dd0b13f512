"""Section 1.7: silence on a serial line, as short as it may be. Only a gap of t3.5 ends a frame, and no more is needed.

A computer that sends may pause longer than it was asked to, and never knows it: so each is tried until it is answered
once. A unit that demands more of its host never answers.
"""

from drivers.conformance.clause import clause
from drivers.conformance.steps import Halves, Need, Raw, Unmet, Walk
from drivers.conformance.subject import Subject
from drivers.modbus.pdu import ReadWords
from drivers.native import contract as at
from drivers.session import MILLISECOND

_TRIES = 20
_LISTEN = 100 * MILLISECOND
_OF_TEN = 6  # of t3.5: 2.1 characters, or 1.05 ms, more than t1.5
_NOISE = b"\xff\xff\xff"


@clause("2.2-gap-inside", "A gap inside a frame, shorter than t3.5, does not end it: no t1.5 is demanded.", Need.RTU)
def gap_inside(subject: Subject) -> Walk[None]:
    gap = subject.wire.timing.silence * _OF_TEN // 10
    for _ in range(_TRIES):
        question = subject.wire.question(subject.unit, ReadWords(at.IDENTITY, 1))
        heard = yield Halves(question[:-1], gap, question[-1:], _LISTEN)
        if heard.raw:
            return
    raise Unmet(f"an answer to a frame with a gap of {gap} us before its last byte", f"silence, {_TRIES} times")


@clause("2.2-silence-enough", "After noise and twice t3.5 of silence a frame is found.", Need.RTU)
def silence_enough(subject: Subject) -> Walk[None]:
    silence = 2 * subject.wire.timing.silence
    for _ in range(_TRIES):
        yield Raw(_NOISE, silence)
        heard = yield Raw(subject.wire.question(subject.unit, ReadWords(at.IDENTITY, 1)), _LISTEN)
        if heard.raw:
            return
    raise Unmet(f"an answer to a question {silence} us after noise", f"silence, {_TRIES} times")


LINE = (gap_inside, silence_enough)
