"""The driver of a ccTalk acceptor against the simulated one on a good line: identity, bets, locks, lamps, resets."""

from dataclasses import replace

import pytest

from drivers.cctalk.acceptor import Acceptor
from drivers.cctalk.controls import FLASH, OFF, ON
from drivers.cctalk.events import CoinEvent
from drivers.cctalk.frames import Header
from drivers.cctalk.settings import AcceptorSettings, Channel
from drivers.cctalk.slot import ChipBase
from drivers.line.failures import Failure
from drivers.model import BetSeen, DeviceKey, Down, LampProof, Totals
from drivers.session import MILLISECOND, SECOND
from firmware_sim.foreign.cctalk import Secrets
from firmware_sim.foreign.cctalk_coins import CoinMake
from firmware_sim.line.mishap import LineSettings
from support.drivers.cctalk_line import (  # fmt: skip
    CHANNELS,
    CctalkAcceptor,
    CctalkMake,
    Checksum,
    Notice,
    SeatSeen,
    Settled,
    UnitDown,
    UnitUp,
    floor,
    settings,
)

KEY = DeviceKey(12_345_678, 1)


@pytest.fixture
def desk():
    made = floor(sheets=[settings(lamp=1)])
    made.until_up()
    made.run(100)
    return made


def base(seq, device=KEY, totals=None, **round_):
    return ChipBase(device, seq, totals or Totals(), **round_)


# who it is


@pytest.mark.parametrize("checksum", Checksum)
@pytest.mark.parametrize("echo", [True, False])
def test_it_is_identified_and_locked_before_it_is_up(checksum, echo):
    desk = floor([CctalkMake(checksum=checksum)], [settings(checksum=checksum)], line=LineSettings(baud=9600, bits=10, echo=echo))  # fmt: skip
    desk.until_up()

    assert desk.of(UnitUp) == [UnitUp(unit=21, device=KEY, product="PZO FICHA1", firmware=104, seats=(4,), rebooted=False)]  # fmt: skip
    assert desk.seat.locked and desk.seat.enabled and desk.seat.bet is BetSeen.NONE
    assert not desk.sim.coins.master_open and desk.sim.coins.mask == 0b111
    assert desk.bus.counters(2).failed[Failure.GARBLED] == desk.bus.counters(2).failed[Failure.COLLISION] == 0


@pytest.mark.parametrize(
    ("changes", "sheet", "reason", "word"),
    [
        ({"category": "Bill Validator"}, {}, Down.WRONG_CLASS, "Bill Validator"),
        ({"secrets": Secrets.ENCRYPTION}, {}, Down.DEMANDS_SECRETS, "111"),
        ({"secrets": Secrets.PIN}, {}, Down.DEMANDS_SECRETS, "228"),
        ({"coin_ids": {1: "CL010A"}}, {}, Down.CONFIG_REFUSED, "CL010A"),
        ({"silent_to": frozenset({Header.COIN_ID})}, {}, Down.CONFIG_REFUSED, "184"),
        ({"silent_to": frozenset({Header.SERIAL})}, {}, Down.NOT_NATIVE, "242"),
        ({"silent_to": frozenset({Header.CATEGORY})}, {}, Down.NOT_NATIVE, "245"),
        ({"silent_to": frozenset({Header.READ_CREDIT})}, {}, Down.DEMANDS_SECRETS, "229"),
    ],
)
def test_what_we_may_not_drive_is_refused_by_name_and_left_alone(changes, sheet, reason, word):
    desk = floor([CctalkMake(**changes)], [settings(**sheet)])
    desk.run(20_000)
    (down,) = desk.of(UnitDown)

    assert down.reason is reason and word in down.detail
    assert not desk.of(UnitUp) and not desk.of(SeatSeen)


def test_a_refused_device_is_tried_again_and_may_have_been_changed():
    desk = floor([CctalkMake(coin_ids={1: "CL010A"})])
    desk.run(5000)
    object.__setattr__(desk.sim.make, "coin_ids", {1: "CL001A"})
    desk.run(12_000)

    assert desk.downs == [Down.CONFIG_REFUSED] and len(desk.of(UnitUp)) == 1


def another_program(desk, **changes):
    """The box is taken out, gets it, and is back."""
    desk.act(desk.sim.power_off)
    for name, value in changes.items():
        object.__setattr__(desk.sim.make, name, value)
    desk.run(5000)
    desk.told.clear()
    desk.act(lambda _: desk.sim.power_on())
    desk.run(30_000)


