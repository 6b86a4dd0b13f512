"""An evening of three nodes that share one pot: `mar` owns it and has a table, `sol` is another casino with a table and a box
below it, `caja`. Every kind of letter is told, every kind of fact of a shared pot is made."""

import typing
from collections.abc import Sequence

from controller.core import inputs as ask
from controller.core.facts import Fact, NeighbourPinned, Refused
from controller.core.links.advances import bound
from controller.core.links.letters import BetsSealed, PassOver
from controller.core.links.names import is_away
from controller.core.values import Hand, SealedBet, Side, Signature
from support.laws import naming
from support.links.nodes import TWO, Node, Nodes, key_of
from support.links.stream import Stream
from support.record.verify_history import COLOR, OTHER_STRAIGHT_FLUSH, POKER, ROYAL, STRAIGHT_FLUSH, plan, ruleset

_EVERY = [str(kind.__struct_config__.tag) for kind in typing.get_args(Fact)]
OF_LINKS = frozenset(_EVERY[_EVERY.index(str(NeighbourPinned.__struct_config__.tag)) :])
"""The kinds of facts that only nodes with neighbours make."""

BOOT = "2f1c0d3e-0000-4000-8000-000000000000"
STRANGER = "luna"
POT, OWN_POT = "pozo-del-mar", "pozo-del-sol"
OWNER, CASINO, BOX, SECOND = "mar", "sol", "caja", "rey"
TABLES = (("DP-01", "mar", "draw", ""), ("DP-01", "sol", "draw", "sol"), ("CP-01", "sol", "caribbean_plus", "caja@sol"))
AT = {OWNER: "DP-01", CASINO: "DP-01", BOX: "CP-01", SECOND: "DP-01"}
"""Each node's own table."""

PRIZES = """
[awards]
two_persons_above = 60000

[[complementary]]
name = "Jugador Afortunado"
amount = 15000
drawn = "seat"
paid_in = "cash"
from = "main"
one_in = 3

[[complementary]]
name = "Carta Mágica"
amount = 15000
drawn = "card"
paid_in = "cash"
from = "reserva0"
one_in = 2
"""


def shared_plan(
    resolution: str = "Res. 300",
    extra: str = "",
    tables: Sequence[tuple[str, str, str, str]] = TABLES,
    pot: str = POT,
    base: int = 5_000_000,
    ceiling: int = 400_000_000,
    **numbers: int,
) -> str:
    """A plan of a pot that nodes share; its tables are (name, casino, game, the way to its node)."""
    head = plan("pozo-estelar", resolution, "", base=base, ceiling=ceiling, **numbers).partition("[[tables]]")[0]
    title = pot.replace("-", " ").title().replace("Del", "del")
    head = head.replace('name = "pozo-estelar"', f'name = "{pot}"').replace('"Pozo Estelar"', f'"{title}"')
    head = head.replace("commission_ppm", 'registration = "Reg. 7"\ncommission_ppm', 1)
    rows = "".join(
        f'[[tables]]\nname = "{name}"\ncasino = "{casino}"\nmodality = "{game}"\nmin_bet = 1000\nmax_bet = 5000\n'
        + (f'node = "{node}"\n' if node else "")
        for name, casino, game, node in tables
    )
    return head + rows + extra


def linked() -> Nodes:
    """Three nodes with their people, who know each other."""
    nodes = Nodes(OWNER, CASINO, BOX)
    nodes.people()
    nodes.link(CASINO, OWNER)
    nodes.link(BOX, CASINO, inside=True)
    return nodes


def in_force(nodes: Nodes, extra: str = "", base: int = 5_000_000, ceiling: int = 400_000_000) -> None:
    """The plan is staged by the owner, everybody is ready, and it holds."""
    law = naming(ruleset(), "Carta Mágica") if "Carta" in extra else ruleset()
    nodes[OWNER].stage(shared_plan(extra=extra, base=base, ceiling=ceiling), law)
    nodes.settle()
    for node in nodes.all.values():
        if node.state.day is None:
            node.open_day()
    assert all(POT in node.state.pots for node in nodes.all.values())


