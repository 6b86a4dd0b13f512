"""R-25, R-28, R-34, R-35: a pass of a pot that nodes share, put right: as if one node had it all.

Every story is played twice, on one node and on four that share the pot, and both stand the same after every step.
"""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import (
    ClaimCorrected,
    ClaimDecided,
    CorrectionAsked,
    CorrectionRefused,
    HandsVoided,
    LetterDisputed,
    LetterHeard,
    LetterTold,
)
from controller.core.links.letters import BetsVoided, ClaimPutRight, CorrectionWanted, Letter
from controller.core.values import Loss, Phase, RegisteredAward, Resettled
from support.core.both_ways import (
    BothWays,
    Deed,
    Delayed,
    asked,
    claimed,
    closed,
    corrected,
    paid,
    rejected,
    sealed,
    void,
)
from support.core.linked_floors import heard
from support.floor.floor import (
    ANA,
    CARLA,
    JEFA,
    JEFE,
    LUIS,
    POT,
    ROYAL,
    STRAIGHT_FLUSH,
    hands_of,
    kinds,
    plan,
    prize,
    with_reading,
)

SECOND_FLUSH = ("2h", "3h", "4h", "5h", "6h")
SECOND_ROYAL = ("Ts", "Js", "Qs", "Ks", "As")
FULL = ("2c", "2d", "2h", "3s", "3d")
COLOR = ("2s", "4s", "6s", "8s", "9s")
OTHER = "S1"
JUGADOR = [prize("Jugador", 500_000, one_in=1_000_000)]
NEXT_DAY = ("2026-11-19", b"t" * 32)

mine = pytest.mark.parametrize("mine", ["N1", "B1", "H1"])
"""A casino's own table, one of a box below it, and one of the owner."""


def played(table: str, *deeds: Deed, **how: object) -> BothWays:
    """At this table, and then another one wins: one of another casino."""
    ways = BothWays(**how)
    for deed in deeds:
        assert ways.both(table, deed) == ""
    return ways


def another(ways: BothWays, *hands: object) -> None:
    """Another casino's table wins too, and is paid."""
    ways.both(OTHER, sealed(OTHER, {3: 2}))
    ways.both(OTHER, claimed(OTHER, *hands))
    ways.both(OTHER, paid(f"{OTHER}/1/1/1"))


def two(table: str, number: int, *hands: object, **more: object) -> Deed:
    return asked(ask.CorrectClaim(table, number, hands_of(hands), "x", CARLA, JEFA, **more))


@mine
def test_r34_a_false_real_is_rejected_and_another_casino_is_owed_what_it_would_have_won(mine):
    """The example of R-34: owed there, decided once, seen at both."""
    ways = played(mine, sealed(mine, {1: 2}), claimed(mine, (1, ROYAL)))
    another(ways, (3, SECOND_ROYAL))
    ways.both(mine, rejected(f"{mine}/1/1"))

    there = ways.at(OTHER)
    (fact,) = there.heard(ClaimCorrected)
    (later,) = fact.resettled
    assert (fact.claim, fact.table, fact.above, later.claim) == ("", "", "hub", "S1/1/1")
    assert (later.awards[0].number, later.awards[0].seat, later.awards[0].prize) == (2, 3, "escalera_real")
    assert not there.state.claims["S1/1/1"].awards["S1/1/1/2"].confirmed, "R-36: by people of its own casino"
    ways.apart(OTHER, paid(f"{OTHER}/1/1/2"))
    assert ways.both(mine, rejected(f"{mine}/1/1")) == "claim_rejected"


@mine
def test_r20_r34_the_wrong_seat_is_put_right_and_keeps_its_place(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}), claimed(mine, (1, ROYAL)))
    another(ways, (3, SECOND_FLUSH))

    assert ways.both(mine, corrected(mine, 1, (2, ROYAL))) == ""
    assert ways.both(mine, paid(f"{mine}/1/1/2")) == "award_confirmed", "R-36: an act of two is its own confirmation"
    assert ways.both(mine, closed(mine)) == ""


