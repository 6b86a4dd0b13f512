"""The devices of a node as drivers on their lines, and the one door through which wishes reach them.

Theory. Everything is made once, from what the settings say, before the rack runs. From then on the drivers belong to
the rack's thread: `obey`, `lock_all`, `lock_table`, `base_of` and `counts` are called there, beside the session of the
line that is meant. Drivers compare what is wanted with what is, so a wish may come twice or late. A wish that a kind of
device cannot have is answered with a sentence; one for a device that is nowhere is a broken assertion.

No clock and no chance here: the installation's nonce and the start's first command number are given.
"""

import hashlib
from collections.abc import Callable, Iterable
from typing import Any, assert_never, cast

from controller.node.vocabulary import commands as to
from controller.node.vocabulary.commands import Command, Wish
from controller.node.vocabulary.places import (
    LineKind,
    LinePlace,
    Node,
    SignPlace,
    UnitKey,
    UnitPlace,
    cctalk_timing_of,
    timing_of,
)
from drivers.cctalk.acceptor import Acceptor
from drivers.cctalk.bus import CctalkBus
from drivers.cctalk.settings import AcceptorSettings
from drivers.cctalk.slot import ChipBase
from drivers.io_module.bets import Base
from drivers.io_module.map import IoMap
from drivers.io_module.unit import IoModule
from drivers.modbus.bus import Bus
from drivers.modbus.mbap import MbapFraming
from drivers.modbus.rtu import RtuFraming
from drivers.native.contract import UnitClass
from drivers.native.settings import UnitSettings
from drivers.native.unit import NativeUnit
from drivers.rack import RackLine
from drivers.session import Micros, Session
from drivers.signs.alpha_layout import AlphaSettings
from drivers.signs.alpha_sign import AlphaSign
from drivers.signs.letters import Unwritable
from drivers.signs.panel import Panel, PanelSettings
from drivers.signs.text_sign import TextSign, TextSignSettings

Driver = NativeUnit | Acceptor | IoModule | AlphaSign | TextSign | Panel
LineSession = Bus | CctalkBus | AlphaSign | TextSign
_COUNTER = UnitClass.COUNTER.name.lower()


class _CannotError(Exception):
    """This kind of device has no such command."""


class Hardware:
    def __init__(self, node: Node, nonce: int, first_command: int) -> None:
        assert 0 <= nonce < 2**32 and 0 < first_command <= 0xFFFF, "of the installation, and of this start"
        self._nonce, self._first_command = nonce, first_command
        places: list[UnitPlace | SignPlace] = [*node.units, *node.signs]
        self._places = {place.key: place for place in places}
        assert len(self._places) == len(node.units) + len(node.signs), "two devices of one number on one line"
        self._drivers = {key: self._driver(place) for key, place in self._places.items()}
        self._sessions = {line.name: self._session(line) for line in node.lines}
        self.lines = [
            RackLine(
                name=line.name,
                url=line.url,
                session=cast("Session[object]", self._sessions[line.name]),
                port=line.port,
            )
            for line in node.lines
        ]

    # Before the rack runs.

    def resume(self, key: UnitKey, base: ChipBase | Base) -> None:
        """What the books know of a device that has no memory of ours."""
        match self._drivers[key], base:
            case Acceptor() as acceptor, ChipBase():
                acceptor.resume(base)
            case IoModule() as module, Base():
                module.resume(base)
            case driver, _:
                raise AssertionError(f"{key}: {type(driver).__name__} does not go on from {type(base).__name__}")

    # In the rack's thread, beside the line's session.

    def obey_all(self, wishes: Iterable[Wish], impossible: Callable[[str], None], _now: Micros) -> None:
        for wish in wishes:
            why = self.obey(wish)
            if why is not None:
                impossible(why)

    def obey(self, wish: Wish) -> str | None:
        """Why it is not done, in English for the log; `None`: it is wanted from now on."""
        kind, command = self.kind_of(wish.unit), wish.command
        cannot = f"{wish.unit.line}/{wish.unit.number}: {kind} cannot {type(command).__name__}"
        if isinstance(command, to.ShowCount) and kind != _COUNTER:
            return cannot
        try:
            refused = tell(self._drivers[wish.unit], command)
        except _CannotError:
            return cannot
        return refused.reason if refused is not None else None

    def lock_all(self, line: str) -> None:
        """Every unit of a line, of every table, as the very next thing it hears."""
        session = self._sessions[line]
        if isinstance(session, Bus | CctalkBus):
            session.lock_all()

    def lock_table(self, line: str, table: str) -> None:
        """What a table has on a line; faster by broadcast where no other table has units there."""
        units = [place for place in self._places.values() if isinstance(place, UnitPlace) and place.key.line == line]
        if all(place.table == table for place in units):
            self.lock_all(line)
            return
        for place in units:
            if place.table == table:
                self.obey(Wish(place.key, to.LockUnit()))

    def base_of(self, key: UnitKey) -> ChipBase | Base | None:
        """What `resume` would need; `None`: the device remembers by itself."""
        driver = self._drivers[key]
        return driver.base if isinstance(driver, Acceptor | IoModule) else None

    def counts(self, key: UnitKey) -> dict[str, int]:
        """What became of the questions to a device; empty for a sign that has its line alone."""
        session = self._sessions[key.line]
        match session:
            case Bus() | CctalkBus():
                counted = session.counters(key.number)
                failed = {str(failure): times for failure, times in counted.failed.items()}
                return {"asked": counted.asked, "answered": counted.answered, **failed}
            case _:
                return {}

    def kind_of(self, key: UnitKey) -> str:
        """In a word, as the settings call it."""
        match self._places[key].made:
            case UnitSettings(unit_class=unit_class):
                return unit_class.name.lower()
            case AcceptorSettings():
                return "cctalk"
            case IoMap():
                return "io"
            case AlphaSettings():
                return "alpha"
            case PanelSettings():
                return "panel"
            case TextSignSettings():
                return "text"

    # How they are made.

    def _driver(self, place: UnitPlace | SignPlace) -> Driver:
        match place.made:
            case UnitSettings() as made:
                return NativeUnit(made, self._nonce_of(place.key), self._first_command_of(place.key))
            case AcceptorSettings() as made:
                return Acceptor(made)
            case IoMap() as made:
                return IoModule(made)
            case AlphaSettings() as made:
                return AlphaSign(made)
            case PanelSettings() as made:
                return Panel(made)
            case TextSignSettings() as made:
                return TextSign(made)

    def _session(self, line: LinePlace) -> LineSession:
        drivers = [driver for key, driver in self._drivers.items() if key.line == line.name]
        assert drivers, "a line without devices was refused"
        match line.kind:
            case LineKind.RTU:
                return Bus(_only(drivers, NativeUnit, IoModule, Panel), timing_of(line), RtuFraming())
            case LineKind.TCP:
                return Bus(_only(drivers, NativeUnit, IoModule, Panel), timing_of(line), MbapFraming())
            case LineKind.CCTALK:
                return CctalkBus(_only(drivers, Acceptor), cctalk_timing_of(line))
            case LineKind.ALPHA | LineKind.TEXT:
                (alone,) = _only(drivers, AlphaSign, TextSign)
                return cast("AlphaSign | TextSign", alone)

    def _nonce_of(self, key: UnitKey) -> int:
        """Each unit knows its host by another number, and after a restart by the same."""
        return _digest(self._nonce, key) % 2**32

    def _first_command_of(self, key: UnitKey) -> int:
        """As random as what was given."""
        return (self._first_command + _digest(0, key)) % 0xFFFF + 1


