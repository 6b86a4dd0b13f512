"""R-28: a casino leaves a pot for good, by agreement: the plan goes on without its tables, and its share is settled on record."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import LetterDisputed, LetterHeard, MoneyMoved, Refused
from controller.core.invariants import difference
from controller.core.links.letters import BetsSealed, DayOver, PotMoved
from controller.core.values import Hand, Levels, Side, Signature
from controller.rules.refusal import Reason
from support.links.evening import (
    AT,
    BOX,
    CASINO,
    OWNER,
    POT,
    TABLES,
    close,
    in_force,
    linked,
    sealed,
    shared_plan,
    won,
)
from support.links.nodes import TWO, Nodes
from support.links.stream import Stream
from support.record.verify_history import COLOR, ruleset

OWN = "pozo-del-sol"


def share(amount=2_000, neighbour=CASINO, source="main", resolution="Res. 900", pot=POT):
    return ask.MoveMoney(pot, source, f"share:{neighbour}", amount, resolution, Signature("ana"), Signature("carla"))


def into(target="main", amount=2_000, source=f"share:{POT}", pot=OWN):
    return ask.MoveMoney(pot, source, target, amount, "Res. 901", Signature("ana"), Signature("carla"))


def fed():
    """Three nodes that have played on one pot, everything told."""
    nodes = linked()
    in_force(nodes)
    for node in nodes.all.values():
        sealed(node, 1, 2, 3)
        close(node)
    nodes.settle()
    return nodes


def without_the_casino(nodes: Nodes):
    """The owner's plan names his own table alone."""
    for node in nodes.all.values():
        node.empty(AT[node.name])
    nodes.settle()
    nodes[OWNER].stage(shared_plan("Res. 899", tables=TABLES[:1]), ruleset())
    nodes.settle()
    assert AT[CASINO] not in nodes[CASINO].state.tables


def left():
    nodes = fed()
    without_the_casino(nodes)
    return nodes


def all_money(nodes):
    return [sum(node.book.balances.values()) for node in nodes.all.values()]


def refused(node, asked):
    (fact,) = node.ask(asked)
    assert isinstance(fact, Refused), fact
    return fact.reason


def test_r28_the_share_of_a_casino_that_left_is_in_its_own_pot_and_nothing_is_open():
    nodes = left()
    mar, sol = nodes[OWNER], nodes[CASINO]
    before, stood = mar.state.pots[POT].main, mar.book.balances[f"clearing:{POT}:{CASINO}"]

    (moved, _) = mar.must(share(300_000))
    assert isinstance(moved, MoneyMoved) and (moved.target, moved.stood) == (f"share:{CASINO}", stood)
    assert mar.state.pots[POT].main == before - 300_000
    assert mar.book.balances[f"clearing:{POT}:{CASINO}"] == stood + 300_000
    nodes.settle()

    assert (sol.state.shares[POT].above, sol.state.shares[POT].amount) == (OWNER, 300_000)
    assert sol.book.balances[f"share:{POT}:{OWNER}"] == 300_000
    clearing = nodes.clearing(POT)
    assert clearing[OWNER, CASINO] == -clearing[CASINO, OWNER]
    sol.stage(shared_plan("Res. 10", tables=(("DP-01", "sol", "draw", ""),), pot=OWN), ruleset())
    main = sol.state.pots[OWN].main
    sol.must(into(amount=100_000))
    sol.must(into("reserva0", amount=200_000))
    assert (sol.state.pots[OWN].main, sol.state.shares) == (main + 100_000, {})
    assert sol.book.balances[f"share:{POT}:{OWNER}"] == 0
    assert all_money(nodes) == [0, 0, 0]
    assert not any(difference(node.state, node.book.balances) for node in nodes.all.values())


def days_told(node):
    return [one.letter.day for one in node.told[f"to:{OWNER}"] if isinstance(one.letter, DayOver)]


def test_r27_a_share_that_comes_when_nothing_is_open_ends_a_day_and_never_one_far_ahead():
    nodes = left()
    mar, sol = nodes[OWNER], nodes[CASINO]
    mar.must(share())
    nodes.settle()
    assert days_told(sol) == [], "its day is open, and will be told"
    for name in (BOX, CASINO):
        nodes[name].close_day()
        nodes.settle()
    for _ in range(3):
        mar.must(share())
        nodes.settle()

    assert days_told(sol) == ["2026-11-01", "2026-11-02"]
    nodes.tick(40 * 86_400_000)
    mar.must(share())
    nodes.settle()
    assert days_told(sol)[2:] == ["2026-12-11"]


def test_r28_a_share_may_come_in_two_parts_and_out_of_a_reserve():
    nodes = left()
    mar, sol = nodes[OWNER], nodes[CASINO]

    mar.must(share(1_000))
    mar.must(share(mar.state.pots[POT].reserves["reserva0"], source="reserva0"))
    nodes.settle()

    assert sol.state.shares[POT].amount == sol.book.balances[f"share:{POT}:{OWNER}"] > 1_000
    assert mar.state.pots[POT].reserves["reserva0"] == 0
    assert not difference(sol.state, sol.book.balances)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (share(neighbour="luna"), Reason.NEVER_FED),
        (share(neighbour=""), Reason.NEVER_FED),
        (share(source="house"), Reason.PART_UNKNOWN),
        (share(10**10), Reason.NOT_ENOUGH),
        (share(resolution=" "), Reason.RESOLUTION_MISSING),
        (into(source="share:otro", pot=POT), Reason.PART_UNKNOWN),
    ],
)
def test_r28_what_is_no_share_is_refused(asked, code):
    assert refused(left()[OWNER], asked) == code.code