@mine
def test_r34_until_the_pass_is_closed_a_rejected_claim_is_entered_anew(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}), claimed(mine, (1, ROYAL)))
    another(ways, (3, SECOND_FLUSH))
    said = [
        ways.both(mine, deed)
        for deed in (
            rejected(f"{mine}/1/1"),
            claimed(mine, (4, ROYAL)),
            claimed(mine, (2, ROYAL)),
            claimed(mine, (2, ROYAL)),
            paid(f"{mine}/1/2/1"),
            closed(mine),
            rejected(f"{mine}/1/1"),
            rejected(f"{mine}/1/7"),
        )
    ]
    none = ""
    assert said == [
        none, "seat_did_not_bet", none, "claim_stands", none, none, "claim_rejected", "claim_unknown",
    ]  # fmt: skip


@mine
def test_r34_what_was_false_and_paid_is_the_houses_loss(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}), claimed(mine, (1, ROYAL), (2, FULL)), paid(f"{mine}/1/1/2"))
    another(ways, (3, SECOND_FLUSH))
    for deed in (
        corrected(mine, 1, (2, FULL)),
        paid(f"{mine}/1/1/1"),
        closed(mine),
        corrected(mine, 1, (2, FULL), (1, STRAIGHT_FLUSH)),
    ):
        assert ways.both(mine, deed) == ""
    (first, last) = ways.at(mine).heard(ClaimCorrected)
    assert first.lost[0].award == f"{mine}/1/1/2" and last.lost[0].amount < 0


@mine
def test_r35_who_was_missed_is_entered_until_the_next_seal_and_later_by_two_with_cards_and_recording(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}), closed(mine))
    said = [
        ways.both(mine, deed)
        for deed in (
            claimed(mine, (1, ROYAL)),
            claimed(mine, (1, ROYAL)),
            asked(ask.CorrectClaim(mine, 1, hands_of([(2, FULL)]), "x", CARLA)),
            asked(ask.CorrectClaim(mine, 1, hands_of([(2, FULL), (1, ROYAL)]), "x", CARLA)),
            sealed(mine, {1: 2, 2: 2}),
            claimed(mine, (1, ROYAL), number=1),
            asked(ask.CorrectClaim(mine, 1, hands_of([(1, ROYAL)]), "x", CARLA)),
            corrected(mine, 1, (2, "color"), (1, ROYAL)),
            two(mine, 1, (2, SECOND_FLUSH), (1, ROYAL)),
            two(mine, 1, (2, SECOND_FLUSH), (1, ROYAL), resolution="Res. 7"),
            two(mine, 9, (2, SECOND_FLUSH)),
            asked(ask.CorrectClaim(mine, 1, hands_of([(2, FULL)]), " ", CARLA, JEFA)),
            corrected(mine, 1, (2, ROYAL), (1, ROYAL)),
            corrected(mine, 1, (2, SECOND_FLUSH), (1, ROYAL)),
            corrected(mine, 2, (2, SECOND_FLUSH)),
        )
    ]
    assert said == [
        "", "claim_stands", "two_persons_needed", "", "", "pass_long_over", "two_persons_needed", "cards_for_late",
        "recording_missing", "", "pass_unknown", "reason_missing", "card_twice", "nothing_to_correct", "nothing_registered",
    ]  # fmt: skip


@mine
def test_r35_cards_are_shown_for_whoever_gains_in_a_pass_long_over(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}), closed(mine), sealed(mine, {1: 2}))

    assert ways.both(mine, corrected(mine, 1, (2, "color"))) == "cards_for_late"
    assert ways.both(mine, corrected(mine, 1, (2, COLOR))) == ""


@mine
def test_r25_r34_a_void_of_what_had_won_gives_the_bet_back_at_once(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}), claimed(mine, (1, ROYAL), (2, FULL)))
    another(ways, (3, SECOND_FLUSH))
    said = [
        ways.both(mine, deed)
        for deed in (
            void(mine, 1),
            void(mine, 1),
            asked(ask.VoidHand(mine, 2, " ", CARLA)),
            paid(f"{mine}/1/1/1"),
            void(mine, 2),
            void(mine),
        )
    ]
    assert said == ["", "no_bet", "nothing_there", "", "void_after_payment", "void_after_payment"]