def test_a_box_that_declares_encryption_since_it_got_another_program_is_refused(desk):
    another_program(desk, software="FICHA V2.00", secrets=Secrets.ENCRYPTION)

    assert desk.downs == [Down.DEMANDS_SECRETS]
    assert not desk.of(UnitUp)


def test_a_box_with_another_program_that_declares_nothing_goes_on_being_driven(desk):
    another_program(desk, software="FICHA V2.00")

    assert [up.firmware for up in desk.of(UnitUp)] == [200]


def test_an_old_device_that_knows_only_the_core_is_driven():
    old = {Header.MANUFACTURER, Header.PRODUCT, Header.SOFTWARE, Header.COMMS_REVISION, Header.SELF_CHECK, Header.ACCEPTED_TOTAL, Header.TEST_LAMPS}  # fmt: skip
    desk = floor([CctalkMake(silent_to=frozenset(old))], [settings(lamp=1, accepted_total_persistent=True, channels=(Channel(1, 1),), audit=3 * SECOND)])  # fmt: skip
    desk.until_up(20_000)
    desk.open()
    desk.insert()
    desk.run(20_000)

    assert desk.of(UnitUp)[0].product == "" and desk.of(UnitUp)[0].firmware == 0
    assert desk.seat.totals.chips == 1 and desk.seat.lamp is LampProof.FAULT and "lamp_silent" in desk.seat.faults
    assert desk.downs == []


def test_texts_of_a_device_are_only_texts():
    desk = floor([CctalkMake(product="A\x1b[31m\r", software="v99999999999999")])
    desk.until_up()

    assert desk.of(UnitUp)[0].product == "PZO A?[31m?" and desk.of(UnitUp)[0].firmware == 999_999_999


# bets


def test_a_round_of_chips_from_open_to_sealed(desk):
    desk.open(7)
    assert not desk.seat.locked and desk.sim.lamp() == OFF
    assert desk.insert(1)
    desk.run(500)
    assert (desk.seat.bet, desk.seat.bet_credits, desk.seat.totals.chips) == (BetSeen.PENDING, 1, 1)
    assert desk.sim.lamp() == FLASH
    desk.book()
    assert desk.seat.bet is BetSeen.CONFIRMED and desk.sim.lamp() == ON
    desk.insert(2)
    desk.run(500)
    assert (desk.seat.bet, desk.seat.bet_credits) == (BetSeen.PENDING, 6), "its last part is not in the ledger"
    assert desk.sim.lamp() == ON, "lit from the first chip that is"
    desk.book()
    desk.close()

    assert desk.seat.bet is BetSeen.SEALED and desk.seat.cut == desk.seat.seq == desk.seat.bet_seq
    assert desk.seat.lamp is LampProof.UNKNOWN, "a lamp that nobody measures is not seen (R-6)"
    assert not desk.insert(1), "the gate is shut"


def test_a_new_round_clears_the_bet_and_the_same_round_is_not_reopened(desk):
    desk.open(7)
    desk.insert()
    desk.run(500)
    desk.book()
    desk.close()
    desk.driver.unlock(7)
    desk.run(1000)
    assert desk.seat.locked and desk.seat.bet is BetSeen.SEALED
    desk.open(8)
    desk.run(100)

    assert not desk.seat.locked and desk.seat.bet is BetSeen.NONE and desk.seat.totals.chips == 1
    assert desk.sim.lamp() == OFF


def test_a_round_without_a_bet_may_be_opened_again(desk):
    desk.open(7)
    desk.close()
    desk.open(7)

    assert not desk.seat.locked


def test_unlocking_waits_for_what_is_not_in_the_ledger(desk):
    desk.open(7)
    desk.insert()
    desk.run(500)
    desk.close()
    desk.driver.unlock(8)
    desk.run(1000)
    assert desk.seat.locked and desk.seat.bet is BetSeen.PENDING
    desk.book()
    desk.run(500)

    assert not desk.seat.locked and desk.seat.bet is BetSeen.NONE


def test_another_round_closes_the_one_before_it(desk):
    desk.open(7)
    desk.insert()
    desk.run(500)
    desk.book()
    desk.driver.unlock(8)
    desk.run(1000)

    assert [seen.locked for seen in desk.of(SeatSeen)[-3:]] == [False, True, False]
    assert desk.of(SeatSeen)[-2].bet is BetSeen.SEALED and desk.seat.bet is BetSeen.NONE


