"""Who is let in: hello, and from then on each request of a browser with its cookie and its terminal's signature.

Theory. Three things must agree before anything is read of what is asked: the request comes from a page of ours
(origin.py), its cookie stands for a session that was opened here (sessions.py), and the terminal of that session is
enrolled now with the key that signed it (signature.py). A key that was withdrawn is worth nothing from the moment the
node has said so, whatever cookie comes with it. To say hello makes a new session always, and ends the one that the
browser had. Nothing is said of why somebody is not let in. Time comes from outside; one thread uses it.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from controller.node.vocabulary.house import TerminalNow
from controller.web.door.challenges import Challenges
from controller.web.door.origin import Ours
from controller.web.door.sessions import PLAIN_COOKIE, SEALED_COOKIE, Sessions, WebSession
from controller.web.door.signature import is_key, said_act, said_hello, signed_by
from controller.web.door.terminals import Terminals
from controller.web.door.turned_back import TurnedBack, no_session, not_signed
from drivers.session import Micros


class WebRequest(NamedTuple):
    """What came, after the front looked at it: `path` as it was asked, the headers that count, the whole body."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""
    query: bytes = b""

    @property
    def origin(self) -> str:
        return self.headers.get("origin", "")

    @property
    def cookies(self) -> str:
        return self.headers.get("cookie", "")


class Admitted(NamedTuple):
    """A terminal that is enrolled now, in a session of its own."""

    terminal: TerminalNow
    session: WebSession


class Welcome(NamedTuple):
    """`cookie`: what the browser is told to keep; `before`: the session that the same terminal had in this browser, and
    that is over now."""

    cookie: str
    admitted: Admitted
    before: WebSession | None


class Door:
    def __init__(self, here: Ours, clock: Callable[[], Micros]) -> None:
        self.here = here
        self.terminals = Terminals()
        self._clock = clock
        self._challenges = Challenges()
        self._sessions = Sessions(SEALED_COOKIE if here.sealed else PLAIN_COOKIE)

    def challenge(self) -> str:
        return self._challenges.new(self._clock())

    def hello(self, request: WebRequest, name: str, challenge: str, signature: str) -> Welcome:
        """A terminal that proves its key; it is told the same of a wrong name, number or signature."""
        now, terminal = self._clock(), self.terminals.named(name)
        if not self.terminals.were_told:
            raise TurnedBack(503, "starting", "", "El nodo todavía no dijo qué terminales hay; repita en un momento.")
        if terminal is None or not self._challenges.is_good(challenge, now):
            raise not_signed()
        if not signed_by(terminal.key, signature, said_hello(request.origin, challenge)):
            raise not_signed()
        if not self._challenges.use(challenge, now):
            raise TurnedBack(503, "busy", "", "Demasiadas terminales se presentan a la vez; repita en un momento.")
        before = self._sessions.of(request.cookies, now)
        if before is not None:
            self._sessions.end(before.name)
        number, session = self._sessions.open(name, terminal.key, now)
        same = before if before is not None and before.terminal == name and before.key == terminal.key else None
        return Welcome(self._sessions.cookie.set(number), Admitted(terminal, session), same)

    def looks(self, request: WebRequest) -> Admitted:
        """Who may look, by the cookie alone."""
        session = self._sessions.of(request.cookies, self._clock())
        admitted = self._standing(session) if session is not None else None
        if admitted is None:
            raise no_session()
        return admitted

    def asks(self, request: WebRequest) -> Admitted:
        """Who asks for something: by the cookie, and by what its terminal signed."""
        admitted = self.looks(request)
        refuse_unsigned(request, admitted.terminal.key)
        return admitted

    def still(self, admitted: Admitted) -> bool:
        """Whether who was let in may go on to look; a stream asks it with each beat."""
        session = self._sessions.touched(admitted.session.name, self._clock())
        return session is not None and self._standing(session) is not None

    def _standing(self, session: WebSession) -> Admitted | None:
        """Its terminal as it is enrolled now; none where it was withdrawn, or enrolled with another key."""
        terminal = self.terminals.named(session.terminal)
        if terminal is None or terminal.key != session.key:
            self._sessions.end(session.name)
            return None
        return Admitted(terminal, session)


def refuse_unsigned(request: WebRequest, key: str) -> None:
    """What the owner of this key did not sign, for this address."""
    signature = request.headers.get("pozo-signature", "")
    if not is_key(key) or not signed_by(key, signature, said_act(request.origin, request.path, request.body)):
        raise not_signed()
