"""Somebody has the file of a record and not the key: what he edits is found, or stands on the page of limits.

The kinds are listed by name in `support/edits/`; each is made on seeded places of an evening that was really played. One that
is said to be found and is not fails; one that is said to be a limit and is found fails too, and leaves the page. What a limit
is, why, and what would find it: docs/operators/security.md, "What an edit without the key can do".
"""

import lzma
import random
import re
import shutil

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.node.book.chain import Key
from controller.node.store.store import Reader
from controller.verify.chain import hash_of_balances, read_witness
from support.edits import of_facts
from support.edits.evening import played
from support.edits.forger import Forger, of_kind
from support.edits.kinds import KINDS, seen
from support.links import evening as links_evening
from support.places import ROOT, TESTS
from support.record.verifying import verify

PLACES = 20 if CAMPAIGN else 1
SEED = 14
LIMITS = {*(kind.name for kind in KINDS if not kind.is_found), "never_adopted"}
BY_A_HEAD = sorted({*of_facts.LIMITS, "older_copy"} - {"tail_invented"})


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    return played(tmp_path_factory.mktemp("evening"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The record of a casino that shares a pot with another one and with a box of its own."""
    path = tmp_path_factory.mktemp("shared") / "node.db"
    links_evening.played()[links_evening.CASINO].kept.write(path)
    return path


def test_an_evening_that_nobody_edited_is_good(evening, shared):
    assert (seen(evening), seen(shared)) == ("", "")


def test_there_are_sixty_kinds_and_more():
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 60


def test_every_limit_stands_on_the_page_and_nothing_else_does():
    page = (ROOT / "docs/operators/security.md").read_text()
    part = page.split("What an edit without the key can do\n", 1)[1].split("\n## ", 1)[0]
    assert set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE)) == LIMITS
    assert f" {len(KINDS) + 1} kinds of such edits" in part


@pytest.mark.campaign
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_edit_is_found_or_is_a_limit(kind, evening, shared, tmp_path):
    for place in range(PLACES):
        copy = tmp_path / f"{place}.db"
        kind.do(shared if kind.of_links else evening, copy, random.Random(f"{SEED} {kind.name} {place}"))
        said = seen(copy)

        assert bool(said) is kind.is_found, f"{kind.name}, place {place}: {said or 'nothing was found'}"
        assert ": " in said or not said, "a place, and one sentence"
        assert "\n" not in said
        copy.unlink()


@pytest.mark.parametrize("name", BY_A_HEAD)
def test_what_the_page_says_would_show_a_limit_shows_it(name, evening, tmp_path):
    """The digits of a later head, which any page and every `pozo verify` prints."""
    with Reader.open(evening) as reader:
        witness = read_witness(verify(reader, None, lambda _: None).head.encode())
    copy = tmp_path / "copy.db"
    next(kind for kind in KINDS if kind.name == name).do(evening, copy, random.Random(name))

    with Reader.open(copy) as reader:
        wrong = verify(reader, witness, lambda _: None).wrong
    assert wrong is not None and wrong.place == "testigo"


def sign_founding(forger, key):
    """As `pozo found` did already then."""
    hash_ = forger.value("SELECT hash FROM fact WHERE seq = 1")
    balances = hash_of_balances({})
    says = {
        "at": forger.bodies()[0]["at"],
        "balances": balances,
        "epoch": 1,
        "hash": hash_.hex(),
        "node": "ensayo",
        "seq": 1,
    }
    body = msgspec.json.encode(says | {"software": "pozo 0.1.0", "state": ""})
    forger("INSERT INTO checkpoint VALUES (1, ?, ?)", body, key.sign(body))


def test_a_record_cut_before_it_adopted_the_third_reading_is_a_limit_and_is_said(tmp_path):
    """It asks for no signature but those it has: what a node of before would have left."""
    record = tmp_path / "node.db"
    record.write_bytes(lzma.decompress((TESTS / "record/earlier/6262aba.db.xz").read_bytes()))
    copy = tmp_path / "copy.db"
    shutil.copy(TESTS / "record/earlier/6262aba.key", tmp_path / "node.key")
    (tmp_path / "node.key").chmod(0o600)
    key = Key.load_or_make(tmp_path / "node.key")
    with Forger(record, copy) as forger:
        sign_founding(forger, key)
        bodies = forger.bodies()
        paid = of_kind(bodies, "award_paid")[-1]
        paid["fact"]["by"] = next(
            one["fact"]["by"]
            for one in of_kind(bodies, "award_paid", "day_opened")
            if one["fact"]["by"] != paid["fact"]["by"]
        )
        forger.write_anew(bodies, paid["seq"])

    with Reader.open(copy) as reader:
        verdict = verify(reader, None, lambda _: None)
    assert verdict.wrong is None, "never_adopted is found now: take it off the page"
    assert any("lectura 1" in one and "firma" in one for one in verdict.not_verified)
