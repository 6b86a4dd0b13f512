"""What the floor asks of the core about its seats: one test for each rule (R-2 to R-6)."""

from controller.core import inputs as ask
from controller.core.values import Device, Lamp, Phase
from controller.node.floor.floor import Floor
from controller.node.floor.words import NO_UNIT, UNPROVEN
from controller.node.vocabulary.commands import (
    Acknowledge,
    DisableSeat,
    LoadCredits,
    TakeAnew,
    UnlockUnit,
    VoidBet,
)
from drivers.model import (
    DISBELIEVED,
    BetSeen,
    DeviceKey,
    Down,
    SeatSeen,
    Totals,
    UnitUp,
)
from drivers.model import LampProof as Light
from drivers.session import SECOND
from support.floor.floor import JEFA, LUIS, TABLE, plan
from support.floor.floor_desk import KEY, LOST, Desk, electronic, fields, key_of, locking, notes, of, slot
from support.floor.floor_tables import CONSOLE, WHOLE, acceptor, module, native, node_of


def test_the_first_sight_of_a_unit_is_adopted_and_then_nothing_is_asked():
    desk = electronic()
    (report,) = of(desk.asks(), ask.SeatReport)
    assert isinstance(report, ask.SeatReport)

    desk.settle()
    assert desk.asks() == []
    assert desk.seat().device.serial == 77


def test_a_unit_first_seen_with_a_pending_bet_is_not_a_baseline():
    desk = electronic().say(bet=BetSeen.PENDING, bet_credits=2, bet_seq=10, totals=Totals(loaded=5, bets=2))
    assert of(desk.asks(), ask.SeatReport) == []

    desk.void()
    desk.settle()
    assert (desk.seat().device.bets, desk.seat().device.voided, desk.seat().closed) == (2, 2, "")


def test_a_lock_event_or_a_load_is_no_report():
    desk = electronic().opened()
    desk.say(seq=40, locked=True, cut=39)

    assert desk.asks() == []


def test_r2_a_press_is_reported_once_with_the_totals_of_its_image():
    desk = electronic().opened().press(2)
    (report,) = desk.asks()
    assert (report.device.bets, report.device.seq, report.bet_seq) == (2, 13, 13)
    desk.settle()

    assert desk.seat().bet == 2_000
    assert desk.asks() == []


def test_only_whole_images_are_told():
    desk = Desk(native(1, CONSOLE, 1), native(2, WHOLE, 1, 2)).say(seat=1).say(seat=2).opened()
    desk.hear(SeatSeen(**{**fields(desk.seen[2, 1]), "seq": 13, "totals": Totals(loaded=20, bets=2), "last": False}))
    assert desk.asks() == []
    assert Acknowledge(KEY, 13) not in desk.wishes()

    desk.hear(SeatSeen(**{**fields(desk.seen[2, 2]), "seq": 13, "totals": Totals(bets=1)}))
    assert {one.seat for one in of(desk.asks(), ask.SeatReport)} == {1, 2}


def test_r37_a_bet_that_was_acknowledged_and_is_not_in_the_books_closes_its_seat():
    """The record was put back while the unit kept its memory: it shows a bet that some record took."""
    desk = electronic()
    desk.settle()
    desk.press(2, bet=BetSeen.SEALED)

    (report,) = of(desk.asks(), ask.SeatReport)
    assert report.knows_more
    desk.settle()

    assert desk.seat().doubted and "sabe más que el registro" in desk.seat().closed


def test_r37_so_does_a_memory_of_ours_that_is_ahead_of_the_books():
    """A module and an acceptor are gone on from what lies in `memories/`: a bet that it holds as booked, chips of a pass
    that the record never had open."""
    box = Desk(module(20, (1,), console=True)).say(20, 1)
    box.settle()
    box.press(2, 20, 1, bet=BetSeen.RESTORED)
    chips = Desk(native(1, CONSOLE, 1), acceptor(21, 1))
    chips.core.ask(ask.SeatReport(TABLE, 1, Device(key_of(21).serial, key_of(21).epoch, 9)))
    chips.say(21, 1).chip(2, 21, 1)

    for desk in (box, chips):
        assert [one.knows_more for one in of(desk.asks(), ask.SeatReport)] == [True]


