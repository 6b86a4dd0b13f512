"""docs/tour.md against a recording: its hops were called, in its order, and its picture is the one they make."""

import importlib
import re

import pytest

from support.node.tour import PAGE, PICTURE, picture, section
from support.node.trace import Hop, files_beyond
from support.node.walks import walked
from support.places import ROOT

MOST_HOPS = 30
MOST_FILES = 35
"""Of the product, for functions that a press calls and an idle line does not."""

NAMED = re.findall(r"`([\w./]+\.py):([\w.]+)`", PAGE.read_text())


def in_order(steps, calls):
    """The first step that was not called after the one above it, or nothing."""
    calls = iter(calls)
    return next((str(step.hop) for step in steps if not any(step.hop == call for call in calls)), None)


@pytest.mark.process
@pytest.mark.parametrize("title", ["One press", "One claim"])
def test_every_hop_was_called_after_the_one_above_it(title):
    walks = walked()
    calls = {"One press": [*walks.press.hops(), *walks.shown.hops()], "One claim": walks.claim.hops()}

    assert in_order(section(title), calls[title]) is None


@pytest.mark.process
def test_a_hop_in_the_wrong_place_is_found():
    steps = section("One press")
    steps[3], steps[20] = steps[20], steps[3]

    assert in_order(steps, walked().press.hops()) is not None
    assert in_order(steps[:1], [Hop("nowhere", "nothing")]) is not None


@pytest.mark.parametrize("title", ["One press", "One claim"])
def test_a_tour_is_short_and_numbered(title):
    numbers = [step.number for step in section(title)]

    assert numbers == list(range(1, len(numbers) + 1))
    assert 20 <= len(numbers) <= MOST_HOPS


@pytest.mark.process
def test_a_press_touches_few_files():
    found = files_beyond(walked().idle, walked().press)

    assert len(found) <= MOST_FILES, found


def test_the_picture_is_drawn_from_the_table():
    assert PICTURE.read_text() == picture(section("One press")), "python -m support.node.tour"


@pytest.mark.parametrize(("path", "function"), NAMED, ids=str)
def test_every_function_of_the_tour_exists(path, function):
    found = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    for name in function.split("."):
        found = getattr(found, name)

    assert callable(found)
    assert (ROOT / path).is_file()
