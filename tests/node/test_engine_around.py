"""What stands around the engine: the inbox, the hands, the listener, the clock, the pulse, crashes, systemd, metrics."""

import os
import shutil
import signal
import socket
import sys
import threading
import urllib.request
from types import SimpleNamespace

import pytest

from controller.core.values import Role
from controller.node.devices.dispatch import Dispatcher, Listener
from controller.node.publish.show import Surroundings
from controller.node.service.daemon import _counted
from controller.node.service.disk_space import DiskSpace
from controller.node.service.installation import MOST_CRASHES, Crashes, FolderRefused, alone_in, nonce_of
from controller.node.service.out_of_service import OutOfService
from controller.node.service.pulse import DEAD_AFTER, LOOK_EVERY, STATUS_EVERY, Pulse, Vitals
from controller.node.telemetry.counts import BOUNDS, Counts, Durations
from controller.node.telemetry.journal import Halted, Says
from controller.node.telemetry.metrics import Metrics, MetricSources
from controller.node.telemetry.sd_notify import Systemd
from controller.node.vocabulary.clock import WRITTEN, trouble
from controller.node.vocabulary.commands import LoadCredits, LockUnit, Wish
from controller.node.vocabulary.inbox import MOST_OF_PERSONS, MOST_WAITING, FromLine, FromPerson, Inbox, Reload, Stop
from controller.node.vocabulary.places import UnitKey
from controller.node.vocabulary.protocol import Request
from drivers.model import ConsoleSeen, DeviceKey
from drivers.pump import PortOpened, PumpCounters
from drivers.punctual import micros
from drivers.session import SECOND
from support.node.node_stand import Stand

KEY = UnitKey("bus", 9)


def person(answers=None):
    return FromPerson(Request(1, "0" * 32), None, "", (answers if answers is not None else []).append)


# The inbox


def test_what_was_put_comes_out_in_its_order_and_all_at_once():
    inbox = Inbox()
    for item in (Reload(), Stop("x"), Reload()):
        inbox.put(item)

    assert inbox.take(micros()) == [Reload(), Stop("x"), Reload()]
    assert inbox.take(micros()) == []


def test_a_person_is_turned_away_where_a_device_still_has_room():
    inbox = Inbox()
    for _ in range(MOST_OF_PERSONS):
        assert inbox.put(Reload())

    assert not inbox.put(person())
    assert inbox.put(FromLine("bus", None, 0)) and not inbox.overflowed


def test_an_event_without_room_is_never_forgotten():
    inbox = Inbox()
    while inbox.put(FromLine("bus", None, 0)):
        pass

    assert inbox.overflowed and inbox.waiting() == MOST_WAITING
    assert inbox.put(Stop("x")), "a stop always finds room"


def test_a_signals_handler_may_put_while_its_own_thread_waits():
    inbox = Inbox()
    before = signal.signal(signal.SIGUSR1, lambda *_: inbox.put(Stop("signal")))
    try:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        assert inbox.take(micros() + 5 * SECOND) == [Stop("signal")]
    finally:
        signal.signal(signal.SIGUSR1, before)


# Hands and listener


class PlayedRack:
    def __init__(self):
        self.failure = None
        self.lives = True
        self.calls = []

    def call(self, line, function):
        self.calls.append(line)
        function(0)

    def alive(self):
        return self.lives

    def counters(self, line):
        return PumpCounters(opened=1, octets_in=7)


class PlayedHardware:
    def __init__(self):
        self.done = []

    def obey_all(self, wishes, impossible, _now):
        for wish in wishes:
            self.done.append(wish)
            if type(wish.command) is LoadCredits:
                impossible("it cannot")

    def lock_all(self, line):
        self.done.append(("lock all", line))

    def lock_table(self, line, table):
        self.done.append(("lock", line, table))

    def base_of(self, key):
        return f"base of {key.number}"


NODE = SimpleNamespace(
    lines=(SimpleNamespace(name="bus"), SimpleNamespace(name="chips")),
    units=(
        SimpleNamespace(key=KEY, table="M1"),
        SimpleNamespace(key=UnitKey("chips", 1), table="M1"),
        SimpleNamespace(key=UnitKey("bus", 1), table="M2"),
    ),
)


@pytest.fixture
def hands():
    rack, hardware, problems = PlayedRack(), PlayedHardware(), []
    hands = Dispatcher(rack, hardware, NODE, problems.append)
    return SimpleNamespace(rack=rack, hardware=hardware, problems=problems, hands=hands)


