"""`pozo verify`: everything a record says, computed again by code that shares nothing with the code that wrote it.

Theory. One walk over the facts, with the postings, outcomes, checkpoints and snapshots in step beside it, so memory
does not grow with the record. Each fact is first proven to be a link of the chain, then to be something the rules allow
on everything before it, then its lines are derived and compared. The first thing that is wrong ends the walk, because
everything that follows from it is wrong too; at the end the balances, the people and the neighbours' positions must be
what the facts have made. The verdict names what cannot be known from the record alone.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

from controller.record.record import FactRow, PositionRow, Record, RecordDamaged
from controller.verify import awards as verify_awards
from controller.verify import corrections as verify_corrections
from controller.verify import desk as verify_desk
from controller.verify import draws as verify_draws
from controller.verify import facts as kinds
from controller.verify import passes as verify_passes
from controller.verify import people as verify_people
from controller.verify import purse as verify_purse
from controller.verify import seats as verify_seats
from controller.verify.books import lines_of
from controller.verify.chain import BEGINNING, Outside, Signatures, Stand, Witness, next_hash, prove_key, prove_witness
from controller.verify.ends import (
    Ahead,
    Sealed,
    prove_balances,
    prove_instant,
    prove_people,
    prove_position,
    prove_reused,
    prove_seal,
)
from controller.verify.facts import Entry, kind_of, read_entry
from controller.verify.law import Published
from controller.verify.links.shared import CHECKS as OF_LINKS
from controller.verify.links.streams import answered as letters_told
from controller.verify.links.telling import note as note_for_letters
from controller.verify.past import OF_A_POT
from controller.verify.people import prove_signatures
from controller.verify.schema import prove_schema, prove_version
from controller.verify.world import THIRD_READING, World
from controller.verify.wrong import FoundWrong, Wrong, must, must_be, shown, there, wrong

_CHECKS: dict[type, Callable[..., None]] = {
    **verify_people.CHECKS,
    **verify_desk.CHECKS,
    **verify_passes.CHECKS,
    **verify_seats.CHECKS,
    **verify_purse.CHECKS,
    **verify_awards.CHECKS,
    **verify_corrections.CHECKS,
    **verify_draws.CHECKS,
    **OF_LINKS,
}
_REPORT_EVERY = 1_000
_ALWAYS_OPEN = (
    "si una jugada anotada sin cartas pudo repartirse (R-32): consta la palabra del crupier",
    "lo que los aceptores vieron y no informaron, y las posiciones recibidas de los vecinos",
)


class Verdict(NamedTuple):
    """What was found: nothing wrong, or the first wrong thing; how much was looked at; and what could not be."""

    wrong: Wrong | None
    facts: int
    postings: int
    checkpoints: int
    head: str
    not_verified: tuple[str, ...]
    unsigned: int = 0
    """So many facts follow the last signature; the oldest of them is of `unsigned_since`."""
    unsigned_since: int = 0
    key: str = ""

    @property
    def is_good(self) -> bool:
        return self.wrong is None


class _Group(NamedTuple):
    """The facts that answer one input."""

    id: tuple[str, int, int]
    ask: str
    at: int
    first: int
    last: int


def verify(
    record: Record,
    published: Published,
    witness: Witness | None,
    progress: Callable[[int], None],
    outside: Outside = Outside(),  # noqa: B008  a value without parts
) -> Verdict:
    """Everything, from the first fact; the first thing that is wrong, if anything is."""
    walk = _Walk(record, published, witness, progress, outside)
    try:
        walk.go()
    except FoundWrong as found:
        return walk.verdict(Wrong(found.place or walk.place, found.rule, found.why))
    except RecordDamaged as damaged:
        return walk.verdict(Wrong(damaged.place, "R-27", damaged.sentence))
    except (TypeError, AttributeError, ValueError):  # a value of another type than its column's trips any code
        for what in record.damage():
            return walk.verdict(_damaged(what))
        raise
    finally:
        walk.let_go()
    return walk.verdict(None)


def _damaged(what: str) -> Wrong:
    return Wrong("base", "R-27", f"la base misma está dañada: {shown(what)}")


class _Walk:
    """One verification: where it is, and what it has found so far."""

    def __init__(
        self,
        record: Record,
        published: Published,
        witness: Witness | None,
        progress: Callable[[int], None],
        outside: Outside,
    ) -> None:
        self._record, self._witness, self._progress = record, witness, progress
        self._outside, self._signatures = outside, Signatures(outside.programs)
        self.place = "registro"
        self._world = World(published, self._again)
        self._hash, self._name = BEGINNING, b""
        self._postings = Ahead(record.posting_rows)
        self._outcomes = Ahead(record.outcome_rows)
        self._checkpoints = Ahead(record.checkpoints)
        self._snapshots = Ahead(record.snapshots)
        self._group: _Group | None = None
        self._reused: list[tuple[tuple[str, int, int], str, int]] = []
        self._positions: dict[int, list[PositionRow]] = {}
        self._lines = self._seals = 0
        self._open: list[str] = []
        self._version: int | None = None

    def verdict(self, found: Wrong | None) -> Verdict:
        world = self._world
        if world.day is not None and world.day.draws and not world.day.lost:
            name, many = world.day.name, len(world.day.draws)
            self._open.append(f"{many} sorteos del día {name}: su semilla no se reveló todavía")
        for name, many in world.without_seed.items():
            self._open.append(f"{many} sorteos del día {name}: dos personas declararon perdida su semilla (R-30)")
        if world.reading < THIRD_READING:
            self._open.append(f"firmas: un registro de la lectura {world.reading} no tiene que llevarlas")
        head = f"{world.seq}-{self._hash.hex()[:16]}"
        still_open = (*self._open, *world.links.odd, *_ALWAYS_OPEN)
        unsigned, since = self._signatures.many, self._signatures.since if self._signatures.many else 0
        return Verdict(found, world.seq, self._lines, self._seals, head, still_open, unsigned, since, world.key)

    def let_go(self) -> None:
        for rows in (self._postings, self._outcomes, self._checkpoints, self._snapshots):
            rows.let_go()

    def go(self) -> None:
        schema = self._record.schema()
        if schema is None:
            self._open.append("tablas y disparadores: esta forma del registro no los tiene")
        else:
            self._version = prove_schema(schema)
        self._sealed_all = Sealed(self._record)
        self._read_positions()
        for rows in (self._postings, self._outcomes, self._checkpoints, self._snapshots):
            rows.start()
        for row in self._record.facts():
            self._fact(row)
            if row.seq % _REPORT_EVERY == 0:
                self._progress(row.seq)
        self._progress(self._world.seq)
        self._end()

    def _again(self, first: int) -> Iterator[Entry]:
        """R-34: the facts of pots from one on, up to the one that is looked at; they have been proven."""
        for row in self._record.facts_since(first, OF_A_POT):
            if row.seq >= self._world.seq:
                return
            if row.seq % _REPORT_EVERY == 0:
                self._progress(self._world.seq)
            yield there(read_entry(row.body), "R-27", "ya no es el hecho que se leyó", f"fact {row.seq}")

    def _read_positions(self) -> None:
        for row in self._record.positions():
            place = f"position {shown(row.peer)}/{shown(row.direction)}"
            must(row.direction in ("in", "out") and bool(row.peer), "R-28", "no es de entrada ni de salida", place)
            sound = row.epoch >= 1 and row.seq >= 0 and len(row.hash) == len(BEGINNING)
            must(sound, "R-28", "una época, un número o una huella que no puede ser", place)
            if row.direction == "out":
                self._positions.setdefault(row.seq, []).append(row)

    def _fact(self, row: FactRow) -> None:
        """One link, by itself and on everything before it."""
        world = self._world
        seq = world.seq + 1
        self.place = f"fact {seq}"
        if row.seq != seq:
            wrong("R-27", f"falta: después del hecho {world.seq} sigue el {row.seq}")
        entry = read_entry(row.body)
        if entry is None:
            wrong("R-27", "su texto no es el de un hecho, o no está escrito como se escribe uno")
        fact = entry.fact
        if (entry.seq, entry.at, kind_of(fact)) != (seq, row.at, row.kind):
            must_be((row.seq, row.at, row.kind), (entry.seq, entry.at, kind_of(fact)), "R-27", "sus columnas")
        if seq == 1:
            must(isinstance(fact, kinds.NodeFounded), "R-27", "el primer hecho no funda el nodo")
            self._name = getattr(fact, "node", "").encode()
            prove_key(self._outside, getattr(fact, "key", ""))
        epoch = fact.epoch if isinstance(fact, kinds.NodeRestored) else world.epoch
        self._hash = next_hash(self._hash, self._name, epoch, seq, row.body)
        if row.hash != self._hash:
            wrong("R-27", "su huella no encadena con su texto y con el hecho anterior")
        self._of_group(entry)
        self._signatures.begins(entry)
        prove_instant(world, entry)
        world.seq, world.at, world.id = seq, entry.at, entry.id
        self._rules(fact)
        world.clock = entry.at
        self._books(seq, fact)
        note_for_letters(world, fact)
        self._signatures.fact(entry, world.reading)
        self._beside(seq, fact)

    def _of_group(self, entry: Entry) -> None:
        """All facts of one input stand together; a reused id has no answer of its own."""
        group, fact = self._group, entry.fact
        if isinstance(fact, kinds.IdReused):
            must_be((fact.source, fact.epoch, fact.number), entry.id, "R-27", "el identificador que se repite")
            self._reused.append((entry.id, entry.ask, entry.seq))
            if group is not None and (group.id, group.ask) == (entry.id, entry.ask):
                self._group = None  # the clock had stepped back, and said so first
            self._answered()
        elif group is not None and (group.id, group.ask) == (entry.id, entry.ask):
            must_be(entry.at, group.at, "R-27", "el instante de una misma respuesta")
            self._group = group._replace(last=entry.seq)
        else:
            self._answered()
            self._group = _Group(entry.id, entry.ask, entry.at, entry.seq, entry.seq)

    def _answered(self) -> None:
        """R-27: the outcome of the group that has ended is exactly what its facts say."""
        letters_told(self._world)
        group, row = self._group, self._outcomes.row
        if group is None:
            return
        source, epoch, number = group.id
        place = f"outcome {shown(source)}/{epoch}/{number}"
        if row is None or row.first > group.first:
            wrong("R-27", f"falta la respuesta de los hechos {group.first} a {group.last}", place)
        if (row.source, row.epoch, row.number) != group.id:
            place = f"outcome {shown(row.source)}/{row.epoch}/{row.number}"
            wrong("R-27", f"el hecho {row.first} no responde a este identificador, sino a {shown(source)}", place)
        if (row.first, row.last, row.digest.hex()) != (group.first, group.last, group.ask):
            right = (group.first, group.last, group.ask)
            must_be((row.first, row.last, row.digest.hex()), right, "R-27", "su respuesta", place)
        self._outcomes.step()
        self._group = None

    def _rules(self, fact: Any) -> None:
        world = self._world
        if world.due_prize is not None and not isinstance(fact, kinds.PrizeGranted):
            wrong("R-29", "el premio que se sorteó no se dio con el sorteo")
        if world.due_void is not None and not isinstance(fact, kinds.ClaimCorrected | kinds.HandsVoided):
            wrong("R-25", "la corrección era por una anulación, y no se anuló nada con ella")
        prove_signatures(world, fact)
        check = _CHECKS.get(type(fact))
        if check is not None:
            check(world, fact)
        if isinstance(fact, kinds.NodeRestored) and fact.left is not None:
            self._left_behind(fact.left)

    def _left_behind(self, left: kinds.HeadLeft) -> None:
        """R-27: what two persons did not go on from stood outside the record; here is nothing of it to prove."""
        place = f"{left.seq}-{left.hash[:16]}"
        known = [row.hash.hex() for row in self._record.facts(left.seq, left.seq)] if left.seq < self._world.seq else []
        must(known != [left.hash], "R-27", f"dice dejar atrás el hecho {place}, y está en el registro")
        self._open.append(
            f"lo que hubo hasta {place} (época {left.epoch}): el hecho {self._world.seq} restauró sin ello"
        )

    def _books(self, seq: int, fact: Any) -> None:
        """R-27: the lines of the fact, one by one as they should stand, and none besides."""
        lines = lines_of(fact)
        ahead = self._postings
        for number, line in enumerate(lines, 1):
            row = ahead.row
            if row is None or (row.fact, row.line) != (seq, number):
                self._wrong_line(seq, number)
            if (row.account, row.amount, row.cause) != line:
                must_be((row.account, row.amount, row.cause), line, "R-27", "el asiento", f"posting {seq}/{number}")
            ahead.step()
        if ahead.row is not None and ahead.row.fact <= seq:
            place = f"posting {ahead.row.fact}/{ahead.row.line}"
            wrong("R-27", "un asiento que el hecho no tiene", place)
        if lines:
            self._world.books.enter(seq, lines)
            self._lines += len(lines)

    def _wrong_line(self, seq: int, number: int) -> NoReturn:
        row = self._postings.row
        if row is not None and (row.fact, row.line) < (seq, number):
            wrong("R-27", "un asiento que el hecho no tiene", f"posting {row.fact}/{row.line}")
        wrong("R-27", "falta este asiento", f"posting {seq}/{number}")

    def _beside(self, seq: int, fact: kinds.Fact) -> None:
        """What else speaks of this fact: a checkpoint, a snapshot, a neighbour, the witness."""
        checkpoint, snapshot = self._checkpoints.row, self._snapshots.row
        if checkpoint is not None and checkpoint.seq < seq:
            wrong("R-27", "un sello de un hecho que no existe", f"checkpoint {checkpoint.seq}")
        if (checkpoint is not None and checkpoint.seq == seq) or (snapshot is not None and snapshot.seq <= seq):
            self._sealed(seq, fact)
        for row in self._positions.pop(seq, ()):
            prove_position(row, self._hash, self._world.epoch)
        if self._witness is not None and self._witness.seq == seq:
            prove_witness(self._witness, self._stand())

    def _sealed(self, seq: int, fact: kinds.Fact) -> None:
        checkpoint, snapshot = self._checkpoints.row, self._snapshots.row
        if checkpoint is None or checkpoint.seq != seq:
            checkpoint = None
        else:
            self._checkpoints.step()
            self._seals += 1
        if snapshot is None or snapshot.seq > seq:
            snapshot = None
        else:
            self._snapshots.step()
        prove_seal(self._world, self._stand(), checkpoint, snapshot, self._sealed_all)
        if checkpoint is not None:
            self._signatures.seal(checkpoint, fact, self._world.reading)

    def _stand(self) -> Stand:
        world = self._world
        return Stand(world.node, world.epoch, world.key, world.seq, self._hash, world.clock)

    def _end(self) -> None:
        """What is left over when the facts have ended, and what they must have added up to."""
        world, last = self._world, self._world.seq
        must(last > 0, "R-27", "no tiene ningún hecho")
        self._answered()
        self._signatures.answered()
        must(self._seals > 0, "R-27", "no lleva ninguna firma: nada prueba quién lo escribió", "registro")
        must(world.due_prize is None, "R-29", "el premio que se sorteó no se dio con el sorteo")
        must(world.due_void is None, "R-25", "la corrección era por una anulación, y no se anuló nada con ella")
        if self._witness is not None and self._witness.seq > last:
            why = f"el registro termina en el hecho {last}; el testigo es del {self._witness.seq}: está cortado"
            wrong("R-27", why, "testigo")
        if (row := self._postings.row) is not None:
            wrong("R-27", "un asiento de un hecho que no existe", f"posting {row.fact}/{row.line}")
        if (one := self._outcomes.row) is not None:
            place = f"outcome {shown(one.source)}/{one.epoch}/{one.number}"
            wrong("R-27", "una respuesta sin hechos", place)
        if self._checkpoints.row is not None:
            wrong("R-27", "un sello de un hecho que no existe", f"checkpoint {self._checkpoints.row.seq}")
        if self._snapshots.row is not None:
            wrong("R-27", "una instantánea de un hecho que no existe", f"snapshot {self._snapshots.row.seq}")
        for seq, rows in self._positions.items():
            wrong("R-28", f"el vecino acusa el hecho {seq}, que no existe", f"position {shown(rows[0].peer)}/out")
        self.place = "registro"
        must_be(self._record.node, world.node, "R-27", "el nodo")
        must_be(self._record.epoch, world.epoch, "R-27", "la época")
        prove_reused(self._record.outcome_rows(), self._reused)
        prove_balances(self._record.balance_rows(), world.books)
        prove_people(self._record.people(), world)
        if self._version is not None:
            prove_version(self._version, world.reading)
        for what in self._record.damage():
            raise FoundWrong(*_damaged(what)[1:], "base")
        if self._sealed_all.gone:
            many = self._sealed_all.gone
            self._open.append(f"{many} estados que se sellaron: sus instantáneas, de las más viejas, ya no se guardan")
