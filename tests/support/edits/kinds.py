"""All kinds of edits, by name: which of them a record shows by itself, and which it cannot.

`seen(path)` is what an auditor reads who has the file alone: one sentence with its place, or nothing.
"""

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from controller.node.store.failure import StoreFailed, StoreRefused
from controller.node.store.store import Reader
from support.edits import of_facts, of_file, of_links, of_rows, of_schema
from support.edits.evening import older_copies
from support.edits.forger import Forger
from support.record.verify_tamper import Edited
from support.record.verifying import verify


class Kind(NamedTuple):
    """`do` edits a copy of the record at a place; `is_found`: the record shows it by itself. `of_links`: of the record of a
    node that shares a pot."""

    name: str
    do: Callable[[Path, Path, random.Random], None]
    is_found: bool
    of_links: bool = False


def _by_hand(edit: Callable[[Forger, random.Random], None]) -> Callable[[Path, Path, random.Random], None]:
    def do(pristine: Path, to: Path, chance: random.Random) -> None:
        with Forger(pristine, to) as forger:
            edit(forger, chance)

    return do


def _of_bytes(edit: Callable[[Path, random.Random], None]) -> Callable[[Path, Path, random.Random], None]:
    def do(pristine: Path, to: Path, chance: random.Random) -> None:
        Edited(pristine, to).raw.close()
        edit(to, chance)

    return do


def _older_copy(pristine: Path, to: Path, chance: random.Random) -> None:
    """The record as it truly was, some passes ago."""
    shutil.copyfile(chance.choice(older_copies(pristine)), to)


KINDS = (
    Kind("older_copy", _older_copy, is_found=False),
    *(Kind(name, _by_hand(edit), is_found=True) for part in (of_facts, of_rows, of_schema) for name, edit in part.FOUND.items()),
    *(Kind(name, _by_hand(edit), is_found=False) for part in (of_facts, of_rows) for name, edit in part.LIMITS.items()),
    *(Kind(name, _by_hand(of_links.by_hand(edit)), is_found=True, of_links=True) for name, edit in of_links.FOUND.items()),
    *(Kind(name, _of_bytes(edit), is_found=True) for name, edit in of_file.FOUND.items()),
    *(Kind(name, _of_bytes(edit), is_found=False) for name, edit in of_file.LIMITS.items()),
)  # fmt: skip


def seen(path: Path) -> str:
    """The first wrong thing, as `pozo verify` says it."""
    try:
        with Reader.open(path) as reader, reader.moment():
            wrong = verify(reader, None, lambda _: None).wrong
    except (StoreRefused, StoreFailed) as refused:
        return f"{Path(refused.place).name}: {refused.sentence}"
    return "" if wrong is None else str(wrong)
