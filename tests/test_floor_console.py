"""The croupier's buttons, and which units may be open (R-5, devices.md 2.5, 2.6)."""

from floor import JEFA, TABLE, plan
from floor import Floor as Ledger
from floor_desk import electronic, locking, notes, rounds

from controller.core import inputs as ask
from controller.core.state import Phase
from controller.node.floor import Floor
from controller.node.protocol import Deed, Request
from controller.node.wishes import Verb, Wish
from drivers.model import (
    Settled,
)


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

    assert [wish for wish in desk.raw() if wish.verb is Verb.LOCK] == [
        Wish(place.key, Verb.LOCK) for place in desk.node.units
    ]


def test_a_unit_that_fell_in_an_open_pass_waits_for_a_person():
    desk = electronic().opened()
    desk.down(2)
    assert Verb.LOCK in [wish.verb for wish in desk.raw()], "an acceptor would open by itself"
    desk.up(2)
    assert rounds(desk) == []
    assert "desbloqueo" in desk.floor.units()[1].why
    desk.console().console(unlocks=1)

    assert rounds(desk) == [3]
    assert desk.floor.units()[1].why == ""


def test_a_new_process_opens_nothing_of_a_pass_that_was_open():
    desk = electronic().opened()
    desk.floor = Floor(desk.node)
    desk.up(1)
    desk.up(2)
    assert rounds(desk) == []
    request = Request(v=1, id="0" * 32, do=Deed.UNLOCK, table=TABLE)
    assert desk.floor.deed(Deed.UNLOCK, request, desk.core.state, desk.now) is None

    assert sorted(rounds(desk)) == [3, 3]


def test_a_unit_that_locks_by_itself_or_will_not_open_stays_locked():
    desk = electronic().opened()
    desk.say(locked=True, cut=15, seq=16)
    assert Verb.UNLOCK not in [wish.verb for wish in desk.raw()]
    assert not any(desk.floor._desks[TABLE].opening.may(place.key) for place in desk.node.units[1:])

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
    assert (Verb.VOID, 1, 13, 1) in wishes and (Verb.UNLOCK, 5) in wishes, "the console"
    assert [verb for verb, *_ in wishes].count(Verb.UNLOCK) == 1

    desk.void()
    assert (Verb.UNLOCK, 5) in desk.wishes()


def test_training_never_has_the_round_of_a_live_pass():
    desk = electronic().opened(0)
    desk.core.ask(ask.VoidPass(TABLE, "x", JEFA))
    desk.core.ask(ask.StartTraining(TABLE, JEFA))
    desk.settle()
    desk.core.open_pass()
    (one, other) = rounds(desk)
    assert one == other and one % 2 == 0
