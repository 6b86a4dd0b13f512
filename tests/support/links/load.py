"""Casinos at work while their nodes and the owner's are killed: who asked asks again with the same id until he is answered.

At each casino one person does what croupier, cashier, chief and players do, as fast as the table lets him; at the owner
two persons move money into the pot. What was asked and what was heard stands in `told`, and outlives every node.
"""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from controller.core import inputs as ask
from controller.core.values import Hand
from controller.core.view import AwardView, TableView
from controller.node.control.client import Client, NodeSilent, ToSign, asking, doing
from controller.node.vocabulary.protocol import Deed, NodeView, Pin, Reply
from support.node.linked_casinos import BY, POT, TABLE, LinkedNode
from support.node.node_process import ANA, CARLA, JEFE, LUIS
from support.sim.desk_talk import answers

STRAIGHT_FLUSH = ("5h", "6h", "7h", "8h", "9h")
FULL = ("2h", "2d", "2s", "3h", "3d")
LONGEST = 120.0  # seconds that somebody waits for an answer, over however many lives of his node


class Told(NamedTuple):
    request: ToSign
    reply: Reply


class _GivenUp(Exception):  # noqa: N818  says what happened
    """No node will answer any more."""


class Work:
    """What goes on at one node. `stop` lets it come to its end: whoever asked was answered."""

    def __init__(self, node: LinkedNode, seed: int) -> None:
        self.node, self.chance = node, random.Random(f"{seed} {node.name}")
        self.told: list[Told] = []
        self.again: list[tuple[Told, Reply]] = []
        self.seen: Counter[str] = Counter()
        self.asked = threading.Event()  # somebody is about to be answered: a good moment to be killed
        self.broken: list[str] = []
        self.passes = 0
        self.heard: Callable[[Reply], object] = lambda _: None  # whoever else listens to what is answered
        self._ending, self._lost = threading.Event(), threading.Event()
        self._client: Client
        self._thread = threading.Thread(target=self._live)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ending.set()
        self._thread.join(LONGEST)

    def give_up(self) -> None:
        """No node will ever answer again."""
        self._lost.set()
        self.stop()

    def _live(self) -> None:
        try:
            with Client(self.node.place / "control") as self._client:
                while not self._ending.is_set():
                    with suppress(NodeSilent):
                        self.turn()
                    time.sleep(self.chance.uniform(0, 0.04))
        except _GivenUp:
            return
        except Exception as error:
            self.broken.append(f"{self.node.name}: {type(error).__name__}: {error}")
            raise

    def turn(self) -> None:
        raise AssertionError("each does what is his")

    def view(self) -> NodeView:
        return self._client.state(3.0)

    def ask(self, asked: Any, by: Pin, second: Pin | None = None) -> Reply:
        return self._tell(asking(asked, by, second), type(asked).__name__)

    def do(self, deed: Deed, by: Pin, **told: Any) -> Reply:
        return self._tell(doing(deed, by, None, **told), str(deed))

    def _tell(self, request: ToSign, name: str) -> Reply:
        reply = self._heard(request)
        self.told.append(Told(request, reply))
        self.heard(reply)
        self.seen[f"{'done' if reply.ok else 'refused'} {name}"] += 1
        old = [one for one in self.told[-50:] if one.reply.facts]
        if old and self.chance.random() < 0.03:
            one = self.chance.choice(old)
            self.again.append((one, self._heard(one.request)))
        return reply

    def _heard(self, request: ToSign) -> Reply:
        end = time.monotonic() + LONGEST
        while time.monotonic() < end and not self._lost.is_set():
            self.asked.set()
            with suppress(NodeSilent):
                return self._client.ask(request, 4.0)
            time.sleep(0.02)
        if self._lost.is_set():
            raise _GivenUp
        raise AssertionError(f"nobody answered: {request}")


class Owner(Work):
    """R-19: money of the house goes into the pot, so that it never runs dry; every move is a letter to all."""

    def turn(self) -> None:
        move = ask.MoveMoney(POT, "house", "main", self.chance.randint(1, 40) * 1_000, "Res. 12", BY, BY)
        self.ask(move, ANA, LUIS)
        time.sleep(self.chance.uniform(0, 0.1))


