"""What signs in browsers say that they show: between what was committed and what is, for three seconds, and no more."""

from msgspec.structs import replace

from controller.web.live.shown import MOST_SIGNS, RIGHT_WITHIN, SILENT_AFTER, ShownAsked, ShownSigns
from drivers.session import SECOND
from support.node.demo_views import view

BASE = view()


def at(*amounts):
    """Views in which the pot stood at these amounts, a second apart; the clock at the last."""
    signs = ShownSigns()
    for second, amount in enumerate(amounts):
        signs.sees(replace(BASE, pots=(replace(BASE.pots[0], main=amount),)), second * SECOND)
    return signs, (len(amounts) - 1) * SECOND


def wrong(signs, amount, now):
    return bool(signs.told("sala", ShownAsked({"pozo": amount}), now).wrong)


def test_a_rise_that_is_being_counted_up_to_is_right_and_beyond_it_is_wrong_at_once():
    signs, now = at(1_000, 2_000)

    assert [wrong(signs, amount, now) for amount in (1_000, 1_500, 2_000)] == [False, False, False]
    assert wrong(signs, 2_001, now) and wrong(signs, 999, now)


def test_what_stood_before_is_right_for_three_seconds_and_then_it_is_wrong():
    signs, now = at(1_000, 2_000)

    assert not wrong(signs, 1_500, now + RIGHT_WITHIN - 1)
    assert wrong(signs, 1_500, now + RIGHT_WITHIN) and not wrong(signs, 2_000, now + RIGHT_WITHIN)


def test_of_many_rises_only_the_last_three_seconds_count():
    signs, now = at(*range(1_000, 9_000, 1_000))

    assert wrong(signs, 4_999, now) and not wrong(signs, 5_000, now) and not wrong(signs, 8_000, now)
    assert len(signs._amounts["pozo"]) <= 5, "what is older is forgotten"


def test_a_fall_may_still_be_on_the_glass_for_three_seconds():
    signs, now = at(9_000, 100)

    assert not wrong(signs, 9_000, now) and not wrong(signs, 100, now)
    assert wrong(signs, 9_000, now + RIGHT_WITHIN)


def test_a_pot_that_nobody_has_is_wrong_and_one_told_in_words_is_left_out():
    signs, now = at(1_000)

    assert signs.told("sala", ShownAsked({"otro": 1}), now).wrong == {"otro": 1}
    assert not signs.told("sala", ShownAsked(), now).wrong


def test_the_journal_hears_the_beginning_and_the_end_and_the_floor_the_whole_time():
    signs, now = at(1_000)
    signs.told("sala", ShownAsked({"pozo": 1_000}), now)
    assert signs.news() == [] and signs.entities()["shown/sala"].wrong == {}

    for later in range(3):
        signs.told("sala", ShownAsked({"pozo": 7_777}, ("age",)), now + later)
    assert [(one.trouble, one.what) for one in signs.news()] == [("wrong", "pozo"), ("unseen", "age")]
    assert signs.entities()["shown/sala"].wrong == {"pozo": 7_777}
    signs.told("sala", ShownAsked({"pozo": 1_000}), now)
    assert [one.trouble for one in signs.news()] == ["", ""] and signs.news() == []


def test_what_stays_the_same_is_the_same_entity_so_that_nobody_is_told_it_again():
    signs, now = at(1_000)
    first = signs.told("sala", ShownAsked({"pozo": 1_000}), now)
    signs.sees(replace(BASE, at=99_999, pots=(replace(BASE.pots[0], main=1_000),)), now + SECOND)

    assert signs.told("sala", ShownAsked({"pozo": 1_000}), now + SECOND) is first


def test_a_sign_that_says_nothing_for_a_minute_is_silent_until_it_speaks():
    signs, now = at(1_000)
    signs.told("sala", ShownAsked({"pozo": 1_000}), now)
    signs.late(now + SILENT_AFTER - 1)
    assert not signs.entities()["shown/sala"].silent
    signs.late(now + SILENT_AFTER)
    signs.late(now + SILENT_AFTER + 1)

    assert signs.entities()["shown/sala"].silent
    assert [one.trouble for one in signs.news()] == ["silent"]
    signs.told("sala", ShownAsked({"pozo": 1_000}), now + SILENT_AFTER + 2)
    assert not signs.entities()["shown/sala"].silent and [one.trouble for one in signs.news()] == [""]


def test_so_many_signs_are_kept():
    signs, now = at(1_000)
    for number in range(MOST_SIGNS + 5):
        signs.told(f"s{number}", ShownAsked(), now)

    assert len(signs.entities()) == MOST_SIGNS and "shown/s0" not in signs.entities()
