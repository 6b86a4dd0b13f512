"""R-18, R-20, R-36: frauds with an advance at a box that is cut off: prevented, by name, or on the page of what is unusual."""

import pytest

from controller.core import inputs as ask
from controller.core.facts import Refused
from controller.core.links.advances import bound
from controller.core.values import Hand, Signature
from controller.report.counting import report
from controller.report.scope import ask as asked_for
from support.links.evening import AT, BOX, CASINO, OWNER, close, in_force, linked, sealed, won
from support.links.nodes import Node, Nodes
from support.record.verify_history import ROYAL, STRAIGHT_FLUSH
from support.record.verifying import verify

EVA, CARLA, DARIO = (Signature(name) for name in ("eva", "carla", "dario"))


@pytest.fixture
def nodes() -> Nodes:
    three = linked()
    in_force(three, base=700_000)
    return three


def waiting(node: Node, cards: tuple[str, ...] = ROYAL) -> str:
    """Eva enters a percentage that nobody above has heard of; the award's name."""
    sealed(node, 1)
    return f"{won(node, Hand(1, cards=cards))}/1"


def advance(award: str, amount: int, by: Signature, second: Signature) -> ask.AdvanceAward:
    return ask.AdvanceAward(award, amount, "el jugador tiene apuro", by, second)


def no(node: Node, asked: ask.AdvanceAward) -> str:
    (refused,) = node.ask(asked)
    assert isinstance(refused, Refused)
    return refused.reason


def seen(node: Node) -> list[tuple[str, tuple[str, ...], int]]:
    day = node.state.day or node.state.last_day
    page = report(node.kept, asked_for("day", getattr(day, "name", day))).unusual
    assert page is not None
    return [(one.kind, tuple(sorted(one.persons)), one.amount) for one in page.oddities if one.kind == "advance"]


def is_good(nodes: Nodes) -> bool:
    return all(verify(node.kept, None, lambda _seq: None).wrong is None for node in nodes.all.values())


def test_r36_a_croupier_and_a_chief_who_advance_to_themselves_stand_on_the_page_with_both_names(nodes):
    caja = nodes[BOX]
    award = waiting(caja)
    assert no(caja, advance(award, 100_000, EVA, CARLA)) == "role_missing", "not without a chief"
    assert no(caja, advance(award, 100_000, CARLA, CARLA)) == "two_persons_needed"
    caja.must(advance(award, 100_000, CARLA, EVA))
    assert seen(caja) == [("advance", ("carla", "eva"), 100_000)] and is_good(nodes)


def test_r28_in_small_parts_it_is_no_more_than_at_once(nodes):
    caja = nodes[BOX]
    award = waiting(caja)
    left = bound(caja.state, caja.state.claims[award.rpartition("/")[0]], award).left
    for part in (left // 2, left - left // 2):
        caja.must(advance(award, part, CARLA, DARIO))
    for amount in (1, left, -left):
        assert no(caja, advance(award, amount, DARIO, CARLA)) == "advance_too_much"
    assert len(seen(caja)) == 2 and is_good(nodes)


def test_r34_a_false_hand_that_is_taken_back_leaves_who_gave_and_who_took_it_back(nodes):
    caja = nodes[BOX]
    award = waiting(caja, STRAIGHT_FLUSH)
    caja.must(advance(award, 30_000, CARLA, EVA))
    nodes.settle()
    caja.must(ask.RejectClaim(award.rpartition("/")[0], "no era", CARLA, DARIO))
    assert no(caja, advance(award, 1, CARLA, EVA)) == "award_frozen"
    nodes.settle()
    assert no(caja, advance(award, 1, CARLA, EVA)) == "award_decided"

    assert seen(caja) == [("advance", ("carla", "eva"), 30_000), ("advance", ("carla", "dario"), 30_000)]
    assert caja.book.balances["house:pozo-del-mar:sol"] == -30_000, "the house bears it, and the pot does not"
    close(caja)
    assert is_good(nodes)


def test_r28_nobody_advances_what_another_node_won(nodes):
    award = waiting(nodes[BOX])
    nodes.settle()
    away = {CASINO: f"{AT[BOX]}@caja/1/1/1", OWNER: f"{AT[BOX]}@caja@sol/1/1/1"}
    assert award == f"{AT[BOX]}/1/1/1"
    for node, name in away.items():
        assert no(nodes[node], advance(name, 1, CARLA, EVA)) == "award_elsewhere"
