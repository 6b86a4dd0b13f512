"""`pozo device` as a technician runs it: on a real pty, on real TCP, with hands over a socket, at a keyboard, or none.

Short choices of clauses here; the whole examination on a port runs under `make campaign`, in virtual time always.
"""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from conftest import CAMPAIGN

from controller.cli import device_run as cli_device_run
from controller.cli.devices import device
from drivers.modbus.pdu import WriteWords
from drivers.modbus.rtu import frame
from drivers.native import contract as at
from drivers.native.contract import Opcode, UnitClass
from drivers.native.writes import Command, Desired
from support.places import ROOT
from support.sim.conformance_bench import UNIT, firmware_of, make
from support.sim.device_desk import desk_of
from support.sim.faulty_firmware import TakesSingleWrites

pytestmark = pytest.mark.process

LINE = ["--unit", str(UNIT), "--baud", "115200", "--latency", "5"]
QUICK = ["--only", "2.2-FC0", "--only", "2.4-press-and-ack", "--only", "2.5-lock-cut"]
PTY = "8N1 instead of 8E1: a pty has no parity"


@pytest.fixture
def desk(tmp_path):
    with desk_of(tmp_path, firmware_of(make())) as desk:
        yield desk


def run(*words):
    """In this process, where coverage sees it."""
    return CliRunner().invoke(device, [str(word) for word in words], catch_exceptions=False)


def command(*words, **more):
    """As a command of its own."""
    start = [sys.executable, "-c", "from controller.cli.devices import device; device(prog_name='pozo device')"]
    return subprocess.run(
        [*start, *map(str, words)], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False, **more
    )


def test_a_unit_on_a_real_pty_is_examined_by_the_real_command(desk):
    done = command("test", desk.port, *LINE, *QUICK, "--hands", desk.hands)

    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines()[:4]] == [
        ["PASS", "2.2-FC04-mirror"], ["PASS", "2.2-FC05-FC06-refused"], ["PASS", "2.4-press-and-ack"], ["PASS", "2.5-lock-cut"],
    ]  # fmt: skip
    assert done.stdout.splitlines()[4].startswith("A pty takes bytes at once")
    assert done.stdout.splitlines()[-1].startswith("4 passed, 0 failed, 0 skipped: electronic, «POZO SIM»")
    assert done.stderr == f"{desk.port}: {PTY}\n"
    assert desk.orders == ["seat 3 press 1"]


@pytest.mark.parametrize("name", ["line", "./line", "beside/../line"])
def test_a_port_may_be_named_from_where_one_stands(desk, tmp_path, monkeypatch, name):
    port = tmp_path / "line"
    if not port.exists():
        port.symlink_to(desk.port)
    (tmp_path / "beside").mkdir()
    monkeypatch.chdir(tmp_path)

    found = run("scan", name, "--units", UNIT, "--bauds", "115200", "--latency", "5")

    assert found.exit_code == 0, found.output
    assert found.stderr.startswith(f"{tmp_path}/")


def test_what_is_neither_a_path_nor_an_address_is_refused_as_it_was_said():
    refused = run("scan", "nowhere", "--units", UNIT)

    assert refused.exit_code == 1
    assert refused.output == "pozo: nowhere: bad_url: neither an absolute path nor socket://host:port\n"


def test_a_unit_on_real_tcp_is_examined(desk):
    done = run("test", desk.url, *LINE, *QUICK, "--only", "2.2-tcp", "--hands", desk.hands)

    assert done.exit_code == 0, done.output
    assert "PASS    2.2-tcp-stream" in done.output
    assert "5 passed, 0 failed, 0 skipped" in done.output


@pytest.mark.campaign
@pytest.mark.parametrize("unit_class", [UnitClass.ELECTRONIC, UnitClass.TABLE, UnitClass.CONSOLE])
def test_the_whole_examination_on_a_real_port(tmp_path, unit_class):
    short = [] if CAMPAIGN else ["--only", "2.3-I", "--only", "2.5-lock-cut", "--only", "2.6-power"]
    with desk_of(tmp_path, firmware_of(make(unit_class, 9 if unit_class is UnitClass.TABLE else 1))) as desk:
        for port in (desk.port, desk.url):
            done = run("test", port, *LINE, *short, "--hands", desk.hands, "--power-cycle")
            assert done.exit_code == 0, done.output


