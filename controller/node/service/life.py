"""One life of a node: everything it is made of, put together in order, and taken apart again whatever happens.

Theory. First what can refuse (the folder, the record), then the devices, then whoever asks; ready is said when all of
it stands. Whatever ends it, the tables are locked before the lines are closed, and the record is closed last. A life
that ends by a defect is counted; after three of them in a row the next one is lived out of service.
"""

import gc
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import NamedTuple

from controller.core.view import Alarm
from controller.node.book.book import open_book
from controller.node.book.seeds import Seeds
from controller.node.control.control import Control
from controller.node.devices.dispatch import Dispatcher
from controller.node.devices.hardware import Hardware
from controller.node.devices.listener import Listener
from controller.node.devices.memories import Memories, resume
from controller.node.engine.due import Draws
from controller.node.engine.engine import Engine
from controller.node.engine.reception import Reception
from controller.node.floor.floor import Floor
from controller.node.publish.show import Show, Surroundings
from controller.node.service.installation import Crashes, alone_in, nonce_of
from controller.node.service.out_of_service import OutOfService
from controller.node.service.plan_files import PlanFiles
from controller.node.service.pulse import Pulse, Vitals
from controller.node.service.sd_notify import Systemd
from controller.node.signs.signboard import Signboard
from controller.node.telemetry.counts import Counts
from controller.node.telemetry.journal import Halted, Journal, Says
from controller.node.telemetry.metrics import Metrics, MetricSources
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.inbox import Inbox
from controller.node.vocabulary.places import Node
from drivers.rack import Rack
from drivers.session import SECOND, Micros

DEFECTS = (AssertionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError)
"""What only a defect of the program raises. It is never caught to go on: it is said, counted, and ends the process."""

_MOST_COMMAND = 0xFFFF
_HEARD_WITHIN = 0.2  # seconds until a line's thread has taken what it was told
_ON_THE_WIRE = 0.2  # and until the longest line has said it to all its units
_GIVES_WAY = 0.0002  # seconds: an engine that computes lets the lines' thread in, well within a silence of the wire


class Machine(NamedTuple):
    """What a life gets from outside."""

    inbox: Inbox
    clock: Clock
    journal: Journal
    systemd: Systemd


class _Wires(NamedTuple):
    """Everything up to the ports."""

    hardware: Hardware
    rack: Rack
    hands: Dispatcher


def live(node: Node, machine: Machine) -> None:
    """From the lock on the folder to the last commit; returns after Stop."""
    with ExitStack() as ending:
        ending.enter_context(alone_in(node.folder))
        crashes = Crashes(node.folder)
        if crashes.out_of_service:
            _wait_for_a_technician(node, crashes.reasons[-1], machine, ending)
            return
        ending.enter_context(_Counted(crashes))
        _play(node, crashes, machine, ending)


def _play(node: Node, crashes: Crashes, machine: Machine, ending: ExitStack) -> None:
    inbox, clock, journal, systemd = machine
    started = clock.now()
    book = open_book(node)
    ending.callback(book.close)
    replayed = (clock.now() - started) / SECOND
    journal.info(Says.BOOK_OPEN, fact=book.seq, seconds=round(replayed, 3))
    wires = _wires(node, machine)
    memories = Memories(node.folder / "memories")
    resume(node, wires.hardware, memories, book.state)
    control = Control(node.control, inbox.put)
    around = Surroundings(Floor(node), Signboard(node), wires.hands, control, memories)
    counts = Counts()
    plans = PlanFiles(node, journal)
    show = Show(node.name, book, around, clock, journal, counts, plans.alarms)
    draws = _draws(node, show, journal)
    reception = Reception(Seeds.of_node(node), around.floor, around.signs, book.store, clock.now)
    _start(wires, control, ending)
    control.people(book.verifiers())
    pulse = Pulse(Vitals(wires.rack, control), book, show, systemd, crashes, clock, journal)
    reload = lambda: plans.read_again(book.state)
    engine = Engine(book, inbox, around, show, reception, draws, clock, journal, counts, reload, pulse)
    sources = MetricSources(counts, lambda: show.view, wires.hands.counters, inbox.waiting, replayed)
    ending.callback(_metrics(node, sources, journal))
    draws.look(book.state, clock.now())
    plans.tell(book.state)
    show.now(clock.now())
    _ready(machine, started, pulse.status())
    engine.run()
    systemd.say(STOPPING="1", STATUS="las mesas están bloqueadas; cerrando")
    book.checkpoint()
    journal.info(Says.STOPPED, fact=book.seq, locked=engine.locked)


