"""The fold of a record comes to what the machine's own state came to, by another way (R-20, R-23, R-24)."""

import pytest
from conftest import CAMPAIGN

from controller.core.ledger import postings
from controller.core.values import TRAINING
from controller.record.fold import Fold, Where
from controller.record.reading import entries
from support.record.report_cases import evening, everything, wander

HISTORIES = [evening, everything, *(lambda seed=seed: wander(seed) for seed in range(100 if CAMPAIGN else 6))]


def followed(floor, concerns=lambda _where: True):
    fold = Fold(concerns)
    steps = [fold.follow(entry) for entry in entries(floor.record)]
    return fold, steps


@pytest.mark.campaign
@pytest.mark.parametrize("history", HISTORIES)
def test_pots_and_fractions_are_those_of_the_machine(history):
    floor = history()
    fold, _ = followed(floor)

    for name, pot in floor.state.pots.items():
        stands = {part: fold.balances.get(f"pot:{name}:{part}", 0) for part in ("main", *pot.reserves)}
        assert stands == {"main": pot.main, **pot.reserves}
        assert tuple(fold.reserve_carry(name, reserve) for reserve in pot.reserves) == pot.reserve_carries
        for casino, carry in pot.commission_carries.items():
            assert fold.commission_carry(name, casino) == carry


@pytest.mark.campaign
@pytest.mark.parametrize("history", HISTORIES)
def test_what_is_pending_is_what_the_machine_still_holds(history):
    floor = history()
    fold, steps = followed(floor)

    held = {
        award: one.granted
        for claim in floor.state.claims.values()
        for award, one in claim.awards.items()
        if claim.pending and not (one.paid or claim.promo or claim.table.startswith(TRAINING))
    }
    assert {award: one.granted for award, one in fold.pending.items()} == held
    registered = [one.award for step in steps for one in step.registered]
    settled = [one.award for step in steps for one in step.settled]
    assert sorted(registered) == sorted([*settled, *held])
    assert sum(one.granted.amount for one in fold.pending.values()) == sum(
        amount for account, amount in fold.balances.items() if account.startswith("held:")
    )


@pytest.mark.campaign
@pytest.mark.parametrize("history", HISTORIES)
def test_only_the_money_of_what_concerns_is_added(history):
    floor = history()
    one_table = lambda where: where.table == "TX-01"
    all_of_it, steps = followed(floor)
    fold, few = followed(floor, one_table)

    counted = {}
    for step in steps:
        if step.is_counted and one_table(step.where):
            for line in postings(step.entry.fact):
                counted[line.account] = counted.get(line.account, 0) + line.amount
    assert fold.balances == counted
    assert [step.is_counted for step in few] == [step.is_counted and one_table(step.where) for step in steps]
    assert fold.pending == all_of_it.pending and fold.plans == all_of_it.plans
    assert not any(account.partition(":")[2].startswith(TRAINING) for account in all_of_it.balances)


def test_a_fact_of_the_node_belongs_nowhere_and_one_of_a_table_to_its_pot():
    _, steps = followed(evening())

    assert steps[0].where == Where()
    assert {step.where.pot for step in steps if step.where.table} == {"estelar"}
