"""The installation's configuration is brought to a unit that has another (2.3 C): staged, committed, read back.

A unit takes one only while it is locked and no bet waits or counts in it. Until it has the right one it is not up, and
nothing opens it; but it is still read and acknowledged, so that the bets in its way can be booked, voided and cleared.
Bets that are sealed stay until the next unlock, which a unit that is not up never gets: so they are no hindrance once
the owner has said that their hand is over, and whoever upgrades between two passes need not think of them.
"""

from drivers.line.news import News
from drivers.model import Down
from drivers.native.blocks import FastPoll, WordList
from drivers.native.commands import Order, commit
from drivers.native.contract import Bet, LockState
from drivers.native.settings import UnitSettings
from drivers.session import Micros

_MOVING = {LockState.OPEN, LockState.LOCKING}
_GONE = {Bet.NONE, Bet.VOIDED}
_PLAYED = _GONE | {Bet.SEALED, Bet.RESTORED_DARK}


class Configuring:
    def __init__(self, settings: UnitSettings, news: News) -> None:
        self._settings = settings
        self._news = news
        self._right = False
        self._committed = False
        self._hand_over = False
        self._at: Micros | None = None

    def hand_over(self) -> None:
        """Nothing is opened before the configuration is right, so no other hand can follow meanwhile."""
        self._hand_over, self._at = True, None

    def begin(self, now: Micros, *, right: bool) -> None:
        """A session begins; what the unit runs on was just read."""
        self._right, self._hand_over = right, self._hand_over and not right
        if self._committed and not right:
            self.refuse("it runs on something else than it was given", now)
        self._committed = False

    def wanted(self, poll: FastPoll, now: Micros) -> bool:
        if self._right or (self._at is not None and now < self._at):
            return False
        no_hindrance = _PLAYED if self._hand_over else _GONE
        if poll.lock in _MOVING or any(seat.bet not in no_hindrance for seat in poll.seats):
            self.refuse("bets stand in it", now)
            return False
        return True

    def to_stage(self) -> WordList:
        return self._settings.config.encode()

    def to_commit(self) -> Order:
        return commit(self._settings.config.generation, self._settings.config.check)

    def committed(self) -> None:
        self._committed, self._at = True, None

    def refuse(self, why: str, now: Micros) -> None:
        self._at = now + self._settings.retry
        self._news.down(Down.CONFIG_REFUSED, why)