def _wait_for_a_technician(node: Node, why: str, machine: Machine, ending: ExitStack) -> None:
    inbox, clock, journal, systemd = machine
    wires = _wires(node, machine)
    control, signs = Control(node.control, inbox.put), Signboard(node)
    signs.out_of_service(why)
    around = Surroundings(Floor(node), signs, wires.hands, control, Memories(node.folder / "memories"))
    waiting = OutOfService(node.name, why, inbox, around, clock)
    _start(wires, control, ending)
    journal.critical(Says.OUT_OF_SERVICE, message=waiting.sentence)
    systemd.say(READY="1", STATUS=waiting.sentence)
    waiting.run(lambda _: systemd.say(WATCHDOG="1") if wires.rack.alive() and control.alive() else None)
    systemd.say(STOPPING="1")


def _wires(node: Node, machine: Machine) -> _Wires:
    """Nothing speaks yet. The first command is random, or a device takes it for a late copy of another start's."""

    def lock_table(table: str) -> None:
        hands.lock_table(table)

    hardware = Hardware(node, nonce_of(node.folder), secrets.randbelow(_MOST_COMMAND) + 1)
    listener = Listener(node, machine.inbox, hardware, machine.clock.now, lock_table)
    rack = Rack(hardware.lines, listener)
    hands = Dispatcher(rack, hardware, node, lambda why: machine.journal.error(Says.WISH_IMPOSSIBLE, why=why))
    return _Wires(hardware, rack, hands)


def _start(wires: _Wires, control: Control, ending: ExitStack) -> None:
    sys.setswitchinterval(_GIVES_WAY)
    wires.rack.start()
    ending.callback(wires.rack.stop)
    ending.push(_Locked(wires.hands))
    control.start()
    ending.callback(control.stop)


def _ready(machine: Machine, started: Micros, status: str) -> None:
    gc.collect()
    gc.freeze()  # what a life is made of lasts as long as it
    machine.systemd.say(READY="1", STATUS=status)
    machine.journal.info(Says.READY, seconds=round((machine.clock.now() - started) / SECOND, 3))


def _draws(node: Node, show: Show, journal: Journal) -> Draws:
    def lost(day: str) -> None:
        if not day:
            show.raise_alarm("seed", None)
            return
        sentence = f"La semilla del día {day} no está: sus sorteos esperan, y el día no se puede cerrar."
        journal.error(Says.SEED_LOST, day=day)
        show.raise_alarm("seed", Alarm("semilla", "R-30", sentence))

    return Draws(Seeds.of_node(node), lost)


def _metrics(node: Node, sources: MetricSources, journal: Journal) -> Callable[[], None]:
    """A table does not stop for its numbers."""
    if node.metrics is None:
        return lambda: None
    try:
        return Metrics(node.metrics, sources).stop
    except OSError as error:
        journal.error(Says.METRICS_REFUSED, port=node.metrics, message=error.strerror or str(error))
        return lambda: None


class _Counted(AbstractContextManager[None]):
    """A life that ends by a defect, its own or that of the thread beside it, is counted."""

    def __init__(self, crashes: Crashes) -> None:
        self._crashes = crashes

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _where: TracebackType | None
    ) -> None:
        broken = error.__cause__ if isinstance(error, Halted) else error
        if isinstance(broken, DEFECTS):
            self._crashes.count(f"{type(broken).__name__}: {broken}")


class _Locked(AbstractContextManager[None]):
    """Whatever breaks, the tables are locked while the lines are still there."""

    def __init__(self, hands: Dispatcher) -> None:
        self._hands = hands

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _where: TracebackType | None
    ) -> None:
        if error is not None:
            self._hands.lock_everything()
            self._hands.wait_until_taken(_HEARD_WITHIN)
            time.sleep(_ON_THE_WIRE)
