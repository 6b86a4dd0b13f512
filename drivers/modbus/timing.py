"""How long things take on one line: the only place where baud and patience become microseconds.

Three rules. Silence is t3.5, which above 19200 is a fixed 1.75 ms (1.7). A question waits for the worst honest answer
and not a moment longer: its own bytes, the unit's silence and thinking, the answer's bytes, and what the adapter
keeps them back. After a question without an answer the line is left alone for one more such answer, because that is
what may still be on its way (4.1). A network has no baud: its bytes cost nothing here and need no silence.
"""

from dataclasses import dataclass

from drivers.session import MILLISECOND, SECOND, Micros

NETWORK = 0
LONGEST_FRAME = 256
_FIXED_ABOVE = 19200
_FIXED_SILENCE: Micros = 1_750


@dataclass(frozen=True, slots=True)
class LineTiming:
    baud: int = 38400  # or NETWORK
    bits: int = 11  # of one byte on the wire: start, eight, parity, stop
    answer: Micros = 20 * MILLISECOND  # the longest a unit may think (2.2)
    latency: Micros = 16 * MILLISECOND  # of the adapter; common ones keep bytes back that long unless set up
    turnaround: Micros = 100 * MILLISECOND  # after a broadcast and after nothing else (4.7)

    def __post_init__(self) -> None:
        assert self.baud >= 0 and self.bits > 0, "a line has a speed"
        assert min(self.answer, self.latency, self.turnaround) >= 0, "no time is negative"
        assert self.answer + self.latency > 0, "every answer takes time"

    @property
    def silence(self) -> Micros:
        """t3.5: what separates two frames."""
        if self.baud > _FIXED_ABOVE:
            return _FIXED_SILENCE
        return -(-7 * self.bits * SECOND // (2 * self.baud)) if self.baud else 0

    def wire(self, size: int) -> Micros:
        """How long so many bytes occupy the line, rounded up."""
        return -(-size * self.bits * SECOND // self.baud) if self.baud else 0

    def drain(self, answer_bytes: int) -> Micros:
        """The longest reply time: silence, thinking, the answer itself, the adapter."""
        return self.silence + self.answer + self.wire(answer_bytes) + self.latency

    def wait(self, request_bytes: int, answer_bytes: int) -> Micros:
        """From the moment the question is handed over to the moment its answer is overdue."""
        return self.wire(request_bytes) + self.drain(answer_bytes)

    @property
    def patience(self) -> Micros:
        """How long unasked talk may finish: no honest unit needs longer than the longest frame."""
        return self.wire(LONGEST_FRAME) + self.silence
