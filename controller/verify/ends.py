"""What stands beside the facts and must be what they have made: seals, balances, people, positions, reused ids.

Theory. A balance is a convenience, a snapshot a shortcut, a person's row a secret that no fact may hold; none of them
is the truth. Each is proven against the facts, and nothing may stand there that no fact accounts for.
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from controller.record.record import (
    BalanceRow,
    CheckpointRow,
    Fingerprint,
    OutcomeRow,
    PersonRow,
    PositionRow,
    Record,
    SnapshotRow,
)
from controller.verify import facts as kinds
from controller.verify.books import Books
from controller.verify.chain import Stand, prove_checkpoint, read_checkpoint
from controller.verify.facts import Entry, kind_of
from controller.verify.snapshot import prove_snapshot
from controller.verify.world import THIRD_READING, World
from controller.verify.wrong import FoundWrong, must, must_be, shown, there, wrong

_Row = TypeVar("_Row")

_NEVER_REMOVED = 4
_LATEST = 7_258_118_400_000  # 2200-01-01T00:00:00Z
_TWO_YEARS = 2 * 366 * 86_400_000
_TIME_IS_SAID = {"node_founded", "node_started", "node_restored", "clock_stepped"}


class Ahead(Generic[_Row]):
    """Rows that are read beside the facts, with the next one in sight."""

    def __init__(self, rows: Callable[[], Iterable[_Row]]) -> None:
        self._ask = rows
        self._rows: Iterator[_Row] = iter(())
        self.row: _Row | None = None

    def start(self) -> None:
        self._rows = iter(self._ask())
        self.step()

    def step(self) -> None:
        self.row = next(self._rows, None)

    def let_go(self) -> None:
        """Ends the reading now: a database that is read row by row would else be told so at any later moment, also in
        the middle of another question."""
        self._rows, self.row = iter(()), None


class Sealed:
    """R-27: which sealed snapshots may have been removed since. The newest few never are. Of older ones that stand in
    the same stretch of facts only the first must stay; a stretch is the largest power of two that fits eight times into
    the age of the snapshot. `gone`: how many were, so that nobody can prove their states."""

    def __init__(self, record: Record) -> None:
        rows = record.checkpoints()
        places = (row.seq for row in rows if (one := read_checkpoint(row.body)) is None or one.state)
        self._newest = deque(places, maxlen=_NEVER_REMOVED)
        self._before: int | None = None
        self.gone = 0

    def snapshot_is_gone(self, seq: int) -> None:
        age = self._newest[-1] - seq
        stretch = 1
        while 2 * stretch * 8 <= age:
            stretch *= 2
        alike = self._before is not None and self._before // stretch == seq // stretch
        must(alike and seq not in self._newest, "R-27", "falta la instantánea que se selló", f"snapshot {seq}")
        self.gone += 1

    def seen(self, seq: int) -> None:
        self._before = seq


def prove_instant(world: World, entry: Entry) -> None:
    """R-27: no instant before the one before it, unless a fact says so; none that no node writes, whatever its clock
    says; and no program runs for two years without a fact."""
    before = world.clock
    must(0 <= entry.at < _LATEST, "R-27", f"un instante de antes de 1970 o de después de 2199: {entry.at} ms")
    why = "el reloj retrocede y ningún hecho lo dice"
    must(entry.at >= before or isinstance(entry.fact, kinds.ClockWentBack), "R-27", why)
    if world.reading >= THIRD_READING and entry.at - before > _TWO_YEARS:
        years = (entry.at - before) // (365 * 86_400_000)
        why = f"{years} años después del hecho anterior, y nadie arrancó el nodo ni dijo que su reloj saltó"
        must(kind_of(entry.fact) in _TIME_IS_SAID, "R-27", why)


def prove_seal(
    world: World, stand: Stand, sealed: CheckpointRow | None, kept: SnapshotRow | None, all_: Sealed
) -> None:
    """R-27: a checkpoint says what chain and books say, and the snapshot is the one it vouches for."""
    place = f"snapshot {stand.seq if kept is None else kept.seq}"
    state = ""
    if sealed is not None:
        try:
            state = prove_checkpoint(sealed.body, sealed.signature, stand, world.books.stands).state
        except FoundWrong as found:
            wrong(found.rule, found.why, f"checkpoint {sealed.seq}")
    if kept is None:
        if state:
            all_.snapshot_is_gone(stand.seq)
            all_.seen(stand.seq)
        return
    all_.seen(stand.seq)
    must(kept.seq == stand.seq and bool(state), "R-27", "ningún sello responde por ella", place)
    must_be(hashlib.sha256(kept.body).hexdigest(), state, "R-27", "la huella sellada", place)
    try:
        prove_snapshot(world, kept.body)
    except FoundWrong as found:
        wrong(found.rule, found.why, place)


def prove_position(row: PositionRow, hash_: bytes, epoch: int) -> None:
    """R-28: what a neighbour acknowledged is a fact of this chain."""
    place = f"position {shown(row.peer)}/{row.direction}"
    must(row.hash == hash_, "R-28", f"el vecino acusa otro hecho {row.seq} que el de esta cadena", place)
    must(row.epoch <= epoch, "R-28", f"una época que no había en el hecho {row.seq}", place)


def prove_balances(rows: Iterable[BalanceRow], books: Books) -> None:
    """R-27: each is the sum of its lines, names the fact that moved it last, and all together are nothing."""
    left = dict(books.stands)
    for row in rows:
        place = f"balance {shown(row.account)}"
        right = there(left.pop(row.account, None), "R-27", "ningún asiento mueve esta cuenta", place)
        must_be(row.amount, right, "R-27", "el saldo", place)
        must_be(row.fact, books.moved_by[row.account], "R-27", "el hecho que lo movió por último", place)
    for account in left:
        wrong("R-27", "falta este saldo", f"balance {shown(account)}")
    must(sum(books.stands.values()) == 0, "R-27", "todos los saldos juntos no son cero", "balance")


def prove_people(rows: Iterable[PersonRow], world: World) -> None:
    """R-27: the verifier of each PIN is the one that two persons enrolled."""
    left = {name: person for name, person in world.people.items() if person.secret}
    for row in rows:
        place = f"person {shown(row.id)}"
        person = there(left.pop(row.id, None), "R-27", "ningún hecho inscribe a esta persona", place)
        must_be(row.name, person.name, "R-27", "el nombre", place)
        verifier = row.verifier  # an export holds its SHA-256 alone
        secret = verifier if isinstance(verifier, Fingerprint) else hashlib.sha256(verifier.encode()).hexdigest()
        must_be(secret, person.secret, "R-27", "la huella del PIN", place)
    for name in left:
        wrong("R-27", "falta esta persona, que está inscrita", f"person {shown(name)}")


def prove_reused(rows: Iterable[OutcomeRow], reused: list[tuple[tuple[str, int, int], str, int]]) -> None:
    """R-27: an id that came again with other content had been answered before, with another content."""
    if not reused:
        return
    wanted = {id_ for id_, _, _ in reused}
    answers = {
        (row.source, row.epoch, row.number): (row.digest.hex(), row.first)
        for row in rows
        if (row.source, row.epoch, row.number) in wanted
    }
    for id_, ask, seq in reused:
        digest, first = answers.get(id_, (ask, seq))
        before = digest != ask and first < seq
        must(before, "R-27", "este identificador no se había usado con otro contenido", f"fact {seq}")