@mine
@pytest.mark.parametrize("ceiling", [None, 1_002_000])
def test_r24_r25_a_void_pass_takes_its_claim_with_it(mine, ceiling):
    how = {} if ceiling is None else {"ceiling": ceiling, "main": 1_000_000}
    ways = BothWays(**how)
    ways.both(mine, sealed(mine, {1: 2, 2: 2}))
    ways.both(mine, claimed(mine, (1, SECOND_FLUSH), (2, FULL)))
    another(ways, (3, STRAIGHT_FLUSH))

    assert ways.both(mine, void(mine)) == ""
    assert ways.both(mine, corrected(mine, 1, (2, ROYAL))) == "pass_void"


@mine
def test_r24_r34_what_would_have_passed_the_ceiling_goes_to_the_reserve(mine):
    """A bet that is still sealed knows it, for the day it is taken back."""
    ways = BothWays(ceiling=1_008_000, main=1_000_000)
    ways.both(OTHER, sealed(OTHER, {1: 2}))
    ways.both(OTHER, claimed(OTHER, (1, STRAIGHT_FLUSH)))
    ways.both(mine, sealed(mine, {1: 5, 2: 5}))

    assert ways.both(OTHER, rejected("S1/1/1")) == ""
    assert ways.both(mine, void(mine)) == ""


@mine
def test_r29_a_rejected_prize_goes_back_and_is_granted_anew(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}, ("Jugador", 2)), claimed(mine, (1, ROYAL)), prizes=JUGADOR)
    another(ways, (3, SECOND_ROYAL))
    again = asked(ask.GrantAnew(f"{mine}/1/p1", "x", JEFA, JEFE))
    said = [
        ways.both(mine, deed)
        for deed in (
            again,
            rejected(f"{mine}/1/p1"),
            rejected(f"{mine}/1/p1"),
            asked(ask.GrantAnew(f"{mine}/1/p1", " ", JEFA, JEFE)),
            asked(ask.GrantAnew(f"{mine}/1/p7", "x", JEFA, JEFE)),
            again,
            closed(mine),
            rejected(f"{mine}/1/p1"),
            again,
            paid(f"{mine}/1/p1/3"),
            rejected(f"{mine}/1/1"),
            rejected(f"{mine}/1/p1"),
            again,
        )
    ]
    assert said == [
        "prize_stands", "", "claim_rejected", "reason_missing", "claim_unknown", "", "", "", "", "award_confirmed", "",
        "", "",
    ]  # fmt: skip


@mine
def test_r25_r29_a_void_puts_a_prize_back_and_nobody_gets_it_any_more(mine):
    ways = played(mine, sealed(mine, {1: 2, 2: 2}, ("Jugador", 2)), claimed(mine, (2, ROYAL)), prizes=JUGADOR)
    another(ways, (3, SECOND_ROYAL))

    assert ways.both(mine, void(mine, 2)) == ""
    assert ways.both(mine, asked(ask.GrantAnew(f"{mine}/1/p1", "x", JEFA, JEFE))) == "no_bet"


@mine
def test_r29_promotional_credits_are_in_no_pot(mine):
    promo = [prize("Jugador", 20_000, paid_in="promotional_credits", source="house", one_in=1_000_000)]
    ways = played(
        mine, sealed(mine, {1: 2, 2: 2}, ("Jugador", 2)), rejected(f"{mine}/1/p1"), closed(mine), prizes=promo
    )
    ways.everywhere(lambda floor: floor.close_day())
    ways.everywhere(lambda floor: floor.open_day(*NEXT_DAY))

    assert ways.both(mine, asked(ask.GrantAnew(f"{mine}/1/p1", "x", JEFA, JEFE))) == ""
    assert ways.both(mine, asked(ask.ConfirmAward(f"{mine}/1/p1/2", JEFA, LUIS))) == "", "R-36: a third confirms"
    assert ways.both(mine, asked(ask.PayAward(f"{mine}/1/p1/2", CARLA))) == ""
    assert ways.both(mine, rejected(f"{mine}/1/p1")) == ""


