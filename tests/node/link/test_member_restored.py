"""A casino's node that was put back, over the real protocol (R-27, R-28): it tells nothing before the owner has said how far he heard it."""

from copy import deepcopy

import pytest
from msgspec import json
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import AwardPaid, Entry, LetterTold, Refused
from controller.core.links.letters import ClaimSettled
from controller.core.values import Hand, Signature
from controller.node.link.recorded import Recorded
from support.links.evening import BOX, CASINO, OWNER
from support.links.live import LiveNode
from support.links.nodes import TWO
from support.links.rolled import Rolled
from support.links.schedule import SEA
from support.record.verify_history import ROYAL

EVA = Signature("eva")
UP = f"to:{OWNER}"


class Story(Rolled):
    """One evening without mischief."""

    def __init__(self, seed: int = 1) -> None:
        super().__init__(seed)
        self.cuts = False

    def one_pass(self, name: str, table: str, *seats: int) -> None:
        node = self.nodes[name]
        node.must(ask.OpenPass(table, EVA))
        for seat in seats:
            node.bet(table, seat, seat)
        node.commit()
        node.lock(table)
        node.draws(table)
        node.must(ask.ClosePass(table, EVA))
        node.give_back(table)

    def live(self, name: str) -> LiveNode:
        node = self.nodes[name]
        assert isinstance(node, LiveNode)
        return node


@pytest.fixture
def story() -> Story:
    evening = Story()
    evening.one_pass(CASINO, "DP-01", 1, 2)
    evening.one_pass(BOX, "CP-01", 1)
    evening.world.settle()
    return evening


def copy_of(node: LiveNode):
    node.book.checkpoint()
    return deepcopy(node.kept)


def put_back_with_its_units(node: LiveNode) -> None:
    """To a copy of now: what stands at its seats stands there still."""
    units = dict(node.units)
    node.restored(copy_of(node))
    node.units, node.replaced = units, False


def told_since(node: LiveNode) -> list[int]:
    """The numbers of its letters upwards in its new epoch."""
    told = facts_of(node, LetterTold)
    return [fact.number for fact in told if (fact.stream, fact.epoch) == (UP, 2)]


def facts_of(node: LiveNode, kind):
    facts = (json.decode(row.body, type=Entry).fact for row in node.kept.facts())
    return [fact for fact in facts if isinstance(fact, kind)]


def accept(node: LiveNode, neighbour: str, stream: str, *, as_it_was: bool = False) -> str:
    """`vecino aceptar`, or `vecino seguir`; why it was stopped."""
    stop = node.state.neighbours[neighbour].stopped[stream]
    mark = node.state.heard[f"{neighbour}/{stream}"] if as_it_was else stop.said
    node.must(ask.AcceptNeighbour(neighbour, stream, mark, "se comparó", **TWO))
    return stop.why.value


def test_r28_where_nothing_is_lost_it_goes_on_by_itself(story):
    sol = story.live(CASINO)
    put_back_with_its_units(sol)
    assert Recorded(sol.state, 0).marks(OWNER).missing == {UP: sol.state.told[UP]}
    (no,) = sol.ask(ask.OpenPass("DP-01", EVA))
    assert no.reason == "letters_come_back"

    story.one_pass(BOX, "CP-01", 2)
    story.world.settle()
    assert not sol.state.recalls
    assert not any(one.stopped for node in story.world.live for one in node.state.neighbours.values())
    story.one_pass(CASINO, "DP-01", 3)
    story.world.settle()
    story.is_the_same_to_a_second_hand()


