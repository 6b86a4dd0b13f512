"""What the floor tells persons of devices beside the record: what one complains of itself, and a bet that nobody made."""

from dataclasses import replace

from controller.core import inputs as ask
from controller.core.facts import FirmwareSeen
from controller.core.values import Box, Device
from controller.node.vocabulary.commands import ClearSeatFaults, UnlockUnit
from controller.node.vocabulary.protocol import Deed, Request
from drivers.model import BetSeen, DeviceKey, Down, Explained, FaultsSeen, Totals, UnitUp
from drivers.model import LampProof as Light
from drivers.native.blocks import RingEntry
from support.floor.floor import JEFA, TABLE
from support.floor.floor_desk import KEY, LINE, Desk, electronic, key_of, notes, of
from support.floor.floor_tables import CONSOLE, ELECTRONIC, native


def asked(desk, deed, seat=1):
    request = Request(v=1, id="0" * 32, do=deed, table=TABLE, seat=seat)
    return desk.floor.deed(deed, request, desk.core.state, desk.now)


# what persons must look at and no record says.


def unit_faults(desk, *faults):
    desk.hear(FaultsSeen(unit=2, faults=faults))
    return desk


def test_what_a_unit_complains_of_itself_is_seen_and_cleared_by_an_order_that_names_no_seat():
    desk = unit_faults(electronic(), "host_lost", "totals_lost")
    assert desk.floor.units()[1].faults == ("host_lost", "totals_lost")
    assert [one.name for one in desk.floor.alarms()] == ["unit_faults"]
    assert "perdió sus cuentas" in desk.floor.alarms()[0].sentence
    asked(desk, Deed.CLEAR_FAULTS, 0)
    assert ClearSeatFaults(0) in desk.wishes()

    unit_faults(desk)
    assert desk.floor.alarms() == () and desk.floor.units()[1].faults == ()
    assert "se queja" in asked(desk, Deed.CLEAR_FAULTS, 0)


def test_that_a_unit_lost_its_host_is_in_the_list_and_no_alarm():
    assert unit_faults(electronic(), "host_lost", "brown_out").floor.alarms() == ()


def test_faults_of_a_unit_that_went_away_are_nobodys_business():
    desk = unit_faults(electronic(), "totals_lost")
    desk.down(2)

    assert desk.floor.alarms() == () and desk.floor.units()[1].faults == ()


def test_r6_a_bet_that_nobody_made_is_an_alarm_and_a_line_of_the_journal():
    desk = electronic().opened()
    notes(desk)
    desk.say(bet=BetSeen.CONFIRMED, bet_credits=2, bet_seq=12, lamp=Light.LIT)
    desk.settle()
    assert notes(desk).count("bet_of_nobody") == 1
    assert [(one.name, one.where) for one in desk.floor.alarms()] == [("bet_of_nobody", f"{TABLE}/1")]
    desk.say(bet=BetSeen.CONFIRMED, bet_credits=2, bet_seq=12, lamp=Light.DARK)
    desk.settle()
    assert "bet_of_nobody" not in notes(desk), "it was said"
    assert desk.seat().bet == 0

    desk.say(bet=BetSeen.NONE, bet_credits=0)
    desk.settle()
    assert desk.floor.alarms() == ()


def test_a_bet_that_was_made_and_one_that_goes_back_are_no_bets_of_nobody():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.say(bet=BetSeen.CONFIRMED, lamp=Light.LIT)
    desk.settle()
    assert desk.seat().bet == 2_000
    desk.core.ask(ask.VoidHand(TABLE, 1, "x", JEFA))
    desk.settle()

    assert desk.floor.alarms() == () and "bet_of_nobody" not in notes(desk)


# what counts, and with which program.