def test_r37_a_press_that_waits_for_its_acknowledgement_is_no_proof_and_neither_is_one_given_back():
    desk = electronic().opened().press(2)
    (report,) = of(desk.asks(), ask.SeatReport)
    assert not report.knows_more
    desk.void()
    (report,) = of(desk.asks(), ask.SeatReport)
    assert not report.knows_more


def test_r37_chips_in_a_slot_that_is_first_seen_between_passes_lay_there_in_an_open_one():
    desk = slot()
    desk.core.ask(ask.SeatReport(TABLE, 1, Device(77, 1, 9)))
    desk.chip(2, bet=BetSeen.SEALED)

    (report,) = of(desk.asks(), ask.SeatReport)
    assert report.knows_more
    desk.settle()
    assert desk.seat().doubted


def test_r37_chips_of_this_life_are_no_proof():
    """A pass that was void is over at once, and a slot may take a chip until it has locked."""
    desk = slot()
    desk.settle()
    desk.asks()
    desk.chip(2)
    assert [one.knows_more for one in of(desk.asks(), ask.SeatReport)] == [False]


def test_r37_totals_that_went_back_are_not_believed_and_nothing_is_asked_until_the_seat_is_counted():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.say(seq=5, totals=Totals(loaded=20), bet=BetSeen.NONE, bet_credits=0)

    (report,) = desk.asks()
    assert isinstance(report, ask.SeatReport) and report.device.seq == 5
    desk.settle()
    assert desk.seat().doubted and desk.seat().closed and desk.asks() == []

    desk.core.ask(ask.CountSeat(TABLE, 1, desk.seat().credits, JEFA, LUIS))
    (anew,) = desk.asks()
    assert isinstance(anew, ask.SeatReport)
    desk.settle()
    assert desk.seat().device == anew.device and not desk.seat().doubted


def test_r37_an_older_event_number_is_told_though_the_totals_are_equal():
    """A lock event of the last pass was forgotten, and perhaps more; the record has a newer number."""
    desk = electronic().opened().press(2)
    desk.settle()
    known = desk.seat().device
    desk.lit().say(seq=known.seq - 1)

    (report,) = desk.asks()
    assert isinstance(report, ask.SeatReport) and report.device.seq == known.seq - 1
    desk.settle()
    assert desk.seat().doubted


def test_totals_wrap():
    desk = electronic().say(totals=Totals(loaded=LOST - 3, bets=LOST - 3))
    desk.wishes()
    desk.core.open_pass()
    desk.core.buy(1, 5)
    assert LoadCredits(1, LOST - 3, 2) in desk.wishes()
    desk.say(locked=False, seq=12, totals=Totals(loaded=2, bets=LOST - 3))
    desk.press(5)
    desk.settle()

    assert (desk.seat().bet, desk.seat().device.bets) == (5_000, 2)


def test_late_pieces_of_a_native_slot_are_reported_with_what_a_piece_is_worth_and_others_in_credits():
    desk = slot().opened()
    desk.say(totals=Totals(late=3), seq=16)
    (report,) = desk.asks()
    assert report.device.worth == 2
    desk.settle()
    assert desk.seat().owed == 6_000

    other = Desk(native(1, CONSOLE, 1), acceptor(21, 1)).say(unit=21)
    assert of(other.asks(), ask.SeatReport)[0].device.worth == 1


def test_a_seat_of_another_memory_is_reported_and_the_core_closes_it():
    desk = electronic().opened()
    desk.down(2, Down.MEMORY_LOST)
    desk.up(2, DeviceKey(77, 2))
    desk.settle()

    assert desk.seat().closed == "unidad cambiada"


