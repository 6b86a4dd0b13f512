"""A node as browsers ask it through this process: who waits for its answers, who may sign there, who signed in.

Theory. The web's own node is one, each other box another: nothing that was signed at one is known at the other.
"""

from collections.abc import Callable, Iterable

from controller.node.vocabulary.house import TerminalNow
from controller.web.acts.askers import Askers
from controller.web.acts.house import HouseWatch
from controller.web.acts.signed_in import SignedIn


class AskedNode:
    """`told`: hears of the terminals that the node let in."""

    def __init__(self, askers: Askers, told: Callable[[Iterable[TerminalNow]], object] = lambda _: None) -> None:
        self.askers = askers
        self.house = HouseWatch(askers, told)
        self.signed_in = SignedIn()