def test_a_fault_is_named_and_the_exit_code_says_no(tmp_path):
    with desk_of(tmp_path, firmware_of(make(), TakesSingleWrites)) as desk:
        done = run("test", desk.port, *LINE, *QUICK)

    assert done.exit_code == 1
    assert re.search(r"^FAIL    2\.2-FC05-FC06-refused", done.stdout, re.MULTILINE)
    assert f"expected: {frame(UNIT, bytes((0x86, 1))).hex(' ')} to FC06 at 0403" in done.stdout
    assert "> 0b 06 04 03" in done.stdout
    assert "SKIPPED 2.4-press-and-ack" in done.stdout
    assert "needs hands at the unit" in done.stdout
    assert done.stdout.endswith("Does not conform: 2.2-FC05-FC06-refused\n")


def test_for_programs_there_is_one_document_and_the_verdicts_go_elsewhere(desk):
    done = run("test", desk.url, *LINE, *QUICK, "--json")

    document = json.loads(done.stdout)
    assert (document["conforms"], document["passed"], document["skipped"]) == (True, 3, 1)
    assert document["port"] == desk.url
    assert document["identity"]["serial"] == 0x1234
    assert [one["clause"] for one in document["verdicts"]][-1] == "2.5-lock-cut"
    assert "PASS    2.5-lock-cut" in done.stderr


def test_a_technician_may_say_that_it_cannot_be_done(desk):
    code, said, prompts = at_a_keyboard(["test", desk.url, *LINE, *QUICK, "--hands", "ask"], b"s\n")

    assert code == 0, said
    assert (
        prompts[0] == "   >>>  Press button 1 of seat 3.  [Enter: done; s, Enter: cannot be done]  (seat 3 press 1)\n"
    )
    assert "because: «seat 3 press 1»: the technician says that it cannot be done" in said
    assert "seen" not in "".join(prompts)


def test_a_technician_who_says_that_he_did_it_is_not_believed(desk):
    code, said, _ = at_a_keyboard(["test", desk.url, *LINE, *QUICK, "--hands", "ask"], b"\n")

    assert code == 1
    assert "expected: a bet PENDING after «seat 3 press 1»" in said


def at_a_keyboard(words, answer):
    """The command; after its first prompt this is typed."""
    start = [sys.executable, "-c", "from controller.cli.devices import device; device(prog_name='pozo device')"]
    pipe = subprocess.PIPE
    with subprocess.Popen([*start, *map(str, words)], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe) as child:
        prompts = [child.stderr.readline().decode()]
        child.stdin.write(answer)
        child.stdin.flush()
        said, rest = child.stdout.read(), child.stderr.read()
    return child.returncode, said.decode(), prompts + rest.decode().splitlines()


def test_a_keyboard_that_is_closed_is_nobody(desk):
    done = command("test", desk.url, *LINE, *QUICK, "--hands", "ask", stdin=subprocess.DEVNULL)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "because: «seat 3 press 1»: nobody answers the prompts" in done.stdout


def test_hands_that_refuse_are_quoted(tmp_path):
    with desk_of(tmp_path, firmware_of(make(UnitClass.CONSOLE))) as desk:
        desk.refuses = "key"
        done = run("test", desk.port, *LINE, "--only", "2.3-console", "--hands", desk.hands)

    assert done.exit_code == 0, done.output
    assert "PASS    2.3-console-lock" in done.output
    assert "because: «console key on»: no puedo: console key on" in done.output


def test_hands_that_are_not_needed_are_not_asked(desk):
    done = run("test", desk.port, *LINE, "--only", "2.2-FC04", "--hands", desk.hands)

    assert (done.exit_code, desk.orders) == (0, [])


def test_hands_that_hang_up_are_nobody(desk):
    desk.refuses = "hang up"
    done = run("test", desk.port, *LINE, *QUICK, "--hands", desk.hands)

    assert done.exit_code == 0, done.output
    assert f"because: «seat 3 press 1»: {desk.hands}: closed" in done.output