def test_the_wishes_of_one_line_are_one_call_in_their_order(hands):
    wishes = [Wish(UnitKey("bus", 1), LockUnit()), Wish(UnitKey("chips", 1), LockUnit()), Wish(KEY, LockUnit())]

    hands.hands.give(wishes)

    assert hands.rack.calls == ["bus", "chips"]
    assert [wish for wish in hands.hardware.done if wish.unit.line == "bus"] == [wishes[0], wishes[2]]


def test_a_wish_that_no_device_can_have_is_said(hands):
    hands.hands.give([Wish(KEY, LoadCredits(1, 0, 5))])

    assert hands.problems == ["it cannot"]


def test_a_table_is_locked_on_every_line_it_has(hands):
    hands.hands.lock_table("M1")

    assert hands.hardware.done == [("lock", "bus", "M1"), ("lock", "chips", "M1")]


def pressed(presses, serial=5, epoch=1):
    return ConsoleSeen(
        unit=9, device=DeviceKey(serial, epoch), seq=presses, lock_presses=presses, unlock_presses=0, key_changes=0, lock_key_down=False
    )  # fmt: skip


@pytest.fixture
def listener(hands):
    inbox, locked = Inbox(), []
    listener = Listener(NODE, inbox, hands.hardware, lambda: 42, locked.append)
    return SimpleNamespace(hear=listener, inbox=inbox, locked=locked)


def test_a_press_locks_its_table_before_the_engine_hears_of_it(listener):
    listener.hear("bus", pressed(7))
    assert not listener.locked, "the first sight is where presses are counted from"

    listener.hear("bus", pressed(7))
    listener.hear("bus", pressed(8))

    assert listener.locked == ["M1"]
    assert [item.event.lock_presses for item in listener.inbox.take(0)] == [7, 7, 8]


def test_another_box_is_a_first_sight(listener):
    listener.hear("bus", pressed(7))
    listener.hear("bus", pressed(8, serial=6))
    listener.hear("bus", pressed(9, serial=6, epoch=2))

    assert not listener.locked


# The clock


def test_a_clock_before_this_program_or_before_the_record_is_wrong():
    hour, now = 3_600_000, WRITTEN + 10**10

    assert trouble(0, WRITTEN - 1)
    assert trouble(now, now - hour - 1) and not trouble(now, now - hour)
    assert trouble(now, now + 400 * 24 * hour) and not trouble(now, now + 30 * 24 * hour)
    assert not trouble(0, now), "an empty record says nothing of the time"


# The pulse


@pytest.fixture
def pulse(tmp_path):
    stand = Stand(tmp_path / "node")
    stand.turn()
    said = []
    systemd = SimpleNamespace(ping_every=SECOND, say=lambda **words: said.append(words))
    vitals = Vitals(PlayedRack(), PlayedRack())
    crashes = Crashes(tmp_path)
    pulse = Pulse(vitals, stand.book, stand.show, systemd, crashes, stand.clock, stand.journal)
    yield SimpleNamespace(stand=stand, beat=pulse, said=said, rack=vitals.rack, control=vitals.control, crashes=crashes)
    stand.close()


def pings(pulse):
    return sum("WATCHDOG" in words for words in pulse.said)


