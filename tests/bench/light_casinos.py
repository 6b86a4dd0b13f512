"""Casinos without tables, people or a disk, in one process: each speaks the real link protocol over a CURVE socket of its own.

What they say and hear goes through the product's own conversation, streams, messages and letters; their record is a list.
Called with a file of JSON (`Told` below); prints `ready` once the owner's plan holds for all of them, then reads words and
answers one line of JSON each: `flood PASSES`, each casino as fast as it is acknowledged; `live SECONDS PASSES` of seven bets a
second, of all casinos together, each pass sealed at a chance moment and closed half a second later; `quiet SECONDS`.
"""

import heapq
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import zmq
from zmq.utils import z85

from controller.core.links.letters import (
    VERSION,
    BetsSealed,
    Letter,
    PassOver,
    PlanInForce,
    PlanOffered,
    Ready,
    hash_of,
    written,
)
from controller.core.state import plan_hash
from controller.core.values import Documents, Mark, SealedBet, Side
from controller.node.link.conversation import NeighbourTalk
from controller.node.link.happened import Dial, HangUp
from controller.node.link.judgement import START, LinkMarks
from controller.node.link.messages import MOST_LETTERS, Sent
from controller.node.link.streams import ToldLetter
from controller.node.vocabulary.clock import of_this_machine
from controller.node.vocabulary.inbox import FromNeighbour, LinkBroken, MeterHeard, NeighbourAcknowledged
from controller.play.cable import LOOPBACK
from controller.rules.money import Ppm, share
from drivers.punctual import micros
from drivers.session import MILLISECOND, SECOND, Micros

SEATS, BET = 7, 1_000
CLOSED = "ab" * 32
HALF_A_SECOND: Micros = SECOND // 2
LOOK_EVERY: Micros = 250 * MILLISECOND
LONGEST: Micros = 60 * SECOND
BETWEEN_DIALS: Micros = SECOND // 12


class OneCasino(msgspec.Struct):
    """Its name, the halves of its key in hexadecimal, and its tables."""

    name: str
    public: str
    secret: str
    tables: list[str]


class Told(msgspec.Struct):
    """Who the owner is and where, the pot, its commission, and who feeds it."""

    owner: str
    key: str
    port: int
    pot: str
    commission: int
    casinos: list[OneCasino]


@dataclass
class Ages:
    """Of meters: how long each was on its way, and how old the newest was whenever somebody looked. Milliseconds."""

    ways: list[int] = field(default_factory=list)
    shown: list[int] = field(default_factory=list)


class Writing:
    """What a casino tells, letter by letter, as its record would have it."""

    def __init__(self, name: str, owner: str, pot: str, commission: int, tables: Sequence[str]) -> None:
        self.name, self.stream, self.plan = name, f"to:{owner}", ""
        self.letters: list[ToldLetter] = []
        self._pot, self._commission, self._carry = pot, Ppm(commission), 0
        self._turns, self._numbers = cycle(tables), dict.fromkeys(tables, 0)

    def tell(self, letter: Letter) -> None:
        last = self.letters[-1] if self.letters else None
        previous, number = (last.hash, last.sent.number + 1) if last else ("", 1)
        hash_ = hash_of(self.name, self.stream, VERSION, Mark(1, number, ""), previous, letter)
        self.letters.append(ToldLetter(Sent(1, number, VERSION, written(letter)), previous, hash_))

    def ready(self, plan: Documents) -> None:
        self.plan = plan_hash(plan)
        self.tell(Ready(self._pot, self.plan))

    def seal(self) -> tuple[str, int]:
        """A pass in which every seat bet, at one table after the other; its table and number."""
        table = next(self._turns)
        self._numbers[table] += 1
        bets = []
        for seat in range(1, SEATS + 1):
            commission, self._carry = share(BET, self._commission, self._carry)
            bets.append(SealedBet(seat, BET, commission, 0))
        number = self._numbers[table]
        self.tell(BetsSealed(self._pot, table, number, self.name, tuple(bets), CLOSED, self.plan))
        return table, number

    def close(self, table: str, number: int) -> None:
        self.tell(PassOver(self._pot, table, number, reviewed=True))


