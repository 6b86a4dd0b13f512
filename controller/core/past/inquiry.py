"""What an act needs from the record before it can be decided, asked for without reading anything (R-34, R-35).

Theory. The state is small, and a pass of last year is not in it. An `Inquiry` says which facts it wants next (`query`),
is given them in their order (`take`), and knows when it has enough. It looks back from the newest fact to the pass and
to an anchor, a fact that holds the pot's levels and that no later correction reaches behind; from there it goes forward
through all that concerns the pot and tells it twice, as it was known and as it is known now. Facts that come meanwhile
are followed one by one, so a long inquiry holds up no play; where one of them changes what was asked, it is `stale`.

Who reads, and when, is for others to say. This file decides nothing.
"""

from collections.abc import Mapping
from typing import NamedTuple

from controller.core import facts as said
from controller.core.facts import Entry
from controller.core.inputs import Input
from controller.core.past.claims import Pass, PastClaim, away_in, is_prize, levels_in, note, prizes_in, winners_of
from controller.core.past.doubt import Doubt, doubt_of
from controller.core.past.hands import Played, member_of
from controller.core.past.search import BACK, FORWARD, NEWEST, PLANS, Search, Steps
from controller.core.past.telling import Known, Telling, Truth, pot_of, truth_of
from controller.core.people import refuse_signatures
from controller.core.state import State
from controller.core.values import Documents, Hand, Levels, Phase, SealedBet
from controller.rules.cards import Category
from controller.rules.readings import LateFrom


class _Anchor(NamedTuple):
    seq: int
    levels: Levels


def inquiry_for(state: State, asked: Input) -> "Inquiry | None":
    """What this input needs from the record; nothing for all that happens at every pass."""
    wanted = doubt_of(state, asked)
    if wanted is None or refuse_signatures(state, asked) is not None:
        return None
    table = state.tables.get(wanted.table)
    known = table or state.away.get(wanted.table)
    last = state.numbers.get(wanted.table, 0) if known is None else known.number
    if not 1 <= wanted.number <= last:
        return None  # no such pass, or of a training that ended
    member = "" if known is None else member_of(state, known.pot)
    documents = state.pots[table.pot].documents if table is not None and table.training else None
    running = {(one.name, one.number): one.bets for one in state.tables.values() if one.phase is Phase.SEALED}
    running |= {(one.name, one.number): one.bets for one in state.away.values() if not one.closed}
    began = {name: pot.began for name, pot in state.pots.items() if pot.began is not None}
    return Inquiry(wanted, known.pot if known is not None else "", documents, running, member, began)


_Sealed = Mapping[Pass, tuple[SealedBet, ...]]


