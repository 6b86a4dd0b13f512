"""What happens to a bet between the finger and the ledger, as the driver tells it and as the driver lets it happen."""

from dataclasses import replace

import pytest

from drivers.line.failures import Failure
from drivers.line.numbers import newer
from drivers.modbus.pdu import Denial, Denied, Words, WriteWords, Written
from drivers.model import BetSeen, DeviceKey, Down, Explained, LampProof, Notice, SeatSeen, UnitDown, UnitUp
from drivers.native import contract as at
from drivers.native.asks import About
from drivers.native.blocks import FastPoll, Ring, SeatDetail
from drivers.native.contract import Bet, EventType, LampDrive, LockState, ResetCause, SeatFlag, SeatMode, UnitClass
from drivers.native.explained import Explainer
from drivers.native.writes import BROADCAST_LOCK, Desired
from drivers.session import MILLISECOND, SECOND
from firmware_sim.native.lamp import LampCondition
from support.drivers.native_pair import NUMBER, Pair, config, settings_of

KEY = DeviceKey(77, 0)


def desires(pair):
    return [Desired.decode(ask.request.words) for ask in pair.asked if ask.mark is About.DESIRED]


def bet_made(books, **more):
    """Open, and a bet of 2 credits pressed and counted."""
    pair = Pair(books=books, **more).opened().forget()
    pair.firmware.press(1, 2, pair.now)
    return pair.run(300 * MILLISECOND)


# Press, acknowledgement, lamp.


def test_a_press_is_told_acknowledged_confirmed_and_lit():
    pair = bet_made({}).run(SECOND)

    told = [(seen.bet, seen.lamp) for seen in pair.all(SeatSeen)]
    assert told[0] == (BetSeen.PENDING, LampProof.BLINKING)
    assert told[-1] == (BetSeen.CONFIRMED, LampProof.LIT)
    assert pair.last().totals.bets == 2
    assert pair.last().bet_seq == pair.firmware.seats[0].memory.bet_seq
    assert pair.firmware.light(1, pair.now) == LampDrive.STEADY


def test_a_press_costs_one_detail_and_one_ring():
    pair = bet_made({}).run(2 * SECOND)
    marks = [ask.mark for ask in pair.asked]

    assert (marks.count(About.DETAIL), marks.count(About.RING)) == (1, 1)


def test_a_press_is_told_with_the_first_image_and_not_only_with_its_detail():
    pair = Pair().opened().forget()
    pair.firmware.press(1, 2, pair.now)
    pair.run_until(lambda: pair.state() == Bet.PENDING)
    pair.forget().run_until(lambda: bool(pair.all(SeatSeen)))

    assert About.DETAIL not in [ask.mark for ask in pair.asked]
    assert pair.last().bet_seq == pair.last().seq


def test_nothing_is_confirmed_that_was_not_acknowledged():
    pair = Pair().opened().forget()
    pair.firmware.press(1, 2, pair.now)
    pair.run(500 * MILLISECOND)
    assert pair.state() == Bet.PENDING

    pair.run(SECOND)
    assert pair.state() == Bet.VOIDED
    assert all(not newer(desired.ack, 0) for desired in desires(pair))


def test_before_the_owner_acknowledged_anything_an_old_number_is_sent_that_confirms_nothing():
    pair = Pair().up()

    first = desires(pair)[0]
    assert first.ack == (pair.firmware.memory.seq - 2**30) % 2**32


def test_an_acknowledgement_is_what_was_told_and_never_newer_and_never_goes_back():
    pair = bet_made(None)
    bet = pair.last().bet_seq
    pair.unit.acknowledge(KEY, bet - 1)
    pair.unit.acknowledge(KEY, bet - 2)
    pair.forget().run(100 * MILLISECOND)
    assert desires(pair)[-1].ack == bet - 1
    assert pair.state() == Bet.PENDING

    pair.unit.acknowledge(KEY, bet)
    assert pair.unit.urgent()
    pair.run(100 * MILLISECOND)
    assert desires(pair)[-1].ack == bet
    assert pair.state() == Bet.CONFIRMED


def test_an_acknowledgement_of_another_memory_is_not_sent():
    pair = bet_made(None)
    bet = pair.last().bet_seq
    for other in range(20):
        pair.unit.acknowledge(DeviceKey(78 + other, 0), bet)
        pair.unit.acknowledge(DeviceKey(77, 1 + other), bet)
    pair.run(300 * MILLISECOND)

    assert pair.state() == Bet.PENDING
    assert not pair.unit.urgent()
    assert len(pair.unit._desires._booked) <= 8


