"""What may happen on the floor in an evening: players, croupiers, chiefs, technicians, power, and processes that die."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from controller.core import inputs as ask
from controller.core.facts import ClaimRegistered
from controller.core.values import Hand, Phase
from controller.node.vocabulary.protocol import Deed, Request
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap
from drivers.native.contract import ResetCause, SeatMode
from drivers.session import MILLISECOND, Micros
from firmware_sim.native.lamp import LampCondition
from support.floor.floor import CARLA, JEFA, JEFE, TITO, kinds

if TYPE_CHECKING:
    from support.floor.floor_evening import Evening, Life


class DiedError(Exception):
    """The process died here."""


def happen(evening: "Evening", life: "Life") -> None:
    chosen = evening.chance.choices(list(HAPPENINGS), list(HAPPENINGS.values()))[0]
    chosen(evening, life, *evening.chance.choice(evening.stage.seats()))


# ------------------------------------------------------------------------------------------------ players


def play_seats(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    """One to four of them, at nearly the same instant."""
    chance = evening.chance
    chosen = [chance.choice(evening.stage.seats()) for _ in range(chance.randint(1, 4))]
    life.world.act(partial(touch_all, evening, chosen))


def touch_all(evening: "Evening", chosen: list[tuple[str, int]], now: Micros) -> None:
    for table, number in chosen:
        touch(evening, table, number, now)


def touch(evening: "Evening", table: str, number: int, now: Micros) -> None:
    place, sim = evening.stage.unit_at(table, number)
    chance = evening.chance
    if isinstance(place.made, AcceptorSettings):
        if sim.powered:
            sim.insert(chance.choice([1, 1, 2]), now)
    elif isinstance(place.made, IoMap):
        if sim.powered:
            sim.press(number, chance.randint(1, 2), now)
    else:
        own = number - sim.make.first_seat + 1
        if sim.seats[own - 1].mode == SeatMode.CHIPS:
            force = chance.random() < 0.15
            (sim.force_chip if force else sim.chip)(own, now)
        else:
            sim.press(own, chance.choice([1, 1, 2, 2, 3, 4]), now)


# ------------------------------------------------------------------------------------------------ the croupier


def unlock(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    if evening.core.table(table).phase is Phase.OPEN and evening.chance.random() < 0.6:
        return
    place, console = evening.stage.console_of(table)
    if console.powered:
        evening.seen["unlock presses"] += 1
        life.act(console.press_unlock if isinstance(place.made, IoMap) else console.unlock_key)


def lock(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    place, console = evening.stage.console_of(table)
    if console.powered:
        evening.seen["lock presses"] += 1
        life.act(console.press_lock if isinstance(place.made, IoMap) else console.lock_key)


def unlock_on_a_screen(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    request = Request(v=1, id="0" * 32, do=Deed.UNLOCK, table=table)
    life.act(lambda now: life.floor.deed(Deed.UNLOCK, request, life.core.state, now))


def open_on_a_screen(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    life.act(lambda now: evening.ask(ask.OpenPass(table, CARLA)))


def lock_on_a_screen(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    life.act(lambda now: evening.ask(ask.Lock(table, CARLA)))


def close_the_pass(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    life.act(lambda now: evening.ask(ask.ClosePass(table, CARLA)))


def buy(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    amount = evening.chance.randint(1, 25)
    life.act(lambda now: evening.ask(ask.BuyCredits(table, seat, amount, CARLA)))


def cash_out(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    kinds_: list[Any] = [ask.CashOut, ask.CashOut, ask.LeaveCredits, ask.PayOwed]
    kind = evening.chance.choice(kinds_)
    more = {ask.LeaveCredits: (JEFA,), ask.PayOwed: (JEFA.person, JEFA)}.get(kind, ())
    life.act(lambda now: evening.ask(kind(table, seat, CARLA, *more)))


def press_and_cash_out(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    """The player presses while the croupier pays him."""
    life.world.act(lambda now: touch(evening, table, seat, now))
    life.run_for(evening.chance.choice([10, 35, 60]) * MILLISECOND)
    life.act(lambda now: evening.ask(ask.CashOut(table, seat, CARLA)))


def press_and_lock(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    """At the last moment."""
    chosen = [(table, number) for number in (seat, seat % 3 + 1) if (table, number) in evening.stage.seats()]
    life.world.act(partial(touch_all, evening, chosen))
    life.run_for(evening.chance.choice([10, 32, 40, 70, 120]) * MILLISECOND)
    lock(evening, life, table, seat)


def void_a_hand(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    life.act(lambda now: evening.ask(ask.VoidHand(table, seat, "se voló una carta", CARLA)))


def void_the_pass(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    life.act(lambda now: evening.ask(ask.VoidPass(table, "mal dado", JEFA)))


def claim(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    """R-34: a sealed bet has a full, and is paid or not."""
    now_at = evening.core.table(table)
    if now_at.phase is not Phase.SEALED or not now_at.bets:
        return
    hand = Hand(now_at.bets[0].seat, claimed="full")
    facts = evening.ask(ask.RegisterClaim(table, (hand,), CARLA))
    if ClaimRegistered not in kinds(facts):
        return
    evening.seen["claims"] += 1
    for award in list(evening.core.state.claims.values())[-1].awards:
        if evening.chance.random() < 0.7:
            evening.ask(ask.ConfirmAward(award, JEFA, JEFE))
            evening.ask(ask.PayAward(award, CARLA))


def open_seats(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    """A technician looked at what was closed."""
    for number in range(1, len(evening.core.table(table).seats) + 1):
        if evening.core.seat(number, table).closed:
            request = Request(v=1, id="0" * 32, do=Deed.CLEAR_FAULTS, table=table, seat=number)
            life.act(partial(life.floor.deed, Deed.CLEAR_FAULTS, request, life.core.state))
            life.run_for(evening.chance.choice([300, 300, 300, 4500]) * MILLISECOND)
            if evening.core.seat(number, table).closed:
                evening.seen["seats opened"] += 1
                life.act(partial(_open, evening, ask.OpenSeat(table, number, TITO)))


def _open(evening: "Evening", asked: ask.OpenSeat, _now: Micros) -> None:
    evening.ask(asked)


def close_a_seat(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    life.act(lambda now: evening.ask(ask.CloseSeat(table, seat, "limpieza", CARLA)))


def test_lamps(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    request = Request(v=1, id="0" * 32, do=Deed.LAMP_TEST, table=table)
    life.act(lambda now: life.floor.deed(Deed.LAMP_TEST, request, life.core.state, now))
    if evening.chance.random() < 0.3:
        life.run_for(evening.chance.choice([500, 2000]) * MILLISECOND)


# ------------------------------------------------------------------------------------------------ things that break


def break_a_lamp(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    place, sim = evening.stage.unit_at(table, seat)
    if isinstance(place.made, AcceptorSettings):
        return
    evening.seen["lamps broken"] += 1
    own = seat if isinstance(place.made, IoMap) else seat - sim.make.first_seat + 1
    life.world.act(lambda now: sim.lamp(own, LampCondition.OPEN, now))
    again = evening.chance.choice([200, 2000, 6000]) * MILLISECOND
    life.world.after(again, lambda now: sim.lamp(own, LampCondition.OK, now))


def reboot(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    place, sim = evening.chance.choice([(one, evening.stage.sims[one.key]) for one in evening.stage.node.units])
    chance = evening.chance
    evening.seen["reboots"] += 1
    chips = isinstance(place.made, AcceptorSettings)
    if not chips and not isinstance(place.made, IoMap) and sim.powered and chance.random() < 0.5:
        life.world.act(lambda now: sim.reboot(chance.choice([ResetCause.WATCHDOG, ResetCause.BROWN_OUT]), now))
        return
    if not sim.powered:
        return
    life.world.act(sim.power_off)
    back = chance.choice([5, 400, 3000, 7000]) * MILLISECOND
    life.world.after(back, lambda now: sim.powered or (sim.power_on() if chips else sim.power_on(now)))


def lose_the_memory(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    place, sim = evening.stage.unit_at(table, seat)
    if isinstance(place.made, AcceptorSettings | IoMap) or not sim.powered:
        return
    evening.seen["memories lost"] += 1
    sim.lose_memory()
    life.world.act(lambda now: sim.reboot(ResetCause.WATCHDOG, now))


def pull_the_cable(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    line = evening.chance.choice(list(life.cables))
    cable = life.cables[line]
    if not cable.connected:
        return
    evening.seen["cables pulled"] += 1
    cable.disconnect(life.world.now)
    back = evening.chance.choice([20, 400, 3000, 7000]) * MILLISECOND

    def plug(now: Micros) -> None:
        if not cable.connected:
            cable.connect(now)

    life.world.after(back, plug)


def die_soon(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    step = evening.chance.choice(["before the commit", "after the commit", "between two wishes"])
    life.die_at = (step, evening.chance.randint(0, 2))


def die(evening: "Evening", life: "Life", table: str, seat: int) -> None:
    raise DiedError


HAPPENINGS: dict[Callable[["Evening", "Life", str, int], None], float] = {
    play_seats: 40, unlock: 17, lock: 4, unlock_on_a_screen: 2, open_on_a_screen: 1.5, lock_on_a_screen: 1.5,
    close_the_pass: 2, buy: 7, cash_out: 4, press_and_cash_out: 2.5, press_and_lock: 6, void_a_hand: 3,
    void_the_pass: 1.5, claim: 2, open_seats: 4, close_a_seat: 0.7, test_lamps: 0.7, break_a_lamp: 2.5, reboot: 4,
    lose_the_memory: 0.5, pull_the_cable: 1.2, die_soon: 4, die: 1.5,
}  # fmt: skip
