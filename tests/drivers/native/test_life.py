"""The life of a unit's driver: from an address to a session, why it refuses, what ends it, and how it comes back."""

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from drivers.line.failures import Failure
from drivers.modbus.pdu import Denial, Denied, Words, WriteWords, Written
from drivers.modbus.turn import Ask
from drivers.model import DeviceKey, Down, SeatSeen, UnitDown, UnitUp
from drivers.native import contract as at
from drivers.native.asks import About
from drivers.native.blocks import FastPoll, Identity
from drivers.native.contract import (
    Bet,
    Capability,
    LockState,
    Opcode,
    ResetCause,
    SeatMode,
    UnitClass,
    UnitFault,
    UnitFlag,
)
from drivers.native.unit import NativeUnit
from drivers.native.writes import Command, Desired
from drivers.session import MILLISECOND, SECOND
from firmware_sim.native.make import USUAL
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware
from support.drivers.native_pair import FIRST_COMMAND, NONCE, NUMBER, Pair, config, settings_of


def identity_that(pair, **changes):
    """The wire as it is, but for what the unit says of itself."""

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is About.IDENTITY and isinstance(answer, Words):
            return Words(replace(Identity.decode(answer.words, NUMBER), **changes).encode())
        return answer

    return wire


def commands(pair):
    return [Command.decode(ask.request.words) for ask in pair.asked if ask.mark is About.COMMAND]


def desires(pair):
    return [Desired.decode(ask.request.words) for ask in pair.asked if ask.mark is About.DESIRED]


# Up.


def test_a_unit_is_identified_read_opened_and_then_up_with_all_its_seats():
    pair = Pair(UnitClass.TABLE, 3, first_seat=4).up()

    up = pair.last(UnitUp)
    assert (up.unit, up.device, up.product, up.seats, up.rebooted) == (
        NUMBER,
        DeviceKey(77, 0),
        "POZO SIM",
        (4, 5, 6),
        False,
    )
    assert [ask.mark for ask in pair.asked[:5]] == [
        About.IDENTITY,
        About.CONFIG,
        About.IMAGE,
        About.COMMAND,
        About.IMAGE,
    ]
    assert [seen.seat for seen in pair.all(SeatSeen)] == [4, 5, 6]
    assert all(seen.locked for seen in pair.all(SeatSeen))
    assert pair.events.index(up) < pair.events.index(pair.all(SeatSeen)[0])


def test_the_session_is_opened_with_the_hosts_nonce_and_first_command_number():
    first = commands(Pair().up())[0]

    assert (first.command_id, first.opcode, first.target, first.token) == (FIRST_COMMAND, Opcode.OPEN_SESSION, NONCE, 0)


def test_no_command_has_the_number_the_unit_shows_or_zero():
    pair = Pair()
    pair.up()
    pair.forget().host(first_command=FIRST_COMMAND).lock()
    pair.run(3 * SECOND)
    assert commands(pair)[0].command_id == FIRST_COMMAND + 1

    pair.forget().host(first_command=0xFFFF)
    pair.up()
    pair.unit.load(1, 0, 10)
    pair.run(SECOND)
    assert [command.command_id for command in commands(pair)] == [0xFFFF, 1]


def test_nothing_is_asked_before_the_line_is_up_or_after_it_went_down():
    unit = NativeUnit(settings_of(), NONCE, FIRST_COMMAND)
    assert unit.due() is None
    assert unit.next_ask(5) is None
    assert not unit.urgent()

    pair = Pair().up().forget()
    pair.unit.line_down(pair.now)
    pair.run(SECOND).collect()
    assert pair.asked == []
    assert pair.unit.due() is None
    assert pair.reasons() == [Down.LINE_DOWN]


def test_a_port_that_comes_back_is_asked_who_is_there_before_anything_is_trusted():
    pair = Pair().opened().forget()
    pair.unit.line_down(pair.now)
    pair.unit.line_up(pair.now)
    pair.up()

    assert pair.reasons() == [Down.LINE_DOWN]
    assert pair.asked[0].mark is About.IDENTITY
    assert pair.last(UnitUp).rebooted is False


def test_a_port_that_comes_up_twice_was_down_in_between():
    pair = Pair().opened().forget()
    pair.unit.line_up(pair.now)
    pair.up()

    assert pair.reasons() == [Down.LINE_DOWN]


def test_hostile_letters_of_a_product_are_not_passed_on():
    pair = Pair()
    pair.wire = identity_that(pair, product="A\nB\x1b[2J")

    assert pair.up().last(UnitUp).product == "A?B?[2J"


# Refused.


