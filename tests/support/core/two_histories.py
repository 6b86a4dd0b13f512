"""One evening played twice: once with errors that are put right later, once as if all had been right at once (R-34, R-35).

Two floors are asked the same: the same bets at the same instants, the same voids, draws, moves of money, plans and days.
At the right one every pass is claimed truly, just before it is closed or earlier. At the other one the croupier enters a
wrong seat, a wrong category, a false winner, forgets one or all; some of it is paid; and at random later moments it is
put right, sometimes wrongly once more. When all of it is put right, both pots must be the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

from controller.core import inputs as ask
from controller.core.facts import Fact, Refused
from controller.core.inputs import Input
from controller.core.state import Claim
from support.floor.floor import (
    ANA,
    CARLA,
    DIEGO,
    JEFA,
    JEFE,
    LUIS,
    POT,
    TABLE,
    Floor,
    hands_of,
    plan,
    prize,
    with_reading,
)

# No card in two of them, so any two can be dealt in one pass.
HANDS = (
    ("2h", "4h", "6h", "8h", "9h"),
    ("2c", "2d", "2s", "4c", "4s"),
    ("3c", "3d", "3h", "3s", "5c"),
    ("5s", "6s", "7s", "8s", "9s"),
    ("8d", "9d", "Td", "Jd", "Qd"),
    ("Tc", "Jc", "Qc", "Kc", "Ac"),
    ("Ts", "Js", "Qs", "Ks", "As"),
)
OTHER = "CA-01"
TABLES = {TABLE: "draw", OTHER: "caribbean"}
PRIZES = (
    prize("Jugador", 300_000, one_in=10**6),
    prize("Estrella", 40_000, source="reserva", one_in=10**6),
    prize("Hora", 25_000, source="reserva", within_minutes=60),
)
LAWS = (
    None,
    with_reading(cap="category", odd_units="one_each"),
    with_reading(base_from="house", shortfall_from="house"),
    with_reading(void_undoes="nothing"),
    with_reading(real_after_cap="uncut"),
)
PLANS = (
    {"base": 1_000_000, "ceiling": 1_300_000},
    {"base": 400_000, "prizes": PRIZES[:1]},
    {"base": 0, "prizes": PRIZES},
    {"base": 2_000_000, "commission": 123_457, "main": 666_667, "reserves": {"reserva": 133_333, "otra": 200_000}},
    {"base": 900_000, "reserves": {}, "main": 1_000_000},
)

Truth = dict[int, tuple[str, ...]]
SEED, DAY_LENGTH = bytes(range(32)), 86_400_000
FIRST_DAY = date(2026, 11, 18)


@dataclass
class Played:
    """A pass that was sealed: who bet, what was true in it, and what stands on record at the floor with the errors."""

    table: str
    number: int
    seats: list[int]
    truth: Truth
    entered: Truth = field(default_factory=dict)
    is_claimed: bool = False

    @property
    def is_right(self) -> bool:
        return self.entered == self.truth


class TwoHistories:
    def __init__(self, chance: Random) -> None:
        self.chance = chance
        law = chance.choice(LAWS)
        how: dict[str, Any] = dict(chance.choice(PLANS))
        self.how, self.law = how, law
        self.wrong, self.right = Floor(self._plan(1), law), Floor(self._plan(1), law)
        assert self.both(ask.MoveMoney(POT, "house", "main", 250_000, "Res. 2", ANA, LUIS))
        self.passes: list[Played] = []
        self.now_at: dict[str, Played] = {}
        self.days = self.plans = self.errors = self.mended = 0
        self.prizes_out: list[str] = []

    def _plan(self, resolution: int) -> str:
        return plan(tables=TABLES, alone=10**12, resolution=f"Res. {resolution}", **self.how)

    def both(self, asked: Input) -> bool:
        """Asked of both floors where both take it; then nothing between them differs but the errors."""
        floors = (self.wrong, self.right)
        before = [(floor.state, dict(floor.balances), len(floor.record), floor.now) for floor in floors]
        taken = all(not isinstance(floor.ask(asked)[-1], Refused) for floor in floors)
        if not taken:
            for floor, (state, balances, known, now) in zip(floors, before, strict=True):
                floor.state, floor.balances, floor.now = state, balances, now
                del floor.record[known:]
        return taken

    # A step

    def step(self) -> None:
        chance = self.chance
        name = chance.choice((TABLE, OTHER))
        doubtful = [one for one in self.passes if one.is_claimed and not one.is_right]
        if chance.random() < 0.25:
            self._beside_the_play()
        elif doubtful and chance.random() < 0.15:
            self._mend(chance.choice(doubtful))
        elif name not in self.now_at:
            self._deal(name)
        elif chance.random() < 0.15:
            self._void(self.now_at[name])
        elif not self.now_at[name].is_claimed and chance.random() < 0.6:
            self._claim(self.now_at[name])
        else:
            self._close(self.now_at[name])

    def _deal(self, name: str) -> None:
        """A pass up to its cards, and who truly wins it."""
        chance = self.chance
        if self.right.state.day is None:
            return
        seats = chance.sample(range(1, 7), chance.randrange(1, 5))
        bets = {seat: chance.randrange(1, 6) for seat in seats}
        for floor in (self.wrong, self.right):
            floor.sealed(bets, name)
        for prize_ in self.right.state.tables[name].draws:
            hit, seat = chance.random() < 0.3, chance.choice(seats)
            assert self.both(ask.Draw(name, prize_, hit, seat if hit else 0))
        winners = chance.sample(seats, min(len(seats), chance.choice((0, 0, 1, 1, 2, 3))))
        truth: Truth = dict(zip(winners, chance.sample(HANDS, len(winners)), strict=True))
        self.now_at[name] = Played(name, self.right.state.tables[name].number, seats, truth)
        self.passes.append(self.now_at[name])

    def _claim(self, played: Played) -> None:
        """True at the right floor; at the other one what a croupier in a hurry enters."""
        played.is_claimed = True
        entered = self._error(played) if self.chance.random() < 0.6 else played.truth
        self.errors += entered != played.truth
        if played.truth:
            self.right.claim(*played.truth.items(), table=played.table)
        if entered:
            self.wrong.claim(*entered.items(), table=played.table)
        played.entered = entered
        # A pass that was claimed in vain, or not at all, has its place where it is closed; the right one is closed at once.
        if not entered or not played.truth:
            self._close(played)

    def _error(self, played: Played) -> Truth:
        chance, truth = self.chance, played.truth
        unused = [cards for cards in HANDS if cards not in truth.values()]
        others = [seat for seat in played.seats if seat not in truth]
        kinds: list[Callable[[], Truth]] = [Truth]
        if truth:
            lost, cards = chance.choice(list(truth.items()))
            rest = {seat: held for seat, held in truth.items() if seat != lost}
            kinds += [lambda: rest, lambda: {**truth, lost: chance.choice(unused)}]
            if others:
                kinds += [lambda: {**rest, chance.choice(others): cards}]
        if others:
            kinds += [lambda: {**truth, chance.choice(others): chance.choice(unused)}] * 2
        return chance.choice(kinds)()

    def _close(self, played: Played) -> None:
        if not played.is_claimed:
            self._claim(played)
        if self.now_at.pop(played.table, None) is not None:
            assert self.both(ask.ClosePass(played.table, CARLA)), "both are sealed, and nothing waits to be drawn"

    def _void(self, played: Played) -> None:
        """R-25: the hand or the pass, in both or in none."""
        whole = not played.seats or self.chance.random() < 0.3
        seat = 0 if whole else self.chance.choice(played.seats)
        left = {one for one in played.entered if one != seat}
        if played.is_claimed and (played.truth if whole else seat in played.truth):
            return  # then the right history has something to put right too, and who won meanwhile keeps what he got there
        if played.is_claimed and not whole and not left and played.truth:
            return  # the claim would be rejected for good, and its pass have its place where it is closed
        void = ask.VoidPass(played.table, "x", JEFA) if whole else ask.VoidHand(played.table, seat, "x", JEFA)
        if not self.both(void):
            return
        gone = set(played.seats) if whole else {seat}
        played.seats = [one for one in played.seats if one not in gone]
        played.truth = {one: cards for one, cards in played.truth.items() if one not in gone}
        played.entered = {one: cards for one, cards in played.entered.items() if one not in gone}
        if whole:
            del self.now_at[played.table]
            self.passes.remove(played)
        elif played.is_claimed and not (played.entered and played.truth):
            self._close(played)

    # Beside the play

    def _beside_the_play(self) -> None:
        acts = (self._pay, self._pay, self._pay, self._move, self._day, self._new_plan, self._doubt_a_prize)
        self.chance.choice(acts)()

    def _pay(self) -> None:
        """Only where the errors are: what is paid moves no pot."""
        held = [name for claim in self.wrong.state.claims.values() for name, one in claim.awards.items() if one.pending]
        if held:
            award = self.chance.choice(held)
            self.wrong.ask(ask.ConfirmAward(award, JEFE, JEFA))
            self.wrong.ask(ask.PayAward(award, DIEGO))

    def _move(self) -> None:
        source, target = self.chance.choice((("house", "main"), ("house", "reserva"), ("reserva", "main")))
        self.both(ask.MoveMoney(POT, source, target, self.chance.randrange(1, 5_000), "Res. 3", ANA, LUIS))

    def _day(self) -> None:
        """The day ends with its tables empty; yesterday's errors are still on record."""
        if self.now_at:
            return
        if self.right.state.day is not None:
            for name in TABLES:
                for seat in self.right.state.tables[name].seats:
                    if seat.credits:
                        assert self.both(ask.SignVoid(name, seat.number, JEFE)) or not seat.unsigned
                        assert self.both(ask.CashOut(name, seat.number, CARLA))
            assert self.both(ask.CloseDay(SEED.hex() if self.days else (b"s" * 32).hex(), JEFA))
        self.days += 1
        for floor in (self.wrong, self.right):
            floor.now += DAY_LENGTH
            floor.open_day((FIRST_DAY + timedelta(days=self.days)).isoformat(), SEED)

    def _new_plan(self) -> None:
        """Where nothing is pending at either floor it takes effect in both at once."""
        pending = any(claim.pending for floor in (self.wrong, self.right) for claim in floor.state.claims.values())
        if self.now_at or pending:
            return
        self.plans += 1
        for key in ("base", "ceiling"):
            if key in self.how:
                self.how[key] = self.how[key] + self.chance.randrange(50_000)
        for floor in (self.wrong, self.right):
            floor.stage(self._plan(2 + self.plans), *([self.law] if self.law else []))
            assert not floor.state.staged, "R-26: between passes, nothing pending"

    def _doubt_a_prize(self) -> None:
        """R-29: a prize is rejected, and granted anew later."""
        if self.prizes_out and self.chance.random() < 0.7:
            return self._grant_anew(self.chance.choice(self.prizes_out))
        claims = [one for one in self.wrong.state.claims.values() if one.prize and not one.rejected]
        held = [one.id for one in claims if not any(award.paid for award in one.awards.values())]
        if held:
            self.prizes_out.append(self.chance.choice(held))
            facts = self.wrong.ask(ask.RejectClaim(self.prizes_out[-1], "no apostó", JEFA, JEFE))
            assert not isinstance(facts[-1], Refused), facts
        return None

    def _grant_anew(self, claim: str) -> None:
        facts = self.wrong.ask(ask.GrantAnew(claim, "sí apostó", JEFA, JEFE))
        is_void = isinstance(facts[-1], Refused) and facts[-1].reason in {"pass_void", "no_bet"}
        assert is_void or not isinstance(facts[-1], Refused), facts
        self.prizes_out.remove(claim)

    # Put right

    def _mend(self, played: Played) -> None:
        if self.chance.random() < 0.2:  # wrongly, once more
            again = self._error(played)
            # A claim that is rejected for good has its place where the pass was closed; that is another history.
            if again != played.entered and (again or not played.truth):
                self._enter(played, again)
        else:
            self._enter(played, played.truth)

    def _enter(self, played: Played, truth: Truth) -> None:
        """By whatever act a floor has for it."""
        claim = next((one for one in self._claims(played) if not one.rejected), None)
        facts: tuple[Fact, ...]
        if not truth and claim is not None and self.chance.random() < 0.7:
            facts = self.wrong.ask(ask.RejectClaim(claim.id, "no se ve", JEFA, JEFE))
        else:
            hands = hands_of(truth.items())
            facts = self.wrong.ask(
                ask.CorrectClaim(played.table, played.number, hands, "cámara", DIEGO, JEFA, recording="7")
            )
        assert not isinstance(facts[-1], Refused), facts
        played.entered = truth
        self.mended += 1

    def _claims(self, played: Played) -> list[Claim]:
        claims = self.wrong.state.claims.values()
        return [one for one in claims if not one.prize and (one.table, one.number) == (played.table, played.number)]

    def put_all_right(self) -> None:
        for played in list(self.now_at.values()):
            self._close(played)
        doubtful = [one for one in self.passes if not one.is_right]
        self.chance.shuffle(doubtful)
        for played in doubtful:
            self._enter(played, played.truth)
        for claim in list(self.prizes_out):
            self._grant_anew(claim)
