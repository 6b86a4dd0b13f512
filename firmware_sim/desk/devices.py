"""The devices of a desk, each with what a person can do to it: fingers, chips, keys, plugs, a screwdriver.

One class for each family. What a device has not got is refused in a sentence that says which device it is; what it has
happens at once. Who stands on which line, and what the desk's hardware lock line does, is the desk's (desk.py).
"""

from collections.abc import Callable
from random import Random
from typing import Generic, TypeVar

from drivers.native.contract import Capability, ResetCause, SeatMode, UnitClass
from drivers.native.contract import MemoryHealth as Health
from drivers.native.writes import Config
from drivers.session import MILLISECOND, SECOND, Micros
from drivers.signs.panel import digit_panel, text_panel
from firmware_sim.desk.commands import Act, CommandRefused
from firmware_sim.desk.file import (
    AlphaSignPlan,
    ChipSlotPlan,
    ConsolePlan,
    CounterPlan,
    DeskRefused,
    ElectronicPlan,
    ModulePlan,
    NativePlan,
    PanelPlan,
    RtuLine,
    Standing,
    TableUnitPlan,
    TextSignPlan,
    io_map_of,
    is_console,
    seats_of,
)
from firmware_sim.foreign.alpha import AlphaFirmware, AlphaMake
from firmware_sim.foreign.cctalk import CctalkAcceptor, CctalkMake
from firmware_sim.foreign.io_module import IoFirmware, IoMake
from firmware_sim.foreign.panel import PanelFirmware, PanelMake
from firmware_sim.foreign.text_sign import TextSignFirmware, TextSignMake
from firmware_sim.native.books import wound_up
from firmware_sim.native.console import ConsoleKey
from firmware_sim.native.lamp import LampCondition
from firmware_sim.native.make import USUAL, Make
from firmware_sim.native.memory import UnitMemory
from firmware_sim.native.nvm import Nvm
from firmware_sim.native.unit import Firmware

# As delivered: a unit can be used at once.
CREDIT_VALUE, LEAST, MOST, BUTTONS = 1_000, 1, 10, (1, 2, 5, 10)
CHANNEL = 1  # of the chip that players have, in a ccTalk acceptor
_FELT = 40 * MILLISECOND  # a press that is so long has bounced enough, for any debounce in use
_CONDITIONS = {
    "ok": LampCondition.OK,
    "open": LampCondition.OPEN,
    "short": LampCondition.SHORT,
    "lit": LampCondition.LIT_WHILE_OFF,
}
_CLASSES: dict[type[NativePlan], UnitClass] = {
    ElectronicPlan: UnitClass.ELECTRONIC,
    ChipSlotPlan: UnitClass.CHIP_SLOT,
    TableUnitPlan: UnitClass.TABLE,
    ConsolePlan: UnitClass.CONSOLE,
    CounterPlan: UnitClass.COUNTER,
}


SimpleFirmware = IoFirmware | AlphaFirmware | TextSignFirmware | PanelFirmware
Simple = TypeVar("Simple", bound=SimpleFirmware)
Inside = TypeVar("Inside", bound=Firmware | CctalkAcceptor | SimpleFirmware)


class _AtTheDesk(Generic[Inside]):
    """All devices have a place and a plug, and refuse most of what a person can try."""

    kind = "device"

    def __init__(self, one: Standing, firmware: Inside) -> None:
        self.standing, self.firmware = one, firmware
        self.place = one.place
        self.number = one.plan.unit
        self.serial = one.serial
        self.seats = seats_of(one.plan)
        self.is_console = is_console(one.plan)
        self.plugged = True  # into its line; its power has a plug of its own

    def at_seat(self, act: Act, now: Micros) -> None:
        del now
        raise self.cannot(f"seat {act.number} {act.what}")

    def at_console(self, act: Act, now: Micros) -> None:
        del now
        raise self.cannot(f"console {act.what}")

    def power_off(self, now: Micros) -> None:
        self.firmware.power_off(now)

    def damage(self) -> None:
        raise self.cannot("damage")

    def cannot(self, what: str) -> CommandRefused:
        return CommandRefused(f"{what} cannot be done: {self.place} is of kind {self.kind}")


