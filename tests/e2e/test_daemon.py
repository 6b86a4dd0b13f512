"""`pozo node` as a service: its own process, real signals, a table on ptys, and how it ends when something is wrong."""

import contextlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from controller.core import inputs as ask
from controller.core.values import Signature
from controller.node.control.client import NodeSilent
from controller.node.vocabulary.protocol import Deed
from support.node.node_process import CARLA, JEFE, NODE, casino, events, journal_of, today

pytestmark = pytest.mark.process

BY = Signature("")


@pytest.fixture
def place(template):
    with casino(template) as made:
        yield made


def open_pass(node):
    node.ready()
    node.up()
    assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
    assert node.ask(ask.BuyCredits("DP-01", 1, 5, BY), CARLA).ok
    assert node.do(Deed.UNLOCK, CARLA, table="DP-01").ok
    node.until(lambda view: not seat(view).locked and seat(view).credits == 5)


def seat(view, number=1):
    return next(one for one in view.seats if one.seat == number)


def test_ready_is_said_when_it_stands_and_sigterm_ends_it_clean(place):
    node = place.start()
    assert node.ready()["STATUS"]
    node.up()

    code, journal = node.end()

    assert code == 0
    assert events(journal)[:3] == ["starting", "book_open", "ready"] and events(journal)[-1] == "stopped"
    assert journal[-1]["locked"]
    assert place.verify().startswith("BIEN")


def test_a_pass_on_real_wires(place):
    node = place.start()
    open_pass(node)

    place.desk("seat 1 press 1")
    view = node.until(lambda view: view.tables[0].seats[0].bet)
    node.until(lambda view: seat(view).lamp == "lit" and seat(view).bet == "confirmed")
    place.desk("console lock")
    node.until(lambda view: view.tables[0].phase == "sealed")

    assert view.tables[0].seats[0].bet == 1000
    reply = node.ask(ask.ClosePass("DP-01", BY), CARLA)
    assert reply.ok, reply
    code, journal = node.end()
    assert code == 0 and "lock_pressed" in events(journal)
    assert place.verify().startswith("BIEN")


def test_sigterm_in_an_open_pass_locks_the_seats_and_keeps_the_bet(place):
    node = place.start()
    open_pass(node)
    place.desk("seat 1 press 1")
    node.until(lambda view: view.tables[0].seats[0].bet)

    code, journal = node.end()

    assert code == 0 and journal[-1]["locked"]
    again = place.start()
    again.ready()
    assert again.until(lambda view: view.tables).tables[0].seats[0].bet == 1000


def test_a_killed_node_is_ready_again_soon_and_the_bet_is_there(place):
    node = place.start()
    open_pass(node)
    place.desk("seat 1 press 1")
    node.until(lambda view: seat(view).bet == "confirmed")

    assert node.end(signal.SIGKILL)[0] == -signal.SIGKILL
    began = time.monotonic()
    again = place.start()
    again.ready()

    assert time.monotonic() - began < 10, "2 s on a machine that does nothing else"
    view = again.until(lambda view: seat(view).lamp == "lit")
    assert view.tables[0].seats[0].bet == 1000
    assert again.end()[0] == 0 and place.verify().startswith("BIEN")


def test_settings_that_change_between_two_passes_reach_a_seat_that_played_the_last_one(place):
    node = place.start()
    open_pass(node)
    place.desk("seat 1 press 1")
    node.until(lambda view: seat(view).lamp == "lit" and view.tables[0].seats[0].bet)
    place.desk("console lock")
    node.until(lambda view: view.tables[0].phase == "sealed")
    assert node.ask(ask.ClosePass("DP-01", BY), CARLA).ok
    assert node.end()[0] == 0

    settings = place.settings
    settings.write_text(settings.read_text().replace("count = 6", "count = 6\nconfirm_ms = 2500"))
    again = place.start()
    again.ready()
    again.up()

    assert again.do(Deed.UNLOCK, CARLA, table="DP-01").ok
    view = again.until(lambda view: not seat(view).locked and seat(view).lamp == "dark")
    assert (seat(view).bet, seat(view).credits) == ("none", 4)
    assert again.end()[0] == 0 and place.verify().startswith("BIEN")


def test_the_watchdog_is_fed_by_a_living_loop(place):
    node = place.start(watchdog=1_000_000)
    node.ready()

    pings = [node.heard() for _ in range(3)]

    assert all("WATCHDOG" in said or "STATUS" in said for said in pings)


