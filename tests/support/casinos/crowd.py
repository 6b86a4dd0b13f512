"""The people of an evening and their devices, as a program of its own: `python -m support.casinos.crowd FILE`.

The desks are simulated on ptys here, and croupiers, players and chiefs are the demo's (controller/play); nodes are other
processes and hear of all this only through their ports and control sockets. A node may die and come back: what was asked
is asked again with the same id. FILE is JSON: seed, speed, and for each node its folder and its tables. A line each
second on standard output says how far they are. On standard input: `close` (everybody cashes out, the day is closed),
and the end of it, which ends the program.
"""

import asyncio
import contextlib
import datetime as dt
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from controller.core import inputs as ask
from controller.core.state import plan_of
from controller.core.values import KNOWS_MORE, Signature
from controller.node.control.client import ToSign, asking
from controller.node.control.live import LiveNode
from controller.node.settings.settings import read_node
from controller.node.vocabulary.protocol import NodeView, Reply
from controller.play.casino import request_of
from controller.play.chief import Chief
from controller.play.croupier import Croupier, Tempo
from controller.play.staff import ANA, JULIA, pin_of
from drivers.punctual import micros
from drivers.session import MILLISECOND, SECOND, Micros
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.players import Players, evening
from firmware_sim.desk.stage import Stage
from firmware_sim.desk.view import seats_seen

_BEAT, _PAUSE, _TELLS = 0.01, 0.3, 1.0
_LOOKS = 50 * MILLISECOND
_SILENCE, _PATIENCE = 2.0, 4.0
_WINNING = 0.22
_FOREVER = 10**9
CREDIT = 1_000
_NOBODY = Signature("")


@dataclass(frozen=True, slots=True)
class Haste(Tempo):
    """The demo's, with fingers that need less. Opening, locking and selling take what units and lines take."""

    @property
    def bets(self) -> Micros:
        return max(2 * _LOOKS, int(15 * SECOND / self.speed))

    @property
    def held(self) -> Micros:
        return max(SECOND, int(240 * SECOND / self.speed))


