"""R-34, R-35: whatever was wrong and put right, the pot stands as if all had been right at once."""

import os
import random

import pytest

from controller.core.facts import AwardPaid, ClaimCorrected, ClaimRegistered, PrizeGranted
from support.core.two_histories import HANDS, TwoHistories

PARTS = 16
HISTORIES = 10_000 if os.environ.get("POZO_CAMPAIGN") else 10 * PARTS


def given(floor):
    """What every winner was given, by pass and seat: what stands, held or paid; and what was cancelled."""
    awards, paid = {}, set()
    for _, fact in floor.record:
        if isinstance(fact, ClaimRegistered):
            add(awards, fact.claim, fact.table, fact.number, fact.awards)
        elif isinstance(fact, PrizeGranted):
            awards[f"{fact.claim}/1"] = (fact.table, fact.number, fact.seat, fact.prize, fact.amount)
        elif isinstance(fact, ClaimCorrected):
            for name in fact.cancelled:
                assert name not in paid, "what was paid is lost, not cancelled"
                del awards[name]
            add(awards, fact.claim, fact.table, fact.number, fact.awards)
            for one in fact.resettled:
                add(awards, one.claim, one.table, one.number, one.awards)
        elif isinstance(fact, AwardPaid):
            paid.add(fact.award)
    stands = {}
    for table, number, seat, prize, amount in awards.values():
        kind = prize if prize[0].isupper() else ""
        stands[table, number, seat, kind] = stands.get((table, number, seat, kind), 0) + amount
    return stands


def add(awards, claim, table, number, more):
    awards |= {f"{claim}/{one.number}": (table, number, one.seat, one.prize, one.amount) for one in more}


def played(seed):
    both = TwoHistories(random.Random(seed))
    for _ in range(both.chance.randrange(10, 60)):
        both.step()
    both.put_all_right()
    return both


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(PARTS))
def test_r34_r35_the_pot_stands_as_if_all_had_been_right_at_once(seed):
    errors = 0
    for more in range(HISTORIES // PARTS):
        both = played(seed + 1_000_003 * more)
        errors += both.errors
        hold(both)
    assert errors


def hold(both):
    wrong, right = both.wrong, both.right
    assert (wrong.pot().main, wrong.pot().reserves) == (right.pot().main, right.pot().reserves)
    was_given, due = given(wrong), given(right)
    assert all(was_given.get(who, 0) >= amount for who, amount in due.items()), "no true winner gets less"
    more = sum(was_given.values()) - sum(due.values())
    borne = right.at("house:pozo:central") - wrong.at("house:pozo:central")
    assert borne == more, "the house bears exactly the difference"
    for past in both.passes:
        free = next((seat for seat in past.seats if seat not in past.truth), None)
        if free is not None:
            cards = next(cards for cards in HANDS if cards not in past.truth.values())
            both._enter(past, {**past.truth, free: cards})
            assert given(wrong).get((past.table, past.number, free, ""), 0) >= 0, "nothing is forgotten"