def test_an_acknowledgement_of_another_device_or_of_the_future_confirms_nothing(desk):
    desk.open()
    desk.insert()
    desk.run(500)
    desk.driver.acknowledge(DeviceKey(KEY.serial, 2), desk.seat.seq)
    desk.driver.acknowledge(KEY, desk.seat.seq + 256)
    desk.driver.acknowledge(KEY, desk.seat.seq - 256)
    desk.run(200)

    assert desk.seat.bet is BetSeen.PENDING


def test_the_chip_that_would_pass_the_most_is_not_taken(desk):
    desk.open()
    assert desk.insert(3)
    desk.run(700)
    assert desk.insert(3), "25 of 50"
    desk.run(700)
    assert not desk.sim.coins.master_open and not desk.seat.locked, "full, and the round is still open"
    assert not desk.insert(1)
    desk.close()

    assert desk.seat.bet_credits == 50 and desk.sim.coins.mask == 0b111


def test_what_was_taken_above_the_most_is_handed_back():
    """R-4: two chips fell before anybody could shut the slot."""
    desk = floor(sheets=[settings(channels=CHANNELS[:2], most=5)])
    desk.until_up()
    desk.open()
    assert desk.insert(2) and desk.insert(2)
    desk.run(700)

    assert desk.seat.bet_credits == 5 and (desk.seat.totals.chips, desk.seat.totals.late) == (5, 5)
    assert desk.alarms == ["late_chip"]


def test_a_chip_that_fell_in_before_the_lock_counts(desk):
    """2.5: its flight is longer than the lock needs."""
    desk.open()
    desk.run(37)
    desk.insert()
    desk.driver.lock()
    desk.until(lambda: not desk.sim.coins.master_open)
    assert desk.sim.coins.counter == 0 and not desk.seat.locked, "shut, and it still falls"
    desk.until(lambda: desk.seat.locked)

    assert desk.seat.totals == Totals(chips=1) and desk.seat.cut == desk.seat.bet_seq


def test_a_reading_that_comes_before_the_end_of_a_flight_does_not_close_the_round():
    desk = floor([CctalkMake(coins=CoinMake(flight=280 * MILLISECOND))])
    desk.until_up()
    for number in range(8):
        desk.open(number + 1)
        desk.run(25 * number)
        assert desk.insert()
        desk.close()
        assert desk.seat.totals == Totals(chips=number + 1), "whenever the polls come"
        desk.book()


def test_two_seats_on_one_line_are_locked_by_the_next_turns():
    sheets = [settings(unit=number, seat=number, address=number) for number in (2, 3)]
    desk = floor([CctalkMake(address=number, serial=number) for number in (2, 3)], sheets)
    desk.until_up()
    for driver in desk.drivers:
        driver.unlock(1)
    desk.run(1000)
    assert not any(driver.urgent() for driver in desk.drivers)
    desk.bus.lock_all()
    assert all(driver.urgent() for driver in desk.drivers)
    began = desk.world.now
    desk.until(lambda: not any(sim.coins.master_open for sim in desk.sims))
    assert desk.world.now - began < 150 * MILLISECOND


def test_a_device_that_does_not_obey_is_polled_all_the_same_and_never_called_locked(desk):
    desk.open()
    obey = desk.sim._answers[Header.SET_MASTER]
    desk.sim._answers[Header.SET_MASTER] = lambda *_: b""
    desk.driver.lock()
    for chips in range(1, 5):
        desk.run(1500)
        assert desk.insert() and not desk.seat.locked
        desk.run(1000)
        assert desk.seat.totals.chips == chips
    desk.sim._answers[Header.SET_MASTER] = obey
    desk.run(1000)
    assert desk.seat.locked


def test_to_open_the_channels_are_set_before_the_master():
    """A bet with room for 5 takes no 25, not for a moment."""
    sim = CctalkAcceptor(CctalkMake())
    sim.coins.mask = 7
    seq = 9 << 8
    desk = floor(sims=[sim], bases=[base(seq, totals=Totals(chips=45), round_id=3, bet=45, bet_seq=seq)])
    desk.until_up()
    desk.driver.unlock(3)
    desk.until(lambda: sim.coins.master_open)

    assert sim.coins.mask == 0b011 and desk.downs == []


def test_a_chip_that_falls_through_the_shut_gate_is_late(desk):
    desk.open()
    desk.close()
    cut = desk.seat.cut
    desk.act(lambda _: (desk.sim.coins.box.append(1), desk.sim.coins.tell(CoinEvent(1, 0))))
    desk.run(500)

    assert desk.seat.totals == Totals(late=1) and desk.seat.cut == cut < desk.seat.seq
    assert desk.alarms == ["late_chip"] and desk.seat.bet is BetSeen.NONE


