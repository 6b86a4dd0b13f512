"""Every cause that takes a seat out of play, against every order that a person can give: played, and written as a page.

Theory. Each cell is played on its own floor: real drivers, simulated units, the real core. The cause comes at seat 1 of
a table while seat 2 has a bet; then the order is given, as the node would give it, and its answer stands in the cell:
the sentence that refuses it, or what became of the seat. `CAUSES` also say the way out, which is played to its end.
`python -m support.floor.closed_seats` writes `docs/operators/closed-seats.md`.
"""

import copy
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from controller.core import inputs as ask
from controller.core.facts import Refused
from controller.core.inputs import Input
from controller.core.machine import decide
from controller.core.values import Phase
from controller.ctl.intent import OrderPlace, make
from controller.ctl.orders import BY_NAME
from controller.node.vocabulary.protocol import Deed, Request, Waits
from controller.rules.refusal import Refusal
from drivers.cctalk.settings import AcceptorSettings
from drivers.io_module.map import IoMap
from drivers.modbus.pdu import WriteWords, encode_request
from drivers.model import UNCOUNTED
from drivers.native.contract import COMMAND, Opcode, ResetCause, UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.writes import Command
from drivers.session import SECOND
from firmware_sim.native.lamp import LampCondition
from support.floor.floor import ANA, CARLA, JEFA, TABLE, TITO
from support.floor.floor_evening import Evening, Life
from support.floor.floor_tables import CONSOLE, ELECTRONIC, SLOT, Made, Shape, Stage, acceptor, module, native
from support.floor.floor_tables import WHOLE as TABLE_UNIT
from support.node import demo_views

SEAT = 1
CONSOLE_: tuple[str, Made] = (TABLE, native(1, CONSOLE, 1))
BUTTONS: tuple[str, Made] = (TABLE, native(3, ELECTRONIC, 2))
WHOLE: Shape = [[CONSOLE_, (TABLE, native(2, TABLE_UNIT, 1, 9, used=6))]]
SLOTS: Shape = [[CONSOLE_, (TABLE, native(2, SLOT, 1)), BUTTONS]]
ACCEPTOR: Shape = [[(TABLE, acceptor(21, 1))], [CONSOLE_, BUTTONS]]
MODULE: Shape = [[CONSOLE_, (TABLE, module(20, (1, 2), console=False))]]


