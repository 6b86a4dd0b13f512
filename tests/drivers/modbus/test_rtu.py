"""RTU frames: the one good answer is found among any bytes, nothing else is taken for it, and nothing grows or hangs."""

import itertools
import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.line.failures import Failure
from drivers.modbus import pdu
from drivers.modbus.pdu import Bits, Denied, ReadBits, ReadWords, Words, WriteReadWords, WriteWords, Written
from drivers.modbus.rtu import RtuFraming, frame
from drivers.modbus.timing import LineTiming

READ = ReadWords(0x2000, 2)
GOOD = frame(11, bytes.fromhex("03 04 0001 0002"))
WRITE = WriteWords(0x0400, (7, 8))
WROTE = frame(11, bytes.fromhex("10 0400 0002"))


def asked(request=READ, unit=11):
    framing = RtuFraming()
    framing.line_up()
    framing.question(unit, request)
    return framing


def heard(framing, *cuts):
    """What a question came to after these bytes: an answer, or the failure of its time-out."""
    for cut in cuts:
        found = framing.receive(cut)
        if found is not None:
            return found
    return framing.verdict()


def test_the_contracts_golden_frames_are_what_is_sent():
    framing = RtuFraming()

    assert framing.question(11, ReadWords(0x2000, 28)) == bytes.fromhex("0b 03 20 00 00 1c 4f 69")
    assert framing.answer_bytes == 61
    desired = (0x1234, 0x0101, 0x554E, 0x004D, 0, 0x2A, 0, 0x66DD)
    sent = bytes.fromhex("0b 10 04 00 00 08 10 12 34 01 01 55 4e 00 4d 00 00 00 2a 00 00 66 dd 2e e5")
    assert framing.question(11, WriteWords(0x0400, desired)) == sent
    assert framing.receive(bytes.fromhex("0b 10 04 00 00 08 c0 55")) == Written()


def test_an_answer_is_whole_with_its_last_byte():
    framing = asked()

    assert framing.receive(GOOD[:-1]) is None
    assert framing.receive(GOOD[-1:]) == Words((1, 2))
    assert framing.receive(GOOD) is None, "once"


@pytest.mark.parametrize(
    ("request_", "said", "answer"),
    [
        (READ, GOOD, Words((1, 2))),
        (ReadWords(0, 1, pdu.INPUTS), frame(11, bytes.fromhex("04 02 0007")), Words((7,))),
        (ReadBits(0, 3), frame(11, bytes.fromhex("01 01 05")), Bits((True, False, True))),
        (ReadBits(0, 17), frame(11, bytes.fromhex("01 03 000000")), Bits((False,) * 17)),
        (WRITE, WROTE, Written()),
        (WriteReadWords(0, (1,), 0, 1), frame(11, bytes.fromhex("17 02 0009")), Words((9,))),
        (READ, frame(11, bytes.fromhex("83 02")), Denied(2)),
        (WRITE, frame(11, bytes.fromhex("90 03")), Denied(3)),
    ],
)
def test_every_kind_of_answer_is_found_behind_noise_and_before_noise(request_, said, answer):
    for noise in (b"", b"\x00", b"\xff", b"\x0b", b"\x0b\x03", b"\x0b\x83", said[:3], said[:-1], b"\xff" * 600):
        assert heard(asked(request_), noise + said) == answer
        assert heard(asked(request_), noise, said + b"\x0b\x03\x04") == answer
        assert heard(asked(request_), *[bytes([byte]) for byte in noise + said]) == answer


@given(st.data(), st.binary(max_size=700), st.integers(1, 100))
def test_any_cut_of_the_same_bytes_means_the_same(draw, noise, words):
    request = ReadWords(0, words)
    line = noise + frame(11, pdu.encode_answer(request, Words(tuple(range(words)))))
    cuts = [0, *sorted(draw.draw(st.lists(st.integers(0, len(line)), max_size=8))), len(line)]
    pieces = [line[a:b] for a, b in itertools.pairwise(cuts)]

    assert heard(asked(request), *pieces) == Words(tuple(range(words)))


@given(st.lists(st.binary(max_size=300), max_size=6))
def test_noise_is_never_an_answer(noise):
    framing = asked()

    assert heard(framing, *noise) in set(Failure)
    assert len(framing._buffer) <= 520


