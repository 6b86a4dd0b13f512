"""A whole desk: its lines, its devices, the wire between them all, and the person who commands it.

Pure: the stage (stage.py) gives it ports and a clock, a test gives it a `World`. One thing joins what hangs on separate
lines: the hardware lock line (2.5). A console that pulls it, or a person who breaks it, is felt by every other native
unit at that instant, whatever line the unit hangs on and whether its host hears anything.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random

from drivers.session import Micros
from firmware_sim.desk.commands import HELP, Act, CommandRefused
from firmware_sim.desk.devices import AnyDevice, AnySign, NativeDevice, TalkingSign, device_of
from firmware_sim.desk.file import DeskPlan, TcpLine, standing
from firmware_sim.desk.lines import AnyLine, NetLine, SerialLine
from firmware_sim.desk.view import counters, seat_words, seats_seen, signs
from firmware_sim.native.nvm import Nvm

DONE = "ok"


class Desk:
    """`memory(name)`: a native unit's, by a name that stays; `wake`: lines were touched behind their owners' backs."""

    def __init__(
        self,
        plan: DeskPlan,
        chance: Random,
        now: Micros,
        memory: Callable[[str], Nvm] = lambda _: Nvm(),
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = plan.name
        self._wake = wake
        self._line_broken = False  # by hand
        self._pullers: tuple[NativeDevice, ...] = ()
        self.devices = [
            device_of(one, memory, Random(chance.getrandbits(64)), now)  # noqa: S311  a simulation's dice
            for one in standing(plan)
        ]
        self._natives = [device for device in self.devices if isinstance(device, NativeDevice)]
        self.console = next((device for device in self.devices if device.is_console), None)
        self.lines: list[AnyLine] = []
        for line in plan.line:
            on_it = [device for device in self.devices if device.standing.line is line]
            dice = Random(chance.getrandbits(64))  # noqa: S311  a simulation's dice
            if isinstance(line, TcpLine):
                self.lines.append(NetLine(line, on_it, self.feel))
            else:
                self.lines.append(SerialLine(line, on_it, dice, self.feel))

    # ------------------------------------------------------------------------------------------------ the lock line

    def feel(self, now: Micros) -> None:
        """Let every other native unit feel the consoles that pull the lock line now."""
        pullers = tuple(device for device in self._natives if device.firmware.pulls_line)
        if pullers != self._pullers:
            self._pullers = pullers
            self._pull(now)

    @property
    def lock_line_pulled(self) -> bool:
        return self._line_broken or bool(self._pullers)

    def _pull(self, now: Micros) -> None:
        """A console's own pull is not the wire of others: it may let go by itself."""
        for device in self._natives:
            pulled = self._line_broken or any(other is not device for other in self._pullers)
            if pulled != device.firmware.line_pulled:
                device.firmware.lock_line(pulled, now)
        self._touched(now)
        self._wake()

    def _touched(self, now: Micros) -> None:
        for line in self.lines:
            line.touched(now)

    # ------------------------------------------------------------------------------------------------ what is seen

    def status(self, now: Micros) -> list[str]:
        """All that a person sees, in sentences, one for each thing."""
        lines = [
            ", ".join((f"line {line.name}: {'up' if line.plugged else 'UNPLUGGED'}", *line.troubles))
            for line in self.lines
        ]
        seats = [f"seat {seat.number}: {', '.join(seat_words(seat))}" for seat in seats_seen(self.devices, now)]
        values = [f"counter {place}: {text or '(dark)'}" for place, text in counters(self.devices)]
        texts = [f"sign {sign.place}: {sign.firmware.displayed(now) or '(dark)'}" for sign in signs(self.devices)]
        return [*lines, *seats, *self._console_words(), *values, *texts]

    def _console_words(self) -> Iterator[str]:
        if isinstance(self.console, NativeDevice):
            unit = self.console.firmware
            light = "dark" if not unit.powered else "open" if unit.memory.open else "closed"
            yield f"console: {light}, key {'on' if unit.key_on else 'off'}"
        if self.lock_line_pulled:
            yield "hardware lock line: pulled"

    # ------------------------------------------------------------------------------------------------ commands

    def perform(self, act: Act, now: Micros) -> str:
        """Do it; a refusal names the device that cannot."""
        answer = DONE
        match act.who:
            case "seat":
                self.at_seat(act.number).at_seat(act, now)
            case "console":
                self._at_console(act, now)
            case "unit":
                self._at_unit(act, now)
            case "line":
                self._at_line(act, now)
            case "sign":
                self._at_plug(self._sign(act.line), act.what, now)
            case "help":
                answer = HELP
            case _:
                raise CommandRefused(f"{act.who}: that is not for a desk")
        self._touched(now)
        self.feel(now)
        return answer

    def at_seat(self, seat: int) -> AnyDevice:
        for device in self.devices:
            if seat in device.seats:
                return device
        seats = sorted(seat for device in self.devices for seat in device.seats)
        raise CommandRefused(f"seat {seat}: this desk has {_listed(seats, 'seat')}")

    def _at_console(self, act: Act, now: Micros) -> None:
        if act.what == "line":
            if not self._natives:
                raise CommandRefused("console line: nobody at this desk has a hardware lock line")
            self._line_broken = act.words == ("pull",)
            self._pull(now)
        elif self.console is None:
            raise CommandRefused("console: this desk has none")
        else:
            self.console.at_console(act, now)

    def _at_unit(self, act: Act, now: Micros) -> None:
        device = self._unit(act.number, act.line)
        if act.what in {"unplug", "plug"}:
            line = next(line for line in self.lines if device in line.devices)
            line.plug(device, act.what == "plug")
        else:
            self._at_plug(device, act.what, now)

    def _at_plug(self, device: AnyDevice, what: str, now: Micros) -> None:
        match what:
            case "off":
                device.power_off(now)
            case "on":
                device.power_on(now)
            case "reboot" if not device.firmware.powered:
                raise CommandRefused(f"reboot: {device.place} has no power")
            case "reboot":
                device.reboot(now)
            case "forget":
                device.forget()
            case _:
                device.damage()

    def _unit(self, number: int, line: str) -> AnyDevice:
        asked = f"unit {line}/{number}" if line else f"unit {number}"
        if line and all(line != one.name for one in self.lines):
            raise CommandRefused(f"{asked}: this desk has {_listed((line.name for line in self.lines), 'line')}")
        found = [
            device
            for device in self.devices
            if device.number == number and (line == device.standing.line.name or (not line and _is_numbered(device)))
        ]
        if len(found) > 1:
            raise CommandRefused(f"{asked}: which? {' or '.join(device.place for device in found)}")
        if not found:
            here = sorted({device.number for device in self.devices if line in {"", device.standing.line.name}})
            raise CommandRefused(f"{asked}: here: {_listed(here, 'unit')}")
        return found[0]

    def _sign(self, line: str) -> AnySign:
        found = [device for device in signs(self.devices) if line in {"", device.standing.line.name}]
        if len(found) != 1:
            wanted = f"which? {' or '.join(device.place for device in found)}" if found else "there is none"
            raise CommandRefused(f"sign{' ' + line if line else ''}: {wanted}")
        return found[0]

    def _at_line(self, act: Act, now: Micros) -> None:
        """Do it to the named line; without a name, to the only line or to all that have wires."""
        if act.line and all(act.line != line.name for line in self.lines):
            raise CommandRefused(
                f"line {act.line}: this desk has {_listed((line.name for line in self.lines), 'line')}"
            )
        lines = [line for line in self.lines if act.line in {"", line.name}]
        if act.what in {"unplug", "plug"}:
            for line in lines:
                line.plugged = act.what == "plug"
            return
        for line in [line for line in lines if isinstance(line, SerialLine)] or lines:
            line.suffer(act.what, act.words, now)


def _is_numbered(device: AnyDevice) -> bool:
    """Signs on lines of their own are asked for by their line."""
    return not isinstance(device, TalkingSign)


def _listed(names: Iterable[object], what: str) -> str:
    told = [str(name) for name in names]
    return f"{what}{'s' if len(told) > 1 else ''} {', '.join(told)}" if told else f"no {what}"
