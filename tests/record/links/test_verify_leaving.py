"""`pozo verify` computes again what was decided when the owner of a pot was left, and what became of the money (R-20, R-28)."""

import random

import pytest

from controller.verify.links.across import compare, side_of
from support.edits.forger import of_kind
from support.edits.of_links import retold
from support.links.evening import BOX, CASINO, OWNER, POT
from support.links.left_pot import left_and_back
from support.record.verify_rows import Rows
from support.record.verifying import verify


@pytest.fixture(scope="module")
def nodes():
    return left_and_back()


@pytest.mark.parametrize("name", [OWNER, CASINO, BOX])
def test_r28_the_record_of_every_node_is_good(nodes, name):
    verdict = verify(nodes[name].kept, None, lambda _seq: None)

    assert verdict.wrong is None, verdict.wrong
    assert verdict.facts == nodes[name].book.seq


def decided_otherwise(bodies):
    body = of_kind(bodies, "claim_decided")[-1]
    return body, body["fact"]["awards"][0], "amount"


def change(kind, field, by):
    def edit(bodies):
        body = of_kind(bodies, kind)[-1]
        fact = body["fact"]
        fact[field] = by(fact[field]) if callable(by) else by
        return body["seq"]

    return edit


def swapped(bodies):
    first, second = of_kind(bodies, "claim_decided")[-2:]
    first["fact"], second["fact"] = second["fact"], first["fact"]
    return first["seq"]


def not_all(bodies):
    """What waited stays undecided."""
    body = of_kind(bodies, "claim_decided")[-1]
    bodies.remove(body)
    for later in bodies:
        if later["seq"] > body["seq"]:
            later["seq"] -= 1
    return body["seq"]


def more(by):
    return lambda value: value + by


def into_main(levels):
    return {**levels, "main": levels["main"] + 1}


EDITS = {
    "amount": change("pot_left", "amount", more(1)),
    "stood": change("pot_left", "stood", more(1)),
    "after": change("pot_left", "after", into_main),
    "above": change("pot_left", "above", BOX),
    "casino": change("pot_left", "casino", "mar"),
    "resolution": change("pot_left", "resolution", " "),
    "alone": change("pot_left", "second", "ana"),
    "plan": change("pot_left", "plan", "ab" * 32),
    "before": change("claim_decided", "before", into_main),
    "order": swapped,
    "not all": not_all,
    "not revoked": change("neighbour_revoked", "neighbour", BOX),
}


@pytest.mark.parametrize("name", EDITS)
def test_r28_whoever_has_the_key_cannot_leave_a_pot_otherwise(nodes, name):
    rows = Rows(nodes[CASINO].kept)
    bodies = rows.bodies()
    first = EDITS[name](bodies)
    retold(bodies)
    rows.make_whole(bodies, nodes[CASINO].key)

    wrong = verify(rows, None, lambda _seq: None).wrong

    assert wrong is not None, f"{name}, fact {first}: nothing was found"
    assert random.Random(1) and int(wrong.place.split()[1]) >= first - 3, str(wrong)


def test_r28_across_the_records_it_is_said_where_the_pot_was_left(nodes):
    found = compare([side_of(nodes[name].kept) for name in (OWNER, CASINO, BOX)])

    assert not found.different, found.different
    said = [line for line in found.open if "dejó" in line]
    assert len(said) == 1 and f"sol dejó el pozo {POT}" in said[0]