@given(st.integers(0, len(GOOD) - 1), st.integers(1, 255))
def test_one_wrong_byte_is_no_answer(place, change):
    wrong = bytearray(GOOD)
    wrong[place] ^= change

    assert heard(asked(), bytes(wrong)) in {Failure.GARBLED, Failure.FOREIGN}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (frame(12, bytes.fromhex("03 04 0001 0002")), Failure.FOREIGN),
        (frame(11, bytes.fromhex("04 04 0001 0002")), Failure.FOREIGN),
        (frame(11, bytes.fromhex("03 02 0001")), Failure.FOREIGN),
        (frame(11, bytes.fromhex("03 06 0001 0002 0003")), Failure.FOREIGN),
        (frame(11, bytes.fromhex("84 02")), Failure.FOREIGN),
        (frame(12, bytes.fromhex("83 02")), Failure.FOREIGN),
        (b"\x00" + frame(12, bytes.fromhex("10 0400 0002")), Failure.FOREIGN),
        (GOOD[:-1], Failure.GARBLED),
        (GOOD[:-2] + b"\0\0", Failure.GARBLED),
        (b"\xff" * 40, Failure.GARBLED),
        (b"\x0b\x03" + b"\xff" * 40, Failure.GARBLED),
        (b"", Failure.SILENT),
    ],
)
def test_a_failure_has_its_name(said, why):
    assert heard(asked(), said) is why


def test_a_writes_answer_repeats_that_write():
    for other in ("10 0401 0002", "10 0400 0003", "0f 0400 0002"):
        assert heard(asked(WRITE), frame(11, bytes.fromhex(other))) is Failure.FOREIGN


def test_an_exception_inside_an_answer_is_data():
    request = ReadWords(0, 4)
    trap = frame(11, bytes.fromhex("83 02"))
    said = frame(11, b"\x03\x08" + trap + b"\0\0\0")

    assert heard(asked(request), said[:9], said[9:]) == Words(
        tuple(int.from_bytes(said[i : i + 2], "big") for i in (3, 5, 7, 9))
    )


def test_a_false_beginning_does_not_hide_the_true_one():
    false = b"\x0b\x03\x04"

    assert heard(asked(), false + false + GOOD[:-1], GOOD[-1:]) == Words((1, 2))


def test_an_answer_is_taken_once_and_nothing_is_kept_for_the_next_question():
    framing = asked()
    assert framing.receive(GOOD[:3]) is None
    assert framing.verdict() is Failure.GARBLED
    assert framing.receive(GOOD[3:]) is None, "late: nobody asks any more"

    framing.question(11, READ)
    assert framing.verdict() is Failure.SILENT, "what came before the question is not of the question"


def test_a_broadcast_awaits_nothing():
    framing = RtuFraming()
    golden = "00 10 04 00 00 08 10 00 00 00 00 4c 4f 00 00 00 00 00 00 00 00 d9 19 7f 75"

    assert framing.broadcast(WriteWords(0x400, (0, 0, 0x4C4F, 0, 0, 0, 0, 0xD919))) == bytes.fromhex(golden)
    assert framing.receive(GOOD) is None
    framing.question(11, READ)
    framing.broadcast(WRITE)
    assert framing.receive(GOOD) is None


