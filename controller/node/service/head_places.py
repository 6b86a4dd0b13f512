"""Every place where this node keeps its heads: beside the record, and where the settings say; a thread for each.

Theory. A place may be a stick that was pulled or a share that answers nobody, so nothing that plays ever waits for
one: the newest head waits in front of it, and older ones that found it busy are let go. All places are read while the
record is, and a record that one of them contradicts does not start (book/heads.py). A place that answers later is
read before it is written: what it knows more than the record is never written over, but stands as an alarm, because a
head alone is no reason to stop tables in the middle of a pass; the next start is refused. A place that takes nothing
for a while is an alarm with its name.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Condition, Event, Thread
from typing import NamedTuple

from controller.core.state import THIRD_READING
from controller.core.values import HeadLeft
from controller.core.view import Alarm, alarm
from controller.node.book.book import Book, record_of
from controller.node.book.heads import (
    FoundHeads,
    SignedHead,
    contradiction,
    end_of,
    head_of,
    heads_in,
    is_unsaid,
    own_place,
    place_in,
    read_heads,
    text_of,
    write_heads,
)
from controller.node.store.failure import StoreError, StoreRefused
from controller.node.store.store import Reader
from controller.node.telemetry.journal import Journal, Says
from controller.node.vocabulary.clock import Clock
from controller.node.vocabulary.places import Node
from drivers.session import SECOND, Micros

READ_WITHIN = 3.0
"""Seconds that a start waits for a place, beside what reading the record takes."""
AGAIN_AFTER = 10.0
LATE_AFTER: Micros = 60 * SECOND
"""A place that took no head for so long is an alarm: a fifth of the time that two heads are apart at the most."""
LAST_WORDS = 2.0
_OLD = (
    "este registro {why}; el testigo está en {place}. Devuelva el registro que falta; si se perdió, dos personas"
    " restauran un respaldo: pozo restore (docs/operators/operations.md)."
)
_NEWER = f"{_OLD} El próximo arranque no abrirá este registro."


class RecordKnown(NamedTuple):
    """Of the record that runs, what a place needs in its own thread."""

    node: str
    key: str
    path: Path
    left: tuple[HeadLeft, ...]


class HeadPlace(Thread):
    """One place. The thread reads and writes; everybody else looks at what it left here."""

    def __init__(self, path: Path, now: Callable[[], Micros]) -> None:
        super().__init__(name=f"heads {path.parent}", daemon=True)
        self.path, self._now = path, now
        self.text: bytes | None = None  # what it held when this life began
        self.was_read = Event()
        self.why = ""  # it could not be read or written the last time
        self.knows_more = ""  # than the record: why
        self.strange = 0  # lines that this node did not sign
        self.waits_since: Micros | None = None
        self._known: dict[bytes, SignedHead] = {}
        self._record: RecordKnown | None = None
        self._newest: SignedHead | None = None
        self._turn = Condition()
        self._is_over = False
        self.start()

    def run(self) -> None:
        try:
            self.text = text_of(self.path)
        except OSError as error:
            self.why = error.strerror or type(error).__name__
        self.was_read.set()
        while (head := self._next()) is not None:
            self._bring(head)

    def accepted(self, record: RecordKnown, found: FoundHeads) -> None:
        """What was found here contradicts nothing; whatever else lies here later is looked at again."""
        self._known = {head.body: head for head in found.heads}
        self._record, self.strange = record, found.strange

    def offer(self, head: SignedHead) -> None:
        with self._turn:
            self._newest = head
            if self.waits_since is None:
                self.waits_since = self._now()
            self._turn.notify()

    def stop(self) -> None:
        with self._turn:
            self._is_over = True
            self._turn.notify()

    def _next(self) -> SignedHead | None:
        """The newest head that waits; after one that found no way, the next try is a while later."""
        with self._turn:
            if self.why:
                self._turn.wait_for(lambda: self._is_over, AGAIN_AFTER)
            self._turn.wait_for(lambda: self._is_over or self._newest is not None)
            return None if self._is_over and self.why else self._newest

    def _bring(self, head: SignedHead) -> None:
        record = self._record
        assert record is not None, "heads are offered once the record is accepted"
        try:
            found = read_heads(self.path, record.node, record.key)
            self.strange = max(self.strange, found.strange)
            self.knows_more = self.knows_more or self._more_than(record, found)
            if not self.knows_more:
                self._known |= {one.body: one for one in (*found.heads, head)}
                write_heads(self.path, self._known.values(), record.key)
        except OSError as error:
            self.why = error.strerror or type(error).__name__
            return
        except StoreError as error:
            self.why = error.sentence
            return
        self.why = ""
        with self._turn:
            if self._newest is head:
                self._newest, self.waits_since = None, None

    def _more_than(self, record: RecordKnown, found: FoundHeads) -> str:
        """Why the record is not the one of a head that lies there and that this thread did not write."""
        unknown = [head for head in reversed(found.heads) if head.body not in self._known]
        if not unknown:
            return ""
        with Reader.open(record.path) as reader:
            end = end_of(reader, record.left)
            return next(filter(None, (contradiction(end, head) for head in unknown)), "")


class HeadPlaces:
    """All of them."""

    def __init__(self, node: Node, clock: Clock, journal: Journal) -> None:
        self._clock, self._journal = clock, journal
        self._node, self._record = node.name, record_of(node.folder)
        self._own = HeadPlace(own_place(self._record), clock.now)
        others = [HeadPlace(place_in(place, node.name), clock.now) for place in node.head_places]
        self._places = [self._own, *others]
        self._said: dict[str, str] = {}
        self._at_start: dict[str, Alarm] = {}

    def prove(self, book: Book) -> None:
        """The record that was just read is the newest that any place knows; nothing is written before that is sure."""
        end = end_of(book.store, book.state.left)
        self._own.was_read.wait()
        until = self._clock.now() + int(READ_WITHIN * SECOND)
        known = RecordKnown(self._node, book.key, self._record, book.state.left)
        for place in self._places:
            place.was_read.wait(max(0, until - self._clock.now()) / SECOND)
            found = heads_in(place.text or b"", known.node, known.key)
            for head in reversed(found.heads):
                why = contradiction(end, head)
                if why:
                    raise StoreRefused(str(self._record), _refusal(place.path, why))
                if is_unsaid(end, head):
                    self._at_start[f"heads left {place.path}"] = _unsaid(place.path, head)
            place.accepted(known, found)
        # A record of this reading was founded, or started before, by a program that keeps heads.
        if self._own.text == b"" and book.state.reading >= THIRD_READING:
            self._at_start["heads own"] = _no_own(self._own.path)

    def keep(self, body: bytes, signature: bytes) -> None:
        """To every place, when it can take it; never waits."""
        head = head_of(body, signature)
        for place in self._places:
            place.offer(head)

    def keep_newest(self, book: Book) -> None:
        """What the last life signed, also where a place was away or was emptied since."""
        row = book.store.newest_checkpoint()
        if row is not None:
            self.keep(row.body, row.signature)

    def look(self, now: Micros, raise_alarm: Callable[[str, Alarm | None], None]) -> None:
        """What places have to say, in the journal once and as alarms as long as it lasts."""
        raised = dict(self._alarms(now))
        for key in {*self._said, *raised}:
            alarm = raised.get(key)
            if alarm is None:
                self._journal.info(Says.HEAD_WELL, message=self._said.pop(key))
            elif self._said.get(key) != alarm.sentence:
                self._said[key] = alarm.sentence
                self._journal.error(Says.HEAD_TROUBLE, message=alarm.sentence)
            raise_alarm(key, alarm)

    def stop(self) -> None:
        """Each has a moment to take the last one; one that does not answer is left to itself."""
        until = self._clock.now() + int(LAST_WORDS * SECOND)
        for place in self._places:
            place.stop()
        for place in self._places:
            place.join(max(0, until - self._clock.now()) / SECOND)

    def _alarms(self, now: Micros) -> Iterator[tuple[str, Alarm]]:
        yield from self._at_start.items()
        for place in self._places:
            if place.knows_more:
                more = alarm("head_newer", "registro", "R-27", _NEWER, why=place.knows_more, place=str(place.path))
                yield f"heads more {place.path}", more
            elif place.waits_since is not None and now - place.waits_since >= LATE_AFTER:
                yield f"heads late {place.path}", _late(place.path.parent, place.why)
            if place.strange:
                strange = "En {place} hay algo que este nodo no firmó; no se tomó en cuenta. Vea quién escribe ahí."
                told = alarm("head_strange", "registro", "R-27", strange, place=str(place.path))
                yield f"heads strange {place.path}", told


def _late(folder: Path, why: str) -> Alarm:
    if why:
        failed = "{place} no recibe los testigos del registro ({why}): revise ese disco o su red."
        return alarm("head_place_fails", "registro", "R-27", failed, place=str(folder), why=why)
    late = "{place} no recibe los testigos del registro: revise ese disco o su red."
    return alarm("head_late", "registro", "R-27", late, place=str(folder))


def _no_own(place: Path) -> Alarm:
    gone = (
        "No está {place}, que este nodo siempre escribe: alguien lo quitó, o el registro vino de otra máquina."
        " Compruebe que el registro es el último."
    )
    return alarm("head_gone", "registro", "R-27", gone, place=str(place))


def _unsaid(place: Path, head: SignedHead) -> Alarm:
    at = head.checkpoint
    lost = (
        "{place} guarda el testigo del hecho {seq} de la época {epoch}, que la restauración no nombró: se perdió"
        " más de lo que firmaron las dos personas."
    )
    return alarm("head_unsaid", "registro", "R-27", lost, place=str(place), seq=at.seq, epoch=at.epoch)


def _refusal(place: Path, why: str) -> str:
    return _OLD.format(why=why, place=place)
