"""The master of a ccTalk line: turns, time-outs, echo, drain and back-off, against devices that follow a script."""

import random
from dataclasses import dataclass, field

import pytest

from drivers.cctalk.bus import MOST_HEARD, CctalkBus
from drivers.cctalk.frames import HOST, Checksum, Frame, Header, encode
from drivers.cctalk.turn import LineAsk, WireTiming
from drivers.line.echo import Echo
from drivers.line.failures import Failure
from drivers.model import Down
from drivers.session import MILLISECOND, SECOND
from firmware_sim.line.babbler import Babbler
from firmware_sim.line.mishap import LineSettings
from support.drivers.cctalk_line import CctalkMake, UnitDown, UnitUp, floor, settings

POLL = LineAsk(Header.SIMPLE_POLL)
QUESTION = encode(Frame(2, HOST, Header.SIMPLE_POLL), Checksum.SUM)
ANSWER = encode(Frame(HOST, 2, Header.ANSWER), Checksum.SUM)
TIMING = WireTiming()


@dataclass
class Scripted:
    """A driver that wants a turn always, or at a time."""

    address: int = 2
    checksum: Checksum = Checksum.SUM
    when: int | None = 0
    hurry: bool = False
    end: int | None = None
    ask: LineAsk = POLL
    turns: list = field(default_factory=list)
    heard: list = field(default_factory=list)
    locked: bool = False

    def due(self):
        return self.when

    def poll_by(self):
        return self.end

    def poll(self, now):
        return self.next_ask(now)

    def urgent(self):
        return self.hurry

    def next_ask(self, now):
        self.turns.append(now)
        return self.ask

    def taken(self, ask, data, now):
        del now
        self.heard.append((ask, data))

    def failed(self, ask, failure, now):
        del now
        self.heard.append((ask, failure))

    def lock(self):
        self.locked = True

    def next_event(self):
        return None

    def line_up(self, now): ...

    def line_down(self, now): ...


def bus(*devices, timing=TIMING):
    made = CctalkBus(devices, timing)
    made.line_up(0)
    return made


def ask_now(made):
    """Lets the bus ask its next question, and says when."""
    now = made.deadline()
    made.tick(now)
    return now, made.to_send(now)


def hear(made, data, after=10 * MILLISECOND, *, asked=None):
    now = (asked or 0) + after
    made.receive(data, now)
    return now


def test_a_question_and_its_answer():
    device = Scripted()
    made = bus(device)
    asked, sent = ask_now(made)
    hear(made, QUESTION + ANSWER, asked=asked)

    assert sent == QUESTION and made.to_send(asked) == b""
    assert device.heard == [(POLL, b"")]
    assert made.deadline() == asked + 10 * MILLISECOND + TIMING.pause


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_echo_and_answer_may_come_in_any_pieces(size):
    device = Scripted()
    made = bus(device)
    for _ in range(3):
        now, _ = ask_now(made)
        stream = QUESTION + ANSWER
        for cut in range(0, len(stream), size):
            now += MILLISECOND
            made.receive(stream[cut : cut + size], now)

    assert device.heard == [(POLL, b"")] * 3


def test_no_echo_is_no_fault():
    device = Scripted()
    made = bus(device)
    for _ in range(3):
        asked, _ = ask_now(made)
        hear(made, ANSWER, asked=asked)

    assert device.heard == [(POLL, b"")] * 3


def test_an_echo_of_a_dead_device_is_not_its_answer():
    """4.6: the line that repeats us must not answer for those who are gone."""
    device = Scripted()
    made = bus(device)
    asked, _ = ask_now(made)
    hear(made, QUESTION, asked=asked)
    made.tick(made.deadline())

    assert device.heard == [(POLL, Failure.SILENT)]


def test_an_echo_that_comes_back_changed_is_a_collision():
    device = Scripted()
    made = bus(device)
    asked, _ = ask_now(made)
    hear(made, QUESTION + ANSWER, asked=asked)
    asked, _ = ask_now(made)
    hear(made, QUESTION[:2] + b"\x99" + QUESTION[3:] + ANSWER, asked=asked)

    assert device.heard[1:] == [(POLL, Failure.COLLISION)]
    assert made.counters(2).failed[Failure.COLLISION] == 1


