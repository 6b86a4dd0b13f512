"""Reports that were lost: several presses and give-backs of one unit in one difference of totals (R-2, R-5).

A unit has one bet at a time, and gives it back by itself when nobody confirms it. However much of that nobody heard, the
books are at rest where they would be had each step been told alone.
"""

from contextlib import closing

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.core import inputs as ask
from controller.core.facts import BetMade, BetRefused, ChipsFell, DeviceSeen, DeviceVoided, SeatClosed
from controller.core.values import Refund, Signature
from controller.node.store.store import Reader
from support.core.ledger_compare import first_difference, standing
from support.floor.floor import BOUGHT, CARLA, TABLE, Floor, kinds, opened
from support.record.verify_history import Floor as Node
from support.record.verify_history import plan, ruleset
from support.record.verifying import verify


def test_r5_of_three_presses_in_one_silence_of_the_host_the_last_is_the_bet():
    """Each of the first two was given back by the unit before anybody confirmed it."""
    floor = opened()
    (made,) = floor.report(1, bets=15, voided=10)

    assert (made.amount, floor.seat(1).bet, floor.seat(1).credits) == (5_000, 5_000, 15_000)
    assert (floor.seat(1).closed, floor.seat(1).giving_back) == ("", 0)


def test_r5_a_booked_bet_its_unit_gave_back_and_presses_that_came_and_went_after_it():
    floor = opened()
    floor.report(1, bets=3)
    back, made = floor.report(1, bets=6, voided=5)

    assert (back.credits, back.refund, made.amount) == (3, Refund(1, cash=3_000), 4_000)
    assert (floor.seat(1).bet, floor.seat(1).credits, floor.seat(1).giving_back) == (4_000, 16_000, 0)


def test_r5_a_booked_bet_given_back_and_the_same_pressed_anew_is_another_bet_whose_lamp_is_dark():
    floor = opened()
    floor.report(1, bets=3)
    floor.lamp(1)

    assert kinds(floor.report(1, bets=3, voided=3)) == [DeviceVoided, BetMade]
    assert (floor.seat(1).bet, floor.seat(1).lamp) == (3_000, "dark")


def test_r5_a_refused_bet_given_back_and_presses_that_came_and_went_after_it():
    floor = opened()
    floor.report(1, bets=9)  # above the limit: nine to give back
    back, made = floor.report(1, bets=7, voided=12)

    assert (back.credits, back.refund, made.amount) == (9, None, 4_000)
    assert (floor.seat(1).giving_back, floor.seat(1).bet) == (0, 4_000)


def test_r5_what_came_and_went_is_not_judged_but_what_stands_is():
    floor = opened()
    (refused,) = floor.report(1, bets=9, voided=3)

    assert (refused.credits, refused.reason, floor.seat(1).giving_back) == (6, "above_limit", 6)


@pytest.mark.parametrize("in_time", [True, False])
def test_r5_while_locking_the_last_press_counts_if_it_came_before_the_lock(in_time):
    floor = opened()
    floor.report(1, bets=3)
    floor.ask(ask.Lock(TABLE))
    facts = floor.report(1, bets=6, voided=5, locked=True, cut=-1 if in_time else 1)

    assert kinds(facts)[:2] == [DeviceVoided, BetMade if in_time else BetRefused]
    assert (floor.seat(1).bet, floor.seat(1).giving_back) == ((4_000, 0) if in_time else (0, 4))


def test_r5_after_the_seal_a_press_that_came_and_went_leaves_the_bet():
    floor = Floor()
    floor.sealed({1: 2})

    assert kinds(floor.report(1, bets=3, voided=3)) == [DeviceSeen]
    assert (floor.seat(1).bet, floor.seat(1).out_of_play) == (2_000, False)


def test_r4_chips_beside_presses_that_came_and_went():
    floor = opened()

    assert kinds(floor.report(1, bets=3, voided=3, chips=2)) == [ChipsFell]


def test_r4_a_bet_of_chips_is_not_what_a_unit_gives_back_by_itself():
    floor = opened()
    floor.report(2, chips=2)

    assert kinds(floor.report(2, voided=2)) == [DeviceSeen, SeatClosed]


@pytest.mark.parametrize(("bet", "back"), [(0, 1), (2, 3), (1, 9)])
def test_r2_more_given_back_than_there_ever_was_closes_the_seat(bet, back):
    floor = opened()

    assert SeatClosed in kinds(floor.report(1, bets=bet, voided=back))


