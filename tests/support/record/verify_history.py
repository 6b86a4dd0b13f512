"""A casino's evening, played into a real record: what the tests of `pozo verify` and of the export look at.

One table of each kind, units that count like real ones, every kind of fact at least once. Chance comes from a seed, so the
same evening can be played again. The Book writes; nothing here knows what it writes.
"""

import hashlib
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.core import inputs as ask
from controller.core.draws import wanted, what_the_seed_says
from controller.core.facts import Fact, Refused
from controller.core.inputs import Input
from controller.core.state import State
from controller.core.values import Bounds, Box, Device, Hand, Lamp, Role, Signature, TerminalUse, Unproven
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.pins import secret_of
from controller.node.store.rows import OutcomeKey
from support.core.points import point_of, web_key_of
from support.laws import as_own, naming
from support.nonces import nonce_of
from support.places import CONFIG

START = 1_793_534_400_000  # noon of 2026-11-01
DAY = 86_400_000

_PRIZES = """
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
name = "Hora Mágica"
amount = 2000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
within_minutes = 1
authorisation = "Aut. 7"

[[complementary]]
name = "Carta Mágica"
amount = 15000
drawn = "card"
paid_in = "cash"
from = "reserva0"
one_in = 2
"""


def ruleset(name: str = "scj-2023", **readings: str) -> str:
    """A ruleset of ours, with other readings (R-33)."""
    text = (CONFIG / "rulesets" / f"{name}.toml").read_text()
    for key, value in readings.items():
        text = "\n".join(f'{key} = "{value}"' if line.startswith(f"{key} =") else line for line in text.split("\n"))
    return text


def plan(name: str = "pozo-estelar", resolution: str = "", extra: str = "", **numbers: int) -> str:
    text = (CONFIG / "plans" / f"{name}.toml").read_text()
    for key, value in numbers.items():
        text = "\n".join(f"{key} = {value}" if line.startswith(f"{key} =") else line for line in text.split("\n"))
    if resolution:
        text = text.replace("Res. Ex. N° 100/2026 (ejemplo)", resolution)
    return text + extra


def key_of(name: str) -> Key:
    """The same key every time, so that the same evening gives the same bytes."""
    return Key(Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest()))


class Unit:
    """A seat unit: totals that only grow."""

    def __init__(self, serial: int) -> None:
        self.serial, self.epoch, self.seq = serial, 1, 1
        self.bets = self.voided = self.chips = self.late = 0

    def device(self) -> Device:
        return Device(self.serial, self.epoch, self.seq, self.bets, self.voided, self.chips, self.late)

    def count(self, **more: int) -> Device:
        self.seq = (self.seq + 1) % 2**32
        for name, value in more.items():
            setattr(self, name, (getattr(self, name) + value) % 2**32)
        return self.device()


