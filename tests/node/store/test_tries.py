"""PINs tried where no node runs: they are counted beside the key, and whoever guesses waits (security.md 14)."""

import json

import pytest

from controller.node.book.pins import Pepper, verifier_of
from controller.node.book.tries import tried, tries_of
from controller.node.store.failure import StoreRefused
from controller.node.vocabulary.protocol import Pin

AT = 1_793_491_200_000
RIGHT = (Pin("ana", "111111"), Pin("luis", "222222"))
PEPPER = Pepper.fresh()


@pytest.fixture(scope="module")
def verifiers():
    return {one.person: verifier_of(one.pin, one.person, PEPPER) for one in RIGHT}


@pytest.fixture
def place(tmp_path):
    return tries_of(tmp_path / "pepper")


def wrong(person):
    return Pin(person, "000000")


def test_seven_wrong_pins_in_a_row_are_not_seven_tries(place, verifiers):
    """On dc78732 each of seven was tried, none was counted, and the right one was then taken."""
    for _ in range(3):
        assert tried(place, (wrong("ana"), RIGHT[1]), verifiers, PEPPER, AT) == (False, False)
    with pytest.raises(StoreRefused, match="espere 1 segundos"):
        tried(place, RIGHT, verifiers, PEPPER, AT + 1)
    assert tried(place, (wrong("ana"), RIGHT[1]), verifiers, PEPPER, AT + 1_000) == (False, False)
    with pytest.raises(StoreRefused, match="espere 2 segundos"):
        tried(place, RIGHT, verifiers, PEPPER, AT + 1_001)

    assert tried(place, RIGHT, verifiers, PEPPER, AT + 3_000) == (True, True)
    assert json.loads(place.read_bytes()) == {} and place.stat().st_mode & 0o777 == 0o600


def test_of_two_wrong_pins_the_first_is_counted_and_nobody_unknown_is(place, verifiers):
    tried(place, (wrong("ana"), wrong("luis")), verifiers, PEPPER, AT)
    tried(place, (RIGHT[0], wrong("luis")), verifiers, PEPPER, AT)
    tried(place, (wrong("nadie"), wrong("luis")), verifiers, PEPPER, AT)

    assert json.loads(place.read_bytes()) == {"luis": [1, AT * 1000]}


def test_a_clock_that_stood_ahead_keeps_nobody_waiting_for_years(place, verifiers):
    for _ in range(3):
        tried(place, (wrong("ana"), RIGHT[1]), verifiers, PEPPER, AT * 2)
    with pytest.raises(StoreRefused, match="espere 1 segundos"):
        tried(place, RIGHT, verifiers, PEPPER, AT)

    assert tried(place, RIGHT, verifiers, PEPPER, AT + 1_000) == (True, True)


def test_a_count_that_is_damaged_is_said_and_not_forgotten(place, verifiers):
    place.write_text("[")

    with pytest.raises(StoreRefused, match="dañada"):
        tried(place, RIGHT, verifiers, PEPPER, AT)
