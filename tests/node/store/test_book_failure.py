"""A commit that fails ends the book: one clear sentence, nothing acknowledged lost, nothing half done."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from node.store.test_store_sqlite import INJECTED, files_no_larger_than, log_of, setting

from controller.core import inputs as ask
from controller.node.book.book import Answer, Asked, Book
from controller.node.book.chain import Key
from controller.node.store.failure import StoreFailed
from controller.node.store.store import Reader
from support.core.book_cases import CARLA, Client, founded
from support.core.ledger_compare import first_difference, standing
from support.drivers import peers
from support.places import TESTS
from support.store import postgres
from support.store.store_cases import DIALECTS, faults, new_place, outcome_of

BUY = ask.BuyCredits("M1", 1, 4, CARLA)
UNSURE = "Lo último no está confirmado: vuelva a arrancar, y al arrancar se comprueba todo."


@pytest.fixture
def key(tmp_path) -> Key:
    return Key.load_or_make(tmp_path / "node.key")


@pytest.fixture
def place(tmp_path) -> Path:
    return tmp_path / "pozo.db"


@pytest.fixture
def book(place, key):
    made = founded(place, key)
    yield made
    made.close()


def take_until_it_fails(client: Client) -> tuple[StoreFailed, list[tuple[Asked, Answer]], Asked]:
    """The failure, what had been answered before, and what was asked last."""
    heard = []
    for _ in range(20_000):
        before = (client.book.state, client.book.seq, client.book.hash, client.book.balances)
        asked = client.asked(BUY)
        try:
            (answer,) = client.book.take([asked])
        except StoreFailed as failed:
            assert (client.book.state, client.book.seq, client.book.hash, client.book.balances) == before
            return failed, heard, asked
        heard.append((asked, answer))
    raise AssertionError("it never failed")


def assert_closed_for_good(book: Book, heard: list[tuple[Asked, Answer]], unheard: Asked) -> None:
    """Neither new requests nor old ones are answered: nobody knows what the disk still holds."""
    for call in (lambda: book.take([unheard]), lambda: book.take([heard[0][0]]), book.checkpoint, lambda: Client(book)):
        with pytest.raises(StoreFailed, match=r"^[^\n]*: El registro está cerrado; hay que volver a abrirlo.$"):
            call()
    book.close()


def assert_nothing_is_missing_or_doubled(place, key, heard: list[tuple[Asked, Answer]], unheard: Asked) -> None:
    with closing(Book.open(place, key)) as book:
        assert book.take([asked for asked, _ in heard]) == [answer._replace(repeated=True) for _, answer in heard]
        (answer,) = book.take([unheard])
        after = book.seq
        assert book.take([unheard]) == [answer._replace(repeated=True)]
        assert book.seq == after
        assert book.balances["credits:M1:1"] == 2000 * (len(heard) + 1)
        model, difference = first_difference(book.store)
        assert difference is None
        assert standing(model.balances) == standing(book.store.balances()) == standing(book.balances)


def test_a_full_disk_ends_the_book(book, place, key):
    client = Client(book)
    pages = setting(book.store._session, "page_count")
    book.store._session.raw.execute(f"PRAGMA max_page_count = {pages + 8}").fetchone()
    failed, heard, unheard = take_until_it_fails(client)

    assert failed.sentence == f"El disco está lleno (database or disk is full). Libere espacio. {UNSURE}"
    assert len(heard) > 20
    assert_closed_for_good(book, heard, unheard)
    assert_nothing_is_missing_or_doubled(place, key, heard, unheard)


def test_a_write_that_fails_ends_the_book(book, place, key):
    client = Client(book)
    with files_no_larger_than(log_of(place).stat().st_size + 300_000):
        failed, heard, unheard = take_until_it_fails(client)

    assert failed.sentence == (
        f"El disco falló al leer o escribir (disk I/O error). Revise el disco y sus cables. {UNSURE}"
    )
    assert len(heard) > 5
    assert_closed_for_good(book, heard, unheard)
    assert_nothing_is_missing_or_doubled(place, key, heard, unheard)


def test_a_checkpoint_that_cannot_be_written_ends_the_book_too(book, place, key):
    Client(book).play(3)
    before = list(book.store.checkpoints())
    with files_no_larger_than(log_of(place).stat().st_size), pytest.raises(StoreFailed, match="El disco falló"):
        book.checkpoint()
    with pytest.raises(StoreFailed, match="está cerrado"):
        Client(book)
    with closing(Book.open(place, key)) as again:
        assert list(again.store.checkpoints()) == before
        assert (again.state, again.seq, again.hash) == (book.state, book.seq, book.hash)


@pytest.mark.process
@pytest.mark.parametrize("when", [1, 2, 9, 60])
@pytest.mark.parametrize(("fault", "words"), INJECTED)
def test_the_system_itself_fails_a_write_or_a_sync(book, place, key, fault, words, when):
    """strace makes one call of a running book fail; what it had answered is there afterwards, once."""
    strace = peers.program("strace")
    book.close()
    program, call = TESTS / "support/core/book_writer.py", fault.split(":")[0]
    done = subprocess.run(
        [strace, "-qq", "-f", "-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={fault.format(when)}",
         sys.executable, str(program), "fail", str(place), str(place.with_name("node.key"))],
        capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    if b"ptrace" in done.stderr.lower():
        peers.absent("strace (it may not trace here)")
    said = [msgspec.json.decode(line) for line in done.stdout.splitlines()]

    assert words in said[-2]["failed"], done.stderr
    assert said[-1]["failed"] == "El registro está cerrado; hay que volver a abrirlo."
    answered = [line for line in said if "first" in line]
    with closing(Book.open(place, key)) as again:
        for line in answered:
            outcome = outcome_of(again.store, "caja", 1, line["number"])
            assert [outcome.first, outcome.last] == [line["first"], line["last"]]
        assert again.store.last_of("caja", 1) - answered[-1]["number"] in {0, 1} if answered else True
        model, difference = first_difference(again.store)
        assert difference is None
        assert standing(model.balances) == standing(again.balances)
        Client(again).play()
    with Reader.open(place) as reader:
        assert faults(reader) == []


@pytest.mark.process
def test_a_database_that_goes_away_ends_the_book(tmp_path, key, request):
    place = new_place("postgresql", tmp_path, request.config)
    book = founded(place, key)
    client = Client(book)
    heard = []
    for _ in range(5):
        asked = client.asked(BUY)
        heard.append((asked, *book.take([asked])))
    with postgres.server(request.config).connect(place) as stranger:
        stranger.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()"
        )
    unheard = client.asked(BUY)
    with pytest.raises(StoreFailed) as failed:
        book.take([unheard])

    assert "Se perdió la base de datos" in failed.value.sentence and failed.value.sentence.endswith(UNSURE)
    assert_closed_for_good(book, heard, unheard)
    assert_nothing_is_missing_or_doubled(place, key, heard, unheard)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_commit_that_is_done_and_not_heard_of_is_found_by_its_id(tmp_path, key, request, dialect):
    """The worst moment: the disk has it, the answer is lost."""
    place = new_place(dialect, tmp_path, request.config)
    book = founded(place, key)
    client = Client(book)
    heard = [(asked, *book.take([asked])) for asked in [client.asked(BUY)]]
    write = book.store._writer.write

    def lose_the_answer(batch, epoch):
        write(batch, epoch)
        raise OSError(5, "lost")

    book.store._writer.write = lose_the_answer
    unheard = client.asked(BUY)
    with pytest.raises(StoreFailed, match="El disco falló"):
        book.take([unheard])
    assert_closed_for_good(book, heard, unheard)
    with closing(Book.open(place, key)) as again:
        assert again.take([unheard])[0].repeated
    assert_nothing_is_missing_or_doubled(place, key, heard, unheard)