class Floor:
    """A node at work: everything that is asked of it goes through here, many at once."""

    def __init__(self, folder: Path | str, seed: int = 1, node: str = "central-1") -> None:
        """In a folder, or at the address of an empty PostgreSQL database."""
        self.chance = random.Random(seed)
        self.key = key_of("central-1")
        self.path = folder if isinstance(folder, str) else folder / "book.db"
        self.now = START
        self.book = Book.create(self.path, self.key, node, ("ana", "bea"), self.now)
        self.numbers: dict[str, int] = {}
        self.waiting: list[Asked] = []
        self.units: dict[tuple[str, int], Unit] = {}
        self.seeds: dict[int, bytes] = {}
        self.day = 0

    def put(self, asked: Input, source: str = "piso", verifier: str = "", ms: int = 40, at: int | None = None) -> None:
        """Asked with the next commit."""
        self.now += ms
        number = self.numbers[source] = self.numbers.get(source, 0) + 1
        self.waiting.append(Asked(OutcomeKey(source, 1, number), self.now if at is None else at, asked, verifier))

    def ask(self, asked: Input, **how: Any) -> tuple[Fact, ...]:
        """Asked now; the facts that answer it."""
        self.put(asked, **how)
        return self.commit()[-1]

    def must(self, asked: Input, **how: Any) -> tuple[Fact, ...]:
        facts = self.ask(asked, **how)
        assert not any(isinstance(fact, Refused) for fact in facts), facts
        return facts

    def commit(self) -> list[tuple[Fact, ...]]:
        answers = self.book.take(self.waiting)
        self.waiting = []
        return [answer.facts for answer in answers]

    @property
    def state(self) -> State:
        return self.book.state

    def people(self) -> None:
        two = {"by": Signature("ana"), "second": Signature("bea")}
        for person, role in (
            ("carla", Role.CHIEF),
            ("dario", Role.CHIEF),
            ("eva", Role.CROUPIER),
            ("franco", Role.TECHNICIAN),
            ("gala", Role.AUDITOR),
        ):
            verifier = f"$argon2id$of-{person}"
            secret = hashlib.sha256(verifier.encode()).hexdigest()
            self.must(ask.EnrolPerson(person, person.title(), (role,), secret, **two, known=True), verifier=verifier)

    def stage(self, plan_text: str, ruleset_text: str) -> tuple[Fact, ...]:
        return self.must(ask.StagePlan(*as_own(plan_text, ruleset_text), Signature("ana"), Signature("carla")))

    def open_day(self) -> None:
        self.day += 1
        self.now = max(self.now, START + (self.day - 1) * DAY)
        seed = self.seeds[self.day] = hashlib.sha256(f"semilla {self.day}".encode()).digest()
        name = f"2026-11-{self.day:02}"
        self.must(ask.OpenDay(name, hashlib.sha256(seed).hexdigest(), Signature("carla"), nonce_of(f"{name} 2")))

    def close_day(self) -> None:
        self.must(ask.CloseDay(self.seeds[self.day].hex(), Signature("carla")))

    def unit(self, table: str, seat: int) -> Unit:
        if (table, seat) not in self.units:
            self.units[table, seat] = Unit(1000 * len(self.units) + seat)
            self.put(ask.SeatReport(table, seat, self.units[table, seat].device()))
        return self.units[table, seat]

    def bet(self, table: str, seat: int, pressed: int, *, lit: bool = True) -> None:
        """An electronic bet, and what its lamp then shows."""
        unit = self.unit(table, seat)
        self.put(ask.BuyCredits(table, seat, pressed, Signature("eva")))
        self.put(ask.SeatReport(table, seat, unit.count(bets=pressed)))
        if lit:
            self.put(ask.LampSeen(table, seat, Lamp.LIT))

    def drop(self, table: str, seat: int, chips: int, *, lit: bool = True) -> None:
        """Chips into a slot."""
        self.put(ask.SeatReport(table, seat, self.unit(table, seat).count(chips=chips)))
        if lit:
            self.put(ask.LampSeen(table, seat, Lamp.LIT, seen_by="croupier"))

    def lock(self, table: str) -> None:
        self.put(ask.Lock(table))
        for name, seat in self.units:
            if name == table:
                unit = self.units[name, seat]
                self.put(ask.SeatReport(table, seat, unit.count(), locked=True, cut=unit.seq, bet_seq=0))
        self.commit()

    def draws(self, table: str) -> None:
        """What the seed says, for all prizes of the pass."""
        while due := wanted(self.state, self.state.tables[table]):
            self.must(what_the_seed_says(self.seeds[self.day], due[0]))

    def give_back(self, table: str) -> None:
        """The units give back what they were told to."""
        for name, seat in self.units:
            told = self.state.tables[table].seats[seat - 1].giving_back if name == table else 0
            if told:
                self.put(ask.SeatReport(table, seat, self.units[name, seat].count(voided=told)))
        self.commit()

    def empty(self, table: str) -> None:
        """Every player takes what is his."""
        for seat in self.state.tables[table].seats:
            if seat.unsigned:
                chief = next(name for name in ("carla", "dario") if name not in seat.voided_by)
                self.put(ask.SignVoid(table, seat.number, Signature(chief)))
            if seat.credits:
                self.put(ask.CashOut(table, seat.number, Signature("eva")))
            if seat.promo:
                self.put(ask.LeaveCredits(table, seat.number, Signature("carla"), Signature("dario")))
            if seat.owed:
                self.put(ask.PayOwed(table, seat.number, Signature("eva"), "carla" if seat.over else ""))
        self.commit()

    def simple_pass(self, table: str) -> None:
        """Some bets, no winner."""
        self.put(ask.OpenPass(table))
        for seat in self.chance.sample(range(1, 7), self.chance.randint(1, 5)):
            self.bet(table, seat, self.chance.randint(1, 5), lit=self.chance.random() < 0.95)
        self.commit()
        for one in self.state.tables[table].seats:
            if one.bet and one.lamp is Lamp.DARK:
                self.put(ask.LampSeen(table, one.number, Lamp.LIT))
        self.lock(table)
        self.draws(table)
        self.must(ask.ClosePass(table))
        self.give_back(table)

    def claim(self, table: str, hands: Iterable[Hand], **more: Any) -> tuple[Fact, ...]:
        return self.must(ask.RegisterClaim(table, tuple(hands), Signature("eva"), **more))

    def pay_all(self, claim: str) -> None:
        for award, held in list(self.state.claims[claim].awards.items()):
            if not held.pending:
                continue
            if not held.confirmed:
                self.must(ask.ConfirmAward(award, Signature("carla"), Signature("ana")))
            self.must(ask.PayAward(award, Signature("eva")))


