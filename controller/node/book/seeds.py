"""The secret seeds of gaming days (R-30): made before a day opens, kept until it closes, never in the record before.

Theory. One file a day, readable by its owner alone, on the disk before anybody hears the commitment; with a second
place, a copy lies there too, because a day whose seed is lost can neither draw nor close. Nobody chooses a seed: a day
that opens gets one that this process made by chance at that moment, and a file is only ever read for a commitment that
stands on record. So a file's name carries its commitment. Where power fails between file and record, the file that is
left in the node's own folder is nobody's, and the next one has another name. Any other seed that lies there for a day
that was never opened was put there by somebody, and the day waits until a person has looked. Nothing here knows tables
or prizes.
"""

import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

from controller.node.vocabulary.disk import keep, open_to_others, private_folder
from controller.node.vocabulary.places import Node
from controller.rules.complementary import SEED_BYTES, commitment

_HEX_DIGITS = 2 * SEED_BYTES
_MOST_BYTES = 2 * _HEX_DIGITS


class SeedNotKept(Exception):  # noqa: N818  says what happened
    """A place for the seed took nothing: the day does not open."""

    def __init__(self, place: Path, why: str) -> None:
        super().__init__(f"{place}: la semilla del día no se pudo guardar ({why}); el día no se abre")


def new_seed() -> bytes:
    """By chance, and nowhere but here."""
    return secrets.token_bytes(SEED_BYTES)


class Seeds:
    """One file a day in the folder, and one beside it in `copy`."""

    def __init__(self, folder: Path, copy: Path | None = None) -> None:
        self._folder, self._copy = folder, copy
        self._folders = [folder, *([copy] if copy else [])]

    @classmethod
    def of_node(cls, node: Node) -> Self:
        return cls(node.folder / "seeds", node.seeds_copy)

    def found(self, day: str, opened: Callable[[], Collection[str]]) -> Path | None:
        """A seed that lies there for a day that is to be opened, and that this node did not make. `opened`: the
        commitments that stand on record for days of this name (one may have got another name since)."""
        for folder in self._folders:
            for place in self._files(folder, day):
                seed = _read(place)
                if not self._is_left(place, seed) and (seed is None or commitment(seed) not in opened()):
                    return place
        return None

    def _is_left(self, place: Path, seed: bytes | None) -> bool:
        """Of a day that this node was about to open: in its own folder under its own name; in the copy as there."""
        own = self._folder / place.name
        return seed is not None and place.name.endswith(f".{commitment(seed)}.seed") and _read(own) == seed

    def save(self, day: str, epoch: int, seed: bytes) -> None:
        """On the disk in every place, the node's own first."""
        for folder in self._folders:
            try:
                private_folder(folder)
                why = open_to_others(folder)
                if not why:
                    keep(folder / _name(day, epoch, seed), seed.hex().encode() + b"\n")
            except OSError as error:
                why = error.strerror or "no se escribe"
            if why:
                self.forget(day, epoch, seed)
                raise SeedNotKept(folder, why)

    def forget(self, day: str, epoch: int, seed: bytes) -> None:
        """The day was not opened with it: nobody has heard its commitment."""
        for folder in self._folders:
            with suppress(OSError):
                (folder / _name(day, epoch, seed)).unlink(missing_ok=True)

    def of(self, day: str, committed: str) -> bytes | None:
        """The seed behind a day's commitment, from whichever place still has it."""
        found = (_read(place) for folder in self._folders for place in self._files(folder, day))
        return next((seed for seed in found if seed is not None and commitment(seed) == committed), None)

    @staticmethod
    def _files(folder: Path, day: str) -> Iterator[Path]:
        with suppress(OSError):
            yield from sorted(folder.glob(f"{day}.*.seed"))


def _name(day: str, epoch: int, seed: bytes) -> str:
    return f"{day}.{epoch}.{commitment(seed)}.seed"


def _read(place: Path) -> bytes | None:
    """A seed, if there is a whole one. What somebody may have put there in its stead is not waited for."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return None
            text = file.read(_MOST_BYTES).decode("ascii").strip()
        return bytes.fromhex(text) if len(text) == _HEX_DIGITS else None
    except (OSError, ValueError):
        return None