def test_r28_where_something_is_lost_nobody_tells_a_number_twice(story):
    sol, mar = story.live(CASINO), story.live(OWNER)
    copy = copy_of(sol)
    story.one_pass(CASINO, "DP-01", 4)
    story.one_pass(BOX, "CP-01", 2)
    story.world.settle()
    heard = mar.state.heard[f"{CASINO}/{UP}"]
    sol.restored(copy)
    story.one_pass(BOX, "CP-01", 3)
    story.comes_to_rest()

    assert sol.state.recalls and sol.state.neighbours[OWNER].stopped
    assert sol.state.told[UP].epoch == 1
    stopped = sol.state.neighbours[OWNER].stopped
    for stream, stop in stopped.items():
        sol.must(ask.AcceptNeighbour(OWNER, stream, stop.said, "se comparó", **TWO))
    assert not sol.state.recalls
    story.world.settle()
    assert sol.state.told[UP].number > heard.number
    assert told_since(sol) and min(told_since(sol)) > heard.number


def test_r28_without_him_its_numbers_leave_room_and_he_sees_the_gap(story):
    sol, mar = story.live(CASINO), story.live(OWNER)
    put_back_with_its_units(sol)
    sol.must(ask.GoOnWithout(SEA, (OWNER,), "no hay enlace", **TWO))
    story.one_pass(CASINO, "DP-01", 2)
    story.world.settle()
    (stop,) = mar.state.neighbours[CASINO].stopped.values()
    assert stop.why.value == "gap"
    mar.must(ask.AcceptNeighbour(CASINO, UP, stop.said, "se llamó", **TWO))
    story.world.settle()
    assert not any(one.stopped for node in story.world.live for one in node.state.neighbours.values())
    assert replace(mar.state.heard[f"{CASINO}/{UP}"], hash="") == replace(sol.state.told[UP], hash="")
    story.is_the_same_to_a_second_hand()


def test_r20_the_whole_pot_was_decided_and_paid_when_the_casino_between_was_put_back(story):
    """By the operators' page, in its order: nothing is decided or paid twice, and what still differs is what it says."""
    sol, mar, caja = story.live(CASINO), story.live(OWNER), story.live(BOX)
    copy = copy_of(sol)
    caja.must(ask.OpenPass("CP-01", EVA))
    for seat in (1, 2):
        caja.bet("CP-01", seat, seat)
    caja.commit()
    caja.lock("CP-01")
    caja.draws("CP-01")
    claim = f"CP-01/{caja.state.tables['CP-01'].number}/1"
    caja.claim("CP-01", (Hand(1, cards=ROYAL),))
    story.world.settle()
    caja.draws("CP-01")
    caja.must(ask.ClosePass("CP-01", EVA))
    caja.give_back("CP-01")
    story.pay_what_is_owed(caja, claim)
    story.world.settle()
    stood, clearing = mar.state.pots[SEA].main, story.nodes.clearing(SEA)
    log = f"pot:{SEA}"

    sol.restored(copy)
    story.comes_to_rest()
    assert accept(sol, OWNER, UP) == "ahead"
    story.comes_to_rest()
    assert accept(sol, BOX, log) == "ahead"
    story.comes_to_rest()
    assert caja.state.acknowledged[f"{CASINO}/to:{CASINO}"] == caja.state.told[f"to:{CASINO}"]
    assert accept(mar, CASINO, UP, as_it_was=True) == "foreign_epoch"
    assert accept(mar, CASINO, log) == "rolled_back"
    story.comes_to_rest()
    twice = sum(one.amount for one in mar.state.disputes.values())
    for node in story.world.live:
        for one in list(node.state.disputes.values()):
            node.must(ask.EndDispute(one.neighbour, one.number, accepted=False, reason="x", pot=one.pot, **TWO))
    story.world.settle()

    decided = [fact.letter.claim for fact in facts_of(mar, LetterTold) if isinstance(fact.letter, ClaimSettled)]
    assert len(decided) == len({*decided})
    assert len([fact for fact in facts_of(caja, AwardPaid) if fact.award.startswith(f"{claim}/")]) == 1
    assert mar.state.pots[SEA].main == stood
    after = story.nodes.clearing(SEA)
    assert after.pop((CASINO, OWNER)) == clearing.pop((CASINO, OWNER)) - twice
    assert after == clearing and twice > 0
    assert not any(fact.ask == "take_back" for fact in facts_of(sol, Refused))
    story.is_good_by_itself()
