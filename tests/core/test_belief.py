"""R-37: a device's word is bounded by what it can be. What a unit cannot have counted is booked nowhere."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict
from msgspec.structs import replace as with_

from controller.core import inputs as ask
from controller.core.facts import (
    BetMade,
    ChipsFell,
    DeviceAdopted,
    DeviceDisbelieved,
    DeviceSeen,
    NothingNew,
    PassSealed,
    SeatClosed,
    SeatCounted,
)
from controller.core.project import project
from controller.core.values import Bounds, Device, Refund
from controller.rules.belief import BETWEEN_IMAGES, Disbelief, Span, are_too_many, disbelief, stands_beyond
from controller.verify import facts as verify_facts
from controller.verify.belief import Move, impossible, may_know_more, overdrawn
from support.floor.floor import BOUGHT, CARLA, JEFA, LUIS, TABLE, TITO, Floor, kinds, opened

WORD = 2**32
BUTTONS, SLOT = Bounds(press=5), Bounds(chip=2)
OLD = Device(7, 1, 100, bets=50, voided=20, chips=30, late=4)


def grown(events: int = 1, **more: int) -> Device:
    totals = {name: (getattr(OLD, name) + many) % WORD for name, many in more.items() if name != "worth"}
    return with_(OLD, seq=(OLD.seq + events) % WORD, worth=more.get("worth", 1), **totals)


def judged(old, new, bounds):
    return disbelief(old.image, new.image, bounds.most if bounds is not None else None)


# What can be, and what cannot

CAN = [
    (grown(0), None),
    (grown(9), BUTTONS),
    (grown(bets=5), BUTTONS),
    (grown(2, bets=6), BUTTONS),
    (grown(2, bets=5, voided=5), BUTTONS),
    (grown(2, voided=6), BUTTONS),
    (grown(chips=2), SLOT),
    (grown(2, chips=3), SLOT),
    (grown(2, chips=1, late=2), SLOT),
    (grown(late=1, worth=9), SLOT),  # one piece of a unit that was made for another plan
    (grown(2, late=2, worth=9), SLOT),
    (grown(bets=2**31 - 1), None),  # nobody said what it can be
]
CANNOT = [
    (grown(0, bets=1), None, Disbelief.SAME_EVENT),
    (grown(0, late=1), SLOT, Disbelief.SAME_EVENT),
    (grown(-1), BUTTONS, Disbelief.WENT_BACK),  # and nothing of it moved
    (grown(2**31), None, Disbelief.WENT_BACK),
    (grown(-1, bets=1), None, Disbelief.WENT_BACK),
    (grown(2**31, bets=1), None, Disbelief.WENT_BACK),
    (grown(bets=-1), None, Disbelief.WENT_BACK),
    (grown(9, voided=-1), BUTTONS, Disbelief.WENT_BACK),
    (grown(chips=2**31), None, Disbelief.WENT_BACK),
    (grown(9, bets=1), SLOT, Disbelief.NO_BUTTONS),
    (grown(9, voided=1), SLOT, Disbelief.NO_BUTTONS),
    (grown(9, chips=1), BUTTONS, Disbelief.NO_SLOT),
    (grown(9, late=1), BUTTONS, Disbelief.NO_SLOT),
    (grown(bets=6), BUTTONS, Disbelief.TOO_MUCH),
    (grown(bets=5, voided=5), BUTTONS, Disbelief.TOO_MUCH),
    (grown(chips=3), SLOT, Disbelief.TOO_MUCH),
    (grown(chips=1, late=1), SLOT, Disbelief.TOO_MUCH),
    (grown(late=2, worth=9), SLOT, Disbelief.TOO_MUCH),
]


@pytest.mark.parametrize(("new", "bounds"), CAN)
def test_r37_what_a_unit_can_have_counted(new, bounds):
    assert judged(OLD, new, bounds) is None


@pytest.mark.parametrize(("new", "bounds", "why"), CANNOT)
def test_r37_what_no_unit_can_have_counted(new, bounds, why):
    assert judged(OLD, new, bounds) is why


def test_r37_totals_and_event_numbers_wrap():
    old = Device(7, 1, WORD - 1, bets=WORD - 2)
    assert judged(old, Device(7, 1, 0, bets=3), BUTTONS) is None
    assert judged(old, Device(7, 1, 0, bets=4), BUTTONS) is Disbelief.TOO_MUCH


def test_r37_what_a_unit_can_be_only_grows_with_its_memory():
    assert SLOT.wider(None) == SLOT
    assert Bounds(5, 1).wider(Bounds(2, 3)) == Bounds(5, 3)


TOTALS = st.integers(0, 12) | st.integers(WORD - 3, WORD - 1) | st.integers(0, WORD - 1)
DEVICES = st.builds(Device, st.just(7), st.just(1), TOTALS, TOTALS, TOTALS, TOTALS, TOTALS, worth=st.integers(1, 9))
BOUNDS = st.none() | st.builds(Bounds, st.integers(0, 9), st.integers(0, 9))


@given(DEVICES, DEVICES, BOUNDS)
def test_r37_the_auditor_judges_alike(old, new, bounds):
    ours = judged(old, new, bounds)
    copies = [verify_facts.Device(**asdict(one)) for one in (old, new)]
    theirs = impossible(*copies, verify_facts.Bounds(**asdict(bounds)) if bounds is not None else None)

    assert (ours or "") == theirs


SPANS = st.lists(st.builds(Span, st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 6)), min_size=1, max_size=4)


@given(SPANS)
def test_r37_both_hands_say_alike_whether_seats_spent_more_than_happened(spans):
    spans = [Span(*sorted((a % WORD, b % WORD), key=lambda at: (at + 9) % WORD), events) for a, b, events in spans]

    assert are_too_many(spans) == overdrawn([Move(*span) for span in spans])


@pytest.mark.parametrize(
    ("spans", "too_many"),
    [
        ([Span(5, 6, 1)], False),
        ([Span(5, 6, 1), Span(5, 6, 1)], True),  # one event, two seats
        ([Span(5, 7, 1), Span(5, 7, 1)], False),
        ([Span(6, 7, 1), Span(5, 7, 1)], False),
        ([Span(6, 7, 1), Span(5, 7, 2)], True),  # two of the last seven took three
        ([Span(5, 7, 2), Span(6, 7, 1)], True),
        ([Span(5, 7, 2), Span(3, 6, 1)], False),  # before the other's, there was room
        ([Span(5, 6, 1), Span(6, 7, 1)], False),  # newer than what is judged
        ([Span(WORD - 1, 1, 1), Span(WORD - 1, 1, 2)], True),
    ],
)
def test_r37_the_seats_of_a_unit_share_its_events(spans, too_many):
    assert are_too_many(spans) is too_many
    assert overdrawn([Move(*span) for span in spans]) is too_many


# On a floor


def say(floor, device, bounds=BUTTONS, **also):
    return floor.ask(ask.SeatReport(TABLE, 1, device, bounds=bounds, **also))


def electronic() -> Floor:
    """A seat with credits, in an open pass, whose unit has four buttons of at most five credits."""
    floor = opened()
    (known,) = say(floor, floor.seat(1).device)
    assert known == DeviceSeen(TABLE, 1, floor.seat(1).device, BUTTONS)
    return floor


def after(floor, events=1, **more):
    device = floor.seat(1).device
    moved = {name: (getattr(device, name) + many) % WORD for name, many in more.items()}
    return with_(device, seq=(device.seq + events) % WORD, **moved)


def test_r37_a_million_chips_on_a_unit_without_a_slot_are_no_bet_and_no_debt():
    """Issue 13, 16: this became a debt of a thousand million, which one croupier paid out."""
    floor = electronic()
    before = dict(floor.balances)
    lie = after(floor, events=40, chips=1_000_000)
    closed, doubted = say(floor, lie)

    assert (kinds([closed, doubted]), doubted) == (
        [SeatClosed, DeviceDisbelieved],
        DeviceDisbelieved(TABLE, 1, lie, Disbelief.NO_SLOT),
    )
    assert "ranura" in closed.reason and floor.balances == before
    assert (floor.seat(1).owed, floor.seat(1).bet) == (0, 0)


def test_r37_a_bets_total_that_jumped_is_no_refused_bet():
    floor = electronic()
    say(floor, after(floor, events=2, bets=1_000_000))

    assert (floor.seat(1).giving_back, floor.seat(1).doubted) == (0, True)
    assert [alarm.rule for alarm in project(floor.state).alarms] == ["R-6", "R-37"], "and two persons are asked for"


def two_seats() -> Floor:
    """Of one unit, with credits on both, as of one image."""
    floor = electronic()
    floor.buy(2, BOUGHT)
    floor.ask(ask.SeatReport(TABLE, 2, floor.seat(1).device, bounds=BUTTONS))
    return floor


def test_r37_seats_of_one_unit_share_its_events():
    """One event is one press; at two seats it would be two bets."""
    floor = two_seats()
    said = after(floor, events=1, bets=2)
    assert kinds(say(floor, said)) == [BetMade]
    closed, doubted = floor.ask(ask.SeatReport(TABLE, 2, said, bounds=BUTTONS))

    assert (kinds([closed, doubted]), doubted.why) == ([SeatClosed, DeviceDisbelieved], Disbelief.TOO_MUCH)
    assert (floor.seat(1).bet, floor.seat(2).bet) == (2_000, 0), "who was booked first is believed"


def test_r37_two_presses_at_two_seats_of_a_unit_are_two_events():
    floor = two_seats()
    said = after(floor, events=2, bets=2)
    assert kinds(say(floor, said)) == [BetMade]
    assert kinds(floor.ask(ask.SeatReport(TABLE, 2, said, bounds=BUTTONS))) == [BetMade]


def test_r37_an_event_number_that_went_back_with_equal_totals_is_a_memory_that_went_back():
    floor = electronic()
    closed, doubted = say(floor, after(floor, events=-1))
    assert (doubted.why, closed.reason) == (Disbelief.WENT_BACK, "el aceptor cuenta hacia atrás: cuente dos personas")


def test_r37_a_bet_that_stands_goes_back_and_what_the_unit_says_on_is_not_heard():
    floor = electronic()
    say(floor, after(floor, bets=3))
    closed, _ = say(floor, after(floor, bets=-1))
    assert closed.refund == Refund(1, cash=3_000)

    assert kinds(say(floor, after(floor, bets=2))) == [NothingNew]
    assert floor.seat(1).credits == BOUGHT * 1_000


def test_r37_after_the_lock_the_bet_stands_and_the_pass_is_sealed():
    floor = electronic()
    say(floor, after(floor, bets=3))
    floor.lamp(1)
    floor.ask(ask.Lock(TABLE))
    assert kinds(say(floor, after(floor, events=0, bets=9))) == [SeatClosed, DeviceDisbelieved, PassSealed]

    floor.close_pass()
    assert floor.seat(1).closed and floor.seat(1).doubted


def test_r37_a_seat_that_was_closed_already_is_only_disbelieved():
    floor = electronic()
    floor.ask(ask.CloseSeat(TABLE, 1, "sin respuesta"))

    assert kinds(say(floor, after(floor, chips=1))) == [DeviceDisbelieved]


def test_r37_two_persons_count_the_seat_before_it_opens_and_the_unit_is_looked_at_anew():
    floor = electronic()
    lie = after(floor, bets=1_000)
    say(floor, lie)
    assert floor.reason(ask.OpenSeat(TABLE, 1, TITO)) == "seat_uncounted"

    (counted,) = floor.ask(ask.CountSeat(TABLE, 1, BOUGHT * 1_000, JEFA, LUIS))
    assert counted == SeatCounted(TABLE, 1, BOUGHT * 1_000, BOUGHT * 1_000, "jefa", "luis"), "equal, and on record"
    assert kinds(say(floor, lie)) == [DeviceAdopted] and floor.seat(1).bounds == BUTTONS
    floor.ask(ask.OpenSeat(TABLE, 1, TITO))
    assert kinds(say(floor, after(floor, bets=2))) == [BetMade]


def test_r37_a_unit_whose_memory_went_back_is_counted_by_two_and_taken_as_it_is():
    """Its driver saw it; what it counts by then may have passed what is on record."""
    floor = electronic()
    say(floor, after(floor, bets=3))
    closed, doubted = say(floor, floor.seat(1).device, forgot=True)
    assert (closed.refund, doubted.why) == (Refund(1, cash=3_000), Disbelief.FORGOT)
    assert "perdió lo que sabía" in closed.reason and floor.seat(1).doubted
    assert kinds(say(floor, floor.seat(1).device, forgot=True)) == [NothingNew], "it is said once"
    assert floor.reason(ask.OpenSeat(TABLE, 1, TITO)) == "seat_uncounted"

    floor.ask(ask.CountSeat(TABLE, 1, floor.seat(1).credits, JEFA, LUIS))
    assert kinds(say(floor, Device(7, 1, 2))) == [DeviceAdopted]
    floor.ask(ask.OpenSeat(TABLE, 1, TITO))
    assert kinds(say(floor, after(floor, bets=2))) == [BetMade]


@pytest.mark.parametrize("why", [Disbelief.UNORDERED, Disbelief.IMAGES])
def test_r37_what_only_two_images_show_is_the_node_s_word(why):
    """Totals on record may stand still meanwhile."""
    floor = electronic()
    closed, doubted = say(floor, floor.seat(1).device, impossible=why)

    assert (doubted.why, floor.seat(1).doubted, closed.reason[-19:]) == (why, True, "cuente dos personas")
    floor.ask(ask.CountSeat(TABLE, 1, floor.seat(1).credits, JEFA, LUIS))
    assert kinds(say(floor, floor.units[TABLE, 1])) == [DeviceAdopted]


@pytest.mark.parametrize("why", sorted(set(Disbelief) - BETWEEN_IMAGES))
def test_r37_what_the_record_shows_nobody_has_to_say(why):
    floor = electronic()
    assert kinds(say(floor, floor.seat(1).device, impossible=why)) == [NothingNew]
    assert kinds(say(floor, after(floor, bets=2), impossible=why)) == [BetMade]


def test_r37_what_the_record_shows_goes_before_what_the_node_saw():
    floor = electronic()
    assert say(floor, after(floor, chips=1), impossible=Disbelief.IMAGES)[-1].why is Disbelief.NO_SLOT


def test_r37_what_is_not_on_record_of_a_unit_it_cannot_have_forgotten():
    floor = electronic()
    assert kinds(say(floor, after(floor, bets=1), forgot=True)) == [BetMade]


def test_r37_a_count_that_differs_waits_for_an_explanation():
    floor = electronic()
    say(floor, after(floor, bets=1_000))
    floor.ask(ask.CountSeat(TABLE, 1, 0, JEFA, LUIS))

    assert (floor.table().suspense, floor.seat(1).doubted) == (BOUGHT * 1_000, False)


def test_r37_another_unit_at_a_doubted_seat_is_adopted_and_still_counted_first():
    floor = electronic()
    say(floor, after(floor, chips=1))
    assert kinds(say(floor, Device(99, 1, 1))) == [DeviceAdopted]
    assert floor.reason(ask.OpenSeat(TABLE, 1, TITO)) == "seat_uncounted"


def knowing(floor, device):
    return floor.ask(ask.SeatReport(TABLE, 1, device, bounds=BUTTONS, knows_more=True))


def test_r37_a_unit_that_was_acknowledged_what_the_record_lost_is_counted_by_two():
    floor = electronic()

    closed, fact = knowing(floor, after(floor, bets=2))

    assert closed.reason == "el aceptor sabe más que el registro: cuente dos personas"
    assert (fact.why, floor.seat(1).doubted) == (Disbelief.KNOWS_MORE, True)
    said = [alarm.sentence for alarm in project(floor.state).alarms if alarm.rule == "R-37"]
    assert f"Los aparatos saben más que el registro ({TABLE}/1)" in said[0] and len(said) == 2
    assert kinds(knowing(floor, after(floor, bets=4))) == [NothingNew]
    floor.ask(ask.CountSeat(TABLE, 1, floor.seat(1).credits, JEFA, LUIS))
    assert not [alarm for alarm in project(floor.state).alarms if alarm.rule == "R-37"]


@pytest.mark.parametrize(
    "more",
    [
        {"events": 2, "bets": 2, "voided": 2},
        {"voided": 1},
        {"late": 1},
        {},
        {"events": 0},
        {"events": 4, "bets": 1, "voided": 3},
    ],
)
def test_r37_what_a_unit_counted_and_gave_back_by_itself_is_no_proof(more):
    """A node dies between a press and its commit, and the unit gives the press back."""
    floor = electronic()
    with_slot = ask.SeatReport(TABLE, 1, after(floor, **more), bounds=Bounds(press=5, chip=2), knows_more=True)

    assert DeviceDisbelieved not in kinds(floor.ask(with_slot))


def test_r37_a_chip_that_stays_is_proof_and_a_report_that_does_not_say_so_is_booked_as_ever():
    floor = electronic()
    both = Bounds(press=5, chip=2)
    assert BetMade in kinds(floor.ask(ask.SeatReport(TABLE, 1, after(floor, bets=1), bounds=both)))
    facts = floor.ask(ask.SeatReport(TABLE, 1, after(floor, chips=1), bounds=both, knows_more=True))
    assert facts[-1].why is Disbelief.KNOWS_MORE


def test_r37_a_seat_that_was_closed_before_says_it_by_itself():
    floor = electronic()
    floor.ask(ask.CloseSeat(TABLE, 1, "no responde"))
    assert kinds(knowing(floor, after(floor, bets=2))) == [DeviceDisbelieved]
    said = [alarm.sentence for alarm in project(floor.state).alarms if alarm.rule == "R-37"]
    assert len(said) == 1 and "no se le cree a su aceptor" in said[0]


@given(st.integers(-3, 3), *(st.integers(-4, 9) for _ in range(4)))
def test_r37_both_hands_say_alike_what_may_be_known_more(events, bets, voided, chips, late):
    new = grown(events, bets=bets, voided=voided, chips=chips, late=late)
    old, after_ = (verify_facts.Device(**asdict(one)) for one in (OLD, new))
    assert stands_beyond(OLD.image, new.image) == may_know_more(old, after_)


def test_r37_training_begins_with_units_that_nobody_doubts_and_forgets_nothing():
    floor = Floor()
    floor.report(1)
    say(floor, floor.seat(1).device)
    say(floor, after(floor, chips=1))
    floor.ask(ask.StartTraining(TABLE, JEFA, LUIS))
    assert not floor.seat(1).doubted
    floor.ask(ask.EndTraining(TABLE, JEFA))

    assert floor.seat(1).doubted and floor.seat(1).closed


def test_r37_what_was_counted_before_a_technician_changed_the_buttons_is_believed():
    floor = electronic()
    assert kinds(say(floor, after(floor, bets=5), bounds=Bounds(press=1))) == [BetMade]
    assert floor.seat(1).bounds == BUTTONS

    floor = electronic()
    known, made = say(floor, after(floor, bets=5), bounds=Bounds(press=9))
    assert (known.bounds, made.amount) == (Bounds(press=9), 5_000)


@pytest.mark.parametrize("bounds", [Bounds(-1), Bounds(0, WORD)])
def test_r37_bounds_are_numbers_that_a_unit_can_have(bounds):
    floor = electronic()
    assert floor.reason(ask.SeatReport(TABLE, 1, OLD, bounds=bounds)) == "amount_wrong"


# What the books wait for and the unit does not have any more


def test_r25_what_a_unit_has_given_back_already_is_not_waited_for():
    """Records of an earlier program hold such; a later void of that unit would have been taken for it."""
    floor = electronic()
    say(floor, after(floor, bets=3))
    floor.ask(ask.VoidHand(TABLE, 1, "x", CARLA))
    assert floor.seat(1).giving_back == 3
    assert kinds(say(floor, floor.seat(1).device, holds=3)) == [NothingNew]

    (seen,) = say(floor, floor.seat(1).device, holds=0)
    assert (seen.holds, floor.seat(1).giving_back) == (0, 0)
    assert kinds(say(floor, floor.seat(1).device, holds=-1)) == [NothingNew]


# Every honest unit, and every lie


@dataclass
class Unit:
    """As the device contract has it: one event for each change of a total, one bet at a time, totals that wrap."""

    floor: Floor
    is_slot: bool
    device: Device
    held: int = BOUGHT
    live: int = 0
    reports: list[type] = field(default_factory=list)

    def count(self, **more: int) -> None:
        moved = {name: (getattr(self.device, name) + many) % WORD for name, many in more.items()}
        self.device = with_(self.device, seq=(self.device.seq + 1) % WORD, **moved)

    def press(self, many: int) -> None:
        if self.is_slot:
            self.count(**{"chips" if many % 2 else "late": 2 if many % 2 else 1})
        elif not self.live and many <= self.held:
            self.live, self.held = many, self.held - many
            self.count(bets=many)

    def void(self) -> None:
        if self.live:
            self.count(voided=self.live)
            self.live, self.held = 0, self.held + self.live

    def lock(self) -> None:
        """An event that moves no total."""
        self.count()

    def restart(self) -> None:
        """Of the unit: what nobody confirmed is void. Of the node: it asks again from the record."""
        self.void()
        self.tell()

    def reset(self) -> None:
        """Another memory: it begins with what it has, under another epoch."""
        self.live, self.held = 0, self.held + self.live
        self.device = Device(self.device.serial, self.device.epoch + 1, 3)

    def tell(self) -> None:
        bounds = SLOT if self.is_slot else BUTTONS
        worth = 2 if self.is_slot else 1
        facts = say(self.floor, with_(self.device, worth=worth), bounds=bounds)
        self.reports += kinds(facts)
        if self.floor.seat(1).closed:
            self.floor.ask(ask.OpenSeat(TABLE, 1, TITO))
        if self.floor.seat(1).owed:
            self.floor.ask(ask.PayOwed(TABLE, 1, CARLA, "jefa", JEFA))


def unit_at(start: int, *, is_slot: bool) -> Unit:
    floor = opened()
    device = Device(501, 1, start, *(start,) * 4)
    floor.ask(ask.SeatReport(TABLE, 1, device, bounds=SLOT if is_slot else BUTTONS))
    floor.ask(ask.OpenSeat(TABLE, 1, TITO))
    return Unit(floor, is_slot, device)


STARTS = st.sampled_from([0, 1, 2**31 - 3, WORD - 5, WORD - 1])
STEPS = st.lists(
    st.integers(1, 5).map(lambda many: ("press", many))
    | st.sampled_from([("void",), ("lock",), ("tell",), ("tell",), ("restart",), ("reset",)]),
    max_size=40,
)


def lived(start, steps, *, is_slot) -> Unit:
    unit = unit_at(start, is_slot=is_slot)
    for what, *many in steps:
        getattr(unit, what)(*many)
    unit.tell()
    return unit


@given(STARTS, STEPS, st.booleans())
def test_r37_a_unit_that_keeps_the_contract_is_always_believed(start, steps, is_slot):
    unit = lived(start, steps, is_slot=is_slot)

    assert DeviceDisbelieved not in unit.reports and not unit.floor.seat(1).doubted


LIES = {
    "equal numbers, other totals": lambda d, _: with_(d, bets=(d.bets + 1) % WORD),
    "an older number, other totals": lambda d, k: with_(d, seq=(d.seq - k) % WORD, voided=(d.voided + 1) % WORD),
    "a total that goes back": lambda d, k: with_(d, seq=(d.seq + k) % WORD, bets=(d.bets - 1) % WORD),
    "more presses than events": lambda d, k: with_(d, seq=(d.seq + k) % WORD, bets=(d.bets + 5 * k + 1) % WORD),
    "more given back than events": lambda d, k: with_(d, seq=(d.seq + k) % WORD, voided=(d.voided + 5 * k + 1) % WORD),
    "more chips than events": lambda d, k: with_(d, seq=(d.seq + k) % WORD, chips=(d.chips + 2 * k + 1) % WORD),
    "more late chips than events": lambda d, k: with_(d, seq=(d.seq + k) % WORD, late=(d.late + k + 1) % WORD),
    "a million": lambda d, k: with_(d, seq=(d.seq + k) % WORD, chips=(d.chips + 1_000_000) % WORD),
}


@given(STARTS, STEPS, st.booleans(), st.sampled_from(sorted(LIES)), st.integers(1, 50))
def test_r37_a_lie_is_never_believed_and_never_booked(start, steps, is_slot, lie, events):
    unit = lived(start, steps, is_slot=is_slot)
    floor, before = unit.floor, dict(unit.floor.balances)
    bet = floor.seat(1).bet
    said = LIES[lie](floor.seat(1).device, events)
    facts = say(floor, said, bounds=SLOT if is_slot else BUTTONS)

    assert kinds(facts)[-1] is DeviceDisbelieved and not {BetMade, ChipsFell} & set(kinds(facts))
    assert floor.seat(1).doubted and floor.seat(1).closed
    moved = {name: amount - before.get(name, 0) for name, amount in floor.balances.items()}
    assert {abs(amount) for amount in moved.values()} <= {0, bet}, "R-6: at most the bet that stood went back"
    assert kinds(say(floor, said)) == [NothingNew], "it goes on saying so, and nothing comes of it"
