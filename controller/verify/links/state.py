"""What the facts so far have made of a node's neighbours, kept a second time: keys, streams, tables that are elsewhere.

Theory. Plain, changing things, as everything in world.py; `due` is what the facts of the answer that is being read ask
to be told, in their order, until a letter says it.
"""

from typing import NamedTuple

from controller.verify.facts import DecisionTaken, Fact, Reached, SealedBet
from controller.verify.law import Game, Law
from controller.verify.links.letters import Letter
from controller.verify.wrong import must, shown

WITH_DOUBTS = 4
"""The list by which a node tells that it does not believe a claim, and keeps what it needs to take it all the same."""
NOWHERE = Reached(0, 0, "")
"""Where a stream stands before its first letter."""


class Neighbour:
    """R-28: another node. `inside`: of the same casino; `stopped`: by stream, where it says that it stands."""

    def __init__(self, name: str, side: str, key: str, inside: bool) -> None:
        self.name, self.side, self.key, self.inside = name, side, key, inside
        self.up, self.since = False, 0
        self.revoked = False
        self.stopped: dict[str, tuple[str, Reached]] = {}
        self.went_back: dict[str, int] = {}  # by stream of ours, the epoch in which it was put back
        self.last_days: dict[str, str] = {}  # by pot, what it told last, or was told if it is above
        self.in_play: list[str] = []  # pots that its tables bet on since

    def day_over(self, pot: str, day: str, was: str) -> None:
        """R-27: a name that is no later one is none; another name is one for the last day only."""
        last = self.last_days.get(pot, "")
        self.in_play = [one for one in self.in_play if one != pot]
        if (was and was == last) or (not was and day > last):
            self.last_days[pot] = day

    def plays(self, pot: str) -> None:
        """R-27: its day of this pot goes on."""
        if pot not in self.in_play:
            self.in_play.append(pot)

    def cut(self, since: int) -> None:
        if self.up:
            self.up, self.since = False, since


class AwayTable:
    """R-9: a table of a neighbour, as its letters left it."""

    def __init__(self, name: str, casino: str, pot: str, game: Game) -> None:
        self.name, self.casino, self.pot, self.game = name, casino, pot, game
        self.number = 0
        self.bets: tuple[SealedBet, ...] = ()
        self.dark: tuple[int, ...] = ()
        self.closed = True


class Dispute(NamedTuple):
    """R-28: what was not believed, until two persons decide."""

    neighbour: str
    number: int
    pot: str
    table: str
    about: str
    amount: int
    why: str
    letter: Letter | None = None  # of winners, or of what was handed out: it can still be done
    bets: tuple[SealedBet, ...] = ()


class Proposed:
    """R-26: a plan that the owner of a pot proposed."""

    def __init__(
        self, law: Law, documents: tuple[str, str], resolution: str, above: str, signed: tuple[str, str]
    ) -> None:
        self.law, self.documents, self.resolution, self.above = law, documents, resolution, above
        self.signed = signed
        self.ready = False
        self.ready_below: list[str] = []


class TakingBack:
    """R-28: a pot of ours after a restore: who has not said what he heard, what was decided and is not booked, by its
    number in the log, and for whom nobody waits."""

    def __init__(self, missing: list[str], bound: dict[int, Letter]) -> None:
        self.missing, self.bound = missing, bound
        self.without: list[str] = []


class Due(NamedTuple):
    """A letter that must be told, and in which stream."""

    stream: str
    letter: Letter


class Links:
    """Everything of a node that concerns others. Marks of neighbours go by `NEIGHBOUR/STREAM`."""

    def __init__(self) -> None:
        self.neighbours: dict[str, Neighbour] = {}
        self.told: dict[str, Reached] = {}
        self.heard: dict[str, Reached] = {}
        self.acknowledged: dict[str, Reached] = {}
        self.away: dict[str, AwayTable] = {}
        self.proposed: dict[str, Proposed] = {}
        self.disputes: dict[str, Dispute] = {}
        self.emptying: dict[str, tuple[str, ...]] = {}
        self.wanted = 0
        self.awaited: dict[str, tuple[str, int]] = {}
        self.kept: dict[str, dict[int, Reached]] = {}  # every letter that was told, by its number
        self.brought: dict[tuple[str, int], int] = {}  # how much what was told moved the clearing, by its letter
        self.houses: dict[tuple[str, int], str] = {}  # and whose casino it was
        self.odd: list[str] = []  # what a neighbour said that cannot be, and is no fault of this record
        self.taking: dict[str, TakingBack] = {}
        self.recalls: list[str] = []  # who above has not said, since a restore, how far he heard this node
        self.handed: DecisionTaken | None = None  # whose letter is the next fact
        self.taken: Dispute | None = None  # winners whom two persons took: decided by the next fact
        self.granted: list[str] = []  # awards of theirs that were handed out meanwhile, as this answer says next
        self.answer: list[Fact] = []  # what may ask for letters, of the answer that is being read
        self.due: list[Due] = []
        self.tells = 1  # by which list this node tells (telling.py)
        self.telling = False  # letters were told in this answer: nothing else follows in it
        self.skipped = False  # a claim was decided in this answer before one that was asked earlier
        self.said_by = ""  # whose letter must stand behind what this answer says so far
        self.is_heard = False
        self.followed: list[Fact] = []  # what followed in this answer from something heard

    @property
    def tells_of_boxes(self) -> bool:
        """R-27: the third list has days of boxes behind a node without tables, and the one on which a pot was left."""
        return self.tells >= 3

    def tell_by(self, tells: int) -> None:
        must(
            tells in {1, 2, 3, 4} and bool(self.neighbours),
            "R-28",
            f"no hay una lista {tells} de lo que se cuenta a vecinos",
        )
        self.tells = tells

    def nobody_waits(self, neighbour: str, pots: list[str]) -> None:
        """R-28: its key was revoked, or two persons accepted where it stands."""
        for pot in pots:
            taking = self.taking[pot]
            taking.missing = [name for name in taking.missing if name != neighbour]
            taking.without = [*dict.fromkeys((*taking.without, neighbour))]
            self.end_taking(pot)

    def end_taking(self, pot: str) -> None:
        """R-28: over, when nobody is missing and all is booked."""
        if not self.taking[pot].missing and not self.taking[pot].bound:
            del self.taking[pot]

    def all_cut(self, since: int) -> None:
        """R-28: at a start, since the fact before it."""
        for one in self.neighbours.values():
            one.cut(since)

    def clock_moved(self, at: int, ms: int, *, stop: bool) -> None:
        """R-28: silence lasts as long as it lasted; over a stop only a clock that went back is set right."""
        for one in self.neighbours.values():
            if not stop:
                one.since += ms
            elif one.up:
                one.cut(at - abs(ms))
            else:
                one.since += min(ms, 0)

    def heard_of(self, neighbour: str, fact: Fact) -> None:
        """A fact that a letter of this neighbour must stand behind."""
        must(self.said_by in ("", neighbour), "R-28", f"lo anterior lo dijo {shown(self.said_by)}")
        must(not self.is_heard, "R-28", "se oyó antes de lo que dice")
        self.said_by = neighbour
        self.followed.append(fact)
