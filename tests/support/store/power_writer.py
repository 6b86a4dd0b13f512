"""A process that works below a folder while it is recorded (support/store/power_record.py), and marks what it has acknowledged.

    support/store/power_writer.py book  FOLDER RECORD SEED BEATS [FAULT...]  a node's key and book: founded or found again, played,
                                                               folded, sealed, backed up, closed and opened anew
    support/store/power_writer.py files FOLDER RECORD SEED TIMES [FAULT...]  small files that are replaced as a whole, and seeds of days

A FAULT breaks what keeps the promises, here and nowhere else, to show that the replay finds it.
"""

import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.core import inputs as ask
from controller.core.facts import Fact
from controller.core.values import Documents
from controller.node.book import book as book_module
from controller.node.book import chain, seeds
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.book.seeds import SeedNotKept, Seeds, new_seed
from controller.node.store import backup as store_backup
from controller.node.store import sqlite as store_sqlite
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary import disk
from controller.play.rehearsal import Rehearsal, Said
from controller.rules.complementary import commitment
from support.core.book_cases import ADMINISTRATORS, JEFE, SEED, START
from support.core.book_writer import heard
from support.nonces import nonce_of
from support.places import CONFIG
from support.store.power_record import mark

NODE, SOURCE = "ensayo", "ensayo"
WINNING = 0.2
BETWEEN_SNAPSHOTS = 150
MOST_LOG_PAGES = 40  # folded back often, so that most cuts come between the log and the file
PLANS = (("ensayo-estelar", "scj-2023"),)


class Marked(Book):
    """A book whose user notes every answer as soon as there is one."""

    record: Path
    day = 1

    def take(self, asks: Sequence[Asked]) -> list[book_module.Answer]:
        answers = super().take(asks)
        mark(self.record, head=self.seq, hash=self.hash.hex(), heard=[heard(answer) for answer in answers])
        return answers

    def checkpoint(self) -> None:
        super().checkpoint()
        mark(self.record, sealed=self.seq)


def casino_of(book: Book, seed: int) -> Rehearsal:
    number = book.store.last_of(SOURCE, 1)

    def take(said: Sequence[Said], at: int) -> list[tuple[Fact, ...]]:
        nonlocal number
        asks = [Asked(OutcomeKey(SOURCE, 1, number + n), at, one.input, one.verifier) for n, one in enumerate(said, 1)]
        number += len(asks)
        return [answer.facts for answer in book.take(asks)]

    documents = tuple(
        Documents((CONFIG / f"plans/{plan}.toml").read_text(), (CONFIG / f"rulesets/{law}.toml").read_text())
        for plan, law in PLANS
    )
    start = max(START, book.state.clock)
    return Rehearsal(take, lambda: book.state, documents, random.Random(seed), winning=WINNING, now=start)


def founded_or_found(place: Path, key: Key, seed: int) -> Book:
    if place.exists():
        return Marked.open(place, key)
    book = Marked.create(place, key, NODE, ADMINISTRATORS, START)
    casino = casino_of(book, seed)
    casino._set_up()
    casino._say(ask.OpenDay("2026-11-01", commitment(SEED), JEFE, nonce_of("2026-11-01")))
    return book


def work(folder: Path, record: Path, seed: int, beats: int) -> None:
    Marked.record = record
    key = Key.load_or_make(folder / "node.key")
    mark(record, key=key.public)
    place = folder / "pozo.db"
    book = founded_or_found(place, key, seed)
    mark(record, ready=True)
    for beat in range(beats):
        casino_of(book, seed * 1_000 + beat)._beat(SEED)
        if beat % 5 == 2:
            copy = folder / f"copy{seed}-{beat}.db"
            book.store.backup(copy)
            mark(record, copy=copy.name, head=book.seq)
        elif beat % 5 == 3:
            book.checkpoint()
        elif beat % 5 == 4:
            book.close()
            mark(record, closed=book.seq)
            book = Marked.open(place, key)
    # Without `close`: the process ends as one that is killed.


def keep_files(folder: Path, record: Path, seed: int, times: int) -> None:
    """One file in the folder and one in a folder of its own, each replaced again and again; and a seed for each day."""
    chance = random.Random(seed)
    deep = folder / "memories" / "unit"
    disk.private_folder(deep.parent)
    days = Seeds(folder / "seeds", folder / "elsewhere")
    for time in range(times):
        content = f"{time} ".encode() + chance.randbytes(chance.randrange(3_000))
        for place in (deep, folder / "nonce"):
            mark(record, will=str(place.relative_to(folder)), content=content.hex())
            disk.keep(place, content)
            mark(record, kept=str(place.relative_to(folder)))
        with interrupted(time == 0):
            days.save(f"day{time}", 1, new_seed())
        made = new_seed()
        days.save(f"day{time}", 1, made)
        mark(record, day=f"day{time}", seed=made.hex())


@contextmanager
def interrupted(it_is: bool) -> Iterator[None]:
    """A file has its name, and whoever gave it was stopped before that was on the disk; it is asked for again."""
    if not it_is:
        yield
        return

    def stopped(folder: Path) -> None:
        if folder.name == "seeds":
            raise InterruptedError
        real(folder)

    real = disk.sync
    vars(disk)["sync"] = stopped
    try:
        with suppress(SeedNotKept, InterruptedError):
            yield
    finally:
        vars(disk)["sync"] = real


# ---------------------------------------------------------------------------------------------- what keeps the promises


def in_the_writer(pragma: str) -> None:
    vars(store_sqlite)["_OF_THE_WRITER"] = (*store_sqlite._OF_THE_WRITER, pragma)


def without_sync_of_folders() -> None:
    def of_files_only(path: Path) -> None:
        if not path.is_dir():
            real(path)

    real = disk.sync
    for module in (store_sqlite, store_backup, disk, chain):
        vars(module)["sync"] = of_files_only


def without_sync_of_files() -> None:
    vars(disk)["os"] = _Deaf()


class _Deaf:
    """The system without its sync."""

    def __getattr__(self, name: str) -> object:
        return (lambda _: None) if name == "fsync" else getattr(os, name)


def in_place() -> None:
    for module in (disk, seeds):
        vars(module)["keep"] = lambda path, content: path.write_bytes(content)


FAULTS: dict[str, Callable[[], None]] = {
    "normal": lambda: in_the_writer("PRAGMA synchronous = NORMAL"),
    "off": lambda: in_the_writer("PRAGMA synchronous = OFF"),
    "folders": without_sync_of_folders,
    "files": without_sync_of_files,
    "in place": in_place,
}


if __name__ == "__main__":
    act, at, to, number, many, *faults = sys.argv[1:]
    book_module.SNAPSHOT_EVERY = BETWEEN_SNAPSHOTS
    store_sqlite._MOST_LOG_PAGES = MOST_LOG_PAGES
    for fault in faults:
        FAULTS[fault]()
    {"book": work, "files": keep_files}[act](Path(at), Path(to), int(number), int(many))
    os._exit(0)
