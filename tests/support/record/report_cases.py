"""A node in memory for the tests of reports: real inputs through the real machine, its facts as a record.

Theory. Nothing here decides anything: people press, units report, the machine answers. What comes out is what a store
would hold, so a report, an explanation or the meters can be asked of it in no time.
"""

import hashlib
import random
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from controller.core.draws import wanted, what_the_seed_says
from controller.core.facts import Entry, Fact, IdReused, PassSealed, Refused
from controller.core.inputs import (
    BuyCredits,
    CashOut,
    ClearSuspense,
    CloseDay,
    ClosePass,
    CloseSeat,
    ConfirmAward,
    CorrectClaim,
    CountSeat,
    EndTraining,
    EnrolPerson,
    FoundNode,
    Input,
    LampSeen,
    LeaveCredits,
    Lock,
    LookAtClock,
    MoveMoney,
    OpenDay,
    OpenPass,
    OpenSeat,
    PayAward,
    PayLeft,
    PayOwed,
    RegisterClaim,
    RejectClaim,
    RestoreNode,
    SeatReport,
    ShowCard,
    SignVoid,
    StagePlan,
    StartTraining,
    UnlockPerson,
    VoidHand,
    VoidPass,
    WithdrawPlan,
)
from controller.core.ledger import postings
from controller.core.machine import answer, apply
from controller.core.state import State
from controller.core.values import ClaimPhase, Device, Hand, Lamp, Phase, Role, Signature
from controller.documents import shelf
from controller.record.record import BalanceRow, CheckpointRow, FactRow, PostingRow
from controller.report.figures import Figure
from controller.report.meters import MetersNow
from controller.report.value import Report
from controller.rules.calendar import day_number
from controller.rules.complementary import commitment
from support.floor.told import told
from support.laws import as_own, naming
from support.nonces import nonce_of

ANA, BETO, CARLA, DORA = (Signature(name) for name in ("ana", "beto", "carla", "dora"))
SEED = bytes(range(32))
START = 1_793_531_200_000  # before noon of 2026-11-01
DAY = 86_400_000
VERIFIER = "$argon2id$of nobody"
SECRET = hashlib.sha256(VERIFIER.encode()).hexdigest()
ROYAL = ("Th", "Jh", "Qh", "Kh", "Ah")
STRAIGHT_FLUSH = ("5s", "6s", "7s", "8s", "9s")

PLAN = """
name = "estelar"
title = "Pozo Estelar"
ruleset = "scj-2023"
resolution = "Res. Ex. N° 100/2026"
registration = "Reg. Interc. 12/2026"
commission_ppm = 200000
[allocation]
main_ppm = 900000
[[allocation.reserves]]
name = "reserva0"
ppm = 100000
[pot]
base = 5000000
ceiling = 400000000
[bets]
credit_value = 1000
min_bet = 1000
max_bet = 5000
[awards]
two_persons_above = 100000
[[tables]]
name = "DP-01"
casino = "central"
modality = "draw"
min_bet = 1000
max_bet = 5000
[[tables]]
name = "TX-01"
casino = "norte"
modality = "texas_plus"
min_bet = 1000
max_bet = 5000
"""
PRIZES = """
[[complementary]]
name = "Jugador Afortunado"
amount = 10000
drawn = "seat"
paid_in = "cash"
from = "main"
one_in = 1
[[complementary]]
name = "Carta"
amount = 20000
drawn = "card"
paid_in = "cash"
from = "reserva0"
one_in = 1
[[complementary]]
name = "Regalo"
amount = 3000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
within_minutes = 1
authorisation = "Aut. 7"
[[complementary]]
name = "Nunca"
amount = 3000
drawn = "seat"
paid_in = "cash"
from = "main"
one_in = 4000000000
"""