@pytest.mark.parametrize(
    ("unit_class", "modes", "wanted"),
    [
        (UnitClass.TABLE, (SeatMode.BUTTONS, SeatMode.CHIPS), SeatMode.BUTTONS),
        (UnitClass.TABLE, (SeatMode.CHIPS, SeatMode.BUTTONS), SeatMode.CHIPS),
        (UnitClass.ELECTRONIC, (SeatMode.CHIPS,), SeatMode.BUTTONS),
        (UnitClass.CHIP_SLOT, (SeatMode.BUTTONS,), SeatMode.CHIPS),
    ],
)
def test_a_unit_with_a_seat_that_takes_its_bets_otherwise_is_refused_by_that_seat(unit_class, modes, wanted):
    pair = Pair(unit_class, len(modes), first_seat=4, modes=modes, mode=wanted).run(10 * SECOND)

    (down,) = pair.all(UnitDown)
    other = next(mode for mode in modes if mode is not wanted)
    assert down.reason is Down.WRONG_CLASS
    assert down.detail == f"seat {4 + modes.index(other)} is of {other.name}, not of {wanted.name}"
    assert not pair.all(UnitUp) and not pair.all(SeatSeen)
    assert {ask.mark for ask in pair.asked} == {About.IDENTITY, About.CONFIG, About.IMAGE}, "nothing is written"


def test_a_box_with_other_seats_in_the_place_of_one_that_was_driven_is_not_driven():
    wanted = {"modes": (SeatMode.BUTTONS,) * 2, "mode": SeatMode.BUTTONS}
    pair = Pair(UnitClass.TABLE, 2, books={}, **wanted).opened().forget()
    other = replace(pair.make, serial=78, modes=(SeatMode.BUTTONS, SeatMode.CHIPS))
    pair.firmware = Firmware(other, Nvm(), random.Random(5), pair.now)
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.REBOOTED, Down.REPLACED, Down.WRONG_CLASS]
    assert not pair.all(UnitUp) and not pair.all(SeatSeen)


def test_a_unit_whose_seats_all_take_their_bets_as_wanted_is_up():
    assert Pair(UnitClass.TABLE, 2, modes=(SeatMode.CHIPS,) * 2, mode=SeatMode.CHIPS).up().last(UnitUp)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 0x0200}, Down.WRONG_VERSION),
        ({"unit_class": 2}, Down.WRONG_CLASS),
        ({"unit_class": 77}, Down.WRONG_CLASS),
        ({"capabilities": USUAL[UnitClass.ELECTRONIC] & ~Capability.LAMP}, Down.WRONG_CLASS),
        ({"capabilities": USUAL[UnitClass.ELECTRONIC] & ~Capability.BUTTONS}, Down.WRONG_CLASS),
        ({"capabilities": USUAL[UnitClass.CHIP_SLOT]}, Down.WRONG_CLASS),
        ({"seats": 2}, Down.WRONG_SEATS),
    ],
)
def test_a_unit_that_is_something_else_is_refused_by_name_once_and_asked_again_gently(changes, reason):
    pair = Pair(mode=SeatMode.BUTTONS)
    pair.wire = identity_that(pair, **changes)
    pair.run(10 * SECOND)

    assert pair.reasons() == [reason]
    assert pair.last(UnitDown).seats == (1,)
    assert {ask.mark for ask in pair.asked} == {About.IDENTITY}
    assert len(pair.asked) <= 6

    pair.wire = pair.perfect
    pair.up()


def test_a_later_minor_version_of_the_contract_is_the_same_contract():
    pair = Pair()
    pair.wire = identity_that(pair, version=0x0107)

    pair.up()


@pytest.mark.parametrize(
    "answer", [Words((7,) * 32), Denied(Denial.ADDRESS), Denied(77), Words((at.MAGIC, *(0,) * 31))]
)
def test_what_has_no_identity_is_not_native_and_is_never_written_to(answer):
    pair = Pair()
    pair.wire = lambda _: answer
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.NOT_NATIVE]
    assert {ask.mark for ask in pair.asked} == {About.IDENTITY}
    assert len(pair.asked) <= 3 * 6


def test_one_strange_answer_before_the_identity_is_only_late():
    pair = Pair()
    answers = iter([Words((7,) * 32), Denied(Denial.BUSY)])
    pair.wire = lambda ask: next(answers, None) or pair.perfect(ask)

    assert pair.up().reasons() == []


def test_an_identity_of_another_unit_is_not_this_ones():
    pair = Pair()
    pair.wire = identity_that(pair, unit=NUMBER + 1)
    pair.run(SECOND)

    assert Down.NOT_NATIVE in pair.reasons()


# Configuration.


def test_a_unit_with_another_configuration_gets_the_installations_and_is_read_again_before_it_is_up():
    pair = Pair(live=config(most=3))
    pair.up()

    marks = [ask.mark for ask in pair.asked]
    assert About.CONFIGURE in marks
    assert pair.firmware._live_config == pair.settings.config
    assert pair.reasons() == []
    assert marks.count(About.IDENTITY) == 2
    assert len(pair.all(UnitUp)) == 1


