"""The node's pulse: whether everything that must live lives, looked at by the engine itself, and reported to systemd.

Theory. Only the engine's own loop says that the node is alive, and only while the lines and the control live too; its
store lives, or the loop would have ended with the commit that failed. What is dead ends the engine: a table that nobody
polls must be locked and started anew. Besides it looks at the wall clock, and forgets old crashes in time.

Silence at one look proves nothing. A process that stood still (a laptop that slept, SIGSTOP, a machine without time for
it) stood still whole, and of its threads the engine's may be the first to run again: so it looks again, and again, and
who is silent still is dead. What a standing still costs is seen elsewhere: units that heard no host locked themselves.

And it has the collector look at everything that is new, some 0.05 ms. A life's parts are frozen and next to nothing of
ours is a cycle, so that never happens by itself, and it alone empties CPython's free lists, where unused tuples wait by
the thousand: without it a node grew all day long.
"""

import gc
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from controller.core.view import Alarm
from controller.node.book.book import Book
from controller.node.control.control import Control
from controller.node.publish.show import Show
from controller.node.service.installation import WELL_AFTER, Crashes
from controller.node.telemetry.journal import Halted, Journal, Says
from controller.node.telemetry.sd_notify import Systemd
from controller.node.vocabulary.clock import Clock, Millis, trouble
from controller.node.vocabulary.inbox import LONGEST_WAIT
from controller.node.vocabulary.protocol import Health
from drivers.rack import Rack
from drivers.session import SECOND, Micros

LOOK_EVERY: Micros = LONGEST_WAIT
STATUS_EVERY: Micros = 10 * SECOND
DEAD_AFTER = 3
"""So many looks in a row, each in its own time, that found it silent."""

_STOPPED = {
    Says.RACK_FAILED: "El hilo de los aparatos se detuvo; las mesas se bloquean y el nodo vuelve a arrancar.",
    Says.CONTROL_FAILED: "El control local no responde; las mesas se bloquean y el nodo vuelve a arrancar.",
    Says.LINKS_FAILED: "El hilo de los enlaces se detuvo; las mesas se bloquean y el nodo vuelve a arrancar.",
}

Look = Callable[[Micros, Callable[[str, Alarm | None], None]], None]
"""At something that holds up no play and that a person should know in time; it raises its own alarms."""


class Vitals(NamedTuple):
    """What must live beside the engine."""

    rack: Rack
    control: Control
    links: Callable[[], bool] = lambda: True


class Pulse:
    def __init__(
        self,
        vitals: Vitals,
        book: Book,
        show: Show,
        systemd: Systemd,
        crashes: Crashes,
        clock: Clock,
        journal: Journal,
        looks: Sequence[Look] = (),
    ) -> None:
        self._looks = looks
        self._vitals, self._book, self._show, self._systemd = vitals, book, show, systemd
        self._crashes, self._clock, self._journal = crashes, clock, journal
        now = clock.now()
        self._every = min(LOOK_EVERY, systemd.ping_every or LOOK_EVERY)
        self._next, self._status_at, self._well_at = now, now, now + WELL_AFTER
        self._newest: Millis = book.state.clock
        self._clock_said = False
        self._silent: Counter[Says] = Counter()
        self._forget: Callable[[], None] | None = crashes.forget

    def __call__(self, now: Micros) -> None:
        if now < self._next:
            return
        self._next = now + self._every
        all_heard = self._all_heard()
        if all_heard and self._systemd.ping_every is not None:
            self._systemd.say(WATCHDOG="1")
        if now >= self._status_at:
            self._status_at = now + STATUS_EVERY
            self._look_at_clock()
            for look in self._looks:
                look(now, self._show.raise_alarm)
            self._systemd.say(STATUS=self.status())
            gc.collect()
        if self._forget is not None and now >= self._well_at:
            self._forget()
            self._forget = None

    def _all_heard(self) -> bool:
        """Whether everybody gave a sign of life lately. Who is dead ends the engine."""
        rack, control, links_live = self._vitals
        if rack.failure is not None:
            raise Halted(Says.RACK_FAILED, _STOPPED[Says.RACK_FAILED]) from rack.failure
        if not links_live():
            raise Halted(Says.LINKS_FAILED, _STOPPED[Says.LINKS_FAILED])
        silent = [says for says, one in ((Says.RACK_FAILED, rack), (Says.CONTROL_FAILED, control)) if not one.alive()]
        self._silent = Counter({says: self._silent[says] + 1 for says in silent})
        for says in silent:
            if self._silent[says] >= DEAD_AFTER:
                raise Halted(says, _STOPPED[says])
        return not silent

    def _look_at_clock(self) -> None:
        """Against the newest instant this life has seen: a step back that is on record is still wrong."""
        self._newest = max(self._newest, self._book.state.clock)
        said = trouble(self._newest, self._clock.wall())
        if said is not None and not self._clock_said:
            self._journal.error(Says.CLOCK_WRONG, message=said.sentence)
        self._clock_said = said is not None
        self._show.raise_alarm("clock", said)

    def status(self) -> str:
        """One line for `systemctl status`."""
        view = self._show.view
        if view is None:
            return "arrancando"
        up = sum(unit.health is Health.UP for unit in view.units)
        return (
            f"{len(view.tables)} mesas, {up} de {len(view.units)} aparatos, {len(view.alarms)} avisos,"
            f" hecho {self._book.seq}"
        )
