"""What a node knows of its neighbours: who they are, their tables, plans, and what was not believed (R-9, R-26, R-28).

Theory. These are parts of the state, small and frozen as all of it: of a neighbour's table its last pass, of a stream
of letters its mark, and nothing that grows with what was said.
"""

from msgspec import Struct
from msgspec.structs import replace

from controller.core.links.letters import AwardGiven, ClaimMade
from controller.core.values import Broken, Documents, Mark, SealedBet, Side

MIRROR = "mirror"
"""Not letters: a box's whole record, as its casino's node keeps it. What does not follow there is on record until two
persons have looked, and its letters go on: they have their own marks, and a copy damaged here must close no tables."""


class Proposed(Struct, frozen=True, omit_defaults=True):
    """R-26: a plan that the owner of a pot proposed, and who approved it there. `ready`: so the owner was told, and no
    pass opens; `below`: the neighbours below that said so to us."""

    documents: Documents
    resolution: str
    above: str
    ready: bool = False
    below: tuple[str, ...] = ()
    by: str = ""
    second: str = ""


class Stopped(Struct, frozen=True):
    """Why nothing more of a stream is heard, and where the neighbour says that it stands."""

    why: Broken
    said: Mark


class Neighbour(Struct, frozen=True, omit_defaults=True):
    """R-28: another node whose key was pinned. `inside`: of the same casino. `up`: its link stands; `since`: it came to
    stand, or the last word from it. `stopped`: by stream, what it said that does not follow; `went_back`: by stream of
    ours, the epoch in which it was restored and heard it again from an earlier place. `days`: by pot, the last gaming
    day that a neighbour below told, or that one above was told; `playing`: the pots that bets of it came for since."""

    name: str
    side: Side
    key: str
    inside: bool = False
    up: bool = False
    since: int = 0
    revoked: bool = False
    stopped: dict[str, Stopped] = {}
    went_back: dict[str, int] = {}
    days: dict[str, str] = {}
    playing: tuple[str, ...] = ()

    def plays(self, pot: str) -> "Neighbour":
        """R-27: bets of its tables came, so its day goes on."""
        assert pot, "a pot has a name"
        return self if pot in self.playing else replace(self, playing=(*self.playing, pot))

    def ended(self, pot: str, day: str, was: str) -> "Neighbour":
        """R-27: a day is over, if it is later than the last one; or that one has another name now."""
        last, playing = self.days.get(pot, ""), tuple(one for one in self.playing if one != pot)
        assert day, "R-27: a day has a name"
        counts = was == last if was else day > last
        return replace(self, days={**self.days, pot: day} if counts else self.days, playing=playing)


class AwayTable(Struct, frozen=True, omit_defaults=True):
    """A table of a neighbour below, as its letters left it: its last pass, the valid bets of it while nobody closed it,
    and whose bets went back because of their lamps."""

    name: str
    casino: str
    pot: str
    modality: str
    number: int = 0
    bets: tuple[SealedBet, ...] = ()
    dark: tuple[int, ...] = ()
    closed: bool = True


class Dispute(Struct, frozen=True, omit_defaults=True):
    """R-28: what a neighbour told and was not believed, until two persons decide. `letter`: of winners, or of what
    they were handed, for it can still be done as it was told; `bets`: of the pass that was told, or of the claim's."""

    neighbour: str
    number: int
    pot: str
    table: str
    about: str
    amount: int
    why: str
    letter: ClaimMade | AwardGiven | None = None
    bets: tuple[SealedBet, ...] = ()


class ShareKept(Struct, frozen=True):
    """R-28: what the owner of a pot that our tables left has given us of it, for the players of a pot here."""

    above: str
    amount: int
