"""Cuts the power of a book before its Nth statement, for every N: run by test_crash, one process for each kind of work.

How it is cut, and what a step is, stands in support/store/store_cuts.py; here is what the book commits meanwhile.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from controller.core import inputs as ask
from controller.core.values import Hand, Role
from controller.node.book import book as book_module
from controller.node.book.book import Asked, Book
from controller.node.book.chain import Key
from controller.node.store.rows import OutcomeKey
from controller.play.rehearsal import Said
from support.core.book_cases import ANA, CARLA, LUIS, SECRET, START, VERIFIER, Client, one_pass
from support.store.store_cuts import cut_everywhere

NUMBER = 10_000


def prepared(kind: str, book: Book) -> None:
    """Leads a founded book to where a kind of work can begin."""
    client, groups = Client(book), one_pass(book)
    for _ in range({"bet": 1, "seal": 2, "claim": 3}.get(kind, 0)):
        client.say(*next(groups))


def bet(book: Book) -> Iterator[Said]:
    """A pass opened, credits bought, a bet made, its lamp lit: one group."""
    device = book.state.tables["M1"].seat(1).device
    assert device is not None, "prepared"
    made = device.__class__(device.serial, device.epoch, 2, 2)
    yield Said(ask.OpenPass("M1", CARLA))
    yield Said(ask.BuyCredits("M1", 1, 2, CARLA))
    yield Said(ask.SeatReport("M1", 1, made, bet_seq=2))


def seal(book: Book) -> Iterator[Said]:
    device = book.state.tables["M1"].seat(1).device
    assert device is not None, "prepared"
    yield Said(ask.Lock("M1"))
    yield Said(ask.SeatReport("M1", 1, device, locked=True, cut=device.seq, bet_seq=device.seq))


def claim(_book: Book) -> Iterator[Said]:
    yield Said(ask.RegisterClaim("M1", (Hand(1, cards=("Ts", "Js", "Qs", "Ks", "As")),), CARLA))


def snapshot(_book: Book) -> Iterator[Said]:
    yield Said(ask.BuyCredits("M1", 1, 2, CARLA))


def person(_book: Book) -> Iterator[Said]:
    yield Said(ask.EnrolPerson("eva", "Eva", (Role.CROUPIER,), SECRET, ANA, LUIS, known=True), VERIFIER)


def restore(_book: Book) -> Iterator[Said]:
    yield Said(ask.RestoreNode(7, "disco cambiado", ANA, LUIS))


KINDS: tuple[Callable[[Book], Iterator[Said]], ...] = (bet, seal, claim, snapshot, person, restore)


def working(kind: Callable[[Book], Iterator[Said]]) -> Callable[[Path], Callable[[], None]]:
    """As store_cuts wants it: opens the book, and returns what is to be cut."""

    def work(place: Path) -> Callable[[], None]:
        book = Book.open(place, Key.load_or_make(place.with_name("node.key")))
        asks = [
            Asked(OutcomeKey("caja", 1, NUMBER + n), START + 10**6, one.input, one.verifier)
            for n, one in enumerate(kind(book))
        ]

        def cut() -> None:
            book.take(asks)

        return cut

    work.__name__ = kind.__name__
    return work


if __name__ == "__main__":
    if sys.argv[1] == "snapshot":
        book_module.SNAPSHOT_EVERY = 1
    cut_everywhere(working({kind.__name__: kind for kind in KINDS}[sys.argv[1]]), Path(sys.argv[2]), Path(sys.argv[3]))
