"""What a casino's node gives a box that burned: the box's own mirror, piece by piece, each when it is asked for (R-27).

Theory. The box says where its copy stands, and the answer is what follows there: first what it sealed for its own
rebirth, the oldest first, then facts with their checkpoints and snapshots, as they once came. Each answer ends with
where the mirror ends, so whoever was cut off knows what is missing, and asks for it from wherever he stands; nothing is
remembered here between two of them. One piece is some hundred kilobytes, read in the mirrors' thread between the words
of other boxes: nobody else feels it.

Whose key this is two persons have said, and it says so for itself alone; that it was done stands in the journal and,
until that box greets as a node again, as an alarm on every screen.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from controller.core.links.known import Neighbour
from controller.core.view import Alarm, alarm
from controller.node.book.chain import read_checkpoint
from controller.node.link.mirror_words import (
    MOST_BYTES,
    MOST_FACTS,
    MirrorEscrow,
    MirrorMark,
    MirrorMessage,
    MirrorRows,
    MirrorSnapshot,
    MirrorStands,
    digest_of_sealed,
)
from controller.node.store.failure import StoreError
from controller.node.store.mirror import ChainPlace, MirrorFile
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.record.record import FIRST_SEQ, CheckpointRow, FactRow
from drivers.session import SECOND, Micros

SAID_EVERY: Micros = 60 * SECOND
"""Of one box, in the journal: a stolen key must not fill it."""
_GIVEN = (
    "El espejo de {box} (hasta el hecho {seq}) se entrega a la llave {key}. Si nadie rehace esa caja ahora, dos"
    " personas revocan esa llave."
)
NOTHING = MirrorStands(0, 0, bytes(32), bytes(32))
"""There is no mirror of yours here."""


def piece(mirror: MirrorFile, mark: MirrorMark) -> tuple[MirrorMessage, ...]:
    """What follows after that place; last, where the mirror ends. Where it is no place of this chain, only that."""
    end, first = mirror.end(), mirror.at(FIRST_SEQ)
    if end is None or first is None:
        return (NOTHING,)
    stands = MirrorStands(end.epoch, end.seq, end.hash, first.hash)
    if mark.seq < FIRST_SEQ:
        sealed = _sealed_after(mirror, mark.escrow)
        if sealed is not None:
            return MirrorEscrow(sealed), stands
    elif mirror.at(mark.seq) != ChainPlace(mark.epoch, mark.seq, mark.hash):
        return (stands,)
    return (*_rows(mirror, mark), stands)


def _sealed_after(mirror: MirrorFile, digest: bytes) -> bytes | None:
    """The next that was sealed after the one of this digest; the first where there is none of it."""
    oldest_first = mirror.escrows()[::-1]
    after = next((at for at, one in enumerate(oldest_first, 1) if digest_of_sealed(one) == digest), 0)
    return oldest_first[after] if after < len(oldest_first) else None


def _rows(mirror: MirrorFile, mark: MirrorMark) -> Iterator[MirrorMessage]:
    first = mark.seq + 1
    rows = _as_many_as_go(mirror, first)
    last = first + len(rows) - 1
    signed: list[CheckpointRow] = []
    for row in islice(mirror.checkpoints(mark.signed, last), MOST_FACTS):
        signed.append(row)
        said = read_checkpoint(row.body)
        snapshot = mirror.snapshot(said.state) if said is not None and said.state else None
        if snapshot is not None:  # one at a time; the signatures after it come with the next piece
            yield MirrorSnapshot(snapshot)
            break
    checkpoints = tuple((row.seq, row.body, row.signature) for row in signed)
    yield MirrorRows(first, tuple(row.body for row in rows), checkpoints)


def _as_many_as_go(mirror: MirrorFile, first: int) -> list[FactRow]:
    rows: list[FactRow] = []
    size = 0
    for row in mirror.facts(first, first + MOST_FACTS - 1):
        size += len(row.body)
        if rows and size > MOST_BYTES:
            break
        rows.append(row)
    return rows


class WantedBack(NamedTuple):
    """By a box that burned: its mirror, behind this place."""

    mark: MirrorMark


class Returning:
    """Of all boxes of this node. `say`: a line for the journal; `send`: to a neighbour."""

    def __init__(
        self,
        place: Callable[[str], Path],
        send: Callable[[str, MirrorMessage], None],
        say: Callable[[str, Mapping[str, object]], object],
    ) -> None:
        self._place, self._send, self._say = place, send, say
        self._said: dict[tuple[str, str], Micros] = {}
        self.alarms: dict[str, Alarm | None] = {}
        """By box: until it is linked again."""

    def take(self, box: Neighbour, mark: MirrorMark, now: Micros) -> None:
        """It asks for its mirror."""
        try:
            answer = self._answer(box.name, mark)
        except (StoreError, OSError) as error:
            unread = "El espejo de {box} no se puede leer para rehacer esa caja: {why}"
            self.alarms[box.name] = alarm("mirror_unread", "espejo", "R-27", unread, box=box.name, why=str(error))
            return
        stands = answer[-1]
        assert isinstance(stands, MirrorStands), "each answer says where the mirror ends"
        if stands.seq:
            self._tell(box, mark, stands, now)
        for message in answer:
            self._send(box.name, message)

    def linked(self, box: str) -> None:
        """It greets as a node again."""
        self.alarms[box] = None

    def _answer(self, box: str, mark: MirrorMark) -> tuple[MirrorMessage, ...]:
        path = self._place(box)
        if not path.exists():
            return (NOTHING,)
        with closing(MirrorFile.read(path)) as mirror:
            return piece(mirror, mark)

    def _tell(self, box: Neighbour, mark: MirrorMark, stands: MirrorStands, now: Micros) -> None:
        key = fingerprint_of(box.key)
        self.alarms[box.name] = alarm("mirror_given", "espejo", "R-27", _GIVEN, box=box.name, seq=stands.seq, key=key)
        event = "mirror_given" if mark.seq == stands.seq else "mirror_asked"
        last = self._said.get((box.name, event))
        if last is None or now - last >= SAID_EVERY:
            self._said[box.name, event] = now
            self._say(event, {"neighbour": box.name, "key": key, "from_fact": mark.seq, "to_fact": stands.seq})
