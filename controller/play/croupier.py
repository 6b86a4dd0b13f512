"""The demo's croupiers: what the one at each table does next, as a function of what the node shows and of the time.

Theory. Level-triggered like the node itself: nothing is remembered of a pass but when its phase began and what was
dealt in it, so a demo that was ended in the middle goes on from whatever the record says. One request at a time; the
next is asked when the node shows what came of the last. He takes bets, locks by the console's key, deals, enters the
winners, has them confirmed, pays, sells credits. While a person plays at his table he does nothing. What was dealt in
a pass is the table's, whoever its croupier is: he deals at the seal and, where a person sits in his place, stays the
dealer. A seat where a person sits is left to that person: nobody else presses there, and only chips and credits are
handed over.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from controller.core import inputs as ask
from controller.core.inputs import Input
from controller.core.values import Phase, Signature
from controller.core.view import AwardView, TableView
from controller.node.vocabulary.protocol import Deed, Health, NodeView, Reply
from controller.play.cards import NOBODY_WON
from controller.play.dealing import Dealt, dealt_to_all
from controller.play.staff import ANA, CARLA, JULIA, MARIO, TITO
from controller.rules.cards import Category
from drivers.native.contract import LampDrive
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.desk.players import SHORTEST_WINDOW, Players, PlayerView

LOCK_KEY = "console lock"
_AGAIN: Micros = 3 * SECOND  # after this, what had no effect is tried otherwise, or once more
_OPENING: Micros = 30 * SECOND  # a table whose devices are still being met
_REACHES: Micros = 100 * MILLISECOND  # from a finger on a button to the first light of its lamp
_HELD = 0.15  # of the awards wait for the cameras while the table plays on
_REJECTED = 0.03
_FORGETS = 0.06
_BY_HAND = 2.0


class Errand(NamedTuple):
    """A request of somebody: an input of the core, or a deed of the node with its table, seat or day."""

    ask: Input | None = None
    do: Deed | None = None
    by: str = CARLA.person
    second: str = ""
    table: str = ""
    seat: int = 0
    day: str = ""


@dataclass(frozen=True, slots=True)
class Tempo:
    """How long things take at a table. `speed` 1 is an unhurried casino; fingers and buses do not become faster."""

    speed: float = 1.0

    def of_a_person(self) -> "Tempo":
        """As fast as somebody can play who sits there for the first time."""
        return Tempo(min(self.speed, _BY_HAND))

    @property
    def bets(self) -> Micros:
        return max(SHORTEST_WINDOW, self._of(15))

    @property
    def cards(self) -> Micros:
        return self._of(20)

    @property
    def pause(self) -> Micros:
        return self._of(6)

    @property
    def held(self) -> Micros:
        """R-21: the cameras."""
        return max(3 * SECOND, self._of(240))

    def _of(self, seconds: int) -> Micros:
        return int(seconds * SECOND / self.speed)


@dataclass(slots=True)
class _Pass:
    """All that the croupier remembers of the present phase."""

    number: int = -1
    phase: Phase | None = None
    since: Micros = 0
    called_at: Micros | None = None  # bets are taken
    bet_at: Micros = 0  # somebody pressed or threw something
    locked_at: Micros | None = None
    again: Micros = 0
    entered: bool = False
    served: bool = False


def is_of_pass(award: AwardView, number: int) -> bool:
    """R-29: whether it is a complementary prize of this pass of its table; their claims are numbered p1, p2, ..."""
    _, of_pass, claim, _ = award.award.rsplit("/", 3)
    return int(of_pass) == number and claim.startswith("p")


class Croupier:
    def __init__(self, table: str, own_cards: int, players: Players, chance: Random, alone_up_to: int) -> None:
        self.table = table
        self.pace, self.winning = Tempo(), 0.04
        self.forced: Category | None = None  # what the next pass wins
        self.favoured = 0  # the seat that wins it, if it bets
        self.dealt = Dealt(0, {}, (), NOBODY_WON)
        self.guests: frozenset[int] = frozenset()  # seats where a person sits
        self.is_relieved = False  # away, and a person deals while the players play on
        self.leaving = False  # he ends this pass and goes, because a person takes over
        self.away = False
        self.lamps_to_test = False  # after this pass, because the technician wants to see one
        self.closing = False  # the day ends: no new pass, everybody cashes out
        self.passes = 0
        self._own_cards, self._alone_up_to = own_cards, alone_up_to
        self._players, self._chance = players, chance
        self._pass = _Pass()
        self._errands: deque[Errand] = deque()
        self._asked = False
        self._after = 0  # he waits until the node shows this fact
        self._holds: dict[str, Micros] = {}
        self._forgotten: ask.RegisterClaim | None = None
        self._planned = False  # somebody asked for what was dealt

    def answered(self, reply: Reply) -> None:
        self._asked, self._after = False, reply.seq

    def come_back(self) -> None:
        """To whatever the node shows now: it may have been put back to before what it answered him last."""
        self.leaving = self.away = self.is_relieved = False
        self._pass, self._after = _Pass(), 0

    def is_relieved_by_a_person(self) -> None:
        """At once, in the middle of a pass: the person finds it as it lies there."""
        self.away = self.is_relieved = True
        self.leaving = False

    def turn(self, view: NodeView, seen: Sequence[PlayerView], now: Micros) -> tuple[list[str], Errand | None]:
        """Commands of the desk at this moment, and the one thing that is asked of the node."""
        table = next((one for one in view.tables if one.table == self.table), None)
        if table is None or not view.day:
            return [], None
        self._notice(table, now)
        if self.away:
            return self._played_without_him(view, table, seen, now), None
        acts = self._played(now)
        self._pass.bet_at = now if acts else self._pass.bet_at
        if table.phase is Phase.OPEN:
            acts += self._take_bets(view, seen, now)
        if self._asked or view.seq < self._after:
            return acts, None
        wanted = self._next(view, table, seen, now)
        self._asked = wanted is not None
        return acts, wanted

    def _notice(self, table: TableView, now: Micros) -> None:
        one = self._pass
        if (one.number, one.phase) == (table.number, table.phase):
            return
        if one.phase is Phase.SEALED:
            self.passes += 1
        if one.phase is not None and table.phase is Phase.SEALED:
            self._deal(table)
        self._pass = _Pass(table.number, table.phase, now)
        self._pass.entered = one.phase is None  # a pass that he did not see from its beginning was somebody else's
        if table.phase is not Phase.OPEN:
            self._players.bets_closed(now)

    def _deal(self, table: TableView) -> None:
        """R-5: after the lock, to every seat with a bet."""
        bets = [seat.seat for seat in table.seats if seat.bet and not seat.closed]
        wanted = self.forced, self.favoured
        self.dealt = dealt_to_all(table.number, bets, self._own_cards, self._chance, self.winning, *wanted)
        self._planned = self.forced is not None and bool(self.dealt.hands)
        if self._planned:
            self.forced, self.favoured = None, 0

    def _played(self, now: Micros) -> list[str]:
        """What the players do now, but for seats where a person sits."""
        return [act for act in self._players.now(now) if int(act.split()[1]) not in self.guests]

    def _played_without_him(
        self, view: NodeView, table: TableView, seen: Sequence[PlayerView], now: Micros
    ) -> list[str]:
        """The players play on for the person who deals in his place; somebody else's table stays empty."""
        if not self.is_relieved:
            return []
        one = self._pass
        if table.phase is Phase.OPEN and one.called_at is None and not self._is_shut(view):
            one.called_at = now
            self._players.bets_open(seen, now, self.pace.bets)
        return self._played(now)

    def _is_shut(self, view: NodeView) -> bool:
        return any(seat.table == self.table and seat.locked and seat.health is Health.UP for seat in view.seats)

    def _take_bets(self, view: NodeView, seen: Sequence[PlayerView], now: Micros) -> list[str]:
        """R-5: called when the seats are open, awaited, and ended by the key; he presses again what had no effect.
        Before he ends them he looks for a while whether a bet is just being made."""
        one = self._pass
        if one.called_at is None:
            if self._is_shut(view) and now < one.since + _AGAIN:
                return []
            one.called_at = now
            self._players.bets_open(seen, now, self.pace.bets)
        if now < max(one.called_at + self.pace.bets, one.again if one.locked_at is not None else 0):
            return []
        if one.locked_at is None and now < one.called_at + self.pace.bets + _AGAIN and self._bets_are_made(seen, now):
            return []
        one.locked_at = one.locked_at or now
        one.again = now + _AGAIN
        self._players.bets_closed(now)
        return [LOCK_KEY]

    def _bets_are_made(self, seen: Sequence[PlayerView], now: Micros) -> bool:
        """R-6: a lamp that blinks is a bet that does not count yet."""
        return now < self._pass.bet_at + _REACHES or any(there.lamp is LampDrive.PENDING for there in seen)

    # What is asked of the node.

    def _next(self, view: NodeView, table: TableView, seen: Sequence[PlayerView], now: Micros) -> Errand | None:
        match table.phase:
            case Phase.OPEN:
                return self._remembered() or self._owed(table) or self._reopened(view, table, now)
            case Phase.LOCKING:
                return None
            case Phase.SEALED:
                if now < self._pass.since + self.pace.cards:
                    return None
                entered = self._entered(table)
                return entered or self._paid(view, now) or self._served(table, seen) or self._on(table, now)
            case Phase.BETWEEN:
                if not self._there(view, now):
                    return None
                return self._owed(table) or self._paid(view, now) or self._served(table, seen) or self._on(table, now)

    def _there(self, view: NodeView, now: Micros) -> bool:
        """Before the first pass he waits for his seats, for a while."""
        missing = any(unit.table == self.table and unit.health is not Health.UP for unit in view.units)
        return not missing or self.passes > 0 or now >= self._pass.since + _OPENING

    def _entered(self, table: TableView) -> Errand | None:
        """R-34: all winners of the pass at once."""
        if self._pass.entered:
            return None
        self._pass.entered = True
        deal = self.dealt.winners
        if self.dealt.number != table.number or not deal.hands:
            return None
        if not self._planned and self._chance.random() < _FORGETS:
            self._forgotten = ask.RegisterClaim(self.table, deal.hands, _SOMEBODY, deal.community, table.number)
            return None
        return Errand(ask.RegisterClaim(self.table, deal.hands, _SOMEBODY, deal.community))

    def _remembered(self) -> Errand | None:
        """R-35: he opened the next pass too early, and enters the winner of the one before."""
        wanted, self._forgotten = self._forgotten, None
        return Errand(wanted) if wanted is not None else None

    def _paid(self, view: NodeView, now: Micros) -> Errand | None:
        """R-13, R-21: in paying order; what the cameras still look at waits, and so does all behind it."""
        mine = [award for pot in view.pots if not pot.training for award in pot.awards if award.table == self.table]
        self._holds = {award.award: self._holds.get(award.award, -1) for award in mine}
        waiting: set[str] = set()
        for award in mine:
            claim = award.award.rpartition("/")[0]
            if claim not in waiting and (wanted := self._decided(award, now)) is not None:
                return wanted
            waiting.add(claim)
        return None

    def _decided(self, award: AwardView, now: Micros) -> Errand | None:
        if award.waits or award.frozen:
            return None  # the owner of the pot has still to say what it is
        if award.confirmed:
            if is_of_pass(award, self._pass.number) and self._pass.phase is Phase.SEALED:
                return None  # a complementary prize is paid once its pass is closed
            return Errand(ask.PayAward(award.award, _SOMEBODY))
        if self._holds[award.award] < 0:
            held = self._chance.random() < _HELD
            self._holds[award.award] = now + (self.pace.held if held else self.pace.pause)
        if now < self._holds[award.award]:
            return None
        first = award.award.endswith("/1") and "/" in award.award.rpartition("/")[0]
        if first and self._chance.random() < _REJECTED:
            claim = award.award.rpartition("/")[0]
            rejected = ask.RejectClaim(claim, "no se ve en cámara", _SOMEBODY, _SOMEBODY)
            return Errand(rejected, by=JULIA.person, second=ANA.person)
        second = MARIO.person if award.amount > self._alone_up_to else ""
        return Errand(ask.ConfirmAward(award.award, _SOMEBODY), by=JULIA.person, second=second)

    def _owed(self, table: TableView) -> Errand | None:
        """R-4: at once."""
        owed = next((seat.seat for seat in table.seats if seat.owed), None)
        return Errand(ask.PayOwed(self.table, owed, _SOMEBODY, JULIA.person)) if owed else None

    def _served(self, table: TableView, seen: Sequence[PlayerView]) -> Errand | None:
        """R-2: credits bought and cashed out, between two passes."""
        if not self._pass.served:
            self._pass.served = True
            self._errands.clear()
            look = {one.number: one for one in seen}
            for seat in table.seats:
                there = look.get(seat.seat)
                if there is None or there.gate_open is not None or seat.closed or seat.bet:
                    continue
                stays = seat.seat in self.guests
                if seat.credits and (self.closing or (self._players.leaves() and not stays)):
                    self._errands.append(Errand(ask.CashOut(self.table, seat.seat, _SOMEBODY)))
                elif not self.closing and (credits_ := self._players.wants_credits(there, seat.credits + seat.promo)):
                    self._errands.append(Errand(ask.BuyCredits(self.table, seat.seat, credits_, _SOMEBODY)))
        return self._errands.popleft() if self._errands else None

    def _on(self, table: TableView, now: Micros) -> Errand | None:
        """Open the next pass; or end this one, if no player should bet now."""
        if now < max(self._pass.since + self.pace.pause, self._pass.again):
            return None
        self._pass.again = now + _AGAIN
        if not (self.leaving or self.closing or self.lamps_to_test):
            return Errand(do=Deed.UNLOCK, table=self.table)
        if table.phase is Phase.SEALED:
            return Errand(ask.ClosePass(self.table))
        if self.lamps_to_test:
            self.lamps_to_test = False
            return Errand(do=Deed.LAMP_TEST, by=TITO.person, table=self.table)
        if self.closing:
            return self._emptied(table)
        self.away = True
        return None

    def _emptied(self, table: TableView) -> Errand | None:
        """Before a day closes no money lies on a table."""
        for seat in table.seats:
            if seat.promo and not seat.credits:
                return Errand(ask.LeaveCredits(self.table, seat.seat, _SOMEBODY, _SOMEBODY), second=JULIA.person)
            if seat.credits:
                return Errand(ask.CashOut(self.table, seat.seat, _SOMEBODY))
        return None

    def _reopened(self, view: NodeView, table: TableView, now: Micros) -> Errand | None:
        """Units that fell and came back stay locked until a person opens them again."""
        one = self._pass
        if one.locked_at is not None or now < max(one.since + _AGAIN, one.again):
            return None
        playing = {seat.seat for seat in table.seats if not seat.closed}
        stuck = [
            seat for seat in view.seats
            if seat.table == self.table and seat.seat in playing and seat.locked and seat.health is Health.UP
        ]  # fmt: skip
        one.again = now + _AGAIN
        return Errand(do=Deed.UNLOCK, table=self.table) if stuck else None


_SOMEBODY = Signature("")
"""The request names its signers beside the input; the node puts them in."""
