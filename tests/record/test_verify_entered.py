"""What the verifier says of hands for seats that had no valid bet, and of bets that a lamp undid (R-6, R-32)."""

import copy

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Lamp, Signature
from controller.node.store.store import Reader
from support.record.verify_history import COLOR, FULL, Floor, plan, ruleset
from support.record.verify_rows import Rows
from support.record.verifying import verify

TABLE, EVA = "DP-01", Signature("eva")


def listed(*seats):
    return tuple(Hand(seat, ("folded",)) for seat in seats)


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Seats 1 and 2 bet; 3 lost his bet while betting was open, 4 at the seal, both to the lamp; 5 to a lamp that a
    person saw, 6 because his unit fell silent."""
    floor = Floor(tmp_path_factory.mktemp("entered"))
    floor.people()
    floor.stage(plan(base=700_000, ceiling=900_000), ruleset())
    floor.open_day()
    floor.put(ask.OpenPass(TABLE))
    for seat in (1, 2, 3, 5, 6):
        floor.bet(TABLE, seat, 2)
    floor.put(ask.LampSeen(TABLE, 3, Lamp.FAULT))
    floor.bet(TABLE, 4, 2, lit=False)
    floor.put(ask.CloseSeat(TABLE, 5, "luz", EVA))
    floor.put(ask.CloseSeat(TABLE, 6, "el aceptor no responde"))
    floor.commit()
    floor.lock(TABLE)
    floor.must(ask.LampSeen(TABLE, 4, Lamp.FAULT))
    floor.book.checkpoint()
    floor.claim(TABLE, (Hand(1, cards=COLOR), *listed(2, 3, 4, 5, 6)))
    floor.must(ask.ClosePass(TABLE))
    floor.book.close()
    with Reader.open(floor.path) as reader:
        assert verify(reader, None, lambda _: None).is_good
        yield Rows(reader)


def facts_of(bodies, kind):
    return [body["fact"] for body in bodies if body["fact"]["kind"] == kind]


def without_dark(bodies):
    facts_of(bodies, "pass_sealed")[0].pop("dark")


def dark_for_nothing(bodies):
    facts_of(bodies, "pass_sealed")[0]["dark"].append(6)


def says_no_bet(kind):
    def change(bodies):
        facts_of(bodies, kind)[0]["unpaid"][1]["reason"] = "no_bet"

    return change


def a_hand_for_who_did_not_bet(kind, **hand):
    def change(bodies):
        (fact,) = facts_of(bodies, kind)
        fact["hands"][-1] = {"seat": 6, **hand}

    return change


def test_the_record_says_why_each_seat_is_paid_nothing(evening):
    (claim,) = facts_of(evening.bodies(), "claim_registered")

    lost = [(2, "folded"), (3, "lamp"), (4, "lamp"), (5, "lamp"), (6, "no_bet")]
    assert [(one["seat"], one["reason"]) for one in claim["unpaid"]] == lost
    assert [one["dark"] for one in facts_of(evening.bodies(), "pass_sealed")] == [[3, 5]]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (without_dark, "R-6"),
        (dark_for_nothing, "R-6"),
        (says_no_bet("claim_registered"), "R-32"),
        (a_hand_for_who_did_not_bet("claim_registered", claimed="color"), "R-32"),
        (a_hand_for_who_did_not_bet("claim_registered", cards=list(FULL)), "R-32"),
    ],
)
def test_r6_r32_whoever_changes_that_is_found(evening, change, rule):
    bodies = copy.deepcopy(evening.bodies())
    change(bodies)
    wrong = verify(copy.copy(evening).make_whole(bodies), None, lambda _: None).wrong

    assert wrong is not None and wrong.rule == rule, wrong


def test_a_snapshot_that_forgot_whose_lamp_was_dark_is_found(evening):
    rows = copy.copy(evening)
    first = rows.all_snapshots[0]
    assert b'"dark":[3,4,5]' in first.body
    rows.all_snapshots = [first._replace(body=first.body.replace(b'"dark":[3,4,5]', b'"dark":[3,4]'))]
    wrong = verify(rows, None, lambda _: None).wrong

    assert wrong is not None, "its signature or its content"
