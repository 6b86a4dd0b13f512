"""A desk on real ptys and sockets: set up, obeyed, unplugged, taken down; and memories that outlive their process."""

import asyncio
import os
import random
import socket
import time
from contextlib import asynccontextmanager

import pytest

from drivers.modbus.mbap import frame as mbap_frame
from drivers.modbus.pdu import ReadWords, encode_request
from drivers.modbus.rtu import frame as rtu_frame
from drivers.native.contract import IDENTITY, MemoryHealth, UnitClass
from drivers.punctual import precise_loop
from firmware_sim.desk.commands import read_command
from firmware_sim.desk.control import MOST_CONNECTIONS, in_one_line
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.nvm_file import NvmBusy, NvmFile
from firmware_sim.desk.stage import Stage, StageRefused
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import PowerCutError
from firmware_sim.native.unit import Firmware
from support.sim.desk_play import line, unit

pytestmark = pytest.mark.process

MESA = line("mesa", unit("electronic", 1, count=2), unit("console", 20))
RED = line("red", unit("table", 1, seat=11), kind="tcp")
READ = encode_request(ReadWords(IDENTITY, 4))


def play(main):
    """A coroutine to its end, in a loop that wakes in time."""
    with asyncio.Runner(loop_factory=precise_loop) as runner:
        return runner.run(asyncio.wait_for(main, 30))


@asynccontextmanager
async def staged(folder, *lines, state=None, control=None):
    stage = Stage(read_desk("seed = 5\n" + "".join(lines), "desk.toml"), folder / "ports", control, state)
    async with stage.open():
        yield stage


async def until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end, "it never came true"
        await asyncio.sleep(0.01)


async def asked_on_a_pty(path, number=1):
    """What a host that opens the port hears."""
    port = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        os.write(port, rtu_frame(number, READ))
        heard = b""
        for _ in range(100):
            await asyncio.sleep(0.005)
            try:
                heard += os.read(port, 100)
            except BlockingIOError:
                continue
            except OSError:
                break
            if len(heard) >= 13:
                break
        return heard
    finally:
        os.close(port)


async def asked_on_tcp(url):
    host, port = url.removeprefix("socket://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(mbap_frame(1, 1, READ))
        return await asyncio.wait_for(reader.read(100), 5)
    finally:
        writer.close()


async def told_by(control, *commands):
    reader, writer = await asyncio.open_unix_connection(control)
    try:
        answers = []
        for command in commands:
            writer.write(command.encode() + b"\n")
            answers.append((await asyncio.wait_for(reader.readline(), 5)).decode().rstrip("\n"))
        return answers
    finally:
        writer.close()


# ---------------------------------------------------------------------------------------------------- ports


def test_hosts_find_the_units_on_every_line(tmp_path):
    async def main():
        async with staged(tmp_path, MESA, RED) as stage:
            assert stage.where["mesa"] == str(tmp_path / "ports" / "mesa")
            assert (await asked_on_a_pty(stage.where["mesa"], 2))[:3] == bytes((2, 3, 8))
            assert (await asked_on_tcp(stage.where["red"]))[6:9] == bytes((1, 3, 8))
        assert list((tmp_path / "ports").iterdir()) == []

    play(main())


def test_an_unplugged_line_is_gone_and_comes_back_under_its_name(tmp_path):
    async def main():
        async with staged(tmp_path, MESA, RED) as stage:
            link, url = stage.where["mesa"], stage.where["red"]
            names = {path.name for path in (tmp_path / "ports").iterdir()}
            assert [stage.obey("line unplug"), stage.obey("line unplug")] == ["ok", "ok"]
            assert names - {path.name for path in (tmp_path / "ports").iterdir()} == {"mesa"}
            await asyncio.sleep(0.05)
            with pytest.raises(ConnectionRefusedError):
                await asked_on_tcp(url)

            assert [stage.obey("line plug"), stage.obey("line plug")] == ["ok", "ok"]
            assert await asked_on_a_pty(link)
            await asyncio.sleep(0.05)
            assert await asked_on_tcp(url)

    play(main())


def test_the_console_locks_units_on_other_lines_in_real_time(tmp_path):
    async def main():
        async with staged(tmp_path, MESA, RED) as stage:
            stage.obey("console lock")
            table = stage.desk.devices[-1].firmware
            await until(lambda: table.line_pulled)

    play(main())


def test_a_second_simulator_on_the_same_ports_is_refused(tmp_path):
    async def main():
        async with staged(tmp_path, MESA):
            with pytest.raises(StageRefused, match="ports: another simulator has its ports there"):
                async with staged(tmp_path, RED):
                    pass
        async with staged(tmp_path, RED):
            pass

    play(main())


@pytest.mark.parametrize("name", ["mesa", "control"])
def test_what_is_no_port_is_left_alone(tmp_path, name):
    async def main():
        (tmp_path / "ports").mkdir()
        (tmp_path / "ports" / name).write_text("precious")
        with pytest.raises(StageRefused, match=f"ports/{name}: something stands there"):
            async with staged(tmp_path, MESA):
                pass
        assert (tmp_path / "ports" / name).read_text() == "precious"

    play(main())


def test_links_and_sockets_of_a_killed_simulator_are_nobodys(tmp_path):
    async def main():
        ports = tmp_path / "ports"
        ports.mkdir()
        (ports / "mesa").symlink_to("/dev/pts/none")
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(ports / "control"))
        async with staged(tmp_path, MESA) as stage:
            assert await asked_on_a_pty(stage.where["mesa"])
            assert await told_by(stage.control, "console lock") == ["ok"]

    play(main())


