"""Seeded evenings on the floor, with everything that goes wrong there; 2,000 of them under `make campaign`.

And each guard of the floor, taken away, is missed: by an evening, or by the test of its rule.
"""

from collections import Counter

import pytest
from conftest import CAMPAIGN
from node.floor import test_console as console
from node.floor import test_lit as lit
from node.floor import test_seats as seats
from node.floor import test_wishes as wishes

from controller.node.floor import seats as floor_seats
from controller.node.floor import table as floor_table
from controller.node.floor import wishes as floor_wishes
from controller.node.floor.memory import OpenUnits
from controller.node.floor.seats import SeatContext
from controller.node.floor.units import Outbox, Unit
from controller.node.vocabulary.commands import Acknowledge, LoadCredits, Wish
from drivers.session import SECOND
from support.floor.floor_evening import play

EVENINGS = 2_000 if CAMPAIGN else 32
PARTS = 15 if CAMPAIGN else 3  # odd: every part meets each of the eight shapes
LENGTH = 20 * SECOND if CAMPAIGN else 10 * SECOND
MOST_TRIED = 60
HAPPENS = {
    "BetMade", "BetRefused", "ChipsFell", "DeviceVoided", "PassSealed", "LampChanged", "SeatClosed", "CreditsCashed",
    "HandsVoided", "LoadCredits", "CashCredits", "VoidBet", "Relight", "UnlockUnit", "deaths", "reboots", "lamps broken", "lock presses",
}  # fmt: skip


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_no_evening_loses_a_credit_lights_an_unbooked_bet_or_holds_up_a_table(part):
    seen = Counter()
    for seed in range(part, EVENINGS, PARTS):
        evening = play(seed, LENGTH)
        assert not evening.broken, f"seed {seed} ({evening.shape}): {evening.broken}"
        seen += evening.seen

    wanted = HAPPENS if CAMPAIGN else {"BetMade", "PassSealed", "LampChanged", "LoadCredits", "UnlockUnit"}
    assert wanted <= {what for what, times in seen.items() if times}, "an evening on which nothing happens"
    print(f"part {part}: {dict(seen)}")


def _never(*_):
    return False


def _always(*_):
    return True


def _unread_credits(device, at, now):
    """Credits are moved by any reading."""
    seen, seat = at.seen, at.seat
    if not device.unit.keeps_credits or seat.closed:
        return
    totals = seen.totals
    missing = seat.credits // at.value - (totals.loaded - totals.cashed - totals.bets + totals.voided) % 2**32
    if missing > 0:
        target = (totals.loaded + missing) % 2**32
        yield from device.outbox.send(LoadCredits(seat.number, totals.loaded, target), now)


def _acknowledge_all(device):
    unit, outbox = device.unit, device.outbox
    known = device.key is not None and bool(unit.place.seats) and unit.is_whole
    if known and outbox.acked != (device.key, unit.seq):
        outbox.acked = (device.key, unit.seq)
        yield Wish(unit.key, Acknowledge(*outbox.acked))


def _patient_lamp(at, locking, patience, real=floor_seats._of_lamp):
    return real(at, 0, patience)


def _patient_ask(at, locking, now, patience, real=floor_seats.ask):
    return None if at.unit is not None and not at.unit.up else real(at, locking, now, patience)


def _reports_all(at):
    return floor_seats._report(at, at.device)


BY_EVENINGS = {  # with an evening that is known to miss it
    "acknowledged although a bet is unknown": ("_has_unknown_bet", _never, 4),
    "acknowledged before it is booked": ("_acknowledge", _acknowledge_all, 4),
    "credits moved by readings that nobody booked": ("_credits", _unread_credits, 2),
    "a refused bet is not given back": ("_give_back", lambda *_: iter(()), 16),
}


@pytest.mark.parametrize("name", BY_EVENINGS)
def test_a_removed_guard_is_missed_by_an_evening(name, monkeypatch):
    function, instead, known = BY_EVENINGS[name]
    monkeypatch.setattr(floor_wishes, function, instead)
    tried = [known, *range(MOST_TRIED)]

    assert any(_breaks(seed) for seed in tried), f"{name}: nothing missed it in {MOST_TRIED} evenings"


