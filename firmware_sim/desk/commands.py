"""What a person may do at a simulated table, as words: `seat 3 press 2`, `line loss 20%`, `unit 4 unplug`.

A command is read whole and refused in one sentence, or becomes an `Act`; carrying it out is the desk's (desk.py). The
same words come from the keyboard, from a script, over the control socket, and from an examination's prompts
(drivers/conformance), so that a test and a technician say the same thing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from drivers.session import MILLISECOND, SECOND, Micros

HELP = """\
seat N press B         press button B (1-4) of seat N; hold and release for a stuck one
seat N chip            a chip falls into the slot; jam and unjam
seat N lamp CONDITION  ok, open, short, lit (lit while off)
seat N tamper          somebody opens the housing
seat N miscount chips K  a fault of a native unit: a total moves by K and no event says why; also bets, voided,
                       late, loaded, cashed
console lock           the croupier's lock button; also unlock, key on, key off
console line pull      somebody breaks the hardware lock line; line free mends it
unit N off             the plug of unit N; also on, reboot, unplug and plug (its data wires), damage,
                       forget (memory lost: a native unit finds out when it boots); LINE/N where two lines have N
line [NAME] loss 20%   also noise, duplication, delay 20% [50ms], echo on, echo off, clean,
                       unplug and plug (the adapter), babble and hush (a broken unit talks unasked)
sign [NAME] off        the sign's plug; also on, forget; NAME is its line's
wait 500ms             only in scripts; also 2s
status, help, quit"""
MOST_LETTERS = 200
WORD = r"[a-z0-9_-]{1,24}"  # the name of a line


@dataclass(frozen=True, slots=True)
class Act:
    """Who, which, what, with which words; `number` is a seat or unit, `line` where a line was named."""

    who: str
    what: str
    number: int = 0
    line: str = ""
    words: tuple[str, ...] = ()


class CommandRefused(Exception):  # noqa: N818  says what happened
    """One sentence that says what would be right."""


@dataclass(frozen=True, slots=True)
class _Follows:
    """What may stand behind a word, and how a person would say that."""

    pattern: str
    readable: str


_NOTHING = _Follows("", "nothing")
_BUTTON = _Follows("[1-4]", "a button, 1 to 4")
_ON_OFF = _Follows("on|off", "on or off")
_PERCENT = r"(?:100|[0-9]{1,2}(?:\.[0-9]{1,3})?)%"
_SHARE = _Follows(_PERCENT, "a share such as 20%")
_SHARE_TIME = _Follows(_PERCENT + r"(?: [1-9][0-9]{0,5}ms)?", "a share, and the longest time if you like: 20% 50ms")
_MISCOUNT = _Follows(
    "(?:bets|voided|chips|late|loaded|cashed) -?[1-9][0-9]{0,8}",
    "a total and by how much it moves, as in chips 1000000",
)

_SEAT = {
    "press": _BUTTON, "hold": _BUTTON, "release": _BUTTON, "chip": _NOTHING, "jam": _NOTHING, "unjam": _NOTHING,
    "lamp": _Follows("ok|open|short|lit", "ok, open, short or lit"), "tamper": _NOTHING,
    "miscount": _MISCOUNT,
}  # fmt: skip
_CONSOLE = {"lock": _NOTHING, "unlock": _NOTHING, "key": _ON_OFF, "line": _Follows("pull|free", "pull or free")}
_UNIT = dict.fromkeys(("off", "on", "reboot", "unplug", "plug", "forget", "damage"), _NOTHING)
_LINE = {
    "loss": _SHARE, "noise": _SHARE, "duplication": _SHARE, "delay": _SHARE_TIME, "echo": _ON_OFF,
    **dict.fromkeys(("clean", "unplug", "plug", "babble", "hush"), _NOTHING),
}  # fmt: skip
_SIGN = dict.fromkeys(("off", "on", "forget"), _NOTHING)
_ALONE = ("status", "help", "quit")
RESERVED_NAMES = frozenset({*_LINE, *_SIGN, "control"})


def read_command(text: str) -> Act | None:
    """`None` for an empty line or a comment."""
    if len(text) > MOST_LETTERS:
        raise CommandRefused(f"a command has at most {MOST_LETTERS} letters")
    who, *words = text.split("#", 1)[0].lower().split() or [""]
    if not who:
        return None
    if who in _ALONE and not words:
        return Act(who, who)
    reader = _READERS.get(who)
    if reader is None:
        raise CommandRefused(f"{who!r} is nobody here; try {', '.join((*_READERS, *_ALONE))}")
    return reader(words)


def _seat(words: list[str]) -> Act:
    if not words or not re.fullmatch(r"[1-9][0-9]?", words[0]):
        raise CommandRefused("which seat? `seat 3 press 2`")
    return _act("seat", _SEAT, words[1:], number=int(words[0]))


def _unit(words: list[str]) -> Act:
    place = re.fullmatch(rf"(?:({WORD})/)?([1-9][0-9]{{0,2}})", words[0]) if words else None
    if place is None:
        raise CommandRefused("which unit? `unit 4 unplug`, or `unit asientos/4 unplug`")
    return _act("unit", _UNIT, words[1:], number=int(place[2]), line=place[1] or "")


def _on_a_line(who: str, known: Mapping[str, _Follows], words: list[str]) -> Act:
    """A name may come first: no line is called like a word that may follow."""
    named = len(words) > 1 and words[0] not in known and re.fullmatch(WORD, words[0]) is not None
    return _act(who, known, words[named:], line=words[0] if named else "")


def _wait(words: list[str]) -> Act:
    if len(words) != 1 or duration(words[0]) is None:
        raise CommandRefused("how long? `wait 500ms` or `wait 2s`")
    return Act("wait", "wait", words=tuple(words))


def _act(who: str, known: Mapping[str, _Follows], words: list[str], number: int = 0, line: str = "") -> Act:
    what, rest = words[0] if words else "", " ".join(words[1:])
    if what not in known:
        raise CommandRefused(f"{who}: {what or 'nothing'!r} cannot be done; it can be: {', '.join(known)}")
    if not re.fullmatch(known[what].pattern, rest):
        raise CommandRefused(f"{who} {what}: {known[what].readable} follows, not {rest or 'nothing'!r}")
    return Act(who, what, number, line, tuple(words[1:]))


_READERS: dict[str, Callable[[list[str]], Act]] = {
    "seat": _seat, "console": partial(_act, "console", _CONSOLE), "unit": _unit,
    "line": partial(_on_a_line, "line", _LINE), "sign": partial(_on_a_line, "sign", _SIGN), "wait": _wait,
}  # fmt: skip


def share(text: str) -> float:
    """`20%` as a chance."""
    return float(text.removesuffix("%")) / 100


def duration(text: str) -> Micros | None:
    found = re.fullmatch(r"([0-9]{1,6})(ms|s)", text)
    return int(found[1]) * (MILLISECOND if found[2] == "ms" else SECOND) if found else None
