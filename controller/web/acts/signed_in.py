"""Who signed in at which session: his ticket, in this process's memory and nowhere else.

Theory. A ticket is what a PIN was exchanged for (control/tickets.py): it opens, locks and ends passes at one table and
looks, and moves no money. It is kept beside the session of the browser that signed in, so the cookie of another
browser finds none. It is forgotten when its person signs out, when the node says that it is over, and when nobody
used it for as long as the node keeps it. No PIN is here. Time comes from outside; one thread uses it.
"""

from typing import NamedTuple

from msgspec import Struct

from controller.node.control.tickets import IDLE
from controller.node.vocabulary.protocol import Ticket
from drivers.session import SECOND, Micros

MOST_OF_SESSION = 16
IDLE_SECONDS = IDLE // SECOND


class SignedInNow(Struct, frozen=True):
    """Who may open and lock here without his PIN, and which table."""

    person: str
    table: str


class _Kept(NamedTuple):
    ticket: Ticket
    used: Micros


class SignedIn:
    def __init__(self) -> None:
        self._kept: dict[str, dict[SignedInNow, _Kept]] = {}

    def keep(self, session: str, ticket: Ticket, now: Micros) -> None:
        self._forget(now)
        its = self._kept.setdefault(session, {})
        its.pop(SignedInNow(ticket.person, ticket.table), None)
        if len(its) >= MOST_OF_SESSION:
            del its[next(iter(its))]
        its[SignedInNow(ticket.person, ticket.table)] = _Kept(ticket, now)

    def of(self, session: str, person: str, table: str, now: Micros) -> Ticket | None:
        """His, to sign with now."""
        self._forget(now)
        who = SignedInNow(person, table)
        kept = self._kept.get(session, {}).pop(who, None)
        if kept is None:
            return None
        self._kept[session][who] = kept._replace(used=now)  # to the end of the row
        return kept.ticket

    def who(self, session: str, now: Micros) -> list[SignedInNow]:
        self._forget(now)
        return [*self._kept.get(session, {})]

    def end(self, session: str, person: str = "", table: str = "") -> list[Ticket]:
        """Those of this person and table, or all: what is to be told the node. Here they are over."""
        its = self._kept.get(session, {})
        ending = [who for who in its if person in {"", who.person} and table in {"", who.table}]
        return [its.pop(who).ticket for who in ending]

    def is_over(self, number: str) -> None:
        """The node has said so."""
        for its in self._kept.values():
            for who in [who for who, kept in its.items() if kept.ticket.number == number]:
                del its[who]

    def moves(self, session: str, to: str) -> None:
        """The same terminal said hello again in the same browser."""
        its = self._kept.pop(session, None)
        if its:
            self._kept[to] = its

    def _forget(self, now: Micros) -> None:
        for session, its in [*self._kept.items()]:
            self._kept[session] = {who: one for who, one in its.items() if now - one.used < IDLE}
            if not self._kept[session]:
                del self._kept[session]