def test_an_echo_that_is_missed_twice_was_perhaps_none():
    device = Scripted()
    made = bus(device)
    asked, _ = ask_now(made)
    hear(made, QUESTION + ANSWER, asked=asked)
    for _ in range(3):
        asked, _ = ask_now(made)
        hear(made, ANSWER, asked=asked)

    assert [outcome for _, outcome in device.heard] == [b"", Failure.COLLISION, Failure.COLLISION, b""]


def test_what_was_held_back_as_an_echo_is_given_out_when_it_was_none():
    echo = Echo()
    echo.sent(b"\x02\x00\x01\xfe\xff")

    assert echo.strip(b"\x02\x00") == b""
    assert echo.strip(b"\x09") == b"\x02\x00\x09"
    assert echo.strip(b"\x01\xfe") == b"\x01\xfe", "what comes behind is no echo any more"


def test_one_noise_byte_in_front_of_an_answer_does_not_lose_it():
    device = Scripted()
    made = bus(device)
    asked, _ = ask_now(made)
    hear(made, QUESTION + b"\x00" + ANSWER, asked=asked)

    assert device.heard == [(POLL, b"")]


def test_noise_is_not_an_answer():
    device = Scripted()
    made = bus(device)
    asked, _ = ask_now(made)
    hear(made, QUESTION + b"\x55\xaa" + ANSWER[:-1] + b"\x00", asked=asked)
    made.tick(made.deadline())

    assert device.heard == [(POLL, Failure.GARBLED)]
    assert made.counters(2).failed[Failure.GARBLED] == 1


def test_a_late_answer_is_not_taken_for_the_next_one():
    """4.1: what comes after the time-out falls into the drain, however often it comes."""
    device = Scripted()
    made = bus(device)
    ask_now(made)
    overdue = made.deadline()
    made.tick(overdue)
    late = made.deadline() - MILLISECOND
    made.receive(ANSWER, late)

    assert device.heard == [(POLL, Failure.SILENT)]
    assert made.deadline() == late + TIMING.quiet, "the line must be quiet again"
    made.tick(made.deadline())
    assert made.to_send(0) == QUESTION and device.heard == [(POLL, Failure.SILENT)]


def test_a_pause_inside_an_answer_makes_it_none():
    device = Scripted(ask=LineAsk(Header.CATEGORY, sizes=range(1, 33)))
    made = bus(device, timing=WireTiming(answer=200 * MILLISECOND))
    long = encode(Frame(HOST, 2, Header.ANSWER, b"Coin Acceptor"), Checksum.SUM)
    asked, _ = ask_now(made)
    hear(made, long[:6], asked=asked)
    hear(made, long[6:], after=10 * MILLISECOND + 50 * MILLISECOND + 1, asked=asked)
    made.tick(made.deadline())

    assert device.heard == [(device.ask, Failure.GARBLED)]


def test_bytes_that_nobody_asked_for_are_waited_out():
    device = Scripted(when=None)
    made = bus(device)
    made.tick(100 * MILLISECOND)
    made.receive(b"\x42", 200 * MILLISECOND)
    device.when = 0

    assert made.deadline() == 200 * MILLISECOND + TIMING.quiet
    made.tick(made.deadline())
    assert made.to_send(0) == QUESTION


def test_nobody_who_talks_without_end_holds_the_line_for_ever():
    device = Scripted()
    made = bus(device)
    now, _ = ask_now(made)
    first = now
    while len(device.turns) < 5 and now < 10 * SECOND:
        now += MILLISECOND
        made.receive(b"\xff", now)
        if made.deadline() <= now:
            made.tick(now)

    gaps = [later - sooner for sooner, later in zip(device.turns, device.turns[1:], strict=False)]
    assert len(gaps) == 4
    assert max(gaps[:2]) <= TIMING.longest_turn, "as long as there is no back-off"
    assert device.turns[0] == first and len(made._heard) <= MOST_HEARD


