"""Three casinos, four boxes, twelve tables as real processes, an evening long, and everything goes wrong that can (R-28).

Lines are cut, slow, doubled, one way; processes are killed and put to sleep; boxes burn and are made anew from their
mirrors; clocks are wrong. Then it is put right, everybody goes home, and: nothing waits, both sides of every link have the
same letters and the same clearing, every pass that a table sealed stands once at the owner of its pot, and the auditor
agrees with every record, across them, and with every mirror. Once over relays on the loopback, once with each node in a
network namespace of its own. What happened when is printed with a failure; the seed plays it again.
"""

import os
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from conftest import CAMPAIGN

from controller.node.vocabulary.protocol import Deed
from support.casinos.crowd import Evening as Crowd
from support.casinos.effort import Effort
from support.casinos.evening import Troubles, at_rest
from support.casinos.floor import small, whole
from support.casinos.places import in_spaces, on_relays
from support.casinos.referee import audited, cleared, wrong_in
from support.casinos.spaces import why_not
from support.node.node_process import today

pytestmark = pytest.mark.process

SEED = int(os.environ.get("POZO_SEED", "20261119"))
HURRY = 300.0  # of fingers and cards; devices, lines and clocks have real time only (support/casinos/effort.py)
MANY_BURNS = 25
LONG, EVERY, WORST, BURNS = (180.0, 1.2, 8.0, 3) if CAMPAIGN else (5.0, 0.8, 2.0, 1)


@pytest.fixture
def top():
    """With a short name, because sockets must have one."""
    place = Path(tempfile.mkdtemp(prefix="cs"))
    yield place
    shutil.rmtree(place, ignore_errors=True)


@pytest.mark.campaign
@pytest.mark.parametrize("owner", ["norte", "alfa"] if CAMPAIGN else ["alfa"])
def test_over_relays_an_evening_of_troubles_loses_and_doubles_nothing(owner, top, tell):
    """The common pot is of a node without tables, or of a casino's own."""
    seed = SEED + (owner == "alfa")
    with on_relays(top, whole(owner) if CAMPAIGN else small(owner), seed) as casinos:
        evening(casinos, seed, BURNS, tell)


@pytest.mark.campaign
def test_the_same_with_each_node_in_a_network_namespace_of_its_own(top, tell):
    if no := why_not():
        pytest.skip(no)
    with in_spaces(top, whole("norte") if CAMPAIGN else small("norte")) as casinos:
        evening(casinos, SEED + 2, BURNS * CAMPAIGN, tell)


@pytest.mark.campaign
def test_r27_boxes_that_burn_in_the_middle_of_play_come_back_with_all_that_their_casino_has(top, tell):
    """One after the other, at seeded instants, and nothing else happens."""
    if not CAMPAIGN:
        pytest.skip("its short form is the box that burns in the evening above")
    chance = Random(SEED)

    def burn(troubles):
        for _ in range(MANY_BURNS):
            time.sleep(chance.uniform(0.2, 5))
            troubles.burns()

    with on_relays(top, small("alfa"), SEED) as casinos:
        troubles, _ = played(casinos, SEED, burn, tell)
    assert (
        troubles.seen["restored"] == troubles.seen["burned"] + troubles.seen["burned, its mirror lagged"] == MANY_BURNS
    )
    assert troubles.seen["burned, its mirror lagged"] < MANY_BURNS // 4, "else nothing was seen"


def test_the_crowd_hears_every_line_also_two_at_once(tmp_path):
    """That a box is back, and that everybody goes home, may come together: nobody would wake it for the second one."""
    (tmp_path / "crowd.json").write_text('{"seed": 1, "speed": 1, "houses": []}')
    crowd, house = (
        Crowd(tmp_path / "crowd.json"),
        SimpleNamespace(name="a1", rests=True, close=lambda: closed.append(1)),
    )
    house.goes_on = lambda: setattr(house, "rests", False)
    crowd.houses, closed = [house], []
    hears, says = os.pipe()
    for said in (b"play a1\nclo", b"se\nrest a1\n"):
        os.write(says, said)
        crowd.heard(hears)
        assert house.rests is bool(closed)  # back first; then home, and away again
    os.close(hears)
    os.close(says)


def evening(casinos, seed, burns, tell):
    troubles, kinds = played(casinos, seed, lambda troubles: troubles.last(LONG, burns), tell)
    assert troubles.seen["killed"] and troubles.seen["restored"] == burns
    assert kinds["claim_asked"] >= 15 * CAMPAIGN, "prizes of a far pot were won all evening"


def played(casinos, seed, trouble, tell):
    troubles = Troubles(casinos, seed, EVERY, WORST)
    tell(f"seed {seed}, {casinos.lines.mode}, the common pot is {casinos.floor.owner}'s")
    try:
        troubles.escrowed()
        casinos.start()
        casinos.introduced()
        casinos.between(Deed.OPEN_DAY, day=today())
        with casinos.crowded(seed, HURRY):
            casinos.played()
            before = Effort.until_now(casinos)
            trouble(troubles)
            effort = Effort.until_now(casinos)
            troubles.over()
            casinos.close(120, troubles.afterwards)
            at_rest(casinos, 60, troubles.afterwards)
            casinos.between(Deed.CLOSE_DAY)
            at_rest(casinos, 60, troubles.afterwards)
        assert [place.name for place in casinos if place.end()] == []
        wrong, accounts = wrong_in(casinos, troubles.lagged)
        wrong += audited(casinos) + cleared(casinos, today()[:7])
        assert not wrong, "\n".join(wrong)
    except BaseException as failed:
        failed.add_note("\n".join([f"seed {seed}", *troubles.story, str(casinos.said)]))
        raise
    kinds = sum((account.kinds for account in accounts.values()), Counter())
    tables = sum(len(tables) for tables in casinos.floor.tables.values())
    tell(
        f"{effort.since(before, tables)}; {dict(troubles.seen)}; "
        f"{kinds['letter_told']} letters told, {kinds['letter_heard']} heard, {kinds['claim_asked']} claims on far pots, "
        f"{kinds['award_paid']} payments, {kinds['correction_asked']} corrections, {kinds['node_started']} starts"
    )
    assert casinos.passes and kinds["letter_heard"]
    return troubles, kinds