def test_a_lost_acknowledgement_is_sent_again_at_once():
    pair = bet_made(None)
    lost = iter([True, True])
    pair.wire = lambda ask: Failure.SILENT if ask.mark is About.DESIRED and next(lost, False) else pair.perfect(ask)
    pair.unit.acknowledge(KEY, pair.last().bet_seq)
    for _ in range(5):
        pair.exchange()

    assert pair.state() == Bet.CONFIRMED


def test_an_acknowledgement_that_seemed_to_arrive_and_did_not_is_sent_again_when_the_image_shows_it():
    pair = bet_made(None)
    liar = iter([True])
    pair.wire = lambda ask: Written() if ask.mark is About.DESIRED and next(liar, False) else pair.perfect(ask)
    pair.unit.acknowledge(KEY, pair.last().bet_seq)
    pair.run(60 * MILLISECOND)

    assert pair.state() == Bet.CONFIRMED


def test_a_bet_that_nobody_books_is_given_back_and_both_totals_are_told():
    pair = Pair().opened().forget()
    pair.firmware.press(1, 2, pair.now)
    pair.run(3 * SECOND)

    assert pair.last().bet is BetSeen.VOIDED
    assert (pair.last().totals.bets, pair.last().totals.voided) == (2, 2)
    assert pair.last().lamp is LampProof.DARK
    assert not pair.all(Notice)


def test_a_late_acknowledgement_changes_nothing():
    pair = Pair().opened().forget()
    pair.firmware.press(1, 2, pair.now)
    pair.run(3 * SECOND)
    pair.unit.acknowledge(KEY, pair.last().seq)
    pair.run(SECOND)

    assert pair.state() == Bet.VOIDED


def test_nothing_is_told_twice_when_nothing_changes():
    assert bet_made({}).run(SECOND).forget().run(10 * SECOND).all(SeatSeen) == []


def test_a_finger_on_a_button_and_a_current_in_milliamps_are_not_told_or_looked_into():
    pair = Pair(books={}).opened().forget()
    pair.firmware.hold(1, 1, pair.now - 100)
    pair.run(SECOND)
    told = len(pair.all(SeatSeen))
    pair.firmware.seats[0].lamp.milliamps = 19
    pair.run(SECOND)

    assert len(pair.all(SeatSeen)) == told


# Lock, cut, round.


def test_a_lock_with_a_bet_in_flight_is_not_told_as_locked_before_the_bet_is_decided():
    pair = Pair().opened().forget()
    pair.firmware.press(1, 2, pair.now)
    pair.run(60 * MILLISECOND)
    pair.unit.lock()
    pair.run(200 * MILLISECOND)
    assert pair.firmware._state == LockState.LOCKING
    assert not pair.last().locked

    pair.unit.acknowledge(KEY, pair.last().bet_seq)
    pair.run(300 * MILLISECOND)
    seen = pair.last()
    assert (seen.locked, seen.bet, seen.lamp) == (True, BetSeen.SEALED, LampProof.LIT)
    assert not newer(seen.bet_seq, seen.cut)


def test_a_press_after_the_lock_is_no_bet_and_is_explained():
    pair = Pair(books={}).opened().forget()
    pair.firmware.press(1, 2, pair.now)
    pair.unit.lock()
    pair.run(2 * SECOND)

    assert pair.last().totals.bets == 0
    refused = [
        entry for event in pair.all(Explained) for entry in event.entries if entry.kind == EventType.PRESS_REFUSED
    ]
    assert refused[0].argument & at.EDGE_BEFORE_LOCK
    assert pair.last().cut < pair.last().seq


def test_a_lock_that_the_unit_did_not_obey_is_said_again_without_waiting_for_the_beat():
    pair = Pair(books={}).opened().forget()
    liar = iter([True])
    pair.wire = lambda ask: Written() if ask.mark is About.DESIRED and next(liar, False) else pair.perfect(ask)
    pair.unit.lock()
    pair.run(60 * MILLISECOND)

    assert pair.firmware._state == LockState.LOCKED


def test_whoever_locked_an_open_unit_it_is_not_opened_again_by_its_beat():
    pair = Pair(books={}).opened().forget()
    pair.firmware.broadcast(WriteWords(at.DESIRED, BROADCAST_LOCK), pair.now)
    pair.run(3 * SECOND)

    assert pair.firmware._state == LockState.LOCKED
    assert pair.reasons() == []
    pair.unit.unlock(7)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN


def test_a_unit_that_was_locked_and_opened_again_between_two_images_is_locked():
    pair = Pair(books={}).opened().forget()
    pair.firmware.broadcast(WriteWords(at.DESIRED, BROADCAST_LOCK), pair.now)
    pair.firmware._unlock(7)
    pair.run(SECOND)

    assert pair.firmware._state == LockState.LOCKED


def test_an_unlock_is_wanted_until_the_unit_obeys():
    pair = Pair(books={}).up()
    pair.firmware.lock_line(pulled=True, now=pair.now)
    pair.unit.unlock(3)
    pair.run(800 * MILLISECOND)
    assert pair.firmware._state != LockState.OPEN

    pair.firmware.lock_line(pulled=False, now=pair.now)
    pair.run(SECOND)
    assert pair.firmware._state == LockState.OPEN
    assert pair.firmware.memory.round_id == 3


def test_a_new_round_clears_the_bets_of_the_last():
    pair = bet_made({})
    pair.unit.lock()
    pair.run(SECOND)
    pair.unit.unlock(8)
    pair.run(SECOND)

    assert (pair.last().bet, pair.last().lamp, pair.last().locked) == (BetSeen.NONE, LampProof.DARK, False)
    assert pair.firmware.memory.round_id == 8
    pair.unit.unlock(9)
    pair.run(SECOND)
    assert pair.firmware.memory.round_id == 9


def test_an_unlock_that_is_said_again_opens_nothing_that_was_locked_meanwhile():
    pair = Pair(books={}).opened(7)
    pair.unit.unlock(7)
    pair.firmware.broadcast(WriteWords(at.DESIRED, BROADCAST_LOCK), pair.now)
    pair.run(SECOND)

    assert pair.firmware._state == LockState.LOCKED


def test_a_round_id_is_one_word():
    pair = Pair().up()
    with pytest.raises(AssertionError, match="one word"):
        pair.unit.unlock(65536)


# Reboots of either side.


def test_what_happened_while_the_host_was_dead_is_explained_from_where_its_books_end():
    pair = Pair(books={}).opened()
    pair.firmware.press(1, 2, pair.now)
    pair.now += 5 * SECOND
    pair.firmware.tick(pair.now)
    pair.forget().host()
    pair.run(4 * SECOND)

    kinds = [entry.kind for event in pair.all(Explained) for entry in event.entries]
    assert kinds[0] == EventType.PRESS_ACCEPTED
    assert EventType.BET_VOIDED in kinds
    assert pair.all(Explained)[0].missed == 0


def test_what_happened_during_a_silence_is_explained_after_it():
    pair = Pair().opened().run(SECOND).forget()
    pair.wire = lambda _: Failure.SILENT
    pair.run(5 * SECOND)
    pair.wire = pair.perfect
    pair.run(8 * SECOND)

    kinds = [entry.kind for event in pair.all(Explained) for entry in event.entries]
    assert kinds[:2] == [EventType.LOCK, EventType.HOST_LOST]
    assert sum(event.missed for event in pair.all(Explained)) == 0


def test_a_ring_that_does_not_reach_as_far_as_the_image_is_late():
    explainer = Explainer(settings_of())
    explainer.begin(KEY, 3, None, 0)
    explainer.moved(7, 0)

    assert explainer.taken(Ring(unit=NUMBER, newest=5)) is None
    assert explainer.taken(Ring(unit=NUMBER, newest=7)).event.missed == 4
    assert explainer.taken(Ring(unit=NUMBER, newest=6)) is None


def test_a_host_that_starts_again_books_the_difference_and_acknowledges_from_its_books():
    books = {}
    pair = bet_made(books)
    assert pair.state() == Bet.CONFIRMED
    told = pair.last().totals
    pair.forget().host()
    pair.run(4 * SECOND)

    assert pair.reasons() == []
    assert pair.last().totals == told
    assert pair.last().bet is BetSeen.SEALED
    assert pair.last().bet_seq == pair.firmware.seats[0].memory.bet_seq
    assert desires(pair)[0].ack in books.values() or desires(pair)[0].ack <= books[KEY]
    assert pair.all(Explained)[0].missed == 0


