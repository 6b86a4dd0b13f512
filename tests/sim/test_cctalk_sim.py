"""The simulated acceptor as a host sees it, question by question: what real ones do, also when they say nothing."""

import pytest

from drivers.cctalk.events import CoinEvent, Reading
from drivers.cctalk.frames import HOST, Checksum, Frame, Header, decode, encode
from drivers.session import MILLISECOND, SECOND
from firmware_sim.foreign.cctalk import CctalkAcceptor, CctalkMake, Secrets
from firmware_sim.foreign.cctalk_coins import CoinMake, CoinPath


class Desk:
    """Asks one acceptor directly, without a line."""

    def __init__(self, **make):
        self.sim = CctalkAcceptor(CctalkMake(**make))
        self.now = 0

    def say(self, data, wait=100 * MILLISECOND):
        """What it answers to these bytes within this time."""
        self.now += 100 * MILLISECOND
        self.sim.receive(data, self.now)
        end = self.now + wait
        heard = b""
        while (due := self.sim.deadline()) is not None and due <= end:
            self.now = max(self.now, due)
            self.sim.tick(self.now)
            assert self.sim.deadline() is None or self.sim.deadline() > self.now
            heard += self.sim.to_send(self.now)
        self.now = end
        return heard

    def ask(self, header, data=b"", address=None):
        make = self.sim.make
        heard = self.say(encode(Frame(address or make.address, HOST, header, data), make.checksum))
        frame = decode(heard, make.checksum)
        if frame is None:
            assert heard == b""
            return None
        assert (frame.destination, frame.header) == (HOST, Header.ANSWER)
        return frame.data

    def opened(self):
        self.ask(Header.SET_INHIBITS, b"\xff\xff")
        self.ask(Header.SET_MASTER, b"\x01")
        self.ask(Header.READ_CREDIT)
        return self

    def insert(self, channel=1):
        return self.sim.insert(channel, self.now)

    @property
    def reading(self):
        return Reading.decode(self.ask(Header.READ_CREDIT))


def test_it_answers_the_frames_of_the_book():
    desk = Desk()

    assert desk.say(bytes((2, 0, 1, 254, 255))) == bytes((1, 0, 2, 0, 253))
    assert desk.say(bytes((2, 2, 1, 231, 255, 255, 22))) == bytes((1, 0, 2, 0, 253))
    assert desk.say(bytes((2, 0, 1, 242, 11))) == bytes((1, 3, 2, 0, 78, 97, 188, 143))
    assert desk.say(bytes((2, 0, 1, 245, 8))) == bytes((1, 13, 2, 0, *b"Coin Acceptor", 22))
    assert Desk(address=40, checksum=Checksum.CRC).say(bytes((40, 0, 182, 254, 33))) == bytes((1, 0, 48, 0, 55))


@pytest.mark.parametrize(
    "frame",
    [
        bytes((2, 0, 1, 254, 254)),  # a bad check
        bytes((3, 0, 1, 254, 254)),  # another device
        encode(Frame(2, 1, 77), Checksum.SUM),  # a header nobody knows
        encode(Frame(2, 1, Header.SIMPLE_POLL, b"\x01"), Checksum.SUM),  # data where there is none
        encode(Frame(2, 1, Header.SET_MASTER), Checksum.SUM),
        encode(Frame(2, 1, Header.SET_INHIBITS, b"\x01"), Checksum.SUM),
        encode(Frame(2, 1, Header.COIN_ID), Checksum.SUM),
        encode(Frame(2, 1, Header.TEST_LAMPS, b"\x02\x02"), Checksum.SUM),  # it has one lamp
        encode(Frame(2, 1, Header.TEST_LAMPS, b"\x02"), Checksum.SUM),
        encode(Frame(2, 1, Header.ENTER_PIN, b"\x02"), Checksum.SUM),
        encode(Frame(2, 1, Header.ENCRYPTION_SUPPORT, b"\xaa\x55\x00\x00\x55\xaa"), Checksum.SUM),
    ],
)
def test_what_is_not_for_it_or_makes_no_sense_gets_no_answer(frame):
    desk = Desk()

    assert desk.say(frame) == b"" and desk.ask(Header.SIMPLE_POLL) == b""


def test_a_pause_inside_a_question_makes_it_none():
    desk = Desk()
    desk.say(bytes((2, 0)))

    assert desk.say(bytes((1, 254, 255))) == b""


def test_who_it_is():
    desk = Desk()

    assert desk.ask(Header.MANUFACTURER) == b"PZO" and desk.ask(Header.PRODUCT) == b"FICHA1"
    assert desk.ask(Header.SOFTWARE) == b"FS-1.04" and desk.ask(Header.COMMS_REVISION) == bytes((1, 4, 6))
    assert desk.ask(Header.COIN_ID, b"\x02") == b"CL005A" and desk.ask(Header.COIN_ID, b"\x09") == b"......"
    assert desk.ask(Header.POLLING_PRIORITY) == bytes((2, 20)) and desk.ask(Header.SELF_CHECK) == b"\x00"


def test_after_a_reset_all_channels_are_inhibited_and_the_master_is_not():
    desk = Desk()

    assert desk.ask(Header.READ_INHIBITS) == b"\x00\x00" and desk.ask(Header.READ_MASTER) == b"\x01"
    assert desk.reading == Reading(0, (CoinEvent(0, 0),) * 5)


