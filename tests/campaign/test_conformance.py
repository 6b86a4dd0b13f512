"""The examination of good units: all classes, both lines, every speed; and of units that are not there.

Everything in virtual time. That it finds what is wrong is shown in campaign/test_conformance_faults.py.
"""

import random
import re
from dataclasses import replace

import pytest

from drivers.conformance import report
from drivers.conformance.examination import CATALOGUE
from drivers.conformance.steps import ClauseOutcome, Need
from drivers.modbus.pdu import Denial, Denied
from drivers.modbus.timing import LineTiming
from drivers.native.contract import Capability, LockState, SeatMode, UnitClass
from drivers.native.writes import Config
from drivers.session import MILLISECOND
from firmware_sim.line.mishap import Chunk, LineSettings
from firmware_sim.line.slave import RtuSlave, TcpSlave
from firmware_sim.native.books import wound_up
from firmware_sim.native.make import USUAL
from firmware_sim.native.unit import Firmware
from support.sim.conformance_bench import BAUD, LIVE, PATIENCE, UNIT, Bench, firmware_of, make

NAMED = {clause.name: clause for clause in CATALOGUE}
BOTH = USUAL[UnitClass.TABLE] | Capability.CHIP_SLOT | Capability.GATE | Capability.WRITE_READ
UNITS = {
    "one seat": make(),
    "nine seats": make(UnitClass.TABLE, 9),
    "chip slot": make(UnitClass.CHIP_SLOT),
    "console": make(UnitClass.CONSOLE),
    "counter": make(UnitClass.COUNTER),
    "buttons and chips": make(
        UnitClass.TABLE, 3, capabilities=BOTH, modes=(SeatMode.CHIPS, SeatMode.BUTTONS, SeatMode.CHIPS)
    ),
    "never configured": make(config=None),
    "without a gate": make(UnitClass.CHIP_SLOT, capabilities=USUAL[UnitClass.CHIP_SLOT] & ~Capability.GATE),
    "console without a line": make(UnitClass.CONSOLE, capabilities=USUAL[UnitClass.CONSOLE] & ~Capability.LOCK_LINE),
    "strict hold": make(config=Config(credit_value=1, least=1, most=3, buttons=(1, 2, 3, 0), unit=UNIT, hold=0)),
}


@pytest.mark.parametrize("tcp", [False, True], ids=["rtu", "tcp"])
@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_a_good_unit_conforms(unit, tcp):
    bench = Bench(firmware_of(unit), tcp=tcp).run()

    assert not bench.failed, bench.told()
    assert [verdict.name for verdict in bench.verdicts] == [clause.name for clause in CATALOGUE]
    assert len(bench.of(ClauseOutcome.PASS)) > 40
    assert report.conforms(bench.verdicts)


def test_together_these_units_leave_no_clause_unexamined():
    passed = set()
    for unit in UNITS.values():
        passed |= set(Bench(firmware_of(unit)).run().of(ClauseOutcome.PASS))
    passed |= set(Bench(firmware_of(make()), tcp=True).run().of(ClauseOutcome.PASS))

    assert passed == set(NAMED)


def test_a_unit_whose_totals_are_about_to_wrap_conforms():
    unit = make(UnitClass.TABLE, 2)

    bench = Bench(Firmware(unit, wound_up(unit, 2**32 - 20), random.Random(1))).run()

    assert not bench.failed, bench.told()


@pytest.mark.parametrize("baud", [9600, 19200, 38400])
def test_a_slow_line_of_nine_seats_is_no_fault_of_the_unit(baud):
    line, timing = LineSettings(baud=baud), LineTiming(baud=baud, answer=PATIENCE, latency=0)

    bench = Bench(firmware_of(make(UnitClass.TABLE, 9)), line=line, timing=timing, baud=baud).run()

    assert not bench.failed, bench.told()


@pytest.mark.parametrize("line", [
    LineSettings(baud=BAUD, chunk=Chunk.ADAPTER, latency=16 * MILLISECOND),
    LineSettings(baud=BAUD, chunk=Chunk.BYTES),
    LineSettings(baud=BAUD, echo=True),
], ids=["adapter", "bytes", "echo"])  # fmt: skip
def test_neither_is_an_adapter(line):
    bench = Bench(firmware_of(make()), line=line, timing=LineTiming(baud=BAUD, answer=PATIENCE)).run()

    assert not bench.failed, bench.told()


