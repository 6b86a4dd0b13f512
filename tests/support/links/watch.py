"""What must hold at every step of nodes that share pots (R-18 to R-28), counted here by itself from what each record gained.

Of each record: every fact's postings add up to nothing, the balances are their sums, no part of a pot is below nothing, and
the record only grows. Between two: what is heard is a beginning of what was told, nothing is acknowledged that its reader
does not have, and at equal marks what stands between them is the same with the other sign. Of the game: a pass is sealed
once, above as it was below, and under the plan in force; a number of a pot's log has one plan; one carry for each casino;
an award is paid once, as much as was granted, and a percentage only as the owner of its pot decided it, or by its own
house where two persons above left it; nobody opens a pass whose owner is silent for too long. And where nobody was put back
or left out, nobody is stopped or disbelieved.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.core import facts as said
from controller.core.facts import Entry
from controller.core.invariants import difference
from controller.core.links.letters import PlanInForce, hash_of
from controller.core.links.names import is_away, neighbour_of, there
from controller.core.state import plan_hash, plan_of
from controller.core.values import Documents, Mark
from controller.rules.money import PPM
from support.links.kept import Kept
from support.links.nodes import Node

_entry = msgspec.json.Decoder(Entry)
_MINUTE = 60_000
START = Mark(0, 0, "")


class Seen:
    """What one record has said so far."""

    def __init__(self) -> None:
        self.rows, self.postings, self.hash = 0, 0, b""
        self.balances: Counter[str] = Counter()
        self.told: dict[str, list[Mark]] = defaultdict(lambda: [START])
        self.plans: dict[str, list[str]] = defaultdict(lambda: [""])
        """By pot: the plan in force at each number of its log."""
        self.heard: dict[tuple[str, str], Mark] = {}
        self.sealed: dict[tuple[str, int], said.PassSealed] = {}
        self.granted: dict[str, int] = {}
        self.waited: set[str] = set()
        self.left: set[str] = set()
        """Claims that a node above left to the house of their table."""
        self.let_go: set[str] = set()
        """Claims from below that two persons left there."""
        self.paid: set[str] = set()
        self.cancelled: set[str] = set()
        self.owed_ppm: Counter[tuple[str, str]] = Counter()
        self.taken: Counter[tuple[str, str]] = Counter()
        self.silent: dict[str, int | None] = {}
        """Since when each neighbour is not heard; None: its link stands."""
        self.last_at = 0


class Watch:
    def __init__(self, nodes: Mapping[str, Node]) -> None:
        self.nodes = nodes
        self.may_stop = self.may_dispute = False
        """Whether somebody was put back or left out, so that two persons have something to look at."""
        self.doubled: set[str] = set()
        """Nodes of which a second copy runs: it may hear what became of claims that the other one made."""
        self.doubted: set[str] = set()
        """Nodes whose record lost what others had heard: that may stand in no record any more."""
        self.lives: dict[str, list[Seen]] = defaultdict(list)
        """Of records that were put back, what they had said."""
        self.seen = {name: Seen() for name in nodes}

    def put_back(self, name: str) -> None:
        """Its record is another one now: what it says is read from the beginning."""
        self.lives[name].append(self.seen[name])
        self.seen[name] = Seen()

    def told_in(self, node: Node, kept: Kept) -> Mapping[str, list[Mark]]:
        """What a copy of its record has told."""
        seen = Seen()
        for row in kept.all_facts:
            if row.kind == "letter_told":
                self._told(node, seen, _entry.decode(row.body).fact)
        return seen.told

    def look(self, name: str) -> None:
        """After a commit of this node."""
        node, seen = self.nodes[name], self.seen[name]
        rows = node.kept.all_facts
        assert len(rows) >= seen.rows, f"{name}: the record is shorter than it was"
        assert not seen.rows or rows[seen.rows - 1].hash == seen.hash, f"{name}: the record was written anew"
        self._postings(node, seen)
        for row in rows[seen.rows :]:
            self._fact(node, seen, row.at, _entry.decode(row.body).fact)
            seen.last_at = row.at
        seen.rows, seen.hash = len(rows), rows[-1].hash
        assert not (wrong := difference(node.state, node.book.balances)), f"{name}: {wrong}"
        self._between(node)
        self._plans(node, seen)
        self._carries(node, seen)

    def _postings(self, node: Node, seen: Seen) -> None:
        sums: Counter[int] = Counter()
        for row in node.kept.all_postings[seen.postings :]:
            sums[row.fact] += row.amount
            seen.balances[row.account] += row.amount
        seen.postings = len(node.kept.all_postings)
        assert not any(sums.values()), f"{node.name}: a fact whose lines do not add up"
        booked = {account: amount for account, amount in node.book.balances.items() if amount}
        assert booked == {account: amount for account, amount in seen.balances.items() if amount}, node.name
        for account, amount in booked.items():
            if account.startswith("pot:") and ":~" not in account:
                owner = node.state.pots[account.split(":")[1]]
                assert amount > 0 and not owner.above, f"{node.name}: {account} {amount}"

    # One fact

    def _fact(self, node: Node, seen: Seen, at: int, fact: Any) -> None:
        part = _OF.get(type(fact))
        if part is not None:
            part(self, node, seen, fact)
        elif isinstance(fact, said.PassOpened):
            self._opened(node, seen, at, fact)
        elif isinstance(fact, said.NeighbourRevoked):
            if seen.silent.get(fact.neighbour, 0) is None:
                seen.silent[fact.neighbour] = at
        else:
            _granted(seen, fact)

    def _accepted(self, node: Node, seen: Seen, fact: said.NeighbourAccepted) -> None:
        """Of a stream of theirs they go on from there; of ours they have so much."""
        if fact.stream.startswith("to:") is is_below(node, fact.neighbour):
            seen.heard[fact.neighbour, fact.stream] = fact.mark
        elif (more := fact.mark.number - seen.told[fact.stream][-1].number) > 0:
            seen.told[fact.stream] += [replace(fact.mark, epoch=node.state.epoch)] * more
            self.doubted.add(node.name)  # two persons have said so: its reader has what this record has not
            self.may_dispute = True

    def _stopped(self, node: Node, _seen: Seen, fact: said.NeighbourStopped) -> None:
        assert self.may_stop, f"{node.name}: {fact}"

    def _disputed(self, node: Node, _seen: Seen, fact: said.LetterDisputed) -> None:
        expected = self.may_dispute or fact.neighbour not in self.nodes or node.name in self.doubled
        assert expected, f"{node.name}: {fact}"

    def _link(self, _node: Node, seen: Seen, fact: said.LinkSeen) -> None:
        seen.silent[fact.neighbour] = None if fact.up else fact.since

    def _started(self, _node: Node, seen: Seen, _fact: said.NodeStarted) -> None:
        for neighbour, since in seen.silent.items():
            seen.silent[neighbour] = seen.last_at if since is None else since

    def _voided(self, node: Node, seen: Seen, fact: said.HandsVoided) -> None:
        if fact.sealed:
            self._commission(node, seen, fact.pot, fact.casino, fact.undone)

    def _told(self, node: Node, seen: Seen, fact: Any) -> None:
        last = seen.told[fact.stream][-1]
        assert (fact.number, fact.previous) == (last.number + 1, last.hash), f"{node.name}: letters without a gap"
        reader = self.seen.get(fact.stream.removeprefix("to:"))
        has = START if reader is None else reader.heard.get((node.name, fact.stream), START)
        again = fact.epoch > has.epoch and fact.number <= has.number
        assert not again, f"{node.name} tells {fact.stream} {fact.number} anew after a restore, and it was heard"
        mark = Mark(fact.epoch, fact.number, "")
        hash_ = hash_of(node.name, fact.stream, fact.version, mark, fact.previous, fact.letter)
        seen.told[fact.stream].append(Mark(fact.epoch, fact.number, hash_))
        if fact.stream.startswith("pot:"):
            plans, letter = seen.plans[fact.letter.pot], fact.letter
            plans += [plans[-1]] * (fact.number - len(plans))
            if isinstance(letter, PlanInForce):
                plans.append(plan_hash(Documents(letter.plan, letter.ruleset)))
            else:
                plans.append(plans[-1])

    def _heard(self, node: Node, seen: Seen, fact: said.LetterHeard) -> None:
        before = seen.heard.get((fact.neighbour, fact.stream), START)
        assert fact.mark.number == before.number + 1, f"{node.name}: {fact.stream} {fact.mark.number} twice or late"
        seen.heard[fact.neighbour, fact.stream] = fact.mark
        if fact.neighbour in self.seen:
            self._is_told(node.name, fact.neighbour, fact.stream, fact.mark)

    def _is_told(self, reader: str, writer: str, stream: str, mark: Mark) -> None:
        """What a reader has is word for word what the writer told, in this life or in one that was put back."""
        lives = [seen.told[stream] for seen in (self.seen[writer], *self.lives[writer])]
        found = any(mark.number < len(told) and told[mark.number] == mark for told in lives)
        assert found, f"{reader} heard what {writer} did not tell"

    def _acknowledged(self, node: Node, _seen: Seen, fact: said.LetterAcknowledged) -> None:
        if fact.neighbour in self.seen and not {fact.neighbour, node.name} & self.doubted:
            before = (life.heard.get((node.name, fact.stream), START) for life in self.lives[fact.neighbour])
            has = self.nodes[fact.neighbour].state.heard.get(f"{node.name}/{fact.stream}", START)
            most = max(one.number for one in (has, *before))
            assert most >= fact.mark.number, f"{fact.neighbour} does not have what it acknowledged to {node.name}"

    def _opened(self, node: Node, seen: Seen, at: int, fact: said.PassOpened) -> None:
        """R-28: by when its owner was heard last, and the plan."""
        table = node.state.tables.get(fact.table)
        pot = node.state.pots.get(table.pot) if table is not None else None
        if pot is not None and pot.above:
            since = seen.silent.get(pot.above, 0)
            most = plan_of(pot.documents).max_offline * _MINUTE
            silent = 0 if since is None else at - since
            assert since is None or silent < most, (
                f"{node.name}: a pass opened after {silent // _MINUTE} min of silence"
            )

    def _sealed(self, node: Node, seen: Seen, fact: said.PassSealed) -> None:
        place = fact.table, fact.number
        assert place not in seen.sealed, f"{node.name}: pass {place} sealed twice"
        seen.sealed[place] = fact
        self._commission(node, seen, fact.pot, fact.casino, fact.bets)
        if is_away(fact.table):
            below = neighbour_of(fact.table)
            lives = (self.seen[below], *self.lives[below])
            played = [life.sealed.get((there(fact.table, below) or "", fact.number)) for life in lives]
            own = [[(bet.seat, bet.amount) for bet in one.bets] for one in played if one is not None]
            here = [(bet.seat, bet.amount) for bet in fact.bets]
            assert here in own, f"{node.name}: pass {place} as it was never played"

    def _commission(self, node: Node, seen: Seen, pot: str, casino: str, bets: Any) -> None:
        """R-23: what is owed of everything wagered, in millionths, and what was taken, where it is taken."""
        known = node.state.pots[pot]
        if known.above and node.state.neighbours[known.above].inside:
            assert not any(bet.commission for bet in bets), f"{node.name}: commission is taken by its casino's node"
            return
        seen.owed_ppm[pot, casino] += sum(bet.amount for bet in bets) * plan_of(known.documents).shares.commission
        seen.taken[pot, casino] += sum(bet.commission for bet in bets)

    def _paid(self, node: Node, seen: Seen, fact: said.AwardPaid) -> None:
        """R-20, R-21: once, as much as was granted; of a far pot as its owner decided."""
        award = fact.award
        assert award not in seen.paid, f"{node.name}: {award} paid twice"
        assert award not in seen.cancelled, f"{node.name}: {award} was cancelled, and paid"
        assert seen.granted.get(award) == fact.amount, f"{node.name}: {award} paid {fact.amount}, without a decision"
        seen.paid.add(award)
        if award in seen.waited and not self.doubted:
            self._is_decided(node, award, fact)

    def _is_decided(self, node: Node, award: str, fact: said.AwardPaid) -> None:
        """A percentage is what the node that owns the pot has in its record; but what two persons above did not take."""
        left = award.rpartition("/")[0] in self.seen[node.name].left
        while above := node.state.pots[fact.pot].above:
            if above not in self.nodes:
                return
            table, slash, rest = award.partition("/")
            award = f"{table}@{node.name}{slash}{rest}"
            node = self.nodes[above]
            if left and award.rpartition("/")[0] in self.seen[node.name].let_go:
                return
        assert not left, f"{award} was left to its house by nobody"
        assert self.seen[node.name].granted.get(award) == fact.amount, f"{award} was never decided by {node.name}"

    # Between nodes

    def _between(self, node: Node) -> None:
        """R-28: at equal marks what stands between two is the same with the other sign."""
        for name, one in node.state.neighbours.items():
            if name not in self.nodes or {name, node.name} & self.doubted:
                continue
            below, above = (node, self.nodes[name]) if one.side == "above" else (self.nodes[name], node)
            up = _at(below.state.told, f"to:{above.name}") == _at(above.state.heard, f"{below.name}/to:{above.name}")
            for pot in below.state.pots if up else ():
                log = f"pot:{pot}"
                if _at(above.state.told, log) == _at(below.state.heard, f"{above.name}/{log}"):
                    mine = below.book.balances.get(f"clearing:{pot}:{above.name}", 0)
                    theirs = above.book.balances.get(f"clearing:{pot}:{below.name}", 0)
                    assert mine == -theirs, f"{pot}: {below.name} {mine}, {above.name} {theirs}"

    def _plans(self, node: Node, seen: Seen) -> None:
        """R-26: one plan at one number of a pot's log."""
        for pot in node.state.pots.values() if not self.may_dispute else ():
            if pot.above in self.nodes:
                number = _at(node.state.heard, f"{pot.above}/pot:{pot.name}").number
                there = self.seen[pot.above].plans[pot.name]
                assert number < len(there), f"{node.name} is ahead of {pot.above}"
                assert there[number] == plan_hash(pot.documents), f"{pot.name}: two plans at number {number}"

    def _carries(self, node: Node, seen: Seen) -> None:
        """R-23: never more or less than one unit away from exact, and the carry knows by how much."""
        if node.name in self.doubted:
            return
        for (pot, casino), owed in seen.owed_ppm.items():
            carry = node.state.pots[pot].commission_carries.get(casino, 0)
            assert 0 <= carry < PPM, "a proper fraction"
            assert seen.taken[pot, casino] * PPM + carry == owed, f"{node.name}: the commission of {casino} in {pot}"


