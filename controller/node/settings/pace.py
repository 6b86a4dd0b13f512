"""Whether every unit of a line is heard and fed in time, and if not, which numbers would be right (devices.md 2.6).

Theory. `drivers/native/pace.py` judges native units and is asked again with every suggestion, so that what a technician
is asked to write will be taken. Its words are English and name one unit; here one sentence speaks of the whole line. A
ccTalk acceptor that is not asked for a second shuts itself; `drivers/cctalk/pace.py` judges its line.

Beats and host timeouts that the file leaves open are chosen: the shortest that the line can keep. So is how long a unit
waits for its bet to be booked: a line that loses an answer or two must not give a good bet back.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from controller.node.settings.make import USUAL_CONFIRM, USUAL_TIMEOUT, patient, timed
from controller.node.settings.sheet import HERE, Sheet
from controller.node.settings.units import LONGEST_CONFIRM, NativeForm
from controller.node.vocabulary.places import (
    LineKind,
    LinePlace,
    SignPlace,
    UnitKey,
    UnitPlace,
    cctalk_timing_of,
    timing_of,
)
from controller.rules.document import DocumentError
from drivers.cctalk.pace import enough_baud, longest_poll, most_devices
from drivers.cctalk.settings import DEVICE_WATCHDOG
from drivers.io_module.map import IoMap
from drivers.modbus import pdu
from drivers.modbus.timing import LineTiming
from drivers.native.pace import LONGEST_TIMEOUT, longest_round, pace_problem
from drivers.native.settings import BEATS_PER_TIMEOUT, UnitSettings
from drivers.session import MILLISECOND, Micros
from drivers.signs.panel import PanelSettings

_STEP: Micros = 10 * MILLISECOND
_TIMEOUT_STEP = 100  # ms, as drivers/native/pace.py rounds
_FRAMED = 3
_ROUNDS_TO_BOOK = 3  # the one that shows a press, the one that confirms it, and one that is lost
_URGENT = 2  # a module's lamp jumps the queue at most once between two turns of another


def paced(
    line: LinePlace, units: Sequence[UnitPlace], signs: Sequence[SignPlace], said: Mapping[UnitKey, NativeForm]
) -> list[UnitPlace]:
    """The units of a line, with the times that the file leaves open chosen so that it keeps pace, if any would."""
    found = _kept(line, units, signs, said)
    if found is None:
        return list(units)
    whole = longest_round(list(found.values()), timing_of(line), _foreign(line, units, signs))
    confirm = min(max(USUAL_CONFIRM, -(-_ROUNDS_TO_BOOK * whole // MILLISECOND)), LONGEST_CONFIRM)
    waiting = {key: made if said[key].confirm else patient(made, confirm) for key, made in found.items()}
    return [replace(unit, made=waiting.get(unit.key, unit.made)) for unit in units]


def _kept(
    line: LinePlace, units: Sequence[UnitPlace], signs: Sequence[SignPlace], said: Mapping[UnitKey, NativeForm]
) -> dict[UnitKey, UnitSettings] | None:
    native = _native_of(line, units)
    if not native:
        return None
    timing, foreign = timing_of(line), _foreign(line, units, signs)
    if pace_problem(list(native.values()), timing, foreign) is None:
        return native
    beat = _least_beat(native, timing, foreign)
    for timeout in range(USUAL_TIMEOUT, LONGEST_TIMEOUT // MILLISECOND + 1, _TIMEOUT_STEP):
        tried = {key: timed(made, said[key], beat, timeout) for key, made in native.items()}
        if pace_problem(list(tried.values()), timing, foreign) is None:
            return tried
    return None


def pace_troubles(
    line: LinePlace, sheet: Sheet, units: Sequence[UnitPlace], signs: Sequence[SignPlace]
) -> Iterator[DocumentError]:
    """Of one line with all that was made for it."""
    if line.kind is LineKind.CCTALK:
        yield from _acceptors(line, sheet, len(units))
        return
    native = _native_of(line, units)
    if not native:
        return
    timing, foreign = timing_of(line), _foreign(line, units, signs)
    if pace_problem(list(native.values()), timing, foreign) is None:
        return
    whole = longest_round(list(native.values()), timing, foreign)
    found = (
        f"una vuelta por todos los aparatos de la línea {line.name} puede tardar {-(-whole // MILLISECOND)} ms, y en el"
        f" host_timeout_ms de cada uno deben caber {BEATS_PER_TIMEOUT} latidos; "
    )
    open_times = _kept(line, units, signs, dict.fromkeys(native, NativeForm()))
    if open_times is None:
        yield sheet.wrong("baud", HERE, found + "hacen falta menos aparatos, más baud, o menos latency_ms")
        return
    right = next(iter(open_times.values()))
    beat, timeout = right.beat // MILLISECOND, right.config.host_timeout
    yield sheet.wrong(
        "baud", HERE,
        found + f"lo correcto aquí: beat_ms = {beat} y host_timeout_ms = {timeout} en todos, o quitar esas claves",
    )  # fmt: skip


def _native_of(line: LinePlace, units: Sequence[UnitPlace]) -> dict[UnitKey, UnitSettings]:
    if line.kind not in {LineKind.RTU, LineKind.TCP}:
        return {}
    return {unit.key: unit.made for unit in units if isinstance(unit.made, UnitSettings)}


def _least_beat(native: Mapping[UnitKey, UnitSettings], timing: LineTiming, foreign: Micros) -> int:
    """In ms; a beat shorter than a round of the line would leave no turn for anything else."""
    whole = longest_round(list(native.values()), timing, foreign)
    return -(-whole // _STEP) * _STEP // MILLISECOND


def _foreign(line: LinePlace, units: Sequence[UnitPlace], signs: Sequence[SignPlace]) -> Micros:
    made = [*(unit.made for unit in units), *(sign.made for sign in signs)]
    return sum(_turn_of(one, timing_of(line)) for one in made)


def _turn_of(made: object, timing: LineTiming) -> Micros:
    """What a unit that is not native may take of a round."""
    match made:
        case IoMap():
            return _URGENT * max(_exchange(request, timing) for request in _asked_of(made))
        case PanelSettings(rows=rows):
            return max(_exchange(pdu.WriteWords(row.address, (0,) * row.words), timing) for row in rows)
        case _:
            return 0


def _asked_of(made: IoMap) -> Iterator[pdu.Request]:
    """The longest of each kind of question."""
    yield pdu.ReadWords(0, 2, made.function)
    if made.counters:
        yield pdu.ReadWords(made.counters[0], made.counters[-1] + made.width - made.counters[0], made.function)
    if made.inputs:
        yield pdu.ReadBits(made.inputs[0], made.inputs[-1] + 1 - made.inputs[0], pdu.DISCRETE)
    if made.coils:
        yield pdu.WriteBits(made.coils[0], (False,) * (made.coils[-1] + 1 - made.coils[0]))


def _exchange(request: pdu.Request, timing: LineTiming) -> Micros:
    asked, answered = len(pdu.encode_request(request)) + _FRAMED, pdu.answer_size(request) + _FRAMED
    return timing.wait(asked, answered) + timing.silence


def _acceptors(line: LinePlace, sheet: Sheet, count: int) -> Iterator[DocumentError]:
    timing = cctalk_timing_of(line)
    most = most_devices(timing)
    if count <= most:
        return
    turn, second = longest_poll(timing), DEVICE_WATCHDOG // MILLISECOND
    baud = enough_baud(count, timing)
    faster = f"baud = {baud}" if baud is not None else "menos answer_ms o latency_ms"
    few = f"a lo más {most} en cada línea" if most else "ninguno cabe en esta línea"
    yield sheet.wrong(
        "name", HERE,
        f"{count} aceptores en la línea {line.name}: preguntar a uno puede tardar {-(-turn // MILLISECOND)} ms, y el"
        f" que no oye nada en {second} ms se cierra: no habría turno para lámparas y cerrojos; lo correcto aquí:"
        f" {few}, o {faster}",
    )  # fmt: skip