COLOR = ("2h", "5h", "7h", "9h", "Kh")
FULL = ("8c", "8d", "8s", "Jc", "Jd")
POKER = ("4c", "4d", "4h", "4s", "9c")
STRAIGHT_FLUSH = ("5s", "6s", "7s", "8s", "9s")
OTHER_STRAIGHT_FLUSH = ("5d", "6d", "7d", "8d", "9d")
ROYAL = ("Ts", "Js", "Qs", "Ks", "As")
NOTHING = ("2c", "5d", "9s", "Jh", "Ac")


def first_day(floor: Floor) -> None:
    """A day on which nearly everything happens once."""
    floor.people()
    floor.stage(plan(extra=_PRIZES, base=700_000, ceiling=900_000), naming(ruleset(), "Carta Mágica"))
    floor.open_day()
    winners(floor)
    royal_and_rejection(floor)
    errors(floor)
    voids_and_lamps(floor)
    slots(floor)
    desk(floor)
    training(floor)
    odd_inputs(floor)
    tending(floor)
    renamed(floor)
    finish_day(floor)


def renamed(floor: Floor) -> None:
    """R-27: the open day, and the right name again."""
    by, second = Signature("carla"), Signature("ana")
    floor.must(ask.RenameDay("2026-10-31", "se creyó que era ayer", by, second))
    floor.must(ask.RenameDay("2026-11-01", "no era ayer", by, second))


def day_without_seed(floor: Floor) -> None:
    """R-30: its seed is lost in the middle of the evening."""
    floor.open_day()
    floor.simple_pass("DP-01")
    floor.must(ask.LoseSeed("", "se rompió el disco", Signature("carla"), Signature("ana")))
    floor.simple_pass("DP-01")
    finish_day(floor)


def tending(floor: Floor) -> None:
    """R-27: what persons tell devices, beside the play."""
    floor.must(ask.TryLamps("CP-01", Signature("franco")))
    floor.must(ask.TellLamps("CP-01", (7,), Signature("eva")))
    floor.must(ask.OpenSeat("CP-01", 7, Signature("franco")))
    floor.must(ask.TrySign("letrero", Signature("eva")))
    floor.must(ask.CountUnproven(Unproven.UNKNOWN, 1_002, 314, floor.now - 60_000))
    floor.must(ask.UnlockTable("CP-01", Signature("eva")))
    floor.must(ask.UnlockTable("CP-01", Signature("eva")))
    floor.must(ask.ClearFaults("CP-01", 2, Signature("franco")))
    floor.must(ask.VoidPass("CP-01", "prueba", Signature("carla")))


def winners(floor: Floor) -> None:
    """Several winners, paid in order; a late one; an overdue alarm; a folded hand."""
    floor.put(ask.OpenPass("DP-01", Signature("eva")))
    for seat in (1, 2, 3, 4):
        floor.bet("DP-01", seat, seat)
    floor.commit()
    floor.lock("DP-01")
    floor.draws("DP-01")
    hands = [
        Hand(2, cards=FULL),
        Hand(1, cards=COLOR, claimed="color"),
        Hand(3, acts=("folded",)),
        Hand(6, acts=("folded",)),
    ]
    floor.claim("DP-01", hands)
    claim = "DP-01/1/1"
    show_cards(floor, "DP-01")
    floor.now += 31 * 60_000
    floor.must(ask.LookAtClock())
    floor.must(ask.ConfirmAward(f"{claim}/1", Signature("carla")))
    floor.pay_all(claim)
    late = (*hands, Hand(4, cards=POKER))
    floor.must(ask.CorrectClaim("DP-01", 1, late, "cámara", Signature("carla"), Signature("dario")))
    floor.pay_all(claim)
    floor.must(ask.ClosePass("DP-01", Signature("eva")))


