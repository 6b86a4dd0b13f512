"""The reference firmware under the whole examination, in virtual time: what `pozo device test` asks of a maker's unit.

On real lines: tests/e2e/test_reference_unit.py. That the examination bites is campaign/test_conformance_faults.py's.
"""

import pytest

from drivers.conformance.examination import CATALOGUE
from drivers.conformance.steps import ClauseOutcome
from drivers.modbus.timing import LineTiming
from firmware_sim.line.mishap import LineSettings
from support.sim.conformance_bench import BAUD, PATIENCE
from support.sim.reference import ReferenceBench, VirtualUnit, console, table

# What neither a table with buttons nor a console has: chips, the display of a counter.
OF_OTHERS = {
    "2.4-chip-and-ack", "2.4-chip-limit", "2.5-chip-when-locked", "2.4-chip-jam", "2.6-chip-kept", "2.3-V-shown",
    "2.3-V-blank", "2.3-V-blank-time", "2.3-K-no-counter",
}  # fmt: skip
UNITS = {"one seat": table(1), "seven seats": table(7), "nine seats": table(9), "console": console()}


@pytest.mark.parametrize("tcp", [False, True], ids=["rtu", "tcp"])
@pytest.mark.parametrize("words", UNITS.values(), ids=UNITS)
def test_it_conforms(words, tcp):
    bench = ReferenceBench(VirtualUnit(words, tcp=tcp), tcp=tcp).run()

    assert not bench.failed, bench.told()
    assert [verdict.name for verdict in bench.verdicts] == [clause.name for clause in CATALOGUE]


def test_together_they_leave_only_the_clauses_of_others_out():
    benches = [
        ReferenceBench(VirtualUnit(words, tcp=tcp), tcp=tcp).run() for words in UNITS.values() for tcp in (False, True)
    ]
    passed = {name for bench in benches for name in bench.of(ClauseOutcome.PASS)}

    assert {clause.name for clause in CATALOGUE} - passed == OF_OTHERS


@pytest.mark.parametrize("baud", [9600, 19200, 38400])
def test_it_conforms_on_a_slow_line(baud):
    line, timing = LineSettings(baud=baud), LineTiming(baud=baud, answer=PATIENCE, latency=0)

    bench = ReferenceBench(VirtualUnit(table(9), baud=baud), line=line, timing=timing, baud=baud).run()

    assert not bench.failed, bench.told()


def test_it_demands_no_pace_inside_a_frame():
    """Bytes come one by one, as a slow adapter sends them: only t3.5 ends a frame."""
    bench = ReferenceBench(VirtualUnit(table(2)), line=LineSettings(baud=BAUD, echo=True)).run()

    assert not bench.failed, bench.told()
