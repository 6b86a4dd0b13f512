"""`pozo device`: a technician's and a hardware maker's commands. They talk to one port, alone; no node runs on it.

`test` examines a unit against the contract, clause by clause (drivers/conformance); `scan` says who is on a line;
`watch` shows one unit as it is and never writes to it. What is said comes from drivers; here it is only wired to a
port, a terminal and a person. Exit code 0: what was asked for is so. 1: it is not. 2: called wrongly.
"""

import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Literal, cast

import click
import msgspec
from rich.console import Console
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from controller.cli.device_run import NoHands, PortWalk, Technician, hands_of
from drivers.conformance import report
from drivers.conformance.clause import Clause
from drivers.conformance.examination import CATALOGUE, examine
from drivers.conformance.in_use import InUse, examine_if_free
from drivers.conformance.scan import CCTALK_ADDRESSES, AddressAsked, Found, scan, scan_cctalk
from drivers.conformance.steps import Begun, ClauseVerdict, Need, Walk
from drivers.conformance.subject import Subject
from drivers.conformance.walker import Walker
from drivers.conformance.watch import UnitLook, Unseen, changes, lines_of, watch
from drivers.conformance.wire import Wire
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.rtu import RtuFraming
from drivers.modbus.timing import NETWORK, LineTiming
from drivers.port import PortRefused, PortSettings, is_pty
from drivers.session import MILLISECOND

_MODBUS_UNITS = range(1, 248)
_PATIENCE = 100  # ms that a unit may think before it is silent; that 20 are allowed is a clause of its own
_SCAN_PATIENCE = 30
_CCTALK_BAUD = 9600


def _line_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        click.option("--parity", type=click.Choice(["N", "E", "O"]), default="E", help="Of a serial line."),
        click.option("--stop", type=click.Choice(["1", "2"]), default="1", help="Stop bits of a serial line."),
        click.option(
            "--framing", type=click.Choice(["auto", "rtu", "tcp"]), default="auto",
            help="auto: RTU on a device, Modbus/TCP on socket://; `rtu` for a serial server.",
        ),
        click.option("--latency", type=click.IntRange(0, 500), default=20, help="ms that the adapter keeps bytes."),
    ):  # fmt: skip
        command = option(command)
    return command


def _as_named(_: click.Context, __: click.Parameter, port: str) -> str:
    """A port is opened by an absolute path; a person may stand beside it. A link keeps its name, for that stays."""
    is_path = "://" not in port and ("/" in port or Path(port).exists())
    return str(Path(port).absolute()) if is_path else port


_PORT = click.argument("port", metavar="PORT", callback=_as_named)
_UNIT = click.option(
    "--unit", type=click.IntRange(1, 247), required=True, help="The unit's address; over TCP the unit identifier."
)
_BAUD = click.option("--baud", type=click.IntRange(300, 4_000_000), default=38400, help="Of a serial line.")


@click.group()
def device() -> None:
    """Devices at a table: examine one, find those on a line, watch one. PORT is a path or socket://host:port."""


def _wire(port: str, framing: str, baud: int, latency: int, patience: int) -> Wire:
    answer, late = patience * MILLISECOND, latency * MILLISECOND
    if framing == "rtu" or (framing == "auto" and not _is_network(port)):
        return Wire(RtuFraming(), LineTiming(baud=baud, answer=answer, latency=late), takes_time=not _is_pty(port))
    return Wire(MbapFraming(), LineTiming(baud=NETWORK, answer=answer, latency=late))


def _is_pty(port: str) -> bool:
    """A port that is not there is told when it is opened."""
    with suppress(PortRefused):
        return not _is_network(port) and is_pty(port)
    return False


def _is_network(port: str) -> bool:
    return port.startswith("socket://")


def _settings(baud: int, parity: str, stop: str) -> PortSettings:
    return PortSettings(baud=baud, parity=cast("Literal['N', 'E', 'O']", parity), stop=cast("Literal[1, 2]", int(stop)))


def _subject(unit: int, wire: Wire, can: frozenset[Need]) -> Subject:
    return Subject(
        unit,
        wire,
        can,
        nonce=secrets.randbits(32),
        number=secrets.randbelow(0xFFFF),
        round_id=secrets.randbelow(0xFFFF),
    )


# test


