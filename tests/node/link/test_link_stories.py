"""Stories of nodes that share pots (R-19 to R-35): the real core, book, letters and protocol; wire, clock and store stand in."""

from collections.abc import Callable

import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.links.letters import VERSION, BetsSealed
from controller.core.machine import answer, apply
from controller.core.state import plan_hash
from controller.core.values import Hand, SealedBet, Signature
from controller.rules.money import PPM
from drivers.session import SECOND
from support.links import evening
from support.links.evening import AT, BOX, CASINO, OWNER, POT, close, sealed, shared_plan, won
from support.links.live import LiveNode
from support.links.nodes import TWO
from support.links.stream import Stream
from support.links.world import World
from support.record.verify_history import COLOR, FULL, POKER, ruleset
from support.record.verifying import verify

EVA, CARLA, DARIO = Signature("eva"), Signature("carla"), Signature("dario")
TABLE = AT[BOX]


def world(base: int = 700_000, ceiling: int = 900_000) -> World:
    """A box of a casino, below the owner of a pot."""
    three = World(OWNER, CASINO, BOX)
    three.people()
    three.link(CASINO, OWNER)
    three.link(BOX, CASINO, inside=True)
    evening.in_force(three, base=base, ceiling=ceiling)
    return three


def at(nodes: World, name: str) -> LiveNode:
    node = nodes[name]
    assert isinstance(node, LiveNode)
    return node


def pulled(nodes: World, *, out: bool) -> None:
    """The cable between the casino and the owner."""
    wire = nodes.wires[CASINO, OWNER]
    wire.reachable = not out
    if out:
        wire.cut(nodes.micros)


def end_disputes(nodes: World, *, accepted: bool) -> None:
    """Two of the owner, one after the other: the end of one may be the end of another."""
    while disputes := nodes[OWNER].state.disputes:
        number = next(iter(disputes.values())).number
        nodes[OWNER].must(ask.EndDispute(CASINO, number, accepted=accepted, reason="se vio", **TWO))
    nodes.settle()


def is_at_rest(nodes: World) -> None:
    """R-28: nobody waits for anything, both sides of every clearing are equal, and a second hand agrees."""
    nodes.settle()
    clearing = nodes.clearing(POT)
    assert all(clearing[here, other] == -clearing[other, here] for here, other in clearing), clearing
    for node in nodes.live:
        assert not (node.state.undecided or node.state.awaited or node.state.disputes)
        node.book.checkpoint()
        assert verify(node.kept, None, lambda _: None).wrong is None


# Pay against reject, correct and void


def pay(box: LiveNode) -> None:
    box.ask(ask.ConfirmAward(f"{TABLE}/1/1/1", CARLA, DARIO))
    box.ask(ask.PayAward(f"{TABLE}/1/1/1", EVA))


def reject(box: LiveNode) -> None:
    box.ask(ask.RejectClaim(f"{TABLE}/1/1", "era otra mano", CARLA, DARIO))


def correct(box: LiveNode) -> None:
    box.ask(ask.CorrectClaim(TABLE, 1, (Hand(2, cards=FULL),), "cámara", CARLA, DARIO))


def void(box: LiveNode) -> None:
    box.ask(ask.VoidHand(TABLE, 1, "carta vista", EVA))


class Doom:
    """The commit of this number, of whichever node, ends its process: before it stands, or after."""

    def __init__(self, nodes: World, number: int, how: str) -> None:
        self.left, self.how = number, how
        for node in nodes.live:
            node.on_commit = self.count(node, node.on_commit)

    def count(self, node: LiveNode, then: Callable[[LiveNode], object]) -> Callable[[LiveNode], object]:
        def counted(who: LiveNode) -> None:
            self.left -= 1
            if self.left == 0:
                node.kept.dies = self.how
            then(who)

        return counted


STEPS = range(1, 40) if CAMPAIGN else (1, 2, 3, 5, 8)


@pytest.mark.campaign
@pytest.mark.parametrize("how", ["before", "after"])
@pytest.mark.parametrize("against", [reject, correct, void], ids=["reject", "correct", "void"])
def test_r34_pay_against_reject_correct_and_void_with_a_death_at_every_step(against, how):
    """A winner is being paid at the box while two persons take his claim back; letters are on their way, and at one step after
    the other some node dies. He is paid once or not at all, what was paid and false is the house's loss, and nothing waits."""
    for first, second in ((pay, against), (against, pay)):
        for step in STEPS:
            nodes = world()
            box = at(nodes, BOX)
            sealed(box, 1, 2)
            won(box, Hand(1, cards=COLOR), Hand(2, cards=POKER))
            nodes.settle()
            doom = Doom(nodes, step, how)
            first(box)
            nodes.turn_all()
            second(box)
            nodes.settle()
            doom.left = 0
            for node in nodes.live:
                node.kept.dies = ""
            is_at_rest(nodes)
            seat_1 = [one for one in box.state.claims[f"{TABLE}/1/1"].awards.values() if one.granted.seat == 1]
            assert sum(one.paid for one in seat_1) <= 1 and not any(one.paid and one.cancelled for one in seat_1)