def show_cards(floor: Floor, table: str) -> None:
    """R-29: whoever bet and has the drawn card shows it."""
    shown = {card for hands in floor.state.claims.values() for hand in hands.hands for card in hand.cards}
    for prize, card in dict(floor.state.tables[table].cards).items():
        if card not in shown:
            seat = floor.state.tables[table].bets[-1].seat
            floor.ask(ask.ShowCard(table, prize, seat, Signature("eva")))


def royal_and_rejection(floor: Floor) -> None:
    """100 % of the pot, with the base put back; rejected; registered anew and paid; a claim of another game between."""
    floor.put(ask.OpenPass("TX-01"))
    for seat in (1, 2, 5):
        floor.bet("TX-01", seat, 5)
    floor.commit()
    floor.lock("TX-01")
    floor.draws("TX-01")
    flop = ("Ts", "Js", "Qs")
    floor.claim("TX-01", [Hand(1, cards=("Ks", "As")), Hand(2, cards=("8s", "9s"))], community=flop)
    show_cards(floor, "TX-01")
    floor.simple_pass("GO-01")
    floor.must(ask.RejectClaim("TX-01/1/1", "carta mal leída", Signature("carla"), Signature("dario")))
    floor.must(ask.ClosePass("TX-01"))
    floor.claim("TX-01", [Hand(2, cards=("8s", "9s"))], community=flop, number=1)
    floor.pay_all("TX-01/1/2")
    floor.put(ask.OpenPass("CP-01"))
    for seat in (1, 3, 7):
        floor.bet("CP-01", seat, 3)
    floor.commit()
    floor.lock("CP-01")
    floor.draws("CP-01")
    hands = [Hand(3, cards=STRAIGHT_FLUSH), Hand(1, cards=OTHER_STRAIGHT_FLUSH), Hand(7, cards=ROYAL)]
    floor.claim("CP-01", hands)
    show_cards(floor, "CP-01")
    floor.pay_all("CP-01/1/1")
    floor.must(ask.ClosePass("CP-01"))


def sealed_pass(floor: Floor, table: str, *seats: int) -> int:
    """A pass with bets of two credits, up to its claims."""
    floor.put(ask.OpenPass(table))
    for seat in seats:
        floor.bet(table, seat, 2)
    floor.commit()
    floor.lock(table)
    floor.draws(table)
    return floor.state.tables[table].number


def errors(floor: Floor) -> None:
    """R-25, R-34, R-35: a false Poker beside another table's Escalera de Color, a winner whom the croupier finds at once,
    one who cannot be found, a void hand that had won."""
    by, second = Signature("carla"), Signature("dario")
    false = sealed_pass(floor, "DP-01", 1, 2)
    floor.claim("DP-01", [Hand(1, cards=POKER)])
    floor.must(ask.ClosePass("DP-01", Signature("eva")))
    other = sealed_pass(floor, "CP-01", 1, 3)
    floor.claim("CP-01", [Hand(1, cards=OTHER_STRAIGHT_FLUSH)])
    floor.must(ask.ClosePass("CP-01", Signature("eva")))
    floor.pay_all(f"CP-01/{other}/1")
    both = (Hand(1, cards=OTHER_STRAIGHT_FLUSH), Hand(3, cards=COLOR))
    floor.must(ask.CorrectClaim("CP-01", other, both, "no se vio", Signature("eva")))
    floor.must(ask.SetAside(f"CP-01/{other}/1/2", "se fue", Signature("eva"), second))
    floor.must(ask.RejectClaim(f"DP-01/{false}/1", "era otra mano", by, second))
    floor.pay_all(f"CP-01/{other}/1")
    void = sealed_pass(floor, "DP-01", 1, 2)
    floor.claim("DP-01", [Hand(1, cards=COLOR), Hand(2, cards=FULL)])
    floor.must(ask.VoidHand("DP-01", 1, "carta vista", Signature("eva")))
    floor.must(ask.SignVoid("DP-01", 1, by))
    floor.must(ask.ClosePass("DP-01", Signature("eva")))
    floor.pay_all(f"DP-01/{void}/1")
    floor.give_back("DP-01")


