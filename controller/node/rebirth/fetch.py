"""A burned box that dials its casino's node and takes its mirror: the sockets and the waiting, in one thread (R-28).

Theory. It is no node yet: it has a key, made just now and pinned by two persons at the other end, and the other's key,
whose fingerprint its settings know. So it says one word (`Burned`), hears one answer, and asks for the next piece when
the one before is on the disk. A connection that ends or an answer that does not come is tried again, from where the
copy stands; only who brings nothing new for long is given up, in one sentence that says what a person can do. What the
answers mean is judged in mirror_copy.py.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from controller.core.values import Side
from controller.node.link.greeting import Offence
from controller.node.link.messages import GIVES, Burned, MirrorWord, TurnedAway, packed, unpacked
from controller.node.link.mirror_words import mirror_packed, mirror_unpacked
from controller.node.link.redial import Redial
from controller.node.link.shell import found_at, place_in
from controller.node.link.sockets import Left, OwnKey, Pinned, Sockets
from controller.node.rebirth.mirror_copy import CopyRefused, MirrorCopy
from controller.node.vocabulary.bell import Bell
from drivers.punctual import micros
from drivers.session import MILLISECOND, SECOND, Micros

PATIENCE: Micros = 60 * SECOND
"""Without a new piece."""
ANSWERS_WITHIN: Micros = 8 * SECOND
_LOOKS: Micros = 20 * MILLISECOND
_OLDER = (Offence.NOT_UNDERSTOOD, Offence.PROTOCOL)


class Above(NamedTuple):
    """The casino's node, as settings and persons name it; `address`: `tcp://HOST:PORT`; `key`: its 32 octets."""

    name: str
    address: str
    key: bytes


class FetchFailed(Exception):  # noqa: N818  says what happened
    """One Spanish sentence. What came stays, and the same command goes on with it."""


class Fetch:
    """`me`: the name of the box; `folder`: of ours alone, for the inner sockets."""

    def __init__(self, me: str, above: Above, own: OwnKey, folder: Path, clock: Callable[[], Micros] = micros) -> None:
        self._me, self._above, self._clock = me, above, clock
        self._redial = Redial(me, above.name)
        self._number: int | None = None  # of the connection
        self._unsent: bytes | None = None
        with ExitStack() as undo:
            bell = undo.enter_context(closing(Bell()))
            self._sockets = Sockets(folder, None, own, bell.fileno(), clock())
            undo.callback(self._sockets.close)
            self._sockets.pin({above.name: Pinned(Side.ABOVE, above.key)})
            self._closing = undo.pop_all()

    def close(self) -> None:
        self._closing.close()

    def run(self, copy: MirrorCopy, progress: Callable[[MirrorCopy], None], patience: Micros = PATIENCE) -> None:
        """Until the copy is whole; FetchFailed, CopyRefused, EscrowRefused, StoreError."""
        news_at = self._clock()
        while not copy.is_whole:
            now = self._clock()
            if now - news_at > patience:
                raise FetchFailed(self._silent())
            if self._number is None and not self._dial(now):
                time.sleep(self._redial.wait() / SECOND)
                continue
            if self._answer(copy):
                news_at = self._clock()
                self._redial.greeted()
                progress(copy)

    def _dial(self, now: Micros) -> bool:
        address = found_at(place_in(self._above.address))
        self._number = None if address is None else self._sockets.dial(self._above.name, address, now)
        return self._number is not None

    def _answer(self, copy: MirrorCopy) -> bool:
        """Asks for one piece; whether it came."""
        word = Burned(GIVES, self._me, mirror_packed(copy.mark()))
        self._unsent = packed(word)
        asked_at = self._clock()
        while (now := self._clock()) - asked_at < ANSWERS_WITHIN:
            if not self._say():
                break
            self._sockets.wait(now + _LOOKS, now)
            for came in self._sockets.turn(self._clock()):
                if came.number == self._number and self._heard(came.octets, copy):
                    return True
            if any(one.number == self._number for one in self._sockets.gone()):
                self._number = None
                break
        self._hang_up()
        time.sleep(self._redial.wait() / SECOND)
        return False

    def _say(self) -> bool:
        """Whether there is still a connection."""
        if self._unsent is not None and self._number is not None:
            left = self._sockets.send(self._number, self._unsent)
            if left is Left.SENT:
                self._unsent = None
            return left is not Left.GONE
        return self._number is not None

    def _heard(self, octets: bytes, copy: MirrorCopy) -> bool:
        said = unpacked(octets)
        if isinstance(said, TurnedAway):
            raise FetchFailed(self._told_no(said.code))
        message = mirror_unpacked(said.octets) if isinstance(said, MirrorWord) else None
        if message is None:
            raise CopyRefused("manda lo que no es un espejo")
        return copy.take(message)

    def _hang_up(self) -> None:
        if self._number is not None:
            self._sockets.drop(self._number)
            self._sockets.gone()
        self._number = None

    def _told_no(self, code: str) -> str:
        name = self._above.name
        if code in _OLDER:
            return (
                f"el programa de {name} es de otra versión y no da espejos por el enlace: copie allí"
                f" mirrors/{self._me}.db con pozo backup, tráigalo, y use pozo restore --mirror"
            )
        if code == Offence.NAME:
            return f"en {name} esta llave está fijada con otro nombre que {self._me}"
        return f"{name} no habla con esta llave ({code})"

    def _silent(self) -> str:
        return (
            f"{self._above.name} no contesta en {self._above.address}: o no se llega hasta allí, o todavía no toma la"
            " llave de este nodo (allí: pozo peer add, dos personas), o no es de esta casa, o su programa es anterior y"
            " no da espejos por el enlace (pozo restore --mirror). Lo que llegó queda; el mismo comando sigue."
        )
