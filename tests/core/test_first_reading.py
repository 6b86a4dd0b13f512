"""Facts of the first reading: they stand in records and go on meaning what they meant, whatever is decided today."""

import pytest
from msgspec.structs import replace

from controller.core import facts as said
from controller.core import inputs as ask
from controller.core.machine import answer, apply
from controller.core.node import READING
from controller.core.state import AwardNow, State
from controller.core.values import ClaimPhase, Flow, Hand, Hit, Refund, RegisteredAward
from support.floor.floor import CARLA, JEFA, JEFE, LUIS, POT, ROYAL, TABLE, Floor, plan
from support.floor.told import follow, told

ONE = "DP-01/1/1"


def rejected(floor, held, parts, house=0):
    floor.hear(said.ClaimRejected(ONE, POT, "central", held, Flow(parts, house), "no se ve", "jefa", "jefe"), floor.now)


def late(floor, seat, amount):
    award = RegisteredAward(2, seat, "color", amount, {}, amount, ("R-11", "R-14", "R-34"))
    hands = (Hand(1, claimed="full"), Hand(seat, claimed="color"))
    floor.hear(said.LateRegistered(ONE, POT, "central", (), hands, (award,), "jefa", "luis"), floor.now)


def played(hand="full", **how):
    floor = Floor(**how)
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, hand))
    return floor


def test_r21_a_rejection_of_the_first_reading_undoes_what_it_says():
    floor = played()
    rejected(floor, 200_000, {"main": 200_000})

    assert floor.state.claims[ONE].phase is ClaimPhase.REJECTED
    meters = floor.pot().meters
    assert (floor.pot().main, floor.at("held:pozo"), meters.rejected, meters.rejected_hits) == (
        5_002_880,
        0,
        200_000,
        1,
    )
    (again,) = floor.claim((2, "full"))
    assert again.claim == "DP-01/1/2", "and the pass is claimed anew"


def test_r34_a_pass_of_the_first_reading_could_be_claimed_anew_after_it_was_closed():
    floor = played()
    (claimed,) = floor.heard(said.ClaimRegistered)
    rejected(floor, 200_000, {"main": 200_000})
    floor.close_pass()
    table = floor.table()
    floor.hear(replace(claimed, claim="DP-01/1/2"), floor.now)

    assert floor.table() == table, "a pass that is over is no longer on its table"
    assert floor.state.claims["DP-01/1/2"].pending and floor.at("held:pozo") == 200_000
    assert floor.state.claims["DP-01/1/2"].at == floor.state.claims[ONE].at, "R-21: from the first registration"


@pytest.mark.parametrize("reading", range(2, READING + 1))
def test_r32_from_the_second_reading_on_the_hands_of_a_claim_are_kept_with_its_pass(reading):
    floor = Floor()
    floor.sealed({1: 2})
    floor.state = replace(floor.state, reading=reading)
    (fact,) = floor.claim((1, ROYAL))

    assert floor.table().hands == fact.hands != ()


def test_r29_of_hands_of_the_first_reading_no_cards_were_kept():
    floor = Floor()
    floor.sealed({1: 2, 2: 2})
    floor.state = replace(floor.state, reading=1)
    floor.claim((1, ROYAL))

    assert (floor.table().attempts, floor.table().hands) == (1, ())


def test_r34_late_winners_of_the_first_reading_are_the_houses():
    floor = played()
    floor.pay(f"{ONE}/1")
    late(floor, 2, 100_000)

    claim, award = (
        floor.state.claims[ONE],
        RegisteredAward(2, 2, "color", 100_000, {}, 100_000, ("R-11", "R-14", "R-34")),
    )
    assert claim.awards[f"{ONE}/2"] == AwardNow(award, since=claim.at, entered=("jefa", "luis"))
    assert [hand.seat for hand in claim.hands] == [1, 2]
    assert floor.pot().meters.last[-1] == Hit(floor.now, f"{ONE}/2", "color", 100_000)
    assert (floor.at("held:pozo"), floor.at("house:pozo:central")) == (100_000, -5_100_000)
    floor.pay(f"{ONE}/2")
    assert floor.at("paid:pozo:central") == 300_000


@pytest.mark.parametrize("when", ["sealed", "closed"])
def test_r34_what_the_first_reading_rejected_counts_as_recorded_when_a_pass_is_put_right_today(when):
    floor = played()
    rejected(floor, 200_000, {"main": 200_000})
    if when == "closed":
        floor.close_pass()
    floor.sealed({1: 2}, "GO-01")
    (fact,) = floor.correct(1, (2, ROYAL))

    assert fact.awards[0].amount == 5_002_880, "as the first claim found it, or as it was closed: the same pot here"
    assert floor.pot().main == 5_001_440
    (back,) = floor.reject(fact.claim)
    assert (back.cancelled, floor.pot().main) == ((f"{fact.claim}/{fact.awards[0].number}",), 5_004_320)