def test_a_coin_that_is_taken_is_told_when_it_has_fallen():
    desk = Desk().opened()
    assert desk.insert(3)
    assert desk.sim.coins.box == [], "it is falling"
    desk.now += 100 * MILLISECOND
    assert desk.reading.counter == 1
    assert desk.reading.slots[0] == CoinEvent(3, 0) and desk.sim.coins.box == [3]
    assert desk.ask(Header.ACCEPTED_TOTAL) == b"\x01\x00\x00" == desk.ask(Header.INSERTED_TOTAL)


def test_coins_that_are_not_taken_say_why():
    desk = Desk().opened()
    desk.ask(Header.SET_INHIBITS, b"\x04\x00")
    assert not desk.insert(0) and not desk.insert(1) and not desk.insert(2)
    assert desk.reading.slots[:3] == (CoinEvent(0, 129), CoinEvent(0, 128), CoinEvent(0, 1))
    desk.ask(Header.SET_MASTER, b"\x00")
    assert not desk.insert(3)
    assert desk.reading.slots[0] == CoinEvent(0, 130)
    assert desk.sim.coins.returned == 4 and desk.ask(Header.ACCEPTED_TOTAL) == bytes(3)


def test_nobody_polls_and_nothing_is_taken_nor_told():
    """SR5 and X6: after a second without header 229 coins are insertions and no events."""
    desk = Desk().opened()
    desk.now += SECOND + 1
    assert not desk.insert()
    assert desk.reading.counter == 0 and desk.ask(Header.INSERTED_TOTAL) == b"\x01\x00\x00"
    assert desk.insert(), "polled again, it goes on"
    assert not Desk().insert(), "never polled, it has not begun"


def test_a_jam_is_told_once_and_takes_nothing():
    desk = Desk().opened()
    desk.sim.jam()
    assert not desk.insert()
    assert desk.reading == Reading(1, (CoinEvent(0, 14), *[CoinEvent(0, 0)] * 4))
    desk.sim.unjam()
    assert desk.insert()


@pytest.mark.parametrize(("persistent", "total"), [(True, b"\x01\x00\x00"), (False, bytes(3))])
def test_a_reset_forgets_all_but_what_has_a_memory(persistent, total):
    desk = Desk(coins=CoinMake(persistent_totals=persistent)).opened()
    desk.insert()
    desk.ask(Header.TEST_LAMPS, b"\x01\x02")
    assert desk.sim.lamp() == 2
    assert desk.ask(Header.RESET) == b""

    assert desk.ask(Header.ACCEPTED_TOTAL) == total == desk.ask(Header.INSERTED_TOTAL)
    assert desk.reading.counter == 0 and desk.ask(Header.READ_INHIBITS) == bytes(2) and desk.sim.lamp() == 0


def test_a_coin_that_falls_while_the_power_goes_is_in_the_box_and_nobody_knows():
    desk = Desk().opened()
    desk.insert()
    desk.sim.power_off(desk.now)
    assert desk.sim.coins.box == [1] and desk.sim.coins.untold == 1 and desk.sim.lamp() == 0
    assert desk.ask(Header.SIMPLE_POLL) is None and not desk.insert()
    assert desk.sim.deadline() is None
    desk.sim.power_on()

    assert desk.reading.counter == 0 and desk.ask(Header.ACCEPTED_TOTAL) == bytes(3)


def test_with_a_pin_the_protected_questions_stay_silent_until_it_is_right():
    desk = Desk(secrets=Secrets.PIN)
    assert desk.ask(Header.SIMPLE_POLL) == b"" and desk.ask(Header.CATEGORY) == b"Coin Acceptor"
    assert desk.ask(Header.READ_CREDIT) is None and desk.ask(Header.SET_INHIBITS, b"\xff\xff") is None
    assert desk.ask(Header.ENTER_PIN, b"\x09\x09\x09\x09") == b"", "a wrong PIN is acknowledged all the same"
    assert desk.ask(Header.READ_CREDIT) is None
    assert desk.ask(Header.ENTER_PIN, b"\x01\x02\x03\x04") == b"" == desk.ask(Header.ENTER_PIN, bytes(4))

    assert desk.ask(Header.READ_CREDIT) is not None


def test_encryption_is_declared_to_who_asks_properly():
    desk = Desk(secrets=Secrets.ENCRYPTION)

    assert desk.ask(Header.ENCRYPTION_SUPPORT, b"\xaa\x55\x00\x00\x55\xaa")[1] != 0
    assert desk.ask(Header.ENCRYPTION_SUPPORT, bytes(6)) is None


def test_a_maker_may_close_the_master_after_a_reset():
    assert not CoinPath(CoinMake(master_open_after_reset=False)).master_open


def test_no_device_of_this_kind():
    for wrong in (
        {"address": 1},
        {"serial": 1 << 24},
        {"pin": b"1"},
        {"coin_ids": {17: "CL001A"}},
        {"coin_ids": {1: "X"}},
    ):
        with pytest.raises(AssertionError):
            CctalkMake(**wrong)
    with pytest.raises(AssertionError):
        Desk().insert(17)