class Memory:
    """A record that was never written."""

    place, node, epoch = "memoria", "caja-1", 1

    def __init__(self, rows: Iterable[FactRow] = ()) -> None:
        self.rows = list(rows)
        self.signed: list[CheckpointRow] = []

    def facts(self, first: int = 1, last: int | None = None) -> Iterator[FactRow]:
        return iter([row for row in self.rows if row.seq >= first and (last is None or row.seq <= last)])

    def postings(self, first: int = 1, last: int | None = None) -> Iterator[PostingRow]:
        for row in self.facts(first, last):
            for number, line in enumerate(postings(msgspec.json.decode(row.body, type=Entry).fact), 1):
                yield PostingRow(row.seq, number, line.account, line.amount, line.cause)

    def balance_rows(self) -> list[BalanceRow]:
        found: dict[str, tuple[int, int]] = {}
        for row in self.postings():
            amount, _ = found.get(row.account, (0, 0))
            found[row.account] = (amount + row.amount, row.fact)
        return [BalanceRow(account, *rest) for account, rest in found.items()]

    def checkpoints(self) -> list[CheckpointRow]:
        return self.signed

    def sign(self, seq: int | None = None) -> None:
        seq = seq or self.rows[-1].seq
        self.signed.append(CheckpointRow(seq, b'{"seq":%d,"hash":"%064x"}' % (seq, seq * 2**200), b""))

    def outcome_rows(self) -> list[Any]:
        return []

    snapshots = people = positions = outcome_rows

    def schema(self) -> None:
        return None


def record_of(*facts: Fact, start: int = START, step: int = 1000) -> Memory:
    """Hand-made facts as a record."""
    rows = []
    for seq, fact in enumerate(facts, 1):
        entry = Entry(seq, start + seq * step, ("a", 1, seq), "00", fact)
        kind = str(type(fact).__struct_config__.tag)
        rows.append(FactRow(seq, entry.at, kind, msgspec.json.encode(entry), b""))
    return Memory(rows)