@mine
@pytest.mark.parametrize(("reading", "value"), [("late_from", "house"), ("void_undoes", "nothing")])
def test_r35_a_late_winner_a_year_later(mine, reading, value):
    """Days were closed, claims paid and forgotten, the plan is another one (R-26)."""
    law = with_reading(**{reading: value})
    ways = played(mine, sealed(mine, {1: 2, 2: 2}), claimed(mine, (2, FULL)), paid(f"{mine}/1/1/1"), ruleset=law)
    ways.both(mine, closed(mine))
    another(ways, (3, SECOND_ROYAL))
    ways.both(OTHER, closed(OTHER))
    ways.everywhere(lambda floor: floor.close_day())
    ways.owner(asked(ask.MoveMoney(POT, "house", "main", 7_000, "Res. 9", ANA, LUIS)))
    ways.everywhere(lambda floor: floor.open_day(*NEXT_DAY))

    assert not ways.at(mine).state.claims
    assert ways.both(mine, corrected(mine, 1, (2, FULL), (1, ROYAL))) == ""
    assert ways.both(mine, paid(f"{mine}/1/1/2")) == ""


# What is on the way


def waiting(deed: Deed, table: str = "N1") -> tuple[Delayed, object]:
    """A claim that its owner has decided, and something else that he has not heard of."""
    ways = Delayed()
    ways.do(table, sealed(table, {1: 2, 2: 2}))
    ways.do(table, claimed(table, (1, ROYAL), (2, FULL)))
    while ways.carry_up("norte") or ways.carry_down("norte"):
        pass
    ways.do(table, deed)
    return ways, ways.at(table)


def test_r34_nothing_of_a_pass_is_paid_or_asked_again_while_its_owner_is_asked():
    ways, norte = waiting(corrected("N1", 1, (1, FULL)))
    held = norte.state.claims["N1/1/1"]
    assert held.frozen and norte.state.awaited == {"1": ("N1", 1)} and norte.state.wanted == 1
    assert norte.reason(ask.ConfirmAward("N1/1/1/1", JEFA, JEFE)) == "award_frozen"
    assert norte.reason(ask.SetAside("N1/1/1/1", "x", CARLA, JEFA)) == "award_frozen"
    again = "correction_awaited"
    assert norte.reason(ask.RejectClaim("N1/1/1", "x", JEFA, JEFE)) == again
    assert norte.reason(ask.CorrectClaim("N1", 1, hands_of([(2, FULL)]), "x", CARLA, JEFA)) == again
    assert norte.reason(ask.VoidHand("N1", 1, "x", CARLA)) == again
    assert norte.reason(ask.VoidPass("N1", "x", CARLA)) == again
    ways.rest()
    assert not norte.state.claims["N1/1/1"].frozen and not norte.state.awaited


def test_r34_what_asks_goes_before_what_gives_back():
    ways, norte = waiting(void("N1", 1))
    assert kinds([fact for _, fact in norte.record[-4:]]) == [CorrectionAsked, HandsVoided, LetterTold, LetterTold]
    wanted, back = norte.letters("to:hub")[-2:]
    assert isinstance(wanted, CorrectionWanted) and isinstance(back, BetsVoided)
    assert norte.reason(ask.VoidHand("N1", 2, "x", CARLA)) == "correction_awaited"
    ways.rest()


