"""A node without devices, for the tests of the control socket: the real book behind the real socket, in one thread.

`Node` founds a small casino (tests/support/core/book_cases.py) with people whose PINs are known here, answers what is asked through
the daemon's own reception, and shows the real view. Seats press and prove what a test says, in the engine's thread.
"""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.ahead.foresight import foresee
from controller.core.draws import wanted, what_the_seed_says
from controller.core.inputs import Input
from controller.core.past.inquiry import inquiry_for
from controller.core.people import with_somebody
from controller.core.project import project
from controller.core.state import State, in_play
from controller.core.values import Device, Lamp, Role, Signature, TerminalUse
from controller.node.book import pins
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.history import inquire
from controller.node.book.seeds import Seeds
from controller.node.control.client import ToSign, signed
from controller.node.control.control import Control
from controller.node.control.proofs import ProofDesk
from controller.node.engine.reception import Reception, changed_reply, plain_reply, preview_reply, reply_to
from controller.node.publish.house import house_of
from controller.node.publish.neighbours import Unacknowledged, neighbours_now
from controller.node.publish.showing import Devices, LinksNow, node_view
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.inbox import FromPerson, Inbox, Stop
from controller.node.vocabulary.proof import COST, SALT_BYTES, Salted, signing_key, slow_key, stored_of
from controller.node.vocabulary.protocol import Deed, Health, NodeView, Pin, Request, SeatNow, UnitNow
from controller.rules.complementary import commitment
from drivers.punctual import micros
from drivers.session import Micros
from support.core import book_cases
from support.core.points import point_of
from support.nonces import nonce_of

PINS = {
    "ana": "111111", "luis": "222222", "carla": "333333", "jefe": "444444", "jefa": "555555", "tito": "666666",
}  # fmt: skip
ROLES = {
    "ana": Role.ADMINISTRATOR, "luis": Role.ADMINISTRATOR, "carla": Role.CROUPIER, "jefe": Role.CHIEF,
    "jefa": Role.CHIEF, "tito": Role.TECHNICIAN,
}  # fmt: skip
START = book_cases.START


PEPPER = pins.Pepper(hashlib.sha256(b"a small casino").digest())


@cache
def verifier(person: str) -> str:
    """Made once: a PIN is slow to try on purpose. The salt is always the same, so proofs can be written down."""
    return PEPPER.seal(person, stored_of(PINS[person], salted(person)))


def salted(person: str) -> Salted:
    return Salted(hashlib.sha256(person.encode()).digest()[:SALT_BYTES], COST)


def proven(wanted: ToSign) -> bytes:
    """A request as a client of `nodo1` says it."""
    desk = ProofDesk("nodo1", 1, PEPPER)
    desk.people({person: verifier(person) for person in PINS})
    people = tuple(one.person for one in (wanted.by, wanted.second) if one is not None)
    salts = desk.salts(replace(wanted.request, people=people))
    return signed(wanted, salts, signing)


@cache
def signing(pin: Pin, salted: Salted) -> bytes:
    return signing_key(slow_key(pin.pin, salted))


def signs(person: str, pin: str | None = None) -> Pin:
    return Pin(person, pin or PINS[person])