@device.command()
@_PORT
@_UNIT
@_BAUD
@_line_options
@click.option("--hands", metavar="PATH|ask|none", help="The control socket of `pozo sim`; `ask` prompts a technician.")
@click.option("--power-cycle", is_flag=True, help="Whoever does the rest may also cut the unit's power.")
@click.option("--only", multiple=True, metavar="CLAUSE", help="Clauses whose name begins so; may be given again.")
@click.option("--force", is_flag=True, help="Also a unit that a host feeds: its session and its round are lost.")
@click.option("--json", "json_wanted", is_flag=True, help="For programs: one JSON document; verdicts go to stderr.")
def test(
    port: str, unit: int, baud: int, parity: str, stop: str, framing: str, latency: int,
    hands: str | None, power_cycle: bool, only: tuple[str, ...], force: bool, json_wanted: bool,
) -> None:  # fmt: skip
    """Examine a unit against the whole device contract (docs/device-contract.md).

    It needs a unit that is not in use, and leaves one alone that a host feeds: rounds are opened, credits loaded, the
    configuration is replaced and put back.
    """
    clauses = [one for one in CATALOGUE if not only or one.name.startswith(only)]
    if not clauses:
        raise click.BadParameter("no clause of this name", param_hint="--only")
    helping = hands_of(hands)
    can = {Need.HANDS} | ({Need.POWER} if power_cycle else set()) if type(helping) is not NoHands else set()
    wire = _wire(port, framing, baud, latency, _PATIENCE)
    subject = _subject(unit, wire, frozenset(can))
    verdicts: list[ClauseVerdict] = []
    refused: list[str] = []
    with _told_clauses(
        clauses, verdicts, refused, to_stderr=json_wanted, quiet=isinstance(helping, Technician)
    ) as told:
        walk = (examine if force else examine_if_free)(subject, clauses)
        PortWalk(port, _settings(baud, parity, stop), Walker(wire, walk), told, helping).run()
    if refused:
        sys.exit(f"pozo: {refused[0]}")
    if len(verdicts) < len(clauses):
        sys.exit("pozo: broken off; the unit may be on the configuration of the examination")
    for line in (*report.limits(wire), *report.summary(subject.identity, verdicts)):
        click.echo(line, err=json_wanted)
    if json_wanted:
        document = report.as_document(port, wire, unit, subject.identity, verdicts)
        click.echo(msgspec.json.format(msgspec.json.encode(document)).decode())
    sys.exit(0 if report.conforms(verdicts) else 1)


@contextmanager
def _told_clauses(
    clauses: Sequence[Clause], verdicts: list[ClauseVerdict], refused: list[str], *, to_stderr: bool, quiet: bool
) -> Iterator[Callable[[object], None]]:
    """Each verdict as it falls; on a terminal also which clause is being examined."""
    with _bar(len(clauses), quiet=quiet) as on:

        def told(event: object) -> None:
            match event:
                case Begun(name):
                    on(name)
                case ClauseVerdict():
                    verdicts.append(event)
                    click.echo("\n".join(report.lines_of(event)), err=to_stderr)
                case InUse(why):
                    refused.append(why)
                case _:
                    raise AssertionError(event)

        yield told


