"""Corrections as the verifier computes them (R-34, R-35), against pots that were worked out by hand.

Each story is told in facts by hand, so that nothing here depends on what the core makes; each of its corrections is taken
as it should be, and refused with any other figure.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from controller.cli.record import PUBLISHED
from controller.verify import facts as kinds
from controller.verify.books import lines_of
from controller.verify.corrections import corrected
from controller.verify.facts import (
    Entry,
    Flow,
    Granted,
    Hand,
    Levels,
    Loss,
    Refund,
    Resettled,
    SealedBet,
    Undone,
    Unpaid,
)
from controller.verify.law import read_law
from controller.verify.past import Mark, Past
from controller.verify.world import SEALED, Award, Claim, Day, Person, Played, Pot, Table, World
from controller.verify.wrong import FoundWrong
from support.record.verify_history import (
    COLOR,
    FULL,
    OTHER_STRAIGHT_FLUSH,
    POKER,
    ROYAL,
    STRAIGHT_FLUSH,
    plan,
    ruleset,
)

POT, CASINO = "pozo-estelar", "central"
ASK = "0" * 32
ROYAL_OF_HEARTS = ("Th", "Jh", "Qh", "Kh", "Ah")
OTHER_COLOR = ("2d", "6d", "8d", "Td", "Qd")
MILLION = 1_000_000
NOW = 10**6


class Story:
    """A pot of which facts are told by hand. `now` is what the pot stands at, as the teller worked it out."""

    def __init__(
        self, main: int, base: int = MILLION, reserve: int = 0, ceiling: int = 400 * MILLION, **readings: str
    ) -> None:
        self.text = plan(base=base, ceiling=ceiling, extra=_PRIZES)
        self.rules = ruleset(**readings)
        self.facts: list[Entry] = []
        self.world = World(PUBLISHED, self._again)
        law = read_law(self.text, self.rules, PUBLISHED)
        self.pot = self.world.pots[POT] = Pot(POT, law, self.text, self.rules)
        self.world.tables = {name: Table(name, CASINO, POT, game, 0) for name, (_, game) in law.tables.items()}
        self.world.people = {
            name: Person(name, (role,), "")
            for name, role in (("eva", "croupier"), ("carla", "chief"), ("ana", "chief"))
        }
        self.world.day = Day("2026-11-19", "", 0)
        self.stands(main, reserve)
        self.pot.marks = [Mark(0, self.world.purse(self.pot), law)]

    def _again(self, first: int) -> Iterator[Entry]:
        return (one for one in self.facts if first <= one.seq)

    def stands(self, main: int, reserve: int = 0) -> None:
        self.world.books.stands |= {f"pot:{POT}:main": main, f"pot:{POT}:reserva0": reserve, f"held:{POT}": 10**12}

    def tell(self, fact: Any) -> int:
        self.world.seq = len(self.facts) + 1
        self.facts.append(Entry(self.world.seq, self.world.seq * 1000, ("x", 1, self.world.seq), ASK, fact))
        return self.world.seq

    def seal(self, table: str, number: int, gave: dict[int, int] | None = None, over: int = 0, bet: int = 1000) -> int:
        """Bets of a thousand at seats 1 to 4, of which the main pot gets what is told."""
        bets = tuple(
            SealedBet(seat, bet, 0, main, (0,), overflow=over)
            for seat, main in (gave or dict.fromkeys(range(1, 5), 0)).items()
        )
        flow = Flow({"main": sum(one.main for one in bets)}, 0, 0)
        self.world.tables[table].last_sealed = self.world.tables[table].number = number
        return self.tell(kinds.PassSealed(table, number, POT, CASINO, bets, flow, 0, (0,), ""))

    def close(self, table: str, number: int) -> int:
        return self.tell(kinds.PassClosed(table, number))

    def claim(self, table: str, number: int, hands: dict[int, tuple[str, ...]], *awards: tuple[int, str, int]) -> int:
        nothing = Levels(0, 0)
        dealt = tuple(Hand(seat, cards=cards) for seat, cards in hands.items())
        granted = tuple(Granted(n, seat, prize, amount) for n, (seat, prize, amount) in enumerate(awards, 1))
        name = f"{table}/{number}/1"
        law = self.pot.law
        played = Played(table, CASINO, POT, law, law.tables[table][1], ())
        claim = self.world.claims[name] = Claim(played, number, 0, nothing)
        claim.awards = {f"{name}/{one.number}": Award(one, 0) for one in granted}
        return self.tell(
            kinds.ClaimRegistered(name, table, number, POT, CASINO, (), dealt, nothing, granted, (), nothing, "eva")
        )

    def grant(self, number: int, seat: int, amount: int) -> int:
        """The first prize of the plan, in cash from the main pot."""
        name, prize = f"DP-01/{number}/p1", "Jugador Afortunado"
        law = self.pot.law
        played = Played("DP-01", CASINO, POT, law, law.tables["DP-01"][1], ())
        claim = self.world.claims[name] = Claim(played, number, 0, Levels(0, 0))
        claim.awards = {f"{name}/1": Award(Granted(1, seat, prize, amount), 0)}
        flow = Flow({"main": -amount}, 0, 0)
        return self.tell(
            kinds.PrizeGranted(name, "DP-01", number, POT, CASINO, prize, seat, amount, flow, held=True, paid_in="cash")
        )

    def pay(self, award: str) -> None:
        self.tell(kinds.AwardPaid(award, POT, CASINO, 1, 0, "eva"))

    def correct(
        self,
        table: str,
        number: int,
        hands: dict[int, tuple[str, ...] | str],
        *,
        place: int,
        before: int,
        base: int = MILLION,
        reserve: int = 0,
        second: str = "carla",
        claim: str = "",
        **figures: Any,
    ) -> kinds.ClaimCorrected:
        """A correction with the figures of the teller."""
        dealt = tuple(
            Hand(seat, claimed=made) if isinstance(made, str) else Hand(seat, cards=made)
            for seat, made in hands.items()
        )
        levels = Levels(before, base, {"reserva0": reserve})
        usual: dict[str, Any] = {
            "awards": (), "unpaid": (), "cancelled": (), "lost": (), "resettled": (), "flow": Flow(), "overflows": (),
            "confirmed": bool(second), "since": NOW if figures.get("awards") else 0, "recording": "cam 3, 21:14",
        }  # fmt: skip
        usual |= figures
        fact = kinds.ClaimCorrected(
            claim or f"{table}/{number}/1", table, number, POT, CASINO, place, (), dealt, levels,
            reason="se vio en la grabación", by="eva", second=second, **usual,
        )  # fmt: skip
        return self.take(fact)

    def take(self, fact: kinds.ClaimCorrected) -> kinds.ClaimCorrected:
        """It is as it should be, and no other figure is."""
        self.world.seq, self.world.at = len(self.facts) + 1, NOW
        for other in altered(fact):
            with pytest.raises(FoundWrong):
                corrected(self.world, other)
        corrected(self.world, fact)
        self.world.books.enter(self.world.seq, lines_of(fact))
        self.tell(fact)
        return fact

    @property
    def now(self) -> tuple[int, int]:
        purse = self.world.purse(self.pot)
        return purse.main, purse.reserves["reserva0"]


def altered(fact: kinds.ClaimCorrected) -> Iterator[kinds.ClaimCorrected]:
    """The same act with one figure changed."""
    flow = fact.flow
    yield replace(fact, place=fact.place + 1)
    yield replace(fact, place=fact.place - 1)
    yield replace(fact, before=replace(fact.before, main=fact.before.main + 1))
    yield replace(fact, before=replace(fact.before, base=fact.before.base + 1))
    yield replace(fact, before=replace(fact.before, reserves={"reserva0": fact.before.reserves["reserva0"] + 1}))
    yield replace(fact, flow=replace(flow, house=flow.house + 1))
    yield replace(fact, flow=replace(flow, commission=1))
    yield replace(fact, flow=replace(flow, parts={**flow.parts, "main": flow.parts.get("main", 0) + 1}))
    yield replace(fact, unpaid=(*fact.unpaid, Unpaid(6, "no_bet")))
    yield replace(fact, cancelled=(*fact.cancelled, fact.claim + "/1"))
    yield replace(fact, lost=(*fact.lost, Loss(fact.claim + "/1", 1)))
    yield replace(fact, awards=(*fact.awards, Granted(9, 6, "color", 1)))
    yield replace(fact, resettled=(*fact.resettled, Resettled("CP-01/1/1", "CP-01", 1, CASINO, ())))
    yield replace(fact, overflows=(*fact.overflows, ("DP-01", 1, 1)))
    if fact.second:
        yield replace(fact, reason=" ")
    yield replace(fact, claim=fact.claim + "0")
    yield replace(fact, casino="otro")
    if fact.awards or fact.resettled:
        yield replace(fact, confirmed=not fact.confirmed)
    yield replace(fact, since=fact.since + 1)
    for at, other in enumerate(fact.resettled):
        for wrong in (
            replace(other, since=other.since + 1), replace(other, number=9), replace(other, casino="otro"),
            replace(other, awards=other.awards[1:]), replace(other, claim="CP-01/9/1"),
        ):  # fmt: skip
            yield replace(fact, resettled=(*fact.resettled[:at], wrong, *fact.resettled[at + 1 :]))
    for name in ("cancelled", "lost", "resettled", "awards", "overflows"):
        if getattr(fact, name):
            yield replace(fact, **{name: getattr(fact, name)[1:]})
    for at, one in enumerate(fact.awards):
        for other in (
            replace(one, amount=one.amount - 1), replace(one, number=one.number + 1), replace(one, seat=one.seat + 1),
            replace(one, prize="escalera"), replace(one, house=1), replace(one, parts={"main": 1}), replace(one, rules=()),
        ):  # fmt: skip
            yield replace(fact, awards=(*fact.awards[:at], other, *fact.awards[at + 1 :]))
    for at, loss in enumerate(fact.lost):
        yield replace(fact, lost=(*fact.lost[:at], replace(loss, amount=loss.amount + 1), *fact.lost[at + 1 :]))


_PRIZES = """
[[complementary]]
name = "Jugador Afortunado"
amount = 500000
drawn = "seat"
paid_in = "cash"
from = "main"
one_in = 3
"""
ALL = ("R-11", "R-15", "R-34")
SHARED = ("R-11", "R-15", "R-16", "R-34")
FIXED = ("R-11", "R-14", "R-34")


def no_claim(*seats: int) -> tuple[Unpaid, ...]:
    return tuple(Unpaid(seat, "no_claim") for seat in seats)


def test_r34_a_false_real_is_held_and_another_tables_real_was_paid():
    """Main 10,000,000, base 1,000,000. Rejected: the other is owed 9,000,000, the house gets one base back, main stays."""
    story = Story(10 * MILLION)
    story.seal("DP-01", 1)
    story.seal("CP-01", 1)
    place = story.claim("DP-01", 1, {1: ROYAL}, (1, "escalera_real", 10 * MILLION))
    story.claim("CP-01", 1, {2: ROYAL_OF_HEARTS}, (2, "escalera_real", MILLION))
    story.pay("CP-01/1/1/1")
    story.stands(MILLION)

    more = Granted(2, 2, "escalera_real", 9 * MILLION, rules=ALL)
    story.correct(
        "DP-01", 1, {}, place=place, before=10 * MILLION, unpaid=no_claim(1, 2, 3, 4), cancelled=("DP-01/1/1/1",),
        resettled=(Resettled("CP-01/1/1", "CP-01", 1, CASINO, (more,), since=4000),), flow=Flow({}, MILLION, 0),
    )  # fmt: skip

    assert story.now == (MILLION, 0)


def test_r35_a_second_escalera_de_color_is_found_late():
    """1,000,000 was paid; 500,000 more, all the house's, for the pot gave its 10 %."""
    story = Story(10 * MILLION)
    story.seal("DP-01", 1)
    place = story.claim("DP-01", 1, {1: STRAIGHT_FLUSH}, (1, "escalera_color", MILLION))
    story.pay("DP-01/1/1/1")
    story.close("DP-01", 1)
    story.stands(9 * MILLION)

    late = Granted(2, 3, "escalera_color", MILLION // 2, rules=SHARED)
    story.correct(
        "DP-01", 1, {1: STRAIGHT_FLUSH, 3: OTHER_STRAIGHT_FLUSH}, place=place, before=10 * MILLION,
        unpaid=no_claim(2, 4), awards=(late,), flow=Flow({}, -MILLION // 2, 0),
    )  # fmt: skip

    assert story.now == (9 * MILLION, 0)


def test_r34_the_right_seat_keeps_the_place_of_the_wrong_one():
    """Another table's Real came between and took the base; the corrected one is owed the whole pot of its place."""
    story = Story(10 * MILLION)
    story.seal("DP-01", 1)
    story.seal("CP-01", 1)
    place = story.claim("DP-01", 1, {3: ROYAL}, (3, "escalera_real", 10 * MILLION))
    story.claim("CP-01", 1, {2: ROYAL_OF_HEARTS}, (2, "escalera_real", MILLION))
    story.stands(MILLION)

    right = Granted(2, 4, "escalera_real", 10 * MILLION, rules=ALL)
    story.correct(
        "DP-01", 1, {4: ROYAL}, place=place, before=10 * MILLION, unpaid=no_claim(1, 2, 3),
        cancelled=("DP-01/1/1/1",), awards=(right,),
    )  # fmt: skip

    assert story.now == (MILLION, 0)


def test_r24_what_passed_the_ceiling_is_what_would_have_passed_it():
    """9,000,000 less a false Poker of 500,000, and 1,800,000 of bets that are still sealed: 300,000 passed the ceiling of
    10,000,000, and 800,000 should have."""
    story = Story(9 * MILLION, ceiling=10 * MILLION)
    story.seal("DP-01", 1)
    place = story.claim("DP-01", 1, {1: POKER}, (1, "poker", MILLION // 2))
    story.seal("CP-01", 1, {1: 1_800_000}, over=300_000)
    story.world.tables["CP-01"].phase = SEALED
    story.world.tables["CP-01"].bets = story.facts[-1].fact.bets
    story.stands(10 * MILLION, 300_000)

    story.correct(
        "DP-01", 1, {}, place=place, before=9 * MILLION, unpaid=no_claim(1, 2, 3, 4), cancelled=("DP-01/1/1/1",),
        flow=Flow({"reserva0": 500_000}, 0, 0), overflows=(("CP-01", 1, 800_000),),
    )  # fmt: skip

    assert story.now == (10 * MILLION, 800_000)
    assert story.world.tables["CP-01"].bets[0].overflow == 800_000


def test_r19_a_base_goes_back_to_reserve_and_house():
    """5,000,000 were held; the base of 1,000,000 had come from the reserve (400,000) and the house (600,000)."""
    story = Story(5 * MILLION, reserve=400_000)
    story.seal("DP-01", 1)
    place = story.claim("DP-01", 1, {1: ROYAL}, (1, "escalera_real", 5 * MILLION))
    story.stands(MILLION, 0)

    story.correct(
        "DP-01", 1, {}, place=place, before=5 * MILLION, reserve=400_000, unpaid=no_claim(1, 2, 3, 4),
        cancelled=("DP-01/1/1/1",), flow=Flow({"main": 4 * MILLION, "reserva0": 400_000}, 600_000, 0),
    )  # fmt: skip

    assert story.now == (5 * MILLION, 400_000)


def test_r18_a_shortfall_that_a_false_award_made_goes_back_to_the_house():
    """Main 60,000, reserve 30,000: a false Color of 50,000 was paid, so a Full of 100,000 took 60,000 of the house; it
    should have taken 10,000. The house has lost what was paid, and owes as much less to the books."""
    story = Story(60_000, reserve=30_000)
    story.seal("DP-01", 1)
    story.seal("CP-01", 1)
    place = story.claim("DP-01", 1, {1: COLOR}, (1, "color", 50_000))
    story.pay("DP-01/1/1/1")
    story.claim("CP-01", 1, {2: FULL}, (2, "full", 100_000))
    story.stands(0, 0)

    story.correct(
        "DP-01", 1, {}, place=place, before=60_000, reserve=30_000, unpaid=no_claim(1, 2, 3, 4),
        lost=(Loss("DP-01/1/1/1", 50_000),),
    )  # fmt: skip

    assert story.now == (0, 0)


def test_r25_a_void_between_takes_back_from_the_pot_as_it_should_have_been():
    """100,000; a false Full takes all; 80,000 come in, a Color takes 50,000, and the 80,000 go back: 50,000 of them the
    house's, who had no need to."""
    story = Story(100_000)
    story.seal("DP-01", 1)
    place = story.claim("DP-01", 1, {1: FULL}, (1, "full", 100_000))
    story.seal("CP-01", 1, {1: 80_000})
    story.seal("TX-01", 1)
    story.claim("TX-01", 1, {})
    story.seal("GO-01", 1)
    story.tell(
        kinds.ClaimRegistered(
            "GO-01/1/1", "GO-01", 1, POT, CASINO, (), (Hand(2, claimed="color"),), Levels(0, 0),
            (Granted(1, 2, "color", 50_000),), (), Levels(0, 0), "eva",
        )
    )  # fmt: skip
    undone = (Undone(1, -1000, 0, -80_000, (0,)),)
    flow = Flow({"main": -30_000}, -50_000, 0)
    story.tell(
        kinds.HandsVoided("CP-01", 1, POT, CASINO, False, (Refund(1, 1000),), "x", "eva", True, flow, 0, (0,), undone)
    )
    story.stands(0)

    story.correct(
        "DP-01", 1, {}, place=place, before=100_000, unpaid=no_claim(1, 2, 3, 4), cancelled=("DP-01/1/1/1",),
        flow=Flow({"main": 50_000}, 50_000, 0),
    )  # fmt: skip

    assert story.now == (50_000, 0)


def test_r34_a_correction_that_reaches_further_back_than_the_one_before_it_and_one_that_takes_it_back():
    story = Story(10 * MILLION)
    for table in ("DP-01", "CP-01", "TX-01", "GO-01"):
        story.seal(table, 1)
    real = story.claim("DP-01", 1, {1: ROYAL}, (1, "escalera_real", 10 * MILLION))  # false: leaves the base
    story.claim("CP-01", 1, {2: STRAIGHT_FLUSH}, (2, "escalera_color", 100_000))
    story.pay("CP-01/1/1/1")
    late = story.close("GO-01", 1)
    story.stands(900_000)

    story.correct(
        "GO-01", 1, {2: "color"}, place=late, before=900_000, unpaid=no_claim(1, 3, 4),
        awards=(Granted(1, 2, "color", 50_000, rules=FIXED),), flow=Flow({"main": -50_000}, 0, 0), second="",
        confirmed=False, recording="",
    )  # fmt: skip
    assert story.now == (850_000, 0)

    more = Granted(2, 2, "escalera_color", 895_000, rules=("R-11", "R-15", "R-34"))
    story.correct(
        "DP-01", 1, {1: COLOR}, place=real, before=10 * MILLION, unpaid=no_claim(2, 3, 4), cancelled=("DP-01/1/1/1",),
        awards=(Granted(2, 1, "color", 50_000, rules=FIXED),),
        resettled=(Resettled("CP-01/1/1", "CP-01", 1, CASINO, (more,), since=6000),), flow=Flow({"main": 8_055_000}, MILLION, 0),
    )  # fmt: skip
    assert story.now == (8_905_000, 0)

    again = Granted(3, 1, "escalera_real", 10 * MILLION, rules=ALL)
    story.correct(
        "DP-01", 1, {1: ROYAL}, place=real, before=10 * MILLION, unpaid=no_claim(2, 3, 4), awards=(again,),
        cancelled=("DP-01/1/1/2",), flow=Flow({"main": -8_055_000}, -1_895_000, 0),
    )  # fmt: skip
    assert story.now == (850_000, 0)


def test_r34_too_low_a_category_was_paid():
    story = Story(MILLION)
    story.seal("DP-01", 1)
    place = story.claim("DP-01", 1, {1: COLOR, 2: OTHER_COLOR}, (1, "color", 50_000), (2, "color", 50_000))
    story.pay("DP-01/1/1/1")
    story.stands(900_000)

    fuller = Granted(3, 1, "full", 50_000, rules=FIXED)
    full_held = Granted(4, 2, "poker", 500_000, rules=FIXED)
    story.correct(
        "DP-01", 1, {1: FULL, 2: POKER}, place=place, before=MILLION, unpaid=no_claim(3, 4), awards=(fuller, full_held),
        cancelled=("DP-01/1/1/2",), flow=Flow({"main": -500_000}, 0, 0),
    )  # fmt: skip

    assert story.now == (400_000, 0)


def test_r26_money_that_two_persons_moved_is_where_they_put_it():
    """A Poker of 500,000 was overlooked before the whole million went into the reserve: the house gives what the main
    pot would have lacked for that."""
    story = Story(MILLION)
    story.seal("DP-01", 1)
    place = story.close("DP-01", 1)
    story.tell(kinds.MoneyMoved(POT, CASINO, "main", "reserva0", MILLION, "R", "ana", "carla"))
    story.stands(0, MILLION)

    late = Granted(1, 1, "poker", 500_000, rules=FIXED)
    story.correct(
        "DP-01", 1, {1: POKER}, place=place, before=MILLION, unpaid=no_claim(2, 3, 4), awards=(late,),
        flow=Flow({}, -500_000, 0),
    )  # fmt: skip

    assert story.now == (0, MILLION)


def test_r29_a_prize_was_drawn_for_a_pass_with_a_real_and_is_rejected_and_granted_anew():
    """Main 10,000,000, prize 500,000: the Real is 9,500,000. Without the prize it would have been 10,000,000."""
    story = Story(10 * MILLION)
    story.seal("DP-01", 1)
    place = story.grant(1, 2, 500_000)
    story.claim("DP-01", 1, {1: ROYAL}, (1, "escalera_real", 9_500_000))
    story.close("DP-01", 1)
    story.stands(MILLION)

    more = Granted(2, 1, "escalera_real", 500_000, rules=ALL)
    story.correct(
        "DP-01", 1, {}, claim="DP-01/1/p1", place=place, before=10 * MILLION, cancelled=("DP-01/1/p1/1",),
        resettled=(Resettled("DP-01/1/1", "DP-01", 1, CASINO, (more,), since=3000),),
    )  # fmt: skip
    assert story.now == (MILLION, 0)

    story.correct(
        "DP-01", 1, {}, claim="DP-01/1/p1", place=place, before=10 * MILLION,
        awards=(Granted(2, 2, "Jugador Afortunado", 500_000, rules=("R-29", "R-34")),), flow=Flow({}, -500_000, 0),
    )  # fmt: skip
    assert story.now == (MILLION, 0)


def test_r33_the_house_pays_all_that_comes_late():
    """The pot never sees the second Escalera de Color, nor a Real that nobody had entered."""
    story = Story(10 * MILLION, late_from="house")
    story.seal("DP-01", 1)
    story.seal("CP-01", 1)
    place = story.claim("DP-01", 1, {1: STRAIGHT_FLUSH}, (1, "escalera_color", MILLION))
    story.close("DP-01", 1)
    real = story.close("CP-01", 1)
    story.stands(9 * MILLION)

    late = Granted(2, 3, "escalera_color", MILLION // 2, rules=SHARED)
    story.correct(
        "DP-01", 1, {1: STRAIGHT_FLUSH, 3: OTHER_STRAIGHT_FLUSH}, place=place, before=10 * MILLION, late=(3,),
        unpaid=no_claim(2, 4), awards=(late,), flow=Flow({}, -MILLION // 2, 0),
    )  # fmt: skip
    story.correct(
        "CP-01", 1, {1: ROYAL}, place=real, before=9 * MILLION, late=(1,), unpaid=no_claim(2, 3, 4),
        awards=(Granted(1, 1, "escalera_real", 9 * MILLION, rules=ALL),), flow=Flow({}, -9 * MILLION, 0),
    )  # fmt: skip
    assert story.now == (9 * MILLION, 0)


def test_r34_a_prize_that_was_drawn_before_the_mark_is_in_the_mark_when_it_is_taken_back_behind_it():
    """A neighbour plays on over our day's end: his prize is told before it, his seal and the void of the hand behind it."""
    before = kinds.Levels(6_480, 20_000, {"reserva0": 1_760})
    back = kinds.ClaimCorrected(
        "DP-03@rey/1/1", "DP-03@rey", 1, "mar", "rey", 204, (), (), before, (), (), ("DP-03@rey/1/p2/1",),
        (kinds.Loss("DP-03@rey/1/p2/1", 15_000),), (), kinds.Flow({}, 15_000), (), "vista", "rey/eva", void=True,
    )  # fmt: skip
    past = Past("mar", 153, ("DP-01", 7))
    past.read(255, 1_000, back)

    assert [*past.claims] == ["DP-03@rey/1/1"]