def sealed(node: Node, *seats: int) -> int:
    """A pass in which each of these seats bets as many credits as its number; the number of the pass."""
    table = AT[node.name]
    node.must(ask.OpenPass(table, Signature("eva")))
    for seat in seats:
        node.bet(table, seat, min(seat, 5))
    node.commit()
    node.lock(table)
    node.draws(table)
    return node.state.tables[table].number


def without_prize(node: Node, *seats: int) -> int:
    """A sealed pass in which no complementary prize fell."""
    number = sealed(node, *seats)
    of_pass = (AT[node.name], number)
    if all((claim.table, claim.number) != of_pass for claim in node.state.claims.values()):
        return number
    close(node)
    return without_prize(node, *seats)


def show_cards(node: Node) -> None:
    """R-29: the first seat that bet has every card that was drawn."""
    table = node.state.tables[AT[node.name]]
    for prize in list(table.cards):
        node.must(ask.ShowCard(table.name, prize, table.bets[0].seat, Signature("eva")))


def close(node: Node) -> None:
    table = AT[node.name]
    node.must(ask.ClosePass(table, Signature("eva")))
    node.give_back(table)


def won(node: Node, *hands: Hand) -> str:
    """What was won in the sealed pass; the claim's name."""
    table = AT[node.name]
    node.claim(table, hands)
    return f"{table}/{node.state.tables[table].number}/1"


def played() -> Nodes:
    """The whole of it, and every record signed at its end."""
    nodes = linked()
    for node in nodes.all.values():
        node.book.start(BOOT, node.now)
    for link in nodes.links:
        nodes.see(*link, up=True)
    in_force(nodes, extra=PRIZES, base=700_000, ceiling=900_000)
    for _ in range(3):
        for node in nodes.all.values():
            sealed(node, 1, 2, 3)
            show_cards(node)
            close(node)
        nodes.settle()
    claims(nodes)
    voids(nodes)
    corrections(nodes)
    advances(nodes)
    cut_off(nodes)
    strangers(nodes)
    another_plan(nodes)
    left_out(nodes)
    leaves(nodes)
    for node in nodes.all.values():
        node.book.checkpoint()
    return nodes


def claims(nodes: Nodes) -> None:
    """Two casinos win the same pot; what is certain is paid before the owner has heard of it."""
    mar, sol, caja = (nodes[name] for name in (OWNER, CASINO, BOX))
    sealed(caja, 1, 2, 3, 4)
    of_box = won(caja, Hand(1, cards=COLOR), Hand(2, cards=POKER), Hand(3, cards=STRAIGHT_FLUSH))
    caja.must(ask.ConfirmAward(f"{of_box}/1", Signature("carla"), Signature("ana")))
    caja.must(ask.PayAward(f"{of_box}/1", Signature("eva")))
    sealed(sol, 1, 2, 3)
    of_casino = won(sol, Hand(1, cards=POKER), Hand(2, cards=ROYAL))
    sealed(mar, 1, 2, 3)
    of_owner = won(mar, Hand(3, cards=OTHER_STRAIGHT_FLUSH))
    sol.now += 31 * 60_000
    sol.must(ask.LookAtClock())
    advance(sol, f"{of_casino}/2")
    nodes.settle()
    for node, claim in ((caja, of_box), (sol, of_casino), (mar, of_owner)):
        close(node)
        left = [name for name, award in node.state.claims[claim].awards.items() if award.pending]
        if node is caja:
            by, second = Signature("carla"), Signature("ana")
            node.must(ask.SetAside(left[0], "se fue", Signature("eva"), by))
            assert second.person
        node.pay_all(claim)
    nodes.settle()
    sealed(sol, 1, 2)
    won(sol, Hand(1, acts=("folded",)))
    nodes.settle()
    close(sol)