class Floor:
    """Two tables, a croupier and a chief."""

    def __init__(self, plan: str = PLAN, node: str = "caja-1") -> None:
        self.record = Memory()
        self.state, self.clock, self.number = State(), START, 0
        self.asked: list[tuple[int, Input]] = []
        self.told: list[tuple[int, Fact]] = []
        self.units: dict[tuple[str, int], Device] = {}
        self.day = 0
        self.ask(FoundNode(node, "k" * 64, ("ana", "beto")))
        for person, role in (("carla", Role.CROUPIER), ("dora", Role.CHIEF)):
            self.ask(EnrolPerson(person, person.title(), (role,), SECRET, ANA, BETO, known=True))
        law = naming((shelf() / "rulesets" / "scj-2023.toml").read_text(), "Carta", 20_000)
        self.law = law
        self.ask(StagePlan(plan, law, ANA, BETO))

    def ask(self, asked: Input, *, refused: bool = False, later: int = 1000) -> tuple[Fact, ...]:
        """One input; the facts that answered it."""
        if isinstance(asked, StagePlan):
            asked = StagePlan(*as_own(asked.plan, asked.ruleset), asked.by, asked.second)
        self.clock += later
        self.number += 1
        self.asked.append((self.clock, asked))
        facts = answer(self.state, asked, self.clock, told(self.state, asked, self.told))
        was_refused = any(isinstance(fact, Refused) for fact in facts)
        assert was_refused is refused, facts
        for fact in facts:
            self.write(fact)
        return facts

    def write(self, fact: Fact) -> None:
        self.state = apply(self.state, self.clock, fact)
        self.told.append((self.clock, fact))
        seq = len(self.record.rows) + 1
        entry = Entry(seq, self.clock, ("consola", 1, self.number), "00", fact)
        body = msgspec.json.encode(entry)
        self.record.rows.append(FactRow(seq, self.clock, str(type(fact).__struct_config__.tag), body, b""))

    def open_day(self, name: str | None = None) -> None:
        self.day += 1
        name = name or f"2026-11-{self.day:02d}"
        self.clock = max(self.clock, START % DAY + (day_number(name) or 0) * DAY)
        self.ask(OpenDay(name, commitment(SEED), DORA, nonce_of(f"{name} 1")))

    def close_day(self) -> None:
        for table in list(self.state.tables.values()):
            for seat in table.seats:
                if seat.unsigned:
                    self.ask(SignVoid(table.name, seat.number, DORA))
                if seat.credits or seat.promo:
                    if seat.credits:
                        self.ask(CashOut(table.name, seat.number, CARLA))
                    if self.state.tables[table.name].seat(seat.number).promo:
                        self.ask(LeaveCredits(table.name, seat.number, DORA, ANA))
                if seat.owed:
                    self.ask(PayOwed(table.name, seat.number, CARLA, "dora", DORA))
        self.ask(CloseDay(SEED.hex(), DORA))

    def unit(self, table: str, seat: int, **more: int) -> Device:
        """A unit whose totals moved on by so much."""
        old = self.units.get((table, seat)) or Device(seat, 1, 1)
        if (table, seat) not in self.units:
            self.ask(SeatReport(table, seat, old))
        new = msgspec.structs.replace(
            old, seq=old.seq + 1, **{name: getattr(old, name) + value for name, value in more.items()}
        )
        self.units[table, seat] = new
        return new

    def bet(self, table: str, seat: int, pressed: int, *, lit: bool = True) -> None:
        """Credits bought, bet, and the lamp seen."""
        held = self.state.tables[table].seat(seat)
        if (held.credits + held.promo) // 1000 < pressed:
            self.ask(BuyCredits(table, seat, pressed, CARLA))
        self.ask(SeatReport(table, seat, self.unit(table, seat, bets=pressed)))
        if lit:
            self.ask(LampSeen(table, seat, Lamp.LIT))

    def lock(self, table: str) -> None:
        """Locked, every unit proven, the seed asked."""
        self.ask(Lock(table, CARLA))
        for name, seat in list(self.units):
            at = self.state.tables[table].seat(seat)
            if name == table and not at.out_of_play and self.state.tables[table].phase is Phase.LOCKING:
                if at.bet and at.lamp is Lamp.DARK:
                    self.ask(LampSeen(table, seat, Lamp.FAULT))
                unit = self.units[name, seat]
                if not self.state.tables[table].seat(seat).out_of_play:
                    self.ask(SeatReport(table, seat, unit, locked=True, cut=unit.seq))
        while due := wanted(self.state, self.state.tables[table]):
            self.ask(what_the_seed_says(SEED, due[0]))

    def play(
        self, table: str, bets: dict[int, int], hands: Iterable[Hand] = (), community: tuple[str, ...] = ()
    ) -> None:
        """A whole pass: bets, lock, hands, close."""
        self.ask(OpenPass(table, CARLA))
        for seat, pressed in bets.items():
            self.bet(table, seat, pressed)
        self.lock(table)
        if hands:
            self.ask(RegisterClaim(table, tuple(hands), CARLA, community))
        self.ask(ClosePass(table, CARLA))

    def pay(self, award: str) -> None:
        self.ask(ConfirmAward(award, DORA, ANA))
        self.ask(PayAward(award, CARLA))

    def last(self, kind: type[Fact] = PassSealed) -> Entry:
        """The newest fact of a kind, with its number."""
        for row in reversed(self.record.rows):
            entry = msgspec.json.decode(row.body, type=Entry)
            if isinstance(entry.fact, kind):
                return entry
        raise LookupError(kind)


def color(seat: int) -> Hand:
    return Hand(seat, claimed="color")


def evening() -> Floor:
    """Two days at two tables: wins, a rejection, a void, a broken lamp, a move of money; one award is left pending."""
    floor = Floor()
    floor.open_day()
    floor.play("DP-01", {1: 1, 3: 5}, [color(1), Hand(3, cards=STRAIGHT_FLUSH)])
    floor.pay("DP-01/1/1/1")
    floor.play("TX-01", {2: 3, 4: 1})
    floor.play("TX-01", {2: 2}, [color(2)])
    floor.ask(RejectClaim("TX-01/2/1", "la cámara muestra otra mano", DORA, ANA))
    floor.ask(OpenPass("DP-01", CARLA))
    floor.bet("DP-01", 1, 2)
    floor.bet("DP-01", 2, 4)
    floor.bet("DP-01", 5, 1, lit=False)
    floor.lock("DP-01")
    floor.ask(VoidHand("DP-01", 2, "carta a la vista", CARLA))
    floor.ask(ClosePass("DP-01", CARLA))
    floor.close_day()
    floor.pay("DP-01/1/1/2")
    floor.ask(MoveMoney("estelar", "house", "reserva0", 70_000, "Res. 7", ANA, DORA))
    floor.open_day()
    floor.play("DP-01", {1: 5, 2: 1}, [Hand(2, cards=ROYAL), color(1)])
    floor.ask(BuyCredits("DP-01", 9, 1, CARLA), refused=True)
    floor.record.sign(20)
    return floor


