"""The daemon as it is installed, with a pencil beside its book and its show: what was on the disk when, and what was shown.

It says on stdout, one line each: `sealed TABLE NUMBER AFTER BEFORE MAIN`, the instants around the commit of a pass, a
neighbour's too, and the pot after it; of every commit of one bet alone `bet BYTES MICROS`: what it gave the disk to write,
and how long that took; and `meter MAIN AT`, whenever signs and screens are given another amount of the pot.

`POZO_RECORD` puts its record into a database, which no settings can do yet.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.core.facts import BetMade, PassSealed
from controller.node.book.book import Answer, Asked, Book, key_of
from controller.node.book.chain import Key
from controller.node.publish.show import Show
from controller.node.service import daemon, node_links
from controller.node.vocabulary.places import Node
from controller.node.vocabulary.protocol import NodeView
from drivers.punctual import micros
from drivers.session import Micros

take, show = Book.take, Show.now
shown = [0]


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
            main = self.state.pots[fact.pot].main
            print("sealed", fact.table, fact.number, after, before, main, flush=True)
    if len(asks) == 1 and any(isinstance(fact, BetMade) for fact in facts):
        print("bet", written() - bytes_before, after - before, flush=True)
    return answers


def seen(self: Show, now: Micros) -> NodeView:
    view = show(self, now)
    main = view.pots[0].main if view.pots else 0
    if main != shown[0]:
        shown[0] = main
        print("meter", main, micros(), flush=True)
    return view


def put_on(url: str) -> None:
    """The book there, and whoever reads beside it; the folder keeps keys and heads."""

    def opened(node: Node, proven: Callable[[Book], None] = lambda _book: None) -> Book:
        return Book.open(url, Key.load_or_make(key_of(node.folder)), proven)

    daemon.open_book = opened  # type: ignore[attr-defined]
    for part in (daemon, node_links):
        part.record_of = lambda _folder: url  # type: ignore[attr-defined]


if __name__ == "__main__":
    os.set_inheritable(1, False)
    if os.environ.get("POZO_PENCIL"):
        Book.take = watched  # type: ignore[method-assign]
        Show.now = seen  # type: ignore[method-assign]
    if os.environ.get("POZO_RECORD"):
        put_on(os.environ["POZO_RECORD"])
    sys.exit(daemon.run(Path(sys.argv[1])))