def test_locked_is_what_was_read_back(desk):
    desk.open()
    object.__setattr__(desk.sim.make, "silent_to", frozenset({Header.READ_MASTER}))
    desk.driver.lock()
    desk.run(600)

    assert not desk.sim.coins.master_open and not desk.seat.locked
    object.__setattr__(desk.sim.make, "silent_to", frozenset())
    desk.run(1500)
    assert desk.seat.locked


def test_the_lock_goes_before_everything(desk):
    desk.open()
    times = []
    for wait in (3, 50, 111, 190):
        desk.open(len(times) + 2)
        desk.run(wait)
        desk.driver.lock()
        began = desk.world.now
        desk.until(lambda: not desk.sim.coins.master_open)
        times.append(desk.world.now - began)
        desk.until(lambda: desk.seat.locked)

    assert max(times) < 90 * MILLISECOND, "the running turn, perhaps a look at the inhibits, and the lock"


def test_a_void_gives_back_and_is_done_once(desk):
    desk.open()
    desk.insert(2)
    desk.run(500)
    desk.driver.void(4, desk.seat.bet_seq + 256, 0)
    desk.driver.void(4, desk.seat.bet_seq, 0)
    desk.driver.void(4, desk.seat.bet_seq, 0)
    desk.run(100)

    assert [event.result for event in desk.of(Settled)] == ["mismatch", "done", "already"]
    assert desk.seat.bet is BetSeen.VOIDED and desk.seat.totals == Totals(chips=5, voided=5)
    assert desk.sim.lamp() == OFF
    desk.insert(1)
    desk.run(500)
    assert (desk.seat.bet, desk.seat.bet_credits) == (BetSeen.PENDING, 1), "a new bet in the same round"


def test_there_is_nothing_to_void_without_a_bet(desk):
    desk.driver.void(4, 0, 0)
    desk.driver.relight(4)
    desk.run(10)

    assert [(event.done, event.result) for event in desk.of(Settled)] == [(False, "mismatch"), (False, "refused")]


def test_a_disabled_seat_takes_nothing_and_an_enabled_one_goes_on(desk):
    desk.open()
    desk.driver.disable(4)
    desk.run(300)
    assert not desk.seat.enabled and not desk.sim.coins.master_open and not desk.insert()
    desk.driver.enable(4)
    desk.run(300)

    assert desk.seat.enabled and desk.insert()


def test_a_chip_in_flight_to_a_disabled_seat_is_late(desk):
    desk.open()
    desk.insert()
    desk.driver.disable(4)
    desk.run(500)

    assert desk.seat.totals == Totals(late=1)


def test_the_lamp_test_shines_and_ends(desk):
    desk.driver.test_lamps()
    desk.run(100)
    assert desk.sim.lamp() == ON
    desk.driver.end_lamp_test()
    desk.run(100)
    assert desk.sim.lamp() == OFF


def test_only_its_own_seat_and_real_rounds(desk):
    for wrong in (lambda: desk.driver.enable(5), lambda: desk.driver.unlock(0), lambda: desk.driver.unlock(1 << 16)):
        with pytest.raises(AssertionError):
            wrong()


# the device's own troubles


def test_jams_tampering_and_self_checks_are_told(desk):
    desk.open()
    desk.act(lambda _: desk.sim.jam())
    desk.run(500)
    assert desk.alarms == ["chip_jam"] and "chip_jam" in desk.seat.faults and not desk.insert()
    desk.sim.unjam()
    desk.insert()
    desk.run(500)
    assert "chip_jam" not in desk.seat.faults
    desk.act(lambda _: desk.sim.coins.tell(CoinEvent(0, 20)))
    desk.sim.fault_code = 3
    desk.run(31_000)
    assert desk.alarms == ["chip_jam", "tamper", "self_check"] and "self_check_3" in desk.seat.faults
    desk.run(31_000)
    assert desk.alarms == ["chip_jam", "tamper", "self_check"], "once"
    desk.sim.fault_code = 0
    desk.run(31_000)
    assert desk.seat.faults == ()


def test_a_refused_coin_is_only_a_number(desk):
    desk.open()
    before = desk.seat.seq
    assert not desk.insert(0)
    desk.run(500)

    assert desk.seat.totals == Totals() and desk.seat.seq > before and desk.alarms == []


def test_it_is_polled_within_its_watchdog(desk):
    desk.open()
    for _ in range(10):
        desk.run(1337)
        assert desk.insert(1)
        desk.run(800)
        desk.book()
        desk.driver.lock()
        desk.until(lambda: desk.seat.locked)
        desk.open(desk.seat.seq % 60000)