@contextmanager
def _bar(total: int, *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """On a terminal: how far the work is and with what; call what it gives when the next piece begins."""
    screen = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    hidden = quiet or not screen.is_terminal
    mixed = sys.stdout.isatty()  # what is said on the same screen goes above the bar, what goes to a file stays away
    with Progress(*columns, console=screen, transient=True, disable=hidden, redirect_stdout=mixed) as progress:
        task, begun = progress.add_task("", total=total), 0

        def on(what: str) -> None:
            nonlocal begun
            progress.update(task, completed=begun, description=escape(what))
            begun += 1

        yield on


# scan


class _Numbers(click.ParamType[tuple[int, ...]]):
    """`1-16,40`."""

    name = "numbers"

    def __init__(self, allowed: range) -> None:
        self._allowed = allowed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        found: list[int] = []
        for part in str(value).split(","):
            first, _, last = part.partition("-")
            if not (first.isdecimal() and (last or first).isdecimal()):
                self.fail(f"{part!r} is neither a number nor a range like 1-16", param, ctx)
            found += range(int(first), min(int(last or first), self._allowed[-1] + 1) + 1)
        if not found or not all(number in self._allowed for number in found):
            self.fail(f"from {self._allowed[0]} to {self._allowed[-1]}", param, ctx)
        return tuple(dict.fromkeys(found))


@device.command("scan")
@_PORT
@click.option("--units", type=_Numbers(range(1, 256)), help="Addresses to ask.  [default: all]", show_default=False)
@click.option("--bauds", type=_Numbers(range(300, 4_000_001)), default="38400", help="Speeds to try, by commas.")
@click.option("--cctalk", is_flag=True, help="Ask for ccTalk devices instead: 9600 baud, 8N1.")
@_line_options
@click.option("--json", "json_wanted", is_flag=True, help="For programs: one JSON document.")
def scan_line(
    port: str, units: tuple[int, ...] | None, bauds: tuple[int, ...], cctalk: bool, parity: str, stop: str,
    framing: str, latency: int, json_wanted: bool,
) -> None:  # fmt: skip
    """Who is on a line: class, serial, firmware, seats, configuration, faults. Nothing is written to anybody."""
    if cctalk:
        bauds, parity, stop, framing = (_CCTALK_BAUD,), "N", "1", "rtu"
    elif _is_network(port):
        bauds = bauds[:1]  # a network has no speed
    allowed = CCTALK_ADDRESSES if cctalk else _MODBUS_UNITS
    if not set(units or ()) <= set(allowed):
        raise click.BadParameter(f"from {allowed[0]} to {allowed[-1]}", param_hint="--units")
    asked = units or tuple(allowed)
    found: list[dict[str, object]] = []
    for baud in bauds:
        wire = _wire(port, framing, baud, latency, _SCAN_PATIENCE)
        walk: Walk[None] = scan_cctalk(asked) if cctalk else scan(wire, asked)
        with _bar(len(asked)) as on:
            told = _found(None if _is_network(port) else baud, found, on, json_wanted)
            PortWalk(port, _settings(baud, parity, stop), Walker(wire, walk), told, NoHands()).run()
    if json_wanted:
        click.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    elif not found:
        click.echo("Nobody answered.")
    sys.exit(0 if found else 1)


def _found(
    baud: int | None, found: list[dict[str, object]], on: Callable[[str], None], json_wanted: bool
) -> Callable[[object], None]:
    """A network has no baud."""

    def place(address: int) -> str:
        return f"{address}" if baud is None else f"{address} at {baud}"

    def told(event: object) -> None:
        match event:
            case AddressAsked(address):
                on(place(address))
            case Found(address, identity, poll, words):
                row: dict[str, object] = {
                    "address": address,
                    "baud": baud,
                    "native": identity is not None,
                    "told": words,
                }
                if identity is not None:
                    row["identity"] = report.identity_document(identity)
                if poll is not None:
                    row |= {"lock": poll.lock.name.lower(), "faults": poll.faults}
                found.append(row)
                if not json_wanted:
                    click.echo(f"{place(address)}: {words}")
            case _:
                raise AssertionError(event)

    return told


# watch


@device.command("watch")
@_PORT
@_UNIT
@_BAUD
@_line_options
@click.option("--every", type=click.IntRange(20, 60_000), default=200, help="ms between two looks.")
@click.option("--for", "seconds", type=click.FloatRange(0, min_open=True), help="Stop after so many seconds.")
def watch_unit(
    port: str, unit: int, baud: int, parity: str, stop: str, framing: str, latency: int,
    every: int, seconds: float | None,
) -> None:  # fmt: skip
    """One unit as it is, until Ctrl-C: a live view on a terminal, elsewhere a line for each change. Never writes."""
    wire = _wire(port, framing, baud, latency, _PATIENCE)
    engine = Walker(wire, watch(_subject(unit, wire, frozenset()), every * MILLISECOND))
    screen = Console()
    with Live(console=screen, auto_refresh=False, screen=False) if screen.is_terminal else nullcontext() as live:
        view = _View(live)
        PortWalk(port, _settings(baud, parity, stop), engine, view.told, NoHands()).run(seconds)
    sys.exit(0 if view.last is not None else 1)


class _View:
    def __init__(self, live: Live | None) -> None:
        self._live = live
        self.last: UnitLook | None = None
        self._trouble = ""

    def told(self, event: object) -> None:
        match event:
            case UnitLook():
                lines = lines_of(event) if self._live else changes(None if self._trouble else self.last, event)
                self.last, self._trouble = event, ""
                self._show(lines)
            case Unseen(why):
                again, self._trouble = why == self._trouble, why
                self._show([] if again and self._live is None else [why])
            case _:
                raise AssertionError(event)

    def _show(self, lines: list[str]) -> None:
        if self._live is not None:
            self._live.update(Text("\n".join(lines)), refresh=True)
        else:
            for line in lines:
                click.echo(line)
