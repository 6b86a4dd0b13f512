"""Three heartbeats in every host timeout (2.6): is that so on this line? Computed before anything is asked.

A unit's heartbeat is due `beat` after the last one was answered, and it goes out in the unit's next turn. So the
longest time between two of them is `beat`, one exchange, and one whole round of the line: of each unit a heartbeat and
the image that belongs to the same turn, answered at the last moment, and the probe of a dead unit. Commands, details
and rings are asked in turns that no heartbeat has, and a bet's confirmation is a heartbeat: they take its place and are
not counted again. A round longer than `beat` would leave them no turn at all, so that is refused too.

Nothing here runs: the settings ask `pace_problem`, and no bus starts with what it refuses.
"""

from collections.abc import Sequence

from drivers.modbus.pdu import ReadWords, WriteWords, answer_size, encode_request
from drivers.modbus.timing import LineTiming
from drivers.native import contract as at
from drivers.native.settings import BEATS_PER_TIMEOUT, UnitSettings
from drivers.session import MILLISECOND, Micros

LONGEST_TIMEOUT: Micros = 5_000 * MILLISECOND  # a unit takes no longer one (2.3 C)
_ROUNDED: Micros = 100 * MILLISECOND
_FRAMED = 3  # a unit's number and the checksum
_HEARTBEAT = WriteWords(at.DESIRED, (0,) * at.WRITE_WORDS)


def longest_round(units: Sequence[UnitSettings], timing: LineTiming, foreign: Micros = 0) -> Micros:
    """From one turn of a unit to its next, one other unit being dead. `foreign`: the turns of units of other kinds."""
    turns = [_exchange(_HEARTBEAT, timing) + _exchange(_image(unit), timing) for unit in units]
    probe = max((_failing(unit, timing) for unit in units), default=0)
    return sum(turns) + foreign + probe


def longest_gap(unit: UnitSettings, units: Sequence[UnitSettings], timing: LineTiming, foreign: Micros = 0) -> Micros:
    """Between two heartbeats of this one of these units."""
    return unit.beat + _exchange(_HEARTBEAT, timing) + longest_round(units, timing, foreign)


def pace_problem(units: Sequence[UnitSettings], timing: LineTiming, foreign: Micros = 0) -> str | None:
    """One sentence: which unit could lose its host though nothing is lost, and what would be right."""
    whole = longest_round(units, timing, foreign)
    for unit in units:
        gap = longest_gap(unit, units, timing, foreign)
        fits = gap * BEATS_PER_TIMEOUT <= unit.host_timeout
        if not fits or unit.beat < whole:
            found = (
                f"{_ms(gap)} ms may pass between two heartbeats, and {BEATS_PER_TIMEOUT} belong into its host timeout"
                f" of {_ms(unit.host_timeout)} ms"
                if not fits
                else f"a round of the line takes up to {_ms(whole)} ms, longer than its beat of {_ms(unit.beat)} ms"
            )
            return f"unit {unit.number}: {found}; {_remedy(unit, whole, timing)}"
    return None


def _remedy(unit: UnitSettings, whole: Micros, timing: LineTiming) -> str:
    slack = whole + _exchange(_HEARTBEAT, timing)
    beat = unit.host_timeout // BEATS_PER_TIMEOUT - slack
    if beat >= whole:
        return f"a beat of {_ms(whole)} to {beat // MILLISECOND} ms would be right"
    beat = max(unit.beat, whole)
    timeout = -(-BEATS_PER_TIMEOUT * (beat + slack) // _ROUNDED) * _ROUNDED
    if timeout <= LONGEST_TIMEOUT:
        return f"a host timeout of {_ms(timeout)} ms with a beat of {_ms(beat)} ms would be right"
    return "this line needs fewer units, more baud or a quicker adapter"


def _image(unit: UnitSettings) -> ReadWords:
    return ReadWords(at.FAST_POLL, at.fast_poll_words(unit.seats))


def _exchange(request: ReadWords | WriteWords, timing: LineTiming) -> Micros:
    """Answered at the last moment, and the silence before the next question."""
    return timing.wait(len(encode_request(request)) + _FRAMED, answer_size(request) + _FRAMED) + timing.silence


def _failing(unit: UnitSettings, timing: LineTiming) -> Micros:
    """A unit that died is asked for its image until that is known, and from then on who it is (I)."""
    requests = (_image(unit), ReadWords(at.IDENTITY, at.BLOCK_WORDS))
    return max(_exchange(request, timing) + timing.drain(answer_size(request) + _FRAMED) for request in requests)


def _ms(time: Micros) -> int:
    return -(-time // MILLISECOND)
