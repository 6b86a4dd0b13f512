"""One seeded history: a board that lies at some moment, a node and a board that restart, and the way out.

`play(seed)` answers the history; what did not hold stands in `broken`:
- nothing is booked that R-37 forbids (oracle.py);
- whatever the liar says, the other unit of its table plays: its seat is never closed, its bets are sealed, and no lock
  waits longer than the settings say;
- once the board says the truth again, the orders of the operators' page bring each seat back: counted by two where it
  is asked for, its faults cleared, opened; then a press at it is a bet, is lit, and is sealed;
- at the end the books have what the units counted, and `verify` agrees with the record.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from controller.core import facts as said
from controller.core import inputs as ask
from controller.core.facts import Fact
from controller.core.inputs import Input
from controller.core.state import State
from controller.core.values import Lamp, Phase
from controller.node.book.book import Asked, Book
from controller.node.book.chain import GENESIS
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary.protocol import Deed, Request
from drivers.native.contract import ResetCause, SeatMode
from drivers.native.settings import UnitSettings
from drivers.session import MILLISECOND, SECOND
from firmware_sim.native.books import wound_up
from firmware_sim.native.make import Make
from firmware_sim.native.nvm import Nvm
from support.floor.floor import CARLA, JEFA, LUIS, TABLE, TITO, plan
from support.floor.floor import Floor as Ledger
from support.floor.floor_evening import Evening, Life, Silent, compare
from support.floor.floor_tables import CONSOLE, ELECTRONIC, SLOT, WHOLE, Made, Shape, Stage, native
from support.liars.board import Liar
from support.liars.lies import Lie, lie_of
from support.liars.oracle import Oracle
from support.links.kept import Kept, as_store
from support.record.verify_history import key_of
from support.record.verifying import verify
from support.sim.world import World

NODE = "central"
LIAR, HONEST = 2, 3  # addresses
_LIARS = {"a unit of three": (WHOLE, 3), "a single seat": (ELECTRONIC, 1), "a slot": (SLOT, 1)}
_HONEST_SEAT = 4
_WAYS_OUT = 4


class _Desk(Ledger):
    """A core that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, Input]] = []
        super().__init__(plan())

    def ask(self, asked: Input, *, after: int = 1_000) -> tuple[Fact, ...]:
        if isinstance(asked, ask.FoundNode):
            asked = _of_our_key(asked)
        self.asked.append((self.now + after, asked))
        return super().ask(asked, after=after)


def _of_our_key(asked: ask.FoundNode) -> ask.FoundNode:
    return ask.FoundNode(asked.node, key_of(NODE).public, asked.administrators)


class _Stage(Stage):
    """One of its boards can lie."""

    def _sim(self, made: Made, number: int) -> Any:
        if number != LIAR:
            return super()._sim(made, number)
        assert isinstance(made, UnitSettings), "a native unit"
        make = Make(
            number, made.unit_class, made.seats, made.first_seat, serial=1000 + number, config=made.config,
            answer=2 * MILLISECOND,
        )  # fmt: skip
        nvm = wound_up(make, 2**32 - self.chance.randint(1, 60)) if self.chance.random() < 0.3 else Nvm()
        return Liar(make, nvm, Random(self.chance.random()))


class History(Evening):
    """What outlives every process, the lies that were told, and the registers that they were told in."""

    def __init__(self, seed: int) -> None:
        chance = Random(seed)
        name = chance.choices(list(_LIARS), [5, 3, 2])[0]
        super().__init__(seed, name, stage=_Stage(_shape(name), chance), core=_Desk())
        self.chance = chance
        self.liar: Liar = next(sim for sim in self.stage.sims.values() if isinstance(sim, Liar))
        self.lamps = [lamp for lamp in self.lamps if not isinstance(lamp[1], Liar)]
        is_slot = self.liar.seats[0].mode == SeatMode.CHIPS
        self.oracle = Oracle({self.liar.make.serial: (self.liar, 1)}, 0 if is_slot else 10, 2 if is_slot else 0)
        self.lies: list[str] = []
        self.copy: Any = None
        self.of_liar = range(1, self.liar.make.seats + 1)
        self.registers: Counter[str] = Counter()

    def begin(self, lie: Lie, when: str) -> None:
        """From now on the board says it."""
        self.seen["lies that were told"] += self.liar.told > 0
        self.seen["lies"] += 1
        self.oracle.is_plain = lie.is_plain and not self.lies
        self.lies.append(f"{when}: {lie}")
        self.registers.update(f"{one.register.block}.{one.register.name}" for one in lie.changes)
        self.liar.begin(lie)

    def ask(self, asked: Input) -> tuple[Fact, ...]:
        facts = super().ask(asked)
        for fact in facts:
            self._hear(fact)
        return facts

    def _hear(self, fact: Any) -> None:
        seat = getattr(fact, "seat", 0)
        if seat in self.of_liar:
            self.oracle.hear(fact)
            if self.oracle.wrong:
                self.break_it(f"booked: {self.oracle.wrong[0]}")
        if seat == _HONEST_SEAT and isinstance(fact, said.SeatClosed | said.DeviceDisbelieved):
            self.break_it(f"the other unit's seat: {fact}")