def advances(nodes: Nodes) -> None:
    """R-20: a winner of the box has part of it before the owner has heard of him; he is paid the rest."""
    caja = nodes[BOX]
    sealed(caja, 1, 2)
    show_cards(caja)
    claim = won(caja, Hand(2, cards=STRAIGHT_FLUSH))
    advance(caja, f"{claim}/1")
    advance(caja, f"{claim}/1")
    nodes.settle()
    close(caja)
    caja.pay_all(claim)
    nodes.settle()


def advance(node: Node, award: str) -> None:
    """Half of what may still be advanced."""
    amount = bound(node.state, node.state.claims[award.rpartition("/")[0]], award).left // 2
    node.must(ask.AdvanceAward(award, amount, "cable cortado", Signature("carla"), Signature("ana")))


def voids(nodes: Nodes) -> None:
    sol, caja = nodes[CASINO], nodes[BOX]
    without_prize(caja, 1, 2)
    caja.must(ask.VoidHand(AT[BOX], 1, "carta vista", Signature("eva")))
    without_prize(sol, 1, 2)
    sol.must(ask.VoidPass(AT[CASINO], "mazo incompleto", Signature("eva")))
    nodes.settle()
    close(caja)
    by, second = Signature("ana"), Signature("carla")
    nodes[OWNER].must(ask.MoveMoney(POT, "house", "reserva0", 5_000, "Res. 301", by, second))
    nodes.settle()


def corrections(nodes: Nodes) -> None:
    """R-34, R-35: a winner at the box who was not seen; a claim of the casino that was false; a correction that cannot be."""
    sol, caja = nodes[CASINO], nodes[BOX]
    by, second = Signature("carla"), Signature("dario")
    without_prize(caja, 1, 2)
    won(caja, Hand(1, cards=COLOR))
    number = caja.state.tables[AT[BOX]].number
    nodes.settle()
    close(caja)
    without_prize(sol, 1, 2)
    false = won(sol, Hand(1, cards=STRAIGHT_FLUSH))
    nodes.settle()
    close(sol)
    both = (Hand(1, cards=COLOR), Hand(2, cards=POKER))
    caja.must(ask.CorrectClaim(AT[BOX], number, both, "cámara", by, second, (), "cam 3"))
    nodes.settle()
    sol.must(ask.RejectClaim(false, "era otra mano", by, second))
    nodes.settle()


def cut_off(nodes: Nodes) -> None:
    """Ten minutes without the owner: the tables play; forty: none opens until he is back."""
    sol = nodes[CASINO]
    nodes.see(CASINO, OWNER, up=False)
    nodes.tick(10 * 60_000)
    sealed(sol, 2, 4)
    close(sol)
    nodes.tick(40 * 60_000)
    assert isinstance(sol.ask(ask.OpenPass(AT[CASINO], Signature("eva")))[0], Refused)
    nodes.see(CASINO, OWNER, up=True)
    for node in (sol, nodes[BOX]):  # and once more, silent behind a link that stands
        node.must(ask.SeeOwner(POT, up=False))
    nodes.tick(40 * 60_000)
    for node in (sol, nodes[BOX]):
        assert isinstance(node.ask(ask.OpenPass(AT[node.name], Signature("eva")))[0], Refused)
        node.must(ask.SeeOwner(POT, up=True))
        sealed(node, 5)
        close(node)
    nodes.settle()


def strangers(nodes: Nodes) -> None:
    """A neighbour who says what cannot be: it stands apart; who does not follow what he said is stopped; then his key is
    revoked."""
    mar, sol = nodes[OWNER], nodes[CASINO]
    for node in (mar, sol):
        node.must(ask.PinNeighbour(STRANGER, Side.BELOW, key_of(STRANGER), **TWO))
        stream = Stream(STRANGER, f"to:{node.name}")
        bet = SealedBet(1, 3_000, 600, 0)
        sealed_bets = BetsSealed(POT, "XX-01", 1, "luna", (bet,), "ab" * 32, "cd" * 32)
        node.hear(stream.next(sealed_bets))
        node.hear(stream.next(PassOver(POT, "XX-01", 1, reviewed=True)))
        node.must(ask.EndDispute(STRANGER, 1, accepted=node is mar, reason="visto", **TWO))
        node.hear(stream.next(number=9))
        (mark,) = (stopped.said for stopped in node.state.neighbours[STRANGER].stopped.values())
        node.must(ask.AcceptNeighbour(STRANGER, stream.name, mark, "se vio", **TWO))
        node.must(ask.RevokeNeighbour(STRANGER, "no es de la casa", **TWO))
    nodes.settle()


