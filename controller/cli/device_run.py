"""One walk of drivers/conformance on one real port, and whose hands do what it asks for.

Hands are a technician who reads a prompt and presses Enter, the control socket of `pozo sim`, or none. The loop is
the rack's; a question to a person never keeps a byte waiting.
"""

import asyncio
import sys
from collections.abc import Callable
from contextlib import suppress

import click

from drivers.conformance.steps import Over, Prompt, PromptOver
from drivers.conformance.walker import Walker
from drivers.port import PortSettings
from drivers.punctual import precise_loop
from drivers.rack import PortClosed, PortNotOpened, PortOpened, Rack, RackLine

_NAME = "line"
_NOBODY = "nobody answers the prompts"
_HANDS_TIME = 10.0  # seconds


class PortWalk:
    """A walk on a port. It ends with its last step, with its time, or with Ctrl-C."""

    def __init__(
        self, port: str, settings: PortSettings, engine: Walker, told: Callable[[object], None], hands: "NoHands"
    ) -> None:
        self._port, self._engine, self._told, self._hands = port, engine, told, hands
        self._rack = Rack([RackLine(name=_NAME, url=port, session=engine, port=settings)], self._event)
        self._opened, self._stopped, self._trouble = False, False, ""

    def run(self, longest: float | None = None) -> None:
        with suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=precise_loop) as runner:
            runner.run(self._main(longest))
        if self._trouble:
            sys.exit(f"pozo: {self._trouble}")

    async def _main(self, longest: float | None) -> None:
        if longest is not None:
            asyncio.get_running_loop().call_later(longest, self._stop)
        await self._hands.begin(self._engine)
        try:
            await self._rack.run()
        finally:
            self._hands.end()

    def _stop(self) -> None:
        self._stopped = True
        self._rack.stop()

    def _event(self, _: str, event: object) -> None:
        match event:
            case PortNotOpened(place, reason, detail):
                if not self._opened:  # later it may come back, and meanwhile everything is silence
                    self._trouble = f"{place}: {reason.value}{': ' if detail else ''}{detail}"
                    self._stop()
            case PortOpened(place, notes):
                self._opened = True
                for note in notes:
                    click.echo(f"{place}: {note}", err=True)
            case PortClosed(place, detail):
                if not self._stopped:
                    click.echo(f"{place}: lost: {detail}", err=True)
            case Prompt(command, sentence):
                self._hands.asked(command, sentence)
            case PromptOver(seen):
                self._hands.over(seen=seen)
            case Over():
                self._stop()
            case _:
                self._told(event)


class NoHands:
    async def begin(self, engine: Walker) -> None:
        self._engine = engine

    def asked(self, command: str, sentence: str) -> None:
        raise AssertionError(f"nobody is there, and is asked: {command}: {sentence}")

    def over(self, *, seen: bool) -> None: ...

    def end(self) -> None: ...


class Technician(NoHands):
    """Reads what to do, does it, and presses Enter only where the unit does not show it."""

    async def begin(self, engine: Walker) -> None:
        await super().begin(engine)
        self._gone = False
        asyncio.get_running_loop().add_reader(sys.stdin, self._typed)

    def asked(self, command: str, sentence: str) -> None:
        click.echo(f"   >>>  {sentence}  [Enter: done; s, Enter: cannot be done]  ({command})", err=True)
        if self._gone:
            self._engine.hands_refused(_NOBODY)

    def over(self, *, seen: bool) -> None:
        if seen:
            click.echo("   <<<  seen", err=True)

    def end(self) -> None:
        asyncio.get_running_loop().remove_reader(sys.stdin)

    def _typed(self) -> None:
        line = sys.stdin.readline()
        if line.strip():
            self._engine.hands_refused("the technician says that it cannot be done")
        elif line:
            self._engine.hands_done()
        else:
            self.end()  # the terminal is closed
            self._gone = True
            self._engine.hands_refused(_NOBODY)


class Simulated(NoHands):
    """The control socket of `pozo sim`: one command a line, answered by `ok` or by a sentence."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._sending: asyncio.Task[None] | None = None

    async def begin(self, engine: Walker) -> None:
        await super().begin(engine)
        try:
            self._reader, self._writer = await asyncio.open_unix_connection(self._path)
        except OSError as error:
            sys.exit(f"pozo: {self._path}: {error.strerror}")

    def asked(self, command: str, sentence: str) -> None:
        del sentence
        before, self._sending = self._sending, None
        self._sending = asyncio.get_running_loop().create_task(self._send(command, before))

    def end(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        self._writer.close()

    async def _send(self, command: str, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await before
        try:
            self._writer.write(f"{command}\n".encode())
            said = (await asyncio.wait_for(self._reader.readline(), _HANDS_TIME)).decode("utf-8", "replace").strip()
        except (OSError, TimeoutError, ValueError) as error:
            said = f"{self._path}: {str(error) or 'no answer'}"
        if said == "ok":
            self._engine.hands_done()
        else:
            self._engine.hands_refused(said or f"{self._path}: closed")


def hands_of(asked: str | None) -> NoHands:
    """`None`: the person at the terminal, if standard input is one."""
    if asked is None:
        asked = "ask" if sys.stdin.isatty() else "none"
    return {"ask": Technician, "none": NoHands}[asked]() if asked in {"ask", "none"} else Simulated(asked)