def test_r27_which_box_answers_where_and_with_which_program_is_on_record_once_and_whenever_it_changes():
    desk = electronic()
    desk.settle()
    assert desk.core.state.boxes == {f"{LINE}/1": Box(key_of(1).serial, 1, 0), f"{LINE}/2": Box(KEY.serial, 1, 0)}

    desk.down(2)
    desk.up(2)
    assert of(desk.asks(), ask.SeeFirmware) == [], "the same came back"
    desk.down(2)
    desk.hear(UnitUp(unit=2, device=KEY, product="p", firmware=2, seats=(1,), rebooted=True, firmware_check=0x5A3C))
    asked_ = of(desk.asks(), ask.SeeFirmware)
    assert asked_ == [ask.SeeFirmware(TABLE, f"{LINE}/2", Box(KEY.serial, 2, 0x5A3C))]
    desk.settle()
    assert desk.core.heard(FirmwareSeen)[-1].was == Box(KEY.serial, 1, 0)


# two boxes that say they are one.


def twins():
    """At seat 2 a box is put that has the serial and the epoch of the one at seat 1."""
    desk = Desk(native(1, CONSOLE, 1), native(2, ELECTRONIC, 1), native(3, ELECTRONIC, 2)).say(2, 1).say(3, 2)
    desk.settle()
    desk.down(3, Down.REPLACED)
    desk.seen[3, 2] = replace(desk.seen[3, 2], totals=Totals(loaded=1_000))
    desk.up(3, key_of(2))
    return desk


OWN = Device(key_of(3).serial, key_of(3).epoch, 10)


def test_r37_of_two_boxes_with_one_serial_and_epoch_the_second_is_not_believed():
    desk = twins()
    desk.after(60).settle()

    assert [(one.name, one.rule) for one in desk.floor.alarms()] == [("unit_twin", "R-37")]
    said = desk.floor.alarms()[0].sentence
    assert f"{LINE}/3" in said and f"{LINE}/2" in said and said.index("/3") < said.index("/2")
    assert [unit.health for unit in desk.floor.units()] == ["up", "up", "down"]
    assert desk.seat(2).closed == "otro aparato tiene su número de serie" and not desk.seat(1).closed
    assert desk.seat(2).device == OWN, "nothing of it is booked"
    desk.core.open_pass()
    assert {wish.unit.number for wish in desk.raw() if isinstance(wish.command, UnlockUnit)} == {1, 2}


def test_r37_nothing_that_a_twin_says_is_heard():
    desk = twins()
    desk.say(3, 2).press(2, 3, 2)
    desk.hear(FaultsSeen(unit=3, faults=("totals_lost",)))
    desk.settle()

    assert desk.seat(2).device == OWN
    assert [one.name for one in desk.floor.alarms()] == ["unit_twin"]


def test_r37_a_twin_that_was_changed_comes_up():
    desk = twins()
    desk.down(3)
    assert desk.floor.alarms() == ()
    desk.up(3, DeviceKey(KEY.serial + 1, KEY.epoch))
    desk.settle()

    assert [unit.health for unit in desk.floor.units()] == ["up"] * 3
    assert desk.seat(2).device == Device(KEY.serial + 1, KEY.epoch, 10)


def test_r37_who_comes_back_alone_is_no_twin():
    """The same box at another place, or the first of the two taken away."""
    desk = twins()
    desk.down(2)
    assert [one.name for one in desk.floor.alarms()] == ["unit_twin"], "it stays out until it comes up anew"
    desk.down(3)
    desk.up(3, key_of(2))
    desk.settle()

    assert desk.floor.alarms() == ()
    assert desk.seat(2).device == Device(KEY.serial, KEY.epoch, 10)


def test_what_a_units_ring_says_is_written_as_an_object():
    desk = electronic()
    desk.hear(Explained(unit=2, entries=(RingEntry(seq=2, uptime=5, kind=1, seat=1),)))
    [note] = [note for note in iter(desk.floor.next_note, None) if note.event == "device_events"]

    assert note.fields["entries"] == [
        {"seq": 2, "uptime": 5, "kind": 1, "seat": 1, "argument": 0, "credits": 0, "boots": 0}
    ]
