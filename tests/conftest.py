"""What many tests need: the shipped rulesets, and passes written as a person would write them."""

import os
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

import support.places  # noqa: F401  programs that a test starts find `support`
from controller.documents import read_laws
from controller.rules.ruleset import Ruleset

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
