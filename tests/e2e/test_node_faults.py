"""What goes wrong around a running node: each time one clear message, and no seat takes a bet.

The rest of the list of issue 5 stands elsewhere: a second node on one record, a missing or foreign record, settings and
key in e2e/test_daemon.py, over sixty mistakes of settings in node/test_settings.py, each failing system call in
node/store/test_book_failure.py.
"""

import contextlib
import signal
import time
from contextlib import closing

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import Client, NodeSilent, asking
from controller.node.service.pulse import DEAD_AFTER, LOOK_EVERY
from controller.node.vocabulary.protocol import Deed
from drivers.session import SECOND
from support.drivers.peers import free_port
from support.evening.evening_faults import (
    TCP_DESK,
    Relay,
    assert_nobody_can_bet,
    bet,
    disk_of_its_own,
    fill,
    founded_at,
    gives_up,
    is_closed,
    mended,
    over_tcp,
    read_only,
    seats,
    small_disk,
    takes_the_session,
    until,
)
from support.node.node_process import CARLA, DESK, JEFE, casino, events, today

pytestmark = pytest.mark.process

BY = Signature("")
HOUR = 3_600_000
LONGER_THAN_UNITS_WAIT = 3.5  # seconds; their host_timeout_ms is 3,100


@pytest.fixture
def place(template):
    with casino(template) as made:
        yield made


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def on_the_network(template, port):
    with casino(template, desk=TCP_DESK.format(port=port)) as made:
        over_tcp(made.place, port)
        yield made


def bet_in_an_open_pass(place, node):
    """At seat 1, and seat 2 could bet."""
    node.ready()
    node.up()
    assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
    for seat in (1, 2):
        assert node.ask(ask.BuyCredits("DP-01", seat, 5, BY), CARLA).ok
    assert node.do(Deed.UNLOCK, CARLA, table="DP-01").ok
    node.until(lambda view: not any(seat.locked for seat in view.seats) and _credits(view) == [5, 5])
    bet(place, 1)
    assert seats(place)[:2] == ["lamp steady, shows 4", "lamp dark, shows 5"]


def _credits(view):
    return [seat.credits for seat in view.seats[:2]]


def said_of(journal, level):
    return [line for line in journal if line["level"] == level]


def test_a_disk_that_fills_in_the_middle_of_a_pass(place):
    folder = place.place / "folder"
    with small_disk(folder):
        node = place.start()
        bet_in_an_open_pass(place, node)

        make_room = fill(folder)
        with contextlib.suppress(NodeSilent), Client(place.place / "control") as client:
            while client.ask(asking(ask.BuyCredits("DP-01", 2, 1, BY), CARLA), 2).ok:
                pass
        code, journal = node.over()

        assert_nobody_can_bet(place)
        assert seats(place)[0] == "lamp steady, shows 4", "the bet is in the record, and stays valid"
        (said,) = said_of(journal, "critical")
        assert code == 1
        assert said["event"] == "store_failed"
        assert "El disco está lleno" in said["message"]
        assert "Traceback" not in str(journal)

        make_room()
        again = place.start()
        again.ready()
        view = again.until(lambda view: view.tables and view.tables[0].seats[0].bet)
        assert view.tables[0].seats[0].bet == 1_000
        assert again.end()[0] == 0
        assert place.verify().startswith("BIEN")


def test_a_disk_that_turns_read_only_in_the_middle_of_a_pass(place):
    """The kernel gives it up under the running node; after the disk is mended a restart goes on."""
    folder = place.place / "folder"
    with disk_of_its_own(folder) as image:
        node = place.start()
        bet_in_an_open_pass(place, node)

        gives_up(folder)
        asked = asking(ask.BuyCredits("DP-01", 2, 1, BY), CARLA)
        with contextlib.suppress(NodeSilent), Client(place.place / "control") as client:
            assert not client.ask(asked, 2).ok, "what is not on the disk is not acknowledged"
        code, journal = node.over()

        assert_nobody_can_bet(place)
        assert seats(place)[:2] == ["lamp steady, shows 4", "lamp dark, shows 5"]
        (said,) = said_of(journal, "critical")
        assert code == 1
        assert said["event"] == "store_failed"
        assert "El disco falló al leer o escribir" in said["message"]
        assert "Traceback" not in str(journal)

        mended(folder, image)
        again = place.start()
        again.ready()
        view = again.until(lambda view: view.tables and view.tables[0].seats[0].bet)
        assert view.tables[0].seats[0].bet == 1_000
        assert [seat.credits for seat in view.tables[0].seats[:2]] == [4, 5]
        again.up()
        assert again.do(Deed.UNLOCK, CARLA, table="DP-01").ok
        bet(place, 2)
        assert again.end()[0] == 0
        assert place.verify().startswith("BIEN")


def test_a_disk_that_is_read_only(place):
    folder = place.place / "folder"
    with small_disk(folder):
        read_only(folder)

        ended = place.command()

    (line,) = [line for line in ended.stderr.splitlines() if '"critical"' in line]
    assert "solo lectura" in line
    assert ended.returncode == 78, "a start that no other start mends"
    assert_nobody_can_bet(place)