class Casino(Work):
    """A table of six electronic seats, and all its people."""

    def __init__(self, node: LinkedNode, seed: int) -> None:
        super().__init__(node, seed)
        self._number = 0
        self._won: list[int] = []  # passes of which something was claimed

    def turn(self) -> None:
        view = self.view()
        if not view.tables:
            time.sleep(0.1)
            return
        table = view.tables[0]
        self.passes += table.number != self._number
        self._number = table.number
        self._chief(view, table)
        match table.phase:
            case "between":
                self._open(view)
            case "open":
                self._play(view, table)
            case "sealed":
                self._after_the_hand(table)
            case _:
                time.sleep(0.05)

    def _open(self, view: NodeView) -> None:
        for seat in view.seats:
            if seat.health == "up" and seat.credits < 3:
                self.ask(ask.BuyCredits(TABLE, seat.seat, 30, BY), CARLA)
        self.do(Deed.UNLOCK, CARLA, table=TABLE)

    def _play(self, view: NodeView, table: TableView) -> None:
        ready = [seat.seat for seat in view.seats if seat.health == "up" and not seat.locked and seat.credits]
        free = [seat for seat in ready if not table.seats[seat - 1].bet]
        some = [f"seat {seat} press {self.chance.randint(1, 2)}" for seat in free if self.chance.random() < 0.6]
        answers(self.node.place / "ports/control", some)
        time.sleep(self.chance.uniform(0.02, 0.2))
        if any(seat.bet for seat in table.seats) or self.chance.random() < 0.1:
            self.ask(ask.Lock(TABLE, BY), CARLA)
        elif not ready:
            self.do(Deed.UNLOCK, CARLA, table=TABLE)

    def _after_the_hand(self, table: TableView) -> None:
        bets, drawn = [seat.seat for seat in table.seats if seat.bet], self.chance.random()
        seat = self.chance.choice(bets) if bets else 1
        if bets and drawn < 0.5:
            hand = self.chance.choice((
                Hand(seat, claimed="full"), Hand(seat, claimed="color"), Hand(seat, cards=STRAIGHT_FLUSH),
            ))  # fmt: skip
            self._won += [table.number] * self.ask(ask.RegisterClaim(TABLE, (hand,), BY), CARLA).ok
        elif bets and drawn < 0.65:
            self.ask(ask.VoidHand(TABLE, seat, "se voló una carta", BY), CARLA)
        elif bets and drawn < 0.7:
            self.ask(ask.VoidPass(TABLE, "mal dado", BY), JEFE)
        if self._won and self.chance.random() < 0.15:
            self._corrects(self.chance.choice(self._won))
        self.ask(ask.ClosePass(TABLE, BY), CARLA)

    def _corrects(self, number: int) -> None:
        """R-34: whose record the answer needs is read while letters go on."""
        hands = (Hand(self.chance.randint(1, 6), cards=self.chance.choice((FULL, STRAIGHT_FLUSH))),)
        right = ask.CorrectClaim(TABLE, number, hands, "era otra", BY, BY, recording=f"c-{number}")
        self.ask(right, JEFE, ANA)

    def _chief(self, view: NodeView, table: TableView) -> None:
        for seat in table.seats:
            if seat.closed and any(one.seat == seat.seat and one.health == "up" for one in view.seats):
                self.do(Deed.CLEAR_FAULTS, JEFE, table=TABLE, seat=seat.seat)
                self.ask(ask.OpenSeat(TABLE, seat.seat, BY), JEFE)
        mine = [award for pot in view.pots for award in pot.awards if "@" not in award.table]
        for award in self.chance.sample(mine, min(3, len(mine))):
            self._decides(award)

    def _decides(self, award: AwardView) -> None:
        if award.waits or award.frozen:
            return
        if not award.confirmed:
            self.ask(ask.ConfirmAward(award.award, BY, BY), JEFE, ANA)
        elif self.chance.random() < 0.7:
            self.ask(ask.PayAward(award.award, BY), CARLA)
