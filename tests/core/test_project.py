"""R-6, R-27, R-31: what lamps, signs and screens should show, while a rehearsed casino plays."""

import random

from controller.core import inputs as ask
from controller.core.facts import AwardPaid, ClaimRegistered, Refused
from controller.core.inputs import ConfirmAward, FoundNode, LampSeen, LeaveCredits, PayAward, StartTraining
from controller.core.machine import answer, apply
from controller.core.project import Projector, project
from controller.core.state import State
from controller.core.values import Documents, Lamp
from controller.core.view import Light
from controller.documents import read_text, shelf
from controller.play.rehearsal import ADMINISTRATORS, START, Rehearsal
from support.floor.floor import CARLA, JEFA, TABLE, Floor, hands_of, plan, with_reading
from support.floor.told import told


def documents():
    for name, law in (("ensayo-estelar", "scj-2023"), ("ensayo-norte", "arica-2017")):
        texts = [read_text(shelf() / part / f"{one}.toml").text for part, one in (("plans", name), ("rulesets", law))]
        yield Documents(*texts)


def views(seed, passes=400, days=2):
    """Every fact of a rehearsed casino, with the view before and after it."""
    state, seen, record = State(), [], []

    def take(said, at):
        nonlocal state
        answers = []
        for one in said:
            facts = answer(state, one.input, at, told(state, one.input, record))
            for fact in facts:
                record.append((at, fact))
                before, state = state, apply(state, at, fact)
                seen.append((before, fact, state))
            answers.append(facts)
        return answers

    founded = answer(state, FoundNode("ensayo", "00", ADMINISTRATORS), START)[0]
    state = apply(state, START, founded)
    record.append((START, founded))
    casino = Rehearsal(take, lambda: state, tuple(documents()), random.Random(seed), winning=0.2)
    casino.play(days, passes, lambda _: None)
    return seen


SEEN = views(seed=31)


def test_r6_a_lamp_is_asked_to_be_steady_exactly_for_a_booked_bet():
    steady = 0
    for _, _, state in SEEN[::7]:
        for table in project(state).tables:
            book = state.tables["~" * table.training + table.table]
            for view, seat in zip(table.seats, book.seats, strict=True):
                assert (view.light is Light.STEADY) == bool(seat.bet and seat.lamp != "fault")
                steady += view.light is Light.STEADY
    assert steady


def test_r5_no_seat_is_unlocked_but_in_an_open_pass():
    for _, _, state in SEEN[::7]:
        for table in project(state).tables:
            assert table.phase == "open" or all(seat.locked for seat in table.seats)


def test_r31_an_award_is_shown_from_the_instant_it_is_registered_until_it_is_decided():
    registered = paid = 0
    for before, fact, after in SEEN:
        shown = lambda state: {award.award for sign in project(state).signs for award in sign.awards}
        if isinstance(fact, ClaimRegistered) and fact.awards:
            names = {f"{fact.claim}/{award.number}" for award in fact.awards}
            assert not names & shown(before)
            assert names <= shown(after)
            registered += 1
        if isinstance(fact, AwardPaid):
            assert fact.award in shown(before)
            assert fact.award not in shown(after)
            paid += 1
    assert registered
    assert paid


def test_r31_the_sign_shows_the_pot_as_it_is_with_its_paytable_and_limits():
    state = SEEN[-1][2]
    for sign in project(state).signs:
        assert sign.main == state.pots[sign.pot].main
        assert 0 < sign.least <= sign.most
    paytables = {sign.pot: sign.paytable for sign in project(state).signs}
    assert paytables["ensayo-estelar"] == {
        "color": "50 x", "full": "100 x", "poker": "500 x", "escalera_color": "10 %, máx. 5.000 veces", "escalera_real": "100 %",
    }  # fmt: skip
    assert paytables["ensayo-norte"]["color"] == "25000 por unidad"
    assert paytables["ensayo-norte"]["escalera_color"] == "10 %", "the decree has no cap"


def test_r31_r33_an_amount_that_is_owed_once_is_shown_for_the_bet():
    tables, once = {"DP-01": "draw"}, with_reading("arica-2017").replace('"each_unit"', '"bet"')
    floor = Floor(plan(law="arica-2017", unit=1_000, tables=tables), once)

    assert project(floor.state).signs[0].paytable["color"] == "25000 por apuesta"


def test_r21_r4_r6_what_somebody_must_look_at_is_an_alarm():
    rules = {alarm.rule for _, _, state in SEEN for alarm in project(state).alarms}

    assert {"R-4", "R-6"} <= rules


def test_a_projector_shows_each_state_as_it_is_alone_and_what_did_not_change_by_the_same_value():
    projector, same = Projector(), 0
    for before, _, after in SEEN[::3]:
        one, other = projector.view(before), projector.view(after)
        assert one == project(before)
        assert other == project(after)
        pots = {pot.name: pot for pot in before.pots.values()}
        for name, table in after.tables.items():
            if before.tables.get(name) is table and pots[table.pot].documents is after.pots[table.pot].documents:
                assert [view for view in other.tables if any(view is known for known in one.tables)]
                same += 1
    assert same


