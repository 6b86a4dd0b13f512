"""What a person may do at a simulated table, as words: `seat 3 press 2`, `line loss 20%`, `unit 4 unplug`.

A command is read whole and refused in one sentence, or becomes an `Act`; carrying it out is the desk's (desk.py). The
same words come from the keyboard, from a script, over the control socket, and from an examination's prompts
(drivers/conformance), so that a test and a technician say the same thing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from drivers.session import MILLISECOND, SECOND, Micros

HELP = """\
seat N press B         press button B (1-4) of seat N; `hold` and `release` for a stuck one
seat N chip            a chip falls into the slot; `jam` and `unjam`
seat N lamp CONDITION  ok, open, short, lit (lit while off)
seat N tamper          somebody opens the housing
console lock           the croupier's lock button; also unlock, key on, key off, line pull, line free
unit N off             the plug of unit N; also on, reboot, unplug, plug, forget (memory lost), damage; LINE/N where two lines have N
line [NAME] loss 20%   also noise, duplication, delay 20% [50ms], echo on, echo off, clean, unplug, plug, babble, hush
sign [NAME] off        the sign's plug; also on, forget
wait 500ms             only in scripts
status, help, quit"""


@dataclass(frozen=True, slots=True)
class Act:
    """Who, which, what, with which words; `number` is a seat or unit, `line` where a line was named."""

    who: str
    what: str
    number: int = 0
    line: str = ""
    words: tuple[str, ...] = ()


class CommandRefused(Exception):
    """One sentence that says what would be right."""


_SEAT = {
    "press": r"[1-4]", "hold": r"[1-4]", "release": r"[1-4]", "chip": None, "jam": None, "unjam": None,
    "lamp": r"ok|open|short|lit", "tamper": None,
}  # fmt: skip
_CONSOLE = {"lock": None, "unlock": None, "key": r"on|off", "line": r"pull|free"}
_UNIT = {"off": None, "on": None, "reboot": None, "unplug": None, "plug": None, "forget": None, "damage": None}
_PERCENT = r"(?:100|\d{1,2})(?:\.\d+)?%"
_LINE = {
    "loss": _PERCENT, "noise": _PERCENT, "duplication": _PERCENT, "delay": _PERCENT + r"(?: \d{1,6}ms)?",
    "echo": r"on|off", "clean": None, "unplug": None, "plug": None, "babble": None, "hush": None,
}  # fmt: skip
_SIGN = {"off": None, "on": None, "forget": None}
_ALONE = {"status", "help", "quit"}


def read_command(text: str) -> Act | None:
    """`None` for an empty line or a comment."""
    text = text.split("#", 1)[0].strip().lower()
    if not text:
        return None
    if len(text) > 200:
        raise CommandRefused("a command has at most 200 letters")
    who, *words = text.split()
    if who in _ALONE and not words:
        return Act(who, who)
    reader = _READERS.get(who)
    if reader is None:
        raise CommandRefused(f"{who!r} is nobody here; try seat, console, unit, line, sign, status, help, quit")
    return reader(words)


def _seat(words: list[str]) -> Act:
    if not words or not re.fullmatch(r"[1-9]\d?", words[0]):
        raise CommandRefused("which seat? `seat 3 press 2`")
    return _act("seat", _SEAT, words[1:], number=int(words[0]))


def _console(words: list[str]) -> Act:
    return _act("console", _CONSOLE, words)


def _unit(words: list[str]) -> Act:
    place = re.fullmatch(r"(?:([a-z0-9_-]{1,24})/)?([1-9]\d{0,2})", words[0]) if words else None
    if place is None:
        raise CommandRefused("which unit? `unit 4 unplug`, or `unit asientos/4 unplug`")
    return _act("unit", _UNIT, words[1:], number=int(place[2]), line=place[1] or "")


def _line(words: list[str]) -> Act:
    named = bool(words) and words[0] not in _LINE
    return _act("line", _LINE, words[named:], line=words[0] if named else "")


def _sign(words: list[str]) -> Act:
    named = bool(words) and words[0] not in _SIGN
    return _act("sign", _SIGN, words[named:], line=words[0] if named else "")


def _wait(words: list[str]) -> Act:
    if len(words) != 1 or duration(words[0]) is None:
        raise CommandRefused("how long? `wait 500ms` or `wait 2s`")
    return Act("wait", "wait", words=tuple(words))


_READERS: dict[str, Callable[[list[str]], Act]] = {
    "seat": _seat, "console": _console, "unit": _unit, "line": _line, "sign": _sign, "wait": _wait,
}  # fmt: skip


def _act(who: str, known: dict[str, str | None], words: list[str], number: int = 0, line: str = "") -> Act:
    what = words[0] if words else ""
    if what not in known:
        raise CommandRefused(f"{who}: {what or 'nothing'!r} cannot be done; it can be: {', '.join(known)}")
    wanted, rest = known[what], " ".join(words[1:])
    if wanted is None and rest:
        raise CommandRefused(f"{who} {what}: nothing follows, not {rest!r}")
    if wanted is not None and not re.fullmatch(wanted, rest):
        readable = {_PERCENT: "a share such as 20%", r"[1-4]": "a button, 1 to 4"}.get(wanted, wanted.replace("|", ", "))
        raise CommandRefused(f"{who} {what}: {readable if what != 'delay' else 'a share and a time: 20% 50ms'} follows")
    return Act(who, what, number, line, tuple(words[1:]))


def share(text: str) -> float:
    """`20%` as a chance."""
    return float(text.removesuffix("%")) / 100


def duration(text: str) -> Micros | None:
    found = re.fullmatch(r"(\d{1,6})(ms|s)", text)
    return int(found[1]) * (MILLISECOND if found[2] == "ms" else SECOND) if found else None