def test_r5_a_seat_that_reads_back_locked_is_proven_and_the_pass_sealed():
    desk = locking()
    assert desk.asks() == []
    desk.say(locked=True, cut=20, seq=21)
    desk.settle()

    assert desk.core.table().phase is Phase.SEALED


def test_r5_a_bet_that_may_have_come_after_the_lock_is_told_only_with_its_proof():
    desk = locking().press(2)
    assert desk.asks() == []

    desk.say(locked=True, cut=30, seq=32)
    (report,) = desk.asks()
    assert (report.locked, report.cut, report.bet_seq) == (True, 30, 13)


def test_r5_a_bet_that_the_unit_waits_to_have_booked_is_proven_by_its_number():
    """LOCKING lasts until the books have it; so the books cannot wait for LOCKED."""
    desk = locking().press(2).say(cut=13, seq=14)
    desk.settle()
    assert (desk.seat().bet, desk.seat().proven) == (2_000, True)
    assert Acknowledge(KEY, 14) in desk.wishes()

    desk.say(locked=True, bet=BetSeen.SEALED, lamp=Light.LIT, seq=15)
    desk.settle()
    assert [bet.amount for bet in desk.core.table().bets] == [2_000]


def test_r5_chips_before_the_lock_count_although_the_slot_cannot_lock_before_they_are_booked():
    desk = slot().opened()
    desk.core.ask(ask.Lock(TABLE))
    desk.chip(2).say(cut=13, seq=14)
    desk.settle()
    assert desk.seat().bet == 2_000

    desk.say(bet=BetSeen.CONFIRMED, lamp=Light.LIT, seq=15).chip(2, bet=BetSeen.CONFIRMED, cut=17)
    desk.settle()
    assert desk.seat().owed == 2_000, "proven before: what is told then came too late"


def test_r6_a_lamp_that_says_nothing_in_time_after_the_lock_has_failed_and_the_bet_goes_back():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.core.ask(ask.Lock(TABLE))
    desk.say(locked=True, bet=BetSeen.SEALED, lamp=Light.UNKNOWN, seq=20, cut=18)
    desk.settle()
    assert desk.floor.deadline() == desk.now + 3 * SECOND
    assert desk.after(2.9).asks() == []
    assert desk.after(0.2).asks() == [ask.LampSeen(TABLE, 1, Lamp.FAULT, seen_by="sensor")]
    desk.settle()

    assert (desk.core.table().phase, desk.seat().credits, desk.seat().giving_back) == (Phase.SEALED, 20_000, 2)
    assert VoidBet(1, 13, 1) in desk.wishes()


def test_r5_a_seat_that_proves_nothing_is_closed_in_the_end():
    desk = locking()
    desk.asks()
    assert desk.after(7.9).asks() == []
    assert desk.after(0.2).asks() == [ask.CloseSeat(TABLE, 1, UNPROVEN)]


def test_r6_lit_is_told_once_and_only_of_a_bet_that_the_unit_has_as_booked():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.say(lamp=Light.LIT)
    assert desk.asks() == [], "still pending"
    desk.lit()
    assert desk.asks() == [ask.LampSeen(TABLE, 1, Lamp.LIT, seen_by="sensor")]
    desk.settle()

    assert desk.asks() == []


def test_r6_a_lamp_that_cannot_be_read_back_is_seen_by_the_croupier():
    desk = Desk(native(1, CONSOLE, 1), acceptor(21, 1)).say(unit=21, lamp=Light.UNKNOWN).opened(0)
    desk.chip(2, unit=21, lamp=Light.UNKNOWN)
    desk.settle()
    desk.say(unit=21, bet=BetSeen.CONFIRMED, seq=20)

    assert desk.asks() == [ask.LampSeen(TABLE, 1, Lamp.LIT, seen_by="croupier")]


