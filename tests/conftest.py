"""What all tests stand on: in which tier each runs, how many cases a property plays, and the shipped rulesets.

Two marks make the tiers. `process`: it starts a process, opens a port or sleeps; without the mark it cannot (support/inside.py).
`campaign`: it plays its full figures under `make campaign`, and a short form otherwise. `make unit` runs what has neither.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

import support.places  # noqa: F401  programs that a test starts find `support`
from controller.documents import read_laws
from controller.rules.ruleset import Ruleset
from support.inside import inside

CAMPAIGN = bool(os.environ.get("POZO_CAMPAIGN"))

# The short form plays the same cases every time; the campaign looks for new ones and remembers what it found.
set_hypothesis_home_dir("var/hypothesis")
settings.register_profile("short", deadline=None, max_examples=150, derandomize=True, database=None)
settings.register_profile(
    "campaign",
    deadline=None,
    max_examples=20_000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("campaign" if CAMPAIGN else "short")


def _in_its_tier(item: pytest.Item) -> AbstractContextManager[None]:
    return nullcontext() if item.get_closest_marker("process") else inside()


_ONE_CASINO = ("tests/web/", "tests/e2e/test_chief_boxes.py", "tests/release/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object | None:
    """With `--dist loadgroup` whoever shares a casino and a browser, or a package, is played by one worker: a file of these. By pytest-xdist's own
    marks nothing is grouped any more since pytest 9.2."""
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class ByFile(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("::")[0] if nodeid.startswith(_ONE_CASINO) else nodeid

    return ByFile(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _in_its_tier(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _in_its_tier(item):
        yield


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[object], None]:
    """The progress of a long campaign, as it goes."""

    def tell(what: object) -> None:
        if CAMPAIGN:
            with capsys.disabled():
                print(f"\n{what}", file=sys.stderr)

    return tell


@pytest.fixture(scope="session")
def rulesets() -> dict[str, Ruleset]:
    return read_laws().rulesets


@pytest.fixture(scope="session")
def scj(rulesets: dict[str, Ruleset]) -> Ruleset:
    return rulesets["scj-2023"]


@pytest.fixture(scope="session")
def arica(rulesets: dict[str, Ruleset]) -> Ruleset:
    return rulesets["arica-2017"]


@pytest.fixture(scope="session")
def reading() -> Callable[..., Ruleset]:
    """A ruleset with other readings than its own (R-33)."""

    def read_as(ruleset: Ruleset, **readings: object) -> Ruleset:
        return replace(ruleset, readings=replace(ruleset.readings, **readings))

    return read_as


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a casino was founded (support/node/node_process.py); whoever plays there makes a copy."""
    from support.node.node_process import founded

    place = tmp_path_factory.mktemp("founded")
    founded(place)
    return place
