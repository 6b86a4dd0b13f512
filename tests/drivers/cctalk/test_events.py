"""The event counter of header 229: the table of the specification, and a device that is only a list of what happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cctalk.events import NO_EVENT, SLOTS, CoinEvent, Continuity, HeardTwice, Reading, Since, following, since

EMPTY = (NO_EVENT,) * SLOTS


def reading(counter, *slots):
    return Reading(counter, (*slots, *EMPTY)[:SLOTS])


def coin(channel):
    return CoinEvent(channel, 1)


@pytest.mark.parametrize(
    ("last", "counter", "verdict", "count"),
    [
        (0, 0, Continuity.NEWS, 0),
        (0, 1, Continuity.NEWS, 1),
        (0, 5, Continuity.NEWS, 5),
        (0, 6, Continuity.LOST, 6),
        (0, 255, Continuity.LOST, 255),
        (6, 6, Continuity.NEWS, 0),
        (6, 7, Continuity.NEWS, 1),
        (1, 255, Continuity.LOST, 254),
        (255, 1, Continuity.NEWS, 1),  # the table's (1 after 255)
        (253, 3, Continuity.NEWS, 5),  # (3, 253)
        (48, 54, Continuity.LOST, 6),  # (54, 48): one is lost
        (67, 0, Continuity.RESET, 0),  # (0, 67): unknown
        (255, 255, Continuity.NEWS, 0),
        (2, 1, Continuity.LOST, 254),
    ],
)
def test_the_table_of_the_specification(last, counter, verdict, count):
    told = since(last, reading(counter, coin(1), coin(2), coin(3), coin(4), coin(5)))

    assert (told.verdict, told.count) == (verdict, count)
    assert len(told.events) == min(count, SLOTS)


def test_the_counter_never_counts_to_nought():
    counters, counter = [], 0
    for _ in range(511):
        counter = following(counter)
        counters.append(counter)

    assert counters == [*range(1, 256), *range(1, 256), 1]


def test_news_are_told_oldest_first():
    told = since(6, reading(9, coin(3), coin(2), coin(1), coin(9), coin(8)))

    assert told == Since(Continuity.NEWS, 3, (coin(1), coin(2), coin(3)))


def test_the_frame_of_the_book():
    """6 events: the newest is channel 6 by path 4, then two refusals, channel 6 again, and channel 13."""
    told = since(5, Reading.decode(bytes((6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2))))

    assert told.events == (CoinEvent(6, 4),)
    assert since(1, Reading.decode(bytes((6, 6, 4, 0, 20, 0, 23, 6, 4, 13, 2)))).events[0] == CoinEvent(13, 2)


def test_slots_that_do_not_fit_are_another_device():
    known = (coin(2), coin(1), *EMPTY[:3])

    assert since(2, reading(3, coin(5), coin(2), coin(1)), known).verdict is Continuity.NEWS
    assert since(2, reading(3, coin(5), coin(1), coin(1)), known).verdict is Continuity.OTHERWISE
    assert since(2, reading(2, coin(2), coin(2)), known).verdict is Continuity.OTHERWISE
    assert since(2, reading(7, *[coin(7)] * 5), known).verdict is Continuity.NEWS, "nothing old is left to compare"


@pytest.mark.long
@given(st.lists(st.integers(0, 16), max_size=600), st.data())
def test_whoever_reads_often_enough_hears_every_event_once_and_in_order(channels, draw):
    """The independent model: the device is the list, a reading is its end, and the host keeps a counter and slots."""
    happened, heard = [CoinEvent(channel, channel * 7 % 256) for channel in channels], []
    seen = last = 0
    known = EMPTY
    while seen < len(happened):
        seen = min(len(happened), seen + draw.draw(st.integers(0, SLOTS)))
        counter = (seen - 1) % 255 + 1 if seen else 0
        now = Reading(counter, tuple(reversed((*EMPTY, *happened[:seen])))[:SLOTS])
        told = since(last, Reading.decode(now.encode()), known)
        assert told.verdict is Continuity.NEWS
        heard += told.events
        last, known = now.counter, now.slots

    assert heard == happened


@given(st.integers(0, 255), st.integers(6, 254))
def test_whoever_reads_too_late_is_told_how_many_there_were(last, missed):
    counter = last
    for _ in range(missed):
        counter = following(counter)
    told = since(last, reading(counter, *[coin(1)] * 5))

    assert (told.verdict, told.count) == (Continuity.LOST, missed)


def test_nothing_is_believed_that_was_heard_once():
    twice = HeardTwice()
    first, second = reading(1, coin(1)), reading(2, coin(2), coin(1))

    assert twice.believe(first) is None and twice.doubting
    assert twice.believe(second) is None and twice.doubting
    assert twice.believe(second) == second and not twice.doubting
    assert twice.believe(second) == second, "nothing new needs no second hearing"
    assert twice.believe(first) is None
    assert twice.believe(second) == second and not twice.doubting, "it was noise"


def test_a_start_asks_twice_whatever_it_hears():
    twice = HeardTwice()
    twice.believe(reading(0))
    twice.believe(reading(0))
    twice.start_anew()

    assert twice.believe(reading(0)) is None
    assert twice.believe(reading(0)) == reading(0)


def test_a_reading_has_its_size():
    with pytest.raises(AssertionError):
        Reading.decode(bytes(10))
