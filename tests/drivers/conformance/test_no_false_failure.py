"""No good board fails: both firmwares, every wire, one seat and nine, on a busy computer, with a clock of their own.

A run is a seed. `make campaign` plays 200, a dozen of every wire and size; the short form one of each wire.
"""

from random import Random

import pytest
from conftest import CAMPAIGN

from drivers.modbus.timing import LineTiming
from drivers.native.contract import Capability, UnitClass
from drivers.session import MILLISECOND
from firmware_sim.line.mishap import LineSettings
from firmware_sim.native.make import USUAL
from support.sim.conformance_bench import PATIENCE, Bench, firmware_of, make
from support.sim.reference import ReferenceBench, VirtualUnit, table

RUNS, PARTS = (200, 8) if CAMPAIGN else (8, 4)
TCP = 0
WIRES = (19200, 38400, 57600, 115200, 230400, 460800, 921600, TCP)
BOTH_WAYS = USUAL[UnitClass.TABLE] | Capability.WRITE_READ
MOST_WRONG = 3000  # millionths, of a clock; the contract allows 5000
SEEN = 125


def run(seed):
    """The seed says which board at which wire, and how late everybody is."""
    chance = Random(seed)
    baud, seats, in_c = WIRES[seed % len(WIRES)], (1, 9)[seed // 8 % 2], bool(seed // 16 % 2)
    tcp = baud == TCP
    more = {
        "tcp": tcp, "seed": seed, "busy": Random(seed + 1), "millionths": chance.randint(-MOST_WRONG, MOST_WRONG),
        "reaction": chance.choice([1, 50, 400, 1500]) * MILLISECOND,
    }  # fmt: skip
    if not tcp:
        more |= {
            "line": LineSettings(baud=baud), "baud": baud,
            "timing": LineTiming(baud=baud, answer=PATIENCE, latency=chance.choice([0, 1, 16]) * MILLISECOND),
        }  # fmt: skip
    if in_c:
        unit = VirtualUnit(table(seats), tcp=tcp, seed=seed, **({} if tcp else {"baud": baud}))
        return ReferenceBench(unit, **more).run()
    sim = make(UnitClass.TABLE, seats, capabilities=BOTH_WAYS, answer=chance.randint(200, 18_000))
    return Bench(firmware_of(sim, seed=seed), **more).run()


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_no_good_board_fails(part, tell):
    for seed in range(part, RUNS, PARTS):
        bench = run(seed if CAMPAIGN else seed + 8 * (seed % 4))
        assert not bench.failed, f"seed {seed}: {bench.told()}"
        assert len([one for one in bench.verdicts if one.outcome == "PASS"]) >= SEEN
        tell(f"seed {seed}: {len(bench.verdicts)} clauses")
