"""A node that broke three times in a row: it keeps its tables locked, says so everywhere, and waits for a technician.

Theory. Its record is not opened and nothing is asked of the core, because one of them broke it. The lines are up, so
that units hear a host that locks them and signs say that play is closed; every request is answered with the reason. It
ends like any node, on SIGTERM; `pozo node CONFIG --back-in-service` lets the next start play again.
"""

from collections.abc import Callable

from controller.core.view import alarm
from controller.node.control.door import answer
from controller.node.publish.show import Surroundings
from controller.node.publish.showing import Devices, empty_view
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.inbox import FromLine, FromPerson, Inbox, Item, Stop
from controller.node.vocabulary.protocol import Trouble
from drivers.model import UnitUp
from drivers.pump import PortOpened
from drivers.session import SECOND, Micros

LOOK_EVERY: Micros = SECOND // 4
SHOW_EVERY: Micros = SECOND


class OutOfService:
    def __init__(self, name: str, why: str, inbox: Inbox, around: Surroundings, clock: Clock) -> None:
        self._name, self._inbox, self._clock = name, inbox, clock
        self._floor, self._signs, self._hands, self._control, _ = around
        broken = "FUERA DE SERVICIO: el nodo falló tres veces seguidas ({why}). Llame al técnico."
        self._alarm = alarm("out_of_service", name, "", broken, why=why)
        self._trouble = Trouble("out_of_service", "", "node", self._alarm.sentence)
        self._shown_at: Micros = 0

    @property
    def sentence(self) -> str:
        return self._alarm.sentence

    def run(self, pulse: Callable[[Micros], None]) -> None:
        """Until Stop."""
        self._hands.lock_everything()
        while self.turn():
            pulse(self._clock.now())

    def turn(self) -> bool:
        items = self._inbox.take(self._clock.now() + LOOK_EVERY)
        now = self._clock.now()
        for item in items:
            self._hear(item, now)
        self._hands.give(self._signs.wishes(None, now))
        if now >= self._shown_at + SHOW_EVERY:
            self._shown_at = now
            devices = Devices(self._floor.units(), self._floor.seats(), self._signs.signs())
            self._control.show(empty_view(self._name, self._alarm, devices, self._clock.wall()))
        return not any(isinstance(item, Stop) for item in items)

    def _hear(self, item: Item, now: Micros) -> None:
        if isinstance(item, FromPerson):
            item.answer(answer(item.request.id, self._trouble))
        elif isinstance(item, FromLine):
            self._floor.heard(item.line, item.event, now)
            self._signs.heard(item.line, item.event, now)
            if isinstance(item.event, PortOpened | UnitUp):
                self._hands.lock_everything()