class LightCasino(Writing):
    """`first`: when it dials; all of them are at one address, of which the owner's gate takes ten a second."""

    def __init__(
        self, told: Told, one: OneCasino, context: "zmq.Context[zmq.Socket[bytes]]", ages: Ages, first: Micros
    ) -> None:
        super().__init__(one.name, told.owner, told.pot, told.commission, one.tables)
        self._told, self._one, self._context, self._ages = told, one, context, ages
        self.log = f"pot:{told.pot}"
        self.heard = self.acknowledged = START
        self.in_force = False
        self._wall = of_this_machine().wall
        self.meter_at: int | None = None
        self.talk = NeighbourTalk(one.name, told.owner, Side.ABOVE, first)
        self.socket: zmq.Socket[bytes] | None = None
        self.knows()

    # Its record.

    @property
    def waits(self) -> bool:
        return self.acknowledged.number < len(self.letters)

    def knows(self) -> None:
        """As after a commit."""
        told = {self.stream: self.letters[-1].mark} if self.letters else {}
        heard = {self.log: self.heard} if self.heard.number else {}
        acknowledged = {self.stream: self.acknowledged} if self.acknowledged.number else {}
        self.talk.knows(LinkMarks(1, told, heard, acknowledged, frozenset()))

    # Its line.

    def hears(self, now: Micros) -> None:
        if self.socket is not None:
            try:
                for _ in range(MOST_LETTERS):
                    self.talk.receive(self.socket.recv(zmq.NOBLOCK), now)
            except zmq.Again:
                pass

    def lives(self, now: Micros) -> Micros | None:
        """What is due, what it has to say, what came of it; when it is due again."""
        self.talk.tick(now)
        for stream, after in self.talk.wanted():
            self.talk.give(stream, after, self.letters[after.number : after.number + MOST_LETTERS], now)
        self._speaks(now)
        while (event := self.talk.next_event()) is not None:
            self._happened(event, now)
        self._speaks(now)
        return self.talk.deadline()

    def _speaks(self, now: Micros) -> None:
        while self.socket is not None and (octets := self.talk.to_send(now)) is not None:
            try:
                self.socket.send(octets, zmq.NOBLOCK)
            except zmq.Again:  # nobody is there any more
                self._hang_up(now)

    def _happened(self, event: object, now: Micros) -> None:
        match event:
            case Dial():
                self._dial(now)
            case HangUp():
                self._hang_up(now)
            case FromNeighbour(_, _, letters):
                for letter in letters:
                    self._hear(letter.letter)
                self.heard = letters[-1].mark
                self.knows()
            case NeighbourAcknowledged(_, _, mark):
                self.acknowledged = mark
                self.knows()
            case MeterHeard():
                self._ages.ways.append(self._wall() - event.at)
                self.meter_at = event.at
            case LinkBroken():
                raise AssertionError(event)

    def _hear(self, letter: Letter) -> None:
        if isinstance(letter, PlanOffered):
            self.ready(Documents(letter.plan, letter.ruleset))
        elif isinstance(letter, PlanInForce):
            self.in_force = True

    def _dial(self, now: Micros) -> None:
        self.socket = self._context.socket(zmq.DEALER)
        self.socket.set(zmq.LINGER, 0)
        self.socket.set(zmq.RECONNECT_IVL, -1)
        self.socket.curve_serverkey = z85.encode(bytes.fromhex(self._told.key))
        self.socket.curve_publickey = z85.encode(bytes.fromhex(self._one.public))
        self.socket.curve_secretkey = z85.encode(bytes.fromhex(self._one.secret))
        self.socket.connect(f"tcp://{LOOPBACK}:{self._told.port}")
        self.talk.line_up(now)

    def _hang_up(self, now: Micros) -> None:
        if self.socket is not None:
            self.socket.close(0)
            self.socket = None
            self.talk.line_down(now)

    def looks(self) -> None:
        """At the age of the newest meter."""
        if self.meter_at is not None:
            self._ages.shown.append(self._wall() - self.meter_at)


