"""The measures of pages, tried on pictures and boxes whose answer is known by hand."""

import io
import math

import pytest
from PIL import Image

from support.browser.amounts import Piece, Sample, Shown, above, bytes_a_minute, lateness, percentile, slope_an_hour
from support.browser.boxes import Target, Text, faults_of_targets, faults_of_texts, gap
from support.browser.light import (
    COLUMNS,
    ROWS,
    Frame,
    contrast,
    flashes,
    frame,
    luminance,
    mean_luminance,
    seen_contrast,
)

BLACK, WHITE, RED = (0, 0, 0), (255, 255, 255), (255, 0, 0)


def png(*colours, size=(40, 40), form="PNG"):
    """Stripes of equal height."""
    picture = Image.new("RGB", size)
    high = size[1] // len(colours)
    for at, colour in enumerate(colours):
        picture.paste(colour, (0, at * high, size[0], (at + 1) * high))
    file = io.BytesIO()
    picture.save(file, form)
    return file.getvalue()


# ---------------------------------------------------------------------------------------------------- light


@pytest.mark.parametrize(
    ("colour", "light"), [(BLACK, 0), (WHITE, 1), (RED, 0.2126), ((0, 255, 0), 0.7152), ((188, 188, 188), 0.5029)]
)
def test_luminance_is_that_of_wcag(colour, light):
    assert luminance(colour) == pytest.approx(light, abs=0.001)
    assert mean_luminance(png(colour)) == pytest.approx(light, abs=0.001)


def test_a_mean_is_of_light_and_not_of_numbers():
    """Half white, half black gives half the light; grey 128 gives a fifth."""
    assert mean_luminance(png(WHITE, BLACK)) == pytest.approx(0.5)
    assert mean_luminance(png((128, 128, 128))) == pytest.approx(0.2159, abs=0.001)
    assert mean_luminance(png(*[WHITE] * 8, *[BLACK] * 92, size=(10, 100))) == pytest.approx(0.08)


def test_a_picture_with_a_see_through_channel_or_a_palette_is_the_same_picture():
    file = io.BytesIO()
    Image.open(io.BytesIO(png(WHITE, BLACK))).convert("P").save(file, "PNG")

    assert mean_luminance(file.getvalue()) == pytest.approx(0.5)


def test_contrast_is_that_of_wcag():
    assert contrast(BLACK, WHITE) == contrast(WHITE, BLACK) == pytest.approx(21)
    assert contrast((119, 119, 119), WHITE) == pytest.approx(4.48, abs=0.01)
    assert contrast((118, 118, 118), WHITE) == pytest.approx(4.54, abs=0.01)


def test_the_contrast_of_a_text_is_read_from_its_points():
    assert seen_contrast(png((118, 118, 118), WHITE, WHITE, WHITE)) == pytest.approx(4.54, abs=0.1)
    assert seen_contrast(png(WHITE, WHITE)) == 1
    speck = png(*[WHITE] * 999, BLACK, size=(10, 1_000))

    assert seen_contrast(speck) == 1, "a speck is no text"


# ---------------------------------------------------------------------------------------------------- flashes


def still(at, light):
    return Frame(at, [light] * (COLUMNS * ROWS))


