"""A burned box's own copy of its mirror, as it comes from its casino's node: a file that grows, and is believed (R-27).

Theory. The box does what its casino's node did when the mirror came into being (mirroring.py): every fact is linked to
the one before it, every checkpoint is signed with the box's key and stands where it says. Whose key that is no node
says: what was sealed comes first, two codes on paper open it, and the key in it is the only one that is taken. So a
node that lies can keep facts back at the end, which is said in numbers, and can invent what follows the last signature,
of which only so much is taken; anything else is refused as it comes.

What came is on the disk before more is asked for, in a file of its own beside the record that is to be: whoever is cut
off or killed goes on there, and nothing that a node would start with lies there before two persons have signed.
"""

from pathlib import Path

from controller.node.book.chain import public_of
from controller.node.book.escrow import opened
from controller.node.link.mirror_words import (
    MirrorEscrow,
    MirrorMark,
    MirrorMessage,
    MirrorRows,
    MirrorSnapshot,
    MirrorStands,
    digest_of,
    digest_of_sealed,
)
from controller.node.link.mirroring import Copied, KeepFacts, MirrorDiffers, Mirroring
from controller.node.store.failure import StoreRefused
from controller.node.store.mirror import KEPT_ESCROWS, ChainPlace, MirrorFile
from drivers.session import Micros

MOST_UNSIGNED = 50_000  # facts: five minutes of the busiest node, and then some
MOST_UNSIGNED_OCTETS = 2**26
_NOW: Micros = 0  # nothing here waits for anything


class CopyRefused(Exception):  # noqa: N818  says what happened
    """One Spanish sentence: what came cannot be this box's mirror."""


class MirrorCopy:
    """Of the box `node`; `codes`: of the two who keep them. `last`: where the mirror ends, as was said first."""

    def __init__(self, path: Path, node: str, codes: tuple[str, str]) -> None:
        if not path.exists():
            MirrorFile.create(path, node)
        self._file = MirrorFile.open(path)
        if self._file.node != node:
            self._file.close()
            raise StoreRefused(str(path), f"es lo que llegó de {self._file.node}; retírelo")
        self._codes = codes
        self._mirroring: Mirroring | None = None
        newest = self._file.escrows()[:1]
        self._escrow = digest_of_sealed(newest[0]) if newest else b""
        self._sealed = 0  # in this life
        self._unsigned = 0  # octets since the last signature
        self._is_more = False
        self.last: MirrorStands | None = None
        self.is_whole = False

    def close(self) -> None:
        self._file.close()

    @property
    def end(self) -> ChainPlace | None:
        return self._file.end()

    @property
    def signed(self) -> int:
        """The last fact that the box itself signed."""
        return self._file.last_signed()

    def mark(self) -> MirrorMark:
        """Where it stands: what is asked next follows there."""
        end = self._file.end()
        if end is None:
            return MirrorMark(0, 0, bytes(32), 0, self._escrow)
        return MirrorMark(end.epoch, end.seq, end.hash, self._file.last_signed(), self._escrow)

    def take(self, message: MirrorMessage) -> bool:
        """Whether that was the end of an answer. CopyRefused, EscrowRefused, StoreError: nothing more is asked."""
        match message:
            case MirrorEscrow(sealed):
                self._keep_escrow(sealed)
            case MirrorRows() | MirrorSnapshot():
                self._believe(message)
            case MirrorStands():
                self._answered(message)
                return True
            case _:
                raise CopyRefused("dice lo que nadie le preguntó")
        return False

    def _keep_escrow(self, sealed: bytes) -> None:
        self._sealed += 1
        if self._sealed > KEPT_ESCROWS or self._file.end() is not None:
            raise CopyRefused("no deja de mandar depósitos")
        self._file.keep_escrow(sealed)
        self._escrow, self._is_more = digest_of_sealed(sealed), True

    def _believe(self, message: MirrorRows | MirrorSnapshot) -> None:
        if self._mirroring is None:
            self._mirroring = self._begun()
        self._mirroring.receive(message, _NOW)
        while (event := self._mirroring.next_event()) is not None:
            match event:
                case KeepFacts():
                    self._keep(event)
                    self._mirroring.kept(_NOW, 0)
                case MirrorDiffers(_, _, sentence):
                    raise CopyRefused(sentence)
                case _:
                    pass  # nobody countersigns a mirror of himself

    def _begun(self) -> Mirroring:
        key = public_of(opened(self._codes, self._file.escrows())[0].key)
        file = self._file
        copied = Copied(file.end(), file.last_signed(), key, file.at, lambda *ends: digest_of(file.facts(*ends)))
        return Mirroring(file.node, copied, lambda _: bytes(64), file.node, key)

    def _keep(self, came: KeepFacts) -> None:
        size = sum(len(fact.row.body) for fact in came.facts)
        self._unsigned = size if came.checkpoints else self._unsigned + size
        first = came.facts[0].row.seq if came.facts else 0
        signed = max((row.seq for row in came.checkpoints), default=self._file.last_signed())
        if first - signed > MOST_UNSIGNED or self._unsigned > MOST_UNSIGNED_OCTETS:
            raise CopyRefused(f"manda hechos sin fin que la caja no firmó después del {signed}")
        self._file.keep(*came)
        self._is_more = True

    def _answered(self, stands: MirrorStands) -> None:
        if not stands.seq:
            raise CopyRefused("no tiene ningún espejo de esta caja")
        if self.last is not None and stands != self.last:
            raise CopyRefused(f"dijo que el espejo termina en el hecho {self.last.seq}, y ahora en el {stands.seq}")
        self.last = stands
        end = self._file.end()
        here = (end.epoch, end.seq, end.hash) if end is not None else None
        if end is not None and end.seq > stands.seq:
            raise CopyRefused(f"dice que el espejo termina en el hecho {stands.seq}, y manda el {end.seq}")
        if not self._is_more:
            if here != (stands.epoch, stands.seq, stands.hash):
                raise CopyRefused(
                    f"no da lo que falta hasta el hecho {stands.seq}, o lo que ya llegó es de otro espejo:"
                    f" retire {self._file.place} y empiece de nuevo"
                )
            self.is_whole = True
        self._is_more = False
