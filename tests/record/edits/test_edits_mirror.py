"""What somebody edits who has the box's file, and its key too: the mirror at the casino's node finds it (issue 15).

The kinds of `support/edits/` again, on seeded places. A record by itself cannot show some of them; beside its mirror each that
changed or took away a fact is found, and each other one is what `pozo verify` finds by itself.
"""

# ruff: noqa: S608  every statement is made of words of this page
import random
import shutil
import sys
from collections import Counter

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.node.link.mirror_feed import follows, proof
from controller.node.link.mirror_words import MirrorMark, mirror_packed, mirror_unpacked
from controller.node.store.failure import StoreFailed, StoreRefused
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.verify.chain import BEGINNING
from controller.verify.links.mirror import beside
from drivers.session import SECOND
from support.edits.evening import played
from support.edits.forger import Forger
from support.edits.kinds import KINDS, seen
from support.edits.mirrored import Casino, mirrored
from support.record.verify_history import key_of

EDITS = 200 if CAMPAIGN else 12
SEED = 15
MINUTE = 60  # seconds
AFTER_THE_MIRROR = {"tail_invented"}
"""Adds facts that no mirror had yet: it would take them for the box's own, as the record does."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    return played(tmp_path_factory.mktemp("evening"))


@pytest.fixture(scope="module")
def mirror(evening, tmp_path_factory):
    return mirrored(evening, tmp_path_factory.mktemp("casino") / "central-1.db")


def compared(record, mirror):
    """As `pozo verify --mirror` does it."""
    file = MirrorFile.read(mirror)
    try:
        with Reader.open(record) as reader:
            return beside(reader.facts(), file.facts())
    finally:
        file.close()


def facts_of(record):
    try:
        with Reader.open(record) as reader:
            return list(reader.facts())
    except (StoreRefused, StoreFailed):
        return None


def test_a_record_that_nobody_edited_is_its_mirror(evening, mirror):
    found = compared(evening, mirror)

    assert found.wrong is None
    assert (found.equal, found.record_lacks, found.mirror_lacks) == (len(facts_of(evening)), 0, 0)


@pytest.mark.campaign
def test_each_of_many_edits_is_found_by_the_mirror(evening, mirror, tmp_path):
    """Those that the record itself cannot show first: they are what a mirror is for."""
    chance = random.Random(SEED)
    limits = [kind for kind in KINDS if not kind.is_found and kind.name not in AFTER_THE_MIRROR]
    others = [kind for kind in KINDS if kind.is_found and not kind.of_links]
    kinds = [*(chance.sample(limits, min(len(limits), EDITS // 2))), *chance.choices(others, k=EDITS)][:EDITS]
    before, by_mirror = facts_of(evening), 0
    for number, kind in enumerate(kinds):
        copy = tmp_path / f"{number}.db"
        kind.do(evening, copy, random.Random(f"{SEED} {kind.name} {number}"))
        facts = facts_of(copy)
        touched = facts is not None and facts[: len(before)] != before
        if touched:
            assert compared(copy, mirror).wrong is not None, f"{kind.name}, edit {number}: no mirror sees it"
            by_mirror += 1
        else:
            assert bool(seen(copy)) is kind.is_found, f"{kind.name}, edit {number}: the record's own business"
        copy.unlink()

    assert by_mirror >= EDITS // 3


def named_after(record, mirror, to):
    """So many seconds after the edit the casino's node names the box, or says that it shows nothing any more, asking as it
    asks; None: not within a minute."""
    shutil.copy(mirror, to)
    casino = Casino(to, "central-1", key_of("casino"))
    casino.up()
    asked = [*casino.marks()]  # before the edit: it is answered no more
    assert asked and not casino.differs
    try:
        for second in range(1, MINUTE + 1):
            casino.now = second * SECOND
            casino.mirroring.tick(casino.now, second)
            casino.settle()
            messages = [*casino.marks(), *casino.asked]
            casino.asked.clear()
            for answer in [answer for message in messages for answer in answers_of(record, message)]:
                casino.hear(answer)
            if casino.differs or casino.mirroring.is_silent(casino.now):
                return second
        return None
    finally:
        casino.close()
        to.unlink()


def answers_of(record, message):
    """As the box gives them: nothing, where it cannot read its record."""
    try:
        with Reader.open(record) as reader:
            said = follows(reader, message).messages if isinstance(message, MirrorMark) else [proof(reader, message)]
    except (StoreRefused, StoreFailed):
        return []
    return [one for one in said if mirror_unpacked(mirror_packed(one)) == one]  # what cannot be said so is not heard


@pytest.mark.campaign
def test_the_link_itself_names_each_of_many_edits_within_a_minute(evening, mirror, tmp_path, capsys):
    """R-27: nobody has to ask: the casino's node looks again, stretch by stretch, at what it has."""
    chance, before, took = random.Random(SEED), facts_of(evening), Counter()
    kinds = [kind for kind in KINDS if not kind.of_links and kind.name not in AFTER_THE_MIRROR]
    number = 0
    while took.total() < EDITS:
        number += 1
        kind, copy = chance.choice(kinds), tmp_path / f"{number}.db"
        kind.do(evening, copy, random.Random(f"{SEED} {kind.name} {number} link"))
        facts = facts_of(copy)
        if facts is None or told(facts[: len(before)]) != told(before):
            second = named_after(copy, mirror, tmp_path / "mirror.db")
            assert second is not None, f"{kind.name}, edit {number}: not within a minute"
            took[second] += 1
        copy.unlink()
    if CAMPAIGN:
        with capsys.disabled():
            print(
                f"\n{EDITS} of {number} edits touched a fact and were named after so many seconds: {dict(took)}",
                file=sys.stderr,
            )