def test_r34_a_late_winner_of_the_first_reading_keeps_what_he_was_given():
    floor = played()
    floor.pay(f"{ONE}/1")
    late(floor, 2, 100_000)
    floor.close_pass()
    (fact,) = floor.correct(1, (1, "full"), (2, ("2c", "2d", "2h", "3s", "3d")))

    assert [(one.seat, one.amount) for one in fact.awards] == [(2, 200_000)], "his Color was false and not paid"
    assert fact.cancelled == (f"{ONE}/2",)


def test_r34_first_reading_facts_of_claims_behind_the_anchor_are_nobodys_business():
    floor = played()
    floor.close_pass()
    floor.sealed({1: 2}, "GO-01")
    floor.claim((1, "full"), table="GO-01")
    late(floor, 2, 100_000)
    rejected(floor, 300_000, {"main": 300_000})
    (fact,) = floor.reject("GO-01/1/1")

    assert fact.cancelled == ("GO-01/1/1/1",) and fact.resettled == ()


def test_r25_a_void_of_the_first_reading_counts_as_recorded():
    floor = played()
    floor.sealed({1: 2}, "GO-01")
    refund = Refund(1, cash=2_000)
    flow = Flow({"main": -1_440, "reserva": -160}, 0, -400)
    void = said.HandsVoided("GO-01", 1, POT, "central", True, (refund,), "x", "jefa", True, flow, 0, (0,))
    floor.hear(void, floor.now)
    floor.reject(ONE)

    assert (floor.pot().main, floor.pot().reserves) == (5_002_880, {"reserva": 320})


def test_r35_a_pass_closed_without_its_levels_is_told_from_the_first_plan_of_its_pot():
    floor = Floor()
    floor.sealed({1: 2, 2: 2})
    floor.hear(said.PassClosed(TABLE, 1, "carla"), floor.now)
    floor.sealed({1: 5}, "GO-01")
    (fact,) = floor.correct(1, (1, ROYAL))

    assert (fact.before.main, fact.awards[0].amount) == (5_002_880, 5_002_880)
    assert floor.pot().main == 5_003_600


def test_r27_an_older_record_adopts_the_reading_once_and_goes_on():
    state = State()
    for fact in (said.NodeFounded("central", "k", ("ana", "luis")), said.ReadingAdopted(READING)):
        state = apply(state, 5, fact)
    assert state.reading == READING

    assert answer(state, ask.AdoptReading(READING), 6) == (said.NothingNew("la lectura de las reglas"),)
    older = apply(State(), 5, said.NodeFounded("central", "k", ("ana", "luis")))
    assert answer(older, ask.AdoptReading(READING), 6) == (said.ReadingAdopted(READING),)


def test_r34_an_inquiry_that_its_own_pass_overtook_is_asked_again():
    floor = Floor(plan())
    floor.sealed({1: 2, 2: 2})
    floor.claim((1, "full"))
    asked = ask.RejectClaim(ONE, "x", JEFA, JEFE)
    inquiry = told(floor.state, asked, floor.record)
    floor.correct(1, (2, "full"))
    follow(inquiry, floor.record)

    assert inquiry.stale
    follow(inquiry, floor.record)
    for stale in (asked, ask.CorrectClaim(TABLE, 1, (), "x", CARLA, LUIS), ask.VoidPass(TABLE, "x", JEFA)):
        refused = answer(floor.state, stale, floor.now, inquiry)[-1]
        assert refused.reason == "ask_again"
    other = told(floor.state, asked, floor.record)
    floor.close_pass()
    follow(other, floor.record)
    assert other.stale, "its pass was closed meanwhile"


def test_r27_in_the_first_two_readings_a_right_pin_ended_a_row_and_the_third_frees_everybody():
    """A record of then goes on meaning what it meant: five in a row had locked carla."""
    floor = Floor()
    floor.state = replace(floor.state, reading=2)
    wrong = said.Refused("lock", "pin_wrong", "R-27", "by", "El PIN de carla no es correcto.", "carla")
    for _ in range(4):
        floor.hear(wrong, floor.now)
    floor.hear(said.PersonUnlocked("jefa", "carla"), floor.now)
    assert floor.state.people["carla"].failures == 0, "she signed"
    for _ in range(5):
        floor.hear(wrong, floor.now)
    floor.hear(said.ReadingAdopted(READING), floor.now)

    assert floor.state.people["carla"].failures == 0
    floor.open_pass()
