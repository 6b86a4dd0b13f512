"""The book of a node: what is asked, answered and durable, in one place.

Theory. `take` answers inputs in their order, each on the state that the ones before it left, and commits all of it in
one transaction (group commit); only then does anybody hear an answer. An id that was answered before gets the same
answer and no second effect; the same id with other content is refused, and that is on record too. After a failed
commit the book is closed for good: the node halts, starts anew, and the replay says what is true.

What must be signed is signed in its own commit (seal.py); an idle tail when the engine's timer says so. Whoever keeps
heads outside the record hears each signature after its commit (`sealed`).

A start reads the newest snapshot that a signed checkpoint vouches for, replays what came after it, link by link, and
compares the ledger's balances with what the facts say.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from controller.about import program
from controller.core.ahead.preview import shown_anew
from controller.core.facts import Entry, Fact, IdReused, NodeFounded, NodeRestored
from controller.core.inputs import AdoptReading, FoundNode, HearLetter, Input, LeavePot, MoveMoney, StartNode, StopNode
from controller.core.invariants import difference
from controller.core.ledger import postings
from controller.core.links.shares import OF_BOOKS, booked_in
from controller.core.machine import answer, apply, clock_step, too_long
from controller.core.node import READING
from controller.core.past.inquiry import Inquiry, inquiry_for
from controller.core.people import may_sign, without_pins
from controller.core.state import THIRD_READING, State
from controller.core.view import Preview
from controller.node.book.chain import GENESIS, BookDamaged, Key, link
from controller.node.book.history import Behind, catch_up, inquire, tell
from controller.node.book.pending import PendingCommit
from controller.node.book.pins import kept_of
from controller.node.book.snapshots import may_go, newest_seal, newest_snapshot
from controller.node.store.failure import StoreRefused
from controller.node.store.rows import FIRST_EPOCH, Batch, OutcomeKey
from controller.node.store.store import Store
from controller.node.vocabulary.clock import Millis
from controller.node.vocabulary.places import Node
from controller.record.record import FIRST_SEQ, BalanceRow, FactRow, OutcomeRow

SNAPSHOT_EVERY = 10_000
MOST_INPUT_BYTES = 2**17
"""Two documents of a plan fit; whatever an input of this size becomes, the store takes it."""

_DIGEST_BYTES = 16
_MOST_SOURCE = 200
_WORD = 2**63

_entry = msgspec.json.Encoder()
_read_entry = msgspec.json.Decoder(Entry)


def record_of(folder: Path) -> Path:
    return folder / "node.db"


def key_of(folder: Path) -> Path:
    return folder / "node.key"


def pepper_of(folder: Path) -> Path:
    return folder / "pepper"


class Asked(NamedTuple):
    """One input with its id and the instant it arrived. A person enrolled brings the verifier of the PIN, which no
    fact carries; a correction may bring what was read of the record for it, in time. `verifiers`: by person, where an
    act replaces those of several (new PINs of two, the sealing of all). `saw`: of the preview that is confirmed."""

    id: OutcomeKey
    at: int
    input: Input
    verifier: str = ""
    history: Inquiry | None = None
    verifiers: Mapping[str, str] = {}
    saw: str = ""


class Answer(NamedTuple):
    """The facts that answer an id, their bytes in the record, and whether it had been answered before. `anew`: what
    would be done now, where other amounts were confirmed; then nothing is (R-20)."""

    id: OutcomeKey
    first: int
    facts: tuple[Fact, ...]
    bodies: tuple[bytes, ...] = ()
    repeated: bool = False
    anew: Preview | None = None


class Book:
    """The state of a node, and the store that makes it durable."""

    def __init__(
        self,
        store: Store,
        key: Key,
        state: State,
        seq: int,
        hash_: bytes,
        balances: dict[str, int],
        snapshots: Sequence[int] = (),
        unsigned_since: Millis | None = None,
    ) -> None:
        self.store, self.state = store, state
        self.seq, self.hash, self.balances = seq, hash_, balances
        self._key = key
        self._snapshots = list(snapshots)
        self._last_snapshot = self._snapshots[-1] if self._snapshots else 0
        self._newest: dict[tuple[str, int], int] = {}
        self.unsigned_since = unsigned_since
        """The instant of the oldest fact that no signature covers yet."""
        self.sealed: Callable[[bytes, bytes], None] = lambda body, signature: None  # noqa: ARG005  nobody listens yet

    @classmethod
    def create(cls, place: Path | str, key: Key, node: str, administrators: tuple[str, str], at: int) -> "Book":
        """A new node with its first fact."""
        store = Store.create(place, node)
        book = cls(store, key, State(), 0, GENESIS, {})
        book.take([Asked(OutcomeKey(node, 0, 1), at, FoundNode(node, key.public, administrators))])
        return book

    @classmethod
    def open(cls, place: Path | str, key: Key, proven: Callable[["Book"], None] = lambda _book: None) -> "Book":
        """Start: the newest snapshot, verified; then every fact since, link by link. `proven` may refuse what was read,
        before anything is written."""
        with ExitStack() as undo:
            store = undo.enter_context(Store.open(place))
            book = cls._started(store, key)
            proven(book)
            book.adopt_reading()
            undo.pop_all()
        return book

    def adopt_reading(self) -> None:
        """A record of an earlier reading of the rules says where the new one begins."""
        if self.state.node and self.state.reading < READING:
            id_ = OutcomeKey(f"{self.state.node}/reading", self.state.epoch, READING)
            self.take([Asked(id_, self.state.clock, AdoptReading(READING))])

    def start(self, boot: str, at: Millis) -> None:
        """Says which program runs from here on."""
        self.take([Asked(self._of_life(), at, StartNode(program(), boot))])

    def stop(self, at: Millis) -> None:
        """Says that it ended in order; nothing is taken after it."""
        self.take([Asked(self._of_life(), at, StopNode())])

    def _of_life(self) -> OutcomeKey:
        return OutcomeKey(f"{self.state.node}/life", self.state.epoch, self.seq + 1)

    @classmethod
    def _started(cls, store: Store, key: Key) -> "Book":
        _refuse_other_key(store, key)
        seq, hash_, snapshot = newest_snapshot(store, key)
        state, balances = snapshot.state, dict(snapshot.balances)
        signed, unsigned_since = newest_seal(store, key), None
        for row in store.facts(seq + 1):
            seq += 1
            if seq == signed + 1:
                unsigned_since = row.at
            entry = _linked(row, seq, hash_, state)
            hash_ = row.hash
            state = apply(state, entry.at, entry.fact)
            for line in postings(entry.fact):
                balances[line.account] = balances.get(line.account, 0) + line.amount
        if not signed and state.reading >= THIRD_READING:
            raise BookDamaged("registro", "no lleva ninguna firma de este nodo, que firma desde su primer hecho")
        if balances != store.balances():
            raise BookDamaged("saldos", "no son los de la instantánea más los asientos desde entonces")
        trouble = difference(state, balances)
        if trouble:
            raise BookDamaged("saldos", trouble)
        return cls(store, key, state, seq, hash_, balances, store.snapshot_places(), unsigned_since)

    def take(self, asks: Sequence[Asked]) -> list[Answer]:
        """Answers what is asked, in its order; when this returns, all of it is on the disk."""
        assert all(map(_can_be_kept, asks)), "an id and an instant that every database can hold"
        known = self._answered_before(asks)
        pending = self._pending()
        answers: list[Answer] = []
        repeats: list[tuple[int, OutcomeRow]] = []
        for asked in asks:
            is_signed = getattr(asked.input, "by", None) is not None
            content = _entry.encode(without_pins(asked.input) if is_signed else asked.input)
            digest = hashlib.sha256(content).digest()[:_DIGEST_BYTES]
            earlier = pending.outcomes.get(asked.id) or known.get(asked.id)
            first = pending.seq + 1
            if earlier is not None and earlier.digest == digest:
                repeats.append((len(answers), earlier))
                answers.append(Answer(asked.id, earlier.first, (), repeated=True))
                continue
            if earlier is not None:
                facts = (*clock_step(pending.state, asked.at), IdReused(*asked.id))
            else:
                facts = self._decided(asked, pending, len(content))
            if asked.saw and (anew := _anew(pending.state, asked, facts)) is not None:
                answers.append(Answer(asked.id, first, (), anew=anew))
                continue
            for fact in facts:
                after = apply(pending.state, asked.at, fact)
                pending.write(asked.id, asked.at, digest, fact, after)
                pending.people += kept_of(fact, asked.verifier, asked.verifiers, after.people)
            if pending.unsigned.is_due:
                pending.sign(self._key)
            if earlier is None:
                pending.outcomes[asked.id] = OutcomeRow(*asked.id, digest, first, pending.seq)
            bodies = tuple(row.body for row in pending.facts[first - self.seq - 1 :])
            answers.append(Answer(asked.id, first, facts, bodies))
        if pending.facts:
            self._commit(pending)
        for place, outcome in repeats:
            rows = list(self.store.facts(outcome.first, outcome.last))
            facts = tuple(_read_entry.decode(row.body).fact for row in rows)
            answers[place] = answers[place]._replace(facts=facts, bodies=tuple(row.body for row in rows))
        return answers

    def _decided(self, asked: Asked, pending: PendingCommit, size: int) -> tuple[Fact, ...]:
        if size > MOST_INPUT_BYTES:
            return too_long(pending.state, asked.input, asked.at, MOST_INPUT_BYTES)
        # No device asks about the past.
        asks_back = getattr(asked.input, "by", None) is not None or isinstance(asked.input, HearLetter)
        history = self._history(asked, pending) if asks_back else None
        said = _with_booked(asked.input, pending) if isinstance(asked.input, OF_BOOKS) else asked.input
        return answer(pending.state, said, asked.at, history)

    def _history(self, asked: Asked, pending: PendingCommit) -> Inquiry | None:
        """What the record says that the answer needs, up to this very moment. It was read in time, but where the need
        arose only now, as for a pass that was closed an instant ago: then it is short."""
        history = asked.history
        if history is None and not isinstance(asked.input, HearLetter):
            history = inquiry_for(pending.state, asked.input)
            if history is not None:
                inquire(history, self.store)
        if history is not None:
            catch_up(history, self.store)
            for row in pending.facts[history.seq - self.seq :]:
                tell(history, row)
        if isinstance(asked.input, HearLetter) and (history is None or history.stale):
            return self._of_letter(asked, pending)
        return history

    def _of_letter(self, asked: Asked, pending: PendingCommit) -> Inquiry | None:
        """Nobody can ask a neighbour to say it again: what came before its letter in this very commit is read too."""
        history = inquiry_for(pending.state, asked.input)
        if history is not None:
            inquire(history, Behind(self.store, pending.facts))
        return history

    def _pending(self) -> PendingCommit:
        return PendingCommit(self.state, self.seq, self.hash, self.balances, self.unsigned_since)

    def _commit(self, pending: PendingCommit) -> None:
        if pending.unsigned.wants_snapshot or pending.seq - self._last_snapshot >= SNAPSHOT_EVERY:
            pending.keep_snapshot(self._key)
        places = [*self._snapshots, *(row.seq for row in pending.snapshots)]
        thinned = may_go(places) if pending.snapshots else []
        balances = pending.balances
        self.store.commit(
            Batch(
                postings=pending.postings,
                facts=pending.facts,
                balances=[BalanceRow(account, amount, fact) for account, (amount, fact) in pending.changed.items()],
                outcomes=list(pending.outcomes.values()),
                people=pending.people,
                checkpoints=pending.checkpoints,
                snapshots=pending.snapshots,
                epoch=pending.epoch,
                thinned=thinned,
            )
        )
        self.state, self.seq, self.hash, self.balances = pending.state, pending.seq, pending.hash, balances
        self.unsigned_since = pending.unsigned.since
        gone = set(thinned)
        self._snapshots = [one for one in places if one not in gone]
        self._last_snapshot = self._snapshots[-1] if self._snapshots else 0
        for key in pending.outcomes:
            if (key.source, key.epoch) in self._newest:
                self._newest[key.source, key.epoch] = max(self._newest[key.source, key.epoch], key.number)
        for row in pending.checkpoints:
            self.sealed(row.body, row.signature)

    @property
    def key(self) -> str:
        """The public half of it, which the first fact names."""
        return self._key.public

    def verifiers(self) -> dict[str, str]:
        """Of the PINs of those who may sign now. The core refuses everybody else anyway, so to try his PIN would only
        tell a stranger whether it is right."""
        people = self.state.people
        return {row.id: row.verifier for row in self.store.people() if row.id in people and may_sign(people[row.id])}

    def sign(self) -> None:
        """Signs where the chain stands now, if anything in it waits for a signature."""
        if self.unsigned_since is not None:
            pending = self._pending()
            pending.sign(self._key)
            self._commit(pending)

    def checkpoint(self) -> None:
        """The same with a snapshot, from which the next start begins."""
        if self.unsigned_since is not None:
            pending = self._pending()
            pending.keep_snapshot(self._key)
            self._commit(pending)

    def _answered_before(self, asks: Iterable[Asked]) -> dict[OutcomeKey, OutcomeRow]:
        """The earlier outcomes of these ids. What a machine numbers past its last one was never asked before."""
        doubtful = [asked.id for asked in asks if not self.is_surely_new(asked.id)]
        return self.store.outcomes(doubtful) if doubtful else {}

    def is_surely_new(self, id_: OutcomeKey) -> bool:
        if id_.number == 0:  # a person's id: a source of its own, asked once
            return False
        source = (id_.source, id_.epoch)
        if source not in self._newest:
            self._newest[source] = self.store.last_of(*source)
        return id_.number > self._newest[source]

    def close(self) -> None:
        self.store.close()


def _anew(state: State, asked: Asked, facts: Sequence[Fact]) -> Preview | None:
    """R-20: what is shown to whoever confirmed other amounts than these."""
    after = state
    for fact in facts:
        after = apply(after, asked.at, fact)
    return shown_anew(state, after, facts, asked.saw)


def _with_booked(asked: MoveMoney | LeavePot, pending: PendingCommit) -> Input:
    """R-28: what stands with a neighbour, where two persons end it; nobody says that but the books."""
    account = booked_in(pending.state, asked)
    return replace(asked, booked=pending.balances.get(account, 0)) if account else asked


def open_book(node: Node, proven: Callable[[Book], None] = lambda _book: None) -> Book:
    """The record of this node, replayed; never a new one, never another node's, and none that `proven` refuses."""
    record, key = record_of(node.folder), key_of(node.folder)
    if not record.exists() or not key.exists():
        missing = key if record.exists() else record
        raise StoreRefused(str(missing), f"no está; un nodo nuevo se funda con: pozo found {node.file}")
    book = Book.open(record, Key.load_or_make(key), proven)
    if book.state.node != node.name:
        book.close()
        sentence = f"este registro es del nodo {book.state.node}, y la configuración dice {node.name}"
        raise StoreRefused(str(record), sentence)
    return book


