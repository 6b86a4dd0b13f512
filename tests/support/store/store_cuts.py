"""Cuts the power of a store before its Nth step, for every N: run by test_store_power, one process for each kind of work.

Steps are the statements SQLite executes (its own trace, triggers and all) and the calls that sync, name or remove a
file. Each N plays in a fresh copy of the same folder, in a child that ends by `os._exit` in the middle. What the
program was doing at each cut is written to `cuts.json`, one list of steps for each kind; the test opens what is left.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pysqlite3  # type: ignore[import-untyped]

from controller.node.store.rows import Batch
from controller.node.store.store import Store
from controller.node.store.versions import migrate
from controller.record.record import CheckpointRow, PersonRow, PositionRow, SnapshotRow
from support.store.store_cases import bets

CUT = 86


def one_fact(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    batch = bets(store)
    return lambda: store.commit(batch)


def group(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    batch = bets(store, 4)
    return lambda: store.commit(batch)


def sealed(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    batch = bets(store, 2)._replace(
        checkpoints=[CheckpointRow(5, b"{}", b"s" * 64)],
        snapshots=[SnapshotRow(5, b"state")],
        heard=[PositionRow("mesa2", "in", 1, 9, b"h" * 32)],
    )
    return lambda: store.commit(batch)


def person(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    return lambda: store.commit(Batch(people=[PersonRow("p1", "Ana", "new"), PersonRow("p2", "Bea", "new")]))


def epoch(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    batch = bets(store)._replace(epoch=7)
    return lambda: store.commit(batch)


def acknowledged(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    head = store.head()
    assert head is not None, "prepared with facts"
    return lambda: store.commit(Batch(heard=[PositionRow("hub", "out", 1, head.seq, head.hash)]))


def migration(place: Path) -> Callable[[], None]:
    return lambda: print(migrate(place), file=sys.stderr)


def creation(place: Path) -> Callable[[], None]:
    place.unlink()
    return lambda: print(Store.create(place, "mesa9"), file=sys.stderr)


def backup(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    return lambda: store.backup(place.with_name("copy.db"))


def closing(place: Path) -> Callable[[], None]:
    store = Store.open(place)
    store.commit(bets(store, 3))
    return store.close


KINDS = (one_fact, group, sealed, person, epoch, acknowledged, migration, creation, backup, closing)


def play(kind: Callable[[Path], Callable[[], None]], place: Path, cut: int) -> None:
    """In a child: prepares, then works until the step `cut`, telling each step before it is done."""
    steps = 0
    told = os.open(place.with_name("steps"), os.O_WRONLY | os.O_CREAT)

    def step(what: str) -> None:
        nonlocal steps
        steps += 1
        if steps == cut:
            os._exit(CUT)
        os.write(told, what.partition("\n")[0][:60].encode() + b"\n")

    def watched(name: str) -> None:
        true = getattr(os, name)

        def call(*arguments: object, **more: object) -> object:
            step(f"{name}()")
            return true(*arguments, **more)

        setattr(os, name, call)

    connect, traced = pysqlite3.connect, []

    def traced_connect(*arguments: object, **more: object) -> object:
        traced.append(connect(*arguments, **more))
        if working:
            traced[-1].set_trace_callback(step)
        return traced[-1]

    pysqlite3.connect = traced_connect
    working = False
    work = kind(place)
    working = True
    for connection in traced:
        connection.set_trace_callback(step)
    for name in ("fsync", "link", "unlink"):
        watched(name)
    work()
    os._exit(0)  # done, and nobody was told


def cut_everywhere(kind: Callable[[Path], Callable[[], None]], base: Path, folder: Path) -> None:
    for cut in range(1, 400):
        here = folder / str(cut)
        shutil.copytree(base, here)
        child = os.fork()
        if child == 0:
            try:
                play(kind, here / "pozo.db", cut)
            finally:
                os._exit(1)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert code in {0, CUT}, f"{kind.__name__}: cut {cut} ended with {code}"
        if code == 0:
            (folder / "done.json").write_text(json.dumps({"cuts": cut}))
            return
    raise AssertionError("it never came to its end")


if __name__ == "__main__":
    cut_everywhere({kind.__name__: kind for kind in KINDS}[sys.argv[1]], Path(sys.argv[2]), Path(sys.argv[3]))
