"""A burned box made anew from its mirror: its record out of its facts, its secrets out of its escrow.

Theory. A mirror has the facts and the checkpoints; everything else of a record follows from the facts by the same
functions that wrote it first: lines, balances, answers, people. Verifiers no fact carries; they come out of the escrow,
each believed only if its person's fact holds its hash. Key, pepper and seeds lie beside the record as they lay before.
Then it is a restore like any other (design.md, Links; restore.py): two persons with their PINs, a reason, a new epoch,
and nothing left behind where it is refused but the secrets, beside which wrong PINs are counted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import msgspec

from controller.core.facts import Entry, IdReused, NodeRestored, PersonEnrolled, PinsReplaced, VerifiersSealed
from controller.core.ledger import postings
from controller.core.machine import apply
from controller.core.state import State
from controller.node.book.book import key_of, pepper_of
from controller.node.book.chain import GENESIS, BookDamaged, Key, link, read_checkpoint
from controller.node.book.escrow import Escrow, EscrowRefused, opened, write_public
from controller.node.book.pins import secret_of
from controller.node.book.restore import Restoring, restore_remade
from controller.node.store.backup import refuse_taken
from controller.node.store.failure import StoreRefused
from controller.node.store.mirror import MirrorFile
from controller.node.store.rows import Batch
from controller.node.store.store import Store
from controller.node.vocabulary.disk import keep, private_folder
from controller.node.vocabulary.protocol import Pin
from controller.record.record import (
    FIRST_SEQ,
    BalanceRow,
    CheckpointRow,
    FactRow,
    OutcomeRow,
    PersonRow,
    PostingRow,
    SnapshotRow,
)

_AT_ONCE = 2_000
_read_entry = msgspec.json.Decoder(Entry)


class Remaking(NamedTuple):
    """From which mirror, to where, with whose codes, by whom and why."""

    mirror: Path
    to: Path
    codes: tuple[str, str]
    signers: tuple[Pin, Pin]
    reason: str
    at: int
    places: Sequence[Path] = ()


class Remade(NamedTuple):
    """The node's new epoch; the last fact that its mirror had."""

    epoch: int
    last: int


def come_back_from_mirror(how: Remaking, progress: Callable[[int], None] = lambda _: None) -> Remade:
    """Or StoreRefused, EscrowRefused, BookDamaged, and no record."""
    refuse_taken(how.to)
    with closing(MirrorFile.read(how.mirror)) as mirror:
        end = mirror.end()
        if end is None:
            raise StoreRefused(str(how.mirror), "este espejo está vacío: nada llegó a él")
        escrows = opened(how.codes, mirror.escrows())
        key = _unpack(escrows[0], mirror, how)
        restoring = Restoring(
            how.mirror, how.to, key, pepper_of(how.to.parent), how.signers, how.reason, how.at, how.places
        )
        epoch = restore_remade(restoring, lambda to: remake(mirror, to, escrows, progress))
    return Remade(epoch, end.seq)


def _unpack(escrow: Escrow, mirror: MirrorFile, how: Remaking) -> Key:
    """The secrets, beside where the record will be. Others that lie there are not written over."""
    folder = how.to.parent
    private_folder(folder)
    files = {key_of(folder): escrow.key, pepper_of(folder): escrow.pepper}
    files |= {folder / "seeds" / Path(name).name: seed for name, seed in escrow.seeds.items()}
    for place, content in files.items():
        if place.exists() and place.read_bytes() != content:
            raise StoreRefused(str(place), "aquí ya hay otro; se rehace en una carpeta vacía")
    for place, content in files.items():
        private_folder(place.parent)
        keep(place, content)
    write_public(folder, how.codes)
    key = Key.load_or_make(key_of(folder))
    founded = next(mirror.facts(FIRST_SEQ, FIRST_SEQ))
    if f'"key":"{key.public}"'.encode() not in founded.body:
        raise StoreRefused(str(how.mirror), "el depósito es de otra llave que la que nombra el primer hecho")
    return key


def remake(mirror: MirrorFile, to: Path, escrows: Sequence[Escrow], progress: Callable[[int], None]) -> None:
    """The record, as whole as it was at the mirror's end."""
    Store.create(to, mirror.node).close()
    with Store.open(to) as store:
        walk = _Walk()
        signed = _Ahead(mirror.checkpoints())
        for rows in _batches(mirror.facts()):
            checkpoints = signed.upto(rows[-1].seq)
            store.commit(walk.batch(rows, checkpoints, list(_snapshots(mirror, checkpoints))))
            progress(len(rows))
        store.commit(Batch(people=list(walk.people(escrows))))


