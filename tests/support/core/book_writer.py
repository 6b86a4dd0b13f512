"""A process that works on a book until it fails or is killed, and says each answer once it has it.

    support/core/book_writer.py fail PLACE KEY              buys credits until the book is closed, then asks once more
    support/core/book_writer.py play PLACE KEY SEED ASKED   plays passes at ten tables for ever; what it is going to ask it first
                                               writes to the file ASKED, as a client keeps a request until it is answered

Run under strace by test_book_failure, and killed by test_crash.
"""

import hashlib
import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.core import inputs as ask
from controller.core.facts import Fact
from controller.node.book import book as book_module
from controller.node.book.book import Answer, Asked, Book
from controller.node.book.chain import Key
from controller.node.store.failure import StoreError, StoreFailed
from controller.node.store.rows import OutcomeKey
from controller.play.rehearsal import Rehearsal, Said
from support.core.book_cases import CARLA, SEED, Client

WINNING = 0.2
encode = msgspec.json.encode


def heard(answer: Answer) -> dict[str, object]:
    """What a client keeps of an answer."""
    last = answer.first + len(answer.facts) - 1
    digest = hashlib.sha256(encode(answer.facts)).hexdigest()
    return {"number": answer.id.number, "first": answer.first, "last": last, "facts": digest}


def say(*lines: object) -> None:
    """In one write, past every buffer."""
    os.write(1, b"".join(encode(line) + b"\n" for line in lines))


def fail(place: Path, key: Key) -> None:
    client = None
    try:
        client = Client(Book.open(place, key))
        for _ in range(300):
            say(*map(heard, client.say(ask.BuyCredits("M1", 1, 4, CARLA))))
        client.book.close()
    except StoreError as failed:
        say({"failed": failed.sentence})
    if client is None:  # it never opened
        say({"failed": "El registro está cerrado; hay que volver a abrirlo."})
        return
    try:
        client.say(ask.LookAtClock())
    except StoreFailed as failed:
        say({"failed": failed.sentence})


def play(place: Path, key: Key, seed: int, asked: Path) -> None:
    book = Book.open(place, key)
    number = book.store.last_of("ensayo", 1)
    file = os.open(asked, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def take(said: Sequence[Said], at: int) -> list[tuple[Fact, ...]]:
        nonlocal number
        asks = [
            Asked(OutcomeKey("ensayo", 1, number + n), at, one.input, one.verifier) for n, one in enumerate(said, 1)
        ]
        number += len(asks)
        os.write(file, b"".join(encode(one) + b"\n" for one in asks))
        answers = book.take(asks)
        say(*map(heard, answers))
        return [answer.facts for answer in answers]

    casino = Rehearsal(take, lambda: book.state, (), random.Random(seed), winning=WINNING, now=book.state.clock)
    say({"open": book.seq})
    while True:
        casino._beat(SEED)


if __name__ == "__main__":
    book_module.SNAPSHOT_EVERY = 300
    act, at, key_file, *more = sys.argv[1:]
    node_key = Key.load_or_make(Path(key_file))
    if act == "fail":
        fail(Path(at), node_key)
    else:
        play(Path(at), node_key, int(more[0]), Path(more[1]))
    sys.stdout.flush()
    os._exit(0)  # nothing else of this process may meet the errors meant for the store
