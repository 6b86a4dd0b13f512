"""A pot whose owner was left: two percentages and a correction wait, the pot is left and played on, and its owner comes back."""

from controller.core import inputs as ask
from controller.core.values import Hand, Side, Signature
from support.links.evening import BOOT, BOX, CASINO, OWNER, POT, close, in_force, linked, sealed, shared_plan, won
from support.links.nodes import TWO, Nodes, key_of
from support.record.verify_history import COLOR, OTHER_STRAIGHT_FLUSH, STRAIGHT_FLUSH, ruleset

OWN = (("DP-01", "sol", "draw", ""), ("CP-01", "sol", "caribbean_plus", "caja"))
LEAVE = ask.LeavePot(POT, "Res. 950", Signature("ana"), Signature("carla"))


def left_and_back() -> Nodes:
    """All of it, and every record signed."""
    found = linked()
    for node in found.all.values():
        node.book.start(BOOT, node.now)
    for link in found.links:
        found.see(*link, up=True)
    in_force(found)
    for _ in range(2):
        for node in found.all.values():
            sealed(node, 1, 2, 3)
            close(node)
        found.settle()
    mar, sol, caja = (found[name] for name in (OWNER, CASINO, BOX))
    sealed(sol, 1, 2, 3)
    false = won(sol, Hand(1, cards=COLOR))
    close(sol)
    found.settle()
    sealed(sol, 1, 2)
    won(sol, Hand(2, cards=STRAIGHT_FLUSH))
    close(sol)
    by, second = Signature("carla"), Signature("dario")
    sol.must(ask.RejectClaim(false, "otra mano", by, second))
    found.links = [(BOX, CASINO)]
    sol.must(ask.SeeLink(OWNER, up=False))
    sol.must(ask.RevokeNeighbour(OWNER, "no vuelve", **TWO))
    sealed(caja, 1, 2, 3)
    won(caja, Hand(2, cards=OTHER_STRAIGHT_FLUSH), Hand(3, cards=COLOR))
    found.settle()
    sol.must(LEAVE)
    found.settle()
    close(caja)
    for node in (sol, caja):
        for claim in list(node.state.claims):
            if "@" not in claim:
                node.pay_all(claim)
        for table in node.state.tables:
            node.empty(table)
    found.settle()
    sol.stage(shared_plan("Res. 951", tables=OWN), ruleset())
    found.settle()
    number = sealed(sol, 1, 2)
    close(sol)
    sol.must(ask.CorrectClaim("DP-01", number, (Hand(2, cards=COLOR),), "cámara", by, second, (), "cam 3"))
    sol.book.checkpoint()
    for _ in range(2):
        mar.must(ask.MoveMoney(POT, "house", "main", 1_000, "R", Signature("ana"), Signature("carla")))
    sol.must(ask.PinNeighbour(OWNER, Side.ABOVE, key_of("otra vez"), **TWO))
    sol.must(ask.SeeLink(OWNER, up=True))
    found.links.append((CASINO, OWNER))
    found.settle()
    for node in found.all.values():
        node.book.checkpoint()
    return found