def _batches(rows: Iterable[FactRow]) -> Iterator[list[FactRow]]:
    """Whole answers, many at once; an answer that opens an epoch ends its batch."""
    batch: list[FactRow] = []
    for (id_, _), group in groupby(rows, key=_answer_of):
        del id_
        answer = list(group)
        batch += answer
        if len(batch) >= _AT_ONCE or any(row.kind == "node_restored" for row in answer):
            yield batch
            batch = []
    if batch:
        yield batch


def _snapshots(mirror: MirrorFile, checkpoints: Iterable[CheckpointRow]) -> Iterator[SnapshotRow]:
    """What the node had written down to start from, as far as the mirror has it."""
    for row in checkpoints:
        said = read_checkpoint(row.body)
        body = mirror.snapshot(said.state) if said is not None and said.state else None
        if body is not None:
            yield SnapshotRow(row.seq, body)


class _Asked(msgspec.Struct, frozen=True):
    id: tuple[str, int, int]
    ask: str


_read_asked = msgspec.json.Decoder(_Asked)


def _answer_of(row: FactRow) -> tuple[tuple[str, int, int], str]:
    asked = _read_asked.decode(row.body)
    return asked.id, asked.ask


class _Ahead:
    """Checkpoints beside the facts."""

    def __init__(self, rows: Iterator[CheckpointRow]) -> None:
        self._rows = rows
        self._next = next(rows, None)

    def upto(self, seq: int) -> list[CheckpointRow]:
        found = []
        while self._next is not None and self._next.seq <= seq:
            found.append(self._next)
            self._next = next(self._rows, None)
        return found


class _Walk:
    """Where the facts have come: the state, the chain and the books after them."""

    def __init__(self) -> None:
        self._state, self._hash, self._seq = State(), GENESIS, 0
        self._balances: dict[str, int] = {}
        self._secrets: dict[str, str] = {}

    def batch(self, rows: Sequence[FactRow], checkpoints: list[CheckpointRow], snapshots: list[SnapshotRow]) -> Batch:
        lines: list[PostingRow] = []
        moved: dict[str, int] = {}
        outcomes: list[OutcomeRow] = []
        epoch: int | None = None
        for row in rows:
            entry = self._link(row)
            for number, line in enumerate(postings(entry.fact), 1):
                lines.append(PostingRow(row.seq, number, line.account, line.amount, line.cause))
                self._balances[line.account] = self._balances.get(line.account, 0) + line.amount
                moved[line.account] = row.seq
            self._answer(entry, outcomes)
            if isinstance(entry.fact, NodeRestored):
                epoch = entry.fact.epoch
        balances = [BalanceRow(account, self._balances[account], seq) for account, seq in moved.items()]
        return Batch(lines, rows, balances, outcomes, checkpoints=checkpoints, snapshots=snapshots, epoch=epoch)

    def _link(self, row: FactRow) -> Entry:
        """The mirror was linked when it came; what lies on a disk is looked at again."""
        try:
            entry = _read_entry.decode(row.body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise BookDamaged(f"hecho {row.seq}", "este programa no lo entiende; use el que tenía la máquina") from None
        fact = entry.fact
        self._state = apply(self._state, entry.at, fact)
        self._hash = link(self._hash, self._state.node, self._state.epoch, row.seq, row.body)
        if (entry.seq, row.seq, row.hash) != (self._seq + 1, self._seq + 1, self._hash):
            raise BookDamaged(f"hecho {row.seq}", "la cadena del espejo se corta aquí")
        self._seq = row.seq
        if isinstance(fact, PersonEnrolled):
            self._secrets[fact.person] = fact.secret
        elif isinstance(fact, VerifiersSealed | PinsReplaced):
            self._secrets |= fact.secrets
        return entry

    @staticmethod
    def _answer(entry: Entry, outcomes: list[OutcomeRow]) -> None:
        """The answer to an id is all facts that stand together under it; one to an id that was used has none."""
        source, epoch, number = entry.id
        digest = bytes.fromhex(entry.ask)
        last = outcomes[-1] if outcomes else None
        is_of_last = last is not None and last[:4] == (*entry.id, digest) and last.last == entry.seq - 1
        if isinstance(entry.fact, IdReused):
            if is_of_last:
                outcomes.pop()  # the clock had stepped back, and said so first
        elif is_of_last and last is not None:
            outcomes[-1] = last._replace(last=entry.seq)
        else:
            outcomes.append(OutcomeRow(source, epoch, number, digest, entry.seq, entry.seq))

    def people(self, escrows: Sequence[Escrow]) -> Iterator[PersonRow]:
        """Everybody with a PIN: the verifier whose hash his fact holds."""
        for person, secret in self._secrets.items():
            found = (one.verifiers[person] for one in escrows if person in one.verifiers)
            verifier = next((one for one in found if secret_of(one) == secret), None)
            if verifier is None:
                raise EscrowRefused(f"el depósito no tiene el PIN de {person} que consta en el registro")
            yield PersonRow(person, self._state.people[person].name, verifier)