def test_a_bet_in_mid_hand_survives_the_units_reboot_dark_and_is_lit_again_when_the_owner_says_so():
    pair = bet_made({}).forget()
    pair.firmware.reboot(ResetCause.BROWN_OUT, pair.now)
    pair.run(2 * SECOND)
    seen = pair.last()
    assert (seen.bet, seen.lamp, seen.locked) == (BetSeen.RESTORED, LampProof.DARK, True)
    assert pair.last(UnitUp).rebooted

    pair.unit.relight(1)
    pair.run(SECOND)
    seen = pair.last()
    assert (seen.bet, seen.lamp, seen.locked) == (BetSeen.SEALED, LampProof.LIT, True)
    assert pair.results() == [("relight", 1, True, "sealed")]
    pair.forget().run(2 * SECOND)
    assert {desired.lamp for desired in desires(pair)} == {0}


def test_a_bet_that_was_restored_dark_is_told_as_locked_whatever_else_the_unit_says():
    pair = Pair()

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is not About.IMAGE:
            return answer
        poll = FastPoll.decode(answer.words, NUMBER, 1)
        seat = replace(poll.seats[0], bet=Bet.RESTORED_DARK)
        return Words(replace(poll, lock=LockState.OPEN, seats=(seat,)).encode())

    pair.wire = wire
    assert pair.up().last().locked


def test_relighting_a_seat_without_such_a_bet_comes_to_its_end_at_once():
    pair = Pair(books={}).opened().forget()
    pair.unit.relight(1)
    pair.run(SECOND)

    assert pair.results() == [("relight", 1, False, "none")]


def test_a_unit_that_does_not_relight_is_not_asked_for_ever():
    pair = bet_made({}).forget()
    pair.firmware.reboot(ResetCause.BROWN_OUT, pair.now)
    pair.run(2 * SECOND)
    pair.firmware._relight = lambda: None
    pair.unit.relight(1)
    pair.run(3 * SECOND)

    assert pair.results() == [("relight", 1, False, "restored_dark")]


def test_several_seats_are_relit_one_after_the_other():
    pair = Pair(UnitClass.TABLE, 3, books={}).opened().forget()
    for seat in (1, 2, 3):
        pair.firmware.press(seat, 1, pair.now)
    pair.run(SECOND)
    pair.firmware.reboot(ResetCause.WATCHDOG, pair.now)
    pair.run(2 * SECOND)
    for seat in (3, 1):
        pair.unit.relight(seat)
    pair.run(2 * SECOND)

    assert [pair.state(seat) for seat in (1, 2, 3)] == [Bet.SEALED, Bet.RESTORED_DARK, Bet.SEALED]
    assert sorted(pair.results()) == [("relight", 1, True, "sealed"), ("relight", 3, True, "sealed")]


def test_a_relight_survives_a_silence():
    pair = bet_made({}).forget()
    pair.firmware.reboot(ResetCause.BROWN_OUT, pair.now)
    pair.run(2 * SECOND)
    pair.wire = lambda _: Failure.SILENT
    pair.unit.relight(1)
    pair.run(SECOND)
    pair.wire = pair.perfect
    pair.run(3 * SECOND)

    assert pair.state() == Bet.SEALED


# Lamps.


def test_a_lamp_that_breaks_under_a_bet_is_a_fault_with_its_name():
    pair = bet_made({}).forget()
    pair.firmware.lamp(1, LampCondition.OPEN, pair.now)
    pair.run(2 * SECOND)

    assert pair.last().lamp is LampProof.FAULT
    assert pair.last().faults == ("lamp_open",)
    assert pair.last().bet is BetSeen.CONFIRMED


def test_a_mended_lamp_stays_a_fault_until_it_is_cleared():
    pair = bet_made({})
    pair.firmware.lamp(1, LampCondition.OPEN, pair.now)
    pair.run(SECOND)
    pair.firmware.lamp(1, LampCondition.OK, pair.now)
    pair.run(SECOND)
    assert pair.last().lamp is LampProof.FAULT

    pair.unit.clear_faults(1)
    pair.run(SECOND)
    assert (pair.last().lamp, pair.last().faults) == (LampProof.LIT, ())
    assert pair.results()[-1] == ("clear_faults", 1, True, "done")


