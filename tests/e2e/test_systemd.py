"""The unit really runs the daemon: a systemd of our own starts it, hears that it is ready, restarts and reloads it.

It is a user's instance, so what needs the machine's own (another user, mounts, cgroups) is left out of the unit; how
the service lives, its watchdog and its system call filter are the installed file's own lines. Where no systemd can be
started the tests are skipped, and say so.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controller.node.control.client import Client
from controller.node.service.debian import install
from support.node.node_process import casino, events, founded, journal_of

pytestmark = pytest.mark.process

MANAGER = Path("/lib/systemd/systemd")
BOOTED = Path("/run/systemd/system")  # by which systemd knows that it may run at all
PATIENCE = 30
LIVES = re.compile(
    r"Type|NotifyAccess|Exec.*|Restart.*|WatchdogSec|Timeout.*|KillMode|UMask|LimitNOFILE|NoNewPrivileges|LockPersonality"
    r"|MemoryDenyWriteExecute|RestrictRealtime|RestrictSUIDSGID|RestrictNamespaces|SystemCall.*|RestrictAddressFamilies"
)


@pytest.fixture(scope="module")
def manager(tmp_path_factory):
    """A systemd that obeys us: its environment."""
    if not MANAGER.exists():
        pytest.skip("no peer: systemd")
    home = tmp_path_factory.mktemp("systemd")
    home.chmod(0o700)
    environment = os.environ | {"XDG_RUNTIME_DIR": str(home), "XDG_CONFIG_HOME": str(home), "HOME": str(home)}
    mark = BOOTED / f"pozo-test-{os.getpid()}"  # of each worker: the last one takes the folder away
    with contextlib.ExitStack() as ending:
        if not BOOTED.exists() or any(BOOTED.glob("pozo-test-*")):
            if not os.access(BOOTED.parents[1], os.W_OK):
                pytest.skip("no peer: systemd does not run here, and may not be started")
            BOOTED.mkdir(parents=True, exist_ok=True)
            mark.touch()
            ending.callback(as_it_was, mark)
        process = ending.enter_context(
            subprocess.Popen([MANAGER, "--user"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        )
        ending.callback(process.terminate)
        end = time.monotonic() + PATIENCE
        while control(environment, "is-system-running").strip() not in {"running", "degraded"}:
            if process.poll() is not None or time.monotonic() > end:
                pytest.skip("no peer: systemd cannot be started here")
            time.sleep(0.1)
        yield environment


def as_it_was(mark):
    mark.unlink()
    with contextlib.suppress(OSError):  # another worker's systemd still needs the folder
        BOOTED.rmdir()


def control(environment, *words):
    done = subprocess.run(["systemctl", "--user", *words], env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def shown(environment, unit, name):
    return control(environment, "show", "--value", f"--property={name}", unit).strip()


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.fixture(scope="module")
def floor(tmp_path_factory):
    template = tmp_path_factory.mktemp("template")
    founded(template)
    with casino(template) as place:
        yield place


@pytest.fixture
def unit(manager, floor, tmp_path, monkeypatch):
    """The installed unit, started."""
    monkeypatch.setattr("controller.node.service.debian._HOMES", ())
    list(install(tmp_path, Path(sys.executable).with_name("pozo")))
    text = (tmp_path / "etc/systemd/system/pozo-node@.service").read_text()
    service = text.split("[Service]")[1].split("[Install]")[0]
    kept = [line for line in service.splitlines() if LIVES.fullmatch(line.split("=")[0])]
    assert len(kept) > 15, "the unit is written otherwise now"
    told = floor.place / "journal"
    lines = [line.replace("/etc/pozo/%i.toml", str(floor.settings)) for line in kept]
    folder = Path(manager["XDG_CONFIG_HOME"]) / "systemd/user"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"pozo-node-{os.getpid()}.service"  # two managers at once must not take each other's processes for their own
    (folder / name).write_text("\n".join(["[Service]", *lines, f"StandardError=append:{told}"]) + "\n")
    control(manager, "daemon-reload")
    said = control(manager, "start", name)
    assert shown(manager, name, "ActiveState") == "active", said + (told.read_text() if told.exists() else "")
    yield name
    control(manager, "stop", name)
    control(manager, "reset-failed", name)
    shutil.rmtree(folder)


def pid_of(manager, unit):
    return int(shown(manager, unit, "MainPID"))


def test_started_means_ready_and_the_node_answers(manager, unit, floor):
    with Client(floor.place / "control") as client:
        assert client.state(PATIENCE).node == "central"
    assert shown(manager, unit, "NotifyAccess") == "main"
    assert shown(manager, unit, "WatchdogUSec") == "10s"


def test_a_killed_node_is_started_again_by_itself(manager, unit, floor):
    before = pid_of(manager, unit)

    os.kill(before, signal.SIGKILL)
    until(lambda: pid_of(manager, unit) not in {0, before}, "it was not started again")
    until(lambda: shown(manager, unit, "ActiveState") == "active", "it never got ready")

    with Client(floor.place / "control") as client:
        assert client.state(PATIENCE).node == "central"


def test_reload_reads_the_plans_and_stop_ends_it_clean(manager, unit, floor):
    def said():
        return events(journal_of((floor.place / "journal").read_text()))

    control(manager, "reload", unit)
    until(lambda: "reloaded" in said(), "it did not read its plans again")  # a stop may overtake the signal to reload
    control(manager, "stop", unit)

    assert shown(manager, unit, "Result") == "success"
    assert shown(manager, unit, "ExecMainStatus") == "0"
    assert said()[-1] == "stopped"


def test_a_node_that_hangs_is_ended_by_the_watchdog(manager, unit):
    """Stopped as a hang would stop it; ten seconds later systemd ends it."""
    before = pid_of(manager, unit)

    os.kill(before, signal.SIGSTOP)
    until(lambda: pid_of(manager, unit) not in {0, before}, "nobody noticed")


def test_settings_that_are_wrong_are_not_tried_again_and_again(manager, unit, floor):
    control(manager, "stop", unit)
    good = floor.settings.read_text()
    floor.settings.write_text(good + "\nnonsense = 1\n")
    try:
        control(manager, "start", unit)

        assert shown(manager, unit, "ExecMainStatus") == "78"
        assert shown(manager, unit, "NRestarts") == "0"
        assert shown(manager, unit, "ActiveState") == "failed"
    finally:
        floor.settings.write_text(good)