def test_r27_every_refusal_of_the_evening_stands_on_record_with_its_rule_and_sentence():
    refused = [fact for _, fact, _ in SEEN if isinstance(fact, Refused)]

    assert refused
    assert all(fact.rule.startswith("R-") and fact.message and fact.ask for fact in refused)


def test_r36_the_sign_of_a_pot_says_which_of_its_tables_train():
    floor, shown = Floor(), Projector()
    assert shown.view(floor.state).signs[0].trains == ()
    floor.ask(ask.StartTraining("GO-01", CARLA, JEFA))
    live, copy = shown.view(floor.state).signs
    assert (live.trains, live.training, copy.trains, copy.training) == (("GO-01",), False, (), True)
    floor.ask(ask.EndTraining("GO-01", JEFA))
    assert [sign.trains for sign in shown.view(floor.state).signs] == [()]


def table_of(floor, name=TABLE):
    return next(one for one in project(floor.state).tables if one.table == name)


def test_r32_a_sealed_pass_says_of_each_seat_whether_its_bet_may_win_or_why_not():
    floor = Floor()
    floor.open_pass()
    floor.bet(1)
    floor.bet(2, lit=False)
    assert not any(one.valid or one.why for one in table_of(floor).seats), "nothing is said before the seal"
    floor.ask(LampSeen(TABLE, 2, Lamp.FAULT))
    floor.lock()

    seats = table_of(floor).seats
    assert [(one.seat, one.valid, one.why) for one in seats[:3]] == [
        (1, True, ""),
        (2, False, "lamp"),
        (3, False, "no_bet"),
    ]
    # As the judge says it, of hands that are entered there.
    told = {one.seat: one.reason for one in floor.claim((1, "full"), (2, "", "folded"), (3, "", "folded"))[0].unpaid}
    assert told == {one.seat: one.why for one in seats if one.seat in told}


def test_r20_r36_a_claim_is_shown_with_its_hands_its_cards_and_who_entered_and_confirmed_it():
    floor = Floor(plan(alone=200_000))
    floor.sealed({1: 2, 2: 2}, "GO-01")
    hands = ((1, ("Th", "Jh", "Qh")), (2, "full"))
    floor.claim(*hands, table="GO-01", community=("Kh", "Ah"))
    award = floor.state.claims["GO-01/1/1"].awards["GO-01/1/1/1"]
    floor.ask(ConfirmAward("GO-01/1/1/1", JEFA))

    view = project(floor.state)
    (claim,) = view.claims
    assert (claim.claim, claim.table, claim.number, claim.pot, claim.by) == ("GO-01/1/1", "GO-01", 1, "pozo", "carla")
    assert (claim.hands, claim.community, claim.since) == (hands_of(hands), ("Kh", "Ah"), award.since)
    assert (table_of(floor, "GO-01").hands, table_of(floor, "GO-01").community) == (claim.hands, claim.community)
    full, royal = view.signs[0].awards
    assert (full.by, full.second, full.entered, full.due) == ("jefa", "", ("carla",), award.since + 30 * 60_000)
    assert (full.rules, full.parts, full.house) == (award.granted.rules, award.granted.parts, 0)
    assert (royal.by, royal.confirmed, royal.rules) == ("", False, ("R-11", "R-15"))

    floor.close_pass("GO-01")
    assert project(floor.state).claims == (claim,), "the cards are known as long as the claim is"
    floor.ask(PayAward("GO-01/1/1/1", CARLA))
    assert project(floor.state).claims[0].paid == 200_000
    corrected = ((2, "full"),)
    floor.correct(1, *corrected, table="GO-01", community=("2h", "3d"))
    assert project(floor.state).claims == (), "nothing of it waits"


def test_r34_what_a_correction_says_of_the_cards_is_shown():
    floor = Floor()
    floor.sealed({1: 2, 2: 2}, "GO-01")
    floor.claim((1, "full"), table="GO-01", community=("Kh", "Ah"))
    floor.correct(1, (1, "full"), (2, "full"), table="GO-01", community=("Kd", "Ad"))

    (claim,) = project(floor.state).claims
    assert (claim.community, len(claim.hands)) == (("Kd", "Ad"), 2)


def test_a_claim_that_did_not_change_is_shown_by_the_same_value():
    floor = Floor()
    floor.sealed({1: 2})
    floor.claim((1, "full"))
    projector = Projector()
    (before,) = projector.view(floor.state).claims
    floor.sealed({1: 2}, "GO-01")
    floor.claim((1, "full"), table="GO-01")

    after = projector.view(floor.state).claims
    assert after[0] is before and len(after) == 2


def test_r36_a_claim_of_a_table_that_trains_says_so():
    floor = Floor()
    floor.ask(StartTraining(TABLE, CARLA, JEFA))
    floor.sealed({1: 2})
    floor.claim((1, "full"))

    (claim,) = project(floor.state).claims
    assert (claim.table, claim.pot, claim.training) == (TABLE, TABLE, True)


def test_r4_r27_a_table_shows_what_is_due_of_it():
    floor = Floor()
    floor.buy(1, 4)
    floor.ask(LeaveCredits(TABLE, 1, CARLA, JEFA))
    floor.open_pass()
    floor.report(2, chips=9)

    table = table_of(floor)
    assert (table.left, table.suspense) == (4_000, 0)
    assert table.seats[1].owed == table.seats[1].over == floor.seat(2).over > 0
