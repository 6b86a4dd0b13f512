"""The same verification on the other database: an evening in PostgreSQL, and what its triggers must say (R-27)."""

import pytest

from controller.node.book.book import Book
from controller.node.store.store import Reader
from controller.verify.schema import prove_schema
from controller.verify.wrong import FoundWrong
from support.record import verify_history
from support.record.verifying import verify
from support.store import postgres

pytestmark = pytest.mark.process


def silent(_seq):
    """Nobody looks at the progress."""


@pytest.fixture(scope="module")
def evening(pytestconfig):
    url = postgres.server(pytestconfig).new_database()
    verify_history.play(url, passes=2)
    return url


def test_an_evening_in_postgresql_is_good(evening):
    with Reader.open(evening) as reader:
        verdict = verify(reader, None, silent)

    assert verdict.wrong is None and verdict.checkpoints > 50


def test_the_same_evening_gives_the_same_bytes_in_both(evening, tmp_path):
    floor = verify_history.play(tmp_path, passes=2)

    with Reader.open(evening) as one, Reader.open(floor.path) as other:
        assert [tuple(row) for row in one.facts()] == [tuple(row) for row in other.facts()]
        assert [tuple(row) for row in one.outcome_rows()] == [tuple(row) for row in other.outcome_rows()]
        assert [tuple(row) for row in one.balance_rows()] == [tuple(row) for row in other.balance_rows()]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda made: [one for one in made if one.name != "kept"], "function kept"),
        (lambda made: [one for one in made if one.name != "posting_no_truncate"], "trigger posting_no_truncate"),
        (lambda made: [one._replace(sql="BEGIN END") if one.kind == "function" else one for one in made], "function fact_follows"),
        (lambda made: [one._replace(sql="x") if one.name == "fact_no_update" else one for one in made], "trigger fact_no_update"),
    ],
)  # fmt: skip
def test_a_trigger_or_function_that_no_longer_refuses_is_named(evening, change, place):
    with Reader.open(evening) as reader:
        made = reader.schema()
    prove_schema(made)

    with pytest.raises(FoundWrong) as found:
        prove_schema(change(made))
    assert found.value.place == place


def test_a_book_of_this_evening_opens_again(evening):
    book = Book.open(evening, verify_history.key_of("central-1"))
    book.close()

    assert book.seq > 400