def test_a_flood_does_not_grow_what_was_heard():
    device = Scripted()
    made = bus(device)
    asked, _ = ask_now(made)
    for _ in range(50):
        hear(made, b"\xff" * 10_000, asked=asked)
        assert len(made._heard) <= MOST_HEARD
    hear(made, ANSWER, asked=asked)

    assert device.heard == [(POLL, b"")]


def test_nothing_is_sent_while_the_line_is_down():
    device = Scripted()
    made = CctalkBus([device])
    assert made.deadline() is None
    made.tick(SECOND)
    made.receive(ANSWER, SECOND)
    made.line_up(SECOND)
    made.receive(b"", SECOND)
    ask_now(made)
    made.tick(made.deadline())
    made.line_down(3 * SECOND)

    assert made.deadline() is None and made.to_send(0) == b"" and made.next_event() is None
    made.line_up(4 * SECOND)
    assert ask_now(made)[1] == QUESTION


def test_who_never_answers_is_asked_less_and_less_often():
    device = Scripted()
    made = bus(device)
    while len(device.turns) < 12:
        made.tick(made.deadline())
    gaps = [later - sooner for sooner, later in zip(device.turns, device.turns[1:], strict=False)]

    assert gaps == sorted(gaps) and gaps[0] < 200 * MILLISECOND
    assert 2 * SECOND <= gaps[-1] < 2 * SECOND + TIMING.longest_turn


def play_turns(made, answers, count):
    """Devices with their numbers in `answers` answer at once; the numbers of those who were asked."""
    asked = []
    while len(asked) < count:
        now = made.deadline()
        made.tick(now)
        sent = made.to_send(now)
        if sent:
            asked.append(sent[0])
            if sent[0] in answers:
                made.receive(sent + encode(Frame(HOST, sent[0], Header.ANSWER), Checksum.SUM), now + 9 * MILLISECOND)
    return asked


def test_turns_go_round():
    made = bus(Scripted(2), Scripted(3), Scripted(4))

    assert play_turns(made, {2, 3, 4}, 7) == [2, 3, 4, 2, 3, 4, 2]


def test_the_urgent_go_first_and_never_twice_before_the_others():
    made = bus(Scripted(2), Scripted(3), Scripted(4, hurry=True))

    asked = play_turns(made, {2, 3, 4}, 12)
    assert asked[0] == 4
    for begin in range(len(asked) - 5):
        assert set(asked[begin : begin + 6]) == {2, 3, 4}, asked


def test_several_urgent_ones_share_the_line():
    made = bus(Scripted(2), Scripted(3, hurry=True), Scripted(4, hurry=True))

    assert set(play_turns(made, {2, 3, 4}, 2)) == {3, 4}
    asked = play_turns(made, {2, 3, 4}, 30)
    assert min(asked.count(number) for number in (2, 3, 4)) >= 5


def test_the_stated_bound_holds_beside_dead_and_urgent_neighbours():
    """A live device that always wants its turn never waits longer than `worst_wait`."""
    chance = random.Random(3)
    live = Scripted(2)
    others = [Scripted(3), Scripted(4), Scripted(5)]
    made = bus(live, *others)
    now = 0
    while now < 60 * SECOND:
        for other in others:
            other.hurry = chance.random() < 0.5
        now = made.deadline()
        made.tick(now)
        sent = made.to_send(now)
        if sent and sent[0] == 2:
            made.receive(QUESTION + ANSWER, now + 15 * MILLISECOND)
    gaps = [later - sooner for sooner, later in zip(live.turns, live.turns[1:], strict=False)]

    assert max(gaps) <= made.worst_wait
    assert len(live.turns) > 500