def test_a_channel_without_a_value_is_counted_by_a_person(desk):
    desk.open()
    desk.act(lambda _: desk.sim.coins.tell(CoinEvent(9, 0)))
    desk.run(500)

    assert desk.alarms == ["reconcile"] and not desk.seat.enabled and desk.seat.totals == Totals()
    assert not desk.insert()
    desk.driver.clear_faults(4)
    desk.run(500)
    assert desk.seat.enabled and desk.insert()


# resets


def test_a_reset_begins_an_epoch_and_shuts_the_seat_until_the_box_is_counted(desk):
    desk.open()
    desk.insert(2)
    desk.run(500)
    desk.book()
    desk.act(desk.sim.reset)
    desk.run(3000)

    assert desk.downs == [Down.RESET] and desk.alarms == ["reconcile"]
    assert "unknown number" in desk.of(Notice)[0].detail
    assert desk.of(UnitUp)[1].rebooted and desk.of(UnitUp)[1].device == DeviceKey(KEY.serial, 2)
    assert desk.seat.totals == Totals() and desk.seat.locked and not desk.seat.enabled
    assert (desk.seat.bet, desk.seat.bet_credits) == (BetSeen.RESTORED, 5) and desk.sim.lamp() == OFF
    assert not desk.insert()
    desk.driver.unlock(1)
    desk.driver.clear_faults(4)
    desk.driver.relight(4)
    desk.run(500)
    assert desk.seat.bet is BetSeen.SEALED and desk.seat.locked and desk.sim.lamp() == ON
    desk.open(2)
    assert desk.insert() and desk.seat.bet is BetSeen.NONE


def test_with_a_persistent_total_a_reset_says_how_many_chips_are_unknown():
    desk = floor(sheets=[settings(accepted_total_persistent=True, audit=SECOND)])
    desk.until_up()
    desk.open()
    desk.insert()
    desk.run(2000)
    for _ in range(3):
        assert desk.insert()
    desk.until(lambda: desk.sim.coins.accepted == 4)
    desk.act(desk.sim.reset)
    desk.run(3000)
    credited = max(seen.totals.chips for seen in desk.of(SeatSeen))

    assert credited < 4 and desk.alarms == ["reconcile"] and not desk.seat.enabled
    assert f"exactly {4 - credited} chips" in desk.of(Notice)[0].detail


def test_a_reset_that_hides_nothing_needs_nobody():
    desk = floor(sheets=[settings(accepted_total_persistent=True, audit=SECOND)])
    desk.until_up()
    desk.open()
    desk.insert()
    desk.run(3000)
    desk.act(desk.sim.reset)
    desk.run(3000)

    assert "exactly 0 chips" in desk.of(Notice)[0].detail and desk.seat.enabled
    assert desk.seat.device.epoch == 2


def test_a_reset_before_the_first_event_is_found_by_looking_at_the_inhibits(desk):
    """1.2: the counter was 0 and is 0 again."""
    desk.open()
    desk.act(desk.sim.reset)
    desk.run(5000)

    assert desk.downs == [Down.RESET] and desk.seat.device.epoch == 2


def test_a_reset_of_a_maker_who_keeps_the_channels_is_found_by_the_master(desk):
    """The specification leaves to him what a reset inhibits."""

    def reset(now):
        desk.sim.reset(now)
        desk.sim.coins.mask = 7

    desk.act(reset)
    assert desk.sim.coins.master_open
    desk.run(5000)

    assert desk.downs == [Down.RESET] and desk.seat.locked and not desk.sim.coins.master_open


def test_a_refused_chip_makes_us_look_at_the_inhibits_at_once():
    desk = floor(sheets=[settings(reapply=3600 * SECOND)])
    desk.until_up()
    desk.open()
    desk.act(desk.sim.reset)
    desk.run(1000)
    assert desk.downs == [], "nothing tells"
    assert not desk.insert()
    desk.run(2500)

    assert desk.downs == [Down.RESET]


def test_a_device_that_only_looked_strange_goes_on_as_it_was(desk):
    """A counter that jumps and jumps back was never the device's."""
    desk.open()
    desk.insert()
    desk.run(500)
    true = desk.sim.coins.counter
    desk.sim.coins.counter = 99
    desk.run(450)
    desk.sim.coins.counter = true
    desk.run(3000)

    assert desk.downs == [] and desk.alarms == [] and desk.seat.device == KEY and not desk.seat.locked