def _can_be_kept(asked: Asked) -> bool:
    """Found before anything is written: what a database refuses would close the book for good."""
    source, epoch, number = asked.id
    printable = 0 < len(source) <= _MOST_SOURCE and source.isprintable()
    return printable and 0 <= epoch < _WORD and 0 <= number < _WORD and -_WORD <= asked.at < _WORD


def _refuse_other_key(store: Store, key: Key) -> None:
    """The first fact names the node's key: another key's signatures would prove nothing."""
    row = next(store.facts(FIRST_SEQ, FIRST_SEQ), None)
    if row is None:
        raise BookDamaged("registro", "está vacío: su fundación se cortó; retírelo y funde el nodo de nuevo")
    founded = _linked(row, FIRST_SEQ, GENESIS, State()).fact
    if not isinstance(founded, NodeFounded) or founded.key != key.public:
        raise BookDamaged("llave", "no es la llave con que se fundó este registro")


def _linked(row: FactRow, seq: int, previous: bytes, state: State) -> Entry:
    """What a row says, if it is the link that follows; nothing else is ever applied."""
    damaged = BookDamaged(f"hecho {row.seq}", "la cadena se corta aquí")
    try:
        entry = _read_entry.decode(row.body)
        node, epoch = state.node, state.epoch
        if isinstance(entry.fact, NodeFounded):
            node, epoch = entry.fact.node, FIRST_EPOCH
        elif isinstance(entry.fact, NodeRestored):
            epoch = entry.fact.epoch
        hash_ = link(previous, node, epoch, seq, row.body)
    except (msgspec.DecodeError, UnicodeDecodeError, OverflowError, RecursionError):
        raise damaged from None
    if (row.seq, row.hash, entry.seq) != (seq, hash_, seq):
        raise damaged
    return entry
