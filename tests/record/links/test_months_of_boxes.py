"""R-27, R-28: the month of a casino whose node has no tables, and the month in which a casino leaves a pot: whole, and the same at
both ends, by the page, by the second hand and by `verify` across the records."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.report.clearing import clearing
from controller.report.clearing_value import Body
from controller.verify.links.across import compare, side_of
from controller.verify.links.months import months_of
from support.links import left_pot
from support.links.boxes import BOXES, behind, next_day, over, plays
from support.links.evening import (
    AT,
    BOX,
    CASINO,
    OWNER,
    POT,
    SECOND,
    TABLES,
    close,
    in_force,
    linked,
    sealed,
    shared_plan,
    won,
)
from support.links.months import DAY, DECEMBER, NOVEMBER, begin_day, end_day
from support.links.nodes import TWO, Nodes
from support.record.verify_history import COLOR, STRAIGHT_FLUSH, ruleset
from support.record.verifying import verify

BY = {"by": Signature("ana"), "second": Signature("carla")}


def statement(nodes: Nodes, node: str, other: str, month: str) -> Body:
    (one,) = clearing(nodes[node].kept, month, neighbour=other).statements
    assert one.holds, one.beside
    return one.body


def same(nodes: Nodes, below: str, above: str, month: str = NOVEMBER) -> Body:
    """Word for word the same, and made again by the second hand."""
    ours, theirs = statement(nodes, below, above, month), statement(nodes, above, below, month)
    assert ours == theirs and ours.hash == theirs.hash
    for node in (below, above):
        again = months_of(nodes[node].kept)[month, POT, below, above]
        assert again == (ours.until_up.number, ours.until_log.number, ours.closing, ours.hash)
    return ours


def proven(nodes: Nodes, *names: str) -> None:
    """Each record by itself, and all beside each other."""
    for name in names:
        nodes[name].book.checkpoint()
        assert verify(nodes[name].kept, None, lambda _: None).wrong is None, name
    across = compare([side_of(nodes[name].kept) for name in names])
    assert across.is_good, across.different


def test_r28_a_node_without_tables_has_its_months_and_nobody_opens_a_day_there():
    nodes = behind()
    plays(nodes, *BOXES)
    over(nodes, *BOXES)
    next_day(nodes, *BOXES, days=29)
    plays(nodes, BOX)
    over(nodes, *BOXES)
    next_day(nodes, *BOXES)
    plays(nodes, SECOND)
    over(nodes, SECOND, BOX)

    november, december = (same(nodes, CASINO, OWNER, month) for month in (NOVEMBER, DECEMBER))
    assert november.days == ("2026-11-01", "2026-11-30") and december.days == ("2026-12-01",)
    assert (november.lines["bets.wagered"].letters, december.lines["bets.wagered"].letters) == (3, 1)
    assert december.opening == november.closing and december.closing == nodes.clearing(POT)[CASINO, OWNER]
    for month in (NOVEMBER, DECEMBER):
        of_boxes = sum(same(nodes, box, CASINO, month).lines.get("bets.wagered", Z).amount for box in BOXES)
        assert same(nodes, CASINO, OWNER, month).lines["bets.wagered"].amount == of_boxes
    proven(nodes, OWNER, CASINO, *BOXES)


class Z:
    """A line that is not there."""

    amount = 0


def lost(*, day: str) -> Nodes:
    """The owner never comes back, with a percentage that waits; `day`: of the casino that leaves him."""
    nodes = linked()
    in_force(nodes)
    sol = nodes[CASINO]
    for node in (nodes[OWNER], sol, nodes[BOX]):
        sealed(node, 1, 2)
        close(node)
    nodes.settle()
    sealed(sol, 1, 2)
    won(sol, Hand(1, cards=COLOR), Hand(2, cards=STRAIGHT_FLUSH))
    close(sol)
    nodes.settle()
    nodes.links = [(BOX, CASINO)]
    sealed(sol, 1, 2)
    claim = won(sol, Hand(2, cards=STRAIGHT_FLUSH))
    close(sol)
    if day != "open":
        assert end_day(sol)
    sol.now += {"open": 0, "closed": 0, "another": 40 * DAY}[day]
    sol.must(ask.RevokeNeighbour(OWNER, "no vuelve", **TWO))
    sol.must(left_pot.LEAVE)
    assert not sol.state.claims[claim].awards[f"{claim}/1"].waits
    return nodes


def back(nodes: Nodes) -> None:
    sol = nodes[CASINO]
    sol.must(ask.PinNeighbour(OWNER, left_pot.Side.ABOVE, left_pot.key_of("otra vez"), **TWO))
    nodes.links.append((CASINO, OWNER))
    nodes.see(CASINO, OWNER, up=True) if not nodes[OWNER].state.neighbours[CASINO].up else sol.must(
        ask.SeeLink(OWNER, up=True)
    )
    nodes.settle()


@pytest.mark.parametrize(
    ("day", "month", "days"),
    [
        ("open", NOVEMBER, ("2026-11-01",)),
        ("closed", NOVEMBER, ("2026-11-01", "2026-11-02")),
        ("another", DECEMBER, ("2026-12-11",)),
    ],
)
def test_r28_the_month_in_which_an_owner_is_left_is_whole_and_ends_at_nothing(day, month, days):
    nodes = lost(day=day)
    sol = statement(nodes, CASINO, OWNER, month)
    assert sol.days == days and sol.closing == 0
    assert sol.lines["left"].amount == -sum(
        [sol.opening, *(line.amount for key, line in sol.lines.items() if key in MOVES)]
    )
    assert sol.waiting == (), "nobody waits for who was left"
    back(nodes)

    assert same(nodes, CASINO, OWNER, month) == sol
    proven(nodes, OWNER, CASINO, BOX)


MOVES = {"bets.net", "awards.certain", "awards.decided", "house.base", "house.shortfall"}


def test_r28_after_it_a_day_that_is_closed_tells_the_one_who_was_left_nothing():
    nodes = lost(day="open")
    many = len(nodes[CASINO].told[f"to:{OWNER}"])
    assert end_day(nodes[CASINO])

    assert len(nodes[CASINO].told[f"to:{OWNER}"]) == many


def without_the_casino(*, with_day: bool) -> Nodes:
    """By agreement: the plan names its tables no more; its day is closed, or goes on."""
    nodes = linked()
    in_force(nodes)
    for node in nodes.all.values():
        sealed(node, 1, 2, 3)
        close(node)
    nodes.settle()
    for node in nodes.all.values():
        node.empty(AT[node.name])
    nodes[OWNER].stage(shared_plan("Res. 899", tables=TABLES[:1]), ruleset())
    nodes.settle()
    for name in (BOX, CASINO) if not with_day else ():
        nodes[name].close_day()
        nodes.settle()
    return nodes


def share(nodes: Nodes, amount: int) -> None:
    nodes[OWNER].must(ask.MoveMoney(POT, "main", f"share:{CASINO}", amount, "Res. 900", **BY))
    nodes.settle()


def test_r28_the_month_in_which_a_casino_is_given_its_share_has_it_though_no_day_is_closed_after():
    nodes = without_the_casino(with_day=False)
    before = same(nodes, CASINO, OWNER)
    assert "share" not in before.lines
    nodes.tick(30 * DAY)
    share(nodes, 6_000)

    december = same(nodes, CASINO, OWNER, DECEMBER)
    assert december.days == ("2026-12-01",) and december.lines.keys() == {"share"}
    assert december.closing == before.closing - 6_000 == nodes.clearing(POT)[CASINO, OWNER]
    assert same(nodes, CASINO, OWNER) == before, "what was printed stays"
    proven(nodes, OWNER, CASINO, BOX)


def test_r28_a_share_in_parts_names_no_day_that_lies_far_ahead():
    nodes = without_the_casino(with_day=False)
    for amount in (1_000, 2_000, 3_000, 4_000):
        share(nodes, amount)

    body = same(nodes, CASINO, OWNER)
    assert body.days == ("2026-11-01", "2026-11-02") and body.lines["share"].amount == -1_000
    nodes.tick(3 * DAY)
    begin_day(nodes[CASINO])
    nodes[CASINO].close_day()
    nodes.settle()
    assert same(nodes, CASINO, OWNER).lines["share"].amount == -10_000
    proven(nodes, OWNER, CASINO, BOX)


def test_r28_a_share_given_on_an_open_day_is_told_with_its_close():
    nodes = without_the_casino(with_day=True)
    share(nodes, 6_000)
    nodes[CASINO].close_day()
    nodes.settle()

    body = same(nodes, CASINO, OWNER)
    assert body.days == ("2026-11-01",) and body.lines["share"].amount == -6_000


def test_r28_a_share_is_told_with_the_day_of_a_box_that_is_in_the_middle_of_one():
    nodes = behind()
    plays(nodes, BOX)
    for name in (OWNER, *BOXES):
        nodes[name].empty(AT[name])
    nodes[OWNER].stage(shared_plan("Res. 899", tables=TABLES[:1]), ruleset())
    nodes.settle()
    share(nodes, 6_000)
    nodes[BOX].close_day()
    nodes.settle()

    body = same(nodes, CASINO, OWNER)
    assert body.days == ("2026-11-01",) and body.lines["share"].amount == -6_000
    proven(nodes, OWNER, CASINO, *BOXES)
