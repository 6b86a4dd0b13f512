"""What may be booked of a board, said a third time and without the judge's words (R-37).

It hears facts, and knows of each board how much one press and one chip of it is worth and what truly happened on it. A
booking is wrong if the board had not so many events for it, or if what it invents cannot be and is booked all the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.core import facts as said
from controller.core.values import Device
from support.liars.board import Liar

WORD = 2**32
_BOOKED = said.DeviceSeen | said.BetMade | said.BetRefused | said.ChipsFell | said.DeviceVoided


@dataclass
class Spent:
    first: int
    last: int
    events: int


@dataclass
class Oracle:
    """Of the units of one table, each board by its serial with the first seat that it has there."""

    boards: Mapping[int, tuple[Liar, int]]
    press: int
    chip: int
    known: dict[int, Device] = field(default_factory=dict)
    spent: dict[int, Spent] = field(default_factory=dict)
    is_plain: bool = False  # from now on only what truly happened may be booked
    wrong: list[str] = field(default_factory=list)

    def hear(self, fact: Any) -> None:
        match fact:
            case said.DeviceAdopted(seat=seat, device=device):
                self.known[seat] = device
                self.spent.pop(seat, None)
            case said.DeviceDisbelieved():
                pass
            case _ if isinstance(fact, _BOOKED) and fact.device != self.known.get(fact.seat):
                self._look(fact, self.known[fact.seat], fact.device)
                self.known[fact.seat] = fact.device
            case _:
                pass

    def _look(self, fact: Any, old: Device, new: Device) -> None:
        if (old.serial, old.epoch) != (new.serial, new.epoch):
            self._say(fact, "totals of two memories are compared")
            return
        events = (new.seq - old.seq) % WORD
        grown = {name: (getattr(new, name) - getattr(old, name)) % WORD for name in ("bets", "voided", "chips", "late")}
        if not 0 < events < WORD // 2 or max(grown.values()) >= WORD // 2:
            self._say(fact, f"it went back, or nothing happened: {old}")
            return
        needs = self._events_for(fact, grown)
        if needs > events:
            self._say(fact, f"{events} events, and {needs} are needed, after {old}")
        self.spent[fact.seat] = Spent(old.seq, new.seq, needs)
        for first in [one.first for one in self.spent.values()]:
            since = (new.seq - first) % WORD
            took = sum(one.events for seat, one in self.spent.items() if self._is_within(seat, one, new, since))
            if took > since:
                self._say(fact, f"the seats took {took} of {since} events: {self.spent}")
        self._look_at_truth(fact, new)

    def _is_within(self, seat: int, one: Spent, new: Device, since: int) -> bool:
        device = self.known[seat]
        is_here = (device.serial, device.epoch) == (new.serial, new.epoch) and (new.seq - one.last) % WORD < WORD // 2
        return is_here and (new.seq - one.first) % WORD <= since

    def _events_for(self, fact: Any, grown: Mapping[str, int]) -> int:
        if (grown["bets"] or grown["voided"]) and not self.press:
            self._say(fact, "it has no buttons")
        if (grown["chips"] or grown["late"]) and not self.chip:
            self._say(fact, "it has no slot")
        ways = ((grown["bets"], self.press), (grown["voided"], self.press), (grown["chips"], self.chip))
        return grown["late"] + sum(-(-many // most) for many, most in ways if most)

    def _look_at_truth(self, fact: Any, new: Device) -> None:
        board = self.boards.get(new.serial)
        if not self.is_plain or board is None or new.epoch != board[0].nvm.epoch:
            return
        liar, first = board
        if not any(
            (new.bets, new.chips, new.late) == (one.bets, one.chips, one.late)
            and (not self.press or new.voided == one.voided)
            for one in liar.truth[fact.seat - first + 1]
        ):
            self._say(fact, "the board never counted that")

    def _say(self, fact: Any, why: str) -> None:
        self.wrong.append(f"{why}: {fact}")
