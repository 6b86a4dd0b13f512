"""`pozo sim` itself: a real process, its ports, its commands, its memory, its screen, and how it ends."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from drivers.cctalk.frames import Checksum, Frame, Header, encode
from drivers.modbus.pdu import ReadWords, decode_answer, encode_request
from drivers.modbus.rtu import frame
from drivers.native.blocks import Identity, SeatDetail
from drivers.native.contract import BLOCK_WORDS, IDENTITY, UnitClass, detail_address
from support.drivers.peers import program
from support.places import ROOT
from support.sim.desk_play import line, unit
from support.sim.desk_talk import answers

pytestmark = pytest.mark.process

POZO = Path(sys.executable).with_name("pozo")
DESKS = ROOT / "config" / "desks"
MESA = line("mesa", unit("electronic", 1, count=2), unit("console", 20))
SIGNED = MESA + line("letrero", unit("alpha"), kind="alpha")
PATIENCE = 20


class Running:
    """The command, its standard output read line by line."""

    def __init__(self, process, ports):
        self.process = process
        self.ports = ports
        self.said = []

    def until(self, word):
        while not self.said or word not in self.said[-1]:
            said = self.process.stdout.readline()
            assert said, f"it ended: {self.said} {self.process.stderr.read()}"
            self.said.append(said.rstrip("\n"))
        return self.said[-1]

    def tell(self, *commands):
        return answers(self.ports / "control", commands)

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        assert self.process.wait(PATIENCE) is not None
        return self.process.returncode


@contextmanager
def sim(tmp_path, desk=MESA, *options, stdin=subprocess.DEVNULL):
    file = tmp_path / "desk.toml"
    file.write_text(desk)
    ports = tmp_path / "ports"
    with subprocess.Popen(
        [POZO, "sim", file, "--ports", ports, *options],
        stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            running = Running(process, ports)
            running.until("`help` lists the commands")
            yield running
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(PATIENCE)


def run(*arguments, **options):
    return subprocess.run(
        [POZO, "sim", *arguments], capture_output=True, text=True, timeout=60, check=False, **options
    )  # fmt: skip


def read_block(path, number, address, decode):
    """As anybody's serial program would."""
    request = ReadWords(address, BLOCK_WORDS)
    port = os.open(path, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(port, frame(number, encode_request(request)))
        heard = b""
        while len(heard) < 5 + 2 * BLOCK_WORDS:
            assert select.select([port], [], [], PATIENCE)[0], heard
            heard += os.read(port, 300)
    finally:
        os.close(port)
    assert heard == frame(number, heard[1:-2])
    return decode(decode_answer(request, heard[1:-2]).words)


def identity_of(words):
    return Identity.decode(words, 2)


def detail_of(words):
    return SeatDetail.decode(words, 2, 1)


# ---------------------------------------------------------------------------------------------------- ports, commands


def test_it_prints_its_ports_and_who_is_behind_them(tmp_path):
    with sim(tmp_path, MESA + line("red", unit("table", 3, seat=11, seats=4), kind="tcp")) as desk:
        text = "\n".join(desk.said)
        for pattern in (
            r"^desk$",
            rf"^  mesa +rtu +{re.escape(str(desk.ports / 'mesa'))}$",
            r"^    unit 1 +electronic  seat 1  serial [0-9A-F]{8}$",
            r"^    unit 20 +console  serial [0-9A-F]{8}$",
            r"^  red +tcp +socket://127\.0\.0\.1:\d+$",
            r"^    unit 3 +table  seats 11-14  serial [0-9A-F]{8}$",
            rf"^  control +unix +{re.escape(str(desk.ports / 'control'))}$",
        ):
            assert re.search(pattern, text, re.MULTILINE), pattern


def test_a_unit_answers_on_its_pty(tmp_path):
    with sim(tmp_path) as desk:
        identity = read_block(desk.ports / "mesa", 2, IDENTITY, identity_of)

    assert (identity.unit_class, identity.unit, identity.first_seat) == (UnitClass.ELECTRONIC, 2, 2)


def test_mbpoll_reads_a_unit(tmp_path):
    mbpoll = program("mbpoll")
    with sim(tmp_path) as desk:
        told = subprocess.run(
            [mbpoll, "-m", "rtu", "-a", "2", "-b", "115200", "-P", "even", "-t", "4:hex", "-0", "-r", "0", "-c", "32", "-1",
             desk.ports / "mesa"],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    assert "0x4A50" in told.stdout, told


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_cleans_up_when_it_is_ended(tmp_path, number):
    with sim(tmp_path) as desk:
        assert desk.tell("console lock") == ["ok"]
        assert desk.end(number) == 0
        assert desk.process.stderr.read() == ""
        assert list(desk.ports.iterdir()) == []


def test_commands_over_the_socket_reach_the_units(tmp_path):
    with sim(tmp_path) as desk:
        answers = desk.tell("seat 2 press 1", "seat 7 press 1", "line babble", "line hush", "status")
        assert answers[0] == "ok"
        assert answers[1] == "no: seat 7: this desk has seats 1, 2"
        assert answers[4] == (
            "line mesa: up; seat 1: lamp dark, shows 0; seat 2: lamp dark, shows 0, button 1 down; console: closed, key off"
        )
        time.sleep(0.1)
        detail = read_block(desk.ports / "mesa", 2, detail_address(1), detail_of)
        assert (detail.presses, detail.refused) == (1, 1)
        assert desk.tell("quit") == ["ok"]
        assert desk.process.wait(PATIENCE) == 0


def test_commands_come_from_a_pipe_too_and_its_end_is_no_end(tmp_path):
    with sim(tmp_path, MESA, stdin=subprocess.PIPE) as desk:
        desk.process.stdin.write("seat 1 press 3\ndance\nconsole key on\n\n")
        desk.process.stdin.close()
        assert desk.until("dance") == "» dance"
        assert desk.until("no: ").startswith("no: 'dance' is nobody here")
        assert desk.until("ok") == "ok"
        assert desk.tell("status")[0].endswith("key on")


def test_standard_input_may_say_quit(tmp_path):
    file = tmp_path / "desk.toml"
    file.write_text(MESA)
    told = run(file, "--ports", tmp_path / "ports", input="status\nquit\n")

    assert told.returncode == 0
    assert "seat 2: lamp dark, shows 0\n" in told.stdout


def test_without_a_terminal_it_says_what_changes_if_asked(tmp_path):
    with sim(tmp_path, MESA, "--view") as desk:
        desk.until("console: closed, key off")
        desk.tell("seat 1 lamp lit")
        assert desk.until("seat 1") == "seat 1: lamp steady, shows 0"
        desk.tell("unit 2 off")
        assert desk.until("seat 2") == "seat 2: lamp dark, no power"


# ---------------------------------------------------------------------------------------------------- scripts


def scripted(tmp_path, text, *options):
    desk, script = tmp_path / "desk.toml", tmp_path / "script.txt"
    desk.write_text(MESA)
    script.write_text(text)
    return run(desk, "--ports", tmp_path / "ports", "--script", script, *options)


def test_a_script_is_done_and_ends_it_if_so_wished(tmp_path):
    told = scripted(
        tmp_path,
        "# a script\nseat 1 press 2\nwait 50ms\n\nconsole key on\nunit mesa/2 off\nline mesa loss 5%\nstatus\n",
        "--until-script-ends",
    )

    assert told.returncode == 0, told
    said = told.stdout.splitlines()
    start = said.index("» 2: seat 1 press 2")
    assert said[start + 1 : start + 8] == [
        "ok", "» 5: console key on", "ok", "» 6: unit mesa/2 off", "ok", "» 7: line mesa loss 5%", "ok",
    ]  # fmt: skip
    assert "seat 2: lamp dark, no power" in said


def test_a_refused_command_ends_a_script_with_1(tmp_path):
    told = scripted(tmp_path, "seat 1 press 2\nseat 9 chip\nconsole key on\n", "--until-script-ends")

    assert told.returncode == 1
    assert "no: seat 9: this desk has seats 1, 2" in told.stdout
    assert "console key on" not in told.stdout


def test_a_script_that_is_not_understood_starts_nothing(tmp_path):
    told = scripted(tmp_path, "seat 1 press 2\n\nsaet 2 press 1\n")

    assert told.returncode == 1
    assert "script.txt:3: 'saet' is nobody here" in told.stderr
    assert told.stderr.count("\n") == 1
    assert not (tmp_path / "ports").exists()


def test_after_a_script_it_goes_on(tmp_path):
    script = tmp_path / "script.txt"
    for last in ("", "wait 600s\n"):
        script.write_text("console key on\n" + last)
        with sim(tmp_path, MESA, "--script", script) as desk:
            desk.until("ok")
            assert desk.tell("status")[0].endswith("key on")
            assert desk.end() == 0


# ---------------------------------------------------------------------------------------------------- refused


def test_a_bad_desk_is_refused_with_its_place(tmp_path):
    file = tmp_path / "desk.toml"
    file.write_text(MESA + line("mesa", unit("electronic", 9, seat=9)))
    told = run(file, "--ports", tmp_path / "ports")

    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr == f"pozo: {file}: line 'mesa' is there 2 times; a line's name is unique\n"


def test_a_second_one_on_the_same_ports_is_refused_in_one_sentence(tmp_path):
    with sim(tmp_path) as desk:
        told = run(tmp_path / "desk.toml", "--ports", desk.ports)
        assert told.returncode == 1
        assert told.stderr == f"pozo: {desk.ports}: another simulator has its ports there\n"
        assert desk.tell("console lock") == ["ok"]


def test_a_file_that_is_not_there_and_an_end_without_a_script_are_called_wrongly(tmp_path):
    assert run(tmp_path / "no.toml").returncode == 2
    (tmp_path / "desk.toml").write_text(MESA)
    told = run(tmp_path / "desk.toml", "--until-script-ends")
    assert (told.returncode, "needs a --script" in told.stderr) == (2, True)


@pytest.mark.parametrize("name", ["draw", "caribe", "texas", "todo"])
def test_the_desks_that_come_along_start(tmp_path, name):
    script = tmp_path / "script.txt"
    script.write_text("status\n")
    told = run(DESKS / f"{name}.toml", "--ports", tmp_path / "ports", "--script", script, "--until-script-ends")

    assert told.returncode == 0, told
    assert "console: closed" in told.stdout


# ---------------------------------------------------------------------------------------------------- memory


def test_killing_it_is_a_power_cut_and_loses_nothing(tmp_path):
    state = ("--state", tmp_path / "state")
    with sim(tmp_path, MESA, *state) as desk:
        assert desk.tell("seat 2 press 1") == ["ok"]
        time.sleep(0.2)  # it is debounced and counted
        before = read_block(desk.ports / "mesa", 2, IDENTITY, identity_of)
        assert desk.end(signal.SIGKILL) == -signal.SIGKILL
    assert (tmp_path / "ports" / "control").is_socket()  # nothing was tidied

    with sim(tmp_path, MESA, *state) as desk:
        detail = read_block(desk.ports / "mesa", 2, detail_address(1), detail_of)
        identity = read_block(desk.ports / "mesa", 2, IDENTITY, identity_of)
        assert (detail.presses, detail.refused) == (1, 1)
        assert identity.boots == before.boots + 1
        assert identity.boot_id != before.boot_id
        assert identity.totals_epoch == before.totals_epoch


def test_without_a_state_its_memory_is_its_own(tmp_path):
    for _ in range(2):
        with sim(tmp_path) as desk:
            assert read_block(desk.ports / "mesa", 2, IDENTITY, identity_of).boots == 1
            desk.tell("seat 2 press 1")


# ---------------------------------------------------------------------------------------------------- the screen


class Terminal:
    """A terminal of so many columns and rows with the command in it; what it wrote, and keys for it."""

    def __init__(self, tmp_path, *options, desk=SIGNED, columns=100, rows=30, term="xterm-256color"):
        file = tmp_path / "desk.toml"
        file.write_text(desk)
        self.ports = tmp_path / "ports"
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        environment = {
            name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "COLUMNS", "LINES"}
        }
        self.process = subprocess.Popen(
            [POZO, "sim", file, "--ports", self.ports, *options],
            stdin=self.slave, stdout=self.slave, stderr=subprocess.PIPE, start_new_session=True,
            env=environment | {"TERM": term},
        )  # fmt: skip
        self.seen = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        os.close(self.master)
        os.close(self.slave)

    def until(self, word):
        """Reads on until it was written; only what came after the last time counts."""
        end = time.monotonic() + PATIENCE
        while word not in self.seen:
            assert time.monotonic() < end, self.seen[-2000:]
            self.read()
        self.seen = self.seen.split(word, 1)[1]

    def read(self, wait=0.1):
        if select.select([self.master], [], [], wait)[0]:
            raw = os.read(self.master, 65_536).decode("utf-8", "replace")
            self.seen += re.sub(r"\x1b\[[0-9;]*m", "", raw)  # without colours

    def settle(self):
        """Until it writes nothing for a while; that is forgotten."""
        self.seen = "?"
        while self.seen:
            self.seen = ""
            self.read(0.4)

    def type(self, keys):
        os.write(self.master, keys.encode())

    def end(self):
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < end
            self.read()
        for _ in range(3):
            self.read()
        return self.process.returncode


def test_on_a_terminal_the_table_is_seen_with_a_prompt_below(tmp_path):
    with Terminal(tmp_path) as screen:
        screen.until("\x1b[?1049h")  # a screen of its own
        screen.until("MESA CERRADA")
        screen.until("llave: no")
        screen.type("console key om\x7fn")
        screen.until("console key on")
        screen.type("\r")
        screen.until("ok")
        screen.type("seat 9 chip\r")
        screen.until("no: seat 9: this desk has seats 1, 2")
        screen.type("help\r")
        screen.until("somebody opens the housing")
        screen.type("\r")
        screen.until("llave: sí")
        assert not termios.tcgetattr(screen.slave)[3] & (termios.ECHO | termios.ICANON)

        screen.type("quit\r")
        assert screen.end() == 0
        screen.until("\x1b[?1049l")
        screen.until(f"{screen.ports}/mesa")  # what stood on the screen is said once more
        assert termios.tcgetattr(screen.slave) == screen.before
        assert screen.process.stderr.read() == b""


def test_control_c_ends_the_screen_and_the_terminal_is_as_it_was(tmp_path):
    with Terminal(tmp_path, columns=60, rows=12) as screen:
        screen.until(" desk ")
        screen.process.send_signal(signal.SIGINT)

        assert screen.end() == 0
        assert "\x1b[?1049l" in screen.seen
        assert termios.tcgetattr(screen.slave) == screen.before
        assert list(screen.ports.iterdir()) == []


def test_a_lamp_really_blinks_and_a_quiet_table_is_not_drawn_again(tmp_path):
    with Terminal(tmp_path, desk=line("ranura", unit("cctalk", 2), kind="cctalk")) as screen:
        screen.until("quit")
        screen.settle()
        screen.read(1.0)
        assert screen.seen == ""  # nothing changed, nothing was written

        flash = encode(Frame(2, 1, Header.TEST_LAMPS, bytes((1, 50))), Checksum.SUM)
        port = os.open(screen.ports / "ranura", os.O_RDWR | os.O_NOCTTY)
        os.write(port, flash)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            screen.read()
        os.close(port)
        assert 8 <= screen.seen.count("\x1b[H") <= 24  # four times a second it is lit, and dark
        screen.type("\x04")
        assert screen.end() == 0


def test_a_long_refusal_is_wrapped_and_a_new_size_is_drawn(tmp_path):
    with Terminal(tmp_path, columns=50, rows=24) as screen:
        screen.until("MESA CERRADA")
        screen.type("dance\r")
        screen.until("'dance' is nobody here; try seat,")
        screen.until("quit")
        fcntl.ioctl(screen.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
        screen.until("─" * 110)


def test_the_end_of_typing_ends_it(tmp_path):
    with Terminal(tmp_path) as screen:
        screen.until("MESA CERRADA")
        screen.type("\x04")
        assert screen.end() == 0


def test_without_the_view_a_terminal_has_a_plain_prompt(tmp_path):
    with Terminal(tmp_path, "--no-view") as screen:
        screen.until("Ctrl-C ends it.")
        screen.until("» ")
        screen.type("console key on\n")
        screen.until("ok")
        screen.until("» ")
        screen.type("\n")
        screen.until("» ")
        screen.type("\x04")
        assert screen.end() == 0
        assert "\x1b[?1049h" not in screen.seen


def test_a_terminal_that_can_do_nothing_is_not_drawn_on(tmp_path):
    with Terminal(tmp_path, term="dumb") as screen:
        screen.until("Ctrl-C ends it.")
        screen.type("quit\n")
        assert screen.end() == 0


def test_a_terminal_that_is_gone_ends_it(tmp_path):
    with Terminal(tmp_path, "--no-view") as screen:
        screen.until("Ctrl-C ends it.")
        screen.process.send_signal(signal.SIGHUP)
        assert screen.end() == 0
