"""How a book starts: from the newest signed snapshot, link by link, and not at all where the record contradicts itself."""

# ruff: noqa: S608  a test says what it wants to the database
import itertools
from pathlib import Path

import pytest

from controller.core import inputs as ask
from controller.core.state import State
from controller.node.book import book as book_module
from controller.node.book.book import Book
from controller.node.book.chain import BookDamaged, Key, balances_hash, is_signed, link, read_checkpoint
from controller.node.store.store import Reader, Store
from support.core.book_cases import ADMINISTRATORS, CARLA, START, Client, everything_of, founded, restarted, tampering
from support.store.store_cases import DIALECTS, new_place

Place = str | Path
BUY = ask.BuyCredits("M1", 1, 4, CARLA)


@pytest.fixture
def key(tmp_path) -> Key:
    return Key.load_or_make(tmp_path / "node.key")


@pytest.fixture(params=DIALECTS)
def place(request, tmp_path) -> Place:
    return new_place(request.param, tmp_path, request.config)


@pytest.fixture
def book(place, key):
    made = founded(place, key)
    yield made
    made.close()


@pytest.fixture
def tamper(place, request):
    return tampering(place, request.config)


@pytest.fixture
def snapshots_often(monkeypatch):
    monkeypatch.setattr(book_module, "SNAPSHOT_EVERY", 40)


@pytest.mark.usefixtures("snapshots_often")
def test_snapshots_come_when_enough_happened_each_with_a_signed_checkpoint(book, key):
    Client(book).play(15)
    seals = [row for row in book.store.checkpoints() if read_checkpoint(row.body).state]

    gaps = [after.seq - before.seq for before, after in itertools.pairwise(seals)]
    assert len(seals) >= 3 and all(40 <= gap < 50 for gap in gaps)
    assert book.store.newest_snapshot().seq == seals[-1].seq
    for seal in seals:
        assert is_signed(seal.body, seal.signature, key.public)
        checkpoint = read_checkpoint(seal.body)
        assert [row.hash.hex() for row in book.store.facts(seal.seq, seal.seq)] == [checkpoint.hash]
        assert (checkpoint.node, checkpoint.epoch, checkpoint.seq) == ("nodo1", 1, seal.seq)
    book.checkpoint()
    last = read_checkpoint(list(book.store.checkpoints())[-1].body)
    assert (last.seq, last.balances) == (book.seq, balances_hash(book.balances))


@pytest.mark.usefixtures("snapshots_often")
def test_a_start_from_a_snapshot_is_the_same_as_a_replay_of_everything(book, place, key, tamper):
    Client(book).play(12)
    live = everything_of(book)
    book = restarted(book, place, key)
    assert everything_of(book) == live
    book.close()
    tamper("DELETE FROM snapshot")
    book = Book.open(place, key)
    assert everything_of(book) == live
    book.close()


@pytest.mark.usefixtures("snapshots_often")
def test_a_start_replays_only_what_came_after_the_snapshot(book, place, key, monkeypatch):
    Client(book).play(12)
    newest, head = book.store.newest_snapshot().seq, book.seq
    book.close()
    replayed = []
    apply = book_module.apply
    monkeypatch.setattr(
        book_module, "apply", lambda state, at, fact: (replayed.append(fact), apply(state, at, fact))[1]
    )
    Book.open(place, key).close()

    assert len(replayed) == head - newest < 50


def test_a_checkpoint_is_signed_once_for_a_place_also_after_a_restart(book, place, key, monkeypatch):
    Client(book).say(BUY)
    before = [row.seq for row in book.store.checkpoints()]
    book.checkpoint()
    book.checkpoint()
    book.sign()
    book = restarted(book, place, key)
    book.checkpoint()
    assert [row.seq for row in book.store.checkpoints()] == [*before, book.seq]
    monkeypatch.setattr(book_module, "SNAPSHOT_EVERY", book.seq + 1)
    Client(book).say(BUY)
    book = restarted(book, place, key)
    book.sign()
    book.checkpoint()  # it is signed already, at a multiple of SNAPSHOT_EVERY where no snapshot was due
    assert [row.seq for row in book.store.checkpoints()] == [*before, book.seq - 1, book.seq]
    Client(book).say(BUY)
    book.close()


def test_a_book_without_its_first_fact_is_refused_with_the_way_out(place, key):
    Store.create(place, "nodo1").close()
    with pytest.raises(BookDamaged, match=r"registro: está vacío.*retírelo y funde el nodo de nuevo"):
        Book.open(place, key)
    with Reader.open(place) as reader:
        assert reader.head() is None


