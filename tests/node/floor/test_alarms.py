"""What the floor tells persons of devices beside the record: what one complains of itself, and a bet that nobody made."""

from controller.core import inputs as ask
from controller.node.vocabulary.commands import ClearSeatFaults
from controller.node.vocabulary.protocol import Deed, Request
from drivers.model import BetSeen, Explained, FaultsSeen
from drivers.model import LampProof as Light
from drivers.native.blocks import RingEntry
from support.floor.floor import JEFA, TABLE
from support.floor.floor_desk import electronic, notes


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


def test_what_a_units_ring_says_is_written_as_an_object():
    desk = electronic()
    desk.hear(Explained(unit=2, entries=(RingEntry(seq=2, uptime=5, kind=1, seat=1),)))
    [note] = [note for note in iter(desk.floor.next_note, None) if note.event == "device_events"]

    assert note.fields["entries"] == [
        {"seq": 2, "uptime": 5, "kind": 1, "seat": 1, "argument": 0, "credits": 0, "boots": 0}
    ]
