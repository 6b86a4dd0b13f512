"""The screens of a casino, each enrolled once for a file of tests: a console at every table, a tablet, a sign."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from controller.node.vocabulary.protocol import Pin
from support.browser.casino import CARLA, WebCasino
from support.browser.croupier import Croupier
from support.browser.enrolling import enrolled
from support.browser.screen import TEN_INCH, Glass, Screen


class Consoles:
    """`at` gives the console of a table, with somebody signed in; it stays open."""

    def __init__(self, house: WebCasino, browser: Any) -> None:
        self.house, self._browser = house, browser
        self._open: dict[str, Croupier] = {}
        self._screens: list[Screen] = []

    def at(self, table: str, glass: Glass = TEN_INCH, *, number: int = 1, person: Pin = CARLA) -> Croupier:
        name = f"{table} {glass.name} {number} {person.person}"
        if name not in self._open:
            self._open[name] = Croupier(enrolled(self.new(glass), "table", table), person)
            self._open[name].signs_in()
        self._open[name].puts_everything_away()
        return self._open[name]

    def new(self, glass: Glass = TEN_INCH) -> Screen:
        """A browser that nobody has enrolled."""
        made = Screen(self._browser, self.house.origin, glass)
        self._screens.append(made)
        return made

    def quiet(self) -> list[str]:
        """What any of them complained of since it was asked last."""
        said = [one for screen in self._screens for one in screen.complaints]
        for screen in self._screens:
            screen.complaints.clear()
        return said

    def pictures(self, name: str) -> None:
        for number, screen in enumerate(self._screens, 1):
            screen.picture(f"{name}-{number}")

    def forget(self) -> None:
        """A process that died knows no ticket any more: whoever comes next signs in at a console of his own."""
        self.close()
        self._screens.clear()
        self._open.clear()

    def close(self) -> None:
        for screen in self._screens:
            screen.close()


@contextmanager
def consoles(house: WebCasino, browser: Any) -> Iterator[Consoles]:
    made = Consoles(house, browser)
    try:
        yield made
    finally:
        made.close()