def test_another_key_is_refused_with_and_without_a_snapshot(book, place, tmp_path):
    other = Key.load_or_make(tmp_path / "other.key")
    book.close()
    for _ in range(2):
        with pytest.raises(BookDamaged, match="llave: no es la llave con que se fundó"):
            Book.open(place, other)
        with Store.open(place) as store:  # and nobody was kept out by it
            assert store.newest_snapshot() is None
    key = Key.load_or_make(tmp_path / "node.key")
    book = Book.open(place, key)
    book.checkpoint()
    book.close()
    with pytest.raises(BookDamaged, match="llave: no es la llave con que se fundó"):
        Book.open(place, other)
    Book.open(place, key).close()


def test_the_first_fact_is_the_foundation(place, key):
    book = Book.create(place, key, "nodo1", ADMINISTRATORS, START)
    assert [row.kind for row in book.store.facts()] == ["node_founded"]
    assert book.state.people.keys() == set(ADMINISTRATORS)
    assert book.state != State()
    book.close()


# A record that contradicts itself


@pytest.fixture
def left(book, monkeypatch):
    """A closed record with a snapshot and a tail: the seq of the one, and of the head."""
    monkeypatch.setattr(book_module, "SNAPSHOT_EVERY", 40)
    Client(book).play(12)
    newest, head = book.store.newest_snapshot().seq, book.seq
    assert head - newest > 4
    book.close()
    return newest, head


def refusal_of(place: Place, key: Key) -> BookDamaged:
    with pytest.raises(BookDamaged) as refused:
        Book.open(place, key)
    Store.open(place).close()  # the lock was given back
    return refused.value


def row_of(place: Place, table: str, seq: int):
    with Reader.open(place) as reader:
        if table == "fact":
            return next(reader.facts(seq, seq))
        if table == "snapshot":
            return reader.newest_snapshot()
        return next(row for row in reader.checkpoints() if row.seq == seq)


def flipped(text: bytes, at: int) -> bytes:
    return text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]


@pytest.mark.parametrize("at", [0, 30, -1])
def test_a_damaged_snapshot_is_named(left, place, key, tamper, at):
    body = row_of(place, "snapshot", left[0]).body
    tamper("UPDATE snapshot SET body = ? WHERE seq = ?", flipped(body, at % len(body)), left[0])

    assert str(refusal_of(place, key)) == f"instantánea {left[0]}: no es la que se firmó"


def test_a_snapshot_nobody_signed_is_named(left, place, key, tamper):
    tamper("DELETE FROM checkpoint WHERE seq = ?", left[0])

    assert str(refusal_of(place, key)) == (
        f"instantánea {left[0]}: ningún testigo firmado por este nodo responde por ella"
    )


@pytest.mark.parametrize("column", ["signature", "body"])
def test_a_checkpoint_that_was_changed_is_no_witness(left, place, key, tamper, column):
    bytes_ = getattr(row_of(place, "checkpoint", left[0]), column)
    tamper(f"UPDATE checkpoint SET {column} = ? WHERE seq = ?", flipped(bytes_, 9), left[0])

    assert "ningún testigo firmado" in str(refusal_of(place, key))


def test_a_checkpoint_signed_by_another_key_is_no_witness(left, place, key, tamper, tmp_path):
    row = row_of(place, "checkpoint", left[0])
    other = Key.load_or_make(tmp_path / "other.key")
    tamper("UPDATE checkpoint SET signature = ? WHERE seq = ?", other.sign(row.body), left[0])

    assert "ningún testigo firmado" in str(refusal_of(place, key))


def test_an_earlier_checkpoint_does_not_vouch_for_a_later_snapshot(left, place, key, tamper):
    with Reader.open(place) as reader:
        first = next(reader.checkpoints())
    tamper("UPDATE checkpoint SET body = ?, signature = ? WHERE seq = ?", first.body, first.signature, left[0])

    assert str(refusal_of(place, key)) == f"instantánea {left[0]}: no es la que se firmó"


def test_the_fact_a_snapshot_stands_on_is_the_one_that_was_signed(left, place, key, tamper):
    row = row_of(place, "fact", left[0])
    tamper("UPDATE fact SET hash = ? WHERE seq = ?", flipped(row.hash, 3), left[0])

    assert str(refusal_of(place, key)) == f"instantánea {left[0]}: el hecho de su número no es el que se firmó"