class Played:
    """An evening without chance, in the middle of a pass: seat 2 has a bet."""

    def __init__(self, shape: Shape) -> None:
        self.evening = Evening(0, "", Stage(shape, Random(0)))
        self.stage, self.core = self.evening.stage, self.evening.core
        self.life = Life(self.evening)
        self.own = 0  # the serial of its unit, while that says another
        self.run(4)
        for seat in (1, 2):
            self.core.buy(seat, 20)
        self.run(2)
        self.unlock()
        self.press(2)
        assert self.core.seat(2).bet and self.core.table().phase is Phase.OPEN

    def run(self, seconds: float) -> None:
        self.life.run_for(int(seconds * SECOND))
        assert not self.evening.broken, self.evening.broken

    @property
    def unit(self) -> Any:
        return self.stage.unit_at(TABLE, SEAT)[1]

    def now(self, action: Callable[[Any, int], object]) -> None:
        self.life.world.act(lambda now: action(self.unit, now))
        self.run(3)

    def press(self, seat: int) -> None:
        """A bet, as the seat takes it."""
        place, sim = self.stage.unit_at(TABLE, seat)
        match place.made:
            case AcceptorSettings():
                self.now(lambda _unit, now: sim.insert(2, now))
            case IoMap():
                self.now(lambda _unit, now: sim.press(seat, 2, now))
            case UnitSettings(unit_class=UnitClass.CHIP_SLOT) as made:
                self.now(lambda _unit, now: sim.chip(made.of_unit(seat), now))
            case UnitSettings() as made:
                self.now(lambda _unit, now: sim.press(made.of_unit(seat), 2, now))

    def unlock(self) -> None:
        self.life.act(self.stage.console_of(TABLE)[1].unlock_key)
        self.run(3)

    def lock(self) -> None:
        self.life.act(self.stage.console_of(TABLE)[1].lock_key)
        self.run(5)

    def end_pass(self) -> None:
        self.lock()
        self.tell(ask.ClosePass(TABLE, JEFA))

    def tell(self, asked: Input) -> str:
        """What the core answers; nothing where it did it."""
        said: list[str] = []
        self.life.act(lambda _now: said.extend(one.message for one in self._asked(asked)))
        self.run(3)
        return " ".join(said)

    def _asked(self, asked: Input) -> list[Refused]:
        return [fact for fact in self.evening.ask(asked) if isinstance(fact, Refused)]

    def deed(self, do: Deed, asked: Input, seat: int = 0) -> str:
        """As the node does: what the core would refuse no device hears of, and what a device cannot is not on record."""
        state = self.core.state
        if isinstance(decide(state, asked, state.clock), Refusal):
            return self.tell(asked)
        said: list[str | None] = []
        request = Request(v=1, id="0" * 32, do=do, table=TABLE, seat=seat)
        self.life.act(lambda now: said.append(self.life.floor.deed(do, request, state, now)))
        return said[0] or self.tell(asked)

    def open(self) -> str:
        """`abrir`: as reception.py gives it."""
        phase = self.core.table().phase
        if phase is Phase.OPEN:
            return self.deed(Deed.UNLOCK, ask.UnlockTable(TABLE, CARLA))
        if phase is Phase.SEALED:
            self.tell(ask.ClosePass(TABLE, CARLA))
        return self.tell(ask.OpenPass(TABLE, CARLA))

    def count(self) -> str:
        """What the unit shows is what is there."""
        book = self.core.seat(SEAT)
        return self.tell(ask.CountSeat(TABLE, SEAT, book.credits, JEFA, ANA))

    def says(self) -> str:
        """What a person sees of the seat now."""
        table, seat = self.core.table(), self.core.seat(SEAT)
        shown = next(one for one in self.life.floor.seats() if one.seat == SEAT)
        if seat.closed or seat.closing:
            return f"cerrada: {seat.closed or seat.closing}"
        if shown.health != "up":
            return "sin señal"
        if UNCOUNTED in shown.faults:
            return "no toma fichas: hay que contar"
        if shown.waits is Waits.NEXT:
            return "espera el próximo pase"
        if shown.waits is Waits.BUTTON:
            return "espera «abrir»"
        return "juega" if table.phase is Phase.OPEN else "abierta"

    def warned(self) -> str:
        """What `pozo ctl` says before the signature."""
        view = demo_views.view(now=self.life.floor.seats(), units=self.life.floor.units())
        return make(BY_NAME["abrir-posicion"], OrderPlace(TABLE, view), [str(SEAT)]).told

    def plays(self) -> bool:
        """A press of it becomes a bet that is lit, in this pass or in the next one."""
        if self.core.table().phase is Phase.OPEN and not self.core.seat(SEAT).bet:
            self.press(SEAT)
        if not self.core.seat(SEAT).bet:
            self.end_pass()
            self.open()
            self.run(3)
            self.press(SEAT)
        return bool(self.core.seat(SEAT).bet) and self.core.seat(SEAT).lamp == "lit"


class SeatCause(NamedTuple):
    """What happened, as the page calls it; how to make it so; the way out, as orders of this file and as words."""

    name: str
    happen: Callable[[Played], None]
    way: tuple[str, ...]
    mend: Callable[[Played], None] = lambda _played: None
    hand: str = ""  # what hands must do first
    shape: Shape = WHOLE

    def played(self) -> Played:
        """Until it is out of play."""
        played = Played(self.shape)
        self.happen(played)
        return played


def lamp_breaks(played: Played) -> None:
    played.now(lambda unit, now: unit.lamp(SEAT, LampCondition.OPEN, now))
    played.press(SEAT)


def lamp_mended(played: Played) -> None:
    played.now(lambda unit, now: unit.lamp(SEAT, LampCondition.OK, now))


def lamp_breaks_after_the_lock(played: Played) -> None:
    played.press(SEAT)
    played.lock()
    played.now(lambda unit, now: unit.lamp(SEAT, LampCondition.OPEN, now))


def power_gone(played: Played) -> None:
    played.now(lambda unit, now: unit.power_off(now))
    played.run(8)


def power_back(played: Played) -> None:
    is_acceptor = isinstance(played.stage.unit_at(TABLE, SEAT)[0].made, AcceptorSettings)
    played.now(lambda unit, now: unit.power_on() if is_acceptor else unit.power_on(now))
    played.run(8)


def power_cut(played: Played) -> None:
    """With a bet in it."""
    played.press(SEAT)
    power_gone(played)
    power_back(played)