def test_a_second_node_on_the_same_record_is_told_so_and_the_first_plays_on(place):
    first = place.start()
    first.ready()

    second = place.command()

    assert second.returncode == 75
    assert "otro nodo ya trabaja con este registro" in journal_of(second.stderr)[-1]["message"]
    first.up()


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda place: shutil.rmtree(place / "folder"), "la carpeta del nodo no se puede abrir"),
        (lambda place: (place / "folder/node.db").unlink(), "un nodo nuevo se funda con"),
        (lambda place: (place / "folder/node.key").unlink(), "un nodo nuevo se funda con"),
        (lambda place: (place / "folder/node.key").chmod(0o644), "otros pueden leer la llave"),
        (lambda place: (place / "node.toml").write_text("name = 3"), "node.toml"),
        (lambda place: (place / "node.toml").unlink(), "node.toml"),
        (lambda place: (place / "folder/node.db").write_bytes(b"nothing of ours" * 999), "node.db"),
        (lambda place: rename(place, "otro"), "este registro es del nodo central"),
    ],
)
def test_what_a_person_must_put_right_is_one_clear_message(place, harm, sentence):
    harm(place.place)

    ended = place.command()

    (said,) = [line for line in journal_of(ended.stderr) if line["level"] == "critical"]
    assert sentence in said["message"] and "Traceback" not in ended.stderr
    assert ended.returncode in {1, 78}


def rename(place, name):
    settings = place / "node.toml"
    settings.write_text(settings.read_text().replace('name = "central"', f'name = "{name}"', 1))


def test_a_full_disk_locks_the_tables_and_is_said(place):
    node = place.start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)))
    node.ready()
    node.up()
    while node.process.poll() is None:
        with contextlib.suppress(NodeSilent, OSError):  # it is gone in the middle of an answer
            node.ask(ask.BuyCredits("DP-01", 1, 1, BY), CARLA, patience=1)

    code, journal = node.over()

    assert code == 1
    assert journal[-1]["event"] == "store_failed" and "disco" in journal[-1]["message"]


def test_sighup_reads_the_plans_again_and_offers_what_differs(place):
    node = place.start()
    node.ready()
    plan = place.place / "plan.toml"
    plan.write_text(plan.read_text().replace('title = "Pozo Estelar"', 'title = "Pozo Nuevo"'))

    node.process.send_signal(signal.SIGHUP)
    view = node.until(lambda view: any(alarm.rule == "R-26" for alarm in view.alarms))

    assert "plan.toml" in next(alarm.sentence for alarm in view.alarms if alarm.rule == "R-26")
    _, journal = node.end()
    assert {"reloaded", "plan_differs"} <= {*events(journal)}


def test_a_plan_file_that_is_broken_changes_nothing(place):
    node = place.start()
    node.ready()
    (place.place / "plan.toml").write_text("nonsense")

    node.process.send_signal(signal.SIGHUP)
    time.sleep(0.3)

    code, journal = node.end()
    assert code == 0 and "plan_unreadable" in events(journal)


def test_after_three_defects_it_waits_out_of_service_until_a_technician_has_looked(place):
    (place.place / "folder/deaths").write_text("AssertionError: one\n" * 3)
    node = place.start()
    assert "FUERA DE SERVICIO" in node.ready()["STATUS"]

    assert node.do(Deed.UNLOCK, CARLA, table="DP-01").trouble.reason == "out_of_service"
    view = node.until(lambda view: any(unit.health == "up" for unit in view.units))
    assert "FUERA DE SERVICIO" in view.alarms[0].sentence
    assert place.command("--back-in-service").returncode == 78, "not while it runs"
    assert node.end()[0] == 0

    assert place.command("--back-in-service").returncode == 0
    again = place.start()
    again.ready()
    again.up()


def test_assertions_are_never_off(place):
    ended = subprocess.run(
        [sys.executable, "-O", "-c", NODE, str(place.settings)], capture_output=True, text=True, timeout=60, check=False
    )

    assert ended.returncode == 78 and "python -O" in ended.stderr


def test_metrics_are_told_on_the_loopback_and_a_taken_port_stops_no_table(template):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        taken.listen()
        with casino(template, more=f"[metrics]\nport = {port}\n") as made:
            node = made.start()
            node.ready()
            _, journal = node.end()
            assert "metrics_refused" in events(journal)
            taken.close()
            made.start().ready()
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
                assert b'pozo_unit_up{line="mesa",table="DP-01",unit="1"}' in answer.read()


def test_the_check_touches_nothing_and_says_what_there_is(place):
    good = place.command("--check")
    place.settings.write_text("name = 3")
    bad = place.command("--check")

    assert good.returncode == 0 and "1 mesas, 1 líneas, 7 aparatos" in good.stdout
    assert bad.returncode == 78 and "name" in bad.stderr


def test_a_control_folder_that_no_socket_can_be_named_in_needs_a_person(place):
    place.settings.write_text(place.settings.read_text().replace('control = "control"', f'control = "{"x" * 100}"'))

    assert place.command().returncode == 78


def test_a_journal_whose_reader_is_gone_stops_no_table(place):
    node = place.start()
    node.ready()
    node.process.stderr.close()

    assert node.ask(ask.OpenPass("DP-01", None), CARLA).trouble.reason == "day_not_open"
    node.process.terminate()
    assert node.process.wait(30) == 0
