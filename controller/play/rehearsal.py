"""A rehearsed casino: seeded players, croupiers and mishaps on the real core and the real store (`pozo rehearse`).

Theory. Ten tables of every modality on two pots play passes in step, so that one commit holds what ten tables did at
the same moment. Players bet, win far more often than cards allow, lose lamps, press too late; croupiers err, chiefs
reject, void and correct; plans change, people lock themselves out. Everything comes from one seed and from the state,
so the same seed makes the same month. What it makes is training material and evidence, never a live record.
"""

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from controller.core import inputs as ask
from controller.core.draws import wanted, what_the_seed_says
from controller.core.facts import Fact
from controller.core.inputs import Input
from controller.core.state import Claim, Seat, State, Table, in_play, plan_at, plan_of
from controller.core.values import TRAINING, Device, Documents, Hand, Lamp, Phase, Role, Signature
from controller.play.cards import WinnersInTurn
from controller.play.mistakes import Mistakes
from controller.rules.complementary import commitment

START = 1_793_491_200_000
"""The first day of the rehearsal, in milliseconds since 1970 UTC."""

DAY = 86_400_000
_BEAT = 100_000
PEOPLE = (
    ("ana", Role.ADMINISTRATOR), ("luis", Role.ADMINISTRATOR), ("carla", Role.CROUPIER), ("diego", Role.CROUPIER),
    ("jefa", Role.CHIEF), ("jefe", Role.CHIEF), ("tito", Role.TECHNICIAN),
)  # fmt: skip
ADMINISTRATORS = ("ana", "luis")
_ANA, _LUIS = Signature("ana"), Signature("luis")
_CARLA, _JEFA, _JEFE, _TITO = (Signature(name) for name in ("carla", "jefa", "jefe", "tito"))


class Said(NamedTuple):
    """One thing somebody says or does, and the verifier of a PIN where a person is enrolled."""

    input: Input
    verifier: str = ""


Take = Callable[[Sequence[Said], int], Sequence[tuple[Fact, ...]]]