def test_a_unit_that_was_never_configured_gets_its_first_configuration():
    pair = Pair()
    pair.firmware = Firmware(replace(pair.make, config=None), Nvm(), random.Random(1), pair.now)
    pair.up()

    assert pair.firmware._live_config == pair.settings.config


def test_a_unit_with_the_right_configuration_is_not_written_to():
    assert About.CONFIGURE not in [ask.mark for ask in Pair().up().asked]


def test_a_bet_in_the_way_of_a_new_configuration_is_booked_and_voided_and_then_it_is_configured():
    pair = Pair(books={}).opened()
    pair.firmware.press(1, 2, pair.now)
    pair.run(SECOND)
    pair.unit.lock()
    pair.run(SECOND)
    pair.settings = settings_of(wanted=config(most=20))
    pair.forget().host()
    pair.run(6 * SECOND)

    assert pair.reasons() == [Down.CONFIG_REFUSED]
    assert pair.all(UnitUp) == []
    assert About.CONFIGURE not in [ask.mark for ask in pair.asked]
    assert pair.last().bet == "sealed"
    pair.unit.unlock(9)
    pair.run(SECOND)
    assert ("unlock", 0, False, "down") in pair.results()
    assert pair.firmware._state == LockState.LOCKED

    pair.unit.void(1, pair.last().bet_seq, 1)
    pair.run_until(lambda: bool(pair.all(UnitUp)))
    assert pair.firmware._live_config.most == 20


def test_values_a_unit_does_not_take_are_said_once_and_tried_gently():
    pair = Pair(live=config(most=3))
    pair.wire = lambda ask: Denied(Denial.VALUE) if ask.mark is About.CONFIGURE else pair.perfect(ask)
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.CONFIG_REFUSED]
    assert [ask.mark for ask in pair.asked].count(About.CONFIGURE) <= 6
    pair.wire = pair.perfect
    pair.up()


def _reconfigured_after_a_hand():
    """A bet of the last hand stands sealed in a unit whose node starts again with other values."""
    pair = Pair(books={}).opened()
    pair.firmware.press(1, 2, pair.now)
    pair.run(2 * SECOND)
    pair.unit.lock()
    pair.run(SECOND)
    assert pair.state() is Bet.SEALED
    pair.settings = replace(pair.settings, config=config(confirm_timeout=1552))
    pair.forget().host()
    return pair


def test_r26_in_mid_hand_a_unit_waits_for_its_configuration():
    pair = _reconfigured_after_a_hand()
    pair.run(10 * SECOND)

    assert pair.reasons()[-1] is Down.CONFIG_REFUSED and pair.firmware._live_config.confirm_timeout != 1552


def test_r26_between_hands_a_sealed_bet_hinders_no_configuration_and_outlives_it():
    pair = _reconfigured_after_a_hand()
    totals = pair.firmware.seats[0].memory.bets, pair.firmware.seats[0].memory.voided
    pair.run(5 * SECOND)
    pair.unit.hand_over()
    pair.run(5 * SECOND)

    assert pair.all(UnitUp) and pair.firmware._live_config.confirm_timeout == 1552
    assert (
        pair.state() is Bet.SEALED
        and (pair.firmware.seats[0].memory.bets, pair.firmware.seats[0].memory.voided) == totals
    )
    pair.unit.unlock(9)
    pair.run(2 * SECOND)
    assert pair.state() is Bet.NONE and pair.firmware._state == LockState.OPEN


def test_a_unit_that_does_not_commit_is_refused():
    pair = Pair(live=config(most=3))
    pair.firmware._may_configure = lambda: False
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.CONFIG_REFUSED]
    del pair.firmware._may_configure
    pair.up()


def test_a_unit_that_says_done_and_runs_on_something_else_is_refused_and_not_written_to_without_end():
    pair = Pair(live=config(most=3))
    other = config(most=4)

    def wire(ask):
        answer = pair.perfect(ask)
        return Words(other.encode()) if ask.mark is About.CONFIG and isinstance(answer, Words) else answer

    pair.wire = wire
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.CONFIG_REFUSED]
    assert [ask.mark for ask in pair.asked].count(About.CONFIGURE) <= 6


def test_a_late_answer_is_not_taken_for_the_configuration():
    pair = Pair()
    late = iter([Words(Identity(unit_class=1, capabilities=0, seats=1, unit=NUMBER, first_seat=1, serial=1).encode())])

    def wire(ask):
        answer = pair.perfect(ask)
        return next(late, answer) if ask.mark is About.CONFIG else answer

    pair.wire = wire
    assert pair.up().reasons() == []
    assert About.CONFIGURE not in [ask.mark for ask in pair.asked]


