"""The gaming day of who feeds a shared pot is told to its owner: where a month of both ends (R-27, R-28)."""

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.facts import DayClosed, DayRenamed, LetterDisputed, LetterHeard, LetterTold
from controller.core.links.letters import DayOver
from controller.core.values import Mark
from support.links import evening
from support.links.evening import AT, BOX, CASINO, OWNER, POT
from support.links.nodes import TWO
from support.links.stream import Stream


@pytest.fixture
def nodes():
    nodes = evening.linked()
    evening.in_force(nodes)
    return nodes


def closed(node):
    """What the close of the day tells, by stream."""
    node.empty(AT[node.name])
    fact, *told = node.must(ask.CloseDay(node.seeds[node.day].hex(), evening.Signature("carla")))
    assert isinstance(fact, DayClosed)
    return {one.stream: one.letter for one in told if isinstance(one, LetterTold)}


def test_r27_the_close_of_a_day_is_told_to_the_owner_of_each_pot_that_is_fed_here(nodes):
    evening.sealed(nodes[BOX], 1, 2)
    evening.close(nodes[BOX])
    nodes.settle()
    for below, above in ((BOX, CASINO), (CASINO, OWNER)):
        node = nodes[below]
        heard = node.state.heard[f"{above}/pot:{POT}"]

        assert closed(node) == {f"to:{above}": DayOver(POT, "2026-11-01", heard)}
        assert heard.number > 0


def test_r27_who_owns_the_pot_tells_nobody(nodes):
    assert closed(nodes[OWNER]) == {}


def test_r27_who_heard_nothing_of_the_log_says_so(nodes):
    box = nodes[BOX]
    box.book.state = replace(box.state, heard={})

    assert closed(box)[f"to:{CASINO}"].heard == Mark(0, 0, "")


def test_r27_the_owner_keeps_the_letter_and_nothing_else_follows(nodes):
    letter = closed(nodes[CASINO])[f"to:{OWNER}"]
    before = nodes[OWNER].state
    facts = nodes[OWNER].hear(nodes[CASINO].told[f"to:{OWNER}"][-1])

    assert [type(fact) for fact in facts] == [LetterHeard] and facts[0].letter == letter
    after = nodes[OWNER].state
    assert after.neighbours[CASINO].days == {POT: "2026-11-01"}
    assert replace(after, heard={}, neighbours={}, clock=0) == replace(before, heard={}, neighbours={}, clock=0)


def test_r27_a_day_that_is_renamed_when_it_was_closed_is_told_once_more(nodes):
    box = nodes[BOX]
    box.must(ask.RenameDay("2026-10-31", "iba de ayer", **TWO))
    assert f"to:{CASINO}" in closed(box)
    assert box.told[f"to:{CASINO}"][-1].letter.day == "2026-10-31", "by the name that it has in the end"
    renamed, told = box.must(ask.RenameDay("2026-11-01", "era de hoy", **TWO))

    assert isinstance(renamed, DayRenamed)
    assert (told.letter.day, told.letter.was) == ("2026-11-01", "2026-10-31")


def test_r27_of_an_open_day_nothing_is_told_when_it_is_renamed(nodes):
    facts = nodes[BOX].must(ask.RenameDay("2026-10-31", "iba de ayer", **TWO))

    assert [type(fact) for fact in facts] == [DayRenamed]


DIGITS = "ab" * 32


@pytest.mark.parametrize(
    ("day", "was", "heard", "why"),
    [
        ("ayer", "", None, "no tiene fecha"),
        ("2026-11-01", "ayer", None, "no tiene fecha"),
        ("2026-11-01", "", Mark(1, 999, DIGITS), "no se dijo la carta 999"),
        ("2026-11-01", "", Mark(1, -1, DIGITS), "no se dijo la carta -1"),
        ("2026-11-01", "", Mark(9, 1, DIGITS), "no se dijo la carta 1"),
        ("2026-11-01", "", Mark(-1, 1, DIGITS), "no se dijo la carta 1"),
        ("2026-11-01", "", Mark(1, 1, "x"), "no se dijo la carta 1"),
        ("2026-11-01", "", Mark(1, 0, DIGITS), "se dijo otra carta 0"),
        ("2026-11-01", "", Mark(1, 0, ""), "se dijo otra carta 0"),
        ("2026-11-01", "", "last", "se dijo otra carta"),
    ],
)
def test_r28_a_day_that_cannot_be_is_not_believed_and_not_kept(nodes, day, was, heard, why):
    mar = nodes[OWNER]
    if heard == "last":
        heard = replace(mar.state.told[f"pot:{POT}"], hash=DIGITS)
    stream = Stream(CASINO, f"to:{OWNER}")
    stream.mark = mar.state.heard[f"{CASINO}/to:{OWNER}"]
    disputed, last = mar.hear(stream.next(DayOver(POT, day, heard or Mark(0, 0, ""), was)))

    assert isinstance(disputed, LetterDisputed) and why in disputed.why and disputed.amount == 0
    assert last.letter is None


@pytest.mark.parametrize("mark", ["", "earlier"])
def test_r28_less_of_the_log_may_have_been_heard_when_the_day_closed(nodes, mark):
    mar = nodes[OWNER]
    stream = Stream(CASINO, f"to:{OWNER}")
    stream.mark = mar.state.heard[f"{CASINO}/to:{OWNER}"]
    heard = Mark(1, 1, DIGITS) if mark else Mark(0, 0, "")
    (fact,) = mar.hear(stream.next(DayOver(POT, "2026-11-01", heard)))

    assert fact.letter is not None and fact.letter.heard == heard