class Inquiry:
    """About one pass: the pot told `before` and `after` what is asked, and all its `claims` since the anchor."""

    before: Telling
    after: Telling

    def __init__(
        self, asked: Doubt, pot: str, under: Documents | None, sealed: _Sealed, at: str, began: Mapping[str, Levels]
    ) -> None:
        self.asked, self.pot, self._began = asked, pot, began
        self.seq, self.stale = 0, False
        self.claims: dict[str, PastClaim] = {}
        self._documents, self._sealed, self._member = under, sealed, at
        self._forget()
        self._work = self._steps()
        self._query: Search | None = next(self._work)

    def query(self) -> Search | None:
        """What to read next; None when it knows enough."""
        return self._query

    def take(self, entry: Entry) -> bool:
        """One fact of the query, in its order; True when it wants no more of them."""
        return self._give(entry)

    def done(self) -> None:
        self._give(None)  # there was no more of it

    def _give(self, entry: Entry | None) -> bool:
        before = self._query
        try:
            self._query = self._work.send(entry)
        except StopIteration:
            self._query = None
        return self._query is not before

    def follow(self, entry: Entry) -> None:
        """A fact that came since: told like the others; where it changes what was asked, the inquiry is stale."""
        if entry.seq <= self.seq:
            return
        self.seq = entry.seq
        fact, mine = entry.fact, (self.asked.table, self.asked.number)
        if isinstance(fact, said.ClaimCorrected) and fact.pot == self.pot and not self.is_far:
            self.stale = True
        if str(fact.__struct_config__.tag) in BACK and getattr(fact, "table", "") == mine[0]:
            self.stale |= getattr(fact, "number", 0) == mine[1]
        if self.seal is not None and not self.is_far and not self.stale:
            self._tell(entry)

    def _steps(self) -> Steps:
        yield from self._look_back()
        if self.seal is not None and self.seal.pot != self.pot:  # the table fed another pot then
            self.pot = self.seal.pot
            self._forget()
            yield from self._look_back()
        if self.seal is None:
            return
        if self.is_far:  # what a neighbour's pot went through, its owner's record says
            yield from self._look_for_plan(self._sealed_as)
            return
        if self._documents is None and self._anchor is not None:
            yield from self._look_for_plan(NEWEST if self._is_beginning else self._anchor.seq)
        yield from self._go_forward()

    # Back, to the pass and to an anchor

    def _forget(self) -> None:
        self.seal: said.PassSealed | None = None
        self.sealed_at = self.closed = self._sealed_as = self._attempts = 0
        self.registered: list[tuple[int, int, said.ClaimRegistered | said.ClaimAsked]] = []
        self.prizes: dict[str, int] = {}
        self.drawn: dict[str, int] = {}
        self.cards: dict[str, tuple[str, int]] = {}
        self.corrections: list[tuple[int, said.ClaimCorrected]] = []
        self.is_void = False
        self._undone: set[str] = set()
        self._granted: dict[str, int] = {}
        self._voided: dict[Pass, set[int]] = {}
        self._bets: dict[Pass, tuple[SealedBet, ...]] = dict(self._sealed)
        self._dark: dict[Pass, tuple[int, ...]] = {}
        self._needed: set[Pass] = set()
        self._anchor: _Anchor | None = None
        self._is_beginning = False

    def _look_back(self) -> Steps:
        query = Search(BACK, NEWEST, forwards=False)
        while (entry := (yield query)) is not None:
            self.seq = max(self.seq, entry.seq)
            if isinstance(entry.fact, said.TrainingStarted) and entry.fact.pot == self.pot and self.seal is None:
                return  # what was trained before is of a book that was closed
            if self._is_beginning or self._begins(entry):
                if isinstance(entry.fact, said.PassSealed | said.HandsVoided):  # one under way, claimed since
                    self._see(entry)
                if not self._needed:
                    return
                continue
            self._see(entry)
            if self.seal is not None and (self.is_far or self.seal.pot != self.pot or self._is_enough()):
                return
        assert not self._is_beginning, "R-22: every pass that was claimed was sealed"
        self._anchor = None  # the pot is told from its first plan on
        self._begins(None)

    def _begins(self, entry: Entry | None) -> bool:
        """R-28: a pot whose owner was left is told from behind the last fact of his time."""
        began, fact = self._began.get(self.pot), entry.fact if entry is not None else None
        is_his = fact is None or (getattr(fact, "pot", "") == self.pot and getattr(fact, "above", ""))
        if began is not None and self.seal is not None and not self.is_far and is_his:
            self._anchor, self._is_beginning = _Anchor(entry.seq + 1 if entry is not None else 1, began), True
        return self._is_beginning

    def _see(self, entry: Entry) -> None:
        fact, mine = entry.fact, (self.asked.table, self.asked.number)
        if isinstance(fact, said.ClaimRejected):
            self._undone.add(fact.claim)
        elif isinstance(fact, said.HandsVoided) and fact.sealed:
            self._voided.setdefault((fact.table, fact.number), set()).update(one.seat for one in fact.refunds)
            self.is_void |= fact.whole_pass and (fact.table, fact.number) == mine
        elif isinstance(fact, said.PassSealed):
            self._see_seal(entry, fact, mine)
        elif isinstance(fact, said.ClaimCorrected) and fact.pot == self.pot:
            self.corrections.append((entry.seq, fact))
            self._need(fact)
        elif isinstance(fact, said.ClaimRegistered | said.ClaimAsked) and fact.pot == self.pot:
            self._see_claim(entry, fact, mine)
        elif isinstance(fact, said.PrizeGranted):
            self._granted[fact.claim] = entry.seq
            if (fact.table, fact.number) == mine:
                self.prizes[fact.claim], self.drawn[fact.claim] = entry.seq, fact.seat
            if fact.card:
                self.cards[fact.claim] = (fact.card, fact.seat)
        elif isinstance(fact, said.PassClosed) and (fact.table, fact.number) == mine:
            self.closed = entry.seq
        self._see_anchor(entry)

    def _see_claim(self, entry: Entry, fact: said.ClaimRegistered | said.ClaimAsked, mine: Pass) -> None:
        """R-34: a claim that paid nobody is none; but no other claim gets its name."""
        if (fact.table, fact.number) == mine:
            self._attempts = max(self._attempts, int(fact.claim.rpartition("/")[2]))
        if fact.awards:
            self._need(fact)
            if (fact.table, fact.number) == mine:
                self.registered.append((entry.seq, entry.at, fact))

    def _need(self, fact: said.ClaimRegistered | said.ClaimAsked | said.ClaimCorrected) -> None:
        taken = getattr(fact, "taken", False)  # it counts by what was told, and its pass may stand nowhere
        self._needed |= {of for of in [(fact.table, fact.number)] if not taken} - self._bets.keys()

    def _see_seal(self, entry: Entry, fact: said.PassSealed, mine: Pass) -> None:
        of = (fact.table, fact.number)
        if of == mine:
            self.seal, self.sealed_at, self._sealed_as = fact, entry.at, entry.seq
        if of == mine or of in self._needed:
            gone = self._voided.get(of, set())
            self._bets[of] = tuple(bet for bet in fact.bets if bet.seat not in gone)
            self._dark[of] = (*fact.dark, *(refund.seat for refund in fact.returned))
            self._needed.discard(of)

    def _see_anchor(self, entry: Entry) -> None:
        """A fact with the pot's levels; kept while nothing that is known reaches behind it."""
        if self._anchor is not None and self._holds(self._anchor):
            return
        levels = levels_in(entry.fact)
        if levels is not None and getattr(entry.fact, "pot", "") == self.pot:
            self._anchor = _Anchor(entry.seq, levels)

    def _holds(self, anchor: _Anchor) -> bool:
        places = [self.closed or NEWEST, *self.prizes.values(), *(seq for seq, _, _ in self.registered)]
        since = [fact for seq, fact in self.corrections if seq > anchor.seq]
        places += [fact.place for fact in since]
        # A prize may have been granted long before the place of the claim with which it was put right.
        places += [self._granted.get(claim, 0) for fact in since for claim in prizes_in(fact)]
        return anchor.seq <= min(places)

    def _is_enough(self) -> bool:
        return not self._needed and self._anchor is not None and self._holds(self._anchor)

    def _look_for_plan(self, before: int) -> Steps:
        """R-26: under which plan the pot was at the anchor."""
        query = Search(PLANS, before, forwards=False)
        while self._documents is None:
            entry = yield query
            assert entry is not None, "R-26: before all that a pot does it has its plan"
            fact = entry.fact
            is_of_then = bool(getattr(fact, "above", "")) or not self._is_beginning
            if isinstance(fact, said.PlanTookEffect) and fact.pot == self.pot and is_of_then:
                self._documents = Documents(fact.plan, fact.ruleset)

    # What was known, and what is asked

    @property
    def valid_seats(self) -> frozenset[int]:
        """R-25: whose bets of the pass stand."""
        return frozenset(bet.seat for bet in self._bets.get(self._mine, ()))

    @property
    def is_far(self) -> bool:
        """R-28: whether a neighbour owns the pot that the pass fed, so that only its record can tell it again."""
        return self.seal is not None and bool(self.seal.above)

    def played(self, member: str) -> Played:
        """R-26, R-28: the pass as it was played, for who has its table and judges its hands without telling the pot."""
        assert self._documents is not None, "R-26: a pass has its documents"
        return Played(self.asked.table, self._documents, self._bets[self._mine], self._dark[self._mine], member)

    @property
    def no_prizes(self) -> frozenset[str]:
        """R-29: the prizes of the pot that are known not to have been won."""
        return self._known().no_prizes

    @property
    def won_with(self) -> tuple[tuple[str, int], ...]:
        """R-29, R-32: the cards that were drawn, and the seats that won with them, as it is to be true."""
        no_prizes = self._asked_of(self._known()).no_prizes
        return tuple(one for claim, one in self.cards.items() if claim not in no_prizes)

    @property
    def standing(self) -> tuple[int, Truth] | None:
        """R-34: the claim of this pass that stands, with its place; one that paid nobody or was rejected is none."""
        of_pass = [(seq, fact) for seq, fact in self.corrections if self._is_of_hands(fact)]
        last_corrected = max(of_pass, key=lambda one: one[0], default=None)
        last_registered = max(self.registered, key=lambda one: one[0], default=None)
        if last_corrected is not None and (last_registered is None or last_corrected[0] > last_registered[0]):
            fact = last_corrected[1]
            place = fact.place or last_corrected[0]  # of a far pot the place is in its owner's record
            return (place, truth_of(fact)) if winners_of(fact) else None
        if last_registered is None or last_registered[2].claim in self._undone:
            return None
        seq, _, registered = last_registered
        return seq, Truth(registered.claim, *self._mine, registered.hands, registered.community)

    @property
    def _mine(self) -> Pass:
        return self.asked.table, self.asked.number

    def _is_of_hands(self, fact: said.ClaimCorrected) -> bool:
        return (fact.table, fact.number) == self._mine and not is_prize(fact.claim)

    @property
    def place(self) -> int:
        """R-34, R-35: where this pass is settled: as its first claim found the pot, or else as it was closed. Until the
        pass is closed a rejection is not for good: who is entered after it takes the first claim's place."""
        standing = self.standing
        if standing is not None:
            return standing[0]
        return self.closed or min((seq for seq, _, _ in self.registered), default=0)

    @property
    def claim(self) -> str:
        """The claim that is put right, or a new one of the pass."""
        standing = self.standing
        if standing is not None:
            return standing[1].claim
        used = [int(fact.claim.rpartition("/")[2]) for _, fact in self.corrections if self._is_of_hands(fact)]
        table, number = self._mine
        return f"{table}/{number}/{max([self._attempts, *used]) + 1}"

    @property
    def hands(self) -> tuple[tuple[Hand, ...], tuple[str, ...]]:
        """What is asked to be true, hands and community cards."""
        if self.asked.hands is not None:
            return self.asked.hands, self.asked.community
        standing = self.standing
        if standing is None:
            return (), ()
        truth = standing[1]
        return tuple(hand for hand in truth.hands if hand.seat not in self.asked.seats_out), truth.community

    @property
    def touches_hands(self) -> bool:
        """Whether the hands of the pass are put right, or only its prizes."""
        return self.asked.hands is not None or (bool(self.asked.seats_out) and self.standing is not None)

    @property
    def first_entered(self) -> set[str]:
        """R-36: who entered the first claim of the pass."""
        entered = [(seq, {fact.by}) for seq, _, fact in self.registered]
        entered += [(seq, {fact.by, fact.second}) for seq, fact in self.corrections if self._is_of_hands(fact)]
        return min(entered, key=lambda one: one[0])[1] if entered else set()

    def _known(self) -> Known:
        """What the corrections on record have made of the past: of each place and each prize, the last one counts."""
        truths: dict[int, Truth] = {}
        prizes: dict[str, bool] = {}
        for _, fact in reversed(self.corrections):  # they were read backwards
            if not is_prize(fact.claim):
                truths[fact.place] = truth_of(fact)
            away = away_in(fact)
            prizes |= {claim: claim not in away for claim in prizes_in(fact)}
        no_prizes = frozenset(claim for claim, won in prizes.items() if not won)
        return Known(truths, no_prizes, self._bets, self._dark, self._member)

    def _asked_of(self, was: Known) -> Known:
        asked, truths = self.asked, dict(was.truths)
        if self.place and self.touches_hands:
            truths[self.place] = Truth(self.claim, *self._mine, *self.hands)
        return was._replace(truths=truths, no_prizes=(was.no_prizes | asked.prizes_out) - {asked.prize_in})

    # Forward, through all that concerns the pot

    def _go_forward(self) -> Steps:
        anchor, was = self._anchor, self._known()
        money = None if anchor is None else pot_of(anchor.levels)
        now = self._asked_of(was)
        self.before = Telling(self._documents, money, was)
        self.after = Telling(self._documents, money, now)
        late_at = self.place if self.closed and self.touches_hands else 0
        query = Search(FORWARD, 1 if anchor is None else anchor.seq, forwards=True)
        head = self.seq
        while (entry := (yield query)) is not None:
            if entry.seq <= head:
                self._tell(entry, late_at)
            else:  # it came while the record was read
                self.follow(entry)

    def _tell(self, entry: Entry, late_at: int = 0) -> None:
        fact = entry.fact
        if getattr(fact, "pot", None) not in ("", self.pot):
            return
        if isinstance(fact, said.PassSealed):
            self._bets.setdefault((fact.table, fact.number), fact.bets)
        if isinstance(fact, said.HandsVoided) and fact.sealed:
            of, gone = (fact.table, fact.number), {refund.seat for refund in fact.refunds}
            self._bets[of] = tuple(bet for bet in self._bets.get(of, ()) if bet.seat not in gone)
        note(self.claims, entry)
        self.before.take(entry.seq, fact)
        if entry.seq == late_at and self.after.plan.ruleset.readings.late_from is LateFrom.HOUSE:
            self._leave_to_the_house(late_at)
        self.after.take(entry.seq, fact)

    def _leave_to_the_house(self, place: int) -> None:
        """R-33, `late_from`: winners who were not known in time are the house's; the pot never sees them. After a pass
        was closed nobody comes in time any more, so who was late before is late still."""
        truth, standing = self.after.known.truths[place], self.standing
        in_time: dict[int, Category] = {}
        if standing is not None:
            known = self.before.owed[standing[1].claim].awards
            in_time = {seat: one.category for seat, one in known.items() if seat not in standing[1].late}
        late = {win.seat for win in self.after.wins(truth) if in_time.get(win.seat) is not win.category}
        self.after.known.truths[place] = truth._replace(late=frozenset(late))

    @property
    def late(self) -> frozenset[int]:
        truth = self.after.known.truths.get(self.place)
        return frozenset() if truth is None else truth.late
