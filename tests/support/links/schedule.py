"""A seeded evening of four nodes over a hostile network, with everything that may happen to them, and then calm (R-18 to R-28).

`mar` owns a pot that its own table feeds, with the casinos `sol` and `rey`, and `caja`, a box of `sol`. `sol` owns a second
pot of a table of its own and one of `caja`. Tables of three casinos have one name. Which faults there are is drawn too, so
that no fault hides another one.
"""

import random
from collections import Counter
from unittest.mock import patch

from controller.core import inputs as ask
from controller.core.facts import PlanProposed, PlanTookEffect
from controller.core.links.letters import VERSION, PlanInForce, PlanOffered, PotMoved
from controller.core.links.names import is_away
from controller.core.links.neighbours import START
from controller.core.values import Levels, Phase, Side, Signature
from controller.node.book.book import Book
from controller.node.link import held as held_letters
from controller.verify.links import letters
from controller.verify.links.across import compare, side_of
from drivers.session import SECOND as A_SECOND
from support.laws import as_own, naming
from support.links.evening import BOX, CASINO, OWNER, PRIZES, SECOND, shared_plan
from support.links.histories import ANA, CARLA, Acts, History
from support.links.kept import as_store
from support.links.live import LiveNode, MortalStore
from support.links.nodes import TWO, Node, Nodes, key_of
from support.links.stream import Stream
from support.links.watch import Watch
from support.links.world import World
from support.record.verify_history import ruleset
from support.record.verifying import verify

SEA, SUN = "pozo-del-mar", "pozo-del-sol"
STRANGER = "luna"
OWNERS = {SEA: OWNER, SUN: CASINO}
PLACES = {
    SEA: (
        ("DP-01", "mar", "draw", ""), ("DP-01", "sol", "draw", "sol"), ("CP-01", "sol", "caribbean_plus", "caja@sol"),
        ("DP-01", "rey", "draw", "rey"), ("DP-03", "rey", "draw", "rey"),
    ),
    SUN: (("DP-02", "sol", "draw", ""), ("CP-02", "sol", "caribbean_plus", "caja")),
}  # fmt: skip
PATIENT = 600 * A_SECOND
READINGS: tuple[dict[str, str], ...] = (
    {}, {}, {"void_undoes": "nothing"}, {"base_from": "house", "shortfall_from": "house"},
    {"cap": "category", "odd_units": "one_each"}, {"real_after_cap": "uncut"}, {"late_from": "house"},
)  # fmt: skip


