"""R-28: whatever a pinned neighbour tells, in its turn and with its hash, ends as facts; it never breaks the node.

The key of a box was stolen, or its program was changed: its letters follow each other as they should, and say what
nobody should say. Most values of each letter are such as could be true, so that the others are looked at too.
"""

from random import Random
from typing import get_type_hints

import pytest
from conftest import CAMPAIGN
from msgspec.structs import replace

from controller.core.facts import ClockWentBack, LetterHeard, LetterTold, NeighbourStopped, PlanTookEffect
from controller.core.links import letters
from controller.core.links.known import AwayTable
from controller.core.state import levels_of, money_of, plan_hash
from controller.core.values import (
    Flow,
    Hand,
    Levels,
    Loss,
    Mark,
    RegisteredAward,
    Resettled,
    SealedBet,
    Side,
    Unpaid,
)
from support.core.core_histories import NUMBERS, WORDS
from support.core.linked_floors import shared
from support.core.neighbour import ABOVE, BELOW, Stream, pin
from support.floor.floor import POKER, POT, RULESETS, Floor, plan

HISTORIES = 400 if CAMPAIGN else 12
LETTERS = 60
UP = (
    letters.BetsSealed, letters.BetsSealed, letters.PassOver, letters.ClaimMade, letters.BetsVoided, letters.AwardGiven,
    letters.PrizeDrawn, letters.CorrectionWanted, letters.Ready, letters.DayOver,
)  # fmt: skip
DOWN = tuple(kind for kind in letters.Letter.__args__ if kind not in UP)


def far():
    """A pot of ours that a neighbour's table feeds too, and one of another that ours feed."""
    floor = Floor()
    floor.ask(pin(ABOVE, Side.ABOVE))
    floor.ask(pin(BELOW, inside=True))
    floor.stage(plan("lejos", tables={"GO-02": "go"}), RULESETS["scj-2023"])
    tables = [AwayTable(f"M{number}@{BELOW}", "norte", POT, "draw") for number in (1, 2)]
    own_ledger = floor.balances.pop("pot:lejos:main") + floor.balances.pop("house:lejos:central")
    assert own_ledger == 0, "as if its owner alone had it"
    rows = (*((f"M{number}", "draw", "norte", BELOW) for number in (1, 2)), ("GO-01", "go", "central", ""))
    own = replace(
        floor.pot(), documents=replace(floor.pot().documents, plan=shared(("DP-01", "draw", "central", ""), *rows))
    )
    pots = {**floor.state.pots, POT: own, "lejos": replace(floor.pot("lejos"), above=ABOVE)}
    floor.record = [
        (at, replace(fact, plan=own.documents.plan) if isinstance(fact, PlanTookEffect) and fact.pot == POT else fact)
        for at, fact in floor.record
    ]
    floor.state = replace(floor.state, away={table.name: table for table in tables}, pots=pots)
    return floor


