"""A desk carries out what a person says: every command, in virtual time, with the real drivers before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.cctalk.frames import Checksum, Frame, Header, encode
from drivers.modbus.mbap import frame as mbap_frame
from drivers.modbus.pdu import INPUTS, ReadWords, WriteBits, WriteWords, encode_request
from drivers.modbus.rtu import frame as rtu_frame
from drivers.model import BetSeen, LampProof
from drivers.native.contract import DESIRED, FAST_POLL, IDENTITY, Feedback, LampDrive, LockState, SeatFault, UnitFault
from drivers.native.writes import BROADCAST_LOCK
from firmware_sim.desk.commands import CommandRefused, read_command
from firmware_sim.desk.devices import BUTTONS
from firmware_sim.desk.file import DeskRefused
from firmware_sim.native.nvm import Nvm
from support.sim.desk_play import CREDITS, Play, line, unit

SEATS = line("mesa", unit("electronic", 1, count=3), unit("console", 20))
NET = line("red", unit("table", 1, seat=11, seats=2), unit("counter", 9), kind="tcp")
SLOTS = line("mesa", unit("chip_slot", 1, count=2))
MODULE = line("modulo", unit("io", 5, seat=5, seats=2, keys=True))
CCTALK = line("ranura", unit("cctalk", 2, seat=7), kind="cctalk")
ALPHA = line("letrero", unit("alpha"), kind="alpha")
TEXT = line("texto", unit("text"), kind="text")
EVERYTHING = (SEATS, NET, CCTALK, ALPHA, TEXT, line("panel", unit("panel", 30), unit("chip_slot", 3, seat=20)))


def states(play):
    return {device.place: device.firmware._state for device in play.desk.devices if hasattr(device.firmware, "_state")}


# ---------------------------------------------------------------------------------------------------- seats


def test_a_press_is_a_bet_that_the_host_books_and_the_lamp_proves():
    play = Play(SEATS, NET).open()

    assert play.do("seat 2 press 3", "seat 12 press 4") == ["ok", "ok"]
    play.run()

    assert (play.seats[2].bet, play.seats[2].bet_credits) == (BetSeen.CONFIRMED, BUTTONS[2])
    assert play.seats[12].bet_credits == BUTTONS[3]
    assert play.seats[2].lamp is LampProof.LIT
    assert play.seats[1].bet is BetSeen.NONE


def test_pressing_again_before_the_finger_is_up_is_another_press():
    play = Play(SEATS).open()
    play.do("seat 1 press 1")
    play.run(60)  # the finger stays 80 ms

    play.do("seat 1 press 1", "seat 1 press 1")  # the third one is the second one: nobody felt it yet
    play.run()

    assert play.firmware("mesa/1").seats[0].memory.presses == 2


def test_a_press_that_was_not_felt_yet_is_not_taken_back_by_the_next():
    play = Play(SEATS).run()
    for _ in range(3):
        play.do("seat 1 press 1")
        play.run(20)
    play.run()

    assert play.firmware("mesa/1").seats[0].memory.presses == 2


def test_a_held_button_is_stuck_until_it_is_released():
    play = Play(SEATS).open()
    play.do("seat 1 hold 2")
    play.run(11_000)

    assert play.firmware("mesa/1").seats[0].live & SeatFault.BUTTON_STUCK

    play.do("seat 1 release 2")
    assert not play.firmware("mesa/1").seats[0].live & SeatFault.BUTTON_STUCK


def test_chips_fall_jam_and_are_freed():
    play = Play(SLOTS).open()
    play.do("seat 1 chip", "seat 2 jam")
    play.run()

    assert play.firmware("mesa/1").seats[0].memory.chips == 1
    assert play.firmware("mesa/2").seats[0].live & SeatFault.CHIP_JAM

    play.do("seat 2 unjam")
    assert not play.firmware("mesa/2").seats[0].live & SeatFault.CHIP_JAM


@pytest.mark.parametrize(
    ("words", "fault"), [("open", SeatFault.LAMP_OPEN), ("short", SeatFault.LAMP_SHORT), ("ok", 0)]
)
def test_a_lamp_that_breaks_is_found_when_it_should_shine(words, fault):
    play = Play(SEATS).open()
    play.do(f"seat 3 lamp {words}", "seat 3 press 1")
    play.run()

    assert play.firmware("mesa/3").seats[0].live == fault


def test_a_lamp_that_shines_unasked_is_seen_and_found():
    play = Play(SEATS).open()
    play.do("seat 3 lamp lit")
    play.run()

    assert play.firmware("mesa/3").light(1, play.world.now) is LampDrive.STEADY
    assert play.firmware("mesa/3").seats[0].live == SeatFault.LAMP_LIT_WHILE_OFF


def test_somebody_opens_a_housing():
    play = Play(SEATS).run()
    play.do("seat 1 tamper")

    assert play.firmware("mesa/1").seats[0].memory.latched & SeatFault.TAMPER


# ---------------------------------------------------------------------------------------------------- console


def test_the_consoles_keys_count():
    play = Play(SEATS).run()
    play.do("console lock", "console key on")
    play.run(100)
    play.do("console unlock", "console key off")
    play.run(100)
    memory = play.firmware("mesa/20").seats[0].memory

    assert (memory.loaded, memory.bets, memory.voided) == (1, 1, 2)


def test_a_key_pressed_again_at_once_counts_again():
    play = Play(SEATS).run()
    for _ in range(2):
        play.do("console lock", "console unlock")
        play.run(50)
    play.run(100)
    memory = play.firmware("mesa/20").seats[0].memory

    assert (memory.loaded, memory.bets) == (2, 2)


def test_the_console_locks_every_native_unit_at_once_on_every_line():
    play = Play(SEATS, NET, hosts=True).open()
    woken = play.woken
    assert states(play)["mesa/3"] == states(play)["red/1"] == LockState.OPEN

    play.do("console lock")
    play.run(29)  # the key is not debounced yet
    assert states(play)["red/1"] == LockState.OPEN
    play.run(1)

    for place in ("mesa/1", "mesa/2", "mesa/3", "red/1"):
        assert states(play)[place] == LockState.LOCKED, place
        assert play.firmware(place).line_pulled, place
    assert not play.firmware("mesa/20").line_pulled  # its own pull is not the wire of others
    assert play.desk.lock_line_pulled
    assert play.woken > woken


def test_what_the_lock_line_does_on_another_line_goes_on_by_itself():
    play = Play(SEATS, line("otra", unit("electronic", 1, seat=5)), hosts=False)
    play.do("seat 5 lamp lit")
    play.run(100)
    lamp = play.firmware("otra/1").seats[0].lamp
    play.do("console lock")
    play.run(59)  # 30 until the key is felt, 30 until the lamp that now winks is measured
    assert (lamp.drive, lamp.feedback) == (LampDrive.FAULT, 0)

    play = Play(SEATS, line("otra", unit("electronic", 1, seat=5)), hosts=False)
    play.do("seat 5 lamp lit")
    play.run(100)
    play.do("console lock")
    play.run(60)  # without anybody looking in between
    assert play.firmware("otra/1").seats[0].lamp.feedback & Feedback.MEASURED


def test_the_console_lets_go_of_the_lock_line_when_it_is_unlocked():
    play = Play(SEATS, NET).open()
    play.do("console lock")
    play.run()
    play.units["mesa", 1].unlock(2)
    assert states(play.run())["mesa/1"] == LockState.LOCKED

    play.units["mesa", 20].unlock(2)
    play.run()

    assert not play.desk.lock_line_pulled
    assert states(play)["mesa/1"] == LockState.OPEN
    assert not play.firmware("red/1").line_pulled


def test_a_console_without_power_is_a_broken_wire():
    play = Play(SEATS).open()
    play.do("unit 20 off")

    assert states(play)["mesa/1"] == LockState.LOCKED


def test_a_broken_lock_line_locks_also_the_console_until_it_is_mended():
    play = Play(SEATS).open()
    assert play.do("console line pull") == ["ok"]

    assert states(play)["mesa/20"] == states(play)["mesa/2"] == LockState.LOCKED
    assert play.firmware("mesa/20").line_pulled

    play.do("console line free")
    assert not play.firmware("mesa/20").line_pulled
    assert not play.firmware("mesa/2").line_pulled


def test_whoever_has_no_console_is_told():
    play = Play(SLOTS)

    assert play.do("console lock") == ["no: console: this desk has none"]
    assert play.do("console line pull") == ["ok"]
    assert Play(ALPHA).do("console line pull") == ["no: console line: nobody at this desk has a hardware lock line"]


# ---------------------------------------------------------------------------------------------------- the module


def registers(play, count):
    return play.firmware("modulo/5").serve(ReadWords(0, count, INPUTS), play.world.now).words


def test_buttons_and_keys_of_a_module_count():
    play = Play(MODULE)
    play.do("seat 5 press 1", "seat 6 press 4", "seat 6 press 4", "console lock", "console unlock")

    words = registers(play, 20)
    assert (words[1], words[15], words[17], words[19]) == (1, 2, 1, 1)


def test_a_modules_lamp_breaks():
    play = Play(MODULE)
    module = play.firmware("modulo/5")
    module.serve(WriteBits(0, (True, True)), 0)
    play.do("seat 5 lamp open")

    assert not module.light(5, 0)
    assert module.light(6, 0)


def test_a_lock_button_with_an_input_stays_down_until_unlocked():
    document = (
        "map = { seat = [{ seat = 3, lamp = 0, feedback = 0, button = [{ counter = 0, credits = 5 }] }], "
        "heartbeat = 200, console = { lock = { input = 7 } } }"
    )
    play = Play(line("modulo", unit("io", 5)) + document)
    module = play.firmware("modulo/5")

    assert play.do("console unlock") == ["no: console unlock cannot be done: modulo/5 is of kind io module"]
    assert play.do("console lock") == ["ok"]
    assert module._inputs(0)[7]
    assert play.do("console unlock") == ["ok"]
    assert not module._inputs(0)[7]
    assert play.do("seat 3 press 2")[0].startswith("no: seat 3 press cannot be done")


def test_a_module_forgets_with_its_power():
    play = Play(MODULE)
    for command in ("unit 5 off", "unit 5 reboot", "unit 5 forget"):
        play.do("seat 5 press 1")
        play.do(command, "unit 5 on", "unit 5 on")
        if command == "unit 5 reboot":
            continue
        assert registers(play, 2) == (0, 0), command


# ---------------------------------------------------------------------------------------------------- ccTalk


def poll(play):
    """The host asks for the credits: without that no coin is taken."""
    play.hosts["ranura"].heard.clear()
    play.hosts["ranura"].says = encode(Frame(2, 1, Header.READ_CREDIT, b""), Checksum.SUM)
    play.run(100)
    return play.hosts["ranura"].bytes


def test_a_chip_falls_into_a_cctalk_slot():
    play = Play(CCTALK)
    acceptor = play.firmware("ranura/2")
    play.hosts["ranura"].says = encode(Frame(2, 1, Header.SET_INHIBITS, b"\xff\xff"), Checksum.SUM)
    play.run(100)
    assert poll(play)

    play.do("seat 7 chip")
    play.run(200)
    assert acceptor.coins.box == [1]

    play.do("unit 2 forget")
    assert (acceptor.coins.accepted, acceptor.coins.inserted) == (0, 0)


def test_a_cctalk_slot_jams_resets_and_loses_its_power():
    play = Play(CCTALK)
    acceptor = play.firmware("ranura/2")

    play.do("seat 7 jam")
    assert acceptor.coins.jammed
    play.do("seat 7 unjam", "unit 2 reboot")
    assert not acceptor.coins.jammed
    assert acceptor.coins.counter == 0

    play.do("unit 2 off")
    assert poll(play) == b""
    play.do("unit 2 on")
    assert poll(play)


# ---------------------------------------------------------------------------------------------------- plugs, memory


def test_a_unit_without_power_says_nothing_and_comes_back_locked():
    play = Play(SEATS).open()
    play.do("unit 1 off", "unit 1 off")
    assert play.do("unit 1 reboot") == ["no: reboot: mesa/1 has no power"]
    play.run(2000)
    assert not play.firmware("mesa/1").powered

    play.do("unit 1 on", "unit 1 on")
    assert states(play)["mesa/1"] == LockState.BOOT_LOCKED
    assert play.firmware("mesa/1").memory.boots == 2


def test_a_unit_whose_wires_are_off_lives_on_and_hears_nothing():
    play = Play(SEATS).open()
    play.do("unit 1 unplug", "unit 1 unplug")
    play.run(3000)

    assert states(play)["mesa/1"] == LockState.HOST_LOST
    assert states(play)["mesa/2"] == LockState.OPEN

    play.do("unit 1 plug")
    play.run(5000)
    assert states(play)["mesa/1"] in {LockState.OPEN, LockState.LOCKED, LockState.LOCKING}


def test_a_unit_of_a_network_can_be_unplugged_too():
    play = Play(NET).open()
    play.do("unit 1 unplug")
    play.run(3000)
    assert states(play)["red/1"] == LockState.HOST_LOST

    play.do("unit 1 plug")
    assert states(play.run(5000))["red/1"] != LockState.HOST_LOST


def test_an_unplugged_unit_of_a_network_hears_nothing():
    play = Play(NET, hosts=False)
    play.do("unit 1 unplug")
    play.hosts["red"].says = mbap_frame(7, 1, encode_request(ReadWords(FAST_POLL, 40)))
    assert play.run(100).hosts["red"].bytes == b""
    assert play.firmware("red/1")._snapshot == 0

    play.do("unit 1 plug")
    play.hosts["red"].says = mbap_frame(7, 1, encode_request(ReadWords(FAST_POLL, 40)))
    assert play.run(100).hosts["red"].bytes
    assert play.firmware("red/1")._snapshot == 1


def test_forgotten_and_damaged_memory_is_found_at_the_next_boot():
    play = Play(SEATS).run()
    play.do("unit 1 forget", "unit 2 damage")
    assert play.firmware("mesa/1").nvm.epoch == 0

    play.do("unit 1 reboot", "unit 2 reboot")

    assert play.firmware("mesa/1").nvm.epoch == 1
    assert play.firmware("mesa/1").memory.faults & UnitFault.TOTALS_LOST
    assert play.firmware("mesa/2").memory.faults & UnitFault.MEMORY_RECOVERED


def test_an_old_unit_is_about_to_wrap_and_a_lost_one_is_in_another_epoch():
    play = Play(line("mesa", unit("electronic", 1, old=True), unit("electronic", 2, seat=2, lost=True)))

    assert play.firmware("mesa/1").memory.seats[0].loaded == 2**32 - 5
    assert (play.firmware("mesa/1").nvm.epoch, play.firmware("mesa/2").nvm.epoch) == (0, 1)
    play.open()
    assert play.seats[1].totals.loaded == CREDITS - 5  # over the wrap


def test_a_memory_that_was_written_before_is_not_made_old_again():
    kept = {}

    def memory(name):
        return kept.setdefault(name, Nvm())

    text = line("mesa", unit("electronic", 1, old=True, lost=True))
    first = Play(text, memory=memory)
    first.open()
    loaded = first.firmware("mesa/1").memory.seats[0].loaded
    assert set(kept) == {"mesa-1"}

    assert Play(text, memory=memory).firmware("mesa/1").memory.seats[0].loaded == loaded
    kept["mesa-1"].lose()
    lost = Play(text, memory=memory).firmware("mesa/1")
    assert (lost.memory.seats[0].loaded, lost.nvm.epoch) == (0, 2)


def test_the_memory_of_another_kind_of_unit_is_refused():
    kept = Nvm()
    Play(line("mesa", unit("electronic", 1)), memory=lambda _: kept)

    with pytest.raises(DeskRefused, match="mesa/1: the memory kept for it is of a unit with 1 seats; it has 9"):
        Play(line("mesa", unit("table", 1, seats=9)), memory=lambda _: kept)


def test_units_come_ready_for_use():
    play = Play(SEATS, NET)
    for place, number, first in (("mesa/2", 2, 2), ("red/1", 1, 11)):
        config = play.firmware(place).memory.read_config()
        assert (config.credit_value, config.least, config.most, config.buttons) == (1000, 1, 10, (1, 2, 5, 10))
        assert (config.unit, config.first_seat) == (number, first)
    assert play.firmware("mesa/2").memory.read_config().baud == 115_200


def test_a_unit_may_be_made_without_fc23_and_slower():
    make = Play(line("mesa", unit("electronic", 1, write_read=False, answer_ms=12.5))).firmware("mesa/1").make

    assert not make.abilities & 1 << 11
    assert make.answer == 12_500


def test_the_same_seed_is_the_same_desk():
    boots = [Play(SEATS, seed=seed).firmware("mesa/1").memory.boot_id for seed in (1, 1, 2)]

    assert boots[0] == boots[1] != boots[2]


# ---------------------------------------------------------------------------------------------------- lines


def question(number):
    return rtu_frame(number, encode_request(ReadWords(IDENTITY, 4)))


def asked(play, name="mesa", number=1, wait=100):
    """A host that asks once: what it hears."""
    host = play.hosts[name]
    host.heard.clear()
    host.says = question(number)
    play.run(wait)
    return host.bytes


@pytest.mark.parametrize(
    ("command", "setting", "value"),
    [
        ("loss 20%", "loss", 0.2),
        ("noise 0.5%", "noise", 0.005),
        ("duplication 100%", "duplication", 1.0),
        ("delay 7%", "delay", 0.07),
        ("delay 7% 30ms", "delay_time", 30_000),
        ("echo on", "echo", True),
        ("echo off", "echo", False),
    ],
)
def test_a_line_can_be_made_bad(command, setting, value):
    play = Play(SEATS, CCTALK, hosts=False)

    assert play.do(f"line mesa {command}") == ["ok"]
    assert getattr(play.desk.lines[0].wire.settings, setting) == value
    assert getattr(play.desk.lines[1].wire.settings, setting) != value or value is False


def test_without_a_name_all_lines_with_wires_are_meant():
    play = Play(SEATS, CCTALK, NET, hosts=False)
    assert play.do("line loss 100%", "line echo on") == ["ok", "ok"]
    assert play.desk.lines[0].troubles == play.desk.lines[1].troubles == ("loss 100%", "echo")
    assert asked(play) in {b"", question(1)} or len(asked(play)) < len(question(1))

    play.do("line clean")
    assert play.desk.lines[0].troubles == ("echo",)
    assert len(asked(play)) > len(question(1))


def test_a_line_starts_as_the_file_says():
    play = Play(line("mesa", unit("electronic", 1), loss="3%", noise="1.5%", duplication="2%", delay="4%", echo=True))

    assert play.desk.lines[0].troubles == ("loss 3%", "noise 1.5%", "duplication 2%", "delay 4%", "echo")


def test_an_unplugged_line_and_its_host_do_not_hear_each_other():
    play = Play(SEATS, NET, hosts=False)
    assert asked(play)

    play.do("line unplug")
    assert asked(play) == b""
    play.hosts["red"].says = mbap_frame(7, 1, encode_request(ReadWords(IDENTITY, 4)))
    assert play.run(100).hosts["red"].bytes == b""

    play.do("line mesa babble")
    assert play.run(1000).hosts["mesa"].bytes == b""

    play.do("line plug", "line mesa hush")
    play.run(100)
    assert asked(play)
    play.hosts["red"].says = mbap_frame(7, 1, encode_request(ReadWords(IDENTITY, 4)))
    assert play.run(100).hosts["red"].bytes


def test_a_babbler_talks_until_it_is_hushed():
    play = Play(SEATS, hosts=False)
    play.do("line babble", "line babble")
    assert play.desk.lines[0].troubles == ("babbling",)
    play.run(1000)
    assert len(play.hosts["mesa"].heard) > 5

    play.do("line hush", "line hush")
    play.run(100)
    play.hosts["mesa"].heard.clear()
    assert play.run(1000).hosts["mesa"].bytes == b""


def test_a_network_is_not_noisy():
    play = Play(NET, hosts=False)

    for command in ("line loss 3%", "line babble", "line clean", "line red echo on"):
        assert "is a network, it can only be unplugged" in play.do(command)[0]


def test_all_units_of_a_network_answer_in_one_piece_and_unit_0_is_nobody():
    play = Play(NET, hosts=False)
    read = encode_request(ReadWords(IDENTITY, 4))
    lock = encode_request(WriteWords(DESIRED, BROADCAST_LOCK))
    play.hosts["red"].says = mbap_frame(1, 1, read) + mbap_frame(2, 0, lock) + mbap_frame(3, 9, read)
    heard = play.run(100).hosts["red"].bytes

    assert [heard[place] for place in (1, 18)] == [1, 3]
    assert len(heard) == 2 * 17


# ---------------------------------------------------------------------------------------------------- signs


def test_signs_lose_their_power_and_their_memory():
    play = Play(ALPHA, TEXT, line("mesa", unit("panel", 30), unit("panel", 31, letters=True, width=16)))
    play.hosts["texto"].says = b"POZO 123\r"
    play.run()
    assert play.firmware("texto/1").displayed(play.world.now) == "POZO 123"

    play.do("sign texto off", "unit mesa/30 off")
    assert not play.firmware("texto/1").powered
    assert not play.firmware("mesa/30").powered
    play.do("sign texto on", "sign texto on", "unit 30 on", "unit 31 reboot", "unit letrero/1 reboot")
    assert play.firmware("mesa/30").powered
    assert play.firmware("texto/1").displayed(play.world.now) == ""
    assert play.do("sign letrero forget", "sign letrero on") == ["ok", "ok"]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("sign off", "no: sign: which? letrero/1 or texto/1 or panel/30"),
        ("sign mesa off", "no: sign mesa: there is none"),
        ("seat 9 press 1", "no: seat 9: this desk has seats 1, 2, 3, 7, 11, 12, 20"),
        ("seat 7 press 1", "no: seat 7 press cannot be done: ranura/2 is of kind ccTalk acceptor"),
        ("seat 1 chip", "no: seat 1 chip cannot be done: mesa/1 is of kind electronic"),
        ("seat 20 press 1", "no: seat 20 press cannot be done: panel/3 is of kind chip slot"),
        ("unit 99 off", "no: unit 99: here: units 1, 2, 3, 9, 20, 30"),
        ("unit red/2 off", "no: unit red/2: here: units 1, 9"),
        ("unit nadie/2 off", "no: unit nadie/2: this desk has lines mesa, red, ranura, letrero, texto, panel"),
        ("unit 1 off", "no: unit 1: which? mesa/1 or red/1"),
        ("unit letrero/1 damage", "no: damage cannot be done: letrero/1 is of kind sign"),
        ("line nadie loss 3%", "no: line nadie: this desk has lines mesa, red, ranura, letrero, texto, panel"),
        ("wait 500ms", "no: wait: that is not for a desk"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_sentence(command, answer):
    assert Play(*EVERYTHING, hosts=False).do(command) == [answer]


def test_a_desk_without_seats_says_so():
    assert Play(ALPHA).do("seat 1 press 1", "unit 2 off", "line x clean") == [
        "no: seat 1: this desk has no seat", "no: unit 2: here: unit 1", "no: line x: this desk has line letrero",
    ]  # fmt: skip


def test_help_lists_every_word():
    (text,) = Play(SEATS).do("help")

    for word in ("press", "unjam", "tamper", "duplication", "babble", "hush", "forget", "damage", "pull", "quit"):
        assert word in text


# ---------------------------------------------------------------------------------------------------- whatever is said

WORDS = [
    "seat", "console", "unit", "line", "sign", "help", "press", "hold", "release", "chip", "jam", "unjam", "lamp", "tamper",
    "lock", "unlock", "key", "off", "on", "reboot", "unplug", "plug", "forget", "damage", "loss", "noise", "delay", "echo",
    "clean", "babble", "hush", "pull", "free", "1", "2", "3", "4", "7", "9", "20", "30", "mesa", "red", "ranura", "ok",
    "open", "lit", "10%", "100%", "0%", "0.5%", "20ms", "mesa/1", "red/1", "texto", "letrero", "5",
]  # fmt: skip


@pytest.mark.long
@given(
    st.lists(
        st.one_of(
            st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
            st.builds("seat {} {}".format, st.sampled_from((1, 7, 11, 20)), st.sampled_from(("press 2", "chip", "jam"))),
            st.builds("unit {} {}".format, st.sampled_from(("mesa/1", 2, 20, 30)), st.sampled_from(("off", "on", "reboot"))),
        ),
        max_size=12,
    )
)  # fmt: skip
def test_whatever_is_said_is_done_or_refused(commands):
    play = Play(*EVERYTHING)
    for command in commands:
        try:
            act = read_command(command)
        except CommandRefused:
            continue
        if act is not None:
            (answer,) = play.do(command)
            assert answer.startswith(("ok", "no: ", "seat N"))
            assert "\n" not in answer or act.who == "help"
        play.run(37)
    play.run(300)
