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

import pytest
from conftest import CAMPAIGN

from controller.node.vocabulary.protocol import Deed
from support.casinos.evening import Troubles, at_rest
from support.casinos.floor import small, whole
from support.casinos.places import in_spaces, on_relays
from support.casinos.referee import audited, cleared, wrong_in
from support.casinos.spaces import why_not
from support.node.node_process import today

pytestmark = pytest.mark.process

SEED = int(os.environ.get("POZO_SEED", "20261119"))
SPEED = 50.0
LONG, EVERY, WORST, BURNS = (180.0, 1.2, 8.0, 3) if CAMPAIGN else (7.0, 0.8, 2.0, 1)


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
        played(casinos, seed, BURNS, tell)


@pytest.mark.campaign
def test_the_same_with_each_node_in_a_network_namespace_of_its_own(top, tell):
    if no := why_not():
        pytest.skip(no)
    with in_spaces(top, whole("norte") if CAMPAIGN else small("norte")) as casinos:
        played(casinos, SEED + 2, BURNS * CAMPAIGN, tell)


def played(casinos, seed, burns, tell):
    troubles = Troubles(casinos, seed, EVERY, WORST)
    tell(f"seed {seed}, {casinos.lines.mode}, the common pot is {casinos.floor.owner}'s")
    try:
        if burns:
            troubles.escrowed()
        casinos.start()
        casinos.introduced()
        casinos.between(Deed.OPEN_DAY, day=today())
        with casinos.crowded(seed, SPEED):
            began = time.monotonic()
            troubles.last(LONG, burns)
            took = time.monotonic() - began
            passes = casinos.passes
            troubles.over()
            casinos.close(120, troubles.afterwards)
            at_rest(casinos, 60, troubles.afterwards)
            casinos.between(Deed.CLOSE_DAY)
            at_rest(casinos, 60, troubles.afterwards)
        assert [place.name for place in casinos if place.end()] == []
        wrong, accounts = wrong_in(casinos, troubles.restored)
        wrong += audited(casinos) + cleared(casinos, today()[:7])
        assert not wrong, "\n".join(wrong)
    except BaseException as failed:
        failed.add_note("\n".join([f"seed {seed}", *troubles.story, str(casinos.said)]))
        raise
    kinds = sum((account.kinds for account in accounts.values()), Counter())
    tables = sum(len(tables) for tables in casinos.floor.tables.values())
    speed = 41 * passes / tables / took  # an unhurried pass lasts 41 s
    tell(
        f"{passes} passes in {took:.0f} s at {tables} tables, {speed:.0f} times as fast as people; {dict(troubles.seen)}; "
        f"{kinds['letter_told']} letters told, {kinds['letter_heard']} heard, {kinds['claim_asked']} claims on far pots, "
        f"{kinds['award_paid']} payments, {kinds['correction_asked']} corrections, {kinds['node_started']} starts"
    )
    assert passes and kinds["letter_heard"] and troubles.seen["killed"] and troubles.seen["restored"] == burns
    assert kinds["claim_asked"] >= 30 * CAMPAIGN, "prizes of a far pot were won all evening"
