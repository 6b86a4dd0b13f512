"""The same casino with a table of the reference firmware in C: three seats and a console, a program of its own.

Its hands are a socket (cabinet.c), its memory is a file, and its lamps are what `status` says. The referee reads all of
them as he reads the simulated devices': what is in the file is what the unit knows, because it is written after each
change. What happens to simulated units happens to it too, in the words that it has: a data wire is pulled at each unit,
and the program may be killed, which is the power of the whole table.
"""

import shutil
import struct
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from drivers.native.contract import Bet, LampDrive
from firmware_sim.desk.players import PlayerView
from support.evening.kill_place import DESK, ELECTRONIC, SETTINGS, Place, standing_at
from support.sim.desk_play import line, unit
from support.sim.desk_talk import answers
from support.sim.reference import Standing, console, table

_LINE, _UNIT, _CONSOLE, SERIAL = "mesa", 1, 20, 9001
_SLOT_LINE = "fichas"
_SIMULATED = (
    line(_SLOT_LINE, unit("chip_slot", 4, seat=4), baud=115200) + DESK[DESK.index('[[line]]\nname = "modulo"') :]
)
_UNITS = {"mesa/1": _UNIT, "mesa/2": _UNIT, "mesa/3": _UNIT, "mesa/20": _CONSOLE}
_EPOCHS, _SLOT_HEAD, _HEAD, _CONFIG, _RING, _SEAT = 8, 4, 24, 64, 12 * 16, 40  # octets, unit.h and slots.h
_MEMORY = _HEAD + _CONFIG + _RING + 9 * _SEAT
_PATIENCE = 20.0
_LAMPS = {
    "dark": LampDrive.OFF, "steady": LampDrive.STEADY, "fast blink": LampDrive.PENDING, "wink": LampDrive.FAULT,
    "test": LampDrive.TEST,
}  # fmt: skip


def settings() -> str:
    """Three electronic units and a slot on one line become one table unit there, and the slot is on a line of its own."""
    before, slot, after = SETTINGS.partition('[[table.unit]]\nkind = "chip_slot"\nline = "mesa"\n')
    of_three = 'kind = "electronic"\nline = "mesa"\nnumber = 1\nseat = 1\ncount = 3\n'
    assert slot and of_three in before, "what the other place has"
    before = before.replace(of_three, 'kind = "table"\nline = "mesa"\nnumber = 1\nseat = 1\nseats = 3\n')
    of_line = '[[line]]\nname = "modulo"\n'
    wire = f'[[line]]\nname = "{_SLOT_LINE}"\nkind = "rtu"\nurl = "{{ports}}/{_SLOT_LINE}"\nbaud = 115200\nlatency_ms = 2\n'
    before = before.replace(of_line, wire + of_line).replace("{ports}/mesa", "{table}/tty")
    return before + slot.replace('line = "mesa"', f'line = "{_SLOT_LINE}"') + after


class Remembered(NamedTuple):
    """The memory of the table, as its file has it."""

    epoch: int
    seats: tuple[SimpleNamespace, ...]


class ReferencePlace(Place):
    program: Standing

    def say(self, command: str) -> bool:
        """What has no words in C happens to nobody."""
        match command.split():
            case ["line", "mesa", "plug" | "unplug" as plug]:
                return all(self._hands(f"unit {one} {plug}") for one in (_UNIT, _CONSOLE))
            case ["line", "mesa", *_]:
                return False
            case ["unit", "mesa/4", *done]:
                return super().say(" ".join(["unit", f"{_SLOT_LINE}/4", *done]))
            case ["unit", name, *done] if name in _UNITS:
                return self._hands(" ".join(["unit", str(_UNITS[name]), *done]))
            case ["seat", number, *_] if int(number) in ELECTRONIC:
                return self._hands(command)
            case ["console", *_]:
                return self._hands(command)
            case _:
                return super().say(command)

    def _hands(self, command: str) -> bool:
        try:
            return not answers(self.program.hands, [command])[0].startswith("no: ")
        except (OSError, IndexError):
            return False  # its power is cut

    def cut_power(self, seconds: float) -> None:
        """Of the whole table."""
        self.program.kill()
        time.sleep(seconds)
        self.program.start()

    def seen(self) -> list[PlayerView]:
        return [*self._table_seen(), *super().seen()]

    def _table_seen(self) -> Iterator[PlayerView]:
        for number, said in self._status().items():
            lamp, _, shows = said.partition(", ")
            is_powered = shows != "no power"
            yield PlayerView(number, _LAMPS[lamp.removeprefix("lamp ")], shows.removeprefix("shows "), is_powered)

    def _status(self) -> dict[int, str]:
        try:
            (said,) = answers(self.program.hands, ["status"])
        except (OSError, ValueError):
            return {}
        seats = (one.split(": ", 1) for one in said.split("; ") if one.startswith("seat "))
        return {int(name.removeprefix("seat ")): words for name, words in seats}

    def device(self, seat: int) -> Any:
        if seat not in ELECTRONIC:
            return super().device(seat)
        known = self._remembered()
        firmware = SimpleNamespace(
            seats=[SimpleNamespace(memory=memory) for memory in known.seats],
            make=SimpleNamespace(serial=SERIAL), nvm=SimpleNamespace(epoch=known.epoch),
        )  # fmt: skip
        return SimpleNamespace(seats=ELECTRONIC, firmware=firmware)

    def _remembered(self) -> Remembered:
        """Both copies say the same, or it was being written just then."""
        path, end = self.program.folder / f"unit-{_UNIT}.nvm", time.monotonic() + _PATIENCE
        size = _SLOT_HEAD + _MEMORY + 4
        while True:
            octets = path.read_bytes()
            assert len(octets) == _EPOCHS + 2 * size, "slots.h: two cells of the epoch, and the memory twice"
            one, other = octets[_EPOCHS:][:size], octets[_EPOCHS + size :]
            if one == other:
                return _read(one[_SLOT_HEAD:])
            assert time.monotonic() < end, "a write that never ends"


def _read(memory: bytes) -> Remembered:
    (epoch,) = struct.unpack_from("<H", memory, 12)
    seats = []
    for place in range(len(ELECTRONIC)):
        at = _HEAD + _CONFIG + _RING + place * _SEAT
        loaded, bets, voided, cashed, _, _, _, _, _, _, bet = struct.unpack_from("<7I3HB", memory, at)
        seats.append(
            SimpleNamespace(
                loaded=loaded, bets=bets, voided=voided, cashed=cashed, chips=0, late=0,
                credits=(loaded - cashed - bets + voided) % 2**32, bet=Bet(bet),
            )
        )  # fmt: skip
    return Remembered(epoch, tuple(seats))


@contextmanager
def reference_place_of(template: Path, seed: int) -> Iterator[ReferencePlace]:
    with ExitStack() as ending:
        table_folder = Path(tempfile.mkdtemp(prefix="pzc"))
        ending.callback(shutil.rmtree, table_folder, ignore_errors=True)
        program = Standing(table_folder, table(len(ELECTRONIC), _UNIT, 1, SERIAL), console(_CONSOLE, SERIAL + 1))
        program.start()
        ending.callback(lambda: program.end() if program.lives else None)
        made = standing_at(template, seed, _SIMULATED, settings(), ReferencePlace, table=table_folder)
        place = ending.enter_context(made)
        place.program = program
        yield place
