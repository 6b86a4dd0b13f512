"""The images of the contract against its golden frames, and against everything that is not one of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as some

from drivers.line.numbers import newer, newer_beat
from drivers.modbus import pdu
from drivers.modbus.crc import check_word, crc16
from drivers.native import contract as at
from drivers.native.blocks import FastPoll, Flaw, Identity, Ring, RingEntry, SeatDetail, SeatPoll, checked
from drivers.native.contract import Bet, Feedback, LampDrive, LockState, SeatFlag, SeatMode, UnitFault, UnitFlag
from drivers.native.writes import BROADCAST_LOCK, Command, Config, Desired, Display

UNIT = 0x0B
READ = bytes.fromhex("0b032000001c4f69")
REPLY = bytes.fromhex(
    "0b0338a5010b010007beef0001e240001100000000002a000000281234000901"
    "0f79901c02012100120002000000320000001f0000000100000000b247"
)
WRITE = bytes.fromhex("0b100400000810123401 01554e004d0000002a000066dd2ee5".replace(" ", ""))
WRITTEN = bytes.fromhex("0b1004000008c055")
BROADCAST = bytes.fromhex("0010040000081000000000 4c4f0000000000000000d9197f75".replace(" ", ""))

WORD, LONG, BYTE = some.integers(0, 0xFFFF), some.integers(0, 0xFFFFFFFF), some.integers(0, 0xFF)


def words_of(frame):
    """What stands in a reply after unit, function and count, before the CRC."""
    return tuple(int.from_bytes(frame[place : place + 2], "big") for place in range(3, len(frame) - 2, 2))


# Golden frames (2.7).


@pytest.mark.parametrize("frame", [READ, REPLY, WRITE, WRITTEN, BROADCAST])
def test_the_golden_frames_have_a_good_crc(frame):
    assert crc16(frame[:-2]).to_bytes(2, "little") == frame[-2:]


def test_the_golden_question_is_ours():
    assert pdu.encode_request(pdu.ReadWords(at.FAST_POLL, at.fast_poll_words(1))) == READ[1:-2]


def test_the_golden_reply_reads_as_it_is_explained():
    poll = FastPoll.decode(words_of(REPLY), UNIT, 1)

    assert poll == FastPoll(
        unit=UNIT, snapshot=7, boot_id=0xBEEF, uptime=123456, lock=LockState.OPEN, flags=UnitFlag.SESSION_OWNED,
        faults=0, seq=42, cut=40, token=0x1234, command_id=9, result=1, heartbeat_age=15,
        seats=(
            SeatPoll(
                bet=Bet.CONFIRMED, mode=SeatMode.BUTTONS,
                flags=SeatFlag.LAMP_STEADY | SeatFlag.FEEDBACK_AGREES | SeatFlag.ENABLED,
                lamp=LampDrive.STEADY, feedback=Feedback.IN_WINDOW | Feedback.MEASURED, milliamps=18,
                bet_credits=2, loaded=50, bets=31, voided=1, chips=0,
            ),
        ),
    )  # fmt: skip
    assert poll.encode() == words_of(REPLY)


def test_the_golden_write_is_ours():
    words = Desired(token=0x1234, heartbeat=0x0101, lock=at.UNLOCK, round_id=77, ack=42).encode()

    assert pdu.encode_request(pdu.WriteWords(at.DESIRED, words)) == WRITE[1:-2]
    assert pdu.decode_answer(pdu.WriteWords(at.DESIRED, words), WRITTEN[1:-2]) == pdu.Written()


def test_the_golden_broadcast_is_ours():
    assert pdu.encode_request(pdu.WriteWords(at.DESIRED, BROADCAST_LOCK)) == BROADCAST[1:-2]
    assert Desired.decode(BROADCAST_LOCK).lock == at.LOCK


def test_a_table_of_nine_fits_one_answer():
    assert at.fast_poll_words(1) == 28
    assert at.fast_poll_words(at.MOST_SEATS) == 124 <= pdu.MOST_READ
    assert at.detail_address(1) == 0x1000
    assert at.detail_address(9) == 0x1800


# Round trips.


SEATS = some.builds(
    SeatPoll, bet=some.sampled_from(Bet), mode=some.sampled_from(SeatMode),
    flags=some.sets(some.sampled_from(SeatFlag)).map(sum), lamp=some.sampled_from(LampDrive),
    feedback=some.integers(0, 0x7F), milliamps=WORD, bet_credits=WORD, loaded=LONG, bets=LONG, voided=LONG, chips=LONG,
)  # fmt: skip
POLLS = some.builds(
    FastPoll, unit=BYTE, snapshot=WORD, boot_id=WORD, uptime=LONG, lock=some.sampled_from(LockState),
    flags=some.sets(some.sampled_from(UnitFlag)).map(sum), faults=some.sets(some.sampled_from(UnitFault)).map(sum),
    seq=LONG, cut=LONG, token=WORD, command_id=WORD, result=BYTE, heartbeat_age=BYTE,
    seats=some.lists(SEATS, min_size=1, max_size=9).map(tuple),
)  # fmt: skip
DETAILS = some.builds(
    SeatDetail, unit=BYTE, seat=some.integers(1, 9), balance=LONG, cashed=LONG, late=LONG, presses=LONG, refused=LONG,
    bet_seq=LONG, round_id=WORD, bet=BYTE, cause=BYTE, faults=WORD, latched=WORD, inputs=LONG, switches=WORD,
)  # fmt: skip
NAMES = some.text(some.characters(min_codepoint=33, max_codepoint=126), max_size=16)
IDENTITIES = some.builds(
    Identity, version=WORD, unit_class=WORD, capabilities=WORD, seats=WORD, unit=BYTE, first_seat=BYTE, serial=LONG,
    hardware=WORD, firmware=WORD, firmware_crc=WORD, config_generation=WORD, config_check=WORD, totals_epoch=WORD,
    boots=LONG, boot_id=WORD, reset_cause=WORD, memory=WORD, ring_depth=WORD, product=NAMES,
)  # fmt: skip
CONFIGS = some.builds(
    Config, credit_value=LONG, least=WORD, most=WORD, buttons=some.tuples(WORD, WORD, WORD, WORD), chip_credits=WORD,
    debounce=WORD, host_timeout=WORD, hold=WORD, confirm_timeout=WORD, lamp_least=WORD, lamp_most=WORD, settle=WORD,
    gate=WORD, baud=WORD.map(lambda word: word * 100), parity=BYTE, stop_bits=BYTE, unit=WORD, first_seat=WORD,
    enabled=WORD, generation=WORD,
)  # fmt: skip
DESIRES = some.builds(Desired, token=WORD, heartbeat=WORD, lock=WORD, round_id=WORD, ack=LONG, lamp=WORD)
COMMANDS = some.builds(
    Command, command_id=WORD, opcode=BYTE, seat=BYTE, expected=LONG, target=LONG, token=WORD
)  # fmt: skip
DISPLAYS = some.builds(Display, token=WORD, heartbeat=WORD, value=LONG, mode=WORD)


@given(POLLS)
def test_an_image_is_read_as_it_was_written(poll):
    words = poll.encode()
    assert len(words) == at.fast_poll_words(len(poll.seats))
    assert FastPoll.decode(words, poll.unit, len(poll.seats)) == poll


@given(DETAILS)
def test_a_detail_is_read_as_it_was_written(detail):
    assert SeatDetail.decode(detail.encode(), detail.unit, detail.seat) == detail


@given(IDENTITIES)
def test_an_identity_is_read_as_it_was_written(identity):
    assert Identity.decode(identity.encode(), identity.unit) == identity


@given(CONFIGS)
def test_a_configuration_is_read_as_it_was_written(config):
    assert Config.decode(config.encode()) == config
    assert config.check == config.encode()[0x1F]
    assert config.flaw() in {None, Flaw.VALUE}


@given(DESIRES, COMMANDS, DISPLAYS)
def test_what_a_host_writes_is_read_as_it_was_written(desired, command, display):
    assert Desired.decode(desired.encode()) == desired
    assert Command.decode(command.encode()) == command
    assert Display.decode(display.encode()) == display


@given(LONG, some.integers(0, 20))
def test_a_ring_is_read_in_order_and_keeps_the_newest_twelve(newest, count):
    """Across the wrap fewer: 2^32 is no multiple of 12, so numbers on both sides of it share a slot. What is lost is
    an explanation, and it is counted."""
    entries = tuple(
        RingEntry(
            seq=(newest - age) % 2**32, uptime=age, kind=1 + age % 21, seat=age % 10, argument=age, credits=3, boots=9
        )
        for age in reversed(range(count))
    )
    ring = Ring.decode(Ring(unit=UNIT, newest=newest, entries=entries).encode(), UNIT)
    kept = entries[-at.RING_DEPTH :]
    slots = {entry.seq % at.RING_DEPTH: entry for entry in kept}

    assert ring.entries == tuple(entry for entry in kept if slots[entry.seq % at.RING_DEPTH] is entry)
    assert newest < at.RING_DEPTH or len(ring.entries) == min(count, at.RING_DEPTH)


# Flaws.


def broken(words, place, word):
    return (*words[:place], word, *words[place + 1 :])


def resigned(words, place, word, check):
    return checked(list(broken(words, place, word)), check)


POLL = FastPoll(unit=UNIT, snapshot=1, boot_id=2, uptime=3, lock=LockState.OPEN, seats=(SeatPoll(),)).encode()
DETAIL = SeatDetail(unit=UNIT, seat=2).encode()
IDENTITY = Identity(unit_class=1, capabilities=0, seats=1, unit=UNIT, first_seat=1, serial=1).encode()
RING = Ring(unit=UNIT, newest=5).encode()
CONFIG = Config(credit_value=1, least=1, most=2, buttons=(1, 2, 0, 0))
DESIRED = Desired(token=1, heartbeat=2).encode()
COMMAND = Command(command_id=1, opcode=1).encode()
DISPLAY = Display(token=1, heartbeat=2).encode()


@pytest.mark.parametrize(
    ("words", "flaw"),
    [
        (POLL[:-1], Flaw.LENGTH),
        ((*POLL, 0), Flaw.LENGTH),
        (resigned(POLL, 0, at.TAG_DETAIL, 0xF), Flaw.TAG),
        (resigned(POLL, 1, (UNIT + 1) << 8 | 1, 0xF), Flaw.UNIT),
        (resigned(POLL, 1, UNIT << 8 | 2, 0xF), Flaw.SEAT),
        (broken(POLL, 9, 1), Flaw.CHECK),
        (broken(POLL, 0xF, POLL[0xF] ^ 1), Flaw.CHECK),
        (resigned(POLL, 6, 6, 0xF), Flaw.VALUE),
        (resigned(POLL, 16, 6, 0xF), Flaw.VALUE),
        (resigned(POLL, 16, 4 << 4, 0xF), Flaw.VALUE),
        (resigned(POLL, 17, 5 << 8, 0xF), Flaw.VALUE),
    ],
)
def test_an_image_that_is_not_the_one_asked_for_is_named(words, flaw):
    assert FastPoll.decode(words, UNIT, 1) is flaw


@pytest.mark.parametrize(
    ("words", "flaw"),
    [
        (DETAIL[:-1], Flaw.LENGTH),
        (resigned(DETAIL, 0, at.TAG_CONFIG, 0x1F), Flaw.TAG),
        (resigned(DETAIL, 1, (UNIT + 1) << 8 | 2, 0x1F), Flaw.UNIT),
        (resigned(DETAIL, 1, UNIT << 8 | 3, 0x1F), Flaw.SEAT),
        (broken(DETAIL, 3, 1), Flaw.CHECK),
    ],
)
def test_a_detail_that_is_not_the_one_asked_for_is_named(words, flaw):
    assert SeatDetail.decode(words, UNIT, 2) is flaw


@pytest.mark.parametrize(
    ("words", "flaw"),
    [
        (IDENTITY[:-1], Flaw.LENGTH),
        (resigned(IDENTITY, 0, 0x504A, 0x1F), Flaw.TAG),
        (broken(IDENTITY, 7, 2), Flaw.CHECK),
        (resigned(IDENTITY, 5, (UNIT + 1) << 8 | 1, 0x1F), Flaw.UNIT),
    ],
)
def test_an_identity_that_is_none_is_named(words, flaw):
    assert Identity.decode(words, UNIT) is flaw


@pytest.mark.parametrize(
    ("words", "flaw"),
    [
        (RING[:-1], Flaw.LENGTH),
        (broken(RING, 0, at.TAG_CONFIG), Flaw.TAG),
        (broken(RING, 1, UNIT + 1), Flaw.UNIT),
    ],
)
def test_a_ring_that_is_none_is_named(words, flaw):
    assert Ring.decode(words, UNIT) is flaw


def test_a_slot_of_the_ring_that_is_not_where_its_number_says_is_no_event():
    entries = tuple(RingEntry(seq=seq, uptime=0, kind=1, seat=1) for seq in (3, 4, 5))
    words = Ring(unit=UNIT, newest=5, entries=entries).encode()
    torn = broken(words, 4 + 8 * 4 + 1, 16)

    assert [entry.seq for entry in Ring.decode(torn, UNIT).entries] == [3, 5]


@pytest.mark.parametrize(
    ("words", "flaw"),
    [
        (CONFIG.encode()[:-1], Flaw.LENGTH),
        (resigned(CONFIG.encode(), 0, at.TAG_RING, 0x1F), Flaw.TAG),
        (broken(CONFIG.encode(), 3, 9), Flaw.CHECK),
    ],
)
def test_a_configuration_that_is_none_is_named(words, flaw):
    assert Config.decode(words) is flaw


@pytest.mark.parametrize(
    "change",
    [
        {"credit_value": 0}, {"least": 0}, {"least": 3}, {"chip_credits": 0}, {"host_timeout": 0}, {"host_timeout": 299},
        {"host_timeout": 5001}, {"confirm_timeout": 0}, {"lamp_least": 31}, {"parity": 3}, {"stop_bits": 0},
        {"stop_bits": 3}, {"unit": 0}, {"unit": 248},
    ],
)  # fmt: skip
def test_values_that_no_unit_may_run_on_are_named(change):
    assert CONFIG.flaw() is None
    assert replace(CONFIG, **change).flaw() is Flaw.VALUE


def test_a_baud_rate_the_register_cannot_hold_is_a_mistake_of_the_caller():
    with pytest.raises(AssertionError, match="hundreds"):
        replace(CONFIG, baud=1234).encode()


@pytest.mark.parametrize(
    ("decode", "words"), [(Desired.decode, DESIRED), (Command.decode, COMMAND), (Display.decode, DISPLAY)]
)
def test_what_a_host_writes_is_taken_whole_or_not_at_all(decode, words):
    assert decode(words[:-1]) is Flaw.LENGTH
    assert decode((*words, 0)) is Flaw.LENGTH
    for place in range(8):
        assert decode(broken(words, place, words[place] ^ 0x8000)) is Flaw.CHECK


def test_reserved_bits_are_not_read_as_anything():
    poll = FastPoll.decode(resigned(resigned(POLL, 6, 0xFE01, 0xF), 17, 0x0180, 0xF), UNIT, 1)

    assert poll.flags & ~sum(UnitFlag) == 0
    assert poll.seats[0].feedback & ~sum(Feedback) == 0


# Hostile words.


@given(some.lists(WORD, max_size=130).map(tuple), some.integers(0, 255), some.integers(1, 9))
def test_hostile_words_are_a_flaw_and_never_raise(words, unit, seat):
    for block in (
        FastPoll.decode(words, unit, seat), SeatDetail.decode(words, unit, seat), Identity.decode(words, unit),
        Ring.decode(words, unit), Config.decode(words), Desired.decode(words), Command.decode(words),
        Display.decode(words),
    ):  # fmt: skip
        assert isinstance(block, Flaw)


@given(some.lists(WORD, min_size=124, max_size=124), some.integers(1, 9))
def test_hostile_words_with_a_good_head_and_check_never_raise(words, seats):
    words = words[: at.fast_poll_words(seats)]
    words[:2] = [at.TAG_FAST_POLL, UNIT << 8 | seats]
    assert isinstance(FastPoll.decode(checked(words, 0xF), UNIT, seats), FastPoll | Flaw)


@given(some.lists(WORD, min_size=100, max_size=100))
def test_hostile_blocks_with_a_good_head_and_check_never_raise(words):
    signed = checked([at.MAGIC, *words[1:32]], 0x1F)
    assert Identity.decode(signed, words[5] >> 8).unit == words[5] >> 8
    signed = checked([at.TAG_DETAIL, UNIT << 8 | 1, *words[2:32]], 0x1F)
    assert SeatDetail.decode(signed, UNIT, 1).balance == words[2] << 16 | words[3]
    ring = Ring.decode((at.TAG_RING, UNIT, *words[2:]), UNIT)
    assert len(ring.entries) <= at.RING_DEPTH
    config = Config.decode(checked([at.TAG_CONFIG, *words[1:32]], 0x1F))
    assert config.flaw() in {None, Flaw.VALUE}


# Serial numbers.


@given(LONG, some.integers(1, 2**31 - 1))
def test_a_later_number_is_newer_wherever_it_wraps_and_never_both(number, more):
    later = (number + more) % 2**32
    assert newer(later, number)
    assert not newer(number, later)
    assert not newer(number, number)


@given(WORD, some.integers(1, 2**15 - 1))
def test_a_later_heartbeat_is_newer_wherever_it_wraps_and_never_both(number, more):
    later = (number + more) % 2**16
    assert newer_beat(later, number)
    assert not newer_beat(number, later)
    assert not newer_beat(number, number)


def test_the_check_word_is_the_crc_of_the_others_as_sent():
    assert POLL[0xF] == check_word(POLL[:0xF] + POLL[0x10:])
    assert check_word([0x0102]) == crc16(b"\x01\x02")
