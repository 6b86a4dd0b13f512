"""Either end of a link is killed, or loses its power, while casinos play a pot that they share: nothing acknowledged is
lost, nothing is doubled.

Three real nodes on real sockets, killed at seeded moments of a busy evening (support/links/killed.py). A shorter such
evening is recorded at its system calls, and the power is cut at every node, each at an instant of its own
(support/links/power.py): the disks that may be left are opened by the real code, and talk until nobody has anything to
tell (support/links/talking.py). A guard that is taken away is found out.
"""

import json
import os
import shutil
from collections import Counter
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from conftest import CAMPAIGN

from controller.node.link.mirrors import mirror_of
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.verify.links.across import compare, side_of
from support.links.killed import BOX, Evening, overheard
from support.links.power import RecordedNode, begins, cut_together, recording
from support.links.talking import Talking
from support.links.witness import Followed
from support.node.linked_casinos import OWNER, POT, linked
from support.record.verifying import verify
from support.store.power_record import DIES, mark

pytestmark = pytest.mark.process

SEED, KILLS = 20261119, 100
RECORDED = 6 if CAMPAIGN else 1  # kills of the evening that is recorded
STATES, VERIFIED = (1_000, 10) if CAMPAIGN else (12, 12)  # power cuts; one of so many is computed again
STARTED = 50  # on one of so many the daemons are started too
LINKS = [("puerto", OWNER), (BOX, OWNER)]


@pytest.fixture
def disks(tmp_path):
    """Where the replayed disks lie: in memory, if there is such a place, since nobody cuts their power again."""
    memory = Path("/dev/shm")  # noqa: S108  a folder of its own below it
    with TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else tmp_path) as folder:
        yield Path(folder)


def killed(three, seed, kills, tell, heard=lambda *_: None):
    """An evening in which nothing went wrong; `heard`: at which node somebody was answered, and what."""
    evening = Evening(three, seed, tell)
    for work in evening.work.values():
        work.heard = partial(heard, work.node)
    try:
        evening.play(kills)
        if not evening.broken:
            evening.end()
    finally:
        for work in evening.work.values():
            work.give_up()
    tell(evening.figures())
    assert not evening.broken, "\n".join(evening.broken[:20])
    return evening


@pytest.mark.skipif(not CAMPAIGN, reason="its short form is the evening that is recorded below")
@pytest.mark.campaign
def test_either_end_of_a_link_killed_at_any_moment_loses_and_doubles_nothing(tell):
    with ExitStack() as ending, linked(BOX, partial(overheard, ending)) as three:
        three.introduced()
        evening = killed(three, SEED, KILLS, tell)
        evening.verified()
        kinds = sum((one.kinds for one in evening.witness.nodes.values()), start=Counter())
        assert evening.kills >= KILLS and all(
            kinds[one] for one in ("claim_decided", "claim_corrected", "hands_voided")
        )


@pytest.mark.campaign
def test_a_power_cut_at_either_end_of_a_link_loses_and_doubles_nothing(tell, disks):
    with ExitStack() as ending, linked(BOX, partial(recording, ending, shutil.copytree)) as three:
        three.introduced()
        for node in three.nodes.values():
            begins(node.place)
            node.killed_by = DIES
        killed(three, SEED + 1, RECORDED, tell, lambda node, reply: mark(node.place / "steps", seq=reply.seq))
        nodes = [RecordedNode(node.name, node.place) for node in three.nodes.values()]
        (box,) = (node for node in nodes if node.name == BOX)
        excused = box.told_past_its_mirror(f"to:{OWNER}")
        told = len(box.told(f"to:{OWNER}"))
        tell(f"{len(excused)} of {told} letters of the box left before its mirror had them, in trouble")
        assert len(excused) <= told // 2, "else nothing was waited for"
        fates, rounds = Counter(), Counter()
        for node in three.nodes.values():
            node.as_installed()
        for number, left in enumerate(cut_together(nodes, disks, SEED, STATES)):
            fates.update(one.fate for one in left)
            if CAMPAIGN and number % STARTED == STARTED - 1:
                started(three, left)
                tell(f"{number + 1}: its daemons came to rest")
            is_mirrored(left, excused)
            rounds[judged(left, verified=number % VERIFIED == VERIFIED - 1)] += 1
            shutil.rmtree(disks / str(number))
            if number % 100 == 99:
                tell(f"{number + 1} of {STATES} power cuts")
        tell(
            f"{STATES} power cuts of {[len(node.steps) for node in nodes]} steps, {dict(fates)}, rounds {dict(rounds)}"
        )


