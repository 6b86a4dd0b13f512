"""`pozo node CONFIG`: one process that runs a node until it is asked to stop, and says how it ended.

Theory. A life is put together in order and taken apart again whatever happens: first what can refuse (the folder, the
record), then devices, then the control socket; ready is said when all of it stands. Whatever ends it, the tables are
locked before the lines are closed, and the record is closed last. A life that ends by a defect is counted; after three
of them in a row the next one is lived out of service.

Signals become items of the inbox and nothing else: SIGTERM and SIGINT stop, SIGHUP reads the plans again. Every end has
one sentence, in the journal and in systemd's status, and one exit code: 0 when it was asked to end, 1 when something
broke and a new start proves everything from the disk, 75 when the place is taken, 78 when a person must act.
"""

import gc
import resource
import secrets
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from controller.core.inputs import StepClock
from controller.core.node import AGREES
from controller.core.view import alarm
from controller.node.book.book import Asked, Book, open_book, pepper_of, record_of
from controller.node.book.chain import BookDamaged, KeyRefused
from controller.node.book.new_pins import seal_verifiers
from controller.node.book.pins import pepper_for
from controller.node.book.seeds import Seeds
from controller.node.control.control import Control, ControlRefused
from controller.node.control.proofs import ProofDesk
from controller.node.devices.dispatch import Dispatcher, Listener
from controller.node.devices.hardware import Hardware
from controller.node.devices.memories import Memories, resume
from controller.node.engine.due import Draws
from controller.node.engine.engine import Engine
from controller.node.engine.inquiries import Inquiries
from controller.node.engine.reception import Reception
from controller.node.floor.floor import Floor
from controller.node.publish.house import house_of
from controller.node.publish.show import Show, Surroundings
from controller.node.service.disk_space import DiskSpace
from controller.node.service.head_places import HeadPlaces
from controller.node.service.installation import Crashes, FolderRefused, alone_in, boot_of_the_machine, nonce_of
from controller.node.service.node_links import NodeLinks
from controller.node.service.node_webs import NodeWebs
from controller.node.service.out_of_service import OutOfService
from controller.node.service.plan_files import PlanFiles
from controller.node.service.pulse import Pulse, Vitals
from controller.node.settings.settings import read_node
from controller.node.signs.signboard import Signboard
from controller.node.store.failure import StoreFailed, StoreRefused
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.telemetry.counts import Counts
from controller.node.telemetry.journal import Halted, Journal, Says, journal, set_up, under_systemd
from controller.node.telemetry.journal_lines import JournalLines
from controller.node.telemetry.metrics import Metrics, MetricSources
from controller.node.telemetry.sd_notify import Systemd
from controller.node.vocabulary.clock import Clock, SteppedClock, dated, of_this_machine, trouble
from controller.node.vocabulary.inbox import Inbox, Reload, Stop
from controller.node.vocabulary.places import Node
from controller.rules.document import DocumentError
from drivers.rack import Rack
from drivers.session import SECOND, Micros

ENDED, BROKE, TAKEN, NEEDS_A_PERSON = 0, 1, 75, 78

DEFECTS = (AssertionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError)
"""What only a defect of the program raises. It is never caught to go on: it is said, counted, and ends the process."""

_MOST_COMMAND = 0xFFFF
_HEARD_WITHIN = 0.2  # seconds until a line's thread has taken its orders
_ON_THE_WIRE = 0.2  # and until the longest line has said it to all its units
_YOUNG = 10_000  # objects made since the last small collection: nearly all of an answer's are gone by then
_GIVES_WAY = 0.0002  # seconds: an engine that computes lets the lines' thread in, well within a silence of the wire


class Machine(NamedTuple):
    """What a life gets from outside."""

    inbox: Inbox
    clock: Clock
    journal: Journal
    systemd: Systemd