def test_r6_a_broken_lamp_closes_the_seat_and_gives_its_bet_back():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.say(bet=BetSeen.CONFIRMED, lamp=Light.FAULT, seq=14)
    desk.settle()
    assert (desk.seat().closed, desk.seat().credits) == ("luz", 20_000)

    wishes = desk.wishes()
    assert VoidBet(1, 13, 1) in wishes and DisableSeat(1) in wishes


def test_r6_a_silent_unit_closes_its_seats_after_a_while_and_not_before():
    desk = electronic().opened()
    desk.down(2)
    assert desk.floor.deadline() == 5 * SECOND
    assert desk.after(4.9).asks() == []
    assert desk.after(0.2).asks() == [ask.CloseSeat(TABLE, 1, "aceptor sin respuesta")]
    desk.settle()

    assert desk.asks() == []


def test_r6_a_unit_that_never_answers_after_a_start_is_silent_too():
    desk = electronic().opened()
    desk.floor = Floor(desk.node)
    assert desk.asks() == []

    assert desk.after(5.1).asks() == [ask.CloseSeat(TABLE, 1, "aceptor que no ha respondido")]


def test_r6_a_seat_whose_unit_was_taken_out_of_the_settings_holds_up_no_pass():
    desk = electronic().opened()
    desk.node = node_of([[(TABLE, native(1, CONSOLE, 1))]])
    desk.floor = Floor(desk.node)

    assert desk.asks() == [ask.CloseSeat(TABLE, 1, NO_UNIT)]


def _other_credit(desk):
    """A chip is worth 2,000; under the plan that is in force now a credit is 500."""
    desk.raw()
    desk.core.stage(plan(credit=500, least=500, most=5000, resolution="Res. 2"))
    return desk


def test_r26_a_unit_made_for_another_plan_stays_locked_and_says_so():
    desk = _other_credit(slot())
    desk.core.open_pass()
    assert [wish.unit.number for wish in desk.raw() if type(wish.command) is UnlockUnit] == [1], "the console"
    assert "unit_of_another_plan" in notes(desk)
    assert "R-26" in desk.floor.units()[1].why and desk.floor.units()[0].why == ""

    assert desk.raw() == [] and "unit_of_another_plan" not in notes(desk), "once"


def test_r26_what_a_unit_of_another_plan_counted_is_not_booked_in_credits_of_this_one():
    desk = _other_credit(slot())
    desk.core.open_pass()
    (closing,) = desk.chip(2).asks()
    assert isinstance(closing, ask.CloseSeat) and "plan" in closing.reason
    desk.wishes()

    assert (desk.seat().bet, desk.seat().owed, desk.asks()) == (0, 0, [])


def test_r26_a_press_that_a_unit_of_another_plan_gave_back_needs_nobody_to_count_it():
    """Brought over to the plan in force, it plays on: nothing of the old one stands on it."""
    desk = _other_credit(electronic())
    desk.core.open_pass()
    desk.press(2)
    assert desk.asks() == [], "it gives it back by itself in a moment"

    desk.void()
    desk.settle()
    assert (desk.seat().closed, desk.seat().device.bets, desk.seat().giving_back) == ("", 2, 0)
    desk.core.stage(plan(resolution="Res. 3"))
    assert desk.seat().device is not None and desk.asks() == []


def test_r26_what_a_unit_of_another_plan_gave_back_without_being_told_is_counted_by_hand():
    desk = _other_credit(electronic())
    desk.core.open_pass()
    desk.say(totals=Totals(voided=3), seq=30)
    (closing,) = desk.asks()

    assert isinstance(closing, ask.CloseSeat) and "plan" in closing.reason, "three credits that nobody knows of"


def test_r26_a_chip_that_falls_late_is_owed_at_its_own_worth():
    desk = _other_credit(slot()).say(totals=Totals(late=1), seq=11)
    desk.settle()
    assert desk.seat().owed == 2_000

    odd = slot()
    odd.raw()
    odd.core.stage(plan(credit=3_000, least=3_000, most=9_000, resolution="Res. 2"))
    odd.say(totals=Totals(late=1), seq=11).settle()
    assert odd.seat().owed == 0 and "plan" in odd.seat().closed