class Node:
    """`do(work)` runs in the engine's thread; `asked` is every FromPerson that reached it."""

    def __init__(self, folder: Path, *, day: bool = True) -> None:
        self.folder, self.control_folder = folder, folder / "ctl"
        self.book = Book.create(folder / "record", Key.load_or_make(folder / "key"), "nodo1", ("ana", "luis"), START)
        self.inbox = Inbox()
        self.asked: list[FromPerson] = []
        self.devices_did: list[str] = []
        self.telling = True
        self.now, self.number = START, 0
        seeds = Seeds(folder / "seeds")
        self.reception = Reception(
            seeds,
            cast(Any, self),
            cast(Any, self),
            self.book.store,
            Clock(micros, lambda: self.now, lambda: self.now * 1_000),
        )
        admins = Signature("ana"), Signature("luis")
        for person in PINS:
            one = ask.EnrolPerson(
                person, person.title(), (ROLES[person],), pins.secret_of(verifier(person)), *admins, known=True
            )
            self.say(one, verifier=verifier(person))
        self.say(ask.StagePlan(book_cases.PLAN, book_cases.RULESET, *admins))
        if day:
            self.say(ask.OpenDay("2026-11-01", commitment(book_cases.SEED), Signature("jefe"), nonce_of("2026-11-01")))
        for name, table in self.book.state.tables.items():
            for seat in table.seats:
                self.say(ask.SeatReport(name, seat.number, Device(100 + seat.number, 1, 1)))
        clock = Clock(micros, lambda: self.now, lambda: self.now * 1_000)
        proofs = ProofDesk("nodo1", 1, PEPPER)
        record = lambda: Reader.open(folder / "record")
        self.control = Control(self.control_folder, self.inbox.put, clock, record, proofs)
        self._work: list[tuple[Callable[[], object], threading.Event]] = []
        self._thread = threading.Thread(target=self._run, name="engine")

    # What stands in for the floor and the signboard, as the reception asks them.

    def deed(self, deed: Deed, _request: Request, _state: State, _now: Micros) -> None:
        self.devices_did.append(str(deed))

    def test(self, _sign: str, _now: Micros) -> None:
        self.devices_did.append(str(Deed.SIGN_TEST))

    # The engine.

    def start(self) -> None:
        self.control.people(self.book.verifiers(), house_of(self.book.state))
        self.control.start()
        self.show()
        self._thread.start()

    def stop(self) -> None:
        if self._thread.ident is not None:
            self.inbox.put(Stop("test"))
            self._thread.join()
            self.stop_control()
        self.book.close()

    def stop_control(self) -> None:
        if self.control.alive():
            self.control.stop()

    def _run(self) -> None:
        while True:
            for item in self.inbox.take(micros() + 20_000):
                if isinstance(item, Stop):
                    return
                if isinstance(item, FromPerson):
                    self.asked.append(item)
                    self._answer(item)
            while self._work:
                work, done = self._work.pop(0)
                work()
                self.show()
                done.set()

    def _answer(self, person: FromPerson) -> None:
        case = self.reception.open(person, self.book.state)
        self.now += 50
        if case.looks:
            (asked,) = case.asks
            state = with_somebody(self.book.state, asked.input)
            history = inquiry_for(state, asked.input)
            if history is not None:
                inquire(history, self.book.store)
            seen = foresee(state, asked.input, self.now, history)
            person.answer(preview_reply(person.request, seen, self.book.seq))
            return
        saw = person.request.saw
        answers = self.book.take([Asked(one.id, self.now, one.input, one.verifier, saw=saw) for one in case.asks])
        self.control.people(self.book.verifiers(), house_of(self.book.state))
        self._draw()
        self.show()
        if not self.telling:
            return
        anew = next((answer.anew for answer in answers if answer.anew is not None), None)
        if anew is not None:
            person.answer(changed_reply(person.request, anew, self.book.seq))
        elif case.before or case.asks:
            facts = case.before or tuple(fact for answer in answers for fact in answer.facts)
            person.answer(reply_to(person.request, facts, self.book.seq))
        else:
            person.answer(plain_reply(person.request, self.book.seq, case.trouble))

    def _draw(self) -> None:
        for table in list(self.book.state.tables.values()):
            for draw in wanted(self.book.state, table):
                self.say(what_the_seed_says(book_cases.SEED, draw))

    def show(self) -> None:
        self.control.show(self.view())

    def view(self) -> NodeView:
        state = self.book.state
        shown = project(state)
        tables = [state.tables[in_play(state, name)] for name in state.tables if not name.startswith("~")]
        units = tuple(
            UnitNow("norte", at, name.name, "native", tuple(s.number for s in name.seats), Health.UP)
            for at, name in enumerate(tables, 1)
        )
        seats = tuple(
            SeatNow(table.name, seat.number, Health.UP, table.phase != "open", str(seat.lamp), "none", 0)
            for table in tables
            for seat in table.seats
        )
        devices = Devices(units, seats, ())
        balances = self.book.balances
        links = LinksNow(neighbours_now(state, Unacknowledged()), ())
        return node_view(
            "nodo1", state, self.book.seq, shown, devices, (), self.now, balances, stopping=False, links=links
        )

    def say(self, *inputs: Input, verifier: str = "") -> None:
        """As the node itself would; only in the engine's thread, or before it runs."""
        for one in inputs:
            self.number, self.now = self.number + 1, self.now + 50
            self.book.take([Asked(OutcomeKey("nodo1/floor", 1, self.number), self.now, one, verifier)])

    def let_in(self, terminal: str, use: TerminalUse, place: str) -> None:
        """Two persons enrol a terminal; as `say`."""
        self.say(ask.EnrolTerminal(terminal, use, place, point_of(1), Signature("jefe"), Signature("ana")))
        self.control.people(self.book.verifiers(), house_of(self.book.state))

    def during(self, work: Callable[[], object]) -> None:
        """Runs it in the engine's thread."""
        done = threading.Event()
        self._work.append((work, done))
        assert done.wait(10), "the engine stands still"

    # What players and wires do.

    def press(self, table: str, seat: int, credits_: int = 2) -> None:
        """A bet with its lamp seen lit."""
        device = self._device(table, seat)
        bet = replace(device, seq=device.seq + 1, bets=device.bets + credits_)
        self.say(ask.SeatReport(table, seat, bet, bet_seq=bet.seq), ask.LampSeen(table, seat, Lamp.LIT))

    def _device(self, table: str, seat: int) -> Device:
        device = self.book.state.tables[table].seat(seat).device
        assert device is not None, "adopted at the start"
        return device

    def prove(self, table: str, *seats: int) -> None:
        """Seats read back locked."""
        for seat in seats or [one.number for one in self.book.state.tables[table].seats]:
            device = self._device(table, seat)
            self.say(ask.SeatReport(table, seat, device, locked=True, cut=device.seq, bet_seq=device.seq))


@contextmanager
def running(folder: Path, *, day: bool = True) -> Iterator[Node]:
    node = Node(folder, day=day)
    node.start()
    try:
        yield node
    finally:
        node.stop()
