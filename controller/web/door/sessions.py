"""Who has said hello: the cookie of a browser stands for its terminal, for a while.

Theory. A session is a number of 256 bits by chance, made here when the terminal has proved its key, and never taken
from a browser; so nobody can lay one ready for somebody else. What is kept is its hash. It says which terminal looks,
no more: whatever is asked is signed besides (signature.py). It is over when it was not used for an hour, after a day in
any case, and with its terminal's enrolment. There are few of one terminal, and a bounded number of all; the one unused
for longest gives way. Time comes from outside.
"""

import hashlib
import re
import secrets
from typing import NamedTuple

from drivers.session import SECOND, Micros

IDLE: Micros = 3_600 * SECOND
LONGEST: Micros = 24 * 3_600 * SECOND
MOST_OF_TERMINAL, MOST_OF_ALL = 4, 1_024
_NUMBER = re.compile(r"[A-Za-z0-9_-]{43}")


class Cookie(NamedTuple):
    """No domain, so that it is this host's alone; no script reads it; no page of another site sends it."""

    name: str
    kept: str

    def set(self, number: str) -> str:
        return f"{self.name}={number}; {self.kept}"

    def number_in(self, cookies: str) -> str:
        """Ours, where it stands once."""
        pairs = (one.strip().partition("=") for one in cookies.split(";"))
        values = [value for name, _, value in pairs if name == self.name]
        return values[0] if len(values) == 1 and _NUMBER.fullmatch(values[0]) else ""


SEALED_COOKIE = Cookie("__Host-pozo", "Path=/; Secure; HttpOnly; SameSite=Strict")
PLAIN_COOKIE = Cookie("pozo", "Path=/; HttpOnly; SameSite=Strict")
"""Without TLS, which is for this machine's own addresses alone, a browser takes no other."""


class WebSession(NamedTuple):
    """`name`: what it is called in this process; nobody gets in with it. `key`: of the terminal when it said hello."""

    name: str
    terminal: str
    key: str
    since: Micros
    used: Micros


class Sessions:
    """Those used longest ago stand first."""

    def __init__(self, cookie: Cookie) -> None:
        self.cookie = cookie
        self._held: dict[str, WebSession] = {}

    def open(self, terminal: str, key: str, now: Micros) -> tuple[str, WebSession]:
        """The number that goes into the cookie, and what it stands for."""
        self._forget(now)
        self._make_room(terminal)
        number = secrets.token_urlsafe(32)
        made = WebSession(_name(number), terminal, key, now, now)
        self._held[made.name] = made
        return number, made

    def of(self, cookies: str, now: Micros) -> WebSession | None:
        """Of the browser with these cookies; it was used now."""
        number = self.cookie.number_in(cookies)
        return self.touched(_name(number), now) if number else None

    def touched(self, name: str, now: Micros) -> WebSession | None:
        held = self._held.get(name)
        if held is None or _is_past(held, now):
            return None
        del self._held[name]  # to the end of the row
        self._held[name] = held._replace(used=now)
        return held

    def end(self, name: str) -> None:
        self._held.pop(name, None)

    def _forget(self, now: Micros) -> None:
        self._held = {name: one for name, one in self._held.items() if not _is_past(one, now)}

    def _make_room(self, terminal: str) -> None:
        its = [name for name, one in self._held.items() if one.terminal == terminal]
        for row, most in ((its, MOST_OF_TERMINAL), ([*self._held], MOST_OF_ALL)):
            if len(row) >= most:
                self.end(row[0])


def _name(number: str) -> str:
    return hashlib.sha256(number.encode()).hexdigest()


def _is_past(held: WebSession, now: Micros) -> bool:
    return now - held.used >= IDLE or now - held.since >= LONGEST