def is_below(node: Node, neighbour: str) -> bool:
    return node.state.neighbours[neighbour].side == "below"


def _at(marks: Mapping[str, Mark], place: str) -> Mark:
    return marks.get(place, START)


def _granted(seen: Seen, fact: Any) -> None:
    """What is owed from here on, and what is not any more."""
    match fact:
        case said.ClaimRegistered():
            seen.granted |= {f"{fact.claim}/{one.number}": one.amount for one in fact.awards}
        case said.ClaimAsked():
            certain = [one for one in fact.awards if one.number not in fact.waiting]
            seen.granted |= {f"{fact.claim}/{one.number}": one.amount for one in certain}
        case said.ClaimDecided():
            seen.granted |= {f"{fact.claim}/{one.number}": one.amount for one in fact.awards}
            seen.waited |= {f"{fact.claim}/{number}" for number in fact.waited}
            if fact.left:
                seen.left.add(fact.claim)
                borne = all(one.house == one.amount for one in fact.awards if one.number in fact.waited)
                assert borne, f"{fact.claim}: what the owner left is taken out of his pot"
        case said.DisputeEnded() if fact.claim and not fact.accepted:
            seen.let_go.add(fact.claim)
        case said.ClaimCorrected():
            seen.granted |= {f"{fact.claim}/{one.number}": one.amount for one in fact.awards}
            for again in fact.resettled:
                seen.granted |= {f"{again.claim}/{one.number}": one.amount for one in again.awards}
            seen.cancelled |= {*fact.cancelled}
            assert not seen.paid & {*fact.cancelled}, "what was paid is cancelled"
        case said.PrizeGranted():
            seen.granted[f"{fact.claim}/1"] = fact.amount


_OF: dict[type, Callable[[Watch, Node, Seen, Any], None]] = {
    said.LetterTold: Watch._told,
    said.LetterHeard: Watch._heard,
    said.LetterAcknowledged: Watch._acknowledged,
    said.NeighbourAccepted: Watch._accepted,
    said.NeighbourStopped: Watch._stopped,
    said.LetterDisputed: Watch._disputed,
    said.LinkSeen: Watch._link,
    said.NodeStarted: Watch._started,
    said.PassSealed: Watch._sealed,
    said.HandsVoided: Watch._voided,
    said.AwardPaid: Watch._paid,
}
