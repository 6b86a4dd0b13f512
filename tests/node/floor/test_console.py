"""The croupier's buttons, and which units may be open (R-5, devices.md 2.5, 2.6)."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Phase
from controller.node.floor.floor import Floor
from controller.node.vocabulary.commands import Acknowledge, LockUnit, UnlockUnit, VoidBet, Wish
from controller.node.vocabulary.protocol import Deed, Request
from drivers.model import BetSeen, Down, Settled, Totals
from drivers.model import LampProof as Light
from drivers.session import SECOND
from support.floor.floor import ANA, JEFA, TABLE, plan
from support.floor.floor import Floor as Ledger
from support.floor.floor_desk import KEY, electronic, locking, notes, rounds


def test_the_first_sight_of_a_console_is_no_press():
    desk = electronic().opened().console(locks=7, unlocks=9)
    assert desk.asks() == []


def test_r5_a_press_locks_an_open_pass_once():
    desk = electronic().opened().console().console(locks=1)
    assert desk.asks() == [ask.Lock(TABLE)]
    desk.settle()

    assert desk.core.table().phase is Phase.LOCKING
    assert desk.console(locks=1).asks() == []


def test_r5_a_lock_counts_also_when_it_was_pressed_while_nobody_listened_but_an_unlock_does_not():
    desk = electronic().opened().console()
    desk.down(1)
    desk.up(1)
    assert desk.console(locks=1, unlocks=0).asks() == [ask.Lock(TABLE)]
    desk.settle()
    desk.say(locked=True, cut=20, seq=21)
    desk.settle()
    desk.down(1)
    desk.up(1)

    assert desk.console(locks=1, unlocks=1).asks() == []
    assert desk.console(locks=1, unlocks=2).asks() == [ask.ClosePass(TABLE)]


def test_both_buttons_at_once_lock():
    desk = electronic().opened().console().console(locks=1, unlocks=1)
    desk.settle()
    assert desk.core.table().phase is Phase.LOCKING
    desk.say(locked=True, cut=20, seq=21)
    desk.settle()

    assert desk.core.table().phase is Phase.SEALED


def test_an_old_lock_press_does_not_lock_the_pass_after_it():
    desk = electronic().console()
    desk.settle()
    desk.console(locks=1).asks()
    desk.core.open_pass()

    assert desk.asks() == []


def test_unlock_opens_a_pass_and_closes_a_sealed_one_first():
    desk = electronic().console()
    desk.settle()
    assert desk.console(unlocks=1).asks() == [ask.OpenPass(TABLE)]
    desk.settle()
    assert (desk.core.table().number, desk.core.table().phase) == (1, Phase.OPEN)
    desk.core.ask(ask.Lock(TABLE))
    desk.say(locked=True, cut=20, seq=21)
    desk.settle()
    desk.console(unlocks=2)
    desk.settle()

    assert (desk.core.table().number, desk.core.table().phase) == (2, Phase.OPEN)


def test_unlock_while_it_locks_or_without_a_day_is_refused_and_said():
    desk = locking().console().console(unlocks=1)
    assert desk.asks() == []
    assert "unlock_refused" in notes(desk)
    request = Request(v=1, id="0" * 32, do=Deed.UNLOCK, table=TABLE)
    assert "cerrando" in desk.floor.deed(Deed.UNLOCK, request, desk.core.state, desk.now)

    closed = electronic(ledger=Ledger(plan(), open_day=False)).console()
    closed.settle()
    assert closed.console(unlocks=1).asks() == []
    assert "jornada" in closed.floor.deed(Deed.UNLOCK, request, closed.core.state, closed.now)


def test_a_pass_opens_every_unit_that_is_up_and_locks_them_again():
    desk = electronic()
    assert rounds(desk) == []
    desk.core.open_pass()
    assert rounds(desk) == [3, 3]
    assert rounds(desk) == []
    desk.core.ask(ask.Lock(TABLE))

    assert [wish for wish in desk.raw() if type(wish.command) is LockUnit] == [
        Wish(place.key, LockUnit()) for place in desk.node.units
    ]


def test_a_unit_that_fell_in_an_open_pass_waits_for_a_person():
    desk = electronic().opened()
    desk.down(2, Down.REBOOTED)
    assert LockUnit in [type(wish.command) for wish in desk.raw()], "an acceptor would open by itself"
    desk.up(2)
    assert rounds(desk.say(locked=True, cut=15, seq=16)) == []
    assert "desbloqueo" in desk.floor.units()[1].why
    desk.console().console(unlocks=1)

    assert rounds(desk) == [3]
    assert desk.floor.units()[1].why == ""


@pytest.mark.parametrize("reason", [Down.SILENT, Down.LINE_DOWN])
def test_a_unit_whose_session_goes_on_is_as_open_as_it_was(reason):
    desk = electronic().opened()
    desk.down(2, reason)
    assert LockUnit not in [type(wish.command) for wish in desk.raw()]
    desk.up(2, goes_on=True)

    assert rounds(desk) == [] and desk.floor.units()[1].why == ""
    assert "unit_waits_for_unlock" not in notes(desk)
    desk.press(2)
    desk.settle()
    assert desk.seat().bet == 2_000


def test_a_unit_that_came_back_in_a_new_session_waits_however_it_went():
    desk = electronic().opened()
    desk.down(2, Down.LINE_DOWN)
    desk.wishes()
    desk.up(2)

    assert rounds(desk.say(locked=True, cut=15, seq=16)) == []
    assert "unit_waits_for_unlock" in notes(desk) and "desbloqueo" in desk.floor.units()[1].why
    desk.console().console(unlocks=1)
    assert rounds(desk) == [3]


def test_r5_a_lock_reaches_a_unit_whose_line_is_gone_for_a_moment():
    desk = electronic().opened()
    desk.down(2, Down.LINE_DOWN)
    desk.wishes()
    desk.core.ask(ask.Lock(TABLE))
    assert Wish(desk.node.units[1].key, LockUnit()) in desk.raw()
    desk.up(2, goes_on=True)
    desk.say(locked=True, cut=15, seq=16)
    desk.settle()

    assert desk.core.table().phase is Phase.SEALED


def came_back_with_a_bet(desk):
    """A unit of three seats that locked itself while a bet of this pass stood at the first."""
    desk.opened().press(2)
    desk.settle()
    desk.say(bet=BetSeen.CONFIRMED, lamp=Light.LIT)
    desk.settle()
    desk.down(2, Down.REBOOTED)
    desk.wishes()
    desk.up(2)
    desk.say(locked=True, cut=15, seq=16, bet=BetSeen.SEALED)
    desk.settle()
    return desk


def test_what_only_the_next_pass_opens_is_promised_by_no_button():
    """2.4: a round in which the unit was locked with a bet is not opened again."""
    desk = came_back_with_a_bet(electronic())
    notes(desk)
    request = Request(v=1, id="0" * 32, do=Deed.UNLOCK, table=TABLE)

    assert "hasta el próximo pase" in desk.floor.units()[1].why
    assert [seat.waits for seat in desk.floor.seats()] == ["pass"]
    assert "hasta el próximo pase" in desk.floor.deed(Deed.UNLOCK, request, desk.core.state, desk.now)
    desk.console().console(unlocks=1)
    assert rounds(desk) == []
    told = notes(desk)
    assert "unlock_refused" in told and "unit_reopened" not in told


def test_a_bet_that_went_back_meanwhile_opens_no_sealed_round():
    desk = came_back_with_a_bet(electronic())
    desk.say(seq=17, totals=Totals(loaded=20, bets=2, voided=2), bet=BetSeen.VOIDED, lamp=Light.DARK)
    desk.console().console(unlocks=1)

    assert rounds(desk) == [] and [seat.waits for seat in desk.floor.seats()] == ["pass"]


def test_the_next_pass_opens_it():
    desk = came_back_with_a_bet(electronic())
    desk.core.ask(ask.Lock(TABLE))
    desk.settle()
    desk.core.ask(ask.ClosePass(TABLE, JEFA))
    desk.core.open_pass()

    assert 5 in rounds(desk) and [seat.waits for seat in desk.floor.seats()] == [""]
    assert desk.floor.units()[1].why == ""


def test_a_unit_that_says_itself_that_its_round_is_sealed_waits_for_the_next_pass():
    desk = electronic().opened()
    desk.down(2, Down.REBOOTED)
    desk.wishes()
    desk.up(2)
    assert rounds(desk.say(locked=True, cut=15, seq=16)) == []
    assert [seat.waits for seat in desk.floor.seats()] == ["button"]
    desk.console().console(unlocks=1)
    assert rounds(desk) == [3]
    desk.hear(Settled(unit=2, seat=0, command="unlock", done=False, result="sealed_round"))

    assert [seat.waits for seat in desk.floor.seats()] == ["pass"]


def test_a_new_process_opens_nothing_of_a_pass_that_was_open():
    desk = electronic().opened()
    desk.floor = Floor(desk.node)
    desk.up(1)
    desk.up(2)
    assert rounds(desk.say(locked=True, cut=15, seq=16)) == []
    request = Request(v=1, id="0" * 32, do=Deed.UNLOCK, table=TABLE)
    assert desk.floor.deed(Deed.UNLOCK, request, desk.core.state, desk.now) is None

    assert sorted(rounds(desk)) == [3, 3]


def test_a_unit_that_locks_by_itself_or_will_not_open_stays_locked():
    desk = electronic().opened()
    desk.say(locked=True, cut=15, seq=16)
    assert UnlockUnit not in [type(wish.command) for wish in desk.raw()]
    assert not any(desk.floor._tables[TABLE].open_units.may(place.key) for place in desk.node.units[1:])

    other = electronic()
    other.settle()
    other.core.open_pass()
    other.wishes()
    other.hear(Settled(unit=2, seat=0, command="unlock", done=False, result="key_down"))
    assert rounds(other) == []
    assert "order_refused" in notes(other)


def test_r25_no_round_opens_over_a_bet_that_is_still_to_be_given_back():
    desk = electronic().opened().press(2)
    desk.settle()
    desk.lit()
    desk.wishes()
    desk.core.ask(ask.VoidPass(TABLE, "x", JEFA))
    desk.core.open_pass()
    wishes = desk.wishes()
    assert VoidBet(1, 13, 1) in wishes and UnlockUnit(5) in wishes, "the console"
    assert [type(command) for command in wishes].count(UnlockUnit) == 1

    desk.say(locked=True, cut=15, seq=16)
    assert UnlockUnit(5) not in desk.wishes()

    desk.void()
    assert UnlockUnit(5) in desk.wishes()


def test_r5_a_new_round_begins_on_a_unit_that_was_read_back_locked():
    desk = electronic().opened()
    desk.core.ask(ask.VoidPass(TABLE, "x", JEFA))
    desk.core.open_pass()
    wishes = [wish for wish in desk.raw() if wish.unit.number == 2]
    assert [type(wish.command) for wish in wishes if type(wish.command) in {LockUnit, UnlockUnit}] == [LockUnit]
    assert rounds(desk.say(seq=15)) == [], "this one was under way before the lock"
    assert "unit_locked_itself" not in notes(desk)

    assert rounds(desk.say(locked=True, cut=15, seq=16)) == [5]
    assert "unit_locked_itself" not in notes(desk), "it was told"


def test_r5_a_unit_that_was_not_read_back_open_has_time_to_lock_before_another_round():
    desk = electronic()
    desk.wishes()
    desk.core.open_pass()
    assert rounds(desk) == [3, 3]
    desk.core.ask(ask.VoidPass(TABLE, "x", JEFA))
    desk.core.open_pass()
    assert rounds(desk) == [5], "the console"
    assert desk.floor.deadline() == 2 * SECOND

    assert rounds(desk.after(2)) == [5]


def test_r2_a_bet_of_the_last_moment_of_a_void_pass_is_not_wiped_out_by_the_next_round():
    desk = electronic().opened()
    desk.core.ask(ask.VoidPass(TABLE, "x", JEFA))
    desk.core.open_pass()
    desk.press(2)
    assert Acknowledge(KEY, 13) in desk.wishes()
    assert rounds(desk.lit()) == []
    assert desk.seat().bet == 2_000

    assert rounds(desk.say(locked=True, cut=15, seq=16, bet=BetSeen.SEALED)) == [], "its round is sealed with this pass"


def test_a_bet_of_the_same_round_stands_when_its_unit_is_opened_again():
    desk = electronic().opened().press(2)
    desk.wishes()
    desk.lit().wishes()
    desk.down(2)
    desk.wishes()
    desk.up(2)
    assert rounds(desk.say(locked=True, cut=15, seq=16)) == []

    desk.console().console(unlocks=1)
    assert rounds(desk) == [3]


def test_training_never_has_the_round_of_a_live_pass():
    desk = electronic().opened(0)
    desk.core.ask(ask.VoidPass(TABLE, "x", JEFA))
    desk.core.ask(ask.StartTraining(TABLE, JEFA, ANA))
    desk.raw()
    desk.say(locked=True, cut=15, seq=16).settle()
    desk.core.open_pass()
    (one, other) = rounds(desk)
    assert one == other and one % 2 == 0


def test_no_training_has_the_rounds_of_the_one_before():
    desk, seen = electronic(), []
    desk.raw()
    for _ in range(3):
        desk.core.ask(ask.StartTraining(TABLE, JEFA, ANA))
        desk.raw()
        desk.core.open_pass()
        seen += rounds(desk.after(3))
        desk.core.ask(ask.VoidPass(TABLE, "x", JEFA))
        desk.raw()
        desk.core.ask(ask.EndTraining(TABLE, JEFA))
        desk.raw()

    assert len(seen) == 6 and len(set(seen)) == 3
    assert all(one % 2 == 0 for one in seen)


def test_a_round_of_training_is_the_same_until_its_pass_is_over():
    desk = electronic()
    desk.raw()
    desk.core.ask(ask.StartTraining(TABLE, JEFA, ANA))
    desk.raw()
    desk.core.open_pass()
    assert len(rounds(desk)) == 2
    desk.core.buy(1, 5)

    assert rounds(desk) == []
