"""A desk in the real world: its ports, its clock, its memory on disk, and the socket over which it takes commands.

Everything happens in one loop. A command is one line, its answer one text; over the control socket that is one line
too. What belongs to one simulator (the folder of its ports, its socket, its memory) has one owner, so a second one is
refused, and what a killed one left behind is nobody's. A broken assertion anywhere ends it loudly.
"""

import asyncio
import contextlib
import fcntl
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from drivers.punctual import micros
from drivers.session import SECOND, Micros
from firmware_sim.desk.commands import Act, CommandRefused, duration, read_command
from firmware_sim.desk.control import commanded_at
from firmware_sim.desk.desk import DONE, Desk
from firmware_sim.desk.file import DeskPlan
from firmware_sim.desk.lines import NetLine, SerialLine
from firmware_sim.desk.nvm_file import NvmBusy, NvmFile
from firmware_sim.line.pty import PtyEnd
from firmware_sim.line.tcp import TcpEnd
from firmware_sim.native.nvm import Nvm


class StageRefused(Exception):  # noqa: N818  says what happened
    """Why it cannot be set up, in one sentence."""


class Stage:
    """`async with stage.open(): await stage.over()`."""

    def __init__(self, plan: DeskPlan, ports: Path, control: Path | None = None, state: Path | None = None) -> None:
        self.plan = plan
        self.ports = ports
        self.control = control or ports / "control"
        self._state = state
        self._loop = asyncio.get_running_loop()
        self._end: asyncio.Future[int] = self._loop.create_future()
        self._memories = contextlib.ExitStack()
        self._ptys: list[tuple[SerialLine, PtyEnd]] = []
        self._nets: list[tuple[NetLine, TcpEnd]] = []
        self._plugs_moved = asyncio.Event()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Everything up; and down again, whatever happens."""
        async with contextlib.AsyncExitStack() as closing:
            closing.enter_context(_owned(self.ports))
            closing.enter_context(self._memories)
            dice = Random(self.plan.seed or secrets.randbits(62))  # noqa: S311  a simulation's
            self.desk = Desk(self.plan, dice, micros(), self._memory, self._wake)
            closing.enter_context(self._no_accident())
            closing.push_async_callback(self._close_ends)
            await self._open_ends()
            _clear(self.control)
            closing.callback(self.control.unlink, missing_ok=True)
            try:
                await closing.enter_async_context(commanded_at(self.control, self.obey))
            except OSError as error:
                raise StageRefused(f"{self.control}: {error.strerror or error}") from None
            async with self._nets_followed():
                yield

    @property
    def where(self) -> dict[str, str]:
        """The port of each line, which a host opens."""
        names = {line.name: str(end.link) for line, end in self._ptys}
        return names | {line.name: end.url for line, end in self._nets}

    async def over(self) -> int:
        """Wait for the end; the exit code."""
        return await self._end

    def stop(self, code: int = 0) -> None:
        if not self._end.done():
            self._end.set_result(code)

    # ------------------------------------------------------------------------------------------------ commands

    def obey(self, text: str) -> str:
        """Obey a line: the answer is `ok`, what was asked for, or `no: ` and a sentence."""
        try:
            act = read_command(text)
            return "" if act is None else self._perform(act)
        except CommandRefused as refused:
            return f"no: {refused}"

    async def play(self, script: Sequence[tuple[int, Act]], say: Callable[[int, Act, str], None]) -> bool:
        """Every command of a script in its order; the first refusal ends it."""
        for number, act in script:
            if act.who == "wait":
                time = duration(act.words[0])
                assert time is not None, "it was read as one"
                await asyncio.sleep(time / SECOND)
                continue
            try:
                say(number, act, self._perform(act))
            except CommandRefused as refused:
                say(number, act, f"no: {refused}")
                return False
        return True

    def _perform(self, act: Act) -> str:
        match act.who:
            case "quit":
                self.stop()
                return DONE
            case "status":
                return "\n".join(self.desk.status(micros()))
            case "wait":
                raise CommandRefused("wait stands only in scripts")
        self._turn()
        answer = self.desk.perform(act, micros())
        self._turn()
        self._replug()
        return answer

    # ------------------------------------------------------------------------------------------------ real time

    def _turn(self) -> None:
        """Whatever is due on any line happens, and what anybody says goes out."""
        for _, pty in self._ptys:
            pty.act(_look)
        for _, net in self._nets:
            net.act(_look)

    def _wake(self) -> None:
        """Soon and not now, because the caller is in the middle of one line."""
        self._loop.call_soon(self._turn)

    def _replug(self) -> None:
        for line, pty in self._ptys:
            if line.plugged and not pty.plugged:
                pty.plug()
            elif pty.plugged and not line.plugged:
                pty.unplug()
        self._plugs_moved.set()

    @contextlib.asynccontextmanager
    async def _nets_followed(self) -> AsyncIterator[None]:
        """A listener takes its time to close, so one task alone does it."""
        task = self._loop.create_task(self._follow_nets())
        task.add_done_callback(self._task_ended)
        try:
            yield
        finally:
            task.cancel()

    async def _follow_nets(self) -> None:
        listening = [end for _, end in self._nets]
        while True:
            await self._plugs_moved.wait()
            self._plugs_moved.clear()
            for net, end in self._nets:
                if net.plugged and end not in listening:
                    await _listen(net, end)
                    listening.append(end)
                elif end in listening and not net.plugged:
                    listening.remove(end)
                    await end.unplug()

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._break_off(error)

    # ------------------------------------------------------------------------------------------------ up and down

    def _memory(self, name: str) -> Nvm:
        if self._state is None:
            return Nvm()
        self._state.mkdir(parents=True, exist_ok=True)
        try:
            memory = NvmFile(self._state / f"{name}.nvm")
        except NvmBusy as busy:
            raise StageRefused(str(busy)) from None
        self._memories.callback(memory.close)
        return memory

    async def _open_ends(self) -> None:
        for line in self.desk.lines:
            if isinstance(line, NetLine):
                end = TcpEnd(line.connection, port=line.plan.port)
                self._nets.append((line, end))
                await _listen(line, end)
            else:
                link = self.ports / line.name
                if link.exists() and not link.is_symlink():
                    raise StageRefused(f"{link}: something stands there that is no port of a simulator")
                self._ptys.append((line, PtyEnd(line, link)))

    async def _close_ends(self) -> None:
        """Close every port; a late wake-up finds none to turn."""
        ptys, nets, self._ptys, self._nets = self._ptys, self._nets, [], []
        for _, pty in ptys:
            pty.close()
        for _, net in nets:
            await net.close()

    @contextlib.contextmanager
    def _no_accident(self) -> Iterator[None]:
        """Let a callback that breaks end the stage: an error is never only logged."""
        before = self._loop.get_exception_handler()
        self._loop.set_exception_handler(self._broke)
        try:
            yield
        finally:
            self._loop.set_exception_handler(before)

    def _broke(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        broken = context.get("exception")
        if broken is None:
            loop.default_exception_handler(context)
        else:
            self._break_off(broken)

    def _break_off(self, error: BaseException) -> None:
        if not self._end.done():
            self._end.set_exception(error)


def _look(now: Micros) -> None:
    """Nothing is done; that somebody looks lets everything happen that was due."""


async def _listen(net: NetLine, end: TcpEnd) -> None:
    try:
        await end.open()
    except OSError as error:
        raise StageRefused(f"line {net.name}: port {net.plan.port}: {os.strerror(error.errno or 0)}") from None


@contextlib.contextmanager
def _owned(folder: Path) -> Iterator[None]:
    """The folder itself is the lock: it goes with the process, however that ends."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StageRefused(f"{folder}: another simulator has its ports there") from None
        yield
    finally:
        os.close(handle)


def _clear(path: Path) -> None:
    """Remove the socket of a simulator that was killed; refuse one that answers."""
    if not path.exists():
        return
    if not path.is_socket():
        raise StageRefused(f"{path}: something stands there that is no control socket")
    with socket.socket(socket.AF_UNIX) as probe:
        if probe.connect_ex(str(path)) == 0:
            raise StageRefused(f"{path}: another simulator takes commands there")
    path.unlink()