def test_one_dead_one_babbling_line_and_the_living_are_polled():
    """Three acceptors, one of them without power: the others keep their polls within their devices' watchdog."""
    sheets = [settings(unit=20 + number, seat=number, address=number) for number in (2, 3, 4)]
    desk = floor([CctalkMake(address=number, serial=number) for number in (2, 3, 4)], sheets)
    desk.sims[1].power_off(0)
    desk.until(lambda: len(desk.of(UnitUp)) == 2, 10_000)
    for driver in desk.drivers:
        driver.unlock(1)
    desk.run(5000)
    for sim in (desk.sims[0], desk.sims[2]):
        taken = []
        desk.act(lambda now, sim=sim, taken=taken: taken.append(sim.insert(1, now)))
        assert taken == [True], "its watchdog is fed"
        desk.run(1000)

    assert {event.unit for event in desk.of(UnitUp)} == {22, 24}
    assert [(event.unit, event.reason) for event in desk.of(UnitDown)] == [(23, Down.SILENT)]
    assert desk.bus.counters(3).answered == 0 and desk.bus.counters(2).answered > 20


def test_a_babbler_on_the_line_hurts_only_what_it_hits():
    desk = floor(line=LineSettings(baud=9600, bits=10, echo=True))
    desk.until_up()
    desk.line.attach(Babbler(random.Random(1), 700 * MILLISECOND, 12, desk.world.now))
    desk.run(20_000)

    assert desk.bus.counters(2).answered > 60
    assert desk.downs == []


def test_who_has_not_begun_to_answer_is_silent_and_who_has_is_waited_for():
    device = Scripted(ask=LineAsk(Header.CATEGORY, sizes=range(1, 33)))
    made = bus(device)
    long = encode(Frame(HOST, 2, Header.ANSWER, b"Coin Acceptor"), Checksum.SUM)
    asked, sent = ask_now(made)
    first = made.deadline()
    assert first - asked == TIMING.silence(device.ask) < TIMING.wait(device.ask)
    made.receive(sent + long[:1], first - MILLISECOND)
    assert made.deadline() - asked == TIMING.wait(device.ask)
    made.receive(long[1:], first + 20 * MILLISECOND)
    assert device.heard == [(device.ask, b"Coin Acceptor")]

    ask_now(made)
    silent = made.deadline()
    made.tick(silent)
    assert device.heard[1:] == [(device.ask, Failure.SILENT)]
    assert made.deadline() == silent + TIMING.late, "it was quiet all the time"


def test_a_poll_that_would_come_too_late_goes_before_all_others_but_not_for_ever():
    now = [Scripted(2), Scripted(3), Scripted(4, end=-SECOND), Scripted(5, hurry=True)]
    asked = play_turns(bus(*now), {2, 3, 4, 5}, 60)

    assert asked[:6] == [4, 4, 5, 4, 4, 2], "two of them for one of the others, of four"
    assert min(asked.count(number) for number in (2, 3, 5)) >= 5


def test_of_two_polls_the_one_that_must_come_sooner_goes_first():
    asked = play_turns(bus(Scripted(2), Scripted(3, end=300_000), Scripted(4, end=150_000)), {2, 3, 4}, 1)

    assert asked == [4]


def test_lock_all_locks_all():
    one, other = Scripted(2), Scripted(3)
    bus(one, other).lock_all()

    assert one.locked and other.locked


def test_a_line_has_places_for_devices_only():
    for addresses in ([], [2, 2], [HOST], [0]):
        with pytest.raises(AssertionError):
            CctalkBus([Scripted(address) for address in addresses])
    with pytest.raises(AssertionError):
        WireTiming(quiet=10 * MILLISECOND)
    with pytest.raises(AssertionError):
        LineAsk(Header.COIN_ID, bytes(9))


def test_a_turn_is_as_long_as_its_bytes_and_its_patience():
    timing = WireTiming(baud=9600, bits=10, answer=50 * MILLISECOND, latency=0)

    assert timing.wire(96) == 100 * MILLISECOND
    assert timing.wait(POLL) == 2 * timing.wire(5) + 50 * MILLISECOND
    assert timing.wait(LineAsk(Header.READ_CREDIT, sizes=range(11, 12))) == timing.wire(5) + timing.wire(16) + 50_000
