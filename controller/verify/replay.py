"""A pot lived through again: what it would be now had its passes been what they are known to be (R-18 to R-24, R-34).

Theory. What an error did to a pot is the difference between two courses of the same events: one that settles every pass
as it was known to have been, one as it is known to be. Bets count by what each was recorded to give, and ceilings,
shortfalls, bases and prizes by what the pot is in that course. A course begins where this program worked the pot out
itself; it takes no level from the record.
"""

from typing import Any, NamedTuple

from controller.verify import claims as again
from controller.verify import facts as kinds
from controller.verify.books import SHARE
from controller.verify.claims import Owed
from controller.verify.facts import Undone
from controller.verify.law import Law, read_law
from controller.verify.money import MAIN, Purse, Split, fill, take_back
from controller.verify.past import Known, Mark, Pass, Past, Won
from controller.verify.world import TRAINING, Played, Pot, World
from controller.verify.wrong import must, shown


class Course:
    """One course of the events of a pot since a mark, with these claims."""

    def __init__(self, mark: Mark, claims: dict[str, Known]) -> None:
        self.law = mark.law
        self.purse = mark.purse.copy()
        self.claims = claims
        self.places = {one.place: one for one in claims.values() if not (one.is_prize or one.as_written or one.told)}
        self.before: dict[str, tuple[Purse, int]] = {}
        self.owed: dict[str, list[Owed]] = {}
        self.overflows: dict[str, tuple[int, dict[int, int]]] = {}

    def live(self, seq: int, fact: Any, law: Law | None, played: dict[Pass, Played]) -> None:
        """One event more; `law` where it puts another in force."""
        if law is not None:
            self._put_in_force(law)
        elif isinstance(fact, kinds.PassSealed):
            self._pour(fact)
        elif isinstance(fact, kinds.HandsVoided):
            self._take_back(fact)
        elif isinstance(fact, kinds.MoneyMoved):
            self._move(fact)
        elif isinstance(fact, kinds.DisputeEnded):
            self._as_written({MAIN: fact.amount} if fact.accepted and not fact.claim else {})
        elif isinstance(fact, kinds.PrizeGranted):
            self._prize(fact)
        elif isinstance(fact, kinds.ClaimRejected):
            self._as_written(fact.flow.parts)
        elif isinstance(fact, kinds.ClaimRegistered) and fact.claim in self.claims:
            self._claim_as_written(fact)
        if seq in self.places:
            self._settle(self.places[seq], played)

    def _put_in_force(self, law: Law) -> None:
        """R-24, R-26: what a reserve still holds that is no more stays in the main pot."""
        kept, self.law = self.purse, law
        left = sum(amount for name, amount in kept.reserves.items() if name not in law.reserves)
        self.purse = Purse(kept.main + left, {name: kept.reserves.get(name, 0) for name in law.reserves})

    def _pour(self, fact: kinds.PassSealed) -> None:
        """R-24: what each bet gave; what passes the ceiling does so here."""
        over: dict[int, int] = {}
        for bet in fact.bets:
            over[bet.seat] = fill(self.purse, bet.main, self.law.ceiling)
            for name, part in zip(self.purse.reserves, bet.reserves, strict=True):
                self.purse.reserves[name] += part
        self.overflows[fact.table] = (fact.number, over)

    def _take_back(self, fact: kinds.HandsVoided) -> None:
        """R-25: the last bet first; what had passed the ceiling in this course comes from the first reserve."""
        if not fact.undone:
            self._as_written(fact.flow.parts)
            return
        number, over = self.overflows.get(fact.table, (0, {}))
        for bet in sorted(fact.undone, key=_seat, reverse=True):
            passed = over.pop(bet.seat, 0) if number == fact.number else bet.overflow
            take_back(self.law, self.purse, Split(bet.commission, bet.reserves, bet.main), passed)

    def _move(self, fact: kinds.MoneyMoved) -> None:
        """R-26: what two persons put somewhere is there; what a part lacked for it, the house gave."""
        if fact.source in (MAIN, *self.purse.reserves):
            self._as_written({fact.source: -fact.amount})
        if not fact.target.startswith(SHARE):
            self._as_written({fact.target: fact.amount})

    def _prize(self, fact: kinds.PrizeGranted) -> None:
        """R-18, R-29: out of its part as far as that goes."""
        known = self.claims[fact.claim]
        if known.as_written:
            self._as_written(fact.flow.parts)
            return
        self.before[fact.claim] = (self.purse.copy(), self.law.base)
        if not fact.promo and not known.is_none:
            source = next(one.source for one in self.law.randoms if one.name == fact.prize)
            self._as_written({source: -min(fact.amount, self._part(source))})

    def _claim_as_written(self, fact: kinds.ClaimRegistered) -> None:
        known = self.claims[fact.claim]
        if known.told:
            self.before[fact.claim] = (self.purse.copy(), self.law.base)
            self.owed[fact.claim] = [
                Owed(one.seat, one.prize, one.amount, one.parts, one.house, one.rules) for one in fact.awards
            ]
        if known.as_written or known.told:
            was, became = fact.before, fact.after
            moved = {name: became.reserves[name] - was.reserves[name] for name in was.reserves}
            self._as_written({MAIN: became.main - was.main, **moved})

    def _settle(self, known: Known, played: dict[Pass, Played]) -> None:
        """R-20, R-34: in its place, by the rules of its day; everybody as if in time (R-35), but the pot never saw whom
        the house pays (R-33)."""
        self.before[known.name] = (self.purse.copy(), self.law.base)
        of = played[known.of]
        bets = {bet.seat: bet.amount for bet in of.bets}
        winners = again.judge(of.law, of.game, bets, known.hands, known.community).winners if known.hands else []
        seen = [winner for winner in winners if winner.seat not in known.late]
        everybody = again.settle(of.law, self.purse.copy(), self.law.base, winners)
        again.settle(of.law, self.purse, self.law.base, seen)
        self.owed[known.name] = everybody.awards

    def _part(self, name: str) -> int:
        return self.purse.main if name == MAIN else self.purse.reserves[name]

    def _as_written(self, moved: dict[str, int]) -> None:
        """R-18: what a fact says, and no pot below nothing."""
        for name, amount in moved.items():
            if name == MAIN:
                self.purse.main = max(self.purse.main + amount, 0)
            else:
                self.purse.reserves[name] = max(self.purse.reserves[name] + amount, 0)