def test_a_gap_is_never_credited(desk):
    desk.open()
    for _ in range(7):
        desk.sim.coins.tell(CoinEvent(1, 0))
    desk.run(3000)

    assert desk.downs == [Down.RESET] and "7 events" in desk.of(Notice)[0].detail
    assert desk.seat.totals == Totals() and desk.seat.device.epoch == 2


def test_slots_that_changed_are_another_history(desk):
    desk.open()
    desk.insert()
    desk.run(500)
    desk.sim.coins.slots[0] = CoinEvent(3, 0)
    desk.run(3000)

    assert desk.downs == [Down.RESET] and "otherwise" in desk.of(UnitDown)[0].detail


def test_the_accept_total_finds_a_chip_that_no_event_told():
    desk = floor(sheets=[settings(audit=SECOND)])
    desk.until_up()
    desk.open()
    desk.run(3000)
    desk.sim.coins.accepted += 1
    desk.run(5000)

    assert desk.alarms == ["reconcile"] and "+1" in desk.of(Notice)[0].detail and "uncounted" in desk.seat.faults
    desk.driver.clear_faults(4)
    desk.sim.coins.accepted = 0
    desk.run(5000)
    assert desk.alarms == ["reconcile"] * 2 and desk.seat.enabled, "a total that went back hides no chip"


# silence, replacement, ports


def test_a_power_cut_is_silence_and_then_a_reset(desk):
    desk.open()
    desk.insert()
    desk.run(500)
    desk.act(desk.sim.power_off)
    desk.run(4000)
    assert desk.downs == [Down.SILENT] and desk.sim.lamp() == 0
    desk.act(lambda _: desk.sim.power_on())
    desk.run(6000)

    assert desk.downs == [Down.SILENT, Down.RESET] and desk.seat.device.epoch == 2


def test_silence_without_a_reset_loses_nothing_and_goes_on_when_its_owner_unlocks_anew(desk):
    desk.open()
    desk.insert()
    desk.line.unplug(desk.sim)
    desk.run(4000)
    desk.act(lambda _: desk.line.plug(desk.sim))
    desk.run(6000)

    assert desk.downs == [Down.SILENT] and desk.seat.device == KEY and desk.seat.totals.chips == 1
    assert desk.seat.locked and not desk.insert(), "nobody knows what was dealt meanwhile"
    desk.book()
    desk.open()
    assert not desk.seat.locked and desk.insert() and desk.seat.bet_credits == 1, "the round goes on"


def pull_the_adapter(desk):
    desk.world.first.disconnect(desk.world.now)
    desk.run(1000)
    desk.world.first.connect(desk.world.now)


def lose_power(desk):
    desk.act(desk.sim.power_off)
    desk.run(4000)
    desk.act(lambda _: desk.sim.power_on())


def change_the_box(desk):
    desk.line.unplug(desk.sim)
    desk.sims[0] = CctalkAcceptor(CctalkMake(serial=77))
    desk.line.attach(desk.sim)


@pytest.mark.parametrize("fall", [pull_the_adapter, lose_power, lambda desk: desk.act(desk.sim.reset), change_the_box])
def test_a_device_that_fell_stays_locked_until_its_owner_unlocks_anew(desk, fall):
    desk.open(7)
    fall(desk)
    desk.run(8000)
    assert len(desk.of(UnitUp)) == 2 and desk.seat.locked and not desk.sim.coins.master_open
    desk.driver.clear_faults(4)
    desk.run(1000)
    assert desk.seat.locked and not desk.sim.coins.master_open, "also when a person has counted"
    desk.driver.unlock(8)
    desk.run(1000)
    assert not desk.seat.locked and desk.insert()


def test_a_device_that_is_down_is_not_unlocked_for_later(desk):
    desk.line.unplug(desk.sim)
    desk.run(4000)
    desk.driver.unlock(7)
    desk.act(lambda _: desk.line.plug(desk.sim))
    desk.run(6000)

    assert [(event.done, event.result) for event in desk.of(Settled)] == [(False, "down")] and desk.seat.locked


def test_a_lock_while_it_was_silent_is_a_lock_when_it_is_back(desk):
    desk.open()
    desk.insert()
    desk.line.unplug(desk.sim)
    desk.run(4000)
    desk.driver.lock()
    desk.act(lambda _: desk.line.plug(desk.sim))
    desk.run(6000)

    assert desk.seat.locked and desk.seat.totals.chips == 1, "it fell in while the slot was open"