def wander(seed: int, passes: int = 12) -> Floor:
    """A random history: anything that people and units may do, in any order."""
    chance = random.Random(seed)
    floor = Floor(PLAN + PRIZES)
    floor.open_day()
    for _ in range(passes):
        table = chance.choice(["DP-01", "TX-01"])
        seats = [seat for seat in range(1, 7) if not floor.state.tables[table].seat(seat).out_of_play]
        bets = {seat: chance.randint(1, 5) for seat in chance.sample(seats, chance.randint(0, min(3, len(seats))))}
        winners = [seat for seat in bets if chance.random() < 0.4]
        hands = [Hand(seat, claimed=chance.choice(["color", "full"])) for seat in winners]
        floor.play(table, bets, hands if table == "DP-01" else [])
        for claim in list(floor.state.claims.values()):
            act = chance.random()
            if claim.pending and act < 0.5:
                for award, held in claim.awards.items():
                    if not held.paid:
                        floor.pay(award)
            elif claim.pending and act < 0.7 and claim.phase is ClaimPhase.HELD and not claim.prize:
                floor.ask(RejectClaim(claim.id, "otra mano", DORA, ANA))
        if chance.random() < 0.2:
            floor.close_day()
            floor.open_day()
    return floor


def everything() -> Floor:
    """A month in which everything happens that can happen, with prizes that are drawn, and an inch below the ceiling."""
    plan = (PLAN + PRIZES).replace("ceiling = 400000000", "ceiling = 5002000")
    floor = Floor(plan)
    other = plan.replace('"estelar"', '"otro"')
    floor.ask(EnrolPerson("tito", "Tito", (Role.TECHNICIAN,), SECRET, ANA, BETO, known=True))
    floor.ask(StagePlan(other, floor.law, ANA, BETO), refused=True)
    floor.open_day()
    floor.play("DP-01", {1: 5, 2: 1}, [color(1), Hand(2, claimed="full"), Hand(3, acts=("folded",))])
    trouble_at_the_seats(floor)
    money_that_is_left(floor)
    late_winners(floor)
    clocks_and_pins(floor)
    a_pass_that_is_undone(floor)
    train(floor)
    floor.close_day()
    floor.ask(MoveMoney("estelar", "main", "reserva0", 1_000, "Res. 8", ANA, DORA))
    floor.open_day("2026-12-01")
    floor.ask(OpenPass("DP-01", CARLA))
    floor.ask(StagePlan(plan, floor.law, ANA, BETO))
    floor.ask(WithdrawPlan("estelar", ANA))
    floor.ask(RestoreNode(2, "se copió", ANA, BETO))
    floor.record.sign()
    return floor


def trouble_at_the_seats(floor: Floor) -> None:
    """Chips, a second press, a silent unit, a broken lamp, a card that is shown; a pass void before it was sealed."""
    floor.ask(OpenPass("DP-01", CARLA))
    floor.ask(SeatReport("DP-01", 4, floor.unit("DP-01", 4, chips=7)))
    floor.ask(LampSeen("DP-01", 4, Lamp.LIT))
    floor.bet("DP-01", 5, 2)
    floor.ask(SeatReport("DP-01", 5, floor.unit("DP-01", 5, bets=1)))
    floor.ask(CloseSeat("DP-01", 5, "=silencio", None))
    floor.bet("DP-01", 6, 1, lit=False)
    floor.ask(LampSeen("DP-01", 6, Lamp.FAULT))
    floor.lock("DP-01")
    floor.ask(ShowCard("DP-01", "Carta", 4, CARLA))
    floor.ask(ClosePass("DP-01", CARLA))
    floor.pay("DP-01/2/p3/1")
    floor.ask(PayOwed("DP-01", 4, CARLA, "dora"))
    floor.ask(OpenSeat("DP-01", 5, Signature("tito")))
    floor.ask(OpenPass("DP-01", CARLA))
    floor.bet("DP-01", 1, 1)
    floor.ask(VoidPass("DP-01", "mal repartido", CARLA))
    floor.ask(OpenPass("DP-01", CARLA))
    floor.ask(VoidPass("DP-01", "nadie apostó", CARLA))
    floor.play("TX-01", {}, [])


