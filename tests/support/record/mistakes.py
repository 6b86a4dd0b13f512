"""Histories in which people err: hands are read wrong, forgotten, typed for another seat, and put right at any later time.

Every pass has its truth from the start. What is entered for it may be something else; what is entered later may be wrong
again, and reach further back than what was corrected before. Awards are confirmed, paid, set aside or left alone meanwhile,
hands and passes are void, days close, money is moved, plans change. The Book writes; `pozo verify` must agree with all of
it. What the node refuses is no part of the history; `done` counts what it took.
"""

import random
from collections import Counter
from pathlib import Path

from controller.core import inputs as ask
from controller.core.facts import Fact, Refused
from controller.core.inputs import Input
from controller.core.values import Hand, Phase, Signature
from support.laws import as_own
from support.record.verify_history import Floor, plan, ruleset

ANA, CARLA, DARIO, EVA = (Signature(name) for name in ("ana", "carla", "dario", "eva"))
COMMUNITY: dict[str, tuple[str, ...]] = {"DP-01": (), "CP-01": (), "GO-01": ("Ts", "Js"), "TX-01": ("Ts", "Js", "Qs")}
SUITS = "cdhs"
TABLES = ("DP-01", "DP-01", "CP-01", "CP-01", "GO-01", "TX-01")
WITH_COMMUNITY: dict[str, dict[str, tuple[str, ...]]] = {
    "GO-01": {
        "color": ("2s", "5s", "9s"), "full": ("Tc", "Jc", "Jd"), "poker": ("Tc", "Td", "Th"),
        "escalera_color": ("7s", "8s", "9s"), "escalera_real": ("Qs", "Ks", "As"),
    },
    "TX-01": {"color": ("2s", "5s"), "escalera_color": ("8s", "9s"), "escalera_real": ("Ks", "As")},
}  # fmt: skip

PRIZES = """
[awards]
two_persons_above = 60000

[[complementary]]
name = "Jugador Afortunado"
amount = 15000
drawn = "seat"
paid_in = "cash"
from = "main"
one_in = 3
"""

READINGS: tuple[dict[str, str], ...] = (
    {}, {}, {}, {"void_undoes": "nothing"}, {"base_from": "house", "shortfall_from": "house"},
    {"cap": "category", "odd_units": "one_each"}, {"real_after_cap": "uncut"}, {"late_from": "house"},
)  # fmt: skip

Dealt = dict[int, tuple[str, ...]]


def cards_of(table: str, made: str, suit: str) -> tuple[str, ...]:
    """The player's own cards that make it, with the community's where the game has them."""
    if COMMUNITY[table]:
        return WITH_COMMUNITY[table].get(made, ())
    ranks = {"color": "2579K", "escalera_color": "34567", "escalera_real": "TJQKA"}
    if made in ranks:
        return tuple(rank + suit for rank in ranks[made])
    if made == "full":
        return ("8c", "8d", "8h", "Jc", "Jd")
    return ("4c", "4d", "4h", "4s", "9c")