def another_host(played: Played) -> None:
    """Somebody plugs in a laptop that opens a session of its own, and is gone."""
    take = WriteWords(COMMAND, Command(command_id=0x4321, opcode=Opcode.OPEN_SESSION, target=0xBEEF_CAFE).encode())
    played.now(lambda unit, now: unit.hear(encode_request(take), now))
    played.run(8)


def other_host_gone(played: Played) -> None:
    """The node leaves a unit alone for a while where it saw another host."""
    played.run(15)


def rebooted(played: Played) -> None:
    played.now(lambda unit, now: unit.reboot(ResetCause.BROWN_OUT, now))
    played.run(4)


def forgot(played: Played) -> None:
    """Its memory goes back to before the bet of seat 2."""
    saved = copy.deepcopy(played.unit.nvm._banks)
    played.press(SEAT)

    def back(unit: Any, now: int) -> None:
        unit.power_off(now)
        unit.nvm._banks = saved
        unit.power_on(now)

    played.now(back)
    played.run(6)


def lost(played: Played) -> None:
    def lose(unit: Any, now: int) -> None:
        unit.lose_memory()
        unit.reboot(ResetCause.POWER_ON, now)

    played.now(lose)
    played.run(6)


def says_it_is(played: Played, serial: int) -> None:
    def change(unit: Any, now: int) -> None:
        unit.make = replace(unit.make, serial=serial)
        unit.reboot(ResetCause.POWER_ON, now)

    played.now(change)
    played.run(6)


def twin(played: Played) -> None:
    """A box made of a copy of another's: the console's, here."""
    played.own = played.unit.make.serial
    says_it_is(played, played.stage.console_of(TABLE)[1].make.serial)


def no_twin(played: Played) -> None:
    says_it_is(played, played.own)


def impossible(played: Played) -> None:
    played.now(lambda unit, _now: unit.miscount(SEAT, "chips", 1_000_000))


def by_hand(played: Played) -> None:
    assert not played.tell(ask.CloseSeat(TABLE, SEAT, "botón trabado", CARLA))


CAUSES = (
    SeatCause("la luz no enciende, en el pase", lamp_breaks, ("terminar", "fallas 1", "abrir-posicion"), lamp_mended,
              "repare la luz"),
    SeatCause("la luz no enciende, tras el cierre", lamp_breaks_after_the_lock,
              ("terminar", "fallas 1", "abrir-posicion"), lamp_mended, "repare la luz"),
    SeatCause("la cerró un croupier", by_hand, ("abrir-posicion",)),
    SeatCause("su aparato no responde", power_gone, ("abrir-posicion", "abrir"), power_back,
              "devuelva la alimentación o el cable"),
    SeatCause("su aparato se reinició con una apuesta en pie", rebooted, ("terminar", "abrir")),
    SeatCause("su memoria volvió atrás", forgot, ("contar todas", "abrir todas")),
    SeatCause("su memoria se perdió", lost, ("contar todas", "abrir todas")),
    SeatCause("otro aparato tiene su número de serie", twin, ("terminar", "abrir todas", "abrir"), no_twin,
              "dé a uno de los dos su propio número de serie, y desconéctelo y conéctelo"),
    SeatCause("otro controlador manejó su aparato", another_host, ("terminar", "abrir todas", "abrir"),
              other_host_gone, "desconecte el otro controlador"),
    SeatCause("contó lo que no puede", impossible, ("contar", "abrir-posicion")),
    SeatCause("ranura: la luz no enciende, en el pase", lamp_breaks, ("terminar", "fallas 1", "abrir-posicion"),
              lamp_mended, "repare la luz", SLOTS),
    SeatCause("ranura: su aparato no responde", power_gone, ("abrir-posicion", "abrir"), power_back,
              "devuelva la alimentación o el cable", SLOTS),
    SeatCause("ranura: su memoria se perdió", lost, ("contar", "abrir-posicion", "terminar", "abrir"), shape=SLOTS),
    SeatCause("aceptor ccTalk: no responde", power_gone, ("contar", "fallas 1", "abrir-posicion"), power_back,
              "devuelva la alimentación o el cable", ACCEPTOR),
    SeatCause("aceptor ccTalk: corte de luz con una ficha apostada", power_cut, ("terminar", "contar", "fallas 1", "abrir-posicion"),
              shape=ACCEPTOR),
    SeatCause("módulo: la luz no enciende, en el pase", lamp_breaks, ("terminar", "prueba-luces", "abrir-posicion"),
              lamp_mended, "repare la luz", MODULE),
    SeatCause("módulo: no responde", power_gone, ("abrir-posicion",), power_back,
              "devuelva la alimentación o el cable", MODULE),
    SeatCause("módulo: corte de luz con una apuesta en pie", power_cut, ("terminar", "contar todas", "abrir todas"),
              shape=MODULE),
)  # fmt: skip