def _breaks(seed):
    return bool(play(seed, 12 * SECOND).broken)


BY_RULES = {
    "a round opens over what is to be given back": (floor_wishes, "_is_held", _never, console.test_r25_no_round_opens_over_a_bet_that_is_still_to_be_given_back),
    "lamps are waited for without end": (floor_seats, "_of_lamp", _patient_lamp, seats.test_r6_a_lamp_that_says_nothing_in_time_after_the_lock_has_failed_and_the_bet_goes_back),
    "silent units are waited for without end": (floor_table, "ask", _patient_ask, seats.test_r6_a_silent_unit_closes_its_seats_after_a_while_and_not_before),
    "asks what changes nothing": (floor_seats, "_of_totals", _reports_all, seats.test_a_lock_event_or_a_load_is_no_report),
    "any lock is a proof": (SeatContext, "is_shut", property(_always), seats.test_r5_a_bet_that_may_have_come_after_the_lock_is_told_only_with_its_proof),
    "only LOCKED is a proof": (
        SeatContext, "is_shut", property(lambda at: at.seen is not None and at.seen.locked),
        seats.test_r5_a_bet_that_the_unit_waits_to_have_booked_is_proven_by_its_number,
    ),
    "everybody may open at any time": (OpenUnits, "may", _always, console.test_a_unit_that_fell_in_an_open_pass_waits_for_a_person),
    "a part of an image is an image": (Unit, "record", lambda unit, event: unit.seats.update({event.seat: event}) or setattr(unit, "seq", event.seq) or (event,), seats.test_only_whole_images_are_told),
    "seats of a module are one image each": (Unit, "is_whole", property(_always), wishes.test_r6_a_module_whose_seats_are_told_one_by_one_is_acknowledged_only_as_of_one_number),
    "two targets of one reading": (
        Outbox, "send", lambda outbox, command, now: (Wish(outbox.unit, command),),
        wishes.test_r2_bought_credits_are_loaded_once_and_only_after_the_books_and_the_unit_agree,
    ),
    "a round begins on an open unit": (floor_wishes, "_is_shut", _always, console.test_r5_a_new_round_begins_on_a_unit_that_was_read_back_locked),
    "a round wipes out a bet of this pass": (floor_wishes, "_has_bet_of_another_round", _never, console.test_r2_a_bet_of_the_last_moment_of_a_void_pass_is_not_wiped_out_by_the_next_round),
    "a lamp that went out is lit": (floor_seats, "_went_out", _never, lit.test_r6_a_lamp_that_goes_out_while_betting_is_open_gives_its_bet_back),
    "credits of another plan are booked": (floor_seats, "_has_a_value", _always, seats.test_r26_what_a_unit_of_another_plan_counted_is_not_booked_in_credits_of_this_one),
    "a unit of another plan opens": (Unit, "is_made_for", _always, seats.test_r26_a_unit_made_for_another_plan_stays_locked_and_says_so),
    "a lamp shines into the next pass": (floor_wishes, "_shows_an_old_bet", _never, wishes.test_r2_a_lamp_of_a_pass_that_is_over_does_not_shine_into_the_next),
    "chips of a void hand stay lit": (floor_wishes, "_is_lit_for_nothing", _never, wishes.test_r4_chips_that_count_are_not_voided_and_those_that_do_not_are),
    "a bet is lit before the unit has it as booked": (floor_seats, "STANDING", floor_seats.VOIDABLE, seats.test_r6_lit_is_told_once_and_only_of_a_bet_that_the_unit_has_as_booked),
    "what is not believed is asked again": (SeatContext, "is_known", property(_never), seats.test_r37_totals_that_went_back_are_not_believed_and_nothing_is_asked_until_the_seat_is_counted),
    "a whole unit waits for a seat that nobody believes": (SeatContext, "is_settled", property(lambda at: at.is_booked), wishes.test_r37_a_seat_that_is_not_believed_holds_up_no_other_seat_of_its_unit),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_RULES)
def test_a_removed_guard_is_missed_by_the_test_of_its_rule(name, monkeypatch):
    place, attribute, instead, rule = BY_RULES[name]
    rule()
    monkeypatch.setattr(place, attribute, instead)

    with pytest.raises((AssertionError, ValueError)):
        rule()