def test_a_taken_port_is_refused(tmp_path):
    async def main():
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            number = taken.getsockname()[1]
            with pytest.raises(StageRefused, match=f"line red: port {number}: Address already in use"):
                async with staged(tmp_path, MESA, RED.replace('kind = "tcp"', f'kind = "tcp"\nport = {number}')):
                    pass
        assert list((tmp_path / "ports").iterdir()) == []

    play(main())


def test_a_port_that_is_taken_while_it_is_unplugged_ends_the_desk_with_a_sentence(tmp_path):
    async def main():
        async with staged(tmp_path, RED) as stage:
            stage.obey("line unplug")
            await asyncio.sleep(0.05)
            with socket.socket() as taken:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                taken.bind(("127.0.0.1", int(stage.where["red"].rsplit(":", 1)[1])))
                taken.listen()
                stage.obey("line plug")
                with pytest.raises(StageRefused, match="Address already in use"):
                    await stage.over()

    play(main())


# ---------------------------------------------------------------------------------------------------- commands


def test_the_control_socket_answers_every_command_with_one_line(tmp_path):
    async def main():
        async with staged(tmp_path, MESA) as stage:
            answers = await told_by(
                stage.control, "seat 2 press 1", "", "# nothing", "seat 9 chip", "dance", "wait 1s", "x" * 500
            )
            assert answers[:3] == ["ok", "ok", "ok"]
            assert all(answer.startswith("no: ") for answer in answers[3:])
            (status, words) = await told_by(stage.control, "status", "help")
            assert status.startswith("line mesa: up; seat 1: lamp dark, shows 0; ")
            assert "; status, help, quit" in words

    play(main())


def test_a_command_may_come_in_pieces_and_several_in_one(tmp_path):
    async def main():
        async with staged(tmp_path, MESA) as stage:
            reader, writer = await asyncio.open_unix_connection(stage.control)
            for piece in (b"sea", b"t 1 pre", b"ss 1\nconsole key on\r\nuni", b"t 99 off\n"):
                writer.write(piece)
                await asyncio.sleep(0.01)
            assert [await reader.readline() for _ in range(2)] == [b"ok\n", b"ok\n"]
            assert (await reader.readline()).startswith(b"no: unit 99: ")
            writer.close()

    play(main())


def test_whoever_floods_the_control_socket_is_dropped(tmp_path):
    async def main():
        async with staged(tmp_path, MESA) as stage:
            reader, writer = await asyncio.open_unix_connection(stage.control)
            writer.write(b"x" * 3000)
            assert await reader.read() == b""
            writer.close()

            reader, writer = await asyncio.open_unix_connection(stage.control)
            with pytest.raises(ConnectionError):
                await _ask_and_never_listen(writer)
            writer.close()

            many = [await asyncio.open_unix_connection(stage.control) for _ in range(MOST_CONNECTIONS + 1)]
            assert await many[-1][0].read() == b""
            many[0][1].write(b"console lock\n")
            assert await many[0][0].readline() == b"ok\n"
            for _, writer in many:
                writer.close()

    play(main())


async def _ask_and_never_listen(writer):
    for _ in range(3000):
        writer.write(b"help\n" * 100)
        await writer.drain()


def test_a_control_socket_that_somebody_answers_is_not_taken(tmp_path):
    async def main():
        async with staged(tmp_path / "a", MESA) as first:
            with pytest.raises(StageRefused, match="control: another simulator takes commands there"):
                async with staged(tmp_path / "b", MESA, control=first.control):
                    pass
            assert await told_by(first.control, "console lock") == ["ok"]
        with pytest.raises(StageRefused, match="AF_UNIX path too long"):
            async with staged(tmp_path, MESA, control=tmp_path / ("x" * 120)):
                pass

    play(main())


