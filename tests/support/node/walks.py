"""The two walks of docs/tour.md, recorded: one press, and one claim from the croupier's line to the payment.

The node is the real one in virtual time (`bench.node_virtual`); the claim goes through the real control socket, asked by
the console's own dialog in a thread of its own.
"""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.house import KEEP, SEATS, founded
from bench.node_virtual import VirtualNode
from controller.ctl.dialog import Dialog, Query
from controller.node.book.book import pepper_of
from controller.node.book.pins import Pepper
from controller.node.control.client import Client, ToSign
from controller.node.control.control import Control
from controller.node.control.proofs import ProofDesk
from controller.node.publish.house import house_of
from controller.node.publish.show import VIEW_EVERY
from controller.node.telemetry.journal import set_up
from drivers.session import MILLISECOND, SECOND
from support.node.node_process import ANA, CARLA, JEFE, START
from support.node.trace import Trace, recorded, threads_are_followed

TABLE = "M01"
SEAT = 2
QUIET, SHOWN = 2500 * MILLISECOND, 500 * MILLISECOND


class Walks(NamedTuple):
    idle: Trace
    press: Trace  # until the lamp is steady
    shown: Trace  # and until everybody sees it
    claim: Trace


@cache
def walked() -> Walks:
    """Once a process: a minute of a table's life."""
    set_up(io.StringIO(), under_systemd=False)
    with threads_are_followed(), TemporaryDirectory() as folder, _standing(Path(folder)) as (made, control):
        made.open_day(TABLE, SEATS, KEEP)
        made.open()
        made.world.run_for(3 * SECOND)
        with recorded() as idle:
            made.world.run_for(QUIET)
        with recorded() as press:
            _press(made)
        with recorded() as shown:
            made.world.run_for(SHOWN)
        made.world.act(made.table.console.lock_key)
        made.world.run_for(2 * SECOND)
        with recorded() as claim:
            _claim(made, control)
        return Walks(idle, press, shown, claim)


@contextmanager
def _standing(folder: Path) -> Iterator[tuple[VirtualNode, Path]]:
    settings = founded(folder, ["singles"])
    proofs = ProofDesk(settings.name, 1, Pepper.load_or_make(pepper_of(settings.folder)))
    made = VirtualNode(settings, "singles", START, lambda inbox: Control(settings.control, inbox.put, proofs=proofs))
    made.control.people(made.book.verifiers(), house_of(made.book.state))
    made.control.start()
    try:
        yield made, settings.control
    finally:
        made.control.stop()
        made.book.close()


def _press(made: VirtualNode) -> None:
    unit, seat = made.table.seats[SEAT - 1]
    lit = len(made.table.steady)
    made.world.act(lambda now: unit.press(seat.number, 1, now))
    steady = made.world.run_while(lambda: len(made.table.steady) == lit, made.world.now + 2 * SECOND)
    assert steady, "the lamp never went steady"


def _claim(made: VirtualNode, control: Path) -> None:
    """A Full at the seat that bet: entered, confirmed by two, paid."""
    said: list[str] = []
    console = threading.Thread(target=_console, args=(control, said), name="console")
    console.start()
    while console.is_alive():
        made.world.act(made.engine.turn)
        made.world.run_for(VIEW_EVERY)  # who looks waits for a view of what he did
        console.join(0.001)
    assert said[-1].startswith("Pagado") or "pague" in said[-1], said


def _console(control: Path, said: list[str]) -> None:
    dialog = Dialog(TABLE)
    with Client(control) as client:
        for who, line in ((CARLA, f"manos {SEAT} full"), (JEFE, "confirmar"), (JEFE, "pagar")):
            dialog.person, view = who.person, client.state()
            award = f" {view.pots[0].awards[0].award}" if line in {"confirmar", "pagar"} else ""
            talk, answer = dialog.line(line + award, view), None
            try:
                while True:
                    step = talk.send(answer)
                    answer = client.ask(step) if isinstance(step, ToSign) else _typed(step, said)
            except StopIteration:
                pass


def _typed(step: object, said: list[str]) -> str | None:
    """What the croupier types when he is asked; what he is told is kept."""
    if not isinstance(step, Query):
        said += getattr(step, "lines", ())
        return None
    if not step.secret:
        asked = {"Segunda": ANA.person, "Firma un jefe": JEFE.person}
        return next((person for words, person in asked.items() if words in step.text), "")
    return next(pin.pin for pin in (CARLA, JEFE, ANA) if pin.person in step.text)
