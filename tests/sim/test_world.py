"""Virtual time: it jumps, it keeps order, it does what was planned, and it never stands still."""

from random import Random

import pytest

from firmware_sim.line.line import Line
from firmware_sim.line.mishap import LineSettings
from support.drivers.line_talkers import Answers, Asks, Asleep, Ear
from support.sim.stream import MOST_UNDER_WAY, MOST_UNREAD, Stream
from support.sim.world import World


def a_line(*talkers):
    line = Line(LineSettings(baud=11_000), Random(0))
    for talker in talkers:
        line.attach(talker)
    return line


def test_a_session_is_told_that_its_line_is_up_and_what_it_tells_is_handed_over_with_its_time():
    told = []
    world = World(Asks(b"\x01q", beat=20_000), a_line(Answers(1, b"abc", 500)), lambda *event: told.append(event))

    world.run_until(50_000)

    assert told == [("up", 0), (("heard", b"abc"), 5_500), (("heard", b"abc"), 25_500), (("heard", b"abc"), 45_500)]
    assert world.now == 50_000


def test_a_bare_talker_can_be_a_host_too():
    host = Ear()
    world = World(host, a_line(Answers(1, b"abc", 500)))
    host.says = b"\x01"

    world.run_for(10_000)

    assert host.heard == [(4_500, b"abc")]


def test_nothing_to_do_is_done_at_once():
    world = World(Ear(), a_line())

    world.run_for(10**15)

    assert world.now == 10**15


def test_plans_are_done_at_their_time_in_the_order_they_were_made():
    done = []
    world = World(Ear(), a_line())
    world.at(2_000, lambda now: done.append(("second", now)))
    world.at(1_000, lambda now: done.append(("first", now)))
    world.after(2_000, lambda now: done.append(("third", now)))

    world.run_until(1_999)
    assert done == [("first", 1_000)]
    world.run_until(2_000)
    assert done == [("first", 1_000), ("second", 2_000), ("third", 2_000)]
    with pytest.raises(AssertionError):
        world.at(1_999, done.append)


def test_what_a_plan_does_to_a_talker_is_noticed():
    host, unit = Ear(), Ear()
    world = World(host, a_line(unit))
    world.at(1_000, lambda _: setattr(unit, "says", b"press"))
    world.run_until(50_000)
    world.act(lambda _: setattr(unit, "says", b"again"))
    world.run_until(100_000)

    assert host.heard == [(6_000, b"press"), (55_000, b"again")]


def test_who_is_told_may_act_on_either_end():
    host, unit = Asks(b"\x01q", beat=10**9), Answers(1, b"abc", 500)

    def act(event, now):
        del now
        if event == ("heard", b"abc"):
            host.says, unit.says = b"\x02", b""

    world = World(host, a_line(unit), act)
    world.run_until(100_000)

    assert [data for _, data in unit.heard] == [b"\x01q", b"\x02"]


def test_running_ends_when_the_condition_does_or_at_the_end():
    host = Asks(b"\x01q", beat=20_000)
    world = World(host, a_line(Answers(1, b"abc", 500)))

    assert world.run_while(lambda: len(host.heard) < 2, 10**6)
    assert world.now == 25_500
    assert not world.run_while(lambda: len(host.heard) < 9, 60_000)
    assert world.now == 60_000


def test_a_pulled_adapter_is_told_and_nothing_passes_until_it_is_back():
    host, unit = Asks(b"\x01q", beat=20_000), Answers(1, b"abc", 500)
    world = World(host, a_line(unit))
    world.run_until(3_000)
    world.act(world.first.disconnect)
    world.run_until(100_000)

    assert (host.down, len(unit.heard), host.heard) == (1, 1, [])

    world.act(world.first.connect)
    world.run_until(110_000)

    assert (host.up, len(host.heard)) == (2, 1)
    with pytest.raises(AssertionError):
        world.first.connect(0)
    world.act(world.first.disconnect)
    with pytest.raises(AssertionError):
        world.first.disconnect(0)


def test_a_session_that_speaks_on_a_dead_port_is_found_out():
    host = Asks()
    world = World(host, a_line())
    world.act(world.first.disconnect)
    host.says = b"hello?"

    with pytest.raises(AssertionError, match="port is gone"):
        world.run_for(1)


def test_a_bare_talker_speaks_into_the_void_when_it_is_not_connected():
    host, unit = Ear(), Ear()
    world = World(host, a_line(unit))
    world.first.disconnect(0)
    host.says = b"hello?"
    world.run_for(100_000)
    world.first.connect(world.now)

    assert not unit.heard


@pytest.mark.parametrize(("host", "line"), [(Asleep(), Ear()), (Ear(), Asleep())])
def test_a_busy_loop_is_found_at_once(host, line):
    world = World(host, line)

    with pytest.raises(AssertionError, match="at once"):
        world.run_for(1)


def test_time_that_stands_still_is_found_too():
    world = World(Ear(), a_line())

    def again(now):
        world.at(now, again)

    world.at(5, again)

    with pytest.raises(AssertionError, match="stands still"):
        world.run_for(10)


def test_more_lines_share_one_time():
    one, two = Asks(b"\x01q", beat=20_000), Asks(b"\x02q", beat=7_000)
    world = World(one, a_line(Answers(1, b"abc", 500)))
    world.join(two, a_line(Answers(2, b"xyz", 500)))
    world.run_until(30_000)

    assert [when for when, _ in one.heard] == [5_500, 25_500]
    assert [when for when, _ in two.heard] == [5_500, 12_500, 19_500, 26_500]


def test_a_stream_gives_everything_in_order_and_drops_all_at_once():
    made = []

    def factory():
        made.append(Answers(1, b"abc", 500))
        return made[-1]

    host, line = Asks(b"\x01q", beat=20_000), Stream(factory, latency=100)
    world = World(host, line)
    world.run_until(30_000)
    assert [when for when, _ in host.heard] == [700, 20_700]

    world.run_until(40_050)
    made[0].due = 50_000
    line.drop()
    world.run_until(70_000)
    assert not line.connected
    assert made[0].due is None, "who was connected lives on"
    assert len(host.heard) == len(made[0].heard) == 2

    world.act(world.first.disconnect)
    assert line.connect() is made[1]
    world.act(world.first.connect)
    world.run_until(80_000)
    assert [when for when, _ in host.heard] == [700, 20_700, 70_700]
    with pytest.raises(AssertionError):
        line.connect()


def test_a_stream_is_late_but_in_order_however_late_it_is_ticked():
    far = Ear()
    line = Stream(lambda: far, latency=100)
    for number in range(5):
        line.receive(bytes([number]), number)
    line.receive(b"", 9)
    far.says = b"abc"
    line.touched(50)
    assert line.deadline() == 100

    line.tick(1_000)

    assert far.heard == [(100 + number, bytes([number])) for number in range(5)]
    assert line.to_send(1_000) == b"abc"


def test_a_stream_that_nobody_empties_drops():
    line = Stream(Ear)
    for _ in range(MOST_UNDER_WAY + 1):
        line.receive(b"x", 0)

    assert not line.connected
    line.receive(b"x", 0)
    line.touched(0)
    line.tick(1_000)
    assert line.deadline() is None


def test_a_stream_that_the_host_does_not_read_drops():
    talker = Ear()
    line = Stream(lambda: talker)
    talker.says = bytes(MOST_UNREAD + 1)
    line.touched(0)
    line.tick(1_000)

    assert not line.connected
    assert line.to_send(1_000) == b""


def test_a_stream_finds_a_busy_loop():
    with pytest.raises(AssertionError, match="at once"):
        Stream(Asleep).tick(1)
