"""Simulated people at a table: what they see, who bets what and when, who throws chips, comes too late, goes home.

Pure and seeded: they hear that bets are taken and that no more are, look at what stands before them, and say what
they do now in the words of the desk (commands.py). They see nothing that a player could not see. Same seed, same
evening. They never do what the person in charge keeps for himself: a table that is left alone is simply not asked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from drivers.native.contract import LampDrive
from drivers.session import MILLISECOND, SECOND, Micros

FAST: Micros = 125 * MILLISECOND  # a fast blink is lit so long, and dark so long
WINK: Micros = 1_000 * MILLISECOND  # a wink is one short light in so long
_WINKS: Micros = 125 * MILLISECOND
_BETWEEN_CHIPS: Micros = 300 * MILLISECOND  # a slot takes one after the other
_LATEST: Micros = 700 * MILLISECOND  # how long after the call a slow one still tries


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One seat as its player has it before him."""

    number: int
    lamp: LampDrive
    shows: str | None  # None: it has no display
    powered: bool
    keys: tuple[tuple[str, bool], ...] = ()  # what stands on each, and whether it is down
    gate_open: bool | None = None  # None: it has no slot
    trouble: str = ""


def is_lit(lamp: LampDrive, now: Micros) -> bool:
    match lamp:
        case LampDrive.STEADY | LampDrive.TEST:
            return True
        case LampDrive.PENDING:
            return now // FAST % 2 == 0
        case LampDrive.FAULT:
            return now % WINK < _WINKS
        case _:
            return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What kind of people come here. Chances are of one seat in one pass."""

    bets: float = 0.85
    too_late: float = 0.02  # presses after "no más apuestas"
    leaves: float = 0.02  # goes home and cashes out
    low: int = 4  # with so few credits he buys
    buys: tuple[int, ...] = (20, 30, 50)
    looks: Micros = 250 * MILLISECOND  # lamps go dark, gates open: before that he reaches for no button


@dataclass(frozen=True, slots=True)
class _Planned:
    at: Micros
    words: str


class Players:
    """The players of one table. `seats` by number; `most` chips of a bet; `buttons` that a player likes."""

    def __init__(
        self,
        seats: Iterable[int],
        chance: Random,
        habits: Habits = Habits(),
        *,
        most: int = 5,
        buttons: tuple[int, ...] = (1, 2, 2, 3),
    ) -> None:
        self._seats = tuple(seats)
        self._chance, self._habits = chance, habits
        self._most, self._buttons = most, buttons
        self._plan: list[_Planned] = []
        self._slots: frozenset[int] = frozenset()
        self._closed_at: Micros | None = None

    def bets_open(self, seen: Sequence[PlayerView], now: Micros, window: Micros) -> None:
        """The croupier takes bets, for about so long. Who sits there makes up his mind."""
        self._plan, self._closed_at = [], None
        self._slots = frozenset(one.number for one in seen if one.gate_open is not None)
        room = max(1, window - self._habits.looks)
        for seat in sorted(seen, key=lambda one: one.number):
            if seat.number in self._seats and self._chance.random() < self._habits.bets:
                at = now + self._habits.looks + self._chance.randrange(room)
                self._plan += self._bet(seat, at, now + window)
        self._plan.sort(key=lambda one: (one.at, one.words))

    def bets_closed(self, now: Micros) -> None:
        """No more bets. One in many tries all the same."""
        if self._closed_at is not None:
            return
        self._closed_at = now
        slow = [one for one in self._plan if one.at >= now]
        self._plan = [
            _Planned(
                now + self._chance.randrange(1, _LATEST), f"seat {seat} {'chip' if seat in self._slots else 'press 1'}"
            )
            for seat in self._seats
            if self._chance.random() < self._habits.too_late
        ]
        if slow and self._chance.random() < self._habits.too_late * 10:
            self._plan.append(_Planned(now + 1, slow[0].words))

    def now(self, now: Micros) -> list[str]:
        """All that the players do at this instant, as commands."""
        due = [one.words for one in self._plan if one.at <= now]
        self._plan = [one for one in self._plan if one.at > now]
        return due

    def wants_credits(self, seat: PlayerView, credits_left: int) -> int:
        """How many he asks of the croupier; 0: none. Chips one has in the hand."""
        if seat.gate_open is not None or seat.trouble or credits_left > self._habits.low:
            return 0
        return self._chance.choice(self._habits.buys)

    def leaves(self) -> bool:
        """True if the player at a seat with credits goes home after this pass."""
        return self._chance.random() < self._habits.leaves

    def _bet(self, seat: PlayerView, at: Micros, until: Micros) -> list[_Planned]:
        if seat.trouble:
            return []
        if seat.gate_open is None:
            button = self._chance.choice(self._buttons)
            return [_Planned(at, f"seat {seat.number} press {button}")]
        chips = self._chance.choice([*range(1, self._most + 1), 1, 2])
        times = [at + place * _BETWEEN_CHIPS for place in range(chips)]
        last = until + _LATEST  # a player stops throwing soon after the call
        return [_Planned(time, f"seat {seat.number} chip") for time in times if time < last]


def evening(chance: Random) -> Habits:
    """Some tables are lively and some are not."""
    return Habits(bets=chance.uniform(0.7, 0.95), leaves=chance.uniform(0.01, 0.03))


SHORTEST_WINDOW: Micros = 2 * SECOND
"""However fast the evening is played, fingers and buses need this long."""