def test_hands_that_never_answer_are_not_waited_for_longer_than_that(desk, monkeypatch):
    monkeypatch.setattr(cli_device_run, "_HANDS_TIME", 0.2)
    desk.refuses = "say nothing"
    done = run("test", desk.port, *LINE, *QUICK, "--hands", desk.hands)

    assert done.exit_code == 0, done.output
    assert f"because: «seat 3 press 1»: {desk.hands}: no answer" in done.output


def test_an_examination_that_is_broken_off_says_so(desk):
    heeds = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's background ignores it
    start = [
        sys.executable,
        "-c",
        f"{heeds}; from controller.cli.devices import device; device(prog_name='pozo device')",
    ]
    words = ["test", desk.port, *LINE]
    with subprocess.Popen(
        [*start, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=-1, stderr=-1, text=True
    ) as child:
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)

    assert child.returncode == 1
    assert said.endswith("pozo: broken off; the unit may be on the configuration of the examination\n")


def test_where_there_are_no_such_hands_it_says_so_at_once(desk, tmp_path):
    done = command("test", desk.port, *LINE, "--hands", tmp_path / "nobody")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"pozo: {tmp_path / 'nobody'}: No such file or directory\n"


def test_a_port_that_is_not_there_is_one_line(tmp_path):
    done = command("test", tmp_path / "nothing", *LINE)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"pozo: {tmp_path / 'nothing'}: missing")


def test_nobody_at_that_address_is_a_failure_by_name(desk):
    done = run("test", desk.port, "--unit", "99", "--baud", "115200", "--latency", "1")

    assert done.exit_code == 1
    assert done.stdout.startswith("FAIL    2.3-I-identity")
    assert done.stdout.endswith("no identity\nDoes not conform: 2.3-I-identity\n")


def test_a_port_that_goes_away_ends_the_examination(desk):
    desk.later(1.5, desk.unplug)
    done = run("test", desk.port, *LINE)

    assert done.exit_code == 1
    assert "because: the unit does not answer any more since" in done.stdout
    assert f"{desk.port}: lost:" in done.stderr


def test_a_clause_nobody_knows_is_called_wrongly():
    done = run("test", "/dev/null", "--unit", "1", "--only", "9.9")

    assert done.exit_code == 2
    assert "no clause of this name" in done.stderr


def test_a_scan_names_the_units_of_a_line(desk):
    done = run("scan", desk.port, "--units", "9-12,40", "--bauds", "38400,115200", "--latency", "5")

    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["11 at 38400", "11 at 115200"]
    assert "electronic, «POZO SIM», serial 00001234, firmware 1, seat 3, configuration 1, epoch 0" in lines[0]


def test_a_scan_for_programs(desk):
    done = run("scan", desk.url, "--units", "11", "--json", "--bauds", "9600,19200", "--latency", "300")

    [found] = json.loads(done.stdout)
    assert (found["address"], found["native"], found["lock"], found["faults"]) == (11, True, "boot_locked", 0)
    assert found["baud"] is None


def test_a_network_has_no_baud(desk):
    done = run("scan", desk.url, "--units", "11", "--latency", "300")

    assert done.stdout.startswith("11: electronic, «POZO SIM»")


def test_a_unit_that_a_host_feeds_is_left_alone_but_with_force(desk):
    unit = desk.units[0]
    order = Command(command_id=1, opcode=Opcode.OPEN_SESSION, target=5)
    desk.write(WriteWords(at.COMMAND, order.encode()))

    def feed():
        desk.write(WriteWords(at.DESIRED, Desired(token=unit._token, heartbeat=next(beats)).encode()))
        desk.later(0.1, feed)

    beats = itertools.count(1)
    desk.later(0, feed)
    time.sleep(0.3)
    done = command("test", desk.url, *LINE, *QUICK)

    assert done.returncode == 1
    assert (done.stdout, unit._second_host) == ("", False)
    assert done.stderr == (
        "pozo: unit 11 is in use: a host feeds it. Stop that host, or say --force and its round is lost\n"
    )
    assert run("test", desk.url, *LINE, "--only", "2.2-FC04", "--force").stdout.startswith("PASS    2.2-FC04-mirror")


