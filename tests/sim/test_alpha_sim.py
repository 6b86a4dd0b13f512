"""The simulated Alpha sign is as fussy as a real one; spoken to directly, without the driver."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.session import MILLISECOND, SECOND
from drivers.signs import alpha
from drivers.signs.alpha import Code, File, SignCommand, Special
from drivers.signs.alpha_answers import Answers, ErrorRegister, Errors, Receipt, Stored
from firmware_sim.foreign.alpha import MOST_ANSWERS, MOST_PACKET, AlphaFirmware, AlphaMake

MAP = alpha.memory_map([File("A", 40), File("P", 8, is_string=True)])


class Talk:
    def __init__(self, **make):
        self.sign = AlphaFirmware(AlphaMake(**make))
        self.answers = Answers()
        self.now = 0

    def send(self, *commands, kind="Z", address="00", pause=100 * MILLISECOND):
        for piece in alpha.pieces(commands, kind, address):
            self.now += pause
            self.sign.receive(piece, self.now)
        self.now += SECOND // 2
        due = self.sign.deadline()
        if due is not None:
            self.sign.tick(self.now)
        return self.answers.receive(self.sign.to_send(self.now))

    def raw(self, *chunks, pause=0):
        for chunk in chunks:
            self.now += pause
            self.sign.receive(chunk, self.now)

    @property
    def shown(self):
        return self.sign.displayed(self.now)

    @property
    def register(self):
        (errors,) = self.send(alpha.SignCommand(alpha.Code.READ_SPECIAL, b"*"))
        assert isinstance(errors, Errors)
        return errors.register & ~ErrorRegister.ALWAYS


def mapped(**make):
    talk = Talk(**make)
    talk.send(MAP)
    talk.send(alpha.write_text("A", b"POZO \x10P!"))
    talk.send(alpha.write_string("P", b"$5"))
    return talk


def test_a_text_calls_its_strings_and_the_priority_text_silences_it():
    talk = mapped()
    assert talk.shown == "POZO $5!"

    talk.send(alpha.write_priority(b"GANO"))
    assert talk.shown == "GANO"
    talk.send(alpha.write_priority(b""))
    assert talk.shown == "POZO $5!"


def test_a_sign_fresh_from_the_factory_has_one_text():
    talk = Talk()
    talk.send(alpha.write_text("A", b"HOLA"))
    talk.send(alpha.write_string("P", b"5"))

    assert talk.shown == "HOLA"
    assert talk.register == ErrorRegister.ILLEGAL


def test_what_is_too_long_for_its_file_is_cut():
    talk = mapped()
    talk.send(alpha.write_string("P", b"$12.345.678"))

    assert talk.shown == "POZO $12.345.!"


def test_a_text_may_call_what_is_not_there_and_the_sequence_name_what_is_none():
    talk = mapped()
    talk.send(alpha.write_text("A", b"a\x10Qb\x10Ac"))
    talk.send(alpha.run_sequence("AXP"))

    assert talk.shown == "abc"


def test_power_and_battery():
    for battery, after in ((True, "POZO $5!"), (False, "")):
        talk = mapped(battery=battery)
        talk.sign.power_off(talk.now)
        assert talk.shown == ""
        talk.send(alpha.write_string("P", b"$6"))
        talk.sign.power_on(talk.now)
        assert talk.shown == ""  # it wakes up
        talk.send(alpha.write_string("P", b"$7"))
        talk.now += 3 * SECOND
        assert talk.shown == after
    talk = mapped()
    talk.sign.lose_memory()
    assert talk.shown == ""


def test_a_soft_reset_loses_nothing_but_time():
    talk = mapped()
    talk.send(alpha.soft_reset())
    assert talk.shown == ""
    talk.now += 2 * SECOND

    assert talk.shown == "POZO $5!"


def test_a_second_between_two_bytes_drops_the_packet():
    talk = mapped()
    frame = b"".join(alpha.pieces([alpha.write_string("P", b"$6")]))
    talk.raw(frame[:12], frame[12:], pause=1_100 * MILLISECOND)
    assert talk.shown == "POZO $5!"
    assert talk.register == ErrorRegister.TIME_OUT

    talk.raw(*(frame[place : place + 1] for place in range(len(frame))), pause=900 * MILLISECOND)
    assert talk.shown == "POZO $6!"


def test_a_wrong_checksum_changes_nothing():
    talk = mapped()
    talk.raw(b"".join(alpha.pieces([alpha.write_string("P", b"$6")])).replace(b"$6", b"$7"))

    assert talk.shown == "POZO $5!"
    assert talk.register == ErrorRegister.CHECKSUM


def test_a_nested_command_in_a_hurry_is_lost():
    commands = [alpha.write_text("A", b"\x10P"), alpha.write_string("P", b"6")]
    patient, hasty = mapped(), mapped()
    patient.send(*commands)
    hasty.send(*commands, pause=50 * MILLISECOND)

    assert patient.shown == "6"
    assert hasty.shown == "$5"
    assert hasty.register == ErrorRegister.OVERFLOW


@pytest.mark.parametrize(
    ("kind", "address", "taken"),
    [
        ("Z", "00", True),
        ("^", "00", True),
        ("!", "0A", True),
        ("Z", "?A", True),
        ("f", "00", False),
        ("Z", "0B", False),
    ],
)
def test_it_listens_to_its_own_kind_and_address(kind, address, taken):
    talk = mapped(address="0A")
    talk.send(alpha.write_string("P", b"6"), kind=kind, address=address)

    assert (talk.shown == "POZO 6!") is taken


def test_files_are_read_back_and_what_is_not_there_is_silence():
    talk = mapped()

    assert talk.send(alpha.read_string("P")) == [Stored(Code.WRITE_STRING, "P", b"$5")]
    assert talk.send(alpha.read_text("A")) == [Stored(Code.WRITE_TEXT, "A", b"\x1b bPOZO \x10P!")]
    assert talk.send(alpha.read_text("0")) == [Stored(Code.WRITE_TEXT, "0", b"")]
    assert talk.send(alpha.read_string("Q")) == []
    assert talk.register == ErrorRegister.ILLEGAL
    assert mapped(reads=False).send(alpha.read_string("P")) == []


def test_acknowledgement_must_be_had_and_switched_on():
    old, new = mapped(), mapped(acknowledges=True)
    assert old.send(alpha.acknowledge_writes(on=True)) == []
    assert old.register == ErrorRegister.ILLEGAL
    assert new.send(alpha.write_string("P", b"6")) == []

    good, none = Errors(ErrorRegister.ALWAYS), Errors(ErrorRegister.ALWAYS | ErrorRegister.ILLEGAL)
    assert new.send(alpha.acknowledge_writes(on=True)) == [Receipt(taken=True), good]
    assert new.send(alpha.write_string("Q", b"6")) == [Receipt(taken=False), none]
    assert new.send(alpha.write_string("P", b"6")) == [Receipt(taken=True), good]
    assert new.send(alpha.acknowledge_writes(on=False)) == []


@pytest.mark.parametrize("entries", ["A", "ACL0028FF00", "AAL00X8FF00", "AALFFFFFF00"])
def test_a_map_that_is_none_leaves_everything_as_it_was(entries):
    talk = mapped()
    talk.send(SignCommand(Code.WRITE_SPECIAL, (Special.MEMORY + entries).encode()))

    assert talk.shown == "POZO $5!"
    assert talk.register == ErrorRegister.ILLEGAL


def test_an_empty_map_clears_everything():
    talk = mapped()
    talk.send(alpha.memory_map([]))

    assert talk.shown == ""
    assert talk.send(alpha.read_string("P")) == []


@pytest.mark.parametrize(
    "frame",
    [
        b"\x01\x04",
        b"\x01Z00\x04",
        b"\x01Z\x02AAx\x04",
        b"\x01Z00\x02\x04",
        b"\x01Z00\x02E.\x04",
        b"\x01Z00\x02\x03\x04",
    ],
)
def test_packets_without_a_command_do_nothing(frame):
    talk = mapped()
    talk.raw(frame)

    assert talk.shown == "POZO $5!"


def test_nobody_who_reads_nothing_can_make_it_grow():
    talk = mapped()
    talk.raw(b"\x01Z00\x02AA" + b"x" * (MOST_PACKET + 10) + b"\x04")
    assert talk.shown == "POZO $5!"
    for _ in range(100):
        talk.raw(b"".join(alpha.pieces([alpha.read_string("P")])))

    assert len(talk.sign._answers) == MOST_ANSWERS


@given(st.lists(st.tuples(st.integers(0, 2 * SECOND), st.binary(max_size=60)), max_size=20))
def test_hostile_bytes_never_raise(talk):
    sign = AlphaFirmware(AlphaMake(acknowledges=True))
    now = 0
    for pause, data in talk:
        now += pause
        sign.receive(alpha.HEAD + alpha.SOH + b"Z00" + alpha.STX + data + alpha.EOT + data, now)
        sign.displayed(now)
        sign.to_send(now)
