"""The mirror of a box at its casino's node, without I/O: what both say, and what the casino's node believes (R-27).

Theory. A mirror is a copy and moves no money: letters do that, and wait for no mirror. The casino's node says where its
copy stands (`MirrorMark`), the box answers with what follows (`MirrorRows`), the next mark is the acknowledgement; so
one answer is in flight. Every fact is linked to the one before it as the box itself did it, the first one binds the
mirror to the box's key, every checkpoint must be signed with that key and stand where it says. What was copied long ago
is looked at again (looking.py): an edit in place is found within a minute where the record has 60,000 facts.

A box whose record does not hold what the mirror holds is named and nothing more is taken until two persons have looked:
it was cut or put back (ROLLED_BACK), written anew (FORK), or restored without saying up to where it had been
(FOREIGN_EPOCH). A restore that says so begins a branch by itself; one that two persons accepted too. A box founded anew
under its old name is never taken: its mirror is another node's. This file knows no file, socket, clock or thread.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from controller.core.values import Broken, Mark
from controller.node.book.chain import GENESIS, countersigned, is_signed, link, read_checkpoint
from controller.node.book.chain_line import (
    FOUNDED,
    RESTORED,
    AnyKind,
    ChainLine,
    Unreadable,
    read_founding,
    read_line,
    read_restoring,
)
from controller.node.link.looking import Looking
from controller.node.link.mirror_words import (
    MirrorEscrow,
    MirrorHead,
    MirrorMark,
    MirrorMessage,
    MirrorProof,
    MirrorRows,
    MirrorSnapshot,
    MirrorStands,
)
from controller.node.store.mirror import Branch, ChainPlace, MirroredFact
from controller.node.store.rows import FIRST_EPOCH
from controller.node.vocabulary.clock import Millis
from controller.record.record import FIRST_SEQ, CheckpointRow, FactRow
from drivers.session import SECOND, Micros

COUNTERSIGNED_EVERY: Micros = 300 * SECOND
SAYS_AGAIN: Micros = 20 * SECOND
"""A mark is said again though nothing came: so a box that was put back is named within a minute."""
_BEGINNING = ChainPlace(0, 0, GENESIS)
_ACCEPTED = "dos personas la aceptaron"


class KeepFacts(NamedTuple):
    """To the disk; then `kept` is called."""

    facts: tuple[MirroredFact, ...]
    checkpoints: tuple[CheckpointRow, ...]
    branch: Branch | None
    snapshot: bytes


class KeepHead(NamedTuple):
    """To the disk; then `kept_head` is called."""

    body: bytes
    signature: bytes


class KeepEscrow(NamedTuple):
    """To the disk; then `kept_escrow` is called."""

    sealed: bytes


class MirrorDiffers(NamedTuple):
    """What the box says and what the mirror holds cannot both be."""

    why: Broken
    said: Mark
    sentence: str


MirrorEvent = KeepFacts | KeepHead | KeepEscrow | MirrorDiffers


class Copied(NamedTuple):
    """What a mirror's file has when a life begins. `at`: what the chain as it stands has at a number; `digest`: of
    facts (mirror_words.py); `is_stopped`: the box was named, and nobody has looked yet."""

    end: ChainPlace | None
    signed: int
    key: str
    at: Callable[[int], ChainPlace | None]
    digest: Callable[[int, int], bytes]
    is_stopped: bool = False


class _NotBelieved(Exception):  # noqa: N818  says what happened
    def __init__(self, why: Broken, sentence: str) -> None:
        super().__init__(sentence)
        self.why, self.sentence = why, sentence


class Mirroring:
    """One box's mirror, at its casino's node. `sign`: with the casino's own key."""

    def __init__(self, neighbour: str, copied: Copied, sign: Callable[[bytes], bytes], me: str, key: str) -> None:
        self.neighbour = neighbour
        self._sign, self._me, self._my_key = sign, me, key
        self._at, self._digest, self._key = copied.at, copied.digest, copied.key
        self._end, self._signed = copied.end or _BEGINNING, copied.signed
        self._walked: ChainPlace | None = None  # of a box that was accepted: up to where it has what the mirror has
        self._keeping: tuple[ChainPlace, int, bool] | None = None
        self._countersigned = self._end.seq
        self._countersigned_at: Micros | None = None
        self._snapshot = b""  # until its checkpoint comes
        self._escrow = b""
        self._escrow_next: Micros = 0
        self._is_up, self.is_stopped = False, copied.is_stopped
        self._says_again: Micros = 0
        self._looking = Looking()
        self._events: deque[MirrorEvent] = deque()
        self._out: deque[MirrorMessage] = deque()

    def up(self, now: Micros) -> None:
        self._is_up = True
        self._looking.wait(now)
        self._say_mark(now)

    def down(self) -> None:
        self._is_up = False
        self._looking.forget()
        self._out.clear()

    def accept(self, now: Micros) -> None:
        """Two persons have looked: what the box has, from its first fact on, is taken, beside what was kept."""
        self.is_stopped, self._walked = False, _BEGINNING
        self._looking.forget()
        self._say_mark(now)

    def receive(self, message: MirrorMessage, now: Micros) -> None:
        """What the box says; while something is being kept it was said twice."""
        if self.is_stopped or self._keeping is not None:
            return
        try:
            match message:
                case MirrorRows():
                    self._hear(message, now)
                case MirrorStands():
                    self._compare(message)
                case MirrorProof():
                    self._prove(message)
                case MirrorSnapshot(body):
                    self._snapshot = body
                case MirrorEscrow(sealed) if now >= self._escrow_next:
                    self._escrow_next = now + SECOND
                    self._events.append(KeepEscrow(sealed))
                case _:
                    pass  # a box says none of the others
        except _NotBelieved as differs:
            self.is_stopped = True
            self._key = self._key if self._end.seq else ""  # bound by what is kept, not by what was said
            mark = _said(message if isinstance(message, MirrorStands) else self._end)
            self._events.append(MirrorDiffers(differs.why, mark, differs.sentence))

    def _hear(self, rows: MirrorRows, now: Micros) -> None:
        place = self._place_before(rows.first)
        if place is None:
            self._say_mark(now)  # what comes between was not heard
            return
        facts: list[MirroredFact] = []
        branch: Branch | None = None
        for body in rows.bodies:
            place, row = self._linked(place, body)
            known = self._at(place.seq) if branch is None and not facts else None
            if known == place:
                continue
            if known is not None:
                branch = self._new_branch(row)
            elif branch is None and self._is_accepted_here(place.seq):
                branch = Branch(place.seq, _ACCEPTED)
            facts.append(MirroredFact(place.epoch, row))
        if self._walked is not None and branch is None and not facts:
            branch = self._walked_to(place, is_its_end=not rows.bodies and not rows.checkpoints, now=now)
        self._take(rows, facts, branch, place if facts or branch is not None else self._end)
        self._says_again = now + SAYS_AGAIN

    def _walked_to(self, place: ChainPlace, *, is_its_end: bool, now: Micros) -> Branch | None:
        """An accepted box has what the mirror has, up to here; where its record ends here, what follows is new."""
        self._walked = place
        if not is_its_end:
            self._say_mark(now)
            return None
        if place.seq < self._end.seq:
            return Branch(place.seq + 1, _ACCEPTED)
        self._walked = None
        return None

    def _take(self, rows: MirrorRows, facts: list[MirroredFact], branch: Branch | None, end: ChainPlace) -> None:
        since = self._signed if branch is None else branch.first - 1
        if branch is not None:
            self._looking.forget()
        checkpoints = tuple(self._signatures(rows, end, facts, min(since, end.seq)))
        if facts or checkpoints or branch is not None:
            signed = max((row.seq for row in checkpoints), default=min(since, end.seq))
            self._keeping = end, signed, any(fact.row.kind == "day_closed" for fact in facts)
            self._events.append(KeepFacts(tuple(facts), checkpoints, branch, self._vouched_for(checkpoints)))

    def _vouched_for(self, checkpoints: Sequence[CheckpointRow]) -> bytes:
        """The snapshot that came, if one of these is its checkpoint; that it is true only an auditor knows."""
        snapshot, self._snapshot = self._snapshot, b""
        state = hashlib.sha256(snapshot).hexdigest()
        said = (read_checkpoint(row.body) for row in checkpoints)
        return snapshot if any(one is not None and one.state == state for one in said) else b""

    def kept(self, now: Micros, wall: Millis) -> None:
        """The last KeepFacts is on the disk."""
        assert self._keeping is not None, "something was to be kept"
        (self._end, self._signed, closed), self._keeping, self._walked = self._keeping, None, None
        if self._countersigned_at is None:
            self._countersigned_at = now
        if closed:
            self._countersign(wall)
        self._say_mark(now)

    def kept_escrow(self, digest: bytes, now: Micros) -> None:
        self._escrow = digest
        self._say_mark(now)

    def kept_head(self, body: bytes, signature: bytes) -> None:
        if self._is_up:
            self._out.append(MirrorHead(body, signature, self._my_key))

    def tick(self, now: Micros, wall: Millis) -> None:
        """Time has passed."""
        if self._countersigned_at is not None and now - self._countersigned_at >= COUNTERSIGNED_EVERY:
            self._countersign(wall)
        if self._is_up and not self.is_stopped and self._keeping is None and now >= self._says_again:
            self._say_mark(now)
        if self._may_ask and now >= self._looking.due:
            self._out.append(self._looking.ask(self._end.seq, now))

    def is_silent(self, now: Micros) -> bool:
        """The box does not say what its record looks like: it cannot be read there, or it is not shown."""
        return self._may_ask and self._looking.is_silent(now)

    @property
    def _may_ask(self) -> bool:
        return self._is_up and not self.is_stopped and self._walked is None and self._end.seq > 0

    def _prove(self, said: MirrorProof) -> None:
        """What it says of the facts that it was asked about, and of no others."""
        if not self._looking.answered(said):
            return
        if said.digest != self._digest(said.first, said.last):
            sentence = f"entre sus hechos {said.first} y {said.last} hay uno que no es el de su espejo: se editó"
            raise _NotBelieved(Broken.FORK, sentence)
        self._looking.proven(said.last)

    def deadline(self) -> Micros | None:
        signs = self._countersigned_at + COUNTERSIGNED_EVERY if self._countersigned_at is not None else None
        says = self._says_again if self._is_up and not self.is_stopped and self._keeping is None else None
        asks = self._looking.due if self._may_ask else None
        return min((when for when in (signs, says, asks) if when is not None), default=None)

    def next_event(self) -> MirrorEvent | None:
        return self._events.popleft() if self._events else None

    def to_send(self) -> tuple[MirrorMessage, ...]:
        out, self._out = tuple(self._out), deque()
        return out

    def _say_mark(self, now: Micros) -> None:
        self._says_again = now + SAYS_AGAIN
        if self._is_up and not self.is_stopped:
            at = self._walked or self._end
            self._out.append(MirrorMark(at.epoch, at.seq, at.hash, min(self._signed, at.seq), self._escrow))

    def _countersign(self, wall: Millis) -> None:
        """R-27: that this node had the chain up to here, with its signature; only where something is new."""
        self._countersigned_at = None
        if self._end.seq == self._countersigned or not self._end.seq:
            return
        epoch, seq, hash_ = self._end
        body = countersigned(self.neighbour, Mark(epoch, seq, hash_.hex()), self._me, wall)
        signature = self._sign(body)
        self._countersigned = seq
        self._events.append(KeepHead(body, signature))

    def _place_before(self, first: int) -> ChainPlace | None:
        if first == FIRST_SEQ:
            return _BEGINNING
        if self._walked is not None and first == self._walked.seq + 1:
            return self._walked
        return self._at(first - 1) if FIRST_SEQ < first <= self._end.seq + 1 else None

    def _linked(self, before: ChainPlace, body: bytes) -> tuple[ChainPlace, FactRow]:
        epoch, seq = before.epoch, before.seq + 1
        try:
            line = _line(body, seq)
            epoch = self._epoch(epoch, line, body)
        except Unreadable:
            raise _NotBelieved(Broken.UNKNOWN_LETTER, f"su hecho {seq} no se puede leer") from None
        hash_ = link(before.hash, self.neighbour, epoch, seq, body)
        return ChainPlace(epoch, seq, hash_), FactRow(seq, line.at, line.fact.kind, body, hash_)

    def _epoch(self, before: int, line: ChainLine[AnyKind], body: bytes) -> int:
        if line.seq == FIRST_SEQ:
            self._founded(line.fact.kind, body)
            return FIRST_EPOCH
        if line.fact.kind != RESTORED:
            return before
        epoch = read_restoring(body).epoch
        if epoch <= before:
            sentence = f"su hecho {line.seq} restaura bajo una época que no es más nueva"
            raise _NotBelieved(Broken.FOREIGN_EPOCH, sentence)
        return epoch

    def _founded(self, kind: str, body: bytes) -> None:
        """The first fact names node and key, and the mirror is bound to them."""
        fact = read_founding(body)
        if kind != FOUNDED or fact.node != self.neighbour:
            raise _NotBelieved(Broken.FORK, "su primer hecho no funda el nodo de ese nombre")
        if self._key and fact.key != self._key:
            raise _NotBelieved(Broken.FORK, "se fundó de nuevo bajo su viejo nombre: tiene otra llave")
        self._key = fact.key

    def _new_branch(self, row: FactRow) -> Branch:
        """The box has another fact there than the mirror."""
        seq = row.seq
        if self._walked is not None and seq > FIRST_SEQ:
            return Branch(seq, _ACCEPTED)
        if row.kind != RESTORED:
            raise _NotBelieved(Broken.FORK, f"tiene otro hecho {seq} que su espejo: su registro se escribió de nuevo")
        left, end = read_restoring(row.body).left, self._end
        names_it = left is not None and (left.epoch, left.seq) >= (end.epoch, end.seq)
        if not names_it or (left is not None and left.seq == end.seq and left.hash != end.hash.hex()):
            raise _NotBelieved(
                Broken.FOREIGN_EPOCH,
                f"su hecho {seq} lo restauró sin decir que había llegado al {end.seq}: perdió lo que no nombra",
            )
        return Branch(seq, "una restauración que dice qué dejó atrás")

    def _is_accepted_here(self, seq: int) -> bool:
        """Past the end of what was kept no branch is needed."""
        return self._walked is not None and seq <= self._end.seq

    def _signatures(
        self, rows: MirrorRows, end: ChainPlace, facts: list[MirroredFact], since: int
    ) -> list[CheckpointRow]:
        """Those that are new here, each proven."""
        new = {fact.row.seq: ChainPlace(fact.epoch, fact.row.seq, fact.row.hash) for fact in facts}
        found = []
        for seq, body, signature in rows.checkpoints:
            place = new.get(seq) or (self._at(seq) if seq <= end.seq else None)
            if seq <= since or place is None:
                continue
            said = read_checkpoint(body)
            if said is None or not is_signed(body, signature, self._key):
                raise _NotBelieved(Broken.FORK, f"el testigo de su hecho {seq} no lo firmó su llave")
            if (said.node, said.epoch, said.seq, said.hash) != (self.neighbour, place.epoch, seq, place.hash.hex()):
                raise _NotBelieved(Broken.FORK, f"el testigo de su hecho {seq} es de otra cadena que sus hechos")
            found.append(CheckpointRow(seq, body, signature))
        return found

    def _compare(self, stands: MirrorStands) -> None:
        """The box has not what the mirror has."""
        end, first = self._end, self._at(FIRST_SEQ)
        if self._walked is not None or first is None:
            return
        if stands.founded != first.hash:
            raise _NotBelieved(Broken.FORK, "se fundó de nuevo bajo su viejo nombre, o es otro nodo")
        known = self._at(stands.seq)
        if stands.seq < end.seq and known is not None and known.hash == stands.hash:
            sentence = f"su registro termina en el hecho {stands.seq} y su espejo en el {end.seq}: se cortó, o es viejo"
            raise _NotBelieved(Broken.ROLLED_BACK, sentence)
        if stands.epoch > end.epoch:
            sentence = f"viene bajo la época {stands.epoch} y no sigue al hecho {end.seq} que tiene su espejo"
            raise _NotBelieved(Broken.FOREIGN_EPOCH, sentence)
        raise _NotBelieved(Broken.FORK, f"no tiene el hecho {end.seq} de su espejo: su registro se escribió de nuevo")


def _line(body: bytes, seq: int) -> ChainLine[AnyKind]:
    line = read_line(body)
    if line.seq != seq:
        raise _NotBelieved(Broken.FORK, f"su hecho {seq} dice que es el {line.seq}")
    return line


def _said(place: MirrorStands | ChainPlace) -> Mark:
    """Where the box says that it stands; or up to where it was believed."""
    return Mark(place.epoch, place.seq, place.hash.hex() if place.seq else "")