def tell(driver: Driver, command: Command) -> Unwritable | None:  # noqa: C901, PLR0912  one line a command
    """The one place where a command becomes a call of a driver."""
    match command:
        case to.LockUnit():
            _with_bets(driver).lock()
        case to.UnlockUnit(round_id):
            _with_bets(driver).unlock(round_id)
        case to.Acknowledge(device, seq):
            _with_bets(driver).acknowledge(device, seq)
        case to.VoidBet(seat, bet_seq, reason):
            _with_bets(driver).void(seat, bet_seq, reason)
        case to.EnableSeat(seat):
            _with_bets(driver).enable(seat)
        case to.DisableSeat(seat):
            _with_bets(driver).disable(seat)
        case to.Relight(seat):
            _with_bets(driver).relight(seat)
        case to.BeginLampTest():
            _with_bets(driver).test_lamps()
        case to.EndLampTest():
            _with_bets(driver).end_lamp_test()
        case to.ClearSeatFaults(seat):
            _with_faults(driver).clear_faults(seat)
        case to.LoadCredits(seat, expected, target):
            _native(driver).load(seat, expected, target)
        case to.CashCredits(seat, expected, target):
            _native(driver).cash(seat, expected, target)
        case to.Reconcile(device):
            _native(driver).reconciled(device)
        case to.TakeAnew():
            _with_bets(driver).take_anew()
        case to.HandOver():
            _native(driver).hand_over()
        case to.ShowCount(value):
            _native(driver).show(value)
        case to.ShowAmount(amount, increment):
            return _sign(driver).show(amount, increment)
        case to.ShowPrize(text):
            return _sign(driver).prize(text)
        case to.EndPrize():
            _sign(driver).end_prize()
        case to.RenewSign():
            _sign(driver).renew()
        case _:
            assert_never(command)
    return None


def _with_bets(driver: Driver) -> NativeUnit | Acceptor | IoModule:
    if isinstance(driver, NativeUnit | Acceptor | IoModule):
        return driver
    raise _CannotError


def _with_faults(driver: Driver) -> NativeUnit | Acceptor:
    if isinstance(driver, NativeUnit | Acceptor):
        return driver
    raise _CannotError


def _native(driver: Driver) -> NativeUnit:
    if isinstance(driver, NativeUnit):
        return driver
    raise _CannotError


def _sign(driver: Driver) -> AlphaSign | TextSign | Panel:
    if isinstance(driver, AlphaSign | TextSign | Panel):
        return driver
    raise _CannotError


def _digest(nonce: int, key: UnitKey) -> int:
    return int.from_bytes(hashlib.sha256(f"{nonce}/{key.line}/{key.number}".encode()).digest()[:8])


def _only(drivers: Iterable[Driver], *kinds: type) -> list[Any]:
    found = list(drivers)
    assert all(isinstance(driver, kinds) for driver in found), "a line carries what it can; the settings are refused"
    return found