def _seat(bet: Undone) -> int:
    return bet.seat


def since_mark(world: World, pot: Pot, fact: kinds.ClaimCorrected) -> tuple[Mark, Past]:
    """The last mark since which all that was claimed is told whole: a neighbour's pass may be older than the day."""
    marks = [one for one in pot.marks if one.seq < fact.place]
    must(bool(marks), "R-34", f"en el hecho {fact.place} no había un pozo {shown(fact.pot)}")
    while True:
        mark = marks.pop()
        past = Past(pot.name, mark.seq, (fact.table, fact.number))
        for entry in world.again(mark.seq + 1):
            past.read(entry.seq, entry.at, entry.fact)
        if past.is_whole or not marks:
            return mark, past


def relive(world: World, mark: Mark, past: Past, courses: tuple[Course, ...]) -> tuple[dict[Pass, Played], list[Mark]]:
    """All that happened to a pot since a mark, in each course; the passes that were claimed, as they were played, and
    the later marks as the last course makes them."""
    wanted = {known.of for course in courses for known in course.claims.values()} | {past.of}
    begun = world.pot(past.pot).under_way
    played = {of: one for of, one in begun.items() if of in wanted}
    later = [one for one in world.pot(past.pot).marks if one.seq > mark.seq]
    marked: list[Mark] = []
    in_force = mark.law
    for entry in world.again(mark.seq + 1):
        fact = entry.fact
        while len(marked) < len(later) and later[len(marked)].seq < entry.seq:
            marked.append(later[len(marked)]._replace(purse=courses[-1].purse.copy()))
        if not isinstance(fact, kinds.PassClosed) and getattr(fact, "pot", "") != past.pot:
            continue
        law = None
        if isinstance(fact, kinds.PlanTookEffect):
            law = in_force = read_law(fact.plan, fact.ruleset, world.published)
        if isinstance(fact, kinds.PassSealed) and (fact.table, fact.number) in wanted:
            played[fact.table, fact.number] = _as_played(world.node, fact, in_force, past)
        if isinstance(fact, kinds.HandsVoided) and fact.sealed and (fact.table, fact.number) in begun:
            _voided_since(fact, played)
        for course in courses:
            course.live(entry.seq, fact, law, played)
    marked += [one._replace(purse=courses[-1].purse.copy()) for one in later[len(marked) :]]
    return played, marked


def _voided_since(fact: kinds.HandsVoided, played: dict[Pass, Played]) -> None:
    """R-25, R-28: of a pass that was under way when its owner was left nothing is put right: what was decided before
    its void stands."""
    of = fact.table, fact.number
    if of in played:
        played[of] = _less(played[of], {refund.seat for refund in fact.refunds})


def _less(one: Played, gone: set[int]) -> Played:
    """R-25: without the bets that were given back since."""
    return one._replace(bets=tuple(bet for bet in one.bets if bet.seat not in gone))


def _as_played(node: str, fact: kinds.PassSealed, law: Law, past: Past) -> Played:
    """R-25, R-26: under the law of its day; a bet that was given back since wins nothing. Where an owner was left a
    pass may still be of his plan, which names this node on the way (R-28)."""
    name = fact.table.removeprefix(TRAINING)
    game = law.tables[name if name in law.tables else f"{name}@{node}"][1]
    gone = past.voided.get((fact.table, fact.number), set())
    bets = tuple(bet for bet in fact.bets if bet.seat not in gone)
    return Played(fact.table, fact.casino, fact.pot, law, game, bets)


class Case(NamedTuple):
    """A correction with all that it must be measured by."""

    pot: Pot
    past: Past
    plays: dict[Pass, Played]
    known: Known
    out: list[Known]
    was: Course
    right: Course

    @property
    def awards(self) -> dict[str, Won]:
        """Every award that the act may strike out."""
        return {name: won for one in (self.known, *self.out) for name, won in one.awards.items()}

    @property
    def played(self) -> Played:
        return self.plays[self.past.of]