def test_a_unit_that_denies_its_blocks_is_as_good_as_silent():
    for block in (About.CONFIG, About.IMAGE, About.COMMAND):
        pair = Pair()
        pair.wire = lambda ask, pair=pair, block=block: (
            Denied(Denial.FAILURE) if ask.mark is block else pair.perfect(ask)
        )
        pair.run(2 * SECOND)

        assert pair.reasons() == [Down.SILENT], block
        assert pair.all(UnitUp) == []
    pair = Pair().up()
    pair.wire = lambda ask: Denied(Denial.FAILURE) if ask.mark is About.IMAGE else pair.perfect(ask)
    pair.forget().run(SECOND)
    assert pair.reasons() == [Down.SILENT]


def test_settings_that_cannot_work_are_refused_at_once():
    with pytest.raises(AssertionError, match="own address"):
        settings_of(wanted=config(unit=5))
    with pytest.raises(AssertionError, match="three heartbeats"):
        settings_of(beat=600 * MILLISECOND)
    with pytest.raises(AssertionError, match="several seats"):
        settings_of(UnitClass.ELECTRONIC, 2)
    with pytest.raises(AssertionError, match="no unit may run"):
        settings_of(wanted=config(least=5, most=4))
    with pytest.raises(AssertionError, match="not a seat"):
        NativeUnit(settings_of(), NONCE, 1).relight(2)


# Silence.


