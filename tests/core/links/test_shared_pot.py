"""A pot that three nodes share: what its tables tell and what its owner makes of it (R-20, R-22, R-23, R-25, R-28)."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import AwardPaid, LetterDisputed, Refused
from controller.core.invariants import difference
from controller.core.links.letters import (
    AwardGiven,
    BetsSealed,
    BetsVoided,
    ClaimMade,
    ClaimSettled,
    HouseBears,
    PassOver,
    PrizeDrawn,
    read,
    written,
)
from controller.core.machine import answer
from controller.core.project import project
from controller.core.state import plan_of, with_claim
from controller.core.values import Hand, Levels, RegisteredAward, SealedBet, Signature
from controller.rules.money import PPM
from support.laws import naming
from support.links.evening import (
    AT,
    BOX,
    CASINO,
    OWNER,
    POT,
    PRIZES,
    close,
    in_force,
    linked,
    sealed,
    shared_plan,
    show_cards,
    without_prize,
    won,
)
from support.links.nodes import TWO, Nodes
from support.links.stream import Stream
from support.record.verify_history import COLOR, POKER, ROYAL, STRAIGHT_FLUSH, ruleset

EVA = Signature("eva")


@pytest.fixture
def nodes() -> Nodes:
    three = linked()
    in_force(three, base=700_000)
    return three


def put_in_force(nodes: Nodes, plan: str, law: str) -> None:
    nodes[OWNER].stage(plan, law)
    nodes.settle()
    for node in nodes.all.values():
        node.open_day()


def assert_equal_on_both_sides(nodes: Nodes) -> None:
    """R-28: at equal marks the clearing is the same with opposite sign; each book agrees with its state."""
    clearing = nodes.clearing(POT)
    assert all(clearing[here, other] == -clearing[other, here] for here, other in clearing), clearing
    for node in nodes.all.values():
        assert not difference(node.state, node.book.balances)


def balance(nodes: Nodes, node: str, account: str) -> int:
    return nodes[node].book.balances.get(account, 0)


def wagered(nodes: Nodes, node: str) -> int:
    return nodes[node].state.pots[POT].meters.wagered - nodes[node].state.pots[POT].meters.undone


# Bets


def test_r22_a_bet_at_a_box_is_commission_at_its_casino_and_net_at_the_owner(nodes):
    before = nodes[OWNER].state.pots[POT]
    sealed(nodes[BOX], 1, 2)
    nodes.settle()

    ppm = plan_of(before.documents).shares.commission
    net = 3_000 - 3_000 * ppm // PPM
    pot = nodes[OWNER].state.pots[POT]
    assert pot.main + sum(pot.reserves.values()) - before.main - sum(before.reserves.values()) == net
    assert nodes.clearing(POT)[BOX, CASINO] == 3_000 and nodes.clearing(POT)[CASINO, OWNER] == net
    assert balance(nodes, CASINO, f"commission:{POT}:sol") == 3_000 - net
    assert balance(nodes, BOX, f"commission:{POT}:sol") == balance(nodes, OWNER, f"commission:{POT}:sol") == 0
    assert_equal_on_both_sides(nodes)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_r23_one_carry_for_all_tables_of_a_casino(seed):
    nodes, chance = linked(), random.Random(seed)
    put_in_force(nodes, re.sub("commission_ppm = [0-9_]+", "commission_ppm = 123457", shared_plan()), ruleset())
    for _ in range(12):
        node = nodes[chance.choice((BOX, CASINO, OWNER))]
        sealed(node, *sorted(chance.sample(range(1, 6), chance.randrange(1, 4))))
        if chance.random() < 0.3:
            node.must(ask.VoidPass(AT[node.name], "mal dado", EVA))
        else:
            close(node)
        if chance.random() < 0.5:
            nodes.carry(BOX, CASINO, most=chance.randrange(1, 9))
    nodes.settle()

    of_casino = wagered(nodes, CASINO)
    assert balance(nodes, CASINO, f"commission:{POT}:sol") == of_casino * 123_457 // PPM
    of_owner = wagered(nodes, OWNER) - of_casino
    assert balance(nodes, OWNER, f"commission:{POT}:mar") == of_owner * 123_457 // PPM
    assert nodes[OWNER].state.pots[POT].commission_carries["sol"] == of_casino * 123_457 % PPM
    assert_equal_on_both_sides(nodes)


def test_r25_a_void_hand_goes_back_at_once_and_out_of_the_pot_when_it_is_heard(nodes):
    before = nodes[OWNER].state.pots[POT]
    without_prize(nodes[BOX], 1, 2)
    nodes.settle()
    caja = nodes[BOX]
    caja.must(ask.VoidHand(AT[BOX], 1, "carta vista", EVA))
    assert caja.state.tables[AT[BOX]].seats[0].credits >= 1_000
    caja.must(ask.VoidPass(AT[BOX], "mal dado", EVA))
    nodes.settle()

    after = nodes[OWNER].state.pots[POT]
    assert (after.main, after.reserves) == (before.main, before.reserves)
    assert nodes.clearing(POT)[BOX, CASINO] == 0
    assert balance(nodes, CASINO, f"commission:{POT}:sol") == 0
    assert_equal_on_both_sides(nodes)


def test_r25_where_the_pots_keep_what_they_got_the_house_of_the_casino_refunds():
    nodes = linked()
    put_in_force(nodes, shared_plan(), naming(ruleset(void_undoes="nothing"), "guarda"))
    without_prize(nodes[BOX], 1, 2)
    nodes.settle()
    there = nodes[OWNER].state.pots[POT].main
    nodes[BOX].must(ask.VoidPass(AT[BOX], "mal dado", EVA))
    nodes.settle()

    assert nodes[OWNER].state.pots[POT].main == there
    assert balance(nodes, BOX, f"house:{POT}:sol") == -3_000
    assert_equal_on_both_sides(nodes)


def test_r35_the_owner_notes_the_pot_when_it_hears_that_a_pass_was_closed(nodes):
    sealed(nodes[BOX], 1)
    close(nodes[BOX])
    nodes.settle()
    away = nodes[OWNER].state.away["CP-01@caja@sol"]
    assert away.closed and not away.bets and away.number == nodes[BOX].state.tables[AT[BOX]].number


# Claims


def test_r21_what_waits_for_the_owner_too_long_is_said_to_wait_for_him(nodes):
    caja = nodes[BOX]
    sealed(caja, 3)
    claim = won(caja, Hand(3, cards=STRAIGHT_FLUSH))
    caja.now += 31 * 60_000
    caja.must(ask.LookAtClock())

    (said,) = (one for one in project(caja.state).alarms if one.rule == "R-21")
    assert (said.name, said.where) == ("award_of_owner_late", f"{claim}/1") and "el dueño" in said.sentence


def test_r20_a_percentage_waits_for_the_owner_and_what_is_certain_does_not(nodes):
    caja = nodes[BOX]
    sealed(caja, 1, 2, 3)
    claim = won(caja, Hand(1, cards=COLOR), Hand(3, cards=STRAIGHT_FLUSH))
    held = caja.state.claims[claim].awards

    assert [(one.granted.amount, one.waits) for one in held.values()] == [(50_000, False), (0, True)]
    for act in (
        ask.ConfirmAward(f"{claim}/2", Signature("carla"), Signature("ana")),
        ask.SetAside(f"{claim}/2", "se fue", EVA, Signature("carla")),
    ):
        (refused,) = caja.ask(act)
        assert isinstance(refused, Refused) and refused.reason == "award_waits"
    caja.must(ask.ConfirmAward(f"{claim}/1", Signature("carla"), Signature("ana")))
    (paid,) = (fact for fact in caja.must(ask.PayAward(f"{claim}/1", EVA)) if isinstance(fact, AwardPaid))
    assert paid.amount == 50_000 and balance(nodes, BOX, f"clearing:{POT}:sol") == 6_000 - 50_000

    nodes.settle()
    decided = caja.state.claims[claim].awards[f"{claim}/2"]
    assert not decided.waits and decided.granted.amount > 0
    assert nodes[OWNER].state.claims["CP-01@caja@sol/1/1"].awards["CP-01@caja@sol/1/1/1"].paid
    caja.pay_all(claim)
    nodes.settle()
    assert not nodes[OWNER].state.claims["CP-01@caja@sol/1/1"].owed
    assert_equal_on_both_sides(nodes)


def test_r20_the_order_is_that_of_the_owner(nodes):
    caja, sol = nodes[BOX], nodes[CASINO]
    without_prize(caja, 1)
    without_prize(sol, 1)
    nodes.settle()
    whole = nodes[OWNER].state.pots[POT].main
    of_sol = won(sol, Hand(1, cards=ROYAL))
    sol.now -= 1_000
    of_caja = won(caja, Hand(1, cards=ROYAL))
    nodes.carry(CASINO, OWNER)
    nodes.settle()

    (first,) = sol.state.claims[of_sol].awards.values()
    (second,) = caja.state.claims[of_caja].awards.values()
    assert first.granted.amount == whole and second.granted.amount == 700_000
    assert nodes[OWNER].state.pots[POT].main == 700_000
    assert_equal_on_both_sides(nodes)


def test_r19_the_base_is_put_back_by_the_house_of_the_winners_casino():
    nodes = linked()
    in_force(nodes, base=700_000)
    without_prize(nodes[BOX], 1)
    nodes.settle()
    won(nodes[BOX], Hand(1, cards=ROYAL))
    nodes.settle()

    letter = next(one.letter for one in nodes[OWNER].told[f"pot:{POT}"] if isinstance(one.letter, ClaimSettled))
    assert letter.base_back is not None and letter.base_back.parts["main"] == 700_000
    assert balance(nodes, BOX, f"house:{POT}:sol") == letter.base_back.house < -600_000
    assert balance(nodes, OWNER, f"house:{POT}:sol") == 0
    assert_equal_on_both_sides(nodes)


def test_r18_what_the_pot_cannot_give_the_house_of_the_winners_casino_bears():
    nodes = linked()
    in_force(nodes, base=10_000)
    without_prize(nodes[BOX], 1, 2, 3)
    nodes.settle()
    claim = won(nodes[BOX], Hand(1, cards=POKER))
    nodes.settle()

    (award,) = nodes[BOX].state.claims[claim].awards.values()
    assert award.granted.house > 0
    assert balance(nodes, BOX, f"house:{POT}:sol") == -award.granted.house
    assert_equal_on_both_sides(nodes)


def test_r20_a_decision_that_comes_after_the_day_was_closed_still_charges_the_house():
    nodes = linked()
    in_force(nodes, base=10_000)
    caja = nodes[BOX]
    without_prize(caja, 1, 2, 3)
    claim = won(caja, Hand(1, cards=POKER))
    caja.pay_all(claim)
    close(caja)
    caja.empty(AT[BOX])
    caja.close_day()
    assert claim not in caja.state.claims
    nodes.settle()

    assert balance(nodes, BOX, f"house:{POT}:sol") < 0
    assert_equal_on_both_sides(nodes)


def test_r28_what_a_neighbour_won_is_confirmed_corrected_and_paid_there(nodes):
    sealed(nodes[BOX], 1)
    won(nodes[BOX], Hand(1, cards=COLOR))
    nodes.settle()
    away = "CP-01@caja@sol/1/1"
    for act, reason in (
        (ask.ConfirmAward(f"{away}/1", Signature("carla"), Signature("ana")), "award_elsewhere"),
        (ask.RejectClaim(claim=away, reason="no", by=Signature("carla"), second=Signature("ana")), "claim_elsewhere"),
        (
            ask.CorrectClaim(
                table="CP-01@caja@sol", number=1, hands=(), community=(), reason="no", by=EVA, second=Signature("carla")
            ),
            "claim_elsewhere",
        ),
    ):
        (refused,) = nodes[OWNER].ask(act)
        assert isinstance(refused, Refused) and refused.reason == reason, refused


def test_r28_nobody_moves_the_money_of_a_neighbours_pot(nodes):
    (refused,) = nodes[BOX].ask(ask.MoveMoney(POT, "house", "main", 1_000, "Res. 1", **TWO))
    assert isinstance(refused, Refused) and refused.reason == "pot_elsewhere"


def test_r29_a_prize_is_drawn_at_the_table_and_taken_from_the_pot():
    nodes = linked()
    in_force(nodes, extra=PRIZES, base=5_000)
    caja = nodes[BOX]
    for _ in range(12):
        sealed(caja, 1, 2)
        show_cards(caja)
        close(caja)
    prizes = [claim for claim in caja.state.claims.values() if claim.prize]
    nodes.settle()

    assert prizes and all(f"{claim.table}@caja@sol" in nodes[OWNER].state.away for claim in prizes)
    for claim in prizes:
        caja.pay_all(claim.id)
    nodes.settle()
    assert balance(nodes, BOX, f"house:{POT}:sol") < 0, "the pot was too small for all of them"
    assert not any(claim.owed for claim in nodes[OWNER].state.claims.values())
    assert_equal_on_both_sides(nodes)


def test_r35_what_was_set_aside_is_owed_without_a_term_at_the_owner_too(nodes):
    caja = nodes[BOX]
    sealed(caja, 1, 2)
    claim = won(caja, Hand(1, cards=COLOR))
    nodes.settle()
    caja.must(ask.SetAside(f"{claim}/1", "se fue", EVA, Signature("carla")))
    nodes.settle()
    (award,) = nodes[OWNER].state.claims["CP-01@caja@sol/1/1"].awards.values()
    assert award.aside and not award.pending
    caja.must(ask.PayAward(f"{claim}/1", EVA))
    nodes.settle()
    assert_equal_on_both_sides(nodes)


def test_r34_a_pass_without_winners_is_told_too(nodes):
    sealed(nodes[BOX], 1)
    won(nodes[BOX], Hand(1, acts=("folded",)))
    nodes.settle()
    assert nodes[BOX].state.tables[AT[BOX]].attempts == 1
    assert not nodes[OWNER].state.claims and not nodes[OWNER].state.disputes


def test_r34_of_a_pass_that_is_being_corrected_nothing_is_paid(nodes):
    caja = nodes[BOX]
    sealed(caja, 1)
    claim = won(caja, Hand(1, cards=COLOR))
    frozen = with_claim(caja.state, replace(caja.state.claims[claim], frozen=True))
    (refused,) = answer(frozen, ask.ConfirmAward(f"{claim}/1", Signature("carla"), Signature("ana")), caja.now)
    assert isinstance(refused, Refused) and refused.reason == "award_frozen"


def test_r34_what_was_taken_after_a_dispute_is_told_again_with_the_pot(nodes):
    mar = nodes[OWNER]
    without_prize(mar, 1)
    claim = won(mar, Hand(1, cards=STRAIGHT_FLUSH))
    before = mar.state.pots[POT].main
    stream = Stream(CASINO, "to:mar")
    stream.mark = mar.state.heard["sol/to:mar"]
    bet = SealedBet(1, 5_000, 0, 0)
    mar.hear(stream.next(BetsSealed(POT, "XX-01", 1, "sol", (bet,), "ab" * 32, "cd" * 32)))
    mar.must(ask.EndDispute("sol", stream.mark.number, accepted=True, reason="visto", **TWO))
    mar.must(ask.RejectClaim(claim=claim, reason="mal visto", by=Signature("carla"), second=Signature("ana")))
    (award,) = mar.state.claims[claim].awards.values()
    assert mar.state.pots[POT].main == before + 5_000 + award.granted.amount


def test_r26_what_the_owners_people_move_is_seen_by_all(nodes):
    nodes[OWNER].must(ask.MoveMoney(POT, "house", "main", 5_000, "Res. 9", Signature("ana"), Signature("carla")))
    nodes.settle()
    assert nodes[CASINO].state.pots[POT].main == nodes[OWNER].state.pots[POT].main
    assert_equal_on_both_sides(nodes)


def test_r32_a_hand_that_cannot_be_is_refused_where_it_is_entered(nodes):
    sealed(nodes[BOX], 1)
    (refused,) = nodes[BOX].ask(ask.RegisterClaim(AT[BOX], (Hand(5, cards=COLOR),), EVA))
    assert isinstance(refused, Refused) and refused.reason == "seat_did_not_bet"


# What cannot be


def disputed(nodes: Nodes, letter) -> LetterDisputed:
    """The next letter of the box, as a dishonest one would write it, heard by its casino."""
    sol = nodes[CASINO]
    stream = Stream(BOX, "to:sol")
    stream.mark = sol.state.heard["caja/to:sol"]
    facts = sol.hear(stream.next(letter))
    assert isinstance(facts[0], LetterDisputed), facts
    assert sum(nodes[CASINO].book.balances.values()) == 0
    return facts[0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"table": "XX-01"}, "no enlaza la mesa"),
        ({"pot": "otro"}, "no hay un pozo"),
        ({"casino": "mar"}, "es de sol"),
        ({"number": 1}, "no es posterior"),
        ({"plan": "ab" * 32}, "plan vigente"),
        ({"closed": "x"}, "huella"),
        ({"dark": (9,)}, "posiciones"),
        ({"bets": (SealedBet(2, 1_000, 0, 0), SealedBet(1, 1_000, 0, 0))}, "posiciones"),
        ({"bets": (SealedBet(8, 1_000, 0, 0),)}, "posiciones"),
        ({"bets": (SealedBet(1, 6_000, 0, 0),)}, "no la permite"),
        ({"bets": (SealedBet(1, 1_500, 0, 0),)}, "no la permite"),
        ({"bets": (SealedBet(1, 1_000, 0, 0, promo=2_000),)}, "no la permite"),
        ({"bets": (SealedBet(1, 1_000, 0, 500),)}, "repartida"),
        ({"bets": (SealedBet(1, 1_000, 1, 0),)}, "comisión"),
    ],
)
def test_r28_a_pass_that_cannot_be_stands_apart_and_the_next_one_counts(nodes, change, why):
    sealed(nodes[BOX], 1)
    nodes.settle()
    good = next(one.letter for one in nodes[BOX].told["to:sol"] if isinstance(one.letter, BetsSealed))
    letter = replace(good, **{"number": 2, **change})

    fact = disputed(nodes, letter)
    assert why in fact.why
    assert balance(nodes, CASINO, f"dispute:{POT}:caja") == fact.amount if fact.pot else fact.amount == 0


def test_r28_a_commission_that_was_not_taken_is_not_believed_of_a_casino(nodes):
    sealed(nodes[CASINO], 1)
    nodes.settle()
    good = nodes[CASINO].told["to:mar"][-1].letter
    assert isinstance(good, BetsSealed)
    stream = Stream(CASINO, "to:mar")
    stream.mark = nodes[OWNER].state.heard["sol/to:mar"]
    bad = tuple(replace(bet, commission=bet.commission + 1) for bet in good.bets)
    fact, *_ = nodes[OWNER].hear(stream.next(replace(good, number=2, bets=bad)))
    assert isinstance(fact, LetterDisputed) and "comisión" in fact.why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"number": 7}, "no está en curso"),
        ({"undone": (SealedBet(3, -1_000, 0, 0),)}, "no se contaron"),
        ({"undone": (SealedBet(1, -2_000, 0, 0),)}, "no se contaron"),
        ({"undone": (SealedBet(1, -1_000, -5, 0),)}, "comisión devuelta"),
        ({"kept": True}, "no sigue la lectura del plan"),
    ],
)
def test_r25_a_void_of_what_was_not_counted_stands_apart(nodes, change, why):
    without_prize(nodes[BOX], 1, 2)
    nodes.settle()
    number = nodes[BOX].state.tables[AT[BOX]].number
    good = BetsVoided(POT, AT[BOX], number, "sol", False, (SealedBet(1, -1_000, 0, 0),), "x", "eva")
    assert why in disputed(nodes, replace(good, **change)).why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"number": 7}, "no está en curso"),
        ({"claim": "CP-01/1/x"}, "no es un premio del pase"),
        ({"claim": "CP-01/2/1"}, "no es un premio del pase"),
        ({"hands": (Hand(1, cards=("Zz",) * 5),)}, "carta"),
        ({"awards": ()}, "no son los de esas manos"),
        ({"awards": (RegisteredAward(1, 1, "Color", 60_000),)}, "no son los de esas manos"),
    ],
)
def test_r32_a_claim_that_cannot_be_stands_apart(nodes, change, why):
    sealed(nodes[BOX], 1, 2)
    nodes.settle()
    won(nodes[BOX], Hand(1, cards=COLOR))
    good = nodes[BOX].told["to:sol"][-1].letter
    assert isinstance(good, ClaimMade)
    fact = disputed(nodes, replace(good, **change))
    assert why in fact.why and fact.amount == -sum(award.amount for award in replace(good, **change).awards)


def test_r34_a_second_claim_of_a_pass_stands_apart(nodes):
    sealed(nodes[BOX], 1, 2)
    won(nodes[BOX], Hand(1, cards=COLOR))
    nodes.settle()
    good = next(one.letter for one in nodes[BOX].told["to:sol"] if isinstance(one.letter, ClaimMade))
    assert "ya están registrados" in disputed(nodes, replace(good, claim="CP-01/1/2")).why


@pytest.mark.parametrize(
    ("letter", "why"),
    [
        (AwardGiven(POT, "CP-01/9/1/1", 5, "eva"), "no hay un premio"),
        (AwardGiven(POT, "CP-01/1/1/1", 5, "eva"), "es de 50000"),
        (PassOver(POT, "CP-01", 4, reviewed=True), "no está por terminar"),
        (PrizeDrawn(POT, "CP-01/1/p1", "CP-01", 1, "sol", "Nada", 1, 5), "no es un premio del plan"),
        (HouseBears(POT, "CP-01", "sol", 5, "x", None), "no es de caja"),
        (PrizeDrawn(POT, "CP-01/1/p1", "CP-01", 1, "sol", "Jugador Afortunado", 4, 15_000), "no participa"),
        (PrizeDrawn(POT, "CP-01/2/p1", "CP-01", 1, "sol", "Jugador Afortunado", 1, 15_000), "no es un premio nuevo"),
    ],
)
def test_r28_what_else_cannot_be_stands_apart(letter, why):
    nodes = linked()
    in_force(nodes, extra=PRIZES, base=700_000)
    sealed(nodes[BOX], 1, 2)
    won(nodes[BOX], Hand(1, cards=COLOR))
    nodes.settle()
    if isinstance(letter, HouseBears):
        letter = replace(letter, after=nodes[OWNER].told[f"pot:{POT}"][-1].letter.after)
    assert why in disputed(nodes, letter).why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"casino": "mar"}, "no es lo que se pidió"),
        ({"awards": ()}, "no es lo que se pidió"),
        ({"more": 1}, "no dice de dónde sale"),
        ({"twice": 1}, "nombra dos veces"),
        ({"sources": {"main": -50_000, "x": 100_000}}, "no puede ser"),
    ],
)
def test_r20_a_member_does_not_believe_every_decision(nodes, change, why):
    sealed(nodes[BOX], 1, 3)
    won(nodes[BOX], Hand(1, cards=COLOR), Hand(3, cards=STRAIGHT_FLUSH))
    nodes.carry(BOX, CASINO)
    nodes.carry(CASINO, OWNER)
    good = next(one.letter for one in nodes[OWNER].told[f"pot:{POT}"] if isinstance(one.letter, ClaimSettled))
    first, *others = good.awards
    if "more" in change:
        change = {"awards": (replace(first, amount=first.amount + 1), *others)}
    if "twice" in change:
        change = {"awards": (first, first, *others)}
    if "sources" in change:
        change = {"awards": (replace(first, parts=change["sources"]), *others)}
    stream = Stream(OWNER, f"pot:{POT}")
    stream.mark = nodes[CASINO].state.heard[f"mar/pot:{POT}"]
    fact, *_ = nodes[CASINO].hear(stream.next(replace(good, **change)))
    assert isinstance(fact, LetterDisputed) and why in fact.why
    claim = nodes[CASINO].state.claims["CP-01@caja/1/1"]
    assert any(one.waits for one in claim.awards.values())


@pytest.mark.parametrize("closed", [False, True])
def test_r20_what_was_decided_is_not_decided_again(closed):
    """An owner that was put back hears the same claim twice, and settles it twice; the house bears a base once."""
    nodes = linked()
    in_force(nodes, base=10_000)
    caja, casino = nodes[BOX], nodes[CASINO]
    without_prize(caja, 1, 2, 3)
    claim = won(caja, Hand(1, cards=POKER))
    nodes.settle()
    if closed:
        caja.pay_all(claim)
        nodes.settle()
        close(caja)
        nodes.settle()
        casino.close_day()
        assert "CP-01@caja/1/1" not in casino.state.claims
    good = next(one.letter for one in nodes[OWNER].told[f"pot:{POT}"] if isinstance(one.letter, ClaimSettled))
    before = dict(casino.book.balances)

    stream = Stream(OWNER, f"pot:{POT}")
    stream.mark = casino.state.heard[f"{OWNER}/pot:{POT}"]
    fact, *_ = casino.hear(stream.next(good))
    assert isinstance(fact, LetterDisputed) and "no esperaban" in fact.why
    assert casino.book.balances == before and casino.state.undecided == ()


@pytest.mark.parametrize("change", [{"casino": "mar"}, {"table": "XX-09@sol"}, {"amount": 0}])
def test_r18_a_house_bears_only_what_happened_at_its_own_tables(nodes, change):
    sealed(nodes[CASINO], 1)
    nodes.settle()
    levels = nodes[OWNER].state.pots[POT]
    good = HouseBears(POT, "DP-01@sol", "sol", 5, "DP-01@sol/1", Levels(levels.main, 700_000, levels.reserves))
    stream = Stream(OWNER, f"pot:{POT}")
    stream.mark = nodes[CASINO].state.heard[f"mar/pot:{POT}"]
    fact, *_ = nodes[CASINO].hear(stream.next(replace(good, **change)))
    assert isinstance(fact, LetterDisputed)
    assert balance(nodes, CASINO, f"house:{POT}:sol") == 0


def test_what_is_no_letter_is_not_read():
    letter = AwardGiven(POT, "CP-01/1/1/1", 5, "eva")
    assert read(written(letter)) == letter
    assert read(b" " + written(letter)) is None and read(b'{"letter":"x"}') is None and read(b"[" * 9_999) is None


# An evening


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_r28_an_evening_with_letters_late_ends_equal_on_all_sides(seed):
    nodes, chance = linked(), random.Random(seed)
    in_force(nodes, extra=PRIZES, base=chance.choice((5_000, 700_000)), ceiling=chance.choice((900_000, 10**9)))
    hands = (COLOR, POKER, STRAIGHT_FLUSH, ROYAL)
    for _ in range(14):
        node = nodes[chance.choice((BOX, CASINO, OWNER))]
        number = sealed(node, *sorted(chance.sample(range(1, 6), chance.randrange(1, 4))))
        table = node.state.tables[AT[node.name]]
        show_cards(node)
        drawn = any((one.table, one.number) == (table.name, number) for one in node.state.claims.values())
        what = chance.random()
        if what < 0.3 and not drawn:
            won(node, Hand(table.bets[0].seat, cards=chance.choice(hands)))
        elif what < 0.5 and not drawn:
            node.must(ask.VoidPass(table.name, "mal dado", EVA))
        for _ in range(chance.randrange(3)):
            nodes.carry(*chance.choice(nodes.links)[:: chance.choice((1, -1))], most=chance.randrange(1, 6))
        if node.state.tables[table.name].phase == "sealed":
            close(node)
    nodes.settle()
    for node in nodes.all.values():
        for claim, one in list(node.state.claims.items()):
            if "@" not in one.table:
                node.pay_all(claim)
    nodes.settle()

    assert_equal_on_both_sides(nodes)
    assert not any(node.state.disputes for node in nodes.all.values())
    assert not any(
        award.waits
        for node in nodes.all.values()
        for one in node.state.claims.values()
        for award in one.awards.values()
    )
    paid = sum(
        balance(nodes, node, f"paid:{POT}:{casino}") for node, casino in ((BOX, "sol"), (CASINO, "sol"), (OWNER, "mar"))
    )
    assert paid == nodes[OWNER].state.pots[POT].meters.paid