def count_all(played: Played) -> str:
    for seat in played.core.table().seats:
        if seat.device is not None or seat.doubted:
            played.tell(ask.CountSeat(TABLE, seat.number, seat.credits, JEFA, ANA))
    played.run(4)
    return ""


def open_all(played: Played) -> str:
    for seat in played.core.table().seats:
        if seat.closed:
            played.tell(ask.OpenSeat(TABLE, seat.number, TITO))
    return ""


def end_pass(played: Played) -> str:
    if played.core.table().phase is Phase.OPEN:
        played.lock()
    return played.tell(ask.ClosePass(TABLE, CARLA))


def unlock_button(played: Played) -> str:
    played.unlock()
    return ""


ORDERS: dict[str, Callable[[Played], str]] = {
    "abrir": Played.open,
    "botón de desbloqueo": unlock_button,
    "abrir-posicion": lambda played: played.tell(ask.OpenSeat(TABLE, SEAT, TITO)),
    "contar": Played.count,
    "fallas 1": lambda played: played.deed(Deed.CLEAR_FAULTS, ask.ClearFaults(TABLE, SEAT, TITO), SEAT),
    "fallas 0": lambda played: played.deed(Deed.CLEAR_FAULTS, ask.ClearFaults(TABLE, 0, TITO)),
    "prueba-luces": lambda played: played.deed(Deed.LAMP_TEST, ask.TryLamps(TABLE, TITO)),
    "creditos": lambda played: played.tell(ask.BuyCredits(TABLE, SEAT, 1, CARLA)),
    "retirar": lambda played: played.tell(ask.CashOut(TABLE, SEAT, CARLA)),
    "devolver": lambda played: played.tell(ask.PayOwed(TABLE, SEAT, CARLA)),
    "cerrar-posicion": lambda played: played.tell(ask.CloseSeat(TABLE, SEAT, "motivo", CARLA)),
}
STEPS = ORDERS | {"terminar": end_pass, "contar todas": count_all, "abrir todas": open_all}


def cell(cause: SeatCause, order: str) -> str:
    played = cause.played()
    warned = played.warned() if order == "abrir-posicion" else ""
    before = f" (Antes dijo: {warned})" if warned else ""
    refused = ORDERS[order](played)
    if refused:
        return f"no: {refused}{before}"
    played.run(4)
    return f"hecho; {played.says()}{before}"


def leads_out(cause: SeatCause) -> bool:
    played = cause.played()
    cause.mend(played)
    for step in cause.way:
        refused = STEPS[step](played)
        assert not refused, f"{cause.name}: {step}: {refused}"
        played.run(6)
    return played.plays()


def rows(cause: SeatCause) -> Iterator[tuple[str, str]]:
    for order in ORDERS:
        yield order, cell(cause, order)


HEAD = """# A seat that is out of play: what happened, and what each order does

Made by `PYTHONPATH=tests python -m support.floor.closed_seats`; `tests/node/floor/test_closed_seats.py` plays every cell on real
drivers and simulated units. The table has one device for all its seats, or for seat 1 the one that the cause names (*ranura*: a native
chip slot, *aceptor ccTalk*, *módulo*); the cause is at seat 1 while seat 2 has a bet, in an open pass unless the cause says otherwise. *hecho* is what a person sees of seat 1 a few seconds later; *no* is the sentence that refuses.
Each cause ends with its way out, which is played to a bet whose lamp is lit.
"""


def page() -> str:
    return "\n".join([HEAD, *(section(cause, list(rows(cause))) for cause in CAUSES)])


def section(cause: SeatCause, told: list[tuple[str, str]]) -> str:
    way = ", ".join([*([cause.hand] if cause.hand else []), *(f"`{step}`" for step in cause.way)])
    lines = [f"## {cause.name}", "", f"Salida: {way}.", "", "| orden | |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{order}` | {said} |" for order, said in told), ""])


if __name__ == "__main__":
    sys.stdout.write(page())