def test_hands_faster_than_their_own_fingers_are_waited_for():
    bench = Bench(firmware_of(make(answer=200)), tcp=True, reaction=1).run()

    assert not bench.failed, bench.told()


def test_afterwards_the_unit_is_locked_and_as_it_was():
    firmware = firmware_of(make(UnitClass.TABLE, 2))
    firmware.memory.seats[0].loaded = 7

    bench = Bench(firmware).run()

    assert firmware._state is LockState.LOCKED
    assert firmware.memory.read_config() == Config.decode(LIVE.encode()).__class__(
        **{name: getattr(LIVE, name) for name in LIVE.__slots__} | {"first_seat": 3}
    )
    assert [seat.balance for seat in firmware.seats] == [7, 0]
    assert bench.subject.identity.config_generation == LIVE.generation


def test_without_hands_what_needs_them_is_skipped_by_name():
    bench = Bench(firmware_of(make()), can=frozenset()).run()

    skipped = {verdict.name: verdict.why for verdict in bench.verdicts if verdict.outcome is ClauseOutcome.SKIPPED}
    assert not bench.failed, bench.told()
    assert not bench.prompts
    assert skipped["2.4-press-and-ack"] == f"needs {Need.HANDS}"
    assert skipped["2.2-tcp-stream"] == f"needs {Need.TCP}"
    assert "2.3-K-loaded-to" not in skipped


def test_the_power_is_cut_only_where_that_was_allowed():
    bench = Bench(firmware_of(make()), can=frozenset({Need.HANDS})).run()

    assert "2.6-power-cycle" in bench.of(ClauseOutcome.SKIPPED)
    assert not [prompt for prompt in bench.prompts if prompt.startswith("unit")]


def test_hands_that_refuse_are_no_fault_of_the_unit():
    bench = Bench(firmware_of(make()), refuse="no finger is free").run()

    skipped = {verdict.name: verdict.why for verdict in bench.verdicts if verdict.outcome is ClauseOutcome.SKIPPED}
    assert not bench.failed, bench.told()
    assert skipped["2.4-press-and-ack"] == "«seat 3 press 1»: no finger is free"

    bench = Bench(
        firmware_of(make(UnitClass.CHIP_SLOT)), clauses=[NAMED["2.5-chip-when-locked"]], refuse="no chip"
    ).run()
    assert bench.verdicts[0].why == "«seat 3 chip»: no chip"


def test_hands_that_say_nothing_are_waited_for_and_no_fault_of_the_unit():
    names = ("2.4-press-and-ack", "2.4-chip-limit", "2.5-chip-when-locked", "2.4-lamp-open")
    clauses = [NAMED[name] for name in names]

    bench = Bench(firmware_of(make(UnitClass.TABLE, 2, capabilities=BOTH, modes=(SeatMode.BUTTONS, SeatMode.CHIPS))),
                  deaf={"press", "chip"}, clauses=clauses).run()  # fmt: skip

    assert bench.of(ClauseOutcome.SKIPPED) == [clause.name for clause in clauses]
    assert all("nobody" in verdict.why for verdict in bench.verdicts)


def test_hands_that_lie_show_as_a_failure():
    bench = Bench(firmware_of(make()), idle={"press"}, clauses=[NAMED["2.4-press-and-ack"]]).run()

    [verdict] = bench.verdicts
    assert verdict.outcome is ClauseOutcome.FAIL
    assert verdict.expected == "a bet PENDING after «seat 3 press 1»"
    assert "no bet" in verdict.came


def test_nobody_there_is_a_failure_with_one_name():
    firmware = firmware_of(make())
    firmware.power_off(0)

    bench = Bench(firmware).run()

    assert bench.failed == ["2.3-I-identity"]
    assert len(bench.of(ClauseOutcome.SKIPPED)) == len(CATALOGUE) - 1
    assert bench.subject.identity is None


