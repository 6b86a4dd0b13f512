"""CRC-16/MODBUS against its published check value, the contract's own frames and a bit-by-bit reading of the rule."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.modbus.crc import check_word, crc16


def bit_by_bit(data):
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0xA001 if crc & 1 else crc >> 1
    return crc


def test_the_check_value_everybody_publishes():
    assert crc16(b"123456789") == 0x4B37
    assert crc16(b"") == 0xFFFF


def test_the_golden_frames_of_the_contract_end_with_their_checksum():
    for line in (
        "0b 03 20 00 00 1c 4f 69",
        "0b 10 04 00 00 08 c0 55",
        "0b 10 04 00 00 08 10 12 34 01 01 55 4e 00 4d 00 00 00 2a 00 00 66 dd 2e e5",
        "00 10 04 00 00 08 10 00 00 00 00 4c 4f 00 00 00 00 00 00 00 00 d9 19 7f 75",
    ):
        frame = bytes.fromhex(line)
        assert crc16(frame[:-2]).to_bytes(2, "little") == frame[-2:]
        assert crc16(frame) == 0, "over a frame with its checksum nothing remains"


def test_the_check_word_is_over_the_words_as_sent():
    assert check_word([0x1234, 0x0101, 0x554E, 0x004D, 0, 0x2A, 0]) == 0x66DD


@given(st.binary(max_size=300))
def test_the_table_does_what_the_bits_do(data):
    assert crc16(data) == bit_by_bit(data)


@given(st.binary(min_size=1, max_size=64), st.data())
def test_no_single_wrong_byte_passes(data, draw):
    place = draw.draw(st.integers(0, len(data) - 1))
    other = draw.draw(st.integers(0, 255).filter(lambda byte: byte != data[place]))

    assert crc16(data) != crc16(data[:place] + bytes([other]) + data[place + 1 :])
