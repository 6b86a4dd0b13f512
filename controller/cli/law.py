"""`pozo settle`, `accrue`, `plan`, `odds`: the law as commands (docs/operators/commands.md).

Theory. Each command reads its input, lets the parts do the work and says what came out; nothing is decided here. Exit
code 0: all good. 1: an answer that says no (a refused plan, a line with an error). 2: the command was called wrongly.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec

from controller.approval import accrue_lines, settle_lines
from controller.approval.forecast import Forecast, Pace, as_json, forecast
from controller.approval.lines import Answer, answer_all
from controller.approval.plot import plot
from controller.approval.sheet import approval_sheet, odds_report
from controller.approval.solvency import MARKS, Course, most_seats
from controller.cli.progress import progress_of
from controller.documents import read_laws, read_new_plan, read_plan
from controller.rules.money import MOST_BET, Money
from controller.rules.plan import Plan
from controller.rules.ruleset import MOST_SEATS

_RULESETS = click.option(
    "--rulesets",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with more rulesets (*.toml) beside the program's own.",
)
_LINES = click.argument("source", type=click.File("rb"), default="-")
_PLAN = click.argument("plan_file", metavar="PLAN", type=click.Path(dir_okay=False, path_type=Path))


@click.command()
@_LINES
@_RULESETS
def settle(source: BinaryIO, rulesets: Path | None) -> None:
    """What each pass pays: JSON Lines in, JSON Lines out (docs/operators/commands.md)."""
    _answer(source, settle_lines.answers(read_laws(rulesets).rulesets))


@click.command()
@_LINES
def accrue(source: BinaryIO) -> None:
    """What bets contribute to commission, reserves and main pot: JSON Lines in, JSON Lines out."""
    _answer(source, accrue_lines.answer)


def _answer(source: BinaryIO, answer: Answer) -> None:
    with open(sys.stdout.fileno(), "wb", buffering=2**16, closefd=False) as sink:
        all_good = answer_all(source, sink, answer)
    sys.exit(0 if all_good else 1)


@click.group()
def plan() -> None:
    """Plans: what an authority approved for one pot."""


def _course_options(paths: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """What a forecast is asked with; how many paths it plays by default is the command's."""
    options = (
        click.option("--bet", type=click.IntRange(1, MOST_BET), help="Size of a bet; by default the plan's minimum."),
        click.option(
            "--seats", type=click.IntRange(1, MOST_SEATS), help="Seats betting in each pass; by default 4, or all."
        ),
        click.option("--passes", type=click.IntRange(1, 1000), default=35, help="Passes an hour at each table."),
        click.option("--hours", type=click.IntRange(1, 24), default=12, help="Hours of a gaming day."),
        click.option("--bets", type=click.IntRange(1000, 10**9), default=400_000, help="Bets of one simulated path."),
        click.option("--paths", type=click.IntRange(1, 100_000), default=paths, help="Simulated paths."),
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, help="Seed of the simulation."),
    )

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@plan.command()
@_PLAN
@_RULESETS
@_course_options(paths=50)
def check(plan_file: Path, rulesets: Path | None, **asked: Any) -> None:
    """Print a plan as an approval sheet, or refuse it with the key and the rule."""
    laws = read_laws(rulesets)
    checked, print_of_plan = read_new_plan(plan_file, laws)
    outlook = _forecast(checked, **asked)
    prints = [("del plan", print_of_plan), ("del reglamento", laws.fingerprints[checked.ruleset.name])]
    click.echo(approval_sheet(outlook, prints), nl=False)


@click.command()
@_PLAN
@_RULESETS
@_course_options(paths=250)
@click.option("--json", "json_wanted", is_flag=True, help="For programs: one JSON document.")
@click.option("--plot", "picture", type=click.Path(dir_okay=False, path_type=Path), help="Also draw it, as SVG.")
def odds(plan_file: Path, rulesets: Path | None, json_wanted: bool, picture: Path | None, **asked: Any) -> None:
    """Exact odds, return, worst case and solvency of a plan."""
    same = picture is not None and os.path.realpath(picture) == os.path.realpath(plan_file)
    if same or (picture is not None and not picture.parent.is_dir()):
        raise click.BadParameter("not a place to draw a picture", param_hint="--plot")
    approved, _ = read_plan(plan_file, read_laws(rulesets))
    outlook = _forecast(approved, **asked)
    if picture is not None:
        picture.write_text(plot(outlook), encoding="utf-8")
    if json_wanted:
        click.echo(msgspec.json.format(msgspec.json.encode(as_json(outlook))).decode())
    else:
        click.echo(odds_report(outlook), nl=False)


def _forecast(
    plan: Plan, *, bet: int | None, seats: int | None, passes: int, hours: int, bets: int, paths: int, seed: int
) -> Forecast:
    """Every figure, with a progress bar on a terminal."""
    all_tables = passes * len(plan.tables)
    course = Course(_stake(plan, bet), _betting(plan, seats), bets, paths, all_tables, hours)
    if course.passes < MARKS:
        raise click.BadParameter(f"at least {MARKS * course.seats} bets", param_hint="--bets")
    with progress_of("simulando", paths) as step:
        return forecast(plan, course, Pace(passes, course.seats, hours), seed, lambda: step(1))


def _stake(plan: Plan, bet: int | None) -> Money:
    """R-1, R-3: a bet that the plan takes."""
    limits = plan.limits
    stake = Money(bet or limits.least)
    if not limits.least <= stake <= limits.most or stake % limits.credit_value:
        wanted = f"the plan takes {limits.least} to {limits.most}, in credits of {limits.credit_value}"
        raise click.BadParameter(wanted, param_hint="--bet")
    return stake


def _betting(plan: Plan, seats: int | None) -> int:
    """R-7: as many seats as every linked table has."""
    most = most_seats(plan)
    if seats is not None and seats > most:
        raise click.BadParameter(f"the smallest linked table has {most} seats", param_hint="--seats")
    return seats or min(4, most)
