"""A person at the control socket of `pozo sim`, from a process of its own."""

import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

PATIENCE = 20  # seconds


def answers(control: Path, commands: Sequence[str]) -> list[str]:
    """What is said to each command, one after the other."""
    with socket.socket(socket.AF_UNIX) as talk:
        talk.settimeout(PATIENCE)
        talk.connect(str(control))
        with talk.makefile("rw") as file:
            return [_answer(file, command) for command in commands]


def obeyed(control: Path, commands: Sequence[str]) -> list[str]:
    """The same, and none was refused."""
    said = answers(control, commands)
    assert not [answer for answer in said if answer.startswith("no: ")], said
    return said


def _answer(file: TextIO, command: str) -> str:
    print(command, file=file, flush=True)
    return file.readline().rstrip("\n")
