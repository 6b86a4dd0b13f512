"""Every violation that a maker built in, or may build in, is named by its clause, and by no other that it does not say."""

import pytest

from drivers.conformance.examination import CATALOGUE
from drivers.conformance.steps import ClauseOutcome
from firmware_sim.native.make import USUAL
from firmware_sim.violations.table import VIOLATIONS
from support.sim.conformance_bench import Bench, firmware_of, make


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda violation: violation.name)
def test_a_violation_is_named_by_its_clause(violation):
    abilities = USUAL[violation.unit_class] | violation.more
    unit = make(violation.unit_class, violation.seats, capabilities=abilities)

    bench = Bench(firmware_of(unit, violation.firmware), slave=violation.slave).run()

    assert set(bench.failed) == {violation.clause, *violation.also}, bench.told()
    for verdict in bench.verdicts:
        if verdict.outcome is ClauseOutcome.FAIL:
            assert verdict.expected
            assert verdict.came


def test_there_are_many_and_each_is_another():
    assert len({violation.name for violation in VIOLATIONS}) == len(VIOLATIONS)
    assert len({violation.unit for violation in VIOLATIONS}) == len(VIOLATIONS)
    assert {violation.clause for violation in VIOLATIONS} <= {clause.name for clause in CATALOGUE}
