"""The people of a busy evening: each a thread that goes on whether the node lives or not.

A person who asked keeps the request until it is answered and says it again, with the same id, to whichever node is
there; sometimes also a request that was answered long ago. What was asked and what was heard stands in `told`.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, Self

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.core.view import TableView
from controller.node.control.client import Client, NodeSilent, ToSign, asking, doing
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, Reply
from support.evening.kill_place import ACCEPTOR, ELECTRONIC, MODULE, SEATS, SLOT, TABLE, Place
from support.node.node_process import ANA, CARLA, JEFE

BY = Signature("")
PAUSES = {ACCEPTOR: 0.4}  # seconds: an acceptor keeps five events and takes chips for a second after its host died
KEPT = 200  # requests that a person may say again


class Told(NamedTuple):
    request: ToSign
    reply: Reply


class Crowd:
    """All of them; `stop` sends them home once each has heard his answer."""

    def __init__(self, place: Place, seed: int) -> None:
        self.place = place
        self.told: list[Told] = []
        self.again: list[tuple[Told, Reply]] = []
        self.seen: Counter[str] = Counter()
        self.asked, self.pressed = threading.Event(), threading.Event()
        self.going = threading.Event()
        self.broken: list[str] = []
        self.passes = 0  # how many were closed
        self.heard: Callable[[Reply], None] = lambda _: None  # whoever else listens to what is answered
        people = (Croupier, Cashier, Chief)
        self._people = [person(self, random.Random(f"{seed} {person.__name__}")) for person in people]
        self._threads = [threading.Thread(target=_guarded, args=(self, one.live)) for one in self._people]
        players = Players(self, random.Random(f"{seed} players"))
        self.players = threading.Thread(target=_guarded, args=(self, players.live))
        self.playing, self.lost = threading.Event(), threading.Event()

    def __enter__(self) -> Self:
        for thread in (*self._threads, self.players):
            thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Whoever waits for an answer of a node that never comes again waits no more."""
        if kind is not None:
            self.lost.set()
        self.go_home()

    def go_home(self) -> None:
        self.players_go()
        self.going.set()
        for thread in self._threads:
            thread.join(60)

    def note(self, request: ToSign, reply: Reply) -> None:
        """Somebody asked, of the crowd or not, and was answered just now."""
        self.told.append(Told(request, reply))
        self.heard(reply)

    def players_go(self) -> None:
        self.playing.set()
        self.players.join(10)


def _guarded(crowd: Crowd, live: Callable[[], None]) -> None:
    try:
        live()
    except Exception as error:
        crowd.broken.append(f"{type(error).__name__}: {error}")
        raise


class Person:
    def __init__(self, crowd: Crowd, chance: random.Random) -> None:
        self.crowd, self.chance = crowd, chance
        self.client: Client
        self._kept: list[Told] = []

    def live(self) -> None:
        while not self.crowd.place.control.exists():
            time.sleep(0.05)
        with Client(self.crowd.place.control) as self.client:
            while not self.crowd.going.is_set():
                with suppress(NodeSilent):
                    self.turn()
                time.sleep(self.chance.uniform(0, 0.08))

    def turn(self) -> None:
        raise AssertionError("each person does what is his")

    def ask(self, asked: Any, by: Pin, second: Pin | None = None) -> Reply:
        return self.tell(asking(asked, by, second))

    def do(self, deed: Deed, by: Pin, **told: Any) -> Reply:
        return self.tell(doing(deed, by, **told))

    def tell(self, request: ToSign) -> Reply:
        """Until it is answered, by whichever life of the node."""
        reply = self._heard(request)
        self.crowd.note(request, reply)
        self.crowd.seen[("done " if reply.ok else "refused ") + _name(request)] += 1
        if reply.facts:  # what leaves no fact is done again by whoever says it again
            self._kept = [*self._kept, Told(request, reply)][-KEPT:]
        if self._kept and self.chance.random() < 0.05:
            old = self.chance.choice(self._kept)
            self.crowd.again.append((old, self._heard(old.request)))
        return reply

    def _heard(self, request: ToSign) -> Reply:
        end = time.monotonic() + 120
        while time.monotonic() < end and not self.crowd.lost.is_set():
            self.crowd.asked.set()
            with suppress(NodeSilent):
                return self.client.ask(request, 4.0)
            time.sleep(0.02)
        raise AssertionError(f"nobody answered for two minutes: {request}")

    def view(self) -> NodeView:
        return self.client.state(3.0)


def _name(request: ToSign) -> str:
    told = request.request
    return str(told.do) if told.do else bytes(told.ask).decode().split('"')[3]


