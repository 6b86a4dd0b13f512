"""A record, and the mirror of it as a casino's node has it: brought there by the link's own two halves, without a link."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from controller.core import inputs as ask
from controller.core.values import Broken, HeadLeft, Signature
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.founded import founded_key
from controller.node.link.mirror_feed import follows
from controller.node.link.mirror_words import (
    MirrorAsks,
    MirrorEscrow,
    MirrorHead,
    MirrorMark,
    MirrorMessage,
    digest_of,
    mirror_packed,
    mirror_unpacked,
)
from controller.node.link.mirroring import Copied, KeepEscrow, KeepFacts, KeepHead, MirrorDiffers, Mirroring
from controller.node.store.mirror import MirrorFile
from controller.node.store.reads import Reads
from controller.node.store.rows import OutcomeKey
from controller.node.store.store import Reader

START = 1_793_491_200_000
ANA, LUIS = Signature("ana"), Signature("luis")


class Casino:
    """The casino's node, as far as it keeps the mirror of one box."""

    def __init__(self, path: Path, node: str, key: Key, *, is_stopped: bool = False) -> None:
        if not path.exists():
            MirrorFile.create(path, node)
        self.file = MirrorFile.open(path)
        file = self.file
        digest = lambda *ends: digest_of(file.facts(*ends))
        copied = Copied(file.end(), file.last_signed(), founded_key(file), file.at, digest, is_stopped)
        self.mirroring = Mirroring(node, copied, key.countersign, "casino", key.public)
        self.now = 0
        self.differs: list[MirrorDiffers] = []
        self.heads: list[MirrorHead] = []
        self.asked: list[MirrorAsks] = []

    @property
    def why(self) -> list[Broken]:
        return [one.why for one in self.differs]

    def up(self) -> None:
        self.mirroring.up(self.now)

    def settle(self) -> None:
        """What was decided is on the disk."""
        while (event := self.mirroring.next_event()) is not None:
            match event:
                case KeepFacts():
                    self.file.keep(*event)
                    self.mirroring.kept(self.now, self.now // 1_000)
                case KeepHead(body, signature):
                    self.file.keep_head(body, signature)
                    self.mirroring.kept_head(body, signature)
                case KeepEscrow(sealed):
                    self.file.keep_escrow(sealed)
                    self.mirroring.kept_escrow(hashlib.sha256(sealed).digest(), self.now)
                case MirrorDiffers():
                    self.differs.append(event)

    def hear(self, message: MirrorMessage) -> None:
        packed = mirror_unpacked(mirror_packed(message))
        assert packed == message, "what is said is what is heard"
        self.mirroring.receive(message, self.now)
        self.settle()

    def marks(self) -> Iterator[MirrorMark]:
        for message in self.mirroring.to_send():
            if isinstance(message, MirrorMark):
                yield message
            elif isinstance(message, MirrorHead):
                self.heads.append(message)
            elif isinstance(message, MirrorAsks):
                self.asked.append(message)

    def copy(self, record: Reads, escrow: bytes = b"") -> int:
        """Everything that this record has to say to it; how many answers that took."""
        answers = 0
        if escrow:
            self.hear(MirrorEscrow(escrow))
        while marks := list(self.marks()):
            for mark in marks:
                answers += 1
                for message in follows(record, mark).messages:
                    self.hear(message)
        return answers

    def close(self) -> None:
        self.file.close()


class Box:
    """A record, that can be put back, cut and written by others."""

    def __init__(self, path: Path, key: Key) -> None:
        self.path, self.key, self.number = path, key, 0
        self.book = Book.create(path, key, "caja1", ("ana", "luis"), START)
        self.play(5)

    def play(self, many: int) -> None:
        """So many facts more: the smallest acts there are."""
        for _ in range(many):
            self.number += 1
            at = START + 1_000 * self.number
            self.book.take([Asked(OutcomeKey("piso", 1, self.number), at, ask.StartNode("a" * 64, "boot"))])

    def restore(self, left: HeadLeft | None = None, epoch: int = 9) -> None:
        asked = ask.RestoreNode(epoch, "se quemó", ANA, LUIS, left)
        self.book.take([Asked(OutcomeKey("caja1/restore", epoch, 1), START + 10_000_000, asked)])
        assert self.book.state.epoch == epoch

    def copy(self, name: str) -> Path:
        path = self.path.with_name(name)
        self.book.store.backup(path)
        return path

    def put_back(self, copy: Path) -> None:
        self.book.close()
        shutil.copy(copy, self.path)
        self.book = Book.open(self.path, self.key)

    def told_to(self, casino: Casino, escrow: bytes = b"") -> int:
        with Reader.open(self.path) as reader:
            return casino.copy(reader, escrow)

    def close(self) -> None:
        self.book.close()


def mirrored(record: Path, to: Path, escrow: bytes = b"") -> Path:
    """The mirror of a whole record."""
    with Reader.open(record) as reader:
        casino = Casino(to, reader.node, Key.load_or_make(to.with_suffix(".key")))
        casino.up()
        casino.copy(reader, escrow)
        assert casino.differs == []
        end, head = casino.file.end(), reader.head()
        assert end is not None and head is not None and (end.seq, end.hash) == head
    casino.close()
    return to
