"""Tickets: who proved his PIN a moment ago, where he stands, and for which table.

Theory. A croupier opens and locks two hundred times an hour, and a PIN that is typed so often is seen by everybody. So
he proves it once, and the ticket he gets signs what every pass needs (`door.BY_TICKET`) and nothing else: it moves no
money by itself. It is good for one person, at one terminal of one process, for one table; ten minutes after it was used
last it is over, and after a shift in any case. It lives here and in the client's memory: a node that was started anew
knows none, nothing of it is on record, and its key never travels (proof.py), so who reads along has nothing. A new PIN
of its person ends it, and so does whoever takes the terminal away, or gives it another key (R-36). Tickets are few: of
one terminal, of one person and of all; what was used longest ago gives way. Why a ticket is not taken is never said:
who has a stolen one learns nothing by trying. Time comes from outside.
"""

from typing import NamedTuple

from controller.node.control.peers import Peer
from controller.node.vocabulary.proof import StoredKey, proves
from drivers.session import SECOND, Micros

IDLE: Micros = 600 * SECOND
LONGEST: Micros = 12 * 3_600 * SECOND
MOST_OF_TERMINAL, MOST_OF_PERSON, MOST_OF_ALL = 8, 16, 1_024


class Stand(NamedTuple):
    """Where a ticket is good, and for whom; `terminal` is what the process says of itself."""

    peer: Peer
    person: str
    terminal: str
    table: str


class Kept(NamedTuple):
    """What the node keeps of a person's PIN, and the key of the terminal where he stands, if two persons let it in."""

    pin: StoredKey | None
    terminal: str


class GivenTicket(NamedTuple):
    """`key` checks its proofs and makes none; `kept`: when it was given; `asked`: the request's id."""

    number: str
    stand: Stand
    key: bytes
    kept: Kept
    asked: str


class _Held(NamedTuple):
    given: GivenTicket
    since: Micros
    used: Micros


class Tickets:
    """Used by one thread. Those used longest ago stand first."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def give(self, ticket: GivenTicket, now: Micros) -> str:
        """The number of the ticket: of one request always the same, however often it is asked."""
        self._forget(now)
        for number, one in list(self._held.items()):
            if one.given.stand == ticket.stand:
                if one.given.asked == ticket.asked:
                    return number
                del self._held[number]
        self._make_room(ticket.stand)
        self._held[ticket.number] = _Held(ticket, now, now)
        return ticket.number

    def is_proven(self, number: str, stand: Stand, kept: Kept, proof: str, said: bytes, now: Micros) -> bool:
        """Whether this ticket signs it; if so it was used now. `kept`: now."""
        held = self._held.get(number)
        if held is None or _is_over(held, now):
            return False
        given = held.given
        if kept.pin is None or (given.stand, given.kept) != (stand, kept) or not proves(given.key, proof, said):
            return False
        del self._held[number]  # to the end of the row
        self._held[number] = held._replace(used=now)
        return True

    def end(self, number: str) -> None:
        self._held.pop(number, None)

    def _forget(self, now: Micros) -> None:
        self._held = {number: one for number, one in self._held.items() if not _is_over(one, now)}

    def _make_room(self, stand: Stand) -> None:
        at_it = [number for number, one in self._held.items() if _terminal(one.given.stand) == _terminal(stand)]
        his = [number for number, one in self._held.items() if _owner(one.given.stand) == _owner(stand)]
        for row, most in ((at_it, MOST_OF_TERMINAL), (his, MOST_OF_PERSON), (list(self._held), MOST_OF_ALL)):
            if len(row) >= most:
                self._held.pop(row[0], None)


def _is_over(held: _Held, now: Micros) -> bool:
    return now - held.used >= IDLE or now - held.since >= LONGEST


def _terminal(stand: Stand) -> tuple[int, str]:
    return stand.peer.uid, stand.terminal


def _owner(stand: Stand) -> tuple[int, str]:
    """A person at one user of the machine: nobody's tickets give way to those of another user."""
    return stand.peer.uid, stand.person