class Croupier(Person):
    """Opens, locks and closes passes, with the console's keys and on a screen; a pass is never stuck for her."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.phase: tuple[str, int] | None = None
        self.since, self.lock_after = 0.0, 1.0

    def turn(self) -> None:
        view = self.view()
        if not view.tables:
            time.sleep(0.1)
            return
        table, now, chance = view.tables[0], time.monotonic(), self.chance
        if self.phase != (table.phase, table.number):
            if self.phase and self.phase[1] != table.number:
                self.crowd.passes += 1
            self.phase, self.since, self.lock_after = (table.phase, table.number), now, chance.uniform(0.4, 2.5)
        up = [seat for seat in view.seats if seat.health == "up"]
        shut = table.phase == "open" and (not up or any(seat.locked for seat in up))
        match table.phase:
            case "between":
                self._open()
            case "open" if now - self.since > self.lock_after + 2 * shut:
                self._lock()
            case "open" if shut and up and chance.random() < 0.2:
                self.do(Deed.UNLOCK, CARLA, table=TABLE)
            case "sealed":
                self._after_the_hand(table)

    def _open(self) -> None:
        if self.chance.random() < 0.5:
            self.crowd.place.say("console unlock")
            time.sleep(0.2)
        else:
            self.do(Deed.UNLOCK, CARLA, table=TABLE)

    def _lock(self) -> None:
        if self.chance.random() < 0.6:
            self.crowd.place.say("console lock")
            self.crowd.pressed.set()
            time.sleep(0.2)
        else:
            self.ask(ask.Lock(TABLE, BY), CARLA)

    def _after_the_hand(self, table: TableView) -> None:
        chance, bets = self.chance, [seat.seat for seat in table.seats if seat.bet]
        drawn = chance.random()
        if bets and drawn < 0.35:
            self.ask(ask.RegisterClaim(TABLE, (Hand(chance.choice(bets), claimed="full"),), BY), CARLA)
        elif bets and drawn < 0.55:
            self.ask(ask.VoidHand(TABLE, chance.choice(bets), "se voló una carta", BY), CARLA)
        elif bets and drawn < 0.6:
            self.ask(ask.VoidPass(TABLE, "mal dado", BY), JEFE)
        if chance.random() < 0.5:
            self.ask(ask.ClosePass(TABLE, BY), CARLA)
        else:
            self._open()


class Cashier(Person):
    """Sells credits and pays them back, all evening."""

    def turn(self) -> None:
        seat, chance = self.chance.choice((*ELECTRONIC, MODULE)), self.chance
        drawn = chance.random()
        if drawn < 0.7:
            self.ask(ask.BuyCredits(TABLE, seat, chance.randint(1, 12), BY), CARLA)
        elif drawn < 0.82:
            self.ask(ask.CashOut(TABLE, seat, BY), CARLA)
        else:
            self.ask(ask.PayOwed(TABLE, chance.choice((SLOT, ACCEPTOR)), BY, "jefe"), CARLA)
        time.sleep(chance.uniform(0, 0.1))


class Chief(Person):
    """Opens seats that were closed, confirms and pays what was won."""

    def turn(self) -> None:
        view = self.view()
        for table in view.tables:
            for seat in table.seats:
                if seat.closed and any(one.seat == seat.seat and one.health == "up" for one in view.seats):
                    self.do(Deed.CLEAR_FAULTS, JEFE, table=TABLE, seat=seat.seat)
                    self.ask(ask.OpenSeat(TABLE, seat.seat, BY), JEFE)
        for award in (award for pot in view.pots for award in pot.awards):
            if not award.confirmed:
                self.ask(ask.ConfirmAward(award.award, BY, BY), JEFE, ANA)
            elif self.chance.random() < 0.5:
                self.ask(ask.PayAward(award.award, BY), CARLA)
        time.sleep(self.chance.uniform(0.1, 0.4))


class Players:
    """Their fingers and chips do not know of any node."""

    def __init__(self, crowd: Crowd, chance: random.Random) -> None:
        self.crowd, self.chance = crowd, chance
        self.last: dict[int, float] = {}

    def live(self) -> None:
        chance, place = self.chance, self.crowd.place
        while not self.crowd.playing.is_set():
            seat, now = chance.choice(SEATS), time.monotonic()
            if now - self.last.get(seat, 0.0) < PAUSES.get(seat, 0.0):
                time.sleep(0.01)
                continue
            self.last[seat] = now
            button = chance.choice((1, 1, 1, 2, 2, 3))
            done = place.say(f"seat {seat} chip" if seat in {SLOT, ACCEPTOR} else f"seat {seat} press {button}")
            self.crowd.pressed.set()
            self.crowd.seen["at the desk" if done else "in vain"] += 1
            time.sleep(chance.uniform(0.01, 0.1))