def voids_and_lamps(floor: Floor) -> None:
    """R-6, R-25: lamps that fail, hands and passes that are void, before and after the seal."""
    floor.put(ask.OpenPass("GO-01"))
    for seat in (1, 2, 3, 4, 5, 6):
        floor.bet("GO-01", seat, 2, lit=seat in (1, 2, 5))
    floor.must(ask.LampDark("GO-01", 3, Signature("eva")))
    floor.put(ask.CloseSeat("GO-01", 4, "unidad muda"))
    floor.put(ask.VoidHand("GO-01", 1, "mal repartida", Signature("eva")))
    floor.commit()
    floor.put(ask.Lock("GO-01"))
    floor.put(ask.LampSeen("GO-01", 6, Lamp.FAULT))
    floor.put(ask.CloseSeat("GO-01", 5, "palanca", Signature("franco")))
    floor.commit()
    floor.put(ask.SeatReport("GO-01", 2, floor.units["GO-01", 2].count(bets=1), locked=False))
    for seat in (1, 2, 3, 4, 5, 6):
        unit = floor.units["GO-01", seat]
        floor.put(ask.SeatReport("GO-01", seat, unit.count(), locked=True, cut=unit.seq, bet_seq=unit.seq))
    floor.commit()
    floor.put(ask.VoidHand("GO-01", 2, "carta vista", Signature("eva")))
    floor.commit()
    floor.draws("GO-01")
    floor.put(ask.ClosePass("GO-01"))
    for seat in (3, 4, 5, 6):
        floor.put(ask.OpenSeat("GO-01", seat, Signature("franco")))
    floor.commit()
    floor.give_back("GO-01")
    for whole in (False, True):
        floor.put(ask.OpenPass("GO-01"))
        for seat in (1, 2):
            floor.bet("GO-01", seat, 4, lit=whole)
        floor.commit()
        if whole:
            floor.lock("GO-01")
        floor.must(ask.VoidPass("GO-01", "mazo incompleto", Signature("carla")))
        floor.give_back("GO-01")


def slots(floor: Floor) -> None:
    """R-4: chips up to the max are the bet, the rest is owed; late chips are owed whole."""
    floor.put(ask.OpenPass("DP-01"))
    floor.put(ask.SeatReport("DP-01", 5, floor.unit("DP-01", 5).device()))
    floor.drop("DP-01", 5, 2)
    floor.drop("DP-01", 5, 6)
    floor.put(ask.SeatReport("DP-01", 5, floor.unit("DP-01", 5).count(late=1)))
    floor.put(ask.PayOwed("DP-01", 5, Signature("eva"), "carla"))
    floor.drop("DP-01", 6, 1)
    floor.commit()
    floor.lock("DP-01")
    floor.put(ask.SeatReport("DP-01", 6, floor.unit("DP-01", 6).count(chips=1)))
    floor.commit()
    floor.draws("DP-01")
    floor.ask(ask.VoidHand("DP-01", 6, "ficha trabada", Signature("eva")))
    floor.must(ask.ClosePass("DP-01"))
    floor.empty("DP-01")


def desk(floor: Floor) -> None:
    """Money by two persons, counts, left credits, presses that are refused, units that are replaced."""
    two: dict[str, Any] = {"by": Signature("ana"), "second": Signature("carla")}
    floor.must(ask.MoveMoney("pozo-estelar", "house", "main", 5_000, "Res. 101", **two))
    floor.must(ask.MoveMoney("pozo-estelar", "main", "reserva0", 4_000, "Res. 102", **two))
    floor.put(ask.OpenPass("CP-01"))
    floor.put(ask.BuyCredits("CP-01", 1, 3, Signature("eva")))
    for pressed in (9, 6, 2, 1):
        floor.put(ask.SeatReport("CP-01", 1, floor.unit("CP-01", 1).count(bets=pressed)))
    floor.put(ask.SeatReport("CP-01", 1, floor.unit("CP-01", 1).count(voided=16)))
    floor.put(ask.SeatReport("CP-01", 1, floor.unit("CP-01", 1).count(voided=2)))
    floor.put(ask.SeatReport("CP-01", 1, floor.unit("CP-01", 1).count()))
    floor.put(ask.SeatReport("CP-01", 1, floor.unit("CP-01", 1).device()))
    floor.put(ask.SeatReport("CP-01", 1, floor.unit("CP-01", 1).count(bets=2, voided=2)))
    floor.put(ask.SeatReport("CP-01", 1, floor.unit("CP-01", 1).count(voided=7)))
    floor.put(ask.OpenSeat("CP-01", 1, Signature("carla")))
    floor.put(ask.BuyCredits("CP-01", 3, 2, Signature("eva")))
    floor.commit()
    floor.must(ask.LeaveCredits("CP-01", 3, Signature("carla"), Signature("dario")))
    floor.must(ask.PayLeft("CP-01", 2_000, Signature("carla"), Signature("dario")))
    unit = floor.units["CP-01", 3]
    unit.epoch, unit.bets = 2, 0
    floor.put(ask.SeatReport("CP-01", 3, unit.count()))
    floor.put(ask.CountSeat("CP-01", 1, 2_000, Signature("carla"), Signature("dario")))
    floor.put(ask.CountSeat("CP-01", 1, 2_000, Signature("carla"), Signature("dario")))
    floor.put(ask.ClearSuspense("CP-01", "una ficha de menos", Signature("carla"), Signature("dario")))
    floor.put(ask.OpenSeat("CP-01", 3, Signature("franco")))
    floor.commit()
    impossible(floor)
    floor.lock("CP-01")
    floor.draws("CP-01")
    floor.must(ask.ClosePass("CP-01"))