class Liar:
    def __init__(self, floor, chance, pot):
        self.floor, self.chance, self.pot = floor, chance, pot

    def letter(self):
        kinds = letters.Letter.__args__ if self.chance.random() < 0.1 else UP if self.pot == POT else DOWN
        kind = self.chance.choice(kinds)
        hints = get_type_hints(kind)
        made = kind(**{name: self.value(name, hints[name]) for name in kind.__struct_fields__})
        return replace(made, pot=self.pot) if self.chance.random() < 0.98 else made

    def value(self, name, hint):
        if self.chance.random() < 0.06:
            return self.odd(hint)
        table = self.chance.choice(("M1", "M2") if self.pot == POT else ("GO-02@central",))
        number = self.chance.randrange(1, 6)
        known = {
            "table": table,
            "claim": f"{table}/{number}/1",
            "award": f"{table}/{number}/1/{self.chance.randrange(1, 3)}",
            "casino": self.chance.choice(("norte", "norte", "norte", "central")),
            "plan": plan_hash(self.floor.pot().documents),
            "closed": "ab" * 32,
            "number": number,
            "pass_number": number,
            "neighbour": "central",
            "prize": "Seña",
            "day": f"2026-11-0{number}",
            "was": "",
        }
        return known[name] if name in known and isinstance(known[name], hint) else self.odd(hint, kindly=True)

    def odd(self, hint, *, kindly=False):
        pick, chance = self.chance.choice, self.chance
        number = (lambda: pick((0, 1, 2, 5, 1_000, 2_000, 15_000))) if kindly else (lambda: pick(NUMBERS))
        some = lambda make, most=3: tuple(make() for _ in range(chance.randrange(most)))
        bet = lambda seat: SealedBet(
            seat, *((pick(((1_000, 0), (2_000, 0), (-1_000, 0)))) if kindly else (number(), number())), 0
        )
        award = lambda: RegisteredAward(
            chance.randrange(1, 3), chance.randrange(1, 7), pick(("full", "poker", "escalera_real", pick(WORDS))), number(),
            pick(({}, {"main": number()}, {"nada": number()})), pick((0, number())),
        )  # fmt: skip
        made = {
            str: lambda: pick(("", "carla", "x")) if kindly else pick(WORDS),
            int: number,
            bool: lambda: pick((False, True)),
            Mark: lambda: Mark(0, 0, "") if kindly else Mark(number(), number(), pick(("", "ab" * 32, *WORDS))),
            Levels: lambda: (
                levels_of(money_of(self.floor.pot("lejos")))
                if kindly
                else Levels(number(), number(), {"reserva": number()})
            ),
            Flow | None: lambda: pick((None, Flow({"main": number()}, number()))),
            Levels | None: lambda: pick((None, Levels(number(), number(), {"reserva": number()}))),
            tuple[SealedBet, ...]: lambda: tuple(
                bet(seat) for seat in sorted(chance.sample(range(1, 7 if kindly else 9), 3))
            ),
            tuple[RegisteredAward, ...]: lambda: some(award),
            tuple[Unpaid, ...]: lambda: some(lambda: Unpaid(number(), pick(WORDS))),
            tuple[Hand, ...]: lambda: some(
                lambda: Hand(chance.randrange(1, 7), (), pick((POKER, ("x",), ())), pick(WORDS))
            ),
            tuple[Hand, ...] | None: lambda: pick((None, ())),
            tuple[str, ...]: lambda: some(lambda: pick(("2c", "x", "", "M1/1/1/1"))),
            tuple[int, ...]: lambda: some(number),
            tuple[Loss, ...]: lambda: some(lambda: Loss(*self.fields(Loss, number))),
            tuple[Resettled, ...]: lambda: some(lambda: Resettled(*self.fields(Resettled, number))),
        }
        return made[hint]()

    def fields(self, kind, number):
        by_hint = {str: lambda: self.chance.choice(WORDS), int: number}
        hints = get_type_hints(kind)
        return [by_hint.get(hints[name], tuple)() for name in kind.__struct_fields__]


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(HISTORIES))
@pytest.mark.parametrize(
    ("name", "stream", "pot"),
    [(BELOW, "to:central", POT), (ABOVE, "pot:lejos", "lejos"), (ABOVE, "pot:nuevo", "nuevo")],
)
def test_r28_no_letter_breaks_the_node_and_every_one_is_acknowledged(name, stream, pot, seed):
    chance = Random(f"{seed}/{name}")
    floor, writer = far(), Stream(name, stream)
    liar = Liar(floor, chance, pot)
    for _ in range(LETTERS):
        before = floor.state.heard.get(f"{name}/{stream}")
        facts = floor.ask(writer.next(liar.letter()), after=chance.choice((1_000, 1_000, -5_000)))
        own = [fact for fact in facts if not isinstance(fact, LetterTold | ClockWentBack)]
        if isinstance(own[-1], NeighbourStopped):
            assert floor.state.heard.get(f"{name}/{stream}") == before
            return
        assert isinstance(own[-1], LetterHeard) and own[-1].mark == writer.mark