def test_three_failures_in_a_row_are_silence_and_said_once():
    pair = Pair().opened().forget()
    pair.wire = lambda _: Failure.SILENT
    pair.run(5 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert [ask.mark for ask in pair.asked[3:]] == [About.IDENTITY] * (len(pair.asked) - 3)


def test_two_failures_and_an_image_are_no_silence():
    pair = Pair().opened().forget()
    failed = iter([True, True, False] * 100)
    pair.wire = lambda ask: Failure.GARBLED if ask.mark is About.IMAGE and next(failed, False) else pair.perfect(ask)
    pair.run(5 * SECOND)

    assert pair.reasons() == []


def test_a_unit_without_one_image_is_silent_though_every_heartbeat_is_answered():
    pair = Pair(books={}).opened().forget()
    pair.wire = lambda ask: Failure.GARBLED if ask.mark is About.IMAGE else pair.perfect(ask)
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert pair.firmware._state != LockState.OPEN


def test_a_unit_that_answers_after_its_time_is_slow_and_its_session_goes_on_as_that_of_a_silent_one():
    pair = Pair(books={}).opened().forget()
    pair.wire = lambda _: Failure.LATE
    for _ in range(3):
        pair.exchange()
    assert pair.reasons() == [Down.SLOW]

    pair.wire = pair.perfect
    assert pair.run(1 * SECOND).last(UnitUp).goes_on


def test_a_heartbeat_between_two_failures_makes_them_no_fewer():
    pair = Pair(books={}).opened().forget()
    pair.wire = lambda ask: Failure.GARBLED if ask.mark is About.IMAGE else pair.perfect(ask)
    for _ in range(3):
        pair.now += 330 * MILLISECOND
        pair.firmware.tick(pair.now)
        pair.exchange()
        pair.exchange()

    assert [ask.mark for ask in pair.asked] == [About.DESIRED, About.IMAGE] * 3
    assert pair.reasons() == [Down.SILENT]


def test_a_unit_whose_images_are_never_asked_for_in_time_is_silent():
    pair = Pair(books={}).up().forget()
    pair.now += 1600 * MILLISECOND
    pair.exchange()

    assert pair.reasons() == [Down.SILENT]
    assert "image" in pair.last(UnitDown).detail


def test_a_heartbeat_that_is_overdue_goes_before_images_and_details_and_its_image_belongs_to_the_turn():
    pair = Pair(books={}).opened().run(SECOND)
    for _ in range(5):
        pair.now += 900 * MILLISECOND
        pair.forget().exchange()
        assert pair.asked[0].mark is About.DESIRED
        assert pair.unit.unfinished(), "a slow line must not starve images: they are what is late as well"
        pair.exchange()
        assert pair.asked[1].mark is About.IMAGE
    assert pair.reasons() == []


def test_a_unit_that_was_silent_comes_back_locked_and_stays_so_until_it_is_unlocked_anew():
    pair = Pair().opened().forget()
    assert pair.firmware._state == LockState.OPEN
    pair.wire = lambda _: Failure.SILENT
    pair.run(2 * SECOND)
    pair.wire = pair.perfect
    pair.run(5 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert not pair.last(UnitUp).rebooted and not pair.last(UnitUp).goes_on
    assert pair.firmware._state == LockState.LOCKED
    pair.unit.unlock(8)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN


def test_a_wish_to_open_that_was_never_fulfilled_does_not_survive_a_silence():
    pair = Pair(books={}).up()
    pair.firmware.lock_line(pulled=True, now=pair.now)
    pair.unit.unlock(3)
    pair.run(SECOND)
    pair.wire = lambda _: Failure.SILENT
    pair.run(200 * MILLISECOND)
    pair.wire = pair.perfect
    pair.firmware.lock_line(pulled=False, now=pair.now)
    pair.run(5 * SECOND)

    assert pair.firmware._state == LockState.LOCKED


def test_our_own_session_is_not_taken_for_another_hosts():
    pair = Pair().opened().forget()
    pair.wire = lambda _: Failure.SILENT
    pair.run(50 * MILLISECOND)
    pair.wire = pair.perfect
    pair.run(300 * MILLISECOND)

    assert len(pair.all(UnitUp)) == 1


def test_a_line_that_fails_is_no_failure_of_the_unit():
    pair = Pair().up().forget()
    pair.wire = lambda _: Failure.LINE_DOWN
    for _ in range(10):
        pair.exchange()

    assert pair.reasons() == []


def test_answers_that_are_never_believed_are_silence_even_if_the_master_does_not_call_them_failures():
    pair = Pair().up().forget()
    for _ in range(4):
        ask = pair.unit.next_ask(pair.now)
        assert not pair.unit.taken(ask, Words((0,) * 28), pair.now) or ask.mark is not About.IMAGE
    while (event := pair.unit.next_event()) is not None:
        pair.events.append(event)

    assert pair.reasons() == [Down.SILENT]


def test_an_answer_to_a_question_that_was_not_asked_is_foreign():
    pair = Pair().up().forget()
    ask = pair.unit.next_ask(pair.now)

    assert not pair.unit.taken(Ask(NUMBER, WriteWords(at.DESIRED, (0,) * 8)), Written(), pair.now)
    pair.unit.failed(Ask(NUMBER, WriteWords(at.DESIRED, (0,) * 8)), Failure.SILENT, pair.now)
    assert pair.unit.taken(ask, pair.perfect(ask), pair.now)
    assert not pair.unit.taken(ask, pair.perfect(ask), pair.now)


# Reboot, replacement, lost memory.


def test_a_reboot_is_seen_by_its_boot_id_and_the_unit_is_identified_anew():
    pair = Pair().opened().forget()
    pair.firmware.reboot(ResetCause.BROWN_OUT, pair.now)
    pair.run(3 * SECOND)

    assert pair.reasons() == [Down.REBOOTED]
    assert pair.last(UnitUp).rebooted
    assert pair.firmware._state == LockState.LOCKED
    pair.forget().run(SECOND)
    assert pair.events == []

    pair.wire = lambda _: Failure.SILENT
    pair.run(SECOND)
    pair.wire = pair.perfect
    pair.run(5 * SECOND)
    assert not pair.last(UnitUp).rebooted, "it was said once"


def test_another_box_at_the_same_address_is_said_and_has_a_key_of_its_own():
    pair = Pair().opened().forget()
    pair.unit.load(1, 50, 60)
    pair.firmware = Firmware(replace(pair.make, serial=78), Nvm(), random.Random(5), pair.now)
    pair.run(3 * SECOND)

    assert pair.reasons() == [Down.REBOOTED, Down.REPLACED]
    assert pair.last(UnitUp).device == DeviceKey(78, 0)
    assert pair.results() == [("load", 1, False, "replaced")]
    assert pair.firmware.seats[0].memory.loaded == 0


def test_a_unit_that_lost_its_totals_has_another_epoch_and_that_is_said():
    pair = Pair().opened().forget()
    pair.firmware.lose_memory()
    pair.firmware.reboot(ResetCause.POWER_ON, pair.now)
    pair.run(5 * SECOND)

    assert pair.reasons()[:2] == [Down.REBOOTED, Down.MEMORY_LOST]
    assert "lost" in pair.all(UnitDown)[1].detail
    assert pair.last(UnitUp).device == DeviceKey(77, 1)
    assert pair.last().totals.loaded == 0


def test_a_unit_that_knows_less_than_the_books_is_never_up():
    pair = Pair(books={DeviceKey(77, 0): 40})
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.FORGOT]
    assert pair.all(UnitUp) == []


def test_one_late_image_before_the_session_is_no_lost_memory():
    pair = Pair(books={})
    pair.firmware.memory.seq = 50
    pair.books = {DeviceKey(77, 0): 45}
    pair.host()
    late = iter([True])

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is About.IMAGE and next(late, False):
            return Words(replace(FastPoll.decode(answer.words, NUMBER, 1), seq=44).encode())
        return answer

    pair.wire = wire
    assert pair.up().reasons() == []


def test_a_unit_that_forgets_while_it_runs_is_down():
    pair = Pair().opened().forget()
    pair.firmware.memory.seq -= 2
    pair.run(5 * SECOND)

    assert pair.reasons() == [Down.FORGOT]
    assert pair.all(UnitUp) == []
    assert pair.firmware.memory.seq >= pair.unit._images._seq, "its own events made up for what it forgot"


def test_a_unit_that_forgot_is_held_until_its_seats_are_counted_and_then_taken_as_it_is():
    pair = Pair(books={}).opened()
    pair.firmware.press(1, 2, pair.now)
    pair.run(2 * SECOND)
    pair.firmware.memory.seq -= 4
    pair.firmware.seats[0].memory.loaded = 30
    pair.run(3 * SECOND).forget()
    pair.unit.load(1, 50, 70)
    pair.firmware.memory.seq += 9
    pair.run(10 * SECOND)
    assert pair.events == [], "it counted on past what is booked, and is not taken back for that"

    pair.books.clear()
    pair.unit.take_anew()
    pair.up()
    assert pair.last(UnitUp).device == DeviceKey(77, 0)
    assert (pair.last().totals.loaded, pair.last().seq) == (30, pair.firmware.memory.seq)
    assert pair.results() == [("load", 1, False, "replaced")], "what was wanted of it before is not"
    pair.unit.load(1, 30, 50)
    pair.run(SECOND)
    pair.unit.unlock(9)
    pair.run(SECOND)
    pair.firmware.press(1, 2, pair.now)
    pair.run(2 * SECOND)
    assert pair.state() is Bet.CONFIRMED, "its new numbers are acknowledged"
    assert pair.reasons() == []


def test_a_unit_that_forgets_again_after_it_was_counted_is_held_again_and_that_is_news():
    pair = Pair(books={}).opened()
    pair.firmware.memory.seq -= 2
    pair.run(5 * SECOND).forget()
    pair.unit.take_anew()
    pair.wire = identity_that(pair, seats=2)
    pair.run(5 * SECOND)
    pair.wire = pair.perfect
    pair.up()
    pair.firmware.memory.seq -= 2
    pair.run(5 * SECOND)

    assert pair.reasons() == [Down.WRONG_SEATS, Down.FORGOT]


def test_a_unit_that_forgot_nothing_has_nothing_to_take_anew():
    pair = Pair(books={}).opened().forget()
    pair.unit.take_anew()

    assert pair.run(2 * SECOND).events == [] and pair.firmware._state == LockState.OPEN


# Hosts.


def test_a_new_host_waits_until_the_session_of_the_old_one_is_silent():
    pair = Pair().opened().forget()
    old = pair.unit
    pair.host()
    pair.run(SECOND)
    assert old is not pair.unit
    assert About.COMMAND not in [ask.mark for ask in pair.asked]
    assert pair.firmware._state == LockState.OPEN

    pair.run(3 * SECOND)
    assert not pair.firmware._second_host
    assert pair.firmware._state == LockState.LOCKED
    assert len(pair.all(UnitUp)) == 1
    assert pair.reasons() == []


def feed(pair):
    """Another host that keeps its session alive."""
    words = Desired(token=pair.firmware._token, heartbeat=pair.now // MILLISECOND & 0xFFFF).encode()
    pair.firmware.serve(WriteWords(at.DESIRED, words), pair.now)


def open_as_another(pair):
    words = Command(command_id=9000, opcode=Opcode.OPEN_SESSION, target=0xABCD).encode()
    pair.firmware.serve(WriteWords(at.COMMAND, words), pair.now)


def test_a_unit_that_another_host_feeds_is_left_alone_and_that_is_said():
    pair = Pair()
    open_as_another(pair)
    for _ in range(50):
        feed(pair)
        pair.run(100 * MILLISECOND)

    assert pair.reasons() == [Down.SECOND_HOST]
    assert {ask.mark for ask in pair.asked} == {About.IDENTITY, About.CONFIG, About.IMAGE}


@pytest.mark.parametrize("host_timeout", [1_500, 2_600, 3_100, 5_000])
@pytest.mark.parametrize("died", [0, 1_000, 2_400, 2_700])
def test_whoever_comes_soon_after_another_host_died_is_no_second_one_however_long_t1_is(host_timeout, died):
    """A box made anew opens under another host number; a unit says the age of a heartbeat up to 2550 ms only."""
    pair = Pair(wanted=config(host_timeout=host_timeout)).opened().forget()
    pair.now += died * MILLISECOND
    pair.host(nonce=0xABCD)
    pair.run((host_timeout + 3_000) * MILLISECOND)

    assert not pair.firmware._second_host
    assert len(pair.all(UnitUp)) == 1
    assert Down.SECOND_HOST not in pair.reasons()


def test_two_hosts_the_first_stops_says_so_and_tries_again_only_when_nobody_feeds_the_unit():
    pair = Pair().opened().forget()
    open_as_another(pair)
    feed(pair)
    pair.run(100 * MILLISECOND)
    assert pair.reasons() == [Down.SECOND_HOST]

    pair.forget()
    for _ in range(150):
        feed(pair)
        pair.run(100 * MILLISECOND)
    assert {ask.mark for ask in pair.asked} == {About.IMAGE}
    assert pair.firmware._state == LockState.LOCKED

    pair.up()
    assert pair.asked[-1].mark is not About.COMMAND
    assert not FastPoll.decode(pair.firmware._fast_poll(), NUMBER, 1).flags & UnitFlag.SECOND_HOST


def test_a_session_that_was_taken_in_the_same_name_is_not_ours_either():
    pair = Pair().opened().forget()
    words = Command(command_id=9000, opcode=Opcode.OPEN_SESSION, target=NONCE).encode()
    pair.firmware.serve(WriteWords(at.COMMAND, words), pair.now)
    pair.run(SECOND)

    assert not pair.firmware._second_host
    assert pair.reasons() == [Down.SECOND_HOST]


def test_another_hosts_token_that_happens_to_be_our_old_one_is_another_hosts_after_a_reboot():
    pair = Pair().opened().forget()
    ours = pair.firmware._token
    pair.firmware.reboot(ResetCause.EXTERNAL, pair.now)
    pair.firmware._token = ours - 1
    open_as_another(pair)
    assert pair.firmware._token == ours
    for _ in range(30):
        feed(pair)
        pair.run(100 * MILLISECOND)

    assert pair.reasons() == [Down.REBOOTED, Down.SECOND_HOST]
    assert pair.all(UnitUp) == []


def test_after_a_second_host_was_seen_ten_seconds_pass_even_if_it_is_gone_at_once():
    pair = Pair().opened().forget()
    open_as_another(pair)
    pair.run(9 * SECOND)
    assert pair.all(UnitUp) == []
    assert About.COMMAND not in [ask.mark for ask in pair.asked[1:]]
    assert len(pair.asked) < 150

    pair.run(3 * SECOND)
    assert len(pair.all(UnitUp)) == 1


def test_a_unit_that_saw_a_second_host_is_one_even_if_the_token_is_ours():
    pair = Pair().opened().forget()
    pair.firmware._second_host = True
    pair.run(SECOND)

    assert pair.reasons() == [Down.SECOND_HOST]


def test_a_unit_that_still_sees_a_second_host_when_the_session_opens_is_left_at_once():
    pair = Pair()
    opened = pair.firmware._open_session

    def seen(nonce):
        opened(nonce)
        pair.firmware._second_host = True

    pair.firmware._open_session = seen
    pair.run(SECOND)

    assert pair.reasons() == [Down.SECOND_HOST]
    assert About.DESIRED not in [ask.mark for ask in pair.asked]


def test_a_reboot_during_the_hold_off_ends_it_because_the_other_session_is_gone_too():
    pair = Pair().opened().forget()
    open_as_another(pair)
    pair.run(SECOND)
    pair.firmware.reboot(ResetCause.EXTERNAL, pair.now)
    pair.run(2 * SECOND)

    assert pair.reasons() == [Down.SECOND_HOST, Down.REBOOTED]
    assert pair.last(UnitUp).rebooted


# Opening under trouble.


def test_a_unit_that_denies_every_session_is_asked_again_gently_however_patient_we_are():
    pair = Pair(patience=20)
    pair.wire = lambda ask: Denied(Denial.VALUE) if ask.mark is About.COMMAND else pair.perfect(ask)
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert len(commands(pair)) <= 50
    pair.wire = pair.perfect
    pair.up()


def test_a_lost_answer_to_open_session_is_looked_for_and_the_session_is_opened_once():
    pair = Pair()
    pair.wire = lambda ask: pair.lost_answer(ask) if ask.mark is About.COMMAND else pair.perfect(ask)
    token = pair.firmware._token
    pair.up()

    assert pair.firmware._token == token % 0xFFFF + 1
    assert [ask.mark for ask in pair.asked].count(About.COMMAND) == 1


def test_a_lost_open_session_is_sent_again_with_the_same_number():
    pair = Pair()
    lost = iter([True, True])
    pair.wire = lambda ask: Failure.SILENT if ask.mark is About.COMMAND and next(lost, False) else pair.perfect(ask)
    pair.up()

    assert [command.command_id for command in commands(pair)] == [FIRST_COMMAND] * 3


def test_a_unit_that_does_not_open_a_session_is_asked_again_gently():
    pair = Pair()
    pair.firmware._open_session = lambda _: None
    pair.run(10 * SECOND)

    assert pair.all(UnitUp) == []
    assert len(commands(pair)) <= 6
    del pair.firmware._open_session
    pair.up()


def test_a_unit_that_never_executes_the_command_is_asked_again_gently():
    pair = Pair()
    pair.firmware._was_executed = lambda _: True
    pair.run(20 * SECOND)

    assert pair.all(UnitUp) == []
    assert pair.reasons() == [Down.SILENT]
    assert pair.unit.next_ask(pair.unit.due() - 1) is None
    del pair.firmware._was_executed
    pair.up()


def test_a_reboot_between_identity_and_image_starts_over():
    pair = Pair()
    rebooted = iter([True])

    def wire(ask):
        if ask.mark is About.IMAGE and next(rebooted, False):
            pair.firmware.reboot(ResetCause.FAULT, pair.now)
        return pair.perfect(ask)

    pair.wire = wire
    pair.up()
    assert pair.reasons() == [Down.REBOOTED]


def test_an_image_that_is_none_does_not_open_a_session():
    pair = Pair()
    broken = iter([Words((0,) * 28)])
    pair.wire = lambda ask: (next(broken, None) if ask.mark is About.IMAGE else None) or pair.perfect(ask)

    assert pair.up().reasons() == []


# Heartbeat.


def test_a_heartbeat_goes_out_in_every_beat_and_each_is_newer():
    pair = Pair().up().forget()
    pair.run(6 * SECOND)

    beats = [desired.heartbeat for desired in desires(pair)]
    assert 18 <= len(beats) <= 21
    assert all(later - earlier == 1 for earlier, later in pairwise(beats))
    assert {desired.lock for desired in desires(pair)} == {at.LOCK}


def test_a_host_that_could_not_feed_a_unit_in_time_knows_that_it_locked_itself():
    pair = Pair().opened().forget()
    pair.now += 2 * SECOND
    pair.firmware.tick(pair.now)
    assert pair.firmware._state == LockState.HOST_LOST
    pair.run(2 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert pair.firmware._state == LockState.LOCKED
    assert at.UNLOCK not in {desired.lock for desired in desires(pair)}


def test_a_unit_that_lost_its_host_is_down_even_if_the_driver_was_on_time():
    pair = Pair().opened().forget()
    pair.firmware._lose_host()
    pair.run(2 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert pair.firmware._state == LockState.LOCKED


def test_a_unit_that_lost_its_host_before_and_does_again_is_down_by_its_state():
    pair = Pair()
    pair.firmware.memory.faults |= UnitFault.HOST_LOST
    pair.opened().forget()
    pair.firmware._lose_host()
    pair.run(2 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert pair.firmware._state == LockState.LOCKED


def test_a_unit_that_lost_its_host_and_was_opened_again_before_an_image_is_down_by_its_latched_fault():
    pair = Pair().opened().forget()
    pair.firmware._lose_host()
    pair.firmware._feed()
    pair.firmware._unlock(7)
    pair.run(2 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert pair.firmware._state == LockState.LOCKED


def test_a_unit_that_went_out_of_service_is_called_back_by_a_new_session():
    pair = Pair().opened().forget()
    pair.wire = lambda _: Failure.SILENT
    pair.run(40 * SECOND)
    assert pair.firmware._state == LockState.OUT_OF_SERVICE
    pair.wire = pair.perfect
    pair.run(3 * SECOND)

    assert pair.firmware._state == LockState.LOCKED
    assert len(pair.all(UnitUp)) == 1


# Turns.


def test_a_unit_with_a_poll_time_gives_its_turns_away_in_between():
    pair = Pair(poll=100 * MILLISECOND).up().forget()
    pair.run(3 * SECOND)

    images = [ask for ask in pair.asked if ask.mark is About.IMAGE]
    assert 25 <= len(images) <= 40
    pair.run_until(lambda: pair.unit.due() > pair.now)
    assert pair.unit.next_ask(pair.now).mark is About.IMAGE, "a turn that is given is used"


def test_a_changed_wish_does_not_wait_for_the_poll_time():
    pair = Pair(poll=200 * MILLISECOND, books={}).opened()
    pair.forget().unit.lock()
    assert pair.unit.urgent()
    assert pair.unit.due() <= pair.now
    pair.exchange()

    assert desires(pair)[0].lock == at.LOCK
    assert not pair.unit.urgent()
    assert pair.firmware._state == LockState.LOCKED


def test_a_unit_that_can_is_written_and_read_in_one_exchange():
    pair = Pair(capabilities=0xFFFF & ~16, books={}).opened().forget()
    pair.firmware.press(1, 3, pair.now)
    pair.run(2 * SECOND)

    marks = {ask.mark for ask in pair.asked}
    assert About.DESIRED_IMAGE in marks
    assert About.DESIRED not in marks
    assert pair.state() == Bet.CONFIRMED


def test_a_unit_that_says_it_can_and_cannot_is_written_and_read_apart():
    pair = Pair(capabilities=0xFFFF & ~16).up().forget()
    pair.wire = lambda ask: Denied(Denial.FUNCTION) if ask.mark is About.DESIRED_IMAGE else pair.perfect(ask)
    pair.run(5 * SECOND)

    assert pair.reasons() == []
    assert [ask.mark for ask in pair.asked].count(About.DESIRED_IMAGE) == 1
    assert len(desires(pair)) > 10


def test_a_unit_that_denies_what_it_is_told_does_not_come_and_go_all_the_time():
    pair = Pair().up().forget()
    pair.wire = lambda ask: Denied(Denial.VALUE) if ask.mark is About.DESIRED else pair.perfect(ask)
    pair.run(20 * SECOND)

    assert set(pair.reasons()) == {Down.SILENT}
    assert len(pair.reasons()) <= 11