class Casinos:
    """All of them in one thread."""

    def __init__(self, told: Told) -> None:
        self._context = zmq.Context()
        self._context.set(zmq.MAX_SOCKETS, 4_096)
        self.ages = Ages()
        now = micros()
        self.all = [
            LightCasino(told, one, self._context, self.ages, now + number * BETWEEN_DIALS)
            for number, one in enumerate(told.casinos)
        ]
        self._poller, self._polled = zmq.Poller(), dict[zmq.Socket[bytes], LightCasino]()
        self._chance, self._due = Random(1), dict[str, Micros | None]()
        self._look_at = 0

    def turn(self, until: Micros) -> None:
        """Waits for something until then, and lives."""
        now = micros()
        times = [until, self._look_at, *(due for due in self._due.values() if due is not None)]
        came = dict(self._poller.poll(max(0, -(-(min(times) - now) // MILLISECOND))))
        now = micros()
        touched = {self._polled[one].name: self._polled[one] for one in came if one in self._polled}
        for casino in touched.values():
            casino.hears(now)
        for casino in self.all:
            due = self._due.get(casino.name, 0)
            if casino.name in touched or (due is not None and due <= now):
                self._serve(casino, now)
        if now >= self._look_at:
            self._look_at = now + LOOK_EVERY
            for casino in self.all:
                casino.looks()

    def _serve(self, casino: LightCasino, now: Micros) -> None:
        before = casino.socket
        self._due[casino.name] = casino.lives(now)
        if casino.socket is not before:
            if before is not None and before in self._polled:
                self._poller.unregister(before)
                del self._polled[before]
            if casino.socket is not None:
                self._poller.register(casino.socket, zmq.POLLIN)
                self._polled[casino.socket] = casino

    def told(self, casino: LightCasino) -> None:
        """It committed something."""
        casino.knows()
        self._serve(casino, micros())

    def until(self, what: Callable[[], bool], longest: Micros = LONGEST) -> None:
        end = micros() + longest
        while not what():
            assert micros() < end, [(one.name, one.acknowledged.number, len(one.letters)) for one in self.all][:5]
            self.turn(micros() + 100 * MILLISECOND)

    # What is played.

    def begin(self) -> None:
        self.until(self._all_ready)

    def _all_ready(self) -> bool:
        for casino in self.all:
            if casino.plan and casino.waits and casino.talk.up:
                self.told(casino)
        return all(casino.in_force for casino in self.all)

    def flood(self, passes: float) -> dict[str, float]:
        """So many passes a casino; seconds until the last of them was acknowledged."""
        for casino in self.all:
            for _ in range(int(passes)):
                casino.close(*casino.seal())
        start = micros()
        for casino in self.all:
            self.told(casino)
        self.until(lambda: not any(casino.waits for casino in self.all), 10 * LONGEST)
        return {"passes": int(passes) * len(self.all), "seconds": (micros() - start) / SECOND}

    def live(self, seconds: float, rate: float) -> dict[str, object]:
        self.ages.ways.clear()
        self.ages.shown.clear()
        numbers, acts = count(), list[tuple[Micros, int, LightCasino, tuple[str, int] | None]]()
        start, at = micros(), 0.0
        while at < seconds:
            at += self._chance.expovariate(rate)
            heapq.heappush(acts, (start + int(at * SECOND), next(numbers), self._chance.choice(self.all), None))
        passes = len(acts)
        while acts:
            due, _, casino, opened = heapq.heappop(acts)
            while (now := micros()) < due:
                self.turn(due)
            if opened is None:
                sealed = casino.seal()
                heapq.heappush(acts, (now + HALF_A_SECOND, next(numbers), casino, sealed))
            else:
                casino.close(*opened)
            self.told(casino)
        self.until(lambda: not any(casino.waits for casino in self.all))
        return {"passes": passes, "ways": _quantiles(self.ages.ways), "shown": _quantiles(self.ages.shown)}

    def quiet(self, seconds: float) -> None:
        end = micros() + int(seconds * SECOND)
        while micros() < end:
            self.turn(end)


def _quantiles(times: Sequence[int]) -> list[int]:
    ordered = sorted(times) or [0]
    return [ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], len(times)]


def main(place: str) -> None:
    casinos = Casinos(msgspec.json.decode(Path(place).read_bytes(), type=Told))
    casinos.begin()
    print("ready", flush=True)
    plays: dict[str, Any] = {"flood": casinos.flood, "live": casinos.live, "quiet": casinos.quiet}
    while words := _heard(casinos):
        print(json.dumps(plays[words[0]](*map(float, words[1:]))), flush=True)


def _heard(casinos: Casinos) -> list[str]:
    """The next words; meanwhile the links stay alive."""
    poller = zmq.Poller()
    poller.register(sys.stdin.fileno(), zmq.POLLIN)
    while not poller.poll(0):
        casinos.turn(micros() + 50 * MILLISECOND)
    return sys.stdin.readline().split()


if __name__ == "__main__":
    main(sys.argv[1])