@pytest.mark.parametrize("column", ["body", "hash"])
@pytest.mark.parametrize("byte", [0, 11, 20, -2])
def test_a_byte_changed_in_the_tail_is_named(left, place, key, tamper, column, byte):
    """Whatever it makes of the body: other words, no JSON, no UTF-8."""
    seq = left[1] - 2
    text = getattr(row_of(place, "fact", seq), column)
    at = byte % len(text)
    never_utf8 = b"\xff" if text[at] != 0xFF else b"\xfd"  # a hash may have it there
    for other in (flipped(text, at), text[:at] + never_utf8 + text[at + 1 :]):
        tamper(f"UPDATE fact SET {column} = ? WHERE seq = ?", other, seq)
        assert str(refusal_of(place, key)) == f"hecho {seq}: la cadena se corta aquí"


def test_facts_that_are_missing_or_exchanged_are_named(left, place, key, tamper):
    one, two = (row_of(place, "fact", left[1] - at) for at in (3, 2))
    tamper("UPDATE fact SET body = ? WHERE seq = ?", two.body, one.seq)
    assert str(refusal_of(place, key)) == f"hecho {one.seq}: la cadena se corta aquí"
    tamper("UPDATE fact SET body = ? WHERE seq = ?", one.body, one.seq)
    Book.open(place, key).close()
    tamper("DELETE FROM posting WHERE fact = ?", one.seq)
    tamper("DELETE FROM fact WHERE seq = ?", one.seq)
    assert str(refusal_of(place, key)) == f"hecho {two.seq}: la cadena se corta aquí"


@pytest.mark.parametrize("end", ["nodo", "época"])
def test_a_fact_that_would_make_it_another_node_is_named(left, place, key, tamper, end):
    """A body that decodes well, and changes what the next links would be hashed with."""
    seq = left[1]
    fact = {
        "nodo": '{"kind":"node_founded","node":"otro","key":"00","administrators":["a","b"]}',
        "época": '{"kind":"node_restored","epoch":-7,"reason":"","by":"a","second":"b"}',
    }[end]
    body = f'{{"seq":{seq},"at":1,"id":["caja",1,1],"ask":"00","fact":{fact}}}'.encode()
    tamper("UPDATE fact SET body = ? WHERE seq = ?", body, seq)

    assert str(refusal_of(place, key)) == f"hecho {seq}: la cadena se corta aquí"


def test_a_fact_that_says_another_number_is_named_also_where_its_hash_is_right(left, place, key, tamper):
    seq = left[1]
    row, before = row_of(place, "fact", seq), row_of(place, "fact", seq - 1)
    body = row.body.replace(f'"seq":{seq},'.encode(), f'"seq":{seq + 1},'.encode())
    tamper("UPDATE fact SET body = ?, hash = ? WHERE seq = ?", body, link(before.hash, "nodo1", 1, seq, body), seq)

    assert body != row.body
    assert str(refusal_of(place, key)) == f"hecho {seq}: la cadena se corta aquí"


@pytest.mark.parametrize("seq", [1, 3])
def test_the_beginning_is_looked_at_where_nothing_was_signed_yet(book, place, key, tamper, seq):
    book.close()
    body = row_of(place, "fact", seq).body
    tamper("UPDATE fact SET body = ? WHERE seq = ?", flipped(body, len(body) // 2), seq)

    assert str(refusal_of(place, key)) == f"hecho {seq}: la cadena se corta aquí"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE balance SET amount = amount + 1 WHERE account = 'pot:chico:main'",
        "UPDATE balance SET amount = amount - 1 WHERE account = 'cash:M1'",
        "DELETE FROM balance WHERE account = 'commission:chico:central'",
        "INSERT INTO balance (account, amount, fact) VALUES ('credits:M1:2', 500, 3)",
    ],
)
@pytest.mark.usefixtures("left")
def test_a_balance_that_was_changed_is_found(place, key, tamper, statement):
    tamper(statement)

    assert str(refusal_of(place, key)) == "saldos: no son los de la instantánea más los asientos desde entonces"


@pytest.mark.usefixtures("left")
def test_facts_cut_off_at_the_end_leave_balances_that_are_not_theirs(place, key, tamper):
    """A whole tail that is gone, balances and all, only a witness can know of (`pozo verify`)."""
    with Reader.open(place) as reader:
        last = next(row.fact for row in reversed(list(reader.postings())))
    for table, column in (("posting", "fact"), ("fact", "seq")):
        tamper(f"DELETE FROM {table} WHERE {column} >= ?", last)

    assert "saldos" in str(refusal_of(place, key))


@pytest.mark.usefixtures("left")
def test_a_state_that_is_not_what_the_ledger_says_is_found(place, key, monkeypatch):
    """The two come from the same facts by different functions: a defect in one of them stops the node."""
    monkeypatch.setattr(
        book_module, "difference", lambda _state, _balances: "pot:chico:main: 1 en el libro, 2 en el estado"
    )

    assert str(refusal_of(place, key)) == "saldos: pot:chico:main: 1 en el libro, 2 en el estado"