def money_that_is_left(floor: Floor) -> None:
    """A count that differs, credits whose player is gone."""
    floor.ask(CountSeat("DP-01", 1, 4_000, DORA, ANA))
    floor.ask(ClearSuspense("DP-01", "no se explica", DORA, ANA))
    floor.ask(LeaveCredits("DP-01", 1, DORA, ANA))
    floor.ask(PayLeft("DP-01", 1_000, DORA, ANA))


def late_winners(floor: Floor) -> None:
    """One that was none, and one that was."""
    floor.pay("DP-01/1/1/1")
    same = (color(1), Hand(2, claimed="full"), Hand(3, acts=("folded",)))
    floor.ask(CorrectClaim("DP-01", 1, same, "x", DORA, ANA), refused=True)
    shared = ("9c", "9s", "2h")
    seen = (Hand(1, cards=("9h", "9d")), Hand(2, cards=("8h", "7h")))
    floor.play("TX-01", {1: 5, 2: 3, 3: 1}, seen, shared)
    floor.pay("TX-01/2/1/1")
    floor.ask(CorrectClaim("TX-01", 2, (*seen, Hand(3, cards=("2d", "2c"))), "cámara", DORA, ANA, shared, "G-1"))


def clocks_and_pins(floor: Floor) -> None:
    """Overdue awards, a clock that steps back, an id used twice, a wrong PIN."""
    floor.ask(LookAtClock(), later=31 * 60_000)
    floor.ask(LookAtClock())
    floor.ask(LookAtClock(), later=-5_000)
    floor.write(IdReused("consola", 1, 7))
    for _ in range(5):
        floor.ask(BuyCredits("DP-01", 1, 1, Signature("carla", verified=False)), refused=True)
    floor.ask(UnlockPerson("carla", DORA))


def a_pass_that_is_undone(floor: Floor) -> None:
    """The whole pot won and rejected, then the pass void."""
    floor.ask(OpenPass("DP-01", CARLA))
    floor.bet("DP-01", 1, 3)
    floor.bet("DP-01", 2, 2)
    floor.lock("DP-01")
    floor.ask(RegisterClaim("DP-01", (Hand(1, cards=ROYAL), Hand(2, cards=STRAIGHT_FLUSH)), CARLA))
    floor.ask(RejectClaim("DP-01/5/1", "cartas cambiadas", DORA, ANA))
    floor.ask(RejectClaim("DP-01/5/p1", "el sorteo se anula con el pase", DORA, ANA))
    floor.ask(VoidPass("DP-01", "baraja marcada", CARLA))


def train(floor: Floor) -> None:
    """A table practises."""
    floor.ask(StartTraining("TX-01", DORA, ANA))
    floor.ask(OpenPass("TX-01", CARLA))
    floor.ask(BuyCredits("TX-01", 1, 3, CARLA))
    unit = floor.units["TX-01", 1]
    floor.ask(SeatReport("TX-01", 1, unit))
    floor.ask(SeatReport("TX-01", 1, msgspec.structs.replace(unit, seq=unit.seq + 1, bets=unit.bets + 2)))
    floor.ask(LampSeen("TX-01", 1, Lamp.LIT))
    floor.ask(Lock("TX-01", CARLA))
    floor.ask(
        SeatReport(
            "TX-01",
            1,
            msgspec.structs.replace(unit, seq=unit.seq + 1, bets=unit.bets + 2),
            locked=True,
            cut=unit.seq + 1,
        )
    )
    floor.ask(RegisterClaim("TX-01", (color(1),), CARLA))
    floor.ask(ClosePass("TX-01", CARLA))
    floor.ask(EndTraining("TX-01", DORA))
    floor.units = {key: unit for key, unit in floor.units.items() if key[0] != "TX-01"}


def total(report: Report, key: str, detail: str = "") -> Figure | None:
    """A figure over the whole report."""
    at_top = (one for one in report.figures if one.level == "total")
    return next((one for one in at_top if (one.key, one.detail) == (key, detail)), None)


def agree(now: MetersNow) -> bool:
    """Whether the machine had counted the same at the close of every day."""
    return not any(pot.differs for pot in now.pots)