def _shape(name: str) -> Shape:
    unit_class, seats = _LIARS[name]
    made = [native(1, CONSOLE, 1), native(LIAR, unit_class, 1, seats), native(HONEST, ELECTRONIC, _HONEST_SEAT)]
    return [[(TABLE, replace(one, poll=20 * MILLISECOND)) for one in made]]


# ------------------------------------------------------------------------------------------------ what happens


def _do(history: History, life: Life, asked: Input) -> None:
    life.act(lambda _: history.ask(asked))


def _press(history: History, life: Life, seat: int) -> None:
    _, sim = history.stage.unit_at(TABLE, seat)
    own = seat - sim.make.first_seat + 1

    def touch(now: int) -> None:
        if sim.seats[own - 1].mode == SeatMode.CHIPS:
            (sim.force_chip if history.chance.random() < 0.15 else sim.chip)(own, now)
        else:
            sim.press(own, history.chance.choice([1, 1, 2]), now)

    life.world.act(touch)


def _some_press(history: History, life: Life) -> None:
    for seat in history.chance.sample([*history.of_liar, _HONEST_SEAT], history.chance.randint(1, 2)):
        _press(history, life, seat)


def _unlock(history: History, life: Life) -> None:
    if history.core.table().phase is not Phase.OPEN:
        life.act(partial(life.floor.deed, Deed.UNLOCK, _request(Deed.UNLOCK), life.core.state))


def _lock(history: History, life: Life) -> None:
    if history.core.table().phase is Phase.OPEN:
        _do(history, life, ask.Lock(TABLE, CARLA))


def _buy(history: History, life: Life) -> None:
    seat, many = history.chance.choice([*history.of_liar, _HONEST_SEAT]), history.chance.randint(1, 9)
    _do(history, life, ask.BuyCredits(TABLE, seat, many, CARLA))


def _cash(history: History, life: Life) -> None:
    seat = history.chance.choice([*history.of_liar, _HONEST_SEAT])
    _do(history, life, ask.CashOut(TABLE, seat, CARLA))


def _void(history: History, life: Life) -> None:
    _do(history, life, ask.VoidHand(TABLE, history.chance.choice(history.of_liar), "mal dado", CARLA))


def _lie(history: History, life: Life) -> None:
    lie = lie_of(history.chance, history.liar.make.seats)
    life.world.act(lambda _: history.begin(lie, history.core.table().phase.value))


def _reboot(history: History, life: Life) -> None:
    life.world.act(partial(history.liar.reboot, history.chance.choice([ResetCause.WATCHDOG, ResetCause.BROWN_OUT])))


def _copy(history: History, life: Life) -> None:
    history.copy = history.liar.saved()


def _go_back(history: History, life: Life) -> None:
    """A memory as it was, and a boot."""
    if history.copy is None:
        return
    history.lies.append("its memory goes back")
    history.oracle.is_plain = False
    history.liar.restore(history.copy)
    _reboot(history, life)


_HAPPENINGS: dict[Callable[[History, Life], None], float] = {
    _some_press: 10, _unlock: 5, _lock: 4, _buy: 2, _cash: 1, _void: 0.6, _lie: 4, _reboot: 1, _copy: 1, _go_back: 0.8,
}  # fmt: skip
_STEPS = [40, 100, 250, 600]


def _request(deed: Deed, seat: int = 0) -> Request:
    return Request(v=1, id="0" * 32, do=deed, table=TABLE, seat=seat)


def _reborn(history: History) -> Life:
    """Nobody drives the line for a while; the board may lie before it is asked again."""
    away = World(Silent(), next(iter(history.stage.lines.values())), now=history.now)
    away.run_for(history.chance.choice([1, 30, 400, 1500]) * MILLISECOND)
    history.now = away.now
    history.waiting.clear()
    history.seen["restarts of the node"] += 1
    return Life(history)


# ------------------------------------------------------------------------------------------------ the way out


def _until(life: Life, condition: Callable[[], bool], within: int) -> bool:
    end = life.world.now + within
    while not condition():
        if life.world.now >= end or life.evening.broken:
            return condition()
        life.run_for(100 * MILLISECOND)
    return True


def _between(history: History, life: Life) -> bool:
    """The pass comes to its end, whatever the liar says."""
    _lock(history, life)
    if not _until(life, lambda: history.core.table().phase in {Phase.SEALED, Phase.BETWEEN}, 15 * SECOND):
        return False
    if history.core.table().phase is Phase.SEALED:
        _do(history, life, ask.ClosePass(TABLE, CARLA))
    return history.core.table().phase is Phase.BETWEEN


