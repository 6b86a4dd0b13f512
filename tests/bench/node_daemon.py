"""The daemon as it is installed, with a pencil beside its book: when each pass was sealed and on the disk.

It says on stdout, one line each: `sealed TABLE NUMBER MICROS`, and of every commit of one bet alone `bet BYTES MICROS`:
what it gave the disk to write, and how long that took.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from controller.core.facts import BetMade, PassSealed
from controller.node.book.book import Answer, Asked, Book
from controller.node.service import daemon
from drivers.punctual import micros

take = Book.take


def written() -> int:
    """Bytes that this process made dirty so far."""
    return int(Path("/proc/self/io").read_text(encoding="ascii").split("write_bytes:")[1].split()[0])


def watched(self: Book, asks: Sequence[Asked]) -> list[Answer]:
    before, bytes_before = micros(), written()
    answers = take(self, asks)
    after = micros()
    facts = [fact for answer in answers for fact in answer.facts]
    for fact in facts:
        if isinstance(fact, PassSealed):
            print("sealed", fact.table, fact.number, after, flush=True)
    if len(asks) == 1 and any(isinstance(fact, BetMade) for fact in facts):
        print("bet", written() - bytes_before, after - before, flush=True)
    return answers


if __name__ == "__main__":
    os.set_inheritable(1, False)
    if os.environ.get("POZO_PENCIL"):
        Book.take = watched  # type: ignore[method-assign]
    sys.exit(daemon.run(Path(sys.argv[1])))