def test_a_scan_that_finds_nobody_says_so(desk):
    done = run("scan", desk.port, "--units", "1-3", "--latency", "0")

    assert (done.exit_code, done.stdout) == (1, "Nobody answered.\n")


def test_a_scan_for_cctalk_finds_no_native_unit(desk):
    done = run("scan", desk.port, "--cctalk", "--units", "2-3")

    assert (done.exit_code, done.stdout) == (1, "Nobody answered.\n")


def test_a_scan_names_others_for_programs_too(desk):
    desk.units[0]._reads.pop(0)
    done = run("scan", desk.port, "--units", "11", "--json", "--bauds", "115200", "--latency", "300")

    [found] = json.loads(done.stdout)
    assert (found["native"], found["told"]) == (False, "not a native unit: exception 02")


@pytest.mark.parametrize(("words", "complaint"), [
    (["--units", "0-3"], "from 1 to 255"),
    (["--units", "1-999999999999"], "from 1 to 255"),
    (["--units", "x"], "'x' is neither a number nor a range like 1-16"),
    (["--units", "250"], "from 1 to 247"),
    (["--units", "1", "--cctalk"], "from 2 to 255"),
    (["--bauds", "5"], "from 300 to 4000000"),
])  # fmt: skip
def test_addresses_that_do_not_exist_are_called_wrongly(words, complaint):
    done = run("scan", "/dev/null", *words)

    assert done.exit_code == 2
    assert complaint in done.stderr


def test_watching_tells_the_unit_and_what_changes(desk):
    desk.later(0.8, lambda: desk.do("seat 3 press 2"))
    done = run("watch", desk.port, *LINE, "--for", "1.6", "--every", "50")

    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert lines[0].startswith("electronic, «POZO SIM», serial 00001234")
    assert lines[1].startswith("boot locked, seq 1, cut 0, no heartbeat")
    assert lines[2].startswith("seat 3: no bet, lamp dark")
    assert lines[-1].startswith("seat 3: no bet, lamp dark")
    assert "refused 1" in lines[-1]
    assert len(lines) < 12


def test_watching_says_once_that_nobody_answers_and_when_somebody_does(desk):
    desk.do("unit 11 off")
    desk.later(1.2, lambda: desk.do("unit 11 on"))
    done = run("watch", desk.port, *LINE, "--for", "2.5", "--every", "50")

    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert lines[0] == "silence instead of an answer to a read of 32 words at 0000"
    assert lines[1].startswith("electronic")


def test_watching_nobody_is_a_no(desk):
    done = run("watch", desk.port, "--unit", "12", "--for", "0.5")

    assert done.exit_code == 1


def on_a_terminal(words, seconds=20):
    """The command with a terminal as its screen and keyboard; everything it showed."""
    master, slave = os.openpty()
    start = [sys.executable, "-c", "from controller.cli.devices import device; device(prog_name='pozo device')"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "150"}
    child = subprocess.Popen(
        [*start, *map(str, words)], cwd=ROOT, stdin=slave, stdout=slave, stderr=slave, env=environment
    )
    os.close(slave)
    shown = b""
    try:
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
    finally:
        os.close(master)
        code = child.wait(seconds)
    return code, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode("utf-8", "replace"))


def test_on_a_terminal_watching_is_a_live_view(desk):
    code, shown = on_a_terminal(["watch", desk.port, *LINE, "--for", "1"])

    assert code == 0
    assert shown.count("boot locked, seq 1") > 2, shown


def test_on_a_terminal_a_bar_says_which_clause_is_examined(desk):
    code, shown = on_a_terminal(["test", desk.port, *LINE, "--only", "2.6-watchdog", "--hands", "none"])

    assert code == 0
    assert "0/3 2.6-watchdog" in shown
    assert "PASS    2.6-watchdog" in shown


def test_on_a_terminal_the_technician_is_asked(desk):
    for moment in range(20):
        desk.later(3 + moment, lambda: desk.do("seat 3 press 1"))
    code, shown = on_a_terminal(["test", desk.url, *LINE, "--only", "2.4-press-and-ack"])

    assert code == 0, shown
    assert "Press button 1 of seat 3." in shown
    assert "<<<  seen" in shown