def test_r34_a_rejection_on_its_heels_hears_first_what_was_decided():
    """Its percentage waits; the answers come in their order, and then nothing of it is left."""
    ways = Delayed()
    ways.do("N1", sealed("N1", {1: 2, 2: 2}))
    ways.do("N1", claimed("N1", (1, ROYAL), (2, FULL)))
    ways.do("N1", rejected("N1/1/1"))
    norte = ways.at("N1")
    assert norte.state.claims["N1/1/1"].awards["N1/1/1/2"].waits
    ways.rest()
    assert [kind for kind in kinds(fact for _, fact in norte.record) if kind in {ClaimDecided, ClaimCorrected}] == [
        ClaimDecided,
        ClaimCorrected,
    ]
    assert all(one.cancelled for one in norte.state.claims["N1/1/1"].awards.values())
    assert norte.at(f"held:{POT}") == 0


@pytest.mark.parametrize("first", ["pay", "reject", "correct", "void"])
def test_r34_pay_against_reject_correct_and_void(first):
    """Whichever is asked first: one of them counts, at every moment of the answer."""
    deeds = {
        "pay": paid("N1/1/1/1"),
        "reject": rejected("N1/1/1"),
        "correct": corrected("N1", 1, (2, SECOND_FLUSH)),
        "void": void("N1", 2),
    }
    for second in deeds.values():
        for third in deeds.values():
            for carried in range(4):
                ways, _ = waiting(deeds[first])
                for step in range(carried):
                    ways.carry_up("norte") if step % 2 == 0 else ways.carry_down("norte")
                ways.do("N1", second)
                ways.carry_up("norte")
                ways.do("N1", third)
                ways.rest()


def test_r34_what_the_owner_refuses_goes_on_as_it_was():
    """A hand that makes nothing is told as another one: nothing of the pass is another."""
    ways = Delayed()
    ways.do("N1", sealed("N1", {1: 2, 2: 2}))
    ways.do("N1", closed("N1"))
    ways.do("N1", corrected("N1", 1))
    norte = ways.at("N1")
    assert len(norte.state.awaited) == 1
    ways.rest()
    (answer,) = norte.heard(CorrectionRefused)
    assert (answer.wanted, answer.table, answer.number, answer.pot) == (1, "N1", 1, POT)
    assert answer.code == "nothing_to_correct" and answer.sentence.startswith("El pase 1 de la mesa N1@norte")


def test_r21_the_thirty_minutes_run_by_the_tables_clock():
    ways = BothWays()
    norte = ways.at("N1")
    ways.both("N1", sealed("N1", {1: 2, 2: 2}))
    ways.both("N1", claimed("N1", (1, ROYAL)))
    ways.both("S1", sealed("S1", {1: 2}))
    ways.both("S1", claimed("S1", (1, SECOND_ROYAL)))
    first, theirs = norte.state.claims["N1/1/1"].at, ways.at("S1").state.claims["S1/1/1"].at
    norte.now += 60_000
    ways.both("N1", corrected("N1", 1, (2, FULL)))
    ways.both("N1", closed("N1"))
    norte.now += 60_000
    ways.both("N1", corrected("N1", 1, (2, FULL), (1, COLOR)))
    awards = norte.state.claims["N1/1/1"].awards
    assert awards["N1/1/1/2"].since == first
    assert awards["N1/1/1/3"].since == norte.heard(CorrectionAsked)[-1].at > first, "R-21: late, from his own"
    assert [one.since for one in ways.at("S1").state.claims["S1/1/1"].awards.values()] == [theirs, theirs]


def test_r28_r34_the_log_tells_everybody_the_same_and_names_both_persons():
    ways = BothWays()
    ways.both("B1", sealed("B1", {1: 2, 2: 2}))
    ways.both("B1", claimed("B1", (1, ROYAL)))
    ways.both("B1", corrected("B1", 1, (2, ROYAL)))
    (told,) = [one for one in ways.hub.letters(f"pot:{POT}") if isinstance(one, ClaimPutRight)]
    assert (told.table, told.claim, told.wanted) == ("B1@caja@norte", "B1@caja@norte/1/1", 1)
    assert (told.by, told.second) == ("norte/caja/carla", "norte/caja/jefa")
    (own,) = ways.at("B1").heard(ClaimCorrected)
    assert (own.by, own.second, own.above, own.wanted) == ("carla", "jefa", "norte", 1)
    letters = [fact.letter for fact in ways.at("S1").heard(LetterHeard)]
    assert told in letters and not ways.at("S1").heard(ClaimCorrected)