def run(config: Path) -> int:
    """The exit code, when it is over."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # what proves PINs is in this memory, and goes to no file
    lines = JournalLines(sys.stderr.fileno())
    set_up(lines, under_systemd=under_systemd())
    try:
        return _run(config, Machine(Inbox(), of_this_machine(), journal(), Systemd()))
    finally:
        lines.close()


def _run(config: Path, machine: Machine) -> int:
    if not __debug__:
        return _end(machine, Says.NOT_STARTED, "las comprobaciones están apagadas (python -O)", NEEDS_A_PERSON)
    _listen_to_signals(machine.inbox)
    try:
        node = read_node(config)
        machine.journal.info(Says.STARTING, node=node.name, config=str(config))
        live(node, machine)
    except (DocumentError, StoreRefused, KeyRefused, BookDamaged) as refused:
        return _end(machine, Says.NOT_STARTED, str(refused), NEEDS_A_PERSON)
    except (FolderRefused, ControlRefused) as refused:
        return _end(machine, Says.NOT_STARTED, str(refused), TAKEN if refused.again else NEEDS_A_PERSON)
    except StoreFailed as failed:
        return _end(machine, Says.STORE_FAILED, str(failed), BROKE)
    except Halted as halted:
        return _end(machine, halted.says, str(halted), BROKE)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _end(machine, Says.STORE_FAILED, f"{place}{error.strerror or error}", BROKE)
    except (MemoryError, EOFError) as error:  # of the machine, and no defect of the program: no start is counted
        return _end(machine, Says.SYSTEM_FAILED, type(error).__name__, BROKE)
    except DEFECTS as defect:
        machine.journal.critical(Says.DEFECT, message=f"{type(defect).__name__}: {defect}", exc_info=True)
        machine.systemd.say(STATUS="un defecto del programa detuvo el nodo; vuelve a arrancar")
        return BROKE
    return ENDED


def back_in_service(node: Node) -> None:
    """A technician has looked: the next start plays. Refused while the node runs."""
    with alone_in(node.folder):
        Crashes(node.folder).forget()


def _end(machine: Machine, says: Says, sentence: str, code: int) -> int:
    machine.journal.critical(says, message=sentence, exit=code)
    machine.systemd.say(STATUS=sentence)
    return code


def _listen_to_signals(inbox: Inbox) -> None:
    """Install signal handlers before anything can fail."""

    def stop(number: int, _frame: FrameType | None) -> None:
        inbox.put(Stop(signal.Signals(number).name))

    def reload(_number: int, _frame: FrameType | None) -> None:
        inbox.put(Reload())

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGHUP, reload)


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
        ending.enter_context(_counted(crashes))
        _play(node, crashes, machine, ending)


def _play(node: Node, crashes: Crashes, machine: Machine, ending: ExitStack) -> None:
    inbox, clock, journal, systemd = machine
    started = clock.now()
    heads = HeadPlaces(node, clock, journal)
    ending.callback(heads.stop)
    book = open_book(node, heads.prove)
    ending.callback(book.close)
    watched = SteppedClock(clock, AGREES)
    _say_how_long_it_stood(book, watched, journal)
    replayed = (clock.now() - started) / SECOND
    book.sealed = heads.keep
    heads.keep_newest(book)
    journal.info(Says.BOOK_OPEN, fact=book.seq, seconds=round(replayed, 3))
    wires = _wires(node, machine)
    memories = Memories(node.folder / "memories")
    resume(node, wires.hardware, memories, book.state)
    webs = NodeWebs(node, journal, clock)
    control = _control(node, book, machine, webs)
    around = Surroundings(Floor(node), Signboard(node), wires.hands, control, memories)
    counts = Counts()
    links = NodeLinks(node, inbox, clock, journal, counts)
    plans = PlanFiles(node, journal)
    inquiries = Inquiries(lambda: Reader.open(record_of(node.folder)), inbox.put)
    ending.callback(inquiries.stop)
    show = Show(node.name, book, around, clock, journal, counts, plans.alarms, inquiries.now)
    draws = _draws(node, show, journal)
    reception = Reception(Seeds.of_node(node), around.floor, around.signs, book.store, clock)
    _start(wires, control, ending)
    ending.callback(webs.start(control))
    space = DiskSpace(node.folder, node.least_free, journal)
    looks = (heads.look, space.look, links.look, webs.look)
    vitals = Vitals(wires.rack, control, links.alive)
    pulse = Pulse(vitals, book, show, systemd, crashes, clock, journal, looks)
    reload = lambda: plans.read_again(book.state)
    engine = Engine(
        book, inbox, around, show, reception, draws, inquiries, clock, watched, journal, counts, reload, pulse,
        links.told,
    )  # fmt: skip
    sources = MetricSources(counts, lambda: show.view, wires.hands.counters, inbox.waiting, replayed)
    ending.callback(_metrics(node, sources, journal))
    book.start(boot_of_the_machine(), dated(clock.wall()))
    draws.look(book.state, clock.now())
    plans.tell(book.state)
    ending.callback(links.start(book.state, book.seq, show))
    show.now(clock.now())
    _ready(machine, started, pulse.status())
    engine.run()
    systemd.say(STOPPING="1", STATUS="las mesas están bloqueadas; cerrando")
    links.stop()
    book.stop(dated(clock.wall()))
    journal.info(Says.STOPPED, fact=book.seq, locked=engine.locked)


def _control(node: Node, book: Book, machine: Machine, webs: NodeWebs) -> Control:
    """The control socket, which knows from the beginning who may sign."""
    pepper = pepper_for(pepper_of(node.folder), (row.verifier for row in book.store.people()))
    if seal_verifiers(book, pepper):
        machine.journal.info(Says.PINS_SEALED, fact=book.seq)
    proofs = ProofDesk(node.name, book.state.epoch, pepper, node.relay)
    read = lambda: Reader.open(record_of(node.folder))
    control = Control(node.control, machine.inbox.put, record=read, proofs=proofs, webs=webs.enrolled)
    control.people(book.verifiers(), house_of(book.state))
    return control


def _say_how_long_it_stood(book: Book, watched: SteppedClock, journal: Journal) -> None:
    """R-29: of a stop nobody knows how long it was, so the record says what the wall clock made of it."""
    wall, _ = watched.read()
    if said := trouble(book.state.clock, wall):
        journal.error(Says.CLOCK_WRONG, message=said.sentence)
    id_ = OutcomeKey(f"{book.state.node}/clock", book.state.epoch, book.seq + 1)
    book.take([Asked(id_, wall, StepClock(wall - book.state.clock, stop=True))])


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
    ending.enter_context(_locked(wires.hands))
    control.start()
    ending.callback(control.stop)


def _ready(machine: Machine, started: Micros, status: str) -> None:
    gc.collect()
    gc.freeze()  # what a life is made of lasts as long as it
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    machine.systemd.say(READY="1", STATUS=status)
    machine.journal.info(Says.READY, seconds=round((machine.clock.now() - started) / SECOND, 3))


def _draws(node: Node, show: Show, journal: Journal) -> Draws:
    def lost(day: str) -> None:
        if not day:
            show.raise_alarm("seed", None)
            return
        gone = "La semilla del día {day} no está: sus sorteos esperan, y el día no se puede cerrar."
        journal.error(Says.SEED_LOST, day=day)
        show.raise_alarm("seed", alarm("seed_lost", "semilla", "R-30", gone, day=day))

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


@contextmanager
def _counted(crashes: Crashes) -> Iterator[None]:
    """A life that ends by a defect, its own or that of the thread beside it, is counted."""
    try:
        yield
    except (Halted, *DEFECTS) as error:
        broken = error.__cause__ if isinstance(error, Halted) else error
        if isinstance(broken, DEFECTS):
            crashes.count(f"{type(broken).__name__}: {broken}")
        raise


@contextmanager
def _locked(hands: Dispatcher) -> Iterator[None]:
    """Whatever breaks, the tables are locked while the lines are still there."""
    went_well = False
    try:
        yield
        went_well = True
    finally:
        if not went_well:
            hands.lock_everything()
            hands.wait_until_taken(_HEARD_WITHIN)
            time.sleep(_ON_THE_WIRE)
