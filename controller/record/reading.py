"""Reading a record: every fact as a value, the gaming day it belongs to, and the witness that covers a fact.

Theory. A gaming day reaches from the close of the day before to its own close. So what happens between two days (a
plan that takes effect, an award paid late at night) is counted in the day that follows, each fact stands in exactly
one day, and a day opens with the balances with which the one before closed. What comes after the last close belongs
to no day until the next one opens. A report that cannot be made is one error with a Spanish sentence.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from controller.core.facts import DayClosed, DayOpened, DayRenamed, Entry
from controller.record.record import FIRST_SEQ, FactRow, Record, RecordDamaged

_MOST_NAMED = 20
_DIGITS = 16
_DECODER = msgspec.json.Decoder(Entry)
_NAMING = {"day_opened", "day_renamed"}


class ReportRefused(Exception):  # noqa: N818  says what happened, like the refusals of the rules
    """Why there is no such report: one Spanish sentence, for the person who asked."""


class Dated(NamedTuple):
    """A fact in its gaming day ("" after the last close); `between` days, before its own was opened."""

    entry: Entry
    day: str
    between: bool


@dataclass(frozen=True, slots=True)
class Witness:
    """A signed checkpoint: the fact it reaches to, and the digits that paper carries."""

    seq: int = 0
    digits: str = ""


class _Checkpoint(msgspec.Struct):
    """What is read of a checkpoint here."""

    seq: int
    hash: str


def entries(record: Record, first: int = FIRST_SEQ, last: int | None = None) -> Iterator[Entry]:
    """The facts as values; a damaged one is named, and left to `pozo verify`."""
    return map(_entry, record.facts(first, last))


def _entry(row: FactRow) -> Entry:
    try:
        return _DECODER.decode(row.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ReportRefused(f"El hecho {row.seq} no se puede leer; `pozo verify` dice qué le pasa.") from None


def dated(record: Record) -> Iterator[Dated]:
    """Each fact with its day, by the name that is right; those between two days wait until it is known which day
    follows."""
    waiting: list[Entry] = []
    names = iter(_names(record))
    day = ""
    for entry in entries(record):
        if isinstance(entry.fact, DayOpened):
            day = next(names)
            yield from (Dated(one, day, between=True) for one in waiting)
            waiting.clear()
        if not day:
            waiting.append(entry)
            continue
        yield Dated(entry, day, between=False)
        if isinstance(entry.fact, DayClosed):
            day = ""
    yield from (Dated(one, "", between=True) for one in waiting)


def _names(record: Record) -> list[str]:
    """R-27: what each day is called in the end, in the order in which they were opened."""
    names: list[str] = []
    for row in record.facts():
        if row.kind in _NAMING:
            fact = _entry(row).fact
            if isinstance(fact, DayOpened):
                names.append(fact.day)
            elif isinstance(fact, DayRenamed) and names:
                names[-1] = fact.day
    return names


def witness(record: Record, last: int) -> Witness:
    """The first checkpoint that covers this fact, so that a page says the same for ever; while none does, the newest
    one; nothing where there is none yet."""
    newest = None
    for row in record.checkpoints():
        newest = row
        if row.seq >= last:
            break
    if newest is None:
        return Witness()
    try:
        said = msgspec.json.decode(newest.body, type=_Checkpoint)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise ReportRefused(f"El testigo {newest.seq} no se puede leer; `pozo verify` dice qué le pasa.") from None
    return Witness(said.seq, f"{said.seq}-{said.hash[:_DIGITS]}")


def newest_witness(record: Record) -> bytes:
    """The file that `pozo verify --witness` takes: checkpoint, signature, key. A regulator or a
    neighbour keeps it, and can prove later whether the record still is the one it was."""
    founded = next(iter(record.facts(1, 1)), None)
    newest = deque(record.checkpoints(), maxlen=1)
    if founded is None or not newest:
        raise RecordDamaged(record.place, "el registro no tiene todavía un testigo firmado")
    key = str(msgspec.json.decode(founded.body)["fact"]["key"])
    kept = {"checkpoint": msgspec.Raw(newest[0].body), "signature": newest[0].signature.hex(), "key": key}
    return msgspec.json.format(msgspec.json.encode(kept)) + b"\n"


def not_there(what: str, name: str, known: Iterable[str]) -> ReportRefused:
    """The same sentence for every name that does not exist, with those that do; of many, the newest."""
    names = list(known)
    if not names:
        return ReportRefused(f"No hay {what} {name}; este registro todavía no tiene.")
    more = f" y {len(names) - _MOST_NAMED} más" if len(names) > _MOST_NAMED else ""
    return ReportRefused(f"No hay {what} {name}; hay: {', '.join(names[-_MOST_NAMED:])}{more}.")