def test_the_watchdog_hears_a_loop_that_turns_in_half_its_time(pulse):
    for later in range(0, 10 * SECOND, SECOND // 10):
        pulse.beat(pulse.stand.micros + later)

    assert 10 <= pings(pulse) <= 21


def test_what_the_interpreter_keeps_for_later_is_given_back(pulse):
    """As many tuples as CPython keeps of one size: nobody needs them, and only a full collection lets them go."""
    pulse.beat(pulse.stand.micros)
    tuples = [(number,) * 7 for number in range(2_000)]
    del tuples
    before = sys.getallocatedblocks()

    pulse.beat(pulse.stand.micros + STATUS_EVERY)

    assert before - sys.getallocatedblocks() > 1_500


@pytest.mark.parametrize("dead", ["rack", "control"])
def test_a_dead_part_ends_the_engine_and_no_ping_is_said(pulse, dead):
    getattr(pulse, dead).lives = False

    for look in range(DEAD_AFTER - 1):
        pulse.beat(pulse.stand.micros + look * LOOK_EVERY)
    with pytest.raises(Halted) as halted:
        pulse.beat(pulse.stand.micros + (DEAD_AFTER - 1) * LOOK_EVERY)
    assert halted.value.says is {"rack": Says.RACK_FAILED, "control": Says.CONTROL_FAILED}[dead]
    assert not pings(pulse)


@pytest.mark.parametrize("late", ["rack", "control"])
def test_after_a_standstill_of_the_whole_process_nobody_is_dead(pulse, late):
    """The engine's thread runs first again, after any time, and the other one a moment later; and once more."""
    part, now = getattr(pulse, late), pulse.stand.micros
    for stood_still in (6 * SECOND, 3_600 * SECOND, 2 * SECOND):
        now += stood_still
        for looks_in_vain in range(1, DEAD_AFTER):
            part.lives = False
            for _ in range(looks_in_vain):
                pulse.beat(now := now + LOOK_EVERY)
            part.lives = True
            pulse.beat(now := now + LOOK_EVERY)

    assert pings(pulse), "it is heard again, and systemd is told"


def test_many_turns_of_a_busy_engine_are_not_many_looks(pulse):
    pulse.rack.lives = False
    for turn in range(1_000):
        pulse.beat(pulse.stand.micros + turn * LOOK_EVERY // 1_000)

    pulse.rack.lives = True
    pulse.beat(pulse.stand.micros + LOOK_EVERY)


def test_a_rack_that_broke_names_its_defect(pulse):
    pulse.rack.failure = AssertionError("a broken promise")

    with pytest.raises(Halted) as halted:
        pulse.beat(pulse.stand.micros)
    assert halted.value.says is Says.RACK_FAILED and halted.value.__cause__ is pulse.rack.failure


def test_a_wrong_clock_is_said_once_shown_and_taken_back(pulse):
    stand = pulse.stand
    stand.millis -= 2 * 3_600_000
    for later in range(0, 3 * STATUS_EVERY, STATUS_EVERY):
        pulse.beat(stand.micros + later)

    assert [call.args[0] for call in stand.journal.calls].count(Says.CLOCK_WRONG) == 1
    assert stand.show.alarms["clock"].sentence.startswith("El reloj")
    stand.millis += 2 * 3_600_000
    pulse.beat(stand.micros + 4 * STATUS_EVERY)
    assert "clock" not in stand.show.alarms


def test_a_disk_that_fills_is_said_long_before_it_is_full(pulse, tmp_path, monkeypatch):
    stand, free = pulse.stand, [3_000_000_000]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free[0]))
    space = DiskSpace(tmp_path, 2_000_000_000, stand.journal)

    def alarms():
        space.look(0, stand.show.raise_alarm)
        return [alarm.sentence for alarm in stand.show.alarms.values() if alarm.where == "disco"]

    assert alarms() == []
    free[0] = 1_999_999_999
    assert "quedan 1999 MB" in alarms()[0] and len(alarms()) == 1
    free[0] = 2_000_000_000
    assert alarms() == []


def test_a_start_that_has_played_well_forgets_the_crashes_before_it(pulse):
    pulse.crashes.count("x")
    pulse.beat(pulse.stand.micros + 60 * SECOND)
    assert pulse.crashes.reasons
    pulse.beat(pulse.stand.micros + 301 * SECOND)
    assert not pulse.crashes.reasons


# The installation


def test_a_folder_has_one_node(tmp_path):
    with alone_in(tmp_path), pytest.raises(FolderRefused, match="otro nodo ya trabaja") as refused, alone_in(tmp_path):
        pass
    assert refused.value.again
    with alone_in(tmp_path):
        pass


def test_a_folder_that_is_not_there_needs_a_person(tmp_path):
    with pytest.raises(FolderRefused) as refused, alone_in(tmp_path / "nowhere"):
        pass
    assert not refused.value.again


def test_the_nonce_is_made_once(tmp_path):
    assert nonce_of(tmp_path) == nonce_of(tmp_path)
    assert (tmp_path / "nonce").stat().st_mode & 0o777 == 0o600


def test_the_third_death_in_a_row_is_the_end_until_somebody_looks(tmp_path):
    crashes = Crashes(tmp_path)
    for number in range(MOST_CRASHES):
        assert not crashes.out_of_service
        crashes.count(f"reason {number}\nwith a second line")

    assert Crashes(tmp_path).out_of_service and crashes.reasons[-1] == "reason 2 with a second line"
    crashes.forget()
    assert not crashes.out_of_service


# Out of service


