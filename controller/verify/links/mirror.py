"""A record beside the mirror that a neighbour keeps of it: where they part first, and what either lacks (R-27).

Theory. Whoever has the box and its key can write a whole record anew, with every signature: by itself it is good. He
has not the copy that lies with another node. Both are read fact by fact; the mirror is linked here too, so that it is
known which of both is no chain. A record that has less than its mirror was cut or put back; one that has another fact
was written anew; one that has more was not copied yet, and that is no fault. The hashes are the auditor's own.
"""

from collections.abc import Iterable
from itertools import zip_longest
from typing import NamedTuple

from controller.record.record import FactRow
from controller.verify import facts as kinds
from controller.verify.chain import BEGINNING, next_hash
from controller.verify.facts import read_entry
from controller.verify.wrong import Wrong


class Beside(NamedTuple):
    """`equal` facts from the first on are the same; then `wrong`, or nothing; how many facts either has not."""

    equal: int
    wrong: Wrong | None
    record_lacks: int = 0
    mirror_lacks: int = 0


def beside(record: Iterable[FactRow], mirror: Iterable[FactRow]) -> Beside:
    """Of both, every fact."""
    equal = record_has = mirror_has = parted = 0
    chain = _Chain()
    found: Wrong | None = None
    for mine, theirs in zip_longest(record, mirror):
        record_has += mine is not None
        mirror_has += theirs is not None
        if theirs is not None and found is None:
            found = chain.wrong_with(theirs)
        if parted or found is not None:
            continue
        if mine is not None and theirs is not None and mine == theirs:
            equal += 1
        elif theirs is not None:
            parted = equal + 1
            found = _parts(parted, mine)
    return Beside(equal, found, max(0, mirror_has - record_has), max(0, record_has - mirror_has))


def _parts(seq: int, mine: FactRow | None) -> Wrong:
    if mine is None:
        why = f"termina en el hecho {seq - 1} y su espejo tiene más: se cortó, o es una copia vieja"
        return Wrong("registro", "R-27", why)
    return Wrong(f"fact {seq}", "R-27", "su espejo tiene otro: este registro se escribió de nuevo o se editó")


class _Chain:
    """The mirror as it is walked through."""

    def __init__(self) -> None:
        self._seq, self._hash, self._name, self._epoch = 0, BEGINNING, b"", 1

    def wrong_with(self, row: FactRow) -> Wrong | None:
        self._seq += 1
        place = f"espejo, fact {self._seq}"
        entry = read_entry(row.body)
        if entry is None or (row.seq, entry.seq) != (self._seq, self._seq):
            return Wrong(place, "R-27", "no es el hecho que sigue: el espejo mismo está dañado")
        if isinstance(entry.fact, kinds.NodeFounded):
            self._name = entry.fact.node.encode()
        elif isinstance(entry.fact, kinds.NodeRestored):
            self._epoch = entry.fact.epoch
        self._hash = next_hash(self._hash, self._name, self._epoch, self._seq, row.body)
        if row.hash != self._hash:
            return Wrong(place, "R-27", "su huella no encadena: el espejo mismo está dañado")
        return None
