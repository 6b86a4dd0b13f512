"""Section 1.7: silence on a serial line, as short as it may be. Only a gap of t3.5 ends a frame, and no more is needed.

A computer that sends may pause longer than it was asked to: so each is tried until it is answered once, and a gap that
came too long is no try. A unit that demands more of its host never answers.
"""

from drivers.conformance.clause import clause
from drivers.conformance.steps import Halves, Need, NotNow, Raw, Unmet, Walk
from drivers.conformance.subject import Subject
from drivers.modbus.pdu import ReadWords
from drivers.native import contract as at
from drivers.session import MILLISECOND

_TRIES, _GOOD_TRIES = 100, 8
_LISTEN = 60 * MILLISECOND
_WANTED, _MOST, _OF = 5, 7, 10  # of t3.5: more than t1.5, and a character less than t3.5
_NOISE = b"\xff\xff\xff"


@clause("2.2-gap-inside", "A gap inside a frame, shorter than t3.5, does not end it: no t1.5 is demanded.", Need.RTU)
def gap_inside(subject: Subject) -> Walk[None]:
    silence, tries = subject.wire.timing.silence, 0
    most = silence * _MOST // _OF
    for _ in range(_TRIES):
        question = subject.wire.question(subject.unit, ReadWords(at.IDENTITY, 1))
        heard = yield Halves(question[:-1], silence * _WANTED // _OF, question[-1:], _LISTEN)
        if heard.raw:
            return
        tries += heard.gap <= most
        if tries == _GOOD_TRIES:
            raise Unmet(f"an answer to a frame with a gap of at most {most} us", f"silence, {tries} times")
    raise NotNow("this computer cannot pause so shortly")


@clause("2.2-silence-enough", "After noise and twice t3.5 of silence a frame is found.", Need.RTU)
def silence_enough(subject: Subject) -> Walk[None]:
    silence = 2 * subject.wire.timing.silence
    for _ in range(_GOOD_TRIES):
        yield Raw(_NOISE, silence)
        heard = yield Raw(subject.wire.question(subject.unit, ReadWords(at.IDENTITY, 1)), _LISTEN)
        if heard.raw:
            return
    raise Unmet(f"an answer to a question {silence} us after noise", f"silence, {_GOOD_TRIES} times")


LINE = (gap_inside, silence_enough)