def test_somebody_else_there_is_not_examined_further():
    class Foreign(Firmware):
        def _identity(self):
            return (0,) * 32

    bench = Bench(firmware_of(make(), Foreign)).run()

    assert bench.failed == ["2.3-I-identity"]


def test_a_unit_that_claims_too_many_seats_is_not_asked_for_them():
    class Boaster(Firmware):
        def _identity(self):
            from drivers.native.blocks import Identity

            return replace(Identity.decode(super()._identity(), UNIT), seats=40).encode()

    bench = Bench(firmware_of(make(), Boaster)).run()

    assert bench.failed == ["2.3-I-identity"]


def test_a_unit_that_dies_under_examination_ends_it():
    class Dies(RtuSlave):
        def _hear(self, unit, message, now):
            if message[0] == 5:
                self.firmware.power_off(now)
            else:
                super()._hear(unit, message, now)

    bench = Bench(firmware_of(make()), slave=Dies).run()

    assert bench.failed == ["2.2-FC05-FC06-refused"]
    last = bench.verdicts[-1]
    assert last.outcome is ClauseOutcome.SKIPPED
    assert last.why == "the unit does not answer any more since 2.2-FC05-FC06-refused"


def test_a_unit_that_takes_no_configuration_is_examined_on_its_own():
    class Stubborn(Firmware):
        def _write_config(self, words):
            return Denied(Denial.VALUE)

    own = Config(credit_value=1, least=1, most=3, buttons=(1, 0, 0, 0), unit=UNIT, hold=0)
    bench = Bench(firmware_of(make(config=own), Stubborn)).run()
    verdicts = {verdict.name: verdict for verdict in bench.verdicts}

    assert verdicts["2.6-lamps-held"].outcome is ClauseOutcome.PASS
    assert verdicts["2.4-limits"].why == "no button outside the limits in the live configuration"
    assert set(bench.failed) == {
        "2.3-C-commit", "2.3-C-after-hand", "2.3-C-settle", "2.3-E-unlock", "2.3-K-seat-left-out", "2.4-unlock-not-staged",
        "2.4-blink", "2.4-debounce", "2.5-press-in-flight", "2.6-boot-forgets", "2.6-pending-voided",
    }, bench.told()  # fmt: skip

    bench = Bench(firmware_of(make(config=None), Stubborn)).run()
    opening = next(verdict for verdict in bench.verdicts if verdict.name == "2.4-same-round")
    assert opening.expected == "a unit with a valid configuration"


def test_neighbours_that_answer_are_not_mistaken_for_the_unit():
    others = [
        firmware_of(replace(make(), unit=unit, serial=unit)) for unit in (UNIT ^ 0x80, UNIT ^ 0x40, UNIT + 1, 247)
    ]

    bench = Bench(firmware_of(make()), clauses=[NAMED["2.2-other-units-silent"]], neighbours=others).run()

    assert bench.verdicts[0].why == "every other address that was tried is taken"


@pytest.mark.parametrize("unit", [1, 64, 128, 247])
def test_every_address_has_others_to_ask_for(unit):
    bench = Bench(firmware_of(replace(make(config=None), unit=unit)), clauses=[NAMED["2.2-other-units-silent"]]).run()

    assert bench.verdicts[0].outcome is ClauseOutcome.PASS


@pytest.mark.parametrize(("code", "outcome"), [(0x0B, ClauseOutcome.SKIPPED), (2, ClauseOutcome.FAIL)])
def test_a_gateway_may_say_that_nobody_is_there(code, outcome):
    class Gateway(TcpSlave):
        def _hear(self, whole, now):
            if whole[6] in {0, UNIT}:
                super()._hear(whole, now)
            else:
                self._answers.append((now + 1000, whole[:4] + b"\0\3" + whole[6:7] + bytes((whole[7] | 0x80, code))))

    bench = Bench(firmware_of(make()), clauses=[NAMED["2.2-other-units-silent"]], tcp=True, slave=Gateway).run()

    assert bench.verdicts[0].outcome is outcome


def test_a_unit_that_stays_dark_after_a_power_cycle_fails_it():
    bench = Bench(firmware_of(make()), clauses=[NAMED["2.6-power-cycle"]], idle={"on"}).run()

    assert bench.verdicts[0].expected == "an answer after «unit 11 on»"
    assert bench.verdicts[0].came == "silence"
    assert bench.prompts == ["unit 11 off", "unit 11 on", "unit 11 on"]