def _way_out(history: History, life: Life) -> bool:
    """As the operators' page has it: count by two what is not believed, clear what is latched, open."""
    for attempt in range(_WAYS_OUT):
        if not _until(life, lambda: _is_decided(history, life), 25 * SECOND):
            history.break_it(f"its unit is {life.floor.units()}")
            return False
        for number in history.of_liar:
            if history.core.seat(number).doubted:
                history.seen["counted"] += 1
                credits_ = history.core.seat(number).credits
                _do(history, life, ask.CountSeat(TABLE, number, credits_, JEFA, LUIS))
        life.run_for(500 * MILLISECOND)
        _until(life, lambda: all(unit.health == "up" for unit in life.floor.units()), 25 * SECOND)
        for number in history.of_liar:
            if history.core.seat(number).closed:
                clear = _request(Deed.CLEAR_FAULTS, number)
                life.act(partial(life.floor.deed, Deed.CLEAR_FAULTS, clear, life.core.state))
        life.run_for(4 * SECOND if any(history.core.seat(n).closed for n in history.of_liar) else 0)
        for number in history.of_liar:
            if history.core.seat(number).closed:
                _do(history, life, ask.OpenSeat(TABLE, number, TITO))
        life.run_for(SECOND)
        if not any(history.core.seat(n).out_of_play for n in history.of_liar) and _is_decided(history, life):
            history.seen[f"ways out: {attempt + 1}"] += 1
            return True
    history.break_it(f"no way out of {[history.core.seat(n).closed for n in history.of_liar]}, {life.floor.units()}")
    return False


def _is_decided(history: History, life: Life) -> bool:
    """It is up, or it waits for persons."""
    is_doubted = any(history.core.seat(number).doubted for number in history.of_liar)
    return is_doubted or all(unit.health == "up" for unit in life.floor.units())


def _last_pass(history: History, life: Life) -> None:
    """Every seat is in play: a press is a bet, is lit, and is sealed."""
    everybody = [*history.of_liar, _HONEST_SEAT]
    for seat in everybody:
        _do(history, life, ask.BuyCredits(TABLE, seat, 5, CARLA))
    life.run_for(SECOND)
    _unlock(history, life)
    if not _until(life, lambda: _all_open(history), 5 * SECOND):
        history.break_it(f"it does not open: {life.floor.units()}")
        return
    life.run_for(300 * MILLISECOND)
    for seat in everybody:
        sim = _sim(history, seat)
        own = seat - sim.make.first_seat + 1
        is_chips = sim.seats[own - 1].mode == SeatMode.CHIPS
        life.world.act(lambda now, s=sim, o=own, c=is_chips: s.chip(o, now) if c else s.press(o, 1, now))
    if not _until(life, lambda: all(history.core.seat(n).lamp is Lamp.LIT for n in everybody), 5 * SECOND):
        history.break_it(f"no lit bet at {[n for n in everybody if history.core.seat(n).lamp is not Lamp.LIT]}")
    if not _between(history, life):
        history.break_it("the last pass does not end")
    sealed = history.core.heard(said.PassSealed)[-1]
    if [bet.seat for bet in sealed.bets] != everybody:
        history.break_it(f"sealed at {[bet.seat for bet in sealed.bets]}, pressed at {everybody}")


def _sim(history: History, seat: int) -> Any:
    return history.stage.unit_at(TABLE, seat)[1]


def _all_open(history: History) -> bool:
    return all(sim.memory.open for sim in history.stage.sims.values())


# ------------------------------------------------------------------------------------------------ a history


def play(seed: int) -> History:
    history = History(seed)
    chance = history.chance
    if chance.random() < 0.2:
        history.begin(lie_of(chance, history.liar.make.seats), "from the first")
    life = Life(history)
    life.run_for(1500 * MILLISECOND)
    for seat in [*history.of_liar, _HONEST_SEAT]:
        history.ask(ask.BuyCredits(TABLE, seat, chance.randint(4, 20), CARLA))
    life.run_for(300 * MILLISECOND)
    for _ in range(chance.randint(10, 20)):
        if history.broken:
            return history
        if chance.random() < 0.07:
            life = _reborn(history)
        chance.choices(list(_HAPPENINGS), list(_HAPPENINGS.values()))[0](history, life)
        life.run_for(chance.choice(_STEPS) * MILLISECOND)
    _end(history, life)
    return history


def _end(history: History, life: Life) -> None:
    history.liar.lie = None
    life.run_for(300 * MILLISECOND)
    if not _between(history, life):
        history.break_it(f"the pass does not end: {history.core.table()}")
    if history.broken or not _way_out(history, life):
        return
    _last_pass(history, life)
    if not history.broken:
        life.run_for(2 * SECOND)
        compare(history, life)
    if not history.broken:
        _verify(history)


def _verify(history: History) -> None:
    desk = history.core
    assert isinstance(desk, _Desk), "it remembers"
    kept, key = Kept(NODE), key_of(NODE)
    book = Book(as_store(kept), key, State(), 0, GENESIS, {})
    for number, (now, asked) in enumerate(desk.asked, 1):
        verifier = "un verificador" if isinstance(asked, ask.EnrolPerson) else ""
        book.take([Asked(OutcomeKey(NODE, 0, number), now, asked, verifier)])
    assert book.state == desk.state, "the book answers as the core does"
    verdict = verify(kept, None, lambda _: None)
    if verdict.wrong is not None:
        history.break_it(f"verify: {verdict.wrong}")