def test_a_pulled_adapter_is_told_and_everything_is_asked_again(desk):
    desk.world.first.disconnect(desk.world.now)
    desk.run(1000)
    desk.world.first.connect(desk.world.now)
    desk.run(2000)

    assert desk.downs == [Down.LINE_DOWN] and len(desk.of(UnitUp)) == 2


def test_another_box_at_this_address_is_another_device(desk):
    desk.open()
    desk.insert()
    desk.run(500)
    desk.line.unplug(desk.sim)
    other = CctalkAcceptor(CctalkMake(serial=77))
    desk.line.attach(other)
    desk.run(8000)
    assert desk.downs[-1] is Down.REPLACED and desk.seat.device == DeviceKey(77, 1)
    assert desk.seat.totals == Totals() and desk.seat.locked, "the bet of this round is in the other box"
    desk.line.unplug(other)
    desk.act(lambda _: desk.line.plug(desk.sim))
    desk.run(8000)
    assert desk.downs[-1] is Down.REPLACED
    assert desk.seat.device == KEY and desk.seat.totals.chips == 1, "it goes on where it was"


def test_whoever_shows_too_many_serial_numbers_is_refused():
    desk = floor()
    desk.until_up()
    for serial in range(1, 18):
        object.__setattr__(desk.sim.make, "serial", serial)
        desk.world.first.disconnect(desk.world.now)
        desk.world.first.connect(desk.world.now)
        desk.run(2500)

    assert len(desk.of(UnitUp)) == 17
    assert "serial numbers" in desk.of(UnitDown)[-1].detail


def test_a_device_that_the_books_do_not_know_brings_no_credit():
    sim = CctalkAcceptor(CctalkMake())
    for _ in range(3):
        sim.coins.tell(CoinEvent(1, 0))
    desk = floor(sims=[sim])
    desk.until_up()
    desk.run(500)

    assert desk.alarms == ["uncredited"] and desk.seat.totals == Totals() and desk.seat.enabled


@pytest.mark.parametrize(("missed", "chips"), [(0, 10), (1, 11), (5, 15)])
def test_a_restarted_host_books_what_happened_meanwhile(missed, chips):
    """The books knew counter 200 and an open round; so many chips fell before the device noticed that nobody polls."""
    sim = CctalkAcceptor(CctalkMake())
    sim.coins.counter, sim.coins.mask = 200, 7
    for _ in range(missed):
        sim.coins.tell(CoinEvent(1, 0))
    known = base(9 << 8 | 200, totals=Totals(chips=10), round_id=3, bet=4, bet_seq=9 << 8 | 200)
    desk = floor(sims=[sim], bases=[known])
    desk.until_up()
    desk.run(1000)

    assert desk.seat.totals == Totals(chips=chips) and desk.seat.device == KEY and desk.alarms == []
    assert desk.seat.bet_credits == 4 + missed and desk.seat.locked
    desk.book()
    desk.driver.unlock(3)
    desk.run(500)
    assert not desk.seat.locked, "the round goes on"


def test_r6_a_chip_that_fell_before_a_crash_and_is_not_booked_waits_dark_and_is_booked_like_any_other(desk):
    desk.open(5)
    desk.insert(2)
    desk.run(500)
    before, unbooked = desk.driver.base, desk.seat
    again = floor(sims=[desk.sim], sheets=[settings(lamp=1)], bases=[replace(before, booked=before.seq - 256)], start=desk.world.now)  # fmt: skip
    again.until_up()
    again.run(500)
    assert (again.seat.bet, again.seat.bet_credits, again.seat.totals) == (BetSeen.PENDING, 5, unbooked.totals)
    assert again.sim.lamp() == FLASH
    again.driver.unlock(6)
    again.run(500)
    assert again.seat.locked, "nothing opens over a bet that the books do not have"
    again.book()
    again.run(500)
    assert not again.seat.locked and again.seat.bet is BetSeen.NONE and again.seat.totals == unbooked.totals


def test_r6_a_bet_that_nobody_booked_is_pending_when_its_box_comes_back_in_the_same_life(desk):
    desk.open(7)
    desk.insert()
    desk.run(500)
    desk.line.unplug(desk.sim)
    other = CctalkAcceptor(CctalkMake(serial=77))
    desk.line.attach(other)
    desk.run(8000)
    desk.line.unplug(other)
    desk.act(lambda _: desk.line.plug(desk.sim))
    desk.run(8000)
    assert desk.seat.device == KEY and desk.seat.bet is BetSeen.PENDING and desk.sim.lamp() == FLASH
    desk.book()
    assert desk.sim.lamp() == ON


