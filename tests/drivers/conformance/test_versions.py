"""A board of contract 1.0 is examined too; what 1.0 left open is left out by name."""

from dataclasses import replace

import pytest

from drivers.conformance.examination import CATALOGUE
from drivers.conformance.steps import ClauseOutcome
from drivers.native.blocks import Identity
from drivers.native.contract import UnitClass
from firmware_sim.native.unit import Firmware
from support.sim.conformance_bench import UNIT, Bench, firmware_of, make


class OfContract10(Firmware):
    def _identity(self):
        return replace(Identity.decode(super()._identity(), UNIT), version=0x0100).encode()


class OfContract20(Firmware):
    def _identity(self):
        return replace(Identity.decode(super()._identity(), UNIT), version=0x0200).encode()


@pytest.mark.parametrize("tcp", [False, True])
@pytest.mark.parametrize("unit_class", UnitClass)
def test_a_board_of_1_0_passes_and_what_it_left_open_is_named(unit_class, tcp):
    bench = Bench(firmware_of(make(unit_class), OfContract10), tcp=tcp).run()

    assert not bench.failed, bench.told()
    why = {one.name: one.why for one in bench.verdicts if one.outcome is ClauseOutcome.SKIPPED}
    for clause in CATALOGUE:
        if clause.since > 0x0100 and unit_class in clause.classes:
            assert why[clause.name] == "since 0101: the unit's contract, 0100, left it open"
    if tcp:
        assert why["2.2-broadcast"] == "over TCP, a unit of contract 0100 need not obey unit 0"


def test_a_board_of_another_contract_is_not_one_of_ours():
    assert "2.3-I-identity" in Bench(firmware_of(make(), OfContract20)).run().failed