def test_a_record_whose_last_fact_lies_ahead_of_the_clock(tmp_path):
    """It is said once, and shown; play goes on, because the order of facts is their number."""
    port = free_port()
    founded_at(tmp_path / "t", int(time.time() * 1000) + 48 * HOUR)
    with casino(tmp_path / "t", desk=TCP_DESK.format(port=port)) as place:
        over_tcp(place.place, port)
        node = place.start()
        bet_in_an_open_pass(place, node)
        view = node.until(lambda view: any(alarm.where == "reloj" for alarm in view.alarms))
        code, journal = node.end()

        (said,) = [line for line in journal if line["event"] == "clock_wrong"]
        assert [alarm.sentence[:46] for alarm in view.alarms if alarm.where == "reloj"] == [
            "El reloj de la máquina está 47 horas atrasado:"
        ]
        assert "47 h antes del último hecho" in said["message"]
        assert code == 0
        assert_nobody_can_bet(place)
        assert place.verify().startswith("BIEN")


def test_a_tool_that_takes_the_session_of_a_unit(on_the_network, port):
    """devices.md 2.6: nobody knows what it did: the unit locks, the node says so once and keeps its hands off it."""
    node = on_the_network.start()
    bet_in_an_open_pass(on_the_network, node)

    takes_the_session(port, 1)
    view = node.until(lambda view: any(unit.why for unit in view.units))

    assert ["otro controlador" in unit.why for unit in view.units] == [True, False]
    before = seats(on_the_network)
    on_the_network.desk("seat 2 press 1")
    time.sleep(0.3)
    assert (
        seats(on_the_network) == before == ["lamp steady, shows 4", "lamp dark, shows 5", *["lamp dark, shows 0"] * 4]
    )
    code, journal = node.end()
    (said,) = [line for line in journal if line["event"] == "unit_down"]
    assert (said["reason"], said["unit"], code) == ("second_host", 1, 0)


def test_a_second_node_with_another_record_on_one_line(template, on_the_network, port):
    """It looks before it speaks, sees that the units have a master, and leaves them to him."""
    first = on_the_network.start()
    bet_in_an_open_pass(on_the_network, first)
    with casino(template, desk=DESK) as other:
        over_tcp(other.place, port)
        second = other.start()
        second.ready()

        view = second.until(lambda view: all("otro controlador" in unit.why for unit in view.units))

        assert {unit.health for unit in view.units} == {"down"}
        assert {unit.health for unit in first.until(lambda _: True).units} == {"up"}
        bet(on_the_network, 2)
        _, journal = second.end()
        assert sorted(line["unit"] for line in journal if line["event"] == "unit_down") == [1, 20]


def test_a_node_that_stands_still_for_some_seconds_plays_on(place):
    """As in a laptop that slept, or on a machine that had no time for it: units that heard no host locked themselves, the
    bet that was booked stays valid, and a croupier opens the table again."""
    node = place.start()
    bet_in_an_open_pass(place, node)

    node.process.send_signal(signal.SIGSTOP)
    time.sleep(LONGER_THAN_UNITS_WAIT)
    assert_nobody_can_bet(place)
    node.process.send_signal(signal.SIGCONT)
    time.sleep((DEAD_AFTER + 1) * LOOK_EVERY / SECOND)
    node.until(lambda view: {unit.health for unit in view.units} == {"up"})
    assert seats(place)[:2] == ["lamp steady, shows 4", "lamp dark, shows 5"]
    assert node.do(Deed.UNLOCK, CARLA, table="DP-01").ok
    bet(place, 2)

    code, journal = node.end()
    assert code == 0
    assert not said_of(journal, "critical")
    assert "seat_closed" not in {line.get("kind") for line in journal}
    assert place.verify().startswith("BIEN")


def test_a_unit_that_is_not_there(template):
    """Its seat is closed for the evening; the others play."""
    with casino(template, desk=DESK.replace("count = 6", "count = 5")) as place:
        node = place.start()
        node.ready()
        view = node.until(lambda view: sum(unit.health == "up" for unit in view.units) == 6 and view.units[5].why)
        assert "no responde" in view.units[5].why
        assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
        assert node.do(Deed.UNLOCK, CARLA, table="DP-01").ok
        until(lambda: not is_closed(place))
        assert node.ask(ask.Lock("DP-01", BY), CARLA).ok
        node.until(lambda view: view.tables[0].phase == "sealed")

        code, journal = node.end()

        assert [line["unit"] for line in journal if line["event"] == "unit_down"] == [6]
        assert code == 0


def test_a_port_that_is_not_there(template):
    """Said once, shown as long as it lasts; when the adapter is plugged in the table is there without a restart."""
    with casino(template) as place:
        link = place.place / "ports/mesa"
        hidden = link.rename(link.with_name("drawer"))
        node = place.start()
        node.ready()
        view = node.until(lambda view: view.alarms)
        assert "La línea mesa no se puede abrir" in view.alarms[0].sentence
        assert {unit.health for unit in view.units} <= {"starting", "down"}
        assert_nobody_can_bet(place)
        time.sleep(1.5)

        hidden.rename(link)
        node.up()
        node.until(lambda view: not view.alarms)
        _, journal = node.end()

        assert events(journal).count("port_not_opened") == 1
        assert events(journal).count("port_opened") == 1


def test_firmware_of_another_version(on_the_network, port):
    """It is named, never opened, and asked again only now and then."""
    with closing(Relay(port, 0x0200)) as relay:
        over_tcp(on_the_network.place, relay.port)
        node = on_the_network.start()
        node.ready()
        view = node.until(lambda view: all(unit.why for unit in view.units))
        assert all("versión de contrato no admitida" in unit.why for unit in view.units)
        assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
        node.do(Deed.UNLOCK, CARLA, table="DP-01")
        time.sleep(1)
        assert_nobody_can_bet(on_the_network)

        _, journal = node.end()

        down = [(line["unit"], line["reason"]) for line in journal if line["event"] == "unit_down"]
        assert sorted(down) == [(1, "wrong_version"), (20, "wrong_version")]