def test_quit_ends_it_and_is_answered(tmp_path):
    async def main():
        async with staged(tmp_path, MESA) as stage:
            assert await told_by(stage.control, "quit") == ["ok"]
            stage.stop(7)  # later ends change nothing
            return await stage.over()

    assert play(main()) == 0


def test_a_script_is_played_in_its_time_and_ends_at_its_first_refusal(tmp_path):
    async def main():
        said = []
        script = [(1, "seat 1 press 1"), (2, "wait 60ms"), (4, "console key on"), (5, "seat 9 chip"), (6, "quit")]
        acts = [(number, read_command(text)) for number, text in script]
        async with staged(tmp_path, MESA) as stage:
            start = time.monotonic()
            good = await stage.play(acts[:3], lambda *words: said.append(words))
            assert good
            assert time.monotonic() - start >= 0.06
            assert not await stage.play(acts, lambda *words: said.append(words))
        assert [(number, answer.split(":")[0]) for number, _, answer in said] == [
            (1, "ok"), (4, "ok"), (1, "ok"), (4, "ok"), (5, "no"),
        ]  # fmt: skip

    play(main())


def test_a_broken_assertion_ends_it_loudly(tmp_path):
    async def main():
        async with staged(tmp_path, MESA) as stage:
            asyncio.get_running_loop().call_exception_handler({"message": "only a word"})

            def break_it():
                raise AssertionError("broken")

            asyncio.get_running_loop().call_soon(break_it)
            asyncio.get_running_loop().call_soon(break_it)
            await stage.over()

    with pytest.raises(AssertionError, match="broken"):
        play(main())


def test_many_lines_become_one():
    assert in_one_line("a  b\n   c\n") == "a b; c"
    assert in_one_line("") == "ok"


# ---------------------------------------------------------------------------------------------------- memory


def a_unit(nvm, seed=1):
    return Firmware(Make(1, UnitClass.ELECTRONIC, serial=3), nvm, random.Random(seed))


def test_a_memory_file_holds_what_the_unit_saved(tmp_path):
    path = tmp_path / "unit.nvm"
    nvm = NvmFile(path)
    unit_before = a_unit(nvm)
    unit_before.press(1, 2, 1000)
    unit_before.tick(2_000_000)
    nvm.close()

    again = NvmFile(path)
    assert a_unit(again).memory.seats[0].presses == 1
    assert again.load()[1] is MemoryHealth.OK
    again.close()


def test_each_bank_is_kept_apart_and_so_is_the_epoch(tmp_path):
    path = tmp_path / "unit.nvm"
    nvm = NvmFile(path)
    nvm.save(b"first")
    nvm.damage()
    nvm.close()
    nvm = NvmFile(path)
    assert nvm.load() == (b"first", MemoryHealth.RECOVERED)

    nvm.epoch = 3
    nvm.save(b"second")
    nvm.lose()
    nvm.close()
    nvm = NvmFile(path)
    assert (nvm.load(), nvm.epoch) == ((None, MemoryHealth.LOST), 3)
    nvm.close()


@pytest.mark.parametrize("cut", range(0, 60, 4))
def test_a_cut_in_the_middle_of_a_write_leaves_what_was_or_what_is(tmp_path, cut):
    nvm = NvmFile(tmp_path / "unit.nvm")
    nvm.save(b"before")
    nvm.cut_after(cut)
    with pytest.raises(PowerCutError):
        nvm.save(b"after." * 3)
    nvm.close()

    nvm = NvmFile(tmp_path / "unit.nvm")
    assert nvm.load()[0] in {b"before", b"after." * 3}
    nvm.close()


def test_rubbish_in_the_file_is_lost_memory(tmp_path):
    for content, health in (
        (b"", MemoryHealth.OK),
        (b"\xff" * 40, MemoryHealth.LOST),
        (os.urandom(20_000), MemoryHealth.LOST),
    ):
        (tmp_path / "unit.nvm").write_bytes(content)
        nvm = NvmFile(tmp_path / "unit.nvm")
        assert nvm.load() == (None, health)
        nvm.close()


def test_a_memory_has_one_owner(tmp_path):
    async def main():
        state = tmp_path / "state"
        async with staged(tmp_path / "a", MESA, state=state):
            assert {path.name for path in state.iterdir()} == {"mesa-1.nvm", "mesa-2.nvm", "mesa-20.nvm"}
            with pytest.raises(StageRefused, match=r"mesa-1\.nvm: another simulator keeps its memory there"):
                async with staged(tmp_path / "b", MESA, state=state):
                    pass
        with pytest.raises(NvmBusy):
            _two_of(tmp_path / "x.nvm")

    play(main())


def _two_of(path):
    first = NvmFile(path)
    try:
        NvmFile(path)
    finally:
        first.close()
