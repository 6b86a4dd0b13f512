"""Deeds that concern devices: to whom each goes. Whether it may be done, and that it was, the core says."""

from collections.abc import Callable

from controller.core.state import State
from controller.node.floor.floor import Floor
from controller.node.signs.signboard import Signboard
from controller.node.vocabulary.protocol import Deed, Request
from drivers.session import Micros


class AtDevices:
    def __init__(self, floor: Floor, signs: Signboard, now: Callable[[], Micros]) -> None:
        self._floor, self._signs, self._now = floor, signs, now

    def do(self, request: Request, state: State) -> str | None:
        """A sentence why not, if it is not done."""
        assert request.do is not None, "a deed"
        if request.do is Deed.SIGN_TEST:
            return self._signs.test(request.sign, self._now())
        return self._floor.deed(request.do, request, state, self._now())