def is_mirrored(left, excused):
    """R-27: what the casino's node has heard of its box, and may have acknowledged, its mirror on the same disk has."""
    (folder,) = (one.folder for one in left if one.node.name == OWNER)
    stream, followed = f"to:{OWNER}", Followed(OWNER, folder)
    followed.look()
    with closing(MirrorFile.read(mirror_of(folder, BOX))) as mirror:
        facts = [json.loads(row.body)["fact"] for row in mirror.facts() if row.kind == "letter_told"]
    has = {fact["number"] for fact in facts if fact["stream"] == stream}
    lost = {*followed.heard.get((BOX, stream), ())} - has - excused
    assert not lost, (
        f"{OWNER} heard letters {lost}, which its mirror lacks, at {[(one.place, one.fate) for one in left]}"
    )


def judged(left, *, verified):
    """What is left holds what was acknowledged; the nodes go on from it, and are of one mind: in so many rounds."""
    folders = {one.node.name: one.folder for one in left}
    before = looked_at(folders)
    for one in left:
        found = before[one.node.name]
        assert found.rows >= one.node.answered_before(one.place), f"{one}: somebody was answered"
        assert found.hash == one.node.hashes[found.rows - 1], f"{one}: another record"
        for word in one.node.said_before(one.place):
            found.holds(word)
    agree(before, f"at {[(one.node.name, one.place, one.fate) for one in left]}")
    with Talking(folders, LINKS) as talking:
        rounds = talking.come_to_rest()
        talking.mirrored(BOX, OWNER)
    after = looked_at(folders)
    agree(after, "after they have talked")
    for below, above in LINKS:
        for writer, reader, up in ((below, above, True), (above, below, False)):
            streams = {stream: mark for stream, mark in after[writer].told.items() if stream.startswith("to:") is up}
            heard = {stream: len(after[reader].heard.get((writer, stream), {})) for stream in streams}
            assert heard == streams, f"{reader} heard all that {writer} told"
    with ExitStack() as closing:
        records = {name: closing.enter_context(Reader.open(folder / "node.db")) for name, folder in folders.items()}
        balances = {name: record.balances() for name, record in records.items()}
        for below, above in LINKS:
            mine, theirs = f"clearing:{POT}:{above}", f"clearing:{POT}:{below}"
            assert balances[below].get(mine, 0) == -balances[above].get(theirs, 0)
        if verified:
            assert [verify(record, None, lambda _: None).wrong for record in records.values()] == [None] * len(records)
            across = compare([side_of(record) for record in records.values()])
            assert (across.different, across.open) == ((), ()), across
    return rounds


def started(three, left):
    """The daemons themselves, on copies of these disks: they meet, come to rest, and an auditor agrees."""
    for one in left:
        node = three.nodes[one.node.name]
        shutil.rmtree(node.place / "folder")
        shutil.copytree(one.folder, node.place / "folder")
        node.start()
    evening = Evening(three, SEED)
    evening.comes_to_rest()
    assert not evening.broken, evening.broken
    for node in three.nodes.values():
        node.end()
    evening.verified()


def looked_at(folders):
    nodes = {name: Followed(name, folder) for name, folder in folders.items()}
    for one in nodes.values():
        one.look()
    return nodes


def agree(nodes, when):
    for one in nodes.values():
        for other in nodes.values():
            if one is not other:
                one.knows_less_than(other)
    assert not (broken := [what for one in nodes.values() for what in one.broken]), (when, broken)