def test_lamps_are_tested_while_it_is_wanted_and_never_after_the_unit_was_down():
    pair = Pair(books={}).up().forget()
    pair.unit.test_lamps()
    pair.run(SECOND)
    assert pair.firmware.light(1, pair.now) == LampDrive.TEST
    pair.unit.end_lamp_test()
    pair.run(SECOND)
    assert pair.firmware.light(1, pair.now) == LampDrive.OFF

    pair.unit.test_lamps()
    pair.run(SECOND)
    pair.firmware.reboot(ResetCause.FAULT, pair.now)
    pair.run(2 * SECOND)
    assert pair.firmware.light(1, pair.now) == LampDrive.OFF


def test_r6_between_hands_lamps_are_tested_where_bets_are_sealed_and_shine_again_after_it():
    pair = bet_made({})
    pair.unit.lock()
    pair.run(SECOND)
    assert pair.last().bet is BetSeen.SEALED
    pair.unit.test_lamps()
    pair.run(SECOND)
    assert pair.firmware.light(1, pair.now) == LampDrive.TEST
    pair.unit.end_lamp_test()
    pair.run(SECOND)

    assert pair.firmware.light(1, pair.now) == LampDrive.STEADY
    assert (pair.last().bet, pair.last().lamp) == (BetSeen.SEALED, LampProof.LIT)


def test_a_lamp_that_was_only_just_switched_is_not_called_broken_and_one_that_does_not_settle_is():
    pair = Pair().opened()

    def frozen(ask):
        """A unit that still shows what it measured of the dark lamp."""
        answer = pair.perfect(ask)
        if ask.mark is not About.IMAGE:
            return answer
        poll = FastPoll.decode(answer.words, NUMBER, 1)
        seat = replace(
            poll.seats[0], lamp=LampDrive.STEADY, flags=SeatFlag.LAMP_STEADY | SeatFlag.ENABLED, feedback=0x20
        )
        return Words(replace(poll, seats=(seat,)).encode())

    pair.wire = frozen
    pair.forget().run(60 * MILLISECOND)
    assert pair.last().lamp is LampProof.UNKNOWN
    pair.run(100 * MILLISECOND)
    assert pair.last().lamp is LampProof.FAULT


# Several seats.