def test_r2_half_of_a_booked_bet_cannot_be_given_back_whatever_was_pressed_after_it():
    floor = opened()
    floor.report(1, bets=3)

    assert kinds(floor.report(1, bets=2, voided=1))[:2] == [DeviceSeen, SeatClosed]


class Player:
    """A unit as devices.md 2.3 has it, at a seat of a `Floor`: one bet at a time; what was not told yet waits."""

    def __init__(self):
        self.floor, self.held, self.live, self.waiting = opened(), BOUGHT, 0, {}

    def press(self, many):
        if not self.live and many <= self.held:
            self.live, self.held = many, self.held - many
            self._count("bets", many)

    def void(self):
        """By itself, or because it was told to: the totals say the same."""
        if self.live:
            self._count("voided", self.live)
            self.live, self.held = 0, self.held + self.live

    def _count(self, what, many):
        self.waiting[what] = self.waiting.get(what, 0) + many

    def tell(self):
        moved, self.waiting = self.waiting, {}
        if moved:
            self.floor.report(1, **moved)

    @property
    def books(self):
        seat = self.floor.seat(1)
        return seat.credits // 1_000, seat.bet // 1_000, seat.giving_back, seat.closed


PRESS = st.integers(1, 8).map(lambda many: ("press", many))  # above 5 it is refused
STEPS = st.lists(st.tuples(PRESS | st.just(("void",)), st.booleans()), max_size=25)


@given(STEPS)
def test_r5_however_reports_are_lost_the_books_are_where_they_would_be_had_each_been_heard(steps):
    heard, deaf = Player(), Player()
    for (what, *many), told in steps:
        for player in (heard, deaf):
            getattr(player, what)(*many)
        heard.tell()
        if told:
            deaf.tell()
            assert deaf.books == heard.books
            assert deaf.held == deaf.books[0] - deaf.books[2], "R-2: the unit has what the books have"
    heard.tell()
    deaf.tell()

    assert deaf.books == heard.books and deaf.books[3] == ""


CROUPIER = st.sampled_from(["void hand", "lock"]).map(lambda what: (what,))


@given(st.lists(st.tuples(PRESS | st.just(("void",)) | CROUPIER, st.booleans()), max_size=25))
def test_r5_r25_at_rest_nothing_is_left_to_give_back_whatever_the_croupier_did_meanwhile(steps):
    player = Player()
    floor = player.floor
    for (what, *many), told in steps:
        match what:
            case "void hand":
                floor.ask(ask.VoidHand(TABLE, 1, "se voló una carta", CARLA))
            case "lock" if floor.table().phase == "open" and not player.waiting and not player.live:
                floor.lock()
                floor.close_pass()
                floor.open_pass()
            case "press" | "void":
                getattr(player, what)(*many)
        if told:
            player.tell()
    player.void()
    player.tell()

    assert player.books == (BOUGHT, 0, 0, "") and player.held == BOUGHT


@pytest.mark.campaign
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_r27_the_auditor_and_the_model_of_the_ledger_agree_whatever_was_lost(tmp_path_factory, steps):
    node = Node(tmp_path_factory.mktemp("lost"))
    node.people()
    node.stage(plan(), ruleset())
    node.open_day()
    node.must(ask.OpenPass("DP-01"))
    unit, held, live = node.unit("DP-01", 1), BOUGHT, 0
    node.put(ask.BuyCredits("DP-01", 1, BOUGHT, Signature("eva")))
    for (what, *many), told in [*steps, (("void",), True)]:
        if what == "press" and not live and many[0] <= held:
            live, held = many[0], held - many[0]
            unit.count(bets=live)
        elif what == "void" and live:
            unit.count(voided=live)
            live, held = 0, held + live
        if told:
            node.put(ask.SeatReport("DP-01", 1, unit.device()))
    node.commit()

    seat = node.state.tables["DP-01"].seats[0]
    assert (seat.credits, seat.bet, seat.giving_back, seat.closed) == (BOUGHT * 1_000, 0, 0, "")
    with closing(node.book):
        model, difference = first_difference(node.book.store)
        assert not difference and standing(model.balances) == standing(node.book.balances)
    with Reader.open(node.path) as reader:
        said = verify(reader, None, lambda _: None)
    assert said.is_good, said.wrong