# Who says what cannot be


def on_the_way(deed: Deed, *before: Deed, prizes: object = ()) -> tuple[Delayed, LetterTold]:
    """What norte asks of the owner of the pot, who has not heard it yet."""
    ways = Delayed(prizes=prizes)
    for one in (sealed("N1", {1: 2, 2: 2}, ("Jugador", 2)), claimed("N1", (1, ROYAL), (2, FULL)), *before):
        ways.do("N1", one)
    while ways.carry_up("norte") or ways.carry_down("norte"):
        pass
    ways.do("N1", deed)
    return ways, next(one for one in ways.at("N1").told("to:hub")[::-1] if isinstance(one.letter, CorrectionWanted))


def instead(writer: str, told: LetterTold, letter: Letter) -> ask.HearLetter:
    """Another letter in its place."""
    return heard(writer, replace(told, letter=letter))


REJECT, VOID = rejected("N1/1/1"), void("N1", 2)
CORRECT = corrected("N1", 1, (2, FULL))
DISPUTED = "en disputa"


@pytest.mark.parametrize(
    ("deed", "changed", "why"),
    [
        (REJECT, {"table": ""}, DISPUTED),
        (REJECT, {"act": "pay"}, DISPUTED),
        (REJECT, {"claim": "S1/1/1"}, DISPUTED),
        (REJECT, {"claim": "N1"}, DISPUTED),
        (REJECT, {"number": 0}, DISPUTED),
        (REJECT, {"at": -1}, DISPUTED),
        (REJECT, {"by": ""}, DISPUTED),
        (REJECT, {"void": True}, DISPUTED),
        (REJECT, {"hands": hands_of([(2, FULL)])}, DISPUTED),
        (REJECT, {"prizes_out": ("N1/1/p1",)}, DISPUTED),
        (CORRECT, {"seats_out": (65,)}, DISPUTED),
        (CORRECT, {"prize_in": "N1/1/p1"}, DISPUTED),
        (CORRECT, {"hands": hands_of([(99, FULL)])}, DISPUTED),
        (VOID, {"hands": ()}, DISPUTED),
        (VOID, {"void": False}, DISPUTED),
        (VOID, {"prize_in": "N1/1/p1"}, DISPUTED),
        (REJECT, {"act": "grant_anew"}, DISPUTED),
        (REJECT, {"second": ""}, "two_persons_needed"),
        (REJECT, {"second": "jefa"}, "two_persons_needed"),
        (CORRECT, {"second": ""}, "two_persons_needed"),
        (REJECT, {"claim": "N1/9/1", "pass_number": 9}, "pass_unknown"),
        (REJECT, {"claim": "X1/1/1", "table": "X1"}, "pass_unknown"),
        (REJECT, {"pot": "otro"}, "pass_unknown"),
        (REJECT, {"reason": ""}, "reason_missing"),
        (CORRECT, {"claim": "N1/1/7"}, "claim_unknown"),
        (VOID, {"prizes_out": ("N1/1/p8",)}, "claim_unknown"),
        (VOID, {"claim": "", "seats_out": (6,), "prizes_out": ()}, "claim_unknown"),
        (CORRECT, {"act": "register_claim"}, "claim_stands"),
        (CORRECT, {"community": ("Ah",)}, "community_count"),
    ],
)
def test_r28_the_owner_answers_whatever_could_be_asked_and_believes_nothing_else(deed, changed, why):
    ways, told = on_the_way(deed, prizes=JUGADOR)
    ways.hub.stage(plan("otro", tables={"X9": ("draw", "casa")}))
    facts = ways.hub.ask(instead("norte", told, replace(told.letter, **changed)))
    if why == DISPUTED:
        assert isinstance(facts[0], LetterDisputed), facts
        return
    assert isinstance(facts[0], CorrectionRefused), facts
    assert facts[0].code == why
    (answer,) = [fact.letter for fact in facts if isinstance(fact, LetterTold)]
    assert (answer.refused_code, answer.wanted, answer.pass_number if hasattr(answer, "pass_number") else 0) == (
        why,
        1,
        0,
    )


