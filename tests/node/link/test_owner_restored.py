"""An owner that was put back, over the real protocol (R-28): it takes its decisions back from its members, and decides none twice."""

from copy import deepcopy

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from support.links.evening import CASINO, OWNER
from support.links.live import LiveNode
from support.links.rolled import Rolled
from support.links.schedule import SEA
from support.record.verify_history import ROYAL

EVA = Signature("eva")


class Story(Rolled):
    """One evening without mischief."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.cuts = False

    def play_one(self, name: str, table: str, *seats: int) -> None:
        node = self.nodes[name]
        node.must(ask.OpenPass(table, EVA))
        for seat in seats:
            node.bet(table, seat, seat)
        node.commit()
        node.lock(table)
        node.draws(table)

    def over(self, name: str, table: str) -> None:
        self.nodes[name].draws(table)
        self.nodes[name].must(ask.ClosePass(table, EVA))
        self.nodes[name].give_back(table)


def owner_of(story: Story) -> LiveNode:
    node = story.nodes[OWNER]
    assert isinstance(node, LiveNode)
    return node


def test_r28_the_whole_pot_was_decided_and_paid_when_the_owner_was_put_back():
    story = Story()
    story.play_one(CASINO, "DP-01", 1, 2)
    story.over(CASINO, "DP-01")
    story.world.settle()
    owner = owner_of(story)
    owner.book.checkpoint()
    copy = deepcopy(owner.kept)

    story.play_one(CASINO, "DP-01", 1, 2)
    sol = story.nodes[CASINO]
    number = sol.state.tables["DP-01"].number
    sol.claim("DP-01", (Hand(1, cards=ROYAL),))
    story.world.settle()
    story.over(CASINO, "DP-01")
    claim = f"DP-01/{number}/1"
    story.pay_what_is_owed(sol, claim)
    story.world.settle()
    amount = sum(one.granted.amount for one in sol.state.claims[claim].awards.values())
    stood = owner.state.pots[SEA].main, story.nodes.clearing(SEA)

    owner.restored(copy)
    story.world.settle()

    assert not owner.state.taking_back
    assert not any(one.stopped for node in story.world.live for one in node.state.neighbours.values())
    there = owner.state.claims[f"DP-01@sol/{number}/1"]
    assert sum(one.granted.amount for one in there.awards.values()) == amount
    assert all(one.paid for one in there.awards.values())
    assert (owner.state.pots[SEA].main, story.nodes.clearing(SEA)) == stood
    story.is_the_same_to_a_second_hand()
