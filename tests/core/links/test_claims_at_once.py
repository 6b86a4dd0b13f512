"""R-20: two casinos win the same pot at the same instant: one after the other, as its owner hears them, and no peso twice.

What each is owed is told again by the model of the rules that shares nothing with the program (support/core/model.py).
"""

import random
from collections.abc import Mapping

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.facts import ClaimDecided, ClaimRegistered, Entry, Fact, PassSealed
from controller.core.links.names import there
from controller.core.values import Hand, Signature
from support.core import model
from support.core.two_histories import HANDS
from support.links.evening import AT, CASINO, OWNER, POT, SECOND, close, sealed, shared_plan
from support.links.nodes import Node, Nodes
from support.record.verify_history import ruleset

PAIRS = 10_000 if CAMPAIGN else 240
PARTS = 40 if CAMPAIGN else 4
BASE, UNIT, LAW = 700_000, 1_000, "scj-2023"
TABLES = (("DP-01", "mar", "draw", ""), ("DP-01", "sol", "draw", "sol"), ("DP-01", "rey", "draw", "rey"))
BOTH = (CASINO, SECOND)
Cards = tuple[str, ...]
Hands = Mapping[str, Mapping[int, Cards]]
_read = msgspec.json.Decoder(Entry).decode


def casinos() -> Nodes:
    """An owner, and two casinos whose tables have the same name."""
    nodes = Nodes(OWNER, *BOTH)
    nodes.people()
    for casino in BOTH:
        nodes.link(casino, OWNER)
    nodes[OWNER].stage(shared_plan(tables=TABLES, base=BASE), ruleset(LAW))
    nodes.settle()
    for node in nodes.all.values():
        node.open_day()
    return nodes


def at_once(nodes: Nodes, chance: random.Random) -> None:
    """Both casinos play a pass and win in it at the same instant; letters go as they like."""
    owner = nodes[OWNER]
    more = chance.choice((1, 900, 50_000, 3_000_000))
    owner.must(
        ask.MoveMoney(
            POT, "house", chance.choice(("main", "reserva0")), more, "Res. 9", Signature("ana"), Signature("carla")
        )
    )
    hands: dict[str, dict[int, Cards]] = {}
    for casino in BOTH:
        seats = sorted(chance.sample(range(1, 6), chance.randint(1, 3)))
        sealed(nodes[casino], *seats)
        winners = seats[: chance.randint(1, len(seats))]
        hands[casino] = dict(zip(winners, chance.sample(HANDS, len(winners)), strict=True))
        some(nodes, chance)
    now = max(node.now for node in nodes.all.values())
    for casino in BOTH:
        won = tuple(Hand(seat, (), cards) for seat, cards in hands[casino].items())
        nodes[casino].now = now
        nodes[casino].claim(AT[casino], won)
    first, pot = len(owner.kept.all_facts), owner.state.pots[POT]
    before = model.PotMoney(main=pot.main, base=BASE, reserves=dict(pot.reserves))
    while some(nodes, chance):
        pass
    nodes.settle()
    is_right(nodes, facts(owner, first), before, hands)


def some(nodes: Nodes, chance: random.Random) -> int:
    """One letter of somebody who has some, if anybody has."""
    ways = [way for casino in BOTH for way in ((casino, OWNER), (OWNER, casino))]
    chance.shuffle(ways)
    return sum(nodes.carry(*way, most=1) for way in ways[: chance.randint(1, 4)]) or nodes.carry(*ways[0])


def facts(node: Node, first: int) -> list[Fact]:
    of = {"pass_sealed", "claim_registered", "claim_decided"}
    return [_read(row.body).fact for row in node.kept.all_facts[first:] if row.kind in of]


def is_right(nodes: Nodes, happened: list[Fact], pot: model.PotMoney, hands: Hands) -> None:
    """What the owner heard, in its order, told again by the model: bets, which add, and claims, which take."""
    claimed: list[str] = []
    for fact in happened:
        if isinstance(fact, PassSealed):
            pot["main"] += fact.flow.parts.pop("main", 0)
            for name, amount in fact.flow.parts.items():
                pot["reserves"][name] += amount
        elif isinstance(fact, ClaimRegistered):
            assert (fact.before.main, fact.before.reserves) == (pot["main"], pot["reserves"]), (
                "nothing else between them"
            )
            pot = settled(nodes, fact, pot, hands[fact.casino])
            claimed.append(fact.casino)
            is_known_at_home(nodes[fact.casino], fact)
    assert sorted(claimed) == sorted(BOTH), "each once"


def settled(nodes: Nodes, fact: ClaimRegistered, pot: model.PotMoney, hands: Mapping[int, Cards]) -> model.PotMoney:
    """R-11 to R-19, by the model."""
    law = model.LAWS[LAW]
    bets = {bet.seat: bet.amount for bet in nodes[OWNER].state.away[fact.table].bets}
    won = [(seat, str(model.hand_of(cards)), bets[seat]) for seat, cards in hands.items()]
    awards, reset, after = model.settle(law, law["readings"], pot, won, UNIT)
    gave = [{**one.parts, **({"house": one.house} if one.house else {})} for one in fact.awards]
    assert awards == [(one.seat, one.prize, one.amount, given) for one, given in zip(fact.awards, gave, strict=True)]
    put_in = 0 if fact.base_back is None else -fact.base_back.house
    assert put_in == (reset or {}).get("house", 0), "R-19"
    assert (fact.after.main, fact.after.reserves) == (after["main"], after["reserves"])
    return after


def is_known_at_home(casino: Node, fact: ClaimRegistered) -> None:
    """Decided once, and seen at both."""
    (decided,) = (
        one
        for one in facts(casino, -60)
        if isinstance(one, ClaimDecided) and one.claim == there(fact.claim, casino.name)
    )
    assert (decided.awards, decided.before, decided.after) == (fact.awards, fact.before, fact.after)


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(PARTS))
def test_r20_two_casinos_win_at_the_same_instant_and_no_peso_is_taken_twice(part):
    chance = random.Random(part)
    nodes = casinos()
    paid = 0
    for _ in range(PAIRS // PARTS):
        at_once(nodes, chance)
        for casino in BOTH:
            node = nodes[casino]
            close(node)
            claim = f"{AT[casino]}/{node.state.tables[AT[casino]].number}/1"
            paid += sum(one.granted.amount for one in node.state.claims[claim].awards.values())
            node.pay_all(claim)
            node.empty(AT[casino])
        nodes.settle()
    clearing = nodes.clearing(POT)
    assert all(clearing[here, other] == -clearing[other, here] for here, other in clearing)
    given = [nodes[casino].book.balances[f"paid:{POT}:{casino}"] for casino in BOTH]
    assert sum(given) == paid == nodes[OWNER].state.pots[POT].meters.paid, "R-21: each once"