def test_a_node_out_of_service_locks_says_why_and_answers_everybody_the_same(tmp_path):
    stand = Stand(tmp_path / "node")
    around = Surroundings(stand.floor, stand.signs, stand.hands, stand.control, stand.memories)
    waiting = OutOfService("nodo1", "AssertionError: a defect", stand.inbox, around, stand.clock)
    answers = []
    stand.inbox.put(person(answers))
    stand.line(PortOpened("/dev/x", ()))
    assert waiting.turn()
    stand.inbox.put(Stop("SIGTERM"))
    waiting.run(lambda _: None)

    assert stand.happened.count("lock everything") == 2, "at the start, and whenever a line comes"
    assert answers[0].trouble.reason == "out_of_service" and "a defect" in answers[0].trouble.message
    view = stand.control.views[0]
    assert view.stopping and not view.tables and "FUERA DE SERVICIO" in view.alarms[0].sentence
    assert "commit" not in stand.happened
    stand.close()


# systemd


@pytest.mark.process
@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_hears_ready_and_status(tmp_path, abstract):
    name = f"\0pozo-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(name)
        ear.settimeout(5)
        Systemd({"NOTIFY_SOCKET": name.replace("\0", "@")}).say(READY="1", STATUS="tres mesas")

        assert ear.recv(1000).decode().splitlines() == ["READY=1", "STATUS=tres mesas"]


def test_without_systemd_nothing_is_said_and_nothing_breaks(tmp_path):
    Systemd({}).say(READY="1")
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "gone")}).say(READY="1")


def test_the_watchdog_is_pinged_twice_in_its_time_if_it_is_ours():
    assert Systemd({"WATCHDOG_USEC": "4000000"}).ping_every == 2 * SECOND
    assert Systemd({"WATCHDOG_USEC": "4000000", "WATCHDOG_PID": str(os.getpid())}).ping_every == 2 * SECOND
    assert Systemd({"WATCHDOG_USEC": "4000000", "WATCHDOG_PID": "1"}).ping_every is None
    assert Systemd({"WATCHDOG_USEC": "much"}).ping_every is None


# Metrics


def test_times_are_counted_up_to_each_bound():
    times = Durations()
    for took in (BOUNDS[0], BOUNDS[0] + 1, 10**9):
        times.took(took)

    assert times.sums[0] == 1 and times.sums[1] == 2 and times.sums[-2] == 2 and times.sums[-1] == 3


@pytest.mark.process
def test_a_scrape_reads_what_the_engine_counted_and_the_last_view(tmp_path):
    stand = Stand(tmp_path / "node")
    stand.asks(person=Role.CHIEF)
    stand.turn()
    stand.counts.commit_times.took(1500)
    lines = {"bus": PumpCounters(octets_in=7)}
    metrics = Metrics(0, MetricSources(stand.counts, lambda: stand.show.view, lambda: lines, stand.inbox.waiting, 0.25))
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{metrics.port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    finally:
        metrics.stop()
    stand.close()

    for line in (
        "pozo_asked_total 1.0", 'pozo_line_octets_in_total{line="bus"} 7.0', "pozo_replay_seconds 0.25",
        'pozo_pot_main{pot="chico"} 5e+06', "pozo_commit_seconds_count 1.0", 'pozo_commit_seconds_bucket{le="0.002"} 1.0',
    ):  # fmt: skip
        assert line in text, line


@pytest.mark.process
def test_a_scrape_before_the_first_view_says_what_there_is():
    metrics = Metrics(0, MetricSources(Counts(), lambda: None, dict, lambda: 0, 0.0))
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{metrics.port}/metrics", timeout=5) as answer:
            assert b"pozo_facts_total 0.0" in answer.read()
    finally:
        metrics.stop()


@pytest.mark.parametrize(
    ("error", "counts"),
    [
        (AssertionError("a defect"), True),
        (KeyError("a defect"), True),
        (Halted(Says.INBOX_FULL, "full"), False),
        (OSError("the disk"), False),
        (None, False),
    ],
)
def test_only_a_defect_counts_as_a_death(tmp_path, error, counts):
    crashes = Crashes(tmp_path)
    try:
        with _counted(crashes):
            if error is not None:
                raise error
    except (AssertionError, KeyError, Halted, OSError):
        pass

    assert bool(crashes.reasons) is counts


def test_a_defect_in_the_lines_thread_counts_too(tmp_path):
    halted = Halted(Says.RACK_FAILED, "stopped")
    halted.__cause__ = AssertionError("of a driver")
    with pytest.raises(Halted), _counted(Crashes(tmp_path)):
        raise halted

    assert "of a driver" in Crashes(tmp_path).reasons[0]