@dataclass(slots=True)
class Rehearsal:
    """The casino: who plays is chance, what follows is the core's."""

    take: Take
    state: Callable[[], State]
    documents: tuple[Documents, ...]
    chance: random.Random
    verifier: Callable[[str], str] = "ensayo {}".format  # of each person
    winning: float = 0.012
    now: int = START
    passes: int = 0
    winners: WinnersInTurn = field(default_factory=WinnersInTurn)
    mistakes: Mistakes = field(init=False)

    def __post_init__(self) -> None:
        self.mistakes = Mistakes(self.chance)

    def play(self, days: int, passes: int, told: Callable[[int], None]) -> None:
        """So many gaming days with so many passes in all; tells how many there were."""
        self._set_up()
        for day in range(days):
            seed = hashlib.sha256(f"{self.chance.random()}".encode()).digest()
            self.now = START + day * DAY
            nonce = hashlib.sha256(b"nonce" + seed).hexdigest()
            self._say(ask.OpenDay(_date(self.now), commitment(seed), _JEFE, nonce))
            until = passes * (day + 1) // days
            while self.passes < until:
                told(self._beat(seed))
            self._between_days(day)
            self._empty_tables()
            self._say(ask.CloseDay(seed.hex(), _JEFE))

    def _set_up(self) -> None:
        for name, role in PEOPLE:
            verifier = self.verifier(name)
            secret = hashlib.sha256(verifier.encode()).hexdigest()
            enrolled = ask.EnrolPerson(name, name.title(), (role,), secret, _ANA, _LUIS, known=True)
            self.take([Said(enrolled, verifier)], self.now)
        for documents in self.documents:
            self._say(ask.StagePlan(documents.plan, documents.ruleset, _ANA, _LUIS))

    def _say(self, *inputs: Input) -> Sequence[tuple[Fact, ...]]:
        self.now += 50
        return self.take([Said(one) for one in inputs], self.now) if inputs else ()

    def _tables(self) -> list[Table]:
        """Every live table, or its training copy while there is one."""
        state = self.state()
        return [state.tables[in_play(state, name)] for name in state.tables if not name.startswith(TRAINING)]

    def _beat(self, seed: bytes) -> int:
        """One pass at every table, side by side."""
        self.now += _BEAT
        self._say(*(ask.OpenPass(_name(table), _CARLA) for table in self._tables()))
        for step in (self._arrivals, self._presses, self._lamps, self._mishaps):
            self._at_each(step)
        self._say(*(ask.Lock(_name(table)) for table in self._tables() if table.phase is Phase.OPEN))
        for step in (self._proofs, self._missing):
            self._at_each(step)
        while said := tuple(self._draws(seed)):  # one may wait for another that excludes it
            self._say(*said)
        for step in (self._claims, self._second_thoughts):
            self._at_each(step)
        self._say(*(ask.ClosePass(_name(table), _CARLA) for table in self._tables() if table.phase is Phase.SEALED))
        self._say(*self.mistakes.put_right(self.state()))
        self._decide_awards()
        played = len(self._tables())
        self.passes += played
        return played

    def _at_each(self, step: Callable[[Table], Iterator[Input]]) -> None:
        """The same moment at every table, in one commit."""
        self._say(*(one for table in self._tables() for one in step(table)))

    def _arrivals(self, table: Table) -> Iterator[Input]:
        """R-2: a player who sits down buys; a unit is seen before its first bet, and gives back what it owes."""
        for seat in table.seats:
            if seat.device is None:
                serial = int.from_bytes(hashlib.sha256(f"{_name(table)}{seat.number}".encode()).digest()[:3])
                yield ask.SeatReport(_name(table), seat.number, Device(serial, 1, 1))
            elif seat.giving_back:
                yield self._report(table, seat, voided=seat.giving_back)
            if seat.out_of_play:
                if seat.closed and self.chance.random() < 0.2:
                    yield ask.OpenSeat(_name(table), seat.number, _TITO)
            elif seat.credits < 10_000 and self.chance.random() < 0.2:
                yield ask.BuyCredits(_name(table), seat.number, self.chance.randint(2, 40), _CARLA)
            if seat.owed:
                yield ask.PayOwed(_name(table), seat.number, _CARLA, _JEFA.person, _JEFE)

    def _report(self, table: Table, seat: Seat, **moved: int) -> ask.SeatReport:
        """A unit whose totals moved on by so much, as it reports them."""
        old = seat.device
        assert old is not None, "a unit is seen before it counts"
        totals = {
            name: (getattr(old, name) + moved.get(name, 0)) % 2**32 for name in ("bets", "voided", "chips", "late")
        }
        new = Device(old.serial, old.epoch, (old.seq + 1) % 2**32, **totals)
        return ask.SeatReport(_name(table), seat.number, new, bet_seq=new.seq)

    def _presses(self, table: Table) -> Iterator[Input]:
        """R-1, R-4: players press, or throw chips where the table has slots; sometimes too much."""
        credit = plan_at(self.state(), table).limits.credit_value
        slots = table.name in {"CP-01", "AP-13"}
        for seat in table.seats:
            if seat.device is None or self.chance.random() < 0.62:
                continue
            if slots:
                yield self._report(table, seat, chips=self.chance.choice((1, 2, 2, 3, 4, 5, 12)))
            elif seat.credits + seat.promo >= credit * 2:
                most = (seat.credits + seat.promo) // credit
                yield self._report(table, seat, bets=min(most, self.chance.choice((2, 2, 2, 3, 4, 6, 10, 11))))

    def _lamps(self, table: Table) -> Iterator[Input]:
        """R-6: nearly all light up."""
        for seat in table.seats:
            if seat.bet and not seat.out_of_play:
                drawn = self.chance.random()
                if drawn > 0.008:  # and some never say anything
                    yield ask.LampSeen(_name(table), seat.number, Lamp.LIT if drawn > 0.012 else Lamp.FAULT)

    def _mishaps(self, table: Table) -> Iterator[Input]:
        """What goes wrong while betting is open."""
        name = _name(table)
        betting = [seat for seat in table.seats if seat.bet]
        if betting and self.chance.random() < 0.01:
            yield ask.LampSeen(name, self.chance.choice(betting).number, Lamp.DARK)
        elif betting and self.chance.random() < 0.01:
            yield ask.VoidHand(name, self.chance.choice(betting).number, "se equivocó", _CARLA)
        elif self.chance.random() < 0.004:
            yield ask.CloseSeat(name, self.chance.choice(table.seats).number, "sin respuesta")
        elif self.chance.random() < 0.002:
            yield ask.VoidPass(name, "barajado defectuoso", self.chance.choice((_JEFA, _CARLA)))
        elif self.chance.random() < 0.002:
            seat = self.chance.choice(table.seats)
            if seat.device is not None:
                other = Device(seat.device.serial + 1, 1, 7)
                yield ask.SeatReport(name, seat.number, other)

    def _proofs(self, table: Table) -> Iterator[Input]:
        """R-5: each unit reads back locked; one player in a hundred presses as the lock falls."""
        if table.phase is not Phase.LOCKING:
            return
        for seat in table.seats:
            if seat.device is None or seat.out_of_play or self.chance.random() < 0.002:
                continue
            in_time = self.chance.random() < 0.5
            late = not seat.bet and seat.credits > 5_000 and not seat.slot and self.chance.random() < 0.02
            seen = self._report(table, seat, bets=2 if late else 0)
            cut = seen.device.seq if in_time else (seen.device.seq - 1) % 2**32
            yield ask.SeatReport(seen.table, seen.seat, seen.device, locked=True, cut=cut, bet_seq=seen.bet_seq)
            if late:
                yield ask.LampSeen(seen.table, seen.seat, Lamp.LIT)
            elif seat.bet and self.chance.random() < 0.003:
                yield ask.LampSeen(seen.table, seen.seat, Lamp.FAULT)

    def _missing(self, table: Table) -> Iterator[Input]:
        """A seat that never read back, or whose lamp never said anything, is closed, so that the pass can be sealed."""
        if table.phase is not Phase.LOCKING:
            return
        for seat in table.seats:
            silent = seat.device is not None and not seat.proven
            if not seat.out_of_play and (silent or (seat.bet and seat.lamp is Lamp.DARK)):
                yield ask.CloseSeat(_name(table), seat.number, "sin respuesta")

    def _draws(self, seed: bytes) -> Iterator[Input]:
        """R-30: the holder of the seed answers what sealed passes wait for."""
        state = self.state()
        for table in state.tables.values():
            for one in wanted(state, table):
                yield what_the_seed_says(seed, one)

    def _claims(self, table: Table) -> Iterator[Input]:
        """R-34: the hands of the pass; winners are planted far more often than cards would bring them."""
        if table.phase is not Phase.SEALED or not table.bets:
            return
        for prize, card in table.cards.items():
            if self.chance.random() < 0.3:
                assert card, "a card was drawn"
                yield ask.ShowCard(_name(table), prize, self.chance.choice(table.bets).seat, _CARLA)
        if self.chance.random() < self.winning:
            ruleset = plan_at(self.state(), table).ruleset
            own = ruleset.modalities[table.modality].own_cards
            deal = self.winners.deal([bet.seat for bet in table.bets], own, ruleset.paytable, self.chance)
            deal = self.mistakes.entered(table, deal, own)
            if deal.hands:
                yield ask.RegisterClaim(_name(table), deal.hands, _CARLA, deal.community)
        elif self.chance.random() < 0.01:
            folded = Hand(table.bets[0].seat, ("folded",), claimed="full")
            yield ask.RegisterClaim(_name(table), (folded,), _CARLA)

    def _second_thoughts(self, table: Table) -> Iterator[Input]:
        """What is corrected before the pass closes: voids after the seal."""
        if table.phase is Phase.SEALED and table.bets and self.chance.random() < 0.006:
            name, by = _name(table), self.chance.choice((_JEFA, _JEFE))
            if self.chance.random() < 0.5:
                yield ask.VoidPass(name, "reparto errado", by)
            else:
                yield ask.VoidHand(name, self.chance.choice(table.bets).seat, "reparto errado", by)

    def _decide_awards(self) -> None:
        """R-21, R-34: some wait, some are rejected, held or paid, most are confirmed and paid; one is not found."""
        pending = [claim for claim in self.state().claims.values() if claim.pending]
        for claim in pending:
            if self.chance.random() < 0.15:
                continue
            if self.chance.random() < 0.08:
                self._reject(claim)
                continue
            for award, held in claim.awards.items():
                if held.pending and self.chance.random() < 0.05:
                    self._say(ask.SetAside(award, "no volvió a la mesa", _JEFA, _LUIS))
                elif held.pending:
                    self._say(ask.ConfirmAward(award, _JEFA, _JEFE), ask.PayAward(award, _CARLA))
            if self.chance.random() < 0.05:
                self._reject(claim)
        waiting = any(claim.pending for claim in self.state().claims.values())
        if waiting and self.chance.random() < 0.3:
            self.now += 31 * 60_000
            self._say(ask.LookAtClock())

    def _reject(self, claim: Claim) -> None:
        """R-29, R-34: what is rejected is rejected for good; a complementary prize may go to its seat again."""
        self._say(ask.RejectClaim(claim.id, "no se ve en cámara", _JEFA, _LUIS))
        if claim.prize and self.chance.random() < 0.5:
            self._say(ask.GrantAnew(claim.id, "era la posición sorteada", _JEFA, _LUIS))

    def _between_days(self, day: int) -> None:
        """What happens once a day: money moved, a plan that changes, training, a person who forgot his PIN."""
        table = self._tables()[day % 10]
        name = _name(table)
        pot = [name for name in self.state().pots if not name.startswith(TRAINING)][day % 2]
        part = next(iter(self.state().pots[pot].reserves))
        self._say(ask.MoveMoney(pot, "house", part, 1_000 + day, f"Res. {day}", _ANA, _JEFE))
        self._say(ask.MoveMoney(pot, part, "main", 777, f"Res. {day}", _ANA, _JEFE))
        if day % 2 == 0:  # so that the pot with a ceiling meets it
            room = (plan_of(self.state().pots[pot].documents).ceiling or 0) - self.state().pots[pot].main
            self._say(ask.MoveMoney(pot, "house", "main", max(room, 1), f"Res. {day}-b", _ANA, _JEFE))
        self._say(ask.OpenPass(name, Signature("diego", verified=False)), ask.UnlockPerson("diego", _ANA))
        seat = table.seats[0]
        if not seat.bet:
            self._say(
                ask.CountSeat(name, 1, seat.credits + 500, _JEFE, _LUIS), ask.ClearSuspense(name, "conteo", _JEFE, _ANA)
            )
        documents = self.documents[day % len(self.documents)]
        self._say(ask.OpenPass(name, _CARLA))
        self._say(ask.StagePlan(documents.plan, documents.ruleset, _ANA, _LUIS), ask.WithdrawPlan(pot, _ANA))
        self._say(ask.VoidPass(name, "sin jugadores", _JEFA))
        other = documents.plan.replace("commission_ppm = 1875", f"commission_ppm = 1{day % 10}75")
        self._say(ask.StagePlan(other, documents.ruleset, _ANA, _LUIS))

    def _empty_tables(self) -> None:
        """The end of a day: every player takes or leaves what is his; training begins and ends."""
        self._decide_awards()
        for table in self._tables():
            name = _name(table)
            for seat in table.seats:
                if seat.unsigned:
                    chief = _JEFE if _JEFE.person not in seat.voided_by else _JEFA
                    self._say(ask.SignVoid(name, seat.number, chief))
                if seat.owed:
                    self._say(ask.PayOwed(name, seat.number, _CARLA, _JEFA.person, _JEFE))
                if seat.credits and self.chance.random() < 0.8 and not seat.promo:
                    self._say(ask.CashOut(name, seat.number, _CARLA))
                elif seat.credits or seat.promo:
                    self._say(ask.LeaveCredits(name, seat.number, _CARLA, _JEFE))
            left = self.state().tables[table.name].left
            if left:
                self._say(ask.PayLeft(name, left, _CARLA, _JEFE))
            if table.training:
                self._say(ask.EndTraining(name, _JEFE))
        chosen = _name(self.chance.choice(self._tables()))
        self._say(ask.StartTraining(chosen, _CARLA, _JEFE), ask.OpenPass(chosen))
        self._say(ask.BuyCredits(chosen, 1, 10, _CARLA))
        self._say(ask.SeatReport(chosen, 1, Device(5, 1, 1)))
        self._say(ask.SeatReport(chosen, 1, Device(5, 1, 2, bets=2), bet_seq=2), ask.LampSeen(chosen, 1, Lamp.LIT))
        self._say(ask.Lock(chosen), ask.SeatReport(chosen, 1, Device(5, 1, 3, bets=2), locked=True, cut=2, bet_seq=2))
        self._say(ask.RegisterClaim(chosen, (Hand(1, claimed="full"),), _CARLA), ask.ClosePass(chosen))
        self._say(ask.EndTraining(chosen, _JEFE))


def _name(table: Table) -> str:
    """The name the floor knows a table by."""
    assert table.seats, "R-7: a table has seats"
    return table.name.removeprefix(TRAINING)


def _date(at: int) -> str:
    """The name of a gaming day."""
    assert at >= START, "the rehearsal has begun"
    return datetime.fromtimestamp(at // 1000, UTC).date().isoformat()