class NativeDevice(_AtTheDesk[Firmware]):
    """A unit of the native contract."""

    def __init__(self, one: Standing, plan: NativePlan, nvm: Nvm, chance: Random, now: Micros) -> None:
        make = _make(one, plan)
        _begin(make, plan, nvm, one.place)
        super().__init__(one, Firmware(make, nvm, chance, now))
        self.kind = type(plan).__struct_config__.tag.replace("_", " ")  # type: ignore[union-attr]

    def at_seat(self, act: Act, now: Micros) -> None:
        unit, place = self.firmware, self.seats.index(act.number) + 1
        mode = unit.seats[place - 1].mode
        match act.what, act.words:
            case "press" | "hold" | "release", (button,) if mode == SeatMode.BUTTONS:
                if act.what == "press":
                    self._lift_finger(place, int(button), now)
                finger = {"press": unit.press, "hold": unit.hold, "release": unit.release}[act.what]
                finger(place, int(button), now)
            case "chip", () if mode == SeatMode.CHIPS:
                unit.chip(place, now)  # if the gate is shut the player still has it
            case "jam" | "unjam", () if mode == SeatMode.CHIPS:
                {"jam": unit.jam, "unjam": unit.unjam}[act.what](place, now)
            case "lamp", (condition,):
                unit.lamp(place, _CONDITIONS[condition], now)
            case "tamper", ():
                unit.tamper(place, now)
            case "miscount", (total, many):
                unit.miscount(place, total, int(many))
            case _:
                super().at_seat(act, now)

    def _lift_finger(self, place: int, button: int, now: Micros) -> None:
        """A player who is to press while his last press lasts lifts his finger first, if the unit felt that press."""
        contact = self.firmware.seats[place - 1].contacts.down.get(button)
        if contact is not None and contact.release is not None and now - contact.edge >= _FELT:
            self.firmware.release(place, button, now)

    def at_console(self, act: Act, now: Micros) -> None:
        match act.what, act.words:
            case "lock", ():
                self._lift_finger(1, ConsoleKey.LOCK, now)
                self.firmware.lock_key(now)
            case "unlock", ():
                self._lift_finger(1, ConsoleKey.UNLOCK, now)
                self.firmware.unlock_key(now)
            case _:
                self.firmware.key_switch(act.words == ("on",), now)

    def power_on(self, now: Micros) -> None:
        self.firmware.power_on(now)

    def reboot(self, now: Micros) -> None:
        self.firmware.reboot(ResetCause.EXTERNAL, now)

    def forget(self) -> None:
        self.firmware.lose_memory()

    def damage(self) -> None:
        self.firmware.damage_memory()


class _Simple(_AtTheDesk[Simple]):
    """Modules and signs: to reboot one is to pull its plug, and putting in a plug that is in does nothing."""

    def power_on(self, now: Micros) -> None:
        if not self.firmware.powered:
            self.firmware.power_on(now)

    def reboot(self, now: Micros) -> None:
        self.firmware.power_off(now)
        self.firmware.power_on(now)

    def forget(self) -> None:
        self.firmware.lose_memory()


class ModuleDevice(_Simple[IoFirmware]):
    """Buttons, lamps, perhaps the croupier's keys, wired to a module that counts and switches."""

    kind = "io module"

    def __init__(self, one: Standing, plan: ModulePlan) -> None:
        self.map = io_map_of(plan, one.serial)
        watchdog = 0 if self.map.heartbeat is None else SECOND
        super().__init__(one, IoFirmware(IoMake(map=self.map, high_first=self.map.high_first, watchdog=watchdog)))
        self.locked = False  # a lock button that stays down

    def at_seat(self, act: Act, now: Micros) -> None:
        wired = next(seat for seat in self.map.seats if seat.seat == act.number)
        match act.what, act.words:
            case "press", (button,) if int(button) <= len(wired.buttons):
                self.firmware.press(act.number, int(button), now)
            case "lamp", (condition,):
                self.firmware.lamp(act.number, _CONDITIONS[condition], now)
            case _:
                super().at_seat(act, now)

    def at_console(self, act: Act, now: Micros) -> None:
        """A lock button with an input of its own stays down until it is unlocked."""
        if act.what == "lock" and self.map.lock_counter is not None:
            self.firmware.press_lock(now)
        elif act.what == "lock" and self.map.lock_input is not None:
            self.firmware.hold_lock(now)
            self.locked = True
        elif act.what == "unlock" and (self.locked or self.map.unlock_counter is not None):
            self.firmware.release_lock(now)
            self.locked = False
            if self.map.unlock_counter is not None:
                self.firmware.press_unlock(now)
        else:
            super().at_console(act, now)


