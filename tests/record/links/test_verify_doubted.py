"""`pozo verify` computes again what became of winners who were not believed: taken by two persons, or left with their house."""

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from support.edits.forger import of_kind
from support.edits.of_links import retold
from support.links.doubted import doubted, end, of_claim
from support.links.evening import BOX, CASINO, OWNER
from support.record.verify_history import COLOR, STRAIGHT_FLUSH
from support.record.verify_rows import Rows
from support.record.verifying import verify

HANDS = (Hand(2, cards=STRAIGHT_FLUSH), Hand(3, cards=COLOR))


def ended(player, *, accepted):
    nodes = doubted(player, *HANDS, pay=player == CASINO)
    end(nodes, of_claim(nodes), accepted=accepted)
    if not accepted and player == CASINO:
        by, second = Signature("carla"), Signature("ana")
        nodes[CASINO].must(ask.RejectClaim("DP-01/1/1", "la cámara no lo muestra", by, second))
    for node in nodes.all.values():
        node.book.checkpoint()
    return nodes


@pytest.fixture(scope="module")
def taken():
    return ended(CASINO, accepted=True)


@pytest.fixture(scope="module")
def left():
    return ended(CASINO, accepted=False)


@pytest.fixture(scope="module")
def left_with_box():
    return ended(BOX, accepted=False)


def change(kind, field, value, which=0):
    def edit(bodies):
        fact = of_kind(bodies, kind)[which]["fact"]
        before = fact.get(field)
        fact[field] = value(before) if callable(value) else value
        assert fact[field] != before, "an edit"
        return of_kind(bodies, kind)[which]["seq"]

    return edit


def award(kind, number, **fields):
    def edit(bodies):
        body = of_kind(bodies, kind)[0]
        body["fact"]["awards"][number].update(fields)
        return body["seq"]

    return edit


def without(kind, which=0):
    def edit(bodies):
        body = of_kind(bodies, kind)[which]
        bodies.remove(body)
        for later in bodies:
            later["seq"] -= later["seq"] > body["seq"]
        return body["seq"]

    return edit


def more_main(levels):
    return {**levels, "main": levels["main"] + 1}


OF_TAKEN = {
    "not taken": change("claim_registered", "taken", False),
    "another seat": award("claim_registered", 1, seat=1),
    "another amount": award("claim_registered", 1, amount=1),
    "the pot before": change("claim_registered", "before", more_main),
    "the pot after": change("claim_registered", "after", more_main),
    "another claim": change("claim_registered", "claim", "DP-01@sol/1/2"),
    "other hands": change("claim_registered", "hands", []),
    "by another": change("claim_registered", "by", "sol/ana"),
    "of no winners": change("dispute_ended", "claim", ""),
    "of other winners": change("dispute_ended", "claim", "DP-01@sol/1/9"),
    "not accepted": change("dispute_ended", "accepted", False),
    "not decided": without("claim_registered"),
    "handed out, and not accepted": change("dispute_ended", "accepted", False, 1),
    "not handed out": without("award_paid", -1),
    "handed out to another": change("award_paid", "seat", 1, -1),
}
OF_LEFT = {
    "another amount": award("claim_decided", 1, amount=1, house=1),
    "from the pot": award("claim_decided", 1, house=0, parts={"main": 55_000}),
    "what was certain borne twice": award("claim_decided", 0, house=150_000),
    "by another node": change("claim_decided", "left", "luna"),
    "by its owner": change("claim_decided", "left", ""),
    "on another pot": change("claim_decided", "before", more_main),
    "still waiting": without("claim_decided"),
    "a doubt about another": change("claim_doubted", "claim", "DP-01/9/1"),
    "another doubt": change("claim_doubted", "why", "otra cosa"),
    "no doubt": without("claim_doubted"),
    "less held": change("claim_rejected", "held", 1),
    "to the pot": change("claim_rejected", "flow", {"parts": {"main": 55_000}, "house": 0}),
    "alone": change("claim_rejected", "second", "carla"),
    "no reason": change("claim_rejected", "reason", " "),
    "twice": lambda bodies: _again(bodies, "claim_rejected"),
}


def _again(bodies, kind):
    """The same act once more, as an answer of its own."""
    body = of_kind(bodies, kind)[0]
    late = {**body, "seq": bodies[-1]["seq"] + 1, "at": bodies[-1]["at"], "id": ["piso", 1, 9_999]}
    bodies.append(late)
    return late["seq"]


@pytest.mark.parametrize("name", [OWNER, CASINO, BOX])
def test_r28_the_records_are_good(taken, left, left_with_box, name):
    for nodes in (taken, left, left_with_box):
        verdict = verify(nodes[name].kept, None, lambda _seq: None)
        assert verdict.wrong is None, verdict.wrong


def caught(nodes, name, edit):
    rows = Rows(nodes[name].kept)
    bodies = rows.bodies()
    first = edit(bodies)
    retold(bodies)
    rows.make_whole(bodies, nodes[name].key)
    wrong = verify(rows, None, lambda _seq: None).wrong
    assert wrong is not None, f"fact {first}: nothing was found"
    assert int(wrong.place.split()[1]) >= first - 4, str(wrong)


@pytest.mark.parametrize("name", OF_TAKEN)
def test_r20_whoever_has_the_key_cannot_take_them_otherwise(taken, name):
    caught(taken, OWNER, OF_TAKEN[name])


@pytest.mark.parametrize("name", OF_LEFT)
def test_r28_whoever_has_the_key_cannot_bear_them_otherwise(left, name):
    caught(left, CASINO, OF_LEFT[name])
