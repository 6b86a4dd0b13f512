"""Whose unit it is: one that a host feeds is left as it is, one that was left a moment ago is examined."""

import itertools

from drivers.conformance.examination import CATALOGUE
from drivers.conformance.in_use import examine_if_free
from drivers.conformance.steps import ClauseOutcome
from drivers.modbus.pdu import WriteWords
from drivers.native import contract as at
from drivers.native.writes import Command, Desired
from drivers.session import MILLISECOND
from support.sim.conformance_bench import Bench, firmware_of, make

FIRST = [clause for clause in CATALOGUE if clause.name == "2.3-I-identity"]
EVERY = 400 * MILLISECOND


def bench_with_a_host(beats=range(1, 1000), **more):
    """Another host opened a session on it, and feeds it as often as it has beats."""
    bench = Bench(firmware_of(make(**more)), clauses=FIRST, walk=examine_if_free)
    unit, beats = bench.firmware, iter(beats)
    order = Command(command_id=1, opcode=at.Opcode.OPEN_SESSION, target=5)
    bench.world.act(lambda now: unit.serve(WriteWords(at.COMMAND, order.encode()), now))

    def feed(now):
        for beat in itertools.islice(beats, 1):
            wanted = Desired(token=unit._token, heartbeat=beat & 0xFFFF)
            unit.serve(WriteWords(at.DESIRED, wanted.encode()), now)
            bench.world.at(now + EVERY, feed)

    bench.world.act(feed)
    return bench


def test_a_unit_that_a_host_feeds_is_not_touched():
    bench = bench_with_a_host()
    token = bench.firmware._token

    bench.run()

    assert not bench.verdicts
    assert bench.refused == ["unit 11 is in use: a host feeds it. Stop that host, or say --force and its round is lost"]
    assert (bench.firmware._token, bench.firmware._second_host) == (token, False)


def test_one_without_a_configuration_is_looked_at_as_well():
    assert bench_with_a_host(config=None).run().refused


def test_a_unit_whose_host_left_a_moment_ago_is_examined():
    bench = bench_with_a_host(beats=[1]).run()

    assert not bench.refused
    assert bench.of(ClauseOutcome.PASS) == ["2.3-I-identity"]


def test_one_that_nobody_has_is_examined_at_once_and_silence_is_a_clause_of_its_own():
    assert Bench(firmware_of(make()), clauses=FIRST, walk=examine_if_free).run().of(ClauseOutcome.PASS)
    dead = firmware_of(make())
    dead.power_off(0)
    assert Bench(dead, clauses=FIRST, walk=examine_if_free).run().failed == ["2.3-I-identity"]