class AcceptorDevice(_AtTheDesk[CctalkAcceptor]):
    """A ccTalk acceptor as the chip slot of one seat."""

    kind = "ccTalk acceptor"

    def at_seat(self, act: Act, now: Micros) -> None:
        match act.what:
            case "chip":
                self.firmware.insert(CHANNEL, now)
            case "jam":
                self.firmware.jam()
            case "unjam":
                self.firmware.unjam()
            case _:
                super().at_seat(act, now)

    def power_on(self, now: Micros) -> None:
        del now
        self.firmware.power_on()

    def reboot(self, now: Micros) -> None:
        self.firmware.reset(now)

    def forget(self) -> None:
        self.firmware.coins.inserted = self.firmware.coins.accepted = 0


class TalkingSign(_Simple[AlphaFirmware | TextSignFirmware]):
    """It stands on a line of its own and speaks, or listens, for itself."""

    kind = "sign"


class PanelDevice(_Simple[PanelFirmware]):
    """It is one unit of a Modbus line."""

    kind = "panel"


AnySign = TalkingSign | PanelDevice
AnyDevice = NativeDevice | ModuleDevice | AcceptorDevice | AnySign


def device_of(one: Standing, memory: Callable[[str], Nvm], chance: Random, now: Micros) -> AnyDevice:
    """`memory` by name is a native unit's; the others keep what they keep by themselves."""
    plan = one.plan
    if isinstance(plan, NativePlan):
        return NativeDevice(one, plan, memory(f"{one.line.name}-{plan.unit}"), chance, now)
    match plan:
        case ModulePlan():
            return ModuleDevice(one, plan)
        case PanelPlan(unit=unit, width=width, letters=letters):
            rows = (text_panel(unit, width) if letters else digit_panel(unit, width)).rows
            return PanelDevice(one, PanelFirmware(PanelMake(unit=unit, rows=rows, digits_only=not letters)))
        case AlphaSignPlan(unit=unit, battery=battery, reads=reads, acknowledges=acknowledges):
            make = AlphaMake(address=f"{unit:02X}", battery=battery, reads=reads, acknowledges=acknowledges)
            return TalkingSign(one, AlphaFirmware(make))
        case TextSignPlan(width=width, encoding=encoding, keeps=keeps):
            return TalkingSign(one, TextSignFirmware(TextSignMake(width=width, encoding=encoding, keeps=keeps)))
        case _:
            slot = CctalkMake(address=plan.unit, checksum=plan.checksum, serial=one.serial)
            return AcceptorDevice(one, CctalkAcceptor(slot))


def _make(one: Standing, plan: NativePlan) -> Make:
    seats, unit_class = seats_of(one.plan), _CLASSES[type(plan)]
    chips = isinstance(plan, TableUnitPlan) and plan.chips
    baud = {"baud": one.line.baud} if isinstance(one.line, RtuLine) else {}
    return Make(
        unit=plan.unit,
        unit_class=unit_class,
        seats=max(1, len(seats)),
        first_seat=seats[0] if seats else 1,
        serial=one.serial,
        capabilities=USUAL[UnitClass.CHIP_SLOT if chips else unit_class]
        | (Capability.WRITE_READ if plan.write_read else 0),
        config=Config(credit_value=CREDIT_VALUE, least=LEAST, most=MOST, buttons=BUTTONS, **baud),
        answer=int(plan.answer_ms * MILLISECOND),
    )


def _begin(make: Make, plan: NativePlan, nvm: Nvm, place: str) -> None:
    """A memory that was never written gets the past that the file gives it; one that was must be of such a unit."""
    image, health = nvm.load()
    if image is not None:
        seats = len(UnitMemory.read(image).seats)
        if seats != make.seats:
            raise DeskRefused(f"{place}: the memory kept for it is of a unit with {seats} seats; it has {make.seats}")
    elif health == Health.OK:
        nvm.epoch = int(plan.lost)
        if plan.old:
            past, _ = wound_up(make).load()
            assert past is not None, "it was written just now"
            nvm.save(past)
