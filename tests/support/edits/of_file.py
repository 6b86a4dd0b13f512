"""The file itself: bytes of pages, the header, what lies beside it. The record is closed; nobody opens it with SQL."""

import random
import shutil
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pysqlite3  # type: ignore[import-untyped]

from support.edits.forger import Forger
from support.record.verify_tamper import Edited

Edit = Callable[[Path, random.Random], None]
_PAGE = 4096


def _written(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def byte_of_a_fact(path: Path, chance: random.Random) -> None:
    """One letter inside a body, as it lies on the disk."""
    with closing(pysqlite3.connect(str(path))) as raw:
        body = chance.choice(raw.execute("SELECT body FROM fact").fetchall())[0][:200]
    at = path.read_bytes().index(body) + chance.randrange(len(body))
    _written(path, at, bytes([path.read_bytes()[at] ^ 1]))


def bytes_of_a_page(path: Path, chance: random.Random) -> None:
    """Sixty-four bytes of noise over the beginning of any page but the first."""
    page = chance.randrange(1, path.stat().st_size // _PAGE)
    _written(path, page * _PAGE, chance.randbytes(64))


def page_of_another_place(path: Path, chance: random.Random) -> None:
    """A page is written over another."""
    pages = path.stat().st_size // _PAGE
    one, other = chance.sample(range(1, pages), 2)
    data = path.read_bytes()
    copied = data[one * _PAGE : (one + 1) * _PAGE]
    if copied == data[other * _PAGE : (other + 1) * _PAGE]:
        copied = bytes(_PAGE)
    _written(path, other * _PAGE, copied)


def file_cut(path: Path, chance: random.Random) -> None:
    with path.open("r+b") as file:
        file.truncate((path.stat().st_size // _PAGE - chance.randrange(1, 9)) * _PAGE)


def other_encoding(path: Path, chance: random.Random) -> None:
    """The same tables and rows in a file whose letters are of two bytes."""
    to = path.with_name("other.db")
    to.unlink(missing_ok=True)
    with closing(pysqlite3.connect(str(path))) as raw, closing(pysqlite3.connect(str(to))) as made:
        made.execute(f"PRAGMA encoding = '{chance.choice(('UTF-16le', 'UTF-16be'))}'")
        objects = raw.execute("SELECT type, name, sql FROM sqlite_schema").fetchall()
        for kind, name, sql in sorted(objects, key=lambda one: ("table", "index", "trigger").index(one[0])):
            made.execute(sql)
            rows = raw.execute(f"SELECT * FROM {name}").fetchall() if kind == "table" else []  # noqa: S608
            made.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows) if rows else None  # noqa: S608
        made.commit()
    to.replace(path)


def log_beside(path: Path, chance: random.Random) -> None:
    """An edit that lies in a log beside the file, which itself is untouched."""
    copy = path.with_name("copy.db")
    for ending in ("", "-wal", "-shm"):
        copy.with_name(copy.name + ending).unlink(missing_ok=True)
    with Forger(path, copy) as forger:
        forger("PRAGMA journal_mode = WAL")
        forger("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(copy, path)
        forger("PRAGMA wal_autocheckpoint = 0")
        account = chance.choice(forger("SELECT account FROM balance"))[0]
        forger("UPDATE balance SET amount = amount + 5 WHERE account = ?", account)
        for _, sql in forger.triggers:
            forger(sql)
        shutil.copyfile(copy.with_name("copy.db-wal"), path.with_name(path.name + "-wal"))
        forger.triggers.clear()


def journal_beside(path: Path, chance: random.Random) -> None:
    """A journal of an edit that was never finished: who opens the file to write would undo it."""
    copy = path.with_name("copy.db")
    with Edited(path, copy) as edit:
        edit("PRAGMA journal_mode = DELETE")
        edit("PRAGMA cache_size = 2")
        edit("BEGIN IMMEDIATE")
        edit("UPDATE balance SET amount = amount + ?", chance.randrange(1, 99))
        edit("UPDATE fact SET at = at + 1")
        shutil.copyfile(copy, path)
        shutil.copyfile(copy.with_name("copy.db-journal"), path.with_name(path.name + "-journal"))
        edit("ROLLBACK")


# What nothing reads


def _gaps(data: bytes) -> Iterator[tuple[int, int]]:
    """In each page of a tree, the bytes between its list of cells and its cells."""
    for start in range(_PAGE, len(data), _PAGE):
        kind, _, cells, content = struct.unpack_from(">BHHH", data, start)
        list_ends = (12 if kind in (2, 5) else 8) + 2 * cells
        if kind in (2, 5, 10, 13) and 0 < content <= _PAGE and content - list_ends > 16:
            yield start + list_ends, start + content


def bytes_between_cells(path: Path, chance: random.Random) -> None:
    begins, ends = chance.choice(list(_gaps(path.read_bytes())))
    _written(path, begins, chance.randbytes(ends - begins))


def free_pages(path: Path, chance: random.Random) -> None:
    """A message in pages that a table left behind."""
    with closing(pysqlite3.connect(str(path), isolation_level=None)) as raw:
        raw.execute("CREATE TABLE hidden (a)")
        for _ in range(20):
            raw.execute("INSERT INTO hidden VALUES (?)", (chance.randbytes(3000),))
        raw.execute("DROP TABLE hidden")


def numbers_of_the_header(path: Path, chance: random.Random) -> None:
    """The counter of changes, the size of a cache, the version of SQLite that wrote last."""
    at = chance.choice((24, 48, 92, 96))
    if at in (24, 92):  # the two say together whether the size of the file is to be believed
        value = struct.pack(">I", chance.randrange(2**31))
        for both in (24, 92):
            _written(path, both, value)
    else:
        _written(path, at, struct.pack(">I", chance.randrange(1, 2**20)))


def bytes_after_the_end(path: Path, chance: random.Random) -> None:
    with path.open("ab") as file:
        file.write(chance.randbytes(_PAGE))


def log_of_noise(path: Path, chance: random.Random) -> None:
    path.with_name(path.name + "-wal").write_bytes(chance.randbytes(10_000))


FOUND: dict[str, Edit] = {
    "byte_of_a_fact": byte_of_a_fact,
    "bytes_of_a_page": bytes_of_a_page,
    "page_of_another_place": page_of_another_place,
    "file_cut": file_cut,
    "other_encoding": other_encoding,
    "log_beside": log_beside,
    "journal_beside": journal_beside,
}
LIMITS: dict[str, Edit] = {
    "bytes_between_cells": bytes_between_cells,
    "free_pages": free_pages,
    "numbers_of_the_header": numbers_of_the_header,
    "bytes_after_the_end": bytes_after_the_end,
    "log_of_noise": log_of_noise,
}