def test_r28_a_neighbour_above_or_one_who_never_heard_of_the_pot_has_no_share():
    nodes = left()
    nodes[OWNER].must(ask.PinNeighbour("luna", Side.BELOW, "ab" * 32, **TWO))

    assert refused(nodes[OWNER], share(neighbour="luna")) == Reason.NEVER_FED.code


def test_r28_who_feeds_the_pot_or_will_feed_it_is_given_no_share():
    nodes = fed()
    assert refused(nodes[OWNER], share()) == Reason.STILL_FEEDS.code
    without_the_casino(nodes)
    nodes[OWNER].stage(shared_plan("Res. 902"), ruleset())

    assert refused(nodes[OWNER], share()) == Reason.STILL_FEEDS.code
    nodes[OWNER].must(ask.WithdrawPlan(POT, Signature("ana")))
    nodes[OWNER].must(share())


def test_r28_who_feeds_it_through_a_box_feeds_it():
    nodes = fed()
    for node in nodes.all.values():
        node.empty(AT[node.name])
    nodes[OWNER].stage(shared_plan("Res. 899", tables=(TABLES[0], TABLES[2])), ruleset())
    nodes.settle()

    assert refused(nodes[OWNER], share()) == Reason.STILL_FEEDS.code


def test_r28_nothing_is_settled_while_something_is_open():
    nodes = fed()
    mar, sol = nodes[OWNER], nodes[CASINO]
    number = sealed(sol, 1, 2)
    claim = won(sol, Hand(1, cards=COLOR))
    close(sol)
    nodes.settle()
    mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    mar.empty(AT[OWNER])
    mar.stage(shared_plan("Res. 899", tables=TABLES[:1]), ruleset())
    assert number and f"{AT[OWNER]}@{CASINO}" not in mar.state.away

    assert refused(mar, share()) == Reason.SHARE_OPEN.code
    assert claim


def then(node, writer, name):
    """Who goes on telling this stream in the node's name."""
    stream = Stream(writer, name)
    stream.mark = node.state.heard[f"{writer}/{name}"]
    return stream


def test_r28_a_dispute_with_the_casino_is_ended_first():
    mar = left()[OWNER]
    told = then(mar, CASINO, f"to:{OWNER}").next(BetsSealed(POT, "DP-01", 9, "sol", (), "", ""))
    assert isinstance(mar.hear(told)[0], LetterDisputed)

    assert refused(mar, share()) == Reason.SHARE_OPEN.code
    mar.must(ask.EndDispute(CASINO, told.mark.number, accepted=False, reason="no jugaba", **TWO))
    mar.must(share())


@pytest.mark.parametrize("said", [{"amount": 0}, {"amount": 10**16}, {"by": ""}, {"second": ""}, {"reason": " "}])
def test_r28_a_share_that_cannot_be_is_not_believed(said):
    sol = left()[CASINO]
    words = {
        "after": Levels(0, 0),
        "reason": "R",
        "by": "ana",
        "second": "bea",
        "neighbour": CASINO,
        "amount": 5,
        **said,
    }

    facts = sol.hear(then(sol, OWNER, f"pot:{POT}").next(PotMoved(POT, **words)))

    assert [type(fact) for fact in facts] == [LetterDisputed, LetterHeard]
    assert sol.state.shares == {}


@pytest.mark.parametrize("name", [CASINO, "luna"])
def test_r28_whose_tables_feed_the_pot_has_no_share_and_that_of_another_is_his(name):
    sol = fed()[CASINO]
    told = PotMoved(POT, Levels(7, 0, {"reserva0": 3}), "R", "ana", "bea", name, 5)

    facts = sol.hear(then(sol, OWNER, f"pot:{POT}").next(told))

    assert isinstance(facts[0], LetterDisputed if name == CASINO else LetterHeard)
    assert sol.state.shares == {}


def test_r34_what_is_put_right_after_the_share_was_given_is_told_as_it_was():
    nodes = fed()
    mar, sol = nodes[OWNER], nodes[CASINO]
    number = sealed(mar, 1, 2)
    close(mar)
    without_the_casino(nodes)
    mar.must(share(300_000))
    nodes.settle()
    main = mar.state.pots[POT].main

    hands = (Hand(2, cards=COLOR),)
    by, second = Signature("carla"), Signature("dario")
    (fact, *_) = mar.must(ask.CorrectClaim(AT[OWNER], number, hands, "cámara", by, second, (), "cam 3"))

    assert fact.awards[0].amount == -fact.flow.parts["main"] == main - mar.state.pots[POT].main
    assert sol.state.shares[POT].amount == 300_000


def test_r28_what_the_books_say_is_not_who_asks():
    (moved, *_) = (nodes := left())[OWNER].must(replace(share(), booked=77))

    assert moved.stood == nodes[OWNER].book.balances[f"clearing:{POT}:{CASINO}"] - 2_000 != 77


def test_r28_what_another_neighbour_says_holds_up_nobodys_share():
    mar = left()[OWNER]
    mar.must(ask.PinNeighbour("luna", Side.BELOW, "ab" * 32, **TWO))
    mar.hear(Stream("luna", f"to:{OWNER}").next(BetsSealed(POT, "DP-01", 9, "luna", (), "", "")))

    assert mar.state.disputes
    mar.must(share())