def test_chips_that_fell_while_the_slot_was_shut_are_late_after_a_restart_too():
    sim = CctalkAcceptor(CctalkMake())
    sim.coins.counter, sim.coins.mask = 200, 7
    sim.coins.tell(CoinEvent(1, 0))
    desk = floor(sims=[sim], bases=[base(9 << 8 | 200, totals=Totals(chips=10))])
    desk.until_up()
    desk.run(100)

    assert desk.seat.totals == Totals(chips=10, late=1)


@pytest.mark.parametrize(("counter", "word"), [(0, "unknown number"), (206, "6 events"), (199, "254 events")])
def test_a_restarted_host_that_cannot_know_begins_an_epoch(counter, word):
    sim = CctalkAcceptor(CctalkMake())
    sim.coins.counter, sim.coins.mask = counter, 7
    desk = floor(sims=[sim], bases=[base(9 << 8 | 200, DeviceKey(KEY.serial, 6), Totals(chips=10))])
    desk.until_up()

    assert desk.downs == [Down.RESET] and word in desk.of(Notice)[0].detail
    assert desk.seat.device == DeviceKey(KEY.serial, 7) and desk.seat.totals == Totals()


@pytest.mark.parametrize("counter", [0, 3])
@pytest.mark.parametrize(("mask", "downs"), [(7, []), (0, [Down.RESET])])
def test_a_counter_that_fits_is_believed_only_of_a_device_that_was_not_reset(counter, mask, downs):
    """It may have counted up to there again; but no driver leaves a device with all channels inhibited."""
    sim = CctalkAcceptor(CctalkMake())
    sim.coins.counter, sim.coins.mask = counter, mask
    desk = floor(sims=[sim], bases=[base(3 << 8 | counter)])
    desk.until_up()

    assert desk.downs == downs


def test_a_known_total_outlives_both():
    """The base carries the accept total: after a night without power it is certain that nothing is missing."""
    sim = CctalkAcceptor(CctalkMake())
    sim.coins.accepted = 1234
    sheet = settings(accepted_total_persistent=True)
    desk = floor(sims=[sim], sheets=[sheet], bases=[base(9 << 8 | 200, totals=Totals(chips=10), accepted=1234)])
    desk.until_up()

    assert "exactly 0 chips" in desk.of(Notice)[0].detail and desk.seat.enabled
    assert desk.driver.base.accepted == 1234


def test_the_base_of_a_driver_is_what_the_next_one_goes_on_from(desk):
    desk.open(5)
    desk.insert(2)
    desk.run(500)
    kept = desk.driver.base
    assert kept == base(desk.seat.seq, totals=Totals(chips=5), round_id=5, bet=5, bet_seq=desk.seat.bet_seq)
    again = floor(sims=[desk.sim], bases=[kept], start=desk.world.now)
    again.until_up()
    again.run(1000)

    assert again.seat.totals == Totals(chips=5) and again.seat.bet_credits == 5 and again.alarms == []
    with pytest.raises(AssertionError):
        again.driver.resume(kept)


def test_a_full_cycle_of_the_counter_is_counted_to_the_last_chip():
    desk = floor(sheets=[settings(most=1000)])
    desk.until_up()
    desk.open()
    for _ in range(600):
        assert desk.insert(1)
        desk.run(130)
    desk.run(1000)

    assert desk.seat.totals.chips == 600 and desk.alarms == [] and desk.seat.bet_credits == 600


def test_without_a_line_it_wants_nothing():
    assert Acceptor(settings()).due() is None


def test_events_nobody_listens_to_do_not_grow():
    driver = Acceptor(settings())
    for _ in range(1000):
        driver.clear_faults(4)

    told = 0
    while driver.next_event() is not None:
        told += 1
    assert told == 256


@pytest.mark.parametrize(
    "wrong",
    [
        {"channels": ()},
        {"channels": (Channel(1, 1), Channel(1, 5))},
        {"most": 24},
        {"address": 1},
        {"address": 0},
        {"address": 256},
        {"poll": 400 * MILLISECOND},
        {"gate": 0},
        {"patience": 1},
    ],
)
def test_settings_that_cannot_work_are_refused(wrong):
    with pytest.raises(AssertionError):
        settings(**wrong)


def test_channels_that_cannot_be_are_refused():
    for wrong in ((0, 1), (17, 1), (1, 0), (1, 1, "TOOLONG")):
        with pytest.raises(AssertionError):
            Channel(*wrong)
    assert AcceptorSettings(unit=1, seat=1, channels=CHANNELS, most=25).mask(5) == b"\x03\x00"
    assert CoinMake().persistent_totals
