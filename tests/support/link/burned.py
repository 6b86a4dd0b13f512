"""A box that burned, as its casino's node has it: a mirror with what the box sealed for two codes, and honest answers of it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from controller.node.book.book import key_of, pepper_of
from controller.node.book.chain import Key
from controller.node.book.escrow import new_code, write_public
from controller.node.book.pins import Pepper
from controller.node.link.mirror_return import piece
from controller.node.link.mirror_words import MirrorMark, MirrorMessage, mirror_packed, mirror_unpacked
from controller.node.rebirth.mirror_copy import MirrorCopy
from controller.node.service.sealed import Sealer
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.node.vocabulary.places import Node
from support.edits.mirrored import Box, Casino

NAME = "caja1"
Answers = Callable[[MirrorMark], tuple[MirrorMessage, ...]]


class BurnedBox:
    """`mirror`: the file at its casino's node; `codes`: on paper. It played `many` facts, was restored once, and more."""

    def __init__(self, place: Path, many: int = 450) -> None:
        self.folder = place / NAME
        self.folder.mkdir(parents=True)
        self.codes = new_code(), new_code()
        write_public(self.folder, self.codes)
        Pepper.load_or_make(pepper_of(self.folder))
        self.box = Box(self.folder / "node.db", Key.load_or_make(key_of(self.folder)))
        self.box.play(many)
        self.box.restore()
        self.box.play(many)
        (place / "mirrors").mkdir()
        self.mirror = place / "mirrors" / f"{NAME}.db"
        with closing(Casino(self.mirror, NAME, Key.load_or_make(place / "node.key"))) as casino:
            casino.up()
            for _ in range(3):
                casino.now += 2_000_000
                self.box.told_to(casino, self.sealed())
            assert not casino.differs

    def sealed(self) -> bytes:
        node = cast("Node", SimpleNamespace(name=NAME, folder=self.folder))
        text = Sealer(node, lambda: Reader.open(self.box.path))()
        assert text is not None, "there are codes"
        return text

    def honest(self, mark: MirrorMark) -> tuple[MirrorMessage, ...]:
        """What its casino's node answers."""
        with closing(MirrorFile.read(self.mirror)) as file:
            return piece(file, mark)

    def close(self) -> None:
        self.box.close()


def pieces(copy: MirrorCopy, answers: Answers, most: int = 1_000) -> Iterator[int]:
    """Asked and taken one after the other, as they travel; after each, which it was."""
    for number in range(1, most):
        if copy.is_whole:
            return
        for message in answers(copy.mark()):
            said = mirror_unpacked(mirror_packed(message))
            assert said == message, "what is said is what is heard"
            copy.take(said)
        yield number
    raise AssertionError("it never ends")


def what_it_has(path: Path) -> tuple[object, ...]:
    """All that a box is made anew of."""
    with closing(MirrorFile.read(path)) as file:
        facts, signed = list(file.facts()), list(file.checkpoints())
        states = [file.snapshot(state) for state in _states(file)]
        return facts, signed, states, file.escrows(), file.end(), file.node


def _states(file: MirrorFile) -> list[str]:
    return sorted(state for (state,) in file._ask("SELECT state FROM snapshot"))