class Schedule(History):
    longest = 20_000
    tables = {OWNER: ("DP-01",), CASINO: ("DP-01", "DP-02"), BOX: ("CP-01", "CP-02"), SECOND: ("DP-01", "DP-03")}

    def __init__(self, seed: int) -> None:
        drawn = random.Random(seed)
        self.commission = drawn.choice((200_000, 123_457, 99_999))
        self.base = drawn.choice((0, 20_000, 700_000))
        self.loses, self.dies, self.cuts = (drawn.random() < 0.7 for _ in range(3))
        self.trouble: Counter[str] = Counter()
        """What happened beyond the ordinary."""
        self.troubles = drawn.choice(
            (
                set(),
                set(),
                {"revoke"},
                {"upgrade"},
                {"usurper"},
                {"restore"},
                {"fork"},
                {"lose"},
                {"burn"},
                {"burn", "fill"},
            )
        )
        slow = "fill" in self.troubles or drawn.random() < 0.3
        self.patience = held_letters.PATIENCE if slow else PATIENT
        """With a mirror: everybody gets his turn late here, so with the product's own it is nearly always in trouble."""
        self.loses &= "burn" not in self.troubles
        self.copies: dict[str, tuple[MortalStore, int]] = {}
        """Of each node a backup, and the day on which it was made."""
        self.pinned, self.forked = 0, set[str]()
        super().__init__(seed, **drawn.choice(READINGS))

    @property
    def world(self) -> World:
        assert isinstance(self.nodes, World)
        return self.nodes

    @property
    def watch(self) -> Watch:
        return self.world.watch

    def linked(self) -> Nodes:
        world = World(OWNER, CASINO, BOX, SECOND, chance=self.chance)
        world.people()
        world.link(CASINO, OWNER)
        world.link(BOX, CASINO, inside=True)
        world.link(SECOND, OWNER)
        return world

    def begin(self) -> None:
        for pot in OWNERS:
            assert self.offer(pot)
            self.world.settle()

    def offer(self, pot: str) -> bool:
        self.resolution += 1
        ceiling = self.chance.choice((900_000, 950_000, 5_000_000))
        text = shared_plan(
            f"Res. {self.resolution}", PRIZES, PLACES[pot], pot,
            base=self.base, ceiling=ceiling, commission_ppm=self.commission,
        )  # fmt: skip
        law = naming(ruleset(**self.readings), "Carta Mágica")
        return self.ask(self.nodes[OWNERS[pot]], ask.StagePlan(*as_own(text, law), ANA, CARLA))

    def acts(self) -> Acts:
        """Of a hundred, four in ten are the network's."""
        troubles = {
            "revoke": self.revoke, "upgrade": self.upgrade, "usurper": self.usurp, "restore": self.restore, "fork": self.fork, "lose": self.lose,
            "burn": self.burn, "fill": self.fill,
        }  # fmt: skip
        return (
            (16, self.play), (10, self.win), (8, self.close), (3, self.void), (4, self.correct), (8, self.pay), (2, self.show), (40, self.carry),
            (1, self.cut), (1, self.look), (1, self.put_in), (1, self.plan), (1, self.restart), (1, self.day), (2, self.two_persons),
            (4, self.backup), (4, self.advance), *((3, troubles[name]) for name in self.troubles),
        )  # fmt: skip

    def run(self, steps: int) -> None:
        for wire in self.world.wires.values():
            wire.faults = self.loses
        with patch.object(held_letters, "PATIENCE", self.patience):
            self.go(steps)
        self.rest()

    def carry(self, node: Node) -> None:
        for _ in range(self.chance.randint(1, 30)):
            self._mischief()
            self.world.step()

    def _mischief(self) -> None:
        what = self.chance.random()
        wire = self.chance.choice(list(self.world.wires.values()))
        if self.dies and what < 0.005:
            self.chance.choice(self.world.live).begin()
        elif self.dies and what < 0.012:
            self.chance.choice(self.world.live).kept.dies = self.chance.choice(("before", "after"))
        elif self.cuts and what < 0.02:
            wire.cut(self.world.micros)
        elif self.cuts and what < 0.024:
            wire.deaf ^= {self.chance.choice((0, 1))}
        elif what < 0.04 and not wire.reachable:
            wire.reachable = True

    def cut(self, _node: Node) -> None:
        """Somebody pulls a cable, for minutes or hours."""
        if not self.cuts:
            return
        wire = self.chance.choice(list(self.world.wires.values()))
        wire.reachable = False
        wire.cut(self.world.micros)
        if self.chance.random() < 0.3:
            for node in self.world.live:
                node.serve()
                node.turn()
            self.nodes.tick(self.chance.randrange(60_000, 3_600_000))

    def restart(self, node: Node) -> None:
        """In order: the next life begins from a snapshot."""
        if self.dies:
            live(node).kept.dies = ""
            node.book.checkpoint()
            live(node).begin()

    def plan(self, _node: Node) -> None:
        pot = self.chance.choice(list(OWNERS))
        if pot in self.nodes[OWNERS[pot]].state.staged:
            self.ask(self.nodes[OWNERS[pot]], ask.WithdrawPlan(pot, ANA))
        else:
            self.offer(pot)

    def put_in(self, _node: Node) -> None:
        pot = self.chance.choice(list(OWNERS))
        amount = self.chance.randint(1, 9_000)
        self.ask(self.nodes[OWNERS[pot]], ask.MoveMoney(pot, "house", "reserva0", amount, "Res. 9", ANA, CARLA))

    def day(self, node: Node) -> None:
        """Closed if that can be, also when cut off, and the next one begins."""
        for table in self.tables[node.name]:
            if node.state.tables[table].phase is Phase.BETWEEN:
                node.empty(table)
        if node.day < 25 and self.ask(node, ask.CloseDay(node.seeds[node.day].hex(), CARLA)):
            node.open_day()

    # What is beyond the ordinary

    def two_persons(self, node: Node) -> None:
        """They look at what stands stopped or apart, sooner or later, and pin who was revoked."""
        for neighbour, one in list(node.state.neighbours.items()):
            if one.revoked and neighbour in self.nodes.all:
                self.pinned += 1
                self.ask(
                    node,
                    ask.PinNeighbour(
                        neighbour, one.side, key_of(f"{neighbour} {self.pinned}"), inside=one.inside, **TWO
                    ),
                )
            for stream, stopped in one.stopped.items():
                here = node.state.heard.get(f"{neighbour}/{stream}", START)
                if not self.ask(node, ask.AcceptNeighbour(neighbour, stream, stopped.said, "se miró", **TWO)):
                    self.ask(node, ask.AcceptNeighbour(neighbour, stream, here, "no era él", **TWO))
        for dispute in list(node.state.disputes.values()):
            accepted = self.chance.random() < 0.5
            of = (dispute.neighbour, dispute.number)
            if not self.ask(node, ask.EndDispute(*of, accepted=accepted, reason="se vio", pot=dispute.pot, **TWO)):
                self.ask(node, ask.EndDispute(*of, accepted=False, reason="se vio", pot=dispute.pot, **TWO))

    def revoke(self, _node: Node) -> None:
        """R-26, R-28: a casino that cannot be reached is left out of a plan, or leaves, and is pinned again later."""
        here, other = self.chance.choice(self.nodes.links)[:: self.chance.choice((1, -1))]
        self.watch.may_dispute = True
        self.trouble["revoke"] += self.ask(self.nodes[here], ask.RevokeNeighbour(other, "no se le alcanza", **TWO))

    def upgrade(self, node: Node) -> None:
        """R-28: it writes letters that the program before cannot read."""
        if live(node).program == VERSION and self.chance.random() < 0.5:
            self.watch.may_stop = True
            self.trouble["upgrade"] += 1
            live(node).program = VERSION + 1
            live(node).begin()

    def usurp(self, _node: Node) -> None:
        """Somebody with a pinned key says that a pot is his."""
        casino = self.nodes[CASINO]
        if STRANGER not in casino.state.neighbours:
            casino.must(ask.PinNeighbour(STRANGER, Side.ABOVE, key_of(STRANGER), **TWO))
            self.stranger = Stream(STRANGER, f"pot:{SEA}")
        documents = casino.state.pots[SEA].documents
        text, law = shared_plan(f"Res. {self.resolution}", PRIZES, PLACES[SEA], SEA), documents.ruleset
        after = Levels(1, 5_000_000, {"reserva0": 0})
        said = self.chance.choice((
            PlanOffered(SEA, text, law, "Res. 1", "luna/ana", "luna/bea"),
            PlanInForce(SEA, text, law, "Res. 1", "luna/ana", "luna/bea", "luna", after),
            PotMoved(SEA, after, "Res. 1", "ana", "bea"),
        ))  # fmt: skip
        facts = casino.hear(self.stranger.next(said))
        self.trouble["usurper"] += 1
        assert not any(isinstance(fact, PlanProposed | PlanTookEffect) for fact in facts), "R-28: a pot has one owner"

    def backup(self, node: Node) -> None:
        if node.name in self.forked:
            return
        self.copies[node.name] = live(node).kept.backup(), node.day

    def restore(self, node: Node) -> None:
        """From a copy that has all that any neighbour has heard of it, as one brought up to its mirror has."""
        if (copy := self._copy(node)) is not None and self._is_whole(node, copy):
            self.watch.may_stop = True
            self._put_back(node, copy)

    def lose(self, _node: Node) -> None:
        """From an old copy: what it had told since is in no record of its own any more. (Who owns a pot takes his decisions
        back, which is told elsewhere.)"""
        node = self.nodes[self.chance.choice((BOX, SECOND))]
        if (copy := self._copy(node)) is not None:
            self.watch.may_stop = self.watch.may_dispute = True
            self.watch.doubted.add(node.name)
            self.world.rewritten.add(node.name)
            self._put_back(node, copy)

    def fill(self, _node: Node) -> None:
        """The disk of the box's mirror is full, or has room again."""
        mirror = live(self.nodes[CASINO]).mirrors[BOX]
        mirror.is_full = not mirror.is_full
        self.trouble["fill"] += mirror.is_full

    def burn(self, _node: Node) -> None:
        """R-27: the box burns in the middle of it all, and is made anew from its mirror, as that stands now: nothing is
        missing that its casino's node had heard, unless an alarm said so before."""
        box, casino = live(self.nodes[BOX]), live(self.nodes[CASINO])
        mirror = casino.mirrors[BOX]
        stream = f"to:{CASINO}"
        if not mirror.rows or casino.state.neighbours[BOX].revoked:
            return
        copy = mirror.remade(MortalStore(BOX), box.kept.people())
        state = Book._started(as_store(copy), box.key).state
        if state.day != box.state.day or mirror.told(stream) < box.excused.get(CASINO, 0):
            return
        self._all_is_heard()
        heard = casino.state.heard.get(f"{BOX}/{stream}", START).number
        assert heard <= state.told.get(stream, START).number, f"{CASINO} has {heard}, which the box that burned lost"
        self.watch.may_stop = True
        self.trouble["burned"] += 1
        self._put_back(box, copy)

    def fork(self, _node: Node) -> None:
        """Somebody starts an old copy of a box, or of the second casino, as if it were the node; both play on, one at a time."""
        node = self.nodes[self.chance.choice((BOX, SECOND))]
        if (copy := self._copy(node)) is not None:
            self.watch.may_stop = self.watch.may_dispute = True  # what was decided of one's claim the other one hears
            self.world.rewritten.add(node.name)
            self.trouble["fork"] += 1
            self.forked.add(node.name)
            self.watch.doubled.add(node.name)
            self.copies[node.name] = live(node).kept, node.day
            self.watch.put_back(node.name)
            live(node).swapped(copy)

    def end_forks(self) -> None:
        """The copy that its neighbour does not know is thrown away; the other one goes on under a new epoch."""
        self._all_is_heard()
        for node in (self.nodes[name] for name in sorted(self.forked)):
            kept, _ = self.copies[node.name]
            known = next(kept for kept in (kept, live(node).kept) if self._is_known(node, kept))
            self.watch.put_back(node.name)
            live(node).restored(known)

    def _is_known(self, node: Node, kept: MortalStore) -> bool:
        told = self.watch.told_in(node, kept)
        (above,) = (one for one in self.world.live if f"{node.name}/to:{one.name}" in one.state.heard)
        mark = above.state.heard[f"{node.name}/to:{above.name}"]
        return mark in told[f"to:{above.name}"]

    def _copy(self, node: Node) -> MortalStore | None:
        kept, day = self.copies.get(node.name, (None, 0))
        return kept if kept is not None and day == node.day else None

    def _put_back(self, node: Node, copy: MortalStore) -> None:
        self.trouble["put back"] += 1
        self.copies.pop(node.name, None)
        self.watch.put_back(node.name)
        live(node).restored(copy)

    def _all_is_heard(self) -> None:
        """What came in is heard: whoever brings a copy needs minutes for it."""
        for _ in range(10):
            for one in self.world.live:
                one.serve()
                one.read_beside()
                one.turn()

    def _is_whole(self, node: Node, copy: MortalStore) -> bool:
        self._all_is_heard()
        told = Book._started(as_store(copy), node.key).state.told
        return all(
            one.state.heard.get(f"{node.name}/{stream}", START).number <= told.get(stream, START).number
            for one in self.world.live
            for stream in node.state.told
        )

    # And then calm

    def rest(self) -> None:
        self.world.kind()
        for node in self.world.live:
            node.kept.dies = ""
            while "upgrade" in self.troubles and node.program == VERSION:
                self.upgrade(node)
        self.end_forks()
        self.come_to_rest()
        for _ in range(2):
            for node in self.world.live:
                self.end_the_evening(node)
            self.come_to_rest()
        if self.watch.doubted:
            self.is_good_by_itself()
            return
        for pot in OWNERS:
            assert self.offer(pot)
            self.come_to_rest()
        self.is_at_rest()
        self.is_the_same_to_a_second_hand()
        self.is_mirrored()

    def come_to_rest(self) -> None:
        """All letters are heard, and persons have looked at whatever stood apart."""
        for _ in range(50):
            self.world.settle()
            before = sum(len(node.kept.all_facts) for node in self.world.live)
            for node in self.world.live:
                self.two_persons(node)
            if before == sum(len(node.kept.all_facts) for node in self.world.live):
                return
            for wire in self.world.wires.values():
                wire.cut(self.world.micros)
        raise AssertionError("persons have to look for ever")

    def end_the_evening(self, node: Node) -> None:
        for table in self.tables[node.name]:
            now = node.state.tables[table]
            if now.phase in {Phase.OPEN, Phase.LOCKING}:
                node.lock(table)
            if node.state.tables[table].phase is Phase.LOCKING:  # a unit was replaced in the middle of it
                node.must(ask.VoidPass(table, "se cambió un puesto", CARLA))
            if node.state.tables[table].phase is Phase.SEALED:
                node.draws(table)
                node.must(ask.ClosePass(table, Signature("eva")))
                node.give_back(table)
            node.empty(table)
        for claim, one in list(node.state.claims.items()):
            if not is_away(one.table):
                self.pay_what_is_owed(node, claim)

    def pay_what_is_owed(self, node: Node, claim: str) -> None:
        for award, held in list(node.state.claims[claim].awards.items()):
            if held.pending and not held.waits and not node.state.claims[claim].frozen:
                if not held.confirmed:
                    self.ask(node, ask.ConfirmAward(award, Signature("carla"), Signature("ana")))
                if not self.ask(node, ask.PayAward(award, Signature("eva"))):
                    node.must(ask.ConfirmAward(award, Signature("dario"), Signature("ana")))
                    node.must(ask.PayAward(award, Signature("eva")))

    def is_at_rest(self) -> None:
        """Nobody waits for anything, and all have the same plan."""
        for node in self.world.live:
            state = node.state
            waits = (state.undecided, state.awaited, state.staged, state.proposed, state.emptying, state.disputes)
            assert not any(waits), (node.name, waits)
            owed = [
                name
                for one in state.claims.values()
                for name, award in one.awards.items()
                if award.pending or award.waits
            ]
            assert not owed, (node.name, owed)
            for pot, owner in OWNERS.items():
                assert pot not in state.pots or state.pots[pot].documents == self.nodes[owner].state.pots[pot].documents
        for pot in OWNERS:
            found = self.nodes.clearing(pot)
            assert all(amount == -found[other, one] for (one, other), amount in found.items()), found

    def is_mirrored(self) -> None:
        """When its disk has room again, a mirror has what its box has."""
        mirror, box = live(self.nodes[CASINO]).mirrors[BOX], live(self.nodes[BOX])
        mirror.is_full = False
        self.world.settle_until(lambda: mirror.rows == box.kept.all_facts and not box.lacks(CASINO))

    def is_good_by_itself(self) -> None:
        newest = max(node.program for node in self.world.live)
        with patch.object(letters, "READ", range(1, newest + 1)):
            for node in self.world.live:
                node.book.checkpoint()
                verdict = verify(node.kept, None, lambda _seq: None)
                assert verdict.wrong is None, f"{node.name}: {verdict.wrong}"

    def is_the_same_to_a_second_hand(self) -> None:
        self.is_good_by_itself()
        across = compare([side_of(node.kept) for node in self.world.live])
        assert across.is_good and all(STRANGER in one for one in across.open), across


def live(node: Node) -> LiveNode:
    assert isinstance(node, LiveNode)
    return node