def blinking(hertz, low=0.0, high=1.0, part=1.0, seconds=2):
    """So much of the picture goes on and off; the rest stays dark."""
    lit = round(part * COLUMNS * ROWS)
    half = 500 / hertz
    return [
        Frame(at, [high if at // half % 2 else low] * lit + [0.0] * (COLUMNS * ROWS - lit))
        for at in (step * half / 2 for step in range(int(seconds * 1_000 / half * 2)))
    ]


@pytest.mark.parametrize("hertz", [1, 2, 3, 5, 10])
def test_flashes_of_a_second_are_counted(hertz):
    assert flashes(blinking(hertz)) == hertz


def test_what_is_no_flash():
    assert flashes([]) == flashes([still(0, 1.0)]) == 0
    assert flashes(blinking(5, high=0.09)) == 0, "too small a change"
    assert flashes(blinking(5, low=0.85)) == 0, "nothing dark in it"
    assert flashes([still(at * 10, at / 100) for at in range(100)]) == 0, "it only becomes brighter"


def test_a_slow_ramp_flashes_too():
    """A change counts from where it turned, however many frames it takes."""
    ramp = [still(at * 10, abs((at % 20) - 10) / 10) for at in range(200)]

    assert flashes(ramp) == 5


def test_a_small_place_may_blink_and_a_corner_may_not():
    corner = [
        Frame(one.at, [light if at % COLUMNS < 12 and at // COLUMNS < 8 else 0.0 for at, light in enumerate(one.cells)])
        for one in blinking(5)
    ]

    assert flashes(blinking(5, part=0.02)) == 0
    assert flashes(corner) == 5


def test_frames_are_read_from_pictures():
    for form in ("PNG", "JPEG"):
        one = frame(7, png(WHITE, BLACK, size=(360, 240), form=form))
        assert one.at == 7
        assert one.cells[0] == pytest.approx(1, abs=0.02)
        assert one.cells[-1] == pytest.approx(0, abs=0.02)


# ---------------------------------------------------------------------------------------------------- boxes

TEN = 10.0  # pixels a millimetre


def test_targets_are_measured_in_millimetres():
    good = [Target("a", 0, 0, 150, 150), Target("b", 170, 0, 200, 200, first=True)]

    assert faults_of_targets(good, TEN) == []
    assert faults_of_targets([Target("a", 0, 0, 149, 300)], TEN) == ["a: 14.9 x 30.0 mm, 15 mm are needed"]
    assert faults_of_targets([Target("a", 0, 0, 190, 300, first=True)], TEN) == ["a: 19.0 x 30.0 mm, 20 mm are needed"]
    assert len(faults_of_targets(good, 2 * TEN)) == 3, "the same boxes on a finer screen"


def test_gaps_are_the_shortest_way_between_two_boxes():
    one = Target("a", 0, 0, 150, 150)

    assert gap(one, Target("b", 160, 0, 150, 150)) == 10
    assert gap(one, Target("b", 0, 165, 150, 150)) == 15
    assert gap(Target("b", 153, 154, 150, 150), one) == 5, "corner to corner"
    assert gap(one, Target("b", 10, 10, 10, 10)) == 0
    assert faults_of_targets([one, Target("b", 160, 0, 150, 150)], TEN) == [
        "a and b: 1.0 mm between them, 2 mm are needed"
    ]


def test_nothing_is_measured_where_nobody_held_a_card_to_the_screen():
    with pytest.raises(AssertionError):
        faults_of_targets([], 0)


def test_texts_are_measured_by_the_height_of_the_sign():
    good = [Text("1.000", 200, 162, "digits"), Text("FULL", 54, 40), Text("Res. 1", 30, 22, "legal")]

    assert faults_of_texts(good, 1080) == []
    assert len(faults_of_texts([Text("1.000", 220, 150, "digits"), Text("FULL", 50, 40)], 1080)) == 2


# ---------------------------------------------------------------------------------------------------- amounts


def test_a_frame_with_more_than_was_committed_is_found():
    committed = [Shown(0, 100), Shown(1_000, 120), Shown(2_000, 50)]

    assert above([Shown(10, 100), Shown(1_000, 120), Shown(2_000, 50)], committed) == []
    assert above([Shown(999, 101)], committed) == [Shown(999, 101)], "a rise that was not yet on record"
    assert above([Shown(2_030, 120)], committed) == [Shown(2_030, 120)]
    assert above([Shown(2_030, 120), Shown(2_051, 120)], committed, grace=50) == [Shown(2_051, 120)]
    assert above([Shown(-1, 0)], committed) == [Shown(-1, 0)], "before anything was on record"


def test_lateness_is_from_the_record_to_the_frame():
    committed = [Shown(0, 100), Shown(1_000, 120), Shown(1_500, 130)]

    assert lateness([Shown(40, 100), Shown(1_020, 120), Shown(1_600, 130)], committed) == [40, 20, 100]
    assert lateness([Shown(40, 100), Shown(1_600, 130)], committed) == [40, 100], "120 was passed over"


def test_bytes_a_minute_do_not_count_the_whole_that_comes_first():
    assert bytes_a_minute([Piece(0, 9_000), Piece(1_000, 100), Piece(2_000, 100)], until=3_000) == 4_000


def test_a_course_is_told_by_its_slope_and_not_by_its_ends():
    steady = [Sample(second, 40.0) for second in range(60)]

    assert slope_an_hour(steady) == 0
    assert slope_an_hour([Sample(second, 40 + second / 60) for second in range(60)]) == pytest.approx(60)
    assert 0 < slope_an_hour([*steady, Sample(60, 41)]) < 10, "one that is larger is no course"


def test_a_percentile_is_one_of_the_values():
    assert percentile([3], 0.99) == 3
    assert percentile(range(1, 101), 0.99) == 99
    assert percentile(range(1, 101), 1) == 100
    assert math.isclose(percentile([5, 1, 3], 0.5), 3)
