"""What a person at the table would see, as words and as a picture that fits."""

import pytest

from controller.play.desk_picture import picture
from drivers.native.contract import LampDrive
from drivers.session import MILLISECOND, SECOND
from firmware_sim.desk.players import is_lit
from firmware_sim.desk.view import seats_seen
from support.sim.desk_play import Play, line, unit

DRAW = line("mesa", unit("electronic", 1, count=3), unit("console", 20), unit("counter", 21))
SLOTS = line("slots", unit("chip_slot", 1, seat=4, count=2))
MODULE = line("modulo", unit("io", 5, seat=6, keys=True))
CCTALK = line("ranura", unit("cctalk", 2, seat=7), kind="cctalk", echo=True)
SIGNS = (
    line("letrero", unit("alpha"), kind="alpha")
    + line("texto", unit("text", width=80), kind="text")
    + line("panel", unit("panel", 30), kind="tcp")
)


def drawn(play, width=80, height=50):
    """As text; every row is within its width."""
    where = {one.name: f"/ports/{one.name}" for one in play.desk.lines}
    rows = picture(play.desk, play.world.now, width, height, where)
    texts = ["".join(cell.text for cell in row) for row in rows]
    assert all(len(text) <= width for text in texts)
    return "\n".join(text.rstrip() for text in texts)


def styles(play, width=80):
    where = {one.name: "" for one in play.desk.lines}
    return {cell.style for row in picture(play.desk, play.world.now, width, 50, where) for cell in row if cell.text}


def share_of_light(lamp):
    return sum(is_lit(lamp, time * MILLISECOND) for time in range(1000))


def test_steady_is_steady_pending_blinks_fast_and_a_fault_winks():
    assert share_of_light(LampDrive.STEADY) == share_of_light(LampDrive.TEST) == 1000
    assert share_of_light(LampDrive.OFF) == 0
    assert share_of_light(LampDrive.PENDING) == 500
    assert share_of_light(LampDrive.FAULT) == 125
    assert is_lit(LampDrive.PENDING, 0) != is_lit(LampDrive.PENDING, 130 * MILLISECOND)


def test_the_words_say_what_is_to_be_seen():
    play = Play(DRAW, SLOTS).open()
    play.do("seat 2 press 3", "seat 4 chip", "console key on")
    play.run()
    play.do("seat 1 hold 4", "unit mesa/3 off", "unit slots/2 unplug", "line slots loss 5%", "line slots unplug")
    assert play.desk.status(play.world.now) == [
        "line mesa: up",
        "line slots: UNPLUGGED, loss 5%",
        "seat 1: lamp dark, shows 100, button 4 down",
        "seat 2: lamp steady, shows 95",
        "seat 3: lamp dark, no power",
        "seat 4: lamp steady, shows 1, gate open",
        "seat 5: lamp dark, shows 0, gate open, data wires off",
        "console: open, key on",
        "counter mesa/21: -----",
    ]


def test_the_words_say_what_is_broken():
    play = Play(line("mesa", unit("console", 20), unit("chip_slot", 1), unit("counter", 21)), SIGNS)
    play.do("seat 1 jam", "console line pull", "unit mesa/20 off", "unit 21 off")
    play.run()

    words = play.desk.status(play.world.now)
    assert "seat 1: lamp wink, shows 0, gate shut, jammed" in words
    assert words[-6:] == [
        "console: dark, key off",
        "hardware lock line: pulled",
        "counter mesa/21: (dark)",
        "sign letrero/1: (dark)",
        "sign texto/1: (dark)",
        "sign panel/30: (dark)",
    ]


