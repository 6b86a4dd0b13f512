"""A copy of a SQLite store while it is being written to: whole, proven, never over another file.

Theory. The file alone is not the store while its log stands beside it, so nothing but SQLite itself may copy it. The
copy is made under a name that no program opens, from one state of the store; it is proven and synced; only then it gets
its name. It needs no log beside it: it can be read from a disk that cannot be written.
"""

import os
from contextlib import closing, suppress
from pathlib import Path

import pysqlite3  # type: ignore[import-untyped]

from controller.node.store.failure import StoreRefused, database_errors, sentence_of
from controller.node.store.sqlite import open_reader
from controller.node.vocabulary.disk import sync

_LAST = "SELECT coalesce(max(seq), 0) FROM fact"


def back_up(path: Path, to: Path) -> None:
    """Copies the store as it is now; from any thread, beside the writer."""
    refuse_taken(to)
    aside = to.with_name(to.name + ".part")
    try:
        make_private(aside)
        _copy(path, aside)
        give_name(aside, to)
    except database_errors() as error:
        raise StoreRefused(str(to), f"la copia no se hizo. {sentence_of(error)}") from error
    finally:
        with suppress(OSError):  # of a folder that is not there
            aside.unlink(missing_ok=True)


def refuse_taken(to: Path) -> None:
    """Whatever has the name already, also a link to nowhere, is not written over."""
    if os.path.lexists(to):
        raise StoreRefused(str(to), "ya hay un archivo con este nombre; no se reemplaza")


def make_private(aside: Path) -> None:
    """An empty file that only its owner reads, since a store holds what proves a PIN; a leftover goes first."""
    for leftover in (aside, aside.with_name(aside.name + "-journal"), aside.with_name(aside.name + "-wal")):
        leftover.unlink(missing_ok=True)
    os.close(os.open(aside, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))


def give_name(aside: Path, to: Path) -> None:
    """The finished file, synced, gets its name if no other file has it; then the folder is synced."""
    sync(aside)
    try:
        os.link(aside, to)
    except FileExistsError:  # somebody was quicker
        refuse_taken(to)
        raise
    aside.unlink()
    sync(to.parent)


def remove(store: Path) -> None:
    """Removes a store that was never in use, with everything beside it."""
    for ending in ("", "-wal", "-shm", ".lock"):
        store.with_name(store.name + ending).unlink(missing_ok=True)


def _copy(path: Path, aside: Path) -> None:
    with closing(open_reader(path)) as source, closing(pysqlite3.connect(str(aside), isolation_level=None)) as copy:
        before = source.raw.execute(_LAST).fetchone()[0]
        source.raw.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE").fetchone()
        found = [row[0] for row in copy.execute("PRAGMA quick_check(1)")]
        if found != ["ok"] or copy.execute(_LAST).fetchone()[0] < before:
            raise StoreRefused(str(path), f"la copia no salió igual al registro ({found[0]}); revise el disco")