def impossible(floor: Floor) -> None:
    """R-37: a unit of five credits a press says what it cannot have counted; two persons count its seat."""
    unit, bounds = floor.unit("CP-01", 5), Bounds(press=5)
    floor.put(ask.BuyCredits("CP-01", 5, 2, Signature("eva")))
    floor.put(ask.SeatReport("CP-01", 5, unit.device(), bounds=bounds))
    floor.put(ask.SeatReport("CP-01", 5, unit.count(chips=1_000_000), bounds=bounds))
    floor.commit()
    floor.must(ask.CountSeat("CP-01", 5, 2_000, Signature("carla"), Signature("dario")))
    floor.must(ask.SeatReport("CP-01", 5, unit.device(), bounds=bounds))
    floor.must(ask.OpenSeat("CP-01", 5, Signature("franco")))
    floor.bet("CP-01", 5, 2)
    floor.commit()


def training(floor: Floor) -> None:
    """Another book: won there, and back to nothing."""
    floor.empty("DP-01")
    floor.must(ask.StartTraining("DP-01", Signature("carla"), Signature("dario")))
    live = {key: unit for key, unit in floor.units.items() if key[0] == "DP-01"}
    for key in live:
        del floor.units[key]
    floor.put(ask.OpenPass("DP-01"))
    for seat in (1, 2):
        floor.bet("DP-01", seat, 5)
    floor.commit()
    floor.lock("DP-01")
    number = floor.state.tables["~DP-01"].number
    floor.claim("DP-01", [Hand(1, cards=ROYAL), Hand(2, cards=POKER)])
    floor.must(ask.ConfirmAward(f"~DP-01/{number}/1/1", Signature("carla"), Signature("dario")))
    floor.must(ask.ClosePass("DP-01"))
    floor.put(ask.BuyCredits("DP-01", 3, 4, Signature("eva")))
    floor.commit()
    floor.must(ask.EndTraining("DP-01", Signature("carla")))


def odd_inputs(floor: Floor) -> None:
    """Refusals, a wrong PIN, a person unlocked, the same id twice, a clock that steps back, a plan withdrawn."""
    floor.ask(ask.PayAward("DP-01/99/1/1", Signature("eva")))
    floor.ask(ask.RejectClaim("DP-01/1/1", "tarde", Signature("carla"), Signature("carla")))
    for _ in range(5):
        floor.ask(ask.OpenPass("DP-01", Signature("eva", verified=False)))
    floor.must(ask.UnlockPerson("eva", Signature("carla")))
    boxes(floor)
    terminals(floor)
    pins_anew(floor)
    floor.ask(ask.LookAtClock())
    floor.book.take([Asked(OutcomeKey("piso", 1, 3), floor.now, ask.OpenPass("DP-01"))])
    floor.ask(ask.LookAtClock(), at=floor.now - 5_000)
    floor.must(ask.StepClock(5_000), ms=5_040)
    floor.must(ask.NoteClock(Signature("franco")))
    floor.must(ask.StepClock(6_000, stop=True), ms=6_000)
    floor.put(ask.OpenPass("GO-01"))
    floor.commit()
    floor.stage(
        plan(resolution="Res. 200", extra=_PRIZES, base=700_000, ceiling=900_000), naming(ruleset(), "Carta Mágica")
    )
    floor.must(ask.WithdrawPlan("pozo-estelar", Signature("ana")))
    floor.stage(
        plan(resolution="Res. 201", commission_ppm=150_000, base=600_000, ceiling=9_000_000, extra=_PRIZES),
        naming(ruleset(odd_units="one_each"), "Carta Mágica"),
    )
    floor.lock("GO-01")
    floor.must(ask.ClosePass("GO-01"))


