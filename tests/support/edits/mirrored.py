"""A record, and the mirror of it as a casino's node has it: brought there by the link's own two halves, without a link."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from controller.core.values import Broken
from controller.node.book.chain import Key
from controller.node.link.mirror_feed import follows
from controller.node.link.mirror_words import (
    MirrorEscrow,
    MirrorHead,
    MirrorMark,
    MirrorMessage,
    mirror_packed,
    mirror_unpacked,
)
from controller.node.link.mirroring import Copied, KeepEscrow, KeepFacts, KeepHead, MirrorDiffers, Mirroring
from controller.node.link.mirrors import founded_key
from controller.node.store.mirror import MirrorFile
from controller.node.store.reads import Reads
from controller.node.store.store import Reader


class Casino:
    """The casino's node, as far as it keeps the mirror of one box."""

    def __init__(self, path: Path, node: str, key: Key, *, is_stopped: bool = False) -> None:
        if not path.exists():
            MirrorFile.create(path, node)
        self.file = MirrorFile.open(path)
        file = self.file
        copied = Copied(file.end(), file.last_signed(), founded_key(file), file.at, is_stopped)
        self.mirroring = Mirroring(node, copied, key.countersign, "casino", key.public)
        self.now = 0
        self.differs: list[MirrorDiffers] = []
        self.heads: list[MirrorHead] = []

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
