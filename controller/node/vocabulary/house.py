"""Who may sign at a node, and at which terminals: for whoever must choose one of them (R-36).

Theory. Nothing secret is in it: every fact that it is made of is sent to each client of the control socket anyway. Who
retired is not in it, for nothing of his would be taken. Pure.
"""

from typing import NamedTuple

from msgspec import Struct

from controller.core.values import Role, TerminalUse


class PersonNow(Struct, frozen=True, omit_defaults=True):
    """Somebody who may sign, and as what."""

    person: str
    name: str
    roles: tuple[Role, ...]


class TerminalNow(Struct, frozen=True, omit_defaults=True):
    """R-36: a browser that two persons let in: for which use, where, and the key that checks what it signs; or a web
    process of another box, and its CURVE key."""

    terminal: str
    use: TerminalUse
    key: str
    place: str = ""


class House(NamedTuple):
    """Who may sign at this node, and which terminals he may stand at."""

    people: tuple[PersonNow, ...] = ()
    terminals: tuple[TerminalNow, ...] = ()
