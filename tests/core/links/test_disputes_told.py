"""What became of a dispute is told to whom it concerns, and both sides book it alike (R-28)."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import DisputeHeard, LetterDisputed, LetterHeard
from controller.core.links.letters import DisputeOver
from controller.core.values import Levels, Mark, Side
from controller.rules.money import MOST_MONEY
from support.links import evening
from support.links.evening import BOX, CASINO, OWNER, POT
from support.links.nodes import TWO, key_of
from support.links.stream import Stream
from support.record.verify_history import ruleset
from support.record.verifying import verify


@pytest.fixture
def nodes():
    """A casino was left out of a plan and played on under the old one."""
    nodes = evening.linked()
    evening.in_force(nodes)
    mar, sol = nodes[OWNER], nodes[CASINO]
    mar.stage(evening.shared_plan("Res. 301"), ruleset())
    mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    evening.sealed(sol, 1, 2)
    mar.must(ask.PinNeighbour(CASINO, Side.BELOW, key_of("otra"), **TWO))
    nodes.settle()
    return nodes


def at(node, account):
    return node.book.balances.get(account, 0)


@pytest.mark.parametrize("accepted", [True, False])
def test_r28_both_books_have_the_same_after_a_dispute_whatever_became_of_it(nodes, accepted):
    mar, sol = nodes[OWNER], nodes[CASINO]
    (dispute,) = mar.state.disputes.values()
    before = nodes.clearing(POT)
    main, house = mar.state.pots[POT].main, at(sol, f"house:{POT}:sol")
    mar.must(ask.EndDispute(CASINO, dispute.number, accepted=accepted, reason="se vio", **TWO))
    nodes.settle()

    found = nodes.clearing(POT)
    assert dispute.amount == 2_400 and found[OWNER, CASINO] == -found[CASINO, OWNER]
    moved = 0 if accepted else 2_400
    assert found[OWNER, CASINO] == before[OWNER, CASINO] + moved
    assert mar.state.pots[POT].main == main + 2_400 - moved == sol.state.pots[POT].main
    assert at(sol, f"house:{POT}:sol") == house + moved, "what nobody took stays in the house that had sent it"


def heard(node, letter, writer=OWNER, stream=f"pot:{POT}"):
    told = Stream(writer, stream)
    told.mark = node.state.heard.get(f"{writer}/{stream}", Mark(1, 0, ""))
    return node.hear(told.next(letter))


def over(neighbour=CASINO, number=1, amount=5, pot=POT):
    return DisputeOver(
        pot, neighbour, number, amount, False, "se vio", "mar/ana", "mar/bea", Levels(7, 7, {"reserva0": 7})
    )


def test_r28_what_became_of_another_one_s_letter_moves_only_the_pot_that_is_shown(nodes):
    sol = nodes[CASINO]
    (fact,) = heard(sol, over("luna"))

    assert isinstance(fact, LetterHeard) and sol.state.pots[POT].main == 7


@pytest.mark.parametrize("letter", [over(number=0), over(number=99), over(amount=MOST_MONEY + 1)])
def test_r28_what_became_of_a_letter_that_was_never_told_is_not_believed(nodes, letter):
    assert isinstance(heard(nodes[CASINO], letter)[0], LetterDisputed)


def test_r28_an_owner_who_was_told_nothing_had_nothing_to_dispute(nodes):
    box = nodes[BOX]
    box.must(ask.PinNeighbour("norte", Side.ABOVE, key_of("norte"), **TWO))

    assert isinstance(heard(box, over(BOX, pot="otro"), "norte", "pot:otro")[0], LetterDisputed)


def test_r28_without_a_table_of_the_pot_no_house_here_bears_anything(nodes):
    mar, sol = nodes[OWNER], nodes[CASINO]
    evening.close(sol)
    nodes.settle()
    head, row, *_ = evening.shared_plan("Res. 302").split("[[tables]]")
    mar.stage(f"{head}[[tables]]{row}", ruleset())
    nodes.settle()
    assert not any(table.pot == POT for table in sol.state.tables.values())

    assert isinstance(heard(sol, over())[0], LetterDisputed)


def test_r28_the_house_of_the_first_table_of_the_pot_bears_it(nodes):
    sol = nodes[CASINO]
    fact, *_ = heard(sol, over(amount=-3))

    assert isinstance(fact, DisputeHeard) and (fact.casino, fact.amount) == ("sol", -3)


@pytest.mark.parametrize("reading", ["contributions", "nothing"])
@pytest.mark.parametrize("accepted", [True, False])
def test_r25_a_void_that_was_not_believed_brings_what_its_own_book_has_of_it(reading, accepted):
    """R-33: where the law lets the pots keep it, the house gave it back and the owner of the pot owes nothing."""
    nodes = evening.linked()
    law = ruleset(void_undoes=reading)
    mar, sol = nodes[OWNER], nodes[CASINO]
    mar.stage(evening.shared_plan(), law)
    nodes.settle()
    sol.open_day()
    mar.stage(evening.shared_plan("Res. 301"), law)
    mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    evening.sealed(sol, 1, 2)
    sol.must(ask.VoidPass(evening.AT[CASINO], "mazo", evening.Signature("eva")))
    mar.must(ask.PinNeighbour(CASINO, Side.BELOW, key_of("otra"), **TWO))
    nodes.settle()

    found = nodes.clearing(POT)
    assert [one.amount for one in mar.state.disputes.values()] == [2_400, -2_400 if reading == "contributions" else 0]
    assert found[OWNER, CASINO] == -found[CASINO, OWNER]
    for dispute in list(mar.state.disputes.values()):
        mar.must(ask.EndDispute(CASINO, dispute.number, accepted=accepted, reason="se vio", **TWO))
    nodes.settle()
    found = nodes.clearing(POT)
    assert found[OWNER, CASINO] == -found[CASINO, OWNER]
    for node in nodes.all.values():
        node.book.checkpoint()
        assert verify(node.kept, None, lambda _: None).wrong is None
