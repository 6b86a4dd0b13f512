"""Two persons advance part of a percentage that waits, and the decision pays the difference (R-18, R-20, R-28)."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import AwardAdvanced, AwardPaid, Refused
from controller.core.invariants import difference
from controller.core.links.advances import bound
from controller.core.links.letters import AdvanceGiven, AwardGiven, BetsVoided, read, version_of, written
from controller.core.machine import answer
from controller.core.state import with_claim
from controller.core.values import Hand, Signature
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
    without_prize,
    won,
)
from support.links.nodes import Nodes
from support.links.stream import Stream
from support.record.verify_history import COLOR, OTHER_STRAIGHT_FLUSH, POKER, ROYAL, STRAIGHT_FLUSH

EVA, CARLA, DARIO, ANA = (Signature(name) for name in ("eva", "carla", "dario", "ana"))
BASE = 700_000
REAL = f"{AT[BOX]}/1/1/1"
AWAY = "CP-01@caja@sol/1/1"


@pytest.fixture
def nodes() -> Nodes:
    return started()


def started(extra: str = "", base: int = BASE) -> Nodes:
    three = linked()
    in_force(three, extra=extra, base=base)
    return three


def advance(
    amount: int, award: str = REAL, by: Signature = CARLA, second: Signature = EVA, reason: str = "cable cortado"
):
    return ask.AdvanceAward(award, amount, reason, by, second)


def cut_off_with(nodes: Nodes, *hands: Hand, node: str = BOX) -> str:
    """A claim that nobody above has heard of."""
    at = nodes[node]
    sealed(at, *(hand.seat for hand in hands))
    return won(at, *hands)


def refusal_of(nodes: Nodes, asked, node: str = BOX) -> str:
    (refused,) = nodes[node].ask(asked)
    assert isinstance(refused, Refused), refused
    return refused.reason


def balance(nodes: Nodes, account: str, node: str = BOX) -> int:
    return nodes[node].book.balances.get(f"{account}:{POT}:sol", 0)


def assert_sound(nodes: Nodes) -> None:
    clearing = nodes.clearing(POT)
    assert all(clearing[here, other] == -clearing[other, here] for here, other in clearing), clearing
    for node in nodes.all.values():
        assert not difference(node.state, node.book.balances)
        assert not node.state.disputes


# What may be advanced


def test_r20_two_advance_part_of_what_waits_and_the_decision_pays_the_difference(nodes):
    caja = nodes[BOX]
    cut_off_with(nodes, Hand(1, cards=ROYAL))
    (fact, told) = caja.must(advance(200_000))
    assert isinstance(fact, AwardAdvanced) and (fact.casino, fact.seat, fact.second) == ("sol", 1, "eva")
    assert told.letter == AdvanceGiven(POT, REAL, 200_000, "carla") and told.version == 2
    assert (balance(nodes, "house"), balance(nodes, "paid")) == (-200_000, 200_000)

    nodes.settle()
    one = caja.state.claims[f"{AT[BOX]}/1/1"].awards[REAL]
    house = balance(nodes, "house")
    assert (one.waits, one.advanced) == (False, 200_000) and one.granted.amount > BASE
    caja.must(ask.ConfirmAward(REAL, CARLA, ANA))
    paid = next(fact for fact in caja.must(ask.PayAward(REAL, EVA)) if isinstance(fact, AwardPaid))
    assert (paid.amount, paid.advanced) == (one.granted.amount, 200_000)
    assert balance(nodes, "paid") == one.granted.amount and balance(nodes, "house") == house + 200_000
    assert caja.state.claims[f"{AT[BOX]}/1/1"].awards[REAL].advanced == 0

    nodes.settle()
    assert nodes[OWNER].state.claims[AWAY].awards[f"{AWAY}/1"].paid
    assert_sound(nodes)


def test_r28_no_more_than_the_plan_lets_of_what_the_owner_said_last(nodes):
    caja = nodes[BOX]
    cut_off_with(nodes, Hand(1, cards=ROYAL))
    assert bound(caja.state, caja.state.claims[f"{AT[BOX]}/1/1"], REAL) == (BASE, BASE // 2)
    for amount in (0, -1, BASE // 2 + 1, 10**30):
        assert refusal_of(nodes, advance(amount)) == "advance_too_much"
    caja.must(advance(BASE // 2 - 1))
    caja.must(advance(1, by=DARIO))
    (refused,) = caja.ask(advance(1))
    assert (
        refused.message
        == f"De {REAL} se adelantan a lo más 0: hasta el 50 % de {BASE}, por lo que consta, y van {BASE // 2}."
    )
    assert balance(nodes, "paid") == BASE // 2


def test_r13_r15_what_is_certain_and_what_was_asked_before_goes_off_first(nodes):
    sol = nodes[CASINO]
    first = cut_off_with(nodes, Hand(1, cards=COLOR), Hand(2, cards=STRAIGHT_FLUSH), node=CASINO)
    left = BASE - 50_000
    assert bound(sol.state, sol.state.claims[first], f"{first}/2") == (left // 10, left // 20)
    close(sol)
    second = cut_off_with(nodes, Hand(1, cards=ROYAL), node=CASINO)
    assert bound(sol.state, sol.state.claims[second], f"{second}/1").whole == left - left // 10
    assert bound(sol.state, sol.state.claims[first], f"{first}/2").whole == left // 10


def test_r20_what_waits_on_another_pot_takes_nothing_off(nodes):
    sol = nodes[CASINO]
    first = cut_off_with(nodes, Hand(1, cards=STRAIGHT_FLUSH), node=CASINO)
    close(sol)
    second = cut_off_with(nodes, Hand(1, cards=ROYAL), node=CASINO)
    elsewhere = with_claim(sol.state, sol.state.claims[second])
    other = replace(sol.state.claims[first], pot="otro")
    elsewhere = replace(elsewhere, claims={**elsewhere.claims, first: other})
    assert bound(elsewhere, elsewhere.claims[second], f"{second}/1").whole == BASE


def test_r17_a_state_without_bets_counts_the_least_one(nodes):
    caja = nodes[BOX]
    name = cut_off_with(nodes, Hand(3, cards=STRAIGHT_FLUSH))
    claim = caja.state.claims[name]
    award = claim.awards[f"{claim.id}/1"]
    assert award.bet == 3_000
    old = replace(claim, awards={f"{claim.id}/1": replace(award, bet=0)})
    assert bound(with_claim(caja.state, old), old, f"{claim.id}/1").whole == BASE // 10


@pytest.mark.parametrize(("percent", "most"), [(0, None), (1, 7_000), (100, BASE)])
def test_r28_the_plan_says_how_much(percent, most):
    nodes = started(extra=f"\n[links]\nadvance_percent = {percent}\n")
    cut_off_with(nodes, Hand(1, cards=ROYAL))
    if most is None:
        assert refusal_of(nodes, advance(1)) == "no_advances"
        return
    assert refusal_of(nodes, advance(most + 1)) == "advance_too_much"
    nodes[BOX].must(advance(most))


def test_r20_only_what_waits_here_and_with_a_reason(nodes):
    caja = nodes[BOX]
    claim = cut_off_with(nodes, Hand(1, cards=COLOR), Hand(2, cards=STRAIGHT_FLUSH))
    assert refusal_of(nodes, advance(1, f"{claim}/1")) == "award_decided"
    assert refusal_of(nodes, advance(1, f"{claim}/9")) == "award_unknown"
    assert refusal_of(nodes, advance(1, "CP-01/9/1/1")) == "award_unknown"
    assert refusal_of(nodes, advance(1, f"{claim}/2", reason=" ")) == "reason_missing"
    frozen = with_claim(caja.state, replace(caja.state.claims[claim], frozen=True))
    (refused,) = answer(frozen, advance(1, f"{claim}/2"), caja.now)
    assert isinstance(refused, Refused) and refused.reason == "award_frozen"
    nodes.settle()
    assert refusal_of(nodes, advance(1, f"{claim}/2")) == "award_decided"
    assert refusal_of(nodes, advance(1, f"{AT[BOX]}@caja/1/1/2"), CASINO) == "award_elsewhere"


def test_r36_by_two_of_whom_one_did_not_enter_it(nodes):
    caja = nodes[BOX]
    cut_off_with(nodes, Hand(1, cards=ROYAL))  # eva entered it
    assert refusal_of(nodes, advance(1, by=EVA)) == "role_missing"
    assert refusal_of(nodes, advance(1, second=CARLA)) == "two_persons_needed"
    assert refusal_of(nodes, advance(1, second=replace(EVA, verified=False))) == "pin_wrong"
    caja.must(advance(1))
    entered = caja.state.claims[f"{AT[BOX]}/1/1"].awards[REAL].entered
    both = with_claim(
        caja.state,
        replace(
            caja.state.claims[f"{AT[BOX]}/1/1"],
            awards={REAL: replace(caja.state.claims[f"{AT[BOX]}/1/1"].awards[REAL], entered=(*entered, "carla"))},
        ),
    )
    (refused,) = answer(both, advance(1), caja.now)
    assert isinstance(refused, Refused) and refused.reason == "confirms_own"


def test_r36_above_an_amount_nobody_who_entered_it_signs_and_all_advances_count():
    nodes = started(extra="\n[awards]\nnone_registered_above = 1000\n")
    cut_off_with(nodes, Hand(1, cards=ROYAL))
    nodes[BOX].must(advance(1_000))
    assert refusal_of(nodes, advance(1)) == "confirms_own"
    nodes[BOX].must(advance(1, second=DARIO))


# What becomes of it


def test_r20_what_others_were_first_to_win_the_house_has_lost(nodes):
    """The owner had been won empty: less is owed than was handed out. Nothing more is paid, and a person ends it."""
    caja, sol = nodes[BOX], nodes[CASINO]
    cut_off_with(nodes, Hand(1, cards=ROYAL), node=CASINO)
    cut_off_with(nodes, Hand(1, cards=STRAIGHT_FLUSH), Hand(2, cards=OTHER_STRAIGHT_FLUSH))
    one, other = (f"{AT[BOX]}/1/1/{number}" for number in (1, 2))
    caja.must(advance(17_500, one))
    nodes.carry(CASINO, OWNER)
    with_less = nodes[OWNER]
    with_less.must(ask.MoveMoney(POT, "main", "reserva0", 500_000, "Res. 9", ANA, Signature("bea")))
    nodes.settle()
    granted = caja.state.claims[f"{AT[BOX]}/1/1"].awards[one].granted.amount
    assert granted < 17_500
    house = balance(nodes, "house")
    caja.must(ask.ConfirmAward(one, CARLA, ANA))
    paid = next(fact for fact in caja.must(ask.PayAward(one, EVA)) if isinstance(fact, AwardPaid))
    assert paid.advanced == granted == paid.amount
    assert balance(nodes, "paid") == 17_500, "he keeps what he has"
    assert balance(nodes, "house") == house + granted, "and the house bears the rest"
    assert caja.state.claims[f"{AT[BOX]}/1/1"].awards[one].advanced == 17_500 - granted
    caja.pay_all(f"{AT[BOX]}/1/1")
    for claim in list(sol.state.claims):
        if "@" not in claim:
            sol.pay_all(claim)
    nodes.settle()
    assert other in caja.state.claims[f"{AT[BOX]}/1/1"].awards
    assert_sound(nodes)


def test_r34_a_claim_that_was_false_leaves_the_advance_with_the_house(nodes):
    caja = nodes[BOX]
    claim = cut_off_with(nodes, Hand(1, cards=ROYAL))
    caja.must(advance(100_000))
    caja.must(ask.RejectClaim(claim, "carta marcada", CARLA, DARIO))
    assert refusal_of(nodes, advance(1)) == "award_frozen"
    nodes.settle()
    assert caja.state.claims[claim].awards[REAL].cancelled
    assert (balance(nodes, "house"), balance(nodes, "paid")) == (-100_000, 100_000)
    assert caja.book.balances[f"held:{POT}"] == 0
    assert_sound(nodes)


def test_r34_what_is_owed_to_the_seat_after_all_gives_it_back(nodes):
    """Rejected by mistake and entered anew, while its day is open: the player has part of it already."""
    caja = nodes[BOX]
    claim = cut_off_with(nodes, Hand(1, cards=ROYAL))
    number = caja.state.tables[AT[BOX]].number
    caja.must(advance(100_000))
    caja.must(ask.RejectClaim(claim, "mal visto", CARLA, DARIO))
    nodes.settle()
    close(caja)
    act = ask.CorrectClaim(AT[BOX], number, (Hand(1, cards=ROYAL),), "era cierto", CARLA, DARIO, (), "cam 3")
    caja.must(act)
    nodes.settle()
    [award] = [name for one in caja.state.claims.values() for name, each in one.awards.items() if each.owed]
    if not caja.state.claims[award.rpartition("/")[0]].awards[award].confirmed:
        caja.must(ask.ConfirmAward(award, CARLA, ANA))
    paid = next(fact for fact in caja.must(ask.PayAward(award, EVA)) if isinstance(fact, AwardPaid))
    assert paid.advanced == 100_000 and balance(nodes, "paid") == paid.amount
    nodes.settle()
    assert_sound(nodes)


def test_r35_set_aside_it_is_owed_less_what_its_winner_has(nodes):
    caja = nodes[BOX]
    cut_off_with(nodes, Hand(1, cards=ROYAL))
    caja.must(advance(100_000))
    nodes.settle()
    caja.must(ask.SetAside(REAL, "se fue", EVA, CARLA))
    paid = next(fact for fact in caja.must(ask.PayAward(REAL, EVA)) if isinstance(fact, AwardPaid))
    assert paid.advanced == 100_000 and balance(nodes, "paid") == paid.amount
    nodes.settle()
    assert_sound(nodes)


def test_r29_a_complementary_prize_gives_no_advance_back():
    nodes = started(extra=PRIZES)
    caja = nodes[BOX]
    for _ in range(40):
        sealed(caja, 1)
        table = caja.state.tables[AT[BOX]]
        if any(one.prize and one.number == table.number for one in caja.state.claims.values()) and not table.cards:
            break
        for card in list(table.cards):
            caja.must(ask.ShowCard(AT[BOX], card, 1, EVA))
        close(caja)
    claim = won(caja, Hand(1, cards=STRAIGHT_FLUSH))
    caja.must(advance(10_000, f"{claim}/1"))
    close(caja)
    for name, one in list(caja.state.claims.items()):
        if one.prize:
            paid = [fact for fact in caja.pay_all(name) or () if isinstance(fact, AwardPaid)]
            assert not any(fact.advanced for fact in paid)
    assert caja.state.claims[claim].awards[f"{claim}/1"].advanced == 10_000
    nodes.settle()
    assert_sound(nodes)


# What is heard of it


def test_r28_the_owner_and_who_lies_between_know_of_it(nodes):
    claim = cut_off_with(nodes, Hand(1, cards=ROYAL))
    nodes[BOX].must(advance(100_000))
    nodes.carry(BOX, CASINO)
    between = f"{AT[BOX]}@caja/1/1"
    assert nodes[CASINO].state.claims[between].awards[f"{between}/1"].waits
    assert nodes[CASINO].state.claims[between].awards[f"{between}/1"].advanced == 100_000
    nodes.carry(CASINO, OWNER)
    assert nodes[OWNER].state.claims[AWAY].awards[f"{AWAY}/1"].advanced == 100_000
    assert claim and all(node.book.balances.get(f"paid:{POT}:sol", 0) == 0 for node in (nodes[CASINO], nodes[OWNER]))
    (heard,) = (row for row in nodes[OWNER].kept.facts() if row.kind == "advance_heard")
    assert b'"by":"sol/caja/carla"' in heard.body


@pytest.mark.parametrize(
    ("letter", "why"),
    [
        (AdvanceGiven(POT, "CP-01@caja/9/1/1", 5, "eva"), "no hay un premio CP-01@caja@sol/9/1/1"),
        (AdvanceGiven(POT, "CP-01@caja/1/1/9", 5, "eva"), "no hay un premio CP-01@caja@sol/1/1/9"),
        (AdvanceGiven(POT, "CP-01@caja/1/1/1", 0, "eva"), "del premio CP-01@caja@sol/1/1/1 no se pueden adelantar 0"),
        (AdvanceGiven(POT, "CP-01@caja/1/1/1", 2**52, "eva"), "del premio CP-01@caja@sol/1/1/1 no se pueden adelantar"),
    ],
)
def test_r28_what_cannot_be_stands_apart_and_stops_nobody(nodes, letter, why):
    cut_off_with(nodes, Hand(1, cards=ROYAL))
    nodes.settle()
    mar = nodes[OWNER]
    stream = Stream(CASINO, "to:mar")
    stream.mark = mar.state.heard["sol/to:mar"]
    mar.hear(stream.next(letter))
    (dispute,) = mar.state.disputes.values()
    assert dispute.why.startswith(why) and dispute.amount == 0


def test_letters_that_were_known_before_are_written_as_before():
    assert version_of(AwardGiven(POT, "x", 1, "eva")) == 1
    letter = AdvanceGiven(POT, "x", 1, "eva")
    assert version_of(letter) == 2 and read(written(letter)) == letter
    void = BetsVoided(POT, "CP-01", 1, "sol", True, (), "x", "eva")
    assert (version_of(void), version_of(replace(void, kept=True))) == (1, 2)


def books_after(seed: int, *, advances: bool) -> list[dict[str, int]]:
    """What stands in every account where money of awards is, at the end of an evening; every advance was owed."""
    nodes, chance = started(extra="\n[links]\nadvance_percent = 20\n", base=20_000_000), random.Random(seed)
    for _ in range(4):
        node = nodes[chance.choice((BOX, CASINO))]
        without_prize(node, 1, 2, 3)
        cards = chance.choice([(STRAIGHT_FLUSH,), (POKER, STRAIGHT_FLUSH), (STRAIGHT_FLUSH, OTHER_STRAIGHT_FLUSH)])
        claim = won(node, *(Hand(seat, cards=each) for seat, each in enumerate(cards, 1)))
        close(node)
        for name, one in node.state.claims[claim].awards.items():
            if advances and one.waits:
                left = bound(node.state, node.state.claims[claim], name).left
                node.must(advance(left - 1, name))
                node.must(advance(1, name))
        for link in nodes.links:
            if chance.random() < 0.4:
                nodes.carry(*link[:: chance.choice((1, -1))])
    nodes.settle()
    for node in (nodes[BOX], nodes[CASINO]):
        for claim in [name for name, one in node.state.claims.items() if "@" not in one.table]:
            node.pay_all(claim)
            assert not any(one.advanced for one in node.state.claims[claim].awards.values())
    nodes.settle()
    assert_sound(nodes)
    return [{name: amount for name, amount in node.book.balances.items() if amount} for node in nodes.all.values()]


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_r20_with_advances_or_without_player_and_house_end_alike(seed):
    """Where what was advanced was owed, nobody has a peso more or less for it."""
    assert books_after(seed, advances=True) == books_after(seed, advances=False)