class Mistakes:
    """So many steps of such a history, in a record of its own."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.chance = random.Random(seed)
        self.floor = Floor(folder, seed)
        self.truth: dict[tuple[str, int], Dealt] = {}
        self.bets: dict[tuple[str, int], list[int]] = {}
        self.awards: list[str] = []
        self.done: Counter[str] = Counter()
        self.readings = self.chance.choice(READINGS)
        self.floor.people()
        self._stage(self.chance.choice((50_000, 700_000)), self.chance.choice((800_000, 400_000_000)))
        self.floor.open_day()

    def play(self, steps: int) -> None:
        deeds = (
            (12, self._pass), (6, self._correct), (3, self._pay), (1, self._reject), (1, self._aside), (1, self._money),
            (1, self._day), (1, self._plan), (1, self._clock), (1, self._anew),
        )  # fmt: skip
        for _ in range(steps):
            self.chance.choices([deed for _, deed in deeds], [weight for weight, _ in deeds])[0]()

    def ask(self, asked: Input) -> tuple[Fact, ...]:
        """What the node refuses is no part of it; every award that is owed is remembered."""
        facts = self.floor.ask(asked, ms=self.chance.choice((400, 4_000, 400_000)))
        is_no = any(isinstance(fact, Refused) for fact in facts)
        name = type(asked).__name__
        self.done[f"{name} refused {facts[0].reason}" if isinstance(facts[0], Refused) else name] += 1
        if not is_no:
            self.awards += [name for claim in self.floor.state.claims.values() for name in claim.awards]
        return facts

    def _stage(self, base: int, ceiling: int) -> None:
        self.floor.ask(
            ask.StagePlan(*as_own(plan(base=base, ceiling=ceiling, extra=PRIZES), ruleset(**self.readings)), ANA, CARLA)
        )

    def _dealt(self, table: str, seats: list[int]) -> Dealt:
        """Some of them hold something, and no card is in two hands."""
        chance, dealt = self.chance, Dealt()
        for seat in seats:
            made = chance.choice(("", "", "color", "color", "full", "poker", "escalera_color", "escalera_real"))
            cards = cards_of(table, made, chance.choice(SUITS)) if made else ()
            if cards and not {card for other in dealt.values() for card in other} & set(cards):
                dealt[seat] = cards
        return dealt

    def _wrong(self, table: str, dealt: Dealt, seats: list[int]) -> Dealt:
        """Read as somebody reads it who is tired."""
        chance, wrong = self.chance, dict(dealt)
        kind = chance.randrange(6)
        if kind == 0:
            return {}
        if kind == 1 and wrong:
            del wrong[chance.choice(list(wrong))]
        elif kind == 2 and wrong:  # another seat
            seat = chance.choice(list(wrong))
            wrong[chance.choice(seats)] = wrong.pop(seat)
        elif kind == 3:
            return self._dealt(table, seats)
        return wrong

    def _hands(self, dealt: Dealt) -> tuple[Hand, ...]:
        return tuple(Hand(seat, cards=cards) for seat, cards in dealt.items())

    def _pass(self) -> None:
        """One pass from the first bet to its end, with others' facts in between where it stays open."""
        chance, floor = self.chance, self.floor
        table = chance.choice(TABLES)
        now = floor.state.tables[table]
        if now.phase is Phase.BETWEEN and floor.state.day is not None:
            self.ask(ask.OpenPass(table))
            for seat in chance.sample(range(1, 6), chance.randint(1, 4)):
                floor.bet(table, seat, chance.randint(1, 5))
            floor.commit()
            floor.lock(table)
            self._sealed(table)
        now = floor.state.tables[table]
        if now.phase is not Phase.SEALED:
            return
        key = (table, now.number)
        if chance.random() < 0.7:
            dealt = self.truth[key] if chance.random() < 0.5 else self._wrong(table, self.truth[key], self.bets[key])
            self.ask(ask.RegisterClaim(table, self._hands(dealt), EVA, COMMUNITY[table]))
        self._maybe_void(table)
        if floor.state.tables[table].phase is Phase.SEALED and chance.random() < 0.7:
            self.ask(ask.ClosePass(table, EVA))
        floor.give_back(table)

    def _sealed(self, table: str) -> None:
        now = self.floor.state.tables[table]
        if now.phase is not Phase.SEALED:
            return
        key = (table, now.number)
        self.bets[key] = [bet.seat for bet in now.bets]
        self.truth[key] = self._dealt(table, self.bets[key])
        self.floor.draws(table)

    def _maybe_void(self, table: str) -> None:
        chance, bets = self.chance, self.floor.state.tables[table].bets
        if chance.random() < 0.1 and bets:
            self.ask(ask.VoidHand(table, chance.choice(bets).seat, "mal repartida", EVA))
        elif chance.random() < 0.06:
            self.ask(ask.VoidPass(table, "mazo incompleto", CARLA))

    def _correct(self) -> None:
        """To the truth, mostly; of the last pass or of any."""
        chance = self.chance
        if not self.truth:
            return
        keys = list(self.truth)
        table, number = chance.choice(keys[-3:] if chance.random() < 0.6 else keys)
        key = (table, number)
        dealt = self.truth[key] if chance.random() < 0.7 else self._wrong(table, self.truth[key], self.bets[key])
        if chance.random() < 0.2:  # the croupier alone, until the next pass is sealed
            self.ask(ask.RegisterClaim(table, self._hands(dealt), EVA, COMMUNITY[table], number))
            return
        second = chance.choice((None, CARLA, CARLA, DARIO))
        by = chance.choice((EVA, EVA, DARIO if second is CARLA else EVA))
        hands, shared = self._hands(dealt), COMMUNITY[table]
        self.ask(ask.CorrectClaim(table, number, hands, "se vio en la cámara", by, second, shared, "cam 3"))

    def _pay(self) -> None:
        pending = [
            (name, award)
            for claim in self.floor.state.claims.values()
            for name, award in claim.awards.items()
            if not award.paid
        ]
        for name, award in self.chance.sample(pending, min(len(pending), self.chance.randint(1, 3))):
            if not award.confirmed:
                self.ask(ask.ConfirmAward(name, CARLA, DARIO))
            if self.chance.random() < 0.8:
                self.ask(ask.PayAward(name, EVA))

    def _some_claim(self) -> str:
        """One that was, perhaps long ago."""
        names = [name.rpartition("/")[0] for name in dict.fromkeys(self.awards)]
        return self.chance.choice(names) if names else ""

    def _reject(self) -> None:
        if claim := self._some_claim():
            self.ask(ask.RejectClaim(claim, "no era", CARLA, DARIO))

    def _anew(self) -> None:
        prizes = [name.rpartition("/")[0] for name in dict.fromkeys(self.awards) if "/p" in name]
        if prizes:
            self.ask(ask.GrantAnew(self.chance.choice(prizes), "sí era", CARLA, DARIO))

    def _aside(self) -> None:
        names = list(dict.fromkeys(self.awards))
        if names:
            self.ask(ask.SetAside(self.chance.choice(names), "no aparece", CARLA, DARIO))

    def _money(self) -> None:
        pot = self.floor.state.pots["pozo-estelar"]
        source, target = self.chance.choice((("house", "main"), ("main", "reserva0"), ("reserva0", "main")))
        there = 90_000 if source == "house" else pot.main if source == "main" else pot.reserves["reserva0"]
        if there > 1:
            self.ask(ask.MoveMoney("pozo-estelar", source, target, self.chance.randint(1, there), "Res. 9", ANA, CARLA))

    def _plan(self) -> None:
        self._stage(self.chance.choice((50_000, 60_000, 700_000)), self.chance.choice((800_000, 400_000_000)))

    def _clock(self) -> None:
        self.ask(ask.LookAtClock())

    def _day(self) -> None:
        floor = self.floor
        if floor.state.day is None:
            floor.open_day()
            return
        for table in floor.state.tables.values():
            if table.phase is Phase.SEALED:
                self.ask(ask.ClosePass(table.name, EVA))
        for name in floor.state.tables:
            floor.empty(name)
        self.ask(ask.CloseDay(floor.seeds[floor.day].hex(), CARLA))
