"""The secret seeds of gaming days (R-30): made before a day opens, kept until it closes, never in the record before.

Theory. One file a day, readable by its owner alone, on the disk before anybody hears the commitment; with a second
place, a copy lies there too, because a day whose seed is lost can neither draw nor close. A seed that exists for a day
is the seed of that day: asking twice makes one. Nothing here knows tables or prizes.
"""

import secrets
from pathlib import Path
from typing import Self

from controller.core.people import NAME
from controller.node.vocabulary.disk import keep, private_folder
from controller.node.vocabulary.places import Node
from controller.rules.complementary import SEED_BYTES, commitment

_HEX_DIGITS = 2 * SEED_BYTES


class SeedNotKept(Exception):  # noqa: N818  says what happened
    """A place for the seed took nothing: the day does not open."""

    def __init__(self, place: Path, why: str) -> None:
        super().__init__(f"{place}: la semilla del día no se pudo guardar ({why}); el día no se abre")


class Seeds:
    """One file a day in the folder, and one beside it in `copy`."""

    def __init__(self, folder: Path, copy: Path | None = None) -> None:
        self._folders = [folder, *([copy] if copy else [])]

    @classmethod
    def of_node(cls, node: Node) -> Self:
        return cls(node.folder / "seeds", node.seeds_copy)

    def for_day(self, day: str, epoch: int) -> bytes:
        """The seed of a day that is to be opened: the one there is, else a new one, on the disk in every place. After
        a restore, under a new epoch, it is another one: the old one may be known."""
        if not NAME.fullmatch(day):
            return bytes(SEED_BYTES)  # no day has such a name: the core says so, and nothing is written
        name = f"{day}.{epoch}.seed"
        found = (_read(folder / name) for folder in self._folders)
        seed = next((seed for seed in found if seed is not None), None) or secrets.token_bytes(SEED_BYTES)
        for folder in self._folders:
            _write(folder / name, seed)  # also what was found: its name may not be on the disk yet
        return seed

    def of(self, day: str, committed: str) -> bytes | None:
        """The seed behind a day's commitment, from whichever place still has it."""
        found = (_read(place) for folder in self._folders for place in sorted(folder.glob(f"{day}.*.seed")))
        return next((seed for seed in found if seed is not None and commitment(seed) == committed), None)


def _read(place: Path) -> bytes | None:
    """A seed, if there is a whole one."""
    try:
        text = place.read_text(encoding="ascii").strip()
        return bytes.fromhex(text) if len(text) == _HEX_DIGITS else None
    except (OSError, ValueError):
        return None


def _write(place: Path, seed: bytes) -> None:
    try:
        private_folder(place.parent)
        keep(place, seed.hex().encode() + b"\n")
    except OSError as error:
        raise SeedNotKept(place, error.strerror or "no se escribe") from None