def another_plan(nodes: Nodes) -> None:
    """Offered and taken back; then offered, and in force when all are ready."""
    mar = nodes[OWNER]
    nodes.settle()
    for node in nodes.all.values():
        for claim, one in list(node.state.claims.items()):
            if not is_away(one.table):
                node.pay_all(claim)
        node.empty(AT[node.name])
    mar.stage(shared_plan("Res. 302", base=700_000, ceiling=950_000), ruleset())
    nodes.carry(OWNER, CASINO)
    mar.must(ask.WithdrawPlan(POT, Signature("ana")))
    nodes.settle()
    mar.stage(shared_plan("Res. 303", base=700_000, ceiling=990_000), ruleset())
    nodes.settle()
    assert all(node.state.pots[POT].documents.plan.count("Res. 303") for node in nodes.all.values())
    for node in nodes.all.values():
        sealed(node, 1)
        close(node)
    nodes.settle()


def left_out(nodes: Nodes) -> None:
    """R-26, R-28: a casino that cannot be reached is left out of a plan, and plays on under the old one: when it is heard again its
    pass is in dispute. What it had won is left with it; its money is taken after all, the second time."""
    mar, sol = nodes[OWNER], nodes[CASINO]
    for accepted in (False, True):
        mar.stage(shared_plan(f"Res. 304-{accepted}", base=700_000, ceiling=990_000), ruleset())
        mar.must(ask.RevokeNeighbour(CASINO, "no se le alcanza", **TWO))
        number = without_prize(sol, 1, 2)
        close(sol)
        mar.must(ask.PinNeighbour(CASINO, Side.BELOW, key_of(f"{CASINO} {accepted}"), **TWO))
        mar.must(ask.SeeLink(CASINO, up=True))
        nodes.settle()
        disputes = [one for one in mar.state.disputes.values() if one.neighbour == CASINO]
        assert number and disputes[0].amount > 0
        for one in disputes:
            mar.must(ask.EndDispute(CASINO, one.number, accepted=accepted, reason="se vio", **TWO))
        mar.stage(shared_plan(f"Res. 305-{accepted}", base=700_000, ceiling=990_000), ruleset())
        nodes.settle()


def leaves(nodes: Nodes) -> None:
    """R-28: the casino leaves the pot for good, with its box: its share goes into a pot of its own, which plays on."""
    mar, sol = nodes[OWNER], nodes[CASINO]
    for node in nodes.all.values():
        for claim, one in list(node.state.claims.items()):
            if not is_away(one.table):
                node.pay_all(claim)
        node.empty(AT[node.name])
    nodes.settle()
    mar.stage(shared_plan("Res. 306", base=700_000, ceiling=990_000, tables=TABLES[:1]), ruleset())
    nodes.settle()
    by, second = Signature("ana"), Signature("carla")
    mar.must(ask.MoveMoney(POT, "main", f"share:{CASINO}", 6_000, "Res. 307", by, second))
    nodes.settle()
    sol.stage(
        shared_plan("Res. 308", base=0, tables=TABLES[:1], pot=OWN_POT).replace('casino = "mar"', 'casino = "sol"'),
        ruleset(),
    )
    sol.must(ask.MoveMoney(OWN_POT, f"share:{POT}", "main", 5_000, "Res. 309", by, second))
    sealed(sol, 1)
    close(sol)
    nodes.settle()