def test_r26_no_credits_move_on_a_unit_made_for_another_plan():
    desk = _other_credit(electronic())
    desk.core.buy(1, 10)
    assert LoadCredits not in [type(command) for command in desk.wishes()]


# A memory that went back


def forgotten() -> Desk:
    """A table unit of two seats, with a bet at the first."""
    desk = Desk(native(1, CONSOLE, 1), native(2, WHOLE, 1, 2)).say(seat=1, last=False).say(seat=2).opened()
    desk.down(2, Down.FORGOT)
    return desk


def take_anew(desk):
    return [wish for wish in desk.wishes() if isinstance(wish, TakeAnew)]


def count(desk, seat):
    desk.core.ask(ask.CountSeat(TABLE, seat, desk.seat(seat).credits, JEFA, LUIS))


def test_r37_a_memory_that_went_back_is_held_until_all_its_seats_were_counted():
    desk = forgotten()
    assert take_anew(desk) == []
    assert [desk.seat(seat).doubted for seat in (1, 2)] == [True, True]
    assert "perdió lo que sabía" in desk.seat(2).closed
    count(desk, 1)
    assert take_anew(desk.after(60)) == [], "the other one was not counted"
    count(desk, 2)
    assert take_anew(desk) == [TakeAnew()]
    assert take_anew(desk.after(60)) == [], "it is said once"


def test_r37_once_it_was_counted_the_seat_opens_and_stays_open():
    """`memory_lost` closed it again four milliseconds later, for ever."""
    desk = forgotten()
    desk.settle()
    count(desk, 1)
    count(desk, 2)
    take_anew(desk)
    desk.core.ask(ask.OpenSeat(TABLE, 1, JEFA))
    desk.after(9).settle()
    assert desk.seat(1).closed == ""
    desk.hear(UnitUp(unit=2, device=KEY, product="p", firmware=1, seats=(1, 2), rebooted=False))
    desk.say(seat=1, seq=3, totals=Totals(), last=False).say(seat=2, seq=3, totals=Totals())
    desk.settle()

    assert desk.seat(1).device == Device(77, 1, 3)
    assert desk.seat(1).closed == "" and desk.seat(2).closed
    assert LoadCredits(1, 0, 20) in desk.wishes(), "what the player has is loaded anew"


def test_r37_a_unit_that_forgets_again_is_counted_again():
    desk = forgotten()
    desk.settle()
    count(desk, 1)
    count(desk, 2)
    assert take_anew(desk) == [TakeAnew()]
    desk.down(2, Down.FORGOT)
    assert take_anew(desk) == [TakeAnew()], "nothing of it is on record yet"


def test_r37_a_console_that_forgot_has_nothing_to_count():
    desk = electronic()
    desk.down(1, Down.FORGOT)

    assert take_anew(desk) == [TakeAnew()]


def test_r37_a_seat_whose_driver_heard_what_cannot_be_is_taken_anew_after_two_have_counted():
    desk = electronic()
    desk.settle()
    desk.say(faults=(DISBELIEVED,), seq=11)
    assert [one.forgot for one in desk.asks()] == [True]
    desk.settle()
    assert desk.seat().closed and desk.seat().doubted
    assert take_anew(desk) == [], "nobody has counted it"

    count(desk, 1)
    assert desk.asks() == [], "what it says is not heard before it is taken anew"
    assert take_anew(desk) == [TakeAnew()]
    desk.say(faults=(), seq=12)
    assert take_anew(desk) == []
    desk.settle()
    assert desk.seat().device is not None and not desk.seat().doubted
    desk.core.ask(ask.OpenSeat(TABLE, 1, JEFA))
    desk.settle()
    assert not desk.seat().closed