def boxes(floor: Floor) -> None:
    """Two devices are seen, one gets another program, one is changed for another box."""
    seen = ("dp/1", Box(7, 1, 0x5A3C)), ("dp/2", Box(8, 1, 0)), ("dp/1", Box(7, 2, 0x11)), ("dp/2", Box(9, 1, 0))
    for place, box in seen:
        floor.must(ask.SeeFirmware("DP-01", place, box))


def terminals(floor: Floor) -> None:
    """Three browsers and a web are let in, one gets another key, one is taken away."""
    two = {"by": Signature("carla"), "second": Signature("ana")}
    floor.must(ask.EnrolTerminal("consola-1", TerminalUse.TABLE, "DP-01", point_of(1), **two))
    floor.must(ask.EnrolTerminal("tableta", TerminalUse.CHIEF, "", point_of(2), **two))
    floor.must(ask.EnrolTerminal("letrero-1", TerminalUse.SIGN, "grande", point_of(3), **two))
    floor.must(ask.EnrolTerminal("web-sur", TerminalUse.WEB, "", web_key_of(5), **two))
    floor.must(ask.EnrolTerminal("consola-1", TerminalUse.TABLE, "DP-01", point_of(4), **two))
    floor.must(ask.WithdrawTerminal("tableta", "se perdió", Signature("dario")))


def vouched(key: Key, node: str, epoch: int, at: int, secrets: Mapping[str, str], reason: str) -> str:
    """What a key signs for new PINs (docs/record.md)."""
    lines = "".join(f"{person} {secret}\n" for person, secret in secrets.items())
    return key.vouch_for_pins(f"{node}\n{epoch}\n{at}\n{lines}{reason}".encode())


def pins_anew(floor: Floor) -> None:
    """What was kept of PINs is sealed; then two make new ones, vouched for by the node's key."""
    kept = {"gala": "$pozo2$of-gala", "franco": "$pozo2$of-franco"}
    secrets = {person: secret_of(verifier) for person, verifier in kept.items()}
    floor.now += 40
    floor.book.take([Asked(OutcomeKey("pepper", 1, 1), floor.now, ask.SealVerifiers(secrets), verifiers=kept)])
    floor.now += 40
    kept = {"carla": "$pozo2$of-carla", "ana": "$pozo2$of-ana"}
    secrets = {person: secret_of(verifier) for person, verifier in kept.items()}
    proof = vouched(floor.key, floor.state.node, floor.state.epoch, floor.now, secrets, "perdidos")
    asked = ask.ReplacePins(secrets, "perdidos", proof)
    floor.book.take([Asked(OutcomeKey("pins", 1, 1), floor.now, asked, verifiers=kept)])


def finish_day(floor: Floor) -> None:
    """Every award paid, every seat empty, the seed revealed."""
    for claim, one in list(floor.state.claims.items()):
        if not one.rejected:
            floor.pay_all(claim)
    for table in list(floor.state.tables):
        floor.empty(table)
        if floor.state.tables[table].suspense:
            floor.must(ask.ClearSuspense(table, "conteo", Signature("carla"), Signature("dario")))
    floor.close_day()


def play(folder: Path | str, seed: int = 1, passes: int = 12) -> Floor:
    """The whole evening and a part of the next day; the record is closed with a checkpoint."""
    floor = Floor(folder, seed)
    floor.book.start("2f1c0d3e-0000-4000-8000-000000000000", floor.now)
    first_day(floor)
    day_without_seed(floor)
    floor.book.checkpoint()
    floor.open_day()
    for _ in range(passes):
        floor.simple_pass(floor.chance.choice(("DP-01", "CP-01", "GO-01", "TX-01")))
    floor.must(ask.RestoreNode(2, "prueba de respaldo", Signature("franco"), Signature("ana")))
    floor.simple_pass("DP-01")
    floor.book.checkpoint()
    floor.book.stop(floor.now)
    floor.book.start("2f1c0d3e-0000-4000-8000-000000000000", floor.now)
    floor.simple_pass("TX-01")
    floor.book.close()
    return floor