class House:
    """One node with tables: its desks, its people."""

    def __init__(self, place: Path, tables: dict[str, str], speed: float, seed: str) -> None:
        self.name, self.place = place.name, place
        self.chance = Random(seed)
        self.stages: dict[str, Stage] = {}
        self.croupiers: dict[str, Croupier] = {}
        self.closing, self.was_open, self.over, self.rests = False, False, False, False
        self.refused: Counter[str] = Counter()
        self._pace, self._tables = Haste(speed), tables
        self._last = False
        self._counting: dict[tuple[str, int], Micros] = {}

    async def open(self, closing: contextlib.AsyncExitStack) -> None:
        for table in self._tables:
            standing = read_desk((self.place / f"{table}.desk.toml").read_text(), table)
            self.stages[table] = stage = Stage(standing, self.place / table, state=self.place / "state" / table)
            await closing.enter_async_context(stage.open())
        node = read_node(self.place / "node.toml")
        plans = {plan.name: plan for file in node.plans for plan in [plan_of(file.documents)]}
        for table, pot in self._tables.items():
            plan = plans[pot]
            seats = [seat for device in self.stages[table].desk.devices for seat in device.seats]
            chance = Random(self.chance.getrandbits(64))
            hasty = replace(evening(chance), looks=_LOOKS)
            players = Players(seats, chance, hasty, most=plan.limits.most // plan.limits.credit_value)
            croupier = Croupier(table, plan.tables[0].modality.own_cards, players, chance, plan.two_persons_above)
            croupier.pace, croupier.winning = self._pace, _WINNING
            self.croupiers[table] = croupier
        self.chief = Chief(tuple(self.croupiers.values()), _FOREVER)
        self.live = LiveNode(node.control, silence=_SILENCE, patience=_PATIENCE)
        self.live.start()
        closing.push_async_callback(asyncio.to_thread, self.live.stop)

    @property
    def passes(self) -> int:
        return self.chief.passes

    def close(self) -> None:
        """Nobody wins any more; once every prize was given, the chief ends the day on empty tables."""
        self.closing = True
        for croupier in self.croupiers.values():
            croupier.winning = 0.0

    def goes_on(self) -> None:
        """Its node was made anew: what was answered last may be in no record any more."""
        self.rests = False
        for croupier in self.croupiers.values():
            croupier.come_back()
        self.chief = Chief(tuple(self.croupiers.values()), _FOREVER)

    def _owes(self, view: NodeView) -> bool:
        """R-21, R-34: a prize of these tables is not given yet, or the owner has still to say whether it is one."""
        asked = any(pot.corrections for pot in view.far_pots)
        return asked or any(award.table in self.croupiers for pot in view.pots for award in pot.awards)

    def turn(self) -> None:
        view = self.live.view
        if view is None or self.live.silent or view.stopping or self.over or self.rests:
            return
        self.was_open = self.was_open or bool(view.day)
        if self.closing and self.was_open and not view.day:
            self.over = True
            return
        if self.closing and not self._last and not self._owes(view):
            self._last, self.chief = True, Chief(tuple(self.croupiers.values()), 0)
        now = micros()
        for table, croupier in self.croupiers.items():
            acts, wanted = croupier.turn(view, seats_seen(self.stages[table].desk.devices, now), now)
            for act in acts:
                self.stages[table].obey(act)
            if wanted is not None:
                self._ask(request_of(wanted), croupier.answered)
        waits = self._last and self._owes(view)  # a winner whom a croupier had forgotten is still to be paid
        wanted = None if waits else self.chief.turn(view, now, dt.datetime.now(tz=dt.UTC).date().isoformat())
        if wanted is not None:
            self._ask(request_of(wanted), partial(self.chief.answered, wanted))
        self._count(view, now)

    def _count(self, view: NodeView, now: Micros) -> None:
        """R-37: two persons count a seat whose unit knows more than the record, or has forgotten."""
        for table in view.tables:
            for seat in table.seats if table.table in self.stages else ():
                place = table.table, seat.seat
                if seat.closed != KNOWS_MORE or now < self._counting.get(place, 0):
                    continue
                seen = {one.number: one for one in seats_seen(self.stages[table.table].desk.devices, now)}
                shown = (seen[seat.seat].shows or "0").replace(".", "")
                if shown.isdecimal():
                    self._counting[place] = now + 3 * SECOND
                    counted = ask.CountSeat(*place, int(shown) * CREDIT, _NOBODY, _NOBODY)
                    self._ask(asking(counted, pin_of(JULIA.person), pin_of(ANA.person)), lambda _: None)

    def _ask(self, request: ToSign, answered: Callable[[Reply], None]) -> None:
        """The same until it is answered, also over a restart of the node."""
        loop = asyncio.get_running_loop()

        def heard(said: Reply | str) -> None:
            if isinstance(said, str):
                loop.call_later(_PAUSE, self.live.ask, request, heard)
                return
            if said.trouble is not None:
                self.refused[said.trouble.reason] += 1
            answered(said)

        self.live.ask(request, heard)

    def said(self) -> dict[str, Any]:
        view = self.live.view
        return {
            "passes": {table: croupier.passes for table, croupier in self.croupiers.items()},
            "over": self.over,
            "silent": self.live.silent,
            "day": view.day if view else "",
            "phases": {one.table: one.phase for one in view.tables} if view else {},
            "refused": dict(self.refused),
        }


class Evening:
    def __init__(self, file: Path) -> None:
        told = json.loads(file.read_text())
        self.houses = [
            House(Path(one["place"]), one["tables"], told["speed"], f"{told['seed']} {one['place']}")
            for one in told["houses"]
        ]
        self._end = asyncio.Event()
        self._begun = b""

    async def play(self) -> None:
        loop = asyncio.get_running_loop()
        async with contextlib.AsyncExitStack() as closing:
            for house in self.houses:
                await house.open(closing)
            loop.add_reader(sys.stdin.fileno(), self.heard, sys.stdin.fileno())
            print("up", flush=True)
            tasks = {loop.create_task(one) for one in (self._turns(), self._tells(), self._ended())}
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            for task in done:
                task.result()

    def heard(self, stdin: int) -> None:
        """All lines that are there: what a buffer kept back nobody would be woken for."""
        said = os.read(stdin, 65_536)
        if not said:
            self._end.set()
            return
        *lines, self._begun = (self._begun + said).split(b"\n")
        for line in lines:
            self._told(*line.decode().split(" "))

    def _told(self, what: str, who: str = "") -> None:
        for house in self.houses:
            if what == "close":
                house.close()
            elif house.name == who and what == "rest":
                house.rests = True
            elif house.name == who:
                house.goes_on()

    async def _ended(self) -> None:
        await self._end.wait()

    async def _turns(self) -> None:
        while True:
            for house in self.houses:
                house.turn()
            await asyncio.sleep(_BEAT)

    async def _tells(self) -> None:
        while True:
            print(json.dumps({house.name: house.said() for house in self.houses}), flush=True)
            await asyncio.sleep(_TELLS)


if __name__ == "__main__":
    asyncio.run(Evening(Path(sys.argv[1])).play())