@pytest.mark.parametrize(
    ("before", "changed", "why"),
    [
        ((rejected("N1/1/p1"),), {"prizes_out": ("N1/1/p1",)}, "claim_rejected"),
        ((), {"claim": "", "act": "correct_claim", "void": False}, DISPUTED),
    ],
)
def test_r25_a_void_takes_nothing_back_twice(before, changed, why):
    ways, told = on_the_way(void("N1", 1), *before, prizes=JUGADOR)
    (fact, *_) = ways.hub.ask(instead("norte", told, replace(told.letter, **changed)))
    assert (fact.code if isinstance(fact, CorrectionRefused) else DISPUTED) == why


def test_r25_a_void_of_a_pass_that_is_over_is_none():
    ways, told = on_the_way(void("N1", 2))
    ways.do("N1", closed("N1"))
    over = ways.at("N1").told("to:hub")[-1]
    letter = replace(told.letter, number=2)
    first, second = replace(over, number=told.number, previous=told.previous), None
    heard_first = heard("norte", first)
    ways.hub.ask(heard_first)
    second = replace(told, number=told.number + 1, previous=heard_first.mark.hash)
    facts = ways.hub.ask(instead("norte", second, letter))
    assert facts[0].code == "pass_long_over"


def test_r34_what_had_won_nothing_at_the_owner_is_not_put_right_by_a_void():
    """The claim was never believed there, so no seat of it won."""
    ways = Delayed()
    ways.do("N1", sealed("N1", {1: 2, 2: 2}))
    while ways.carry_up("norte") or ways.carry_down("norte"):
        pass
    ways.do("N1", claimed("N1", (1, ROYAL)))
    ways.do("N1", void("N1", 1))
    claim, wanted = (told for told in ways.at("N1").told("to:hub")[-3:-1])
    disbelieved = instead("norte", claim, replace(claim.letter, hands=()))
    assert isinstance(ways.hub.ask(disbelieved)[0], LetterDisputed)
    told = replace(wanted, previous=disbelieved.mark.hash)
    (fact, *_) = ways.hub.ask(instead("norte", told, replace(wanted.letter, claim="")))
    assert fact.code == "nothing_to_correct"


@pytest.mark.parametrize(
    "changed",
    [
        {"wanted": 7},
        {"number": 2},
        {"claim": "S1@sur/1/1"},
        {"claim": "N1@norte/2/1"},
        {"casino": "sur"},
        {"casino": ""},
        {"cancelled": ("S1@sur/1/1/1",)},
        {"cancelled": ("N1@norte/1/1/7",)},
        {"cancelled": ("N1@norte/1/8/1",)},
        {"lost": (Loss("S1@sur/1/1/1", 1),)},
        {"lost": (Loss("N1@norte/1/1/1", 10**16),)},
        {"house": -(10**16)},
        {"held": 1},
        {"awards": (RegisteredAward(9, 2, "full", 0),)},
        {"awards": (RegisteredAward(9, 65, "full", 1),)},
        {"awards": (RegisteredAward(1, 2, "full", 200_000),)},
        {"resettled": (Resettled("S1@norte/1/1", "N1@norte", 1, "norte", (RegisteredAward(1, 1, "full", 5),)),)},
    ],
)
def test_r28_an_answer_that_cannot_be_is_not_believed(changed):
    ways, _ = on_the_way(corrected("N1", 1, (1, FULL)))
    ways.carry_up("norte")
    told = ways.hub.told(f"pot:{POT}")[-1]
    norte = ways.at("N1")
    before = norte.balances.copy()
    facts = norte.ask(instead("hub", told, replace(told.letter, **changed)))
    assert isinstance(facts[0], LetterDisputed), facts
    assert norte.balances == before and norte.state.awaited


