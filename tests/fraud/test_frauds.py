"""R-26, R-36: frauds that dishonest insiders play on a running node. Each is prevented, by the name of the refusal, or it stands
on the page of what is unusual with who and where; and `pozo verify` finds nothing wrong with a record of true facts.

The table of docs/operators/security.md says what must come of each story, and is read here: it is true, or this fails.
"""

import re

import pytest

from controller.report.forms import as_text
from controller.report.pdf import as_pdf
from controller.report.unusual import KINDS
from support.fraud.house import TABLE, opened
from support.fraud.stories import STORIES
from support.fraud.story import Prevented, Seen
from support.places import ROOT

ROW = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
PAGE = (ROOT / "docs/operators/security.md").read_text()
SAID = {
    story.strip(): (re.findall(r"`(\w+)`", refused), re.findall(r"`(\w+)`", seen))
    for _, story, _, refused, seen in ROW.findall(PAGE)
}


def words(story):
    return story.__name__.replace("_", " ")


def test_the_page_tells_every_story_and_no_other():
    assert list(SAID) == [words(story) for story in STORIES]
    assert len(STORIES) >= 30
    assert [int(number) for number, *_ in ROW.findall(PAGE)] == list(range(1, len(STORIES) + 1))
    assert all(refused or seen for refused, seen in SAID.values()), "prevented, or seen"


@pytest.mark.process
def test_r36_every_fraud_is_prevented_or_stands_on_the_page_of_what_is_unusual(tmp_path):
    came = {}
    with opened(tmp_path) as house:
        for story in STORIES:
            try:
                came[words(story)] = list(story(house))
            except AssertionError as why:
                raise AssertionError(f"{words(story)}: {why}") from why
        house.ends()
        told = house.casino.verify()
        whole = house.report()
        page = whole.unusual

    assert told.startswith("BIEN"), told
    assert as_pdf(whole).startswith(b"%PDF") and page is not None
    text = as_text(whole)
    assert all(str(one.seq) in text and KINDS[one.kind] in text for one in page.oddities)
    for story, found in came.items():
        refused, seen = SAID[story]
        assert [one.reason for one in found if isinstance(one, Prevented)] == refused, story
        assert [one.kind for one in found if isinstance(one, Seen)] == seen, story
    listed = {(one.kind, one.table, one.seat, one.persons) for one in page.oddities}
    for story, found in came.items():
        for one in found:
            if isinstance(one, Seen):
                somewhere = {(one.kind, table, one.seat, one.who) for table in (TABLE, "")}
                assert somewhere & listed, f"{story}: {one} is not among {sorted(listed)}"
    together = {pair.who: pair.odd for pair in page.together}
    assert together["jefa", "jefe"].keys() >= {"cleared", "count"}, "two friends are a pattern"
    assert together["carla", "jefe"]["left"] == 2
