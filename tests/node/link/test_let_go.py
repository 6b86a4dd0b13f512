"""A neighbour that was stopped, and is let go in the same conversation (R-28): nothing of before holds it up any more."""

from controller.core import inputs as ask
from controller.core.values import Broken, Mark, Signature
from support.links import evening
from support.links.evening import CASINO, OWNER, POT
from support.links.nodes import TWO
from support.links.world import World


def test_what_was_acknowledged_while_two_persons_were_to_look_is_on_record_when_they_have():
    world = World(OWNER, CASINO, evening.BOX)
    world.watch.may_stop = True
    world.people()
    world.link(CASINO, OWNER)
    world.link(evening.BOX, CASINO, inside=True)
    evening.in_force(world)
    owner, stream = world[OWNER], f"to:{OWNER}"
    said = Mark(1, 99, "ab" * 32)
    owner.must(ask.StopNeighbour(CASINO, stream, Broken.FORK, said))
    owner.must(ask.MoveMoney(POT, "house", "reserva0", 5_000, "Res. 9", Signature("ana"), Signature("carla")))
    for _ in range(100):
        world.turn_all()
    log = f"pot:{POT}"
    assert (
        owner.state.acknowledged[f"{CASINO}/{log}"]
        != owner.state.told[log]
        == world[CASINO].state.heard[f"{OWNER}/{log}"]
    )

    heard = owner.state.heard[f"{CASINO}/{stream}"]
    owner.must(ask.AcceptNeighbour(CASINO, stream, heard, "se miró", **TWO))
    for _ in range(10):
        world.turn_all()
    assert owner.state.acknowledged[f"{CASINO}/{log}"] == owner.state.told[log]
    assert not owner.state.neighbours[CASINO].stopped, "it is not measured by where it stood when it greeted"


def test_what_was_lost_and_accepted_at_both_ends_is_a_gap_that_two_persons_look_at_and_nobody_halts():
    """A box is put back to an old copy. Two of its own people accept that its casino has more; two of the casino, that the box
    stands where it says. So the letters between are in no record any more: the next one shows a gap, which two accept."""
    world = World(OWNER, CASINO, evening.BOX)
    world.watch.may_stop = world.watch.may_dispute = True
    world.watch.doubted.add(evening.BOX)
    world.people()
    world.link(CASINO, OWNER)
    world.link(evening.BOX, CASINO, inside=True)
    evening.in_force(world)
    box, casino, stream = world.live[2], world[CASINO], f"to:{CASINO}"
    copy = box.kept.backup()
    for _ in range(3):
        evening.sealed(box, 1, 2)
        evening.close(box)
    world.settle()
    world.watch.put_back(evening.BOX)
    box.restored(copy)
    for _ in range(100):
        world.turn_all()
    for node, other in ((casino, evening.BOX), (box, CASINO)):
        said = node.state.neighbours[other].stopped[stream].said
        node.must(ask.AcceptNeighbour(other, stream, said, "se miró", **TWO))
    evening.sealed(box, 1, 2)
    for _ in range(200):
        world.turn_all()

    stopped = casino.state.neighbours[evening.BOX].stopped[stream]
    assert stopped.why is Broken.GAP
    casino.must(ask.AcceptNeighbour(evening.BOX, stream, stopped.said, "se perdieron", **TWO))
    world.settle()
    assert casino.state.heard[f"{evening.BOX}/{stream}"] == box.state.told[stream]
