"""The examination finds what is wrong: each planted fault fails exactly the clauses that name it, and says why."""

import pytest

from drivers.conformance.examination import CATALOGUE
from drivers.conformance.steps import ClauseOutcome
from support.sim.conformance_bench import Bench, firmware_of, make
from support.sim.faulty_firmware import PLANTED, capabilities


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name)
def test_a_planted_fault_is_named_by_its_clauses_and_by_no_other(planted):
    unit = make(planted.unit_class, planted.seats, capabilities=capabilities(planted))

    bench = Bench(firmware_of(unit, planted.firmware), slave=planted.slave).run()

    if planted.at_least:
        assert planted.clauses < set(bench.failed)
    else:
        assert planted.clauses == set(bench.failed), bench.told()
    for verdict in bench.verdicts:
        if verdict.outcome is ClauseOutcome.FAIL:
            assert verdict.expected
            assert verdict.came
            assert verdict.frames


def test_there_are_many_and_each_is_another():
    assert len(PLANTED) >= 40
    assert len({planted.name for planted in PLANTED}) == len(PLANTED)
    assert set().union(*(planted.clauses for planted in PLANTED)) <= {clause.name for clause in CATALOGUE}