@pytest.mark.parametrize(
    "flood", [b"\xff", b"\x00", b"\x0b", b"\x0b\x03\x04", b"\x0b\x83", bytes.fromhex("03fa"), b"\x0b\x03\xfa"]
)
def test_a_flood_costs_each_byte_a_bounded_time_and_no_memory(flood):
    def seconds(size):
        framing = asked(ReadWords(0, 125))
        line = flood * (size // len(flood))
        before = time.process_time()
        framing.receive(line)
        spent = time.process_time() - before
        assert len(framing._buffer) <= 520
        before = time.process_time()
        assert framing.verdict() is Failure.GARBLED
        assert time.process_time() - before < 0.1
        return spent

    seconds(1_000)
    once = min(seconds(5_000) for _ in range(3))
    assert min(seconds(20_000) for _ in range(3)) < 10 * once + 0.01, "four times the bytes, not sixteen times the time"


def test_a_good_answer_behind_a_flood_is_still_found():
    assert heard(asked(), b"\xff" * 5000 + GOOD) == Words((1, 2))


# Echo (4.6).


def test_an_echo_is_learned_from_the_first_answer_and_taken_away():
    framing = RtuFraming()
    sent = framing.question(11, READ)

    assert framing.echoes is None
    assert heard(framing, sent + GOOD) == Words((1, 2))
    assert framing.echoes is True

    sent = framing.question(11, WRITE)
    assert heard(framing, *[bytes([byte]) for byte in sent + WROTE]) == Written()


def test_a_dead_unit_on_an_echoing_line_is_silent():
    framing = RtuFraming()
    for request in (READ, WRITE, READ):
        assert heard(framing, framing.question(11, request)) is Failure.SILENT
    assert framing.echoes is None, "a unit that answers with its question looks the same"


def test_the_absence_of_an_echo_is_learned_from_a_clean_answer():
    framing = RtuFraming()
    framing.question(11, READ)
    heard(framing, b"\x00" + GOOD)
    assert framing.echoes is None, "a byte in front may be what is left of an echo"

    framing.question(11, READ)
    heard(framing, GOOD)
    assert framing.echoes is False

    sent = framing.question(11, READ)
    assert heard(framing, sent) is Failure.GARBLED, "these bytes are nobody's echo"


def test_nothing_is_learned_from_silence():
    framing = asked()

    assert framing.verdict() is Failure.SILENT
    assert framing.echoes is None


def test_a_changed_echo_is_a_collision():
    framing = RtuFraming()
    heard(framing, framing.question(11, READ) + GOOD)

    sent = framing.question(11, READ)
    assert framing.receive(sent[:4]) is None
    assert framing.receive(bytes([sent[4] ^ 1])) is Failure.COLLISION
    assert framing.receive(GOOD) is None, "the question is closed"


def test_half_an_echo_is_a_collision_once_echoes_are_known():
    framing = RtuFraming()
    sent = framing.question(11, READ)
    assert heard(framing, sent[:4]) is Failure.GARBLED
    heard(framing, framing.question(11, READ) + GOOD)

    assert heard(framing, framing.question(11, READ)[:4]) is Failure.COLLISION


def test_an_answer_that_begins_like_its_question_is_no_echo():
    request = ReadWords(0x0401, 2)
    said = frame(11, bytes.fromhex("03 04 0100 0200"))

    assert heard(asked(request), *[bytes([byte]) for byte in said]) == Words((0x100, 0x200))


def test_a_new_line_is_learned_anew():
    framing = RtuFraming()
    heard(framing, framing.question(11, READ) + GOOD)
    framing.line_up()

    assert framing.echoes is None


@given(st.sampled_from([READ, WRITE]), st.booleans(), st.binary(max_size=12), st.randoms(use_true_random=False))
def test_with_and_without_echo_every_cut_gives_the_answer(request, echo, noise, chance):
    framing = RtuFraming()
    first = framing.question(11, READ)
    assert heard(framing, (first if echo else b"") + GOOD) == Words((1, 2))

    sent = framing.question(11, request)
    line = (sent if echo else b"") + noise + (GOOD if request is READ else WROTE)
    cuts = [0, *sorted(chance.randrange(len(line)) for _ in range(4)), len(line)]
    answer = heard(framing, *[line[a:b] for a, b in itertools.pairwise(cuts)])
    assert answer == (Words((1, 2)) if request is READ else Written())


# Time (1.7).


def test_silence_is_three_and_a_half_characters_and_fixed_above_19200():
    assert LineTiming(9600).silence == 4011
    assert LineTiming(19200).silence == 2006
    assert LineTiming(38400).silence == LineTiming(115200).silence == 1750


def test_a_wait_is_the_question_the_thinking_the_answer_and_the_adapter():
    line = LineTiming(baud=38400, answer=20_000, latency=2_000)

    assert line.wire(8) == 2292
    assert line.wire(0) == 0
    assert line.drain(61) == 1750 + 20_000 + line.wire(61) + 2_000
    assert line.wait(8, 61) == line.wire(8) + line.drain(61)
    assert line.patience == line.wire(256) + line.silence


def test_a_network_has_no_wire_and_no_silence():
    network = LineTiming(baud=0, answer=50_000, latency=10_000)

    assert (network.wire(256), network.silence, network.patience) == (0, 0, 0)
    assert network.wait(12, 260) == 60_000


def test_a_line_without_speed_is_no_line():
    for wrong in ({"baud": -1}, {"bits": 0}, {"latency": -1}):
        with pytest.raises(AssertionError):
            LineTiming(**wrong)


def test_a_question_does_not_outlive_its_line():
    framing = asked()
    framing.line_up()

    assert framing.receive(GOOD) is None


def test_who_answers_at_the_end_of_a_flood_does_not_make_it_better():
    assert heard(asked(), b"\xff" * 600 + frame(12, bytes.fromhex("03 04 0001 0002"))) is Failure.GARBLED
    flooded = asked()
    assert heard(flooded, b"\xff" * 521, GOOD) == Words((1, 2))
    assert flooded.echoes is None, "who knows what was in front"


def test_a_flood_is_forgotten_with_its_question():
    framing = asked()
    assert heard(framing, b"\xff" * 600) is Failure.GARBLED
    framing.question(11, READ)

    assert heard(framing, frame(12, bytes.fromhex("03 04 0001 0002"))) is Failure.FOREIGN


def test_random_lines_of_many_answers_never_mix_two_units():
    chance = random.Random(4)
    for _ in range(300):
        units = chance.sample(range(1, 20), 3)
        line = b"".join(frame(unit, b"\x03\x04" + chance.randbytes(4)) for unit in units[1:])
        found = heard(asked(READ, units[0]), line)
        assert found is Failure.FOREIGN
