"""`make mutants`: change the money rules in every small way; each change must fail a test, or be argued.

The arguments stand in docs/mutants.md, one row for a changed line. A survivor that is not there fails this run,
and so does an argument for a mutant that no longer survives. mutmut works in a copy below var/, so that the
tree is never in a changed state.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from support.places import ROOT

COPY = ROOT / "var/mutants"
ARGUED = ROOT / "docs/mutants.md"
MUTMUT = str(Path(sys.executable).parent / "mutmut")


def fresh_copy() -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        source = ROOT / name
        if source.is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, COPY / name)


def mutmut(*arguments: str) -> str:
    return subprocess.run([MUTMUT, *arguments], cwd=COPY, capture_output=True, text=True, check=False).stdout


def escaped_names() -> list[str]:
    """Tests whose name pytest had to escape. mutmut asks for each by its name, pytest does not find it, and mutmut takes
    that for a failed test: every mutant that the test comes across would count as killed."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]
    chosen = settings["pytest_add_cli_args_test_selection"]
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-q", *chosen]
    listed = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if "\\" in name]


def survivors() -> Iterator[tuple[str, str]]:
    """(function, the line as it was changed) of every mutant that no test noticed."""
    for name in re.findall(
        r"^\s*(\S+__mutmut_\d+): (?:survived|no tests|timeout|suspicious)", mutmut("results"), re.MULTILINE
    ):
        shown = mutmut("show", name)
        changed = " ".join(re.findall(r"^\+(?!\+\+)(.*)$", shown, re.MULTILINE)).strip()
        if not changed:  # a case of a match was left out
            changed = "without " + " ".join(re.findall(r"^-(?!--)\s*(.*)$", shown, re.MULTILINE))
        function = re.sub(r"\.x(?:_|ǁ(.*)ǁ)(.*)__mutmut_\d+$", _called, name)
        function = re.sub(r"^controller\.(rules|core)\.", "", function)
        # An assertion of what cannot fail has words that no test hears; one that a change makes fail is killed by all.
        if not changed.startswith("assert "):
            yield function, changed


def _called(mutant: re.Match[str]) -> str:
    """mutmut writes `x_settle` for a function, `xǁInquiryǁfollow` for a method."""
    return "".join(f".{part}" for part in mutant.groups() if part)


def argued() -> set[tuple[str, str]]:
    return set(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", ARGUED.read_text(), re.MULTILINE))


def main() -> None:
    if escaped := escaped_names():
        sys.exit("\n".join(["give these tests names in plain letters (ids=), else mutmut cannot run them:", *escaped]))
    fresh_copy()
    with subprocess.Popen([MUTMUT, "run"], cwd=COPY, stdout=sys.stdout, stderr=sys.stderr) as run:
        run.wait()
    found = set(survivors())
    counted = mutmut("results", "--all", "true")
    print(f"\n{len(re.findall(r'__mutmut_[0-9]+: ', counted))} mutants, {len(found)} different survivors")
    for function, line in sorted(found - argued()):
        print(f"not argued: | `{function}` | `{line}` | |")
    for function, line in sorted(argued() - found):
        print(f"argued, but it does not survive: {function}: {line}")
    sys.exit(bool(found ^ argued()) or run.returncode)


if __name__ == "__main__":
    main()