def test_all_seats_of_one_image_are_told_together_and_before_anything_else():
    pair = Pair(UnitClass.TABLE, 9, first_seat=11, wanted=config(first_seat=11)).opened().forget()
    for seat in range(1, 10):
        pair.firmware.press(seat, 1, pair.now)
    pair.run(SECOND // 2)

    first = pair.all(SeatSeen)[:9]
    assert [seen.seat for seen in first] == list(range(11, 20))
    assert len({seen.seq for seen in first}) == 1
    assert pair.events[:9] == first


def test_only_seats_that_changed_are_told():
    pair = Pair(UnitClass.TABLE, 9, books={}).opened().forget()
    pair.firmware.press(5, 1, pair.now)
    pair.run(2 * SECOND)

    assert {seen.seat for seen in pair.all(SeatSeen)} == {5}


def test_a_number_that_moved_without_any_seat_changing_is_still_told_so_that_it_can_be_acknowledged():
    pair = Pair(UnitClass.TABLE, 3, books={}).opened().forget()
    pair.firmware.press(2, 4, pair.now)  # 10 credits; then a second bet that is refused
    pair.run(SECOND)
    pair.forget()
    pair.firmware.press(2, 4, pair.now)
    pair.run(2 * SECOND)

    assert pair.last().seq == pair.firmware.memory.seq == pair.books[KEY]


def test_the_detail_of_the_seat_an_event_names_is_read_again():
    pair = Pair(UnitClass.TABLE, 3, books={}).opened().forget()
    pair.unit.cash(2, 0, 20)
    pair.run(2 * SECOND)

    assert pair.last(seat=2).totals.cashed == 20


@pytest.mark.parametrize("seats", [1, 3])
def test_a_total_that_moved_without_showing_in_any_image_is_told(seats):
    pair = Pair(UnitClass.TABLE, seats, modes=(SeatMode.CHIPS,) * seats, books={}).up().forget()
    pair.firmware._count_late_chip(pair.firmware.seats[-1])
    pair.run(2 * SECOND)

    assert pair.last(seat=seats).totals.late == 1
    assert pair.books[KEY] == pair.firmware.memory.seq


# Details.


def test_nothing_is_told_of_a_seat_whose_books_were_not_read():
    pair = Pair()
    pair.wire = lambda ask: Denied(Denial.ADDRESS) if ask.mark is About.DETAIL else pair.perfect(ask)
    pair.run(10 * SECOND)

    assert pair.reasons() == [Down.SILENT]
    assert "seat 1" in pair.last(UnitDown).detail
    assert (pair.all(UnitUp), pair.all(SeatSeen), pair.all(Notice)) == ([], [], [])
    assert [ask.mark for ask in pair.asked].count(About.DETAIL) <= 18, "gently"
    pair.unit.unlock(3)
    assert pair.unit.next_event().result == "down"
    pair.wire = pair.perfect
    pair.run(5 * SECOND)
    assert len(pair.all(UnitUp)) == 1
    assert pair.last(SeatSeen).last


@pytest.mark.parametrize("broken", [Failure.GARBLED, Words((0,) * 32), Denied(Denial.FAILURE)])
def test_a_unit_whose_details_cannot_be_read_any_more_is_down_once_and_a_payment_does_not_vanish(broken):
    pair = Pair(books={}).opened().forget()
    pair.wire = lambda ask: broken if ask.mark is About.DETAIL else pair.perfect(ask)
    pair.unit.cash(1, 0, 20)
    pair.run(40 * SECOND)
    assert pair.reasons() == [Down.SILENT]
    assert (pair.all(UnitUp), pair.all(SeatSeen), pair.results()) == ([], [], [])
    assert [ask.mark for ask in pair.asked].count(About.DETAIL) <= 66, "gently"
    assert pair.firmware._state != LockState.OPEN

    pair.wire = pair.perfect
    pair.run(5 * SECOND)
    assert pair.last().totals.cashed == 20
    assert pair.results() == [("cash", 1, True, "already")]


def test_a_detail_counts_only_between_two_images_of_the_same_number():
    pair = Pair(books={}).opened().forget()
    moved = iter([True])

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is About.DETAIL and next(moved, False):
            pair.firmware._cash(pair.firmware.seats[0], _cashing())
            pair.firmware._finish()
        return answer

    pair.wire = wire
    pair.firmware.press(1, 2, pair.now)
    pair.run(2 * SECOND)

    assert pair.last().totals.cashed == 5
    assert not pair.all(Notice)
    by_seq = {}
    for seen in pair.all(SeatSeen):
        by_seq.setdefault(seen.seq, []).append(seen.totals.cashed)
    assert by_seq[max(by_seq)][-1] == 5


def _cashing():
    from drivers.native.contract import Opcode
    from drivers.native.writes import Command

    return Command(command_id=1, opcode=Opcode.CASHED_TO, seat=1, expected=0, target=5)


def test_books_that_do_not_add_up_are_an_alarm_said_once():
    pair = Pair(UnitClass.TABLE, 2, first_seat=4, detail_every=2 * SECOND)

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark not in {About.DETAIL, About.PROOF} or ask.request.address != at.detail_address(2):
            return answer
        detail = SeatDetail.decode(pair.perfect(pair.unit._asks.detail(2).ask).words, NUMBER, 2)
        return Words(replace(detail, balance=2**32 - 3).encode()[: ask.request.count])

    pair.wire = wire
    pair.run(20 * SECOND)
    assert [(alarm.seat, alarm.kind) for alarm in pair.all(Notice)] == [(5, "accounting")]
    assert "-3 off" in pair.last(Notice).detail

    pair.wire = pair.perfect
    pair.run(5 * SECOND)
    pair.wire = wire
    pair.run(5 * SECOND)
    assert len(pair.all(Notice)) == 2


def test_one_detail_that_does_not_add_up_may_be_late_and_is_read_again():
    pair = Pair(books={}).opened().forget()
    late = iter([pair.firmware.serve(pair.unit._asks.detail(1).ask.request, pair.now)])
    pair.wire = lambda ask: next(late, None) or pair.perfect(ask) if ask.mark is About.DETAIL else pair.perfect(ask)
    pair.firmware.press(1, 2, pair.now)
    pair.run(2 * SECOND)

    assert pair.all(Notice) == []
    assert pair.last().bet_seq == pair.firmware.seats[0].memory.bet_seq


def test_a_late_detail_does_not_bring_old_totals_back():
    pair = Pair(books={}).opened()
    old = pair.firmware.serve(pair.unit._asks.detail(1).ask.request, pair.now)
    pair.unit.cash(1, 0, 20)
    pair.run(SECOND)
    late = iter([old, old, None, old, old])
    pair.wire = lambda ask: next(late, None) or pair.perfect(ask) if ask.mark is About.DETAIL else pair.perfect(ask)
    pair.forget().unit.cash(1, 20, 30)
    pair.run(2 * SECOND)
    pair.unit.cash(1, 30, 35)
    pair.run(2 * SECOND)

    assert next(late, "all were heard") == "all were heard"
    assert {seen.totals.cashed for seen in pair.all(SeatSeen)} == {30, 35}
    assert pair.reasons() == []


def test_a_unit_whose_details_go_back_has_lost_its_memory():
    pair = Pair(books={}).opened()
    pair.unit.cash(1, 0, 20)
    pair.run(SECOND)
    pair.firmware.seats[0].memory.cashed = 10
    pair.forget().unit.cash(1, 10, 15)
    pair.run(3 * SECOND)

    assert pair.reasons() == [Down.FORGOT]
    assert {seen.totals.cashed for seen in pair.all(SeatSeen)} <= {20}


@pytest.mark.parametrize("total", ["loaded", "bets", "voided", "chips"])
def test_a_unit_whose_totals_go_back_is_not_told_as_four_thousand_million_credits(total):
    pair = Pair(books={}).opened()
    memory = pair.firmware.seats[0].memory
    setattr(memory, total, (getattr(memory, total) - 1) % 2**32)
    pair.firmware.memory.seq += 1
    pair.forget().run(3 * SECOND)

    assert pair.reasons() == [Down.FORGOT]
    assert pair.all(SeatSeen) == []


def test_every_seat_is_looked_at_now_and_then_though_nothing_moves():
    pair = Pair(books={}).opened().forget()
    pair.run(70 * SECOND)

    assert [ask.mark for ask in pair.asked].count(About.DETAIL) == 2


def test_a_bet_that_its_detail_says_is_of_the_future_has_the_number_of_the_image():
    pair = Pair().opened()

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is About.DETAIL:
            return Words(replace(SeatDetail.decode(answer.words, NUMBER, 1), bet_seq=10**6).encode())
        return answer

    pair.wire = wire
    pair.firmware.press(1, 1, pair.now)
    pair.run(SECOND)

    assert all(seen.bet_seq <= seen.seq for seen in pair.all(SeatSeen))


def test_a_fault_that_no_detail_names_is_still_a_fault():
    pair = Pair()

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is not About.IMAGE:
            return answer
        poll = FastPoll.decode(answer.words, NUMBER, 1)
        seat = replace(poll.seats[0], flags=poll.seats[0].flags | SeatFlag.FAULT)
        return Words(replace(poll, seats=(seat,)).encode())

    pair.wire = wire
    assert pair.up().last().faults == ("unnamed",)


# Chips.


def test_chips_are_told_as_their_total_in_credits_and_late_ones_in_pieces():
    pair = Pair(UnitClass.CHIP_SLOT, wanted=config(chip_credits=3), books={}).up().forget()
    pair.unit.unlock(5)
    pair.run(SECOND)
    for _ in range(2):
        pair.firmware.chip(1, pair.now)
        pair.run(SECOND)
    pair.unit.lock()
    pair.run(SECOND)
    for _ in range(2):  # the second changes nothing but its own total and the number
        pair.firmware.force_chip(1, pair.now)
        pair.run(2 * SECOND)

    seen = pair.last()
    assert (seen.totals.chips, seen.totals.late, seen.totals.bets) == (6, 2, 0)
    assert (seen.bet, seen.bet_credits, seen.lamp) == (BetSeen.SEALED, 6, LampProof.LIT)
    assert not pair.all(Notice)


def test_a_chip_that_waits_for_the_ledger_is_acknowledged_like_a_press():
    pair = Pair(UnitClass.CHIP_SLOT).up()
    pair.unit.unlock(5)
    pair.run(SECOND)
    pair.firmware.chip(1, pair.now)
    pair.run(2 * SECOND)
    assert pair.last().bet is BetSeen.PENDING
    pair.unit.acknowledge(KEY, pair.last().seq)
    pair.run(200 * MILLISECOND)

    assert pair.state() == Bet.CONFIRMED


def test_a_table_unit_may_have_slots_and_buttons():
    pair = Pair(UnitClass.TABLE, 2, modes=(SeatMode.BUTTONS, SeatMode.CHIPS), books={}).up()
    pair.unit.load(1, 0, 20)
    pair.unit.unlock(5)
    pair.run(SECOND)
    pair.firmware.press(1, 1, pair.now)
    pair.firmware.chip(2, pair.now)
    pair.run(2 * SECOND)

    assert pair.last(seat=1).totals.bets == 1
    assert pair.last(seat=2).totals.chips == 1
    assert not pair.all(Notice)


# The ring.


def test_events_are_explained_once_with_the_tables_seats_and_nothing_missed():
    pair = Pair(UnitClass.TABLE, 2, first_seat=4, books={}).opened().forget()
    pair.firmware.press(2, 1, pair.now)
    pair.run(2 * SECOND)

    entries = [entry for event in pair.all(Explained) for entry in event.entries]
    assert [(entry.kind, entry.seat) for entry in entries] == [
        (EventType.PRESS_ACCEPTED, 5), (EventType.BET_CONFIRMED, 5),
    ]  # fmt: skip
    assert sum(event.missed for event in pair.all(Explained)) == 0


def test_what_the_ring_overwrote_is_counted():
    pair = Pair(books={}).opened().forget()
    pair.wire = lambda ask: pair.perfect(ask) if ask.mark is not About.RING else Failure.SILENT
    before = pair.firmware.memory.seq
    for _ in range(20):
        pair.firmware.press(1, 1, pair.now)
        pair.run(120 * MILLISECOND)
    pair.wire = pair.perfect
    pair.run(3 * SECOND)

    events = pair.all(Explained)
    told = sum(len(event.entries) for event in events)
    assert told + sum(event.missed for event in events) == pair.firmware.memory.seq - before
    assert sum(event.missed for event in events) == pair.firmware.memory.seq - before - 12


def test_a_ring_older_than_what_is_known_is_not_the_answer():
    pair = Pair(books={}).opened().forget()
    late = []

    def wire(ask):
        answer = pair.perfect(ask)
        if ask.mark is About.RING:
            late.append(answer)
            return late[0] if len(late) == 2 else answer
        return answer

    pair.wire = wire
    pair.firmware.press(1, 1, pair.now)
    pair.run(2 * SECOND)
    pair.unit.void(1, pair.last().bet_seq, 1)
    pair.run(2 * SECOND)

    kinds = [entry.kind for event in pair.all(Explained) for entry in event.entries]
    assert kinds == [EventType.PRESS_ACCEPTED, EventType.BET_CONFIRMED, EventType.BET_VOIDED]
    assert len(late) == 3


def test_words_that_are_no_ring_explain_nothing():
    pair = Pair(books={}).opened().forget()
    broken = iter([Words((0,) * 100), Words(Ring(unit=NUMBER + 1, newest=99).encode())])
    pair.wire = lambda ask: (next(broken, None) if ask.mark is About.RING else None) or pair.perfect(ask)
    pair.firmware.press(1, 1, pair.now)
    pair.run(2 * SECOND)

    assert len(pair.all(Explained)) == 1
    assert pair.all(Explained)[0].missed == 0


def test_a_unit_without_a_ring_says_how_much_is_unexplained():
    pair = Pair(books={}).opened().forget()
    pair.wire = lambda ask: Denied(Denial.ADDRESS) if ask.mark is About.RING else pair.perfect(ask)
    pair.firmware.press(1, 1, pair.now)
    pair.run(2 * SECOND)

    assert [(event.entries, event.missed) for event in pair.all(Explained)] == [((), 2)]
    assert pair.reasons() == []


def test_a_nearly_full_ring_is_read_though_the_seats_are_not_quiet():
    pair = Pair(UnitClass.TABLE, 9, books={}, explain_after=60 * SECOND).opened()
    pair.forget()
    for seat in range(1, 10):
        pair.firmware.press(seat, 1, pair.now)
    pair.run(SECOND)

    assert pair.all(Explained)


# The unit.


def test_faults_of_the_unit_are_alarms_when_they_come_up():
    pair = Pair()
    pair.firmware.damage_memory()
    pair.firmware.reboot(ResetCause.WATCHDOG, pair.now)
    pair.up()
    assert {(alarm.seat, alarm.kind, alarm.detail) for alarm in pair.all(Notice)} == {
        (0, "unit", "memory_recovered"), (0, "unit", "watchdog_reset"),
    }  # fmt: skip

    pair.forget().unit.clear_faults(0)
    pair.run(SECOND)
    assert pair.results() == [("clear_faults", 0, True, "done")]
    assert pair.firmware.memory.faults == 0
    assert pair.all(Notice) == []
