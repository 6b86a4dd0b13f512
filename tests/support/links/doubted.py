"""Winners whom the owner of their pot does not believe, because they were played under a plan that was over there (R-28)."""

from controller.core import inputs as ask
from controller.core.facts import Fact
from controller.core.links import letters
from controller.core.values import Hand, Side, Signature
from support.links import evening
from support.links.evening import CASINO, OWNER
from support.links.nodes import TWO, Node, Nodes, key_of
from support.record.verify_history import ruleset

BASE = 700_000


def unheard(player: str, *hands: Hand, seats: tuple[int, ...] = (1, 2, 3)) -> Nodes:
    """The owner puts a plan in force without a casino that it could not reach, and pins its key again. What was played there
    under the old one, winners among it, was not carried yet."""
    nodes = evening.linked()
    for node in nodes.all.values():
        node.book.start(evening.BOOT, node.now)
    evening.in_force(nodes, base=BASE)
    mar, there = nodes[OWNER], nodes[player]
    mar.stage(evening.shared_plan("Res. 301", base=BASE), ruleset())
    mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    evening.sealed(there, *seats)
    evening.won(there, *hands)
    mar.must(ask.PinNeighbour(CASINO, Side.BELOW, key_of("otra"), **TWO))
    return nodes


def doubted(player: str, *hands: Hand, seats: tuple[int, ...] = (1, 2, 3), pay: bool = False) -> Nodes:
    """It is heard, and not believed. `pay`: the first of them has his award already."""
    nodes = unheard(player, *hands, seats=seats)
    if pay:
        hand_out(nodes[player], f"{evening.AT[player]}/1/1/1")
    nodes.settle()
    return nodes


def hand_out(node: Node, award: str) -> None:
    node.must(ask.ConfirmAward(award, Signature("carla"), Signature("ana")))
    node.must(ask.PayAward(award, Signature("eva")))


def end(nodes: Nodes, which: int, *, accepted: bool) -> tuple[Fact, ...]:
    """The dispute of this place among those that are open."""
    mar = nodes[OWNER]
    number = list(mar.state.disputes.values())[which].number
    facts = mar.must(ask.EndDispute(CASINO, number, accepted, "lo vimos", **TWO))
    nodes.settle()
    return facts


def of_claim(nodes: Nodes) -> int:
    """Where among the disputes the winners are."""
    kinds = [type(one.letter) for one in nodes[OWNER].state.disputes.values()]
    return kinds.index(letters.ClaimMade)
