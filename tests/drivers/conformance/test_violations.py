"""Every violation that a maker built in, or may build in, is named by its clause, and by no other that it does not say."""

import pytest
from conftest import CAMPAIGN

from drivers.conformance.examination import CATALOGUE
from drivers.conformance.steps import ClauseOutcome
from firmware_sim.native.make import USUAL
from firmware_sim.violations.table import VIOLATIONS
from support.sim.conformance_bench import Bench, firmware_of, make


def asked(violation):
    """The short form asks the clauses that must name it, and what they rest on; the long one asks all of them."""
    named = {violation.clause, *violation.also}
    named |= {clause.rests_on for clause in CATALOGUE if clause.name in named}
    return [clause for clause in CATALOGUE if CAMPAIGN or clause.name in named]


@pytest.mark.campaign
@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda violation: violation.name)
def test_a_violation_is_named_by_its_clause(violation):
    abilities = USUAL[violation.unit_class] | violation.more
    unit = make(violation.unit_class, violation.seats, capabilities=abilities)

    bench = Bench(firmware_of(unit, violation.firmware), slave=violation.slave, clauses=asked(violation)).run()

    named, failed = {violation.clause, *violation.also}, set(bench.failed)
    assert violation.clause in failed, bench.told()
    assert violation.deep or failed <= named, bench.told()
    assert failed >= named or not CAMPAIGN, bench.told()
    for verdict in bench.verdicts:
        if verdict.outcome is ClauseOutcome.FAIL:
            assert verdict.expected
            assert verdict.came


def test_there_are_many_and_each_is_another():
    assert len({violation.name for violation in VIOLATIONS}) == len(VIOLATIONS)
    assert len({violation.unit for violation in VIOLATIONS}) == len(VIOLATIONS)
    assert {violation.clause for violation in VIOLATIONS} <= {clause.name for clause in CATALOGUE}
