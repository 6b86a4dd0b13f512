"""A gaming floor for tests: who works there, plans as text, what units report, and a `Floor` that asks the core.

Every answer is looked at as it comes: its lines add up to nothing and stay within their bounds, state and ledger agree,
and nothing that was asked ever raised. So each test of the core is a test of the invariants too.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from controller.core import facts as said
from controller.core import inputs as ask
from controller.core.accounts import refuse_bounds
from controller.core.draws import wanted
from controller.core.facts import Fact, Refused
from controller.core.inputs import Input
from controller.core.invariants import difference
from controller.core.ledger import postings
from controller.core.machine import answer, apply
from controller.core.state import AwardNow, PotNow, Seat, State, Table, in_play
from controller.core.values import Device, Flow, Hand, Lamp, Role, Signature
from controller.rules.complementary import commitment
from support.floor.told import told
from support.laws import as_own
from support.nonces import nonce_of
from support.places import CONFIG

Kind = TypeVar("Kind")
RULESETS = {path.stem: path.read_text() for path in sorted((CONFIG / "rulesets").glob("*.toml"))}

ANA, LUIS = Signature("ana"), Signature("luis")  # administrators
CARLA, DIEGO = Signature("carla"), Signature("diego")  # croupiers
JEFA, JEFE = Signature("jefa"), Signature("jefe")  # chiefs
TITO, INES = Signature("tito"), Signature("ines")  # a technician, an auditor
PEOPLE = {
    "carla": Role.CROUPIER,
    "diego": Role.CROUPIER,
    "jefa": Role.CHIEF,
    "jefe": Role.CHIEF,
    "tito": Role.TECHNICIAN,
    "ines": Role.AUDITOR,
}
SECRET = hashlib.sha256(b"un verificador").hexdigest()
SEED = b"s" * 32
DAY = "2026-11-18"
TABLE = "DP-01"
POT = "pozo"
BOUGHT = 20

ROYAL = ("Th", "Jh", "Qh", "Kh", "Ah")
STRAIGHT_FLUSH = ("5c", "6c", "7c", "8c", "9c")
POKER = ("2c", "2d", "2h", "2s", "3d")


def plan(
    name: str = POT,
    *,
    tables: Mapping[str, str | tuple[str, str]] | None = None,
    resolution: str = "Res. 1",
    **other: Any,
) -> str:
    """A plan as its document. `tables` are names with their modality, or with modality and casino; what it leaves to
    the defaults is a Chilean pot with one reserve and credits of 1,000."""
    value = {
        "law": "scj-2023", "commission": 200_000, "main": 900_000, "reserves": {"reserva": 100_000}, "base": 5_000_000,
        "ceiling": None, "credit": 1_000, "least": 1_000, "most": 5_000, "unit": None, "alone": None, "prizes": (),
        "none_registered": None, "cards_from": None, **other,
    }  # fmt: skip
    limits = [f"min_bet = {value['least']}", f"max_bet = {value['most']}"]
    lines = [
        f'name = "{name}"',
        f'title = "El {name}"',
        f'ruleset = "{value["law"]}"',
        f'resolution = "{resolution}"',
        'registration = "Registro N° 7"',
        f"commission_ppm = {value['commission']}",
        f"[allocation]\nmain_ppm = {value['main']}",
        *(f'[[allocation.reserves]]\nname = "{key}"\nppm = {ppm}' for key, ppm in value["reserves"].items()),
        f"[pot]\nbase = {value['base']}",
        *([f"ceiling = {value['ceiling']}"] if value["ceiling"] is not None else []),
        f"[bets]\ncredit_value = {value['credit']}",
        *limits,
        *([f"unit = {value['unit']}"] if value["unit"] else []),
        *_awards(value),
    ]
    for prize in value["prizes"]:
        lines += ["[[complementary]]", *(f"{key} = {written(part)}" for key, part in prize.items())]
    for table, game in (tables or {TABLE: "draw", "GO-01": "go"}).items():
        modality, casino = (game, "central") if isinstance(game, str) else game
        lines += [f'[[tables]]\nname = "{table}"\ncasino = "{casino}"\nmodality = "{modality}"', *limits]
    return "\n".join(lines) + "\n"


def _awards(value: Mapping[str, Any]) -> list[str]:
    """R-21, R-36: who confirms, and what is entered with cards."""
    lines = [f"two_persons_above = {value['alone']}"] if value["alone"] is not None else []
    lines += [f"none_registered_above = {value['none_registered']}"] if value["none_registered"] is not None else []
    lines += [f'cards_from = "{value["cards_from"]}"'] if value["cards_from"] is not None else []
    return ["[awards]", *lines] if lines else []


def written(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    return str(value) if isinstance(value, int) else f'"{value}"'


def prize(
    name: str, amount: int = 15_000, drawn: str = "seat", paid_in: str = "cash", source: str = "main", **when: int
) -> dict[str, object]:
    """R-29: a complementary prize of a plan; `when` is one_in or within_minutes."""
    return {
        "name": name,
        "amount": amount,
        "drawn": drawn,
        "paid_in": paid_in,
        "from": source,
        **(when or {"one_in": 3}),
        **({"authorisation": "Aut. 7"} if paid_in == "promotional_credits" else {}),
    }


def with_reading(law: str = "scj-2023", **readings: str) -> str:
    """R-33: a ruleset with another reading than its own."""
    text = RULESETS[law]
    for key, value in readings.items():
        lines = [f'{key} = "{value}"' if line.startswith(f"{key} = ") else line for line in text.splitlines()]
        text = "\n".join(lines) + "\n"
    return text


def kinds(facts: Iterable[Fact]) -> list[type]:
    return [type(fact) for fact in facts]


class Floor:
    """A node and its people. With `documents=None` it is an empty record."""

    def __init__(
        self, document: str | None = None, ruleset: str | None = None, *, open_day: bool = True, founded: bool = True
    ) -> None:
        self.state, self.now = State(), 1_795_003_200_000  # noon of DAY
        self.record: list[tuple[int, Fact]] = []
        self.balances: dict[str, int] = {}
        self.units: dict[tuple[str, int], Device] = {}
        if not founded:
            return
        self.ask(ask.FoundNode("central", "k" * 64, ("ana", "luis")))
        for name, role in PEOPLE.items():
            self.ask(ask.EnrolPerson(name, name.title(), (role,), SECRET, ANA, LUIS, known=True))
        self.stage(document or plan(), ruleset or RULESETS["scj-2023"])
        if open_day:
            self.open_day()

    # What is asked and what is answered

    def ask(self, asked: Input, *, after: int = 1_000) -> tuple[Fact, ...]:
        """The facts that answer an input, so many milliseconds later; all of them applied."""
        self.now += after
        facts = answer(self.state, asked, self.now, told(self.state, asked, self.record))
        assert facts, "every input has an answer"
        for fact in facts:
            self.hear(fact, self.now)
        return facts

    def hear(self, fact: Fact, at: int) -> None:
        lines = postings(fact)
        for line in lines:
            self.balances[line.account] = self.balances.get(line.account, 0) + line.amount
        refuse_bounds(self.balances, lines)
        self.state = apply(self.state, at, fact)
        self.record.append((at, fact))
        assert difference(self.state, self.balances) == ""
        for table in self.state.tables.values():
            next_ = {one.prize.name for one in wanted(self.state, table)}
            assert next_ <= set(table.draws) and bool(next_) is bool(table.draws)

    def reason(self, asked: Input) -> str:
        """The code of the refusal that answers an input; nothing else may happen."""
        before, money = self.state, dict(self.balances)
        *jump, refused = self.ask(asked)
        assert isinstance(refused, Refused) and not jump, refused
        assert self.balances == money
        assert msgspec.structs.replace(self.state, clock=0, people={}) == msgspec.structs.replace(
            before, clock=0, people={}
        )
        assert refused.message and "{" not in refused.message
        return refused.reason

    # Where things stand

    def table(self, name: str = TABLE) -> Table:
        return self.state.tables[in_play(self.state, name)]

    def seat(self, seat: int, table: str = TABLE) -> Seat:
        return self.table(table).seat(seat)

    def pot(self, name: str = POT) -> PotNow:
        return self.state.pots[name]

    def at(self, account: str) -> int:
        return self.balances.get(account, 0)

    def held(self, award: str) -> AwardNow:
        return self.state.claims[award.rpartition("/")[0]].awards[award]

    def heard(self, kind: type[Kind]) -> list[Kind]:
        return [fact for _, fact in self.record if isinstance(fact, kind)]

    # The desk

    def stage(self, document: str, ruleset: str = RULESETS["scj-2023"]) -> tuple[Fact, ...]:
        return self.ask(ask.StagePlan(*as_own(document, ruleset), ANA, JEFA if "jefa" in self.state.people else LUIS))

    def open_day(self, day: str = DAY, seed: bytes = SEED) -> tuple[Fact, ...]:
        return self.ask(ask.OpenDay(day, commitment(seed), JEFA, nonce_of(day)))

    def close_day(self, seed: bytes = SEED) -> tuple[Fact, ...]:
        return self.ask(ask.CloseDay(seed.hex(), JEFA))

    def hear_promo(self, seat: int, amount: int, table: str = TABLE) -> None:
        """R-29: promotional credits on a seat, as a prize would bring them."""
        now = self.table(table)
        self.hear(
            said.PrizeGranted(
                f"{table}/0/p1", table, now.number, now.pot, now.casino, "x", seat, amount, Flow(), promo=True
            ),
            self.now,
        )

    # A pass

    def report(
        self, seat: int, table: str = TABLE, *, locked: bool = False, cut: int | None = None, **moved: int
    ) -> tuple[Fact, ...]:
        """The unit of a seat reports that its totals moved on by so much; a new one is seen first. With `cut`, its last
        bet was so many events after (before, if negative) the lock."""
        unit = self.units.get((table, seat)) or Device(100 * len(self.units) + seat, 1, 1)
        if self.table(table).seat(seat).device is None:
            self.ask(ask.SeatReport(table, seat, unit))
        totals = {name: (getattr(unit, name) + more) % 2**32 for name, more in moved.items()}
        if moved:
            unit = msgspec.structs.replace(unit, seq=(unit.seq + 1) % 2**32, **totals)
        self.units[table, seat] = unit
        bet_seq = unit.seq if cut is None else (unit.seq + cut) % 2**32
        return self.ask(ask.SeatReport(table, seat, unit, locked, unit.seq, bet_seq))

    def lamp(self, seat: int, lamp: Lamp = Lamp.LIT, table: str = TABLE) -> tuple[Fact, ...]:
        return self.ask(ask.LampSeen(table, seat, lamp))

    def buy(self, seat: int, credits_: int, table: str = TABLE) -> tuple[Fact, ...]:
        return self.ask(ask.BuyCredits(table, seat, credits_, CARLA))

    def bet(self, seat: int, credits_: int = 2, table: str = TABLE, *, lit: bool = True) -> tuple[Fact, ...]:
        """R-2: bought, pressed, and the lamp seen lit."""
        self.buy(seat, credits_, table)
        facts = self.report(seat, table, bets=credits_)
        return self.lamp(seat, Lamp.LIT, table) if lit else facts

    def open_pass(self, table: str = TABLE) -> tuple[Fact, ...]:
        return self.ask(ask.OpenPass(table, CARLA))

    def lock(self, table: str = TABLE) -> list[Fact]:
        """R-5: "no más apuestas", and every unit reads back locked."""
        facts = list(self.ask(ask.Lock(table)))
        return facts + self.prove(table)

    def prove(self, table: str = TABLE) -> list[Fact]:
        facts: list[Fact] = []
        for seat in self.table(table).seats:
            if seat.device is not None and not seat.proven and not seat.out_of_play:
                facts += self.report(seat.number, table, locked=True)
        return facts

    def sealed(self, bets: Mapping[int, int] | None = None, table: str = TABLE) -> Any:
        """A pass with these bets, in credits, played up to the cards. The last fact is the seal."""
        self.open_pass(table)
        for seat, credits_ in (bets or {1: 2}).items():
            self.bet(seat, credits_, table)
        return self.lock(table)[-1]

    def close_pass(self, table: str = TABLE) -> tuple[Fact, ...]:
        return self.ask(ask.ClosePass(table, CARLA))

    # What is won

    def claim(
        self, *hands: Sequence[Any], table: str = TABLE, community: tuple[str, ...] = (), number: int = 0
    ) -> tuple[Fact, ...]:
        """R-34: hands as (seat, category) or (seat, cards)."""
        return self.ask(ask.RegisterClaim(table, hands_of(hands), CARLA, community, number))

    def reject(self, claim: str) -> tuple[Fact, ...]:
        return self.ask(ask.RejectClaim(claim, "no se ve", JEFA, JEFE))

    def pay(self, award: str) -> tuple[Fact, ...]:
        """R-21: confirmed by two, and paid."""
        confirmed = self.ask(ask.ConfirmAward(award, JEFA, JEFE))
        return confirmed + self.ask(ask.PayAward(award, CARLA))

    def correct(
        self, number: int, *hands: Sequence[Any], table: str = TABLE, community: tuple[str, ...] = ()
    ) -> tuple[Fact, ...]:
        """R-34, R-35: the pass as it truly was, by two."""
        made = hands_of(hands)
        return self.ask(ask.CorrectClaim(table, number, made, "cámara", CARLA, JEFA, community, recording="G-1"))

    def draw(
        self, prize: str, *, hit: bool = True, seat: int = 0, card: str = "", table: str = TABLE
    ) -> tuple[Fact, ...]:
        return self.ask(ask.Draw(table, prize, hit, seat, card))


def hands_of(hands: Iterable[Sequence[Any]]) -> tuple[Hand, ...]:
    """`(2, "full")` or `(2, ROYAL)`, with what the player did after it."""
    made = []
    for seat, what, *acts in hands:
        made.append(
            Hand(seat, tuple(acts), claimed=what) if isinstance(what, str) else Hand(seat, tuple(acts), tuple(what))
        )
    return tuple(made)


def replayed(record: Iterable[tuple[int, Fact]]) -> State:
    """The state that the facts alone add up to."""
    state = State()
    for at, fact in record:
        state = apply(state, at, fact)
    return state


def total(facts: Iterable[Fact], kind: Any = said.BetMade) -> int:
    return sum(fact.amount for fact in facts if isinstance(fact, kind))


def opened(**other: Any) -> Floor:
    """A floor with an open pass and credits on seat 1."""
    floor = Floor(**other)
    floor.open_pass()
    floor.buy(1, BOUGHT)
    floor.report(1)
    return floor
