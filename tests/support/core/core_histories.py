"""Random histories of a floor: plausible acts of people and units most of the time, nonsense in between.

A `History` asks a `Floor` for whatever comes to its mind; everything is drawn from one `random.Random`, so a seed is a
history. `hostile` makes any input of any kind out of values that nobody should send.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from random import Random
from typing import Any, get_type_hints

from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.draws import wanted, what_the_seed_says
from controller.core.facts import Fact
from controller.core.inputs import Input
from controller.core.links.letters import Letter
from controller.core.state import in_play
from controller.core.values import (
    TRAINING,
    AwardPhase,
    Bounds,
    Box,
    Broken,
    ClaimPhase,
    Device,
    Flow,
    Hand,
    HeadLeft,
    Lamp,
    Levels,
    Loss,
    Mark,
    Phase,
    RegisteredAward,
    Resettled,
    Role,
    SealedBet,
    Side,
    Signature,
    TerminalUse,
    Unpaid,
    Unproven,
)
from controller.rules.belief import Disbelief
from controller.rules.complementary import commitment
from support.core.points import point_of, web_key_of
from support.floor.floor import (
    ANA,
    CARLA,
    DIEGO,
    JEFA,
    JEFE,
    LUIS,
    POKER,
    POT,
    ROYAL,
    RULESETS,
    SECRET,
    SEED,
    STRAIGHT_FLUSH,
    TABLE,
    TITO,
    Floor,
    plan,
    prize,
    with_reading,
)  # fmt: skip
from support.laws import as_own, naming
from support.nonces import nonce_of

TABLES = (TABLE, "GO-01", "CA-01")
GAMES: dict[str, str | tuple[str, str]] = {TABLE: "draw", "GO-01": ("go", "bahia"), "CA-01": "caribbean"}
PRIZES = (
    prize("Jugador", one_in=3),
    prize("Carta", drawn="card", one_in=2),
    prize("Estrella", 5_000, paid_in="promotional_credits", source="house", one_in=2),
    prize("Hora", 25_000, source="reserva", within_minutes=60),
)
PLANS = (
    plan(tables=GAMES, prizes=PRIZES, alone=200_000, ceiling=5_005_000),
    plan(tables=GAMES, base=0, commission=333_333, main=666_667, reserves={"reserva": 333_333}, credit=500),
    plan(tables={TABLE: "draw", "GO-01": ("go", "bahia")}, reserves={"otra": 50_000, "reserva": 50_000}, prizes=PRIZES),
    plan(tables={**GAMES, TABLE: "texas_plus"}, main=1_000_000, reserves={}, least=2_000),
)
LAWS = tuple(
    naming(law, "Carta")
    for law in (RULESETS["scj-2023"], with_reading(cap="category", odd_units="one_each", void_undoes="nothing"))
)
TERMINALS = ("consola-1", "tableta", "letrero-1", "otra")
SIGNATURES = (ANA, LUIS, CARLA, DIEGO, JEFA, JEFE, TITO)

WORDS = (
    "", " ", "~", f"~{TABLE}", TABLE, "GO-01", "X-1", POT, "~pozo", "main", "reserva", "house", "ana", "carla", "nadie", "Jugador", "Carta",
    "DP-01/1/1", "DP-01/1/1/1", "DP-01/1/p1", "/", "a/b/c/d", "{0}", "%s", "ñ\u2028", "\x00", "x" * 300, "0" * 64, "Th", "full", "folded",
)  # fmt: skip
NUMBERS = (0, 1, 2, 3, 5, 6, 7, 8, -1, -(2**31), 2**31, 2**32 - 1, 2**32, 10**10, 10**10 + 1, 2**63, -(10**30), 10**30)
CARDS = ("Th", "Jh", "Qh", "Kh", "Ah", "2c", "2d", "2h", "2s", "1x", "", "TH")


def hostile(kind: type[Input], chance: Random) -> Input:
    """An input of this kind with values that nobody should send."""
    hints = get_type_hints(kind)
    values: dict[str, Any] = {name: _value(name, hints[name], chance) for name in kind.__struct_fields__}
    return kind(**values)


def _value(name: str, hint: object, chance: Random) -> object:
    pick = chance.choice
    if hint is Signature or hint == Signature | None:
        odd = (Signature(pick(WORDS)), *([None] if hint is not Signature else []))
        return pick((*SIGNATURES, pick(odd)))
    made: dict[object, Callable[[], object]] = {
        str: lambda: pick(WORDS),
        int: lambda: pick(NUMBERS),
        bool: lambda: pick((False, True)),
        Lamp: lambda: pick(tuple(Lamp)),
        Unproven: lambda: pick(tuple(Unproven)),
        Bounds | None: lambda: pick((None, Bounds(5, 0), Bounds(0, 2), Bounds(pick(NUMBERS), pick(NUMBERS)))),
        HeadLeft | None: lambda: _left(Random(hash(chance.getstate()))),  # of its own: the histories stay as they were
        Disbelief | None: lambda: Random(hash(chance.getstate())).choice((None, *Disbelief)),
        int | None: lambda: pick((None, 0, *NUMBERS)),
        Device: lambda: Device(*(pick(NUMBERS[:15]) for _ in range(7))),
        tuple[int, ...]: lambda: tuple(pick(NUMBERS) for _ in range(chance.randrange(4))),
        dict[str, str]: lambda: {pick(WORDS): pick((*WORDS, SECRET, SECRET)) for _ in range(chance.randrange(4))},
        tuple[str, str]: lambda: (pick(WORDS), pick(WORDS)),
        tuple[Role, ...]: lambda: tuple(chance.sample(tuple(Role), chance.randrange(3))),
        tuple[str, ...]: lambda: tuple(pick(CARDS) for _ in range(chance.randrange(4))),
        tuple[Hand, ...]: lambda: tuple(_hand(chance) for _ in range(chance.randrange(4))),
        Side: lambda: pick(tuple(Side)),
        TerminalUse: lambda: pick(tuple(TerminalUse)),
        Broken: lambda: pick(tuple(Broken)),
        Box: lambda: Box(pick(NUMBERS), pick(NUMBERS), pick(NUMBERS)),
        Mark: lambda: Mark(pick(NUMBERS), pick(NUMBERS), pick((*WORDS, "ab" * 32))),
        Letter: lambda: _letter(chance),
    }
    assert hint in made, f"no hostile value for {name}: {hint}"
    return made[hint]()


def _letter(chance: Random) -> Any:
    """A letter that nobody should write."""
    kind = chance.choice(Letter.__args__)
    hints = get_type_hints(kind)
    number = partial(chance.choice, NUMBERS)
    bets = tuple(SealedBet(number(), number(), number(), number()) for _ in range(chance.randrange(3)))
    award = RegisteredAward(1, chance.choice(NUMBERS), chance.choice(WORDS), chance.choice(NUMBERS))
    made: dict[object, object] = {
        tuple[SealedBet, ...]: bets,
        tuple[RegisteredAward, ...]: (award,) * chance.randrange(3),
        tuple[Unpaid, ...]: (Unpaid(chance.choice(NUMBERS), chance.choice(WORDS)),),
        Levels: Levels(chance.choice(NUMBERS), chance.choice(NUMBERS)),
        Levels | None: chance.choice((None, Levels(chance.choice(NUMBERS), chance.choice(NUMBERS)))),
        Flow | None: chance.choice((None, Flow({"main": chance.choice(NUMBERS)}, chance.choice(NUMBERS)))),
        tuple[Loss, ...]: (),
        tuple[Resettled, ...]: (),
        tuple[Hand, ...] | None: chance.choice((None, ())),
    }
    values = {
        name: made[hints[name]] if hints[name] in made else _value(name, hints[name], chance)
        for name in kind.__struct_fields__
    }
    return kind(**values)


def _left(chance: Random) -> HeadLeft | None:
    some = HeadLeft(chance.choice(NUMBERS), chance.choice(NUMBERS), chance.choice((*WORDS, "ab" * 32)))
    return chance.choice((None, some))


def _hand(chance: Random) -> Hand:
    cards = tuple(chance.choice(CARDS) for _ in range(chance.choice((0, 0, 3, 5))))
    return Hand(chance.choice(NUMBERS), tuple(chance.sample(WORDS, chance.randrange(2))), cards, chance.choice(WORDS))


class History:
    """So many things asked of a floor, one after the other."""

    def __init__(self, chance: Random, nonsense: float = 0.1) -> None:
        self.chance, self.nonsense = chance, nonsense
        self.floor = Floor(PLANS[0], LAWS[0])

    def step(self) -> tuple[Input, tuple[Fact, ...]]:
        chance = self.chance
        asked = (
            hostile(chance.choice(ask.Input.__args__), chance) if chance.random() < self.nonsense else self._plausible()
        )
        return asked, self.floor.ask(asked, after=chance.choice((1_000, 1_000, 1_000, 60_000, 600_000, 0, -5_000)))

    def _plausible(self) -> Input:
        chance, state = self.chance, self.floor.state
        names = [name for name in state.tables if not name.startswith(TRAINING)]
        table = self.table = state.tables[in_play(state, chance.choice(names))]
        self.name = table.name.removeprefix(TRAINING)
        if chance.random() < 0.12:
            return self._at_the_desk()
        if chance.random() < 0.15 and state.claims:
            return self._of_a_claim()
        if chance.random() < 0.06:
            return self._whatever_the_phase()
        of_phase: Callable[[], Input] = getattr(self, f"_{table.phase.value}")
        return of_phase()

    def _any(self, *made: Callable[[], Input]) -> Input:
        return self.chance.choice(made)()

    def _at_the_desk(self) -> Input:
        chance, state = self.chance, self.floor.state
        by = chance.choice(SIGNATURES)
        parts = ("house", "main", "reserva", "otra")
        return self._any(
            lambda: ask.StagePlan(*as_own(chance.choice(PLANS), chance.choice(LAWS)), ANA, JEFA),
            lambda: ask.WithdrawPlan(POT, ANA),
            lambda: ask.MoveMoney(
                POT, chance.choice(parts), chance.choice(parts), chance.randrange(9_000), "R", ANA, LUIS
            ),
            lambda: ask.MoveMoney(POT, "reserva", "main", self.floor.pot().reserves.get("reserva", 0), "R", ANA, LUIS),
            lambda: ask.EnrolPerson("eva", "E", tuple(chance.sample(tuple(Role), 2)), SECRET, ANA, LUIS, known=True),
            lambda: ask.EnrolPerson("carla", "C", (Role.CROUPIER,), SECRET, LUIS, ANA, known=True),
            lambda: ask.OpenPass(self.name, replace(by, verified=False)),
            self._terminal,
            lambda: ask.WithdrawTerminal(chance.choice(TERMINALS), chance.choice(("perdida", " ")), JEFE),
            lambda: ask.UnlockPerson(by.person, chance.choice((ANA, LUIS, JEFE))),
            lambda: ask.RestoreNode(state.epoch + 1, "disco", TITO, ANA),
            ask.LookAtClock,
            lambda: ask.SeeFirmware(self.name, chance.choice(("dp/1", "dp/2")), Box(7, chance.choice((1, 2)), 0)),
            lambda: ask.StepClock(chance.choice((0, 5_000, -5_000, 36_000_000)), chance.random() < 0.3),
            lambda: ask.NoteClock(chance.choice((JEFE, TITO, by))),
            lambda: ask.RenameDay(self._date(chance.choice((-1, 0, 1, 2))), "error", JEFE, ANA),
            lambda: ask.LoseSeed(chance.choice(("", *(SEED.hex(),) * 7)), "disco", JEFE, ANA),
            lambda: ask.ClearSuspense(self.name, "no se sabe", JEFE, LUIS),
            lambda: ask.PayLeft(self.name, self.table.left, DIEGO, JEFE),
        )

    def _terminal(self) -> ask.EnrolTerminal:
        """R-36: few names and few keys, so that they meet again."""
        use, number = self.chance.choice(tuple(TerminalUse)), self.chance.randint(1, 6)
        key = web_key_of(number) if use is TerminalUse.WEB else point_of(number)
        place = {TerminalUse.TABLE: self.name, TerminalUse.SIGN: "grande"}.get(use, "")
        return ask.EnrolTerminal(self.chance.choice(TERMINALS), use, place, key, JEFE, ANA)

    def _of_a_claim(self) -> Input:
        chance = self.chance
        claims = tuple(self.floor.state.claims.values())
        of_pass = [one for one in claims if (one.table, one.number) == (self.table.name, self.table.number)]
        claim = chance.choice(of_pass if of_pass and chance.random() < 0.5 else claims)
        half_paid = [one for one in claims if one.phase is ClaimPhase.PAID and one.pending]
        if half_paid and chance.random() < 0.5:
            claim = chance.choice(half_paid)
        award = chance.choice([name for name, held in claim.awards.items() if held.pending] or tuple(claim.awards))
        is_confirmed = claim.awards[award].phase is AwardPhase.CONFIRMED
        return self._any(
            lambda: ask.ConfirmAward(award, JEFE, chance.choice((None, LUIS, ANA))),
            *(lambda: ask.PayAward(award, DIEGO) if is_confirmed else ask.ConfirmAward(award, JEFE, LUIS),) * 5,
            lambda: ask.PayAward(award, DIEGO),
            *(lambda: ask.RejectClaim(claim.id, "no se ve", JEFE, ANA),) * 2,
            *(self._corrected,) * 3,
            lambda: ask.SetAside(award, "no aparece", DIEGO, JEFE),
            lambda: ask.GrantAnew(claim.id, "sí era", JEFE, ANA),
            lambda: ask.RegisterClaim(self.name, self._hands(), DIEGO, self._community(), claim.number),
        )

    def _whatever_the_phase(self) -> Input:
        """R-5: a button that is pressed at the wrong moment."""
        if self.table.training and self.chance.random() < 0.3:
            return ask.EndTraining(self.name, JEFE)
        return self._any(
            lambda: ask.OpenPass(self.name, DIEGO),
            lambda: ask.UnlockTable(self.name, DIEGO),
            lambda: ask.Lock(self.name),
            lambda: ask.ClosePass(self.name),
            lambda: ask.VoidHand(self.name, self._seat(), "error", DIEGO),
            self._void_pass,
            lambda: ask.TryLamps(self.name, DIEGO),
            lambda: ask.TellLamps(self.name, self.chance.choice(((), (2,))), DIEGO),
            lambda: ask.LampDark(self.name, self._betting(), DIEGO),
            lambda: ask.StartTraining(self.name, DIEGO, JEFE),
            lambda: ask.EndTraining(self.name, JEFE),
            lambda: ask.CloseDay(SEED.hex(), JEFE),
        )

    def _corrected(self) -> ask.CorrectClaim:
        """R-34, R-35: of a claim, who was registered less some and more others, alone or by two."""
        chance = self.chance
        claims = [one for one in self.floor.state.claims.values() if not one.prize]
        if not claims:
            return ask.CorrectClaim(self.name, max(self.table.number, 1), self._hands(), "x", DIEGO, None)
        claim = chance.choice(claims)
        kept = [hand for hand in claim.hands if chance.random() < 0.8]
        others = {1, 2, 3, 4} - {hand.seat for hand in kept}
        more = [Hand(seat, claimed="full") for seat in sorted(others)[: chance.randrange(3)]]
        community = self._community() if any(hand.cards for hand in kept) else ()
        second, proof = chance.choice((None, JEFE, JEFE)), chance.choice(("", "G-1"))
        return ask.CorrectClaim(
            claim.table.removeprefix("~"), claim.number, (*kept, *more), "cámara", DIEGO, second, community, proof
        )

    def _between(self) -> Input:
        if self.floor.state.day is None and self.chance.random() < 0.5:
            return self._new_day()
        open_, seat = lambda: ask.OpenPass(self.name, DIEGO), self._seat()
        return self._any(
            *(open_,) * 6,
            lambda: ask.StartTraining(self.name, DIEGO, JEFE),
            lambda: ask.EndTraining(self.name, JEFE),
            lambda: ask.CloseDay(SEED.hex(), JEFE),
            lambda: ask.CashOut(self.name, seat, DIEGO),
            lambda: ask.LeaveCredits(self.name, seat, DIEGO, JEFE),
            lambda: ask.PayOwed(
                self.name, seat, DIEGO, self.chance.choice(("jefa", "jefe", "")), self.chance.choice((None, JEFE))
            ),
            lambda: ask.SignVoid(self.name, self._unsigned(), JEFA if self.chance.random() < 0.8 else JEFE),
            self._open_seat,
            lambda: ask.CountSeat(self.name, seat, self.chance.choice((0, 500, 1_000, 7_000)), JEFE, LUIS),
            self._report,
        )

    def _new_day(self) -> Input:
        """Somebody waits for a date that no day has yet; now and then nobody does."""
        if self.chance.random() < 0.9:
            self.floor.now += 86_400_000
        return ask.OpenDay(date := self._date(), commitment(SEED), JEFE, nonce_of(date))

    def _date(self, days: int = 0) -> str:
        """So many days from the clock's."""
        return datetime.fromtimestamp(self.floor.now / 1000 + 86_400 * days, UTC).strftime("%Y-%m-%d")

    def _open(self) -> Input:
        seat = self._seat()
        if self.chance.random() < 0.6:
            return self._bet()
        lit = lambda: ask.LampSeen(self.name, self._betting(), Lamp.LIT)
        return self._any(
            *(lit,) * 14,
            *(self._lock,) * 5,
            lambda: ask.LampSeen(self.name, self._betting(), self.chance.choice(tuple(Lamp))),
            lambda: ask.VoidHand(self.name, self._betting(), "error", DIEGO),
            lambda: ask.CloseSeat(self.name, seat, "sin respuesta"),
            self._open_seat,
            self._open_seat,
            lambda: ask.PayOwed(self.name, seat, DIEGO, "jefa"),
            self._void_pass,
            self._report,
        )

    def _locking(self) -> Input:
        waiting = [seat for seat in self.table.seats if not seat.out_of_play and seat.device and not seat.proven]
        dark = [seat for seat in self.table.seats if seat.bet and seat.lamp is Lamp.DARK]
        return self._any(
            *(lambda: self._report(self.chance.choice(waiting).number if waiting else None, locked=True),) * 5,
            *(lambda: ask.LampSeen(self.name, self.chance.choice(dark).number if dark else 1, Lamp.LIT),) * 6,
            lambda: ask.LampSeen(self.name, self._betting(), Lamp.FAULT, before_lock=self.table.number % 2 == 0),
            lambda: ask.CloseSeat(self.name, self._seat(), "sin respuesta"),
            lambda: ask.VoidHand(self.name, self._betting(), "error", DIEGO),
            self._void_pass,
            lambda: self._report(locked=self.chance.random() < 0.5, bets=2),
        )

    def _sealed(self) -> Input:
        due = wanted(self.floor.state, self.table)
        if due and self.chance.random() < 0.6:
            return what_the_seed_says(SEED, self.chance.choice(due))
        close, claim = (lambda: ask.ClosePass(self.name)), self._claim
        decide = self._of_a_claim if self.floor.state.claims else claim
        return self._any(
            *(close,) * 3,
            *(claim,) * 4,
            *(decide,) * 3,
            lambda: ask.ShowCard(self.name, "Carta", self._betting(), DIEGO),
            *(lambda: ask.VoidHand(self.name, self._betting(), "error", DIEGO),) * 2,
            *(self._void_pass,) * 2,
            lambda: ask.LampSeen(self.name, self._betting(), Lamp.FAULT),
            self._report,
        )

    # The parts of what is asked

    def _seat(self) -> int:
        return self.chance.randint(1, self.chance.choice((3, 3, 3, len(self.table.seats))))

    def _betting(self) -> int:
        """Mostly a seat that bet."""
        betting = [seat.number for seat in self.table.seats if seat.bet and seat.lamp is Lamp.DARK]
        betting = betting or [seat.number for seat in self.table.seats if seat.bet]
        return self.chance.choice(betting) if betting and self.chance.random() < 0.95 else self._seat()

    def _unsigned(self) -> int:
        """R-36: mostly a seat where a void waits for a chief."""
        waiting = [seat.number for seat in self.table.seats if seat.unsigned]
        return self.chance.choice(waiting) if waiting else self._seat()

    def _lock(self) -> Input:
        """Mostly not before a bet is valid: a pass without one wins nothing."""
        is_worth_it = any(seat.bet and seat.lamp is Lamp.LIT for seat in self.table.seats)
        if not is_worth_it and self.chance.random() < 0.7:
            return self._bet()
        return ask.Lock(self.name, self.chance.choice((None, None, DIEGO)))

    def _open_seat(self) -> ask.OpenSeat:
        closed = [seat.number for seat in self.table.seats if seat.closed]
        return ask.OpenSeat(self.name, self.chance.choice(closed) if closed else 1, TITO)

    def _void_pass(self) -> ask.VoidPass:
        return ask.VoidPass(self.name, "baraja", JEFE if self.chance.random() < 0.6 else DIEGO)

    def _bet(self) -> Input:
        """R-2: a seat without credits buys; one with credits presses, or throws chips."""
        number = self._seat()
        seat = self.table.seat(number)
        if seat.device is None:
            return ask.SeatReport(
                self.name,
                number,
                Device(self.chance.randrange(2**32), 1, self.chance.choice((1, 2**32 - 2)), bets=2**32 - 3),
            )
        if number % 3 == 0:
            return self._report(number, chips=self.chance.choice((1, 2, 3, 7)))
        if seat.credits < 5_000:
            return ask.BuyCredits(self.name, number, self.chance.randint(1, 20), DIEGO)
        return self._report(number, bets=self.chance.choice((1, 2, 2, 4, 5, 6)))

    def _report(self, number: int | None = None, locked: bool = False, **moved: int) -> ask.SeatReport:
        """R-5: a unit reports; sometimes late, doubled, or what no unit should say."""
        chance, number = self.chance, number or self._seat()
        honest = moved and chance.random() < 0.9
        unit = self.table.seat(number).device or Device(chance.randrange(2**32), 1, 1)
        back = self.table.seat(number).giving_back
        if not moved and chance.random() < 0.5:
            moved = chance.choice(
                (
                    {"voided": back},
                    {"voided": back + 2},
                    {"bets": 2, "voided": 2},
                    {"bets": 3, "voided": 1},
                    {"late": 1},
                    {"chips": 2, "bets": 1},
                )
            )
        totals = {name: (getattr(unit, name) + more) % 2**32 for name, more in moved.items()}
        unit = replace(
            unit, seq=(unit.seq + (1 if honest else chance.choice((1, 1, 1, 1, 2, 9, 0, -1)))) % 2**32, **totals
        )
        if not honest and chance.random() < 0.05:
            unit = replace(unit, epoch=unit.epoch + 1)
        cut = (unit.seq + chance.choice((0, 0, -1))) % 2**32
        bounds = chance.choice((None, None, Bounds(press=6, chip=7)))
        return ask.SeatReport(self.name, number, unit, locked, cut, unit.seq, bounds)

    def _hands(self, most: int = 3) -> tuple[Hand, ...]:
        """R-34: winners with words or with cards, mostly of seats that bet."""
        own = {5: 5, 3: 3, 2: 2}.get({"go": 3, "texas_plus": 2}.get(self.table.modality, 5))
        cards = self.chance.choice((ROYAL, STRAIGHT_FLUSH, POKER))[:own]
        hands = [
            Hand(self._betting(), claimed=self.chance.choice(("color", "full", "full", "color"))) for _ in range(most)
        ]
        shown = Hand(self._betting(), tuple(self.chance.sample(self._acts(), self.chance.choice((0, 0, 0, 1)))), cards)
        chosen = {hand.seat: hand for hand in (*hands, *([shown] if self.chance.random() < 0.5 else []))}
        return tuple(chosen.values())

    def _acts(self) -> tuple[str, ...]:
        """R-8: what the table's game has, and now and then what it has not."""
        return ("folded", "exchanged") if self.table.modality == "draw" or self.chance.random() < 0.1 else ("folded",)

    def _community(self) -> tuple[str, ...]:
        wanted_ = {"go": 2, "texas_plus": 3}.get(self.table.modality, 0)
        return ROYAL[::-1][:wanted_] if self.chance.random() < 0.9 else ()

    def _claim(self) -> ask.RegisterClaim:
        community = self._community()
        hands = self._hands()
        if community and self.chance.random() < 0.5:  # shown cards and words rarely go together there
            hands = (Hand(self._betting(), cards=ROYAL[: 5 - len(community)]),)
        return ask.RegisterClaim(self.name, hands, DIEGO, community)


assert all(hasattr(History, f"_{phase.value}") for phase in Phase)
