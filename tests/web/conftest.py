"""The tests of the faces: the tests of one file share a casino and a browser, so one worker plays them all (tests/conftest.py)."""

import pytest

from support.browser.casino import casino
from support.browser.consoles import consoles
from support.browser.inspection import Looked
from support.browser.screen import chromium


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def house():
    """A casino with its web; a file that needs another one has its own."""
    with casino() as made:
        yield made


@pytest.fixture(scope="module")
def opened(house, browser):
    """Its consoles, each enrolled when it is first asked for."""
    with consoles(house, browser) as made:
        yield made


@pytest.fixture
def looked():
    """Pages are looked at in the middle of a test, and what was wrong with them fails it when it is over."""
    made = Looked()
    yield made
    assert made.faults == [], "\n".join(made.faults)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """What every screen showed when a test failed is kept."""
    report = yield
    opened = item.funcargs.get("opened")
    if report.when == "call" and report.failed and opened is not None:
        opened.pictures(f"failed-{item.name}")
    return report
