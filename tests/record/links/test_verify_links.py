"""`pozo verify` computes again what nodes told each other, each record by itself (R-20, R-23, R-26, R-28).

Three nodes play an evening on one pot (support/links/evening.py). Then whoever owns machine and key of the one in the middle
writes something otherwise and makes every hash, posting and signature anew: only the rules of links can find it.
"""

import random
import typing

import pytest
from conftest import CAMPAIGN

from controller.core import inputs as ask
from controller.core.links import letters as told
from controller.core.values import Hand, Signature
from controller.verify.links import letters as told_again
from support.edits.of_links import FOUND
from support.links import evening
from support.record.verify_history import COLOR
from support.record.verify_rows import Rows
from support.record.verifying import verify

PLACES = 20 if CAMPAIGN else 2
SEED = 15


def silent(_seq):
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def nodes():
    return evening.played()


def test_every_kind_of_letter_and_every_field_is_known():
    ours = {kind.__struct_config__.tag: kind for kind in typing.get_args(told.Letter)}
    again = {kind.__struct_config__.tag: kind for kind in typing.get_args(told_again.Letter)}

    assert ours.keys() == again.keys()
    for name, kind in ours.items():
        assert kind.__struct_fields__ == again[name].__struct_fields__, name
        assert kind.__struct_config__.omit_defaults == again[name].__struct_config__.omit_defaults, name
    assert again.keys() and told.VERSION in told_again.READ


@pytest.mark.parametrize("name", [evening.OWNER, evening.CASINO, evening.BOX])
def test_the_record_of_every_node_is_good(nodes, name):
    verdict = verify(nodes[name].kept, None, silent)

    assert verdict.wrong is None, verdict.wrong
    assert verdict.facts == nodes[name].book.seq


def test_clearing_is_equal_on_both_sides(nodes):
    found = nodes.clearing(evening.POT)

    assert all(amount == -found[other, one] for (one, other), amount in found.items())
    assert all(found.values())


def test_an_evening_has_every_kind_of_fact_that_only_links_have(nodes):
    made = {row.kind for node in nodes.all.values() for row in node.kept.facts()}

    of_a_restore = {"decision_taken", "member_returned", "went_on_without", "neighbour_went_back"}
    elsewhere = {"correction_refused", "pot_left", "claim_doubted", *of_a_restore}
    assert evening.OF_LINKS - made <= elsewhere, (
        "of the last: test_verify_leaving.py, test_verify_doubted.py, test_verify_restored.py"
    )


@pytest.mark.campaign
@pytest.mark.parametrize("name", FOUND)
def test_whoever_has_the_key_cannot_say_it_otherwise(nodes, name):
    for place in range(PLACES):
        rows = Rows(nodes[evening.CASINO].kept)
        bodies = rows.bodies()
        first = FOUND[name](bodies, random.Random(f"{SEED} {name} {place}"))
        rows.make_whole(bodies, nodes[evening.CASINO].key)
        wrong = verify(rows, None, silent).wrong

        assert wrong is not None, f"{name}, place {place}, fact {first}: nothing was found"
        assert wrong.place.startswith("fact "), str(wrong)
        assert int(wrong.place.split()[1]) >= first - 2, f"{name}, fact {first}: {wrong}"


def test_what_is_made_whole_without_an_edit_is_good(nodes):
    for node in nodes.all.values():
        rows = Rows(node.kept)
        rows.make_whole(rows.bodies(), node.key)
        assert verify(rows, None, silent).wrong is None


def test_r25_r34_a_neighbours_pass_may_be_older_than_the_day_on_which_another_pass_is_put_right():
    """The owner of the pot closes its day while a far pass is not over; no pass of its own tables could be so old."""
    nodes = evening.linked()
    evening.in_force(nodes)
    owner = nodes[evening.OWNER]
    evening.sealed(nodes[evening.CASINO], 1, 2)
    nodes.settle()
    owner.close_day()
    owner.open_day()
    evening.sealed(owner, 1, 2)
    claim = evening.won(owner, Hand(1, cards=COLOR))
    evening.close(owner)
    owner.must(ask.RejectClaim(claim, "era otra mano", Signature("carla"), Signature("dario")))

    assert verify(owner.kept, None, silent).wrong is None


def test_r34_a_far_pass_of_before_the_day_is_itself_put_right():
    """It was sealed before its owner's day, and is over and claimed in it: what was told of it begins with an earlier day."""
    nodes = evening.linked()
    evening.in_force(nodes)
    owner, casino = nodes[evening.OWNER], nodes[evening.CASINO]
    number = evening.sealed(casino, 1, 2)
    nodes.settle()
    owner.close_day()
    owner.open_day()
    evening.close(casino)
    nodes.settle()
    true = (evening.AT[evening.CASINO], number, (Hand(1, cards=COLOR),))
    casino.must(ask.CorrectClaim(*true, "cámara", Signature("carla"), Signature("dario"), (), "cam 3"))
    nodes.settle()

    assert casino.state.claims and verify(owner.kept, None, silent).wrong is None


def test_r29_a_void_far_hand_that_had_shown_a_drawn_card_shows_it_no_more():
    """The owner of the pot answers while the pass is still sealed, and a snapshot says how it stands."""
    nodes = evening.linked()
    evening.in_force(nodes, extra=evening.PRIZES)
    casino, table = nodes[evening.CASINO], evening.AT[evening.CASINO]
    while not casino.state.tables[table].shown:
        if casino.state.tables[table].bets:
            evening.close(casino)
        evening.sealed(casino, 1, 2)
        evening.show_cards(casino)
    nodes.settle()
    casino.must(ask.VoidHand(table, 1, "carta vista", Signature("eva")))
    nodes.settle()
    casino.book.checkpoint()

    assert casino.state.tables[table].shown == {} and verify(casino.kept, None, silent).wrong is None
