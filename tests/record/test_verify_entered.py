"""What the verifier says of hands for seats that had no valid bet, and of bets that a lamp undid (R-6, R-32)."""

import copy
import hashlib

import msgspec
import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Lamp, Signature
from controller.node.store.store import Reader
from support.record.verify_history import COLOR, FULL, Floor, key_of, plan, ruleset
from support.record.verify_rows import Rows
from support.record.verifying import verify

TABLE, EVA = "DP-01", Signature("eva")


def listed(*seats):
    return tuple(Hand(seat, ("folded",)) for seat in seats)


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Seats 1 and 2 bet; 3 lost his bet while betting was open, 4 at the seal, both to the lamp; 5 to a lamp that a
    person saw, 6 because his unit fell silent. Then a pass whose winner was entered when it was closed."""
    floor = Floor(tmp_path_factory.mktemp("entered"))
    floor.people()
    floor.stage(plan(base=700_000, ceiling=900_000), ruleset())
    floor.open_day()
    for number in (1, 2):
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
        if number == 1:
            floor.claim(TABLE, (Hand(1, cards=COLOR), *listed(2, 3, 4, 5, 6)))
        floor.must(ask.ClosePass(TABLE))
        floor.give_back(TABLE)
        for seat in (3, 4, 5, 6):
            floor.must(ask.OpenSeat(TABLE, seat, Signature("franco")))
    hands = (Hand(2, cards=FULL), *listed(3, 4, 6))
    facts = floor.claim(TABLE, hands, number=2)
    assert [str(type(one).__name__) for one in facts] == ["ClaimCorrected"]
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
    (claim,), (late,) = facts_of(evening.bodies(), "claim_registered"), facts_of(evening.bodies(), "claim_corrected")

    lost = [(2, "folded"), (3, "lamp"), (4, "lamp"), (5, "lamp"), (6, "no_bet")]
    assert [(one["seat"], one["reason"]) for one in claim["unpaid"]] == lost
    late_ones = [(1, "no_claim"), (3, "lamp"), (4, "lamp"), (6, "no_bet")]
    assert [(one["seat"], one["reason"]) for one in late["unpaid"]] == late_ones
    assert [one["dark"] for one in facts_of(evening.bodies(), "pass_sealed")] == [[3, 5]] * 2


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (without_dark, "R-6"),
        (dark_for_nothing, "R-6"),
        (says_no_bet("claim_registered"), "R-32"),
        (says_no_bet("claim_corrected"), "R-32"),
        (a_hand_for_who_did_not_bet("claim_registered", claimed="color"), "R-32"),
        (a_hand_for_who_did_not_bet("claim_registered", cards=list(FULL)), "R-32"),
        (a_hand_for_who_did_not_bet("claim_corrected", claimed="color"), "R-32"),
    ],
)
def test_r6_r32_whoever_changes_that_is_found(evening, change, rule):
    bodies = copy.deepcopy(evening.bodies())
    change(bodies)
    wrong = verify(copy.copy(evening).make_whole(bodies), None, lambda _: None).wrong

    assert wrong is not None and wrong.rule == rule, wrong


def test_a_snapshot_that_is_signed_and_forgot_whose_lamp_was_dark_is_found(evening):
    rows = copy.copy(evening)
    first, key = rows.all_snapshots[0], key_of("central-1")
    assert b'"dark":[3,4,5]' in first.body
    body = first.body.replace(b'"dark":[3,4,5]', b'"dark":[3,4]')
    (checkpoint, *others) = [one for one in rows.all_checkpoints if one.seq == first.seq]
    assert not others
    signed = msgspec.json.encode(msgspec.json.decode(checkpoint.body) | {"state": hashlib.sha256(body).hexdigest()})
    rows.all_snapshots = [first._replace(body=body), *rows.all_snapshots[1:]]
    rows.all_checkpoints = [
        one._replace(body=signed, signature=key.sign(signed)) if one is checkpoint else one
        for one in rows.all_checkpoints
    ]
    wrong = verify(rows, None, lambda _: None).wrong

    assert wrong is not None and (wrong.place, wrong.rule) == (f"snapshot {first.seq}", "R-6"), wrong