def test_a_module_and_a_cctalk_slot_are_seen_too():
    play = Play(MODULE, CCTALK)
    play.do("seat 6 lamp lit")
    acceptor = play.firmware("ranura/2")

    wired, slot = seats_seen(play.desk.devices, 0)
    assert (wired.lamp, wired.shows, slot.shows, slot.gate_open) == (LampDrive.STEADY, None, "0", False)

    acceptor.coins.mask = 1
    for mode, lamp in ((0, LampDrive.OFF), (1, LampDrive.OFF), (2, LampDrive.STEADY), (50, LampDrive.PENDING)):
        acceptor._lamp_modes[1] = mode
        assert (seats_seen(play.desk.devices, 0)[1].lamp, seats_seen(play.desk.devices, 0)[1].gate_open) == (lamp, True)
    play.do("unit 2 off")
    assert (seats_seen(play.desk.devices, 0)[1].shows, seats_seen(play.desk.devices, 0)[1].gate_open) == ("", False)
    assert "cerrar y abrir: botones del módulo" in drawn(play)
    assert not [word for word in play.desk.status(0) if word.startswith("console")]  # its buttons are not looked at


def test_the_counter_shows_what_it_was_told():
    play = Play(DRAW).open()
    play.units["mesa", 21].show(1_234_567)
    play.run()

    assert "counter mesa/21: 1.234.567" in play.desk.status(play.world.now)
    assert "1.234.567" in drawn(play)


def test_looking_changes_nothing():
    play, other = Play(DRAW, SLOTS).open(), Play(DRAW, SLOTS).open()
    for step in range(20):
        play.do(f"seat {step % 3 + 1} press 1"), other.do(f"seat {step % 3 + 1} press 1")
        drawn(play), play.desk.status(play.world.now + SECOND)
        play.run(37), other.run(37)

    assert [one.firmware.memory.image() for one in play.desk.devices] == [
        one.firmware.memory.image() for one in other.desk.devices
    ]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
@pytest.mark.parametrize("height", [10, 24, 60])
def test_the_picture_fits_any_width(width, height):
    play = Play(DRAW, SLOTS, MODULE.replace("keys = true", ""), CCTALK, SIGNS, hosts=False)
    play.hosts["texto"].says = b"x" * 60 + b"\r"
    play.do("line babble", "console line pull", "unit mesa/20 unplug")
    play.run()

    text = drawn(play, width, height)
    assert "mesa" in text


def test_the_picture_of_a_table_at_80_columns():
    play = Play(DRAW, SLOTS, SIGNS).open()
    play.hosts["texto"].says = b"POZO 1.234.567\r"
    play.do("seat 2 press 3", "unit mesa/3 off", "seat 5 jam", "unit slots/1 unplug", "line panel unplug")
    play.run()
    text = drawn(play)

    assert "POZO 1.234.567" in text
    for word in (
        "apagado",
        "atascado",
        "suelto",
        "abierta",
        "cerrada",
        "CONSOLA",
        "mesa cerrada",
        "CRÉDITOS",
        "unplugged",
    ):
        assert word in text, word
    assert "1 2 5 10" in text
    assert {"lamp.lit", "lamp.dark", "glass", "glass.off", "open", "shut", "key", "sign", "good", "bad"} <= styles(play)
    assert "línea de cierre cortada" not in text

    for driver in play.units.values():
        driver.lock()
    play.run()
    play.do("console lock", "seat 1 hold 2", "sign letrero off")
    play.run()
    assert "● MESA CERRADA" in drawn(play)
    assert "línea de cierre cortada" in drawn(play)
    assert {"closed", "key.down", "sign.off"} <= styles(play)


def test_a_low_screen_gets_a_tighter_picture():
    play = Play(DRAW, SIGNS)

    assert len(drawn(play, height=14).splitlines()) < len(drawn(play, height=50).splitlines())
    assert "▀" in drawn(play, height=50)
    assert "▀" not in drawn(play, height=14)


def test_nine_seats_stand_side_by_side_at_80_columns_and_a_desk_of_signs_has_none():
    row = drawn(Play(line("mesa", unit("table", 1, seats=9)))).splitlines()[2]
    assert row.split() == list("123456789")

    assert "1 2 5 10" not in drawn(Play(SIGNS))


def test_a_long_port_keeps_its_end():
    play = Play(DRAW)
    rows = picture(play.desk, 0, 60, 40, {"mesa": "/a/" + "long/" * 30 + "mesa"})

    assert "".join(cell.text for cell in rows[-1]).rstrip().endswith("long/mesa")
