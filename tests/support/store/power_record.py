"""The record of what a program did to a folder: made by tests/foreign/powerloss.c, read here.

Any command can be recorded. Whoever hears the program's answers, itself or a client of it, marks in the same record
what has been acknowledged: after the answer, so that a mark never says more than the program did.
"""

import json
import os
import shutil
import signal
import struct
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from support.drivers.peers import FOREIGN, absent
from support.places import ROOT

RECORDER = ROOT / "var" / "foreign" / "powerloss.so"
FLAGS = ("-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC")
DIES = signal.SIGUSR2
"""Kills a recorded program, between two of its calls; SIGKILL may come between a call and its record."""
_HEAD = struct.Struct("<IIIIQQQ")
_MARK = "A"


class Step(NamedTuple):
    """One call: its place in the record, what it was (a letter of powerloss.c, or A for a mark), and on what."""

    order: int
    kind: str
    path: str
    other: str
    inode: int
    number: int
    data: bytes


def recorder() -> Path:
    """The recorder, built where `make` has not done so."""
    source = FOREIGN / "powerloss.c"
    if not RECORDER.exists() or RECORDER.stat().st_mtime < source.stat().st_mtime:
        compiler = shutil.which("gcc") or absent("gcc")
        RECORDER.parent.mkdir(parents=True, exist_ok=True)
        aside = RECORDER.with_name(f"powerloss.{os.getpid()}")  # several tests may find that it is not there
        subprocess.run([compiler, *FLAGS, "-o", str(aside), str(source)], check=True)
        aside.rename(RECORDER)
    return RECORDER


def recorded(folder: Path, record: Path) -> Mapping[str, str]:
    """The environment in which a program is recorded; `record` stands outside of the folder."""
    assert not record.resolve().is_relative_to(folder.resolve()), "the record is not a part of what is recorded"
    return {
        **os.environ,
        "LD_PRELOAD": str(recorder()),
        "POWERLOSS_FOLDER": str(folder.resolve()),
        "POWERLOSS_LOG": str(record.resolve()),
    }


def run_recorded(folder: Path, record: Path, command: Sequence[object], seconds: float = 600) -> None:
    """A command from its beginning to its end. One that serves is started with `recorded` by whoever talks to it."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words, env=dict(recorded(folder, record)), capture_output=True, text=True, check=False, timeout=seconds
    )
    assert done.returncode == 0, done.stderr[-3000:]


def mark(record: Path, **said: object) -> None:
    """Notes what is acknowledged from now on: one write at the end of the record, from whichever process."""
    data = json.dumps(said).encode()
    handle = os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, _HEAD.pack(ord(_MARK), 0, 0, 0, 0, 0, len(data)) + data)
    finally:
        os.close(handle)


def steps_of(record: Path) -> Iterator[Step]:
    """Every step in its order; `number` of a sync is the order of the first step that it does not cover."""
    with record.open("rb") as file:
        while head := file.read(_HEAD.size):
            order = file.tell() - _HEAD.size
            kind, path, other, _, inode, number, data = _HEAD.unpack(head)
            names = file.read(path + other).decode()
            yield Step(order, chr(kind), names[:path], names[path:], inode, number, file.read(data))


def said_in(step: Step) -> dict[str, object]:
    """What a mark says."""
    assert step.kind == _MARK
    said: dict[str, object] = json.loads(step.data)
    return said
