"""A page and state looked at as the issue asks: kept as a picture, its light, its targets, its texts, and axe's opinion, in one sentence each.

What was measured is also written beside the pictures (var/screens/measures.txt), for whoever looks at them.
"""

from support.browser.axe import findings, judgements
from support.browser.boxes import faults_of_targets, faults_of_texts
from support.browser.light import mean_luminance
from support.browser.screen import SCREENS, Screen

NIGHT = 0.08
"""Of white: the most that a croupier's screen gives in the mean."""


class Looked:
    """A page and state after the other; what is wrong with any of them is told at the end, so that one does not hide the next."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def at(self, screen: Screen, name: str, *, most_light: float = NIGHT) -> None:
        """A page for fingers."""
        seen = screen.seen()
        self._note(screen, name, faults_of_page(screen, name, most_light))
        self._note(screen, name, faults_of_targets(seen.targets, screen.glass.millimetre))
        self._note(screen, name, [f"{one!r} is cut off" for one in seen.cut])
        if seen.marks.get("live") == "live":  # else nothing may be asked, and words lie over a part of it
            self._note(screen, name, [f"{one}: no finger reaches it" for one in seen.hidden])

    def at_sign(self, screen: Screen, name: str) -> None:
        """A page that is read from ten metres, and touched by nobody."""
        self._note(screen, name, faults_of_page(screen, name, 1.0))
        if screen.glass.width > screen.glass.height:
            self._note(screen, name, faults_of_texts(screen.seen().texts, screen.glass.height))

    def _note(self, screen: Screen, name: str, faults: list[str]) -> None:
        self.faults += [f"{name} {screen.glass.name}: {one}" for one in faults]


def faults_of_page(screen: Screen, name: str, most_light: float) -> list[str]:
    """Of every page: its light, what axe finds, and that all of it is on the screen."""
    light = mean_luminance(screen.picture(name))
    with (SCREENS / "measures.txt").open("a") as notes:
        notes.write(f"{name} {screen.glass.name}: luminance {light:.2%}\n")
    faults = [f"mean luminance {light:.1%}"] if light > most_light else []
    if screen.seen().overflows:
        faults.append("the page is larger than the screen")
    return faults + findings(screen.page, judgements())