def test_r20_a_fixed_award_paid_while_cut_off_then_corrected_with_the_next_plan_waiting():
    """The cable is out. A Full at the box is certain and is paid; then the camera shows a Color instead. Meanwhile the owner
    has staged another plan, which waits. The cable is back: the house bears what was paid too much, and the plan comes."""
    nodes = world()
    box, owner = at(nodes, BOX), nodes[OWNER]
    pulled(nodes, out=True)
    sealed(box, 1, 2)
    won(box, Hand(1, cards=FULL))
    pay(box)
    assert box.state.claims[f"{TABLE}/1/1"].awards[f"{TABLE}/1/1/1"].paid, "R-20: certain, whatever the owner finds"
    owner.stage(shared_plan("Res. 302", base=700_000, ceiling=950_000), ruleset())
    box.must(ask.CorrectClaim(TABLE, 1, (Hand(1, cards=COLOR),), "cámara", CARLA, DARIO))
    for _ in range(100):
        nodes.turn_all()
    assert "Res. 302" not in owner.state.pots[POT].documents.plan

    pulled(nodes, out=False)
    nodes.settle()
    close(box)
    box.pay_all(f"{TABLE}/1/1")
    box.empty(TABLE)
    is_at_rest(nodes)
    assert all("Res. 302" in node.state.pots[POT].documents.plan for node in nodes.live)
    paid = box.book.balances[f"paid:{POT}:sol"]
    assert paid == 100_000 and box.book.balances[f"house:{POT}:sol"] == -50_000


def test_r26_r28_a_fixed_award_paid_by_a_casino_that_was_left_out_is_disputed_and_left_with_its_house():
    """The cable is out and stays out: two persons of the owner leave the casino out of a plan. It had played on under the old
    one, won a Color and paid it. When it is pinned again all of it stands apart, and is left with the house of that casino."""
    nodes = world()
    nodes.watch.may_dispute = True
    casino, owner = at(nodes, CASINO), nodes[OWNER]
    pulled(nodes, out=True)
    sealed(casino, 1, 2)
    claim = won(casino, Hand(1, cards=COLOR))
    casino.pay_all(claim)
    owner.stage(shared_plan("Res. 302", base=700_000, ceiling=950_000), ruleset())
    owner.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    close(casino)
    owner.must(ask.PinNeighbour(CASINO, owner.state.neighbours[CASINO].side, "ab" * 32, **TWO))
    pulled(nodes, out=False)
    nodes.settle()

    apart = {one.about: one.amount for one in owner.state.disputes.values() if one.amount}
    assert apart == {"DP-01@sol/1": 2_400, "DP-01@sol/1/1": -50_000}
    end_disputes(nodes, accepted=False)
    assert not casino.state.disputes, "D-230: with the claim ends what was told of its payment, at both"
    clearing = nodes.clearing(POT)
    assert all(clearing[here, other] == -clearing[other, here] for here, other in clearing)
    assert casino.book.balances[f"house:{POT}:sol"] == 2_400 - 50_000


def test_r26_r34_a_fixed_award_paid_while_cut_off_is_disputed_and_taken_and_then_stands_while_the_next_plan_comes():
    """The cable is out; the casino is left out of a plan, plays on under the old one and pays a Full. It is back: its bets and its
    winners are not believed, and two of the owner take them. Then the camera shows a Color: what two have signed for stands, for the
    pass is nowhere in the owner's record (D-233), and the table hears so. The next plan is in force when the pass is over."""
    nodes = world()
    nodes.watch.may_dispute = True
    casino, owner = at(nodes, CASINO), nodes[OWNER]
    table = AT[CASINO]
    pulled(nodes, out=True)
    sealed(casino, 1, 2)
    casino.pay_all(won(casino, Hand(1, cards=FULL)))
    owner.stage(shared_plan("Res. 302", base=700_000, ceiling=950_000), ruleset())
    owner.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
    owner.must(ask.PinNeighbour(CASINO, owner.state.neighbours[CASINO].side, "ab" * 32, **TWO))
    pulled(nodes, out=False)
    nodes.settle()
    end_disputes(nodes, accepted=True)
    assert owner.state.pots[POT].meters.paid == 100_000, "R-21: what was paid is booked with what was taken"

    before = (casino.book.balances, owner.book.balances)
    casino.must(ask.CorrectClaim(table, 1, (Hand(1, cards=COLOR),), "cámara", CARLA, DARIO))
    nodes.settle()
    refused = next(row.body for row in casino.kept.all_facts if row.kind == "correction_refused")
    assert b'"code":"pass_unknown"' in refused and not casino.state.awaited
    assert (casino.book.balances, owner.book.balances) == before
    owner.stage(shared_plan("Res. 303", base=700_000, ceiling=990_000), ruleset())
    nodes.settle()
    close(casino)
    casino.empty(table)
    nodes.settle()
    end_disputes(nodes, accepted=True)  # that this pass is over is said of one that the owner never had
    is_at_rest(nodes)
    assert all("Res. 303" in node.state.pots[POT].documents.plan for node in nodes.live)
    assert casino.book.balances[f"paid:{POT}:sol"] == owner.state.pots[POT].meters.paid == 100_000
    assert sum(nodes.clearing(POT).values()) == 0