def test_a_unit_that_lost_its_details_is_examined_all_the_same():
    class NoDetail(Firmware):
        def _detail(self, seat):
            return (0,) * 32

    bench = Bench(firmware_of(make(), NoDetail)).run()

    assert "2.3-S-detail" in bench.failed
    assert "2.2-check-word" not in bench.failed


def test_a_noisy_line_ends_the_examination_all_the_same():
    line = LineSettings(baud=BAUD, loss=0.2, noise=0.2, duplication=0.1, delay=0.1)

    for seed in range(5):
        bench = Bench(firmware_of(make()), line=line, seed=seed).run()
        assert len(bench.verdicts) == len(CATALOGUE)


def test_clauses_are_named_once_and_by_their_section():
    assert len(NAMED) == len(CATALOGUE)
    for clause in CATALOGUE:
        assert re.match(r"^2\.[1-6]-[A-Za-z0-9-]+$", clause.name)
        assert clause.sentence.endswith(".")
        assert "\n" not in clause.sentence
        assert not clause.rests_on or clause.rests_on in NAMED


def test_the_report_has_a_line_for_each_clause_and_the_reasons():
    bench = Bench(firmware_of(make()), idle={"press"}, clauses=[NAMED["2.3-A-tag"], NAMED["2.4-press-and-ack"]]).run()
    passed, failed = bench.verdicts

    assert report.lines_of(passed) == [f"PASS    {'2.3-A-tag':<30} {NAMED['2.3-A-tag'].sentence}"]
    assert report.lines_of(failed)[1].strip() == f"expected: {failed.expected}"
    assert any(line.strip().startswith("> 0b 03 20 00") for line in report.lines_of(failed))
    assert report.summary(bench.subject.identity, bench.verdicts)[-1] == "Does not conform: 2.4-press-and-ack"
    assert not report.conforms(bench.verdicts)


def test_nothing_examined_does_not_conform():
    skipped = Bench(firmware_of(make()), clauses=[NAMED["2.3-V-shown"]]).run().verdicts

    assert not report.conforms(skipped)
    assert report.summary(None, skipped) == ["0 passed, 0 failed, 1 skipped: no identity", "Nothing was examined."]


def test_the_document_names_everything():
    bench = Bench(firmware_of(make()), idle={"press"}, clauses=[NAMED["2.4-press-and-ack"], NAMED["2.3-V-shown"]]).run()

    document = report.as_document("/dev/x", bench.subject.wire, UNIT, bench.subject.identity, bench.verdicts)

    assert (document["passed"], document["failed"], document["skipped"], document["conforms"]) == (0, 1, 1, False)
    failed, skipped = document["verdicts"]
    assert failed["verdict"] == "fail"
    assert set(failed) == {"clause", "sentence", "verdict", "expected", "came", "frames"}
    assert skipped == {"clause": "2.3-V-shown", "sentence": NAMED["2.3-V-shown"].sentence, "verdict": "skipped",
                       "because": "not of class 1"}  # fmt: skip
    assert document["identity"]["serial"] == 0x1234
    assert document["limits"] == report.limits(bench.subject.wire)
    assert report.as_document("x", bench.subject.wire, 1, None, [])["identity"] is None


class TakesLateAnswers(RtuSlave):
    """A loaded host: every fourth heartbeat gets the late answer of the one before, and is itself lost."""

    said = 0

    def _hear(self, unit, message, now):
        if message[:3] == bytes((0x10, 0x04, 0x00)):
            self.said += 1
        if message[:3] == bytes((0x10, 0x04, 0x00)) and self.said % 4 == 0:
            self._speak(unit, message[:5], now)
        else:
            super()._hear(unit, message, now)


def test_heartbeats_that_a_loaded_host_loses_do_not_fail_the_overflow():
    bench = Bench(firmware_of(make()), clauses=[NAMED["2.3-E-overflow"]], slave=TakesLateAnswers).run()

    assert bench.of(ClauseOutcome.PASS) == ["2.3-E-overflow"], bench.told()