def test_r26_r34_what_was_taken_of_a_dispute_is_part_of_the_pots_past():
    """A pass of before it is put right: the telling knows the money that came in with it."""
    ways = Delayed()
    ways.do("H1", sealed("H1", {1: 2, 2: 2}))
    ways.do("H1", claimed("H1", (2, FULL)))
    ways.do("N1", sealed("N1", {1: 2, 2: 2}))
    told = ways.at("N1").told("to:hub")[-1]
    ways.hub.ask(instead("norte", told, replace(told.letter, plan="ab" * 32)))
    ways.hub.ask(ask.EndDispute("norte", 1, accepted=True, reason="visto", by=ANA, second=JEFA))
    before = ways.hub.pot().main
    ways.hub.sealed({1: 2}, "H1") if ways.hub.table("H1").phase is Phase.BETWEEN else ways.hub.close_pass("H1")
    (fact,) = [one for one in ways.hub.correct(1, (1, COLOR), (2, FULL), table="H1") if isinstance(one, ClaimCorrected)]
    assert fact.flow.house == 0 and ways.hub.pot().main == before - 100_000


# Any evening, in any order


HANDS = (
    (), ((1, ROYAL),), ((2, ROYAL),), ((1, FULL),), ((1, STRAIGHT_FLUSH), (2, SECOND_FLUSH)), ((2, STRAIGHT_FLUSH),),
    ((1, SECOND_ROYAL), (2, FULL)), ((2, COLOR),), ((1, ROYAL), (2, SECOND_FLUSH)),
)  # fmt: skip
SEEDS = st.integers(0, 2**32 - 1)


def deed_at(ways: Delayed, table: str, chance: random.Random) -> Deed | None:
    """Something that can be tried there."""
    floor, what = ways.at(table), chance.random()
    now, hands = floor.table(table), chance.choice(HANDS)
    claims = [one for one in floor.state.claims.values() if one.table == table]
    owed = [name for one in claims for name, award in one.awards.items() if award.pending and not award.waits]
    prizes = [one.id for one in claims if one.prize]
    if now.phase is Phase.BETWEEN and what < 0.4:
        fell = [("Jugador", chance.choice([1, 2]))] if chance.random() < 0.2 else []
        return sealed(table, {1: chance.randint(1, 5), 2: chance.randint(1, 5)}, *fell)
    if now.phase is Phase.SEALED and what < 0.5:
        return chance.choice(
            [claimed(table, *hands), claimed(table, *hands), closed(table), void(table, chance.randint(0, 2))]
        )
    if now.number and what < 0.75:
        return corrected(table, chance.randint(1, now.number), *hands)
    if now.number and what < 0.78:
        return claimed(table, *hands)
    if claims and what < 0.86:
        return rejected(chance.choice(claims).id)
    if prizes and what < 0.9:
        return asked(ask.GrantAnew(chance.choice(prizes), "x", JEFA, JEFE))
    return paid(chance.choice(owed)) if owed else None


def evening(seed: int, steps: int) -> Delayed:
    chance = random.Random(seed)
    laws = ["", with_reading(late_from="house"), with_reading(void_undoes="nothing")]
    how = chance.choice([{"main": 10_000_000}, {"main": 1_000_000}, {"main": 1_000_000, "ceiling": 1_002_000}])
    ways = Delayed(prizes=JUGADOR, ruleset=chance.choice(laws), **how)
    for _ in range(steps):
        if chance.random() < 0.5:
            carry = chance.choice([ways.carry_up, ways.carry_down])
            carry(chance.choice(["norte", "sur"]))
            continue
        table = chance.choice(["N1", "S1", "H1"])
        deed = deed_at(ways, table, chance)
        if deed is not None:
            ways.do(table, deed)
    ways.rest()
    return ways


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SEEDS)
def test_r20_r34_any_evening_ends_as_on_one_node_that_did_it_in_the_owners_order(seed):
    evening(seed, 50)