def test_r27_a_day_is_closed_while_cut_off_and_what_waited_is_decided_in_the_next_one():
    """A percentage waits for an owner who cannot be reached. The box closes its day and opens the next; then the cable is back."""
    nodes = world()
    box = at(nodes, BOX)
    pulled(nodes, out=True)
    sealed(box, 1, 2)
    won(box, Hand(1, cards=evening.STRAIGHT_FLUSH), Hand(2, cards=COLOR))
    close(box)
    box.must(ask.ConfirmAward(f"{TABLE}/1/1/1", CARLA, DARIO))
    box.must(ask.PayAward(f"{TABLE}/1/1/1", EVA))
    box.empty(TABLE)
    box.close_day()
    box.open_day()
    assert box.state.claims[f"{TABLE}/1/1"].awards[f"{TABLE}/1/1/2"].waits

    pulled(nodes, out=False)
    nodes.settle()
    box.pay_all(f"{TABLE}/1/1")
    is_at_rest(nodes)
    assert nodes[OWNER].state.pots[POT].meters.paid == box.book.balances[f"paid:{POT}:sol"]


# Nothing happens, and something new


def test_r28_an_idle_hour_writes_no_fact():
    """The links stand, beats go to and fro, and no record grows."""
    nodes = world()
    sealed(nodes[BOX], 1, 2)
    nodes.settle()
    before = [len(node.kept.all_facts) for node in nodes.live]
    for _ in range(3_600):
        nodes.advance(SECOND - 50_000)
        nodes.turn_all()
    assert [len(node.kept.all_facts) for node in nodes.live] == before
    assert all(end.talk.up for node in nodes.live for end in node.ends.values())


def test_r28_an_upgrade_leaves_every_earlier_stream_as_it_was():
    """A casino has half of the pot's log when its owner is upgraded to a program that writes letters of the next version. What
    was told before keeps its number, its bytes and its version; the casino, upgraded too, goes on from where it stood."""
    nodes = world()
    nodes.watch.may_stop = True
    owner, casino = at(nodes, OWNER), at(nodes, CASINO)
    pulled(nodes, out=True)
    for _ in range(3):
        owner.must(ask.MoveMoney(POT, "house", "reserva0", 5_000, "Res. 9", *TWO.values()))
    before = [row.body for row in owner.kept.all_facts if row.kind == "letter_told"]
    for node in (owner, casino):
        node.program = VERSION + 1
        node.begin()
    owner.must(ask.MoveMoney(POT, "house", "reserva0", 5_000, "Res. 10", *TWO.values()))
    pulled(nodes, out=False)
    nodes.settle()

    told = [row.body for row in owner.kept.all_facts if row.kind == "letter_told"]
    assert told[: len(before)] == before and f'"version":{VERSION + 1}'.encode() not in b"".join(before)
    assert (
        f'"version":{VERSION + 1}'.encode() in told[-1]
        and casino.state.heard[f"{OWNER}/pot:{POT}"] == owner.state.told[f"pot:{POT}"]
    )


# One carry


@pytest.mark.campaign
def test_r23_three_boxes_and_a_million_bets_have_one_commission_to_the_unit():
    """Their casino's node takes it of whatever each box tells, in whichever order: floor(ppm x all that was wagered)."""
    bets, ppm = (1_000_000 if CAMPAIGN else 6_000), 123_457
    boxes = [f"caja-{number}" for number in (1, 2, 3)]
    nodes = evening.Nodes(CASINO, *boxes)
    nodes.people()
    for box in boxes:
        nodes.link(box, CASINO, inside=True)
    tables = [(f"M-{box}", "sol", "draw", box) for box in boxes]
    nodes[CASINO].stage(shared_plan(tables=tables, commission_ppm=ppm, ceiling=10**12), ruleset())
    nodes.settle()
    state, now = nodes[CASINO].state, nodes[CASINO].now
    streams = {box: Stream(box, f"to:{CASINO}") for box in boxes}
    for box, stream in streams.items():
        stream.mark = state.heard[f"{box}/to:{CASINO}"]
    plan, taken, wagered = plan_hash(state.pots[POT].documents), 0, 0
    for number in range(1, bets // 6 // 3 + 1):
        for at_box, (box, stream) in enumerate(streams.items()):
            amounts = [1_000 * (1 + (number * 7 + seat + at_box) % 5) for seat in range(6)]
            made = tuple(SealedBet(seat, amount, 0, 0) for seat, amount in enumerate(amounts, 1))
            letter = BetsSealed(POT, f"M-{box}", number, "sol", made, "cd" * 32, plan)
            wagered += sum(amounts)
            for fact in answer(state, stream.next(letter), now):
                taken += getattr(getattr(fact, "flow", None), "commission", 0)
                state = apply(state, now, fact)
    assert taken == wagered * ppm // PPM
    assert state.pots[POT].commission_carries == {"sol": wagered * ppm % PPM}