def told(facts):
    """What a fact says and how it is chained; its other columns only repeat that."""
    return [(row.seq, row.body, row.hash) for row in facts]


def test_facts_after_the_mirrors_end_are_no_fault(evening, mirror, tmp_path):
    short = MirrorFile.read(mirror)
    try:
        kept = list(short.facts())[:-5]
    finally:
        short.close()

    found = beside(iter(facts_of(evening)), iter(kept))

    assert found.wrong is None and found.mirror_lacks == 5


def rewritten(evening, copy):
    """By the thief who has the box with its key: a word of one fact, everything after it anew, and signed."""
    key = key_of("central-1")
    with Forger(evening, copy) as forger:
        bodies = forger.bodies()
        seq = next(body["seq"] for body in bodies if body["fact"]["kind"] == "award_paid")
        bodies[seq - 1]["fact"]["by"] = "dario" if bodies[seq - 1]["fact"]["by"] != "dario" else "carla"
        signed = {row[0]: row[1] for row in forger("SELECT seq, body FROM checkpoint WHERE seq >= ?", seq)}
        forger.write_anew(bodies, seq)
        for at, body in signed.items():
            says = msgspec.json.decode(body)
            says["hash"] = forger.value("SELECT hash FROM fact WHERE seq = ?", at).hex()
            says["state"] = ""
            text = msgspec.json.encode(says, order="sorted")
            forger("INSERT INTO checkpoint VALUES (?, ?, ?)", at, text, key.sign(text))
    return seq


def test_a_record_written_anew_with_the_boxs_own_key_is_good_by_itself_and_not_beside_its_mirror(
    evening, mirror, tmp_path
):
    copy = tmp_path / "copy.db"
    seq = rewritten(evening, copy)

    assert seen(copy) == "", "no second hand can see it"
    assert compared(copy, mirror).wrong.place == f"fact {seq}"


def test_the_link_itself_names_a_record_that_was_cut_or_written_anew(evening, mirror, tmp_path):
    """At the first mark that the casino's node says, which is within 20 seconds."""
    rewritten(evening, tmp_path / "anew.db")
    with Forger(evening, tmp_path / "cut.db") as forger:
        for table, column in (("posting", "fact"), ("checkpoint", "seq"), ("snapshot", "seq"), ("fact", "seq")):
            forger(f"DELETE FROM {table} WHERE {column} > ?", forger.ends()[-10])
    for name, why in (("anew", "fork"), ("cut", "rolled_back")):
        path = tmp_path / f"{name}-mirror.db"
        path.write_bytes(mirror.read_bytes())
        casino = Casino(path, "central-1", key_of("casino"))
        casino.up()
        with Reader.open(tmp_path / f"{name}.db") as reader:
            assert casino.copy(reader) == 1
        assert casino.why == [why]
        assert list(casino.marks()) == [], "nothing more is asked of it"
        casino.close()


def test_a_mirror_that_was_edited_itself_is_no_witness(evening, mirror):
    file = MirrorFile.read(mirror)
    rows = list(file.facts())
    file.close()
    rows[9] = rows[9]._replace(body=rows[9].body.replace(b'"at":1', b'"at":2', 1))

    found = beside(iter(facts_of(evening)), iter(rows))

    assert found.wrong.place == "espejo, fact 10" and "dañado" in found.wrong.why
    assert MirrorMark(0, 0, BEGINNING).hash == bytes(32)
